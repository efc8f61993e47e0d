/* imread and imwrite: pictures as arrays of shape (rows, columns) or (rows, columns, channels). The
   formats are in image_*.c. What is read is uint8, or uint16 where the file has 16 bits a number.
 */
#include <string.h>
#include <strings.h>

#include "stdlib/io/image.h"
#include "stdlib/io/npz_int.h"
#include "stdlib/numpy/base/scope.h"
#include "stdlib/stdlib.h"

extern const gx_native gx_image_functions[];

static bool read_picture(gx_rt *rt, gx_borrowed file, gx_image *out) {
    gx_infile f;
    gx_buf bytes = gx_buf_new(rt);
    if (!gx_infile_open(rt, file, &f)) return false;
    bool ok = gx_infile_rest(&f, &bytes);
    const uint8_t *data = (const uint8_t *)bytes.data;
    if (ok && bytes.length > 1 && data[0] == 'P')
        ok = gx_pnm_read(rt, f.name, data, bytes.length, out);
    else if (ok && bytes.length > 1 && data[0] == 0x89)
        ok = gx_png_read(rt, f.name, data, bytes.length, out);
    else if (ok)
        ok =
            gx_fail(rt, GX_ValueError, "image.format",
                    "'%s' is neither PNG nor PBM, PGM or PPM, which are what imread reads", f.name);
    gx_infile_close(&f);
    gx_buf_free(&bytes);
    return ok;
}

static bool imread_fn(gx_call *c, gx_value *out) {
    gx_image p;
    gx_np s = gx_np_begin(c);
    if (!read_picture(c->rt, c->argv[0], &p)) return gx_np_end(&s, false);
    const int64_t shape[3] = {p.height, p.width, p.channels};
    gx_array *a = gx_np_empty(&s, p.bits == 16 ? GX_u16 : GX_u8, p.channels > 1 ? 3 : 2, shape);
    void *to = gx_np_data_write(&s, a);
    if (to) memcpy(to, p.pixels, (size_t)(a->count * gx_dtype_size(a->dtype)));
    gx_free(c->rt, p.pixels);
    return gx_np_give_array(&s, to ? a : NULL, out);
}

/* What can be written: bytes as they are; bools are black and white, floats 0 … 1. */
static gx_array *as_numbers(gx_np *s, gx_array *a) {
    if (!a || a->dtype == GX_u8 || a->dtype == GX_u16) return gx_np_contiguous(s, a);
    gx_dkind kind = gx_dtype_kind(a->dtype);
    if (kind != GX_KIND_FLOAT && kind != GX_KIND_BOOL) {
        gx_fail(s->rt, GX_TypeError, "image.dtype",
                "imwrite takes uint8, uint16, bool, or floats from 0 to 1, not %s",
                gx_dtypes[a->dtype].name);
        if (kind == GX_KIND_INT || kind == GX_KIND_UINT) (void)gx_help(s->rt, "a.astype(uint8)");
        return NULL;
    }
    gx_array *x = gx_np_cast(s, a, GX_f64), *zero = gx_np_f64(s, 0);
    x = gx_np_op2(s, GX_OP_fmin, gx_np_op2(s, GX_OP_fmax, x, zero), gx_np_f64(s, 1));
    x = gx_np_op2(s, GX_OP_multiply, x, gx_np_f64(s, 255));
    return gx_np_contiguous(s, gx_np_cast(s, gx_np_op1(s, GX_OP_rint, x), GX_u8));
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcasecmp(text + n - m, end) == 0;
}

static bool write_picture(gx_call *c, const gx_image *p, bool png) {
    gx_outfile f;
    gx_buf bytes = gx_buf_new(c->rt);
    bool ok = png ? gx_png_write(c->rt, p->pixels, (int)p->width, (int)p->height, p->channels, 0,
                                 true, &bytes)
                  : gx_pnm_write(p, &bytes);
    if (ok && (ok = gx_outfile_open(c->rt, c->argv[0], NULL, false, &f)))
        ok = gx_outfile_done(&f, gx_outfile_write(&f, bytes.data, bytes.length));
    gx_buf_free(&bytes);
    return ok;
}

static bool check_picture(gx_rt *rt, const gx_image *p, const gx_array *a, bool png) {
    if (a->ndim < 2 || a->ndim > 3 || a->count == 0 || p->width > INT32_MAX / 8 ||
        p->height > INT32_MAX / 8)
        return gx_fail(rt, GX_ValueError, "image.shape",
                       "a picture has the shape (rows, columns) or (rows, columns, channels)");
    bool known = p->channels == 1 || p->channels == 3 || (png && p->channels == 4);
    if (!known)
        return gx_fail(rt, GX_ValueError, "image.channels", "%s has 1%s 3%s channels, not %d",
                       png ? "PNG" : "PGM or PPM", png ? "," : " or", png ? " or 4" : "",
                       p->channels);
    if (png && p->bits == 16) {
        gx_fail(rt, GX_TypeError, "image.depth", "PNG is written with 8 bits a number, not 16");
        return gx_help(rt, "imwrite(path, (a >> 8).astype(uint8)), or a path that ends in .pgm");
    }
    return true;
}

static bool imwrite_fn(gx_call *c, gx_value *out) {
    const char *path;
    size_t length;
    gx_np s = gx_np_begin(c);
    if (!gx_arg_str(c, 0, &path, &length)) return gx_np_end(&s, false);
    bool png = ends_with(path, ".png");
    if (!png && !ends_with(path, ".pgm") && !ends_with(path, ".ppm") && !ends_with(path, ".pnm"))
        return gx_np_end(&s, gx_fail(c->rt, GX_ValueError, "image.suffix",
                                     "imwrite writes paths that end in .png, .pgm or .ppm, not "
                                     "'%s'",
                                     path));
    gx_array *a = as_numbers(&s, gx_np_arr(&s, c->argv[1]));
    const void *data = gx_np_data(&s, a);
    if (!data) return gx_np_end(&s, false);
    gx_image p = {.channels = a->ndim == 3 && gx_shape(a)[2] <= 64 ? (int)gx_shape(a)[2] : 1,
                  .bits = a->dtype == GX_u16 ? 16 : 8};
    if (a->ndim == 3 && gx_shape(a)[2] > 64) p.channels = 65;
    if (a->ndim > 1) {
        p.height = gx_shape(a)[0];
        p.width = gx_shape(a)[1];
    }
    if (!check_picture(c->rt, &p, a, png)) return gx_np_end(&s, false);
    p.pixels = (uint8_t *)(uintptr_t)data; /* read only */
    *out = gx_none();
    return gx_np_end(&s, write_picture(c, &p, png));
}

const gx_native gx_image_functions[] = {
    {"imread", "imread(file)",
     "Reads an image file (PNG, PBM, PGM, PPM) as an array (rows, columns) or (rows, columns, "
     "channels) of uint8 or uint16.",
     NULL, imread_fn, 0, 0},
    {"imwrite", "imwrite(path, a)",
     "Writes an array as an image file: PNG, PGM or PPM, by the path's suffix; floats go from 0 to "
     "1.",
     NULL, imwrite_fn, 0, 0},
    {.name = NULL},
};
