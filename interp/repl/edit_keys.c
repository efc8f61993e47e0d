/* Bytes of a terminal to keys: UTF-8, escape sequences (CSI, SS3, Alt), bracketed paste. A lone
   ESC is told from the start of a sequence by 50 ms of silence. Text that is no UTF-8, and
   sequences that nobody knows, become nothing. */
#include "interp/repl/edit.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/embed/tools.h"

enum { ESCAPE = 27, WAIT_MS = 50, PASTE_WAIT_MS = 2000 };

typedef enum filled { FILLED, SILENT, CLOSED, DISTURBED } filled;

/* Reads more bytes; waits `ms`, or without end when it is negative. */
static filled fill(gx_keys *k, int ms) {
    if (k->at) {
        k->pending.length -= k->at;
        memmove(k->pending.data, k->pending.data + k->at, k->pending.length);
        k->at = 0;
    }
    if (!gx_pad_reserve(&k->pending, 65536)) return CLOSED;
    struct pollfd ready = {.fd = k->in, .events = POLLIN};
    int n = poll(&ready, 1, ms);
    if (n < 0) return errno == EINTR ? DISTURBED : CLOSED;
    if (n == 0) return SILENT;
    ssize_t got =
        read(k->in, k->pending.data + k->pending.length, k->pending.room - k->pending.length - 1);
    if (got < 0 && errno == EINTR) return DISTURBED;
    if (got <= 0) return CLOSED;
    k->pending.length += (size_t)got;
    return FILLED;
}

bool gx_keys_waiting(gx_keys *k) {
    if (k->at < k->pending.length) return true;
    struct pollfd ready = {.fd = k->in, .events = POLLIN};
    return poll(&ready, 1, 0) > 0;
}

/* The byte at `at + ahead`, -1 when none comes in time. */
static int peek(gx_keys *k, size_t ahead, int ms) {
    while (k->at + ahead >= k->pending.length) {
        if (fill(k, ms) != FILLED) return -1;
    }
    return (unsigned char)k->pending.data[k->at + ahead];
}

bool gx_keys_space_next(gx_keys *k) {
    return gx_keys_waiting(k) && peek(k, 0, 0) == ' ';
}

/* Everything up to the end mark is one text; line ends become \n. */
static gx_key_kind read_paste(gx_keys *k) {
    static const char end[] = "\033[201~";
    size_t length = sizeof end - 1, seen = 0;
    for (;;) {
        char *from = k->pending.data + k->at;
        size_t have = k->pending.length - k->at;
        char *found = have > seen ? memmem(from + seen, have - seen, end, length) : NULL;
        if (found) {
            bool ok = gx_pad_add(&k->text, from, (size_t)(found - from));
            k->at += (size_t)(found - from) + length;
            if (!ok) return GX_KEY_NOTHING;
            break;
        }
        seen = have > length ? have - length : 0;
        filled got = fill(k, PASTE_WAIT_MS);
        if (got == CLOSED) return GX_KEY_CLOSED;
        if (got == SILENT) { /* the end mark was lost: what came is the text */
            bool ok = gx_pad_add(&k->text, k->pending.data + k->at, k->pending.length - k->at);
            k->at = k->pending.length;
            if (!ok) return GX_KEY_NOTHING;
            break;
        }
    }
    size_t to = 0;
    char *p = k->text.data;
    for (size_t i = 0; i < k->text.length; i++) {
        if (p[i] == '\r') {
            p[to++] = '\n';
            if (i + 1 < k->text.length && p[i + 1] == '\n') i++;
        } else if (p[i] != ESCAPE && p[i] != 0) {
            p[to++] = p[i];
        }
    }
    k->text.length = to;
    if (p) p[to] = '\0';
    return to && gx_tool_utf8(p, to) == to ? GX_KEY_PASTE : GX_KEY_NOTHING;
}

