/* Colours by name, number or cycle, and what a terminal of 16 colours makes of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

#define RGB(x) {(x) >> 16 & 255, (x) >> 8 & 255, (x) & 255, 255}

static const gx_rgba cycle[10] = {RGB(0x1f77b4), RGB(0xff7f0e), RGB(0x2ca02c), RGB(0xd62728),
                                  RGB(0x9467bd), RGB(0x8c564b), RGB(0xe377c2), RGB(0x7f7f7f),
                                  RGB(0xbcbd22), RGB(0x17becf)};

static const struct named {
    const char *name;
    gx_rgba color;
} named[] = {
    {"b", RGB(0x0000ff)}, {"g", RGB(0x008000)}, {"r", RGB(0xff0000)}, {"c", RGB(0x00bfbf)},
    {"m", RGB(0xbf00bf)}, {"y", RGB(0xbfbf00)}, {"k", RGB(0x000000)}, {"w", RGB(0xffffff)},
    {"blue", RGB(0x0000ff)}, {"green", RGB(0x008000)}, {"red", RGB(0xff0000)},
    {"cyan", RGB(0x00ffff)}, {"magenta", RGB(0xff00ff)}, {"yellow", RGB(0xffff00)},
    {"black", RGB(0x000000)}, {"white", RGB(0xffffff)}, {"gray", RGB(0x808080)},
    {"grey", RGB(0x808080)}, {"lightgray", RGB(0xd3d3d3)}, {"lightgrey", RGB(0xd3d3d3)},
    {"darkgray", RGB(0xa9a9a9)}, {"darkgrey", RGB(0xa9a9a9)}, {"silver", RGB(0xc0c0c0)},
    {"dimgray", RGB(0x696969)}, {"dimgrey", RGB(0x696969)}, {"orange", RGB(0xffa500)},
    {"darkorange", RGB(0xff8c00)}, {"purple", RGB(0x800080)}, {"brown", RGB(0xa52a2a)},
    {"pink", RGB(0xffc0cb)}, {"hotpink", RGB(0xff69b4)}, {"olive", RGB(0x808000)},
    {"teal", RGB(0x008080)}, {"navy", RGB(0x000080)}, {"maroon", RGB(0x800000)},
    {"lime", RGB(0x00ff00)}, {"aqua", RGB(0x00ffff)}, {"fuchsia", RGB(0xff00ff)},
    {"gold", RGB(0xffd700)}, {"salmon", RGB(0xfa8072)}, {"coral", RGB(0xff7f50)},
    {"tomato", RGB(0xff6347)}, {"crimson", RGB(0xdc143c)}, {"firebrick", RGB(0xb22222)},
    {"darkred", RGB(0x8b0000)}, {"indigo", RGB(0x4b0082)}, {"violet", RGB(0xee82ee)},
    {"orchid", RGB(0xda70d6)}, {"plum", RGB(0xdda0dd)}, {"turquoise", RGB(0x40e0d0)},
    {"skyblue", RGB(0x87ceeb)}, {"lightblue", RGB(0xadd8e6)}, {"steelblue", RGB(0x4682b4)},
    {"royalblue", RGB(0x4169e1)}, {"dodgerblue", RGB(0x1e90ff)}, {"darkblue", RGB(0x00008b)},
    {"cornflowerblue", RGB(0x6495ed)}, {"slateblue", RGB(0x6a5acd)},
    {"lightgreen", RGB(0x90ee90)}, {"darkgreen", RGB(0x006400)}, {"forestgreen", RGB(0x228b22)},
    {"seagreen", RGB(0x2e8b57)}, {"limegreen", RGB(0x32cd32)}, {"khaki", RGB(0xf0e68c)},
    {"tan", RGB(0xd2b48c)}, {"chocolate", RGB(0xd2691e)}, {"sienna", RGB(0xa0522d)},
    {"beige", RGB(0xf5f5dc)}, {"ivory", RGB(0xfffff0)}, {"lavender", RGB(0xe6e6fa)},
    {"tab:blue", RGB(0x1f77b4)}, {"tab:orange", RGB(0xff7f0e)}, {"tab:green", RGB(0x2ca02c)},
    {"tab:red", RGB(0xd62728)}, {"tab:purple", RGB(0x9467bd)}, {"tab:brown", RGB(0x8c564b)},
    {"tab:pink", RGB(0xe377c2)}, {"tab:gray", RGB(0x7f7f7f)}, {"tab:grey", RGB(0x7f7f7f)},
    {"tab:olive", RGB(0xbcbd22)}, {"tab:cyan", RGB(0x17becf)},
};
enum { NAMED = sizeof named / sizeof *named };

gx_rgba gx_color_cycle(int i) {
    return cycle[i % 10];
}

/* #rgb, #rrggbb or #rrggbbaa. */
static bool from_hex(const char *s, size_t n, gx_rgba *out) {
    if (n != 3 && n != 6 && n != 8) return false;
    if (strspn(s, "0123456789abcdefABCDEF") != n) return false;
    unsigned long v = strtoul(s, NULL, 16);
    if (n == 3)
        *out = (gx_rgba){(uint8_t)((v >> 8 & 15) * 17), (uint8_t)((v >> 4 & 15) * 17),
                         (uint8_t)((v & 15) * 17), 255};
    else if (n == 6)
        *out = (gx_rgba)RGB(v);
    else
        *out = (gx_rgba){(uint8_t)(v >> 24), (uint8_t)(v >> 16 & 255), (uint8_t)(v >> 8 & 255),
                         (uint8_t)(v & 255)};
    return true;
}

