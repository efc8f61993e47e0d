"""What a launch costs, in microseconds; gx and Python with CuPy run this text:

    GX_DEVICE=cuda gx tests/bench/gpu/launches.py
    python3 tests/bench/gpu/launches.py

Best of five turns of 2000 launches each, with one wait at the end of a turn. Kernels of a script are watched by gx, unless
--checked=off is given."""
import time

import cupy as cp

n = 1000
x = cp.arange(n, dtype=cp.float32)
y = cp.zeros(n, dtype=cp.float32)
add = cp.RawKernel('extern "C" __global__ void add(const float *x, float *y, int n) {\n'
                   '    int i = blockDim.x * blockIdx.x + threadIdx.x;\n    if (i < n) y[i] = x[i] + 1;\n}\n', "add")
scale = cp.ElementwiseKernel("float32 x, float32 a", "float32 y", "y = x * a", "scale")
total = cp.ReductionKernel("float32 x", "float32 y", "x", "a + b", "y = a", "0", "total")
size = cp.int32(n)


def raw():
    add((4,), (256,), (x, y, size))


def element():
    scale(x, 2, y)


def reduction():
    total(x)


for name, call in [("RawKernel", raw), ("ElementwiseKernel", element), ("ReductionKernel", reduction)]:
    for _ in range(50):
        call()
    best = 1e9
    for _ in range(5):
        cp.cuda.Device().synchronize()
        start = time.perf_counter()
        for _ in range(2000):
            call()
        cp.cuda.Device().synchronize()
        best = min(best, (time.perf_counter() - start) / 2000)
    print("%-20s %7.2f us" % (name, best * 1e6))
