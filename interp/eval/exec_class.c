/* class statements, decorators, := and the answers of yields. A class body runs as a function whose
   slots become the class's attributes, in the order of their first mention. */
#include "interp/eval/evaluator.h"

#include <string.h>

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/bridge.h"

enum { FEW = 8 };

/* Calls the decorators on the stack, the last one first, on v; consumes v. */
static bool apply(gx_frame *f, const gx_node *n, gx_value *decorators, gx_value v, gx_value *out) {
    for (int32_t i = n->n; i-- > 0;) {
        gx_value next;
        f->rt->here = n->list[i]->at;
        bool ok = gx_call_value(f->rt, decorators[i], 1, &v, 0, NULL, &next);
        gx_drop(v);
        if (!ok) return gx_locate(f, n->list[i]);
        v = next;
    }
    *out = v;
    return true;
}

int gx_exec_decorated(gx_frame *f, const gx_node *n,
                      bool (*make)(gx_frame *, const gx_node *, gx_value *)) {
    gx_interp *vm = f->vm;
    gx_value *base = vm->top, v;
    int32_t made = 0;
    if (!gx_stack_room(vm, f->rt, base, n->n)) {
        gx_locate(f, n);
        return GX_FLOW_ERROR;
    }
    bool ok = true;
    while (ok && made < n->n) {
        ok = gx_eval(f, n->list[made], &base[made]);
        if (ok) vm->top = base + ++made;
    }
    ok = ok && make(f, n, &v) && apply(f, n, base, v, &v);
    while (made > 0) gx_drop(base[--made]);
    vm->top = base;
    return ok && gx_assign_take(f, n->a, v) ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

/* --- the statement's arguments ---------------------------------------------------------------- */

typedef struct header {
    gx_value bases; /* a tuple */
    gx_value written; /* a tuple of the bases as they stand there, where they differ, or UNDEF */
    gx_value meta;      /* what makes the class; UNDEF: type, without asking anything */
    gx_value namespace; /* what __prepare__ gave it, or UNDEF */
    int kwc;
    gx_sym kw[FEW];
    gx_value values[FEW];
} header;

static void drop_header(header *h) {
    gx_drop(gx_steal(&h->bases));
    gx_drop(gx_steal(&h->written));
    gx_drop(gx_steal(&h->meta));
    gx_drop(gx_steal(&h->namespace));
    while (h->kwc > 0) gx_drop(h->values[--h->kwc]);
}

static bool eval_keyword(gx_frame *f, const gx_node *n, header *h) {
    if (strcmp(gx_sym_text(f->rt, n->name), "metaclass") == 0) {
        if (h->meta.tag == GX_UNDEF) return gx_eval(f, n->a, &h->meta);
        gx_fail(f->rt, GX_TypeError, "class.keyword", "a class has one metaclass");
        return gx_locate(f, n);
    }
    if (h->kwc == FEW) {
        gx_fail(f->rt, GX_TypeError, "class.keyword", "a class takes at most %d keywords", FEW);
        return gx_locate(f, n);
    }
    if (!gx_eval(f, n->a, &h->values[h->kwc])) return false;
    h->kw[h->kwc++] = n->name;
    return true;
}

/* A base, or what a value that is no class gives by __mro_entries__ for it; consumes v. */
static bool push_base(gx_rt *rt, gx_borrowed list, gx_value v) {
    gx_value fn, bases, made;
    gx_sym name = gx_as_type(v) ? 0 : gx_sym_c(rt, "__mro_entries__");
    gx_try has = name ? gx_try_attr(rt, v, name, &fn) : GX_TRY_NO;
    if (has == GX_TRY_NO) return gx_list_push_take(rt, list, v);
    bool ok = has == GX_TRY_YES && gx_tuple_new(rt, 1, &v, &bases);
    if (ok) {
        ok = gx_call_value(rt, fn, 1, &bases, 0, NULL, &made);
        gx_drop(bases);
    }
    if (has == GX_TRY_YES) gx_drop(fn);
    gx_drop(v);
    if (!ok) return false;
    const gx_value *items;
    int64_t n = made.tag == GX_TUPLE ? gx_sequence_items(made, &items) : -1;
    if (n < 0) ok = gx_fail(rt, GX_TypeError, "class.base", "__mro_entries__ must return a tuple");
    for (int64_t i = 0; ok && i < n; i++) ok = gx_list_push(rt, list, items[i]);
    gx_drop(made);
    return ok;
}

/* The bases as they stand there: *bs gives several. */
static bool eval_bases(gx_frame *f, const gx_node *n, header *h, gx_borrowed list) {
    gx_value v, items;
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *item = n->list[i];
        bool starred = item->kind == GX_NODE_STARRED, ok;
        if (item->kind == GX_NODE_KEYWORD) {
            if (!eval_keyword(f, item, h)) return false;
            continue;
        }
        if (!gx_eval(f, starred ? item->a : item, &v)) return false;
        if (!starred) {
            if (!gx_list_push_take(f->rt, list, v)) return false;
            continue;
        }
        ok = gx_tuple_of(f->rt, v, &items);
        gx_drop(v);
        if (!ok) return gx_locate(f, item);
        for (int64_t k = 0; ok && k < gx_as_tuple(items)->count; k++)
            ok = gx_list_push(f->rt, list, gx_as_tuple(items)->items[k]);
        gx_drop(items);
        if (!ok) return false;
    }
    return true;
}

