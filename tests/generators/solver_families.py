"""The generated calls of scipy's solvers, splines, distributions and distances, for make_calls.py: see there
and call_families.py. Tolerances (units of the greatest value's last place) are what the solvers promise, no
more: paths of two solvers may part in the last bits."""

CLOSE, SOLVED, ROUGH = -4096, -1e9, -1e11  # 1e-12, 2e-7 and 2e-5 of the greatest value


def integrate(rng):
    I = "integrate."
    problems = [("lambda t, y: -0.5 * y", "[2.0, 4.0]", 5), ("lambda t, y: [y[1], -y[0]]", "[1.0, 0.0]", 6),
                ("lambda t, y: [1.5 * y[0] - y[0] * y[1], y[0] * y[1] - 3 * y[1]]", "[10.0, 5.0]", 3),
                ("lambda t, y: [-100 * (y[0] - np.cos(t))]", "[0.0]", 2)]
    for f, y0, end in problems:
        for m in ["RK23", "RK45", "DOP853", "Radau", "BDF"]:
            call = I + "solve_ivp(%s, (0, %d), %s, method='%s', rtol=1e-6, atol=1e-9%s)" % (f, end, y0, m, "%s")
            # The steps are SciPy's: the same states, not only the same solution.
            yield call % "" + ".y[:, -1]", ROUGH
            yield call % (", t_eval=[0.0, 0.7, 1.9]") + ".y", ROUGH
            if m in ("RK23", "RK45", "DOP853"):
                yield call % "" + ".nfev", 0
                yield call % (", dense_output=True") + ".sol(np.array([0.3, 1.1]))", ROUGH
            yield call % (", max_step=0.25") + ".y[:, -1]", ROUGH
    ball = I + "solve_ivp(lambda t, y: [y[1], -9.81], (0, 5), [10.0, 3.0], events=lambda t, y: y[0], max_step=0.5)"
    yield ball + ".t_events[0]", SOLVED
    yield ball + ".y_events[0]", SOLVED
    yield I + "solve_ivp(lambda t, y: 1j * y, (0, 1), [1 + 0j]).y[:, -1]", ROUGH
    yield I + "solve_ivp(lambda t, y, a: -a * y, (0, 1), [1.0], args=(3.0,)).y[:, -1]", ROUGH
    yield I + "solve_ivp(lambda t, y: -y, (1, 0), [1.0]).y[:, -1]", ROUGH
    yield I + "odeint(lambda y, t: [y[1], -0.25 * y[1] - 5 * np.sin(y[0])], [3.0, 0.0], [0.0, 1.0, 3.0])", ROUGH
    yield I + "odeint(lambda y, t: [-1000 * (y[0] - np.cos(t))], [0.0], [0.0, 1.0, 2.0])", ROUGH
    for f, a, b in [("lambda x: x**2", 0, 4), ("np.exp", -1, 1), ("lambda x: 1 / np.sqrt(x)", 0, 1), ("np.log", 0, 1),
                    ("lambda x: np.exp(-x)", 0, "np.inf"), ("lambda x: np.exp(-x * x)", "-np.inf", "np.inf"),
                    ("lambda x: np.sin(100 * x)", 0, 3), ("lambda x: abs(x - 0.3)", 0, 1), ("lambda x: 1 / (1 + x * x)", "-np.inf", 0)]:
        yield I + "quad(%s, %s, %s)[0]" % (f, a, b), SOLVED
        yield I + "quad(%s, %s, %s)[0]" % (f, b, a), SOLVED
        yield I + "quad_vec(lambda x: np.array([1.0, 2.0]) * (%s)(x), %s, %s)[0]" % (f, a, b), SOLVED
    yield I + "dblquad(lambda y, x: x * y, 0, 0.5, 0, lambda x: 1 - 2 * x)[0]", SOLVED
    yield I + "nquad(lambda x, y, z: x * y + z, [[0, 1], [0, 2], [1, 2]])[0]", SOLVED
    for d in ["f8", "f4", "i8"]:
        for f in ["trapezoid(%s)", "simpson(%s)", "cumulative_trapezoid(%s)", "cumulative_trapezoid(%s, initial=0)",
                  "cumulative_simpson(%s, dx=0.5)"]:
            for layout in "vmcn":
                yield I + f % ("x('%s%s')" % (d, layout)), CLOSE
            if "simpson(%s, dx" not in f:
                yield I + f.replace("%s", "%s, axis=0") % ("x('%sm')" % d), CLOSE
    for n in range(2, 9):
        yield I + "simpson(np.arange(%d)**3, x=np.arange(%d)**1.5)" % (n, n), CLOSE
        yield I + "newton_cotes(%d)[0]" % n, CLOSE
    yield I + "romb(np.arange(17.0)**2)", CLOSE
    yield I + "fixed_quad(np.cos, 0, 1, n=7)[0]", CLOSE


