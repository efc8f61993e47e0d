/* More that messages say: the axes an array has, the last element, the largest arrays when memory
   is short, what was called that cannot be. As in suggest.c nothing can fail here, and only what
   was looked at is said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/errors/suggest_int.h"
#include "runtime/array/array.h"

/* --- axes --- */

/* "a has axes 0 (size 3) and 1 (size 4)". */
static bool put_axes(const char *name, size_t length, const gx_array *a, gx_buf *out) {
    bool ok = gx_buf_add(out, name, length) && gx_buf_puts(out, a->ndim == 0   ? " has no axes"
                                                                : a->ndim == 1 ? " has axis "
                                                                               : " has axes ");
    for (int i = 0; ok && i < a->ndim; i++)
        ok = gx_buf_printf(out, "%s%d (size %lld)",
                           i == 0             ? ""
                           : i == a->ndim - 1 ? " and "
                                              : ", ",
                           i, (long long)gx_shape(a)[i]);
    return ok;
}

/* The array that a call works on, when it has a name: x of x.sum(2), np.sum(x, 2), sum(x, 2). */
static const gx_node *subject(gx_frame *f, const gx_node *call) {
    const gx_node *first = call->n ? call->list[0] : NULL;
    if (call->a->kind != GX_NODE_ATTR) return first;
    gx_value base = gx_name_value(f, call->a->a);
    bool method = base.tag == GX_ARRAY;
    gx_drop(base);
    return method ? call->a->a : first;
}

void gx_suggest_axes(gx_frame *f, const gx_node *call) {
    enum { MOST = 8 };
    gx_rt *rt = f->rt;
    gx_error *e = &rt->error, saved;
    if (e->kind != GX_AxisError || strcmp(e->code, "shape.axis") != 0) return;
    if (e->number_count != 2 || e->number[1] > MOST) return;
    const int ndim = (int)e->number[1];
    gx_buf text = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    const gx_node *node = subject(f, call);
    gx_value v = node ? gx_name_value(f, node) : gx_undef();
    const char *name;
    size_t length;
    bool ok = v.tag == GX_ARRAY && gx_as_array(v)->ndim == ndim &&
              gx_source_words(rt, node, &name, &length) &&
              put_axes(name, length, gx_as_array(v), &text);
    gx_drop(v);
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok)
        gx_note(rt, "%s", gx_buf_text(&text));
    else if (ndim > 1)
        gx_note(rt, "its axes are 0 to %d; from the end -1 to -%d", ndim - 1, ndim);
    gx_buf_free(&text);
}

/* --- one too far --- */

void gx_suggest_last(gx_frame *f, const gx_node *n, gx_borrowed x) {
    gx_rt *rt = f->rt;
    gx_error *e = &rt->error, saved;
    if (n->kind != GX_NODE_INDEX || n->b->kind == GX_NODE_TUPLE || x.tag != GX_ARRAY) return;
    if (strcmp(e->code, "index.range") != 0 || e->number_count != 3) return;
    const int64_t index = e->number[0], axis = e->number[1], size = e->number[2];
    if (index != size || axis != 0 || size == 0) return;
    gx_buf name = gx_buf_new(rt), text = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    bool ok = gx_put_source(rt, n->a, true, &name) &&
              gx_buf_printf(&text, "%s[%lld] or %s[-1] is the last one", gx_buf_text(&name),
                            (long long)size - 1, gx_buf_text(&name));
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok) gx_set_help(e, &text);
    gx_buf_free(&name);
    gx_buf_free(&text);
}

/* --- memory --- */

enum { SHOWN = 3 };

typedef struct largest {
    const gx_array *array[SHOWN];
    gx_sym name[SHOWN];
} largest;

/* Views of one storage count once, under the name that shows the most. */
static void consider(largest *l, gx_sym name, gx_borrowed v) {
    if (v.tag != GX_ARRAY || !name || gx_array_nbytes(gx_as_array(v)) < (1 << 20)) return;
    const gx_array *a = gx_as_array(v);
    int at = SHOWN;
    for (int i = SHOWN - 1; i >= 0; i--) {
        if (l->array[i] && l->array[i]->storage == a->storage) return;
        if (!l->array[i] || gx_array_nbytes(l->array[i]) < gx_array_nbytes(a)) at = i;
    }
    for (int i = SHOWN - 1; i > at; i--) {
        l->array[i] = l->array[i - 1];
        l->name[i] = l->name[i - 1];
    }
    if (at < SHOWN) {
        l->array[at] = a;
        l->name[at] = name;
    }
}

