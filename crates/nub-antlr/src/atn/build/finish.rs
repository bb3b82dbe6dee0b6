//! Final numbers of the states, and the transitions back from rules to their callers.

use super::{
    super::{Atn, Code, GrammarKind, Rule, State, StateId, StateKind, Transition},
    Builder, RuleIr,
};

impl Builder {
    pub(super) fn finish(
        self,
        kind: GrammarKind,
        rules: &[RuleIr],
        modes: Vec<StateId>,
        code: Vec<Code>,
        max_token_type: i32,
    ) -> Atn {
        let mut numbers = vec![StateId(u32::MAX); self.states.len()];
        let kept = numbers.iter_mut().zip(&self.states).filter(|(_, state)| state.is_some());
        for (next, (number, _)) in (0..).zip(kept) {
            *number = StateId(next);
        }
        let renumber = |id: StateId| numbers[id.index()];
        let mut states: Vec<State> = self.states.into_iter().flatten().collect();
        for state in &mut states {
            state.partner = state.partner.map(renumber);
            for way in &mut state.transitions {
                let target = renumber(way.target());
                way.retarget(target);
                if let Transition::Rule { follow, .. } = way {
                    *follow = renumber(*follow);
                }
            }
        }
        let rules: Vec<Rule> = rules
            .iter()
            .zip(&self.starts)
            .map(|(rule, &(start, stop))| Rule {
                name: rule.name.clone(),
                start: renumber(start),
                stop: renumber(stop),
                left_recursive: rule.left_recursive,
                token_type: rule.token_type,
                fragment: rule.fragment,
            })
            .collect();
        mark_precedence_decisions(&mut states, &rules);
        link_callers(&mut states, &rules);
        Atn {
            kind,
            states,
            rules,
            decisions: self.decisions.into_iter().map(renumber).collect(),
            modes: modes.into_iter().map(renumber).collect(),
            lexer_commands: self.commands,
            code,
            max_token_type,
        }
    }
}

/// The loop of a rewritten rule is the one whose end is the end of the rule.
fn mark_precedence_decisions(states: &mut [State], rules: &[Rule]) {
    for index in 0..states.len() {
        let state = &states[index];
        if state.kind != StateKind::StarLoopEntry || !rules[state.rule.index()].left_recursive {
            continue;
        }
        let Some(last) = state.transitions.last() else { continue };
        let end = &states[last.target().index()];
        let leaves = end.kind == StateKind::LoopEnd
            && end.transitions.first().is_some_and(|way| states[way.target().index()].kind == StateKind::RuleStop);
        states[index].precedence_decision = leaves;
    }
}

fn link_callers(states: &mut [State], rules: &[Rule]) {
    let mut links = Vec::new();
    for way in states.iter().flat_map(|state| &state.transitions) {
        if let Transition::Rule { rule, precedence, follow, .. } = way {
            let called = &rules[rule.index()];
            let outermost = called.left_recursive && *precedence == 0;
            links.push((called.stop, *follow, outermost.then_some(*rule)));
        }
    }
    for (stop, target, precedence_return) in links {
        let ways = &mut states[stop.index()].transitions;
        if !ways.iter().any(|way| way.target() == target) {
            ways.push(Transition::Epsilon { target, precedence_return });
        }
    }
}
