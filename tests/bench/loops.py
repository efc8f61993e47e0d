"""Times loops over numbers under gx, with and without compiling them (GX_LOOPS=0), and under CPython, the same text in
each, and prints how many times as fast as CPython gx is:

    ORACLE tests/bench/loops.py GX

Each program is run three times by each, by turns; the least time counts. ORACLE is a Python with NumPy."""
import math
import os
import subprocess
import sys

HEAD = """
import math
import time
import numpy as np
"""

# name: (definitions and set-up, the call that is timed)
PROGRAMS = {
    "s += a[i] * b[i], 2e7": ("""
def dot(a, b, n):
    s = 0.0
    for i in range(n):
        s += a[i] * b[i]
    return s
a, b = np.arange(2e7), np.ones(20000000)
dot(a, b, 1000)
""", "dot(a, b, 20000000)"),
    "Collatz": ("""
def collatz(n):
    best = 0
    for i in range(1, n):
        k, c = i, 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            c += 1
        if c > best:
            best, arg = c, i
    return best, arg
""", "collatz(50000)"),
    "Mandelbrot": ("""
def mandel(w, h):
    total = 0
    for y in range(h):
        for x in range(w):
            cr, ci = 3.0 * x / w - 2.0, 2.0 * y / h - 1.0
            zr = zi = 0.0
            k = 0
            while k < 50 and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
                k += 1
            total += k
    return total
""", "mandel(200, 150)"),
    "sieve in a list": ("""
def sieve(n):
    p = [True] * (n + 1)
    for i in range(2, int(math.sqrt(n)) + 1):
        if p[i]:
            for j in range(i * i, n + 1, i):
                p[j] = False
    c = 0
    for i in range(2, n + 1):
        if p[i]:
            c += 1
    return c
""", "sieve(1000000)"),
    "matrix product in loops": ("""
def matmul(A, B, n):
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            s = 0
            for k in range(n):
                s += A[i, k] * B[k, j]
            C[i, j] = s
    return C
A = np.arange(10000.0).reshape(100, 100)
""", "matmul(A, A, 100).sum()"),
    "bubble sort of a list": ("""
def bubble(v):
    n = len(v)
    for i in range(n):
        for j in range(n - 1 - i):
            if v[j] > v[j + 1]:
                v[j], v[j + 1] = v[j + 1], v[j]
    return v[:3]
""", "bubble([(i * 7919) % 1000 for i in range(1000)])"),
    "math.sin": ("""
def sines(n):
    s = 0.0
    for i in range(n):
        s += math.sin(i) * math.sqrt(i)
    return s
""", "sines(300000)"),
    "Fibonacci modulo": ("""
def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, (a + b) % 1000000007
    return a
""", "fib(500000)"),
    "heat equation, one axis": ("""
def heat(u, v, steps):
    for t in range(steps):
        for i in range(1, len(u) - 1):
            v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1])
        for i in range(1, len(u) - 1):
            u[i] = v[i]
    return u[len(u) // 2]
u = np.zeros(1000)
u[400:600] = 1
""", "heat(u.copy(), u.copy(), 100)"),
    "integral by Simpson": ("""
def simpson(a, b, n):
    h = (b - a) / n
    s = 0.0
    for i in range(n + 1):
        x = a + i * h
        w = 1 if i == 0 or i == n else 4 if i % 2 else 2
        s += w * math.exp(-x * x)
    return s * h / 3
""", "simpson(0.0, 3.0, 300000)"),
}


def run(command, setup, call, **env):
    text = HEAD + setup + f"t = time.perf_counter()\nr = {call}\nprint(time.perf_counter() - t)\nprint(float(np.sum(r)))\n"
    said = subprocess.run(command + ["-"], input=text, capture_output=True, text=True, env=dict(os.environ, **env))
    if said.returncode:
        sys.exit(said.stderr)
    seconds, value = said.stdout.split()
    return float(seconds), value


def main():
    gx, product = sys.argv[1], [0, 0]
    print(f"{'':26} {'CPython':>9} {'tree':>9} {'compiled':>9}      ms; times as fast as CPython")
    for name, (setup, call) in PROGRAMS.items():
        best = [math.inf] * 3
        for _ in range(3):
            sides = [run([sys.executable], setup, call), run([gx], setup, call, GX_LOOPS="0"), run([gx], setup, call)]
            if len({value for _, value in sides}) > 1:
                sys.exit(f"{name}: {sides}")
            best = [min(b, s) for b, (s, _) in zip(best, sides)]
        ratios = [best[0] / best[1], best[0] / best[2]]
        product = [p + math.log(r) for p, r in zip(product, ratios)]
        print(f"{name:26} {best[0] * 1e3:9.1f} {best[1] * 1e3:9.1f} {best[2] * 1e3:9.1f} {ratios[0]:9.2f} {ratios[1]:7.1f}", flush=True)
    print("geometric means {:.2f} {:.1f}".format(*(math.exp(p / len(PROGRAMS)) for p in product)))


main()
