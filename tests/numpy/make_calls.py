#!/usr/bin/env python3
"""Writes tests/numpy/calls_FAMILY_N.gx: thousands of generated calls with NumPy's answers, and SciPy's.

    python3 tests/numpy/make_calls.py [FAMILY ...]    write the files (NumPy 2.x)
    python3 tests/numpy/make_calls.py --check         is every file as it would be written?
    python3 tests/numpy/make_calls.py --count         how many calls of each family

A line is one call and NumPy's answer: the dtype, the shape and the values; '!' and the exception's
name where it raises. A number behind it is how many units of the last place a value may be off;
without one every value is the same to the last bit. Negative: units of the greatest value's place.
x('i4t') is data of dtype i4 in the layout t (see LAYOUTS below); y is other data.
A file prints the calls that differ and how many there were. What is called how is in
call_families.py and scipy_families.py; the draws are the same in every run. Calls in which gx means to differ are not
drawn: SKIP there has them, each with its reason."""
import os
import random
import re
import sys
import warnings

import numpy as np

import call_families
import scipy_families

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_CALLS = 520
MOST_TEXT = 420  # longer answers are not worth their line

# What both gx and this program run.
HEAD = '''
P = [3, -2, 5, 0, 1, -4, 2, 7, -1, 4, -3, 6, 2, -5, 0, 1, 8, -2, 3, -6, 4, 1, -1, 2]
Q = [2, 1, -3, 4, -1, 2, 5, -2, 3, 1, -4, 2, 1, 6, -2, 3, -1, 7, 2, -3, 5, 1, -2, 4]
ODD = [0.0, -0.0, 1.5, -2.5, np.nan, np.inf, -np.inf, 0.5]
W = np.array([[True, False, True], [False, True, True]])

def data(kind, p):
    if kind == 'b1':
        return np.array([i % 2 == 1 for i in p])
    if kind[0] == 'u':
        return np.array([abs(i) for i in p]).astype(kind)
    if kind[0] == 'i':
        return np.array(p).astype(kind)
    if kind[0] == 'f':
        return (np.array(p) * 0.75).astype(kind)
    return (np.array(p) * 0.75 + np.roll(np.array(p), 3) * 0.5j).astype(kind)
def odd(kind):
    if kind[0] in 'iu':
        i = np.iinfo(kind)
        return np.array([i.min, i.max, 0, 1, i.max - 1, i.min + 1], dtype=kind)
    return np.array([False, True, True]) if kind == 'b1' else np.array(ODD).astype(kind)
def laid(a, layout):
    if layout == 'o':
        return a[2:3].reshape(())
    if layout == 'e':
        return a[:0]
    if layout == 'E':
        return a[:0].reshape(2, 0, 3)
    if layout == 's':
        return a[:1]
    if layout == '3':
        return a[5:8]
    if layout == '2':
        return a[:2].reshape(2, 1)
    if layout == 'v':
        return a[:6]
    if layout == 'l':
        return a[::-1]
    if layout == 'm':
        return a[:6].reshape(2, 3)
    if layout == 't':
        return a[:6].reshape(3, 2).T
    if layout == 'n':
        return a[:6].reshape(2, 3)[::-1, ::-1]
    if layout == 'k':
        return a.reshape(4, 6)[::2, 1::2]
    if layout == 'b':
        return np.broadcast_to(a[:3], (2, 3))
    if layout == 'S':
        return a[:9].reshape(3, 3)
    if layout == 'c':
        return a.reshape(2, 3, 4)
    return a.reshape(2, 3, 4).transpose(2, 0, 1)
def x(key):
    return odd(key[:-1]) if key[-1] == 'q' else laid(data(key[:-1], P), key[-1])
def y(key):
    return odd(key[:-1])[::-1] if key[-1] == 'q' else laid(data(key[:-1], Q), key[-1])

def word(v):
    if isinstance(v, complex):
        return word(v.real) + ',' + word(v.imag)
    if isinstance(v, bool):
        return 'T' if v else 'F'
    return repr(v)
def words(values, kind):
    if kind in ('f4', 'f2'):
        form = '.9g' if kind == 'f4' else '.5g'
        return [format(v, form) for v in values]
    if kind == 'c8':
        return [format(v.real, '.9g') + ',' + format(v.imag, '.9g') for v in values]
    return [word(v) for v in values]
def text(r):
    if isinstance(r, np.ndarray):
        kind = r.dtype.str[1:]
        shape = ','.join([str(n) for n in r.shape])
        return f"{kind} ({shape}) " + ' '.join(words(r.ravel().tolist(), kind))
    if isinstance(r, np.generic):
        kind = r.dtype.str[1:]
        return kind + ' ' + words([r.item()], kind)[0]
    if isinstance(r, tuple):
        return '( ' + ' ; '.join([text(i) for i in r]) + ' )'
    if isinstance(r, list):
        return '[ ' + ' ; '.join([text(i) for i in r]) + ' ]'
    if isinstance(r, (float, complex)):
        return type(r).__name__ + ' ' + word(r)
    return repr(r)
def near(a, b, limit, scale):
    if a == b:
        return True
    a, b = a.split(','), b.split(',')
    if len(a) != len(b):
        return False
    try:
        a, b = [float(i) for i in a], [float(i) for i in b]
    except ValueError:
        return False
    greatest = max(scale, max([abs(i) for i in b]))
    return all([i == j or abs(i - j) <= limit * greatest or i != i and j != j for i, j in zip(a, b)])
def greatest(words):
    most = 0.0
    for w in words:
        if '(' not in w:
            try:
                most = max([most] + [abs(float(i)) for i in w.split(',') if 'inf' not in i])
            except ValueError:
                pass
    return most
def close(got, want, units):
    got, want, eps = got.split(), want.split(), 2.0**-52
    if len(got) != len(want):
        return False
    scale = greatest(want) if units < 0 else 0.0
    for a, b in zip(got, want):
        if b in ('f2', 'f4', 'c8', 'f8', 'c16'):
            eps = 2.0**-10 if b == 'f2' else 2.0**-23 if b in ('f4', 'c8') else 2.0**-52
        if not near(a, b, abs(units) * eps, scale):
            return False
    return True
def put(a, index, value):
    a = a.copy(order='K')
    a[index] = value
    return a
def done(a, act):
    a = a.copy(order='K')
    act(a)
    return a
def inplace(a, op, v):
    if op == '+':
        a += v
    elif op == '-':
        a -= v
    elif op == '*':
        a *= v
    elif op == '/':
        a /= v
    elif op == '//':
        a //= v
    elif op == '**':
        a **= v
    elif op == '%':
        a %= v
    elif op == '&':
        a &= v
    elif op == '|':
        a |= v
    elif op == '^':
        a ^= v
    elif op == '<<':
        a <<= v
    elif op == '@':
        a @= v
    return a
class Tally:
    calls = differ = 0
def answer(call):
    try:
        return text(call())
    except Exception as e:
        return '!' + ('TypeError' if isinstance(e, TypeError) else type(e).__name__)
def c(call, want, units=0):
    Tally.calls += 1
    got = answer(call)
    if got != want and not (units and close(got, want, units)):
        Tally.differ += 1
        print(f"line {FIRST + Tally.calls}: {got} | NumPy: {want}")
'''.lstrip("\n")

