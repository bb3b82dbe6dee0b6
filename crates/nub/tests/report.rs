//! `--report` and `nub report`: a page that has the numbers of the run, and that a browser shows without any network
//! request.

mod common;

use common::{Place, fruit};
use nub_run::{
    Outcome,
    journal::{Reader, Record, Source},
};
use nub_testing::program;
use rustix::process::Signal;
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).unwrap()
}

/// The numbers of a page.
#[track_caller]
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"run\">").expect("no data");
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The contents of all elements of a kind, in order.
fn elements<'a>(page: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    page.split(open).skip(1).map(|rest| rest.split_once(close).unwrap().0).collect()
}

/// The numbers in the cells of the table of steps, row by row.
fn table(page: &str) -> Vec<Vec<String>> {
    let table = elements(page, "<table class=\"steps\">", "</table>");
    let cell = |cell: &str| cell.chars().filter(|c| *c != '\u{202f}').collect::<String>().replace('−', "-");
    let rows = elements(table[0], "<tr", "</tr>").into_iter().skip(1);
    rows.map(|row| elements(row, "<td>", "</td>").into_iter().map(cell).collect()).collect()
}

/// A C program with many functions, two of which matter.
fn c_program() -> String {
    let mut program = String::from("#include <stdio.h>\n");
    for i in 0..40 {
        program.push_str(&format!("static int f{i}(int x) {{\n    return x + {i}; /* <b> & \"so on\" */\n}}\n\n"));
    }
    program + "int main(void) {\n    printf(\"%d\", f7(f31(1)));\n    return 0;\n}\n"
}

fn c_place() -> Place {
    let place = Place::new("in.c", c_program());
    place.script("grep -q 'return x + 7;' \"$1\" && grep -q f31 \"$1\"");
    place
}

/// Checks the numbers of the page against the journal, counted here in another way.
#[track_caller]
fn check_numbers(page: &str, journal: &Path) -> Value {
    let (data, rows) = (data(page), table(page));
    let mut reader = Reader::open(journal).unwrap();
    let (mut outcomes, mut decisive, mut cached, mut interesting, mut best) = (vec![], 0, 0, 0, None);
    for record in &mut reader {
        match record.unwrap() {
            Record::Executed(test) => outcomes.push(test.outcome),
            Record::Decided(decided) => {
                decisive += 1;
                let outcome = match decided.source {
                    Source::Executed(test) => outcomes[test],
                    Source::Cached(outcome) => {
                        cached += 1;
                        outcome.outcome
                    }
                };
                if outcome == Outcome::Interesting {
                    interesting += 1;
                    best = Some(decided.bytes);
                }
            }
            _ => {}
        }
    }
    assert_eq!(data["tests"], outcomes.len());
    assert_eq!(data["decisive"], decisive);
    assert_eq!(data["cache_hits"], cached);
    assert_eq!(data["interesting"], interesting);
    assert_eq!(data["bytes_before"], reader.header().input_len);
    assert_eq!(data["commits"].as_array().unwrap().last().map(|last| last[3].as_u64().unwrap() as usize), best);

    // The columns of the table add up to the same numbers.
    let (total, parts) = rows.split_last().unwrap();
    let sum = |column: usize| parts.iter().map(|row| row[column].parse::<i64>().unwrap_or(0)).sum::<i64>();
    for (column, cell) in total.iter().enumerate().take(5) {
        assert_eq!(*cell, sum(column).to_string(), "column {column} of {rows:?}");
    }
    assert_eq!(total[1], outcomes.len().to_string());
    assert_eq!(total[2], cached.to_string());
    assert_eq!(total[3], interesting.to_string());
    let removed = data["bytes_before"].as_i64().unwrap() - data["bytes_after"].as_i64().unwrap();
    assert_eq!(total[4], removed.to_string());
    data
}

/// Checks that all parts of a report are there.
#[track_caller]
fn check_parts(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for part in ["size-over-tests", "size-over-time", "steps", "durations", "texts", "again"] {
        assert!(page.contains(&format!("id=\"{part}\"")), "{part} is missing");
    }
    assert_eq!(page.matches("class=\"line\"").count(), 4, "two curves, for screens and phones");
    // Nothing is loaded: addresses occur only as text.
    for attribute in [" src=", " href=", "url(", "@import"] {
        assert!(!page.contains(attribute), "{attribute}");
    }
}

