/* Unit tests of the parser: source to tree, the edges of depth and length, what the prompt is told,
   and how several errors are found. Error messages are in test_syntax_errors.c. */
#include "tests/unit/syntax_int.h"

typedef struct row {
    const char *text, *tree;
} row;

static const row expressions[] = {
    {"-x**2", "UNARY - (a: BINARY ** (a: NAME x global 0, b: INT 2))"},
    {"2**-1", "BINARY ** (a: INT 2, b: UNARY - (a: INT 1))"},
    {"a**b**c",
     "BINARY ** (a: NAME a global 2, b: BINARY ** (a: NAME b global 1, b: NAME c global 0))"},
    {"not a == b", "NOT (a: COMPARE == (a: NAME a global 1, b: NAME b global 0))"},
    {"-a.b(c)[d]",
     "UNARY - (a: INDEX (a: CALL (a: ATTR b (a: NAME a global 2), 0: NAME c global 1), b: NAME d "
     "global 0))"},
    {"a or b and not c",
     "OR (a: NAME a global 2, b: AND (a: NAME b global 1, b: NOT (a: NAME c global 0)))"},
    {"a | b ^ c & d << e + f * g",
     "BINARY | (a: NAME a global 6, b: BINARY ^ (a: NAME b global 5, b: BINARY & (a: NAME c "
     "global 4, b: BINARY << (a: NAME d global 3, b: BINARY + (a: NAME e global 2, b: BINARY * "
     "(a: NAME f global 1, b: NAME g global 0))))))"},
    {"a - b - c",
     "BINARY - (a: BINARY - (a: NAME a global 2, b: NAME b global 1), b: NAME c global 0)"},
    {"a @ b // c % d / e",
     "BINARY / (a: BINARY % (a: BINARY // (a: BINARY @ (a: NAME a global 4, b: NAME b global 3), "
     "b: NAME c global 2), b: NAME d global 1), b: NAME e global 0)"},
    {"~a", "UNARY ~ (a: NAME a global 0)"},
    {"a < b", "COMPARE < (a: NAME a global 1, b: NAME b global 0)"},
    {"a < b <= c != d",
     "CHAIN < <= != (0: NAME a global 0, 1: NAME b global 1, 2: NAME c global 2, 3: NAME d "
     "global 3)"},
    {"a is not b", "COMPARE is not (a: NAME a global 1, b: NAME b global 0)"},
    {"a not in b", "COMPARE not in (a: NAME a global 1, b: NAME b global 0)"},
    {"(a < b) < c",
     "COMPARE < (a: COMPARE < (a: NAME a global 2, b: NAME b global 1), b: NAME c global 0)"},
    {"x if a else y if b else z",
     "IFEXP (a: NAME a global 0, b: NAME x global 1, c: IFEXP (a: NAME b global 2, b: NAME y "
     "global 3, c: NAME z global 4))"},
    {"lambda: 0", "LAMBDA (function <lambda> slots 0 (body: INT 0))"},
    {"lambda x, *a, y=1, **k: x",
     "LAMBDA (function <lambda> slots 4 (param x plain 0, param a star 1, param y kwonly 2 "
     "(default: INT 1), param k starstar 3, body: NAME x local 0))"},
    {"(a, b)", "TUPLE (0: NAME a global 0, 1: NAME b global 1)"},
    {"(a,)", "TUPLE (0: NAME a global 0)"},
    {"()", "TUPLE"},
    {"(a)", "NAME a global 0"},
    {"[a, *b]", "LIST (0: NAME a global 0, 1: STARRED (a: NAME b global 1))"},
    {"{a, *b}", "SET (0: NAME a global 0, 1: STARRED (a: NAME b global 1))"},
    {"{a: 1, **b}", "DICT (0: NAME a global 0, 1: INT 1, 2: -, 3: NAME b global 1)"},
    {"{}", "DICT"},
    {"[i for i in a if b if c for j in d]",
     "LISTCOMP slots 0+2 (a: NAME i local 0, 0: COMPFOR (a: NAME i local 0, b: NAME a global 0, "
     "0: NAME b global 1, 1: NAME c global 2), 1: COMPFOR (a: NAME j local 1, b: NAME d global "
     "3))"},
    {"{i for i in a}",
     "SETCOMP slots 0+1 (a: NAME i local 0, 0: COMPFOR (a: NAME i local 0, b: NAME a global 0))"},
    {"{i: j for i, j in a}",
     "DICTCOMP slots 0+2 (a: NAME i local 0, b: NAME j local 1, 0: COMPFOR (a: TUPLE (0: NAME i "
     "local 0, 1: NAME j local 1), b: NAME a global 0))"},
    {"f(x for x in y)",
     "CALL (a: NAME f global 1, 0: GENEXP (function <genexpr> slots 2 (param .0 posonly 0), a: "
     "NAME y global 0, b: NAME x local 1, 0: COMPFOR (a: NAME x local 1, b: NAME .0 local 0)))"},
    {"f(a, *b, c=1, **d)",
     "CALL (a: NAME f global 3, 0: NAME a global 0, 1: STARRED (a: NAME b global 1), 2: KEYWORD "
     "c (a: INT 1), 3: DOUBLESTAR (a: NAME d global 2))"},
    {"x[1]", "INDEX (a: NAME x global 0, b: INT 1)"},
    {"x[a:b:c]",
     "INDEX (a: NAME x global 3, b: SLICE (a: NAME a global 0, b: NAME b global 1, c: NAME c "
     "global 2))"},
    {"x[:, ::2, ..., None]",
     "INDEX (a: NAME x global 0, b: TUPLE (0: SLICE, 1: SLICE (c: INT 2), 2: ELLIPSIS, 3: NONE))"},
    {"x[*a]", "INDEX (a: NAME x global 1, b: TUPLE (0: STARRED (a: NAME a global 0)))"},
    {"x[a, ]", "INDEX (a: NAME x global 1, b: TUPLE (0: NAME a global 0))"},
    {"1_000", "INT 1000"},
    {"0XfF", "INT 0xfF"},
    {"0b1_0", "INT 0b10"},
    {"00", "INT 00"},
    {"1.5e-3", "FLOAT 0.0015"},
    {".5", "FLOAT 0.5"},
    {"1_0.e1", "FLOAT 100"},
    {"2j", "IMAG 2"},
    {"\"a\\tb\" 'c'", "STR \"a\\x09bc\""},
    {"r\"\\n\"", "STR \"\\x5cn\""},
    {"b\"\\xff\\u\"", "BYTES \"\\xff\\x5cu\""},
    {"\"\"\"a\nb\"\"\"", "STR \"a\\x0ab\""},
    {"u\"a\"", "STR \"a\""},
    {"\"\\101\\x41\\u0041\\U00000041\\q\\\nz\"", "STR \"AAAA\\x5cqz\""},
    {"f\"a{b}c\"", "FSTRING (0: STR \"a\", 1: FIELD (a: NAME b global 0), 2: STR \"c\")"},
    {"f\"{a!r:>{w}.{p}f}\"",
     "FSTRING (0: FIELD !r (a: NAME a global 0, b: FSTRING (0: STR \">\", 1: FIELD (a: NAME w "
     "global 1), 2: STR \".\", 3: FIELD (a: NAME p global 2), 4: STR \"f\")))"},
    {"f\"{a = }\"", "FSTRING (0: FIELD !r \"a = \" (a: NAME a global 0))"},
    {"f\"{a=:3}\"", "FSTRING (0: FIELD \"a=\" (a: NAME a global 0, b: FSTRING (0: STR \"3\")))"},
    {"f\"{a=!s}\"", "FSTRING (0: FIELD !s \"a=\" (a: NAME a global 0))"},
    {"f\"{{}}{a}}}\"", "FSTRING (0: STR \"{}\", 1: FIELD (a: NAME a global 0), 2: STR \"}\")"},
    {"\"x\" f\"y{a}\" \"z\"",
     "FSTRING (0: STR \"xy\", 1: FIELD (a: NAME a global 0), 2: STR \"z\")"},
    {"f\"plain\"", "STR \"plain\""},
    {"f\"{a, b}\"", "FSTRING (0: FIELD (a: TUPLE (0: NAME a global 0, 1: NAME b global 1)))"},
    {"f\"{'q'}{\"r\"}\"", "FSTRING (0: FIELD (a: STR \"q\"), 1: FIELD (a: STR \"r\"))"},
    {"rf\"\\d{a}\"", "FSTRING (0: STR \"\\x5cd\", 1: FIELD (a: NAME a global 0))"},
    {"f\"{a:{b:{c}}}\"",
     "FSTRING (0: FIELD (a: NAME a global 0, b: FSTRING (0: FIELD (a: NAME b global 1, b: "
     "FSTRING (0: FIELD (a: NAME c global 2))))))"},
    {"f\"{x!=y}\"", "FSTRING (0: FIELD (a: COMPARE != (a: NAME x global 1, b: NAME y global 0)))"},
    {"f\"{d['k']:>5}\"",
     "FSTRING (0: FIELD (a: INDEX (a: NAME d global 0, b: STR \"k\"), b: FSTRING (0: STR "
     "\">5\")))"},
    {"f\"\"\"{\na\n}\"\"\"", "FSTRING (0: FIELD (a: NAME a global 0))"},
    {"\303\251t\303\251", "NAME \303\251t\303\251 global 0"},
    {"None", "NONE"},
    {"...", "ELLIPSIS"},
    {"a.b.c", "ATTR c (a: ATTR b (a: NAME a global 0))"},
    {"f()()", "CALL (a: CALL (a: NAME f global 0))"},
    {"a if b else lambda: c",
     "IFEXP (a: NAME b global 0, b: NAME a global 1, c: LAMBDA (function <lambda> slots 0 (body: "
     "NAME c global 2)))"},
    {"not not a", "NOT (a: NOT (a: NAME a global 0))"},
    {"- + ~ a", "UNARY - (a: UNARY + (a: UNARY ~ (a: NAME a global 0)))"},
    {"x[lambda: 0]",
     "INDEX (a: NAME x global 0, b: LAMBDA (function <lambda> slots 0 (body: INT 0)))"},
    {"{**a}", "DICT (0: -, 1: NAME a global 0)"},
    {"a, b", "TUPLE (0: NAME a global 0, 1: NAME b global 1)"},
    {"*a, b", "TUPLE (0: STARRED (a: NAME a global 0), 1: NAME b global 1)"},
};

