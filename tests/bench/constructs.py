"""Times the constructs of the language and the methods of its types, one line each, under gx and
under CPython in one run, and prints how many times as fast gx is:

    tests/bench/constructs.py GX [--rounds 3] [--only WORD] [--below 1] [--markdown]

Which lines there are follows from gx's own tables: a line or more for each row of parser/ast.def
(FORMS below; a row without one is named, and the status is 1), and for each builtin function and
each method of a builtin type a call with the first of ARGUMENTS that CPython takes. Both sides run
the same text, by turns, and the least time of the rounds counts. A line that gx refuses is named."""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")

# kind of node: [(set-up, statements that are timed)]. Names of the set-up are locals, those of HEAD
# are the module's.
HEAD = """
import time
total = 0
class Point:
    kind = 7
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, other):
        return self
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 3
    def __len__(self):
        return 3
    def __getitem__(self, i):
        return i
    def __call__(self, i):
        return i
    def __enter__(self):
        return self
    def __exit__(self, *what):
        return None
    def __iter__(self):
        yield self.x
        yield self.y
    def move(self, d):
        self.x = d
    def plain(self):
        return 1
    @property
    def area(self):
        return 6
    @staticmethod
    def still(i):
        return i
    @classmethod
    def make(cls, i):
        return i
class Below(Point):
    def __init__(self, x, y):
        super().__init__(x, y)
class Slots:
    __slots__ = ("x",)
    def __init__(self):
        self.x = 1
def one(i):
    return i
def several(i, j=2, *, k=3):
    return k
def starred(*args, **named):
    return args
def count(n):
    for i in range(n):
        yield i
def through(n):
    yield from count(n)
def counter():
    n = 0
    def more():
        nonlocal n
        n += 1
        return n
    return more
def fails():
    raise ValueError("no")
def same(f):
    return f
"""

