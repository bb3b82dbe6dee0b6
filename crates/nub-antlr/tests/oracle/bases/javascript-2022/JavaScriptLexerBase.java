import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;

/** Strict mode, and the two meanings of {@code /}. */
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

    protected boolean isStartOfFile() {
        return last == null;
    }

    protected boolean isStrictMode() {
        return isStrict;
    }

    protected boolean isRegexPossible() {
        return last == null || !OPERAND_ENDS.contains(last.getType());
    }

    protected void processOpenBrace() {
        isStrict = !scopes.isEmpty() && scopes.peek();
        scopes.push(isStrict);
    }

    /** The mode of the scope that ends stays the current one, as in the grammar's published base classes. */
    protected void processCloseBrace() {
        isStrict = !scopes.isEmpty() && scopes.pop();
    }

    protected void processStringLiteral() {
        String text = getText();
        boolean isFirst = last == null || last.getType() == JavaScriptLexer.OpenBrace;
        if (isFirst && (text.equals("'use strict'") || text.equals("\"use strict\""))) {
            scopes.poll();
            scopes.push(true);
            isStrict = true;
        }
    }
}
