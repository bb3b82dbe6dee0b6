//! XML documents.

mod common;

use common::Place;
use nub_testing::{program, shared};
use std::fs;

#[test]
fn a_document_is_reduced_and_stays_well_formed() {
    let items: String = (0..50).map(|i| format!("  <p:item id=\"{i}\">text &amp; {i}</p:item>\n")).collect();
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE list [<!ENTITY e \"needle\">]>\n\
         <p:list xmlns:p=\"urn:p\">\n{items}  <p:found><p:deep>&e;</p:deep></p:found>\n</p:list>\n"
    );
    let place = Place::new("list.xml", document);
    place.script("grep -q '&e;' \"$1\" && grep -q 'p:' \"$1\"");
    place.nub_ok(&["--algorithm", "largest", "./test.sh", "list.xml"]);
    let result = place.read("list.xml");
    assert_eq!(nub_syntax::xml::errors(&result), 0);
    // The root has lost its prefix; another pass removes the blanks.
    let expected = "\n<!DOCTYPE list [<!ENTITY e \"\">]>\n<list xmlns:p=\"urn:p\">\n  <p:deep>&e;</p:deep>\n</list>\n";
    assert_eq!(String::from_utf8_lossy(&result), expected);
}

#[test]
fn documents_can_be_shown_as_trees() {
    let place = Place::new("picture.svg", "<svg xmlns:p='u'><p:g a='1'/>x</svg>");
    let printed = String::from_utf8(place.nub_ok(&["parse", "picture.svg"]).stdout).unwrap();
    for part in ["element using p", "prefix name \"p\"", "namespace \"u\"", "text \"x\"  -> \"\""] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let place = Place::new("broken.xml", "<a><b></a>&");
    place.script("grep -q '<b' \"$1\"");
    place.nub_ok(&["./test.sh", "broken.xml"]).says(&["not well-formed XML"]);
    assert_eq!(place.read("broken.xml"), b"<b");
}

/// A property with three conditions on a document of 100 kB: an XPath of `xmllint` still selects something.
///
/// Every interesting document has three different elements: X6, an element around it, and V43, which comes after X6 and
/// so is not around it. The element around X6 has two tags, `<a>` and `</a>`: 7 characters. The others are `<X6/>` and
/// `<V43/>`: 11. The two namespaces are different and each is the value of an attribute `xmlns`: ` xmlns="FK"` is 11, the other
/// one 28. Declarations are no attributes for XPath, so ` a="true"` is one more: 9. Prefixes, other elements and a
/// document type (an entity or a default costs more than what it would stand for) only add to that. So 66 is the least.
#[test]
fn a_property_of_a_large_document_is_reduced_to_the_minimum() {
    let Some(case) = shared("cases/xml-xpath-property") else { return };
    if !program("xmllint") {
        return;
    }
    let place = Place::new("input.xml", fs::read(case.join("input.xml")).unwrap());
    place.program("test.sh", &fs::read_to_string(case.join("test.sh")).unwrap());
    let ran = place.nub_ok(&["--json", "--jobs", "1", "./test.sh", "input.xml"]);
    let result = String::from_utf8(place.read("input.xml")).unwrap();
    assert_eq!(result.len(), 66, "{result}");
    let tests = ran.last("finish")["tests"].as_u64();
    assert!(tests.is_some_and(|tests| tests < 450), "{tests:?}");
}
