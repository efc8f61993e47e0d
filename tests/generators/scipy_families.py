"""The generated calls of SciPy's names, for make_calls.py: see there and call_families.py."""
from call_families import every, join

REAL = ["f8", "f4", "i8", "i4"]
ALL = REAL + ["c16", "c8"]


def square(d):
    return "(x('%sS') + 6 * np.eye(3, dtype='%s'))" % (d, d)


def definite(d):
    return "(x('%sS') + x('%sS').T.conj() + 20 * np.eye(3, dtype='%s'))" % (d, d, d)


def narrow(d, f):
    """SciPy gives float64 with the digits of float32 there."""
    return d in ("f4", "c8") and f.split("(")[0] in ("det", "lu_solve", "cho_solve", "logm", "fractional_matrix_power",
                                                     "solveh_banded", "solve_continuous_lyapunov", "solve_discrete_lyapunov",
                                                     "subspace_angles")


def scipy_linalg(rng):
    L = "linalg."
    for d in ALL:
        a, s = square(d), definite(d)
        for f in ["lu(%s)", "lu(%s, permute_l=True)", "lu(%s, p_indices=True)", "lu_factor(%s)", "expm(%s / 10)",
                  "sqrtm(%s @ %s)" % ("%s", a), "cosm(%s / 10)", "sinm(%s / 10)", "tanm(%s / 10)", "coshm(%s / 10)",
                  "sinhm(%s / 10)", "tanhm(%s / 10)", "polar(%s)", "polar(%s, side='left')", "solve(%s, [1, 2, 3])",
                  "solve(%s, [1, 2, 3], transposed=True)", "pinv(%s)", "pinv(%s, return_rank=True)", "hessenberg(%s)",
                  "qr(%s, mode='r')[0].shape", "rq(%s)[1].shape", "inv(%s)", "det(%s)", "norm(%s)", "bandwidth(np.tril(%s))",
                  "lu_solve(linalg.lu_factor(%s), [1, 2, 3])", "lu_solve(linalg.lu_factor(%s), [1, 2, 3], trans=1)",
                  "lu_solve(linalg.lu_factor(%s), [[1, 2], [3, 4], [5, 6]], trans=2)", "signm(%s)",
                  "abs(linalg.qr(%s, pivoting=True)[1])", "qr(%s, pivoting=True)[2]", "solve_triangular(%s, [1, 2, 3])",
                  "solve_triangular(%s, [1, 2, 3], lower=True, trans=1)", "lstsq(%s, [1, 2, 3])", "eigvals(%s)[0] * 0",
                  "orthogonal_procrustes(%s, %s)" % ("%s", s), "subspace_angles(%s[:, :1], np.eye(3)[:, :2])",
                  "solve_sylvester(%s, %s, x('%sS'))" % ("%s", s, d), "solve_continuous_lyapunov(%s, np.eye(3))",
                  "solve_discrete_lyapunov(%s / 20, np.eye(3))", "khatri_rao(%s, %s)" % ("%s", a), "issymmetric(%s)",
                  "fractional_matrix_power(%s @ %s, 2)" % ("%s", a), "hessenberg(%s).shape"]:
            if not narrow(d, f) and not (d[0] == "c" and "transposed" in f):
                yield (f if f.startswith("abs(") else L + f) % a, -8192
        for f in ["cholesky(%s)", "cholesky(%s, lower=True)", "cho_factor(%s)", "cho_factor(%s, lower=True)",
                  "cho_solve(linalg.cho_factor(%s), [1, 2, 3])", "cho_solve(linalg.cho_factor(%s, lower=True), np.eye(3))",
                  "eigvalsh(%s)", "eigh(%s, eigvals_only=True)", "eigh(%s, subset_by_index=[0, 1])[0]", "pinvh(%s)",
                  "eigh(%s, subset_by_value=[0, 20])[0]", "logm(%s)", "sqrtm(%s)", "solve(%s, [1, 2, 3], assume_a='pos')",
                  "eigvalsh(%s, np.diag([1, 2, 3]))", "eigvalsh(%s, np.diag([1, 2, 3]), type=2)", "ishermitian(%s)",
                  "eigvalsh(%s, np.diag([1, 2, 3]), type=3)", "fractional_matrix_power(%s, 0.5)", "funm(%s, np.exp) / 1e6",
                  "fractional_matrix_power(%s, -0.3)", "eig(%s)[0].dtype.name"]:
            if not narrow(d, f) and not (d[0] == "c" and f.startswith("funm")):
                yield L + f % s, -8192
        yield "abs(linalg.null_space(x('%sm')[:1]) @ linalg.null_space(x('%sm')[:1]).T.conj())" % (d, d), -1024
        yield "(lambda q: q @ q.T.conj())(linalg.orth(x('%st')))" % d, -1024
        yield "(lambda t: t[1] @ t[0] @ t[1].T.conj())(linalg.schur(%s))" % a, -4096
        yield "(lambda t: t[1] @ t[0] @ t[1].T.conj())(linalg.schur(%s, 'complex'))" % a, -4096
        yield "np.tril(linalg.schur(%s, 'complex')[0], -1)" % a, 0
        yield "abs(np.tril(linalg.schur(x('%sk')[:, :2], 'complex')[0], -1))" % d, 0
        yield "(lambda t: t[1] @ t[0] @ t[1].T.conj())(linalg.hessenberg(x('%sc')[0, :3, :3] , calc_q=True))" % d, -4096
        yield "(lambda t: t[0] @ t[1])(linalg.rq(x('%sm')))" % d, -1024
        yield "(lambda t: t[0] @ t[1])(linalg.qr(x('%sc')[0]))" % d, -1024
        yield "(lambda t: t[0] @ t[1])(linalg.qr(x('%sc')[0].T, mode='economic'))" % d, -1024
        yield "abs(linalg.lu(x('%sc')[0])[2])" % d, -256
        yield "linalg.lu(x('%sc')[0].T)" % d, -256
        yield "linalg.lstsq(x('%sc')[0].T, [1, 2, 3, 4])[:2]" % d, -8192
        yield "linalg.lstsq(x('%sc')[0].T, [1, 2, 3, 4])[2:]" % d, -8192
        for c in ["(1, 1)", "(0, 2)", "(2, 0)", "(1, 0)"]:
            yield "linalg.solve_banded(%s, x('%sc')[0][:, :3] + 9, [1, 2, 3])" % (c, d), -4096
        band = "np.array([[20, 21, 22, 23], [1, 2, 3, 0]]).astype('%s')" % d
        yield "linalg.eigvals_banded(%s, lower=True)" % band, -1024
        yield "linalg.eigvals_banded(%s[::-1])" % band, -1024
        yield "linalg.eig_banded(%s, lower=True, eigvals_only=True, select='i', select_range=(1, 2))" % band, -1024
        if not narrow(d, "solveh_banded("):
            yield "linalg.solveh_banded(%s, [1, 2, 3, 4], lower=True)" % band, -1024
        yield "linalg.eigvalsh_tridiagonal([2, 3, 4], [1, 1])", -1024
        for f in ["toeplitz(x('%ss'))", "toeplitz(x('%sv'), y('%sv'))", "circulant(x('%sv'))", "hankel(x('%sv'))",
                  "hankel(x('%s3'), y('%sv'))", "block_diag(x('%sm'), y('%sv'))", "companion(x('%sv'))",
                  "leslie(x('%sv'), y('%sv')[:5])", "fiedler(abs(x('%sv')))", "convolution_matrix(x('%s3'), 4)",
                  "convolution_matrix(x('%s3'), 4, mode='same')", "convolution_matrix(x('%s3'), 2, mode='valid')",
                  "solve_toeplitz(x('%s3') + 30 * np.array([1, 0, 0]), [1, 2, 3])", "diagsvd(x('%s3'), 3, 5)",
                  "solve_circulant(x('%s3') + 30 * np.array([1, 0, 0]), [1, 2, 3])", "diagsvd(x('%s3'), 5, 3)",
                  "matmul_toeplitz((x('%s3'), y('%s3')), [1, 2, 3])"]:
            yield L + f % ((d,) * f.count("%s")), -512
    for n in ["1", "3", "5"]:
        for f in ["hilbert", "invhilbert", "pascal", "invpascal", "dft", "helmert"]:
            yield "linalg.%s(%s)" % (f, n), -64
        for k in ["lower", "upper"]:
            yield "linalg.pascal(%s, kind='%s')" % (n, k), 0
            yield "linalg.invpascal(%s, kind='%s')" % (n, k), 0
        yield "linalg.hadamard(%s)" % n, 0
        yield "linalg.dft(%s, scale='n')" % n, -64
        yield "linalg.helmert(%s, full=True)" % n, -64
    for f in ["hadamard(4)", "hadamard(8, dtype='f4')", "invhilbert(4, exact=True)"]:
        yield L + f, 0
    for a in ["[1, 2]", "[[1, 2]]", "[[1, np.nan], [0, 1]]", "np.zeros((0, 0))", "np.zeros((2, 2))", "[[1, 2], [2, 1]]"]:
        for f in ["lu_factor", "cholesky", "cho_factor", "eigvalsh", "schur", "hessenberg", "null_space", "pinvh", "solve",
                  "logm", "sqrtm", "expm", "polar", "inv", "eigvals"]:
            if f == "solve":
                yield "linalg.solve(%s, [1, 2])" % a, -64
            elif not (a in ("[1, 2]", "1.0") and f in ("lu_factor", "sqrtm", "expm")) and not ("nan" in a and f[-2:] in ("tm", "pm")) \
                    and not (a.startswith("np.zeros") and f in ("pinvh", "logm", "sqrtm", "null_space", "polar")) \
                    and not (a == "[[1, 2]]" and f in ("polar",)) and not (a == "np.zeros((0, 0))" and f == "lu_factor") \
                    and not (a == "[[1, 2], [2, 1]]" and f == "schur"):
                yield ("linalg.%s(%s)" % (f, a)) if f not in ("null_space", "polar", "hessenberg", "schur") else \
                    "np.shape(linalg.%s(%s)[0])" % (f, a), -1024


