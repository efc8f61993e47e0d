/* The host's half of instrumented kernels: the limits for a launch, and what a report means. */
#include "runtime/backend/cuda/check/check_int.h"

#include <string.h>

const char *gx_check_text(const gx_check *check) {
    return gx_buf_text(&check->text);
}

int gx_check_find(const gx_check *check, const char *symbol) {
    for (int k = 0; k < check->n_entry; k++)
        if (strcmp(check->entry[k].symbol, symbol) == 0) return k;
    return -1;
}

int64_t gx_check_params(const gx_check *check, int kernel, int64_t bytes) {
    return (bytes + 7) / 8 * 8 + check->entry[kernel].bytes;
}

static int64_t floor_div(int64_t a, int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* How many indices from w->low on are good for all conditions. */
static uint64_t count_good(const gx_check *check, const gx_check_word *w,
                           const gx_check_array *arrays, int n, int64_t shared) {
    int64_t high = w->kind == 's' ? INT32_MAX : w->kind == 'u' ? UINT32_MAX - 1 : INT64_MAX / 2;
    for (int k = 0; k < w->count; k++) {
        const gx_check_cond *c = &check->cond[w->first + k];
        int64_t bytes = c->bytes >= 0 ? c->bytes : shared;
        if (c->param >= 0) {
            const gx_check_array *a = &arrays[c->param];
            if (c->param >= n || !a->data || (c->write && !a->writable)) return 0;
            if (a->data % (uint64_t)c->align) return 0;
            bytes = a->bytes;
        }
        int64_t most = floor_div(bytes - c->to, w->scale);
        if (most < high) high = most;
    }
    if (high < w->low) return 0;
    uint64_t good = (uint64_t)(high - w->low) + 1;
    return w->kind != 'w' && good > UINT32_MAX ? UINT32_MAX : good;
}

void gx_check_fill(const gx_check *check, int kernel, const gx_check_array *arrays, int n,
                   int64_t shared, uint64_t report, uint64_t words, char *to) {
    const gx_check_entry *e = &check->entry[kernel];
    memcpy(to, &report, 8);
    memcpy(to + 8, &words, 8);
    for (int k = 0; k < e->n_word; k++) {
        const gx_check_word *w = &check->word[e->word + k];
        uint64_t good = count_good(check, w, arrays, n, shared);
        memcpy(to + w->at, &good, 8);
    }
}

bool gx_check_needs_table(const gx_check *check) {
    return check->table;
}

void gx_check_table(const gx_check_array *arrays, int n, uint64_t report, uint64_t words,
                    uint64_t *table) {
    int used = 0;
    memset(table, 0, GX_CHECK_TABLE_WORDS * sizeof *table);
    table[0] = report;
    table[1] = words;
    for (int p = 0; p < n && used < 64; p++) {
        if (!arrays[p].data) continue;
        table[3 + 2 * used] = arrays[p].data;
        table[4 + 2 * used++] = (uint64_t)arrays[p].bytes;
    }
    table[2] = (uint64_t)used;
}

void gx_check_clear(gx_check_report *report) {
    *report = (gx_check_report){.key = UINT64_MAX};
}

/* --- what went wrong --- */

enum { NULL_PAGE = 1 << 16 };

/* The array that the address lies in, or nearest to: below one counts as before it. */
static int nearest(const gx_check_array *arrays, int n, uint64_t address) {
    int best = -1;
    uint64_t least = UINT64_C(1) << 40;
    for (int p = 0; p < n; p++) {
        const gx_check_array *a = &arrays[p];
        if (!a->data) continue;
        uint64_t end = a->data + (uint64_t)a->bytes;
        uint64_t far = address < a->data ? a->data - address : address >= end ? address - end : 0;
        if (far >= least) continue;
        least = far;
        best = p;
    }
    return best;
}

static void diagnose_access(const gx_check_site *site, const gx_check_array *arrays, int n,
                         uint64_t address, gx_check_verdict *v) {
    v->param = site->param >= 0 ? site->param : nearest(arrays, n, address);
    v->variable = site->variable;
    v->fault = GX_CHECK_OUTSIDE;
    if (site->variable) {
        v->param = -1;
        return;
    }
    const gx_check_array *a = v->param >= 0 && v->param < n ? &arrays[v->param] : NULL;
    if (a && !a->data) a = NULL;
    if (!a) {
        v->param = -1;
        bool null = site->param >= 0 || address < NULL_PAGE;
        if (null) v->fault = GX_CHECK_NULL;
        return;
    }
    v->offset = (int64_t)(address - a->data);
    if (v->offset < 0 || v->offset + site->bytes > a->bytes) return;
    v->fault = site->write && !a->writable ? GX_CHECK_CONST : GX_CHECK_MISALIGNED;
}

void gx_check_diagnose(const gx_check *check, const gx_check_array *arrays, int n,
                    const gx_check_report *r, gx_check_verdict *out) {
    *out = (gx_check_verdict){.param = -1};
    if (r->count == 0) return;
    if (r->site & GX_SITE_ASSERT) {
        out->fault = GX_CHECK_ASSERTION;
        out->line = r->site & ~(uint32_t)GX_SITE_ASSERT;
        return;
    }
    if (r->site >= (uint32_t)check->n_site) return;
    const gx_check_site *s = &check->site[r->site];
    out->bytes = s->bytes;
    out->write = s->write;
    out->line = s->line;
    out->fault = (gx_check_fault)s->fault;
    if (s->fault == GX_CHECK_OUTSIDE)
        diagnose_access(s, arrays, n, r->address, out);
    else
        out->offset = (int64_t)r->address;
}
