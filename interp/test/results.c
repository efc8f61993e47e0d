/* What `gx test --junit FILE` and `--json FILE` write: each file with its counts, its seconds and
   what was said of its failures. */
#include "interp/test/gxtest_int.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void gx_result_begin(gx_tests *t) {
    gx_pad_free(&t->said);
    t->began = now();
    t->before[0] = t->passed;
    t->before[1] = t->failed;
}

void gx_result_end(gx_tests *t, const char *name) {
    gx_result r = {.name = strdup(name), .seconds = now() - t->began, .said = t->said};
    r.passed = t->passed - t->before[0];
    r.failed = t->failed - t->before[1];
    t->said = (gx_pad){0};
    if (r.name && gx_row_push(&t->results, r)) return;
    free(r.name);
    gx_pad_free(&r.said);
    t->incomplete = true;
}

/* Text of XML or JSON; what no terminal shows is left out. */
static bool put_escaped(gx_pad *out, const char *text, bool json) {
    bool ok = true;
    for (; *text && ok; text++) {
        const char c = *text;
        if (json && c == '\n')
            ok = gx_pad_puts(out, "\\n");
        else if ((unsigned char)c < 32 && (json || (c != '\n' && c != '\t')))
            ok = gx_pad_char(out, ' ');
        else if (json && (c == '"' || c == '\\'))
            ok = gx_pad_char(out, '\\') && gx_pad_char(out, c);
        else if (!json && strchr("<>&\"", c))
            ok = gx_pad_printf(out, "&#%d;", c);
        else
            ok = gx_pad_char(out, c);
    }
    return ok;
}

static bool put_xml(const gx_tests *t, gx_pad *out) {
    bool ok = gx_pad_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") &&
              gx_pad_printf(out, "<testsuites tests=\"%d\" failures=\"%d\">\n",
                            t->passed + t->failed, t->failed);
    for (size_t i = 0; ok && i < t->results.count; i++) {
        const gx_result *r = &t->results.items[i];
        ok = gx_pad_puts(out, "  <testsuite name=\"") && put_escaped(out, r->name, false) &&
             gx_pad_printf(out, "\" tests=\"%d\" failures=\"%d\" time=\"%.3f\">\n",
                           r->passed + r->failed, r->failed, r->seconds) &&
             gx_pad_puts(out, "    <testcase classname=\"gx\" name=\"") &&
             put_escaped(out, r->name, false) &&
             gx_pad_printf(out, "\" time=\"%.3f\"", r->seconds);
        if (r->failed)
            ok = ok && gx_pad_printf(out, ">\n      <failure message=\"%d failed\">", r->failed) &&
                 put_escaped(out, gx_pad_text(&r->said), false) &&
                 gx_pad_puts(out, "</failure>\n    </testcase>\n");
        else
            ok = ok && gx_pad_puts(out, "/>\n");
        ok = ok && gx_pad_puts(out, "  </testsuite>\n");
    }
    return ok && gx_pad_puts(out, "</testsuites>\n");
}

static bool put_json(const gx_tests *t, gx_pad *out) {
    bool ok = gx_pad_printf(out, "{\"passed\": %d, \"failed\": %d, \"files\": [", t->passed,
                            t->failed);
    for (size_t i = 0; ok && i < t->results.count; i++) {
        const gx_result *r = &t->results.items[i];
        ok = gx_pad_puts(out, i ? ",\n  {\"name\": \"" : "\n  {\"name\": \"") &&
             put_escaped(out, r->name, true) &&
             gx_pad_printf(out, "\", \"passed\": %d, \"failed\": %d, \"seconds\": %.3f", r->passed,
                           r->failed, r->seconds) &&
             gx_pad_puts(out, ", \"said\": \"") &&
             put_escaped(out, gx_pad_text(&r->said), true) && gx_pad_puts(out, "\"}");
    }
    return ok && gx_pad_puts(out, "\n]}\n");
}

bool gx_results_write(const gx_tests *t, const char *path, bool json) {
    gx_pad out = {0};
    FILE *f = fopen(path, "w");
    bool ok = f && !t->incomplete && (json ? put_json : put_xml)(t, &out) &&
              fwrite(gx_pad_text(&out), 1, out.length, f) == out.length;
    ok = f && fclose(f) == 0 && ok;
    if (!ok) fprintf(stderr, "gx test: cannot write '%s'\n", path);
    gx_pad_free(&out);
    return ok;
}

void gx_results_free(gx_tests *t) {
    for (size_t i = 0; i < t->results.count; i++) {
        free(t->results.items[i].name);
        gx_pad_free(&t->results.items[i].said);
    }
    gx_row_free(&t->results);
    gx_pad_free(&t->said);
}
