//! A grammar at work.

use crate::{
    atn::RuleId,
    compiled::Compiled,
    input::Input,
    lexer::Lexer,
    parser::{Look, ParseOptions, Parser},
    predict::Predictor,
    semantics::Semantics,
    token::{SyntaxError, Token},
    tree::ParseTree,
};
use std::sync::Arc;

/// Parses inputs with one grammar. What prediction learns from one input helps with the next.
#[derive(Debug)]
pub struct Engine {
    grammar: Arc<Compiled>,
    semantics: Semantics,
    lexer: Lexer,
    predictor: Predictor,
    look: Look,
    hide: bool,
}

/// How much an [`Engine`] has learnt, and how much work that was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Stacks of return states.
    pub contexts: usize,
    /// States of the automata of all decisions.
    pub dfa_states: usize,
    /// Steps of SLL prediction that no automaton knew.
    pub sll_steps: usize,
    /// Steps of full LL prediction.
    pub full_steps: usize,
}

impl Engine {
    /// An engine for a grammar.
    pub fn new(grammar: &Compiled, semantics: Semantics) -> Self {
        let grammar = Arc::new(grammar.clone());
        Self {
            lexer: Lexer::new(Arc::clone(&grammar)),
            predictor: Predictor::new(&grammar.parser.atn, false),
            look: Look::new(&grammar.parser.atn),
            grammar,
            semantics,
            hide: false,
        }
    }

    /// Hides predicates in quantified parts of rules from prediction. Picireny has this effect, because it puts its own
    /// actions at the beginning of these parts. Only needed to get the same trees.
    #[must_use]
    pub fn hiding_quantified_predicates(mut self) -> Self {
        self.hide = true;
        self.predictor = Predictor::new(&self.grammar.parser.atn, true);
        self
    }

    /// The grammar.
    pub fn grammar(&self) -> &Compiled {
        &self.grammar
    }

    /// The semantics of predicates and actions.
    pub fn semantics(&self) -> &Semantics {
        &self.semantics
    }

    /// The rule with a name.
    pub fn rule(&self, name: &str) -> Option<RuleId> {
        let position = self.grammar.parser.atn.rules.iter().position(|rule| rule.name == name)?;
        u32::try_from(position).ok().map(RuleId)
    }

    /// The tokens of an input without gaps, with the end of the input last, and the errors.
    pub fn tokens(&mut self, source: &[u8], mode: usize) -> (Vec<Token>, Vec<SyntaxError>) {
        self.lexer.trim();
        let lexed = self.lexer.run(&Input::new(source), mode, &mut self.semantics.lexer);
        (lexed.tokens, lexed.errors)
    }

    /// Parses an input from a start rule. This always gives a tree of the whole input; see [`ParseTree::errors`].
    pub fn parse(&mut self, start: RuleId, source: &[u8], options: &ParseOptions) -> ParseTree {
        self.trim();
        let (tokens, mut errors) = self.tokens(source, options.mode);
        self.semantics.parser.reset();
        let (predictor, look) = (&mut self.predictor, &mut self.look);
        let semantics = &mut self.semantics.parser;
        let parser = Parser::new(&self.grammar, source, tokens, predictor, look, semantics, *options);
        let core = parser.run(start);
        errors.extend(core.errors);
        let end = core.stream.last().map_or(0, |&end| end as usize);
        let rest = core.stream.get(core.at).map_or(end, |&token| token as usize).min(end)..end;
        ParseTree::new(Arc::clone(&self.grammar), source.to_vec(), core.tree, core.tokens, errors, rest)
    }

    /// How much it has learnt.
    pub fn statistics(&self) -> Statistics {
        let (contexts, dfa_states) = self.predictor.size();
        let work = self.predictor.statistics;
        Statistics { contexts, dfa_states, sll_steps: work.sll_steps, full_steps: work.full_steps }
    }

    /// A reducer parses thousands of inputs; memory must not grow with each of them forever.
    fn trim(&mut self) {
        const CONTEXTS: usize = 6 << 20;
        const STATES: usize = 1 << 18;
        let (contexts, states) = self.predictor.size();
        if contexts > CONTEXTS || states > STATES {
            self.predictor = Predictor::new(&self.grammar.parser.atn, self.hide);
        }
    }
}
