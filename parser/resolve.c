/* Names, second half: frame slots for what scopes bind, captured boxes for what inner functions
   share, global slots for the rest; then every NAME gets its scope and slot. Scopes are visited in
   order of creation, so that slots are the same for the same text. */
#include "parser/scope_int.h"

#include <string.h>

static gx_var *find(gx_scope_info *s, gx_sym name) {
    int32_t i;
    return gx_map_get(&s->names, name, &i) ? &s->vars.items[i] : NULL;
}

/* Whether the name is this scope's own: bound, and not declared to be another's. */
static bool owns(const gx_scope_info *s, const gx_var *v) {
    return s->kind != GX_SCOPE_OF_MODULE && v && (v->flags & GX_VAR_BOUND) &&
           !(v->flags & (GX_VAR_GLOBAL | GX_VAR_NONLOCAL));
}

/* As owns, for the scopes inside: of a class they see __class__ only. */
static bool offers(gx_resolver *r, const gx_scope_info *s, const gx_var *v) {
    if (!owns(s, v)) return false;
    return s->kind != GX_SCOPE_OF_CLASS || strcmp(gx_sym_text(r->rt, v->name), "__class__") == 0;
}

/* Whether s or a scope around it, short of the module, owns the name. */
static bool is_enclosed(gx_resolver *r, gx_scope_info *s, gx_sym name) {
    for (; s && s->kind != GX_SCOPE_OF_MODULE; s = s->parent) {
        const gx_var *v = find(s, name);
        if (v && (v->flags & GX_VAR_GLOBAL) && s->kind != GX_SCOPE_OF_CLASS) return false;
        if (offers(r, s, v)) return true;
    }
    /* A comprehension at module level is enclosed by nothing but itself. */
    return false;
}

/* The box of a name that is_enclosed around function scope f: its index among f's captures. */
static bool capture(gx_resolver *r, gx_scope_info *f, gx_sym name, int32_t *out) {
    int32_t index = gx_scope_var(r, f, name);
    if (index < 0) return false;
    if (f->vars.items[index].flags & GX_VAR_FREE) {
        *out = f->vars.items[index].free_slot;
        return true;
    }
    gx_capture c = {.name = name, .from_free = true};
    gx_scope_info *maker = f->parent;
    for (;; maker = maker->parent) {
        gx_var *v = find(maker, name);
        if (offers(r, maker, v)) {
            v->flags |= GX_VAR_CAPTURED;
            c.from_free = false;
            c.slot = v->slot;
            break;
        }
        if (maker->kind != GX_SCOPE_OF_COMP) break;
    }
    if (c.from_free && !capture(r, maker, name, &c.slot)) return false;
    int32_t slot = (int32_t)f->captures.count;
    if (!gx_vec_push(r->rt, &f->captures, c)) return false;
    f->vars.items[index].flags |= GX_VAR_FREE;
    f->vars.items[index].free_slot = slot;
    *out = slot;
    return true;
}

/* Frame slots of what a scope owns: parameters first, then in order of first mention. */
static void give_slots(gx_scope_info *s) {
    gx_function *f = s->function;
    if (s->kind == GX_SCOPE_OF_COMP) s->comp->slot = f->slots;
    for (size_t i = 0; i < s->vars.count; i++)
        if (owns(s, &s->vars.items[i])) s->vars.items[i].slot = f->slots++;
    if (s->kind == GX_SCOPE_OF_COMP) s->comp->length = (size_t)(f->slots - s->comp->slot);
}

static bool global_slot(gx_resolver *r, gx_sym name, int32_t *out) {
    if (gx_map_get(r->globals, name, out)) return true;
    *out = (int32_t)r->globals->count;
    return gx_map_set(r->rt, r->globals, name, *out);
}

/* Where a name that s mentions but does not own lives. */
static bool resolve_other(gx_resolver *r, gx_scope_info *s, size_t index) {
    gx_sym name = s->vars.items[index].name;
    gx_var *v = &s->vars.items[index];
    bool declared = (v->flags & GX_VAR_NONLOCAL) != 0;
    bool enclosed = !(v->flags & GX_VAR_GLOBAL) && s->parent &&
                    is_enclosed(r, s->kind == GX_SCOPE_OF_MODULE ? NULL : s->parent, name);
    if (declared && !enclosed) {
        gx_parser_syntax(r->p, v->at, "no binding for nonlocal '%s' found",
                         gx_sym_text(r->rt, name));
        return true;
    }
    int32_t slot = -1;
    uint8_t scope = GX_SCOPE_GLOBAL;
    gx_scope_info *t = s;
    if (s->kind == GX_SCOPE_OF_COMP && s->comp->kind == GX_NODE_TYPES &&
        s->parent->kind == GX_SCOPE_OF_CLASS && owns(s->parent, find(s->parent, name))) {
        const gx_var *own = find(s->parent, name); /* the bases in a class body see its names */
        v->scope = GX_SCOPE_CLASS;
        v->slot = own->slot;
        v->global_slot = own->global_slot;
        return true;
    }
    if (enclosed)
        for (; t->kind == GX_SCOPE_OF_COMP; t = t->parent) {
            gx_var *own = find(t->parent, name);
            if (offers(r, t->parent, own)) {
                v->scope = GX_SCOPE_LOCAL; /* BOXED if captured: settled by settle() */
                v->slot = own->slot;
                return true;
            }
        }
    bool ok = enclosed ? capture(r, t, name, &slot) : global_slot(r, name, &slot);
    if (!ok) return false;
    if (enclosed) scope = GX_SCOPE_FREE;
    v = &s->vars.items[index]; /* capture may have moved them */
    v->scope = scope;
    v->slot = slot;
    if (scope == GX_SCOPE_GLOBAL && s->prepared && !(v->flags & GX_VAR_GLOBAL)) {
        v->flags |= GX_VAR_ASKED;
        v->scope = GX_SCOPE_CLASS;
        v->slot = s->function->slots++;
        v->global_slot = slot;
    }
    return true;
}

