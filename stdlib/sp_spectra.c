/* The rows of stdlib/written/scipy_spectra.gx: scipy.signal's spectra of overlapping segments:
   welch, csd, coherence, spectrogram, stft, istft; and get_window. Signals are real or complex. */
#include "stdlib/written_int.h"
#include "stdlib/written_text_int.h"

extern const gx_native gx_sp_spectra_functions[];

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.signal.spectra", gx_written_text_scipy_spectra, out);
}

const gx_native gx_sp_spectra_functions[] = {
    {"get_window",
     "get_window(window, Nx, fftbins=True)",
     "A window by its name, or (name, parameters …): periodic, or with fftbins=False symmetric.",
     "scipy.signal.get_window('hann', 4)  # [0.  0.5 1.  0.5]",
     written_fn, 0, 0},
    {"csd",
     "csd(x, y, fs=1.0, window='hann_periodic', nperseg=None, noverlap=None, nfft=None, "
     "detrend='constant', return_onesided=True, scaling='density', axis=-1, average='mean')",
     "Frequencies and the power that two signals share, the mean of overlapping segments.",
     "scipy.signal.csd([1.0, -1, 1, -1], [1.0, -1, 1, -1], nperseg=4)[1].real.round(3)  # "
     "[0.    1.333 2.667]",
     written_fn, 0, 0},
    {"welch",
     "welch(x, fs=1.0, window='hann_periodic', nperseg=None, noverlap=None, nfft=None, "
     "detrend='constant', return_onesided=True, scaling='density', axis=-1, average='mean')",
     "Frequencies and the power of a signal, the mean of overlapping segments.",
     "scipy.signal.welch(ones(8), nperseg=4)[0]  # [0.   0.25 0.5 ]",
     written_fn, 0, 0},
    {"periodogram",
     "periodogram(x, fs=1.0, window='boxcar', nfft=None, detrend='constant', "
     "return_onesided=True, scaling='density', axis=-1)",
     "Frequencies and the power of a signal at each.",
     "scipy.signal.periodogram([1.0, -1, 1, -1])[1]  # [0. 0. 4.]",
     written_fn, 0, 0},
    {"coherence",
     "coherence(x, y, fs=1.0, window='hann_periodic', nperseg=None, noverlap=None, nfft=None, "
     "detrend='constant', axis=-1)",
     "Frequencies and how far two signals agree at each, from 0 to 1.",
     "scipy.signal.coherence([1.0, 2, 0, 1], [1.0, 2, 0, 1], nperseg=2)[1].round(3)  # [1. 1.]",
     written_fn, 0, 0},
    {"spectrogram",
     "spectrogram(x, fs=1.0, window=('tukey_periodic', 0.25), nperseg=None, noverlap=None, "
     "nfft=None, detrend='constant', return_onesided=True, scaling='density', axis=-1, "
     "mode='psd')",
     "Frequencies, times and the power of a signal at each.",
     "scipy.signal.spectrogram(ones(8), nperseg=4)[2].shape  # (3, 2)",
     written_fn, 0, 0},
    {"stft",
     "stft(x, fs=1.0, window='hann_periodic', nperseg=256, noverlap=None, nfft=None, "
     "detrend=False, return_onesided=True, boundary='zeros', padded=True, axis=-1, "
     "scaling='spectrum')",
     "Frequencies, times and the Fourier transforms of overlapping segments.",
     "scipy.signal.stft(ones(8), nperseg=4)[2].shape  # (3, 5)",
     written_fn, 0, 0},
    {"istft",
     "istft(Zxx, fs=1.0, window='hann_periodic', nperseg=None, noverlap=None, nfft=None, "
     "input_onesided=True, boundary=True, time_axis=-1, freq_axis=-2, scaling='spectrum')",
     "Times and the signal whose stft is given.",
     "scipy.signal.istft(scipy.signal.stft(ones(4), nperseg=2)[2], nperseg=2)[1].round(6)  # "
     "[1. 1. 1. 1.]",
     written_fn, 0, 0},
    {"check_COLA",
     "check_COLA(window, nperseg, noverlap, tol=1e-10)",
     "Do the windows of overlapping segments add up to a constant?",
     "scipy.signal.check_COLA('hann', 4, 2)  # True",
     written_fn, 0, 0},
    {"check_NOLA",
     "check_NOLA(window, nperseg, noverlap, tol=1e-10)",
     "Do the squared windows of overlapping segments never add up to zero?",
     "scipy.signal.check_NOLA('hann', 4, 2)  # True",
     written_fn, 0, 0},
    {.name = NULL},
};
