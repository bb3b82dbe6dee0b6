import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.TokenStream;

/** Distinguishes names from calls. */
public abstract class LuaParserBase extends Parser {
    protected LuaParserBase(TokenStream input) {
        super(input);
    }

    /** Despite its name: whether a name follows that no parenthesis follows. */
    protected boolean IsFunctionCall() {
        return _input.LA(1) == LuaParser.NAME && _input.LA(2) != LuaParser.OP;
    }
}
