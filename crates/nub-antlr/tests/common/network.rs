//! ANTLR's own serialised networks (`.interp`, format 4) as grammars. They lack the texts of predicates and actions.

use nub_antlr::{
    Compiled, LexerGrammar, ParserGrammar, Vocabulary,
    atn::{
        ActionId, Atn, Code, CodeId, DecisionId, GrammarKind, IntervalSet, LexerCommand, Rule, RuleId, State, StateId,
        StateKind, Transition,
    },
};

/// The sections of an `.interp` file.
struct Interp<'a> {
    literal: Vec<Option<String>>,
    symbolic: Vec<Option<String>>,
    rules: Vec<String>,
    channels: Vec<String>,
    modes: Vec<String>,
    atn: Vec<i32>,
    _text: &'a str,
}

fn read(text: &str) -> Interp<'_> {
    let section = |name: &str| -> Vec<&str> {
        let lines = text.lines().skip_while(|line| *line != name).skip(1);
        lines.take_while(|line| !line.is_empty()).collect()
    };
    let names = |name: &str| -> Vec<Option<String>> {
        section(name).into_iter().map(|name| (name != "null").then(|| name.to_owned())).collect()
    };
    let plain = |name: &str| -> Vec<String> { section(name).into_iter().map(str::to_owned).collect() };
    let line = text.lines().skip_while(|line| *line != "atn:").nth(1).unwrap_or("[]");
    let atn = line.trim_matches(['[', ']']).split(", ").filter_map(|number| number.parse().ok()).collect();
    Interp {
        literal: names("token literal names:"),
        symbolic: names("token symbolic names:"),
        rules: plain("rule names:"),
        channels: plain("channel names:"),
        modes: plain("mode names:"),
        atn,
        _text: text,
    }
}

/// A grammar from the two files of its lexer and its parser.
pub(crate) fn compiled(lexer: &str, parser: &str) -> Compiled {
    let (lexer, parser) = (read(lexer), read(parser));
    let lexer_atn = Reader::new(&lexer).read();
    let parser_atn = Reader::new(&parser).read();
    Compiled {
        vocabulary: Vocabulary { symbolic: parser.symbolic, literal: parser.literal },
        lexer: LexerGrammar {
            name: String::new(),
            super_class: None,
            atn: lexer_atn,
            modes: lexer.modes,
            channels: lexer.channels,
        },
        parser: ParserGrammar { name: String::new(), super_class: None, atn: parser_atn },
    }
}

struct Reader<'a> {
    numbers: std::slice::Iter<'a, i32>,
    names: &'a [String],
    states: Vec<State>,
    code: Vec<Code>,
}

impl<'a> Reader<'a> {
    fn new(interp: &'a Interp<'_>) -> Self {
        Self { numbers: interp.atn.iter(), names: &interp.rules, states: Vec::new(), code: Vec::new() }
    }

    fn next(&mut self) -> i32 {
        *self.numbers.next().expect("a complete network")
    }

    fn number(&mut self) -> usize {
        usize::try_from(self.next()).expect("a number from 0")
    }

    fn id(&mut self) -> StateId {
        StateId(u32::try_from(self.next()).expect("a state"))
    }

    fn read(mut self) -> Atn {
        assert_eq!(self.next(), 4, "format 4");
        let kind = if self.next() == 0 { GrammarKind::Lexer } else { GrammarKind::Parser };
        let max_token_type = self.next();
        self.read_states();
        let mut rules = self.read_rules(kind);
        let modes = (0..self.number()).map(|_| self.id()).collect::<Vec<_>>();
        let sets = self.read_sets();
        let edges = self.read_edges(&sets, kind);
        let decisions: Vec<StateId> = (0..self.number()).map(|_| self.id()).collect();
        for (number, state) in decisions.iter().enumerate() {
            self.states[state.index()].decision = Some(DecisionId(u32::try_from(number).expect("few")));
        }
        let lexer_commands = if kind == GrammarKind::Lexer { self.read_commands() } else { Vec::new() };
        self.connect(&mut rules, &modes, kind, &edges);
        let (states, code) = (self.states, self.code);
        Atn { kind, states, rules, decisions, modes, lexer_commands, code, max_token_type }
    }

