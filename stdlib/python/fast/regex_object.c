/* The objects of re: patterns and matches. Searching all of a text, replacing and splitting are in
   regex_all.c. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/number.h"
#include "stdlib/python/fast/bytes_int.h"
#include "stdlib/python/fast/regex_int.h"
#include "stdlib/stdlib.h"

/* --- what is searched --- */

bool gx_subject_open(gx_rt *rt, const gx_regex_object *p, gx_borrowed string, int64_t from,
                     int64_t to, gx_subject *out) {
    gx_value held = gx_undef();
    gx_try is = GX_TRY_YES;
    if (string.tag == GX_STR || string.tag == GX_BYTES) held = gx_keep(string);
    else is = gx_bytes_like(rt, string, &held);
    if (is == GX_TRY_ERROR) return false;
    if (is == GX_TRY_NO)
        return gx_fail(rt, GX_TypeError, "re.string",
                       "expected string or bytes-like object, got '%s'", gx_type_name(string));
    if ((held.tag == GX_STR) == p->re.bytes) {
        gx_drop(held);
        return gx_fail(rt, GX_TypeError, "re.string",
                       p->re.bytes ? "cannot use a bytes pattern on a string-like object"
                                   : "cannot use a string pattern on a bytes-like object");
    }
    const gx_str *s = gx_as_str(held);
    const int64_t length = (int64_t)s->chars;
    from = from < 0 ? 0 : from > length ? length : from;
    to = to < 0 ? 0 : to > length ? length : to;
    *out = (gx_subject){.string = gx_keep(string), .held = held, .s = s, .from = from, .to = to};
    const bool plain = gx_str_ascii(s);
    out->run = (gx_regex_run){
        .re = &p->re, .text = (const uint8_t *)s->text,
        .start = (int32_t)(plain ? (size_t)from : gx_str_offset(s, (size_t)from)),
        .end = (int32_t)(plain ? (size_t)to : gx_str_offset(s, (size_t)to)),
    };
    const size_t need = (size_t)(2 * (p->re.groups + 1) + 1);
    out->slots = NULL;
    if (need > GX_SUBJECT_SLOTS && !(out->slots = gx_alloc(rt, need * sizeof *out->slots))) {
        gx_subject_close(rt, out);
        return false;
    }
    return true;
}

void gx_subject_close(gx_rt *rt, gx_subject *s) {
    gx_free(rt, s->slots);
    gx_drop(s->held);
    gx_drop(s->string);
}

gx_try gx_subject_next(gx_subject *s) {
    s->run.slots = s->slots ? s->slots : s->some;
    if (s->run.start > s->run.end) return GX_TRY_NO;
    gx_try found = gx_regex_search(&s->run);
    if (found != GX_TRY_YES) return found;
    s->run.start = s->run.slots[1];
    s->run.not_empty = s->run.slots[0] == s->run.slots[1];
    return found;
}

bool gx_subject_part(gx_rt *rt, const gx_str *s, int32_t from, int32_t to, gx_value *out) {
    const size_t n = (size_t)(to - from);
    return s->obj.tag == GX_BYTES ? gx_bytes_new(rt, s->text + from, n, out)
                                  : gx_str_new(rt, s->text + from, n, out);
}

/* --- matches --- */

static int32_t slots_of(const gx_regex_object *p) {
    return 2 * (p->re.groups + 1) + 1;
}

static const gx_regex_object *pattern_of(const gx_match *m) {
    return gx_as_regex(m->pattern);
}

static const gx_str *text_of(const gx_match *m) {
    return gx_as_str(m->bytes.tag == GX_UNDEF ? m->string : m->bytes);
}

bool gx_match_new(gx_rt *rt, gx_borrowed pattern, const gx_subject *s, gx_value *out) {
    const int32_t n = slots_of(gx_as_regex(pattern));
    gx_match *m = gx_obj_new(rt, &gx_type_match, sizeof *m + (size_t)n * sizeof *m->slots);
    if (!m) return false;
    m->pattern = gx_keep(pattern);
    m->string = gx_keep(s->string);
    m->bytes = s->string.tag == GX_STR || s->string.tag == GX_BYTES ? gx_undef() : gx_keep(s->held);
    m->from = s->from;
    m->to = s->to;
    memcpy(m->slots, s->run.slots, (size_t)n * sizeof *m->slots);
    *out = gx_object(&m->obj);
    return true;
}

static void free_match(gx_rt *rt, gx_obj *o) {
    gx_match *m = (gx_match *)o;
    gx_drop(m->pattern);
    gx_drop(m->string);
    gx_drop(m->bytes);
    gx_free(rt, o);
}

