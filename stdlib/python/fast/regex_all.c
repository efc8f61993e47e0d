/* What patterns do with all matches of a text: findall, finditer, split, sub. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/use.h"
#include "stdlib/python/fast/bytes_int.h"
#include "stdlib/python/fast/regex_int.h"
#include "stdlib/python/walk.h"

static bool bounds(gx_call *c, int64_t *from, int64_t *to) {
    *from = 0;
    *to = INT64_MAX;
    return (!gx_arg_given(c, 2) || gx_arg_bound(c, 2, from)) &&
           (!gx_arg_given(c, 3) || gx_arg_bound(c, 3, to));
}

/* A group of the match just found; "" where it took no part. */
static bool group_text(gx_rt *rt, const gx_subject *s, int32_t group, gx_value *out) {
    int32_t from = s->run.slots[2 * group], to = s->run.slots[2 * group + 1];
    if (from < 0 || to < 0) from = to = 0;
    return gx_subject_part(rt, s->s, from, to, out);
}

static bool found_text(gx_rt *rt, const gx_regex_object *p, const gx_subject *s, gx_value *out) {
    if (p->re.groups <= 1) return group_text(rt, s, p->re.groups, out);
    gx_value list, v;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int32_t i = 1; ok && i <= p->re.groups; i++)
        ok = group_text(rt, s, i, &v) && gx_list_push_take(rt, list, v);
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

bool gx_pattern_findall(gx_call *c, gx_value *out) {
    const gx_regex_object *p = gx_as_regex(c->argv[0]);
    int64_t from, to;
    gx_subject s;
    gx_value list, v;
    gx_try found = GX_TRY_NO;
    if (!bounds(c, &from, &to) || !gx_subject_open(c->rt, p, c->argv[1], from, to, &s))
        return false;
    bool ok = gx_list_new(c->rt, 0, NULL, &list);
    if (!ok) {
        gx_subject_close(c->rt, &s);
        return false;
    }
    while (ok && from <= to && (found = gx_subject_next(&s)) == GX_TRY_YES)
        ok = found_text(c->rt, p, &s, &v) && gx_list_push_take(c->rt, list, v);
    gx_subject_close(c->rt, &s);
    if (ok && found != GX_TRY_ERROR) {
        *out = list;
        return true;
    }
    gx_drop(list);
    return false;
}

/* --- finditer --- */

/* a: the pattern, b: the string, i: pos, j: endpos, k: the next place, negative below -1 where an
   empty match there does not count. */

static bool next_match(gx_rt *rt, gx_borrowed self, gx_value *out, bool *more) {
    gx_walk *w = gx_as_walk(self);
    gx_subject s;
    if (w->k == INT64_MIN) return gx_walk_end(more);
    if (!gx_subject_open(rt, gx_as_regex(w->a), w->b, w->i, w->j, &s)) return false;
    if (w->k >= 0) s.run.start = (int32_t)w->k;
    else if (w->k < -1) {
        s.run.start = (int32_t)(-2 - w->k);
        s.run.not_empty = true;
    }
    gx_try found = w->i > w->j ? GX_TRY_NO : gx_subject_next(&s);
    bool ok = found != GX_TRY_ERROR;
    if (found == GX_TRY_YES) {
        w->k = s.run.not_empty ? -2 - (int64_t)s.run.start : s.run.start;
        ok = gx_match_new(rt, w->a, &s, out);
        *more = true;
    } else {
        w->k = INT64_MIN;
        *more = false;
    }
    gx_subject_close(rt, &s);
    return ok;
}
static GX_WALK_TYPE(finditer_type, "callable_iterator", next_match, NULL);

bool gx_pattern_finditer(gx_call *c, gx_value *out) {
    int64_t from, to;
    gx_subject s; /* what cannot be searched is told now */
    if (!bounds(c, &from, &to) ||
        !gx_subject_open(c->rt, gx_as_regex(c->argv[0]), c->argv[1], from, to, &s))
        return false;
    gx_subject_close(c->rt, &s);
    gx_walk *w = gx_walk_new(c->rt, &finditer_type, 0);
    if (!w) return false;
    w->a = gx_keep(c->argv[0]);
    w->b = gx_keep(c->argv[1]);
    w->i = from;
    w->j = to;
    w->k = -1;
    return gx_walk_done(c->rt, w, out);
}

