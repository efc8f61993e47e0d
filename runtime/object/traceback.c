/* Tracebacks: the places that an exception went through, outermost first, made from a report when a
   script asks for them. Frames are gone by then: what is left of one is its place and its code's
   name.

   Invariant: a traceback never changes. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/exception_int.h"
#include "runtime/object/heap.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "runtime/object/traceback.h"

typedef struct trace {
    gx_container head;
    gx_sym name;
    gx_span at;
    gx_value next; /* a trace or None */
} trace;

static const gx_type trace_type, frame_type, code_type;

bool gx_is_trace(gx_borrowed v) {
    return v.tag == GX_OBJECT && v.obj->type == &trace_type;
}

static trace *as_trace(gx_borrowed v) {
    return (trace *)v.obj;
}

/* One link, of any of the three types; takes over next. */
static bool link_new(gx_rt *rt, const gx_type *type, gx_sym name, gx_span at, gx_value next,
                     gx_value *out) {
    trace *t = gx_obj_new(rt, type, sizeof *t);
    if (!t) {
        gx_drop(next);
        return false;
    }
    t->name = name;
    t->at = at;
    t->next = next;
    gx_container_track(rt, &t->head);
    *out = gx_object(&t->head.obj);
    return true;
}

/* "forward(a, b)" is forward. */
static gx_sym bare_name(gx_rt *rt, gx_sym title) {
    const char *text = gx_sym_text(rt, title), *open = strchr(text, '(');
    gx_sym name = open ? gx_sym_of(rt, text, (size_t)(open - text)) : title;
    return name ? name : title;
}

bool gx_trace_of_report(gx_rt *rt, const gx_error *report, gx_sym where, gx_value *out) {
    gx_value chain = gx_none();
    if (!report || !report->at.end) {
        *out = chain;
        return true;
    }
    /* Line i of the report says which function line i - 1 is in. */
    for (int i = 0; i <= report->trace_count; i++) {
        bool outermost = i == report->trace_count;
        gx_sym name = outermost ? where : report->trace[i].function;
        if (!name && !(name = gx_sym_c(rt, "<module>"))) {
            gx_drop(chain);
            return false;
        }
        gx_span at = i ? report->trace[i - 1].at : report->at;
        if (!link_new(rt, &trace_type, bare_name(rt, name), at, chain, &chain)) return false;
    }
    *out = chain;
    return true;
}

void gx_report_of_trace(gx_borrowed v, gx_sym *where, gx_error *report) {
    int count = 0;
    *where = as_trace(v)->name;
    for (const trace *t = as_trace(v); t; t = gx_is_trace(t->next) ? as_trace(t->next) : NULL) {
        report->at = t->at;
        count++;
    }
    /* Outermost first here, innermost first there. */
    int at = count - 2;
    for (const trace *t = as_trace(v); gx_is_trace(t->next); t = as_trace(t->next), at--) {
        if (at >= GX_MAX_TRACE) continue;
        report->trace[at] =
            (gx_trace){.function = as_trace(t->next)->name, .at = t->at, .quiet = true};
        if (report->trace_count <= at) report->trace_count = at + 1;
    }
}

/* --- slots ------------------------------------------------------------------------------------ */

static void trace_clear(gx_rt *rt, gx_obj *o) {
    (void)rt;
    gx_value old = ((trace *)o)->next;
    ((trace *)o)->next = gx_none();
    gx_drop(old);
}

static void trace_free(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, &((trace *)o)->head);
    trace_clear(rt, o);
    gx_obj_release(rt, o);
}

static void trace_traverse(gx_obj *o, gx_visit visit, void *ctx) {
    gx_value next = ((trace *)o)->next;
    if (gx_is_object(next)) visit(next.obj, ctx);
}

static bool get_line(gx_rt *rt, gx_borrowed self, gx_value *out) {
    uint32_t line = 0, column;
    gx_source_place(rt, as_trace(self)->at, &line, &column);
    *out = gx_int(line);
    return true;
}

static bool get_zero(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_int(0);
    return true;
}

static bool get_nothing(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_none();
    return true;
}

static bool get_next(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(as_trace(self)->next);
    return true;
}

bool gx_trace_frame(gx_rt *rt, gx_sym name, gx_span at, gx_value *out) {
    return link_new(rt, &frame_type, name, at, gx_none(), out);
}

static bool get_frame(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_trace_frame(rt, as_trace(self)->name, as_trace(self)->at, out);
}

static bool get_code(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return link_new(rt, &code_type, as_trace(self)->name, as_trace(self)->at, gx_none(), out);
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_of_sym(rt, as_trace(self)->name, out);
}

static bool get_file(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_source *s = gx_source_of(rt, as_trace(self)->at);
    return gx_str_c(rt, s ? s->name : "<unknown>", out);
}

/* The source line, for the module traceback. */
static bool get_text(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_span at = as_trace(self)->at;
    uint32_t line, column;
    const char *text;
    size_t length;
    if (!gx_source_of(rt, at)) return gx_str_c(rt, "", out);
    gx_source_place(rt, at, &line, &column);
    gx_source_line(rt, at.source, line, &text, &length);
    return gx_str_new(rt, text, length, out);
}

static bool trace_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    return gx_buf_printf(out, "<traceback object at %p>", (void *)v.obj);
}

static bool place_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_source *s = gx_source_of(rt, as_trace(v)->at);
    uint32_t line = 0, column;
    gx_source_place(rt, as_trace(v)->at, &line, &column);
    bool frame = v.obj->type == &frame_type;
    return gx_buf_printf(out, frame ? "<frame at %p, file '%s', line %u, code %s>"
                                    : "<code at %p, file \"%s\", line %u, of %s>",
                         (void *)v.obj, s ? s->name : "", line,
                         gx_sym_text(rt, as_trace(v)->name));
}

static const gx_member trace_members[] = {
    {"tb_lineno", get_line, NULL, "The line."},
    {"tb_frame", get_frame, NULL, "The function and its file."},
    {"tb_next", get_next, NULL, "The place one call further in, or None."},
    {"tb_lasti", get_zero, NULL, "0: gx has no bytecode."},
    {"tb_text", get_text, NULL, "The source line."},
    {0},
};
static const gx_member frame_members[] = {
    {"f_code", get_code, NULL, "The function's name and file."},
    {"f_lineno", get_line, NULL, "The line."},
    {"f_back", get_nothing, NULL, "None: the frames of a traceback have ended."},
    {"f_lasti", get_zero, NULL, "0: gx has no bytecode."},
    {0},
};
static const gx_member code_members[] = {
    {"co_name", get_name, NULL, "The function's name."},
    {"co_qualname", get_name, NULL, "The function's name."},
    {"co_filename", get_file, NULL, "The file."},
    {0},
};

#define TYPE(id, title, text, rows, repr_fn)                                                       \
    static const gx_type id = {                                                                    \
        .name = title,                                                                             \
        .tag = GX_OBJECT,                                                                          \
        .dtype = GX_NO_DTYPE,                                                                      \
        .container = true,                                                                         \
        .doc = text,                                                                               \
        .free = trace_free,                                                                        \
        .traverse = trace_traverse,                                                                \
        .clear = trace_clear,                                                                      \
        .repr = repr_fn,                                                                           \
        .members = rows,                                                                           \
    }
TYPE(trace_type, "traceback", "A place that an exception went through.", trace_members, trace_repr);
TYPE(frame_type, "frame", "What is left of a call that has ended.", frame_members, place_repr);
TYPE(code_type, "code", "The name and the file of a function that has ended.", code_members,
     place_repr);
