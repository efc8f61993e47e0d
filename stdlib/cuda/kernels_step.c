/* step(k[grid, block], block=0, thread=0)(…): one thread of a launch, line by line, as the
   simulator runs it: the lines it comes to, how many lanes of its warp are with it, and what it
   reads and writes. The launch works on copies, so no array changes. The order is that of the code
   as the compiler made it: it moves instructions, and may leave lines out. */
#include <stdio.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/number/number.h"
#include "runtime/object/still.h"
#include "stdlib/cuda/kernels_int.h"
#include "stdlib/stdlib.h"

typedef struct stepper {
    gx_obj obj;
    gx_value launcher;
    int64_t block, thread, rows;
} stepper;

static const gx_type stepper_type;

/* What is printed: a row is a line of the source, printed when the next one begins. */
typedef struct story {
    const gx_raw *raw;
    gx_buf text, done; /* done: what the row's line has read and written */
    uint32_t line;     /* 0: no row yet */
    int lanes, of;
    int64_t rows, most;
    bool ok;
} story;

static void end_row(story *s) {
    int n;
    if (!s->line) return;
    if (++s->rows <= s->most && s->ok) {
        const char *source = gx_kernel_line(s->raw, s->line, &n);
        s->ok = gx_buf_printf(&s->text, "%4u  %2d of %2d lanes  %.*s\n", s->line, s->lanes, s->of,
                              n > 70 ? 70 : n, source);
        if (s->ok && s->done.length)
            s->ok = gx_buf_printf(&s->text, "%22s%s\n", "", gx_buf_text(&s->done));
    }
    s->done.length = 0;
    s->line = 0;
}

static void begin_row(story *s, const gx_sim_event *e) {
    int n;
    if (!e->line) return;
    if (e->line == s->line) {
        if (e->lanes > s->lanes) s->lanes = e->lanes;
        return;
    }
    /* Back to an earlier line without doing anything there: the compiler moved it. */
    if (s->line && e->line < s->line && !e->moves) return;
    gx_kernel_line(s->raw, e->line, &n);
    if (!n) return; /* of a header */
    end_row(s);
    s->line = e->line;
    s->lanes = e->lanes;
    s->of = e->of;
}

/* The value in the array's own dtype, else in that of the instruction. */
static bool put_value(gx_rt *rt, const gx_sim_event *e, gx_buf *out) {
    static const uint8_t ints[] = {GX_i8, GX_i16, 0, GX_i32, 0, 0, 0, GX_i64};
    static const uint8_t uints[] = {GX_u8, GX_u16, 0, GX_u32, 0, 0, 0, GX_u64};
    gx_scalar v = {0};
    int dtype = e->dtype;
    if (e->bytes != 1 && e->bytes != 2 && e->bytes != 4 && e->bytes != 8)
        return gx_buf_puts(out, "…");
    memcpy(&v, e->value, (size_t)e->bytes);
    if (dtype < 0 && e->form == 'f')
        dtype = e->bytes == 2 ? GX_f16 : e->bytes == 4 ? GX_f32 : GX_f64;
    else if (dtype < 0)
        dtype = e->form == 'i' ? ints[e->bytes - 1] : uints[e->bytes - 1];
    return gx_scalar_text(rt, (gx_dtype)dtype, &v, out);
}

static void tell(void *arg, const gx_sim_event *e) {
    story *s = arg;
    if (e->did == GX_SIM_LINE) {
        begin_row(s, e);
        return;
    }
    if (!s->line || s->rows >= s->most || !s->ok) return;
    static const char *const words[] = {"", "reads", "writes", "changes atomically", "waits"};
    bool more = s->done.length > 0;
    if (e->did == GX_SIM_WAIT) {
        s->ok = gx_buf_puts(&s->done, more ? "; waits for the block" : "waits for the block");
        return;
    }
    s->ok = gx_buf_printf(&s->done, "%s%s %s[%lld]", more ? "; " : "", words[e->did],
                          *e->name ? e->name : "memory", (long long)e->index);
    if (!s->ok) return;
    if (!e->known) {
        s->ok = gx_buf_puts(&s->done, ", which is not there");
        return;
    }
    s->ok = gx_buf_puts(&s->done, e->did == GX_SIM_ATOMIC ? ", which was " : " = ") &&
            put_value(s->raw->rt, e, &s->done);
}

static bool print_story(gx_rt *rt, story *s) {
    end_row(s);
    bool ok = s->ok;
    if (ok && s->rows > s->most)
        ok = gx_buf_printf(&s->text, "… %lld more; rows=%lld shows them\n",
                           (long long)(s->rows - s->most), (long long)s->rows);
    return ok && gx_stdout_write(rt, gx_buf_text(&s->text), s->text.length);
}

