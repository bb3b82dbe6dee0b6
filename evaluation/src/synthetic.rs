//! Inputs with a test that behaves like those of real life: some lines are needed, others come and go together.

use crate::random::Random;
use std::str;

/// The smallest line of a generated input is its number, so that the test knows which lines are left.
const WIDTH: usize = 7;

type IsInteresting = Box<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// An input and its test.
pub(crate) struct Input {
    pub(crate) text: Vec<u8>,
    is_interesting: IsInteresting,
}

impl Input {
    pub(crate) fn lines(&self) -> usize {
        self.text.split_inclusive(|&byte| byte == b'\n').count()
    }

    pub(crate) fn is_interesting(&self, candidate: &[u8]) -> bool {
        (self.is_interesting)(candidate)
    }

    /// Numbered lines and a test that looks at which of them are left.
    fn numbered(lines: usize, is_interesting: impl Fn(&[bool]) -> bool + Send + Sync + 'static) -> Self {
        let text = (0..lines).flat_map(|line| format!("{line:06}\n").into_bytes()).collect();
        let is_interesting = move |candidate: &[u8]| {
            let mut kept = vec![false; lines];
            for line in candidate.chunks_exact(WIDTH) {
                let number = line[..WIDTH - 1].iter().fold(0, |number, &digit| number * 10 + usize::from(digit - b'0'));
                kept[number] = true;
            }
            is_interesting(&kept)
        };
        Self { text, is_interesting: Box::new(is_interesting) }
    }
}

/// A kind of generated input.
#[derive(Clone, Copy)]
pub(crate) enum Family {
    Chains,
    Blocks,
    Functions,
    Uses,
    Programs,
}

impl Family {
    pub(crate) const ALL: [Self; 5] = [Self::Chains, Self::Blocks, Self::Functions, Self::Uses, Self::Programs];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chains => "chains",
            Self::Uses => "uses",
            Self::Blocks => "blocks",
            Self::Functions => "functions",
            Self::Programs => "programs",
        }
    }

    /// The instance with this number; the same for ever.
    pub(crate) fn generate(self, lines: usize, instance: u64) -> Input {
        let mut random = Random::new(((self as u64) << 48) ^ ((lines as u64) << 16) ^ instance);
        match self {
            Self::Chains => chains(lines, &mut random),
            Self::Uses => uses(lines, &mut random),
            Self::Blocks => blocks(lines, &mut random),
            Self::Functions => functions(lines, 0, &mut random),
            Self::Programs => functions(lines, lines / 4, &mut random),
        }
    }
}

/// Between 1 % and 10 % of the lines, in random places among those that qualify; at least one.
fn some_needed(candidates: &[usize], lines: usize, random: &mut Random) -> Vec<usize> {
    let percent = 1 + random.below(10);
    (0..(lines * percent / 100).max(1)).map(|_| candidates[random.below(candidates.len())]).collect()
}

/// Whoever keeps the first of a pair has to keep the second.
fn holds(requirements: &[(usize, usize)], kept: &[bool]) -> bool {
    requirements.iter().all(|&(needs, needed)| !kept[needs] || kept[needed])
}

/// Every fifth line begins a chain of up to eight lines, each of which needs the one before it: a variable that is
/// declared, computed, copied, printed.
fn chains(lines: usize, random: &mut Random) -> Input {
    let needed = some_needed(&(0..lines).collect::<Vec<_>>(), lines, random);
    let mut requirements = vec![];
    for mut at in (0..lines).step_by(5) {
        for _ in 0..random.below(8) {
            let next = at + 1 + random.below(20);
            if next >= lines {
                break;
            }
            requirements.push((next, at));
            at = next;
        }
    }
    Input::numbered(lines, move |kept| needed.iter().all(|&line| kept[line]) && holds(&requirements, kept))
}

/// Straight code: three lines out of five use one of the thirty lines before them.
fn uses(lines: usize, random: &mut Random) -> Input {
    let needed = some_needed(&(0..lines).collect::<Vec<_>>(), lines, random);
    let mut requirements = vec![];
    for line in 1..lines {
        if random.percent(60) {
            requirements.push((line, line - 1 - random.below(line.min(30))));
        }
    }
    Input::numbered(lines, move |kept| needed.iter().all(|&line| kept[line]) && holds(&requirements, kept))
}

