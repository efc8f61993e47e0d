/* `gx dap`: a debug adapter on standard input and output. The adapter is a text in gx
   (stdlib/debug); here is what it asks of C. A thread reads messages while the program runs, and
   asks the debugger to look at them at the next statement. The program itself has other standard
   streams: an empty input, and what it writes, by print or around gx, becomes `output` events. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "interp/cli/cli_int.h"
#include "interp/cli/mail_int.h"
#include "interp/embed/tools.h"

enum { GRACE = 4, MOST_HELD = 1 << 13 };

/* A message that has come, or the end of them. */
typedef struct gx_post {
    struct gx_post *next;
    gx_mail kind;
    size_t length;
    char text[];
} gx_post;

static struct {
    gx_state *s;
    gx_inbox in;
    FILE *to;
    long long seq;           /* of messages that were sent */
    int errors;              /* the standard error that the process had */
    int stray[2];            /* what is written to descriptors 1 and 2 comes out of these */
    int stream;              /* of what is held: 1 or 2 */
    char *held;              /* printed text that is not sent yet */
    size_t held_length, held_room;
    gx_post *first, **last; /* that nobody has read yet */
    time_t deadline;         /* 0: none; else the process ends then, */
    bool nudged;             /* and what runs has been interrupted before */
    bool done;
    pthread_t thread;
    pthread_mutex_t mail_lock, out_lock; /* of what has come; of what is sent */
    pthread_cond_t come;
} dap = {.mail_lock = PTHREAD_MUTEX_INITIALIZER,
         .out_lock = PTHREAD_MUTEX_INITIALIZER,
         .come = PTHREAD_COND_INITIALIZER};

/* --- what is sent ----------------------------------------------------------------------------- */

/* A text in JSON, at most 6 bytes for one, behind `out`; its end. */
static char *put_json(char *out, const char *text, size_t length) {
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        size_t good = c < 0x80 ? 1 : gx_tool_utf8(text + i, length - i < 4 ? length - i : 4);
        int bytes = 1;
        if (c >= 0x80 && good) (void)gx_tool_decode(text + i, &bytes);
        if (!good) {
            out += sprintf(out, "\\ufffd");
        } else if (c == '"' || c == '\\') {
            *out++ = '\\';
            *out++ = (char)c;
        } else if (c < 0x20) {
            out += sprintf(out, "\\u%04x", c);
        } else {
            memcpy(out, text + i, (size_t)bytes);
            out += bytes;
        }
        i += (size_t)bytes;
    }
    return out;
}

/* Sends what was printed. The lock is held, as in the next two. */
static void send_held(void) {
    if (!dap.held_length) return;
    char *text = malloc(6 * dap.held_length + 200);
    if (text) {
        char *end = text + sprintf(text,
                                   "{\"seq\":%lld,\"type\":\"event\",\"event\":\"output\",\"body\":"
                                   "{\"category\":\"%s\",\"output\":\"",
                                   ++dap.seq, dap.stream == 2 ? "stderr" : "stdout");
        end = put_json(end, dap.held, dap.held_length);
        memcpy(end, "\"}}", 3);
        (void)gx_mail_write(dap.to, text, (size_t)(end + 3 - text));
        free(text);
    }
    dap.held_length = 0;
}

static bool hold(int stream, const char *text, size_t length) {
    if (stream != dap.stream) send_held();
    dap.stream = stream;
    if (dap.held_room < dap.held_length + length) {
        size_t room = dap.held_length + length + 4096;
        char *more = realloc(dap.held, room);
        if (!more) return false;
        dap.held = more;
        dap.held_room = room;
    }
    memcpy(dap.held + dap.held_length, text, length);
    dap.held_length += length;
    if (dap.held_length > MOST_HELD || memchr(text, '\n', length)) send_held();
    return true;
}

