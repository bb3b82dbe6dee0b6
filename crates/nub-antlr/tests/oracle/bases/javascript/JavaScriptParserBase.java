import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;

/** Line breaks that end statements, and words that are keywords in some places only. */
public abstract class JavaScriptParserBase extends Parser {
    protected JavaScriptParserBase(TokenStream input) {
        super(input);
    }

    protected boolean n(String text) {
        return _input.LT(1).getText().equals(text);
    }

    protected boolean closeBrace() {
        return _input.LA(1) == JavaScriptParser.CloseBrace;
    }

    protected boolean notOpenBraceAndNotFunction() {
        return _input.LA(1) != JavaScriptParser.OpenBrace && _input.LA(1) != JavaScriptParser.Function_;
    }

    protected boolean notLineTerminator() {
        return !lineTerminatorAhead();
    }

    protected boolean lineTerminatorAhead() {
        Token before = before(1);
        if (before == null || before.getChannel() != Lexer.HIDDEN) {
            return false;
        }
        if (before.getType() == JavaScriptParser.WhiteSpaces) {
            before = before(2);
        }
        if (before == null || before.getType() == JavaScriptParser.LineTerminator) {
            return before != null;
        }
        String text = before.getText();
        boolean hasBreak = text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0;
        return before.getType() == JavaScriptParser.MultiLineComment && hasBreak;
    }

    /** The token, of any channel, at a distance before the next one. */
    private Token before(int distance) {
        int index = _input.LT(1).getTokenIndex() - distance;
        return index < 0 ? null : _input.get(index);
    }
}
