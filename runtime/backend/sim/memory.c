/* Loads, stores, atomics. Every access of every lane is checked against its segment; one that fails
   is reported, reads 0 and writes nothing. */
#include "runtime/backend/sim/half_int.h"
#include "runtime/backend/sim/sim_int.h"

#include <string.h>

#define OFFSET_MASK ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1)

char *gx_mem_shared(const gx_block *b, uint64_t at, int64_t bytes) {
    int64_t statics = b->run->fn->shared_bytes, dynamic = b->run->launch->shared;
    if (at < GX_SHARED_DYNAMIC && (int64_t)at + bytes <= statics) return b->shared + at;
    int64_t off = (int64_t)at - GX_SHARED_DYNAMIC;
    if (off >= 0 && off + bytes <= dynamic) return b->shared + (statics + 15) / 16 * 16 + off;
    return NULL;
}

static char *at_shared(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t at, int64_t bytes,
                       bool write) {
    char *p = gx_mem_shared(w->block, at, bytes);
    if (!p) gx_fault_add(w, i, lane, GX_FAULT_SHARED, at, bytes, write);
    return p;
}

/* Local memory that is read was written to: each element, at least in part. */
static void look_local(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t at, int64_t bytes,
                       bool write) {
    uint8_t *set = w->set + (int64_t)lane * w->local_room + at;
    if (bytes == 4 && i->width == 1) { /* the common one */
        uint32_t now, all = 0x01010101;
        memcpy(&now, set, 4);
        if (write) memcpy(set, &all, 4);
        if (write || now) return;
    }
    int item = gx_ptx_bytes((gx_ptx_type)i->type);
    if (write) {
        memset(set, 1, (size_t)bytes);
        return;
    }
    if (i->flow == FLOW_CALL || item == 0) return; /* a text or list of arguments */
    for (int64_t k = 0; k + item <= bytes; k += item) {
        if (i->used && !(i->used >> k & 1)) continue;
        if (memchr(set + k, 1, (size_t)item)) continue;
        gx_fault_add(w, i, lane, GX_FAULT_UNSET,
                     at + (uint64_t)k + ((uint64_t)GX_SEG_LOCAL << GX_SEGMENT_SHIFT), item, false);
        return;
    }
}

static char *at_local(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t at, int64_t bytes,
                      bool write) {
    int64_t used = (int64_t)w->frame->local + w->frame->fn->local_bytes; /* callers' and its own */
    if ((int64_t)at >= 0 && (int64_t)at + bytes <= used && used <= w->local_room) {
        if (w->set) look_local(w, i, lane, at, bytes, write);
        return w->local + (int64_t)lane * w->local_room + (int64_t)at;
    }
    int64_t off = (int64_t)at - GX_LOCAL_STACK;
    if (off >= 0 && off + bytes <= w->top[lane])
        return w->stack + (int64_t)lane * w->stack_room + off;
    gx_fault_add(w, i, lane, GX_FAULT_LOCAL, at, bytes, write);
    return NULL;
}

char *gx_mem_at(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t address, int64_t bytes,
                bool write) {
    const gx_run *run = w->block->run;
    uint64_t number = address >> GX_SEGMENT_SHIFT, off = address & OFFSET_MASK;
    if (number == GX_SEG_LOCAL) return at_local(w, i, lane, off, bytes, write);
    if (number == GX_SEG_LOCAL - 1 && off >> (GX_SEGMENT_SHIFT - 1)) /* below its start */
        return at_local(w, i, lane, off | ~OFFSET_MASK, bytes, write);
    if (number == GX_SEG_SHARED) return at_shared(w, i, lane, off, bytes, write);
    if (number == GX_SEG_PARAM && !write && (int64_t)off + bytes <= run->launch->param_bytes)
        return (char *)(uintptr_t)run->launch->params + off;
    if (number >= GX_SEG_FIRST && number < (uint64_t)run->n_segment) {
        const gx_segment *s = &run->segment[number];
        if ((int64_t)off + bytes <= s->bytes) {
            if (!write || s->writable) return s->data + off;
            gx_fault_add(w, i, lane, s->lost ? GX_FAULT_LOST : GX_FAULT_READONLY, address, bytes,
                         write);
            return s->lost ? s->data + off : NULL;
        }
    }
    gx_fault_add(w, i, lane, number == 0 && off < 4096 ? GX_FAULT_NULL : GX_FAULT_BOUNDS, address,
                 bytes, write);
    return NULL;
}

