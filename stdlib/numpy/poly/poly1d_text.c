/* How a poly1d is shown: repr with its coefficients, str as a formula in two lines, the powers
   above the line of the terms. Long formulas are broken after 70 columns. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stdlib/numpy/poly/poly.h"

bool gx_np_poly1d_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_np_poly1d *p = (gx_np_poly1d *)v.obj;
    gx_buf b = gx_buf_new(rt);
    bool ok = gx_repr(rt, gx_np_value(p->c), &b);
    /* "array(…)" */
    if (ok && b.length > 7)
        ok = gx_buf_puts(out, "poly1d(") && gx_buf_add(out, gx_buf_text(&b) + 6, b.length - 6);
    gx_buf_free(&b);
    return ok;
}

enum { WRAP = 70, COEFFICIENT = 64 };

static void coefficient_text(gx_c128 x, char text[COEFFICIENT]) {
    if (x.im == 0)
        snprintf(text, COEFFICIENT, "%.4g", x.re);
    else if (x.re == 0)
        snprintf(text, COEFFICIENT, "%.4gj", x.im);
    else
        snprintf(text, COEFFICIENT, "(%.4g + %.4gj)", x.re, x.im);
    if (strstr(text, "nan") && text[0] == '-') memmove(text, text + 1, strlen(text));
}

/* What has been written: whole lines in `done`, the two lines that grow, and the terms since the
   last power. */
typedef struct formula {
    gx_buf done, high, low, part;
} formula;

static bool raise_power(formula *f, int64_t power) {
    char digits[24];
    const int n = snprintf(digits, sizeof digits, "%lld", (long long)power);
    const size_t low = f->part.length + (size_t)n - 1;
    if (f->low.length + low > WRAP || f->high.length + low > WRAP) {
        if (!gx_buf_add(&f->done, gx_buf_text(&f->high), f->high.length) ||
            !gx_buf_char(&f->done, '\n') ||
            !gx_buf_add(&f->done, gx_buf_text(&f->low), f->low.length) ||
            !gx_buf_puts(&f->done, "\n "))
            return false;
        f->high.length = f->low.length = 0;
    }
    if (!gx_buf_fill(&f->high, ' ', f->part.length - 1) || !gx_buf_puts(&f->high, digits) ||
        !gx_buf_add(&f->low, gx_buf_text(&f->part), f->part.length) ||
        !gx_buf_fill(&f->low, ' ', (size_t)n - 1))
        return false;
    f->part.length = 0;
    return true;
}

static bool add_term(formula *f, gx_c128 x, int64_t power, const char *variable, bool first) {
    char text[COEFFICIENT];
    const char *bare = text;
    coefficient_text(x, text);
    if (strcmp(text, "0") == 0) return true;
    if (!first) {
        bool minus = text[0] == '-';
        if (minus) bare++;
        if (!gx_buf_puts(&f->part, minus ? " - " : " + ")) return false;
    }
    if (!gx_buf_puts(&f->part, bare)) return false;
    if (power == 0) return true;
    if (!gx_buf_char(&f->part, ' ') || !gx_buf_puts(&f->part, variable)) return false;
    return power == 1 || raise_power(f, power);
}

static bool write(formula *f, const gx_np_poly1d *p) {
    gx_rt *rt = f->done.rt;
    bool any = false;
    if (!gx_buf_char(&f->done, ' ')) return false;
    for (int64_t i = 0; i < p->c->count; i++) {
        gx_scalar x;
        if (!gx_array_item_at(rt, p->c, i, &x)) return false;
        x = gx_scalar_cast((gx_dtype)p->c->dtype, GX_c128, &x);
        if (!any && x.c128.re == 0 && x.c128.im == 0) continue;
        if (!add_term(f, x.c128, p->c->count - 1 - i, gx_as_str(p->variable)->text, !any))
            return false;
        any = true;
    }
    return any || gx_buf_char(&f->part, '0');
}

bool gx_np_poly1d_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    formula f = {gx_buf_new(rt), gx_buf_new(rt), gx_buf_new(rt), gx_buf_new(rt)};
    bool ok = write(&f, (gx_np_poly1d *)v.obj) &&
              gx_buf_add(out, gx_buf_text(&f.done), f.done.length) &&
              gx_buf_add(out, gx_buf_text(&f.high), f.high.length) && gx_buf_char(out, '\n') &&
              gx_buf_add(out, gx_buf_text(&f.low), f.low.length) &&
              gx_buf_add(out, gx_buf_text(&f.part), f.part.length);
    gx_buf_free(&f.done);
    gx_buf_free(&f.high);
    gx_buf_free(&f.low);
    gx_buf_free(&f.part);
    return ok;
}
