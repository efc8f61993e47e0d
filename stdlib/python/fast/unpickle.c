/* pickle: from bytes to values. The machine makes plain values itself; names, and states of arrays,
   are asked of pickle.gx, which makes what it knows and refuses the rest. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/still.h"
#include "runtime/object/types.h"
#include "stdlib/python/fast/bytes_int.h"
#include "stdlib/python/fast/pickle_int.h"
#include "stdlib/stdlib.h"

typedef struct machine {
    gx_rt *rt;
    const char *data;
    size_t length, at;
    gx_value *stack, *memo; /* owned, as their values */
    int64_t *marks;
    int64_t used, room, memo_used, memo_room, mark_count, mark_room;
    gx_borrowed find, build, persistent;
    bool bytes; /* old strings become bytes */
    int work;
} machine;

static bool wrong(machine *m, const char *message) {
    return gx_raise_of(m->rt, "pickle", "UnpicklingError", "%s", message);
}

static bool cut_short(machine *m) {
    if (m->at < m->length) return wrong(m, "pickle data was truncated");
    return gx_fail(m->rt, GX_EOFError, "pickle.end", "Ran out of input");
}

/* --- stack and memo --- */

static bool push_value(machine *m, gx_value v) { /* taken */
    if (m->used == m->room) {
        const int64_t room = m->room ? 2 * m->room : 32;
        gx_value *more = gx_realloc(m->rt, m->stack, (size_t)room * sizeof *more);
        if (!more) {
            gx_drop(v);
            return false;
        }
        m->stack = more;
        m->room = room;
    }
    m->stack[m->used++] = v;
    return true;
}

static int64_t floor_of(const machine *m) {
    return m->mark_count ? m->marks[m->mark_count - 1] : 0;
}

static bool needs(machine *m, int64_t n) {
    return m->used - floor_of(m) >= n || wrong(m, "unexpected MARK found");
}

static bool mark(machine *m) {
    if (m->mark_count == m->mark_room) {
        const int64_t room = m->mark_room ? 2 * m->mark_room : 16;
        int64_t *more = gx_realloc(m->rt, m->marks, (size_t)room * sizeof *more);
        if (!more) return false;
        m->marks = more;
        m->mark_room = room;
    }
    m->marks[m->mark_count++] = m->used;
    return true;
}

/* Where the items since the last mark begin; the mark goes. */
static bool unmark(machine *m, int64_t *from) {
    if (!m->mark_count) return wrong(m, "could not find MARK");
    *from = m->marks[--m->mark_count];
    return true;
}

static void drop_to(machine *m, int64_t n) {
    while (m->used > n) gx_drop(m->stack[--m->used]);
}

static bool memoize(machine *m, int64_t i) {
    if (!needs(m, 1)) return false;
    if (i < 0 || i > (int64_t)m->length) return wrong(m, "a place of the memo is too large");
    if (i >= m->memo_room) {
        int64_t room = m->memo_room ? 2 * m->memo_room : 64;
        while (room <= i) room *= 2;
        gx_value *more = gx_realloc(m->rt, m->memo, (size_t)room * sizeof *more);
        if (!more) return false;
        for (int64_t k = m->memo_room; k < room; k++) more[k] = gx_undef();
        m->memo = more;
        m->memo_room = room;
    }
    gx_value old = m->memo[i];
    m->memo[i] = gx_keep(m->stack[m->used - 1]);
    gx_drop(old);
    if (old.tag == GX_UNDEF) m->memo_used++;
    return true;
}

static bool get(machine *m, int64_t i) {
    if (i < 0 || i >= m->memo_room || m->memo[i].tag == GX_UNDEF)
        return gx_raise_of(m->rt, "pickle", "UnpicklingError", "Memo value not found at index %lld",
                           (long long)i);
    return push_value(m, gx_keep(m->memo[i]));
}

/* --- bytes --- */

static bool take(machine *m, uint64_t n, const char **out) {
    if (m->length - m->at < n) return cut_short(m);
    *out = m->data + m->at;
    m->at += (size_t)n;
    return true;
}

