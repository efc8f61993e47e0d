/* Functions' attributes: what the code says, until a script sets them; and the attributes that a
   script adds, which are in __dict__. */
#include "interp/eval/evaluator.h"

#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

/* What the script has set in place of what the code says; UNDEF: nothing. */
static gx_value own(gx_borrowed self, int which) {
    const gx_func *fn = gx_as_func(self);
    return fn->own ? fn->own[which] : gx_undef();
}

static bool set_own(gx_rt *rt, gx_borrowed self, int which, gx_borrowed value) {
    gx_func *fn = gx_as_func(self);
    if (!fn->own && !(fn->own = gx_alloc_zero(rt, GX_FUNC_OWN * sizeof *fn->own))) return false;
    gx_value old = fn->own[which];
    fn->own[which] = gx_keep(value);
    gx_drop(old);
    return true;
}

static bool keep_own(gx_borrowed self, int which, gx_value *out) {
    gx_value v = own(self, which);
    if (v.tag == GX_UNDEF) return false;
    *out = gx_keep(v);
    return true;
}

bool gx_func_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_value name = own(v, GX_OWN_QUALNAME);
    (void)rt;
    return gx_buf_printf(out, "<function %s at %p>",
                         name.tag == GX_STR ? gx_as_str(name)->text : gx_as_func(v)->code->qualname,
                         (void *)v.obj);
}

/* --- names ------------------------------------------------------------------------------------ */

static bool set_text(gx_rt *rt, gx_borrowed self, int which, const char *name, gx_borrowed value) {
    if (value.tag == GX_STR) return set_own(rt, self, which, value);
    return gx_fail(rt, GX_TypeError, "attr.type", "%s must be set to a string object", name);
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return keep_own(self, GX_OWN_NAME, out) || gx_str_of_sym(rt, gx_as_func(self)->code->name, out);
}
static bool set_name(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_text(rt, self, GX_OWN_NAME, "__name__", value);
}

static bool get_qualname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return keep_own(self, GX_OWN_QUALNAME, out) ||
           gx_str_c(rt, gx_as_func(self)->code->qualname, out);
}
static bool set_qualname(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_text(rt, self, GX_OWN_QUALNAME, "__qualname__", value);
}

static bool get_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (keep_own(self, GX_OWN_DOC, out)) return true;
    const char *doc = gx_as_func(self)->code->doc;
    if (doc) return gx_str_c(rt, doc, out);
    *out = gx_none();
    return true;
}
static bool set_doc(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_own(rt, self, GX_OWN_DOC, value);
}

static bool get_module(gx_rt *rt, gx_borrowed self, gx_value *out) {
    if (keep_own(self, GX_OWN_MODULE, out)) return true;
    return gx_str_of_sym(rt, gx_as_func(self)->globals->name, out);
}
static bool set_module(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    return set_own(rt, self, GX_OWN_MODULE, value);
}

/* --- parameters ------------------------------------------------------------------------------- */

static bool is_positional(const gx_param *p) {
    return p->kind == GX_PARAM_PLAIN || p->kind == GX_PARAM_POSONLY;
}

static bool get_defaults(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_func *fn = gx_as_func(self);
    const gx_function *code = fn->code;
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int32_t i = 0; ok && i < fn->fallback_count; i++)
        if (is_positional(&code->params[i]) && fn->fallbacks[i].tag != GX_UNDEF)
            ok = gx_list_push(rt, list, fn->fallbacks[i]);
    if (ok && !gx_as_list(list)->count) *out = gx_none();
    else if (ok) ok = gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

/* Places for defaults, where the function was made without any. */
static bool make_fallbacks(gx_rt *rt, gx_func *fn) {
    int32_t n = fn->code->param_count;
    if (fn->fallbacks) return true;
    fn->fallbacks = gx_alloc_zero(rt, (size_t)(n ? n : 1) * sizeof *fn->fallbacks);
    if (fn->fallbacks) fn->fallback_count = n;
    return fn->fallbacks != NULL;
}

static void replace_value(gx_value *place, gx_borrowed value) {
    gx_value old = *place;
    *place = gx_keep(value);
    gx_drop(old);
}

static bool set_defaults(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    gx_func *fn = gx_as_func(self);
    const gx_function *code = fn->code;
    if (value.tag != GX_NONE && value.tag != GX_TUPLE)
        return gx_fail(rt, GX_TypeError, "attr.type", "__defaults__ must be set to a tuple object");
    if (!make_fallbacks(rt, fn)) return false;
    int64_t left = value.tag == GX_TUPLE ? gx_as_tuple(value)->count : 0;
    for (int32_t i = code->param_count; i-- > 0;) {
        if (!is_positional(&code->params[i])) continue;
        replace_value(&fn->fallbacks[i], left > 0 ? gx_as_tuple(value)->items[--left] : gx_undef());
    }
    return true;
}

