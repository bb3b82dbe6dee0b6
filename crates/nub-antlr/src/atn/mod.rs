//! The augmented transition network: the form in which the lexer and the parser run a grammar.
//!
//! One network holds all rules of a lexer or of a parser, as small automata that call each other (Parr, Harwell and
//! Fisher, *Adaptive LL(\*) parsing*, 2014, §5.1). Every construct of the grammar language has the same shape as in
//! ANTLR: prediction resolves ambiguities by the order of the alternatives, so the shape decides which tree an input
//! has.

pub(crate) mod build;
mod set;

pub use set::IntervalSet;

/// A state of an [`Atn`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

/// A rule of an [`Atn`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u32);

/// A decision of an [`Atn`]: a state with more than one way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecisionId(pub u32);

/// A predicate or an action of the grammar: an index into [`Atn::code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeId(pub u32);

impl StateId {
    /// Its number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl RuleId {
    /// Its number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl DecisionId {
    /// Its number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl CodeId {
    /// Its number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The purpose of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrammarKind {
    /// Characters to tokens.
    Lexer,
    /// Tokens to trees.
    Parser,
}

/// The kind of a state, by the construct of the grammar it belongs to. The names are ANTLR's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// Between two elements.
    Basic,
    /// Where a rule begins.
    RuleStart,
    /// Where a rule ends.
    RuleStop,
    /// Where the alternatives of a plain or optional block diverge.
    BlockStart,
    /// Where the alternatives of `( … )+` diverge, before each iteration.
    PlusBlockStart,
    /// Where the alternatives of `( … )*` diverge, inside the loop.
    StarBlockStart,
    /// Where the rules of a lexer mode diverge.
    TokensStart,
    /// Where the alternatives of a block meet.
    BlockEnd,
    /// After each iteration of `( … )*`.
    StarLoopBack,
    /// Before each iteration of `( … )*`: one more, or out.
    StarLoopEntry,
    /// After each iteration of `( … )+`: one more, or out.
    PlusLoopBack,
    /// After a loop.
    LoopEnd,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its kind.
    pub kind: StateKind,
    /// The rule it belongs to.
    pub rule: RuleId,
    /// The ways out, in the order of the alternatives.
    pub transitions: Vec<Transition>,
    /// Its number among the decisions, if it is one.
    pub decision: Option<DecisionId>,
    /// A decision that prefers to leave: `??`, `*?`, `+?`.
    pub non_greedy: bool,
    /// The other end: for a block start its block end, for a block end its block start, and for a loop end, a loop
    /// entry or a plus block start its loop-back.
    pub partner: Option<StateId>,
    /// The entry of the loop that replaced the left recursion of a rule.
    pub precedence_decision: bool,
    /// The quantifier that the author of the grammar wrote on the block or element that starts at this state
    /// (a `BlockStart`, `PlusBlockStart` or `StarLoopEntry`). Loops that replace left recursion have none.
    pub quantifier: Option<Quantifier>,
}

/// A quantifier of the grammar language, greedy or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `?`
    Optional,
    /// `*`
    Star,
    /// `+`
    Plus,
}

/// A transition from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transition {
    /// Matches nothing.
    Epsilon {
        /// Where to.
        target: StateId,
        /// On the way from the stop state of a left-recursive rule back to a caller at precedence 0: that rule
        /// (ANTLR's `outermostPrecedenceReturn`).
        precedence_return: Option<RuleId>,
    },
    /// Matches one character or token.
    Atom {
        /// Where to.
        target: StateId,
        /// The character or token type; [`EOF`] for the end.
        label: i32,
    },
    /// Matches any member of a set.
    Set {
        /// Where to.
        target: StateId,
        /// The set; a range is a set of one interval. May contain [`EOF`].
        set: IntervalSet,
    },
    /// Matches anything outside a set, except the end.
    NotSet {
        /// Where to.
        target: StateId,
        /// The set.
        set: IntervalSet,
    },
    /// Matches anything but the end.
    Wildcard {
        /// Where to.
        target: StateId,
    },
    /// Matches whatever a rule matches.
    Rule {
        /// Where the rule begins.
        target: StateId,
        /// The rule.
        rule: RuleId,
        /// The precedence it is called with, for left-recursive rules.
        precedence: u32,
        /// Where to continue after the rule.
        follow: StateId,
    },
    /// Matches nothing, if a predicate holds.
    Predicate {
        /// Where to.
        target: StateId,
        /// The predicate.
        code: CodeId,
    },
    /// Matches nothing, if the precedence the rule was called with is not above this one.
    Precedence {
        /// Where to.
        target: StateId,
        /// The precedence.
        precedence: u32,
    },
    /// Matches nothing and runs an action.
    Action {
        /// Where to.
        target: StateId,
        /// The action. `None` for the `{}` that rewriting left recursion puts before the first alternative.
        action: Option<ActionId>,
    },
}

impl Transition {
    /// Where it leads to; for a call, where the called rule begins.
    pub fn target(&self) -> StateId {
        match self {
            Self::Epsilon { target, .. }
            | Self::Atom { target, .. }
            | Self::Set { target, .. }
            | Self::NotSet { target, .. }
            | Self::Wildcard { target }
            | Self::Rule { target, .. }
            | Self::Predicate { target, .. }
            | Self::Precedence { target, .. }
            | Self::Action { target, .. } => *target,
        }
    }
}

/// The label of the end of the input. Types of tokens are positive.
pub const EOF: i32 = -1;

/// An action of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionId {
    /// Code of the grammar.
    Code(CodeId),
    /// A command of a lexer rule: an index into [`Atn::lexer_commands`].
    Command(u32),
}

/// A predicate or an action, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The rule that contains it.
    pub rule: RuleId,
    /// Its number among the predicates (or the actions) of the network, in ANTLR's order.
    pub index: u32,
    /// The text between the braces.
    pub text: String,
    /// Whether it is a predicate.
    pub predicate: bool,
    /// A predicate whose text mentions the context of its rule (`$x`).
    pub context_dependent: bool,
}

/// What a lexer rule does with its match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LexerCommand {
    /// Throw it away.
    Skip,
    /// Continue with the next rule, keeping the text.
    More,
    /// Give it this type.
    Type(i32),
    /// Put it on this channel.
    Channel(u32),
    /// Go to this mode.
    Mode(u32),
    /// Go to this mode, and remember the one before.
    PushMode(u32),
    /// Go back.
    PopMode,
}

/// A rule of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub start: StateId,
    /// Where it ends.
    pub stop: StateId,
    /// Whether it was rewritten because of direct left recursion.
    pub left_recursive: bool,
    /// The type of its tokens, for a lexer rule; 0 for a fragment and for a rule whose matches never become a token of
    /// that rule (`more`, `type(…)`).
    pub token_type: i32,
    /// Whether it is a fragment.
    pub fragment: bool,
}

/// A network: see the [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atn {
    /// Whether it belongs to a lexer or a parser.
    pub kind: GrammarKind,
    /// All states.
    pub states: Vec<State>,
    /// All rules, in the order of the grammar.
    pub rules: Vec<Rule>,
    /// The states with a decision, by number.
    pub decisions: Vec<StateId>,
    /// For a lexer: the start state of every mode.
    pub modes: Vec<StateId>,
    /// For a lexer: all commands.
    pub lexer_commands: Vec<LexerCommand>,
    /// Predicates and actions of the grammar.
    pub code: Vec<Code>,
    /// The largest type of a token.
    pub max_token_type: i32,
}