DIGITAL = ["(2, %s, 0.3)", "(3, %s, 0.25, 'high')", "(2, %s, [0.2, 0.5], 'bandpass')", "(3, %s, [0.3, 0.6], 'bandstop')",
           "(5, %s, 0.4)", "(1, %s, 0.5)", "(4, %s, 100, fs=1000)", "(6, %s, [0.1, 0.4], btype='band')", "(0, %s, 0.3)",
           "(2, %s, 1.5)", "(2, %s, [0.2, 0.5])", "(2, %s, 0.3, 'middle')", "(2, %s, [0.5, 0.2], 'band')"]
ANALOG = ["(2, %s, 3.0, analog=True)", "(3, %s, 2.5, 'high', analog=True)", "(2, %s, [1.5, 4.0], 'bandpass', analog=True)",
          "(3, %s, [1.5, 4.0], 'bandstop', analog=True)"]
KINDS = {"butter": "", "cheby1": "1.0", "cheby2": "30.0", "ellip": "1.0, 30.0", "bessel": ""}


def scipy_filters(rng):
    for f, more in KINDS.items():
        for a in DIGITAL + ANALOG:
            a = a % more if more else a.replace("%s, ", "")
            order = int(a[1])
            yield "signal.%s%s" % (f, a), -2**16
            if "analog" not in a:
                yield "signal.%s%s, output='sos')" % (f, a[:-1]), -2**16
                yield "signal.freqz_sos(signal.%s%s, output='sos'), 5)" % (f, a[:-1]), -2**16
            yield "float(signal.%s%s, output='zpk')[2])" % (f, a[:-1]), -2**16
        if f == "bessel":
            for n in ["'phase'", "'delay'", "'mag'"]:
                for order in "123467":
                    yield "signal.bessel(%s, 0.3, norm=%s)" % (order, n), -2**18
    for f, k in [("butter", "btype='low'"), ("cheby1", "rp=1, btype='low'"), ("ellip", "rp=1, rs=40"), ("cheby2", "rs=40"),
                 ("bessel", "btype='low'"), ("ellip", "rp=1"), ("what", "rp=1")]:
        yield "signal.iirfilter(3, [0.2, 0.4], %s, ftype='%s')" % (k.replace("'low'", "'band'"), f), -2**16
    for f in ["buttap(3)[1]", "cheb1ap(3, 1)[1]", "cheb2ap(3, 20)", "ellipap(4, 1, 20)[:2]", "ellipap(3, 1, 20)[1]", "besselap(3)[2]"]:
        yield "signal." + f, -2**14
    for f in ["zpk2tf", "zpk2sos"]:
        for z in ["[], [], 2.0", "[1], [0.5], 3.0", "[1j, -1j], [0.5, 0.3], 2.0", "[], [0.5, 0.4, 0.3], 1.0",
                  "[-1, -1, -1], [0.5 + 0.2j, 0.5 - 0.2j, 0.1], 0.5", "[0.2, 0.3, 1j, -1j], [0.5j, -0.5j, 0.1, 0.9], 2",
                  "[0.2, 0.3, 0.4], [0.9, 0.8, 0.7], 2", "[1 + 1j], [1.5], 1"]:
            yield "signal.%s(%s)" % (f, z), -2**12
    yield "signal.zpk2sos([1, -1, 1], [0.5, 0.4, 0.3], 1.0, pairing='keep_odd')", -2**12
    yield "signal.zpk2sos([-1], [-0.5 + 1j, -0.5 - 1j, -2], 2.0, analog=True)", -2**12
    for f in ["tf2zpk", "tf2sos", "normalize"]:
        for a in ["[1, 2], [1, 0.5]", "[2, 1, 3], [1, 0.4, 0.1]", "[1, 0, -1], [2, 1, 1]", "[0, 1], [0, 2, 1]", "[1], [0]"]:
            if not (f == "tf2sos" and a == "[1], [0]"):
                yield "signal.%s(%s)" % (f, a), -2**12
    for f in ["bilinear([1, 2], [1, 3, 2])", "bilinear([1], [1, 1], 10)", "lp2lp_zpk([], [-1, -2], 3.0, 2.0)",
              "lp2hp_zpk([-3.0], [-1, -2.0], 3.0, 2)", "lp2bp_zpk([], [-1, -2], 3.0, 2, 0.5)",
              "lp2bs_zpk([-3.0], [-1.0, -2], 3.0, 2, 0.5)", "bilinear_zpk([-3.0], [-1 + 1j, -1 - 1j], 3.0, 2)",
              "sos2tf([[1, 2, 1, 1, 0.5, 0.1], [1, 0, -1, 1, -0.2, 0]])", "sos2zpk([[2, 4, 2.0, 1, 0.5, 0.06]])",
              "iirnotch(0.3, 20)", "iirpeak(0.3, 20)", "iirnotch(60, 30, fs=500)", "iirnotch(1.2, 3)", "kaiserord(60, 0.1)",
              "kaiser_beta(30)", "kaiser_beta(10)", "kaiser_atten(40, 0.1)", "group_delay(([1, 2, 3], [1, 0.2]), 5)",
              "freqz([1, 2, 1], [1, 0.3], worN=4)", "freqz([1, 2], worN=[0.1, 0.5, 2])", "freqz([1, 2], worN=4, whole=True)",
              "freqz([1, 2], worN=4, fs=100)", "freqz([1, 2], worN=5, include_nyquist=True)", "freqz([1, 2])[1][::200]",
              "freqs([1, 2], [1, 3, 2], worN=[0.1, 1, 10])", "freqz_zpk([1], [0.5], 2, worN=4)",
              "freqz([1, 2, 3], [1, -0.5], worN=[1, 2], fs=10)", "kaiserord(3, 0.1)"]:
        yield "signal." + f, -2**12
    for f in ["5, 0.3", "6, 0.3", "7, 0.3, pass_zero=False", "7, [0.2, 0.5]", "7, [0.2, 0.5], pass_zero=False", "9, 0.4, width=0.2",
              "9, 0.4, window='hann'", "9, 0.4, window=('kaiser', 6.0)", "9, 40, fs=200", "9, 0.3, pass_zero='highpass'",
              "9, [0.2, 0.4], pass_zero='bandpass'", "9, [0.2, 0.4, 0.6]", "9, 0.4, scale=False", "6, 0.3, pass_zero=False",
              "5, 1.2", "5, [0.5, 0.3]", "5, [0.2, 0.4], pass_zero='lowpass'"]:
        yield "signal.firwin(%s)" % f, -2**10
    for f in ["5, [0, 0.5, 1], [1, 1, 0]", "7, [0, 0.3, 0.3, 1], [1, 1, 0, 0]", "9, [0, 10, 50], [0, 1, 0], fs=100", "5, [0, 1], [1, 1]",
              "6, [0, 1], [1, 1]", "7, [0, 0.5, 1], [0, 1, 0], antisymmetric=True", "8, [0, 1], [0, 1], antisymmetric=True",
              "5, [0.1, 1], [1, 1]", "5, [0, 1], [1]", "5, [0, 0.5, 1], [1, 1, 0], window=None"]:
        yield "signal.firwin2(%s)" % f, -2**12
    sos = "[[1, 2, 1, 1, 0.5, 0.1], [1, 0, -1, 1, -0.2, 0]]"
    for d in ALL:
        for k in ["m", "v", "l", "t", "c"]:
            x = "x('%s%s')" % (d, k)
            yield "signal.sosfilt(%s, %s)" % (sos, x), -256
            yield "signal.sosfiltfilt(%s, %s, padlen=1)" % (sos, x), -1024
            yield "signal.savgol_filter(%s, 3, 1, mode='nearest')" % x, -256
            yield "signal.lfilter([1, 2], [1, 0.5], %s)" % x, -64
            if d[0] != "c":
                yield "signal.medfilt(%s, 3)" % x, 0
        x = "x('%sc')" % d
        for a in ["axis=0, padlen=0", "axis=1, padlen=1, padtype='even'", "axis=-1, padlen=2, padtype='constant'", "padtype=None", "axis=2"]:
            yield "signal.sosfiltfilt(%s, %s, %s)" % (sos, x, a), -1024
        yield "signal.sosfilt(%s, %s, axis=1, zi=np.ones((2, 2, 2, 4)))" % (sos, x), -256
        yield "signal.sosfilt(%s, %s, zi=np.ones((2, 2)))" % (sos, x), 0
        for a in ["4, 2", "3, 2, axis=1", "3, 1, deriv=1", "3, 2, deriv=2, delta=0.5", "3, 1, mode='wrap'", "3, 1, mode='constant', cval=2",
                  "3, 1, mode='mirror'", "5, 2", "3, 3", "3, 1, mode='what'"]:
            if d[0] != "c":
                yield "signal.savgol_filter(%s, %s)" % (x, a), -4096
        for n, a in [("4", "axis=2"), ("6", "axis=2"), ("3", "axis=2"), ("2", "axis=2"), ("5", "axis=2"), ("3", "axis=1"), ("7", "axis=1"),
                     ("4", "axis=0"), ("1", "axis=1"), ("8", "axis=2, window='hann'"), ("3", "axis=2, window='hamming'")]:
            yield "signal.resample(%s, %s, %s)" % (x, n, a), -256
        for n in ["12", "48", "7", "25", "23"]:
            yield "signal.resample(%s.ravel(), %s)" % (x, n), -256
        for u in ["2, 1", "1, 2", "3, 2", "2, 3", "4, 6", "1, 1", "5, 1, padtype='mean'", "1, 3, padtype='median'", "2, 3, padtype='line'",
                  "2, 3, window='hann'", "2, 3, window=[1, 2, 3, 2, 1]", "0, 1", "2, 1, padtype='minimum'", "2, 3, padtype='constant', cval=2"]:
            if not (d[0] == "c" and ("median" in u or "minimum" in u)):
                yield "signal.resample_poly(%s.ravel(), %s)" % (x, u), -2**11
        yield "signal.resample_poly(%s, 3, 2, axis=1)" % x, -2**11
        for u in ["2", "3", "2, ftype='fir'", "2, zero_phase=False", "3, n=4", "2, ftype='fir', n=8", "2, ftype='fir', zero_phase=False",
                  "4, n=2", "2, ftype='x'"]:
            if "fir" in u or d not in ("f4", "c8"):
                yield "signal.decimate(np.tile(%s.ravel(), 3), %s)" % (x, u), -2**20
        for m in ["full", "same", "valid"]:
            yield "signal.oaconvolve(x('%sv'), y('%s3'), '%s')" % (d, d, m), -256
            yield "signal.oaconvolve(x('%sk'), y('%sS'), '%s', axes=1)" % (d, d, m) if m == "full" else "signal.correlation_lags(5, 3, '%s')" % m, -256
            for b in ["fill", "wrap", "symm"]:
                for f in ["convolve2d", "correlate2d"]:
                    for s, t in [("m", "m"), ("S", "m"), ("m", "2"), ("n", "s")]:
                        yield "signal.%s(x('%s%s'), y('%s%s'), '%s', '%s')" % (f, d, s, d, t if t != "s" else "m", m, b), -64
            yield "signal.convolve2d(x('%sS'), y('%sm')[:, :2], '%s', fillvalue=2)" % (d, d, m), -64
        for f in ["medfilt2d(x('%sk'))", "wiener(x('%sk'))", "wiener(x('%sv'), 3, 0.5)", "medfilt(x('%sc'), [1, 3, 1])", "medfilt(x('%sv'), 4)",
                  "order_filter(x('%sS'), np.ones((3, 3)), 4)", "hilbert2(x('%sk'))", "argrelmax(x('%sk'))", "argrelmin(x('%sc').ravel())",
                  "argrelextrema(x('%sc').ravel(), np.greater_equal, order=2)", "argrelmax(x('%sk'), axis=1, mode='wrap')",
                  "deconvolve(np.convolve(x('%sv'), [1, 2, 3]), [1, 2, 3])", "upfirdn([1, 2], x('%sv'), 3, 2)", "upfirdn([1, 2, 3], x('%sm'), 2)"]:
            if d[0] != "c" or f[:3] in ("dec", "upf"):
                yield "signal." + f % d, -2**11
    for f in ["savgol_coeffs(5, 2)", "savgol_coeffs(5, 2, deriv=1)", "savgol_coeffs(5, 2, pos=4)", "savgol_coeffs(4, 2)", "savgol_coeffs(5, 2, use='dot')",
              "savgol_coeffs(5, 2, deriv=3)", "savgol_coeffs(5, 5)", "sosfilt_zi(%s)" % sos, "lfiltic([1, 2], [1, 0.5, 0.2], [1, 2], [3])",
              "unit_impulse(5)", "unit_impulse(5, 2)", "unit_impulse((3, 4), (1, 2))", "unit_impulse((3, 3), 'mid')", "unit_impulse(3, dtype='i4')",
              "gausspulse(np.linspace(-1, 1, 5), fc=2)", "gausspulse(np.linspace(-1, 1, 5), fc=2, retquad=True, retenv=True)",
              "gausspulse('cutoff', fc=5)", "gausspulse([0.0], fc=-1)", "sweep_poly(np.linspace(0, 1, 5), [1, 2, 3])", "sosfilt([[1, 2, 3]], [1.0])"]:
        yield "signal." + f, -2**11


