/* Reads a PTX module: its variables, its functions, and in these the declarations, labels and
   instructions in order. Debug sections are skipped. Linear in the text. */
#include <string.h>

#include "runtime/backend/sim/ptx/read_int.h"

static void skip_line(gx_reader *r) {
    const char *line = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = line ? line + 1 : r->end;
}

/* --- functions --- */

static int builtin_of(const char *name, size_t n) {
    if (gx_ptx_is(name, n, "vprintf")) return BUILTIN_PRINTF;
    if (gx_ptx_is(name, n, "__assertfail") || gx_ptx_is(name, n, "__assert_fail"))
        return BUILTIN_ASSERT;
    if (gx_ptx_is(name, n, "malloc")) return BUILTIN_MALLOC;
    if (gx_ptx_is(name, n, "free")) return BUILTIN_FREE;
    return BUILTIN_UNKNOWN;
}

static bool find_function(gx_reader *r, const char *name, size_t n, gx_symbol **out) {
    gx_symbol *s = gx_symbol_find(r, name, n);
    if (s && s->kind == SYM_FUNCTION) {
        *out = s;
        return true;
    }
    gx_sim *sim = r->sim;
    if (sim->n_fn == sim->room_fn) {
        int room = sim->room_fn ? sim->room_fn * 2 : 8;
        gx_ptx_fn *more = gx_realloc(r->rt, sim->fn, (size_t)room * sizeof *more);
        if (!more) return false;
        sim->fn = more;
        sim->room_fn = room;
    }
    int scope = r->scope;
    r->scope = 0;
    bool ok = gx_symbol_add(r, SYM_FUNCTION, name, n, &s);
    r->scope = scope;
    if (!ok) return false;
    s->at = sim->n_fn;
    sim->fn[sim->n_fn++] = (gx_ptx_fn){.name = s->name, .builtin = builtin_of(name, n)};
    *out = s;
    return true;
}

/* The .param declarations in parentheses, of a function or of its result. */
static bool read_params(gx_reader *r, bool entry, bool result) {
    gx_ptx_fn *fn = r->fn;
    if (!gx_ptx_expect(r, '(')) return false;
    if (gx_ptx_accept(r, ')')) return true;
    do {
        gx_declaration d;
        gx_symbol *s;
        if (!gx_ptx_declaration(r, &d)) return false;
        if (!gx_symbol_add(r, entry ? SYM_ENTRY_PARAM : SYM_PARAM, d.name, d.length, &s))
            return false;
        int32_t bytes = (int32_t)(d.count * gx_ptx_bytes(d.type));
        r->params = gx_ptx_align_up(r->params, d.align);
        gx_ptx_param p = {.name = s->name, .offset = r->params, .bytes = bytes};
        s->at = p.offset;
        s->bytes = bytes;
        r->params += bytes;
        if (result)
            fn->result = p;
        else if (fn->n_param < 64)
            fn->param[fn->n_param++] = p;
        else
            return gx_ptx_fail(r, "too many parameters of", d.name, d.length);
    } while (gx_ptx_accept(r, ','));
    return gx_ptx_expect(r, ')');
}

static bool add_registers(gx_reader *r) {
    gx_ptx_type type = PT_NONE;
    do {
        const char *word;
        size_t n;
        gx_symbol *s;
        n = gx_ptx_word(r, &word);
        if (n && *word == '.') { /* the type stands before the first name only */
            type = gx_ptx_type_of(word + 1, n - 1);
            n = gx_ptx_word(r, &word);
        }
        if (type == PT_NONE || type == PT_B128)
            return gx_ptx_fail(r, "registers of a type that is not simulated", word, n);
        if (n == 0) return gx_ptx_fail(r, "a register was expected", word, 1);
        int32_t slot = (gx_ptx_register_bytes(type) + 31) / 32 * 32;
        int64_t count = 1;
        bool range = gx_ptx_accept(r, '<');
        if (range && (!gx_ptx_integer(r, &count) || !gx_ptx_expect(r, '>'))) return false;
        if (count < 0 || count > 1 << 20 || r->regs + count * slot > 1 << 28)
            return gx_ptx_fail(r, "too many registers", word, n);
        if (!gx_symbol_add(r, range ? SYM_RANGE : SYM_REGISTER, word, n, &s)) return false;
        s->type = (uint8_t)type;
        s->at = r->regs;
        s->count = (int32_t)count;
        r->regs += (int32_t)count * slot;
    } while (gx_ptx_accept(r, ','));
    return gx_ptx_expect(r, ';');
}

