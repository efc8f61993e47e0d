"""Random programs of the language: calls of methods and functions, formatting, flow of control,
generators, classes, patterns, containers."""
import builtins
import collections

from python_features import Features

SECTIONS = ("Builtins", "math", "itertools", "functools", "operator", "collections", "copy")
LEFT_OUT = set("""input open exit quit help print breakpoint imread imshow plot bar hist show explain id dir hash
globals locals vars get_array_module get_default_memory_pool get_default_pinned_memory_pool exec eval
compile copyright credits license count cycle repeat setattr delattr singledispatch cache lru_cache
cached_property total_ordering wraps update_wrapper namedtuple methodcaller memoryview""".split())
TYPES = {
    "str": str, "bytes": bytes, "int": int, "float": float, "complex": complex, "list": list, "tuple": tuple,
    "dict": dict, "set": set, "frozenset": frozenset, "range": range,
    "collections.deque": collections.deque, "collections.Counter": collections.Counter,
    "collections.OrderedDict": collections.OrderedDict,
}
UNASKED = set("encode format_map maketrans isidentifier from_bytes fromkeys __class_getitem__".split())


class Programs(Features):
    def __init__(self, rng, rows, examples, only=None):
        self.rng = rng
        self.rows = [r for r in rows if r.section in SECTIONS and r.name not in LEFT_OUT and
                     (r.section != "Builtins" or hasattr(builtins, r.name))]
        self.unasked = [r for r in rows if r.section in SECTIONS and r not in self.rows]
        self.only = only
        self.turn = []
        self.depth = 0

    def one(self, *choices):
        return self.rng.choice(choices)

    def chance(self, p):
        return self.rng.random() < p

    def program(self, kinds=None):
        kind = self.rng.choice(kinds or (self.only and [self.only]) or
                               ["method", "method", "method", "call", "call", "formats", "formats", "flow", "flow", "generator",
                                "classes", "classes", "patterns", "containers", "containers", "unpacking", "closures"] + self.FEATURES[self.rng.randint(0, 2)::2])
        if kind == "call":
            if not self.turn:
                self.turn = list(self.rows)
                self.rng.shuffle(self.turn)
            row = self.turn.pop()
            return self.call(row), row
        return getattr(self, kind)(), None

    # Values, as texts.
    def int(self):
        return self.one("0", "1", "2", "3", "-1", "-2", "5", "7", "10", "255", "-128", "True", "2**31", "2**63", "-2**63", "2**64 - 1", "10**20", "-10**25", "1000", "97", "64")

    def float(self):
        return self.one("0.0", "-0.0", "1.5", "-2.25", "1e300", "1e-7", "float('nan')", "float('inf')", "-float('inf')", "0.1", "123456.789", "1e16", "2.5", "3.0", "-0.5", "1/3", "5e-324", "1e22", "99999.5", "0.045")

    def str(self):
        return self.one("''", "'a'", "'abc'", "'Hello World'", "' x y '", "'a,b,,c'", "'123'", "'-7'", "'äöÜ'", "'ß'", "'\\t\\n'", "'aXbX'", "'abcabc'", "'line1\\nline2\\r\\nx'", "'%d'", "'{}'", "'x' * 5", "'\\u0130'", "'ǅ'", "'1.5e3'",
                        "'mississippi'", "'\\x00\\x7f'", "'日本'", "'😀a'", "'  '", "'__a__'", "'Αα'", "'ﬁ'", "'0x1f'", "'١٢'", "'½'", "'\\'\"'")

    def bytes(self):
        return self.one("b''", "b'a'", "b'abc'", "b'Hello World'", "b' x y '", "b'a,b,,c'", "b'\\x00\\xff'", "b'abcabc'", "b'12'", "b'l1\\nl2\\r\\n'", "bytes(3)", "b'\\t x'")

    def small(self):
        return self.one("0", "1", "2", "3", "-1", "-2", "5", "-5", "10", "None", "True", "1", "2", "0")

    def atom(self):
        return self.one(self.int, self.float, self.str, self.bytes, self.int, self.str, lambda: self.one("None", "True", "False", "1j", "2-3j", "...", "()", "int", "len"))()

    def key(self):
        return self.one("1", "2", "'a'", "'b'", "(1, 2)", "None", "1.0", "True", "3", "0", "-1", "'ab'", "b'a'", "frozenset([1])")

    def items(self, n=5):
        f = self.one(self.small, self.int, self.str, self.atom, self.key, self.value if self.depth < 2 else self.key)
        return ", ".join(f() for _ in range(self.rng.randint(0, n)))

    def list(self):
        return "[%s]" % self.items()

    def tuple(self):
        t = self.items()
        return "(%s,)" % t if t else "()"

    def hashed(self):
        """A key whose hash is the same in every run: sets of texts have no order to compare."""
        return self.one("1", "2", "(1, 2)", "None", "1.0", "True", "3", "0", "-1", "()", "64", "0.5", "frozenset([1])", "(0, (1, 2))")

    def set(self):
        t = ", ".join(self.hashed() for _ in range(self.rng.randint(0, 4)))
        return "{%s}" % t if t else "set()"

    def frozenset(self):
        return "frozenset(%s)" % self.set()

    def dict(self):
        return "{%s}" % ", ".join("%s: %s" % (self.key(), self.atom()) for _ in range(self.rng.randint(0, 4)))

    def range(self):
        return self.one("range(5)", "range(0)", "range(2, 10, 3)", "range(5, 0, -1)", "range(-3, 3)", "range(10, 0, -3)", "range(1)")

    def complex(self):
        return self.one("1j", "(2-3j)", "complex(0, -0.0)", "(1.5+0j)", "complex('nan')", "1e200j", "complex(-1, 0)")

    def iterable(self):
        return self.one(self.list, self.tuple, self.range, self.str, self.dict, self.set, lambda: "iter(%s)" % self.list(), lambda: "(i for i in %s)" % self.list(), lambda: "zip(%s, 'abc')" % self.list(),
                        lambda: "map(str, %s)" % self.list())()

    def value(self):
        self.depth += 1
        text = self.one(self.atom, self.atom, self.list, self.tuple, self.dict, self.set, self.range, self.iterable)()
        self.depth -= 1
        return text

    def function(self):
        return self.one("len", "str", "lambda x: x", "lambda *a: a", "int", "lambda x, y: x + y", "operator.add", "repr", "lambda x: -x", "bool", "None", "max", "lambda x: x > 1", "lambda: 3", "sorted", "operator.itemgetter(0)", "abs", "lambda k, v=1: (v, k)")

    def of(self, name):
        return {"collections.deque": lambda: "collections.deque(%s%s)" % (self.list(), self.one("", "", ", 3")), "collections.Counter": lambda: "collections.Counter(%s)" % self.one(self.str(), self.list(), "{'a': 2, 'b': -1}"),
                "collections.OrderedDict": lambda: "collections.OrderedDict(%s)" % self.dict()}.get(name) or getattr(self, name)

    def argument(self, name=""):
        k = self.rng.random()
        if k < 0.3:
            return self.small()
        if name and k < 0.65:
            return self.of(name)()
        return self.one(self.atom, self.value, self.iterable, self.small, self.function, self.str)()

    # Methods and functions.
    def method(self):
        name = self.rng.choice(list(TYPES))
        methods = [m for m in dir(TYPES[name]) if m[0] != "_" and m not in UNASKED]
        if self.chance(0.12) or not methods:
            return self.operation(name)
        m = self.rng.choice(methods)
        args = [self.argument(name) for _ in range(self.one(0, 0, 1, 1, 1, 2, 2, 3))]
        out = ["a = %s" % self.of(name)()]
        if self.chance(0.3) and name not in ("int", "float", "complex"):
            args = [self.one("a", a) for a in args]
        out.append("r = a.%s(%s)" % (m, ", ".join(args)))
        return out + ["show(r, a)"]

    def operation(self, name):
        op = self.one("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "is not", "and", "or")
        other = self.argument(name)
        if op in ("**", "<<", "*"):
            other = self.one(self.small(), "0.5", "'a'", "-3", "None", "1j", "12")
        return ["a = %s" % self.of(name)(), "b = %s" % other, self.one("show(a %s b)" % op, "show(b %s a)" % op if op not in ("**", "<<", "*") else "show(a %s b)" % op,
                "a %s= b\nshow(a, b)" % (op if op in "+ - * / // % ** & | ^ << >>".split() else "+"), "show(%s)" % self.one("-a", "+a", "~a", "not a", "abs(a)", "a[b]", "a[b:]", "a[::b]", "len(a)", "bool(a)", "int(a)", "float(a)", "hash(a) == hash(b)",
                    "sorted(a)", "a[::-1]", "list(a)", "divmod(a, b)", "round(a)", "round(a, 2)", "repr(a)", "str(a)", "copy.copy(a)", "max(a)", "sum(a)", "tuple(a)", "set(a)", "dict(a)", "a.__class__", "complex(a)", "bytes(a)", "iter(a)", "next(iter(a))", "reversed(a)", "a[b:b]"))]

    def call(self, row):
        args = []
        for name, default, how in row.parameters:
            if how == "*args":
                args += [self.named(name) for _ in range(self.rng.randint(0, 3))]
            elif default is None or self.chance(0.35):
                text = self.named(name)
                args.append(name + "=" + text if how == "*" or default is not None and how == "=" and self.chance(0.4) else text)
        args = [a for i, a in enumerate(args) if "=" in a.split("(")[0].split("'")[0].split(":")[0] or not any("=" in b.split("(")[0].split("'")[0].split(":")[0] for b in args[:i])]
        return ["r = %s(%s)" % (row.callee, ", ".join(args)), "show(r)"]

    def named(self, name):
        n = name.lower()
        if self.chance(0.1):
            return self.argument()
        if n in ("func", "function", "key", "predicate", "cmp", "default_factory"):
            return self.function()
        if n in ("iterable", "iterables", "it", "p", "q", "seq", "sequence", "data", "selectors", "iter", "others"):
            return self.iterable()
        if n in ("n", "k", "r", "times", "ndigits", "start", "stop", "step", "base", "maxlen", "index", "count", "exp"):
            return self.small()
        if n in ("x", "y", "z", "a", "b", "number", "i", "integers"):
            return self.one(self.int, self.float, self.int, self.float, self.value)()
        if n in ("name", "attr"):
            return self.one("'real'", "'append'", "'x'", "'upper'", "3")
        if n in ("format_spec", "spec"):
            return repr(self.spec())
        return self.value()

    # Formatting.
    def spec(self):
        return (self.one("", "", "", "*", "x", "0", "é") + self.one("", "", "<", ">", "^", "=") + self.one("", "", "", "+", "-", " ") + self.one("", "", "", "z") + self.one("", "", "", "#") +
                self.one("", "", "", "0") + self.one("", "", "5", "12", "1", "0", "20") + self.one("", "", "", ",", "_") + self.one("", "", "", ".3", ".0", ".10", ".1", ".") + self.one("", "", "d", "f", "g", "e", "s", "x", "X", "b", "o", "n", "%", "c", "G", "E", "F", "r"))

    def percent(self):
        return "%" + self.one("", "", "", "(k)") + self.one("", "", "-", "0", "+", " ", "#", "-0", "+#") + self.one("", "", "5", "12", "*", "1") + self.one("", "", "", ".3", ".0", ".10", ".*", ".") + self.one("", "", "", "l") + self.one(*"dfgexXosrcaiGEuF%bq")

    def formats(self):
        k = self.rng.random()
        v = self.one(self.int, self.float, self.str, self.int, self.float, self.complex, self.atom, self.value)()
        if k < 0.4:
            return ["show(format(%s, %r))" % (v, self.spec())]
        if k < 0.55:
            return ["x = " + v, "show(f'%s{x%s%s%s}%s')" % (self.one("", "a", "{{"), self.one("", "", "!r", "!s", "!a", "="), ":", self.spec().replace("'", ""), self.one("", "}}", "z"))]
        if k < 0.8:
            t = " ".join(self.percent() for _ in range(self.one(1, 1, 2)))
            args = self.one(v, "(%s,)" % v, "(%s, %s)" % (v, self.atom()), "(%s, %s, %s)" % (self.small(), v, self.atom()), "{'k': %s}" % v)
            return ["show(%s%r %% %s)" % (self.one("", "", "", "b") if t.isascii() else "", t, args)]
        field = self.one("{}", "{0}", "{1}", "{:%s}" % self.spec(), "{0!r:%s}" % self.spec(), "{a}", "{0.real}", "{0[0]}", "{0[a]}", "{:{}}", "{0:{1}}", "{", "}}", "{{}}", "{a.x}", "{!s}", "{0:>{a}}", "{} {0}", "{a[1]}{b}", "{:{a}.{b}}")
        return ["show(%r.format(%s))" % (self.one("", "a ") + field + self.one("", "}}", "{}"), ", ".join([v, self.one(self.small, self.str, self.list)(), "a=" + self.one(self.list, self.small, self.dict)(), "b=" + self.small()]))]

    # Flow of control: a function of nested statements that tells where it goes.
    def expression(self):
        return self.one("a", "b", "a + b", "a * 2 - b", "a % 3", "len(log)", "a // (b or 1)", "b - a", "1", "a if a > b else b", "a // b", "(a and b) or 3", "[a, b][a % 3]", "not a", "a < b < 5", "log[-1]", "{1: 2}[a]", "int('1' * (a % 4))", "-a ** 2")

    def condition(self):
        return self.one("a > b", "a % 2", "b == 3", "a < 4", "True", "not log", "a is b", "a in (1, 3, 5)", "b", "len(log) % 2 == 0", "a == b or b > 4", "1 < a <= 3")

    def block(self, depth, loop, f):
        lines = []
        for _ in range(self.one(1, 1, 2, 2, 3)):
            lines += self.flow_statement(depth, loop, f)
        return ["    " + line for line in lines]

    def mark(self):
        self.marks += 1
        return "log.append(%d)" % self.marks

    def raised(self):
        return self.one("ValueError(a)", "KeyError('k')", "TypeError", "IndexError()", "StopIteration(a)", "ZeroDivisionError", "RuntimeError(1, 2)", "ArithmeticError(b)", "AssertionError")

    def flow_statement(self, depth, loop, f):
        k = self.rng.random()
        if depth <= 0 or k < 0.3:
            choices = [self.mark(), "a = " + self.expression(), "b %s= %s" % (self.one("+", "-", "*"), self.expression()), "a, b = b, a", "a += 1", self.mark(),
                       "log.append(%s)" % self.expression(), "raise " + self.raised(), "assert " + self.condition(), "b = [i * a for i in range(b % 4)] and a", "del b", "b = 1", "a = b = " + self.expression()]
            if loop:
                choices += ["break", "continue", "if %s: break" % self.condition(), "if %s: continue" % self.condition()]
            if f == "def":
                choices += ["return " + self.expression()]
            if f == "gen":
                choices += ["yield " + self.expression(), "a = yield b", "yield a", "b = yield", "yield from [a, b]", "yield from range(a % 4)", "return a"]
            if f == "except":
                choices += ["raise"]
            return [self.rng.choice(choices)]
        if k < 0.45:
            out = ["if %s:" % self.condition()] + self.block(depth - 1, loop, f)
            if self.chance(0.3):
                out += ["elif %s:" % self.condition()] + self.block(depth - 1, loop, f)
            return out + (["else:"] + self.block(depth - 1, loop, f) if self.chance(0.4) else [])
        if k < 0.58:
            return ["for %s in %s:" % (self.one("a", "i", "b"), self.one("range(3)", "[1, 0, 2]", "(b, a)", "list(log)", "range(a % 5)"))] + self.block(depth - 1, True, f) + (["else:"] + self.block(depth - 1, loop, f) if self.chance(0.3) else [])
        if k < 0.66:
            return ["while len(log) < %d and %s:" % (self.rng.randint(3, 12), self.condition()), "    log.append('w')"] + self.block(depth - 1, True, f) + (["else:"] + self.block(depth - 1, loop, f) if self.chance(0.3) else [])
        if k < 0.92:
            out = ["try:"] + self.block(depth - 1, loop, f)
            how = self.rng.random()
            if how < 0.8:
                for _ in range(self.one(1, 1, 2)):
                    name = self.one("ValueError", "KeyError", "(TypeError, IndexError)", "ZeroDivisionError", "LookupError", "Exception", "ArithmeticError", "StopIteration", "BaseException", "NameError")
                    out += ["except %s as e:" % name, "    log.append(chain(e))"] + self.block(depth - 1, loop, self.one(f, f, "except" if f == "def" else f))
                    if self.chance(0.2):
                        out += ["    raise %s%s" % (self.raised(), self.one("", " from e", " from None"))]
                if self.chance(0.25):
                    out += ["else:"] + self.block(depth - 1, loop, f)
            if how >= 0.8 or self.chance(0.4):
                out += ["finally:", "    log.append('f')"] + self.block(depth - 1, loop, f)
            return out
        return ["with Manager(%s%s)%s:" % (self.expression(), self.one("", ", True", ", fail='exit'", ", fail='enter'", ", swallow=a"), self.one("", " as m", ", Manager('n', b)"))] + self.block(depth - 1, loop, f)

    def flow(self):
        self.marks = 0
        body = []
        for _ in range(self.rng.randint(2, 4)):
            body += self.flow_statement(3, False, "def")
        a, b = self.rng.randint(0, 5), self.rng.randint(0, 5)
        return ["log = []", "\n".join(["def f(a, b):"] + ["    " + line for line in body] + ["    return a, b"]),
                "try:\n    show(f(%d, %d))\nexcept BaseException as e:\n    print(chain(e))" % (a, b), "show(log)"]

    def generator(self):
        self.marks = 0
        body = ["yield a"]
        for _ in range(self.rng.randint(2, 4)):
            body += self.flow_statement(3, False, "gen")
        steps = []
        for _ in range(self.rng.randint(2, 6)):
            step = self.one("next(g)", "next(g, 'end')", "g.send(%s)" % self.small(), "g.send(None)", "g.throw(ValueError(1))", "g.close()", "list(itertools.islice(g, 2))", "next(g)", "g.throw(KeyError)", "next(g)")
            steps.append("try:\n    show(%s)\nexcept BaseException as e:\n    show(chain(e), own(e))" % step)
        return ["log = []", "\n".join(["def f(a, b):"] + ["    " + line for line in body]), "g = f(%d, %d)" % (self.rng.randint(0, 5), self.rng.randint(0, 5))] + steps + ["show(log)"]

    # Classes.
    SPECIAL = ["__add__ x", "__radd__ x", "__sub__ x", "__rsub__ x", "__mul__ x", "__rmul__ x", "__iadd__ x", "__eq__ x", "__lt__ x", "__gt__ x", "__le__ x", "__getitem__ i", "__setitem__ i v", "__delitem__ i", "__contains__ x", "__len__",
               "__bool__", "__iter__", "__call__ *a", "__getattr__ n", "__repr__", "__str__", "__neg__", "__abs__", "__int__", "__float__", "__index__", "__hash__", "__ne__ x", "__truediv__ x", "__rtruediv__ x", "__floordiv__ x", "__mod__ x",
               "__rmod__ x", "__pow__ x", "__rpow__ x", "__and__ x", "__ror__ x", "__or__ x", "__lshift__ x", "__matmul__ x", "__rmatmul__ x", "__invert__", "__pos__", "__format__ s", "__round__ *a", "__divmod__ x", "__reversed__", "__missing__ k", "__enter__", "__exit__ *a",
               "__setattr__ n v", "__delattr__ n", "__complex__", "__bytes__", "__floor__", "__ge__ x", "__next__", "__rsub__ x", "__isub__ x", "__imul__ x", "__length_hint__", "__ceil__", "__rdivmod__ x"]
    BODIES = {"__len__": ["2", "0", "-1", "'x'", "True", "2**70"], "__bool__": ["True", "False", "1", "None"], "__iter__": ["iter([1, 2])", "self", "3", "(c for c in 'ab')"], "__repr__": ["'R'", "3", "'<' + type(self).__name__ + '>'"], "__str__": ["'S'", "None"], "__hash__": ["5", "None", "'x'", "-1"],
              "__index__": ["2", "True", "'x'", "1.0"], "__int__": ["7", "1.5", "True"], "__float__": ["2.5", "3", "'x'"], "__contains__": ["1", "False", "[]"], "__eq__": ["True", "False", "NotImplemented", "'eq'"], "__next__": ["1", "None"], "__complex__": ["1j", "2"], "__bytes__": ["b'b'", "'x'"],
              "__setattr__": ["object.__setattr__(self, n, v)", "None"], "__length_hint__": ["3", "-1"], "__exit__": ["True", "False"], "__format__": ["'F' + s", "3"]}

    def special(self, spec):
        name, *args = spec.split()
        value = self.rng.choice(self.BODIES.get(name, ["NotImplemented", "'%s'" % name.strip("_"), "NotImplemented", "(type(self).__name__, %r)" % name, "self", "1"]))
        lines = ["def %s(%s):" % (name, ", ".join(["self"] + args))]
        if self.chance(0.06):
            lines.append("    raise %s" % self.one("ValueError", "TypeError('t')", "AttributeError('q')", "KeyError(1)", "StopIteration"))
        if name not in ("__setattr__", "__getattr__", "__repr__", "__str__"):
            lines.append("    print('%s', type(self).__name__)" % name.strip("_"))
        if name == "__getattr__":
            lines.append("    if n[:2] == '__':\n        raise AttributeError(n)")
        return "\n".join(lines + ["    return " + value])

    def plain(self, i):
        return self.one(
            "x = %s" % self.small(), "def m(self, v=1):\n    return ('%s', v)" % "ABC"[i], "@property\ndef p(self):\n    return self.__dict__.get('_p', '%s')" % "ABC"[i], "@p.setter\ndef p(self, v):\n    self._p = v", "@classmethod\ndef c(cls, *a):\n    return cls.__name__, a",
            "@staticmethod\ndef s(*a):\n    return a", "def __init__(self, *a, **k):\n    self.a = a\n    super().__init__()", "def m(self, *a):\n    r = super().m(*a)\n    return ('over', r)", "y: int = 3", "def n(self):\n    return self.m(), __class__.__name__",
            "def __init_subclass__(cls, **k):\n    super().__init_subclass__()\n    print('sub', cls.__name__, k)", "def __new__(cls, *a):\n    print('new', cls.__name__, len(a))\n    return super().__new__(cls)", "def __set_name__(self, o, n):\n    print('named', o.__name__, n)",
            "def __get__(self, o, t=None):\n    return ('get', o is None)", "__slots__ = ('q',)", "__hash__ = None", "__add__ = None", "z = property(lambda self: 5)", "def __getattribute__(self, n):\n    return object.__getattribute__(self, n)",
            "def __class_getitem__(cls, k):\n    return (cls.__name__, k)", "__iter__ = None", "@functools.cached_property\ndef cp(self):\n    print('once')\n    return 1")

    def classes(self):
        out, names = [], []
        for i in range(self.one(1, 2, 2, 3)):
            name = "ABC"[i]
            pool = names + (["list", "dict", "set", "Exception", "Plain", "object"] if self.chance(0.25) else [])
            bases = list(dict.fromkeys(self.rng.choice(pool) for _ in range(self.one(0, 1, 1, 2)))) if pool else []
            body = [self.special(self.rng.choice(self.SPECIAL)) for _ in range(self.rng.randint(1, 4))] + [self.plain(i) for _ in range(self.rng.randint(0, 3))]
            self.rng.shuffle(body)
            out.append("class %s%s:\n%s" % (name, "(%s)" % ", ".join(bases) if bases else "", "\n".join("    " + line for part in body for line in part.split("\n"))))
            names.append(name)
        out.append("objects = [%s]" % ", ".join("%s()" % self.rng.choice(names) for _ in range(2)) )
        out.append("a, b = objects")
        for _ in range(self.rng.randint(2, 5)):
            x, y = self.rng.choice([("a", "b"), ("b", "a"), ("a", "1"), ("2", "b"), ("a", "a"), ("'s'", "a"), ("b", "[1]"), ("1.5", "a"), ("(1,)", "b")])
            e = self.one("{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}", "{0} // {1}", "{0} % {1}", "{0} ** {1}", "{0} == {1}", "{0} != {1}", "{0} < {1}", "{0} >= {1}", "{0} & {1}", "{0} | {1}", "{0} @ {1}", "{0} << {1}", "a[{1}]", "{1} in a", "len(a)", "bool(b)", "list(a)", "a(1, 2)", "a.zz", "repr(a)",
                         "str(b)", "-a", "abs(b)", "int(a)", "float(a)", "[5, 6, 7, 8][a]", "sorted([a, b])", "max(a, b)", "f'{{a:>3}}'", "format(b, 'x')", "round(a)", "round(b, 2)", "divmod({0}, {1})", "reversed(a)", "a.m()", "b.n()", "a.p", "a.c(1)", "b.s(2)", "A.m", "a.x", "b.y", "isinstance(a, A)", "iter(a)", "next(b)",
                         "{{a: 1}}", "[c.__name__ for c in type(b).__mro__]", "a is b", "a in [b, a]", "[a, b].index(b)", "range(a)", "'x' * a", "[1] * a", "sum([a, b])", "any([a])", "bytes(a)", "complex(a)", "~a", "pow({0}, {1})", "dict(a)", "A[3]", "a.__class__.__name__", "a.cp", "hasattr(b, 'q')", "getattr(a, 'zz', 9)", "callable(a)",
                         "math.floor(a)", "math.ceil(b)", "operator.index(a)", "{0} and {1}", "not a", "a.a", "'%d' % a", "'%s' % b", "enumerate(a)", "type(a + 0)", "vars(b)", "set([a, b, a])", "print(a)", "zip(a, b)", "map(str, [a])", "isinstance(A, type)").format(x, y)
            s = self.one("a.x = 5", "b.q = 1", "a.p = 2", "a += b", "a[0] = 1", "del a[1]", "del b.x", "b -= 1", "for i in a: print('i', i)", "x, y = a", "with a as w: print('in')", "A.x = 7", "a *= b", "b.__dict__", "a.new = 1; show(b.__dict__)", "x, *y = b; show(x, y)", "raise a", "del a") if self.chance(0.25) else None
            if s:
                out.append("try:\n    %s\n    print('done')\nexcept Exception as e:\n    print('!', chain(e))" % s.replace("; ", "\n    "))
            else:
                out.append("try:\n    show(%s)\nexcept Exception as e:\n    print('!', chain(e))" % e)
        return out

    # Patterns.
    def pattern(self, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.one("1", "'a'", "x", "_", "None", "True", "-1", "1.5", "b'a'", "int()", "str(s)", "float()", "int(n)", "2 | 3", "'a' | 'b'", "list()", "dict()", "y")
        k = self.rng.random()
        p = lambda: self.pattern(depth - 1)
        if k < 0.3:
            return "[%s]" % ", ".join(self.one(p, p, lambda: "*" + self.one("r", "_"))() for _ in range(self.rng.randint(0, 3)))
        if k < 0.4:
            return "(%s,)" % ", ".join(p() for _ in range(self.rng.randint(1, 2)))
        if k < 0.6:
            return "{%s%s}" % (", ".join("%s: %s" % (self.one("'a'", "1", "'b'"), p()) for _ in range(1)), self.one("", "", ", **rest"))
        if k < 0.75:
            return "Point(%s)" % self.one("", p(), "%s, %s" % (p(), p()), "x=%s" % p(), "%s, y=%s" % (p(), p()))
        if k < 0.85:
            return "%s as w" % self.one("int()", "[_, _]", "str()", "[*_]", "{'a': _}")
        return "%s | %s" % (self.one("1", "[1, _]", "'x'", "None", "[]"), self.one("int()", "[]", "{'a': 1}", "[_, _, _]"))

    def patterns(self):
        subject = self.one(self.value, self.list, self.dict, self.small, lambda: "Point(1, 2)", lambda: "Point([1, 2], 'a')", self.str, lambda: "[1, [2, 3], {'a': 1}]", lambda: "{'a': [1, 2], 'b': 3}", lambda: "(1, 'a')", lambda: "collections.deque([1, 2])", lambda: "range(3)")()
        out = ["subject = " + subject]
        cases = ["    case %s%s:\n        print(%d)\n        show({k: v for k, v in locals_of(%s)})" % (self.pattern(), self.one("", "", "", " if subject", " if not subject"), i, "0") for i in range(self.rng.randint(1, 4))]
        text = "match subject:\n" + "\n".join(cases) + self.one("", "\n    case _:\n        print('other')")
        text = text.replace("        show({k: v for k, v in locals_of(0)})", "        pass")
        return out + ["x = y = s = n = r = w = rest = 'unset'", text, "show(x, y, s, n, r, w, rest)"]

    # Containers: a row of changes to one object.
    def slice(self):
        n = lambda: self.one("", "", "0", "1", "2", "-1", "-2", "5", "-7", "None", "10**20", "True")
        return n() + ":" + n() + self.one("", "", ":", ":2", ":-1", ":-2", ":3", ":0")

    def containers(self):
        name = self.one("list", "list", "dict", "set", "collections.deque", "collections.OrderedDict", "collections.Counter", "list", "dict", "collections.defaultdict")
        first = "collections.defaultdict(%s, %s)" % (self.one("list", "int", "None", "lambda: 5"), self.dict()) if name.endswith("defaultdict") else self.of(name)()
        if name in ("list",):
            first = "list(range(%d))" % self.rng.randint(0, 8) if self.chance(0.5) else first
        out = ["a = " + first]
        methods = [m for m in dir(collections.defaultdict if name.endswith("defaultdict") else TYPES[name]) if m[0] != "_" and m not in UNASKED]
        for _ in range(self.rng.randint(1, 5)):
            k = self.rng.random()
            if k < 0.4:
                s = "show(a.%s(%s))" % (self.rng.choice(methods), ", ".join(self.argument(name if name in TYPES else "dict") for _ in range(self.one(0, 1, 1, 2))))
            elif name in ("list", "collections.deque"):
                i = self.one(self.small(), self.slice(), self.slice())
                s = self.one("a[%s] = %s" % (i, self.value()), "del a[%s]" % i, "a[%s] = a" % self.slice(), "a %s= %s" % (self.one("+", "*"), self.one(self.small(), self.list(), self.str(), "a")), "show(a[%s])" % i, "a.sort(key=str)", "a[%s] += [1]" % i, "show(a == %s)" % self.list(), "show(a < %s)" % self.list(), "show(%s in a)" % self.atom(),
                             "for i in a[:3]: a.append(1)", "x, *y = a\nshow(x, y)", "show(repr(a))", "a.extend(a)", "a[:] = iter(a)", "show(sorted(a, reverse=True))", "a[%s] = range(3)" % self.slice())
            elif "dict" in name.lower() or "Counter" in name:
                s = self.one("a[%s] = %s" % (self.key(), self.atom()), "del a[%s]" % self.key(), "a |= %s" % self.dict(), "show(a | %s)" % self.dict(), "show(a[%s])" % self.key(), "show(%s in a)" % self.key(), "a.update(x=1)", "show(list(a.items()))", "show(a == %s)" % self.dict(), "show(list(reversed(a)))", "a[%s] += 1" % self.key(),
                             "for k in a: a[k] = 0", "for k in a: del a[k]", "for k in a: a[k, 1] = 1", "show(a.keys() & %s)" % self.set(), "show(a.items() - %s)" % self.set(), "show(repr(a))", "show({**a, 'z': 1})", "show(next(iter(a)))", "show(dict(**a))", "show(a.keys() == %s)" % self.set(), "a[[]] = 1", "show(max(a, key=str))")
            else:
                s = self.one("a |= %s" % self.set(), "a &= %s" % self.set(), "a -= %s" % self.set(), "a ^= %s" % self.set(), "show(a | %s)" % self.set(), "show(a <= %s)" % self.set(), "show(%s in a)" % self.key(), "show(a == frozenset(%s))" % self.set(), "show(a - %s)" % self.frozenset(), "a |= [1]", "show(%s < a)" % self.set(), "for i in a: a.add((i, 1))",
                             "show(len(a))", "show(a.isdisjoint(%s))" % self.iterable(), "show({a})", "show(sorted(a, key=repr))", "show(repr(set(list(a)[:1])))")
            out.append("try:\n%s\nexcept Exception as e:\n    print('!', kind(e))" % "\n".join("    " + line for line in s.split("\n")))
        return out + ["show(a)"]

    def unpacking(self):
        target = self.one("x, y", "x, *y", "*x, y", "[x, y]", "x, (y, z)", "*x,", "x, *y, z", "(x, y), z", "x", "x[0], y", "x, y.q", "x, x", "*x, *y" if self.chance(0.1) else "x, y, z", "x, *[y, z]")
        value = self.one(self.iterable, self.tuple, self.list, self.str, self.small)()
        k = self.rng.random()
        if k < 0.35:
            return ["x, y, z = [0], Plain(), None", "%s = %s" % (target, value), "show(x, y, z)"]
        if k < 0.5:
            return ["x = y = z = None", "for %s in %s:\n    show(x, y)" % (self.one("x, y", "x, *y", "x", "(x, y)", "*x, y"), self.one("[(1, 2), (3, 4)]", "{'ab': 1, 'cd': 2}", "zip([1], 'a')", "enumerate('ab')", "{1: 2}.items()", self.list()))]
        if k < 0.75:
            sig = self.one("*a", "a, *b", "a, b=1, *c, d=2, **e", "**k", "a, /, b", "*, a", "a, b", "a=1, /, *, b=2", "a, *, b=3, **k", "a, /, *b, c")
            args = ", ".join(self.one(self.small, lambda: "*" + self.iterable(), lambda: "b=1", lambda: "**{'a': 1}", lambda: "**{'d': 4, 'c': 3}", lambda: "*'ab'", lambda: "a=2")() for _ in range(self.rng.randint(0, 4)))
            names = ", ".join(n.split("=")[0].strip().lstrip("*") for n in sig.split(",") if n.strip() not in ("*", "/"))
            return ["def f(%s):\n    show(%s)" % (sig, names), "f(%s)" % args]
        return ["x = %s" % self.iterable(), "show(%s)" % self.one("[*x, 1]", "(*x, *x)", "{*x}", "[i for i in x if i]", "{i: j for i, j in enumerate(x)}", "{str(i) for i in x}", "[(i, j) for i in x for j in range(2)]", "[[j for j in str(i)] for i in x]", "list(i for i in x if not i)", "[y := 1, y]", "[n for n in x if (m := n)] and m", "print(*x, sep='-')", "max(*x)", "[a for a, *b in x]",
                                                                  "sorted(x, key=lambda v: (str(type(v)), str(v)))", "sum((i for i in x), 0)", "dict.fromkeys(x, 1)", "','.join(x)", "list(zip(x, x))", "list(map(lambda *a: a, x, 'ab'))", "{**{1: 2}, **dict(enumerate(x))}", "set(x) | {1}", "tuple(reversed(list(x)))", "list(filter(None, x))", "[*map(repr, x)]", "functools.reduce(lambda p, q: (p, q), x)")]

    def closures(self):
        n = self.one("nonlocal", "free", "default", "loop", "decorator", "recursion", "partial", "cache")
        v = self.small()
        return {
            "nonlocal": ["def f(v):\n    def g(d=1):\n        nonlocal v\n        v %s= %s\n        return v\n    def h():\n        return v\n    return g, h" % (self.one("+", "*", "-"), self.one("d", v)), "g, h = f(%s)" % self.atom(), "show(g(), g(%s), h())" % v],
            "free": ["def f():\n    def g():\n        return x\n    %s\n    x = %s\n    %s\n    return g()" % (self.one("pass", "show(g())"), v, self.one("del x", "x = 2", "pass")), "show(f())"],
            "default": ["def f(a, b=%s, *c, d=%s):\n    b %s= a\n    return a, b, c, d" % (self.value(), self.atom(), self.one("+", "*", "|")), "show(f(%s))" % self.argument(), "show(f(%s, d=1))" % self.argument()],
            "loop": ["fs = [%s for i in %s]" % (self.one("lambda: i", "lambda i=i: i", "lambda j: (i, j)"), self.iterable()), "show([f(%s) for f in fs])" % self.one("", "1")],
            "decorator": ["def d(f):\n    @functools.wraps(f)\n    def w(*a, **k):\n        print('call', f.__name__, a, k)\n        return f(*a, **k)\n    return w", "@d%s\ndef f(x=%s):\n    'doc'\n    return x" % (self.one("", "\n@d"), v), "show(f(%s), f.__name__, f.__doc__)" % self.one("", "1", "x=2", "3, 4")],
            "recursion": ["def f(n, *a):\n    if n %s:\n        return a\n    return f(n - %s, n, *a)" % (self.one("<= 0", "== 0", "< -2"), self.one("1", "2", "3")), "show(f(%d))" % self.rng.randint(0, 9)],
            "partial": ["p = functools.partial(%s, %s)" % (self.function(), ", ".join(self.argument() for _ in range(self.rng.randint(0, 2)))), "show(p(%s))" % self.argument(), "show(p.args, p.keywords)"],
            "cache": ["@functools.lru_cache(maxsize=%s)\ndef f(x):\n    print('miss')\n    return [x]" % self.one("2", "None", "0", "1"), "for i in %s: show(f(i))" % self.list(), "show(tuple(f.cache_info()))"],
        }[n]
