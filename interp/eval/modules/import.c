/* import: builtin modules come from stdlib; otherwise a package or `name.gx` along sys.path, run
   once in a module of its own. Invariant: a module is in vm->modules, and in sys.modules, from
   before its body runs, so that modules which import each other see what the other has bound so
   far. */
#include "interp/eval/modules/import_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/still.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/bridge.h"
#include "stdlib/library/python_modules.h"
#include "stdlib/stdlib.h"

/* Names with which scripts often mean something that gx has under another name. */
static const struct refused {
    const char *name, *help;
} refused[] = {
    {"torch", "arrays of gx live on the GPU: import cupy as cp"},
    {"pandas", "genfromtxt and loadtxt of numpy read CSV files: import numpy as np"},
    {"subprocess", "gx starts no programs itself"},
    {"urllib.request", "gx opens no connections; open() and np.loadtxt read files"},
    {"asyncio", "gx has no coroutines; threading runs one thing after another"},
};

static void add_part(const char *name, const char *doc, void *list) {
    static const char above[] = "scipy.";
    (void)doc;
    const char *part = name + sizeof above - 1;
    if (strncmp(name, above, sizeof above - 1) != 0 || strchr(part, '.')) return;
    gx_buf *b = list;
    (void)!(gx_buf_puts(b, b->length ? ", " : "") && gx_buf_puts(b, part));
}

void gx_scipy_parts(gx_rt *rt) {
    gx_buf parts = gx_buf_new(rt);
    gx_stdlib_each_module(rt, add_part, &parts);
    gx_note(rt, "gx has of scipy: %s", gx_buf_text(&parts));
    gx_buf_free(&parts);
}

static bool unknown(gx_rt *rt, const char *name) {
    gx_fail(rt, GX_ModuleNotFoundError, "import.unknown", "No module named '%s'", name);
    if (strncmp(name, "scipy.", 6) == 0 || strncmp(name, "cupyx.scipy.", 12) == 0)
        gx_scipy_parts(rt);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(refused[i].name, name) == 0) gx_help(rt, "%s", refused[i].help);
    const char *near = gx_module_near(rt, name);
    if (near && strcmp(near, name) != 0) gx_help(rt, "did you mean `import %s`?", near);
    gx_python_missing(rt, name);
    return gx_exception_tell_text(rt, "name", name);
}

/* --- files ------------------------------------------------------------------------------------ */

/* Looks for a module in a folder: a package, which is a folder with __init__, or a file. *package:
   which of them. An empty path: it is not there. */
static bool find_in(const char *folder, const char *name, gx_buf *path, bool *package) {
    static const char *const endings[] = {"/__init__.gx", "/__init__.py", ".gx", ".py"};
    for (int i = 0; i < 4; i++) {
        path->length = 0;
        if (!gx_buf_puts(path, folder) || (folder[0] && !gx_buf_char(path, '/')) ||
            !gx_buf_puts(path, name) || !gx_buf_puts(path, endings[i]))
            return false;
        *package = i < 2;
        if (access(gx_buf_text(path), R_OK) == 0) return true;
    }
    path->length = 0;
    return true;
}

/* The folders of a list of texts, in order. */
static bool find_along(gx_rt *rt, gx_borrowed folders, const char *name, gx_buf *path,
                       bool *package) {
    const gx_value *items;
    int64_t n;
    GX_STILL(own);
    if (folders.tag != GX_LIST) return true;
    if (!gx_still_items(rt, folders, &own, &items, &n)) return false;
    for (int64_t i = 0; i < n && !path->length; i++)
        if (items[i].tag == GX_STR && !find_in(gx_as_str(items[i])->text, name, path, package))
            return false;
    return true;
}

/* A bound name of a module. */
gx_try gx_import_name(gx_rt *rt, gx_module *m, const char *name, gx_value *out) {
    gx_sym sym = gx_sym_c(rt, name);
    return sym ? gx_module_get(rt, m, sym, out) : GX_TRY_ERROR;
}

/* Where modules that are in no package are looked for: sys.path as it is now. */
static bool search_path(gx_rt *rt, gx_value *out) {
    gx_value sys;
    if (rt->debug.safe || gx_module_import(rt, "sys", &sys) != GX_TRY_YES)
        return gx_import_path(rt, out);
    gx_try has = gx_import_name(rt, gx_as_module(sys), "path", out);
    gx_drop(sys);
    if (has == GX_TRY_NO) *out = gx_none();
    return has != GX_TRY_ERROR;
}

