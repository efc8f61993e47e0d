/* Plays a user at a terminal (pty --possible: status 0 where it can): pty GX CASES… starts gx under
   a pseudo-terminal for each case of the files, types, and compares the screen. A case is what
   follows a line `== name`:

     size COLUMNS ROWS      of the terminal (80 24), before start
     env NAME=VALUE         for gx, before start
     start [ARGUMENTS]      gx; `start shell` starts bash, where `gx` is a command
     terminal N             a second window: what follows is about it
     send TEXT              types; \r \t \e \n \\ \xHH are escapes
     paste TEXT             the same as one bracketed paste
     repeat N TEXT          types N times; \# is the number, from 1
     screen … end           what the screen shows, from its first row; waits up to 30 s for it
     shows TEXT             some row contains it; gone TEXT: none does
     last TEXT              the last row that is not blank
     cursor ROW COLUMN      where the cursor stands, from 0
     colour ROW COLUMN N    the SGR number there (0: none)
     resize COLUMNS ROWS
     signal NAME            SEGV, ABRT, TERM, HUP, INT
     cooked                 the terminal is in its own mode again
     ends STATUS            gx has ended; a signal as -N
     private FILE           its mode is 0600; FILE is in the case's folder, which is $HOME

   Every wait ends as soon as it is fulfilled. Nothing is timed. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/pty/screen.h"

enum { WAIT_MS = 120000, WINDOWS = 3, LINE = 4096 };

typedef struct window {
    int fd;
    pid_t pid;
    screen s;
    bool ended;
    int status;
} window;

typedef struct play {
    const char *gx, *file;
    char name[200], home[64];
    int line, columns, rows, at;
    window windows[WINDOWS];
    char env[8][256];
    int env_count;
    bool failed, in_case;
    int passed_cases, failed_cases;
} play;

static window *here(play *p) {
    return &p->windows[p->at];
}

static void complain(play *p, const char *what, const char *detail) {
    printf("%s:%d: %s: %s%s%s\n", p->file, p->line, p->name, what, *detail ? ": " : "",
           strchr(detail, 10) ? "" : detail);
    for (int r = 0; r < here(p)->s.rows && here(p)->fd >= 0; r++) {
        char row[LINE];
        screen_row(&here(p)->s, r, row, sizeof row);
        if (*row) printf("    %2d|%s\n", r, row);
    }
    p->failed = true;
}

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads what gx has written, waiting at most `ms` for the first of it. */
static void read_some(window *w, int ms) {
    char bytes[65536];
    struct pollfd ready = {.fd = w->fd, .events = POLLIN};
    if (w->fd < 0) return;
    if (poll(&ready, 1, ms) <= 0) return;
    ssize_t n = read(w->fd, bytes, sizeof bytes);
    if (n > 0) screen_feed(&w->s, bytes, (size_t)n);
    if (n <= 0 && ms) usleep(1000);
}

/* Waits until a condition holds. */
static bool wait_for(play *p, bool (*holds)(play *, const char *), const char *argument) {
    int64_t end = now_ms() + WAIT_MS;
    while (!holds(p, argument)) {
        if (now_ms() > end) return false;
        read_some(here(p), 20);
    }
    return true;
}

static size_t unescape(const char *text, int number, char *out) {
    size_t n = 0;
    for (const char *c = text; *c; c++) {
        if (*c != '\\' || !c[1]) {
            out[n++] = *c;
            continue;
        }
        c++;
        switch (*c) {
        case 'r':
            out[n++] = '\r';
            break;
        case 't':
            out[n++] = '\t';
            break;
        case 'n':
            out[n++] = '\n';
            break;
        case 'e':
            out[n++] = '\033';
            break;
        case '#':
            n += (size_t)sprintf(out + n, "%d", number);
            break;
        case 'x':
            out[n++] = (char)strtol((char[]){c[1], c[2], 0}, NULL, 16);
            c += 2;
            break;
        default:
            out[n++] = *c;
        }
    }
    out[n] = '\0';
    return n;
}

