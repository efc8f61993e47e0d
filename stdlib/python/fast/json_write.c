/* json: from values to a text. */
#include <math.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/types.h"
#include "stdlib/python/fast/json_int.h"
#include "stdlib/stdlib.h"

typedef struct above {
    const struct above *up;
    const gx_obj *obj;
} above;

typedef struct writer {
    gx_rt *rt;
    gx_buf out;
    gx_borrowed fallback;  /* default(obj) */
    const gx_str *indent;  /* NULL: all on one line */
    const gx_str *item_end, *key_end;
    bool skip_keys, ascii, check, nan, sort;
    int level, work;
} writer;

static bool write_value(writer *w, gx_borrowed v, const above *up);

static bool write_text(writer *w, const gx_str *s) {
    gx_buf *b = &w->out;
    if (!gx_buf_char(b, '"')) return false;
    for (size_t i = 0; i < s->length;) {
        const size_t plain = i;
        while (i < s->length && (unsigned char)s->text[i] >= ' ' && s->text[i] != '"' &&
               s->text[i] != '\\' && (!w->ascii || (unsigned char)s->text[i] < 127))
            i++;
        if (!gx_buf_add(b, s->text + plain, i - plain)) return false;
        if (i == s->length) break;
        const char c = s->text[i], *short_one = c ? strchr("\"\"\\\\\nn\rr\tt\ff\bb", c) : NULL;
        if (short_one) {
            i++;
            if (!gx_buf_char(b, '\\') || !gx_buf_char(b, short_one[1])) return false;
            continue;
        }
        int bytes;
        uint32_t code = gx_utf8_decode(s->text + i, &bytes);
        i += (size_t)bytes;
        if (code >= 0x10000) {
            code -= 0x10000;
            if (!gx_buf_printf(b, "\\u%04x", 0xD800 | code >> 10)) return false;
            code = 0xDC00 | (code & 0x3FF);
        }
        if (!gx_buf_printf(b, "\\u%04x", code)) return false;
    }
    return gx_buf_char(b, '"');
}

