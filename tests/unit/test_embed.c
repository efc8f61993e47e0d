/* include/gx.h as a program uses it. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/gx.h"
#include "include/gx_dlpack.h"
#include "tests/unit/host_int.h"

static int64_t int_of(gx_ref *r) {
    int64_t n = -1;
    cr_expect(r && gx_ref_to_int(r, &n));
    gx_ref_drop(r);
    return n;
}

/* --- running --- */

Test(embed, values_and_output) {
    host h;
    gx_state *s = open_state(&h);
    cr_expect_str_eq(gx_version(), "0.1.0");
    cr_expect_eq(int_of(run_text(s, "x = 40\nx + 2")), 42);
    cr_expect_eq(int_of(run_text(s, "_ + 1")), 43);
    cr_expect_null(run_text(s, "y = 3"));
    cr_expect_null(run_text(s, "None"));
    cr_expect_null(run_text(s, ""));
    gx_ref_drop(run_text(s,
                         "import sys\nprint('a', 1)\nsys.stdout.write('b\\n')\nsys.stdout.flush()\n"
                         "print('c', file=sys.stderr, flush=True)\nsys.stdout.isatty()"));
    cr_expect_str_eq(h.out, "a 1\nb\n");
    cr_expect_str_eq(h.err, "c\n");
    gx_ref_drop(run_text(s, "import numpy as np\nr = np.array([1.0]) / np.array([0.0])\nprint(r)"));
    cr_expect_not_null(strstr(h.err, "RuntimeWarning: divide by zero"));
    gx_ref_drop(run_text(s, "name = input('name? ')"));
    gx_ref *name = gx_state_get(s, "name");
    const char *text;
    size_t length;
    cr_assert(name && gx_ref_to_text(name, &text, &length));
    cr_expect_str_eq(text, "Ada");
    gx_ref_drop(name);
    cr_expect_str_eq(fails(s, "input('more? ')")->kind, "EOFError");
    cr_expect_null(run_text(s, "%time 1 + 1"));
    h.broken = true;
    cr_expect_str_eq(fails(s, "print(1)")->kind, "OSError");
    gx_state_close(s);
}

Test(embed, pictures_and_bundles) {
    host h;
    gx_state *s = open_state(&h);
    cr_expect_null(run_text(s, "import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.show()"));
    cr_expect_eq(h.pictures, 1);
    gx_ref *figure = run_text(s, "plot([1, 2, 3])");
    gx_bundle *b = figure ? gx_ref_show(figure) : NULL;
    cr_assert_not_null(b);
    cr_expect_eq(b->count, 3);
    cr_expect_str_eq(b->item[0].type, "text/plain");
    cr_expect_str_eq(b->item[1].type, "image/png");
    cr_expect_eq(memcmp(b->item[1].data, "\x89PNG", 4), 0);
    cr_expect_str_eq(b->item[2].type, "image/svg+xml");
    cr_expect_not_null(strstr(b->item[2].data, "<svg"));
    gx_bundle_free(b);
    gx_ref_drop(figure);
    gx_ref *own = run_text(s, "class T:\n    def __repr__(self): return 'T!'\n"
                         "    def _repr_html_(self): return '<b>T</b>'\n"
                         "    def _repr_latex_(self): return None\nT()");
    b = gx_ref_show(own);
    cr_assert_not_null(b);
    cr_expect_eq(b->count, 2);
    cr_expect_str_eq(b->item[0].data, "T!");
    cr_expect_str_eq(b->item[1].type, "text/html");
    cr_expect_str_eq(b->item[1].data, "<b>T</b>");
    cr_expect_eq(b->item[1].length, 8);
    gx_bundle_free(b);
    gx_ref_drop(own);
    own = run_text(s, "class U:\n    def _repr_html_(self): raise ValueError('no')\nU()");
    cr_expect_null(gx_ref_show(own));
    cr_expect_str_eq(gx_state_failure(s)->message, "no");
    gx_ref_drop(own);
    gx_state_close(s);
}

/* --- asking about texts --- */

static gx_wholeness entry(gx_state *s, const char *text) {
    return gx_state_entry(s, text, strlen(text));
}

