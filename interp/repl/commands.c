/* The prompt's own % lines: %save, %load, %edit, %history, %cd, %ls, %sh and the like. None of them
   uses files or runs programs under GX_SAFE=1. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/host/signals.h"
#include "interp/repl/repl_int.h"

static bool fail(gx_prompt *p, const char *kind, const char *code, const char *message) {
    gx_state_raise_code(p->s, kind, code, message);
    return false;
}

static bool may_use_files(gx_prompt *p) {
    return !gx_state_has(p->s, GX_IS_SAFE) ||
           fail(p, "PermissionError", "file.safe", "GX_SAFE=1 allows no files");
}

/* A file's name without the blanks around it; false: there is none, or no room for it. */
static bool file_name(gx_prompt *p, const char *rest, const char *needs, char *out, size_t room) {
    size_t n = strlen(rest);
    while (n && (rest[n - 1] == ' ' || rest[n - 1] == '\n')) n--;
    if (!may_use_files(p)) return false;
    if (!n) return fail(p, "SyntaxError", "magic.usage", needs);
    if (n >= room) return fail(p, "OSError", "file.name", "the name of the file is too long");
    memcpy(out, rest, n);
    out[n] = '\0';
    return true;
}

static bool show_history(gx_state *s, void *self, const char *rest) {
    gx_prompt *p = self;
    int64_t last = 20;
    (void)s;
    if (!p->edit) { /* a plain prompt keeps this session's alone */
        fputs(gx_pad_text(&p->log), stdout);
        return true;
    }
    int64_t count = (int64_t)p->edit->hist.entries.count;
    if (sscanf(rest, "%" SCNd64, &last) != 1 || last < 0) last = 20;
    for (int64_t i = count > last ? count - last : 0; i < count; i++)
        puts(p->edit->hist.entries.items[i]);
    return true;
}

static bool failed_file(gx_prompt *p, const char *what, const char *path) {
    char why[1400];
    const char *kind = errno == ENOENT   ? "FileNotFoundError"
                       : errno == EACCES ? "PermissionError"
                                         : "OSError";
    snprintf(why, sizeof why, "cannot %s '%s': %s", what, path, strerror(errno));
    return fail(p, kind, "file.open", why);
}

static bool write_file(gx_prompt *p, const char *path, const char *text, size_t length) {
    FILE *f = fopen(path, "w");
    if (!f) return failed_file(p, "write", path);
    bool ok = fwrite(text, 1, length, f) == length;
    int why = errno;
    if (fclose(f) != 0 && ok) {
        ok = false;
        why = errno;
    }
    errno = why;
    return ok || failed_file(p, "write", path);
}

static bool save(gx_state *s, void *self, const char *rest) {
    gx_prompt *p = self;
    char path[1024];
    (void)s;
    if (!file_name(p, rest, "%save needs a file", path, sizeof path)) return false;
    if (!write_file(p, path, gx_pad_text(&p->log), p->log.length)) return false;
    printf("%lld entries are in %s\n", (long long)p->logged, path);
    return true;
}

static bool load(gx_state *s, void *self, const char *rest) {
    gx_prompt *p = self;
    char path[1024];
    gx_pad text = {0};
    (void)s;
    if (!file_name(p, rest, "%load needs a file", path, sizeof path)) return false;
    bool ok = gx_pad_read_file(&text, path) || failed_file(p, "read", path);
    while (text.length && text.data[text.length - 1] == '\n') text.length--;
    if (ok && p->edit) /* the next entry begins with it */
        gx_text_set(&p->edit->text, gx_pad_text(&text), text.length);
    else if (ok)
        printf("%.*s\n", (int)text.length, gx_pad_text(&text));
    gx_pad_free(&text);
    return ok;
}

/* --- %edit --------------------------------------------------------------------------------- */

/* Waits for a command of the shell, which finds `given` as $0: its exit status, 128 and more after
   a signal, -1: an error is pending. */
