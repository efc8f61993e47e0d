/* A finished profile as text: a line of totals, then the statements, those with the most time
   first, each with its rows, then the advice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/backend/cost.h"
#include "runtime/inspect/profile.h"

enum { LINES_SHOWN = 20, ROWS_SHOWN = 8 };

/* Rows first … first + count - 1 are one line's. */
typedef struct group {
    int first, count;
    double time;
} group;

void gx_profile_line(gx_rt *rt, gx_span at, uint32_t *line, char *text, size_t room) {
    uint32_t column;
    const char *found;
    size_t length;
    text[0] = '\0';
    gx_source_place(rt, at, line, &column);
    gx_source_line(rt, at.source, *line, &found, &length);
    while (length && (*found == ' ' || *found == '\t')) found++, length--;
    size_t n = length < room - 1 ? length : room - 1;
    while (n < length && n > 0 && ((unsigned char)found[n] & 0xC0) == 0x80) n--;
    memcpy(text, found, n);
    text[n] = '\0';
}

static bool add_totals(const gx_profiled *p, gx_buf *out) {
    char wall[32], busy[32], idle[32], up[32], down[32], peak[32];
    gx_put_time(wall, sizeof wall, p->wall);
    gx_put_time(busy, sizeof busy, p->busy);
    gx_put_time(idle, sizeof idle, p->wall > p->busy ? p->wall - p->busy : 0);
    gx_put_scaled(up, sizeof up, (double)p->up, "B");
    gx_put_scaled(down, sizeof down, (double)p->down, "B");
    gx_put_scaled(peak, sizeof peak, (double)p->peak, "B");
    bool ok = gx_buf_printf(out, "wall %s", wall);
    if (ok && p->gpu)
        ok = gx_buf_printf(out, "   GPU busy %s (%.0f %%), idle %s\nto the GPU %s, back %s", busy,
                           100 * p->busy / p->wall, idle, up, down);
    if (ok && p->compiled)
        ok = gx_buf_printf(out, "   compiled %lld kernel%s", (long long)p->compiled,
                           p->compiled == 1 ? "" : "s");
    if (ok && p->prebuilt)
        ok = gx_buf_printf(out, "   prebuilt %lld kernel%s", (long long)p->prebuilt,
                           p->prebuilt == 1 ? "" : "s");
    if (ok && p->general)
        ok = gx_buf_printf(out, "   general kernel %lld times", (long long)p->general);
    return ok && gx_buf_printf(out, "   peak memory %s\n", peak);
}

static bool add_rate(gx_rt *rt, const gx_profile_row *r, gx_buf *out) {
    double bytes = r->read + r->written;
    gx_roof roof;
    bool copy = r->kind == GX_PROFILE_UP || r->kind == GX_PROFILE_DOWN;
    if (r->time > 0 && copy && r->bytes)
        return gx_buf_printf(out, "%9.3g      ", (double)r->bytes / r->time * 1e-9);
    if (r->kind != GX_PROFILE_KERNEL || r->time <= 0 || bytes <= 0)
        return gx_buf_puts(out, "               ");
    if (!gx_roof_get(rt, r->gpu, &roof)) return false;
    double calls = r->calls > 0 ? (double)r->calls : 1;
    double least = gx_roof_seconds(&roof, r->read / calls, r->written / calls) * calls;
    return gx_buf_printf(out, "%9.3g %3.0f %%", bytes / r->time * 1e-9, 100 * least / r->time);
}

/* Which kernels a row ran: one that is general at first has its own later. */
static const char *kernels_of(const gx_profile_row *r) {
    static const char *const words[] = {"",
                                        " (general)",
                                        " (prebuilt)",
                                        " (general, prebuilt)",
                                        " (specialised)",
                                        " (general, specialised)",
                                        " (prebuilt, specialised)",
                                        " (general, prebuilt, specialised)"};
    return words[r->ran & 7];
}

static bool add_row(gx_rt *rt, const gx_profiled *p, const gx_profile_row *r, gx_buf *out) {
    char time[32], average[32] = "", bytes[40] = "";
    gx_put_time(time, sizeof time, r->time);
    if (r->calls > 0) gx_put_time(average, sizeof average, r->time / (double)r->calls);
    /* µ takes two bytes and one column */
    int wide = strstr(time, "µ") != NULL, wide_average = strstr(average, "µ") != NULL;
    if (r->bytes) {
        char size[32];
        gx_put_scaled(size, sizeof size, (double)r->bytes, "B");
        snprintf(bytes, sizeof bytes, ", %s", size);
    }
    bool ok = gx_buf_printf(out, "  %*s %4.0f %% ", 9 + wide, time, 100 * r->time / p->wall);
    ok = ok && (r->calls > 0 ? gx_buf_printf(out, "%7lld %*s", (long long)r->calls,
                                             9 + wide_average, average)
                             : gx_buf_printf(out, "%7s %9s", "", ""));
    return ok && add_rate(rt, r, out) &&
           gx_buf_printf(out, "  %s%s%s\n", r->what, kernels_of(r), bytes);
}

static int by_time(const void *a, const void *b) {
    double x = ((const group *)a)->time, y = ((const group *)b)->time;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* A GPU that waits is no work of its line, but it is what is to be seen. */
static int find_groups(const gx_profiled *p, group *g) {
    int n = 0;
    for (int i = 0; i < p->count; i++) {
        bool same = n && p->row[i].at.source == p->row[i - 1].at.source &&
                    p->row[i].at.start == p->row[i - 1].at.start;
        if (!same) g[n++] = (group){.first = i};
        g[n - 1].count++;
        g[n - 1].time += p->row[i].time;
    }
    qsort(g, (size_t)n, sizeof *g, by_time);
    return n;
}

static bool add_group(gx_rt *rt, const gx_profiled *p, const group *g, gx_buf *out) {
    const gx_profile_row *first = &p->row[g->first];
    const gx_source *source = gx_source_of(rt, first->at);
    char text[72];
    uint32_t line;
    gx_profile_line(rt, first->at, &line, text, sizeof text);
    bool ok = gx_buf_printf(out, "%s:%u  %s\n", source ? source->name : "?", line, text);
    for (int i = 0; i < g->count && i < ROWS_SHOWN && ok; i++) ok = add_row(rt, p, first + i, out);
    if (ok && g->count > ROWS_SHOWN)
        ok = gx_buf_printf(out, "  … %d more\n", g->count - ROWS_SHOWN);
    return ok;
}

GX_CHECK bool gx_profile_text(gx_rt *rt, const gx_profiled *p, gx_buf *out) {
    group *g = gx_alloc(rt, sizeof *g * (size_t)(p->count + 1));
    if (!g) return false;
    int n = find_groups(p, g), shown = 0;
    bool ok = add_totals(p, out);
    if (ok && n)
        ok = gx_buf_puts(out, "       time  share   calls   average     GB/s  roof  what\n");
    for (; shown < n && shown < LINES_SHOWN && ok; shown++) {
        if (g[shown].time < p->wall * 0.005 && shown >= 3) break;
        ok = add_group(rt, p, &g[shown], out);
    }
    if (ok && shown < n) ok = gx_buf_printf(out, "… %d more lines with little time\n", n - shown);
    gx_free(rt, g);
    return ok && gx_profile_advice(rt, p, out);
}
