"""The families of make_calls.py about numpy.ma: each yields (expression, tolerance) from a random generator.

ma(key, mask) is a masked array of x(key): mask is 'some', 'no', 'all' or 'most' (tests/numpy/calls.gx)."""
from call_families import LIBM, every

KINDS = ["f8", "i8", "f4", "i4", "u1", "b1", "c16", "i1", "f2"]
REAL = ["f8", "i8", "f4", "i4", "u1", "i1", "f2"]
MASKS = ["", "", "", ", 'no'", ", 'all'", ", 'most'"]
AXES = ["", "", "0", "1", "-1", "None", "(0, 1)", "()"]


def operand(rng, kinds=KINDS, layouts="mtnkv"):
    return "ma('%s%s'%s)" % (rng.choice(kinds), rng.choice(layouts), rng.choice(MASKS))


def other(rng, kinds=KINDS):
    return rng.choice(["y('%sm')", "y('%s3')", "ma('%sm')", "ma('%s3')", "ma('%s2')", "x('%sm', )"]) % rng.choice(kinds) \
        if rng.random() < 0.7 else rng.choice(["2", "0", "2.5", "-1", "np.ma.masked", "True", "[1, 0, 2]", "1j"])


def masked_operators(rng):
    for i in range(420):
        a = operand(rng, layouts="mtnk")
        op = rng.choice(["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^"])
        b = other(rng)
        yield ("%s %s %s" % (a, op, b) if rng.random() < 0.8 else "%s %s %s" % (b, op, a)), LIBM
    for i in range(60):
        yield "%s%s" % (rng.choice(["-", "+", "abs", "~"]), "(%s)" % operand(rng)), LIBM
    for i in range(60):
        a = operand(rng, layouts="mtnk")
        yield "inplace(%s, '%s', %s)" % (a, rng.choice("+-*/"), other(rng)), LIBM


UNARY = ["exp", "conjugate", "sin", "cos", "arctan", "sinh", "tanh", "abs", "absolute", "angle", "fabs", "negative",
         "floor", "ceil", "around", "logical_not", "sqrt", "log", "log2", "log10", "tan", "arcsin", "arccos", "arccosh",
         "arctanh"]
BINARY = ["add", "subtract", "multiply", "arctan2", "equal", "not_equal", "less_equal", "greater_equal", "less",
          "greater", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "hypot",
          "divide", "true_divide", "floor_divide", "remainder", "fmod", "mod", "maximum", "minimum", "power"]


def masked_functions(rng):
    for (f,) in every(rng, 150, UNARY):
        yield "np.ma.%s(%s)" % (f, operand(rng)), LIBM
    for (f,) in every(rng, 60, [u for u in UNARY if u not in ("around", "angle", "abs")]):
        yield "np.%s(%s)" % (f, operand(rng)), LIBM
    for (f,) in every(rng, 200, BINARY):
        a, b = operand(rng, layouts="mtnk"), other(rng)
        yield "np.ma.%s(%s)" % (f, "%s, %s" % ((a, b) if rng.random() < 0.7 else (b, a))), LIBM
    for (f,) in every(rng, 60, ["add", "subtract", "multiply", "maximum", "less", "hypot", "logical_or", "true_divide"]):
        yield "np.%s(%s, %s)" % (f, operand(rng, layouts="mtnk"), other(rng)), LIBM
    for (f,) in every(rng, 60, ["add", "multiply", "logical_and", "logical_or", "maximum", "minimum"]):
        yield "np.ma.%s.%s(%s)" % (f, rng.choice(["reduce", "reduce"]), operand(rng)), LIBM


REDUCTIONS = ["sum", "prod", "mean", "std", "var", "min", "max", "any", "all", "ptp", "count", "argmin", "argmax"]


def masked_reductions(rng):
    for (f,) in every(rng, 330, REDUCTIONS):
        kinds = REAL if f in ("min", "max", "ptp", "argmin", "argmax") else KINDS
        args = [rng.choice(AXES[:6] if f in ("argmin", "argmax") else AXES)]
        if args[0] and rng.random() < 0.3 and f != "ptp":
            args.append("keepdims=True")
        if f in ("std", "var") and rng.random() < 0.3:
            args.append("ddof=1")
        args = ", ".join(a for a in args if a)
        a = operand(rng, kinds)
        yield rng.choice(["%s.%s(%s)" % (a, f, args), "np.ma.%s(%s)" % (f, ", ".join(p for p in (a, args) if p)),
                          "np.%s(%s)" % ("sum" if f == "count" else "max" if f == "ptp" else f,
                                         ", ".join(p for p in (a, args) if p))]), 64
    for (f,) in every(rng, 100, ["cumsum", "cumprod", "anom", "median", "average", "sort", "argsort"]):
        axis = rng.choice(["0", "1", "-1"])
        yield "np.ma.%s(%s, axis=%s)" % (f, operand(rng, REAL, "mtnk"), axis), 64
    for (f,) in every(rng, 40, ["cov", "corrcoef"]):
        a = operand(rng, ["f8", "i8"], "mtk")
        yield "np.ma.%s(%s%s)" % (f, a, rng.choice(["", ", rowvar=False", ", ma('f8m')"])), -4096
    for w in ["[1, 2, 0]", "[[1, 2, 3], [0, 1, 2]]", "ma('f8m')"]:
        for a in ["ma('f8m')", "ma('i8m')", "ma('f8m', 'no')"]:
            yield "np.ma.average(%s, weights=%s, axis=%s, returned=True)" % (a, w, "1" if w[1] != "[" else "None"), 64