bool gx_match_group(gx_rt *rt, const gx_match *m, int32_t group, gx_borrowed fallback,
                    gx_value *out) {
    const int32_t from = m->slots[2 * group], to = m->slots[2 * group + 1];
    if (from < 0 || to < 0) {
        *out = gx_keep(fallback);
        return true;
    }
    return gx_subject_part(rt, text_of(m), from, to, out);
}

/* A group by its number or its name. */
static bool find_group(gx_rt *rt, const gx_match *m, gx_borrowed key, int32_t *out) {
    const gx_regex_object *p = pattern_of(m);
    int64_t n = -1;
    gx_value number;
    if (key.tag == GX_INT) n = key.i;
    else if (key.tag == GX_STR || key.tag == GX_BYTES) {
        gx_try is = gx_dict_find(rt, p->names, key, &number);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_YES) n = number.i;
    } else if (gx_as_index(rt, key, &n) == GX_TRY_ERROR)
        return false;
    if (n < 0 || n > p->re.groups)
        return gx_fail(rt, GX_IndexError, "re.group", "no such group");
    *out = (int32_t)n;
    return true;
}

static bool match_group(gx_call *c, gx_value *out) {
    const gx_match *m = gx_as_match(c->argv[0]);
    int32_t group = 0;
    if (c->rest_count <= 1) {
        if (c->rest_count && !find_group(c->rt, m, c->rest[0], &group)) return false;
        return gx_match_group(c->rt, m, group, gx_none(), out);
    }
    gx_value list, v;
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int i = 0; ok && i < c->rest_count; i++)
        ok = find_group(c->rt, m, c->rest[i], &group) &&
             gx_match_group(c->rt, m, group, gx_none(), &v) && gx_list_push_take(c->rt, list, v);
    ok = ok && gx_tuple_of(c->rt, list, out);
    gx_drop(list);
    return ok;
}

static bool get_match(gx_rt *rt, gx_borrowed self, gx_borrowed key, gx_value *out) {
    int32_t group;
    return find_group(rt, gx_as_match(self), key, &group) &&
           gx_match_group(rt, gx_as_match(self), group, gx_none(), out);
}

