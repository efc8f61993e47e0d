/* What error codes mean: `gx explain CODE`, and one sentence for messages that teach. The texts
   are in codes.def. */
#include <stdio.h>
#include <string.h>

#include "interp/cli/cli.h"

typedef struct page {
    const char *code, *meaning, *example, *fix; /* without a dot in the code: a family */
} page;

static const page pages[] = {
#define PAGE(code, meaning, example, fix) {code, meaning, example, fix},
#define FAMILY(prefix, meaning) {prefix, meaning, NULL, NULL},
#define NOTE(code, meaning) {code, meaning, NULL, NULL},
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

/* The page of a code, else that of its family, else NULL. */
static const page *find(const char *code) {
    size_t n = strcspn(code, ".");
    const page *family = NULL;
    for (int i = 0; i < PAGES; i++) {
        if (strcmp(pages[i].code, code) == 0) return &pages[i];
        if (strncmp(pages[i].code, code, n) == 0 && !pages[i].code[n]) family = &pages[i];
    }
    return code[n] ? family : NULL;
}

const char *gx_code_meaning(const char *code) {
    const page *p = find(code);
    return p && p->example ? p->meaning : NULL;
}

/* --- printing ------------------------------------------------------------------------------- */

/* A paragraph in lines of at most 78 columns. */
static void print_paragraph(const char *text) {
    size_t column = 0;
    while (*text) {
        size_t n = strcspn(text, " ");
        if (column && column + 1 + n > 78) {
            putchar('\n');
            column = 0;
        }
        if (column) putchar(' ');
        printf("%.*s", (int)n, text);
        column += n + (column > 0);
        text += n + strspn(text + n, " ");
    }
    putchar('\n');
}

static void print_code(const char *title, const char *text) {
    printf("\n%s\n\n", title);
    while (*text) {
        size_t n = strcspn(text, "\n");
        printf("    %.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

/* The code of a page that was perhaps meant, or NULL. */
static const char *find_near(const char *code) {
    const char *names[PAGES];
    size_t n = 0;
    for (int i = 0; i < PAGES; i++)
        if (pages[i].example) names[n++] = pages[i].code;
    return gx_near_name(code, names, n);
}

static bool print_page(const char *code) {
    const page *p = find(code);
    if (!p) return false;
    const char *near = p->example ? NULL : find_near(code);
    printf("%s\n\n", code);
    print_paragraph(p->meaning);
    if (near) printf("\nDid you mean %s?\n", near);
    if (p->example) {
        print_code("This raises it:", p->example);
        print_code("This does not:", p->fix);
    }
    return true;
}

/* Every page, one a line. */
static int print_list(void) {
    for (int i = 0; i < PAGES; i++) {
        bool family = !strchr(pages[i].code, '.');
        printf("%s%s\n", pages[i].code, family ? ".*" : pages[i].example ? "" : " (a note)");
    }
    return 0;
}

/* The program of a page, for the check that runs them. */
static int print_program(const char *code, bool fix) {
    const page *p = find(code);
    if (!p || !p->example) return 2;
    puts(fix ? p->fix : p->example);
    return 0;
}

static int unknown(const char *code) {
    const char *near = find_near(code);
    fprintf(stderr, "gx: there is no error code '%s'", code);
    if (near) fprintf(stderr, "; did you mean '%s'?", near);
    fputs("\nA message ends with its code in brackets; gx explain --list lists them.\n", stderr);
    return 2;
}

int gx_explain_main(int argc, char **argv) {
    if (argc == 1 && strcmp(argv[0], "--list") == 0) return print_list();
    if (argc == 2 && strcmp(argv[0], "--example") == 0) return print_program(argv[1], false);
    if (argc == 2 && strcmp(argv[0], "--fix") == 0) return print_program(argv[1], true);
    if (argc == 0) {
        fputs("usage: gx explain CODE...; gx explain --list\n", stderr);
        return 2;
    }
    for (int i = 0; i < argc; i++) {
        char code[64];
        const char *text = argv[i][0] == '[' ? argv[i] + 1 : argv[i];
        snprintf(code, sizeof code, "%.*s", (int)strcspn(text, "]"), text);
        if (i) putchar('\n');
        if (!print_page(code)) return unknown(code);
    }
    return 0;
}
