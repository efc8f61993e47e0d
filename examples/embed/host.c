/* A C program that runs gx inside itself: evaluates, reads an array, registers a function.

       cc host.c $(pkg-config --cflags --libs gx) -o host && ./host

   docs/embedding.md explains each step. */
#include <gx.h>
#include <stdio.h>
#include <string.h>

/* scale(x) of the script: any C function may stand behind it. */
static gx_ref *scale(gx_state *s, void *self, size_t argc, gx_ref *const *argv) {
    const double *factor = self;
    double x;
    if (argc != 1) return gx_state_raise(s, "TypeError", "scale() takes one number");
    if (!gx_ref_to_float(argv[0], &x)) return NULL; /* its failure is the function's */
    return gx_ref_float(s, *factor * x);
}

static bool print(void *self, int stream, const char *text, size_t length) {
    (void)self;
    return fwrite(text, 1, length, stream == 2 ? stderr : stdout) == length;
}

static gx_ref *evaluate(gx_state *s, const char *text) {
    gx_ref *value = NULL;
    if (!gx_state_run(s, text, strlen(text), "<host>", &value))
        fputs(gx_state_failure(s)->text, stdout);
    return value;
}

int main(void) {
    gx_config config = {.api = GX_API, .write = print, .max_seconds = 10};
    char why[200];
    gx_state *s = gx_state_open(&config, why, sizeof why);
    if (!s) return fprintf(stderr, "no gx: %s\n", why), 1;

    double factor = 2.5;
    gx_ref *fn = gx_ref_function(s, "scale", "A number, larger.", scale, &factor);
    if (fn) gx_state_set(s, "scale", fn);
    gx_ref_drop(fn);
    gx_ref_drop(evaluate(s, "print('scaled:', scale(4), [scale(i) for i in range(3)])"));

    double numbers[] = {1, 2, 3, 4, 5, 6};
    gx_strided given = {.dtype = "float64", .ndim = 2, .shape = (int64_t[]){2, 3},
                        .data = numbers};
    gx_ref *array = gx_ref_array(s, &given);
    if (array) gx_state_set(s, "a", array);
    gx_ref_drop(array);

    gx_ref *product = evaluate(s, "a @ a.T");
    gx_strided got;
    if (product && gx_ref_read(product, &got) && strcmp(got.dtype, "float64") == 0)
        for (int64_t i = 0; i < got.shape[0]; i++)
            for (int64_t k = 0; k < got.shape[1]; k++) {
                const char *at = (const char *)got.data + i * got.strides[0] + k * got.strides[1];
                printf("%g%c", *(const double *)at, k + 1 < got.shape[1] ? ' ' : '\n');
            }
    gx_ref_drop(product);
    gx_ref_drop(evaluate(s, "a @ a"));          /* a message with a fix */
    gx_ref_drop(evaluate(s, "scale('four')"));  /* a failure of the C function */
    gx_state_close(s);
    return 0;
}
