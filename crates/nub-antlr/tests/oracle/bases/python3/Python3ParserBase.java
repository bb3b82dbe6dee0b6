import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.TokenStream;

/** Both are always true: the choice between the patterns is left to the order of the alternatives. */
public abstract class Python3ParserBase extends Parser {
    protected Python3ParserBase(TokenStream input) {
        super(input);
    }

    protected boolean CannotBePlusMinus() {
        return true;
    }

    protected boolean CannotBeDotLpEq() {
        return true;
    }
}