FORMS = {
    "NAME": [("a = 1", "a"), ("", "total"), ("", "len")],
    "TYPING": [("", "def f[T](x: T) -> T: return x")],
    "NONE": [("", "a = None")],
    "TRUE": [("", "a = True")],
    "FALSE": [("", "a = False")],
    "ELLIPSIS": [("", "a = ...")],
    "INT": [("", "a = 12345")],
    "FLOAT": [("", "a = 1.5")],
    "IMAG": [("", "a = 2j")],
    "STR": [("", "a = 'text'")],
    "BYTES": [("", "a = b'text'")],
    "FSTRING": [("a = 12", "f'{a}'"), ("a = 1.25", "f'{a:.3f}'"), ("a = 'x'; b = 3", "f'{a}: {b} of {b}'"),
                ("a = 'x'", "f'{a!r:>8}'"), ("a = 1.25", "f'{a}'"), ("a = 255", "f'{a:08x}'")],
    "TUPLE": [("a = 1; b = 2", "(a, b)"), ("a = [1, 2]", "(*a, 3)")],
    "LIST": [("a = 1; b = 2", "[a, b]"), ("a = [1, 2]", "[*a, 3]"), ("", "[]")],
    "SET": [("a = 1; b = 2", "{a, b}"), ("", "3 in {1, 2, 3}")],
    "DICT": [("a = 1; b = 2", "{'a': a, 'b': b}"), ("a = {'x': 1}", "{**a, 'y': 2}"), ("", "{}")],
    "BINARY": [("a = 3; b = 4", "a + b"), ("a = 3.5; b = 4.5", "a * b"), ("a = 3; b = 4.5", "a * b"),
               ("a = 30; b = 4", "a / b"), ("a = 30; b = 4", "a // b"), ("a = 30; b = 4", "a % b"),
               ("a = 3", "a ** 5"), ("a = 1.5", "a ** 2"), ("a = 30; b = 4", "a & b"), ("a = 30; b = 4", "a << b"),
               ("a = 'ab'; b = 'cd'", "a + b"), ("a = 'ab'", "a * 5"), ("a = [1, 2]", "a + a"), ("a = [0]", "a * 5"),
               ("a = (1, 2)", "a + a"), ("a = 3; b = 'x'", "'%d' % a"), ("a = 3; b = 'x'", "'%s = %d' % (b, a)"),
               ("a = 1.5", "'%.2f' % a"), ("a = {1, 2}; b = {2, 3}", "a | b"), ("a = {1, 2}; b = {2, 3}", "a & b"),
               ("a = {1: 2}; b = {2: 3}", "a | b"), ("a = 2 ** 70", "a + a"), ("a = 2 ** 70", "a * a"),
               ("a = 1 + 2j", "a * a"), ("a = Point(1, 2)", "a + a")],
    "UNARY": [("a = 3", "-a"), ("a = 3.5", "-a"), ("a = 3", "~a")],
    "AND": [("a = 1; b = 2", "a and b")],
    "OR": [("a = 0; b = 2", "a or b")],
    "NOT": [("a = 1", "not a")],
    "COMPARE": [("a = 1; b = 2", "a < b"), ("a = 1.5; b = 2.5", "a < b"), ("a = 'ab'; b = 'ac'", "a < b"),
                ("a = 'ab'; b = 'ac'", "a == b"), ("a = [1, 2]; b = [1, 2]", "a == b"), ("a = (1, 2); b = (1, 3)", "a < b"),
                ("a = 1", "a is None"), ("a = 'b'; b = 'abc'", "a in b"), ("a = 3; b = [1, 2, 3]", "a in b"),
                ("a = 3; b = {1: 2, 3: 4}", "a in b"), ("a = 3; b = {1, 2, 3}", "a in b"), ("a = 3; b = (1, 2, 3)", "a not in b"),
                ("a = 'k'; b = {'k': 2}", "a in b"), ("a = Point(1, 2)", "a == a")],
    "CHAIN": [("a = 2", "1 < a < 3")],
    "IFEXP": [("a = 2", "1 if a > 1 else 3")],
    "CALL": [("", "one(1)"), ("", "several(1)"), ("", "several(1, 2, k=4)"), ("a = (1, 2)", "starred(*a)"),
             ("", "starred(1, x=2)"), ("a = {'x': 2}", "starred(**a)"), ("a = Point(1, 2)", "a.plain()"),
             ("a = Point(1, 2)", "a.move(3)"), ("a = Point(1, 2)", "a(3)"), ("", "Point(1, 2)"), ("", "Below(1, 2)"),
             ("", "Point.still(1)"), ("", "Point.make(1)"), ("a = Point(1, 2).plain", "a()"), ("a = Point(1, 2)", "len(a)"),
             ("a = counter()", "a()"), ("a = lambda x: x", "a(1)"), ("a = Point(1, 2)", "isinstance(a, Point)"),
             ("a = [1, 2, 3]", "len(a)"), ("", "count(3)"), ("a = 'ab'", "isinstance(a, (int, str))")],
    "ATTR": [("a = Point(1, 2)", "a.x"), ("a = Point(1, 2)", "a.kind"), ("a = Point(1, 2)", "a.area"),
             ("a = Slots()", "a.x"), ("", "Point.kind"), ("a = 3", "a.real"), ("", "time.time"), ("a = Point(1, 2)", "a.plain")],
    "INDEX": [("a = [1, 2, 3]", "a[1]"), ("a = [1, 2, 3]", "a[-1]"), ("a = (1, 2, 3)", "a[1]"), ("a = {'k': 2}", "a['k']"),
              ("a = {1: 2}", "a[1]"), ("a = 'abc'", "a[1]"), ("a = b'abc'", "a[1]"), ("a = [[1, 2], [3, 4]]", "a[1][0]"),
              ("a = {(1, 2): 3}", "a[1, 2]"), ("a = Point(1, 2)", "a[1]"), ("a = {'k': 2}; k = 'k'", "a[k]")],
    "SLICE": [("a = [1, 2, 3, 4]", "a[1:3]"), ("a = 'abcdef'", "a[1:3]"), ("a = (1, 2, 3, 4)", "a[::-1]"),
              ("a = [1, 2, 3, 4]", "a[:]"), ("a = 'abcdef'", "a[::-1]")],
    "LAMBDA": [("", "lambda x: x"), ("a = 1", "lambda x: x + a")],
    "WALRUS": [("", "(a := 5)")],
    "YIELD": [("", "for i in count(10): pass")],
    "LISTCOMP": [("a = range(10)", "[x for x in a]"), ("a = range(10)", "[x * x for x in a if x % 2]"),
                 ("a = [(1, 2), (3, 4), (5, 6)]", "[x + y for x, y in a]"), ("a = range(3)", "[(x, y) for x in a for y in a]"),
                 ("a = [3, 4]", "[str(x) for x in a]")],
    "SETCOMP": [("a = range(10)", "{x % 3 for x in a}")],
    "DICTCOMP": [("a = range(10)", "{x: x for x in a}"), ("a = {'x': 1, 'y': 2}", "{v: k for k, v in a.items()}")],
    "GENEXP": [("a = range(10)", "sum(x for x in a)"), ("a = [1, 2, 3]", "any(x > 2 for x in a)"),
               ("a = ['x', 'y', 'z']", "','.join(x for x in a)")],
    "STARRED": [("a = [1, 2, 3, 4]", "b, *c = a")],
    "DOUBLESTAR": [("a = {'k': 2}", "several(1, **a)")],
    "KEYWORD": [("", "several(i=1, j=2)"), ("", "dict(a=1, b=2)")],
    "FIELD": [("a = 3; b = 8", "f'{a:>{b}}'"), ("a = 3", "f'{a=}'")],
    "COMPFOR": [("a = range(3)", "[x for x in a for y in a if y]")],
    "EXPRSTMT": [("a = [1]", "a.copy()")],
    "ASSIGN": [("b = 1", "a = b"), ("", "a = b = 1"), ("p = (1, 2)", "u, v = p"), ("p = [1, 2]", "u, v = p"),
               ("u = 1; v = 2", "u, v = v, u"), ("p = (1, (2, 3))", "u, (v, w) = p"), ("a = Point(1, 2)", "a.x = 3"),
               ("a = Slots()", "a.x = 3"), ("a = [1, 2, 3]", "a[1] = 5"), ("a = {}", "a['k'] = 5"), ("a = {}", "a[7] = 5"),
               ("a = [1, 2, 3, 4, 5, 6]", "a[3:5] = a[4:6]"), ("a = [1, 2]; i = 0", "a[i], a[1] = a[1], a[i]"),
               ("a = Point(1, 2)", "a.x, a.y = a.y, a.x"), ("a = 'xy'", "u, v = a"), ("", "global total\ntotal = 3")],
    "AUGASSIGN": [("a = 0", "a += 1"), ("a = 0.5", "a *= 1.0"), ("a = [1, 2]", "a[0] += 1"), ("a = Point(1, 2)", "a.x += 1"),
                  ("a = {'k': 1}", "a['k'] += 1"), ("", "s = ''\nfor c in 'abcdefgh': s += c"), ("b = [1]", "a = []\na += b"),
                  ("a = 1", "a |= 4"), ("", "global total\ntotal += 1")],
    "BLOCK": [("", "a = 1\nb = 2")],
    "IF": [("a = 3", "if a > 2: b = 1\nelse: b = 2"), ("a = 3", "if a == 1: b = 1\nelif a == 2: b = 2\nelif a == 3: b = 3"),
           ("a = []", "if not a: b = 1"), ("a = 'x'", "if a == 'x' and a: b = 1")],
    "WHILE": [("", "i = 0\nwhile i < 10: i += 1"), ("", "i = 0\nwhile True:\n    i += 1\n    if i > 9: break")],
    "FOR": [("", "for i in range(10): pass"), ("p = [1, 2, 3, 4]", "for i in p: pass"),
            ("p = [(1, 2), (3, 4), (5, 6)]", "for x, y in p: pass"), ("p = [1, 2, 3]; q = (4, 5, 6)", "for x, y in zip(p, q): pass"),
            ("p = [1, 2, 3]", "for i, x in enumerate(p): pass"), ("p = {1: 2, 3: 4, 5: 6}", "for k, v in p.items(): pass"),
            ("p = {1: 2, 3: 4, 5: 6}", "for k in p: pass"), ("p = {1: 2, 3: 4, 5: 6}", "for k in p.values(): pass"),
            ("p = 'abcdef'", "for c in p: pass"), ("p = {1, 2, 3}", "for c in p: pass"), ("p = [1, 2, 3]", "for x in reversed(p): pass"),
            ("p = [1, 2, 3]", "for x in map(one, p): pass"), ("p = [1, 2, 3]", "for x in filter(None, p): pass"),
            ("p = Point(1, 2)", "for x in p: pass"), ("p = b'abc'", "for x in p: pass"), ("p = [3, 1, 2]", "for x in sorted(p): pass"),
            ("", "for i in range(10):\n    if i % 2: continue\n    a = i")],
    "TRY": [("", "try: a = 1\nexcept ValueError: pass"), ("", "try: fails()\nexcept ValueError: pass"),
            ("a = {}", "try: a['k']\nexcept KeyError as e: pass"), ("", "try: a = 1\nfinally: b = 2"),
            ("a = []", "try: a[3]\nexcept IndexError: pass"), ("a = 'x'", "try: int(a)\nexcept ValueError: pass")],
    "WITH": [("a = Point(1, 2)", "with a: pass"), ("a = Point(1, 2)", "with a as b: b = 1")],
    "DEF": [("", "def f(x): return x"), ("a = 1", "def f(x, y=2): return x + a")],
    "CLASS": [("", "class A: pass"), ("", "class A(Point):\n    x = 1\n    def f(self): return 1")],
    "TYPE": [("", "type A = int")],
    "MATCH": [("a = 3", "match a:\n    case 1: b = 1\n    case 3: b = 3"),
              ("a = (1, 2)", "match a:\n    case (x, y): b = x"),
              ("a = {'k': 1}", "match a:\n    case {'k': v}: b = v"),
              ("a = Point(1, 2)", "match a:\n    case Point(x=1): b = 1")],
    "YIELDED": [("", "for i in through(10): pass")],
    "RETURN": [("", "one(2)")],
    "BREAK": [("a = [1, 2]", "for i in a: break")],
    "CONTINUE": [("a = [1, 2]", "for i in a: continue")],
    "PASS": [("", "pass")],
    "RAISE": [("", "try: raise ValueError\nexcept ValueError: pass"), ("", "try: raise ValueError('x') from None\nexcept ValueError as e: pass")],
    "ASSERT": [("a = 1", "assert a")],
    "DEL": [("", "a = 1\ndel a"), ("a = {}", "a['k'] = 1\ndel a['k']"), ("", "a = [1, 2, 3]\ndel a[1]")],
    "IMPORT": [("", "import math")],
    "FROM": [("", "from math import pi")],
    "TYPES": [("", "class A[T]: pass")],
    "BASES": [("", "class A(int): pass")],
    "CASE": [("a = 3", "match a:\n    case x if x > 2: b = 1")],
    "PATTERN": [("a = [1, 2, 3]", "match a:\n    case [1, *rest]: b = 1"), ("a = 2", "match a:\n    case 1 | 2: b = 1")],
    "EXCEPT": [("", "try: fails()\nexcept (KeyError, ValueError) as e: pass")],
    "WITHITEM": [("a = Point(1, 2)", "with a as b, a as c: pass")],
    "ALIAS": [("", "import math as m")],
}
LEFT_OUT = {"KERNEL": "Python has none"}

