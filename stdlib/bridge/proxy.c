/* The gx type of Python's objects: every slot hands on to Python. */
#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/exception.h"
#include "runtime/object/module.h"
#include "runtime/object/number/number.h"
#include "runtime/object/text/str.h"
#include "stdlib/bridge/bridge_int.h"

/* --- making and dropping ---------------------------------------------------------------------- */

bool gx_proxy_take(gx_bridge *b, PyObject *o, gx_value *out) {
    gx_proxy *p = gx_obj_new(b->rt, &gx_type_python, sizeof *p);
    if (!p) {
        py.Py_DecRef(o);
        return false;
    }
    p->head.obj.tag = GX_OBJECT;
    p->py = o;
    gx_container_track(b->rt, &p->head);
    *out = gx_object(&p->head.obj);
    return true;
}

/* Python may run code where an object ends; none of gx, which takes no calls outside of `inside`:
   dropping a value runs no code of a script. */
static void proxy_free(gx_rt *rt, gx_obj *obj) {
    gx_proxy *p = (gx_proxy *)(void *)obj;
    gx_bridge *b = rt->bridge;
    PyObject *o = p->py;
    gx_container_untrack(rt, &p->head);
    gx_free(rt, obj);
    PyGILState_STATE state = py.PyGILState_Ensure();
    int inside = b ? b->inside : 0;
    if (b) b->inside = 0;
    py.Py_DecRef(o);
    if (b) b->inside = inside;
    py.PyGILState_Release(state);
}

static void proxy_traverse(gx_obj *obj, gx_visit visit, void *ctx) {
    (void)obj, (void)visit, (void)ctx; /* Python's own collector sees what it holds */
}
static void proxy_clear(gx_rt *rt, gx_obj *obj) {
    (void)rt, (void)obj;
}

/* --- results ---------------------------------------------------------------------------------- */

static bool result(gx_bridge *b, PyObject *o, gx_value *out) {
    if (!o) return gx_python_raised(b);
    return gx_from_python(b, o, out);
}

static bool text_of(gx_rt *rt, gx_borrowed v, PyObject *(*fn)(PyObject *), gx_buf *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    Py_ssize_t n;
    PyObject *o = fn(gx_proxy_py(v));
    const char *text = o ? py.PyUnicode_AsUTF8AndSize(o, &n) : NULL;
    bool ok = text ? gx_buf_add(out, text, (size_t)n) : gx_python_raised(b);
    if (o) py.Py_DecRef(o);
    gx_py_leave(b, state);
    return ok;
}

static bool proxy_repr(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return text_of(rt, v, py.PyObject_Repr, out);
}
static bool proxy_str(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    return text_of(rt, v, py.PyObject_Str, out);
}

static bool proxy_format(gx_rt *rt, gx_borrowed v, const char *spec, size_t length, gx_buf *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *s = py.PyUnicode_FromStringAndSize(spec, (Py_ssize_t)length);
    PyObject *o = s ? py.PyObject_Format(gx_proxy_py(v), s) : NULL;
    Py_ssize_t n;
    const char *text = o ? py.PyUnicode_AsUTF8AndSize(o, &n) : NULL;
    bool ok = text ? gx_buf_add(out, text, (size_t)n) : gx_python_raised(b);
    if (s) py.Py_DecRef(s);
    if (o) py.Py_DecRef(o);
    gx_py_leave(b, state);
    return ok;
}

static bool proxy_truth(gx_rt *rt, gx_borrowed v, bool *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    int is = py.PyObject_IsTrue(gx_proxy_py(v));
    bool ok = is >= 0 || gx_python_raised(b);
    *out = is > 0;
    gx_py_leave(b, state);
    return ok;
}

static bool proxy_hash(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    Py_hash_t h = py.PyObject_Hash(gx_proxy_py(v));
    bool ok = h != -1 || gx_python_raised(b);
    *out = (uint64_t)h;
    gx_py_leave(b, state);
    return ok;
}

static bool proxy_length(gx_rt *rt, gx_borrowed v, int64_t *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    Py_ssize_t n = py.PyObject_Size(gx_proxy_py(v));
    bool ok = n >= 0 || gx_python_raised(b);
    *out = n;
    gx_py_leave(b, state);
    return ok;
}

/* --- operators -------------------------------------------------------------------------------- */

typedef PyObject *(*two)(PyObject *, PyObject *);

static PyObject *power(PyObject *a, PyObject *b) {
    return py.PyNumber_Power(a, b, py._Py_NoneStruct);
}
static PyObject *power_inplace(PyObject *a, PyObject *b) {
    return py.PyNumber_InPlacePower(a, b, py._Py_NoneStruct);
}

