//! Inputs in languages that nub can parse.

mod common;

use common::Place;

const PROGRAM: &str = "\
int unused(int a, int b) { return a + b; }
struct point { int x; int y; };
int main(void) {
    struct point p = { 1, 2 };
    if (p.x) {
        while (p.y) { needle(p.x, \"text\"); p.y--; }
    }
    return unused(p.x, p.y);
}
";

#[test]
fn a_program_is_reduced_by_its_structure_in_fewer_tests() {
    let test = "grep -q needle \"$1\" && [ \"$(tr -cd '(' < \"$1\" | wc -c)\" = \"$(tr -cd ')' < \"$1\" | wc -c)\" ]";
    let run = |args: &[&str]| {
        let place = Place::new("input.c", PROGRAM);
        place.script(test);
        let ran = place.nub_ok(&[args, &["-j2", "--json", "./test.sh", "input.c"]].concat());
        let finish = ran.last("finish");
        let language = ran.events()[0]["language"].as_str().unwrap().to_owned();
        (language, finish["decisive"].as_u64().unwrap(), String::from_utf8(place.read("input.c")).unwrap())
    };
    let (language, tests, result) = run(&[]);
    assert_eq!((language.as_str(), result.as_str()), ("c", "needle"));
    let (language, text_tests, text_result) = run(&["--language", "none"]);
    assert_eq!(language, "text");
    assert!(text_result.contains("needle"));
    assert!(tests < text_tests, "{tests} decisions with the structure, {text_tests} without");
    assert_eq!(run(&["--language", "c"]).2, "needle");
    assert!(run(&["--algorithm", "hddr*"]).2.contains("needle"), "a tree algorithm by its name");
}

#[test]
fn the_result_is_the_same_for_any_number_of_jobs() {
    let results: Vec<Vec<u8>> = ["-j1", "-j2", "-j5"]
        .into_iter()
        .map(|jobs| {
            let place = Place::new("data.json", "{\"a\": [1, 2, {\"b\": null}], \"c\": \"needle\", \"d\": [[[]]]}\n");
            place.script("grep -q needle \"$1\" && grep -q '\\[' \"$1\"");
            place.nub_ok(&[jobs, "./test.sh", "data.json"]);
            place.read("data.json")
        })
        .collect();
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

#[test]
fn an_input_that_does_not_parse_is_still_reduced() {
    let place = Place::new("broken.js", "function f( { ) } ]] let x = ; needle (((\nif (1) { a(); }\n");
    place.script("grep -q needle \"$1\"");
    place.nub_ok(&["./test.sh", "broken.js"]);
    assert_eq!(place.read("broken.js"), b"needle");
}

#[test]
fn nub_says_how_much_of_an_input_it_does_not_understand() {
    let run = |args: &[&str], text: &str| {
        let place = Place::new("data.json", text);
        place.script("grep -q 7 \"$1\"");
        place.nub_ok(&[args, &["./test.sh", "data.json"]].concat())
    };
    let broken = "[1, }}, 7]";
    let note = "nub: note: 1 part of data.json (30.0 % of its bytes) is not valid json: it is reduced as a plain list";
    assert_eq!(run(&[], broken).stderr.lines().filter(|line| *line == note).count(), 1);
    for (args, text) in [(&["--quiet"][..], broken), (&["--language", "none"], broken), (&[], "[1, 7]")] {
        assert!(!run(args, text).stderr.contains("note:"), "{args:?}");
    }
    let events = run(&["--json"], broken).events();
    let noted: Vec<_> = events.iter().filter(|event| event["event"] == "note").collect();
    assert!(matches!(&noted[..], [event] if note.ends_with(event["message"].as_str().unwrap())), "{noted:?}");
}

#[test]
fn comments_can_be_removed_one_by_one() {
    let result = |hidden: &str| {
        let place = Place::new("input.c", "int a;\n/* long */ int needle;\n");
        place.script("grep -q 'int needle;' \"$1\"");
        place.nub_ok(&["--algorithm", "hddr*", "--hidden", hidden, "./test.sh", "input.c"]);
        String::from_utf8(place.read("input.c")).unwrap().trim().to_owned()
    };
    assert_eq!(result("gaps"), "/* long */ int needle;");
    assert_eq!(result("nodes"), "int needle;");
}

#[test]
fn unknown_names_are_wrong_usage() {
    let place = Place::new("input.txt", "a b c");
    place.script("true");
    for (args, said) in [
        (["--language", "klingon"], "nub languages"),
        (["--algorithm", "hddr*"], "--language"),
        (["--algorithm", "hdr"], "unknown algorithm"),
    ] {
        let ran = place.nub(&[&args[..], &["./test.sh", "input.txt"]].concat());
        assert_eq!(ran.code(), 2, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
        assert_eq!(place.read("input.txt"), b"a b c");
    }
}

#[test]
fn languages_and_trees_can_be_shown() {
    let place = Place::new("data.json", "[1, {\"a\": null}]");
    let languages = String::from_utf8(place.nub_ok(&["languages"]).stdout).unwrap();
    assert!(languages.lines().any(|line| line.starts_with("json ")), "{languages}");
    let tree = String::from_utf8(place.nub_ok(&["parse", "data.json"]).stdout).unwrap();
    assert!(tree.contains("number \"1\"  -> \"0\""), "{tree}");
    let json = place.nub_ok(&["parse", "--as", "json", "data.json"]).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((&json["name"], &json["end"]), (&"document".into(), &16.into()));
    let dot = String::from_utf8(place.nub_ok(&["parse", "--as", "dot", "data.json"]).stdout).unwrap();
    assert!(dot.starts_with("digraph") && dot.contains("n0 -> n1;"), "{dot}");
}

/// `NUB_UPDATE=1 cargo test -p nub --test languages` updates the table.
#[test]
fn the_documentation_lists_the_languages() {
    let place = Place::new("input", "");
    let listed = String::from_utf8(place.nub_ok(&["languages"]).stdout).unwrap();
    let row = |line: &str| {
        let (name, files) = line.split_once(' ').unwrap();
        format!("| {name} | {} |\n", files.trim())
    };
    let table = format!("\n| language | files |\n|---|---|\n{}\n", listed.lines().map(row).collect::<String>());
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/languages.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once("checked by a test -->\n").unwrap();
    let (written, after) = rest.split_once("<!-- end of languages -->").unwrap();
    if std::env::var_os("NUB_UPDATE").is_some() {
        let new = format!("{before}checked by a test -->\n{table}<!-- end of languages -->{after}");
        std::fs::write(&path, new).unwrap();
        return;
    }
    assert_eq!(written, table, "run NUB_UPDATE=1 cargo test -p nub --test languages");
}

const SWITCH: &str = "int unused; int main() { int a = 1; switch (a) { case 2: needle(3, 4); } return 0; }\n";

/// The result of reducing a program with these options, and the last event.
fn reduced(args: &[&str]) -> (String, serde_json::Value) {
    let place = Place::new("input.c", SWITCH);
    // Balanced braces, and a call in a block.
    place.script("grep -q 'needle(' \"$1\" && grep -q '{' \"$1\" && [ \"$(tr -cd '{' <\"$1\")\" = \"$(tr -cd '}' <\"$1\" | tr '}' '{')\" ]");
    let ran = place.nub_ok(&[args, &["-j2", "--json", "./test.sh", "input.c"]].concat());
    (String::from_utf8(place.read("input.c")).unwrap(), ran.last("finish"))
}

#[test]
fn the_result_is_formatted_unless_the_user_objects() {
    let (formatted, finish) = reduced(&[]);
    assert!(formatted.contains("\n    ") && formatted.ends_with("\n"), "{formatted:?}");
    assert_eq!(finish["bytes_after"], formatted.len());
    let (plain, _) = reduced(&["--no-format"]);
    assert!(!plain.trim_end().contains('\n'), "{plain:?}");
    let blanks = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert_eq!(blanks(&formatted), blanks(&plain));
}

#[test]
fn the_minimality_of_the_result_is_reported() {
    let (_, finish) = reduced(&[]);
    assert_eq!(finish["minimal"], serde_json::json!(["node", "token", "char"]));
    assert_eq!(finish["only_valid"], true);
    assert_eq!(reduced(&["--effort", "thorough"]).1["only_valid"], false);
    assert_eq!(reduced(&["--effort", "quick"]).1["minimal"], serde_json::json!([]));
    assert_eq!(reduced(&["--algorithm", "hddr*"]).1["minimal"], serde_json::json!(["node"]));
}

#[test]
fn less_effort_needs_fewer_tests() {
    let tests = |effort: &str| reduced(&["--effort", effort]).1["decisive"].as_u64().unwrap();
    let [quick, normal, thorough] = ["quick", "normal", "thorough"].map(tests);
    assert!(quick < normal && normal <= thorough, "{quick}, {normal}, {thorough}");
}

#[test]
fn steps_can_be_chosen() {
    let (result, _) = reduced(&["--passes", "blanks", "--no-format"]);
    assert!(result.contains("unused;int main"), "only blanks are removed: {result}");
    let (result, _) =
        reduced(&["--passes", "-identifiers,-merge,-smallest,-ddmin*,-tokens,-windows,-lower", "--no-format"]);
    assert!(result.contains("needle"), "{result}");
    let place = Place::new("input.c", SWITCH);
    place.script("true");
    place.nub(&["--passes", "blanks", "--granularity", "line", "./test.sh", "input.c"]).expect(2);
    let ran = place.nub(&["--passes", "blanks,spaces", "./test.sh", "input.c"]);
    ran.expect(2);
    assert!(ran.stderr.contains("no pass \"spaces\"") && ran.stderr.contains("largest"), "{}", ran.stderr);
}
