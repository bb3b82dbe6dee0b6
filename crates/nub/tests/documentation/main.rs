//! The documentation is true: its commands run and print what it shows, its links lead somewhere, its tables say what the
//! code says.
//!
//! The commands are those of ```` ```sh ```` and ```` ```console ```` blocks in the Markdown files themselves. Each block
//! runs in a fresh directory with a copy of `examples`, the files in `fixtures` (`crash.c`, `still-crashes.sh`, …) and
//! programs that behave as the text says (`fixtures/bin`). Comments before a block, which readers do not see, say more:
//!
//! | comment | meaning |
//! |---|---|
//! | `not run: REASON` | the commands are only read: options, packages and files must exist |
//! | `needs: PROGRAMS` | skipped without these; and they are the real ones |
//! | `setup: COMMANDS` | what has happened before, as far as the reader is concerned |
//! | `file: NAME` | the block is a file, which later blocks of the page use |
//! | `numbers vary: REASON` | all numbers in the output are ignored, and not only times |
//! | `output varies: REASON` | what is shown is an example |
//!
//! `NUB_UPDATE=1 cargo test -p nub --test documentation` writes what commands print, and the tables, into the pages.

mod commands;
mod markdown;
mod sandbox;
mod tables;

use markdown::{Block, Page, resolve, root};
use sandbox::Sandbox;
use std::{
    collections::{BTreeSet, VecDeque},
    env, fs,
    process::Command,
    sync::Mutex,
};

/// Changes a file of the repository if `NUB_UPDATE` asks for it.
fn update(path: &str, change: impl FnOnce(&str) -> String) -> bool {
    // Several tests may be about one file.
    static UPDATING: Mutex<()> = Mutex::new(());
    if env::var_os("NUB_UPDATE").is_none() {
        return false;
    }
    let _guard = UPDATING.lock().unwrap();
    let text = Page::read(path).text;
    let changed = change(&text);
    if changed != text {
        // In one piece: other tests may be reading it.
        let new = root().join(format!("{path}.new"));
        fs::write(&new, changed).unwrap();
        fs::rename(new, root().join(path)).unwrap();
    }
    true
}

#[test]
fn the_commands_of_the_front_page_run() {
    check_pages(|path| !path.contains('/'));
}

#[test]
fn the_commands_in_docs_run() {
    check_pages(|path| path.starts_with("docs/"));
}

#[test]
fn the_commands_of_crates_examples_and_evaluation_run() {
    check_pages(|path| path.contains('/') && !path.starts_with("docs/"));
}

fn check_pages(wanted: impl Fn(&str) -> bool) {
    let pages: Vec<String> = Page::all().into_iter().filter(|path| wanted(path)).collect();
    assert!(!pages.is_empty());
    let wrong: Vec<String> = pages.iter().flat_map(|path| check_blocks(&Page::read(path))).collect();
    assert!(wrong.is_empty(), "{}\nNUB_UPDATE=1 writes what commands print into the pages", wrong.join("\n"));
}

/// Runs or reads all commands of a page, and tells what is wrong.
fn check_blocks(page: &Page) -> Vec<String> {
    let mut files: Vec<(String, String)> = vec![];
    let mut wrong = vec![];
    for block in page.blocks() {
        let place = format!("{}:{}", page.path, block.line);
        if let Some(name) = block.directive("file") {
            files.push((name.to_owned(), block.lines.join("\n") + "\n"));
        }
        let checked = match (block.language.as_str(), block.directive("not run")) {
            ("", _) => Err("a block says what it is: ```sh, ```console, ```text, …".to_owned()),
            ("sh" | "console", Some(reason)) => {
                println!("{place}: not run: {reason}");
                check_unrun(&block, reason)
            }
            ("sh", None) if block.is_script() => check_script(&block),
            ("sh" | "console", None) => run_block(page, &block, &files),
            ("json", _) => check_json(&block),
            _ => Ok(()),
        };
        wrong.extend(checked.err().map(|error| format!("{place}: {error}")));
    }
    wrong
}

fn check_unrun(block: &Block, reason: &str) -> Result<(), String> {
    if reason.is_empty() {
        return Err("the comment does not say why it is not run".to_owned());
    }
    let check = |command: &String| commands::check(command).map_err(|error| format!("`{command}`: {error}"));
    block.commands().iter().try_for_each(check)
}

/// A script that is shown, and not run, is one at least.
fn check_script(block: &Block) -> Result<(), String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), block.lines.join("\n")).unwrap();
    let output = Command::new("sh").arg("-n").arg(file.path()).output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// One value, or one per line.
fn check_json(block: &Block) -> Result<(), String> {
    let parse =
        |text: &str| serde_json::from_str::<serde_json::Value>(text).map(|_| ()).map_err(|error| error.to_string());
    parse(&block.lines.join("\n")).or_else(|_| block.lines.iter().try_for_each(|line| parse(line)))
}

