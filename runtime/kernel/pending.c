/* Launches that watch themselves and were not asked yet. Nobody waits for one: each has a report of
   its own on the GPU, and all are asked when something is next waited for (gx_gpu_report), within
   try after each statement, or when there are too many. The first that did wrong is told, with the
   place of its statement; what came after it would not have run. */
#include <string.h>

#include "runtime/graph/lazy.h"
#include "runtime/kernel/launch_int.h"

enum { MOST = 128 };

typedef struct pending {
    gx_raw *raw; /* a reference */
    const gx_raw_entry *entry;
    gx_raw_shape shape;
    gx_raw_given given;
    gx_span at;
    gx_raw_told_fn *told;
} pending;

struct gx_raw_launched {
    gx_buffer *reports; /* on the GPU: MOST of them */
    int n;
    pending list[MOST];
};

static struct gx_raw_launched *launched_of(gx_rt *rt) {
    return gx_engine_of(rt)->launched;
}

static bool clear_reports(gx_rt *rt, struct gx_raw_launched *l) {
    gx_check_report fresh[MOST];
    for (int i = 0; i < MOST; i++) gx_check_clear(&fresh[i]);
    return rt->gpu->backend->put(l->reports, 0, fresh, sizeof fresh);
}

static void drop_all(struct gx_raw_launched *l) {
    const int n = l->n;
    l->n = 0;
    for (int i = 0; i < n; i++) l->list[i].raw->drop(l->list[i].raw);
}

static void forget(gx_rt *rt) {
    struct gx_raw_launched *l = launched_of(rt);
    drop_all(l);
    gx_buffer_drop(l->reports);
    gx_free(rt, l);
    gx_engine_of(rt)->launched = NULL;
    gx_engine_of(rt)->forget = NULL;
    gx_engine_of(rt)->ask = NULL;
}

static bool tell(gx_rt *rt, struct gx_raw_launched *l) {
    gx_check_report told[MOST], fresh;
    gx_check_clear(&fresh);
    if (!rt->gpu->backend->get(l->reports, 0, told, sizeof told) || !clear_reports(rt, l))
        return false;
    for (int i = 0; i < l->n; i++) {
        const pending *p = &l->list[i];
        if (memcmp(&told[i], &fresh, sizeof fresh) == 0) continue;
        if (p->told(p->raw, p->entry, &p->shape, &p->given, &told[i])) continue;
        if (p->at.end) rt->error.at = p->at;
        return false;
    }
    return true;
}

/* All launches have ended. */
static bool ask(gx_rt *rt) {
    struct gx_raw_launched *l = launched_of(rt);
    uint64_t at;
    if (l->n == 0) return true;
    volatile uint32_t *words = rt->gpu->backend->raw->words(rt->gpu, &at);
    if (!words) return false;
    const bool wrong = words[1], interrupted = words[2];
    words[1] = words[2] = 0;
    bool ok = true;
    if (interrupted) ok = clear_reports(rt, l); /* what they did wrong until then is no fault */
    else if (wrong) ok = tell(rt, l);
    drop_all(l);
    return ok;
}

static bool open_launched(gx_rt *rt) {
    gx_engine *e = gx_engine_of(rt);
    if (e->launched) return true;
    struct gx_raw_launched *l = gx_alloc_zero(rt, sizeof *l);
    if (!l) return false;
    if (!rt->gpu->backend->alloc(rt->gpu, MOST * (int64_t)sizeof(gx_check_report), &l->reports) ||
        !clear_reports(rt, l)) {
        if (l->reports) gx_buffer_drop(l->reports);
        gx_free(rt, l);
        return false;
    }
    e->launched = l;
    e->ask = ask;
    e->forget = forget;
    return true;
}

bool gx_raw_pending_report(gx_rt *rt, uint64_t *report) {
    uint64_t at;
    if (!open_launched(rt)) return false;
    struct gx_raw_launched *l = launched_of(rt);
    volatile uint32_t *words = rt->gpu->backend->raw->words(rt->gpu, &at);
    if (!words) return false;
    if ((l->n == MOST || words[2]) && !gx_gpu_sync(rt)) return false;
    *report = (uint64_t)(uintptr_t)l->reports->data + (uint64_t)l->n * sizeof(gx_check_report);
    return true;
}

void gx_raw_pending_add(gx_raw *raw, const gx_raw_entry *e, const gx_raw_shape *shape,
                        const gx_raw_given *given, gx_raw_told_fn *told) {
    struct gx_raw_launched *l = launched_of(raw->rt);
    raw->refs++;
    l->list[l->n++] = (pending){raw, e, *shape, *given, raw->rt->here, told};
    gx_engine_of(raw->rt)->checks++;
}