static bool offers(gx_state *s, const char *text, const char *word, size_t from) {
    gx_words *w = gx_state_complete(s, text, strlen(text), strlen(text));
    bool found = false;
    cr_assert_not_null(w);
    for (size_t i = 0; i < w->count; i++) found = found || strcmp(w->word[i], word) == 0;
    cr_expect(!found || w->from == from, "%zu", w->from);
    gx_words_free(w);
    return found;
}

Test(embed, entries_words_help) {
    host h;
    gx_state *s = open_state(&h);
    cr_expect_eq(entry(s, "x = 1"), GX_ENTRY_WHOLE);
    cr_expect_eq(entry(s, ""), GX_ENTRY_WHOLE);
    cr_expect_eq(entry(s, "def f(x):"), GX_ENTRY_MORE);
    cr_expect_eq(entry(s, "f(1,"), GX_ENTRY_MORE);
    cr_expect_eq(entry(s, "x = = 1"), GX_ENTRY_WRONG);
    cr_expect_eq(entry(s, "%time 1"), GX_ENTRY_WHOLE);
    cr_expect_eq(entry(s, "%%time\n1"), GX_ENTRY_MORE);
    gx_ref_drop(run_text(s, "velocity = 3\nimport math\ndef area(radius): return 1"));
    cr_expect(offers(s, "2 * velo", "velocity", 4));
    cr_expect(offers(s, "math.sq", "sqrt", 5));
    cr_expect(offers(s, "area(rad", "radius=", 5));
    cr_expect_not(offers(s, "velo", "area", 0));
    char *text = gx_state_inspect(s, "math.sqrt", false);
    cr_assert_not_null(text);
    cr_expect_not_null(strstr(text, "sqrt("));
    gx_string_free(text);
    text = gx_state_inspect(s, "area", true);
    cr_assert_not_null(text);
    cr_expect_not_null(strstr(text, "def area(radius): return 1"), "%s", text);
    gx_string_free(text);
    cr_expect_null(gx_state_inspect(s, "nothing", false));
    cr_expect_str_eq(gx_state_failure(s)->kind, "NameError");
    cr_expect_str_eq(h.out, "");
    gx_state_close(s);
}

/* --- failures --- */

Test(embed, failures_are_structs) {
    host h;
    gx_state *s = open_state(&h);
    const gx_failure *f = fails(s, "import numpy as np\na = np.zeros((3, 4))\n"
                                   "def f(b):\n    return a + b\nf(np.zeros(5))");
    cr_expect_str_eq(f->kind, "ValueError");
    cr_expect_str_eq(f->code, "shape.broadcast");
    cr_expect_not_null(strstr(f->message, "shapes (3, 4) and (5,)"), "%s", f->message);
    cr_expect_str_eq(f->at.file, "<cell>");
    cr_expect_eq(f->at.line, 4);
    cr_expect_eq(f->at.column, 14);
    cr_expect_eq(f->at.end_column, 15);
    cr_expect_str_eq(f->line, "    return a + b");
    cr_assert_eq(f->operand_count, 2);
    cr_expect_str_eq(f->operand[0].text, "a: float64 (3, 4)");
    cr_expect_eq(f->operand[1].at.column, 16);
    cr_assert_eq(f->frame_count, 1);
    cr_expect_str_eq(f->frame[0].function, "f(b)");
    cr_expect_eq(f->frame[0].at.line, 5);
    cr_expect_eq(f->exit_status, -1);
    cr_expect_not_null(strstr(f->text, "ValueError: cannot combine"));
    f = fails(s, "np.zeros((3, 4)).sum(2)");
    cr_expect_eq(f->number_count, 2);
    cr_expect_eq(f->number[0], 2);
    cr_expect_eq(f->number[1], 2);
    f = fails(s, "x = = 1");
    cr_expect_str_eq(f->kind, "SyntaxError");
    cr_expect_eq(f->at.line, 1);
    cr_expect_eq(fails(s, "exit(3)")->exit_status, 3);
    cr_expect_eq(fails(s, "exit()")->exit_status, 0);
    f = fails(s, "class Mine(Exception): pass\nraise Mine('why')");
    cr_expect_str_eq(f->kind, "Mine");
    cr_expect_str_eq(f->message, "why");
    f = fails(s, "zeroos(3)");
    cr_expect_not_null(f->help);
    cr_expect_null(gx_state_get(s, "nothing"));
    cr_expect_str_eq(gx_state_failure(s)->kind, "NameError");
    gx_ref_drop(gx_ref_int(s, 1));
    cr_expect_null(gx_state_failure(s));
    cr_expect_str_eq(h.err, "");
    gx_state_close(s);
}

