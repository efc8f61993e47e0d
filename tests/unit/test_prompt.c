/* include/gx.h as the command line, `gx test` and the prompt use it: compiled texts, entries. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/gx.h"
#include "tests/unit/host_int.h"

/* --- compiled texts --- */

static gx_program *compile(gx_state *s, const char *text) {
    return gx_state_compile(s, text, strlen(text), "<text>");
}

Test(embed, a_program_runs_whole_and_by_statement) {
    host h;
    gx_state *s = open_state(&h);
    gx_program *p = compile(s, "x = 1\n\nx += 1\n1 / 0\nx * 10");
    cr_assert_not_null(p);
    cr_expect_eq(gx_program_count(p), 4);
    cr_expect_eq(gx_program_line(p, 0), 1);
    cr_expect_eq(gx_program_line(p, 1), 3);
    cr_expect(gx_program_run_part(p, 0) && gx_program_run_part(p, 1));
    cr_expect_not(gx_program_run_part(p, 2));
    cr_expect_str_eq(gx_state_failure(s)->kind, "ZeroDivisionError");
    cr_expect_eq(gx_state_failure(s)->at.line, 4);
    cr_expect(gx_program_run_part(p, 3));
    gx_program_drop(p);
    p = compile(s, "x\nx + 5");
    gx_ref *value;
    int64_t n = 0;
    cr_expect(gx_program_run(p, GX_RUN_PLAIN, &value) && gx_ref_to_int(value, &n));
    cr_expect_eq(n, 7);
    gx_ref_drop(value);
    cr_expect(gx_program_run(p, GX_RUN_SHOW, NULL));
    cr_expect(gx_program_run(p, GX_RUN_ECHO, NULL));
    cr_expect_str_eq(h.out, "7\n2\n7\n");
    cr_expect(gx_state_close(s)); /* takes p along */
}

Test(embed, every_mistake_of_a_text_is_told) {
    host h;
    gx_state *s = open_state(&h);
    cr_expect_null(compile(s, "x = = 1\ny = 2\ndef (:\n  pass\n"));
    cr_expect_eq(gx_state_failure(s)->at.line, 1);
    cr_expect(gx_state_failure_next(s));
    cr_expect_eq(gx_state_failure(s)->at.line, 3);
    while (gx_state_failure_next(s)) continue;
    cr_expect_null(compile(s, "x = = 1\ny = 2\ndef (:\n  pass\n"));
    cr_expect_eq(gx_state_report(s), 1);
    cr_expect(strstr(h.err, "<text>:1:") && strstr(h.err, "<text>:3:"));
    cr_expect_null(gx_state_failure(s));
    cr_expect_eq(gx_state_report(s), 0);
    cr_expect_not(gx_state_run(s, "exit(5)", 7, "<cell>", NULL));
    cr_expect_eq(gx_state_report(s), 5);
    cr_expect_null(gx_state_compile_file(s, "/nowhere/x.gx"));
    cr_expect_str_eq(gx_state_failure(s)->kind, "FileNotFoundError");
    fails(s, "class Odd(KeyError): pass\nraise Odd(1)");
    cr_expect_str_eq(gx_state_failure(s)->kind, "Odd");
    cr_expect_str_eq(gx_state_failure(s)->builtin, "KeyError");
    gx_state_close(s);
}

/* --- a prompt --- */

static bool enter(gx_state *s, const char *text) {
    return gx_state_prompt(s, text, strlen(text), "<input>");
}

static bool greet(gx_state *s, void *self, const char *rest) {
    if (strcmp(rest, "nobody") == 0) {
        gx_state_raise_code(s, "ValueError", "greet.who", "nobody is there");
        return false;
    }
    snprintf(self, 40, "hello %s", rest);
    return strcmp(rest, "silent") != 0;
}

Test(embed, a_prompt_echoes_and_has_lines_of_its_own) {
    host h;
    char greeting[40] = "";
    gx_state *s = open_state(&h);
    cr_expect(enter(s, "x = 20\nx + 1"));
    cr_expect(enter(s, "_ + 1"));
    cr_expect_str_eq(h.out, "21\n22\n");
    cr_expect_not(enter(s, "x.nothing"));
    cr_expect(enter(s, "type(_error).__name__"));
    cr_expect(strstr(h.out, "AttributeError"));
    cr_expect_not(enter(s, "x = = 1"));
    cr_expect_eq(gx_state_failure(s)->at.line, 1);
    cr_assert(gx_state_command(s, "greet", "%greet NAME", "says hello", greet, greeting));
    cr_expect(enter(s, "%greet Ada"));
    cr_expect_str_eq(greeting, "hello Ada");
    cr_expect_not(enter(s, "%greet nobody"));
    cr_expect_str_eq(gx_state_failure(s)->code, "greet.who");
    cr_expect_not(enter(s, "%greet silent"));
    cr_expect_str_eq(gx_state_failure(s)->code, "call.host");
    cr_expect_not(enter(s, "%gret"));
    cr_expect_str_eq(gx_state_failure(s)->help, "%greet");
    h.out[0] = '\0';
    cr_expect(enter(s, "%magics") && strstr(h.out, "says hello"));
    gx_words *words = gx_state_complete(s, "%gre", 4, 4);
    cr_assert_not_null(words);
    cr_expect(words->count == 1 && strcmp(words->word[0], "greet") == 0);
    gx_words_free(words);
    cr_expect(gx_is_command("%who", 4) && gx_is_command("x?", 2) && !gx_is_command("x % y", 5));
    gx_state_close(s);
}

