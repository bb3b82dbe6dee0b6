//! ANTLR v4 grammars at run time: no Java, no generated code, and the trees are those of ANTLR.
//!
//! [ANTLR](https://www.antlr.org) turns a grammar (a `.g4` file) into the source of a lexer and a parser, which are then
//! compiled. Hundreds of languages have such grammars. This crate reads the same files when the program runs, so a
//! grammar is data: something that a user can hand over.
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
//! // One call from bytes to a tree, which is printed as ANTLR's own `TestRig -tree` prints it.
//! let tree = grammar.parse("calc", b"1 + 2*3")?;
//! assert!(tree.errors().is_empty());
//! assert_eq!(tree.to_lisp(), "(calc (e (e 1) + (e (e 2) * (e 3))) <EOF>)");
//!
//! // A visitor sees every node, before its children and behind them.
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
//! // Many inputs: an engine does not forget what it learnt from those before.
//! let mut engine = grammar.engine();
//! let start = engine.rule("calc").ok_or("no such rule")?;
//! for source in ["1", "1+1", "1 +"] {
//!     let tree = engine.parse(start, source.as_bytes(), &Default::default());
//!     // The input is all there, with spaces, and whatever is wrong with it.
//!     let texts = tree.tokens().iter().map(|token| &source[token.span()]);
//!     assert_eq!(texts.collect::<String>(), source);
//!     assert_eq!(tree.errors().is_empty(), source != "1 +");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From a file to a tree
//!
//! 1. [`Grammar::load`] reads `.g4` files, with those that they import and whose tokens they use. [`g4`] holds their
//!    syntax. All mistakes are reported at once, each with its place ([`LoadError`], [`Diagnostic`]).
//! 2. The rules become two networks, one for the lexer and one for the parser ([`atn`], [`Compiled`]). They have the
//!    states, in the same order, of those that ANTLR's tool makes. Left-recursive rules are rewritten as loops with
//!    precedences on the way.
//! 3. An [`Engine`] runs them. The lexer takes the longest match, and of two equally long ones the rule that stands
//!    first; it follows modes, channels, `more`, `skip` and `type`.
//! 4. The parser walks through its network. Where there is more than one way, prediction (ALL(\*), Parr, Harwell and
//!    Fisher 2014) follows all of them over the tokens ahead until one is left, first without the callers of the rule
//!    and, if that cannot tell, with them. What it learns is kept in an automaton for each decision.
//! 5. The result is a [`ParseTree`]. Its tokens cover the input without a gap, hidden and skipped ones included.
//!    [`ParseTree::spans`] tells where nodes lie, [`ParseOptions::quantifiers`] adds nodes for the rounds of `?`, `*`
//!    and `+`.
//!
//! # Predicates and actions
//!
//! Grammars may hold code of the language that a parser is generated in. Nothing of it is ever run. What a predicate or
//! an action means is looked up, in this order: what the user says ([`Overrides`](semantics::Overrides)); what is built
//! in for the base classes of public grammars (JavaScript, TypeScript, Python, Lua, Go, Rust, PHP, C#, Java, C++); a
//! small evaluator for expressions such as `_input.LA(1) != DOT`. Any other predicate is true and any other action does
//! nothing, and [`Semantics::describe`](semantics::Semantics::describe) says so:
//!
//! ```
//! use nub_antlr::{Engine, Grammar, semantics::{Overrides, Semantics}};
//!
//! let text = "grammar T; s : {isOld()}? old | new ; old : ID ; new : ID ; ID : [a-z]+ ;";
//! let grammar = Grammar::from_sources(&[("T.g4", text)])?;
//! let warnings: Vec<String> = grammar.engine().semantics().warnings().collect();
//! assert_eq!(warnings, ["rule s: the predicate {isOld()}? is taken as true"]);
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
//! For input without syntax errors the tree is that of ANTLR 4.13.2: tests compare networks and trees of twenty public
//! grammars with those of the Java tool, byte by byte (`DIFFERENTIAL.md`). Known differences:
//!
//! - Broken input is repaired as ANTLR does it, with the same messages in the cases that are tested, but identical trees
//!   are promised for input without errors only. Where ANTLR's repair never ends, ours does.
//! - Predicates and actions are as good as what is known about them, see above. Rules get no arguments.
//! - `\p{…}` follows the version of Unicode that `regex-syntax` has, which is newer. Blocks (`\p{InGreek}`) and the
//!   properties that ANTLR adds to Unicode's own (`\p{EmojiPresentation=TextDefault}`) are unknown.
//! - Bytes that are no UTF-8 are characters of their own, U+FFFD to the lexer, and keep their places.
//! - ANTLR's tool finds more to warn about. What it refuses is refused, as far as it was found by changing grammars at
//!   random; blocks nested deeper than 200 levels are refused in addition.
//! - Code outside rules (`@header`, `@members`, `catch`, …) is read and dropped.
//!
//! # Cost
//!
//! Most decisions look at one token or two, and parsing is linear. A decision that has to look to the end of what it
//! decides makes it quadratic in the depth of nesting: in the grammar of C `(` may begin an expression, a
//! cast or an initialiser, and each parenthesis of `((((…))))` looks as far as it takes to tell. Depth costs memory,
//! never the stack of the process.

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