WINDOWS = ["'boxcar'", "'triang'", "'hann'", "'hamming'", "'blackman'", "'nuttall'", "'blackmanharris'", "'flattop'", "'bartlett'",
           "'parzen'", "'bohman'", "'cosine'", "'barthann'", "'lanczos'", "'tukey'", "('tukey', 0.3)", "('tukey', 1.0)", "('tukey', 0)",
           "('kaiser', 4.0)", "('gaussian', 1.5)", "('general_gaussian', 1.5, 2.0)", "'exponential'", "('exponential', None, 2.0)",
           "'taylor'", "('taylor', 3, 40)", "('chebwin', 60)", "('dpss', 2.0)", "('general_cosine', [0.5, 0.3, 0.2])",
           "('general_hamming', 0.6)", "5.0", "'hann_periodic'", "'hann_symmetric'", "'han'", "'rect'", "('ksr', 3)", "'kaiser'", "'what'"]


def scipy_spectra(rng):
    for w in WINDOWS:
        for n in ["1", "2", "5", "8", "0"]:
            if not ((n in "012") and ("dpss" in w or "chebwin" in w or "taylor" in w)) and not (n == "2" and ("tukey" in w or "lanczos" in w)):
                yield "signal.get_window(%s, %s)" % (w, n), -2**14
                if n != "2":
                    yield "signal.get_window(%s, %s, fftbins=False)" % (w, n), -2**14
    for f in ["kaiser_bessel_derived(6, 3.0)", "kaiser_bessel_derived(5, 3.0)", "exponential(5, 1.0, 2.0, False)", "exponential(5, 1.0)",
              "hann(-1)", "dpss(5, 1.5, norm=2)", "dpss(6, 1.5, norm='subsample')", "taylor(6, norm=False)", "tukey(6, 0.5, False)",
              "general_cosine(4, [0.5, 0.5], False)", "hann(7)", "gaussian(4, 2.0)", "get_window('hann', 3)"]:
        yield "signal.windows." + f, -2**14
    for d in ALL:
        a, b = "x('%sc')" % d, "y('%sc')" % d
        for f in ["welch(%s" % a, "csd(%s, %s" % (a, b), "periodogram(%s" % a]:
            for k in ["", "nperseg=3", "nperseg=4, noverlap=1", "axis=0, nperseg=2", "nperseg=4, axis=1", "fs=10.0", "window='hamming', nperseg=4",
                      "detrend=False", "detrend='linear', nperseg=4", "scaling='spectrum'", "nfft=8, nperseg=4", "nperseg=2, average='median'",
                      "return_onesided=False", "nfft=2", "nfft=6", "window=[1, 2, 2, 1]", "scaling='what'", "nperseg=4, noverlap=4", "nperseg=0"]:
                if f[0] == "p" and ("nperseg" in k or "average" in k):
                    continue
                if not (d[0] == "c" and "median" in k):
                    yield "signal.%s)" % join(f, k), -2**12
        for k in ["nperseg=8", "nperseg=6, noverlap=3", "nperseg=6, nfft=8", "nperseg=8, window='boxcar'", "nperseg=8, scaling='psd'"]:
            flat = a + ".ravel()"
            yield "signal.stft(%s, %s)" % (flat, k), -2**12
            yield "signal.istft(signal.stft(%s, %s)[2], %s%s)" % (flat, k, k, ", input_onesided=False" if d[0] == "c" else ""), -2**12
            if "psd" not in k:
                yield "signal.spectrogram(%s, %s)" % (flat, k), -2**12
        for k in ["boundary=None", "boundary='even'", "boundary='odd'", "boundary='constant'", "padded=False", "detrend='constant'", "boundary='x'"]:
            yield "signal.stft(%s.ravel(), nperseg=7, %s)" % (a, k), -2**12
        yield "signal.stft(%s, nperseg=4, axis=1)[2].shape" % a, 0
        yield "signal.stft(%s, nperseg=2, axis=0)[2]" % a, -2**12
        for m in ["magnitude", "complex", "angle", "phase", "what"]:
            if not ("complex" != m and d in ("f4", "c8") and m != "what"):
                yield "abs(np.cos(signal.spectrogram(%s.ravel(), nperseg=8, mode='%s')[2]))" % (a, m), -2**14
        yield "signal.coherence(%s.ravel(), %s.ravel(), nperseg=6)" % (a, b), -2**16
        for k in ["", "type='constant'", "axis=0", "axis=1, type='constant'"]:
            if d not in ("f4", "c8"):
                yield "signal.detrend(%s)" % join(a, k), -2**10
        for m in ["full", "same", "valid"]:
            yield "signal.convolve(x('%sv'), y('%s3'), '%s')" % (d, d, m), -64
            yield "signal.correlate(x('%sv'), y('%s3'), '%s')" % (d, d, m), -64
    for f in ["welch([])", "periodogram([])", "periodogram([1.0])", "istft([1, 2])", "check_COLA('hann', 8, 4)",
              "check_COLA('hann', 8, 3)", "check_NOLA('hann', 8, 4)", "check_NOLA('hann', 8, 0)", "check_COLA('hann', 4, 5)",
              "istft(np.ones((5, 4)), nperseg=12)", "periodogram([1, 2, 3], nfft=0)"]:
        yield "signal." + f, -2**10


