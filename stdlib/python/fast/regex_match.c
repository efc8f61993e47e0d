/* The matcher of re. A place to which it may have to come back is an entry on a stack of its own,
   as is whatever was changed on the way (groups, counters): going back pops entries until one is a
   place to go on from. So no text is too long for the C stack, and every way back counts a step of
   the program's limits. */
#include <string.h>

#include "runtime/object/text/unicode.h"
#include "stdlib/python/fast/regex_int.h"

const uint8_t gx_regex_operands[GX_RE_OPS] = {
#define X(name, operands) operands,
    GX_REGEX_OPS(X)
#undef X
};

enum { FEW = 96, PATIENCE = 255 };

/* What an entry is, where it is no place of the program to go on from at b. */
enum { UNDO_SLOT = -1, UNDO_CLOSE = -2, UNDO_COUNT = -3, MARK = -4, GREEDY = -5, LAZY = -6 };

typedef struct entry {
    int32_t kind, a, b, c;
} entry;

typedef struct machine {
    const gx_regex_run *run;
    const gx_regex *re;
    const uint8_t *text;
    int32_t end;
    int32_t *slots, *counts, *marks; /* counts: pairs of a count and the last place */
    entry *stack;                    /* few, or owned */
    int32_t used, room;
    unsigned work;
    entry few[FEW];
} machine;

/* --- characters --- */

static inline uint32_t char_at(const machine *m, int32_t at, int32_t *next) {
    const uint32_t c = m->text[at];
    if (c < 128 || m->re->bytes) {
        *next = at + 1;
        return c;
    }
    int bytes;
    const uint32_t code = gx_utf8_decode((const char *)m->text + at, &bytes);
    *next = at + bytes;
    return code;
}

static inline int32_t before(const machine *m, int32_t at) {
    at--;
    if (!m->re->bytes)
        while ((m->text[at] & 0xC0) == 0x80) at--;
    return at;
}

uint32_t gx_regex_caseless(uint32_t c, bool ascii) {
    if (c < 128 || ascii) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    return gx_code_caseless(c);
}

static bool in_kinds(uint32_t bits, uint32_t c) {
    const bool narrow = (bits & GX_RE_ASCII) && c >= 128;
    if (bits & (GX_RE_DIGIT | GX_RE_NO_DIGIT)) {
        const bool is = !narrow && gx_code_decimal(c);
        if (bits & (is ? GX_RE_DIGIT : GX_RE_NO_DIGIT)) return true;
    }
    if (bits & (GX_RE_SPACE | GX_RE_NO_SPACE)) {
        bool is = !narrow && gx_code_space(c);
        if ((bits & GX_RE_ASCII) && c >= 28 && c <= 31) is = false;
        if (bits & (is ? GX_RE_SPACE : GX_RE_NO_SPACE)) return true;
    }
    if (bits & (GX_RE_WORD_CHAR | GX_RE_NO_WORD)) {
        const bool is = c == '_' || (!narrow && (gx_code_alpha(c) || gx_code_decimal(c) ||
                                                 gx_code_digit(c) || gx_code_numeric(c)));
        if (bits & (is ? GX_RE_WORD_CHAR : GX_RE_NO_WORD)) return true;
    }
    return false;
}

bool gx_regex_in_set(const gx_regex *re, const gx_regex_set *set, uint32_t c) {
    const uint32_t *r = re->ranges + 2 * set->first;
    int32_t low = 0, high = set->count;
    if (set->bits & GX_RE_CASELESS) c = gx_regex_caseless(c, set->bits & GX_RE_ASCII);
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (r[2 * middle] <= c) low = middle + 1;
        else high = middle;
    }
    const bool in = (low && c <= r[2 * low - 1]) || in_kinds(set->bits, c);
    return in != !!(set->bits & GX_RE_NEGATE);
}

static inline bool set_has(const machine *m, int32_t i, uint32_t c) {
    const gx_regex_set *set = m->re->sets + i;
    if (c < 256) return set->low[c >> 6] >> (c & 63) & 1;
    return gx_regex_in_set(m->re, set, c);
}

