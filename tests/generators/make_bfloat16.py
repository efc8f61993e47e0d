#!/usr/bin/env python3
"""Writes tests/lang/numpy/bfloat16.gx: what ml_dtypes and NumPy print for bfloat16.

Run by hand, with NumPy 2.x and ml_dtypes: tests/generators/make_bfloat16.py
Each expression becomes `show(expression)` and what it prints. ON_PURPOSE are those that gx answers
in its own way, with the answer and the reason."""
import contextlib
import io
import os
import warnings

import tables

warnings.simplefilter("ignore")
SETUP = """import warnings
import numpy as np
import ml_dtypes
from ml_dtypes import bfloat16
warnings.simplefilter("ignore")
def show(v):
    for one in v if isinstance(v, tuple) else [v]:
        if isinstance(one, np.generic):
            print(one, one.dtype)
        else:
            print(repr(one))
def bits(v):
    print(v.dtype, ['nan' if b & 0x7fff > 0x7f80 else hex(b) for b in v.view('u2').tolist()])
def fails(f):
    try:
        f()
        print('no error')
    except (TypeError, ValueError):
        print('refused')
x = np.array([1, -2.5, 3.14159, 0.1, 100], bfloat16)
y = np.array([2, 0.5, -7, 3, 9], bfloat16)
odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 9.2e-41, -1e-38, 3.38953e38], bfloat16)
near = np.array([1.00390625, 1.01171875, 1.00390637, 1.0039061, -1.00390625, 3.3961e38, 3.3962e38,
                 1e39, 4.6e-41, 4.5e-41, 1e-45, np.inf, -np.inf, np.nan])
"""
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]
UNARY = ["absolute", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "ceil",
         "conjugate", "cos", "cosh", "exp", "exp2", "expm1", "floor", "log", "log10",
         "log1p", "log2", "negative", "positive", "reciprocal", "rint", "sign", "sin",
         "sinh", "spacing", "sqrt", "square", "tan", "tanh", "trunc"]
TRUTHS = ["isfinite", "isinf", "isnan", "signbit", "logical_not"]
BINARY = ["add", "arctan2", "copysign", "divide", "floor_divide", "fmax", "fmin", "fmod",
          "heaviside", "hypot", "logaddexp", "logaddexp2", "maximum", "minimum", "multiply",
          "nextafter", "power", "remainder", "subtract"]
COMPARE = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and",
           "logical_or", "logical_xor"]

CASES = ["# Text."]
CASES += ["show(%s)" % e for e in [
    "x", "odd", "x.reshape(1, 5)", "np.array([[1, -2.5], [1e10, 0]], bfloat16)", "x[2]",
    "np.zeros(0, bfloat16)", "np.array(2.5, bfloat16)", "str(x)", "str(x[2])", "f'{x[2]:.3f}'",
    "'%s' % x[2]", "x.tolist()", "x[2].item()", "float(x[2])", "int(x[2])", "complex(x[1])",
    "x.dtype", "str(x.dtype)", "np.dtype('bfloat16')", "x.dtype.name", "x.dtype.kind",
    "x.dtype.char", "x.dtype.itemsize", "x.dtype.str", "x.dtype.num", "x.dtype.alignment",
    "x.dtype == 'bfloat16'", "x.dtype == bfloat16", "x.dtype == np.float16", "bfloat16",
    "x.dtype.type", "type(x[0]).__name__", "isinstance(x[0], np.generic)",
    "isinstance(x[0], np.floating)", "np.issubdtype(bfloat16, np.floating)", "bfloat16('1.5')",
    "bfloat16(3.14159)", "bfloat16(True)", "hash(x[1]) == hash(-2.5)", "bool(x[0])"]]
CASES += ["# Limits."]
CASES += ["show(ml_dtypes.finfo(bfloat16)%s)" % m for m in [""] + [
    "." + n for n in ["bits", "eps", "epsneg", "max", "min", "tiny", "smallest_normal",
                      "smallest_subnormal", "resolution", "precision", "nmant", "nexp", "iexp",
                      "maxexp", "minexp", "machep", "negep", "dtype"]]]
