/* scipy.signal's filters beside those of sp_filter.c and changes of the rate: sosfiltfilt,
   savgol_filter, resample, decimate, medfilt and others, written in gx. */
#include "stdlib/written_int.h"

extern const gx_native gx_sp_filters_functions[];

static const char text[] =
    "def _sections(sos):\n"
    "    sos = np.atleast_2d(np.asarray(sos))\n"
    "    if sos.ndim != 2: raise ValueError('sos array must be 2D')\n"
    "    if sos.shape[1] != 6: raise ValueError('sos array must be shape (n_sections, 6)')\n"
    "    if not (sos[:, 3] == 1).all(): raise ValueError('sos[:, 3] should be all ones')\n"
    "    return sos\n"
    "def sosfilt(sos, x, axis=-1, zi=None):\n"
    "    sos, x = _sections(sos), np.asarray(x)\n"
    "    kind = np.result_type(sos, x, 'float32')\n"
    "    wide = np.result_type(kind, 'float64')\n"
    "    y = x.astype(wide)\n"
    "    if zi is None:\n"
    "        for row in sos: y = sp.signal.lfilter(row[:3], row[3:], y, axis)\n"
    "        return y.astype(kind)\n"
    "    zi = np.asarray(zi)\n"
    "    shape = list(x.shape)\n"
    "    shape[axis] = 2\n"
    "    if zi.shape != (len(sos), *shape):\n"
    "        raise ValueError(f'Invalid zi shape. With axis={axis}, an input with shape "
    "{x.shape}, and an sos array with '\n"
    "                         f'{len(sos)} sections, zi must have shape {(len(sos), "
    "*shape)}, got {zi.shape}.')\n"
    "    zf = []\n"
    "    for row, z in zip(sos, zi):\n"
    "        y, z = sp.signal.lfilter(row[:3], row[3:], y, axis, z)\n"
    "        zf.append(z)\n"
    "    return y.astype(kind), np.stack(zf)\n"
    "def sosfilt_zi(sos):\n"
    "    sos = _sections(sos) + 0.0\n"
    "    zi, scale = [], 1.0\n"
    "    for row in sos:\n"
    "        zi.append(scale * sp.signal.lfilter_zi(row[:3], row[3:]))\n"
    "        scale = scale * row[:3].sum() / row[3:].sum()\n"
    "    return np.stack(zi)\n"
    "def _part(x, axis, start, stop, step=None):\n"
    "    index = [slice(None)] * x.ndim\n"
    "    index[axis] = slice(start, stop, step)\n"
    "    return x[tuple(index)]\n"
    "def _extended(x, kind, edge, axis):\n"
    "    if edge == 0: return x\n"
    "    n = x.shape[axis]\n"
    "    first, last = _part(x, axis, 0, 1), _part(x, axis, n - 1, n)\n"
    "    if kind == 'constant':\n"
    "        return np.concatenate([np.repeat(first, edge, axis), x, np.repeat(last, edge, "
    "axis)], axis)\n"
    "    low = np.flip(_part(x, axis, 1, edge + 1), axis)\n"
    "    high = np.flip(_part(x, axis, n - 1 - edge, n - 1), axis)\n"
    "    if kind == 'even': return np.concatenate([low, x, high], axis)\n"
    "    return np.concatenate([2 * first - low, x, 2 * last - high], axis)\n"
    "def sosfiltfilt(sos, x, axis=-1, padtype='odd', padlen=None):\n"
    "    sos, x = _sections(sos), np.asarray(x)\n"
    "    taps = 2 * len(sos) + 1\n"
    "    taps -= min(int((sos[:, 2] == 0).sum()), int((sos[:, 5] == 0).sum()))\n"
    "    if padtype not in ('even', 'odd', 'constant', None):\n"
    "        raise ValueError(f\"Unknown value '{padtype}' given to padtype. padtype must "
    "be 'even', 'odd', 'constant', or None.\")\n"
    "    edge = 0 if padtype is None else taps * 3 if padlen is None else padlen\n"
    "    if x.shape[axis] <= edge:\n"
    "        raise ValueError(f'The length of the input vector x must be greater than "
    "padlen, which is {edge}.')\n"
    "    e = _extended(x, padtype, edge, axis)\n"
    "    shape = [len(sos)] + [1] * x.ndim\n"
    "    shape[axis if axis < 0 else axis + 1] = 2\n"
    "    zi = sosfilt_zi(sos).reshape(shape)\n"
    "    for _ in range(2):\n"
    "        z = zi * _part(e, axis, 0, 1)\n"
    "        e = np.flip(sosfilt(sos, e, axis, z)[0], axis)\n"
    "    return _part(e, axis, edge, e.shape[axis] - edge)\n"
    "def lfiltic(b, a, y, x=None):\n"
    "    b, a, y = np.trim_zeros(np.atleast_1d(b), 'b') + 0.0, np.atleast_1d(a) + 0.0, "
    "np.atleast_1d(y)\n"
    "    N, M = len(a) - 1, len(b) - 1\n"
    "    if N < 0 or a[0] == 0: raise ValueError('First element of `a` must be nonzero.')\n"
    "    K = max(M, N)\n"
    "    x = np.zeros(M) if x is None else np.atleast_1d(x) + 0.0\n"
    "    x = np.append(x, np.zeros(max(0, M - len(x))))\n"
    "    y = np.append(y + 0.0, np.zeros(max(0, N - len(y))))\n"
    "    zi = np.zeros(K)\n"
    "    for m in range(M): zi[m] = (b[m + 1:] * x[:M - m]).sum()\n"
    "    for m in range(N): zi[m] -= (a[m + 1:] * y[:N - m]).sum()\n"
    "    return zi / a[0] if a[0] != 1 else zi\n"
    "def deconvolve(signal, divisor):\n"
    "    num, den = np.atleast_1d(signal), np.atleast_1d(divisor)\n"
    "    if num.ndim > 1: raise ValueError('signal must be 1-D.')\n"
    "    if den.ndim > 1: raise ValueError('divisor must be 1-D.')\n"
    "    N, D = len(num), len(den)\n"
    "    if D > N: return np.zeros(0), num\n"
    "    quot, left = [], num.astype(np.result_type(num, den, 'float64'))\n"
    "    for k in range(N - D + 1):\n"
    "        quot.append(left[k] / den[0])\n"
    "        left[k:k + D] -= quot[k] * den\n"
    "    quot = np.stack(quot)\n"
    "    return quot, num - np.convolve(den, quot)\n"
    "def _kernel2(in1, in2, mode, boundary, fillvalue, turn):\n"
    "    a, b = np.asarray(in1), np.asarray(in2)\n"
    "    name = 'correlate2d' if turn else 'convolve2d'\n"
    "    if a.ndim != 2 or b.ndim != 2: raise ValueError(f'{name} inputs must both be 2-D "
    "arrays')\n"
    "    if mode not in ('full', 'same', 'valid'): raise ValueError(\"Acceptable mode "
    "flags are 'valid', 'same', or 'full'.\")\n"
    "    pads = {'fill': 'constant', 'pad': 'constant', 'wrap': 'wrap', 'circular': "
    "'wrap', 'symm': 'symmetric', 'symmetric': 'symmetric'}\n"
    "    if boundary not in pads: raise ValueError(\"Acceptable boundary flags are 'fill', "
    "'circular' (or 'wrap'), and 'symmetric' (or 'symm').\")\n"
    "    swap = mode == 'valid' and (b.shape[0] > a.shape[0] or b.shape[1] > a.shape[1])\n"
    "    if swap:\n"
    "        if b.shape[0] < a.shape[0] or b.shape[1] < a.shape[1]:\n"
    "            raise ValueError(\"For 'valid' mode, one must be at least as large as the "
    "other in every dimension\")\n"
    "        a, b = b, a\n"
    "    f = sp.signal.correlate if turn else sp.signal.convolve\n"
    "    m, n = b.shape\n"
    "    plain = pads[boundary] == 'constant' and fillvalue == 0\n"
    "    if mode == 'valid': r = f(a, b, 'valid', 'direct')\n"
    "    elif plain: r = f(a, b, 'full', 'direct')\n"
    "    else:\n"
    "        more = {'constant_values': fillvalue} if pads[boundary] == 'constant' else {}\n"
    "        r = f(np.pad(a, [(m - 1, m - 1), (n - 1, n - 1)], mode=pads[boundary], "
    "**more), b, 'valid', 'direct')\n"
    "    if mode == 'same':\n"
    "        i, j = (m // 2, n // 2) if turn else ((m - 1) // 2, (n - 1) // 2)\n"
    "        r = r[i:i + a.shape[0], j:j + a.shape[1]]\n"
    "    return r[::-1, ::-1].conj() if swap and turn else r\n"
    "def convolve2d(in1, in2, mode='full', boundary='fill', fillvalue=0):\n"
    "    return _kernel2(in1, in2, mode, boundary, fillvalue, False)\n"
    "def correlate2d(in1, in2, mode='full', boundary='fill', fillvalue=0):\n"
    "    return _kernel2(in1, in2, mode, boundary, fillvalue, True)\n"
    "def oaconvolve(in1, in2, mode='full', axes=None):\n"
    "    a, b = np.asarray(in1), np.asarray(in2)\n"
    "    if a.ndim != b.ndim: raise ValueError('in1 and in2 should have the same "
    "dimensionality')\n"
    "    if axes is None: return sp.signal.fftconvolve(a, b, mode)\n"
    "    axes = [i % a.ndim for i in ([axes] if np.ndim(axes) == 0 else axes)]\n"
    "    if not a.size or not b.size: return np.zeros(0)\n"
    "    size = [a.shape[i] + b.shape[i] - 1 for i in axes]\n"
    "    real = a.dtype.kind != 'c' and b.dtype.kind != 'c'\n"
    "    there, back = (np.fft.rfftn, np.fft.irfftn) if real else (np.fft.fftn, np.fft.ifftn)\n"
    "    r = back(there(a, s=size, axes=axes) * there(b, s=size, axes=axes), s=size, axes=axes)\n"
    "    if mode == 'full': return r\n"
    "    for i in axes:\n"
    "        n, m = a.shape[i], b.shape[i]\n"
    "        first, count = ((m - 1) // 2, n) if mode == 'same' else (min(n, m) - 1, abs(n "
    "- m) + 1)\n"
    "        r = _part(r, i, first, first + count)\n"
    "    return r\n"
    "def choose_conv_method(in1, in2, mode='full', measure=False):\n"
    "    a, b = np.asarray(in1), np.asarray(in2)\n"
    "    return 'fft' if 'f' in a.dtype.kind + b.dtype.kind and min(a.size, b.size) > 300 "
    "else 'direct'\n"
    "def correlation_lags(in1_len, in2_len, mode='full'):\n"
    "    full = np.arange(-in2_len + 1, in1_len)\n"
    "    if mode == 'full': return full\n"
    "    if mode == 'same':\n"
    "        first = full.size // 2 - in1_len // 2\n"
    "        return full[first:first + in1_len]\n"
    "    if mode != 'valid': raise ValueError(f\"Mode {mode} is invalid\")\n"
    "    bound = in1_len - in2_len\n"
    "    return np.arange(bound + 1) if bound >= 0 else np.arange(bound, 1)\n"
    "def savgol_coeffs(window_length, polyorder, deriv=0, delta=1.0, pos=None, use='conv'):\n"
    "    from math import factorial\n"
    "    if polyorder >= window_length: raise ValueError('polyorder must be less than "
    "window_length.')\n"
    "    half, odd = divmod(window_length, 2)\n"
    "    if pos is None: pos = half if odd else half - 0.5\n"
    "    if not 0 <= pos < window_length: raise ValueError('pos must be nonnegative and "
    "less than window_length.')\n"
    "    if use not in ('conv', 'dot'): raise ValueError(\"`use` must be 'conv' or 'dot'\")\n"
    "    if deriv > polyorder: return np.zeros(window_length)\n"
    "    x = np.arange(-pos, window_length - pos) + 0.0\n"
    "    if use == 'conv': x = x[::-1]\n"
    "    A = x ** np.arange(polyorder + 1)[:, None]\n"
    "    y = np.zeros(polyorder + 1)\n"
    "    y[deriv] = factorial(deriv) / delta ** deriv\n"
    "    return np.linalg.lstsq(A, y, rcond=None)[0]\n"
    "def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode='interp',\n"
    "        cval=0.0):\n"
    "    if mode not in ('mirror', 'constant', 'nearest', 'interp', 'wrap'):\n"
    "        raise ValueError(\"mode must be 'mirror', 'constant', 'nearest' 'wrap' or "
    "'interp'.\")\n"
    "    x = np.asarray(x)\n"
    "    if x.dtype.name not in ('float64', 'float32'): x = x.astype('float64')\n"
    "    c = savgol_coeffs(window_length, polyorder, deriv, delta)\n"
    "    if mode != 'interp':\n"
    "        return sp.ndimage.convolve1d(x, c, axis=axis, mode=mode, cval=cval)\n"
    "    n = x.shape[axis]\n"
    "    if window_length > n:\n"
    "        raise ValueError(\"If mode is 'interp', window_length must be less than or "
    "equal to the size of x.\")\n"
    "    y = sp.ndimage.convolve1d(x, c, axis=axis, mode='constant')\n"
    "    half = window_length // 2\n"
    "    t = np.moveaxis(x, axis, 0)\n"
    "    r = np.moveaxis(y, axis, 0).copy()\n"
    "    at = np.arange(window_length) + 0.0\n"
    "    for start, first, last in ((0, 0, half), (n - window_length, n - half, n)):\n"
    "        part = t[start:start + window_length]\n"
    "        fit = np.polyfit(at, part.reshape(window_length, -1), polyorder)\n"
    "        for _ in range(deriv):\n"
    "            fit = fit[:-1] * np.arange(len(fit) - 1, 0, -1)[:, None] if len(fit) > 1 "
    "else fit * 0\n"
    "        where = np.arange(first - start, last - start) + 0.0\n"
    "        values = sum(fit[k] * where[:, None] ** (len(fit) - 1 - k) for k in "
    "range(len(fit)))\n"
    "        r[first:last] = (values / delta ** deriv).reshape(last - first, *t.shape[1:])\n"
    "    return np.moveaxis(r, 0, axis)\n"
    "def resample(x, num, t=None, axis=0, window=None, domain='time'):\n"
    "    x = np.asarray(x)\n"
    "    if domain not in ('time', 'freq'): raise ValueError(f\"Parameter "
    "domain={domain!r} not in ('time', 'freq')!\")\n"
    "    num = int(num)\n"
    "    if num < 1: raise ValueError(f'Parameter num={num} is not a positive integer!')\n"
    "    if x.dtype.kind in 'biu': x = x + 0.0\n"
    "    x = np.moveaxis(x, axis, -1)\n"
    "    n = x.shape[-1]\n"
    "    real = domain == 'time' and x.dtype.kind != 'c'\n"
    "    X = x if domain == 'freq' else np.fft.rfft(x) if real else np.fft.fft(x)\n"
    "    if window is not None:\n"
    "        if callable(window): w = window(np.fft.fftfreq(n))\n"
    "        elif not isinstance(window, (tuple, str)): w = np.asarray(window)\n"
    "        else: w = np.fft.ifftshift(sp.signal.get_window(window, n))\n"
    "        if real:\n"
    "            w = w + np.append(w[:1], w[:0:-1])\n"
    "            X = X * (w[:X.shape[-1]] / 2)\n"
    "        else: X = X * w\n"
    "    m = min(num, n)\n"
    "    half = m // 2 + 1\n"
    "    if real:\n"
    "        Y = np.zeros(x.shape[:-1] + (num // 2 + 1,), X.dtype)\n"
    "        Y[..., :half] = X[..., :half]\n"
    "        if m % 2 == 0 and num != n:\n"
    "            Y[..., m // 2] *= 2.0 if num < n else 0.5\n"
    "        y = np.fft.irfft(Y, num)\n"
    "    else:\n"
    "        Y = np.zeros(x.shape[:-1] + (num,), X.dtype)\n"
    "        Y[..., :half] = X[..., :half]\n"
    "        if m > 2: Y[..., half - m:] = X[..., half - m:]\n"
    "        if m % 2 == 0 and num < n: Y[..., -(m // 2)] += X[..., m // 2] if m // 2 != "
    "num - m // 2 else X[..., n - m // 2]\n"
    "        if m % 2 == 0 and num < n and m == num: Y[..., m // 2] = X[..., m // 2] + "
    "X[..., n - m // 2]\n"
    "        if m % 2 == 0 and num > n:\n"
    "            Y[..., m // 2] *= 0.5\n"
    "            Y[..., num - m // 2] = Y[..., m // 2]\n"
    "        y = np.fft.ifft(Y)\n"
    "    y = np.moveaxis(y * (num / n), -1, axis)\n"
    "    if y.dtype.kind == 'f' and x.dtype.name == 'float32': y = y.astype('float32')\n"
    "    if t is None: return y\n"
    "    t = np.asarray(t)\n"
    "    return y, np.arange(num) * (t[1] - t[0]) * n / num + t[0]\n"
    "def upfirdn(h, x, up=1, down=1, axis=-1, mode='constant', cval=0):\n"
    "    h, x = np.asarray(h), np.asarray(x)\n"
    "    if h.ndim != 1 or not h.size: raise ValueError('h must be 1-D with non-zero length')\n"
    "    if up < 1 or down < 1: raise ValueError('Both up and down must be >= 1')\n"
    "    if mode != 'constant' or cval: raise ValueError(\"upfirdn: mode must be "
    "'constant' with cval 0 in gx\")\n"
    "    x = np.moveaxis(x, axis, -1)\n"
    "    n = x.shape[-1]\n"
    "    kind = np.result_type(h, x, 'float32')\n"
    "    wide = np.zeros(x.shape[:-1] + ((n - 1) * up + 1,), kind)\n"
    "    wide[..., ::up] = x\n"
    "    r = sp.signal.convolve(wide, h.reshape([1] * (x.ndim - 1) + [-1]))\n"
    "    return np.moveaxis(r[..., ::down], -1, axis).astype(kind)\n"
    "def resample_poly(x, up, down, axis=0, window=('kaiser', 5.0), padtype='constant',\n"
    "        cval=None):\n"
    "    from math import gcd\n"
    "    x = np.asarray(x)\n"
    "    if up != int(up) or down != int(down): raise ValueError('up and down must be "
    "integers')\n"
    "    up, down = int(up), int(down)\n"
    "    if up < 1 or down < 1: raise ValueError('up and down must be >= 1')\n"
    "    if cval is not None and padtype != 'constant':\n"
    "        raise ValueError('cval has no effect when padtype is ' + padtype)\n"
    "    g = gcd(up, down)\n"
    "    up, down = up // g, down // g\n"
    "    if up == 1 and down == 1: return x.copy()\n"
    "    n = x.shape[axis]\n"
    "    count = -(-n * up // down)\n"
    "    if not isinstance(window, (tuple, str)):\n"
    "        h = np.asarray(window)\n"
    "        half = (len(h) - 1) // 2\n"
    "    else:\n"
    "        most = max(up, down)\n"
    "        half = 10 * most\n"
    "        h = sp.signal.firwin(2 * half + 1, 1.0 / most, window=window)\n"
    "        if x.dtype.name in ('float32', 'complex64'): h = h.astype('float32')\n"
    "    h = h * up\n"
    "    pad, back = 0, None\n"
    "    if padtype in ('mean', 'median', 'minimum', 'maximum'):\n"
    "        f = {'mean': np.mean, 'median': np.median, 'minimum': np.min, 'maximum': "
    "np.max}[padtype]\n"
    "        back = f(x, axis=axis, keepdims=True)\n"
    "        x = x - back\n"
    "    elif padtype != 'constant' or cval:\n"
    "        pad = (len(h) // (up * down) + 2) * down\n"
    "        x = _padded(x, pad, axis, padtype, cval)\n"
    "    before = down - half % down\n"
    "    after = 0\n"
    "    while -(-((n - 1) * up + len(h) + before + after) // down) < count + (before + "
    "half) // down: after += 1\n"
    "    h = np.concatenate([np.zeros(before, h.dtype), h, np.zeros(after, h.dtype)])\n"
    "    first = (before + half) // down + pad * up // down\n"
    "    y = _part(upfirdn(h, x, up, down, axis), axis, first, first + count)\n"
    "    return y if back is None else y + back\n"
    "def _padded(x, pad, axis, padtype, cval):\n"
    "    n = x.shape[axis]\n"
    "    widths = [(0, 0)] * x.ndim\n"
    "    widths[axis] = (pad, pad)\n"
    "    if padtype == 'constant': return np.pad(x, widths, mode='constant', "
    "constant_values=cval)\n"
    "    if padtype in ('symmetric', 'reflect', 'edge', 'wrap'): return np.pad(x, widths, "
    "mode=padtype)\n"
    "    if padtype != 'line':\n"
    "        raise ValueError(f\"padtype must be one of: constant, line, mean, median, "
    "minimum, maximum, symmetric, reflect, edge, wrap; got {padtype!r}\")\n"
    "    shape = [1] * x.ndim\n"
    "    shape[axis] = pad\n"
    "    first, last = _part(x, axis, 0, 1), _part(x, axis, n - 1, n)\n"
    "    slope = (last - first) / max(n - 1, 1)\n"
    "    out = np.arange(1.0, pad + 1).reshape(shape).astype(slope.real.dtype)\n"
    "    return np.concatenate([first - slope * np.flip(out, axis), x, last + slope * "
    "out], axis)\n"
    "def decimate(x, q, n=None, ftype='iir', axis=-1, zero_phase=True):\n"
    "    x = np.asarray(x)\n"
    "    if q != int(q): raise TypeError(f'q must be an integer, not {q}')\n"
    "    kind = x.dtype if x.dtype.kind in 'fc' else np.dtype('float64')\n"
    "    if ftype not in ('iir', 'fir'): raise ValueError('invalid ftype')\n"
    "    if ftype == 'fir':\n"
    "        half = 10 * q\n"
    "        n = 2 * half if n is None else n\n"
    "        b = sp.signal.firwin(n + 1, 1.0 / q, window='hamming').astype(kind)\n"
    "        if zero_phase: return resample_poly(x.astype(kind), 1, q, axis, b)\n"
    "        count = -(-x.shape[axis] // q)\n"
    "        return _part(upfirdn(b, x, 1, q, axis), axis, 0, count)\n"
    "    n = 8 if n is None else n\n"
    "    sos = sp.signal.cheby1(n, 0.05, 0.8 / q, "
    "output='sos').astype(kind.name.replace('complex128', 'float64').replace('complex64', "
    "'float32'))\n"
    "    y = sosfiltfilt(sos, x, axis) if zero_phase else sosfilt(sos, x, axis)\n"
    "    return _part(y, axis, None, None, q)\n"
    "def medfilt(volume, kernel_size=None):\n"
    "    x = np.atleast_1d(volume)\n"
    "    if x.dtype.kind in 'bc': raise ValueError(f'dtype={x.dtype} is not supported by "
    "medfilt')\n"
    "    size = [3] * x.ndim if kernel_size is None else kernel_size\n"
    "    size = [int(size)] * x.ndim if np.ndim(size) == 0 else [int(i) for i in size]\n"
    "    if any(i % 2 != 1 for i in size): raise ValueError('Each element of kernel_size "
    "should be odd.')\n"
    "    return sp.ndimage.median_filter(x, size=tuple(size), mode='constant', cval=0)\n"
    "def medfilt2d(input, kernel_size=3):\n"
    "    x = np.asarray(input)\n"
    "    if x.ndim != 2: raise ValueError('medfilt2d needs an image of two axes')\n"
    "    return medfilt(x, kernel_size)\n"
    "def order_filter(a, domain, rank):\n"
    "    domain = np.asarray(domain)\n"
    "    if any(n % 2 != 1 for n in domain.shape):\n"
    "        raise ValueError('Each dimension of domain argument should have an odd number "
    "of elements.')\n"
    "    return sp.ndimage.rank_filter(np.asarray(a), rank, footprint=domain, "
    "mode='constant', cval=0)\n"
    "def wiener(im, mysize=None, noise=None):\n"
    "    im = np.asarray(im)\n"
    "    size = [3] * im.ndim if mysize is None else mysize\n"
    "    size = [int(size)] * im.ndim if np.ndim(size) == 0 else [int(i) for i in size]\n"
    "    ones = np.ones(size)\n"
    "    total = 1\n"
    "    for n in size: total *= n\n"
    "    mean = sp.signal.correlate(im, ones, 'same', 'direct') / total\n"
    "    var = sp.signal.correlate(im ** 2, ones, 'same', 'direct') / total - mean ** 2\n"
    "    if noise is None: noise = var.mean()\n"
    "    r = (im - mean) * (1 - noise / np.where(var == 0, 1, var)) + mean\n"
    "    return np.where(var < noise, mean, r)\n"
    "def hilbert2(x, N=None):\n"
    "    x = np.atleast_2d(x)\n"
    "    if x.ndim > 2: raise ValueError('x must be 2-D.')\n"
    "    if x.dtype.kind == 'c': raise ValueError('x must be real.')\n"
    "    shape = x.shape if N is None else (N, N) if np.ndim(N) == 0 else tuple(N)\n"
    "    z = np.fft.fft2(x, shape)\n"
    "    m, n = (shape[0] + 1) // 2, (shape[1] + 1) // 2\n"
    "    z[1:m] *= 2\n"
    "    z[:, 1:n] *= 2\n"
    "    z[m:] = 0\n"
    "    z[:, n:] = 0\n"
    "    return np.fft.ifft2(z)\n"
    "def unit_impulse(shape, idx=None, dtype=None):\n"
    "    r = np.zeros(shape, dtype or 'float64')\n"
    "    if idx is None: idx = (0,) * r.ndim\n"
    "    elif isinstance(idx, str) and idx == 'mid': idx = tuple(n // 2 for n in r.shape)\n"
    "    elif np.ndim(idx) == 0: idx = (idx,) * r.ndim\n"
    "    r[tuple(idx)] = 1\n"
    "    return r\n"
    "def gausspulse(t, fc=1000, bw=0.5, bwr=-6, tpr=-60, retquad=False, retenv=False):\n"
    "    if fc < 0: raise ValueError(f'Center frequency (fc={fc:.2f}) must be >=0.')\n"
    "    if bw <= 0: raise ValueError(f'Fractional bandwidth (bw={bw:.2f}) must be > 0.')\n"
    "    if bwr >= 0: raise ValueError(f'Reference level for bandwidth (bwr={bwr:.2f}) "
    "must be < 0 dB')\n"
    "    a = -(np.pi * fc * bw) ** 2 / (4.0 * np.log(10.0 ** (bwr / 20.0)))\n"
    "    if isinstance(t, str):\n"
    "        if t != 'cutoff': raise ValueError(\"If `t` is a string, it must be 'cutoff'\")\n"
    "        if tpr >= 0: raise ValueError('Reference level for time cutoff must be < 0 dB')\n"
    "        return np.sqrt(-np.log(10.0 ** (tpr / 20.0)) / a)\n"
    "    t = np.asarray(t)\n"
    "    env = np.exp(-a * t * t)\n"
    "    out = (env * np.cos(2 * np.pi * fc * t),)\n"
    "    if retquad: out += (env * np.sin(2 * np.pi * fc * t),)\n"
    "    if retenv: out += (env,)\n"
    "    return out[0] if len(out) == 1 else out\n"
    "def sweep_poly(t, poly, phi=0):\n"
    "    c = np.atleast_1d(poly)\n"
    "    whole = np.append(c / np.arange(len(c), 0, -1), 0.0)\n"
    "    return np.cos(2 * np.pi * np.polyval(whole, np.asarray(t)) + phi * np.pi / 180)\n"
    "def argrelextrema(data, comparator, axis=0, order=1, mode='clip'):\n"
    "    data = np.asarray(data)\n"
    "    if order != int(order) or order < 1: raise ValueError('Order must be an int >= 1')\n"
    "    n = data.shape[axis]\n"
    "    at = np.arange(n)\n"
    "    good = np.ones(data.shape, dtype=bool)\n"
    "    for k in range(1, int(order) + 1):\n"
    "        up, down = at + k, at - k\n"
    "        if mode == 'wrap': up, down = up % n, down % n\n"
    "        else: up, down = np.clip(up, 0, n - 1), np.clip(down, 0, n - 1)\n"
    "        good &= comparator(data, np.take(data, up, axis=axis))\n"
    "        good &= comparator(data, np.take(data, down, axis=axis))\n"
    "    return np.nonzero(good)\n"
    "def argrelmax(data, axis=0, order=1, mode='clip'):\n"
    "    return argrelextrema(data, np.greater, axis, order, mode)\n"
    "def argrelmin(data, axis=0, order=1, mode='clip'):\n"
    "    return argrelextrema(data, np.less, axis, order, mode)\n";

