//! Largest first and the passes, on trees of real parsers.
#![cfg(all(feature = "c", feature = "json", feature = "javascript"))]

use nub_core::{
    Analyse, Closures, Granularity, LargestFirst, ListAlgorithm, Search, Smaller, Stage, Stages, Structure, TextPhase,
    TextSearch, Valid, drive,
    passes::{PASSES, PassSearch},
};
use nub_syntax::treesitter::{Analyser, Hidden, language};
use std::sync::Arc;

fn analyser(name: &str) -> Analyser {
    Analyser { language: language(name).unwrap(), hidden: Hidden::default() }
}

fn analyse(name: &str, text: &str) -> Arc<dyn Structure> {
    analyser(name).analyse(text.as_bytes()).unwrap()
}

/// Drives a search to its end; returns the result and the candidates, in order.
fn run<S: Search<Proposal = nub_core::Edit>>(mut search: S, test: impl Fn(&str) -> bool) -> (String, Vec<String>) {
    let text = |edit: &nub_core::Edit| String::from_utf8(edit.content.to_vec()).unwrap();
    let mut asked = vec![];
    drive(&mut search, |candidate| {
        asked.push(text(&candidate.what));
        test(asked.last().unwrap())
    });
    (text(&search.current()), asked)
}

fn largest(name: &str, text: &str, test: impl Fn(&str) -> bool) -> (String, Vec<String>) {
    run(Smaller::new(LargestFirst::new(analyse(name, text))), test)
}

/// What one pass makes of a text, in how many tests.
fn pass(name: &str, language: &str, text: &str, test: impl Fn(&str) -> bool) -> (String, usize) {
    let pass = PASSES.into_iter().find(|pass| pass.name == name).unwrap();
    let (result, asked) = run(Smaller::new(PassSearch::new(pass, analyse(language, text))), test);
    (result, asked.len())
}

#[test]
fn elements_go_with_their_separators() {
    let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    for (needed, expected) in [("1", "[1]"), ("2", "[ 2]"), ("3", "[ 3]")] {
        let (result, asked) = largest("json", "[1, 2, 3]", |text| text.starts_with('[') && text.contains(needed));
        assert_eq!(result, expected);
        assert!(asked.iter().all(|text| is_json(text)), "{asked:?}");
    }
}

#[test]
fn the_largest_part_is_tried_first() {
    let large = "x".repeat(100);
    let text = format!("{{\"a\": [1, 2], \"b\": \"{large}\", \"c\": 3}}");
    let (result, asked) = largest("json", &text, |text| text.contains("\"a\"") && text.contains('2'));
    assert_eq!(result, "{\"a\": 2}");
    let gone = asked.iter().position(|text| !text.contains(&large) && text.contains('2')).unwrap();
    assert!(gone < 6, "{asked:?}");
}

#[test]
fn a_body_takes_the_place_of_its_statement() {
    let (result, _) = largest("c", "int main() { if (x) { puts(\"hi\"); } return 0; }", |text| {
        text.contains("main") && text.contains("puts(\"hi\");")
    });
    assert!(!result.contains("if") && !result.contains("return"), "{result}");
}

#[test]
fn names_become_short_everywhere_in_one_test() {
    let text = "int counter; int next() { return counter + first; }";
    let (result, tests) = pass("identifiers", "c", text, |_| true);
    assert_eq!(result, "int a; int b() { return a + c; }");
    assert_eq!(tests, 1);
    let (result, _) = pass("identifiers", "c", text, |text| text.contains("next"));
    assert_eq!(result, "int a; int next() { return a + c; }");
}

#[test]
fn numbers_become_zero() {
    assert_eq!(pass("numbers", "c", "int a = 17, b = 0x2a;", |_| true), ("int a = 0, b = 0;".to_owned(), 1));
}

#[test]
fn equal_strings_become_empty_together() {
    let text = "f(\"abc\", \"abc\", \"x\");";
    let (result, _) = pass("strings", "c", text, |text| text.contains('x'));
    assert_eq!(result, "f(\"\", \"\", \"x\");");
    let (result, _) = pass("strings", "c", text, |text| text.matches("abc").count() != 1 && text.contains("\"\""));
    assert_eq!(result, "f(\"\", \"\", \"\");");
}

