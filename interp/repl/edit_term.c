/* The terminal of the line editor: raw mode while an entry is edited, and the mode that was found
   at all other times. The mode comes back when the process is killed, aborts or crashes. Does not
   know what is drawn. */
#include "interp/repl/edit.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A signal handler can be told of the terminal only through variables of its own. */
static gx_term *volatile raw_term;
static volatile sig_atomic_t disturbed;

enum { FATAL = 9, WATCHED = 2 };
static const int fatal[FATAL] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE, SIGABRT,
                                 SIGTERM, SIGQUIT, SIGHUP, SIGTRAP};
static const int watched[WATCHED] = {SIGWINCH, SIGCONT};
static struct sigaction found[FATAL + WATCHED]; /* the handlers while raw mode is off */

static const char paste_on[] = "\033[?2004h", paste_off[] = "\033[?2004l\033[0m";

/* Only what a signal handler may call. */
static void put_back(const gx_term *t) {
    ssize_t ignored = write(t->out, paste_off, sizeof paste_off - 1);
    (void)ignored;
    tcsetattr(t->in, TCSANOW, &t->before);
}

static void on_fatal(int number) {
    int kept = errno;
    gx_term *t = raw_term;
    raw_term = NULL;
    if (t) put_back(t);
    for (int i = 0; i < FATAL; i++) {
        if (fatal[i] == number) sigaction(number, &found[i], NULL);
    }
    errno = kept;
    raise(number);
}

static void on_disturbance(int number) {
    int kept = errno;
    gx_term *t = raw_term;
    disturbed = 1;
    if (number == SIGCONT && t) { /* stopped from outside: the shell has changed the mode */
        struct termios mode = t->before;
        cfmakeraw(&mode);
        mode.c_oflag |= OPOST | ONLCR;
        tcsetattr(t->in, TCSANOW, &mode);
    }
    errno = kept;
}

bool gx_term_disturbed(void) {
    bool was = disturbed != 0;
    disturbed = 0;
    return was;
}

void gx_term_measure(gx_term *t) {
    struct winsize size = {0};
    if (ioctl(t->out, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        size.ws_col = 80;
        size.ws_row = 24;
    }
    t->columns = size.ws_col < 8 ? 8 : size.ws_col;
    t->rows = size.ws_row < 2 ? 2 : size.ws_row;
}

static bool wants_colours(void) {
    const char *no = getenv("NO_COLOR");
    return !(no && *no);
}

bool gx_term_open(gx_term *t, int in, int out) {
    const char *name = getenv("TERM"), *edit = getenv("GX_EDIT");
    memset(t, 0, sizeof *t);
    t->in = in;
    t->out = out;
    if (edit && strcmp(edit, "0") == 0) return false;
    if (!name || !*name || strcmp(name, "dumb") == 0) return false;
    if (!isatty(in) || !isatty(out) || tcgetattr(in, &t->before) != 0) return false;
    t->colours = wants_colours();
    gx_term_measure(t);
    return true;
}

void gx_term_raw(gx_term *t) {
    struct termios mode;
    if (t->raw || tcgetattr(t->in, &t->before) != 0) return;
    mode = t->before;
    cfmakeraw(&mode);
    mode.c_oflag |= OPOST | ONLCR; /* "\n" is still a new line: the editor is not alone */
    for (int i = 0; i < FATAL + WATCHED; i++) {
        struct sigaction action = {.sa_handler = i < FATAL ? on_fatal : on_disturbance};
        sigemptyset(&action.sa_mask);
        action.sa_flags = i < FATAL ? SA_NODEFER : 0;
        sigaction(i < FATAL ? fatal[i] : watched[i - FATAL], &action, &found[i]);
    }
    raw_term = t;
    t->raw = true;
    tcsetattr(t->in, TCSADRAIN, &mode);
    gx_term_write(t, paste_on, sizeof paste_on - 1);
    gx_term_measure(t);
}

void gx_term_restore(gx_term *t) {
    if (!t->raw) return;
    t->raw = false;
    raw_term = NULL;
    put_back(t);
    for (int i = 0; i < FATAL + WATCHED; i++)
        sigaction(i < FATAL ? fatal[i] : watched[i - FATAL], &found[i], NULL);
}

void gx_term_leave(void) {
    gx_term *t = raw_term;
    raw_term = NULL;
    if (t) put_back(t);
}

void gx_term_stop(gx_term *t) {
    gx_term_restore(t);
    kill(0, SIGTSTP); /* the whole job, as the terminal does it */
    gx_term_raw(t);
}

void gx_term_write(gx_term *t, const char *text, size_t length) {
    while (length) {
        ssize_t n = write(t->out, text, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return; /* the terminal is gone: reading will tell */
        text += n;
        length -= (size_t)n;
    }
}
