/* `gx explain CODE`: the pages of error codes, printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/cli/cli_int.h"
#include "interp/embed/tools.h"

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
    size_t count, n = 0;
    const gx_code_page *pages = gx_code_pages(&count);
    const char **names = malloc(count * sizeof *names), *near = NULL;
    for (size_t i = 0; names && i < count; i++)
        if (pages[i].example) names[n++] = pages[i].code;
    if (names) near = gx_tool_near(code, names, n);
    free(names);
    return near;
}

static bool print_page(const char *code) {
    const gx_code_page *p = gx_code_page_of(code);
    if (!p) return false;
    const char *near = p->example || p->told ? NULL : find_near(code);
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
    size_t count;
    const gx_code_page *pages = gx_code_pages(&count);
    for (size_t i = 0; i < count; i++) {
        bool family = !strchr(pages[i].code, '.');
        printf("%s%s\n", pages[i].code,
               family               ? ".*"
               : pages[i].example   ? ""
               : pages[i].told      ? " (no program)"
                                    : " (a note)");
    }
    return 0;
}

/* The program of a page, for the check that runs them. */
static int print_program(const char *code, bool fix) {
    const gx_code_page *p = gx_code_page_of(code);
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
