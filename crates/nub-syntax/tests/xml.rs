//! Trees of XML documents, and what is made of them.

#[path = "common/documents.rs"]
mod documents;
#[path = "common/pre_order.rs"]
mod pre_order;

use documents::documents;
use nub_core::{
    Analyse as _, Edit, LargestFirst, Search, Smaller, Structure, drive,
    passes::{PASSES, PassSearch},
    tree::{Change, Spacing, prepare},
};
use nub_syntax::xml::{Analyser, errors, parse};
use pre_order::pre_order;
use proptest::prelude::*;
use std::sync::Arc;

fn analyse(text: &str) -> Arc<dyn Structure> {
    Analyser.analyse(text.as_bytes()).expect("ASCII")
}

fn text(edit: &Edit) -> String {
    String::from_utf8(edit.content.to_vec()).expect("UTF-8")
}

/// What a search makes of an input.
fn run<S: Search<Proposal = Edit>>(mut search: S, test: impl Fn(&str) -> bool) -> String {
    drive(&mut search, |candidate| {
        let candidate = text(&candidate.what);
        assert_eq!(errors(candidate.as_bytes()), 0, "{candidate}");
        test(&candidate)
    });
    text(&search.current())
}

fn largest(input: &str, test: impl Fn(&str) -> bool) -> String {
    run(Smaller::new(LargestFirst::new(analyse(input))), test)
}

fn pass(name: &str, input: &str, test: impl Fn(&str) -> bool) -> String {
    let pass = PASSES.into_iter().find(|pass| pass.name == name).expect("a pass");
    run(Smaller::new(PassSearch::new(pass, analyse(input))), test)
}

/// Tokens are in order, and with what is between them they are the input; the untouched tree is the input.
fn check(input: &[u8]) {
    let Some(parsed) = parse(input) else { return };
    let mut end = 0;
    for node in pre_order(&parsed.tree) {
        let span = parsed.tree.span(node);
        if parsed.tree.kind(node).is_token() {
            assert!(end <= span.start && span.start < span.end && span.end <= input.len(), "{end} {span:?} {input:?}");
            end = span.end;
        }
        for child in parsed.tree.children(node) {
            let inner = parsed.tree.span(child);
            assert!(span.start <= inner.start && inner.end <= span.end);
        }
    }
    let mut tree = parsed.tree;
    prepare::all(&mut tree);
    let mut written: Vec<u8> = vec![];
    tree.unparse(&tree.initial_state(), &Change::default(), Spacing::Original, &mut |bytes| written.extend(bytes));
    assert_eq!(written, input);
}

#[test]
fn documents_are_well_formed_and_nothing_of_them_is_lost() {
    for (name, document) in documents() {
        assert_eq!(errors(&document), 0, "{name}");
        check(&document);
    }
}

#[test]
fn an_element_makes_way_for_one_in_it() {
    let input = "<a><b><c>x</c><d/></b></a>";
    assert_eq!(largest(input, |text| text.contains('x')), "<c>x</c>");
    assert_eq!(largest(input, |text| text.contains("<d")), "<d/>");
    assert_eq!(largest(input, |text| text.contains("<a") && text.contains("<c")), "<a><c/></a>");
}

#[test]
fn an_element_without_content_has_one_tag() {
    assert_eq!(largest("<a b='1'>x<b></b ></a>", |text| text.contains("<a") && text.contains("<b")), "<a><b/></a>");
    assert_eq!(largest("<a b='1'>\n</a>", |text| text.contains("b=")), "<a b=''\n/>");
}

#[test]
fn elements_are_unwrapped() {
    let unwrapped = pass("unwrap", "<a><b>one <c>two</c></b><d>three</d></a>", |_| true);
    assert_eq!(unwrapped, "<a>one twothree</a>");
    // The prefix would not be declared any more.
    let input = "<a><b xmlns:p='u'><p:c/></b></a>";
    assert_eq!(pass("unwrap", input, |_| true), input);
}

