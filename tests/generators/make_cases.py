#!/usr/bin/env python3
"""Writes tests/numpy/GROUP_N.gx from tests/numpy/cases/GROUP.txt: each case with NumPy's answer.

    python3 tests/generators/make_cases.py [GROUP ...]        write the files (NumPy 2.x)
    python3 tests/generators/make_cases.py --check            is every name's section there, every file new?
    python3 tests/generators/make_cases.py --mark GROUP ...   put a '!' before every case that raises
    python3 tests/generators/make_cases.py --agree GX GROUP ... '!!' where gx's message is NumPy's

A case file is lines of one case each, valid in gx and in Python:
    == np.sum             a name of tests/numpy/tier1.txt, or several, starts its section
    ~~ np.sin             the same, its floats compared to 12 digits (float32: 5, float16: 2)
    ~0 np.fft.fft         and where they are smaller than that part of the greatest they are 0
    @ a = np.arange(6)    a line for the whole section
    a.fill(2); a          statements and, last, the expression whose value is shown
    ! np.sum(1, axis=2)   raises: the name of the exception is compared; '!!': the message too
    w np.log(0.0)         the warnings given are shown as well
    * np.sin(np.ones(2, '{d}'))    once for each dtype; {n} is each of the section's names; whether
                          it raises is NumPy's to say
    ** np.add(np.ones(2, '{d}'), np.ones(2, '{e}'))    the same, one line shows every second dtype
    # a remark
The files import answers.gx; a case is one line, unless it has statements. A case file whose first line is
`# needs: host` gives files that are left out where arrays are on a GPU.
Cases change nothing the section's lines made: these run anew where a file ends.
A case in which gx means to differ is followed by gx's answer and the reason. It goes to
tests/differences instead:
    -> float64 1.5
    -- gx knows better"""
import ast
import os
import sys
import warnings

import numpy as np

import tables

NUMPY = os.path.join(tables.TESTS, "numpy")
CASES = os.path.join(NUMPY, "cases")
DIFFERENCES = os.path.join(tables.TESTS, "differences")
MOST_LINES = 590
MOST_BYTES = 70000
STALE = []  # files that --check finds to be other than they would be written

TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 " \
        "complex128"

# What both gx and this program run: one line of text for any value.
with open(os.path.join(NUMPY, "answers.gx")) as f:
    SHOW = f.read()
HEAD = "# NumPy's answers, written by tests/generators/make_cases.py from cases/%s.txt.\n" \
       "import numpy as np\nimport warnings\nfrom answers import *\n"


def head(group):
    """The lines before the cases; a group that needs the host says so in its first line."""
    with open(os.path.join(CASES, group + ".txt")) as f:
        needs = f.readline()
    return (needs if needs == "# needs: host\n" else "") + HEAD % group


class Case:
    def __init__(self, where, line):
        self.where, self.mark, self.gx, self.reason = where, "", None, None
        self.expanded, self.over = line.startswith("*"), line.startswith("** ")
        line = line.lstrip("*").lstrip() if self.expanded else line
        for mark in ("!!", "!", "w"):
            if line.startswith(mark + " "):
                self.mark, line = mark, line[len(mark) + 1:]
                break
        self.source = line.strip()
        try:
            tree = ast.parse(self.source)
        except SyntaxError as e:
            sys.exit("%s: %s: %s" % (where, e, line))
        parts = [ast.get_source_segment(self.source, s) for s in tree.body]
        if not isinstance(tree.body[-1], ast.Expr):
            sys.exit("%s: the last statement is not an expression: %s" % (where, line))
        self.statements, self.expression = parts[:-1], parts[-1]
        if isinstance(tree.body[-1].value, ast.Tuple) and not self.expression.startswith("("):
            self.expression = "(%s)" % self.expression

    def call(self, near):
        if self.over:
            return ["show(lambda: over(lambda e: %s%s))" % (
                self.expression.replace("'{e}'", "e"), ", %d" % near if near else "")]
        function = {"": "show", "w": "warns", "!": "fails", "!!": "fails"}[self.mark]
        more = ", True" if self.mark == "!!" else ""
        if near and self.mark in ("", "w"):
            more = ", %d" % near
        if not self.statements:
            return ["%s(lambda: %s%s)" % (function, self.expression, more)]
        body = ["    " + s for s in self.statements] + ["    return " + self.expression]
        return ["def case():"] + body + ["%s(case%s)" % (function, more)]


