/* How libFuzzer changes scripts: half of the time it does what it knows about bytes, else a word is
   replaced by another word of the language or of NumPy, or lines are moved, doubled, cut or mixed
   with those of another script. So more of what it makes up parses, and runs. */
#include <stdbool.h>
#include <string.h>

#include "tests/fuzz/fuzz_int.h"

/* libFuzzer's own, and what it calls of ours. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t room, unsigned seed);

static const char *const names[] = {
    "a",
    "b",
    "x",
    "y",
    "i",
    "f",
    "e",
    "self",
    "np",
    "cp",
    "linalg",
    "fft",
    "random",
    "math",
    "io",
    "abs",
    "all",
    "any",
    "arange",
    "argmax",
    "argsort",
    "argpartition",
    "argwhere",
    "array",
    "array_split",
    "asarray",
    "astype",
    "atleast_2d",
    "average",
    "bincount",
    "broadcast_to",
    "clip",
    "column_stack",
    "concatenate",
    "copy",
    "copyto",
    "corrcoef",
    "count_nonzero",
    "cov",
    "cross",
    "cumprod",
    "cumsum",
    "delete",
    "diag",
    "diagonal",
    "diff",
    "digitize",
    "dot",
    "dstack",
    "einsum",
    "empty_like",
    "expand_dims",
    "eye",
    "fill",
    "fill_diagonal",
    "flip",
    "flatten",
    "full",
    "gradient",
    "histogram",
    "histogram2d",
    "hsplit",
    "hstack",
    "indices",
    "inner",
    "insert",
    "interp",
    "intersect1d",
    "inv",
    "isclose",
    "isin",
    "isnan",
    "item",
    "kron",
    "lexsort",
    "linspace",
    "logspace",
    "matmul",
    "max",
    "mean",
    "median",
    "meshgrid",
    "min",
    "moveaxis",
    "nan_to_num",
    "nansum",
    "ndim",
    "newaxis",
    "nonzero",
    "norm",
    "ones",
    "outer",
    "pad",
    "partition",
    "percentile",
    "piecewise",
    "prod",
    "ptp",
    "put",
    "put_along_axis",
    "qr",
    "quantile",
    "rand",
    "randint",
    "ravel",
    "ravel_multi_index",
    "real",
    "repeat",
    "reshape",
    "resize",
    "roll",
    "rollaxis",
    "rot90",
    "round",
    "searchsorted",
    "select",
    "seed",
    "setdiff1d",
    "shape",
    "sign",
    "sin",
    "size",
    "solve",
    "sort",
    "split",
    "sqrt",
    "squeeze",
    "stack",
    "std",
    "strides",
    "sum",
    "svd",
    "swapaxes",
    "take",
    "take_along_axis",
    "tensordot",
    "tile",
    "tobytes",
    "tolist",
    "trace",
    "transpose",
    "tri",
    "tril_indices",
    "unique",
    "unravel_index",
    "vander",
    "var",
    "view",
    "vstack",
    "where",
    "zeros",
    "T",
    "real",
    "imag",
    "rfft",
    "irfft",
    "fft2",
    "eigh",
    "eig",
    "cholesky",
    "det",
    "pinv",
    "lstsq",
    "matrix_power",
    "default_rng",
    "normal",
    "permutation",
    "choice",
    "shuffle",
    "True",
    "False",
    "None",
    "int",
    "float",
    "complex",
    "str",
    "bool",
    "bytes",
    "list",
    "tuple",
    "dict",
    "set",
    "frozenset",
    "range",
    "slice",
    "zip",
    "map",
    "filter",
    "enumerate",
    "sorted",
    "reversed",
    "iter",
    "next",
    "len",
    "repr",
    "print",
    "type",
    "isinstance",
    "getattr",
    "hasattr",
    "callable",
    "hash",
    "id",
    "ord",
    "chr",
    "hex",
    "divmod",
    "pow",
    "format",
    "vars",
    "dir",
    "int8",
    "uint8",
    "int16",
    "int32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "axis",
    "dtype",
    "out",
    "keepdims",
    "order",
    "initial",
    "where",
    "key",
    "reverse",
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "index",
    "count",
    "update",
    "get",
    "items",
    "keys",
    "values",
    "setdefault",
    "split",
    "join",
    "replace",
    "strip",
    "find",
    "startswith",
    "encode",
    "decode",
    "format",
    "upper",
    "zfill",
    "center",
    "not",
    "and",
    "or",
    "in",
    "is",
    "if",
    "else",
    "for",
    "while",
    "lambda",
    "return",
    "del",
    "try",
    "except",
    "finally",
    "raise",
    "with",
    "as",
    "import",
    "global",
    "nonlocal",
    "assert",
    "pass",
    "break",
    "continue",
    "def",
    "Exception",
    "ValueError",
    "StopIteration",
};
static const char *const numbers[] = {
    "0",      "1",       "-1",
    "2",      "3",       "5",
    "7",      "8",       "63",
    "64",     "65",      "100",
    "127",    "128",     "255",
    "256",    "1000",    "1024",
    "4097",   "65536",   "2**31",
    "2**32",  "2**63",   "-2**63",
    "2**64",  "10**20",  "9223372036854775807",
    "1e308",  "1e-320",  "0.0",
    "-0.0",   "0.5",     "1.5",
    "1e400",  "nan",     "inf",
    "-inf",   "1j",      "0x7f",
    "None",   "True",    "()",
    "[]",     "(2, 3)",  "(0,)",
    "[1, 2]", "...",     "::-1",
    "1:",     ":-1",     "::2",
    "''",     "'ij,jk'", "'K'",
    "'F'",    "b''",
};
static const char *const marks[] = {
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "@",
    "==",
    "!=",
    "<",
    ">=",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "=",
    "+=",
    "-=",
    "*=",
    "/=",
    "//=",
    "**=",
    "@=",
    "&=",
    ">>=",
    ",",
    ".",
    ":",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "~",
    ";",
    " if x else ",
    " for x in ",
    "[...]",
    "[None]",
    "[::-1]",
    ".T",
    ".sum()",
    ".copy()",
    ".reshape(-1)",
    ".astype(float32)",
    "*a",
    "**a",
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* xorshift: the same seed, the same script. */
static unsigned next(unsigned *seed) {
    unsigned x = *seed ? *seed : 2463534242u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *seed = x;
}

