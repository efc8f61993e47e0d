/* interp and convolve, an element at a time; see kernels/each_side.h. */

/* The last position whose xp is not above x: -1 … n - 1. */
GX_EACH_FN int64_t place_of(const double *xp, int64_t n, double x) {
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        if (xp[mid] <= x) low = mid + 1;
        else high = mid;
    }
    return low - 1;
}

/* Between points j and j + 1 of values that lie `step` apart. */
GX_EACH_FN double between(const double *xp, const double *fp, int64_t step, int64_t j, double x) {
    double f0 = fp[j * step], f1 = fp[(j + 1) * step];
    double slope = (f1 - f0) / (xp[j + 1] - xp[j]);
    double r = slope * (x - xp[j]) + f0;
    if (r == r) return r;
    r = slope * (x - xp[j + 1]) + f1;
    return r != r && f0 == f1 ? f0 : r;
}

GX_EACH_FN double value_at(const double *xp, int64_t n, const double *fp, int64_t step, double left,
                           double right, double v) {
    if (v != v) return v;
    int64_t j = place_of(xp, n, v);
    if (j < 0) return left;
    if (j == n - 1) return v > xp[j] ? right : fp[j * step];
    return xp[j] == v ? fp[j * step] : between(xp, fp, step, j, v);
}

/* Lines: the places, the values, and what is beyond each end. */
GX_EACH_FN void interp_at(int64_t i, const double *in, double *out, const double *const *line,
                          const int64_t *size) {
    (void)i;
    *out = value_at(line[0], size[0], line[1], 1, line[2][0], line[2][1], in[0]);
}

/* Lines: the longer one and the shorter one. */
GX_EACH_FN void convolved_at(int64_t i, const double *in, double *out, const double *const *line,
                             const int64_t *size) {
    int64_t from = i < size[0] ? 0 : i - size[0] + 1, to = i < size[1] ? i : size[1] - 1;
    double sum = 0;
    (void)in;
    for (int64_t j = from; j <= to; j++) sum += line[0][i - j] * line[1][j];
    *out = sum;
}
