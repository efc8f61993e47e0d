"""Asks NumPy what becomes of a subclass of ndarray in each of its functions, and whether the function
asks __array_function__: writes stdlib/numpy/ufunc/override.def and tests/numpy/subclass.cases.

A row says of each result: K the subclass (a view), W the subclass (by __array_wrap__), - an ndarray,
S the subclass unless subok=False, s only with subok=True, P the subclass where its
__array_priority__ is above 0; a * in front: __array_function__ is asked. The third column is the
method of the array that the function calls, which a subclass may have defined anew."""
import contextlib, io, os, warnings
import numpy as np
import tables

warnings.simplefilter('ignore')
HEAD = '''/* What becomes of a subclass of ndarray in the functions and methods of NumPy: made by
   tests/generators/make_overrides.py. A letter a result, or one for all: K the subclass, as a view; W
   the subclass, by __array_wrap__; - an ndarray; S the subclass unless subok=False, s only with
   subok=True; P the subclass where its __array_priority__ is above 0. A * in front:
   __array_function__ is asked. Then the method that does the work where the subclass has its own. */
'''
SUBCLASS = os.path.join(tables.TESTS, 'numpy', 'subclass.cases')
TEST_HEAD = ["# Of which class the results of NumPy's functions are for a subclass of ndarray: made by",
             "# tests/generators/make_overrides.py, the answers are NumPy's.", '@ import numpy as np',
             '@ from subclass import *', '@@ print(kinds({}))', '']
# What gx leaves out, or prints to stdout.
LEFT_OUT = {'asmatrix', 'histogramdd', 'mintypecode', 'asarray_chkfinite', 'fft.rfftfreq', 'ndarray.dump', 'ndarray.dumps', 'ndarray.getfield'}
events = []


class Sub(np.ndarray):
    def __array_wrap__(self, arr, context=None, return_scalar=False):
        events.append('wrap')
        return super().__array_wrap__(arr, context, return_scalar)


class Above(Sub):
    __array_priority__ = 10


def recording(name):
    def method(self, *args, **kwargs):
        events.append(name)
        return getattr(np.ndarray, name)(self, *args, **kwargs)
    return method


class Recording(Sub):
    pass


for name in dir(np.ndarray):
    if name[0] != '_' and name != 'view' and callable(getattr(np.ndarray, name)):
        setattr(Recording, name, recording(name))

Recording.ptp = lambda self, *args, **kwargs: events.append('ptp') or np.ptp(np.asarray(self))
# Functions named otherwise than the method that they call.
ALSO = {'amax': 'max', 'amin': 'min', 'around': 'round', 'permute_dims': 'transpose'}

M = 'np.array([[4., 1., 2.], [1., 5., 3.], [2., 3., 9.]]).view(Sub)'
V = 'np.array([1., 2., 4.]).view(Sub)'
N = 'np.array([3, 1, 2]).view(Sub)'
CALLS = ['({M})', '({V})', '({N})', '({M}, {M})', '({V}, {V})', '({N}, {N})', '([{M}, {M}])', '([{V}, {V}])',
         '({M}, 0)', '({V}, 0)', '({M}, 1)', '({N}, 1)', '({M}, 0, 1)', '({V}, 1, 2)', '({V}, 0, 0)',
         '({V}, {V}, {V})', '({M}, (3, 3))', '({M}, (0, 1))', '(5, {V})', '({V}, {V}, 1)', '({N}, (4, 4))',
         '("ij->ji", {M})', '("ij->i", {M})', '({V}, 5.0)', '({V}, [0, 1])', '({M}, [0, 1])',
         '({V}, (2, 3))', '({V}, 1, [7.])', '(np.median, 0, {M})', '(lambda x: x, 0, {M})',
         '({V}, [{V} > 1], [5.])', '([{V} > 1], [{V}])', '({V} > 1, {V})', '({V} > 1, {V}, {V})',
         '([{N}], (5,))', '({M}, {V})', '({V}, 3, 0)', '(0., {V})', '([[{M}]])', '({N}, [{V}, {V}, {V}, {V}])',
         '({M}, [{N}, {N}, {N}])', '({M}, {N}[:, None], 0)', '(tuple([{N}]), (5,))', '({N} > 2, {V})',
         '({V}, {V} > 1, {V})', '({M}, {M} > 1, 0.)', '({V}, {V}, np.array([0, 1, 2, 3]))']
METHOD_ARGS = ['()', '(0)', '(1)', '({V})', '({M})', '((3, 3))', '([0, 1])', '(0, 1)', '("f4")',
               '([1, 0, 1], 0)', '(0, 5)', '(np.float32)', '([5., 6., 7., 8., 9.])', '({N})']