static void type_bytes(play *p, const char *bytes, size_t length) {
    window *w = here(p);
    int64_t end = now_ms() + WAIT_MS;
    while (length && now_ms() < end) {
        struct pollfd ready = {.fd = w->fd, .events = POLLOUT | POLLIN};
        if (poll(&ready, 1, 100) <= 0) continue;
        if (ready.revents & POLLIN) read_some(w, 0);
        if (!(ready.revents & POLLOUT)) continue;
        ssize_t n = write(w->fd, bytes, length > 1024 ? 1024 : length);
        if (n < 0 && errno != EINTR && errno != EAGAIN) return;
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
        }
    }
}

static void child(play *p, char *words) {
    char *argv[20] = {(char *)(uintptr_t)p->gx};
    int n = 1;
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    if (chdir(p->home) != 0) _exit(99);
    setenv("HOME", p->home, 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("NO_COLOR");
    unsetenv("GX_HISTORY");
    for (int i = 0; i < p->env_count; i++) putenv(p->env[i]);
    if (strcmp(words, "shell") == 0) {
        char path[LINE];
        snprintf(path, sizeof path, "gx() { command %s \"$@\"; }; export -f gx; PS1='$ '", p->gx);
        FILE *rc = fopen("rc", "w");
        if (!rc || fprintf(rc, "%s\n", path) < 0 || fclose(rc) != 0) _exit(99);
        execlp("bash", "bash", "--noprofile", "--rcfile", "rc", "-i", (char *)NULL);
        _exit(99);
    }
    for (char *w = strtok(words, " "); w && n < 19; w = strtok(NULL, " ")) argv[n++] = w;
    execv(p->gx, argv);
    _exit(99);
}

/* Has anything been written? What is typed before is the terminal's own, and echoed. */
static bool is_ready(play *p, const char *unused) {
    (void)unused;
    return here(p)->s.paste || here(p)->s.storages[0][0].text[0] || here(p)->ended;
}

static void start(play *p, char *words) {
    window *w = here(p);
    struct winsize size = {.ws_row = (unsigned short)p->rows, .ws_col = (unsigned short)p->columns};
    screen_init(&w->s, p->columns, p->rows);
    w->ended = false;
    w->pid = forkpty(&w->fd, NULL, NULL, &size);
    if (w->pid == 0) {
        signal(SIGINT, SIG_DFL); /* whoever runs the tests in the background has it ignored */
        child(p, words);
    }
    if (w->pid < 0) complain(p, "no pseudo-terminal", strerror(errno));
    if (w->pid > 0 && !wait_for(p, is_ready, "")) complain(p, "no prompt", "");
}

static bool has_ended(play *p, const char *unused) {
    window *w = here(p);
    int status;
    (void)unused;
    if (!w->ended && waitpid(w->pid, &status, WNOHANG) == w->pid) {
        w->ended = true;
        w->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    }
    return w->ended;
}

static bool row_shows(play *p, const char *text) {
    for (int r = 0; r < here(p)->s.rows; r++) {
        char row[LINE];
        screen_row(&here(p)->s, r, row, sizeof row);
        if (strstr(row, text)) return true;
    }
    return false;
}

static bool row_lacks(play *p, const char *text) {
    return !row_shows(p, text);
}

static bool is_last(play *p, const char *text) {
    char row[LINE] = "";
    for (int r = here(p)->s.rows - 1; r >= 0 && !*row; r--)
        screen_row(&here(p)->s, r, row, sizeof row);
    return strcmp(row, text) == 0;
}

/* All rows, as one text. */
static bool is_screen(play *p, const char *text) {
    for (int r = 0; r < here(p)->s.rows; r++) {
        char row[LINE];
        const char *end = strchr(text, '\n');
        size_t length = end ? (size_t)(end - text) : strlen(text);
        screen_row(&here(p)->s, r, row, sizeof row);
        if (strlen(row) != length || memcmp(row, text, length) != 0) return false;
        text += length + (end != NULL);
    }
    return true;
}

static bool cursor_is(play *p, const char *text) {
    int row = 0, column = 0;
    const screen *s = &here(p)->s;
    sscanf(text, "%d %d", &row, &column);
    return s->row == row && s->column == column && !s->hidden;
}

static bool colour_is(play *p, const char *text) {
    int row = 0, column = 0, colour = 0;
    sscanf(text, "%d %d %d", &row, &column, &colour);
    return here(p)->s.storages[row][column].colour == colour;
}

static bool is_cooked(play *p, const char *unused) {
    struct termios mode;
    (void)unused;
    if (tcgetattr(here(p)->fd, &mode) != 0) return false;
    return (mode.c_lflag & ICANON) && (mode.c_lflag & ECHO) && !here(p)->s.paste;
}

static void finish_case(play *p) {
    for (p->at = 0; p->at < WINDOWS; p->at++) {
        window *w = here(p);
        if (w->fd < 0) continue;
        if (w->s.unknown && !p->failed) complain(p, "an unknown escape sequence was written", "");
        if (!has_ended(p, "")) {
            kill(w->pid, SIGKILL);
            waitpid(w->pid, &(int){0}, 0);
        }
        close(w->fd);
        w->fd = -1;
    }
    p->at = 0;
    if (p->in_case) {
        char command[200];
        snprintf(command, sizeof command, "rm -rf '%s'", p->home);
        if (system(command) != 0) printf("%s is left\n", p->home);
        if (p->failed)
            p->failed_cases++;
        else
            p->passed_cases++;
    }
    p->in_case = p->failed = false;
}

static void begin_case(play *p, const char *name) {
    finish_case(p);
    snprintf(p->name, sizeof p->name, "%.190s", name);
    strcpy(p->home, "/tmp/gx-pty-XXXXXX");
    if (!mkdtemp(p->home)) complain(p, "no folder", strerror(errno));
    p->columns = 80;
    p->rows = 24;
    p->env_count = 0;
    p->in_case = true;
}

static void resize(play *p, const char *text) {
    int columns = 80, rows = 24;
    sscanf(text, "%d %d", &columns, &rows);
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    read_some(here(p), 100);
    screen_resize(&here(p)->s, columns, rows);
    if (ioctl(here(p)->fd, TIOCSWINSZ, &size) != 0) complain(p, "cannot resize", "");
}

static void send_signal(play *p, const char *name) {
    static const struct {
        const char *name;
        int number;
    } known[] = {{"SEGV", SIGSEGV}, {"ABRT", SIGABRT}, {"TERM", SIGTERM},
                 {"HUP", SIGHUP},   {"INT", SIGINT},   {"WINCH", SIGWINCH}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) != 0) continue;
        kill(here(p)->pid, known[i].number);
        return;
    }
    complain(p, "no such signal", name);
}