def optimize(rng):
    O = "optimize."
    for f in ["lambda x: x**3 - 2 * x - 5", "lambda x: np.cos(x) - x", "lambda x: np.exp(x) - 3"]:
        for m in ["brentq", "bisect", "ridder", "toms748"]:
            yield O + "%s(%s, 0.0, 3.0)" % (m, f), SOLVED
        yield O + "newton(%s, 1.5)" % f, SOLVED
        yield O + "newton(%s, [1.5, 1.2])" % f, SOLVED
        yield O + "root_scalar(%s, bracket=[0, 3]).root" % f, SOLVED
    for m in ["brent", "golden"]:
        yield O + "minimize_scalar(lambda x: (x - 2) * x * (x + 2)**2, method='%s').x" % m, ROUGH
    yield O + "minimize_scalar(lambda x: (x - 2)**2 + 1, bounds=(0, 1), method='bounded').fun", ROUGH
    for m in ["nelder-mead", "powell", "cg", "bfgs", "l-bfgs-b"]:
        for start in ["[1.3, 0.7]", "[1.3, 0.7, 0.8, 1.9, 1.2]"]:
            yield O + "minimize(optimize.rosen, %s, method='%s', tol=1e-8).x" % (start, m), -1e12
            if m in ("bfgs", "cg", "l-bfgs-b"):
                yield O + "minimize(optimize.rosen, %s, method='%s', jac=optimize.rosen_der, tol=1e-9).x" % (start, m), ROUGH
                if start.count(",") > 1:
                    yield O + "minimize(optimize.rosen, %s, method='%s', jac=optimize.rosen_der).nit" % (start, m), 0
        if m in ("nelder-mead", "powell", "l-bfgs-b"):
            yield O + "minimize(optimize.rosen, [0.3, 0.7], method='%s', bounds=[(0, 0.6), (0.1, 2)], tol=1e-8).x" % m, -1e12
    for start in ["[1.0, 1.0]", "[4.0, 2.0]"]:
        for f in ["lambda x: [x[0] * np.cos(x[1]) - 4, x[1] * x[0] - x[1] - 5]", "lambda x: [x[0] + x[1] - 3, x[0] - x[1]**2]"]:
            yield O + "fsolve(%s, %s)" % (f, start), ROUGH
            yield O + "root(%s, %s, method='lm').x" % (f, start), ROUGH
    r = "lambda x: np.array([10 * (x[1] - x[0]**2), 1 - x[0]])"
    for m in ["trf", "lm", "dogbox"]:
        yield O + "least_squares(%s, [2, 2], method='%s').x" % (r, m), ROUGH
    yield O + "least_squares(%s, [2, 2], bounds=([-np.inf, 1.5], np.inf)).x" % r, -1e12
    data = "np.linspace(0, 4, 30), 2.5 * np.exp(-1.3 * np.linspace(0, 4, 30)) + 0.5 + 0.1 * np.sin(np.arange(30) * 7)"
    model = "lambda x, a, b, c: a * np.exp(-b * x) + c"
    for more in ["", ", bounds=(0, [3.0, 1.0, 0.5])", ", sigma=np.full(30, 0.2), absolute_sigma=True", ", p0=[2, 1, 0.4]",
                 ", sigma=np.linspace(1, 2, 30)", ", method='trf'"]:
        yield O + "curve_fit(%s, %s%s)" % (model, data, more), -1e12
    for loss in ["soft_l1", "huber", "cauchy", "arctan"]:
        yield O + "least_squares(lambda p: (%s)(np.linspace(0, 4, 30), *p) - (%s)[1], [1, 1, 1], loss='%s', f_scale=0.1).x" % (
            model, data, loss), -1e12
    for n, m in [(3, 3), (4, 6), (6, 4), (8, 8)]:
        yield O + "linear_sum_assignment(np.cos(np.arange(%d).reshape(%d, %d) * 2.7))" % (n * m, n, m), 0
        yield O + "linear_sum_assignment(np.cos(np.arange(%d).reshape(%d, %d) * 2.7), maximize=True)" % (n * m, n, m), 0
    yield O + "rosen_hess([1.0, 2.0, 3.0])", CLOSE
    yield O + "approx_fprime([1.0, 2.0], lambda x: x[0] * x[1])", ROUGH


