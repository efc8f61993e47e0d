"""The families of make_calls.py: each yields (expression, tolerance) from a random generator.

An expression is valid in Python with NumPy and in gx. x(), y() and W are make_calls.py's HEAD."""
import numpy as np

INTS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f2", "f4", "f8"]
REALS = ["b1"] + INTS + FLOATS
TYPES = REALS + ["c8", "c16"]
MATRICES = "mtnkb"  # layouts of shape (2, 3)
LIBM = 8  # units of the last place for what libm computes

# What the drawn expressions do not ask, as regular expressions: in these gx means to differ.
SKIP = {
    r"linalg\.lu\(x\('i.c'\)\[0\]\.T": "SciPy 1.18's L is not triangular for integers in F order",
    r"^linalg\.lstsq\(": "SciPy 1.18 gives the rank and the residues as arrays of no axis",
    r"^linalg\.cho_factor\(": "SciPy 1.18 gives `lower` as an array of no axis, and clears a triangle",
    r"linalg\.eigvals\(\[": "SciPy 1.18 has an AttributeError for a list that is no matrix",
    r"unique_values": "their order is left open by NumPy; gx sorts them",
    r"^round\(x": "Python's round() works on arrays in gx; NumPy has no __round__ for them",
    r"np.where\(.*, (300|-1)\)": "NumPy 2.4 wraps Python ints out of bounds, 2.5 and gx refuse them",
    r"ldexp\(-1|ldexp.*(dtype|u8)": "NumPy's choice of the exponent's C int shows",
    r"fft.*x\('f2.*ortho": "NumPy rounds the factor 1/sqrt(n) to float16, gx does not",
    r"inplace\(x\('b1.'\), '@'": "both refuse; NumPy looks at the casting before the shape",
    r"full(_like)?\((x\('[biuf]|.*2j, dtype='[biuf]).*2j|full\(.*2j, dtype='[biuf]": "nothing is lost in silence",
    r"float\(x\('c": "gx gives the real part, as NumPy does for complex scalars",
    r"(subtract|maximum)\.at.*x\('b1|x\('b1.*(subtract|maximum)\.at": "no ints are stored as bools",
    r"interp\(x\('c.*period": "complex places are refused, with a period too",
    r"sinc\(x\('c": "sinc is for real numbers in gx",
    r"np\.(modf|frexp|divmod)\.nin": "functions of two results are no ufunc objects in gx",
}


def every(rng, count, *choices):
    """count draws of a tuple of choices, the first choice in turn."""
    first = list(choices[0])
    rng.shuffle(first)
    for i in range(count):
        yield (first[i % len(first)],) + tuple(rng.choice(c) for c in choices[1:])


def join(*parts):
    return ", ".join(p for p in parts if p)


UNARY = {
    "negative": 0, "positive": 0, "absolute": LIBM, "fabs": 0, "sign": LIBM, "square": 2,
    "sqrt": LIBM, "cbrt": LIBM, "reciprocal": LIBM, "exp": LIBM, "exp2": LIBM, "expm1": LIBM,
    "log": LIBM, "log2": LIBM, "log10": LIBM, "log1p": LIBM, "sin": LIBM, "cos": LIBM, "tan": LIBM,
    "arcsin": LIBM, "arccos": LIBM, "arctan": LIBM, "sinh": LIBM, "cosh": LIBM, "tanh": LIBM,
    "arcsinh": LIBM, "arccosh": LIBM, "arctanh": LIBM, "deg2rad": LIBM, "rad2deg": LIBM,
    "floor": 0, "ceil": 0, "trunc": 0, "rint": 0, "isnan": 0, "isinf": 0, "isfinite": 0,
    "signbit": 0, "spacing": 0, "logical_not": 0, "invert": 0, "conjugate": 0, "bitwise_count": 0,
    "modf": 0, "frexp": 0,
}
BINARY = {
    "add": 0, "subtract": 0, "multiply": 2, "divide": LIBM, "floor_divide": 0, "remainder": 0,
    "fmod": 0, "power": LIBM, "float_power": LIBM, "arctan2": LIBM, "hypot": LIBM,
    "maximum": 0, "minimum": 0, "fmax": 0, "fmin": 0, "copysign": 0, "nextafter": 0,
    "heaviside": 0, "ldexp": 0, "logaddexp": LIBM, "logaddexp2": LIBM, "gcd": 0, "lcm": 0,
    "equal": 0, "not_equal": 0, "less": 0, "less_equal": 0, "greater": 0, "greater_equal": 0,
    "logical_and": 0, "logical_or": 0, "logical_xor": 0, "bitwise_and": 0, "bitwise_or": 0,
    "bitwise_xor": 0, "left_shift": 0, "right_shift": 0, "divmod": 0,
}
# Complex functions are compared to the size of the whole number, and on ordinary numbers.
NO_ODD = {"power", "float_power", "reciprocal", "lcm", "gcd"}


def unary(rng):
    outs = [", out=np.full((2, 3), 9, '%s')" % d for d in ("f8", "f4", "i8", "c16", "b1")]
    extra = ["", "", ""] + outs + [
        ", out=np.full((2, 3), 9.0), where=W", ", out=np.full((2, 3), 9j), where=W[0]",
        ", dtype='f4'", ", dtype='f8'", ", dtype='c16'", ", dtype='i8'", ", casting='no'",
        ", casting='unsafe', dtype='f4'", ", out=np.full((2, 2, 3), 1.0)"]
    for f, units in UNARY.items():
        for d in TYPES:
            layouts = "oevslq" if f not in NO_ODD and d[0] != "c" else "oevsl"
            yield "np.%s(x('%s%s'))" % (f, d, rng.choice(layouts)), units
        for d, e in every(rng, 8, TYPES, extra):
            if f in ("modf", "frexp") and "out" in e:
                continue
            if units and "out" in e and d not in ("i4", "i8", "u4", "u8", "f8", "c16"):
                e = ""  # a rounding of a small dtype in a large one would look like an error
            yield "np.%s(x('%s%s')%s)" % (f, d, rng.choice(MATRICES), e), units
        yield "np.%s(%s)" % (f, rng.choice(["2", "0.5", "True", "[1, 2]", "[0.25, 0.75]"])), units


def binary(rng):
    right = ["y('%s%s')" % (d, a) for d in TYPES for a in "mtnkb32os"]
    weak = ["2", "3.5", "True", "-1", "np.float32(1.5)", "np.int8(3)", "np.uint8(2)", "1j", "[1, 2, 3]"]
    extra = ["", "", ", out=np.full((2, 3), 7.0)", ", out=np.full((2, 3), 7.0), where=W",
             ", dtype='f8'", ", dtype='f4'", ", dtype='i8'", ", out=np.full((2, 3), 7, 'f4')",
             ", casting='safe'", ", out=np.zeros((2, 3), bool)", ", out=np.full((4, 2, 3), 1.0)"]
    for f, units in BINARY.items():
        for d, r, a, e in every(rng, 16, TYPES, right, MATRICES, extra):
            yield "np.%s(x('%s%s'), %s%s)" % (f, d, a, r, e), units
        for d, w, a in every(rng, 14, TYPES, weak, "movte3"):
            yield "np.%s(x('%s%s'), %s)" % (f, d, a, w), units
        for d, w in every(rng, 4, TYPES, weak):
            yield "np.%s(%s, y('%sm'))" % (f, w, d), units
        if f not in NO_ODD:
            for d, e in every(rng, 6, FLOATS + INTS, ["f8", "f4", "i8", "u8"]):
                yield "np.%s(x('%sq')[:3], y('%sq')[:3])" % (f, d, e), units