static void check(play *p, bool (*holds)(play *, const char *), const char *what,
                  const char *argument) {
    if (!wait_for(p, holds, argument)) complain(p, what, argument);
}

static void type_command(play *p, const char *word, const char *rest) {
    char bytes[4 * LINE];
    int from = 1, to = 1, used = 0;
    if (strcmp(word, "repeat") == 0) sscanf(rest, "%d %n", &to, &used);
    if (strcmp(word, "paste") == 0) type_bytes(p, "\033[200~", 6);
    for (int i = from; i <= to; i++) type_bytes(p, bytes, unescape(rest + used, i, bytes));
    if (strcmp(word, "paste") == 0) type_bytes(p, "\033[201~", 6);
}

static void check_private(play *p, const char *name) {
    char path[LINE];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", p->home, name);
    if (stat(path, &info) != 0 || (info.st_mode & 0777) != 0600) complain(p, "not private", path);
}

static void obey(play *p, const char *word, char *rest) {
    if (strcmp(word, "size") == 0)
        sscanf(rest, "%d %d", &p->columns, &p->rows);
    else if (strcmp(word, "env") == 0 && p->env_count < 8)
        snprintf(p->env[p->env_count++], sizeof p->env[0], "%s", rest);
    else if (strcmp(word, "start") == 0)
        start(p, rest);
    else if (strcmp(word, "terminal") == 0)
        p->at = atoi(rest) % WINDOWS;
    else if (strcmp(word, "send") == 0 || strcmp(word, "paste") == 0 || strcmp(word, "repeat") == 0)
        type_command(p, word, rest);
    else if (strcmp(word, "shows") == 0)
        check(p, row_shows, "no row shows", rest);
    else if (strcmp(word, "gone") == 0)
        check(p, row_lacks, "a row still shows", rest);
    else if (strcmp(word, "last") == 0)
        check(p, is_last, "the last row is not", rest);
    else if (strcmp(word, "cursor") == 0)
        check(p, cursor_is, "the cursor is not at", rest);
    else if (strcmp(word, "colour") == 0)
        check(p, colour_is, "another colour at", rest);
    else if (strcmp(word, "cooked") == 0)
        check(p, is_cooked, "the terminal is still raw", "");
    else if (strcmp(word, "resize") == 0)
        resize(p, rest);
    else if (strcmp(word, "signal") == 0)
        send_signal(p, rest);
    else if (strcmp(word, "private") == 0)
        check_private(p, rest);
    else if (strcmp(word, "ends") == 0) {
        check(p, has_ended, "gx has not ended", "");
        if (!p->failed && here(p)->status != atoi(rest)) complain(p, "another status than", rest);
    } else {
        complain(p, "no such command", word);
    }
}

