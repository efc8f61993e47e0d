/* numpy.einsum: sums of products by subscripts. Operands are contracted two at a time, the pair
   next whose result is smallest beside what it replaces, each pair as one batched matrix product,
   or a product of elements where nothing is summed. Subscripts are text, or lists of numbers beside
   the operands; `...` stands for further axes, which are broadcast. */
#include <ctype.h>
#include <string.h>

#include "stdlib/numpy/base/scope.h"

extern const gx_native gx_np_einsum_functions[];

/* Letters are labels 0 … 51; the axes of an ellipsis are 52 … 63, the last axis 63. */
enum { LETTERS = 52, LABELS = 64, ELLIPSIS = 127 };

typedef struct term {
    gx_array *a;
    int n;
    int8_t label[LABELS];
} term;

static uint64_t bit(int label) {
    return UINT64_C(1) << label;
}

static uint64_t labels_of(const term *t) {
    uint64_t all = 0;
    for (int i = 0; i < t->n; i++) all |= bit(t->label[i]);
    return all;
}

static int find(const term *t, int label) {
    for (int i = 0; i < t->n; i++)
        if (t->label[i] == label) return i;
    return -1;
}

/* One operand's subscripts up to a comma, an arrow or the end. */
static bool read_term(gx_rt *rt, const char **text, term *t) {
    const char *p = *text;
    t->n = 0;
    for (; *p && *p != ',' && strncmp(p, "->", 2) != 0; p++) {
        if (*p == ' ') continue;
        if (t->n >= LABELS - 1)
            return gx_fail(rt, GX_ValueError, "einsum.subscripts", "too many subscripts");
        if (strncmp(p, "...", 3) == 0) {
            if (find(t, ELLIPSIS) >= 0)
                return gx_fail(rt, GX_ValueError, "einsum.ellipsis",
                               "an operand's subscripts have one '...' at most");
            t->label[t->n++] = ELLIPSIS;
            p += 2;
        } else if (isalpha((unsigned char)*p)) {
            t->label[t->n++] = (int8_t)(isupper((unsigned char)*p) ? *p - 'A' : *p - 'a' + 26);
        } else
            return gx_fail(
                rt, GX_ValueError, "einsum.subscripts",
                "invalid subscript '%c' in einstein sum subscripts string, subscripts must "
                "be letters",
                *p);
    }
    *text = p;
    return true;
}

/* An ellipsis in a term becomes labels for `axes` axes. */
static bool expand(gx_rt *rt, term *t, int axes) {
    int at = -1;
    for (int i = 0; i < t->n; i++)
        if (t->label[i] == ELLIPSIS) at = i;
    if (at < 0) return true;
    if (axes < 0 || axes > LABELS - LETTERS || t->n + axes > LABELS)
        return gx_fail(rt, GX_ValueError, "einsum.ellipsis",
                       "an operand has too few or too many axes");
    memmove(t->label + at + axes, t->label + at + 1, (size_t)(t->n - at - 1));
    for (int i = 0; i < axes; i++) t->label[at + i] = (int8_t)(LABELS - axes + i);
    t->n += axes - 1;
    return true;
}

/* A label twice in one operand: its diagonal. */
static bool take_diagonals(gx_np *s, term *t) {
    for (int i = 0; i < t->n; i++)
        for (int k = i + 1; k < t->n; k++) {
            if (t->label[i] != t->label[k]) continue;
            gx_array *d = NULL;
            if (gx_shape(t->a)[i] != gx_shape(t->a)[k])
                return gx_fail(
                    s->rt, GX_ValueError, "einsum.shape",
                    "dimensions in single operand for collapsing index don't match (%lld "
                    "!= %lld)",
                    (long long)gx_shape(t->a)[i], (long long)gx_shape(t->a)[k]);
            const uint8_t locked = t->a->flags & GX_ARRAY_READONLY;
            if (!gx_diagonal(s->rt, t->a, 0, i, k, &d) || !(t->a = gx_np_own(s, d))) return false;
            d->flags = (uint8_t)((d->flags & ~GX_ARRAY_READONLY) | locked);
            int8_t label = t->label[i];
            memmove(t->label + k, t->label + k + 1, (size_t)(t->n - k - 1));
            memmove(t->label + i, t->label + i + 1, (size_t)(t->n - i - 2));
            t->n--;
            t->label[t->n - 1] = label;
            i = -1;
            break;
        }
    return true;
}

