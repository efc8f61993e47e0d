#!/usr/bin/env python3
"""Random programs run by gx and by its oracle: NumPy and SciPy, or CPython.

    tools/fuzz numpy [SECONDS] [--seed N] [--gx PATH] [--only PATTERN] [--kinds PATTERN]
    tools/fuzz python [SECONDS] [...]
    tools/fuzz numpy --rows          the functions that are asked, and those that are not
    tools/fuzz numpy --again FILE    those of a file of findings that still differ
    tools/fuzz numpy 60 --counts 3   how many programs each row of known.txt answered, and three of them
    tools/fuzz numpy --record        the table of programs and their answers, for gx test

Each round makes a batch of programs from the seed and the round's number, so that a run is repeated
by its seed. What differs is shrunk, told once for each function and kind of difference, and written
into the findings' folder (.build/fuzz/numpy-findings). Where gx means to differ: known.txt."""
import argparse
import ast
import collections
import os
import random
import re
import subprocess
import sys
import time

import judge
import registry
import shrink
import tolerances
from sides import Gx, Oracle, Trial, table_path

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
BATCH = 150
UNSEEDED = re.compile(r"\b(RandomState|default_rng|SeedSequence|PCG64|MT19937|Philox|SFC64|PCG64DXSM)\((None)?\)")
VERSIONS = ("import sys, numpy, scipy; print('CPython', sys.version.split()[0], 'NumPy', "
            "numpy.__version__, 'SciPy', scipy.__version__)")


def known(mode):
    """(pattern of the program, pattern of the kind, row) of each deliberate difference."""
    rows = []
    for line in open(os.path.join(HERE, "known.txt")):
        if line.strip() and line[0] != "#":
            where, pattern, kind, reason = [p.strip() for p in line.split(" :: ")]
            if where == mode:
                rows.append((re.compile(pattern), re.compile(kind), line.rstrip("\n")))
    return rows


def plain(program):
    """The program's text as Python writes it, so that a pattern meets one spelling."""
    try:
        return ast.unparse(ast.parse("\n".join(program)))
    except SyntaxError:
        return "\n".join(program)


