/* References: values that a program holds, made from C and read from C; and C functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/embed/state_int.h"
#include "runtime/array/array.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"

gx_ref *gx_ref_new_take(gx_state *s, gx_value v) {
    gx_ref *r = malloc(sizeof *r);
    if (!r) {
        gx_drop(v);
        gx_no_memory(s->rt);
        return NULL;
    }
    *r = (gx_ref){.value = v, .state = s, .users = 1, .next = s->refs};
    if (r->next) r->next->before = r;
    s->refs = r;
    return r;
}

gx_ref *gx_ref_keep(gx_ref *r) {
    r->users++;
    return r;
}

void gx_ref_drop(gx_ref *r) {
    if (!r || --r->users > 0) return;
    gx_state *s = r->state;
    if (r->before) r->before->next = r->next;
    else s->refs = r->next;
    if (r->next) r->next->before = r->before;
    gx_drop(r->value); /* a __del__ waits for the next call */
    free(r);
}

/* --- making ----------------------------------------------------------------------------------- */

static gx_ref *inline_value(gx_state *s, gx_value v) {
    gx_state_enter(s);
    return gx_state_give(s, true, v);
}

gx_ref *gx_ref_none(gx_state *s) {
    return inline_value(s, gx_none());
}

gx_ref *gx_ref_bool(gx_state *s, bool v) {
    return inline_value(s, gx_bool(v));
}

gx_ref *gx_ref_int(gx_state *s, int64_t v) {
    return inline_value(s, gx_int(v));
}

gx_ref *gx_ref_float(gx_state *s, double v) {
    return inline_value(s, gx_float(v));
}

gx_ref *gx_ref_text(gx_state *s, const char *text, size_t length) {
    gx_rt *rt = gx_state_enter(s);
    gx_value v = gx_undef();
    size_t good = gx_utf8_valid(text, length);
    bool ok = good == length || gx_fail(rt, GX_UnicodeDecodeError, "arg.text",
                                        "the text is not UTF-8 from byte %zu on", good);
    return gx_state_give(s, ok && gx_str_new(rt, text, length, &v), v);
}

