"""The calls of tests/bench/every.py: one text for each function of the registry, layout and axis, in
the names of every_head.gx."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz", "differential"))
import registry  # noqa: E402

SECTIONS = ("numpy", "scipy", "Methods of arrays")
NO_WORK = {"numpy.testing", "numpy.polynomial.polyutils"}
# Files, settings, names and types: nothing that grows with an array.
NO_ARRAYS = set("""save savez savez_compressed savetxt load loadtxt genfromtxt fromfile memmap info seterr
    seterrcall geterr geterrcall setbufsize getbufsize set_printoptions get_printoptions printoptions errstate
    array2string array_repr array_str base_repr binary_repr format_float_positional format_float_scientific
    can_cast common_type finfo iinfo isdtype issubdtype min_scalar_type mintypecode promote_types result_type
    typename dtype show_config get_include may_share_memory shares_memory seed get_state set_state tofile dump
    dumps flush to_device get_window set_default_printstyle setflags frompyfunc vectorize nditer ndindex
    ndenumerate fromfunction fromiter fromstring isscalar iterable ndim shape size get set einsum_path
    test set_workers get_workers set_backend next_fast_len nested_iters""".split())
# What changes its first argument gets a copy.
IN_PLACE = set("put place copyto putmask fill_diagonal put_along_axis shuffle .sort .partition .fill .put "
               ".resize .setfield .itemset".split())
# Names of parameters that are no plain array: what is given for them.
GIVEN = {
    "axis": "0", "axis1": "0", "axis2": "1", "source": "0", "destination": "1", "shape": "n",
    "newshape": "n", "new_shape": "(n,)", "dtype": "'f4'", "indices": "k", "ind": "k", "condition": "c",
    "mask": "c", "repeats": "2", "reps": "2", "shift": "3", "n": "n", "M": "n", "N": "r", "kth": "n // 2",
    "indices_or_sections": "[7, 9]", "obj": "5", "values": "x[0]", "vals": "x[:3]", "bins": "s[:: n // 10]",
    "xp": "g", "fp": "g", "arrays": "[x, y]", "tup": "[x, y]", "ary": "x", "keys": "[x, y]", "pad_width": "3",
    "deg": "3", "c": "w", "c1": "w", "c2": "w[:3]", "p": "w", "pol": "w", "roots": "w", "pow": "3", "k": "3",
    "q": "0.3", "func1d": "np.sum", "sigma": "2.0", "size": "3", "weights": "w", "footprint": "np.ones((3, 3))",
    "index": "[1, 2, 3]", "labels": "m", "percentile": "30", "rank": "2", "angle": "30.0", "zoom": "1.5",
    "matrix": "[[0.9, 0.1], [-0.1, 0.9]]", "coordinates": "[m / 2.0, m / 3.0]", "iterations": "2",
    "choices": "[x, y]", "condlist": "[c, ~c]", "choicelist": "[x, y]", "fill_value": "x[0]", "val": "x[0]",
    "start": "1.0", "stop": "9.0", "in2": "w", "v": "w", "window_length": "7", "polyorder": "3", "up": "3",
    "down": "2", "h": "w", "num": "r", "element": "x", "test_elements": "w", "window_shape": "3",
    "multi_index": "(k // r, k % r)", "dims": "(r, r)", "low": "0", "alpha": "0.5", "beta": "8.6",
    "std": "7.0", "at": "50.0", "NW": "2.5", "sig": "7.0", "prototype": "x", "buffer": "x.tobytes()",
    "scl": "2.0", "off": "1.0", "length": "n", "df": "3.0", "mean": "1.0", "scale": "1.0", "left": "-1.0",
    "mode": "0.0", "right": "1.0", "mu": "0.0", "kappa": "1.0", "nonc": "1.0", "dfnum": "3.0", "dfden": "4.0",
    "numtaps": "31", "cutoff": "0.3", "nperseg": "64", "noverlap": "32", "order": "2",
}
# Functions whose parameters mean something of their own.
OWN = {
    "broadcast_to": "(m[0], m.shape)", "where": "(c, x, y)", "clip": "(x, x[3], x[5])", "interp": "(x, g, g)",
    "cross": "(x[:n // 3 * 3].reshape(-1, 3), y[:n // 3 * 3].reshape(-1, 3))", "take_along_axis": "(x, k, 0)",
    "put_along_axis": "(x.copy(), k, y, 0)", "searchsorted": "(s, y)", "digitize": "(x, s[:: n // 10])",
    "bincount": "(k % 97,)", "einsum": "('ij,ij->i', m, q)", "tensordot": "(m, q, 1)", "choose": "(k % 2, [x, y])",
    "unravel_index": "(k, (r, r))", "full": "(n, x[0])", "histogram2d": "(x, y)", "piecewise": "(x, [c], [1, 2])",
    "tri": "(r,)", "eye": "(r,)", "identity": "(r,)", "vander": "(x[:r],)", "outer": "(x[:r], y[:r])",
    "kron": "(m[:3, :3], q)", "meshgrid": "(x[:r], y[:r])", "diag": "(x[:r],)", "diagflat": "(x[:r],)",
    "indices": "((r, r),)", "ix_": "(k[:r], k[:r])", "lexsort": "([x, y],)", "resize": "(x, (n + 7,))",
    "ones": "(n, x.dtype)", "zeros": "(n, x.dtype)", "empty": "(n, x.dtype)", "arange": "(n,)", "copyto": "(x.copy(), y)",
    "linspace": "(0.0, 1.0, n)", "logspace": "(0.0, 1.0, n)", "geomspace": "(1.0, 9.0, n)", "extract": "(c, x)",
    "polyval": "(w, x)", "cov": "(m[:10],)", "corrcoef": "(m[:10],)", "trim_zeros": "(x,)", "rollaxis": "(m, 1)",
    "moveaxis": "(m, 0, 1)", "swapaxes": "(m, 0, 1)", "expand_dims": "(x, 0)", "tile": "(x, 3)", "block": "([[m, q]],)",
    "select": "([c, ~c], [x, y])", "place": "(x.copy(), c, y)", "compress": "(c, x)", "integers": "(0, 100, n)",
    "randint": "(0, 100, n)", "choice": "(n, n)", "permutation": "(x,)", "binomial": "(10, 0.3, n)",
    "hypergeometric": "(10, 20, 7, n)", "multinomial": "(10, [0.2, 0.8], r)", "rand": "(n,)", "randn": "(n,)",
    "random": "(n,)", "random_sample": "(n,)", "ranf": "(n,)", "sample": "(n,)", "bytes": "(n,)",
}
TRIPLE = "x[:n // 3 * 3].reshape(-1, 3)"
# (name, first argument, second argument or None, axis or None)
LAYOUTS = [
    ("x", "x", "y", None), ("reversed", "x[::-1]", "y[::-1]", None), ("step", "x[::2]", "y[::2]", None),
    ("square", "m", "q", None), ("transposed", "m.T", "q", None), ("axis 0", "m", "q", "0"), ("axis 1", "m", "q", "1"),
    ("threes", TRIPLE, None, "1"), ("scalar", "x", "x[3]", None), ("row", "m", "q[0]", None),
    ("column", "m", "q[:, :1]", None), ("definite", "p", "q", None),
]
SHORT = [("short", "x[:r]", "y[:r]", None)]
# The work of these grows with the square of a line's length or faster.
STEEP = set("""roots polyroots poly polypow polymul polydiv toeplitz hankel circulant convolution_matrix dft companion
    matmul_toeplitz solve_toeplitz solve_circulant invhilbert tf2zpk tf2sos tf2ss zpk2sos zpk2tf sos2tf freqs dpss
    roots_legendre roots_laguerre roots_hermite roots_chebyt tril_indices triu_indices fiedler leslie polygrid2d polygrid3d
    cheb1ap cheb2ap cheby2 ellip ellipap sweep_poly chebwin lfilter_zi""".split())


def chosen():
    """The rows that work on arrays; an alias is the same function."""
    return [r for r in registry.read()
            if r.section.startswith(SECTIONS) and r.section not in NO_WORK and not r.alias
            and r.name not in NO_ARRAYS and r.name[0] != "_"]


def callee(row):
    return "." + row.name if row.section.startswith("Methods") else row.callee


def calls(row):
    """(layout, text) of each call to try; what NumPy refuses is left out later."""
    f, method = callee(row), row.section.startswith("Methods")
    required = [p[0] for p in row.parameters if p[1] is None and p[2] in ("/", "=")]
    every = [p[0] for p in row.parameters]
    if not method and row.name in OWN:
        return [("own", f + OWN[row.name].replace(",)", ")"))]
    if not method and "size" in every and row.section == "numpy.random":
        return [("own", "%s(%s)" % (f, ", ".join([GIVEN.get(i, "0.5") for i in required] + ["size=n"])))]
    if row.name in STEEP and required[:1] and required[0] in ("n", "M", "N"):
        return [("own", "%s(%s)" % (f, ", ".join(["9"] + [GIVEN.get(i, "0.5") for i in required[1:]])))]
    if not method and (required[:1] and required[0] in ("n", "M", "N", "shape", "npts") or row.section.endswith("windows")):
        rest = [GIVEN.get(i, "0.5") for i in required[1:]]
        return [("own", "%s(%s)" % (f, ", ".join(["n"] + rest)))]
    found, seen = [], set()
    steep = row.name in STEEP or row.section.startswith("numpy.polynomial") and "axis" not in every
    for layout, a, b, axis in SHORT if steep else LAYOUTS:
        if axis is not None and "axis" not in every:
            continue
        arguments, arrays = [], [a, b]
        if method:
            receiver = a + (".copy()" if "." + row.name in IN_PLACE else "")
            f, arrays = ("(%s)" % receiver if a[0] == "x" and " " in a else receiver) + "." + row.name, [b]
        for name in required:
            if name in GIVEN and (arguments or method or name not in ("n", "c", "p", "v", "k", "condition")):
                arguments.append(axis if name == "axis" and axis else GIVEN[name])
            elif arrays and arrays[0]:
                arguments.append(arrays.pop(0))
                if row.name in IN_PLACE and len(arguments) == 1:
                    arguments[0] += ".copy()"
            else:
                arguments.append("y")
        two = (method or a in arguments) and b in arguments
        if layout in ("scalar", "row", "column") and not two:
            continue
        if layout == "definite" and not ("linalg" in row.section):
            continue
        if axis is not None and "axis" not in required:
            arguments.append("axis=" + axis)
        text = "%s(%s)" % (f, ", ".join(arguments))
        if text not in seen:
            seen.add(text)
            found.append((layout, text))
    return found
