/* What a script sees of a function's code, f.__code__, and of a variable that functions share, an
   item of f.__closure__. The code itself belongs to its unit, which a code object keeps. */
#include "interp/eval/evaluator.h"

#include <string.h>

#include "runtime/object/container/list.h"
#include "runtime/object/text/str.h"

typedef struct code_object {
    gx_obj obj;
    const gx_function *code;
} code_object;

static const gx_function *code_of(gx_borrowed v) {
    return ((code_object *)v.obj)->code;
}

static void free_code(gx_rt *rt, gx_obj *o) {
    gx_unit_drop(((code_object *)o)->code->unit);
    gx_free(rt, o);
}

static bool get_name(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_of_sym(rt, code_of(self)->name, out);
}
static bool get_qualname(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return gx_str_c(rt, code_of(self)->qualname, out);
}
static bool get_file(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_source *s = gx_source_of(rt, code_of(self)->at);
    return gx_str_c(rt, s ? s->name : "<unknown>", out);
}
static bool get_line(gx_rt *rt, gx_borrowed self, gx_value *out) {
    uint32_t line = 0, column;
    gx_source_place(rt, code_of(self)->at, &line, &column);
    *out = gx_int(line);
    return true;
}

static int64_t count_kind(const gx_function *code, gx_param_kind a, gx_param_kind b) {
    int64_t n = 0;
    for (int32_t i = 0; i < code->param_count; i++)
        n += code->params[i].kind == a || code->params[i].kind == b;
    return n;
}

static bool get_argcount(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(count_kind(code_of(self), GX_PARAM_PLAIN, GX_PARAM_POSONLY));
    return true;
}
static bool get_posonly(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(count_kind(code_of(self), GX_PARAM_POSONLY, GX_PARAM_POSONLY));
    return true;
}
static bool get_kwonly(gx_rt *rt, gx_borrowed self, gx_value *out) {
    (void)rt;
    *out = gx_int(count_kind(code_of(self), GX_PARAM_KWONLY, GX_PARAM_KWONLY));
    return true;
}

static bool push_name(gx_rt *rt, gx_borrowed list, gx_sym name) {
    gx_value text;
    return gx_str_of_sym(rt, name, &text) && gx_list_push_take(rt, list, text);
}

/* Is the slot a local that inner functions share, and no parameter? */
static bool is_shared(const gx_function *code, int32_t slot) {
    for (int32_t i = 0; i < code->boxed_count; i++)
        if (code->boxed[i] == slot) return true;
    return false;
}

/* Parameters, *args and **kwargs behind them, then locals. */
static bool push_names(gx_rt *rt, const gx_function *code, gx_borrowed list) {
    for (int stars = 0; stars < 2; stars++)
        for (int32_t i = 0; i < code->param_count; i++) {
            bool star = code->params[i].kind >= GX_PARAM_STAR;
            if (star == stars && !push_name(rt, list, code->params[i].name)) return false;
        }
    for (int32_t i = code->param_count; i < code->slots; i++) {
        gx_sym name = code->slot_names ? code->slot_names[i] : 0;
        if (!name || gx_sym_text(rt, name)[0] == '.' || is_shared(code, i)) continue;
        if (!push_name(rt, list, name)) return false;
    }
    return true;
}

static bool push_shared(gx_rt *rt, const gx_function *code, gx_borrowed list) {
    for (int32_t i = 0; i < code->param_count; i++)
        if (code->params[i].boxed && !push_name(rt, list, code->params[i].name)) return false;
    for (int32_t i = 0; i < code->boxed_count; i++) {
        gx_sym name = code->slot_names ? code->slot_names[code->boxed[i]] : 0;
        if (name && gx_sym_text(rt, name)[0] != '.' && !push_name(rt, list, name)) return false;
    }
    return true;
}

static bool push_free(gx_rt *rt, const gx_function *code, gx_borrowed list) {
    for (int32_t i = 0; i < code->capture_count; i++)
        if (!push_name(rt, list, code->captures[i].name)) return false;
    return true;
}

static bool name_tuple(gx_rt *rt, gx_borrowed self,
                       bool (*push)(gx_rt *, const gx_function *, gx_borrowed), gx_value *out) {
    gx_value list;
    if (!gx_list_new(rt, 0, NULL, &list)) return false;
    bool ok = push(rt, code_of(self), list) && gx_tuple_of(rt, list, out);
    gx_drop(list);
    return ok;
}

static bool get_varnames(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return name_tuple(rt, self, push_names, out);
}
static bool get_cellvars(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return name_tuple(rt, self, push_shared, out);
}
static bool get_freevars(gx_rt *rt, gx_borrowed self, gx_value *out) {
    return name_tuple(rt, self, push_free, out);
}

static bool get_nlocals(gx_rt *rt, gx_borrowed self, gx_value *out) {
    gx_value names;
    if (!get_varnames(rt, self, &names)) return false;
    *out = gx_int(gx_as_tuple(names)->count);
    gx_drop(names);
    return true;
}

