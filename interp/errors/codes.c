/* What error codes mean: pages of `gx explain`, and one sentence for messages that teach. The texts
   are in codes.def. */
#include "interp/errors/codes.h"

#include <string.h>

#include "interp/embed/tools.h"

static const gx_code_page pages[] = {
#define PAGE(code, meaning, example, fix) {code, meaning, example, fix, false},
#define FAMILY(prefix, meaning) {prefix, meaning, NULL, NULL, false},
#define TOLD(code, meaning) {code, meaning, NULL, NULL, true},
#define NOTE(code, meaning) {code, meaning, NULL, NULL, false},
#include "interp/errors/codes.def"
};
enum { PAGES = sizeof pages / sizeof *pages };

static const char *const internal_codes[] = {
#define INTERNAL(code) code,
#include "interp/errors/codes.def"
};

bool gx_code_is_internal(const char *code) {
    for (size_t i = 0; i < sizeof internal_codes / sizeof *internal_codes; i++)
        if (strcmp(code, internal_codes[i]) == 0) return true;
    return false;
}

const gx_code_page *gx_code_pages(size_t *count) {
    *count = PAGES;
    return pages;
}

const gx_code_page *gx_code_page_of(const char *code) {
    size_t n = strcspn(code, ".");
    const gx_code_page *family = NULL;
    for (int i = 0; i < PAGES; i++) {
        if (strcmp(pages[i].code, code) == 0) return &pages[i];
        if (strncmp(pages[i].code, code, n) == 0 && !pages[i].code[n]) family = &pages[i];
    }
    return code[n] ? family : NULL;
}

const char *gx_code_meaning(const char *code) {
    const gx_code_page *p = gx_code_page_of(code);
    return p && (p->example || p->told) ? p->meaning : NULL;
}
