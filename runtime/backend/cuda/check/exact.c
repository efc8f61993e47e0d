/* One access by itself: whether it must be watched, the test against what it may mean, the access
   if it is inside, and the report of the first that is not. This code is slow and rarely runs;
   stages (stage.c) decide when. */
#include <string.h>

#include "runtime/backend/cuda/check/check_int.h"

/* --- what is watched --- */

/* Inside a variable of known size at a fixed place? */
static bool is_fixed(gx_checker *c, const gx_stmt *s, const gx_check_object *o) {
    gx_check_form f = gx_flow_address(c, s);
    return f.known && f.index < 0 && o->kind != OBJECT_PARAM && o->bytes >= 0 && f.offset >= 0 &&
           f.offset + s->bytes <= o->bytes && f.offset % s->bytes == 0;
}

gx_watch gx_exact_watch(gx_checker *c, const gx_stmt *s, int *object) {
    int k = *object = gx_flow_object(c, s);
    bool global = s->where == WHERE_GENERIC || s->where == WHERE_GLOBAL;
    if (!s->access) return WATCH_NOT;
    if (k < 0) {
        if (s->where == WHERE_SHARED) return WATCH_WINDOW;
        return global && !c->heap ? WATCH_ANY : WATCH_NOT;
    }
    const gx_check_object *o = &c->object[k];
    if (is_fixed(c, s, o)) return WATCH_NOT;
    if (o->kind == OBJECT_PARAM) {
        if (!global) return WATCH_NOT;
        return c->plain ? WATCH_ANY : WATCH_OBJECT;
    }
    if (o->kind == OBJECT_SHARED) {
        if (s->where != WHERE_SHARED) return WATCH_ANY;
        if (o->bytes < 0 && (!c->entry || c->plain)) return WATCH_WINDOW;
        return WATCH_OBJECT;
    }
    if (o->bytes < 0) return WATCH_NOT;
    if (o->kind == OBJECT_LOCAL && s->where != WHERE_LOCAL) return WATCH_ANY;
    return WATCH_OBJECT;
}

/* --- words --- */

static bool same_conds(const gx_check *k, const gx_check_word *w, const gx_check_cond *conds,
                       int n) {
    if (w->count != n) return false;
    for (int i = 0; i < n; i++) {
        const gx_check_cond *a = &k->cond[w->first + i], *b = &conds[i];
        if (a->param != b->param || a->write != b->write || a->align != b->align ||
            a->from != b->from || a->to != b->to || a->bytes != b->bytes)
            return false;
    }
    return true;
}

bool gx_exact_word(gx_checker *c, char kind, int64_t scale, int64_t low, const gx_check_cond *conds,
                   int n, int64_t *at) {
    gx_check *k = c->check;
    for (int i = c->first_word; i < k->n_word; i++) {
        const gx_check_word *w = &k->word[i];
        if (w->kind == kind && w->scale == scale && w->low == low && same_conds(k, w, conds, n)) {
            *at = w->at;
            return true;
        }
    }
    if (!gx_check_room(c->rt, &k->word, k->n_word, &k->word_room, sizeof *k->word)) return false;
    int first = k->n_cond;
    for (int i = 0; i < n; i++) {
        if (!gx_check_room(c->rt, &k->cond, k->n_cond, &k->cond_room, sizeof *k->cond))
            return false;
        k->cond[k->n_cond++] = conds[i];
    }
    *at = c->words;
    c->words += 8;
    k->word[k->n_word++] = (gx_check_word){*at, kind, scale, low, first, n};
    return true;
}

/* --- testing --- */