/* What came around gx: from other programs, C libraries, kernels. False: its end. */
static bool take_stray(int i) {
    char text[1 << 12];
    ssize_t got;
    while ((got = read(dap.stray[i], text, sizeof text)) > 0) (void)hold(i + 1, text, (size_t)got);
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

static bool write_output(void *self, int stream, const char *text, size_t length) {
    (void)self;
    pthread_mutex_lock(&dap.out_lock);
    bool ok = hold(stream, text, length);
    pthread_mutex_unlock(&dap.out_lock);
    return ok;
}

/* send(text): an object without its seq, behind what was printed before. */
static gx_ref *send_message(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    const char *text;
    size_t length;
    (void)self;
    if (argc != 1 || !gx_ref_to_text(argv[0], &text, &length) || *text != '{')
        return gx_state_raise(s, "TypeError", "send takes the text of an object");
    char *whole = malloc(length + 40);
    if (!whole) return gx_state_raise(s, "MemoryError", "there is no memory for a message");
    fflush(stdout);
    fflush(stderr);
    pthread_mutex_lock(&dap.out_lock);
    for (int i = 0; i < 2; i++) (void)take_stray(i);
    send_held();
    size_t head = (size_t)sprintf(whole, "{\"seq\":%lld,", ++dap.seq);
    memcpy(whole + head, text + 1, length - 1);
    bool ok = gx_mail_write(dap.to, whole, head + length - 1);
    pthread_mutex_unlock(&dap.out_lock);
    free(whole);
    return gx_ref_bool(s, ok);
}

/* --- what has come ---------------------------------------------------------------------------- */

/* Ends the process if the program has not ended in time. */
static void set_deadline(void) {
    pthread_mutex_lock(&dap.mail_lock);
    if (!dap.deadline) dap.deadline = time(NULL) + GRACE;
    pthread_mutex_unlock(&dap.mail_lock);
}

static void deliver(gx_mail kind, const char *text, size_t length) {
    gx_post *l = malloc(sizeof *l + length);
    if (!l) return;
    *l = (gx_post){.kind = kind, .length = length};
    memcpy(l->text, text, length);
    pthread_mutex_lock(&dap.mail_lock);
    *dap.last = l;
    dap.last = &l->next;
    pthread_cond_signal(&dap.come);
    pthread_mutex_unlock(&dap.mail_lock);
    gx_state_ask(dap.s);
}

/* Is it the request that ends the session? It must work where no statement comes for long. */
static bool is_farewell(const char *text, size_t length) {
    static const char key[] = "\"command\"", value[] = "\"disconnect\"";
    const char *p = memmem(text, length, key, sizeof key - 1), *end = text + length;
    if (!p) return false;
    for (p += sizeof key - 1; p < end && strchr(" \t\r\n:", *p); p++) {}
    return (size_t)(end - p) >= sizeof value - 1 && memcmp(p, value, sizeof value - 1) == 0;
}

/* All messages that are there. False: no more will come. */
static bool read_mail(void) {
    const char *text = "";
    size_t length = 0;
    for (;;) {
        gx_mail kind = gx_inbox_next(&dap.in, 0, &text, &length);
        if (kind == GX_MAIL_NONE) return true;
        if (kind == GX_MAIL_WHOLE) {
            deliver(kind, text, gx_tool_utf8(text, length));
            if (is_farewell(text, length)) set_deadline();
            continue;
        }
        deliver(kind, "", 0);
        set_deadline();
        return false;
    }
}

static bool is_over(void) {
    pthread_mutex_lock(&dap.mail_lock);
    const time_t now = time(NULL);
    bool late = dap.deadline && now > dap.deadline, done = dap.done;
    bool nudge = dap.deadline && now > dap.deadline - GRACE / 2 && !dap.nudged && !done;
    dap.nudged = dap.nudged || nudge;
    pthread_mutex_unlock(&dap.mail_lock);
    if (nudge) (void)gx_state_interrupt(dap.s);
    if (late && !done) _exit(0);
    return done;
}

static void *read_all(void *self) {
    struct pollfd fds[] = {
        {dap.in.fd, POLLIN, 0}, {dap.stray[0], POLLIN, 0}, {dap.stray[1], POLLIN, 0}};
    (void)self;
    while (!is_over()) {
        int n = poll(fds, 3, 200);
        pthread_mutex_lock(&dap.out_lock);
        for (int i = 0; i < 2; i++)
            if (n > 0 && fds[i + 1].revents && !take_stray(i)) fds[i + 1].fd = -1;
        if (n == 0) send_held(); /* part of a row, and nothing more comes */
        pthread_mutex_unlock(&dap.out_lock);
        if (n > 0 && fds[0].revents && !read_mail()) fds[0].fd = -1;
    }
    return NULL;
}

/* receive(wait): as that of the language server (lsp.c), but waits for ever or not at all. */
static gx_ref *receive(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    bool waits;
    (void)self;
    if (argc != 1 || !gx_ref_to_bool(argv[0], &waits))
        return gx_state_raise(s, "TypeError", "receive takes a bool");
    pthread_mutex_lock(&dap.mail_lock);
    while (waits && !dap.first) pthread_cond_wait(&dap.come, &dap.mail_lock);
    gx_post *l = dap.first;
    /* An end stays: nothing comes behind it. */
    bool stays = l && l->kind != GX_MAIL_WHOLE;
    if (l && !stays && !(dap.first = l->next)) dap.last = &dap.first;
    pthread_mutex_unlock(&dap.mail_lock);
    if (!l) return gx_ref_none(s);
    if (stays) return gx_ref_bool(s, l->kind == GX_MAIL_BROKEN);
    gx_ref *text = gx_ref_text(s, l->text, l->length);
    free(l);
    return text;
}

/* --- the program ------------------------------------------------------------------------------ */

int gx_dap_open(gx_config *c) {
    int out[2], err[2], none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int from = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3),
        to = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    bool ok = none >= 0 && from >= 0 && to >= 0 && pipe(out) == 0 && pipe(err) == 0;
    if (!ok || !(dap.to = fdopen(to, "w"))) {
        fprintf(stderr, "gx dap: cannot take over the standard streams: %s\n", strerror(errno));
        return 1;
    }
    dap.errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    (void)dup2(none, STDIN_FILENO);
    (void)dup2(out[1], STDOUT_FILENO);
    (void)dup2(err[1], STDERR_FILENO);
    const int all[] = {out[0], out[1], err[0], err[1]};
    for (int i = 0; i < 4; i++) (void)fcntl(all[i], F_SETFD, FD_CLOEXEC);
    close(out[1]);
    close(err[1]);
    close(none);
    dap.stray[0] = out[0];
    dap.stray[1] = err[0];
    for (int i = 0; i < 2; i++) (void)fcntl(dap.stray[i], F_SETFL, O_NONBLOCK);
    dap.in.fd = from;
    dap.last = &dap.first;
    c->write = write_output;
    return -1;
}