# type: (values of it, by their construction)
VALUES = {
    "str": "'Some words, and more words'", "bytes": "b'Some words, and more'", "list": "[3, 1, 2, 5, 4]",
    "tuple": "(3, 1, 2, 5, 4)", "dict": "{'a': 1, 'b': 2, 'c': 3}", "set": "{1, 2, 3}",
    "frozenset": "frozenset((1, 2, 3))", "int": "12345", "float": "2.75", "range": "range(10)",
    "complex": "(1+2j)", "bytearray": "bytearray(b'Some words')",
}
# Arguments that are tried in turn; methods that change their object get a copy, made in the line.
ARGUMENTS = ["", "'words'", "2", "'a'", "b'words'", "[3, 1]", "[1, 2], [3, 4]", "3, 4", "'word', 'text'", "40",
             "b'word', b'text'", "{'a': 5}", "{3, 4}", "[('a', 1)]", "1, 9", "2.5", "'0x1p3'", "4, 'big'",
             "b'ab', 'big'", "None, [1, 2]", "one, [1, 2]", "[3, 1, 2]", "['x', 'y']", "[b'x', b'y']", "'kind', (), {}",
             "int, object", "Point, 'kind'", "'1'", "'6162'", "bytes(256)", "83", "iter([1] * 9)", "{97: 'b'}", "Point(1, 2), 'x'", "Point(1, 2), 'x', 3"]
