/* A closer look at numbers, and at bytes that start no token: says what is wrong with them. The
   rules of lexer.re take the longest correct prefix of a number; what follows decides whether the
   number was meant to go on. */
#include "lexer/lexer_int.h"

#include <string.h>

static bool is_digit(gx_byte c) {
    return c >= '0' && c <= '9';
}

static bool is_word(gx_byte c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

/* `1if x else 2`: a number may touch these keywords. */
static bool touches_keyword(const gx_byte *p) {
    static const char *const words[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memcmp(p, words[i], strlen(words[i])) == 0) return true;
    return false;
}

static void bad_number(gx_lexer *x, const gx_byte *start, const char *base) {
    const gx_byte *p = x->at;
    while (is_word(*p)) p++;
    gx_byte wrong = *x->at;
    x->at = p;
    if (is_digit(wrong) && strcmp(base, "decimal") != 0)
        gx_lexer_error(x, GX_SyntaxError, start, p, NULL, "invalid digit '%c' in %s literal", wrong,
                       base);
    else
        gx_lexer_error(x, GX_SyntaxError, start, p, NULL, "invalid %s literal", base);
}

static const char *base_of(const gx_byte *start) {
    if (start[0] == '0') switch (start[1] | 0x20) {
        case 'x':
            return "hexadecimal";
        case 'o':
            return "octal";
        case 'b':
            return "binary";
        default:
            break;
        }
    return "decimal";
}

void gx_lexer_number(gx_lexer *x, const gx_byte *start, gx_token_kind kind) {
    const char *base = kind == GX_TOKEN_INT ? base_of(start) : "decimal";
    if (kind == GX_TOKEN_IMAG) base = "imaginary";
    if (is_word(*x->at) && !touches_keyword(x->at)) {
        if (x->at == start + 1 && *start == '0' && strcmp(base, "decimal") != 0) x->at++;
        bad_number(x, start, base);
        return;
    }
    if (kind == GX_TOKEN_INT && *start == '0' && strcmp(base, "decimal") == 0) {
        for (const gx_byte *p = start; p < x->at; p++)
            if (*p != '0' && *p != '_') {
                gx_lexer_error(x, GX_SyntaxError, start, x->at, NULL,
                               "leading zeros in decimal integer literals are not permitted; use "
                               "an 0o prefix for octal integers");
                return;
            }
    }
    gx_lexer_emit(x, kind, start, x->at);
}

typedef struct look_alike {
    uint32_t code;
    const char *help;
} look_alike;

/* Characters that editors and web pages put in place of ASCII ones. */
static const look_alike look_alikes[] = {
    {0x00A0, "replace this no-break space by a plain space"},
    {0x00D7, "write '*' to multiply"},
    {0x00F7, "write '/' to divide"},
    {0x2018, "write a plain quote: '"},
    {0x2019, "write a plain quote: '"},
    {0x201C, "write a plain quote: \""},
    {0x201D, "write a plain quote: \""},
    {0x2013, "write '-'"},
    {0x2014, "write '-'"},
    {0x2212, "write '-'"},
    {0x2026, "write three dots: ..."},
    {0x2192, "write '->'"},
    {0x2248, "write isclose(a, b)"},
    {0x2260, "write '!='"},
    {0x2264, "write '<='"},
    {0x2265, "write '>='"},
};

/* No letters: controls, punctuation and signs of Latin-1, general punctuation, arrows,
   mathematical and technical signs, ideographic punctuation, and code points without a meaning. */
static bool is_name_code(uint32_t c) {
    if (c < 0x80) return is_word((gx_byte)c);
    if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xB7 || c == 0xBA;
    if (c == 0xD7 || c == 0xF7) return false;
    if (c >= 0x2000 && c <= 0x206F) return c == 0x203F || c == 0x2040 || c == 0x2054;
    if (c == 0x1680 || (c >= 0x20A0 && c <= 0x20CF)) return false;
    if (c >= 0x2190 && c <= 0x2BFF) return false;
    if (c >= 0x2E00 && c <= 0x2E7F) return false;
    if ((c >= 0x3000 && c <= 0x3004) || (c >= 0x3008 && c <= 0x3020)) return false;
    if (c >= 0xFF01 && c <= 0xFF0F) return false;
    if (c >= 0xE000 && c <= 0xF8FF) return false;
    return !(c == 0xFEFF || c == 0xFFFD || c == 0xFFFE || c == 0xFFFF);
}

size_t gx_lexer_name_length(const gx_byte *at, const gx_byte *end) {
    const gx_byte *p = at;
    while (p < end) {
        int bytes = 1;
        if (*p >= 0x80 && !is_name_code(gx_utf8_decode((const char *)p, &bytes))) break;
        p += bytes;
    }
    return (size_t)(p - at);
}

static void bad_code_point(gx_lexer *x) {
    int bytes;
    uint32_t c = gx_utf8_decode((const char *)x->at, &bytes);
    const char *help = NULL;
    for (size_t i = 0; i < sizeof look_alikes / sizeof *look_alikes; i++)
        if (look_alikes[i].code == c) help = look_alikes[i].help;
    const gx_byte *start = x->at;
    x->at += bytes;
    bool blank = c < 0xA1 || c == 0x1680 || (c >= 0x2000 && c <= 0x200F) ||
                 (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x206F) || c == 0x3000 ||
                 c == 0xFEFF;
    if (blank)
        gx_lexer_error(x, GX_SyntaxError, start, x->at, help,
                       "invalid non-printable character U+%04X", c);
    else
        gx_lexer_error(x, GX_SyntaxError, start, x->at, help, "invalid character '%.*s' (U+%04X)",
                       bytes, (const char *)start, c);
}

void gx_lexer_other(gx_lexer *x) {
    const gx_byte *at = x->at;
    gx_byte c = *at;
    if (c >= 0x80) {
        bad_code_point(x);
        return;
    }
    if (c == 0 && at >= x->limit) return;
    x->at++;
    if (c == '\\') {
        if (x->at == x->limit) {
            x->out->incomplete = true;
            gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL,
                           "the text ends after a line continuation '\\'");
            return;
        }
        gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL,
                       "unexpected character after line continuation character '\\'");
    } else if (c == 0) {
        gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL, "the source contains a NUL byte");
    } else if (c < 0x20 || c == 0x7f) {
        gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL,
                       "the source contains the control character 0x%02x", c);
    } else {
        gx_lexer_error(x, GX_SyntaxError, at, at + 1, NULL, "invalid character '%c'", c);
    }
}
