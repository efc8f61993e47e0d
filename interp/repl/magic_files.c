/* %run, %save, %load, %edit, %history: files and the session's entries. Nothing of them happens
   under GX_SAFE=1. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/repl/magic_int.h"

static bool may_use_files(gx_repl_state *s) {
    return !s->rt->debug.safe ||
           gx_fail(s->rt, GX_PermissionError, "file.safe", "GX_SAFE=1 allows no files");
}

/* A file's name without the blanks around it; false: there is none, or no room for it. */
static bool file_name(gx_repl_state *s, const char *rest, const char *usage, char *out,
                      size_t room) {
    size_t n = strlen(rest);
    while (n && (rest[n - 1] == ' ' || rest[n - 1] == '\n')) n--;
    if (!may_use_files(s)) return false;
    if (!gx_magic_needs(s, rest, usage, "a file")) return false;
    if (n >= room)
        return gx_fail(s->rt, GX_OSError, "file.name", "the name of the file is too long");
    memcpy(out, rest, n);
    out[n] = '\0';
    return true;
}

static bool run_path(gx_repl_state *s, const char *path) {
    gx_parse_errors errors = {0};
    gx_unit *unit;
    uint32_t source;
    if (!gx_source_read(s->rt, path, &source)) return false;
    if (gx_load(s->rt, source, s->module, false, &unit, &errors) != GX_PARSE_OK) {
        gx_report_syntax(s->rt, &errors);
        return true;
    }
    gx_parse_errors_free(&errors);
    bool ok = gx_run_unit(s->rt, unit, s->module, false);
    gx_unit_drop(unit);
    return ok;
}

bool gx_magic_run_file(gx_repl_state *s, const char *rest) {
    char path[1024];
    return file_name(s, rest, "%run", path, sizeof path) && run_path(s, path);
}

bool gx_magic_history(gx_repl_state *s, const char *rest) {
    int64_t count = s->edit ? (int64_t)s->edit->hist.entries.count : 0, last = 20;
    if (!s->edit) { /* a plain prompt keeps this session's alone */
        gx_say(s->rt, GX_OUT, "%s", gx_buf_text(&s->log));
        return true;
    }
    if (sscanf(rest, "%ld", &last) != 1 || last < 0) last = 20;
    for (int64_t i = count > last ? count - last : 0; i < count; i++)
        gx_say(s->rt, GX_OUT, "%s\n", s->edit->hist.entries.items[i]);
    return true;
}

static bool failed_file(gx_repl_state *s, const char *what, const char *path) {
    gx_error_kind kind = errno == ENOENT   ? GX_FileNotFoundError
                         : errno == EACCES ? GX_PermissionError
                                           : GX_OSError;
    return gx_fail(s->rt, kind, "file.open", "cannot %s '%s': %s", what, path, strerror(errno));
}

static bool write_file(gx_repl_state *s, const char *path, const char *text, size_t length) {
    FILE *f = fopen(path, "w");
    if (!f) return failed_file(s, "write", path);
    bool ok = fwrite(text, 1, length, f) == length;
    int why = errno;
    if (fclose(f) != 0 && ok) {
        ok = false;
        why = errno;
    }
    errno = why;
    return ok || failed_file(s, "write", path);
}

bool gx_magic_save(gx_repl_state *s, const char *rest) {
    char path[1024];
    if (!file_name(s, rest, "%save", path, sizeof path)) return false;
    if (!write_file(s, path, gx_buf_text(&s->log), s->log.length)) return false;
    gx_say(s->rt, GX_OUT, "%lld entries are in %s\n", (long long)s->logged, path);
    return true;
}

bool gx_magic_load_file(gx_repl_state *s, const char *rest) {
    char path[1024];
    uint32_t source;
    if (!file_name(s, rest, "%load", path, sizeof path)) return false;
    if (!gx_source_read(s->rt, path, &source)) return false;
    const gx_source *text = gx_source_get(s->rt, source);
    size_t length = text->length;
    while (length && text->text[length - 1] == '\n') length--;
    if (s->edit) /* the next entry begins with it */
        gx_text_set(&s->edit->text, text->text, length);
    else
        gx_say(s->rt, GX_OUT, "%.*s\n", (int)length, text->text);
    gx_source_forget(s->rt, source);
    return true;
}

/* --- %edit --------------------------------------------------------------------------------- */

/* Waits for $VISUAL, $EDITOR or vi on a file; false: an error is pending. */
static bool run_editor(gx_repl_state *s, const char *path) {
    int status = 0;
    (void)gx_write_flush(s->rt, GX_OUT);
    (void)gx_write_flush(s->rt, GX_ERR);
    pid_t child = fork();
    if (child < 0) return failed_file(s, "edit", path);
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        execl("/bin/sh", "sh", "-c", "exec ${VISUAL:-${EDITOR:-vi}} \"$0\"", path, (char *)NULL);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    s->rt->interrupted = 0; /* Ctrl-C was the editor's */
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    return gx_fail(s->rt, GX_OSError, "magic.editor",
                   "the editor ended with status %d; $VISUAL or $EDITOR names it",
                   WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* What %edit starts with: the text of a function of the script, else the last entry. */
static const char *first_text(gx_repl_state *s, const char *name, size_t *length) {
    for (int32_t i = 0; *name && i < s->module->count; i++) {
        const gx_function *code = gx_magic_code_of(s->module->values[i]);
        const gx_source *source = code ? gx_source_of(s->rt, code->at) : NULL;
        if (!source || strcmp(gx_sym_text(s->rt, s->module->names[i]), name) != 0) continue;
        *length = code->body->at.end - code->at.start;
        return source->text + code->at.start;
    }
    *length = *name ? 0 : s->log.length - s->last;
    return *name ? "" : gx_buf_text(&s->log) + s->last;
}

bool gx_magic_edit(gx_repl_state *s, const char *rest) {
    char path[1024];
    const char *folder = getenv("TMPDIR");
    size_t length = 0, n = strcspn(rest, " \n");
    if (!may_use_files(s)) return false;
    snprintf(path, sizeof path, "%.*s", (int)n, rest);
    if (n && (strchr(path, '.') || strchr(path, '/') || access(path, F_OK) == 0))
        return run_editor(s, path) && run_path(s, path);
    const char *text = first_text(s, path, &length);
    snprintf(path, sizeof path, "%s/gx-XXXXXX.gx", folder && *folder ? folder : "/tmp");
    int fd = mkstemps(path, 3);
    if (fd < 0) return failed_file(s, "write", path);
    close(fd);
    bool ok = write_file(s, path, text, length) && run_editor(s, path) && run_path(s, path);
    unlink(path);
    return ok;
}