static bool add_site(gx_checker *c, const gx_stmt *s, gx_check_fault fault,
                     const gx_check_object *o, int *out) {
    gx_check *k = c->check;
    const char *name = NULL;
    if (!gx_check_room(c->rt, &k->site, k->n_site, &k->site_room, sizeof *k->site)) return false;
    if (o && o->kind == OBJECT_VARIABLE) {
        name = gx_arena_copy(&k->arena, o->name, (size_t)o->length);
        if (!name) return false;
    }
    k->site[k->n_site] = (gx_check_site){.fault = (uint8_t)fault,
                                         .write = s->access != ACCESS_LOAD,
                                         .bytes = s->bytes,
                                         .param = o && o->kind == OBJECT_PARAM ? o->param : -1,
                                         .line = s->line,
                                         .variable = name};
    *out = k->n_site++;
    return true;
}

/* %gxa: the address */
static bool put_address(gx_checker *c, gx_buf *out, const gx_stmt *s) {
    const gx_opnd *o = &s->operand[s->memory];
    const gx_check_reg *r = o->reg >= 0 ? &c->reg[o->reg] : NULL;
    if (!r)
        return gx_buf_printf(out, "mov.u64 %%gxa, %.*s;\nadd.s64 %%gxa, %%gxa, %lld;\n", o->length,
                             o->name, (long long)o->number);
    if (r->bits == 32)
        return gx_buf_printf(out, "cvt.u64.u32 %%gxa, %.*s;\nadd.s64 %%gxa, %%gxa, %lld;\n",
                             r->length, r->name, (long long)o->number);
    return gx_buf_printf(out, "add.s64 %%gxa, %.*s, %lld;\n", r->length, r->name,
                         (long long)o->number);
}

/* %gxp: is %gxa outside the object? */
static bool put_object_test(gx_checker *c, gx_buf *out, const gx_stmt *s,
                            const gx_check_object *o) {
    int64_t at, count = o->bytes - s->bytes + 1;
    gx_check_cond cond = {.param = o->kind == OBJECT_PARAM ? o->param : -1,
                          .write = s->access != ACCESS_LOAD,
                          .align = 1,
                          .to = s->bytes,
                          .bytes = o->kind == OBJECT_PARAM ? -1 : o->bytes};
    if (count < 0) count = 0;
    if (o->kind == OBJECT_PARAM)
        return gx_exact_word(c, 'w', 1, 0, &cond, 1, &at) &&
               gx_buf_printf(out,
                             "ld.param.u64 %%gxq0, [%.*s];\nsub.s64 %%gxq1, %%gxa, %%gxq0;\n"
                             "ld.param.u64 %%gxq0, [__gx_check+%lld];\n"
                             "setp.ge.u64 %%gxp, %%gxq1, %%gxq0;\n",
                             o->length, o->name, (long long)at);
    if (o->kind == OBJECT_VARIABLE)
        return gx_buf_printf(out,
                             "mov.u64 %%gxq0, %.*s;\nsub.s64 %%gxq1, %%gxa, %%gxq0;\n"
                             "setp.ge.u64 %%gxp, %%gxq1, %lld;\n",
                             o->length, o->name, (long long)count);
    bool ok = gx_buf_printf(out,
                            "cvt.u32.u64 %%gxt, %%gxa;\nmov.u64 %%gxq0, %.*s;\n"
                            "cvt.u32.u64 %%gxw, %%gxq0;\nsub.u32 %%gxt, %%gxt, %%gxw;\n",
                            o->length, o->name);
    if (o->bytes >= 0)
        return ok && gx_buf_printf(out, "setp.ge.u32 %%gxp, %%gxt, %lld;\n", (long long)count);
    return ok && gx_exact_word(c, 'u', 1, 0, &cond, 1, &at) &&
           gx_buf_printf(out,
                         "ld.param.u32 %%gxw, [__gx_check+%lld];\n"
                         "setp.ge.u32 %%gxp, %%gxt, %%gxw;\n",
                         (long long)at);
}

