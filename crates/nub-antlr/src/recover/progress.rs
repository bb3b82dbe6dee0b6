//! Recovery comes to an end.
//!
//! ANTLR's does not always: a loop may go on with nothing but tokens that recovery made up, and a rule that needs
//! itself calls itself again and again at the end of the input, which can be matched for ever. What happens at one
//! place is counted, and if it is too much, the token there is thrown away. The limits are far above what a parse that
//! gets anywhere needs.

/// What has happened at one place of the input.
#[derive(Debug, Default)]
pub(super) struct Progress {
    place: usize,
    /// How much more may happen.
    left: usize,
    stuck: bool,
}

impl Progress {
    /// Another rule is called or a token made up, at a place where this may happen so many times.
    pub(super) fn count(&mut self, place: usize, most: usize) {
        if self.place != place || self.left == 0 {
            (self.place, self.left) = (place, most);
        }
        self.left -= 1;
        self.stuck = self.left == 0;
    }

    /// Whether it is too much. Asked once, it is forgotten.
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
    fn loops_over_missing_tokens_end() {
        let grammar =
            "grammar T; s : stat* EOF ; stat : ID '!' | e ';' ; e : '(' e ')' | e '<' e | X* ; X : 'x' ; ID : 'a' ;";
        assert!(errors(grammar, "(a<);(a<);") > 0);
        let grammar = "grammar T; s : e ';' s | EOF ; e : '(' e ')' | e '<' e | X* ; X : 'x' ; ID : 'a' ;";
        assert!(errors(grammar, "(a<);(a<);") > 0);
    }

    #[test]
    fn rules_that_need_themselves_end() {
        let grammar = "grammar T; s : list EOF ; list : item s ; item : A ; A : 'a' ;";
        assert!(errors(grammar, "aa") > 0);
        let grammar = "grammar T; s : A* EOF s ; A : 'a' ;";
        assert_eq!(errors(grammar, "aa"), 0);
    }
}