static bool eval_header(gx_frame *f, const gx_node *n, header *h) {
    gx_rt *rt = f->rt;
    gx_value written, list = gx_undef();
    *h = (header){.bases = gx_undef(), .meta = gx_undef(), .namespace = gx_undef()};
    if (!gx_list_new(rt, 0, NULL, &written)) return false;
    bool ok = eval_bases(f, n, h, written) && gx_list_new(rt, 0, NULL, &list);
    bool differ = false;
    for (int64_t i = 0; ok && i < gx_as_list(written)->count; i++) {
        gx_value v = gx_keep(gx_as_list(written)->items[i]);
        differ = differ || !gx_as_type(v);
        ok = push_base(rt, list, v);
    }
    ok = ok && gx_tuple_of(rt, list, &h->bases) &&
         (!differ || gx_tuple_of(rt, written, &h->written));
    gx_drop(list);
    gx_drop(written);
    if (!ok) drop_header(h);
    return ok;
}

/* --- metaclasses ------------------------------------------------------------------------------ */

/* Which metaclass it is in the end, of the one that is written and those of the bases; and what its
   __prepare__ gives. type and ABCMeta make a class without being asked. */
static bool choose_meta(gx_frame *f, const gx_function *code, header *h) {
    gx_rt *rt = f->rt;
    bool given = h->meta.tag != GX_UNDEF;
    for (int64_t i = 0; !given && i < gx_as_tuple(h->bases)->count; i++)
        if (gx_is_python(gx_as_tuple(h->bases)->items[i]))
            return gx_python_class_maker(rt, &h->meta);
    const gx_type *meta = given ? gx_as_type(h->meta) : &gx_type_type;
    gx_value args[2 + FEW] = {gx_undef(), h->bases}, fn;
    if (meta && gx_type_is(meta, &gx_type_type)) {
        if (!gx_metaclass_of(rt, meta, h->bases, &meta)) return false;
        gx_drop(h->meta);
        h->meta = gx_type_value(meta);
        if (!meta->heap) return true;
    }
    gx_sym name = gx_sym_c(rt, "__prepare__");
    gx_try has = name ? gx_try_attr(rt, h->meta, name, &fn) : GX_TRY_ERROR;
    if (has != GX_TRY_YES) return has == GX_TRY_NO;
    bool ok = gx_str_of_sym(rt, code->name, &args[0]);
    if (ok) {
        for (int i = 0; i < h->kwc; i++) args[2 + i] = h->values[i];
        ok = gx_call_value(rt, fn, 2, args, h->kwc, h->kw, &h->namespace);
        gx_drop(args[0]);
    }
    gx_drop(fn);
    if (!ok || h->namespace.tag == GX_DICT) return ok;
    return gx_fail(rt, GX_TypeError, "class.prepare", "%s.__prepare__() must return a dict, not %s",
                   meta ? meta->name : "<metaclass>", gx_type_name(h->namespace));
}

/* Is the class made by a call of its metaclass? */
static bool is_called(const header *h) {
    const gx_type *meta = gx_as_type(h->meta);
    return !meta || meta->heap || !gx_type_is(meta, &gx_type_type);
}