/* Sizes by label; axes of size 1 beside a larger one are dropped: they broadcast. */
static bool agree_sizes(gx_np *s, int n, term *t, int64_t size[LABELS]) {
    for (int l = 0; l < LABELS; l++) size[l] = 1;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < t[k].n; i++) {
            int64_t d = gx_shape(t[k].a)[i], *have = &size[(int)t[k].label[i]];
            if (*have == 1)
                *have = d;
            else if (d != 1 && d != *have)
                return gx_fail(
                    s->rt, GX_ValueError, "einsum.shape",
                    "operands could not be broadcast together: a subscript has sizes %lld "
                    "and %lld",
                    (long long)*have, (long long)d);
        }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < t[k].n; i++) {
            if (gx_shape(t[k].a)[i] != 1 || size[(int)t[k].label[i]] == 1) continue;
            t[k].a = gx_np_squeeze(s, t[k].a, bit(i));
            if (!t[k].a) return false;
            memmove(t[k].label + i, t[k].label + i + 1, (size_t)(t[k].n - i - 1));
            t[k].n--;
            i--;
        }
    return true;
}

/* NumPy's sums start at 0, so that none is -0. */
static gx_array *from_zero(gx_np *s, gx_array *a) {
    if (!a || !gx_np_is_float(a->dtype)) return a;
    return gx_np_op2(s, GX_OP_add, a, gx_np_weak_int(s, (gx_dtype)a->dtype, 0));
}

/* Sums away the labels of t that are not in keep. */
static bool sum_away(gx_np *s, term *t, uint64_t keep) {
    uint64_t mask = 0;
    int n = 0;
    for (int i = 0; i < t->n; i++) {
        if (keep & bit(t->label[i]))
            t->label[n++] = t->label[i];
        else
            mask |= bit(i);
    }
    t->n = n;
    if (!mask) return true;
    const gx_dtype d = (gx_dtype)t->a->dtype;
    t->a = from_zero(
        s, gx_np_reduce(s, d == GX_bool ? GX_RED_any : GX_RED_sum, t->a, mask, false, d));
    return t->a != NULL;
}

/* The axes with labels in the given sets, in this order, each set merged into one axis. */
static gx_array *arranged(gx_np *s, const term *t, const uint64_t sets[3],
                          const int64_t size[LABELS]) {
    int perm[LABELS], n = 0;
    int64_t shape[3] = {1, 1, 1};
    gx_array *r = NULL;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < LABELS; l++) {
            if (!(sets[k] & bit(l))) continue;
            perm[n++] = find(t, l);
            shape[k] *= size[l];
        }
    if (!gx_transpose(s->rt, t->a, perm, &r)) return NULL;
    return gx_np_reshape(s, gx_np_own(s, r), 3, shape);
}

/* The product of two operands arranged as batch, left, inner and batch, inner, right. */
static gx_array *product(gx_np *s, const term *a, const term *b, const uint64_t sa[3],
                         const uint64_t sb[3], const int64_t size[LABELS]) {
    const uint64_t inner = sa[2];
    gx_array *left = arranged(s, a, sa, size);
    if (!inner || sa[1] || sb[2] || !sa[0] || !left || left->dtype == GX_bool) {
        gx_array *right = arranged(s, b, sb, size);
        return inner ? gx_np_matmul(s, left, right)
                     : from_zero(s, gx_np_op2(s, GX_OP_multiply, left, right));
    }
    /* Many dot products: one pass over both. */
    const uint64_t as_left[3] = {sb[0], 0, inner};
    gx_array *both = gx_np_op2(s, GX_OP_multiply, left, arranged(s, b, as_left, size));
    return from_zero(s, gx_np_reduce(s, GX_RED_sum, both, 4, false, (gx_dtype)left->dtype));
}

/* a becomes the product of a and b, with the labels in keep. */
static bool contract(gx_np *s, term *a, term *b, uint64_t keep, const int64_t size[LABELS]) {
    uint64_t x = labels_of(a), y = labels_of(b);
    if (!sum_away(s, a, keep | y) || !sum_away(s, b, keep | x)) return false;
    x = labels_of(a);
    y = labels_of(b);
    const uint64_t both = x & y, batch = both & keep, inner = both & ~keep;
    const uint64_t sa[3] = {batch, x & ~y, inner}, sb[3] = {batch, inner, y & ~x};
    gx_array *r = product(s, a, b, sa, sb, size);
    const uint64_t out[3] = {batch, x & ~y, y & ~x};
    int64_t shape[LABELS];
    a->n = 0;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < LABELS; l++)
            if (out[k] & bit(l)) {
                shape[a->n] = size[l];
                a->label[a->n++] = (int8_t)l;
            }
    a->a = gx_np_reshape(s, r, a->n, shape);
    return a->a != NULL;
}