static bool call_stepper(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                         const gx_sym *kw, gx_value *out) {
    const stepper *p = (const stepper *)(void *)self.obj;
    gx_shape3 size;
    gx_kernel *k = gx_kernel_launched(p->launcher, &size);
    if (kwc)
        return gx_fail(rt, GX_TypeError, "kernel.keyword",
                       "step(…) takes the kernel's arguments alone, not '%s'",
                       gx_sym_text(rt, kw[0]));
    story s = {.raw = k->raw, .most = p->rows, .ok = true};
    gx_sim_stepper step = {.block = p->block, .thread = (int)p->thread, .tell = tell, .arg = &s};
    s.text = gx_buf_new(rt);
    s.done = gx_buf_new(rt);
    size.step = &step;
    size.unchecked = false;
    gx_error saved;
    bool ok = gx_buf_printf(&s.text, "%s: block %lld, thread %lld\n", k->raw->entry[k->entry].name,
                            (long long)p->block, (long long)p->thread);
    if (ok) {
        ok = gx_kernel_launch(rt, k, &size, argc, argv, 0);
        bool wrong = !ok && strncmp(rt->error.code, "kernel.", 7) == 0 && s.line;
        if (wrong) { /* what it did until then, and then what was wrong */
            gx_error_save(rt, &saved);
            if (!print_story(rt, &s)) gx_error_clear(rt);
            gx_error_restore(rt, &saved);
        } else if (ok) {
            ok = s.ok ? print_story(rt, &s) : gx_no_memory(rt);
        }
    }
    gx_buf_free(&s.text);
    gx_buf_free(&s.done);
    if (ok) *out = gx_none();
    return ok;
}

static void free_stepper(gx_rt *rt, gx_obj *o) {
    gx_drop(((stepper *)(void *)o)->launcher);
    gx_free(rt, o);
}

static const gx_type stepper_type = {
    .name = "kernel stepper",
    .dtype = GX_NO_DTYPE,
    .tag = GX_OBJECT,
    .doc = "A launch of which one thread is told; call it with the kernel's arguments.",
    .free = free_stepper,
    .call = call_stepper};

/* A number, or up to three places (x, y, z), as a number within `size`. */
static bool read_place(gx_call *c, int i, const int64_t size[3], const char *what, int64_t *out) {
    const gx_value *items = &c->argv[i];
    int64_t n, at[3] = {0};
    GX_STILL(own);
    if (!gx_still_items(c->rt, c->argv[i], &own, &items, &n)) return false;
    int64_t all = size[0] * size[1] * size[2];
    if (n < 0) {
        if (!gx_arg_int(c, i, out)) return false;
        if (*out >= 0 && *out < all) return true;
        return gx_fail(c->rt, GX_IndexError, "simulate.place",
                       "there is no %s %lld: the launch has %lld", what, (long long)*out,
                       (long long)all);
    }
    if (n < 1 || n > 3) return gx_arg_wrong(c, i, "a number, or a tuple of one to three");
    for (int64_t k = 0; k < n; k++) {
        if (gx_as_index(c->rt, items[k], &at[k]) != GX_TRY_YES)
            return !gx_failed(&c->rt->error) && gx_arg_wrong(c, i, "a tuple of integers");
        if (at[k] < 0 || at[k] >= size[k])
            return gx_fail(c->rt, GX_IndexError, "simulate.place",
                           "the %s's place %lld is outside of its size %lld", what,
                           (long long)at[k], (long long)size[k]);
    }
    *out = (at[2] * size[1] + at[1]) * size[0] + at[0];
    return true;
}

static bool step_fn(gx_call *c, gx_value *out) {
    gx_shape3 size;
    int64_t block, thread, rows;
    if (gx_type_of(c->argv[0]) != &gx_type_kernel_launcher) {
        gx_fail(c->rt, GX_TypeError, "simulate.launch",
                "step() takes a kernel with its grid and block, not %s", gx_type_name(c->argv[0]));
        if (gx_type_of(c->argv[0]) == &gx_type_raw_kernel)
            gx_help(c->rt, "step(k[grid, block])(…)");
        return false;
    }
    gx_kernel_launched(c->argv[0], &size);
    if (!read_place(c, 1, size.grid, "block", &block) ||
        !read_place(c, 2, size.block, "thread", &thread) || !gx_arg_int(c, 3, &rows))
        return false;
    if (rows < 1) return gx_arg_wrong(c, 3, "a number from 1 on");
    stepper *p = gx_obj_new(c->rt, &stepper_type, sizeof *p);
    if (!p) return false;
    p->launcher = gx_keep(c->argv[0]);
    p->block = block;
    p->thread = thread;
    p->rows = rows;
    *out = gx_object(&p->obj);
    return true;
}

const gx_native gx_kernels_step_functions[] = {
    {"step", "step(launch, block=0, thread=0, rows=100)",
     "Prints what one thread of a launch does, line by line: step(k[grid, block])(…). Leaves "
     "arrays unchanged.",
     NULL, step_fn, 0, 0},
    {.name = NULL},
};
