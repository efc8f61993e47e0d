/* The builtin exception classes: their slots, and the attributes that all of them have. */
#include <stdlib.h>
#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict_int.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception_int.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

/* --- notes, copies ---------------------------------------------------------------------------- */

gx_try gx_exception_notes(gx_rt *rt, gx_borrowed exc, gx_value *out) {
    gx_sym name = gx_sym_c(rt, "__notes__");
    return name ? gx_try_attr(rt, exc, name, out) : GX_TRY_ERROR;
}

bool gx_exception_copy_into(gx_rt *rt, gx_borrowed from, gx_borrowed to) {
    const gx_exception *a = gx_as_exception(from);
    gx_exception *b = gx_as_exception(to);
    gx_value old = b->args;
    b->args = gx_keep(a->args);
    gx_drop(old);
    b->literal = a->literal;
    memcpy(b->code, a->code, sizeof b->code);
    for (int i = 0; a->fields && i < GX_EXCEPTION_FIELDS; i++)
        if (a->fields[i].tag != GX_UNDEF && !gx_exception_set(rt, b, i, a->fields[i])) return false;
    if (a->dict.tag != GX_DICT) return true;
    if (b->dict.tag != GX_DICT && !gx_dict_new(rt, &b->dict)) return false;
    return gx_dict_update(rt, b->dict, a->dict);
}

bool gx_exception_copy(gx_rt *rt, gx_borrowed exc, gx_value *out) {
    gx_value copy;
    if (!gx_exception_new(rt, gx_type_of(exc), 0, NULL, &copy)) return false;
    if (gx_exception_copy_into(rt, exc, copy)) {
        *out = copy;
        return true;
    }
    gx_drop(copy);
    return false;
}

/* --- slots ------------------------------------------------------------------------------------ */

static void exception_clear(gx_rt *rt, gx_obj *o) {
    gx_exception *e = (gx_exception *)o;
    gx_value parts[] = {e->args, e->cause, e->context, e->dict, e->trace}, *fields = e->fields;
    e->args = e->cause = e->context = e->dict = e->trace = gx_undef();
    e->fields = NULL;
    for (int i = 0; i < 5; i++) gx_drop(parts[i]);
    for (int i = 0; fields && i < GX_EXCEPTION_FIELDS; i++) gx_drop(fields[i]);
    gx_free(rt, fields);
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
    gx_value parts[] = {e->args, e->cause, e->context, e->dict, e->trace};
    for (int i = 0; i < 5; i++)
        if (gx_is_object(parts[i])) visit(parts[i].obj, ctx);
    for (int i = 0; e->fields && i < GX_EXCEPTION_FIELDS; i++)
        if (gx_is_object(e->fields[i])) visit(e->fields[i].obj, ctx);
}

/* --- attributes of all ------------------------------------------------------------------------ */

static bool get_args(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value args = gx_as_exception(self)->args;
    if (args.tag == GX_UNDEF) return gx_tuple_new(rt, 0, NULL, out);
    *out = gx_keep(args);
    return true;
}

/* The fields stay as the arguments before have made them. */
static bool set_args(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    gx_value args;
    gx_exception *e = gx_as_exception(self);
    if (!gx_tuple_of(rt, value, &args)) return false;
    bool ok = true;
    for (int i = 0; ok && i < GX_EXCEPTION_FIELDS; i++) {
        gx_value now = gx_exception_get(e, i);
        if (now.tag == GX_NONE) continue;
        gx_keep(now);
        ok = gx_exception_set(rt, e, i, now);
        gx_drop(now);
    }
    if (!ok) {
        gx_drop(args);
        return false;
    }
    gx_value old = e->args;
    e->args = args;
    e->literal = false;
    gx_drop(old);
    return true;
}

/* gx's own attributes give way to what a script sets. */
static gx_try find_set(gx_rt *rt, const gx_exception *e, const char *name, gx_value *out) {
    gx_value key;
    if (e->dict.tag != GX_DICT) return GX_TRY_NO;
    if (!gx_str_c(rt, name, &key)) return GX_TRY_ERROR;
    gx_try has = gx_dict_find(rt, e->dict, key, out);
    gx_drop(key);
    return has;
}