def operators(rng):
    for op in ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!="]:
        units = LIBM if op in ("/", "**", "*") else 0
        for d, e, a, b in every(rng, 10, TYPES, TYPES, MATRICES + "o", "mt32os"):
            yield "x('%s%s') %s y('%s%s')" % (d, a, op, e, b), units
        for d, w, a in every(rng, 8, TYPES, ["2", "-3", "2.5", "True", "1j", "300"], "mvoe"):
            yield "x('%s%s') %s %s" % (d, a, op, w), units
        for d, w in every(rng, 5, TYPES, ["2", "-3", "2.5", "False", "2j"]):
            yield "%s %s x('%sm')" % (w, op, d), units
    for f in ["-%s", "+%s", "~%s", "abs(%s)", "divmod(%s, 2)", "round(%s, 1)", "%s @ 2", "not %s",
              "bool(%s)", "int(%s)", "float(%s)", "complex(%s)", "len(%s)", "3 in %s"]:
        for d, a in every(rng, 5, TYPES, "mov"):
            yield f % ("x('%s%s')" % (d, a)), LIBM


AXES = ["", "axis=None", "axis=0", "axis=1", "axis=-1", "axis=(0, 1)", "axis=(-1, 0)", "axis=()",
        "axis=2", "axis=(0, 0)"]
KEEP = ["", "", "keepdims=True"]


def reductions(rng):
    dtypes = ["", "", "", "dtype='f8'", "dtype='f4'", "dtype='i4'", "dtype='c16'", "dtype='u1'"]
    initial = ["", "", "", "initial=10", "initial=2", "where=W", "where=W[0], initial=3", "where=W"]
    for f, units in {"sum": 2, "prod": 32, "min": 0, "max": 0}.items():
        for d, a, ax, k, t, i in every(rng, 40, TYPES, MATRICES, AXES, KEEP, dtypes, initial):
            t = t if f in ("sum", "prod") else ""
            yield "np.%s(%s)" % (f, join("x('%s%s')" % (d, a), ax, k, t, i)), units
        for d, a, ax in every(rng, 20, TYPES, "ouvcsqeE", AXES):
            if not (a == "q" and (d[0] == "c" or f in ("sum", "prod") and d[0] == "f")):
                yield "np.%s(%s)" % (f, join("x('%s%s')" % (d, a), ax)), units
    for f in ["any", "all"]:
        for d, a, ax, k, w in every(rng, 30, TYPES, MATRICES + "oeEcq", AXES, KEEP, ["", "", "where=W"]):
            w = w if a in MATRICES else ""
            yield "np.%s(%s)" % (f, join("x('%s%s')" % (d, a), ax, k, w)), 0
    for f in ["argmin", "argmax"]:
        for d, a, ax, k in every(rng, 30, TYPES, MATRICES + "ouvcsqe", AXES[:5] + AXES[8:9], KEEP):
            yield "np.%s(%s)" % (f, join("x('%s%s')" % (d, a), ax, k)), 0
    for f in ["count_nonzero", "ptp"]:
        for d, a, ax, k in every(rng, 20, TYPES, MATRICES + "ouvcs", AXES, KEEP):
            yield "np.%s(%s)" % (f, join("x('%s%s')" % (d, a), ax, k)), 0
    for f in ["cumsum", "cumprod", "nancumsum", "nancumprod"]:
        for d, a, ax, t in every(rng, 22, TYPES, MATRICES + "ouvse", AXES[:5] + AXES[8:9], dtypes):
            yield "np.%s(%s)" % (f, join("x('%s%s')" % (d, a), ax, t)), 32 if "prod" in f else 2
    for f in ["cumulative_sum", "cumulative_prod"]:
        for d, a, ax, t in every(rng, 14, TYPES, MATRICES + "vs", AXES[1:5], ["", "include_initial=True"]):
            yield "np.%s(%s)" % (f, join("x('%s%s')" % (d, a), ax, t)), 32 if "prod" in f else 2
    for f in ["sum", "max", "mean", "any"]:
        for d, o, ax in every(rng, 24, TYPES, ["f8", "f4", "i8", "b1", "c16"], ["axis=0", "axis=1"]):
            if not np.can_cast(getattr(np, f)(np.zeros(1, d)).dtype, o, "same_kind"):
                continue  # an out= that loses is refused by gx
            out = "out=np.zeros(%s, '%s')" % ("3" if ax == "axis=0" else "2", o)
            yield "np.%s(%s)" % (f, join("x('%sm')" % d, ax, out)), 2


