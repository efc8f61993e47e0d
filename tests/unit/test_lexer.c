/* Unit tests of the lexer: which tokens a text becomes, and the layout that lines make. */
#include "tests/unit/syntax_int.h"

typedef struct row {
    const char *text, *kinds; /* kinds: names, or the spelling of keywords and punctuation */
} row;

/* One letter or word a token: n name, i int, f float, j imaginary, s string, F< F> f-string, t its
   text, \\n NEWLINE, > INDENT, < DEDENT, ! ERROR, the spelling otherwise. */
static const row rows[] = {
    {"", ""},
    {"\n\n  # c\n\t\n", ""},
    {"a", "n \\n"},
    {"a\n", "n \\n"},
    {"a b\r\nc\rd", "n n \\n n \\n n \\n"},
    {"if a:\n  b\nc", "if n : \\n > n \\n < n \\n"},
    {"if a:\n  b", "if n : \\n > n \\n <"},
    {"if a:\n if b:\n  c\n\n# d\ne", "if n : \\n > if n : \\n > n \\n < < n \\n"},
    {"if a:\n\tb\n        c", "if n : \\n > n \\n ! n \\n <"},
    {"if a:\n    b\n  c", "if n : \\n > n \\n < ! n \\n"},
    {"(a,\n  b\n)", "( n , n ) \\n"},
    {"[\n\n# c\na]", "[ n ] \\n"},
    {"a \\\n  b", "n n \\n"},
    {"\\\na", "n \\n"},
    {"\fa", "n \\n"},
    {"1 1.0 1. .1 1e5 1e-5j 0x1F 0b1 0o7 1_0", "i f f f f j i i i i \\n"},
    {"1if 1or 0xfor x", "i if i or i or n \\n"},
    {"1abc 0b2 0o8 0x 1_ 01 1__0", "! ! ! ! ! ! ! \\n"},
    {"'a' \"b\" r'\\' ' b'c' Rb'd' u'e'", "s s s s s s \\n"},
    {"'' \"\" '''''' \"\"\"\"\"\" 'a\\'b' '''a'b''c'''", "s s s s s s \\n"},
    {"rb'a' BR'b' bR'c' uR", "s s s n \\n"},
    {"f'a{b}c'", "F< t { n } t F> \\n"},
    {"f'{a!r:>{b}}'", "F< { n ! n : t { n } } F> \\n"},
    {"f'{{}}' F'' rf'\\{a}'", "F< t F> F< F> F< t { n } F> \\n"},
    {"f'{a[1:2]:3}' f'{(lambda: 1)}'", "F< { n [ i : i ] : t } F> F< { ( lambda : i ) } F> \\n"},
    {"f'{a:=5}' f'{(a:=5)}'", "F< { n : t } F> F< { ( n := i ) } F> \\n"},
    {"f'{f'{a}'}'", "F< { F< { n } F> } F> \\n"},
    {"f'''a\n{\nb\n}'''", "F< t { n } F> \\n"},
    {"+ += - -= -> * ** **= *= / // //= % @ @=", "+ += - -= -> * ** **= *= / // //= % @ @= \\n"},
    {"< << <<= <= > >> >>= >= = == != & && | || ^ ~",
     "< << <<= <= > >> >>= >= = == != & && | || ^ ~ \\n"},
    {"a...b .. : := ; , .", "n ... n . . : := ; , . \\n"},
    {"\303\251t\303\251 _x x1 \346\227\245", "n n n n \\n"},
    {"a\302\240b", "n ! n \\n"},
    {"None True False nothing is not in", "None True False n is not in \\n"},
    {"$ ? `", "! ! ! \\n"},
    {"(", "( ! \\n"},
    {")", "! \\n"},
    {"(]", "( ! \\n"},
    {"'abc\nd", "! \\n n \\n"},
    {"'''abc\nd", "! \\n"},
};

