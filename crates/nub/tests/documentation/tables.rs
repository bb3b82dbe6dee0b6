//! Tables and excerpts in the documentation that have their source elsewhere: in the code, in manifests, in results.

use crate::{
    markdown::{Page, root},
    sandbox::{Sandbox, agrees},
    update,
};
use serde_json::Value;
use std::{collections::BTreeSet, fmt::Write as _, fs, process::Command, slice};

/// What is between two comments of a page must be this.
#[track_caller]
fn check_part(path: &str, begin: &str, end: &str, expected: &str) {
    let part = |text: &str| {
        let (before, rest) = text.split_once(begin).unwrap_or_else(|| panic!("{path} has no {begin:?}"));
        let (part, after) = rest.split_once(end).unwrap_or_else(|| panic!("{path} has no {end:?} after {begin:?}"));
        [before, part, after].map(str::to_owned)
    };
    let [_, written, _] = part(&Page::read(path).text);
    let rewrite = |text: &str| {
        let [before, _, after] = part(text);
        format!("{before}{begin}{expected}{end}{after}")
    };
    if written != expected && !update(path, rewrite) {
        assert_eq!(written, expected, "{path}: run NUB_UPDATE=1 cargo test -p nub --test documentation");
    }
}

fn nub(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_nub")).args(args).output().unwrap();
    assert!(output.status.success(), "nub {args:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What the cases are about, for people.
const CASES: [(&str, &str); 10] = [
    ("c-gcc12-maybe-uninit", "C: gcc 12 warns about a variable"),
    ("c-splint-internal-bug", "C: splint has an internal bug"),
    ("json-jq16-number", "JSON: jq changes a number"),
    ("py-ruff-panic", "Python: ruff panics"),
    ("rust-163-borrowck-ice", "Rust: the compiler crashes"),
    ("sql-duckdb-internal", "SQL: DuckDB has an internal error"),
    ("text-dpkg-status", "Text: dpkg refuses to remove a package"),
    ("ts-esbuild-expected-scope", "TypeScript: esbuild panics"),
    ("wasm-decompile-isname", "WebAssembly: a decompiler crashes"),
    ("xml-xpath-property", "XML: a query finds a match"),
];

const TOOLS: [(&str, &str); 5] = [
    ("creduce", "C-Reduce"),
    ("cvise", "C-Vise"),
    ("picire", "Picire"),
    ("shrinkray", "Shrink Ray"),
    ("treereduce", "treereduce"),
];

#[test]
fn the_comparison_on_the_front_page_is_what_was_measured() {
    let runs: Vec<Value> = serde_json::from_str(&read("evaluation/results/peers.json")).unwrap();
    let number = |run: &Value, field: &str| run[field].as_u64().unwrap_or_else(|| panic!("{field} in {run}"));
    let measured: BTreeSet<&str> = runs.iter().filter_map(|run| run["case"].as_str()).collect();
    assert_eq!(measured, CASES.iter().map(|(case, _)| *case).collect(), "the cases of evaluation/results/peers.json");
    let mut table = String::from(
        "\n| failure | before | nub | tests | time | best of the others | tests | time |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (case, about) in CASES {
        let of_case = || runs.iter().filter(|run| run["case"] == case);
        let nub = of_case().find(|run| run["tool"] == "nub").unwrap_or_else(|| panic!("no run of nub on {case}"));
        let others = of_case().filter(|run| run["tool"] != "nub" && run["failed"].is_null());
        let other = others.min_by_key(|run| (number(run, "size"), number(run, "tests"))).unwrap();
        let before = of_case().flat_map(|run| run["improvements"].as_array().into_iter().flatten());
        let before = before.filter_map(|step| step[2].as_u64()).max().unwrap();
        let tool = TOOLS.iter().find(|(name, _)| other["tool"] == *name).map(|(_, name)| name).unwrap();
        let other = match number(other, "size") < before {
            true => format!(
                "{} ({tool}) | {} | {}",
                grouped(number(other, "size")),
                grouped(number(other, "tests")),
                time(other)
            ),
            false => "nothing removed | |".to_owned(),
        };
        let (size, tests) = (grouped(number(nub, "size")), grouped(number(nub, "tests")));
        let link = format!("evaluation/results/peers.md#{case}");
        writeln!(table, "| [{about}]({link}) | {} | **{size}** | {tests} | {} | {other} |", grouped(before), time(nub))
            .unwrap();
    }
    check_part("README.md", "peers.json, checked by a test -->\n", "<!-- end of peers -->", &format!("{table}\n"));
}

/// `12345` as `12,345`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn time(run: &Value) -> String {
    let seconds = run["seconds"].as_f64().unwrap();
    let cut = if run["cut_off"] == true { "> " } else { "" };
    if seconds < 10.0 { format!("{cut}{seconds:.1} s") } else { format!("{cut}{seconds:.0} s") }
}

#[test]
fn the_passes_are_those_of_nub() {
    let listed = nub(&["passes"]);
    let rows = listed.lines().take_while(|line| !line.is_empty()).map(|line| {
        let (name, about) = line.split_once(' ').unwrap();
        format!("| `{name}` | {} |\n", about.trim())
    });
    let table = format!("\n| step | what it does |\n|---|---|\n{}\n", rows.collect::<String>());
    check_part("docs/passes.md", "`nub passes`, checked by a test -->\n", "<!-- end of passes -->", &table);
}

#[test]
fn the_pass_that_is_shown_is_a_pass() {
    let source = read("crates/nub-core/src/passes/numbers.rs");
    check_part("docs/passes.md", "checked by a test -->\n```rust\n", "```\n", &source);
}

#[test]
fn the_number_of_languages_is_right() {
    let count = nub(&["languages"]).lines().count();
    for (path, text) in [
        ("README.md", format!("[{count} languages]")),
        ("CHANGELOG.md", format!("**Languages.** {count} are built in")),
        ("docs/comparison.md", format!("| {count}, and any ANTLR or YACC grammar |")),
    ] {
        assert_says(path, &text);
    }
}

/// Where lines end does not matter.
#[track_caller]
fn assert_says(path: &str, text: &str) {
    let page = Page::read(path).text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains(text), "{path} does not say {text:?}");
}

