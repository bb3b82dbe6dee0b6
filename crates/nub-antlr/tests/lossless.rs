//! Any grammar that is accepted gives a tree of the whole input, for any input.

#[path = "common/lossless.rs"]
mod lossless;

use lossless::assert_lossless;
use nub_antlr::{Grammar, ParseOptions, atn::RuleId};
use proptest::{prelude::*, sample::Index};
use std::{fs, path::Path, sync::LazyLock};

/// Grammars with their inputs.
static SITUATIONS: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/situations");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let inputs = |text: String| text.split("\n\n").map(|part| part.lines().next().unwrap().to_owned()).collect();
    let pair = |path: &Path| {
        Some((fs::read_to_string(path).ok()?, inputs(fs::read_to_string(path.with_extension("txt")).ok()?)))
    };
    paths
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "g4"))
        .filter_map(|path| pair(path))
        .collect()
});

/// Pieces that are likely to keep a grammar valid, separated by two spaces.
const GRAMMAR: &str = "  ?  *  +  ??  *?  +?  |  s  e  ID  'a'  '+'  .  ~'a'  (  )  EOF  ;  : ;  | ;  -> skip  -> more  \
                       -> channel(1)  -> popMode  [a-z]  ~[a]  {true}?  {false}?  <assoc=right>  # x  fragment  \
                       mode M; A : . ;  \n  ";
const INPUT: &str = "  a  x  1  +  (  )  <  >  [  ]  \"  '  \\  /*  */  #  \n  é  ";

/// Where to edit, how much to remove, and which piece to insert.
type Edit = (Index, usize, Index);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec((any::<Index>(), 0usize..5, any::<Index>()), 0..6)
}

fn edited(text: &str, edits: &[Edit], pieces: &str) -> String {
    let pieces: Vec<&str> = pieces.split("  ").collect();
    let mut characters: Vec<char> = text.chars().collect();
    for (at, removed, piece) in edits {
        let at = at.index(characters.len() + 1);
        let end = (at + removed).min(characters.len());
        characters.splice(at..end, piece.get(&pieces).chars());
    }
    characters.into_iter().collect()
}

/// Parses from every rule, twice with one engine, with and without quantifier nodes.
fn parse(grammar: &Grammar, source: &[u8]) {
    let mut engine = grammar.engine();
    for rule in 0..grammar.parser_rules().len() {
        let start = RuleId(u32::try_from(rule).unwrap());
        let plain = engine.parse(start, source, &ParseOptions::default());
        assert_lossless(&plain, source);
        let options = ParseOptions { quantifiers: true, ..ParseOptions::default() };
        let marked = engine.parse(start, source, &options);
        assert_lossless(&marked, source);
        assert_eq!(plain.errors(), marked.errors(), "what the engine learnt changed the errors");
        assert_eq!(plain.spans().len(), plain.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn changed_grammars_and_changed_inputs(which in any::<Index>(), input in any::<Index>(), grammar in edits(), source in edits()) {
        let (text, inputs) = which.get(&SITUATIONS[..]);
        let loaded = Grammar::from_sources(&[("T.g4", &edited(text, &grammar, GRAMMAR))]);
        prop_assume!(loaded.is_ok());
        parse(&loaded.unwrap(), edited(&inputs[input.index(inputs.len())], &source, INPUT).as_bytes());
    }

    #[test]
    fn any_bytes(which in any::<Index>(), source in prop::collection::vec(any::<u8>(), 0..80)) {
        let (text, _) = which.get(&SITUATIONS[..]);
        parse(&Grammar::from_sources(&[("T.g4", text)]).unwrap(), &source);
    }
}
