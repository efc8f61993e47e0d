/* The registry: which name means which row. Tables are const; what is looked up is found by a scan
   once and then cached in a module's slots, so start-up builds nothing and later uses are one hash
   probe. Knows no function itself: tables.c opens it with those of modules.def. */
#include "stdlib/paths.h"
#include "stdlib/registry_int.h"

#include <stdio.h>
#include <string.h>

#include "runtime/array/array.h"
#include "runtime/base/vec.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"

static const char *const group_modules[GROUPS] = {
#define GROUP(group, module) [GROUP_##group] = module,
#include "stdlib/modules.def"
};

typedef struct module_info {
    const char *name;
    gx_namespace ns;
    group groups[2];
    const char *doc;
} module_info;

static const module_info modules[] = {
#define MODULE(name, ns, group, group2, doc) {name, ns, {GROUP_##group, GROUP_##group2}, doc},
#include "stdlib/modules.def"
};
enum { MODULES = sizeof modules / sizeof *modules };

struct gx_modules {
    const table *tables;
    int table_count;
    gx_absent_fn absent;      /* of a module: what is said of a name that it lacks */
    gx_further_fn beyond;    /* where else it may be */
    gx_further_each_fn each_beyond;
    gx_value loaded[MODULES]; /* UNDEF: not imported yet */
    int sys;                  /* its place there; -1: not looked for */
    gx_value bare;            /* a module that caches the bare names */
    gx_native *methods;       /* ndarray's methods, copied from the tables; ends with NULL */
    void *overrides;          /* a block of stdlib/numpy/ufunc/override.c */
    gx_value paths[GX_PATHS_KEPT]; /* of stdlib/io/file.c */
    gx_library_run text;      /* runs texts in gx */
    const gx_running *running; /* runs texts of the script */
    int argc;
    char *const *argv;
};

/* --- finding a name in a group --- */

/* Submodules that are bare names are modules "gx.linalg" …: they cannot be imported as "linalg". */
static const char bare_owner[] = "gx";

static const gx_native *find_op(gx_rt *rt, group in, const char *name) {
    gx_opcode op = gx_op_find(name);
    if (op == GX_OP_NONE) return NULL;
    const char *where = gx_ops[op].module;
    bool here = where ? strcmp(where, "special") == 0 && in == GROUP_special : in == GROUP_numpy;
    if (where && strcmp(where, "cupyx") == 0) here = in == GROUP_cupyx;
    return here ? gx_op_native(rt, op) : NULL;
}

static const gx_native *find_function(gx_rt *rt, group in, const char *name, bool bare) {
    const table *tables = rt->modules->tables;
    for (int t = 0; t < rt->modules->table_count; t++) {
        if (tables[t].in != in || !tables[t].functions) continue;
        for (const gx_native *row = tables[t].functions; row->name; row++)
            if (strcmp(row->name, name) == 0 && !(bare && row->flags & GX_NATIVE_PURE_ARRAY))
                return row;
    }
    const gx_native *fn = find_op(rt, in, name);
    return fn && fn->name ? fn : NULL;
}

static const gx_constant *find_constant(gx_rt *rt, group in, const char *name) {
    const table *tables = rt->modules->tables;
    for (int t = 0; t < rt->modules->table_count; t++) {
        if (tables[t].in != in || !tables[t].constants) continue;
        for (const gx_constant *c = tables[t].constants; c->kind != GX_CONST_END; c++)
            if (strcmp(c->name, name) == 0) return c;
    }
    return NULL;
}

static gx_try find_in_group(gx_rt *rt, group in, const char *owner, gx_namespace ns,
                            const char *name, gx_value *out);