static const row statements[] = {
    {"a = b = c", "BLOCK (0: ASSIGN (a: NAME c global 0, 0: NAME a global 1, 1: NAME b global 2))"},
    {"a, *b = c",
     "BLOCK (0: ASSIGN (a: NAME c global 0, 0: TUPLE (0: NAME a global 1, 1: STARRED (a: NAME b "
     "global 2))))"},
    {"[a, b] = (c, d) = e",
     "BLOCK (0: ASSIGN (a: NAME e global 0, 0: LIST (0: NAME a global 1, 1: NAME b global 2), 1: "
     "TUPLE (0: NAME c global 3, 1: NAME d global 4)))"},
    {"(a) = 1", "BLOCK (0: ASSIGN (a: INT 1, 0: NAME a global 0))"},
    {"a.b, c[d] = e",
     "BLOCK (0: ASSIGN (a: NAME e global 0, 0: TUPLE (0: ATTR b (a: NAME a global 1), 1: INDEX "
     "(a: NAME c global 3, b: NAME d global 2))))"},
    {"a += 1", "BLOCK (0: AUGASSIGN + (a: NAME a global 0, b: INT 1))"},
    {"a[0] **= b, c",
     "BLOCK (0: AUGASSIGN ** (a: INDEX (a: NAME a global 0, b: INT 0), b: TUPLE (0: NAME b "
     "global 1, 1: NAME c global 2)))"},
    {"a @= b", "BLOCK (0: AUGASSIGN @ (a: NAME a global 0, b: NAME b global 1))"},
    {"x: int = 1", "BLOCK (0: ASSIGN (a: INT 1, b: STR \"int\", 0: NAME x global 0))"},
    {"x: int", "BLOCK (0: PASS annotation (b: STR \"int\", 0: NAME x global 0))"},
    {"x.y: int", "BLOCK (0: PASS)"},
    {"pass; pass;", "BLOCK (0: PASS, 1: PASS)"},
    {"if a: b\nelif c: d\nelse: e",
     "BLOCK (0: IF (a: NAME a global 0, b: BLOCK (0: EXPRSTMT (a: NAME b global 1)), c: IF (a: "
     "NAME c global 2, b: BLOCK (0: EXPRSTMT (a: NAME d global 3)), c: BLOCK (0: EXPRSTMT (a: "
     "NAME e global 4)))))"},
    {"while a:\n  break\nelse:\n  b",
     "BLOCK (0: WHILE (a: NAME a global 0, b: BLOCK (0: BREAK), c: BLOCK (0: EXPRSTMT (a: NAME b "
     "global 1))))"},
    {"for a, *b in c, d: continue",
     "BLOCK (0: FOR (a: TUPLE (0: NAME a global 2, 1: STARRED (a: NAME b global 3)), b: BLOCK "
     "(0: CONTINUE), 0: TUPLE (0: NAME c global 0, 1: NAME d global 1)))"},
    {"for x[0] in y: pass",
     "BLOCK (0: FOR (a: INDEX (a: NAME x global 1, b: INT 0), b: BLOCK (0: PASS), 0: NAME y "
     "global 0))"},
    {"try: a\nexcept B as c: d\nexcept (E, F): g\nexcept: h\nelse: i\nfinally: j",
     "BLOCK (0: TRY (a: BLOCK (0: EXPRSTMT (a: NAME a global 0)), b: BLOCK (0: EXPRSTMT (a: NAME "
     "i global 8)), c: BLOCK (0: EXPRSTMT (a: NAME j global 9)), 0: EXCEPT (a: NAME B global 1, "
     "b: NAME c global 2, c: BLOCK (0: EXPRSTMT (a: NAME d global 3))), 1: EXCEPT (a: TUPLE (0: "
     "NAME E global 4, 1: NAME F global 5), c: BLOCK (0: EXPRSTMT (a: NAME g global 6))), 2: "
     "EXCEPT (c: BLOCK (0: EXPRSTMT (a: NAME h global 7)))))"},
    {"try: a\nfinally: b",
     "BLOCK (0: TRY (a: BLOCK (0: EXPRSTMT (a: NAME a global 0)), c: BLOCK (0: EXPRSTMT (a: NAME "
     "b global 1))))"},
    {"with a as b, c: d",
     "BLOCK (0: WITH (a: BLOCK (0: EXPRSTMT (a: NAME d global 3)), 0: WITHITEM (a: NAME a global "
     "0, b: NAME b global 1), 1: WITHITEM (a: NAME c global 2)))"},
    {"with (a as b, c as d,): e",
     "BLOCK (0: WITH (a: BLOCK (0: EXPRSTMT (a: NAME e global 4)), 0: WITHITEM (a: NAME a global "
     "0, b: NAME b global 1), 1: WITHITEM (a: NAME c global 2, b: NAME d global 3)))"},
    {"with (a, b): c",
     "BLOCK (0: WITH (a: BLOCK (0: EXPRSTMT (a: NAME c global 2)), 0: WITHITEM (a: NAME a global "
     "0), 1: WITHITEM (a: NAME b global 1)))"},
    {"with (a): b",
     "BLOCK (0: WITH (a: BLOCK (0: EXPRSTMT (a: NAME b global 1)), 0: WITHITEM (a: NAME a global "
     "0)))"},
    {"with (a, b) as c: d",
     "BLOCK (0: WITH (a: BLOCK (0: EXPRSTMT (a: NAME d global 3)), 0: WITHITEM (a: TUPLE (0: "
     "NAME a global 0, 1: NAME b global 1), b: NAME c global 2)))"},
    {"with (a).b as c: d",
     "BLOCK (0: WITH (a: BLOCK (0: EXPRSTMT (a: NAME d global 2)), 0: WITHITEM (a: ATTR b (a: "
     "NAME a global 0), b: NAME c global 1)))"},
    {"with a as (b, c): d",
     "BLOCK (0: WITH (a: BLOCK (0: EXPRSTMT (a: NAME d global 3)), 0: WITHITEM (a: NAME a global "
     "0, b: TUPLE (0: NAME b global 1, 1: NAME c global 2))))"},
    {"def f(): pass",
     "BLOCK (0: DEF (function f slots 0 (body: BLOCK (0: PASS)), a: NAME f global 0))"},
    {"def f(a, /, b: int = 1, *c, d, e=2, **g) -> int:\n  \"doc\"\n  return a",
     "BLOCK (0: DEF (function f slots 6 (param a posonly 0, param b plain 1 (default: INT 1), "
     "param c star 2, param d kwonly 3, param e kwonly 4 (default: INT 2), param g starstar 5, "
     "body: BLOCK (0: EXPRSTMT (a: STR \"doc\"), 1: RETURN (a: NAME a local 0))), a: NAME f "
     "global 0))"},
    {"def f(*, a): return",
     "BLOCK (0: DEF (function f slots 1 (param a kwonly 0, body: BLOCK (0: RETURN)), a: NAME f "
     "global 0))"},
    {"raise", "BLOCK (0: RAISE)"},
    {"raise A from b", "BLOCK (0: RAISE (a: NAME A global 0, b: NAME b global 1))"},
    {"assert a, b", "BLOCK (0: ASSERT (a: NAME a global 0, b: NAME b global 1))"},
    {"del a, b[0], (c, [d])",
     "BLOCK (0: DEL (0: NAME a global 0, 1: INDEX (a: NAME b global 1, b: INT 0), 2: NAME c "
     "global 2, 3: NAME d global 3))"},
    {"import a, b.c, d.e as f",
     "BLOCK (0: IMPORT (0: ALIAS a (a: NAME a global 0), 1: ALIAS b.c (a: NAME b global 1), 2: "
     "ALIAS d.e (a: NAME f global 2)))"},
    {"from a.b import (c as d, e,)",
     "BLOCK (0: FROM a.b (0: ALIAS c (a: NAME d global 0), 1: ALIAS e (a: NAME e global 1)))"},
    {"from a import *", "BLOCK (0: FROM * a)"},
    {"global a", "BLOCK (0: PASS global (0: NAME a global 0))"},
    {"a = \\\n  b", "BLOCK (0: ASSIGN (a: NAME b global 0, 0: NAME a global 1))"},
    {"a = (b,\n  c)",
     "BLOCK (0: ASSIGN (a: TUPLE (0: NAME b global 0, 1: NAME c global 1), 0: NAME a global 2))"},
    {"a # comment\n# another\n\nb",
     "BLOCK (0: EXPRSTMT (a: NAME a global 0), 1: EXPRSTMT (a: NAME b global 1))"},
    {"if a:\n\tb\n\n\t# c\n\td\ne",
     "BLOCK (0: IF (a: NAME a global 0, b: BLOCK (0: EXPRSTMT (a: NAME b global 1), 1: EXPRSTMT "
     "(a: NAME d global 2))), 1: EXPRSTMT (a: NAME e global 3))"},
    {"\357\273\277a", "BLOCK (0: EXPRSTMT (a: NAME a global 0))"},
    {"a\r\nb\rc",
     "BLOCK (0: EXPRSTMT (a: NAME a global 0), 1: EXPRSTMT (a: NAME b global 1), 2: EXPRSTMT (a: "
     "NAME c global 2))"},
    {"kernel = 1", "BLOCK (0: ASSIGN (a: INT 1, 0: NAME kernel global 0))"},
    {"match = type = 2",
     "BLOCK (0: ASSIGN (a: INT 2, 0: NAME match global 0, 1: NAME type global 1))"},
    {"print(*a, sep=\"\")",
     "BLOCK (0: EXPRSTMT (a: CALL (a: NAME print global 1, 0: STARRED (a: NAME a global 0), 1: "
     "KEYWORD sep (a: STR \"\"))))"},
    {"1if 1else 2", "BLOCK (0: EXPRSTMT (a: IFEXP (a: INT 1, b: INT 1, c: INT 2)))"},
    {"\f\na\n  \f\nb",
     "BLOCK (0: EXPRSTMT (a: NAME a global 0), 1: EXPRSTMT (a: NAME b global 1))"},
};

