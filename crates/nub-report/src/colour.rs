//! One hue per step, the same on the curves and in the table.

/// The hue of one of `of` steps, as an attribute. All of them are equally far apart on the circle, and steps that
/// follow each other are not neighbours there; the style sheet decides how light they are.
pub(crate) fn hue(index: usize, of: usize) -> String {
    let of = of.max(1);
    // About three eighths of a turn, and a step that visits all.
    let step = (of * 3 / 8..).find(|step| coprime(*step, of)).unwrap_or(1);
    format!(
        "style=\"--h:{};--s:{}%\"",
        (210 + index * step % of * 360 / of) % 360,
        if index.is_multiple_of(2) { 42 } else { 62 }
    )
}

fn coprime(one: usize, other: usize) -> bool {
    let (mut one, mut other) = (one, other);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_step_has_a_hue_of_its_own() {
        for of in 1..60 {
            let hues: HashSet<String> = (0..of).map(|index| hue(index, of)).collect();
            assert_eq!(hues.len(), of);
        }
    }
}