static bool add_local(gx_reader *r) {
    gx_declaration d;
    gx_symbol *s;
    if (!gx_ptx_declaration(r, &d) || !gx_symbol_add(r, SYM_LOCAL, d.name, d.length, &s))
        return false;
    int32_t at = gx_ptx_align_up(r->fn->local_bytes, d.align < 16 ? 16 : d.align);
    s->at = at;
    r->fn->local_bytes = at + (int32_t)(d.count * gx_ptx_bytes(d.type));
    return gx_ptx_expect(r, ';');
}

static bool add_call_param(gx_reader *r) {
    gx_declaration d;
    gx_symbol *s;
    if (!gx_ptx_declaration(r, &d) || !gx_symbol_add(r, SYM_PARAM, d.name, d.length, &s))
        return false;
    r->params = gx_ptx_align_up(r->params, d.align);
    s->at = r->params;
    s->bytes = (int32_t)(d.count * gx_ptx_bytes(d.type));
    r->params += s->bytes;
    return gx_ptx_expect(r, ';');
}

/* .loc file line column[, function_name label, inlined_at file line column]: the outermost place.
 */
static bool read_location(gx_reader *r) {
    const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    if (!end) end = r->end;
    const char *inlined = r->at;
    struct gx_inlined place = {.place = {0}};
    int64_t *from = place.place, *to = place.at;
    if (!gx_ptx_integer(r, &from[0]) || !gx_ptx_integer(r, &from[1])) return false;
    if (from[1] > 0) {
        r->line = (uint32_t)from[1];
        r->file = (uint16_t)from[0];
    }
    while (inlined + 10 < end && memcmp(inlined, "inlined_at", 10) != 0) inlined++;
    if (inlined + 10 < end) {
        if (!gx_ptx_integer(r, &from[2])) return false;
        r->at = inlined + 10;
        for (int k = 0; k < 3; k++)
            if (!gx_ptx_integer(r, &to[k])) return false;
        enum { KEPT = sizeof r->inlined / sizeof *r->inlined };
        r->inlined[r->n_inlined++ % KEPT] = place;
        for (int n = r->n_inlined, k = n - 2; k >= 0 && k > n - KEPT; k--)
            if (memcmp(r->inlined[k % KEPT].place, to, sizeof place.at) == 0)
                memcpy(to, r->inlined[k % KEPT].at, sizeof place.at);
        if (to[1] > 0) r->line = (uint32_t)to[1];
        if (to[1] > 0) r->file = (uint16_t)to[0];
    }
    r->at = end;
    return true;
}

static bool place_label(gx_reader *r, const char *word, size_t n) {
    gx_symbol *s;
    if (!gx_ptx_label(r, word, n, &s)) return false;
    s->at = r->fn->count;
    return true;
}

bool gx_label_use(gx_reader *r, const gx_symbol *label, int instruction, gx_call_site *site) {
    if (r->n_label_use == r->room_label_use) {
        int room = r->room_label_use ? r->room_label_use * 2 : 64;
        struct gx_label *list = gx_realloc(r->rt, r->label_use, sizeof *list * (size_t)room);
        if (!list) return false;
        r->label_use = list;
        r->room_label_use = room;
    }
    r->label_use[r->n_label_use++] = (struct gx_label){label, instruction, site};
    return true;
}

