//! What a test says about a candidate.

/// The outcome of a test.
///
/// A reduction only asks whether a candidate [is interesting](Self::is_interesting); isolation tells all three apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The property is kept (the papers' FAIL, ✗).
    Interesting,
    /// It is not (the papers' PASS, ✓).
    Uninteresting,
    /// No answer (the papers' ?): a reduction treats it as uninteresting, and counts it separately.
    Unresolved(Unresolved),
}

/// Why a test gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unresolved {
    /// It ran longer than the time-out.
    TimedOut,
    /// A signal ended it (not one the user asked for).
    Killed,
    /// The program could not be started, or the co-process broke off before it answered.
    NotStarted,
    /// The test declined to answer (exit code 125 in an isolation), or was not run because the answer is not needed.
    Skipped,
}

impl Outcome {
    /// No answer, for no fault of the test. Also the guess that speculation runs ahead on, as no search
    /// [heeds](crate::Search::heeds) it.
    pub const SKIPPED: Self = Self::Unresolved(Unresolved::Skipped);

    /// Whether the candidate is interesting.
    pub fn is_interesting(self) -> bool {
        self == Self::Interesting
    }

    /// Whether there is no answer.
    pub fn is_unresolved(self) -> bool {
        matches!(self, Self::Unresolved(_))
    }

    /// One letter, as in the journal: `I`, `U`, `T` (timed out), `K` (killed), `N` (not started), `S` (skipped).
    pub fn letter(self) -> char {
        match self {
            Self::Interesting => 'I',
            Self::Uninteresting => 'U',
            Self::Unresolved(Unresolved::TimedOut) => 'T',
            Self::Unresolved(Unresolved::Killed) => 'K',
            Self::Unresolved(Unresolved::NotStarted) => 'N',
            Self::Unresolved(Unresolved::Skipped) => 'S',
        }
    }

    /// The outcome with that [`letter`](Self::letter).
    pub fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'I' => Self::Interesting,
            'U' => Self::Uninteresting,
            'T' => Self::Unresolved(Unresolved::TimedOut),
            'K' => Self::Unresolved(Unresolved::Killed),
            'N' => Self::Unresolved(Unresolved::NotStarted),
            'S' => Self::SKIPPED,
            _ => return None,
        })
    }
}