/* %gxp, by what is watched */
static bool put_test(gx_checker *c, gx_buf *out, const gx_stmt *s, gx_watch watch, int object) {
    bool ok = put_address(c, out, s) && gx_buf_puts(out, "add.s64 %gxa, %gxa, %gxo;\n");
    if (ok && watch == WATCH_OBJECT) ok = put_object_test(c, out, s, &c->object[object]);
    if (ok && watch == WATCH_WINDOW) /* a device of 9.0 keeps the first 1024 bytes */
        ok = gx_buf_printf(out,
                           "cvt.u32.u64 %%gxt, %%gxa;\nmov.u32 %%gxw, %%total_smem_size;\n"
                           "add.u32 %%gxw, %%gxw, %d;\nsetp.gt.u32 %%gxp, %%gxt, %%gxw;\n",
                           1024 - s->bytes);
    if (ok && watch == WATCH_ANY) {
        c->check->table = c->calls = true;
        ok = gx_buf_printf(out,
                           "{\n.param .b64 gx_p0;\n.param .b64 gx_p1;\n.param .b32 gx_r0;\n"
                           "st.param.b64 [gx_p0], %%gxa;\nst.param.b64 [gx_p1], %d;\n"
                           "call.uni (gx_r0), __gx_any, (gx_p0, gx_p1);\n"
                           "ld.param.b32 %%gxt, [gx_r0];\n}\nsetp.eq.s32 %%gxp, %%gxt, 0;\n",
                           s->bytes);
    }
    if (ok && s->bytes > 1)
        ok = gx_buf_printf(out,
                           "cvt.u32.u64 %%gxt, %%gxa;\nand.b32 %%gxt, %%gxt, %d;\n"
                           "setp.ne.or.u32 %%gxp, %%gxt, 0, %%gxp;\n",
                           s->bytes - 1);
    return ok;
}

static bool put_guard(gx_checker *c, gx_buf *out, const gx_stmt *s, const char *pred) {
    const gx_check_reg *g = &c->reg[s->guard];
    if (!s->guard_not)
        return gx_buf_printf(out, "and.pred %s, %s, %.*s;\n", pred, pred, g->length, g->name);
    return gx_buf_printf(out, "not.pred %%gxf, %.*s;\nand.pred %s, %s, %%gxf;\n", g->length,
                         g->name, pred, pred);
}

/* The results of an access that is not done are 0. They are set in any case, so that their old
   values need not be kept, but where the access itself still needs them. */
static bool put_zeros(gx_checker *c, gx_buf *out, const gx_stmt *s) {
    bool ok = true;
    for (int k = 0; k < s->n_def && ok; k++) {
        int reg = c->reg_list[s->regs + k];
        const gx_check_reg *r = &c->reg[reg];
        bool used = s->guard >= 0;
        for (int u = s->n_def; u < s->n_def + s->n_use; u++)
            used |= c->reg_list[s->regs + u] == reg;
        if (r->bits != 16 && r->bits != 32 && r->bits != 64) continue;
        ok = gx_buf_printf(out, "%smov.b%d %.*s, 0;\n", used ? "@%gxp " : "", r->bits, r->length,
                           r->name);
    }
    return ok;
}

bool gx_exact_access(gx_checker *c, gx_buf *out, const gx_stmt *s) {
    int object, site;
    gx_watch watch = gx_exact_watch(c, s, &object);
    if (watch == WATCH_NOT)
        return gx_buf_add(out, s->from, (size_t)s->length) && gx_buf_char(out, '\n');
    const gx_check_object *o = watch == WATCH_OBJECT ? &c->object[object] : NULL;
    gx_check_fault fault = s->where == WHERE_SHARED       ? GX_CHECK_SHARED
                           : o && o->kind == OBJECT_LOCAL ? GX_CHECK_LOCAL
                                                          : GX_CHECK_OUTSIDE;
    bool ok = add_site(c, s, fault, o, &site) && put_test(c, out, s, watch, object) &&
              gx_buf_puts(out, "not.pred %gxg, %gxp;\n");
    if (ok && s->guard >= 0) ok = put_guard(c, out, s, "%gxp") && put_guard(c, out, s, "%gxg");
    ok = ok &&
         gx_buf_printf(
             out,
             "setp.eq.and.u32 %%gxf, %%gxn, 0, %%gxp;\n@%%gxf st.local.u64 [__gx_first], %%gxa;\n"
             "@%%gxf mov.u32 %%gxs, %d;\n@%%gxp add.u32 %%gxn, %%gxn, 1;\n",
             site) &&
         put_zeros(c, out, s);
    return ok && gx_buf_printf(out, "@%%gxg %.*s\n", (int)(s->from + s->length - s->op), s->op);
}

