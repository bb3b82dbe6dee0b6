//! Outlines of texts: what they look like, and what holds for any bytes.

use nub_core::{
    Analyse, Granularity, LargestFirst, ListAlgorithm, Outline, PlainText, Search, Smaller, Stage, Stages, Structure,
    TextPhase, drive,
    passes::{PASSES, PassSearch},
    tree::NodeId,
};
use proptest::{collection::vec, prelude::*};
use std::sync::Arc;

/// An outline as one writes it down: what may go is in brackets, line ends are slashes.
fn drawn(text: &str) -> String {
    fn draw(outline: &Outline, node: NodeId, out: &mut String) {
        let tree = outline.tree();
        if tree.kind(node).is_token() {
            out.push_str(&String::from_utf8_lossy(tree.text(node)).replace('\n', "/"));
        }
        for child in outline.elements(node) {
            let may_go = outline.may_go(node, child) == Some(true);
            out.push_str(if may_go { "<" } else { "" });
            draw(outline, child, out);
            out.push_str(if may_go { ">" } else { "" });
        }
    }
    let outline = Outline::new(text.as_bytes());
    let mut out = String::new();
    draw(&outline, outline.tree().root(), &mut out);
    out
}

#[test]
fn lines_and_words() {
    assert_eq!(drawn(""), "");
    assert_eq!(drawn("one"), "one");
    assert_eq!(drawn("one two\nthree\n"), "<<one> <two>/><three/>");
    assert_eq!(drawn("  a.b=1  \n"), "  a.b=<1>  /");
}

#[test]
fn paragraphs_keep_their_blank_lines_apart() {
    assert_eq!(drawn("\n\na\nb\n\n\nc\n"), "<//><<<<a/><b/>>//><c/>>");
    // The blank line goes with the paragraph, and not with its last line.
    assert_eq!(drawn("a\nb\n\n"), "<<a/><b/>>/");
}

#[test]
fn what_is_indented_belongs_to_the_line_above() {
    assert_eq!(drawn("a\n b\n  c\n d\ne\n"), "<a/<< b/<  c/>>< d/>>><e/>");
    assert_eq!(drawn("f\n  a\n\n  b\ng\n"), "<f/<<<  a/>/><  b/>>><g/>");
}

#[test]
fn what_ends_a_block_is_part_of_it() {
    assert_eq!(drawn("if x\n  a\nelse\n  b\nend\nc\n"), "<<if> <x>/<<  a/><else/<  b/>>>end/><c/>");
    assert_eq!(drawn("a\nend\n"), "<a/><end/>");
}

#[test]
fn sections_of_settings() {
    assert_eq!(drawn("x=1\n[a]\ny=2\n[b]\n"), "<x=<1>/><[<a>]/<y=<2>/>><[<b>]/>");
}

#[test]
fn fields_lists_and_brackets() {
    assert_eq!(drawn("D: a (> 1), b\n"), "D: <<<a> <(<<>> <1>>)>>, <b>>/");
    assert_eq!(drawn("f(x, [y]; \"a b\")"), "<f><(<<<x>, <[<y>]>>; <\"<<a> <b>>\">>)>");
    assert_eq!(drawn("a,,b,"), "<a>,,<b>,");
    assert_eq!(drawn("{\n  a,\n  b\n}\n"), "{<\n  <a>,\n  <b>\n>}/".replace('\n', "/"));
    assert_eq!(drawn("don't (we can't"), "<<don><'><t>> <<(><we>> <<can><'><t>>");
}

#[test]
fn brackets_across_lines_need_a_reason() {
    // All are balanced; the second text has one too many, and its lines are not indented.
    assert_eq!(drawn("(a\nb)\n"), "(<<a/><b>>)/");
    assert_eq!(drawn("(a\nb)\n:)\n"), "<<(><a>/><<b><)>/><<:><)>/>");
    assert_eq!(drawn("(a\n  b)\n:)\n"), "<(<a/<  b>>)/><<:><)>/>");
}

