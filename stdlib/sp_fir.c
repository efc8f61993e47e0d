/* The rows of stdlib/written/scipy_fir.gx: scipy.signal's filters of finite length (firls, remez)
   and upfirdn, which changes a signal's rate with one. */
#include "stdlib/written_int.h"
#include "stdlib/written_text_int.h"

extern const gx_native gx_sp_fir_functions[];

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.signal.fir", gx_written_text_scipy_fir, out);
}

const gx_native gx_sp_fir_functions[] = {
    {"upfirdn", "upfirdn(h, x, up=1, down=1, axis=-1, mode='constant', cval=0)",
     "A signal with up - 1 zeros after each number, filtered by h, of which every down-th is "
     "kept; mode says how it goes on at its ends.",
     "scipy.signal.upfirdn([1, 1], [1, 2], 2)  # [1. 1. 2. 2.]", written_fn, 0, 0},
    {"firls", "firls(numtaps, bands, desired, *, weight=None, fs=None)",
     "A filter of odd length whose response misses by the least squares what bands ask for: lines "
     "from gain to gain.",
     "scipy.signal.firls(3, [0, 0.5, 0.5, 1], [1, 1, 0, 0]).round(4)  # [0.3183 0.5    0.3183]",
     written_fn, 0, 0},
    {"remez",
     "remez(numtaps, bands, desired, *, weight=None, type='bandpass', maxiter=25, "
     "grid_density=16, fs=None)",
     "The filter whose largest error over the bands is least, by Remez's exchange; type: "
     "'bandpass', "
     "'differentiator' or 'hilbert'.",
     "scipy.signal.remez(3, [0, 0.1, 0.2, 0.5], [1, 0]).round(4)  # [0.2764 0.191  0.2764]",
     written_fn, 0, 0},
    {.name = NULL},
};
