/* Exception objects: made from the pending error, turned into it again. The pending error itself is
   runtime/base/error.h; what the classes have of their own is in exception_fields.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception_int.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

/* --- making ----------------------------------------------------------------------------------- */

bool gx_exception_new(gx_rt *rt, const gx_type *type, int argc, const gx_borrowed *argv,
                      gx_value *out) {
    gx_value args;
    if (!gx_tuple_new(rt, argc, argv, &args)) return false;
    gx_exception *e = gx_obj_new(rt, type, sizeof *e);
    if (!e) {
        gx_drop(args);
        return false;
    }
    e->head.obj.tag = GX_EXCEPTION;
    e->args = args;
    gx_container_track(rt, &e->head);
    *out = gx_object(&e->head.obj);
    return true;
}

/* A class whose arguments say more than args keeps. */
static bool take_args(gx_rt *rt, gx_exception *e, int argc, const gx_borrowed *argv) {
    gx_value args;
    int kept = gx_exception_is(e, GX_OSError) && argc > 2 && argc <= 5 ? 2 : argc;
    if (!gx_tuple_new(rt, kept, argv, &args)) return false;
    gx_value old = e->args;
    e->args = args;
    e->literal = false;
    gx_drop(old);
    if (kept == argc) return true;
    return gx_exception_set(rt, e, GX_OS_FILENAME, argv[2]) &&
           (argc < 5 || gx_exception_set(rt, e, GX_OS_FILENAME2, argv[4]));
}

static bool take_keywords(gx_rt *rt, gx_exception *e, int kwc, const gx_sym *kw,
                          const gx_borrowed *values) {
    const char *class = e->head.obj.type->name;
    for (int i = 0; i < kwc; i++) {
        const char *name = gx_sym_text(rt, kw[i]);
        if (!gx_exception_keyword(e, name))
            return gx_fail(rt, GX_TypeError, "call.arguments",
                           gx_exception_keyword(e, "name")
                               ? "%s() got an unexpected keyword argument '%s'"
                               : "%s() takes no keyword arguments",
                           class, name);
        if (!gx_exception_set(rt, e, gx_exception_field(e, name), values[i])) return false;
    }
    return true;
}

/* Unicode errors are made of five parts, or four. */
static bool check_unicode(gx_rt *rt, const gx_exception *e, int argc, const gx_borrowed *argv) {
    static const char *const five[] = {"str", "bytes", "int", "int", "str"};
    const char *const *types = five;
    bool translates = gx_exception_is(e, GX_UnicodeTranslateError);
    int n = translates ? 4 : 5;
    if (argc != n)
        return gx_fail(rt, GX_TypeError, "call.arguments",
                       "function takes exactly %d arguments (%d given)", n, argc);
    if (translates) types++;
    bool bytes = gx_exception_is(e, GX_UnicodeDecodeError);
    for (int i = 0; i < n; i++) {
        const char *want = strcmp(types[i], "bytes") == 0 && !bytes ? "str" : types[i];
        gx_tag tag = want[0] == 's' ? GX_STR : want[0] == 'b' ? GX_BYTES : GX_INT;
        if (argv[i].tag == tag) continue;
        const char *got = gx_type_name(argv[i]);
        if (tag == GX_BYTES)
            return gx_fail(rt, GX_TypeError, "call.arguments",
                           "a bytes-like object is required, not '%s'", got);
        return gx_fail(rt, GX_TypeError, "call.arguments", "argument %d must be %s, not %s", i + 1,
                       want, got);
    }
    return true;
}

bool gx_exception_new_args(gx_rt *rt, gx_borrowed exc, int argc, const gx_borrowed *argv) {
    return take_args(rt, gx_as_exception(exc), argc, argv);
}

static bool is_unicode(const gx_exception *e) {
    return gx_exception_is(e, GX_UnicodeError) && e->head.obj.type->error != GX_UnicodeError;
}

bool gx_exception_init(gx_rt *rt, gx_borrowed v, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw) {
    gx_exception *e = gx_as_exception(v);
    if (is_unicode(e) && !check_unicode(rt, e, argc, argv)) return false;
    return take_keywords(rt, e, kwc, kw, argv + argc) && take_args(rt, e, argc, argv);
}

