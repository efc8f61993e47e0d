/* Signatures: parsed once a row, and cached by its address. Reads signature strings,
   "cumsum(a, axis=None, dtype=None)", into parameters and default values.
   Does not bind (native.c). A row whose signature does not parse is a gx bug: SystemError in
   spirit, RuntimeError in kind, found by gx_native_check. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/call/native_int.h"
#include "runtime/object/text/str.h"

typedef struct reader {
    gx_rt *rt;
    const gx_native *fn;
    const char *at;
} reader;

static void space(reader *r) {
    while (*r->at == ' ' || *r->at == '\n') r->at++;
}

static bool accept(reader *r, char c) {
    space(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static bool bad(reader *r, const char *what) {
    return gx_fail(r->rt, GX_RuntimeError, "native.signature", "bad signature of '%s': %s at '%s'",
                   r->fn->name, what, r->at);
}

static size_t word(reader *r) {
    size_t n = 0;
    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_') n++;
    return n;
}

static bool is_word(const char *at, size_t n, const char *text) {
    return strlen(text) == n && memcmp(at, text, n) == 0;
}

static bool read_name_value(reader *r, size_t n, bool negative, gx_value *out) {
    const struct {
        const char *name;
        const gx_type *type;
    } types[] = {{"float", gx_core_types[GX_FLOAT]},     {"int", gx_core_types[GX_INT]},
                 {"bool", gx_core_types[GX_BOOL]},       {"str", gx_core_types[GX_STR]},
                 {"complex", gx_core_types[GX_COMPLEX]}, {"list", gx_core_types[GX_LIST]},
                 {"float64", gx_scalar_type(GX_f64)},       {"int64", gx_scalar_type(GX_i64)}};
    const char *at = r->at;
    gx_value v = gx_undef();
    if (is_word(at, n, "None") || is_word(at, n, "newaxis")) v = gx_none();
    if (is_word(at, n, "True")) v = gx_bool(true);
    if (is_word(at, n, "False")) v = gx_bool(false);
    if (is_word(at, n, "inf")) v = gx_float(negative ? -INFINITY : INFINITY);
    if (is_word(at, n, "nan")) v = gx_float(NAN);
    if (is_word(at, n, "pi")) v = gx_float(3.14159265358979323846);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_word(at, n, types[i].name)) v = gx_type_value(types[i].type);
    if (v.tag == GX_UNDEF) return bad(r, "unknown default");
    r->at += n;
    *out = v;
    return true;
}

static bool read_number(reader *r, gx_value *out) {
    char *end;
    errno = 0;
    double f = strtod(r->at, &end);
    size_t n = (size_t)(end - r->at);
    if (!n) return bad(r, "a number was expected");
    bool whole = strcspn(r->at, ".eEn") >= n;
    *out = whole ? gx_int(strtoll(r->at, NULL, 10)) : gx_float(f);
    r->at = end;
    return true;
}

static bool read_text(reader *r, gx_value *out) {
    char quote = *r->at++;
    gx_buf b = gx_buf_new(r->rt);
    while (*r->at && *r->at != quote) {
        char c = *r->at++;
        if (c == '\\' && *r->at) {
            c = *r->at++;
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        if (!gx_buf_char(&b, c)) {
            gx_buf_free(&b);
            return false;
        }
    }
    if (*r->at != quote) {
        gx_buf_free(&b);
        return bad(r, "a text does not end");
    }
    r->at++;
    return gx_str_take(&b, out);
}

static bool read_value(reader *r, gx_value *out);

static bool read_tuple(reader *r, gx_value *out) {
    gx_value items[8];
    int n = 0;
    bool ok = true;
    r->at++;
    while (ok && !accept(r, ')')) {
        ok = n < 8 ? read_value(r, &items[n]) : bad(r, "a default tuple has at most 8 items");
        if (!ok) break;
        n++;
        if (!accept(r, ',') && *r->at != ')') ok = bad(r, "',' or ')' was expected");
    }
    if (ok) return gx_tuple_take(r->rt, n, items, out);
    while (n > 0) gx_drop(items[--n]);
    return false;
}

static bool read_value(reader *r, gx_value *out) {
    space(r);
    char c = *r->at;
    if (c == '\'' || c == '"') return read_text(r, out);
    if (c == '(') return read_tuple(r, out);
    if (c == '<') {
        static const char none[] = "<no value>";
        if (strncmp(r->at, none, sizeof none - 1) != 0) return bad(r, "<no value> was expected");
        r->at += sizeof none - 1;
        *out = gx_undef();
        return true;
    }
    if (isalpha((unsigned char)c)) return read_name_value(r, word(r), false, out);
    if (c == '-' && isalpha((unsigned char)r->at[1])) {
        r->at++;
        return read_name_value(r, word(r), true, out);
    }
    return read_number(r, out);
}

static bool read_param(reader *r, gx_signature *s, bool *keyword_only) {
    int stars = 0;
    while (*r->at == '*') stars++, r->at++;
    size_t n = word(r);
    if (stars == 1 && n == 0) {
        *keyword_only = true;
        return true;
    }
    if (stars > 2 || n == 0) return bad(r, "a parameter name was expected");
    if (s->count == GX_MAX_PARAMS) return bad(r, "too many parameters");
    gx_native_arg *p = &s->param[s->count];
    p->name = gx_sym_of(r->rt, r->at, n);
    if (!p->name) return false;
    r->at += n;
    p->required = stars == 0;
    p->fallback = gx_undef();
    if (stars == 0 && accept(r, '=')) {
        p->required = false;
        if (!read_value(r, &p->fallback)) return false;
    }
    if (stars == 1) s->star = s->count;
    if (stars == 2) s->kwstar = s->count;
    if (stars == 0 && !*keyword_only) {
        s->positional = s->count + 1;
        if (p->required) s->required = s->count + 1;
    } else if (p->required) {
        s->keyword_required = true;
    }
    if (stars) *keyword_only = true;
    s->count++;
    return true;
}

static bool read_params(reader *r, gx_signature *s) {
    bool keyword_only = false;
    while (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.') r->at++;
    if (!accept(r, '(')) return bad(r, "'(' was expected");
    while (!accept(r, ')')) {
        if (accept(r, '/'))
            s->positional_only = s->count;
        else if (!read_param(r, s, &keyword_only))
            return false;
        if (!accept(r, ',') && *r->at != ')') return bad(r, "',' or ')' was expected");
    }
    return true;
}

gx_signature *gx_signature_new(gx_rt *rt, const gx_native *fn) {
    size_t head = sizeof(gx_signature);
    gx_signature *s = gx_alloc_zero(rt, head + GX_MAX_PARAMS * sizeof(gx_native_arg));
    if (!s) return NULL;
    s->fn = fn;
    s->star = s->kwstar = -1;
    reader r = {.rt = rt, .fn = fn, .at = fn->sig};
    if (!read_params(&r, s)) {
        gx_signature_free(rt, s);
        return NULL;
    }
    bool tuple = s->star >= 0 && !(fn->flags & GX_NATIVE_REST);
    s->method = strncmp(fn->sig + strcspn(fn->sig, "("), "(self", 5) == 0;
    s->plain = !tuple && s->kwstar < 0 && !s->keyword_required;
    s->fewest = s->plain && s->star < 0 && s->count <= GX_FEW_PARAMS ? s->required
                : s->count == s->positional                          ? s->count
                                                                     : INT_MAX;
    gx_signature *fit = gx_realloc(rt, s, head + (size_t)s->count * sizeof(gx_native_arg));
    if (!fit) gx_signature_free(rt, s);
    return fit;
}

void gx_signature_free(gx_rt *rt, gx_signature *s) {
    if (!s) return;
    for (int i = 0; i < s->count; i++) gx_drop(s->param[i].fallback);
    for (int i = 0; i < 2; i++) gx_drop(s->body[i]);
    gx_free(rt, s);
}

/* --- the cache -------------------------------------------------------------------------------- */

