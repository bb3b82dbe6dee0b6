import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;

/** Optional ends of statements. Everything that needs a table of names is left open: see the README beside. */
public abstract class GoParserBase extends Parser {
    protected GoParserBase(TokenStream input) {
        super(input);
    }

    protected boolean closingBracket() {
        int next = _input.LA(1);
        return next == GoParser.R_PAREN || next == GoParser.R_CURLY || next == Token.EOF;
    }

    protected boolean isNotReceive() {
        return _input.LA(2) != GoParser.RECEIVE;
    }

    protected boolean isOperand() {
        return true;
    }

    protected boolean isConversion() {
        return true;
    }

    protected boolean isMethodExpr() {
        return true;
    }

    protected boolean isTypeArgument() {
        return true;
    }

    protected boolean isExpressionArgument() {
        return true;
    }

    protected void myreset() {}

    protected void addImportSpec() {}
}