#[test]
fn blanks_go_where_tokens_stay_apart() {
    let (result, tests) = pass("blanks", "c", "int  a ;\n\n/* why */ int b ;\n", |_| true);
    assert_eq!(result, "int a;int b;");
    assert_eq!(tests, 1);
}

#[test]
fn a_type_takes_the_place_of_its_alias() {
    let text = "typedef int number; number a; number b;";
    let (result, _) = pass("inline", "c", text, |text| !text.contains("typedef") || text.contains("int number"));
    assert_eq!(result.trim(), "int a; int b;");
}

#[test]
fn names_of_a_kind_become_one() {
    let (result, _) = pass("merge", "c", "typedef int t; typedef int u; t a; u b; t c;", |_| true);
    assert!(!result.contains('u'), "{result}");
}

#[test]
fn blocks_in_blocks_are_unwrapped() {
    let (result, _) = pass("unwrap", "c", "void f() { { a(); b(); } }", |text| text.contains("f("));
    assert_eq!(result, "void f() { a(); b(); }");
}

#[test]
fn brackets_go_in_pairs() {
    let (result, _) = pass("pairs", "c", "int a = ((1) + (b));", |text| !text.contains("1)+"));
    assert_eq!(result, "int a =1 +b;");
}

#[test]
fn everything_that_mentions_a_name_goes_at_once() {
    let text = "int a; int b; void f() { a = 1; b = 2; a = 3; }";
    // Neither the declaration nor an assignment can go alone.
    let declared = |text: &str| text.contains("int a;") == text.contains("a = 1;");
    let all_or_none = |text: &str| text.contains("a = 1;") == text.contains("a = 3;");
    let test = |text: &str| declared(text) && all_or_none(text) && text.contains("b = 2;") && text.contains("int b;");
    let (result, _) = pass("mentions", "c", text, test);
    assert!(!result.contains('a'), "{result}");
}

#[test]
fn a_parameter_goes_with_its_arguments() {
    let text = "int f(int a, int b) { return a; } int g() { return f(1, 2) + f(3, 4); }";
    let commas = |text: &str| text.matches(',').count();
    let test = |text: &str| [0, 3].contains(&commas(text)) && text.contains("int a") && text.contains("f(3");
    let (result, _) = pass("parameters", "c", text, test);
    assert_eq!(result, "int f(int a) { return a; } int g() { return f(1) + f(3); }");
}

#[test]
fn the_smallest_text_that_fits_takes_the_place_of_nodes() {
    let text = "int a = f(1, 2) + g(3) * 7; int b = 0;";
    let (result, tests) = pass("smallest", "c", text, |text| text.contains("int b"));
    assert!(!result.contains('f') && !result.contains('g'), "{result}");
    assert!(tests < 10, "{tests}");
}

#[test]
fn a_default_takes_the_place_of_a_name() {
    let text = "int a; int b() { return a + 0; }";
    let (result, _) = pass("inline", "c", text, |text| !text.contains("int a") && text.contains("return"));
    assert_eq!(result.trim(), "int b() { return 0 + 0; }");
}

#[test]
fn runs_of_tokens_go() {
    let (result, _) = pass("windows", "c", "int a = 1 + 2 ;", |text| text.contains("int a") && text.contains(';'));
    assert_eq!(result, "int a ;");
    let (result, _) = pass("combinations", "c", "a ( b , c ) ;", |text| text.contains('b') && text.contains(';'));
    assert!(!result.contains('('), "{result}");
    let (result, _) = pass("combinations", "c", "( b ) ;", |text| text.contains("b ;"));
    assert_eq!(result.trim(), "b ;", "also at the end");
}

#[test]
fn digits_and_characters_become_the_least_that_will_do() {
    let is_type = |text: &str| text.starts_with("int8_t a") || text.starts_with("int64_t a");
    assert_eq!(pass("digits", "c", "int64_t a;", is_type).0, "int8_t a;");
    let (result, _) = pass("lower", "json", "[123, 45]", |text| text.contains("5]") && text.starts_with('['));
    assert_eq!(result, "[      5]");
}

