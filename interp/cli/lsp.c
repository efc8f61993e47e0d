/* `gx lsp`: a language server on standard input and output. The server is a text in gx
   (stdlib/lsp); here is what it asks of C: messages as they come, and what gx knows of texts that
   nobody runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/cli/cli_int.h"
#include "interp/cli/mail_int.h"
#include "interp/embed/tools.h"

/* receive(wait): the next message; None: none has come within `wait` seconds (-1: ever); False: the
   input has ended; True: the input is no message, and cannot be read on. */
static gx_ref *receive(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    double wait = -1;
    const char *text;
    size_t length;
    if (argc != 1 || !gx_ref_to_float(argv[0], &wait))
        return gx_state_raise(s, "TypeError", "receive takes seconds");
    switch (gx_inbox_next(self, wait < 0 ? -1 : (int)(wait * 1000), &text, &length)) {
    case GX_MAIL_WHOLE: return gx_ref_text(s, text, gx_tool_utf8(text, length));
    case GX_MAIL_ENDED: return gx_ref_bool(s, false);
    case GX_MAIL_BROKEN: return gx_ref_bool(s, true);
    case GX_MAIL_NONE: break;
    }
    return gx_ref_none(s);
}

/* send(text): writes a message. */
static gx_ref *send_message(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    const char *text;
    size_t length;
    (void)self;
    if (argc != 1 || !gx_ref_to_text(argv[0], &text, &length))
        return gx_state_raise(s, "TypeError", "send takes a text");
    return gx_ref_bool(s, gx_mail_write(stdout, text, length));
}

/* --- what gx knows ------------------------------------------------------------------------- */

static gx_ref *text_or_none(gx_state *s, char *text) {
    gx_ref *r = text ? gx_ref_text(s, text, strlen(text)) : gx_ref_none(s);
    gx_string_free(text);
    return r;
}

static bool read_text(gx_state *s, size_t argc, gx_ref *const *argv, size_t most,
                      const char **text, size_t *length) {
    if (argc == most && gx_ref_to_text(argv[0], text, length)) return true;
    gx_state_raise(s, "TypeError", "the first argument is a text");
    return false;
}

/* survey(text): what is wrong with it and what it mentions, as JSON. */
static gx_ref *survey(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    const char *text;
    size_t length;
    (void)self;
    if (!read_text(s, argc, argv, 1, &text, &length)) return NULL;
    char *json = gx_state_survey(s, text, length, "");
    return json ? text_or_none(s, json) : NULL;
}

/* look(text, end, what): about the expression that ends there; "" where nothing is known. */
static gx_ref *look(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    const char *text;
    size_t length;
    int64_t end, what;
    (void)self;
    if (!read_text(s, argc, argv, 3, &text, &length) || !gx_ref_to_int(argv[1], &end) ||
        !gx_ref_to_int(argv[2], &what))
        return NULL;
    char *told = gx_state_look(s, text, length, (size_t)end, (gx_look)what);
    return told ? text_or_none(s, told) : NULL;
}

/* words(text): where what may stand at its end begins, and the words, as gx_state_complete. */
static gx_ref *words(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    const char *text;
    size_t length;
    (void)self;
    if (!read_text(s, argc, argv, 1, &text, &length)) return NULL;
    gx_words *found = gx_state_complete(s, text, length, length);
    if (!found) return NULL;
    gx_ref **items = calloc(found->count + 1, sizeof *items), *list = NULL;
    bool ok = items && (items[0] = gx_ref_int(s, (int64_t)found->from));
    for (size_t i = 0; ok && i < found->count; i++)
        ok = (items[i + 1] = gx_ref_text(s, found->word[i], strlen(found->word[i]))) != NULL;
    if (ok) list = gx_ref_list(s, found->count + 1, items);
    for (size_t i = 0; items && i <= found->count; i++) gx_ref_drop(items[i]);
    free(items);
    gx_words_free(found);
    return list;
}

/* style(text): as gx fmt writes it; None: it is no program. */
static gx_ref *style(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    const char *text;
    size_t length;
    (void)self;
    if (!read_text(s, argc, argv, 1, &text, &length)) return NULL;
    return text_or_none(s, gx_state_format(s, text, length, ""));
}

int gx_lsp_main(gx_state *s, int argc, char **argv) {
    static const char text[] = "__import__('gxlsp').serve(_host, _version)";
    static const struct {
        const char *name;
        gx_callback fn;
    } host[] = {{"receive", receive}, {"send", send_message}, {"survey", survey},
                {"look", look},       {"words", words},       {"style", style}};
    enum { COUNT = sizeof host / sizeof *host };
    gx_inbox in = {.fd = STDIN_FILENO};
    gx_ref *functions[COUNT], *answer = NULL;
    int64_t status = 1;
    int said = gx_stdio_options("lsp",
                                "A language server (LSP 3.17) on standard input and output, which "
                                "an editor\nstarts: docs/editors.md.\n",
                                argc, argv);
    if (said >= 0) return said;
    bool ok = true;
    for (size_t i = 0; i < COUNT; i++) {
        functions[i] = ok ? gx_ref_function(s, host[i].name, NULL, host[i].fn, &in) : NULL;
        ok = functions[i] != NULL;
    }
    gx_ref *list = ok ? gx_ref_list(s, COUNT, functions) : NULL;
    gx_ref *version = gx_ref_text(s, gx_version(), strlen(gx_version()));
    bool bound = list && version && gx_state_set(s, "_host", list) &&
                 gx_state_set(s, "_version", version);
    gx_program *code = bound
                           ? gx_state_compile(s, text, sizeof text - 1, "<lsp>")
                           : NULL;
    ok = code && gx_program_run(code, GX_RUN_PLAIN, &answer) && answer &&
         gx_ref_to_int(answer, &status);
    if (!ok) {
        (void)gx_state_report(s);
        status = 1;
    }
    gx_ref_drop(answer);
    gx_ref_drop(list);
    gx_ref_drop(version);
    for (size_t i = 0; i < COUNT; i++) gx_ref_drop(functions[i]);
    gx_program_drop(code);
    gx_inbox_free(&in);
    return (int)status;
}