def statistics(rng):
    dtypes = ["", "", "", "dtype='f8'", "dtype='f4'", "dtype='c16'"]
    for f in ["mean", "var", "std"]:
        more = [""] if f == "mean" else ["", "ddof=1", "ddof=0.5", "correction=1", "ddof=2"]
        for d, a, ax, k, t, m, w in every(rng, 40, TYPES, MATRICES + "cu", AXES, KEEP, dtypes, more,
                                          ["", "", "where=W"]):
            w = w if a in MATRICES else ""
            yield "np.%s(%s)" % (f, join("x('%s%s')" % (d, a), ax, k, t, m, w)), 64
        for d, a in every(rng, 12, TYPES, "oeEs"):
            yield "np.%s(x('%s%s'))" % (f, d, a), LIBM
    for f in ["nanmean", "nanvar", "nanstd", "nansum", "nanprod", "nanmin", "nanmax", "nanmedian",
              "nanargmin", "nanargmax"]:
        axes = ["", "axis=0", "axis=1", "axis=-1"] + (["axis=(0, 1)"] if "arg" not in f else [])
        for d, a, ax, k in every(rng, 12, TYPES, MATRICES + "v", axes, KEEP):
            if not (f == "nanmedian" and d in ("b1", "c8", "c16")):
                yield "np.%s(%s)" % (f, join("x('%s%s')" % (d, a), ax, k)), 64
        for d, a in every(rng, 6, FLOATS, ["[[np.nan, 1, 2], [3, np.nan, 5]]", "[[1, 2], [np.nan, 4]]"]):
            ax = rng.choice(axes)
            yield "np.%s(%s)" % (f, join("np.array(%s, '%s')" % (a, d), ax)), 64
    for d, a, ax, k in every(rng, 40, REALS, MATRICES + "cuvs", AXES[:9], KEEP):
        yield "np.median(%s)" % join("x('%s%s')" % (d, a), ax, k), 4
    methods = ["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "weibull", "hazen",
               "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
               "median_unbiased", "normal_unbiased"]
    for d, m, a, ax, k, q in every(rng, 70, REALS[1:], methods, MATRICES + "vc", AXES[:8], KEEP,
                                   ["50", "25", "[0, 10, 100]", "[[25, 75]]", "99.5", "101"]):
        if not (a == "v" and "1" in ax):
            yield "np.percentile(%s)" % join("x('%s%s')" % (d, a), q, ax, k, "method='%s'" % m), 16
    for d, m, q in every(rng, 30, REALS[1:], methods, ["0.5", "[0.1, 0.9]", "1.5"]):
        yield "np.quantile(x('%sc'), %s, method='%s', axis=%s)" % (d, q, m, rng.choice("012")), 16
    for d, ax, w in every(rng, 24, TYPES, ["", "axis=0", "axis=1", "axis=-1"],
                          ["", "weights=[[1, 2, 3], [4, 5, 6]]", "weights=abs(y('f4m'))",
                           "returned=True"]):
        yield "np.average(%s)" % join("x('%sm')" % d, ax, w), 32
    for d, e in every(rng, 16, TYPES, ["", ", rowvar=False", ", ddof=0", ", bias=True", ", y('f8m')",
                                       ", fweights=[1, 2, 3]", ", aweights=[0.5, 1, 2]"]):
        yield "np.cov(x('%sm')%s)" % (d, e), -64
    for d, e in every(rng, 10, TYPES, ["", ", rowvar=False"]):
        yield "np.corrcoef(x('%sS')%s)" % (d, e), -64
    bins = ["", ", bins=4", ", bins=[-3, 0, 1, 5]", ", bins=3, range=(-2, 4)", ", density=True",
            ", bins=4, weights=np.arange(6.0)", ", bins=2, density=True", ", bins=0", ", bins='auto'"]
    for d, e, a in every(rng, 40, REALS, bins, "vl"):
        if not ("weights" in e and a == "l"):
            yield "np.histogram(x('%s%s')%s)" % (d, a, e), 16
    for d, e in every(rng, 14, INTS, ["", ", minlength=9", ", weights=y('f8v')", ", weights=y('i4v')"]):
        yield "np.bincount(np.abs(x('%sv'))%s)" % (d, e), 4
    for d, e in every(rng, 14, REALS, ["right=True", "right=False"]):
        yield "np.digitize(x('%sv'), [-3, 0, 2, 4], %s)" % (d, e), 0
    for d, e in every(rng, 10, REALS, ["bins=2", "bins=[2, 3]", "bins=2, range=[[-2, 2], [-3, 5]]"]):
        yield "np.histogram2d(x('%sv'), y('f8v'), %s)" % (d, e), 16
    for f in ["np.trapezoid(x('%s'))", "np.trapezoid(x('%s'), dx=0.5, axis=0)", "np.gradient(x('%s'))",
              "np.gradient(x('%s'), 0.5, axis=0)", "np.gradient(x('%s'), axis=1, edge_order=2)",
              "np.trapezoid(x('%s'), [1, 2, 4])"]:
        for d, a in every(rng, 7, TYPES, MATRICES):
            yield f % (d + a), 16
    for d, e in every(rng, 24, TYPES, ["", ", left=-9", ", right=8, left=0.5", ", period=4"]):
        yield "np.interp(x('%sv'), [-2, 0, 1.5, 3], [1, 5, -2, 4]%s)" % (d, e), 16


def ordering(rng):
    kinds = ["", "kind='stable'", "kind='heapsort'", "stable=True"]
    for d, a, ax, k in every(rng, 60, TYPES, MATRICES + "ouveslq", ["", "axis=0", "axis=-1", "axis=None"],
                             kinds):
        yield "np.sort(%s)" % join("x('%s%s')" % (d, a), ax, k), 0
    for d, a, ax in every(rng, 50, TYPES, MATRICES + "ovesq", ["", "axis=0", "axis=-1", "axis=None"]):
        yield "np.argsort(%s)" % join("x('%s%s')" % (d, a), ax, "kind='stable'"), 0
    for d, k, a in every(rng, 24, TYPES, ["0", "2", "-1", "(0, 2)", "1", "9"], MATRICES + "v"):
        yield "np.partition(x('%s%s'), %s)[..., %s]" % (d, a, k, k if k in "02-1" else "0:1"), 0
        yield "np.take_along_axis(x('%s%s'), np.argpartition(x('%s%s'), 1), -1)[..., 1]" % (d, a, d, a), 0
    unique = ["", "return_index=True", "return_inverse=True", "return_counts=True",
              "return_index=True, return_counts=True", "axis=0", "axis=1", "equal_nan=False",
              "axis=0, return_inverse=True"]
    for d, u, a in every(rng, 60, TYPES, unique, "mtvcloeq"):
        if not (("axis=1" in u and a not in "mtc") or ("axis" in u and a in "oe")):
            if not (a == "q" and d[0] == "c"):
                yield "np.unique(%s)" % join("x('%s%s')" % (d, a), u), 0
    for f in ["unique_values", "unique_counts", "unique_inverse", "unique_all"]:
        for d, a in every(rng, 5, TYPES, "mvt"):
            yield "tuple(np.%s(x('%s%s')))" % (f, d, a), 0
    for d, e, s, v in every(rng, 60, TYPES, TYPES, ["", "side='left'", "side='right'"], "movte"):
        yield "np.searchsorted(%s)" % join("np.sort(x('%sv'))" % d, "y('%s%s')" % (e, v), s), 0
    for d, s in every(rng, 10, REALS, ["left", "right", "middle"]):
        yield ("np.searchsorted(x('%sv'), y('%sv'), side='%s', "
               "sorter=np.argsort(x('%sv'), kind='stable'))" % (d, d, s, d)), 0
    for f in ["nonzero", "argwhere", "flatnonzero"]:
        for d, a in every(rng, 16, TYPES, MATRICES + "vceE"):
            yield "np.%s(x('%s%s'))" % (f, d, a), 0
    for d, e, o in every(rng, 16, TYPES, REALS, [0, 1]):
        keys = ("x('%sv')" % d, "y('%sv')" % e)
        yield "np.lexsort((%s, %s))" % (keys[o], keys[1 - o]), 0
    for f in ["union1d", "intersect1d", "setdiff1d", "setxor1d", "isin"]:
        for d, e, a, b in every(rng, 16, TYPES, TYPES, "mvtloe", "mv3oe"):
            yield "np.%s(x('%s%s'), y('%s%s'))" % (f, d, a, e, b), 0
    for d, e in every(rng, 8, REALS, ["invert=True", "assume_unique=True", "kind='sort'"]):
        yield "np.isin(x('%sm'), [0, 1, 3], %s)" % (d, e), 0
    for d, e in every(rng, 8, TYPES, ["return_indices=True", "assume_unique=False"]):
        yield "np.intersect1d(x('%sv'), y('%sv'), %s)" % (d, d, e), 0
    for d, e, n in every(rng, 30, TYPES, ["", "axis=0", "axis=1", "prepend=0", "append=[[1], [2]]",
                                          "prepend=0, axis=0"], ["1", "2", "0", "5"]):
        yield "np.diff(%s)" % join("x('%s%s')" % (d, rng.choice(MATRICES)), n, e), 2
    for d, e in every(rng, 12, TYPES, ["", "to_begin=9", "to_end=[1, 2]", "to_begin=0, to_end=1"]):
        yield "np.ediff1d(%s)" % join("x('%sm')" % d, e), 2