MODES = ["", "mode='nearest'", "mode='mirror'", "mode='constant', cval=2", "mode='wrap'"]


def scipy_morphology(rng):
    grey = ["grey_erosion", "grey_dilation", "grey_opening", "grey_closing", "morphological_gradient", "morphological_laplace",
            "white_tophat", "black_tophat"]
    for f in grey:
        for d, m, k in every(rng, 40, ["f8", "f4", "i8", "i4", "u1"], MODES,
                             ["size=3", "size=2", "size=(2, 3)", "footprint=[[0, 1, 0], [1, 1, 1], [0, 1, 0]]", "footprint=[[1, 0], [1, 1]]",
                              "structure=[[0, 1, 0], [1, 2, 1], [0, 1, 0]]", "structure=[[1, 2], [0, 1]]", "size=3, origin=1", "size=(3, 3), origin=(-1, 1)",
                              "structure=np.ones((3, 3)), origin=(1, 0)", "size=3, axes=1", "size=(2, 3), axes=(0, 1)"]):
            if not (d == "u1" and (f in ("morphological_laplace", "black_tophat") or "structure" in k)):
                yield "ndimage.%s(x('%sk'), %s)" % (f, d, join(k, m)) if m else "ndimage.%s(x('%sk'), %s)" % (f, d, k), -64
        for d in ["f8", "i4"]:
            for k in ["3", "footprint=[1, 0, 1]", "structure=[0, 1, 0]", "size=3, output='f4'" if f[:5] != "morph" else "2", "size=3, output=np.zeros(6)", "", "size=3, mode='x'"]:
                yield "ndimage.%s(x('%sv')%s)" % (f, d, ", " + k if k else ""), -64
            yield "ndimage.%s(x('%sc'), size=(1, 2, 3))" % (f, d), -64
    for d in ["f8", "f4", "i8", "i4"]:
        for m in MODES:
            for k in ["max, 3", "np.sum, footprint=[[1, 0, 1], [0, 1, 0]]", "np.median, size=(1, 3)", "lambda v: v[0] - v[-1], size=2, origin=-1"]:
                yield "ndimage.generic_filter(x('%sk'), %s)" % (d, join(k, m) if m else k), -64
            yield "ndimage.generic_filter1d(x('%sk'), lambda i, o: o.__setitem__(slice(None), i[:-2] - i[2:]), 3, %s)" % (d, m or "axis=0"), -64
        b = "(x('%sk') > 0)" % d
        for k in ["", "structure1=[[0, 1, 0], [1, 1, 1], [0, 1, 0]]", "structure1=[[1, 0]], structure2=[[0, 1]]", "structure1=[[1, 1]], structure2=[[1, 0]], origin1=(0, -1), origin2=0"]:
            yield "ndimage.binary_hit_or_miss(%s)" % join(b, k), 0
        lab = "labels=np.array([[1, 1, 0], [2, 2, 4]])"
        for f in ["median", "extrema", "mean", "sum_labels", "variance", "standard_deviation", "center_of_mass", "maximum_position"]:
            if d == "f4" and f in ("variance", "standard_deviation"):
                continue
            for k in ["", lab, lab + ", index=2", lab + ", index=[1, 2, 4]"]:
                g = "ndimage.%s(%s)" % (f, join("x('%sk')" % d, k))
                yield (g + "[:2]" if f == "extrema" else "np.array(%s)" % g if f in ("center_of_mass", "maximum_position") else g), -64
        for k in ["-5, 5, 4", "0, 3, 3, " + lab, "0, 3, 3, " + lab + ", index=1"]:
            yield "ndimage.histogram(x('%sk'), %s)" % (d, k), 0
        for k in ["None, None, np.sum, float, 0", "np.array([[1, 1, 0], [2, 2, 4]]), [1, 2, 3], np.sum, float, -1",
                  "np.array([[1, 1, 0], [2, 2, 4]]), 2, lambda v, p: p.sum(), 'i8', 0, True", "None, [1], np.sum, float, 0"]:
            yield "ndimage.labeled_comprehension(x('%sk'), %s)" % (d, k), -64
        if d[0] == "i":
            yield "sorted(ndimage.value_indices(x('%sk')).items())" % d, 0
        for m in ["chessboard", "taxicab", "cityblock", "euclidean"]:
            for a in ["(x('%sc')[0] > 0)" % d, "(x('%sc')[0] > -3)" % d, "(x('%sv') > 0)" % d]:
                if m != "euclidean":
                    yield "ndimage.distance_transform_cdt(%s, '%s')" % (a, m), 0
                yield "ndimage.distance_transform_bf(%s, '%s')" % (a, m), -16
        yield "ndimage.distance_transform_bf(x('%sk') > 0, sampling=[2, 1])" % d, -16
        for f, k in [("gaussian", "1.5"), ("gaussian", "[1, 2]"), ("uniform", "3"), ("shift", "1.5"), ("shift", "[1, -2]"), ("gaussian", "1, n=4, axis=1"),
                     ("uniform", "2, n=4"), ("gaussian", "[1]")]:
            yield "ndimage.fourier_%s(x('%sk'), %s)" % (f, d, k), -256
            yield "ndimage.fourier_%s(x('%sk') + 1j, %s)" % (f, d, k), -256
        for k in ["order=1", "order=3", "order=0", "order=1, mode='nearest'", "order=1, output_shape=(2, 2)"]:
            yield "ndimage.geometric_transform(x('%sk'), lambda p: (p[0] * 0.7, p[1] - 0.4), %s)" % (d, k), -2**12
        for o in ["zoom(%s, 1.5)", "rotate(%s, 30)", "shift(%s, 0.4)", "affine_transform(%s, [[1, 0.1], [0.2, 1]])", "spline_filter(%s)",
                  "zoom(%s, [2, 1], order=1)", "rotate(%s, 90, order=1)", "map_coordinates(%s, [[0.4, 1.1], [1.3, 0.2]], order=2)",
                  "map_coordinates(%s, [[0.4, 1.1], [1.3, 0.2]], order=5)", "gaussian_filter(%s, 1)", "label(%s > 0)", "find_objects(%s > 0)",
                  "uniform_filter(%s)", "laplace(%s)", "sobel(%s)"]:
            if "find" not in o and not (d[0] == "i" and "1.5" in o):
                yield "ndimage." + o % ("x('%sk')" % d), -2**14
    for k in ["[1, 1, 1], 2", "[[0, 1, 0], [1, 1, 1], [0, 1, 0]], 2", "[[0, 1, 0], [1, 1, 1], [0, 1, 0]], 3", "[[1, 1]], 3", "[1, 1, 1], 1", "[1, 1, 1], 2, 1"]:
        yield "ndimage.iterate_structure(%s)" % k, 0
    for d in ["f8", "f4", "i8", "i4"]:
        x = "np.tile(x('%sc').ravel(), 2)" % d
        for k in ["", "height=1", "height=(0, 3)", "threshold=1", "distance=3", "prominence=2", "width=1", "width=(0.5, 2), rel_height=0.7", "wlen=5, prominence=1",
                  "plateau_size=1", "plateau_size=2", "height=0, distance=2, prominence=(None, 5), width=0", "rel_height=0.3, width=0", "wlen=4.5, width=0",
                  "distance=0", "wlen=1, width=0", "rel_height=-1, width=0"]:
            yield "(lambda p: (p[0], sorted(p[1].items())))(signal.find_peaks(%s))" % join(x, k), -64
        for k in ["", "wlen=5", "wlen=2"]:
            yield "signal.peak_prominences(%s, signal.find_peaks(%s)[0]%s)" % (x, x, ", " + k if k else ""), -64
        for k in ["", "rel_height=0.2", "rel_height=1.0", "wlen=5"]:
            yield "signal.peak_widths(%s, signal.find_peaks(%s)[0]%s)" % (x, x, ", " + k if k else ""), -64
        yield "(lambda p: signal.peak_widths(%s, p, prominence_data=signal.peak_prominences(%s, p)))(signal.find_peaks(%s)[0])" % (x, x, x), -64
    for f in ["peak_prominences([1, 2, 1], [5])", "peak_prominences([1, 2, 1], [-1])", "peak_widths([1, 2, 1], [1], rel_height=-1)",
              "peak_prominences([1.0, 2, 1], [])", "find_peaks([[1, 2]])", "find_peaks([])[0]", "peak_widths([1, 2, 1], [1.5])"]:
        yield "signal." + f, 0


