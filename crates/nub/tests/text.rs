//! Texts in unknown languages.

mod common;

use common::Place;

/// Sections of settings; two lines of one section matter.
fn settings() -> String {
    let section = |i: usize| {
        let special = if i == 31 { "mode = fast, 3 (really)\n" } else { "" };
        format!("[part-{i}]\nname = value {i}\n{special}list = a, b, {i}\n\n")
    };
    (0..50).map(section).collect()
}

/// Interesting: a section with a list and `mode=fast`, and nothing but sections and settings.
const SECTION: &str = r#"
fast= list=
while IFS= read -r line || [ -n "$line" ]; do
    case $line in
        \[*\]) fast= list= ;;
        mode*=*fast*) fast=1 ;;
        list*=*) list=1 ;;
        *=*|"") ;;
        *) exit 1 ;;
    esac
    [ -n "$fast$list" ] && [ "$fast" = "$list" ] && found=1
done < "$1"
[ -n "$found" ] && grep -q '^\[part' "$1"
"#;

#[test]
fn the_result_is_the_same_for_any_number_of_jobs() {
    let place = Place::new("settings.conf", settings());
    place.script(SECTION);
    let mut first = None;
    for jobs in ["1", "2", "4"] {
        let ran = place.nub_ok(&["./test.sh", "settings.conf", "-o", "out", "--json", "-j", jobs]);
        let decisions: Vec<_> = ran
            .events()
            .into_iter()
            .filter(|event| event["event"] == "decide")
            .map(|event| (event["label"].clone(), event["outcome"].clone(), event["bytes"].clone()))
            .collect();
        let result = (place.read("out"), decisions);
        assert!(first.get_or_insert_with(|| result.clone()) == &result, "-j{jobs} differs");
    }
    let (result, decisions) = first.unwrap();
    let result = String::from_utf8(result).unwrap();
    assert!(result.len() <= "[part]\nmode=fast\nlist=\n".len(), "{result:?}");
    assert!(decisions.len() < 500, "{} tests", decisions.len());
}

#[test]
fn named_algorithms_do_not_use_the_outline() {
    let place = Place::with_fruit(30);
    let first_step = |args: &[&str]| {
        let ran = place.nub_ok(&[&["./test.sh", "in.txt", "-o", "out", "--json"], args].concat());
        let events = ran.events();
        let step = events.iter().find(|event| event["event"] == "step").unwrap();
        step["step"].as_str().unwrap().to_owned()
    };
    assert_eq!(first_step(&[]), "largest");
    assert_eq!(first_step(&["--language", "text"]), "largest");
    for args in [
        &["--language", "none"][..],
        &["--granularity", "line+char"],
        &["--algorithm", "ddmin*"],
        &["--list-minimizer", "ddmin"],
        &["--preset", "papers"],
    ] {
        assert_eq!(first_step(args), "line", "{args:?}");
    }
}

#[test]
fn binary_data_has_no_outline() {
    let place = Place::new("data.bin", b"apple\0pear\0\x01\x02\n".repeat(20));
    place.script(common::APPLE_AND_PEAR);
    let ran = place.nub_ok(&["./test.sh", "data.bin", "-o", "out", "--json"]);
    assert!(ran.events().iter().all(|event| event["step"] != "largest"));
}
