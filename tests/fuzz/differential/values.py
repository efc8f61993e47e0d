"""Random arguments, as texts: arrays of every dtype, shape and layout, and a pool for each name of a
parameter."""
import re

INTS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
TYPES = ["b1"] + INTS + ["f2", "f4", "f8", "c8", "c16"]
USUAL = ["f8", "f8", "f8", "i8", "i8", "f4", "i4", "b1", "c16"]
SHAPES = ["()", "(0,)", "(1,)", "(3,)", "(5,)", "(7,)", "(2, 3)", "(3, 3)", "(4, 3)", "(3, 5)",
          "(2, 0)", "(0, 3)", "(3, 1)", "(1, 3)", "(2, 3, 4)", "(4, 1, 3)", "(2, 7)", "(5, 5)",
          "(2, 2)", "(8,)", "(2, 0, 3)", "(17,)", "(3, 2, 2)"]
USUAL_SHAPES = ["(3,)", "(5,)", "(4,)", "(6,)", "(2, 3)", "(3, 3)", "(4, 3)", "(2, 3, 4)"]


class Values:
    masked = False  # are some arrays masked?

    def __init__(self, rng):
        self.rng = rng

    def one(self, *choices):
        return self.rng.choice(choices)

    def chance(self, p):
        return self.rng.random() < p

    def dtype(self):
        return self.rng.choice(TYPES if self.chance(0.6) else USUAL)

    def shape(self):
        return self.rng.choice(SHAPES if self.chance(0.5) else USUAL_SHAPES)

    def small(self):
        return self.rng.choice([0, 1, 2, 3, -1, 1, 2, 3, 4, 5, -2, -3, 7, 10])

    def numbers(self, d, n):
        """n small numbers of the dtype as a list's text; halves and quarters, so that sums are exact."""
        r = self.rng
        if d == "b1":
            return "[%s]" % ", ".join(r.choice(["True", "False"]) for _ in range(n))
        if d[0] == "u":
            return "[%s]" % ", ".join(str(r.randint(0, 9)) for _ in range(n))
        if d[0] == "i":
            return "[%s]" % ", ".join(str(r.randint(-9, 9)) for _ in range(n))
        odd = ["np.nan", "np.inf", "-np.inf", "-0.0", "0.0"] if self.chance(0.2) else []
        if d[0] == "f":
            return "[%s]" % ", ".join(r.choice(odd) if odd and self.chance(0.3)
                                      else str(r.randint(-16, 16) / 4) for _ in range(n))
        return "[%s]" % ", ".join("%s%+gj" % (r.randint(-8, 8) / 2, r.randint(-8, 8) / 2)
                                  for _ in range(n))

    def base(self, d, shape):
        size = 1
        for i in re.findall(r"\d+", shape):
            size *= int(i)
        if shape == "()":
            return "np.array(%s, '%s')" % (self.numbers(d, 1)[1:-1], d)
        how = self.rng.random()
        tail = "" if shape.count(",") == 1 and shape.endswith(",)") else ".reshape%s" % shape
        if size and size <= 24 and how < 0.6:
            return "np.array(%s, '%s')%s" % (self.numbers(d, size), d, tail)
        if how < 0.7:
            return "np.%s(%s, '%s')" % (self.one("zeros", "ones"), shape, d)
        if how < 0.75 and d != "b1":
            return "np.full(%s, %s, '%s')" % (shape, abs(self.small()), d)
        if d == "b1":
            return "(np.arange(%d) %% 3 == 1)%s" % (size, tail)
        if how < 0.85:
            return "(np.arange(%d) %% 5).astype('%s')%s" % (size, d, tail)
        return "np.arange(%d).astype('%s')%s" % (size, d, tail)

    def array(self, d=None, shape=None):
        if self.masked and self.chance(0.6):
            return "masked(%s, %d)" % (self.plain_array(d, shape), self.rng.randint(1, 4))
        return self.plain_array(d, shape)

    def plain_array(self, d=None, shape=None):
        r = self.rng
        d, shape = d or self.dtype(), shape or self.shape()
        text = self.base(d, shape)
        dims = 0 if shape == "()" else len(re.findall(r"\d+", shape))
        if not dims or self.chance(0.55):
            return text
        ways = ["[::-1]", "[::2]", "[1:]", "[..., ::-1]", "[..., 1:]", "[None]", "[::-2]"]
        if dims >= 2:
            ways += [".T", ".T", "[:, ::2]", ".swapaxes(0, -1)", "[:, 1]", "[:, ::-1]", "[:, None]",
                     ".copy(order='F')", ".T[::-1]", "[0]"]
        if d[0] == "c":
            ways += [".real", ".imag"]
        way = r.choice(ways)
        if way == "[0]" and shape.startswith("(0"):
            way = "[::-1]"
        if self.chance(0.07):
            return "np.broadcast_to(%s, (2,) + %s)" % (text, shape)
        return text + way

    def indices(self):
        return self.rng.choice([
            "[0]", "[0, 2]", "[1, 0, 1]", "[-1, 0]", "np.array([[0, 1], [1, 0]])", "2", "0", "-1",
            "[]", "np.array([], int)", "[5]", "np.array([2, 0], 'u1')", "np.array([1, 1, 0], 'i2')",
            "[True, False, True]", "np.array([0.0, 1.0])", "np.array(1)", "[-4]", "np.int8(1)"])

    def mask(self):
        return self.rng.choice(["True", "False", "[True, False, True]", "np.array([True, False, True])",
                                "np.array([[True], [False]])", "np.array([[True, False, True], [False, True, True]])",
                                "np.array(False)", "[1, 0, 2]", "np.array([], bool)",
                                "(np.arange(12) % 2 == 0).reshape(4, 3)"])

    def axis(self):
        return self.rng.choice(["0", "1", "-1", "-2", "None", "2", "(0, 1)", "(0,)", "()", "(0, -1)",
                                "3", "(1, 1)", "0.0", "True", "np.int64(0)", "[0]", "-3", "(0, 2)"]
                               if self.chance(0.4) else ["0", "1", "-1", "None"])

    def argument(self, name, default):
        """A text for a parameter by its name and default."""
        r, n = self.rng, name.lower()
        if self.chance(0.04):
            return self.wrong()
        pool = POOLS.get(n)
        if n in ("axis", "axis1", "axis2", "source", "destination") or n == "axes" and self.chance(0.6):
            return self.axis()
        if n in ("dtype", "t", "newdtype"):
            return repr(self.dtype()) if self.chance(0.85) else self.one("float", "int", "bool", "None", "complex", "np.float32", "'float128'", "'q'", "'>i4'")
        if n in ("out", "output"):
            return self.one("None", "np.zeros(%s, '%s')" % (self.shape(), self.dtype()), "np.zeros(())",
                            "np.full((2, 3), 9.0)", "np.zeros(3)", "np.zeros((3, 2)).T", "(np.zeros(3),)")
        if n in ("where", "condition", "mask", "condlist"):
            return self.mask()
        if n in ("indices", "ind", "indices_or_sections", "obj", "kth", "place", "index", "repeats", "reps"):
            return self.indices() if self.chance(0.8) else str(self.small())
        if n in ("shape", "newshape", "size", "dims", "output_shape", "s", "fshape"):
            return self.one("3", "(2, 3)", "()", "(3, 2)", "(6,)", "-1", "(-1, 2)", "(0,)", "[2, 2]", "(2, 1, 3)", "None",
                            "(3, -1)", "(1, 6)", "12", "(4, 3)", "6", "np.int64(4)", "(2.0,)", "(-1, -1)")
        if pool:
            return r.choice(pool)
        if default in ("True", "False"):
            return self.one("True", "False", "True", "False", "1", "0", "None")
        if default is not None and re.match(r"^-?\d+$", default):
            return str(self.small()) if self.chance(0.9) else self.one("None", "1.5", "np.int8(2)")
        if default is not None and re.match(r"^-?[\d.e+-]+$", default):
            return self.one("0.5", "1.0", "2", "0", "-1.5", "1e-3", "0.25", "np.float32(0.5)", "3", "inf" if False else "np.inf")
        if default is not None and default[0] in "'\"":
            return default
        if default == "None" and n not in DATA:
            return self.one("None", str(self.small()), "0.5", self.array(), "[1, 2]", "2")
        return self.data()

    def data(self):
        """Something like an array."""
        k = self.rng.random()
        if k < 0.68:
            return self.array()
        if k < 0.78:
            return self.one("[1, 2, 3]", "[[1, 2], [3, 4]]", "[1.5, -2.0, 0.25]", "[[1.0, 2.0, 3.0], [0.5, 4.0, -1.0]]", "(1, 2.5)", "[[1, 2, 3]]", "[]",
                            "[True, False]", "[[]]", "range(4)", "[1j, 2]", "[2, 1, 3, 1]")
        if k < 0.88:
            return self.one("3", "0", "-2", "2.5", "-0.75", "True", "1j", "0.5", "1", "2", "1 + 2j", "7", "255")
        if k < 0.94:
            return self.one("np.float32(2.5)", "np.int8(-3)", "np.uint8(200)", "np.int64(5)", "np.float16(0.5)",
                            "np.bool_(True)", "np.complex64(1 + 1j)", "np.float64(-1.25)", "np.uint64(7)", "np.int16(300)")
        if k < 0.97:
            return self.one("np.nan", "np.inf", "-np.inf", "2**63", "-2**63", "2**31", "300", "-129", "1e300", "-0.0")
        return self.wrong()

    def wrong(self):
        return self.one("None", "'x'", "[[1, 2], [3]]", "{}", "len", "(1, 2)", "[None]", "1.5", "-1", "()", "{1, 2}", "slice(2)", "'ab'", "b'ab'", "...", "2**70", "True")