CHANGES = {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort", "popitem", "setdefault", "update",
           "add", "discard", "difference_update", "intersection_update", "symmetric_difference_update", "resize"}
BUILTINS_LEFT_OUT = {"print", "input", "open", "breakpoint", "help", "exit", "quit", "copyright", "credits",
                     "license", "exec", "eval", "compile", "aiter", "anext", "__import__", "globals", "locals",
                     "vars", "dir", "memoryview", "delattr", "setattr", "super"}


def kinds():
    text = open(os.path.join(ROOT, "parser", "ast.def")).read()
    return re.findall(r"^(?:EXPR|STMT|COMPOUND|PART)\(([A-Z]+),", text, re.M)


def names_of(gx, of):
    said = subprocess.run([gx, "-c", "print(' '.join(dir(%s)))" % of], capture_output=True, text=True, check=True)
    return [name for name in said.stdout.split() if not name.startswith("_")]


def taken(call):
    """Does CPython take the call, in a namespace of HEAD's? Its time is one of a line then."""
    world = {}
    exec(HEAD, world)
    try:
        exec(call, world)
        return True
    except Exception:
        return False


def method_lines(gx):
    for type_, value in VALUES.items():
        for name in names_of(gx, type_):
            if not hasattr(eval(type_), name) or not callable(getattr(eval(type_), name)):
                continue
            for arguments in ARGUMENTS:
                made = "a = " + value
                timed = "a.%s(%s)" % (name, arguments)
                if name in CHANGES:
                    made, timed = "", "a = %s\na.%s(%s)" % (value, name, arguments)
                if taken((made or "pass") + "\n" + timed):
                    yield type_ + "." + name, made, timed
                    break
            else:
                yield type_ + "." + name, None, None


