/* Where values of a function come from: for each register the arrays and variables that it may
   point into, how many of its low bits are always zero, and, where it is computed in one place, its
   form object + scale * index + offset. A register that only ever holds what was loaded from memory
   points anywhere. */
#include <string.h>

#include "runtime/backend/cuda/check/check_int.h"

enum { MAX_ZEROS = 62, MAX_DEPTH = 40, MAX_LOW = 1 << 28 };

/* --- objects --- */

static int named_object(gx_checker *c, const char *name, int n) {
    for (int k = 0; k < c->n_object; k++)
        if (c->object[k].kind != OBJECT_PARAM && c->object[k].length == n &&
            memcmp(c->object[k].name, name, (size_t)n) == 0)
            return k;
    for (int k = 0; k < c->n_variable && c->n_object < GX_OBJECTS; k++) {
        const gx_check_variable *v = &c->variable[k];
        if (v->length != n || memcmp(v->name, name, (size_t)n) != 0) continue;
        c->object[c->n_object] = (gx_check_object){.kind = v->kind,
                                                   .param = -1,
                                                   .name = v->name,
                                                   .length = n,
                                                   .bytes = v->bytes,
                                                   .align = v->align};
        return c->n_object++;
    }
    return -1;
}

static int param_object(gx_checker *c, const gx_opnd *o) {
    if (!c->entry || o->number) return -1;
    int p = 0;
    while (p < c->n_param && (c->param_length[p] != o->length ||
                              memcmp(c->param[p], o->name, (size_t)o->length) != 0))
        p++;
    if (p == c->n_param) return -1;
    if (c->known && !(c->known->pointers >> p & 1)) return -1;
    for (int k = 0; k < c->n_object; k++)
        if (c->object[k].kind == OBJECT_PARAM && c->object[k].param == p) return k;
    if (c->n_object == GX_OBJECTS) return -1;
    c->object[c->n_object] = (gx_check_object){.kind = OBJECT_PARAM,
                                               .param = p,
                                               .name = c->param[p],
                                               .length = c->param_length[p],
                                               .align = 1};
    return c->n_object++;
}

static bool is_param_load(const gx_stmt *s) {
    return gx_scan_is(s, "ld") && s->n_operand == 2 && gx_scan_has(s, ".param") &&
           s->operand[1].kind == OPND_MEMORY && s->operand[1].reg < 0;
}

/* Without knowledge of the types: is what was loaded into the register turned into an address? */
static bool is_address(const gx_checker *c, int reg) {
    for (int i = 0; i < c->n_stmt; i++)
        if (gx_scan_is(&c->stmt[i], "cvta") && c->stmt[i].operand[1].reg == reg) return true;
    return false;
}

/* The object that a statement names, or loads the address of; -1: none. */
static int source_object(gx_checker *c, const gx_stmt *s) {
    if (is_param_load(s)) {
        if (c->entry && !c->known && !is_address(c, s->operand[0].reg)) return -1;
        return s->operand[0].kind == OPND_REG ? param_object(c, &s->operand[1]) : -1;
    }
    if ((gx_scan_is(s, "mov") || gx_scan_is(s, "cvta")) && s->operand[1].kind == OPND_NAME)
        return named_object(c, s->operand[1].name, s->operand[1].length);
    return -1;
}

/* --- what a statement's sources are made of --- */

static int zeros_of_number(int64_t v) {
    return v ? __builtin_ctzll((unsigned long long)v) : MAX_ZEROS;
}