def choosing(rng):
    masks = ["W", "W[0]", "W[:, :1]", "x('b1t')", "x('i4m')", "x('f8m')", "True", "False"]
    for d, e, m, a, b in every(rng, 50, TYPES, TYPES, masks, MATRICES + "o", "mt32os"):
        yield "np.where(%s, x('%s%s'), y('%s%s'))" % (m, d, a, e, b), 0
    for d, m, w in every(rng, 24, TYPES, masks[:4], ["0", "2.5", "1j", "True", "300", "-1"]):
        yield "np.where(%s, x('%sm'), %s)" % (m, d, w), 0
    for d, i, ax, m in every(rng, 50, TYPES, ["1", "[0, 1]", "[[1, 0], [0, 1]]", "-1", "5", "[]",
                                              "[3, -4]", "x('u1o')", "x('b1v')"],
                             ["", "axis=0", "axis=1", "axis=-1"], ["", "mode='wrap'", "mode='clip'"]):
        if i == "[]":
            i = "np.zeros(0, int)"
        yield "np.take(%s)" % join("x('%s%s')" % (d, rng.choice(MATRICES)), i, ax, m), 0
    for d, a, ax in every(rng, 16, TYPES, MATRICES, ["0", "1", "-1"]):
        yield "np.take_along_axis(x('%s%s'), np.argsort(y('i4m'), axis=%s), %s)" % (d, a, ax, ax), 0
    for d, m in every(rng, 16, TYPES, ["", ", mode='wrap'", ", mode='clip'"]):
        yield "np.choose([[0, 1, 2], [2, %s, 0]], [x('%sm'), 7, y('%s3')]%s)" % (
            rng.choice("15"), d, rng.choice(TYPES), m), 0
    for d, e in every(rng, 16, TYPES, TYPES):
        yield "np.select([x('%sm') > 1, W], [x('%sm'), y('%s3')], %s)" % (
            d, d, e, rng.choice(["0", "-1", "2.5"])), 0
    for d, ax, a in every(rng, 20, TYPES, ["", "axis=0", "axis=1"], MATRICES):
        yield "np.compress(%s)" % join("[True, False]", "x('%s%s')" % (d, a), ax), 0
    for d, m in every(rng, 14, TYPES, masks[:1] + masks[3:6]):
        yield "np.extract(%s, x('%sm'))" % (m, d), 0
    for d, e, lo, hi in every(rng, 50, TYPES, MATRICES + "ocq", ["0", "-1.5", "None", "y('i2m')", "1"],
                              ["2", "3.5", "None", "y('f4m')", "300", "2j"]):
        if not ((e in "oc" and "y" in lo + hi) or (e == "q" and ("y" in lo + hi or d[0] == "c"))):
            yield "np.clip(x('%s%s'), %s, %s)" % (d, e, lo, hi), 0
    for d, n in every(rng, 24, TYPES, ["", "0", "1", "2", "-1"]):
        yield "np.round(%s)" % join("x('%s%s')" % (d, rng.choice(MATRICES + "o")), n), 2
    for d, e in every(rng, 16, TYPES, ["", "nan=1.0", "posinf=9, neginf=-9", "nan=0, posinf=1"]):
        yield "np.nan_to_num(%s)" % join("x('%sq')" % d if d[0] != "c" else "x('%sv')" % d, e), 0
    for f in ["isclose", "allclose", "array_equal", "array_equiv"]:
        for d, e, a, b in every(rng, 12, TYPES, TYPES, MATRICES + "o", "mt3o"):
            yield "np.%s(x('%s%s'), %s('%s%s'))" % (f, d, a, rng.choice("xy"), e, b), 0
    for f in ["isreal", "iscomplex", "isposinf", "isneginf", "real", "imag", "angle", "iscomplexobj",
              "real_if_close", "sinc", "i0", "fix"]:
        for d, a in every(rng, 8, TYPES, MATRICES + "ov"):
            yield "np.%s(x('%s%s'))" % (f, d, a), 64 if f in ("sinc", "i0", "angle") else 0
    for f in ["piecewise(x('%s'), [x('%s') < 0, x('%s') >= 2], [-1, 1])",
              "piecewise(x('%s'), [x('%s') < 0], [lambda v: v * v, 7])"]:
        for d in TYPES[1:12]:
            yield "np." + f.replace("%s", d + "m"), 2
    for d, a in every(rng, 14, TYPES, "vlm"):
        yield "np.unwrap(x('%s%s'))" % (d, a), 64


