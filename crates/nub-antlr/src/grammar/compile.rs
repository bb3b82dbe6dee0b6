//! From syntax trees to a runnable grammar.

use super::{
    check, import,
    load::Loader,
    lower::{self, Lowered},
    options,
    tokens::TokenTypes,
    unit::Unit,
};
use crate::{
    Compiled, LexerGrammar, ParserGrammar,
    atn::build,
    g4::ast::{GrammarFile, GrammarType, Name, Rule},
};

/// Compiles the loaded files. Returns `None` if that is impossible, which has then been reported.
pub(crate) fn compile(files: Vec<GrammarFile>, loader: &mut Loader<'_>) -> Option<(Compiled, Vec<Rule>, Vec<Rule>)> {
    let (lexer, parser) = units(files, loader)?;
    if loader.report.is_incomplete() {
        return None;
    }
    let (mut lexer_types, lexer) = match lexer {
        Some(lexer) => (lexer_types(&lexer, loader), lexer),
        None => without_lexer(parser.as_ref()?, loader)?,
    };
    if loader.report.is_incomplete() {
        return None;
    }
    check::symbols(&lexer, true, loader.sources, loader.report);
    let lowered = lower::lexer(&lexer, &mut lexer_types, loader.sources, loader.report);
    check::lowered(&lexer, &lowered.rules, true, loader.sources, loader.report);

    let parser = parser.unwrap_or_else(|| empty_parser(&lexer));
    let mut types = lexer_types.clone();
    parser_types(&parser, &lexer, &mut types, loader);
    check::symbols(&parser, false, loader.sources, loader.report);
    let lowered_parser = lower::parser(&parser, &mut types, loader.sources, loader.report);
    check::lowered(&parser, &lowered_parser.rules, false, loader.sources, loader.report);
    if loader.report.has_errors() {
        return None;
    }
    let compiled = Compiled {
        lexer: lexer_grammar(&lexer, lowered, lexer_types.max()),
        parser: parser_grammar(&parser, lowered_parser, types.max()),
        vocabulary: types.vocabulary(),
    };
    Some((compiled, lexer.rules, parser.rules))
}

fn lexer_grammar(unit: &Unit, lowered: Lowered, max_token_type: i32) -> LexerGrammar {
    LexerGrammar {
        name: unit.name.text.clone(),
        super_class: options::value(&unit.options, "superClass").map(str::to_owned),
        atn: build::lexer(&lowered.rules, unit.modes.len(), lowered.code, max_token_type),
        modes: unit.modes.clone(),
        channels: unit.channels.clone(),
    }
}

fn parser_grammar(unit: &Unit, lowered: Lowered, max_token_type: i32) -> ParserGrammar {
    ParserGrammar {
        name: unit.name.text.clone(),
        super_class: options::value(&unit.options, "superClass").map(str::to_owned),
        atn: build::parser(&lowered.rules, lowered.code, max_token_type),
    }
}

/// The lexer and the parser among the loaded files.
fn units(files: Vec<GrammarFile>, loader: &mut Loader<'_>) -> Option<(Option<Unit>, Option<Unit>)> {
    let imported: Vec<String> = files.iter().flat_map(|file| &file.imports).map(|name| name.text.clone()).collect();
    let (mut lexer, mut parser): (Option<Unit>, Option<Unit>) = (None, None);
    let all_imported = files.iter().all(|file| imported.contains(&file.name.text));
    for file in files.into_iter().filter(|file| all_imported || !imported.contains(&file.name.text)) {
        options::check_grammar(&file.options, loader.sources, loader.report);
        check::file(&file, loader.sources, loader.report);
        let name = file.name.clone();
        let grammar_type = file.grammar_type;
        let merged = import::merge(file, loader);
        let (new_lexer, new_parser) = match grammar_type {
            GrammarType::Lexer => (Some(Unit::new(merged)), None),
            GrammarType::Parser => (None, Some(Unit::new(merged))),
            GrammarType::Combined => {
                let (lexer, parser) = Unit::split(merged);
                (Some(lexer), Some(parser))
            }
        };
        let taken = (lexer.is_some() && new_lexer.is_some()) || (parser.is_some() && new_parser.is_some());
        if taken {
            let message = format!("{} cannot be combined with the other grammar", name.text);
            let problem = loader.report.error(loader.sources, name.span, message);
            problem.hint("load one combined grammar, or one lexer grammar and one parser grammar");
            return None;
        }
        lexer = lexer.or(new_lexer);
        parser = parser.or(new_parser);
    }
    if lexer.is_none() && parser.is_none() && !loader.report.has_errors() {
        loader.report.file_error("nub", "no grammar was given");
    }
    Some((lexer, parser))
}

