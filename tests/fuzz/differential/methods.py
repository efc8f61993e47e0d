"""Programs of what is no row of gx's registry: methods of random generators and masked arrays,
numpy.testing's asserts, functions of texts, and methods of ufuncs, SciPy's among them."""
import collections

import numpy as np
import scipy.special

import registry

BITS = ["PCG64", "MT19937", "Philox", "SFC64", "PCG64DXSM"]
# Parameters of draws: p a probability, n a count, s a scale above 0, x any number, i an integer.
DRAWS = {
    "random": "", "standard_normal": "", "standard_exponential": "", "standard_cauchy": "",
    "normal": "x s", "uniform": "x x", "exponential": "s", "gamma": "s s", "standard_gamma": "s",
    "beta": "s s", "chisquare": "s", "noncentral_chisquare": "s s", "f": "s s", "noncentral_f": "s s s",
    "standard_t": "s", "vonmises": "x s", "pareto": "s", "weibull": "s", "power": "s", "laplace": "x s",
    "gumbel": "x s", "logistic": "x s", "lognormal": "x p", "rayleigh": "s", "wald": "s s",
    "triangular": "t", "binomial": "n p", "negative_binomial": "n p", "poisson": "s", "zipf": "z",
    "geometric": "p", "hypergeometric": "n n n", "logseries": "l", "multinomial": "n v",
    "dirichlet": "d", "multivariate_normal": "m"}
GENERATOR = dict(DRAWS, integers="i", multivariate_hypergeometric="h", choice="c", permutation="a",
                 permuted="A", shuffle="S", bytes="b", spawn="w")
STATE = dict(DRAWS, randint="i", choice="C", permutation="a", shuffle="S", bytes="b", rand="D", randn="D",
             random_sample="", tomaxint="", get_state="g")
POOL = {
    "x": ["0", "1.5", "-2", "[0.5, 2.0]", "np.array([[1.0], [2.0]])", "np.float32(2)", "10", "True"],
    "s": ["1", "0.5", "2.5", "3", "20", "100.0", "[0.5, 2.0]", "np.array([[1.0], [30.0]])", "[1, 2, 3]", "0.05"],
    "p": ["0.3", "0.5", "0.9", "[0.2, 0.9]", "0.01", "0", "1", "np.float32(0.25)"],
    "n": ["5", "10", "0", "[3, 4]", "100", "1000", "np.int8(7)", "[[2], [5]]"],
    "z": ["2.0", "1.5", "3", "[2, 4.0]", "10"], "l": ["0.5", "0.9", "[0.1, 0.99]", "0"],
    "t": ["0, 1, 2", "-1, 0.5, 3", "0, 0, 1", "[0, 1], 2, 3"],
    "v": ["[0.2, 0.3, 0.5]", "[1.0]", "[0.5, 0.5]", "[[0.5, 0.5], [0.1, 0.9]]"],
    "d": ["[1, 2, 3]", "[0.1, 0.2]", "[5.0]", "(0.05, 0.05, 0.01)"],
    "m": ["[0, 1], [[1, 0], [0, 1]]", "[1.0, 2], [[2, 0.5], [0.5, 1]]", "[0], [[4]]"],
    "h": ["[3, 4, 5], 4", "[10, 2], 5", "[3, 4], 0", "[100, 200, 300], 60", "[3, 4, 5], [2, 4]"],
    "wrong": ["-1", "np.nan", "np.inf", "1.5", "-0.5", "'x'", "[]", "0", "1j", "2**70", "[-1, 1]", "{}", "[[1, 2, 3]]"]}