/* Behind the character at `at` where the one-character op takes it, else -1. */
static inline int32_t one_char(const machine *m, const int32_t *op, int32_t at) {
    int32_t next;
    if (at >= m->end) return -1;
    const uint32_t c = char_at(m, at, &next);
    bool is;
    switch (op[0]) {
    case GX_RE_CHAR: is = c == (uint32_t)op[1]; break;
    case GX_RE_CHARI: is = gx_regex_caseless(c, m->re->bytes) == (uint32_t)op[1]; break;
    case GX_RE_ANY: is = c != '\n'; break;
    case GX_RE_ALL: is = true; break;
    default: is = set_has(m, op[1], c); break;
    }
    return is ? next : -1;
}

/* Behind as many as there are, but at most `most` (-1: any number), from `at`. */
static int32_t many(const machine *m, const int32_t *op, int32_t at, int32_t most) {
    int32_t next, n = 0;
    if (most < 0 && op[0] == GX_RE_ALL) return m->end;
    if (most < 0 && op[0] == GX_RE_ANY) {
        const uint8_t *stop = memchr(m->text + at, '\n', (size_t)(m->end - at));
        return stop ? (int32_t)(stop - m->text) : m->end;
    }
    if (op[0] == GX_RE_SET && most < 0) {
        const uint64_t *low = m->re->sets[op[1]].low;
        while (at < m->end) {
            const uint32_t c = m->text[at];
            if (c < 128 || m->re->bytes) {
                if (!(low[c >> 6] >> (c & 63) & 1)) break;
                at++;
            } else {
                if ((next = one_char(m, op, at)) < 0) break;
                at = next;
            }
        }
        return at;
    }
    while (n != most && (next = one_char(m, op, at)) >= 0) {
        at = next;
        n++;
    }
    return at;
}

static inline bool is_word(const machine *m, int32_t at, bool ascii) {
    int32_t next;
    return in_kinds(GX_RE_WORD_CHAR | (ascii ? GX_RE_ASCII : 0), char_at(m, at, &next));
}

static bool boundary(const machine *m, int32_t at, bool ascii) {
    const bool left = at > 0 && is_word(m, before(m, at), ascii);
    return left != (at < m->end && is_word(m, at, ascii));
}

/* --- the stack --- */

static bool grow(machine *m) {
    const int32_t room = m->room * 2;
    if (room > 1 << 29) return gx_no_memory(m->re->rt);
    entry *more = gx_realloc(m->re->rt, m->stack == m->few ? NULL : m->stack,
                             (size_t)room * sizeof *more);
    if (!more) return false;
    if (m->stack == m->few) memcpy(more, m->few, sizeof m->few);
    m->stack = more;
    m->room = room;
    return true;
}

static inline bool push(machine *m, int32_t kind, int32_t a, int32_t b, int32_t c) {
    if (GX_UNLIKELY(m->used == m->room) && !grow(m)) return false;
    m->stack[m->used++] = (entry){kind, a, b, c};
    return true;
}

static void undo(machine *m, const entry *e) {
    if (e->kind == UNDO_SLOT || e->kind == UNDO_CLOSE) m->slots[e->a] = e->b;
    if (e->kind == UNDO_CLOSE) m->slots[2 * (m->re->groups + 1)] = e->c;
    if (e->kind == UNDO_COUNT) {
        m->counts[2 * e->a] = e->b;
        m->counts[2 * e->a + 1] = e->c;
    }
}

/* Forgets the ways back above a mark, and the mark; what was changed is still undone later. */
static void cut(machine *m, int32_t mark) {
    int32_t kept = mark;
    for (int32_t i = mark + 1; i < m->used; i++)
        if (m->stack[i].kind <= UNDO_SLOT && m->stack[i].kind >= UNDO_COUNT)
            m->stack[kept++] = m->stack[i];
    m->used = kept;
}

/* Undoes everything down to a mark, and takes it off. */
static void unwind(machine *m, int32_t mark) {
    while (m->used > mark) undo(m, &m->stack[--m->used]);
}

