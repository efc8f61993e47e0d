/* help("slicing"): pages of subjects, and what single words of the language mean. */
#ifndef GX_STDLIB_PYTHON_HELP_TOPICS_INT_H
#define GX_STDLIB_PYTHON_HELP_TOPICS_INT_H

/* A page a subject (topics.c). The list ends with a NULL name. */
typedef struct gx_help_topic {
    const char *name, *also; /* also: other words for it, with blanks between */
    const char *title, *text;
} gx_help_topic;
const gx_help_topic *gx_help_topics(void);
/* The subject that a word means, or NULL. */
const gx_help_topic *gx_help_find(const char *name);

/* A keyword of the language, or a parameter that many functions have (words.c); NULL: no such word.
 */
typedef struct gx_help_word {
    const char *name, *form, *text, *example; /* form: how it is written */
} gx_help_word;
const gx_help_word *gx_help_word_find(const char *name);
extern const gx_help_word gx_help_words[];

#endif