SKIP = {'save', 'savez', 'savez_compressed', 'savetxt', 'printoptions', 'tofile', 'dump', 'setflags',
        'put', 'place', 'putmask', 'copyto', 'fill_diagonal', 'put_along_axis', 'einsum_path', 'view', 'setfield',
        'nested_iters', 'info', 'test', 'show_config', 'show_runtime', 'apply_over_axes', 'piecewise', 'fill', 'itemset', 'busday_offset', 'busday_count',
        'is_busday', 'datetime_as_string', 'loadtxt', 'genfromtxt', 'fromregex', 'sort_complex_', 'asmatrix',
        'asfortranarray_', 'empty', 'bmat', 'bartlett', 'memmap', 'frompyfunc', 'vectorize', 'nditer', 'require'}
SUBOK = {'array': 's', 'copy': 's', 'broadcast_to': 's', 'broadcast_arrays': 's', 'zeros_like': 'S',
         'ones_like': 'S', 'empty_like': 'S', 'full_like': 'S', 'ndarray.astype': 'S'}


def fill(text):
    return text.format(M=M, V=V, N=N)


def kinds(value):
    if isinstance(value, Sub): return 'Sub'
    if isinstance(value, np.ndarray): return 'ndarray'
    if isinstance(value, (tuple, list)): return ' '.join(['('] + [kinds(v) for v in value] + [')'])
    return 'other'


def letters(value):
    one = lambda v: ('W' if 'wrap' in events else 'K') if isinstance(v, Sub) else '-'
    if isinstance(value, (tuple, list)):
        if not value: return '-'
        each = [one(v) for v in value]
        return each[0] if len(set(each)) == 1 else ''.join(each)
    return one(value)


def ask(expr, arguments, of=Sub):
    """The first call with a subclass among its results, else the first that succeeds."""
    first = None, None
    for a in arguments:
        text = fill(expr.replace('@', a))
        events.clear()
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                value = eval(text, {'np': np, 'Sub': of})
        except Exception:
            continue
        how = letters(value)
        if how.strip('-'): return how, text
        if first[0] is None: first = how, text
    return first


def method_of(key, expr, arguments):
    """The one method of a subclass that a function asks for and that does its work, or none."""
    name = key.split('.')[-1]
    for a in arguments:
        events.clear()
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                eval(fill(expr.replace('@', a)), {'np': np, 'Sub': Recording})
        except Exception:
            continue
        asked = [e for e in events if e != 'wrap']
        if len(asked) == 1 and asked[0] == ALSO.get(name, name): return asked[0]
    return ''


rows, cases, unknown, methods = [], [], [], {}


def add(key, expr, fn, arguments, default):
    stars = '*' if hasattr(fn, '_implementation') else ''
    if key.startswith('poly'): arguments = [a for a in arguments if '{M}' not in a]
    got, text = ask(expr, arguments)
    if got is None:
        unknown.append(key)
    if key in SUBOK: got = SUBOK[key]
    if got == '-' and (ask(expr, arguments, Above)[0] or '-') != '-': got = 'P'
    if stars: methods[key] = method_of(key, expr, arguments)
    if stars or (got or '-') != default: rows.append((key, stars + (got or '-')))
    if text: cases.append((key, text))


for prefix, module in (('', np), ('linalg.', np.linalg), ('fft.', np.fft)):
    for name in sorted(dir(module)):
        fn = getattr(module, name)
        if name[0] == '_' or name in SKIP or isinstance(fn, (type, np.ufunc)) or not callable(fn): continue
        add(prefix + name, 'np.%s%s@' % (prefix, name), fn, CALLS, '-')
for name in ('array', 'copy', 'put', 'place', 'putmask', 'copyto', 'fill_diagonal', 'put_along_axis', 'einsum_path',
             'piecewise', 'apply_over_axes', 'save', 'savez', 'savez_compressed', 'savetxt'):
    if name in SKIP: rows.append((name, '*' if hasattr(getattr(np, name), '_implementation') else '-'))
for name in sorted(dir(np.ndarray)):
    if name[0] == '_' or name in SKIP or name == 'resize' or not callable(getattr(np.ndarray, name)): continue
    add('ndarray.' + name, M + '.' + name + '@', None, METHOD_ARGS, 'K')
rows.append(('ndarray.view', '-'))
rows = sorted(dict(rows).items())
if __name__ == '__main__':
    with open('stdlib/numpy/ufunc/override.def', 'w') as f:
        f.write(HEAD)
        for key, how in rows: f.write('OVERRIDE("%s", "%s", "%s")\n' % (key, how, methods.get(key, '')))
    lines = []
    for key, text in cases:
        if key in LEFT_OUT: continue
        with contextlib.redirect_stdout(io.StringIO()):
            how = kinds(eval(text, {'np': np, 'Sub': Sub}))
        lines.append(([text], how))
    tables.write(SUBCLASS, TEST_HEAD, lines, apart=False)
    print(len(rows), 'rows; not called:', ' '.join(unknown))
