/* Reads the programs that re.gx writes, checks them, and finds out what a match begins with. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "stdlib/python/fast/regex_int.h"

static bool broken(gx_rt *rt) {
    return gx_fail(rt, GX_ValueError, "re.program", "this is no program of re");
}

/* A list of ints, as an array that the caller frees. */
static bool read_ints(gx_rt *rt, gx_borrowed list, int32_t **out, int64_t *count) {
    const gx_value *items;
    *count = gx_sequence_items(list, &items);
    if (*count < 0 || *count > 1 << 26) return broken(rt);
    *out = gx_alloc(rt, ((size_t)*count + 1) * sizeof **out);
    if (!*out) return false;
    for (int64_t i = 0; i < *count; i++) {
        if (items[i].tag != GX_INT || items[i].i < -1 || items[i].i > INT32_MAX) {
            gx_free(rt, *out);
            *out = NULL;
            return broken(rt);
        }
        (*out)[i] = (int32_t)items[i].i;
    }
    return true;
}

/* --- sets --- */

typedef struct growing {
    uint32_t *pairs;
    int64_t count, room;
} growing;

static bool add_pair(gx_rt *rt, growing *g, uint32_t low, uint32_t high) {
    if (g->count == g->room) {
        const int64_t room = g->room ? 2 * g->room : 16;
        uint32_t *more = gx_realloc(rt, g->pairs, (size_t)room * 2 * sizeof *more);
        if (!more) return false;
        g->pairs = more;
        g->room = room;
    }
    g->pairs[2 * g->count] = low;
    g->pairs[2 * g->count++ + 1] = high;
    return true;
}

/* The caseless forms of a range's letters. */
static bool add_caseless(gx_rt *rt, growing *g, uint32_t low, uint32_t high, bool ascii) {
    const uint32_t most = ascii ? 127 : 0x1ffff; /* no letter above has a case */
    for (uint32_t c = low; c <= high && c <= most; c++) {
        const uint32_t plain = gx_regex_caseless(c, ascii);
        if (plain != c && !add_pair(rt, g, plain, plain)) return false;
    }
    return true;
}

/* In order, those that touch made one; the number that is left. */
static int64_t sort_pairs(uint32_t *p, int64_t n) {
    for (int64_t gap = n / 2; gap > 0; gap /= 2)
        for (int64_t i = gap; i < n; i++) {
            const uint32_t low = p[2 * i], high = p[2 * i + 1];
            int64_t k = i;
            for (; k >= gap && p[2 * (k - gap)] > low; k -= gap) {
                p[2 * k] = p[2 * (k - gap)];
                p[2 * k + 1] = p[2 * (k - gap) + 1];
            }
            p[2 * k] = low;
            p[2 * k + 1] = high;
        }
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        if (kept && p[2 * i] <= p[2 * kept - 1] + 1) {
            if (p[2 * i + 1] > p[2 * kept - 1]) p[2 * kept - 1] = p[2 * i + 1];
            continue;
        }
        p[2 * kept] = p[2 * i];
        p[2 * kept++ + 1] = p[2 * i + 1];
    }
    return kept;
}

/* A set is its bits, then pairs of a first and a last character. */
static bool read_set(gx_regex *re, gx_borrowed list, growing *all, gx_regex_set *set) {
    int32_t *ints;
    int64_t n;
    if (!read_ints(re->rt, list, &ints, &n)) return false;
    growing own = {0};
    bool ok = n % 2 == 1 || broken(re->rt);
    set->bits = ok ? (uint32_t)ints[0] : 0;
    for (int64_t i = 1; ok && i < n; i += 2) {
        const uint32_t low = (uint32_t)ints[i], high = (uint32_t)ints[i + 1];
        ok = add_pair(re->rt, &own, low, high);
        if (ok && set->bits & GX_RE_CASELESS)
            ok = add_caseless(re->rt, &own, low, high, set->bits & GX_RE_ASCII);
    }
    own.count = ok ? sort_pairs(own.pairs, own.count) : 0;
    set->first = (int32_t)all->count;
    set->count = (int32_t)own.count;
    for (int64_t i = 0; ok && i < own.count; i++)
        ok = add_pair(re->rt, all, own.pairs[2 * i], own.pairs[2 * i + 1]);
    gx_free(re->rt, own.pairs);
    gx_free(re->rt, ints);
    return ok;
}

