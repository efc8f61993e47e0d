/* A model of a terminal's screen: enough of ECMA-48 for what a line editor writes. A sequence that
   it does not know is counted, so that a test can tell. */
#ifndef GX_TESTS_PTY_SCREEN_H
#define GX_TESTS_PTY_SCREEN_H

#include <stddef.h>
#include <stdint.h>

enum { SCREEN_ROWS = 100, SCREEN_COLUMNS = 300, SCREEN_CELL = 24 };

typedef struct storage {
    char text[SCREEN_CELL]; /* UTF-8 with its marks; "" is blank */
    uint8_t colour;         /* 0, or the last SGR number */
    uint8_t covered;        /* the right half of a wide character */
} storage;

typedef struct screen {
    int rows, columns, row, column;
    int wrap; /* the last column is written: the next character goes to the next row */
    int colour, unknown, paste, hidden;
    storage storages[SCREEN_ROWS][SCREEN_COLUMNS];
    char rest[64]; /* a sequence or character that is not whole yet */
    size_t rest_length;
} screen;

void screen_init(screen *s, int columns, int rows);
/* What happens to a screen that does not fold its rows. */
void screen_resize(screen *s, int columns, int rows);
void screen_feed(screen *s, const char *bytes, size_t length);
/* A row without the blanks at its end. */
void screen_row(const screen *s, int row, char *out, size_t room);

#endif
