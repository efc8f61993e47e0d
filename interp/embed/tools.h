/* What gx's own tools ask beyond include/gx.h: the examples of the documentation for `gx test`, the
   pages of error codes and the locks for the command line, how wide a text is for the line editor.
   A host has no use for these, so that the public header stays small. */
#ifndef GX_INTERP_EMBED_TOOLS_H
#define GX_INTERP_EMBED_TOOLS_H

#include "include/gx.h"

/* A function as the documentation has it. module "": a builtin. */
typedef struct gx_documented {
    const char *module, *name, *example;
} gx_documented;
/* Calls fn for every function of the library, group by group, until it gives false. */
void gx_state_each_function(gx_state *s, bool (*fn)(void *self, const gx_documented *f),
                            void *self);

/* What computing on a GPU needs and what is there, for gx_string_free; NULL: a failure. */
char *gx_state_doctor(gx_state *s);

/* What an error code means. Without a dot in the code: a family; without an example: a note, or
   (told) an error that no short program brings about. */
typedef struct gx_code_page {
    const char *code, *meaning, *example, *fix;
    bool told;
} gx_code_page;
const gx_code_page *gx_code_pages(size_t *count);
/* The page of a code, else that of its family, else NULL. */
const gx_code_page *gx_code_page_of(const char *code);

/* Among n names the nearest to `name`, or NULL. */
const char *gx_tool_near(const char *name, const char *const *names, size_t n);
/* What a switch of an amount (GX_MAX_SECONDS, GX_MAX_STEPS; the others are bytes) wants, when the
   text is no such amount; NULL: it is one. */
const char *gx_tool_amount(const char *name, const char *text);

/* From now on the process reads only below these paths and starts no program. What the kernel could
   not be asked for is missing in the result. */
enum { GX_FENCE_FILES = 1, GX_FENCE_CALLS = 2 };
int gx_tool_fence(const char *const *paths, int n);

/* UTF-8: how many bytes of a text are, the columns it takes, its first code point and its bytes. */
size_t gx_tool_utf8(const char *text, size_t length);
size_t gx_tool_width(const char *text, size_t length);
uint32_t gx_tool_decode(const char *text, int *bytes);

/* The file that the state's module is: __file__, and imports look in its folder. */
bool gx_state_script(gx_state *s, const char *file);
/* Asks the debugger that is attached to stop at the next statement; from any thread. */
void gx_state_ask(gx_state *s);

/* A program in one style, for gx_string_free; NULL: a failure, the mistakes of the text. */
char *gx_state_format(gx_state *s, const char *text, size_t length, const char *name);

/* What is wrong with a text, found without running it, as messages or (json) as one array, for
   gx_string_free; *count: so many. NULL: a failure. */
char *gx_state_check(gx_state *s, const char *text, size_t length, const char *name, bool json,
                     int *count);

/* The same as {"findings": […], "text": what the text mentions (interp/check/mentions.c), or null
   where it is no program}. */
char *gx_state_survey(gx_state *s, const char *text, size_t length, const char *name);
/* What is known of the expression that ends at a place of a text, found without running it: its
   attributes, a line each with the kind behind a tab; what help() says of it; how it is called.
   For gx_string_free; "": nothing is known. NULL: a failure. */
typedef enum gx_look { GX_LOOK_MEMBERS, GX_LOOK_HELP, GX_LOOK_CALL } gx_look;
char *gx_state_look(gx_state *s, const char *text, size_t length, size_t end, gx_look what);

#endif