POINTS = "[0.0, 1.0, 2.5, 3.0, 4.2, 6.0], [0.0, 0.94, 0.85, 0.44, -0.45, 0.32]"
WHERE = "np.linspace(-1, 7, 17)"


def interpolate(rng):
    P = "interpolate."
    for bc in ["'not-a-knot'", "'natural'", "'clamped'", "((1, 0.5), (2, -1.0))"]:
        s = P + "CubicSpline(%s, bc_type=%s)" % (POINTS, bc)
        for use in ["(%s)" % WHERE, "(%s, 1)" % WHERE, ".integrate(0.5, 5)", ".c", ".antiderivative()([2.0])", ".derivative(2)([1.5])"]:
            yield s + use, CLOSE
    yield P + "CubicSpline(%s).roots()" % POINTS, SOLVED
    yield P + "CubicSpline([0, 1, 2.5, 4], [1, 2, 0.5, 1], bc_type='periodic')(%s)" % WHERE, CLOSE
    yield P + "CubicSpline([0.0, 1.0, 3.0], x('f8S'))(%s)" % WHERE, CLOSE
    yield P + "CubicSpline([0.0, 1.0, 3.0], x('f8S'), axis=1)(2.0)", CLOSE
    for c in ["PchipInterpolator", "Akima1DInterpolator"]:
        yield P + "%s(%s)(%s)" % (c, POINTS, WHERE), CLOSE
        yield P + "%s(%s).derivative()(%s)" % (c, POINTS, WHERE), CLOSE
    yield P + "Akima1DInterpolator(%s, method='makima')(%s)" % (POINTS, WHERE), CLOSE
    for k in [0, 1, 2, 3, 4, 5]:
        b = P + "make_interp_spline(%s, k=%d)" % (POINTS, k)
        yield b + "(%s)" % WHERE, -1e6
        if k:
            yield b + ".derivative()(np.linspace(0.1, 5.9, 8))", -1e6
            yield b + ".integrate(0, 5)", -1e6
            yield b + ".t", CLOSE
    for bc in ["'natural'", "'clamped'", "([(1, 0.0)], [(1, 1.0)])"]:
        yield P + "make_interp_spline(%s, bc_type=%s)(%s)" % (POINTS, bc, WHERE), -1e6
    for der, ext in [(0, 0), (1, 1), (2, 0), (0, 3)]:
        yield P + "splev(%s, interpolate.splrep(%s), der=%d, ext=%d)" % (WHERE, POINTS, der, ext), -1e6
    yield P + "splint(0.5, 5, interpolate.splrep(%s))" % POINTS, -1e6
    yield P + "UnivariateSpline(%s, s=0).derivatives(1.0)" % POINTS, -1e6
    for kind in ["linear", "nearest", "nearest-up", "previous", "next", "zero", "slinear", "quadratic", "cubic"]:
        yield P + "interp1d(%s, kind='%s', bounds_error=False, fill_value=(-1, 9))(%s)" % (POINTS, kind, WHERE), -1e6
        yield P + "interp1d(%s, kind='%s', fill_value='extrapolate')(%s)" % (POINTS, kind, WHERE), -1e6
    yield P + "interp1d(%s)(7.0)" % POINTS, 0
    grid = "(np.linspace(0, 3, 5), np.linspace(0, 2, 6)), np.sin(np.arange(30.0)).reshape(5, 6)"
    for m in ["linear", "nearest", "slinear", "pchip"]:
        yield P + "RegularGridInterpolator(%s, method='%s')([[0.5, 0.5], [2.9, 1.9], [1.0, 0.25]])" % (grid, m), -1e6
    yield P + "RegularGridInterpolator(%s, bounds_error=False, fill_value=None)([[4.0, 1.0]])" % grid, CLOSE
    yield P + "interpn(%s, [[1.1, 0.3]])" % grid, CLOSE
    scattered = "np.stack([np.cos(np.arange(12.0)), np.sin(np.arange(12.0) * 1.3)], axis=1)"
    for k in ["linear", "thin_plate_spline", "cubic", "quintic", "multiquadric", "inverse_multiquadric", "gaussian"]:
        yield P + "RBFInterpolator(%s, np.arange(12.0), kernel='%s', epsilon=1.5)([[0.2, 0.1], [-0.5, 0.3]])" % (scattered, k), ROUGH
    yield P + "griddata(%s, np.arange(12.0), [[0.5, 0.5], [0.1, 0.2]], method='nearest')" % scattered, 0
    yield P + "griddata(np.array([0.0, 2.0, 1.0]), np.array([0.0, 4.0, 1.0]), [1.5, 0.2])", CLOSE
    yield P + "PPoly([[1.0, 2.0], [0.5, -1.0], [0.0, 1.0]], [0.0, 1.0, 3.0])([-0.5, 0.5, 2.0, 4.0])", CLOSE
    yield P + "BSpline([0, 1, 2, 3, 4, 5, 6], [-1, 2, 0, -1], 2)([2.5, 3.5])", CLOSE


