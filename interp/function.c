/* Function objects: made by def and lambda, called through the value stack. A function keeps its
   module, its default values and the boxes of captured variables; its code belongs to the unit,
   which it keeps alive. */
#include "interp/interp_int.h"

#include <string.h>

#include "runtime/dict.h"
#include "runtime/list.h"
#include "runtime/str.h"
#include "stdlib/stdlib.h"

static void release_parts(gx_rt *rt, gx_func *fn) {
    for (int32_t i = 0; i < fn->fallback_count; i++) gx_drop(gx_steal(&fn->fallbacks[i]));
    for (int32_t i = 0; i < fn->box_count; i++) gx_obj_drop(&fn->boxes[i]->head.obj);
    fn->fallback_count = fn->box_count = 0;
    gx_free(rt, fn->fallbacks);
    gx_free(rt, fn->boxes);
    fn->fallbacks = NULL;
    fn->boxes = NULL;
    gx_drop(gx_steal(&fn->attrs));
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
    if (fn->globals) visit(&fn->globals->head.obj, ctx);
}

static void clear_func(gx_rt *rt, gx_obj *obj) {
    release_parts(rt, (gx_func *)obj);
}

static bool repr_func(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_function *code = gx_as_func(v)->code;
    return gx_buf_printf(out, "<function %s%s%s at %p>", code->owner ? code->owner : "",
                         code->owner ? "." : "", gx_sym_text(rt, code->name), (void *)v.obj);
}

/* What the script has set under a name; GX_TRY_NO: nothing. */
static gx_try find_own(gx_rt *rt, const gx_func *fn, const char *name, gx_value *out) {
    gx_value key;
    if (fn->attrs.tag != GX_DICT) return GX_TRY_NO;
    if (!gx_str_c(rt, name, &key)) return GX_TRY_ERROR;
    gx_try has = gx_dict_find(rt, fn->attrs, key, out);
    gx_drop(key);
    return has;
}

