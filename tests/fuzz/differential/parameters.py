"""Does each parameter of each function of numpy matter? For a row's parameter some call must give
something else with the parameter than without it, or refuse it.

    tests/fuzz/differential/parameters.py     writes the calls found to tests/numpy/parameters.cases

Values are drawn for the rows' examples, telling.txt has calls where those show nothing. Parameters
that change nothing are in indifferent.txt, each with its reason; one
that is missing there ends the run with status 1."""
import ast
import os
import random
import subprocess
import sys
import tempfile

import registry
from numpy_programs import Programs

HERE = os.path.dirname(os.path.abspath(__file__))
GX = os.path.join(HERE, "..", "..", "..", ".build", "bin", "gx")
TRIES = 24
NUMPY = os.path.join(HERE, "..", "..", "numpy")
HEAD = open(os.path.join(NUMPY, "parameters.gx")).read()


def with_dtype(row, call, tree):
    found, kept = [], call.keywords
    for dtype in ("f4", "i2", "f8", "?"):
        call.keywords = kept + [ast.keyword("dtype", ast.Constant(dtype))]
        plain = ast.unparse(ast.fix_missing_locations(tree))
        call.keywords = call.keywords + [ast.keyword("casting", ast.Constant("no"))]
        found.append((row.key, "casting", plain, ast.unparse(ast.fix_missing_locations(tree))))
    call.keywords = kept
    return found


def told():
    """Calls written by hand, for parameters that examples do not show."""
    for line in open(os.path.join(HERE, "telling.txt")):
        if line.strip() and line[0] != "#":
            yield tuple(part.strip() for part in line.split(" :: "))


def calls(source, rows):
    """(row key, parameter, plain call, changed call) of values drawn for each parameter."""
    found = []
    for row in rows:
        tree = source.examples.get(row.key)
        call = next((n for n in ast.walk(tree) if isinstance(n, ast.Call) and row.name in (
            getattr(n.func, "attr", ""), getattr(n.func, "id", ""))), None) if tree else None
        if call is None:
            continue
        text = ast.unparse(tree)
        for i, (name, default, how) in enumerate(row.parameters):
            if default is None or how == "/" or i < len(call.args) and how == "=":
                continue
            if name == "casting":  # it tells where the dtype is another one
                found += with_dtype(row, call, tree)
            for _ in range(TRIES):
                value = source.v.argument(name, default)
                kept = call.keywords
                call.keywords = [k for k in kept if k.arg != name]
                plain = ast.unparse(tree)
                try:
                    call.keywords = call.keywords + [ast.keyword(name, ast.parse(value, mode="eval").body)]
                    found.append((row.key, name, plain, ast.unparse(ast.fix_missing_locations(tree))))
                except SyntaxError:
                    pass
                call.keywords = kept
    return found


def main():
    rows = registry.read()
    source = Programs(random.Random(1), rows, registry.examples(rows), None)
    rows = [r for r in source.rows if r.section.startswith("numpy")]
    own = {call[:2] for call in told()}
    drawn = [call for call in calls(source, rows) if call[:2] not in own] + list(told())
    with tempfile.NamedTemporaryFile("w", suffix=".gx") as script:
        script.write(HEAD)
        for _, _, plain, changed in drawn:
            script.write("print(matters(lambda: %s, lambda: %s))\n" % (plain, changed))
        script.flush()
        said = subprocess.run([GX, script.name], capture_output=True, text=True).stdout.split()
    if len(said) != len(drawn):
        sys.exit("gx answered %d of %d calls" % (len(said), len(drawn)))
    first, asked = {}, []
    for (key, name, plain, changed), answer in zip(drawn, said):
        if (key, name) not in asked:
            asked.append((key, name))
        if answer == "True":
            first.setdefault((key, name), (plain, changed))
    with open(os.path.join(NUMPY, "parameters.cases"), "w") as file:
        file.write("# Each parameter of numpy's functions changes a result or is refused; written by\n"
                   "# tests/fuzz/differential/parameters.py.\n@ import numpy as np\n"
                   "@ from parameters import *\n@1 check({})\n\n")
        for (key, name), (plain, changed) in first.items():
            file.write("'%s', '%s', lambda: %s, lambda: %s\n" % (key, name, plain, changed))
    known = [line.split(" :: ") for line in open(os.path.join(HERE, "indifferent.txt"))
             if line.strip() and line[0] != "#"]
    named = {(key.strip(), name.strip()) for key, name, _ in known} | {
        ("*", name.strip()) for key, name, _ in known if key.strip() == "*"}
    missing = [a for a in asked if a not in first and a not in named and ("*", a[1]) not in named]
    print("%d parameters, %d matter, %d named, %d missing" % (
        len(asked), len(first), len(asked) - len(first) - len(missing), len(missing)))
    for key, name in missing:
        print(key, "::", name)
    sys.exit(1 if missing else 0)


main()
