"""gx as a module of Python's, beside NumPy."""

import unittest

import numpy

import gx
import gx.numpy as np


class Beside(unittest.TestCase):
    def test_no_copies(self):
        m = numpy.ones((3, 4))
        g = np.asarray(m)
        g[1, 2] = 5
        self.assertEqual(m[1, 2], 5)
        m[0] = 7
        self.assertEqual(g[0].tolist(), [7.0] * 4)
        a = np.arange(12.0).reshape(3, 4)
        n = numpy.asarray(a[:, ::2])
        n[0, 0] = -1
        self.assertEqual(a[0, 0], -1)
        self.assertEqual(n.strides, (32, 16))
        self.assertTrue(numpy.shares_memory(numpy.asarray(a), numpy.asarray(a)))
        for other in (numpy.from_dlpack(a), numpy.array(a, copy=False), numpy.asarray(memoryview(a))):
            other[2, 3] += 1
        self.assertEqual(a[2, 3], 14)
        b = np.from_dlpack(m)
        b[2, 0] = 3
        self.assertEqual(m[2, 0], 3)
        numpy.testing.assert_array_equal(gx.eval("x.T @ x", x=m), m.T @ m)

    def test_every_dtype(self):
        for name in ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
                     "complex64 complex128").split():
            m = numpy.array([0, 1, 1], dtype=name)
            g = np.asarray(m)
            self.assertEqual(str(g.dtype), name)
            back = numpy.asarray(g)
            self.assertEqual(back.dtype, m.dtype)
            self.assertTrue(numpy.shares_memory(back, m))
            numpy.testing.assert_array_equal(numpy.from_dlpack(g), m)
            self.assertEqual(g.__array_interface__["typestr"], m.__array_interface__["typestr"])
        locked = numpy.arange(3)
        locked.flags.writeable = False
        with self.assertRaises(ValueError):
            np.asarray(locked)[0] = 1
        self.assertFalse(numpy.asarray(np.asarray(locked)).flags.writeable)

    def test_operators(self):
        m, g = numpy.arange(3.0), np.arange(3.0)
        for x in (m + g, g + m, m * g, g - m, m @ np.eye(3)):
            self.assertIsInstance(x, np.ndarray)
        self.assertEqual((m - g).tolist(), [0.0] * 3)
        self.assertEqual((numpy.float64(2) * g).tolist(), [0.0, 2.0, 4.0])
        self.assertIsInstance(numpy.sin(g), np.ndarray)  # ufuncs ask the array
        self.assertEqual(numpy.cumsum(g).tolist(), [0.0, 1.0, 3.0])
        self.assertEqual(numpy.add.reduce(g), 3)
        same = numpy.add(g, 1, out=g)
        self.assertIs(same, g)
        self.assertEqual(g.tolist(), [1.0, 2.0, 3.0])
        view = m
        self.assertEqual((m < g).tolist(), [True] * 3)
        m += g
        self.assertIs(m, view)
        self.assertEqual(m.tolist(), [1.0, 3.0, 5.0])

    def test_types(self):
        self.assertIs(np.float32, numpy.float32)
        self.assertEqual(np.arange(3).dtype, numpy.int64)
        self.assertEqual(np.zeros(2, dtype=np.float32).dtype, "float32")
        self.assertEqual(numpy.zeros(2, dtype=np.arange(3).dtype).dtype, "int64")
        self.assertIsInstance(np.ones(3).sum(), numpy.float64)

    def test_what_is_pending_is_not_changed_afterwards(self):
        m = numpy.ones(100000)
        y = np.asarray(m) * 2
        m[:] = 50
        self.assertEqual(y[0], 2)
        z = np.sqrt(m)
        del m
        self.assertAlmostEqual(float(z[0]), 50**0.5)

    def test_callbacks(self):
        with gx.Session() as s:
            s.run("def f(x):\n    return (x ** 2).sum()\n")
            self.assertEqual(numpy.apply_along_axis(s["f"], 1, numpy.ones((2, 3))).tolist(), [3, 3])
            s["kind"] = lambda x: type(x).__module__  # Python's functions get NumPy's arrays
            self.assertEqual(s.run("kind(arange(3))"), "numpy")


PROGRAMS = [  # each is run with np from gx and from NumPy
    """
x = np.linspace(0, 10, 50)
y = 3 * x**2 - 2 * x + 1
A = np.vander(x, 3)
out, *_ = np.linalg.lstsq(A, y, rcond=None)
""", """
def mandelbrot(h, w, n):
    y, x = np.ogrid[-1.4:1.4:h * 1j, -2:0.8:w * 1j]
    c = x + y * 1j
    z = c
    when = n + np.zeros(z.shape, dtype=int)
    for i in range(n):
        z = z**2 + c
        gone = z * np.conj(z) > 2**2
        now = gone & (when == n)
        when[now] = i
        z[gone] = 2
    return when
out = mandelbrot(40, 40, 20)
""", """
def life(board):
    n = sum(np.roll(np.roll(board, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
    return (n == 3) | (board & (n == 2))
board = np.zeros((12, 12), dtype=bool)
board[1, 2] = board[2, 3] = board[3, 1:4] = True
for _ in range(10):
    board = life(board)
out = np.argwhere(board)
""", """
rng = np.random.default_rng(42)
points = rng.normal(size=(60, 2))
points[:30] += 4
centres = points[[0, 59]].copy()
for _ in range(10):
    far = ((points[:, None, :] - centres[None]) ** 2).sum(axis=-1)
    near = far.argmin(axis=1)
    for k in range(len(centres)):
        centres[k] = points[near == k].mean(axis=0)
out = centres
""", """
u = np.zeros((20, 20))
u[0] = 1
for _ in range(50):
    u[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) / 4
out = u
""", """
t = np.arange(256) / 256
wave = np.sin(2 * np.pi * 5 * t) + 0.5 * np.cos(2 * np.pi * 20 * t)
spectrum = np.abs(np.fft.rfft(wave))
out = np.sort(np.argsort(spectrum)[-2:])
""", """
a = np.arange(24).reshape(2, 3, 4)
parts = [np.where(a % 2, a, -a), np.cumsum(a, axis=2), np.transpose(a, (0, 1, 2)), a[..., ::-1],
         np.einsum("ijk,ijk->ij", a, a)[..., None] + a, np.clip(a, 3, 9), np.diff(a, prepend=0)]
out = np.stack(parts).astype(float)
values, counts = np.unique(np.asarray([3, 1, 3, 2]), return_counts=True)
out = out.sum() + values @ counts
""", """
grid = np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-1, 1, 4), indexing="ij")
z = np.hypot(*grid)
z[z > 1] = np.nan
with np.errstate(all="ignore"):
    out = np.array([np.nanmax(z), np.nanmean(z), np.isnan(z).sum(), np.prod(z.shape)])
"""]


class Unmodified(unittest.TestCase):
    def test_programs(self):
        for i, program in enumerate(PROGRAMS):
            with self.subTest(program=i):
                ours, theirs = {"np": np}, {"np": numpy}
                exec(program, ours)
                exec(program, theirs)
                numpy.testing.assert_allclose(numpy.asarray(ours["out"]), theirs["out"], rtol=1e-9)


if __name__ == "__main__":
    unittest.main()
