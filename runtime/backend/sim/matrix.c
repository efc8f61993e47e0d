/* Products of small matrices by the lanes of a warp: mma.sync, whose fragments lie as PTX lays them
   out; wmma, whose fragments may lie anyhow: here slot s of a warp, lane after lane, holds element
   s modulo the matrix's size; ldmatrix and stmatrix. Sums of floats are made in double and rounded
   once, where a GPU adds in an order of its own. */
#include <stdio.h>
#include <string.h>

#include "runtime/backend/sim/half_int.h"
#include "runtime/backend/sim/ptx/decode_int.h"

enum { MOST = 32, SIZE = 32 * 32 };
typedef enum part { PART_A, PART_B, PART_C, PART_D, PARTS } part;

/* What an instruction is about; of gx_ins: op[1] is the address, op[2] the stride. */
typedef struct shape {
    int rows, columns, inner; /* m, n, k */
    gx_ptx_type type[PARTS];
    int registers[PARTS];
    int32_t at[PARTS][8];
    bool turned[PARTS]; /* by columns in memory */
    bool wmma, strided;
} shape;

static const shape *shape_of(const gx_ins *i) {
    return (const shape *)(const void *)i->site;
}

/* tf32 is a float's bits. */
static int bytes_of(gx_ptx_type t) {
    return gx_ptx_bytes(t);
}

/* --- which element a register's part holds --- */

/* Parts of a lane's registers. */
static int slots_of(const shape *s, part p) {
    int reg = s->type[p] == PT_F64 ? 8 : 4;
    return s->registers[p] * reg / bytes_of(s->type[p]);
}

static void sizes_of(const shape *s, part p, int *rows, int *columns) {
    *rows = p == PART_B ? s->inner : s->rows;
    *columns = p == PART_A ? s->inner : s->columns;
}

/* As PTX lays out the fragments of mma.sync: groups of four lanes go along the rows of A and C and
   the columns of B; a register holds neighbours along k. */
static void place_mma(const shape *s, part p, int lane, int n, int *row, int *column) {
    int group = lane >> 2, in_group = lane & 3, reg = s->type[p] == PT_F64 ? 8 : 4;
    if (p == PART_C || p == PART_D) {
        *row = group + (n >> 1 & 1) * 8;
        *column = in_group * 2 + (n & 1);
        return;
    }
    int each = reg / bytes_of(s->type[p]), r = n / each, within = n % each;
    int along = in_group * each + within;
    bool tall = s->rows == 16 && p == PART_A;
    if (p == PART_A) {
        *row = group + (tall && (r & 1) ? 8 : 0);
        *column = along + (tall ? r >> 1 : r) * each * 4;
    } else {
        *row = along + r * each * 4;
        *column = group;
    }
}

static void place_of(const shape *s, part p, int lane, int n, int *row, int *column) {
    int rows, columns;
    if (!s->wmma) {
        place_mma(s, p, lane, n, row, column);
        return;
    }
    sizes_of(s, p, &rows, &columns);
    int e = (lane * slots_of(s, p) + n) % (rows * columns);
    *row = e / columns;
    *column = e % columns;
}

/* --- values --- */

static double number_of(const char *from, gx_ptx_type t) {
    uint16_t h;
    float f;
    double d;
    int32_t v;
    switch (bytes_of(t)) {
    case 1:
        return t == PT_S8 ? (double)(int8_t)*from : (double)(uint8_t)*from;
    case 2:
        memcpy(&h, from, 2);
        return (double)(t == PT_BF16 ? gx_bf16_to(h) : gx_f16_to(h));
    case 8:
        memcpy(&d, from, 8);
        return d;
    default:
        memcpy(&v, from, 4);
        if (t == PT_S32) return v;
        memcpy(&f, from, 4);
        return (double)f;
    }
}

static void put_number(char *to, gx_ptx_type t, double v, bool saturated) {
    uint16_t h;
    float f = (float)v;
    int64_t wide = (int64_t)v;
    uint32_t u = (uint32_t)wide;
    if (t == PT_F16) {
        h = gx_f16_of_f64(v);
        memcpy(to, &h, 2);
    } else if (t == PT_F64) {
        memcpy(to, &v, 8);
    } else if (t == PT_S32) {
        if (saturated && wide > INT32_MAX) u = INT32_MAX;
        if (saturated && wide < INT32_MIN) u = (uint32_t)INT32_MIN;
        memcpy(to, &u, 4);
    } else {
        memcpy(to, &f, 4);
    }
}

