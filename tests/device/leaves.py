"""Which functions leave the device? Calls every function of the registry with arrays on a device, on
each layout, along each axis and in its other forms (leaves_forms.py), and also with integers, bools and
complex numbers, and compares those that copy an array between the host and the device, with one use of
their results, with tests/device/leaves.txt:

    tests/device/leaves.py GX [--device twin] [--only WORD] [--write] [--jobs N]

A function that is not in the table (a row's name may have stars, and a form, a method or the kind of
numbers behind it: `median[c16]`) must not copy; one that is there must still do so. A reason that begins with `simulated:` or `GPU:`
holds on that kind of device alone. What a call needs may grow with the square of its elements: those of SLOW
are asked with fewer; no other call may take longer than LIMIT. --write keeps the reasons that stand in the table and adds rows
without one, which fail until they have it; it also writes the list in docs/gpu.md, which must agree
with the table.

np.random draws NumPy's sequence on the host; CuPy's functions, a Generator and a RandomState are asked
in its place."""
import argparse
import collections
import concurrent.futures
import fnmatch
import os
import re
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "bench"))
import every_calls  # noqa: E402
import leaves_forms  # noqa: E402
import rounds  # noqa: E402

TABLE = os.path.join(HERE, "leaves.txt")
PAGE = os.path.join(HERE, "..", "..", "docs", "gpu.md")
BEGIN, END = "<!-- tests/device/leaves.txt -->\n\n", "\n\n<!-- end -->\n"
SIZE, MOST = 20000, 16384  # elements, and bytes: an array of bools has more
CHUNK, LIMIT = 400, 60  # calls of a process; seconds of a line
# Functions whose time or result grows with the square of what they are given (a copy of FEW numbers of
# eight bytes is told too).
SLOW, FEW = ("diagsvd", "helmert", "solve_discrete_lyapunov", "rosen_hess", "block_diag",
             "bmat", "hstack", "vstack", "tril", "triu", "make_lsq_spline", "outerproduct", "barycentric_interpolate",
             "kendalltau"), 2209
# Those that take its cube are not asked.
SLOWER = ("lagrange", "invpascal", "pascal")
LAYOUTS = ("own", "reversed", "transposed", "axis 0")
STREAMS = ("cp.random", "generator", "state")
# What a reason begins with that holds on one kind of device alone.
ONLY = {"twin": "simulated: ", "cuda": "GPU: "}
# Other kinds of numbers, which the plain calls are asked with; on these layouts.
OTHER, OTHER_LAYOUTS = ("i8", "u1", "?", "c16"), ("own", "reversed")


def is_among(names, key):
    return re.split(r"[(\[.]", key.split(": ")[1])[0] in names


def text_of(dtype, size):
    head = [open(os.path.join(HERE, "..", "bench", "every_head.gx")).read(),
            open(os.path.join(HERE, "leaves_head.gx")).read(), "world('%s', %d)\n" % (dtype, size)]
    return lambda lines: "".join(head + ["copied(%d, lambda: %s)\n" % (i, text)
                                         for i, (_, text) in enumerate(lines)])


def streamed(name, text):
    return [("cupy.random: " + name, text.replace("np.random", of)) for of in STREAMS]


def asked_of(row):
    """(key, text) of each call of a row: the plain ones, and the row's name with what is special of the others."""
    for layout, text in every_calls.calls(row):
        if row.section == "numpy.random":
            yield from streamed(row.name, text)
        elif layout in LAYOUTS:
            yield row.key, text
        if row.section != "numpy.random":
            yield from ((row.key + "(" + form + ")", more) for form, more in leaves_forms.forms(row, layout, text))
    yield from ((row.key + "." + method, text) for method, text in leaves_forms.methods(row))
    for text in leaves_forms.drawn(row):
        yield from streamed(row.name, text)


def calls():
    """The calls of all rows, and of what streams of random numbers have beside them."""
    yield from ((row.key, list(asked_of(row))) for row in every_calls.chosen())
    for name, text in leaves_forms.more_drawn():
        yield "cupy.random: " + name, streamed(name, text)


def other_calls(dtype):
    for row in every_calls.chosen():
        if row.section != "numpy.random":
            for layout, text in every_calls.calls(row):
                if layout in OTHER_LAYOUTS and re.search(r"\b[xymqswp]\b", text):  # arrays of that dtype
                    yield "%s[%s]" % (row.key, dtype), text


