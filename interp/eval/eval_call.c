/* Calls. Arguments are evaluated onto the value stack, where a script's function finds them as its
   parameters; methods of builtin types are called without making a bound object. */
#include "interp/eval/evaluator.h"

#include "runtime/object/class/class.h"
#include "runtime/object/container/dict.h"
#include "runtime/object/container/list.h"
#include "runtime/object/module.h"
#include "runtime/object/native.h"
#include "runtime/object/text/str.h"

enum { FEW_KEYWORDS = 16 };

/* Drops `count` arguments and gives their room back. */
static inline void pop(gx_interp *vm, gx_value *base, int64_t count) {
    while (count > 0) gx_drop(base[--count]);
    vm->top = base;
}

/* Evaluates plain positional arguments onto the stack; vm->top is behind them. */
static inline bool push_plain(gx_frame *f, const gx_node *n, gx_value *base) {
    gx_interp *vm = f->vm;
    if (GX_UNLIKELY(!gx_stack_room(vm, f->rt, base, n->n))) return gx_locate(f, n);
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *arg = n->list[i];
        if (arg->eval == gx_eval_constant) {
            base[i] = gx_keep(arg->constant);
            continue;
        }
        if (arg->eval == gx_eval_local && GX_LIKELY(f->slots[arg->slot].tag != GX_UNDEF)) {
            base[i] = gx_keep(f->slots[arg->slot]);
            continue;
        }
        vm->top = base + i;
        if (GX_UNLIKELY(!gx_eval(f, arg, &base[i]))) {
            pop(vm, base, i);
            return false;
        }
    }
    vm->top = base + n->n;
    return true;
}

/* Where a call remembers its function. */
static inline void **memo_of(const gx_node *n) {
    return &((gx_node *)(uintptr_t)n)->memo;
}

/* Calls fn with the arguments on the stack and drops them. */
static inline __attribute__((always_inline)) bool
call_pushed(gx_frame *f, const gx_node *n, gx_value fn, gx_value *base, int argc, gx_value *out) {
    gx_rt *rt = f->rt;
    bool ok;
    if (fn.tag == GX_FUNC) {
        gx_func *func = gx_as_func(fn);
        if (GX_LIKELY(func->simple == argc || (func->simple > argc && func->fallbacks &&
                                               func->fallbacks[argc].tag != GX_UNDEF))) {
            if (GX_LIKELY(gx_run_simple(rt, func, base, argc, &n->at, out))) return true;
            return gx_locate(f, n);
        }
        ok = gx_func_call(rt, func, argc, base, 0, NULL, &n->at, out);
    } else if (fn.tag == GX_NATIVE) {
        ok = gx_native_call_here(rt, fn.native, (gx_namespace)fn.ns, memo_of(n), 0, argc, base,
                                 out);
    } else if (fn.tag == GX_TYPE && fn.type->construct) {
        ok = gx_native_construct_here(rt, fn, memo_of(n), argc, base, out);
    } else {
        ok = gx_call_held(rt, fn, argc, base, 0, NULL, out);
    }
    pop(f->vm, base, argc);
    return ok || gx_locate(f, n);
}

/* explain() sees values before they are computed: also scalars and small ones stay pending while
   its arguments are evaluated. */
static bool wants_pending(gx_value fn) {
    return fn.tag == GX_NATIVE && GX_UNLIKELY(fn.native->flags & GX_NATIVE_PENDING);
}

static __attribute__((noinline)) bool call_pending(gx_frame *f, const gx_node *n, gx_value fn,
                                                   gx_value *out) {
    gx_value *base = f->vm->top;
    const bool before = f->rt->explaining;
    f->rt->explaining = true;
    bool ok = push_plain(f, n, base);
    f->rt->explaining = before;
    return ok && call_pushed(f, n, fn, base, n->n, out);
}

/* Runs a function with the arguments on the stack, self the first of them, and drops them. */
static bool run_pushed(gx_frame *f, gx_func *fn, gx_value *base, int argc, gx_value *out) {
    if (fn->simple == argc) return gx_run_simple(f->rt, fn, base, argc, NULL, out);
    bool ok = gx_func_call(f->rt, fn, argc, base, 0, NULL, NULL, out);
    pop(f->vm, base, argc);
    return ok;
}

/* Calls a class of the script: mostly a new object and its __init__, with the object below the
   arguments. */