static bool get_code(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_exception *e = gx_as_exception(self);
    gx_try own = find_set(rt, e, "code", out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    return gx_str_c(rt, e->code, out);
}

/* Of the place where it was raised. */
static bool get_line(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_error *report = gx_as_exception(self)->report;
    gx_try own = find_set(rt, gx_as_exception(self), "line", out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    uint32_t line = 0, column;
    if (report && report->at.end) gx_source_place(rt, report->at, &line, &column);
    *out = line ? gx_int(line) : gx_none();
    return true;
}

static bool get_help(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_error *report = gx_as_exception(self)->report;
    gx_try own = find_set(rt, gx_as_exception(self), "help", out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    if (report && report->help) return gx_str_c(rt, report->help, out);
    *out = gx_none();
    return true;
}

static gx_try exception_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    gx_exception *e = gx_as_exception(v);
    gx_value key;
    if (e->dict.tag != GX_DICT) {
        if (value.tag == GX_UNDEF) return GX_TRY_NO;
        if (!gx_dict_new(rt, &e->dict)) return GX_TRY_ERROR;
    }
    if (!gx_str_of_sym(rt, name, &key)) return GX_TRY_ERROR;
    gx_try done = GX_TRY_YES;
    if (value.tag == GX_UNDEF)
        done = gx_dict_remove(rt, e->dict, key, NULL);
    else if (!gx_dict_set(rt, e->dict, key, value))
        done = GX_TRY_ERROR;
    gx_drop(key);
    return done;
}

static bool set_named(gx_rt *rt, gx_borrowed self, const char *name, gx_borrowed value) {
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym) return false;
    if (gx_is_instance(self)) return gx_instance_set_own(rt, self, sym, value);
    return exception_set_attr(rt, self, sym, value) == GX_TRY_YES;
}
static bool set_code(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_named(rt, self, "code", value);
}
static bool set_line(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_named(rt, self, "line", value);
}
static bool set_help(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_named(rt, self, "help", value);
}

static gx_try exception_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    return find_set(rt, gx_as_exception(v), gx_sym_text(rt, name), out);
}

static bool get_dict(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_exception *e = gx_as_exception(self);
    if (e->dict.tag != GX_DICT && !gx_dict_new(rt, &e->dict)) return false;
    *out = gx_keep(e->dict);
    return true;
}