#[test]
fn separators_go_with_their_elements() {
    let outline = Outline::new(b"a, b,, c");
    let (tree, root) = (outline.tree(), outline.tree().root());
    let children = outline.elements(root);
    let without = |drop: &[usize]| {
        let drop: Vec<NodeId> = drop.iter().map(|&at| children[at]).collect();
        let gone = outline.removal(root, &drop)?;
        let left = children.iter().filter(|child| !gone.contains(child)).map(|&child| tree.text(child));
        Some(String::from_utf8(left.collect::<Vec<_>>().concat()).unwrap())
    };
    assert_eq!(without(&[0]).unwrap(), "b,, c");
    assert_eq!(without(&[2]).unwrap(), "a, c");
    assert_eq!(without(&[4]).unwrap(), "a, b");
    assert_eq!(without(&[4, 2]).unwrap(), "a");
    assert_eq!(without(&[2, 1, 0]).unwrap(), "c");
    // What is gone stays gone: the other separator is kept.
    assert_eq!(without(&[2, 1]).unwrap(), "a,, c");
    assert_eq!((without(&[1]), without(&[0, 2, 4])), (None, None));
}

#[test]
fn large_inputs_have_coarse_outlines() {
    let lines = |count: usize| (0..count).map(|i| format!("{i}: a line\n")).collect::<String>().into_bytes();
    let leaves = |text: &[u8]| {
        let outline = Outline::new(text);
        let leaves = outline.tree().leaves();
        let texts: Vec<&[u8]> = leaves.iter().map(|&leaf| outline.tree().text(leaf)).collect();
        assert!(texts.concat() == text);
        leaves.len()
    };
    assert_eq!(leaves(&lines(100)), 700);
    assert_eq!(leaves(&lines(30_000)), 30_000);
    assert_eq!(leaves(&lines(200_000)), 50_000);
    assert_eq!(leaves(&vec![b'x'; 1 << 22]), 1);
}

#[test]
fn deep_nesting_is_no_problem() {
    for text in ["(".repeat(100_000), "(".repeat(50_000) + &")".repeat(50_000), "'(\"".repeat(30_000)] {
        assert_eq!(drawn(&text).replace(['<', '>'], ""), text);
    }
    let stairs: String = (0..1000).map(|depth| " ".repeat(depth) + "x\n").collect();
    drawn(&stairs);
}

/// A package database, of which two records with three fields each are needed.
fn records() -> Vec<u8> {
    let name = |i: usize| format!("package-{i}");
    let record = |i: usize| {
        format!(
            "Package: {}\nStatus: ok (yes)\nDepends: {} (>= 1.{i}), {} (= 2), {}\nDescription: text {i}\n more\n text\n\n",
            name(i),
            name(i + 1),
            name(i + 2),
            name((i + 50) % 200)
        )
    };
    (0..200).map(record).collect::<String>().into_bytes()
}

fn needs_two_records(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let mut records = text.split("\n\n");
    let has = |record: &str, start: &str, end: &str| {
        record.lines().any(|line| line.starts_with(start) && line.trim_end().ends_with(end))
    };
    // Both have the same status, or none.
    let statuses: Vec<bool> =
        text.split("\n\n").filter(|record| !record.is_empty()).map(|record| record.contains("Status")).collect();
    statuses.windows(2).all(|two| two[0] == two[1])
        && records.any(|record| has(record, "Package:", "package-17") && has(record, "Depends:", "package-67"))
        && records.any(|record| has(record, "Package:", "package-67"))
}

fn stages() -> Vec<Stage> {
    let analyser: Arc<dyn Analyse> = Arc::new(PlainText);
    let pass = |name: &str| *PASSES.iter().find(|pass| pass.name == name).unwrap();
    let algorithm = ListAlgorithm { star: true, ..ListAlgorithm::default() };
    let texts = [Granularity::Token, Granularity::Char].map(|granularity| TextPhase { granularity, algorithm });
    let mut stages = vec![Stage::Largest(Arc::clone(&analyser))];
    stages.extend(
        ["unwrap", "repeats", "numbers", "identifiers"].map(|name| Stage::Pass(pass(name), Arc::clone(&analyser))),
    );
    stages.extend([Stage::Again, Stage::Text(texts.into()), Stage::Again]);
    stages
}