static __attribute__((noinline)) bool call_class(gx_frame *f, const gx_node *n, gx_value cls,
                                                 gx_value *out) {
    gx_rt *rt = f->rt;
    gx_interp *vm = f->vm;
    gx_value made, r, *base = vm->top;
    if (!gx_stack_room(vm, rt, base, 1)) return gx_locate(f, n);
    base[0] = gx_undef();
    vm->top = base + 1;
    bool ok = push_plain(f, n, base + 1);
    if (!ok) {
        vm->top = base;
        return false;
    }
    gx_value init = gx_class_plain_init(rt, cls);
    if (init.tag == GX_UNDEF) {
        ok = gx_call_held(rt, cls, n->n, base + 1, 0, NULL, out);
        pop(vm, base, n->n + 1);
        return ok || gx_locate(f, n);
    }
    gx_keep(init);
    ok = gx_class_plain_object(rt, cls, &made);
    if (ok) {
        base[0] = gx_keep(made);
        ok = run_pushed(f, gx_as_func(init), base, n->n + 1, &r) &&
             gx_class_init_done(rt, made, r);
        if (!ok) gx_drop(made);
    } else {
        pop(vm, base, n->n + 1);
    }
    gx_drop(init);
    if (!ok) return gx_locate(f, n);
    *out = made;
    return true;
}

bool gx_eval_call_plain(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value fn, r, *base = f->vm->top;
    bool ok;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_eval(f, n->a, &fn)) return false;
    if (fn.tag == GX_OBJECT && gx_is_class(fn)) ok = call_class(f, n, fn, &r);
    else if (GX_UNLIKELY(wants_pending(fn))) ok = call_pending(f, n, fn, &r);
    else ok = push_plain(f, n, base) && call_pushed(f, n, fn, base, n->n, &r);
    gx_drop(fn);
    if (ok) *out = r;
    return ok;
}

/* Is the builtin method that n has called the one that it means for this receiver too? The type and
   the method are remembered in the two nodes. */
static inline bool knows_method(const gx_node *n, gx_borrowed self) {
    const gx_value known = n->a->constant;
    return known.tag == GX_TYPE && known.type == gx_type_of(self);
}

/* The builtin method that a.name means for this receiver, or NULL; members and an object's own
   attributes come first, as in gx_get_attr. */
static const gx_native *find_method(gx_frame *f, const gx_node *n, gx_borrowed self) {
    const gx_node *attr = n->a;
    const gx_type *type = gx_type_of(self);
    if (self.tag == GX_MODULE || self.tag == GX_TYPE || self.tag == GX_FUNC || type->heap ||
        type == &gx_type_type)
        return NULL;
    if (gx_type_member(f->rt, type, attr->name)) return NULL;
    const gx_native *method = gx_type_method(f->rt, type, attr->name);
    if (!method) return NULL;
    ((gx_node *)(uintptr_t)attr)->constant = gx_type_value(type);
    ((gx_node *)(uintptr_t)n)->constant = gx_native_value(method, GX_NS_GX);
    return method;
}

/* list.append, by far the most called method. */
static inline bool is_append(gx_frame *f, const gx_node *n, gx_borrowed self) {
    return self.tag == GX_LIST && self.obj->type == &gx_type_list && n->n == 1 &&
           n->a->name == f->vm->append;
}

/* dict.get(key) and dict.get(key, other) of a plain dict. */
static bool call_get(gx_frame *f, const gx_node *n, gx_borrowed self, gx_value *out) {
    gx_value key, other = gx_none();
    bool own_key, own_other = false;
    if (!gx_peek(f, n->list[0], &key, &own_key)) return false;
    if (n->n == 2 && !gx_peek(f, n->list[1], &other, &own_other)) {
        gx_release(key, own_key);
        return false;
    }
    gx_try has = gx_dict_find(f->rt, self, key, out);
    if (has == GX_TRY_NO) *out = gx_keep(other);
    gx_release(key, own_key);
    gx_release(other, own_other);
    return has != GX_TRY_ERROR || gx_locate(f, n);
}

static bool is_get(gx_frame *f, const gx_node *n, gx_borrowed self) {
    return self.tag == GX_DICT && self.obj->type == &gx_type_dict && (n->n == 1 || n->n == 2) &&
           n->a->name == f->vm->get;
}