/* --- what is loaded --------------------------------------------------------------------------- */

bool gx_import_loaded(gx_rt *rt, gx_value *out) {
    gx_interp *vm = rt->interp;
    if (vm->loaded.tag == GX_UNDEF && !gx_dict_new(rt, &vm->loaded)) return false;
    *out = gx_keep(vm->loaded);
    return true;
}

/* sys.modules[name]; NO: it is not loaded. */
gx_try gx_import_found(gx_rt *rt, const char *name, gx_value *out) {
    gx_value key;
    if (rt->interp->loaded.tag != GX_DICT) return GX_TRY_NO;
    if (!gx_str_c(rt, name, &key)) return GX_TRY_ERROR;
    gx_try has = gx_dict_find(rt, rt->interp->loaded, key, out);
    gx_drop(key);
    if (has != GX_TRY_YES || out->tag != GX_NONE) return has;
    gx_fail(rt, GX_ModuleNotFoundError, "import.unknown",
            "import of %s halted; None in sys.modules", name);
    gx_exception_tell_text(rt, "name", name);
    return GX_TRY_ERROR;
}

static bool add_loaded(gx_rt *rt, const char *name, gx_borrowed module) {
    gx_value dict;
    if (!gx_import_loaded(rt, &dict)) return false;
    bool ok = gx_dict_set_c(rt, dict, name, module);
    gx_drop(dict);
    return ok;
}

static void forget(gx_rt *rt, gx_value module) {
    gx_interp *vm = rt->interp;
    gx_value key;
    gx_error saved;
    gx_error_save(rt, &saved);
    /* Without memory there may be no dict yet. */
    if (vm->loaded.tag == GX_DICT && gx_str_of_sym(rt, gx_as_module(module)->name, &key)) {
        (void)gx_dict_remove(rt, vm->loaded, key, NULL);
        gx_drop(key);
    }
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    for (size_t i = 0; i < vm->modules.count; i++) {
        if (vm->modules.items[i].obj != module.obj) continue;
        memmove(&vm->modules.items[i], &vm->modules.items[i + 1],
                (--vm->modules.count - i) * sizeof *vm->modules.items);
        gx_module_clear(rt, gx_as_module(module));
        gx_drop(module);
        return;
    }
}

static bool set_text(gx_rt *rt, gx_module *m, const char *name, const char *text) {
    gx_value v;
    if (!gx_str_c(rt, text, &v)) return false;
    bool ok = gx_globals_set_c(rt, m, name, v);
    gx_drop(v);
    return ok;
}

/* __path__, the folder of a package, and __package__, what relative imports start from. */
static bool set_package(gx_rt *rt, gx_module *m, const char *path, bool package) {
    const char *name = gx_sym_text(rt, m->name), *dot = strrchr(name, '.');
    const char *slash = strrchr(path, '/');
    gx_value folder, list;
    gx_buf above = gx_buf_new(rt);
    bool ok = gx_buf_add(&above, name,
                         package ? strlen(name)
                         : dot   ? (size_t)(dot - name)
                                 : 0) &&
              set_text(rt, m, "__package__", gx_buf_text(&above));
    gx_buf_free(&above);
    if (!ok || !package) return ok;
    if (!gx_str_new(rt, path, slash ? (size_t)(slash - path) : 0, &folder)) return false;
    ok = gx_list_new(rt, 1, &folder, &list);
    gx_drop(folder);
    if (!ok) return false;
    ok = gx_globals_set_c(rt, m, "__path__", list);
    gx_drop(list);
    return ok;
}

static bool run_file(gx_rt *rt, const char *path, gx_module *m) {
    uint32_t source;
    gx_unit *unit;
    gx_parse_errors errors = {0};
    if (!set_text(rt, m, "__file__", path) || !gx_source_read(rt, path, &source)) return false;
    gx_parse_status status = gx_load(rt, source, m, false, &unit, &errors);
    gx_parse_errors_free(&errors);
    gx_span caller = rt->here;
    bool ok = status == GX_PARSE_OK && gx_bind_doc(rt, m, unit) && gx_run_unit(rt, unit, m, false);
    if (status == GX_PARSE_OK) gx_unit_drop(unit);
    rt->here = caller;
    return ok;
}