#[test]
fn a_report_of_a_c_program() {
    let place = c_place();
    let ran = place.nub_ok(&["--json", "--report", "r.html", "--journal", "j", "./test.sh", "in.c"]);
    let page = text(&place, "r.html");
    check_parts(&page);
    let data = check_numbers(&page, &place.path("j"));
    let finish = ran.last("finish");
    for field in [
        "bytes_before",
        "bytes_after",
        "tests",
        "decisive",
        "cache_hits",
        "cache_peak",
        "timed_out",
        "killed",
        "not_started",
        "cancelled",
        "minimal",
        "only_valid",
    ] {
        assert_eq!(data[field], finish[field], "{field}");
    }
    assert_eq!(finish["report"], "r.html");
    assert_eq!(data["state"], "finished");
    let difference = data["seconds"].as_f64().unwrap() - finish["seconds"].as_f64().unwrap();
    assert!(difference.abs() < 0.002, "the journal keeps milliseconds");
    let bests = ran.events().iter().filter(|event| event["event"] == "best").count();
    assert_eq!(data["commits"].as_array().unwrap().len(), bests);

    // The remaining text is marked, and the comment is escaped.
    let marked = elements(&page, "<mark>", "</mark>");
    assert!(marked.iter().any(|text| text.contains("return x + 7;")), "{marked:?}");
    assert!(page.contains("&lt;b&gt; &amp; &quot;so on&quot;") && !page.contains("<b> &"));

    // `nub report` writes the same page afterwards.
    place.nub_ok(&["report", "j"]).says(&["report: j.html"]);
    assert!(place.read("j.html") == place.read("r.html"));
    for own in ["j", "in.c", "in.c.orig"] {
        let before = place.read(own);
        place.nub(&["report", "j", "-o", own]).expect(5).says(&["would overwrite"]);
        assert!(place.read(own) == before);
    }
    let printed = place.nub_ok(&["report", "j", "-o", "-"]);
    assert!(printed.stdout == place.read("r.html"));
}

#[test]
fn a_report_does_not_need_a_journal() {
    let place = c_place();
    let before = place.files();
    place.nub_ok(&["--no-journal", "--report", "r.html", "-o", "out.c", "./test.sh", "in.c"]);
    let mut files = place.files();
    files.retain(|file| !before.contains(file));
    assert_eq!(files, ["out.c", "r.html"]);
    check_parts(&text(&place, "r.html"));

    place.write("no-backup.c", c_program());
    place.nub_ok(&["--no-backup", "--report", "s.html", "./test.sh", "no-backup.c"]);
    assert_eq!(data(&text(&place, "s.html"))["state"], "finished");
}

#[test]
fn a_result_that_went_to_standard_output() {
    let place = c_place();
    let ran = place.nub_ok(&["--report", "r.html", "--journal", "j", "-o", "-", "./test.sh", "in.c"]);
    assert_eq!(data(&text(&place, "r.html"))["bytes_after"], ran.stdout.len());
    place.nub_ok(&["report", "j"]);
    let page = text(&place, "j.html");
    assert!(page.contains("it went to standard output"));
    check_parts(&page);
}

/// A test that waits at its hundredth candidate, to be interrupted.
fn slow_place() -> Place {
    let place = Place::with_fruit(300);
    place.script(&format!(
        "echo >> $N/count\n[ $(wc -l < $N/count) -gt 60 ] && touch $N/reached && sleep 30\n{}",
        common::APPLE_AND_PEAR
    ));
    place
}

