/* Modules: slots by name, filled on demand by `lookup`. Knows neither files nor which modules
   exist: interp/eval/modules/import.c and stdlib/stdlib.c make them. Invariant: count slots,
   names[i] set for each; a slot's number never changes. */
#include "runtime/object/module.h"

#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

bool gx_module_new(gx_rt *rt, const char *name, gx_value *out) {
    gx_sym sym = gx_sym_c(rt, name);
    if (!sym) return false;
    gx_module *m = gx_obj_new(rt, gx_core_types[GX_MODULE], sizeof *m);
    if (!m) return false;
    m->name = sym;
    gx_container_track(rt, &m->head);
    *out = gx_object(&m->head.obj);
    return true;
}

static bool grow(gx_rt *rt, gx_module *m) {
    int32_t room = m->room ? m->room * 2 : 8;
    gx_value *values = gx_realloc(rt, m->values, (size_t)room * sizeof *values);
    if (!values) return false;
    m->values = values;
    gx_sym *names = gx_realloc(rt, m->names, (size_t)room * sizeof *names);
    if (!names) return false;
    m->names = names;
    m->room = room;
    return true;
}

bool gx_module_slot(gx_rt *rt, gx_module *m, gx_sym name, int32_t *out) {
    if (gx_map_get(&m->slots, name, out)) return true;
    if (m->count == m->room && !grow(rt, m)) return false;
    if (!gx_map_set(rt, &m->slots, name, m->count)) return false;
    m->values[m->count] = gx_undef();
    m->names[m->count] = name;
    *out = m->count++;
    return true;
}

bool gx_module_set(gx_rt *rt, gx_module *m, gx_sym name, gx_borrowed value) {
    int32_t slot;
    if (!gx_module_slot(rt, m, name, &slot)) return false;
    gx_value old = m->values[slot];
    m->values[slot] = gx_keep(value);
    gx_drop(old);
    return true;
}

gx_try gx_module_get(gx_rt *rt, gx_module *m, gx_sym name, gx_value *out) {
    int32_t slot;
    if (gx_map_get(&m->slots, name, &slot) && m->values[slot].tag != GX_UNDEF) {
        *out = gx_keep(m->values[slot]);
        return GX_TRY_YES;
    }
    if (!m->lookup) return GX_TRY_NO;
    gx_value v;
    gx_try found = m->lookup(rt, m, name, &v);
    if (found != GX_TRY_YES) return found;
    if (!gx_module_set(rt, m, name, v)) {
        gx_drop(v);
        return GX_TRY_ERROR;
    }
    *out = v;
    return GX_TRY_YES;
}

void gx_module_clear(gx_rt *rt, gx_module *m) {
    (void)rt;
    for (int32_t i = 0; i < m->count; i++) {
        gx_value old = gx_steal(&m->values[i]);
        gx_drop(old);
    }
    gx_drop(gx_steal(&m->dict));
    gx_drop(gx_steal(&m->view));
}

static void free_module(gx_rt *rt, gx_obj *o) {
    gx_module *m = (gx_module *)o;
    gx_container_untrack(rt, &m->head);
    gx_module_clear(rt, m);
    gx_map_free(rt, &m->slots);
    gx_free(rt, m->values);
    gx_free(rt, m->names);
    gx_free(rt, m);
}

static void traverse_module(gx_obj *o, gx_visit visit, void *ctx) {
    gx_module *m = (gx_module *)o;
    for (int32_t i = 0; i < m->count; i++)
        if (gx_is_object(m->values[i])) visit(m->values[i].obj, ctx);
    if (gx_is_object(m->dict)) visit(m->dict.obj, ctx);
    if (gx_is_object(m->view)) visit(m->view.obj, ctx);
}

static void clear_module(gx_rt *rt, gx_obj *o) {
    gx_module_clear(rt, (gx_module *)o);
}

static bool repr_module(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_module *m = gx_as_module(v);
    return gx_buf_printf(out, "<module '%s'%s>", gx_sym_text(rt, m->name),
                         m->builtin ? " (built-in)" : "");
}