static bool set_dict(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    gx_exception *e = gx_as_exception(self);
    if (value.tag != GX_DICT)
        return gx_fail(rt, GX_TypeError, "attr.type",
                       "__dict__ must be set to a dictionary, not a '%s'", gx_type_name(value));
    gx_value old = e->dict;
    e->dict = gx_keep(value);
    gx_drop(old);
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

static bool link_to(gx_rt *rt, gx_value *place, gx_borrowed value, const char *what) {
    if (value.tag != GX_NONE && value.tag != GX_EXCEPTION)
        return gx_fail(rt, GX_TypeError, "raise.cause",
                       "exception %s must be None or derive from BaseException", what);
    gx_value old = *place;
    *place = gx_keep(value); /* None: a script has said that there is none */
    gx_drop(old);
    return true;
}
static bool set_cause(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (!link_to(rt, &gx_as_exception(self)->cause, value, "cause")) return false;
    gx_as_exception(self)->silent = true;
    return true;
}
static bool set_context(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return link_to(rt, &gx_as_exception(self)->context, value, "context");
}

static bool get_silent(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_bool(gx_as_exception(self)->silent);
    return true;
}
static bool set_silent(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (value.tag != GX_BOOL)
        return gx_fail(rt, GX_TypeError, "attr.type", "attribute value type must be bool");
    gx_as_exception(self)->silent = value.i != 0;
    return true;
}

bool gx_exception_trace(gx_rt *rt, gx_borrowed exc, gx_value *out) {
    gx_exception *e = gx_as_exception(exc);
    if (e->trace.tag == GX_UNDEF && !gx_trace_of_report(rt, e->report, e->where, &e->trace))
        return false;
    *out = gx_keep(e->trace);
    return true;
}

/* The report leads to the places of the traceback from now on. */
static bool set_trace(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    gx_exception *e = gx_as_exception(self);
    if (value.tag != GX_NONE && !gx_is_trace(value))
        return gx_fail(rt, GX_TypeError, "attr.type", "__traceback__ must be a traceback or None");
    if (value.tag == GX_OBJECT && e->trace.tag == GX_OBJECT && value.obj == e->trace.obj)
        return true;
    if (!gx_exception_new_report(rt, e, value.tag != GX_NONE)) return false;
    if (e->report) gx_report_of_trace(value, &e->where, e->report);
    gx_value old = e->trace;
    e->trace = gx_keep(value);
    gx_drop(old);
    return true;
}

static bool with_traceback(gx_call *c, gx_value *out) {
    if (!set_trace(c->rt, c->argv[0], c->argv[1])) return false;
    *out = gx_keep(c->argv[0]);
    return true;
}

static bool add_note(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_value notes;
    if (c->argv[1].tag != GX_STR)
        return gx_fail(rt, GX_TypeError, "note.type", "note must be a str, not '%s'",
                       gx_type_name(c->argv[1]));
    gx_try has = gx_exception_notes(rt, c->argv[0], &notes);
    if (has == GX_TRY_ERROR) return false;
    if (has == GX_TRY_NO) {
        if (!gx_list_new(rt, 0, NULL, &notes)) return false;
        if (!set_named(rt, c->argv[0], "__notes__", notes)) {
            gx_drop(notes);
            return false;
        }
    }
    bool ok = notes.tag == GX_LIST;
    if (ok)
        ok = gx_list_push(rt, notes, c->argv[1]);
    else
        gx_fail(rt, GX_TypeError, "note.type", "Cannot add note: __notes__ is not a list");
    gx_drop(notes);
    *out = gx_none();
    return ok;
}

/* (class, arguments) or (class, arguments, attributes). */
static bool reduce(gx_call *c, gx_value *out) {
    gx_value parts[3] = {gx_undef(), gx_undef(), gx_undef()}, names[5];
    gx_rt *rt = c->rt;
    gx_exception *e = gx_as_exception(c->argv[0]);
    gx_sym dict = gx_sym_c(rt, "__dict__");
    bool ok = dict && get_args(rt, c->argv[0], &parts[1]) &&
              gx_get_attr(rt, c->argv[0], dict, &parts[2]);
    gx_value file = gx_exception_is(e, GX_OSError) ? gx_exception_get(e, GX_OS_FILENAME)
                                                   : gx_none();
    if (ok && file.tag != GX_NONE && gx_as_tuple(parts[1])->count == 2) {
        gx_value two = gx_exception_get(e, GX_OS_FILENAME2), all;
        memcpy(names, gx_as_tuple(parts[1])->items, 2 * sizeof *names);
        names[2] = file;
        names[3] = gx_none();
        names[4] = two;
        ok = gx_tuple_new(rt, two.tag == GX_NONE ? 3 : 5, names, &all);
        if (ok) {
            gx_drop(parts[1]);
            parts[1] = all;
        }
    }
    parts[0] = gx_type_value(gx_type_of(c->argv[0]));
    ok = ok && gx_tuple_new(rt, parts[2].tag == GX_DICT && gx_as_dict(parts[2])->count ? 3 : 2,
                            parts, out);
    for (int i = 0; i < 3; i++) gx_drop(parts[i]);
    return ok;
}

static bool set_state(gx_call *c, gx_value *out) {
    *out = gx_none();
    if (c->argv[1].tag == GX_NONE) return true;
    if (c->argv[1].tag != GX_DICT)
        return gx_fail(c->rt, GX_TypeError, "attr.type", "state is not a dictionary");
    gx_value state; /* a copy: setting an attribute may run code of a script */
    if (!gx_dict_new(c->rt, &state)) return false;
    bool ok = gx_dict_update(c->rt, state, c->argv[1]);
    gx_entry *e;
    int64_t at = 0;
    while (ok && (e = gx_dict_next(gx_as_dict(state), &at))) {
        gx_sym name = e->key.tag == GX_STR ? gx_str_sym(c->rt, e->key) : 0;
        ok = name ? gx_set_attr(c->rt, c->argv[0], name, e->value)
                  : gx_fail(c->rt, GX_TypeError, "attr.type", "attribute name must be string");
    }
    gx_drop(state);
    return ok;
}

static const gx_member members[] = {
    {"args", get_args, set_args, "The arguments."},
    {"code", get_code, set_code, "gx's stable code of the error; of SystemExit the exit status."},
    {"line", get_line, set_line, "The line of the source where it was raised, or None."},
    {"help", get_help, set_help, "The fix that its message shows, or None."},
    {"__cause__", get_cause, set_cause, "What `raise ... from` named."},
    {"__context__", get_context, set_context, "What was being handled."},
    {"__suppress_context__", get_silent, set_silent, "Is the context left out of messages?"},
    {"__traceback__", gx_exception_trace, set_trace, "Where it went through, outermost first."},
    {"__dict__", get_dict, set_dict, "The attributes set on it."},
    {0},
};

static const gx_native methods[] = {
    {"with_traceback", "with_traceback(self, tb, /)", "The exception, with that traceback.", NULL,
     with_traceback, 0, 0},
    {"add_note", "add_note(self, note, /)", "Adds a line to the report.", NULL, add_note, 0, 0},
    {"__reduce__", "__reduce__(self, /)", "What makes an equal one: class and arguments.", NULL,
     reduce, 0, 0},
    {"__setstate__", "__setstate__(self, state, /)", "Sets attributes from a dict.", NULL,
     set_state, 0, 0},
    {0},
};

/* OSError(2, "…") is a FileNotFoundError. */
static const gx_type *type_of_args(const gx_type *type, int argc, const gx_borrowed *argv) {
    if (type != &gx_exception_types[GX_OSError] || argc < 2 || argc > 5 || argv[0].tag != GX_INT ||
        argv[0].i < 0 || argv[0].i > 4096)
        return type;
    return &gx_exception_types[gx_error_of_errno((int)argv[0].i)];
}

static bool construct(gx_call *c, gx_value *out) {
    const gx_value *items;
    int argc = (int)gx_sequence_items(c->argv[0], &items), kwc = 0;
    gx_dict *given = gx_as_dict(c->argv[1]);
    gx_value e = gx_undef(), *all = NULL;
    gx_sym *names = NULL;
    if (given->count) {
        all = gx_alloc(c->rt, (size_t)(argc + given->count) * sizeof *all);
        names = gx_alloc(c->rt, (size_t)given->count * sizeof *names);
    }
    bool ok = !given->count || (all && names);
    int64_t at = 0;
    gx_entry *entry;
    if (all) memcpy(all, items, (size_t)argc * sizeof *all);
    while (ok && all && (entry = gx_dict_next(given, &at))) {
        all[argc + kwc] = entry->value;
        names[kwc] = gx_str_sym(c->rt, entry->key);
        ok = names[kwc++] != 0;
    }
    ok = ok && gx_exception_new(c->rt, type_of_args(c->type, argc, items), 0, NULL, &e) &&
         gx_exception_init(c->rt, e, argc, all ? all : items, kwc, names);
    gx_free(c->rt, names);
    gx_free(c->rt, all);
    if (ok)
        *out = e;
    else
        gx_drop(e);
    return ok;
}

static const gx_native exception_native = {
    "exception", "exception(*args, **kwargs)", "An exception with its arguments.", NULL, construct,
    0, 0,
};

/* A full row a class: every slot is inherited through base, but direct slots are faster. */
#define PARENT(name, base)                                                                         \
    (GX_##name == GX_BaseException ? NULL : &gx_exception_types[GX_##base])
#define MEMBERS(kind)                                                                              \
    ((kind) == GX_BaseException    ? members                                                       \
     : (kind) == GX_AttributeError ? gx_attribute_error_members                                    \
     : (kind) == GX_NameError      ? gx_name_error_members                                         \
     : (kind) == GX_ImportError    ? gx_import_error_members                                       \
     : (kind) == GX_OSError        ? gx_os_error_members                                           \
     : (kind) == GX_SyntaxError    ? gx_syntax_error_members                                       \
     : (kind) == GX_StopIteration  ? gx_stop_members                                               \
     : (kind) == GX_SystemExit     ? gx_exit_members                                               \
     : (kind) == GX_UnicodeDecodeError || (kind) == GX_UnicodeEncodeError ||                       \
             (kind) == GX_UnicodeTranslateError                                                    \
         ? gx_unicode_error_members                                                                \
         : NULL)
const gx_type gx_exception_types[GX_ERROR_COUNT] = {
#define X(id, parent)                                                                              \
    [GX_##id] = {.name = #id, .base = PARENT(id, parent), .tag = GX_EXCEPTION,                     \
                 .dtype = GX_NO_DTYPE, .error = GX_##id, .container = true,                        \
                 .free = exception_free, .traverse = exception_traverse, .clear = exception_clear, \
                 .repr = gx_exception_repr, .str = gx_exception_str, .attr = exception_attr,       \
                 .set_attr = exception_set_attr, .construct = &exception_native,                   \
                 .methods = GX_##id == GX_BaseException ? methods : NULL,                          \
                 .members = MEMBERS(GX_##id)},
    GX_ERROR_KINDS(X)
#undef X
};
