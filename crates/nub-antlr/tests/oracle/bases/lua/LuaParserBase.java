import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.TokenStream;

/** Tells names from calls. */
public abstract class LuaParserBase extends Parser {
    protected LuaParserBase(TokenStream input) {
        super(input);
    }

    /** In spite of its name: a name ahead that no parenthesis follows. */
    protected boolean IsFunctionCall() {
        return _input.LA(1) == LuaParser.NAME && _input.LA(2) != LuaParser.OP;
    }
}
