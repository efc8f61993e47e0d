/* The debugger in the evaluator: which statements stop. Invariant: while it is attached, a
   statement of a script has gx_exec_traced as its executor, and in `constant`, which statements do
   not use, its own one, its line (aux) and whether a breakpoint is there (ns). */
#include "interp/eval/debug/debugger.h"

#include <stdlib.h>
#include <string.h>

#include "interp/eval/record.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

/* --- stopping --------------------------------------------------------------------------------- */

/* How many frames there are from f on, counted up to `most`. */
static int depth_of(const gx_frame *f, int most) {
    int n = 0;
    for (; f && n < most; f = f->outer) n++;
    return n;
}

/* Calls the debugger's function. False: it left the program, or failed. Where it does not tell how
   to go on, it has not stopped: a step that is being made goes on as before. */
static bool call_hook(gx_rt *rt, const char *why, gx_borrowed what) {
    gx_debugger *d = rt->interp->debugger;
    const int64_t steps = rt->steps;
    const gx_span here = rt->here, last = d->last;
    const gx_frame *frame = d->frame;
    const int depth = d->depth;
    gx_value reason, r, hook = gx_keep(d->hook);
    d->frame = rt->interp->frame;
    d->depth = depth_of(d->frame, INT32_MAX);
    d->last = here;
    d->stopped = false;
    d->busy = true;
    bool ok = gx_str_c(rt, why, &reason);
    if (ok) {
        const gx_value argv[2] = {reason, what};
        ok = gx_call_value(rt, hook, 2, argv, 0, NULL, &r);
        if (ok) gx_drop(r);
        gx_drop(reason);
    }
    gx_drop(hook);
    d->busy = false;
    if (!d->stopped) {
        d->frame = frame;
        d->depth = depth;
        d->last = last;
    }
    rt->here = here;
    rt->steps = steps;
    return ok;
}

/* Is the generator on its way down to the yield where it stood? */
static bool is_resumed(const gx_frame *f) {
    if (!f->yielder || !f->record) return false;
    for (const gx_record *r = f->record->inner; r; r = r->inner)
        if (r->phase || r->at || r->node || r->loop.over.tag != GX_UNDEF) return true;
    return false;
}

/* A part of the line in which it stopped, and behind it? */
static bool is_same_line(const gx_debugger *d, const gx_frame *f, const gx_node *n) {
    uint32_t line, column;
    if (f != d->frame || n->at.source != d->last.source || n->at.start <= d->last.start)
        return false;
    gx_source_place(f->rt, d->last, &line, &column);
    return line == n->constant.aux;
}

static bool is_step(const gx_debugger *d, const gx_frame *f, const gx_node *n) {
    if (d->how == GX_STEP_NEVER || is_same_line(d, f, n)) return false;
    if (d->how == GX_STEP_ANY) return true;
    const int depth = depth_of(f, d->depth + 1);
    if (d->how == GX_STEP_OVER) return depth <= d->depth;
    if (depth < d->depth) return true;
    return d->how == GX_STEP_UNTIL && depth == d->depth && n->constant.aux >= d->line;
}

static bool stop_before(gx_frame *f, const gx_node *n) {
    gx_debugger *d = f->vm->debugger;
    if (GX_UNLIKELY(d->loaded)) {
        d->loaded = false;
        if (!call_hook(f->rt, "loaded", gx_none())) return false;
    }
    if (GX_UNLIKELY(d->asked)) {
        d->asked = 0; /* before the text looks at what there is: what comes later asks again */
        if (!call_hook(f->rt, "asked", gx_none())) return false;
        if (d->stopped) return true;
    }
    const bool step = is_step(d, f, n);
    if (n->constant.ns) return call_hook(f->rt, "break", gx_bool(step));
    return !step || call_hook(f->rt, "step", gx_none());
}

/* --- errors ----------------------------------------------------------------------------------- */

static bool picture(gx_rt *rt, gx_value *out) {
    static const gx_native row = {.name = "_getframe", .sig = "_getframe(depth)"};
    const gx_value zero = gx_int(0);
    gx_call c = {.rt = rt, .fn = &row, .argc = 1, .argv = &zero};
    return gx_stdlib_running(rt)->frame(&c, out);
}

