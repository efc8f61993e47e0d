/* Which Python is used, and its library. An executable is asked once, by running it, where its
   library lies; nothing of Python is opened before the first import that needs it. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stdlib/bridge/find_int.h"

extern char **environ;

gx_py_api py;

enum { OLDEST = 9, NEWEST = 14 };

/* --- asking ----------------------------------------------------------------------------------- */

/* Lines: the version, what may be the library, best first. A build without locks of its own (the
   "free-threaded" one) has other objects than those that gx knows. */
static const char question[] =
    "import sys, sysconfig as s\n"
    "print('%d.%d.%d' % sys.version_info[:3])\n"
    "print(sys.executable)\n"
    "print('t' if s.get_config_var('Py_GIL_DISABLED') else sys.implementation.name)\n"
    "g = s.get_config_var\n"
    "for d in (g('LIBDIR'), sys.base_prefix + '/lib', g('LIBPL'), g('srcdir')):\n"
    "    for f in (g('INSTSONAME'), g('LDLIBRARY')):\n"
    "        if d and f and '.so' in f: print(d + '/' + f)\n";

/* Reads what a program writes, for ten seconds at most; false: it cannot be run, or failed. */
static bool ask(const char *executable, char *text, size_t room) {
    char *const argv[] = {(char *)(uintptr_t)executable, (char *)(uintptr_t)"-Ic",
                          (char *)(uintptr_t)question, NULL};
    int ends[2], status = -1;
    pid_t child;
    size_t n = 0;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&child, executable, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        return false;
    }
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    for (;;) {
        ssize_t got;
        if (poll(&ready, 1, 10000) <= 0 && errno != EINTR) {
            kill(child, SIGKILL);
            break;
        }
        got = read(ends[0], text + n, room - 1 - n);
        if (got > 0) n += (size_t)got;
        if (got == 0 || n == room - 1 || (got < 0 && errno != EINTR)) break;
    }
    close(ends[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    text[n] = '\0';
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static char *next_line(char **at) {
    char *line = *at, *end = strchr(line, '\n');
    if (!end) return NULL;
    *end = '\0';
    *at = end + 1;
    return line;
}

static bool because(gx_py_found *f, const char *text, const char *what) {
    snprintf(f->why, sizeof f->why, text, what);
    return false;
}

/* Takes an answer apart. */
static bool read_answer(gx_py_found *f, char *text) {
    char *version = next_line(&text), *executable = version ? next_line(&text) : NULL;
    char *kind = executable ? next_line(&text) : NULL, *path;
    if (!kind) return because(f, "%s does not answer as a Python does", f->executable);
    snprintf(f->version, sizeof f->version, "%.31s", version);
    if (*executable) snprintf(f->executable, sizeof f->executable, "%s", executable);
    f->minor = strncmp(version, "3.", 2) == 0 ? atoi(version + 2) : 0;
    if (f->minor < OLDEST)
        return because(f, "its version is %s; 3.9 or newer is needed", f->version);
    if (f->minor > NEWEST)
        return because(f, "its version, %s, is newer than this gx knows: up to 3.14", f->version);
    if (strcmp(kind, "t") == 0)
        return because(f, "it is a free-threaded build (%st), which gx cannot use", f->version);
    if (strcmp(kind, "cpython") != 0) return because(f, "it is %s, not CPython", kind);
    while ((path = next_line(&text))) {
        if (access(path, R_OK) != 0) continue;
        snprintf(f->library, sizeof f->library, "%s", path);
        return true;
    }
    return because(f, "it has no shared library: it was built without --enable-shared; install "
                      "libpython3.%s, or name another Python by GX_PYTHON", strrchr(f->version, '3')
                      ? f->version + 2 : "");
}

static bool is_library(const char *path) {
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    return strncmp(name, "libpython", 9) == 0 && strstr(name, ".so");
}

bool gx_py_find(gx_py_found *f) {
    char text[8192];
    const char *named = getenv("GX_PYTHON"), *venv = getenv("VIRTUAL_ENV");
    *f = (gx_py_found){.why = ""};
    if (named && is_library(named)) {
        snprintf(f->library, sizeof f->library, "%s", named);
        return access(named, R_OK) == 0 || because(f, "GX_PYTHON names %s, which is not there",
                                                   named);
    }
    if (named && *named)
        snprintf(f->executable, sizeof f->executable, "%s", named);
    else if (venv && *venv)
        snprintf(f->executable, sizeof f->executable, "%s/bin/python", venv);
    else
        snprintf(f->executable, sizeof f->executable, "python3");
    if (ask(f->executable, text, sizeof text)) return read_answer(f, text);
    return because(f, named && *named  ? "GX_PYTHON names %s, which cannot be run as a Python"
                      : venv && *venv  ? "the active virtual environment's %s cannot be run"
                                       : "there is no %s on the PATH; GX_PYTHON may name a Python",
                   f->executable);
}

/* --- opening ---------------------------------------------------------------------------------- */

typedef struct symbol {
    const char *name;
    size_t at; /* in gx_py_api */
    bool late; /* older libraries lack it */
} symbol;

static const symbol symbols[] = {
#define PY(type, name, params) {#name, offsetof(gx_py_api, name), false},
#define PY_LATE(type, name, params) {#name, offsetof(gx_py_api, name), true},
#define PY_TYPE(name) {#name, offsetof(gx_py_api, name), false},
#define PY_OBJECT(name) {#name, offsetof(gx_py_api, name), false},
#define PY_POINTER(name) {#name, offsetof(gx_py_api, name), false},
#include "stdlib/bridge/symbols.def"
};

bool gx_py_load(gx_py_found *f, bool running) {
    /* Its own modules find its symbols among those of the process; so does gx where it is one. */
    void *library = dlopen(running ? NULL : f->library, RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        const char *said = dlerror();
        return because(f, "its library cannot be opened: %s", said ? said : f->library);
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *at = dlsym(library, symbols[i].name);
        if (!at && !symbols[i].late)
            return because(f, "its library lacks %s", symbols[i].name);
        memcpy((char *)&py + symbols[i].at, &at, sizeof at);
    }
    const char *(*version)(void);
    void *at = dlsym(library, "Py_GetVersion");
    if (!at) return because(f, "%s is no library of Python", f->library);
    memcpy(&version, &at, sizeof at);
    snprintf(f->version, sizeof f->version, "%.*s", (int)strcspn(version(), " "), version());
    f->minor = strncmp(f->version, "3.", 2) == 0 ? atoi(f->version + 2) : 0;
    if (f->minor < OLDEST || f->minor > NEWEST)
        return because(f, "its version is %s; 3.9 to 3.14 can be used", f->version);
    return !strstr(version(), "free-threading") ||
           because(f, "it is a free-threaded build (%s), which gx cannot use", f->version);
}