#[test]
fn a_declaration_goes_with_the_prefix() {
    let input = "<a xmlns:p='u' xmlns:q='u'><p:b p:x='1'>t</p:b><q:c/></a>";
    let all = ["<a", "p:b", " p:x='1'", "t", "q:c", "xmlns:q"];
    let found = largest(input, |text| all.iter().all(|part| text.contains(part)));
    assert_eq!(found, input, "what is needed stays");
    let found = largest(input, |text| !text.contains("p:") && text.contains("b x='1'") && text.contains("q:c"));
    assert_eq!(found, "<a xmlns:q='u'><b x='1'/><q:c/></a>");
}

#[test]
fn a_declaration_becomes_that_of_the_default_namespace() {
    let input = "<p:a xmlns:p='u'><p:b/>t</p:a>";
    let expected = "<a xmlns='u'><b/>t</a>";
    assert_eq!(pass("mentions", input, |text| text == expected), expected);
    assert_eq!(largest(input, |text| text == expected || text == input), expected);
    // There is one already.
    let input = "<p:a xmlns='v' xmlns:p='u'><p:b/>t</p:a>";
    assert_eq!(
        largest(input, |text| text.contains("'u'") && text.contains("'v'") && text.contains("t"))
            .matches("xmlns=")
            .count(),
        1
    );
}

#[test]
fn attributes_stay_different() {
    let input = "<a xmlns:p='u' x='1' p:x='2'/>";
    assert_eq!(largest(input, |text| text.contains("'1'") && text.contains("'2'")), input);
}

#[test]
fn names_change_in_both_tags() {
    let renamed = pass("identifiers", "<long:name xmlns:long='u' attribute='x'>name</long:name>", |_| true);
    assert_eq!(renamed, "<a:b xmlns:a='u' c='x'>name</a:b>");
    let kept = pass("identifiers", "<x xmlns='u' xml:lang='en'/>", |_| true);
    assert_eq!(kept, "<a xmlns='u' xml:b='en'/>", "some names mean something");
}

#[test]
fn references_go_with_what_declares_them() {
    let input = "<!DOCTYPE a [<!ENTITY e 'x'><!ENTITY f '&e;'>]><a b='&e;'>&f;&e;&amp;y</a>";
    let found = largest(input, |text| text.contains("&f;") && text.contains("&amp;"));
    assert_eq!(found, "<!DOCTYPE a [<!ENTITY f ''>]><a>&f;&amp;</a>");
    assert_eq!(largest(input, |text| text.contains('y')), "<a>y</a>");
}

#[test]
fn an_encoding_stays_as_long_as_it_matters() {
    let document = b"<?xml version='1.0' encoding='ISO-8859-1' standalone='yes'?><a>\xe9<b/>\xe8</a>";
    let mut search = Smaller::new(LargestFirst::new(Analyser.analyse(document).expect("Latin-1")));
    drive(&mut search, |candidate| candidate.what.content.to_vec().contains(&0xe9));
    let expected = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>";
    assert_eq!(search.current().content.to_vec(), expected);
    let found = largest("<?xml version='1.0' encoding='ISO-8859-1'?><a>e</a>", |text| text.contains('e'));
    assert_eq!(found, "<a>e</a>");
}

#[test]
fn what_is_not_well_formed_is_reduced_too() {
    let input = b"<a><b x=1 y='2'>text</i><c>& <d>more</a> tail";
    assert!(errors(input) > 3);
    let structure = Analyser.analyse(input).expect("ASCII");
    assert!(!structure.is_strict() && structure.is_valid(b"<a><b x=1></i>"));
    for (needed, expected) in [("x=1", "<b x=1>"), ("</i>", "</i>"), ("&", "&"), ("tail", "tail"), ("more", "more")] {
        let mut search = Smaller::new(LargestFirst::new(Arc::clone(&structure)));
        drive(&mut search, |candidate| text(&candidate.what).contains(needed));
        assert_eq!(text(&search.current()).trim(), format!("<a>{expected}</a>").replace("<a>tail</a>", "tail"));
    }
}

