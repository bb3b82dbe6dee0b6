import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.TokenStream;

/** The grammar asks, but needs no answer: other alternatives exclude what these would. */
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
