import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;

/** Strict mode, and the two meanings of {@code /}, and the two meanings of a closing brace. */
public abstract class JavaScriptLexerBase extends Lexer {
    /** After these a slash divides. */
    private static final Set<Integer> OPERAND_ENDS = Set.of(JavaScriptLexer.Identifier, JavaScriptLexer.NullLiteral,
            JavaScriptLexer.BooleanLiteral, JavaScriptLexer.This, JavaScriptLexer.CloseBracket,
            JavaScriptLexer.CloseParen, JavaScriptLexer.OctalIntegerLiteral, JavaScriptLexer.DecimalLiteral,
            JavaScriptLexer.HexIntegerLiteral, JavaScriptLexer.StringLiteral, JavaScriptLexer.PlusPlus,
            JavaScriptLexer.MinusMinus);

    /** Whether each open pair of braces is in strict mode, the innermost first. */
    private final Deque<Boolean> scopes = new ArrayDeque<>();
    private boolean isStrict;
    /** The last token on the default channel. */
    private Token last;
    /** How many braces are open, and how many were when each open expression in a template began. */
    private int depth;
    private final Deque<Integer> templates = new ArrayDeque<>();

    protected JavaScriptLexerBase(CharStream input) {
        super(input);
    }

    @Override
    public Token nextToken() {
        Token token = super.nextToken();
        if (token.getChannel() == Token.DEFAULT_CHANNEL) {
            last = token;
        }
        return token;
    }

    protected boolean IsStartOfFile() {
        return last == null;
    }

    protected boolean IsStrictMode() {
        return isStrict;
    }

    protected boolean IsRegexPossible() {
        return last == null || !OPERAND_ENDS.contains(last.getType());
    }

    protected void ProcessOpenBrace() {
        isStrict = !scopes.isEmpty() && scopes.peek();
        scopes.push(isStrict);
        depth++;
    }

    /** The mode of the scope that ends stays the current one, as in the grammar's published base classes. */
    protected void ProcessCloseBrace() {
        isStrict = !scopes.isEmpty() && scopes.pop();
        depth--;
    }

    protected void ProcessStringLiteral() {
        String text = getText();
        boolean isFirst = last == null || last.getType() == JavaScriptLexer.OpenBrace;
        if (isFirst && (text.equals("'use strict'") || text.equals("\"use strict\""))) {
            scopes.poll();
            scopes.push(true);
            isStrict = true;
        }
    }

    protected void ProcessTemplateOpenBrace() {
        depth++;
        templates.push(depth);
    }

    protected void ProcessTemplateCloseBrace() {
        templates.pop();
        depth--;
    }

    protected boolean IsInTemplateString() {
        return !templates.isEmpty() && templates.peek() == depth;
    }
}