static two binary_of(gx_binop op, bool inplace) {
    switch (op) {
    case GX_ADD: return inplace ? py.PyNumber_InPlaceAdd : py.PyNumber_Add;
    case GX_SUB: return inplace ? py.PyNumber_InPlaceSubtract : py.PyNumber_Subtract;
    case GX_MUL: return inplace ? py.PyNumber_InPlaceMultiply : py.PyNumber_Multiply;
    case GX_MATMUL:
        return inplace ? py.PyNumber_InPlaceMatrixMultiply : py.PyNumber_MatrixMultiply;
    case GX_DIV: return inplace ? py.PyNumber_InPlaceTrueDivide : py.PyNumber_TrueDivide;
    case GX_FLOORDIV: return inplace ? py.PyNumber_InPlaceFloorDivide : py.PyNumber_FloorDivide;
    case GX_MOD: return inplace ? py.PyNumber_InPlaceRemainder : py.PyNumber_Remainder;
    case GX_POW: return inplace ? power_inplace : power;
    case GX_LSHIFT: return inplace ? py.PyNumber_InPlaceLshift : py.PyNumber_Lshift;
    case GX_RSHIFT: return inplace ? py.PyNumber_InPlaceRshift : py.PyNumber_Rshift;
    case GX_BITAND: return inplace ? py.PyNumber_InPlaceAnd : py.PyNumber_And;
    case GX_BITXOR: return inplace ? py.PyNumber_InPlaceXor : py.PyNumber_Xor;
    case GX_BITOR: return inplace ? py.PyNumber_InPlaceOr : py.PyNumber_Or;
    case GX_BINOPS: break;
    }
    return NULL;
}

static gx_try two_operands(gx_rt *rt, two fn, gx_borrowed a, gx_borrowed b, gx_value *out) {
    gx_bridge *bridge = rt->bridge;
    PyGILState_STATE state = gx_py_enter(bridge);
    PyObject *l = gx_to_python(bridge, a), *r = l ? gx_to_python(bridge, b) : NULL;
    bool ok = r && result(bridge, fn(l, r), out);
    if (l) py.Py_DecRef(l);
    if (r) py.Py_DecRef(r);
    gx_py_leave(bridge, state);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static gx_try proxy_binary(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    return two_operands(rt, binary_of(op, false), a, b, out);
}
static gx_try proxy_inplace(gx_rt *rt, gx_binop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    return two_operands(rt, binary_of(op, true), a, b, out);
}

static gx_try proxy_unary(gx_rt *rt, gx_unop op, gx_borrowed a, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *o = gx_proxy_py(a);
    o = op == GX_NEG   ? py.PyNumber_Negative(o)
        : op == GX_POS ? py.PyNumber_Positive(o)
                       : py.PyNumber_Invert(o);
    bool ok = result(b, o, out);
    gx_py_leave(b, state);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static gx_try proxy_compare(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    static const int ops[] = {[GX_EQ] = GX_PY_EQ, [GX_NE] = GX_PY_NE, [GX_LT] = GX_PY_LT,
                              [GX_LE] = GX_PY_LE, [GX_GT] = GX_PY_GT, [GX_GE] = GX_PY_GE};
    gx_bridge *bridge = rt->bridge;
    PyGILState_STATE state = gx_py_enter(bridge);
    PyObject *l = gx_to_python(bridge, a), *r = l ? gx_to_python(bridge, b) : NULL;
    bool ok = r && result(bridge, py.PyObject_RichCompare(l, r, ops[op]), out);
    if (l) py.Py_DecRef(l);
    if (r) py.Py_DecRef(r);
    gx_py_leave(bridge, state);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

static gx_try proxy_index(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *o = gx_proxy_py(v);
    gx_try r = GX_TRY_NO;
    if (py.PyIndex_Check(o))
        r = result(b, py.PyNumber_Index(o), out) ? GX_TRY_YES : GX_TRY_ERROR;
    gx_py_leave(b, state);
    return r;
}

bool gx_has_special(PyObject *o, const char *name) {
    PyObject *fn = py.PyObject_GetAttrString((PyObject *)(void *)gx_py_type(o), name);
    if (fn) py.Py_DecRef(fn);
    else py.PyErr_Clear();
    return fn != NULL;
}

static gx_try proxy_number(gx_rt *rt, gx_borrowed v, double *re, double *im) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *o = gx_proxy_py(v), *x;
    gx_try r = GX_TRY_NO;
    if (gx_has_special(o, "__float__")) {
        x = py.PyNumber_Float(o);
        r = x ? GX_TRY_YES : GX_TRY_ERROR;
        if (x) {
            *re = py.PyFloat_AsDouble(x);
            *im = 0;
            py.Py_DecRef(x);
        } else {
            gx_python_raised(b);
        }
    } else if (gx_has_special(o, "__complex__")) {
        *re = py.PyComplex_RealAsDouble(o);
        *im = py.PyComplex_ImagAsDouble(o);
        r = py.PyErr_Occurred() ? GX_TRY_ERROR : GX_TRY_YES;
        if (r == GX_TRY_ERROR) gx_python_raised(b);
    }
    gx_py_leave(b, state);
    return r;
}

/* --- items ------------------------------------------------------------------------------------ */

static bool proxy_get(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *k = gx_to_python(b, key);
    bool ok = k && result(b, py.PyObject_GetItem(gx_proxy_py(v), k), out);
    if (k) py.Py_DecRef(k);
    gx_py_leave(b, state);
    return ok;
}

static bool proxy_set(gx_rt *rt, gx_borrowed v, gx_borrowed key, gx_borrowed item) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *k = gx_to_python(b, key), *x = k ? gx_to_python(b, item) : NULL;
    PyObject *done = x ? gx_py_call_three(gx_py_frame.set_item, gx_proxy_py(v), k, x) : NULL;
    bool ok = done || (x && gx_python_raised(b));
    if (done) py.Py_DecRef(done);
    if (k) py.Py_DecRef(k);
    if (x) py.Py_DecRef(x);
    gx_py_leave(b, state);
    return ok;
}

static bool proxy_del(gx_rt *rt, gx_borrowed v, gx_borrowed key) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *k = gx_to_python(b, key);
    bool ok = k && (py.PyObject_DelItem(gx_proxy_py(v), k) == 0 || gx_python_raised(b));
    if (k) py.Py_DecRef(k);
    gx_py_leave(b, state);
    return ok;
}