bool gx_exact_alone(gx_checker *c, const gx_stmt *s) {
    return gx_buf_puts(c->out, "mov.u32 %gxn, 0;\nmov.u64 %gxo, 0;\n") &&
           gx_exact_access(c, c->out, s) && gx_exact_record(c, c->out);
}

/* --- reporting --- */

/* %gxr: word k of what the host hands over */
static bool put_handle(gx_checker *c, gx_buf *out, int k) {
    if (c->entry && !c->plain)
        return gx_buf_printf(out, "ld.param.u64 %%gxr, [__gx_check+%d];\n", 8 * k);
    c->check->table = true;
    return gx_buf_printf(out, "mov.u64 %%gxr, __gx_table;\nld.global.u64 %%gxr, [%%gxr+%d];\n",
                         8 * k);
}

/* The address of a thread's first fault waits in its local memory, where it takes no registers of
   the copy. The report holds the first thread by its number in the grid; a lock guards it. */
bool gx_exact_record(gx_checker *c, gx_buf *out) {
    int n = c->labels++;
    return gx_buf_printf(out, "setp.eq.u32 %%gxf, %%gxn, 0;\n@%%gxf bra $gx_done_%d;\n", n) &&
           put_handle(c, out, 0) &&
           gx_buf_printf(
               out,
               "cvt.u64.u32 %%gxk0, %%gxn;\nred.global.add.u64 [%%gxr+32], %%gxk0;\n"
               "mov.u32 %%gxt, %%ctaid.z;\nmov.u32 %%gxw, %%nctaid.y;\nmov.u32 %%gxu, %%ctaid.y;\n"
               "mad.lo.u32 %%gxt, %%gxt, %%gxw, %%gxu;\nmov.u32 %%gxw, %%nctaid.x;\n"
               "mul.wide.u32 %%gxk0, %%gxt, %%gxw;\nmov.u32 %%gxt, %%ctaid.x;\n"
               "cvt.u64.u32 %%gxk1, %%gxt;\nadd.s64 %%gxk0, %%gxk0, %%gxk1;\n"
               "shl.b64 %%gxk0, %%gxk0, 10;\nmov.u32 %%gxt, %%tid.z;\nmov.u32 %%gxw, %%ntid.y;\n"
               "mov.u32 %%gxu, %%tid.y;\nmad.lo.u32 %%gxt, %%gxt, %%gxw, %%gxu;\n"
               "mov.u32 %%gxw, %%ntid.x;\nmov.u32 %%gxu, %%tid.x;\n"
               "mad.lo.u32 %%gxt, %%gxt, %%gxw, %%gxu;\ncvt.u64.u32 %%gxk1, %%gxt;\n"
               "or.b64 %%gxk0, %%gxk0, %%gxk1;\n$gx_lock_%d:\n"
               "ld.volatile.global.u64 %%gxk1, [%%gxr+8];\nsetp.ge.u64 %%gxf, %%gxk0, %%gxk1;\n"
               "@%%gxf bra $gx_done_%d;\natom.global.exch.b32 %%gxt, [%%gxr], 1;\n"
               "setp.ne.u32 %%gxf, %%gxt, 0;\n@%%gxf bra $gx_lock_%d;\nmembar.gl;\n",
               n, n, n) &&
           gx_buf_printf(
               out,
               "ld.volatile.global.u64 %%gxk1, [%%gxr+8];\nsetp.ge.u64 %%gxf, %%gxk0, %%gxk1;\n"
               "@%%gxf bra $gx_free_%d;\nst.volatile.global.u64 [%%gxr+8], %%gxk0;\n"
               "ld.local.u64 %%gxk1, [__gx_first];\n"
               "st.volatile.global.u64 [%%gxr+16], %%gxk1;\n"
               "st.volatile.global.u32 [%%gxr+24], %%gxs;\n"
               "mov.u32 %%gxt, %%ctaid.x;\nst.volatile.global.u32 [%%gxr+40], %%gxt;\n"
               "mov.u32 %%gxt, %%ctaid.y;\nst.volatile.global.u32 [%%gxr+44], %%gxt;\n"
               "mov.u32 %%gxt, %%ctaid.z;\nst.volatile.global.u32 [%%gxr+48], %%gxt;\n"
               "mov.u32 %%gxt, %%tid.x;\nst.volatile.global.u32 [%%gxr+52], %%gxt;\n"
               "mov.u32 %%gxt, %%tid.y;\nst.volatile.global.u32 [%%gxr+56], %%gxt;\n"
               "mov.u32 %%gxt, %%tid.z;\nst.volatile.global.u32 [%%gxr+60], %%gxt;\n"
               "$gx_free_%d:\nmembar.gl;\natom.global.exch.b32 %%gxt, [%%gxr], 0;\n",
               n, n) &&
           put_handle(c, out, 1) &&
           gx_buf_printf(out,
                         "mov.u32 %%gxt, 1;\nst.volatile.global.u32 [%%gxr+4], %%gxt;\n"
                         "$gx_done_%d:\n",
                         n);
}

