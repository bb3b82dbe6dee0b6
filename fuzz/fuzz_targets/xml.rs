//! Any bytes give a tree that holds all of them, and a structure that answers every question.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nub_core::{FrontEnd as _, Hidden};
use nub_syntax::xml::{self, Xml};

fuzz_target!(|data: &[u8]| {
    let Some(parsed) = xml::parse(data) else { return };
    assert_eq!(&**parsed.tree.input(), data);
    assert_eq!(parsed.errors, xml::errors(data), "both count alike");
    let Some(structure) = Xml.analyse(data, Hidden::Gaps) else { return };
    let tree = structure.tree();
    let mut waiting = vec![tree.root()];
    let mut end = 0;
    while let Some(node) = waiting.pop() {
        if tree.kind(node).is_token() {
            assert!(end <= tree.span(node).start, "tokens are in order");
            end = tree.span(node).end;
        }
        for element in structure.elements(node) {
            structure.removal(node, &[element]);
            structure.may_replace(node, element);
            structure.may_unwrap(node, element);
        }
        let children: Vec<_> = tree.children(node).collect();
        waiting.extend(children.into_iter().rev());
    }
    assert!(end <= data.len());
});
