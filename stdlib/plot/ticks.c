/* Ticks: on round numbers (1, 2 or 5 times a power of ten), on powers of ten along a logarithmic
   axis, or where the script put them; and their labels, with a common factor when they are very
   large or very small. Knows numbers only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stdlib/plot/plot_int.h"

static const char minus[] = "\u2212";

/* Adds a label of a number: '-' becomes a minus sign unless plain. */
static void put_number(gx_tick *t, bool plain, int decimals, double v) {
    char text[GX_TICK_TEXT];
    if (fabs(v) < 0.5 * pow(10, -decimals)) v = 0;
    snprintf(text, sizeof text, "%.*f", decimals, v);
    if (text[0] == '-' && !plain)
        snprintf(t->text, sizeof t->text, "%s%.24s", minus, text + 1);
    else
        memcpy(t->text, text, sizeof text);
}

/* A power of ten: 10³, or 1e3 when plain. */
static void put_power(char *out, size_t room, const char *before, int power, bool plain) {
    static const char *const digits[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    char number[16], raised[48] = "";
    if (plain) {
        snprintf(out, room, "%s1e%d", before, power);
        return;
    }
    snprintf(number, sizeof number, "%d", power);
    for (const char *p = number; *p; p++)
        strcat(raised, *p == '-' ? "\u207B" : digits[*p - '0']);
    snprintf(out, room, "%s10%s", before, raised);
}

/* 1, 2 or 5 times a power of ten, so that about `target` steps fill the span. */
static double round_step(double span, int target) {
    double raw = span / (target > 0 ? target : 1), power = pow(10, floor(log10(raw)));
    double times = raw / power;
    return (times <= 1.0001 ? 1 : times <= 2.0001 ? 2 : times <= 5.0001 ? 5 : 10) * power;
}

static gx_tick *add_tick(gx_ticks *out, double at) {
    if (out->count == GX_TICKS) return NULL;
    gx_tick *t = &out->items[out->count++];
    *t = (gx_tick){.at = at};
    return t;
}

/* Labels of all ticks, of a common number of decimals. */
static void label_numbers(gx_ticks *out, double step, double low, double high, bool plain) {
    double most = fmax(fabs(low), fabs(high)), scale = 1;
    int power = most > 0 ? (int)floor(log10(most)) : 0;
    if ((power >= 6 || power <= -4) && most > 0) {
        scale = pow(10, power);
        put_power(out->factor, sizeof out->factor, plain ? "x" : "\u00D7", power, plain);
    }
    int decimals = (int)ceil(-log10(step / scale) - 1e-9);
    if (decimals < 0) decimals = 0;
    if (decimals > 12) decimals = 12;
    for (int i = 0; i < out->count; i++)
        if (!out->items[i].name)
            put_number(&out->items[i], plain, decimals, out->items[i].at / scale);
}

static void linear_ticks(double low, double high, int target, bool plain, gx_ticks *out) {
    double span = high - low, step = round_step(span, target);
    double first = ceil(low / step - 1e-9);
    if (!(span > 0) || !isfinite(span) || !isfinite(first) || fabs(first) > 1e15) return;
    for (int i = 0; i < GX_TICKS && (first + i) * step <= high + 1e-9 * span; i++)
        add_tick(out, (first + i) * step + 0.0);
    label_numbers(out, step, low, high, plain);
}

static void log_ticks(double low, double high, int target, bool plain, gx_ticks *out) {
    double a = log10(low), b = log10(high);
    int from = (int)ceil(a - 1e-9), to = (int)floor(b + 1e-9);
    if (to - from < 1) { /* not two powers in sight: round numbers say more */
        linear_ticks(low, high, target, plain, out);
        return;
    }
    int every = (to - from) / (target > 1 ? target : 1) + 1;
    for (int p = from; p <= to && out->count < GX_TICKS; p += every) {
        gx_tick *t = add_tick(out, pow(10, p));
        if (t) put_power(t->text, sizeof t->text, "", p, plain);
    }
    for (int p = from - 1; every == 1 && to - from < 7 && p <= to; p++)
        for (int k = 2; k <= 9; k++) {
            double at = k * pow(10, p);
            if (at < low || at > high) continue;
            gx_tick *t = add_tick(out, at);
            if (t) t->minor = true;
        }
}

static void given_ticks(const gx_scale *s, double low, double high, bool plain, gx_ticks *out) {
    double least = INFINITY;
    for (int i = 0; i < s->count; i++) {
        if (!(s->ticks[i] >= low - 1e-9 * (high - low) &&
              s->ticks[i] <= high + 1e-9 * (high - low)))
            continue;
        gx_tick *t = add_tick(out, s->ticks[i]);
        if (t && s->names) t->name = s->names[i];
    }
    if (s->names) return;
    /* As many decimals as tell all of them apart and show each. */
    for (int i = 0; i < out->count; i++) {
        double v = fabs(out->items[i].at), unit = 1;
        while (unit > 1e-9 && fabs(v / unit - round(v / unit)) > 1e-6) unit /= 10;
        least = fmin(least, unit);
    }
    if (out->count) label_numbers(out, least, low, high, plain);
}

void gx_ticks_of(const gx_scale *s, double low, double high, int target, bool plain,
                 gx_ticks *out) {
    out->count = 0;
    out->factor[0] = '\0';
    if (s->ticks_given)
        given_ticks(s, low, high, plain, out);
    else if (s->log)
        log_ticks(low, high, target, plain, out);
    else
        linear_ticks(low, high, target, plain, out);
}
