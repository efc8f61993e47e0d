/* What a with statement asks of a context manager. */
#include "runtime/object/class/hooks.h"
#include "runtime/object/object.h"

/* A method as type(v) has it: a function of the class stays one that v comes before (*plain). */
static gx_try find(gx_rt *rt, gx_borrowed v, gx_hook hook, gx_value *out, bool *plain) {
    const gx_classes *classes = gx_classes_of(rt);
    *plain = false;
    if (!classes) return GX_TRY_ERROR;
    const gx_sym name = classes->names[hook];
    if (gx_as_type(v)) return GX_TRY_NO;
    if (!gx_is_instance(v)) return gx_try_attr(rt, v, name, out);
    gx_value found = gx_class_hook(rt, v.obj->type, hook);
    if (found.tag == GX_UNDEF)
        return gx_builtin_defines(rt, gx_plain_type(v.obj->type), name)
                   ? gx_try_attr(rt, v, name, out)
                   : GX_TRY_NO;
    *plain = found.tag == GX_FUNC;
    if (*plain) *out = gx_keep(found);
    return *plain || gx_bind_found(rt, found, v, v.obj->type, out) ? GX_TRY_YES : GX_TRY_ERROR;
}

gx_try gx_context_enter(gx_rt *rt, gx_borrowed manager, gx_value *entered, gx_value *leave,
                        const char **lacks) {
    gx_value enter, exit;
    bool enter_plain, exit_plain;
    *lacks = "__enter__";
    gx_try has = find(rt, manager, GX_HOOK_enter, &enter, &enter_plain);
    if (has != GX_TRY_YES) return has;
    *lacks = "__exit__";
    has = find(rt, manager, GX_HOOK_exit, &exit, &exit_plain);
    if (has == GX_TRY_YES && exit_plain) {
        gx_value fn = exit;
        has = gx_bound_new(rt, manager, fn, &exit) ? GX_TRY_YES : GX_TRY_ERROR;
        gx_drop(fn);
    }
    if (has == GX_TRY_YES && !gx_call_held(rt, enter, enter_plain, &manager, 0, NULL, entered)) {
        gx_drop(exit);
        has = GX_TRY_ERROR;
    }
    gx_drop(enter);
    if (has == GX_TRY_YES) *leave = exit;
    return has;
}