static void forget_failure(gx_debugger *d) {
    gx_drop(gx_steal(&d->failed));
    gx_drop(gx_steal(&d->exception));
}

/* A statement has failed: the frames as they are now, where the error is a new one. */
static bool note_failure(gx_frame *f) {
    gx_rt *rt = f->rt;
    gx_debugger *d = f->vm->debugger;
    gx_value exc, frames;
    const gx_error_kind kind = rt->error.kind;
    if (kind == GX_MemoryError || kind == GX_StopIteration || kind == GX_GeneratorExit) return true;
    if (kind == GX_SystemExit) { /* exit() is no error to look at */
        forget_failure(d);
        return true;
    }
    if (rt->error.exception.tag == GX_EXCEPTION && d->exception.tag == GX_EXCEPTION &&
        rt->error.exception.obj == d->exception.obj)
        return true;
    if (!gx_exception_from_error(rt, &exc)) return true;
    forget_failure(d);
    if (picture(rt, &frames)) d->failed = frames;
    else gx_error_clear(rt);
    d->exception = gx_keep(exc);
    bool ok = !d->raised || call_hook(rt, "error", exc);
    if (ok) gx_exception_raise(rt, exc);
    gx_drop(exc);
    return ok;
}

/* --- the executor ----------------------------------------------------------------------------- */

static gx_exec_fn own_of(const gx_node *n) {
    return (gx_exec_fn)(uintptr_t)n->constant.u;
}

static int stop_after(gx_frame *f, const gx_node *n, int flow) {
    gx_rt *rt = f->rt;
    gx_debugger *d = f->vm->debugger;
    if (flow == GX_FLOW_ERROR) {
        gx_locate(f, n);
        if (d->keeps || d->raised) (void)note_failure(f);
        return flow;
    }
    rt->here = n->at;
    if (d->watched.count && !gx_watch_look(rt, d, call_hook)) return GX_FLOW_ERROR;
    if (flow == GX_FLOW_RETURN && d->how == GX_STEP_OUT && n->kind == GX_NODE_RETURN &&
        depth_of(f, d->depth + 1) == d->depth) {
        const gx_value result = gx_keep(f->result);
        bool ok = call_hook(rt, "return", result);
        gx_drop(result);
        if (!ok) return GX_FLOW_ERROR;
    }
    return flow;
}

static int exec_traced(gx_frame *f, const gx_node *n) {
    gx_debugger *d = f->vm->debugger;
    const gx_exec_fn own = own_of(n);
    if (d->busy) return own(f, n);
    if (d->failed.tag != GX_UNDEF && !f->vm->handled) forget_failure(d);
    if (!is_resumed(f) && !stop_before(f, n)) return GX_FLOW_ERROR;
    const int flow = own(f, n);
    return d->attached && !d->busy ? stop_after(f, n, flow) : flow;
}

/* What does something, and is no part of another statement. */
static bool is_statement(const gx_node *n) {
    if (n->kind == GX_NODE_PASS && n->op) return false; /* global, nonlocal, x: int */
    switch ((gx_kind)n->kind) {
#define STMT(name, fn, doc) case GX_NODE_##name: return n->kind != GX_NODE_BLOCK;
#define EXPR(name, fn, doc) case GX_NODE_##name: return false;
#define PART(name, doc) case GX_NODE_##name: return false;
#include "parser/ast.def"
    case GX_NODE_KINDS: break;
    }
    return false;
}

static bool trace_node(gx_rt *rt, gx_node *n) {
    uint32_t line, column;
    if (!is_statement(n) || n->exec == exec_traced) return true;
    gx_source_place(rt, n->at, &line, &column);
    n->constant = (gx_value){.tag = GX_UNDEF, .aux = line, .u = (uintptr_t)n->exec};
    n->exec = exec_traced;
    return true;
}