/* --- type parameters -------------------------------------------------------------------------- */

/* Makes the parameters of a statement, in the slots that they have while it runs. */
static bool begin_types(gx_frame *f, const gx_node *types) {
    if (!gx_reset_slots(f, types, true)) return gx_locate(f, types);
    for (int32_t i = 0; i < types->n; i++)
        if (gx_exec(f, types->list[i]) == GX_FLOW_ERROR) return false;
    return true;
}

static bool end_types(gx_frame *f, const gx_node *types, bool ok) {
    return gx_reset_slots(f, types, false) && ok;
}

bool gx_make_generic(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value fn, params;
    gx_sym name = gx_sym_c(f->rt, "__type_params__");
    bool ok = name && begin_types(f, n->c) && gx_func_new(f, n, &fn);
    if (ok) {
        ok = gx_eval(f, n->c->a, &params);
        if (ok) {
            ok = gx_set_attr(f->rt, fn, name, params);
            gx_drop(params);
        }
        if (!ok) gx_drop(fn);
    }
    if (!end_types(f, n->c, ok)) return false;
    *out = fn;
    return true;
}

int gx_exec_type(gx_frame *f, const gx_node *n) {
    gx_value v;
    bool ok = (!n->c || begin_types(f, n->c)) && gx_eval(f, n->b, &v);
    if (n->c) ok = end_types(f, n->c, ok);
    return ok && gx_assign_take(f, n->a, v) ? GX_FLOW_NEXT : GX_FLOW_ERROR;
}

/* --- the body --------------------------------------------------------------------------------- */

/* The annotations of the body's own statements: {"x": int}; UNDEF: none. */
static bool annotations(gx_frame *f, const gx_node *body, gx_value *out) {
    gx_rt *rt = f->rt;
    gx_value v, names = gx_undef();
    *out = gx_undef();
    for (int32_t i = 0; i < body->n; i++) {
        const gx_node *s = body->list[i];
        bool annotated =
            s->b && ((s->kind == GX_NODE_PASS && s->op == 3) || s->kind == GX_NODE_ASSIGN);
        if (!annotated) continue;
        if (out->tag == GX_UNDEF && !gx_dict_new(rt, out)) return false;
        bool ok = (names.tag != GX_UNDEF || gx_frame_names(f, &names)) &&
                  gx_annotation_value(rt, f->globals, names, s->b->text, &v);
        if (ok) {
            ok = gx_dict_set_c(rt, *out, gx_sym_text(rt, s->list[0]->name), v);
            gx_drop(v);
        }
        if (ok) continue;
        gx_drop(names);
        gx_drop(gx_steal(out));
        return false;
    }
    gx_drop(names);
    return true;
}

/* What a slot holds, behind its box. */
static gx_value *slot_value(gx_value *slot) {
    return slot->tag == GX_BOX ? &((gx_box *)slot->obj)->value : slot;
}

static bool is_name(gx_rt *rt, gx_sym name, const char *text) {
    return strcmp(gx_sym_text(rt, name), text) == 0;
}

static bool set_c(gx_rt *rt, gx_borrowed cls, const char *name, gx_borrowed v) {
    gx_sym sym = gx_sym_c(rt, name);
    return sym && gx_class_set(rt, cls, sym, v);
}

static bool put_name(gx_rt *rt, gx_borrowed namespace, gx_sym name, gx_borrowed v) {
    gx_value key;
    if (!gx_str_of_sym(rt, name, &key)) return false;
    bool ok = gx_set_item(rt, namespace, key, v);
    gx_drop(key);
    return ok;
}

static bool put_c(gx_rt *rt, gx_borrowed namespace, const char *name, gx_borrowed v) {
    gx_sym sym = gx_sym_c(rt, name);
    return sym && put_name(rt, namespace, sym, v);
}

static bool put_text(gx_rt *rt, gx_borrowed namespace, const char *name, const char *text) {
    gx_value v;
    if (!text) return true;
    if (!gx_str_c(rt, text, &v)) return false;
    bool ok = put_c(rt, namespace, name, v);
    gx_drop(v);
    return ok;
}

