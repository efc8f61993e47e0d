/* Numbers as people read them: three digits and a unit. */
#include <stdio.h>

#include "runtime/backend/cost.h"

void gx_put_scaled(char *out, size_t room, double x, const char *unit) {
    static const char *const prefix[] = {"", "k", "M", "G", "T"};
    int i = 0;
    for (; x >= 999.5 && i < 4; i++) x /= 1000;
    int places = i == 0 || x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2;
    snprintf(out, room, "%.*f %s%s", places, x, prefix[i], unit);
}

void gx_put_time(char *out, size_t room, double s) {
    static const struct {
        double from;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {0, "ns"}};
    int i = 0;
    while (s < units[i].from) i++;
    double x = s / (units[i].from > 0 ? units[i].from : 1e-9);
    snprintf(out, room, "%.*f %s", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, units[i].unit);
}

void gx_put_count(char *out, size_t room, int64_t n) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)n);
    size_t at = 0;
    for (int i = 0; i < length && at + 2 < room; i++) {
        if (i && (length - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}
