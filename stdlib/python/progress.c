/* for i in progress(range(n)): passes items on and, on a terminal, shows on stderr how far it is,
   how fast, and how long it still takes. Nothing is drawn in the first half second, when stderr is
   no terminal, or after the last item: the line is wiped. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "runtime/backend/cost.h"
#include "runtime/object/text/str.h"
#include "stdlib/python/walk.h"
#include "stdlib/stdlib.h"

enum { WIDTH = 30, EVERY = 100 }; /* columns of the bar; milliseconds between two drawings */

/* items[0]: the iterator; a: what it is, or None; i: items so far; j: of how many, -1: unknown;
   k: milliseconds at the start; count of drawings in b. */
static int64_t clock_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void draw(gx_rt *rt, const gx_walk *w, int64_t now) {
    char left[32], rate[32];
    double seconds = (double)(now - w->k) * 1e-3, each = seconds / (double)w->i;
    const char *what = w->a.tag == GX_STR ? gx_as_str(w->a)->text : "";
    gx_put_scaled(rate, sizeof rate, 1 / each, "/s");
    gx_say(rt, GX_ERR, "\r\x1b[K%s%s", what, *what ? " " : "");
    if (w->j >= 0) {
        double share = w->j ? (double)w->i / (double)w->j : 1;
        int full = (int)(share * WIDTH);
        gx_put_time(left, sizeof left, each * (double)(w->j - w->i));
        for (int k = 0; k < WIDTH; k++) gx_say(rt, GX_ERR, k < full ? "█" : "░");
        gx_say(rt, GX_ERR, " %3.0f %%  %lld of %lld  %s left, %s", 100 * share, (long long)w->i,
                (long long)w->j, left, rate);
    } else {
        gx_say(rt, GX_ERR, "%lld, %s", (long long)w->i, rate);
    }
    (void)gx_write_flush(rt, GX_ERR);
}

static void wipe(gx_rt *rt, gx_walk *w) {
    if (w->b.tag != GX_INT || w->b.i == 0) return;
    gx_say(rt, GX_ERR, "\r\x1b[K");
    (void)gx_write_flush(rt, GX_ERR);
    w->b = gx_int(0);
}

static bool progress_next(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    if (w->b.tag == GX_INT && w->i > 0) {
        int64_t now = clock_ms();
        /* the first drawing after half a second: short loops show nothing */
        if (now - w->k > 500 && now - w->b.i > EVERY) {
            draw(rt, w, now);
            w->b = gx_int(now);
        }
    }
    bool ok = gx_next(rt, w->items[0], out, more);
    if (!ok || !*more) wipe(rt, w);
    else w->i++;
    return ok;
}

static void free_progress(gx_rt *rt, gx_obj *o) {
    wipe(rt, (gx_walk *)(void *)o);
    gx_walk_free(rt, o);
}

static const gx_type progress_type = {.name = "progress",
                                      .tag = GX_OBJECT,
                                      .dtype = GX_NO_DTYPE,
                                      .container = true,
                                      .free = free_progress,
                                      .traverse = gx_walk_traverse,
                                      .clear = gx_walk_clear,
                                      .iter = gx_walk_self,
                                      .next = progress_next};

static bool progress_fn(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    int64_t total = -1;
    if (gx_arg_some(c, 1) && !gx_arg_int(c, 1, &total)) return false;
    if (c->argv[2].tag != GX_NONE && c->argv[2].tag != GX_STR) return gx_arg_wrong(c, 2, "a text");
    if (total < 0 && !gx_length(rt, c->argv[0], &total)) {
        if (rt->error.kind != GX_TypeError) return false;
        gx_error_clear(rt); /* no length: it counts only */
        total = -1;
    }
    gx_walk *w = gx_walk_new(rt, &progress_type, 1);
    if (!w || !gx_walk_iters(rt, w, 1, c->argv)) return false;
    w->a = gx_keep(c->argv[2]);
    w->b = gx_is_terminal(rt, GX_ERR) ? gx_int(0) : gx_none();
    w->j = total;
    w->k = clock_ms();
    return gx_walk_done(rt, w, out);
}

const gx_native gx_progress_functions[] = {
    {"progress", "progress(iterable, total=None, what=None)",
     "Yields the items; on a terminal a bar shows how far the loop is and how long it will take.",
     "sum(progress(range(4)))  # 6", progress_fn, 0, 0},
    {.name = NULL},
};
