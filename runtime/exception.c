/* Exception objects: made from the pending error, turned into it again, and their text as Python's.
   The pending error itself is runtime/base/error.h. */
#include "runtime/exception.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/heap_int.h"
#include "runtime/list.h"
#include "runtime/native.h"
#include "runtime/str.h"

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

static bool construct(gx_call *c, gx_value *out) {
    const gx_value *items;
    int64_t n = gx_sequence_items(c->argv[0], &items);
    return gx_exception_new(c->rt, c->type, (int)n, items, out);
}

static const gx_native exception_native = {
    "exception", "exception(*args)", "An exception with its arguments.", NULL, construct, 0, 0,
};

/* What the report knew moves into the object; without memory for it only that is lost. */
static void keep_report(gx_exception *e, gx_error *from) {
    if (e->report) gx_error_free(e->report);
    else e->report = malloc(sizeof *e->report);
    memcpy(e->code, from->code, sizeof e->code);
    if (e->report) {
        *e->report = *from;
        memset(from, 0, sizeof *from);
    } else {
        gx_error_free(from);
    }
}

bool gx_exception_from_error(gx_rt *rt, gx_value *out) {
    gx_error e;
    gx_error_save(rt, &e);
    gx_value v = gx_steal(&e.exception);
    if (v.tag == GX_UNDEF) {
        gx_value text;
        bool has_text = e.message && e.message[0];
        if (has_text && !gx_str_new(rt, e.message, strlen(e.message), &text)) goto failed;
        bool ok = gx_exception_new(rt, &gx_exception_types[e.kind], has_text, &text, &v);
        if (has_text) gx_drop(text);
        if (!ok) goto failed;
        gx_as_exception(v)->literal = e.message != NULL;
    }
    keep_report(gx_as_exception(v), &e);
    *out = v;
    return true;
failed:
    gx_error_free(&e);
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
        !gx_type_is(value.obj->type, &gx_exception_types[GX_BaseException])) {
        gx_drop(made);
        gx_fail(rt, GX_TypeError, "raise.type", "exceptions must derive from BaseException");
        if (value.tag == GX_STR)
            gx_help(rt, "raise an exception with the text: raise ValueError(...)");
        return false;
    }
    gx_exception *e = gx_as_exception(value);
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_str_into(rt, value, &text);
    if (!ok && rt->error.kind != GX_MemoryError) { /* its own __str__ fails: it has no text */
        gx_error_clear(rt);
        gx_buf_free(&text);
        text = gx_buf_new(rt);
        ok = true;
    }
    if (ok) {
        gx_fail(rt, (gx_error_kind)e->head.obj.type->error, e->code, "%s", gx_buf_text(&text));
        rt->error.exception = gx_keep(value);
        if (e->report) copy_report(&rt->error, e->report);
    }
    gx_buf_free(&text);
    gx_drop(made);
    return false;
}

static bool raise_with(gx_rt *rt, gx_error_kind kind, gx_borrowed arg) {
    gx_value e;
    if (!gx_exception_new(rt, &gx_exception_types[kind], arg.tag != GX_UNDEF, &arg, &e))
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
        e->exception.tag == GX_UNDEF ? &gx_exception_types[e->kind] : e->exception.obj->type;
    return matches(rt, raised, pattern);
}

/* --- text ------------------------------------------------------------------------------------- */

static bool is_os_error(const gx_exception *e) {
    return gx_type_is(e->head.obj.type, &gx_exception_types[GX_OSError]);
}

static bool exception_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_exception *e = gx_as_exception(v);
    if (e->args.tag == GX_UNDEF) return true;
    gx_tuple *t = gx_as_tuple(e->args);
    if (t->count == 0) return true;
    if (is_os_error(e) && t->count >= 2 && t->count <= 3) {
        bool ok = gx_buf_puts(out, "[Errno ") && gx_str_into(rt, t->items[0], out) &&
                  gx_buf_puts(out, "] ") && gx_str_into(rt, t->items[1], out);
        return ok && (t->count == 2 || (gx_buf_puts(out, ": ") && gx_repr(rt, t->items[2], out)));
    }
    if (t->count > 1) return gx_repr(rt, e->args, out);
    if (!e->literal && gx_type_is(e->head.obj.type, &gx_exception_types[GX_KeyError]))
        return gx_repr(rt, t->items[0], out);
    return gx_str_into(rt, t->items[0], out);
}