CONTINUOUS = {"norm": "", "uniform": "", "expon": "", "gamma": "2.5, ", "beta": "2.0, 3.0, ", "t": "4.5, ", "chi2": "3.0, ",
              "f": "5.0, 9.0, ", "lognorm": "0.7, ", "weibull_min": "1.7, ", "weibull_max": "1.7, ", "pareto": "5.5, ",
              "laplace": "", "logistic": "", "cauchy": "", "rayleigh": "", "halfnorm": "", "gumbel_r": "", "gumbel_l": "",
              "invgamma": "5.2, ", "loguniform": "0.5, 4.0, ", "triang": "0.3, ", "chi": "3.0, ", "halfcauchy": "",
              "maxwell": "", "powerlaw": "1.6, "}
DISCRETE = {"poisson": "3.3, ", "binom": "10, 0.3, ", "geom": "0.3, ", "nbinom": "4, 0.4, ", "bernoulli": "0.3, ",
            "randint": "2, 9, "}


def distributions(rng):
    S = "stats."
    for name, args in CONTINUOUS.items():
        for m in ["pdf", "logpdf", "cdf", "sf", "logcdf", "logsf"]:
            yield S + "%s.%s([-2.0, -0.3, 0.2, 0.9, 1.4, 5.0, np.nan], %sloc=0.1, scale=1.5)" % (name, m, args), -1e8
        for m in ["ppf", "isf"]:
            yield S + "%s.%s([0, 0.01, 0.3, 0.5, 0.9, 1, 1.2], %sloc=0.1, scale=1.5)" % (name, m, args), -1e8
        yield S + "%s.stats(%smoments='mvsk')" % (name, args), -1e8
        yield S + "%s(%sscale=2).std()" % (name, args), -1e8
        yield S + "%s(%s).interval(0.9)" % (name, args), -1e8
        yield S + "%s(%s).entropy()" % (name, args), -1e9
        if name not in ("loguniform",):
            yield S + "%s.rvs(%ssize=3, random_state=3)" % (name, args), -1e8
    for name, args in DISCRETE.items():
        for m in ["pmf", "logpmf", "cdf", "sf"]:
            yield S + "%s.%s([-1, 0, 1, 2.5, 3, 9, 10], %sloc=1)" % (name, m, args), -1e8
        for m in ["ppf", "isf"]:
            yield S + "%s.%s([0, 0.01, 0.3, 0.5, 0.9, 1, 1.2], %sloc=1)" % (name, m, args), 0
        yield S + "%s.stats(%smoments='mvsk')" % (name, args), -1e8
        yield S + "%s.rvs(%ssize=4, random_state=3).tolist()" % (name, args), 0
    sample = "np.cos(np.arange(25.0) * 1.7) * 3 + 1"
    for call in ["norm.fit(%s)", "uniform.fit(%s)", "laplace.fit(%s)", "expon.fit(%s)", "gamma.fit(abs(%s), floc=0)",
                 "norm.fit(%s, floc=0)"]:
        yield "np.array(stats." + call % sample + ")", -1e9


