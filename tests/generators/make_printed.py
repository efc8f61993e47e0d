#!/usr/bin/env python3
"""Writes tests/lang/numpy/*.cases: tables of expressions with what NumPy prints.

Run by hand, with NumPy 2.x, after a change of the tables below:
    python3 tests/generators/make_printed.py
An expression that raises prints the exception's name."""
import contextlib
import io
import os
import warnings

import numpy as np

import tables

warnings.simplefilter("ignore")
DTYPES = ["bool", "int8", "int32", "int64", "uint8", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"]
TOPICS = {}
NUMPY = os.path.join(tables.TESTS, "lang", "numpy")


def topic(name, expressions, setup=""):
    TOPICS[name] = (setup, expressions)


def reductions(names, keywords):
    out = []
    for d in DTYPES:
        for f in names:
            for k in keywords:
                out.append("show(np.%s((np.arange(6) * 7 %% 5).astype('%s').reshape(2, 3)%s))" % (f, d, k))
    return out


def shown(expressions):
    return ["repr(%s)" % e for e in expressions]


topic("reduce", reductions(["sum", "prod", "min", "max", "any", "all"],
                           ["", ", axis=0", ", axis=-1", ", axis=(0, 1), keepdims=True"]))
topic("reduce_position", reductions(["argmin", "argmax", "cumsum", "cumprod"],
                                    ["", ", axis=0", ", axis=1"]) +
      reductions(["count_nonzero", "ptp"], ["", ", axis=0"]))
topic("mean", reductions(["mean", "std", "var", "median", "average"], ["", ", axis=0", ", axis=1"]))
topic("nan", reductions(["nansum", "nanmean", "nanmax", "nanmin"], ["", ", axis=0"]) +
      ["np.nanmin([np.nan, 2, 1])", "np.nanargmax([np.nan, 2, 1])", "np.nanmedian([np.nan, 2, 1])",
       "np.nanpercentile([np.nan, 2, 1], 50)", "np.nanstd([np.nan, 2, 1])",
       "np.nancumsum([1, np.nan, 2])", "np.nanargmin([np.nan])"])
topic("sort", reductions(["sort", "argsort"], ["", ", axis=0"]) + reductions(["unique"], [""]) +
      ["np.sort([3, np.nan, 1])", "np.sort([[3, 1], [2, 4]], axis=None)",
       "np.lexsort(([1, 0, 2], [5, 5, 4]))", "np.searchsorted([1, 2, 3], [0, 2, 5])",
       "np.searchsorted([1, 2, 3], 2, side='right')", "np.digitize([0.5, 1.5, 2.5], [0, 1, 2])",
       "np.unique([3, 1, 3, 2], return_index=True, return_inverse=True, return_counts=True)",
       "np.unique(np.array([[1, 2], [1, 2], [0, 1]]), axis=0)", "np.isin([1, 2, 3], [2, 4])",
       "np.union1d([1, 2], [2, 3])", "np.intersect1d([1, 2], [2, 3])",
       "np.setdiff1d([1, 2], [2, 3])", "np.setxor1d([1, 2], [2, 3])"])
topic("create", shown(
    ["np.zeros((2, 3), dtype='%s')" % d for d in DTYPES] +
    ["np.arange(6).astype('%s').reshape(2, 3)" % d for d in DTYPES] +
    ["np.linspace(0, 1, 5)", "np.linspace(0, 10, 3, endpoint=False)",
     "np.linspace(1, 2, 4, dtype=int)", "np.arange(0.1, 1, 0.1)", "np.arange(10, 0, -3)",
     "np.arange(0, 1, 0.1, dtype=np.float32)", "np.arange(5, dtype='f2')", "np.arange(5, step=2)",
     "np.logspace(0, 3, 4)", "np.geomspace(1, 1000, 4)", "np.eye(3)",
     "np.eye(2, 3, k=1, dtype=int)", "np.identity(2)", "np.diag([1, 2, 3])",
     "np.diag([1, 2], k=1)", "np.diag(np.arange(9).reshape(3, 3), k=-1)", "np.tri(3, 4, 1)",
     "np.tril(np.arange(9).reshape(3, 3))", "np.triu(np.arange(12).reshape(3, 4), 1)",
     "np.vander([1, 2, 3], 4)", "np.mgrid[0:3, 0:2]", "np.mgrid[0:1:5j]", "np.indices((2, 3))",
     "np.fromfunction(lambda i, j: i * 10 + j, (3, 2))", "np.full((2, 2), 7)",
     "np.full(3, 1.5, dtype='f4')", "np.full_like(np.arange(3), 9)", "np.empty((0, 3))",
     "np.array([])", "np.zeros((2, 0, 3), dtype=int)", "np.array(5)", "np.array([1, 2.5, True])",
     "np.array([[1, 2], [3, 4]], ndmin=3)", "np.array([[1, 2], [3]])", "np.arange(0, 1, 0)",
     "np.linspace(0, 1, -1)", "np.zeros((2, -1))", "np.array([1, 2], copy=False)",
     "np.frombuffer(b'\\x01\\x02\\x03\\x04', dtype='u2')",
     "np.fromiter((i * i for i in range(4)), dtype=float)",
     "np.meshgrid([1, 2, 3], [4, 5])", "np.meshgrid([1, 2], [4, 5], indexing='ij', sparse=True)",
     "np.linspace([0, 1], [1, 2], 3)", "np.linspace(0, 1, 3, axis=-1)"]))
topic("shape", shown(
    ["np.concatenate([[1, 2], [3]])", "np.stack([[1, 2], [3, 4]], axis=1)",
     "np.vstack([[1, 2], [3, 4]])", "np.hstack([[1, 2], [3]])", "np.dstack([[1, 2], [3, 4]])",
     "np.column_stack([[1, 2], [3, 4]])", "np.append([1, 2], [[3, 4]])", "np.tile([[1, 2]], (2, 2))",
     "np.repeat([1, 2, 3], [1, 0, 2])", "np.repeat(np.arange(4).reshape(2, 2), 2, axis=0)",
     "np.flip(np.arange(6).reshape(2, 3))", "np.flip(np.arange(6).reshape(2, 3), 1)",
     "np.roll(np.arange(6).reshape(2, 3), 1)", "np.roll(np.arange(6).reshape(2, 3), 1, axis=1)",
     "np.roll(np.arange(6).reshape(2, 3), (1, 1), axis=(0, 1))",
     "np.rot90(np.arange(6).reshape(2, 3))", "np.rot90(np.arange(6).reshape(2, 3), 3)",
     "np.split(np.arange(6), 3)", "np.split(np.arange(6), [2, 4])",
     "np.array_split(np.arange(7), 3)", "np.hsplit(np.arange(8).reshape(2, 4), 2)",
     "np.ravel([[1, 2], [3, 4]], order='F')", "np.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape",
     "np.rollaxis(np.zeros((2, 3, 4)), 2).shape", "np.expand_dims([1, 2], (0, 2)).shape",
     "np.squeeze(np.zeros((1, 2, 1)), axis=0).shape", "np.squeeze(np.zeros((1, 2, 1)), axis=1)",
     "np.broadcast_to([1, 2], (2, 2))", "np.broadcast_arrays([1, 2], [[3], [4]])",
     "np.broadcast_shapes((3, 1), (4,))", "np.atleast_2d([1, 2])", "np.resize([1, 2, 3], (2, 2))",
     "np.reshape(np.arange(6), (3, -1))", "np.reshape(np.arange(6), (4, 2))",
     "np.transpose(np.zeros((2, 3, 4)), (1, 0, 2)).shape", "np.concatenate([])",
     "np.block([[np.eye(2), np.zeros((2, 1))], [np.ones((1, 3))]])",
     "np.unstack(np.arange(4).reshape(2, 2))", "np.concatenate([[1], [[2]]])"] +
    ["np.pad(%s)" % a for a in
     ["[1, 2, 3], 2", "[1, 2, 3], (1, 2), mode='edge'",
      "np.arange(4).reshape(2, 2), 1, mode='reflect'", "[1, 2, 3], 2, mode='symmetric'",
      "[1, 2, 3], 3, mode='wrap'", "[1, 2, 3], 2, mode='constant', constant_values=(8, 9)",
      "[1., 2, 3], 2, mode='linear_ramp', end_values=0", "[1, 2, 3], 1, mode='maximum'",
      "[1, 2, 4], 1, mode='mean'"]] +
    ["np.diff([1, 4, 9, 16], n=2)", "np.diff(np.arange(6).reshape(2, 3) ** 2, axis=0)",
     "np.diff([1, 2, 4], prepend=0)", "np.delete([1, 2, 3, 4], [0, 2])",
     "np.delete(np.arange(6).reshape(2, 3), 1, axis=1)", "np.insert([1, 2, 3], 1, 9)",
     "np.insert([1, 2, 3], [1, 2], [8, 9])", "np.insert([1, 2, 3], 1, [8, 9])",
     "np.insert(np.arange(6).reshape(2, 3), 1, 9, axis=1)"]))
topic("index", shown(
    ["np.where([True, False, True], [1, 2, 3], [4, 5, 6])", "np.where(np.arange(4) > 1)",
     "np.nonzero(np.array([[0, 1], [2, 0]]))", "np.argwhere(np.array([[0, 1], [2, 0]]))",
     "np.flatnonzero([0, 1, 2])", "np.take(np.arange(6).reshape(2, 3), [0, 2], axis=1)",
     "np.take([4, 5, 6], [5, -7], mode='wrap')", "np.take([4, 5, 6], [5, -7], mode='clip')",
     "np.diagonal(np.arange(9).reshape(3, 3))", "np.extract([True, False], [1, 2])",
     "np.compress([0, 1], np.arange(4).reshape(2, 2), axis=0)",
     "np.take_along_axis(np.array([[30, 10], [5, 7]]), np.array([[1, 0], [0, 1]]), axis=1)"]))
topic("stats", [
    "np.percentile([1, 2, 3, 4], [25, 50, 75])",
    "np.percentile(np.arange(6).reshape(2, 3), 50, axis=0)", "np.quantile([1., 2, 3, 4], 0.3)"] +
      ["np.quantile([1, 2, 3, 4, 6], %s, method='%s')" % (q, m) for q in (0.1, 0.3, 0.5, 0.9)
       for m in ("linear", "lower", "higher", "midpoint", "nearest", "hazen", "weibull",
                 "inverted_cdf", "median_unbiased", "normal_unbiased")] +
      ["np.median([3, 1, 2, np.nan])", "np.bincount([0, 2, 2, 3])",
       "np.bincount([0, 1], weights=[.5, 1.5], minlength=4)", "np.histogram([1, 2, 1, 4], bins=3)",
       "np.histogram([1, 2, 1, 4], bins=[0, 1, 2, 3])",
       "np.histogram([1., 2, 1, 4], bins=4, density=True)", "np.average([1, 2, 3], weights=[3, 2, 1])",
       "np.max([])", "np.sum([])", "np.argmax([])",
       "np.sum(np.arange(4), where=[True, False, True, False])", "np.max(np.arange(4), initial=10)"])
topic("products", shown(
    ["np.dot(np.eye(2), [1, 2])", "np.dot(np.ones((2, 3, 4)), np.ones((4, 5))).shape",
     "np.matmul(np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2))", "np.outer([1, 2], [3, 4])",
     "np.cross([1, 2, 3], [4, 5, 6])", "np.kron([1, 2], [1, 10])",
     "np.tensordot(np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2), axes=1)",
     "np.linalg.norm([[1, 2], [3, 4]], axis=0)", "np.linalg.inv([[2., 0], [0, 4]])",
     "np.linalg.solve([[3, 1], [1, 2]], [9, 8])", "np.linalg.matrix_power([[1, 1], [0, 1]], 5)",
     "np.linalg.inv(np.zeros((2, 2)))", "np.linalg.inv(np.zeros((2, 3)))",
     "np.linalg.inv(np.zeros(3))", "np.linalg.inv(np.eye(2, dtype='f2'))"]) +
      ["np.dot([1, 2], [3, 4])", "np.inner([1, 2], [3, 4])", "np.linalg.det([[1, 2], [3, 4]])"] +
      ["np.linalg.norm([1, 2, 3], %s)" % o for o in ("1", "2", "3", "0", "np.inf", "-np.inf")] +
      ["np.linalg.norm([[1, 2], [3, 4]], %s)" % o for o in ("'fro'", "1", "-1", "np.inf", "-np.inf")])
topic("einsum", shown(["np.einsum(%s)" % e for e in [
    "'ij,jk', a, b", "'ij->ji', a", "'ii->i', c", "'ij->j', a", "'i,j->ij', [1, 2], [3, 4, 5]",
    "'ij,j', a, [1, 2, 3]", "'...j,j->...', d.transpose(0, 2, 1), [1, 2, 3]", "'ijk,jk->i', d, b",
    "'bij,bjk->bik', d, d.transpose(0, 2, 1)", "'ij,jk,kl->il', a, b, np.ones((4, 2))",
    "'ij...,jk...->ik...', a, b", "'ab,bc', a, a", "'i->k', [1]", "'ba', a",
    "'i,i->i', [1, 2, 3], [2]", "'iij->ij', np.arange(12).reshape(2, 2, 3)"]]) +
      ["np.einsum('ii', c)", "np.einsum('ij->', a)", "np.einsum('ij,ij->', a, a)"],
      "a = np.arange(6).reshape(2, 3)\nb = np.arange(12).reshape(3, 4)\n"
      "c = np.arange(9.).reshape(3, 3)\nd = np.arange(24).reshape(2, 3, 4)")
topic("random", [
    "np.random.rand(3)", "np.random.randn(3)", "np.random.randint(0, 10, 5)",
    "np.random.uniform(1, 2, 3)", "np.random.normal(5, 2, 3)", "np.random.permutation(5)",
    "np.random.choice(5, 3)", "np.random.choice(5, 3, replace=False)",
    "np.random.choice(5, 3, p=[.1, .2, .3, .2, .2])", "np.random.exponential(2, 3)",
    "np.random.randint(0, 2**40, 3)", "rng.random(3)", "rng.integers(0, 10, 5)",
    "rng.standard_normal(3)", "rng.normal(1, 2, (2, 2))", "rng.uniform(-1, 1, 3)",
    "rng.permutation(6)", "rng.choice(10, 4)", "rng.choice(10, 4, replace=False)",
    "rng.choice(20000, 5, replace=False)", "rng.choice(20000, 500, replace=False)[:5]",
    "rng.integers(1, 6, endpoint=True, size=4)", "rng.standard_exponential(3)",
    "rng.normal(size=1000).sum()", "rng.standard_exponential(2000).sum()", "rs.rand(2)",
    "rs.randint(5, size=3)", "np.random.default_rng([1, 2, 3]).random(2)",
    "np.random.default_rng(2**70).random(2)", "np.random.RandomState([1, 2, 3]).rand(2)"],
      "np.random.seed(42)\nrng = np.random.default_rng(12345)\nrs = np.random.RandomState(7)")
topic("fft", shown(
    ["np.fft.%s([1, 2, 3, 4])" % f for f in ("fft", "ifft", "rfft", "fftshift")] +
    ["np.fft.irfft([1, 2, 3])", "np.fft.fftfreq(5, 0.1)", "np.fft.fft2([[1, 2], [3, 4]])", "np.fft.fft([1, 2, 3, 4], 6)",
     "np.fft.fft(np.arange(17.)).real.round(6)", "np.fft.fft([1.0], norm='nope')"]))
topic("methods", [
    "x.shape", "x.dtype", "x.ndim", "x.size", "x.T", "x.nbytes", "x.itemsize", "x.strides", "c.imag",
    "x.imag", "x.base is None", "x.flags.c_contiguous", "x.T.flags.f_contiguous", "x.flat[5]",
    "x.flat[2:4]", "x.reshape(2, -1)", "x.reshape((4, 3), order='F')", "x.astype('i4')",
    "x.astype(int, casting='safe')", "x.sum(axis=1, keepdims=True)", "x.mean(0)", "x.min()",
    "x.std()", "x.var(0, ddof=1)", "x.argmin(1)", "(x > 3).any()", "(x > 3).all(0)", "x.cumsum()",
    "x.round(1)", "x.clip(2, 5)", "c.conj()", "x.flatten('F')", "x.dot(x.T)", "m.tolist()",
    "x.item(5)", "x.item(1, 2)", "x.item()", "m.repeat(2)", "x.nonzero()", "x.diagonal()",
    "x.take([1, 2])", "x.view('i8')[0]", "m.tobytes()", "m.searchsorted(3)", "x.argsort(axis=0)",
    "np.float64(1.5).dtype", "np.float32(1.5).shape", "np.int64(3).item()", "np.float64(2.5).sum()",
    "np.float64(2.5).astype(int)", "x.sum(axis=5)", "x.reshape(5, 5)", "x.foo",
    "np.round([1.2345, 15.5], 1)", "np.round(1.2345, 2)", "np.clip([1, 5], None, 3)",
    "np.asarray(x) is x", "np.array(x) is x", "np.shares_memory(x, x[1:])", "x.T.base is x",
    "np.array2string(x, precision=1)", "np.format_float_positional(1e-7)",
    "np.format_float_scientific(12345.678, precision=2)", "np.result_type('i4', 3.0)",
    "np.promote_types('i4', 'f4')", "np.can_cast('i4', 'f8')", "np.issubdtype('f4', np.floating)",
    "np.finfo('f4').eps", "np.iinfo('i8').max", "np.min_scalar_type(300)",
    "np.allclose([1, 2], [1, 2 + 1e-9])", "np.isclose([1, np.nan], [1, np.nan], equal_nan=True)",
    "np.array_equal([1, 2], [1, 2])", "np.nan_to_num([np.nan, np.inf, 1])"],
      "x = np.arange(12.).reshape(3, 4)\nc = np.array([1 + 2j, 3 - 4j])\nm = np.arange(6)")
topic("print", shown(
    ["np.array([%s])" % v for v in
     ["1e10, 1.5, -3", "0.1, 0.12345678912", "1e-5, 1", "np.nan, 1, -np.inf", "1e8", "99999999.5",
      "1 + 2j, 3.5 - 1j", "complex(np.nan, 1e10)", "5e-324, 1.7e308", "-0.0, 0.0", "1e16, 1",
      "123456.789, 0.001"]] +
    ["np.array([0.1, 1e6, 2/3]).astype('float32')", "np.array([0.1, 1e3, 2/3]).astype('float16')",
     "np.arange(2000)", "np.arange(2000).astype('int8').reshape(40, 50)",
     "np.linspace(0, 1, 30)", "np.arange(1331).reshape(11, 11, 11) / 7", "np.zeros((3, 0, 2))",
     "np.ones((2, 2, 2), dtype=bool)", "np.arange(24).reshape(2, 3, 4)"]) +
      ["np.linspace(0, 1, 30)", "np.arange(24).reshape(2, 3, 4)", "np.array(2.5)",
       "np.array([True, False])"])


TEXTS = ["a", "b", "w", "s"]
topic("text", shown(
    ["%s%s" % (v, f) for v in TEXTS for f in
     ["", "[1]", "[1:]", "[::-1]", "[[2, 0]]", "[%s == %s[1]]" % (v, v), " == %s[::-1]" % v,
      " < %s[::-1]" % v, " >= %s[0]" % v, ".reshape(2, 2).T", ".astype('S')", ".astype('U2')",
      ".dtype.str", ".dtype.kind", ".itemsize", ".nbytes", ".repeat(2)", ".tolist()", ".argsort()",
      ".tobytes()", ".view('u1')[:9]", ".reshape(2, 2).copy('F').flags.f_contiguous"]] +
    ["np.%s" % f.replace("X", v) for v in TEXTS for f in
     ["sort(X)", "argsort(X)", "unique(X)", "unique(X, return_index=True, return_inverse=True, "
      "return_counts=True)", "isin(X, X[:2])", "isin(X, X[:2], invert=True)",
      "concatenate([X, X[:1]])", "stack([X, X])", "tile(X, 2)", "roll(X, 1)", "flip(X)",
      "where(X == X[1], X, X[0])", "take(X, [0, -1])", "append(X, X[1])", "insert(X, 1, X[2])",
      "delete(X, 1)", "searchsorted(np.sort(X), X)", "setdiff1d(X, X[:1])", "union1d(X, X[1:])",
      "intersect1d(X, X[:2])", "argmax(X)", "lexsort((X,))", "nonzero(X)", "count_nonzero(X)",
      "full_like(X, X[1])", "zeros_like(X)", "empty_like(X).dtype.str", "broadcast_to(X, (2, 4))",
      "split(X, 2)", "array_equal(X, X)", "sum(X)", "sin(X)", "mean(X)", "resize(X, 6)",
      "char.upper(X)", "char.lower(X)", "char.capitalize(X)", "char.title(X)", "char.swapcase(X)",
      "char.strip(X)", "char.lstrip(X)", "char.rstrip(X)", "char.str_len(X)", "char.isalpha(X)",
      "char.isdigit(X)", "char.isspace(X)", "char.islower(X)", "char.isupper(X)",
      "char.istitle(X)", "char.isalnum(X)", "char.add(X, X)", "char.multiply(X, 2)",
      "char.multiply(X, [0, 1, 2, -1])", "char.center(X, 7)", "char.ljust(X, 6)",
      "char.rjust(X, [1, 2, 3, 4])", "char.zfill(X, 6)", "char.find(X, X[1][:1])",
      "char.rfind(X, X[1][:1])", "char.count(X, X[1][-1:])", "char.startswith(X, X[1][:1])",
      "char.endswith(X, X[1][-1:])", "char.equal(X, X[::-1])", "char.less(X, X[::-1])",
      "strings.partition(X, X[1][:1])", "char.partition(X, X[1][:1])", "strings.slice(X, 1)",
      "strings.slice(X, 1, 3)", "char.expandtabs(X)", "strings.find(X, X[1][:1], 1, 3)",
      "strings.replace(X, X[1][:1], X[0])", "strings.replace(X, X[1][:1], X[0], 1)",
      "strings.strip(X, X[1][:1])", "strings.index(X, X[0][:0])"]] +
    ["np.array(%s)" % v for v in
     ["['a', 1]", "['a', 1.5, True]", "[1, 2], dtype=str", "[1.5, None], dtype=str",
      "[b'a', b'bc']", "[b'a', 'bc']", "['a', ['b']]", "'abc'", "b'abc'", "['abc', 'd'], dtype='U2'",
      "['abc'], dtype='S'", "['1', '2'], dtype=int", "['1.5'], dtype=float", "[[], []], dtype=str",
      "['it\\'s', 'a\"b', 'x\\ny']", "[['a', 'b'], ['c', 'd']]", "['a' * 80, 'b']", "['a'] * 1001"]] +
    ["np.array(['1', '22']).astype(%s)" % d for d in
     ["int", "float", "'i1'", "complex", "bool", "'S1'", "'U9'"]] +
    ["np.array([1, 22]).astype(%s)" % d for d in ["str", "'U1'", "'S'", "bytes"]] +
    ["np.array(%s).astype(str)" % v for v in
     ["[1.5, 1e20]", "[True, False]", "[1 + 2j]", "[1], dtype='i1'", "[0.1], dtype='f4'"]] +
    ["np.dtype(%s)" % v for v in ["'U3'", "'S3'", "'<U3'", "'|S3'", "str", "bytes", "'U'", "'str'"]] +
    ["np.dtype('U3').name", "np.dtype('S3').name", "np.dtype('U3').num", "np.dtype('U3').alignment",
     "np.dtype('U3') == 'U3'", "np.dtype('U3') < np.dtype('U4')", "np.result_type('U3', 'S5')",
     "np.promote_types('i8', 'U3')", "np.promote_types('f4', 'S3')", "np.can_cast('i8', 'U21')",
     "np.can_cast('U3', 'U2')", "np.can_cast('U3', 'U2', 'same_kind')", "np.can_cast('U3', 'i8')",
     "np.issubdtype('U3', np.str_)", "np.zeros(2, 'U3')", "np.ones(2, 'U3')", "np.full(2, 'ab')",
     "np.full((1, 2), 'abc', dtype='U2')", "np.empty((2, 0), 'U3')", "np.char.decode(b)",
     "np.char.encode(a)", "np.char.mod(np.array(['%d', '%03d']), [1, 2])", "a + a", "a + 'x'",
     "'x' + a", "a * 2", "a == 1", "a < 1", "-a", "np.add(a, a)", "np.equal(a, a)",
     "np.char.translate(a, str.maketrans('a', 'q'))", "np.char.join('-', a)",
     "np.char.isnumeric(a)", "np.char.isdecimal(w)", "np.char.center(a, 5, fillchar='*')",
     "np.char.compare_chararrays(a, a, '<=', True)", "np.meshgrid(a[:2], a[:2])", "np.ix_(a == 'a')",
     "np.loadtxt(['a b', 'cc d'], dtype=str)", "np.loadtxt(['a,b'], dtype='U1', delimiter=',')",
     "np.genfromtxt(['a b', 'cc d'], dtype=str)", "np.genfromtxt(['a', 'b'], dtype=None, encoding='utf-8')"]),
      "a = np.array(['b', 'abc', '', 'Ab c'])\nb = np.array([b'b', b'abc', b'', b' Ab'])\n"
      "w = np.array(['\xe9t\xe9', '\u20acuro', '\U0001f600 x', '\xe9t'])\ns = np.array([' x\\t', '12', 'x1 ', '-7'])")


def run(expression, scope):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        scope["printed"](eval("lambda: " + expression, scope))
    return out.getvalue()


def write(name, setup, expressions):
    scope, cases = {}, []
    with open(os.path.join(NUMPY, "printed.gx")) as f:
        exec(f.read(), scope)
    exec(setup, scope)
    for e in expressions:
        got = run(e, scope)
        if "np." in got or any(line != line.rstrip() or not line for line in got[:-1].split("\n")):
            continue  # a NumPy scalar's repr inside a tuple, blank lines between matrices
        cases.append(([e], got))
    head = ["# What NumPy prints, written by tests/generators/make_printed.py.", "@ import numpy as np",
            "@ from printed import *"] + ["@ " + line for line in setup.rstrip().split("\n") if line]
    tables.write(os.path.join(NUMPY, name + ".cases"), head + ["@@ printed(lambda: {})", ""], cases,
                 apart=False)
    print("%s: %d cases" % (name, len(cases)))


if __name__ == "__main__":
    for topic_name, (topic_setup, topic_expressions) in TOPICS.items():
        write(topic_name, topic_setup, topic_expressions)
