/* Unit tests of runtime/base: the edges that scripts reach only by accident. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/arena.h"
#include "runtime/base/buf.h"
#include "runtime/base/map.h"
#include "runtime/base/vec.h"

/* Base declares it and runtime/object/object.c defines it; here no object ever exists. */
void gx_obj_free(gx_obj *obj) {
    cr_assert_fail("an object was freed: %p", (void *)obj);
}

static gx_rt *rt;

static void begin(void) {
    rt = gx_rt_new();
    cr_assert_not_null(rt);
}

static void end(void) {
    gx_error_clear(rt);
    gx_sources_free(rt);
    gx_symtab_free(rt);
    cr_assert_eq(rt->stats.live_blocks, 0, "%ld blocks leak", (long)rt->stats.live_blocks);
    cr_assert_eq(rt->stats.live_bytes, 0);
    gx_rt_free(rt);
}

TestSuite(base, .init = begin, .fini = end);

/* A size that the compiler cannot see, so that it does not warn about it. */
static size_t hidden(size_t n) {
    volatile size_t v = n;
    return v;
}

Test(base, memory_is_counted) {
    char *p = gx_alloc(rt, 1000);
    cr_assert_not_null(p);
    cr_assert_eq((uintptr_t)p % 16, 0);
    cr_assert_eq(rt->stats.live_blocks, 1);
    cr_assert_geq(rt->stats.live_bytes, 1000);
    p = gx_realloc(rt, p, 100000);
    cr_assert_eq(rt->stats.live_blocks, 1);
    cr_assert_geq(rt->stats.peak_bytes, 100000);
    char *z = gx_alloc_zero(rt, 64);
    for (int i = 0; i < 64; i++) cr_assert_eq(z[i], 0);
    void *empty = gx_alloc(rt, 0);
    cr_assert_not_null(empty);
    gx_free(rt, p);
    gx_free(rt, z);
    gx_free(rt, empty);
    gx_free(rt, NULL);
    cr_assert_geq(rt->stats.peak_bytes, 100000);
}

Test(base, absurd_sizes_are_memory_errors) {
    cr_assert_null(gx_alloc(rt, hidden(SIZE_MAX / 2)));
    cr_assert_eq(rt->error.kind, GX_MemoryError);
    cr_assert_null(rt->error.message);
    gx_error_clear(rt);
    gx_buf b = gx_buf_new(rt);
    cr_assert(gx_buf_puts(&b, "kept"));
    cr_assert_not(gx_buf_fill(&b, 'x', hidden(SIZE_MAX - 2)));
    cr_assert_str_eq(gx_buf_text(&b), "kept");
    gx_buf_free(&b);
    gx_error_clear(rt);
    gx_arena a = gx_arena_new(rt);
    cr_assert_null(gx_arena_alloc(&a, hidden(SIZE_MAX - 4)));
    cr_assert_eq(rt->error.kind, GX_MemoryError);
    gx_arena_free(&a);
    gx_error_clear(rt);
    GX_VEC(int64_t) v = {0};
    cr_assert_not(gx_vec_reserve(rt, &v, hidden(SIZE_MAX / 8 + 1)));
    cr_assert_eq(v.count, 0);
}

Test(base, the_nth_allocation_fails_once) {
    rt->debug.fail_alloc = 2;
    void *a = gx_alloc(rt, 8);
    cr_assert_not_null(a);
    void *b = gx_realloc(rt, a, 80);
    cr_assert_null(b);
    cr_assert_eq(rt->error.kind, GX_MemoryError);
    gx_error_clear(rt);
    b = gx_realloc(rt, a, 80);
    cr_assert_not_null(b);
    gx_free(rt, b);
}

/* Every structure of base, under every single failing allocation: no leak, no crash. */
static bool use_everything(void) {
    gx_buf b = gx_buf_new(rt);
    gx_map m = {0};
    GX_VEC(int) v = {0};
    gx_arena a = gx_arena_new(rt);
    uint32_t source;
    bool ok = gx_source_add(rt, "a.gx", "x\ny\n", 4, &source);
    for (int i = 0; ok && i < 300; i++) {
        char name[16];
        snprintf(name, sizeof name, "name%d", i);
        gx_sym s = gx_sym_c(rt, name);
        ok = s && gx_map_set(rt, &m, s, i) && gx_vec_push(rt, &v, i) &&
             gx_buf_printf(&b, "%s,", name) && gx_arena_alloc(&a, 100) != NULL;
    }
    gx_buf_free(&b);
    gx_map_free(rt, &m);
    gx_vec_free(rt, &v);
    gx_arena_free(&a);
    return ok;
}

