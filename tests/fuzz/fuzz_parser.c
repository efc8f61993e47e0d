/* Any bytes as a program: parsed as a file and as what was typed at the prompt so far. Checked: an
   answer always comes with what belongs to it (a unit, or errors that lie inside the text), and all
   memory comes back. */
#include <string.h>

#include "parser/parser.h"
#include "tests/fuzz/fuzz_int.h"

static void check_errors(const gx_rt *rt, const gx_parse_errors *errors, size_t length) {
    uint32_t line, column;
    GX_FUZZ_CHECK(gx_failed(&rt->error));
    GX_FUZZ_CHECK(errors->count > 0 && errors->count <= GX_MAX_SYNTAX_ERRORS);
    for (int i = 0; i < errors->count; i++) {
        const gx_syntax_error *e = &errors->list[i];
        GX_FUZZ_CHECK(e->message && e->message[0]);
        GX_FUZZ_CHECK(e->at.start <= e->at.end && e->at.start <= length);
        gx_source_place(rt, e->at, &line, &column);
        GX_FUZZ_CHECK(line >= 1 && column >= 1);
    }
}

static void parse(gx_rt *rt, uint32_t source, size_t length, bool interactive) {
    gx_map globals = {0};
    gx_unit *unit = NULL;
    gx_parse_errors errors = {0};
    gx_parse_status status = gx_parse(rt, source, &globals, interactive, &unit, &errors);
    switch (status) {
    case GX_PARSE_OK:
        GX_FUZZ_CHECK(unit && errors.count == 0 && !gx_failed(&rt->error));
        gx_unit_free(unit);
        break;
    case GX_PARSE_INCOMPLETE:
        GX_FUZZ_CHECK(interactive && !gx_failed(&rt->error));
        break;
    case GX_PARSE_ERROR:
        check_errors(rt, &errors, length);
        break;
    }
    gx_parse_errors_free(&errors);
    gx_error_clear(rt);
    gx_map_free(rt, &globals);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gx_rt *rt = gx_rt_new();
    uint32_t source;
    if (!rt) return 0;
    if (gx_source_add(rt, "fuzz", (const char *)data, size, &source)) {
        parse(rt, source, size, false);
        parse(rt, source, size, true);
    }
    gx_error_clear(rt);
    gx_sources_free(rt);
    gx_symtab_free(rt);
    GX_FUZZ_CHECK(rt->stats.live_blocks == 0);
    gx_rt_free(rt);
    return 0;
}
