/* Kernels that are templates: t[grid, block](x, n) launches the instance that the arguments ask
   for, t["float, 4"] is the one that the script names. */
#include <stdio.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"
#include "runtime/op/ufunc.h"
#include "stdlib/cuda/kernels_int.h"

typedef struct template {
    gx_obj obj;
    gx_raw *raw; /* owned */
    int number;
}
template;

/* A template with grid and block, until the arguments tell the instance. */
typedef struct template_launch {
    gx_obj obj;
    gx_value of, key; /* owned */
} template_launch;

extern const gx_type gx_type_kernel_template;
static const gx_type template_launch_type;

static const template *as_template(gx_borrowed v) {
    return (const template *)(const void *)v.obj;
}

bool gx_kernel_template(gx_rt *rt, gx_raw *raw, int k, gx_value *out) {
    template *t = gx_obj_new(rt, &gx_type_kernel_template, sizeof *t);
    if (!t) return false;
    raw->refs++;
    t->raw = raw;
    t->number = k;
    *out = gx_object(&t->obj);
    return true;
}

static void free_template(gx_rt *rt, gx_obj *o) {
    gx_raw_drop(((template *)(void *)o)->raw);
    gx_free(rt, o);
}

static void free_launch(gx_rt *rt, gx_obj *o) {
    gx_drop(((template_launch *)(void *)o)->of);
    gx_drop(((template_launch *)(void *)o)->key);
    gx_free(rt, o);
}

static bool repr_template(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    gx_raw_template t;
    (void)rt;
    if (!gx_raw_template_at(as_template(v)->raw, as_template(v)->number, &t)) return true;
    bool ok = gx_buf_puts(out, "<kernel template ") && gx_buf_printf(out, "%s<", t.name);
    for (int p = 0; p < t.n_param && ok; p++)
        ok = gx_buf_printf(out, "%s%s", p ? ", " : "", t.param[p].name);
    ok = ok && gx_buf_puts(out, ">(");
    for (int p = 0; p < t.function.n_param && ok; p++)
        ok = gx_buf_printf(out, "%s%s %s", p ? ", " : "", t.function.param[p].type,
                           t.function.param[p].name);
    return ok && gx_buf_puts(out, ")>");
}

/* The dtype that an argument has for a template's parameter. */
static gx_dtype dtype_of(gx_borrowed v) {
    if (gx_is_array(v)) return (gx_dtype)gx_as_array(v)->dtype;
    if (v.tag == GX_SCALAR || v.tag == GX_SCALAR_BOX) return gx_scalar_dtype(v);
    if (v.tag == GX_BOOL) return GX_bool;
    if (v.tag == GX_INT) return GX_i32; /* C's int */
    if (v.tag == GX_FLOAT) return GX_f64;
    return GX_NO_DTYPE;
}

/* "f<float, 4>" by the arguments; parameters with a default may stay away at the end. */
static bool find_instance(gx_rt *rt, const gx_raw_template *t, int n, const gx_borrowed *args,
                          gx_buf *out) {
    uint8_t dtypes[GX_RAW_PARAMS];
    bool arrays[GX_RAW_PARAMS];
    if (n > GX_RAW_PARAMS) n = GX_RAW_PARAMS;
    for (int k = 0; k < n; k++) {
        dtypes[k] = (uint8_t)dtype_of(args[k]);
        arrays[k] = gx_is_array(args[k]);
    }
    bool ok = gx_buf_printf(out, "%s<", t->name);
    for (int p = 0; p < t->n_param && ok; p++) {
        const gx_template_param *q = &t->param[p];
        const char *type = q->is_type ? gx_raw_template_type(t, p, dtypes, arrays, n) : NULL;
        if (!type && q->has_default) break;
        if (!type) {
            gx_fail(rt, GX_TypeError, "kernel.template",
                    "%s: the arguments do not tell the template's parameter %s", t->name, q->name);
            return gx_help(rt, "name the instance: [\"%s<%s%s%s>\"]", t->name, p ? "float, " : "",
                           q->is_type ? "float" : "8", p + 1 < t->n_param ? ", …" : "");
        }
        ok = gx_buf_printf(out, "%s%s", p ? ", " : "", type);
    }
    return ok && gx_buf_char(out, '>');
}

