#!/usr/bin/env python3
"""Draws patterns and texts for re: tests/lang/everyday/patterns.cases, with CPython's answers.

    python3 tests/generators/make_patterns.py             writes the table
    python3 tests/generators/make_patterns.py SEED COUNT  prints such a table of other draws, to look
                                                          for what differs: gx test FILE.cases"""
import contextlib
import io
import os
import random
import sys
import warnings

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(TESTS, "lang", "everyday")
HEAD = """# Patterns and texts, drawn by tests/generators/make_patterns.py, with CPython's answers.
@ from asked import *
@1 ask({})
"""
ATOMS = ["a", "b", "c", "ab", "A", "1", " ", "\n", ".", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", "é", "[ab]",
         "[^a]", "[a-c1]", r"[\w-]", r"[^\d\s]", "[]a]", "[^]b]", r"\.", "ß", "K", "ſ", "[k-s]"]
PLACES = ["^", "$", r"\b", r"\B", r"\A", r"\Z"]
REPEATS = ["*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "{,2}", "*?", "+?", "??", "{1,3}?", "*+", "++",
           "?+", "{1,2}+"]
ODD = ["(", ")", "[", "{", "{1", "*", "(?", "(?P<", "(?P<1>a)", "(?P=n)", r"\9", r"\x1", "a{3,1}", "[b-a]", "(?<=a+)",
       "(?z)", "(?#", "(?#x)", "|", r"\q", "x**", r"\u12", "(?(9)a)", "(?i)", "[a", "(?P<n>a)(?P<n>b)", "(?<!a|bc)",
       "(?-a:b)", "(?ia", "(?P>x)", "(?<a", "[\\d-z]"]
LETTERS = "aabbccABC1 \n.é-ßſKk"


class Draw:
    def __init__(self, rng):
        self.rng = rng
        self.groups = 0
        self.open = 0

    def item(self, depth):
        r = self.rng.random()
        if r < .62 or depth <= 0:
            return self.rng.choice(ATOMS)
        if r < .68:
            return self.rng.choice(PLACES)
        if r < .72 and self.groups and not self.open:
            return "\\%d" % self.rng.randint(1, self.groups)
        if r < .84:
            self.open += 1
            body = self.branches(depth - 1)
            self.open -= 1
            self.groups += 1
            if self.rng.random() < .2:
                return "(?P<g%d>%s)" % (self.groups, body)
            return "(%s)" % body
        if r < .985:
            kind = self.rng.choice(["?:", "?:", "?=", "?!", "?<=", "?<!", "?>", "?i:", "?s:", "?-i:", "?m:", "?a:"])
            return "(%s%s)" % (kind, self.branches(depth - 1))
        if self.groups and not self.open:
            return "(?(%d)%s|%s)" % (self.rng.randint(1, self.groups), self.item(0), self.item(0))
        return self.rng.choice(ODD)

    def sequence(self, depth):
        out = ""
        for _ in range(self.rng.choice([1, 1, 2, 2, 3])):
            out += self.item(depth)
            if self.rng.random() < .35:
                out += self.rng.choice(REPEATS)
        return out

    def branches(self, depth):
        return "|".join(self.sequence(depth) for _ in range(self.rng.choice([1, 1, 1, 2, 2, 3])))


def case(rng):
    pattern = Draw(rng).branches(rng.choice([1, 2, 2, 3]))
    if rng.random() < .06:
        pattern += rng.choice(ODD)
    flags = rng.choice([0, 0, 0, 0, 2, 2, 8, 16, 64, 256, 258])
    text = "".join(rng.choice(LETTERS) for _ in range(rng.choice([0, 1, 3, 5, 8, 12])))
    if rng.random() < .15:
        pattern, text = pattern.encode("latin-1", "ignore"), text.encode("latin-1", "ignore")
    return "%s, %d, %s" % (ascii(pattern), flags, ascii(text))


def answer(text, space):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec("ask(%s)" % text, space)
    return said.getvalue()


def table(seed, count):
    with open(os.path.join(FOLDER, "asked.gx")) as f:
        space = {}
        exec(f.read(), space)
    rng = random.Random(seed)
    out = HEAD
    for _ in range(count):
        text = case(rng)
        out += text + "\n" + "".join("= " + line + "\n" for line in answer(text, space).splitlines())
    return out


warnings.simplefilter("ignore")
if len(sys.argv) > 2:
    sys.stdout.write(table(int(sys.argv[1]), int(sys.argv[2])))
else:
    with open(os.path.join(FOLDER, "patterns.cases"), "w") as f:
        f.write(table(1, 700))