def shapes(rng):
    for d, s, a, o in every(rng, 40, TYPES, ["6", "(3, 2)", "-1", "(6, 1)", "(1, -1)", "(4, 2)",
                                             "(-1, -1)", "(3, -1, 1)"], MATRICES, ["", "order='F'",
                                                                                  "order='A'"]):
        yield "np.reshape(%s)" % join("x('%s%s')" % (d, a), s, o), 0
    for d, a, o in every(rng, 20, TYPES, MATRICES + "ue", ["C", "F", "A", "K"]):
        yield "np.ravel(x('%s%s'), order='%s')" % (d, a, o), 0
    moves = ["transpose(%s)", "transpose(%s, (1, 0, 2))", "transpose(%s, (-1, 0, 1))", "swapaxes(%s, 0, 2)",
             "moveaxis(%s, 0, -1)", "moveaxis(%s, [0, 1], [2, 0])", "rollaxis(%s, 2)", "flip(%s)",
             "flip(%s, 1)", "flip(%s, (0, 2))", "expand_dims(%s, (0, 2))", "rot90(%s)", "rot90(%s, 2, (1, 2))",
             "roll(%s, 2)", "roll(%s, -1, axis=1)", "roll(%s, (1, 2), axis=(0, 2))", "fliplr(%s)",
             "flipud(%s)", "matrix_transpose(%s)", "squeeze(%s)", "transpose(%s, (0, 0, 1))", "flip(%s, 3)",
             "atleast_3d(%s)", "moveaxis(%s, 3, 0)"]
    for f in moves:
        for d, a in every(rng, 3, TYPES, "cuS" if "transpose(%s, " not in f else "cu"):
            yield "np." + f % ("x('%s%s')" % (d, a)), 0
    for d, r, ax, a in every(rng, 30, TYPES, ["2", "0", "[1, 2]", "[0, 1, 2]", "[2]"],
                             ["", "axis=0", "axis=1", "axis=-1"], MATRICES):
        yield "np.repeat(%s)" % join("x('%s%s')" % (d, a), r, ax), 0
    for d, r, a in every(rng, 20, TYPES, ["2", "(2, 1)", "(1, 2)", "(2, 1, 1)", "0", "()"], MATRICES + "o3"):
        yield "np.tile(x('%s%s'), %s)" % (d, a, r), 0
    joins = ["concatenate((%s, %s))", "concatenate((%s, %s), axis=1)", "concatenate((%s, %s), axis=None)",
             "stack((%s, %s))", "stack((%s, %s), axis=-1)", "vstack((%s, %s))", "hstack((%s, %s))",
             "dstack((%s, %s))", "column_stack((%s, %s))", "append(%s, %s)", "append(%s, %s, axis=0)",
             "block([%s, %s])", "block([[%s], [%s]])", "concatenate((%s, %s), dtype='f4')",
             "concatenate((%s, %s), dtype='i4', casting='unsafe')", "kron(%s, %s)[0]",
             "broadcast_arrays(%s, %s)", "stack((%s, %s), axis=3)"]
    for f in joins:
        for d, e, a, b in every(rng, 7, TYPES, TYPES, MATRICES, "mtn3"):
            if not ("kron" in f and d == e == "b1"):
                yield "np." + f % ("x('%s%s')" % (d, a), "y('%s%s')" % (e, b)), 2
    for f in ["split(%s, 3, axis=1)", "split(%s, [1], axis=0)", "array_split(%s, 2, axis=1)", "hsplit(%s, 3)",
              "vsplit(%s, 2)", "split(%s, 2, axis=1)", "array_split(%s, [1, 5], axis=-1)", "unstack(%s)"]:
        for d, a in every(rng, 4, TYPES, MATRICES):
            yield "np." + f % ("x('%s%s')" % (d, a)), 0
    modes = ["", ", mode='edge'", ", mode='reflect'", ", mode='symmetric'", ", mode='wrap'",
             ", mode='linear_ramp', end_values=4", ", mode='maximum'", ", mode='mean'", ", mode='minimum'",
             ", mode='constant', constant_values=3", ", mode='reflect', reflect_type='odd'", ", mode='median'",
             ", mode='constant', constant_values=((1, 2), (3, 4))", ", mode='maximum', stat_length=1"]
    for d, m, w, a in every(rng, 70, TYPES, modes, ["1", "(1, 2)", "((1, 0), (0, 2))", "((0, 1), (2, 1))"],
                            "mvt"):
        if not ((d[0] in "bc" and ("m" in m[8:14] and "imum" in m or "median" in m or "ramp" in m
                                   or "odd" in m or "mean" in m)) or a == "v" and "((" in w + m):
            yield "np.pad(x('%s%s'), %s%s)" % (d, a, w, m), 4
    for d, i, ax, a in every(rng, 30, TYPES, ["1", "[0, 1]", "-1", "slice(0, 2)", "[True, False]", "7"],
                             ["", "axis=0", "axis=1"], MATRICES):
        if "True" not in i or ax == "axis=0":
            yield "np.delete(%s)" % join("x('%s%s')" % (d, a), i, ax), 0
    for d, i, v, ax in every(rng, 30, TYPES, ["1", "[0, 1]", "-1", "9"], ["7", "[1.5, 2.5]", "y('i4o')"],
                             ["", "axis=0", "axis=1"]):
        if not (v[0] == "[" and (ax or i[0] != "[")):
            yield "np.insert(%s)" % join("x('%sm')" % d, i, v, ax), 0
    for d, s, a in every(rng, 14, TYPES, ["4", "(3, 3)", "(2, 2)", "0", "(0, 2)"], MATRICES + "v"):
        yield "np.resize(x('%s%s'), %s)" % (d, a, s), 0
    for f in ["diag(%s)", "diag(%s, 1)", "diag(%s, -1)", "diagonal(%s)", "diagonal(%s, 1)", "trace(%s)",
              "trace(%s, 1)", "tril(%s)", "triu(%s, 1)", "tril(%s, -1)", "diagflat(%s)", "triu(%s, -1)",
              "trace(%s, dtype='f8')", "vander(%s[0])", "vander(%s[0], 2, True)"]:
        for d, a in every(rng, 6, TYPES, MATRICES + "S"):
            yield "np." + f % ("x('%s%s')" % (d, a)), 4
    for d, t, a in every(rng, 12, TYPES, ["fb", "f", "b"], "vl"):
        yield "np.trim_zeros(np.concatenate((x('%s%s')[3:4] * 0, x('%s%s'))), '%s')" % (d, a, d, a, t), 0
    for d, s, a in every(rng, 20, TYPES, ["(2, 3)", "(4, 2, 3)", "(3,)", "(2, 2)"], MATRICES + "o3"):
        yield "np.broadcast_to(x('%s%s'), %s)" % (d, a, s), 0
    for d, w, a in every(rng, 10, TYPES, ["2", "3, axis=1", "(2, 2)", "5"], "mtv"):
        yield "np.lib.stride_tricks.sliding_window_view(x('%s%s'), %s)" % (d, a, w), 0


