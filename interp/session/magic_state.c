/* %mem, %device, %doctor, %print, %errors, %checked, %nan: what the session has, and how things are
   shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/session/magic_int.h"
#include "runtime/array/print.h"
#include "runtime/backend/gpu.h"
#include "runtime/device/backends.h"
#include "runtime/object/warn.h"
#include "stdlib/bridge/bridge.h"

static void print_bytes(gx_session *s, const char *what, int64_t bytes, const char *more,
                        int64_t also) {
    char text[2][32];
    gx_magic_put_bytes(text[0], sizeof text[0], (double)bytes);
    gx_magic_put_bytes(text[1], sizeof text[1], (double)also);
    gx_say(s->rt, GX_OUT, "%-18s %10s", what, text[0]);
    if (more) gx_say(s->rt, GX_OUT, "   %s %s", more, text[1]);
    gx_say(s->rt, GX_OUT, "\n");
}

/* MemAvailable of /proc/meminfo, or -1. */
static int64_t available(void) {
    char line[128];
    long long kib = -1;
    FILE *f = fopen("/proc/meminfo", "r");
    if (!f) return -1;
    while (kib < 0 && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lld kB", &kib) != 1) kib = -1;
    fclose(f);
    return kib < 0 ? -1 : (int64_t)kib * 1024;
}

bool gx_magic_mem(gx_session *s, const char *rest) {
    const gx_stats *stats = &s->rt->stats;
    int64_t room = available(), free_bytes, total, used, kept;
    (void)rest;
    print_bytes(s, "arrays", stats->array_bytes, "at most so far", stats->array_peak);
    print_bytes(s, "other values", stats->live_bytes, "at most so far", stats->peak_bytes);
    if (room >= 0) print_bytes(s, "free on the host", room, NULL, 0);
    if (!s->rt->gpu || !s->rt->gpu->backend->gpu) return true;
    if (!gx_gpu_memory(s->rt, &free_bytes, &total, &used, &kept)) return false;
    print_bytes(s, "arrays on the GPU", used, "kept for reuse", kept);
    print_bytes(s, "free on the GPU", free_bytes, "of", total);
    return true;
}

/* Where new arrays of the default namespace live. */
static bool show_device(gx_session *s) {
    gx_gpu_info facts;
    bool there;
    if (!gx_gpu_there(s->rt, &there)) return false;
    if (there) {
        if (!gx_gpu_facts(s->rt, &facts)) return false;
        gx_say(s->rt, GX_OUT, "new arrays live on cuda:%d, %s; those of np on the host%s\n",
               facts.index, facts.name, s->rt->gpu_numpy ? " no more: --numpy=gpu" : "");
    } else if (s->rt->gpu_choice == GX_GPU_OPEN) {
        gx_say(s->rt, GX_OUT,
               "new arrays live on a simulated GPU (%s)\n", s->rt->gpu->backend->name);
    } else {
        gx_say(s->rt, GX_OUT,
               "new arrays live on the host (cpu); %%doctor says what a GPU needs\n");
    }
    return true;
}

bool gx_magic_device(gx_session *s, const char *rest) {
    gx_rt *rt = s->rt;
    size_t n = strcspn(rest, " \n");
    if (!n) return show_device(s);
    if (n == 3 && memcmp(rest, "cpu", 3) == 0) {
        rt->gpu_choice = GX_GPU_NONE; /* arrays that are on the GPU stay there */
        return show_device(s);
    }
    if (n != 4 || memcmp(rest, "cuda", 4) != 0)
        return gx_fail(rt, GX_ValueError, "device.unknown",
                       "%%device is cpu or cuda, not '%.*s'; another GPU is chosen at the start: "
                       "gx --device cuda:1",
                       (int)n, rest);
    rt->gpu_choice = rt->gpu ? GX_GPU_OPEN : GX_GPU_UNDECIDED;
    if (!rt->gpu && !gx_backends_gpu(rt)) return false;
    if (rt->gpu_choice != GX_GPU_OPEN)
        return gx_fail(rt, GX_RuntimeError, "device.none",
                       "there is no GPU to use here; %%doctor says why");
    return show_device(s);
}

bool gx_magic_doctor(gx_session *s, const char *rest) {
    gx_buf text = gx_buf_new(s->rt);
    (void)rest;
    bool ok = gx_gpu_doctor(s->rt, &text) && gx_python_doctor(s->rt, &text);
    if (ok) gx_say(s->rt, GX_OUT, "%s", gx_buf_text(&text));
    gx_buf_free(&text);
    return ok;
}

/* --- %print -------------------------------------------------------------------------------- */

static bool bad_option(gx_session *s, const char *word) {
    gx_fail(s->rt, GX_ValueError, "magic.usage", "%%print does not know '%.60s'", word);
    gx_help(s->rt, "%%print precision=4 edge=3 threshold=1000 width=75 suppress=on");
    return false;
}

/* One NAME=VALUE. */
static bool set_option(gx_session *s, const char *word, gx_printopts *o) {
    const char *value = strchr(word, '=');
    char *end = NULL;
    if (!value) return bad_option(s, word);
    size_t n = (size_t)(value++ - word);
    long long number = strtoll(value, &end, 10);
    bool on = strcmp(value, "on") == 0 || strcmp(value, "True") == 0;
    bool off = strcmp(value, "off") == 0 || strcmp(value, "False") == 0;
    if (n == 8 && memcmp(word, "suppress", n) == 0 && (on || off)) {
        o->suppress = on;
        return true;
    }
    if (end == value || *end || number < 0) return bad_option(s, word);
    if (n == 9 && memcmp(word, "precision", n) == 0)
        o->precision = number;
    else if (n == 9 && memcmp(word, "threshold", n) == 0)
        o->threshold = number;
    else if ((n == 4 && memcmp(word, "edge", n) == 0) ||
             (n == 9 && memcmp(word, "edgeitems", n) == 0))
        o->edgeitems = number;
    else if ((n == 5 && memcmp(word, "width", n) == 0) ||
             (n == 9 && memcmp(word, "linewidth", n) == 0))
        o->linewidth = number;
    else
        return bad_option(s, word);
    return true;
}

bool gx_magic_print(gx_session *s, const char *rest) {
    gx_printopts o = gx_print_options(s->rt);
    bool any = false;
    for (;;) {
        char word[64];
        rest += strspn(rest, " \n,");
        size_t n = strcspn(rest, " \n,");
        if (!n) break;
        snprintf(word, sizeof word, "%.*s", n < 63 ? (int)n : 63, rest);
        if (!set_option(s, word, &o)) return false;
        rest += n;
        any = true;
    }
    if (any) return gx_print_set_options(s->rt, &o);
    gx_say(s->rt, GX_OUT, "precision=%lld edge=%lld threshold=%lld width=%lld suppress=%s\n",
           (long long)o.precision, (long long)o.edgeitems, (long long)o.threshold,
           (long long)o.linewidth, o.suppress ? "on" : "off");
    return true;
}

bool gx_magic_errors(gx_session *s, const char *rest) {
    char word[32];
    size_t n = strcspn(rest, " \n");
    snprintf(word, sizeof word, "%.*s", n < 31 ? (int)n : 31, rest);
    if (n && !gx_messages_set(s->rt, word)) return false;
    if (!n) gx_say(s->rt, GX_OUT, "%s\n", gx_messages_name(s->rt));
    return true;
}

/* --- %checked, %nan ------------------------------------------------------------------------ */

/* The one word of a magic, "" for none. */
static bool is_word(const char *rest, const char *word) {
    size_t n = strcspn(rest, " \n");
    return n == strlen(word) && memcmp(rest, word, n) == 0;
}

bool gx_magic_checked(gx_session *s, const char *rest) {
    if (is_word(rest, "")) {
        gx_say(s->rt, GX_OUT, "%s\n", s->rt->debug.unchecked ? "off" : "on");
        return true;
    }
    if (!is_word(rest, "on") && !is_word(rest, "off"))
        return gx_fail(s->rt, GX_ValueError, "magic.usage", "%%checked is on or off, not '%.40s'",
                       rest);
    s->rt->debug.unchecked = is_word(rest, "off");
    return true;
}

bool gx_magic_nan(gx_session *s, const char *rest) {
    static const struct {
        const char *word;
        uint8_t mode;
    } words[] = {{"warn", GX_MODE_WARN}, {"stop", GX_MODE_RAISE}, {"off", GX_MODE_IGNORE}};
    gx_warn_state *now = gx_warn_state_of(s->rt);
    if (!now) return false;
    gx_warn_state fresh = *now;
    for (int i = 0; i < 3; i++) {
        if (is_word(rest, "") && words[i].mode == now->fp[GX_COND_INVALID])
            gx_say(s->rt, GX_OUT, "%s\n", words[i].word);
        if (!is_word(rest, words[i].word)) continue;
        fresh.fp[GX_COND_INVALID] = words[i].mode;
        return gx_warn_set_state(s->rt, &fresh);
    }
    return is_word(rest, "") ||
           gx_fail(s->rt, GX_ValueError, "magic.usage", "%%nan is warn, stop or off, not '%.40s'",
                   rest);
}