/* "[Errno 2] No such file: 'name'": number, words and names; false: it is no such text. */
static bool os_parts(gx_rt *rt, const char *text, gx_value parts[4]) {
    char *rest;
    if (strncmp(text, "[Errno ", 7) != 0) return false;
    long number = strtol(text + 7, &rest, 10);
    if (strncmp(rest, "] ", 2) != 0) return false;
    rest += 2;
    const char *quote = strstr(rest, ": '"), *end = quote ? strrchr(quote, '\'') : NULL;
    const char *arrow = quote ? strstr(quote, "' -> '") : NULL;
    if (quote && end < quote + 3) return false;
    parts[0] = gx_int(number);
    if (!gx_str_new(rt, rest, quote ? (size_t)(quote - rest) : strlen(rest), &parts[1]))
        return false;
    if (!quote) return true;
    const char *first = quote + 3;
    return gx_str_new(rt, first, (size_t)((arrow ? arrow : end) - first), &parts[2]) &&
           (!arrow || gx_str_new(rt, arrow + 6, (size_t)(end - arrow - 6), &parts[3]));
}

/* The object of an error that the runtime raised. */
static bool from_text(gx_rt *rt, gx_error_kind kind, const char *message, gx_value *out) {
    gx_value text, parts[5] = {gx_undef(), gx_undef(), gx_undef(), gx_undef(), gx_undef()};
    const gx_type *type = gx_exception_type(kind);
    bool has_text = message && message[0];
    if (has_text && gx_error_is(kind, GX_OSError) && os_parts(rt, message, parts)) {
        int n = parts[3].tag != GX_UNDEF ? 5 : parts[2].tag != GX_UNDEF ? 3 : 2;
        parts[4] = parts[3];
        bool ok = gx_exception_new(rt, type, 0, NULL, out);
        if (ok && !gx_exception_init(rt, *out, n, parts, 0, NULL)) {
            gx_drop(*out);
            ok = false;
        }
        for (int i = 1; i < 4; i++) gx_drop(parts[i]);
        return ok;
    }
    for (int i = 1; i < 4; i++) gx_drop(parts[i]);
    if (gx_failed(&rt->error) || (has_text && !gx_str_new(rt, message, strlen(message), &text)))
        return false;
    bool ok = gx_exception_new(rt, type, has_text, &text, out);
    if (has_text) gx_drop(text);
    if (ok) gx_as_exception(*out)->literal = message != NULL;
    return ok;
}

/* What the report knew moves into the object; without memory for it only that is lost. */
static void keep_report(gx_exception *e, gx_error *from) {
    if (e->report) gx_error_free(e->report);
    free(e->report);
    e->report = malloc(gx_error_bytes(from)); /* the whole trace would be some kilobytes */
    memcpy(e->code, from->code, sizeof e->code);
    gx_drop(gx_steal(&e->trace));
    if (e->report) {
        gx_error_move(e->report, from);
    } else {
        gx_error_free(from);
    }
}

bool gx_exception_new_report(gx_rt *rt, gx_exception *e, bool some) {
    gx_error *report = some ? calloc(1, sizeof *report) : NULL;
    if (some && !report) return gx_no_memory(rt);
    if (e->report) gx_error_free(e->report);
    free(e->report);
    e->report = report;
    return true;
}

bool gx_exception_from_error(gx_rt *rt, gx_value *out) {
    gx_error e;
    gx_error_save(rt, &e);
    gx_value v = gx_steal(&e.exception);
    if (v.tag == GX_UNDEF && !from_text(rt, e.kind, e.message, &v)) {
        gx_error_free(&e);
        return false;
    }
    keep_report(gx_as_exception(v), &e);
    *out = v;
    return true;
}

bool gx_exception_tell(gx_rt *rt, const char *field, gx_borrowed value) {
    gx_error e;
    if (rt->error.kind == GX_MemoryError) return false;
    gx_error_save(rt, &e);
    bool ok = e.exception.tag != GX_UNDEF || from_text(rt, e.kind, e.message, &e.exception);
    if (ok) {
        gx_exception *exc = gx_as_exception(e.exception);
        int place = gx_exception_field(exc, field);
        ok = place < 0 || gx_exception_set(rt, exc, place, value);
    }
    if (!ok) gx_error_clear(rt);
    gx_error_restore(rt, &e);
    return false;
}

bool gx_exception_tell_text(gx_rt *rt, const char *field, const char *text) {
    gx_error e;
    gx_value v;
    gx_error_save(rt, &e);
    bool ok = gx_str_c(rt, text, &v);
    if (!ok) gx_error_clear(rt);
    gx_error_restore(rt, &e);
    if (!ok) return false;
    gx_exception_tell(rt, field, v);
    gx_drop(v);
    return false;
}

/* --- raising ---------------------------------------------------------------------------------- */

static char *copy_text(const char *text) {
    return text ? strdup(text) : NULL;
}

