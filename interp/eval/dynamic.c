/* eval, exec and compile of texts, globals and locals, sys._getframe. A text is parsed into a unit
   whose global names are NAMED, so that it runs in any module and with any dicts. The latest texts
   are remembered, so that a text run again and again is parsed once. */
#include "interp/eval/debug/debugger.h"
#include "interp/eval/evaluator.h"

#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/exception.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

typedef enum mode { EXPRESSION, STATEMENTS, SINGLE } mode;

enum { TEXTS = 64 };

typedef struct text {
    gx_unit *unit; /* NULL: free */
    uint64_t hash;
    mode mode;
} text;

struct gx_texts {
    text list[TEXTS];
};

/* What compile() makes. */
typedef struct code {
    gx_obj obj;
    gx_unit *unit;
    mode mode;
} code;

static bool code_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const code *c = (const code *)v.obj;
    return gx_buf_printf(out, "<code object <module> at %p, file \"%s\", line 1>", (void *)v.obj,
                         gx_source_get(rt, c->unit->source)->name);
}

static bool code_filename(gx_rt *rt, gx_borrowed v, gx_value *out) {
    return gx_str_c(rt, gx_source_get(rt, ((const code *)v.obj)->unit->source)->name, out);
}

static bool code_name(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)v;
    return gx_str_c(rt, "<module>", out);
}

static void free_code(gx_rt *rt, gx_obj *obj) {
    gx_unit_drop(((code *)obj)->unit);
    gx_free(rt, obj);
}

static const gx_member code_members[] = {
    {"co_filename", code_filename, NULL, "The name given to compile()."},
    {"co_name", code_name, NULL, "<module>."},
    {0},
};

static const gx_type code_type = {
    .name = "code",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "A text that compile() has made ready to run.",
    .free = free_code,
    .repr = code_repr,
    .members = code_members,
};

/* --- parsing ---------------------------------------------------------------------------------- */

/* eval takes one expression and nothing else. */
static bool check_expression(gx_rt *rt, gx_unit *unit) {
    const gx_node *body = unit->main->body;
    if (body->n == 1 && body->list[0]->kind == GX_NODE_EXPRSTMT) return true;
    gx_fail(rt, GX_SyntaxError, "syntax", "eval() takes one expression%s",
            body->n ? "; exec() runs statements" : ", not an empty text");
    rt->error.at = body->n ? body->list[0]->at : (gx_span){.source = unit->source, .end = 1};
    return false;
}

/* The pending SyntaxError learns where it is. Always false. */
static bool tell_place(gx_rt *rt, const char *name) {
    const gx_span at = rt->error.at;
    uint32_t line, column;
    const char *words;
    size_t length;
    if (!gx_error_is(rt->error.kind, GX_SyntaxError) || !gx_source_of(rt, at)) return false;
    gx_source_place(rt, at, &line, &column);
    gx_source_line(rt, at.source, line, &words, &length);
    gx_buf copy = gx_buf_new(rt);
    gx_exception_tell_text(rt, "filename", name);
    gx_exception_tell(rt, "lineno", gx_int(line));
    gx_exception_tell(rt, "offset", gx_int(column));
    if (gx_buf_add(&copy, words, length)) gx_exception_tell_text(rt, "text", gx_buf_text(&copy));
    gx_buf_free(&copy);
    return false;
}

static bool parse(gx_rt *rt, const char *name, const char *words, size_t length, mode how,
                  gx_unit **out) {
    uint32_t source;
    gx_unit *unit = NULL;
    gx_map names = {0};
    gx_parse_errors errors = {0};
    if (!gx_source_add(rt, name, words, length, &source)) return false;
    gx_parse_status status = gx_parse(rt, source, &names, false, &unit, &errors);
    gx_map_free(rt, &names);
    gx_parse_errors_free(&errors);
    if (status != GX_PARSE_OK) {
        tell_place(rt, name);
        gx_source_retire(rt, source);
        return false;
    }
    unit->named = true;
    if (!gx_unit_begin(rt, unit)) return false;
    if (how != EXPRESSION || check_expression(rt, unit)) {
        *out = unit;
        return true;
    }
    gx_unit_drop(unit);
    return false;
}