/* --- values --- */

Test(embed, values_both_ways) {
    host h;
    gx_state *s = open_state(&h);
    gx_ref *items[3] = {gx_ref_int(s, 7), gx_ref_float(s, 0.5), gx_ref_text(s, "é", 2)};
    gx_ref *list = gx_ref_list(s, 3, items);
    int64_t n;
    double x;
    bool b;
    const char *text;
    cr_assert(list && gx_state_set(s, "list", list));
    for (int i = 0; i < 3; i++) gx_ref_drop(items[i]);
    cr_expect(gx_ref_length(list, &n) && n == 3);
    gx_ref *item = gx_ref_item(list, -1);
    cr_expect(item && gx_ref_to_text(item, &text, NULL) && strcmp(text, "é") == 0);
    cr_expect_not(gx_ref_to_float(item, &x));
    cr_expect_str_eq(gx_state_failure(s)->message, "a number is wanted, not str");
    cr_expect_str_eq(gx_ref_type(item), "str");
    gx_ref_drop(item);
    cr_expect_null(gx_ref_item(list, 3));
    cr_expect_str_eq(gx_state_failure(s)->kind, "IndexError");
    gx_ref_drop(list);
    gx_ref *sum = run_text(s, "import numpy as np\nnp.float32(2.5)");
    cr_expect(gx_ref_to_float(sum, &x) && x == 2.5);
    cr_expect(gx_ref_to_bool(sum, &b) && b);
    gx_ref_drop(sum);
    gx_ref *big = run_text(s, "10 ** 30");
    cr_expect_not(gx_ref_to_int(big, &n));
    cr_expect_str_eq(gx_state_failure(s)->kind, "OverflowError");
    gx_ref_drop(big);
    gx_ref *max = gx_state_get(s, "max"), *two[2] = {gx_ref_int(s, 3), gx_ref_int(s, 9)};
    cr_expect_eq(int_of(gx_ref_call(max, 2, two)), 9);
    cr_expect_null(gx_ref_call(two[0], 0, NULL));
    cr_expect_str_eq(gx_state_failure(s)->code, "call.type");
    gx_ref_drop(two[0]);
    gx_ref_drop(two[1]);
    gx_ref *doc = gx_ref_attr(max, "__name__");
    cr_expect(doc && gx_ref_to_text(doc, &text, NULL) && strcmp(text, "max") == 0);
    gx_ref_drop(doc);
    gx_ref_drop(max);
    cr_expect_null(gx_ref_text(s, "\xff", 1));
    cr_expect_str_eq(gx_state_failure(s)->kind, "UnicodeDecodeError");
    gx_ref *none = gx_ref_none(s), *yes = gx_ref_bool(s, true);
    cr_expect(gx_ref_to_bool(none, &b) && !b && gx_ref_to_bool(yes, &b) && b);
    gx_ref_drop(gx_ref_keep(none));
    gx_ref_drop(none);
    (void)yes; /* a state takes what its program still holds along */
    gx_state_close(s);
}

