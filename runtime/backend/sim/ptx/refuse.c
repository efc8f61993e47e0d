/* Instructions that are not simulated: refused by their full name, or with their function, which a
   launch then refuses. */
#include <string.h>

#include "runtime/backend/sim/ptx/decode_int.h"

bool gx_statement_has(const gx_statement *s, const char *modifier) {
    size_t n = strlen(modifier);
    for (int k = 0; k < s->n_modifier; k++)
        if (s->modifier_length[k] == n && memcmp(s->modifier[k], modifier, n) == 0) return true;
    return false;
}

bool gx_ptx_unknown(gx_reader *r, const gx_statement *s) {
    size_t n = strlen(s->opcode);
    if (s->n_modifier) {
        const char *last = s->modifier[s->n_modifier - 1];
        n = (size_t)(last - s->text) + s->modifier_length[s->n_modifier - 1];
    }
    r->refused = true;
    return gx_ptx_fail(r, "an instruction that is not simulated", s->text, n);
}

/* What could be done instead, by the opcode. */
static void help_refused(gx_reader *r, const gx_statement *s) {
    static const struct {
        const char *start, *help;
    } rows[] = {
        {"tex", "in place of a texture: an array, its index kept inside by min and max"},
        {"tld4", "in place of a texture: an array, its index kept inside by min and max"},
        {"su", "in place of a surface: an array that the kernel writes"},
        {"wgmma", "wgmma needs a GPU: wmma and mma.sync are simulated"},
        {"mbarrier", "barriers in memory need a GPU: __syncthreads(), or cp.async with its groups"},
        {"cp", "bulk copies (TMA) need a GPU: cp.async, or loads and stores"},
        {"barrier", "clusters of blocks need a GPU: blocks alone are simulated"},
        {"mapa", "clusters of blocks need a GPU: blocks alone are simulated"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strncmp(s->opcode, rows[k].start, strlen(rows[k].start)) == 0) {
            gx_help(r->rt, "%s", rows[k].help);
            return;
        }
}

/* The function cannot be run here, but on a GPU, and others of the module can: its launch says why.
 */
bool gx_ptx_refuse_function(gx_reader *r, const gx_statement *s) {
    r->refused = false;
    if (strcmp(r->rt->error.code, "sim.ptx") != 0 || !r->rt->error.message) return false;
    help_refused(r, s);
    const char *help = r->rt->error.help ? r->rt->error.help : "";
    size_t n = strlen(r->rt->error.message) + 1, room = n + strlen(help) + 1;
    char *text = r->fn->refused ? NULL : gx_arena_alloc(r->arena, room);
    if (text) {
        memcpy(text, r->rt->error.message, n);
        memcpy(text + n, help, strlen(help) + 1);
        r->fn->refused = text;
    }
    gx_error_clear(r->rt);
    const char *end = memchr(s->text, ';', (size_t)(r->end - s->text));
    if (!end) return gx_ptx_fail(r, "an end was expected", s->text, strlen(s->opcode));
    r->at = end + 1;
    return true;
}
