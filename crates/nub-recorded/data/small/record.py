"""Records what Picire and Picireny do with the grammars and inputs of this folder; `make` runs it.

    python3 -O record.py ANTLR_JAR

-O leaves out their assertions, which would test each configuration once more.
"""

import gzip
import hashlib
import json
import subprocess
import sys
import tempfile

from pathlib import Path

import picire
import picireny
import picireny.cli

from picireny.antlr4.grammar_analyzer import analyze_grammars

HERE = Path(__file__).resolve().parent
GRAMMARS = {
    'script': (['Script.g4'], 'program'),
    'page': (['PageLexer.g4', 'PageParser.g4'], 'page'),
}
# Inputs, and the grammars they are written for.
INPUTS = {'script.js': 'script', 'page.txt': 'page'}

# As in the publications: no subsets, complements from the end.
DD_OPTIONS = {'split': 'zeller', 'granularity': 2, 'subset_first': True, 'subset_iterator': 'skip',
              'complement_iterator': 'backward', 'cache': 'content'}
TREE_VARIANTS = {
    f'{hoist}{coarse}{algorithm}{interlaced}': {
        'hdd': algorithm,
        'phases': (['hoist'] if hoist else []) + [f'{coarse.replace("_", "-")}prune{"+hoist" if interlaced else ""}'],
    }
    for algorithm in ['hdd', 'hddr'] for coarse in ['', 'coarse_'] for hoist in ['', 'hoist_'] for interlaced in ['', 'h']
}
LIST_VARIANTS = {f'ddmin_{atom}': {'atom': atom} for atom in ['line', 'both']}


def write(name, value):
    """JSON in a file that depends on nothing but its content."""
    text = json.dumps(value, sort_keys=True, separators=(',', ':'))
    path = HERE / name
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0) if name.endswith('.gz') else text.encode() + b'\n')


class Engine:
    """Whether a script fails as the original does, according to node."""

    def __init__(self):
        self.node = subprocess.Popen(['node', HERE / 'fails.js'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def is_interesting(self, text):
        self.node.stdin.write(json.dumps(text) + '\n')
        self.node.stdin.flush()
        return self.node.stdout.readline() == '1\n'


class Run:
    """One run, as seen by its tests and its cache."""

    def __init__(self, engine):
        self.engine, self.sequence, self.cache_hits = engine, [], 0

    def tester(self, test_builder):
        def test(config, _):
            text = test_builder(config)
            outcome = self.engine.is_interesting(text)
            word = hashlib.sha256(text.encode()).hexdigest()[:16]
            self.sequence.append(word + ('F' if outcome else 'P'))
            return picire.Outcome.FAIL if outcome else picire.Outcome.PASS
        return test

    def cache(self):
        run = self

        class Counting(picire.outcome_cache.ContentCache):
            def lookup(self, config):
                found = super().lookup(config)
                run.cache_hits += found is not None
                return found

        return Counting()

    def recording(self, options, output):
        return {
            'options': options,
            'tests': len(self.sequence),
            'cache_hits': self.cache_hits,
            'output': output,
            'out_sha256': hashlib.sha256(output.encode()).hexdigest(),
            'sequence': ' '.join(self.sequence),
        }


def node(tree):
    value = {'k': type(tree).__name__, 'name': tree.name, 'replace': tree.replace,
             's': [tree.start.line, tree.start.column], 'e': [tree.end.line, tree.end.column]}
    if isinstance(tree, picireny.hdd_tree.HDDRule):
        value['c'] = [node(child) for child in tree.children]
    else:
        value['text'] = tree.text
    return value


def build(jar, grammar, text):
    """The tree of a text."""
    files, start = GRAMMARS[grammar]
    with tempfile.TemporaryDirectory() as folder:
        formats = {'': {'files': [str(HERE / file) for file in files], 'replacements': {}, 'islands': {}}}
        return picireny.cli.build_with_antlr4(text, input_format=formats, start=start, antlr=jar, work_dir=folder)


def dd_config(options):
    iterators = picire.config_iterators
    return {
        'split': picire.config_splitters.zeller(n=options['granularity']),
        'subset_first': options['subset_first'],
        'subset_iterator': getattr(iterators, options['subset_iterator']),
        'complement_iterator': getattr(iterators, options['complement_iterator']),
    }


def reduce_text(engine, text, variant):
    options = {'tool': 'picire 21.8', 'dd_star': False, **DD_OPTIONS, **variant}
    run = Run(engine)
    output = picire.reduce(text, reduce_class=picire.DD, reduce_config=dd_config(options), tester_class=run.tester,
                           tester_config={}, atom=options['atom'], cache_class=run.cache)
    return run.recording(options, output)


def reduce_tree(jar, engine, text, variant):
    options = {'tool': 'picireny 21.8', 'hdd_star': True, 'flatten_recursion': True, 'squeeze_tree': True,
               'skip_unremovable': True, **DD_OPTIONS, **variant}
    run = Run(engine)
    tree = picireny.cli.reduce(
        build(jar, 'script', text), hddmin=picireny.cli.args_hdd_choices[options['hdd']], reduce_class=picire.DD,
        reduce_config=dd_config(options), tester_class=run.tester, tester_config={}, cache_class=run.cache,
        hdd_phase_configs=[picireny.cli.args_phase_choices[phase] for phase in options['phases']],
        hdd_star=options['hdd_star'], flatten_recursion=options['flatten_recursion'], squeeze_tree=options['squeeze_tree'],
        skip_unremovable=options['skip_unremovable'])
    return run.recording(options, tree.unparse())


def main(jar):
    for name, (files, _) in GRAMMARS.items():
        replacements, _ = analyze_grammars([str(HERE / file) for file in files], {})
        write(f'{name}.replacements.json', {rule: text for rule, text in replacements.items() if text is not None})
    for name, grammar in INPUTS.items():
        write(f'{name}.tree.json.gz', node(build(jar, grammar, (HERE / name).read_text())))
    engine, text = Engine(), (HERE / 'script.js').read_text()
    if not engine.is_interesting(text):
        sys.exit('script.js does not fail as it should')
    variants = {name: reduce_text(engine, text, variant) for name, variant in LIST_VARIANTS.items()}
    variants.update({name: reduce_tree(jar, engine, text, variant) for name, variant in TREE_VARIANTS.items()})
    for name, variant in variants.items():
        print(name, variant['tests'], variant['cache_hits'], repr(variant['output']))
    write('script.js.runs.json.gz', {'case': 'script', 'input': text, 'tree': 'script.js.tree.json.gz',
                                     'input_sha256': hashlib.sha256(text.encode()).hexdigest(), 'variants': variants})


main(sys.argv[1])
