"""Asks CPython and NumPy which names values of each kind have, and writes objects.gx and members.gx:
gx must have each, or refuse it for a reason that stands here.

    make_names.py            with CPython 3.13 or newer and NumPy; writes
                             tests/lang/python/objects.gx and tests/lang/numpy/members.gx

A name that gx has not is an entry of ABSENT or ABSENT_NUMPY; an entry that gx has by now fails the
test, too."""
import os
import sys

import tables

PYTHON = os.path.join(tables.TESTS, "lang", "python")

# Values of each kind, in the language that both speak.
SETUP = '''
def function(a, b=1): return a
def generator_function(): yield 1
class Class:
    def method(self): pass
    @property
    def prop(self): return 1
class Slotted: __slots__ = ('a',)
def made(kind):
    if kind is UnicodeDecodeError: return kind('a', b'b', 0, 1, 'c')
    if kind is UnicodeEncodeError: return kind('a', 'b', 0, 1, 'c')
    if kind is UnicodeTranslateError: return kind('b', 0, 1, 'c')
    return kind()
def traced():
    try: 1 / 0
    except ZeroDivisionError as e: return e.__traceback__
def closed():
    x = 1
    return lambda: x
'''
KINDS = [
    ("function", "function"), ("lambda", "lambda: 0"), ("method", "Class().method"),
    ("builtin function", "len"), ("builtin method", "[].append"),
    ("generator", "generator_function()"), ("generator expression", "(x for x in [])"),
    ("class", "Class"), ("instance", "Class()"), ("object", "object()"),
    ("instance with slots", "Slotted()"), ("slot", "Slotted.a"),
    ("property", "Class.__dict__['prop']"), ("staticmethod", "staticmethod(function)"),
    ("classmethod", "classmethod(function)"), ("super", "super(Class, Class())"),
    ("code", "function.__code__"), ("cell", "closed().__closure__[0]"),
    ("traceback", "traced()"), ("frame", "traced().tb_frame"),
    ("None", "None"), ("NotImplemented", "NotImplemented"), ("Ellipsis", "..."), ("type", "type"),
]
EXCEPTIONS = [n for n in dir(__builtins__) if isinstance(getattr(__builtins__, n), type)
              and issubclass(getattr(__builtins__, n), BaseException)
              and n not in ("BaseExceptionGroup", "ExceptionGroup", "_IncompleteInputError")]

PICKLE = "gx has no pickle"
BYTECODE = "gx has no bytecode"
ORDER = "object's own < only says NotImplemented"
LAYOUT = "gx lays values out in its own way"
# Names by kind; "*" is every kind. Why gx does without.
ABSENT = {
    "*": {
        "__dir__": "dir() gives it", "__getstate__": PICKLE, "__reduce__": PICKLE,
        "__reduce_ex__": PICKLE, "__sizeof__": LAYOUT, "__subclasshook__": "of abstract classes only",
        "__lt__": ORDER, "__le__": ORDER, "__gt__": ORDER, "__ge__": ORDER,
        "__weakref__": "gx has no weak references", "__text_signature__": "help() shows it",
        "__firstlineno__": "of classes it is not kept", "__static_attributes__": "not collected",
        "__builtins__": "builtins are the same everywhere",
    },
    "function": {}, "lambda": {},
    "method": {},
    "builtin function": {"__self__": "it has none", "__module__": "help() tells it", "__qualname__": "its __name__"},
    "builtin method": {"__module__": "of its type", "__qualname__": "its __name__"},
    "generator": {"__class_getitem__": "not for annotations", "__del__": "close() does it"},
    "generator expression": {"__class_getitem__": "not for annotations", "__del__": "close() does it"},
    "slot": {},
    "property": {"__isabstractmethod__": "of its getter", "__name__": "of its getter",
                 "__set_name__": "gx calls none"},
    "staticmethod": {"__isabstractmethod__": "of its function"},
    "classmethod": {"__isabstractmethod__": "of its function"},
    "super": {"__get__": "a bound super stays bound", "__self__": "the second argument",
              "__self_class__": "of the second argument", "__thisclass__": "the first argument"},
    "code": {n: BYTECODE for n in (
        "_co_code_adaptive", "_varname_from_oparg", "co_code", "co_consts", "co_exceptiontable",
        "co_lines", "co_linetable", "co_lnotab", "co_names", "co_positions", "co_stacksize", "replace",
        "__replace__")},
    "frame": {n: "a traceback keeps no variables" for n in (
        "clear", "f_builtins", "f_globals", "f_locals", "f_trace", "f_trace_lines",
        "f_trace_opcodes", "f_generator")},
    "class": {"__subclasscheck__": "abc registers classes", "__instancecheck__": "abc registers classes"},
    "type": {n: "memory is gx's own affair" for n in (
        "__basicsize__", "__dictoffset__",
        "__flags__", "__itemsize__", "__weakrefoffset__", "__or__", "__ror__")},
    "None": {"__bool__": "bool() tells it"},
    "NotImplemented": {"__bool__": "bool() tells it"},
}