Test(parser, expressions) {
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
        expect_tree(expressions[i].text, expressions[i].tree, true);
}

Test(parser, statements) {
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        expect_tree(statements[i].text, statements[i].tree, false);
}

/* before + n times unit + after */
static char *repeat(const char *before, const char *unit, int n, const char *after) {
    size_t length = strlen(unit), head = strlen(before);
    char *text = malloc(head + length * (size_t)n + strlen(after) + 1);
    cr_assert_not_null(text);
    memcpy(text, before, head);
    for (int i = 0; i < n; i++) memcpy(text + head + length * (size_t)i, unit, length);
    strcpy(text + head + length * (size_t)n, after);
    return text;
}

static void expect_repeat(const char *before, const char *unit, int n, const char *after,
                          const char *message) {
    char *text = repeat(before, unit, n, after);
    syntax s = parse_text(text);
    if (!message) {
        cr_expect_eq(s.status, GX_PARSE_OK, "%s … %s: %s", before, unit,
                     s.errors.count ? s.errors.list[0].message : "");
    } else {
        cr_assert_eq(s.status, GX_PARSE_ERROR, "%s … %s was accepted", before, unit);
        cr_expect(strstr(s.errors.list[0].message, message), "%s … %s: %s", before, unit,
                  s.errors.list[0].message);
    }
    done(&s);
    free(text);
}