static uint64_t hash_of(const char *words, size_t length, const char *name) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)words[i]) * 1099511628211u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211u;
    return h;
}

static bool load(gx_rt *rt, const char *name, const char *words, size_t length, mode how,
                 gx_unit **out) {
    gx_interp *vm = rt->interp;
    if (memchr(words, '\0', length))
        return gx_fail(rt, GX_SyntaxError, "syntax",
                       "source code string cannot contain null bytes");
    while (how == EXPRESSION && length && (*words == ' ' || *words == '\t')) words++, length--;
    if (!vm->texts && !(vm->texts = gx_alloc_zero(rt, sizeof *vm->texts))) return false;
    uint64_t hash = hash_of(words, length, name);
    text *place = &vm->texts->list[hash % TEXTS];
    if (place->unit && place->hash == hash && place->mode == how) {
        const gx_source *s = gx_source_get(rt, place->unit->source);
        if (s->length == length && memcmp(s->text, words, length) == 0 &&
            strcmp(s->name, name) == 0) {
            gx_unit_keep(*out = place->unit);
            return true;
        }
    }
    if (!parse(rt, name, words, length, how, out)) return false;
    if (place->unit) gx_unit_drop(place->unit);
    gx_unit_keep(*out);
    *place = (text){.unit = *out, .hash = hash, .mode = how};
    return true;
}

void gx_dynamic_free(gx_rt *rt, gx_interp *vm) {
    for (int i = 0; vm->texts && i < TEXTS; i++)
        if (vm->texts->list[i].unit) gx_unit_drop(vm->texts->list[i].unit);
    gx_free(rt, vm->texts);
    vm->texts = NULL;
}

/* --- where a text runs ------------------------------------------------------------------------ */

/* A call's source, dicts and frame. */
typedef struct place {
    gx_unit *unit; /* owned, as what follows; NULL: none yet */
    mode mode;
    gx_value module, names;
    bool dict;              /* the caller has given a dict for globals */
} place;

static void leave(place *p) {
    gx_drop(gx_steal(&p->module));
    gx_drop(gx_steal(&p->names));
    if (p->unit) gx_unit_drop(p->unit);
    p->unit = NULL;
}

/* locals(): of a module's own frame its globals, of another one a dict of its own. */
bool gx_frame_locals(gx_rt *rt, const gx_frame *f, gx_value *out) {
    if (f->names.tag != GX_UNDEF) {
        *out = gx_keep(f->names);
        return true;
    }
    return f->top ? gx_globals_view(rt, f->globals, out) : gx_frame_names(f, out);
}

/* The variables of the comprehensions that a module's own frame is in the middle of; UNDEF: none.
 */
static bool comprehension_names(const gx_frame *f, gx_value *out) {
    for (int32_t i = 0; i < f->code->slots; i++)
        if (f->slots[i].tag != GX_UNDEF) return gx_frame_names(f, out);
    return true;
}

static bool no_frame(gx_rt *rt) {
    return gx_fail(rt, GX_RuntimeError, "dynamic.frame", "no code of a script is running");
}

/* A module whose names are a dict's. */
static bool module_of(gx_rt *rt, gx_borrowed dict, gx_value *out) {
    gx_value key, builtins, name;
    if (!gx_module_new(rt, "builtins", out)) return false;
    gx_as_module(*out)->dict = gx_keep(dict);
    bool ok = gx_str_c(rt, "__name__", &key);
    gx_try has = ok ? gx_dict_find(rt, dict, key, &name) : GX_TRY_ERROR;
    if (ok) gx_drop(key);
    if (has == GX_TRY_YES && name.tag == GX_STR)
        ok = (gx_as_module(*out)->name = gx_str_sym(rt, name)) != 0;
    if (has == GX_TRY_YES) gx_drop(name);
    ok = ok && has != GX_TRY_ERROR && gx_str_c(rt, "__builtins__", &key);
    if (ok) {
        has = gx_dict_find(rt, dict, key, &builtins);
        ok = has != GX_TRY_ERROR;
        bool made = has == GX_TRY_NO && gx_import(rt, "builtins", &builtins);
        if (has == GX_TRY_NO) ok = made && gx_dict_set(rt, dict, key, builtins);
        if (has == GX_TRY_YES || made) gx_drop(builtins);
        gx_drop(key);
    }
    if (!ok) gx_drop(gx_steal(out));
    return ok;
}

