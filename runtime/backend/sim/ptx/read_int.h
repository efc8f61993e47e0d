/* What the files that read PTX share: the text being read, names, and the function being built. */
#ifndef GX_RUNTIME_BACKEND_SIM_PTX_READ_INT_H
#define GX_RUNTIME_BACKEND_SIM_PTX_READ_INT_H

#include <string.h>

#include "runtime/backend/sim/sim_int.h"
#include "runtime/base/arena.h"

typedef enum gx_symbol_kind {
    SYM_REGISTER,
    SYM_RANGE, /* .reg .b32 %r<10>: name is the prefix */
    SYM_PARAM, /* .param of a function, or of a call */
    SYM_ENTRY_PARAM,
    SYM_LOCAL,
    SYM_SHARED,
    SYM_VARIABLE, /* .global, .const */
    SYM_FUNCTION,
    SYM_LABEL,
    SYM_TARGETS
} gx_symbol_kind;

typedef struct gx_symbol {
    const char *name;
    uint32_t length, hash;
    uint8_t kind, type; /* gx_symbol_kind, gx_ptx_type */
    int32_t at;         /* register or memory offset; function, variable, label: its number */
    int32_t bytes, count;
    int scope;                 /* depth of the braces it was declared in */
    struct gx_call_site *site; /* SYM_TARGETS of a branch */
    struct gx_symbol *next;
} gx_symbol;

typedef enum gx_operand_kind {
    OPERAND_REGISTER,
    OPERAND_SPECIAL,
    OPERAND_NUMBER,  /* bits */
    OPERAND_FLOAT,   /* bits of a float (type PT_F32) or a double */
    OPERAND_ADDRESS, /* [symbol or register + bits] */
    OPERAND_SYMBOL,
    OPERAND_VECTOR, /* its parts follow */
    OPERAND_SINK    /* _ */
} gx_operand_kind;

typedef struct gx_ptx_operand {
    uint8_t kind, type; /* gx_operand_kind, gx_ptx_type of a register */
    uint8_t parts;      /* of a vector */
    bool not ;          /* !p */
    int32_t at;         /* register offset, special */
    int64_t bits;
    const gx_symbol *symbol;
    int32_t second; /* p|q: q's offset, else GX_NO_OPERAND */
} gx_ptx_operand;

enum { GX_MAX_OPERANDS = 48, GX_MAX_MODIFIERS = 16 };

/* One instruction as written. */
typedef struct gx_statement {
    const char *text; /* of the opcode, for messages */
    char opcode[32];
    const char *modifier[GX_MAX_MODIFIERS];
    uint8_t modifier_length[GX_MAX_MODIFIERS];
    int n_modifier;
    gx_ptx_operand operand[GX_MAX_OPERANDS];
    int n_operand;
    int32_t guard;
    bool guard_not;
} gx_statement;

typedef struct gx_reader gx_reader;
typedef struct gx_ptx_opcode {
    const char *name;
    bool (*decode)(gx_reader *r, const gx_statement *s);
} gx_ptx_opcode;
/* The opcodes that the simulator decodes outside of ptx/, in the order of the alphabet. */
struct gx_ptx_opcodes {
    int n;
    const gx_ptx_opcode *rows;
};

struct gx_reader {
    gx_rt *rt;
    gx_sim *sim;
    const struct gx_ptx_opcodes *others;
    const char *start, *at, *end;
    gx_arena *arena;
    gx_symbol **table; /* by hash */
    uint32_t table_size, symbols;
    int scope;
    /* the function being read */
    gx_ptx_fn *fn;
    int room;     /* instructions */
    int32_t regs; /* bytes of registers so far */
    char *consts;
    int32_t const_bytes, const_room;
    struct gx_const_entry *const_table;
    int const_count, const_size;
    int32_t params; /* bytes of .param space */
    struct gx_label {
        const gx_symbol *symbol;
        int instruction; /* waits for it; < 0: ~ of a site's target */
        struct gx_call_site *site;
    } * label_use;
    int n_label_use, room_label_use;
    uint32_t line;
    uint16_t file, used; /* used: of a pragma, for the next load */
    /* the last places that were inlined, and where: the callers of their callers */
    struct gx_inlined {
        int64_t place[3], at[3]; /* file, line, column */
    } inlined[32];
    int n_inlined;
    bool refused; /* the pending error is that an instruction is not simulated */
};