static bool get_flags(gx_rt *rt, gx_borrowed self, gx_value *out) {
    enum {
        OPTIMIZED = 1, NEWLOCALS = 2, VARARGS = 4, VARKEYWORDS = 8, NESTED = 16, GENERATOR = 32
    };
    const gx_function *code = code_of(self);
    int flags = OPTIMIZED | NEWLOCALS;
    (void)rt;
    if (count_kind(code, GX_PARAM_STAR, GX_PARAM_STAR)) flags |= VARARGS;
    if (count_kind(code, GX_PARAM_STARSTAR, GX_PARAM_STARSTAR)) flags |= VARKEYWORDS;
    if (strstr(code->qualname, "<locals>.")) flags |= NESTED;
    if (code->is_generator) flags |= GENERATOR;
    *out = gx_int(flags);
    return true;
}

static const gx_member code_members[] = {
    {"co_name", get_name, NULL, "The function's name."},
    {"co_qualname", get_qualname, NULL, "The name with what is around it."},
    {"co_filename", get_file, NULL, "The file."},
    {"co_firstlineno", get_line, NULL, "The line where it begins."},
    {"co_argcount", get_argcount, NULL, "How many positional parameters it has."},
    {"co_posonlyargcount", get_posonly, NULL, "How many of them are positional only."},
    {"co_kwonlyargcount", get_kwonly, NULL, "How many parameters are by keyword only."},
    {"co_nlocals", get_nlocals, NULL, "How many local variables it has."},
    {"co_varnames", get_varnames, NULL, "Their names, those of parameters first."},
    {"co_cellvars", get_cellvars, NULL, "The variables that inner functions share."},
    {"co_freevars", get_freevars, NULL, "The variables that it shares with outer functions."},
    {"co_flags", get_flags, NULL, "Bits: 4 *args, 8 **kwargs, 16 nested, 32 generator."},
    {0},
};

static bool repr_code(gx_rt *rt, gx_borrowed v, gx_buf *out) {
    const gx_source *s = gx_source_of(rt, code_of(v)->at);
    uint32_t line = 0, column;
    gx_source_place(rt, code_of(v)->at, &line, &column);
    return gx_buf_printf(out, "<code object %s at %p, file \"%s\", line %u>",
                         gx_sym_text(rt, code_of(v)->name), (void *)v.obj, s ? s->name : "", line);
}

static gx_try compare_code(gx_rt *rt, gx_cmpop op, gx_borrowed a, gx_borrowed b, gx_value *out) {
    (void)rt;
    if ((op != GX_EQ && op != GX_NE) || gx_type_of(a) != gx_type_of(b)) return GX_TRY_NO;
    *out = gx_bool((code_of(a) == code_of(b)) == (op == GX_EQ));
    return GX_TRY_YES;
}

static bool hash_code(gx_rt *rt, gx_borrowed v, uint64_t *out) {
    (void)rt;
    *out = (uint64_t)(uintptr_t)code_of(v) >> 4;
    return true;
}

static const gx_type code_type = {
    .name = "code",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .doc = "The parameters and names of a function.",
    .free = free_code,
    .repr = repr_code,
    .compare = compare_code,
    .hash = hash_code,
    .members = code_members,
};

bool gx_code_new(gx_rt *rt, const gx_function *code, gx_value *out) {
    code_object *o = gx_obj_new(rt, &code_type, sizeof *o);
    if (!o) return false;
    o->code = code;
    gx_unit_keep(code->unit);
    *out = gx_object(&o->obj);
    return true;
}

/* --- cells: a box is no value of a script, so it is wrapped ----------------------------------- */

typedef struct cell {
    gx_container head;
    gx_box *box;
} cell;

static void clear_cell(gx_rt *rt, gx_obj *o) {
    gx_box *box = ((cell *)o)->box;
    (void)rt;
    ((cell *)o)->box = NULL;
    if (box) gx_obj_drop(&box->head.obj);
}

static void free_cell(gx_rt *rt, gx_obj *o) {
    gx_container_untrack(rt, &((cell *)o)->head);
    clear_cell(rt, o);
    gx_free(rt, o);
}

static void traverse_cell(gx_obj *o, gx_visit visit, void *ctx) {
    gx_box *box = ((cell *)o)->box;
    if (box) visit(&box->head.obj, ctx);
}

static bool get_contents(gx_rt *rt, gx_borrowed self, gx_value *out) {
    const gx_box *box = ((cell *)self.obj)->box;
    if (!box || box->value.tag == GX_UNDEF)
        return gx_fail(rt, GX_ValueError, "attr.cell", "Cell is empty");
    *out = gx_keep(box->value);
    return true;
}

static bool set_contents(gx_rt *rt, gx_borrowed self, gx_borrowed value) {
    gx_box *box = ((cell *)self.obj)->box;
    (void)rt;
    if (!box) return true;
    gx_value old = box->value;
    box->value = gx_keep(value);
    gx_drop(old);
    return true;
}

static const gx_member cell_members[] = {
    {"cell_contents", get_contents, set_contents, "The variable's value."},
    {0},
};

static const gx_type cell_type = {
    .name = "cell",
    .tag = GX_OBJECT,
    .dtype = GX_NO_DTYPE,
    .container = true,
    .doc = "A variable that functions share.",
    .free = free_cell,
    .traverse = traverse_cell,
    .clear = clear_cell,
    .members = cell_members,
};

bool gx_cell_new(gx_rt *rt, gx_box *box, gx_value *out) {
    cell *c = gx_obj_new(rt, &cell_type, sizeof *c);
    if (!c) return false;
    c->box = box;
    gx_obj_keep(&box->head.obj);
    gx_container_track(rt, &c->head);
    *out = gx_object(&c->head.obj);
    return true;
}