static size_t below(unsigned *seed, size_t n) {
    return n ? next(seed) % n : 0;
}

/* Replaces data[from, to) by text, when there is room. */
static size_t put_bytes(uint8_t *data, size_t size, size_t room, size_t from, size_t to,
                        const void *text, size_t n) {
    if (size - (to - from) + n > room) return size;
    memmove(data + from + n, data + to, size - to);
    memcpy(data + from, text, n);
    return size - (to - from) + n;
}

static bool in_word(uint8_t c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.';
}

static size_t change_word(uint8_t *data, size_t size, size_t room, unsigned *seed) {
    size_t from = below(seed, size), to;
    while (from < size && (data[from] == ' ' || data[from] == '\n')) from++;
    if (from == size) return size;
    const char *text;
    if (!in_word(data[from])) {
        to = from + 1;
        text = marks[below(seed, COUNT(marks))];
        if (next(seed) % 4 == 0) to = from; /* put before it */
    } else {
        while (from > 0 && in_word(data[from - 1]) && data[from] != '.') from--;
        to = from + 1;
        while (to < size && in_word(data[to]) && data[to] != '.') to++;
        bool number = (data[from] >= '0' && data[from] <= '9') || next(seed) % 4 == 0;
        text = number ? numbers[below(seed, COUNT(numbers))] : names[below(seed, COUNT(names))];
        if (data[from] == '.') from++;
    }
    return put_bytes(data, size, room, from, to, text, strlen(text));
}

/* A line, with its end. */
static void pick_line(const uint8_t *data, size_t size, unsigned *seed, size_t *from, size_t *to) {
    size_t at = below(seed, size);
    *from = *to = at;
    while (*from > 0 && data[*from - 1] != '\n') --*from;
    while (*to < size && data[(*to)++] != '\n') continue;
}

static size_t change_lines(uint8_t *data, size_t size, size_t room, unsigned *seed) {
    uint8_t line[512];
    size_t from, to, at, end;
    pick_line(data, size, seed, &from, &to);
    pick_line(data, size, seed, &at, &end);
    size_t n = to - from < sizeof line ? to - from : sizeof line;
    memcpy(line, data + from, n);
    switch (next(seed) % 3) {
    case 0:
        return put_bytes(data, size, room, from, to, "", 0);
    case 1:
        return put_bytes(data, size, room, at, at, line, n);
    default:
        return put_bytes(data, size, room, at, end, line, n);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
    unsigned own = seed * 2654435761u + 1;
    if (size == 0 || next(&own) % 3 == 0) return LLVMFuzzerMutate(data, size, room);
    for (unsigned times = 1 + next(&own) % 3; times > 0 && size > 0; times--)
        size = next(&own) % 4 ? change_word(data, size, room, &own)
                              : change_lines(data, size, room, &own);
    return size;
}

/* The lines of one, with some of the other's between them. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t room, unsigned seed) {
    unsigned own = seed * 2654435761u + 1;
    size_t size = a_size < room ? a_size : room;
    memcpy(out, a, size);
    for (unsigned times = 1 + next(&own) % 4; times > 0 && b_size > 0; times--) {
        size_t from, to, at = 0, end;
        pick_line(b, b_size, &own, &from, &to);
        if (size) pick_line(out, size, &own, &at, &end);
        size = put_bytes(out, size, room, at, at, b + from, to - from);
    }
    return size;
}