static bool patient(machine *m) {
    gx_rt *rt = m->re->rt;
    if (++m->work & PATIENCE) return true;
    if (rt->steps > PATIENCE) rt->steps -= PATIENCE;
    else rt->steps = 0;
    return gx_interrupt_check(rt);
}

static int32_t set_slot(machine *m, int32_t slot, int32_t at) {
    if (!push(m, UNDO_SLOT, slot, m->slots[slot], 0)) return false;
    m->slots[slot] = at;
    return true;
}

static bool set_count(machine *m, int32_t counter, int32_t count, int32_t at) {
    int32_t *c = m->counts + 2 * counter;
    if (!push(m, UNDO_COUNT, counter, c[0], c[1])) return false;
    c[0] = count;
    c[1] = at;
    return true;
}

/* Does the text at `at` go on as a group did? Behind it, or -1. */
static int32_t again(const machine *m, int32_t group, int32_t at, bool caseless) {
    int32_t from = m->slots[2 * group];
    const int32_t to = m->slots[2 * group + 1];
    if (from < 0 || to < 0) return -1;
    if (!caseless) {
        if (to - from > m->end - at || memcmp(m->text + from, m->text + at, (size_t)(to - from)))
            return -1;
        return at + to - from;
    }
    while (from < to) {
        if (at >= m->end) return -1;
        const uint32_t c = char_at(m, from, &from), d = char_at(m, at, &at);
        if (gx_regex_caseless(c, m->re->bytes) != gx_regex_caseless(d, m->re->bytes)) return -1;
    }
    return at;
}

/* ONE at pc, from *at: 1, 0, or -1 with an error pending. The ways back of a greedy one are an
   entry with its first place and its last. */
static int repeat_one(machine *m, int32_t pc, int32_t *at) {
    const int32_t *op = m->re->code + pc, least = op[1], how = op[3];
    const int32_t rest = op[2] < 0 ? -1 : op[2] - least;
    int32_t first = *at;
    for (int32_t i = 0; i < least; i++)
        if ((first = one_char(m, op + 4, first)) < 0) return 0;
    *at = first;
    if (how == GX_RE_LAZY) return rest == 0 || push(m, LAZY, pc, first, rest) ? 1 : -1;
    *at = many(m, op + 4, first, rest);
    if (how == GX_RE_POSSESSIVE || *at == first) return 1;
    return push(m, GREEDY, pc, first, *at) ? 1 : -1;
}

static int32_t behind_one(const int32_t *code, int32_t pc) {
    return pc + 5 + gx_regex_operands[code[pc + 4]];
}

/* Takes a way back off the stack, with what was done since undone: 1, 0: there is none, -1. */
static int go_back(machine *m, int32_t *pc, int32_t *at) {
    const int32_t *code = m->re->code;
    while (m->used) {
        entry *e = &m->stack[m->used - 1];
        if (e->kind >= 0) {
            const bool loop = e->a != 0;
            *pc = e->kind;
            *at = e->b;
            m->used--;
            if (!loop) return 1;
            /* A lazy loop's body. */
            const int32_t counter = code[*pc + 1];
            if (!set_count(m, counter, m->counts[2 * counter] + 1, *at)) return -1;
            *pc += 6;
            return 1;
        }
        if (e->kind == GREEDY) {
            *pc = behind_one(code, e->a);
            if (code[*pc] == GX_RE_CHAR && code[*pc + 1] < 128) { /* only where it can go on */
                const uint8_t c = (uint8_t)code[*pc + 1];
                int32_t to = e->c - 1;
                while (to >= e->b && m->text[to] != c) to--;
                *at = to;
            } else
                *at = before(m, e->c);
            if (*at <= e->b) m->used--;
            else e->c = *at;
            if (*at >= e->b) return 1;
            continue;
        }
        if (e->kind == LAZY) {
            *at = one_char(m, code + e->a + 4, e->b);
            *pc = behind_one(code, e->a);
            if (e->c > 0) e->c--;
            if (*at < 0 || e->c == 0) m->used--;
            else e->b = *at;
            if (*at >= 0) return 1;
            continue;
        }
        undo(m, e);
        m->used--;
    }
    return 0;
}

