//! Suggestions for misspelt names.

/// The candidate that differs from a name in the fewest letters, if there are few.
pub(crate) fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).min(3);
    let measured = candidates.map(|candidate| (distance(name, candidate), candidate));
    measured.filter(|&(distance, _)| distance <= limit).min_by_key(|&(distance, _)| distance).map(|(_, best)| best)
}

/// How many letters to insert, remove or replace (Wagner and Fischer, 1974).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, c) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, &other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(c != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_letters_may_differ() {
        let names = || ["expression", "statement"].into_iter();
        assert_eq!(closest("expresion", names()), Some("expression"));
        assert_eq!(closest("type", names()), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