#[test]
fn trees_of_a_hundred_thousand_levels() {
    let depth = 100_000;
    let closed = "<a>".repeat(depth) + "x" + &"</a>".repeat(depth);
    assert_eq!(errors(closed.as_bytes()), 0);
    check(closed.as_bytes());
    check("<a>".repeat(depth).as_bytes());
    check("</a>".repeat(depth).as_bytes());
    check(("<a>".repeat(depth) + &"</b>".repeat(depth)).as_bytes());
    let models = format!("<!DOCTYPE a [<!ELEMENT a {}b{}>]><a/>", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(errors(models.as_bytes()), 0);
    check(models.as_bytes());
}

/// A large document has larger units, and is read again when it is smaller.
#[test]
fn a_large_document() {
    let item = |i: usize| {
        format!("<p:item id='{i}' p:x='1' q:y=\"&e;\"><name>text {i} &amp; &e; more</name> <p:empty/></p:item  >\n")
    };
    let items: String = (0..30_000).map(item).collect();
    let head = "<!DOCTYPE list [<!ENTITY e 'x'>]>\n<list xmlns:p='u' xmlns:q='v' xmlns:none='w'>";
    let document = format!("{head}{items}</list>");
    assert!(document.len() > 2_000_000 && errors(document.as_bytes()) == 0);
    check(document.as_bytes());
    let once = largest(&document, |text| text.contains("id='12345'") && text.contains("text 23456 "));
    assert!(once.len() < 500, "{once}");
    let found = largest(&once, |text| text.contains("id='12345'") && text.contains("23456"));
    // Blanks are for another pass.
    let found = found.replace('\n', "").replace("> ", ">");
    assert_eq!(found, "<list><item id='12345'/><name>23456</name></list>");
    check(("<p:a b='&amp;' b='1'>".to_owned() + &document + "</b></p:a>").as_bytes());
}

/// Pieces of markup, so that most texts have something to do with XML.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let marks = [
        "<",
        ">",
        "</",
        "/>",
        "<a",
        "<a>",
        "</a>",
        "<p:a>",
        "</p:a>",
        " x='1'",
        " xmlns:p=\"u\"",
        " p:x=''",
        "=",
        "'",
        "\"",
        "&",
        ";",
        "&lt;",
        "&e;",
        "&#x41;",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "<?xml version='1.0'?>",
        "]",
        "<!DOCTYPE a",
        "[",
        "<!ENTITY e 'v'>",
        "<!ELEMENT a (b|c)>",
        "<!ATTLIST a b CDATA ''>",
        "%p;",
        " ",
        "\n",
        "x y",
        "é",
        "\u{feff}",
        "xml",
        ":",
    ];
    let piece = prop_oneof![
        8 => proptest::sample::select(marks.to_vec()).prop_map(|mark| mark.as_bytes().to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 1..3),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_a_tree_without_loss(bytes in pieces()) {
        check(&bytes);
    }

    #[test]
    fn any_bytes_in_utf16(bytes in pieces(), big in any::<bool>(), odd in any::<bool>()) {
        let text = String::from_utf8_lossy(&bytes);
        let units = text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() });
        let mark: &[u8] = if big { b"\xfe\xff" } else { b"\xff\xfe" };
        let mut bytes: Vec<u8> = mark.iter().copied().chain(units).collect();
        bytes.extend(odd.then_some(b'<'));
        check(&bytes);
    }

    /// Random outcomes, whatever the input: no panic, and what is made of what is well-formed is well-formed.
    #[test]
    fn any_bytes_can_be_reduced(bytes in pieces(), outcomes in any::<u64>()) {
        if let Some(structure) = Analyser.analyse(&bytes) {
            let well_formed = structure.is_strict();
            let mut outcomes = outcomes;
            let mut search = Smaller::new(LargestFirst::new(structure));
            drive(&mut search, |candidate| {
                outcomes = outcomes.rotate_left(1);
                assert!(!well_formed || errors(&candidate.what.content.to_vec()) == 0);
                outcomes & 1 == 1
            });
        }
    }
}
