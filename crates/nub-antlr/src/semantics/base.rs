//! Built-in semantics by super class.
//!
//! The public grammars put their code into base classes, one per target language. What these do is written here once.

use super::{
    Names, ParserView, Value,
    bases::{csharp, golang, javascript, lua, misc, php, python, rust},
};
use crate::{
    input::Input,
    lexer::{Cursor, Looking},
    token::Token,
};
use std::fmt::Debug;

/// The base class of a lexer. Names of methods come without case and underscores.
pub trait LexerBase: Debug + Send {
    /// Its methods.
    fn methods(&self) -> &'static [&'static str];
    /// A new input begins.
    fn reset(&mut self);
    /// A method used as a predicate.
    fn predicate(&mut self, _method: &str, _arguments: &[Value], _at: &Looking<'_, '_>) -> bool {
        true
    }
    /// A method used as an action.
    fn action(&mut self, _method: &str, _arguments: &[Value], _cursor: &mut Cursor<'_>) {}
    /// A field is set.
    fn set(&mut self, _field: &str, _value: &Value) -> bool {
        false
    }
    /// A token was matched: it is the last one of the cursor, which may still be changed.
    fn emitted(&mut self, _token: &Token, _cursor: &mut Cursor<'_>) {}
    /// The input is at its end.
    fn at_end(&mut self, _cursor: &mut Cursor<'_>) {}
    /// All tokens are known.
    fn filter(&mut self, tokens: Vec<Token>, _input: &Input<'_>) -> Vec<Token> {
        tokens
    }
}

/// The base class of a parser.
pub trait ParserBase: Debug + Send {
    /// Its methods.
    fn methods(&self) -> &'static [&'static str];
    /// A new input begins.
    fn reset(&mut self) {}
    /// A method used as a predicate.
    fn predicate(&mut self, method: &str, arguments: &[Value], view: &ParserView<'_>) -> bool;
    /// A method used as an action.
    fn action(&mut self, _method: &str, _arguments: &[Value], _view: &ParserView<'_>) {}
}

/// The semantics of a super class of a lexer, if there are any built in. Grammars without the option `superClass` are
/// looked up as if it were their name with `Base`.
pub(super) fn lexer_base(class: &str, names: &Names) -> Option<Box<dyn LexerBase>> {
    Some(match class {
        "JavaScriptLexerBase" | "JavaScriptBaseLexer" => Box::new(javascript::Lexer::new(names, false)),
        "TypeScriptLexerBase" => Box::new(javascript::Lexer::new(names, true)),
        "Python3LexerBase" => Box::new(python::Lexer::new(names)),
        "PythonLexerBase" => Box::new(python::Indentation::new(names)),
        "LuaLexerBase" => Box::new(lua::Lexer),
        "RustLexerBase" => Box::new(rust::Lexer::new(names)),
        "PhpLexerBase" | "PHPLexerBase" => Box::new(php::Lexer::new(names)),
        "CSharpLexerBase" => Box::new(csharp::Lexer::new(names)),
        _ => return None,
    })
}

/// The semantics of a super class of a parser, if there are any built in.
pub(super) fn parser_base(class: &str, names: &Names) -> Option<Box<dyn ParserBase>> {
    Some(match class {
        "JavaScriptParserBase" | "JavaScriptBaseParser" | "TypeScriptParserBase" => {
            Box::new(javascript::Parser::new(names))
        }
        "Python3ParserBase" => Box::new(python::Parser),
        "LuaParserBase" => Box::new(lua::Parser::new(names)),
        "GoParserBase" => Box::new(golang::Parser::new(names)),
        "RustParserBase" => Box::new(rust::Parser::new(names)),
        "CPP14ParserBase" => Box::new(misc::Cpp),
        "JavaParserBase" => Box::new(misc::Java::new(names)),
        "CSharpParserBase" => Box::new(csharp::Parser),
        _ => return None,
    })
}