/* A new module that lives until the end. */
bool gx_new_module(gx_rt *rt, const char *name, gx_value *out) {
    gx_value m;
    if (!gx_module_new(rt, name, &m)) return false;
    bool ok = set_text(rt, gx_as_module(m), "__name__", name) &&
              gx_globals_set_c(rt, gx_as_module(m), "__doc__", gx_none()) &&
              gx_vec_push(rt, &rt->interp->modules, m);
    gx_as_module(m)->names_view = gx_globals_view;
    if (!ok) gx_drop(m);
    else *out = gx_keep(m);
    return ok;
}

bool gx_main_module(gx_rt *rt, const char *name, gx_value *out) {
    gx_value m;
    if (!gx_new_module(rt, name, &m)) return false;
    if (add_loaded(rt, name, m)) {
        *out = m;
        return true;
    }
    forget(rt, m);
    gx_drop(m);
    return false;
}

/* A module of the library, in C or in gx: what it lacks, a Python may have. */
static bool is_library(gx_rt *rt, gx_module *m) {
    gx_value file;
    if (m->builtin) return true;
    if (!gx_text_module_find(gx_sym_text(rt, m->name))) return false;
    const gx_try own = gx_import_name(rt, m, "__file__", &file);
    if (own == GX_TRY_YES) gx_drop(file);
    else if (own == GX_TRY_ERROR) gx_error_clear(rt);
    return own == GX_TRY_NO;
}

/* The package that a dotted name lies in, imported. *folders: its __path__. */
static bool import_above(gx_rt *rt, const char *name, gx_value *above, gx_value *folders) {
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_buf_add(&text, name, (size_t)(strrchr(name, '.') - name)) &&
              gx_import(rt, gx_buf_text(&text), above);
    gx_buf_free(&text);
    if (!ok) return false;
    gx_try has = above->tag == GX_MODULE
                     ? gx_import_name(rt, gx_as_module(*above), "__path__", folders)
                     : GX_TRY_NO;
    if (has == GX_TRY_YES) return true;
    bool builtin = above->tag == GX_MODULE && is_library(rt, gx_as_module(*above));
    if (has == GX_TRY_NO && !builtin && !gx_is_python(*above)) {
        gx_fail(rt, GX_ModuleNotFoundError, "import.unknown",
                "No module named '%s'; '%.*s' is not a package", name,
                (int)(strrchr(name, '.') - name), name);
        gx_exception_tell_text(rt, "name", name);
    }
    builtin = builtin || gx_is_python(*above);
    gx_drop(*above);
    *above = *folders = gx_undef();
    return has == GX_TRY_NO && builtin;
}

/* Runs a file in a module of its own. */
static bool load_file(gx_rt *rt, const char *name, const char *path, bool package, gx_value *out) {
    gx_value m;
    if (!gx_main_module(rt, name, &m)) return false;
    if (set_package(rt, gx_as_module(m), path, package) && run_file(rt, path, gx_as_module(m))) {
        *out = m;
        return true;
    }
    forget(rt, m);
    gx_drop(m);
    return false;
}

/* A module from a file; GX_TRY_NO: there is no such file. */
gx_try gx_import_file(gx_rt *rt, const char *name, gx_value *out) {
    const char *dot = strrchr(name, '.');
    gx_value above = gx_undef(), folders = gx_undef();
    bool package, ok = dot ? import_above(rt, name, &above, &folders) : search_path(rt, &folders);
    gx_buf path = gx_buf_new(rt);
    ok = ok && find_along(rt, folders, dot ? dot + 1 : name, &path, &package);
    bool found = ok && path.length > 0;
    if (found) ok = load_file(rt, name, gx_buf_text(&path), package, out);
    if (found && ok && above.tag == GX_MODULE &&
        !gx_globals_set_c(rt, gx_as_module(above), dot + 1, *out)) {
        gx_drop(*out);
        ok = false;
    }
    gx_buf_free(&path);
    gx_drop(folders);
    gx_drop(above);
    return !ok ? GX_TRY_ERROR : found ? GX_TRY_YES : GX_TRY_NO;
}