DATA = set("a x y arr array m v b c values z x1 x2 p w weights input".split())
POOLS = {
    "keepdims": ["True", "False", "True", "1"],
    "order": ["'C'", "'F'", "'A'", "'K'", "None", "2", "1"],
    "casting": ["'no'", "'equiv'", "'safe'", "'same_kind'", "'unsafe'"],
    "subok": ["True", "False"],
    "ddof": ["0", "1", "2", "0.5", "5", "None"], "correction": ["0", "1", "0.5", "3"],
    "initial": ["0", "1", "5", "-3", "2.5", "None", "100", "1j", "True", "-2.0"],
    "mode": ["'raise'", "'wrap'", "'clip'", "'full'", "'same'", "'valid'", "'reflect'", "'constant'",
             "'nearest'", "'mirror'", "'edge'", "'linear_ramp'", "'maximum'", "'mean'", "'symmetric'", "'median'", "'minimum'",
             "'wrap'", "'reduced'", "'complete'", "'r'", "'raw'", "'grid-wrap'", "'interp'"],
    "method": ["'linear'", "'lower'", "'higher'", "'nearest'", "'midpoint'", "'hazen'", "'weibull'", "'inverted_cdf'",
               "'median_unbiased'", "'normal_unbiased'", "'direct'", "'fft'", "'auto'", "'interpolated_inverted_cdf'", "'closest_observation'",
               "'averaged_inverted_cdf'"],
    "side": ["'left'", "'right'", "'left'", "'r'"], "sorter": ["None", "[0, 1, 2]", "[2, 1, 0]", "np.arange(5)[::-1]"],
    "kind": ["None", "'quicksort'", "'stable'", "'mergesort'", "'heapsort'", "'sort'", "'table'"],
    "bins": ["3", "5", "1", "[0, 1, 2]", "[3, 1, 0]", "np.array([-1.0, 0.5, 2.0])", "'auto'", "10", "0", "[0, 0, 1]", "(2, 3)", "[1, 2, 2, 4]"],
    "range": ["None", "(0, 3)", "(-1.0, 2.5)", "(2, 1)", "(0, 0)"],
    "q": ["0.5", "[0.25, 0.75]", "25", "[10, 50]", "1", "0", "0.0", "1.0", "np.array([[0.5, 1.0]])", "[]", "2"],
    "func": ["lambda v: v * 2", "lambda *a: a[0]", "np.sum", "np.sort", "lambda v: v.sum()", "len", "lambda i, *r: i"],
    "func1d": ["np.sum", "np.sort", "lambda v: v[:2]", "len", "lambda v: v.sum()", "lambda v: [v, v]", "max"],
    "function": ["lambda *a: a[0]", "lambda i, *r: i * 2", "min"],
    "pyfunc": ["lambda v: v + 1", "lambda a, b: a * b", "max", "abs"],
    "indexing": ["'xy'", "'ij'"], "num": ["5", "1", "0", "2", "7", "-1"], "endpoint": ["True", "False"],
    "ord": ["None", "2", "1", "-1", "-2", "'fro'", "'nuc'", "np.inf", "-np.inf", "0", "3"],
    "norm": ["None", "'ortho'", "'forward'", "'backward'"],
    "n": ["3", "5", "8", "1", "2", "None", "0", "7", "16", "[1, 2, 3]", "4.0"], "k": ["0", "1", "-1", "2", "3", "-2", "[0, 1]"],
    "offset": ["0", "1", "-1", "2", "-3"], "decimals": ["0", "1", "2", "-1", "3"],
    "deg": ["1", "2", "0", "3", "True", "False"], "m": ["1", "2", "3", "0"],
    "copy": ["True", "False", "None"], "device": ["None", "'cpu'"], "like": ["None"],
    "subscripts": ["'ij,jk'", "'ij->ji'", "'ii'", "'i,i'", "'ij,ij->i'", "'...i->...'", "'i,j->ij'", "'ijk->k'", "'ij->'", "'ii->i'"],
    "prepend": ["0", "[0]", "[[1], [2]]"], "append": ["0", "[5]", "np.zeros((2, 1))"],
    "pad_width": ["1", "(1, 2)", "((1, 0), (0, 2))", "0", "[1]", "((1, 1),)", "-1", "{0: 1}", "(0, 3)"],
    "constant_values": ["0", "5", "(1, 2)", "((1, 2), (3, 4))"], "stat_length": ["None", "2", "1"], "reflect_type": ["'even'", "'odd'"],
    "shift": ["1", "-1", "2", "(1, 2)", "0", "7", "0.5", "[1, 1]"], "sigma": ["1.0", "0.5", "2", "(1.0, 0.5)", "0"],
    "footprint": ["None", "np.ones(3)", "np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])", "[[1, 1], [1, 0]]", "[True, True]"],
    "structure": ["None", "np.ones((3, 3))", "[1, 1, 1]", "np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]])", "[1, 1]"],
    "weights": ["[1, 2, 1]", "[0.5, 1.0, 0.25]", "[1, 0, -1]", "None", "np.array([[1, 2], [3, 4]])", "[1j, 1]", "np.ones((2, 3))", "np.array([1, 2, 3, 4], 'u1')"],
    "origin": ["0", "1", "-1", "(0, 1)", "5"], "cval": ["0.0", "1.5", "-1", "np.nan"], "iterations": ["1", "2", "0", "-1"],
    "labels": ["None", "np.array([0, 1, 1])", "np.array([[1, 0, 2], [1, 2, 2]])", "1"],
    "index": ["None", "1", "[1, 2]", "[0, 1, 5]"], "border_value": ["0", "1"],
    "window": ["'hann'", "'hamming'", "('kaiser', 2.0)", "'boxcar'", "[1.0, 2.0, 1.0]", "('gaussian', 1.5)", "'blackman'"],
    "fs": ["1.0", "2", "10.0"], "nperseg": ["4", "3", "8", "None"], "noverlap": ["0", "1", "2", "None"],
    "lower": ["True", "False"], "trans": ["0", "1", "2"], "full_matrices": ["True", "False"], "compute_uv": ["True", "False"],
    "uplo": ["'L'", "'U'"], "rcond": ["None", "1e-10", "0.5"], "hermitian": ["False", "True"], "rowvar": ["True", "False"],
    "sep": ["' '", "','"], "unit_diagonal": ["True", "False"], "base": ["10.0", "2", "3"], "mean": ["None", "0.5"],
    "x0": ["0", "1.0"], "nan": ["0.0", "1.0"], "rtol": ["1e-5", "0", "0.5"], "atol": ["1e-8", "0", "1"],
    "fill_value": ["0", "1.5", "-2", "1j", "np.nan", "[1, 2, 3]", "300", "True"], "v": ["2", "[1, 2, 3]", "np.array([1.5, 0.5, 2.0])", "[[1, 2, 3]]", "[3, 1]"],
    "a_min": ["0", "-1.5", "None", "[0, 1, 2]"], "a_max": ["2", "1.5", "None", "300"], "min": ["0", "-1.5", "None"], "max": ["2", "1.5", "None"],
    "left": ["None", "-1"], "right": ["None", "9.0"], "period": ["None", "3", "-2.0"],
}