def creation(rng):
    for a, d in every(rng, 40, ["5", "1, 6", "0, 1, 0.25", "5, 0, -2", "3, 3", "2.5", "0, 10, 3", "-3", "1, 4.5",
                                "0, 0.5, 0.1"], [""] + TYPES[1:]):
        yield "np.arange(%s)" % join(a, d and "dtype='%s'" % d), 2
    for a, n, e, d in every(rng, 60, ["0, 1", "1, 10", "-2, 2", "5, 1", "0, 1j", "[0, 1], [2, 3]", "1, 1"],
                            ["num=5", "num=1", "num=0", "num=4"],
                            ["", "endpoint=False", "retstep=True", "axis=-1"],
                            ["", "", "dtype='f4'", "dtype='i4'", "dtype='f2'", "dtype='c8'"]):
        yield "np.linspace(%s)" % join(a, n, e, d), 8
    for a, n, e, d in every(rng, 24, ["0, 2", "-1, 1", "1, 3"], ["num=4", "num=1"],
                            ["", "endpoint=False", "base=2"], ["", "dtype='f4'", "dtype='i8'"]):
        yield "np.logspace(%s)" % join(a, n, e, d), 8
        if "base" not in e and "i8" not in d:
            a = {"0, 2": "1, 100", "-1, 1": "0.1, 10", "1, 3": "-1, -1000"}[a]
            yield "np.geomspace(%s)" % join(a, n, e, d), 16
    for f, d in every(rng, 36, ["eye(3)", "eye(2, 3, k=1)", "eye(3, k=-1)", "identity(2)", "tri(3)",
                                "tri(2, 3, -1)", "zeros((2, 0))", "ones((2, 2))", "zeros(3)", "ones(())"], TYPES):
        yield "np.%s, dtype='%s')" % (f[:-1], d), 0
    for d, v in every(rng, 28, TYPES, ["2", "1.5", "True", "-1", "2j", "[1, 2, 3]", "300"]):
        yield "np.full((2, 3), %s, dtype='%s')" % (v, d), 0
        yield "np.full_like(x('%s%s'), %s)" % (d, rng.choice(MATRICES), v), 0
    for f in ["zeros_like", "ones_like"]:
        for d, a, e in every(rng, 10, TYPES, MATRICES + "oe", ["", ", dtype='f4'", ", shape=(2, 2)"]):
            yield "np.%s(x('%s%s')%s)" % (f, d, a, e), 0
    for d, e, o in every(rng, 20, TYPES, TYPES, ["", ", indexing='ij'", ", sparse=True"]):
        yield "np.meshgrid(x('%s3'), y('%s2')%s)" % (d, e, o), 0
    for a in ["(2, 3)", "(2,)", "(2, 2), dtype='f4'", "(2, 3), sparse=True"]:
        yield "np.indices(%s)" % a, 0
    lists = ["[1, 2]", "[1, 2.5]", "[True, False]", "[1, 2j]", "[[1, 2], [3, 4]]", "[]", "[[]]", "5", "2.5",
             "(1, 2, 3)", "range(4)", "[True, 2]", "[np.float32(1), 2]", "[np.int8(1), np.uint8(2)]",
             "[[1], [2, 3]]", "[2**40, 1]", "[-1, 300]"]
    for v, d in every(rng, 80, lists, ["", "", "dtype='f4'", "dtype='i1'", "dtype='c16'", "dtype='u2'",
                                       "dtype=bool", "ndmin=2", "dtype='f2'", "dtype=int"]):
        if v != "[[1], [2, 3]]" or "dtype" not in d:
            yield "np.array(%s)" % join(v, d), 0
    for d, e in every(rng, 196, [(a, b) for a in TYPES for b in TYPES], "mvto"):
        if not (d[0][0] in "ifc" and d[1][0] == "u" and d[0][0] != "i"):
            yield "x('%s%s').astype('%s')" % (d[0], e, d[1]), 0
    for d, c in every(rng, 60, [(a, b) for a in TYPES for b in TYPES],
                      ["no", "equiv", "safe", "same_kind", "unsafe"]):
        yield "np.can_cast('%s', '%s', '%s')" % (d + (c,)), 0
    for d, e in every(rng, 40, TYPES, TYPES):
        yield "np.result_type('%s', '%s').str" % (d, e), 0
        yield "np.result_type(x('%sm'), %s).str" % (d, rng.choice(["1", "2.5", "1j", "True", "np.float32(3)"])), 0


def indexing(rng):
    gets = ["[1]", "[-1]", "[0, 1]", "[:, 1]", "[..., 0]", "[1:]", "[::-1]", "[:, ::2]", "[None]", "[:, None, 1]",
            "[[0, 1, 1]]", "[[0, 1], [2, 0]]", "[:, [2, 0]]", "[[1], :2]", "[W]", "[W[:, 0]]", "[:, W[0]]", "[2]",
            "[0, 3]", "[...]", "[()]", "[np.array(1)]", "[[True, False]]", "[1, [0, 2]]", "[np.ix_([0, 1], [2, 1])]",
            "[[[0], [1]], [0, 2]]", "[5:1]", "[-5:9]", "[..., None]", "[0.5]", "[:, -4]", "[[-1, -2]]",
            "[True]", "[x('u1m') > 2]", "[np.zeros(0, int)]", "[1, ..., 0]", "[0, 1, 2]", "[x('i4m')]",
            "[::2, [0, 1, 1]]", "[None, ..., None]", "[slice(None, None, -1)]", "[[0, 2]]"]
    for g in gets:
        for d, a in every(rng, 4, TYPES, MATRICES):
            yield "x('%s%s')%s" % (d, a, g), 0
    cubes = ["[0, :, 1]", "[:, [0, 2], 1]", "[1, [0, 2], :2]", "[[0, 1], :, [1, 3]]", "[:, :, [1, 2]][..., 0]",
             "[[0, 1], [2, 0]]", "[..., 1:3][1]", "[1, ::-1, 2:]", "[:, W[0], 0]", "[[1, 0], 1, [2, 3]]",
             "[:, None, 0, [0, 1]]", "[np.ix_([0, 1], [1], [0, 2])]"]
    for g in cubes:
        for d in rng.sample(TYPES, 3):
            yield "x('%sc')%s" % (d, g), 0
    sets = ["a[1] = 9", "a[:, 1] = [7, 8]", "a[W] = 5", "a[[0, 1], [1, 2]] = [4, 6]", "a[...] = 1.75", "a[::-1, ::2] = 2",
            "a[W] = y('f4v')[:4]", "a[0] = y('i2v')[:3]", "a[:, [0, 2]] = [[1], [2]]", "a[[1, 1, 1], 0] = [1, 2, 3]",
            "a[0, 0] = 2.5", "a[...] = y('u1m')", "a[2] = 1", "a[0] = [1, 2]", "a[W] = [1, 2]", "a[:] = a[::-1]",
            "a[1:] = a[:1] + 1", "a[x('b1m')] = True", "a[None, 0] = 3", "a[0, 0] = 2j"]
    for s in sets:
        for d, o in every(rng, 7, TYPES, "mtnk"):
            target, value = s.split(" = ")
            value = value.replace("a[", "x('%s%s')[" % (d, o))
            key = target[1:]
            index = key[1:-1]
            if ":" in index or "..." in index:
                index = "np.s_[%s]" % index
            yield "put(x('%s%s'), %s, %s)" % (d, o, index, value), 0
    for f in ["np.put(a, [0, -1], [7, 8])", "np.put(a, [1, 9], 3, mode='wrap')", "np.place(a, W, [1, 2])",
              "np.copyto(a, 3, where=W)", "np.putmask(a, W, [9, 8])", "np.fill_diagonal(a, 4)",
              "np.put_along_axis(a, np.array([[1], [0]]), 6, 1)", "np.add.at(a, [0, 0], 1)",
              "np.put(a, 9, 1)", "np.copyto(a, y('f8m'))", "np.subtract.at(a, ([0, 1], [1, 1]), 2)",
              "np.maximum.at(a, [[0], [1]], 1)", "a.fill(3)", "a.sort()", "a.sort(axis=0)"]:
        for d, o in every(rng, 6, TYPES, "mtnk"):
            yield "done(x('%s%s'), lambda a: %s)" % (d, o, f), 0
    for op in ["a += 1", "a *= 2.5", "a -= y('i8m')", "a /= 2", "a //= 2", "a **= 2", "a %= 3", "a &= 3", "a |= W",
               "a ^= 1", "a <<= 1", "a += y('c8m')", "a += y('f43')", "a @= 2", "a += 300"]:
        for d, o in every(rng, 6, TYPES, "mtnk"):
            yield "inplace(x('%s%s'), '%s', %s)" % (d, o, op.split()[1][:-1], op.split(" ", 2)[2]), 2