static bool proxy_contains(gx_rt *rt, gx_borrowed v, gx_borrowed item, bool *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *x = gx_to_python(b, item);
    int in = x ? py.PySequence_Contains(gx_proxy_py(v), x) : -1;
    bool ok = in >= 0 || (x && gx_python_raised(b));
    *out = in > 0;
    if (x) py.Py_DecRef(x);
    gx_py_leave(b, state);
    return ok;
}

static bool proxy_iter(gx_rt *rt, gx_borrowed v, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    bool ok = result(b, py.PyObject_GetIter(gx_proxy_py(v)), out);
    gx_py_leave(b, state);
    return ok;
}

static bool proxy_next(gx_rt *rt, gx_borrowed v, gx_value *out, bool *more) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *o = gx_proxy_py(v);
    bool ok = false;
    if (!gx_has_special(o, "__next__")) {
        gx_fail(rt, GX_TypeError, "type.iterate", "this object of Python's is no iterator");
    } else {
        o = py.PyIter_Next(o);
        *more = o != NULL;
        ok = o ? gx_from_python(b, o, out) : !py.PyErr_Occurred() || gx_python_raised(b);
    }
    gx_py_leave(b, state);
    return ok;
}

/* --- attributes ------------------------------------------------------------------------------- */

static gx_try attr(gx_bridge *b, PyObject *o, gx_sym name, gx_value *out) {
    PyObject *n = gx_name_to_python(b, name), *x;
    if (!n) return GX_TRY_ERROR;
    x = py.PyObject_GetAttr(o, n);
    if (x) return gx_from_python(b, x, out) ? GX_TRY_YES : GX_TRY_ERROR;
    if (py.PyErr_ExceptionMatches(*py.PyExc_AttributeError)) {
        py.PyErr_Clear();
        return GX_TRY_NO;
    }
    gx_python_raised(b);
    return GX_TRY_ERROR;
}

static gx_try proxy_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_value *out) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    gx_try r = attr(b, gx_proxy_py(v), name, out);
    gx_py_leave(b, state);
    return r;
}

static gx_try proxy_set_attr(gx_rt *rt, gx_borrowed v, gx_sym name, gx_borrowed value) {
    gx_bridge *b = rt->bridge;
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *n = gx_name_to_python(b, name), *x = NULL;
    bool ok = n && (value.tag == GX_UNDEF || (x = gx_to_python(b, value)));
    if (ok && !x) {
        ok = py.PyObject_SetAttr(gx_proxy_py(v), n, NULL) == 0 || gx_python_raised(b);
    } else if (ok) {
        PyObject *done = gx_py_call_three(gx_py_frame.set_attr, gx_proxy_py(v), n, x);
        ok = done || gx_python_raised(b);
        if (done) py.Py_DecRef(done);
    }
    if (x) py.Py_DecRef(x);
    gx_py_leave(b, state);
    return ok ? GX_TRY_YES : GX_TRY_ERROR;
}

/* --- calls ------------------------------------------------------------------------------------ */

enum { NEAR = 10 };

typedef struct passing {
    PyObject *near[NEAR + 2], **args; /* args[-2] is free for the callee, args[-1] the function */
    PyObject *snapshots[4];
    int copied[4], copies;
    int given;
} passing;