#[test]
fn numbers_in_the_prose_are_those_of_the_results() {
    let tables: Value = serde_json::from_str(&read("evaluation/results/peers.tables.json")).unwrap();
    let goals = tables["goals"].as_array().unwrap();
    let measured: Vec<&str> = goals.iter().map(|goal| goal["measured"].as_str().unwrap()).collect();
    assert!(goals.iter().all(|goal| goal["met"] == true), "docs/comparison.md says that all goals are met");
    assert_eq!(measured, ["10 of 10", "10 of 10", "9 of 9", "10 of 10"], "docs/comparison.md says in how many cases");

    let runs: Vec<Value> = serde_json::from_str(&read("evaluation/results/peers.json")).unwrap();
    let run = |case: &str, tool: &str| runs.iter().find(|run| run["case"] == case && run["tool"] == tool).unwrap();
    let tests = |case: &str, tool: &str| grouped(run(case, tool)["tests"].as_u64().unwrap());
    let rust = "rust-163-borrowck-ice";
    assert_says("docs/comparison.md", &format!("nub needed {} tests", tests(rust, "nub")));
    assert_says("docs/comparison.md", &format!("Shrink Ray {} in the run that counts", tests(rust, "shrinkray")));
    let wasm = run("wasm-decompile-isname", "nub");
    let bytes = wasm["result"].as_str().unwrap().chars().count();
    assert_says("docs/languages.md", &format!("a module of {bytes} bytes in fewer than 700 tests"));
    assert!(wasm["tests"].as_u64().unwrap() < 700);

    let differential = read("crates/nub-antlr/DIFFERENTIAL.md");
    let (_, all) = differential.split_once("| **all** | ").unwrap();
    let numbers: Vec<&str> = all.split(" | ").collect();
    assert_eq!(numbers[2], "0", "nub-antlr has trees that differ from ANTLR's");
    assert_says("crates/nub-antlr/README.md", &format!("We compared {} files", numbers[0]));
    assert_says("crates/nub-antlr/README.md", &format!("{} of them have no syntax errors", numbers[1]));
    assert_says("docs/grammars.md", &format!("on all {} inputs without syntax errors", numbers[1]));
}

#[test]
fn the_exit_codes_are_those_of_the_help() {
    let codes = |lines: &str| -> BTreeSet<u32> {
        lines.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
    };
    let help = nub(&["--help"]);
    let (_, rest) = help.split_once("Exit codes:\n").expect("the help lists exit codes");
    let lines = rest.lines().take_while(|line| !line.is_empty()).map(first_column).collect::<Vec<_>>().join(" ");
    let page = Page::read("docs/tests.md").text;
    let (_, rest) = page.split_once("## Exit codes\n").unwrap();
    let rows: String = rest.lines().filter_map(|line| line.strip_prefix("| ")?.split('|').next()).collect();
    assert_eq!(codes(&rows), codes(&lines));
    assert!(codes(&rows).len() >= 9, "{rows}");
}

/// What is before the first gap of two blanks.
fn first_column(line: &str) -> &str {
    line.trim_start().split("  ").next().unwrap_or_default()
}

/// The names of the packages that a manifest depends on directly.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut names = vec![];
    let mut section = "";
    for line in manifest.lines() {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            // `[dependencies.NAME]`
            names.extend(section.split_once("dependencies.").map(|(_, name)| name.to_owned()));
        } else if section.ends_with("dependencies") && !line.starts_with('#') && line.contains('=') {
            let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c))).unwrap_or(line.len());
            names.extend(Some(line[..end].to_owned()).filter(|name| !name.is_empty()));
        }
    }
    names
}

