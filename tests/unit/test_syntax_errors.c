/* Unit tests of syntax errors: where each points, what it says and which fix it offers. */
#include "tests/unit/syntax_int.h"

typedef struct row {
    const char *text;
    uint32_t start, end;
    gx_error_kind kind;
    const char *message, *help;
} row;

static const row rows[] = {
    {"x = = 3", 4, 5, GX_SyntaxError, "expected an expression, got '='",
     "to compare, write '==' without a space"},
    {"print x", 0, 5, GX_SyntaxError, "missing parentheses in call to 'print'", "print(x)"},
    {"print \"a\", b", 0, 5, GX_SyntaxError, "missing parentheses in call to 'print'",
     "print(\"a\", b)"},
    {"if x = 3:\n    y = 1", 5, 6, GX_SyntaxError, "expected ':' after 'if' statement, got '='",
     "to compare, write '=='"},
    {"if x:\ny = 1", 6, 7, GX_IndentationError,
     "expected an indented block after 'if' statement on line 1", NULL},
    {"if x\n    y = 1", 4, 5, GX_SyntaxError,
     "expected ':' after 'if' statement, got the end of the line", NULL},
    {"else if x:\n  pass", 0, 4, GX_SyntaxError,
     "'else' without 'if', 'for', 'while' or 'try' before it", NULL},
    {"if x:\n  pass\nelse if y:\n  pass", 18, 20, GX_SyntaxError,
     "expected ':' after 'else' statement, got 'if'", "write 'elif'"},
    {"a && b", 2, 4, GX_SyntaxError, "gx has no '&&' operator", "write 'and'"},
    {"a || b", 2, 4, GX_SyntaxError, "gx has no '||' operator", "write 'or'"},
    {"!a", 0, 1, GX_SyntaxError, "gx has no '!' operator",
     "write 'not' for the opposite of a condition"},
    {"if a && b:\n  pass", 5, 7, GX_SyntaxError, "gx has no '&&' operator", "write 'and'"},
    {"x++", 1, 3, GX_SyntaxError, "gx has no '++' operator", "write '+= 1'"},
    {"x--", 1, 3, GX_SyntaxError, "gx has no '--' operator", "write '-= 1'"},
    {"if x {\n  y\n}", 5, 6, GX_SyntaxError, "expected ':' after 'if' statement, got '{'",
     "a block starts with ':' and its lines are indented"},
    {"f() = 1", 0, 3, GX_SyntaxError,
     "cannot assign to function call here. Maybe you meant '==' instead of '='?", NULL},
    {"1 = x", 0, 1, GX_SyntaxError,
     "cannot assign to literal here. Maybe you meant '==' instead of '='?", NULL},
    {"None = 1", 0, 4, GX_SyntaxError, "cannot assign to None", NULL},
    {"x + 1 += 2", 0, 5, GX_SyntaxError,
     "augmented assignment changes a name, attribute or subscript, not a expression", NULL},
    {"a, b += 1", 0, 4, GX_SyntaxError,
     "augmented assignment changes a name, attribute or subscript, not a tuple", NULL},
    {"(a, 1) = 2", 4, 5, GX_SyntaxError,
     "cannot assign to literal here. Maybe you meant '==' instead of '='?", NULL},
    {"[a, *b, *c] = d", 8, 10, GX_SyntaxError, "multiple starred expressions in assignment", NULL},
    {"*a = 1", 0, 2, GX_SyntaxError, "starred assignment target must be in a list or tuple", NULL},
    {"del f()", 4, 7, GX_SyntaxError, "cannot delete function call", NULL},
    {"for 1 in x: pass", 4, 5, GX_SyntaxError, "cannot assign to literal", NULL},
    {"f(a=1, a=2)", 7, 8, GX_SyntaxError, "keyword argument repeated: a", NULL},
    {"f(a=1, 2)", 7, 8, GX_SyntaxError, "positional argument follows keyword argument", NULL},
    {"f(**k, 2)", 7, 8, GX_SyntaxError, "positional argument follows keyword argument unpacking",
     NULL},
    {"f(a.b=1)", 2, 6, GX_SyntaxError, "only a name can stand before '=' in a call",
     "to compare, write '=='"},
    {"f(x for x in y, 1)", 2, 14, GX_SyntaxError,
     "a generator expression must be parenthesized when it is not the only argument", NULL},
    {"f(True=1)", 2, 6, GX_SyntaxError, "cannot assign to True", NULL},
    {"def f(a, a): pass", 9, 10, GX_SyntaxError, "duplicate argument 'a' in function definition",
     NULL},
    {"def f(a=1, b): pass", 11, 12, GX_SyntaxError, "non-default argument follows default argument",
     NULL},
    {"def f(*): pass", 6, 7, GX_SyntaxError, "named arguments must follow bare *", NULL},
    {"def f(**k, a): pass", 11, 12, GX_SyntaxError, "arguments cannot follow var-keyword argument",
     NULL},
    {"def f(a, /, b, /): pass", 15, 16, GX_SyntaxError, "/ may appear only once", NULL},
    {"def f(*a, *b): pass", 10, 11, GX_SyntaxError, "* argument may appear only once", NULL},
    {"def f(a b): pass", 8, 9, GX_SyntaxError, "expected ',' or ')', got 'b'",
     "perhaps a comma is missing"},
    {"def f: pass", 5, 6, GX_SyntaxError, "expected '(' after the function's name, got ':'", NULL},
    {"def f(x) return 1", 9, 15, GX_SyntaxError,
     "expected ':' after function definition, got 'return'", NULL},
    {"lambda a, a: 1", 10, 11, GX_SyntaxError, "duplicate argument 'a' in function definition",
     NULL},
    {"return 1", 0, 6, GX_SyntaxError, "'return' outside function", NULL},
    {"break", 0, 5, GX_SyntaxError, "'break' outside loop", NULL},
    {"continue", 0, 8, GX_SyntaxError, "'continue' not properly in loop", NULL},
    {"def f():\n  nonlocal x", 20, 21, GX_SyntaxError, "no binding for nonlocal 'x' found", NULL},
    {"nonlocal x", 0, 8, GX_SyntaxError, "nonlocal declaration not allowed at module level", NULL},
    {"def f(x):\n  global x", 19, 20, GX_SyntaxError, "name 'x' is parameter and global", NULL},
    {"def f():\n  x = 1\n  global x", 26, 27, GX_SyntaxError,
     "name 'x' is assigned to before global declaration", NULL},
    {"def f():\n  print(x)\n  global x", 29, 30, GX_SyntaxError,
     "name 'x' is used prior to global declaration", NULL},
    {"class A(x y): pass", 10, 11, GX_SyntaxError, "expected ',' or ')', got 'y'",
     "perhaps a comma is missing"},
    {"@d\nx = 1", 3, 4, GX_SyntaxError, "expected 'def' or 'class' after a decorator, got 'x'",
     NULL},
    {"yield 1", 0, 5, GX_SyntaxError, "'yield' outside function", NULL},
    {"class A:\n  yield 1", 11, 16, GX_SyntaxError, "'yield' outside function", NULL},
    {"def f():\n  g(h(), (yield))", 19, 24, GX_SyntaxError,
     "a yield cannot stand behind a call on the same line in gx",
     "give it a line of its own: answer = yield value"},
    {"def f():\n  a or (yield)", 17, 22, GX_SyntaxError, "a yield cannot stand here in gx",
     "give it a line of its own: answer = yield value"},
    {"def f():\n  [(yield) for i in x]", 13, 18, GX_SyntaxError,
     "a yield cannot stand where it may not be reached in gx",
     "give it a line of its own: answer = yield value"},
    {"async def f(): pass", 0, 5, GX_SyntaxError, "gx has no coroutines ('async')", NULL},
    {"await x", 0, 5, GX_SyntaxError, "gx has no coroutines ('await')", NULL},
    {"x := 1", 0, 6, GX_SyntaxError, "':=' as a statement of its own needs parentheses around it",
     "write '=' instead of ':='"},
    {"(x.y := 2)", 1, 4, GX_SyntaxError, "only a name can stand before ':='", NULL},
    {"match x", 0, 5, GX_SyntaxError,
     "a 'match' statement needs ':' at the end of its line and indented 'case' lines below", NULL},
    {"match x:\n  case f(a=1, 2): pass", 23, 24, GX_SyntaxError,
     "positional patterns follow keyword patterns", NULL},
    {"match x:\n  case [*a, *b]: pass", 21, 23, GX_SyntaxError,
     "multiple starred expressions in sequence pattern", NULL},
    {"k = kernel \"a\" \"b\" \"c\"", 19, 22, GX_SyntaxError,
     "a kernel is one string, or a signature and the text of an element: kernel \"float32 x -> "
     "float32 y\" \"y = x * x\"",
     NULL},
    {"k = kernel f\"a{1}\"", 11, 13, GX_SyntaxError,
     "a kernel's text is CUDA C++ as it stands, not an f-string", NULL},
    {"import a from b", 9, 13, GX_SyntaxError, "expected the end of the statement, got 'from'",
     "write 'from MODULE import NAME'"},
    {"from a import", 13, 14, GX_SyntaxError, "expected a name to import, got the end of the line",
     NULL},
    {"from a import b,", 16, 17, GX_SyntaxError,
     "trailing comma not allowed without surrounding parentheses", NULL},
    {"from a import (b", 14, 15, GX_SyntaxError, "'(' was never closed", NULL},
    {"import", 6, 7, GX_SyntaxError, "expected a module's name, got the end of the line", NULL},
    {"x = (1, 2", 4, 5, GX_SyntaxError, "'(' was never closed", NULL},
    {"x = [1, 2\ny = 3\n", 4, 5, GX_SyntaxError, "'[' was never closed", NULL},
    {"x = {1: 2\ny = 3", 4, 5, GX_SyntaxError, "'{' was never closed", NULL},
    {"x = (1, 2]", 9, 10, GX_SyntaxError,
     "closing parenthesis ']' does not match opening parenthesis '('", NULL},
    {"x = 1)", 5, 6, GX_SyntaxError, "unmatched ')'", NULL},
    {"\"abc", 0, 1, GX_SyntaxError, "unterminated string literal (detected at line 1)", NULL},
    {"'abc\nx = 1", 0, 1, GX_SyntaxError, "unterminated string literal (detected at line 1)", NULL},
    {"\"\"\"abc", 0, 3, GX_SyntaxError,
     "unterminated triple-quoted string literal (detected at line 1)", NULL},
    {"f\"abc {x", 6, 7, GX_SyntaxError, "f-string: '{' was never closed", NULL},
    {"f\"abc {x\"", 6, 7, GX_SyntaxError, "f-string: '{' was never closed", NULL},
    {"f\"{}\"", 2, 4, GX_SyntaxError, "f-string: expected an expression after '{'", NULL},
    {"f\"{x!z}\"", 5, 6, GX_SyntaxError,
     "f-string: expected a conversion r, s or a after '!', got 'z'", NULL},
    {"f\"a } b\"", 4, 5, GX_SyntaxError, "f-string: single '}' is not allowed",
     "write '}}' for a brace in the text"},
    {"f\"{x y}\"", 5, 6, GX_SyntaxError, "expected ',' or '}', got 'y'",
     "perhaps a comma is missing"},
    {"f\"{x", 2, 3, GX_SyntaxError, "f-string: '{' was never closed", NULL},
    {"\"\\N{DASH}\"", 1, 9, GX_SyntaxError, "unknown Unicode character name",
     "write the character itself, or its number as \\uXXXX"},
    {"\"\\x1\"", 1, 4, GX_SyntaxError, "truncated \\xXX escape: two hexadecimal digits follow \\x",
     NULL},
    {"\"\\u12\"", 1, 5, GX_SyntaxError,
     "truncated \\uXXXX escape: four hexadecimal digits follow \\u", NULL},
    {"\"\\ud800\"", 1, 7, GX_SyntaxError,
     "half of a surrogate pair is not a character; write the whole one as \\UXXXXXXXX", NULL},
    {"b\"\303\251\"", 2, 4, GX_SyntaxError, "bytes can only contain ASCII literal characters",
     NULL},
    {"b\"a\" \"b\"", 0, 8, GX_SyntaxError, "cannot mix bytes and nonbytes literals", NULL},
    {"1abc", 0, 4, GX_SyntaxError, "invalid decimal literal", NULL},
    {"0x", 0, 2, GX_SyntaxError, "invalid hexadecimal literal", NULL},
    {"0b12", 0, 4, GX_SyntaxError, "invalid digit '2' in binary literal", NULL},
    {"0o9", 0, 3, GX_SyntaxError, "invalid digit '9' in octal literal", NULL},
    {"1__0", 0, 4, GX_SyntaxError, "invalid decimal literal", NULL},
    {"012", 0, 3, GX_SyntaxError,
     "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal "
     "integers",
     NULL},
    {"1_", 0, 2, GX_SyntaxError, "invalid decimal literal", NULL},
    {"0xfg", 0, 4, GX_SyntaxError, "invalid hexadecimal literal", NULL},
    {"$x", 0, 1, GX_SyntaxError, "invalid character '$'", NULL},
    {"x ? y : z", 2, 3, GX_SyntaxError, "invalid character '?'", NULL},
    {"\342\200\234a\342\200\235", 0, 3, GX_SyntaxError, "invalid character '\342\200\234' (U+201C)",
     "write a plain quote: \""},
    {"a \342\210\222 b", 2, 5, GX_SyntaxError, "invalid character '\342\210\222' (U+2212)",
     "write '-'"},
    {"x = 1\n  y = 2", 6, 8, GX_IndentationError, "unexpected indent", NULL},
    {"if x:\n    a\n  b", 12, 14, GX_IndentationError,
     "unindent does not match any outer indentation level", NULL},
    {"if x:\n\ta\n        b", 9, 17, GX_TabError,
     "inconsistent use of tabs and spaces in indentation", NULL},
    {"if x:\n        a\n\tb", 16, 17, GX_TabError,
     "inconsistent use of tabs and spaces in indentation", NULL},
    {"try:\n  x", 8, 9, GX_SyntaxError,
     "expected 'except' or 'finally' after the 'try' block, got the end of the file", NULL},
    {"try:\n  x\nexcept A, B:\n  pass", 16, 18, GX_SyntaxError,
     "multiple exception types must be parenthesized", "write except (A, B):"},
    {"try:\n x\nexcept:\n y\nexcept A:\n z", 8, 14, GX_SyntaxError,
     "default 'except:' must be last", NULL},
    {"except A: pass", 0, 6, GX_SyntaxError, "'except' without 'try' before it", NULL},
    {"finally: pass", 0, 7, GX_SyntaxError, "'finally' without 'try' before it", NULL},
    {"with open(x) as 1: pass", 16, 17, GX_SyntaxError, "cannot assign to literal", NULL},
    {"a b", 2, 3, GX_SyntaxError, "expected the end of the statement, got 'b'", NULL},
    {"[1 2]", 3, 4, GX_SyntaxError, "expected ',' or ']', got the number 2",
     "perhaps a comma is missing"},
    {"(1 2)", 3, 4, GX_SyntaxError, "expected ',' or ')', got the number 2",
     "perhaps a comma is missing"},
    {"f(a b)", 4, 5, GX_SyntaxError, "expected ',' or ')', got 'b'", "perhaps a comma is missing"},
    {"{1: 2, 3}", 8, 9, GX_SyntaxError, "expected ':' after the key of a dict, got '}'", NULL},
    {"{1, 2: 3}", 5, 6, GX_SyntaxError, "expected ',' or '}', got ':'", NULL},
    {"x[1 2]", 4, 5, GX_SyntaxError, "expected ',' or ']', got the number 2",
     "perhaps a comma is missing"},
    {"x[]", 1, 3, GX_SyntaxError, "expected an index between '[' and ']'", NULL},
    {"x.1", 1, 3, GX_SyntaxError, "expected the end of the statement, got the number .1", NULL},
    {"x.", 2, 3, GX_SyntaxError, "expected a name after '.', got the end of the line", NULL},
    {"a not b", 6, 7, GX_SyntaxError, "expected 'in' after 'not', got 'b'", NULL},
    {"a is is b", 5, 7, GX_SyntaxError, "expected an expression, got 'is'", NULL},
    {"1 +", 3, 4, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"1 + * 2", 4, 5, GX_SyntaxError, "expected an expression, got '*'", NULL},
    {"x = \\", 4, 5, GX_SyntaxError, "the text ends after a line continuation '\\'", NULL},
    {"x = \\ 1", 4, 5, GX_SyntaxError,
     "unexpected character after line continuation character '\\'", NULL},
    {"if x: if y: pass", 6, 8, GX_SyntaxError, "expected a simple statement on this line, got 'if'",
     NULL},
    {"while x: for y in z: pass", 9, 12, GX_SyntaxError,
     "expected a simple statement on this line, got 'for'", NULL},
    {"a <> b", 3, 4, GX_SyntaxError, "expected an expression, got '>'", "write '!='"},
    {"a === b", 4, 5, GX_SyntaxError, "expected an expression, got '='", "to compare, write '=='"},
    {"x =< 3", 3, 4, GX_SyntaxError, "expected an expression, got '<'", "write '<='"},
    {"x => 3", 3, 4, GX_SyntaxError, "expected an expression, got '>'", "write '>='"},
    {"let x = 3", 0, 3, GX_SyntaxError, "an assignment needs no 'let' before the name", NULL},
    {"int x = 3", 0, 3, GX_SyntaxError, "an assignment needs no 'int' before the name", NULL},
    {"1 + not x", 4, 7, GX_SyntaxError, "'not' binds less tightly than the operator before it",
     "put it in parentheses: (not \342\200\246)"},
    {"1 + lambda: 0", 4, 10, GX_SyntaxError, "a lambda here needs parentheses around it", NULL},
    {"[*x for x in y]", 1, 3, GX_SyntaxError, "iterable unpacking cannot be used in comprehension",
     NULL},
    {"{**x for x in y}", 3, 4, GX_SyntaxError,
     "dict unpacking cannot be used in dict comprehension", NULL},
    {"(*x)", 1, 3, GX_SyntaxError, "cannot use a starred expression here", NULL},
    {"print(*x", 5, 6, GX_SyntaxError, "'(' was never closed", NULL},
    {"for x y: pass", 6, 7, GX_SyntaxError, "expected 'in' after the target of 'for', got 'y'",
     NULL},
    {"for x: pass", 5, 6, GX_SyntaxError, "expected 'in' after the target of 'for', got ':'", NULL},
    {"a if b", 6, 7, GX_SyntaxError,
     "expected 'else' after the condition of 'if', got the end of the line", NULL},
    {"if x: pass; else: pass", 12, 16, GX_SyntaxError, "expected an expression, got 'else'", NULL},
    {"import *", 7, 8, GX_SyntaxError, "expected a module's name, got '*'", NULL},
    {"x: int: 3", 6, 7, GX_SyntaxError, "expected the end of the statement, got ':'", NULL},
    {"assert", 6, 7, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"raise a from", 12, 13, GX_SyntaxError, "expected an expression, got the end of the line",
     NULL},
    {"del", 3, 4, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"global", 6, 7, GX_SyntaxError, "expected a name after 'global', got the end of the line",
     NULL},
    {"x = yield", 4, 9, GX_SyntaxError, "'yield' outside function", NULL},
    {"from a import *\ndef f():\n  from b import *", 41, 42, GX_SyntaxError,
     "import * only allowed at module level", NULL},
    {"a = 1;;b = 2", 6, 7, GX_SyntaxError, "expected a statement, got ';'", NULL},
    {";", 0, 1, GX_SyntaxError, "expected an expression, got ';'", NULL},
    {"foo(1,\n  2\nbar(3)", 3, 4, GX_SyntaxError, "'(' was never closed", NULL},
    {"x = \"abc' + y", 4, 5, GX_SyntaxError, "unterminated string literal (detected at line 1)",
     NULL},
    {"def f():\nreturn 1", 9, 15, GX_IndentationError,
     "expected an indented block after function definition on line 1", NULL},
    {"  x = 1", 0, 2, GX_IndentationError, "unexpected indent", NULL},
    {"a = b = 3 = c", 8, 9, GX_SyntaxError,
     "cannot assign to literal here. Maybe you meant '==' instead of '='?", NULL},
    {"a\302\240b", 1, 3, GX_SyntaxError, "invalid non-printable character U+00A0",
     "replace this no-break space by a plain space"},
    {"x = 1 \\ y", 6, 7, GX_SyntaxError,
     "unexpected character after line continuation character '\\'", NULL},
    {"1.e", 0, 3, GX_SyntaxError, "invalid decimal literal", NULL},
    {"1e+", 0, 2, GX_SyntaxError, "invalid decimal literal", NULL},
    {"1.2.3", 3, 5, GX_SyntaxError, "expected the end of the statement, got the number .3", NULL},
    {"0b", 0, 2, GX_SyntaxError, "invalid binary literal", NULL},
    {"0_", 0, 2, GX_SyntaxError, "invalid decimal literal", NULL},
    {"1jx", 0, 3, GX_SyntaxError, "invalid imaginary literal", NULL},
    {"f\"{!r}\"", 2, 4, GX_SyntaxError, "f-string: expected an expression after '{'", NULL},
    {"f\"{a:{b}\"", 2, 3, GX_SyntaxError, "f-string: '{' was never closed", NULL},
    {"f\"{a!r b}\"", 7, 8, GX_SyntaxError, "expected ',' or '}', got 'b'",
     "perhaps a comma is missing"},
    {"f\"{a:>5\"", 2, 3, GX_SyntaxError, "f-string: '{' was never closed", NULL},
    {"f\"\"\"{a", 4, 5, GX_SyntaxError, "f-string: '{' was never closed", NULL},
    {"f\"{a]}\"", 4, 5, GX_SyntaxError, "f-string: unmatched ']'", NULL},
    {"f\"{(a}\"", 5, 6, GX_SyntaxError,
     "closing parenthesis '}' does not match opening parenthesis '('", NULL},
    {"f'{a['b]}'", 4, 5, GX_SyntaxError, "'[' was never closed", NULL},
    {"rb\"\303\251\"", 3, 5, GX_SyntaxError, "bytes can only contain ASCII literal characters",
     NULL},
    {"\"\\U00110000\"", 1, 11, GX_SyntaxError, "no such character: the last one is \\U0010ffff",
     NULL},
    {"\001", 0, 1, GX_SyntaxError, "the source contains the control character 0x01", NULL},
    {"x = \"a\nb\"", 4, 5, GX_SyntaxError, "unterminated string literal (detected at line 1)",
     NULL},
    {"((1)", 0, 1, GX_SyntaxError, "'(' was never closed", NULL},
    {"{1: [2, (3}", 10, 11, GX_SyntaxError,
     "closing parenthesis '}' does not match opening parenthesis '('", NULL},
    {"f(\n", 1, 2, GX_SyntaxError, "'(' was never closed", NULL},
    {"def f():\n  break", 11, 16, GX_SyntaxError, "'break' outside loop", NULL},
    {"while x:\n  def f():\n    break", 24, 29, GX_SyntaxError, "'break' outside loop", NULL},
    {"for x in y:\n  pass\nbreak", 19, 24, GX_SyntaxError, "'break' outside loop", NULL},
    {"try:\n  pass\nexcept:\n  continue", 22, 30, GX_SyntaxError, "'continue' not properly in loop",
     NULL},
    {"if x:\npass", 6, 10, GX_IndentationError,
     "expected an indented block after 'if' statement on line 1", NULL},
    {"else:\n  pass", 0, 4, GX_SyntaxError,
     "'else' without 'if', 'for', 'while' or 'try' before it", NULL},
    {"elif x: pass", 0, 4, GX_SyntaxError, "'elif' without 'if' before it", NULL},
    {"def f(a, *, b=1, **c=2): pass", 20, 21, GX_SyntaxError,
     "var-keyword argument cannot have default value", NULL},
    {"def f(*a=1): pass", 8, 9, GX_SyntaxError, "var-positional argument cannot have default value",
     NULL},
    {"def f(a, *): pass", 9, 10, GX_SyntaxError, "named arguments must follow bare *", NULL},
    {"def f(/, a): pass", 6, 7, GX_SyntaxError, "at least one argument must precede /", NULL},
    {"def f(*, /): pass", 9, 10, GX_SyntaxError, "/ must be ahead of *", NULL},
    {"def f(*, **k): pass", 9, 11, GX_SyntaxError, "named arguments must follow bare *", NULL},
    {"def (x): pass", 4, 5, GX_SyntaxError, "expected the function's name after 'def', got '('",
     NULL},
    {"def f(1): pass", 6, 7, GX_SyntaxError, "expected a parameter's name or ')', got the number 1",
     NULL},
    {"lambda *: 0", 7, 8, GX_SyntaxError, "named arguments must follow bare *", NULL},
    {"f(**a, *b)", 7, 8, GX_SyntaxError,
     "iterable argument unpacking follows keyword argument unpacking", NULL},
    {"f(a for a in b, c for c in d)", 2, 14, GX_SyntaxError,
     "a generator expression must be parenthesized when it is not the only argument", NULL},
    {"f(a, b for b in c)", 5, 17, GX_SyntaxError,
     "a generator expression must be parenthesized when it is not the only argument", NULL},
    {"f((a)=1)", 3, 6, GX_SyntaxError, "only a name can stand before '=' in a call",
     "to compare, write '=='"},
    {"f(a=)", 4, 5, GX_SyntaxError, "expected the argument's value after '=', got ')'", NULL},
    {"x[1", 1, 2, GX_SyntaxError, "'[' was never closed", NULL},
    {"x[1:2:3:4]", 7, 8, GX_SyntaxError, "expected ',' or ']', got ':'", NULL},
    {"(a, b", 0, 1, GX_SyntaxError, "'(' was never closed", NULL},
    {"a.1b", 1, 4, GX_SyntaxError, "invalid decimal literal", NULL},
    {"a.if", 2, 4, GX_SyntaxError, "expected a name after '.', got 'if'", NULL},
    {"not", 3, 4, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"a and", 5, 6, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"a in", 4, 5, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"a is not", 8, 9, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"in a", 0, 2, GX_SyntaxError, "expected an expression, got 'in'", NULL},
    {"a = ", 4, 5, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"a +=", 4, 5, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"= a", 0, 1, GX_SyntaxError, "expected an expression, got '='", NULL},
    {"a, = ", 5, 6, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"for in x: pass", 4, 6, GX_SyntaxError, "expected an expression, got 'in'", NULL},
    {"for a, in: pass", 9, 10, GX_SyntaxError, "expected an expression, got ':'", NULL},
    {"for a in: pass", 8, 9, GX_SyntaxError, "expected an expression, got ':'", NULL},
    {"while: pass", 5, 6, GX_SyntaxError, "expected an expression, got ':'", NULL},
    {"if: pass", 2, 3, GX_SyntaxError, "expected an expression, got ':'", NULL},
    {"with: pass", 4, 5, GX_SyntaxError, "expected an expression, got ':'", NULL},
    {"with a as: pass", 9, 10, GX_SyntaxError, "expected an expression, got ':'", NULL},
    {"except: pass", 0, 6, GX_SyntaxError, "'except' without 'try' before it", NULL},
    {"import a as", 11, 12, GX_SyntaxError, "expected a name after 'as', got the end of the line",
     NULL},
    {"import a.", 9, 10, GX_SyntaxError, "expected a module's name, got the end of the line", NULL},
    {"from a", 6, 7, GX_SyntaxError,
     "expected 'import' after the module's name, got the end of the line", NULL},
    {"from import a", 5, 11, GX_SyntaxError, "expected a module's name, got 'import'", NULL},
    {"from a import (b, , c)", 18, 19, GX_SyntaxError, "expected a name to import, got ','", NULL},
    {"from a import ()", 15, 16, GX_SyntaxError, "expected a name to import, got ')'", NULL},
    {"global x, ", 10, 11, GX_SyntaxError,
     "expected a name after 'global', got the end of the line", NULL},
    {"assert x,", 9, 10, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"raise from x", 6, 10, GX_SyntaxError, "expected an expression, got 'from'", NULL},
    {"del (a, 1)", 8, 9, GX_SyntaxError, "cannot delete literal", NULL},
    {"del *a", 4, 6, GX_SyntaxError, "starred assignment target must be in a list or tuple", NULL},
    {"(a, b): int = 1", 0, 6, GX_SyntaxError, "only single target (not tuple) can be annotated",
     NULL},
    {"[a]: int", 0, 3, GX_SyntaxError, "only single target (not list) can be annotated", NULL},
    {"1: int", 0, 1, GX_SyntaxError, "only a name, attribute or subscript can be annotated", NULL},
    {"x: int = ", 9, 10, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"def f():\n  x: int\n  global x", 27, 28, GX_SyntaxError,
     "name 'x' is assigned to before global declaration", NULL},
    {"def f():\n  def g():\n    nonlocal x\n  g()", 33, 34, GX_SyntaxError,
     "no binding for nonlocal 'x' found", NULL},
    {"def f():\n  global x\n  nonlocal x", 31, 32, GX_SyntaxError,
     "name 'x' is nonlocal and global", NULL},
    {"def f(a):\n  nonlocal a", 21, 22, GX_SyntaxError, "name 'a' is parameter and nonlocal", NULL},
    {"async", 0, 5, GX_SyntaxError, "gx has no coroutines ('async')", NULL},
    {"for i in range(3) {", 18, 19, GX_SyntaxError, "expected ':' after 'for' statement, got '{'",
     "a block starts with ':' and its lines are indented"},
    {"while (x) {", 10, 11, GX_SyntaxError, "expected ':' after 'while' statement, got '{'",
     "a block starts with ':' and its lines are indented"},
    {"do x", 3, 4, GX_SyntaxError, "expected the end of the statement, got 'x'", NULL},
    {"if x then:", 5, 9, GX_SyntaxError, "expected ':' after 'if' statement, got 'then'",
     "write ':' instead"},
    {"return", 0, 6, GX_SyntaxError, "'return' outside function", NULL},
    {"x = 1 2", 6, 7, GX_SyntaxError, "expected the end of the statement, got the number 2", NULL},
    {"foo bar", 4, 7, GX_SyntaxError, "expected the end of the statement, got 'bar'", NULL},
    {"print \"a\" % b, c;", 0, 5, GX_SyntaxError, "missing parentheses in call to 'print'",
     "print(\"a\" % b, c)"},
    {"\"a\" \"b", 4, 5, GX_SyntaxError, "unterminated string literal (detected at line 1)", NULL},
    {"x = [1, 2, 3", 4, 5, GX_SyntaxError, "'[' was never closed", NULL},
    {"{\"a\": 1 \"b\": 2}", 8, 11, GX_SyntaxError, "expected ',' or '}', got a string",
     "perhaps a comma is missing"},
    {"{a: 1, b}", 8, 9, GX_SyntaxError, "expected ':' after the key of a dict, got '}'", NULL},
    {"{a: *b}", 4, 5, GX_SyntaxError, "expected an expression, got '*'", NULL},
    {"{*a: 1}", 3, 4, GX_SyntaxError, "expected ',' or '}', got ':'", NULL},
    {"{**a, *b}", 6, 7, GX_SyntaxError, "expected an expression, got '*'", NULL},
    {"[a for]", 6, 7, GX_SyntaxError, "expected an expression, got ']'", NULL},
    {"[a for b]", 8, 9, GX_SyntaxError, "expected 'in' after the target of 'for', got ']'", NULL},
    {"[a for b in]", 11, 12, GX_SyntaxError, "expected an expression, got ']'", NULL},
    {"[a for b in c if]", 16, 17, GX_SyntaxError, "expected an expression, got ']'", NULL},
    {"[for a in b]", 1, 4, GX_SyntaxError, "expected an expression, got 'for'", NULL},
    {"(a for a in b", 0, 1, GX_SyntaxError, "'(' was never closed", NULL},
    {"[a async for a in b]", 3, 8, GX_SyntaxError, "gx has no coroutines ('async')", NULL},
    {"lambda a: b = 1", 0, 11, GX_SyntaxError,
     "cannot assign to lambda here. Maybe you meant '==' instead of '='?", NULL},
    {"a if b else", 11, 12, GX_SyntaxError, "expected an expression, got the end of the line",
     NULL},
    {"a if else b", 5, 9, GX_SyntaxError, "expected an expression, got 'else'", NULL},
    {"a == b = c", 0, 6, GX_SyntaxError,
     "cannot assign to comparison here. Maybe you meant '==' instead of '='?", NULL},
    {"a < b = 1", 0, 5, GX_SyntaxError,
     "cannot assign to comparison here. Maybe you meant '==' instead of '='?", NULL},
    {"not a = 1", 0, 5, GX_SyntaxError,
     "cannot assign to expression here. Maybe you meant '==' instead of '='?", NULL},
    {"-a = 1", 0, 2, GX_SyntaxError,
     "cannot assign to expression here. Maybe you meant '==' instead of '='?", NULL},
    {"\"a\" = 1", 0, 3, GX_SyntaxError,
     "cannot assign to literal here. Maybe you meant '==' instead of '='?", NULL},
    {"f\"{a}\" = 1", 0, 6, GX_SyntaxError,
     "cannot assign to f-string expression here. Maybe you meant '==' instead of '='?", NULL},
    {"... = 1", 0, 3, GX_SyntaxError,
     "cannot assign to ellipsis here. Maybe you meant '==' instead of '='?", NULL},
    {"[a for a in b] = 1", 0, 14, GX_SyntaxError,
     "cannot assign to list comprehension here. Maybe you meant '==' instead of '='?", NULL},
    {"(a for a in b) = 1", 0, 14, GX_SyntaxError,
     "cannot assign to generator expression here. Maybe you meant '==' instead of '='?", NULL},
    {"{a} = 1", 0, 3, GX_SyntaxError,
     "cannot assign to set display here. Maybe you meant '==' instead of '='?", NULL},
    {"{} = 1", 0, 2, GX_SyntaxError,
     "cannot assign to dict literal here. Maybe you meant '==' instead of '='?", NULL},
    {"(lambda: 0) = 1", 1, 10, GX_SyntaxError,
     "cannot assign to lambda here. Maybe you meant '==' instead of '='?", NULL},
    {"a if b else c = 1", 0, 13, GX_SyntaxError,
     "cannot assign to conditional expression here. Maybe you meant '==' instead of '='?", NULL},
    {"True = 1", 0, 4, GX_SyntaxError, "cannot assign to True", NULL},
    {"a.b() += 1", 0, 5, GX_SyntaxError,
     "augmented assignment changes a name, attribute or subscript, not a function call", NULL},
    {"(a) += = 1", 7, 8, GX_SyntaxError, "expected an expression, got '='", NULL},
    {"**a", 0, 2, GX_SyntaxError, "expected an expression, got '**'", NULL},
    {"*a", 0, 2, GX_SyntaxError, "cannot use a starred expression here", NULL},
    {"print(**a, b)", 11, 12, GX_SyntaxError,
     "positional argument follows keyword argument unpacking", NULL},
    {"@", 1, 2, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"x @", 3, 4, GX_SyntaxError, "expected an expression, got the end of the line", NULL},
    {"class", 5, 6, GX_SyntaxError,
     "expected the class's name after 'class', got the end of the line", NULL},
    {"with (a as b: pass", 8, 10, GX_SyntaxError, "expected ',' or ')', got 'as'", NULL},
    {"with open(a) as f, : pass", 19, 20, GX_SyntaxError, "expected an expression, got ':'", NULL},
    {"try: a", 6, 7, GX_SyntaxError,
     "expected 'except' or 'finally' after the 'try' block, got the end of the file", NULL},
    {"try: a\nelse: b", 7, 11, GX_SyntaxError,
     "expected 'except' or 'finally' after the 'try' block, got 'else'", NULL},
    {"try:\n  a\nelse:\n  b\nfinally:\n  c", 9, 13, GX_SyntaxError,
     "expected 'except' or 'finally' after the 'try' block, got 'else'", NULL},
    {"try:\n  a\nb", 9, 10, GX_SyntaxError,
     "expected 'except' or 'finally' after the 'try' block, got 'b'", NULL},
};

