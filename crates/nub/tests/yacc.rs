//! The user's own YACC and lex files.

mod common;

use common::Place;

const GRAMMAR: &str = "\
%token NAME NUMBER IF
%expect 0
%%
program : %empty | program statement ;
statement : call ';' | IF '(' NAME ')' block | error ';' ;
block : '{' program '}' ;
call : NAME '(' ')' | NAME '(' arguments ')' ;
arguments : argument | arguments ',' argument ;
argument : call | NAME | NUMBER ;
";

const LEXER: &str = "\
%x COMMENT
%%
\"//\"          BEGIN(COMMENT);
<COMMENT>.    ;
<COMMENT>\\n   BEGIN(INITIAL);
if            { return IF; }
[a-z]+        { yylval.name = strdup(yytext); return NAME; }
[0-9]+        return NUMBER;
[(){};,]      return yytext[0];
[ \\n]+        ;
";

const PROGRAM: &str = "\
// what for?
alpha(1, 2);
if (beta) { gamma(delta(1), needle(3, 4), 5); epsilon(); }
zeta(beta, 17);
";

/// Interesting: it has the needle, and its brackets are balanced.
const TEST: &str =
    "grep -q needle \"$1\" && [ \"$(tr -cd '({' < \"$1\" | wc -c)\" = \"$(tr -cd ')}' < \"$1\" | wc -c)\" ]";

const WITH: [&str; 4] = ["--yacc", "calls.y", "--lex", "calls.l"];

fn place() -> Place {
    let place = Place::new("program.calls", PROGRAM);
    place.write("calls.y", GRAMMAR);
    place.write("calls.l", LEXER);
    place.script(TEST);
    place
}

fn nub(place: &Place, args: &[&str]) -> String {
    place.nub_ok(&[&WITH[..], args, &["./test.sh", "program.calls"]].concat());
    String::from_utf8(place.read("program.calls")).unwrap()
}

#[test]
fn an_input_is_reduced_by_yacc_and_lex() {
    let place = self::place();
    let ran = place.nub_ok(&[&WITH[..], &["-j2", "--json", "./test.sh", "program.calls"]].concat());
    assert_eq!(ran.events()[0]["language"].as_str(), Some("calls"));
    assert_eq!(place.read("program.calls"), b"needle");
    for algorithm in ["hdd*", "hoistr*+hddhr*"] {
        let result = nub(&self::place(), &["--algorithm", algorithm]);
        assert!(result.contains("needle") && result.len() < PROGRAM.len() / 2, "{algorithm}: {result}");
    }
    let hoisted = nub(&self::place(), &["--algorithm", "hoistr*+hddhr*"]);
    assert_eq!(hoisted.trim(), "needle();");
}

#[test]
fn one_file_is_enough() {
    let place = place();
    let tokens = "%%\nIF : \"if\"\nNAME : \"[a-z]+\"\nNUMBER : \"[0-9]+\" \"0\"\nSKIP : \"[ \\n]+|//[^\\n]*\"\n";
    place.write("one.y", format!("{GRAMMAR}{tokens}"));
    let args = ["--yacc", "one.y", "--algorithm", "hoistr*+hddhr*", "./test.sh", "program.calls"];
    let ran = place.nub(&args);
    assert_eq!(ran.code(), 0, "{}", ran.stderr);
    assert_eq!(String::from_utf8(place.read("program.calls")).unwrap().trim(), "needle();");
}

#[test]
fn the_result_is_the_same_for_any_number_of_jobs() {
    let results = ["-j1", "-j5"].map(|jobs| nub(&place(), &[jobs]));
    assert_eq!(results[0], results[1]);
}

#[test]
fn an_input_with_errors_is_still_reduced() {
    let place = place();
    place.script("grep -q needle \"$1\"");
    place.write("program.calls", "if ) alpha needle(((; \u{1F600} }} \n rest");
    let ran = place.nub_ok(&[&WITH[..], &["./test.sh", "program.calls"]].concat());
    assert!(ran.stderr.contains("syntax errors for the grammar calls"), "{}", ran.stderr);
    assert_eq!(place.read("program.calls"), b"needle");
}