Test(embed, names_definitions_and_colours) {
    host h;
    gx_state *s = open_state(&h);
    gx_ref_drop(run_text(s, "value = 3\ndef twice(x):\n    return 2 * x\n_hidden = 1"));
    gx_words *names = gx_state_names(s);
    cr_assert_not_null(names);
    cr_expect_eq(names->count, 2);
    gx_words_free(names);
    char *text = gx_state_definition(s, "twice");
    cr_expect_str_eq(text, "def twice(x):\n    return 2 * x");
    gx_string_free(text);
    cr_expect_null(gx_state_definition(s, "value"));
    const char line[] = "for i in 12: # a";
    uint8_t paint[sizeof line];
    gx_state_paint(s, line, sizeof line - 1, paint);
    cr_expect(paint[0] == GX_PAINT_KEYWORD && paint[4] == GX_PAINT_PLAIN);
    cr_expect(paint[9] == GX_PAINT_NUMBER && paint[15] == GX_PAINT_COMMENT);
    gx_ref *value = run_text(s, "'text'");
    char *shown = gx_ref_str(value);
    cr_expect_str_eq(shown, "text");
    gx_string_free(shown);
    gx_ref_drop(value);
    cr_expect_eq(gx_state_count(s, GX_COUNT_LAUNCHED), 0);
    cr_expect_not(gx_state_has(s, GX_HAS_LOST_DATA));
    cr_expect_not(gx_state_messages(s, "loud"));
    cr_expect(gx_state_messages(s, "short"));
    gx_state_close(s);
}

/* A Ctrl-C that comes when an entry has been typed and does not yet run is the entry's. */
Test(embed, what_is_asked_before_an_entry_ends_it) {
    gx_config config = {.api = GX_API, .whole = true, .device = "cpu"};
    gx_state *s = gx_state_open(&config, NULL, 0);
    cr_assert_not_null(s);
    cr_expect_not(gx_state_interrupt(s));
    cr_expect_not(enter(s, "while True: pass"));
    cr_expect_str_eq(gx_state_failure(s)->builtin, "KeyboardInterrupt");
    cr_expect(enter(s, "1"));
    cr_expect_not(gx_state_interrupt(s));
    gx_state_interrupt_forget(s);
    cr_expect(enter(s, "1"));
    cr_expect(gx_state_close(s));
}

Test(embed, a_state_for_a_program) {
    host h = {.out = ""};
    char name[] = "script.gx", word[] = "word", *argv[] = {name, word};
    gx_config config = {.api = GX_API, .self = &h, .write = take, .bare = true, .whole = true,
                        .max_steps = 100000, .max_seconds = 5, .leaks = true, .device = "cpu",
                        .file = "/somewhere/script.gx", .argc = 2, .argv = argv};
    gx_state *s = gx_state_open(&config, NULL, 0);
    cr_assert_not_null(s);
    cr_expect_eq(gx_state_seconds(s), 5);
    fails(s, "np.pi.nothing");
    gx_ref_drop(run_text(s, "import sys\nprint(__file__, sys.argv)"));
    cr_expect_str_eq(h.out, "/somewhere/script.gx ['script.gx', 'word']\n");
    cr_expect(gx_state_predefine(s));
    gx_ref_drop(run_text(s, "np.pi"));
    cr_expect_not(gx_state_interrupt(s));
    cr_expect(gx_state_interrupt(s));
    cr_expect_not(gx_state_sync(s));
    cr_expect_str_eq(gx_state_failure(s)->builtin, "KeyboardInterrupt");
    cr_expect_str_eq(fails(s, "while True: pass")->code, "limit.steps");
    fails(s, "for i in range(10): pass"); /* the steps are those of all runs */
    cr_expect(gx_state_close(s));
    /* A configuration of the first version has no such fields. */
    config.api = 1;
    config.whole = config.bare = true;
    s = gx_state_open(&config, NULL, 0);
    gx_ref_drop(run_text(s, "np.pi"));
    cr_expect(gx_state_close(s));
}

/* A host's other threads may read the environment at any time. */
Test(embed, the_environment_stays_as_it_is) {
    host h;
    setenv("OPENBLAS_L2_SIZE", "512", 1);
    gx_state *s = open_state(&h);
    gx_ref_drop(run_text(s, "(np.ones((99, 99)) @ np.ones((99, 99))).sum()"));
    cr_expect_str_eq(getenv("OPENBLAS_L2_SIZE"), "512");
    gx_state_close(s);
}