static const char *spell(const gx_token *t) {
    switch ((int)t->kind) {
    case GX_TOKEN_NAME:
        return "n";
    case GX_TOKEN_INT:
        return "i";
    case GX_TOKEN_FLOAT:
        return "f";
    case GX_TOKEN_IMAG:
        return "j";
    case GX_TOKEN_STRING:
        return "s";
    case GX_TOKEN_FSTRING_START:
        return "F<";
    case GX_TOKEN_FSTRING_TEXT:
        return "t";
    case GX_TOKEN_FSTRING_END:
        return "F>";
    case GX_TOKEN_NEWLINE:
        return "\\n";
    case GX_TOKEN_INDENT:
        return ">";
    case GX_TOKEN_DEDENT:
        return "<";
    case GX_TOKEN_ERROR:
        return "!";
    default:
        return gx_token_name((gx_token_kind)t->kind);
    }
}

static void add_spelling(gx_buf *out, const gx_token *t) {
    const char *text = spell(t);
    size_t length = strlen(text);
    if (out->length) cr_assert(gx_buf_char(out, ' '));
    if (*text == '\'' && length > 2)
        cr_assert(gx_buf_add(out, text + 1, length - 2));
    else
        cr_assert(gx_buf_puts(out, text));
}

static void lex(gx_rt *rt, const char *text, unsigned flags, gx_tokens *tokens) {
    uint32_t source;
    cr_assert(gx_source_add(rt, "test.gx", text, strlen(text), &source));
    cr_assert(gx_lex(rt, source, flags, tokens));
    cr_assert_eq(tokens->items[tokens->count - 1].kind, GX_TOKEN_END);
}

Test(lexer, kinds) {
    gx_rt *rt = gx_rt_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gx_tokens tokens;
        gx_buf got = gx_buf_new(rt);
        lex(rt, rows[i].text, 0, &tokens);
        for (size_t j = 0; j + 1 < tokens.count; j++) add_spelling(&got, &tokens.items[j]);
        cr_expect_str_eq(gx_buf_text(&got), rows[i].kinds, "%s\n  is       %s\n  expected %s",
                         rows[i].text, gx_buf_text(&got), rows[i].kinds);
        gx_buf_free(&got);
        gx_tokens_free(&tokens);
    }
    gx_rt_free(rt);
}

/* The text of every token lies where the token says; positions never decrease. */
Test(lexer, positions) {
    const char *text = "def f(x):\n    return x**2  # square\ny = f'{x!r:>{w}}' + 'a' 'b'\n";
    gx_rt *rt = gx_rt_new();
    gx_tokens tokens;
    lex(rt, text, GX_LEX_COMMENTS, &tokens);
    bool comment = false;
    for (size_t i = 0; i < tokens.count; i++) {
        const gx_token *t = &tokens.items[i];
        cr_expect_leq(t->start, t->end);
        cr_expect_leq(t->end, strlen(text));
        if (i) cr_expect_geq(t->start, tokens.items[i - 1].start);
        if (t->kind != GX_TOKEN_COMMENT) continue;
        comment = true;
        cr_expect_eq(t->end - t->start, 8);
        cr_expect_arr_eq(text + t->start, "# square", 8);
    }
    cr_expect(comment);
    gx_tokens_free(&tokens);
    gx_rt_free(rt);
}

Test(lexer, incomplete) {
    static const row texts[] = {
        {"(", "y"},   {"'''a", "y"}, {"f'''{a}", "y"}, {"a \\", "y"}, {"a \\\n", "y"},
        {"f'{", "y"}, {"a", "n"},    {"'a", "n"},      {")", "n"},    {"()", "n"},
    };
    gx_rt *rt = gx_rt_new();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gx_tokens tokens;
        lex(rt, texts[i].text, 0, &tokens);
        cr_expect_eq(tokens.incomplete, *texts[i].kinds == 'y', "%s", texts[i].text);
        gx_tokens_free(&tokens);
    }
    gx_rt_free(rt);
}

Test(lexer, keywords) {
    cr_expect_eq(gx_token_keyword("while", 5), GX_TOKEN_WHILE);
    cr_expect_eq(gx_token_keyword("whil", 4), GX_TOKEN_NAME);
    cr_expect_eq(gx_token_keyword("kernel", 6), GX_TOKEN_NAME);
    cr_expect_str_eq(gx_token_name(GX_TOKEN_STARSTAR_EQUAL), "'**='");
    cr_expect_str_eq(gx_token_name(GX_TOKEN_END), "the end of the file");
}
