"""The documented forms of a function beside its plain call, for leaves.py: out=, where=, keepdims= and other
parameters with words or truth values, the methods of ufuncs, and distributions with arrays as parameters."""

# Words that parameters of these names take somewhere: what a function refuses is left out.
WORDS = {
    "mode": """'wrap' 'clip' 'full' 'same' 'valid' 'edge' 'linear_ramp' 'maximum' 'mean' 'median' 'minimum' 'reflect'
        'symmetric' 'empty' 'nearest' 'mirror' 'constant' 'grid-wrap' 'reduced' 'complete' 'r' 'raw' 'economic'
        'interp'""".split(),
    "method": """'inverted_cdf' 'averaged_inverted_cdf' 'closest_observation' 'interpolated_inverted_cdf' 'hazen'
        'weibull' 'median_unbiased' 'normal_unbiased' 'lower' 'higher' 'midpoint' 'nearest' 'fft' 'direct'""".split(),
    "kind": ["'stable'", "'quicksort'"], "side": ["'right'"], "norm": ["'ortho'", "'forward'"],
    "ord": ["1", "2", "3", "np.inf", "'fro'", "'nuc'"], "order": ["'F'", "0", "1", "5"], "type": ["1", "3", "4"],
    "dtype": ["'f4'", "'c16'", "'i8'"], "ddof": ["1"], "correction": ["1"], "prepend": ["0.0"], "append": ["0.0"],
    "indexing": ["'ij'"], "weights": ["y", "q"], "initial": ["1.0"], "padtype": ["'mean'", "'line'"],
    "edge_order": ["2"], "UPLO": ["'U'"], "uplo": ["'U'"], "trans": ["1"], "assume_a": ["'pos'", "'sym'"],
    "to_begin": ["0.0"], "to_end": ["x[:3]"], "left": ["0.5"], "period": ["1.5"], "p": ["y / y.sum()"],
    "replace": ["False"], "axes": ["(1, 0)", "((1,), (0,))"], "s": ["(64, 64)"], "nan": ["2.5"],
    "casting": ["'unsafe'"], "scaling": ["'spectrum'"], "detrend": ["'linear'"], "origin": ["1"], "cval": ["0.5"],
    "structure": ["np.ones((3, 3))"], "footprint": ["np.ones((3, 3))"], "sampling": ["(1.0, 2.0)"],
    "iterations": ["3"], "minlength": ["200"], "range": ["(0.2, 0.7)"], "bins": ["50"],
}
REDUCTIONS = ("own", "x", "square", "axis 0")  # layouts whose forms are tried: of the others the plain call is enough
# Distributions: the arguments without size; what they have as arrays is (…) + g, g between 0 and 1.
DRAWN = {
    "beta": "0.5 + g, 0.7 + g", "binomial": "10, g", "chisquare": "0.5 + g", "exponential": "0.5 + g",
    "f": "3.0 + g, 4.0 + g", "gamma": "0.5 + g, 2.0", "geometric": "0.1 + g / 2", "gumbel": "g, 1.0 + g",
    "hypergeometric": "10 + k % 5, 20, 7", "laplace": "g, 1.0 + g", "logistic": "g, 1.0 + g", "lognormal": "g, 1.0 + g",
    "logseries": "0.1 + g / 2", "negative_binomial": "3.0 + g, 0.1 + g / 2", "noncentral_chisquare": "3.0 + g, 1.0 + g",
    "noncentral_f": "3.0 + g, 4.0, 1.0 + g", "normal": "g, 1.0 + g", "pareto": "1.0 + g", "poisson": "1.0 + 20 * g",
    "power": "1.0 + g", "rayleigh": "1.0 + g", "standard_gamma": "0.5 + 2 * g", "standard_t": "3.0 + g",
    "triangular": "-1.0 - g, g - 0.5, 1.0 + g", "uniform": "g, 1.0 + g", "vonmises": "g, 1.0 + g", "wald": "1.0 + g, 1.0",
    "weibull": "1.0 + g", "zipf": "2.0 + g", "randint": "0, 5 + k % 7", "integers": "0, 5 + k % 7",
}
# What Generators and others have beside the registry's rows, and calls with parameters of their own.
MORE_DRAWN = """integers(0, 100, n); integers(0, 100, n, dtype='i4'); integers(0, 9, n, endpoint=True); random(n, dtype='f4');
    standard_normal(n, dtype='f4'); standard_exponential(n, dtype='f4'); standard_gamma(1.5, n, dtype='f4'); random((r, r));
    random(out=np.empty(n)); standard_normal(out=np.empty(n)); permuted(m, axis=0); permuted(x); permutation(m); permutation(n);
    shuffle(m.copy()); choice(x, n); choice(n, 1000, replace=False); choice(x, n, p=y / y.sum()); choice(m, r);
    multinomial(10, [0.2, 0.3, 0.5], n // 3); dirichlet([0.2, 0.5, 0.8], n // 3); bytes(n); poisson(20.0, n); poisson(0.5, n);
    multivariate_normal([0.0, 1.0], [[1.0, 0.5], [0.5, 2.0]], n // 2); binomial(1000, 0.3, n); binomial(5, 0.3, n);
    multivariate_hypergeometric([10, 20, 7], 9, n // 3); hypergeometric(100, 200, 70, n); gamma(20.0, 1.0, n);
    beta(5.0, 7.0, n); standard_t(5.0, (r, r)); tomaxint(n); random_integers(1, 9, n); interval(100, n);
    uniform(0, 1, (r, r), dtype='f4'); normal(0, 1, (r, r), dtype='f4')""".replace("\n", " ").split("; ")