/* Runs a text of the library in the module that it makes or adds to. */
static bool run_text(gx_rt *rt, const char *title, const gx_compressed *text, gx_module *m) {
    uint32_t source;
    gx_unit *unit;
    gx_span caller = rt->here;
    bool ok = gx_source_add_compressed(rt, title, text, &source);
    if (ok) gx_source_get(rt, source)->library = true;
    if (ok) ok = gx_load(rt, source, m, false, &unit, NULL) == GX_PARSE_OK;
    if (ok) {
        ok = gx_run_unit(rt, unit, m, false);
        gx_unit_drop(unit);
    }
    rt->here = caller;
    return ok;
}

static bool run_text_module(gx_rt *rt, const gx_text_module *p, gx_module *m) {
    char title[64];
    snprintf(title, sizeof title, "<%s>", p->module);
    return run_text(rt, title, p->text, m);
}

/* Has the module's text been run? */
static bool has_run(gx_rt *rt, const gx_text_module *p, const gx_module *m) {
    int32_t slot;
    gx_sym first = gx_sym_find(rt, p->first, strlen(p->first));
    return first && gx_map_get(&m->slots, first, &slot) && slot < m->count &&
           m->values[slot].tag != GX_UNDEF;
}

/* A module that is written in gx, wholly or in part. NO: there is none of that name. */
static gx_try import_text_module(gx_rt *rt, const char *name, gx_value *out) {
    const gx_text_module *p = gx_text_module_find(name);
    gx_value m;
    if (!p) return GX_TRY_NO;
    gx_try found = gx_module_import(rt, name, &m);
    if (found == GX_TRY_ERROR) return found;
    if (found == GX_TRY_NO) {
        if (!gx_main_module(rt, name, &m)) return GX_TRY_ERROR;
    }
    if (has_run(rt, p, gx_as_module(m)) || run_text_module(rt, p, gx_as_module(m))) {
        *out = m;
        return GX_TRY_YES;
    }
    if (found == GX_TRY_NO) forget(rt, m);
    gx_drop(m);
    return GX_TRY_ERROR;
}

static bool bind_module(gx_rt *rt, gx_module *m, const char *as, const char *name) {
    gx_value v;
    if (gx_module_import(rt, name, &v) != GX_TRY_YES) return false;
    bool ok = gx_globals_set_c(rt, m, as, v);
    gx_drop(v);
    return ok;
}

static bool bind_natives(gx_rt *rt, gx_module *m) {
    for (const gx_native *n = gx_library_natives; n->name; n++)
        if (!gx_globals_set_c(rt, m, n->name, gx_native_value(n, GX_NS_GX))) return false;
    return true;
}

bool gx_import_library_text(gx_rt *rt, const char *name, const gx_compressed *text, gx_namespace ns,
                            gx_value *out) {
    gx_interp *vm = rt->interp;
    gx_sym sym = gx_sym_c(rt, name);
    gx_value m;
    if (!sym) return false;
    /* Texts of the library may have the name of a module; they are in no list of scripts. */
    for (size_t i = 0; i < vm->modules.count; i++)
        if (gx_as_module(vm->modules.items[i])->name == sym) {
            *out = gx_keep(vm->modules.items[i]);
            return true;
        }
    if (!gx_new_module(rt, name, &m)) return false;
    bool cupy = ns != GX_NS_NUMPY;
    bool ok = bind_module(rt, gx_as_module(m), "np", cupy ? "cupy" : "numpy") &&
              bind_module(rt, gx_as_module(m), "sp", cupy ? "cupyx.scipy" : "scipy") &&
              bind_natives(rt, gx_as_module(m)) && run_text(rt, name, text, gx_as_module(m));
    if (ok) {
        *out = m;
        return true;
    }
    forget(rt, m);
    gx_drop(m);
    return false;
}

static gx_try lookup_builtin(gx_rt *rt, gx_module *m, gx_sym name, gx_value *out) {
    (void)m;
    return gx_builtin(rt, name, out);
}

static void each_builtin(gx_rt *rt, const gx_module *m, void (*fn)(const char *name, void *ctx),
                         void *ctx) {
    (void)m;
    gx_builtin_each(rt, fn, ctx);
}

/* The names that every module sees, as a module. */
static bool import_builtins(gx_rt *rt, gx_value *out) {
    if (!gx_main_module(rt, "builtins", out)) return false;
    gx_as_module(*out)->builtin = true;
    gx_as_module(*out)->lookup = lookup_builtin;
    gx_as_module(*out)->each = each_builtin;
    return true;
}