fn run_block(page: &Page, block: &Block, files: &[(String, String)]) -> Result<(), String> {
    let needed: Vec<&str> = block.directive("needs").unwrap_or_default().split_whitespace().collect();
    if !needed.iter().all(|program| nub_testing::tool(is_installed(program), program)) {
        return Ok(());
    }
    let sandbox = Sandbox::new(files, &needed);
    if let Some(commands) = block.directive("setup") {
        let (code, output) = sandbox.run(&format!("set -e\n{commands}\n"));
        if code != Some(0) {
            return Err(format!("its setup fails:\n{output}"));
        }
    }
    if block.language == "sh" {
        return sandbox.run_commands(block);
    }
    let printed = sandbox.run_session(block)?;
    if block.directive("output varies").is_some() {
        return Ok(());
    }
    let any_number = block.directive("numbers vary").is_some();
    let exchanges = markdown::exchanges(&block.lines);
    let differs =
        |(_, shown): &(String, Vec<String>), printed: &Vec<String>| !sandbox::agrees(shown, printed, any_number);
    let mut different =
        exchanges.iter().zip(&printed).filter(|(exchange, printed)| differs(exchange, printed)).peekable();
    if different.peek().is_none() {
        return Ok(());
    }
    let session: Vec<String> = exchanges
        .iter()
        .zip(&printed)
        .flat_map(|((command, shown), printed)| {
            [format!("$ {command}")].into_iter().chain(sandbox::shortened(shown, printed))
        })
        .collect();
    let fenced = |lines: &[String]| format!("```console\n{}\n```\n", lines.join("\n"));
    if update(&page.path, |text| text.replacen(&fenced(&block.lines), &fenced(&session), 1)) {
        return Ok(());
    }
    let told = different.map(|((command, shown), printed)| {
        format!("`{command}` prints\n{}\nand the page shows\n{}", printed.join("\n"), shown.join("\n"))
    });
    Err(told.collect::<Vec<_>>().join("\n"))
}

fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[test]
fn options_and_commands_in_the_prose_exist() {
    let options = commands::options();
    let mut wrong = vec![];
    for path in Page::all() {
        for code in Page::read(&path).code() {
            let words = commands::words(&code);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let checked = match words[..] {
                ["nub", ref args @ ..] if !args.is_empty() => commands::check_nub(args),
                ["cargo", "+nightly", ..] => Ok(()),
                ["cargo", ..] | ["evaluation/run", ..] => commands::check(&code),
                _ => {
                    let mut words = words.iter().flat_map(|word| word.split_whitespace());
                    let is_unknown = |word: &&str| {
                        word.starts_with("--")
                            && word.len() > 2
                            && !options.contains(word.split('=').next().unwrap_or(word))
                    };
                    words.find(is_unknown).map_or(Ok(()), |option| Err(format!("no option {option}")))
                }
            };
            wrong.extend(checked.err().map(|error| format!("{path}: `{code}`: {error}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn links_and_paths_lead_somewhere() {
    let mut wrong = vec![];
    for path in Page::all() {
        let page = Page::read(&path);
        for link in page.links().iter().filter(|link| !link.contains("://")) {
            let (target, anchor) =
                link.split_once('#').map_or((link.as_str(), None), |(file, anchor)| (file, Some(anchor)));
            let target = if target.is_empty() { path.clone().into() } else { resolve(&path, target) };
            let is_there = root().join(&target).exists();
            let has_anchor = |anchor: &str| {
                let name = target.to_string_lossy();
                name.ends_with(".md") && Page::read(&name).anchors().iter().any(|known| known == anchor)
            };
            if !is_there || anchor.is_some_and(|anchor| !has_anchor(anchor)) {
                wrong.push(format!("{path}: {link}"));
            }
        }
        for code in page.code().iter().filter(|code| is_path(code)) {
            if !root().join(code).exists() {
                wrong.push(format!("{path}: `{code}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether code in the prose is the name of a file of this repository, and not of one to be made (`NAME.rs`).
fn is_path(code: &str) -> bool {
    let folder = code.split('/').next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/._-".contains(c);
    ["crates", "docs", "evaluation", "examples"].contains(&folder) && code.contains('/') && code.chars().all(is_name)
}

#[test]
fn every_page_of_the_documentation_can_be_reached() {
    let mut reached: BTreeSet<String> = BTreeSet::new();
    let mut open: VecDeque<String> = ["README.md".to_owned(), "docs/README.md".to_owned()].into();
    while let Some(path) = open.pop_front() {
        if path.ends_with(".md") && root().join(&path).is_file() && reached.insert(path.clone()) {
            let links = Page::read(&path).links();
            let files =
                links.iter().filter(|link| !link.contains("://")).map(|link| link.split('#').next().unwrap_or(link));
            open.extend(files.map(|file| resolve(&path, file).to_string_lossy().into_owned()));
        }
    }
    let missing: Vec<String> =
        Page::all().into_iter().filter(|path| path.starts_with("docs/") && !reached.contains(path)).collect();
    assert!(missing.is_empty(), "no way leads to {missing:?}: add them to docs/README.md");
}

/// Words that mean something else here, or nothing that another word does not say better: see docs/glossary.md.
#[test]
fn one_word_per_concept() {
    let avoided = ["verdict", "in vain", "nobody", "somebody", "whoever", "on its own account"];
    let mut wrong = vec![];
    for path in Page::all() {
        let prose = Page::read(&path).prose().to_lowercase().replace('\n', " ");
        let words = format!(" {} ", prose.split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>().join(" "));
        let found = avoided.iter().filter(|word| words.contains(&format!(" {word} ")));
        wrong.extend(found.map(|word| format!("{path}: {word}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
