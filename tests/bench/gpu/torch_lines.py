# The lines of lines.py that torch.compile fuses, under the same names and rules: medians of
# repetitions that wait, after compiling and two rounds of warming up.
import time

import torch

torch.set_grad_enabled(False)
gpu = torch.device("cuda")


def median(f):
    times = []
    for k in range(17):
        torch.cuda.synchronize()
        start = time.perf_counter()
        r = f()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
        del r
    times = sorted(times[2:])
    return times[len(times) // 2] * 1e3


def line(name, f, *args):
    try:
        compiled = torch.compile(f)
        compiled(*args)
        print(f"{name}|{median(lambda: compiled(*args)):.4f}|0|0", flush=True)
    except Exception as e:
        print(f"{name}|failed: {type(e).__name__}|0|0", flush=True)


def black_scholes(r):
    s, k, t, v, q = r + 1, r + 0.5, r + 0.1, 0.2, 0.05
    d = (torch.log(s / k) + (q + v * v / 2) * t) / (v * torch.sqrt(t))
    e = d - v * torch.sqrt(t)
    n = lambda z: 1 / (1 + torch.exp(-1.702 * z))
    return s * n(d) - k * torch.exp(-q * t) * n(e)


x = torch.arange(250_000_000, dtype=torch.float64, device=gpu)
line("x * c, 2 GB f64", lambda x: x * 1.5, x)
line("sum, 2 GB f64", lambda x: x.sum(), x)
line("std, 2 GB f64", lambda x: x.std(correction=0), x)
line("linalg.norm, 2 GB f64", lambda x: torch.linalg.norm(x), x)
line("argmax, 2 GB f64", lambda x: x.argmax(), x)
del x
a = torch.rand(5000, 5000, device=gpu)
b = torch.rand(5000, 5000, device=gpu)
line("sqrt(a**2+b**2), 5000^2 f32", lambda a, b: torch.sqrt(a**2 + b**2), a, b)
line("sin(a)*cos(b), 5000^2 f32", lambda a, b: torch.sin(a) * torch.cos(b), a, b)
line("((a-b)**2).sum(), 5000^2 f32", lambda a, b: ((a - b) ** 2).sum(), a, b)
t = torch.rand(10_000_000, device=gpu)
line("1/(1+exp(-x)), 1e7 f32", lambda t: 1 / (1 + torch.exp(-t)), t)
c = torch.rand(20000, device=gpu)
line("(N,1)+(1,N), N=20000 f32", lambda c: c[:, None] + c[None, :], c)
r = torch.rand(100_000_000, device=gpu)
line("where(r>.5, r, -r), 1e8 f32", lambda r: torch.where(r > 0.5, r, -r), r)
line("r[::2]*2, 1e8 f32", lambda r: r[::2] * 2, r)
line("r[r>.5], 1e8 f32", lambda r: r[r > 0.5], r)
line("cumsum, 1e8 f32", lambda r: torch.cumsum(r, 0), r)
line("Black-Scholes, 1e8 f32", black_scholes, r)
i = (torch.rand(10_000_000, device=gpu) * 1e8).to(torch.int64)
line("r[i], 1e7 of 1e8", lambda r, i: r[i], r, i)
p = torch.rand(4096, 3, device=gpu)
line("pairwise distance 4096x3 f32",
     lambda p: torch.sqrt(((p[:, None, :] - p[None, :, :]) ** 2).sum(dim=2)), p)
