//! Blocks and loops.

use super::{
    super::{Quantifier, StateId, StateKind, Transition},
    AltIr, Builder, Piece,
};

impl Builder {
    pub(super) fn block(&mut self, alternatives: &[AltIr]) -> Piece {
        let pieces = self.alternatives(alternatives);
        if let [only] = pieces[..] {
            return only;
        }
        let start = self.decision_state(StateKind::BlockStart);
        self.enclose(start, &pieces)
    }

    fn alternatives(&mut self, alternatives: &[AltIr]) -> Vec<Piece> {
        alternatives.iter().map(|alternative| self.alternative(alternative)).collect()
    }

    /// Puts alternatives between a start and an end.
    fn enclose(&mut self, start: StateId, pieces: &[Piece]) -> Piece {
        let end = self.state(StateKind::BlockEnd);
        self.at(start).partner = Some(end);
        self.at(end).partner = Some(start);
        for piece in pieces {
            self.epsilon(start, piece.left);
            self.epsilon(piece.right, end);
            self.shorten_tails(piece.left);
        }
        Piece { left: start, right: end }
    }

    /// Removes states that only lead to the end of a block, wherever they can be reached without entering a rule.
    /// States after a call are not reached, as in ANTLR.
    fn shorten_tails(&mut self, from: StateId) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = vec![from];
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            self.shorten_tail(id);
            let ways = self.get(id).transitions.iter();
            let ways = ways.filter(|way| !matches!(way, Transition::Rule { .. }));
            todo.extend(ways.map(Transition::target));
        }
    }

    fn shorten_tail(&mut self, id: StateId) {
        let state = self.get(id);
        if state.kind != StateKind::Basic {
            return;
        }
        let [way] = &state.transitions[..] else { return };
        let middle = match way {
            Transition::Rule { follow, .. } => *follow,
            other => other.target(),
        };
        let skipped = self.get(middle);
        if skipped.kind != StateKind::Basic {
            return;
        }
        let [Transition::Epsilon { target, .. }] = skipped.transitions[..] else { return };
        if !matches!(self.get(target).kind, StateKind::BlockEnd | StateKind::PlusLoopBack | StateKind::StarLoopBack) {
            return;
        }
        match &mut self.at(id).transitions[0] {
            Transition::Rule { follow, .. } => *follow = target,
            other => other.retarget(target),
        }
        self.states[middle.index()] = None;
    }

    pub(super) fn quantified(
        &mut self,
        alternatives: &[AltIr],
        quantifier: Quantifier,
        greedy: bool,
        written: bool,
    ) -> Piece {
        let pieces = self.alternatives(alternatives);
        let kind = match quantifier {
            Quantifier::Optional => StateKind::BlockStart,
            Quantifier::Star => StateKind::StarBlockStart,
            Quantifier::Plus => StateKind::PlusBlockStart,
        };
        let start = self.state(kind);
        if quantifier == Quantifier::Optional || pieces.len() > 1 {
            self.decide(start);
        }
        let block = self.enclose(start, &pieces);
        let piece = match quantifier {
            Quantifier::Optional => self.optional(block, greedy),
            Quantifier::Star => self.star(block, greedy),
            Quantifier::Plus => self.plus(block, greedy),
        };
        self.at(piece.left).quantifier = written.then_some(quantifier);
        piece
    }

    fn optional(&mut self, block: Piece, greedy: bool) -> Piece {
        let start = self.at(block.left);
        start.non_greedy = !greedy;
        let past = Transition::Epsilon { target: block.right, precedence_return: None };
        let index = if greedy { start.transitions.len() } else { 0 };
        start.transitions.insert(index, past);
        block
    }

    fn star(&mut self, block: Piece, greedy: bool) -> Piece {
        let entry = self.decision_state(StateKind::StarLoopEntry);
        let end = self.state(StateKind::LoopEnd);
        let back = self.state(StateKind::StarLoopBack);
        self.at(entry).non_greedy = !greedy;
        self.at(entry).partner = Some(back);
        self.at(end).partner = Some(back);
        self.fork(entry, block.left, end, greedy);
        self.epsilon(block.right, back);
        self.epsilon(back, entry);
        Piece { left: entry, right: end }
    }

    fn plus(&mut self, block: Piece, greedy: bool) -> Piece {
        let back = self.decision_state(StateKind::PlusLoopBack);
        let end = self.state(StateKind::LoopEnd);
        self.at(back).non_greedy = !greedy;
        self.at(block.left).partner = Some(back);
        self.at(end).partner = Some(back);
        self.epsilon(block.right, back);
        self.fork(back, block.left, end, greedy);
        Piece { left: block.left, right: end }
    }

    /// One more iteration or out: a non-greedy loop tries to leave first.
    fn fork(&mut self, from: StateId, again: StateId, out: StateId, greedy: bool) {
        let (first, second) = if greedy { (again, out) } else { (out, again) };
        self.epsilon(from, first);
        self.epsilon(from, second);
    }
}
