//! Prediction with the real stack.

use super::{
    config::Config,
    conflict::single_viable,
    context::Root,
    predictor::{Host, NoViable, Predictor},
};
use crate::atn::EOF;

impl Predictor {
    /// Full LL prediction. Between alternatives that cannot be told apart, the first one wins.
    pub(super) fn full(&mut self, decision: usize, host: &mut dyn Host) -> Result<u32, NoViable> {
        let stack = self.stack_of(host);
        self.start(decision, stack, Root::Exact, host);
        let mut previous: Vec<Config> = self.reached.configs().to_vec();
        let mut distance = 0;
        loop {
            self.statistics.full_steps += 1;
            let token = host.token(distance);
            if !self.reach(decision, &previous, token, Root::Exact, host) {
                return self.finished(&previous, host).ok_or(NoViable { distance });
            }
            let reached = self.reached.configs();
            if let Some(alt) = self.reached.unique_alt().or_else(|| single_viable(reached)) {
                return Ok(alt);
            }
            if token == EOF {
                if reached == previous {
                    // Nothing can change any more; conflicts with different first alternatives remain ambiguous.
                    return reached.iter().map(|config| config.alt).min().ok_or(NoViable { distance });
                }
            } else {
                distance += 1;
            }
            previous.clear();
            previous.extend_from_slice(reached);
        }
    }
}
