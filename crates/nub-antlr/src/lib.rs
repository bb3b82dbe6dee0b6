//! ANTLR v4 grammars at run time: no Java, no generated code, and the same trees as ANTLR.
//!
//! [ANTLR](https://www.antlr.org) turns a grammar (a `.g4` file) into the source of a lexer and a parser, which are
//! then compiled. Hundreds of languages have ANTLR grammars. This crate reads the same files at run time, so a grammar
//! is data that a user can supply.
//!
//! ```
//! use nub_antlr::{Grammar, NodeId, ParseTree, tree::Visitor};
//!
//! let grammar = Grammar::from_sources(&[(
//!     "Calc.g4",
//!     "grammar Calc;
//!      calc   : e EOF ;
//!      e      : e '*' e | e '+' e | NUMBER ;
//!      NUMBER : [0-9]+ ;
//!      SPACE  : ' '+ -> channel(HIDDEN) ;",
//! )])?;
//!
//! // One call from bytes to a tree, which prints in the format of ANTLR's own `TestRig -tree`.
//! let tree = grammar.parse("calc", b"1 + 2*3")?;
//! assert!(tree.errors().is_empty());
//! assert_eq!(tree.to_lisp(), "(calc (e (e 1) + (e (e 2) * (e 3))) <EOF>)");
//!
//! // A visitor sees every node, before its children and after them.
//! struct Sum(u32);
//! impl Visitor for Sum {
//!     fn enter(&mut self, tree: &ParseTree, node: NodeId) {
//!         if let Some(token) = tree.token(node) {
//!             self.0 += tree.text(token).parse().unwrap_or(0);
//!         }
//!     }
//! }
//! let mut sum = Sum(0);
//! tree.visit(tree.root(), &mut sum);
//! assert_eq!(sum.0, 1 + 2 + 3);
//!
//! // Many inputs: an engine keeps what it learnt from earlier ones.
//! let mut engine = grammar.engine();
//! let start = engine.rule("calc").ok_or("no such rule")?;
//! for source in ["1", "1+1", "1 +"] {
//!     let tree = engine.parse(start, source.as_bytes(), &Default::default());
//! // The whole input is there, spaces included, even if it is wrong.
//!     let texts = tree.tokens().iter().map(|token| &source[token.span()]);
//!     assert_eq!(texts.collect::<String>(), source);
//!     assert_eq!(tree.errors().is_empty(), source != "1 +");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From a file to a tree
//!
//! 1. [`Grammar::load`] reads `.g4` files, the files they import and the files whose tokens they use. [`g4`] is the
//!    parser for them. All mistakes are reported at once, each with its place ([`LoadError`], [`Diagnostic`]).
//! 2. The rules become two networks, one for the lexer and one for the parser ([`atn`], [`Compiled`]). They have the
//!    same states, in the same order, as the networks of ANTLR's tool. Left-recursive rules are rewritten as loops with
//!    precedences on the way.
//! 3. An [`Engine`] runs them. The lexer takes the longest match, and the first rule among equally long ones; it
//!    handles modes, channels, `more`, `skip` and `type`.
//! 4. The parser walks through its network. Where there is more than one way, prediction (ALL(\*), Parr, Harwell and
//!    Fisher 2014) follows all of them over the tokens ahead until one is left: first without the callers of the rule
//!    and, if that is not enough, with them. It caches what it learns in an automaton for each decision.
//! 5. The result is a [`ParseTree`]. Its tokens cover the input without a gap, including hidden and skipped ones.
//!    [`ParseTree::spans`] tells where nodes lie; [`ParseOptions::quantifiers`] adds nodes for the iterations of `?`,
//!    `*` and `+`.
//!
//! # Predicates and actions
//!
//! Grammars may hold code in the language that a parser is generated in. It is never run. The meaning of a predicate or
//! an action is looked up in this order: the user's [`Overrides`](semantics::Overrides); built-in behaviour for the
//! base classes of public grammars (JavaScript, TypeScript, Python, Lua, Go, Rust, PHP, C#, Java, C++); a small
//! evaluator for expressions such as `_input.LA(1) != DOT`. Any other predicate is true and any other action does
//! nothing, and [`Semantics::describe`](semantics::Semantics::describe) says so:
//!
//! ```
//! use nub_antlr::{Engine, Grammar, semantics::{Overrides, Semantics}};
//!
//! let text = "grammar T; s : {isOld()}? old | new ; old : ID ; new : ID ; ID : [a-z]+ ;";
//! let grammar = Grammar::from_sources(&[("T.g4", text)])?;
//! let warnings: Vec<String> = grammar.engine().semantics().warnings().collect();
//! assert_eq!(warnings, ["rule s: the predicate {isOld()}? is assumed to be true"]);
//! assert_eq!(grammar.parse("s", b"x")?.to_lisp(), "(s (old x))");
//!
//! let mut overrides = Overrides::new();
//! overrides.insert("isOld", "LT(1).getText() == \"x\"")?;
//! let mut engine = Engine::new(grammar.compiled(), Semantics::new(grammar.compiled(), &overrides));
//! let start = engine.rule("s").ok_or("no such rule")?;
//! assert_eq!(engine.parse(start, b"x", &Default::default()).to_lisp(), "(s (old x))");
//! assert_eq!(engine.parse(start, b"y", &Default::default()).to_lisp(), "(s (new y))");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is identical to ANTLR, and what is not
//!
//! For input without syntax errors, the tree is that of ANTLR 4.13.2: tests compare networks and trees of twenty public
//! grammars with those of the Java tool, byte by byte (`DIFFERENTIAL.md`). Known differences:
//!
//! - Broken input is repaired as in ANTLR, with the same messages in all tested cases, but trees are only guaranteed to
//!   be identical for input without errors. Where ANTLR's repair never terminates, ours does.
//! - Predicates and actions are only as accurate as what is known about them, see above. Rules get no arguments.
//! - `\p{…}` follows the Unicode version of `regex-syntax`, which is newer. Blocks (`\p{InGreek}`) and the properties
//!   that ANTLR adds to Unicode's own (`\p{EmojiPresentation=TextDefault}`) are unknown.
//! - A byte that is not valid UTF-8 is a character of its own, U+FFFD to the lexer, and keeps its place.
//! - ANTLR's tool gives more warnings. The mistakes it rejects are rejected here too, unless random changes to grammars
//!   have not revealed them; blocks nested deeper than 200 levels are rejected in addition.
//! - Code outside rules (`@header`, `@members`, `catch`, …) is read and dropped.
//!
//! # Cost
//!
//! Most decisions look at one or two tokens, and parsing is linear. A decision that has to look to the end of the
//! construct it decides about makes it quadratic in the depth of nesting: in the grammar of C, `(` may begin an
//! expression, a cast or an initialiser, so each parenthesis of `((((…))))` looks ahead until it can tell. Depth costs
//! memory, never the stack of the process.

pub mod atn;
pub mod check;
mod compiled;
mod engine;
pub mod format;
pub mod g4;
mod grammar;
mod input;
mod lexer;
mod parser;
mod predict;
mod recover;
pub mod semantics;
pub mod shortest;
mod token;
pub mod tree;
mod vocabulary;

pub use compiled::{Compiled, LexerGrammar, ParserGrammar};
pub use engine::{Engine, Statistics};
pub use g4::{Diagnostic, Severity};
pub use grammar::{Grammar, LoadError, NoSuchRule};
pub use input::Input;
pub use lexer::{Cursor, Looking, Place};
pub use parser::ParseOptions;
pub use token::{Origin, SyntaxError, Token};
pub use tree::{NodeId, NodeKind, ParseTree};
pub use vocabulary::Vocabulary;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
