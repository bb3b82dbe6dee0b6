import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Lexer;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.Trees;

/**
 * Runs ANTLR's own parsers on files: the number of errors, the messages, and the tree as {@code TestRig -tree}
 * prints it, without the line break at its end. The parser of the grammar must be on the class path.
 *
 * <pre>
 * Oracle golden PREFIX START OUT LIMIT   each line of standard input is NAME TAB FILE: a line of JSON for each, and the
 *                                        tree in OUT/NAME.gz unless it takes more than LIMIT bytes
 * Oracle trees PREFIX START OUT          the same lines; the tree of each in OUT/NAME, not compressed
 * Oracle time PREFIX START FILE          the tree to standard output; the time of each step to standard error
 * </pre>
 *
 * {@code FILE#MEMBER} stands for the text in the first member of that name in a JSON file.
 */
public final class Oracle {
    /** Deeply nested inputs recurse deeply, both in the parser and in the printer. */
    private static final long STACK = 1L << 30;

    /** Some inputs are in another language and have thousands of errors; the start of the first few messages is enough. */
    private static final int MESSAGES = 5;
    private static final int WIDTH = 100;

    private final Class<? extends Lexer> lexer;
    private final Class<? extends Parser> parser;
    private final String start;

    private Oracle(String prefix, String start) throws ReflectiveOperationException {
        this.lexer = Class.forName(prefix + "Lexer").asSubclass(Lexer.class);
        this.parser = Class.forName(prefix + "Parser").asSubclass(Parser.class);
        this.start = start;
    }

    public static void main(String[] args) throws Exception {
        Throwable[] failure = new Throwable[1];
        Thread thread = new Thread(null, () -> {
            try {
                Oracle oracle = new Oracle(args[1], args[2]);
                switch (args[0]) {
                    case "golden" -> oracle.forEachLine(Path.of(args[3]), Integer.parseInt(args[4]));
                    case "trees" -> oracle.forEachLine(Path.of(args[3]), -1);
                    case "time" -> oracle.time(args[3]);
                    default -> throw new IllegalArgumentException(args[0]);
                }
            } catch (Throwable thrown) {
                failure[0] = thrown;
            }
        }, "oracle", STACK);
        thread.start();
        thread.join();
        if (failure[0] != null) {
            failure[0].printStackTrace();
            System.exit(1);
        }
    }

    /** Counts and keeps the errors of a lexer or parser. */
    private static final class Errors extends BaseErrorListener {
        private final List<String> messages;
        private int count;

        private Errors(List<String> messages) {
            this.messages = messages;
        }

        @Override
        public void syntaxError(Recognizer<?, ?> recognizer, Object symbol, int line, int column, String message,
                RecognitionException exception) {
            count++;
            if (messages.size() < MESSAGES) {
                String shown = "line " + line + ":" + column + " " + message;
                messages.add(shown.length() <= WIDTH ? shown : shown.substring(0, WIDTH) + "...");
            }
        }
    }

    private record Result(int lexerErrors, int parserErrors, List<String> messages, byte[] tree, long[] steps) {}

    private Result parse(String file) throws Exception {
        long begin = System.nanoTime();
        CharStream chars = CharStreams.fromString(read(file));
        List<String> messages = new ArrayList<>();
        Errors ofLexer = new Errors(messages);
        Errors ofParser = new Errors(messages);

        Lexer lexing = lexer.getConstructor(CharStream.class).newInstance(chars);
        lexing.removeErrorListeners();
        lexing.addErrorListener(ofLexer);
        CommonTokenStream tokens = new CommonTokenStream(lexing);
        tokens.fill();
        long lexed = System.nanoTime();

        Parser parsing = parser.getConstructor(TokenStream.class).newInstance(tokens);
        parsing.removeErrorListeners();
        parsing.addErrorListener(ofParser);
        parsing.setBuildParseTree(true);
        ParseTree tree = (ParseTree) parser.getMethod(start).invoke(parsing);
        long parsed = System.nanoTime();

        byte[] text = Trees.toStringTree(tree, parsing).getBytes(StandardCharsets.UTF_8);
        long printed = System.nanoTime();
        long[] steps = {lexed - begin, parsed - lexed, printed - parsed};
        return new Result(ofLexer.count, ofParser.count, messages, text, steps);
    }

