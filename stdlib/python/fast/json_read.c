/* json: from a text to values. What is wrong is told to json.gx as a message and a place. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"
#include "stdlib/python/fast/json_int.h"

typedef struct reader {
    gx_rt *rt;
    const char *text;
    size_t length, at;
    bool strict;
    gx_value object_hook, pairs_hook, parse_float, parse_int, parse_constant; /* UNDEF: none */
    const char *wrong; /* the message of a mistake in the text, at `place` */
    size_t place;
    int work;
} reader;

static bool mistake(reader *r, const char *message, size_t place) {
    r->wrong = message;
    r->place = place;
    return false;
}

static void skip(reader *r) {
    while (r->at < r->length && strchr(" \t\n\r", r->text[r->at]) && r->text[r->at]) r->at++;
}

static bool next_is(reader *r, char c) {
    return r->at < r->length && r->text[r->at] == c;
}

static int hex4(const reader *r, size_t at) {
    int v = 0;
    if (at + 4 > r->length) return -1;
    for (size_t i = at; i < at + 4; i++) {
        const char c = r->text[i], low = (char)(c | 32);
        if (c >= '0' && c <= '9') v = v * 16 + c - '0';
        else if (low >= 'a' && low <= 'f') v = v * 16 + low - 'a' + 10;
        else return -1;
    }
    return v;
}

/* \uXXXX, of which `at` is the X: adds the character. */
static bool read_code(reader *r, gx_buf *b) {
    const size_t start = r->at;
    int code = hex4(r, r->at);
    if (code < 0) return mistake(r, "Invalid \\uXXXX escape", start - 1);
    r->at += 4;
    if (code >= 0xD800 && code < 0xDC00 && r->at + 6 <= r->length && r->text[r->at] == '\\' &&
        r->text[r->at + 1] == 'u') {
        const int low = hex4(r, r->at + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            r->at += 6;
            return gx_buf_code(b, 0x10000 + (uint32_t)((code & 0x3FF) << 10 | (low & 0x3FF)));
        }
    }
    if (code >= 0xD800 && code < 0xE000)
        return mistake(r, "Half of a surrogate pair is not a character", start - 2);
    return gx_buf_code(b, (uint32_t)code);
}

/* A string whose opening quote has been read. */
static bool read_string(reader *r, gx_value *out) {
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const size_t begin = r->at - 1;
    gx_buf b = gx_buf_new(r->rt);
    for (;;) {
        const size_t plain = r->at;
        while (r->at < r->length && r->text[r->at] != '"' && r->text[r->at] != '\\' &&
               ((unsigned char)r->text[r->at] >= ' ' || !r->strict))
            r->at++;
        if (r->at >= r->length) {
            gx_buf_free(&b);
            return mistake(r, "Unterminated string starting at", begin);
        }
        const char c = r->text[r->at];
        if (c == '"' && !b.data) {
            r->at++;
            return gx_str_new(r->rt, r->text + plain, r->at - 1 - plain, out);
        }
        bool ok = gx_buf_add(&b, r->text + plain, r->at - plain);
        if (ok && c == '"') {
            r->at++;
            return gx_str_take(&b, out);
        }
        if (ok && c != '\\') ok = mistake(r, "Invalid control character at", r->at);
        r->at++;
        if (ok && r->at >= r->length) ok = mistake(r, "Unterminated string starting at", begin);
        if (ok) {
            const char e = r->text[r->at++];
            const char *letter = e ? strchr(letters, e) : NULL;
            if (e == 'u') ok = read_code(r, &b);
            else if (letter) ok = gx_buf_char(&b, meant[letter - letters]);
            else ok = mistake(r, "Invalid \\escape", r->at - 2);
        }
        if (!ok) {
            gx_buf_free(&b);
            return false;
        }
    }
}

static bool called_with_text(reader *r, gx_borrowed fn, const char *text, size_t n, gx_value *out) {
    gx_value s;
    if (!gx_str_new(r->rt, text, n, &s)) return false;
    bool ok = gx_call_value(r->rt, fn, 1, &s, 0, NULL, out);
    gx_drop(s);
    return ok;
}

static bool digit_at(const reader *r, size_t at) {
    return at < r->length && r->text[at] >= '0' && r->text[at] <= '9';
}