TOP = "# NumPy's answers to generated calls, written by tests/numpy/make_calls.py: see there.\n" \
      "import warnings\nimport numpy as np\nwarnings.simplefilter('ignore')\n" \
      "np.seterr(all='ignore')\n"
SCIPY = "from scipy import linalg, ndimage, signal, special\n"
FAMILIES = {**call_families.FAMILIES, **scipy_families.FAMILIES}
END = "print(f'{Tally.calls} calls, {Tally.differ} differ')\n# expect: %d calls, 0 differ\n"


def calls_of(family):
    """The distinct calls that the family draws, each with its tolerance, in order."""
    rng = random.Random("gx " + family)
    seen, out = set(), []
    for source, units in FAMILIES[family](rng):
        if source not in seen and not any(re.search(s, source) for s in call_families.SKIP):
            seen.add(source)
            out.append((source, units))
    return out


def answered(family, scope):
    lines = []
    for source, units in calls_of(family):
        try:
            call = eval("lambda: " + source, scope)
        except SyntaxError as e:
            sys.exit("%s: %s" % (source, e))
        want = scope["answer"](call)
        if want.startswith(("!NameError", "!AttributeError", "!SyntaxError")):
            sys.exit("%s: %s" % (source, want))
        if len(want) > MOST_TEXT or "0x" in want:
            continue
        lines.append("c(lambda: %s, %r%s)\n" % (source, want, ", %g" % units if units else ""))
    return lines


def files_of(family, scope):
    lines = answered(family, scope)
    parts = -(-len(lines) // MOST_CALLS)
    for n in range(parts):
        part = lines[n * len(lines) // parts:(n + 1) * len(lines) // parts]
        head = TOP + (SCIPY if family.startswith("scipy_") else "") + HEAD
        head += "FIRST = %d\n" % (head.count("\n") + 1)
        yield "calls_%s_%d.gx" % (family, n + 1), head + "".join(part) + END % len(part), len(part)


def main():
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    flags = [a for a in sys.argv[1:] if a.startswith("--")]
    families = [a for a in sys.argv[1:] if not a.startswith("--")] or list(FAMILIES)
    scope = {"np": np}
    if any(f.startswith("scipy_") for f in families):
        exec(SCIPY, scope)
    exec(HEAD, scope)
    stale, total = [], 0
    for family in families:
        count, wanted = 0, set()
        for name, content, calls in files_of(family, scope):
            path, count = os.path.join(HERE, name), count + calls
            wanted.add(name)
            if "--check" in flags:
                if not os.path.exists(path) or open(path).read() != content:
                    stale.append(name)
            elif "--count" not in flags:
                with open(path, "w") as f:
                    f.write(content)
        total += count
        if "--count" in flags:
            print("%-12s %5d" % (family, count))
        for name in os.listdir(HERE):
            if name.startswith("calls_%s_" % family) and name not in wanted:
                stale.append(name)
                if not flags:
                    os.remove(os.path.join(HERE, name))
    print("%d calls" % total)
    if "--check" in flags and stale:
        sys.exit("not as make_calls.py writes them: " + " ".join(stale))


if __name__ == "__main__":
    main()