static void play_file(play *p, const char *path) {
    char line[LINE], wanted[SCREEN_ROWS * 100];
    bool in_screen = false;
    FILE *f = fopen(path, "r");
    p->file = path;
    p->line = 0;
    if (!f) complain(p, "cannot be read", strerror(errno));
    while (f && fgets(line, sizeof line, f)) {
        p->line++;
        line[strcspn(line, "\n")] = '\0';
        if (in_screen) {
            in_screen = strcmp(line, "end") != 0;
            if (!in_screen) {
                if (!p->failed) check(p, is_screen, "another screen", wanted);
            } else if (strlen(wanted) + strlen(line) + 2 < sizeof wanted) {
                strcat(strcat(wanted, line), "\n");
            }
            continue;
        }
        if (strncmp(line, "== ", 3) == 0) begin_case(p, line + 3);
        if (!*line || *line == '#' || *line == '=' || p->failed) {
            in_screen = strcmp(line, "screen") == 0;
            continue;
        }
        char *space = strchr(line, ' '), none[1] = "";
        if (space) *space = '\0';
        in_screen = strcmp(line, "screen") == 0;
        wanted[0] = '\0';
        if (!in_screen) obey(p, line, space ? space + 1 : none);
    }
    finish_case(p);
    if (f) fclose(f);
}

/* Can this machine make a pseudo-terminal at all? */
static int possible(void) {
    int master, slave;
    if (openpty(&master, &slave, NULL, NULL, NULL) != 0) return 1;
    close(master);
    close(slave);
    return 0;
}

int main(int argc, char **argv) {
    static play p;
    char gx[LINE];
    if (argc == 2 && strcmp(argv[1], "--possible") == 0) return possible();
    if (argc < 3 || !realpath(argv[1], gx)) {
        fputs("usage: pty GX CASES...\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    p.gx = gx;
    for (int i = 0; i < WINDOWS; i++) p.windows[i].fd = -1;
    for (int i = 2; i < argc; i++) play_file(&p, argv[i]);
    printf("%d passed, %d failed\n", p.passed_cases, p.failed_cases);
    return p.failed_cases != 0;
}
