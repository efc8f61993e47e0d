"""Times calls of every function of the registry on a GPU, under gx and under Python with CuPy, and
prints a table of what they take and of what gx copies to the host:

    tests/bench/gpu/every.py GX [--only WORD] [--dtype f8,i4] [--size N] [--jobs N] [--results FILE]

Both sides run the same text, CuPy's names. The first call of a process compiles what its cache lacks.
What CuPy refuses is left out of the comparison. With --jobs above 1 processes share the GPU and times
are rough: warm calls of the lines where gx is behind are timed again, alone.

--firsts times gx alone, the first and the second call of each with nothing compiled before; those that
take 15 ms more the first time are timed again, alone, and told."""
import argparse
import concurrent.futures
import importlib.util
import math
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import every_calls  # noqa: E402
import rounds  # noqa: E402

LIMIT = 5  # seconds for a line, which takes it a dozen times
CHUNK = 100  # lines of a process
SLOW = 15  # milliseconds


def text_of(lines, calls=""):
    parts = [open(os.path.join(HERE, "every_head.py")).read(), calls]
    world = None
    for number, (dtype, size, _, _, text) in enumerate(lines):
        if world != (dtype, size):
            world = dtype, size
            parts.append("world(%r, %s)\n" % world)
        parts.append("line(%d, lambda: %s)\n" % (number, text))
    return "".join(parts)


def run(job):
    command, lines = job
    env = {"GX_DEVICE": os.environ.get("GX_DEVICE", "cuda"), "GX_NUMPY": "gpu"}
    found = []
    for word, rest in rounds.answers(command, lines, text_of, env, LIMIT, len(lines)):
        parts = rest.split(None, 2)
        found.append((float(word), float(parts[0]), int(parts[1]), parts[2]) if len(parts) == 3 else (word, rest))
    return found


def firsts(job):
    """Of each line: milliseconds of the first and of the second call, with a cache of its own."""
    command, lines = job
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:  # compilers may still write there
        env = {"GX_DEVICE": os.environ.get("GX_DEVICE", "cuda"), "GX_NUMPY": "gpu", "XDG_CACHE_HOME": cache}
        told = rounds.answers(command, lines, lambda rest: text_of(rest, "line = twice\n"), env, LIMIT, len(lines))
    return [(float(word), float(rest)) if word[0].isdigit() else None for word, rest in told]


def tell_firsts(options, chunks):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = [row for rows in pool.map(firsts, [([options.gx], chunk) for chunk in chunks]) for row in rows]
    table = list(zip([line for chunk in chunks for line in chunk], rows))
    slow = [line for line, row in table if row and row[0] > row[1] + SLOW]
    again = {line: row for i in range(0, len(slow), CHUNK)
             for line, row in zip(slow[i:i + CHUNK], firsts(([options.gx], slow[i:i + CHUNK])))}
    table = [(line, again.get(line, row)) for line, row in table]
    good = [(line, row) for line, row in table if row]
    slow = sorted([(row, line) for line, row in good if row[0] > row[1] + SLOW], reverse=True)
    for row, line in slow:
        print("%9.1f %9.3f  %s %s  %s" % (*row, line[0], line[4], line[3]))
    print("%d lines, %d refused; geometric means of first and second call %.2f and %.2f ms; %d take %d ms more at first" % (
        len(table), len(table) - len(good), mean([row[0] for _, row in good]), mean([row[1] for _, row in good]), len(slow), SLOW))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gx")
    parser.add_argument("--only", default="")
    parser.add_argument("--dtype", default="f8")
    parser.add_argument("--size", default="10000000")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--firsts", action="store_true")
    parser.add_argument("--results", default="every-gpu.tsv")
    options = parser.parse_args()
    rows = [r for r in every_calls.chosen() if options.only in r.callee]
    lines = [(d, size, r.section + "." + r.name, layout, text) for size in options.size.split(",")
             for d in options.dtype.split(",") for r in rows for layout, text in every_calls.calls(r)]
    chunks = [lines[i:i + CHUNK] for i in range(0, len(lines), CHUNK)]
    if options.firsts:
        return tell_firsts(options, chunks)
    sides = [[options.gx]] + ([[sys.executable]] if importlib.util.find_spec("cupy") else [])
    table = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        told = pool.map(run, [(side, chunk) for chunk in chunks for side in sides])
        for chunk in chunks:
            each = [next(told) for _ in sides]
            for i, line in enumerate(chunk):
                mine, peer = each[0][i], each[1][i] if len(each) > 1 else ("absent", "")
                table.append((line, mine, peer))
    write(table, options.results)
    if options.jobs > 1:
        table = timed_alone(sides, table)
        write(table, options.results)
    tell(table)


def write(table, path):
    with open(path, "w") as file:
        for line, mine, peer in table:
            print(*line, " ".join(map(str, mine)), " ".join(map(str, peer)), sep="\t", file=file)


def is_behind(mine, peer):
    return len(mine) == 4 and len(peer) == 4 and peer[1] / mine[1] < 0.97


def timed_alone(sides, table):
    """The table with warm calls of the lines where gx is behind from processes that have the GPU for themselves."""
    behind = [i for i, (_, mine, peer) in enumerate(table) if is_behind(mine, peer)]
    for part in [behind[i:i + CHUNK] for i in range(0, len(behind), CHUNK)]:
        lines = [table[i][0] for i in part]
        for i, again in zip(part, zip(*[run((side, lines)) for side in sides])):
            line, *before = table[i]
            table[i] = (line, *[(b[0], a[1], b[2], b[3]) if len(a) == 4 else b for b, a in zip(before, again)])
    return table


def tell(table):
    both = [(line, mine, peer) for line, mine, peer in table if len(mine) == 4 and len(peer) == 4]
    if both:
        print("geomean of %d lines: warm %.2fx, first %.2fx" % (
            len(both), mean([p[1] / m[1] for _, m, p in both]), mean([p[0] / m[0] for _, m, p in both])))
    print("%d lines; gx refuses %d that CuPy takes; %d below 0.97x; %d copy more than 64 KB to the host" % (
        len(table), sum(len(m) != 4 and len(p) == 4 for _, m, p in table),
        sum(is_behind(m, p) for _, m, p in both), sum(len(m) == 4 and m[2] > 65536 for _, m, _ in table)))
    for line, m, p in sorted(both, key=lambda row: row[2][1] / row[1][1]):
        if p[1] / m[1] < 0.97:
            print("%6.3fx %9.3f ms, CuPy %9.3f, first %8.1f, CuPy %8.1f, %9d bytes  %s %s  %s" % (
                p[1] / m[1], m[1], p[1], m[0], p[0], m[2], line[0], line[4], line[3]))


def mean(ratios):
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios))


if __name__ == "__main__":
    main()
