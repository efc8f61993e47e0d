/* Function objects: made by def and lambda, called through the value stack. A function keeps its
   module, its default values and the boxes of captured variables; its code belongs to the unit,
   which it keeps alive. */
#include "interp/eval/evaluator.h"

#include <string.h>


static void release_parts(gx_rt *rt, gx_func *fn) {
    for (int32_t i = 0; i < fn->fallback_count; i++) gx_drop(gx_steal(&fn->fallbacks[i]));
    for (int32_t i = 0; i < fn->box_count; i++) gx_obj_drop(&fn->boxes[i]->head.obj);
    fn->fallback_count = fn->box_count = 0;
    gx_free(rt, fn->fallbacks);
    gx_free(rt, fn->boxes);
    fn->fallbacks = NULL;
    fn->boxes = NULL;
    gx_drop(gx_steal(&fn->attrs));
    for (int i = 0; fn->own && i < GX_FUNC_OWN; i++) gx_drop(gx_steal(&fn->own[i]));
    gx_free(rt, fn->own);
    fn->own = NULL;
    gx_module *globals = fn->globals;
    fn->globals = NULL;
    if (globals) gx_obj_drop(&globals->head.obj);
}

static void free_func(gx_rt *rt, gx_obj *obj) {
    gx_func *fn = (gx_func *)obj;
    gx_container_untrack(rt, &fn->head);
    release_parts(rt, fn);
    if (fn->code) gx_unit_drop(fn->code->unit);
    gx_free(rt, fn);
}

static void traverse_func(gx_obj *obj, gx_visit visit, void *ctx) {
    gx_func *fn = (gx_func *)obj;
    for (int32_t i = 0; i < fn->fallback_count; i++)
        if (gx_is_object(fn->fallbacks[i])) visit(fn->fallbacks[i].obj, ctx);
    for (int32_t i = 0; i < fn->box_count; i++) visit(&fn->boxes[i]->head.obj, ctx);
    if (gx_is_object(fn->attrs)) visit(fn->attrs.obj, ctx);
    for (int i = 0; fn->own && i < GX_FUNC_OWN; i++)
        if (gx_is_object(fn->own[i])) visit(fn->own[i].obj, ctx);
    if (fn->globals) visit(&fn->globals->head.obj, ctx);
}

static void clear_func(gx_rt *rt, gx_obj *obj) {
    release_parts(rt, (gx_func *)obj);
}

static bool call_func(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                      const gx_sym *kw, gx_value *out) {
    return gx_func_call(rt, gx_as_func(self), argc, argv, kwc, kw, NULL, out);
}

const gx_type gx_type_function = {
    .name = "function",
    .tag = GX_FUNC,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "A function of the script.",
    .free = free_func,
    .traverse = traverse_func,
    .clear = clear_func,
    .repr = gx_func_repr,
    .members = gx_func_members,
    .methods = gx_func_methods,
    .attr = gx_func_attr,
    .set_attr = gx_func_set_attr,
    .call = call_func,
};

bool gx_capture_boxes(gx_frame *f, const gx_function *code, gx_box ***out) {
    *out = NULL;
    if (!code->capture_count) return true;
    gx_box **boxes = gx_alloc(f->rt, (size_t)code->capture_count * sizeof *boxes);
    if (!boxes) return false;
    for (int32_t i = 0; i < code->capture_count; i++) {
        const gx_capture *c = &code->captures[i];
        boxes[i] = c->from_free ? f->boxes[c->slot] : (gx_box *)f->slots[c->slot].obj;
        gx_obj_keep(&boxes[i]->head.obj);
    }
    *out = boxes;
    return true;
}

/* Default values are evaluated once, where the function is made. */
static bool eval_fallbacks(gx_frame *f, gx_func *fn) {
    const gx_function *code = fn->code;
    bool any = false;
    for (int32_t i = 0; i < code->param_count; i++) any = any || code->params[i].fallback;
    if (!any) return true;
    fn->fallbacks = gx_alloc_zero(f->rt, (size_t)code->param_count * sizeof *fn->fallbacks);
    if (!fn->fallbacks) return false;
    fn->fallback_count = code->param_count;
    for (int32_t i = 0; i < code->param_count; i++)
        if (code->params[i].fallback && !gx_eval(f, code->params[i].fallback, &fn->fallbacks[i]))
            return false;
    return true;
}

static int32_t count_simple(const gx_function *code) {
    if (code->is_generator) return -1;
    for (int32_t i = 0; i < code->param_count; i++)
        if (code->params[i].kind != GX_PARAM_PLAIN || code->params[i].boxed) return -1;
    return code->param_count;
}

bool gx_func_new(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_func *fn = gx_obj_new(f->rt, &gx_type_function, sizeof *fn);
    if (!fn) return false;
    fn->code = n->function;
    gx_unit_keep(fn->code->unit);
    fn->globals = f->globals;
    gx_obj_keep(&fn->globals->head.obj);
    fn->simple = count_simple(fn->code);
    bool ok = eval_fallbacks(f, fn) && gx_capture_boxes(f, fn->code, &fn->boxes);
    if (!ok) {
        gx_obj_drop(&fn->head.obj);
        return false;
    }
    fn->box_count = fn->code->capture_count;
    gx_container_track(f->rt, &fn->head);
    *out = gx_object(&fn->head.obj);
    return true;
}

bool gx_eval_lambda(gx_frame *f, const gx_node *n, gx_value *out) {
    return gx_func_new(f, n, out) || gx_locate(f, n);
}