/* What the body leaves to its metaclass, in the order of the names' first mention. */
static bool fill_namespace(gx_frame *f, const gx_node *n, gx_value *slots, header *h,
                           gx_value **place) {
    gx_rt *rt = f->rt;
    const gx_function *code = n->function;
    gx_value notes, ns;
    if (h->namespace.tag == GX_UNDEF && !gx_dict_new(rt, &h->namespace)) return false;
    ns = h->namespace;
    bool ok = put_text(rt, ns, "__module__", gx_sym_text(rt, f->globals->name)) &&
              put_text(rt, ns, "__qualname__", code->qualname) &&
              put_text(rt, ns, "__doc__", code->doc) && annotations(f, code->body, &notes);
    if (ok && notes.tag != GX_UNDEF) {
        ok = put_c(rt, ns, "__annotations__", notes);
        gx_drop(notes);
    }
    if (ok && h->written.tag != GX_UNDEF) ok = put_c(rt, ns, "__orig_bases__", h->written);
    if (ok && n->c && (ok = gx_eval(f, n->c->a, &notes))) {
        ok = put_c(rt, ns, "__type_params__", notes);
        gx_drop(notes);
    }
    for (int32_t i = 0; ok && i < code->slots; i++) {
        gx_sym name = code->slot_names[i];
        gx_value *v = slot_value(&slots[i]);
        if (!name || gx_sym_text(rt, name)[0] == '.') continue;
        if (is_name(rt, name, "__class__"))
            *place = slots[i].tag == GX_BOX ? v : NULL;
        else if (v->tag != GX_UNDEF)
            ok = put_name(rt, ns, name, *v);
    }
    return ok;
}

/* The class that a metaclass makes of a body that has run. */
static bool call_meta(gx_frame *f, const gx_node *n, gx_value *slots, header *h, gx_value *out) {
    gx_rt *rt = f->rt;
    gx_value *place = NULL, args[3 + FEW] = {gx_undef(), h->bases, gx_undef()};
    if (!fill_namespace(f, n, slots, h, &place) || !gx_str_of_sym(rt, n->function->name, &args[0]))
        return false;
    args[2] = h->namespace;
    for (int i = 0; i < h->kwc; i++) args[3 + i] = h->values[i];
    gx_class_cell cell = {n->function->name, place}, old = gx_class_cell_swap(rt, cell);
    bool ok = gx_call_value(rt, h->meta, 3, args, h->kwc, h->kw, out);
    gx_class_cell_swap(rt, old);
    gx_drop(args[0]);
    if (ok && place && place->tag == GX_UNDEF) *place = gx_keep(*out);
    return ok;
}

/* The class of a body that has run: its slots become attributes. */
static bool build(gx_frame *f, const gx_node *n, gx_value *slots, header *h, gx_value *out) {
    gx_rt *rt = f->rt;
    const gx_function *code = n->function;
    gx_value cls, notes, *self = NULL;
    gx_sym annotated = gx_sym_c(rt, "__annotations__");
    if (!annotated) return false;
    if (is_called(h)) return call_meta(f, n, slots, h, out);
    if (!gx_class_new(rt, code->name, f->globals->name, code->doc, h->bases, &cls)) return false;
    gx_class_set_meta(gx_as_class(cls), gx_as_type(h->meta));
    gx_as_class(cls)->qualname = gx_sym_c(rt, code->qualname);
    bool ok = gx_as_class(cls)->qualname && annotations(f, code->body, &notes);
    if (ok && notes.tag != GX_UNDEF) {
        ok = gx_class_set(rt, cls, annotated, notes);
        gx_drop(notes);
    }
    if (ok && h->written.tag != GX_UNDEF) ok = set_c(rt, cls, "__orig_bases__", h->written);
    if (ok && n->c && (ok = gx_eval(f, n->c->a, &notes))) {
        ok = set_c(rt, cls, "__type_params__", notes);
        gx_drop(notes);
    }
    for (int32_t i = 0; ok && i < code->slots; i++) {
        gx_sym name = code->slot_names[i];
        gx_value *v = slot_value(&slots[i]);
        if (!name || gx_sym_text(rt, name)[0] == '.') continue;
        if (is_name(rt, name, "__class__"))
            self = slots[i].tag == GX_BOX ? v : NULL;
        else if (v->tag != GX_UNDEF)
            ok = gx_class_set(rt, cls, name, *v);
    }
    if (ok && self) *self = gx_keep(cls);
    ok = ok && gx_class_finish(rt, cls, h->kwc, h->kw, h->values);
    if (ok)
        *out = cls;
    else
        gx_drop(cls);
    return ok;
}