gx_ref *gx_ref_list(gx_state *s, size_t count, gx_ref *const *items) {
    gx_rt *rt = gx_state_enter(s);
    gx_value list = gx_undef();
    bool ok = gx_list_new(rt, 0, NULL, &list);
    for (size_t i = 0; ok && i < count; i++)
        ok = gx_list_push_take(rt, list, gx_keep(items[i]->value));
    if (!ok) gx_drop(gx_steal(&list));
    return gx_state_give(s, ok, list);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool wrong(gx_rt *rt, const gx_ref *r, const char *wanted) {
    return gx_fail(rt, GX_TypeError, "arg.type", "%s is wanted, not %s", wanted,
                   gx_type_name(r->value));
}

bool gx_ref_to_bool(gx_ref *r, bool *out) {
    gx_rt *rt = gx_state_enter(r->state);
    return gx_state_done(r->state, gx_truth(rt, r->value, out));
}

bool gx_ref_to_int(gx_ref *r, int64_t *out) {
    gx_rt *rt = gx_state_enter(r->state);
    gx_try is = gx_as_index(rt, r->value, out);
    return gx_state_done(r->state,
                         is == GX_TRY_YES || (is == GX_TRY_NO && wrong(rt, r, "an integer")));
}

bool gx_ref_to_float(gx_ref *r, double *out) {
    gx_rt *rt = gx_state_enter(r->state);
    gx_try is = gx_as_double(rt, r->value, out);
    if (is == GX_TRY_NO && r->value.tag == GX_ARRAY) {
        gx_scalar one, real;
        const gx_array *a = gx_as_array(r->value);
        if (a->count == 1 && gx_dtype_kind(a->dtype) != GX_KIND_CPLX) {
            is = gx_array_item(rt, a, &one) ? GX_TRY_YES : GX_TRY_ERROR;
            if (is == GX_TRY_YES) real = gx_scalar_cast((gx_dtype)a->dtype, GX_f64, &one);
            if (is == GX_TRY_YES) *out = real.f64;
        }
    }
    return gx_state_done(r->state,
                         is == GX_TRY_YES || (is == GX_TRY_NO && wrong(rt, r, "a number")));
}

bool gx_ref_to_text(gx_ref *r, const char **text, size_t *length) {
    gx_rt *rt = gx_state_enter(r->state);
    bool ok = r->value.tag == GX_STR || wrong(rt, r, "a str");
    if (ok) *text = gx_as_str(r->value)->text;
    if (ok && length) *length = gx_as_str(r->value)->length;
    return gx_state_done(r->state, ok);
}

char *gx_ref_str(gx_ref *r) {
    gx_rt *rt = gx_state_enter(r->state);
    gx_buf text = gx_buf_new(rt);
    char *own = NULL;
    bool ok = gx_str_into(rt, r->value, &text);
    if (ok && !(own = strndup(gx_buf_text(&text), text.length))) ok = gx_no_memory(rt);
    gx_buf_free(&text);
    return gx_state_done(r->state, ok) ? own : NULL;
}

const char *gx_ref_type(gx_ref *r) {
    return gx_type_name(r->value);
}

bool gx_ref_length(gx_ref *r, int64_t *out) {
    gx_rt *rt = gx_state_enter(r->state);
    return gx_state_done(r->state, gx_length(rt, r->value, out));
}

gx_ref *gx_ref_item(gx_ref *r, int64_t i) {
    gx_rt *rt = gx_state_enter(r->state);
    gx_value v = gx_undef();
    bool ok = gx_get_item(rt, r->value, gx_int(i), &v);
    return gx_state_give(r->state, ok, v);
}

gx_ref *gx_ref_attr(gx_ref *r, const char *name) {
    gx_rt *rt = gx_state_enter(r->state);
    gx_value v = gx_undef();
    gx_sym sym = gx_sym_c(rt, name);
    bool ok = sym && gx_get_attr(rt, r->value, sym, &v);
    return gx_state_give(r->state, ok, v);
}

gx_ref *gx_ref_call(gx_ref *fn, size_t argc, gx_ref *const *argv) {
    gx_state *s = fn->state;
    gx_rt *rt = gx_state_enter(s);
    gx_value few[8], *args = few, v = gx_undef();
    bool ok = argc <= 8 || (args = gx_alloc(rt, argc * sizeof *args)) != NULL;
    for (size_t i = 0; ok && i < argc; i++) args[i] = argv[i]->value;
    gx_ref_keep(fn);
    ok = ok && gx_call_value(rt, fn->value, (int)argc, args, 0, NULL, &v);
    if (args && args != few) gx_free(rt, args);
    gx_ref *given = gx_state_give(s, ok, v);
    gx_ref_drop(fn);
    return given;
}

/* --- C functions ------------------------------------------------------------------------------ */

typedef struct gx_host_function {
    gx_native row; /* first: a call knows it by its row */
    gx_state *state;
    gx_callback fn;
    void *self;
    char *name, *sig, *doc;
    struct gx_host_function *next;
} gx_host_function;

static bool call_host(gx_call *c, gx_value *out) {
    const gx_host_function *h = (const gx_host_function *)(const void *)c->fn;
    gx_state *s = h->state;
    size_t argc = (size_t)c->rest_count;
    gx_ref **argv = gx_alloc_zero(c->rt, (argc + 1) * sizeof *argv), *given = NULL;
    bool ok = argv != NULL;
    gx_error_free(&s->raised);
    for (size_t i = 0; ok && i < argc; i++)
        ok = (argv[i] = gx_ref_new_take(s, gx_keep(c->rest[i]))) != NULL;
    if (ok) given = h->fn(s, h->self, argc, argv);
    for (size_t i = 0; argv && i < argc; i++) gx_ref_drop(argv[i]);
    gx_free(c->rt, argv);
    if (!ok) return false;
    if (given) {
        *out = gx_keep(given->value);
        gx_ref_drop(given);
        return true;
    }
    return gx_host_failed(s, h->name);
}

bool gx_host_failed(gx_state *s, const char *name) {
    if (!gx_failed(&s->raised))
        return gx_fail(s->rt, GX_RuntimeError, "call.host",
                       "%s() gave no value and did not say why", name);
    gx_error_restore(s->rt, &s->raised);
    return false;
}

static void free_function(gx_host_function *h) {
    if (!h) return;
    free(h->name);
    free(h->sig);
    free(h->doc);
    free(h);
}

void gx_host_functions_free(gx_state *s) {
    for (gx_host_function *h = s->functions, *next; h; h = next) {
        next = h->next;
        free_function(h);
    }
    s->functions = NULL;
}

static bool is_name(const char *name) {
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return n && !name[n] && (*name < '0' || *name > '9');
}

static gx_host_function *new_function(gx_state *s, const char *name, const char *doc) {
    gx_host_function *h = calloc(1, sizeof *h);
    size_t bytes = strlen(name) + sizeof "(*args)";
    if (!h) return NULL;
    *h = (gx_host_function){.state = s, .name = strdup(name), .doc = strdup(doc ? doc : ""),
                            .sig = malloc(bytes)};
    if (!h->name || !h->doc || !h->sig) {
        free_function(h);
        return NULL;
    }
    snprintf(h->sig, bytes, "%s(*args)", name);
    h->row = (gx_native){.name = h->name, .sig = h->sig, .doc = h->doc, .fn = call_host,
                         .flags = GX_NATIVE_REST};
    h->next = s->functions;
    return s->functions = h;
}

gx_ref *gx_ref_function(gx_state *s, const char *name, const char *doc, gx_callback fn,
                        void *self) {
    gx_rt *rt = gx_state_enter(s);
    gx_host_function *h = NULL;
    if (!is_name(name))
        gx_fail(rt, GX_ValueError, "call.host", "'%.40s' is no name of a function", name);
    else if (!(h = new_function(s, name, doc)))
        gx_no_memory(rt);
    if (!h) return gx_state_give(s, false, gx_undef());
    h->fn = fn;
    h->self = self;
    return gx_state_give(s, true, gx_native_value(&h->row, GX_NS_GX));
}

gx_ref *gx_state_raise(gx_state *s, const char *kind, const char *message) {
    return gx_state_raise_code(s, kind, "", message);
}

gx_ref *gx_state_raise_code(gx_state *s, const char *kind, const char *code,
                            const char *message) {
    gx_rt *rt = gx_state_enter(s);
    gx_error_kind k = GX_RuntimeError;
    for (int i = 1; i < GX_ERROR_COUNT; i++)
        if (strcmp(gx_error_name((gx_error_kind)i), kind) == 0) k = (gx_error_kind)i;
    gx_fail(rt, k, code, "%s", message);
    return gx_state_give(s, false, gx_undef());
}
