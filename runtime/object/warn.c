/* Warnings: NumPy's texts, on stderr, once a source line and text. A warning is about the statement
   that made the value, which may be above the one that computed it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "runtime/backend/tape.h"
#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/text/str.h"
#include "runtime/object/warn_int.h"

void gx_warn_free(gx_rt *rt) {
    if (!rt->fp) return;
    gx_drop(rt->fp->record);
    gx_drop(rt->fp->call);
    gx_free(rt, rt->fp);
    rt->fp = NULL;
}

gx_warn_state *gx_warn_state_of(gx_rt *rt) {
    if (!rt->fp) {
        rt->fp = gx_alloc_zero(rt, sizeof *rt->fp);
        if (!rt->fp) return NULL;
        rt->fp->state.fp[GX_COND_UNDER] = GX_MODE_IGNORE;
    }
    return &rt->fp->state;
}

bool gx_warn_set_state(gx_rt *rt, const gx_warn_state *state) {
    gx_warn_state *now = gx_warn_state_of(rt);
    if (!now) return false;
    *now = *state;
    rt->fp->count = 0;
    return true;
}

bool gx_warn_record(gx_rt *rt, gx_borrowed list, gx_value *old) {
    if (!gx_warn_state_of(rt)) return false;
    *old = rt->fp->record;
    rt->fp->record = gx_keep(list);
    return true;
}

/* Does the filter's text stand in the warning's, letter case aside? */
static bool text_fits(const gx_warn_filter *f, const char *text) {
    size_t n = strlen(f->message);
    for (; n; text++) {
        if (strncasecmp(text, f->message, n) == 0) return true;
        if (!f->anywhere || !*text) return false;
    }
    return true;
}

static gx_warn_action action_for(gx_rt *rt, gx_error_kind kind, const char *text) {
    const gx_warn_state *s = rt->fp ? &rt->fp->state : NULL;
    for (int i = 0; s && i < s->count; i++) {
        const gx_warn_filter *f = &s->filters[i];
        if (gx_error_is(kind, (gx_error_kind)f->kind) && text_fits(f, text))
            return (gx_warn_action)f->action;
    }
    return GX_WARN_DEFAULT;
}

static uint64_t hash_text(const char *text, uint64_t h) {
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

static bool first_time(gx_rt *rt, gx_span at, const char *text) {
    if (!gx_warn_state_of(rt)) {
        gx_error_clear(rt); /* a warning is no reason to fail */
        return true;
    }
    uint32_t line = 0, column = 0;
    if (at.end) gx_source_place(rt, at, &line, &column);
    uint64_t h = hash_text(text, UINT64_C(0xcbf29ce484222325) ^ ((uint64_t)at.source << 32 | line));
    for (int i = 0; i < rt->fp->count; i++) {
        if (rt->fp->seen[i] == h) return false;
    }
    if (rt->fp->count < GX_SEEN_WARNINGS) rt->fp->seen[rt->fp->count++] = h;
    return true;
}

static void show(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text) {
    const gx_source *s = at.end ? gx_source_of(rt, at) : NULL;
    uint32_t line = 0, column = 0;
    if (s) gx_source_place(rt, at, &line, &column);
    if (s) gx_say(rt, GX_ERR, "%s:%u: %s: %s\n", s->name, line, gx_error_name(kind), text);
    else gx_say(rt, GX_ERR, "%s: %s\n", gx_error_name(kind), text);
}

/* Adds (message, category, filename, lineno) to the list that records. */
static bool record(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text) {
    static const char *const names[] = {"message", "category", "filename", "lineno"};
    const gx_source *s = at.end ? gx_source_of(rt, at) : NULL;
    uint32_t line = 0, column = 0;
    gx_sym fields[4];
    gx_value items[4] = {{0}}, v;
    if (s) gx_source_place(rt, at, &line, &column);
    for (int i = 0; i < 4; i++)
        if (!(fields[i] = gx_sym_c(rt, names[i]))) return false;
    bool ok = gx_str_c(rt, text, &v);
    if (!ok) return false;
    ok = gx_exception_new(rt, gx_exception_type(kind), 1, &v, &items[0]);
    gx_drop(v);
    items[1] = gx_type_value(gx_exception_type(kind));
    items[3] = gx_int((int64_t)line);
    ok = ok && gx_str_c(rt, s ? s->name : "", &items[2]) &&
         gx_tuple_named(rt, "warnings.WarningMessage", 4, fields, items, &v) &&
         gx_list_push_take(rt, rt->fp->record, v);
    gx_drop(items[0]);
    gx_drop(items[2]);
    return ok;
}

bool gx_warn_at(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text) {
    at = gx_source_seen(rt, at);
    gx_warn_action action = action_for(rt, kind, text);
    bool wanted = true;
    if (action == GX_WARN_IGNORE) return true;
    if (action == GX_WARN_ERROR) return gx_fail(rt, kind, "", "%s", text);
    if (action == GX_WARN_ONCE) wanted = first_time(rt, (gx_span){0}, text);
    if (action == GX_WARN_DEFAULT) wanted = first_time(rt, at, text);
    if (!wanted) return true;
    if (rt->fp && rt->fp->record.tag == GX_LIST) return record(rt, kind, at, text);
    show(rt, kind, at, text);
    return true;
}

GX_CHECK bool gx_warn(gx_rt *rt, gx_error_kind kind, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return gx_warn_at(rt, kind, rt->here, text);
}
