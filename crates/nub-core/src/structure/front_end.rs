//! What turns bytes into structures: the one door through which languages come.

use crate::{Outline, Structure, tree::Tree};
use std::{fmt, sync::Arc};

/// A language, as the algorithms see it: something that understands inputs. A pure function: the same bytes, the same
/// structure.
///
/// Tree-sitter languages, XML, ANTLR and YACC grammars, recorded trees, plain text and binary data all come as front
/// ends. `nub-syntax` has the registry.
pub trait FrontEnd: fmt::Debug + Send + Sync {
    /// Its name, for people and for the journal.
    fn name(&self) -> &str;

    /// How much it knows about inputs.
    fn knowledge(&self) -> Knowledge;

    /// The structure of an input; `None` if it has none worth using.
    fn analyse(&self, bytes: &[u8], hidden: Hidden) -> Option<Arc<dyn Structure>>;

    /// The parse tree of an input, not [prepared](crate::tree::prepare); `None` if there is none worth using.
    fn tree(&self, bytes: &[u8], hidden: Hidden) -> Option<Tree> {
        self.analyse(bytes, hidden).map(|structure| (**structure.tree()).clone())
    }

    /// Whether its structures are [strict](Structure::is_strict).
    fn is_strict(&self) -> bool {
        false
    }

    /// How many syntax errors an input has.
    fn errors(&self, _bytes: &[u8]) -> usize {
        0
    }

    /// What a user should know about an input called `name` that it cannot fully understand.
    fn complaint(&self, _name: &str, _bytes: &[u8]) -> Option<String> {
        None
    }
}

/// How much a front end knows about inputs. It decides which plan nub chooses, and which steps can work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// The grammar: trees, what may be removed from them, and which texts have syntax errors.
    Grammar,
    /// A tree of the original, and no grammar.
    Tree,
    /// What the layout shows: lines, indentation, brackets.
    Layout,
    /// That it is binary data.
    Binary,
    /// Nothing.
    Nothing,
}

/// What becomes of comments and other tokens that the grammar allows anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hidden {
    /// They lie in the gaps between tokens, and are removed with the token after them.
    #[default]
    Gaps,
    /// They are tokens of the tree, and can be removed one by one.
    Nodes,
}

impl Hidden {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gaps => "gaps",
            Self::Nodes => "nodes",
        }
    }
}

/// Text in no known language, with the structure its layout shows: see [`Outline`].
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainText;

impl FrontEnd for PlainText {
    fn name(&self) -> &str {
        "text"
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Layout
    }

    fn analyse(&self, bytes: &[u8], _: Hidden) -> Option<Arc<dyn Structure>> {
        Some(Arc::new(Outline::new(bytes)))
    }
}

/// Bytes that are not text.
#[derive(Clone, Copy, Debug, Default)]
pub struct BinaryData;

impl FrontEnd for BinaryData {
    fn name(&self) -> &str {
        "binary"
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Binary
    }

    fn analyse(&self, _: &[u8], _: Hidden) -> Option<Arc<dyn Structure>> {
        None
    }
}

/// Bytes, and nothing known about them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unknown;

impl FrontEnd for Unknown {
    fn name(&self) -> &str {
        "text"
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Nothing
    }

    fn analyse(&self, _: &[u8], _: Hidden) -> Option<Arc<dyn Structure>> {
        None
    }
}