/* The module and the names from arguments 1 and 2. */
static bool choose(gx_call *c, place *p) {
    gx_rt *rt = c->rt;
    const gx_frame *f = rt->interp->frame;
    gx_borrowed globals = c->argv[1], locals = c->argv[2];
    if (!f) return no_frame(rt);
    if (gx_arg_some(c, 2) && !gx_type_of(locals)->get && locals.tag != GX_DICT &&
        !gx_is_object(locals))
        return gx_fail(rt, GX_TypeError, "dynamic.locals", "%s() locals must be a mapping, not %s",
                       c->fn->name, gx_type_name(locals));
    if (gx_arg_some(c, 1)) {
        gx_module *m = gx_globals_of(globals);
        if (!m && globals.tag != GX_DICT)
            return gx_fail(rt, GX_TypeError, "dynamic.globals",
                           "%s() globals must be a dict, not %s", c->fn->name,
                           gx_type_name(globals));
        p->dict = true;
        if (m) gx_obj_keep(&m->head.obj);
        if (m) p->module = gx_object(&m->head.obj);
        else if (!module_of(rt, globals, &p->module)) return false;
    } else {
        gx_obj_keep(&f->globals->head.obj);
        p->module = gx_object(&f->globals->head.obj);
    }
    if (gx_arg_some(c, 2)) {
        bool same = locals.obj == globals.obj && p->dict;
        p->names = same ? gx_undef() : gx_keep(locals);
    } else if (!p->dict && f->top && f->names.tag == GX_UNDEF) {
        return p->mode != EXPRESSION || comprehension_names(f, &p->names);
    } else if (!p->dict) {
        return gx_frame_locals(rt, f, &p->names);
    }
    return true;
}

/* The unit from argument 0. */
static bool source(gx_call *c, mode how, place *p) {
    gx_borrowed v = c->argv[0];
    if (v.tag == GX_OBJECT && v.obj->type == &code_type) {
        gx_unit_keep(p->unit = ((code *)v.obj)->unit);
        p->mode = ((code *)v.obj)->mode;
        return true;
    }
    if (v.tag != GX_STR && v.tag != GX_BYTES)
        return gx_fail(c->rt, GX_TypeError, "dynamic.source",
                       "%s() arg 1 must be a string, bytes or code object", c->fn->name);
    p->mode = how;
    return load(c->rt, "<string>", gx_as_str(v)->text, gx_as_str(v)->length, how, &p->unit);
}

static bool run_text(gx_rt *rt, const place *p, gx_value *out) {
    gx_frame f;
    const gx_node *body = p->unit->main->body;
    const gx_span caller = rt->here;
    *out = gx_none();
    if (rt->depth >= rt->max_depth || !gx_stack_ok(rt))
        return gx_fail(rt, GX_RecursionError, "stack.depth", "maximum recursion depth exceeded");
    if (gx_must_stop(rt)) return gx_stop(rt);
    if (!gx_frame_begin(rt, p->unit, gx_as_module(p->module), &f)) return false;
    f.names = p->names;
    f.echo = p->mode == SINGLE;
    rt->depth++;
    bool ok = p->mode == EXPRESSION ? gx_eval(&f, body->list[0]->a, out)
                                    : gx_exec(&f, body) != GX_FLOW_ERROR;
    rt->depth--;
    gx_frame_end(&f);
    if (ok) rt->here = caller;
    else gx_trace_add(rt, p->unit->main, &caller);
    return ok;
}

static bool run_call(gx_call *c, mode how, gx_value *out) {
    place p = {.module = gx_undef(), .names = gx_undef()};
    bool ok = source(c, how, &p) && choose(c, &p) && run_text(c->rt, &p, out);
    leave(&p);
    return ok;
}

/* --- the builtins ----------------------------------------------------------------------------- */