Test(syntax_errors, messages) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        syntax s = parse_text(r->text);
        cr_assert_eq(s.status, GX_PARSE_ERROR, "%s was accepted", r->text);
        const gx_syntax_error *e = &s.errors.list[0];
        cr_expect_eq(e->kind, r->kind, "%s: %s", r->text, gx_error_name(e->kind));
        cr_expect_str_eq(e->message, r->message, "%s: %s", r->text, e->message);
        cr_expect(e->at.start == r->start && e->at.end == r->end, "%s: %u to %u", r->text,
                  e->at.start, e->at.end);
        cr_expect_str_eq(e->help ? e->help : "", r->help ? r->help : "", "%s", r->text);
        cr_expect_str_eq(s.rt->error.message, r->message, "the pending error is the first");
        cr_expect_eq(s.rt->error.at.start, r->start);
        done(&s);
    }
}

typedef struct bytes_row {
    const char *text;
    size_t length;
    const char *message;
} bytes_row;

static const bytes_row bad_bytes[] = {
    {"a\0b", 3, "the source contains a NUL byte"},
    {"'a\0b'", 5, "the source contains a NUL byte"},
    {"f'a\0b'", 6, "the source contains a NUL byte"},
    {"a\n\377b", 4, "byte 0xff at line 2 is not UTF-8"},
    {"a = '\303'", 7, "byte 0xc3 at line 1 is not UTF-8"},
    {"\033[0m", 4, "the source contains the control character 0x1b"},
};

