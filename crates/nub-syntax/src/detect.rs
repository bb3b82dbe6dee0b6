//! Language detection.

use crate::{Language, language, languages, treesitter};
use nub_core::{BinaryData, FrontEnd, PlainText, binary::is_binary};
use std::{path::Path, sync::Arc};

/// How much of an input is examined.
const START: usize = 4096;

/// `<?` in UTF-16, with and without a byte-order mark.
const UTF16_XML: [&[u8]; 4] = [b"\xff\xfe<\0?\0", b"\xfe\xff\0<\0?", b"<\0?\0", b"\0<\0?"];

/// The language of an input: by the name of its file if there is one, otherwise by its contents.
///
/// The order is: the complete file name, the extension, the interpreter in the first line, and beginnings that only one
/// language has. Uncertain guesses are avoided: an input without a language is reduced as text.
pub fn detect(path: Option<&Path>, input: &[u8]) -> Option<&'static Language> {
    by_name(path, input).or_else(|| by_shebang(input)).or_else(|| by_content(input))
}

/// The front end for an input: that of its language, or else that for binary data or plain text.
pub fn front_end(path: Option<&Path>, input: &[u8]) -> Arc<dyn FrontEnd> {
    match detect(path, input) {
        Some(language) => language.front_end(),
        None if is_binary(input) => Arc::new(BinaryData),
        None => Arc::new(PlainText),
    }
}

fn by_name(path: Option<&Path>, input: &[u8]) -> Option<&'static Language> {
    let name = path?.file_name()?.to_str()?;
    if let Some(language) = languages().iter().find(|language| language.files.contains(&name)) {
        return Some(language);
    }
    let extension = Path::new(name).extension()?.to_str()?;
    // By an old convention, upper-case C means C++. Case matters for no other extension.
    if extension == "C" || (extension == "h" && is_cpp(input)) {
        return language("cpp").or_else(|| language("c"));
    }
    let extension = extension.to_lowercase();
    languages().iter().find(|language| language.extensions.contains(&extension.as_str()))
}

/// Whether a header looks like C++.
fn is_cpp(input: &[u8]) -> bool {
    let starts = ["class ", "namespace ", "template <", "template<", "using ", "public:", "private:"];
    let lines = String::from_utf8_lossy(&input[..input.len().min(16 * START)]);
    lines.lines().any(|line| starts.iter().any(|start| line.trim_start().starts_with(start)))
}

fn by_shebang(input: &[u8]) -> Option<&'static Language> {
    let line = input.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    // `#!/usr/bin/env -S name option`: take the first word after `env` that is neither an option nor an assignment.
    let mut words = line.split_whitespace().filter(|word| !word.starts_with('-') && !word.contains('='));
    let mut name = words.next()?.rsplit('/').next()?;
    if name == "env" {
        name = words.next()?.rsplit('/').next()?;
    }
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let known = |name: &str| languages().iter().find(|language| language.shebangs.contains(&name));
    known(name).or_else(|| known(bare))
}

fn by_content(input: &[u8]) -> Option<&'static Language> {
    let start = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input).trim_ascii_start();
    let text = String::from_utf8_lossy(&start[..start.len().min(START)]).to_lowercase();
    let starts = |marks: &[&str]| marks.iter().any(|mark| text.starts_with(mark));
    // In SMT-LIB and LLVM assembly, the first line is often a comment.
    let line_starts = |marks: &[&str]| text.lines().any(|line| marks.iter().any(|mark| line.starts_with(mark)));
    if starts(&["<?php"]) {
        language("php")
    } else if starts(&["<!doctype html", "<html"]) {
        language("html")
    } else if starts(&["<?xml"]) || UTF16_XML.iter().any(|mark| input.starts_with(mark)) {
        language("xml")
    } else if starts(&["%yaml", "---\n"]) {
        language("yaml")
    } else if starts(&["syntax = \"proto", "syntax=\"proto"]) {
        language("proto")
    } else if starts(&["pragma solidity", "// spdx-license-identifier"]) && line_starts(&["pragma solidity"]) {
        language("solidity")
    } else if starts(&["; moduleid", "source_filename ="]) || line_starts(&["target triple =", "target datalayout ="]) {
        language("llvm")
    } else if line_starts(&["(set-logic ", "(set-info ", "(set-option ", "(declare-fun ", "(check-sat)"]) {
        language("smt2")
    } else if start.starts_with(b"{") || start.starts_with(b"[") {
        language("json").filter(|_| is_json(input))
    } else {
        None
    }
}

/// Many languages have brackets, so check that it parses as JSON.
fn is_json(input: &[u8]) -> bool {
    treesitter::language("json")
        .and_then(|json| treesitter::errors(json, input))
        .is_some_and(|errors| errors.parts == 0)
}