static bool read_sets(gx_regex *re, gx_borrowed sets) {
    const gx_value *items;
    growing all = {0};
    const int64_t n = gx_sequence_items(sets, &items);
    if (n < 0 || n > 1 << 24) return broken(re->rt);
    re->sets = gx_alloc_zero(re->rt, ((size_t)n + 1) * sizeof *re->sets);
    if (!re->sets) return false;
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++) ok = read_set(re, items[i], &all, &re->sets[i]);
    re->ranges = all.pairs;
    re->set_count = (int32_t)n;
    for (int64_t i = 0; ok && i < n; i++)
        for (uint32_t c = 0; c < 256; c++)
            if (gx_regex_in_set(re, &re->sets[i], c))
                re->sets[i].low[c >> 6] |= UINT64_C(1) << (c & 63);
    return ok;
}

/* --- the program --- */

static bool is_address(const gx_regex *re, int32_t a) {
    return a >= 0 && a < re->length;
}

/* The largest operand of its kind, for the room that a run needs. */
static void most(int32_t *known, int32_t operand) {
    if (operand + 1 > *known) *known = operand + 1;
}

static int32_t length_of(const gx_regex *re, int32_t pc) {
    const int32_t op = re->code[pc];
    if (op < 0 || op >= GX_RE_OPS) return -1;
    const int32_t n = 1 + gx_regex_operands[op];
    return pc + n <= re->length ? n : -1;
}

static bool check(gx_regex *re) {
    for (int32_t pc = 0; pc < re->length;) {
        const int32_t n = length_of(re, pc), *op = re->code + pc;
        if (n < 0) return false;
        switch ((int)op[0]) {
        case GX_RE_SET:
            if (op[1] < 0 || op[1] >= re->set_count) return false;
            break;
        case GX_RE_OPEN: case GX_RE_CLOSE: case GX_RE_REF: case GX_RE_REFI:
            if (op[1] < 1) return false;
            most(&re->groups, op[1] - 1);
            break;
        case GX_RE_SPLIT: case GX_RE_SPLITL: case GX_RE_JUMP:
            if (!is_address(re, op[1])) return false;
            break;
        case GX_RE_ONE:
            if (pc + 4 >= re->length || op[4] < GX_RE_CHAR || op[4] > GX_RE_SET) return false;
            break;
        case GX_RE_COUNT: most(&re->counters, op[1]); break;
        case GX_RE_LOOP:
            if (!is_address(re, op[5])) return false;
            most(&re->counters, op[1]);
            break;
        case GX_RE_NOT:
            if (!is_address(re, op[2])) return false;
            most(&re->marks, op[1]);
            break;
        case GX_RE_LOOK: case GX_RE_LOOKEND: case GX_RE_NOTEND: case GX_RE_ATOMIC:
        case GX_RE_ATOMICEND:
            most(&re->marks, op[1]);
            break;
        case GX_RE_IF:
            if (op[1] < 1 || !is_address(re, op[2])) return false;
            most(&re->groups, op[1] - 1);
            break;
        default: break;
        }
        pc += n;
    }
    return re->length > 0 && re->code[re->length - 1] == GX_RE_MATCH;
}

/* --- what a match begins with --- */

static void add_first(gx_regex *re, uint32_t c) {
    char text[4];
    if (re->bytes) re->firsts[c & 255] = 1;
    else if (gx_utf8_encode(c, text)) re->firsts[(uint8_t)text[0]] = 1;
}

