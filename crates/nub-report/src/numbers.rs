//! Numbers, formatted for people.

use std::time::Duration;

/// A size, for people: `12 B`, `3.4 kB`.
pub fn bytes(n: usize) -> String {
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{:.1} kB", n as f64 / 1e3),
        _ => format!("{:.1} MB", n as f64 / 1e6),
    }
}

/// A number with its digits in groups of three, separated by a narrow no-break space.
pub(crate) fn grouped(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut text = String::from(if n < 0 { "−" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// The same for a count.
pub(crate) fn count(n: usize) -> String {
    grouped(i64::try_from(n).unwrap_or(i64::MAX))
}

/// A count with its noun, in the plural if necessary.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A share in percent, with as many digits as are meaningful.
pub(crate) fn percent(part: usize, of: usize) -> String {
    let share = if of == 0 { 100.0 } else { 100.0 * part as f64 / of as f64 };
    match share {
        0.0 => "0 %".to_owned(),
        _ if share < 0.01 => "< 0.01 %".to_owned(),
        _ if share < 10.0 => format!("{share:.2} %"),
        _ => format!("{share:.0} %"),
    }
}

/// A duration, in a suitable unit.
pub(crate) fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        0.0 => "0 s".to_owned(),
        _ if seconds < 0.001 => format!("{:.0} µs", seconds * 1e6),
        _ if seconds < 0.01 => format!("{:.1} ms", seconds * 1e3),
        _ if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        _ if seconds < 120.0 => format!("{seconds:.1} s"),
        _ if seconds < 7200.0 => format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60),
        _ => format!("{} h {:02} min", time.as_secs() / 3600, time.as_secs() / 60 % 60),
    }
}

/// A point in time, given in seconds since 1970, in UTC.
pub(crate) fn date(unix: u64) -> String {
    let (days, seconds) = (unix / 86_400, unix % 86_400);
    // Years begin in March here, so that the leap day is the last day of its year; an era has 400 years.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_for_people() {
        assert_eq!((bytes(999), bytes(1000)), ("999 B".into(), "1.0 kB".into()));
        assert_eq!(
            [grouped(-1234), grouped(12), grouped(1_234_567)],
            ["−1\u{202f}234", "12", "1\u{202f}234\u{202f}567"]
        );
        assert_eq!(
            [percent(1, 3), percent(1, 1_000_000), percent(0, 5), percent(5, 50)],
            ["33 %", "< 0.01 %", "0 %", "10 %"]
        );
        let millis = Duration::from_millis;
        assert_eq!([time(millis(7)), time(millis(70)), time(millis(7_000_000))], ["7.0 ms", "70 ms", "116 min 40 s"]);
    }

    #[test]
    fn dates_agree_with_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_794_815_550), "2026-11-16 07:52 UTC");
        assert!(date(u64::MAX / 2).ends_with("UTC"), "no overflow");
    }
}