#[test]
fn what_is_refused_first_is_tried_another_way() {
    let text = "int a = 17, b = 23;";
    let (result, _) = pass("numbers", "c", text, |text| !text.contains("b = 0"));
    assert_eq!(result, "int a = 0, b = 1;");
}

#[test]
fn closures_keep_definitions_with_their_uses() {
    let function = |i: usize| {
        let call = if i == 0 { "0".to_owned() } else { format!("f{}()", i / 2) };
        format!("int f{i}() {{ int local = {i}; return local + {call}; }}\n")
    };
    let text: String = (0..100).map(function).collect();
    // What compiles: every function that is called is there.
    let compiles =
        |text: &str| (0..100).all(|i| !text.contains(&format!("f{i}();")) || text.contains(&format!("int f{i}() {{")));
    let test = |text: &str| compiles(text) && text.contains("int f80() {");
    let (result, asked) = run(Closures::new(analyse("c", &text)).unwrap(), test);
    let left: Vec<usize> = (0..100).filter(|i| result.contains(&format!("int f{i}() {{"))).collect();
    assert_eq!(left, [0, 1, 2, 5, 10, 20, 40, 80], "{result}");
    assert!(asked.len() < 12, "{}", asked.len());
    assert!(Closures::new(analyse("c", "int a;")).is_none(), "nothing to gain");
}

#[test]
fn a_stage_that_gets_nowhere_gives_way_and_has_its_way_in_the_end() {
    // Of three hundred elements nothing can go until the number has become 0, which is tried after them.
    let elements: String = (0..300).map(|i| format!("\"{i}\", ")).collect();
    let text = format!("[{elements}99]");
    let test = |text: &str| text.contains("\"150\"") && (text.contains(" 0]") || text.matches('"').count() == 600);
    let analyser: Arc<dyn Analyse> = Arc::new(analyser("json"));
    let numbers = PASSES.into_iter().find(|pass| pass.name == "numbers").unwrap();
    let stages = [Stage::Largest(Arc::clone(&analyser)), Stage::Pass(numbers, analyser), Stage::Again];
    let (result, asked) = run(Stages::new(stages.to_vec(), text.as_bytes()), test);
    assert!(!result.contains("\"149\"") && result.contains("\"150\""), "{result}");
    let zero = asked.iter().position(|text| text.contains(" 0]")).unwrap();
    assert!((100..200).contains(&zero), "{zero}");
}

#[test]
fn results_are_formatted() {
    let formatted =
        |language, text| nub_core::formatted(&*analyse(language, text)).map(|text| String::from_utf8(text).unwrap());
    let text = "struct a{};int b(){for(;c;){d(1,2);}return 0;}";
    let expected = "struct a {};\nint b() {\n    for(;c;) {\n        d(1, 2);\n    }\n    return 0;\n}\n";
    assert_eq!(formatted("c", text).as_deref(), Some(expected));
    assert_eq!(formatted("c", expected), None, "it is as it should be");
    assert_eq!(formatted("c", "#include <a.h>\nint b;"), None);
    assert_eq!(formatted("c", "#include <a.h>\nint b;b;").as_deref(), Some("#include <a.h>\nint b;\nb;\n"));
    assert_eq!(formatted("c", "int b;/* needed */"), None);
    #[cfg(feature = "python")]
    assert_eq!(formatted("python", "a;b"), None, "line breaks mean something");
}

/// The passes and the search they belong to, again and again: the end is a fixed point, and everything that is asked
/// about on the way is smaller than what was there before.
#[test]
fn rounds_end_in_a_fixed_point() {
    let analyser: Arc<dyn Analyse> = Arc::new(analyser("javascript"));
    let mut stages = vec![Stage::Largest(Arc::clone(&analyser))];
    stages.extend(PASSES.into_iter().map(|pass| Stage::Pass(pass, Arc::clone(&analyser))));
    stages.push(Stage::Again);
    let text = "function first(value, other) { let result = value + 10; return result; }\n\
                class Unused { method() { return 1; } }\n\
                for (const item of [1, 2, 3]) { if (item > 1) { console.log(first(item, item)); } }\n";
    let test = |text: &str| text.contains("log(") && text.contains("item") && text.contains("return");
    let (result, asked) = run(Stages::new(stages.clone(), text.as_bytes()), test);
    assert!(test(&result) && result.len() < text.len() / 2, "{result}");
    assert!(asked.iter().all(|text| !text.is_empty() || !test(text)));
    let (again, _) = run(Stages::new(stages, result.as_bytes()), test);
    assert_eq!(again, result);
}