SIZES = ["3", "(2, 3)", "()", "None", "0", "(2, 0)", "[2]", "np.int64(2)", "5", "(2,)", "(1, 2)", "(2, 2)"]
WRONG_SIZES = ["-1", "2.5", "(2, -1)", "'x'", "(2.0,)", "[[1]]", "True"]
SINGLE = set("random standard_normal standard_exponential standard_gamma".split())
LAYS = ["np.arange(6)", "np.arange(6).reshape(2, 3)", "np.arange(12.0).reshape(3, 4)[:, ::2]", "[1, 2, 3, 4]",
        "np.arange(8)[::-2]", "np.zeros((0, 2))", "np.array(['a', 'b', 'c'])", "np.arange(24).reshape(2, 3, 4)",
        "np.arange(5, dtype='u1')", "np.array([True, False, True])"]

MASKED = """sum({ax}) prod({ax}) mean({ax}) var({ax}) std({ax},ddof=1) min({ax}) max({ax}) ptp({ax}) any({ax}) all({ax})
count({ax}) argmin({ax1}) argmax({ax1}) cumsum({ax1}) cumprod({ax1}) argsort({ax1},kind='stable') anom({ax1}) round(1) clip(0,{n})
filled() filled({n}) compressed() nonzero() ravel() ravel('F') flatten() reshape(-1) reshape(-1,{n}) transpose() swapaxes(0,-1)
squeeze() repeat(2) repeat(2,0) take([0,-1]) take([0,1],{ax1}) diagonal() trace() conj() conjugate() tolist() copy()
compress([True,False,True],0) dot({o}) astype({d}) view() sum({ax},keepdims=True) mean({ax},keepdims=True)
sum({ax},dtype={d}) prod({ax},dtype={d}) mean({ax},dtype={d}) harden_mask() soften_mask() shrink_mask() unshare_mask()
sort() sort(0) put([0,1],[{n},7]) put(0,{n}) put([0,-1],masked([1,2],1)) item(0) min({ax},fill_value=3) max({ax},fill_value=2.5)
argmin(fill_value=7) argmax(fill_value={n}) sort(endwith=False) argsort(endwith=False,kind='stable') iscontiguous()
sum({ax},out=np.zeros(3)) mean({ax},out=np.ma.zeros(3)) min({ax},out=np.zeros(3)) cumsum({ax1},out=np.zeros(3)) byteswap()
__len__() __iter__().__next__() choose([1,2,3],mode='wrap') searchsorted(1) fill({n}) resize(3) product({ax}) set_fill_value({n})
get_fill_value() flat[1] T real imag mask data recordmask hardmask sharedmask baseclass fill_value shape size ndim dtype nbytes""".replace("\n", " ").split()
STORES = ["m[0] = np.ma.masked", "m[{k}] = {n}", "m[{k}] = {o}", "m.mask = True", "m.mask = False", "m.mask = [0, 1, 0]", "m.fill_value = {n}",
          "m[{k}] = np.ma.masked", "m {op}= {o}", "m {op}= {n}", "m.harden_mask()", "m.shape = (-1,)", "m.mask[0] = True", "m.data[0] = 3",
          "m.mask = np.ma.nomask", "del m.shape", "m.flat[1] = {n}", "m.flat = {n}", "m.soften_mask()"]
KEYS = ["0", "-1", "1:", "::2", "[0, 2]", "m > 1", "...", "m.mask", "~m.mask", "[]", "5", "(0, 0)", "None", "[True, False, True]", "np.ma.array([0, 1], mask=[0, 1])"]

ASSERTS = {
    "assert_equal": "", "assert_array_equal": "strict=True|strict=False", "assert_almost_equal": "decimal=1|3|decimal=7",
    "assert_array_almost_equal": "decimal=1|3|decimal=0", "assert_approx_equal": "significant=2|significant=5|1",
    "assert_allclose": "rtol=0.1|atol=0.5|rtol=0, atol=0|equal_nan=False|strict=True|rtol=0.5, atol=1", "assert_array_less": "strict=True",
    "assert_array_max_ulp": "maxulp=3|maxulp=2**60|dtype='f8'", "assert_array_almost_equal_nulp": "nulp=3|nulp=2**50", "assert_string_equal": ""}
