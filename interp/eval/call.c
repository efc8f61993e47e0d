/* Running functions of the script on the value stack. A frame's slots are contiguous: the arguments
   stand where the parameters are, so a plain call copies nothing and allocates nothing. Invariant:
   vm->top is the first free slot whenever anything is evaluated. */
#include "interp/eval/evaluator.h"

#include <stdio.h>

bool gx_stack_full(gx_rt *rt) {
    return gx_fail(rt, GX_RecursionError, "stack.values",
                   "maximum recursion depth exceeded: the value stack is used up");
}

/* "forward(a, b)" as an interned name; without memory just "forward". */
static gx_sym title(gx_rt *rt, const gx_function *code) {
    char text[128];
    if (code->title) return code->title;
    size_t used = (size_t)snprintf(text, sizeof text, "%.60s(", gx_sym_text(rt, code->name));
    for (int32_t i = 0; i < code->param_count && used < sizeof text; i++) {
        const gx_param *p = &code->params[i];
        const char *stars = p->kind == GX_PARAM_STAR       ? "*"
                            : p->kind == GX_PARAM_STARSTAR ? "**"
                                                           : "";
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s", i ? ", " : "", stars,
                                 gx_sym_text(rt, p->name));
    }
    if (used > sizeof text - 8)
        used = (size_t)snprintf(text, sizeof text, "%.60s(…", gx_sym_text(rt, code->name));
    snprintf(text + used, sizeof text - used, ")");
    gx_error saved;
    gx_error_save(rt, &saved);
    gx_sym sym = gx_sym_c(rt, text);
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (sym) ((gx_function *)(uintptr_t)code)->title = sym;
    return sym ? sym : code->name;
}

static void trace_push(gx_rt *rt, gx_trace line) {
    gx_error *e = &rt->error;
    /* When the trace is full its last line is the outermost call so far: the one worth keeping. */
    if (e->trace_count == GX_MAX_TRACE) {
        e->trace_lost++;
        e->trace_count--;
    }
    e->trace[e->trace_count++] = line;
}

__attribute__((noinline)) void gx_trace_add(gx_rt *rt, const gx_function *code,
                                            const gx_span *at) {
    trace_push(rt, (gx_trace){.function = title(rt, code), .at = *at});
}

void gx_trace_add_quiet(gx_rt *rt, gx_sym function, gx_span at) {
    trace_push(rt, (gx_trace){.function = function, .at = at, .quiet = true});
}

/* A failure leaves a function; `at` is the call in the script, `here` where C has called from. */
static __attribute__((noinline)) void trace_call(gx_rt *rt, const gx_function *code,
                                                 const gx_span *at, gx_span here) {
    if (at) gx_trace_add(rt, code, at);
    else gx_trace_add_quiet(rt, code->name, here);
}

/* Depth, C stack and interrupt, asked again at a call where one of them looked used up. */
static __attribute__((noinline)) bool may_enter(gx_rt *rt) {
    if (rt->interrupted || rt->steps < 0) return gx_stop(rt);
    if (!gx_stack_check(rt)) return false;
    return rt->depth < rt->max_depth ||
           gx_fail(rt, GX_RecursionError, "stack.depth", "maximum recursion depth exceeded");
}

/* Runs a body whose slots are complete. */
static inline __attribute__((always_inline)) bool run(gx_rt *rt, gx_interp *vm, gx_func *fn,
                                                      gx_value *slots, const gx_span *at,
                                                      gx_value *out) {
    const gx_function *code = fn->code;
    gx_frame f = {.slots = slots, .globals = fn->globals, .rt = rt, .vm = vm, .boxes = fn->boxes,
                  .code = code, .result = gx_none(), .outer = vm->frame, .caller = rt->here};
    const gx_node *body = code->body;
    bool ok;
    int32_t count = code->slots;
    vm->top = slots + count;
    vm->frame = &f;
    rt->depth++;
    bool block = body->kind == GX_NODE_BLOCK;
    if (block && body->n == 1 && body->list[0]->kind == GX_NODE_RETURN && body->list[0]->a &&
        !body->list[0]->constant.aux) { /* nor does the debugger look at it */
        body = body->list[0]; /* a lone `return`: as a lambda */
        rt->here = body->at;
        body = body->a;
        block = false;
    }
    if (block) {
        ok = gx_exec(&f, body) != GX_FLOW_ERROR;
    } else {
        ok = gx_eval(&f, body, &f.result);
        if (GX_UNLIKELY(!ok)) gx_locate(&f, code->body);
    }
    rt->depth--;
    vm->frame = f.outer;
    if (GX_LIKELY(ok)) rt->here = f.caller;
    for (int32_t i = 0; i < count; i++) gx_drop(slots[i]);
    vm->top = slots;
    if (GX_LIKELY(ok)) {
        *out = f.result;
        return true;
    }
    if (block) gx_drop(f.result);
    trace_call(rt, code, at, f.caller);
    return false;
}

