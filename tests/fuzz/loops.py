"""Random loops over numbers: compiled (GX_LOOPS=1 and 3) they must do what the evaluators do (GX_LOOPS=0),
error messages included, and what the Python that runs this does where it has what a program imports.

loops.py GX [SECONDS | COUNTn [SEED]] prints what differs, and at the end `N passed, N failed`; a minute unless told
otherwise. tools/fuzz loops builds gx and runs it, tools/checks/40-switches runs 150 programs of one seed.
"""
import os
import random
import re
import subprocess
import sys
import time

INTS = ["i0", "i1", "i2"]
FLOATS = ["f0", "f1", "f2"]
HOLDS = {"la": "int", "lf": "float", "af": "float", "ai": "int", "ab": "bool"}


class Program:
    def __init__(self, r):
        self.r = r
        self.numpy = r.random() < 0.6
        self.loops = []  # targets of loops around

    def pick(self, *choices):
        return self.r.choice(choices)

    def integer(self, depth):
        r = self.r.random()
        if depth <= 0 or r < 0.35:
            return self.pick(*INTS, *(self.loops or ["i0"]), str(self.r.randint(-3, 12)))
        if r < 0.75:
            op = self.pick("+", "-", "*", "//", "%", "&", "|", "^", "+", "-", "%")
            right = self.integer(depth - 1) if self.r.random() < 0.6 else str(self.r.randint(1, 9))
            return f"({self.integer(depth - 1)} {op} {right})"
        if r < 0.79:
            return f"({self.integer(depth - 1)} {self.pick('<<', '>>')} {self.pick('1', '2', 'i0 & 3', 'i1', '61')})"
        if r < 0.83:
            return f"{self.pick('-', '~', 'abs')}({self.integer(depth - 1)})"
        if r < 0.87:
            return f"{self.pick('min', 'max')}({self.integer(depth - 1)}, {self.integer(depth - 1)})"
        if r < 0.9:
            return f"int({self.real(depth - 1)})"
        if r < 0.93:
            return f"({self.integer(depth - 1)} if {self.test(depth - 1)} else {self.integer(depth - 1)})"
        if r < 0.95:
            return f"(i2 ** {self.pick('2', '3')})"
        if r < 0.97:
            return f"math.{self.pick('floor', 'ceil')}({self.real(depth - 1)})"
        return self.element("int", depth)

    def element(self, kind, depth):
        names = [n for n, k in HOLDS.items() if k == kind and (self.numpy or n[0] == "l")]
        if not names:
            return self.integer(0)
        name = self.r.choice(names)
        index = self.integer(depth - 1) if self.r.random() < 0.3 else f"({self.integer(1)}) % 7"
        if self.numpy and kind == "float" and self.r.random() < 0.3:
            return self.pick("m[{0}, {1}]", "m[{0}][{1}]", "mt[{0}, {1}]").format(index, f"({self.integer(1)}) % 3")
        if kind == "int" and self.r.random() < 0.2:
            return f"ll[({self.integer(1)}) % 3][({self.integer(1)}) % 3]"
        return f"{name}[{index}]"

    def real(self, depth):
        r = self.r.random()
        if depth <= 0 or r < 0.3:
            return self.pick(*FLOATS, "0.5", "-1.25", "3.0", "1e3")
        if r < 0.7:
            return f"({self.real(depth - 1)} {self.pick('+', '-', '*', '/', '*', '+', '%', '//')} {self.real(depth - 1)})"
        if r < 0.78:
            return f"({self.integer(depth - 1)} {self.pick('*', '+', '/')} {self.pick(self.real(depth - 1), '4.0')})"
        if r < 0.84:
            return f"math.{self.pick('sqrt', 'sin', 'cos', 'exp', 'atan', 'fabs')}({self.real(depth - 1)})"
        if r < 0.88:
            return f"{self.pick('-', 'abs', 'float')}({self.real(depth - 1)})"
        if r < 0.9:
            return f"{self.pick('min', 'max')}({self.real(depth - 1)}, {self.real(depth - 1)})"
        if r < 0.92:
            return f"({self.real(depth - 1)} ** {self.pick('2', '0.5', '3')})"
        return self.element("float", depth)

    def test(self, depth):
        r = self.r.random()
        if r < 0.4:
            return f"{self.integer(depth - 1)} {self.order()} {self.integer(depth - 1)}"
        if r < 0.65:
            return f"{self.real(depth - 1)} {self.order()} {self.real(depth - 1)}"
        if r < 0.7:
            return f"{self.real(depth - 1)} {self.order()} {self.integer(depth - 1)}"
        if r < 0.8 and depth > 0:
            return f"({self.test(depth - 1)} {self.pick('and', 'or')} {self.test(depth - 1)})"
        if r < 0.85 and depth > 0:
            return f"not {self.test(depth - 1)}"
        if r < 0.9:
            return f"{self.integer(0)} <= {self.integer(depth - 1)} < {self.integer(0)}"
        if r < 0.94 and self.numpy:
            return f"ab[({self.integer(1)}) % 7]"
        return self.integer(depth - 1)

    def order(self):
        return self.pick("<", "<=", ">", ">=", "==", "!=")

    def statement(self, depth, out, tab):
        r, pad = self.r.random(), "    " * tab
        if r < 0.2:
            if self.r.random() < 0.8:  # else it may outgrow 64 bits
                out.append(f"{pad}{self.pick(*INTS)} = {self.integer(2)} % {self.pick('1009', '2147483647', '64')}")
            else:
                out.append(f"{pad}{self.pick(*INTS)} {self.pick('=', '+=', '-=', '%=', '^=')} {self.integer(1)}")
        elif r < 0.38:
            out.append(f"{pad}{self.pick(*FLOATS)} {self.pick('=', '=', '+=', '-=', '*=')} {self.real(2)}")
        elif r < 0.43:
            a, b = self.r.sample(INTS, 2)
            out.append(f"{pad}{a}, {b} = {self.integer(2)} % 997, {self.integer(0)}")
        elif r < 0.5:
            out.append(f"{pad}{self.element('float', 1)} {self.pick('=', '+=', '*=')} {self.real(2)}")
        elif r < 0.56:
            out.append(f"{pad}{self.element('int', 1)} {self.pick('=', '+=')} {self.integer(2)} % 1000003")
        elif r < 0.58 and self.numpy:
            out.append(f"{pad}ab[({self.integer(1)}) % 7] = {self.test(1)}")
        elif r < 0.6:
            out.append(f"{pad}la[0], la[1] = la[1], la[0]")
        elif r < 0.63:
            out.append(f"{pad}{self.pick('i0 = f0', 'f1 = i1', 'f2 = 0', 'i1 = True', 'i2 = i2 * 10 ** 9', 'i0 = None', 'la.append(i1)', 'lf[2] = i0', 'la[3] = f1')}")
        elif r < 0.66:
            out.append(f"{pad}seen.append(({self.pick(*INTS)}, {self.pick(*FLOATS)}))")
        elif r < 0.68 and self.loops:
            out.append(f"{pad}if {self.test(1)}: {self.pick('break', 'continue', 'return i0')}")
        elif r < 0.69:
            out.append(f"{pad}assert {self.test(1)}")
        elif r < 0.84 or depth <= 0:
            out.append(f"{pad}if {self.test(2)}:")
            self.block(depth - 1, out, tab + 1, 2)
            if self.r.random() < 0.4:
                out.append(f"{pad}elif {self.test(1)}:")
                self.block(depth - 1, out, tab + 1, 2)
            if self.r.random() < 0.4:
                out.append(f"{pad}else:")
                self.block(depth - 1, out, tab + 1, 2)
        elif r < 0.94:
            name = f"k{len(self.loops)}"
            span = self.pick("3", "7", f"({self.integer(1)}) % 9", f"{self.r.randint(-2, 2)}, 5",
                             f"i0 & 3, i1 & 7, {self.pick('1', '2', '3')}", f"6, -1, {self.pick('-1', '-2')}")
            out.append(f"{pad}for {name} in range({span}):")
            self.loops.append(name)
            self.block(depth - 1, out, tab + 1, 3)
            self.loops.pop()
        else:
            out.append(f"{pad}w = 0")
            out.append(f"{pad}while w < {self.pick('3', '5', 'i0 & 7')}{self.pick('', f' and {self.test(1)}')}:")
            out.append(f"{pad}    w += 1")
            self.loops.append("w")
            self.block(depth - 1, out, tab + 1, 3)
            self.loops.pop()

    def block(self, depth, out, tab, most):
        for _ in range(self.r.randint(1, most)):
            self.statement(depth, out, tab)

    def text(self):
        out = ["import math"]
        if self.numpy:
            out += ["import numpy as np"]
        out += ["seen = []", "la = [3, 1, 4, 1, 5, 9, 2]", "lf = [0.5, 2.0, -1.0, 8.25, 0.0, 3.5, 1.0]",
                "ll = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]"]
        if self.numpy:
            out += ["af = np.array([1.5, -2.0, 0.25, 4.0, 0.0, 7.0, 1e3])", "ai = np.array([5, 3, 0, -2, 7, 1, 4])",
                    "ab = np.array([True, False, True, True, False, False, True])",
                    "m = np.arange(21.0).reshape(7, 3) - 4", f"mt = {self.pick('m.copy().T.copy().T', 'm[::-1]', 'm')}"]
        start = ["i0, i1, i2 = 0, 1, 2", "f0, f1, f2 = 0.0, 1.5, -2.0"]
        top = self.r.random() < 0.3
        body = []
        self.loops.append("k")
        head = f"for k in range({self.pick('12', '40', '3, 30, 2', '20, 0, -1')}):"
        self.block(3, body, 0, 6)
        if top:
            body = [line.replace("return i0", "break") for line in body]
        pad = "" if top else "    "
        code = start + [head] + ["    " + line for line in body]
        if top:
            out += code
        else:
            out += ["def f():"] + ["    " + line for line in code] + ["    print(i0, i1, i2, f0, f1, f2)", "    return k"]
            out += ["try:", "    print(f())", "except Exception as e:", "    print(type(e).__name__, e)"]
        if top:
            out += ["print(i0, i1, i2, f0, f1, f2, k)"]
        out += ["print(la, lf, ll, seen[:50])"]
        if self.numpy:
            out += ["print(af.tolist(), ai.tolist(), ab.tolist(), m.tolist(), mt.tolist())"]
        return "\n".join(out) + "\n"


