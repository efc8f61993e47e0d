"""Compares two outputs: integers, shapes, dtypes and texts exactly, floats by units of the last
place, exceptions by class. Returns None, or what kind of difference it is."""
import math
import re

EPS = {"float16": 2.0**-10, "float32": 2.0**-23, "complex64": 2.0**-23}
TYPES = set("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
            "complex64 complex128".split())
ACCIDENT = " by accident"  # oracle.py: the exception came from no check of the library
STUMBLE = " by a stumble"  # and not from its C code
LEFT_OUT = " left out"  # sides.py: gx refused what NumPy would make objects of
CAST = "!~ cast\n"  # oracle.py: C left some cast of the program to the processor
LOCAL = re.compile(r"program(_\d+)?\.<locals>\.")  # each side has its own name of the function
ADDRESS = re.compile(r"0x[0-9a-f]{6,}(?=>)")
ZERO = re.compile(r"(?<![\d.e])-0\.0(?![\d])")
NUMBER = re.compile(r"^[-+]?(\d|inf|nan)[^:;()]*$")


def parts_of(word):
    try:
        return [float(p) for p in word.split(",")]
    except ValueError:
        return None


def near(a, b, limit, greatest):
    x, y = parts_of(a), parts_of(b)
    if x is None or y is None or len(x) != len(y):
        return False
    if len(x) == 2 and not all(map(math.isfinite, x)) and not all(map(math.isfinite, y)):
        return True  # which parts of a product of infinite complex numbers are nan is open
    size = max([abs(i) for i in y + x if math.isfinite(i)] + [greatest])
    for i, j in zip(x, y):
        if i != i or j != j:
            if not (i != i and j != j):
                return False
        elif i != j and not abs(i - j) <= limit * size:
            return False
    return True


def only_nan_there(a, b):
    """Are all numbers alike but those for which the oracle says nan?"""
    nan = lambda w: "nan" in w.split(",")
    unlike = [(x, y) for x, y in zip(a, b) if NUMBER.match(x) and NUMBER.match(y) and nan(y) and not nan(x)]
    rest = [(x, y) for x, y in zip(a, b) if (x, y) not in unlike]
    return bool(unlike) and all(x == y or (NUMBER.match(x) and NUMBER.match(y) and near(x, y, 2.0**-20, 0.0))
                                for x, y in rest)


def line_kind(a, b):
    a, b = a.split(), b.split()
    if len(a) < 2 and a[:1] == ["!"] or len(b) < 2 and b[:1] == ["!"]:
        return "value"
    if a[:1] == ["!"] and b[:1] == ["!"]:
        return "class %s for %s" % (a[1], b[1])
    if a[:1] == ["!"]:
        return "raises %s" % a[1]
    if b[:1] == ["!"]:
        return "does not raise %s" % b[1]
    for x, y in zip(a, b):
        if x != y:
            if x in TYPES and y in TYPES:
                return "dtype"
            if x.startswith("(") and y.startswith("("):
                return "shape"
            if re.match(r"^[CFr:]+$", x) and re.match("^[CFr:]+$", y):
                return "layout"
            if NUMBER.match(x) and NUMBER.match(y) or {x, y} == {"T", "F"}:
                return "value for nan" if only_nan_there(a, b) else "value"
            return "type" if re.match("[a-zA-Z~(\\[{]", y) else "value"
    return "length"


# What a class is below, besides ArithmeticError and the like: what catches the right one catches the left.
BELOW = {("AxisError", "IndexError"), ("AxisError", "ValueError"), ("LinAlgError", "ValueError"),
         ("UnicodeDecodeError", "ValueError"), ("UnicodeEncodeError", "ValueError"),
         ("OverflowError", "ArithmeticError"), ("ZeroDivisionError", "ArithmeticError"),
         ("KeyError", "LookupError"), ("IndexError", "LookupError"),
         ("NotImplementedError", "RuntimeError"), ("RecursionError", "RuntimeError")}