/// What a pass has done may make room for what was refused before.
#[test]
fn another_round_uses_what_the_passes_have_done() {
    let analyser: Arc<dyn Analyse> = Arc::new(analyser("c"));
    let numbers = PASSES.into_iter().find(|pass| pass.name == "numbers").unwrap();
    let once = [Stage::Largest(Arc::clone(&analyser)), Stage::Pass(numbers, analyser)];
    let again = [&once[..], &[Stage::Again]].concat();
    let test = |text: &str| text.contains("b(0)") || text.contains("a()") && text.contains("b(17)");
    let result = |stages: &[Stage]| run(Stages::new(stages.to_vec(), *b"void f() { a(); b(17); }"), test).0;
    assert!(result(&once).contains("a()"));
    assert!(!result(&again).contains("a()"));
}

#[test]
fn what_does_not_parse_is_a_plain_list() {
    let test = |text: &str| ["f()", "1", "x"].iter().all(|part| text.contains(part));
    let (result, _) = largest("c", "int f() { a(1 ] 2 [ 3; x }", test);
    assert_eq!(result.split_whitespace().collect::<String>(), "intf(){1x}");
}

/// A test that takes only JSON is not asked about anything else for long; one that takes anything is.
#[test]
fn invalid_candidates_are_left_out_if_they_are_refused() {
    let text = "{\"a\": [1, 2, [3, 4, {\"needle\": 5}]], \"b\": {\"c\": [6, 7, 8, 9]}, \"d\": [[], [], {}]}";
    let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    let algorithm = ListAlgorithm { star: true, ..ListAlgorithm::default() };
    let passes = [TextPhase { granularity: Granularity::Token, algorithm }];
    let search = || TextSearch::new(passes, text.as_bytes());
    let valid = || Valid::new(search(), Some(analyse("json", text)));
    let strict = |text: &str| is_json(text) && text.contains("needle");
    let (result, asked) = run(valid(), strict);
    let (plain_result, plain_asked) = run(search(), strict);
    assert_eq!(result, plain_result);
    let invalid = asked.iter().filter(|text| !is_json(text)).count();
    assert!(invalid < 40 && 2 * asked.len() < plain_asked.len(), "{invalid} of {}; {}", asked.len(), plain_asked.len());
    let lenient = |text: &str| ["2", "needle", "6", "9", "[]"].iter().all(|part| text.contains(part));
    let (result, asked) = run(search(), lenient);
    assert!(asked.iter().filter(|text| !is_json(text) && !lenient(text)).count() > 30, "it has to be patient");
    assert_eq!(run(valid(), lenient), (result, asked));
}

/// Brackets that only go together, and that no part of a list of tokens consists of.
#[test]
fn runs_that_do_not_parse_are_tried_if_single_tokens_have_gone() {
    let analyser: Arc<dyn Analyse> = Arc::new(analyser("c"));
    let pass = TextPhase { granularity: Granularity::Token, algorithm: ListAlgorithm::default() };
    let windows = PASSES.into_iter().find(|pass| pass.name == "windows").unwrap();
    let tokens = [Stage::AllText([pass].into(), Arc::clone(&analyser))];
    let all = [&tokens[..], &[Stage::AllPass(windows, analyser)]].concat();
    let interesting = ["a;b();c;d x", "a;b();c;d", "a;b;c;d"];
    let result = |stages: &[Stage], input: &str| {
        let (result, _) =
            run(Stages::new(stages.to_vec(), input.as_bytes()), |text| interesting.contains(&text.trim()));
        result.trim().to_owned()
    };
    assert_eq!(result(&tokens, "a;b();c;d"), "a;b();c;d");
    // The test has not accepted anything, so nobody asks.
    assert_eq!(result(&all, "a;b();c;d"), "a;b();c;d");
    assert_eq!(result(&tokens, "a;b();c;d x"), "a;b();c;d");
    assert_eq!(result(&all, "a;b();c;d x"), "a;b;c;d");
}