class Section:
    def __init__(self, head):
        self.names, self.setup, self.cases = head[3:].split(), [], []
        self.near = {"==": 0, "~~": 1, "~0": 2}[head[:2]]


def read(group):
    sections = []
    with open(os.path.join(CASES, group + ".txt")) as f:
        for n, line in enumerate(f, 1):
            line, where = line.rstrip("\n"), "%s.txt:%d" % (group, n)
            if not line.strip() or line.startswith("#"):
                continue
            if line[:3] in ("== ", "~~ ", "~0 "):
                sections.append(Section(line))
            elif line.startswith("@ "):
                sections[-1].setup.append(line[2:])
            elif line.startswith("-> "):
                sections[-1].cases[-1].gx = line[3:]
            elif line.startswith("-- "):
                sections[-1].cases[-1].reason = line[3:]
            elif line.startswith("*"):
                names = [n.split(".")[-1] for n in sections[-1].names] if "{n}" in line else [""]
                types = TYPES.split() if "{d}" in line else [""]
                sections[-1].cases += [Case(where, line.replace("{d}", t).replace("{n}", n))
                                       for n in names for t in types]
            else:
                sections[-1].cases.append(Case(where, line))
    return sections


def scope_of(section):
    scope = {"np": np, "warnings": warnings}
    exec(SHOW, scope)
    exec("\n".join(section.setup), scope)
    return scope


def answer(case, section, scope):
    """The line NumPy prints for the case; None and the exception where it should not raise."""
    lines = []
    scope["print"] = lambda *a, **k: print(*a, **k) if k else lines.append(*a)
    with warnings.catch_warnings():
        if case.mark != "w":
            warnings.simplefilter("ignore")
        exec("\n".join(case.call(section.near)), scope)
    return (None, lines[0]) if lines[0].startswith("raises ") else (lines[0], None)


def expected(call, line):
    return call[:-1] + [call[-1] + "  # expect: " + line]


def put(path, text, check):
    """Writes the file; to check, only compares it."""
    if not check:
        with open(path, "w") as f:
            f.write(text)
        return
    old = open(path).read() if os.path.exists(path) else ""
    if old != text:
        STALE.append("%s is not what would be written" % os.path.relpath(path))


def write(folder, name, group, chunks, check):
    """Spreads the chunks, (setup, lines) each, over NAME_1.gx, NAME_2.gx, ...; drops older ones."""
    files, first = [], head(group).rstrip("\n").split("\n")
    for setup, lines in chunks:
        if not files or len(files[-1]) + len(setup) + len(lines) > MOST_LINES or \
                sum(map(len, files[-1] + lines)) > MOST_BYTES:
            files.append(list(first))
            current = None
        if setup != current:
            files[-1] += setup
            current = setup
        files[-1] += lines
    for n, lines in enumerate(files, 1):
        put(os.path.join(folder, "%s_%d.gx" % (name, n)), "\n".join(lines) + "\n", check)
    n = len(files) + 1
    while os.path.exists(os.path.join(folder, "%s_%d.gx" % (name, n))):
        if check:
            STALE.append("%s_%d.gx would not be written" % (name, n))
        else:
            os.remove(os.path.join(folder, "%s_%d.gx" % (name, n)))
        n += 1