/* What the module's own __getattr__(name) says, if it has one. */
static gx_try ask_module(gx_rt *rt, gx_module *m, gx_sym name, gx_value *out) {
    gx_value ask, text;
    int32_t slot;
    const gx_sym getter = gx_sym_find(rt, "__getattr__", strlen("__getattr__"));
    if (!getter || !gx_map_get(&m->slots, getter, &slot) || m->values[slot].tag == GX_UNDEF)
        return GX_TRY_NO;
    ask = gx_keep(m->values[slot]);
    bool ok = gx_str_of_sym(rt, name, &text);
    if (ok) {
        ok = gx_call_value(rt, ask, 1, &text, 0, NULL, out);
        gx_drop(text);
    }
    gx_drop(ask);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

gx_try gx_module_attr(gx_rt *rt, gx_module *m, gx_sym name, gx_value *out) {
    gx_try found = gx_module_get(rt, m, name, out);
    return found == GX_TRY_NO ? ask_module(rt, m, name, out) : found;
}

static gx_try attr_module(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    return gx_module_attr(rt, gx_as_module(v), name, out);
}

static gx_try set_attr_module(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    gx_module *m = gx_as_module(v);
    if (value.tag == GX_UNDEF) {
        int32_t slot;
        if (!gx_map_get(&m->slots, name, &slot) || m->values[slot].tag == GX_UNDEF)
            return GX_TRY_NO;
        gx_value old = gx_steal(&m->values[slot]);
        gx_drop(old);
        return GX_TRY_YES;
    }
    return gx_module_set(rt, m, name, value) ? GX_TRY_YES : GX_TRY_ERROR;
}

/* fft(x) is fft.fft(x): a builtin module that holds a function of its own name is callable. */
static bool call_module(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    gx_module *m = gx_as_module(self);
    const char *full = gx_sym_text(rt, m->name), *dot = strrchr(full, '.');
    const char *last = dot ? dot + 1 : full;
    gx_value fn;
    gx_try found = GX_TRY_NO;
    if (m->builtin) {
        gx_sym sym = gx_sym_c(rt, last);
        if (!sym) return false;
        found = gx_module_get(rt, m, sym, &fn);
    }
    if (found == GX_TRY_ERROR) return false;
    if (found == GX_TRY_NO || fn.tag == GX_MODULE) {
        if (found == GX_TRY_YES) gx_drop(fn);
        gx_fail(rt, GX_TypeError, "call.type", "'module' object is not callable");
        return gx_note(rt, "%s is a module; its functions are called as %s.name(…)", full, last);
    }
    bool ok = gx_call_value(rt, fn, argc, argv, kwc, kw, out);
    gx_drop(fn);
    return ok;
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_of_sym(rt, gx_as_module(self)->name, out);
}

/* The text that the module's script begins with. */
static bool get_doc(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_sym name = gx_sym_c(rt, "__doc__");
    gx_try has = name ? gx_module_get(rt, gx_as_module(self), name, out) : GX_TRY_ERROR;
    if (has == GX_TRY_NO) *out = gx_none();
    return has != GX_TRY_ERROR;
}

typedef struct listed {
    gx_rt *rt;
    gx_module *m;
    gx_value dict;
    bool ok;
} listed;

static void list_name(const char *name, void *ctx) {
    listed *l = ctx;
    gx_value value;
    gx_sym sym = l->ok ? gx_sym_c(l->rt, name) : 0;
    gx_try has = sym ? gx_module_get(l->rt, l->m, sym, &value) : GX_TRY_ERROR;
    l->ok = has != GX_TRY_ERROR;
    if (has != GX_TRY_YES) return;
    l->ok = gx_dict_set_c_take(l->rt, l->dict, name, value);
}

static bool get_dict(gx_rt *rt, gx_borrowed self, gx_value *out) {
    listed l = {rt, gx_as_module(self), gx_undef(), true};
    if (l.m->names_view) return l.m->names_view(rt, l.m, out);
    if (!gx_dict_new(rt, &l.dict)) return false;
    gx_module_each(rt, l.m, list_name, &l);
    if (l.ok)
        *out = l.dict;
    else
        gx_drop(l.dict);
    return l.ok;
}

static bool set_doc(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    gx_sym name = gx_sym_c(rt, "__doc__");
    return name && set_attr_module(rt, self, name, value) != GX_TRY_ERROR;
}

static const gx_member members[] = {
    {"__name__", get_name, NULL, "The module's dotted name."},
    {"__dict__", get_dict, NULL, "The module's names and their values."},
    {"__doc__", get_doc, set_doc, "The module's docstring."},
    {NULL, NULL, NULL, NULL},
};

static bool construct(gx_call *c, gx_value *out) {
    const char *name;
    size_t length;
    gx_rt *rt = c->rt;
    if (!gx_arg_str(c, 0, &name, &length)) return false;
    if (strlen(name) != length || !rt->make_module)
        return gx_fail(rt, GX_ValueError, "str.null", "embedded null character");
    if (!rt->make_module(rt, name, out)) return false;
    if (set_doc(rt, *out, c->argv[1])) return true;
    gx_drop(*out);
    return false;
}

static const gx_native construct_row = {
    "module",
    "module(name, doc=None)",
    "A module without a file, to be filled with names.",
    "types.ModuleType('tools').__name__  # 'tools'",
    construct,
    0,
    0,
};

const gx_type gx_type_module = {
    .name = "module",
    .tag = GX_MODULE,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "A module: named functions and values.",
    .free = free_module,
    .traverse = traverse_module,
    .clear = clear_module,
    .repr = repr_module,
    .attr = attr_module,
    .set_attr = set_attr_module,
    .call = call_module,
    .construct = &construct_row,
    .members = members,
};
