#!/usr/bin/env python3
"""Writes tests/numpy/calls_FAMILY.cases: thousands of generated calls with NumPy's answers, and SciPy's.

    python3 tests/generators/make_calls.py [FAMILY ...]    write the files (NumPy 2.x)
    python3 tests/generators/make_calls.py --check         is every file as it would be written?
    python3 tests/generators/make_calls.py --count         how many calls of each family

A line is one call and NumPy's answer: the dtype, the shape and the values; '!' and the exception's
name where it raises. A number behind it is how many units of the last place a value may be off;
without one every value is the same to the last bit. Negative: units of the greatest value's place.
x('i4t') is data of dtype i4 in the layout t (see LAYOUTS below); y is other data.
A table imports calls.gx. What is called how is in
call_families.py and scipy_families.py; the draws are the same in every run. Calls in which gx means to differ are not
drawn: SKIP there has them, each with its reason."""
import os
import random
import re
import sys
import warnings

import numpy as np

import call_families
import masked_families
import scipy_families
import solver_families
import tables

NUMPY = os.path.join(tables.TESTS, "numpy")
MOST_TEXT = 420  # longer answers are not worth their line

# What both gx and this program run.
with open(os.path.join(NUMPY, "calls.gx")) as f:
    HEAD = f.read()

TOP = "# NumPy's answers to generated calls, written by tests/generators/make_calls.py: see there.\n" \
      "@ import numpy as np\n@ from calls import *\n"
SCIPY = "from scipy import linalg, ndimage, signal, special\n"
SOLVERS = "from scipy import integrate, interpolate, optimize, stats\n@ from scipy.spatial import distance\n"
FAMILIES = {**call_families.FAMILIES, **scipy_families.FAMILIES, **masked_families.FAMILIES, **solver_families.FAMILIES}
FORM = "@1 c(lambda: {})\n\n"


def calls_of(family):
    """The distinct calls that the family draws, each with its tolerance, in order."""
    rng = random.Random("gx " + family)
    seen, out = set(), []
    for source, units in FAMILIES[family](rng):
        if source not in seen and not any(re.search(s, source) for s in call_families.SKIP):
            seen.add(source)
            out.append((source, units))
    return out


def answered(family, scope):
    lines = []
    for source, units in calls_of(family):
        try:
            call = eval("lambda: " + source, scope)
        except SyntaxError as e:
            sys.exit("%s: %s" % (source, e))
        want = scope["answer"](call)
        if want.startswith(("!NameError", "!AttributeError", "!SyntaxError")):
            sys.exit("%s: %s" % (source, want))
        if len(want) > MOST_TEXT or "0x" in want:
            continue
        lines.append("%s, %r%s\n" % (source, want, ", %g" % units if units else ""))
    return lines


def table_of(family, scope):
    """The table's text and how many calls it has."""
    lines = answered(family, scope)
    solver = family in solver_families.FAMILIES
    head = TOP + ("@ " + SOLVERS if solver else "@ " + SCIPY if family.startswith("scipy_") else "") + FORM
    return head + "".join(lines), len(lines)


def main():
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    flags = [a for a in sys.argv[1:] if a.startswith("--")]
    families = [a for a in sys.argv[1:] if not a.startswith("--")] or list(FAMILIES)
    scope = {"np": np}
    if any(f.startswith(("scipy_", "solver_")) for f in families):
        exec(SCIPY + SOLVERS.replace("\n@ ", "\n"), scope)
    exec(HEAD, scope)
    stale, total = [], 0
    for family in families:
        content, count = table_of(family, scope)
        name = "calls_%s.cases" % family
        path, total = os.path.join(NUMPY, name), total + count
        if "--count" in flags:
            print("%-12s %5d" % (family, count))
        elif "--check" not in flags:
            with open(path, "w") as f:
                f.write(content)
        elif not os.path.exists(path) or open(path).read() != content:
            stale.append(name)
    print("%d calls" % total)
    if "--check" in flags and stale:
        sys.exit("not as make_calls.py writes them: " + " ".join(stale))


if __name__ == "__main__":
    main()
