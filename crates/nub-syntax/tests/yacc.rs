//! YACC grammars, from their files to reduced inputs.

use nub_core::{
    FrontEnd as _, Hidden, HoistOrder, ListAlgorithm, Phase, Search, Smaller, Traversal, TreeSearch, drive, hoistables,
    tree::{Change, Kind, NodeId, Spacing, Tree, prepare},
};
use nub_syntax::yacc::{Language, Settings, Yacc};
use proptest::prelude::*;
use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::{Arc, LazyLock},
};

/// The grammars and inputs come from `nub-yacc`.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../nub-yacc/tests").join(name)
}

/// Name, language, input.
type Sample = (&'static str, Arc<Language>, Vec<u8>);

static LANGUAGES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let files = [("arithmetic", "arithmetic.txt"), ("json", "json.json"), ("lua", "lua.lua"), ("c", "c.c")];
    let load = |name: &str| {
        let (yacc, lex) = (path(&format!("grammars/{name}.y")), path(&format!("grammars/{name}.l")));
        Arc::new(Language::load(&yacc, Some(&lex), &Settings::default()).unwrap_or_else(|error| panic!("{error}")))
    };
    files.map(|(name, file)| (name, load(name), std::fs::read(path(&format!("inputs/{file}"))).unwrap())).into()
});

fn language(name: &str) -> &'static Arc<Language> {
    &LANGUAGES.iter().find(|(other, ..)| *other == name).unwrap().1
}