/* Runs the program from `at`: 1, 0, or -1 with an error pending. The slots are as they were before,
   or hold the match. */
static int run_program(machine *m, int32_t at) {
    const int32_t *code = m->re->code;
    int32_t pc = 0, next;
    m->used = 0;
    for (;;) {
        const int32_t *op = code + pc;
        switch ((gx_regex_op)op[0]) {
        case GX_RE_MATCH:
            if ((m->run->full && at != m->end) || (m->run->not_empty && at == m->run->start)) break;
            m->slots[1] = at;
            return 1;
        case GX_RE_CHAR:
            if (at >= m->end) break;
            if (op[1] < 128) {
                if (m->text[at] != op[1]) break;
                at++;
                pc += 2;
                continue;
            }
            /* fall through */
        case GX_RE_CHARI: case GX_RE_SET:
            if ((next = one_char(m, op, at)) < 0) break;
            at = next;
            pc += 2;
            continue;
        case GX_RE_ANY: case GX_RE_ALL:
            if ((next = one_char(m, op, at)) < 0) break;
            at = next;
            pc++;
            continue;
        case GX_RE_BOS:
            if (at != 0) break;
            pc++;
            continue;
        case GX_RE_BOL:
            if (at != 0 && m->text[at - 1] != '\n') break;
            pc++;
            continue;
        case GX_RE_EOS:
            if (at != m->end) break;
            pc++;
            continue;
        case GX_RE_EOL:
            if (at != m->end && !(at == m->end - 1 && m->text[at] == '\n')) break;
            pc++;
            continue;
        case GX_RE_EOLM:
            if (at != m->end && m->text[at] != '\n') break;
            pc++;
            continue;
        case GX_RE_WORD:
            if (!boundary(m, at, op[1])) break;
            pc += 2;
            continue;
        case GX_RE_NWORD:
            if (!m->end || boundary(m, at, op[1])) break; /* of nothing there is neither */
            pc += 2;
            continue;
        case GX_RE_OPEN:
            if (!set_slot(m, 2 * op[1], at)) return -1;
            pc += 2;
            continue;
        case GX_RE_CLOSE: {
            int32_t *last = m->slots + 2 * (m->re->groups + 1), slot = 2 * op[1] + 1;
            if (!push(m, UNDO_CLOSE, slot, m->slots[slot], *last)) return -1;
            m->slots[slot] = at;
            *last = op[1];
            pc += 2;
            continue;
        }
        case GX_RE_SPLIT:
            if (!push(m, op[1], 0, at, 0)) return -1;
            pc += 2;
            continue;
        case GX_RE_SPLITL:
            if (!push(m, pc + 2, 0, at, 0)) return -1;
            pc = op[1];
            continue;
        case GX_RE_JUMP:
            if (!patient(m)) return -1;
            pc = op[1];
            continue;
        case GX_RE_ONE:
            next = repeat_one(m, pc, &at);
            if (next < 0) return -1;
            if (!next) break;
            pc = behind_one(code, pc);
            continue;
        case GX_RE_COUNT:
            if (!set_count(m, op[1], 0, -1)) return -1;
            pc += 2;
            continue;
        case GX_RE_LOOP: {
            const int32_t count = m->counts[2 * op[1]], last = m->counts[2 * op[1] + 1];
            const bool more = (op[3] < 0 || count < op[3]) && at != last;
            if (count < op[2] || (more && op[4] == GX_RE_GREEDY)) {
                if (count >= op[2] && !push(m, op[5], 0, at, 0)) return -1;
                if (!set_count(m, op[1], count + 1, count < op[2] ? last : at)) return -1;
                pc += 6;
            } else if (more) { /* lazy: the body is the way back, with one more counted */
                if (!push(m, pc, -1, at, 0)) return -1;
                pc = op[5];
            } else
                pc = op[5];
            continue;
        }
        case GX_RE_REF: case GX_RE_REFI:
            if ((next = again(m, op[1], at, op[0] == GX_RE_REFI)) < 0) break;
            at = next;
            pc += 2;
            continue;
        case GX_RE_BACK:
            next = at;
            for (int32_t i = 0; i < op[1] && next >= 0; i++) next = next ? before(m, next) : -1;
            if (next < 0) break;
            at = next;
            pc += 2;
            continue;
        case GX_RE_LOOK: case GX_RE_ATOMIC:
            m->marks[op[1]] = m->used;
            if (!push(m, MARK, 0, at, 0)) return -1;
            pc += 2;
            continue;
        case GX_RE_LOOKEND: case GX_RE_ATOMICEND: {
            const int32_t mark = m->marks[op[1]];
            if (op[0] == GX_RE_LOOKEND) at = m->stack[mark].b;
            cut(m, mark);
            pc += 2;
            continue;
        }
        case GX_RE_NOT:
            m->marks[op[1]] = m->used;
            if (!push(m, op[2], 0, at, 0)) return -1;
            pc += 3;
            continue;
        case GX_RE_NOTEND:
            unwind(m, m->marks[op[1]]);
            break;
        case GX_RE_IF:
            pc = m->slots[2 * op[1]] >= 0 && m->slots[2 * op[1] + 1] >= 0 ? pc + 3 : op[2];
            continue;
        case GX_RE_FAIL: case GX_RE_OPS: break;
        }
        if (!patient(m)) return -1;
        next = go_back(m, &pc, &at);
        if (next <= 0) return next;
    }
}

