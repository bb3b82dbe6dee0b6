//! How hard a plan tries.

/// How hard a reduction tries before it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Effort {
    /// A step without progress is abandoned for good.
    Quick,
    /// Every step gets to try everything in the end.
    #[default]
    Normal,
    /// In addition, candidates that do not parse are tested.
    Thorough,
}

impl Effort {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Normal, Self::Thorough];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Normal => "normal",
            Self::Thorough => "thorough",
        }
    }

    /// How many tests without progress a step gets in the first round, in the next round if that changes nothing, and
    /// so on.
    pub(super) fn patience(self) -> &'static [Option<usize>] {
        match self {
            Self::Quick => &[Some(60)],
            Self::Normal | Self::Thorough => &[Some(150), Some(1000), None],
        }
    }
}