# NumPy's values.
SETUP_NUMPY = "import numpy as np"
SCALARS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool float16 float32 float64 complex64 complex128"
KINDS_NUMPY = [(n, "np.%s(1)" % n) for n in SCALARS.split()] + [
    ("ndarray", "np.zeros((2, 2))"), ("ufunc", "np.add"),
    ("flags", "np.zeros(3).flags"), ("flatiter", "np.zeros(3).flat"), ("finfo", "np.finfo('f8')"),
    ("iinfo", "np.iinfo('i8')"), ("Polynomial", "np.polynomial.Polynomial([1, 2])"),
    ("poly1d", "np.poly1d([1, 2])"), ("Generator", "np.random.default_rng(1)"),
    ("RandomState", "np.random.RandomState(1)"), ("PCG64", "np.random.PCG64(1)"),
    ("MaskedArray", "np.ma.array([[1, 2]])"),
    ("nditer", "np.nditer(np.zeros(3))"), ("broadcast", "np.broadcast(1, 2)"),
    ("ndenumerate", "np.ndenumerate(np.zeros(2))"), ("ndindex", "np.ndindex(2)"),
    ("vectorize", "np.vectorize(abs)"), ("errstate", "np.errstate()"),
]
ADDRESS = "gx shows no addresses of memory"
NO_ITEMS = {"__delitem__": "it says that nothing can be deleted"}
ABSENT_NUMPY = {
    "*": dict(ABSENT["*"], **{
        "__setstate__": PICKLE, "__getnewargs__": PICKLE, "dump": PICKLE, "dumps": PICKLE,
        "__array_struct__": ADDRESS, "__buffer__": "memoryview() gives it", "data": "memoryview() gives it",
        "ctypes": ADDRESS, "__class_getitem__": "annotations are given as they are",
        "__getformat__": "floats are IEEE's", "__module__": "repr() tells it", "__dict__": "all its names are of the class",
        "__slots__": LAYOUT, "__abstractmethods__": "its class is a plain one"}),
    "flags": NO_ITEMS, "flatiter": dict(NO_ITEMS, __array__="np.asarray() takes it as it is"),
    "Polynomial": {"__rtruediv__": "a number divided by a polynomial is refused without it"},
    "ndenumerate": {"iter": "the walk inside"},
    "nditer": dict(NO_ITEMS, **{n: "gx chooses how it walks" for n in (
        "copy", "__copy__", "debug_print", "enable_external_loop", "iterationneedsapi", "iterrange", "itviews",
        "remove_axis", "remove_multi_index")}),
    "PCG64": {n: "other libraries' doors" for n in ("capsule", "ctypes", "lock")},
    "ufunc": {"__qualname__": "its __name__", "__signature__": "help() shows it"},
}
for kind in SCALARS.split():
    ABSENT_NUMPY[kind] = {"sort": "a number has no order"}
ABSENT_NUMPY["float64"]["fromhex"] = "float.fromhex gives it"
ABSENT_NUMPY["MaskedArray"] = dict(toflex="gx has no records", torecords="gx has no records")


def names(expression, setup):
    scope = {}
    exec(setup, scope)
    value = eval(expression, scope)
    return sorted(n for n in dir(value) if has_name(value, n))


def has_name(value, name):
    try:
        return hasattr(value, name)
    except Exception:  # another library is wanted, or a state that this value has not
        return False


def own(name):
    "Is a name NumPy's own?"
    if "pyx" in name or "cython" in name:
        return True
    return name[0] == "_" and not (name.startswith("__") and name.endswith("__"))


def put(f, text, words):
    """Words behind a text, in lines of at most 98 columns."""
    width = len(text)
    for word in words:
        comma = "," if word[0] == "," else ""
        if width + len(word) > 94:
            text, width = text + comma + "\n       ", 7
            comma, word = "", word.lstrip(",")
        text, width = text + comma + " " + word.lstrip(","), width + len(word) + 1
    f.write(text)


def write(folder, file, head, setup, kinds, absent_of):
    has, absent, groups = {}, {}, {}
    for kind, expression in kinds:
        reasons = dict(absent_of["*"], **absent_of.get(kind, {}))
        for name in names(expression, setup):
            if setup == SETUP or not own(name):
                (absent if name in reasons else has).setdefault(kind, []).append(name)
        gone = [n for n in absent.get(kind, ()) if n in absent_of.get(kind, ())]
        key = tuple(has.get(kind, ())), tuple(gone)
        groups.setdefault(key, []).append((kind, expression))
    with open(os.path.join(folder, file), "w") as f:
        f.write("# The names that %s, written by make_names.py: gx has them, or\n"
                "# make_names.py says why not.\n%s\n" % (head, setup.strip()))
        f.write("def check(values, has, absent):\n"
                "    for kind, value in values:\n"
                "        missing = [n for n in has.split() if not hasattr(value, n)]\n"
                "        found = [n for n in absent.split() if hasattr(value, n)]\n"
                "        assert not missing, kind + ' lacks ' + ' '.join(missing)\n"
                "        assert not found, kind + ' has by now ' + ' '.join(found)\n")
        for (there, gone), values in groups.items():
            if len(values) == 1 or "made" not in values[0][1]:
                words = ["(%r, %s)" % v for v in values]
                put(f, "check([" + words[0], ["," + w for w in words[1:]])
                f.write("],\n")
            else:
                put(f, "check([(e.__name__, made(e)) for e in (", [v[0] + "," for v in values])
                f.write(")],\n")
            put(f, "    \'\'\'", there)
            put(f, "\'\'\',\n    \'\'\'", gone)
            f.write("\'\'\')\n")


def main():
    kinds = KINDS + [(n, "made(%s)" % n) for n in EXCEPTIONS]
    write(PYTHON, "objects.gx", "CPython's values have", SETUP, kinds, ABSENT)
    write(os.path.join(tables.TESTS, "lang", "numpy"), "members.gx", "NumPy's values have", SETUP_NUMPY,
          KINDS_NUMPY, ABSENT_NUMPY)
    return 0


if __name__ == "__main__":
    sys.exit(main())