#[test]
fn an_interrupted_run_also_has_a_report() {
    let place = slow_place();
    let mut running = place.start(&["-j1", "--report", "r.html", "./test.sh", "in.txt"]);
    running.wait_for("sixty tests", || place.note("reached").exists());
    running.signal(Signal::INT);
    let ran = running.wait();
    ran.expect(130).says(&["--resume", "report: r.html"]);
    let page = text(&place, "r.html");
    let interrupted = check_numbers(&page, &place.path("in.txt.nub-journal"));
    assert_eq!((&interrupted["state"], &interrupted["reason"]), (&"interrupted".into(), &"SIGINT".into()));
    assert_eq!(interrupted["bytes_after"], place.read("in.txt").len());
    assert!(page.contains("nub --resume") && page.contains("Best so far"));
    place.nub_ok(&["report", "in.txt.nub-journal", "-o", "s.html"]);
    assert!(place.read("s.html") == place.read("r.html"));

    // Time and numbers continue where they stopped.
    place.script(common::APPLE_AND_PEAR);
    place.nub_ok(&["--resume", "-j1", "--report", "r.html", "--journal", "in.txt.nub-journal", "./test.sh", "in.txt"]);
    let resumed = check_numbers(&text(&place, "r.html"), &place.path("in.txt.nub-journal"));
    assert_eq!(resumed["state"], "finished");
    assert!(resumed["seconds"].as_f64().unwrap() > interrupted["seconds"].as_f64().unwrap());
    assert!(resumed["tests"].as_u64() > interrupted["tests"].as_u64());
    let times: Vec<f64> = resumed["commits"].as_array().unwrap().iter().map(|c| c[2].as_f64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert!(text(&place, "r.html").contains("<li>resumed"));
}

#[test]
fn an_interrupted_run_without_a_journal_cannot_continue() {
    let place = slow_place();
    let mut running = place.start(&["-j1", "--no-journal", "--report", "r.html", "./test.sh", "in.txt"]);
    running.wait_for("sixty tests", || place.note("reached").exists());
    running.signal(Signal::TERM);
    let ran = running.wait();
    ran.expect(143).says(&["report: r.html"]);
    assert!(!ran.stderr.contains("--resume"), "{}", ran.stderr);
    let page = text(&place, "r.html");
    assert!(page.contains("This is not the end of the reduction.") && !page.contains("--resume"));
    assert_eq!(data(&page)["bytes_after"], place.read("in.txt").len());
}

#[test]
fn a_run_that_was_killed_can_be_reported_on() {
    let place = slow_place();
    let mut running = place.start(&["-j1", "--report", "r.html", "./test.sh", "in.txt"]);
    running.wait_for("sixty tests", || place.note("reached").exists());
    // While it is running.
    place.nub_ok(&["report", "in.txt.nub-journal"]);
    assert_eq!(data(&text(&place, "in.txt.nub-journal.html"))["state"], "open");
    running.signal(Signal::KILL);
    running.child.wait().unwrap();
    place.wait_until_abandoned();
    assert!(!place.exists("r.html"), "nub was killed before it could write it");
    place.nub_ok(&["report", "in.txt.nub-journal"]);
    let page = text(&place, "in.txt.nub-journal.html");
    check_parts(&page);
    let data = check_numbers(&page, &place.path("in.txt.nub-journal"));
    assert_eq!(data["state"], "open");
    assert_eq!(data["bytes_after"], place.read("in.txt").len());
    assert!(page.contains("<mark>"), "original and best were found");
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_the_first_test() {
    let place = Place::with_fruit(20);
    place.script(&format!("touch $N/tested\n{}", common::APPLE_AND_PEAR));
    place.write("out.txt", "");
    fs::create_dir(place.path("directory")).unwrap();
    let files = place.files();
    for (path, words) in [
        ("missing/r.html", &["cannot write the report missing/r.html", "create it first"][..]),
        ("directory", &["directory", "name a file in it"]),
        ("in.txt/r.html", &["cannot write the report in.txt/r.html"]),
        ("in.txt", &["the report in.txt would overwrite the input: choose another file"]),
        ("./out.txt", &["the report ./out.txt would overwrite the output"]),
        ("test.sh", &["would overwrite the test"]),
        ("j", &["would overwrite the journal"]),
    ] {
        let ran = place.nub(&["--report", path, "--journal", "j", "-o", "out.txt", "./test.sh", "in.txt"]);
        ran.expect(5).says(words);
        place.expect_untouched("in.txt", &fruit(20), &files);
    }
    place.nub(&["--report", "-", "./test.sh", "in.txt"]).expect(2).says(&["nub report JOURNAL -o -"]);
    assert_eq!(place.files(), files);
    assert!(!place.note("tested").exists());
    place.nub(&["--report", "in.txt.orig", "./test.sh", "in.txt"]).expect(5).says(&["would overwrite the original"]);
    place.nub(&["report", "in.txt"]).expect(5).says(&["in.txt", "not a nub journal"]);
    place.nub(&["report", "nowhere"]).expect(5).says(&["nowhere"]);
}

#[test]
fn a_report_that_fails_at_the_end_does_no_harm() {
    let place = Place::with_fruit(20);
    // The directory is removed while the reduction is running.
    fs::create_dir(place.path("d")).unwrap();
    place.script(&format!("rmdir '{}' 2> /dev/null\n{}", place.path("d").display(), common::APPLE_AND_PEAR));
    let ran = place.nub(&["--report", "d/r.html", "./test.sh", "in.txt"]);
    ran.expect(5).says(&["no report was written", "d/r.html", "nub report in.txt.nub-journal"]);
    assert_eq!(place.read("in.txt"), common::FRUIT);
    place.nub_ok(&["report", "in.txt.nub-journal", "-o", "r.html"]);
    assert_eq!(data(&text(&place, "r.html"))["state"], "finished");
}

#[test]
fn binary_input_and_hostile_text() {
    let mut bytes: Vec<u8> = (0..4000u32).map(|i| (i * 7 % 251) as u8).collect();
    bytes.splice(2000..2000, *b"\0NEEDLE\0");
    let place = Place::new("in.bin", &bytes);
    place.script("grep -q NEEDLE \"$1\"");
    place.nub_ok(&["--report", "r.html", "--journal", "j", "./test.sh", "in.bin"]);
    let page = text(&place, "r.html");
    check_parts(&page);
    check_numbers(&page, &place.path("j"));
    assert!(page.contains("<mark>4e 45 45 44 4c 45</mark>") || page.contains(">NEEDLE<"), "a dump");

    // Markup in names and inputs is shown as text.
    let name = "<img src=x onerror=alert(1)>.txt";
    let hostile =
        "</script><script>alert(1)</script>\n<!--\n]]>&amp;\u{202e}\nNEEDLE\n".repeat(30) + &"y".repeat(100_000);
    let place = Place::new(name, hostile);
    place.script("grep -q '<script>alert' \"$1\"");
    place.nub_ok(&["--report", "r.html", "./test.sh", name]);
    let page = text(&place, "r.html");
    assert!(!page.contains("<script>alert") && !page.contains("<img") && !page.contains("<!--"));
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(data(&page)["command"].as_array().unwrap().last().unwrap(), name);
    assert!(page.len() < 1_000_000);
}

#[test]
fn nothing_left_and_nothing_removed() {
    let place = Place::new("in.txt", "some lines\nof text\n");
    place.script("true");
    place.nub_ok(&["--allow-empty", "--report", "r.html", "--journal", "j", "./test.sh", "in.txt"]);
    assert!(place.read("in.txt").is_empty());
    let page = text(&place, "r.html");
    check_parts(&page);
    let numbers = data(&page);
    assert_eq!(
        (&numbers["bytes_after"], &numbers["state"], &numbers["tests"]),
        (&0.into(), &"finished".into(), &0.into())
    );
    assert!(page.contains("<div class=\"fold\">empty</div>"));
    place.nub_ok(&["report", "j"]);
    assert!(place.read("j.html") == place.read("r.html"));

    let place = Place::new("in.txt", "ab");
    place.script("[ \"$(cat \"$1\")\" = ab ]");
    place.nub_ok(&["--report", "r.html", "--journal", "j", "./test.sh", "in.txt"]);
    let numbers = check_numbers(&text(&place, "r.html"), &place.path("j"));
    assert_eq!(numbers["bytes_after"], 2);
}

#[test]
fn missing_or_changed_texts_are_reported() {
    let place = c_place();
    place.nub_ok(&["--journal", "j", "./test.sh", "in.c"]);
    fs::remove_file(place.path("in.c.orig")).unwrap();
    place.write("in.c", "something else");
    place.nub_ok(&["report", "j"]);
    let page = text(&place, "j.html");
    check_parts(&page);
    assert_eq!(page.matches("It cannot be shown").count(), 2);
    check_numbers(&page, &place.path("j"));
    // Half a journal is better than none.
    let journal = place.read("j");
    place.write("j", &journal[..journal.len() * 2 / 3]);
    place.nub_ok(&["report", "j"]);
    assert!(text(&place, "j.html").contains("The journal is damaged"));
}

/// Opens a page in a browser. Returns the DOM and the addresses that the page requested.
fn browse(place: &Place, page: &str, width: usize) -> (String, Vec<String>) {
    let (profile, log) = (place.tmp().join("profile"), place.note("net.json"));
    let mut chromium = Command::new("timeout");
    chromium.args(["--kill-after=5", "50", "chromium"]);
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    chromium.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    chromium.args(["--disable-default-apps", "--disable-extensions", "--disable-dev-shm-usage"]);
    // There is no network to reach.
    chromium.arg("--host-resolver-rules=MAP * ~NOTFOUND");
    chromium.arg(format!("--window-size={width},800"));
    chromium.arg(format!("--log-net-log={}", log.display()));
    chromium.arg(format!("--user-data-dir={}", profile.display()));
    chromium.arg("--dump-dom").arg(format!("file://{}", place.path(page).display()));
    let ran = chromium.stderr(Stdio::null()).output().unwrap();
    assert!(ran.status.success(), "chromium: {}", ran.status);
    let log: Value = serde_json::from_slice(&fs::read(log).unwrap()).unwrap();
    let asked = log["events"].as_array().unwrap().iter().filter_map(|event| {
        let parameters = &event["params"];
        // Requests of the browser itself have no origin.
        let is_page = parameters["initiator"].as_str().is_some_and(|initiator| initiator != "not an origin");
        parameters["url"].as_str().filter(|url| is_page && !url.starts_with("file:")).map(str::to_owned)
    });
    let asked = asked.collect();
    fs::remove_dir_all(profile).unwrap();
    (String::from_utf8(ran.stdout).unwrap(), asked)
}

/// The policy in the head of a page.
fn policy(page: &str) -> &str {
    elements(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"", "\"")[0]
}

#[test]
fn a_browser_shows_it_without_network_requests() {
    if !program("chromium") {
        return;
    }
    let place = c_place();
    place.nub_ok(&["--report", "r.html", "./test.sh", "in.c"]);
    let page = text(&place, "r.html");
    for width in [1200, 360] {
        let (dom, asked) = browse(&place, "r.html", width);
        assert!(asked.is_empty(), "{asked:?}");
        check_parts(&dom);
        assert!(table(&dom) == table(&page), "the table of steps");
        assert!(data(&dom) == data(&page));
        assert!(dom.contains("Point at a curve to read it."), "the script has run, so the policy allows it");
    }

    // A request would be noticed, and the policy of the page forbids it.
    let picture = "<img src=\"http://example.invalid/x.png\"></main>";
    place.write("picture.html", page.replace("</main>", picture));
    assert!(browse(&place, "picture.html", 1200).1.is_empty());
    place.write("picture.html", page.replace("</main>", picture).replace(policy(&page), "img-src *"));
    assert_eq!(browse(&place, "picture.html", 1200).1, ["http://example.invalid/x.png"]);

    // Nothing is wider than the window, even on a phone.
    let measure = "<script>for (const width of [1000, 700, 360, 320]) { document.body.style.width = width + 'px'; \
                   document.body.append(` ${width}:${document.body.scrollWidth}`); }</script></body>";
    place.write("measure.html", page.replace("</body>", measure).replace(policy(&page), "img-src *"));
    let (dom, _) = browse(&place, "measure.html", 360);
    for width in [1000, 700, 360, 320] {
        assert!(dom.contains(&format!(" {width}:{width}")), "{}", &dom[dom.len() - 200..]);
    }
}
