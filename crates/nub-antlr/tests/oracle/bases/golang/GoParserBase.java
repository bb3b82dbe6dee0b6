import java.util.HashSet;
import java.util.Set;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;

/** Optional ends of statements, and decisions that depend on the names of imported packages. */
public abstract class GoParserBase extends Parser {
    private final Set<String> packages = new HashSet<>();

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
        String name = _input.LT(1).getText();
        return _input.LA(1) != GoParser.IDENTIFIER
                || _input.LA(2) != GoParser.DOT
                || _input.LA(3) == GoParser.L_PAREN
                || name.equals("err")
                || packages.contains(name);
    }

    protected boolean isConversion() {
        return _input.LA(1) != GoParser.IDENTIFIER;
    }

    protected boolean isMethodExpr() {
        return _input.LA(1) == GoParser.STAR
                || _input.LA(1) == GoParser.IDENTIFIER && !packages.contains(_input.LT(1).getText());
    }

    protected boolean isTypeArgument() {
        Token function = _input.LT(-2);
        return function != null
                && function.getType() == GoParser.IDENTIFIER
                && (function.getText().equals("make") || function.getText().equals("new"));
    }

    protected boolean isExpressionArgument() {
        return !isTypeArgument();
    }

    protected void myreset() {
        packages.clear();
    }

    protected void addImportSpec() {
        if (!(_ctx instanceof GoParser.ImportSpecContext)) {
            return;
        }
        GoParser.ImportSpecContext spec = (GoParser.ImportSpecContext) _ctx;
        if (spec.packageName() != null) {
            packages.add(spec.packageName().getText());
        } else {
            String path = spec.importPath() == null ? "" : spec.importPath().getText();
            path = path.replace("\"", "").replace('\\', '/');
            path = path.substring(path.lastIndexOf('/') + 1);
            packages.add(path.substring(path.lastIndexOf('.') + 1));
        }
    }
}
