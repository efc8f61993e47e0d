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
    gx_drop(rt->fp->types);
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

bool gx_warn_hold_type(gx_rt *rt, const gx_type *type) {
    if (!type->heap) return true;
    if (!gx_warn_state_of(rt)) return false;
    gx_value *list = &rt->fp->types;
    if (list->tag == GX_UNDEF && !gx_list_new(rt, 0, NULL, list)) return false;
    for (int64_t i = 0; i < gx_as_list(*list)->count; i++)
        if (gx_as_type(gx_as_list(*list)->items[i]) == type) return true;
    return gx_list_push_take(rt, *list, gx_type_value(type));
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

static gx_warn_action action_for(gx_rt *rt, const gx_type *type, const char *text) {
    const gx_warn_state *s = rt->fp ? &rt->fp->state : NULL;
    for (int i = 0; s && i < s->count; i++) {
        const gx_warn_filter *f = &s->filters[i];
        if (gx_type_is(type, f->type) && text_fits(f, text))
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

static void show(gx_rt *rt, const gx_type *type, gx_span at, const char *text) {
    const gx_source *s = at.end ? gx_source_of(rt, at) : NULL;
    uint32_t line = 0, column = 0;
    if (s) gx_source_place(rt, at, &line, &column);
    gx_buf row = gx_buf_new(rt);
    bool ok = (!s || gx_buf_printf(&row, "%s:%u: ", s->name, line)) &&
              gx_buf_printf(&row, "%s: %s\n", type->name, text);
    if (!ok || !rt->warn_elsewhere || !rt->warn_elsewhere(rt, gx_buf_text(&row), row.length))
        gx_say(rt, GX_ERR, "%s", gx_buf_text(&row));
    if (!ok) gx_error_clear(rt);
    gx_buf_free(&row);
}

/* The warning itself: the one that was given, or a new one. */
static bool instance(gx_rt *rt, const gx_type *type, gx_borrowed given, const char *text,
                     gx_value *out) {
    gx_value v;
    if (given.tag != GX_UNDEF) {
        *out = gx_keep(given);
        return true;
    }
    if (!gx_str_c(rt, text, &v)) return false;
    gx_value cls = gx_type_value(type);
    bool ok = type->heap ? gx_call_value(rt, cls, 1, &v, 0, NULL, out)
                         : gx_exception_new(rt, type, 1, &v, out);
    gx_drop(cls);
    gx_drop(v);
    return ok;
}

/* Adds (message, category, filename, lineno) to the list that records. */
static bool record(gx_rt *rt, const gx_type *type, gx_borrowed given, gx_span at,
                   const char *text) {
    static const char *const names[] = {"message", "category", "filename", "lineno"};
    const gx_source *s = at.end ? gx_source_of(rt, at) : NULL;
    uint32_t line = 0, column = 0;
    gx_sym fields[4];
    gx_value items[4] = {{0}}, v;
    if (s) gx_source_place(rt, at, &line, &column);
    for (int i = 0; i < 4; i++)
        if (!(fields[i] = gx_sym_c(rt, names[i]))) return false;
    bool ok = instance(rt, type, given, text, &items[0]);
    if (ok) items[1] = gx_type_value(type);
    items[3] = gx_int((int64_t)line);
    ok = ok && gx_str_c(rt, s ? s->name : "", &items[2]) &&
         gx_tuple_named(rt, "warnings.WarningMessage", 4, fields, items, &v) &&
         gx_list_push_take(rt, rt->fp->record, v);
    for (int i = 0; i < 3; i++) gx_drop(items[i]);
    return ok;
}

static bool raise_it(gx_rt *rt, const gx_type *type, gx_borrowed given, const char *text) {
    gx_value v;
    if (!type->heap && given.tag == GX_UNDEF) return gx_fail(rt, type->error, "", "%s", text);
    if (!instance(rt, type, given, text, &v)) return false;
    gx_exception_raise(rt, v);
    gx_drop(v);
    return false;
}

static bool warn_with(gx_rt *rt, const gx_type *type, gx_borrowed given, gx_span at,
                    const char *text) {
    at = gx_source_seen(rt, at);
    gx_warn_action action = action_for(rt, type, text);
    bool wanted = true;
    if (action == GX_WARN_IGNORE) return true;
    if (action == GX_WARN_ERROR) return raise_it(rt, type, given, text);
    if (action == GX_WARN_ONCE) wanted = first_time(rt, (gx_span){0}, text);
    if (action == GX_WARN_DEFAULT) wanted = first_time(rt, at, text);
    if (!wanted) return true;
    if (rt->fp && rt->fp->record.tag == GX_LIST) return record(rt, type, given, at, text);
    show(rt, type, at, text);
    return true;
}

bool gx_warn_at(gx_rt *rt, gx_error_kind kind, gx_span at, const char *text) {
    return warn_with(rt, gx_exception_type(kind), gx_undef(), at, text);
}

GX_CHECK bool gx_warn_as(gx_rt *rt, const gx_type *type, gx_borrowed message, const char *text) {
    return warn_with(rt, type, message, rt->here, text);
}

GX_CHECK bool gx_warn(gx_rt *rt, gx_error_kind kind, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return gx_warn_at(rt, kind, rt->here, text);
}
