//! Makes sure that recovery terminates.
//!
//! ANTLR's does not always: a loop may continue with nothing but tokens that recovery inserted, and a rule that
//! requires itself calls itself endlessly at the end of the input, which can be matched any number of times. Events at
//! one place are counted, and if there are too many, the token there is discarded. The limits are far above what a
//! parse that makes progress needs.

/// The events at one place of the input.
#[derive(Debug, Default)]
pub(super) struct Progress {
    place: usize,
    /// How many more events are allowed.
    left: usize,
    stuck: bool,
}

impl Progress {
    /// Counts a rule call or an inserted token, at a place where `most` of them are allowed.
    pub(super) fn count(&mut self, place: usize, most: usize) {
        if self.place != place || self.left == 0 {
            (self.place, self.left) = (place, most);
        }
        self.left -= 1;
        self.stuck = self.left == 0;
    }

    /// Whether there were too many events. Asking resets the answer.
    #[inline]
    pub(super) fn take_stuck(&mut self) -> bool {
        std::mem::take(&mut self.stuck)
    }
}

#[cfg(test)]
mod tests {
    use crate::Grammar;

    fn errors(grammar: &str, source: &str) -> usize {
        let grammar = Grammar::from_sources(&[("T.g4", grammar)]).expect("a grammar");
        grammar.parse("s", source.as_bytes()).expect("a rule s").errors().len()
    }

    #[test]
    fn loops_over_missing_tokens_terminate() {
        let grammar =
            "grammar T; s : stat* EOF ; stat : ID '!' | e ';' ; e : '(' e ')' | e '<' e | X* ; X : 'x' ; ID : 'a' ;";
        assert!(errors(grammar, "(a<);(a<);") > 0);
        let grammar = "grammar T; s : e ';' s | EOF ; e : '(' e ')' | e '<' e | X* ; X : 'x' ; ID : 'a' ;";
        assert!(errors(grammar, "(a<);(a<);") > 0);
    }

    #[test]
    fn rules_that_require_themselves_terminate() {
        let grammar = "grammar T; s : list EOF ; list : item s ; item : A ; A : 'a' ;";
        assert!(errors(grammar, "aa") > 0);
        let grammar = "grammar T; s : A* EOF s ; A : 'a' ;";
        assert_eq!(errors(grammar, "aa"), 0);
    }
}
