import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.IntStream;
import org.antlr.v4.runtime.Lexer;

/** Comments of Lua, whose long form a regular expression cannot describe. */
public abstract class LuaLexerBase extends Lexer {
    protected LuaLexerBase(CharStream input) {
        super(input);
    }

    /** Consumes the rest of a comment whose {@code --} has been matched. */
    protected void HandleComment() {
        int level = opening();
        if (level < 0) {
            while (_input.LA(1) != '\n' && _input.LA(1) != IntStream.EOF) {
                _input.consume();
            }
            return;
        }
        String end = "]" + "=".repeat(level) + "]";
        while (!isAhead(end)) {
            if (_input.LA(1) == IntStream.EOF) {
                getErrorListenerDispatch().syntaxError(this, null, getLine(), getCharPositionInLine(),
                        "comment without end", null);
                return;
            }
            _input.consume();
        }
        for (int i = 0; i < end.length(); i++) {
            _input.consume();
        }
    }

    /** The level of the long bracket ahead, which is consumed; -1 if there is none. */
    private int opening() {
        int level = 0;
        if (_input.LA(1) != '[') {
            return -1;
        }
        while (_input.LA(2 + level) == '=') {
            level++;
        }
        if (_input.LA(2 + level) != '[') {
            return -1;
        }
        for (int i = 0; i < level + 2; i++) {
            _input.consume();
        }
        return level;
    }

    private boolean isAhead(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (_input.LA(1 + i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the {@code #} just matched is the first character of the input. */
    protected boolean IsLine1Col0() {
        return _input.index() == 1;
    }
}
