//! Worked examples from the papers on trees of real parsers, with our own programs of the same shape.

#![cfg(all(feature = "c", feature = "javascript"))]

mod interpreter;

use interpreter::{Interpreter, Ran};
use nub_core::{
    HoistOrder, ListAlgorithm, Phase, Search, Smaller, Traversal, TreeSearch, drive,
    tree::{Spacing, prepare},
};
use nub_syntax::treesitter::{language, parse};
use std::{
    io::{self, Write},
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
};

/// The algorithm's result without blank lines.
fn reduce(algorithm: &str, name: &str, input: &str, mut is_interesting: impl FnMut(&str) -> bool) -> String {
    assert!(is_interesting(input), "{input}");
    let mut tree = parse(language(name).expect("built in"), input.as_bytes()).expect("it can be parsed").tree;
    prepare::all(&mut tree);
    let traversal = Traversal::Nodes { pop_first: false, append_reversed: false };
    let named = |name| Phase::named(name, ListAlgorithm::default(), HoistOrder::Preorder, traversal);
    let phases: Vec<Phase> = algorithm.split('+').flat_map(|name| named(name).expect("it is known")).collect();
    let mut search = Smaller::new(TreeSearch::new(phases, Arc::new(tree), Spacing::Original));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    drive(&mut search, |candidate| is_interesting(&text(candidate.what.content.to_vec())));
    let result = text(search.current().content.to_vec());
    result.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Vince, Hodován, Bársony and Kiss, *The effect of hoisting on variants of Hierarchical Delta Debugging*, Figures 3
/// and 4.
mod hello_world {
    use super::*;

    const INPUT: &str = "int main() {\n  if (1) {\n    printf(\"Hello world!\\n\");\n  }\n}\n";

    fn not_blank(text: &str) -> usize {
        text.chars().filter(|c| !c.is_whitespace()).count()
    }

    /// As in the paper, it need not declare the functions it calls, but `main` must have a return type.
    fn compiles_and_greets(program: &str) -> io::Result<bool> {
        let executable = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hello-{}", std::process::id()));
        let mut gcc = Command::new("gcc")
            .args(["-std=gnu11", "-Werror=implicit-int", "-x", "c", "-", "-o"])
            .arg(&executable)
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        gcc.stdin.take().expect("it is piped").write_all(program.as_bytes())?;
        if !gcc.wait()?.success() {
            return Ok(false);
        }
        let output = Command::new(&executable).output()?.stdout;
        std::fs::remove_file(&executable)?;
        Ok(output == b"Hello world!\n")
    }

    #[test]
    fn only_hoisting_removes_the_if() {
        if !nub_testing::program("gcc") {
            return;
        }
        let size = |algorithm| {
            let result = reduce(algorithm, "c", INPUT, |program| compiles_and_greets(program).expect("gcc runs"));
            (not_blank(&result), result)
        };
        assert_eq!(not_blank(INPUT), 42);
        let (hdd, result) = size("hdd*");
        assert_eq!(hdd, 42, "{result}");
        for algorithm in ["hoist*", "hoist*+hdd*", "hddhr*"] {
            let (hoisted, result) = size(algorithm);
            assert_eq!(hoisted, 35, "{algorithm}: {result}");
        }
    }
}

/// Figure 5 of the same paper: `outer` only passes on the result of `inner`.
mod nested_call {
    use super::*;

    const INPUT: &str = r#"
function inner(argument) {
  if (argument !== "supported") {
    throw new Error("unsupported");
  }
  return argument;
}
function outer(a, b, c) {
  return a + b + c;
}
print(outer("3", "14", inner(input)));
"#;

    #[test]
    fn only_hoisting_removes_the_outer_function() {
        let Some(mut interpreter) = Interpreter::start() else { return };
        let mut result = |algorithm| {
            reduce(algorithm, "javascript", INPUT, |program| {
                let Ran { thrown, .. } = interpreter.run(program, "supported");
                thrown.is_none() && interpreter.run(program, "other").thrown.as_deref() == Some("unsupported")
            })
        };
        for algorithm in ["hdd*", "hddr*"] {
            let result = result(algorithm);
            assert!(result.contains("function outer("), "{algorithm}: {result}");
        }
        for algorithm in ["hoist*+hdd*", "hddh*", "hddhr*", "hoistr*+hddhr*"] {
            let result = result(algorithm);
            assert!(!result.contains("outer"), "{algorithm}: {result}");
            assert!(result.contains("inner(input)"), "{algorithm}: {result}");
        }
    }
}

/// The program of the ddmin\* example (Vince, *Enhancements of Automated Test Case Reduction*, chapter 5) on a tree:
/// when the call of `add` is removed, its definition has already been tried. A second iteration pays off (Misherghi and
/// Su, *HDD: hierarchical delta debugging*, ICSE 2006, on HDD\*).
mod slicing {
    use super::*;

    const INPUT: &str = "
function add(a, b) { return a + b; }
function mul(a, b) { return a * b; }
let sum = 0;
let product = 1;
for (let i = 1; i <= 10; i++) { sum = add(sum, i); product = mul(product, i); }
print(sum);
print(product);
";

    #[test]
    fn a_second_iteration_removes_what_became_unused() {
        let Some(mut interpreter) = Interpreter::start() else { return };
        let mut result = |algorithm| {
            reduce(algorithm, "javascript", INPUT, |program| {
                let Ran { printed, thrown } = interpreter.run(program, "");
                thrown.is_none() && printed.lines().any(|line| line == "3628800")
            })
        };
        let once = result("hdd");
        assert!(once.contains("function add(") && !once.contains("sum = add("), "{once}");
        let star = result("hdd*");
        assert!(!star.contains("add") && star.contains("function mul("), "{star}");
        assert_eq!(star.lines().count(), 4, "{star}");
    }
}