/* Without an arrow: the labels that occur once, in alphabetical order, after the ellipsis. */
static void implicit_output(int n, const term *t, term *out) {
    int count[LABELS] = {0};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < t[k].n; i++) count[(int)t[k].label[i]]++;
    out->n = 0;
    for (int l = LETTERS; l < LABELS; l++)
        if (count[l]) out->label[out->n++] = (int8_t)l;
    for (int l = 0; l < LETTERS; l++)
        if (count[l] == 1) out->label[out->n++] = (int8_t)l;
}

static bool distinct(gx_rt *rt, const term *out) {
    for (int i = 0; i < out->n; i++)
        if (find(out, out->label[i]) != i)
            return gx_fail(rt, GX_ValueError, "einsum.output",
                           "einstein sum subscripts string includes an output subscript multiple "
                           "times");
    return true;
}

static bool parse(gx_np *s, const char *text, int n, term *t, term *out) {
    gx_rt *rt = s->rt;
    int widest = 0;
    for (int k = 0; k < n; k++) {
        if (!read_term(rt, &text, &t[k])) return false;
        int plain = 0;
        bool dots = false;
        for (int i = 0; i < t[k].n; i++) {
            plain += t[k].label[i] != ELLIPSIS;
            dots = dots || t[k].label[i] == ELLIPSIS;
        }
        int rest = t[k].a->ndim - plain;
        if (rest < 0 || (rest > 0 && !dots))
            return gx_fail(
                rt, GX_ValueError, "einsum.subscripts",
                "einstein sum subscripts string has %d subscripts for operand %d, which has "
                "%d axes",
                plain, k, t[k].a->ndim);
        widest = rest > widest ? rest : widest;
        if (!expand(rt, &t[k], rest)) return false;
        if (k < n - 1 && *text++ != ',')
            return gx_fail(rt, GX_ValueError, "einsum.subscripts",
                           "more operands provided to einstein sum function than specified in the "
                           "subscripts string");
    }
    if (*text == ',')
        return gx_fail(rt, GX_ValueError, "einsum.subscripts",
                       "fewer operands provided to einstein sum function than specified in the "
                       "subscripts string");
    if (!*text) {
        implicit_output(n, t, out);
        return true;
    }
    text += 2;
    if (!read_term(rt, &text, out)) return false;
    if (*text)
        return gx_fail(rt, GX_ValueError, "einsum.subscripts",
                       "the output of einstein sum subscripts is one term, without '%c'", *text);
    if (widest > 0 && find(out, ELLIPSIS) < 0)
        return gx_fail(rt, GX_ValueError, "einsum.output",
                       "output subscripts must contain '...': %d axes of an operand are in its own",
                       widest);
    return expand(rt, out, widest) && distinct(rt, out);
}

static double size_of(uint64_t labels, const int64_t size[LABELS]) {
    double n = 1;
    for (int l = 0; l < LABELS; l++)
        if (labels & bit(l)) n *= (double)size[l];
    return n;
}

/* The pair to contract next. */
static void best_pair(int n, const term *t, uint64_t wanted, const int64_t size[LABELS], int *first,
                      int *second) {
    double least = 0;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            const uint64_t x = labels_of(&t[i]), y = labels_of(&t[k]);
            uint64_t keep = wanted;
            for (int m = 0; m < n; m++)
                if (m != i && m != k) keep |= labels_of(&t[m]);
            const double gain =
                size_of((x | y) & keep, size) - size_of(x, size) - size_of(y, size);
            if ((i || k > 1) && !(gain < least)) continue;
            least = gain;
            *first = i;
            *second = k;
        }
}

/* The memory order of a sum's result: that of one elementwise walk over the axes of the result and
   those that are summed. */
static void walk_order(gx_np *s, int n, const term *t, const term *out, int *order) {
    const uint64_t wanted = labels_of(out);
    int8_t label[LABELS];
    int axes = 0, sorted[LABELS], at = 0;
    const int64_t **strides = gx_np_room(s, n, sizeof *strides);
    int64_t(*over)[LABELS] = gx_np_room(s, n, sizeof *over);
    uint64_t seen = wanted;
    for (int i = 0; i < out->n; i++) order[i] = i;
    if (!strides || !over) return;
    for (int i = 0; i < out->n; i++) label[axes++] = out->label[i];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < t[k].n; i++) {
            if (!(seen & bit(t[k].label[i]))) label[axes++] = t[k].label[i];
            seen |= bit(t[k].label[i]);
        }
    for (int k = 0; k < n; k++) {
        strides[k] = over[k];
        for (int i = 0; i < axes; i++) {
            const int p = find(&t[k], label[i]);
            over[k][i] = p < 0 || gx_shape(t[k].a)[p] == 1 ? 0 : gx_strides(t[k].a)[p];
        }
    }
    gx_order_of_operands(axes, n, strides, sorted);
    for (int i = 0; i < axes; i++)
        if (sorted[i] < out->n) order[at++] = sorted[i];
}