TESTED = ["1", "1.0", "np.nan", "[1, 2, 3]", "(1, 2)", "np.array([1, 2, 3])", "np.array([1.0, np.nan, 3.0])", "[1.0, 2.01, 3]", "'ab'", "'abc'", "b'ab'",
          "{'a': 1}", "{'a': 1.0, 'b': [2]}", "[]", "np.array([])", "np.inf", "-np.inf", "0.0", "-0.0", "1 + 2j", "complex(np.nan, 1)", "[[1, 2], [3, 4]]",
          "np.float32(1.0000001)", "1.0000001", "np.array([1, 2, 3], 'f4')", "None", "True", "[1, [2, 3]]", "np.array(['a', 'b'])", "np.array([np.inf, 1.0])",
          "np.array([-np.inf, 1.0])", "np.zeros((2, 3))", "np.zeros((0, 3))", "3", "[3, 3, 3]", "np.array([1, 2, 3], 'u1')", "range(3)", "np.int64(1)",
          "np.array(1)", "np.array([True, False])", "1e300", "2.5", "np.array([1.0, 2.0, 3.0 + 1e-9])", "np.zeros(3)", "-np.zeros(3)", "np.array([[1], [2]])"]

TEXTS = ["['a', 'Bc', '']", "['Hello World', ' tab\\t', 'x']", "'abcabc'", "[['ab', 'cd'], ['Ef', 'aé']]", "['12', '3.5', '-7']", "['aaa', 'aXa']", "[]", "['ß', 'İ', 'ǆ']",
         "['a\\nb', 'c d  e']", "[' x ', '\\u00bd', '٣']"]
BYTES = ["[b'a', b'Bc', b'']", "[b'Hello World', b' tab\\t', b'x']", "b'abcabc'", "[[b'ab', b'cd'], [b'Ef', b'a']]", "[b'12', b'3.5', b'-7']", "[b'\\xff', b'a']"]
STRINGS = {k: p for names, p in [
    ("upper lower capitalize title swapcase isalpha isdigit isspace islower isupper istitle isalnum isnumeric isdecimal str_len", "t"),
    ("add equal not_equal less less_equal greater greater_equal compare_chararrays", "t t"), ("multiply", "t i"), ("mod", "f v"),
    ("center ljust rjust", "t i F?"), ("zfill", "t i"), ("strip lstrip rstrip", "t c?"), ("count find index rfind rindex startswith endswith", "t c i? i?"),
    ("replace", "t c c i?"), ("partition rpartition", "t c"), ("expandtabs", "t i?"), ("join", "c t"), ("split rsplit", "t c? i?"),
    ("splitlines", "t"), ("translate", "t T c?"), ("encode", "U"), ("decode", "B"), ("slice", "t i? i?")] for k in names.split() for p in [p]}
OF_CHAR = {"join", "split", "rsplit", "splitlines", "compare_chararrays"}
OF_STRINGS = {"slice"}


def ufuncs(module, has=None):
    """Names of a module's ufuncs, of those that gx has, by their number of operands; those of several
    core axes and of several results are left out."""
    found = collections.defaultdict(list)
    for name in sorted(dir(module)):
        f = getattr(module, name)
        if isinstance(f, np.ufunc) and not f.signature and not name.startswith("_") and f.nout == 1 \
                and (has is None or name in has):
            found[f.nin].append(name)
    return found


SPECIAL = {row.name for row in registry.read() if row.section == "scipy.special"}
UFUNCS = [("np", ufuncs(np)), ("scipy.special", ufuncs(scipy.special, SPECIAL))]


