# What gx and the oracle both run before the programs of a batch: how values and exceptions are told.
import numpy as np
import math
import operator
import itertools
import functools
import collections
import io
import copy
import warnings
import scipy.fft, scipy.linalg, scipy.ndimage, scipy.signal, scipy.signal.windows, scipy.special
warnings.simplefilter('ignore')
np.seterr(all='ignore')
KINDS = [np.linalg.LinAlgError, np.exceptions.AxisError, UnicodeDecodeError, UnicodeEncodeError,
         KeyError, IndexError, ZeroDivisionError, OverflowError, FloatingPointError, AttributeError,
         NameError, StopIteration, NotImplementedError, RecursionError, AssertionError, MemoryError,
         ArithmeticError, ImportError, EOFError, OSError, LookupError, ValueError, TypeError,
         RuntimeError]
MOST = 160

def kind(e):
    for k in KINDS:
        if isinstance(e, k):
            return k.__name__
    return type(e).__name__
def number(v):
    if isinstance(v, complex):
        return repr(float(v.real)) + ',' + repr(float(v.imag))
    if isinstance(v, bool):
        return 'T' if v else 'F'
    return repr(v)
def layout(a):
    return ('C' if a.flags.c_contiguous else '') + ('F' if a.flags.f_contiguous else '') + ('' if a.flags.writeable else 'r')
def tell(v, deep=0):
    if v is None or isinstance(v, (bool, str, bytes, slice)):
        return repr(v)
    if isinstance(v, np.ndarray):
        d = str(v.dtype)
        shape = ','.join([str(n) for n in v.shape])
        if v.dtype.kind not in 'biufc' or v.dtype.itemsize > 16 or d == 'longdouble' or d == 'float128':
            return '~array ' + d + ' (' + shape + ')'
        flat = v.ravel()
        if v.size > MOST:
            flat = np.concatenate([flat[:MOST - 20], flat[-20:]])
        return (d + ' (' + shape + ') ' + layout(v) + ' : ' + ' '.join([number(i) for i in flat.tolist()])).rstrip()
    if isinstance(v, np.generic):
        d = str(v.dtype)
        if v.dtype.kind not in 'biufc' or v.dtype.itemsize > 16 or d == 'longdouble' or d == 'float128':
            return '~scalar ' + d
        return d + ' ' + number(v.item())
    if isinstance(v, (int, float, complex)):
        return type(v).__name__ + ' ' + number(v)
    if isinstance(v, np.dtype):
        return 'dtype ' + str(v)
    if deep > 5:
        return 'deep'
    if isinstance(v, tuple):
        return '( ' + ' ; '.join([tell(i, deep + 1) for i in v[:30]]) + ' )'
    if isinstance(v, list):
        return '[ ' + ' ; '.join([tell(i, deep + 1) for i in v[:30]]) + ' ]'
    if isinstance(v, dict):
        return '{ ' + ' ; '.join([tell(k, deep + 1) + ' : ' + tell(v[k], deep + 1) for k in v]) + ' }'
    if isinstance(v, type):
        return 'type ' + v.__name__
    if callable(v):
        return 'callable'
    return 'object'
def strides(a):
    "Those that matter: along an axis of one element, or in an array of none, any will do."
    return [s for s, n in zip(a.strides, a.shape) if n > 1] if a.size else []
def show(*values):
    print(' | '.join([tell(v) for v in values]))
def settle():
    np.seterr(all='ignore')
    np.random.seed(7)
