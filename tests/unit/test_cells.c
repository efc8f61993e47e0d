/* What has been run is given back: after thousands of cells, and of texts for eval, exec and
   compile, a context holds what it held after the first ones. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "interp/eval/evaluator.h"
#include "runtime/object/container/list.h"
#include "runtime/object/heap.h"

static void run_cell(gx_rt *rt, gx_module *m, const char *text) {
    gx_parse_errors errors = {0};
    uint32_t source;
    gx_unit *unit;
    cr_assert(gx_source_add(rt, "<input>", text, strlen(text), &source));
    if (gx_load(rt, source, m, false, &unit, &errors) == GX_PARSE_OK) {
        if (!gx_run_unit(rt, unit, m, false)) gx_error_clear(rt);
        gx_unit_drop(unit);
    }
    gx_error_clear(rt);
    gx_parse_errors_free(&errors);
}

/* Bytes that a context holds after so many cells of one form, which get their number. */
static int64_t held_after(gx_rt *rt, gx_module *m, const char *form, int from, int to) {
    char text[512];
    for (int i = from; i < to; i++) {
        snprintf(text, sizeof text, form, i, i, i);
        run_cell(rt, m, text);
    }
    gx_collect(rt);
    return rt->stats.live_bytes;
}

static const char *const forms[] = {
    "x = %d + 1\n",
    "def f(a=%d):\n    'doc %d'\n    return a + %d\ny = f()\n",
    "class C:\n    'doc %d'\n    def m(self): return %d\nz = C().m() + %d\n",
    "g = (a + %d for a in range(3))\nnext(g)\n",
    "def g():\n    yield %d\n    yield %d\nh = g()\nnext(h)\n",
    "w = [(lambda v: v + %d)(a) for a in range(3)]\n",
    "w = eval('%d + 1')\nexec('q = %d')\ncode = compile('%d', 'text', 'eval')\n",
    "exec('def inner(): return %d')\nw = inner()\n",
    "1 / 0 + %d\n",
    "x = = %d\n",
    "exec('x = = %d')\n",
    "try:\n    exec('1 / 0 + %d')\nexcept ZeroDivisionError as e:\n    kept = e\n",
};

Test(cells, leave_nothing_behind) {
    enum { FEW = 1000, MANY = 10000 };
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        gx_rt *rt = gx_interp_open();
        gx_value main_module;
        cr_assert(rt && gx_main_module(rt, "__main__", &main_module));
        gx_module *m = gx_as_module(main_module);
        int64_t few = held_after(rt, m, forms[k], 10000, 10000 + FEW);
        int64_t many = held_after(rt, m, forms[k], 10000 + FEW, 10000 + MANY);
        cr_expect_leq(many, few + 512, "%lld bytes, then %lld: %s", (long long)few, (long long)many,
                      forms[k]);
        gx_drop(main_module);
        cr_expect_eq(gx_interp_close(rt, 0), 0);
    }
}

/* A message about what an earlier cell has made shows that cell. */
Test(cells, sources_stay_for_messages) {
    gx_rt *rt = gx_interp_open();
    uint32_t first, last = 0;
    cr_assert(gx_source_add(rt, "first", "x", 1, &first));
    gx_source_retire(rt, first);
    cr_assert_not_null(gx_source_get(rt, first));
    for (int i = 0; i < GX_SOURCES_KEPT; i++) {
        cr_assert(gx_source_add(rt, "more", "x", 1, &last));
        gx_source_retire(rt, last);
    }
    cr_assert_null(gx_source_get(rt, first));
    cr_assert_not_null(gx_source_get(rt, last));
    cr_assert_null(gx_source_of(rt, (gx_span){.source = first, .end = 1}));
    gx_interp_close(rt, 0);
}

/* Containers that come and go start no collection, which would go over all that stays. */
Test(collections, are_not_started_by_what_has_gone) {
    gx_rt *rt = gx_interp_open();
    gx_value list;
    if (rt->debug.gc_threshold > 0) return; /* GX_GC asks for them */
    for (int i = 0; i < 100; i++) {
        cr_assert(gx_list_new(rt, 0, NULL, &list));
        gx_drop(list);
    }
    int64_t before = rt->heap->fresh;
    for (int i = 0; i < 100; i++) {
        cr_assert(gx_list_new(rt, 0, NULL, &list));
        gx_drop(list);
    }
    cr_assert_eq(rt->heap->fresh, before);
    gx_interp_close(rt, 0);
}