fn vocabulary_name(unit: &Unit) -> Option<Name> {
    let option = options::find(&unit.options, "tokenVocab")?;
    Some(Name { text: option.value.clone()?, span: option.value_span })
}

/// The lexer for a parser grammar that was given alone: the one that `tokenVocab` names.
fn without_lexer(parser: &Unit, loader: &mut Loader<'_>) -> Option<(TokenTypes, Unit)> {
    let Some(name) = vocabulary_name(parser) else {
        let message = format!("the parser grammar {} has no lexer", parser.name.text);
        let problem = loader.report.error(loader.sources, parser.name.span, message);
        problem.hint("name its lexer grammar with the option tokenVocab, or load both");
        return None;
    };
    match loader.vocabulary_grammar(&name) {
        Ok(Some(file)) => {
            let grammar_type = file.grammar_type;
            let merged = import::merge(file, loader);
            let lexer = match grammar_type {
                GrammarType::Combined => Unit::split(merged).0,
                _ => Unit::new(merged),
            };
            Some((lexer_types(&lexer, loader), lexer))
        }
        Ok(None) => None,
        Err(looked) => {
            let message = format!("the lexer grammar {} named by tokenVocab is missing", name.text);
            let problem = loader.report.error(loader.sources, name.span, message);
            problem.hint(format!("looked for {}", looked.join(" and ")));
            None
        }
    }
}

fn lexer_types(lexer: &Unit, loader: &mut Loader<'_>) -> TokenTypes {
    let mut types = TokenTypes::default();
    if let Some(name) = vocabulary_name(lexer) {
        import_types(&name, &mut types, loader);
    }
    for token in &lexer.tokens {
        types.define(&token.text);
    }
    types.define_lexer_rules(&lexer.rules);
    types
}

/// Imports the token types that a lexer shares with another.
fn import_types(name: &Name, types: &mut TokenTypes, loader: &mut Loader<'_>) {
    let looked = match loader.tokens_file(name) {
        Ok((file, text)) => {
            if let Err(line) = types.read(&text) {
                let message = format!("line {line} is not of the form NAME=1");
                loader.report.file_error(file, message);
            }
            return;
        }
        Err(looked) => looked,
    };
    match loader.vocabulary_grammar(name) {
        // One level only: a vocabulary that itself depends on another one has to be a file.
        Ok(Some(file)) => {
            let unit = match file.grammar_type {
                GrammarType::Combined => Unit::split(file).0,
                _ => Unit::new(file),
            };
            for token in &unit.tokens {
                types.define(&token.text);
            }
            types.define_lexer_rules(&unit.rules);
        }
        Ok(None) => {}
        Err(more) => {
            let message = format!("the vocabulary {} named by tokenVocab is missing", name.text);
            let problem = loader.report.error(loader.sources, name.span, message);
            problem.hint(format!("looked for {}", [looked, more].concat().join(" and ")));
        }
    }
}

fn parser_types(parser: &Unit, lexer: &Unit, types: &mut TokenTypes, loader: &mut Loader<'_>) {
    let other = vocabulary_name(parser).filter(|name| name.text != lexer.name.text && !parser.combined);
    if let Some(name) = other {
        match loader.tokens_file(&name) {
            Ok((file, text)) => {
                if let Err(line) = types.read(&text) {
                    loader.report.file_error(file, format!("line {line} is not of the form NAME=1"));
                }
            }
            Err(_) => {
                let message = format!("tokenVocab names {}, but the lexer is {}", name.text, lexer.name.text);
                let problem = loader.report.warning(loader.sources, name.span, message);
                problem.hint("the tokens of this lexer are used");
            }
        }
    }
    for token in &parser.tokens {
        types.define(&token.text);
    }
}

/// A lexer grammar alone can still produce tokens.
fn empty_parser(lexer: &Unit) -> Unit {
    let mut parser = lexer.clone();
    parser.options.clear();
    parser.tokens.clear();
    parser.rules.clear();
    parser
}
