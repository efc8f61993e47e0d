# What gx is for, line by line: the same text runs under gx and under Python with CuPy. Each line
# prints its name, the median milliseconds of repetitions that wait for what they made, and what the
# least work for it is: bytes that must move, or floating-point operations. Results are looked at
# before they are timed. Arguments: words; only lines whose name has one of them are run.
import sys
import time

import cupy as cp
import cupyx.scipy.ndimage as ndimage
import numpy as np


def wait():
    cp.cuda.Device().synchronize()


def median(f):
    wait()
    start = time.perf_counter()
    r = f()
    wait()
    first = time.perf_counter() - start
    del r
    times = [first]
    rounds = 2 if first > 1 else 6 if first > 0.1 else 15
    for k in range(rounds):
        wait()
        start = time.perf_counter()
        r = f()
        wait()
        times.append(time.perf_counter() - start)
        del r
    times = sorted(times[1:] if rounds < 6 else times[2:])
    return times[len(times) // 2] * 1e3


def line(name, f, check=None, bytes=0, flops=0):
    if len(sys.argv) > 1 and not any(word in name for word in sys.argv[1:]):
        return
    try:
        if check is not None and not check():
            print(f"{name}|wrong|{bytes}|{flops}")
            return
        ms = median(f)
        print(f"{name}|{ms:.4f}|{bytes}|{flops}", flush=True)
    except Exception as e:
        print(f"{name}|failed: {type(e).__name__} {str(e)[:60]}|{bytes}|{flops}", flush=True)


def near(a, b, tolerance=1e-5):
    return bool(abs(float(a) - float(b)) <= tolerance * max(1.0, abs(float(b))))


G = 250_000_000
x = cp.arange(G, dtype=cp.float64)
line("ones, 2 GB f64", lambda: cp.ones(G), lambda: float(cp.ones(1000)[7]) == 1, 8 * G)
line("x * c, 2 GB f64", lambda: x * 1.5, lambda: float((x * 1.5)[3]) == 4.5, 16 * G)


def three():
    global y
    y *= 0.5
    y *= y
    y += y
    return y


y = cp.ones(G)
line("x*=5; x*=x; x+=x, 2 GB f64", three, None, 16 * G)
del y
line("sum, 2 GB f64", lambda: x.sum(), lambda: near(x.sum(), G * (G - 1) / 2), 8 * G)
m = x[: 15000 * 15000].reshape(15000, 15000)
line("sum axis 0, 1.8 GB f64", lambda: m.sum(axis=0), None, 8 * 15000 * 15000)
line("sum axis 1, 1.8 GB f64", lambda: m.sum(axis=1), None, 8 * 15000 * 15000)
line("std, 2 GB f64", lambda: x.std(), lambda: near(x.std(), G / 12**0.5, 1e-6), 8 * G)
line("linalg.norm, 2 GB f64", lambda: cp.linalg.norm(x), None, 8 * G)
line("argmax, 2 GB f64", lambda: x.argmax(), lambda: int(x.argmax()) == G - 1, 8 * G)
line("transpose copy, 1.8 GB f64", lambda: m.T.copy(),
     lambda: float(m.T.copy()[3, 2]) == float(m[2, 3]), 16 * 15000 * 15000)
line("cumsum, 2 GB f64", lambda: cp.cumsum(x), None, 16 * G)
del m, x
N = 5000
a = cp.random.rand(N, N, dtype=cp.float32)
b = cp.random.rand(N, N, dtype=cp.float32)
line("sqrt(a**2+b**2), 5000^2 f32", lambda: cp.sqrt(a**2 + b**2), None, 12 * N * N)
line("sin(a)*cos(b), 5000^2 f32", lambda: cp.sin(a) * cp.cos(b), None, 12 * N * N)
line("((a-b)**2).sum(), 5000^2 f32", lambda: ((a - b) ** 2).sum(),
     lambda: near(((a - b) ** 2).sum(), N * N / 6, 1e-2), 8 * N * N)
t = cp.random.rand(10_000_000, dtype=cp.float32)
line("1/(1+exp(-x)), 1e7 f32", lambda: 1 / (1 + cp.exp(-t)), None, 8 * 10**7)
c = cp.random.rand(20000, dtype=cp.float32)
line("(N,1)+(1,N), N=20000 f32", lambda: c[:, None] + c[None, :], None, 4 * 20000 * 20000)
r = cp.random.rand(100_000_000, dtype=cp.float32)
line("where(r>.5, r, -r), 1e8 f32", lambda: cp.where(r > 0.5, r, -r), None, 8 * 10**8)
line("r[::2]*2, 1e8 f32", lambda: r[::2] * 2, None, 6 * 10**8)
line("r[r>.5], 1e8 f32", lambda: r[r > 0.5],
     lambda: int((r > 0.5).sum()) == r[r > 0.5].shape[0], 6 * 10**8)
line("cumsum, 1e8 f32", lambda: cp.cumsum(r), None, 8 * 10**8)
i = (cp.random.rand(10_000_000) * 1e8).astype(cp.int64)
line("r[i], 1e7 of 1e8", lambda: r[i], lambda: float(r[i][5]) == float(r[int(i[5])]), 16 * 10**7)


def black_scholes(s, k, t, v, q):
    d = (cp.log(s / k) + (q + v * v / 2) * t) / (v * cp.sqrt(t))
    e = d - v * cp.sqrt(t)
    n = lambda z: 1 / (1 + cp.exp(-1.702 * z))
    return s * n(d) - k * cp.exp(-q * t) * n(e)


line("Black-Scholes, 1e8 f32",
     lambda: black_scholes(r + 1, r + 0.5, r + 0.1, cp.float32(0.2), cp.float32(0.05)), None,
     8 * 10**8)
line("random.rand, 1e8 f64", lambda: cp.random.rand(10**8), None, 8 * 10**8)
line("random.rand, 1e8 f32", lambda: cp.random.rand(10**8, dtype=cp.float32), None, 4 * 10**8)
line("random.randn, 1e8 f64", lambda: cp.random.randn(10**8), None, 8 * 10**8)
line("sort, 1e7 f32", lambda: cp.sort(t), None, 8 * 10**7)
line("argsort, 1e7 f32", lambda: cp.argsort(t), None, 12 * 10**7)
line("median, 1e7 f32", lambda: cp.median(t), None, 4 * 10**7)
line("histogram, 1e7 f32", lambda: cp.histogram(t, 64)[0], None, 4 * 10**7)
line("unique, 1e7 i32", lambda: cp.unique((t * 1000).astype(cp.int32)), None, 4 * 10**7)
del r, i, a, b
for n in (512, 1024, 2048, 4096, 8192):
    a = cp.random.rand(n, n, dtype=cp.float32)
    line(f"matmul f32 {n}", lambda: a @ a, lambda: near((a @ a)[1, 2], (a[1] * a[:, 2]).sum(), 1e-4),
         0, 2 * n**3)
a = cp.random.rand(10000, 10000)
line("dot f64 10000", lambda: a.dot(a), None, 0, 2 * 10**12)
a = cp.random.rand(1000, 1000)
line("svd f64 1000", lambda: cp.linalg.svd(a)[1])
line("eigh f64 1000", lambda: cp.linalg.eigh(a + a.T)[0])
line("eig f64 1000", lambda: cp.linalg.eig(a)[0],
     lambda: near(cp.linalg.eig(a)[0].sum().real, cp.trace(a)))
line("solve f64 1000", lambda: cp.linalg.solve(a, a[:, 0]))
line("inv f64 1000", lambda: cp.linalg.inv(a))
line("qr f64 1000", lambda: cp.linalg.qr(a)[1])
line("cholesky f64 1000", lambda: cp.linalg.cholesky(a @ a.T + cp.eye(1000)))
line("svdvals f64 1000", lambda: cp.linalg.svd(a, compute_uv=False))
b = cp.random.randint(0, 1000, 10**7)
w = cp.random.rand(10**7)
line("bincount by weights, 1e7 into 1000 bins", lambda: cp.bincount(b, weights=w),
     lambda: near(cp.bincount(b, weights=w).sum(), w.sum()), 16 * 10**7)
del b, w
p = cp.random.rand(8000, 1000)
line("lstsq f64 8000x1000", lambda: cp.linalg.lstsq(p, p[:, 0], rcond=None)[0])
a = cp.random.rand(4000, 4000)
p = a @ a.T + 4000 * cp.eye(4000)
line("svd f64 4000", lambda: cp.linalg.svd(a)[1])
line("svdvals f64 4000", lambda: cp.linalg.svd(a, compute_uv=False))
line("eigh f64 4000", lambda: cp.linalg.eigh(p)[0])
line("cholesky f64 4000", lambda: cp.linalg.cholesky(p))
a = cp.random.rand(10000, 8, 8)
p = a @ a.transpose(0, 2, 1) + cp.eye(8)
line("svd f64 10000x8x8", lambda: cp.linalg.svd(a)[1],
     lambda: near((cp.linalg.svd(a)[1] ** 2).sum(), (a * a).sum()))
line("eigh f64 10000x8x8", lambda: cp.linalg.eigh(p)[0],
     lambda: near(cp.linalg.eigh(p)[0].sum(), cp.trace(p.sum(axis=0))))
line("cholesky f64 10000x8x8", lambda: cp.linalg.cholesky(p))
line("inv f64 10000x8x8", lambda: cp.linalg.inv(p))
line("solve f64 10000x8x8", lambda: cp.linalg.solve(p, a))
z = cp.random.rand(1 << 22).astype(cp.complex64)
line("fft 2^22 c64", lambda: cp.fft.fft(z), None, 16 << 22)
z = cp.random.rand(1 << 24).astype(cp.complex64)
line("fft 2^24 c64", lambda: cp.fft.fft(z), lambda: near(cp.fft.fft(z)[0].real, z.real.sum(), 1e-4),
     16 << 24)
z = cp.random.rand(4096, 4096, dtype=cp.float32)
line("rfft2 4096^2 f32", lambda: cp.fft.rfft2(z),
     lambda: near(cp.fft.irfft2(cp.fft.rfft2(z))[3, 5], z[3, 5], 1e-4), 8 << 24)
del z
w = cp.random.rand(16384, 1024).astype(cp.complex64)
line("fft 16384x1024 axis 1", lambda: cp.fft.fft(w, axis=1), None, 16 << 24)
line("fft 16384x1024 axis 0", lambda: cp.fft.fft(w, axis=0), None, 16 << 24)
del w
big = cp.random.rand(100, 3840, 2160, dtype=cp.float32)
line("gaussian_filter 100x3840x2160 f32", lambda: ndimage.gaussian_filter(big, 3),
     lambda: near(ndimage.gaussian_filter(big, 3).mean(), big.mean(), 1e-3), 24 * 829440000)
del big
z = cp.random.rand(4096, 4096, dtype=cp.float32)
line("uniform_filter 9, 4096^2 f32", lambda: ndimage.uniform_filter(z, 9), None, 16 << 24)
line("median_filter 5, 4096^2 f32", lambda: ndimage.median_filter(z, 5), None, 8 << 24)
line("maximum_filter 9, 4096^2 f32", lambda: ndimage.maximum_filter(z, 9), None, 16 << 24)
del z
u = cp.zeros((4096, 4096), dtype=cp.float32)
u[0] = 1


def jacobi():
    for k in range(100):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return u


line("jacobi 4096^2 f32, 100 sweeps", jacobi, None, 100 * 8 * 4096 * 4096)
q = cp.linspace(-2, 1, 2000)[None, :] + 1j * cp.linspace(-1.5, 1.5, 2000)[:, None]


def mandelbrot():
    v = cp.zeros_like(q)
    n = cp.zeros(q.shape, dtype=cp.int32)
    for k in range(50):
        v = v * v + q
        n += abs(v) < 2
    return n


line("mandelbrot 2000^2 c128, 50 rounds", mandelbrot)
p = cp.random.rand(4096, 3, dtype=cp.float32)
line("pairwise distance 4096x3 f32",
     lambda: cp.sqrt(((p[:, None, :] - p[None, :, :]) ** 2).sum(axis=2)), None, 4 * 4096 * 4096)
tiny = cp.array([1.0, 2.0, 3.0])


def many():
    s = tiny
    for k in range(10000):
        s = s + tiny
    return s


line("10,000 tiny adds (3 elements)", many)