Test(base, each_failing_allocation_is_survived) {
    int failures = 0;
    for (int64_t n = 1;; n++) {
        rt->debug.fail_alloc = n;
        bool ok = use_everything();
        if (ok) break;
        failures++;
        cr_assert_eq(rt->error.kind, GX_MemoryError);
        gx_error_clear(rt);
        gx_sources_free(rt);
        gx_symtab_free(rt);
        cr_assert_eq(rt->stats.live_blocks, 0, "allocation %ld leaks", (long)n);
    }
    rt->debug.fail_alloc = 0;
    cr_assert_gt(failures, 20);
}

Test(base, the_first_error_wins) {
    cr_assert_not(gx_fail(rt, GX_ValueError, "shape.broadcast", "cannot combine %d and %d", 3, 4));
    cr_assert_not(gx_fail(rt, GX_TypeError, "", "later"));
    cr_assert_eq(rt->error.kind, GX_ValueError);
    cr_assert_str_eq(rt->error.message, "cannot combine 3 and 4");
    cr_assert_str_eq(rt->error.code, "shape.broadcast");
    gx_help(rt, "use %s", "reshape");
    gx_help(rt, "not this one");
    cr_assert_str_eq(rt->error.help, "use reshape");
    for (int i = 0; i < GX_MAX_NOTES + 3; i++) gx_note(rt, "note %d", i);
    cr_assert_eq(rt->error.note_count, GX_MAX_NOTES);
    gx_error_clear(rt);
    cr_assert_not(gx_failed(&rt->error));
    cr_assert_eq(rt->error.note_count, 0);
    gx_help(rt, "help for nothing");
    cr_assert_null(rt->error.help);
}

Test(base, a_long_code_is_cut_and_a_missing_one_is_empty) {
    gx_fail(rt, GX_ValueError, "a.code.that.is.much.longer.than.the.room.for.it", "x");
    cr_assert_eq(strlen(rt->error.code), sizeof rt->error.code - 1);
    gx_error_clear(rt);
    gx_fail(rt, GX_ValueError, NULL, "x");
    cr_assert_str_eq(rt->error.code, "");
}

Test(base, errors_are_saved_and_restored) {
    gx_error saved;
    gx_fail(rt, GX_KeyError, "", "first");
    gx_error_save(rt, &saved);
    cr_assert_not(gx_failed(&rt->error));
    gx_fail(rt, GX_TypeError, "", "meanwhile");
    gx_error_restore(rt, &saved);
    cr_assert_eq(rt->error.kind, GX_KeyError);
    cr_assert_str_eq(rt->error.message, "first");
    gx_error_clear(rt);
    gx_error_save(rt, &saved);
    gx_fail(rt, GX_TypeError, "", "meanwhile");
    gx_error_restore(rt, &saved);
    cr_assert_eq(rt->error.kind, GX_TypeError, "nothing was saved: the new error stays");
}

Test(base, kinds_form_a_tree) {
    cr_assert_str_eq(gx_error_name(GX_ValueError), "ValueError");
    cr_assert(gx_error_is(GX_ZeroDivisionError, GX_ArithmeticError));
    cr_assert(gx_error_is(GX_ModuleNotFoundError, GX_Exception));
    cr_assert_not(gx_error_is(GX_KeyboardInterrupt, GX_Exception));
    cr_assert_not(gx_error_is(GX_ArithmeticError, GX_ZeroDivisionError));
    cr_assert_not(gx_error_is(GX_NO_ERROR, GX_BaseException));
    for (int k = GX_NO_ERROR + 1; k < GX_ERROR_COUNT; k++)
        cr_assert(gx_error_is((gx_error_kind)k, GX_BaseException), "%s", gx_error_name(k));
}

Test(base, names_are_interned) {
    gx_sym a = gx_sym_c(rt, "alpha");
    cr_assert_neq(a, 0);
    cr_assert_eq(gx_sym_of(rt, "alphabet", 5), a);
    cr_assert_eq(gx_sym_find(rt, "beta", 4), 0);
    gx_sym empty = gx_sym_of(rt, "", 0), zero = gx_sym_of(rt, "a\0b", 3);
    cr_assert(empty && zero && empty != a);
    cr_assert_eq(gx_sym_length(rt, zero), 3);
    cr_assert_eq(gx_sym_of(rt, "a\0c", 3) == zero, false);
    cr_assert_str_eq(gx_sym_text(rt, 0), "");
    for (int i = 0; i < 5000; i++) {
        char name[16];
        int n = snprintf(name, sizeof name, "n%d", i);
        cr_assert_neq(gx_sym_of(rt, name, (size_t)n), 0);
    }
    cr_assert_str_eq(gx_sym_text(rt, gx_sym_c(rt, "n4321")), "n4321");
    cr_assert_eq(gx_sym_find(rt, "alpha", 5), a);
}

