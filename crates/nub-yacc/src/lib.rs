//! YACC and lex at run time: no generated code, and nothing of a grammar is compiled or run.
//!
//! YACC (1975) turns a grammar into the source of a parser, lex does the same for a lexer, and half of the languages in use
//! were once defined by such a pair of files. This crate reads them when the program runs, as they are: with Bison's and
//! flex's additions, with code in C between the rules, which it reads over.
//!
//! ```
//! use nub_yacc::Language;
//!
//! let language = Language::from_sources(
//!     ("calc.y", "
//!         %token NUMBER
//!         %left '+' '-'
//!         %left '*'
//!         %%
//!         e : e '+' e      { $$ = $1 + $3; }
//!           | e '*' e      { $$ = $1 * $3; }
//!           | '(' e ')'    { $$ = $2; }
//!           | NUMBER
//!           ;
//!     "),
//!     Some(("calc.l", r"
//! %%
//! [0-9]+      { yylval = atoi(yytext); return NUMBER; }
//! [-+*()]     return yytext[0];
//! [ \t\n]+    ;
//!     ")),
//!     None,
//! )?;
//! assert_eq!(language.conflict_counts(), (0, 0));
//!
//! let input = b"1 + 2*3";
//! let tree = language.parse(input);
//! assert!(tree.errors().is_empty());
//! assert_eq!(tree.to_lisp(language.grammar(), input), "(e (e 1) + (e (e 2) * (e 3)))");
//!
//! // Whatever the input, the lexemes are all of it.
//! let input = b"1 + * \xff 2";
//! let tree = language.parse(input);
//! assert_eq!(tree.errors().len(), 2);
//! assert_eq!(tree.lexemes().iter().map(|lexeme| lexeme.span.len()).sum::<usize>(), input.len());
//! # Ok::<(), nub_yacc::LoadError>(())
//! ```
//!
//! # From two files to a tree
//!
//! 1. The YACC file is read: tokens, precedences, rules. An action in the middle of an alternative is an empty rule of its
//!    own, as in YACC. Declarations that are about the generated program are skipped. All mistakes are reported at once,
//!    each with its place ([`LoadError`], [`Diagnostic`]).
//! 2. The rules become a [`Grammar`]; rules that stand for no text or that nothing leads to are set aside.
//! 3. The states of the parser are computed, and which tokens may follow where a production ends (LALR(1), by DeRemer and
//!    Pennello's relations). Where there is a choice, precedences decide; where they do not, it is a [`Conflict`]: a token is
//!    shifted rather than a production ended, and of two productions the first one wins. The numbers of states and conflicts
//!    are those of Bison.
//! 4. The lex file is read. Its regular expressions become one automaton per start condition. Which token an action returns
//!    is seen from its text; what cannot be seen is a warning with the line and with advice.
//! 5. [`Language::parse`] runs both. The result is a [`ParseTree`], whose [`Lexeme`]s cover the input without a gap.
//!
//! Instead of a lex file, the third section of the grammar can define the tokens:
//!
//! ```
//! use nub_yacc::Language;
//!
//! let text = r#"
//!     %%
//!     list : item | list ',' item ;
//!     item : WORD | '(' list ')' ;
//!     %%
//!     WORD : "[a-z]+" "a"
//!     SKIP : "\s+"
//! "#;
//! let language = Language::from_sources(("list.y", text), None, None)?;
//! let tree = language.parse(b"a, (b, c)");
//! assert!(tree.errors().is_empty());
//! # Ok::<(), nub_yacc::LoadError>(())
//! ```
//!
//! # Broken input
//!
//! If the grammar has productions with `error`, the parser recovers as YACC's do. Otherwise it looks for the smallest change
//! that lets it go on: one token less, one token more, or one rule imagined in the place of some tokens. What is given up is
//! a node of its own, [`NodeKind::Error`], a plain list. The search is bounded by steps and not by time, so that the same
//! input always has the same tree.
//!
//! # What an LR parser knows about a place
//!
//! The state of the parser before a node and the token behind it decide what may stand there. [`Language::derives`] and
//! [`Language::may_stand_for`] ask the tables: would this text, or that symbol, be taken here? They cost as much as reading
//! that text, however large the input is. A reducer lives on such questions.
//!
//! # What is not there
//!
//! - Actions are not run. A lexer that asks the parser (typedef names in C, `yylval` of the token before) or looks words up
//!   in a table of its own cannot be understood; the warning says where.
//! - `REJECT`, `unput` and `input()`, but for comments; `yyless` of anything but a number; `%glr-parser` and `%dprec` (the
//!   conflict is resolved as in YACC); `%no-default-prec`; parametric rules of other tools.
//! - Files that a preprocessor has to make a grammar of first.

pub mod check;
mod code;
mod diagnostic;
pub mod grammar;
mod lalr;
mod language;
mod lex;
mod lexer;
mod parser;
mod spec;
mod tree;
mod yacc;

pub use diagnostic::{Diagnostic, LoadError, Severity};
pub use grammar::Grammar;
pub use lalr::Conflict;
pub use language::{Language, Place};
pub use tree::{Lexeme, NodeId, NodeKind, Origin, ParseTree, SyntaxError};

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