/* %gxo is 0 and %gxh false, which the driver's compiler cannot know: else it would do the tests of
   a copy ahead of the loops around it, and its loads all at once, in many registers. */
bool gx_exact_start(gx_checker *c, gx_buf *out) {
    return put_handle(c, out, 0) &&
           gx_buf_puts(out, "mov.u32 %gxn, 0;\nld.volatile.global.u32 %gxt, [%gxr+4];\n"
                            "cvt.u64.u32 %gxo, %gxt;\nsetp.ne.u32 %gxh, %gxt, 0;\n");
}

bool gx_exact_trap(gx_checker *c, const gx_stmt *s) {
    int site, n = c->labels++;
    gx_buf *out = c->out;
    if (!add_site(c, s, GX_CHECK_TRAP, NULL, &site)) return false;
    const gx_check_reg *g = s->guard >= 0 ? &c->reg[s->guard] : NULL;
    bool ok = !g || gx_buf_printf(out, "@%s%.*s bra $gx_skip_%d;\n", s->guard_not ? "" : "!",
                                  g->length, g->name, n);
    return ok &&
           gx_buf_printf(out,
                         "mov.u64 %%gxk0, 0;\nst.local.u64 [__gx_first], %%gxk0;\n"
                         "mov.u32 %%gxs, %d;\nmov.u32 %%gxn, 1;\n",
                         site) &&
           gx_exact_record(c, out) && gx_buf_printf(out, "exit;\n$gx_skip_%d:\n", n);
}

bool gx_exact_poll(gx_checker *c) {
    int n = c->labels++;
    gx_buf *out = c->out;
    return gx_buf_printf(out,
                         "add.u32 %%gxc, %%gxc, 1;\nand.b32 %%gxt, %%gxc, 4095;\n"
                         "setp.ne.u32 %%gxf, %%gxt, 0;\n@%%gxf bra $gx_on_%d;\n",
                         n) &&
           put_handle(c, out, 1) &&
           gx_buf_printf(out,
                         "ld.volatile.global.u32 %%gxt, [%%gxr];\nsetp.eq.u32 %%gxf, %%gxt, 0;\n"
                         "@%%gxf bra $gx_on_%d;\nexit;\n$gx_on_%d:\n",
                         n, n);
}

/* --- helpers --- */

