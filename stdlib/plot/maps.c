/* Colour maps: a few colours each, straight lines between them. "_r" behind a name turns one
   around. */
#include <math.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

struct gx_color_map {
    const char *name;
    bool reversed;
    int count;
    uint32_t stops[11];
};

#define MAP(name, n, ...)                                                                          \
    {name, false, n, {__VA_ARGS__}}, { name "_r", true, n, { __VA_ARGS__ } }

static const gx_color_map maps[] = {
    MAP("viridis", 10, 0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779,
        0x6ece58, 0xb5de2b, 0xfde725),
    MAP("plasma", 10, 0x0d0887, 0x46039f, 0x7201a8, 0x9c179e, 0xbd3786, 0xd8576b, 0xed7953,
        0xfb9f3a, 0xfdca26, 0xf0f921),
    MAP("magma", 10, 0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f, 0xcd4071, 0xf1605d,
        0xfd9668, 0xfeca8d, 0xfcfdbf),
    MAP("inferno", 10, 0x000004, 0x1b0c41, 0x4a0c6b, 0x781c6d, 0xa52c60, 0xcf4446, 0xed6925,
        0xfb9b06, 0xf7d13d, 0xfcffa4),
    MAP("cividis", 9, 0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74,
        0xe1cc55, 0xfee838),
    MAP("gray", 2, 0x000000, 0xffffff),
    MAP("grey", 2, 0x000000, 0xffffff),
    MAP("binary", 2, 0xffffff, 0x000000),
    MAP("Greys", 5, 0xffffff, 0xd9d9d9, 0x969696, 0x525252, 0x000000),
    MAP("Blues", 5, 0xf7fbff, 0xc6dbef, 0x6baed6, 0x2171b5, 0x08306b),
    MAP("Reds", 5, 0xfff5f0, 0xfcbba1, 0xfb6a4a, 0xcb181d, 0x67000d),
    MAP("Greens", 5, 0xf7fcf5, 0xc7e9c0, 0x74c476, 0x238b45, 0x00441b),
    MAP("hot", 4, 0x0b0000, 0xff0000, 0xffff00, 0xffffff),
    MAP("cool", 2, 0x00ffff, 0xff00ff),
    MAP("jet", 9, 0x000080, 0x0000ff, 0x0080ff, 0x00ffff, 0x80ff80, 0xffff00, 0xff8000, 0xff0000,
        0x800000),
    MAP("turbo", 11, 0x30123b, 0x4145ab, 0x4675ed, 0x1bcfd5, 0x24eca6, 0x61fc6c, 0xa4fc3c,
        0xd1e834, 0xf3c63a, 0xf36315, 0x7a0403),
    MAP("coolwarm", 7, 0x3b4cc0, 0x7396f5, 0xb0cbfc, 0xdddcdc, 0xf7b99e, 0xe36b54, 0xb40426),
    MAP("RdBu", 7, 0xb2182b, 0xef8a62, 0xfddbc7, 0xf7f7f7, 0xd1e5f0, 0x67a9cf, 0x2166ac),
    MAP("bwr", 3, 0x0000ff, 0xffffff, 0xff0000),
    MAP("seismic", 5, 0x00004d, 0x0000ff, 0xffffff, 0xff0000, 0x800000),
    MAP("bone", 4, 0x000001, 0x545474, 0xa7c7c7, 0xffffff),
    MAP("twilight", 7, 0xe2d9e2, 0x6785be, 0x5a3a8e, 0x2f1436, 0x8b2e51, 0xc48772, 0xe2d9e2),
    MAP("hsv", 7, 0xff0000, 0xffff00, 0x00ff00, 0x00ffff, 0x0000ff, 0xff00ff, 0xff0000),
};
enum { MAPS = sizeof maps / sizeof *maps };

const gx_color_map *gx_color_map_of(gx_rt *rt, const char *name) {
    const char *names[MAPS];
    for (int i = 0; i < MAPS; i++) {
        if (strcmp(maps[i].name, name) == 0) return &maps[i];
        names[i] = maps[i].name;
    }
    const char *near = gx_near_name(name, names, MAPS);
    gx_fail(rt, GX_ValueError, "plot.cmap", "'%.40s' is not a colour map%s%s%s", name,
            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    gx_note(rt, "there are viridis, plasma, magma, inferno, cividis, gray, hot, jet, turbo, "
                "coolwarm, RdBu and some more, each also with _r");
    return NULL;
}

const char *gx_color_map_name(const gx_color_map *m) {
    return m->name;
}

static uint8_t between(uint32_t a, uint32_t b, int shift, double t) {
    double x = a >> shift & 255, y = b >> shift & 255;
    return (uint8_t)lround(x + (y - x) * t);
}

gx_rgba gx_color_map_at(const gx_color_map *m, double t) {
    if (isnan(t)) return (gx_rgba){0, 0, 0, 0};
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    if (m->reversed) t = 1 - t;
    double place = t * (m->count - 1);
    int i = place >= m->count - 1 ? m->count - 2 : (int)place;
    uint32_t a = m->stops[i], b = m->stops[i + 1];
    return (gx_rgba){between(a, b, 16, place - i), between(a, b, 8, place - i),
                     between(a, b, 0, place - i), 255};
}
