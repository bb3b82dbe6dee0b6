//! `-h` shows the essentials on one screen; `--help` shows everything, in groups.

mod common;

use common::Place;

/// All commands, `nub` itself first.
const COMMANDS: [&[&str]; 12] = [
    &[],
    &["isolate"],
    &["report"],
    &["compare"],
    &["simulate"],
    &["parse"],
    &["grammar"],
    &["grammar", "check"],
    &["languages"],
    &["passes"],
    &["man"],
    &["completions"],
];

/// The help of a command on a terminal with 100 columns.
fn help(place: &Place, command: &[&str], flag: &str) -> String {
    let mut nub = place.command(&[command, &[flag]].concat());
    nub.env("COLUMNS", "100");
    let ran = place.run(nub);
    ran.expect(0);
    ran.printed()
}

/// The lines that name an option, with the lines that follow them up to the next option.
fn options(help: &str) -> Vec<String> {
    let mut options: Vec<String> = vec![];
    for line in help.lines() {
        let text = line.trim_start();
        let indented = line.len() - text.len();
        if text.starts_with('-') && (2..=6).contains(&indented) {
            options.push(line.to_owned());
        } else if let Some(last) = options.last_mut() {
            last.push('\n');
            last.push_str(line);
        }
    }
    options
}

#[test]
fn the_short_help_fits_on_one_screen() {
    let place = Place::new("in.txt", "");
    for command in COMMANDS {
        let help = help(&place, command, "-h");
        assert!(help.lines().count() <= 40, "{} lines:\n{help}", help.lines().count());
    }
}

#[test]
fn the_short_help_has_the_essentials() {
    let place = Place::new("in.txt", "");
    let short = help(&place, &[], "-h");
    for words in [
        "nub [OPTIONS] TEST INPUT",
        "nub [OPTIONS] INPUT -- COMMAND {}",
        "nub [OPTIONS] INPUT --worker COMMAND",
        "-o, --output",
        "-j, --jobs",
        "--timeout",
        "--memory-limit",
        "--stdout",
        "--stderr",
        "--exit-code",
        "--signal",
        "--language",
        "--grammar",
        "--start",
        "--resume",
        "--report",
        "--effort",
        "-q, --quiet",
        "-v, --verbose",
        "--json",
        "nub --help",
    ] {
        assert!(short.contains(words), "{words}:\n{short}");
    }
    for command in ["isolate", "report", "compare", "simulate", "parse", "grammar", "languages", "passes"] {
        assert!(short.contains(&format!("\n  {command} ")), "{command}:\n{short}");
    }
    for advanced in ["--algorithm", "--split-factor", "--no-cache-eviction", "Exit codes"] {
        assert!(!short.contains(advanced), "{advanced}:\n{short}");
    }
}

#[test]
fn the_long_help_is_grouped_and_lists_exit_codes() {
    let place = Place::new("in.txt", "");
    let help = help(&place, &[], "--help");
    let headings = [
        "Commands",
        "Arguments",
        "Options",
        "Conditions",
        "Test",
        "Input and output",
        "Resuming",
        "Display",
        "Plan",
        "Language and grammar",
        "Algorithms (advanced)",
    ];
    let mut at = 0;
    for heading in headings {
        at += help[at..].find(&format!("\n{heading}")).unwrap_or_else(|| panic!("{heading}: {help}"));
    }
    for words in ["--signal", "--timeout", "--resume", "--json", "--preset", "Exit codes:", "130", "Examples:"] {
        assert!(help.contains(words), "{words}");
    }
    for code in 0..=5 {
        assert!(help.contains(&format!("\n  {code}    ")), "{code}");
    }
    let version = place.nub_ok(&["--version"]).stdout;
    assert_eq!(version, format!("nub {}\n", env!("CARGO_PKG_VERSION")).into_bytes());
    assert_eq!(place.nub_ok(&["-V"]).stdout, version);
}

#[test]
fn every_option_has_help() {
    let place = Place::new("in.txt", "");
    for command in COMMANDS {
        let help = help(&place, command, "--help");
        let options = options(&help);
        assert!(!options.is_empty(), "{command:?}");
        for option in options {
            let words: Vec<&str> =
                option.split_whitespace().filter(|word| !word.starts_with(['-', '<', '['])).collect();
            assert!(words.len() >= 2, "{command:?}: {option:?}");
        }
    }
}

#[test]
fn the_help_is_plain_english() {
    let banned = [
        "nobody",
        "somebody",
        "whoever",
        "in vain",
        "verdict",
        "stage",
        "of which",
        "what of",
        "on its own account",
        "as far as",
        "goes on",
        "any more",
        "no answer",
    ];
    let place = Place::new("in.txt", "");
    for command in COMMANDS {
        for flag in ["-h", "--help"] {
            let help = help(&place, command, flag).to_lowercase();
            for words in banned {
                assert!(!help.contains(words), "{words:?} in the help of {command:?}:\n{help}");
            }
        }
    }
}