Test(syntax_errors, bytes) {
    for (size_t i = 0; i < sizeof bad_bytes / sizeof *bad_bytes; i++) {
        syntax s = parse_bytes(bad_bytes[i].text, bad_bytes[i].length, false);
        cr_assert_eq(s.status, GX_PARSE_ERROR);
        cr_expect_str_eq(s.errors.list[0].message, bad_bytes[i].message, "%s",
                         s.errors.list[0].message);
        done(&s);
    }
}

/* Every wrong line is reported once, and nothing else. */
static void expect_lines(const char *text, const char *lines) {
    syntax s = parse_text(text);
    char got[200] = "";
    for (int i = 0; i < s.errors.count; i++) {
        uint32_t line, column;
        gx_source_place(s.rt, s.errors.list[i].at, &line, &column);
        sprintf(got + strlen(got), "%s%u", i ? " " : "", line);
    }
    cr_expect_str_eq(got, lines, "%s: errors at lines %s, expected %s", text, got, lines);
    done(&s);
}

Test(syntax_errors, recovery) {
    expect_lines("x = = 3\ny = 1\nz +", "1 3");
    expect_lines("if x = 3:\n  y = = 2\n  z\nelse:\n  w = = 1\nv", "1 2 5");
    expect_lines("class A(:\n  def f(self):\n    return 1\n  x = 1\ny = = 2", "1");
    expect_lines("def f(a, a):\n  return a\nfor x y:\n  break\n", "1 3");
    expect_lines("match x:\n  case 1 2: pass\n  case _: pass\ny = = 1", "2 4");
    expect_lines("try:\n  x\ny = 1", "3");
    expect_lines("x = [1, 2\ny = 3\nz = 4", "1");
    expect_lines("  x\ny = = 1", "1 2");
    expect_lines("if x:\n    a\n  b\nc = = 1", "3 4");
    expect_lines("a = 'b\nc = 1d\ne = $f", "1 2 3");
    expect_lines("x=)\n"
                 "x=)\n"
                 "x=)\n"
                 "x=)\n"
                 "x=)\n"
                 "x=)\n"
                 "x=)\n"
                 "x=)\n"
                 "x=)\n"
                 "x=)\n"
                 "x=)\n"
                 "x=)\n",
                 "1 2 3 4 5 6 7 8 9 10");
}