def products(rng):
    for f in ["matmul", "dot"]:
        for d, e, s in every(rng, 50, TYPES, TYPES, ["St", "SS", "mS", "nS", "vv", "S3", "mm", "33", "cS", "2s", "oo", "k3",
                                                     "3S", "uS"]):
            e = e if s[1] not in "t" else e
            pair = "x('%s%s'), y('%s%s')" % (d, s[0], e, s[1])
            if s == "St":
                pair = "x('%sS'), y('%st').T" % (d, e)
            if s in ("cS", "uS"):
                pair = "x('%s%s')[:, :, :3], y('%sS')" % (d, s[0], e)
            yield "np.%s(%s)" % (f, pair), -8
    for f in ["inner", "vdot", "outer", "vecdot"]:
        for d, e, s in every(rng, 16, TYPES, TYPES, ["mm", "33", "m3", "tn", "vv", "o3"]):
            yield "np.%s(x('%s%s'), y('%s%s'))" % (f, d, s[0], e, s[1]), -8
    for d, e in every(rng, 14, TYPES, TYPES):
        yield "np.cross(x('%sm'), y('%s3'))" % (d, e), -8
        yield "np.matvec(x('%sm'), y('%s3'))" % (d, e), -8
        yield "np.vecmat(x('%s3'), y('%sS'))" % (d, e), -8
    for d, e, a in every(rng, 20, TYPES, TYPES, ["1", "0", "([1], [0])", "([0, 1], [0, 1])", "2"]):
        yield "np.tensordot(x('%sS'), y('%sS'), %s)" % (d, e, a), -8
    subs = ["'ij,jk->ik', {S}, {T}", "'ij,ij', {S}, {T}", "'ii', {S}", "'ii->i', {S}", "'ij->ji', {m}", "'ij->', {m}",
            "'i,j', {a}, {b}", "'...j,j', {m}, {b}", "'ij,kj->ik', {m}, {n}", "'ij,j->i', {m}, {b}", "'ij->j', {m}",
            "'ij,jk,kl', {m}, {T}, {S}", "'ii->', {S}, dtype='f8'", "'i,i,i', {a}, {b}, {a}", "'ij,jj->i', {m}, {S}",
            "'ij,jk', {m}, {m}", "{m}, [0, 1], [1, 0]"]
    for s in subs:
        for d, e in every(rng, 5, TYPES, TYPES):
            s2 = s.format(S="x('%sS')" % d, T="y('%sS')" % e, m="x('%sm')" % d, n="y('%st')" % e, a="x('%s3')" % d,
                          b="y('%s3')" % e)
            yield "np.einsum(%s)" % s2, -16
    for f in ["convolve", "correlate"]:
        for d, e, m, b in every(rng, 20, TYPES, TYPES, ["full", "same", "valid"], "3vs"):
            yield "np.%s(x('%sv'), y('%s%s'), '%s')" % (f, d, e, b, m), -8
    for f in ["polyval([1, -2, 0.5], x('%s%s'))", "polyadd([1, 2], x('%s3') + 0 * x('%s3'))", "polymul([1, -1], x('%s3'))",
              "polyder(x('%sv'))", "polyint(x('%s3'))"]:
        for d in TYPES:
            yield "np." + f.replace("%s%s", d + rng.choice("mvo")).replace("%s", d), -16


def ufunc_methods(rng):
    names = ["add", "multiply", "subtract", "maximum", "minimum", "logical_and", "logical_or", "bitwise_or",
             "bitwise_and", "bitwise_xor", "logical_xor", "fmax", "hypot", "divide", "power"]
    for f in names:
        units = 64 if f in ("hypot", "divide", "power", "multiply") else 2
        e = [t for t in TYPES if f != "power" or t[0] in "fu"]
        for d, a, ax, k, t in every(rng, 8, e, MATRICES + "v", ["", "axis=0", "axis=-1", "axis=None"], KEEP,
                                    ["", "", "initial=1", "dtype='f8'", "where=W[0], initial=0"]):
            t = "" if "where" in t and (a == "v" or f in ("subtract", "divide", "power")) else t
            yield "np.%s.reduce(%s)" % (f, join("x('%s%s')" % (d, a), ax, k, t)), units
        for d, a, ax in every(rng, 6, e, MATRICES + "v", ["", "axis=0", "axis=-1"]):
            yield "np.%s.accumulate(%s)" % (f, join("x('%s%s')" % (d, a), ax)), units
        for d, i, ax in every(rng, 5, e, ["[0, 1]", "[0]", "[1, 0, 1]"], ["axis=0", "axis=1"]):
            yield "np.%s.reduceat(%s)" % (f, join("x('%sm')" % d, i, ax)), units
        for d, g in every(rng, 5, e, e):
            yield "np.%s.outer(x('%s3'), y('%s2'))" % (f, d, g), LIBM
    for f in list(UNARY) + list(BINARY):
        yield "(np.%s.nin, np.%s.nout, np.%s.nargs, np.%s.identity)" % (f, f, f, f), 0


def methods(rng):
    calls = ["sum(axis=0)", "mean(1)", "max(axis=1, keepdims=True)", "min()", "argmax(0)", "cumsum(axis=1)", "std(ddof=1)",
             "var(axis=0)", "prod(axis=-1)", "all(axis=0)", "any()", "ptp()", "round(1)", "clip(0, 2)", "ravel()",
             "flatten('F')", "reshape(3, 2)", "reshape((3, -1), order='F')", "transpose(1, 0)", "transpose()", "T",
             "swapaxes(0, 1)", "repeat(2, axis=0)", "take([1, 0], axis=1)", "compress([True, False], axis=0)",
             "nonzero()", "argsort(axis=0, kind='stable')", "diagonal()", "trace()", "conj()", "real", "imag", "copy()",
             "item(1)", "item(1, 2)", "tolist()", "dot([1, 2, 3])", "searchsorted(1)", "squeeze()", "size", "ndim",
             "shape", "nbytes", "itemsize", "dtype.name", "dtype.kind", "dtype.char", "strides", "astype('f4')",
             "view('u1')", "choose([10, 20, 30, 40, 50, 60, 70, 80], mode='clip')", "cumprod(0)", "argmin(axis=1)",
             "mT", "flat[2]", "flat[1:4]", "argpartition(1)[..., :0]", "put([0], 1)", "resize((2, 3))", "sum(where=W)",
             "flags.c_contiguous", "flags.f_contiguous", "flags.writeable", "byteswap().shape", "tobytes().hex()"]
    for m in calls:
        units = 64 if m[:3] in ("std", "var", "pro", "cum", "dot", "mea") else 0
        for d, a in every(rng, 7, TYPES, "mtnk" if m[:4] not in ("resh",) else "mtnkb"):
            if m in ("ptp()", "view('u1')") or m[:4] in ("resi", "stri", "flag"):
                a = "m" if m != "ptp()" else a
            if m == "ptp()" or "resize" in m or "put" in m[:3]:
                if m == "ptp()":
                    continue
                yield "done(x('%s%s').copy(), lambda a: a.%s)" % (d, a, m), units
            elif "tobytes" in m and d[0] in "fc":
                continue
            else:
                yield "x('%s%s').%s" % (d, a, m), units


