//! YACC and lex at run time: no generated code, and no part of a grammar is compiled or executed.
//!
//! YACC (1975) turns a grammar into the source of a parser, lex does the same for a lexer, and many languages were
//! first defined by such a pair of files. This crate reads them unchanged at run time, including Bison's and flex's
//! extensions. It skips the C code between the rules.
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
//! // The lexemes cover the whole input, whatever it contains.
//! let input = b"1 + * \xff 2";
//! let tree = language.parse(input);
//! assert_eq!(tree.errors().len(), 2);
//! assert_eq!(tree.lexemes().iter().map(|lexeme| lexeme.span.len()).sum::<usize>(), input.len());
//! # Ok::<(), nub_yacc::LoadError>(())
//! ```
//!
//! # From two files to a tree
//!
//! 1. Read the YACC file: tokens, precedences, rules. As in YACC, an action in the middle of an alternative becomes an
//!    empty rule. Declarations about the generated program are skipped. All mistakes are reported at once, each with
//!    its position ([`LoadError`], [`Diagnostic`]).
//! 2. Turn the rules into a [`Grammar`]. Rules that derive no text or cannot be reached are set aside.
//! 3. Compute the parser's states and the tokens that may follow a complete production (LALR(1), with DeRemer and
//!    Pennello's relations). Precedences decide where there is a choice. Where they do not, it is a [`Conflict`]:
//!    shifting wins over reducing, and the first of two productions wins. The numbers of states and conflicts are the
//!    same as Bison's.
//! 4. Read the lex file. Its regular expressions become one automaton per start condition. The token an action returns
//!    is derived from the action's text. Where that is impossible, a warning gives the line and advice.
//! 5. [`Language::parse`] runs both. The result is a [`ParseTree`] whose [`Lexeme`]s cover the input without gaps.
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
//! If the grammar has `error` productions, the parser recovers as YACC's parsers do. Otherwise it looks for the
//! smallest change that lets it continue: one token less, one token more, or an assumed rule in place of some tokens.
//! Whatever it gives up goes into a node of its own, [`NodeKind::Error`], a plain list. The search is bounded by a
//! number of steps, not by time, so the same input always has the same tree.
//!
//! # What an LR parser knows about a position
//!
//! The parser's state before a node and the token after it determine what is allowed there. [`Language::derives`] and
//! [`Language::may_stand_for`] ask the tables whether a text or a symbol would be accepted at that position. The cost
//! depends on that text, not on the size of the input. A reducer relies on these questions.
//!
//! # What is not supported
//!
//! - Actions are not executed. A lexer that consults the parser (typedef names in C, the previous token's `yylval`) or
//!   looks up words in its own table cannot be understood; a warning says where.
//! - `REJECT`, `unput` and `input()`, except for comments; `yyless` with anything but a number; `%glr-parser` and
//!   `%dprec` (the conflict is resolved as in YACC); `%no-default-prec`; parametric rules of other tools.
//! - Files that only a preprocessor turns into a grammar.

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