Test(parser, long_chains) {
    enum { N = 100000 };
    expect_repeat("1", "+1", N, "", NULL);
    expect_repeat("a", ".b", N, "", NULL);
    expect_repeat("a", "()", N, "", NULL);
    expect_repeat("a", "[0]", N, "", NULL);
    expect_repeat("a", " and a", N, "", NULL);
    expect_repeat("a", " < a", N, "", NULL);
    expect_repeat("", "a = ", N, "1", NULL);
    expect_repeat("x =", " 'a'", N, "", NULL);
    expect_repeat("if a: b\n", "elif a: b\n", N, "else: c\n", NULL);
    expect_repeat("[", "a,", N, "]", NULL);
    expect_repeat("", "a\n", N, "", NULL);
}

Test(parser, deep_nesting) {
    enum { N = 100000 };
    expect_repeat("", "(", 199, "", "was never closed");
    expect_repeat("", "(", N, "", "too many nested parentheses");
    expect_repeat("", "[", N, "", "too many nested parentheses");
    expect_repeat("", "f\"{", N, "", "too many nested");
    expect_repeat("", "not ", N, "a", "too deeply nested");
    expect_repeat("", "- ", N, "a", "too deeply nested");
    expect_repeat("a", "**a", N, "", "too deeply nested");
    expect_repeat("", "lambda: ", N, "a", "too deeply nested");
    expect_repeat("", "a if b else ", N, "c", "too deeply nested");
    expect_repeat("", "not ", 900, "a", NULL);
}

