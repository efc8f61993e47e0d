/* str and repr of exceptions, as Python's classes have them. */
#include <stdlib.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception_int.h"
#include "runtime/object/heap.h"
#include "runtime/object/text/str.h"

static bool put_args(gx_rt *rt, const gx_exception *e, gx_buf *out) {
    const gx_tuple *t = gx_as_tuple(e->args);
    if (t->count == 0) return true;
    if (t->count > 1) return gx_repr(rt, e->args, out);
    return gx_str_into(rt, t->items[0], out);
}

/* "[Errno 2] No such file or directory: 'name'". */
static bool put_os(gx_rt *rt, const gx_exception *e, gx_buf *out) {
    gx_value file = gx_exception_get(e, GX_OS_FILENAME), two = gx_exception_get(e, GX_OS_FILENAME2);
    gx_value number = gx_exception_get(e, GX_OS_ERRNO), why = gx_exception_get(e, GX_OS_STRERROR);
    if (file.tag == GX_NONE && (number.tag == GX_NONE || why.tag == GX_NONE))
        return put_args(rt, e, out);
    bool ok = gx_buf_puts(out, "[Errno ") && gx_str_into(rt, number, out) &&
              gx_buf_puts(out, "] ") && gx_str_into(rt, why, out);
    if (ok && file.tag != GX_NONE) ok = gx_buf_puts(out, ": ") && gx_repr(rt, file, out);
    if (ok && two.tag != GX_NONE) ok = gx_buf_puts(out, " -> ") && gx_repr(rt, two, out);
    return ok;
}

/* "invalid syntax (model.gx, line 3)". */
static bool put_syntax(gx_rt *rt, const gx_exception *e, gx_buf *out) {
    gx_value file = gx_exception_get(e, GX_SYNTAX_FILENAME);
    gx_value line = gx_exception_get(e, GX_SYNTAX_LINENO);
    if (!gx_str_into(rt, gx_exception_get(e, GX_SYNTAX_MSG), out)) return false;
    bool named = file.tag == GX_STR, placed = line.tag == GX_INT;
    if (!named && !placed) return true;
    const char *name = named ? gx_as_str(file)->text : "";
    const char *last = strrchr(name, '/');
    return gx_buf_printf(out, " (%s%s", last ? last + 1 : name, named && placed ? ", " : "") &&
           (!placed || gx_buf_printf(out, "line %lld", (long long)line.i)) &&
           gx_buf_char(out, ')');
}

/* One bad byte or character, as it is written in a text. */
static bool put_one(const gx_exception *e, int64_t at, gx_buf *out) {
    gx_value object = gx_exception_get(e, GX_UNICODE_OBJECT);
    const gx_str *s = gx_as_str(object);
    if (object.tag == GX_BYTES) {
        unsigned byte = at >= 0 && (size_t)at < s->length ? (unsigned char)s->text[at] : 0;
        return gx_buf_printf(out, "byte 0x%02x", byte);
    }
    const char *p = s->text, *end = s->text + s->length;
    uint32_t code = 0;
    for (int64_t i = 0; p < end && i <= at; i++) {
        int n;
        code = gx_utf8_decode(p, &n);
        p += n;
    }
    return gx_buf_printf(out,
                         code < 0x100     ? "character '\\x%02x'"
                         : code < 0x10000 ? "character '\\u%04x'"
                                          : "character '\\U%08x'",
                         code);
}

static bool put_unicode(gx_rt *rt, const gx_exception *e, gx_buf *out) {
    bool decodes = gx_exception_is(e, GX_UnicodeDecodeError);
    gx_value object = gx_exception_get(e, GX_UNICODE_OBJECT);
    gx_value start = gx_exception_get(e, GX_UNICODE_START);
    gx_value end = gx_exception_get(e, GX_UNICODE_END);
    if ((object.tag != GX_STR && object.tag != GX_BYTES) || start.tag != GX_INT ||
        end.tag != GX_INT)
        return put_args(rt, e, out);
    bool ok = gx_exception_is(e, GX_UnicodeTranslateError)
                  ? gx_buf_puts(out, "can't translate ")
                  : gx_buf_char(out, '\'') &&
                        gx_str_into(rt, gx_exception_get(e, GX_UNICODE_CODING), out) &&
                        gx_buf_printf(out, "' codec can't %scode ", decodes ? "de" : "en");
    if (ok && end.i == start.i + 1)
        ok = put_one(e, start.i, out) &&
             gx_buf_printf(out, " in position %lld: ", (long long)start.i);
    else if (ok)
        ok = gx_buf_printf(out, "%s in position %lld-%lld: ", decodes ? "bytes" : "characters",
                           (long long)start.i, (long long)end.i - 1);
    return ok && gx_str_into(rt, gx_exception_get(e, GX_UNICODE_REASON), out);
}

static bool put_text(gx_rt *rt, gx_exception *e, gx_buf *out) {
    const gx_tuple *t = gx_as_tuple(e->args);
    if (!e->literal && gx_exception_is(e, GX_OSError)) return put_os(rt, e, out);
    if (!e->literal && gx_exception_is(e, GX_SyntaxError) && t->count)
        return put_syntax(rt, e, out);
    if (!e->literal && gx_exception_is(e, GX_UnicodeError) && t->count > 3)
        return put_unicode(rt, e, out);
    if (!e->literal && t->count == 1 && gx_exception_is(e, GX_KeyError))
        return gx_repr(rt, t->items[0], out);
    if (gx_exception_is(e, GX_ImportError)) {
        gx_value text = gx_exception_get(e, GX_IMPORT_MSG);
        if (text.tag == GX_STR) return gx_str_into(rt, text, out);
    }
    return put_args(rt, e, out);
}

bool gx_exception_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_exception *e = gx_as_exception(v);
    if (e->args.tag == GX_UNDEF) return true;
    /* Code of a script may change the fields and arguments meanwhile. */
    gx_value args = gx_keep(e->args), fields[GX_EXCEPTION_FIELDS];
    int n = e->fields ? GX_EXCEPTION_FIELDS : 0;
    for (int i = 0; i < n; i++) fields[i] = gx_keep(e->fields[i]);
    bool ok = put_text(rt, e, out);
    for (int i = 0; i < n; i++) gx_drop(fields[i]);
    gx_drop(args);
    return ok;
}

bool gx_exception_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_exception *e = gx_as_exception(v);
    const char *name = strrchr(e->head.obj.type->name, '.');
    name = name ? name + 1 : e->head.obj.type->name;
    if (e->args.tag == GX_UNDEF) return gx_buf_printf(out, "%s()", name);
    gx_value args = gx_keep(e->args);
    gx_tuple *t = gx_as_tuple(args);
    bool ok = t->count != 1 ? gx_buf_puts(out, name) && gx_repr(rt, args, out)
                            : gx_buf_printf(out, "%s(", name) && gx_repr(rt, t->items[0], out) &&
                                  gx_buf_char(out, ')');
    gx_drop(args);
    return ok;
}