static void add_firsts_of(gx_regex *re, const int32_t *op) {
    for (uint32_t c = 0; c < (re->bytes ? 256u : 128u); c++) {
        bool is = true;
        if (op[0] == GX_RE_CHAR) is = c == (uint32_t)op[1];
        if (op[0] == GX_RE_CHARI) is = gx_regex_caseless(c, re->bytes) == (uint32_t)op[1];
        if (op[0] == GX_RE_ANY) is = c != '\n';
        if (op[0] == GX_RE_SET) is = re->sets[op[1]].low[c >> 6] >> (c & 63) & 1;
        if (is) re->firsts[c] = 1;
    }
    if (re->bytes) return;
    if (op[0] == GX_RE_CHAR) add_first(re, (uint32_t)op[1]);
    else memset(re->firsts + 128, 1, 128); /* letters beyond ASCII: whichever */
}

/* Adds the bytes with which what stands at pc may begin; false: with any, or with none. */
static bool add_firsts(gx_regex *re, int32_t pc, int depth) {
    if (depth > 100) return false;
    for (;;) {
        const int32_t *op = re->code + pc;
        switch ((int)op[0]) {
        case GX_RE_CHAR: case GX_RE_CHARI: case GX_RE_ANY: case GX_RE_ALL: case GX_RE_SET:
            add_firsts_of(re, op);
            return true;
        case GX_RE_OPEN: case GX_RE_CLOSE: case GX_RE_COUNT: case GX_RE_ATOMIC:
        case GX_RE_ATOMICEND: case GX_RE_BOL: case GX_RE_WORD: case GX_RE_NWORD:
            pc += 1 + gx_regex_operands[op[0]];
            continue;
        case GX_RE_JUMP:
            if (op[1] <= pc) return false;
            pc = op[1];
            continue;
        case GX_RE_SPLIT: case GX_RE_SPLITL:
            if (op[1] <= pc || !add_firsts(re, op[1], depth + 1)) return false;
            pc += 2;
            continue;
        case GX_RE_ONE:
            add_firsts_of(re, op + 4);
            if (op[1] > 0) return true;
            pc += 5 + gx_regex_operands[op[4]];
            continue;
        case GX_RE_LOOP:
            if (op[2] == 0 && !add_firsts(re, op[5], depth + 1)) return false;
            pc += 6;
            continue;
        case GX_RE_NOT:
            pc = op[2];
            continue;
        default: return false;
        }
    }
}

static void look_ahead(gx_regex *re) {
    int32_t pc = 0;
    while (re->code[pc] == GX_RE_OPEN) pc += 2;
    re->anchored = re->code[pc] == GX_RE_BOS;
    while (re->code[pc] == GX_RE_CHAR || re->code[pc] == GX_RE_OPEN) {
        char text[4];
        if (re->code[pc] == GX_RE_CHAR) {
            const int n = re->bytes ? 1 : gx_utf8_encode((uint32_t)re->code[pc + 1], text);
            if (re->bytes) text[0] = (char)re->code[pc + 1];
            if (n <= 0 || re->prefix_length + n > (int32_t)sizeof re->prefix) break;
            memcpy(re->prefix + re->prefix_length, text, (size_t)n);
            re->prefix_length += n;
        }
        pc += 2;
    }
    if (!re->prefix_length) re->firsts_known = add_firsts(re, 0, 0);
}

bool gx_regex_load(gx_rt *rt, gx_borrowed code, gx_borrowed sets, gx_regex *re) {
    int64_t length;
    re->rt = rt;
    if (read_ints(rt, code, &re->code, &length)) {
        re->length = (int32_t)length;
        if (read_sets(re, sets) && (check(re) || broken(rt))) {
            look_ahead(re);
            return true;
        }
    }
    gx_regex_free(re);
    return false;
}

void gx_regex_free(gx_regex *re) {
    gx_free(re->rt, re->code);
    gx_free(re->rt, re->sets);
    gx_free(re->rt, re->ranges);
    re->code = NULL;
    re->sets = NULL;
    re->ranges = NULL;
}