/* ESC [ digits ; digits letter. Modifiers: 2 Shift, 3 Alt, 5 Ctrl. */
static gx_key_kind csi_key(int letter, int number, int modifier) {
    bool word = modifier == 3 || modifier == 5 || modifier == 7;
    switch (letter) {
    case 'A':
        return GX_KEY_UP;
    case 'B':
        return GX_KEY_DOWN;
    case 'C':
        return word ? GX_KEY_WORD_RIGHT : GX_KEY_RIGHT;
    case 'D':
        return word ? GX_KEY_WORD_LEFT : GX_KEY_LEFT;
    case 'H':
        return word ? GX_KEY_TEXT_START : GX_KEY_HOME;
    case 'F':
        return word ? GX_KEY_TEXT_END : GX_KEY_END;
    case 'Z':
        return GX_KEY_BACK_TAB;
    case 'u':
        return number == 13 && modifier > 1 ? GX_KEY_NEW_ROW : GX_KEY_NOTHING;
    case '~':
        break;
    default:
        return GX_KEY_NOTHING;
    }
    switch (number) {
    case 1:
    case 7:
        return GX_KEY_HOME;
    case 4:
    case 8:
        return GX_KEY_END;
    case 3:
        return GX_KEY_DELETE;
    case 5:
        return GX_KEY_PAGE_UP;
    case 6:
        return GX_KEY_PAGE_DOWN;
    default:
        return GX_KEY_NOTHING;
    }
}

static gx_key_kind read_sequence(gx_keys *k) {
    int numbers[2] = {0, 0}, which = 0;
    for (int used = 0; used < 32; used++) {
        int c = peek(k, 0, WAIT_MS);
        if (c < 0) return GX_KEY_NOTHING;
        k->at++;
        if (c >= '0' && c <= '9') {
            if (numbers[which] < 10000) numbers[which] = numbers[which] * 10 + (c - '0');
        } else if (c == ';') {
            which = 1;
        } else if (c >= 0x40 && c <= 0x7E) {
            if (c == '~' && numbers[0] == 200) return read_paste(k);
            return csi_key(c, numbers[0], numbers[1]);
        }
    }
    return GX_KEY_NOTHING;
}

static gx_key_kind read_escape(gx_keys *k) {
    int c = peek(k, 0, WAIT_MS);
    if (c < 0) return GX_KEY_ESCAPE;
    k->at++;
    switch (c) {
    case '[':
        return read_sequence(k);
    case 'O':
        c = peek(k, 0, WAIT_MS);
        if (c < 0) return GX_KEY_NOTHING;
        k->at++;
        return csi_key(c, 0, 0);
    case '\r':
    case '\n':
        return GX_KEY_NEW_ROW;
    case 127:
    case 8:
        k->code = 127;
        return GX_KEY_ALT;
    case ESCAPE:
        k->at--;
        return GX_KEY_ESCAPE;
    default:
        break;
    }
    if (c < 32 || c > 126) return GX_KEY_NOTHING;
    if (c == 'b') return GX_KEY_WORD_LEFT;
    if (c == 'f') return GX_KEY_WORD_RIGHT;
    k->code = (uint32_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    return GX_KEY_ALT;
}

/* Characters that stand together are one key: typing ahead costs one drawing. */
static gx_key_kind read_text(gx_keys *k) {
    while (k->at < k->pending.length) {
        int c = (unsigned char)k->pending.data[k->at], bytes = 1;
        if (c < 32 || c == 127) break;
        if (c >= 0x80) {
            int want = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 1;
            for (int i = 1; i < want; i++) {
                if (peek(k, (size_t)i, WAIT_MS) < 0) want = 1;
            }
            const char *p = k->pending.data + k->at;
            if (want == 1 || gx_tool_utf8(p, (size_t)want) != (size_t)want) {
                k->at++; /* no UTF-8 */
                continue;
            }
            bytes = want;
        }
        if (!gx_pad_add(&k->text, k->pending.data + k->at, (size_t)bytes)) break;
        k->at += (size_t)bytes;
    }
    return k->text.length ? GX_KEY_TEXT : GX_KEY_NOTHING;
}

gx_key_kind gx_keys_next(gx_keys *k) {
    k->text.length = 0;
    if (k->text.data) k->text.data[0] = '\0';
    while (k->at >= k->pending.length) {
        filled got = fill(k, -1);
        if (got == CLOSED) return GX_KEY_CLOSED;
        if (gx_term_disturbed()) return GX_KEY_REDRAW;
    }
    int c = (unsigned char)k->pending.data[k->at];
    if (c >= 32 && c != 127) return read_text(k);
    k->at++;
    switch (c) {
    case '\r':
    case '\n':
        return GX_KEY_ENTER;
    case '\t':
        return GX_KEY_TAB;
    case 127:
    case 8:
        return GX_KEY_BACKSPACE;
    case ESCAPE:
        return read_escape(k);
    case 0:
        return GX_KEY_NOTHING;
    default:
        k->code = (uint32_t)(c < 27 ? c + 'a' - 1 : c + '@');
        return GX_KEY_CTRL;
    }
}

void gx_keys_free(gx_keys *k) {
    gx_pad_free(&k->pending);
    gx_pad_free(&k->text);
}