static bool take_uint(machine *m, int n, uint64_t *out) {
    const char *p;
    *out = 0;
    if (!take(m, (uint64_t)n, &p)) return false;
    for (int i = 0; i < n; i++) *out |= (uint64_t)(unsigned char)p[i] << 8 * i;
    return true;
}

static bool take_line(machine *m, const char **text, size_t *n) {
    const char *end = memchr(m->data + m->at, '\n', m->length - m->at);
    if (!end) return wrong(m, "pickle data was truncated");
    *text = m->data + m->at;
    *n = (size_t)(end - *text);
    m->at += *n + 1;
    return true;
}

/* An int of n bytes, the least first, with a sign. */
static bool take_long(machine *m, uint64_t n) {
    const char *p;
    gx_value v;
    if (!take(m, n, &p)) return false;
    if (n <= 8) {
        uint64_t u = n && p[n - 1] & 0x80 ? ~UINT64_C(0) : 0;
        for (uint64_t i = n; i-- > 0;) u = u << 8 | (unsigned char)p[i];
        return push_value(m, gx_int((int64_t)u));
    }
    const bool negative = p[n - 1] & 0x80;
    gx_buf b = gx_buf_new(m->rt);
    bool ok = true;
    unsigned carry = 1;
    for (uint64_t i = 0; ok && i < n; i++) ok = gx_buf_fill(&b, '0', 2);
    for (uint64_t i = 0; ok && i < n; i++) {
        unsigned byte = (unsigned char)p[i];
        if (negative) { /* the two's complement */
            byte = (~byte & 255) + carry;
            carry = byte >> 8;
        }
        b.data[2 * (n - 1 - i)] = "0123456789abcdef"[byte >> 4 & 15];
        b.data[2 * (n - 1 - i) + 1] = "0123456789abcdef"[byte & 15];
    }
    ok = ok && gx_int_parse(m->rt, b.data, b.length, 16, &v);
    gx_buf_free(&b);
    if (!ok || !negative) return ok && push_value(m, v);
    gx_value negated;
    ok = gx_int_neg(m->rt, v, &negated);
    gx_drop(v);
    return ok && push_value(m, negated);
}

static bool take_text(machine *m, uint64_t n) {
    const char *p;
    gx_value v;
    return take(m, n, &p) && gx_str_decode(m->rt, p, (size_t)n, &v) && push_value(m, v);
}

static bool take_bytes(machine *m, uint64_t n, bool array) {
    const char *p;
    gx_value v;
    if (!take(m, n, &p)) return false;
    return (array ? gx_bytearray_new(m->rt, p, (size_t)n, &v)
                  : gx_bytes_new(m->rt, p, (size_t)n, &v)) &&
           push_value(m, v);
}

static bool take_double(machine *m) {
    const char *p;
    uint64_t bits = 0;
    double x;
    if (!take(m, 8, &p)) return false;
    for (int i = 0; i < 8; i++) bits = bits << 8 | (unsigned char)p[i];
    memcpy(&x, &bits, 8);
    return push_value(m, gx_float(x));
}

/* A line of an old pickle: a number of a kind. */
static bool take_number_line(machine *m, char op) {
    const char *p;
    size_t n;
    double x;
    gx_value v;
    if (!take_line(m, &p, &n)) return false;
    if (op == 'F')
        return gx_float_parse(m->rt, p, p + n, &x) == GX_TRY_YES ? push_value(m, gx_float(x))
                                                                : wrong(m, "invalid float");
    if (op == 'I' && n == 2 && p[0] == '0' && (p[1] == '0' || p[1] == '1'))
        return push_value(m, gx_bool(p[1] == '1'));
    if (op == 'L' && n && p[n - 1] == 'L') n--;
    const bool negative = n && *p == '-';
    if (n == negative || strspn(p + negative, "0123456789") < n - negative)
        return wrong(m, "invalid int");
    if (!gx_int_parse(m->rt, p + negative, n - negative, 10, &v)) return false;
    if (!negative) return push_value(m, v);
    gx_value negated;
    bool ok = gx_int_neg(m->rt, v, &negated);
    gx_drop(v);
    return ok && push_value(m, negated);
}

/* --- containers --- */

