//! Requirements of the grammar language beyond its syntax.

mod end;
mod label;
mod nullable;
mod recursion;
mod symbol;

pub(crate) use symbol::{file, symbols};

use super::{ir::RuleIr, unit::Unit};
use crate::g4::{Report, Sources};

/// Checks that need resolved names: empty loops, and endless recursion.
pub(crate) fn lowered(unit: &Unit, rules: &[RuleIr], lexer: bool, sources: &Sources, report: &mut Report) {
    let nullable = nullable::compute(rules);
    end::check(unit, rules, &nullable, sources, report);
    nullable::check(unit, rules, &nullable, lexer, sources, report);
    recursion::check(unit, rules, &nullable, sources, report);
}