Test(parser, deep_blocks) {
    char text[40000];
    size_t at = 0;
    for (int i = 0; i < 150; i++) {
        memset(text + at, ' ', (size_t)i);
        at += (size_t)i;
        at += (size_t)sprintf(text + at, "if a:\n");
    }
    syntax s = parse_text(text);
    cr_assert_eq(s.status, GX_PARSE_ERROR);
    cr_expect_str_eq(s.errors.list[0].message, "too many levels of indentation (at most 100)");
    done(&s);
}

typedef struct prompt {
    const char *text;
    gx_parse_status status;
} prompt;

static const prompt prompts[] = {
    {"", GX_PARSE_OK},
    {"x = 1", GX_PARSE_OK},
    {"# only a comment", GX_PARSE_OK},
    {"if x:", GX_PARSE_INCOMPLETE},
    {"if x:\n", GX_PARSE_INCOMPLETE},
    {"if x:\n\n", GX_PARSE_ERROR},
    {"if x:\n  y", GX_PARSE_INCOMPLETE},
    {"if x:\n  y\n", GX_PARSE_OK},
    {"if x:\n  y\n  ", GX_PARSE_OK},
    {"if x:\n  y\nelse:", GX_PARSE_INCOMPLETE},
    {"if x: y", GX_PARSE_INCOMPLETE},
    {"if x:\n  y\nz", GX_PARSE_OK},
    {"f(1,", GX_PARSE_INCOMPLETE},
    {"f(1 2", GX_PARSE_ERROR},
    {"f(1,\n2)", GX_PARSE_OK},
    {"\"\"\"a", GX_PARSE_INCOMPLETE},
    {"f\"\"\"{x", GX_PARSE_INCOMPLETE},
    {"\"abc", GX_PARSE_ERROR},
    {"x = \\", GX_PARSE_INCOMPLETE},
    {"x = ", GX_PARSE_ERROR},
    {"try:\n  x", GX_PARSE_INCOMPLETE},
    {"try:\n  x\n\n", GX_PARSE_ERROR},
    {"def f(a,", GX_PARSE_INCOMPLETE},
    {"def f():\n  nonlocal q\n", GX_PARSE_ERROR},
    {"class A:", GX_PARSE_INCOMPLETE},
    {"match x:", GX_PARSE_INCOMPLETE},
    {"@d", GX_PARSE_INCOMPLETE},
};