static gx_try constant_value(gx_rt *rt, group in, const char *owner, gx_namespace ns,
                             const gx_constant *c, gx_value *out) {
    char path[96];
    switch (c->kind) {
    case GX_CONST_NONE: *out = gx_none(); return GX_TRY_YES;
    case GX_CONST_BOOL: *out = gx_bool(c->i != 0); return GX_TRY_YES;
    case GX_CONST_INT: *out = gx_int(c->i); return GX_TRY_YES;
    case GX_CONST_FLOAT: *out = gx_float(c->f); return GX_TRY_YES;
    case GX_CONST_STR: return gx_str_c(rt, c->text, out) ? GX_TRY_YES : GX_TRY_ERROR;
    case GX_CONST_TYPE:
        *out = gx_type_value(c->type == &gx_type_array ? gx_array_type(ns) : c->type);
        out->ns = (uint8_t)ns;
        return GX_TRY_YES;
    case GX_CONST_ALIAS: return find_in_group(rt, in, owner, ns, c->text, out);
    case GX_CONST_MODULE:
        if (c->text[0] != '~') return gx_module_import(rt, c->text, out);
        snprintf(path, sizeof path, "%s.%s", owner, c->text + 1);
        return gx_module_import(rt, path, out);
    case GX_CONST_MAKE: return c->make(rt, ns, out) ? GX_TRY_YES : GX_TRY_ERROR;
    case GX_CONST_END: break;
    }
    return GX_TRY_NO;
}

static gx_try find_in_group(gx_rt *rt, group in, const char *owner, gx_namespace ns,
                            const char *name, gx_value *out) {
    const gx_native *fn = find_function(rt, in, name, owner == bare_owner);
    if (fn) {
        *out = gx_native_value(fn, ns);
        return GX_TRY_YES;
    }
    const gx_constant *c = find_constant(rt, in, name);
    return c ? constant_value(rt, in, owner, ns, c, out) : GX_TRY_NO;
}

const gx_native *gx_numpy_function(gx_rt *rt, const char *name) {
    const gx_native *fn = find_function(rt, GROUP_numpy, name, false);
    if (fn) return fn;
    const gx_constant *c = find_constant(rt, GROUP_numpy, name);
    if (c && c->kind == GX_CONST_ALIAS && strcmp(c->text, name) != 0)
        return gx_numpy_function(rt, c->text);
    return NULL;
}

/* --- modules --- */

static gx_try lookup_module(gx_rt *rt, gx_module *m, gx_sym name, gx_value *out) {
    const module_info *info = m->data;
    const char *text = gx_sym_text(rt, name);
    for (int g = 0; g < 2; g++) {
        gx_try found = find_in_group(rt, info->groups[g], info->name, info->ns, text, out);
        if (found != GX_TRY_NO) return found;
    }
    if (strcmp(text, "__doc__") == 0)
        return gx_str_c(rt, info->doc, out) ? GX_TRY_YES : GX_TRY_ERROR;
    return rt->modules->beyond ? rt->modules->beyond(rt, m, text, out) : GX_TRY_NO;
}

static void each_in_group(gx_rt *rt, group in, bool bare,
                          void (*fn)(const char *name, void *ctx), void *ctx) {
    const table *tables = rt->modules->tables;
    for (int t = 0; t < rt->modules->table_count; t++) {
        if (tables[t].in != in) continue;
        for (const gx_native *row = tables[t].functions; row && row->name; row++)
            if (!(bare && row->flags & GX_NATIVE_PURE_ARRAY)) fn(row->name, ctx);
        for (const gx_constant *c = tables[t].constants; c && c->kind != GX_CONST_END; c++)
            if (c->name[0] != '.') fn(c->name, ctx);
    }
    for (int op = 1; op < GX_OP_COUNT; op++) {
        const char *where = gx_ops[op].module;
        group home = !where ? GROUP_numpy : strcmp(where, "special") ? GROUP_cupyx : GROUP_special;
        if (home == in) fn(gx_ops[op].name, ctx);
    }
    for (const gx_op_alias *a = gx_op_aliases; a->name && in == GROUP_numpy; a++) fn(a->name, ctx);
}

static void each_in_module(gx_rt *rt, const gx_module *m, void (*fn)(const char *name, void *ctx),
                           void *ctx) {
    const module_info *info = m->data;
    each_in_group(rt, info->groups[0], false, fn, ctx);
    each_in_group(rt, info->groups[1], false, fn, ctx);
    if (rt->modules->each_beyond) rt->modules->each_beyond(rt, m, fn, ctx);
}

gx_try gx_module_import(gx_rt *rt, const char *name, gx_value *out) {
    for (int i = 0; i < MODULES; i++) {
        if (strcmp(modules[i].name, name) != 0) continue;
        gx_value *slot = &rt->modules->loaded[i];
        if (slot->tag == GX_UNDEF) {
            gx_value v;
            if (!gx_module_new(rt, name, &v)) return GX_TRY_ERROR;
            gx_module *m = gx_as_module(v);
            m->ns = (uint8_t)modules[i].ns;
            m->builtin = true;
            m->lookup = lookup_module;
            m->each = each_in_module;
            m->absent = rt->modules->absent;
            m->data = &modules[i];
            *slot = v;
        }
        *out = gx_keep(*slot);
        return GX_TRY_YES;
    }
    return GX_TRY_NO;
}