fn single(text: &str) -> Language {
    Language::from_sources(("test.y", text), None, &Settings::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A tree as nested brackets: rules with their names, removable groups in angle brackets, tokens with their texts.
fn shown(tree: &Tree, node: NodeId) -> String {
    let children = || tree.children(node).map(|child| shown(tree, child)).collect::<Vec<_>>().join(" ");
    match tree.kind(node) {
        Kind::Token => String::from_utf8_lossy(tree.text(node)).into_owned(),
        Kind::Error => format!("!{}", String::from_utf8_lossy(tree.text(node))),
        Kind::Rule => format!("({} {})", tree.name(node), children()),
        Kind::Quantified => format!("<{}>", children()),
    }
}

fn tree_of(language: &Language, input: &str) -> String {
    let (tree, _) = language.parse(input.as_bytes(), Hidden::Gaps);
    shown(&tree, tree.root())
}

#[test]
fn lists_are_flat() {
    let tokens = "%% N : \"[0-9]+\" SKIP : \" +\"";
    let list = |rules: &str, input: &str| tree_of(&single(&format!("%% {rules} {tokens}")), input);
    // The largest element stays, and the separators belong to the others.
    assert_eq!(list("l : N | l ',' N ;", "1,2,3"), "(l 1 <, 2> <, 3>)");
    assert_eq!(list("l : N | l ',' N ;", "1,22,3"), "(l <1 ,> 22 <, 3>)");
    assert_eq!(list("l : N | l ',' N ;", "1,2,33"), "(l <1 ,> <2 ,> 33)");
    assert_eq!(list("l : N | N ',' l ;", "1,2,33"), "(l <1 ,> <2 ,> 33)");
    assert_eq!(list("l : N | N ',' l ;", "1,22,3"), "(l <1 ,> 22 <, 3>)");
    assert_eq!(list("l : N | N ',' l ;", "11,2,3"), "(l 11 <, 2> <, 3>)");
    assert_eq!(list("l : N | l '(' ')' ;", "1()()"), "(l 1 <( )> <( )>)", "the first is different");
    assert_eq!(list("l : %empty | l N ';' ;", "1;2;"), "(l <1 ;> <2 ;>)");
    assert_eq!(list("l : N ';' | l N ';' ;", "1;22;3;"), "(l <1 ;> 22 ; <3 ;>)", "one must stay");
    let optional = "b : '{' '}' | '{' l '}' ; l : N ';' | l N ';' ;";
    assert_eq!(list(optional, "{1;2;}"), "(b { <(l <1 ;> <2 ;>)> })", "or none");
    assert_eq!(list("l : N | l N | l '-' N ;", "1 2 - 3"), "(l 1 <2> <- 3>)");
    // A tree is not a list.
    assert_eq!(list("t : N | '(' t t ')' ;", "((1 2) 3)"), "(t ( (t ( (t 1) (t 2) )) (t 3) ))");
}

#[test]
fn options_are_parts_that_another_alternative_lacks() {
    let text = "%% s : 'i' N b | 'i' N b 'e' b | 'f' '(' a ')' | 'f' '(' ')' ; b : '{' '}' | '{' s '}' ; a : N ;\n%% N : \"[0-9]\"";
    let language = single(text);
    assert_eq!(tree_of(&language, "i1{}e{f()}"), "(s i 1 (b { }) <e (b { <(s f ( ))> })>)");
    assert_eq!(tree_of(&language, "f(2)"), "(s f ( <(a 2)> ))");
    // a b c, a b and b c are allowed, but b is not: only one of a and c can be removable.
    let text = "%% s : 'a' 'b' 'c' | 'a' 'b' | 'b' 'c' ;\n%% SKIP : \" \"";
    assert_eq!(tree_of(&single(text), "abc"), "(s a b <c>)");
}

/// HDD thesis, §5.3.
#[test]
fn phi_of_arithmetic() {
    assert_eq!(language("arithmetic").phi("e"), Some("0"));
    assert_eq!(language("json").phi("json"), Some("0"));
    assert_eq!(language("lua").phi("chunk"), Some(""));
    assert_eq!(language("c").phi("statement"), Some(";"));
    assert_eq!(language("c").phi("function_definition"), Some("int a{}"));
}

/// HDD thesis, §5.1: only one member of a cycle has a finite text of its own.
#[test]
fn phi_of_cycles() {
    let language = single("%% s : a ; a : b 'x' ; b : a | 'y' ;\n%% SKIP : \" \"");
    assert_eq!((language.phi("b"), language.phi("a")), (Some("y"), Some("y x")));
}

/// The shortest text of a rule depends on its position: an operand must fit before `<` and after it.
#[test]
fn replacements_fit_their_position() {
    let text = "%nonassoc '<' %% s : e ; e : e '<' e | '<' | N ; %% N : \"[0-9]+\" SKIP : \" +\"";
    let language = single(text);
    let (tree, errors) = language.parse(b"12 < 34", Hidden::Gaps);
    assert_eq!(errors, 0);
    let operands: Vec<NodeId> = tree.leaves();
    assert_eq!(operands.len(), 3);
    for (kind, node, text) in single_changes(&tree) {
        let errors = language.parse_tree(text.as_bytes()).errors().len();
        assert_eq!(errors, 0, "{kind}: {} -> {text}", tree.name(node));
    }
}

/// The single changes that a search tries on a prepared tree.
fn single_changes(tree: &Tree) -> Vec<(&'static str, NodeId, String)> {
    let state = tree.initial_state();
    let text = |change: &Change| {
        let mut bytes = vec![];
        tree.unparse(&state, change, Spacing::Original, &mut |part| bytes.extend_from_slice(part));
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let mut changes = vec![];
    let mut stack = vec![tree.root()];
    while let Some(node) = stack.pop() {
        stack.extend(tree.children(node));
        if !state.is_kept(node) {
            continue;
        }
        let kind =
            if tree.kind(node) == Kind::Quantified || tree.name(node).is_empty() { "part" } else { "replacement" };
        changes.push((kind, node, text(&Change { removed: vec![node], ..Change::default() })));
        for descendant in hoistables(tree, &state, node, HoistOrder::Preorder) {
            changes.push(("hoist", node, text(&Change { hoisted: [(node, descendant)].into(), ..Change::default() })));
        }
    }
    changes
}

/// Every single change to the input of every grammar, on the plain tree and on the prepared one, must parse.
#[test]
fn single_changes_parse() {
    for (name, language, input) in LANGUAGES.iter() {
        for prepared in [false, true] {
            let (mut tree, errors) = language.parse(input, Hidden::Gaps);
            assert_eq!(errors, 0, "{name}");
            if prepared {
                prepare::all(&mut tree);
            }
            let mut wrong: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            let changes = single_changes(&tree);
            for (kind, node, text) in &changes {
                if !language.parse_tree(text.as_bytes()).errors().is_empty() {
                    wrong.entry(kind).or_default().push(format!("{} of {}", tree.name(*node), text));
                }
            }
            assert!(wrong.is_empty(), "{name}, prepared: {prepared}, of {}: {wrong:#?}", changes.len());
            assert!(changes.len() > 10, "{name}");
        }
    }
}

/// The result of an algorithm, the number of candidates, and how many of them have syntax errors.
fn reduce(
    language: &Language,
    algorithm: &str,
    input: &[u8],
    is_interesting: impl FnMut(&str) -> bool,
) -> (String, usize, usize) {
    reduce_tree(language, algorithm, language.parse(input, Hidden::Gaps).0, is_interesting)
}

fn reduce_tree(
    language: &Language,
    algorithm: &str,
    mut tree: Tree,
    mut is_interesting: impl FnMut(&str) -> bool,
) -> (String, usize, usize) {
    prepare::all(&mut tree);
    let traversal = Traversal::Nodes { pop_first: false, append_reversed: false };
    let named = |name| Phase::named(name, ListAlgorithm::default(), HoistOrder::Preorder, traversal);
    let phases: Vec<Phase> = algorithm.split('+').flat_map(|name| named(name).expect("it is known")).collect();
    let mut search = Smaller::new(TreeSearch::new(phases, Arc::new(tree), Spacing::Original));
    let (mut tested, mut wrong) = (0, 0);
    drive(&mut search, |candidate| {
        let text = String::from_utf8_lossy(&candidate.what.content.to_vec()).into_owned();
        tested += 1;
        wrong += usize::from(!language.parse_tree(text.as_bytes()).errors().is_empty());
        is_interesting(&text)
    });
    let result = String::from_utf8_lossy(&search.current().content.to_vec()).into_owned();
    (result, tested, wrong)
}

/// A minimal evaluator for the arithmetic grammar.
fn divides_by_zero(text: &str) -> bool {
    fn sum(text: &mut &[u8]) -> Option<f64> {
        let mut value = product(text)?;
        while let Some(sign @ (b'+' | b'-')) = text.first().copied() {
            *text = &text[1..];
            let other = product(text)?;
            value = if sign == b'+' { value + other } else { value - other };
        }
        Some(value)
    }
    fn product(text: &mut &[u8]) -> Option<f64> {
        let mut value = atom(text)?;
        while let Some(sign @ (b'*' | b'/')) = text.first().copied() {
            *text = &text[1..];
            let other = atom(text)?;
            value = if sign == b'*' { value * other } else { value / other };
        }
        Some(value)
    }
    fn atom(text: &mut &[u8]) -> Option<f64> {
        if let [b'(', rest @ ..] = *text {
            *text = rest;
            let value = sum(text)?;
            *text = text.strip_prefix(b")")?;
            return Some(value);
        }
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let value = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
        *text = &text[digits..];
        Some(value)
    }
    let bytes: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let mut rest = bytes.as_slice();
    sum(&mut rest).is_some_and(|value| !value.is_finite() && rest.is_empty())
}

/// HDD thesis, §5.3: HDD keeps the brackets, hoisting does not.
#[test]
fn arithmetic_is_reduced() {
    let (_, language, input) = &LANGUAGES[0];
    let (hdd, _, wrong) = reduce(language, "hdd*", input, divides_by_zero);
    assert_eq!(wrong, 0);
    assert!(divides_by_zero(&hdd) && hdd.trim().len() < 14, "{hdd}");
    let (hoisted, _, _) = reduce(language, "hoist*+hddh*", input, divides_by_zero);
    assert!(divides_by_zero(&hoisted), "{hoisted}");
    assert!(hoisted.trim().len() <= "0/(0-0)".len(), "{hoisted}");
}

/// HDD thesis, Fig. 5.6: removed statements leave nothing behind.
#[test]
fn no_semicolons_are_left() {
    let statements = (0..20).map(|i| if i == 13 { "needle();".to_owned() } else { format!("f({i});") });
    let program = format!("int main() {{ {} }}", statements.collect::<Vec<_>>().join(" "));
    let (result, ..) = reduce(language("c"), "hdd*", program.as_bytes(), |text| text.contains("needle"));
    assert_eq!(result.split_whitespace().collect::<String>().matches(';').count(), 1, "{result}");
    let lua = (0..20).map(|i| if i == 7 { "needle();".to_owned() } else { format!("x = {i};") });
    let (result, ..) = reduce(language("lua"), "hddr*", lua.collect::<String>().as_bytes(), |t| t.contains("needle"));
    assert_eq!(result.trim(), "needle()", "{result}");
}

#[test]
fn the_end_of_the_input_has_no_text() {
    let language = single("%token END 0 %% s : l END ; l : N | l N ; %% N : \"[0-9]\" SKIP : \" +\"");
    assert_eq!(tree_of(&language, "1 2"), "(s (l 1 <2>))");
    assert_eq!(language.phi("s"), Some("0"));
}

#[test]
fn inputs_with_errors_are_reduced() {
    let language = language("json");
    let input = b"[1, @ 2, {\"a\": }, needle, [3, 4]";
    let (tree, errors) = language.parse(input, Hidden::Gaps);
    assert!(errors > 0);
    assert!(shown(&tree, tree.root()).contains('!'));
    let (result, ..) = reduce(language, "hddr*", input, |text| text.contains("needle"));
    assert!(result.contains("needle") && result.len() < 16, "{result}");
}

#[test]
fn a_structure_knows_separators_and_positions() {
    let front_end = Yacc(Arc::clone(language("json")));
    let structure = front_end.analyse(b"[1, 2, [3, 4], 5]", Hidden::Gaps).unwrap();
    let tree = structure.tree();
    let find = |name: &str| {
        let mut stack = vec![tree.root()];
        while let Some(node) = stack.pop() {
            if tree.name(node) == name {
                return node;
            }
            stack.extend(tree.children(node).rev());
        }
        panic!("{name}")
    };
    let values = find("values");
    let elements = structure.elements(values);
    assert_eq!(elements.len(), 7, "four values and three commas");
    let texts = |nodes: Vec<NodeId>| -> Vec<String> {
        nodes.iter().map(|&node| String::from_utf8_lossy(&tree.input()[tree.span(node)]).into_owned()).collect()
    };
    assert_eq!(texts(structure.removal(values, &elements[..1]).unwrap()), ["1", ","]);
    assert_eq!(texts(structure.removal(values, &elements[6..]).unwrap()), [",", "5"]);
    let all: Vec<NodeId> = elements.iter().copied().step_by(2).collect();
    assert_eq!(structure.removal(values, &all), None, "an empty array has a production of its own");
    let array = tree.children(tree.root()).next().unwrap();
    assert!(structure.may_replace(elements[4], elements[0]), "a value replaces a value");
    assert!(!structure.may_replace(elements[4], values), "but a list of values does not: {}", tree.name(array));
    assert!(structure.is_valid(b"[]") && !structure.is_valid(b"["));
    assert!(structure.is_name(tree.leaves()[1]) && !structure.is_name(tree.leaves()[0]));
}

#[test]
fn user_defined_replacements_win() {
    let own = HashMap::from([("value".to_owned(), "null".to_owned()), ("NUMBER".to_owned(), "7".to_owned())]);
    let settings = Settings { own_replacements: own, ..Settings::default() };
    let yacc = path("grammars/json.y");
    let language = Language::load(&yacc, Some(&path("grammars/json.l")), &settings).unwrap();
    let (tree, _) = language.parse(b"[123]", Hidden::Gaps);
    let leaf = tree.leaves()[1];
    assert_eq!((tree.name(leaf), tree.replacement(leaf)), ("NUMBER", "7"));
    assert_eq!(language.phi("value"), Some("null"));
}

/// All bytes of the input are in tokens or between them, and a node covers its children.
fn check_tree(tree: &Tree, input: &[u8]) {
    assert_eq!(&**tree.input(), input);
    let mut end = 0;
    let mut stack = vec![tree.root()];
    while let Some(node) = stack.pop() {
        let span = tree.span(node);
        if tree.kind(node).is_token() {
            assert!(end <= span.start && span.end <= input.len());
            end = span.end;
        }
        for child in tree.children(node) {
            let inner = tree.span(child);
            assert!(span.start <= inner.start && inner.end <= span.end, "{inner:?} in {span:?}");
        }
        stack.extend(tree.children(node).rev());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The candidates of tree algorithms are in the language, whatever the test says.
    #[test]
    fn candidates_parse(which in 0..4usize, seed in any::<u64>(), algorithm in 0..5usize, nodes in any::<bool>()) {
        let (name, language, input) = &LANGUAGES[which];
        let algorithm = ["hdd*", "hddr*", "coarse-hdd*", "hoist*", "hoistr*+hddhr*"][algorithm];
        // Interesting if it contains some tokens of the input, chosen by the seed: monotone enough to make progress.
        let words: Vec<String> = String::from_utf8_lossy(input).split_whitespace().map(str::to_owned).collect();
        let needles: Vec<&String> = words.iter().enumerate()
            .filter(|(at, _)| (seed >> (at % 61)) & 0b111 == 0b101)
            .map(|(_, word)| word)
            .collect();
        let tree = language.parse(input, if nodes { Hidden::Nodes } else { Hidden::Gaps }).0;
        let is_interesting = |text: &str| needles.iter().all(|needle| text.contains(*needle));
        let (_, tested, wrong) = reduce_tree(language, algorithm, tree, is_interesting);
        prop_assert_eq!(wrong, 0, "{} with {}: of {}", name, algorithm, tested);
    }

    #[test]
    fn any_bytes(which in 0..4usize, bytes in prop::collection::vec(any::<u8>(), 0..200), cut in any::<u16>(), nodes in any::<bool>()) {
        let (_, language, input) = &LANGUAGES[which];
        let hidden = if nodes { Hidden::Nodes } else { Hidden::Gaps };
        let mut mixed = input.clone();
        let at = cut as usize % (mixed.len() + 1);
        mixed.splice(at..at, bytes.iter().copied());
        for text in [&bytes, &mixed] {
            check_tree(&language.parse(text, hidden).0, text);
        }
    }
}
