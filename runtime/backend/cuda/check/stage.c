/* Stages of a run of statements without jumps. What computes addresses and depends on no access of
   the stage moves to its front; then every access's index is compared with a limit, in one chain;
   if one may be outside, a copy of the stage that tests each access by itself runs. The comparison
   may be too strict, never too lax. */
#include <string.h>

#include "runtime/backend/cuda/check/check_int.h"

enum { MAX_GROUPS = 24, MAX_CONDS = 6, MAX_ALIGNED = 12 };

/* Accesses that one comparison decides about. */
typedef struct group {
    char kind;  /* of the index: 's' 'u' 'w'; 'n': none; 'd': address minus object; 'm': the same in
                   32 bits, of shared or local memory */
    int reg;    /* index, or address */
    int object; /* for 'd' and 'm' */
    int64_t scale, low;
    int n;
    gx_check_cond cond[MAX_CONDS];
} group;

/* An address whose alignment is not known. */
typedef struct aligned {
    int reg, bytes;
    int64_t offset;
} aligned;

typedef struct stage {
    group group[MAX_GROUPS];
    aligned aligned[MAX_ALIGNED];
    int n_group, n_aligned;
} stage;

/* --- which statements move --- */

static bool is_pure(const gx_stmt *s) {
    static const char *const list[] = {"mov",  "add",  "sub", "mul", "mad", "shl",  "shr",
                                       "and",  "or",   "xor", "not", "cvt", "cvta", "setp",
                                       "selp", "min",  "max", "neg", "abs", "bfe",  "bfi",
                                       "lop3", "prmt", "div", "rem", "shf"};
    if (s->kind != ST_INSTRUCTION || s->guard >= 0 || s->access || gx_scan_has(s, ".cc") ||
        gx_scan_has(s, ".sat") || gx_scan_has(s, ".f64") || gx_scan_has(s, ".f32"))
        return false;
    if (gx_scan_is(s, "ld")) return gx_scan_has(s, ".param");
    for (int k = 0; k < s->n_operand; k++)
        if (s->operand[k].kind == OPND_NAME && s->operand[k].length > 5 &&
            (memcmp(s->operand[k].name, "%cloc", 5) == 0 ||
             memcmp(s->operand[k].name, "%glob", 5) == 0))
            return false;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (gx_scan_is(s, list[k])) return true;
    return false;
}

static bool moves(const gx_checker *c, const gx_stmt *s) {
    if (!is_pure(s)) return false;
    for (int k = 0; k < s->n_def + s->n_use; k++) {
        const gx_check_reg *r = &c->reg[c->reg_list[s->regs + k]];
        if (r->blocked == c->stamp) return false;
        if (k < s->n_def && r->touched == c->stamp) return false;
    }
    return true;
}

static void stays(gx_checker *c, const gx_stmt *s) {
    for (int k = 0; k < s->n_def + s->n_use; k++) {
        gx_check_reg *r = &c->reg[c->reg_list[s->regs + k]];
        r->touched = c->stamp;
        if (k < s->n_def) r->blocked = c->stamp;
    }
}

/* --- comparisons --- */

/* The smallest index for which scale * index + from is not negative. */
static int64_t lowest(int64_t from, int64_t scale) {
    return from >= 0 ? -(from / scale) : (-from + scale - 1) / scale;
}

/* Room for one more condition? Adds it, or widens the one of the same array. */
static bool join(group *g, const gx_check_cond *cond) {
    for (int k = 0; k < g->n; k++) {
        gx_check_cond *a = &g->cond[k];
        if (a->param != cond->param || a->bytes != cond->bytes) continue;
        a->write |= cond->write;
        if (cond->align > a->align) a->align = cond->align;
        if (cond->from < a->from) a->from = cond->from;
        if (cond->to > a->to) a->to = cond->to;
        return true;
    }
    if (g->n == MAX_CONDS) return false;
    g->cond[g->n++] = *cond;
    return true;
}

static bool add_aligned(stage *st, const gx_opnd *o, int bytes) {
    for (int k = 0; k < st->n_aligned; k++)
        if (st->aligned[k].reg == o->reg && st->aligned[k].bytes == bytes &&
            ((st->aligned[k].offset - o->number) & (bytes - 1)) == 0)
            return true;
    if (st->n_aligned == MAX_ALIGNED || o->reg < 0) return false;
    st->aligned[st->n_aligned++] = (aligned){o->reg, bytes, o->number};
    return true;
}