Test(embed, arrays_both_ways) {
    host h;
    gx_state *s = open_state(&h);
    int32_t numbers[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    gx_strided part = {.dtype = "int32", .ndim = 2, .shape = (int64_t[]){2, 2},
                       .strides = (int64_t[]){16, 8}, .data = numbers};
    gx_ref *a = gx_ref_array(s, &part);
    gx_strided got;
    cr_assert(a && gx_state_set(s, "a", a));
    cr_expect_eq(int_of(run_text(s, "int((a == [[1, 3], [5, 7]]).all())")), 1);
    gx_ref *t = run_text(s, "a.T");
    cr_assert(gx_ref_read(t, &got));
    cr_expect_str_eq(got.dtype, "int32");
    cr_expect(got.ndim == 2 && got.shape[0] == 2 && got.strides[0] == 4 && got.strides[1] == 8);
    cr_expect_eq(*(const int32_t *)((const char *)got.data + 4), 3);
    gx_ref_drop(t);
    cr_assert(gx_ref_write(a, &got));
    ((int32_t *)got.data)[0] = 100;
    cr_expect_eq(int_of(run_text(s, "a[0, 0]")), 100);
    cr_expect(gx_ref_device(a, &got, NULL));
    cr_expect_null(got.data);
    gx_ref_drop(a);
    part.dtype = "floot32";
    cr_expect_null(gx_ref_array(s, &part));
    part.dtype = "int32";
    part.shape = (int64_t[]){2, -2};
    cr_expect_null(gx_ref_array(s, &part));
    part.shape = (int64_t[]){2, 0};
    a = gx_ref_array(s, &part);
    cr_expect(a && gx_ref_read(a, &got) && got.shape[1] == 0);
    gx_ref_drop(a);
    gx_ref *one = gx_ref_int(s, 1);
    cr_expect_not(gx_ref_read(one, &got));
    cr_expect_str_eq(gx_state_failure(s)->message, "an array is wanted, not int");
    gx_ref_drop(one);
    gx_state_close(s);
}

static int deleted;
static void count_deleted(DLManagedTensorVersioned *t) {
    (void)t;
    deleted++;
}

Test(embed, dlpack) {
    host h;
    gx_state *s = open_state(&h);
    gx_ref *a =
        run_text(s, "import numpy as np\na = np.arange(6, dtype='float32').reshape(2, 3)\na.T");
    DLManagedTensorVersioned *t = gx_ref_to_dlpack(a);
    gx_ref_drop(a);
    cr_assert_not_null(t);
    cr_expect(t->version.major == 1 && t->dl_tensor.device.device_type == kDLCPU);
    cr_expect(t->dl_tensor.dtype.code == kDLFloat && t->dl_tensor.dtype.bits == 32);
    cr_expect(t->dl_tensor.ndim == 2 && t->dl_tensor.shape[0] == 3 &&
              t->dl_tensor.strides[0] == 1 && t->dl_tensor.strides[1] == 3);
    gx_ref_drop(run_text(s, "a[0, 0] = 50; a[...] = -1; del a"));
    cr_expect_eq(((const float *)t->dl_tensor.data)[0], 0); /* what was lent stays as it was */
    cr_expect_eq(((const float *)t->dl_tensor.data)[5], 5);
    gx_ref *copy = gx_ref_from_dlpack(s, t); /* gives it back */
    cr_assert(copy && gx_state_set(s, "copy", copy));
    cr_expect_eq(int_of(run_text(s, "int((copy == np.arange(6).reshape(2, 3).T).all())")), 1);
    gx_ref_drop(copy);
    double data[3] = {1, 2, 3};
    int64_t shape[1] = {3};
    DLManagedTensorVersioned own = {.version = {1, 0}, .deleter = count_deleted};
    own.dl_tensor = (DLTensor){.data = data, .device = {kDLCPU, 0}, .ndim = 1,
                               .dtype = {kDLFloat, 64, 1}, .shape = shape, .byte_offset = 8};
    shape[0] = 2;
    copy = gx_ref_from_dlpack(s, &own);
    cr_assert(copy && gx_state_set(s, "copy", copy));
    cr_expect_eq(int_of(run_text(s, "int(copy.sum())")), 5);
    gx_ref_drop(copy);
    own.dl_tensor.device.device_type = kDLCUDA;
    cr_expect_null(gx_ref_from_dlpack(s, &own));
    cr_expect_str_eq(gx_state_failure(s)->code, "dlpack.device");
    own.dl_tensor.device.device_type = kDLCPU;
    own.dl_tensor.dtype.bits = 128;
    cr_expect_null(gx_ref_from_dlpack(s, &own));
    cr_expect_eq(deleted, 3);
    gx_state_close(s);
}

Test(embed, bfloat16_has_a_code_of_its_own_in_dlpack) {
    host h;
    gx_state *s = open_state(&h);
    gx_ref *a = run_text(s, "import numpy as np\nnp.array([1, -2.5], 'bfloat16')");
    DLManagedTensorVersioned *t = gx_ref_to_dlpack(a);
    gx_ref_drop(a);
    cr_assert_not_null(t);
    cr_expect(t->dl_tensor.dtype.code == kDLBfloat && t->dl_tensor.dtype.bits == 16);
    cr_expect_eq(((const uint16_t *)t->dl_tensor.data)[1], 0xc020);
    gx_ref *copy = gx_ref_from_dlpack(s, t);
    cr_assert(copy && gx_state_set(s, "copy", copy));
    gx_ref *same = run_text(s, "int(copy.dtype == 'bfloat16' and copy.tolist() == [1, -2.5])");
    cr_expect_eq(int_of(same), 1);
    gx_ref_drop(copy);
    gx_state_close(s);
}

/* --- C functions --- */

static gx_ref *twice(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    int64_t n;
    ++*(int *)self;
    if (argc != 1) return gx_state_raise(s, "TypeError", "twice() takes one number");
    if (!gx_ref_to_int(argv[0], &n)) return NULL;
    return gx_ref_int(s, 2 * n);
}

static gx_ref *again(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    gx_ref *value = NULL;
    (void)self;
    (void)argc;
    (void)argv;
    if (!gx_state_run(s, "own_name + 1", 12, "<inner>", &value)) return NULL;
    return value;
}

static gx_ref *silent(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    (void)s;
    (void)self;
    (void)argc;
    (void)argv;
    return NULL;
}

static void define(gx_state *s, const char *name, gx_callback fn, void *self) {
    gx_ref *f = gx_ref_function(s, name, "Of the host.", fn, self);
    cr_assert(f && gx_state_set(s, name, f));
    gx_ref_drop(f);
}

Test(embed, functions_of_the_host) {
    host h;
    gx_state *s = open_state(&h);
    int calls = 0;
    define(s, "twice", twice, &calls);
    define(s, "again", again, NULL);
    define(s, "silent", silent, NULL);
    cr_expect_eq(int_of(run_text(s, "sum([twice(i) for i in range(5)])")), 20);
    cr_expect_eq(calls, 5);
    const gx_failure *f = fails(s, "twice()");
    cr_expect_str_eq(f->kind, "TypeError");
    cr_expect_str_eq(f->message, "twice() takes one number");
    cr_expect_eq(f->at.line, 1);
    cr_expect_str_eq(fails(s, "twice('x')")->message, "an integer is wanted, not str");
    cr_expect_eq(int_of(run_text(s, "try:\n    twice('x')\nexcept TypeError: caught = 1\ncaught")),
                 1);
    cr_expect_eq(int_of(run_text(s, "own_name = 4\nagain() + 1")), 6);
    cr_expect_str_eq(fails(s, "del own_name\nagain()")->kind, "NameError");
    cr_expect_str_eq(fails(s, "silent()")->code, "call.host");
    cr_expect_str_eq(fails(s, "twice(x=1)")->kind, "TypeError");
    cr_expect_null(gx_ref_function(s, "no name", NULL, twice, &calls));
    gx_state_close(s);
}

/* --- limits, interrupts, several states --- */

static void *interrupt_soon(void *arg) {
    usleep(100000);
    gx_state_interrupt(arg);
    return NULL;
}

Test(embed, interrupt_from_another_thread) {
    static const char *const texts[] = {"while True: pass", "import time\ntime.sleep(60)",
                                        ("import numpy as np\n"
                                         "while True: np.ones((300, 300)) @ np.ones((300, 300))")};
    host h;
    gx_state *s = open_state(&h);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        cr_assert_eq(pthread_create(&thread, NULL, interrupt_soon, s), 0);
        cr_expect_str_eq(fails(s, texts[i])->kind, "KeyboardInterrupt");
        pthread_join(thread, NULL);
        cr_expect_eq(int_of(run_text(s, "1 + 1")), 2);
    }
    gx_state_close(s);
}