MOVES = ["{a}.T", "{a}.reshape(-1)", "{a}.reshape(6, 1)", "{a}.ravel()", "{a}.ravel('F')", "{a}.copy()", "{a}.flatten()",
         "{a}.repeat(2)", "{a}.repeat(2, axis=0)", "{a}.swapaxes(0, 1)", "{a}.diagonal()", "{a}.trace()", "{a}.compressed()",
         "{a}.compress([True, False], axis=0)", "{a}.filled()", "{a}.filled(1)", "{a}.take([0, 1], axis=1)", "{a}.tolist()",
         "{a}.nonzero()", "{a}.astype('f4')", "{a}.astype('i8')", "{a}[0]", "{a}[:, 1]", "{a}[1, 2]", "{a}[::-1]",
         "{a}[[1, 0]]", "{a}[W]", "{a}[..., 0]", "{a}[None]", "{a}[ma('i8m') > 1]", "{a}.fill_value", "{a}.real", "{a}.imag",
         "{a}.round(1)", "{a}.clip(0, 2)", "list({a}.flat)", "{a}.flat[2:4]", "{a}.view(np.ndarray)", "{a}.mask", "{a}.data",
         "{a}.dot(y('i8m').T)", "np.ma.concatenate([{a}, y('f8m')])", "np.ma.concatenate([{a}, {a}], axis=1)",
         "np.concatenate([{a}, {a}])", "np.ma.stack([{a}, {a}])", "np.ma.vstack([{a}, [1, 2, 3]])", "np.ma.hstack([{a}, {a}])",
         "np.ma.dstack([{a}, {a}])", "np.ma.column_stack([{a}, {a}])", "np.ma.append({a}, [9])", "np.ma.resize({a}, (2, 2))",
         "np.ma.expand_dims({a}, 1)", "np.ma.diag({a})", "np.ma.diagflat({a})", "np.ma.where({a} > 1, {a}, 0)",
         "np.ma.where(W, {a}, np.ma.masked)", "np.ma.choose([[0, 1, 0], [1, 0, 1]], [{a}, {a}])", "np.ma.take({a}, [0, 5])",
         "np.ma.outer({a}, [1, 2])", "np.ma.inner({a}, {a})", "np.ma.dot({a}, {a}.T)", "np.ma.dot({a}, {a}.T, strict=True)",
         "np.ma.diff({a})", "np.ma.diff({a}, axis=1, n=2)", "np.ma.ediff1d({a}, to_end=1)", "np.ma.unique({a})",
         "np.ma.unique({a}, return_index=True, return_inverse=True)", "np.ma.union1d({a}, [1, 2])", "np.ma.intersect1d({a}, {a})",
         "np.ma.setdiff1d({a}, [1, 2])", "np.ma.setxor1d({a}, [1, 2])", "np.ma.isin({a}, [1, 2])", "np.ma.in1d({a}, [1, 2])",
         "np.ma.mask_rows({a})", "np.ma.mask_cols({a})", "np.ma.mask_rowcols({a})", "np.ma.compress_rows({a})",
         "np.ma.compress_cols({a})", "np.ma.compress_rowcols({a})", "np.ma.compress_nd({a}, 1)", "np.ma.count_masked({a}, 0)",
         "np.ma.flatnotmasked_edges({a})", "np.ma.flatnotmasked_contiguous({a})", "np.ma.notmasked_edges({a}, axis=1)",
         "np.ma.notmasked_contiguous({a}, axis=0)",
         "np.ma.apply_along_axis(np.sum, 1, {a})", "np.ma.apply_over_axes(np.ma.sum, {a}, [0])", "np.ma.fix_invalid({a})",
         "np.ma.masked_where({a} > 1, {a})", "np.ma.masked_equal({a}, 1)", "np.ma.masked_greater({a}, 1)",
         "np.ma.masked_inside({a}, 0, 2)", "np.ma.masked_outside({a}, 0, 2)", "np.ma.masked_invalid({a})",
         "np.ma.masked_values({a}, 1.5)", "np.ma.masked_not_equal({a}, 1)", "np.ma.getmaskarray({a})", "np.ma.is_masked({a})",
         "np.ma.mask_or({a}.mask, W)", "np.ma.make_mask({a})", "np.ma.allequal({a}, {a})", "np.ma.allclose({a}, {a}.data)",
         "np.ma.vander({a}[0])", "np.ma.zeros_like({a})", "np.ma.masked_all_like({a})", "np.ma.common_fill_value({a}, {a})",
         "np.ma.convolve({a}[0], [1, 1])", "np.ma.correlate({a}[0], [1, 1], propagate_mask=False)", "np.ma.mr_[{a}, {a}]",
         "list(np.ma.ndenumerate({a}))", "np.flip({a}, 1)", "np.roll({a}, 1)", "np.tile({a}, 2)", "np.rot90({a})", "np.diff({a})",
         "np.sort({a})", "np.unique({a})", "np.average({a})", "np.moveaxis({a}, 0, 1)", "np.split({a}, 2)", "np.resize({a}, 3)",
         "np.where({a} > 1, {a}, 0)", "np.vstack([{a}, {a}])", "np.ma.median({a})", "np.add.outer({a}, {a})",
         "np.isclose({a}, 1)", "np.nansum({a})", "np.trapezoid({a})", "np.gradient({a})", "np.broadcast_to({a}, (2, 2, 3))",
         "np.expand_dims({a}, 0)", "np.nonzero({a})", "np.ravel({a})", "np.count_nonzero({a})", "np.ma.array({a}, mask=W)",
         "np.ma.array({a}, mask=W, keep_mask=False)", "np.ma.array([{a}[0], {a}[1]])", "np.asanyarray({a})",
         "np.array({a})", "np.ma.asarray({a}, 'f4')", "np.ma.array({a}, ndmin=3)", "np.ma.array({a}, 'f4', copy=True)"]