static bool make_tuple(machine *m, int64_t from) {
    gx_value v;
    if (!gx_tuple_new(m->rt, m->used - from, m->stack + from, &v)) return false;
    drop_to(m, from);
    return push_value(m, v);
}

/* Adds the items from `from` on to the list, set or deque below them. */
static bool append(machine *m, int64_t from) {
    if (from < 1) return wrong(m, "there is nothing to append to");
    const gx_value into = m->stack[from - 1];
    for (int64_t i = from; i < m->used; i++) {
        bool ok;
        if (into.tag == GX_LIST) ok = gx_list_push(m->rt, into, m->stack[i]);
        else if (into.tag == GX_SET) ok = gx_set_add(m->rt, into, m->stack[i]);
        else {
            gx_value fn, r;
            gx_sym name = gx_sym_c(m->rt, "append");
            ok = name && gx_get_attr(m->rt, into, name, &fn);
            if (ok) {
                ok = gx_call_value(m->rt, fn, 1, &m->stack[i], 0, NULL, &r);
                gx_drop(fn);
                if (ok) gx_drop(r);
            }
        }
        if (!ok) return false;
    }
    drop_to(m, from);
    return true;
}

static bool set_items(machine *m, int64_t from) {
    if (from < 1 || (m->used - from) % 2) return wrong(m, "odd number of items for SETITEMS");
    for (int64_t i = from; i < m->used; i += 2) {
        const gx_value into = m->stack[from - 1];
        if (into.tag == GX_DICT ? !gx_dict_set(m->rt, into, m->stack[i], m->stack[i + 1])
                                : !gx_set_item(m->rt, into, m->stack[i], m->stack[i + 1]))
            return false;
    }
    drop_to(m, from);
    return true;
}

/* A list, dict or frozenset of the items since the mark. */
static bool collect(machine *m, char op) {
    int64_t from;
    gx_value v;
    if (!unmark(m, &from)) return false;
    if (op == 't') return make_tuple(m, from);
    if (op == 'l') {
        if (!gx_list_new(m->rt, m->used - from, m->stack + from, &v)) return false;
        drop_to(m, from);
        return push_value(m, v);
    }
    if (op == 'd') {
        if ((m->used - from) % 2) return wrong(m, "odd number of items for DICT");
        bool ok = gx_dict_new(m->rt, &v);
        for (int64_t i = from; ok && i < m->used; i += 2)
            if (!gx_dict_set(m->rt, v, m->stack[i], m->stack[i + 1])) {
                gx_drop(v);
                ok = false;
            }
        if (!ok) return false;
    } else {
        if (!gx_set_new(m->rt, true, &v)) return false;
        for (int64_t i = from; i < m->used; i++)
            if (!gx_set_add(m->rt, v, m->stack[i])) {
                gx_drop(v);
                return false;
            }
    }
    drop_to(m, from);
    return push_value(m, v);
}

/* --- what pickle.gx decides --- */

/* Calls fn with the top n values, which go; its answer comes in their place. */
static bool ask(machine *m, gx_borrowed fn, int n) {
    gx_value v;
    if (!needs(m, n) || !gx_call_value(m->rt, fn, n, m->stack + m->used - n, 0, NULL, &v))
        return false;
    drop_to(m, m->used - n);
    return push_value(m, v);
}

/* The callable below the arguments, called. */
static bool reduce(machine *m) {
    gx_value v;
    if (!needs(m, 2)) return false;
    const gx_value args = m->stack[m->used - 1];
    if (args.tag != GX_TUPLE) return wrong(m, "the arguments of a call are no tuple");
    const gx_tuple *t = gx_as_tuple(args);
    if (!gx_call_value(m->rt, m->stack[m->used - 2], (int)t->count, t->items, 0, NULL, &v))
        return false;
    drop_to(m, m->used - 2);
    return push_value(m, v);
}

/* build(thing, state) gives what stands for the thing from now on. */
static bool build(machine *m) {
    if (!needs(m, 2)) return false;
    const gx_value thing = gx_keep(m->stack[m->used - 2]);
    bool ok = ask(m, m->build, 2);
    for (int64_t i = 0; ok && i < m->memo_room; i++)
        if (m->memo[i].tag != GX_UNDEF && gx_is(m->memo[i], thing)) {
            gx_drop(m->memo[i]);
            m->memo[i] = gx_keep(m->stack[m->used - 1]);
        }
    gx_drop(thing);
    return ok;
}