/* Is [address, address + n) in an array of the launch, a variable, or no global memory at all? */
static bool put_any(gx_checker *c) {
    gx_buf *out = c->out;
    bool ok = gx_buf_puts(
        out, "\n.func (.param .b32 gx_r) __gx_any(.param .b64 gx_a, .param .b64 gx_n)\n{\n"
             ".reg .pred %p<3>;\n.reg .b32 %r<2>;\n.reg .b64 %rd<10>;\n"
             "ld.param.u64 %rd1, [gx_a];\nld.param.u64 %rd2, [gx_n];\n"
             "isspacep.shared %p1, %rd1;\n@%p1 bra $gx_good;\n"
             "isspacep.local %p1, %rd1;\n@%p1 bra $gx_good;\n"
             "isspacep.param %p1, %rd1;\n@%p1 bra $gx_good;\n"
             "mov.u64 %rd3, __gx_table;\nld.global.u64 %rd4, [%rd3+16];\n$gx_next:\n"
             "setp.eq.s64 %p1, %rd4, 0;\n@%p1 bra $gx_rest;\n"
             "ld.global.u64 %rd5, [%rd3+24];\nld.global.u64 %rd6, [%rd3+32];\n"
             "add.s64 %rd3, %rd3, 16;\nadd.s64 %rd4, %rd4, -1;\nsub.s64 %rd7, %rd1, %rd5;\n"
             "setp.lt.u64 %p1, %rd6, %rd2;\n@%p1 bra $gx_next;\nsub.s64 %rd8, %rd6, %rd2;\n"
             "setp.gt.u64 %p1, %rd7, %rd8;\n@%p1 bra $gx_next;\nbra $gx_good;\n$gx_rest:\n");
    for (int k = 0; k < c->n_variable && ok; k++) {
        const gx_check_variable *v = &c->variable[k];
        if (v->kind != OBJECT_VARIABLE || v->bytes < 0) continue;
        ok = gx_buf_printf(out, "mov.u64 %%rd5, %.*s;\n", v->length, v->name) &&
             (!v->constant || gx_buf_puts(out, "cvta.const.u64 %rd5, %rd5;\n")) &&
             gx_buf_printf(out,
                           "sub.s64 %%rd7, %%rd1, %%rd5;\nsetp.lt.u64 %%p1, %%rd7, %lld;\n"
                           "add.s64 %%rd7, %%rd7, %%rd2;\n"
                           "setp.le.and.u64 %%p1, %%rd7, %lld, %%p1;\n@%%p1 bra $gx_good;\n",
                           (long long)v->bytes, (long long)v->bytes);
    }
    return ok && gx_buf_puts(out, "mov.u32 %r1, 0;\nst.param.b32 [gx_r], %r1;\nret;\n$gx_good:\n"
                                  "mov.u32 %r1, 1;\nst.param.b32 [gx_r], %r1;\nret;\n}\n");
}

/* That they are there asks for no table: who calls them has asked. */
bool gx_exact_helpers(gx_checker *c) {
    const bool table = c->check->table;
    c->entry = false;
    gx_buf *out = c->out;
    bool ok =
        put_any(c) &&
        gx_buf_puts(out, "\n.func __gx_assertfail(.param .b64 gx_p0, .param .b64 gx_p1, "
                            ".param .b32 gx_p2, .param .b64 gx_p3, .param .b64 gx_p4)\n{\n"
                            ".reg .pred %gxf;\n.reg .b32 %gxt, %gxw, %gxu, %gxn, %gxs;\n"
                            ".reg .b64 %gxr, %gxk<2>;\n.local .align 8 .b8 __gx_first[8];\n"
                            "ld.param.u64 %gxk0, [gx_p0];\nst.local.u64 [__gx_first], %gxk0;\n"
                            "ld.param.u32 %gxs, [gx_p2];\n") &&
           gx_buf_printf(out, "or.b32 %%gxs, %%gxs, %d;\nmov.u32 %%gxn, 1;\n", GX_SITE_ASSERT) &&
           gx_exact_record(c, out) && gx_buf_puts(out, "exit;\n}\n");
    c->check->table = table;
    return ok;
}
