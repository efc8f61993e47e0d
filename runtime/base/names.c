/* Near names: what a mistyped name may have meant. The distance is Damerau-Levenshtein in its
   restricted form (insert, delete, replace, swap neighbours), over bytes, with early stop. It
   allocates nothing, so it is safe while an error is pending. */
#include <string.h>
#include <strings.h>

#include "runtime/base/error.h"

enum { MAX_NAME = 96 };

static int smaller(int a, int b) {
    return a < b ? a : b;
}

int gx_name_distance(const char *a, const char *b, int limit) {
    size_t n = strlen(a), m = strlen(b);
    int far = limit + 1;
    size_t gap = n > m ? n - m : m - n;
    if (gap > (size_t)(limit < 0 ? 0 : limit)) return far;
    if (n == m && strcasecmp(a, b) == 0) return 0; /* Sin is sin, not min */
    if (n > MAX_NAME || m > MAX_NAME) return strcmp(a, b) == 0 ? 0 : far;
    int rows[3][MAX_NAME + 1];
    int *older = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++) last[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int best = row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int d = last[j - 1] + (a[i - 1] != b[j - 1]);
            d = smaller(d, smaller(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d = smaller(d, older[j - 2] + 1);
            row[j] = d;
            best = smaller(best, d);
        }
        if (best > limit) return far;
        int *free_row = older;
        older = last, last = row, row = free_row;
    }
    return smaller(last[m], far);
}

const char *gx_near_name(const char *name, const char *const *names, size_t n) {
    int length = (int)strlen(name);
    int limit = length / 3 > 1 ? length / 3 : 1;
    const char *nearest = NULL;
    for (size_t i = 0; i < n; i++) {
        int d = gx_name_distance(name, names[i], limit);
        /* A name that shares no letter with the wanted one helps nobody: x is not y. */
        if (d > limit || d >= length) continue;
        nearest = names[i];
        if (d == 0) break;
        limit = d - 1;
    }
    return nearest;
}