/* name: .branchtargets a, b, c;  or  name: .callprototype …; */
static bool read_named_directive(gx_reader *r, const char *name, size_t n) {
    const char *word, *stop = memchr(r->at, ';', (size_t)(r->end - r->at));
    size_t m = gx_ptx_word(r, &word);
    gx_symbol *s, *label;
    if (!stop) return gx_ptx_fail(r, "unfinished", word, m);
    if (!gx_symbol_add(r, SYM_TARGETS, name, n, &s)) return false;
    if (!gx_ptx_is(word, m,
                   ".branchtargets")) { /* a prototype says nothing that the call does not */
        r->at = stop + 1;
        return true;
    }
    int most = 1;
    for (const char *p = r->at; p < stop; p++) most += *p == ',';
    s->site = gx_arena_alloc(r->arena, sizeof *s->site);
    if (!s->site) return false;
    s->site->targets = gx_arena_alloc(r->arena, sizeof(int32_t) * (size_t)most);
    if (!s->site->targets) return false;
    do {
        m = gx_ptx_word(r, &word);
        if (s->site->n_target == most || !gx_ptx_label(r, word, m, &label) ||
            !gx_label_use(r, label, ~s->site->n_target, s->site))
            return false;
        s->site->n_target++;
    } while (gx_ptx_accept(r, ','));
    return gx_ptx_expect(r, ';');
}

/* An instruction, whose opcode has been read. */
static bool read_instruction(gx_reader *r, gx_statement *s, const char *word, size_t n) {
    size_t dot = 0;
    while (dot < n && word[dot] != '.') dot++;
    if (dot == 0 || dot >= sizeof s->opcode)
        return gx_ptx_fail(r, "an instruction was expected", word, n);
    memcpy(s->opcode, word, dot);
    s->opcode[dot] = 0;
    s->text = word;
    s->n_modifier = 0;
    for (size_t at = dot; at < n;) {
        size_t from = ++at;
        while (at < n && word[at] != '.') at++;
        if (s->n_modifier == GX_MAX_MODIFIERS || at - from > 60)
            return gx_ptx_fail(r, "an instruction that is not simulated", word, n);
        if (at > from && word[from] == ':') from++;
        s->modifier[s->n_modifier] = word + from;
        s->modifier_length[s->n_modifier++] = (uint8_t)(at - from);
    }
    return gx_ptx_decode(r, s);
}

static bool read_directive(gx_reader *r, const char *word, size_t n) {
    const char *second = memchr(word + 1, '.', n - 1);
    if (second) { /* ".reg.b32": the next word begins without a blank */
        r->at = second;
        n = (size_t)(second - word);
    }
    if (gx_ptx_is(word, n, ".reg")) return add_registers(r);
    if (gx_ptx_is(word, n, ".loc")) return read_location(r);
    if (gx_ptx_is(word, n, ".local")) return add_local(r);
    if (gx_ptx_is(word, n, ".param")) return add_call_param(r);
    if (gx_ptx_is(word, n, ".shared")) {
        gx_declaration d;
        return gx_ptx_declaration(r, &d) && gx_ptx_add_shared(r, &d, false);
    }
    if (gx_ptx_is(word, n, ".pragma") || gx_ptx_is(word, n, ".file")) {
        static const char used[] = "used_bytes_mask ";
        const char *at = r->at;
        while (at < r->end && (*at == ' ' || *at == '"')) at++;
        if ((size_t)(r->end - at) > sizeof used && memcmp(at, used, sizeof used - 1) == 0) {
            gx_ptx_operand o = {0};
            r->at = at + sizeof used - 1;
            if (!gx_ptx_number(r, &o)) return false;
            r->used = (uint16_t)o.bits;
        }
        skip_line(r);
        return true;
    }
    return gx_ptx_fail(r, "a directive that is not simulated", word, n);
}

static bool read_guard(gx_reader *r, gx_statement *s) {
    s->guard = GX_NO_OPERAND;
    s->guard_not = false;
    if (!gx_ptx_accept(r, '@')) return true;
    s->guard_not = gx_ptx_accept(r, '!');
    gx_ptx_operand o = {0};
    gx_ptx_skip(r);
    const char *from = r->at;
    if (!gx_ptx_named(r, &o)) return false;
    if (o.kind != OPERAND_REGISTER || o.type != PT_PRED)
        return gx_ptx_fail(r, "a predicate was expected", from, (size_t)(r->at - from));
    s->guard = o.at;
    return true;
}