CASES += ["# Conversions."]
CASES += ["bits(near.astype(bfloat16))", "bits(near.astype('f4').astype(bfloat16))",
          "bits(np.array([0, 1, 2, 255, 256, 257, 258, 259, 65535, -1, -257], 'i4').astype(bfloat16))",
          "bits(np.array([2**53 + 1, 2**40 + 2**32 + 1, -2**63, 2**63 - 1]).astype(bfloat16))",
          "bits(np.array([0.1, 65504, 6e-8, np.inf, np.nan], 'f2').astype(bfloat16))",
          "bits(np.array([1 + 2j, 0.1j]).astype(bfloat16))",
          "show(np.arange(4, dtype=bfloat16))", "show(np.arange(300, dtype=bfloat16)[-45::11])",
          "show(np.linspace(0, 1, 4, dtype=bfloat16))", "show(np.full(2, 0.1, bfloat16))",
          "show(np.eye(2, dtype=bfloat16))", "show(np.ones(2, bfloat16))",
          "show(x.view('u2'))", "show(np.array([0x3f80, 0xc020], 'u2').view(bfloat16))",
          "show(x.view('i1'))", "show(np.frombuffer(b'abcd', np.dtype(bfloat16)))",
          "show(x.tobytes())"]
CASES += ["show(odd[:2].astype('%s'))" % d for d in DTYPES]
CASES += ["show(x.astype('%s'))" % d for d in DTYPES if d[0] != "u"]
CASES += ["show(np.can_cast(bfloat16, '%s'))" % d for d in DTYPES if d not in ("float16",)]
CASES += ["show(np.can_cast('%s', bfloat16, 'same_kind'))" % d for d in DTYPES if d[0] != "c"]
CASES += ["# Beside every dtype, and Python's numbers."]
CASES += ["show(x[:2] * np.array([2, 1], '%s'))" % d for d in DTYPES]
CASES += ["show(%s)" % e for e in [
    "x + 1", "x + True", "x * 1.5", "x + 1j", "1 - x", "x ** 2", "x ** 0.5", "x // 2", "x % 2", "x / 2",
    "x > 1.5", "x == 1", "x[1] + 1", "1 + x[1]", "x[1] * 1.5", "x[1] + np.float32(1)", "x[1] + x[2]",
    "x[1] ** 2", "x[0] > 0.5", "-x[1]", "abs(x[1])", "divmod(x[1], x[0])", "divmod(x, y)",
    "np.result_type(bfloat16, 1)", "np.result_type(bfloat16, 1j)",
    "np.promote_types(bfloat16, 'f4')", "np.concatenate([x[:2], np.ones(2, 'f4')])"]]
CASES += ["# Operations, by their bits."]
CASES += ["bits(np.%s(%s))" % (f, a) for f in UNARY
          for a in ("x", "odd[2:]" if f == "sign" else "odd")]
CASES += ["show(np.%s(odd))" % f for f in TRUTHS]
CASES += ["bits(np.%s(%s))" % (f, a) for f in BINARY for a in ("x, y", "odd, odd[::-1]")]
CASES += ["show(np.%s(odd, odd[::-1]))" % f for f in COMPARE]
CASES += ["show(np.frexp(x))", "show(np.modf(x))", "bits(np.ldexp(x, 3))", "bits(x.real)",
          "bits(x.imag)", "bits(x.conj())", "bits(np.spacing(-x))", "fails(lambda: np.gcd(x, x))",
          "fails(lambda: x & x)", "fails(lambda: ~x)", "fails(lambda: x << 1)"]