static bool match_groups(gx_call *c, gx_value *out) {
    const gx_match *m = gx_as_match(c->argv[0]);
    gx_value list, v;
    if (!gx_list_new(c->rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int32_t i = 1; ok && i <= pattern_of(m)->re.groups; i++)
        ok = gx_match_group(c->rt, m, i, c->argv[1], &v) && gx_list_push_take(c->rt, list, v);
    ok = ok && gx_tuple_of(c->rt, list, out);
    gx_drop(list);
    return ok;
}

static bool match_groupdict(gx_call *c, gx_value *out) {
    const gx_match *m = gx_as_match(c->argv[0]);
    gx_dict *names = gx_as_dict(pattern_of(m)->names);
    gx_value d, v;
    int64_t at = 0;
    if (!gx_dict_new(c->rt, &d)) return false;
    for (gx_entry *e; (e = gx_dict_next(names, &at));) {
        const gx_value name = e->key;
        bool ok = gx_match_group(c->rt, m, (int32_t)e->value.i, c->argv[1], &v);
        if (ok) {
            ok = gx_dict_set(c->rt, d, name, v);
            gx_drop(v);
        }
        if (!ok) {
            gx_drop(d);
            return false;
        }
    }
    *out = d;
    return true;
}

/* Code points before a byte; -1 stays. */
static int64_t place(const gx_match *m, int32_t at) {
    const gx_str *s = text_of(m);
    if (at < 0 || s->obj.tag == GX_BYTES || gx_str_ascii(s)) return at;
    return (int64_t)gx_str_index(s, (size_t)at);
}

static bool ends(gx_call *c, int64_t both[2]) {
    const gx_match *m = gx_as_match(c->argv[0]);
    int32_t group = 0;
    if (gx_arg_given(c, 1) && !find_group(c->rt, m, c->argv[1], &group)) return false;
    const bool there = m->slots[2 * group] >= 0 && m->slots[2 * group + 1] >= 0;
    both[0] = there ? place(m, m->slots[2 * group]) : -1;
    both[1] = there ? place(m, m->slots[2 * group + 1]) : -1;
    return true;
}

static bool match_start(gx_call *c, gx_value *out) {
    int64_t both[2];
    if (!ends(c, both)) return false;
    *out = gx_int(both[0]);
    return true;
}
static bool match_end(gx_call *c, gx_value *out) {
    int64_t both[2];
    if (!ends(c, both)) return false;
    *out = gx_int(both[1]);
    return true;
}
static bool match_span(gx_call *c, gx_value *out) {
    int64_t both[2];
    return ends(c, both) && gx_tuple_ints(c->rt, 2, both, out);
}

static bool repr_match(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_match *m = gx_as_match(v);
    gx_value part;
    if (!gx_subject_part(rt, text_of(m), m->slots[0], m->slots[1], &part)) return false;
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_repr(rt, part, &text);
    /* CPython shows fifty characters of it. */
    size_t n = 0, count = 0;
    for (; n < text.length && count < 50; count++)
        for (n++; n < text.length && (text.data[n] & 0xC0) == 0x80;) n++;
    ok = ok && gx_buf_printf(out, "<re.Match object; span=(%lld, %lld), match=",
                             (long long)place(m, m->slots[0]), (long long)place(m, m->slots[1])) &&
         gx_buf_add(out, gx_buf_text(&text), n) && gx_buf_char(out, '>');
    gx_buf_free(&text);
    gx_drop(part);
    return ok;
}

static bool get_pos(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_as_match(v)->from);
    return true;
}
static bool get_endpos(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_as_match(v)->to);
    return true;
}
static bool get_re(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_match(v)->pattern);
    return true;
}
static bool get_string(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_match(v)->string);
    return true;
}
static bool get_lastindex(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    const gx_match *m = gx_as_match(v);
    const int32_t last = m->slots[slots_of(pattern_of(m)) - 1];
    *out = last ? gx_int(last) : gx_none();
    return true;
}
static bool get_lastgroup(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    const gx_match *m = gx_as_match(v);
    const int32_t last = m->slots[slots_of(pattern_of(m)) - 1];
    int64_t at = 0;
    *out = gx_none();
    for (gx_entry *e; last && (e = gx_dict_next(gx_as_dict(pattern_of(m)->names), &at));)
        if (e->value.i == last) *out = gx_keep(e->key);
    return true;
}
static bool get_regs(gx_rt *rt, gx_borrowed v, gx_value *out) {
    const gx_match *m = gx_as_match(v);
    gx_value list, pair;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = true;
    for (int32_t i = 0; ok && i <= pattern_of(m)->re.groups; i++) {
        const int64_t both[2] = {place(m, m->slots[2 * i]), place(m, m->slots[2 * i + 1])};
        ok = gx_tuple_ints(rt, 2, both, &pair) && gx_list_push_take(rt, list, pair);
    }
    ok = ok && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool itself(gx_call *c, gx_value *out) {
    *out = gx_keep(c->argv[0]);
    return true;
}

static const gx_native match_methods[] = {
    {"group", "group(self, *groups)", "What groups matched, by number or name.", NULL, match_group,
     GX_NATIVE_REST, 0},
    {"groups", "groups(self, default=None)", "What all groups matched.", NULL, match_groups, 0, 0},
    {"groupdict", "groupdict(self, default=None)", "What the named groups matched.", NULL,
     match_groupdict, 0, 0},
    {"start", "start(self, group=0, /)", "Where a group's match begins.", NULL, match_start, 0, 0},
    {"end", "end(self, group=0, /)", "Where a group's match ends.", NULL, match_end, 0, 0},
    {"span", "span(self, group=0, /)", "Both ends of a group's match.", NULL, match_span, 0, 0},
    {"expand", "expand(self, template)", "A template with what the groups matched.", NULL,
     gx_match_expand, 0, 0},
    {"__copy__", "__copy__(self, /)", "The match.", NULL, itself, 0, 0},
    {"__deepcopy__", "__deepcopy__(self, memo, /)", "The match.", NULL, itself, 0, 0},
    {.name = NULL},
};
static const gx_member match_members[] = {
    {"pos", get_pos, NULL, "Where the search began."},
    {"endpos", get_endpos, NULL, "Where the search ended."},
    {"lastindex", get_lastindex, NULL, "The number of the group that was closed last."},
    {"lastgroup", get_lastgroup, NULL, "Its name."},
    {"re", get_re, NULL, "The pattern."},
    {"string", get_string, NULL, "The text that was searched."},
    {"regs", get_regs, NULL, "Both ends of each group's match."},
    {NULL, NULL, NULL, NULL},
};
const gx_type gx_type_match = {
    .name = "re.Match", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .free = free_match,
    .repr = repr_match, .get = get_match, .methods = match_methods, .members = match_members,
};

/* --- patterns --- */

static bool new_pattern(gx_call *c, gx_value *out) {
    int64_t groups, flags;
    gx_regex_object *p = gx_obj_new(c->rt, &gx_type_pattern, sizeof *p);
    if (!p) return false;
    p->text = gx_keep(c->argv[0]);
    p->names = gx_keep(c->argv[5]);
    p->tools = gx_keep(c->argv[6]);
    p->re.bytes = c->argv[0].tag != GX_STR;
    p->re.rt = c->rt;
    if (gx_arg_int(c, 1, &flags) && gx_arg_int(c, 4, &groups) &&
        (c->argv[5].tag == GX_DICT || gx_arg_wrong(c, 5, "a dict")) &&
        gx_regex_load(c->rt, c->argv[2], c->argv[3], &p->re)) {
        p->flags = flags;
        if (groups > p->re.groups) p->re.groups = (int32_t)groups;
        *out = gx_object(&p->obj);
        return true;
    }
    gx_obj_drop(&p->obj);
    return false;
}

static void free_pattern(gx_rt *rt, gx_obj *o) {
    gx_regex_object *p = (gx_regex_object *)o;
    gx_regex_free(&p->re);
    gx_drop(p->text);
    gx_drop(p->names);
    gx_drop(p->tools);
    gx_free(rt, o);
}

static bool repr_pattern(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    static const char *const names[] = {"IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "UNICODE",
                                        "VERBOSE", "DEBUG", "ASCII"};
    const gx_regex_object *p = gx_as_regex(v);
    int64_t flags = p->flags;
    gx_buf text = gx_buf_new(rt);
    bool ok = gx_repr(rt, p->text, &text), first = true;
    size_t n = 0, count = 0; /* CPython shows two hundred characters of it */
    for (; n < text.length && count < 200; count++)
        for (n++; n < text.length && (text.data[n] & 0xC0) == 0x80;) n++;
    ok = ok && gx_buf_puts(out, "re.compile(") && gx_buf_add(out, gx_buf_text(&text), n);
    gx_buf_free(&text);
    if (p->text.tag == GX_STR && (flags & (4 | 32 | 256)) == 32) flags &= ~32;
    for (int i = 0; ok && i < 8; i++)
        if (flags & 2 << i) {
            ok = gx_buf_printf(out, "%sre.%s", first ? ", " : "|", names[i]);
            first = false;
        }
    return ok && gx_buf_char(out, ')');
}

static gx_try compare_patterns(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b,
                               gx_value *out) {
    if ((op != GX_EQ && op != GX_NE) || gx_type_of(a) != &gx_type_pattern ||
        gx_type_of(b) != &gx_type_pattern)
        return GX_TRY_NO;
    const gx_regex_object *p = gx_as_regex(a), *q = gx_as_regex(b);
    bool same = p == q;
    if (!same && p->flags == q->flags && p->re.bytes == q->re.bytes &&
        !gx_equal(rt, p->text, q->text, &same))
        return GX_TRY_ERROR;
    *out = gx_bool(same == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool hash_pattern(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    if (!gx_hash(rt, gx_as_regex(v)->text, out)) return false;
    *out ^= (uint64_t)gx_as_regex(v)->flags * 0x9e3779b97f4a7c15u;
    return true;
}

/* match, fullmatch and search. */
static bool look(gx_call *c, bool fixed, bool full, gx_value *out) {
    int64_t from = 0, to = INT64_MAX;
    gx_subject s;
    if ((gx_arg_given(c, 2) && !gx_arg_bound(c, 2, &from)) ||
        (gx_arg_given(c, 3) && !gx_arg_bound(c, 3, &to)) ||
        !gx_subject_open(c->rt, gx_as_regex(c->argv[0]), c->argv[1], from, to, &s))
        return false;
    s.run.fixed = fixed;
    s.run.full = full;
    gx_try found = from > to ? GX_TRY_NO : gx_subject_next(&s);
    bool ok = found != GX_TRY_ERROR;
    if (found == GX_TRY_YES) ok = gx_match_new(c->rt, c->argv[0], &s, out);
    else if (ok) *out = gx_none();
    gx_subject_close(c->rt, &s);
    return ok;
}

static bool pattern_match(gx_call *c, gx_value *out) {
    return look(c, true, false, out);
}
static bool pattern_fullmatch(gx_call *c, gx_value *out) {
    return look(c, true, true, out);
}
static bool pattern_search(gx_call *c, gx_value *out) {
    return look(c, false, false, out);
}

static bool get_flags(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_as_regex(v)->flags);
    return true;
}
static bool get_groups(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_int(gx_as_regex(v)->re.groups);
    return true;
}
static bool get_text(gx_rt *rt, gx_borrowed v, gx_value *out) {
    (void)rt;
    *out = gx_keep(gx_as_regex(v)->text);
    return true;
}
/* A copy: the pattern's own names do not change. */
static bool get_groupindex(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_value d;
    int64_t at = 0;
    if (!gx_dict_new(rt, &d)) return false;
    for (gx_entry *e; (e = gx_dict_next(gx_as_dict(gx_as_regex(v)->names), &at));)
        if (!gx_dict_set(rt, d, e->key, e->value)) {
            gx_drop(d);
            return false;
        }
    *out = d;
    return true;
}

#define LOOKS(name, text, fn)                                                                      \
    {name, name "(self, string, pos=0, endpos=<no value>)", text, NULL, fn, 0, 0}
const gx_native gx_pattern_methods[] = {
    LOOKS("match", "The match at the beginning, or None.", pattern_match),
    LOOKS("fullmatch", "The match of the whole text, or None.", pattern_fullmatch),
    LOOKS("search", "The first match, or None.", pattern_search),
    LOOKS("findall", "What all matches are, or their groups.", gx_pattern_findall),
    LOOKS("finditer", "The matches, one at a time.", gx_pattern_finditer),
    {"split", "split(self, string, maxsplit=0)", "The pieces between matches, and their groups.",
     NULL, gx_pattern_split, 0, 0},
    {"sub", "sub(self, repl, string, count=0)", "The text with its matches replaced.", NULL,
     gx_pattern_sub, 0, 0},
    {"subn", "subn(self, repl, string, count=0)", "The same, and how many were.", NULL,
     gx_pattern_subn, 0, 0},
    {"__copy__", "__copy__(self, /)", "The pattern.", NULL, itself, 0, 0},
    {"__deepcopy__", "__deepcopy__(self, memo, /)", "The pattern.", NULL, itself, 0, 0},
    {.name = NULL},
};
static const gx_member pattern_members[] = {
    {"flags", get_flags, NULL, "Its flags, those in the pattern included."},
    {"groups", get_groups, NULL, "How many groups it has."},
    {"groupindex", get_groupindex, NULL, "The numbers of named groups."},
    {"pattern", get_text, NULL, "Its text."},
    {NULL, NULL, NULL, NULL},
};
const gx_type gx_type_pattern = {
    .name = "re.Pattern", .tag = GX_OBJECT, .dtype = GX_NO_DTYPE, .free = free_pattern,
    .repr = repr_pattern, .hash = hash_pattern, .compare = compare_patterns,
    .methods = gx_pattern_methods, .members = pattern_members,
};

/* --- what re.gx needs --- */

static bool ops(gx_call *c, gx_value *out) {
    static const char *const names[] = {
#define X(name, operands) #name,
        GX_REGEX_OPS(X)
#undef X
    };
    gx_value d;
    if (!gx_dict_new(c->rt, &d)) return false;
    for (int i = 0; i < GX_RE_OPS; i++)
        if (!gx_dict_set_c(c->rt, d, names[i], gx_int(i))) {
            gx_drop(d);
            return false;
        }
    *out = d;
    return true;
}

static bool caseless(gx_call *c, gx_value *out) {
    int64_t code;
    bool ascii;
    if (!gx_arg_int(c, 0, &code) || !gx_arg_bool(c, 1, &ascii)) return false;
    *out = gx_int(gx_regex_caseless((uint32_t)code, ascii));
    return true;
}

extern const gx_native gx_py_re_functions[];
const gx_native gx_py_re_functions[] = {
    {"compile", "compile(pattern, flags, code, sets, groups, names, tools, /)",
     "A pattern from its program.", NULL, new_pattern, 0, 0},
    {"ops", "ops()", "The numbers of the program's steps.", NULL, ops, 0, 0},
    {"caseless", "caseless(code, ascii, /)", "One code point for all cases of a letter.", NULL,
     caseless, 0, 0},
    {.name = NULL},
};
extern const gx_constant gx_py_re_constants[];
const gx_constant gx_py_re_constants[] = {
    {.name = "Pattern", .kind = GX_CONST_TYPE, .type = &gx_type_pattern},
    {.name = "Match", .kind = GX_CONST_TYPE, .type = &gx_type_match},
    {.name = NULL},
};
