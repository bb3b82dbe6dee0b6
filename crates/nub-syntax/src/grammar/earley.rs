//! Matching networks with calls: rules whose children go through a hidden rule that contains itself.
//!
//! This is Earley's algorithm (*An efficient context-free parsing algorithm*, CACM 1970) with network states in place
//! of dotted productions. Such rules are rare and their lists of children short, so the implementation is simple. A
//! list that would cost too much does not match.

use super::{
    ChildKind, HiddenToken, RuleId,
    dfa::{Event, Events},
    network::{Edge, Network},
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// More than any real list needs.
const MOST_ITEMS: usize = 400_000;

/// The position of an item: the number of children before it, and its index.
type At = (u32, u32);

#[derive(Clone, Copy)]
enum Via {
    /// The rule starts here.
    Start,
    /// From this item, without reading anything.
    Free(At, Option<Event>),
    /// From this item, by reading a child.
    Step(At),
    /// From the first item, by reading a call that ends with the second item.
    Call(At, At),
}

struct Item {
    /// The rule being read.
    rule: RuleId,
    state: u32,
    /// Where it starts.
    origin: u32,
    via: Via,
}

#[derive(Default)]
struct Set {
    items: Vec<Item>,
    known: HashSet<(RuleId, u32, u32)>,
    /// The items that wait for a rule that starts here, and the states they continue in.
    waiting: HashMap<RuleId, Vec<(u32, u32)>>,
    /// The rules that match the empty list here, and the items that prove it.
    empty: HashMap<RuleId, u32>,
}

impl Set {
    fn add(&mut self, rule: RuleId, state: u32, origin: u32, via: Via) -> usize {
        let new = self.known.insert((rule, state, origin));
        if new {
            self.items.push(Item { rule, state, origin, via });
        }
        usize::from(new)
    }
}

/// The events on a path that reads these children; `None` if there is none or finding it would take too long.
///
/// `network` gives the networks of the called rules.
pub(super) fn path<'a>(
    network: impl Fn(RuleId) -> &'a Network,
    rule: RuleId,
    kinds: &[ChildKind],
    allowed: Option<&BTreeSet<HiddenToken>>,
) -> Option<Events> {
    let mut sets: Vec<Set> = (0..=kinds.len()).map(|_| Set::default()).collect();
    sets[0].add(rule, Network::START, 0, Via::Start);
    let mut count = 0;
    for at in 0..sets.len() {
        let mut next = 0;
        while next < sets[at].items.len() {
            let Item { rule, state, origin, .. } = sets[at].items[next];
            let here = (at as u32, next as u32);
            if state == Network::ACCEPT {
                if origin == at as u32 {
                    sets[at].empty.insert(rule, next as u32);
                }
                let waiting = sets[origin as usize].waiting.get(&rule).cloned().unwrap_or_default();
                for (waiter, to) in waiting {
                    let Item { rule, origin: start, .. } = sets[origin as usize].items[waiter as usize];
                    count += sets[at].add(rule, to, start, Via::Call((origin, waiter), here));
                }
            }
            for edge in &network(rule).states[state as usize] {
                match *edge {
                    Edge::Free(mark, to) => {
                        count += sets[at].add(rule, to, origin, Via::Free(here, mark.map(Event::Mark)));
                    }
                    Edge::Hidden(token, to) => {
                        if allowed.is_none_or(|allowed| allowed.contains(&token)) {
                            count += sets[at].add(rule, to, origin, Via::Free(here, Some(Event::Hidden(token))));
                        }
                    }
                    Edge::Step(ref expected, to) => {
                        if kinds.get(at).is_some_and(|&kind| expected.contains(kind)) {
                            count += sets[at + 1].add(rule, to, origin, Via::Step(here));
                        }
                    }
                    Edge::Call(called, to) => {
                        sets[at].waiting.entry(called).or_default().push((next as u32, to));
                        count += sets[at].add(called, Network::START, at as u32, Via::Start);
                        // The rule may have matched the empty list before this item began to wait for it.
                        if let Some(&end) = sets[at].empty.get(&called) {
                            count += sets[at].add(rule, to, origin, Via::Call(here, (at as u32, end)));
                        }
                    }
                }
            }
            if count > MOST_ITEMS {
                return None;
            }
            next += 1;
        }
    }
    let last = sets.last()?;
    let accepted =
        last.items.iter().position(|item| item.rule == rule && item.origin == 0 && item.state == Network::ACCEPT)?;
    Some(walk_back(&sets, (kinds.len() as u32, accepted as u32)))
}

/// Each item records the earlier items it was first reached from, so the walk back terminates.
fn walk_back(sets: &[Set], from: At) -> Events {
    let mut events = vec![];
    let mut callers: Vec<At> = vec![];
    let mut at = from;
    loop {
        match sets[at.0 as usize].items[at.1 as usize].via {
            Via::Free(before, event) => {
                events.extend(event.map(|event| (at.0 as usize, event)));
                at = before;
            }
            Via::Step(before) => at = before,
            Via::Call(caller, end) => {
                callers.push(caller);
                at = end;
            }
            Via::Start => match callers.pop() {
                Some(caller) => at = caller,
                None => break,
            },
        }
    }
    events.reverse();
    events
}