static bool get_kwdefaults(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_func *fn = gx_as_func(self);
    gx_value dict = gx_none();
    for (int32_t i = 0; i < fn->fallback_count; i++) {
        const gx_param *p = &fn->code->params[i];
        if (p->kind != GX_PARAM_KWONLY || fn->fallbacks[i].tag == GX_UNDEF) continue;
        if ((dict.tag == GX_NONE && !gx_dict_new(rt, &dict)) ||
            !gx_dict_set_c(rt, dict, gx_sym_text(rt, p->name), fn->fallbacks[i])) {
            gx_drop(dict);
            return false;
        }
    }
    *out = dict;
    return true;
}

static bool set_kwdefaults(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    gx_func *fn = gx_as_func(self);
    if (value.tag != GX_NONE && value.tag != GX_DICT)
        return gx_fail(rt, GX_TypeError, "attr.type",
                       "__kwdefaults__ must be set to a dict object");
    if (!make_fallbacks(rt, fn)) return false;
    for (int32_t i = 0; i < fn->code->param_count; i++) {
        const gx_param *p = &fn->code->params[i];
        gx_value key, found = gx_undef();
        if (p->kind != GX_PARAM_KWONLY) continue;
        if (value.tag == GX_DICT) {
            if (!gx_str_of_sym(rt, p->name, &key)) return false;
            gx_try has = gx_dict_find(rt, value, key, &found);
            gx_drop(key);
            if (has == GX_TRY_ERROR) return false;
            if (has == GX_TRY_NO) found = gx_undef();
        }
        replace_value(&fn->fallbacks[i], found);
        gx_drop(found);
    }
    return true;
}

/* One name of an annotation, from the module or the builtins. */
static gx_try find_name(gx_rt *rt, gx_module *globals, gx_sym name, gx_value *out) {
    gx_try has = gx_module_get(rt, globals, name, out);
    return has == GX_TRY_NO ? gx_builtin(rt, name, out) : has;
}

/* eval(text, globals, names); the text where that fails. */
static bool evaluated(gx_rt *rt, gx_module *globals, gx_borrowed names, const char *text,
                      gx_value *out) {
    gx_value eval, args[3] = {gx_undef(), gx_undef(), names};
    gx_sym name = gx_sym_c(rt, "eval");
    if (!name || gx_builtin(rt, name, &eval) != GX_TRY_YES) return false;
    bool ok = gx_str_c(rt, text, &args[0]) && gx_globals_view(rt, globals, &args[1]) &&
              gx_call_value(rt, eval, names.tag == GX_UNDEF ? 2 : 3, args, 0, NULL, out);
    gx_drop(eval);
    gx_drop(args[1]);
    if (!ok && gx_error_is(rt->error.kind, GX_Exception) && rt->error.kind != GX_MemoryError) {
        gx_error_clear(rt);
        *out = args[0];
        return true;
    }
    gx_drop(args[0]);
    return ok;
}

bool gx_annotation_value(gx_rt *rt, gx_module *globals, gx_borrowed names, const char *text,
                         gx_value *out) {
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
        if (has == GX_TRY_NO) return evaluated(rt, globals, names, text, out);
        v = next;
        at = end + 1;
    }
    *out = v;
    return true;
}

/* Type parameters by their names, into a dict. */
static bool named_params(gx_rt *rt, gx_borrowed params, gx_borrowed names) {
    gx_sym sym = gx_sym_c(rt, "__name__");
    bool ok = sym != 0;
    for (int64_t i = 0; params.tag == GX_TUPLE && ok && i < gx_as_tuple(params)->count; i++) {
        gx_value name, item = gx_as_tuple(params)->items[i];
        if (!gx_get_attr(rt, item, sym, &name)) return false;
        ok = gx_dict_set(rt, names, name, item);
        gx_drop(name);
    }
    return ok;
}

