"""Random programs of what a plain statement does not reach: chains of exceptions and their notes,
descriptors, slots, context managers, data classes and enums, nested format specs, buffers, sorting
by comparisons, scopes, groups of exceptions, delegation of generators."""


class Features:
    def raising(self):
        return self.one("1 / 0", "[][1]", "{}['k']", "int('x')", "None.q", "undefined", "raise OSError(2, 'no')", "raise KeyError('k')", "raise ValueError(1, 'b')", "raise StopIteration(3)", "assert 0, 'm'", "x, y = 1", "raise E(4)",
                        "raise ValueError", "raise ExceptionGroup('g', [ValueError(1), TypeError(2)])", "raise UnicodeError", "''.index('a')", "next(iter([]))", "raise SystemExit(3)", "raise GeneratorExit", "pass", "log.append('in')", "return 7")

    def caught(self):
        return self.one("ZeroDivisionError", "LookupError", "(ValueError, TypeError)", "Exception", "BaseException", "OSError", "ArithmeticError", "AttributeError", "E", "StopIteration", "NameError")

    def tries(self, depth):
        inner = lambda: self.tries(depth - 1) if depth and self.chance(0.5) else self.raising()
        pad = lambda text: "\n".join("    " + line for line in text.split("\n"))
        out = "try:\n" + pad(inner())
        for _ in range(self.one(1, 1, 2)):
            out += "\nexcept %s as e:\n    tell_about(e)\n" % self.caught() + pad(self.one(
                "raise", "raise E(5) from e", "raise E(6)", "raise KeyError from None", "pass", "e.add_note('n')\nraise", "raise e", "raise e from e.__cause__", "e.x = 1\nraise e.with_traceback(None)",
                "return e", "raise E(7) from ValueError(8)", inner(), inner(), "e.__context__ = None\nraise", "e.__suppress_context__ = True\nraise", "log.append(sys.exc_info()[0].__name__)", "log.append(kind(sys.exception()))"))
        if self.chance(0.25):
            out += "\nelse:\n" + pad(inner())
        if self.chance(0.35):
            out += "\nfinally:\n    log.append('f')\n" + pad(self.one(inner(), "pass", "log.append(sys.exc_info()[0])", inner()))
        return out

    def chains(self):
        body = self.tries(2)
        return ["log = []", "class E(Exception):\n    def __str__(self):\n        return 'E!'",
                "def tell_about(e):\n    log.append((chain(e), own(e), e.__suppress_context__, getattr(e, '__notes__', None), e.__traceback__ is not None))",
                "def f():\n" + "\n".join("    " + line for line in body.split("\n")) + "\n    return 'end'",
                "try:\n    show(f())\nexcept BaseException as e:\n    tell_about(e)\n    show(str(e) if isinstance(e, (E, ExceptionGroup)) else 0)", "show(log)", "show(sys.exc_info()[0])"]

    def groups(self):
        leaf = lambda: self.one("ValueError(1)", "TypeError(2)", "KeyError('k')", "OSError(3)", "IndexError()")
        group = lambda d: "ExceptionGroup(%r, [%s])" % (self.one("g", "h"), ", ".join(group(d - 1) if d and self.chance(0.4) else leaf() for _ in range(self.one(1, 2, 3))))
        out = "try:\n    raise %s" % self.one(group(2), group(1), leaf())
        for _ in range(self.one(1, 2, 2)):
            out += "\nexcept* %s as e:\n    log.append((kind(e), str(e), repr(e.exceptions)))%s" % (self.one("ValueError", "TypeError", "(KeyError, OSError)", "LookupError", "Exception"), self.one("", "", "\n    raise", "\n    raise ValueError(9)", "\n    raise RuntimeError(8) from e", "\n    1 / 0"))
        out += self.one("", "\nelse:\n    log.append('else')", "\nfinally:\n    log.append('f')")
        return ["log = []", "def f():\n" + "\n".join("    " + line for line in out.split("\n")), "try:\n    f()\nexcept BaseException as e:\n    show(repr(e), chain(e))", "show(log)",
                "g = " + group(2), "show(repr(g.%s))" % self.one("split(ValueError)", "subgroup(lambda e: isinstance(e, LookupError))", "derive([ValueError(0)])", "message", "exceptions", "split((TypeError, KeyError))", "subgroup(ExceptionGroup)")]

    def descriptors(self):
        d = "class D:\n    def __init__(self, v=%s):\n        self.v = v\n" % self.small()
        for m in self.rng.sample(["def __get__(self, o, t=None):\n    print('get', o is None, t.__name__)\n    return self.v", "def __set__(self, o, v):\n    print('set', v)\n    self.v = v", "def __delete__(self, o):\n    print('delete')", "def __set_name__(self, t, n):\n    print('name', t.__name__, n)\n    self.n = n",
                                  "def __call__(self, *a):\n    return ('called', a)"], self.one(1, 2, 3)):
            d += "\n".join("    " + line for line in m.split("\n")) + "\n"
        body = self.rng.sample(["d = D()", "e = D(2)", "x = 1", "__slots__ = ('s', 'd2')", "@property\ndef p(self):\n    return self.__dict__['_p']", "@property\ndef q(self):\n    raise AttributeError('q')", "def __getattr__(self, n):\n    return 'missing ' + n",
                                "def __setattr__(self, n, v):\n    print('attr', n)\n    super().__setattr__(n, v)", "@classmethod\ndef c(cls):\n    return cls.__name__", "@staticmethod\ndef st():\n    return 'st'", "def __delattr__(self, n):\n    print('del', n)\n    super().__delattr__(n)",
                                "@functools.cached_property\ndef cp(self):\n    print('once')\n    return 9", "f = functools.partial(max, 3)", "g = len", "h = lambda self: 'h'", "def __init__(self):\n    self.i = 5"], self.one(2, 3, 4))
        cls = lambda n, base, parts: "class %s%s:\n" % (n, base) + "\n".join("    " + line for p in parts for line in p.split("\n"))
        out = [d.rstrip(), "try:\n" + "\n".join("    " + l for l in (cls("A", self.one("", "", "(Plain)"), body) + "\n" + cls("B", "(A)", self.one(["pass"], ["d = 4"], ["x = D(7)"], ["__slots__ = ()"]))).split("\n")) + "\nexcept Exception as e:\n    print('!', kind(e))\n    A = B = Plain", "b = %s()" % self.one("A", "B", "B")]
        for _ in range(self.rng.randint(2, 6)):
            n = self.one("d", "e", "x", "p", "q", "s", "d2", "cp", "c", "st", "f", "g", "h", "i", "zz")
            out.append("try:\n    %s\nexcept Exception as e:\n    print('!', kind(e))" % self.one("show(b.%s)" % n, "show(b.%s)" % n, "b.%s = 3" % n, "del b.%s" % n, "show(B.%s)" % n, "B.%s = 8" % n, "show(hasattr(b, %r))" % n, "show(getattr(b, %r, 'none'))" % n, "show(sorted(vars(b)))", "show(b.%s())" % n,
                                                                                          "show(%r in dir(b))" % n, "show(super(B, b).%s)" % n, "object.__setattr__(b, %r, 6)" % n, "show(object.__getattribute__(b, %r))" % n, "show(type(B.__dict__.get(%r)).__name__)" % n, "del B.%s" % n, "b.__dict__[%r] = 0" % n))
        return out

    def managers(self):
        m = lambda: self.one("Manager(1)", "Manager(2, True)", "Manager(3, fail='exit')", "Manager(4, fail='enter')", "contextlib.suppress(KeyError, ValueError)", "contextlib.nullcontext(5)", "gen(6)", "gen(7, True)", "contextlib.closing(Closer())")
        act = lambda: self.one("1 / 0", "raise KeyError(1)", "raise StopIteration", "log.append('body')", "return 3", "raise ValueError('v') from KeyError()", "log.append('body')")
        k = self.rng.random()
        head = ["import contextlib", "log = []", "class Closer:\n    def close(self):\n        log.append('closed')",
                "@contextlib.contextmanager\ndef gen(n, swallow=False):\n    log.append(('enter', n))\n    try:\n        yield n\n    except Exception as e:\n        log.append(chain(e))\n        if not swallow:\n            %s\n    finally:\n        log.append('leave')" % self.one("raise", "raise", "raise RuntimeError(n)", "raise RuntimeError(n) from e", "yield 2", "pass")]
        if k < 0.45:
            steps = ["    r = stack.%s" % self.one("enter_context(%s)" % m(), "enter_context(%s)" % m(), "push(%s)" % self.one("Manager(1)", "Manager(2, True)", "Manager(3, fail='exit')"), "callback(log.append, %d)" % self.rng.randint(0, 9), "push(lambda *e: log.append(e[0] and e[0].__name__))", "push(lambda *e: True)", "pop_all().close()", "callback(lambda: 1 / 0)", "close()") for _ in range(self.rng.randint(1, 4))]
            return head + ["def f():\n    with contextlib.ExitStack() as stack:\n" + "\n".join("    " + s for s in steps) + "\n        " + act() + "\n    return 'end'", "try:\n    show(f())\nexcept BaseException as e:\n    print(chain(e))", "show(log)"]
        items = ", ".join(m() + self.one("", " as a", " as b") for _ in range(self.one(1, 2, 3)))
        return head + ["def f():\n    a = b = None\n    with %s:\n        %s\n    return a and 'a', b" % (self.one(items, "(%s)" % items), act()), "try:\n    r = f()\n    show(type(r).__name__)\nexcept BaseException as e:\n    print(chain(e))", "show(log)"]

    def dataclasses(self):
        option = self.one("", "", "(order=True)", "(frozen=True)", "(eq=False)", "(slots=True)", "(kw_only=True)", "(repr=False)", "(unsafe_hash=True)", "(frozen=True, order=True)")
        fields = self.rng.sample(["a: int", "b: str = 'x'", "c: list = dataclasses.field(default_factory=list)", "d: int = dataclasses.field(default=3, repr=False)", "e: float = dataclasses.field(default=0.5, compare=False)", "f: int = dataclasses.field(init=False, default=7)",
                                  "g: 'A' = None", "h: dataclasses.KW_ONLY", "i: int = dataclasses.field(kw_only=True, default=1)", "k: dataclasses.InitVar[int] = 2"], self.one(1, 2, 3, 4))
        if "h: dataclasses.KW_ONLY" in fields:
            fields[fields.index("h: dataclasses.KW_ONLY")] = "_: dataclasses.KW_ONLY"
        extra = self.one("", "", "    def __post_init__(self, *k):\n        print('post', k)\n", "    def __lt__(self, o):\n        return True\n", "    def m(self):\n        return self.a\n")
        values = lambda: ", ".join(self.one(*([self.small()] * 3 + ["a=1", "b='y'", "i=5"])) for _ in range(self.one(0, 1, 1, 2, 3)))
        out = ["import dataclasses", "try:\n    @dataclasses.dataclass%s\n    class A:\n%s\n%s\n    @dataclasses.dataclass%s\n    class B(A):\n        z: int = 9\nexcept Exception as e:\n    print('!', kind(e))\n    A = B = Point" % (option, "\n".join("        " + f for f in fields), "\n".join("    " + l for l in extra.split("\n")), self.one("", option))]
        for _ in range(self.rng.randint(2, 4)):
            v, w = "%s(%s)" % (self.one("A", "A", "B"), values()), "%s(%s)" % (self.one("A", "A", "B"), values())
            out.append("try:\n    %s\nexcept Exception as e:\n    print('!', kind(e))" % self.one("show(repr(%s))" % v, "show(%s == %s)" % (v, w), "show(%s < %s)" % (v, w), "show(dataclasses.asdict(%s))" % v, "show(dataclasses.astuple(%s))" % v, "show(repr(dataclasses.replace(%s, a=4)))" % v, "x = %s\n    x.a = 5\n    show(x.a)" % v,
                                                                                             "show([f.name for f in dataclasses.fields(%s)])" % self.one("A", "B", v), "show(hash(%s) == hash(%s))" % (v, v), "show(dataclasses.is_dataclass(%s))" % self.one("A", v, "3"), "show(A.__match_args__)", "x = %s\n    del x.a" % v, "x = %s\n    x.new = 1" % v, "match %s:\n        case A(y):\n            show(y)" % v, "show(sorted([%s, %s]) == [])" % (v, w)))
        return out

    def enums(self):
        base = self.one("Enum", "Enum", "IntEnum")  # gx has no Flag, IntFlag and StrEnum
        value = lambda: self.one("1", "2", "4", "3", "enum.auto()", "8") if base == "IntEnum" else self.one("1", "'x'", "(1, 2)", "enum.auto()", "2", "True", "None")
        out = ["import enum", "try:\n    %sclass A(enum.%s):\n        P = %s\n        Q = %s\n        R = %s\n%s\nexcept Exception as e:\n    print('!', kind(e))\n    A = Point" % (self.one("", "", "@enum.unique\n    "), base, value(), value(), value(), self.one("", "        def m(self):\n            return self.name\n", "        @property\n        def low(self):\n            return self.name.lower()\n"))]
        for _ in range(self.rng.randint(2, 5)):
            out.append("try:\n    show(%s)\nexcept Exception as e:\n    print('!', kind(e))" % self.one("repr(A.P)", "str(A.Q)", "A.P.value", "A['Q'].name", "A(1)", "A(2).name", "repr(list(A))", "len(A)", "A.P == A.Q", "A.P is A.R", "A.P == 1", "A.P < A.Q", "A.P in A", "1 in A", "A.P | A.Q", "repr(A.P | A.Q)", "repr(A.P & A.R)", "repr(~A.P)", "repr(A(0))", "f'{A.P}'",
                                                                                                "'%s' % A.Q", "hash(A.P) == hash('P')", "isinstance(A.P, int)", "A.P.m()", "A.P.low", "list(A.__members__)", "A.P + 1", "bool(A.P)", "{A.P: 1}[A.P]", "A('zz')", "A.P.name", "A.zz", "repr(A.__members__['Q'])", "A.P.P", "type(A.P).__name__", "format(A.P, '>8')", "sorted(A) == list(A)", "A.P.__class__.__name__",
                                                                                                "[m.value for m in A]", "next(iter(A)).name", "repr([*reversed(A)])"))
        return out

    def nested(self):
        v, w = self.one(self.int, self.float, self.str)(), self.one("5", "10", "0", "3")
        spec = self.one("{w}", "{w}.{p}", "<{w}", "*^{w}", "{a}{w}", "0{w}", "{w},", ".{p}f", ".{p}e", "+{w}", "#{w}x", "{w}.{p}g", "{'>'}{w}", "{w + 2}", "{w!r}", "{a!s}{w}")
        return ["v, w, p, a = %s, %s, %s, %r" % (v, w, self.one("1", "2", "0"), self.one("<", ">", "^")), "show(f'%s{v%s:%s}%s')" % (self.one("", "a", "{{"), self.one("", "", "!r", "!s", "!a", " =", "="), spec.replace("'", '"'), self.one("", "}}", "{w}")), "show('{:%s}'.format(v, w=w, p=p, a=a))" % self.one("{w}", "{w}.{p}", "<{w}", "{a}{w}")]

    def buffers(self):
        name = self.one("bytearray", "bytearray", "memoryview", "bytes")
        first = "%s(%s)" % (name, self.bytes()) if name != "memoryview" else "memoryview(%s(%s))" % (self.one("bytearray", "bytes"), self.bytes())
        out = ["a = " + first]
        methods = [m for m in dir(bytearray if name == "bytearray" else memoryview if name == "memoryview" else bytes) if m[0] != "_" and m not in ("maketrans", "fromhex", "cast", "hex", "obj", "_from_flags", "nbytes", "suboffsets", "strides", "shape", "contiguous", "c_contiguous", "f_contiguous", "toreadonly", "ndim")]
        for _ in range(self.rng.randint(1, 5)):
            i = self.one(self.small(), self.slice(), self.slice())
            s = self.one("show(bytes(a[%s]) if isinstance(a[%s], (bytes, bytearray, memoryview)) else a[%s])" % (i, i, i), "a[%s] = %s" % (i, self.one("65", "b'xy'", "b''", "256", "[1, 2]", "'s'", "bytearray(b'q')", "b'z'")), "del a[%s]" % i, "a += %s" % self.one("b'new'", "[1]", "'s'"), "show(bytes(a))", "show(%s in a)" % self.one("b'a'", "97", "300", "'a'", "b''"), "show(a == %s)" % self.bytes(),
                         "show(a < %s)" % self.bytes(), "show(list(a)[:4])", "show(len(a))", "a *= 2", "show(a + b'z')", "show(hash(a) == hash(bytes(a)))", "show(a.hex(%s))" % self.one("", "'-'", "':', 2"), "show(bytes(reversed(a)))", "show(%s.fromhex('6162 63'))" % (name if name != "memoryview" else "bytes"), "m = memoryview(a)\nshow(m.tolist(), m.readonly, m.format)",
                         "show(a.%s(%s))" % (self.rng.choice(methods), ", ".join(self.one(self.bytes, self.small, lambda: "b','")() for _ in range(self.one(0, 1, 1, 2)))) if name != "memoryview" else "show(a.tobytes(), a.itemsize)", "show(bytes(a).decode('latin-1'))", "show(int.from_bytes(a, %r))" % self.one("big", "little"), "show(a.isalpha() if hasattr(a, 'isalpha') else 0)")
            out.append("try:\n%s\nexcept Exception as e:\n    print('!', kind(e))" % "\n".join("    " + line for line in s.split("\n")))
        return out + ["show(bytes(a))"]

    def bigs(self):
        big = lambda: self.one("2**70", "-3**50", "10**30 + 7", "2**64 - 1", "-2**63", "12345678901234567890", "(1 << 200) - 1", "7", "-1", "0")
        return ["a, b = %s, %s" % (big(), big()), "show(%s)" % self.one("a // b", "a % b", "divmod(a, b)", "a ** 3", "a >> 7", "a << 65", "a & b", "a | b", "a ^ b", "~a", "-a", "abs(a)", "a.bit_length()", "a.bit_count()", "a.to_bytes(30, 'big', signed=True)", "int.from_bytes(a.to_bytes(40, 'little', signed=True), 'little', signed=True) == a", "hex(a)", "oct(b)", "bin(a)", "str(a)",
                                                                       "f'{a:,}'", "f'{a:_x}'", "f'{a:e}'", "float(a)", "a / b", "math.gcd(a, b)", "math.isqrt(abs(a))", "pow(a, 5, 97)", "pow(3, abs(b), abs(a) + 1)", "int(str(a))", "int(hex(a), 16)", "hash(a)", "a == float(a)", "a < float(b)", "round(a, -5)", "math.log2(abs(a) + 1)", "divmod(a, 1e10)", "math.lcm(a, b)", "a.as_integer_ratio()", "complex(a)",
                                                                       "[a, b, 0, 1.5].index(b)", "sorted([a, b, 1e20, -1.0])", "a * 1.0", "math.comb(70, 35) - a", "math.factorial(25) % (abs(b) + 1)", "math.prod([a, b, 3])", "sum([a, b, -a])", "int('%d' % a)", "bool(a)", "range(a, a + 3)[1] if abs(a) < 2**60 else 0", "pow(abs(a) | 1, -1, 2**31) == 0")]

    def sorting(self):
        words = self.one("['b', 'A', 'c', 'B', 'a']", "[(2, 'x'), (1, 'y'), (2, 'a')]", "[3, -1, 2.5, True, 0]", "['aa', 'b', 'ccc', '']", "[[2], [1, 5], [1]]", "list(range(10))", "[5, 3, 5, 1, 3]", "[]")
        key = self.one("key=functools.cmp_to_key(lambda x, y: (x > y) - (x < y))", "key=functools.cmp_to_key(lambda x, y: -1 if str(x) > str(y) else str(x) < str(y))", "key=str", "key=lambda v: (len(str(v)), str(v))", "reverse=True", "key=repr, reverse=True", "key=id and None", "key=operator.itemgetter(0)", "key=len", "key=functools.cmp_to_key(lambda x, y: 0)", "key=lambda v: 1 / 0", "key=str.lower")
        return ["a = " + words, self.one("show(sorted(a, %s))" % key, "a.sort(%s)\nshow(a)" % key, "show(min(a, %s, default=9))" % key.split(", ")[0].replace("reverse=True", "key=str"), "show(max(a, %s))" % key.split(", ")[0].replace("reverse=True", "key=str"), "show(sorted(enumerate(a), key=lambda p: (str(p[1]), -p[0])))", "show([list(g) for k, g in itertools.groupby(sorted(a, %s), key=str)])" % key, "show(list(zip(*sorted(zip(a, range(9)), key=lambda p: str(p[0])))))")]

    def scopes(self):
        body = self.one("x = 1\nclass A:\n    x = 2\n    y = [x for _ in range(2)]\n    z = [i for i in range(x)]\n    def f(self):\n        return x\nshow(A.y, A.z, A().f(), x)", "fs = []\nfor i in range(3):\n    fs.append(lambda: i)\nshow([f() for f in fs], [(lambda: i)() for i in 'ab'], i)", "def f(n):\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return g\na, b = f(1), f(5)\nshow(a(), a(), b(), a())",
                        "x = 'outer'\ndef f():\n    try:\n        show(x)\n    except UnboundLocalError as e:\n        show(kind(e))\n    x = 1\nf()", "def f():\n    global shared\n    shared = 5\nf()\nshow(shared)", "show([y := 3, y ** 2], y)", "show([(a, b) for a in range(3) if (b := a * 2)], b)", "def f(a, b=lambda: a_):\n    return b()\na_ = 4\nshow(f(1))",
                        "def f():\n    yield (lambda: v)\n    v = 2\n    yield\ng = f()\nh = next(g)\ntry:\n    h()\nexcept NameError as e:\n    show(kind(e))\nnext(g)\nshow(h())", "x = 5\ndel x\ntry:\n    x\nexcept NameError as e:\n    show(kind(e))", "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    pass\ntry:\n    e\nexcept NameError as n:\n    show(kind(n))",
                        "class A:\n    n = 0\n    def __init__(self):\n        type(self).n += 1\n        self.n += 5\na, b = A(), A()\nshow(a.n, b.n, A.n)", "def f(*, k=[]):\n    k.append(1)\n    return k\nf()\nshow(f(), f(k=[9]))", "def deco(n):\n    def d(f):\n        def w(*a):\n            return f(*a) * n\n        return w\n    return d\n@deco(2)\n@deco(3)\ndef f(x):\n    return x + 1\nshow(f(1))",
                        "it = (i * j for i in range(3) for j in range(i))\nshow(next(it), list(it), list(it))", "a = [1, 2, 3]\nfor a[0] in range(3):\n    pass\nshow(a)", "a = b = []\na += [1]\nshow(b is a, b)", "x = [0, 1]\ni = 0\ni, x[i] = 1, 9\nshow(i, x)", "a, (b, *c), d = 1, 'xyz', [4]\nshow(a, b, c, d)", "def f(a, /, b, *c, d, e=5, **g):\n    return a, b, c, d, e, g\nshow(f(1, 2, 3, d=4, a=6), f(1, b=2, d=3))")
        return [body]

    def delegation(self):
        inner = self.one("yield 1\nreturn 'r'", "x = yield 'i'\nyield x\nreturn x", "try:\n    yield 1\nexcept ValueError:\n    yield 'caught'\nfinally:\n    log.append('fin')", "yield from [1, 2]\nreturn (yield 3)", "try:\n    yield 1\n    yield 2\nexcept GeneratorExit:\n    log.append('exit')\n    raise", "return 5\nyield", "raise KeyError(1)\nyield", "try:\n    yield\nfinally:\n    yield 'late'")
        outer = self.one("r = yield from inner()\nlog.append(r)\nyield 'after'", "try:\n    r = yield from inner()\nexcept Exception as e:\n    log.append(chain(e))\n    yield 'except'\nelse:\n    yield r", "yield from inner()\nyield from inner()", "for v in inner():\n    s = yield v\n    log.append(s)", "yield from Steps()", "with Manager('g'):\n    yield from inner()", "return (yield from inner())", "x = [(yield 1), (yield 2)]\nyield x")
        pad = lambda t: "\n".join("    " + l for l in t.split("\n"))
        out = ["log = []", "class Steps:\n    def __iter__(self):\n        return self\n    def __next__(self):\n        log.append('next')\n        return 1\n    def %s(self, *a):\n        log.append(len(a))\n        return 'm'" % self.one("send", "throw", "close", "other"), "def inner():\n" + pad(inner), "def outer():\n" + pad(outer), "g = outer()"]
        for _ in range(self.rng.randint(2, 5)):
            out.append("try:\n    show(%s)\nexcept BaseException as e:\n    show(chain(e), own(e))" % self.one("next(g)", "next(g)", "g.send(%s)" % self.small(), "g.send(None)", "g.throw(ValueError('v'))", "g.throw(KeyError)", "g.close()", "next(g, 'end')", "list(itertools.islice(g, 2))", "g.throw(GeneratorExit)", "g.throw(StopIteration(2))"))
        return out + ["show(log)"]

    FEATURES = ["chains", "chains", "groups", "descriptors", "descriptors", "managers", "dataclasses", "enums", "nested", "buffers", "buffers", "bigs", "sorting", "scopes", "delegation", "delegation"]