Test(base, a_map_keeps_what_it_is_told) {
    gx_map m = {0};
    int32_t v = -1;
    cr_assert_not(gx_map_get(&m, 7, &v));
    for (gx_sym s = 1; s <= 1000; s++) cr_assert(gx_map_set(rt, &m, s, (int32_t)s * 3));
    cr_assert(gx_map_set(rt, &m, 500, -5));
    cr_assert_eq(m.count, 1000);
    cr_assert(gx_map_get(&m, 500, &v));
    cr_assert_eq(v, -5);
    cr_assert(gx_map_get(&m, 1000, &v));
    cr_assert_eq(v, 3000);
    cr_assert_not(gx_map_get(&m, 1001, &v));
    cr_assert_not(gx_map_get(&m, 0, &v));
    gx_map_free(rt, &m);
}

Test(base, a_buffer_builds_text) {
    gx_buf b = gx_buf_new(rt);
    cr_assert_str_eq(gx_buf_text(&b), "");
    cr_assert(gx_buf_add(&b, "", 0));
    cr_assert(gx_buf_puts(&b, "x = ") && gx_buf_printf(&b, "%05d", 42) && gx_buf_char(&b, '!'));
    cr_assert(gx_buf_fill(&b, '-', 3) && gx_buf_code(&b, 0x20AC) && gx_buf_code(&b, 0xD800));
    cr_assert_str_eq(gx_buf_text(&b), "x = 00042!---\xE2\x82\xAC\xEF\xBF\xBD");
    for (int i = 0; i < 1000; i++) cr_assert(gx_buf_printf(&b, "%d", i % 10));
    cr_assert_eq(b.length, strlen(b.data));
    gx_buf_free(&b);
    cr_assert_str_eq(gx_buf_text(&b), "");
}

Test(base, an_arena_gives_cleared_aligned_memory) {
    gx_arena a = gx_arena_new(rt);
    for (size_t n = 0; n < 3000; n += 7) {
        unsigned char *p = gx_arena_alloc(&a, n);
        cr_assert_not_null(p);
        cr_assert_eq((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n; i++) cr_assert_eq(p[i], 0);
        memset(p, 0xAB, n);
    }
    unsigned char *big = gx_arena_alloc(&a, 1 << 20);
    cr_assert_not_null(big);
    cr_assert_eq(big[(1 << 20) - 1], 0);
    cr_assert_str_eq(gx_arena_copy(&a, "hello world", 5), "hello");
    gx_arena_free(&a);
    gx_arena_free(&a);
}

static gx_span span(uint32_t source, size_t at) {
    return (gx_span){.source = source, .start = (uint32_t)at, .end = (uint32_t)at + 1};
}

static void expect_place(uint32_t source, size_t at, uint32_t line, uint32_t column) {
    uint32_t l = 0, c = 0;
    gx_source_place(rt, span(source, at), &l, &c);
    cr_assert(l == line && c == column, "byte %zu: %u:%u, not %u:%u", at, l, c, line, column);
}

Test(base, places_are_lines_and_columns) {
    uint32_t s;
    const char *text = "\xEF\xBB\xBF" "ab\n\xC3\xA9x\r\n\rend";
    cr_assert(gx_source_add(rt, "t.gx", text, strlen(text), &s));
    expect_place(s, 0, 1, 1);
    expect_place(s, 2, 1, 3);
    expect_place(s, 3, 2, 1);
    expect_place(s, 4, 2, 1); /* inside the é */
    expect_place(s, 5, 2, 2);
    expect_place(s, 8, 3, 1);
    expect_place(s, 9, 4, 1);
    expect_place(s, 12, 4, 4);
    expect_place(s, 4000, 4, 4);
    const char *line;
    size_t n;
    gx_source_line(rt, s, 2, &line, &n);
    cr_assert(n == 3 && memcmp(line, "\xC3\xA9x", 3) == 0);
    gx_source_line(rt, s, 3, &line, &n);
    cr_assert_eq(n, 0);
    gx_source_line(rt, s, 5, &line, &n);
    cr_assert_eq(n, 0);
    gx_source_line(rt, s + 9, 1, &line, &n);
    cr_assert_eq(n, 0);
    cr_assert_null(gx_source_of(rt, (gx_span){.source = s}));
    for (int i = 0; i < 15; i++) cr_assert_eq(gx_source_get(rt, s)->text[12 + i], 0);
}

Test(base, an_empty_source_has_one_empty_line) {
    uint32_t s;
    cr_assert(gx_source_add(rt, "empty.gx", "", 0, &s));
    expect_place(s, 0, 1, 1);
    const char *line;
    size_t n = 9;
    gx_source_line(rt, s, 1, &line, &n);
    cr_assert_eq(n, 0);
}

Test(base, files_are_read_or_refused_as_python_does) {
    uint32_t s = 77;
    cr_assert_not(gx_source_read(rt, "/nowhere/at/all.gx", &s));
    cr_assert_eq(rt->error.kind, GX_FileNotFoundError);
    cr_assert_str_eq(rt->error.message,
                     "[Errno 2] No such file or directory: '/nowhere/at/all.gx'");
    gx_error_clear(rt);
    cr_assert_not(gx_source_read(rt, "/", &s));
    cr_assert_eq(rt->error.kind, GX_IsADirectoryError);
    cr_assert_eq(s, 77);
    gx_error_clear(rt);
    char path[] = "/tmp/gx-base-XXXXXX";
    int file = mkstemp(path);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, "print(1)\n", 9), 9);
    close(file);
    cr_assert(gx_source_read(rt, path, &s));
    cr_assert_str_eq(gx_source_get(rt, s)->text, "print(1)\n");
    unlink(path);
}