def scipy_special(rng):
    S = "special."
    real = "np.array([-3.5, -1.0, -0.3, 0.0, 0.2, 1.0, 2.5, 7.0, 30.0])"
    some = "np.array([0.0, 1e-3, 0.3, 1.0, 2.5, 7.0, 12.0, 30.0, 150.0])"
    part = "np.array([0.0, 1e-3, 0.1, 0.5, 0.77, 0.95, 1.0])"
    for f in ["exp1", "erfcx", "dawsn", "expi", "ellipkm1", "sici"]:
        for a in [some, some + ".astype('f4')", "3", "2.5", "np.array([], dtype='f8')", "np.nan", "np.array([1, 2])"]:
            if not (f == "expi" and "some" == a):
                yield S + "%s(%s)" % (f, a), (-4096 if f == "sici" else 4096)
    for f, u in [("erfi", 4096), ("rgamma", 4096), ("gammasgn", 0), ("ellipe", 64), ("fresnel", 4096), ("dawsn", 4096), ("digamma", 4096)]:
        for a in ["np.array([-2.5, -0.3, 0.2, 0.9])", "np.array([-2.5, 0.9], 'f4')", "np.array([[0.5], [-1.5]])", "0.3", "np.array([-3.7, -0.1])"]:
            yield S + "%s(%s)" % (f, a), u
    for f in ["jv", "yv", "iv", "kv", "ive", "kve"]:
        for v in ["0", "1", "2", "0.5", "1.7", "5.3", "12", "-0.5", "-2.3", "-3"]:
            for a in ["np.array([0.3, 1.0, 2.5, 7.0])", "np.array([12.0, 20.5, 33.0])", "np.array([60.0, 150.0])", "0.01"]:
                if not (v == "12" and a == "0.01"):
                    yield S + "%s(%s, %s)" % (f, v, a), -2**13
        yield S + "%s(1.5, np.array([0.5, 2.0], 'f4'))" % f, -64
        yield S + "%s(np.array([[0], [1.5]]), np.array([0.5, 2.0]))" % f, -2**13
        yield S + "%s(1, np.nan)" % f, 0
        yield S + "%s(0, 0)" % f, 0
    for n in ["0", "1", "3"]:
        for f in ["jn", "yn", "kn"]:
            yield S + "%s(%s, np.array([0.5, 2.0, 9.0]))" % (f, n), -2**13
        for f in ["spherical_jn", "spherical_yn"]:
            yield S + "%s(%s, np.array([0.5, 2.0, 9.0]))" % (f, n), -2**13
            yield S + "%s(%s, np.array([0.5, 2.0, 9.0]), True)" % (f, n), -2**14
    for a in ["0.0", "np.array([0.1, 1.0, 4.0])", "np.array([-0.1, -1.0, -6.5])", "np.array([[1.5]])", "np.array([9.0])"]:
        yield S + "airy(%s)" % a, -2**14
    for a in ["0.3", "1.0", "4.5", "20", "np.array([0.5, 3.0])"]:
        yield S + "gammaincinv(%s, 0.4)" % a, 2**14
        yield S + "gammainccinv(%s, 0.4)" % a, 2**14
        yield S + "gammaincinv(%s, 0.97)" % a, 2**14
        yield S + "gammainccinv(%s, 1e-6)" % a, 2**14
        yield S + "betaincinv(%s, 2.0, 0.3)" % a, 2**14
        yield S + "betaincc(%s, 2.0, 0.3)" % a, 2**12
        yield S + "poch(%s, 3)" % a, 2**10
        yield S + "poch(%s, 0.5)" % a, 2**12
        yield S + "loggamma(%s)" % a, -2**12
        yield S + "loggamma(%s + 2j)" % a, -2**12
        yield S + "loggamma(%s * 1j - 3.5)" % a, -2**12
        yield S + "lambertw(%s)" % a, -2**12
        yield S + "lambertw(%s, -1)" % a, -2**12
        yield S + "lambertw(%s * 1j, 2)" % a, -2**12
        yield S + "lambertw(-0.3 * %s - 0.1j)" % a, -2**12
        yield S + "ellipkinc(%s, 0.4)" % a, 2**11
        yield S + "ellipeinc(%s, 0.4)" % a, 2**11
        yield S + "ellipj(%s, 0.4)" % a, -2**11
        yield S + "elliprf(%s, 1.0, 2.0)" % a, 256
        yield S + "elliprd(%s, 1.0, 2.0)" % a, 256
        yield S + "elliprc(%s, 2.0)" % a, 256
    for f in ["gammaincinv(2, %s)", "gammainccinv(2, %s)", "betaincinv(2, 3, %s)"]:
        yield S + f % part, 2**14
    for f in ["lambertw(0)", "lambertw(0, -1)", "lambertw(np.inf)", "lambertw(-0.2)", "lambertw(-0.2, -1)", "lambertw(-0.36)", "lambertw(1e10)", "lambertw(-5)",
              "loggamma(0.0)", "loggamma(-1.5)", "ellipj(0.5, 0)", "ellipj(0.5, 1)", "ellipkinc(1.0, 1.0)", "ellipkinc(1.0, -3.0)", "rgamma(0)", "expi(-1.0)",
              "exp1(-1.0)", "ellipeinc(5.0, -0.5)", "gammaincinv(-1, 0.5)", "betaincinv(0, 1, 0.5)"]:
        yield S + f, -2**11
    x = "np.array([-0.9, -0.3, 0.0, 0.4, 1.0])"
    for n in ["0", "1", "2", "5", "np.array([[1], [3]])"]:
        for f in ["legendre", "chebyt", "chebyu", "hermite", "hermitenorm", "laguerre"]:
            yield S + "eval_%s(%s, %s)" % (f, n, x), -256
        yield S + "eval_genlaguerre(%s, 1.5, %s)" % (n, x), -256
        yield S + "eval_gegenbauer(%s, 1.5, %s)" % (n, x), -256
        yield S + "eval_jacobi(%s, 0.5, 1.5, %s)" % (n, x), -256
    for n in ["1", "2", "5", "12"]:
        for f in ["legendre", "hermite", "laguerre", "chebyt"]:
            yield S + "roots_%s(%s)" % (f, n), -2**14
        yield S + "roots_legendre(%s, mu=True)[2]" % n, -16
    for f in ["perm(5, 2)", "perm(5, 2, exact=True)", "perm(np.array([5, 3, 2]), 3)", "factorial2(7)", "factorial2(8, exact=True)", "factorial2(np.array([5, 6, 0, 1]))",
              "factorialk(9, 3, exact=True)", "multigammaln(3.5, 2)", "multigammaln(0.2, 2)", "lpmv(1, 3, %s)" % x, "lpmv(0, 2, %s)" % x, "lpmv(-1, 3, %s)" % x,
              "lpmv(2, 2, 0.3)", "lpmv(3, 2, 0.3)", "sph_harm_y(2, 1, 0.5, 1.5)[()]", "sph_harm_y(3, -2, np.array([0.5, 1.0]), 1.5)", "sph_harm_y(1, 2, 0.5, 0.5)[()]",
              "sph_harm_y(np.array([[0], [2]]), 0, np.array([0.3, 1.0]), 0.2)", "zeta(3)", "polygamma(2, 1.5)[()]", "gammainc(2, 3.0)", "betainc(2, 3, 0.4)", "erfcinv(0.3)",
              "ndtri(0.2)", "softmax([1.0, 2])", "logsumexp([1.0, 2])", "expit(0.3)", "logit(0.3)", "binom(5.5, 2)", "comb(6, 2)", "factorial(6)"]:
        yield S + f, -2**11


