#!/usr/bin/env python3
"""Writes tests/numpy/orders.cases: the memory order, contiguity, ownership and writability that NumPy
gives the results of its functions, for operands that lie in memory in nine ways.

    python3 tests/generators/make_orders.py            write the files (NumPy 2.x)
    python3 tests/generators/make_orders.py --show GX  how GX differs, without writing anything

Calls are made from numpy's own list of names: each function and method is called in the forms below,
and every call that NumPy answers with arrays is a row; further expressions are those of
tests/numpy/orders.txt. A row has a result for each layout, in the order of LAYOUTS: its strides in
elements ('-' where a size is one), C and F for contiguity, O for owning, W for writable. KNOWN names
the calls that are left out, with the reason."""
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

import tables

NUMPY = os.path.join(tables.TESTS, "numpy")
with open(os.path.join(NUMPY, "orders.gx")) as f:
    HEAD = f.read()

# Calls that are left out, or whole names.
KNOWN = {
    "np.frexp(a, a.copy())": "one of two results is given: the other follows the operand alone",
    "np.modf(a, a.copy())": "the same",
    "np.geomspace(a, 1)": "of a broadcast array: it follows the order of NumPy's temporaries",
    "np.nanmean(a, axis=0)": "of a broadcast array: it follows a copy that NumPy makes",
    "np.nanmedian": "of a broadcast array: the same",
    "np.nanstd(a, axis=0)": "of a broadcast array: the same",
    "np.nanvar(a, axis=0)": "of a broadcast array: the same",
    "np.histogram": "edges are a view of an array that nobody sees",
    "np.histogram_bin_edges": "the same",
    "np.pad(a, 1)": "in Fortran order it is a view",
    "np.linalg.qr(m)": "r of stacks follows NumPy's workspace",
}

SKIPPED = set("""add_docstring add_newdoc array2string array_repr array_str asmatrix bmat busday_count
    busday_offset busdaycalendar char core ctypeslib datetime_as_string datetime_data
    disp dtypes emath errstate exceptions f2py format_float_positional format_float_scientific
    from_dlpack frombuffer fromfile fromfunction fromiter frompyfunc fromregex fromstring genfromtxt
    get_include get_printoptions getbufsize geterr geterrcall info is_busday isnat iterable load loadtxt
    may_share_memory mintypecode ma matrix memmap ndenumerate ndindex nditer nested_iters poly1d
    printoptions rec recarray record save savetxt savez savez_compressed set_printoptions setbufsize
    seterr seterrcall shares_memory show_config show_runtime strings test testing typing typename
    vectorize empty empty_like resize array2string setflags dump dumps tofile tobytes tolist
    ufunc dtype ndarray object_ generic flatiter broadcast timedelta64 datetime64 str_ bytes_ void
    finfo iinfo issubdtype can_cast result_type common_type min_scalar_type promote_types asarray_chkfinite
    put place putmask copyto fill_diagonal put_along_axis itemset getfield setfield newbyteorder
    sort_complex apply_over_axes""".split())

FORMS = ["{f}(a)", "{f}(a, axis=0)", "{f}(a, axis=1)", "{f}(a, axis=-1)",
         "{f}(a, axis=1, keepdims=True)", "{f}(a, 1)", "{f}(a, a)", "{f}(a, a.copy())", "{f}([a, a])",
         "{f}([a, a], axis=1)", "{f}(a, I)", "{f}(a, J, axis=1)", "{f}(b)", "{f}(i)", "{f}(i, i)"]
METHODS = ["a.{f}()", "a.{f}(axis=0)", "a.{f}(axis=1)", "a.{f}(1)", "a.{f}(I)", "a.{f}(J, axis=1)",
           "a.{f}(axis=1, keepdims=True)", "a.{f}('K')", "a.{f}('A')", "a.{f}('F')"]
SQUARE = ["{f}(m)", "{f}(m, m)", "{f}(m, np.ones((3, 1)))", "{f}(m, 2)"]


def space():
    scope = {}
    exec(HEAD, scope)
    return scope


def answer(scope, call):
    rows = []
    scope["print"] = rows.append
    try:
        exec(f"row(lambda a, i, b, m: {call})", scope)
    except Exception:
        return None
    return rows[0] if rows else None


def is_row(text):
    return text is not None and "!" not in text and any(c in text for c in "OW")


def calls():
    scope = space()
    seen = {}
    for prefix, module, forms in (("np.", np, FORMS), ("np.fft.", np.fft, FORMS[:8]),
                                  ("np.linalg.", np.linalg, SQUARE)):
        for name in sorted(module.__all__):
            f = getattr(module, name, None)
            if name in SKIPPED or not callable(f) or isinstance(f, type):
                continue
            for form in forms:
                call = form.format(f=prefix + name)
                text = answer(scope, call)
                if is_row(text) and text not in seen.setdefault(name, []):
                    seen[name].append(text)
                    yield call, text
    for name in sorted(n for n in dir(np.ndarray) if n[0] != "_"):
        if name in SKIPPED or not callable(getattr(np.ndarray, name)):
            continue
        for form in METHODS:
            call = form.format(f=name)
            text = answer(scope, call)
            if is_row(text) and text not in seen.setdefault("a." + name, []):
                seen["a." + name].append(text)
                yield call, text
    with open(os.path.join(NUMPY, "orders.txt")) as f:
        for line in f:
            call = line.strip()
            if call and not call.startswith("#"):
                text = answer(scope, call)
                if text is None or 'W' not in text:
                    sys.exit(f"NumPy gives no array for {call}: {text}")
                yield call, text


def write(rows):
    tables.write(os.path.join(NUMPY, "orders.cases"), [
        "# needs: host",
        "# Where results lie in memory: NumPy's answers, written by tests/generators/make_orders.py.",
        "@ import numpy as np", "@ from orders import *", "@@ row(lambda a, i, b, m: {})", ""],
        [([call], text) for call, text in rows], apart=False)


def show(gx, rows):
    with tempfile.NamedTemporaryFile("w", suffix=".gx") as f:
        f.write(HEAD)
        for call, _ in rows:
            f.write(f"row(lambda a, i, b, m: {call})\n")
        f.flush()
        out = subprocess.run([gx, f.name], capture_output=True, text=True).stdout.splitlines()
    for (call, text), is_now in zip(rows, out):
        if text != is_now:
            print(f"{call}\n   NumPy {text}\n   gx    {is_now}")


def main():
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    rows = [(c, t) for c, t in calls() if c not in KNOWN and c.split("(")[0] not in KNOWN]
    if sys.argv[1:2] == ["--show"]:
        show(sys.argv[2], rows)
    else:
        write(rows)


if __name__ == "__main__":
    main()
