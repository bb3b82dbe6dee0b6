//! Reads the `.interp` files of ANTLR's tool: names, and the network as a list of numbers.

use std::{io::Read, path::Path};

use flate2::read::GzDecoder;
use nub_antlr::atn::{EOF, IntervalSet, StateKind};

/// The content of a file.
#[derive(Debug, Default)]
pub(crate) struct Interp {
    pub(crate) literals: Vec<Option<String>>,
    pub(crate) symbols: Vec<Option<String>>,
    pub(crate) rules: Vec<String>,
    pub(crate) channels: Vec<String>,
    pub(crate) modes: Vec<String>,
    pub(crate) atn: JavaAtn,
}

/// The network.
#[derive(Debug, Default)]
pub(crate) struct JavaAtn {
    pub(crate) lexer: bool,
    pub(crate) max_token_type: i32,
    pub(crate) states: Vec<JavaState>,
    /// Start state and token type.
    pub(crate) rules: Vec<(usize, i32)>,
    pub(crate) modes: Vec<usize>,
    pub(crate) decisions: Vec<usize>,
    /// Kind and two numbers.
    pub(crate) actions: Vec<[i32; 3]>,
}

#[derive(Debug)]
pub(crate) struct JavaState {
    pub(crate) kind: StateKind,
    pub(crate) rule: i32,
    /// End of the block or loop-back.
    pub(crate) partner: Option<usize>,
    pub(crate) non_greedy: bool,
    /// For a rule's start state.
    pub(crate) left_recursive: bool,
    pub(crate) edges: Vec<JavaEdge>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JavaEdge {
    Epsilon(usize),
    Set(usize, IntervalSet),
    NotSet(usize, IntervalSet),
    Atom(usize, i32),
    Wildcard(usize),
    Rule { start: usize, rule: i32, precedence: i32, follow: usize },
    Predicate { target: usize, rule: i32, index: i32, context: bool },
    Precedence(usize, i32),
    Action { target: usize, rule: i32, index: i32 },
}

impl Interp {
    pub(crate) fn read_gz(path: &Path) -> Self {
        let mut text = String::new();
        let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        GzDecoder::new(file).read_to_string(&mut text).expect("valid gzip");
        Self::parse(&text)
    }

    pub(crate) fn parse(text: &str) -> Self {
        let mut interp = Self::default();
        let mut section = "";
        for line in text.lines() {
            if line.is_empty() {
                continue;
            }
            let name = || (line != "null").then(|| line.to_owned());
            match (section, line) {
                (
                    _,
                    "token literal names:"
                    | "token symbolic names:"
                    | "rule names:"
                    | "channel names:"
                    | "mode names:"
                    | "atn:",
                ) => section = line,
                ("token literal names:", _) => interp.literals.push(name()),
                ("token symbolic names:", _) => interp.symbols.push(name()),
                ("rule names:", _) => interp.rules.push(line.to_owned()),
                ("channel names:", _) => interp.channels.push(line.to_owned()),
                ("mode names:", _) => interp.modes.push(line.to_owned()),
                ("atn:", _) => {
                    let numbers = line.trim_matches(['[', ']']).split(',');
                    let numbers: Vec<i32> = numbers.map(|n| n.trim().parse().expect("a number")).collect();
                    interp.atn = deserialise(&numbers);
                }
                _ => panic!("{section} {line}"),
            }
        }
        interp
    }
}

struct Reader<'a>(std::slice::Iter<'a, i32>);

impl Reader<'_> {
    fn next(&mut self) -> i32 {
        *self.0.next().expect("more numbers")
    }

    fn size(&mut self) -> usize {
        usize::try_from(self.next()).expect("no negative number")
    }

    fn sizes(&mut self) -> Vec<usize> {
        (0..self.size()).map(|_| self.size()).collect()
    }
}

fn deserialise(numbers: &[i32]) -> JavaAtn {
    let mut reader = Reader(numbers.iter());
    assert_eq!(reader.next(), 4, "version");
    let mut atn = JavaAtn { lexer: reader.next() == 0, max_token_type: reader.next(), ..JavaAtn::default() };
    for _ in 0..reader.size() {
        let kind = kind(reader.next());
        let rule = reader.next();
        let rule = if rule == 0xFFFF { -1 } else { rule };
        let has_partner = matches!(
            kind,
            StateKind::LoopEnd | StateKind::BlockStart | StateKind::PlusBlockStart | StateKind::StarBlockStart
        );
        let partner = has_partner.then(|| reader.size());
        atn.states.push(JavaState { kind, rule, partner, non_greedy: false, left_recursive: false, edges: Vec::new() });
    }
    for state in reader.sizes() {
        atn.states[state].non_greedy = true;
    }
    for state in reader.sizes() {
        atn.states[state].left_recursive = true;
    }
    for _ in 0..reader.size() {
        let start = reader.size();
        atn.rules.push((start, if atn.lexer { reader.next() } else { 0 }));
    }
    atn.modes = reader.sizes();
    let sets: Vec<IntervalSet> = (0..reader.size()).map(|_| set(&mut reader)).collect();
    for _ in 0..reader.size() {
        let (source, target, kind) = (reader.size(), reader.size(), reader.next());
        let arguments = [reader.next(), reader.next(), reader.next()];
        atn.states[source].edges.push(edge(target, kind, arguments, &sets));
    }
    atn.decisions = reader.sizes();
    if atn.lexer {
        atn.actions = (0..reader.size()).map(|_| [reader.next(), reader.next(), reader.next()]).collect();
    }
    assert_eq!(reader.0.len(), 0, "some numbers were not read");
    atn
}

fn set(reader: &mut Reader<'_>) -> IntervalSet {
    let (count, eof) = (reader.size(), reader.next());
    let mut set: IntervalSet = (0..count).map(|_| (reader.next(), reader.next())).collect();
    if eof != 0 {
        set.insert(EOF, EOF);
    }
    set
}

fn edge(target: usize, kind: i32, [first, second, third]: [i32; 3], sets: &[IntervalSet]) -> JavaEdge {
    let index = |number: i32| usize::try_from(number).expect("no negative number");
    match kind {
        1 => JavaEdge::Epsilon(target),
        2 => JavaEdge::Set(target, [(if third == 0 { first } else { EOF }, second)].into_iter().collect()),
        3 => JavaEdge::Rule { start: index(first), rule: second, precedence: third, follow: target },
        4 => JavaEdge::Predicate { target, rule: first, index: second, context: third != 0 },
        5 => JavaEdge::Atom(target, if third == 0 { first } else { EOF }),
        6 => JavaEdge::Action { target, rule: first, index: second },
        7 => JavaEdge::Set(target, sets[index(first)].clone()),
        8 => JavaEdge::NotSet(target, sets[index(first)].clone()),
        9 => JavaEdge::Wildcard(target),
        10 => JavaEdge::Precedence(target, first),
        _ => panic!("edge {kind}"),
    }
}

fn kind(number: i32) -> StateKind {
    match number {
        1 => StateKind::Basic,
        2 => StateKind::RuleStart,
        3 => StateKind::BlockStart,
        4 => StateKind::PlusBlockStart,
        5 => StateKind::StarBlockStart,
        6 => StateKind::TokensStart,
        7 => StateKind::RuleStop,
        8 => StateKind::BlockEnd,
        9 => StateKind::StarLoopBack,
        10 => StateKind::StarLoopEntry,
        11 => StateKind::PlusLoopBack,
        12 => StateKind::LoopEnd,
        _ => panic!("state {number}"),
    }
}
