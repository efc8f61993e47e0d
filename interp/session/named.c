/* What an expression before the cursor stands for, found without calling anything: names,
   attributes, items of lists, tuples and dicts by a number or a text, and literals, of which the
   type is enough. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/session/named_int.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

bool gx_is_name_byte(char c) {
    unsigned char u = (unsigned char)c;
    return u == '_' || u >= 128 || (u >= '0' && u <= '9') || ((u | 32) >= 'a' && (u | 32) <= 'z');
}

size_t gx_name_start(const char *text, size_t at) {
    while (at && gx_is_name_byte(text[at - 1])) at--;
    return at;
}

/* The bracket that the one at `close` closes; `close` itself: there is none. */
static size_t opening(const char *text, size_t close) {
    const gx_scanned inside = gx_scan_open(text, close);
    if (inside.quote || !inside.depth || inside.depth > GX_SCAN_DEPTH) return close;
    return inside.open[inside.depth - 1];
}

/* text[from … to - 1] without blanks around it. */
static void trim(const char *text, size_t *from, size_t *to) {
    while (*from < *to && text[*from] == ' ') ++*from;
    while (*to > *from && text[*to - 1] == ' ') --*to;
}

static gx_value item_of_sequence(gx_borrowed v, const char *text, size_t n) {
    char number[24];
    const gx_value *items;
    const int64_t count = gx_sequence_items(v, &items);
    if (!n || n >= sizeof number || strspn(text, "-0123456789") < n) return gx_undef();
    memcpy(number, text, n);
    number[n] = '\0';
    int64_t i = strtoll(number, NULL, 10);
    if (i < 0) i += count;
    return i >= 0 && i < count ? gx_keep(items[i]) : gx_undef();
}

/* Keys are compared as they are: none of the script's comparisons is called. */
static gx_value item_of_dict(gx_borrowed v, const char *text, size_t n) {
    gx_dict *d = (gx_dict *)(void *)v.obj;
    int64_t at = 0;
    const bool quoted = n > 1 && (*text == '\'' || *text == '"') && text[n - 1] == *text;
    for (const gx_entry *e; (e = gx_dict_next(d, &at));) {
        if (e->key.tag == GX_INT && !quoted) {
            char number[24];
            int length = snprintf(number, sizeof number, "%lld", (long long)e->key.i);
            if ((size_t)length == n && memcmp(number, text, n) == 0) return gx_keep(e->value);
        }
        if (e->key.tag != GX_STR || !quoted || gx_as_str(e->key)->length != n - 2) continue;
        if (memcmp(gx_as_str(e->key)->text, text + 1, n - 2) == 0) return gx_keep(e->value);
    }
    return gx_undef();
}

/* The value of owner[text[from … to - 1]]; a part of an array or a text is taken for the whole. */
static gx_value item_of(gx_borrowed owner, const char *text, size_t from, size_t to) {
    trim(text, &from, &to);
    switch ((int)owner.tag) {
    case GX_LIST:
    case GX_TUPLE:
        return item_of_sequence(owner, text + from, to - from);
    case GX_DICT:
        return item_of_dict(owner, text + from, to - from);
    case GX_ARRAY:
    case GX_STR:
    case GX_BYTES:
        return gx_keep(owner);
    default:
        return gx_undef();
    }
}

/* A literal list, dict or set: an empty one has the same attributes. */
static gx_value display(gx_rt *rt, const char *text, size_t open, size_t close) {
    gx_value v = gx_undef();
    if (text[open] == '[') return gx_list_new(rt, 0, NULL, &v) ? v : gx_undef();
    if (text[open] != '{') return v;
    for (size_t i = open + 1; i < close; i++) {
        if (text[i] == ':' && gx_scan_open(text, i).depth == gx_scan_open(text, close).depth)
            return gx_dict_new(rt, &v) ? v : gx_undef();
    }
    return v;
}

static gx_value value_behind_bracket(gx_session *s, const char *text, size_t end) {
    const size_t open = opening(text, end - 1);
    if (open == end - 1) return gx_undef();
    const bool item = text[open] == '[' && open &&
                      (gx_is_name_byte(text[open - 1]) || strchr(")]}'\"", text[open - 1]));
    if (!item) return display(s->rt, text, open, end - 1);
    gx_value owner = gx_named_value(s, text, open);
    gx_value v = item_of(owner, text, open + 1, end - 1);
    gx_drop(owner);
    return v;
}

gx_value gx_named_value(gx_session *s, const char *text, size_t end) {
    gx_rt *rt = s->rt;
    size_t start = gx_name_start(text, end);
    gx_value v = gx_undef(), outer;
    if (!end || !gx_stack_check(rt)) return v;
    if (text[end - 1] == '"' || text[end - 1] == '\'')
        return gx_str_c(rt, "", &v) ? v : gx_undef();
    if (text[end - 1] == ']' || text[end - 1] == '}') return value_behind_bracket(s, text, end);
    if (start == end || (text[start] >= '0' && text[start] <= '9')) return v;
    gx_sym name = gx_sym_find(rt, text + start, end - start);
    if (!name) name = gx_sym_of(rt, text + start, end - start);
    if (!name) return v;
    if (start && text[start - 1] == '.') {
        outer = gx_named_value(s, text, start - 1);
        if (outer.tag == GX_UNDEF) return v;
        if (gx_try_attr(rt, outer, name, &v) != GX_TRY_YES) v = gx_undef();
        gx_drop(outer);
        return v;
    }
    gx_try found = gx_module_get(rt, s->module, name, &v);
    if (found == GX_TRY_NO) found = gx_builtin(rt, name, &v);
    return found == GX_TRY_YES ? v : gx_undef();
}

gx_value gx_named_callee(gx_session *s, const char *text, const gx_scanned *open) {
    if (!open->depth || open->depth > GX_SCAN_DEPTH) return gx_undef();
    const size_t bracket = open->open[open->depth - 1];
    return text[bracket] == '(' ? gx_named_value(s, text, bracket) : gx_undef();
}