static bool exception_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_exception *e = gx_as_exception(v);
    const char *name = strrchr(e->head.obj.type->name, '.');
    name = name ? name + 1 : e->head.obj.type->name;
    if (e->args.tag == GX_UNDEF) return gx_buf_printf(out, "%s()", name);
    gx_tuple *t = gx_as_tuple(e->args);
    if (t->count != 1) return gx_buf_puts(out, name) && gx_repr(rt, e->args, out);
    return gx_buf_printf(out, "%s(", name) && gx_repr(rt, t->items[0], out) &&
           gx_buf_char(out, ')');
}

/* --- slots ------------------------------------------------------------------------------------ */

static void exception_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_exception *e = (gx_exception *)o;
    gx_value parts[] = {e->args, e->cause, e->context, e->notes};
    e->args = e->cause = e->context = e->notes = gx_undef();
    for (int i = 0; i < 4; i++) gx_drop(parts[i]);
}

static void exception_free(gx_rt *rt, gx_obj *o) {
    gx_exception *e = (gx_exception *)o;
    gx_container_untrack(rt, &e->head);
    exception_clear(rt, o);
    if (e->report) {
        gx_error_free(e->report);
        free(e->report);
    }
    gx_obj_release(rt, o);
}

static void exception_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_exception *e = (gx_exception *)o;
    gx_value parts[] = {e->args, e->cause, e->context, e->notes};
    for (int i = 0; i < 4; i++)
        if (gx_is_object(parts[i])) visit(parts[i].obj, ctx);
}

/* --- attributes ------------------------------------------------------------------------------- */

static bool get_args(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value args = gx_as_exception(self)->args;
    if (args.tag == GX_UNDEF) return gx_tuple_new(rt, 0, NULL, out);
    *out = gx_keep(args);
    return true;
}

static bool set_args(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    gx_value args;
    if (!gx_tuple_of(rt, value, &args)) return false;
    gx_drop(gx_as_exception(self)->args);
    gx_as_exception(self)->args = args;
    gx_as_exception(self)->literal = false;
    return true;
}

static bool get_code(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_exception *e = gx_as_exception(self);
    if (gx_type_is(e->head.obj.type, &gx_exception_types[GX_SystemExit])) {
        gx_tuple *t = e->args.tag == GX_TUPLE ? gx_as_tuple(e->args) : NULL;
        *out = t && t->count ? gx_keep(t->count == 1 ? t->items[0] : e->args) : gx_none();
        return true;
    }
    return gx_str_c(rt, e->code, out);
}

/* Of the place where it was raised. */
static bool get_line(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_error *report = gx_as_exception(self)->report;
    uint32_t line = 0, column;
    if (report && report->at.end) gx_source_place(rt, report->at, &line, &column);
    *out = line ? gx_int(line) : gx_none();
    return true;
}

static bool get_help(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_error *report = gx_as_exception(self)->report;
    if (report && report->help) return gx_str_c(rt, report->help, out);
    *out = gx_none();
    return true;
}

static bool linked(gx_value v, gx_value *out) {
    *out = v.tag == GX_UNDEF ? gx_none() : gx_keep(v);
    return true;
}
static bool get_cause(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return linked(gx_as_exception(self)->cause, out);
}
static bool get_context(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    return linked(gx_as_exception(self)->context, out);
}
static bool get_traceback(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_none();
    return true;
}