/* What a body finds bound, where it asks for it (parser/scope.c). */
static bool given_names(gx_frame *f, const gx_function *code, const header *h, gx_value *slots) {
    gx_rt *rt = f->rt;
    gx_value key;
    bool ok = true;
    for (int32_t i = 0; ok && i < code->slots; i++) {
        gx_sym name = code->slot_names[i];
        if (name && h->namespace.tag == GX_DICT && gx_sym_text(rt, name)[0] != '.') {
            ok = gx_str_of_sym(rt, name, &key);
            if (!ok) break;
            ok = gx_dict_find(rt, h->namespace, key, &slots[i]) != GX_TRY_ERROR;
            gx_drop(key);
        }
        if (!name || gx_sym_text(rt, name)[0] != '_' || slots[i].tag != GX_UNDEF) continue;
        if (is_name(rt, name, "__module__")) ok = gx_str_of_sym(rt, f->globals->name, &slots[i]);
        if (is_name(rt, name, "__qualname__")) ok = gx_str_c(rt, code->qualname, &slots[i]);
    }
    return ok;
}

/* Runs the body in a frame of its own on the value stack. */
static bool run_body(gx_frame *f, const gx_node *n, header *h, gx_box **boxes, gx_value *out) {
    gx_rt *rt = f->rt;
    gx_interp *vm = f->vm;
    const gx_function *code = n->function;
    gx_value *slots = vm->top;
    if (!gx_stack_room(vm, rt, slots, code->slots)) return false;
    if (rt->depth >= rt->max_depth || !gx_stack_ok(rt))
        return gx_fail(rt, GX_RecursionError, "stack.depth", "maximum recursion depth exceeded");
    for (int32_t i = 0; i < code->slots; i++) slots[i] = gx_undef();
    vm->top = slots + code->slots;
    if (!given_names(f, code, h, slots)) {
        while (vm->top > slots) gx_drop(*--vm->top);
        return false;
    }
    gx_frame inner = {.slots = slots,
                      .globals = f->globals,
                      .rt = rt,
                      .vm = vm,
                      .boxes = boxes,
                      .code = code,
                      .result = gx_none(),
                      .outer = vm->frame,
                      .caller = rt->here};
    vm->frame = &inner;
    rt->depth++;
    bool ok = gx_bind_boxes(rt, code, slots) && gx_exec(&inner, code->body) != GX_FLOW_ERROR;
    if (!ok) gx_trace_add_quiet(rt, code->name, inner.caller);
    rt->depth--;
    vm->frame = inner.outer;
    ok = ok && build(f, n, slots, h, out);
    while (vm->top > slots) gx_drop(*--vm->top);
    return ok;
}

static bool make_plain(gx_frame *f, const gx_node *n, gx_value *out) {
    header h;
    gx_box **boxes;
    if (!eval_header(f, n->b, &h)) return gx_locate_at(f, n->b->at);
    bool ok = choose_meta(f, n->function, &h) && gx_capture_boxes(f, n->function, &boxes);
    if (ok) {
        ok = run_body(f, n, &h, boxes, out);
        for (int32_t i = 0; i < n->function->capture_count; i++) gx_obj_drop(&boxes[i]->head.obj);
        gx_free(f->rt, boxes);
    }
    drop_header(&h);
    return ok || gx_locate_at(f, n->op_at);
}

static bool make_class(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value cls;
    if (!n->c) return make_plain(f, n, out);
    if (!end_types(f, n->c, begin_types(f, n->c) && make_plain(f, n, &cls))) return false;
    *out = cls;
    return true;
}

int gx_exec_class(gx_frame *f, const gx_node *n) {
    if (!gx_stack_check(f->rt)) {
        gx_locate(f, n);
        return GX_FLOW_ERROR;
    }
    return gx_exec_decorated(f, n, make_class);
}

/* --- := --------------------------------------------------------------------------------------- */

bool gx_eval_walrus(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value v;
    if (!gx_eval(f, n->b, &v)) return false;
    if (!gx_assign(f, n->a, v)) {
        gx_drop(v);
        return false;
    }
    *out = v;
    return true;
}