def builtin_lines(gx):
    import builtins
    for name in names_of(gx, "__import__('builtins')"):
        thing = getattr(builtins, name, None)
        if thing is None or name in BUILTINS_LEFT_OUT or isinstance(thing, type) and issubclass(thing, BaseException):
            continue
        if not callable(thing):
            continue
        for arguments in ["3.5", "'12'", "[3, 1, 2]"] + ARGUMENTS:
            if taken("%s(%s)" % (name, arguments)):
                yield "builtins." + name, "a = None", "%s(%s)" % (name, arguments)
                break
        else:
            yield "builtins." + name, None, None


MORE = [("sorted key", "a = [3, 1, 2, 5, 4]", "sorted(a, key=lambda x: -x)"),
        ("sorted key", "a = [(3, 1), (1, 2), (2, 3)]", "sorted(a, key=lambda p: p[0])"),
        ("max key", "a = ['xx', 'y', 'zzz']", "max(a, key=len)"),
        ("sum of map", "a = ['1', '2', '3']", "sum(map(int, a))"),
        ("dict of zip", "a = ['x', 'y', 'z']; b = [1, 2, 3]", "dict(zip(a, b))"),
        ("list of zip", "a = [1, 2, 3]; b = [4, 5, 6]", "list(zip(a, b))"),
        ("int of str", "a = '123'", "int(a)"), ("str of int", "a = 123", "str(a)"), ("float of str", "a = '1.5'", "float(a)"),
        ("min of two", "a = 1; b = 2", "min(a, b)"), ("range of list", "a = [1, 2, 3]", "for i in range(len(a)): a[i]"),
        ("print-like join", "a = [1, 2, 3]", "', '.join(map(str, a))"), ("format", "a = 3; b = 4.5", "'{} {:.2f}'.format(a, b)"),
        ("join list", "a = ['x', 'y', 'z']", "', '.join(a)"), ("str split join", "a = 'a b c d'", "'-'.join(a.split())")]


def all_lines(gx):
    lines = [(kind, setup, timed) for kind, rows in FORMS.items() for setup, timed in rows]
    return lines + MORE + list(builtin_lines(gx)) + list(method_lines(gx))