/* errno, strerror, filename: arguments, or parts of "[Errno 2] No such file: 'name'". */
static gx_try os_attr(gx_rt *rt, gx_exception *e, const char *name, gx_value *out) {
    int which = strcmp(name, "errno") == 0      ? 0
                : strcmp(name, "strerror") == 0 ? 1
                : strcmp(name, "filename") == 0 ? 2
                                                : -1;
    if (which < 0) return GX_TRY_NO;
    gx_tuple *t = gx_as_tuple(e->args);
    *out = gx_none();
    if (t->count >= 2) {
        if (which < t->count) *out = gx_keep(t->items[which]);
        return GX_TRY_YES;
    }
    if (t->count != 1 || t->items[0].tag != GX_STR) return GX_TRY_YES;
    const char *text = gx_as_str(t->items[0])->text;
    if (strncmp(text, "[Errno ", 7) != 0) return GX_TRY_YES;
    char *rest;
    long number = strtol(text + 7, &rest, 10);
    if (which == 0) {
        *out = gx_int(number);
        return GX_TRY_YES;
    }
    if (*rest == ']') rest++;
    if (*rest == ' ') rest++;
    const char *quote = strstr(rest, ": '"), *end = quote ? strrchr(quote, '\'') : NULL;
    if (which == 1)
        return gx_str_new(rt, rest, quote ? (size_t)(quote - rest) : strlen(rest), out)
                   ? GX_TRY_YES : GX_TRY_ERROR;
    if (!quote || end < quote + 3) return GX_TRY_YES;
    return gx_str_new(rt, quote + 3, (size_t)(end - quote - 3), out) ? GX_TRY_YES : GX_TRY_ERROR;
}

static gx_try exception_attr(gx_rt *rt, gx_borrowed v, gx_sym sym, gx_value *out) {
    gx_exception *e = gx_as_exception(v);
    const char *name = gx_sym_text(rt, sym);
    if (e->args.tag != GX_TUPLE) return GX_TRY_NO;
    if (is_os_error(e)) return os_attr(rt, e, name, out);
    if (strcmp(name, "__notes__") == 0 && e->notes.tag != GX_UNDEF) {
        *out = gx_keep(e->notes);
        return GX_TRY_YES;
    }
    if (strcmp(name, "value") == 0 &&
        gx_type_is(e->head.obj.type, &gx_exception_types[GX_StopIteration])) {
        gx_tuple *t = gx_as_tuple(e->args);
        *out = t->count ? gx_keep(t->items[0]) : gx_none();
        return GX_TRY_YES;
    }
    return GX_TRY_NO;
}

static bool with_traceback(gx_call *c, gx_value *out) {
    *out = gx_keep(c->argv[0]);
    return true;
}

static bool add_note(gx_call *c, gx_value *out) {
    gx_exception *e = gx_as_exception(c->argv[0]);
    if (c->argv[1].tag != GX_STR)
        return gx_fail(c->rt, GX_TypeError, "note.type", "note must be a str, not '%s'",
                       gx_type_name(c->argv[1]));
    if (e->notes.tag == GX_UNDEF && !gx_list_new(c->rt, 0, NULL, &e->notes)) return false;
    *out = gx_none();
    return gx_list_push(c->rt, e->notes, c->argv[1]);
}

static const gx_member members[] = {
    {"args", get_args, set_args, "The arguments."},
    {"code", get_code, NULL, "gx's stable code of the error; of SystemExit the exit status."},
    {"line", get_line, NULL, "The line of the source where it was raised, or None."},
    {"help", get_help, NULL, "The fix that its message shows, or None."},
    {"__cause__", get_cause, NULL, "What `raise ... from` named."},
    {"__context__", get_context, NULL, "What was being handled."},
    {"__traceback__", get_traceback, NULL, "None: gx keeps the trace inside."},
    {0},
};

static const gx_native methods[] = {
    {"with_traceback", "with_traceback(self, tb, /)", "The exception itself.", NULL, with_traceback,
     0, 0},
    {"add_note", "add_note(self, note, /)", "Adds a line to the report.", NULL, add_note, 0, 0},
    {0},
};

/* A full row a class: every slot is inherited through base, but direct slots are faster. */
#define PARENT(name, base)                                                                         \
    (GX_##name == GX_BaseException ? NULL : &gx_exception_types[GX_##base])
const gx_type gx_exception_types[GX_ERROR_COUNT] = {
#define X(id, parent)                                                                              \
    [GX_##id] = {.name = #id, .base = PARENT(id, parent), .tag = GX_EXCEPTION,                     \
                 .dtype = GX_NO_DTYPE, .error = GX_##id, .container = true,                        \
                 .free = exception_free, .traverse = exception_traverse, .clear = exception_clear, \
                 .repr = exception_repr, .str = exception_str, .attr = exception_attr,             \
                 .construct = &exception_native, .methods = methods, .members = members},
    GX_ERROR_KINDS(X)
#undef X
};