def samples(rng):
    S = "stats."
    a, b = "np.cos(np.arange(25.0) * 1.7) * 3 + 1", "np.sin(np.arange(25.0) * 0.7) + np.arange(25) / 10"
    for call in ["skew(A)", "kurtosis(A)", "skew(A, bias=False)", "kurtosis(A, fisher=False, bias=False)", "sem(A)", "zscore(A)",
                 "iqr(A)", "trim_mean(A, 0.1)", "variation(A)", "median_abs_deviation(A)", "percentileofscore(A, 1.2)",
                 "moment(A, 3)", "gmean(abs(A))", "hmean(abs(A))", "entropy(abs(A))", "entropy(abs(A), abs(B), base=2)",
                 "rankdata(A)", "linregress(A, B)[:5]", "pearsonr(A, B)[:2]", "spearmanr(A, B)[:2]", "kendalltau(A, B)[:2]",
                 "ttest_1samp(A, 1.5)[:2]", "ttest_ind(A, B)[:2]", "ttest_ind(A, B, equal_var=False)[:2]",
                 "ttest_rel(A, B, alternative='less')[:2]", "f_oneway(A, B)[:2]", "ks_2samp(A, B)[:2]", "normaltest(A)[:2]",
                 "skewtest(A)[:2]", "kurtosistest(A)[:2]", "jarque_bera(A)[:2]", "mannwhitneyu(A, B)[:2]", "ks_1samp(A, stats.norm.cdf)[:2]",
                 "mannwhitneyu((A)[:5], (B)[:6])[:2]", "ks_1samp((A)[:8], stats.norm.cdf)[:2]", "gaussian_kde(A)([0.0, 1.0, 2.0])",
                 "gaussian_kde(A, 0.4)([0.0, 1.0])", "gaussian_kde(np.stack([A, B]), 'silverman')([[0, 1], [1, 2]])",
                 "gaussian_kde(A).integrate_box_1d(0, 2)", "pearsonr(A, B, alternative='less')[:2]"]:
        yield S + call.replace("A", "(%s)" % a).replace("B", "(%s)" % b), -1e9
    for call in ["mode([1, 2, 2, 3, 3])[:2]", "chisquare([16, 18, 16, 14, 12, 12])[:2]", "rankdata([0, 2, 3, 2], method='max')",
                 "rankdata([0, 2, 3, 2], method='min')", "rankdata([0, 2, 3, 2], method='dense')", "rankdata([[1, 2], [2, 1]], axis=1)",
                 "rankdata([0, 2, 3, 2], method='ordinal')", "power_divergence([16, 18, 16, 14], lambda_='neyman')[:2]"]:
        yield S + call, CLOSE


def distances(rng):
    D = "distance."
    for m in ["euclidean", "sqeuclidean", "cityblock", "chebyshev", "canberra", "braycurtis", "cosine", "correlation",
              "hamming", "jaccard", "minkowski", "seuclidean"]:
        for d in ["f8", "i8"]:
            yield D + "cdist(x('%sS'), y('%sS'), '%s')" % (d, d, m), -1e5
            yield D + "pdist(x('%sS'), '%s')" % (d, m), -1e5
        if m not in ("seuclidean",):
            yield D + "%s(x('f83'), y('f83'))" % m, -1e5
            yield D + "%s(x('f83'), y('f83'), w=[1.0, 2.0, 0.5])" % m, -1e5
    for m in ["dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"]:
        yield "float(" + D + "%s([True, False, True, True], [False, False, True, True]))" % m, CLOSE
    yield D + "cdist(abs(x('f8S')) + 1, abs(y('f8S')) + 1, 'jensenshannon')", -1e6
    yield D + "squareform([1.0, 2.0, 3.0])", 0
    yield D + "squareform(distance.squareform([1.0, 2.0, 3.0]))", 0
    yield D + "mahalanobis([1, 0, 2], [0, 1, 0], np.eye(3) * 2)", CLOSE


FAMILIES = {"solver_" + f.__name__: f for f in (integrate, optimize, interpolate, distributions, samples, distances)}