def forms(row, layout, text):
    """(form, text) of each further call like the plain one."""
    names = {p[0]: p[1] for p in row.parameters}
    if layout not in REDUCTIONS or not text.endswith(")"):
        return
    def more(words):
        return text[:-1] + (words if text.endswith("()") else ", " + words) + ")"
    if "out" in names and "out=" not in text:
        yield "out=", more("out=like(%s)" % text)
    if "where" in names and row.name != "where":
        for mask in ("c", "c.reshape(r, r)"):
            yield "where=", more("where=" + mask)
    for name, default in names.items():
        given = name + "=" in text
        if default in ("True", "False") and not given:
            yield name + "=", more("%s=%s" % (name, default == "False"))
        elif default is not None and not given:
            for word in WORDS.get(name, ()):
                yield name + "=", more("%s=%s" % (name, word))


def methods(row):
    """(method, text) of each call of a ufunc's methods."""
    if not row.has_free_where or row.section not in ("numpy", "numpy.linalg"):
        return
    f, operands = row.callee, [p for p in row.parameters if p[2] == "/"]
    if len(operands) == 1:
        yield "at", f + ".at(x.copy(), k)"
        yield "at", f + ".at(k.copy(), k)"
    for a, b, s, t in (("x", "y", "m", "q"), ("k", "k", "k.reshape(r, r)", "k.reshape(r, r)")) * (len(operands) == 2):
        for call in ("(%s)" % a, "(%s, axis=0)" % s, "(%s, axis=1)" % s):
            for method in ("reduce", "accumulate"):
                yield method, f + "." + method + call
                yield method, "%s.%s%s, out=like(%s.%s%s))" % (f, method, call[:-1], f, method, call)
            yield "reduce", f + ".reduce" + call[:-1] + ", keepdims=True)"
            yield "reduce", f + ".reduce" + call[:-1] + ", where=c, initial=1)"
            yield "reduceat", f + ".reduceat" + call.replace(",", ", few,").replace(a + ")", a + ", np.arange(0, n, 7))")
        yield "reduce", f + ".reduce(%s, axis=None)" % s
        yield "outer", f + ".outer(%s[:r], %s[:r])" % (a, b)
        yield "at", f + ".at(%s.copy(), k, %s)" % (a, b)
        yield "at", f + ".at(%s.copy(), k %% 97, %s)" % (a, b)


def drawn(row):
    """Calls of a distribution with arrays as parameters, in np.random's name."""
    if row.section == "numpy.random" and row.name in DRAWN:
        yield "np.random.%s(%s)" % (row.name, DRAWN[row.name])
        yield "np.random.%s(%s, size=(2, n))" % (row.name, DRAWN[row.name])


def more_drawn():
    """(name, call) of what streams of random numbers have beside the registry's rows."""
    for call in MORE_DRAWN:
        call = call.strip()
        yield call.split("(")[0], "np.random." + call
