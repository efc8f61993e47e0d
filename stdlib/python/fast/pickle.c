/* pickle: from values to bytes. Plain values are written here; what others are made of is asked of
   pickle.gx. The frames and the memo are CPython's, so the bytes are. */
#include <string.h>

#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/number/int_ops.h"
#include "runtime/object/number/number.h"
#include "stdlib/python/fast/bytes_int.h"
#include "stdlib/python/fast/pickle_int.h"
#include "stdlib/stdlib.h"

enum { FRAME_ENOUGH = 65536, FRAME_HEAD = 9, BATCH = 1000 };

typedef struct pickler {
    gx_rt *rt;
    gx_buf out;
    size_t frame; /* where the open frame's head is; its body follows */
    bool framed;  /* a frame is open */
    int protocol, work;
    gx_value memo, kept;  /* a dict from ids and names to places; what must stay alive */
    gx_borrowed describe; /* describe(obj): what another object is made of */
} pickler;

static bool save(pickler *p, gx_borrowed v);

static bool add(pickler *p, const void *data, size_t n) {
    return gx_buf_add(&p->out, data, n);
}

static bool add_op(pickler *p, int op) {
    return gx_buf_char(&p->out, (char)op);
}

static bool add_uint(pickler *p, uint64_t v, int n) {
    char b[8];
    for (int i = 0; i < n; i++) b[i] = (char)(v >> 8 * i);
    return add(p, b, (size_t)n);
}

/* --- frames --- */

static bool open_frame(pickler *p) {
    p->framed = p->protocol >= 4;
    p->frame = p->out.length;
    return !p->framed || gx_buf_fill(&p->out, 0, FRAME_HEAD);
}

static void close_frame(pickler *p) {
    if (!p->framed) return;
    char *head = p->out.data + p->frame;
    const size_t n = p->out.length - p->frame - FRAME_HEAD;
    p->framed = false;
    if (n < 4) { /* not worth a head */
        memmove(head, head + FRAME_HEAD, n);
        p->out.length -= FRAME_HEAD;
        return;
    }
    head[0] = (char)0x95;
    for (int i = 0; i < 8; i++) head[1 + i] = (char)((uint64_t)n >> 8 * i);
}

static bool frame_step(pickler *p) {
    if (!p->framed || p->out.length - p->frame - FRAME_HEAD < FRAME_ENOUGH) return true;
    close_frame(p);
    return open_frame(p);
}

/* An op with its length, then bytes: those of a large one stand outside of frames. */
static bool add_sized(pickler *p, int op, int size, const char *data, size_t n) {
    const bool large = n >= FRAME_ENOUGH && p->framed;
    if (large) close_frame(p);
    return add_op(p, op) && add_uint(p, n, size) && add(p, data, n) && (!large || open_frame(p));
}

/* --- the memo --- */

static gx_value id_of(gx_borrowed v) {
    return gx_int((int64_t)(uintptr_t)v.obj);
}

static bool remember(pickler *p, gx_borrowed key, gx_borrowed v) {
    const int64_t n = gx_as_dict(p->memo)->count;
    if (!gx_dict_set(p->rt, p->memo, key, gx_int(n)) || !gx_list_push(p->rt, p->kept, v))
        return false;
    if (p->protocol >= 4) return add_op(p, 0x94);
    return n < 256 ? add_op(p, 'q') && add_uint(p, (uint64_t)n, 1)
                   : add_op(p, 'r') && add_uint(p, (uint64_t)n, 4);
}

