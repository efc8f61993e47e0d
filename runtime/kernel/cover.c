/* Launches with fewer threads than the kernel was told that there are elements. Which numbers mean
   extents is guessed from the arguments: one that equals the elements of an array, or two whose
   product does. The simulator knows whether elements were left out (runtime/backend/sim/cover.c).
 */
#include <string.h>

#include "runtime/kernel/launch_int.h"
#include "runtime/op/ufunc.h"

/* An integer argument; false: it is none. */
static bool read_number(const gx_raw_param *p, const gx_raw_arg *a, int64_t *out) {
    if (a->array || p->pointer || p->kind == GX_NO_DTYPE || p->lanes != 1) return false;
    int32_t few;
    memcpy(&few, a->bytes, sizeof few);
    memcpy(out, a->bytes, sizeof *out);
    if (p->kind == GX_i32) *out = few;
    if (p->kind == GX_u32) *out = (uint32_t)few;
    return p->kind == GX_i32 || p->kind == GX_u32 || p->kind == GX_i64 || p->kind == GX_u64;
}

int gx_raw_covers(const gx_raw_entry *e, const gx_raw_arg *args, gx_sim_cover *out) {
    int64_t number[GX_RAW_PARAMS];
    int numbers = 0, n = 0, array = 0;
    if (!e->known) return 0;
    for (int p = 0; p < e->n_param; p++)
        numbers += read_number(&e->param[p], &args[p], &number[numbers]);
    for (int p = 0; p < e->n_param; p++) {
        if (!args[p].array) continue;
        int k = array++;
        int64_t count = args[p].array->count;
        if (e->param[p].constant || count < 2) continue;
        for (int i = 0; i < numbers && n < GX_RAW_COVERS; i++) {
            if (number[i] == count) out[n++] = (gx_sim_cover){k, count, 1};
            for (int j = 0; j < numbers && n < GX_RAW_COVERS; j++)
                if (number[i] > 1 && number[j] > 1 && number[j] <= count / number[i] &&
                    number[i] * number[j] == count)
                    out[n++] = (gx_sim_cover){k, number[i], number[j]};
        }
    }
    return n;
}

GX_CHECK bool gx_raw_tell_cover(const gx_raw *raw, const gx_raw_entry *e, const gx_sim_launch *l,
                                const gx_sim_report *report) {
    if (report->uncovered == 0) return true;
    const gx_sim_cover *c = &l->covers[report->uncovered - 1];
    const char *name = l->arrays[c->array].name;
    const long long wide = c->wide, high = c->high, x = l->block[0], y = l->block[1];
    long long across = (wide + x - 1) / x, down = (high + y - 1) / y;
    if (high == 1)
        return gx_warn(raw->rt, GX_RuntimeWarning,
                       "launch.coverage: %s: %lld of %lld elements of %s were written; %s[%lld:] "
                       "still holds what it held: %s[%lld, %lld] has a thread for each",
                       e->name, (long long)report->written, wide, name, name,
                       (long long)report->written, e->name, across, x);
    return gx_warn(raw->rt, GX_RuntimeWarning,
                   "launch.coverage: %s: %lld of %lld elements of %s were written, the others "
                   "hold what they held: %s[(%lld, %lld), (%lld, %lld)] has a thread for each",
                   e->name, (long long)report->written, wide * high, name, e->name, across, down, x,
                   y);
}
