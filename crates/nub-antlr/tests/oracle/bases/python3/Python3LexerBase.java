import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.IntStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;

/** Turns the white space at the start of lines into INDENT and DEDENT. */
public abstract class Python3LexerBase extends Lexer {
    private final Queue<Token> pending = new ArrayDeque<>();
    private final Deque<Integer> levels = new ArrayDeque<>();
    private int nesting;

    protected Python3LexerBase(CharStream input) {
        super(input);
    }

    @Override
    public Token nextToken() {
        if (pending.isEmpty()) {
            // An action may have inserted tokens before the one that is returned here.
            Token token = super.nextToken();
            if (token.getType() == Token.EOF && !levels.isEmpty()) {
                int end = token.getStartIndex();
                inject(Python3Lexer.NEWLINE, end, end - 1);
                for (; !levels.isEmpty(); levels.pop()) {
                    inject(Python3Lexer.DEDENT, end, end - 1);
                }
            }
            pending.add(token);
        }
        return pending.remove();
    }

    /** Queues a token for a part of the input, which may be empty. */
    private void inject(int type, int start, int stop) {
        CommonToken token = new CommonToken(_tokenFactorySourcePair, type, DEFAULT_TOKEN_CHANNEL, start, stop);
        token.setText(_input.getText(org.antlr.v4.runtime.misc.Interval.of(start, stop)));
        token.setLine(_tokenStartLine);
        token.setCharPositionInLine(_tokenStartCharPositionInLine);
        pending.add(token);
    }

    protected boolean atStartOfInput() {
        return getLine() == 1 && getCharPositionInLine() == 0;
    }

    protected void openBrace() {
        nesting++;
    }

    protected void closeBrace() {
        nesting--;
    }

    /** A line break and the white space after it have been matched. */
    protected void onNewLine() {
        skip();
        boolean isLast = _input.LA(2) == IntStream.EOF;
        boolean isBlank = "\r\n\f#".indexOf(_input.LA(1)) >= 0 && !isLast;
        if (nesting > 0 || isBlank) {
            return;
        }
        String text = getText();
        int width = 0;
        int breaks = 0;
        for (char c : text.toCharArray()) {
            switch (c) {
                case '\t' -> width += 8 - width % 8;
                case ' ' -> width++;
                default -> breaks++;
            }
        }
        int start = _tokenStartCharIndex;
        int stop = getCharIndex() - 1;
        inject(Python3Lexer.NEWLINE, start, start + breaks - 1);
        int level = levels.isEmpty() ? 0 : levels.peek();
        if (width > level) {
            levels.push(width);
            inject(Python3Lexer.INDENT, start + breaks, stop);
        }
        for (; !levels.isEmpty() && levels.peek() > width; levels.pop()) {
            inject(Python3Lexer.DEDENT, stop + 1, stop);
        }
    }
}