static bool read_number(reader *r, gx_value *out) {
    const size_t start = r->at;
    size_t at = start + (r->text[start] == '-');
    if (!digit_at(r, at)) return mistake(r, "Expecting value", start);
    if (r->text[at] == '0') at++;
    else
        while (digit_at(r, at)) at++;
    const size_t whole = at;
    if (at < r->length && r->text[at] == '.' && digit_at(r, at + 1))
        for (at++; digit_at(r, at);) at++;
    if (at < r->length && (r->text[at] | 32) == 'e') {
        size_t e = at + 1;
        if (e < r->length && (r->text[e] == '+' || r->text[e] == '-')) e++;
        if (digit_at(r, e)) {
            while (digit_at(r, e)) e++;
            at = e;
        }
    }
    r->at = at;
    const char *text = r->text + start;
    const bool real = at > whole;
    const gx_value hook = real ? r->parse_float : r->parse_int;
    if (hook.tag != GX_UNDEF) return called_with_text(r, hook, text, at - start, out);
    if (real) {
        double x;
        if (gx_float_parse(r->rt, text, text + (at - start), &x) != GX_TRY_YES)
            return mistake(r, "Expecting value", start);
        *out = gx_float(x);
        return true;
    }
    if (at - start <= 18) {
        int64_t v = 0;
        for (size_t i = start + (text[0] == '-'); i < at; i++) v = v * 10 + r->text[i] - '0';
        *out = gx_int(text[0] == '-' ? -v : v);
        return true;
    }
    const bool negative = text[0] == '-';
    if (!gx_int_parse(r->rt, text + negative, at - start - negative, 10, out)) return false;
    if (!negative) return true;
    gx_value positive = *out;
    bool ok = gx_int_neg(r->rt, positive, out);
    gx_drop(positive);
    return ok;
}

static bool read_value(reader *r, gx_value *out);

static bool read_array(reader *r, gx_value *out) {
    gx_value list, item;
    if (!gx_list_new(r->rt, 0, NULL, &list)) return false;
    skip(r);
    if (next_is(r, ']')) {
        r->at++;
        *out = list;
        return true;
    }
    while (read_value(r, &item) && gx_list_push_take(r->rt, list, item)) {
        skip(r);
        if (next_is(r, ']')) {
            r->at++;
            *out = list;
            return true;
        }
        const size_t comma = r->at;
        if (!next_is(r, ',')) {
            mistake(r, "Expecting ',' delimiter", r->at);
            break;
        }
        r->at++;
        skip(r);
        if (next_is(r, ']')) {
            mistake(r, "Illegal trailing comma before end of array", comma);
            break;
        }
    }
    gx_drop(list);
    return false;
}

/* "key": value, of which the quote comes next. */
static bool read_pair(reader *r, gx_value pair[2]) {
    if (!next_is(r, '"'))
        return mistake(r, "Expecting property name enclosed in double quotes", r->at);
    r->at++;
    if (!read_string(r, &pair[0])) return false;
    skip(r);
    bool ok = next_is(r, ':') || mistake(r, "Expecting ':' delimiter", r->at);
    if (ok) {
        r->at++;
        skip(r);
        ok = read_value(r, &pair[1]);
    }
    if (!ok) gx_drop(pair[0]);
    return ok;
}

/* Puts a pair, which is taken, into a dict, or into a list of pairs. */
static bool add_pair(reader *r, gx_borrowed into, gx_value pair[2]) {
    gx_value tuple;
    if (r->pairs_hook.tag != GX_UNDEF)
        return gx_tuple_take(r->rt, 2, pair, &tuple) && gx_list_push_take(r->rt, into, tuple);
    bool ok = gx_dict_set(r->rt, into, pair[0], pair[1]);
    gx_drop(pair[0]);
    gx_drop(pair[1]);
    return ok;
}

static bool read_pairs(reader *r, gx_borrowed into) {
    gx_value pair[2];
    skip(r);
    if (next_is(r, '}')) {
        r->at++;
        return true;
    }
    while (read_pair(r, pair) && add_pair(r, into, pair)) {
        skip(r);
        if (next_is(r, '}')) {
            r->at++;
            return true;
        }
        const size_t comma = r->at;
        if (!next_is(r, ',')) return mistake(r, "Expecting ',' delimiter", r->at);
        r->at++;
        skip(r);
        if (next_is(r, '}'))
            return mistake(r, "Illegal trailing comma before end of object", comma);
    }
    return false;
}

