/* Unit tests of the table of backends, and of the simulated GPU's memory. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "runtime/backend/sim/device/device_int.h"
#include "runtime/device/backends.h"

static void check_closed(gx_rt *rt) {
    gx_error_clear(rt);
    gx_sources_free(rt);
    gx_symtab_free(rt);
    cr_assert_eq(rt->stats.live_blocks, 0, "%ld blocks leak", (long)rt->stats.live_blocks);
    gx_rt_free(rt);
}

Test(backends, what_every_backend_has) {
    int n = 0;
    for (const gx_backend *b; (b = gx_backends_list(n)) != NULL; n++) {
        cr_assert(b->name && b->doc && b->open && b->close && b->sync && b->memory);
        cr_assert(b->alloc && b->release && b->put && b->get);
        cr_assert(b->run && b->gather && b->scatter && b->nonzero && b->matmul, "%s", b->name);
        cr_assert_eq(b->blame == NULL, b->met == NULL, "%s: both or none", b->name);
        cr_assert(b->select && b->scan && b->scans && b->filter && b->takes_filter, "%s", b->name);
        cr_assert(b->each && b->has_each, "%s", b->name);
        cr_assert_eq(b->threads == NULL, b->tasks == NULL, "%s: both or none", b->name);
        cr_assert_not(b->host && b->simulated, "%s", b->name);
        for (int k = 0; k < n; k++) cr_assert_str_neq(b->name, gx_backends_list(k)->name);
    }
    cr_assert(n >= 4);
    cr_assert_not(gx_backends_vendor()->simulated);
    cr_assert_not_null(gx_backends_vendor()->gpu);
}

Test(backends, a_row_is_chosen_by_its_name) {
    static const struct {
        const char *asked, *name;
    } rows[] = {{"sim", "sim"}, {"twin", "twin"}, {"cpu", NULL}};
    static const char *const unknown[] = {"gpu", "cud", "cuda:", "cuda:x", "cuda:-1", "cuda:9999",
                                          "sim:0", "twins", "cpu:1"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gx_rt *rt = gx_rt_new();
        snprintf(rt->debug.device, sizeof rt->debug.device, "%s", rows[i].asked);
        cr_assert(gx_backends_open(rt) && gx_backends_gpu(rt));
        cr_assert_eq(rt->device->backend, &gx_cpu_backend);
        cr_assert_eq(rt->gpu == NULL, rows[i].name == NULL);
        if (rt->gpu) cr_assert_str_eq(rt->gpu->backend->name, rows[i].name);
        gx_backends_close(rt);
        check_closed(rt);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        gx_rt *rt = gx_rt_new();
        snprintf(rt->debug.device, sizeof rt->debug.device, "%s", unknown[i]);
        cr_assert_not(gx_backends_open(rt), "%s", unknown[i]);
        cr_assert_str_eq(rt->error.code, "device.unknown");
        cr_assert(strstr(rt->error.message, "it is cpu, cuda or cuda:N"));
        check_closed(rt);
    }
}

static void check_memory(const gx_backend *backend) {
    enum { MANY = 100 };
    gx_rt *rt = gx_rt_new();
    gx_device *d;
    gx_buffer *b[MANY];
    char text[8] = "seven..", back[8] = "", *at;
    cr_assert(backend->open(rt, &d));
    const int64_t before = d->live_bytes;
    for (int i = 0; i < MANY; i++) {
        cr_assert(backend->alloc(d, 100 * i, &b[i]));
        cr_assert_neq((uintptr_t)b[i]->data >> 48, 0, "the host could reach it");
    }
    for (int i = 0; i < MANY; i++) /* no two are the same */
        for (int k = 0; k < i; k++) cr_assert_neq(b[i]->data, b[k]->data);
    cr_assert(backend->put(b[7], 600, text, 8) && backend->get(b[7], 600, back, 8));
    cr_assert_str_eq(back, text);
    gx_sim_device *s = gx_sim_of(d);
    const gx_gpu_ptr first = gx_gpu_address(b[7]);
    cr_assert(gx_sim_bytes(s, first + 600, 8, &at));
    cr_assert_str_eq(at, text);
    const gx_gpu_ptr end = first + (gx_gpu_ptr)b[7]->room;
    gx_buffer_drop(b[3]);
    const gx_gpu_ptr wrong[] = {end - 7, end, 0, 4096, (gx_gpu_ptr)(uintptr_t)text,
                                (gx_gpu_ptr)(GX_SIM_FIRST + s->count) << GX_SIM_SHIFT,
                                (gx_gpu_ptr)(GX_SIM_FIRST + 4) << GX_SIM_SHIFT};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_assert_not(gx_sim_bytes(s, wrong[i], 8, &at), "address %zu", i);
        cr_assert_str_eq(rt->error.code, "sim.address");
        gx_error_clear(rt);
    }
    for (int i = 0; i < MANY; i++)
        if (i != 3) gx_buffer_drop(b[i]);
    cr_assert_eq(d->live_bytes, before);
    backend->close(d);
    check_closed(rt);
}

Test(backends, the_simulated_gpus_memory_is_not_the_hosts) {
    check_memory(&gx_sim_backend);
    check_memory(&gx_twin_backend);
}