static bool write_float(writer *w, double x) {
    if (isfinite(x)) return gx_repr_double(&w->out, x);
    const char *name = isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
    if (!w->nan)
        return gx_fail(w->rt, GX_ValueError, "json.nan",
                       "Out of range float values are not JSON compliant: %s", name);
    return gx_buf_puts(&w->out, isnan(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity");
}

static bool write_int(writer *w, gx_borrowed v) {
    return gx_int_text(w->rt, v, 10, &w->out);
}

static bool new_line(writer *w) {
    if (!w->indent) return true;
    bool ok = gx_buf_char(&w->out, '\n');
    for (int i = 0; ok && i < w->level; i++)
        ok = gx_buf_add(&w->out, w->indent->text, w->indent->length);
    return ok;
}

static bool not_above(writer *w, const gx_obj *obj, const above *up) {
    for (; w->check && up; up = up->up)
        if (up->obj == obj)
            return gx_fail(w->rt, GX_ValueError, "json.circular", "Circular reference detected");
    return true;
}

/* Items of a list as it is now; default() may change it meanwhile. */
static bool write_items(writer *w, gx_borrowed v, const above *up) {
    const gx_value *items;
    const above here = {up, v.obj};
    if (!not_above(w, v.obj, up)) return false;
    if (gx_sequence_items(v, &items) == 0) return gx_buf_puts(&w->out, "[]");
    bool ok = gx_buf_char(&w->out, '[');
    w->level++;
    for (int64_t i = 0; ok && i < gx_sequence_items(v, &items); i++) {
        const gx_value item = gx_keep(items[i]);
        ok = (i == 0 || gx_buf_add(&w->out, w->item_end->text, w->item_end->length)) &&
             new_line(w) && write_value(w, item, &here);
        gx_drop(item);
    }
    w->level--;
    return ok && new_line(w) && gx_buf_char(&w->out, ']');
}

/* 1, 0: the key is skipped, -1. */
static int write_key(writer *w, gx_borrowed k) {
    gx_value plain;
    if (k.tag == GX_STR) return write_text(w, gx_as_str(k)) ? 1 : -1;
    if (!gx_plain_value(w->rt, k, &plain)) return -1;
    double x;
    bool ok = true, real = k.tag == GX_SCALAR && k.dtype == GX_f64;
    const bool known = plain.tag == GX_NONE || plain.tag == GX_BOOL || plain.tag == GX_INT ||
                       plain.tag == GX_BIGINT || plain.tag == GX_FLOAT || real;
    if (known) {
        ok = gx_buf_char(&w->out, '"');
        if (real) ok = ok && gx_as_double(w->rt, k, &x) == GX_TRY_YES && write_float(w, x);
        else ok = ok && write_value(w, plain, NULL);
        ok = ok && gx_buf_char(&w->out, '"');
    } else if (!w->skip_keys)
        ok = gx_fail(w->rt, GX_TypeError, "json.key",
                     "keys must be str, int, float, bool or None, not %s", gx_type_name(k));
    gx_drop(plain);
    return !ok ? -1 : known;
}

/* One pair; *first: none has been written. */
static bool write_pair(writer *w, gx_borrowed k, gx_borrowed v, const above *up, bool *first) {
    const size_t before = w->out.length;
    if ((!*first && !gx_buf_add(&w->out, w->item_end->text, w->item_end->length)) || !new_line(w))
        return false;
    const int known = write_key(w, k);
    if (known < 0) return false;
    if (!known) {
        w->out.length = before;
        return true;
    }
    *first = false;
    return gx_buf_add(&w->out, w->key_end->text, w->key_end->length) && write_value(w, v, up);
}

static bool write_sorted(writer *w, gx_borrowed dict, const above *up, bool *first) {
    gx_value keys, v;
    const gx_value *items;
    if (!gx_list_of(w->rt, dict, &keys)) return false;
    bool ok = gx_list_sort(w->rt, keys, gx_undef(), false);
    for (int64_t i = 0; ok && i < gx_sequence_items(keys, &items); i++) {
        const gx_value key = gx_keep(items[i]);
        gx_try found = gx_dict_find(w->rt, dict, key, &v);
        ok = found != GX_TRY_ERROR;
        if (found == GX_TRY_YES) {
            ok = write_pair(w, key, v, up, first);
            gx_drop(v);
        }
        gx_drop(key);
    }
    gx_drop(keys);
    return ok;
}

static bool write_dict(writer *w, gx_borrowed dict, const above *up) {
    const above here = {up, dict.obj};
    bool ok = not_above(w, dict.obj, up), first = true;
    if (!ok) return false;
    if (!gx_as_dict(dict)->count) return gx_buf_puts(&w->out, "{}");
    ok = gx_buf_char(&w->out, '{');
    w->level++;
    int64_t at = 0;
    if (w->sort) ok = ok && write_sorted(w, dict, &here, &first);
    else
        for (gx_entry *e; ok && (e = gx_dict_next(gx_as_dict(dict), &at));) {
            const gx_value key = gx_keep(e->key), value = gx_keep(e->value);
            ok = write_pair(w, key, value, &here, &first);
            gx_drop(key);
            gx_drop(value);
        }
    w->level--;
    return ok && new_line(w) && gx_buf_char(&w->out, '}');
}

static bool write_other(writer *w, gx_borrowed v, const above *up) {
    gx_value plain, made;
    double x;
    if (v.tag == GX_SCALAR && v.dtype == GX_f64)
        return gx_as_double(w->rt, v, &x) == GX_TRY_YES && write_float(w, x);
    if (!gx_plain_value(w->rt, v, &plain)) return false;
    const bool number = plain.tag == GX_INT || plain.tag == GX_BIGINT || plain.tag == GX_FLOAT;
    if (number) {
        bool ok = plain.tag == GX_FLOAT ? write_float(w, plain.f) : write_int(w, plain);
        gx_drop(plain);
        return ok;
    }
    gx_drop(plain);
    const above here = {up, gx_is_object(v) ? v.obj : NULL};
    if (here.obj && !not_above(w, here.obj, up)) return false;
    if (!gx_call_value(w->rt, w->fallback, 1, &v, 0, NULL, &made)) return false;
    bool ok = write_value(w, made, here.obj ? &here : up);
    gx_drop(made);
    return ok;
}

static bool write_value(writer *w, gx_borrowed v, const above *up) {
    if (!gx_stack_check(w->rt) || (!(++w->work & 1023) && !gx_interrupt_check(w->rt))) return false;
    switch ((int)v.tag) {
    case GX_NONE: return gx_buf_puts(&w->out, "null");
    case GX_BOOL: return gx_buf_puts(&w->out, v.b ? "true" : "false");
    case GX_INT: case GX_BIGINT: return write_int(w, v);
    case GX_FLOAT: return write_float(w, v.f);
    case GX_STR: return write_text(w, gx_as_str(v));
    case GX_LIST: case GX_TUPLE: return write_items(w, v, up);
    case GX_DICT: return write_dict(w, v, up);
    default: return write_other(w, v, up);
    }
}

static bool json_write(gx_call *c, gx_value *out) {
    writer w = {.rt = c->rt, .out = gx_buf_new(c->rt), .fallback = c->argv[1]};
    for (int i = 2; i < 5; i++)
        if (c->argv[i].tag != GX_STR && !(i == 2 && c->argv[i].tag == GX_NONE))
            return gx_arg_wrong(c, i, "a str");
    if (c->argv[2].tag == GX_STR) w.indent = gx_as_str(c->argv[2]);
    w.item_end = gx_as_str(c->argv[3]);
    w.key_end = gx_as_str(c->argv[4]);
    if (!gx_arg_bool(c, 5, &w.skip_keys) || !gx_arg_bool(c, 6, &w.ascii) ||
        !gx_arg_bool(c, 7, &w.check) || !gx_arg_bool(c, 8, &w.nan) || !gx_arg_bool(c, 9, &w.sort))
        return false;
    if (write_value(&w, c->argv[0], NULL)) return gx_str_take(&w.out, out);
    gx_buf_free(&w.out);
    return false;
}

extern const gx_native gx_py_json_functions[];
const gx_native gx_py_json_functions[] = {
    {"scan", "scan(text, start, strict, object_hook, pairs_hook, parse_float, parse_int, "
             "parse_constant, /)",
     "The value that begins at a place, and its end.", NULL, gx_json_scan, 0, 0},
    {"write", "write(obj, default, indent, item_separator, key_separator, skipkeys, ensure_ascii, "
              "check_circular, allow_nan, sort_keys, /)",
     "A value as JSON.", NULL, json_write, 0, 0},
    {.name = NULL},
};