TIMER = """
def report(number, line):
    try:
        n, took = 1, line(1)
        while took < 0.0005:
            n = n * 2 if took > 0.0001 else n * 8
            took = line(n)
        best = took
        for _ in range(6):
            took = line(n)
            best = took if took < best else best
        print(number, best / n / 4)
    except Exception as error:
        print(number, type(error).__name__ + ": " + str(error))
"""


def indented(text, by):
    return "".join(" " * by + line + "\n" for line in text.split("\n"))


def script(lines):
    parts = [HEAD, TIMER]
    for number, (_, setup, timed) in enumerate(lines):
        outer = "".join(part + "\n" for part in timed.split("\n") if part.startswith("global "))
        timed = "\n".join(part for part in timed.split("\n") if not part.startswith("global "))
        parts.append("def line_%d(rounds_):\n%s    start_ = time.perf_counter()\n    for _ in range(rounds_):\n%s"
                     "    return time.perf_counter() - start_\nreport(%d, line_%d)\n"
                     % (number, indented(outer + (setup or "pass"), 4), indented(timed, 8) * 4, number, number))
    return "".join(parts)


def times(command, path):
    said = subprocess.run(command + [path], capture_output=True, text=True, env=dict(os.environ, GX_THREADS="1"))
    if said.returncode:
        sys.exit("%s failed:\n%s" % (command[0], said.stderr[-2000:]))
    found = {}
    for row in said.stdout.splitlines():
        number, _, rest = row.partition(" ")
        try:
            found[int(number)] = float(rest)
        except ValueError:
            found[int(number)] = rest
    return found


def least(a, b):
    return min(a, b) if isinstance(a, float) and isinstance(b, float) else a if isinstance(a, str) else b


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("gx")
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--only", default="", help="lines whose name or text contains it")
    ask.add_argument("--below", type=float, default=math.inf, help="shows lines below this ratio only")
    ask.add_argument("--markdown", action="store_true")
    said = ask.parse_args()
    missing = [kind for kind in kinds() if kind not in FORMS and kind not in LEFT_OUT]
    unknown = [kind for kind in FORMS if kind not in kinds()]
    lines = [line for line in all_lines(said.gx) if said.only in line[0] or said.only in (line[2] or "")]
    uncalled = [name for name, _, timed in lines if timed is None]
    lines = [line for line in lines if line[2] is not None]
    best = {}
    with tempfile.NamedTemporaryFile("w", suffix=".gx") as file:
        file.write(script(lines))
        file.flush()
        for _ in range(said.rounds):
            for side, command in (("gx", [said.gx]), ("peer", [sys.executable])):
                for number, took in times(command, file.name).items():
                    key = side, number
                    best[key] = least(best[key], took) if key in best else took
    rows, refused = [], []
    for number, (name, setup, timed) in enumerate(lines):
        mine, peer = best.get(("gx", number), "no answer"), best.get(("peer", number), "no answer")
        text = timed.replace("\n", " ¶ ")
        if isinstance(mine, float) and isinstance(peer, float):
            rows.append((peer / mine, mine, peer, name, (setup + "; " if setup else "") + text))
        else:
            refused.append("%s  %s: gx %s, Python %s" % (name, text, mine, peer))
    rows.sort()
    mark = "| %.2f | %.0f | %.0f | %s | `%s` |" if said.markdown else "%6.2fx %8.0f ns %8.0f ns  %-12s %s"
    for ratio, mine, peer, name, text in rows:
        if ratio < said.below:
            text = text.replace("|", "\\|") if said.markdown else text
            print(mark % (ratio, mine * 1e9, peer * 1e9, name, text))
    print("%d lines, geomean %.2fx, %d below 1x, %d below 0.67x" % (
        len(rows), geomean([r[0] for r in rows]), sum(r[0] < 1 for r in rows), sum(r[0] < 0.67 for r in rows)))
    for text in refused:
        print("refused: " + text)
    if uncalled:
        print("not called: " + " ".join(uncalled))
    for kind in missing:
        print("no line for the row %s of parser/ast.def" % kind)
    for kind in unknown:
        print("no row %s in parser/ast.def" % kind)
    sys.exit(bool(missing or unknown or refused))


if __name__ == "__main__":
    main()
