//! `cargo xtask size [BINARY]`: what the release binary is made of.
//!
//! Sections, as `size` counts them; then the parsers and the crates, by their symbols. Every parser calls its tables by
//! the same names, so what belongs together is told by the symbol table, which lists symbols file by file.

use crate::{cargo, output, root, run};
use anyhow::{Result, bail, ensure};
use std::{collections::BTreeMap, path::PathBuf, process::Command};

/// A profile like `release`, with the symbols that `release` strips. It has a directory of its own in `target`.
const PROFILE: &[&str] = &["--config", "profile.symbols.inherits='release'", "--config", "profile.symbols.strip=false"];

struct Symbol<'a> {
    address: u64,
    size: u64,
    /// The letter of `nm`: its case tells global from local, `t` is code.
    kind: char,
    name: &'a str,
}

impl Symbol<'_> {
    fn is_code(&self) -> bool {
        matches!(self.kind.to_ascii_lowercase(), 't' | 'w')
    }
}

/// The local symbols of one object file.
struct Object<'a> {
    file: &'a str,
    symbols: Vec<Symbol<'a>>,
}

/// Bytes of a part of the program.
#[derive(Default, Clone, Copy)]
struct Bytes {
    code: u64,
    data: u64,
}

impl Bytes {
    fn add(&mut self, symbol: &Symbol<'_>) {
        *(if symbol.is_code() { &mut self.code } else { &mut self.data }) += symbol.size;
    }

    fn total(self) -> u64 {
        self.code + self.data
    }
}

pub(crate) fn main(args: &[String]) -> Result<()> {
    let binary = match args {
        [] => build()?,
        [binary] => std::env::current_dir()?.join(binary),
        _ => bail!("usage: cargo xtask size [BINARY]"),
    };
    let sections = output(Command::new("size").args(["-A", "-d"]).arg(&binary))?;
    let nm = output(Command::new("nm").args(["--debug-syms", "--no-sort", "--print-size"]).arg(&binary))?;
    print!("{}", table(&sections, &nm)?);
    Ok(())
}

fn build() -> Result<PathBuf> {
    run(cargo(&["build", "--locked", "--package", "nub", "--profile", "symbols"]).args(PROFILE))?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |target| root().join(target));
    Ok(target.join("symbols/nub"))
}

/// The whole report, from what `size` and `nm` print.
fn table(sections: &str, nm: &str) -> Result<String> {
    let (objects, globals) = symbols(nm);
    ensure!(
        objects.iter().any(|object| !object.symbols.is_empty()),
        "the binary is stripped: there is nothing to count"
    );
    let (languages, crates) = attribute(&objects, &globals);
    let sections = loaded(sections);
    let total: u64 = sections.values().map(|bytes| bytes.total()).sum();
    let known: u64 = languages.values().chain(crates.values()).map(|bytes| bytes.total()).sum();
    let rest = BTreeMap::from([(
        "literals, unwind tables, relocations".to_owned(),
        Bytes { code: 0, data: total.saturating_sub(known) },
    )]);
    let mut text = String::new();
    for (title, parts) in
        [("section", &sections), ("parser", &languages), ("crate or object", &crates), ("without a symbol", &rest)]
    {
        let mut rows: Vec<_> = parts.iter().map(|(name, &bytes)| (name.as_str(), bytes)).collect();
        rows.sort_by_key(|&(name, bytes)| (u64::MAX - bytes.total(), name));
        let sum = rows.iter().fold(Bytes::default(), |sum, (_, bytes)| Bytes {
            code: sum.code + bytes.code,
            data: sum.data + bytes.data,
        });
        text += &format!("{title:<40}{:>12}{:>12}{:>12}\n", "code", "data", "bytes");
        // What is smaller than this would make the table longer, not clearer.
        let (large, small): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, bytes)| bytes.total() >= 10_000);
        let small = small.iter().fold(Bytes::default(), |sum, (_, bytes)| Bytes {
            code: sum.code + bytes.code,
            data: sum.data + bytes.data,
        });
        let small = (small.total() > 0).then_some(("(smaller ones)", small));
        for (name, bytes) in large.into_iter().chain(small).chain([("sum", sum)]) {
            text += &format!("  {name:<38}{:>12}{:>12}{:>12}\n", bytes.code, bytes.data, bytes.total());
        }
        text.push('\n');
    }
    Ok(text)
}

/// The sections that are loaded from the file, from the output of `size -A`.
fn loaded(sections: &str) -> BTreeMap<String, Bytes> {
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, size, address) = (words.next()?, words.next()?.parse().ok()?, words.next()?.parse::<u64>().ok()?);
        let in_file = address > 0 && !matches!(name, ".bss" | ".tbss" | ".relro_padding");
        let code = matches!(name, ".text" | ".plt" | ".init" | ".fini");
        let bytes = if code { Bytes { code: size, data: 0 } } else { Bytes { code: 0, data: size } };
        in_file.then(|| (name.to_owned(), bytes))
    };
    sections.lines().filter_map(row).collect()
}