bool gx_natives_new(gx_rt *rt) {
    gx_natives_free(rt);
    struct gx_natives *n = gx_alloc_zero(rt, sizeof *n);
    if (!n) return false;
    n->size = 256;
    n->slots = gx_alloc_zero(rt, n->size * sizeof *n->slots);
    if (!n->slots) {
        gx_free(rt, n);
        return false;
    }
    rt->natives = n;
    return true;
}

void gx_natives_free(gx_rt *rt) {
    struct gx_natives *n = rt->natives;
    if (!n) return;
    for (uint32_t i = 0; i < n->size; i++) gx_signature_free(rt, n->slots[i]);
    gx_free(rt, n->slots);
    gx_free(rt, n);
    rt->natives = NULL;
}

static inline uint32_t hash_row(const gx_native *fn) {
    uint64_t h = (uint64_t)(uintptr_t)fn * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(h >> 32);
}

static void place(struct gx_natives *n, gx_signature *s) {
    uint32_t i = hash_row(s->fn) & (n->size - 1);
    while (n->slots[i]) i = (i + 1) & (n->size - 1);
    n->slots[i] = s;
}

static bool grow(gx_rt *rt, struct gx_natives *n) {
    gx_signature **old = n->slots;
    uint32_t old_size = n->size;
    gx_signature **slots = gx_alloc_zero(rt, (size_t)old_size * 2 * sizeof *slots);
    if (!slots) return false;
    n->slots = slots;
    n->size = old_size * 2;
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i]) place(n, old[i]);
    gx_free(rt, old);
    return true;
}

static gx_signature *parse_new(gx_rt *rt, const gx_native *fn) {
    struct gx_natives *n = rt->natives;
    if (n->count * 2 >= n->size && !grow(rt, n)) return NULL;
    gx_signature *s = gx_signature_new(rt, fn);
    if (!s) return NULL;
    place(n, s);
    n->count++;
    return s;
}

gx_signature *gx_signature_of(gx_rt *rt, const gx_native *fn) {
    const struct gx_natives *n = rt->natives;
    uint32_t i = hash_row(fn) & (n->size - 1);
    for (; n->slots[i]; i = (i + 1) & (n->size - 1))
        if (n->slots[i]->fn == fn) return n->slots[i];
    return parse_new(rt, fn);
}

const char *gx_native_param(gx_rt *rt, const gx_native *fn, int i) {
    const gx_signature *s = gx_signature_of(rt, fn);
    if (!s) {
        gx_error_clear(rt);
        return NULL;
    }
    return i >= 0 && i < s->count ? gx_sym_text(rt, s->param[i].name) : NULL;
}

bool gx_native_check(gx_rt *rt, const gx_native *fn) {
    return gx_signature_of(rt, fn) != NULL;
}