/* a.b, where a module of the library has a module b among its names. */
static gx_try import_part(gx_rt *rt, const char *name, gx_value *out) {
    char above[128];
    gx_value owner;
    const char *dot = strrchr(name, '.');
    if (!dot || (size_t)(dot - name) >= sizeof above) return GX_TRY_NO;
    snprintf(above, sizeof above, "%.*s", (int)(dot - name), name);
    gx_sym part = gx_sym_c(rt, dot + 1);
    gx_try found = part ? gx_module_import(rt, above, &owner) : GX_TRY_ERROR;
    if (found == GX_TRY_NO) found = import_part(rt, above, &owner);
    if (found != GX_TRY_YES) return found;
    found = gx_module_get(rt, gx_as_module(owner), part, out);
    gx_drop(owner);
    if (found != GX_TRY_YES || out->tag == GX_MODULE) return found;
    gx_drop(*out);
    return GX_TRY_NO;
}

/* Modules that are loaded before a script of Python begins: no file hides them. */
static const char *const first_loaded[] = {"abc", "atexit", "builtins",  "codecs",  "errno",
                                           "gc",  "io",     "itertools", "marshal", "os",
                                           "pwd", "site",   "stat",      "sys",     "time"};

/* A script's own file name.py, or a package of that name, hides a module of gx, as in Python: it
   must lie in the first folder of sys.path and not be what runs; only scripts see it. A file .gx
   hides none. */
static gx_try import_own(gx_rt *rt, const char *name, gx_value *out) {
    gx_interp *vm = rt->interp;
    const gx_source *from = gx_source_get(rt, rt->here.source);
    gx_value folders;
    bool package = false, ok;
    if (rt->debug.safe || strchr(name, '.') || name[0] == '_' || !vm->folder) return GX_TRY_NO;
    if (!from || from->library || strcmp(name, "numpy") == 0) return GX_TRY_NO;
    for (size_t i = 0; i < sizeof first_loaded / sizeof *first_loaded; i++)
        if (strcmp(name, first_loaded[i]) == 0) return GX_TRY_NO;
    if (!search_path(rt, &folders)) return GX_TRY_ERROR;
    gx_buf path = gx_buf_new(rt);
    gx_borrowed first = gx_undef();
    if (folders.tag == GX_LIST && gx_as_list(folders)->count) first = gx_as_list(folders)->items[0];
    ok = first.tag != GX_STR || find_in(gx_as_str(first)->text, name, &path, &package);
    gx_drop(folders);
    const char *end = path.length > 3 ? gx_buf_text(&path) + path.length - 3 : "";
    bool found = ok && strcmp(end, ".py") == 0 && strcmp(gx_buf_text(&path), from->name) != 0;
    if (found) ok = load_file(rt, name, gx_buf_text(&path), package, out);
    gx_buf_free(&path);
    return !ok ? GX_TRY_ERROR : found ? GX_TRY_YES : GX_TRY_NO;
}

bool gx_import(gx_rt *rt, const char *name, gx_value *out) {
    gx_try found = gx_import_found(rt, name, out);
    if (found != GX_TRY_NO) return found == GX_TRY_YES;
    if (strcmp(name, "builtins") == 0) return import_builtins(rt, out);
    found = import_own(rt, name, out);
    if (found == GX_TRY_NO) found = import_text_module(rt, name, out);
    if (found == GX_TRY_NO && strcmp(name, "random") != 0) found = gx_module_import(rt, name, out);
    if (found == GX_TRY_NO) found = import_part(rt, name, out);
    if (found == GX_TRY_NO && (found = gx_import_file(rt, name, out)) != GX_TRY_NO)
        return found == GX_TRY_YES;
    if (found == GX_TRY_NO) found = gx_python_import(rt, name, out);
    if (found == GX_TRY_YES && !add_loaded(rt, name, *out)) {
        gx_drop(*out);
        return false;
    }
    if (found == GX_TRY_NO) return unknown(rt, name);
    return found == GX_TRY_YES;
}

bool gx_eval_typing(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value module;
    if (!gx_import(f->rt, "typing", &module)) return gx_locate(f, n);
    bool ok = gx_get_attr(f->rt, module, n->name, out);
    gx_drop(module);
    return ok || gx_locate(f, n);
}