static bool from_text(const char *s, gx_rgba *out) {
    char *end;
    if (s[0] == '#') return from_hex(s + 1, strlen(s + 1), out);
    if (s[0] == 'C' && s[1] >= '0' && s[1] <= '9' && strspn(s + 1, "0123456789") == strlen(s + 1) &&
        strlen(s) < 8) {
        *out = gx_color_cycle(atoi(s + 1));
        return true;
    }
    for (int i = 0; i < NAMED; i++)
        if (strcmp(named[i].name, s) == 0) {
            *out = named[i].color;
            return true;
        }
    if (strcmp(s, "none") == 0) {
        *out = (gx_rgba){0, 0, 0, 0};
        return true;
    }
    double grey = strtod(s, &end);
    if (!*s || *end || !(grey >= 0 && grey <= 1)) return false;
    uint8_t g = (uint8_t)lround(grey * 255);
    *out = (gx_rgba){g, g, g, 255};
    return true;
}

static bool unknown(gx_rt *rt, const char *text) {
    const char *names[NAMED];
    for (int i = 0; i < NAMED; i++) names[i] = named[i].name;
    const char *near = strlen(text) > 2 ? gx_near_name(text, names, NAMED) : NULL;
    gx_fail(rt, GX_ValueError, "plot.color", "'%.40s' is not a colour%s%s%s", text,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return gx_note(rt, "colours are names ('red'), 'C0' to 'C9', '#1f77b4', a grey '0.5', or "
                       "(r, g, b) between 0 and 1");
}

bool gx_color_of(gx_rt *rt, gx_borrowed v, gx_rgba *out) {
    if (v.tag == GX_STR)
        return from_text(gx_as_str(v)->text, out) || unknown(rt, gx_as_str(v)->text);
    double parts[4] = {0, 0, 0, 1};
    gx_value list;
    int64_t n = -1;
    if (v.tag == GX_TUPLE || v.tag == GX_LIST || v.tag == GX_ARRAY) {
        const gx_value *items;
        if (!gx_tuple_of(rt, v, &list)) return false;
        n = gx_sequence_items(list, &items);
        for (int64_t i = 0; i < n && n <= 4; i++) {
            gx_try got = gx_as_double(rt, items[i], &parts[i]);
            if (got == GX_TRY_ERROR) n = -2;
            if (got != GX_TRY_YES || !(parts[i] >= 0 && parts[i] <= 1)) {
                n = n == -2 ? -2 : -1;
                break;
            }
        }
        gx_drop(list);
    }
    if (n == -2) return false;
    if (n != 3 && n != 4)
        return gx_fail(rt, GX_ValueError, "plot.color",
                       "a colour is a name, '#rrggbb' or 3 or 4 numbers between 0 and 1; got %s",
                       gx_type_name(v));
    *out = (gx_rgba){(uint8_t)lround(parts[0] * 255), (uint8_t)lround(parts[1] * 255),
                     (uint8_t)lround(parts[2] * 255), (uint8_t)lround(parts[3] * 255)};
    return true;
}

int gx_color_ansi(gx_rgba c) {
    int most = c.r > c.g ? c.r : c.g, least = c.r < c.g ? c.r : c.g;
    if (c.b > most) most = c.b;
    if (c.b < least) least = c.b;
    if (most - least < 40) return most < 60 ? 39 : 90; /* the terminal's own for black */
    double spread = most - least, hue;
    if (most == c.r)
        hue = (c.g - c.b) / spread;
    else if (most == c.g)
        hue = 2 + (c.b - c.r) / spread;
    else
        hue = 4 + (c.r - c.g) / spread;
    if (hue < 0) hue += 6;
    /* red, yellow, green, cyan, blue, magenta */
    static const int codes[6] = {31, 33, 32, 36, 34, 35};
    return codes[(int)(hue + 0.6) % 6];
}