/* --- split --- */

static bool push_part(gx_rt *rt, gx_borrowed list, const gx_str *s, int32_t from, int32_t to) {
    gx_value v;
    return gx_subject_part(rt, s, from, to, &v) && gx_list_push_take(rt, list, v);
}

bool gx_pattern_split(gx_call *c, gx_value *out) {
    const gx_regex_object *p = gx_as_regex(c->argv[0]);
    int64_t most = 0, n = 0;
    int32_t from = 0;
    gx_subject s;
    gx_value list;
    gx_try found = GX_TRY_NO;
    if ((gx_arg_given(c, 2) && !gx_arg_int(c, 2, &most)) ||
        !gx_subject_open(c->rt, p, c->argv[1], 0, INT64_MAX, &s))
        return false;
    bool ok = gx_list_new(c->rt, 0, NULL, &list);
    if (!ok) {
        gx_subject_close(c->rt, &s);
        return false;
    }
    while (ok && most >= 0 && (most == 0 || n < most) &&
           (found = gx_subject_next(&s)) == GX_TRY_YES) {
        ok = push_part(c->rt, list, s.s, from, s.run.slots[0]);
        for (int32_t g = 1; ok && g <= p->re.groups; g++)
            ok = s.run.slots[2 * g] < 0 || s.run.slots[2 * g + 1] < 0
                     ? gx_list_push(c->rt, list, gx_none())
                     : push_part(c->rt, list, s.s, s.run.slots[2 * g], s.run.slots[2 * g + 1]);
        from = s.run.slots[1];
        n++;
    }
    ok = ok && found != GX_TRY_ERROR && push_part(c->rt, list, s.s, from, (int32_t)s.s->length);
    gx_subject_close(c->rt, &s);
    if (ok) *out = list;
    else gx_drop(list);
    return ok;
}

/* --- sub --- */

/* Adds a piece of text or bytes that a replacement gave. */
static bool add_piece(gx_rt *rt, gx_buf *b, bool bytes, gx_borrowed v, int64_t n) {
    if (v.tag == GX_NONE) return true;
    if (v.tag != (bytes ? GX_BYTES : GX_STR))
        return bytes ? gx_fail(rt, GX_TypeError, "re.replacement",
                               "sequence item %lld: expected a bytes-like object, %s found",
                               (long long)n, gx_type_name(v))
                     : gx_fail(rt, GX_TypeError, "re.replacement",
                               "sequence item %lld: expected str instance, %s found", (long long)n,
                               gx_type_name(v));
    return gx_buf_add(b, gx_as_str(v)->text, gx_as_str(v)->length);
}

/* The pieces of a template: texts, and between them numbers of groups. */
static bool template_of(gx_rt *rt, const gx_regex_object *p, gx_borrowed self, gx_borrowed repl,
                        gx_value *out) {
    const gx_borrowed argv[2] = {self, repl};
    return gx_call_value(rt, p->tools, 2, argv, 0, NULL, out);
}

static bool add_template(gx_rt *rt, gx_buf *b, gx_borrowed pieces, const gx_str *s,
                         const int32_t *slots, bool bytes) {
    const gx_value *items;
    const int64_t n = gx_sequence_items(pieces, &items);
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++) {
        if (items[i].tag != GX_INT) {
            ok = add_piece(rt, b, bytes, items[i], i);
            continue;
        }
        const int32_t from = slots[2 * items[i].i], to = slots[2 * items[i].i + 1];
        if (from >= 0 && to >= 0) ok = gx_buf_add(b, s->text + from, (size_t)(to - from));
    }
    return ok;
}