static bool untrace_node(gx_rt *rt, gx_node *n) {
    (void)rt;
    if (!is_statement(n) || n->exec != exec_traced) return true;
    n->exec = own_of(n);
    n->constant = gx_undef();
    return true;
}

/* Calls visit for all statements of scripts. Cannot fail: linking has walked the same trees. */
static void visit(gx_rt *rt, gx_unit *unit, gx_node_fn fn) {
    const gx_source *s = gx_source_get(rt, unit->source);
    if (s && s->library) return;
    if (!gx_unit_visit(rt, unit->main, fn, NULL)) gx_error_clear(rt);
}

/* --- breakpoints ------------------------------------------------------------------------------ */

static bool look_for_line(gx_rt *rt, gx_node *n) {
    gx_line_search *s = &rt->interp->debugger->search;
    if (!is_statement(n) || n->exec != exec_traced || n->constant.aux < s->line) return true;
    if (!s->best || n->at.start < s->best->at.start) s->best = n;
    return true;
}

static bool clear_mark(gx_rt *rt, gx_node *n) {
    (void)rt;
    if (is_statement(n) && n->exec == exec_traced) n->constant.ns = 0;
    return true;
}

static bool is_file(const gx_source *s, const char *path) {
    char *own = s->name[0] == '<' ? NULL : realpath(s->name, NULL);
    bool same = strcmp(own ? own : s->name, path) == 0;
    free(own);
    return same;
}

static void mark_breaks(gx_rt *rt, gx_unit *unit) {
    gx_debugger *d = rt->interp->debugger;
    const gx_source *s = gx_source_get(rt, unit->source);
    if (!s || s->library) return;
    for (size_t i = 0; i < d->breaks.count; i++) {
        gx_break_line *b = &d->breaks.items[i];
        if (!is_file(s, b->path)) continue;
        d->search = (gx_line_search){.line = b->line};
        visit(rt, unit, look_for_line);
        if (!d->search.best) continue;
        d->search.best->constant.ns = 1;
        b->found = d->search.best->constant.aux;
    }
}

static void link_unit(gx_rt *rt, gx_unit *unit) {
    if (!rt->interp->debugger->attached) return;
    visit(rt, unit, trace_node);
    mark_breaks(rt, unit);
    rt->interp->debugger->loaded = true;
}

/* --- control ---------------------------------------------------------------------------------- */

static void let_go(gx_rt *rt) {
    gx_debugger *d = rt->interp->debugger;
    if (!d || !d->attached) return;
    for (gx_unit *u = rt->interp->units; u; u = u->next) visit(rt, u, untrace_node);
    d->attached = false;
    d->how = GX_STEP_NEVER;
}

static void free_debugger(gx_rt *rt) {
    gx_debugger *d = rt->interp->debugger;
    if (!d) return;
    let_go(rt);
    for (size_t i = 0; i < d->watched.count; i++) gx_watch_drop(rt, d, i);
    gx_vec_free(rt, &d->watched);
    for (size_t i = 0; i < d->breaks.count; i++) gx_free(rt, d->breaks.items[i].path);
    gx_vec_free(rt, &d->breaks);
    forget_failure(d);
    gx_drop(gx_steal(&d->hook));
    rt->interp->debugger = NULL;
    gx_free(rt, d);
}

static bool attach(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_interp *vm = rt->interp;
    gx_debugger *d = vm->debugger;
    if (!d) {
        if (!(d = gx_alloc_zero(rt, sizeof *d))) return false;
        d->link = link_unit;
        d->free = free_debugger;
        vm->debugger = d;
    }
    *out = gx_bool(d->attached);
    gx_drop(d->hook);
    d->hook = gx_keep(c->argv[1]);
    d->how = GX_STEP_NEVER;
    if (!gx_truth(rt, c->argv[2], &d->keeps)) return false;
    if (d->attached) return true;
    d->attached = true;
    for (gx_unit *u = vm->units; u; u = u->next) link_unit(rt, u);
    return true;
}

static bool detach(gx_call *c, gx_value *out) {
    let_go(c->rt);
    *out = gx_none();
    return true;
}

