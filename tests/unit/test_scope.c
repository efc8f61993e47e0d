/* Unit tests of scopes: which frame slot, box, captured box or global each name gets. */
#include "tests/unit/syntax_int.h"

typedef struct row {
    const char *text, *tree;
} row;

static const row rows[] = {
    {"def f(a):\n  b = a\n  return b + c",
     "BLOCK (0: DEF (function f slots 2 (param a plain 0, body: BLOCK (0: ASSIGN (a: NAME a "
     "local 0, 0: NAME b local 1), 1: RETURN (a: BINARY + (a: NAME b local 1, b: NAME c global "
     "1)))), a: NAME f global 0))"},
    {"def f(a):\n  return lambda: a",
     "BLOCK (0: DEF (function f slots 1 (param a plain 0 boxed, body: BLOCK (0: RETURN (a: "
     "LAMBDA (function <lambda> slots 0 capture a frame 0 (body: NAME a free 0))))), a: NAME f "
     "global 0))"},
    {"def f():\n  x = 1\n  def g():\n    nonlocal x\n    x = 2\n  return g",
     "BLOCK (0: DEF (function f slots 2 boxed 0 (body: BLOCK (0: ASSIGN (a: INT 1, 0: NAME x "
     "boxed 0), 1: DEF (function g slots 0 capture x frame 0 (body: BLOCK (0: PASS nonlocal (0: "
     "NAME x free 0), 1: ASSIGN (a: INT 2, 0: NAME x free 0))), a: NAME g local 1), 2: RETURN "
     "(a: NAME g local 1))), a: NAME f global 0))"},
    {"def f():\n  x = 1\n  def g():\n    def h(): return x\n    return h\n  return g",
     "BLOCK (0: DEF (function f slots 2 boxed 0 (body: BLOCK (0: ASSIGN (a: INT 1, 0: NAME x "
     "boxed 0), 1: DEF (function g slots 1 capture x frame 0 (body: BLOCK (0: DEF (function h "
     "slots 0 capture x free 0 (body: BLOCK (0: RETURN (a: NAME x free 0))), a: NAME h local 0), "
     "1: RETURN (a: NAME h local 0))), a: NAME g local 1), 2: RETURN (a: NAME g local 1))), a: "
     "NAME f global 0))"},
    {"def f():\n  global x\n  x = 1\n  def g(): return x",
     "BLOCK (0: DEF (function f slots 1 (body: BLOCK (0: PASS global (0: NAME x global 1), 1: "
     "ASSIGN (a: INT 1, 0: NAME x global 1), 2: DEF (function g slots 0 (body: BLOCK (0: RETURN "
     "(a: NAME x global 1))), a: NAME g local 0))), a: NAME f global 0))"},
    {"x = 1\ndef f():\n  print(x)\n  x = 2",
     "BLOCK (0: ASSIGN (a: INT 1, 0: NAME x global 0), 1: DEF (function f slots 1 (body: BLOCK "
     "(0: EXPRSTMT (a: CALL (a: NAME print global 2, 0: NAME x local 0)), 1: ASSIGN (a: INT 2, "
     "0: NAME x local 0))), a: NAME f global 1))"},
    {"def f():\n  def g(): return x\n  x = 1",
     "BLOCK (0: DEF (function f slots 2 boxed 1 (body: BLOCK (0: DEF (function g slots 0 capture "
     "x frame 1 (body: BLOCK (0: RETURN (a: NAME x free 0))), a: NAME g local 0), 1: ASSIGN (a: "
     "INT 1, 0: NAME x boxed 1))), a: NAME f global 0))"},
    {"[i for i in i]",
     "BLOCK (0: EXPRSTMT (a: LISTCOMP slots 0+1 (a: NAME i local 0, 0: COMPFOR (a: NAME i local "
     "0, b: NAME i global 0))))"},
    {"[lambda: i for i in r]",
     "BLOCK (0: EXPRSTMT (a: LISTCOMP slots 0+1 boxed 0 (a: LAMBDA (function <lambda> slots 0 "
     "capture i frame 0 (body: NAME i free 0)), 0: COMPFOR (a: NAME i boxed 0, b: NAME r global "
     "0))))"},
    {"[[lambda: i + j for j in i] for i in r]",
     "BLOCK (0: EXPRSTMT (a: LISTCOMP slots 0+1 boxed 0 (a: LISTCOMP slots 1+1 boxed 0 (a: "
     "LAMBDA (function <lambda> slots 0 capture j frame 1 capture i frame 0 (body: BINARY + (a: "
     "NAME i free 1, b: NAME j free 0))), 0: COMPFOR (a: NAME j boxed 1, b: NAME i boxed 0)), 0: "
     "COMPFOR (a: NAME i boxed 0, b: NAME r global 0))))"},
    {"[x for x in y for x in x]",
     "BLOCK (0: EXPRSTMT (a: LISTCOMP slots 0+1 (a: NAME x local 0, 0: COMPFOR (a: NAME x local "
     "0, b: NAME y global 0), 1: COMPFOR (a: NAME x local 0, b: NAME x local 0))))"},
    {"def f(n):\n  return [i * n for i in r if i]",
     "BLOCK (0: DEF (function f slots 2 (param n plain 0, body: BLOCK (0: RETURN (a: LISTCOMP "
     "slots 1+1 (a: BINARY * (a: NAME i local 1, b: NAME n local 0), 0: COMPFOR (a: NAME i local "
     "1, b: NAME r global 1, 0: NAME i local 1))))), a: NAME f global 0))"},
    {"def f(n):\n  return [lambda: (i, n) for i in r]",
     "BLOCK (0: DEF (function f slots 2 (param n plain 0 boxed, body: BLOCK (0: RETURN (a: "
     "LISTCOMP slots 1+1 boxed 0 (a: LAMBDA (function <lambda> slots 0 capture i frame 1 capture "
     "n frame 0 (body: TUPLE (0: NAME i free 0, 1: NAME n free 1))), 0: COMPFOR (a: NAME i boxed "
     "1, b: NAME r global 1))))), a: NAME f global 0))"},
    {"def f(n):\n  return (i * n for i in r(n))",
     "BLOCK (0: DEF (function f slots 1 (param n plain 0 boxed, body: BLOCK (0: RETURN (a: "
     "GENEXP (function <genexpr> slots 2 capture n frame 0 (param .0 posonly 0), a: CALL (a: "
     "NAME r global 1, 0: NAME n boxed 0), b: BINARY * (a: NAME i local 1, b: NAME n free 0), 0: "
     "COMPFOR (a: NAME i local 1, b: NAME .0 local 0))))), a: NAME f global 0))"},
    {"[(j for j in i) for i in r]",
     "BLOCK (0: EXPRSTMT (a: LISTCOMP slots 0+1 (a: GENEXP (function <genexpr> slots 2 (param .0 "
     "posonly 0), a: NAME i local 0, b: NAME j local 1, 0: COMPFOR (a: NAME j local 1, b: NAME "
     ".0 local 0)), 0: COMPFOR (a: NAME i local 0, b: NAME r global 0))))"},
    {"(i for i in r for j in i)",
     "BLOCK (0: EXPRSTMT (a: GENEXP (function <genexpr> slots 3 (param .0 posonly 0), a: NAME r "
     "global 0, b: NAME i local 1, 0: COMPFOR (a: NAME i local 1, b: NAME .0 local 0), 1: "
     "COMPFOR (a: NAME j local 2, b: NAME i local 1))))"},
    {"((lambda: i) for i in r)",
     "BLOCK (0: EXPRSTMT (a: GENEXP (function <genexpr> slots 2 boxed 1 (param .0 posonly 0), a: "
     "NAME r global 0, b: LAMBDA (function <lambda> slots 0 capture i frame 1 (body: NAME i free "
     "0)), 0: COMPFOR (a: NAME i boxed 1, b: NAME .0 local 0))))"},
    {"def f(*a, **k): return lambda: (a, k)",
     "BLOCK (0: DEF (function f slots 2 (param a star 0 boxed, param k starstar 1 boxed, body: "
     "BLOCK (0: RETURN (a: LAMBDA (function <lambda> slots 0 capture a frame 0 capture k frame 1 "
     "(body: TUPLE (0: NAME a free 0, 1: NAME k free 1)))))), a: NAME f global 0))"},
    {"def f(a=b, *, c=d): pass",
     "BLOCK (0: DEF (function f slots 2 (param a plain 0 (default: NAME b global 1), param c "
     "kwonly 1 (default: NAME d global 2), body: BLOCK (0: PASS)), a: NAME f global 0))"},
    {"def f():\n  try: g()\n  except E as e: return e\n  import a.b, c as d\n  from m import n\n "
     " for i in r: pass\n  with o as w: pass\n  del q",
     "BLOCK (0: DEF (function f slots 7 (body: BLOCK (0: TRY (a: BLOCK (0: EXPRSTMT (a: CALL (a: "
     "NAME g global 1))), 0: EXCEPT (a: NAME E global 2, b: NAME e local 0, c: BLOCK (0: RETURN "
     "(a: NAME e local 0)))), 1: IMPORT (0: ALIAS a.b (a: NAME a local 1), 1: ALIAS c (a: NAME d "
     "local 2)), 2: FROM m (0: ALIAS n (a: NAME n local 3)), 3: FOR (a: NAME i local 4, b: BLOCK "
     "(0: PASS), 0: NAME r global 3), 4: WITH (a: BLOCK (0: PASS), 0: WITHITEM (a: NAME o global "
     "4, b: NAME w local 5)), 5: DEL (0: NAME q local 6))), a: NAME f global 0))"},
    {"def f():\n  x: int\n  return x",
     "BLOCK (0: DEF (function f slots 1 (body: BLOCK (0: PASS annotation (b: STR \"int\", 0: "
     "NAME x local 0), 1: RETURN (a: NAME x local 0))), a: NAME f global 0))"},
    {"def f():\n  f()",
     "BLOCK (0: DEF (function f slots 0 (body: BLOCK (0: EXPRSTMT (a: CALL (a: NAME f global "
     "0)))), a: NAME f global 0))"},
    {"def f(x):\n  def g(x): return x\n  return g",
     "BLOCK (0: DEF (function f slots 2 (param x plain 0, body: BLOCK (0: DEF (function g slots "
     "1 (param x plain 0, body: BLOCK (0: RETURN (a: NAME x local 0))), a: NAME g local 1), 1: "
     "RETURN (a: NAME g local 1))), a: NAME f global 0))"},
    {"def f():\n  x = [x for x in x]",
     "BLOCK (0: DEF (function f slots 2 (body: BLOCK (0: ASSIGN (a: LISTCOMP slots 1+1 (a: NAME "
     "x local 1, 0: COMPFOR (a: NAME x local 1, b: NAME x local 0)), 0: NAME x local 0))), a: "
     "NAME f global 0))"},
    {"lambda x: [x + y for y in z]",
     "BLOCK (0: EXPRSTMT (a: LAMBDA (function <lambda> slots 2 (param x plain 0, body: LISTCOMP "
     "slots 1+1 (a: BINARY + (a: NAME x local 0, b: NAME y local 1), 0: COMPFOR (a: NAME y local "
     "1, b: NAME z global 0))))))"},
    {"def f(a):\n  a += 1\n  return [lambda: a for b in [a] for a in b]",
     "BLOCK (0: DEF (function f slots 3 (param a plain 0, body: BLOCK (0: AUGASSIGN + (a: NAME a "
     "local 0, b: INT 1), 1: RETURN (a: LISTCOMP slots 1+2 boxed 1 (a: LAMBDA (function <lambda> "
     "slots 0 capture a frame 2 (body: NAME a free 0)), 0: COMPFOR (a: NAME b local 1, b: LIST "
     "(0: NAME a local 0)), 1: COMPFOR (a: NAME a boxed 2, b: NAME b local 1))))), a: NAME f "
     "global 0))"},
    {"def f():\n  (a, [b, *c]), d.e = g",
     "BLOCK (0: DEF (function f slots 3 (body: BLOCK (0: ASSIGN (a: NAME g global 1, 0: TUPLE "
     "(0: TUPLE (0: NAME a local 0, 1: LIST (0: NAME b local 1, 1: STARRED (a: NAME c local "
     "2))), 1: ATTR e (a: NAME d global 2))))), a: NAME f global 0))"},
    {"{k: [v for v in k] for k in m}",
     "BLOCK (0: EXPRSTMT (a: DICTCOMP slots 0+1 (a: NAME k local 0, b: LISTCOMP slots 1+1 (a: "
     "NAME v local 1, 0: COMPFOR (a: NAME v local 1, b: NAME k local 0)), 0: COMPFOR (a: NAME k "
     "local 0, b: NAME m global 0))))"},
    {"def f():\n  x = 1\n  return [[x for a in x] for b in (c for c in x)]",
     "BLOCK (0: DEF (function f slots 3 (body: BLOCK (0: ASSIGN (a: INT 1, 0: NAME x local 0), "
     "1: RETURN (a: LISTCOMP slots 1+1 (a: LISTCOMP slots 2+1 (a: NAME x local 0, 0: COMPFOR (a: "
     "NAME a local 2, b: NAME x local 0)), 0: COMPFOR (a: NAME b local 1, b: GENEXP (function "
     "<genexpr> slots 2 (param .0 posonly 0), a: NAME x local 0, b: NAME c local 1, 0: COMPFOR "
     "(a: NAME c local 1, b: NAME .0 local 0))))))), a: NAME f global 0))"},
    {"def f():\n  x = 1\n  class_ = lambda x=x: x\n  return class_",
     "BLOCK (0: DEF (function f slots 2 (body: BLOCK (0: ASSIGN (a: INT 1, 0: NAME x local 0), "
     "1: ASSIGN (a: LAMBDA (function <lambda> slots 1 (param x plain 0 (default: NAME x local "
     "0), body: NAME x local 0)), 0: NAME class_ local 1), 2: RETURN (a: NAME class_ local 1))), "
     "a: NAME f global 0))"},
    {"x = [a for a in b]\ny = {a for a in b}",
     "BLOCK (0: ASSIGN (a: LISTCOMP slots 0+1 (a: NAME a local 0, 0: COMPFOR (a: NAME a local 0, "
     "b: NAME b global 0)), 0: NAME x global 1), 1: ASSIGN (a: SETCOMP slots 1+1 (a: NAME a "
     "local 1, 0: COMPFOR (a: NAME a local 1, b: NAME b global 0)), 0: NAME y global 2))"},
};

Test(scope, names) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_tree(rows[i].text, rows[i].tree, false);
}

Test(scope, slot_names) {
    syntax s = parse_text("def f(a):\n  b = [c for c in a]\n  return b");
    cr_assert_eq(s.status, GX_PARSE_OK);
    const gx_function *f = s.unit->main->body->list[0]->function;
    cr_assert_eq(f->slots, 3);
    cr_expect_str_eq(gx_sym_text(s.rt, f->slot_names[0]), "a");
    cr_expect_str_eq(gx_sym_text(s.rt, f->slot_names[1]), "b");
    cr_expect_str_eq(gx_sym_text(s.rt, f->slot_names[2]), "c");
    done(&s);
}

Test(scope, genexp_is_its_functions_body) {
    syntax s = parse_text("(x for x in y)");
    cr_assert_eq(s.status, GX_PARSE_OK);
    const gx_node *n = s.unit->main->body->list[0]->a;
    cr_expect_eq(n->function->body, n);
    cr_expect(n->function->is_generator);
    done(&s);
}
