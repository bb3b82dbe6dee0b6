//! Compares our networks with those of ANTLR's tool.

use nub_antlr::{
    Grammar,
    atn::{ActionId, Atn, IntervalSet, LexerCommand, StateId, StateKind, Transition},
};

use regex_syntax::hir::{Class, HirKind};

use super::interp::{Interp, JavaAtn, JavaEdge};

/// Compares everything that both have, including the numbers of the states.
pub(crate) fn compare(what: &str, grammar: &Grammar, java: &Interp) {
    let compiled = grammar.compiled();
    let atn = if java.atn.lexer { &compiled.lexer.atn } else { &compiled.parser.atn };
    let names: Vec<&str> = atn.rules.iter().map(|rule| &rule.name[..]).collect();
    assert_eq!(names, java.rules, "{what}: rules");
    if java.atn.lexer {
        assert_eq!(compiled.lexer.modes, java.modes, "{what}: modes");
        // The tool leaves a gap after the two channels that always exist.
        let channels: Vec<&String> = java.channels.iter().filter(|&channel| channel != "null").collect();
        assert_eq!(compiled.lexer.channels.iter().collect::<Vec<_>>(), channels, "{what}: channels");
    }
    let ours = &compiled.vocabulary;
    for token_type in 0..java.symbols.len() {
        let symbol = ours.symbolic[token_type].clone().filter(|name| !name.starts_with("T__"));
        assert_eq!(symbol, java.symbols[token_type], "{what}: name of token {token_type}");
        let literal = java.literals.get(token_type).cloned().flatten();
        assert_eq!(ours.literal[token_type], literal, "{what}: literal of token {token_type}");
    }
    if !java.atn.lexer {
        assert_eq!(ours.symbolic.len(), java.symbols.len(), "{what}: tokens");
    }
    networks(what, atn, &java.atn);
}

fn networks(what: &str, ours: &Atn, java: &JavaAtn) {
    assert_eq!(ours.max_token_type, java.max_token_type, "{what}: largest type");
    // The tool adds one state after all parser rules, to which only stop states lead.
    let extra = usize::from(!java.lexer);
    for (index, theirs) in java.states.iter().enumerate().take(java.states.len() - extra) {
        let place = format!("{what}: state {index} of {}", java.states.len());
        let state = ours.states.get(index).unwrap_or_else(|| panic!("{place} is missing"));
        assert_eq!(state.kind, theirs.kind, "{place}: kind");
        assert_eq!(state.rule.0.cast_signed(), theirs.rule, "{place}: rule");
        assert_eq!(state.non_greedy, theirs.non_greedy, "{place}: greedy");
        if state.kind == StateKind::RuleStop {
            continue;
        }
        let edges: Vec<JavaEdge> = state.transitions.iter().map(|way| edge(ours, java, way, &theirs.edges)).collect();
        let same = edges.len() == theirs.edges.len() && edges.iter().zip(&theirs.edges).all(|(a, b)| same_edge(a, b));
        assert!(same, "{place}: edges\n ours: {edges:?}\ntheirs: {:?}", theirs.edges);
        match state.kind {
            StateKind::PlusBlockStart => {
                let end = theirs.partner.map(|end| &ours.states[end]);
                assert_eq!(end.and_then(|end| end.partner).map(StateId::index), Some(index), "{place}: block end");
            }
            _ if theirs.partner.is_some() => {
                assert_eq!(state.partner.map(StateId::index), theirs.partner, "{place}: partner");
            }
            _ => {}
        }
    }
    assert_eq!(ours.states.len(), java.states.len() - extra, "{what}: number of states");
    returns(what, ours, java);
    let decisions: Vec<usize> = ours.decisions.iter().map(|id| id.index()).collect();
    assert_eq!(decisions, java.decisions, "{what}: decisions");
    let modes: Vec<usize> = ours.modes.iter().map(|id| id.index()).collect();
    assert_eq!(modes, java.modes, "{what}: modes");
    for (rule, &(start, token_type)) in ours.rules.iter().zip(&java.rules) {
        let place = format!("{what}: rule {}", rule.name);
        assert_eq!(rule.start.index(), start, "{place}: start");
        assert_eq!(rule.left_recursive, java.states[start].left_recursive, "{place}: left recursion");
        if java.lexer {
            assert_eq!(rule.token_type, token_type, "{place}: type");
        }
    }
}

