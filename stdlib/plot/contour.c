/* Lines and areas of equal height over a grid of points. In each cell heights run straight along
   its sides; a saddle is decided by the mean of its corners. NaN is a hole. */
#include <math.h>
#include <string.h>

#include "stdlib/plot/canvas_int.h"

typedef struct field {
    const double *x, *y, *z;
    int64_t rows, columns;
} field;

static bool field_args(gx_np *s, gx_call *c, field *f) {
    const double **to[3] = {&f->x, &f->y, &f->z};
    for (int i = 2; i >= 0; i--) {
        gx_array *a = gx_np_arr(s, c->argv[i]);
        if (!a) return false;
        if (a->ndim != 2) return gx_arg_wrong(c, i, "an array with two axes");
        if (i == 2) f->rows = gx_shape(a)[0], f->columns = gx_shape(a)[1];
        if (gx_shape(a)[0] != f->rows || gx_shape(a)[1] != f->columns)
            return gx_arg_wrong(c, i, "as large as z");
        *to[i] = gx_np_data(s, gx_np_contiguous(s, gx_np_cast(s, a, GX_f64)));
        if (!*to[i]) return false;
    }
    return true;
}

typedef GX_VEC(double) points;

static bool add_point(gx_rt *rt, points *p, double x, double y) {
    return gx_vec_push(rt, p, x) && gx_vec_push(rt, p, y);
}

static bool give_points(gx_rt *rt, const points *p, gx_value *out) {
    const int64_t shape[2] = {(int64_t)p->count / 2, 2};
    gx_array *a;
    char *data;
    if (!gx_array_empty(rt, GX_f64, 2, shape, GX_NS_NUMPY, &a)) return false;
    if (!gx_array_write(rt, a, &data)) {
        gx_array_drop(a);
        return false;
    }
    if (p->count) memcpy(data, p->items, p->count * sizeof(double));
    *out = gx_array_value(a);
    return true;
}

/* Where a side from point a to point b has a height. The same from both ends. */
static void crossing(const field *f, int64_t a, int64_t b, double level, double *to) {
    if (a > b) {
        int64_t t = a;
        a = b, b = t;
    }
    double t = (level - f->z[a]) / (f->z[b] - f->z[a]);
    to[0] = f->x[a] + (f->x[b] - f->x[a]) * t;
    to[1] = f->y[a] + (f->y[b] - f->y[a]) * t;
}

/* The corners of a cell, once around. */
static bool corners_of(const field *f, int64_t i, int64_t j, int64_t at[4]) {
    at[0] = i * f->columns + j;
    at[1] = at[0] + 1;
    at[2] = at[1] + f->columns;
    at[3] = at[0] + f->columns;
    return isfinite(f->z[at[0]] + f->z[at[1]] + f->z[at[2]] + f->z[at[3]]);
}

/* --- lines: each crossed side has at most two neighbours; a line goes from one to the next --- */

typedef struct lines {
    gx_rt *rt;
    const field *f;
    double level;
    int64_t *next; /* of each side two: the side + 1 that a line goes to, or 0 */
} lines;

/* A side's number: of the one to the right of a point, or the one below it. */
static int64_t side(const int64_t at[4], int k) {
    return k == 0 ? 2 * at[0] : k == 1 ? 2 * at[1] + 1 : k == 2 ? 2 * at[3] : 2 * at[0] + 1;
}

static void join(lines *l, int64_t a, int64_t b) {
    l->next[2 * a + (l->next[2 * a] != 0)] = b + 1;
    l->next[2 * b + (l->next[2 * b] != 0)] = a + 1;
}

static void join_cell(lines *l, const int64_t at[4]) {
    const double *z = l->f->z;
    int64_t cut[4];
    int count = 0;
    for (int k = 0; k < 4; k++)
        if ((z[at[k]] < l->level) != (z[at[(k + 1) % 4]] < l->level)) cut[count++] = side(at, k);
    if (count == 2) join(l, cut[0], cut[1]);
    if (count < 4) return;
    double middle = (z[at[0]] + z[at[1]] + z[at[2]] + z[at[3]]) / 4;
    bool alike = (middle < l->level) == (z[at[0]] < l->level); /* the corner 0 goes on to 2 */
    join(l, cut[alike ? 0 : 3], cut[alike ? 1 : 0]);
    join(l, cut[alike ? 2 : 1], cut[alike ? 3 : 2]);
}

static bool put_side(lines *l, int64_t s, points *p) {
    double xy[2];
    crossing(l->f, s / 2, s / 2 + (s % 2 ? l->f->columns : 1), l->level, xy);
    return add_point(l->rt, p, xy[0], xy[1]);
}

/* The line from a side on; its links are used up. */
static bool follow(lines *l, int64_t from, points *p) {
    int64_t s = from;
    if (!put_side(l, s, p)) return false;
    for (;;) {
        int k = l->next[2 * s] ? 0 : 1;
        int64_t to = l->next[2 * s + k] - 1;
        if (to < 0) return true;
        l->next[2 * s + k] = 0;
        l->next[2 * to + (l->next[2 * to] == s + 1 ? 0 : 1)] = 0;
        if (!put_side(l, to, p)) return false;
        s = to;
    }
}

static bool all_lines(lines *l, gx_value list) {
    const int64_t sides = 2 * l->f->rows * l->f->columns;
    /* Lines that end somewhere first, then those that close. */
    for (int closed = 0; closed < 2; closed++)
        for (int64_t s = 0; s < sides; s++) {
            int links = (l->next[2 * s] != 0) + (l->next[2 * s + 1] != 0);
            if (links == 0 || (!closed && links != 1)) continue;
            points p = {0};
            gx_value a;
            bool ok = follow(l, s, &p) && give_points(l->rt, &p, &a) &&
                      gx_list_push_take(l->rt, list, a);
            gx_vec_free(l->rt, &p);
            if (!ok) return false;
        }
    return true;
}