/* The host address of a whole access, vectors in one, or NULL. */
static inline char *place(gx_sim_warp *w, const gx_ins *i, int lane, int64_t bytes, bool write) {
    uint64_t at = gx_address_of(w, lane, i->op[4], i->mode, i->imm);
    const gx_run *run = w->block->run;
    if (i->space == SP_GLOBAL || i->space == SP_GENERIC || i->space == SP_CONST) {
        uint64_t number = at >> GX_SEGMENT_SHIFT, off = at & OFFSET_MASK;
        if (__builtin_expect(number >= GX_SEG_FIRST && number < (uint64_t)run->n_segment, 1)) {
            const gx_segment *s = &run->segment[number];
            if (__builtin_expect((int64_t)off + bytes <= s->bytes && (!write || s->writable) &&
                                     (off & (uint64_t)(bytes - 1)) == 0,
                                 1))
                return s->data + off;
        }
    } else if (i->space == SP_SHARED) {
        at |= (uint64_t)GX_SEG_SHARED << GX_SEGMENT_SHIFT;
    } else if (i->space == SP_LOCAL) {
        at += (uint64_t)GX_SEG_LOCAL << GX_SEGMENT_SHIFT;
    }
    if (at & (uint64_t)(bytes - 1)) {
        gx_fault_add(w, i, lane, GX_FAULT_ALIGNMENT, at, bytes, write);
        return NULL;
    }
    return gx_mem_at(w, i, lane, at, bytes, write);
}

/* A register's lane from memory, extended to its width. */
static inline void load_one(void *reg, int lane, int reg_bytes, const char *from, gx_ptx_type t) {
    uint64_t u = 0;
    size_t bytes = (size_t)gx_ptx_bytes(t);
    if (from) memcpy(&u, from, bytes < 8 ? bytes : 8);
    if (t == PT_S8) u = (uint64_t)(int64_t)(int8_t)u;
    if (t == PT_S16) u = (uint64_t)(int64_t)(int16_t)u;
    if (t == PT_S32) u = (uint64_t)(int64_t)(int32_t)u;
    memcpy((char *)reg + lane * reg_bytes, &u, reg_bytes < 8 ? (size_t)reg_bytes : 8);
}

/* Of a kernel's parameters: the same for all threads. */
static void load_entry_param(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    const gx_sim_launch *launch = w->block->run->launch;
    int item = gx_ptx_bytes((gx_ptx_type)i->type), reg = i->mode & REGISTER_BYTES;
    bool plain = i->op[4] == GX_NO_OPERAND && i->width == 1 && item == reg && mask == 0xffffffffu &&
                 i->imm >= 0 && i->imm + item <= launch->param_bytes;
    if (plain) {
        const char *from = (const char *)launch->params + i->imm;
        char *to = gx_operand_at(w, i->op[0]);
        for (int l = 0; l < GX_LANES; l++)
            if (item == 4)
                memcpy(to + 4 * l, from, 4);
            else if (item == 8)
                memcpy(to + 8 * l, from, 8);
            else
                memcpy(to + 2 * l, from, 2);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        uint64_t at = gx_address_of(w, l, i->op[4], i->mode, i->imm);
        for (int k = 0; k < i->width; k++) {
            int64_t from = (int64_t)at + k * item;
            bool inside = from >= 0 && from + item <= launch->param_bytes;
            load_one(gx_operand_at(w, i->op[k]), l, reg,
                     inside ? (const char *)launch->params + from : NULL, (gx_ptx_type)i->type);
        }
    }
}

/* The .param space of functions: an area a lane. */
static char *param_at(gx_sim_warp *w, const gx_ins *i, int lane, int k) {
    gx_sim_frame *f = w->frame;
    int item = gx_ptx_bytes((gx_ptx_type)i->type);
    int64_t at = (int64_t)gx_address_of(w, lane, i->op[4], i->mode, i->imm) + k * item;
    if (at < 0 || at + item > f->fn->param_bytes) return NULL;
    return f->params + (int64_t)lane * f->fn->param_bytes + at;
}

/* The common access: every lane on, one element, all of them in one segment, inside and aligned.
   Gives that segment's host memory and each lane's offset; else NULL, and the lanes are taken one
   by one. */
static inline char *all_inside(gx_sim_warp *w, const gx_ins *i, int64_t bytes, bool write,
                               uint64_t *offset) {
    const gx_run *run = w->block->run;
    gx_mem_addresses(w, i, offset);
    uint64_t start, limit;
    char *data;
    if (i->space == SP_SHARED) {
        start = 0;
        data = w->block->shared;
        limit = (uint64_t)run->fn->shared_bytes;
        if (offset[0] >= GX_SHARED_DYNAMIC) {
            start = GX_SHARED_DYNAMIC;
            data += (limit + 15) / 16 * 16;
            limit = (uint64_t)run->launch->shared;
        }
    } else {
        uint64_t number = offset[0] >> GX_SEGMENT_SHIFT;
        if (number < GX_SEG_FIRST || number >= (uint64_t)run->n_segment) return NULL;
        const gx_segment *s = &run->segment[number];
        if (write && !s->writable) return NULL;
        start = number << GX_SEGMENT_SHIFT;
        data = s->data;
        limit = (uint64_t)s->bytes;
    }
    if (limit < (uint64_t)bytes) return NULL;
    limit -= (uint64_t)bytes;
    uint64_t over = 0, odd = 0;
    for (int l = 0; l < GX_LANES; l++) {
        offset[l] -= start;
        over |= (uint64_t)(offset[l] > limit);
        odd |= offset[l];
    }
    return over || (odd & (uint64_t)(bytes - 1)) ? NULL : data;
}