/* go(how, line). */
static bool go(gx_call *c, gx_value *out) {
    static const char *const words[] = {"run", "step", "next", "until", "return"};
    gx_debugger *d = c->rt->interp->debugger;
    const char *how;
    size_t length;
    int64_t line = 0;
    if (!gx_arg_str(c, 1, &how, &length) || (gx_arg_some(c, 2) && !gx_arg_int(c, 2, &line)))
        return false;
    for (int i = 0; i <= GX_STEP_OUT; i++)
        if (strcmp(words[i], how) == 0) d->how = (uint8_t)i;
    d->line = (uint32_t)line;
    d->stopped = true;
    *out = gx_none();
    return true;
}

/* found(): the lines at which the breakpoints stop, in order; None: not loaded yet. */
static bool found_lines(gx_call *c, gx_value *out) {
    const gx_debugger *d = c->rt->interp->debugger;
    if (!gx_list_new(c->rt, 0, NULL, out)) return false;
    for (size_t i = 0; i < d->breaks.count; i++) {
        const uint32_t at = d->breaks.items[i].found;
        if (gx_list_push_take(c->rt, *out, at ? gx_int(at) : gx_none())) continue;
        gx_drop(gx_steal(out));
        return false;
    }
    return true;
}

/* breaks([(path, line), …]): all there are from now on; the lines at which they stop, or None. */
static bool set_breaks(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_debugger *d = rt->interp->debugger;
    const gx_value *items, *pair;
    const int64_t n = gx_sequence_items(c->argv[1], &items);
    for (size_t i = 0; i < d->breaks.count; i++) gx_free(rt, d->breaks.items[i].path);
    d->breaks.count = 0;
    for (gx_unit *u = rt->interp->units; u; u = u->next) visit(rt, u, clear_mark);
    for (int64_t i = 0; i < n; i++) {
        if (gx_sequence_items(items[i], &pair) != 2 || pair[0].tag != GX_STR ||
            pair[1].tag != GX_INT)
            return gx_arg_wrong(c, 1, "pairs of a path and a line");
        const gx_str *name = gx_as_str(pair[0]);
        char *path = gx_alloc(rt, name->length + 1);
        if (!path) return false;
        memcpy(path, name->text, name->length + 1);
        const gx_break_line b = {.path = path, .line = (uint32_t)pair[1].i};
        if (gx_vec_push(rt, &d->breaks, b)) continue;
        gx_free(rt, path);
        return false;
    }
    for (gx_unit *u = rt->interp->units; u; u = u->next) mark_breaks(rt, u);
    return found_lines(c, out);
}

/* The frame with a number, counted from the one that it stopped in. */
static gx_frame *frame_at(gx_call *c, int i) {
    const gx_debugger *d = c->rt->interp->debugger;
    int64_t at;
    gx_frame *f = c->rt->interp->frame;
    if (!gx_arg_int(c, i, &at)) return NULL;
    while (f && f != d->frame) f = f->outer;
    for (; f && at > 0; at--) f = f->outer;
    if (!f) gx_fail(c->rt, GX_RuntimeError, "dynamic.frame", "the frame has ended");
    return f;
}

/* frames(): of each, from the one that it stopped in: is it of the script? */
static bool frames(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    const gx_debugger *d = rt->interp->debugger;
    const gx_frame *f = rt->interp->frame;
    while (f && f != d->frame) f = f->outer;
    if (!gx_list_new(rt, 0, NULL, out)) return false;
    for (; f; f = f->outer) {
        const gx_source *s = gx_source_of(rt, f->code->at);
        if (gx_list_push_take(rt, *out, gx_bool(!s || !s->library))) continue;
        gx_drop(gx_steal(out));
        return false;
    }
    return true;
}

/* A name gets what the dict says of it. */
static bool store(gx_rt *rt, gx_borrowed names, gx_sym name, gx_value *place) {
    gx_value key, v;
    if (!name || gx_sym_text(rt, name)[0] == '.') return true;
    if (!gx_str_of_sym(rt, name, &key)) return false;
    gx_try has = gx_dict_find(rt, names, key, &v);
    gx_drop(key);
    if (has != GX_TRY_YES) return has == GX_TRY_NO;
    const gx_value old = *place;
    *place = v;
    gx_drop(old);
    return true;
}

