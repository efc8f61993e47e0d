"""Which functions leave the device? Calls every function of the registry with arrays on a device, on
each layout and along each axis, and compares those that copy more than 64 KB between the host and
the device, with one use of their results, with tests/device/leaves.txt:

    tests/device/leaves.py GX [--device twin] [--only WORD] [--write] [--jobs N]

A function that is not in the table must not copy; one that is there must still do so. A reason that
begins with `simulated:` or `GPU:` holds on that kind of device alone. --write keeps
the reasons that stand in the table and adds rows without one, which fail until they have it; it also
writes the list in docs/gpu.md, which must agree with the table.

np.random draws NumPy's sequence on the host; CuPy's functions, a Generator and a RandomState are asked
in its place."""
import argparse
import collections
import concurrent.futures
import os
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "bench"))
import every_calls  # noqa: E402
import rounds  # noqa: E402

TABLE = os.path.join(HERE, "leaves.txt")
PAGE = os.path.join(HERE, "..", "..", "docs", "gpu.md")
BEGIN, END = "<!-- tests/device/leaves.txt -->\n\n", "\n\n<!-- end -->\n"
SIZE, MOST = 20000, 65536
CHUNK, LIMIT = 60, 5  # functions of a process; seconds of a line
LAYOUTS = ("own", "reversed", "transposed", "axis 0")
STREAMS = ("cp.random", "generator", "state")
# What a reason begins with that holds on one kind of device alone.
ONLY = {"twin": "simulated: ", "cuda": "GPU: "}


def text_of(lines):
    head = [open(os.path.join(HERE, "..", "bench", "every_head.gx")).read(),
            open(os.path.join(HERE, "leaves_head.gx")).read(), "world('f8', %d)\n" % SIZE]
    return "".join(head + ["copied(%d, lambda: %s)\n" % (i, text) for i, (_, text) in enumerate(lines)])


def asked_of(row):
    """(key, text) of each call of a row."""
    for layout, text in every_calls.calls(row):
        if layout in LAYOUTS and row.section == "numpy.random":
            yield from (("cupy.random: " + row.name, text.replace("np.random", of)) for of in STREAMS)
        elif layout in LAYOUTS:
            yield row.key, text


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
    rows = [r for r in every_calls.chosen() if options.only in r.key]
    chunks = [[line for r in rows[i:i + CHUNK] for line in asked_of(r)] for i in range(0, len(rows), CHUNK)]
    env = {"GX_DEVICE": options.device, "GX_NUMPY": "gpu", "GX_SMALL": "0", "GX_THREADS": "1"}
    copied, asked, late = collections.Counter(), collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def run(lines):
            return rounds.answers([options.gx], lines, text_of, env, LIMIT, len(lines))
        for lines, said in zip(chunks, pool.map(run, chunks)):
            for (key, text), (word, _) in zip(lines, said):
                if word in ("late", "ended"):
                    late.append((word, text))
                elif word != "!":
                    asked[key] += 1
                    copied[key] += int(word) > MOST
    known = table()
    found = [key for key in asked if copied[key]]
    if options.write:
        write(set(found) | {k for k, why in known.items() if why.startswith(ONLY["cuda"])}, known)
    for word, text in late:
        print("%s: %s" % (word, text))
    failed = [key + " copies an array between the host and the device" for key in found if key not in known]
    elsewhere = tuple(word for device, word in ONLY.items() if device != options.device)
    failed += [key + " has a row in leaves.txt and copies nothing" for key, reason in known.items()
               if asked[key] and not copied[key] and not reason.startswith(elsewhere)]
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