static bool put_bytes(int64_t n, gx_buf *out) {
    bool large = n >= (int64_t)1 << 30;
    return gx_buf_printf(out, "%.4g %s", (double)n / (large ? 0x1p30 : 0x1p20),
                         large ? "GiB" : "MiB");
}

static void suggest_memory(gx_frame *f) {
    gx_rt *rt = f->rt;
    gx_error saved;
    largest l = {.array = {NULL}};
    if (f->code)
        for (int32_t i = 0; i < f->code->slots; i++)
            consider(&l, f->code->slot_names[i], f->slots[i]);
    for (int32_t i = 0; i < f->globals->count; i++)
        consider(&l, f->globals->names[i], f->globals->values[i]);
    if (!l.array[0]) return;
    gx_buf text = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    bool ok = true;
    for (int i = 0; ok && i < SHOWN && l.array[i]; i++)
        ok = gx_buf_printf(&text, "%s%s ", i ? ", " : "", gx_sym_text(rt, l.name[i])) &&
             put_bytes(gx_array_nbytes(l.array[i]), &text);
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok) gx_note(rt, "largest arrays here: %s", gx_buf_text(&text));
    gx_buf_free(&text);
}

/* Names among a frame's slots and globals: lost with the GPU, or kept. */
static bool list_names(gx_frame *f, bool lost, gx_buf *out) {
    int32_t slots = f->code ? f->code->slots : 0;
    int shown = 0, most = 8;
    for (int32_t i = 0; i < slots + f->globals->count; i++) {
        bool local = i < slots;
        gx_sym name = local ? f->code->slot_names[i] : f->globals->names[i - slots];
        gx_borrowed v = local ? f->slots[i] : f->globals->values[i - slots];
        if (v.tag != GX_ARRAY || !name || gx_array_needs_gpu(gx_as_array(v)) != lost) continue;
        if (++shown > most) return gx_buf_puts(out, ", …");
        if (!gx_buf_printf(out, "%s%s", shown > 1 ? ", " : "", gx_sym_text(f->rt, name)))
            return false;
    }
    return true;
}

static void suggest_lost(gx_frame *f) {
    gx_rt *rt = f->rt;
    gx_error saved;
    gx_buf gone = gx_buf_new(rt), kept = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    bool ok = list_names(f, true, &gone) && list_names(f, false, &kept);
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok && gone.length) gx_note(rt, "lost: %s", gx_buf_text(&gone));
    if (ok && kept.length) gx_note(rt, "on the host: %s", gx_buf_text(&kept));
    gx_buf_free(&gone);
    gx_buf_free(&kept);
}

void gx_suggest_held(gx_frame *f) {
    if (strncmp(f->rt->error.code, "memory.", 7) == 0)
        suggest_memory(f);
    else if (strcmp(f->rt->error.code, "cuda.lost") == 0)
        suggest_lost(f);
}

/* --- calls --- */

/* The value that a call tried to call, when looking at it again has no effects: a name, or an
   attribute of a name. */
static gx_value called(gx_frame *f, const gx_node *callee) {
    gx_value v = gx_undef();
    if (callee->kind == GX_NODE_NAME) return gx_name_value(f, callee);
    if (callee->kind != GX_NODE_ATTR) return v;
    gx_value base = gx_name_value(f, callee->a);
    if (base.tag == GX_ARRAY && !gx_get_attr(f->rt, base, callee->name, &v)) {
        gx_error_clear(f->rt);
        v = gx_undef();
    }
    gx_drop(base);
    return v;
}

/* A kernel's argument of another dtype: the help "x.astype('float32')", or before a call that
   writes "convert before the call: x = x.astype('float32')", names the parameter; it is to name the
   argument. It is the only one of the dtype that was given, or the parameter stays. */
static void suggest_cast(gx_frame *f, const gx_node *call) {
    gx_rt *rt = f->rt;
    gx_error *e = &rt->error, saved;
    const gx_node *found = NULL;
    static const char before[] = "convert before the call: ";
    if (!e->help || e->number_count != 2) return;
    const bool writes = strncmp(e->help, before, sizeof before - 1) == 0;
    const char *wanted = gx_dtypes[e->number[0]].name;
    const int64_t given = e->number[1];
    gx_buf text = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    int count = 0;
    for (int32_t i = 0; i < call->n; i++) {
        gx_value v = gx_name_value(f, call->list[i]);
        if (v.tag == GX_ARRAY && gx_as_array(v)->dtype == given) {
            found = call->list[i];
            count++;
        }
        gx_drop(v);
    }
    const char *parameter = saved.help + (writes ? sizeof before - 1 : 0);
    bool ok;
    if (count == 1)
        ok = (!writes || (gx_buf_puts(&text, before) && gx_put_source(rt, found, true, &text) &&
                          gx_buf_puts(&text, " = "))) &&
             gx_put_source(rt, found, true, &text) && gx_buf_printf(&text, ".astype('%s')", wanted);
    else
        ok = gx_buf_printf(&text, "%s.astype('%s') makes one for parameter '%.*s'",
                           writes ? "before the call, " : "", wanted, (int)strcspn(parameter, ". "),
                           parameter);
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok) gx_set_help(e, &text);
    gx_buf_free(&text);
}