static bool read_object(reader *r, gx_value *out) {
    gx_value into, made;
    const bool pairs = r->pairs_hook.tag != GX_UNDEF;
    if (pairs ? !gx_list_new(r->rt, 0, NULL, &into) : !gx_dict_new(r->rt, &into)) return false;
    const gx_value hook = pairs ? r->pairs_hook : r->object_hook;
    bool ok = read_pairs(r, into);
    if (ok && hook.tag != GX_UNDEF) {
        ok = gx_call_value(r->rt, hook, 1, &into, 0, NULL, &made);
        gx_drop(into);
        if (ok) *out = made;
        return ok;
    }
    if (ok) *out = into;
    else gx_drop(into);
    return ok;
}

static bool word_at(const reader *r, const char *word) {
    const size_t n = strlen(word);
    return r->length - r->at >= n && memcmp(r->text + r->at, word, n) == 0;
}

static bool read_word(reader *r, gx_value *out) {
    static const struct {
        const char *word;
        gx_value value;
    } words[] = {{"null", {.tag = GX_NONE}},
                 {"true", {.tag = GX_BOOL, .u = 1}},
                 {"false", {.tag = GX_BOOL}},
                 {"NaN", {.tag = GX_FLOAT, .f = __builtin_nan("")}},
                 {"Infinity", {.tag = GX_FLOAT, .f = __builtin_inf()}},
                 {"-Infinity", {.tag = GX_FLOAT, .f = -__builtin_inf()}}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i].word);
        if (!word_at(r, words[i].word)) continue;
        r->at += n;
        if (words[i].value.tag == GX_FLOAT && r->parse_constant.tag != GX_UNDEF)
            return called_with_text(r, r->parse_constant, words[i].word, n, out);
        *out = words[i].value;
        return true;
    }
    return mistake(r, "Expecting value", r->at);
}

static bool read_value(reader *r, gx_value *out) {
    if (!gx_stack_check(r->rt) || (!(++r->work & 1023) && !gx_interrupt_check(r->rt))) return false;
    if (r->at >= r->length) return mistake(r, "Expecting value", r->at);
    const char c = r->text[r->at];
    if (c == '"') {
        r->at++;
        return read_string(r, out);
    }
    if (c == '{' || c == '[') {
        r->at++;
        return c == '{' ? read_object(r, out) : read_array(r, out);
    }
    if ((c >= '0' && c <= '9') || (c == '-' && !word_at(r, "-Infinity")))
        return read_number(r, out);
    return read_word(r, out);
}

static gx_value hook_of(gx_call *c, int i) {
    return gx_arg_some(c, i) ? c->argv[i] : gx_undef();
}

/* scan(text, start, strict, …): (value, end), or (None, place, message). */
bool gx_json_scan(gx_call *c, gx_value *out) {
    int64_t start;
    bool strict;
    if (c->argv[0].tag != GX_STR) return gx_arg_wrong(c, 0, "a str");
    if (!gx_arg_int(c, 1, &start) || !gx_arg_bool(c, 2, &strict)) return false;
    const gx_str *s = gx_as_str(c->argv[0]);
    if (start < 0) return gx_fail(c->rt, GX_ValueError, "index.range", "idx cannot be negative");
    if (start > (int64_t)s->chars) start = (int64_t)s->chars;
    reader r = {.rt = c->rt, .text = s->text, .length = s->length, .strict = strict,
                .at = gx_str_offset(s, (size_t)start), .object_hook = hook_of(c, 3),
                .pairs_hook = hook_of(c, 4), .parse_float = hook_of(c, 5),
                .parse_int = hook_of(c, 6), .parse_constant = hook_of(c, 7)};
    gx_value parts[3];
    if (read_value(&r, &parts[0])) {
        parts[1] = gx_int((int64_t)gx_str_index(s, r.at));
        return gx_tuple_take(c->rt, 2, parts, out);
    }
    if (!r.wrong) return false;
    parts[0] = gx_none();
    parts[1] = gx_int((int64_t)gx_str_index(s, r.place));
    return gx_str_c(c->rt, r.wrong, &parts[2]) && gx_tuple_take(c->rt, 3, parts, out);
}