CASES += ["# Whole arrays."]
CASES += ["show(%s)" % e for e in [
    "y.sum()", "y.prod()", "y.min()", "y.max()", "y.argmin()", "y.argmax()", "y.any()", "y.all()",
    "np.ptp(y)", "np.cumsum(y)", "np.cumprod(y)", "np.sort(y)", "np.argsort(y)", "np.unique(y)",
    "np.searchsorted(np.sort(y), 2)", "np.median(y)", "np.nansum(y)", "np.count_nonzero(odd)",
    "y.sum(dtype='f4')", "y.sum(axis=0, keepdims=True)", "y.reshape(5, 1).max(axis=1)",
    "np.add.reduce(y)", "np.add.accumulate(y)", "np.multiply.outer(y[:2], y[:2])", "np.dot(y, y)",
    "np.inner(y, y)", "np.outer(y[:2], y[:2])", "np.kron(y[:2], y[:2])", "np.diff(y)",
    "np.where(y > 1, y, 0)", "y[y > 1]", "y[::-1]", "np.take(y, [0, 2])", "np.repeat(y[:2], 2)",
    "np.concatenate([y, x])", "np.stack([x[:2], y[:2]])", "np.isclose(y, y)", 
    "np.array_equal(y, y)", "np.flip(y)", "np.roll(y, 1)", "np.pad(y[:2], 1)", "np.tile(y[:2], 2)",
    "np.histogram(y, [0, 2, 4])[0]", "np.linalg.inv(np.array([[2, 0], [0, 4]], bfloat16))",
    "np.linalg.det(np.array([[2, 0], [0, 4]], bfloat16))", "np.fft.fft(y[:4])",
    "np.digitize(y, [0, 5])", "np.bincount([0, 1], y[:2])", "np.convolve(y[:3], y[:2])"]]
CASES += ["""z = x.copy(); z += y; show(z)""", """z = x.copy(); z *= 1.5; show(z)""",
          """z = x.copy(); z[1] = 0.1; z[2:4] = y[:2]; show(z)""",
          """z = np.zeros(3, 'f4'); z[:] = x[:3]; show(z)""",
          """z = x.copy(); np.add.at(z, [0, 0], 1); show(z)""",
          """fails(lambda: memoryview(x))""",
          """fails(lambda: np.random.default_rng(0).random(3, dtype=bfloat16))"""]
# What gx answers in its own way: statement, answer, reason.
ON_PURPOSE = [
    ("Sums and means of many add in float32, as those of float16 do.",
     "show(np.ones(1000, bfloat16).sum())", "1000 bfloat16"),
    (None, "show(np.array([1, 2.5, 3.14159], bfloat16).mean())", "2.21875 bfloat16"),
    ("A matrix product stays bfloat16, as dot's is; NumPy's `@` gives float32.",
     "show(np.ones((2, 3), bfloat16) @ np.ones((3, 2), bfloat16))",
     "array([[3, 3],\n       [3, 3]], dtype=bfloat16)"),
    ("Functions that ml_dtypes lacks stay bfloat16 where NumPy goes to float32.",
     "show(np.degrees(x[:2]))", "array([57.25, -143], dtype=bfloat16)"),
    (None, "show(np.clip(x, 0, 2))", "array([1, 0, 2, 0.100098, 2], dtype=bfloat16)"),
    ("Dtypes promote as arrays do; NumPy has no promotion for these, and float64 for a float.",
     "show(np.promote_types(bfloat16, 'i2'))", "dtype('float32')"),
    (None, "show(np.result_type(bfloat16, 1.5))", "dtype('float32')"),
    ("What a bfloat16 holds exactly is cast safely.", "show(np.can_cast('uint8', bfloat16))",
     "True"),
    ("It is a float to np.nan_to_num, and Python's f-string without a format is its text.",
     "show(np.nan_to_num(odd[2:5]))", "array([3.38953e+38, -3.38953e+38, 0], dtype=bfloat16)"),
    (None, "show(f'{x[2]}')", "'3.14062'"),
    ("The sign of -0.0 is 0, as of float32.", "show(np.sign(odd[1]))", "0 bfloat16"),
    ("nan goes to the end.", "show(np.sort(np.array([np.nan, 2, -np.inf, 1], bfloat16)))",
     "array([-inf, 1, 2, nan], dtype=bfloat16)"),
]


def main():
    scope = {}
    exec(SETUP, scope)
    out = ["# bfloat16 as ml_dtypes and NumPy have it, by make_bfloat16.py."] + SETUP.split("\n")[:-1]

    def add(statement, text):
        out.append(statement)
        out.extend(("# expect: " + line).rstrip() for line in text.split("\n"))

    for c in CASES:
        if c[0] == "#":
            out.append(c)
            continue
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            exec(c, scope)
        add(c, text.getvalue().rstrip("\n"))
    for why, statement, answer in ON_PURPOSE:
        if why:
            out.append("# " + why)
        add(statement, answer)
    path = os.path.join(tables.TESTS, "lang", "numpy", "bfloat16.gx")
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")


main()
