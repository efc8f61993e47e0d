"""Writes a table of programs and their answers for `gx test`: those of found_MODE.txt, which once
differed, and drawn ones. Only what any processor answers to the last bit is recorded."""
import os
import random
import sys

import judge
import tolerances

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "generators"))
import tables

DRAWN = 900


def found(mode):
    """Programs of the file, parted by empty lines; a line that starts with # is a remark."""
    path = os.path.join(HERE, "found_%s.txt" % mode)
    parts = open(path).read().split("\n\n") if os.path.exists(path) else []
    programs = []
    for part in parts:
        lines = [line for line in part.split("\n") if line and line[0] != "#"]
        if lines:
            programs.append(lines)
    return programs


def record(hunt, path):
    rng = random.Random("record")
    source = hunt.source(rng)
    old, programs, names = found(hunt.mode), [], {}
    for i in range(DRAWN * 8):
        program, row = source.program()
        text = "\n".join(program)
        if len(text) < 500 and not any(len(s) > 160 for s in program) and (
                tolerances.is_sure(text, hunt.mode == "numpy")):
            programs.append(program)
    got = hunt.gx.answers(old + programs)
    want = hunt.oracle.answers(old + programs)
    cases, refused = [], {}
    for i, (p, g, w) in enumerate(zip(old + programs, got, want)):
        text = "\n".join(p)
        if i < len(old) and hunt.kind(p, g, w):
            print("still differs: " + text, file=sys.stderr)
            continue
        g = g.replace(judge.LEFT_OUT, "")
        if i < len(old) or g == judge.plain(w) and "!!" not in g and len(g) < 500 and not hunt.reason(p, "value"):
            if g.startswith("!"):  # calls that are refused: a few of each kind
                refused[g] = refused.get(g, 0) + 1
                if refused[g] > DRAWN // 25 and i >= len(old):
                    continue
            cases.append((p, g))
        if i >= len(old) and len(cases) >= DRAWN:
            break
    write(hunt, path, cases)


def write(hunt, path, cases):
    oracle = "NumPy" if hunt.mode == "numpy" else "CPython"
    tables.write(path, [
        "# %s's answers to drawn programs, written by tools/fuzz %s --record." % (oracle, hunt.mode),
        "@ from programs import *", "@@ run(program)"], cases)
    print("%d programs" % len(cases))