/* store(frame, names): the names of a function's frame as a dict has them. */
static bool store_names(gx_call *c, gx_value *out) {
    gx_frame *f = frame_at(c, 1);
    if (!f) return false;
    if (c->argv[2].tag != GX_DICT) return gx_arg_wrong(c, 2, "a dict");
    *out = gx_none();
    if (f->top) return true;
    bool ok = true;
    for (int32_t i = 0; ok && i < f->code->slots; i++) {
        gx_value *slot = &f->slots[i];
        if (slot->tag == GX_BOX) slot = &((gx_box *)slot->obj)->value;
        ok = store(c->rt, c->argv[2], f->code->slot_names[i], slot);
    }
    for (int32_t i = 0; ok && i < f->code->capture_count; i++)
        ok = store(c->rt, c->argv[2], f->code->captures[i].name, &f->boxes[i]->value);
    return ok;
}

/* watch(frame, name, value): its number. */
static bool watch(gx_call *c, gx_value *out) {
    gx_frame *f = gx_arg_some(c, 1) ? frame_at(c, 1) : NULL;
    gx_sym name = 0;
    if (gx_arg_some(c, 1) && !f) return false;
    if (gx_arg_some(c, 2) && !(name = gx_str_sym(c->rt, c->argv[2]))) return false;
    return gx_watch_add(c->rt, c->rt->interp->debugger, f, name, c->argv[3], out);
}

static bool unwatch(gx_call *c, gx_value *out) {
    int64_t i;
    gx_debugger *d = c->rt->interp->debugger;
    if (!gx_arg_int(c, 1, &i)) return false;
    if (i >= 0 && (size_t)i < d->watched.count) gx_watch_drop(c->rt, d, (size_t)i);
    *out = gx_none();
    return true;
}

/* path(name): of a source, as breakpoints name it. */
static bool real_path(gx_call *c, gx_value *out) {
    const char *name;
    size_t length;
    if (!gx_arg_str(c, 1, &name, &length)) return false;
    char *real = name[0] == '<' ? NULL : realpath(name, NULL);
    bool ok = gx_str_c(c->rt, real ? real : name, out);
    free(real);
    return ok;
}

/* text(frame): of its source. */
static bool source_text(gx_call *c, gx_value *out) {
    const gx_frame *f = frame_at(c, 1);
    const gx_source *s = f ? gx_source_of(c->rt, f->code->at) : NULL;
    *out = gx_none();
    return f && (!s || gx_str_new(c->rt, s->text, s->length, out));
}

/* A function's file and the line of its first statement. */
static bool body_of(gx_rt *rt, const gx_function *code, gx_value *out) {
    const gx_node *n = code->body;
    uint32_t line, column;
    if (n->kind == GX_NODE_BLOCK && n->n) n = n->list[code->doc && n->n > 1];
    const gx_source *s = gx_source_of(rt, n->at);
    gx_source_place(rt, n->at, &line, &column);
    gx_value pair[2] = {gx_undef(), gx_int(line)};
    if (!gx_str_c(rt, s ? s->name : "", &pair[0])) return false;
    bool ok = gx_tuple_new(rt, 2, pair, out);
    gx_drop(pair[0]);
    return ok;
}

/* body(function): its file and the line of its first statement. */
static bool body(gx_call *c, gx_value *out) {
    if (c->argv[1].tag != GX_FUNC) return gx_arg_wrong(c, 1, "a function of the script");
    return body_of(c->rt, gx_as_func(c->argv[1])->code, out);
}

static bool look_for_function(gx_rt *rt, gx_node *n) {
    gx_line_search *s = &rt->interp->debugger->search;
    gx_value place;
    if (n->kind != GX_NODE_DEF || strcmp(n->function->qualname, s->name) != 0) return true;
    return body_of(rt, n->function, &place) && gx_list_push_take(rt, s->places, place);
}