def make(group, check=False):
    wrong, chunks, differences, count = [], [], [], 0
    for section in read(group):
        scope = scope_of(section)
        title = ["# == %s" % n for n in section.names]
        for case in section.cases:
            line, error = answer(case, section, scope)
            if line is None and case.expanded:
                case.mark = "!"
                line, error = answer(case, section, scope)
            if line is None:
                wrong.append("%s: %s\n    %s" % (case.where, error, case.source))
                continue
            if case.mark in ("!", "!!") and case.gx is None and \
                    line.startswith("no exception"):
                wrong.append("%s: %s\n    %s" % (case.where, line, case.source))
            count += 1
            call = case.call(section.near)
            if case.gx is None:
                chunks.append((section.setup, title + expected(call, line)))
                title = []
            elif case.gx == line or not case.reason:
                wrong.append("%s: not a difference, or no reason given" % case.where)
            else:
                differences.append((section.setup, ["# %s" % case.reason, "# NumPy: " + line] +
                                    expected(call, case.gx)))
    write(NUMPY, group, group, chunks, check)
    write(DIFFERENCES, group, group, differences, check)
    print("%s: %d cases, %d of them differ" % (group, count, len(differences)))
    return wrong


def rewrite(group, marked):
    """Marks the lines of the case file anew: marked maps a line number to its mark."""
    path = os.path.join(CASES, group + ".txt")
    with open(path) as f:
        lines = f.read().split("\n")
    for n, mark in marked.items():
        line = lines[n - 1]
        for old in ("!! ", "! "):
            if line.startswith(old):
                line = line[len(old):]
                break
        lines[n - 1] = mark + line
    with open(path, "w") as f:
        f.write("\n".join(lines))


def mark(group):
    marked = {}
    for section in read(group):
        scope = scope_of(section)
        for case in section.cases:
            if case.mark or case.expanded:
                continue
            if answer(case, section, scope)[0] is None:
                marked[int(case.where.split(":")[1])] = "! "
    rewrite(group, marked)


def agree(gx, group):
    """Runs each raising case in gx on its own and compares the messages."""
    import subprocess
    import tempfile
    marked, program, wanted = {}, [head(group)], []
    for section in read(group):
        scope = scope_of(section)
        program += section.setup
        for case in section.cases:
            if case.mark not in ("!", "!!") or case.gx is not None:
                continue
            case.mark = "!!"
            wanted.append((int(case.where.split(":")[1]), answer(case, section, scope)[0]))
            program += case.call(False)
    with tempfile.NamedTemporaryFile("w", suffix=".gx", dir=NUMPY) as f:
        f.write("\n".join(program) + "\n")
        f.flush()
        out = subprocess.run([gx, f.name], capture_output=True, text=True).stdout.split("\n")
    for (n, line), got in zip(wanted, out):
        marked[n] = "!! " if line == got else "! "
        if line != got:
            print("%s:%d\n    numpy %s\n    gx    %s" % (group, n, line, got))
    rewrite(group, marked)


def write_names(tier, check):
    """tests/numpy/TIER_names.gx: gx has each name of TIER.txt."""
    with open(os.path.join(NUMPY, tier + ".txt")) as f:
        names = [n for n in f.read().split("\n") if n and not n.startswith("#")]
    lines = ["# Written by tests/generators/make_cases.py from %s.txt: gx has every name of it." % tier,
             "import numpy as np"]
    for name in names:
        what = name.replace("ndarray.", "np.zeros((1, 1)).").replace(
            "random.Generator.", "random.default_rng().")
        lines.append("%s" % what)
    lines += ["print(%d)" % len(names), "# expect: %d" % len(names)]
    put(os.path.join(NUMPY, tier + "_names.gx"), "\n".join(lines) + "\n", check)
    return names


def main():
    arguments = sys.argv[1:]
    option = arguments.pop(0) if arguments and arguments[0].startswith("--") else None
    gx = arguments.pop(0) if option == "--agree" else None
    groups = arguments or sorted(f[:-4] for f in os.listdir(CASES) if f.endswith(".txt"))
    wrong = []
    check = option == "--check"
    if not option or check:
        names = write_names("tier1", check)
        write_names("tier2", check)
    if check:
        written = set()
        for name in os.listdir(NUMPY):
            if name.endswith(".gx"):
                with open(os.path.join(NUMPY, name)) as f:
                    written.update(line[5:].rstrip() for line in f if line.startswith("# == "))
        STALE.extend("no section is about %s" % n for n in names if n not in written)
    for group in groups:
        if option == "--mark":
            mark(group)
        elif option == "--agree":
            agree(gx, group)
        else:
            wrong += make(group, check)
    wrong += STALE
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
