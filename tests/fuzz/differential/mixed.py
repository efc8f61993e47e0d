"""Programs that combine what calls drawn one by one do not: results stored over their operands,
masks that broadcast, chains of methods, keywords in any order, dtypes as objects, arrays without
axes, without elements, read-only, and of numbers at the ends of their dtype."""

ODD = {
    "f2": ["np.nan", "np.inf", "-np.inf", "-0.0", "6e-8", "65504.0", "1.5", "-2.0"],
    "f4": ["np.nan", "np.inf", "-np.inf", "-0.0", "1e-45", "3.4028235e38", "1.5", "-2.0"],
    "f8": ["np.nan", "np.inf", "-np.inf", "-0.0", "5e-324", "1.7976931348623157e308", "1.5", "-2.0"],
    "i1": ["-128", "127", "0", "-1", "3"], "i2": ["-32768", "32767", "0", "-1", "3"],
    "i4": ["-2**31", "2**31 - 1", "0", "-1", "3"], "i8": ["-2**63", "2**63 - 1", "0", "-1", "3"],
    "u1": ["255", "0", "1", "128"], "u2": ["65535", "0", "1", "7"], "u4": ["2**32 - 1", "0", "1", "7"],
    "u8": ["2**64 - 1", "0", "1", "2**63"], "b1": ["True", "False"],
    "c8": ["1 + 2j", "-0.0", "np.nan", "complex(0, -0.0)", "2.5j"],
    "c16": ["1 + 2j", "-0.0", "np.nan", "complex(0, -0.0)", "2.5j"],
}
EMPTY = ["(0,)", "(0, 3)", "(3, 0)", "(2, 0, 3)", "(0, 0)", "(2, 3, 0)", "(0, 1, 2)", "(1, 0)"]
ONE = """negative positive abs absolute sign signbit floor ceil rint trunc isnan isinf isfinite square
sqrt reciprocal conjugate invert logical_not spacing bitwise_count fabs""".split()
TWO = """add subtract multiply divide floor_divide remainder fmod maximum minimum fmax fmin equal
not_equal less less_equal greater greater_equal logical_and logical_or logical_xor bitwise_and
bitwise_or bitwise_xor left_shift right_shift copysign nextafter heaviside gcd lcm""".split()
FOLDS = "sum prod max min any all mean cumsum cumprod argmax argmin ptp var".split()
STEPS = [
    ".T", ".reshape(-1)", ".astype({1})", ".copy('F')", ".transpose()", ".ravel(order='F')", "[::-1]",
    ".squeeze()", ".swapaxes(0, -1)", "[..., None]", ".sum(axis=0, keepdims=True)", ".clip(0, 2)", ".round(1)",
    ".repeat(2, axis=0)", ".take([0, -1], axis=-1, mode='wrap')", ".cumsum(-1)", ".real", ".imag", ".conj()",
    ".max(-1, initial=0, keepdims=True)", ".reshape({0}.shape[::-1])", ".view({0}.dtype)", ".flatten('K')",
    ".argsort(axis=0, kind='stable')", ".nonzero()[0]", ".diagonal()", ".copy(order='K')", "[()]", "[...]",
    ".mean(0, keepdims=True)", ".any(-1)", ".byteswap().byteswap()", ".astype(float, order='F', copy=False)",
    ".searchsorted(1)", ".trace()", ".compress([True], axis=0)", ".item(0)", ".tolist()", ".prod((0,))",
    ".dot({0})", ".min(axis=(0, -1))", ".argmax(0)", ".choose([1, 2, 3], mode='wrap')", ".flat[::2]",
    ".std(0, ddof=1)", ".all(axis=0)", ".put(0, 1)", ".partition(0)", ".sort(0)", ".setfield(0, 'i1')",
    ".strides", ".nbytes", ".itemsize", ".base is None", ".flags.owndata", ".flags.c_contiguous"]
DTYPES = ["np.dtype('{0}')", "np.dtype('{0}').type", "'{0}'", "np.dtype('{0}').str", "np.dtype('{0}').name",
          "np.dtype('{0}').char", "np.zeros(1, '{0}').dtype"]


