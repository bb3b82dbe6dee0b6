//! ddmin\* on a program: the example of Vince, *Enhancements of Automated Test Case Reduction*, chapter 5, in our own
//! words.
//!
//! A program computes a sum and a product with one helper each, and only the product is of interest. When ddmin gets
//! rid of the call of `add`, it is down to single lines, and a function of four lines can only go as a whole.

use nub_core::{
    Content, Granularity, ListAlgorithm, ListMinimizer, ListSettings, Search, TextPhase, TextSearch, drive,
};
use std::{
    io::{self, Write},
    path::Path,
    process::{Command, Stdio},
};

/// Every brace on a line of its own.
const TALL: &str = r#"#include <stdio.h>
int add(int a, int b)
{
    return a + b;
}
int mul(int a, int b)
{
    return a * b;
}
int main(void)
{
    int sum = 0;
    int prod = 1;
    for (int i = 1; i <= 10; i++)
    {
        sum = add(sum, i);
        prod = mul(prod, i);
    }
    printf("sum %d\n", sum);
    printf("prod %d\n", prod);
    return 0;
}
"#;

/// The same program, with each helper on one line.
fn flat() -> String {
    ["+", "*"].iter().fold(TALL.to_owned(), |program, operator| {
        program.replace(&format!("\n{{\n    return a {operator} b;\n}}"), &format!(" {{ return a {operator} b; }}"))
    })
}

/// The largest part of `TALL` that one ddmin leaves, and what is left of it without the helper that nobody calls.
const WITH_ADD: &str = r#"int add(int a, int b)
{
    return a + b;
}
int mul(int a, int b)
{
    return a * b;
}
int main(void)
{
    int prod = 1;
    for (int i = 1; i <= 10; i++)
    {
        prod = mul(prod, i);
    }
    printf("prod %d\n", prod);
}
"#;

fn without_add() -> String {
    WITH_ADD.lines().skip(4).flat_map(|line| [line, "\n"]).collect()
}

fn minimize(program: &str, star: bool, mut is_interesting: impl FnMut(&str) -> bool) -> String {
    let algorithm = ListAlgorithm { minimizer: ListMinimizer::Ddmin, star, settings: ListSettings::default() };
    let mut search = TextSearch::new([TextPhase { granularity: Granularity::Line, algorithm }], program.as_bytes());
    let text = |content: &dyn Content| String::from_utf8(content.to_vec()).unwrap();
    drive(&mut search, |candidate| is_interesting(&text(&*candidate.what.content)));
    text(&*search.current().content)
}

#[test]
fn one_ddmin_leaves_the_unused_helper_behind() {
    assert_eq!(minimize(TALL, false, compiles_and_prints_the_product), WITH_ADD);
}

#[test]
fn ddmin_star_removes_it() {
    assert_eq!(minimize(TALL, true, compiles_and_prints_the_product), without_add());
}

#[test]
fn a_helper_on_one_line_needs_no_second_iteration() {
    let once = minimize(&flat(), false, compiles_and_prints_the_product);
    assert_eq!(once, minimize(&flat(), true, compiles_and_prints_the_product));
    assert!(once.starts_with("int mul(int a, int b) { return a * b; }\nint main(void)\n"), "{once}");
}

/// The model below says what a real compiler says: about the input, about both results, and about everything that is
/// one line shorter, which makes the results 1-minimal in reality.
#[test]
fn a_real_compiler_agrees() {
    if let Err(error) = Command::new("gcc").arg("--version").stdout(Stdio::null()).status() {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "cannot run gcc: {error}");
        eprintln!("skipped: cannot run gcc: {error}");
        return;
    }
    let mut interesting = vec![];
    for program in [WITH_ADD, &without_add()] {
        let lines: Vec<&str> = program.split_inclusive('\n').collect();
        let shorter = (0..lines.len()).map(|i| [&lines[..i], &lines[i + 1..]].concat().concat());
        for candidate in shorter.chain([program.to_owned()]) {
            let outcome = gcc_compiles_and_it_prints_the_product(&candidate).unwrap();
            assert_eq!(compiles_and_prints_the_product(&candidate), outcome, "{candidate}");
            interesting.extend(outcome.then_some(candidate));
        }
    }
    assert_eq!(interesting, [WITH_ADD, &without_add()]);
    assert!(gcc_compiles_and_it_prints_the_product(TALL).unwrap());
    assert!(gcc_compiles_and_it_prints_the_product(&flat()).unwrap());
}