/* YES: it was written before, and is recalled. */
static gx_try recall(pickler *p, gx_borrowed key) {
    gx_value place;
    gx_try known = gx_dict_find(p->rt, p->memo, key, &place);
    if (known != GX_TRY_YES) return known;
    const uint64_t n = (uint64_t)place.i;
    bool ok = n < 256 ? add_op(p, 'h') && add_uint(p, n, 1) : add_op(p, 'j') && add_uint(p, n, 4);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* --- plain values --- */

static bool save_long(pickler *p, gx_borrowed v) {
    gx_value size, bytes;
    const gx_sym name = gx_sym_c(p->rt, "to_bytes"), sign = gx_sym_c(p->rt, "signed");
    const int64_t n = gx_int_bits(v) / 8 + 1;
    gx_value order;
    if (!name || !sign || !gx_get_attr(p->rt, v, name, &size)) return false;
    bool ok = gx_str_c(p->rt, "little", &order);
    if (ok) {
        const gx_borrowed argv[3] = {gx_int(n), order, gx_bool(true)};
        ok = gx_call_value(p->rt, size, 2, argv, 1, &sign, &bytes);
        gx_drop(order);
    }
    gx_drop(size);
    if (!ok) return false;
    const char *data = gx_as_str(bytes)->text;
    size_t length = gx_as_str(bytes)->length;
    if (length > 1 && (unsigned char)data[length - 1] == 255 && data[length - 2] & 0x80) length--;
    ok = length < 256 ? add_op(p, 0x8a) && add_uint(p, length, 1)
                      : add_op(p, 0x8b) && add_uint(p, length, 4);
    ok = ok && add(p, data, length);
    gx_drop(bytes);
    return ok;
}

static bool save_int(pickler *p, gx_borrowed v) {
    if (v.tag == GX_INT && v.i >= 0 && v.i < 256) return add_op(p, 'K') && add_uint(p, v.u, 1);
    if (v.tag == GX_INT && v.i >= 0 && v.i < 65536) return add_op(p, 'M') && add_uint(p, v.u, 2);
    if (v.tag == GX_INT && v.i >= INT32_MIN && v.i <= INT32_MAX)
        return add_op(p, 'J') && add_uint(p, v.u, 4);
    return save_long(p, v);
}

static bool save_float(pickler *p, double x) {
    uint64_t bits;
    char b[8];
    memcpy(&bits, &x, 8);
    for (int i = 0; i < 8; i++) b[i] = (char)(bits >> (56 - 8 * i));
    return add_op(p, 'G') && add(p, b, 8);
}

static bool save_text(pickler *p, gx_borrowed v) {
    const gx_str *s = gx_as_str(v);
    const bool small = s->length < 256 && p->protocol >= 4;
    return add_sized(p, small ? 0x8c : 'X', small ? 1 : 4, s->text, s->length) &&
           remember(p, id_of(v), v);
}

static bool save_bytes(pickler *p, gx_borrowed v) {
    const gx_str *s = gx_as_str(v);
    const bool small = s->length < 256;
    return add_sized(p, small ? 'C' : 'B', small ? 1 : 4, s->text, s->length) &&
           remember(p, id_of(v), v);
}

/* --- containers: their items may change meanwhile, as other objects are asked what they are --- */

static bool save_tuple(pickler *p, gx_borrowed v) {
    const gx_tuple *t = gx_as_tuple(v);
    if (!t->count) return add_op(p, ')');
    if (t->count > 3 && !add_op(p, '(')) return false;
    for (int64_t i = 0; i < t->count; i++)
        if (!save(p, t->items[i])) return false;
    gx_value place;
    gx_try known = gx_dict_find(p->rt, p->memo, id_of(v), &place);
    if (known == GX_TRY_ERROR) return false;
    if (known == GX_TRY_YES) { /* it holds itself */
        for (int64_t i = 0; i < (t->count > 3 ? 1 : t->count); i++)
            if (!add_op(p, t->count > 3 ? '1' : '0')) return false;
        return recall(p, id_of(v)) == GX_TRY_YES;
    }
    return add_op(p, t->count > 3 ? 't' : 0x84 + (int)t->count) && remember(p, id_of(v), v);
}

/* Items in batches of a thousand; `one`: the op of a single one, 0: there is none. */
static bool save_items(pickler *p, gx_borrowed list, int many, int one) {
    const gx_value *items;
    for (int64_t i = 0; i < gx_sequence_items(list, &items);) {
        const int64_t left = gx_sequence_items(list, &items) - i;
        const int64_t n = left < BATCH ? left : BATCH;
        if ((n > 1 || !one) && !add_op(p, '(')) return false;
        for (int64_t k = 0; k < n && i < gx_sequence_items(list, &items); k++, i++) {
            const gx_value item = gx_keep(items[i]);
            bool ok = save(p, item);
            gx_drop(item);
            if (!ok) return false;
        }
        if (!add_op(p, n > 1 || !one ? many : one)) return false;
    }
    return true;
}

static bool save_pairs(pickler *p, gx_borrowed dict) {
    int64_t at = 0, left = gx_as_dict(dict)->count;
    while (left > 0) {
        const int64_t n = left < BATCH ? left : BATCH;
        if (n > 1 && !add_op(p, '(')) return false;
        for (int64_t k = 0; k < n; k++) {
            gx_entry *e = gx_dict_next(gx_as_dict(dict), &at);
            if (!e)
                return gx_fail(p->rt, GX_RuntimeError, "iter.changed",
                               "dictionary changed size during iteration");
            const gx_value key = gx_keep(e->key), value = gx_keep(e->value);
            bool ok = save(p, key) && save(p, value);
            gx_drop(key);
            gx_drop(value);
            if (!ok) return false;
        }
        if (!add_op(p, n > 1 ? 'u' : 's')) return false;
        left -= n;
    }
    return true;
}

static bool save_set(pickler *p, gx_borrowed v, bool frozen) {
    gx_value items;
    if (!gx_list_of(p->rt, v, &items)) return false;
    bool ok;
    if (frozen) {
        const gx_value *each;
        ok = add_op(p, '(');
        for (int64_t i = 0; ok && i < gx_sequence_items(items, &each); i++) ok = save(p, each[i]);
        ok = ok && add_op(p, 0x91) && remember(p, id_of(v), v);
    } else
        ok = add_op(p, 0x8f) && remember(p, id_of(v), v) && save_items(p, items, 0x90, 0);
    gx_drop(items);
    return ok;
}

/* --- other objects --- */

/* The name of something that is not written out. */
static bool save_global(pickler *p, gx_borrowed module, gx_borrowed name) {
    gx_value key;
    const gx_str *m = gx_as_str(module), *n = gx_as_str(name);
    if (!gx_str_printf(p->rt, &key, "%s\n%s\n", m->text, n->text)) return false;
    gx_try known = recall(p, key);
    bool ok = known == GX_TRY_YES;
    if (known == GX_TRY_NO) {
        if (p->protocol >= 4) ok = save(p, module) && save(p, name) && add_op(p, 0x93);
        else ok = add_op(p, 'c') && add(p, gx_as_str(key)->text, gx_as_str(key)->length);
        ok = ok && remember(p, key, key);
    }
    gx_drop(key);
    return ok;
}

/* What describe says: the memo's key or None, module, name and, but for a bare name, the arguments
   of the call, a list of items or None, a dict of pairs or None, a state or None. */
static bool save_parts(pickler *p, gx_borrowed v, gx_borrowed said, const gx_value *part, int n) {
    if ((n != 3 && n != 7) || part[1].tag != GX_STR || part[2].tag != GX_STR)
        return gx_fail(p->rt, GX_TypeError, "pickle.describe", "an object is described wrongly");
    if (n == 3) return save_global(p, part[1], part[2]);
    const gx_value key = part[0].tag != GX_NONE ? part[0] : id_of(gx_is_object(v) ? v : said);
    gx_try known = recall(p, key);
    if (known != GX_TRY_NO) return known == GX_TRY_YES;
    return save_global(p, part[1], part[2]) && save(p, part[3]) && add_op(p, 'R') &&
           remember(p, key, v) && (part[4].tag != GX_LIST || save_items(p, part[4], 'e', 'a')) &&
           (part[5].tag != GX_DICT || save_pairs(p, part[5])) &&
           (part[6].tag == GX_NONE || (save(p, part[6]) && add_op(p, 'b')));
}

static bool save_described(pickler *p, gx_borrowed v, gx_borrowed said) {
    const gx_value *items;
    gx_value part[7];
    int n = 0;
    for (; n < 7 && n < gx_sequence_items(said, &items); n++) part[n] = gx_keep(items[n]);
    bool ok = save_parts(p, v, said, part, n);
    while (n) gx_drop(part[--n]);
    return ok;
}

static bool save_other(pickler *p, gx_borrowed v) {
    gx_value said;
    const gx_borrowed argv[2] = {v, gx_int(p->protocol)};
    if (gx_is_object(v)) {
        gx_try known = recall(p, id_of(v));
        if (known != GX_TRY_NO) return known == GX_TRY_YES;
    }
    if (!gx_call_value(p->rt, p->describe, 2, argv, 0, NULL, &said)) return false;
    /* What it is described by stays alive: the memo knows parts of it by their addresses. */
    bool ok = gx_list_push(p->rt, p->kept, said) && save_described(p, v, said);
    gx_drop(said);
    return ok;
}

static bool save(pickler *p, gx_borrowed v) {
    if (!gx_stack_check(p->rt) || (!(++p->work & 1023) && !gx_interrupt_check(p->rt)) ||
        !frame_step(p))
        return false;
    switch ((int)v.tag) {
    case GX_NONE: return add_op(p, 'N');
    case GX_BOOL: return add_op(p, v.b ? 0x88 : 0x89);
    case GX_INT: return save_int(p, v);
    case GX_FLOAT: return save_float(p, v.f);
    default: break;
    }
    if (!gx_is_object(v) || v.obj->type->heap) return save_other(p, v);
    if (v.tag == GX_BIGINT) return save_long(p, v);
    gx_try known = recall(p, id_of(v));
    if (known != GX_TRY_NO) return known == GX_TRY_YES;
    switch ((int)v.tag) {
    case GX_STR: return save_text(p, v);
    case GX_BYTES: return p->protocol < 3 ? save_other(p, v) : save_bytes(p, v);
    case GX_TUPLE: return gx_as_tuple(v)->fields ? save_other(p, v) : save_tuple(p, v);
    case GX_LIST:
        return add_op(p, ']') && remember(p, id_of(v), v) && save_items(p, v, 'e', 'a');
    case GX_DICT:
        if (v.obj->type != &gx_type_dict) return save_other(p, v);
        return add_op(p, '}') && remember(p, id_of(v), v) && save_pairs(p, v);
    case GX_SET:
        return p->protocol < 4 ? save_other(p, v) : save_set(p, v, v.obj->type != &gx_type_set);
    default: break;
    }
    if (gx_is_bytearray(v) && p->protocol >= 5)
        return add_sized(p, 0x96, 8, gx_as_bytearray(v)->data, gx_as_bytearray(v)->length) &&
               remember(p, id_of(v), v);
    return save_other(p, v);
}

/* dump(obj, protocol, describe): the bytes. */
bool gx_pickle_dump(gx_call *c, gx_value *out) {
    int64_t protocol;
    pickler p = {.rt = c->rt, .out = gx_buf_new(c->rt), .describe = c->argv[2]};
    if (!gx_arg_int(c, 1, &protocol) || !gx_dict_new(c->rt, &p.memo)) return false;
    p.protocol = (int)protocol;
    bool ok = gx_list_new(c->rt, 0, NULL, &p.kept);
    if (ok) {
        ok = add_op(&p, 0x80) && add_uint(&p, (uint64_t)protocol, 1) && open_frame(&p) &&
             save(&p, c->argv[0]) && add_op(&p, '.');
        if (ok) close_frame(&p);
        gx_drop(p.kept);
    }
    gx_drop(p.memo);
    if (ok) return gx_bytes_take(&p.out, out);
    gx_buf_free(&p.out);
    return false;
}