static int zeros_of(const gx_checker *c, const gx_opnd *o) {
    if (o->kind == OPND_NUMBER) return zeros_of_number(o->number);
    if (o->kind != OPND_REG) return 0;
    return c->reg[o->reg].defs ? c->reg[o->reg].zeros : 0;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static int zeros_after(const gx_checker *c, const gx_stmt *s) {
    const gx_opnd *o = s->operand;
    int a = zeros_of(c, &o[1]), b = zeros_of(c, &o[2]), d = zeros_of(c, &o[3]);
    if (s->guard >= 0 || gx_scan_has(s, ".cc") || gx_scan_has(s, ".hi")) return 0;
    if (gx_scan_is(s, "mov") || gx_scan_is(s, "cvta")) return a;
    if (gx_scan_is(s, "cvt")) {
        bool whole = !strchr("fb", s->op[s->op_length - 3]) && !gx_scan_has(s, ".f32") &&
                     !gx_scan_has(s, ".f64") && !gx_scan_has(s, ".f16");
        return whole && !gx_scan_has(s, ".sat") ? a : 0;
    }
    if (gx_scan_is(s, "add") || gx_scan_is(s, "sub") || gx_scan_is(s, "or") ||
        gx_scan_is(s, "selp"))
        return least(a, b);
    if (gx_scan_is(s, "mul")) return least(a + b, MAX_ZEROS);
    if (gx_scan_is(s, "mad")) return least(least(a + b, d), MAX_ZEROS);
    if (gx_scan_is(s, "and")) return a > b ? a : b;
    if (gx_scan_is(s, "shl"))
        return o[2].kind == OPND_NUMBER ? least(a + (int)(o[2].number & 63), MAX_ZEROS) : a;
    return 0;
}

typedef struct facts {
    uint64_t objects;
    bool loaded;
} facts;

static facts facts_after(const gx_checker *c, const gx_stmt *s) {
    facts f = {0, false};
    bool both = false, pure = false;
    if (s->access || gx_scan_is(s, "ld") || gx_scan_is(s, "atom")) return (facts){0, true};
    if (gx_scan_is(s, "setp") || gx_scan_is(s, "isspacep")) return f;
    for (int k = s->n_def; k < s->n_def + s->n_use; k++) {
        const gx_check_reg *r = &c->reg[c->reg_list[s->regs + k]];
        f.objects |= r->objects;
        if (r->loaded && r->objects) both = true;
        if (r->loaded && !r->objects) pure = true;
    }
    f.loaded = both || (pure && (!f.objects || gx_scan_is(s, "selp")));
    return f;
}

/* One pass over the function; true when something changed. */
static bool pass(gx_checker *c) {
    bool changed = false;
    for (int i = 0; i < c->n_stmt; i++) {
        const gx_stmt *s = &c->stmt[i];
        if (s->kind != ST_INSTRUCTION || s->n_def == 0) continue;
        int object = source_object(c, s);
        facts f = facts_after(c, s);
        int zeros = zeros_after(c, s);
        if (object >= 0) {
            f = (facts){UINT64_C(1) << object, false};
            zeros = MAX_ZEROS;
        }
        for (int k = 0; k < s->n_def; k++) {
            gx_check_reg *r = &c->reg[c->reg_list[s->regs + k]];
            changed |= (f.objects & ~r->objects) || (f.loaded && !r->loaded) || zeros < r->zeros;
            r->objects |= f.objects;
            r->loaded |= f.loaded;
            if (zeros < r->zeros) r->zeros = zeros;
        }
    }
    return changed;
}

bool gx_flow(gx_checker *c) {
    for (int k = 0; k < c->n_reg; k++) {
        gx_check_reg *r = &c->reg[k];
        r->defs = 0;
        r->zeros = MAX_ZEROS;
        r->objects = 0;
        r->loaded = false;
        r->form_state = 0;
        r->blocked = r->touched = 0;
    }
    for (int i = 0; i < c->n_stmt; i++)
        for (int k = 0; k < c->stmt[i].n_def; k++) {
            gx_check_reg *r = &c->reg[c->reg_list[c->stmt[i].regs + k]];
            r->defs++;
            r->def = i;
        }
    while (pass(c)) { /* facts only grow */
    }
    return true;
}

/* --- forms --- */

static gx_check_form form_of(gx_checker *c, int reg, int depth);

static gx_check_form form_of_operand(gx_checker *c, const gx_opnd *o, int depth) {
    if (o->kind == OPND_NUMBER)
        return (gx_check_form){.known = true, .object = -1, .index = -1, .offset = o->number};
    if (o->kind == OPND_REG) return form_of(c, o->reg, depth);
    return (gx_check_form){.known = false};
}

static bool fits(int64_t v) {
    return v > -MAX_LOW && v < MAX_LOW;
}

static gx_check_form sum(gx_check_form a, gx_check_form b, bool minus) {
    gx_check_form none = {.known = false};
    if (!a.known || !b.known || (a.object >= 0 && b.object >= 0)) return none;
    if (a.index >= 0 && b.index >= 0) return none;
    if (minus && (b.object >= 0 || b.index >= 0)) return none;
    gx_check_form r = a.index >= 0 ? a : b;
    if (a.index < 0 && b.index < 0) r = a;
    r.object = a.object >= 0 ? a.object : b.object;
    r.offset = minus ? a.offset - b.offset : a.offset + b.offset;
    r.known = fits(r.offset);
    return r;
}

static gx_check_form times(gx_check_form a, int64_t by) {
    if (!a.known || a.object >= 0 || by < 1 || !fits(by)) return (gx_check_form){.known = false};
    a.offset *= by;
    a.scale *= by;
    a.known = fits(a.offset) && (a.index < 0 || fits(a.scale));
    return a;
}

/* A 32-bit register, widened. */
static gx_check_form widened(const gx_checker *c, const gx_opnd *o, bool is_signed) {
    gx_check_form none = {.known = false};
    if (o->kind != OPND_REG || c->reg[o->reg].bits != 32 || c->reg[o->reg].defs != 1) return none;
    return (gx_check_form){
        .known = true, .object = -1, .index = o->reg, .kind = is_signed ? 's' : 'u', .scale = 1};
}

static gx_check_form form_of_def(gx_checker *c, const gx_stmt *s, int depth) {
    gx_check_form none = {.known = false};
    const gx_opnd *o = s->operand;
    int object = source_object(c, s);
    if (object >= 0)
        return (gx_check_form){
            .known = true, .object = object, .index = -1, .offset = s->operand[1].number};
    if (s->guard >= 0 || gx_scan_has(s, ".cc")) return none;
    if (gx_scan_is(s, "cvta") || gx_scan_is(s, "mov")) return form_of_operand(c, &o[1], depth);
    if (gx_scan_is(s, "add") || gx_scan_is(s, "sub"))
        return sum(form_of_operand(c, &o[1], depth), form_of_operand(c, &o[2], depth),
                   gx_scan_is(s, "sub"));
    bool is_signed = gx_scan_has(s, ".s32"), is_wide = gx_scan_has(s, ".wide");
    if (gx_scan_is(s, "mul") && is_wide && o[2].kind == OPND_NUMBER)
        return times(widened(c, &o[1], is_signed), o[2].number);
    if (gx_scan_is(s, "mad") && is_wide && o[2].kind == OPND_NUMBER)
        return sum(times(widened(c, &o[1], is_signed), o[2].number),
                   form_of_operand(c, &o[3], depth), false);
    if (gx_scan_is(s, "cvt")) return gx_scan_has(s, ".f32") ? none : widened(c, &o[1], is_signed);
    if (gx_scan_is(s, "shl") && o[2].kind == OPND_NUMBER && o[2].number < 28)
        return times(form_of_operand(c, &o[1], depth), INT64_C(1) << o[2].number);
    if (gx_scan_is(s, "mul") && gx_scan_has(s, ".lo") && o[2].kind == OPND_NUMBER)
        return times(form_of_operand(c, &o[1], depth), o[2].number);
    return none;
}

static gx_check_form form_of(gx_checker *c, int reg, int depth) {
    gx_check_form none = {.known = false};
    gx_check_reg *r = &c->reg[reg];
    if (r->form_state == 2) return r->form;
    if (r->defs != 1 || r->bits != 64 || r->form_state == 1 || depth > MAX_DEPTH) return none;
    r->form_state = 1;
    gx_check_form f = form_of_def(c, &c->stmt[r->def], depth + 1);
    r = &c->reg[reg];
    if (!f.known && !r->objects) /* a number as it is */
        f = (gx_check_form){.known = true, .object = -1, .index = reg, .kind = 'w', .scale = 1};
    r->form = f;
    r->form_state = 2;
    return f;
}

gx_check_form gx_flow_address(gx_checker *c, const gx_stmt *s) {
    const gx_opnd *o = &s->operand[s->memory];
    gx_check_form f = {.known = false};
    if (o->reg >= 0) {
        f = form_of(c, o->reg, 0);
    } else if (o->name) {
        int object = named_object(c, o->name, o->length);
        if (object >= 0) f = (gx_check_form){.known = true, .object = object, .index = -1};
    }
    f.offset += o->number;
    if (f.known && (f.object < 0 || !fits(f.offset))) f.known = false;
    return f;
}

int gx_flow_object(const gx_checker *c, const gx_stmt *s) {
    const gx_opnd *o = &s->operand[s->memory];
    if (o->reg < 0) {
        for (int k = 0; k < c->n_object && o->name; k++)
            if (c->object[k].kind != OBJECT_PARAM && c->object[k].length == o->length &&
                memcmp(c->object[k].name, o->name, (size_t)o->length) == 0)
                return k;
        return -1;
    }
    const gx_check_reg *r = &c->reg[o->reg];
    if (r->loaded || !r->objects || (r->objects & (r->objects - 1))) return -1;
    return __builtin_ctzll(r->objects);
}

int gx_flow_zeros(const gx_checker *c, const gx_stmt *s) {
    const gx_opnd *o = &s->operand[s->memory];
    int zeros = zeros_of_number(o->number);
    return o->reg < 0 ? zeros : least(zeros, c->reg[o->reg].defs ? c->reg[o->reg].zeros : 0);
}

/* --- loops that count --- */

static bool changes_in(const gx_checker *c, int reg, int from, int to) {
    for (int i = from; i <= to; i++)
        for (int k = 0; k < c->stmt[i].n_def; k++)
            if (c->reg_list[c->stmt[i].regs + k] == reg) return true;
    return false;
}

/* Is every change of the register within the loop the addition of a number to itself? */
static bool counts(const gx_checker *c, int reg, int from, int to) {
    bool any = false;
    for (int i = from; i <= to; i++) {
        const gx_stmt *s = &c->stmt[i];
        for (int k = 0; k < s->n_def; k++) {
            if (c->reg_list[s->regs + k] != reg) continue;
            bool step = (gx_scan_is(s, "add") || gx_scan_is(s, "sub")) &&
                        s->operand[1].reg == reg && s->operand[2].kind == OPND_NUMBER &&
                        s->operand[2].number != 0 && s->guard < 0;
            if (!step) return false;
            any = true;
        }
    }
    return any;
}

bool gx_flow_counts(const gx_checker *c, int label, int branch) {
    int guard = c->stmt[branch].guard;
    if (guard < 0 || c->reg[guard].defs != 1) return false;
    const gx_stmt *test = &c->stmt[c->reg[guard].def];
    if (!gx_scan_is(test, "setp") || test->n_operand != 3) return false;
    for (int k = 1; k <= 2; k++) {
        const gx_opnd *a = &test->operand[k], *b = &test->operand[3 - k];
        bool fixed = b->kind == OPND_NUMBER ||
                     (b->kind == OPND_REG && !changes_in(c, b->reg, label, branch));
        if (a->kind == OPND_REG && fixed && counts(c, a->reg, label, branch)) return true;
    }
    return false;
}
