/* One thread watched while its launch runs: every line that it comes to, with what it reads and
   writes, told to whoever asked (gx_sim_stepper). The code is what the compiler made: a line may
   be missing, or stand in another order. The launch runs on one host thread then, and variables of
   the module are as before when it ends. */
#include <string.h>

#include "runtime/backend/sim/sim_int.h"

uint32_t gx_trace_lane(const gx_block *b, int warp) {
    const gx_sim_stepper *s = b->run->launch->step;
    if (!s || s->block != b->number || s->thread / GX_LANES != warp) return 0;
    return UINT32_C(1) << (s->thread % GX_LANES);
}

/* What lies at an address, or NULL; nothing is reported. */
static const char *look_at(const gx_sim_warp *w, uint64_t address, int64_t bytes) {
    const gx_run *run = w->block->run;
    uint64_t number = address >> GX_SEGMENT_SHIFT;
    int64_t off = (int64_t)(address & ((UINT64_C(1) << GX_SEGMENT_SHIFT) - 1));
    if (number == GX_SEG_SHARED) return gx_mem_shared(w->block, (uint64_t)off, bytes);
    if (number < GX_SEG_FIRST || number >= (uint64_t)run->n_segment) return NULL;
    const gx_segment *s = &run->segment[number];
    return off + bytes <= s->bytes ? s->data + off : NULL;
}

static char form_of(gx_ptx_type t) {
    switch (t) {
    case PT_F16:
    case PT_F32:
    case PT_F64:
        return 'f';
    case PT_S8:
    case PT_S16:
    case PT_S32:
    case PT_S64:
        return 'i';
    case PT_U8:
    case PT_U16:
    case PT_U32:
    case PT_U64:
        return 'u';
    case PT_NONE:
    case PT_PRED:
    case PT_B8:
    case PT_B16:
    case PT_BF16:
    case PT_B32:
    case PT_F16X2:
    case PT_BF16X2:
    case PT_B64:
    case PT_B128:
    default:
        return 'b';
    }
}

/* One element of an access: e's line and lanes are set. */
static void tell_element(const gx_sim_warp *w, const gx_ins *i, int lane, int k, uint64_t address,
                         gx_sim_event *e) {
    const gx_run *run = w->block->run;
    gx_sim_fault name = {.bytes = e->bytes};
    gx_fault_name(run, address, &name);
    bool known = name.array >= 0 && !name.shared;
    const gx_sim_array *a = known ? &run->launch->arrays[name.array] : NULL;
    const uint8_t *dtypes = run->launch->step->dtypes;
    e->dtype = a && dtypes && a->item == e->bytes ? dtypes[name.array] : -1;
    e->name = a ? a->name : name.text;
    if (!e->name) e->name = "";
    e->index = name.index;
    const char *from = look_at(w, address, e->bytes);
    e->known = from != NULL;
    if (from && e->did == GX_SIM_WRITE)
        from = (const char *)gx_operand_at(w, i->op[k]) + lane * (i->mode & REGISTER_BYTES);
    memset(e->value, 0, sizeof e->value);
    if (from) memcpy(e->value, from, (size_t)e->bytes);
    run->launch->step->tell(run->launch->step->arg, e);
}

static void tell_access(const gx_sim_warp *w, const gx_ins *i, int lane, gx_sim_event *e) {
    uint64_t address = gx_address_of(w, lane, i->op[4], i->mode, i->imm);
    if (i->space == SP_SHARED) address |= (uint64_t)GX_SEG_SHARED << GX_SEGMENT_SHIFT;
    if (i->space == SP_LOCAL || address >> GX_SEGMENT_SHIFT == GX_SEG_LOCAL) return;
    bool atomic = i->access == ACCESS_ATOMIC;
    e->did = atomic ? GX_SIM_ATOMIC : i->access == ACCESS_STORE ? GX_SIM_WRITE : GX_SIM_READ;
    e->bytes = gx_ptx_bytes((gx_ptx_type)i->type);
    e->form = form_of((gx_ptx_type)i->type);
    for (int k = 0; k < (atomic ? 1 : i->width) && k < 4; k++)
        tell_element(w, i, lane, k, address + (uint64_t)(k * e->bytes), e);
}

void gx_trace_step(const gx_sim_warp *w, const gx_ins *i, uint32_t group, uint32_t mask) {
    const gx_sim_stepper *s = w->block->run->launch->step;
    int rest = w->block->threads - w->number * GX_LANES;
    gx_sim_event e = {.did = GX_SIM_LINE,
                      .line = i->line,
                      .lanes = __builtin_popcount(group),
                      .of = rest < GX_LANES ? rest : GX_LANES,
                      .dtype = -1,
                      .name = ""};
    e.moves = i->access != ACCESS_NONE ||
              (i->flow != FLOW_NEXT && i->flow != FLOW_EXIT && i->flow != FLOW_RETURN);
    s->tell(s->arg, &e);
    if (!(mask & w->traced)) return;
    int lane = __builtin_ctz(w->traced);
    if (i->flow == FLOW_BARRIER || i->flow == FLOW_ARRIVE) {
        e.did = GX_SIM_WAIT;
        s->tell(s->arg, &e);
    } else if (i->access == ACCESS_LOAD || i->access == ACCESS_STORE ||
               i->access == ACCESS_ATOMIC) {
        tell_access(w, i, lane, &e);
    }
}

/* --- variables of the module --- */

bool gx_trace_keep(gx_sim *sim, char **out) {
    int64_t bytes = 1;
    for (int k = 0; k < sim->n_variable; k++) bytes += sim->variable[k].bytes;
    char *to = *out = gx_alloc(sim->rt, (size_t)bytes);
    if (!to) return false;
    for (int k = 0; k < sim->n_variable; k++) {
        memcpy(to, sim->variable[k].data, (size_t)sim->variable[k].bytes);
        to += sim->variable[k].bytes;
    }
    return true;
}

void gx_trace_restore(gx_sim *sim, char *kept) {
    const char *from = kept;
    for (int k = 0; k < sim->n_variable; k++) {
        memcpy(sim->variable[k].data, from, (size_t)sim->variable[k].bytes);
        from += sim->variable[k].bytes;
    }
    gx_free(sim->rt, kept);
}