/* How the access is compared. */
static void shape(gx_checker *c, const gx_stmt *s, int object, group *g, gx_check_cond *cond) {
    const gx_check_object *o = &c->object[object];
    const gx_opnd *m = &s->operand[s->memory];
    bool narrow = o->kind == OBJECT_SHARED || o->kind == OBJECT_LOCAL;
    gx_check_form f = gx_flow_address(c, s);
    *g = (group){.kind = narrow ? 'm' : 'd', .reg = m->reg, .object = object, .scale = 1};
    *cond = (gx_check_cond){.param = o->kind == OBJECT_PARAM ? o->param : -1,
                            .write = s->access != ACCESS_LOAD,
                            .align = s->bytes,
                            .from = m->number,
                            .to = m->number + s->bytes,
                            .bytes = o->kind == OBJECT_PARAM ? -1 : o->bytes};
    if (narrow || !f.known || !c->entry) return;
    cond->from = f.offset;
    cond->to = f.offset + s->bytes;
    g->object = -1;
    g->kind = (char)(f.index < 0 ? 'n' : (char)f.kind);
    g->reg = f.index;
    g->scale = f.index < 0 ? 1 : f.scale;
}

static bool is_aligned(const gx_checker *c, const gx_stmt *s, int object) {
    const gx_check_object *o = &c->object[object];
    int zeros = gx_flow_zeros(c, s);
    if (zeros < 5 && 1 << zeros < s->bytes) return false;
    return o->kind == OBJECT_PARAM || o->align >= s->bytes;
}

/* Takes an access into the stage; false: there is no room. */
static bool take(gx_checker *c, stage *st, const gx_stmt *s, int object) {
    group g;
    gx_check_cond cond;
    shape(c, s, object, &g, &cond);
    if (!is_aligned(c, s, object)) {
        if (!add_aligned(st, &s->operand[s->memory], s->bytes)) return false;
        cond.align = 1;
    }
    for (int k = 0; k < st->n_group; k++) {
        group *a = &st->group[k];
        if (a->kind == g.kind && a->reg == g.reg && a->object == g.object && a->scale == g.scale)
            return join(a, &cond);
    }
    if (st->n_group == MAX_GROUPS) return false;
    g.cond[g.n++] = cond;
    st->group[st->n_group++] = g;
    return true;
}

/* %gxt or %gxq1 = what is compared */
static bool put_operand(gx_checker *c, const group *g, int64_t low) {
    const gx_check_reg *r = g->reg >= 0 ? &c->reg[g->reg] : NULL;
    const gx_check_object *o = g->object >= 0 ? &c->object[g->object] : NULL;
    gx_buf *out = c->out;
    bool ok = true;
    if (!r && !o) return gx_buf_printf(out, "mov.u32 %%gxt, %lld;\n", (long long)-low);
    if (g->kind == 's' || g->kind == 'u')
        return gx_buf_printf(out, "add.u32 %%gxt, %.*s, %lld;\n", r->length, r->name,
                             (long long)-low);
    if (g->kind == 'w')
        return gx_buf_printf(out, "add.s64 %%gxq1, %.*s, %lld;\n", r->length, r->name,
                             (long long)-low);
    if (!r)
        ok = gx_buf_printf(out, "mov.u64 %%gxq1, %.*s;\n", o->length, o->name);
    else
        ok = gx_buf_printf(
            out, r->bits == 32 ? "cvt.u64.u32 %%gxq1, %.*s;\n" : "mov.b64 %%gxq1, %.*s;\n",
            r->length, r->name);
    if (!ok) return false;
    ok = gx_buf_printf(
        out, o->kind == OBJECT_PARAM ? "ld.param.u64 %%gxq0, [%.*s];\n" : "mov.u64 %%gxq0, %.*s;\n",
        o->length, o->name);
    if (!ok) return false;
    if (g->kind == 'd')
        return gx_buf_printf(out,
                             "sub.s64 %%gxq1, %%gxq1, %%gxq0;\nadd.s64 %%gxq1, %%gxq1, %lld;\n",
                             (long long)-low);
    return gx_buf_printf(out,
                         "cvt.u32.u64 %%gxt, %%gxq1;\ncvt.u32.u64 %%gxw, %%gxq0;\n"
                         "sub.u32 %%gxt, %%gxt, %%gxw;\nadd.u32 %%gxt, %%gxt, %lld;\n",
                         (long long)-low);
}

/* One link of the chain: %gxb or the comparison. */
static bool put_group(gx_checker *c, group *g, bool first) {
    gx_buf *out = c->out;
    const char *or_ = first ? "" : ".or", *before = first ? "" : ", %gxb";
    bool wide = g->kind == 'w' || g->kind == 'd';
    int64_t low = INT64_MIN, at;
    for (int k = 0; k < g->n; k++) {
        int64_t l = lowest(g->cond[k].from, g->scale);
        if (l > low) low = l;
    }
    if (g->kind == 'u' && low < 0) low = 0;
    if (!put_operand(c, g, low)) return false;
    if (g->object >= 0 && g->cond[0].param < 0 && g->cond[0].bytes >= 0) {
        int64_t count = g->cond[0].bytes - g->cond[0].to - low + 1;
        return gx_buf_printf(out, "setp.ge%s.u%d %%gxb, %s, %lld%s;\n", or_, wide ? 64 : 32,
                             wide ? "%gxq1" : "%gxt", (long long)(count < 0 ? 0 : count), before);
    }
    char kind = (char)(g->kind == 'd'   ? 'w'
                       : g->kind == 'm' ? 'u'
                       : g->kind == 'n' ? 'u'
                                        : g->kind);
    if (!gx_exact_word(c, kind, g->scale, low, g->cond, g->n, &at)) return false;
    return gx_buf_printf(out,
                         "ld.param.u%d %%gx%s, [__gx_check+%lld];\nsetp.ge%s.u%d %%gxb, %s, "
                         "%%gx%s%s;\n",
                         wide ? 64 : 32, wide ? "q0" : "w", (long long)at, or_, wide ? 64 : 32,
                         wide ? "%gxq1" : "%gxt", wide ? "q0" : "w", before);
}

