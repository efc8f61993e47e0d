/* The statements `import a.b` and `from a import b`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/eval/modules/import_int.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/bridge.h"
#include "stdlib/library/python_modules.h"
#include "stdlib/stdlib.h"

/* After `import a.b`: b is an attribute of a, unless that has one of the name. */
static bool bind_below(gx_rt *rt, const char *name, gx_borrowed m) {
    const char *dot = strrchr(name, '.');
    char above[256];
    gx_value p, had = gx_undef();
    snprintf(above, sizeof above, "%.*s", (int)(dot - name), name);
    if (!gx_import(rt, above, &p)) return false;
    gx_try has = GX_TRY_YES; /* Python's packages see to it */
    if (p.tag == GX_MODULE) has = gx_import_name(rt, gx_as_module(p), dot + 1, &had);
    bool ok = has == GX_TRY_YES ||
              (has == GX_TRY_NO && gx_globals_set_c(rt, gx_as_module(p), dot + 1, m));
    gx_drop(had);
    gx_drop(p);
    return ok;
}

static int import_one(gx_frame *f, const gx_node *alias) {
    const char *name = gx_sym_text(f->rt, alias->name);
    const char *dot = strchr(name, '.');
    gx_value m, top = gx_undef();
    bool ok = gx_import(f->rt, name, &m);
    /* `import a.b` binds a; `import a.b as c` binds the module itself. */
    if (ok && dot && strlen(gx_sym_text(f->rt, alias->a->name)) == (size_t)(dot - name) &&
        strncmp(gx_sym_text(f->rt, alias->a->name), name, (size_t)(dot - name)) == 0) {
        char first[256];
        snprintf(first, sizeof first, "%.*s", (int)(dot - name), name);
        ok = bind_below(f->rt, name, m) && gx_import(f->rt, first, &top);
        gx_drop(m);
        m = top;
    }
    if (!ok) {
        gx_locate(f, alias);
        return GX_FLOW_ERROR;
    }
    return gx_assign_take(f, alias->a, m) ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

int gx_exec_import(gx_frame *f, const gx_node *n) {
    for (int32_t i = 0; i < n->n; i++)
        if (import_one(f, n->list[i]) == GX_FLOW_ERROR) return GX_FLOW_ERROR;
    return GX_FLOW_NEXT;
}

typedef struct nearest {
    const char *names[2048];
    size_t count;
} nearest;

static void add_name(const char *name, void *ctx) {
    nearest *all = ctx;
    if (all->count < 2048) all->names[all->count++] = name;
}

static bool no_member(gx_rt *rt, gx_module *m, const char *member) {
    gx_fail(rt, GX_ImportError, "import.member", "cannot import name '%s' from '%s'", member,
            gx_sym_text(rt, m->name));
    if (strcmp(gx_sym_text(rt, m->name), "scipy") == 0) gx_scipy_parts(rt);
    nearest *all = malloc(sizeof *all);
    if (!all) return false;
    all->count = 0;
    gx_module_each(rt, m, add_name, all);
    const char *near = gx_near_name(member, all->names, all->count);
    if (near) gx_help(rt, "did you mean `%s`?", near);
    free(all);
    gx_exception_tell_text(rt, "name", gx_sym_text(rt, m->name));
    return gx_exception_tell_text(rt, "name_from", member);
}

/* A member of a module, or a module below it. */
static bool member_of(gx_frame *f, gx_value module, gx_sym name, gx_value *out) {
    gx_rt *rt = f->rt;
    gx_value folders;
    if (gx_is_python(module)) return gx_python_member(rt, module, name, out);
    if (module.tag != GX_MODULE) return gx_get_attr(rt, module, name, out); /* of sys.modules */
    gx_module *m = gx_as_module(module);
    gx_try found = gx_module_attr(rt, m, name, out);
    if (found == GX_TRY_ERROR && rt->error.kind == GX_AttributeError) {
        gx_error_clear(rt);
        found = GX_TRY_NO;
    }
    if (found != GX_TRY_NO) return found == GX_TRY_YES;
    gx_buf path = gx_buf_new(rt);
    if (!gx_buf_printf(&path, "%s.%s", gx_sym_text(rt, m->name), gx_sym_text(rt, name)))
        found = GX_TRY_ERROR;
    else if (gx_text_module_find(gx_buf_text(&path)))
        found = gx_import(rt, gx_buf_text(&path), out) ? GX_TRY_YES : GX_TRY_ERROR;
    else if ((found = gx_import_name(rt, m, "__path__", &folders)) == GX_TRY_YES) {
        gx_drop(folders);
        found = gx_import_found(rt, gx_buf_text(&path), out);
        if (found == GX_TRY_NO) found = gx_import_file(rt, gx_buf_text(&path), out);
    } else if (found == GX_TRY_NO) {
        found = gx_module_import(rt, gx_buf_text(&path), out);
    }
    gx_buf_free(&path);
    if (found == GX_TRY_NO && !gx_failed(&rt->error))
        return no_member(rt, m, gx_sym_text(rt, name));
    return found == GX_TRY_YES;
}

/* "..part" seen from a module of a package. */
static bool absolute(gx_frame *f, const char *name, gx_buf *out) {
    gx_rt *rt = f->rt;
    gx_value package;
    size_t dots = strspn(name, ".");
    if (!dots) return gx_buf_puts(out, name);
    gx_try has = gx_import_name(rt, f->globals, "__package__", &package);
    if (has == GX_TRY_ERROR) return false;
    bool known = has == GX_TRY_YES && package.tag == GX_STR && gx_as_str(package)->length;
    bool ok = known && gx_buf_puts(out, gx_as_str(package)->text);
    if (has == GX_TRY_YES) gx_drop(package);
    if (!known)
        return gx_fail(rt, GX_ImportError, "import.relative",
                       "attempted relative import with no known parent package");
    for (size_t i = 1; ok && i < dots; i++) {
        char *dot = strrchr(gx_buf_text(out), '.');
        if (!dot)
            return gx_fail(rt, GX_ImportError, "import.relative",
                           "attempted relative import beyond top-level package");
        out->length = (size_t)(dot - out->data);
        *dot = '\0';
    }
    if (ok && name[dots]) ok = gx_buf_char(out, '.') && gx_buf_puts(out, name + dots);
    return ok;
}

int gx_exec_from(gx_frame *f, const gx_node *n) {
    gx_value m, v;
    gx_buf name = gx_buf_new(f->rt);
    bool ok =
        absolute(f, gx_sym_text(f->rt, n->name), &name) && gx_import(f->rt, gx_buf_text(&name), &m);
    gx_buf_free(&name);
    if (!ok) {
        gx_locate(f, n);
        return GX_FLOW_ERROR;
    }
    if (n->op == 1 && gx_is_python(m))
        ok = gx_python_all(f->rt, m, f->globals);
    else if (n->op == 1 && m.tag != GX_MODULE)
        ok = gx_fail(f->rt, GX_TypeError, "import.member", "import * needs a module, not '%s'",
                     gx_type_name(m));
    else if (n->op == 1)
        ok = gx_import_all(f->rt, gx_as_module(m), f->globals);
    if (!ok) gx_locate(f, n);
    for (int32_t i = 0; ok && n->op != 1 && i < n->n; i++) {
        const gx_node *alias = n->list[i];
        ok = member_of(f, m, alias->name, &v) || gx_locate(f, alias);
        if (ok) ok = gx_assign_take(f, alias->a, v);
    }
    gx_drop(m);
    return ok ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}