Test(base, utf8_is_checked_strictly) {
    const char *good[] = {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                          "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_assert_eq(gx_utf8_valid(good[i], strlen(good[i])), strlen(good[i]));
    const char *bad[] = {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80",
                         "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC3",
                         "\xE2\x82", "\xC3(", "\xFF"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(gx_utf8_valid(bad[i], strlen(bad[i])), 0, "case %zu", i);
    cr_assert_eq(gx_utf8_valid("ab\xFF", 3), 2);
}

Test(base, code_points_round_trip) {
    for (uint32_t c = 1; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 251) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        char bytes[5] = {0};
        int n = gx_utf8_encode(c, bytes), m = 0;
        cr_assert_eq(gx_utf8_valid(bytes, (size_t)n), (size_t)n, "U+%04X", c);
        cr_assert_eq(gx_utf8_decode(bytes, &m), c);
        cr_assert_eq(n, m);
    }
}

Test(base, widths_are_terminal_columns) {
    cr_assert_eq(gx_utf8_width("abc", 3), 3);
    cr_assert_eq(gx_utf8_width("\xC3\xA9", 2), 1);
    cr_assert_eq(gx_utf8_width("e\xCC\x81", 3), 1); /* a combining accent */
    cr_assert_eq(gx_utf8_width("\xE4\xB8\xAD", 3), 2);
    cr_assert_eq(gx_utf8_width("\xF0\x9F\x98\x80", 4), 2);
    cr_assert_eq(gx_utf8_width("\xE4\xB8", 2), 2); /* cut: a column a byte */
}

Test(base, near_names_are_near) {
    static const char *const names[] = {"zeros", "ones", "linspace", "mean", "median", "x"};
    const size_t n = sizeof names / sizeof *names;
    cr_assert_str_eq(gx_near_name("zeors", names, n), "zeros");
    cr_assert_str_eq(gx_near_name("lnspace", names, n), "linspace");
    cr_assert_str_eq(gx_near_name("meen", names, n), "mean");
    cr_assert_null(gx_near_name("fourier", names, n));
    cr_assert_null(gx_near_name("y", names, n));
    cr_assert_null(gx_near_name("zeros", names, 0));
    cr_assert_eq(gx_name_distance("ab", "ba", 3), 1);
    cr_assert_eq(gx_name_distance("", "abc", 3), 3);
    cr_assert_eq(gx_name_distance("kitten", "sitting", 5), 3);
    cr_assert_eq(gx_name_distance("kitten", "sitting", 2), 3);
    char giant[200];
    memset(giant, 'a', sizeof giant);
    giant[199] = '\0';
    cr_assert_eq(gx_name_distance(giant, giant, 3), 0);
}

Test(base, the_stack_is_bounded) {
    cr_assert(gx_stack_check(rt));
    cr_assert(gx_stack_ok(rt));
    char here;
    char *volatile above = &here;
    rt->stack_limit = above + 4096;
    cr_assert_not(gx_stack_check(rt));
    cr_assert_eq(rt->error.kind, GX_RecursionError);
}

Test(base, switches_come_from_the_environment) {
    setenv("GX_EAGER", "1", 1);
    setenv("GX_NOFUSE", "0", 1);
    setenv("GX_SMALL", "0", 1);
    setenv("GX_BLOCK", "3", 1);
    setenv("GX_GC", "12x", 1);
    setenv("GX_THREADS", "-4", 1);
    setenv("GX_TRACE", "tape", 1);
    gx_debug d;
    gx_debug_init(&d);
    cr_assert(d.eager && !d.nofuse && !d.small && d.trace_tape && !d.leaks);
    cr_assert_eq(d.block, 3);
    cr_assert_eq(d.gc_threshold, 0);
    cr_assert_eq(d.threads, 0);
}
