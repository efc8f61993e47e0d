"""Times calls of every function of the registry under gx and under Python, and prints those that take
gx longer: tools/bench every, or

    tests/bench/every.py GX [--only WORD] [--dtype f8,i4] [--size 1000,100000] [--results FILE] [--show]

A line is a function on one layout or along one axis, with elements of one dtype, of one size. Both
sides run the same text on one thread; what counts is the time of the process, the least of a few; lines
below SLOW are timed again, by turns. NumPy says which calls there are: a function of which it takes
none is named, and so is a line that gx refuses, ends at, or answers by another dtype or shape.

The results are kept in FILE (.build/every.tsv), and what stands there is not timed again: a run that
was interrupted goes on where it was. --show times nothing."""
import argparse
import math
import os
import resource
import sys

import every_calls
import rounds

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
DTYPES = "f8 f4 f2 i8 i4 i2 u1 ? c16".split()
SIZES = [1000, 100000, 10000000]
SLOW = 0.9
AGAIN = 2  # times that slow lines are timed again
LIMIT = 5  # seconds for a line, which takes it some times; after LATE late ones a function is left
LATE = 2
MEMORY = 8 << 30
IMPORTS = ("import scipy.fft, scipy.linalg, scipy.ndimage, scipy.signal, scipy.special\n"
           "import scipy.signal.windows\n")


def text_of(lines):
    parts = [open(os.path.join(HERE, "every_head.gx")).read()]
    if any("scipy." in text for _, text in lines):
        parts.append(IMPORTS)
    world = None
    for number, ((_, _, dtype, size), text) in enumerate(lines):
        if world != (dtype, size):
            world = dtype, size
            parts.append("world(%r, %s)\n" % world)
        parts.append("line(%d, lambda: %s)\n" % (number, text))
    return "".join(parts)


def bounded():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def times(command, lines):
    """(seconds or a word, what came) of each line."""
    env = {"GX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "GX_MAX_MEMORY": str(MEMORY)}
    said = rounds.answers(command, lines, text_of, env, LIMIT, LATE, bounded)
    return [("refused" if word == "!" else number(word), rest) for word, rest in said]


class Results:
    """key <tab> gx <tab> peer <tab> note; a time is in seconds, or a word says what happened."""

    def __init__(self, path):
        self.path, self.rows = path, {}
        if os.path.exists(path):
            for line in open(path):
                parts = line.rstrip("\n").split("\t")
                if len(parts) == 5:
                    self.rows[tuple(parts[0].split("|"))] = (number(parts[1]), number(parts[2]), parts[3], parts[4])

    def add(self, key, gx, peer, note, text):
        self.rows[key] = (gx, peer, note, text)
        with open(self.path, "a") as file:
            file.write("\t".join(["|".join(key), str(gx), str(peer), note, text]) + "\n")


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def compare(gx, lines, results):
    """Times the lines on both sides: first Python, whose refusals are no lines."""
    peer = times([sys.executable], lines)
    taken = [(line, p) for line, p in zip(lines, peer) if isinstance(p[0], float)]
    for line, p in zip(lines, peer):
        if not isinstance(p[0], float):
            results.add(line[0], "", p[0], p[1], line[1])
    mine = times([gx], [line for line, _ in taken])
    rows = [[line, m, p] for (line, p), m in zip(taken, mine)]
    for _ in range(AGAIN):
        slow = [row for row in rows if timed(row) and row[2][0] / row[1][0] < SLOW]
        if not slow:
            break
        again = [row[0] for row in slow]
        for row, m, p in zip(slow, times([gx], again), times([sys.executable], again)):
            row[1] = least(row[1], m)
            row[2] = least(row[2], p)
    for line, m, p in rows:
        note = "" if m[1] == p[1] or not isinstance(m[0], float) else "gx gives %s, NumPy %s" % (m[1], p[1])
        results.add(line[0], m[0], p[0], note or (m[1] if m[0] == "refused" else ""), line[1])


def timed(row):
    return isinstance(row[1][0], float) and isinstance(row[2][0], float)


def least(a, b):
    return b if isinstance(b[0], float) and b[0] < a[0] else a


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def report(wanted, results):
    lines, none = [], []
    for name, group in wanted.items():
        rows = [(key, results.rows[key]) for key, _ in group if key in results.rows]
        taken = [r for r in rows if isinstance(r[1][1], float)]
        if rows and not taken:
            none.append("%s  %s" % (name, rows[0][1][2] or rows[0][1][1]))
        lines += taken
    both = [(p / g, key, g, p, text) for key, (g, p, _, text) in lines
            if isinstance(g, float) and isinstance(p, float)]
    slow = sorted(r for r in both if r[0] < SLOW)
    functions = {}
    for row in slow:
        functions.setdefault(row[1][0], []).append(row)
    print("below %g x: %d of %d lines, of %d functions" % (SLOW, len(slow), len(both), len(functions)))
    for name, rows in functions.items():
        print("  " + name)
        for ratio, key, g, p, text in rows:
            print("    %6.2fx %9.3f ms %9.3f ms  %-4s %8s  %s" % (ratio, g * 1e3, p * 1e3, key[2], key[3], text))
    print("Python alone does, or gx answers by another dtype or shape:")
    for key, (g, p, note, text) in lines:
        if not isinstance(g, float) or note:
            print("  %-40s %-4s %8s  %s %s" % (text, key[2], key[3], "" if isinstance(g, float) else g, note))
    print("not called (Python refuses each call that was made up, or takes too long): %d" % len(none))
    for text in none:
        print("  " + text)
    for title, place in (("dtype", 2), ("size", 3), ("layout", 1)):
        for value in dict.fromkeys(key[place] for _, key, *_ in both):
            part = [row[0] for row in both if row[1][place] == value]
            print("geomean of %-6s %-12s %6d lines %8.2fx" % (title, value, len(part), geomean(part)))
    print("geomean of %d lines of %d functions: %.2fx" % (
        len(both), len({row[1][0] for row in both}), geomean([row[0] for row in both])))


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("gx")
    ask.add_argument("--only", default="", help="functions whose 'section: name' contains it")
    ask.add_argument("--dtype", default=",".join(DTYPES))
    ask.add_argument("--size", default=",".join(map(str, SIZES)))
    ask.add_argument("--layout", default="", help="some of " + ", ".join(i[0] for i in every_calls.LAYOUTS))
    ask.add_argument("--results", default=os.path.join(ROOT, ".build", "every.tsv"))
    ask.add_argument("--show", action="store_true")
    said = ask.parse_args()
    results, wanted = Results(said.results), {}
    for row in every_calls.chosen():
        if said.only in row.key:
            wanted[row.key] = [((row.key, layout, dtype, size), text)
                               for size in said.size.split(",") for dtype in said.dtype.split(",")
                               for layout, text in every_calls.calls(row)
                               if not said.layout or layout in said.layout.split(",")]
    for i, (name, lines) in enumerate(wanted.items()):
        left = [line for line in lines if line[0] not in results.rows]
        if left and not said.show:
            print("%d of %d: %s, %d lines" % (i + 1, len(wanted), name, len(left)), file=sys.stderr, flush=True)
            compare(said.gx, left, results)
    report(wanted, results)


if __name__ == "__main__":
    main()