bool gx_contour_lines(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    field f;
    lines l = {.rt = c->rt, .f = &f};
    gx_value list;
    if (!field_args(&s, c, &f) || !gx_arg_float(c, 3, &l.level)) return gx_np_end(&s, false);
    const int64_t n = 4 * f.rows * f.columns;
    l.next = gx_np_room(&s, n + 1, sizeof *l.next);
    if (!l.next) return gx_np_end(&s, false);
    memset(l.next, 0, (size_t)n * sizeof *l.next);
    for (int64_t i = 0; i + 1 < f.rows; i++) {
        if (!gx_interrupt_check(c->rt)) return gx_np_end(&s, false);
        for (int64_t j = 0; j + 1 < f.columns; j++) {
            int64_t at[4];
            if (corners_of(&f, i, j, at)) join_cell(&l, at);
        }
    }
    if (!gx_list_new(c->rt, 0, NULL, &list)) return gx_np_end(&s, false);
    if (all_lines(&l, list)) {
        *out = list;
        return gx_np_end(&s, true);
    }
    gx_drop(list);
    return gx_np_end(&s, false);
}

/* --- areas --- */

/* What of each cell lies between the levels, all turning the same way, so that common sides cancel
   where they are filled together. */

typedef struct corner {
    double x, y, z;
} corner;

typedef struct areas {
    gx_rt *rt;
    const field *f;
    double low, high;
    points p;
} areas;

static bool inside(const areas *a, double z) {
    return z >= a->low && z < a->high;
}

/* Where the side from p to q has a height, counted from the lower end, so that the cell on its
   other side finds the same. */
static bool put_between(areas *a, const corner *p, const corner *q, double level) {
    if (p->z > q->z || (p->z == q->z && p->x > q->x)) {
        const corner *t = p;
        p = q, q = t;
    }
    double t = (level - p->z) / (q->z - p->z);
    return add_point(a->rt, &a->p, p->x + (q->x - p->x) * t, p->y + (q->y - p->y) * t);
}

static bool put_polygon(areas *a, const corner *at, int n) {
    const size_t before = a->p.count;
    for (int k = 0; k < n; k++) {
        const corner *p = &at[k], *q = &at[(k + 1) % n];
        if (inside(a, p->z) && !add_point(a->rt, &a->p, p->x, p->y)) return false;
        const bool rises = p->z < q->z;
        const double first = rises ? a->low : a->high, second = rises ? a->high : a->low;
        for (int i = 0; i < 2; i++) {
            double level = i ? second : first;
            if (isfinite(level) && (p->z < level) != (q->z < level) &&
                !put_between(a, p, q, level))
                return false;
        }
    }
    if (a->p.count == before) return true;
    return add_point(a->rt, &a->p, NAN, NAN);
}

static corner corner_of(const field *f, int64_t at) {
    return (corner){f->x[at], f->y[at], f->z[at]};
}

static bool put_cell(areas *a, const int64_t at[4]) {
    corner p[4];
    bool saddle = false;
    for (int k = 0; k < 4; k++) p[k] = corner_of(a->f, at[k]);
    for (int i = 0; i < 2; i++) {
        double level = i ? a->high : a->low;
        bool in[4];
        for (int k = 0; k < 4; k++) in[k] = p[k].z < level;
        saddle = saddle || (in[0] == in[2] && in[1] == in[3] && in[0] != in[1]);
    }
    if (!saddle) return put_polygon(a, p, 4);
    const corner middle = {(p[0].x + p[1].x + p[2].x + p[3].x) / 4,
                           (p[0].y + p[1].y + p[2].y + p[3].y) / 4,
                           (p[0].z + p[1].z + p[2].z + p[3].z) / 4};
    for (int k = 0; k < 4; k++) {
        const corner part[3] = {p[k], p[(k + 1) % 4], middle};
        if (!put_polygon(a, part, 3)) return false;
    }
    return true;
}

/* Cells from j on that lie wholly between the levels, as one polygon; how many. */
static bool put_strip(areas *a, int64_t i, int64_t j, int64_t *count) {
    const field *f = a->f;
    int64_t at[4], end = j;
    for (; end + 1 < f->columns && corners_of(f, i, end, at); end++)
        for (int k = 0; k < 4; k++)
            if (!inside(a, f->z[at[k]])) goto done;
done:
    *count = end - j;
    if (end == j) return true;
    for (int64_t k = j; k <= end; k++)
        if (!add_point(a->rt, &a->p, f->x[i * f->columns + k], f->y[i * f->columns + k]))
            return false;
    for (int64_t k = end, row = (i + 1) * f->columns; k >= j; k--)
        if (!add_point(a->rt, &a->p, f->x[row + k], f->y[row + k])) return false;
    return add_point(a->rt, &a->p, NAN, NAN);
}

bool gx_contour_areas(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    field f;
    areas a = {.rt = c->rt, .f = &f};
    bool ok = field_args(&s, c, &f) && gx_arg_float(c, 3, &a.low) && gx_arg_float(c, 4, &a.high);
    for (int64_t i = 0; ok && i + 1 < f.rows; i++) {
        ok = gx_interrupt_check(c->rt);
        for (int64_t j = 0, many; ok && j + 1 < f.columns; j += many ? many : 1) {
            int64_t at[4];
            ok = put_strip(&a, i, j, &many);
            if (ok && !many && corners_of(&f, i, j, at)) ok = put_cell(&a, at);
        }
    }
    ok = ok && give_points(c->rt, &a.p, out);
    gx_vec_free(c->rt, &a.p);
    return gx_np_end(&s, ok);
}