void gx_dap_give_up(void) {
    if (dap.errors >= 0) (void)dup2(dap.errors, STDERR_FILENO);
}

/* Calls a function of the debugger's text; NULL: it failed, which is told. */
static gx_ref *call(gx_ref *module, const char *name, size_t argc, gx_ref *const *argv) {
    gx_ref *fn = gx_ref_attr(module, name);
    gx_ref *answer = fn ? gx_ref_call(fn, argc, argv) : NULL;
    gx_ref_drop(fn);
    if (!answer) (void)gx_state_report(dap.s);
    return answer;
}

/* The module, and what the client wants to be run: in o. */
static bool prepare(gx_ref *module, gx_cli *o) {
    static const struct {
        const char *name;
        gx_callback fn;
    } host[] = {{"receive", receive}, {"send", send_message}};
    enum { COUNT = sizeof host / sizeof *host };
    gx_ref *functions[COUNT], *answer = NULL;
    const char *path;
    size_t length;
    bool ok = true;
    for (size_t i = 0; i < COUNT; i++) {
        functions[i] = gx_ref_function(dap.s, host[i].name, NULL, host[i].fn, NULL);
        ok = ok && functions[i];
    }
    if (ok) answer = call(module, "serve", COUNT, functions);
    for (size_t i = 0; i < COUNT; i++) gx_ref_drop(functions[i]);
    ok = answer && gx_ref_to_text(answer, &path, &length) && length;
    char *file = ok ? strdup(path) : NULL; /* as long as the process */
    gx_ref_drop(answer);
    o->file = file;
    return file && gx_state_script(dap.s, file);
}

/* The program is compiled, or not: then nothing is run. */
bool gx_dap_start(gx_state *s, const gx_cli *o, bool compiled) {
    bool go = false;
    gx_ref *flag = gx_ref_bool(s, compiled);
    gx_ref *answer = flag ? call(o->adapter, "configure", 1, &flag) : NULL;
    bool ok = answer && gx_ref_to_bool(answer, &go);
    gx_ref_drop(answer);
    gx_ref_drop(flag);
    return ok && go;
}

int gx_dap_main(gx_state *s, gx_cli *o, int (*run)(gx_state *s, const gx_cli *o)) {
    static const char text[] = "__import__('gxdebug')";
    gx_ref *module = NULL;
    int status = 1;
    dap.s = s;
    gx_program *code = gx_state_compile(s, text, sizeof text - 1, "<dap>");
    bool ok = code && gx_program_run(code, GX_RUN_PLAIN, &module) && module;
    gx_program_drop(code);
    if (ok && pthread_create(&dap.thread, NULL, read_all, NULL) == 0) {
        o->adapter = module;
        status = 0;
        if (prepare(module, o)) {
            gx_ref *result = gx_ref_int(s, run(s, o));
            gx_ref *answer = result ? call(module, "ended", 1, &result) : NULL;
            gx_ref_drop(answer);
            gx_ref_drop(result);
        }
        pthread_mutex_lock(&dap.mail_lock);
        dap.done = true;
        pthread_mutex_unlock(&dap.mail_lock);
        pthread_join(dap.thread, NULL);
    } else {
        (void)gx_state_report(s);
    }
    gx_ref_drop(module);
    while (dap.first) {
        gx_post *l = dap.first;
        dap.first = l->next;
        free(l);
    }
    gx_inbox_free(&dap.in);
    fflush(stdout);
    return status;
}
