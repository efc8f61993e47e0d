/* What `gx learn` asks of C: the lessons, what a function writes, the message of an exception as
   the prompt shows it. The course itself is written in gx, the texts of this folder. */
#include <errno.h>
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"
#include "stdlib/learn/learn_int.h"
#include "stdlib/stdlib.h"

/* --- what a call writes --- */

enum { MOST = 1 << 20 };

/* Both channels, in their order; what is beyond MOST is lost. */
typedef struct kept {
    gx_rt *rt;
    char *text;
    size_t length, room;
} kept;

static int keep(void *self, gx_channel to, const char *text, size_t length) {
    kept *k = self;
    (void)to;
    if (length > MOST - k->length) length = MOST - k->length;
    if (k->length + length > k->room) {
        size_t room = 2 * (k->length + length) + 256;
        gx_error pending; /* a message that is being written */
        gx_error_save(k->rt, &pending);
        char *more = gx_alloc(k->rt, room);
        if (!more) gx_error_clear(k->rt);
        gx_error_restore(k->rt, &pending);
        if (!more) return ENOMEM;
        if (k->length) memcpy(more, k->text, k->length);
        gx_free(k->rt, k->text);
        k->text = more;
        k->room = room;
    }
    if (length) memcpy(k->text + k->length, text, length);
    k->length += length;
    return 0;
}

/* The text, cut where a character would be half; and the exception or None. */
static bool answer(gx_rt *rt, const kept *k, gx_borrowed exception, gx_value *out) {
    gx_value pair[2] = {gx_undef(), exception};
    size_t good = k->length ? gx_utf8_valid(k->text, k->length) : 0;
    if (!gx_str_new(rt, k->text ? k->text : "", good, &pair[0])) return false;
    bool ok = gx_tuple_new(rt, 2, pair, out);
    gx_drop(pair[0]);
    return ok;
}

static bool heard_fn(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    kept k = {.rt = rt};
    const gx_output before = rt->output;
    gx_value result, exception = gx_none();
    (void)gx_write_flush(rt, GX_OUT);
    rt->output = (gx_output){.self = &k, .write = keep};
    bool ok = gx_call_value(rt, c->argv[0], 0, NULL, 0, NULL, &result);
    if (ok) gx_drop(result);
    else ok = gx_exception_from_error(rt, &exception);
    rt->output = before;
    ok = ok && answer(rt, &k, exception, out);
    gx_drop(exception);
    gx_free(rt, k.text);
    return ok;
}

/* --- the simulator --- */

static bool simulated_fn(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    const bool before = rt->simulating;
    rt->simulating = true;
    bool ok = gx_call_value(rt, c->argv[0], 0, NULL, 0, NULL, out);
    rt->simulating = before;
    return ok;
}

/* --- messages, lessons --- */

static bool tell_fn(gx_call *c, gx_value *out) {
    if (c->argv[0].tag != GX_EXCEPTION) return gx_arg_wrong(c, 0, "an exception");
    gx_exception_raise(c->rt, c->argv[0]);
    gx_stdlib_running(c->rt)->report(c->rt);
    *out = gx_none();
    return true;
}

static bool text_of(gx_rt *rt, const gx_compressed *compressed, gx_value *out) {
    char *text = gx_alloc(rt, compressed->length);
    if (!text) return false;
    bool ok = gx_decompress(compressed, text)
                  ? gx_str_new(rt, text, compressed->length, out)
                  : gx_fail(rt, GX_RuntimeError, "internal.library", "a lesson is damaged");
    gx_free(rt, text);
    return ok;
}

static bool lessons_fn(gx_call *c, gx_value *out) {
    gx_rt *rt = c->rt;
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    for (const gx_lesson *l = gx_lessons; l->name; l++) {
        gx_value pair[2] = {gx_undef(), gx_undef()}, both;
        bool ok = gx_str_c(rt, l->name, &pair[0]) && text_of(rt, l->text, &pair[1]) &&
                  gx_tuple_new(rt, 2, pair, &both);
        gx_drop(pair[0]);
        gx_drop(pair[1]);
        if (ok && gx_list_push_take(rt, list, both)) continue;
        gx_drop(list);
        return false;
    }
    *out = list;
    return true;
}

const gx_native gx_learn_functions[] = {
    {"heard", "heard(function, /)",
     "Calls a function: what it wrote on both streams, and the exception that ended it or None.",
     NULL, heard_fn, 0, 0},
    {"simulated", "simulated(function, /)",
     "Calls a function; the kernels that it launches run in the simulator, on a GPU too.", NULL,
     simulated_fn, 0, 0},
    {"tell", "tell(exception, /)", "Writes the message of an exception as the prompt does.", NULL,
     tell_fn, 0, 0},
    {"apart", "apart(text, seconds, bytes, steps, /)",
     "Grades a submission in a process of its own: its status, and what it wrote.", NULL,
     gx_learn_apart, 0, 0},
    {"lessons", "lessons()", "The lessons that gx has: a list of names and texts.", NULL,
     lessons_fn, 0, 0},
    {.name = NULL},
};