/* {"x": int, "return": float}: what stands behind ':' and '->'; the same dict each time. */
static bool get_annotations(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_function *code = gx_as_func(self)->code;
    gx_value dict, names, v;
    if (keep_own(self, GX_OWN_ANNOTATIONS, out)) return true;
    if (!gx_dict_new(rt, &names)) return false;
    bool ok = named_params(rt, own(self, GX_OWN_TYPE_PARAMS), names) && gx_dict_new(rt, &dict);
    if (!ok) {
        gx_drop(names);
        return false;
    }
    for (int32_t i = 0; ok && i <= code->param_count; i++) {
        bool last = i == code->param_count;
        const char *note = last ? code->returns : code->params[i].annotation;
        if (!note) continue;
        const char *name = last ? "return" : gx_sym_text(rt, code->params[i].name);
        ok = gx_annotation_value(rt, gx_as_func(self)->globals, names, note, &v) &&
             gx_dict_set_c_take(rt, dict, name, v);
    }
    gx_drop(names);
    ok = ok && set_own(rt, self, GX_OWN_ANNOTATIONS, dict);
    if (ok)
        *out = dict;
    else
        gx_drop(dict);
    return ok;
}
static bool set_annotations(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (value.tag != GX_DICT && value.tag != GX_NONE)
        return gx_fail(rt, GX_TypeError, "attr.type",
                       "__annotations__ must be set to a dict object");
    return set_own(rt, self, GX_OWN_ANNOTATIONS, value);
}

static bool get_type_params(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return keep_own(self, GX_OWN_TYPE_PARAMS, out) || gx_tuple_new(rt, 0, NULL, out);
}
static bool set_type_params(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (value.tag == GX_TUPLE) return set_own(rt, self, GX_OWN_TYPE_PARAMS, value);
    return gx_fail(rt, GX_TypeError, "attr.type", "__type_params__ must be set to a tuple");
}

/* --- code, variables -------------------------------------------------------------------------- */

static bool get_code(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value code;
    if (keep_own(self, GX_OWN_CODE, out)) return true;
    if (!gx_code_new(rt, gx_as_func(self)->code, &code)) return false;
    if (set_own(rt, self, GX_OWN_CODE, code)) {
        *out = code;
        return true;
    }
    gx_drop(code);
    return false;
}

static bool get_closure(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_func *fn = gx_as_func(self);
    gx_value list, cell;
    *out = gx_none();
    if (!fn->box_count) return true;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int32_t i = 0; ok && i < fn->box_count; i++)
        ok = gx_cell_new(rt, fn->boxes[i], &cell) && gx_list_push_take(rt, list, cell);
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool get_globals(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_globals_view(rt, gx_as_func(self)->globals, out);
}

/* The attributes that the script has set: f.__dict__. */
static bool get_dict(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_func *fn = gx_as_func(self);
    if (fn->attrs.tag != GX_DICT && !gx_dict_new(rt, &fn->attrs)) return false;
    *out = gx_keep(fn->attrs);
    return true;
}
static bool set_dict(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    if (value.tag != GX_DICT)
        return gx_fail(rt, GX_TypeError, "attr.type",
                       "__dict__ must be set to a dictionary, not a '%s'", gx_type_name(value));
    replace_value(&gx_as_func(self)->attrs, value);
    return true;
}

const gx_member gx_func_members[] = {
    {"__name__", get_name, set_name, "The name it was defined under."},
    {"__qualname__", get_qualname, set_qualname, "The name with what is around it."},
    {"__doc__", get_doc, set_doc, "Its docstring."},
    {"__module__", get_module, set_module, "The module it was defined in."},
    {"__annotations__", get_annotations, set_annotations,
     "Its annotations; texts, unless they are bound names."},
    {"__defaults__", get_defaults, set_defaults, "The defaults of positional parameters."},
    {"__kwdefaults__", get_kwdefaults, set_kwdefaults, "The defaults of keyword parameters."},
    {"__code__", get_code, NULL, "Its parameters and names."},
    {"__closure__", get_closure, NULL, "The variables it shares with the functions around it."},
    {"__globals__", get_globals, NULL, "The names of its module."},
    {"__type_params__", get_type_params, set_type_params, "Its type parameters."},
    {"__dict__", get_dict, set_dict, "The attributes set on it."},
    {0},
};

static bool bind(gx_call *c, gx_value *out) {
    if (c->argv[1].tag != GX_NONE) return gx_bound_new(c->rt, c->argv[1], c->argv[0], out);
    *out = gx_keep(c->argv[0]);
    return true;
}

const gx_native gx_func_methods[] = {
    {"__get__", "__get__(self, instance, owner=None, /)", "The function as a method.", NULL, bind,
     0, 0},
    {0},
};

/* --- attributes of the script's own ----------------------------------------------------------- */

gx_try gx_func_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    const gx_func *fn = gx_as_func(v);
    gx_value key;
    if (fn->attrs.tag != GX_DICT) return GX_TRY_NO;
    if (!gx_str_of_sym(rt, name, &key)) return GX_TRY_ERROR;
    gx_try has = gx_dict_find(rt, fn->attrs, key, out);
    gx_drop(key);
    return has;
}

gx_try gx_func_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
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
