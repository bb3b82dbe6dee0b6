//! From bytes to a prepared tree, and from a grammar to its automata.

use crate::{
    machine::{cpu_time, peak_memory},
    measure::Samples,
    report::{Report, thousands},
};
use anyhow::{Context as _, Result};
use nub_core::tree::prepare;
use nub_syntax::{
    detect,
    treesitter::{Language, languages, parse},
};
use std::{fs, path::Path};

/// C, preprocessed: the input of a real failure, and one of more than twice the size.
pub(crate) const INPUTS: [&str; 2] = ["cases/c-gcc12-maybe-uninit/input.c", "grammars/c-2021/examples/large.c"];
const RUNS: usize = 9;

pub(crate) fn run(report: &mut Report) -> Result<()> {
    inputs(report)?;
    grammars(report)
}

fn inputs(report: &mut Report) -> Result<()> {
    report.section("Inputs");
    report.text(&format!(
        "Processor time to *parse* an input (tree-sitter, the replacements tried on the input, nub's own tree and the \
         automata's view of every node) and to *prepare* the tree (remove empty nodes, flatten, squeeze, skip what \
         cannot be removed): the median of {RUNS} runs. *Peak* is the peak memory of the process (VmHWM), including \
         the parser and the input.",
    ));
    let Some(shared) = nub_testing::find_shared("") else {
        report.left_out();
        return Ok(());
    };
    let mut rows = vec![];
    for name in INPUTS {
        let input = fs::read(shared.join(name)).with_context(|| format!("cannot read {name}"))?;
        let language = detect(Some(Path::new(name)), &input);
        let language = language.and_then(nub_syntax::Language::tree_sitter).context("the language is not built in")?;
        let (mut parsing, mut all, mut nodes) = (vec![], vec![], 0);
        for _ in 0..RUNS {
            let start = cpu_time();
            let mut parsed = parse(language, &input)?;
            parsing.push(cpu_time() - start);
            prepare::all(&mut parsed.tree);
            all.push(cpu_time() - start);
            nodes = parsed.tree.arena_len();
        }
        let (parsing, all) = (Samples::of_times(parsing), Samples::of_times(all));
        let peak = peak_memory().context("VmHWM is unknown")? as f64 / 1e6;
        rows.push(vec![
            name.to_owned(),
            thousands(input.len()),
            thousands(nodes),
            format!("{:.3} s", parsing.median()),
            format!("{:.3} s", all.median() - parsing.median()),
            format!("{:.3} s", all.median()),
            format!("{:.3} s", all.min()),
            format!("{peak:.0} MB"),
        ]);
        report.goal(&format!("time for {name}"), "< 0.5 s", format!("{:.3} s", all.median()), all.median() < 0.5);
        report.goal(&format!("memory for {name}"), "< 200 MB", format!("{peak:.0} MB"), peak < 200.0);
    }
    report.table(&["input", "bytes", "nodes", "parse", "prepare", "**both**", "both, minimum", "peak"], &rows);
    Ok(())
}

/// The cost of a grammar, once per run, in milliseconds.
struct GrammarCost {
    phi: f64,
    automata: f64,
}

impl GrammarCost {
    fn measure(language: &Language) -> Result<Self> {
        let (mut phi, mut automata) = (vec![], vec![]);
        for _ in 0..RUNS {
            let start = cpu_time();
            let compiled = language.compile()?;
            let compile = cpu_time();
            for (rule, _) in compiled.grammar().rules().filter(|(_, rule)| rule.kind.is_some()) {
                std::hint::black_box(compiled.children.any(rule));
            }
            phi.push(compile - start);
            automata.push(cpu_time() - compile);
        }
        let median = |times| Samples::of_times(times).median() * 1e3;
        Ok(Self { phi: median(phi), automata: median(automata) })
    }
}

fn grammars(report: &mut Report) -> Result<()> {
    report.section("Grammars");
    report.text(
        "Processor time to read the grammar of a language and derive Phi, the shortest text of every rule, and to \
         build the automata of *all* its rules. (A reduction builds only those that its input needs, on demand.)",
    );
    let (mut rows, mut slowest) = (vec![], (0.0, ""));
    for language in languages() {
        let cost = GrammarCost::measure(language)?;
        let all = cost.phi + cost.automata;
        let rules = language.compiled().context("a test rules this out")?.grammar().rules().len();
        let times = [cost.phi, cost.automata, all].map(|time| format!("{time:.2} ms"));
        rows.push([vec![language.name.to_owned(), rules.to_string()], times.to_vec()].concat());
        if all > slowest.0 {
            slowest = (all, language.name);
        }
    }
    report.table(&["language", "rules", "grammar and Phi", "automata", "**all**"], &rows);
    let (all, name) = slowest;
    report.goal(&format!("the slowest grammar ({name})"), "< 10 ms", format!("{all:.2} ms"), all < 10.0);
    Ok(())
}