static bool read_body(gx_reader *r) {
    gx_statement *s = gx_alloc(r->rt, sizeof *s);
    if (!s) return false;
    bool ok = true;
    int depth = 1;
    r->scope = 1;
    while (ok && depth > 0) {
        gx_ptx_skip(r);
        if (r->at >= r->end) {
            ok = gx_ptx_fail(r, "unfinished function", r->fn->name, strlen(r->fn->name));
        } else if (*r->at == '{') {
            r->at++;
            depth++;
            r->scope++;
        } else if (*r->at == '}') {
            r->at++;
            depth--;
            r->scope--;
            if (depth) gx_symbols_leave(r, r->scope);
        } else if (*r->at == ';') {
            r->at++;
        } else if (!read_guard(r, s)) {
            ok = false;
        } else {
            const char *word;
            size_t n = gx_ptx_word(r, &word);
            gx_ptx_skip(r); /* a label's colon may stand apart */
            if (n == 0)
                ok = gx_ptx_fail(r, "an instruction was expected", r->at, 1);
            else if (*word == '.')
                ok = read_directive(r, word, n);
            else if (r->at < r->end && *r->at == ':' && (r->at + 1 >= r->end || r->at[1] != ':')) {
                r->at++;
                gx_ptx_skip(r);
                bool directive =
                    r->end - r->at >= 7 &&
                    (memcmp(r->at, ".branch", 7) == 0 || memcmp(r->at, ".callpr", 7) == 0);
                ok = directive ? read_named_directive(r, word, n) : place_label(r, word, n);
            } else {
                /* modifiers such as ::cta continue the word */
                while (r->at + 1 < r->end && r->at[0] == ':' && r->at[1] == ':') {
                    const char *more;
                    r->at += 2;
                    n += 2 + gx_ptx_word(r, &more);
                }
                ok = read_instruction(r, s, word, n);
            }
        }
    }
    gx_free(r->rt, s);
    return ok;
}

/* Labels are all known now: branches get their targets. A function ends by returning. */
static bool finish_function(gx_reader *r) {
    gx_ptx_fn *fn = r->fn;
    gx_statement end = {.guard = GX_NO_OPERAND, .text = fn->name, .opcode = "ret"};
    gx_ins *last;
    if (!gx_ptx_emit(r, &end, gx_alu_find("nothing"), &last)) return false;
    last->flow = fn->entry ? FLOW_EXIT : FLOW_RETURN;
    for (int k = 0; k < r->n_label_use; k++) {
        const struct gx_label *use = &r->label_use[k];
        int at = use->symbol->at;
        if (at < 0) return gx_ptx_fail(r, "unknown label", use->symbol->name, use->symbol->length);
        if (use->instruction < 0) {
            use->site->targets[~use->instruction] = at;
        } else {
            fn->code[use->instruction].target = at;
            fn->code[use->instruction].back = at <= use->instruction;
        }
    }
    fn->consts = r->consts;
    fn->const_bytes = r->const_bytes;
    fn->reg_bytes = r->regs;
    fn->param_bytes = gx_ptx_align_up(r->params, 16);
    r->consts = NULL;
    return true;
}

static void reset_function(gx_reader *r) {
    gx_free(r->rt, r->consts);
    gx_free(r->rt, r->const_table);
    r->consts = NULL;
    r->const_table = NULL;
    r->const_bytes = r->const_room = 0;
    r->const_count = r->const_size = 0;
    r->regs = r->params = 0;
    r->used = 0;
    r->n_label_use = 0;
    r->room = 0;
    r->line = 0;
    r->fn = NULL;
    gx_symbols_leave(r, 0);
    r->scope = 0;
}

