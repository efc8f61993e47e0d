/* The table of the families of texts, and the texts of tapes that have no other kernel: selections
   of a whole array by a mask. */
#include "runtime/backend/gpu/emit_int.h"

bool gx_gpu_all_texts(gx_gpu_texts *l) {
#define FAMILY(name, source, list)                                                                 \
    l->family = gx_gpu_family_##name();                                                            \
    if (!list(l)) return false;
#include "runtime/backend/gpu/texts.def"
#undef FAMILY
    return true;
}

/* Both passes of a selection of n elements that lie in a row. */
static bool add_selection(gx_gpu_texts *l, gx_dtype d, int64_t n, gx_tape *t, gx_space *s) {
    gx_buffer mask = {.bytes = n, .room = n, .refs = 1}, values = mask;
    mask.data = values.data = (char *)(uintptr_t)4096; /* never read */
    *t = (gx_tape){.ndim = 1, .n_leaf = 2, .n_step = 2, .n_out = 2, .shape = {n}};
    t->leaf[0] = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = GX_bool, .buf = &mask, .strides = {1}};
    t->leaf[1] = (gx_leaf){.kind = GX_LEAF_BUFFER, .dtype = (uint8_t)d, .buf = &values,
                           .strides = {gx_dtypes[d].bytes}};
    for (int i = 0; i < 2; i++) {
        t->step[i] = (gx_step){.kind = GX_STEP_LOAD, .dtype = t->leaf[i].dtype,
                               .compute = t->leaf[i].dtype, .arg = (uint16_t)i};
        t->out[i].step = (uint16_t)i;
        t->out[i].buf = &values;
        t->out[i].strides[0] = gx_dtypes[t->leaf[i].dtype].bytes;
    }
    for (int pass = 0; pass < 2; pass++) {
        gx_space_select(s, t);
        s->recipe.split = (uint8_t)pass;
        if (!gx_gpu_text(l, &s->recipe)) return false;
    }
    return true;
}

bool gx_tape_texts(gx_gpu_texts *l) {
    gx_tape *t = gx_alloc_zero(l->rt, sizeof *t);
    gx_space *s = gx_alloc_zero(l->rt, sizeof *s);
    bool ok = t && s;
    for (int i = 0; i < GX_USUAL && ok; i++)
        ok = add_selection(l, (gx_dtype)gx_gpu_usual[i], 1000000, t, s);
    gx_free(l->rt, t);
    gx_free(l->rt, s);
    return ok;
}