static gx_array *evaluate(gx_np *s, int n, term *t, const term *out) {
    int64_t size[LABELS];
    int order[LABELS];
    bool view;
    uint64_t wanted = labels_of(out), all = 0;
    for (int k = 0; k < n; k++) {
        all |= labels_of(&t[k]);
        if (!take_diagonals(s, &t[k])) return NULL;
    }
    if (wanted & ~all) {
        gx_fail(
            s->rt, GX_ValueError, "einsum.output",
            "einstein sum subscripts string included output subscripts which never appeared in an "
            "input");
        return NULL;
    }
    if (!agree_sizes(s, n, t, size)) return NULL;
    walk_order(s, n, t, out, order);
    view = n == 1 && all == wanted;
    for (; n > 1; n--) {
        int i = 0, k = 1;
        uint64_t keep = wanted;
        if (n > 2) best_pair(n, t, wanted, size, &i, &k);
        for (int m = 0; m < n; m++)
            if (m != i && m != k) keep |= labels_of(&t[m]);
        if (!contract(s, &t[i], &t[k], keep, size)) return NULL;
        t[k] = t[n - 1];
    }
    if (!sum_away(s, &t[0], wanted)) return NULL;
    int perm[LABELS];
    int64_t shape[LABELS];
    gx_array *r = NULL;
    for (int i = 0, at = 0; i < out->n; i++) {
        int p = find(&t[0], out->label[i]);
        shape[i] = size[(int)out->label[i]];
        if (p >= 0) perm[at++] = p;
    }
    if (!gx_transpose(s->rt, t[0].a, perm, &r)) return NULL;
    r = gx_np_reshape(s, gx_np_own(s, r), out->n, shape);
    return view ? r : gx_np_laid_in(s, r, order);
}

/* --- the call --- */

/* A list of subscripts, numbers below 52 and Ellipsis, becomes text. */
static bool list_text(gx_np *s, gx_borrowed v, gx_buf *out) {
    gx_value items;
    if (!gx_tuple_of(s->rt, v, &items) || !gx_np_hold(s, items)) return false;
    const gx_tuple *t = gx_as_tuple(items);
    for (int64_t i = 0; i < t->count; i++) {
        int64_t label;
        if (t->items[i].tag == GX_ELLIPSIS) {
            if (!gx_buf_puts(out, "...")) return false;
            continue;
        }
        gx_try is = gx_as_index(s->rt, t->items[i], &label);
        if (is == GX_TRY_ERROR) return false;
        if (is == GX_TRY_NO)
            return gx_fail(s->rt, GX_TypeError, "einsum.subscripts",
                           "each subscript must be either an integer or an ellipsis");
        if (label < 0 || label >= LETTERS)
            return gx_fail(s->rt, GX_ValueError, "einsum.subscripts",
                           "subscript is not within the valid range [0, 52)");
        const char letter = (char)(label < 26 ? 'A' + label : 'a' + label - 26);
        if (!gx_buf_char(out, letter)) return false;
    }
    return true;
}

/* einsum(a, [0, 1], b, [1, 2], [0, 2]): text and operands. */
static bool read_lists(gx_np *s, gx_borrowed first, const gx_tuple *rest, gx_buf *text,
                       gx_borrowed *operands, int *n) {
    *n = 0;
    for (int64_t i = 0; i < rest->count; i += 2) {
        operands[(*n)++] = i ? rest->items[i - 1] : first;
        if ((i && !gx_buf_puts(text, ",")) || !list_text(s, rest->items[i], text)) return false;
    }
    if (rest->count % 2 == 1) return true;
    return gx_buf_puts(text, "->") && list_text(s, rest->items[rest->count - 1], text);
}

/* As NumPy promotes several: those of the highest kind first. */
static gx_dtype common_dtype(int n, const term *t) {
    gx_dtype common = GX_NO_DTYPE;
    for (int kind = GX_KIND_CPLX; kind >= 0; kind--)
        for (int k = 0; k < n; k++) {
            const gx_dtype d = (gx_dtype)t[k].a->dtype;
            if ((int)gx_dtype_kind(d) == kind)
                common = common == GX_NO_DTYPE ? d : gx_promote(common, d);
        }
    return common;
}