    fn read_states(&mut self) {
        for _ in 0..self.number() {
            let kind = self.next();
            let mut state = State {
                kind: StateKind::Basic,
                rule: RuleId(0),
                transitions: Vec::new(),
                decision: None,
                non_greedy: false,
                partner: None,
                precedence_decision: false,
                quantifier: None,
            };
            if kind != 0 {
                state.rule = RuleId(u32::try_from(self.next()).unwrap_or(0));
                state.kind = [
                    StateKind::Basic,
                    StateKind::RuleStart,
                    StateKind::BlockStart,
                    StateKind::PlusBlockStart,
                    StateKind::StarBlockStart,
                    StateKind::TokensStart,
                    StateKind::RuleStop,
                    StateKind::BlockEnd,
                    StateKind::StarLoopBack,
                    StateKind::StarLoopEntry,
                    StateKind::PlusLoopBack,
                    StateKind::LoopEnd,
                ][usize::try_from(kind - 1).expect("a kind")];
                let with_partner =
                    [StateKind::LoopEnd, StateKind::BlockStart, StateKind::PlusBlockStart, StateKind::StarBlockStart];
                if with_partner.contains(&state.kind) {
                    state.partner = Some(self.id());
                }
            }
            self.states.push(state);
        }
        for _ in 0..self.number() {
            let state = self.id();
            self.states[state.index()].non_greedy = true;
        }
        for _ in 0..self.number() {
            // Start states of left-recursive rules; their loops are identified by shape.
            let state = self.id();
            self.states[state.index()].precedence_decision = true;
        }
    }

    fn read_rules(&mut self, kind: GrammarKind) -> Vec<Rule> {
        let mut rules = Vec::new();
        for number in 0..self.number() {
            let start = self.id();
            let token_type = if kind == GrammarKind::Lexer { self.next() } else { 0 };
            let left_recursive = std::mem::take(&mut self.states[start.index()].precedence_decision);
            let name = self.names.get(number).cloned().unwrap_or_default();
            rules.push(Rule { name, start, stop: StateId(0), left_recursive, token_type, fragment: false });
        }
        rules
    }

    fn read_sets(&mut self) -> Vec<IntervalSet> {
        (0..self.number())
            .map(|_| {
                let count = self.number();
                let end = self.next() != 0;
                let mut set: IntervalSet = (0..count).map(|_| (self.next(), self.next())).collect();
                if end {
                    set.insert(-1, -1);
                }
                set
            })
            .collect()
    }

    fn read_edges(&mut self, sets: &[IntervalSet], kind: GrammarKind) -> Vec<(StateId, Transition)> {
        (0..self.number())
            .map(|_| {
                let (from, target) = (self.id(), self.id());
                let (edge, one, two, three) = (self.next(), self.next(), self.next(), self.next());
                let positive = |number: i32| u32::try_from(number).unwrap_or(0);
                let transition = match edge {
                    1 => Transition::Epsilon { target, precedence_return: None },
                    2 => {
                        let low = if three != 0 { -1 } else { one };
                        Transition::Set { target, set: std::iter::once((low, two)).collect() }
                    }
                    3 => {
                        let rule = RuleId(positive(two));
                        let (start, follow) = (StateId(positive(one)), target);
                        Transition::Rule { target: start, rule, precedence: positive(three), follow }
                    }
                    4 => Transition::Predicate { target, code: self.add_code(one, two, three != 0, true) },
                    5 => Transition::Atom { target, label: if three != 0 { -1 } else { one } },
                    6 if kind == GrammarKind::Lexer => {
                        Transition::Action { target, action: Some(ActionId::Command(positive(two))) }
                    }
                    6 => Transition::Action { target, action: None },
                    7 => Transition::Set { target, set: sets[usize::try_from(one).expect("a set")].clone() },
                    8 => Transition::NotSet { target, set: sets[usize::try_from(one).expect("a set")].clone() },
                    9 => Transition::Wildcard { target },
                    10 => Transition::Precedence { target, precedence: positive(one) },
                    other => panic!("a transition of kind {other}"),
                };
                (from, transition)
            })
            .collect()
    }