static bool written_fn(gx_call *c, gx_value *out) {
    return gx_written_call(c, "scipy.signal.filters", text, out);
}

const gx_native gx_sp_filters_functions[] = {
    {"sosfilt",
     "sosfilt(sos, x, axis=-1, zi=None)",
     "A signal filtered by second-order sections; with zi also what the filter remembers.",
     "scipy.signal.sosfilt([[1, 1, 0, 1, 0, 0]], [1.0, 2, 3])  # [1. 3. 5.]",
     written_fn, 0, 0},
    {"sosfilt_zi",
     "sosfilt_zi(sos)",
     "What second-order sections remember after an endless step of height 1.",
     "scipy.signal.sosfilt_zi([[1.0, 1, 0, 1, 0.5, 0]]).round(6).tolist()  # [[0.333333, 0.0]]",
     written_fn, 0, 0},
    {"sosfiltfilt",
     "sosfiltfilt(sos, x, axis=-1, padtype='odd', padlen=None)",
     "A signal filtered forwards and backwards by second-order sections, which delays nothing.",
     "scipy.signal.sosfiltfilt([[0.5, 0.5, 0, 1, 0, 0]], [1.0, 3, 1, 3], padlen=2)  # [1. 2. 2. "
     "3.]",
     written_fn, 0, 0},
    {"lfiltic",
     "lfiltic(b, a, y, x=None)",
     "What a filter remembers after outputs y and inputs x, the newest first.",
     "scipy.signal.lfiltic([1.0], [1.0, -0.5], [4.0])  # [2.]",
     written_fn, 0, 0},
    {"deconvolve",
     "deconvolve(signal, divisor)",
     "Quotient and rest of a division of polynomials: the inverse of convolve.",
     "scipy.signal.deconvolve([1.0, 3.0, 2.0], [1.0, 1.0])  # (array([1., 2.]), array([0., 0., "
     "0.]))",
     written_fn, 0, 0},
    {"convolve2d",
     "convolve2d(in1, in2, mode='full', boundary='fill', fillvalue=0)",
     "The convolution of two images, beyond whose edge lies fillvalue, or the image again.",
     "scipy.signal.convolve2d([[1, 2]], [[1, 1]]).tolist()  # [[1, 3, 2]]",
     written_fn, 0, 0},
    {"correlate2d",
     "correlate2d(in1, in2, mode='full', boundary='fill', fillvalue=0)",
     "The correlation of two images, beyond whose edge lies fillvalue, or the image again.",
     "scipy.signal.correlate2d([[1, 2]], [[0, 1]]).tolist()  # [[1, 2, 0]]",
     written_fn, 0, 0},
    {"oaconvolve",
     "oaconvolve(in1, in2, mode='full', axes=None)",
     "The convolution by Fourier transforms, along all axes or some.",
     "scipy.signal.oaconvolve([1, 2], [1, 1, 1]).round(6)  # [1. 3. 3. 2.]",
     written_fn, 0, 0},
    {"choose_conv_method",
     "choose_conv_method(in1, in2, mode='full', measure=False)",
     "Which way of convolve is chosen for these arrays: 'direct' or 'fft'.",
     "scipy.signal.choose_conv_method([1.0, 2.0], [1.0])  # direct",
     written_fn, 0, 0},
    {"correlation_lags",
     "correlation_lags(in1_len, in2_len, mode='full')",
     "By how much in1 lags behind in2 at each element of their correlation.",
     "scipy.signal.correlation_lags(3, 2)  # [-1  0  1  2]",
     written_fn, 0, 0},
    {"savgol_coeffs",
     "savgol_coeffs(window_length, polyorder, deriv=0, delta=1.0, pos=None, use='conv')",
     "The weights by which savgol_filter fits a polynomial to each window.",
     "scipy.signal.savgol_coeffs(3, 1).round(6)  # [0.333333 0.333333 0.333333]",
     written_fn, 0, 0},
    {"savgol_filter",
     "savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode='interp', "
     "cval=0.0)",
     "A signal smoothed, or its derivative, by fitting a polynomial to each window.",
     "scipy.signal.savgol_filter([1.0, 2.0, 3.0, 4.0], 3, 1).round(6)  # [1. 2. 3. 4.]",
     written_fn, 0, 0},
    {"resample",
     "resample(x, num, t=None, axis=0, window=None, domain='time')",
     "A signal with num numbers in the place of its own, by Fourier transforms.",
     "scipy.signal.resample([1.0, 2.0, 1.0, 0.0], 2).round(6)  # [1. 1.]",
     written_fn, 0, 0},
    {"upfirdn",
     "upfirdn(h, x, up=1, down=1, axis=-1, mode='constant', cval=0)",
     "A signal with up - 1 zeros after each number, filtered by h, of which every down-th is "
     "kept.",
     "scipy.signal.upfirdn([1, 1], [1, 2], 2)  # [1. 1. 2. 2.]",
     written_fn, 0, 0},
    {"resample_poly",
     "resample_poly(x, up, down, axis=0, window=('kaiser', 5.0), padtype='constant', cval=None)",
     "A signal at up / down times its rate, by a filter between the two.",
     "scipy.signal.resample_poly([1.0, 1.0, 1.0, 1.0], 1, 2).round(3)  # [0.716 1.134]",
     written_fn, 0, 0},
    {"decimate",
     "decimate(x, q, n=None, ftype='iir', axis=-1, zero_phase=True)",
     "Every q-th number of a signal after a filter against aliases.",
     "scipy.signal.decimate(ones(40), 4).shape  # (10,)",
     written_fn, 0, 0},
    {"medfilt",
     "medfilt(volume, kernel_size=None)",
     "The median of each neighbourhood, zeros beyond the edges.",
     "scipy.signal.medfilt([1.0, 9.0, 2.0, 3.0])  # [1. 2. 3. 2.]",
     written_fn, 0, 0},
    {"medfilt2d",
     "medfilt2d(input, kernel_size=3)",
     "The median of each neighbourhood of an image, zeros beyond the edges.",
     "scipy.signal.medfilt2d([[1.0, 9.0, 2.0]], 3).tolist()  # [[0.0, 0.0, 0.0]]",
     written_fn, 0, 0},
    {"order_filter",
     "order_filter(a, domain, rank)",
     "The number of this rank in each neighbourhood, zeros beyond the edges.",
     "scipy.signal.order_filter([1.0, 9.0, 2.0], [1, 1, 1], 2)  # [9. 9. 9.]",
     written_fn, 0, 0},
    {"wiener",
     "wiener(im, mysize=None, noise=None)",
     "Wiener's filter: noise is taken where the signal varies little.",
     "scipy.signal.wiener([1.0, 1.0, 1.0, 1.0, 9.0], 3).round(3)  # [0.667 1.    1.    2.15  "
     "6.858]",
     written_fn, 0, 0},
    {"hilbert2",
     "hilbert2(x, N=None)",
     "The analytic signal of an image of real numbers.",
     "scipy.signal.hilbert2([[1.0, 0.0], [0.0, 1.0]]).real.tolist()  # [[0.5, 0.5], [0.5, 0.5]]",
     written_fn, 0, 0},
    {"unit_impulse",
     "unit_impulse(shape, idx=None, dtype=None)",
     "Zeros with a single one: at the start, at idx, or in the middle ('mid').",
     "scipy.signal.unit_impulse(4, 2)  # [0. 0. 1. 0.]",
     written_fn, 0, 0},
    {"gausspulse",
     "gausspulse(t, fc=1000, bw=0.5, bwr=-6, tpr=-60, retquad=False, retenv=False)",
     "A tone of frequency fc under a bell: a pulse.",
     "scipy.signal.gausspulse([0.0, 0.001]).round(6)  # [1.       0.409433]",
     written_fn, 0, 0},
    {"sweep_poly",
     "sweep_poly(t, poly, phi=0)",
     "A tone whose frequency is a polynomial of time.",
     "scipy.signal.sweep_poly([0.0, 0.5], [1.0, 0.0]).round(6)  # [1.       0.707107]",
     written_fn, 0, 0},
    {"argrelextrema",
     "argrelextrema(data, comparator, axis=0, order=1, mode='clip')",
     "The positions of elements that compare so with their neighbours on both sides.",
     "scipy.signal.argrelextrema(array([1, 3, 2]), greater)[0]  # [1]",
     written_fn, 0, 0},
    {"argrelmax",
     "argrelmax(data, axis=0, order=1, mode='clip')",
     "The positions of elements greater than their neighbours.",
     "scipy.signal.argrelmax([1, 3, 2])[0]  # [1]",
     written_fn, 0, 0},
    {"argrelmin",
     "argrelmin(data, axis=0, order=1, mode='clip')",
     "The positions of elements less than their neighbours.",
     "scipy.signal.argrelmin([3, 1, 2])[0]  # [1]",
     written_fn, 0, 0},
    {.name = NULL},
};
