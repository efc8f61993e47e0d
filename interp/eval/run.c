/* From a source to a running module: parsing, linking, running its body; and the interpreter's
   birth and end. */
#include "interp/eval/debug/debugger.h"
#include "interp/eval/evaluator.h"

#include <sys/mman.h>

#include "runtime/array/print.h"
#include "runtime/backend/cost.h"
#include "runtime/object/container/list.h"
#include "runtime/object/native.h"
#include "runtime/object/native_body.h"
#include "runtime/object/text/str.h"
#include "runtime/op/inline.h"
#include "runtime/op/ufunc.h"
#include "stdlib/bridge/bridge.h"
#include "stdlib/stdlib.h"

/* Address space for the value stack; pages are used only as far as the stack has grown. Under
   GX_MAX_MEMORY it is a sixteenth of that and counts as a whole. */
static size_t stack_bytes(const gx_rt *rt) {
    const size_t most = (size_t)256 << 20, least = 64 << 10;
    size_t part = (size_t)rt->debug.max_memory / 16 / least * least;
    return !rt->debug.max_memory || part > most ? most : part < least ? least : part;
}

bool gx_interp_new(gx_rt *rt) {
    gx_interp *vm = gx_alloc_zero(rt, sizeof *vm);
    if (!vm) return false;
    size_t bytes = stack_bytes(rt);
    void *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED) {
        gx_free(rt, vm);
        return gx_no_memory(rt);
    }
    vm->stack = vm->top = stack;
    vm->end = vm->stack + bytes / sizeof *vm->stack;
    gx_memory_mapped(rt, rt->debug.max_memory ? (int64_t)bytes : 0);
    vm->append = gx_sym_c(rt, "append");
    vm->get = gx_sym_c(rt, "get");
    vm->main_name = gx_sym_c(rt, "__main__");
    rt->interp = vm;
    rt->script_at = gx_script_at;
    rt->make_module = gx_new_module;
    return vm->append && vm->get && vm->main_name;
}

/* What the script left for its end (stdlib/python/system/atexit.gx). */
static void say_goodbye(gx_rt *rt) {
    gx_value fn, r;
    gx_sym module = gx_sym_find(rt, "atexit", 6), name = gx_sym_find(rt, "_run_exitfuncs", 14);
    if (!module || !name) return;
    for (size_t i = 0; i < rt->interp->modules.count; i++) {
        gx_module *m = gx_as_module(rt->interp->modules.items[i]);
        if (m->name != module) continue;
        if (gx_module_get(rt, m, name, &fn) == GX_TRY_YES) {
            if (gx_call_value(rt, fn, 0, NULL, 0, NULL, &r)) gx_drop(r);
            gx_drop(fn);
        }
        gx_error_clear(rt);
        return;
    }
}

void gx_interp_end(gx_rt *rt) {
    gx_interp *vm = rt->interp;
    say_goodbye(rt);
    if (vm->debugger) vm->debugger->free(rt);
    gx_python_end(rt);
    gx_native_bodies_drop(rt);
    for (size_t i = 0; i < vm->modules.count; i++)
        gx_module_clear(rt, gx_as_module(vm->modules.items[i]));
    /* Cycles' last words come first, then the cycles go; words may leave others behind. */
    for (int i = 0; i < 8; i++) {
        gx_last_words(rt);
        gx_collect(rt);
        if (!rt->dying) break;
    }
}

void gx_interp_free(gx_rt *rt) {
    gx_interp *vm = rt->interp;
    if (!vm) return;
    gx_interp_end(rt);
    gx_drop(gx_steal(&vm->loaded));
    gx_drop(gx_steal(&vm->slice));
    gx_native_bodies_drop(rt);
    for (size_t i = 0; i < vm->modules.count; i++) gx_drop(vm->modules.items[i]);
    gx_vec_free(rt, &vm->modules);
    gx_dynamic_free(rt, vm);
    gx_units_unlink(rt);
    gx_last_words_end(rt);
    gx_collect(rt);
    if (vm->units) vm->units->place = NULL; /* what stdlib holds goes later */
    munmap(vm->stack, (size_t)(vm->end - vm->stack) * sizeof *vm->stack);
    gx_teach_free(rt, vm);
    gx_free(rt, vm->reads);
    gx_free(rt, vm->folder);
    gx_free(rt, vm);
    rt->interp = NULL;
    rt->script_at = NULL;
    rt->make_module = NULL;
}

bool gx_globals_grow(gx_rt *rt, gx_module *g) {
    int32_t slots = (int32_t)g->slots.count;
    if (slots > g->room) {
        int32_t room = slots + slots / 2 + 8;
        gx_value *values = gx_realloc(rt, g->values, (size_t)room * sizeof *values);
        if (!values) return false;
        g->values = values;
        gx_sym *names = gx_realloc(rt, g->names, (size_t)room * sizeof *names);
        if (!names) return false;
        g->names = names;
        g->room = room;
    }
    for (int32_t i = g->count; i < slots; i++) g->values[i] = gx_undef();
    for (uint32_t i = 0; i < g->slots.room; i++)
        if (g->slots.keys[i]) g->names[g->slots.values[i]] = g->slots.keys[i];
    g->count = slots;
    return true;
}

bool gx_globals_set_c(gx_rt *rt, gx_module *g, const char *name, gx_borrowed v) {
    gx_sym sym = gx_sym_c(rt, name);
    return sym && gx_module_set(rt, g, sym, v);
}

bool gx_bind_doc(gx_rt *rt, gx_module *g, const gx_unit *unit) {
    gx_value text;
    if (!unit->main->doc) return true;
    if (!gx_str_c(rt, unit->main->doc, &text)) return false;
    bool ok = gx_globals_set_c(rt, g, "__doc__", text);
    gx_drop(text);
    return ok;
}

