/* Which element of its line is nearest to one; see kernels/each_side.h. */

/* Lines: the squares of distances so far, of all elements; then the size of the axis, the elements
   between its neighbours, and the square of the sampling. The result is the position along the axis
   of the least square + scale * steps^2, the first of several; its own where there is none. */
GX_EACH_FN void nearest_at(int64_t i, const double *in, double *out, const double *const *line,
                           const int64_t *size) {
    const int64_t n = (int64_t)line[1][0], inner = (int64_t)line[1][1];
    const int64_t at = i / inner % n;
    const double *x = line[0] + (i - at * inner);
    const double scale = line[1][2];
    double best = INFINITY;
    int64_t found = at;
    (void)in;
    (void)size;
    for (int64_t k = 0; k < n && (k <= at || k < n - at); k++) {
        const double far = scale * (double)k * (double)k;
        if (far > best) break;
        if (k <= at) {
            const double v = x[(at - k) * inner] + far;
            if (v <= best && v < INFINITY) {
                best = v;
                found = at - k;
            }
        }
        if (k > 0 && k < n - at) {
            const double v = x[(at + k) * inner] + far;
            if (v < best) {
                best = v;
                found = at + k;
            }
        }
    }
    *out = (double)found;
}
