#!/usr/bin/env python3
"""Writes tests/property/*.cases: random programs of views, stores and expressions, with what NumPy
prints. Programs are valid Python too. Every number is an integer or a small multiple of 1/8, so that
no sum depends on its order.

    make_programs.py              writes the tables
    make_programs.py 17 40        writes 40 programs of the seed 17 to tests/property/random.cases, to be
                                  run once
"""
import contextlib
import io
import os
import random
import sys
import warnings

import numpy as np

import tables

warnings.simplefilter("ignore")
np.seterr(all="ignore")

PROPERTY = os.path.join(tables.TESTS, "property")
with open(os.path.join(PROPERTY, "programs.gx")) as f:
    HELPER = f.read()

DTYPES = ["int64", "int64", "float64", "float64", "int32", "float32", "uint8", "int8", "bool", "int16", "complex128"]
LIMIT = {"float64": 2.0**36, "float32": 2.0**18, "complex128": 2.0**30}


class Maker:
    def __init__(self, seed, large):
        self.r = random.Random(seed)
        self.large = large

    def shape(self):
        r = self.r
        if self.large:
            return r.choice([(1100,), (1024,), (7, 150), (30, 40), (2, 5, 120), (40, 30), (4, 3, 100), (1, 1300), (1300, 1)])
        n = r.choice([1, 1, 2, 2, 2, 3])
        return tuple(r.choice([1, 2, 3, 3, 4, 5, 0 if r.random() < .1 else 2]) for _ in range(n))

    def fresh(self):
        self.n += 1
        return f"v{self.n}"

    def names(self, test=lambda a: True):
        return [k for k, a in self.env.items() if isinstance(a, np.ndarray) and test(a)]

    def pick(self, test=lambda a: True):
        names = self.names(test)
        return self.r.choice(names) if names else None

    def create(self):
        r = self.r
        s, d = self.shape(), r.choice(DTYPES)
        size = int(np.prod(s))
        kind = r.random()
        if kind < .55:
            m = r.choice([5, 7, 11, 100])
            text = f"(np.arange({size}) % {m} - {r.choice([0, 1, 3])}).reshape({s})"
            if d != "int64":
                text += f".astype(np.{d})" if d != "bool" else f" > {m // 2}"
            if d in ("float64", "float32") and r.random() < .5:
                text += " / 2"
            if d == "complex128":
                text += " * (1 + 2j)"
        elif kind < .7:
            text = f"np.full({s}, {r.choice([0, 1, 3, -2])}, dtype=np.{'int64' if d in ('uint8', 'bool') else d})"
        elif kind < .85:
            text = f"np.{r.choice(['zeros', 'ones'])}({s}, dtype=np.{d})"
        else:
            text = f"np.arange({size}, dtype=np.{'int32' if d in ('bool', 'uint8', 'int8', 'complex128') else d}).reshape({s}, order='F')"
        return f"{self.fresh()} = {text}"

    def slice_text(self, n):
        r = self.r
        kind = r.random()
        if kind < .25:
            return ":"
        if kind < .4:
            return "::-1"
        step = r.choice([None, None, 1, 2, 3, -1, -2])
        far = n + 1
        a, b = r.choice([None, r.randint(-far, far)]), r.choice([None, r.randint(-far, far)])
        return f"{'' if a is None else a}:{'' if b is None else b}" + (f":{step}" if step else "")

    def basic_key(self, a):
        r = self.r
        parts = []
        for n in a.shape:
            k = r.random()
            if k < .2 and n > 0:
                parts.append(str(r.randint(-n, n - 1)))
            else:
                parts.append(self.slice_text(n))
        k = r.random()
        if k < .12:
            parts.insert(r.randint(0, len(parts)), "None")
        elif k < .3:
            del parts[r.randint(0, len(parts)):]
        elif k < .4:
            cut = r.randint(0, len(parts))
            parts = parts[:cut] + ["..."] + (parts[cut + 1:] if r.random() < .5 else [])
        return ", ".join(parts) if parts else "..."

    def fancy_key(self, a):
        r = self.r
        if a.ndim == 0:
            return r.choice(["True", "False", "..."])
        parts = [self.slice_text(n) for n in a.shape]
        length = r.choice([1, 2, 3])
        for i in range(a.ndim):
            if i == 0 or r.random() < .35:
                n = a.shape[i]
                if n == 0:
                    continue
                if r.random() < .2:
                    parts[i] = str(r.randint(-n, n - 1))
                else:
                    parts[i] = str([r.randint(-n, n - 1) for _ in range(length)])
        if r.random() < .15:
            parts = parts[r.randint(0, len(parts) - 1):]
            parts.insert(0, "...")
        elif r.random() < .15:
            parts.insert(r.randint(0, len(parts)), "None")
        elif r.random() < .3:
            i = r.randint(0, a.ndim - 1)
            if not a.size:
                return ":"
            parts[i] = f"np.arange({a.shape[i]}) % {r.choice([2, 3])} == 0"
            parts = [p for k, p in enumerate(parts) if k == i or "[" not in p]
        return ", ".join(parts)

    def view(self):
        r = self.r
        x = self.pick()
        a = self.env[x]
        choices = [f"{x}[{self.basic_key(a)}]"] * 6 + [f"{x}.T", f"{x}[::-1]" if a.ndim else f"{x}[...]", f"{x}[:]" if a.ndim else f"{x}[()]",
                   f"{x}.ravel()", f"{x}.ravel('F')", f"{x}.reshape(-1)", f"np.squeeze({x})", f"{x}[None]", f"{x}[..., None]"]
        if a.ndim > 1:
            p = list(range(a.ndim))
            r.shuffle(p)
            choices += [f"{x}.transpose({tuple(p)})", f"{x}.swapaxes(0, -1)", f"np.moveaxis({x}, 0, -1)",
                        f"{x}.diagonal({r.choice([0, 1, -1])})" if a.ndim >= 2 else f"{x}.T"]
        if a.size:
            f = [k for k in range(1, a.size + 1) if a.size % k == 0]
            k = r.choice(f)
            order = r.choice(["", ", order='F'"])
            choices += [f"{x}.reshape({k}, -1{order})", f"{x}.reshape(-1, {k}{order})", f"np.broadcast_to({x}, {(2,) + a.shape})",
                        f"np.broadcast_to({x}, {(2,) + a.shape})"]
        if a.dtype == np.complex128:
            choices += [f"{x}.real", f"{x}.imag"] * 3
        if a.dtype.kind in "iu":
            choices += [f"{x}.view(np.{r.choice({1: ['int8', 'uint8'], 2: ['uint16', 'int8'], 4: ['uint32', 'int16'], 8: ['uint64', 'int32']}[a.dtype.itemsize])})"] * 2
            if a.dtype.itemsize < 8:
                choices.append(f"{x}.view(np.{ {1: 'int16', 2: 'uint32', 4: 'int64'}[a.dtype.itemsize]})")
        choices += [f"np.asarray({x})", f"np.ascontiguousarray({x})", f"{x}.astype(np.{a.dtype}, copy=False)", f"np.atleast_2d({x})"]
        return f"{self.fresh()} = {r.choice(choices)}"

    def partner(self, a, same_kind=False):
        """A name, a slice of a name or a number that broadcasts with a."""
        r = self.r
        if r.random() < .3:
            return r.choice(["1", "2", "3", "5", "7"]) if a.dtype.kind in "iub" or r.random() < .6 else r.choice(["0.5", "1.5", "2.0"])

        def fits(b):
            try:
                s = np.broadcast_shapes(a.shape, b.shape)
            except ValueError:
                return False
            return int(np.prod(s)) <= 6000 and len(s) <= 4 and (not same_kind or s == a.shape)
        y = self.pick(fits)
        if y and r.random() < .75:
            return y
        y = self.pick(lambda b: b.ndim >= 1)
        if y:
            t = f"{y}[{self.basic_key(self.env[y])}]"
            with contextlib.suppress(Exception):
                if fits(np.asarray(eval(t, {"np": np}, self.env))):
                    return t
        return "1"

    def expression(self):
        r = self.r
        x = self.pick()
        a = self.env[x]
        y = self.partner(a)
        bits = a.dtype.kind in "iub"
        ops = ["+", "-", "*", "+", "*"] + (["&", "|", "^"] if bits else []) + (["//", "%"] if a.dtype.kind in "if" else [])
        c = [f"{x} {r.choice(ops)} {y}"] * 4
        c += [f"np.maximum({x}, {y})", f"np.minimum({x}, {y})", f"np.where({x} > {r.choice([0, 1, 2])}, {x}, {y})",
              f"abs({x})", f"-{x}", f"{x} {r.choice(['<', '<=', '==', '!=', '>', '>='])} {y}", f"{x}.astype(np.{r.choice(DTYPES[:-1])})",
              f"({x} + {y}) * {x}", f"{x} * {x} - {y}", f"{x}.copy()", f"{x}.copy('F')", f"np.square({x})", f"+{x}", f"{x} ** 2" if a.dtype.kind != "b" else f"{x} ** 3",
              f"np.clip({x}, 0, 3)", f"({x} > 1) & ({x} < 4)", f"np.where({y} == 2, {y}, {x})", f"{x} + {x}.T" if a.ndim == 2 and a.shape[0] == a.shape[1] else f"{x} + {x}[::-1]"]
        return f"{self.fresh()} = {r.choice(c)}"

    def inplace(self):
        r = self.r
        x = self.pick(lambda a: a.flags.writeable)
        if not x:
            return self.create()
        a = self.env[x]
        op = r.choice(["+=", "-=", "*=", "+="] + (["|=", "^=", "&="] if a.dtype.kind in "iub" else []) + (["//=", "%="] if a.dtype.kind in "if" else []))
        k = r.random()
        if k < .45 or a.ndim == 0:
            return f"{x} {op} {self.partner(a, True)}"
        if k < .6 and a.shape[0] > 2:
            return r.choice([f"{x}[1:] {op} {x}[:-1]", f"{x}[:-1] {op} {x}[1:]", f"{x} {op} {x}[::-1]", f"{x}[::-1] {op} {x}", f"{x}[1:-1] {op} {x}[2:]"])
        if k < .66 and a.ndim == 2 and a.shape[0] == a.shape[1]:
            return f"{x} {op} {x}.T"
        key = self.basic_key(a) if k < .85 else self.fancy_key(a)
        try:
            part = np.asarray(a[eval(f"np.s_[{key}]", {"np": np})])
        except Exception:
            return f"{x} {op} 1"
        return f"{x}[{key}] {op} {self.partner(part, True)}"

    def store(self):
        r = self.r
        x = self.pick(lambda a: a.flags.writeable)
        if not x:
            return self.create()
        a = self.env[x]
        k = r.random()
        if k < .12 and a.ndim:
            return r.choice([f"{x}[...] = {x}[::-1]", f"{x}[:] = {x}[::-1]", f"{x}[1:] = {x}[:-1]", f"{x}[:-1] = {x}[1:]", f"{x}[::2] = {x}[::-1][::2]"])
        if k < .2 and a.ndim == 2 and a.shape[0] == a.shape[1]:
            return f"{x}[...] = {x}.T"
        if k < .35 and a.dtype.kind != "c":
            m = f"{x} {r.choice(['>', '<', '=='])} {r.choice([0, 1, 2, 3])}"
            y = self.pick(lambda b: b.shape == a.shape)
            return r.choice([f"{x}[{m}] = {r.choice([0, 1, 2])}", f"{x}[{m}] += 1", f"{x}[{m}] = {y}[{m}]", f"np.putmask({x}, {m}, {y})", f"np.copyto({x}, {y}, casting='unsafe', where={m})"])
        if k < .45:
            y, z = self.partner(a, True), self.pick(lambda b: b.shape == a.shape and (b.dtype == a.dtype or b.dtype.kind in "iu" and a.dtype.kind in "iu"))
            if not z:
                return f"{x} += 1"
            return r.choice([f"np.add({z}, {y}, out={x}, casting='unsafe')", f"np.multiply({z}, {z}, out={x}, casting='unsafe')",
                             f"np.subtract({z}, {y}, out={x}, casting='unsafe', where={z} > 1)"])
        if k < .5:
            return f"{x}.fill({r.choice([0, 1, 4])})"
        if k < .6 and a.ndim and a.size:
            n = a.shape[0]
            i = self.pick(lambda b: b.dtype.kind == "i" and b.ndim == 1 and 0 < b.size < 200)
            j = r.randint(-a.size, a.size - 1)
            c = [f"np.add({x}, 1, out={x}[::-1])", f"np.subtract({x}[1:], {x}[:-1], out={x}[:-1])", f"np.maximum({x}[:-1], {x}[1:], out={x}[1:])",
                 f"{x}.flat[{j}] = 3", f"{x}.flat[{j}:] = 5", f"{x}.flat[::2] = [1, 2]", f"{x}.T[...] = {x}.T[::-1]", f"{x}.put([0, {j}], 7)",
                 f"{x}[{j % n}], {x}[0] = {x}[0] + 1, {x}[-1] * 2"]
            if i:
                c += [f"{x}[{i} % {n}] = 2", f"{x}[{i} % {n}] += 1", f"{x}[{i} % {n}] = {x}[-1 - {i} % {n}]"] * 2
                if i == x:
                    c += [f"{x}[{x} % {n}] = {x}[::-1]", f"{x} %= {n}; {x}[{x}] = 0"] * 3
            if a.dtype.kind == "c":
                c += [f"{x}.real = {r.choice([1, 2])}", f"{x}.imag += {x}.real", f"{x}.real[...] = {x}.imag[::-1]"] * 2
            return r.choice(c)
        key = self.basic_key(a) if k < .8 else self.fancy_key(a)
        try:
            part = np.asarray(a[eval(f"np.s_[{key}]", {"np": np})])
        except Exception:
            return f"{x}[...] = 1"
        return f"{x}[{key}] = {self.partner(part, True)}"

    def get(self):
        r = self.r
        x = self.pick()
        a = self.env[x]
        if r.random() < .3 and a.dtype.kind != "c":
            return f"{self.fresh()} = {x}[{x} > {r.choice([0, 1, 2])}]"
        if r.random() < .3 and a.ndim and a.shape[0]:
            i = self.pick(lambda b: b.dtype.kind in "iu" and b.ndim == 1 and 0 < b.size < 200 and b.dtype != np.uint64)
            if i:
                return f"{self.fresh()} = {x}[{i} % {a.shape[0]}].copy()"
        if r.random() < .3 and a.ndim:
            n = a.shape[-1]
            if n:
                return f"{self.fresh()} = np.take({x}, {[r.randint(-n, n - 1) for _ in range(3)]}, axis=-1)"
        return f"{self.fresh()} = {x}[{self.fancy_key(a)}].copy()"

    def reduce(self):
        r = self.r
        x = self.pick()
        a = self.env[x]
        f = r.choice(["sum", "sum", "max", "min", "any", "all", "argmax", "argmin", "cumsum"])
        e = r.choice([x, x, f"({x} + {self.partner(a)})", f"({x} * {x})"])
        arg = ""
        if a.ndim and r.random() < .7:
            arg = f"axis={r.randint(-a.ndim, a.ndim - 1)}"
            if f != "cumsum" and r.random() < .3:
                arg += ", keepdims=True"
        t = f"{e}.{f}({arg})"
        return f"{self.fresh()} = np.asarray({t})" + (".copy()" if f in ("cumsum", "any", "all") else "")

    def loop(self):
        r = self.r
        x = self.pick(lambda a: a.flags.writeable and a.ndim >= 1 and a.dtype.kind != "b")
        if not x:
            return self.create()
        y = self.partner(self.env[x], True)
        return r.choice([
            f"for row in {x}:\n    row += 1" if self.env[x].ndim > 1 else f"for i in range({min(3, len(self.env[x]))}):\n    {x}[i] = {x}[i - 1]",
            f"for i in range(3):\n    {x}[i:] -= {x}[:len({x}) - i]",
            f"{x} *= 2; {x} -= {y}; {x} += {x}",
            f"for i in range(4):\n    {x} = {x} + {y}",
        ])

    def exact(self):
        """Statements that keep numbers in the range where every sum is exact."""
        out = []
        for k, a in list(self.env.items()):
            if not isinstance(a, np.ndarray) or a.dtype.kind not in "fc" or not a.size:
                continue
            parts = [a.real, a.imag] if a.dtype.kind == "c" else [a]
            good = all(np.isfinite(p).all() and (np.abs(p) < LIMIT.get(str(a.dtype), 64)).all() and
                       (p * 8 == np.floor(p * 8)).all() and not np.signbit(p[p == 0]).any() for p in parts)
            if not good:
                out.append(f"{k} = np.where(np.isfinite({k}.real), np.floor({k}.real) % 8, 1).astype(np.{a.dtype}) + 0")
        return out

    def run(self, text):
        old = {k: (v, v.copy() if isinstance(v, np.ndarray) else v) for k, v in self.env.items()}
        try:
            exec(text, self.scope, self.env)
        except Exception:
            for k in list(self.env):
                if k not in old:
                    del self.env[k]
            for k, (v, c) in old.items():
                self.env[k] = v
                if isinstance(v, np.ndarray) and v.flags.writeable:
                    v[...] = c
            return False
        self.env.pop("row", None)
        self.env.pop("i", None)
        for k, v in list(self.env.items()):
            if not isinstance(v, np.ndarray):
                if isinstance(v, np.generic):
                    continue
                del self.env[k]
            elif v.dtype.name not in DTYPES and v.dtype.name not in ("uint16", "uint32", "uint64", "complex64", "float16") or v.size > 8000 or v.ndim > 5:
                del self.env[k]
        return True

    def program(self):
        """The lines of a program, and what it prints."""
        r = self.r
        self.env, self.n = {}, 0
        self.scope = {"np": np}
        exec(HELPER, self.scope)
        lines, self.printed = [], ""
        kinds = [self.create] + [self.view] * 4 + [self.expression] * 4 + [self.inplace] * 4 + [self.store] * 5 + [self.get, self.reduce, self.loop]
        steps = r.randint(5, 16)
        shown = 0  # lines that showing takes, of which `lines` has fewer
        while len(lines) + shown < steps:
            names = self.names()
            text = self.create() if not names else r.choice(kinds)()
            if not self.run(text):
                continue
            for line in text.split("\n"):
                lines.append(line)
            for fix in self.exact():
                if self.run(fix):
                    lines.append(fix)
            if r.random() < .1 and len(self.names()) > 2:
                gone = self.pick()
                lines.append(f"del {gone}")
                del self.env[gone]
            if r.random() < .12:
                before = len(lines)
                self.show(lines, self.pick())
                shown += before + 2 - len(lines)
        for k in sorted(self.env, key=lambda k: int(k[1:])):
            if isinstance(self.env[k], np.ndarray):
                self.show(lines, k)
        return lines, self.printed

    def show(self, lines, name):
        if not name:
            return
        a = self.env[name]
        how = "values" if a.size <= 12 and self.r.random() < .3 else "show"
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec("%s(%s)" % (how, name), self.scope, self.env)
        self.printed += out.getvalue()
        before = lines[-1] if lines else ""
        if before.startswith(how + "(") and len(before) < 90:
            lines[-1] = "%s, %s)" % (before[:-1], name)
        else:
            lines.append("%s(%s)" % (how, name))


def table(name, form, seeds, count, large, odd):
    """Of each seed every second program: those of one table are the bodies of functions."""
    head = ["# Random programs and what NumPy prints, written by tests/generators/make_programs.py.",
            "@ import numpy as np", "@ from programs import *"] + form
    cases = [Maker(seed * 1000003 + i, large).program()
             for seed in seeds for i in range(odd, count, 2)]
    tables.write(name, head, cases)
    print("%s: %d programs" % (name, len(cases)))


FUNCTIONS = ["@@ program()"]


def main():
    if len(sys.argv) == 3:
        table(os.path.join(PROPERTY, "random.cases"), FUNCTIONS, [int(sys.argv[1])],
              int(sys.argv[2]) * 2, False, 0)
        return
    for name, form, odd in (("functions", FUNCTIONS, 0), ("module", [], 1)):
        table(os.path.join(PROPERTY, name + ".cases"), form, [1, 2, 3], 150, False, odd)
        for seed in (4, 5):  # a file each: tools/gpu-test gives a file 150 s
            table(os.path.join(PROPERTY, "large_%s_%d.cases" % (name, seed - 3)), form, [seed], 70, True, odd)


main()
