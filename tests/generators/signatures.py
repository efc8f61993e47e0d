"""Compares the parameters of functions that NumPy and gx both have: tests/generators/signatures.py [GX].
Prints each difference, and exits with 1 where one is not among the known ones below."""
import inspect, re, subprocess, sys
import numpy as np

GX = sys.argv[1] if len(sys.argv) > 1 else './gx'
MODULES = {'np': np, 'np.linalg': np.linalg, 'np.fft': np.fft, 'np.lib.stride_tricks': np.lib.stride_tricks}
TYPES = {'np.ndarray': np.ndarray, 'np.random.Generator': np.random.Generator, 'np.random.RandomState': np.random.RandomState}
# NumPy's that gx has no use for, and gx's own.
KNOWN = {'np.arange', 'np.einsum_path', 'np.ndarray.dot', 'np.ndarray.put', 'np.piecewise'}
IGNORED = {'like', 'subok', 'device', 'signature', 'extobj', 'args', 'kwargs', 'axes', 'axis', 'keepdims'}


def parameters(text):
    inside = text[text.index('(') + 1:text.rindex(')')]
    inside = re.sub(r"'[^']*'|<[^>]*>|\([^()]*\)", 'x', inside)
    names = [p.split('=')[0].strip() for p in inside.split(',')]
    return [n.lstrip('*') for n in names if n and n not in ('/', '*')]


def of_numpy(fn):
    try:
        return list(inspect.signature(fn).parameters)
    except (TypeError, ValueError):
        pass
    first = (fn.__doc__ or '').strip().split('\n\n')[0].replace('\n', ' ')
    first = first[first.find('.') + 1:] if re.match(r'^\w+\.', first) else first
    if '(' not in first or ')' not in first: return None
    return parameters(re.sub(r'[\[\]]', '', first))


def of_gx(names):
    script = 'import numpy as np\n' + ''.join(
        'try: print(%r, "|", %s.__doc__.split("\\n")[0])\nexcept AttributeError: pass\n' % (n, n) for n in names)
    out = subprocess.run([GX, '-c', script], capture_output=True, text=True).stdout
    return dict(line.split(' | ', 1) for line in out.splitlines() if ' | ' in line)


def main():
    every = {}
    for prefix, module in {**MODULES, **TYPES}.items():
        for name in dir(module):
            fn = getattr(module, name)
            if name[0] != '_' and callable(fn) and not isinstance(fn, type): every[prefix + '.' + name] = fn
    have = of_gx(every)
    differ = 0
    for name, fn in sorted(every.items()):
        theirs = of_numpy(fn)
        if name not in have or theirs is None or '(' not in have[name]: continue
        ours = parameters(have[name])
        if isinstance(fn, np.ufunc) or name.startswith('np.random.'): theirs = [p for p in theirs if p != 'self']; ours = [p for p in ours if p != 'self']
        missing = [p for p in theirs if p not in ours and p not in IGNORED and p != 'self']
        extra = [p for p in ours if p not in theirs and p not in IGNORED and p not in ('self', 'a')]
        if missing and not isinstance(fn, np.ufunc):
            differ += name not in KNOWN
            print('%s: NumPy has %s, gx has %s' % (name, ' '.join(missing), ' '.join(extra) or 'nothing else'))
    print(len(have), 'functions compared,', differ, 'differ beyond the known ones')
    return 0 if differ == 0 else 1


if __name__ == '__main__':
    sys.exit(main())
