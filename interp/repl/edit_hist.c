/* Earlier entries. The file has one entry a line (\n and \\ stand for a row's end and a
   backslash), is the user's alone, and several windows append to it under a lock; each takes in
   what the others wrote before it shows a prompt. An entry that starts with a space is not kept. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/repl/edit.h"
#include "interp/embed/tools.h"

enum { KEPT = 10000, LARGEST = 8 << 20 };

/* Makes the folders on the way to a file. */
static void make_folders(char *path) {
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
}

static char *find_path(void) {
    const char *named = getenv("GX_HISTORY"), *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    gx_pad path = (gx_pad){0};
    bool ok;
    if (named)
        ok = *named && gx_pad_puts(&path, named);
    else if (state && *state)
        ok = gx_pad_printf(&path, "%s/gx/history", state);
    else
        ok = home && *home && gx_pad_printf(&path, "%s/.local/state/gx/history", home);
    if (!ok) gx_pad_free(&path);
    return path.data;
}

static bool push(gx_hist *h, const char *line, size_t length) {
    char *text = malloc(length + 1);
    size_t to = 0;
    if (!text) return false;
    for (size_t i = 0; i < length; i++) {
        if (line[i] != '\\' || i + 1 == length) {
            text[to++] = line[i];
            continue;
        }
        text[to++] = line[++i] == 'n' ? '\n' : line[i];
    }
    text[to] = '\0';
    size_t n = h->entries.count;
    bool again = n && strcmp(h->entries.items[n - 1], text) == 0;
    if (again || !to || gx_tool_utf8(text, to) != to || !gx_row_push(&h->entries, text))
        free(text);
    return true;
}

static void drop_oldest(gx_hist *h) {
    if (h->entries.count <= KEPT) return;
    size_t drop = h->entries.count - KEPT;
    for (size_t i = 0; i < drop; i++) free(h->entries.items[i]);
    memmove(h->entries.items, h->entries.items + drop, KEPT * sizeof *h->entries.items);
    h->entries.count = KEPT;
}

void gx_hist_refresh(gx_hist *h) {
    struct stat info;
    int file = h->path ? open(h->path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < h->read_to)
        h->read_to = info.st_size; /* somebody has emptied it: only what comes is new */
    if (info.st_size - h->read_to > LARGEST) h->read_to = info.st_size - LARGEST;
    size_t size = (size_t)(info.st_size - h->read_to), got = 0;
    char *text = size ? malloc(size) : NULL;
    while (text && got < size) {
        ssize_t n = pread(file, text + got, size - got, h->read_to + (int64_t)got);
        if (n <= 0) break;
        got += (size_t)n;
    }
    close(file);
    size_t at = 0;
    for (char *end; at < got && (end = memchr(text + at, '\n', got - at));) {
        size_t length = (size_t)(end - (text + at));
        if (!push(h, text + at, length)) break;
        at += length + 1;
    }
    h->read_to += (int64_t)at;
    free(text);
    drop_oldest(h);
}

/* The whole file anew, without its oldest entries, when it has become large. The lock is held. */
static void shorten(gx_hist *h, int file) {
    struct stat info;
    if (fstat(file, &info) != 0 || info.st_size <= LARGEST) return;
    char *text = malloc(LARGEST / 2);
    ssize_t n = text ? pread(file, text, LARGEST / 2, info.st_size - LARGEST / 2) : -1;
    char *first = n > 0 ? memchr(text, '\n', (size_t)n) : NULL;
    if (first && ftruncate(file, 0) == 0) {
        ssize_t left = n - (first + 1 - text), ignored = write(file, first + 1, (size_t)left);
        (void)ignored;
        h->read_to = left;
    }
    free(text);
}

void gx_hist_add(gx_hist *h, const char *text) {
    gx_pad line = (gx_pad){0};
    bool ok = true;
    if (!*text || *text == ' ' || *text == '\n') return;
    for (const char *p = text; *p && ok; p++) {
        if (*p == '\n' || *p == '\\')
            ok = gx_pad_char(&line, '\\') && gx_pad_char(&line, *p == '\n' ? 'n' : '\\');
        else
            ok = gx_pad_char(&line, *p);
    }
    size_t n = h->entries.count;
    bool again = n && strcmp(h->entries.items[n - 1], text) == 0;
    if (!ok || again || !gx_pad_char(&line, '\n')) {
        gx_pad_free(&line);
        return;
    }
    int file = h->path ? open(h->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) {
        ok = push(h, line.data, line.length - 1);
    } else {
        flock(file, LOCK_EX);
        gx_hist_refresh(h); /* what others wrote comes before it */
        ssize_t ignored = write(file, line.data, line.length);
        (void)ignored;
        gx_hist_refresh(h);
        shorten(h, file);
        close(file);
    }
    gx_pad_free(&line);
}

int64_t gx_hist_find(const gx_hist *h, int64_t from, int by, const char *text, size_t length,
                     bool anywhere) {
    for (int64_t i = from + by; i >= 0 && i < (int64_t)h->entries.count; i += by) {
        const char *entry = h->entries.items[i];
        if (anywhere ? strstr(entry, text) != NULL : strncmp(entry, text, length) == 0) return i;
    }
    return -1;
}

void gx_hist_open(gx_hist *h, bool kept) {
    *h = (gx_hist){.path = kept ? find_path() : NULL};
    if (!h->path) return;
    make_folders(h->path);
    gx_hist_refresh(h);
}

void gx_hist_close(gx_hist *h) {
    for (size_t i = 0; i < h->entries.count; i++) free(h->entries.items[i]);
    gx_row_free(&h->entries);
    free(h->path);
}