Test(parser, prompt) {
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++) {
        syntax s = parse_bytes(prompts[i].text, strlen(prompts[i].text), true);
        cr_expect_eq(s.status, prompts[i].status, "%s: status %d", prompts[i].text, (int)s.status);
        if (s.status == GX_PARSE_INCOMPLETE) cr_expect_not(gx_failed(&s.rt->error));
        done(&s);
    }
}

/* The spans that messages underline. */
Test(parser, spans) {
    syntax s = parse_text("y = (a+b) * c.d(e)[f]");
    cr_assert_eq(s.status, GX_PARSE_OK);
    const gx_node *value = s.unit->main->body->list[0]->a;
    cr_expect_eq(value->at.start, 4);
    cr_expect_eq(value->at.end, 21);
    cr_expect_eq(value->op_at.start, 10);
    cr_expect_eq(value->op_at.end, 11);
    cr_expect_eq(value->a->at.start, 5);
    cr_expect_eq(value->a->at.end, 8);
    const gx_node *index = value->b, *call = index->a, *attribute = call->a;
    cr_expect_eq(index->op_at.start, 18);
    cr_expect_eq(call->op_at.start, 15);
    cr_expect_eq(call->at.end, 18);
    cr_expect_eq(attribute->op_at.start, 14);
    cr_expect_eq(attribute->op_at.end, 15);
    done(&s);
}