/// Local symbols by object file, and global ones, from the output of `nm`.
fn symbols(nm: &str) -> (Vec<Object<'_>>, Vec<Symbol<'_>>) {
    let (mut objects, mut globals): (Vec<Object<'_>>, Vec<Symbol<'_>>) = (Vec::new(), Vec::new());
    for line in nm.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, "a", file] => objects.push(Object { file, symbols: Vec::new() }),
            [address, size, kind, name, ..] => {
                let number = |text| u64::from_str_radix(text, 16);
                let (Ok(address), Ok(size), Some(kind)) = (number(address), number(size), kind.chars().next()) else {
                    continue;
                };
                if matches!(kind, 'b' | 'B') {
                    continue;
                }
                let symbol = Symbol { address, size, kind, name };
                match objects.last_mut() {
                    Some(object) if kind.is_lowercase() => object.symbols.push(symbol),
                    _ => globals.push(symbol),
                }
            }
            _ => {}
        }
    }
    (objects, globals)
}

/// Parsers by language, and everything else by crate or object file.
fn attribute(objects: &[Object<'_>], globals: &[Symbol<'_>]) -> (BTreeMap<String, Bytes>, BTreeMap<String, Bytes>) {
    let names = parser_names(objects, globals);
    let (mut languages, mut crates): (BTreeMap<_, Bytes>, BTreeMap<_, Bytes>) = (BTreeMap::new(), BTreeMap::new());
    // A linker takes a parser from its library before the scanner that the parser asks for.
    let mut parser = "?";
    for (index, object) in objects.iter().enumerate() {
        let part = match object.file {
            "parser.c" | "scanner.c" => {
                if object.file == "parser.c" {
                    parser = names.get(&index).copied().unwrap_or("?");
                }
                languages.entry(parser.to_owned()).or_default()
            }
            file => crates.entry(file.split('.').next().unwrap_or(file).to_owned()).or_default(),
        };
        object.symbols.iter().for_each(|symbol| part.add(symbol));
    }
    for symbol in globals {
        match symbol
            .name
            .strip_prefix("tree_sitter_")
            .map(|name| name.split("_external_scanner").next().unwrap_or(name))
        {
            Some(language) if languages.contains_key(language) => {
                languages.entry(language.to_owned()).or_default().add(symbol);
            }
            _ => crates.entry("(global symbols)".to_owned()).or_default().add(symbol),
        }
    }
    (languages, crates)
}

/// Which language a parser is for: its only global function, `tree_sitter_LANGUAGE`, stands right behind its lexer.
fn parser_names<'a>(objects: &[Object<'_>], globals: &[Symbol<'a>]) -> BTreeMap<usize, &'a str> {
    let lexers: BTreeMap<u64, usize> = objects
        .iter()
        .enumerate()
        .filter(|(_, object)| object.file == "parser.c")
        .flat_map(|(index, object)| {
            object.symbols.iter().filter(|symbol| symbol.is_code()).map(move |symbol| (symbol.address, index))
        })
        .collect();
    let name = |symbol: &Symbol<'a>| {
        let language = symbol.name.strip_prefix("tree_sitter_").filter(|name| !name.contains("_external_scanner"))?;
        let (_, &index) = lexers.range(..symbol.address).next_back()?;
        Some((index, language))
    };
    globals.iter().filter(|symbol| symbol.is_code()).filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two parsers whose symbols have the same names, a scanner, a crate, and the functions that tell the languages.
    const NM: &str = "\
0000000000000000 a first.0123-cgu.0
0000000000003000 0000000000000030 t _ZN5first1fE
0000000000000000 a parser.c
0000000000002000 0000000000000100 t ts_lex
0000000000000900 0000000000002000 r ts_parse_table
0000000000000000 a scanner.c
0000000000002200 0000000000000007 t scan
0000000000000000 a parser.c
0000000000001000 0000000000000200 t ts_lex
0000000000000100 0000000000003000 r ts_parse_table
0000000000009000 0000000000000500 b counters
                 U malloc
0000000000002100 0000000000000008 T tree_sitter_b
0000000000002210 0000000000000001 T tree_sitter_b_external_scanner_create
0000000000001200 0000000000000008 T tree_sitter_a
0000000000004000 0000000000000010 T main
";

    #[test]
    fn symbols_of_the_same_name_are_told_apart_by_file() {
        let (objects, globals) = symbols(NM);
        let (languages, crates) = attribute(&objects, &globals);
        let sizes = |parts: BTreeMap<String, Bytes>| -> Vec<(String, u64, u64)> {
            parts.into_iter().map(|(name, bytes)| (name, bytes.code, bytes.data)).collect()
        };
        assert_eq!(sizes(languages), [("a".into(), 0x208, 0x3000), ("b".into(), 0x110, 0x2000)]);
        assert_eq!(sizes(crates), [("(global symbols)".into(), 0x10, 0), ("first".into(), 0x30, 0)]);
    }

    #[test]
    fn what_has_no_symbol_is_counted() {
        let sections = "nub  :\nsection size addr\n.text 1000 64\n.rodata 40000 2000\n.bss 77 90000\n.comment 9 0\n";
        let report = table(sections, NM).unwrap();
        let sum = 1000 + 40000 - (0x208 + 0x3000 + 0x110 + 0x2000 + 0x10 + 0x30);
        assert!(report.contains(&format!("{sum}\n")), "{report}");
        assert!(!report.contains("77"), "{report}");
    }

    #[test]
    fn a_stripped_binary_is_refused() {
        assert!(table("", "").is_err());
    }
}