gx_try gx_sys_stream(gx_rt *rt, const char *name, gx_value *out) {
    for (int i = 0; i < MODULES; i++) {
        if (rt->modules->sys < 0 && strcmp(modules[i].name, "sys") == 0) rt->modules->sys = i;
    }
    const gx_value sys = rt->modules->loaded[rt->modules->sys];
    gx_sym sym = sys.tag == GX_MODULE ? gx_sym_find(rt, name, strlen(name)) : 0;
    int32_t slot;
    if (!sym || !gx_map_get(&gx_as_module(sys)->slots, sym, &slot)) return GX_TRY_NO;
    const gx_value bound = gx_as_module(sys)->values[slot];
    if (bound.tag == GX_UNDEF) return GX_TRY_NO;
    *out = gx_keep(bound);
    return GX_TRY_YES;
}

/* --- texts in gx --- */

void gx_library_set_run(gx_rt *rt, gx_library_run run) {
    rt->modules->text = run;
}

void gx_stdlib_set_running(gx_rt *rt, const gx_running *running) {
    rt->modules->running = running;
}

const gx_running *gx_stdlib_running(gx_rt *rt) {
    return rt->modules->running;
}

bool gx_library_module(gx_rt *rt, const char *name, const gx_compressed *text, gx_namespace ns,
                       gx_value *out) {
    return rt->modules->text ? rt->modules->text(rt, name, text, ns, out)
                                : gx_fail(rt, GX_RuntimeError, "internal.library",
                                          "%s needs the interpreter", name);
}

/* --- bare names --- */

static const group bare_groups[] = {GROUP_core, GROUP_numpy, GROUP_gpu};
enum { BARE_GROUPS = sizeof bare_groups / sizeof *bare_groups };

static gx_try lookup_bare(gx_rt *rt, gx_module *m, gx_sym name, gx_value *out) {
    (void)m;
    const char *text = gx_sym_text(rt, name);
    for (int g = 0; g < BARE_GROUPS; g++) {
        gx_try found = find_in_group(rt, bare_groups[g], bare_owner, GX_NS_GX, text, out);
        if (found != GX_TRY_NO) return found;
    }
    return GX_TRY_NO;
}

gx_try gx_builtin(gx_rt *rt, gx_sym name, gx_value *out) {
    return gx_module_get(rt, gx_as_module(rt->modules->bare), name, out);
}

void gx_builtin_each(gx_rt *rt, void (*fn)(const char *name, void *ctx), void *ctx) {
    for (int g = 0; g < BARE_GROUPS; g++) each_in_group(rt, bare_groups[g], true, fn, ctx);
}

void gx_stdlib_each_module(gx_rt *rt, void (*fn)(const char *name, const char *doc, void *ctx),
                           void *ctx) {
    (void)rt;
    for (int i = 0; i < MODULES; i++) fn(modules[i].name, modules[i].doc, ctx);
}

bool gx_stdlib_each_native(gx_rt *rt,
                           bool (*fn)(gx_rt *rt, const char *module, const gx_native *row,
                                      void *ctx),
                           void *ctx) {
    const table *tables = rt->modules->tables;
    for (int t = 0; t < rt->modules->table_count; t++)
        for (const gx_native *row = tables[t].functions; row && row->name; row++)
            if (!fn(rt, group_modules[tables[t].in], row, ctx)) return false;
    for (int op = 1; op < GX_OP_COUNT; op++) {
        const gx_native *row = gx_op_native(rt, (gx_opcode)op);
        const char *where = gx_ops[op].module;
        if (!row || !row->name) continue;
        group in = !where ? GROUP_numpy : strcmp(where, "special") ? GROUP_cupyx : GROUP_special;
        if (!fn(rt, group_modules[in], row, ctx)) return false;
    }
    return true;
}