/// A function that forgets to return its result is an error here, as in most projects.
fn gcc_compiles_and_it_prints_the_product(program: &str) -> io::Result<bool> {
    let executable = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("product-{}", std::process::id()));
    let mut gcc = Command::new("gcc")
        .args(["-Werror=return-type", "-x", "c", "-", "-o"])
        .arg(&executable)
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    gcc.stdin.take().unwrap().write_all(program.as_bytes())?;
    if !gcc.wait()?.success() {
        return Ok(false);
    }
    let output = Command::new(&executable).output()?.stdout;
    std::fs::remove_file(&executable)?;
    Ok(output.windows(7).any(|window| window == b"3628800"))
}

/// What gcc says about any selection of the lines of our programs, in a millionth of the time.
fn compiles_and_prints_the_product(program: &str) -> bool {
    let braces = program.replace('{', "\n{\n").replace('}', "\n}\n");
    let pieces: Vec<&str> = braces.lines().map(str::trim).filter(|piece| !piece.is_empty()).collect();
    printed_numbers(&mut pieces.into_iter().peekable()).is_some_and(|numbers| numbers.contains(&3_628_800))
}

type Pieces<'a> = std::iter::Peekable<std::vec::IntoIter<&'a str>>;
type Function = fn(i64, i64) -> i64;

/// What the program prints; `None` if it does not compile.
fn printed_numbers(pieces: &mut Pieces<'_>) -> Option<Vec<i64>> {
    let mut main = Main::default();
    loop {
        match pieces.next()? {
            "#include <stdio.h>" => {}
            "int add(int a, int b)" => main.add = Some(helper(pieces)?),
            "int mul(int a, int b)" => main.mul = Some(helper(pieces)?),
            "int main(void)" => break,
            _ => return None,
        }
    }
    main.block(pieces)?;
    // Main is the last function: nothing may follow.
    pieces.next().is_none().then_some(main.printed)
}

/// The body of a helper, which must return something and can do nothing else.
fn helper(pieces: &mut Pieces<'_>) -> Option<Function> {
    let mut result: Option<Function> = None;
    pieces.next_if_eq(&"{")?;
    loop {
        match pieces.next()? {
            "return a + b;" => result = result.or(Some(|a, b| a + b)),
            "return a * b;" => result = result.or(Some(|a, b| a * b)),
            "}" => return result,
            _ => return None,
        }
    }
}

/// `main`, as it runs.
#[derive(Clone, Default)]
struct Main {
    add: Option<Function>,
    mul: Option<Function>,
    sum: Option<i64>,
    prod: Option<i64>,
    i: Option<i64>,
    returned: bool,
    printed: Vec<i64>,
}

impl Main {
    /// A block in braces; `None` is a compile-time error.
    fn block(&mut self, pieces: &mut Pieces<'_>) -> Option<()> {
        pieces.next_if_eq(&"{")?;
        while pieces.next_if_eq(&"}").is_none() {
            match *pieces.peek()? {
                "int sum = 0;" => self.sum = Some(0),
                "int prod = 1;" => self.prod = Some(1),
                _ => {
                    self.statement(pieces)?;
                    continue;
                }
            }
            pieces.next();
        }
        Some(())
    }

    fn statement(&mut self, pieces: &mut Pieces<'_>) -> Option<()> {
        if pieces.peek() == Some(&"{") {
            return self.block(pieces);
        }
        match pieces.next()? {
            "for (int i = 1; i <= 10; i++)" => {
                let body = pieces.clone();
                for i in 1..=10 {
                    self.i = Some(i);
                    *pieces = body.clone();
                    self.statement(pieces)?;
                }
                self.i = None;
            }
            "sum = add(sum, i);" => self.sum = Some(self.add?(self.sum?, self.i?)),
            "prod = mul(prod, i);" => self.prod = Some(self.mul?(self.prod?, self.i?)),
            r#"printf("sum %d\n", sum);"# => self.print(self.sum?),
            r#"printf("prod %d\n", prod);"# => self.print(self.prod?),
            "return 0;" => self.returned = true,
            _ => return None,
        }
        Some(())
    }

    fn print(&mut self, value: i64) {
        if !self.returned {
            self.printed.push(value);
        }
    }
}