static int run_shell(gx_prompt *p, const char *command, const char *given) {
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) {
        failed_file(p, "run", "/bin/sh");
        return -1;
    }
    if (child == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        execl("/bin/sh", "sh", "-c", command, given, (char *)NULL);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    gx_interrupts_forget(); /* Ctrl-C was the command's */
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Waits for $VISUAL, $EDITOR or vi on a file; false: an error is pending. */
static bool run_editor(gx_prompt *p, const char *path) {
    char why[120];
    int status = run_shell(p, "exec ${VISUAL:-${EDITOR:-vi}} \"$0\"", path);
    if (status <= 0) return status == 0;
    snprintf(why, sizeof why,
             "the editor ended with status %d; $VISUAL or $EDITOR names it", status);
    return fail(p, "OSError", "magic.editor", why);
}

/* --- the shell ------------------------------------------------------------------------------- */

static bool may_run(gx_prompt *p) {
    return !gx_state_has(p->s, GX_IS_SAFE) ||
           fail(p, "PermissionError", "file.safe", "GX_SAFE=1 allows no programs");
}

static bool shell(gx_state *s, void *self, const char *rest) {
    gx_prompt *p = self;
    (void)s;
    if (!may_run(p)) return false;
    if (!rest[strspn(rest, " \n")])
        return fail(p, "SyntaxError", "magic.usage", "%sh needs a command");
    int status = run_shell(p, rest, "sh");
    if (status > 0) printf("(ended with status %d)\n", status);
    return status >= 0;
}

static bool list_files(gx_state *s, void *self, const char *rest) {
    gx_prompt *p = self;
    char command[1200];
    (void)s;
    if (!may_run(p)) return false;
    if (strlen(rest) > 1000) return fail(p, "OSError", "file.name", "the pattern is too long");
    snprintf(command, sizeof command, "ls -C %s", rest);
    return run_shell(p, command, "sh") >= 0;
}

static bool show_folder(gx_state *s, void *self, const char *rest) {
    gx_prompt *p = self;
    char here[4096];
    (void)s;
    (void)rest;
    if (!may_use_files(p)) return false;
    if (!getcwd(here, sizeof here)) return failed_file(p, "read", ".");
    puts(here);
    return true;
}

static bool change_folder(gx_state *s, void *self, const char *rest) {
    gx_prompt *p = self;
    char path[1024];
    const char *home = getenv("HOME");
    const bool none = !rest[strspn(rest, " \n")], below = *rest == '~' && home;
    if (none && !home) return fail(p, "SyntaxError", "magic.usage", "%cd needs a folder");
    if (!file_name(p, none ? home : rest, "%cd needs a folder", path, sizeof path)) return false;
    if (below && strlen(home) + strlen(path) < sizeof path) {
        memmove(path + strlen(home), path + 1, strlen(path));
        memcpy(path, home, strlen(home));
    }
    if (chdir(path) != 0) return failed_file(p, "enter", path);
    return show_folder(s, self, "");
}

/* What %edit starts with: the text of a function of the script, else the last entry. */
static char *first_text(gx_prompt *p, const char *name) {
    char *text = *name ? gx_state_definition(p->s, name) : NULL;
    return text ? text : strdup(*name ? "" : gx_pad_text(&p->log) + p->last);
}

/* A file of its own with a text, the name in `path`. */
static bool edit_text(gx_prompt *p, const char *text, char *path, size_t room) {
    const char *folder = getenv("TMPDIR");
    snprintf(path, room, "%s/gx-XXXXXX.gx", folder && *folder ? folder : "/tmp");
    int fd = mkstemps(path, 3);
    if (fd < 0) return failed_file(p, "write", path);
    close(fd);
    bool ok = write_file(p, path, text, strlen(text)) && run_editor(p, path) &&
              gx_prompt_run_file(p->s, path);
    unlink(path);
    return ok;
}

static bool edit(gx_state *s, void *self, const char *rest) {
    gx_prompt *p = self;
    char path[1024];
    size_t n = strcspn(rest, " \n");
    if (!may_use_files(p)) return false;
    snprintf(path, sizeof path, "%.*s", (int)n, rest);
    if (n && (strchr(path, '.') || strchr(path, '/') || access(path, F_OK) == 0))
        return run_editor(p, path) && gx_prompt_run_file(s, path);
    char *text = first_text(p, path);
    bool ok = text ? edit_text(p, text, path, sizeof path)
                   : fail(p, "MemoryError", "", "there is no memory for the text");
    free(text);
    return ok;
}

static bool quit(gx_state *s, void *self, const char *rest) {
    gx_prompt *p = self;
    (void)s;
    (void)rest;
    p->leave = true;
    return true;
}

bool gx_prompt_commands(gx_prompt *p) {
    static const struct {
        const char *name, *usage, *doc;
        gx_command fn;
    } rows[] = {
        {"history", "%history [N]", "the last N entries (20)", show_history},
        {"save", "%save FILE", "writes this session's entries as a script", save},
        {"load", "%load FILE", "puts a file's text at the prompt, to be changed and run", load},
        {"edit", "%edit [FILE | NAME]", "opens $EDITOR on it and runs what was written", edit},
        {"cd", "%cd [FOLDER]", "changes the current folder, to HOME without one", change_folder},
        {"pwd", "%pwd", "the current folder", show_folder},
        {"ls", "%ls [PATTERN]", "the files there", list_files},
        {"sh", "%sh COMMAND, !COMMAND", "runs a command of the shell", shell},
        {"quit", "%quit", "leaves, as exit and Ctrl-D do", quit},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!gx_state_command(p->s, rows[i].name, rows[i].usage, rows[i].doc, rows[i].fn, p))
            return false;
    return true;
}