static bool put_aligned(gx_checker *c, const aligned *a, bool first) {
    const gx_check_reg *r = &c->reg[a->reg];
    return gx_buf_printf(c->out,
                         r->bits == 32 ? "add.u32 %%gxt, %.*s, %lld;\n"
                                       : "cvt.u32.u64 %%gxt, %.*s;\nadd.u32 %%gxt, %%gxt, %lld;\n",
                         r->length, r->name, (long long)a->offset) &&
           gx_buf_printf(c->out, "and.b32 %%gxt, %%gxt, %d;\nsetp.ne%s.u32 %%gxb, %%gxt, 0%s;\n",
                         a->bytes - 1, first ? "" : ".or", first ? "" : ", %gxb");
}

/* --- writing --- */

static bool put_stmt(gx_buf *out, const gx_stmt *s) {
    return gx_buf_add(out, s->from, (size_t)s->length) && gx_buf_char(out, '\n');
}

/* The copy that tests each access, behind the function. */
static bool put_late(gx_checker *c, int from, int to, const bool *early, int n) {
    gx_buf *out = &c->late;
    bool ok = gx_buf_printf(out, "$gx_slow_%d:\n", n) && gx_exact_start(c, out);
    for (int i = from; i < to && ok; i++) {
        const gx_stmt *s = &c->stmt[i];
        if (early[i - from] || s->kind == ST_LINE) continue;
        if (!s->access) {
            ok = put_stmt(out, s);
            continue;
        }
        ok = gx_exact_access(c, out, s) && gx_buf_printf(out, "@%%gxh bra $gx_stop_%d;\n", n);
    }
    return ok && gx_buf_printf(out, "$gx_stop_%d:\n", n) && gx_exact_record(c, out) &&
           gx_buf_printf(out, "bra $gx_join_%d;\n", n);
}

static bool put_stage(gx_checker *c, stage *st, int from, int to, const bool *early) {
    bool ok = true, watched = st->n_group > 0;
    int n = c->labels++;
    for (int i = from; i < to && ok && watched; i++)
        if (early[i - from]) ok = put_stmt(c->out, &c->stmt[i]);
    for (int k = 0; k < st->n_group && ok; k++) ok = put_group(c, &st->group[k], k == 0);
    for (int k = 0; k < st->n_aligned && ok; k++)
        ok = put_aligned(c, &st->aligned[k], k == 0 && st->n_group == 0);
    if (ok && watched) ok = gx_buf_printf(c->out, "@%%gxb bra $gx_slow_%d;\n", n);
    for (int i = from; i < to && ok; i++)
        if (!watched || !early[i - from]) ok = put_stmt(c->out, &c->stmt[i]);
    if (ok && watched)
        ok = gx_buf_printf(c->out, "$gx_join_%d:\n", n) && put_late(c, from, to, early, n);
    return ok;
}

/* Statements from … on that fit into one stage: how many; early: which of them move. */
static int plan(gx_checker *c, stage *st, int from, int to, bool *early) {
    st->n_group = st->n_aligned = 0;
    c->stamp++;
    int i = from;
    for (; i < to; i++) {
        const gx_stmt *s = &c->stmt[i];
        int object;
        early[i - from] = moves(c, s);
        if (early[i - from]) continue;
        if (s->access && gx_exact_watch(c, s, &object) == WATCH_OBJECT) {
            const gx_opnd *m = &s->operand[s->memory];
            bool late = m->reg >= 0 && c->reg[m->reg].blocked == c->stamp;
            if (late || !take(c, st, s, object)) break;
        }
        stays(c, s);
    }
    return i - from;
}

bool gx_stage_write(gx_checker *c, int from, int to) {
    stage *st = gx_alloc(c->rt, sizeof *st);
    bool *early = gx_alloc(c->rt, (size_t)(to - from + 1) * sizeof *early);
    bool ok = st && early;
    while (ok && from < to) {
        int n = plan(c, st, from, to, early);
        if (n == 0) { /* no room for one access alone: it stands by itself */
            ok = gx_exact_alone(c, &c->stmt[from]);
            n = 1;
        } else {
            ok = put_stage(c, st, from, from + n, early);
        }
        from += n;
    }
    gx_free(c->rt, st);
    gx_free(c->rt, early);
    return ok;
}