def scipy_loops(rng):
    """Each elementwise function of scipy.special with each dtype: which loop is taken, and how the result lies."""
    one = """betaincc cbrt dawsn ellipe ellipk ellipkm1 entr erf erfc erfcinv erfcx erfi erfinv exp1 exp10 exp2 expi expit expm1
        fresnel gamma gammaln gammasgn i0 i0e i1 i1e j0 j1 k0 k1 log1p log_expit loggamma ndtr ndtri rgamma sici y0 y1 digamma
        airy""".split()[1:]
    two = """beta betaln binom ellipeinc ellipj ellipkinc elliprc eval_chebyt eval_chebyu eval_hermite eval_hermitenorm
        eval_laguerre eval_legendre gammainc gammaincc gammainccinv gammaincinv hankel1 hankel1e hankel2 hankel2e iv ive jn jv
        jve kl_div kn kv kve poch rel_entr xlog1py xlogy yn yv yve zeta comb polygamma spherical_jn spherical_yn spherical_in
        spherical_kn""".split()
    three = "betainc betaincc betaincinv elliprd elliprf eval_gegenbauer eval_genlaguerre lpmv".split()
    has_complex = "expm1 log1p loggamma jv yv iv kv jve hankel1 hankel2e eval_chebyt eval_legendre kn yn gammainc j0 comb".split()
    for names, first in ((one, ""), (two, "1, "), (three, "1, 0, "), (["eval_jacobi"], "1, 0, 0, ")):
        for f in names:
            kinds = "b1 i1 u1 i2 i8 u8 f2 f4 f8".split() + (["c8", "c16"] if f in has_complex else [])
            kinds = [d for d in kinds if not (f == "polygamma" or f.startswith("spherical") and d not in ("i8", "u8", "f8"))]  # digits of float32
            for d in kinds:
                yield "special.%s(%snp.ones(2, '%s'))" % (f, first, d), -2**14
            for d in "i1 f4 f8".split() if first and f != "polygamma" and not f.startswith("spherical") else []:
                yield "special.%s(%snp.ones(2, '%s'))" % (f, first.replace("1", "np.ones(2, '%s')" % d, 1), "f4"), -2**14
                yield "special.%s(%snp.ones(2, '%s'))" % (f, first.replace("1,", "1.0,", 1), d), -2**14
            if f not in ("airy", "ellipj", "sici", "fresnel") and not f.startswith("spherical"):
                yield "special.%s(%snp.ones((2, 3)).T).flags.f_contiguous" % (f, first), 0
            yield "special.%s(%s1)" % (f, first), -2**14
            yield "special.%s(%s2.5)" % (f, first), -2**14
            yield "special.%s(%snp.inf)" % (f, first), -2**14
            yield "special.%s(%snp.nan)" % (f, first), -2**14


