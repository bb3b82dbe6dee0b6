import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.TokenStream;

/** The second half of a shift operator. */
public abstract class RustParserBase extends Parser {
    protected RustParserBase(TokenStream input) {
        super(input);
    }

    protected boolean NextLT() {
        return _input.LA(1) == RustParser.LT;
    }

    protected boolean NextGT() {
        return _input.LA(1) == RustParser.GT;
    }
}