def masked_moves(rng):
    for form in MOVES:
        for i in range(3):
            kinds = REAL if any(w in form for w in (">", "sort", "unique", "median", "1d(", "isin", "inside", "outside", "round",
                                                    "clip", "gradient")) else KINDS
            yield form.format(a=operand(rng, kinds, "mtnk")), LIBM


KEYS = ["0", "(0, 1)", "(slice(None), 1)", "[1, 0]", "W", "slice(None, None, -1)", "Ellipsis", "ma('i8m') > 1", "()"]
VALUES = ["7", "np.ma.masked", "ma('f8m')[0]", "np.ma.array([1, 2, 3], mask=[1, 0, 0])", "[4, 5, 6]", "2.5", "np.nan"]


def masked_stores(rng):
    for i in range(160):
        a = operand(rng, layouts="mtk")
        if rng.random() < 0.25:
            a = "np.ma.array(%s, hard_mask=True)" % a
        yield "put(%s, %s, %s)" % (a, rng.choice(KEYS), rng.choice(VALUES)), 0
    acts = ["a.__setitem__(slice(None), 3)", "a.put([0, 4], [8, 9])", "a.put([0, 4], np.ma.array([8, 9], mask=[1, 0]))",
            "a.sort()", "a.sort(axis=0)", "a.sort(endwith=False)", "a.harden_mask()", "a.__setmask__(W)", "a.__setmask__(True)",
            "a.shrink_mask()", "a.unshare_mask()", "a.set_fill_value(5)", "np.ma.putmask(a, W, 1)", "np.ma.put(a, [1], [2])",
            "a.fill(2)", "a.flat.__setitem__(1, 5)",
            "a.T.__setitem__(0, 9)", "a[0].__setitem__(1, np.ma.masked)", "a.ravel().__setitem__(2, np.ma.masked)"]
    for act in acts:
        for i in range(4):
            a = operand(rng, REAL, "mtk")
            yield "done(%s, lambda a: %s)" % (a, act), 0
            if "put(" not in act:  # numpy's, of a hard mask, finds places in one row only
                yield "done(np.ma.array(%s, hard_mask=True), lambda a: %s)" % (a, act), 0


def masked_texts(rng):
    for i in range(120):
        a = operand(rng, ["f8", "i8", "b1", "c16"], "mtkv3Se")
        yield "%s(%s)" % (rng.choice(["repr", "repr", "str"]), a), 0
    for a in ["ma('f8o')", "ma('f8o', 'all')", "ma('i8E')", "np.ma.masked", "np.ma.arange(2000)", "np.ma.masked_less(np.arange(2000), 3)",
              "np.ma.masked_less(np.arange(12.).reshape(2, 2, 3), 3)", "np.ma.array([1, 2], fill_value=7)", "ma('f8m').flat[1:3]",
              "np.ma.masked_equal(np.arange(240).reshape(2, 120), 5)", "ma('i8m')[:, 1]", "ma('i8m') == 1"]:
        yield "repr(%s)" % a, 0
        yield "str(%s)" % a, 0


FAMILIES = {f.__name__: f for f in (
    masked_operators, masked_functions, masked_reductions, masked_moves, masked_stores, masked_texts)}
