/* The note, at every level of messages, about elements of an array on the GPU that are read one by
   one: each read waits for the GPU. */
#include <string.h>

#include "interp/errors/suggest_int.h"
#include "interp/eval/evaluator.h"
#include "runtime/array/array.h"

enum { READERS = 32, MANY_READS = 64 };

struct gx_reads {
    struct {
        gx_span at;
        int reads;
    } readers[READERS]; /* expressions that read single elements from the GPU */
};

static struct gx_reads *state_of(gx_frame *f) {
    if (!f->vm->reads) f->vm->reads = gx_alloc_zero(f->rt, sizeof *f->vm->reads);
    if (!f->vm->reads) gx_error_clear(f->rt);
    return f->vm->reads;
}

void gx_element_read(gx_frame *f, const gx_node *n, gx_borrowed a) {
    if (!gx_array_needs_gpu(gx_as_array(a))) return;
    const gx_source *s = gx_source_of(f->rt, n->at);
    struct gx_reads *t = s && s->library ? NULL : state_of(f);
    int at = 0;
    if (!t) return;
    while (at < READERS && t->readers[at].at.end &&
           memcmp(&t->readers[at].at, &n->at, sizeof n->at) != 0)
        at++;
    if (at == READERS) return;
    t->readers[at].at = n->at;
    if (++t->readers[at].reads != MANY_READS) return;
    gx_buf text = gx_buf_new(f->rt);
    gx_error saved;
    gx_error_save(f->rt, &saved);
    bool ok = gx_buf_puts(&text, "h = asnumpy(") && gx_put_source(f->rt, n->a, false, &text) &&
              gx_buf_puts(&text, ") once before the loop, and h[...] in it");
    gx_error_clear(f->rt);
    gx_error_restore(f->rt, &saved);
    gx_report_note(f->rt, "warning", n->at, "perf.elements",
                   "64 single elements were read from the GPU here, each one waits for it",
                   ok ? gx_buf_text(&text) : NULL);
    gx_buf_free(&text);
}
