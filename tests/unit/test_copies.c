/* Unit tests of a value's copies on several devices: the host, and simulated GPUs beside each
 * other. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "interp/eval/interp.h"
#include "runtime/array/shape.h"
#include "runtime/device/backends.h"
#include "runtime/graph/lazy.h"
#include "runtime/op/ufunc.h"

enum { N = 5000, BYTES = N * 8 };

static gx_rt *rt;
static gx_place third; /* beside GX_HOST and GX_GPU */

static void set_up(void) {
    setenv("GX_DEVICE", "twin", 1);
    rt = gx_interp_open();
    cr_assert_not_null(rt);
    rt->debug.eager = false;
    cr_assert(gx_backends_gpu(rt));
    cr_assert_not_null(rt->gpu);
    cr_assert(gx_backends_more(rt, rt->gpu->backend, &third));
    cr_assert_neq(third, GX_GPU);
    cr_assert_neq(gx_place_device(rt, third), rt->gpu);
}

/* Nothing is left on any device. */
static void tear_down(void) {
    gx_error_clear(rt);
    for (int place = GX_GPU; place < GX_MAX_PLACES; place++)
        if (rt->places[place]) cr_assert_eq(rt->places[place]->live_bytes, 0);
    cr_assert_eq(rt->stats.array_bytes, 0);
    cr_assert_eq(gx_interp_close(rt, 0), 0);
}

TestSuite(copies, .init = set_up, .fini = tear_down);

/* 0.0, 1.0, … with one copy, at a place. */
static gx_array *made_at(gx_place place) {
    const int64_t n = N;
    gx_array *a;
    gx_buffer *b;
    static double x[N];
    for (int i = 0; i < N; i++) x[i] = i;
    cr_assert(gx_array_empty_at(rt, place, GX_f64, 1, &n, GX_NS_GX, &a));
    b = gx_data_on(a->storage->data, place);
    cr_assert_not_null(b);
    cr_assert(b->device->backend->put(b, 0, x, BYTES));
    return a;
}

static double item(gx_array *a, int64_t i) {
    gx_scalar s;
    cr_assert(gx_array_item_at(rt, a, i, &s));
    return s.f64;
}

Test(copies, each_device_gets_one) {
    gx_array *a = made_at(GX_GPU);
    gx_data *d = a->storage->data;
    gx_buffer *first = gx_data_on(d, GX_GPU), *b, *again;
    cr_assert_null(gx_data_on(d, GX_HOST));
    cr_assert(gx_data_at(rt, d, third, &b));
    cr_assert_eq(b->device, gx_place_device(rt, third));
    cr_assert(gx_data_at(rt, d, third, &again));
    cr_assert_eq(again, b);
    cr_assert_eq(gx_data_on(d, GX_GPU), first);
    double x[N];
    cr_assert(b->device->backend->get(b, 0, x, BYTES));
    for (int i = 0; i < N; i++) cr_assert_eq(x[i], i);
    gx_array_drop(a);
}

Test(copies, a_write_leaves_the_written_one) {
    for (int k = 0; k < 3; k++) {
        const gx_place places[3] = {GX_HOST, GX_GPU, third}, place = places[k];
        gx_array *a = made_at(places[(k + 1) % 3]);
        gx_buffer *b;
        for (int i = 0; i < 3; i++) cr_assert(gx_data_at(rt, a->storage->data, places[i], &b));
        cr_assert(gx_storage_own(rt, a->storage, place, &b));
        for (int i = 0; i < 3; i++)
            cr_assert_eq(gx_data_on(a->storage->data, places[i]), i == k ? b : NULL);
        const double seven = 7;
        cr_assert(b->device->backend->put(b, 8, &seven, 8));
        cr_assert_eq(item(a, 1), 7);
        cr_assert_eq(item(a, N - 1), N - 1);
        gx_array_drop(a);
    }
}

Test(copies, a_dropped_one_leaves_the_others) {
    gx_array *a = made_at(GX_GPU);
    gx_data *d = a->storage->data;
    gx_buffer *b;
    cr_assert(gx_data_at(rt, d, third, &b));
    gx_copies_drop_at(&d->copies, GX_GPU);
    cr_assert_null(gx_data_on(d, GX_GPU));
    cr_assert_eq(gx_data_on(d, third), b);
    gx_copies_drop_at(&d->copies, GX_HOST);
    cr_assert_null(gx_data_on(d, GX_HOST));
    cr_assert_eq(item(a, 3), 3);
    cr_assert(gx_data_at(rt, d, GX_GPU, &b));
    gx_copies_drop_at(&d->copies, GX_GPU);
    cr_assert_eq(item(a, 4), 4);
    gx_array_drop(a);
}

/* What is pending is computed where its first operand away from the host lives; the other moves. */
Test(copies, operands_of_two_devices_meet_on_the_first) {
    gx_array *a = made_at(third), *b = made_at(GX_GPU);
    gx_value sum;
    cr_assert(gx_op2(rt, GX_OP_add, (gx_value){.tag = GX_ARRAY, .obj = &a->obj},
                     (gx_value){.tag = GX_ARRAY, .obj = &b->obj}, &sum));
    gx_array *r = gx_as_array(sum);
    cr_assert(gx_storage_force(rt, r->storage));
    cr_assert_eq(r->storage->data->place, third);
    cr_assert_not_null(gx_data_on(r->storage->data, third));
    cr_assert_not_null(gx_data_on(b->storage->data, third));
    cr_assert_eq(item(r, N - 1), 2 * (N - 1));
    gx_array_drop(a);
    gx_array_drop(b);
    gx_drop(sum);
}

/* As many devices as may be open, and then one more. */
Test(copies, devices_are_numbered_until_there_are_too_many) {
    gx_place place;
    for (int k = third + 1; k < GX_MAX_PLACES; k++) {
        cr_assert(gx_backends_more(rt, rt->gpu->backend, &place));
        cr_assert_eq((int)place, k);
    }
    cr_assert_not(gx_backends_more(rt, rt->gpu->backend, &place));
    cr_assert(gx_error_is(rt->error.kind, GX_RuntimeError));
}