# The classes by which NumPy refuses an illegal argument. Others are accidents of its Python code:
# an AttributeError says that a number has no .shape, not that numbers are refused.
PROMISED = {"IndexError", "ValueError", "TypeError", "ZeroDivisionError", "AxisError",
            "LinAlgError", "AssertionError"}


def same_refusal(kind, text):
    """Do the two classes of "class X for Y" refuse a call alike? A script that catches what the
    oracle raises must catch what gx raises. SciPy's own checks raise TypeError or ValueError as it
    happens."""
    _, mine, _, its = kind.split(" ")
    if (mine, its) in BELOW or its not in PROMISED:
        return True
    return "scipy" in text and mine in PROMISED and its in ("TypeError", "ValueError", "IndexError")


# What Python code of NumPy and SciPy stumbles over: it subtracts bools, multiplies lists, asks numbers
# for their shape. ValueError and RuntimeError are not here: their C code checks by them.
STUMBLES = {"TypeError", "AttributeError", "KeyError", "IndexError", "AssertionError", "NameError",
            "UnboundLocalError", "OverflowError", "ZeroDivisionError", "error"}


def stumbled(kind, want):
    """Does gx answer where the oracle has no check, but an accident?"""
    words = kind.split(" ")
    return words[:3] == ["does", "not", "raise"] and (
        "! %s%s" % (words[3], STUMBLE) in want or
        words[3] in STUMBLES and "! %s%s" % (words[3], ACCIDENT) in want)


def plain(said):
    for mark in (ACCIDENT, STUMBLE, CAST, LEFT_OUT):
        said = said.replace(mark, "")
    return ADDRESS.sub("0x", LOCAL.sub("", said))


def compare(got, want, units, spread, finest, signed=True):
    """None where the class of a refusal is an accident of the oracle's code, or a value of a cast's,
    or gx leaves objects out; else as differ(). signed: the signs of zeros count."""
    mine, its = plain(got), plain(want)
    if not signed:
        mine, its = ZERO.sub("0.0", mine), ZERO.sub("0.0", its)
    kind = differ(mine, its, units, spread, finest)
    if kind and kind.startswith("value") and CAST in want:
        return None
    if kind and kind.startswith(("raises ", "class ")) and LEFT_OUT in got:
        return None
    return None if kind and kind.startswith("class ") and (ACCIDENT in want or STUMBLE in want) else kind


def differ(got, want, units, spread, finest):
    """units: of the last place; spread: they are of the greatest value; finest: eps of the text."""
    if want.startswith("!!") or "! MemoryError" in want:
        return None  # the limits are this program's own
    if "!! ended" in got:
        return "ended " + " ".join(got[got.index("!! ended") + 9:].split()[:1])
    if got.startswith("!!"):
        return "refused"
    if got == want:
        return None
    got, want = got.split("\n"), want.split("\n")
    eps, greatest = finest, 0.0
    for a, b in zip(got, want):
        if "~" in b or "dtype object" in b:
            return None  # text, objects, dates: left out of gx
        words = b.split()
        for w in words:
            if w in EPS:
                eps = max(eps, EPS[w])
        if spread:
            for w in words:
                if NUMBER.match(w):
                    greatest = max([greatest] + [abs(i) for i in parts_of(w) or []
                                                 if math.isfinite(i)])
        if a == b:
            continue
        mine = a.split()
        if len(mine) != len(words) or not units or mine[0] == "!" or words[0] == "!":
            return line_kind(a, b)
        for x, y in zip(mine, words):
            if x != y and not (NUMBER.match(x) and NUMBER.match(y) and
                               ("." in y or "e" in y or "n" in y) and
                               near(x, y, units * eps, greatest if spread else 0.0)):
                return line_kind(a, b)
    if len(got) != len(want):
        return line_kind((got[len(want):] + ["-"])[0], (want[len(got):] + ["-"])[0])
    return None