Test(embed, limits) {
    gx_config config = {.api = GX_API, .max_steps = 100000, .max_seconds = 0.2, .safe = true};
    config.max_bytes = 64 << 20;
    gx_state *s = gx_state_open(&config, NULL, 0);
    cr_assert_not_null(s);
    for (int i = 0; i < 3; i++) {
        cr_expect_str_eq(fails(s, "while True: pass")->code, "limit.steps");
        cr_expect_eq(int_of(run_text(s, "sum(range(100))")), 4950);
    }
    cr_expect_str_eq(fails(s, "'x' * (1 << 30)")->kind, "MemoryError");
    cr_expect_str_eq(fails(s, "open('/etc/hostname')")->kind, "PermissionError");
    gx_state_close(s);
    config.max_steps = 0;
    s = gx_state_open(&config, NULL, 0);
    for (int i = 0; i < 2; i++) {
        cr_expect_str_eq(fails(s, "while True: pass")->code, "limit.time");
        cr_expect_eq(int_of(run_text(s, "1 + 1")), 2);
    }
    gx_state_close(s);
    char why[100];
    config.device = "floppy";
    cr_expect_null(gx_state_open(&config, why, sizeof why));
    cr_expect_not_null(strstr(why, "floppy"));
    config = (gx_config){.api = 0};
    cr_expect_null(gx_state_open(&config, why, sizeof why));
    gx_state_close(NULL);
}