/* self, which the caller holds, stands below the arguments for the call alone. */
static inline bool call_method(gx_frame *f, const gx_node *n, const gx_native *method,
                               gx_borrowed self, gx_value *out) {
    gx_interp *vm = f->vm;
    gx_value *base = vm->top, r;
    if (GX_UNLIKELY(!gx_stack_room(vm, f->rt, base, 1))) return gx_locate(f, n);
    base[0] = self;
    vm->top = base + 1;
    bool ok = push_plain(f, n, base + 1);
    if (GX_LIKELY(ok)) {
        gx_namespace ns = self.tag == GX_NATIVE ? (gx_namespace)self.ns : GX_NS_GX;
        ok = gx_native_call_here(f->rt, method, ns, memo_of(n), 1, n->n + 1, base, &r);
        for (int32_t i = n->n; i > 0; i--) gx_drop(base[i]);
        if (GX_LIKELY(ok)) *out = r;
        else gx_locate(f, n);
    }
    vm->top = base;
    return ok;
}

/* A method of the script's class, with self below the arguments: no bound object is made. */
static __attribute__((noinline)) gx_try call_own(gx_frame *f, const gx_node *n, gx_borrowed self,
                                                 gx_value *out) {
    gx_value fn, r, *base = f->vm->top;
    gx_try has = gx_class_method(f->rt, self, n->a->name, &fn);
    if (has != GX_TRY_YES) return has;
    bool ok = gx_stack_room(f->vm, f->rt, base, 1) || gx_locate(f, n);
    if (ok) {
        base[0] = gx_keep(self);
        f->vm->top = base + 1;
        ok = push_plain(f, n, base + 1);
        if (ok)
            ok = call_pushed(f, n, fn, base, n->n + 1, &r);
        else
            pop(f->vm, base, 1);
    }
    gx_drop(fn);
    if (ok) *out = r;
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* a.name(…) where nothing is known of a. */
static __attribute__((noinline)) bool call_attr(gx_frame *f, const gx_node *n, gx_borrowed self,
                                                gx_value *out) {
    gx_value fn, r, *base = f->vm->top;
    bool ok;
    if (is_get(f, n, self)) return call_get(f, n, self, out);
    const gx_native *method = find_method(f, n, self);
    if (method) return call_method(f, n, method, self, out);
    gx_try in_module = GX_TRY_NO;
    if (self.tag == GX_MODULE)
        in_module = gx_module_get(f->rt, gx_as_module(self), n->a->name, &fn);
    ok = in_module == GX_TRY_YES ||
         (in_module == GX_TRY_NO && gx_get_attr(f->rt, self, n->a->name, &fn));
    if (!ok) return gx_locate_at(f, n->a->op_at);
    if (GX_UNLIKELY(wants_pending(fn)))
        ok = call_pending(f, n, fn, &r);
    else
        ok = push_plain(f, n, base) && call_pushed(f, n, fn, base, n->n, &r);
    gx_drop(fn);
    if (ok) *out = r;
    return ok;
}

bool gx_eval_call_method(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value self, item;
    bool own, ok;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_peek(f, n->a->a, &self, &own)) return false;
    if (knows_method(n, self)) {
        ok = call_method(f, n, n->constant.native, self, out);
    } else if (is_append(f, n, self)) {
        ok = gx_eval(f, n->list[0], &item) &&
             (gx_list_push_take(f->rt, self, item) || gx_locate(f, n));
        if (ok) *out = gx_none();
    } else {
        gx_try done = gx_is_instance(self) ? call_own(f, n, self, out) : GX_TRY_NO;
        ok = done == GX_TRY_YES || (done == GX_TRY_NO && call_attr(f, n, self, out));
    }
    gx_release(self, own);
    return ok;
}

/* The arguments of a call with stars or keywords: positional ones first, then keyword values. */
typedef struct arguments {
    gx_value *base;
    int argc, kwc, room;
    gx_sym *kw;
    gx_sym few[FEW_KEYWORDS];
} arguments;

static bool push(gx_frame *f, arguments *a, gx_value v) {
    gx_value *place = a->base + a->argc + a->kwc;
    if (!gx_stack_room(f->vm, f->rt, place, 1)) {
        gx_drop(v);
        return false;
    }
    *place = v;
    f->vm->top = place + 1;
    return true;
}

static bool push_star(gx_frame *f, arguments *a, const gx_node *star) {
    gx_iteration l;
    gx_value v, over;
    bool more = true;
    if (!gx_eval(f, star->a, &over)) return false;
    if (!gx_loop_over(f->rt, gx_keep(over), &l)) {
        if (f->rt->error.kind == GX_TypeError) {
            gx_error_clear(f->rt);
            gx_fail(f->rt, GX_TypeError, "call.star",
                    "argument after * must be an iterable, not %s", gx_type_name(over));
        }
        gx_drop(over);
        return gx_locate(f, star);
    }
    bool heard = gx_length_heard(f->rt, over);
    gx_drop(over);
    while (heard && gx_loop_next(f->rt, &l, &v, &more) && more) {
        if (!push(f, a, v)) break;
        a->argc++;
    }
    gx_loop_end(&l);
    return !gx_failed(&f->rt->error) || gx_locate(f, star);
}

