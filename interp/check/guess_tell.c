/* What an editor asks about guesses: what each name of the text holds, and a value like the
   expression that ends at a place. The functions that the text does not call are run too, with
   parameters of which nothing is known, and nothing is told of them. */
#include <string.h>

#include "interp/check/guess_int.h"
#include "runtime/object/container/list.h"

enum { LONGEST = 60 };

void gx_guess_note(gx_guesses *r, gx_span at, gx_guess *g) {
    int32_t old;
    gx_sym key = (gx_sym)(at.start + 1);
    if (!r->c->more || !r->c->more->names || !g || r->failed) return;
    if (at.source != r->c->unit->source || (r->quiet && gx_map_get(&r->places, key, &old)))
        return;
    if (!gx_vec_push(r->rt, &r->noted, g) ||
        !gx_map_set(r->rt, &r->places, key, (int32_t)r->noted.count - 1))
        r->failed = true;
}

/* --- one expression ------------------------------------------------------------------------ */

/* As gx_guess_make; sizes and items that are not known are as small as can be. */
static bool make_alike(gx_guesses *r, const gx_guess *g, gx_value *out) {
    gx_guess some;
    if (!g) return false;
    some = *g;
    some.lost = false;
    for (int i = 0; g->kind == GX_GUESS_ARRAY && i < g->n; i++)
        if (some.dims[i] < 0 || some.dims[i] > 1) some.dims[i] = 1;
    if (gx_guess_make(r, &some, 0, out)) return true;
    if (g->kind != GX_GUESS_ITEMS) return false;
    return (g->tag == GX_LIST ? gx_list_new : gx_tuple_new)(r->rt, 0, NULL, out);
}

static bool is_primary(const gx_node *n) {
    switch ((int)n->kind) {
    case GX_NODE_NAME:
    case GX_NODE_ATTR:
    case GX_NODE_CALL:
    case GX_NODE_INDEX:
    case GX_NODE_STR:
    case GX_NODE_BYTES:
    case GX_NODE_LIST:
    case GX_NODE_TUPLE:
        return true;
    default:
        return false;
    }
}

void gx_guess_asked(gx_guesses *r, const gx_node *n, const gx_guess *g,
                    const gx_guess *owner) {
    gx_reading *more = r->c->more;
    gx_value v = gx_undef(), on;
    if (!more || !more->end || n->at.end != more->end || !is_primary(n)) return;
    if (n->at.source != r->c->unit->source || (r->quiet && more->value.tag != GX_UNDEF)) return;
    if (!make_alike(r, g, &v) && n->kind == GX_NODE_ATTR &&
        make_alike(r, owner, &on)) {
        if (!gx_get_attr(r->rt, on, n->name, &v)) v = gx_undef();
        gx_drop(on);
    }
    gx_error_clear(r->rt);
    if (v.tag == GX_UNDEF) return;
    gx_drop(gx_steal(&more->value));
    more->value = v;
    if (!r->muted) r->steps = 0; /* the rest is not asked about */
}

/* --- functions that nothing calls ---------------------------------------------------------- */

static void run_function(gx_guesses *r, const gx_function *f) {
    r->slots = gx_arena_alloc(&r->c->arena, ((size_t)f->slots + 1) * sizeof *r->slots);
    if (!r->slots) {
        r->failed = true;
        return;
    }
    memset(r->slots, 0, ((size_t)f->slots + 1) * sizeof *r->slots);
    r->code = f;
    r->result = NULL;
    r->returned = false;
    r->run_body(r, f->body);
}

static void run_all(gx_guesses *r, const gx_node *n) {
    if (!n || r->failed || !gx_stack_check(r->rt)) return;
    run_all(r, n->a);
    run_all(r, n->b);
    run_all(r, n->c);
    for (int32_t i = 0; i < n->n; i++) run_all(r, n->list[i]);
    if (n->kind != GX_NODE_DEF && n->kind != GX_NODE_CLASS) return;
    if (n->kind == GX_NODE_DEF) run_function(r, n->function);
    run_all(r, n->function->body);
}

/* --- all names ----------------------------------------------------------------------------- */

static bool put_type(gx_guesses *r, const gx_guess *g, gx_buf *out) {
    gx_value v = g->value;
    bool ok = true;
    switch ((gx_guess_kind)g->kind) {
    case GX_GUESS_VALUE:
        if (v.tag == GX_MODULE)
            return gx_buf_printf(out, "module %s", gx_sym_text(r->rt, gx_as_module(v)->name));
        if (v.tag == GX_NATIVE || v.tag == GX_TYPE || v.tag == GX_FUNC)
            return gx_buf_puts(out, v.tag == GX_TYPE ? "class" : "function");
        ok = gx_buf_printf(out, "%s = ", gx_type_name(v)) && gx_repr(r->rt, v, out);
        gx_error_clear(r->rt);
        return ok;
    case GX_GUESS_NUMBER:
        return gx_buf_puts(out, g->tag == GX_SCALAR  ? gx_dtypes[g->dtype].name
                                : g->tag == GX_INT   ? "int"
                                : g->tag == GX_FLOAT ? "float"
                                                     : "bool");
    case GX_GUESS_ARRAY:
        ok = gx_buf_printf(out, "%s (", gx_dtypes[g->dtype].name);
        for (int i = 0; ok && i < g->n; i++) {
            ok = !i || gx_buf_puts(out, ", ");
            ok = ok && (g->dims[i] < 0 ? gx_buf_char(out, '?')
                                       : gx_buf_printf(out, "%lld", (long long)g->dims[i]));
        }
        return ok && gx_buf_puts(out, g->n == 1 ? ",)" : ")");
    case GX_GUESS_ITEMS:
        return gx_buf_puts(out, g->tag == GX_LIST ? "list" : "tuple");
    case GX_GUESS_CODE:
        break;
    }
    return gx_buf_puts(out, "function");
}

/* [place, text] for each place. */
static bool put_values(gx_guesses *r, gx_buf *out) {
    gx_buf text = gx_buf_new(r->rt);
    bool ok = gx_buf_puts(out, ",\n\"values\": ["), any = false;
    for (uint32_t i = 0; ok && i < r->places.room; i++) {
        if (!r->places.keys[i]) continue;
        text.length = 0;
        ok = put_type(r, r->noted.items[r->places.values[i]], &text);
        if (text.length > LONGEST) {
            text.length = gx_utf8_valid(gx_buf_text(&text), LONGEST);
            ok = ok && gx_buf_puts(&text, "…");
        }
        ok = ok && (!any || gx_buf_char(out, ',')) &&
             gx_buf_printf(out, "[%u,", (unsigned)r->places.keys[i] - 1) &&
             gx_json_text(out, gx_buf_text(&text)) && gx_buf_char(out, ']');
        any = true;
    }
    gx_buf_free(&text);
    return ok && gx_buf_char(out, ']');
}

bool gx_guess_tell(gx_guesses *r) {
    gx_reading *more = r->c->more;
    if (!more) return true;
    r->quiet = true;
    r->muted++;
    if (!r->c->open_names && (!more->end || more->value.tag == GX_UNDEF))
        run_all(r, r->c->unit->main->body);
    gx_error_clear(r->rt);
    bool ok = !more->names || put_values(r, more->names);
    gx_vec_free(r->rt, &r->noted);
    gx_map_free(r->rt, &r->places);
    return ok;
}
