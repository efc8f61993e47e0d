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
        vm->top = base + i;
        if (GX_UNLIKELY(!gx_eval(f, n->list[i], &base[i]))) {
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

bool gx_eval_call_plain(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value fn, r, *base = f->vm->top;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_eval(f, n->a, &fn)) return false;
    bool ok = GX_UNLIKELY(wants_pending(fn))
                  ? call_pending(f, n, fn, &r)
                  : push_plain(f, n, base) && call_pushed(f, n, fn, base, n->n, &r);
    gx_drop(fn);
    if (ok) *out = r;
    return ok;
}

/* The builtin method that a.name means for this receiver, or NULL. The type and the method are
   remembered in the two nodes; members and an object's own attributes come first, as in
   gx_get_attr. */
static inline const gx_native *find_method(gx_frame *f, const gx_node *n, gx_borrowed self) {
    const gx_node *attr = n->a;
    const gx_type *type = gx_type_of(self);
    if (GX_LIKELY(attr->constant.tag == GX_TYPE && attr->constant.type == type))
        return n->constant.native;
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
    return self.tag == GX_LIST && n->n == 1 && n->a->name == f->vm->append;
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
                               gx_borrowed self, gx_value *base, gx_value *out) {
    gx_interp *vm = f->vm;
    if (GX_UNLIKELY(!gx_stack_room(vm, f->rt, base, 1))) return gx_locate(f, n);
    base[0] = self;
    vm->top = base + 1;
    bool ok = push_plain(f, n, base + 1);
    if (ok) {
        gx_namespace ns = self.tag == GX_NATIVE ? (gx_namespace)self.ns : GX_NS_GX;
        ok = gx_native_call_here(f->rt, method, ns, memo_of(n), 1, n->n + 1, base, out);
        pop(vm, base + 1, n->n);
        if (!ok) gx_locate(f, n);
    }
    vm->top = base;
    return ok;
}

/* A method of the script's class, with self below the arguments: no bound object is made. */
static gx_try call_own(gx_frame *f, const gx_node *n, gx_borrowed self, gx_value *base,
                       gx_value *out) {
    gx_value fn;
    gx_try has = gx_class_method(f->rt, self, n->a->name, &fn);
    if (has != GX_TRY_YES) return has;
    bool ok = gx_stack_room(f->vm, f->rt, base, 1) || gx_locate(f, n);
    if (ok) {
        base[0] = gx_keep(self);
        f->vm->top = base + 1;
        ok = push_plain(f, n, base + 1);
        if (ok)
            ok = call_pushed(f, n, fn, base, n->n + 1, out);
        else
            pop(f->vm, base, 1);
    }
    gx_drop(fn);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

bool gx_eval_call_method(gx_frame *f, const gx_node *n, gx_value *out) {
    gx_value self, fn, r, *base = f->vm->top;
    bool own, ok;
    if (GX_UNLIKELY(!gx_stack_ok(f->rt)) && !gx_stack_check(f->rt)) return gx_locate(f, n);
    if (!gx_peek(f, n->a->a, &self, &own)) return false;
    if (gx_is_instance(self)) {
        gx_try done = call_own(f, n, self, base, &r);
        ok = done == GX_TRY_YES;
        if (done != GX_TRY_NO) goto done;
    } else if (is_append(f, n, self)) {
        ok = gx_eval(f, n->list[0], &r);
        ok = ok && (gx_list_push_take(f->rt, self, r) || gx_locate(f, n));
        r = gx_none();
        goto done;
    }
    if (is_get(f, n, self)) {
        ok = call_get(f, n, self, &r);
        goto done;
    }
    const gx_native *method = find_method(f, n, self);
    if (method) {
        ok = call_method(f, n, method, self, base, &r);
        goto done;
    }
    gx_try in_module = GX_TRY_NO;
    if (self.tag == GX_MODULE)
        in_module = gx_module_get(f->rt, gx_as_module(self), n->a->name, &fn);
    ok = in_module == GX_TRY_YES ||
         (in_module == GX_TRY_NO && gx_get_attr(f->rt, self, n->a->name, &fn));
    if (!ok) {
        gx_locate_at(f, n->a->op_at);
        goto done;
    }
    if (GX_UNLIKELY(wants_pending(fn)))
        ok = call_pending(f, n, fn, &r);
    else
        ok = push_plain(f, n, base) && call_pushed(f, n, fn, base, n->n, &r);
    gx_drop(fn);
done:
    gx_release(self, own);
    if (ok) *out = r;
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
