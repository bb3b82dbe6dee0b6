//! One hue per pass, the same on the curves and in the table.

/// The hue of the pass at this position, as an attribute. The golden angle keeps any number of hues apart; the style
/// sheet decides how light they are.
pub(crate) fn hue(pass: usize) -> String {
    format!("style=\"--h:{}\"", (210 + pass * 137) % 360)
}