/// The tool does not write down the transitions out of stop states: its runtime derives them from the calls, in the
/// order of the states.
fn returns(what: &str, ours: &Atn, java: &JavaAtn) {
    let mut expected: Vec<Vec<(usize, Option<u32>)>> = vec![Vec::new(); ours.rules.len()];
    for edge in java.states.iter().flat_map(|state| &state.edges) {
        if let JavaEdge::Rule { start, rule, precedence, follow } = edge {
            let outermost = java.states[*start].left_recursive && *precedence == 0;
            let ways = &mut expected[usize::try_from(*rule).expect("a rule")];
            if !ways.iter().any(|(target, _)| target == follow) {
                ways.push((*follow, outermost.then_some(rule.cast_unsigned())));
            }
        }
    }
    for (rule, expected) in ours.rules.iter().zip(expected) {
        let ways = ours.states[rule.stop.index()].transitions.iter().map(|way| match way {
            Transition::Epsilon { target, precedence_return } => (target.index(), precedence_return.map(|rule| rule.0)),
            other => panic!("{what}: {other:?} at the end of a rule"),
        });
        assert_eq!(ways.collect::<Vec<_>>(), expected, "{what}: callers of {}", rule.name);
    }
}

fn edge(ours: &Atn, java: &JavaAtn, way: &Transition, theirs: &[JavaEdge]) -> JavaEdge {
    match way {
        Transition::Epsilon { target, .. } => JavaEdge::Epsilon(target.index()),
        Transition::Atom { target, label } => JavaEdge::Atom(target.index(), *label),
        Transition::Set { target, set } => JavaEdge::Set(target.index(), set.clone()),
        Transition::NotSet { target, set } => JavaEdge::NotSet(target.index(), set.clone()),
        Transition::Wildcard { target } => JavaEdge::Wildcard(target.index()),
        Transition::Rule { target, rule, precedence, follow } => JavaEdge::Rule {
            start: target.index(),
            rule: rule.0.cast_signed(),
            precedence: precedence.cast_signed(),
            follow: follow.index(),
        },
        Transition::Predicate { target, code } => {
            let code = &ours.code[code.index()];
            JavaEdge::Predicate {
                target: target.index(),
                rule: code.rule.0.cast_signed(),
                index: code.index.cast_signed(),
                context: code.context_dependent,
            }
        }
        Transition::Precedence { target, precedence } => JavaEdge::Precedence(target.index(), precedence.cast_signed()),
        Transition::Action { target, action } => {
            // Java numbers actions and commands together; only their content is compared.
            let Some(&JavaEdge::Action { rule, index, .. }) = theirs.first() else {
                panic!("expected an action: {theirs:?}")
            };
            if java.lexer {
                let numbers = java.actions[usize::try_from(index).expect("a number")];
                assert_eq!(lexer_action(ours, action.expect("lexers have no empty actions")), numbers);
            }
            JavaEdge::Action { target: target.index(), rule, index }
        }
    }
}

fn lexer_action(ours: &Atn, action: ActionId) -> [i32; 3] {
    match action {
        ActionId::Code(code) => {
            let code = &ours.code[code.index()];
            [1, code.rule.0.cast_signed(), code.index.cast_signed()]
        }
        ActionId::Command(command) => match ours.lexer_commands[command as usize] {
            LexerCommand::Channel(channel) => [0, channel.cast_signed(), 0],
            LexerCommand::Mode(mode) => [2, mode.cast_signed(), 0],
            LexerCommand::More => [3, 0, 0],
            LexerCommand::PopMode => [4, 0, 0],
            LexerCommand::PushMode(mode) => [5, mode.cast_signed(), 0],
            LexerCommand::Skip => [6, 0, 0],
            LexerCommand::Type(token_type) => [7, token_type, 0],
        },
    }
}

fn same_edge(ours: &JavaEdge, theirs: &JavaEdge) -> bool {
    match (ours, theirs) {
        (JavaEdge::Set(target, set), JavaEdge::Set(other_target, other))
        | (JavaEdge::NotSet(target, set), JavaEdge::NotSet(other_target, other)) => {
            target == other_target && (set == other || same_properties(set, other))
        }
        _ => ours == theirs,
    }
}

/// The tool has the properties of Unicode 15.0, and we have those of a later version. Sets that come from properties
/// count as equal if they differ, among the characters of that version, in a few whose properties were corrected since.
fn same_properties(ours: &IntervalSet, theirs: &IntervalSet) -> bool {
    let assigned = regex_syntax::parse(r"\p{Age=15.0}").expect("a regular expression");
    let HirKind::Class(Class::Unicode(assigned)) = assigned.kind() else { panic!("a class of characters") };
    let old = assigned.iter().flat_map(|range| range.start()..=range.end());
    let differing = old.filter(|&c| ours.contains(c as i32) != theirs.contains(c as i32)).count();
    ours.intervals().len() > 20 && differing <= 20
}