class Hunt:
    def __init__(self, options):
        self.mode, self.options = options.mode, options
        self.oracle = Oracle(options.oracle, self.mode)
        self.trial = Trial(options.oracle, self.mode)
        self.gx = Gx(options.gx, self.mode)
        self.known = known(self.mode)
        self.rows = registry.read()
        self.covered, self.found, self.told = set(), collections.Counter(), {}
        self.programs = self.chance = 0
        self.answered, self.examples = collections.Counter(), {}  # by rows of known.txt
        self.sources = {"kinds": options.source.split(",")} if options.source else {}
        self.passed_by = collections.Counter()
        self.methods = collections.defaultdict(set)  # names asked that are no rows, by their group
        self.folder = options.findings
        os.makedirs(self.folder, exist_ok=True)

    def is_chance(self, program):
        """Does the oracle itself answer differently from run to run (the order of a set of texts)?"""
        if self.mode == "numpy":
            return False
        said = set()
        for seed in range(4):
            other = Oracle(self.options.oracle, self.mode, seed)
            said.add(judge.plain(other.answers([program])[0]))
            other.close()
        return len(said) > 1

    def source(self, rng):
        if self.mode == "numpy":
            import numpy_programs
            return numpy_programs.Programs(rng, self.rows, registry.examples(self.rows), self.trial,
                                           self.options.only)
        import python_programs
        return python_programs.Programs(rng, self.rows, registry.examples(self.rows), self.options.only)

    def kinds(self, programs):
        got, want = self.gx.answers(programs), self.oracle.answers(programs)
        return [self.kind(p, g, w) for p, g, w in zip(programs, got, want)]

    def kinds_of(self, row):
        """As kinds, of programs that still call the row's function, and are not expected to differ."""
        def kinds_of_row(programs):
            return [kind if kind and (not row or row.name in "\n".join(p)) and not self.reason(p, kind)
                    and not UNSEEDED.search("\n".join(p)) else None for p, kind in zip(programs, self.kinds(programs))]
        return kinds_of_row

    def kind(self, program, got, want):
        text = "\n".join(program)
        if self.mode == "numpy":
            units, spread = tolerances.of(text)
        else:
            units, spread = tolerances.of_python(text), False
        signed = self.mode != "numpy" or not tolerances.is_ordered(text)
        kind = judge.compare(got, want, units, spread, tolerances.finest(text), signed)
        if self.mode == "numpy" and kind and kind.startswith("value") and tolerances.is_unwritten(text, want):
            return None
        if self.mode == "numpy" and kind and judge.stumbled(kind, want):
            return None
        if self.mode == "numpy" and kind and kind.startswith("class ") and judge.same_refusal(kind, text):
            return None
        if self.mode == "numpy" and kind in ("value", "type", "shape", "length") and tolerances.is_step(text):
            return None
        return kind

    def reason(self, program, kind):
        text = plain(program)
        for pattern, kinds, row in self.known:
            if kinds.search(kind) and pattern.search(text):
                return row
        return None

    def signature(self, program, kind):
        """Functions of the program and the kind of difference: what is told once."""
        text = "\n".join(program)
        names = re.findall(r"([\w.]+)\(|\.(\w+)\b(?!\()", text)
        names = sorted({(a or b).split(".")[-1] for a, b in names} -
                       {"array", "arange", "ones", "zeros", "show", "reshape", "print", "np", ""})
        return kind + " | " + " ".join(names)

    def run(self, seconds):
        start, round_ = time.time(), 0
        while time.time() - start < seconds:
            rng = random.Random("%d %d" % (self.options.seed, round_))
            if round_ % 10 == 0 or self.mode != "numpy":
                source = self.source(rng)
            source.rng = rng
            if hasattr(source, "v"):
                source.v.rng = rng
            round_ += 1
            made = []
            for _ in range(BATCH):
                program, row = source.program(**self.sources)
                made.append((program, row))
            programs = [p for p, _ in made]
            got, want = self.gx.answers(programs), self.oracle.answers(programs)
            self.programs += len(programs)
            if self.options.loud:
                print("%.1f s, round %d" % (time.time() - start, round_), file=sys.stderr)
            for (program, row), g, w in zip(made, got, want):
                if row and not w.startswith("!!"):
                    self.covered.add(row.key)
                elif hasattr(program, "group") and not w.startswith(("!!", "! ")):
                    self.methods[program.group].add(program.name)
                kind = self.kind(program, g, w)
                if kind:
                    self.found_one(program, row, kind)
                if time.time() - start > seconds:
                    break
        self.summary(source, time.time() - start)

    def found_one(self, program, row, kind):
        if not re.search(self.options.kinds, kind):
            self.passed_by[kind.split(" ")[0]] += 1
            return
        expected = self.reason(program, kind)
        if expected:
            self.answered[expected] += 1
            self.examples.setdefault(expected, []).append((kind, program))
            return
        if self.is_chance(program):
            self.chance += 1
            return
        rough = (row.key if row else "", kind)  # shrinking takes a second or two
        self.found[rough] += 1
        if self.found[rough] > (2 if row else 20):
            return
        small, same = shrink.shrink(program, self.kinds_of(row),
                                    shrink.SIMPLE if self.mode == "numpy" else shrink.PLAIN)
        if same is None:
            return self.tell(program, "not repeated: " + kind, row)
        if self.is_chance(small):
            small = program
        self.tell(small, kind, row)

    def tell(self, program, kind, row):
        key = self.signature(program, kind)
        if key in self.told:
            return
        got, want = self.gx.answers([program])[0], self.oracle.answers([program])[0]
        text = "== %s%s\n%s\n-- gx\n%s\n-- %s\n%s\n" % (
            kind, " (%s)" % row.key if row else "", "\n".join(program), got.strip()[:1500],
            "NumPy" if self.mode == "numpy" else "CPython", want.strip()[:1500])
        self.told[key] = text
        print(text, flush=True)
        name = re.sub(r"\W+", "-", kind.split(" for ")[0])[:40]
        with open(os.path.join(self.folder, name + ".txt"), "a") as file:
            file.write(text + "\n")

    def summary(self, source, seconds):
        rows = source.rows
        missing = [r.key for r in rows if r.key not in self.covered]
        print("%d programs in %.0f s, %d of %d rows covered, %d rows left out by name, %d expected "
              "differences, %d answered by chance, %d findings" % (self.programs, seconds, len(rows) - len(missing), len(rows),
                                            len(source.unasked), sum(self.answered.values()), self.chance, len(self.told)))
        if self.methods:
            import methods
            print("names covered that are no rows: " + ", ".join(
                "%d of %d of %s" % (len(names), methods.Methods.WHOLE[group], group)
                for group, names in sorted(self.methods.items())))
        if self.options.counts:
            for row, n in self.answered.most_common():
                print("%6d  %s" % (n, row))
                for kind, program in self.examples[row][:self.options.counts]:
                    print("        %s\n          %s" % (kind, "\n          ".join(program)))
        if self.passed_by:
            print("passed by: " + ", ".join("%d %s" % (n, k) for k, n in self.passed_by.items()))
        if missing:
            print("not covered: " + ", ".join(missing[:100]) + (" and more" if missing[100:] else ""))