/* `.visible .entry name(…) .maxntid … { … }`, `.func (…) name (…) ;` */
static bool read_function(gx_reader *r, bool entry) {
    gx_ptx_fn shape = {.shared_bytes = r->sim->shared_bytes, /* made before its name is known */
                       .shared_used = r->sim->shared_used};
    gx_symbol *s;
    const char *word;
    r->fn = &shape;
    r->scope = 1;
    gx_ptx_skip(r);
    if (r->at < r->end && *r->at == '(' && !read_params(r, false, true)) return false;
    size_t n = gx_ptx_word(r, &word);
    if (n == 0) return gx_ptx_fail(r, "a name was expected", r->at, 1);
    if (!find_function(r, word, n, &s)) return false;
    gx_ptx_skip(r);
    if (r->at < r->end && *r->at == '(' && !read_params(r, entry, false)) return false;
    for (;;) { /* .maxntid 256, 1, 1  .minnctapersm 2  .noreturn */
        gx_ptx_skip(r);
        if (r->at >= r->end || *r->at == ';' || *r->at == '{') break;
        n = gx_ptx_word(r, &word);
        int64_t value;
        if (n == 0)
            r->at++;
        else if (gx_ptx_is(word, n, ".maxntid") || gx_ptx_is(word, n, ".reqntid")) {
            if (!gx_ptx_integer(r, &value)) return false;
            shape.max_threads = (int)value;
            while (gx_ptx_accept(r, ',')) {
                if (!gx_ptx_integer(r, &value)) return false;
                shape.max_threads *= (int)value;
            }
        }
    }
    gx_ptx_fn *fn = &r->sim->fn[s->at];
    if (fn->code) return gx_ptx_fail(r, "a second definition of", fn->name, strlen(fn->name));
    fn->entry = entry;
    fn->result = shape.result;
    fn->n_param = shape.n_param;
    fn->max_threads = shape.max_threads;
    memcpy(fn->param, shape.param, sizeof fn->param);
    if (gx_ptx_accept(r, ';')) {
        reset_function(r);
        return true;
    }
    if (!gx_ptx_expect(r, '{')) return false;
    shape.name = fn->name;
    shape.entry = entry;
    bool ok = read_body(r) && finish_function(r);
    fn = &r->sim->fn[s->at]; /* calls of new functions may have moved it */
    shape.defined = ok;
    *fn = shape; /* owns its code, also when it is not whole */
    reset_function(r);
    return ok;
}

static bool read_top(gx_reader *r) {
    const char *word;
    bool external = false;
    for (;;) {
        size_t n = gx_ptx_word(r, &word);
        if (n == 0) {
            gx_ptx_skip(r);
            if (r->at >= r->end) return true;
            if (*r->at == ';' || *r->at == '}' || *r->at == '{' || *r->at == ',') {
                r->at++;
                return true;
            }
            return gx_ptx_fail(r, "unexpected text", r->at, 10);
        }
        if (gx_ptx_is(word, n, ".visible") || gx_ptx_is(word, n, ".weak") ||
            gx_ptx_is(word, n, ".common"))
            continue;
        if (gx_ptx_is(word, n, ".extern")) {
            external = true;
            continue;
        }
        if (gx_ptx_is(word, n, ".entry")) return read_function(r, true);
        if (gx_ptx_is(word, n, ".func")) return read_function(r, false);
        if (gx_ptx_is(word, n, ".section")) {
            const char *close = memchr(r->at, '}', (size_t)(r->end - r->at));
            r->at = close ? close + 1 : r->end;
            return true;
        }
        bool constant = gx_ptx_is(word, n, ".const"), global = gx_ptx_is(word, n, ".global");
        if (constant || global || gx_ptx_is(word, n, ".shared")) {
            gx_declaration d;
            if (!gx_ptx_declaration(r, &d)) return false;
            if (!constant && !global) return gx_ptx_add_shared(r, &d, external);
            return gx_ptx_add_variable(r, &d, constant, external);
        }
        /* .version .target .address_size .file .loc .pragma and what else says nothing of code */
        skip_line(r);
        return true;
    }
}

bool gx_ptx_read(gx_sim *sim, const struct gx_ptx_opcodes *others, const char *text,
                 size_t length) {
    while (length && text[length - 1] == 0) length--;
    gx_arena *arena = (gx_arena *)(void *)sim->text;
    gx_reader r = {
        .rt = sim->rt, .sim = sim, .others = others, .start = text, .at = text,
        .end = text + length, .arena = arena};
    bool ok = true;
    while (ok) {
        gx_ptx_skip(&r);
        if (r.at >= r.end) break;
        ok = read_top(&r);
    }
    gx_free(sim->rt, r.consts);
    gx_free(sim->rt, r.const_table);
    gx_free(sim->rt, r.label_use);
    gx_free(sim->rt, r.table);
    return ok;
}