static void *run_many(void *arg) {
    const int own = (int)(intptr_t)arg;
    char text[300];
    host h;
    for (int round = 0; round < 3; round++) {
        gx_state *s = open_state(&h);
        for (int i = 0; i < 20; i++) {
            snprintf(text, sizeof text,
                     "import numpy as np\nv = %d\na = np.arange(200000) * v + %d\n"
                     "def f(n): return 0 if n == 0 else 1 + f(n - 1)\n"
                     "m = np.ones((60, 60)) @ np.ones((60, 60))\n"
                     "np.sort(a[::-1])\nint(a.sum() // 100000 + f(200) + m[0, 0])",
                     own, i);
            int64_t sum = (199999LL * own * 200000 / 2 + 200000LL * i) / 100000;
            cr_expect_eq(int_of(run_text(s, text)), sum + 200 + 60);
        }
        cr_expect_str_eq(fails(s, "1 / 0")->kind, "ZeroDivisionError");
        gx_state_close(s);
    }
    return NULL;
}

Test(embed, several_states_on_several_threads) {
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, run_many, (void *)(intptr_t)(i + 1)), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
}

/* One state, used by one thread after another: deep recursion ends as an error on each. */
static void *recurse(void *arg) {
    const gx_failure *f = fails(arg, "import sys\nsys.setrecursionlimit(10 ** 6)\n"
                                     "def f(n): return f(n + 1)\nf(0)");
    cr_expect_str_eq(f->kind, "RecursionError");
    return NULL;
}

Test(embed, one_state_on_one_thread_after_another) {
    host h;
    gx_state *s = open_state(&h);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    for (size_t kib = 512; kib <= 4096; kib *= 2) {
        pthread_t thread;
        pthread_attr_setstacksize(&attr, kib << 10);
        cr_assert_eq(pthread_create(&thread, &attr, recurse, s), 0);
        pthread_join(thread, NULL);
        recurse(s);
    }
    pthread_attr_destroy(&attr);
    gx_state_close(s);
}

static int64_t resident(void) {
    long pages = 0, all;
    FILE *f = fopen("/proc/self/statm", "r");
    cr_assert(f && fscanf(f, "%ld %ld", &all, &pages) == 2);
    fclose(f);
    return pages * 4096;
}

Test(embed, ten_thousand_cells_leave_no_growth) {
    host h;
    gx_state *s = open_state(&h);
    char text[200];
    int64_t held[2] = {0, 0}, memory[2] = {0, 0};
    for (int i = 0; i < 11000; i++) {
        snprintf(text, sizeof text,
                 "def f(x):\n    'number %d'\n    return x + %d\nf(%d) + len(f'{%d}')", i, i, i, i);
        gx_ref *value = run_text(s, text);
        if (i % 3 == 0) gx_bundle_free(gx_ref_show(value));
        gx_ref_drop(value);
        if (i % 7 == 0) fails(s, "x = = 1");
        if (i % 11 == 0) fails(s, "f(None)");
        int k = i == 999 ? 0 : i == 10999 ? 1 : -1;
        if (k < 0) continue;
        gx_state_memory(s, &held[k], NULL);
        memory[k] = resident();
    }
    cr_expect_leq(held[1], held[0] + 4096, "%lld, then %lld", (long long)held[0],
                  (long long)held[1]);
#if defined(__SANITIZE_ADDRESS__) /* which keeps what is freed for a while */
    memory[1] = memory[0];
#endif
    cr_expect_leq(memory[1], memory[0] + (1 << 20), "%lld, then %lld", (long long)memory[0],
                  (long long)memory[1]);
    gx_state_close(s);
}
