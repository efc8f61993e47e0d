/* Builtins that run texts and show names: eval, exec, compile, globals, locals. What they do is the
   interpreter's; here are their rows. */
#include "runtime/object/text/str.h"
#include "stdlib/stdlib.h"

static bool core_eval(gx_call *c, gx_value *out) {
    return gx_stdlib_running(c->rt)->eval(c, out);
}
static bool core_exec(gx_call *c, gx_value *out) {
    return gx_stdlib_running(c->rt)->exec(c, out);
}
static bool core_compile(gx_call *c, gx_value *out) {
    return gx_stdlib_running(c->rt)->compile(c, out);
}
static bool core_globals(gx_call *c, gx_value *out) {
    return gx_stdlib_running(c->rt)->globals(c, out);
}
static bool core_locals(gx_call *c, gx_value *out) {
    return gx_stdlib_running(c->rt)->locals(c, out);
}

static bool core_import(gx_call *c, gx_value *out) {
    return gx_stdlib_running(c->rt)->import(c, out);
}

static bool core_breakpoint(gx_call *c, gx_value *out) {
    gx_value what;
    if (!gx_str_c(c->rt, "breakpoint", &what)) return false;
    gx_call asked = *c;
    asked.argv = &what;
    asked.argc = 1;
    bool ok = gx_stdlib_running(c->rt)->debug(&asked, out);
    gx_drop(what);
    return ok;
}

static bool debug_control(gx_call *c, gx_value *out) {
    return gx_stdlib_running(c->rt)->debug(c, out);
}

const gx_native gx_debug_functions[] = {
    {"control", "control(what, a=None, b=None, c=None)", "What the debugger asks of the evaluator.",
     NULL, debug_control, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};

const gx_native gx_core_dynamic_functions[] = {
    {"breakpoint", "breakpoint()",
     "Stops the program here and asks what to do: docs/debugging.md. GX_BREAKPOINT=0 turns it off.",
     NULL, core_breakpoint, 0, 0},
    {"eval", "eval(source, /, globals=None, locals=None)",
     "The value of an expression in a text, or of what compile() made of one.",
     "eval('x + 1', {'x': 2})  # 3", core_eval, 0, 0},
    {"exec", "exec(source, /, globals=None, locals=None)",
     "Runs the statements of a text. With a dict, names are looked up and bound there.", NULL,
     core_exec, 0, 0},
    {"compile", "compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1)",
     "A text made ready for eval() and exec(); mode is 'eval', 'exec' or 'single'.",
     "eval(compile('6 * 7', 'answer', 'eval'))  # 42", core_compile, 0, 0},
    {"globals", "globals()", "The module's names, as a dict; changes to it change the names.", NULL,
     core_globals, 0, 0},
    {"locals", "locals()", "The running function's names, as a new dict; in a module globals().",
     NULL, core_locals, 0, 0},
    {"__import__", "__import__(name, globals=None, locals=None, fromlist=(), level=0)",
     "What the import statement calls; importlib.import_module() is for programs.", NULL,
     core_import, 0, 0},
    {NULL, NULL, NULL, NULL, NULL, 0, 0},
};