#[test]
fn hidden_tokens_are_removed_one_by_one() {
    let place = place();
    place.write("program.calls", "// one\n// two\n// three\nalpha();\n");
    place.script("grep -q two \"$1\" && grep -q 'alpha()' \"$1\"");
    let result = nub(&place, &["--algorithm", "largest"]);
    assert_eq!(result.trim(), "// two\nalpha();");
}

#[test]
fn trees_are_printed() {
    let place = place();
    place.write("small.calls", "f(1);");
    let ran = place.nub_ok(&[&["parse"], &WITH[..], &["--tree", "small.calls"]].concat());
    assert_eq!(ran.printed(), "(program (program) (statement (call f ( (arguments (argument 1)) )) ;))\n");
    let ran = place.nub_ok(&[&["parse"], &WITH[..], &["small.calls"]].concat());
    assert!(ran.printed().starts_with("program"), "{}", ran.printed());
    let ran = place.nub_ok(&[&["parse"], &WITH[..], &["--start", "call", "program.calls"]].concat());
    assert!(ran.stderr.contains("syntax errors"), "{}", ran.stderr);
}

#[test]
fn a_grammar_is_checked() {
    let place = place();
    let ran = place.nub_ok(&[&["grammar", "check"], &WITH[..]].concat());
    assert!(ran.printed().contains("calls: 6 rules, 13 productions"), "{}", ran.printed());
    assert!(ran.printed().contains("0 shift/reduce and 0 reduce/reduce conflicts"), "{}", ran.printed());
    place.write("odd.y", "%token A ELSE IF\n%%\ns : IF s | IF s ELSE s | A ;\nlost : A ;\n%%\nint main(void) { }\n");
    let ran = place.nub_ok(&["grammar", "check", "--yacc", "odd.y"]);
    for part in ["lost", "shift/reduce conflict after `IF s`, before ELSE", "only the grammar was checked"] {
        assert!(ran.printed().contains(part), "{part}: {}", ran.printed());
    }
}

#[test]
fn a_run_cannot_be_resumed_with_another_grammar() {
    let place = place();
    place.write("journal.y", GRAMMAR);
    let args = ["--yacc", "journal.y", "--lex", "calls.l", "--journal", "j", "./test.sh", "program.calls"];
    place.nub_ok(&args);
    place.write("journal.y", GRAMMAR.replace("%expect 0", ""));
    let ran = place.nub(&[&args[..6], &["--resume"], &args[6..]].concat());
    assert_ne!(ran.code(), 0, "{}", ran.stderr);
}

#[test]
fn mistakes_are_explained() {
    let place = place();
    place.write("bad.y", "%%\ns : A missing ;\n");
    let run = |args: &[&str]| {
        let ran = place.nub(&[args, &["./test.sh", "program.calls"]].concat());
        assert_ne!(ran.code(), 0, "{args:?}");
        ran.stderr
    };
    let message = run(&["--yacc", "bad.y", "--lex", "calls.l"]);
    assert!(message.contains("bad.y:2:7: error: missing is used"), "{message}");
    let message = run(&["--yacc", "calls.y"]);
    assert!(message.contains("nothing says what the tokens look like") && message.contains("--lex"), "{message}");
    let message = run(&["--yacc", "none.y", "--lex", "calls.l"]);
    assert!(message.contains("none.y"), "{message}");
    let message = run(&[&WITH[..], &["--start", "programme"]].concat());
    assert!(message.contains("no rule \"programme\"") && message.contains("statement"), "{message}");
    let message = run(&["--lex", "calls.l"]);
    assert!(message.contains("--lex needs --yacc"), "{message}");
    let message = run(&[&WITH[..], &["--predicates", "x"]].concat());
    assert!(message.contains("a YACC grammar has no predicates"), "{message}");
    let message = run(&[&WITH[..], &["--grammar", "x.g4"]].concat());
    assert!(message.contains("cannot be used with"), "{message}");
    assert_eq!(place.read("program.calls"), PROGRAM.as_bytes(), "nothing was changed");
}
