/* What a profile suggests. Each rule looks at one row and at the totals, and speaks only where what
   it proposes is worth a twentieth of the time. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/cost.h"
#include "runtime/inspect/profile.h"

typedef struct advice {
    gx_rt *rt;
    const gx_profiled *p;
    gx_buf *out;
    int said;
} advice;

typedef bool (*rule)(advice *a, const gx_profile_row *r);

static bool matters(const advice *a, double seconds) {
    return seconds > a->p->wall / 20;
}

static bool say(advice *a, const gx_profile_row *r, const char *text) {
    char source[72];
    uint32_t line;
    gx_profile_line(a->rt, r->at, &line, source, sizeof source);
    char head[32];
    int column = snprintf(head, sizeof head, "%s line %u:", a->said++ ? "      " : "advice", line);
    bool ok = gx_buf_puts(a->out, head);
    while (*text && ok) { /* a word at a time, lines of 80 */
        int word = (int)strcspn(text, " ");
        if (column + 1 + word > 79) {
            ok = gx_buf_puts(a->out, "\n        ");
            column = 8;
        }
        ok = ok && gx_buf_printf(a->out, " %.*s", word, text);
        column += 1 + word;
        text += word + (text[word] == ' ');
    }
    return ok && gx_buf_char(a->out, '\n');
}

static const gx_profile_row *same_line(const advice *a, const gx_profile_row *r,
                                       gx_profile_kind kind) {
    for (int i = 0; i < a->p->count; i++) {
        const gx_profile_row *x = &a->p->row[i];
        if (x->kind == kind && x->at.source == r->at.source && x->at.start == r->at.start)
            return x;
    }
    return NULL;
}

/* One number fetched again and again: the GPU waits each time. */
static bool fetches(advice *a, const gx_profile_row *r) {
    char text[240], each[32], all[32];
    if (r->kind != GX_PROFILE_DOWN || r->calls < 8 || r->bytes > 64 * r->calls) return true;
    const gx_profile_row *idle = same_line(a, r, GX_PROFILE_IDLE);
    double lost = r->time + (idle ? idle->time : 0);
    if (!matters(a, lost)) return true;
    gx_put_time(each, sizeof each, lost / (double)r->calls);
    gx_put_time(all, sizeof all, lost * 0.9);
    snprintf(text, sizeof text,
             "fetches a number %lld times, and the GPU waits %s each time; "
             "every tenth time only: about %s less",
             (long long)r->calls, each, all);
    return say(a, r, text);
}

/* A function that works on the host. */
static bool works_on_host(advice *a, const gx_profile_row *r) {
    static const char mark[] = "copy to the host for ";
    char text[240], bytes[32];
    if (r->kind != GX_PROFILE_DOWN || r->bytes <= 65536 * r->calls ||
        strncmp(r->what, mark, sizeof mark - 1) != 0)
        return true;
    gx_put_scaled(bytes, sizeof bytes, (double)r->bytes, "B");
    snprintf(text, sizeof text, "%s ran on the host: %s moved", r->what + sizeof mark - 1, bytes);
    return say(a, r, text);
}

/* The same line sends arrays over again and again. */
static bool sends(advice *a, const gx_profile_row *r) {
    char text[240], bytes[32];
    if (r->kind != GX_PROFILE_UP || r->calls < 4 || !matters(a, r->time)) return true;
    gx_put_scaled(bytes, sizeof bytes, (double)r->bytes, "B");
    snprintf(text, sizeof text,
             "sends arrays to the GPU %lld times, %s in all; make them there once, before the loop",
             (long long)r->calls, bytes);
    return say(a, r, text);
}

/* Many kernels with hardly anything to do. */
static bool tiny_kernels(advice *a, const gx_profile_row *r) {
    char text[240];
    enum { MANY = 64, FEW_BYTES = 1 << 18 };
    if (r->kind != GX_PROFILE_KERNEL || !r->gpu || r->calls < MANY) return true;
    double bytes = (r->read + r->written) / (double)r->calls;
    if (bytes > FEW_BYTES || !matters(a, (double)r->calls * 5e-6)) return true;
    snprintf(text, sizeof text,
             "%lld kernels of %.0f elements each: starting them takes longer than their work; "
             "put them into one array, or one expression",
             (long long)r->calls, r->least);
    return say(a, r, text);
}

/* Strided reads bring along what nobody wants. */
static bool strided(advice *a, const gx_profile_row *r) {
    char text[240];
    if (r->kind != GX_PROFILE_KERNEL || r->wanted <= 0 || r->read < 1.5 * r->wanted) return true;
    if (!matters(a, r->time * (1 - r->wanted / r->read))) return true;
    snprintf(text, sizeof text,
             "reads elements that lie apart: memory moves %.1f times what is used; "
             "where it is read often, one copy() first pays",
             r->read / r->wanted);
    return say(a, r, text);
}

/* First calls. */
static bool compiles(advice *a, const gx_profile_row *r) {
    char text[240], time[32];
    if (r->kind != GX_PROFILE_COMPILE || !matters(a, r->time)) return true;
    gx_put_time(time, sizeof time, r->time);
    snprintf(text, sizeof text,
             "first calls took %s; kernels are kept on disk, so the next run has them", time);
    return say(a, r, text);
}

/* A loop of the interpreter over elements. */
static bool interpreted(advice *a, const gx_profile_row *r) {
    char text[240];
    if (r->kind != GX_PROFILE_HOST || r->time < a->p->wall / 4 || r->time < 0.02) return true;
    snprintf(text, sizeof text,
             "%.0f %% of the time is not in kernels but in this line itself; "
             "if it walks over elements, an operation on the whole array does the same",
             100 * r->time / a->p->wall);
    return say(a, r, text);
}

/* Far from the roof though there is much to do. */
static bool slow_product(advice *a, const gx_profile_row *r) {
    enum { MANY = 64 };
    char text[240], average[32];
    if (r->kind != GX_PROFILE_LIBRARY || r->calls < MANY || !matters(a, r->time)) return true;
    double each = r->time / (double)r->calls;
    if (!r->gpu || each > 5e-5 || strcmp(r->what, "matmul") != 0) return true;
    gx_put_time(average, sizeof average, each);
    snprintf(text, sizeof text,
             "%lld products of %s each; stacked into one (n, rows, columns) array, one call does "
             "them all",
             (long long)r->calls, average);
    return say(a, r, text);
}

GX_CHECK bool gx_profile_advice(gx_rt *rt, const gx_profiled *p, gx_buf *out) {
    static const rule rules[] = {fetches, works_on_host, sends,       tiny_kernels,
                                 strided, compiles,      interpreted, slow_product};
    advice a = {.rt = rt, .p = p, .out = out};
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        for (int i = 0; i < p->count && a.said < 8; i++)
            if (!rules[k](&a, &p->row[i])) return false;
    return true;
}
