"""Writes tests/lang/numpy/matrix.cases: expressions about numpy.matrix and nested_iters with NumPy's answers.

    tests/generators/make_matrix.py          # needs NumPy

What the table imports is tests/lang/numpy/matrix_answers.gx, which Python runs as it is."""
import contextlib
import io
import os

ROOM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lang", "numpy")

OPERATIONS = """
m * m
m * 2
2 * m
2.5 * m
m * [[1], [2]]
[1, 2] * m
m * [1, 2]
m * np.ones(3)
m * np.eye(2)
np.eye(2) * m
m * w
w * m
m @ m
m ** 2
m ** 0
m ** -1
m ** 0.5
2 ** m
m + m
m - 1
1 - m
m / m
m % 2
m // 2
-m
abs(m)
m == m
m > [[1, 5], [5, 1]]
np.multiply(m, m)
np.sqrt(m)
np.dot(m, m)
np.dot(m, [1, 2])
m.dot([1, 1])
changed(m, lambda x: x.__imul__(2))
changed(m, lambda x: x.__imul__(x))
changed(m, lambda x: x.__ipow__(2))
"""
MAKING = """
np.matrix('1 2; 3 4')
np.matrix('1,2;3,4')
np.matrix('[1 2; 3 4.5]')
np.matrix('1 2; 3 4', dtype=float)
np.matrix('1 2; 3')
np.matrix('1+2j -3')
np.matrix([1, 2])
np.matrix(3)
np.matrix(np.ones((2, 2, 2)))
np.matrix(np.arange(3))
np.matrix([[1, 2], [3, 4]], dtype='f4')
np.matrix([[1, 2], [3, 4]], copy=False)
np.matrix(m) is m
np.asmatrix(m) is m
np.asmatrix(m, dtype=float)
np.asmatrix(np.arange(4).reshape(2, 2))
np.asarray(m)
np.array(m)
np.bmat([[m, m], [m, m]])
np.bmat([m, m])
np.bmat(np.eye(2))
np.bmat([[np.eye(2), [[1], [2]]]])
np.bmat('m, m; m, m')
np.bmat('a b', {'a': m}, {'b': w[:, :1]})
np.bmat('nothing')
np.arange(4).reshape(2, 2).view(np.matrix)
np.arange(3).view(np.matrix)
"""
PARTS = """
m[0]
m[:, 0]
m[0, 0]
m[0, :]
m[..., 0]
m[[0, 1]]
m[[0, 1], [1, 0]]
m[m > 2]
m[0:0]
m[-1, ::-1]
w[:, 1:]
w[:, [0, 2]]
w[1]
[x for x in m]
len(m)
m.T
w.T
m.H
np.matrix([[1, 2j]]).H
m.I
w.I
m.A
m.A1
m.getA()
m.getA1()
m.getT()
m.getI()
m.shape
m.ndim
m.real
m.tolist()
m.item(1)
m.ravel()
w.ravel('F')
w.flatten()
w.flatten('F')
m.squeeze()
np.matrix([[1], [2]]).squeeze()
m.reshape(4)
w.reshape(3, 2)
m.diagonal()
m.copy()
m.astype(float)
m.swapaxes(0, 1)
m.clip(2, 3)
m.round()
m.take([0])
m.compress([True, False], axis=0)
m.argsort(0)
str(m)
stored(m, (0, 1), 9)
stored(m, 0, [7, 8])
stored(m, (slice(None), 0), [[7], [8]])
stored(m, (slice(None), 0), [7, 8])
stored(m, (slice(None), 1), 5)
"""
FUNCTIONS = """
np.linalg.inv(m)
np.linalg.det(m)
np.linalg.solve(m, np.matrix([[1], [2]]))
np.concatenate([m, m])
np.vstack([m, m])
np.hstack([m, m])
np.sum(m, 0)
np.mean(m, 1)
np.transpose(w)
np.ones_like(m)
np.where(m > 1, m, 0)
np.squeeze(m)
np.kron(m, m)
np.outer(m, m)
np.cumsum(m, 0)
m.cumsum()
m.nonzero()
"""
NESTED = """
walked(np.nested_iters(np.arange(12).reshape(2, 3, 2), [[1], [0, 2]], flags=['multi_index']))
walked(np.nested_iters(np.arange(12).reshape(2, 3, 2), [[0, 2], [1]], flags=['multi_index']))
walked(np.nested_iters(np.arange(6).reshape(2, 3).T, [[0], [1]]))
walked(np.nested_iters([np.arange(6).reshape(2, 3), np.ones((2, 3))], [[0], [1]]))
walked(np.nested_iters(np.arange(6).reshape(2, 3)[:, ::-1], [[0], [1]]))
walked(np.nested_iters(np.arange(6).reshape(2, 3), [[1], [0]], flags=['external_loop']))
walked(np.nested_iters(np.arange(6).reshape(2, 3), [[1], [0]], op_dtypes=['f8'], casting='safe', flags=['buffered']))
walked(np.nested_iters(np.arange(6).reshape(2, 3), [[1], [2]]))
walked(np.nested_iters(np.arange(6).reshape(2, 3), [[1], [1]]))
walked(np.nested_iters(np.arange(6).reshape(2, 3), [[0]]))
len(np.nested_iters(np.arange(8).reshape(2, 2, 2), [[0], [2], [1]]))
doubled(np.arange(6).reshape(2, 3))
"""


def expressions():
    for block in (OPERATIONS, MAKING, PARTS, FUNCTIONS, NESTED):
        yield from block.strip().split("\n")
    for name in "sum prod mean std var max min any all argmax argmin ptp".split():
        for a in ("m", "w", "m[:, :1]"):
            for args in ("", "0", "1", "axis=-1"):
                yield f"{a}.{name}({args})"


def main():
    space = {"__name__": "answers"}
    exec(open(os.path.join(ROOM, "matrix_answers.gx"), encoding="utf-8").read(), space)
    with open(os.path.join(ROOM, "matrix.cases"), "w", encoding="utf-8") as out:
        out.write("# Written by tests/generators/make_matrix.py with NumPy's answers.\n"
                  "@ from matrix_answers import *\n@@ show(lambda: {})\n\n")
        for e in expressions():
            space["m"], space["w"] = space["fresh"]()
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                space["show"](eval("lambda: " + e, space))
            out.write(e + "\n" + "".join("= " + line + "\n" if line else "=\n"
                                         for line in said.getvalue().splitlines()) + "\n")


main()