#[test]
fn the_table_of_dependencies_is_complete() {
    let mut folders: Vec<String> = vec!["evaluation".to_owned(), "xtask".to_owned()];
    folders.extend(fs::read_dir(root().join("crates")).unwrap().map(|entry| {
        let name = entry.unwrap().file_name();
        format!("crates/{}", name.to_string_lossy())
    }));
    folders.retain(|folder| root().join(folder).join("Cargo.toml").is_file());
    assert!(folders.len() > 8, "{folders:?}");
    let manifests: Vec<String> = folders.iter().map(|folder| read(&format!("{folder}/Cargo.toml"))).collect();
    let own: BTreeSet<String> = manifests
        .iter()
        .filter_map(|manifest| {
            let (_, rest) = manifest.split_once("name = \"")?;
            Some(rest.split('"').next()?.to_owned())
        })
        .collect();
    let used: BTreeSet<String> = manifests
        .iter()
        .flat_map(|manifest| dependencies(manifest))
        .filter(|name| !own.contains(name) && !name.starts_with("tree-sitter-"))
        .collect();
    let page = Page::read("ARCHITECTURE.md").text;
    let (_, section) = page.split_once("## Dependencies\n").unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let told: BTreeSet<String> = rows
        .flat_map(|names| names.split('`').step_by(2).map(str::to_owned).collect::<Vec<_>>())
        .filter(|name| !name.is_empty())
        .collect();
    assert_eq!(told, used, "the table of dependencies in ARCHITECTURE.md (left) and the manifests (right)");
}

#[test]
fn dependencies_are_found_in_a_manifest() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\na.workspace = true\n# b = \"1\"\nc-d = { version = \"1\" }\n\n\
                    [dev-dependencies]\ne = \"1\"\n[target.'cfg(unix)'.dependencies]\nf = \"1\"\n[dependencies.g]\nversion = \"1\"\n[features]\nh = []\n";
    assert_eq!(dependencies(manifest), ["a", "c-d", "e", "f", "g"]);
}

#[test]
fn the_front_page_keeps_its_promise() {
    let readme = Page::read("README.md");
    let blocks = readme.blocks();
    let program = read("examples/c-gnu/input.c");
    assert!(readme.text.contains(&format!("{} lines in all", program.lines().count())), "how long the program is");
    // The excerpt is one.
    let mut lines = program.lines();
    let before = blocks.iter().find(|block| block.language == "c").unwrap();
    for line in before.lines.iter().filter(|line| !line.starts_with("/* ...")) {
        assert!(lines.any(|other| other == line), "examples/c-gnu/input.c has no line {line:?} there");
    }
    // The first command gives what is shown, twice.
    let sandbox = Sandbox::new(&[], &[]);
    let command =
        blocks.iter().find(|block| block.commands().iter().any(|line| line.starts_with("cargo run"))).unwrap();
    sandbox.run_commands(command).unwrap_or_else(|error| panic!("{error}"));
    let (_, result) = sandbox.run("cat small.c");
    let promised = blocks.iter().find(|block| block.language == "text").unwrap();
    assert_eq!(result, promised.lines.join("\n") + "\n");
    let after = blocks.iter().filter(|block| block.language == "c").nth(1).unwrap();
    assert_eq!(after.lines, promised.lines);
}

/// The picture contains its session as text.
#[test]
fn the_recorded_session_is_still_true() {
    let picture = read("docs/demo/demo.svg");
    let (_, rest) = picture.split_once("<desc>\n").unwrap();
    let (session, _) = rest.split_once("\n</desc>").unwrap();
    let session = session.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let lines: Vec<String> = session.lines().map(str::to_owned).collect();
    let sandbox = Sandbox::new(&[], &[]);
    let block = crate::markdown::Block { line: 0, language: "console".to_owned(), comments: vec![], lines };
    let script = format!("cd examples/c-gnu\n{}\n", "true");
    assert_eq!(sandbox.run(&script).0, Some(0));
    let mut inside = block.lines.clone();
    inside.insert(0, "$ cd examples/c-gnu".to_owned());
    let printed = sandbox.run_session(&crate::markdown::Block { lines: inside, ..block }).unwrap();
    let exchanges = crate::markdown::exchanges(&session.lines().map(str::to_owned).collect::<Vec<_>>());
    for ((command, shown), printed) in exchanges.iter().zip(&printed[1..]) {
        // On a terminal nub shows its progress in one line, and elsewhere in many. With several jobs, the number of tests
        // depends on chance.
        let is_shown =
            |line: &String| printed.iter().any(|other| agrees(slice::from_ref(line), slice::from_ref(other), true));
        let closing = |line: &&String| !line.starts_with("nub: time-out");
        let is_nub = command.starts_with("nub");
        let same = if is_nub { shown.iter().filter(closing).all(is_shown) } else { shown == printed };
        assert!(
            same,
            "`{command}` prints\n{}\nand docs/demo/demo.svg shows\n{}\nrun docs/demo/record",
            printed.join("\n"),
            shown.join("\n")
        );
    }
}