/* The operands as arrays of the dtype the sum is in. */
static bool read_operands(gx_np *s, gx_call *c, int n, const gx_borrowed *operands, term *t) {
    static const struct {
        const char *name;
        gx_casting rule;
    } rules[] = {{"no", GX_CAST_NO},
                 {"equiv", GX_CAST_EQUIV},
                 {"safe", GX_CAST_SAFE},
                 {"same_kind", GX_CAST_SAME_KIND},
                 {"unsafe", GX_CAST_UNSAFE}};
    gx_dtype asked, common = GX_NO_DTYPE;
    gx_casting rule = GX_CAST_SAFE;
    const char *name;
    size_t length;
    char order = 'K';
    bool known = false;
    if (!gx_np_dtype_arg(c, 3, &asked) || !gx_np_order_arg(c, 4, &order) ||
        !gx_arg_str(c, 5, &name, &length))
        return false;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, name) == 0) {
            rule = rules[i].rule;
            known = true;
        }
    if (!known)
        return gx_fail(c->rt, GX_ValueError, "einsum.casting",
                       "casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' "
                       "(got '%s')",
                       name);
    for (int k = 0; k < n; k++) {
        if (!(t[k].a = gx_np_arr(s, operands[k]))) return false;
        if (asked != GX_NO_DTYPE && !gx_can_cast((gx_dtype)t[k].a->dtype, asked, rule))
            return gx_fail(c->rt, GX_TypeError, "einsum.casting",
                           "operand %d could not be cast from dtype('%s') to dtype('%s') "
                           "according to the rule '%s'",
                           k, gx_dtypes[t[k].a->dtype].name, gx_dtypes[asked].name, name);
    }
    common = asked != GX_NO_DTYPE ? asked : common_dtype(n, t);
    for (int k = 0; k < n; k++)
        if (!(t[k].a = gx_np_cast(s, t[k].a, common))) return false;
    return true;
}

/* optimize=: the order of the products is gx's own, whatever path is given. */
static bool path_arg(gx_call *c, int i) {
    const gx_value *items;
    const int64_t n = gx_sequence_items(c->argv[i], &items);
    const bool path = n < 0 ? !gx_is_array(c->argv[i]) : n > 0 && items[0].tag == GX_STR;
    return path ||
           gx_arg_wrong(c, i, "a bool, the name of a strategy, or a path of einsum_path");
}

static bool einsum_text(gx_np *s, gx_call *c, gx_buf *text, gx_value *out) {
    gx_tuple *rest = gx_as_tuple(c->argv[1]);
    gx_borrowed *operands = gx_np_room(s, rest->count + 1, sizeof *operands);
    int n = (int)rest->count;
    const char *given = NULL;
    size_t length;
    if (!operands || !path_arg(c, 6)) return gx_np_end(s, false);
    if (c->argv[0].tag == GX_STR) {
        if (!gx_arg_str(c, 0, &given, &length)) return gx_np_end(s, false);
        memcpy(operands, rest->items, (size_t)n * sizeof *operands);
    } else if (!read_lists(s, c->argv[0], rest, text, operands, &n) || !gx_buf_char(text, 0))
        return gx_np_end(s, false);
    if (n == 0)
        return gx_np_end(s, gx_fail(c->rt, GX_ValueError, "einsum.operands",
                                    "einsum needs subscripts and at least one operand"));
    term result = {.n = 0}, *t = gx_np_room(s, n + 1, sizeof *t);
    if (!t || !read_operands(s, c, n, operands, t) ||
        !parse(s, given ? given : text->data, n, t, &result))
        return gx_np_end(s, false);
    gx_array *r = evaluate(s, n, t, &result);
    char order = 'K';
    if (!gx_np_order_arg(c, 4, &order)) return gx_np_end(s, false);
    if (r && (order == 'C' || order == 'F') && !gx_array_is_contiguous(r, order))
        r = gx_np_copy(s, r, order);
    return gx_np_give_out(s, r, c->argv[2], out);
}

static bool einsum_fn(gx_call *c, gx_value *out) {
    gx_np s = gx_np_begin(c);
    gx_buf text = gx_buf_new(c->rt);
    bool ok = einsum_text(&s, c, &text, out);
    gx_buf_free(&text);
    return ok;
}

const gx_native gx_np_einsum_functions[] = {
    {"einsum",
     "einsum(subscripts, /, *operands, out=None, dtype=None, order='K', casting='safe', "
     "optimize=False)",
     "Einstein summation: multiplies and sums operands as subscripts such as 'ij,jk->ik' say.",
     "einsum('ij,j', [[1, 2], [3, 4]], [1, 1])  # [3 7]", einsum_fn, 0, 0},
    {.name = NULL},
};