/* The arguments' words between commas; false: there is more to them. */
static bool put_arguments(gx_rt *rt, const gx_node *call, gx_buf *out) {
    for (int32_t i = 0; i < call->n; i++) {
        const char *words;
        size_t n;
        if (call->list[i]->kind == GX_NODE_KEYWORD || call->list[i]->kind == GX_NODE_STARRED ||
            (i && !gx_buf_puts(out, ", ")) || !gx_source_words(rt, call->list[i], &words, &n) ||
            !gx_buf_add(out, words, n))
            return false;
    }
    return true;
}

/* array(1, 2, 3): one list is meant. */
static void suggest_list(gx_frame *f, const gx_node *call) {
    gx_rt *rt = f->rt;
    gx_error *e = &rt->error, saved;
    if (e->help || strcmp(e->code, "call.arguments") != 0 || e->number_count != 3) return;
    const gx_node *fn = call->a;
    if ((fn->kind != GX_NODE_NAME && fn->kind != GX_NODE_ATTR) ||
        strcmp(gx_sym_text(rt, fn->name), "array") != 0)
        return;
    for (int32_t i = 0; i < call->n; i++)
        if (call->list[i]->kind != GX_NODE_INT && call->list[i]->kind != GX_NODE_FLOAT) return;
    gx_buf text = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    bool ok = gx_put_source(rt, call->a, true, &text) && gx_buf_puts(&text, "([") &&
              put_arguments(rt, call, &text) && gx_buf_puts(&text, "])");
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok) gx_set_help(e, &text);
    gx_buf_free(&text);
}

/* zeros[3]: a function is called with (). */
void gx_suggest_brackets(gx_frame *f, const gx_node *n, gx_borrowed x) {
    gx_rt *rt = f->rt;
    gx_error *e = &rt->error, saved;
    if (n->kind != GX_NODE_INDEX || e->help || strcmp(e->code, "type.subscript") != 0) return;
    if (gx_as_type(x) || !gx_callable(x)) return;
    gx_buf text = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    bool ok =
        gx_put_source(rt, n->a, true, &text) && gx_buf_puts(&text, " is a function: () calls it");
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok) gx_set_help(e, &text);
    gx_buf_free(&text);
}

void gx_suggest_call(gx_frame *f, const gx_node *call) {
    gx_rt *rt = f->rt;
    gx_error *e = &rt->error, saved;
    if (strcmp(e->code, "kernel.arg") == 0) suggest_cast(f, call);
    suggest_list(f, call);
    if (strcmp(e->code, "call.type") != 0 || e->help) return;
    gx_buf text = gx_buf_new(rt);
    gx_error_save(rt, &saved);
    gx_value v = called(f, call->a);
    bool ok = v.tag != GX_UNDEF && !gx_callable(v) && gx_put_source(rt, call->a, true, &text);
    if (ok && call->n == 0) {
        ok = gx_buf_puts(&text, " is a value, no function: write it without ()");
    } else if (ok) {
        ok = (v.tag == GX_ARRAY || v.tag == GX_LIST || v.tag == GX_TUPLE || v.tag == GX_DICT) &&
             gx_buf_char(&text, '[') && put_arguments(rt, call, &text);
        ok = ok && gx_buf_puts(&text, "] is an element; () calls a function");
    }
    gx_drop(v);
    gx_error_clear(rt);
    gx_error_restore(rt, &saved);
    if (ok) gx_set_help(e, &text);
    gx_buf_free(&text);
}

void gx_suggest_range(gx_frame *f, const gx_node *n) {
    gx_error *e = &f->rt->error, saved;
    if (e->at.end || strcmp(e->code, "type.iterate") != 0) return;
    if (e->number_count != 1 || e->number[0] != GX_INT) return;
    gx_buf text = gx_buf_new(f->rt);
    gx_error_save(f->rt, &saved);
    bool ok = gx_buf_puts(&text, "range(") && gx_put_source(f->rt, n, false, &text) &&
              gx_buf_puts(&text, ") counts from 0");
    gx_error_clear(f->rt);
    gx_error_restore(f->rt, &saved);
    if (ok) gx_set_help(e, &text);
    gx_buf_free(&text);
}