static bool global_lines(machine *m) {
    const char *p;
    size_t n;
    gx_value v;
    for (int i = 0; i < 2; i++)
        if (!take_line(m, &p, &n) || !gx_str_decode(m->rt, p, n, &v) || !push_value(m, v))
            return false;
    return ask(m, m->find, 2);
}

static bool persistent_line(machine *m) {
    const char *p;
    size_t n;
    gx_value v;
    return take_line(m, &p, &n) && gx_str_decode(m->rt, p, n, &v) && push_value(m, v) &&
           ask(m, m->persistent, 1);
}

static bool memo_line(machine *m, bool store) {
    const char *p;
    size_t n;
    int64_t i = 0;
    if (!take_line(m, &p, &n)) return false;
    for (size_t k = 0; k < n; k++) {
        if (p[k] < '0' || p[k] > '9' || i > 1 << 28) return wrong(m, "invalid place of the memo");
        i = 10 * i + p[k] - '0';
    }
    return store ? memoize(m, i) : get(m, i);
}

static bool old_string(machine *m, uint64_t n) {
    const char *p;
    gx_value v;
    if (m->bytes) return take_bytes(m, n, false);
    if (!take(m, n, &p)) return false;
    for (uint64_t i = 0; i < n; i++)
        if (p[i] & 0x80)
            return gx_fail(m->rt, GX_ValueError, "pickle.ascii",
                           "a string of Python 2 is not ASCII: encoding='bytes' gives its bytes");
    return gx_str_new(m->rt, p, (size_t)n, &v) && push_value(m, v);
}

static bool pop(machine *m) {
    if (m->mark_count && floor_of(m) == m->used) {
        m->mark_count--;
        return true;
    }
    if (!needs(m, 1)) return false;
    drop_to(m, m->used - 1);
    return true;
}

static bool push_new(machine *m, bool ok, gx_value *v) {
    return ok && push_value(m, *v);
}

