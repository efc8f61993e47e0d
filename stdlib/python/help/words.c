/* Single words: the language's keywords, and parameters that many functions have. A row says how
   the word is written, what it does, and an example of one line or several. */
#include <string.h>

#include "stdlib/python/help/topics_int.h"

const gx_help_word gx_help_words[] = {
    /* --- keywords --- */
    {"False", "False", "The truth value no. As a number it is 0.", "print(False + 1)  # 1"},
    {"None", "None", "No value: what a function without return gives.",
     "x = None\nx is None  # True"},
    {"True", "True", "The truth value yes. As a number it is 1.", "print(True + 1)  # 2"},
    {"and", "a and b",
     "a if it is false, else b; b is evaluated only then. Arrays are combined by a & b "
     "instead, element by element.",
     "0 < 1 and 1 < 2  # True"},
    {"as", "import m as n, with f() as x, except E as e", "Gives what stands before it a name.",
     "import numpy as np"},
    {"assert", "assert condition, message",
     "Raises AssertionError with the message when the condition "
     "is false.",
     "assert 1 + 1 == 2, 'arithmetic'"},
    {"async", "async def", "A word of Python's that gx knows and refuses: it has no coroutines.",
     ""},
    {"await", "await", "A word of Python's that gx knows and refuses: it has no coroutines.", ""},
    {"break", "break", "Leaves the innermost loop; its else is not run.",
     "for i in range(10):\n    if i == 3: break\ni  # 3"},
    {"case", "case PATTERN:",
     "One choice of match: a value, a name that takes it, or a form such as "
     "[x, y] or {'k': v}.",
     "match [1, 2]:\n    case [x, y]: print(x + y)  # 3"},
    {"class", "class Name(Base):",
     "Makes a class. Its functions are methods: their first parameter is the "
     "instance.",
     "class Point:\n    def __init__(self, x): self.x = x\nPoint(3).x  # 3"},
    {"continue", "continue", "Goes on with the next round of the innermost loop.",
     "for i in range(3):\n    if i == 1: continue\n    print(i)  # 0, then 2"},
    {"def", "def name(a, b=1, *args, c, **kw):",
     "Makes a function. The text in quotes that it begins with "
     "is its help; return gives its value.",
     "def twice(a):\n    return 2 * a\ntwice(4)  # 8"},
    {"del", "del name, del a[i], del a.b", "Forgets a name, or removes an item or an attribute.",
     "a = [1, 2, 3]\ndel a[0]\na  # [2, 3]"},
    {"elif", "elif condition:", "Another condition of if, tried when those above are false.",
     "x = 5\nif x < 0: print('-')\nelif x > 0: print('+')  # +"},
    {"else", "else:",
     "What is done when no condition of if holds, a loop ends without break, or try "
     "raises nothing.",
     "print('even' if 4 % 2 == 0 else 'odd')  # even"},
    {"except",
     "except Error as e:", "What is done when try raises such an error; several are a tuple.",
     "try: 1 / 0\nexcept ZeroDivisionError as e: print(e)  # division by zero"},
    {"finally", "finally:", "What is done when try is left, whichever way.",
     "try: print(1)\nfinally: print(2)"},
    {"for", "for x in items:",
     "Runs its block once for each item. An expression over whole arrays does the "
     "same for numbers, much faster.",
     "for x in [1, 2]:\n    print(x)"},
    {"from", "from module import name",
     "Binds names of a module; in `raise B from A` it names the cause.",
     "from math import gcd\ngcd(12, 18)  # 6"},
    {"global", "global name", "In a function: assignments to the name bind the module's.",
     "n = 0\ndef count():\n    global n\n    n += 1\ncount()\nn  # 1"},
    {"if", "if condition:",
     "Runs its block when the condition is true; x if c else y is an expression. Of "
     "arrays, where(c, x, y) chooses element by element.",
     "if 2 > 1: print('yes')  # yes"},
    {"import", "import module, import module as name",
     "Reads a module once and binds its name. A module is "
     "one of gx's, a file NAME.gx, or one of an installed Python.",
     "import math\nmath.pi > 3  # True"},
    {"in", "x in items",
     "Is x one of the items, or a key of the dict? for x in items goes through them.",
     "2 in [1, 2]  # True"},
    {"is", "a is b", "Are both the same object? Values are compared by ==.",
     "None is None  # True"},
    {"kernel", "kernel \"\"\"CUDA C++\"\"\"",
     "A kernel of the script: compiled at its first launch, called "
     "as k[grid, block](arguments). help('kernels') shows one.",
     ""},
    {"lambda", "lambda a, b: expression", "A function without a name that gives one expression.",
     "sorted([3, -4, 1], key=lambda x: x * x)  # [1, 3, -4]"},
    {"match", "match value:",
     "Compares a value with the patterns of its cases and runs the first that "
     "fits.",
     "match 3:\n    case 1 | 3: print('odd')  # odd"},
    {"nonlocal", "nonlocal name",
     "In a function within a function: assignments bind the outer one's name.",
     "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n = 1\n    g()\n    return "
     "n\nf()  # 1"},
    {"not", "not a, a not in b, a is not b", "The opposite of a condition. Of an array: ~a.",
     "not 0  # True"},
    {"or", "a or b",
     "a if it is true, else b; b is evaluated only then. Arrays are combined by a | b "
     "instead, element by element.",
     "0 or 'default'  # 'default'"},
    {"pass", "pass", "Does nothing, where a statement must stand.", "def later(): pass"},
    {"raise", "raise Error(message), raise",
     "Ends what runs with an error, up to an except that takes it; "
     "alone it raises the one being handled again.",
     "try: raise ValueError('no')\nexcept ValueError as e: print(e)  # no"},
    {"return", "return value", "Ends a function with a value, None without one.",
     "def f(): return 1, 2\nf()  # (1, 2)"},
    {"try", "try:", "Its block may fail: except, else and finally say what is done then.",
     "try: int('x')\nexcept ValueError: print('no number')  # no number"},
    {"type", "type Name = ...", "Gives a type expression a name; type(x) is the class of x.",
     "type(3)  # <class 'int'>"},
    {"while", "while condition:", "Runs its block as long as the condition is true.",
     "n = 3\nwhile n: n -= 1\nn  # 0"},
    {"with", "with manager as x:",
     "Runs its block between what the manager does before and after, even when "
     "the block fails: files are closed.",
     "import io\nwith io.StringIO('a') as f: print(f.read())  # a"},
    {"yield", "yield value",
     "Makes a function a generator: it gives a value and pauses until the next is "
     "asked for.",
     "def f():\n    yield 1\n    yield 2\nlist(f())  # [1, 2]"},
    /* --- parameters --- */
    {"axis", "axis=0, axis=1, axis=(0, 2), axis=None",
     "The axis that a function works along; it goes away in "
     "a reduction. Of rows and columns, axis=0 leaves one value a column and axis=1 one a row; -1 "
     "is the "
     "last, None all of them.",
     "ones((2, 3)).sum(axis=0)  # array([2., 2., 2.])"},
    {"keepdims", "keepdims=True",
     "A reduced axis stays, with one element, so that the result can be combined "
     "with the array.",
     "ones((2, 3)).sum(axis=1, keepdims=True).shape  # (2, 1)"},
    {"dtype", "dtype='float32'",
     "The type of the elements, by name, by class (int, float) or as an array's "
     "x.dtype. help('arrays') tells more.",
     "zeros(2, dtype='int8').dtype  # dtype('int8')"},
    {"out", "out=array",
     "Where the result is written: an array of its shape, and of a dtype that it can be "
     "cast to. It is also what the function returns.",
     "r = zeros(2)\nadd([1, 2], 1, out=r)\nr  # array([2., "
     "3.])"},
    {"where", "where=mask",
     "The elements that take part, a mask that is broadcast to the array; elsewhere out= "
     "keeps what it holds. As a function, where(c, x, y) chooses between two.",
     "sum([1, 2, 3], where=[True, False, True])  # 4"},
    {"initial", "initial=value", "What a reduction begins with.",
     "sum(array([1, 2]), initial=10)  # 13"},
    {"casting", "casting='same_kind'",
     "Which conversions are allowed: no, equiv, safe, same_kind or unsafe.", ""},
    {"mode", "mode='reflect'", "What lies beyond the ends: each function's help names its modes.",
     ""},
    {"device", "device='cpu', device='cuda'",
     "Where a new array lives; without it, on the GPU if there is one "
     "(%device tells).",
     ""},
    {0},
};

const gx_help_word *gx_help_word_find(const char *name) {
    for (const gx_help_word *w = gx_help_words; w->name; w++)
        if (strcmp(w->name, name) == 0) return w;
    return NULL;
}