/* functions(name): the bodies of those of scripts that are called so, a class's with its name. */
static bool functions(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_line_search s = {0};
    size_t length;
    if (!gx_arg_str(c, 1, &s.name, &length) || !gx_list_new(rt, 0, NULL, &s.places)) return false;
    rt->interp->debugger->search = s;
    for (gx_unit *u = rt->interp->units; u; u = u->next) visit(rt, u, look_for_function);
    *out = s.places;
    return true;
}

/* failure(): the frame object of where the last error arose, or None. */
static bool failure(gx_call *c, gx_value *out) {
    const gx_debugger *d = c->rt->interp->debugger;
    *out = d && d->failed.tag != GX_UNDEF ? gx_keep(d->failed) : gx_none();
    return true;
}

/* exception(): the last error, or None. */
static bool exception(gx_call *c, gx_value *out) {
    const gx_debugger *d = c->rt->interp->debugger;
    *out = d->exception.tag != GX_UNDEF ? gx_keep(d->exception) : gx_none();
    return true;
}

/* raised(yes): stop where errors are raised. */
static bool stop_raised(gx_call *c, gx_value *out) {
    *out = gx_none();
    return gx_truth(c->rt, c->argv[1], &c->rt->interp->debugger->raised);
}

/* stop(why): the debugger's function is called now, for the statement that runs. */
static bool stop_now(gx_call *c, gx_value *out) {
    const char *why;
    size_t length;
    const gx_debugger *d = c->rt->interp->debugger;
    *out = gx_none();
    return gx_arg_str(c, 1, &why, &length) && (d->busy || call_hook(c->rt, why, gx_none()));
}

/* The module gxdebug. */
static bool debugger_text(gx_rt *rt, gx_value *out) {
    static const gx_native row = {.name = "__import__", .sig = "__import__(name)"};
    gx_value argv[5] = {gx_undef(), gx_none(), gx_none(), gx_none(), gx_int(0)};
    if (!gx_str_c(rt, "gxdebug", &argv[0])) return false;
    gx_call c = {.rt = rt, .fn = &row, .argc = 5, .argv = argv};
    bool ok = gx_stdlib_running(rt)->import(&c, out);
    gx_drop(argv[0]);
    return ok;
}

/* breakpoint(). */
static bool stop_here(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    const char *wanted = getenv("GX_BREAKPOINT");
    gx_debugger *d = rt->interp->debugger;
    gx_value module, fn, r;
    *out = gx_none();
    if ((wanted && strcmp(wanted, "0") == 0) || (d && d->busy)) return true;
    if (!d || !d->attached) {
        gx_sym name = gx_sym_c(rt, "begin");
        if (!name || !debugger_text(rt, &module)) return false;
        bool ok = gx_get_attr(rt, module, name, &fn);
        gx_drop(module);
        if (!ok) return false;
        ok = gx_call_value(rt, fn, 0, NULL, 0, NULL, &r);
        gx_drop(fn);
        if (!ok) return false;
        gx_drop(r);
    }
    return call_hook(rt, "breakpoint", gx_none());
}

bool gx_debugger_control(gx_call *c, gx_value *out) {
    static const struct {
        const char *name;
        bool (*fn)(gx_call *c, gx_value *out);
    } all[] = {
        {"breakpoint", stop_here}, {"attach", attach}, {"failure", failure}, {"detach", detach},
        {"go", go}, {"breaks", set_breaks}, {"frames", frames}, {"store", store_names},
        {"watch", watch}, {"unwatch", unwatch}, {"body", body}, {"raised", stop_raised},
        {"found", found_lines}, {"path", real_path}, {"text", source_text},
        {"stop", stop_now}, {"functions", functions}, {"exception", exception},
    };
    const char *what;
    size_t length;
    if (!gx_arg_str(c, 0, &what, &length)) return false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, what) != 0) continue;
        if (i > 3 && !c->rt->interp->debugger)
            return gx_fail(c->rt, GX_RuntimeError, "debug.none", "no debugger is attached");
        return all[i].fn(c, out);
    }
    return gx_arg_wrong(c, 0, "what the debugger knows");
}
