/* sys._getframe: what a script sees of the calls that run. While its frame runs, a frame object
   tells where it is and what its names hold now; afterwards, what they were when it was asked for.

   Invariant: it owns all that it shows; the frame is looked at only while it is found among those
   that run, with this object as its picture. */
#include "interp/eval/evaluator.h"

enum { WITH_NAMES = 32 }; /* frames whose f_locals are kept: the innermost ones */

typedef struct frame_object {
    gx_container head;
    const gx_function *code;
    const gx_frame *frame; /* which may have ended */
    gx_span at;
    gx_value globals, names, back; /* names: UNDEF beyond WITH_NAMES */
} frame_object;

static const gx_type frame_type;

static frame_object *as_frame(gx_borrowed v) {
    return (frame_object *)v.obj;
}

static void clear_frame(gx_rt *rt, gx_obj *o) {
    (void)rt;
    frame_object *f = (frame_object *)o;
    gx_drop(gx_steal(&f->globals));
    gx_drop(gx_steal(&f->names));
    gx_drop(gx_steal(&f->back));
}

static void free_frame(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, (gx_container *)o);
    clear_frame(rt, o);
    gx_unit_drop(((frame_object *)o)->code->unit);
    gx_free(rt, o);
}

static void traverse_frame(gx_obj *o, gx_visit visit, void *ctx) {
    const frame_object *f = (const frame_object *)o;
    if (gx_is_object(f->globals)) visit(f->globals.obj, ctx);
    if (gx_is_object(f->names)) visit(f->names.obj, ctx);
    if (gx_is_object(f->back)) visit(f->back.obj, ctx);
}

/* The frame while it runs, and where; else NULL. */
static const gx_frame *running(const gx_rt *rt, const frame_object *o, gx_span *at) {
    gx_span here = rt->here;
    for (const gx_frame *f = rt->interp->frame; f; here = f->caller, f = f->outer)
        if (f == o->frame && f->picture == o) {
            *at = here;
            return f;
        }
    return NULL;
}

static uint32_t line_of(gx_rt *rt, frame_object *f) {
    uint32_t line = 0, column = 0;
    running(rt, f, &f->at);
    if (f->at.end) gx_source_place(rt, f->at, &line, &column);
    return line;
}

static bool get_code(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_code_new(rt, as_frame(self)->code, out);
}
static bool get_line(gx_rt *rt, gx_borrowed self, gx_value *out) {
    *out = gx_int(line_of(rt, as_frame(self)));
    return true;
}
static bool get_back(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    const gx_value back = as_frame(self)->back;
    *out = back.tag == GX_UNDEF ? gx_none() : gx_keep(back);
    return true;
}
static bool get_globals(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_keep(as_frame(self)->globals);
    return true;
}
static bool get_locals(gx_rt *rt, gx_borrowed self, gx_value *out) {
    frame_object *o = as_frame(self);
    gx_value now, names = o->names;
    const gx_frame *f = running(rt, o, &o->at);
    if (f) {
        if (!gx_frame_locals(rt, f, &now)) return false;
        o->names = gx_keep(now);
        gx_drop(names);
        *out = now;
        return true;
    }
    if (names.tag == GX_UNDEF)
        return gx_fail(rt, GX_RuntimeError, "frame.locals",
                       "the frame has ended; f_locals was kept of the %d innermost ones only",
                       WITH_NAMES);
    *out = gx_keep(names);
    return true;
}
static bool get_zero(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_int(0);
    return true;
}
static bool get_none(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    (void)self;
    *out = gx_none();
    return true;
}

static bool repr_frame(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    frame_object *f = as_frame(v);
    const gx_source *s = gx_source_of(rt, f->code->at);
    return gx_buf_printf(out, "<frame at %p, file '%s', line %u, code %s>", (void *)f,
                         s ? s->name : "<unknown>", line_of(rt, f),
                         gx_sym_text(rt, f->code->name));
}

static const gx_member frame_members[] = {
    {"f_code", get_code, NULL, "The code that runs."},
    {"f_lineno", get_line, NULL, "The line."},
    {"f_back", get_back, NULL, "The frame of the caller, or None."},
    {"f_globals", get_globals, NULL, "The names of its module."},
    {"f_locals", get_locals, NULL, "The names of the frame, as they were."},
    {"f_lasti", get_zero, NULL, "0: gx has no bytecode."},
    {"f_trace", get_none, NULL, "None: gx calls no trace function."},
    {0},
};
static const gx_type frame_type = {
    .name = "frame", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .container = true,
    .free = free_frame, .traverse = traverse_frame, .clear = clear_frame, .repr = repr_frame,
    .members = frame_members, .doc = "A call that was running.",
};

/* A picture of one frame, in which `at` runs; its f_back is set later. */
static bool make(gx_rt *rt, gx_frame *f, gx_span at, bool named, gx_value *out) {
    frame_object *o = gx_obj_new(rt, &frame_type, sizeof *o);
    if (!o) return false;
    o->code = f->code;
    o->frame = f;
    o->at = at;
    gx_unit_keep(f->code->unit);
    gx_container_track(rt, &o->head);
    if (gx_globals_view(rt, f->globals, &o->globals) &&
        (!named || gx_frame_locals(rt, f, &o->names))) {
        f->picture = o;
        *out = gx_object(&o->head.obj);
        return true;
    }
    gx_obj_drop(&o->head.obj);
    return false;
}

bool gx_frame_picture(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_frame *f = rt->interp->frame;
    gx_value first = gx_undef(), next, *place = &first;
    gx_span at = rt->here;
    int64_t depth;
    if (!gx_arg_int(c, 0, &depth)) return false;
    for (; f && depth > 0; f = f->outer, depth--) at = f->caller;
    if (!f) return gx_fail(rt, GX_ValueError, "frame.depth", "call stack is not deep enough");
    for (int i = 0; f; f = f->outer, i++) {
        if (!gx_interrupt_check(rt) || !make(rt, f, at, i < WITH_NAMES, &next)) {
            gx_drop(first);
            return false;
        }
        *place = next;
        place = &as_frame(next)->back;
        at = f->caller;
    }
    *out = first;
    return true;
}
