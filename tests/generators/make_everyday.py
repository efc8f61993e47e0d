#!/usr/bin/env python3
"""Writes the answers of tests/lang/everyday/*.cases: what CPython 3.13 prints for each case.

Run by hand, with CPython 3.13, after a change of the cases:
    python3 tests/generators/make_everyday.py [FILE.cases …]
It also writes public.gx beside them: which names the modules have in CPython.
The cases stay as they are; the lines that begin with = are written anew. (The format is told in
docs/testing.md; here a case behind @1 is one line, behind @@ it ends at its answer or an empty
line.)"""
import contextlib
import glob
import importlib
import io
import os
import sys
import textwrap
import warnings

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODULES = """random heapq bisect hashlib re datetime fractions numbers statistics json csv string textwrap pprint difflib
struct base64 binascii zlib gzip pickle shlex html html.entities uuid secrets os os.path stat
pathlib glob fnmatch shutil tempfile weakref gc errno signal platform getpass locale atexit pwd grp
resource argparse logging queue threading concurrent.futures unittest calendar cmath decimal time
sys contextlib urllib.parse array zoneinfo multiprocessing configparser hmac getopt graphlib
linecache copyreg unicodedata codecs zipfile ast html.parser importlib.util urllib""".split()
FOLDER = os.path.join(TESTS, "lang", "everyday")


def names():
    out = {"__name__": "__main__"}
    with open(os.path.join(FOLDER, "told.gx")) as f:
        exec(f.read(), out)
    return out


def cases(lines):
    """(kind, lines): "keep" lines stand as they are; "case" is the text of one case."""
    single, case = False, []
    for line in lines:
        if line.startswith("@") or line.startswith("#") or not line.strip() or line[0] == "=":
            if case:
                yield "case", case
                case = []
            if line.startswith("@1") or line.startswith("@@"):
                single = line.startswith("@1")
            if line[0:1] != "=":
                yield "keep", [line]
        elif single:
            yield "case", [line]
        else:
            case.append(line)
    if case:
        yield "case", case


def answer(text, how, space):
    said = io.StringIO()
    if "{}" in how:
        code = how.replace("{}", text)
    elif how:
        code = "def program():\n" + "".join("    " + x + "\n" for x in text.split("\n")) + how
    else:
        code = text
    with contextlib.redirect_stdout(said), warnings.catch_warnings(action="ignore"):
        exec(code, space)
    return ["= " + x if x else "=" for x in said.getvalue().split("\n")[:-1]]


def write(path):
    with open(path) as f:
        lines = f.read().split("\n")[:-1]
    if "make_everyday" not in "".join(lines[:2]):
        return # another generator's
    out, how, space = [], "", names()
    for kind, text in cases(lines):
        out += text
        if kind == "case":
            out += answer("\n".join(text), how, space)
        elif text[0].startswith("@1") or text[0].startswith("@@"):
            how = text[0][2:].strip()
        elif text[0].startswith("@ ") and text[0] != "@ from told import *":
            exec(text[0][2:], space)
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")


def public(name):
    """The names that a module has of its own: without modules, and what it imports from others."""
    module = importlib.import_module(name)
    given = set(getattr(module, "__all__", ()))
    for key, value in vars(module).items():
        home = getattr(value, "__module__", None)
        if key[0] == "_" or isinstance(value, type(os)): continue
        if home in (None, name, "_" + name, name + "." + str(home).split(".")[-1]): given.add(key)
    return sorted(given)


def write_public():
    with open(os.path.join(FOLDER, "public.gx"), "w") as f:
        f.write("# The public names of modules in CPython 3.13, written by tests/generators/"
                "make_everyday.py.\nNAMES = {}\n")
        for name in MODULES:
            text = f'NAMES["{name}"] = """' + " ".join(public(name)) + '""".split()'
            f.write("\n".join(textwrap.wrap(text, 96, break_on_hyphens=False)) + "\n")


if sys.version_info[:2] != (3, 13):
    sys.exit("make_everyday.py: the answers are CPython 3.13's, this is " + sys.version.split()[0])
for path in sys.argv[1:] or sorted(glob.glob(os.path.join(FOLDER, "*.cases"))):
    write(path)
if not sys.argv[1:]:
    write_public()