static bool resolve_scope(gx_resolver *r, gx_scope_info *s) {
    for (size_t i = 0; i < s->vars.count; i++) {
        gx_var *v = &s->vars.items[i];
        if (owns(s, v)) {
            v->scope = s->kind == GX_SCOPE_OF_CLASS ? GX_SCOPE_CLASS : GX_SCOPE_LOCAL;
            if (v->scope == GX_SCOPE_CLASS && !global_slot(r, v->name, &v->global_slot))
                return false;
        } else if (s->vars.items[i].flags & ~GX_VAR_FREE) {
            if (!resolve_other(r, s, i)) return false;
        }
    }
    return true;
}

/* Writes captures and slot names into the function that has its own frame. */
static bool fill_function(gx_resolver *r, gx_scope_info *s) {
    gx_function *f = s->function;
    gx_arena *arena = &r->p->unit->arena;
    f->slot_names = gx_arena_alloc(arena, ((size_t)f->slots + 1) * sizeof *f->slot_names);
    f->boxed = gx_arena_alloc(arena, (s->vars.count + 1) * sizeof *f->boxed);
    f->captures = gx_arena_alloc(arena, (s->captures.count + 1) * sizeof *f->captures);
    if (!f->slot_names || !f->boxed || !f->captures) return false;
    if (s->captures.count)
        memcpy(f->captures, s->captures.items, s->captures.count * sizeof *f->captures);
    f->capture_count = (int32_t)s->captures.count;
    for (size_t i = 0; i < s->vars.count; i++) {
        const gx_var *v = &s->vars.items[i];
        if (!owns(s, v) && !(v->flags & GX_VAR_ASKED)) continue;
        bool captured = (v->flags & GX_VAR_CAPTURED) != 0;
        f->slot_names[v->slot] = v->name;
        if (v->flags & GX_VAR_PARAM) {
            f->params[v->slot].slot = v->slot;
            f->params[v->slot].boxed = captured;
        } else if (captured) {
            f->boxed[f->boxed_count++] = v->slot;
        }
    }
    return true;
}

static bool fill_comprehension(gx_resolver *r, gx_scope_info *s) {
    gx_node *n = s->comp;
    for (size_t i = 0; i < s->vars.count; i++) {
        const gx_var *v = &s->vars.items[i];
        if (!owns(s, v)) continue;
        s->function->slot_names[v->slot] = v->name;
        if (!(v->flags & GX_VAR_CAPTURED)) continue;
        if (!n->boxed) n->boxed = gx_arena_alloc(&r->p->unit->arena, n->length);
        if (!n->boxed) return false;
        n->boxed[v->slot - n->slot] = 1;
    }
    return true;
}

/* A LOCAL whose owner is captured is BOXED. */
static void settle(gx_resolver *r, gx_scope_info *s, gx_var *v) {
    if (v->scope != GX_SCOPE_LOCAL) return;
    gx_scope_info *t = s;
    while (t != s ? !offers(r, t, find(t, v->name)) : !owns(t, find(t, v->name))) t = t->parent;
    if (find(t, v->name)->flags & GX_VAR_CAPTURED) v->scope = GX_SCOPE_BOXED;
}

bool gx_scope_assign(gx_resolver *r) {
    for (gx_scope_info *s = r->first; s; s = s->next) give_slots(s);
    for (gx_scope_info *s = r->first; s; s = s->next)
        if (!resolve_scope(r, s)) return false;
    if (r->p->errors->count) return true;
    for (gx_scope_info *s = r->first; s; s = s->next) {
        bool ok = s->kind == GX_SCOPE_OF_COMP ? fill_comprehension(r, s) : fill_function(r, s);
        if (!ok) return false;
        for (size_t i = 0; i < s->vars.count; i++) {
            gx_var *v = &s->vars.items[i];
            if (v->flags & ~GX_VAR_FREE) settle(r, s, v);
        }
        for (size_t i = 0; i < s->refs.count; i++) {
            gx_node *n = s->refs.items[i].node;
            n->scope = s->vars.items[s->refs.items[i].var].scope;
            n->slot = s->vars.items[s->refs.items[i].var].slot;
            if (n->kind == GX_NODE_NAME)
                n->op = (s->vars.items[s->refs.items[i].var].flags & GX_VAR_GLOBAL) != 0;
            if (n->scope == GX_SCOPE_CLASS)
                n->length = (size_t)s->vars.items[s->refs.items[i].var].global_slot;
        }
    }
    return true;
}