static inline bool is_plain(const gx_ins *i, uint32_t mask) {
    return mask == 0xffffffffu && i->space != SP_LOCAL;
}

#define FAST_LOAD(T)                                                                               \
    do {                                                                                           \
        T *d = gx_operand_at(w, i->op[0]);                                                         \
        uint64_t offset[GX_LANES];                                                                 \
        const char *data = is_plain(i, mask) ? all_inside(w, i, sizeof(T), false, offset) : NULL;  \
        if (data) {                                                                                \
            for (int l = 0; l < GX_LANES; l++) memcpy(&d[l], data + offset[l], sizeof(T));         \
            break;                                                                                 \
        }                                                                                          \
        for (uint32_t left = mask; left; left &= left - 1) {                                       \
            int l = __builtin_ctz(left);                                                           \
            const char *from = place(w, i, l, sizeof(T), false);                                   \
            T v = 0;                                                                               \
            if (from) memcpy(&v, from, sizeof v);                                                  \
            d[l] = v;                                                                              \
        }                                                                                          \
    } while (0)

void gx_mem_load(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    int item = gx_ptx_bytes((gx_ptx_type)i->type), reg = i->mode & REGISTER_BYTES;
    if (i->space == SP_ENTRY_PARAM) {
        load_entry_param(w, i, mask);
        return;
    }
    if (i->width == 1 && item == reg && i->space != SP_PARAM) {
        if (item == 4)
            FAST_LOAD(uint32_t);
        else if (item == 8)
            FAST_LOAD(uint64_t);
        else
            FAST_LOAD(uint16_t);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        const char *from =
            i->space == SP_PARAM ? NULL : place(w, i, l, (int64_t)item * i->width, false);
        for (int k = 0; k < i->width; k++) {
            const char *part = i->space == SP_PARAM ? param_at(w, i, l, k)
                               : from               ? from + k * item
                                                    : NULL;
            load_one(gx_operand_at(w, i->op[k]), l, reg, part, (gx_ptx_type)i->type);
        }
    }
}

#define FAST_STORE(T)                                                                              \
    do {                                                                                           \
        const T *v = gx_operand_at(w, i->op[0]);                                                   \
        uint64_t offset[GX_LANES];                                                                 \
        char *data = is_plain(i, mask) ? all_inside(w, i, sizeof(T), true, offset) : NULL;         \
        if (data) {                                                                                \
            for (int l = 0; l < GX_LANES; l++) memcpy(data + offset[l], &v[l], sizeof(T));         \
            break;                                                                                 \
        }                                                                                          \
        for (uint32_t left = mask; left; left &= left - 1) {                                       \
            int l = __builtin_ctz(left);                                                           \
            char *to = place(w, i, l, sizeof(T), true);                                            \
            if (to) memcpy(to, &v[l], sizeof(T));                                                  \
        }                                                                                          \
    } while (0)

void gx_mem_store(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    int item = gx_ptx_bytes((gx_ptx_type)i->type), reg = i->mode & REGISTER_BYTES;
    if (i->width == 1 && item == reg && i->space != SP_PARAM) {
        if (item == 4)
            FAST_STORE(uint32_t);
        else if (item == 8)
            FAST_STORE(uint64_t);
        else
            FAST_STORE(uint16_t);
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        char *to = i->space == SP_PARAM ? NULL : place(w, i, l, (int64_t)item * i->width, true);
        for (int k = 0; k < i->width; k++) {
            char *part = i->space == SP_PARAM ? param_at(w, i, l, k) : to ? to + k * item : NULL;
            if (part) memcpy(part, (char *)gx_operand_at(w, i->op[k]) + l * reg, (size_t)item);
        }
    }
}

/* --- atomics: blocks of a kernel that has them run one after another, so plain steps do --- */

enum { ADD, INC, DEC, MIN, MAX, AND, OR, XOR, EXCH, CAS };

