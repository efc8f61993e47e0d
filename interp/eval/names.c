/* Names of texts that eval and exec run: found by name, at each use, in the dict of locals if there
   is one, then in the module or the dict that stands for it, then among the builtins, which the
   dict may replace by its __builtins__. Also all names of a module, and the folders of modules. */
#include "interp/eval/evaluator.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

static gx_try get_in(gx_rt *rt, gx_borrowed mapping, gx_borrowed key, gx_value *out) {
    if (mapping.tag == GX_DICT && mapping.obj->type == &gx_type_dict)
        return gx_dict_find(rt, mapping, key, out);
    if (gx_get_item(rt, mapping, key, out)) return GX_TRY_YES;
    if (!gx_error_is(rt->error.kind, GX_KeyError)) return GX_TRY_ERROR;
    gx_error_clear(rt);
    return GX_TRY_NO;
}

/* Is there a dict of locals that has a say? Not for a name that is declared global. */
static bool has_locals(const gx_frame *f, const gx_node *n) {
    return f->names.tag != GX_UNDEF && !n->op;
}

/* The builtins of a module that is a dict: the dict or module under __builtins__ is all there is.
 */
static gx_try get_builtin(gx_rt *rt, gx_borrowed globals, const gx_node *n, gx_value *out) {
    gx_value key, own;
    if (globals.tag == GX_DICT) {
        if (!gx_str_c(rt, "__builtins__", &key)) return GX_TRY_ERROR;
        gx_try has = gx_dict_find(rt, globals, key, &own);
        gx_drop(key);
        if (has == GX_TRY_ERROR) return has;
        if (has == GX_TRY_YES) {
            bool all = own.tag == GX_DICT;
            if (all) has = get_in(rt, own, n->constant, out);
            gx_drop(own);
            if (all) return has;
        }
    }
    return gx_builtin(rt, n->name, out);
}

gx_try gx_name_get(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_rt *rt = f->rt;
    gx_try has = GX_TRY_NO;
    gx_borrowed globals = f->globals->dict;
    if (has_locals(f, n)) has = get_in(rt, f->names, n->constant, out);
    if (has != GX_TRY_NO) return has;
    if (globals.tag == GX_DICT)
        has = gx_dict_find(rt, globals, n->constant, out);
    else
        has = gx_module_get(rt, f->globals, n->name, out);
    return has == GX_TRY_NO ? get_builtin(rt, globals, n, out) : has;
}

bool gx_name_set(gx_frame *f, const gx_node *n, gx_borrowed v) {
    if (has_locals(f, n)) return gx_set_item(f->rt, f->names, n->constant, v);
    if (f->globals->dict.tag == GX_DICT)
        return gx_dict_set(f->rt, f->globals->dict, n->constant, v);
    return gx_module_set(f->rt, f->globals, n->name, v);
}

gx_try gx_name_remove(gx_frame *f, const gx_node *n) {
    gx_rt *rt = f->rt;
    gx_borrowed from = has_locals(f, n) ? f->names : f->globals->dict;
    if (from.tag == GX_DICT) return gx_dict_remove(rt, from, n->constant, NULL);
    if (from.tag == GX_UNDEF) {
        int32_t slot;
        gx_module *g = f->globals;
        if (!gx_map_get(&g->slots, n->name, &slot) || g->values[slot].tag == GX_UNDEF)
            return GX_TRY_NO;
        gx_drop(gx_steal(&g->values[slot]));
        return GX_TRY_YES;
    }
    if (gx_del_item(rt, from, n->constant)) return GX_TRY_YES;
    if (!gx_error_is(rt->error.kind, GX_KeyError)) return GX_TRY_ERROR;
    gx_error_clear(rt);
    return GX_TRY_NO;
}

/* --- all of a frame --------------------------------------------------------------------------- */

static bool put_name(gx_rt *rt, gx_borrowed dict, gx_sym name, gx_borrowed v) {
    gx_value key;
    if (!name || gx_sym_text(rt, name)[0] == '.' || v.tag == GX_UNDEF) return true;
    if (!gx_str_of_sym(rt, name, &key)) return false;
    bool ok = gx_dict_set(rt, dict, key, v);
    gx_drop(key);
    return ok;
}

bool gx_frame_names(const gx_frame *f, gx_value *out) {
    gx_rt *rt = f->rt;
    const gx_function *fn = f->code;
    gx_value dict;
    if (!gx_dict_new(rt, &dict)) return false;
    bool ok = true;
    for (int32_t i = 0; ok && i < fn->slots; i++) {
        gx_value v = f->slots[i];
        if (v.tag == GX_BOX) v = ((gx_box *)v.obj)->value;
        ok = put_name(rt, dict, fn->slot_names[i], v);
    }
    for (int32_t i = 0; ok && i < fn->capture_count; i++)
        ok = put_name(rt, dict, fn->captures[i].name, f->boxes[i]->value);
    if (ok)
        *out = dict;
    else
        gx_drop(dict);
    return ok;
}

/* --- the names of a module, all of them into another --- */

typedef struct collected {
    const char *names[2048];
    size_t count;
} collected;

static void collect(const char *name, void *ctx) {
    collected *all = ctx;
    if (all->count < 2048) all->names[all->count++] = name;
}

typedef struct star {
    gx_rt *rt;
    gx_module *from, *to;
    bool ok;
} star;

static void copy_name(const char *name, void *ctx) {
    star *s = ctx;
    if (!s->ok || name[0] == '_') return;
    gx_sym sym = gx_sym_c(s->rt, name);
    gx_value v;
    gx_try found = sym ? gx_module_get(s->rt, s->from, sym, &v) : GX_TRY_ERROR;
    s->ok = found != GX_TRY_ERROR;
    if (found != GX_TRY_YES) return;
    s->ok = gx_module_set(s->rt, s->to, sym, v);
    gx_drop(v);
}

/* The names are collected first: binding them may move the module's table. */
bool gx_import_all(gx_rt *rt, gx_module *m, gx_module *into) {
    collected *all = gx_alloc(rt, sizeof *all);
    if (!all) return false;
    all->count = 0;
    gx_module_each(rt, m, collect, all);
    star s = {rt, m, into, true};
    for (size_t i = 0; i < all->count; i++) copy_name(all->names[i], &s);
    gx_free(rt, all);
    return s.ok;
}

/* --- where modules are looked for --- */

/* The folders of PYTHONPATH, where no Python is there to look into them. */
static bool add_python_path(gx_rt *rt, gx_borrowed list) {
    const char *bridge = getenv("GX_PYTHON"), *at = getenv("PYTHONPATH");
    gx_value text;
    if (rt->debug.safe || !at || !bridge || strcmp(bridge, "none") != 0) return true;
    while (*at) {
        size_t n = strcspn(at, ":");
        if (n && (!gx_str_new(rt, at, n, &text) || !gx_list_push_take(rt, list, text)))
            return false;
        at += n + (at[n] == ':');
    }
    return true;
}

/* sys.path as it was at the start: the script's folder, then the current one. */
bool gx_import_path(gx_rt *rt, gx_value *out) {
    gx_value list, text;
    const char *const folders[] = {rt->interp->folder, ""};
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int i = 0; ok && i < 2; i++)
        if (folders[i])
            ok = gx_str_c(rt, folders[i], &text) && gx_list_push_take(rt, list, text);
    if (ok && add_python_path(rt, list)) {
        *out = list;
        return true;
    }
    gx_drop(list);
    return false;
}