    private void forEachLine(Path out, int limit) throws Exception {
        PrintStream lines = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = input.readLine()) != null;) {
            String name = line.substring(0, line.indexOf('\t'));
            Result result = parse(line.substring(line.indexOf('\t') + 1));
            boolean plain = limit < 0;
            byte[] content = plain ? result.tree : compressed(result.tree);
            boolean kept = plain || content.length <= limit;
            Path file = out.resolve(plain ? name : name + ".gz");
            if (kept) {
                Files.createDirectories(file.getParent());
                Files.write(file, content);
            }
            StringBuilder json = new StringBuilder();
            json.append("\"lexer_errors\": ").append(result.lexerErrors);
            json.append(", \"parser_errors\": ").append(result.parserErrors);
            json.append(", \"messages\": [");
            for (String message : result.messages) {
                json.append(json.charAt(json.length() - 1) == '[' ? "" : ", ").append(quoted(message));
            }
            json.append("], \"length\": ").append(result.tree.length);
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(result.tree);
            json.append(", \"sha256\": ").append(quoted(HexFormat.of().formatHex(sum)));
            if (kept && !plain) {
                json.append(", \"tree\": ").append(quoted(name + ".gz"));
            }
            lines.println(json);
        }
    }

    private void time(String file) throws Exception {
        Result result = parse(file);
        try (OutputStream out = new PrintStream(System.out)) {
            out.write(result.tree);
            out.write('\n');
        }
        System.err.printf("lex %.3f s, parse %.3f s, print %.3f s, errors %d%n", result.steps[0] / 1e9,
                result.steps[1] / 1e9, result.steps[2] / 1e9, result.lexerErrors + result.parserErrors);
    }

    /** The text of a file, or of a member of a JSON file. */
    private static String read(String file) throws Exception {
        int hash = file.indexOf(".json#");
        if (hash < 0) {
            // A lenient decoder: bytes that are not valid UTF-8 become replacement characters.
            return new String(Files.readAllBytes(Path.of(file)), StandardCharsets.UTF_8);
        }
        String json = Files.readString(Path.of(file.substring(0, hash + 5)));
        String key = "\"" + file.substring(hash + 6) + "\":";
        int at = json.indexOf(key);
        if (at < 0) {
            throw new IllegalArgumentException("no member: " + file);
        }
        at = json.indexOf('"', at + key.length()) + 1;
        StringBuilder text = new StringBuilder();
        for (char next; (next = json.charAt(at++)) != '"';) {
            if (next != '\\') {
                text.append(next);
                continue;
            }
            char escape = json.charAt(at++);
            switch (escape) {
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'b' -> text.append('\b');
                case 'f' -> text.append('\f');
                case 'u' -> {
                    text.append((char) Integer.parseInt(json.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> text.append(escape);
            }
        }
        return text.toString();
    }

    private static byte[] compressed(byte[] bytes) throws Exception {
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(result) {
            {
                def.setLevel(9);
            }
        }) {
            gzip.write(bytes);
        }
        return result.toByteArray();
    }

    private static String quoted(String text) {
        StringBuilder result = new StringBuilder("\"");
        text.chars().forEach(unit -> {
            if (unit == '"' || unit == '\\') {
                result.append('\\').append((char) unit);
            } else if (unit < 0x20 || unit > 0x7e) {
                result.append(String.format("\\u%04x", unit));
            } else {
                result.append((char) unit);
            }
        });
        return result.append('"').toString();
    }
}