#define FOLD_INT(U, S, is_signed)                                                                  \
    static U fold_##U(int kind, U old, U v, U other, bool with_sign) {                             \
        switch (kind) {                                                                            \
        case ADD:                                                                                  \
            return (U)(old + v);                                                                   \
        case INC:                                                                                  \
            return old >= v ? 0 : (U)(old + 1);                                                    \
        case DEC:                                                                                  \
            return old == 0 || old > v ? v : (U)(old - 1);                                         \
        case MIN:                                                                                  \
            return (with_sign ? (S)old < (S)v : old < v) ? old : v;                                \
        case MAX:                                                                                  \
            return (with_sign ? (S)old > (S)v : old > v) ? old : v;                                \
        case AND:                                                                                  \
            return old & v;                                                                        \
        case OR:                                                                                   \
            return old | v;                                                                        \
        case XOR:                                                                                  \
            return old ^ v;                                                                        \
        case EXCH:                                                                                 \
            return v;                                                                              \
        default:                                                                                   \
            return old == v ? other : old;                                                         \
        }                                                                                          \
    }
FOLD_INT(uint16_t, int16_t, )
FOLD_INT(uint32_t, int32_t, )
FOLD_INT(uint64_t, int64_t, )

static uint16_t add_half(uint16_t a, uint16_t b, bool brain) {
    return brain ? gx_bf16_of(gx_bf16_to(a) + gx_bf16_to(b))
                 : gx_f16_of(gx_f16_to(a) + gx_f16_to(b));
}

static uint64_t fold(const gx_ins *i, uint64_t old, uint64_t v, uint64_t other) {
    float f, g;
    double d, e;
    uint32_t u;
    bool add = i->width == ADD;
    switch (add ? i->type : PT_NONE) {
    case PT_F32:
        f = gx_float_of_bits((uint32_t)old);
        g = gx_float_of_bits((uint32_t)v);
        return gx_float_bits(f + g);
    case PT_F64:
        memcpy(&d, &old, 8);
        memcpy(&e, &v, 8);
        d += e;
        memcpy(&old, &d, 8);
        return old;
    case PT_F16:
    case PT_BF16:
        return add_half((uint16_t)old, (uint16_t)v, i->type == PT_BF16);
    case PT_F16X2:
    case PT_BF16X2:
        u = add_half((uint16_t)old, (uint16_t)v, i->type == PT_BF16X2);
        return u |
               (uint32_t)add_half((uint16_t)(old >> 16), (uint16_t)(v >> 16), i->type == PT_BF16X2)
                   << 16;
    default:
        break;
    }
    bool sign = i->type == PT_S32 || i->type == PT_S64 || i->type == PT_S16;
    switch (gx_ptx_bytes((gx_ptx_type)i->type)) {
    case 2:
        return fold_uint16_t(i->width, (uint16_t)old, (uint16_t)v, (uint16_t)other, sign);
    case 4:
        return fold_uint32_t(i->width, (uint32_t)old, (uint32_t)v, (uint32_t)other, sign);
    default:
        return fold_uint64_t(i->width, old, v, other, sign);
    }
}

static uint64_t lane_of(const gx_sim_warp *w, int32_t op, int lane, int bytes) {
    uint64_t u = 0;
    if (op != GX_NO_OPERAND) memcpy(&u, (char *)gx_operand_at(w, op) + lane * bytes, (size_t)bytes);
    return u;
}

void gx_mem_atomic(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    int bytes = gx_ptx_bytes((gx_ptx_type)i->type);
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        char *at = place(w, i, l, bytes, true);
        uint64_t old = 0;
        if (at) {
            memcpy(&old, at, (size_t)bytes);
            uint64_t fresh =
                fold(i, old, lane_of(w, i->op[1], l, bytes), lane_of(w, i->op[2], l, bytes));
            memcpy(at, &fresh, (size_t)bytes);
            w->block->progress += fresh != old;
        }
        if (i->op[0] != GX_NO_OPERAND)
            memcpy((char *)gx_operand_at(w, i->op[0]) + l * bytes, &old, (size_t)bytes);
    }
}

void gx_mem_copy_async(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    for (uint32_t left = mask; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        int64_t bytes = i->width, given = bytes;
        if (i->op[2] != GX_NO_OPERAND) given = (int64_t)lane_of(w, i->op[2], l, 4);
        if (given > bytes) given = bytes;
        uint64_t to = gx_address_of(w, l, i->op[0], i->site->arg[1], i->site->arg[0]);
        uint64_t from = gx_address_of(w, l, i->op[1], i->mode, i->imm);
        char *d = gx_mem_at(w, i, l, to | (uint64_t)GX_SEG_SHARED << GX_SEGMENT_SHIFT, bytes, true);
        const char *s = given ? gx_mem_at(w, i, l, from, given, false) : NULL;
        if (!d) continue;
        memset(d, 0, (size_t)bytes);
        if (s) memcpy(d, s, (size_t)given);
    }
}