def scipy_dtypes(rng):
    """What dtype scipy.linalg computes in: LAPACK's, which 16 bits reach as float32, or NumPy's."""
    for d in "b1 i1 u2 i4 i8 f2 f4 f8 c8 c16".split():
        a = "np.array([[4, 1], [1, 3]]%s).astype('%s')" % (" if 'b1' != '%s' else [[1, 0], [0, 1]]" % d, d)
        for f in ["lu(%s)[1]", "lu_factor(%s)[0]", "cholesky(%s)", "eigvals(%s)", "eigvalsh(%s)", "eigh(%s)[0]", "pinv(%s)", "inv(%s)",
                  "pinvh(%s)", "svdvals(%s)", "det(%s)", "solve(%s, [1, 2])", "expm(%s)", "sqrtm(%s)", "signm(%s)", "cosm(%s)", "sinm(%s)",
                  "tanm(%s)", "funm(%s, np.exp)", "polar(%s)[1]", "subspace_angles(%s, [[1], [0]])", "abs(linalg.qr(%s)[1])",
                  "abs(linalg.rq(%s)[0])", "abs(linalg.orth(%s)) * 0", "abs(linalg.null_space(%s[:1]))", "schur(%s)[0] * 0",
                  "solve_triangular(%s, [1, 2])", "eigvals_banded(%s)", "lstsq(%s, [1, 2])[0]", "issymmetric(%s)", "bandwidth(%s)"]:
            f = f % a if f.startswith("abs(") else "linalg." + f % a
            if d != "f2" or "bandwidth" not in f and "issym" not in f:
                yield "str((%s).dtype)" % f if "bandwidth" not in f and "issym" not in f else f, 0
        for f in ["eigh(%s)[1]", "lu_factor(%s)[0]", "cholesky(%s)", "rq(%s)[0]", "rq(%s)[1]", "pinv(%s)", "qr(%s)[0]"]:
            yield "linalg.%s.flags.f_contiguous" % (f % a), 0
    for f in ["expm([[0, np.inf], [0, 0]])", "sqrtm([[0, 0], [0, np.inf]])", "cosm([[0, np.nan], [0, 0]])", "signm([[0, 0], [0, 0]])",
              "signm([[0, -2], [1, 0]])", "eig([[0, 0], [0, 0]], homogeneous_eigvals=True)[0]", "eigvals_banded(np.zeros((0, 3)))",
              "solve_triangular([[1, np.nan], [0, 1]], [1, 2])", "issymmetric(3)", "eigh(np.eye(2), driver='x')", "logm(np.eye(2), disp=False)"]:
        yield "linalg." + f, -2**13


