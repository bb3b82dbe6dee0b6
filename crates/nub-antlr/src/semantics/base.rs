//! Built-in semantics, by super class.
//!
//! Public grammars put their code into base classes, one per target language. Their behaviour is implemented here once.

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

/// The base class of a lexer. Method names are normalised: no capitals, no underscores.
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
    /// Sets a field. Returns whether it is known.
    fn set(&mut self, _field: &str, _value: &Value) -> bool {
        false
    }
    /// A token was matched: it is the last one of the cursor and may still be changed.
    fn emitted(&mut self, _token: &Token, _cursor: &mut Cursor<'_>) {}
    /// The end of the input was reached.
    fn at_end(&mut self, _cursor: &mut Cursor<'_>) {}
    /// All tokens are known and may be filtered.
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

/// The built-in semantics for the super class of a lexer, if there are any. Grammars without the option `superClass`
/// are looked up by their name with `Base` appended.
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

/// The built-in semantics for the super class of a parser, if there are any.
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