class Methods:
    """A program is an Asked: which name of which group it asks. WHOLE: how many names a group has."""
    KINDS = ("generator", "state", "bits", "masked", "asserts", "strings", "ufuncs", "ufuncs")
    WHOLE = {"Generator": len(GENERATOR), "RandomState": len(STATE), "bit generators": 5,
             "masked arrays": len({m.split("(")[0].split("[")[0] for m in MASKED}), "testing": len(ASSERTS),
             "strings and char": len(STRINGS),
             "ufuncs": sum(len(n) for _, group in UFUNCS for k, n in group.items() if k in (1, 2, 3))}

    def __init__(self, values):
        self.v, self.raw = values, False  # raw: are texts bytes?

    def program(self):
        return getattr(self, self.v.one(*self.KINDS))()

    def parameter(self, kind):
        return self.v.one(*POOL["wrong"]) if self.v.chance(0.05) else self.v.one(*POOL[kind])

    def size(self):
        return self.v.one(*WRONG_SIZES) if self.v.chance(0.08) else self.v.one(*SIZES)

    def integers(self, name):
        v = self.v
        d = v.one("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "bool", "f8")
        low = v.one("0", "-5", "3", "[0, 1]", "100", "2", "1", "-128", "2**31", "2**40", "None", "2.5")
        high = v.one("10", "256", "127", "1", "2**63", "2**64", "2**32", "[5, 9]", "[[3], [200]]", "2**62 + 3", "1000003")
        text = v.one(low, "%s, %s" % (low, high), high, "%s, %s" % (low, high))
        text += v.one(", dtype='%s'" % d, "") + (v.one("", ", endpoint=True") if name == "integers" else "")
        return text + v.one("", ", size=" + self.size())

    def draw(self, name, how, new):
        """new: of Generator, whose draws take dtypes and out."""
        v = self.v
        if how == "i":
            return "%s(%s)" % (name, self.integers(name))
        if how == "c" or how == "C":
            a = v.one("5", "10", "1000", "[3, 1, 2]", "np.arange(6).reshape(2, 3)", "['a', 'b', 'c']", "np.arange(4.0)", "0", "[]", "np.int8(4)", "-1", "2.5")
            p = v.one("", "", ", p=[0.1, 0.2, 0.7]", ", p=[0.25] * 4", ", p=[0.5, 0.6]", ", p=[0, 0.5, 0.5]", ", p=[0.2] * 5")
            more = v.one("", ", replace=False", ", replace=False, shuffle=False" if new else "", ", axis=1" if new else "")
            return "%s(%s, %s%s%s)" % (name, a, self.size(), more, p)
        if how in "aAS":
            x = v.one(*LAYS) if how != "a" or v.chance(0.7) else v.one("5", "0", "np.int64(4)", "2.5", "'ab'", "-3")
            axis = v.one("", ", axis=0", ", axis=1", ", axis=-1") if new else ""
            if how == "A":
                axis += v.one("", "", ", axis=None", ", out=np.zeros((2, 3))", ", out=np.zeros((2, 3), int)")
                axis = axis if axis.count("axis") < 2 else ""
            return "%s(%s%s)" % (name, "x" if how == "S" else x, axis)
        if how == "b":
            return "%s(%s)" % (name, v.one("0", "3", "8", "5", "-1", "2.5", "np.int8(4)"))
        if how == "w":
            return "spawn(2)[%s].random(2)" % v.one("0", "1")
        if how == "g":
            return "get_state()[%s]" % v.one("0", "2", "3", "4")
        if how == "D":
            return "%s(%s)" % (name, v.one("", "3", "2, 3", "0", "-1", "2.5", "(2,)"))
        given = [self.parameter(k) for k in how.split()]
        if how in ("x s", "x x", "s", "s s", "x p") and name not in SINGLE and v.chance(0.15):
            given = given[:-1]
        keywords = ["size=" + self.size()] if v.chance(0.8) else []
        if new and name in SINGLE and v.chance(0.5):
            keywords.append(v.one("dtype='f4'", "dtype=np.float32", "dtype='f8'", "out=np.zeros(3)", "out=np.zeros((2, 3), 'f4')", "dtype='i4'", "dtype='f2'"))
        if new and name == "standard_exponential" and v.chance(0.5):
            keywords.append(v.one("method='inv'", "method='zig'", "method='x'"))
        if new and name == "multivariate_hypergeometric":
            keywords += v.one([], ["method='count'"], ["method='marginals'"])
        if new and name == "multivariate_normal" and v.chance(0.3):
            keywords.append("method=" + v.one("'cholesky'", "'eigh'"))
        return "%s(%s)" % (name, ", ".join(given + keywords))

    def drawn(self, group, methods, maker, new):
        v = self.v
        name = v.one(*methods)
        lines = ["g = " + maker]
        if methods[name] == "S":
            lines.append("x = " + v.one(*LAYS[:5], *LAYS[7:]))
        lines += ["r = g." + self.draw(name, methods[name], new)]
        lines.append("show(r%s, g.%s)" % (", x" if methods[name] == "S" else "", v.one("random()", "normal(size=2)", "bytes(3)")))
        return Asked(lines, group, name)

    def generator(self):
        seed = self.v.one("0", "7", "[1, 2]", "2**40", "123456789")
        bits = self.v.one("default_rng(%s)", "default_rng(%s)", "Generator(np.random.%s(%%s))" % self.v.one(*BITS)) % seed
        return self.drawn("Generator", GENERATOR, "np.random." + bits, True)

    def state(self):
        seed = self.v.one("0", "7", "[1, 2]", "2**31", "np.random.PCG64(3)", "np.random.MT19937(5)")
        return self.drawn("RandomState", STATE, "np.random.RandomState(%s)" % seed, False)

    def bits(self):
        v, name = self.v, self.v.one(*BITS)
        seed = v.one("0", "7", "[1, 2]", "2**70", "np.random.SeedSequence(5)", "np.random.SeedSequence([1, 2], spawn_key=(3,))", "-1", "2.5", "'a'", "np.arange(3)")
        act = v.one("random_raw(3)", "random_raw()", "random_raw((2, 2))", "random_raw(2, output=False)", "jumped().random_raw(2)", "jumped(3).random_raw(2)",
                    "spawn(2)[1].random_raw(2)", "seed_seq.generate_state(3)", "seed_seq.generate_state(2, 'u8')", "seed_seq.spawn(2)[1].generate_state(2)",
                    "seed_seq.entropy", "seed_seq.spawn_key", "seed_seq.n_children_spawned", "seed_seq.pool_size", "seed_seq.pool", "state['bit_generator']",
                    "advance(5)", "advance(2**70).random_raw(1)", "random_raw(-1)", "random_raw(2.5)", "state['has_uint32']")
        return Asked(["g = np.random.%s(%s)" % (name, seed), "r = g." + act, "show(r if not hasattr(r, 'random_raw') else r.random_raw(), g.random_raw(2))"],
                     "bit generators", name)

    # Masked arrays.
    def filled(self, text):
        v, out = self.v, text
        for mark, draw in [("{ax}", lambda: v.one("", "0", "-1", "None", "1", "axis=0", "(0, 1)", "axis=-1", "2")), ("{ax1}", lambda: v.one("0", "-1", "1", "axis=0", "None")),
                           ("{n}", lambda: v.one("1", "0", "2.5", "-3", "300", "True", "np.nan", "1j", "np.ma.masked", "np.int8(2)")),
                           ("{o}", lambda: v.one("m", "2", "[1, 2, 3]", "m[0]", "masked([1, 2, 3], 2)", "np.arange(3)", "np.ma.masked", "m[::-1]", "m.T", "1.5")),
                           ("{d}", lambda: "'%s'" % v.dtype()), ("{k}", lambda: v.one(*KEYS)), ("{op}", lambda: v.one("+", "-", "*", "/", "//", "%", "**", "&", "|", "<<"))]:
            while mark in out:
                out = out.replace(mark, draw(), 1)
        return out.replace("(,", "(")

    def masked(self):
        v = self.v
        a = v.one("masked(%s, %d)" % (v.plain_array(), v.rng.randint(1, 4)), "masked([1, 2, 3], 2)", "masked(np.arange(6).reshape(2, 3), %d)" % v.rng.randint(1, 4),
                  "np.ma.array([1.5, 2.5, -1.0])", "np.ma.array([[1, 2], [3, 4]], mask=True)", "np.ma.array(5, mask=True)", "np.ma.array([1.5, 2, 3], mask=True)", "np.ma.masked_values([1.0, 2, 3], 2)",
                  "masked(np.arange(12.0).reshape(3, 4), 2).T", "np.ma.masked_invalid([1.0, np.nan, np.inf])", "np.ma.array([1, 2, 3], mask=[0, 1, 0], fill_value=7, hard_mask=True)")
        lines = ["m = " + a]
        for _ in range(v.one(0, 0, 1, 2)):
            lines.append(self.filled(v.one(*STORES)))
        text = v.one(*MASKED)
        k = v.rng.random()
        if k < 0.6:
            lines.append("r = m." + self.filled(text))
        elif k < 0.75:
            lines.append(self.filled("r = m[{k}]"))
        elif k < 0.9:
            lines.append(self.filled(v.one("r = m {op} {o}", "r = {o} {op} m", "r = m == {o}", "r = m < {o}", "r = -m", "r = abs(m)", "r = ~m", "r = m @ {o}", "r = divmod(m, {o})", "r = m != {o}")))
        else:
            lines.append("r = " + v.one("str(m)", "repr(m)", "float(m)", "int(m)", "bool(m)", "len(m)", "list(m)", "[*m.flat]", "np.asarray(m)", "np.sum(m)", "np.sqrt(m)", "np.add(m, 1)",
                                        "np.exp(m)", "np.log(m)", "np.maximum(m, 1)", "'%s' % m", "f'{m}'", "np.concatenate([m, m])", "np.where(m > 1, m, 0)", "m in [1]", "2 in m", "m.mask.any()"))
        lines.append("show(r, m, m.fill_value)")
        return Asked(lines, "masked arrays", text.split("(")[0].split("[")[0] if k < 0.6 else "")

    def asserts(self):
        v, name = self.v, self.v.one(*ASSERTS)
        a = v.one(*TESTED)
        b = a if v.chance(0.2) else v.one(*TESTED)
        if v.chance(0.15):
            a, b = v.array(), v.array()
        option = v.one(*ASSERTS[name].split("|"), "") if ASSERTS[name] else ""
        return Asked(["r = np.testing.%s(%s, %s%s)" % (name, a, b, ", " + option if option else ""), "show(r)"], "testing", name)

    def text(self, kind, n=0):
        v = self.v
        if kind in "tUB":
            raw = kind == "B" or kind == "t" and self.raw
            text = "np.array(%s%s)" % (v.one(*(BYTES if raw else TEXTS)), "" if v.chance(0.8) else ", '%s%d'" % ("S" if raw else "U", v.rng.randint(1, 9)))
            text = text.replace("([]", "([], 'S1'" if raw else "([], 'U1'") if "[], '" not in text else text
            if v.chance(0.05):
                return v.one("np.array([1, 2])", "5", "None", "np.array([1.5])")
            return text + (v.one("", "", "[::-1]", "[1:]", "[None]") if "[" in text.split(",")[0] else "")
        if kind == "i":
            return v.one("2", "0", "3", "-1", "5", "[1, 2, 3]", "np.array([1, 2])", "10", "np.int8(3)") if v.chance(0.95) else v.one("1.5", "'x'", "None")
        b = "b" if self.raw and v.chance(0.95) else ""
        if kind == "c":
            return b + v.one("'a'", "'b'", "'ab'", "' '", "''", "'X'") if v.chance(0.8) else self.text("t")
        if kind == "F":
            return b + v.one("'*'", "'-'", "'0'", "'ab'", "''")
        if kind == "f":
            return "np.array([%s'%%d', %s'%%s!'])" % (b, b)
        if kind == "v":
            return v.one("1", "[1, 2]", "(1,)", "2.5", "np.array([3, 4])")
        return "str.maketrans('ab', 'xy')" if not self.raw else "bytes.maketrans(b'ab', b'xy')"

    def strings(self):
        v, name = self.v, self.v.one(*STRINGS)
        self.raw = v.chance(0.4)
        given = []
        for kind in STRINGS[name].split():
            if kind.endswith("?") and v.chance(0.5):
                break
            given.append(self.text(kind[0]))
        module = "char" if name in OF_CHAR else "strings" if name in OF_STRINGS else v.one("strings", "strings", "char")
        if name == "compare_chararrays":
            given += ["'%s'" % v.one("==", "<", ">=", "!="), v.one("True", "False")]
        call = "np.%s.%s(%s)" % (module, name, ", ".join(given))
        return Asked(["r = " + call, "show(r)"], "strings and char", name)

    # Methods of ufuncs.
    def ufuncs(self):
        v = self.v
        module, groups = v.one(*UFUNCS)
        n = v.one(*[n for n in (1, 2, 2, 2, 2, 2, 2, 3) if n in groups])
        name = v.one(*groups[n])
        d = v.one(*(["f8", "f8", "f4", "i8", "c16"] if module != "np" else [v.dtype()]))
        a = v.array(d)
        f = "%s.%s" % (module, name)
        axis = lambda: v.one("", ", 0", ", -1", ", axis=0", ", axis=None", ", axis=1", ", axis=(0, 1)", ", axis=()", ", axis=-2")
        more = lambda *some: "".join(", " + s for s in some if v.chance(0.25))
        dtype = "dtype='%s'" % v.one("f8", "f4", v.dtype())
        out = "out=np.full(%s, 9, '%s')" % (v.shape(), v.one("f8", d, v.dtype()))
        how = v.one("reduce", "reduce", "accumulate", "reduceat", "outer", "at", "names", "call")
        if n == 1 and how in ("reduce", "accumulate", "reduceat", "outer") and v.chance(0.8):
            how = v.one("at", "call")
        lines = ["a = " + a]
        if how == "reduce":
            call = "a%s%s" % (axis(), more(dtype, "keepdims=True", "initial=" + v.one("0", "1", "2.5", "None"), out))
            if v.chance(0.15) and "initial" in call and "out" not in call:
                call += ", where=" + v.mask()
        elif how == "accumulate":
            call = "a%s%s" % (axis(), more(dtype, out))
        elif how == "reduceat":
            call = "a, %s%s%s" % (v.one("[0]", "[0, 1]", "[1, 0]", "[0, 2, 1]", "[]", "[5]", "[-1]", "[0, 0]", "[0.5]"), axis(), more(dtype, out))
        elif how == "outer":
            call = ", ".join(["a"] + [v.array(v.one(d, "f8")) for _ in range(n - 1)]) + more(dtype, "casting='unsafe'")
        elif how == "at":
            call = "a, %s%s" % (v.one("[0]", "[0, 0, 1]", "0", "...", "slice(0, 2)", "[[0, 1]]", "[5]", "[]", "a > 1", "(0, 0)"),
                                "".join(", " + v.one("2", "1.5", "[1, 2, 3]", "0.5", "[0.5]", "1j", v.array(d)) for _ in range(n - 1)))
        elif how == "names":
            return Asked(["show(%s.nin, %s.nout, %s.nargs, %s.identity, %s.__name__, %s.signature)" % ((f,) * 6)], "ufuncs", name)
        else:
            call = ", ".join(["a"] + [v.one("a", "2", "0.5", v.array(d)) for _ in range(n - 1)]) + more(dtype, "where=a != 0, out=np.zeros_like(a)", "casting='same_kind'", "order='F'")
            return Asked(lines + ["r = %s(%s)" % (f, call), "show(r, a)"], "ufuncs", name)
        return Asked(lines + ["r = %s.%s(%s)" % (f, how, call), "show(r, a)"], "ufuncs", name)


class Asked(list):
    """A program's lines, with the group and the name of what it asks."""

    def __init__(self, lines, group, name):
        super().__init__(lines)
        self.group, self.name = group, name