class Mixed:
    def __init__(self, values):
        self.v = values

    def dtype(self):
        return self.v.one(*DTYPES).format(self.v.dtype())

    def array(self):
        v = self.v
        k = v.rng.random()
        d = v.dtype()
        if k < 0.35:
            return "np.array([%s], '%s')" % (", ".join(v.one(*ODD[d]) for _ in range(v.rng.randint(1, 6))), d)
        if k < 0.5:
            text = "np.zeros(%s, '%s')" % (v.one(*EMPTY), d)
            return text + v.one("", ".T", "[::-1]", "[..., ::-1]", "[None]", ".swapaxes(0, -1)")
        if k < 0.6:
            return "np.array(%s, '%s')" % (v.one(*ODD[d]), d)
        return v.array(d)

    def axis(self):
        return self.v.one("0", "-1", "1", "None", "()", "(0,)", "(0, 1)", "-2", "(-1, 0)", "2", "2**31", "-2**40",
                          "np.int8(0)", "(1, 0)", "np.array(0)", "(0, 0)")

    def part(self, a):
        "A view that may overlap another of a."
        return a + self.v.one("", "[::-1]", "[1:]", "[:-1]", ".T", "[::2]", "[..., None]", "[None]", "[0:1]", "[..., 0]",
                              "[...]", ".reshape(-1)", ".swapaxes(0, -1)", "[:0]", "[..., ::-1]")

    def options(self, choices):
        some = [c for c in choices if self.v.chance(0.35)]
        self.v.rng.shuffle(some)
        return "".join(", " + c for c in some)

    def ufunc(self, a, b):
        v = self.v
        keywords = self.options(["dtype=" + self.dtype(), "casting=" + v.one("'unsafe'", "'same_kind'", "'safe'"),
                                 "order=" + v.one("'C'", "'F'", "'A'", "'K'"), "subok=" + v.one("True", "False")])
        out = self.part(v.one(a, a, b))
        if v.chance(0.25):
            out = v.one("(%s,)" % out, "None", "...", "np.zeros((2,) + %s.shape, %s)" % (a, self.dtype()))
        where = ""
        if v.chance(0.25):  # through a mask into an array of its own: NumPy's copy of an overlap holds anything
            out = v.one("%s.copy('F')", "np.array(%s)", "np.zeros_like(%s)") % self.part(b)
            where = ", where=" + v.one("%s != 0" % self.part(a), v.mask(), "False", "np.True_", "np.array(False)")
        if v.chance(0.3):
            return "np.%s(%s, out=%s%s%s)" % (v.one(*ONE), self.part(a), out, where, keywords)
        operands = [self.part(a), v.one(self.part(a), self.part(b), "2", "-1.5", "True", "np.uint8(200)", "2**40", "1j")]
        v.rng.shuffle(operands)
        return "np.%s(%s, %s, out=%s%s%s)" % (v.one(*TWO), operands[0], operands[1], out, where, keywords)

    def fold(self, a, b):
        v = self.v
        name = v.one(*FOLDS)
        choices = ["axis=" + self.axis()]
        if name not in ("argmax", "argmin", "any", "all", "max", "min", "ptp"):
            choices.append("dtype=" + self.dtype())
        if name not in ("cumsum", "cumprod"):
            choices.append("keepdims=" + v.one("True", "False"))
        if name in ("sum", "prod", "max", "min"):
            choices += ["initial=" + v.one("0", "1", "2.5", "-3"),
                        "where=" + v.one("%s != 0" % a, "False", "[True]", "np.array(True)", v.mask())]
        if name in ("any", "all", "mean"):
            choices.append("where=" + v.one("%s != 0" % a, "[True]", "np.array(True)"))
        choices.append("out=" + v.one("%s" % self.part(b), self.part(a), "np.zeros(())", "None"))
        call = self.options(choices)
        if v.chance(0.5):
            return "%s.%s(%s)" % (self.part(a), name, call[2:])
        return "np.%s(%s%s)" % (name, self.part(a), call)

    def chain(self, a):
        v = self.v
        return a + "".join(v.one(*STEPS).format(a, self.dtype()) for _ in range(v.rng.randint(2, 5)))

    def program(self):
        v = self.v
        out = ["a = " + self.array(), "b = " + self.array()]
        if v.chance(0.15):
            out.append("a.setflags(write=False)")
        names = ["a", "b"]
        for name in "cde"[:v.rng.randint(1, 3)]:
            a, b = v.rng.choice(names), v.rng.choice(names)
            k = v.rng.random()
            text = self.ufunc(a, b) if k < 0.4 else self.fold(a, b) if k < 0.7 else self.chain(a)
            out += ["%s = %s" % (name, text), "show(%s)" % name]
        return out + ["show(a, b)"]
