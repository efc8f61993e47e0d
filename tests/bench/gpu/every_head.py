# The world of tests/bench/gpu/every.py's calls and their clock: CuPy's text, for gx and Python alike.
# Every number is made of its position, as in ../every_head.gx.
import sys
import time
import warnings

import cupy as np
import cupyx.scipy as scipy
import cupyx.scipy.fft, cupyx.scipy.linalg, cupyx.scipy.ndimage, cupyx.scipy.signal, cupyx.scipy.special

warnings.simplefilter("ignore")
try:
    profile = lazy
except NameError:
    profile = None


def values(d, n, prime):
    whole = np.arange(n) * prime % 97 + 1
    if d == "?":
        return whole > 48
    if d in ("c8", "c16"):
        return ((whole + 1j * whole[::-1]) / 101.0).astype(d)
    return (whole / 101.0).astype(d) if d[0] == "f" else whole.astype(d)


def world(d, size):
    """n elements as rows and as a square; y and q are others. s is sorted, k indices, c a mask."""
    global n, r, x, y, m, q, s, k, c, g, p, w
    r = int(size ** 0.5)
    n = r * r
    x = values(d, n, 7919)
    y = values(d, n, 104729)
    m = x.reshape(r, r)
    q = y.reshape(r, r)
    s = np.sort(x)
    k = np.arange(n) * 7919 % n
    c = values("?", n, 7919)
    g = np.arange(n) / n
    w = values(d, 5, 7919)
    p = (m + m.T + np.eye(r, dtype=m.dtype) * (200 * r)).astype(m.dtype) if size <= 1000000 else m
    wait()


def wait():
    np.cuda.Device().synchronize()


def kind(v):
    if isinstance(v, (tuple, list)) and len(v) < 10:
        return "(" + ",".join([kind(i) for i in v]) + ")"
    return str(v.dtype) + str(v.shape).replace(" ", "") if hasattr(v, "dtype") else type(v).__name__


def seconds(f):
    wait()
    start = time.perf_counter()
    v = f()
    wait()
    return time.perf_counter() - start, v


def moved(f):
    """Bytes that a call copies to the host, where that is known."""
    if profile is None:
        return 0
    wait()
    profile.profile_start()
    f()
    wait()
    return profile.profile_stop()["down"]


def line(number, f):
    """number, first and warm milliseconds, bytes to the host, what came."""
    try:
        first, v = seconds(f)
        shown = kind(v)
        del v
        warm = sorted([seconds(f)[0] for i in range(3 if first > 0.1 else 9)])
        print(number, first * 1e3, warm[len(warm) // 2] * 1e3, moved(f), shown, flush=True)
    except Exception as e:
        print(number, "!", type(e).__name__, flush=True)


def twice(number, f):
    """number and milliseconds of the first and the second call."""
    try:
        first, v = seconds(f)
        del v
        print(number, first * 1e3, seconds(f)[0] * 1e3, flush=True)
    except Exception as e:
        print(number, "!", type(e).__name__, flush=True)
