/* f-strings: fields are formatted straight into one buffer. And kernel literals. */
#include "interp/eval/evaluator.h"

#include "runtime/object/text/str.h"
#include "stdlib/cuda/kernels.h"

static bool add_pieces(gx_frame *f, const gx_node *n, gx_buf *out);

/* {v!r}, {v!s}, {v!a}: the text that the spec then formats. */
static bool convert(gx_frame *f, const gx_node *field, gx_borrowed v, gx_buf *out) {
    gx_rt *rt = f->rt;
    if (field->op == 's') return gx_str_into(rt, v, out);
    if (field->op == 'r') return gx_repr(rt, v, out);
    gx_buf plain = gx_buf_new(rt);
    bool ok = gx_repr(rt, v, &plain);
    const char *text = gx_buf_text(&plain);
    for (size_t i = 0; ok && i < plain.length;) {
        int bytes;
        uint32_t c = gx_utf8_decode(text + i, &bytes);
        i += (size_t)bytes;
        if (c < 128)
            ok = gx_buf_char(out, (char)c);
        else if (c < 256)
            ok = gx_buf_printf(out, "\\x%02x", c);
        else
            ok = gx_buf_printf(out, c < 65536 ? "\\u%04x" : "\\U%08x", c);
    }
    gx_buf_free(&plain);
    return ok;
}

static bool format_value(gx_frame *f, const gx_node *field, gx_borrowed v, const gx_buf *spec,
                         gx_buf *out) {
    gx_rt *rt = f->rt;
    uint8_t op = field->op;
    const gx_node *plain = field;
    gx_node shown;
    /* `{x=}` shows the repr unless a conversion or a format is given. */
    if (field->text && !op && !field->b) {
        shown = *field;
        shown.op = op = 'r';
        plain = &shown;
    }
    if (!op) return gx_format(rt, v, gx_buf_text(spec), spec->length, out);
    if (!spec->length) return convert(f, plain, v, out);
    gx_buf text = gx_buf_new(rt);
    gx_value s;
    if (!convert(f, plain, v, &text)) {
        gx_buf_free(&text);
        return false;
    }
    if (!gx_str_take(&text, &s)) return false;
    bool ok = gx_format(rt, s, gx_buf_text(spec), spec->length, out);
    gx_drop(s);
    return ok;
}

static bool add_field(gx_frame *f, const gx_node *field, gx_buf *out) {
    gx_value v;
    bool own;
    if (field->text && !gx_buf_add(out, field->text, field->length)) return gx_locate(f, field);
    if (!gx_peek(f, field->a, &v, &own)) return false;
    gx_buf spec = gx_buf_new(f->rt);
    bool ok = !field->b || add_pieces(f, field->b, &spec);
    ok = ok && (format_value(f, field, v, &spec, out) || gx_locate(f, field->a));
    gx_buf_free(&spec);
    gx_release(v, own);
    return ok;
}

static bool add_pieces(gx_frame *f, const gx_node *n, gx_buf *out) {
    if (!gx_stack_check(f->rt)) return gx_locate(f, n);
    if (n->kind == GX_NODE_STR) return gx_buf_add(out, n->text, n->length) || gx_locate(f, n);
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *piece = n->list[i];
        bool ok = piece->kind == GX_NODE_FIELD
                      ? add_field(f, piece, out)
                      : gx_buf_add(out, piece->text, piece->length) || gx_locate(f, n);
        if (!ok) return false;
    }
    return true;
}

bool gx_eval_fstring(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_buf text = gx_buf_new(f->rt);
    gx_value s;
    if (!add_pieces(f, n, &text)) {
        gx_buf_free(&text);
        return false;
    }
    if (!gx_str_take(&text, &s)) return gx_locate(f, n);
    *out = s;
    return true;
}

bool gx_eval_kernel(gx_frame *f, const gx_node *n, gx_value *out) {
    uint32_t line, column;
    gx_source_place(f->rt, n->op_at, &line, &column);
    const gx_source *source = gx_source_of(f->rt, n->op_at);
    const char *file = source ? source->name : "kernel";
    bool ok = n->a ? gx_formula_literal(f->rt, n->a->text, n->text, file, (int)line, out)
                   : gx_kernel_literal(f->rt, n->text, file, (int)line, out);
    return ok || gx_locate(f, n);
}
