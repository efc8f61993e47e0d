/* How a value looks: its repr, pictures of figures, and what its class says of itself. */
#include <stdlib.h>
#include <string.h>

#include "interp/embed/state_int.h"
#include "runtime/object/class/class.h"
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

enum { MOST = 8 };

/* The items and their bytes, each malloc'd. */
typedef struct shown {
    gx_bundle bundle;
    gx_mime item[MOST];
} shown;

static bool add(gx_rt *rt, shown *b, const char *type, const char *data, size_t length) {
    char *own = malloc(length + 1);
    if (!own) return gx_no_memory(rt);
    if (length) memcpy(own, data, length);
    own[length] = '\0';
    b->item[b->bundle.count++] = (gx_mime){type, own, length};
    return true;
}

/* x._repr_html_() where the class has it; None is nothing. */
static bool add_own(gx_rt *rt, shown *b, gx_borrowed v, const char *method, const char *type) {
    gx_value fn, text = gx_undef();
    gx_sym name = gx_sym_c(rt, method);
    gx_try has = name ? gx_try_attr(rt, v, name, &fn) : GX_TRY_ERROR;
    if (has != GX_TRY_YES) return has == GX_TRY_NO;
    bool ok = gx_call_value(rt, fn, 0, NULL, 0, NULL, &text);
    gx_drop(fn);
    if (!ok) return false;
    if (text.tag == GX_STR || text.tag == GX_BYTES)
        ok = add(rt, b, type, gx_as_str(text)->text, gx_as_str(text)->length);
    else if (text.tag != GX_NONE)
        ok = gx_fail(rt, GX_TypeError, "class.repr", "%s() gives a str, bytes or None, not %s",
                     method, gx_type_name(text));
    gx_drop(text);
    return ok;
}

static bool fill(gx_rt *rt, shown *b, gx_borrowed v) {
    static const char *const own[][2] = {{"_repr_html_", "text/html"},
                                         {"_repr_png_", "image/png"},
                                         {"_repr_svg_", "image/svg+xml"},
                                         {"_repr_latex_", "text/latex"},
                                         {"_repr_markdown_", "text/markdown"}};
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_repr(rt, v, &text) &&
              add(rt, b, "text/plain", gx_buf_text(&text), text.length);
    gx_buf_free(&text);
    for (size_t i = 0; ok && gx_is_instance(v) && i < sizeof own / sizeof *own; i++)
        ok = add_own(rt, b, v, own[i][0], own[i][1]);
    return ok;
}

gx_bundle *gx_ref_show(gx_ref *r) {
    gx_rt *rt = gx_state_enter(r->state);
    shown *b = calloc(1, sizeof *b);
    if (b) b->bundle.item = b->item;
    gx_ref_keep(r);
    bool ok = b ? fill(rt, b, r->value) : gx_no_memory(rt);
    ok = gx_state_done(r->state, ok);
    gx_ref_drop(r);
    if (ok) return &b->bundle;
    gx_bundle_free(b ? &b->bundle : NULL);
    return NULL;
}

void gx_bundle_free(gx_bundle *b) {
    for (size_t i = 0; b && i < b->count; i++) free((void *)(uintptr_t)b->item[i].data);
    free(b);
}