def rows(hunt):
    source = hunt.source(random.Random(0))
    print("%d rows asked" % len(source.rows))
    print("not asked: " + ", ".join(r.key for r in source.unasked))


def again(hunt, path):
    """Tells the findings of a file, as tell() wrote it, that still differ."""
    texts = [t.split("\n-- gx\n")[0].split("\n", 1) for t in
             re.split(r"(?m)^== ", open(path).read())[1:]]
    rows = {r.key: r for r in hunt.rows}
    heads = list(dict.fromkeys((body, head) for head, body in texts))
    programs = [body.split("\n") for body, _ in heads]
    for start in range(0, len(programs), BATCH):
        part = programs[start:start + BATCH]
        for program, kind, (_, head) in zip(part, hunt.kinds(part), heads[start:]):
            if kind and not hunt.reason(program, kind):
                row = re.search(r"\((.*)\)$", head)
                hunt.tell(program, kind, row and rows.get(row[1]))
    print("%d of %d findings still differ" % (len(hunt.told), len(programs)))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mode", choices=["numpy", "python"])
    parser.add_argument("seconds", nargs="?", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gx", default=os.path.join(ROOT, ".build", "bin", "gx"))
    parser.add_argument("--oracle", default=os.environ.get("GX_ORACLE", sys.executable))
    parser.add_argument("--only")
    parser.add_argument("--kinds", default="")
    parser.add_argument("--findings")
    parser.add_argument("--source", help="of call, example, views, mixed, methods (numpy)")
    parser.add_argument("--counts", type=int, default=0, help="so many programs of each row of known.txt")
    parser.add_argument("--loud", action="store_true")
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--again")
    parser.add_argument("--record", nargs="?", const="")
    options = parser.parse_args()
    options.findings = options.findings or os.path.join(ROOT, ".build", "fuzz", options.mode + "-findings")
    hunt = Hunt(options)
    print("the oracle: " + subprocess.run([options.oracle, "-c", VERSIONS], text=True,
                                          capture_output=True).stdout.strip(), flush=True)
    try:
        if options.rows:
            rows(hunt)
        elif options.again:
            again(hunt, options.again)
        elif options.record is not None:
            import record
            record.record(hunt, options.record or table_path(options.mode))
        else:
            hunt.run(options.seconds)
    finally:
        hunt.oracle.close()
        hunt.trial.close()
    sys.exit(1 if hunt.told else 0)


if __name__ == "__main__":
    main()
