//! One JSON object per line on standard output, for programs.

use super::{Event, Screen};
use std::io::Write;

pub(super) struct Json;

impl Screen for Json {
    fn show(&mut self, event: &Event<'_>) {
        // Numbers, strings and booleans always serialise, and a closed pipe is no reason to stop reducing.
        if let Ok(line) = serde_json::to_string(event) {
            let _ = writeln!(std::io::stdout(), "{line}");
        }
    }
}
