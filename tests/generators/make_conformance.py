"""Writes expected.bin: what NumPy 2.4 gives for every operation of kernels/ops.def and every pair
of dtypes of a cast, on tables of edge values. Run by hand from the repository root:

    python3 tests/generators/make_conformance.py

Layout, little endian: "GXC1", then records until the end. A record is
    u8 kind   0 inputs, 1 operation, 2 cast
    u8 dtype  of the operands (index in DTYPES)
    u8 result dtype (inputs: the number of operands)
    u8 length of the name, the name
    u32 n     elements
and then n elements for each operand (inputs), or n results and n bytes of conditions: 1 divide,
2 overflow, 8 invalid, 128 no result (NumPy raises, or the value is past any tolerance).
An operation's operands are the latest inputs of its dtype and arity.
"""
import re
import struct
import warnings

import numpy as np
import scipy.special

DTYPES = "? b h i l B H I L e f d F D".split()
warnings.simplefilter("ignore")


def real_values(c):
    f = np.finfo(c)
    v = [0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 2, 3, -3, 0.1, -7.25, 10, 88.5, f.smallest_subnormal,
         f.tiny, -f.tiny, f.max, f.min, np.inf, -np.inf, np.nan, 1 + f.eps, 300.5, -40000.5, 65519.0]
    return np.array(v, dtype=c)


def values(c):
    if c == "?":
        return np.array([False, True])
    if c in "bhilBHIL":
        i, width = np.iinfo(c), np.dtype(c).itemsize * 8
        v = {i.min, i.min + 1, -1, 0, 1, 2, 3, 12, width - 1, width, i.max - 1, i.max}
        return np.array(sorted(x for x in v if i.min <= x <= i.max), dtype=c)
    if c in "efd":
        return real_values(c)
    r = "f" if c == "F" else "d"
    f = np.finfo(r)
    parts = np.array([0.0, -0.0, 1, -1, 0.5, 2.5, -3, np.inf, -np.inf, np.nan, f.tiny, 40.25, 1e15 if c == "F" else 1e120], dtype=r)
    z = np.empty(len(parts) ** 2, dtype=c)
    z.real = np.repeat(parts, len(parts))
    z.imag = np.tile(parts, len(parts))
    return z


def inputs(c, arity):
    v = values(c)
    if arity == 1:
        return [v]
    if c in "FD":
        v = v[::7] if arity == 2 else v[::13]
    if arity == 2:
        return [np.repeat(v, len(v)), np.tile(v, len(v))]
    v = v[:: max(1, len(v) // 9)]
    n = len(v)
    return [np.repeat(v, n * n), np.tile(np.repeat(v, n), n), np.tile(v, n * n)]


def function(name, c):
    if c == "e" and (name in SPECIAL or name == "sinc"):
        return lambda *xs: function(name, "f")(*[x.astype("f") for x in xs]).astype("e")
    if name == "rsqrt":
        return lambda x: (np.divide(np.ones(1, x.dtype), np.sqrt(x)))
    if name == "round":
        return lambda x: np.rint(x) if x.dtype.kind in "fc" else x
    if name == "fix":
        return np.trunc
    return getattr(np, name, None) or getattr(scipy.special, name)


SPECIAL = set(re.findall(r"MODULE\((\w+),", open("kernels/ops.def").read()))
LARGE = {"gamma", "gammaln", "j0", "j1", "y0", "y1", "ndtr", "erfc", "digamma", "beta", "betaln"}


def conditions(f, xs):
    met = np.zeros(len(xs[0]), np.uint8)
    bits = {"divide by zero": 1, "overflow": 2, "underflow": 0, "invalid value": 8}
    seen = []
    with np.errstate(divide="call", over="call", invalid="call", under="ignore", call=lambda t, b: seen.append(t)):
        for i in range(len(met)):
            seen.clear()
            try:
                f(*[x[i : i + 1] for x in xs])
            except ValueError:
                met[i] = 128
            for t in seen:
                met[i] |= bits[t]
    return met


def record(out, kind, dtype, result, name, n):
    out.write(struct.pack("<BBBB", kind, dtype, result, len(name)) + name.encode() + struct.pack("<I", n))


def operation(out, name, arity, c, xs):
    f = function(name, c)
    if name == "where":
        f = lambda x, y, z: np.where(x != 0, y, z)
    met = conditions(f, xs)
    ok = (met & 128) == 0
    r = f(*[x[ok] for x in xs])
    full = np.zeros(len(met), r.dtype)
    full[ok] = r
    if name in SPECIAL:
        met &= 128
        for x in xs:
            met[(x != 0) & (np.abs(x) < np.finfo(c).tiny)] = 128
            if name == "kl_div":  # SciPy's quotient overflows there
                met[(x != 0) & (np.abs(x) <= np.finfo(c).tiny)] = 128
        if name in LARGE:
            for x in xs:
                met[~(np.abs(x.astype("d")) < 20)] = 128
    record(out, 1, DTYPES.index(c), DTYPES.index(full.dtype.char.replace("q", "l")), name, len(met))
    out.write(full.tobytes() + met.tobytes())


def main():
    text = open("kernels/ops.def").read()
    ops = re.findall(r"^OP\((\w+), (\d), (\w+),", text, re.M)
    kinds = {"BOOL": "?", "INT": "bhil", "UINT": "BHIL", "FLOAT": "efd", "CPLX": "FD"}
    with open("tests/conformance/expected.bin", "wb") as out:
        out.write(b"GXC1")
        for c in DTYPES:
            for arity in (1, 2, 3):
                xs = inputs(c, arity)
                record(out, 0, DTYPES.index(c), arity, "", len(xs[0]))
                for x in xs:
                    out.write(x.tobytes())
                for name, n_args, rule in ops:
                    kind = next(k for k, v in kinds.items() if c in v)
                    if int(n_args) != arity or not re.search(rf"^ {kind}\({name},", text, re.M):
                        continue
                    if rule == "FLOAT64" and c not in "dD":
                        continue
                    if name == "ldexp":
                        ys = [xs[0], np.clip(np.nan_to_num(np.trunc(xs[1].astype("d"))), -4000, 4000).astype("i")]
                        operation(out, name, arity, c, ys)
                    else:
                        operation(out, name, arity, c, xs)
        for a in DTYPES:
            for b in DTYPES:
                x = values(a)
                # One at a time: NumPy's vector loops give other uint32 out of range.
                with np.errstate(all="ignore"):
                    r = np.concatenate([x[i : i + 1].astype(b) for i in range(len(x))])
                met = conditions(lambda v: v.astype(b), [x])
                record(out, 2, DTYPES.index(a), DTYPES.index(b), "", len(x))
                out.write(r.tobytes() + met.tobytes())


main()
