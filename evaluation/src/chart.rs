//! Charts as SVG: lines over a logarithmic or linear axis. They follow the reader's light or dark mode.

use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// Left, top, bottom. The names of the lines are on the right.
const MARGIN: [f64; 3] = [64.0, 40.0, 48.0];
/// The average width of a letter, at most.
const LETTER: f64 = 6.6;
/// Distinguishable for the colour-blind, on light and on dark (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#888888"];

/// Lines over two axes.
pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    pub(crate) x: Axis<'a>,
    pub(crate) y: Axis<'a>,
    /// Names and points.
    pub(crate) lines: Vec<(String, Vec<(f64, f64)>)>,
}

/// One axis.
pub(crate) struct Axis<'a> {
    pub(crate) name: &'a str,
    pub(crate) logarithmic: bool,
}

impl Axis<'_> {
    fn value(&self, number: f64) -> f64 {
        if self.logarithmic { number.max(f64::MIN_POSITIVE).log10() } else { number }
    }

    /// From the smallest to the largest number; a linear axis begins at 0.
    fn range(&self, numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
        let least = if self.logarithmic { numbers.clone().fold(f64::INFINITY, f64::min) } else { 0.0 };
        let most = numbers.fold(f64::NEG_INFINITY, f64::max);
        let (least, most) = (self.value(least), self.value(most));
        if least.is_finite() && most > least { (least, most) } else { (0.0, 1.0) }
    }

    /// The positions of the numbers on the axis.
    fn ticks(&self, (least, most): (f64, f64)) -> Vec<f64> {
        if self.logarithmic {
            let decades = (least.floor() as i32..=most.ceil() as i32).flat_map(|power| {
                // With few decades there is room for more.
                let steps: &[f64] = if most - least < 3.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                steps.iter().map(move |step| step * 10_f64.powi(power))
            });
            return decades.filter(|&tick| (least..=most + 1e-9).contains(&tick.log10())).collect();
        }
        let rough = (most - least) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= rough).unwrap_or(rough);
        (0..=10).map(|i| f64::from(i) * step).filter(|tick| *tick <= most + 1e-9).collect()
    }
}

impl Chart<'_> {
    /// The chart as SVG.
    pub(crate) fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|(_, points)| points);
        let ranges = [self.x.range(points().map(|point| point.0)), self.y.range(points().map(|point| point.1))];
        let [left, top, bottom] = MARGIN;
        let longest = self.lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let right = (40.0 + LETTER * longest as f64).max(150.0);
        let part =
            |axis: &Axis<'_>, range: (f64, f64), number: f64| (axis.value(number) - range.0) / (range.1 - range.0);
        let x = |number| left + part(&self.x, ranges[0], number) * (WIDTH - left - right);
        let y = |number| HEIGHT - bottom - part(&self.y, ranges[1], number) * (HEIGHT - top - bottom);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n<title>{}</title>\n\
             <style>svg{{background:#fff;color:#222;font:12px system-ui,sans-serif}}text{{fill:currentColor}}\
             .g{{stroke:currentColor;stroke-opacity:.15}}.l{{fill:none;stroke-width:2}}\
             @media(prefers-color-scheme:dark){{svg{{background:#16181c;color:#ddd}}}}</style>\n\
             <text x=\"{left}\" y=\"20\" font-size=\"15\" font-weight=\"600\">{}</text>\n",
            escaped(self.title),
            escaped(self.title),
        );
        let mut add = |text: String| svg.push_str(&text);
        for tick in self.x.ticks(ranges[0]) {
            let at = x(tick);
            add(format!(
                "<path class=\"g\" d=\"M{at:.1} {top}V{:.1}\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n",
                HEIGHT - bottom,
                HEIGHT - bottom + 16.0,
                short(tick)
            ));
        }
        for tick in self.y.ticks(ranges[1]) {
            let at = y(tick);
            add(format!(
                "<path class=\"g\" d=\"M{left} {at:.1}H{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                WIDTH - right,
                left - 6.0,
                at + 4.0,
                short(tick)
            ));
        }
        add(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n<text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 14 {:.1})\">{}</text>\n",
            (left + WIDTH - right) / 2.0,
            HEIGHT - 10.0,
            escaped(self.x.name),
            (top + HEIGHT - bottom) / 2.0,
            (top + HEIGHT - bottom) / 2.0,
            escaped(self.y.name)
        ));
        for (number, (name, points)) in self.lines.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let dashes = if number < COLOURS.len() { "" } else { " stroke-dasharray=\"6 3\"" };
            let mut path = String::new();
            for (i, &(px, py)) in points.iter().enumerate() {
                let _ = write!(path, "{}{:.1} {:.1}", if i == 0 { "M" } else { "L" }, x(px), y(py));
            }
            let legend = top + 16.0 * number as f64;
            add(format!(
                "<path class=\"l\" stroke=\"{colour}\"{dashes} d=\"{path}\"/>\n<path class=\"l\" stroke=\"{colour}\"{dashes} \
                 d=\"M{:.1} {legend}h18\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                WIDTH - right + 10.0,
                WIDTH - right + 34.0,
                legend + 4.0,
                escaped(name)
            ));
        }
        svg + "</svg>\n"
    }
}

fn short(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{} M", n / 1e6),
        n if n >= 1e3 => format!("{} k", n / 1e3),
        n => format!("{}", (n * 1000.0).round() / 1000.0),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_where_they_belong() {
        let chart = Chart {
            title: "a < b",
            x: Axis { name: "x", logarithmic: true },
            y: Axis { name: "y", logarithmic: false },
            lines: vec![("one".to_owned(), vec![(1.0, 0.0), (10.0, 50.0), (100.0, 100.0)])],
        };
        let svg = chart.svg();
        // The corners of the plot, and its centre.
        assert!(svg.contains("d=\"M64.0 352.0L317.0 196.0L570.0 40.0\""), "{svg}");
        assert!(svg.contains("a &lt; b") && !svg.contains("a < b"));
    }

    #[test]
    fn ticks_are_round_numbers() {
        let linear = Axis { name: "", logarithmic: false };
        assert_eq!(linear.ticks((0.0, 23.0)), [0.0, 5.0, 10.0, 15.0, 20.0]);
        let logarithmic = Axis { name: "", logarithmic: true };
        assert_eq!(logarithmic.ticks((0.0, 2.0)), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(logarithmic.range([3.0, 3.0].into_iter()), (0.0, 1.0), "one point has no range");
    }
}