typedef struct gx_declaration {
    const char *name;
    size_t length;
    gx_ptx_type type;
    int64_t align, count; /* elements; 0: [] */
    bool array;
} gx_declaration;

static inline bool gx_ptx_is(const char *word, size_t n, const char *text) {
    return strlen(text) == n && memcmp(word, text, n) == 0;
}
static inline int32_t gx_ptx_align_up(int64_t at, int64_t align) {
    return (int32_t)((at + align - 1) / align * align);
}

/* --- variable.c --- */
GX_CHECK bool gx_ptx_integer(gx_reader *r, int64_t *out);
/* A declaration up to its name and size. */
GX_CHECK bool gx_ptx_declaration(gx_reader *r, gx_declaration *d);
/* The rest of one in .global or .const, values included; in .shared. */
GX_CHECK bool gx_ptx_add_variable(gx_reader *r, const gx_declaration *d, bool constant,
                                  bool external);
GX_CHECK bool gx_ptx_add_shared(gx_reader *r, const gx_declaration *d, bool external);

/* Notes that the function uses it. */
void gx_ptx_use_shared(gx_reader *r, const gx_symbol *s);

/* --- text.c --- */
/* RuntimeError [sim.ptx] with the PTX line; always false. */
bool gx_ptx_fail(gx_reader *r, const char *what, const char *text, size_t length);
void gx_ptx_skip(gx_reader *r); /* blanks and comments */
bool gx_ptx_accept(gx_reader *r, char c);
GX_CHECK bool gx_ptx_expect(gx_reader *r, char c);
/* A word: letters, digits, _ $ % . */
size_t gx_ptx_word(gx_reader *r, const char **word);
GX_CHECK bool gx_ptx_number(gx_reader *r, gx_ptx_operand *out);
gx_symbol *gx_symbol_find(gx_reader *r, const char *name, size_t length);
GX_CHECK bool gx_symbol_add(gx_reader *r, gx_symbol_kind kind, const char *name, size_t length,
                            gx_symbol **out);
void gx_symbols_leave(gx_reader *r, int scope); /* forgets those declared deeper */
gx_ptx_type gx_ptx_type_of(const char *text, size_t length);

/* --- read.c --- */
/* The instruction (or, with a site, entry ~instruction of its table) goes to that label. */
GX_CHECK bool gx_label_use(gx_reader *r, const gx_symbol *label, int instruction,
                           gx_call_site *site);

/* --- operand.c --- */
/* One operand that is a name. */
GX_CHECK bool gx_ptx_named(gx_reader *r, gx_ptx_operand *out);
/* The label of that name, which may stand ahead. */
GX_CHECK bool gx_ptx_label(gx_reader *r, const char *word, size_t n, gx_symbol **out);
GX_CHECK bool gx_ptx_operands(gx_reader *r, gx_statement *s);
/* Offset of a register of `type`'s width for a temporary. */
int32_t gx_ptx_temporary(gx_reader *r, gx_ptx_type type);
int32_t gx_ptx_register_bytes(gx_ptx_type type); /* of its 32 lanes */
/* A source operand as an offset, of the width of `type`. */
GX_CHECK bool gx_ptx_source(gx_reader *r, const gx_statement *s, const gx_ptx_operand *o,
                            gx_ptx_type type, int32_t *out);
/* May a result of `type` be written to it? A predicate only to a predicate, a number to a number's
   register of any width; _ takes all. */
bool gx_ptx_writable(const gx_ptx_operand *o, gx_ptx_type type);
/* Where a result of `type` is written: a register of that width, or for _ a temporary. */
GX_CHECK bool gx_ptx_result(gx_reader *r, const gx_statement *s, const gx_ptx_operand *o,
                            gx_ptx_type type, int32_t *at);
GX_CHECK bool gx_ptx_constant(gx_reader *r, int width, uint64_t bits, int32_t *out);

/* --- decode.c --- */
GX_CHECK bool gx_ptx_decode(gx_reader *r, gx_statement *s);
/* A new instruction at the end of the function, guarded as s is. */
GX_CHECK bool gx_ptx_emit(gx_reader *r, const gx_statement *s, gx_ins_fn fn, gx_ins **out);
/* The same by the name of a lane operation, with its operands. */
GX_CHECK bool gx_ptx_lane(gx_reader *r, const gx_statement *s, const char *name, int32_t d,
                          int32_t a, int32_t b, int32_t c, gx_ins **out);
bool gx_statement_has(const gx_statement *s, const char *modifier);

#endif
