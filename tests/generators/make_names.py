"""Asks CPython which names values of each kind have, and writes objects.gx: gx must have each, or
refuse it for a reason that stands here.

    make_names.py            with CPython 3.13 or newer; writes tests/lang/python/objects.gx

A name that gx has not is an entry of ABSENT; an entry that gx has by now fails the test, too."""
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
    "slot": {"__objclass__": "a class is not kept by its descriptors", "__qualname__": "its __name__"},
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
        "__flags__", "__itemsize__", "__weakrefoffset__", "__or__", "__ror__", "__dict__")},
    "None": {"__bool__": "bool() tells it"},
    "NotImplemented": {"__bool__": "bool() tells it"},
}


def names(expression):
    scope = {}
    exec(SETUP, scope)
    value = eval(expression, scope)
    return sorted(n for n in dir(value) if hasattr(value, n))


def reason(kind, name):
    return ABSENT.get(kind, {}).get(name) or ABSENT["*"].get(name)


def put(f, text, words):
    """Words behind a text, in lines of at most 98 columns."""
    width = len(text)
    for word in words:
        if width + len(word) > 94:
            text, width = text + "\n       ", 7
        text, width = text + " " + word, width + len(word) + 1
    f.write(text)


def main():
    kinds = KINDS + [(n, "made(%s)" % n) for n in EXCEPTIONS]
    has, absent, groups = {}, {}, {}
    for kind, expression in kinds:
        for name in names(expression):
            (absent if reason(kind, name) else has).setdefault(kind, []).append(name)
        gone = [n for n in absent.get(kind, ()) if n in ABSENT.get(kind, ())]
        key = tuple(has.get(kind, ())), tuple(gone)
        groups.setdefault(key, []).append((kind, expression))
    with open(os.path.join(PYTHON, "objects.gx"), "w") as f:
        f.write("# The names that CPython's values have, written by make_names.py: gx has them, or\n"
                "# make_names.py says why not.\n%s\n" % SETUP.strip())
        f.write("def check(values, has, absent):\n"
                "    for kind, value in values:\n"
                "        missing = [n for n in has.split() if not hasattr(value, n)]\n"
                "        found = [n for n in absent.split() if hasattr(value, n)]\n"
                "        assert not missing, kind + ' lacks ' + ' '.join(missing)\n"
                "        assert not found, kind + ' has by now ' + ' '.join(found)\n")
        for (there, gone), values in groups.items():
            if len(values) == 1 or "made" not in values[0][1]:
                f.write("check([%s],\n" % ", ".join("(%r, %s)" % v for v in values))
            else:
                put(f, "check([(e.__name__, made(e)) for e in (", [v[0] + "," for v in values])
                f.write(")],\n")
            put(f, "    \'\'\'", there)
            put(f, "\'\'\',\n    \'\'\'", gone)
            f.write("\'\'\')\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