def row_of(key, known):
    """The row that a call belongs to: its own, that of its function, or one with a star."""
    section, name = key.split(": ")
    function = section + ": " + name.split("(")[0].split(".")[0].split("[")[0]
    stars = [row for row in known if "*" in row and fnmatch.fnmatchcase(key, row.replace("[", "[[]"))]
    return next((row for row in [key, function] + stars if row in known), key)


def table():
    """{function: reason}"""
    rows = {}
    for line in open(TABLE) if os.path.exists(TABLE) else []:
        if line.strip() and line[0] != "#":
            name, reason = line.rstrip("\n").split(" :: ")
            rows[name] = reason
    return rows


def listed(rows):
    """The table as a list by reasons, for docs/gpu.md."""
    by_reason = collections.defaultdict(list)
    for key, reason in rows.items():
        if not reason.startswith(ONLY["twin"]):
            reason = reason.replace(ONLY["cuda"], "")
            section, name = key.split(": ")
            by_reason[reason].append("." + name if section.startswith("Methods") else section + "." + name)
    lines = []
    for reason, names in by_reason.items():
        lines += textwrap.wrap("- %s: %s" % (reason, ", ".join("`%s`" % n for n in sorted(names))), 120,
                               subsequent_indent="  ", break_on_hyphens=False)
    return BEGIN + "\n".join(lines) + END


def page():
    """The page's text, and what stands between its marks."""
    text = open(PAGE).read()
    return text, text[text.index(BEGIN):text.index(END) + len(END)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gx")
    parser.add_argument("--device", default="twin")
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    asking = [("f8", [line for _, lines in calls() for line in lines])] + [(d, other_calls(d)) for d in OTHER]
    asking = [(d, [line for line in lines if options.only in line[0] and not is_among(SLOWER, line[0])])
              for d, lines in asking]
    worlds = [(d, SIZE, [line for line in lines if not is_among(SLOW, line[0])]) for d, lines in asking]
    worlds += [(d, FEW, [line for line in lines if is_among(SLOW, line[0])]) for d, lines in asking if d not in ("?", "u1")]
    chunks = [(d, size, lines[i:i + CHUNK]) for d, size, lines in worlds for i in range(0, len(lines), CHUNK)]
    env = {"GX_DEVICE": options.device, "GX_NUMPY": "gpu", "GX_SMALL": "0", "GX_THREADS": "1"}
    copied, asked, late = collections.Counter(), collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def run(chunk):
            dtype, size, lines = chunk
            return rounds.answers([options.gx], lines, text_of(dtype, size), env, LIMIT, len(lines))
        for (_, _, lines), said in zip(chunks, pool.map(run, chunks)):
            for (key, text), (word, _) in zip(lines, said):
                if word in ("late", "ended"):
                    late.append((word, text))
                elif word != "!":
                    asked[key] += 1
                    copied[key] += int(word) > MOST
    known = table()
    of = {key: row_of(key, known) for key in asked}
    found = {of[key] for key in asked if copied[key]}
    if options.write:
        write(set(found) | {k for k, why in known.items() if why.startswith(ONLY["cuda"])}, known)
    failed = ["%s is %s" % (text, "late" if word == "late" else "the end of its process") for word, text in late]
    failed += [key + " copies an array between the host and the device" for key in sorted(found) if key not in known]
    elsewhere = tuple(word for device, word in ONLY.items() if device != options.device)
    failed += [key + " has a row in leaves.txt and copies nothing" for key, reason in known.items()
               if key in of.values() and key not in found and not reason.startswith(elsewhere)]
    if page()[1] != listed(table()):
        failed.append("docs/gpu.md does not list what leaves.txt says (--write)")
    failed += [key + " has no reason in leaves.txt" for key, reason in known.items() if not reason.strip("?")]
    for text in failed:
        print("FAILED: " + text)
    print("%d functions asked, %d leave the device" % (len(asked), len(found)))
    print("%d passed, %d failed" % (len(asked) - len(failed), len(failed)))
    sys.exit(1 if failed else 0)


def write(found, known):
    with open(TABLE, "w") as file:
        file.write("# Functions that copy arrays between the host and a GPU: FUNCTION :: reason "
                   "(tests/device/leaves.py).\n# A reason that begins with `simulated:` or `GPU:` "
                   "holds on that kind of device alone.\n")
        for key in sorted(found):
            file.write("%s :: %s\n" % (key, known.get(key, "?")))
    text, old = page()
    with open(PAGE, "w") as file:
        file.write(text.replace(old, listed(table())))


if __name__ == "__main__":
    main()