def run(command, text, **env):
    try:
        p = subprocess.run(command + ["-"], input=text, capture_output=True, text=True, timeout=5,
                           env=dict(os.environ, **env))
    except subprocess.TimeoutExpired:
        return None
    return p.stdout + ("" if p.returncode in (0, 1) else f"exit status {p.returncode}"), p.stderr


def main():
    gx, amount, seed = sys.argv[1], (sys.argv[2:] + ["60"])[0], int((sys.argv[3:] + ["1"])[0])
    try:
        import numpy
        has_numpy = numpy.__version__ >= "2"
    except ImportError:
        has_numpy = False
    if sys.version_info < (3, 13):
        has_numpy = None  # error messages differ
    count = int(amount[:-1]) if amount.endswith("n") else None
    end = time.time() + (0 if count else float(amount))
    passed = failed = n = 0
    while n < count if count else time.time() < end:
        program = Program(random.Random(seed * 1000003 + n))
        text = program.text()
        n += 1
        plain = run([gx], text, GX_LOOPS="0")
        if plain is None:  # ints that double their digits in each round
            continue
        said = {f"GX_LOOPS={rounds}": run([gx], text, GX_LOOPS=rounds) for rounds in ("1", "3")}
        if has_numpy is not None and (has_numpy or not program.numpy):
            out, err = run([sys.executable, "-W", "ignore"], text) or plain
            out = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", out)  # gx prints numbers in lists so
            if out != plain[0]:  # tracebacks, in err, are each one's own
                said["Python"] = (out, err)
        wrong = [who for who, what in said.items() if what != plain]
        passed += not wrong
        failed += bool(wrong)
        if wrong and failed <= 5:
            print(f"--- program {n - 1} of seed {seed}: {', '.join(wrong)} differ from GX_LOOPS=0\n{text}")
            print(f"GX_LOOPS=0:\n{plain[0]}{plain[1]}")
            print(f"{wrong[0]}:\n{said[wrong[0]][0]}{said[wrong[0]][1]}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
