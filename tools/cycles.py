"""Which files call each other in circles, read from the object files of a finished build.

    python3 tools/cycles.py FOLDER…

A file uses another when it refers to a function or a variable that the other defines; no two files
may define the same one, as the linker would choose between them. For each folder and each room the
largest set of files that all reach each other is printed, and the uses that go upwards: from a room
to one that lies on it (ROOMS). Neither may grow: CIRCLES and UPWARDS hold what there is, and are
lowered where a circle is cut.
"""

import os
import subprocess
import sys

import rooms

OBJECTS = ".build/bin"
# From below to above. A folder belongs to the longest name that begins it.
ROOMS = ["runtime/base", "kernels", "runtime/backend", "runtime/backend/sim",
         "runtime/backend/cuda/check", "runtime/backend/cpu", "runtime/backend/gpu", "runtime/backend/cuda",
         "runtime/backend/sim/device", "runtime/device", "runtime/object", "runtime/graph",
         "runtime/array", "runtime/op",
         "runtime/kernel", "runtime/inspect", "lexer", "parser", "stdlib", "interp"]
# Folders with more than one file in a circle, and how many there are.
CIRCLES = {
    "interp": 9,
    "interp/embed": 2,
    "interp/errors": 2,
    "interp/eval": 4,
    "interp/repl": 2,
    "interp/session": 5,
    "lexer": 4,
    "parser": 9,
    "runtime": 12,
    "runtime/array": 9,
    "runtime/array/kind": 4, # a row of records says what elements can do, and some of that makes rows
    "runtime/backend/cpu": 7,
    "runtime/backend/cpu/linalg": 7,
    "runtime/backend/cuda": 9,
    "runtime/backend/gpu": 7,
    "runtime/backend/sim": 4,
    "runtime/backend/sim/ptx": 4,
    "runtime/graph": 6,
    "runtime/inspect": 2,
    "runtime/kernel": 2,
    "runtime/object": 12,
    "runtime/object/class": 9,
    "runtime/object/container": 3,
    "runtime/object/text": 3,
    "runtime/op": 4,
    "stdlib": 8,
    "stdlib/bridge": 7, # values nest: each way of conversion calls the proxies, and they it
    "stdlib/cuda": 2,
    "stdlib/io": 2,
    "stdlib/numpy/ufunc": 2,
    "stdlib/plot": 2,
    "stdlib/python/fast": 2, # a pattern makes matches, a match shows its pattern
    "stdlib/random": 8,
}
# (from, to): how many different names are used upwards, at most.
UPWARDS = {}


def symbols(objects):
    """For each object file: what it defines, and what it needs."""
    defined, needed = {}, {}
    paths = sorted(objects)
    text = subprocess.run(["nm", "-A", *paths], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        path, _, rest = line.rpartition(".o:")
        words = rest.split()
        source = objects[path + ".o"]
        if words[-2] == "U":
            needed.setdefault(source, set()).add(words[-1])
        elif words[-2] in "TDBRVWC":
            first = defined.setdefault(words[-1], source)
            rooms.check(first == source, "%s is defined in %s and in %s" % (words[-1], first, source))
    return defined, needed


def circles(uses, files):
    """Sets of files that reach each other, the largest first (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        for other in uses.get(file, ()):
            if other not in files:
                continue
            if other not in index:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in stack:
                low[file] = min(low[file], index[other])
        if low[file] == index[file]:
            at = stack.index(file)
            found.append(stack[at:])
            del stack[at:]

    for file in sorted(files):
        if file not in index:
            visit(file)
    return sorted(found, key=len, reverse=True)


def room(file):
    own = [r for r in ROOMS if file.startswith(r + "/")]
    longest = max(own, key=len)
    return longest


def main(folders):
    sys.setrecursionlimit(10000)
    assert circles({"a": ["b"], "b": ["c"], "c": ["b"]}, {"a", "b", "c"})[0] == ["b", "c"]
    objects = {}
    for t in rooms.read_all(folders).values():
        if t.rule != "cc_library":
            continue
        names = [os.path.basename(file) for file in t.files]
        for i, file in enumerate(t.files):
            if file.endswith(".c") and os.path.isfile(file):
                # files of one name in two folders are told apart by their number
                twice = "%d/" % names[:i].count(names[i]) if names.count(names[i]) > 1 else ""
                path = "%s/%s/_objs/%s/%s%s.pic.o" % (OBJECTS, t.package, t.name, twice, names[i][:-2])
                rooms.check(os.path.isfile(path), "%s is not built: %s" % (file, path))
                if os.path.isfile(path):
                    objects[path] = file
    defined, needed = symbols(objects)
    uses, upwards = {}, {}
    for file, names in needed.items():
        for name in names:
            other = defined.get(name, file)
            if other == file:
                continue
            uses.setdefault(file, set()).add(other)
            if ROOMS.index(room(file)) < ROOMS.index(room(other)):
                upwards.setdefault((room(file), room(other)), set()).add(name)
    files = set(objects.values())
    parts = {}
    for file in files:
        parts.setdefault(file.split("/")[0], set()).add(file)
        parts.setdefault(os.path.dirname(file), set()).add(file)
        parts.setdefault(room(file), set()).add(file)
    for name, own in sorted(parts.items()):
        circle = circles(uses, own)[0]
        bound = CIRCLES.get(name, 1)
        if len(circle) > 1:
            print("%4d of %3d files of %s in a circle" % (len(circle), len(own), name))
        rooms.check(len(circle) <= bound, "%s: %d files in a circle, at most %d are wanted: %s"
                    % (name, len(circle), bound, " ".join(sorted(circle))))
        rooms.check(len(circle) >= bound, "%s: %d files in a circle: lower its bound, %d, in CIRCLES"
                    % (name, len(circle), bound))
    for name in CIRCLES.keys() - parts.keys():
        rooms.check(False, "%s of CIRCLES is no folder" % name)
    for pair in sorted(upwards.keys() | UPWARDS.keys()):
        names = upwards.get(pair, set())
        print("%4d uses from %s up to %s" % (len(names), *pair))
        rooms.check(len(names) <= UPWARDS.get(pair, 0), "%s uses %d names of %s, at most %d are wanted: %s"
                    % (pair[0], len(names), pair[1], UPWARDS.get(pair, 0), " ".join(sorted(names))))
    for text in rooms.failures:
        print("FAILED:", text)
    print("%d passed, %d failed" % (rooms.passed, len(rooms.failures)))
    return 1 if rooms.failures else 0


sys.exit(main(sys.argv[1:]))