const char *gx_stdlib_module_of(gx_rt *rt, const gx_native *fn) {
    const table *tables = rt->modules->tables;
    for (int t = 0; t < rt->modules->table_count; t++)
        for (const gx_native *row = tables[t].functions; row && row->name; row++)
            if (row == fn) return *group_modules[tables[t].in] ? group_modules[tables[t].in] : NULL;
    if (!fn->op || gx_op_native(rt, (gx_opcode)fn->op) != fn) return NULL;
    return gx_ops[fn->op].module ? NULL : "numpy";
}

typedef struct near_list {
    GX_VEC(const char *) names;
    gx_rt *rt;
    bool full;
} near_list;

static void add_near(const char *name, void *ctx) {
    near_list *l = ctx;
    if (!l->full && !gx_vec_push(l->rt, &l->names, name)) l->full = true;
}

static const char *finish_near(near_list *l, const char *name) {
    const char *near = l->full ? NULL : gx_near_name(name, l->names.items, l->names.count);
    gx_vec_free(l->rt, &l->names);
    if (l->full) gx_error_clear(l->rt);
    return near;
}

const char *gx_builtin_near(gx_rt *rt, const char *name) {
    near_list l = {.rt = rt};
    gx_builtin_each(rt, add_near, &l);
    return finish_near(&l, name);
}

const char *gx_module_near(gx_rt *rt, const char *name) {
    near_list l = {.rt = rt};
    for (int i = 0; i < MODULES; i++) add_near(modules[i].name, &l);
    return finish_near(&l, name);
}

/* --- opening ---------------------------------------------------------------------------------- */

bool gx_registry_add_methods(gx_rt *rt) {
    const table *tables = rt->modules->tables;
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t at = 0;
        for (int t = 0; t < rt->modules->table_count; t++) {
            if (tables[t].in != GROUP_numpy) continue;
            for (const gx_native *row = tables[t].functions; row && row->name; row++) {
                if (!(row->flags & GX_NATIVE_METHOD)) continue;
                if (pass) rt->modules->methods[at] = *row;
                at++;
            }
        }
        if (pass) break;
        n = at;
        rt->modules->methods = gx_alloc_zero(rt, (n + 1) * sizeof(gx_native));
        if (!rt->modules->methods) return false;
    }
    return gx_type_extend(rt, &gx_type_array, rt->modules->methods, NULL) &&
           gx_type_extend(rt, &gx_type_generic, rt->modules->methods, NULL);
}

bool gx_registry_new(gx_rt *rt, const table *tables, int count, gx_absent_fn absent,
                     gx_further_fn further, gx_further_each_fn each_further) {
    gx_value bare;
    rt->modules = gx_alloc_zero(rt, sizeof *rt->modules);
    if (!rt->modules) return false;
    rt->modules->tables = tables;
    rt->modules->table_count = count;
    rt->modules->sys = -1;
    rt->modules->absent = absent;
    rt->modules->beyond = further;
    rt->modules->each_beyond = each_further;
    if (!gx_module_new(rt, "builtins", &bare)) return false;
    rt->modules->bare = bare;
    gx_as_module(bare)->builtin = true;
    gx_as_module(bare)->lookup = lookup_bare;
    gx_natives_set_builtin(rt, gx_builtin);
    rt->warn_elsewhere = gx_stderr_replaced;
    return true;
}

void gx_registry_free(gx_rt *rt) {
    struct gx_modules *m = rt->modules;
    for (int i = 0; i < MODULES; i++) {
        gx_value v = gx_steal(&m->loaded[i]);
        if (v.tag == GX_MODULE) gx_module_clear(rt, gx_as_module(v));
        gx_drop(v);
    }
    if (m->bare.tag == GX_MODULE) gx_module_clear(rt, gx_as_module(m->bare));
    gx_drop(m->bare);
    for (int i = 0; i < GX_PATHS_KEPT; i++) gx_drop(gx_steal(&m->paths[i]));
    gx_free(rt, m->methods);
    gx_free(rt, m->overrides);
    gx_free(rt, m);
    rt->modules = NULL;
}

void **gx_stdlib_overrides(gx_rt *rt) {
    return &rt->modules->overrides;
}

gx_value *gx_stdlib_paths(gx_rt *rt) {
    return rt->modules->paths;
}

void gx_stdlib_set_argv(gx_rt *rt, int argc, char *const *argv) {
    rt->modules->argc = argc;
    rt->modules->argv = argv;
}

void gx_stdlib_argv(gx_rt *rt, int *argc, char *const **argv) {
    *argc = rt->modules->argc;
    *argv = rt->modules->argv;
}
