//! What a test says about a candidate.

use nub_core::Verdict;

/// The verdict of one test.
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
    /// It said so itself, when two inputs are compared: it exited with 125, or what must hold for a pass does not.
    Skipped,
}

impl Outcome {
    /// Whether the candidate is interesting.
    pub fn is_interesting(self) -> bool {
        self == Self::Interesting
    }

    /// What a search is told of it.
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Interesting => Verdict::Interesting,
            Self::Uninteresting => Verdict::Uninteresting,
            Self::Unresolved(_) => Verdict::Unresolved,
        }
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
            'S' => Self::Unresolved(Unresolved::Skipped),
            _ => return None,
        })
    }
}
