/* Floats by a format spec. Digits come from the C library, which is exact for any precision, or
   from float_repr.c where the shortest ones are asked for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runtime/object/text/format_int.h"

/* format(x, '.3'): as 'g', but with '.0' behind a whole number, and one digit fewer before the
   exponent appears. */
static bool general_with_point(gx_buf *text, double x, int precision, bool alternate) {
    if (precision == 0) precision = 1;
    char probe[40];
    gx_buf digits = gx_buf_new(text->rt);
    bool ok = gx_buf_printf(&digits, alternate ? "%#.*e" : "%.*e", precision - 1, x);
    int exponent = 0;
    if (ok) {
        const char *e = strchr(gx_buf_text(&digits), 'e');
        snprintf(probe, sizeof probe, "%s", e ? e + 1 : "0");
        sscanf(probe, "%d", &exponent);
    }
    bool scientific = exponent < -4 || exponent + 1 >= precision;
    if (ok && scientific) {
        /* %g of one digit less room turns to an exponent by itself only at `precision`. */
        size_t mantissa = strcspn(gx_buf_text(&digits), "e");
        const char *e = gx_buf_text(&digits) + mantissa;
        if (!alternate && memchr(gx_buf_text(&digits), '.', mantissa)) {
            while (gx_buf_text(&digits)[mantissa - 1] == '0') mantissa--;
            if (gx_buf_text(&digits)[mantissa - 1] == '.') mantissa--;
        }
        ok = gx_buf_add(text, gx_buf_text(&digits), mantissa) && gx_buf_puts(text, e);
    } else if (ok) {
        ok = gx_buf_printf(text, alternate ? "%#.*g" : "%.*g", precision, x);
        if (ok && !strchr(gx_buf_text(text), '.')) ok = gx_buf_puts(text, ".0");
    }
    gx_buf_free(&digits);
    return ok;
}

/* As repr has it. A complex number's parts have no '.0'; '#' keeps the point everywhere. */
static bool shortest(gx_buf *text, double x, bool part, bool alternate) {
    if (!gx_repr_double(text, x)) return false;
    if (part && text->length > 2 && strcmp(text->data + text->length - 2, ".0") == 0) {
        text->length -= alternate ? 1 : 2;
        text->data[text->length] = '\0';
    }
    const char *e = strchr(gx_buf_text(text), 'e');
    if (!alternate || strchr(gx_buf_text(text), '.')) return true;
    size_t at = e ? (size_t)(e - text->data) : text->length;
    if (!gx_buf_char(text, '.')) return false;
    memmove(text->data + at + 1, text->data + at, text->length - 1 - at);
    text->data[at] = '.';
    return true;
}

/* The magnitude's text; x is not negative. */
static bool magnitude(gx_buf *text, double x, const gx_spec *s, char type) {
    int precision = s->precision < 0 ? 6 : (int)s->precision;
    if (isnan(x))
        return gx_buf_puts(text, type == 'E' || type == 'F' || type == 'G' ? "NAN" : "nan");
    if (isinf(x))
        return gx_buf_puts(text, type == 'E' || type == 'F' || type == 'G' ? "INF" : "inf");
    if (type == GX_SPEC_SHORTEST || (type == 0 && s->precision < 0))
        return shortest(text, x, type == GX_SPEC_SHORTEST, s->alternate);
    if (type == 0) return general_with_point(text, x, precision, s->alternate);
    char format[8] = {'%', s->alternate ? '#' : '.', s->alternate ? '.' : '*',
                      s->alternate ? '*' : 0, 0};
    size_t n = strlen(format);
    format[n] = type == '%' ? 'f' : type == 'n' ? 'g' : type;
    format[n + 1] = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    return gx_buf_printf(text, format, precision, x);
#pragma GCC diagnostic pop
}

bool gx_format_double(gx_rt *rt, double x, const gx_spec *s, gx_buf *out) {
    char type = s->type;
    if (type && type != GX_SPEC_SHORTEST && !strchr("eEfFgGn%", type))
        return gx_format_unknown(rt, type, "float");
    if (type == '%') x *= 100;
    gx_buf text = gx_buf_new(rt);
    bool negative = signbit(x) && !isnan(x);
    bool ok = magnitude(&text, fabs(x), s, type) && (type != '%' || gx_buf_char(&text, '%'));
    if (ok) {
        const char *p = gx_buf_text(&text);
        size_t digits = strspn(p, "0123456789");
        if (negative && s->positive_zero && !isinf(x)) {
            size_t mantissa = strcspn(p, "eE%");
            negative = strspn(p, "0.") < mantissa;
        }
        gx_number_text n = {
            .sign = negative ? '-' : s->sign == '+' || s->sign == ' ' ? s->sign : 0,
            .prefix = "", .digits = p, .digit_count = digits, .rest = p + digits,
            .rest_length = text.length - digits, .group_size = 3,
        };
        gx_spec plain = *s;
        if (!isfinite(x)) plain.group = 0;
        ok = gx_format_number(rt, &n, &plain, out);
    }
    gx_buf_free(&text);
    return ok;
}