#[test]
fn two_records_of_many() {
    let input = records();
    assert!(needs_two_records(&input));
    let mut search = Stages::new(stages(), input);
    let tests = drive(&mut search, |candidate| needs_two_records(&candidate.what.content.to_vec()));
    let result = String::from_utf8(search.current().content.to_vec()).unwrap();
    assert_eq!(result, "Package:package-17\nDepends:package-67\n\nPackage:package-67");
    // There is no cache here, and what is given up is begun anew later.
    assert!(tests < 1000, "{tests} tests");
}

#[test]
fn what_must_be_alike_goes_together() {
    let structure = PlainText.analyse(b"a x\nb x\n").unwrap();
    let repeats = *PASSES.iter().find(|pass| pass.name == "repeats").unwrap();
    let mut search = PassSearch::new(repeats, structure);
    drive(&mut search, |candidate| {
        let text = candidate.what.content.to_vec();
        let xs = text.iter().filter(|&&byte| byte == b'x').count();
        text.contains(&b'a') && xs % 2 == 0
    });
    assert_eq!(search.current().content.to_vec(), b"a\nb\n");
}

/// Texts that look like texts.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "a", "bc", "12", " ", "  ", "\n", "\n\n", "\n  ", "\t", "(", ")", "[", "]", "{", "}", "\"", "'", "\\", ",",
        ";", "|", ":", "=", "end", "\r\n", "é", "\u{0}",
    ]);
    prop_oneof![vec(piece, 0..60).prop_map(|pieces| pieces.concat().into_bytes()), vec(any::<u8>(), 0..60)]
}

proptest! {
    #[test]
    fn the_leaves_are_the_text(text in texts()) {
        let outline = Outline::new(&text);
        let tree = outline.tree();
        let leaves: Vec<&[u8]> = tree.leaves().into_iter().map(|leaf| tree.text(leaf)).collect();
        prop_assert_eq!(leaves.concat(), text);
    }

    /// What an outline says about its nodes agrees with itself.
    #[test]
    fn removals(text in texts(), seed: u64) {
        let outline = Outline::new(&text);
        let mut waiting = vec![outline.tree().root()];
        while let Some(node) = waiting.pop() {
            let children = outline.elements(node);
            for (at, &child) in children.iter().enumerate() {
                let span = outline.tree().span(child);
                prop_assert!(at == 0 || outline.tree().span(children[at - 1]).end == span.start, "children touch");
                let removal = outline.removal(node, &[child]);
                prop_assert!(removal.is_none() || outline.may_go(node, child) == Some(true));
                prop_assert!(removal.is_none_or(|gone| gone.contains(&child)));
            }
            let drop: Vec<NodeId> = (0u32..).zip(&children)
                .filter(|&(at, &child)| seed.rotate_left(at) & 1 == 1 && outline.may_go(node, child) == Some(true))
                .map(|(_, &child)| child)
                .collect();
            if let Some(gone) = outline.removal(node, &drop) {
                prop_assert!(drop.iter().all(|child| gone.contains(child)));
                prop_assert!(gone.iter().all(|child| children.contains(child)));
            }
            waiting.extend(children);
        }
    }

    /// Whatever the test says: the result is interesting, nothing is proposed that is not smaller, and it ends.
    #[test]
    fn searches_over_outlines(text in texts(), needed in prop::sample::select(&b"a1(\n,"[..]), odd: bool) {
        let is_interesting = |text: &[u8]| {
            text.contains(&needed) && (!odd || text.iter().filter(|&&byte| byte == needed).count() % 2 == 1)
        };
        prop_assume!(is_interesting(&text));
        let structure = PlainText.analyse(&text).unwrap();
        let mut search = Smaller::new(LargestFirst::new(structure));
        let mut best = text.clone();
        while let Some(batch) = search.propose() {
            let proposed = batch[0].what.content.to_vec();
            prop_assert!(!proposed.is_empty() && (proposed.len(), &proposed) < (best.len(), &best));
            let interesting = is_interesting(&proposed);
            search.answer(if interesting { &[0] } else { &[] });
            if interesting {
                best = proposed;
            }
            prop_assert_eq!(&search.current().content.to_vec(), &best);
        }
        let mut search = Stages::new(stages(), text);
        drive(&mut search, |candidate| is_interesting(&candidate.what.content.to_vec()));
        prop_assert!(is_interesting(&search.current().content.to_vec()));
    }
}