static PyObject *keyword_names(gx_bridge *b, int kwc, const gx_sym *kw) {
    PyObject *names = py.PyTuple_New(kwc);
    for (int i = 0; names && i < kwc; i++) {
        PyObject *n = gx_name_to_python(b, kw[i]);
        if (n && py.PyTuple_SetItem(names, i, gx_py_keep(n)) == 0) continue;
        py.Py_DecRef(names);
        return NULL;
    }
    return names;
}

static PyObject *call_by_tuple(const passing *p, int argc, int kwc, PyObject *names) {
    PyObject *args = py.PyTuple_New(argc + 1), *kw = kwc ? py.PyDict_New() : NULL, *o = NULL;
    bool ok = args && (kw || !kwc);
    for (int i = -1; ok && i < argc; i++)
        ok = py.PyTuple_SetItem(args, i + 1, gx_py_keep(p->args[i])) == 0;
    for (int i = 0; ok && i < kwc; i++)
        ok = py.PyDict_SetItem(kw, py.PyTuple_GetItem(names, i), p->args[argc + i]) == 0;
    if (ok) o = py.PyObject_Call(gx_py_frame.call, args, kw);
    if (args) py.Py_DecRef(args);
    if (kw) py.Py_DecRef(kw);
    return o;
}

static bool pass(gx_bridge *b, passing *p, int n, const gx_borrowed *argv) {
    for (int i = 0; i < n; i++) {
        PyObject *o = gx_to_python(b, argv[i]);
        if (!o) return false;
        p->args[p->given++] = o;
        if (!gx_is_copied(argv[i]) || p->copies == 4) continue;
        p->snapshots[p->copies] = gx_snapshot(o);
        p->copied[p->copies++] = i;
    }
    return true;
}

static bool proxy_call(gx_rt *rt, gx_borrowed self, int argc, const gx_borrowed *argv, int kwc,
                       const gx_sym *kw, gx_value *out) {
    gx_bridge *b = rt->bridge;
    passing p;
    int n = argc + kwc;
    PyObject **more = NULL, *names = NULL, *o = NULL;
    p.args = p.near + 2;
    p.given = p.copies = 0;
    if (n > NEAR) {
        if (!(more = gx_alloc(rt, (size_t)(n + 2) * sizeof *more))) return false;
        p.args = more + 2;
    }
    PyGILState_STATE state = gx_py_enter(b);
    PyObject *fn = gx_py_keep(gx_proxy_py(self));
    p.args[-1] = fn;
    bool ok = pass(b, &p, n, argv) && (!kwc || (names = keyword_names(b, kwc, kw)));
    if (ok) {
        o = py.PyObject_Vectorcall
                ? py.PyObject_Vectorcall(gx_py_frame.call, p.args - 1,
                                         (size_t)(argc + 1) | (size_t)1 << 63, names)
                : call_by_tuple(&p, argc, kwc, names);
        for (int i = 0; o && ok && i < p.copies; i++)
            if (p.snapshots[i])
                ok = gx_write_back(b, argv[p.copied[i]], p.args[p.copied[i]], p.snapshots[i]);
        if (!ok) py.Py_DecRef(o);
        ok = ok && result(b, o, out);
    }
    for (int i = 0; i < p.given; i++) py.Py_DecRef(p.args[i]);
    for (int i = 0; i < p.copies; i++)
        if (p.snapshots[i]) py.Py_DecRef(p.snapshots[i]);
    if (names) py.Py_DecRef(names);
    py.Py_DecRef(fn);
    gx_py_leave(b, state);
    gx_free(rt, more);
    return ok;
}

const gx_type gx_type_python = {.name = "python object",
                                .tag = GX_OBJECT,
                                .dtype = GX_NO_DTYPE,
                                .container = true,
                                .doc = "An object of Python's.",
                                .foreign = &gx_python_foreign,
                                .free = proxy_free,
                                .traverse = proxy_traverse,
                                .clear = proxy_clear,
                                .repr = proxy_repr,
                                .str = proxy_str,
                                .format = proxy_format,
                                .truth = proxy_truth,
                                .hash = proxy_hash,
                                .compare = proxy_compare,
                                .binary = proxy_binary,
                                .unary = proxy_unary,
                                .inplace = proxy_inplace,
                                .index = proxy_index,
                                .number = proxy_number,
                                .length = proxy_length,
                                .get = proxy_get,
                                .set = proxy_set,
                                .del = proxy_del,
                                .contains = proxy_contains,
                                .attr = proxy_attr,
                                .set_attr = proxy_set_attr,
                                .iter = proxy_iter,
                                .next = proxy_next,
                                .call = proxy_call};

bool gx_is_python(gx_borrowed v) {
    return gx_is_proxy(v);
}
