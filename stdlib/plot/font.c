/* Text as strokes: for the pixels of a PNG, and to know how wide labels are. Characters that the
   table lacks are drawn as their base letter (é as e with an accent) or as an empty box. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/plot/canvas_int.h"
#include "stdlib/plot/font_table.h"

enum { GLYPHS = sizeof glyphs / sizeof *glyphs, MOST_POINTS = 160 };
static const double gap = 3.2; /* between letters */
static const double em = 20;

static const struct glyph *find_glyph(uint32_t code) {
    int low = 0, high = GLYPHS - 1;
    while (low <= high) {
        int mid = (low + high) / 2;
        if (glyphs[mid].code == code) return &glyphs[mid];
        if (glyphs[mid].code < code)
            low = mid + 1;
        else
            high = mid - 1;
    }
    return NULL;
}

/* A letter as it is drawn: the glyph, how large and how high it stands, and its accent. */
typedef struct letter {
    const struct glyph *glyph;
    double scale, rise;
    char accent;
} letter;

/* Superscripts and subscripts are small figures. */
static bool small_figure(uint32_t code, letter *out) {
    static const struct {
        uint32_t code;
        char as;
    } raised[] = {{0xB2, '2'},   {0xB3, '3'},   {0xB9, '1'},   {0x2070, '0'}, {0x2071, 'i'},
                  {0x207A, '+'}, {0x207B, '-'}, {0x207F, 'n'}, {0x2044, '/'}};
    char as = 0;
    bool below = false;
    for (size_t i = 0; i < sizeof raised / sizeof *raised; i++)
        if (raised[i].code == code) as = raised[i].as;
    if (code >= 0x2074 && code <= 0x2079) as = (char)('4' + (code - 0x2074));
    if (code >= 0x2080 && code <= 0x2089) {
        as = (char)('0' + (code - 0x2080));
        below = true;
    }
    if (!as) return false;
    *out = (letter){.glyph = find_glyph((uint32_t)as), .scale = 0.66, .rise = below ? -3 : 6.6};
    return true;
}

/* Latin letters with a mark above: the base letter and the mark. */
static bool accented(uint32_t code, letter *out) {
    static const char bases[] = "AAAAAA.CEEEEIIII.NOOOOO..UUUUY..aaaaaa.ceeeeiiii.nooooo..uuuuy.y";
    static const char marks[] = "`'^~:o.,`'^:`'^:.~`'^~:..`'^:'..`'^~:o.,`'^:`'^:.~`'^~:..`'^:'.:";
    if (code < 0xC0 || code > 0xFF || bases[code - 0xC0] == '.') return false;
    *out = (letter){.glyph = find_glyph((uint32_t)bases[code - 0xC0]), .scale = 1,
                    .accent = marks[code - 0xC0]};
    return true;
}

static letter letter_of(uint32_t code) {
    static const struct glyph box = {0, 8, "M0 0 8 0 8 13 0 13 0 0"};
    letter l = {.glyph = find_glyph(code), .scale = 1};
    if (l.glyph || small_figure(code, &l) || accented(code, &l)) return l;
    l.glyph = &box;
    return l;
}

double gx_font_width(const char *text, double size, int style) {
    double w = 0;
    while (*text) {
        int bytes;
        letter l = letter_of(gx_utf8_decode(text, &bytes));
        w += (l.glyph->width + gap) * l.scale;
        text += bytes;
    }
    return w > 0 ? (w - gap) * size / em * (style & GX_TEXT_BOLD ? 1.08 : 1) : 0;
}

double gx_font_weight(double size, int style) {
    return size * (style & GX_TEXT_BOLD ? 0.15 : 0.085);
}

typedef struct pen {
    double xy[2 * MOST_POINTS];
    int n;
    double x, y, unit; /* of the letter's origin */
    const letter *l;
    double origin[2], turn[2]; /* the cosine and sine of its angle */
    double wide, slant;
    gx_font_stroke stroke;
    void *ctx;
} pen;

static void lift(pen *p) {
    if (p->n > 1) p->stroke(p->ctx, p->xy, p->n);
    p->n = 0;
}

static void point(pen *p, double gx, double gy) {
    if (p->n == MOST_POINTS) return;
    double v = (gy * p->l->scale + p->l->rise) * p->unit;
    double u = (p->x + gx * p->l->scale * p->unit) * p->wide + p->slant * v;
    p->xy[2 * p->n] = p->origin[0] + u * p->turn[0] - v * p->turn[1];
    p->xy[2 * p->n + 1] = p->origin[1] - u * p->turn[1] - v * p->turn[0];
    p->n++;
}

static void arc(pen *p, const double v[6]) {
    const double radian = 3.14159265358979323846 / 180;
    int steps = (int)ceil(fabs(v[5] - v[4]) / 12);
    for (int i = 0; i <= steps; i++) {
        double a = (v[4] + (v[5] - v[4]) * i / steps) * radian;
        point(p, v[0] + v[2] * cos(a), v[1] + v[3] * sin(a));
    }
}

static void run_strokes(pen *p, const char *s) {
    while (*s) {
        double v[6];
        char *end;
        if (*s == ' ') {
            s++;
        } else if (*s == 'M') {
            lift(p);
            s++;
        } else {
            bool is_arc = *s == 'A';
            s += is_arc;
            for (int i = 0; i < (is_arc ? 6 : 2); i++) {
                v[i] = strtod(s, &end);
                s = end;
            }
            if (is_arc)
                arc(p, v);
            else
                point(p, v[0], v[1]);
        }
    }
    lift(p);
}

static void draw_accent(pen *p) {
    double middle = p->l->glyph->width / 2, y = p->l->glyph->code < 'a' ? 16 : 12;
    const char *shape = NULL;
    switch (p->l->accent) {
    case '`': shape = "M-2 2.5 .8 0"; break;
    case '\'': shape = "M2 2.5 -.8 0"; break;
    case '^': shape = "M-2.5 0 0 2.5 2.5 0"; break;
    case '~': shape = "M-3 .5 -1 1.8 1 .6 3 1.8"; break;
    case ':': shape = "M-2 1 -2 1.6M2 1 2 1.6"; break;
    case 'o': shape = "MA0 1.6 1.5 1.5 0 360"; break;
    case ',': shape = "M.8 -1 -.6 -3.4"; y = 0; break;
    default: return;
    }
    double x = p->x;
    letter shifted = *p->l, *of = &shifted;
    const letter *before = p->l;
    of->rise += y * of->scale;
    p->x += middle * of->scale * p->unit;
    p->l = of;
    run_strokes(p, shape);
    p->l = before;
    p->x = x;
}

void gx_font_draw(const gx_letters *t, gx_font_stroke stroke, void *ctx) {
    const double angle = t->angle * 3.14159265358979323846 / 180;
    pen p = {.unit = t->size / em, .origin = {t->x, t->y}, .turn = {cos(angle), sin(angle)},
             .wide = t->style & GX_TEXT_BOLD ? 1.08 : 1,
             .slant = t->style & GX_TEXT_ITALIC ? 0.2 : 0, .stroke = stroke, .ctx = ctx};
    for (const char *text = t->text; *text;) {
        int bytes;
        letter l = letter_of(gx_utf8_decode(text, &bytes));
        p.l = &l;
        run_strokes(&p, l.glyph->strokes);
        if (l.accent) draw_accent(&p);
        p.x += (l.glyph->width + gap) * l.scale * p.unit;
        text += bytes;
    }
}