static bool do_eval(gx_call *c, gx_value *out) {
    return run_call(c, EXPRESSION, out);
}

static bool do_exec(gx_call *c, gx_value *out) {
    gx_value v;
    if (!run_call(c, STATEMENTS, &v)) return false;
    gx_drop(v);
    *out = gx_none();
    return true;
}

static bool do_compile(gx_call *c, gx_value *out) {
    static const char *const modes[] = {"eval", "exec", "single"};
    const char *name, *how;
    size_t length;
    mode m = EXPRESSION;
    gx_borrowed v = c->argv[0];
    gx_unit *unit;
    if (v.tag == GX_OBJECT && v.obj->type == &code_type) {
        *out = gx_keep(v);
        return true;
    }
    if (!gx_arg_str(c, 1, &name, &length) || !gx_arg_str(c, 2, &how, &length)) return false;
    while (m <= SINGLE && strcmp(modes[m], how) != 0) m++;
    if (m > SINGLE)
        return gx_fail(c->rt, GX_ValueError, "dynamic.mode",
                       "compile() mode must be 'exec', 'eval' or 'single'");
    if (v.tag != GX_STR && v.tag != GX_BYTES)
        return gx_fail(c->rt, GX_TypeError, "dynamic.source",
                       "compile() arg 1 must be a string or bytes");
    if (!load(c->rt, name, gx_as_str(v)->text, gx_as_str(v)->length, m, &unit)) return false;
    code *made = gx_obj_new(c->rt, &code_type, sizeof *made);
    if (!made) {
        gx_unit_drop(unit);
        return false;
    }
    made->unit = unit;
    made->mode = m;
    *out = gx_object(&made->obj);
    return true;
}

static bool do_globals(gx_call *c, gx_value *out) {
    const gx_frame *f = c->rt->interp->frame;
    return f ? gx_globals_view(c->rt, f->globals, out) : no_frame(c->rt);
}

static bool do_locals(gx_call *c, gx_value *out) {
    const gx_frame *f = c->rt->interp->frame;
    return f ? gx_frame_locals(c->rt, f, out) : no_frame(c->rt);
}

/* The first module of a dotted name, or the last one where names are wanted from it. */
static bool do_import(gx_call *c, gx_value *out) {
    const char *name;
    size_t length;
    bool names;
    gx_value whole;
    if (!gx_arg_str(c, 0, &name, &length) || !gx_truth(c->rt, c->argv[3], &names) ||
        !gx_import(c->rt, name, &whole))
        return false;
    const char *dot = strchr(name, '.');
    if (names || !dot) {
        *out = whole;
        return true;
    }
    gx_drop(whole);
    gx_buf first = gx_buf_new(c->rt);
    bool ok = gx_buf_add(&first, name, (size_t)(dot - name)) &&
              gx_import(c->rt, gx_buf_text(&first), out);
    gx_buf_free(&first);
    return ok;
}

static bool do_exception(gx_call *c, gx_value *out) {
    const gx_handled *h = c->rt->interp->handled;
    *out = h ? gx_keep(h->exception) : gx_none();
    return true;
}

/* --- frames ----------------------------------------------------------------------------------- */
/* sys._getframe: what a script sees of the calls that run. While its frame runs, a frame object
   tells where it is and what its names hold now; afterwards, what they were when it was asked for.

   Invariant: it owns all that it shows; the frame is looked at only while it is found among those
   that run, with this object as its picture. */

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
    gx_value first = gx_undef(), next, *link = &first;
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
        *link = next;
        link = &as_frame(next)->back;
        at = f->caller;
    }
    *out = first;
    return true;
}

/* --- starting --------------------------------------------------------------------------------- */

void gx_dynamic_start(gx_rt *rt) {
    static const gx_running running = {
        .eval = do_eval,
        .exec = do_exec,
        .compile = do_compile,
        .globals = do_globals,
        .locals = do_locals,
        .exception = do_exception,
        .frame = gx_frame_picture,
        .debug = gx_debugger_control,
        .import = do_import,
        .report = gx_report,
        .path = gx_import_path,
        .modules = gx_import_loaded,
    };
    gx_stdlib_set_running(rt, &running);
}