/* One step; false with nothing pending at the end. */
static bool step(machine *m, unsigned char op, bool *done) {
    gx_value v;
    uint64_t u;
    int64_t from;
    gx_rt *rt = m->rt;
    switch (op) {
    case '.': *done = true; return needs(m, 1);
    case 0x80:
        if (!take_uint(m, 1, &u)) return false;
        return u <= 5 || gx_fail(rt, GX_ValueError, "pickle.protocol",
                                 "unsupported pickle protocol: %d", (int)u);
    case 0x95: return take_uint(m, 8, &u);
    case '(': return mark(m);
    case '0': return pop(m);
    case '1':
        if (!unmark(m, &from)) return false;
        drop_to(m, from);
        return true;
    case '2': return needs(m, 1) && push_value(m, gx_keep(m->stack[m->used - 1]));
    case 'N': return push_value(m, gx_none());
    case 0x88: case 0x89: return push_value(m, gx_bool(op == 0x88));
    case 'K': return take_uint(m, 1, &u) && push_value(m, gx_int((int64_t)u));
    case 'M': return take_uint(m, 2, &u) && push_value(m, gx_int((int64_t)u));
    case 'J': return take_uint(m, 4, &u) && push_value(m, gx_int((int32_t)(uint32_t)u));
    case 0x8a: return take_uint(m, 1, &u) && take_long(m, u);
    case 0x8b: return take_uint(m, 4, &u) && take_long(m, u);
    case 'I': case 'L': case 'F': return take_number_line(m, (char)op);
    case 'G': return take_double(m);
    case 0x8c: return take_uint(m, 1, &u) && take_text(m, u);
    case 'X': return take_uint(m, 4, &u) && take_text(m, u);
    case 0x8d: return take_uint(m, 8, &u) && take_text(m, u);
    case 'C': return take_uint(m, 1, &u) && take_bytes(m, u, false);
    case 'B': return take_uint(m, 4, &u) && take_bytes(m, u, false);
    case 0x8e: return take_uint(m, 8, &u) && take_bytes(m, u, false);
    case 0x96: return take_uint(m, 8, &u) && take_bytes(m, u, true);
    case 'U': return take_uint(m, 1, &u) && old_string(m, u);
    case 'T': return take_uint(m, 4, &u) && old_string(m, u);
    case ')': return push_new(m, gx_tuple_new(rt, 0, NULL, &v), &v);
    case ']': return push_new(m, gx_list_new(rt, 0, NULL, &v), &v);
    case '}': return push_new(m, gx_dict_new(rt, &v), &v);
    case 0x8f: return push_new(m, gx_set_new(rt, false, &v), &v);
    case 0x85: case 0x86: case 0x87:
        return needs(m, op - 0x84) && make_tuple(m, m->used - op + 0x84);
    case 't': case 'l': case 'd': case 0x91: return collect(m, (char)op);
    case 'a': return needs(m, 2) && append(m, m->used - 1);
    case 'e': case 0x90: return unmark(m, &from) && append(m, from);
    case 's': return needs(m, 3) && set_items(m, m->used - 2);
    case 'u': return unmark(m, &from) && set_items(m, from);
    case 0x94: return memoize(m, m->memo_used);
    case 'q': return take_uint(m, 1, &u) && memoize(m, (int64_t)u);
    case 'r': return take_uint(m, 4, &u) && memoize(m, (int64_t)u);
    case 'h': return take_uint(m, 1, &u) && get(m, (int64_t)u);
    case 'j': return take_uint(m, 4, &u) && get(m, (int64_t)u);
    case 'p': case 'g': return memo_line(m, op == 'p');
    case 'c': return global_lines(m);
    case 0x93: return ask(m, m->find, 2);
    case 'R': case 0x81: return reduce(m);
    case 'b': return build(m);
    case 'Q': return ask(m, m->persistent, 1);
    case 'P': return persistent_line(m);
    default:
        return op >= 32 && op < 127
                   ? gx_raise_of(rt, "pickle", "UnpicklingError", "invalid load key, '%c'.", op)
                   : gx_raise_of(rt, "pickle", "UnpicklingError", "invalid load key, '\\x%02x'.",
                                 op);
    }
}

static bool run_machine(machine *m) {
    bool done = false;
    while (!done) {
        if (m->at >= m->length) return cut_short(m);
        if (!(++m->work & 1023) && !gx_interrupt_check(m->rt)) return false;
        if (!step(m, (unsigned char)m->data[m->at++], &done)) return false;
    }
    return true;
}

/* load(data, at, find, build, persistent, bytes): (value, where it ends). */
static bool load(gx_call *c, gx_value *out) {
    int64_t at;
    GX_STILL(data);
    machine m = {.rt = c->rt, .find = c->argv[2], .build = c->argv[3], .persistent = c->argv[4]};
    if (!gx_arg_bytes(c, 0, false, &data) || !gx_arg_int(c, 1, &at) ||
        !gx_arg_bool(c, 5, &m.bytes))
        return false;
    m.data = gx_as_str(data)->text;
    m.length = gx_as_str(data)->length;
    m.at = at < 0 ? 0 : (size_t)at > m.length ? m.length : (size_t)at;
    gx_value parts[2];
    bool ok = run_machine(&m);
    if (ok) {
        parts[0] = m.stack[--m.used];
        parts[1] = gx_int((int64_t)m.at);
        ok = gx_tuple_take(c->rt, 2, parts, out);
    }
    drop_to(&m, 0);
    for (int64_t i = 0; i < m.memo_room; i++) gx_drop(m.memo[i]);
    gx_free(c->rt, m.stack);
    gx_free(c->rt, m.memo);
    gx_free(c->rt, m.marks);
    return ok;
}

extern const gx_native gx_py_pickle_functions[];
const gx_native gx_py_pickle_functions[] = {
    {"load", "load(data, at, find, build, persistent, bytes, /)",
     "The value that a pickle says, and where it ends.", NULL, load, 0, 0},
    {"dump", "dump(obj, protocol, describe, /)", "A value as a pickle.", NULL, gx_pickle_dump, 0,
     0},
    {.name = NULL},
};