/* The first report's position, trace and advice, copied into the pending error. */
static void copy_report(gx_error *to, const gx_error *from) {
    to->at = from->at;
    to->help = copy_text(from->help);
    for (int i = 0; i < from->note_count; i++) {
        char *note = copy_text(from->notes[i]);
        if (note) to->notes[to->note_count++] = note;
    }
    for (int i = 0; i < 2; i++) {
        to->operand[i] = from->operand[i];
        to->operand_text[i] = copy_text(from->operand_text[i]);
    }
    memcpy(to->trace, from->trace, (size_t)from->trace_count * sizeof *to->trace);
    to->trace_count = from->trace_count;
    to->trace_lost = from->trace_lost;
}

bool gx_exception_raise(gx_rt *rt, gx_borrowed value) {
    if (gx_failed(&rt->error)) return false;
    gx_value made = gx_undef();
    if (gx_is_exception_type(value)) {
        if (!gx_call_value(rt, value, 0, NULL, 0, NULL, &made)) return false;
        value = made;
    }
    if (!gx_is_object(value) ||
        value.obj->type->tag != GX_EXCEPTION) {
        gx_drop(made);
        gx_fail(rt, GX_TypeError, "raise.type", "exceptions must derive from BaseException");
        if (value.tag == GX_STR)
            gx_help(rt, "raise an exception with the text: raise ValueError(...)");
        return false;
    }
    const gx_exception *e = gx_as_exception(value);
    rt->error.kind = (gx_error_kind)e->head.obj.type->error;
    memcpy(rt->error.code, e->code, sizeof e->code);
    rt->error.exception = made.tag == GX_UNDEF ? gx_keep(value) : made;
    if (e->report) copy_report(&rt->error, e->report);
    return false;
}

char *gx_exception_message(gx_rt *rt, gx_borrowed exc) {
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_str_into(rt, exc, &text);
    if (!ok) gx_error_clear(rt); /* its own __str__ fails: it has no text */
    char *own = strdup(ok ? gx_buf_text(&text) : "");
    gx_buf_free(&text);
    return own;
}

static bool raise_with(gx_rt *rt, gx_error_kind kind, gx_borrowed arg) {
    gx_value e;
    if (!gx_exception_new(rt, gx_exception_type(kind), arg.tag != GX_UNDEF, &arg, &e))
        return false;
    gx_exception_raise(rt, e);
    gx_drop(e);
    return false;
}

bool gx_key_error(gx_rt *rt, gx_borrowed key) {
    return raise_with(rt, GX_KeyError, key);
}

bool gx_stop_iteration(gx_rt *rt, gx_borrowed value) {
    return raise_with(rt, GX_StopIteration, value.tag == GX_NONE ? gx_undef() : value);
}

static gx_try matches(gx_rt *rt, const gx_type *raised, gx_borrowed pattern) {
    if (gx_is_exception_type(pattern))
        return gx_type_is(raised, gx_as_type(pattern)) ? GX_TRY_YES : GX_TRY_NO;
    if (pattern.tag == GX_TUPLE) {
        for (int64_t i = 0; i < gx_as_tuple(pattern)->count; i++) {
            gx_try r = matches(rt, raised, gx_as_tuple(pattern)->items[i]);
            if (r != GX_TRY_NO) return r;
        }
        return GX_TRY_NO;
    }
    gx_error_clear(rt);
    gx_fail(rt, GX_TypeError, "except.type",
            "catching classes that do not inherit from BaseException is not allowed");
    return GX_TRY_ERROR;
}

gx_try gx_exception_matches(gx_rt *rt, gx_borrowed pattern) {
    gx_error *e = &rt->error;
    const gx_type *raised =
        e->exception.tag == GX_UNDEF ? gx_exception_type(e->kind) : e->exception.obj->type;
    return matches(rt, raised, pattern);
}

bool gx_unicode_error(gx_rt *rt, gx_error_kind kind, const char *coding, gx_borrowed object,
                      size_t at, size_t end, const char *why) {
    gx_value e = gx_undef(), parts[5] = {gx_undef(), object, gx_int((int64_t)at),
                                         gx_int((int64_t)end), gx_undef()};
    bool decodes = kind == GX_UnicodeDecodeError;
    bool ok = gx_str_c(rt, coding, &parts[0]) && gx_str_c(rt, why, &parts[4]) &&
              gx_exception_new(rt, gx_exception_type(kind), 5, parts, &e);
    if (ok) {
        snprintf(gx_as_exception(e)->code, sizeof gx_as_exception(e)->code, "%s",
                 decodes ? "str.decode" : "str.encode");
        gx_exception_raise(rt, e);
    }
    gx_drop(e);
    gx_drop(parts[0]);
    gx_drop(parts[4]);
    return false;
}