/* --- searching --- */

/* The first place from `at` on where a match may begin, or -1. */
static int32_t candidate(const machine *m, int32_t at) {
    const gx_regex *re = m->re;
    if (re->prefix_length > 1) {
        const void *p = memmem(m->text + at, (size_t)(m->end - at), re->prefix,
                               (size_t)re->prefix_length);
        return p ? (int32_t)((const uint8_t *)p - m->text) : -1;
    }
    if (re->prefix_length == 1) {
        const void *p = memchr(m->text + at, re->prefix[0], (size_t)(m->end - at));
        return p ? (int32_t)((const uint8_t *)p - m->text) : -1;
    }
    if (!re->firsts_known) return at;
    while (at < m->end && !re->firsts[m->text[at]]) at++;
    return at < m->end ? at : -1;
}

static int search(machine *m) {
    gx_regex_run *run = (gx_regex_run *)m->run;
    const bool not_empty = run->not_empty;
    int32_t at = run->start;
    int found = 0;
    while (!found && at <= m->end) {
        if (!run->fixed && (at = candidate(m, at)) < 0) break;
        run->not_empty = not_empty && at == run->start;
        m->slots[0] = at;
        found = run_program(m, at);
        if (run->fixed || (m->re->anchored && !found) || at == m->end) break;
        if (!found) (void)char_at(m, at, &at);
    }
    run->not_empty = not_empty;
    return found;
}

gx_try gx_regex_search(gx_regex_run *run) {
    const gx_regex *re = run->re;
    machine m = {.run = run, .re = re, .text = run->text, .end = run->end, .slots = run->slots,
                 .room = FEW};
    int32_t some[32], *scratch = some;
    const int32_t need = 2 * re->counters + re->marks;
    if (need > 32 && !(scratch = gx_alloc(re->rt, (size_t)need * sizeof *scratch)))
        return GX_TRY_ERROR;
    m.counts = scratch;
    m.marks = scratch + 2 * re->counters;
    memset(scratch, 0, (size_t)need * sizeof *scratch);
    m.stack = m.few;
    for (int32_t i = 0; i < 2 * (re->groups + 1); i++) run->slots[i] = -1;
    run->slots[2 * (re->groups + 1)] = 0;
    const int found = search(&m);
    if (m.stack != m.few) gx_free(re->rt, m.stack);
    if (scratch != some) gx_free(re->rt, scratch);
    return found < 0 ? GX_TRY_ERROR : found ? GX_TRY_YES : GX_TRY_NO;
}
