import java.util.Set;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Token;

/** Distinguishes fractions from ranges, method calls and fields of tuples. */
public abstract class RustLexerBase extends Lexer {
    /** Tokens that can have a field. */
    private static final Set<Integer> OPERAND_ENDS = Set.of(RustLexer.NON_KEYWORD_IDENTIFIER, RustLexer.RAW_IDENTIFIER,
            RustLexer.KW_MACRORULES, RustLexer.KW_SUPER, RustLexer.KW_SELFVALUE, RustLexer.KW_SELFTYPE,
            RustLexer.KW_CRATE, RustLexer.KW_DOLLARCRATE, RustLexer.KW_AWAIT, RustLexer.GT, RustLexer.RCURLYBRACE,
            RustLexer.RSQUAREBRACKET, RustLexer.RPAREN, RustLexer.CHAR_LITERAL, RustLexer.STRING_LITERAL,
            RustLexer.RAW_STRING_LITERAL, RustLexer.BYTE_LITERAL, RustLexer.BYTE_STRING_LITERAL,
            RustLexer.RAW_BYTE_STRING_LITERAL, RustLexer.INTEGER_LITERAL, RustLexer.DEC_LITERAL,
            RustLexer.HEX_LITERAL, RustLexer.OCT_LITERAL, RustLexer.BIN_LITERAL);

    /** The types of the last two tokens on the default channel; 0 for none. */
    private int last;
    private int lastButOne;

    protected RustLexerBase(CharStream input) {
        super(input);
    }

    @Override
    public Token nextToken() {
        Token token = super.nextToken();
        if (token.getChannel() == Token.DEFAULT_CHANNEL) {
            lastButOne = last;
            last = token.getType();
        }
        return token;
    }

    protected boolean SOF() {
        return _input.index() == 0;
    }

    protected boolean FloatLiteralPossible() {
        return last != RustLexer.DOT || !OPERAND_ENDS.contains(lastButOne);
    }

    protected boolean FloatDotPossible() {
        int next = _input.LA(1);
        if (next == 'f') {
            int tens = _input.LA(2);
            int ones = _input.LA(3);
            return tens == '3' && ones == '2' || tens == '6' && ones == '4';
        }
        boolean isLetter = next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z';
        return next != '.' && next != '_' && !isLetter;
    }
}
