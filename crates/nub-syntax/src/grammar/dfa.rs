//! Lazily determinised networks without calls.
//!
//! A state is the set of network states that a list of children can lead to. Every state records how each of its
//! members was reached, and every transition records the member it came from. An accepted list can therefore be traced
//! back along one path through the network, and the marks on that path show which children belong together.

use super::{
    ChildKind, HiddenToken,
    network::{Edge, Mark, Network},
};
use std::collections::{BTreeSet, HashMap};

/// What a path meets besides children, in order, each with the number of children before it.
pub(super) type Events = Vec<(usize, Event)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Mark(Mark),
    Hidden(HiddenToken),
}

/// How a member of a state was reached.
#[derive(Clone, Copy, Debug)]
enum Via {
    /// By reading a child.
    Step,
    /// From an earlier member.
    Free(u32, Option<Event>),
}

#[derive(Debug)]
struct State {
    members: Vec<(u32, Via)>,
    /// The member that is the accepting state of the network.
    accept: Option<u32>,
}

/// The next state and, for each member of its core, the member of this state that it was reached from.
type Transition = (u32, Box<[u32]>);

#[derive(Debug)]
pub(super) struct Dfa {
    /// The hidden tokens that may be skipped; `None` for all.
    allowed: Option<BTreeSet<HiddenToken>>,
    states: Vec<State>,
    /// States by their core: the members reached by reading a child, which come first.
    by_core: HashMap<Box<[u32]>, u32>,
    transitions: HashMap<(u32, ChildKind), Option<Transition>>,
}

impl Dfa {
    pub(super) const START: u32 = 0;

    pub(super) fn new(network: &Network, allowed: Option<BTreeSet<HiddenToken>>) -> Self {
        let mut dfa = Self { allowed, states: vec![], by_core: HashMap::new(), transitions: HashMap::new() };
        dfa.state(network, Box::new([Network::START]));
        dfa
    }

    fn state(&mut self, network: &Network, core: Box<[u32]>) -> u32 {
        if let Some(&state) = self.by_core.get(&core) {
            return state;
        }
        let mut members: Vec<(u32, Via)> = core.iter().map(|&member| (member, Via::Step)).collect();
        let mut seen: BTreeSet<u32> = core.iter().copied().collect();
        let mut next = 0;
        while next < members.len() {
            for edge in &network.states[members[next].0 as usize] {
                let (event, to) = match *edge {
                    Edge::Free(mark, to) => (mark.map(Event::Mark), to),
                    Edge::Hidden(token, to) if self.allowed.as_ref().is_none_or(|set| set.contains(&token)) => {
                        (Some(Event::Hidden(token)), to)
                    }
                    _ => continue,
                };
                if seen.insert(to) {
                    members.push((to, Via::Free(next as u32, event)));
                }
            }
            next += 1;
        }
        let accept = members.iter().position(|&(member, _)| member == Network::ACCEPT).map(|at| at as u32);
        let id = self.states.len() as u32;
        self.states.push(State { members, accept });
        self.by_core.insert(core, id);
        id
    }

    /// The state after a child; `None` if no sentence continues with it.
    pub(super) fn step(&mut self, network: &Network, state: u32, kind: ChildKind) -> Option<u32> {
        if let Some(known) = self.transitions.get(&(state, kind)) {
            return known.as_ref().map(|&(next, _)| next);
        }
        let mut core: Vec<(u32, u32)> = vec![];
        for (i, &(member, _)) in self.states[state as usize].members.iter().enumerate() {
            for edge in &network.states[member as usize] {
                match edge {
                    Edge::Step(kinds, to) if kinds.contains(kind) => core.push((*to, i as u32)),
                    _ => {}
                }
            }
        }
        core.sort_unstable();
        core.dedup_by_key(|&mut (to, _)| to);
        let next = (!core.is_empty()).then(|| {
            let (core, from): (Vec<u32>, Vec<u32>) = core.into_iter().unzip();
            (self.state(network, core.into()), from.into())
        });
        let result = next.as_ref().map(|&(next, _)| next);
        self.transitions.insert((state, kind), next);
        result
    }

    pub(super) fn is_accepting(&self, state: u32) -> bool {
        self.states[state as usize].accept.is_some()
    }

    /// The events on a path that reads these children; `None` if there is none.
    pub(super) fn path(&mut self, network: &Network, kinds: &[ChildKind]) -> Option<Events> {
        let mut states = Vec::with_capacity(kinds.len() + 1);
        states.push(Self::START);
        for &kind in kinds {
            states.push(self.step(network, *states.last()?, kind)?);
        }
        let mut member = self.states[*states.last()? as usize].accept?;
        let mut events = vec![];
        for at in (0..=kinds.len()).rev() {
            let state = &self.states[states[at] as usize];
            // Members of the core come first, in order, so their index is also their index in the transition.
            while let Via::Free(before, event) = state.members[member as usize].1 {
                events.extend(event.map(|event| (at, event)));
                member = before;
            }
            if at > 0 {
                let (_, from) = self.transitions.get(&(states[at - 1], kinds[at - 1]))?.as_ref()?;
                member = from[member as usize];
            }
        }
        events.reverse();
        Some(events)
    }
}
