//! The user's own ANTLR grammars.

mod common;

use common::Place;

const GRAMMAR: &str = "\
grammar Calls;
program : statement* EOF ;
statement : call ';' | 'if' '(' NAME ')' block ;
block : '{' statement* '}' ;
call : NAME '(' (argument (',' argument)*)? ')' ;
argument : call | NAME | NUMBER ;
NAME : [a-z]+ ;
NUMBER : [0-9]+ ;
COMMENT : '//' ~[\\n]* -> channel(HIDDEN) ;
WS : [ \\n]+ -> skip ;
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

fn place() -> Place {
    let place = Place::new("program.calls", PROGRAM);
    place.write("Calls.g4", GRAMMAR);
    place.script(TEST);
    place
}

#[test]
fn an_input_is_reduced_by_the_grammar_of_the_user() {
    let run = |args: &[&str]| {
        let place = place();
        let ran = place.nub_ok(&[args, &["-j2", "--json", "./test.sh", "program.calls"]].concat());
        let language = ran.events()[0]["language"].as_str().unwrap().to_owned();
        let tests = ran.last("finish")["decisive"].as_u64().unwrap();
        (language, tests, String::from_utf8(place.read("program.calls")).unwrap())
    };
    let (language, tests, result) = run(&["--start", "program", "--grammar", "Calls.g4"]);
    assert_eq!((language.as_str(), result.as_str()), ("Calls", "needle"));
    let (_, text_tests, _) = run(&["--language", "none"]);
    assert!(tests < text_tests, "{tests} decisions with the grammar, {text_tests} without");
    let (_, _, hoisted) = run(&["--grammar", "Calls.g4", "--algorithm", "hoistr*+hddhr*"]);
    assert_eq!(hoisted.trim(), "needle();", "a tree algorithm by its name");
}

#[test]
fn the_result_is_the_same_for_any_number_of_jobs() {
    let results = ["-j1", "-j2", "-j5"].map(|jobs| {
        let place = place();
        place.nub_ok(&["--grammar", "Calls.g4", "--start", "program", jobs, "./test.sh", "program.calls"]);
        place.read("program.calls")
    });
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

#[test]
fn an_input_with_errors_is_still_reduced() {
    let place = place();
    place.script("grep -q needle \"$1\"");
    place.write("program.calls", "if ) alpha needle(((; \u{1F600} }} \n rest");
    let ran = place.nub_ok(&["--grammar", "Calls.g4", "--start", "program", "./test.sh", "program.calls"]);
    assert!(ran.stderr.contains("syntax errors for the grammar Calls"), "{}", ran.stderr);
    assert_eq!(place.read("program.calls"), b"needle");
}

#[test]
fn hidden_tokens_are_removed_one_by_one() {
    let place = place();
    place.write("program.calls", "// one\n// two\n// three\nalpha();\n");
    place.script("grep -q two \"$1\" && grep -q 'alpha()' \"$1\"");
    place.nub_ok(&["--grammar", "Calls.g4", "--algorithm", "largest", "./test.sh", "program.calls"]);
    assert_eq!(String::from_utf8(place.read("program.calls")).unwrap().trim(), "// two\nalpha();");
}

#[test]
fn trees_are_printed_as_antlr_prints_them() {
    let place = place();
    place.write("small.calls", "f(1);");
    let ran = place.nub_ok(&["parse", "--grammar", "Calls.g4", "--start", "program", "--tree", "small.calls"]);
    assert_eq!(ran.printed(), "(program (statement (call f ( (argument 1) )) ;) <EOF>)\n");
    let ran = place.nub_ok(&["parse", "--grammar", "Calls.g4", "small.calls"]);
    assert!(ran.printed().starts_with("program"), "{}", ran.printed());
}

#[test]
fn the_users_replacements_take_precedence() {
    let place = place();
    place.write("own.json", "{\"statement\": \"mine();\"}");
    let ran = place.nub_ok(&["parse", "--replacements", "own.json", "--grammar", "Calls.g4", "program.calls"]);
    assert!(ran.printed().contains("statement  -> \"mine();\""), "{}", ran.printed());
    place.write("own.json", "[]");
    let ran = place.nub(&["parse", "--replacements", "own.json", "--grammar", "Calls.g4", "program.calls"]);
    assert!(ran.code() != 0 && ran.stderr.contains("own.json"), "{}", ran.stderr);
}

#[test]
fn the_contents_of_a_token_can_have_their_own_grammar() {
    let place = place();
    place.write("Page.g4", "grammar Page; page : (TEXT | SCRIPT)* EOF ; SCRIPT : '<' ~'>'* '>' ; TEXT : ~'<'+ ;");
    place.write(
        "page.json",
        r#"{"start": "page:page", "grammars": {
            "page": {"files": ["Page.g4"], "islands": {"SCRIPT": "<(?P<calls:program>.*)>"}},
            "calls": {"files": ["Calls.g4"]}}}"#,
    );
    place.write("input.page", "before <alpha(1); gamma(needle(3), 5);> after");
    let ran = place.nub_ok(&["parse", "--format", "page.json", "input.page"]);
    assert!(ran.printed().contains("call"), "{}", ran.printed());
    let args = ["--format", "page.json", "--algorithm", "hoistr*+hddhr*", "./test.sh", "input.page"];
    place.nub_ok(&args);
    let result = String::from_utf8(place.read("input.page")).unwrap();
    assert!(result.contains("needle()") && result.len() < 15, "{result}");
}

#[test]
fn a_grammar_is_checked() {
    let place = place();
    let ran = place.nub_ok(&["grammar", "check", "Calls.g4", "--start", "program"]);
    assert!(ran.printed().contains("Calls: 5 parser rules"), "{}", ran.printed());
    place.write("Odd.g4", "grammar Odd; s : A ; lost : B ; A : 'a' ; B : 'b' {helper()}? ; endless : A endless ;");
    let ran = place.nub_ok(&["grammar", "check", "Odd.g4", "--start", "s"]);
    for part in ["lost", "endless", "helper()"] {
        assert!(ran.printed().contains(part), "{part}: {}", ran.printed());
    }
}

#[test]
fn mistakes_are_explained() {
    let place = place();
    place.write("Bad.g4", "grammar Bad;\ns : A missing ;\nA : 'a' ;\n");
    let run = |args: &[&str]| {
        let ran = place.nub(&[args, &["./test.sh", "program.calls"]].concat());
        assert_ne!(ran.code(), 0, "{args:?}");
        ran.stderr
    };
    let message = run(&["--grammar", "Bad.g4"]);
    assert!(message.contains("Bad.g4:2:") && message.contains("missing"), "{message}");
    let message = run(&["--grammar", "Calls.g4", "--start", "programme"]);
    assert!(message.contains("no parser rule \"programme\"") && message.contains("statement"), "{message}");
    let message = run(&["--grammar", "None.g4"]);
    assert!(message.contains("None.g4"), "{message}");
    let message = run(&["--start", "program"]);
    assert!(message.contains("need a grammar"), "{message}");
    assert_eq!(place.read("program.calls"), PROGRAM.as_bytes(), "nothing was changed");
}