Test(parser, spans_in_fstrings) {
    const char *text = "x = f'a{b + c:{d}}'";
    syntax s = parse_text(text);
    cr_assert_eq(s.status, GX_PARSE_OK);
    const gx_node *field = s.unit->main->body->list[0]->a->list[1];
    cr_expect_eq(field->a->at.start, 8);
    cr_expect_eq(field->a->at.end, 13);
    cr_expect_eq(field->b->list[0]->a->at.start, 15);
    done(&s);
}

Test(parser, docstrings) {
    syntax s = parse_text("'''top'''\ndef f():\n  'doc'\ndef g():\n  f'no'\n");
    cr_assert_eq(s.status, GX_PARSE_OK);
    cr_expect_str_eq(s.unit->main->doc, "top");
    cr_expect_str_eq(s.unit->main->body->list[1]->function->doc, "doc");
    cr_expect_null(s.unit->main->body->list[2]->function->doc);
    done(&s);
}

Test(parser, nul_in_string) {
    syntax s = parse_text("'a\\0b'");
    const gx_node *n = s.unit->main->body->list[0]->a;
    cr_expect_eq(n->length, 3);
    cr_expect_arr_eq(n->text, "a\0b", 4);
    done(&s);
}

/* One map of globals for several units: slots stay. */
Test(parser, globals_are_shared) {
    syntax s = parse_text("a = b");
    int32_t a, b, again;
    cr_assert(gx_map_get(&s.globals, gx_sym_c(s.rt, "a"), &a));
    cr_assert(gx_map_get(&s.globals, gx_sym_c(s.rt, "b"), &b));
    cr_expect_neq(a, b);
    uint32_t source;
    gx_unit *unit;
    cr_assert(gx_source_add(s.rt, "two", "c = a", 5, &source));
    cr_assert_eq(gx_parse(s.rt, source, &s.globals, false, &unit, NULL), GX_PARSE_OK);
    cr_assert(gx_map_get(&s.globals, gx_sym_c(s.rt, "a"), &again));
    cr_expect_eq(a, again);
    cr_expect_eq(s.globals.count, 3);
    gx_unit_free(unit);
    done(&s);
}
