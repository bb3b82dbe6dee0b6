//! A plan at work.

use super::{Effort, Input, Item, Plan, Started, Validity};
use crate::{AnySearch, Batch, Candidate, Edit, FrontEnd, Patient, Scope, Search, Smaller, Taste, Valid};
use std::sync::Arc;

/// A search through the steps of a [`Plan`], each on what the one before left.
///
/// A step without progress gives way to the next. Short of [`Effort::Quick`], the search ends only when every step has
/// tried all it had to try.
#[derive(Clone)]
pub struct PlanSearch {
    plan: Arc<Plan>,
    front_end: Arc<dyn FrontEnd>,
    /// The item at work.
    at: usize,
    /// What it started on.
    input: Arc<[u8]>,
    /// What the round started on.
    round: Arc<[u8]>,
    /// The step at work, once started.
    search: Option<StepSearch>,
    /// How many items were reached: their scopes must differ.
    started: u32,
    /// Which of the effort's patiences applies.
    patience: usize,
    /// Whether a step of this round gave up.
    gave_up: bool,
    /// Whether the step before changed something.
    changed: bool,
    /// What the test thinks of candidates with syntax errors.
    taste: Taste,
}

type StepSearch = Patient<Valid<Smaller<AnySearch<Edit>>>>;

impl PlanSearch {
    /// Carries a plan out on an input, which must be interesting.
    pub fn new(plan: impl Into<Arc<Plan>>, front_end: Arc<dyn FrontEnd>, input: impl Into<Arc<[u8]>>) -> Self {
        let (plan, input) = (plan.into(), input.into());
        let taste = if plan.effort == Effort::Thorough { Taste::ANYTHING } else { Taste::default() };
        Self {
            plan,
            front_end,
            at: 0,
            round: Arc::clone(&input),
            input,
            search: None,
            started: 0,
            patience: 0,
            gave_up: false,
            changed: false,
            taste,
        }
    }

    fn item(&self) -> Option<&Item> {
        self.plan.items.get(self.at)
    }

    /// Starts the step at work. `None` if it has nothing to do.
    fn start(&self) -> Option<StepSearch> {
        let Item::Step(step) = self.item()? else { return None };
        let (bytes, front_end) = (&self.input, &*self.front_end);
        let input = Input { bytes, front_end, hidden: self.plan.hidden, changed: self.changed };
        let Started { search, smaller, validity } = step.start(&input)?;
        let search = if smaller { Smaller::new(search) } else { Smaller::or_not(search) };
        let valid = match validity {
            Validity::Unchecked => Valid::new(search, None).with_taste(self.taste),
            Validity::Learned(structure) => Valid::new(search, Some(structure)).with_taste(self.taste),
            Validity::Required(structure) => Valid::new(search, Some(structure)).with_taste(self.taste).strictly(),
            Validity::Probed(structure) => Valid::new(search, Some(structure)).with_taste(self.taste).with_all(),
        };
        let patience = if self.plan.has_rounds() { self.plan.effort.patience()[self.patience] } else { None };
        Some(Patient::new(valid, patience))
    }

    /// Ends the item at work, and decides which one is next.
    fn next_item(&mut self) {
        let before = Arc::clone(&self.input);
        let mut gave_up = false;
        if let Some(search) = self.search.take() {
            self.input = search.current().content.to_vec().into();
            self.taste = search.inner().taste();
            gave_up = search.has_given_up();
        }
        self.gave_up |= gave_up;
        self.started += 1;
        self.changed = self.input != before;
        let more_patience = self.gave_up && self.patience + 1 < self.plan.effort.patience().len();
        let round_changed = self.input != self.round;
        match self.item() {
            Some(Item::Step(step)) if step.repeats() && self.changed && !gave_up => {}
            Some(Item::Again) if round_changed || more_patience => {
                self.patience = if round_changed { 0 } else { self.patience + 1 };
                (self.at, self.gave_up, self.round) = (0, false, Arc::clone(&self.input));
            }
            _ => self.at += 1,
        }
    }

    /// Sets the scopes of different steps apart.
    fn lift(&self, mut edit: Edit) -> Edit {
        edit.scope.step = self.started;
        edit
    }
}

impl Search for PlanSearch {
    type Proposal = Edit;

    fn propose(&mut self) -> Option<Batch<Edit>> {
        while self.at < self.plan.items.len() {
            if self.search.is_none() {
                self.search = self.start();
            }
            if let Some(batch) = self.search.as_mut().and_then(Search::propose) {
                let lift =
                    |candidate: Candidate<Edit>| Candidate { label: candidate.label, what: self.lift(candidate.what) };
                return Some(batch.into_iter().map(lift).collect());
            }
            self.next_item();
        }
        None
    }

    fn answer(&mut self, interesting: &[usize]) {
        if let Some(search) = &mut self.search {
            search.answer(interesting);
        }
    }

    fn current(&self) -> Edit {
        self.lift(match &self.search {
            Some(search) => search.current(),
            None => {
                let (units, weight) = (self.input.len(), self.input.len() as u64);
                let content = Arc::new(Arc::clone(&self.input));
                Edit { scope: Scope::default(), units, weight, step: "".into(), content }
            }
        })
    }
}