def scipy_gains(rng):
    """Zeros, poles and gains: dtypes of polynomials, numbers that are no ripple."""
    S = "signal."
    for a in ["0, 0, 0", "[1], [2], 3", "[1.0], [2], 3", "[1], [2.5], 2.0", "[[1, 2], [3, 4]], [2], 3", "0, [1 + 1j, 1 - 1j], 2"]:
        yield S + "zpk2tf(%s)" % a, 64
    for f in ["cheb1ap(2, -1)", "cheb1ap(1, 0)", "cheb2ap(1, -1)", "cheb2ap(5, 0)", "ellipap(1, -2, 0)", "cheby1(1, -2, 0.5)",
              "cheby1(1, 0, 0.5)", "cheb1ap(1, 3)", "cheb2ap(2, 20)", "ellipap(1, 3, 20)[:2]", "lp2hp_zpk([], [-1.0], 1.0, 2)",
              "lp2bp_zpk(0, 0, 2, 0, 0)[2]", "sos2tf([[0, 1, 0, 1, 2, 0]])", "sos2tf([[0, 1, 0, 0]])", "besselap(1)[1].dtype.name"]:
        yield S + f, -2**10


def scipy_measures(rng):
    """Labels that are floats, missing or broadcast; distances where there is no zero."""
    N = "ndimage."
    for f in ["sum_labels", "mean", "variance", "standard_deviation", "minimum", "maximum", "median"]:
        for a in ["1, 2.5, 2", "3, 2.5, [2.5]", "[1, 2], [1.5, 2.5], [2.5]", "5, [2]", "[1, 2], [[1], [1]]", "[4.0, 2], [1, 2], [2, 1, 2]"]:
            if not ("2.5, 2" in a and f in ("minimum", "maximum")) and not ("[[1]" in a and f == "median"):
                yield N + "%s(%s)" % (f, a), 16
    for f in ["mean(0, [])", "sum(0, [])", "mean([1, 2], [1, 1], 3)", "median(1, 1, 3)", "minimum_position([[1, 2], [0, 1]])",
              "center_of_mass([0, 1, 1, 0])", "extrema([3, 1])", "distance_transform_edt([3, 3, 3])",
              "distance_transform_edt(np.ones((2, 3)))", "distance_transform_edt(np.ones((2, 3)), return_indices=True)[1]",
              "distance_transform_edt(np.ones((2, 2)), sampling=2)", "distance_transform_edt(1)", "distance_transform_edt(0)",
              "distance_transform_edt([[1, 0], [1, 1]])"]:
        yield N + f, 16


FAMILIES = {f.__name__: f for f in (scipy_linalg, scipy_filters, scipy_spectra, scipy_morphology,
                                         scipy_special, scipy_loops, scipy_dtypes, scipy_measures, scipy_gains)}