static void drop_slots(gx_value *slots, int64_t count) {
    while (count > 0) gx_drop(slots[--count]);
}

/* Defaults for the parameters that got no argument; false when one has none. */
static bool fill_defaults(gx_func *fn, gx_value *slots, int argc) {
    if (!fn->fallbacks) return false;
    for (int i = argc; i < fn->simple; i++)
        if (fn->fallbacks[i].tag == GX_UNDEF) return false;
    for (int i = argc; i < fn->simple; i++) slots[i] = gx_keep(fn->fallbacks[i]);
    return true;
}

bool gx_run_simple(gx_rt *rt, gx_func *fn, gx_value *slots, int argc, const gx_span *at,
                   gx_value *out) {
    gx_interp *vm = rt->interp;
    const gx_function *code = fn->code;
    if (GX_UNLIKELY(!gx_stack_room(vm, rt, slots, code->slots))) goto failed;
    if (GX_UNLIKELY(rt->depth >= rt->max_depth || gx_must_stop(rt) || !gx_stack_ok(rt)) &&
        !may_enter(rt))
        goto failed;
    if (GX_UNLIKELY(rt->dying)) {
        vm->top = slots + argc; /* the arguments stay where they are meanwhile */
        gx_last_words(rt);
    }
    if (argc < fn->simple) {
        if (!fill_defaults(fn, slots, argc)) goto failed;
        argc = fn->simple;
    }
    for (int i = argc; i < code->slots; i++) slots[i] = gx_undef();
    if (code->boxed_count && !gx_bind_boxes(rt, code, slots)) {
        argc = code->slots;
        goto failed;
    }
    return run(rt, vm, fn, slots, at, out);
failed:
    drop_slots(slots, argc);
    vm->top = slots;
    return false;
}

bool gx_func_call(gx_rt *rt, gx_func *fn, int argc, const gx_borrowed *argv, int kwc,
                  const gx_sym *kw, const gx_span *at, gx_value *out) {
    gx_interp *vm = rt->interp;
    const gx_function *code = fn->code;
    gx_value *slots = vm->top, r;
    if (!gx_stack_room(vm, rt, slots, code->slots)) return false;
    if (kwc == 0 && (fn->simple == argc || (fn->simple > argc && fn->fallbacks &&
                                            fn->fallbacks[argc].tag != GX_UNDEF))) {
        gx_obj_keep(&fn->head.obj);
        for (int i = 0; i < argc; i++) slots[i] = gx_keep(argv[i]);
        bool done = gx_run_simple(rt, fn, slots, argc, at, &r);
        gx_obj_drop(&fn->head.obj);
        if (done) *out = r;
        return done;
    }
    if ((rt->depth >= rt->max_depth || gx_must_stop(rt) || !gx_stack_ok(rt)) && !may_enter(rt))
        return false;
    for (int i = 0; i < code->slots; i++) slots[i] = gx_undef();
    vm->top = slots + code->slots;
    if (!gx_bind(rt, fn, argc, argv, kwc, kw, slots) || !gx_bind_boxes(rt, code, slots)) {
        drop_slots(slots, code->slots);
        vm->top = slots;
        return false;
    }
    if (code->begin) {
        bool made = code->begin(rt, fn, slots, out);
        drop_slots(slots, code->slots);
        vm->top = slots;
        return made;
    }
    gx_obj_keep(&fn->head.obj);
    bool ok = run(rt, vm, fn, slots, at, &r);
    if (ok) *out = r;
    gx_obj_drop(&fn->head.obj);
    return ok;
}

bool gx_bind_boxes(gx_rt *rt, const gx_function *code, gx_value *slots) {
    for (int32_t i = 0; i < code->param_count; i++) {
        gx_value *slot = &slots[code->params[i].slot], box;
        if (!code->params[i].boxed) continue;
        if (!gx_box_new(rt, *slot, &box)) return false;
        gx_drop(*slot);
        *slot = box;
    }
    for (int32_t i = 0; i < code->boxed_count; i++)
        if (!gx_box_new(rt, gx_undef(), &slots[code->boxed[i]])) return false;
    return true;
}
