/* What a host asks about texts and names: whether an entry is whole, what may stand at a place,
   what a name is. Nothing of a script is run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "interp/embed/state_int.h"

gx_wholeness gx_state_entry(gx_state *s, const char *text, size_t length) {
    gx_rt *rt = gx_state_enter(s);
    gx_parse_errors errors = {0};
    gx_map names = {0};
    gx_unit *unit;
    uint32_t source;
    gx_wholeness entry = GX_ENTRY_WRONG;
    gx_buf copy = gx_buf_new(rt);
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t')) length--;
    if (!gx_buf_add(&copy, text, length)) {
        entry = GX_ENTRY_WHOLE; /* running it tells */
    } else if (gx_magic_is(gx_buf_text(&copy), length)) {
        entry = gx_magic_is_whole(gx_buf_text(&copy), length) ? GX_ENTRY_WHOLE : GX_ENTRY_MORE;
    } else if (gx_source_add(rt, "<entry>", text, length, &source)) {
        gx_parse_status status = gx_parse(rt, source, &names, true, &unit, &errors);
        if (status == GX_PARSE_OK) gx_unit_free(unit);
        if (status != GX_PARSE_ERROR)
            entry = status == GX_PARSE_OK ? GX_ENTRY_WHOLE : GX_ENTRY_MORE;
        gx_parse_errors_free(&errors);
        gx_map_free(rt, &names);
        gx_source_forget(rt, source);
    }
    gx_error_clear(rt);
    gx_buf_free(&copy);
    gx_state_leave(s);
    return entry;
}

/* --- completion and inspection ---------------------------------------------------------------- */

/* One block: the struct, the pointers, the words. */
static gx_words *words_of(const gx_found_names *c) {
    size_t bytes = sizeof(gx_words) + c->words.count * sizeof(char *);
    for (size_t i = 0; i < c->words.count; i++) bytes += strlen(c->words.items[i]) + 1;
    gx_words *w = malloc(bytes);
    if (!w) return NULL;
    const char **word = (const char **)(w + 1);
    char *at = (char *)(word + c->words.count);
    *w = (gx_words){.from = c->from, .count = c->words.count, .word = word};
    for (size_t i = 0; i < w->count; i++) {
        word[i] = at;
        at = stpcpy(at, c->words.items[i]) + 1;
    }
    return w;
}

gx_words *gx_state_complete(gx_state *s, const char *text, size_t length, size_t cursor) {
    gx_rt *rt = gx_state_enter(s);
    gx_found_names found = {0};
    gx_words *words = NULL;
    gx_buf copy = gx_buf_new(rt);
    if (cursor > length) cursor = length;
    if (gx_buf_add(&copy, text, length) &&
        gx_complete(&s->session, gx_buf_text(&copy), cursor, &found))
        words = words_of(&found);
    gx_found_names_free(rt, &found);
    gx_buf_free(&copy);
    if (!words && !gx_failed(&rt->error)) gx_no_memory(rt);
    return gx_state_done(s, words != NULL) ? words : NULL;
}

void gx_words_free(gx_words *words) {
    free(words);
}

/* A text that grows by malloc. */
typedef struct gathered {
    char *text;
    size_t length;
} gathered;

static int gather(void *self, gx_channel to, const char *text, size_t length) {
    gathered *g = self;
    (void)to;
    char *more = realloc(g->text, g->length + length + 1);
    if (!more) return ENOMEM;
    memcpy(more + g->length, text, length);
    more[g->length + length] = '\0';
    g->text = more;
    g->length += length;
    return 0;
}

char *gx_state_inspect(gx_state *s, const char *name, bool source) {
    gx_rt *rt = gx_state_enter(s);
    gathered all = {.text = NULL};
    const gx_output before = rt->output;
    gx_buf asked = gx_buf_new(rt);
    bool ok = gx_buf_printf(&asked, "%s%s", source ? "??" : "?", name);
    rt->output = (gx_output){.self = &all, .write = gather};
    ok = ok && gx_magic_run(&s->session, gx_buf_text(&asked));
    rt->output = before;
    gx_buf_free(&asked);
    if (ok && !all.text && !(all.text = calloc(1, 1))) ok = gx_no_memory(rt);
    if (gx_state_done(s, ok)) return all.text;
    free(all.text);
    return NULL;
}

void gx_string_free(char *text) {
    free(text);
}

/* --- names ------------------------------------------------------------------------------------ */

typedef struct listing {
    gx_rt *rt;
    gx_found_names names;
    bool failed;
} listing;

static void add_name(const char *name, void *ctx) {
    listing *l = ctx;
    gx_buf text = gx_buf_new(l->rt);
    if (l->failed || !gx_buf_puts(&text, name) ||
        !gx_vec_push(l->rt, &l->names.words, text.data)) {
        gx_buf_free(&text);
        l->failed = true;
    }
}

gx_words *gx_state_names(gx_state *s) {
    listing l = {.rt = gx_state_enter(s)};
    gx_magic_each_name(&s->session, add_name, &l);
    gx_words *words = l.failed ? NULL : words_of(&l.names);
    gx_found_names_free(l.rt, &l.names);
    if (!words && !gx_failed(&l.rt->error)) gx_no_memory(l.rt);
    return gx_state_done(s, words != NULL) ? words : NULL;
}

char *gx_state_signature(gx_state *s, const char *text, size_t length, size_t cursor) {
    gx_rt *rt = gx_state_enter(s);
    gx_buf copy = gx_buf_new(rt), hint = gx_buf_new(rt);
    char *own = NULL;
    if (cursor > length) cursor = length;
    if (gx_buf_add(&copy, text, length) &&
        gx_session_hint(&s->session, gx_buf_text(&copy), cursor, &hint) && hint.length)
        own = strdup(gx_buf_text(&hint));
    gx_error_clear(rt);
    gx_buf_free(&copy);
    gx_buf_free(&hint);
    gx_state_leave(s);
    return own;
}

char *gx_state_definition(gx_state *s, const char *name) {
    const char *text;
    size_t length;
    gx_state_enter(s);
    char *own = NULL;
    if (gx_magic_definition(&s->session, name, &text, &length)) own = strndup(text, length);
    gx_state_leave(s);
    return own;
}