/* Where part n of a lane's registers lies. */
static char *slot_at(const gx_sim_warp *w, const shape *s, part p, int lane, int n) {
    int reg = s->type[p] == PT_F64 ? 8 : 4, each = reg / bytes_of(s->type[p]);
    return (char *)gx_operand_at(w, s->at[p][n / each]) + lane * reg +
           n % each * bytes_of(s->type[p]);
}

static void gather(const gx_sim_warp *w, const shape *s, part p, double *to) {
    int rows, columns, row, column;
    sizes_of(s, p, &rows, &columns);
    memset(to, 0, (size_t)(rows * columns) * sizeof *to);
    for (int lane = GX_LANES - 1; lane >= 0; lane--)
        for (int n = slots_of(s, p) - 1; n >= 0; n--) { /* of copies the first counts */
            place_of(s, p, lane, n, &row, &column);
            to[row * columns + column] = number_of(slot_at(w, s, p, lane, n), s->type[p]);
        }
}

static void run_product(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    const shape *s = shape_of(i);
    double a[SIZE], b[SIZE], c[SIZE];
    int row, column;
    (void)mask;
    gather(w, s, PART_A, a);
    gather(w, s, PART_B, b);
    gather(w, s, PART_C, c);
    for (int r = 0; r < s->rows; r++)
        for (int k = 0; k < s->columns; k++) {
            double sum = 0;
            for (int n = 0; n < s->inner; n++)
                sum += a[r * s->inner + n] * b[n * s->columns + k];
            c[r * s->columns + k] += sum;
        }
    for (int lane = 0; lane < GX_LANES; lane++)
        for (int n = 0; n < slots_of(s, PART_D); n++) {
            place_of(s, PART_D, lane, n, &row, &column);
            put_number(slot_at(w, s, PART_D, lane, n), s->type[PART_D],
                       c[row * s->columns + column], i->imm != 0);
        }
}

/* --- to and from memory --- */

static uint64_t address_of(const gx_sim_warp *w, const gx_ins *i, int lane) {
    uint64_t at = gx_address_of(w, lane, i->op[1], i->mode, i->imm);
    return i->space == SP_SHARED ? at | (uint64_t)GX_SEG_SHARED << GX_SEGMENT_SHIFT : at;
}

static void move_bytes(gx_sim_warp *w, const gx_ins *i, int lane, uint64_t at, char *reg,
                       int64_t bytes, bool write) {
    if (w->watched) gx_watch_touch(w, i, lane, at, bytes, write);
    char *p = gx_mem_at(w, i, lane, at, bytes, write);
    if (write && p)
        memcpy(p, reg, (size_t)bytes);
    else if (!write && p)
        memcpy(reg, p, (size_t)bytes);
    else if (!write)
        memset(reg, 0, (size_t)bytes);
}

static void run_whole(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    const shape *s = shape_of(i);
    part p = (part)i->width;
    bool write = p == PART_D;
    int rows, columns, row, column;
    sizes_of(s, p, &rows, &columns);
    int64_t bytes = bytes_of(s->type[p]), most = rows * columns, seen = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        int lane = __builtin_ctz(left), step = s->turned[p] ? rows : columns;
        if (s->strided) step = ((const int32_t *)gx_operand_at(w, i->op[2]))[lane];
        for (int n = 0; n < slots_of(s, p); n++) {
            if (write && seen++ >= most) continue; /* copies of elements */
            place_of(s, p, lane, n, &row, &column);
            int64_t e = s->turned[p] ? (int64_t)column * step + row : (int64_t)row * step + column;
            move_bytes(w, i, lane, address_of(w, i, lane) + (uint64_t)(e * bytes),
                       slot_at(w, s, p, lane, n), bytes, write);
        }
    }
}

/* ldmatrix, stmatrix: eight lanes give the rows of each matrix of 8 x 8 halves. */
static void run_rows(gx_sim_warp *w, const gx_ins *i, uint32_t mask) {
    const shape *s = shape_of(i);
    bool write = i->width == PART_D;
    for (int m = 0; m < s->registers[PART_A]; m++)
        for (uint32_t left = mask; left; left &= left - 1) {
            int lane = __builtin_ctz(left);
            for (int n = 0; n < 2; n++) {
                int row = lane >> 2, column = (lane & 3) * 2 + n;
                int giver = m * 8 + (s->turned[PART_A] ? column : row);
                uint64_t at = address_of(w, i, giver) +
                              (uint64_t)(s->turned[PART_A] ? row : column) * 2;
                char *reg = (char *)gx_operand_at(w, s->at[PART_A][m]) + lane * 4 + n * 2;
                move_bytes(w, i, lane, at, reg, 2, write);
            }
        }
}

