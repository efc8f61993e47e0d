/* lazy.profile_start() and lazy.profile_stop(): what %profile prints, for scripts: totals, a dict
   for each line and kind of work, and the advice. */
#include <string.h>

#include "runtime/inspect/profile.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "stdlib/stdlib.h"

static const char *const kinds[GX_PROFILE_KINDS] = {"kernel",  "library",     "up",  "down",
                                                    "compile", "interpreter", "idle"};

static bool row_dict(gx_rt *rt, const gx_profile_row *r, gx_value *out) {
    gx_value d;
    char text[120];
    uint32_t line;
    if (!gx_dict_new(rt, &d)) return false;
    gx_profile_line(rt, r->at, &line, text, sizeof text);
    bool ok =
        gx_dict_set_c(rt, d, "line", gx_int(line)) && gx_dict_set_text(rt, d, "source", text) &&
        gx_dict_set_text(rt, d, "kind", kinds[r->kind]) &&
        gx_dict_set_text(rt, d, "what", r->what) && gx_dict_set_c(rt, d, "gpu", gx_bool(r->gpu)) &&
        gx_dict_set_c(rt, d, "calls", gx_int(r->calls)) &&
        gx_dict_set_c(rt, d, "time", gx_float(r->time)) &&
        gx_dict_set_c(rt, d, "read", gx_float(r->read)) &&
        gx_dict_set_c(rt, d, "written", gx_float(r->written)) &&
        gx_dict_set_c(rt, d, "bytes", gx_int(r->bytes));
    if (ok) *out = d;
    else gx_drop(d);
    return ok;
}

static bool rows_list(gx_rt *rt, const gx_profiled *p, gx_value *out) {
    gx_value list, d;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    for (int i = 0; i < p->count; i++) {
        if (row_dict(rt, &p->row[i], &d) && gx_list_push_take(rt, list, d)) continue;
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

static bool start_fn(gx_call *c, gx_value *out) {
    *out = gx_none();
    return gx_profile_begin(c->rt);
}

static bool stop_fn(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_profiled p;
    gx_value d, rows;
    if (!gx_profile_end(rt, &p)) return false;
    if (!gx_dict_new(rt, &d)) {
        gx_profiled_free(rt, &p);
        return false;
    }
    gx_buf text = gx_buf_new(rt), advice = gx_buf_new(rt);
    bool ok = gx_profile_text(rt, &p, &text) && gx_profile_advice(rt, &p, &advice) &&
              rows_list(rt, &p, &rows) && gx_dict_set_c_take(rt, d, "rows", rows) &&
              gx_dict_set_c(rt, d, "wall", gx_float(p.wall)) &&
              gx_dict_set_c(rt, d, "busy", gx_float(p.busy)) &&
              gx_dict_set_c(rt, d, "up", gx_int(p.up)) &&
              gx_dict_set_c(rt, d, "down", gx_int(p.down)) &&
              gx_dict_set_c(rt, d, "compiled", gx_int(p.compiled)) &&
              gx_dict_set_c(rt, d, "peak", gx_int(p.peak)) &&
              gx_dict_set_text(rt, d, "advice", gx_buf_text(&advice)) &&
              gx_dict_set_text(rt, d, "text", gx_buf_text(&text));
    gx_buf_free(&text);
    gx_buf_free(&advice);
    gx_profiled_free(rt, &p);
    if (ok) *out = d;
    else gx_drop(d);
    return ok;
}

const gx_native gx_profile_functions[] = {
    {"profile_start", "profile_start()", "Starts profiling, as %profile does.", NULL, start_fn, 0,
     0},
    {"profile_stop", "profile_stop()",
     "Ends profiling and returns a dict: totals, rows for each line, advice, and the table as "
     "text.",
     NULL, stop_fn, 0, 0},
    {.name = NULL},
};