/* Takes over v. */
static bool push_keyword(gx_frame *f, arguments *a, gx_sym name, gx_value v) {
    for (int i = 0; i < a->kwc; i++)
        if (a->kw[i] == name) {
            gx_drop(v);
            return gx_fail(f->rt, GX_TypeError, "call.keyword",
                           "got multiple values for keyword argument '%s'",
                           gx_sym_text(f->rt, name));
        }
    if (a->kwc == a->room) {
        gx_sym *more = gx_alloc(f->rt, (size_t)a->room * 2 * sizeof *more);
        if (!more) {
            gx_drop(v);
            return false;
        }
        for (int i = 0; i < a->kwc; i++) more[i] = a->kw[i];
        if (a->kw != a->few) gx_free(f->rt, a->kw);
        a->kw = more;
        a->room *= 2;
    }
    if (!push(f, a, v)) return false;
    a->kw[a->kwc++] = name;
    return true;
}

static bool push_mapping(gx_frame *f, arguments *a, const gx_node *n) {
    gx_value d;
    if (!gx_eval(f, n->a, &d)) return false;
    if (!gx_as_mapping(f->rt, &d)) {
        gx_drop(d);
        return gx_locate(f, n);
    }
    bool ok = d.tag == GX_DICT;
    if (!ok)
        gx_fail(f->rt, GX_TypeError, "call.star", "argument after ** must be a mapping, not %s",
                gx_type_name(d));
    int64_t at = 0;
    gx_entry *e;
    while (ok && (e = gx_dict_next(gx_as_dict(d), &at))) {
        if (e->key.tag != GX_STR) {
            ok = gx_fail(f->rt, GX_TypeError, "call.star", "keywords must be strings");
            break;
        }
        gx_sym name = gx_str_sym(f->rt, e->key);
        ok = name && push_keyword(f, a, name, gx_keep(e->value));
    }
    gx_drop(d);
    return ok || gx_locate(f, n);
}

static bool push_all(gx_frame *f, const gx_node *n, arguments *a) {
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *arg = n->list[i];
        gx_value v;
        if (arg->kind == GX_NODE_KEYWORD || arg->kind == GX_NODE_DOUBLESTAR) continue;
        if (arg->kind == GX_NODE_STARRED) {
            if (!push_star(f, a, arg)) return false;
            continue;
        }
        if (!gx_eval(f, arg, &v)) return false;
        if (!push(f, a, v)) return gx_locate(f, n);
        a->argc++;
    }
    for (int32_t i = 0; i < n->n; i++) {
        const gx_node *arg = n->list[i];
        gx_value v;
        if (arg->kind == GX_NODE_DOUBLESTAR && !push_mapping(f, a, arg)) return false;
        if (arg->kind != GX_NODE_KEYWORD) continue;
        if (!gx_eval(f, arg->a, &v)) return false;
        if (!push_keyword(f, a, arg->name, v)) return gx_locate(f, arg);
    }
    return true;
}

bool gx_eval_call(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_rt *rt = f->rt;
    arguments a = {.base = f->vm->top, .room = FEW_KEYWORDS};
    gx_value fn, r;
    a.kw = a.few;
    if (!gx_stack_check(rt)) return gx_locate(f, n);
    if (!gx_eval(f, n->a, &fn)) return false;
    const bool before = rt->explaining;
    if (GX_UNLIKELY(wants_pending(fn))) rt->explaining = true;
    bool ok = push_all(f, n, &a);
    rt->explaining = before;
    if (ok) {
        if (fn.tag == GX_FUNC)
            ok = gx_func_call(rt, gx_as_func(fn), a.argc, a.base, a.kwc, a.kw, &n->at, &r);
        else
            ok = gx_call_value(rt, fn, a.argc, a.base, a.kwc, a.kw, &r);
        if (!ok) gx_locate(f, n);
    }
    pop(f->vm, a.base, a.argc + a.kwc);
    if (a.kw != a.few) gx_free(rt, a.kw);
    gx_drop(fn);
    if (ok) *out = r;
    return ok;
}
