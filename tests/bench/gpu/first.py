"""First, second and later calls of lines on a GPU, in milliseconds; gx and Python with CuPy run this text:

    GX_DEVICE=cuda XDG_CACHE_HOME=$(mktemp -d) gx tests/bench/gpu/first.py
    CUPY_CACHE_DIR=$(mktemp -d) python3 tests/bench/gpu/first.py

With nothing on disk the first call of a line is that of a user who writes it for the first time. `later` is the best
of three calls half a second on. The last lines are geometric means, and how many first calls took 15 ms more than the
second."""
import math
import sys
import time

import cupy as cp

n = 10_000_000
x = cp.random.random(n)
y = cp.random.random(n)
f = x.astype("f4")
i = (x * 1000).astype("i4")
m = cp.random.random((4096, 4096)).astype("f4")
d = m.astype("f8")
c = x[:1000000] + 1j * y[:1000000]
b = x > 0.5
small = cp.random.random((64, 64))
LINES = {
    "map": ["x + y", "x * y - 2", "cp.sqrt(x * x + y * y)", "cp.exp(-x) * cp.sin(y)", "cp.where(x > y, x, -y)", "f * 2 + 1",
            "i % 7 + 1", "cp.maximum(f, 0.5)", "(x > 0.2) & (y < 0.7)", "x.astype('f4')", "m.T + m", "d[::2, 1:] * 3",
            "x[:, None][:1000] * y[None, :1000]", "abs(c) + c.real", "c * c.conj()", "cp.tanh(f) / (1 + f)", "cp.floor(x * 9) / 9",
            "cp.log1p(x) + cp.cbrt(y)", "cp.arange(n) * 0.5", "cp.linspace(0, 1, n) ** 2", "cp.clip(x, 0.2, 0.8)",
            "1 / (1 + cp.exp(-f))", "small @ small + small", "cp.hypot(x, y)", "x // 0.3", "cp.isnan(x)"],
    "reduction": ["x.sum()", "(x * y).sum()", "x.mean()", "x.std()", "f.max()", "i.sum()", "b.any()", "x.argmin()",
                  "m.sum(axis=0)", "m.sum(axis=1)", "d.mean(axis=0)", "d.var(axis=1)", "m.max(axis=1)", "m.argmax(axis=0)",
                  "(m * m).sum(axis=1)", "cp.sqrt(((x - y) ** 2).mean())", "(d - d.mean(axis=0)) / d.std(axis=0)", "i.min()",
                  "cp.prod(1 + f * 1e-8)", "cp.linalg.norm(x)", "c.sum()", "(x > 0.5).sum()", "cp.all(x < 2)", "d.sum()",
                  "m.std(axis=0)", "m.min()"],
    "scan": ["cp.cumsum(x)", "cp.cumsum(i)", "cp.cumsum(m, axis=0)", "cp.cumsum(m, axis=1)", "cp.cumprod(f)"],
    "sort": ["cp.sort(x)", "cp.sort(f)", "cp.argsort(x)", "cp.sort(m, axis=1)", "cp.median(x)", "cp.unique(i)", "cp.bincount(i)"],
    "filter": ["x[x > 0.5]", "x[b]", "cp.nonzero(b)", "cp.take(x, i)", "x[i]", "cp.concatenate([x, y])", "cp.convolve(x, y[:31])",
               "cp.histogram(x, 100)[0]"],
}


def wait():
    cp.cuda.Device().synchronize()


def timed(call):
    wait()
    start = time.perf_counter()
    value = call()  # held: what nobody holds is not computed
    wait()
    return (time.perf_counter() - start) * 1e3


for value in (x, y, f, i, m, d, c, b, small):
    timed(lambda: value)
table = []
for kind, texts in LINES.items():
    for text in texts:
        call = eval("lambda: " + text)
        try:
            first, second = timed(call), timed(call)
        except Exception as error:
            print(kind, text, "refused:", str(error)[:60])
            continue
        table.append((kind, text, call, first, second))
time.sleep(1)
for kind, text, call, first, second in table:
    timed(call)
time.sleep(0.5)
over, total = 0, {}
for kind, text, call, first, second in table:
    later = min(timed(call), timed(call), timed(call))
    print("%-10s %-40s %9.3f %9.3f %9.3f" % (kind, text, first, second, later))
    over += first > second + 15
    total.setdefault(kind, []).append((first, second, later))
    total.setdefault("all", []).append((first, second, later))
for kind in total:
    rows = total[kind]
    means = [math.exp(sum(math.log(row[k]) for row in rows) / len(rows)) for k in range(3)]
    print("%-10s %3d lines, geometric means %9.3f %9.3f %9.3f" % (kind, len(rows), means[0], means[1], means[2]))
print("more than 15 ms over the second:", over, "of", len(table))