    fn add_code(&mut self, rule: i32, index: i32, context_dependent: bool, predicate: bool) -> CodeId {
        let (rule, index) = (RuleId(u32::try_from(rule).unwrap_or(0)), u32::try_from(index).unwrap_or(0));
        self.code.push(Code { rule, index, text: String::new(), predicate, context_dependent });
        CodeId(u32::try_from(self.code.len() - 1).expect("few"))
    }

    fn read_commands(&mut self) -> Vec<LexerCommand> {
        (0..self.number())
            .map(|_| {
                let (kind, one, _) = (self.next(), self.next(), self.next());
                let number = u32::try_from(one).unwrap_or(0);
                match kind {
                    0 => LexerCommand::Channel(number),
                    2 => LexerCommand::Mode(number),
                    3 => LexerCommand::More,
                    4 => LexerCommand::PopMode,
                    5 => LexerCommand::PushMode(number),
                    6 => LexerCommand::Skip,
                    7 => LexerCommand::Type(one),
                    // Code of the grammar, which a network without texts cannot contain. This command has no effect.
                    _ => LexerCommand::Channel(0),
                }
            })
            .collect()
    }

    fn connect(&mut self, rules: &mut [Rule], modes: &[StateId], kind: GrammarKind, edges: &[(StateId, Transition)]) {
        for (from, transition) in edges {
            self.states[from.index()].transitions.push(transition.clone());
        }
        for (number, state) in (0u32..).zip(&self.states) {
            if state.kind == StateKind::RuleStop {
                rules[state.rule.index()].stop = StateId(number);
            }
        }
        self.return_from_rules(rules);
        self.find_partners();
        self.find_precedence_loops(rules);
        if kind == GrammarKind::Lexer {
            for &mode in modes {
                assert_eq!(self.states[mode.index()].kind, StateKind::TokensStart);
            }
        }
    }

    fn return_from_rules(&mut self, rules: &[Rule]) {
        for number in 0..self.states.len() {
            for transition in self.states[number].transitions.clone() {
                if let Transition::Rule { rule, precedence, follow, .. } = transition {
                    let outermost = rules[rule.index()].left_recursive && precedence == 0;
                    let back = Transition::Epsilon { target: follow, precedence_return: outermost.then_some(rule) };
                    self.states[rules[rule.index()].stop.index()].transitions.push(back);
                }
            }
        }
    }

    fn find_partners(&mut self) {
        for number in 0..self.states.len() {
            let here = StateId(u32::try_from(number).expect("few"));
            let state = &self.states[number];
            match (state.kind, state.partner) {
                (StateKind::BlockStart | StateKind::PlusBlockStart | StateKind::StarBlockStart, Some(end)) => {
                    self.states[end.index()].partner = Some(here);
                }
                (StateKind::StarLoopBack, _) => {
                    let Some(Transition::Epsilon { target, .. }) = state.transitions.first() else { continue };
                    let entry = *target;
                    self.states[entry.index()].partner = Some(here);
                }
                _ => {}
            }
        }
    }

    /// The loop of a left-recursive rule: its exit leads to the end of the loop, and that to the end of the rule.
    fn find_precedence_loops(&mut self, rules: &[Rule]) {
        for number in 0..self.states.len() {
            let state = &self.states[number];
            if state.kind != StateKind::StarLoopEntry || !rules[state.rule.index()].left_recursive {
                continue;
            }
            let Some(Transition::Epsilon { target: exit, .. }) = state.transitions.last() else { continue };
            let exit = &self.states[exit.index()];
            let [Transition::Epsilon { target: end, .. }] = &exit.transitions[..] else { continue };
            if exit.kind == StateKind::LoopEnd && self.states[end.index()].kind == StateKind::RuleStop {
                self.states[number].precedence_decision = true;
            }
        }
    }
}