/* Each allocation fails in turn: an error, no crash, no leak. */
Test(syntax_errors, no_memory) {
    const char *text = "def f(a, b=1):\n  'doc'\n  return [lambda: f'{i!r:>{a}}' for i in b]\n"
                       "x = = 3\nprint x\n";
    for (int64_t n = 1;; n++) {
        gx_rt *rt = gx_rt_new();
        gx_map globals = {0};
        gx_unit *unit;
        gx_parse_errors errors;
        uint32_t source;
        cr_assert(gx_source_add(rt, "test.gx", text, strlen(text), &source));
        rt->debug.fail_alloc = n;
        cr_assert_eq(gx_parse(rt, source, &globals, false, &unit, &errors), GX_PARSE_ERROR);
        bool memory = errors.count == 0;
        cr_expect(gx_failed(&rt->error));
        rt->debug.fail_alloc = 0;
        gx_parse_errors_free(&errors);
        gx_error_clear(rt);
        gx_map_free(rt, &globals);
        gx_sources_free(rt);
        gx_symtab_free(rt);
        cr_assert_eq(rt->stats.live_blocks, 0, "allocation %ld: %ld blocks leak", (long)n,
                     (long)rt->stats.live_blocks);
        gx_rt_free(rt);
        if (!memory) break;
        cr_assert_lt(n, 5000);
    }
}
