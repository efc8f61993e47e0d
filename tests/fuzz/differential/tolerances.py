"""How many units of the last place a program's floats may be off, by the functions that it names.
The first row that matches counts, and of several rows the loosest."""
import re

EXACT, LIBM, SUMS, WIDE = (0, False), (16, False), (64, True), (2.0**14, True)
ROWS = [
    # Sums, means and products in another order; the data are quarters, so sums alone are exact.
    (SUMS, r"mean|std|var\b|average|cov|corrcoef|norm|trapezoid|\bdot|matmul|inner|einsum|convolve|"
           r"correlate|polyval|interp|gradient|percentile|quantile|median|linspace|logspace|"
           r"geomspace|tensordot|vecdot|matvec|vecmat|kron|\bprod|cumprod|nanprod|vander|histogram|"
           r"\bcross\b|outer|power|multiply\.|\*\*|\*|@|divmod|/|cumulative"),
    # What libm computes, NumPy's SIMD versions of it, and complex arithmetic.
    (LIBM, r"\b(a?cos|a?sin|a?tan|arc\w+|acosh|asinh|atanh|atan2|sinh|cosh|tanh|exp\w*|log\w*|sqrt|cbrt|hypot|"
           r"pow|power|float_power|sinc|i0|angle|abs|absolute|sign|reciprocal|divide|true_divide|"
           r"square|deg2rad|rad2deg|degrees|radians|spacing|unwrap|kaiser|hanning|hamming|blackman|"
           r"bartlett|emath|multiply|floor_divide|remainder)\b"),
    # Transforms, factorisations, filters and special functions are approximations in both.
    (WIDE, r"fft|linalg|\.inv|\.I\b|solve|eig|svd|qr|pinv|signal|ndimage|special|poly|random|roots|windows|"
           r"lstsq|det|matrix_power|cond|matrix_rank|\bi0|window|companion|chebyshev|legendre|"
           r"hermite|laguerre|log|exp|sin|cos|tan|pow|kaiser"),
]


def of(text):
    units, spread = EXACT
    for (u, s), pattern in ROWS:
        if re.search(pattern, text):
            units, spread = max(units, u), spread or s
    return units, spread


INEXACT = re.compile(ROWS[1][1] + r"|\*\*|\bcov\b|corrcoef|" + ROWS[2][1])
# What makes another answer of a last bit: a look at the bytes, a comparison, a step.
STEPS = re.compile(r"\.view\(|tobytes|byteswap|array2string|array_(str|repr)|\b(str|repr)\(|f'|format|[<>]|[=!]=|"
                   r"//|%|unique|\w\w1d\(|isin|digitize|floor|ceil|rint|trunc|fix|astype|sort|arg|"
                   r"searchsorted|histogram|spacing|nextafter|frexp|modf|equal|close|less|greater")


def is_step(text):
    """Does a program take steps (as astype(int) or ==) after it made numbers whose last bit is open?"""
    exact = re.sub(r"\b(multiply|absolute|abs|sign|square|sqrt|floor_divide|remainder|divide|true_divide|reciprocal)\b", "", text)
    return bool(INEXACT.search(exact) and STEPS.search(text))


# Which of equal zeros stands first, or is kept, follows from the way of sorting and of the vectors.
ORDERED = re.compile(r"sort|max|min|median|percentile|quantile|partition|unique|clip|ptp|round|around|reduce")


def is_ordered(text):
    """May the sign of a zero be another's?"""
    return bool(ORDERED.search(text))


def is_unwritten(text, want):
    """Does NumPy tell of memory that nothing was written to? Its transforms of nothing do."""
    return "fft" in text and bool(re.search(r"e-3[0-2]\d", want))


def of_python(text):
    """CPython has its own gamma functions, which lose a few units; all else is exact."""
    return 64 if re.search(r"\bmath\.l?gamma\b", text) else 0


def finest(text):
    """The coarsest dtype that a text names: its rounding shows in what follows."""
    if re.search(r"f2|float16|'b1'|i1|u1|bool|int8", text):
        return 2.0**-10
    if re.search(r"f4|c8|float32|complex64|i2|u2|int16", text):
        return 2.0**-23
    return 2.0**-52


def is_sure(text, arrays=True):
    """Does any processor answer it to the last bit?"""
    if re.search(r"math\.(a?(sin|cos|tan)h?|exp\w*|log\w*|l?gamma|erfc?|cbrt|pow|hypot|dist)\b", text):
        return False
    if not arrays:
        return True
    text = re.sub(r"\b(multiply|floor_divide|remainder|divide|absolute|abs|sign|square|argmax|argmin)\b", "", text)
    unsure = r"\*\*|float16|f2|c8|c16|j\b|partition|/|std|var\b|inv\(|interp|resize|norm|geomspace|logspace"
    return not any(re.search(pattern, text) for (u, s), pattern in ROWS if u != SUMS[0]) and not re.search(unsure, text)