def printing(rng):
    shapes_ = "moveslucqES"
    for f in ["str", "repr"]:
        for d, a in every(rng, 70, TYPES, shapes_):
            if f == "repr" and a == "o" or d[0] == "c" and a == "q":
                continue
            yield "%s(x('%s%s'))" % (f, d, a), 0
    scales = ["1e5", "1e-5", "1e10", "1 / 3", "1e16", "1e-12", "100.125", "1e8 + 0.5", "7"]
    for s, d, a in every(rng, 70, scales, FLOATS[1:] + ["c16", "c8"], "mv"):
        yield "repr(x('%s%s') * %s)" % (d, a, s), 0
        yield "str(x('%s%s') / 7)" % (d, a), 0
    options = ["precision=2", "suppress_small=True", "separator=', '", "max_line_width=20", "threshold=3", "edgeitems=1, threshold=2",
               "floatmode='fixed'", "floatmode='unique'", "sign='+'", "sign=' '", "prefix='ab'", "floatmode='maxprec_equal'",
               "formatter={'float_kind': lambda v: 'f'}", "precision=0"]
    for o, d, a in every(rng, 70, options, ["f8", "f4", "c16", "i4", "b1", "f2"], "mvc"):
        yield "np.array2string(x('%s%s') / 3, %s)" % (d, a, o), 0
    for v in ["1.5", "1e20", "1e-7", "123456789.0", "0.1", "np.float32(0.1)", "np.float16(0.1)", "-0.0", "1e16"]:
        for o in ["", ", precision=3", ", unique=False, precision=4", ", trim='-'", ", precision=2, trim='0'"]:
            yield "np.format_float_positional(%s%s)" % (v, o), 0
            yield "np.format_float_scientific(%s%s)" % (v, o), 0
    for n, w in every(rng, 20, ["5", "-5", "0", "255", "-128"], ["", ", width=10", ", 4"]):
        if not (n in ("255", "-128") and "4" in w):
            yield "np.binary_repr(%s%s)" % (n, w), 0
    for n, b in every(rng, 10, ["5", "-5", "255", "0"], ["2", "3", "16", "36"]):
        yield "np.base_repr(%s, %s)" % (n, b), 0


def spectra(rng):
    for f in ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]:
        for d, a, n, ax, m in every(rng, 26, TYPES, "mtnkcuvs", ["", "n=4", "n=7", "n=1"], ["", "axis=0", "axis=-1"],
                                    ["", "norm='ortho'", "norm='forward'"]):
            if not (f in ("irfft", "hfft") and a == "s" and not n):
                yield "np.fft.%s(%s)" % (f, join("x('%s%s')" % (d, a), n, ax, m)), -64
    for f in ["fft2", "ifft2", "fftn", "ifftn", "rfft2", "rfftn", "irfft2", "irfftn"]:
        for d, a, s, m in every(rng, 8, TYPES, "mtnk", ["", "s=(2, 4)", "axes=(1, 0)", "axes=(0,)"], ["", "norm='ortho'"]):
            if "axes=(0,)" in s and f[-1] == "2":
                continue
            yield "np.fft.%s(%s)" % (f, join("x('%s%s')" % (d, a), s, m)), -64
    for n, e in every(rng, 10, ["1", "4", "5", "8"], ["", ", 0.5", ", d=2.0"]):
        yield "np.fft.fftfreq(%s%s)" % (n, e), 2
        yield "np.fft.rfftfreq(%s%s)" % (n, e), 2
    for d, e in every(rng, 14, TYPES, ["", ", axes=0", ", axes=(0, 1)", ", axes=-1"]):
        yield "np.fft.fftshift(x('%sm')%s)" % (d, e), 0
        yield "np.fft.ifftshift(x('%st')%s)" % (d, e), 0


def algebra(rng):
    good = ["x('%sS') + 9 * np.eye(3, dtype='%s')" % (d, d) for d in TYPES[1:]]
    good += ["x('%sS') + y('%sS')" % (d, d) for d in TYPES[1:]]
    for f, u in [("det(%s)", -256), ("inv(%s)", -1024), ("solve(%s, [1, 2, 3])", -1024), ("solve(%s, np.eye(3))", -1024),
                 ("norm(%s)", -64), ("norm(%s, 1)", -64), ("norm(%s, np.inf)", -64), ("norm(%s, 'fro', axis=(0, 1))", -64),
                 ("norm(%s, axis=0)", -64), ("norm(%s, ord=3, axis=1)", -64), ("matrix_rank(%s)", 0), ("slogdet(%s)[1]", -1024),
                 ("norm(%s, 2)", -256), ("cond(%s, 1)", -4096), ("matrix_power(%s, 3)", -64), ("matrix_power(%s, -1)", -1024),
                 ("svdvals(%s)", -512), ("qr(%s, mode='r').shape", 0), ("pinv(%s)", -4096), ("norm(%s, -np.inf)", -64),
                 ("norm(%s, axis=1, keepdims=True)", -64), ("matrix_norm(%s)", -64), ("vector_norm(%s, ord=1)", -64),
                 ("trace(%s)", -16), ("diagonal(%s)", 0), ("outer(%s[0], [1, 2])", -4), ("norm(%s, 'nuc')", -512),
                 ("solve(%s, [1, 2])", 0), ("det(%s[:2])", 0), ("cholesky(%s[:2])", 0)]:
        for d, in every(rng, 11, good):
            yield "np.linalg." + f % ("(%s)" % d if "[" in f.split("%s")[1][:1] else d), u
    for d in INTS + FLOATS + ["c8", "c16"]:
        sym = "(x('%sS') + x('%sS').T.conj() + 20 * np.eye(3, dtype='%s'))" % (d, d, d)
        yield "np.linalg.eigvalsh(%s)" % sym, -512
        yield "np.linalg.cholesky(%s)" % sym, -512
        yield "np.linalg.lstsq(%s, [1, 2, 3])[0]" % sym, -4096
        yield "np.linalg.inv(np.stack((%s, %s * 2)))" % (sym, sym), -512
        yield "np.linalg.det(x('%su')[:, :2, :2])" % d, -256
        yield "np.linalg.solve(%s, y('%sm').T)" % (sym, d), -512
    for f in ["det", "inv", "norm", "eigvalsh", "matrix_rank", "svdvals"]:
        for a in ["x('f8m')", "x('f8v')", "x('b1S')", "x('f2S')", "np.zeros((3, 3))", "np.eye(3)", "np.full((2, 2), np.nan)",
                  "np.zeros((0, 0))"]:
            if not ("nan" in a and f in ("eigvalsh", "svdvals", "matrix_rank", "inv")):
                yield "np.linalg.%s(%s)" % (f, a), -256


FAMILIES = {f.__name__: f for f in (
    unary, binary, operators, reductions, statistics, ordering, choosing, shapes, creation, indexing,
    products, ufunc_methods, methods, printing, spectra, algebra)}
