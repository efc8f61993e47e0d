/* The rows of stdlib/written/scipy_systems.gx: scipy.signal's forms of one filter and ways
   between them: polynomials (b, a), zeros, poles and gain, second-order sections; lowpass to
   other bands, analogue to digital. */
#include "stdlib/written_int.h"
#include "stdlib/written_text_int.h"

extern const gx_native gx_sp_systems_functions[];

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.signal.systems", gx_written_text_scipy_systems, out);
}

const gx_native gx_sp_systems_functions[] = {
    {"zpk2tf",
     "zpk2tf(z, p, k)",
     "The polynomials (b, a) with these zeros, poles and gain.",
     "scipy.signal.zpk2tf([1.0], [0.5], 2.0)  # (array([ 2., -2.]), array([ 1. , -0.5]))",
     written_fn, 0, 0},
    {"normalize",
     "normalize(b, a)",
     "The quotient b / a with a starting with 1 and b without leading zeros.",
     "scipy.signal.normalize([2.0, 4.0], [2.0, 1.0])  # (array([1., 2.]), array([1. , 0.5]))",
     written_fn, 0, 0},
    {"tf2zpk",
     "tf2zpk(b, a)",
     "Zeros, poles and gain of the quotient b / a of polynomials.",
     "scipy.signal.tf2zpk([2.0, -2.0], [1.0, -0.5])  # (array([1.]), array([0.5]), 2.0)",
     written_fn, 0, 0},
    {"zpk2sos",
     "zpk2sos(z, p, k, pairing=None, *, analog=False)",
     "Zeros, poles and gain as second-order sections.",
     "scipy.signal.zpk2sos([1.0], [0.5], 2.0).tolist()  # [[2.0, -2.0, 0.0, 1.0, -0.5, 0.0]]",
     written_fn, 0, 0},
    {"tf2sos",
     "tf2sos(b, a, pairing=None, *, analog=False)",
     "The quotient b / a of polynomials as second-order sections.",
     "scipy.signal.tf2sos([2.0, -2.0], [1.0, -0.5]).tolist()  # [[2.0, -2.0, 0.0, 1.0, -0.5, "
     "0.0]]",
     written_fn, 0, 0},
    {"sos2tf",
     "sos2tf(sos)",
     "Second-order sections as polynomials (b, a).",
     "scipy.signal.sos2tf([[1.0, 1, 0, 1, 0.5, 0]])  # (array([1., 1., 0.]), array([1. , 0.5, "
     "0. ]))",
     written_fn, 0, 0},
    {"sos2zpk",
     "sos2zpk(sos)",
     "Zeros, poles and gain of second-order sections.",
     "scipy.signal.sos2zpk([[2.0, -2.0, 0, 1, -0.5, 0]])[2]  # 2.0",
     written_fn, 0, 0},
    {"lp2lp_zpk",
     "lp2lp_zpk(z, p, k, wo=1.0)",
     "A lowpass of frequency 1 moved to wo: zeros, poles and gain.",
     "scipy.signal.lp2lp_zpk([], [-1.0], 1.0, 2.0)[1:]  # (array([-2.]), 2.0)",
     written_fn, 0, 0},
    {"lp2hp_zpk",
     "lp2hp_zpk(z, p, k, wo=1.0)",
     "A lowpass of frequency 1 turned into a highpass at wo: zeros, poles and gain.",
     "scipy.signal.lp2hp_zpk([], [-1.0], 1.0, 2.0)[1:]  # (array([-2.]), 1.0)",
     written_fn, 0, 0},
    {"lp2bp_zpk",
     "lp2bp_zpk(z, p, k, wo=1.0, bw=1.0)",
     "A lowpass of frequency 1 turned into a bandpass around wo, bw wide: zeros, poles and gain.",
     "scipy.signal.lp2bp_zpk([], [-1.0], 1.0, 2.0, 0.5)[2]  # 0.5",
     written_fn, 0, 0},
    {"lp2bs_zpk",
     "lp2bs_zpk(z, p, k, wo=1.0, bw=1.0)",
     "A lowpass of frequency 1 turned into a bandstop around wo, bw wide: zeros, poles and gain.",
     "scipy.signal.lp2bs_zpk([], [-1.0], 1.0, 2.0, 0.5)[2]  # 1.0",
     written_fn, 0, 0},
    {"bilinear_zpk",
     "bilinear_zpk(z, p, k, fs)",
     "An analogue filter made digital at the rate fs: zeros, poles and gain.",
     "scipy.signal.bilinear_zpk([], [-2.0], 2.0, 1.0)  # (array([-1.]), array([0.]), 0.5)",
     written_fn, 0, 0},
    {"bilinear",
     "bilinear(b, a, fs=1.0)",
     "An analogue filter b / a made digital at the rate fs.",
     "scipy.signal.bilinear([1.0], [1.0, 1.0], 0.5)  # (array([0.5, 0.5]), array([1., 0.]))",
     written_fn, 0, 0},
    {.name = NULL},
};