static gx_try attr_func(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    return find_own(rt, gx_as_func(v), gx_sym_text(rt, name), out);
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_try own = find_own(rt, gx_as_func(self), "__name__", out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    return gx_str_of_sym(rt, gx_as_func(self)->code->name, out);
}

static bool get_qualname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_function *code = gx_as_func(self)->code;
    gx_try own = find_own(rt, gx_as_func(self), "__qualname__", out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    if (!code->owner) return get_name(rt, self, out);
    return gx_str_printf(rt, out, "%s.%s", code->owner, gx_sym_text(rt, code->name));
}

static bool get_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_func *fn = gx_as_func(self);
    gx_try own = find_own(rt, fn, "__doc__", out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    if (fn->code->doc) return gx_str_c(rt, fn->code->doc, out);
    *out = gx_none();
    return true;
}

static bool get_module(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_of_sym(rt, gx_as_func(self)->globals->name, out);
}

static bool get_defaults(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_func *fn = gx_as_func(self);
    int32_t first = 0;
    while (first < fn->fallback_count && fn->fallbacks[first].tag == GX_UNDEF) first++;
    if (first < fn->fallback_count)
        return gx_tuple_new(rt, fn->fallback_count - first, fn->fallbacks + first, out);
    *out = gx_none();
    return true;
}

/* One name of an annotation, from the module or the builtins. */
static gx_try find_name(gx_rt *rt, gx_module *globals, gx_sym name, gx_value *out) {
    gx_try has = gx_module_get(rt, globals, name, out);
    return has == GX_TRY_NO ? gx_builtin(rt, name, out) : has;
}

bool gx_annotation_value(gx_rt *rt, gx_module *globals, const char *text, gx_value *out) {
    size_t n = strlen(text), at = 0;
    gx_value v = gx_undef();
    if (n > 1 && (text[0] == '"' || text[0] == '\'') && text[n - 1] == text[0])
        return gx_str_new(rt, text + 1, n - 2, out);
    if (strcmp(text, "None") == 0) {
        *out = gx_none();
        return true;
    }
    while (at < n) {
        size_t end = at + strcspn(text + at, ".");
        gx_sym name = gx_sym_find(rt, text + at, end - at);
        gx_value next;
        gx_try has = !name             ? GX_TRY_NO
                     : v.tag == GX_UNDEF ? find_name(rt, globals, name, &next)
                                         : gx_try_attr(rt, v, name, &next);
        gx_drop(v);
        if (has == GX_TRY_ERROR) return false;
        if (has == GX_TRY_NO) return gx_str_c(rt, text, out);
        v = next;
        at = end + 1;
    }
    *out = v;
    return true;
}

/* {"x": int, "return": float}: what stands behind ':' and '->'. */
static bool get_annotations(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_function *code = gx_as_func(self)->code;
    gx_value dict, text;
    gx_try own = find_own(rt, gx_as_func(self), "__annotations__", out);
    if (own != GX_TRY_NO) return own == GX_TRY_YES;
    if (!gx_dict_new(rt, &dict)) return false;
    bool ok = true;
    for (int32_t i = 0; ok && i <= code->param_count; i++) {
        bool last = i == code->param_count;
        const char *note = last ? code->returns : code->params[i].annotation;
        if (!note) continue;
        ok = gx_annotation_value(rt, gx_as_func(self)->globals, note, &text);
        if (!ok) break;
        ok = gx_dict_set_c(rt, dict, last ? "return" : gx_sym_text(rt, code->params[i].name), text);
        gx_drop(text);
    }
    if (ok)
        *out = dict;
    else
        gx_drop(dict);
    return ok;
}

/* The attributes that the script has set: f.__dict__. */
static bool get_dict(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_func *fn = gx_as_func(self);
    if (fn->attrs.tag != GX_DICT && !gx_dict_new(rt, &fn->attrs)) return false;
    *out = gx_keep(fn->attrs);
    return true;
}

static gx_try set_attr_func(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value);

static bool set_named(gx_rt *rt, gx_borrowed self, const char *name, gx_borrowed value) {
    gx_sym sym = gx_sym_c(rt, name);
    return sym && set_attr_func(rt, self, sym, value) == GX_TRY_YES;
}

static bool set_name(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_named(rt, self, "__name__", value);
}

static bool set_qualname(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_named(rt, self, "__qualname__", value);
}

static bool set_annotations(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_named(rt, self, "__annotations__", value);
}

static bool set_doc(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_named(rt, self, "__doc__", value);
}

static bool set_module(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    (void)rt;
    (void)self;
    (void)value;
    return true;
}

static const gx_member members[] = {
    {"__name__", get_name, set_name, "The name it was defined under."},
    {"__qualname__", get_qualname, set_qualname, "The name it was defined under."},
    {"__annotations__", get_annotations, set_annotations,
     "Its annotations; texts, unless they are bound names."},
    {"__dict__", get_dict, NULL, "The attributes set on it."},
    {"__module__", get_module, set_module, "The module it was defined in."},
    {"__doc__", get_doc, set_doc, "Its docstring."},
    {"__defaults__", get_defaults, NULL, "The default values of its parameters."},
    {0},
};

static gx_try set_attr_func(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    gx_func *fn = gx_as_func(v);
    gx_value key;
    if (fn->attrs.tag != GX_DICT) {
        if (value.tag == GX_UNDEF) return GX_TRY_NO;
        if (!gx_dict_new(rt, &fn->attrs)) return GX_TRY_ERROR;
    }
    if (!gx_str_of_sym(rt, name, &key)) return GX_TRY_ERROR;
    gx_try done;
    if (value.tag == GX_UNDEF)
        done = gx_dict_remove(rt, fn->attrs, key, NULL);
    else
        done = gx_dict_set(rt, fn->attrs, key, value) ? GX_TRY_YES : GX_TRY_ERROR;
    gx_drop(key);
    return done;
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
    .repr = repr_func,
    .members = members,
    .attr = attr_func,
    .set_attr = set_attr_func,
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