gx_parse_status gx_load(gx_rt *rt, uint32_t source, gx_module *g, bool interactive, gx_unit **out,
                        gx_parse_errors *errors) {
    gx_unit *unit = NULL;
    gx_parse_status status = gx_parse(rt, source, &g->slots, interactive, &unit, errors);
    /* Names of a text that failed may be in the map already: they need places too. */
    gx_error saved;
    gx_error_save(rt, &saved);
    bool grown = gx_globals_grow(rt, g);
    gx_error_restore(rt, &saved);
    if (status == GX_PARSE_ERROR) gx_source_retire(rt, source);
    if (status != GX_PARSE_OK) return status;
    if (!gx_unit_begin(rt, unit)) return GX_PARSE_ERROR;
    if (!grown) {
        gx_unit_drop(unit);
        gx_no_memory(rt);
        return GX_PARSE_ERROR;
    }
    *out = unit;
    return GX_PARSE_OK;
}

bool gx_frame_begin(gx_rt *rt, gx_unit *unit, gx_module *g, gx_frame *f) {
    gx_interp *vm = rt->interp;
    const gx_function *code = unit->main;
    gx_value *slots = vm->top;
    if (!gx_stack_room(vm, rt, slots, code->slots)) return false;
    for (int32_t i = 0; i < code->slots; i++) slots[i] = gx_undef();
    *f = (gx_frame){.slots = slots,
                    .globals = g,
                    .rt = rt,
                    .vm = vm,
                    .code = code,
                    .result = gx_none(),
                    .top = true,
                    .outer = vm->frame,
                    .caller = rt->here};
    vm->top = slots + code->slots;
    if (gx_bind_boxes(rt, code, slots)) {
        gx_unit_keep(unit);
        vm->frame = f;
        return true;
    }
    while (vm->top > slots) gx_drop(*--vm->top);
    return false;
}

void gx_frame_end(gx_frame *f) {
    f->vm->frame = f->outer;
    while (f->vm->top > f->slots) gx_drop(*--f->vm->top);
    gx_drop(f->result);
    gx_unit_drop(f->code->unit);
    if (f->rt->dying) gx_last_words(f->rt);
}

bool gx_run_unit(gx_rt *rt, gx_unit *unit, gx_module *g, bool echo) {
    gx_frame f;
    if (!gx_frame_begin(rt, unit, g, &f)) return false;
    f.echo = echo;
    gx_obj_keep(&g->head.obj);
    bool ok = gx_error_settle(rt, gx_exec(&f, unit->main->body) != GX_FLOW_ERROR, "a statement");
    gx_frame_end(&f);
    gx_obj_drop(&g->head.obj);
    return ok;
}

bool gx_run_statement(gx_rt *rt, gx_unit *unit, gx_module *g, int32_t i) {
    gx_frame f;
    const gx_node *s = unit->main->body->list[i];
    if (!gx_frame_begin(rt, unit, g, &f)) return false;
    rt->here = s->at;
    bool ok = gx_error_settle(rt, gx_exec(&f, s) != GX_FLOW_ERROR, "a statement");
    if (!ok) gx_locate(&f, s);
    gx_frame_end(&f);
    return ok;
}

bool gx_run_value(gx_rt *rt, gx_unit *unit, gx_module *g, gx_value *out) {
    gx_frame f;
    const gx_node *body = unit->main->body;
    gx_value v = gx_none();
    bool ok = true;
    if (!gx_frame_begin(rt, unit, g, &f)) return false;
    for (int32_t i = 0; ok && i < body->n; i++) {
        const gx_node *s = body->list[i];
        if (i == body->n - 1 && s->kind == GX_NODE_EXPRSTMT)
            ok = gx_eval(&f, s->a, &v);
        else
            ok = gx_exec(&f, s) != GX_FLOW_ERROR;
        if (!ok) gx_locate(&f, s);
    }
    gx_frame_end(&f);
    if (ok) *out = v;
    return ok;
}

gx_rt *gx_interp_open_with(void (*set_up)(gx_rt *rt, void *self), void *self, gx_error *why) {
    gx_rt *rt = gx_rt_new_with(set_up, self);
    *why = (gx_error){.kind = GX_NO_ERROR};
    if (!rt) return NULL;
    if (gx_heap_new(rt) && gx_operations_open(rt) && gx_engine_new(rt) && gx_natives_new(rt) &&
        gx_stdlib_new(rt) && gx_interp_new(rt)) {
        gx_library_set_run(rt, gx_import_library_text);
        gx_dynamic_start(rt);
        return rt;
    }
    gx_error_save(rt, why);
    gx_interp_close(rt, 1);
    return NULL;
}

gx_rt *gx_interp_open(void) {
    gx_error why;
    gx_rt *rt = gx_interp_open_with(NULL, NULL, &why);
    gx_error_free(&why);
    return rt;
}

int gx_interp_close(gx_rt *rt, int status) {
    bool leaks = rt->debug.leaks;
    gx_error_clear(rt);
    gx_interp_free(rt);
    gx_stdlib_free(rt);
    gx_collect(rt);
    gx_natives_free(rt);
    gx_inlines_free(rt);
    gx_engine_free(rt);
    gx_print_free(rt);
    gx_costs_free(rt);
    gx_heap_free(rt);
    gx_sources_free(rt);
    gx_symtab_free(rt);
    int64_t blocks = rt->stats.live_blocks;
    if (leaks && blocks) {
        gx_say(rt, GX_ERR, "gx: leak: %lld blocks are still alive at exit\n", (long long)blocks);
        status = 70;
    }
    gx_rt_free(rt);
    return status;
}