/* --- decoding --- */

/* The registers of operand *k on; behind them. */
static bool read_part(gx_reader *r, const gx_statement *st, shape *s, part p, int *k, bool result) {
    if (*k >= st->n_operand) return gx_ptx_unknown(r, st);
    const gx_ptx_operand *o = &st->operand[*k];
    int n = o->kind == OPERAND_VECTOR ? o->parts : 1;
    if (o->kind == OPERAND_VECTOR) o++;
    *k += n + (st->operand[*k].kind == OPERAND_VECTOR);
    if (n < 1 || n > 8 || *k > st->n_operand) return gx_ptx_unknown(r, st);
    gx_ptx_type wide = s->type[p] == PT_F64 ? PT_F64 : s->type[p] == PT_F32 ? PT_F32 : PT_B32;
    s->registers[p] = n;
    for (int j = 0; j < n; j++) {
        bool ok = result ? gx_ptx_result(r, st, &o[j], wide, &s->at[p][j])
                         : gx_ptx_source(r, st, &o[j], wide, &s->at[p][j]);
        if (!ok) return false;
    }
    return true;
}

static bool read_shape(const gx_statement *st, shape *s) {
    for (int k = 0; k < st->n_modifier; k++) {
        char text[16];
        size_t n = st->modifier_length[k];
        if (n < 6 || n >= sizeof text || st->modifier[k][0] != 'm') continue;
        memcpy(text, st->modifier[k], n);
        text[n] = 0;
        if (sscanf(text, "m%dn%dk%d", &s->rows, &s->columns, &s->inner) == 3)
            return s->rows > 0 && s->columns > 0 && s->inner > 0 && s->rows <= MOST &&
                   s->columns <= MOST && s->inner <= MOST;
    }
    return false;
}

/* The types among the modifiers, in order; tf32 counts as f32. */
static int read_types(const gx_statement *st, gx_ptx_type *to, int most) {
    int n = 0;
    for (int k = 0; k < st->n_modifier && n < most; k++) {
        bool tf32 = st->modifier_length[k] == 4 && memcmp(st->modifier[k], "tf32", 4) == 0;
        gx_ptx_type t = tf32 ? PT_F32 : gx_ptx_type_of(st->modifier[k], st->modifier_length[k]);
        if (t != PT_NONE) to[n++] = t;
    }
    return n;
}

static int count_words(const gx_statement *st, const char *word) {
    int n = 0;
    for (int k = 0; k < st->n_modifier; k++)
        n += st->modifier_length[k] == strlen(word) &&
             memcmp(st->modifier[k], word, st->modifier_length[k]) == 0;
    return n;
}

static bool emit(gx_reader *r, const gx_statement *st, const shape *s, gx_ins_fn fn, gx_ins **out) {
    shape *kept = gx_arena_alloc(r->arena, sizeof *kept);
    gx_ptx_operand all = {.kind = OPERAND_NUMBER, .bits = 0xffffffff};
    int32_t mask;
    if (!kept || !gx_ptx_source(r, st, &all, PT_B32, &mask) || !gx_ptx_emit(r, st, fn, out))
        return false;
    *kept = *s;
    (*out)->site = (struct gx_call_site *)(void *)kept;
    (*out)->flow = FLOW_CONVERGE;
    (*out)->op[4] = mask;
    return true;
}

/* The address operand k into op[1]. */
static bool set_place(gx_reader *r, const gx_statement *st, int k, gx_ins *i, gx_ptx_type t) {
    gx_ins at = *i;
    if (k >= st->n_operand || !gx_ptx_address(r, st, &st->operand[k], t, &at)) return false;
    i->op[1] = at.op[4];
    i->imm = at.imm;
    i->mode = at.mode;
    i->space = at.space;
    i->type = (uint8_t)t;
    return true;
}

/* Do the lanes' registers hold the part, as mma lays it out, or at least once? */
static bool fits(const shape *s, part p) {
    int rows, columns;
    if (bytes_of(s->type[p]) > 4 && s->type[p] != PT_F64) return false;
    sizes_of(s, p, &rows, &columns);
    int all = slots_of(s, p) * GX_LANES;
    if (s->wmma) return all >= rows * columns;
    return all == rows * columns && s->columns == 8 && (s->rows == 8 || s->rows == 16);
}

/* wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {r…}, [p], stride; wmma.store.d… [p], {r…};
 */
static bool decode_whole(gx_reader *r, const gx_statement *st, shape *s) {
    bool store = gx_statement_has(st, "store");
    part p = store                          ? PART_D
             : gx_statement_has(st, "a")    ? PART_A
             : gx_statement_has(st, "b")    ? PART_B
                                            : PART_C;
    int k = store ? 1 : 0;
    gx_ins *i;
    if (read_types(st, &s->type[p], 1) != 1) return gx_ptx_unknown(r, st);
    s->turned[p] = count_words(st, "col") > 0;
    if (!read_part(r, st, s, p, &k, !store)) return false;
    int place = store ? 0 : k, stride = store ? k : k + 1;
    int32_t step = GX_NO_OPERAND;
    s->strided = stride < st->n_operand;
    if (s->strided && !gx_ptx_source(r, st, &st->operand[stride], PT_B32, &step)) return false;
    if (!fits(s, p)) return gx_ptx_unknown(r, st);
    if (!emit(r, st, s, run_whole, &i) || !set_place(r, st, place, i, s->type[p])) return false;
    i->op[2] = step;
    i->width = (uint8_t)p;
    return true;
}

static bool decode_product(gx_reader *r, const gx_statement *st, shape *s) {
    gx_ptx_type t[4];
    gx_ins *i;
    int n = read_types(st, t, 4), k = 0;
    bool plain = s->wmma ? true : count_words(st, "row") == 1 && count_words(st, "col") == 1;
    if (!plain || gx_statement_has(st, "xor") || gx_statement_has(st, "and")) n = 0;
    if (n == 4) {
        s->type[PART_D] = t[0];
        s->type[PART_A] = t[1];
        s->type[PART_B] = t[2];
        s->type[PART_C] = t[3];
    } else if (n == 2 && s->wmma) { /* halves: D and C alone are named */
        s->type[PART_D] = t[0];
        s->type[PART_A] = s->type[PART_B] = PT_F16;
        s->type[PART_C] = t[1];
    } else {
        return gx_ptx_unknown(r, st);
    }
    if (!s->wmma && s->rows == 8 && bytes_of(s->type[PART_A]) == 2) return gx_ptx_unknown(r, st);
    if (!read_part(r, st, s, PART_D, &k, true) || !read_part(r, st, s, PART_A, &k, false) ||
        !read_part(r, st, s, PART_B, &k, false) || !read_part(r, st, s, PART_C, &k, false))
        return false;
    for (part p = PART_A; p < PARTS; p++)
        if (!fits(s, p)) return gx_ptx_unknown(r, st);
    if (k != st->n_operand || !emit(r, st, s, run_product, &i)) return gx_ptx_unknown(r, st);
    i->imm = gx_statement_has(st, "satfinite");
    return true;
}

/* ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {r…}, [p]; stmatrix… [p], {r…}; */
static bool decode_rows(gx_reader *r, const gx_statement *st, shape *s) {
    bool store = st->opcode[0] == 's';
    int k = store ? 1 : 0;
    gx_ins *i;
    if (!gx_statement_has(st, "m8n8") || !gx_statement_has(st, "b16"))
        return gx_ptx_unknown(r, st);
    s->type[PART_A] = PT_B16;
    s->turned[PART_A] = gx_statement_has(st, "trans");
    if (!read_part(r, st, s, PART_A, &k, !store)) return false;
    if (s->registers[PART_A] == 3 || s->registers[PART_A] > 4) return gx_ptx_unknown(r, st);
    if (!emit(r, st, s, run_rows, &i) || !set_place(r, st, store ? 0 : k, i, PT_B16)) return false;
    i->width = store ? PART_D : PART_A;
    return true;
}

bool gx_decode_matrix(gx_reader *r, const gx_statement *st) {
    shape s = {.wmma = st->opcode[0] == 'w'};
    if (strstr(st->opcode, "matrix")) return decode_rows(r, st, &s);
    if (!read_shape(st, &s)) return gx_ptx_unknown(r, st);
    if (s.wmma && !gx_statement_has(st, "mma")) return decode_whole(r, st, &s);
    return decode_product(r, st, &s);
}
