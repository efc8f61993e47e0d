/* RawModule under CuPy's name, and the kernels of a literal: those of a source by their names, and
   instances of its templates. */
#include <string.h>

#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "stdlib/cuda/cuda.h"
#include "stdlib/cuda/kernels.h"
#include "stdlib/cuda/kernels_int.h"
#include "stdlib/stdlib.h"

typedef struct raw_module {
    gx_obj obj;
    gx_raw *raw;
} raw_module;

static void free_module(gx_rt *rt, gx_obj *o) {
    gx_raw_drop(((raw_module *)(void *)o)->raw);
    gx_free(rt, o);
}

static bool module_of(gx_rt *rt, gx_raw *raw, gx_value *out) {
    raw_module *m = gx_obj_new(rt, &gx_type_raw_module, sizeof *m);
    if (!m) return false;
    raw->refs++;
    m->raw = raw;
    *out = gx_object(&m->obj);
    return true;
}

static bool raw_module_fn(gx_call *c, gx_value *out) {
    const char *code, *options[GX_KERNEL_OPTIONS], *names[GX_KERNEL_OPTIONS];
    size_t length;
    int n, n_names;
    gx_raw *raw;
    if (!gx_arg_str(c, 0, &code, &length) ||
        !gx_kernel_strings(c, 2, options, GX_KERNEL_OPTIONS, &n) ||
        !gx_kernel_strings(c, 4, names, GX_KERNEL_OPTIONS, &n_names))
        return false;
    if (!gx_raw_new(c->rt, code, "kernel", 1, options, n, names, n_names, &raw)) return false;
    bool ok = module_of(c->rt, raw, out);
    gx_raw_drop(raw);
    return ok;
}

static const gx_native raw_module_row = {
    "RawModule",
    "RawModule(code, path=None, options=(), backend='nvrtc', name_expressions=None, "
    "translate_cucomplex=False, enable_cooperative_groups=False, jitify=False)",
    "Kernels in CUDA C++, compiled together by NVRTC; get_function(name) gives one.",
    NULL,
    raw_module_fn,
    0,
    0};

bool gx_kernel_literal(struct gx_rt *rt, const char *text, const char *file, int line,
                       gx_value *out) {
    gx_raw *raw;
    if (!gx_raw_new(rt, text, file, line, NULL, 0, NULL, 0, &raw)) return false;
    gx_raw_template t;
    bool templates = gx_raw_template_at(raw, 0, &t),
         more = templates && gx_raw_template_at(raw, 1, &t);
    bool ok = raw->n_entry == 1 && !templates           ? gx_kernel_of(rt, raw, 0, out)
              : raw->n_entry == 0 && templates && !more ? gx_kernel_template(rt, raw, 0, out)
                                                        : module_of(rt, raw, out);
    gx_raw_drop(raw);
    return ok;
}

static bool repr_module(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    (void)rt;
    const gx_raw *raw = ((raw_module *)(void *)v.obj)->raw;
    bool ok = gx_buf_puts(out, "<kernels");
    for (int k = 0; k < raw->n_entry && ok; k++)
        ok = gx_buf_printf(out, "%s %s", k ? "," : "", raw->entry[k].name);
    gx_raw_template t;
    for (int k = 0; ok && gx_raw_template_at(raw, k, &t); k++)
        ok = gx_buf_printf(out, "%s template %s", k || raw->n_entry ? "," : "", t.name);
    return ok && gx_buf_char(out, '>');
}

/* A kernel of the module, one of its templates, or an instance of one. */
static bool named(gx_rt *rt, gx_raw *raw, const char *name, gx_value *out) {
    int entry = gx_raw_find(raw, name), k = entry < 0 ? gx_raw_template_find(raw, name) : -1;
    if (k >= 0) return gx_kernel_template(rt, raw, k, out);
    if (entry < 0 && strchr(name, '<'))
        return gx_raw_instance(raw, name, &raw, &entry) && gx_kernel_of(rt, raw, entry, out);
    return gx_kernel_find(rt, raw, name, &entry) && gx_kernel_of(rt, raw, entry, out);
}

static bool get_function_fn(gx_call *c, gx_value *out) {
    gx_raw *raw = ((raw_module *)(void *)c->argv[0].obj)->raw;
    const char *name;
    size_t length;
    return gx_arg_str(c, 1, &name, &length) && named(c->rt, raw, name, out);
}

static bool get_global_fn(gx_call *c, gx_value *out) {
    gx_raw *raw = ((raw_module *)(void *)c->argv[0].obj)->raw;
    const char *name;
    size_t length;
    return gx_arg_str(c, 1, &name, &length) && gx_kernel_global(c->rt, raw, name, out);
}

static gx_try attr_module(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_raw *raw = ((raw_module *)(void *)v.obj)->raw;
    int entry = gx_raw_find(raw, gx_sym_text(rt, name));
    int k = entry < 0 ? gx_raw_template_find(raw, gx_sym_text(rt, name)) : -1;
    if (entry < 0 && k < 0) return GX_TRY_NO;
    bool ok = entry >= 0 ? gx_kernel_of(rt, raw, entry, out) : gx_kernel_template(rt, raw, k, out);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* m["f"], m["f<float, 4>"] */
static bool get_module(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_raw *raw = ((raw_module *)(void *)v.obj)->raw;
    if (key.tag != GX_STR)
        return gx_fail(rt, GX_TypeError, "kernel.name", "a kernel is named by a string, not by %s",
                       gx_type_name(key));
    return named(rt, raw, gx_as_str(key)->text, out);
}

static const gx_native module_methods[] = {
    {"get_function", "get_function(self, name)", "The kernel of that name.", NULL, get_function_fn,
     0, 0},
    {"get_global", "get_global(self, name)",
     "The variable of that name: copy_from(x), array(dtype).", NULL, get_global_fn, 0, 0},
    {.name = NULL},
};

const gx_type gx_type_raw_module = {.name = "cupy.RawModule",
                                    .dtype = GX_NO_DTYPE,
                                    .tag = GX_OBJECT,
                                    .doc = "Kernels in CUDA C++ that were compiled together.",
                                    .free = free_module,
                                    .repr = repr_module,
                                    .attr = attr_module,
                                    .get = get_module,
                                    .construct = &raw_module_row,
                                    .methods = module_methods};

const gx_constant gx_kernels_constants[] = {
    {.name = "RawKernel", .kind = GX_CONST_TYPE, .type = &gx_type_raw_kernel},
    {.name = "RawModule", .kind = GX_CONST_TYPE, .type = &gx_type_raw_module},
    {.name = NULL},
};