/* A replacement without escapes is put in as it is. */
static bool is_literal(gx_borrowed repl) {
    return (repl.tag == GX_STR || repl.tag == GX_BYTES) &&
           !memchr(gx_as_str(repl)->text, '\\', gx_as_str(repl)->length);
}

static bool call_for(gx_call *c, const gx_subject *s, gx_buf *b, bool bytes, int64_t n) {
    gx_value match, v;
    if (!gx_match_new(c->rt, c->argv[0], s, &match)) return false;
    bool ok = gx_call_value(c->rt, c->argv[1], 1, &match, 0, NULL, &v);
    gx_drop(match);
    if (!ok) return false;
    ok = add_piece(c->rt, b, bytes, v, n);
    gx_drop(v);
    return ok;
}

/* The text with at most `most` matches replaced (0: all); *count: how many were. */
static bool replaced(gx_call *c, gx_value *out, int64_t *count) {
    const gx_regex_object *p = gx_as_regex(c->argv[0]);
    gx_borrowed repl = c->argv[1];
    int64_t most = 0, item = 0; /* item: of what CPython joins */
    int32_t from = 0;
    gx_subject s;
    gx_value pieces = gx_undef();
    gx_try found = GX_TRY_NO;
    if ((gx_arg_given(c, 3) && !gx_arg_int(c, 3, &most)) ||
        !gx_subject_open(c->rt, p, c->argv[2], 0, INT64_MAX, &s))
        return false;
    const bool bytes = p->re.bytes, literal = is_literal(repl), call = gx_callable(repl);
    bool ok = literal || call || template_of(c->rt, p, c->argv[0], repl, &pieces);
    gx_buf b = gx_buf_new(c->rt);
    *count = 0;
    while (ok && most >= 0 && (most == 0 || *count < most) &&
           (found = gx_subject_next(&s)) == GX_TRY_YES) {
        ok = gx_buf_add(&b, s.s->text + from, (size_t)(s.run.slots[0] - from));
        if (s.run.slots[0] > from) item++;
        if (ok && literal) ok = add_piece(c->rt, &b, bytes, repl, item++);
        else if (ok && call) ok = call_for(c, &s, &b, bytes, item++);
        else if (ok) ok = add_template(c->rt, &b, pieces, s.s, s.run.slots, bytes);
        from = s.run.slots[1];
        ++*count;
    }
    ok = ok && found != GX_TRY_ERROR &&
         gx_buf_add(&b, s.s->text + from, s.s->length - (size_t)from);
    if (ok && *count == 0) {
        *out = gx_keep(s.held);
        gx_buf_free(&b);
    } else if (ok)
        ok = bytes ? gx_bytes_take(&b, out) : gx_str_take(&b, out);
    else
        gx_buf_free(&b);
    gx_subject_close(c->rt, &s);
    gx_drop(pieces);
    return ok;
}

bool gx_pattern_sub(gx_call *c, gx_value *out) {
    int64_t count;
    return replaced(c, out, &count);
}

bool gx_pattern_subn(gx_call *c, gx_value *out) {
    int64_t count;
    gx_value both[2];
    if (!replaced(c, &both[0], &count)) return false;
    both[1] = gx_int(count);
    return gx_tuple_take(c->rt, 2, both, out);
}

bool gx_match_expand(gx_call *c, gx_value *out) {
    const gx_match *m = gx_as_match(c->argv[0]);
    const gx_regex_object *p = gx_as_regex(m->pattern);
    const gx_str *s = gx_as_str(m->bytes.tag == GX_UNDEF ? m->string : m->bytes);
    gx_value pieces;
    gx_buf b = gx_buf_new(c->rt);
    if (!template_of(c->rt, p, m->pattern, c->argv[1], &pieces)) return false;
    bool ok = add_template(c->rt, &b, pieces, s, m->slots, p->re.bytes);
    gx_drop(pieces);
    if (ok) return p->re.bytes ? gx_bytes_take(&b, out) : gx_str_take(&b, out);
    gx_buf_free(&b);
    return false;
}