/// Nested blocks: an opening line, statements and blocks, a closing line.
fn blocks(lines: usize, random: &mut Random) -> Input {
    let mut depth_change = vec![0i32; lines];
    let mut depth = 0;
    for (line, change) in depth_change.iter_mut().enumerate() {
        let left = lines - line;
        *change = match () {
            () if left <= depth => -1,
            () if left > depth + 2 && depth < 6 && random.percent(15) => 1,
            () if depth > 0 && random.percent(15) => -1,
            () => 0,
        };
        depth = depth.saturating_add_signed(*change as isize);
    }
    let statements: Vec<usize> = (0..lines).filter(|&line| depth_change[line] == 0).collect();
    let needed = some_needed(&statements, lines, random);
    Input::numbered(lines, move |kept| {
        let mut depth = 0;
        let never_negative = (0..lines).filter(|&line| kept[line]).all(|line| {
            depth += depth_change[line];
            depth >= 0
        });
        never_negative && depth == 0 && needed.iter().all(|&line| kept[line])
    })
}

/// Functions: a first line, a body in which a third of the lines call an earlier function, a last line. A body needs
/// its first and last line, these need each other, and a call needs what it calls. With `globals`, so many lines come
/// first that declare something, and most lines of the bodies use one of them, or a line just before them.
fn functions(lines: usize, globals: usize, random: &mut Random) -> Input {
    let mut requirements = vec![];
    let mut firsts: Vec<usize> = vec![];
    let mut bodies = vec![];
    let mut at = globals;
    while at < lines {
        let body = 1 + random.below(if globals > 0 { 40 } else { 18 });
        let last = if at + body + 4 > lines { lines - 1 } else { at + body + 1 };
        requirements.extend([(at, last), (last, at)]);
        for line in at + 1..last {
            requirements.push((line, at));
            if !firsts.is_empty() && random.percent(if globals > 0 { 10 } else { 33 }) {
                requirements.push((line, firsts[random.below(firsts.len())]));
            }
            if globals > 0 && random.percent(60) {
                requirements.push((line, random.below(globals)));
            }
            if globals > 0 && random.percent(40) {
                requirements.push((line, line - 1 - random.below((line - at).min(5))));
            }
            bodies.push(line);
        }
        firsts.push(at);
        at = last + 1;
    }
    let needed = some_needed(&bodies, lines, random);
    Input::numbered(lines, move |kept| needed.iter().all(|&line| kept[line]) && holds(&requirements, kept))
}

/// A real program; interesting is what has the lines of `needed`, in order, and balanced brackets.
pub(crate) fn javascript(text: &str, needed: &str) -> Input {
    let needed: Vec<String> = needed.lines().map(str::to_owned).collect();
    let brackets: Vec<_> = [('(', ')'), ('[', ']'), ('{', '}')].into_iter().filter(|&b| balances(b, text)).collect();
    let is_interesting = move |candidate: &[u8]| {
        let Ok(candidate) = str::from_utf8(candidate) else { return false };
        let mut lines = candidate.lines();
        needed.iter().all(|line| lines.any(|candidate| candidate == line))
            && brackets.iter().all(|&bracket| balances(bracket, candidate))
    };
    Input { text: text.as_bytes().to_vec(), is_interesting: Box::new(is_interesting) }
}

fn balances((open, close): (char, char), text: &str) -> bool {
    let mut depth = 0;
    let never_negative = text.chars().all(|c| {
        depth += i32::from(c == open) - i32::from(c == close);
        depth >= 0
    });
    never_negative && depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generated_input_is_interesting_and_nothing_is_not() {
        for family in Family::ALL {
            for lines in [20, 201, 1000] {
                for instance in 0..20 {
                    let input = family.generate(lines, instance);
                    assert_eq!(input.lines(), lines);
                    assert!(input.is_interesting(&input.text), "{} {lines} {instance}", family.name());
                    assert!(!input.is_interesting(b""));
                }
            }
        }
    }

    #[test]
    fn programs_need_their_lines_and_brackets() {
        let input = javascript("f(\n1\n)\n2\n", "2\n");
        let outcomes = ["2\n", "f(\n2\n", "f(\n)\n2\n", "f(\n)\n"].map(|text| input.is_interesting(text.as_bytes()));
        assert_eq!(outcomes, [true, false, true, false]);
    }
}