/* The kernel of an expression. */
static bool instance(gx_rt *rt, const template *t, const char *expression, gx_value *out) {
    gx_raw *raw;
    int entry;
    return gx_raw_instance(t->raw, expression, &raw, &entry) && gx_kernel_of(rt, raw, entry, out);
}

static bool instance_for(gx_rt *rt, const template *t, int n, const gx_borrowed *args,
                         gx_value *out) {
    gx_raw_template facts;
    if (!gx_raw_template_at(t->raw, t->number, &facts)) return false;
    gx_buf text = gx_buf_new(rt);
    bool ok = find_instance(rt, &facts, n, args, &text) && instance(rt, t, gx_buf_text(&text), out);
    gx_buf_free(&text);
    return ok;
}

/* t["f<float, 4>"] or t["float, 4"]: an instance; t[grid, block]: how it will be launched. */
static bool get_template(gx_rt *rt, gx_borrowed self, gx_borrowed key, gx_value *out) {
    const template *t = as_template(self);
    if (key.tag == GX_STR) {
        gx_raw_template facts;
        const char *text = gx_as_str(key)->text;
        if (strchr(text, '<') || !gx_raw_template_at(t->raw, t->number, &facts))
            return instance(rt, t, text, out);
        gx_buf full = gx_buf_new(rt);
        bool ok = gx_buf_printf(&full, "%s<%s>", facts.name, text) &&
                  instance(rt, t, gx_buf_text(&full), out);
        gx_buf_free(&full);
        return ok;
    }
    template_launch *l = gx_obj_new(rt, &template_launch_type, sizeof *l);
    if (!l) return false;
    l->of = gx_keep(self);
    l->key = gx_keep(key);
    *out = gx_object(&l->obj);
    return true;
}

static bool call_template(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                          const gx_sym *kw, gx_value *out) {
    const gx_value *args = argv;
    int64_t n = argc;
    bool cupy = argc >= 3 && argc <= 4 && (argv[2].tag == GX_TUPLE || argv[2].tag == GX_LIST);
    if (cupy) n = gx_sequence_items(argv[2], &args);
    gx_value kernel;
    if (!instance_for(rt, as_template(self), (int)n, args, &kernel)) return false;
    bool ok = gx_call_value(rt, kernel, argc, argv, kwc, kw, out);
    gx_drop(kernel);
    return ok;
}

static bool call_launch(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                        const gx_sym *kw, gx_value *out) {
    const template_launch *l = (const template_launch *)(const void *)self.obj;
    gx_value kernel, launcher;
    if (!instance_for(rt, as_template(l->of), argc, argv, &kernel)) return false;
    bool ok = gx_get_item(rt, kernel, l->key, &launcher);
    gx_drop(kernel);
    if (!ok) return false;
    ok = gx_call_value(rt, launcher, argc, argv, kwc, kw, out);
    gx_drop(launcher);
    return ok;
}

const gx_type gx_type_kernel_template = {
    .name = "kernel template",
    .dtype = GX_NO_DTYPE,
    .tag = GX_OBJECT,
    .doc = "A kernel that is a template: t[grid, block](…), or t[\"float, 4\"] for an instance.",
    .free = free_template,
    .repr = repr_template,
    .get = get_template,
    .call = call_template};

static const gx_type template_launch_type = {
    .name = "kernel launch",
    .dtype = GX_NO_DTYPE,
    .tag = GX_OBJECT,
    .doc = "A template of a kernel with its grid and block; call it with the arguments.",
    .free = free_launch,
    .call = call_launch};
