/* A grid that is too small: a kernel whose threads each write one element at their own place, and
   an array with elements for which there was no thread. What was written is read from the shadows
   that the watch for races leaves.

   Invariant: nothing is said unless every thread that has a place wrote there, and nobody wrote
   anywhere else. Kernels with loops, calls or atomics on global memory are not looked at: their
   threads may well have several elements, or none. */
#include "runtime/backend/sim/sim_int.h"

static bool is_straight(const gx_ptx_fn *f) {
    if (f->uses_atomics || f->serial) return false;
    for (int k = 0; k < f->count; k++)
        if (f->code[k].back || f->code[k].flow == FLOW_CALL || f->code[k].flow == FLOW_TABLE)
            return false;
    return true;
}

/* The writer of the element that starts at `e`, or that nobody wrote. */
static bool written_by(const gx_run *run, const gx_shadow *e, uint32_t *who) {
    *who = e->write.who;
    return e->write.at > run->began;
}

typedef struct grid {
    int64_t wide, high; /* threads */
    uint32_t blocks, x, y;
} grid;

static uint32_t thread_at(const grid *g, int64_t column, int64_t row) {
    int64_t block = row / g->y * g->blocks + column / g->x;
    return (uint32_t)block << 10 | (uint32_t)(row % g->y * g->x + column % g->x);
}

/* Did the threads write their elements, and nobody the others? */
static bool falls_short(const gx_run *run, const gx_sim_cover *c, const grid *g, int64_t *written) {
    const gx_sim_array *a = &run->launch->arrays[c->array];
    const gx_segment *s = &run->segment[GX_SEG_FIRST + run->sim->n_variable + c->array];
    int64_t grains = a->item >> run->sim->global_shift;
    if (!s->shadow || !a->writable || grains < 1) return false;
    const gx_shadow *e = s->shadow;
    uint32_t who;
    *written = 0;
    for (int64_t row = 0; row < c->high; row++)
        for (int64_t column = 0; column < c->wide; column++, e += grains) {
            bool has = row < g->high && column < g->wide;
            if (written_by(run, e, &who) != has || (has && who != thread_at(g, column, row)))
                return false;
            *written += has;
        }
    return true;
}

void gx_cover_check(const gx_run *run, gx_sim_report *report) {
    const gx_sim_launch *l = run->launch;
    const grid g = {(int64_t)l->grid[0] * l->block[0], (int64_t)l->grid[1] * l->block[1],
                    l->grid[0], l->block[0], l->block[1]};
    if (l->n_cover == 0 || l->grid[2] * l->block[2] != 1 || !is_straight(run->fn)) return;
    for (int k = 0; k < l->n_cover; k++) {
        const gx_sim_cover *c = &l->covers[k];
        bool small = g.wide < c->wide || g.high < c->high;
        if (!small || (c->high == 1 && g.high > 1)) continue;
        if (!falls_short(run, c, &g, &report->written)) continue;
        report->uncovered = k + 1;
        return;
    }
}
