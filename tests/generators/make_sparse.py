"""Writes the tables tests/lang/sparse/*.cases: expressions about sparse arrays with SciPy's answers.

    tests/generators/make_sparse.py          # needs SciPy

What the tables import is tests/lang/sparse/answers.gx, which Python runs as it is."""
import contextlib
import io
import os

ROOM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lang", "sparse")
FORMATS = ["csr", "csc", "coo", "dia", "lil", "dok", "bsr"]


def arithmetic():
    for f in FORMATS:
        for array in (True, False):
            a = "m(%r, %s)" % (f, array)
            for e in ["{} + {}", "{} - m('csr', %s, of=E)" % array, "{} * 2", "2 * {}", "{} / 2", "-{}", "abs({})",
                      "{} @ np.arange(4)", "{} @ np.ones((4, 2))", "np.ones((2, 4)) @ {}", "{} @ {}", "{}.T", "{} * {}",
                      "{} + np.ones((4, 4))", "{}.multiply(np.arange(4))", "{}.maximum(m('csr', %s, of=E))" % array,
                      "{}.minimum(0)", "{} != m('csc', %s, of=E)" % array, "{} > 1", "{} < 0", "{}.power(2)", "{}.conj()",
                      "{}.dot({})", "{}.real", "{}.imag", "{} ** 2", "np.ones(4) - {}", "{} + 1", "{}.multiply({}.T)"]:
                if not (f == "lil" and e == "{}.imag" or f in ("bsr", "lil") and "{}.T)" in e):
                    yield e.format(*[a] * e.count("{}"))
    for f in ["csr", "csc", "coo"]:
        for d in ["i4", "u1", "f4", "c16", "?"]:
            a = "m(%r, True, %r)" % (f, d)
            for e in ["{} + {}", "{} @ {}", "{} * 3", "{}.sum()", "{}.sum(axis=0)", "{}.mean(axis=1)", "{} @ np.arange(4)",
                      "{} / 2", "{} == {}", "{}.astype('f8')"]:
                yield e.format(*[a] * e.count("{}"))


def shapes():
    for f in FORMATS:
        for array in (True, False):
            a = "m(%r, %s)" % (f, array)
            for e in ["{}.sum()", "{}.sum(axis=0)", "{}.sum(axis=1)", "{}.mean()", "{}.mean(axis=0)", "{}.diagonal()",
                      "{}.diagonal(1)", "{}.trace()", "{}.reshape(2, 8)", "{}.reshape((8, -1))", "{}.nonzero()",
                      "{}.count_nonzero()", "{}.toarray()", "{}.tocsr()", "{}.tocsc()", "{}.tocoo()", "{}.todia()",
                      "{}.tolil()", "{}.todok()", "{}.tobsr()", "{}.copy()", "{}.ndim", "{}.transpose()",
                      "changed({}, 'resize', (3, 5))", "changed({}, 'setdiag', 7)", "changed({}, 'setdiag', [1, 2, 3], 1)"]:
                if f != "bsr" or "setdiag" not in e:
                    yield e.format(a)
            if f in ("csr", "csc", "coo", "bsr"):
                for e in ["max()", "min()", "max(axis=0)", "min(axis=1)", "argmax()", "argmin()", "argmax(axis=0)",
                          "argmin(axis=1)", "max(axis=0, explicit=True)"]:
                    if f != "bsr" or "(axis" not in e and "arg" not in e:
                        yield a + "." + e


def indexing():
    keys = ["0", "-1", "(0, 1)", "(3, 2)", "slice(1, 3)", "(slice(None), 1)", "(slice(None, None, 2), slice(1, None))",
            "[0, 3]", "(slice(None), [2, 0])", "([0, 3], [1, 2])", "(np.array([[0], [3]]), [0, 3])", "(1, slice(0, 2))",
            "(slice(None, None, -1), slice(None))", "(0, [1, 3])", "([3, 1], 0)", "np.array([True, False, False, True])",
            "(slice(None), np.array([True, False, False, True]))", "Ellipsis", "(Ellipsis, 0)", "9", "(0, 9)", "[0, 0, 3]",
            "(slice(None), [0, 0, 3])", "(slice(2, 2), slice(None))"]
    for f in ["csr", "csc", "lil", "dok"]:
        for array in (True, False):
            for k in keys:
                if f in ("csr", "csc") or array:
                    yield "m(%r, %s)[%s]" % (f, array, k)
    for f in ["csr", "csc", "lil", "dok"]:
        for k, x in [("(0, 0)", "9"), ("(0, slice(None))", "[1, 0, 0, 2]"), ("(slice(0, 2), slice(0, 2))", "5"),
                     ("([0, 3], [1, 2])", "[7, 8]"), ("(slice(None), 1)", "3"), ("(3, 3)", "0"),
                     ("(np.array([[0], [3]]), [0, 3])", "[[1, 2], [3, 4]]"), ("(0, 0)", "[1, 2]"), ("(9, 0)", "1")]:
            yield "stored(m(%r), %s, %s)" % (f, k, x)


def making():
    yield from """sp.eye(3)
sp.eye(3, 4, k=1, format='csr')
sp.eye_array(3, dtype=int)
sp.eye_array(3, k=-1)
sp.identity(3, format='csc')
sp.diags([1, 2, 3])
sp.diags([[1, 2], [3, 4, 5]], [-1, 0])
sp.diags([1, -2, 1], [-1, 0, 1], shape=(4, 4))
sp.diags_array([[1, 2, 3, 4], [1, 2, 3]], offsets=[0, -1]).tocsr()
sp.diags_array([1.5], offsets=2, shape=(3, 4))
sp.diags([1, 2], [0, 1], shape=(2, 3), format='csr')
sp.spdiags([[1, 2, 3, 4], [5, 6, 7, 8]], [0, 1], 4, 4)
sp.spdiags([[1, 2, 3, 4]], [-1], 4, 4).tocsr()
sp.kron([[1, 2], [3, 4]], [[1, 0], [0, 1]])
sp.kron(m('csr'), [[1, 2]])
sp.kron(m('csr', False), m('coo', False, of=E), format='csr')
sp.kronsum([[1, 2], [3, 4]], [[0, 1], [1, 0]])
sp.hstack([m('csr'), m('csr', of=E)])
sp.hstack([m('csc'), m('csc', of=E)])
sp.vstack([m('csr'), m('csr', of=E)])
sp.vstack([m('coo', False), [[1, 2, 3, 4]]])
sp.hstack([m('coo', False), [[1], [2], [3], [4]]], format='csr')
sp.hstack([m('csr'), m('csr')[:2]])
sp.bmat([[m('csr', False), None], [None, [[1]]]])
sp.block_array([[m('csr'), None], [m('csc'), sp.eye_array(4)]], format='csr')
sp.block_array([[m('csr'), None], [None, None]])
sp.block_diag([m('csr'), [[1, 2]], 3])
sp.block_diag((m('csr', False), m('csr', False)), format='csc')
sp.tril(m('csr'))
sp.triu(m('csr', False), k=1)
sp.tril(D, -1, format='csc')
sp.find(m('csr'))
sp.issparse(D), sp.issparse(m('csr')), sp.isspmatrix(m('csr')), sp.isspmatrix_csr(m('csr', False))
sp.csr_array((3, 4))
sp.csr_array((3, 4), dtype='i2')
sp.csc_matrix((2, 2))
sp.csr_array(([1, 2, 3], [0, 2, 1], [0, 2, 2, 3]))
sp.csr_array(([1, 2, 3], [0, 2, 1], [0, 2, 2, 3]), shape=(3, 5))
sp.csc_array(([1, 2, 3], [0, 2, 1], [0, 2, 2, 3]), shape=(4, 3), dtype='f4')
sp.csr_array(([1, 2, 3], ([0, 1, 1], [2, 0, 0])), shape=(2, 3))
sp.coo_array(([1, 2, 3], ([0, 1, 1], [2, 0, 0])), shape=(2, 3))
sp.coo_array(([1, 2, 3], ([0, 1, 1], [2, 0, 0])), shape=(2, 3)).tocsr()
sp.coo_matrix(([1, 2, 3], ([0, 1, 1], [2, 0, 0])))
sp.dia_array(([[1, 2, 3], [4, 5, 6]], [0, 1]), shape=(3, 3))
sp.dia_array(([[1, 2, 3], [4, 5, 6]], [0, -2]), shape=(3, 4)).T
sp.bsr_array(([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [0, 1], [0, 1, 2]))
sp.bsr_array(np.kron(np.eye(2), np.ones((2, 2))), blocksize=(2, 2))
sp.lil_array((2, 3), dtype=int)
sp.dok_array((2, 3))
sp.csr_array([1, 0, 2])
sp.coo_array([1, 0, 2])
sp.csr_array([1, 0, 2]) + sp.csr_array([1, 0, 2])
sp.csr_array([1, 0, 2]) @ np.arange(3)
sp.csr_array([1, 0, 2]) @ sp.csr_array([1, 0, 2])
sp.csr_array([1, 0, 2])[1:]
sp.csr_array([1, 0, 2])[2]
sp.csr_array([1, 0, 2]).sum()
sp.coo_array(np.ones((2, 2, 2))).sum(axis=0)
sp.coo_array(np.arange(8).reshape(2, 2, 2)).reshape(4, 2)
sp.coo_array(np.arange(8).reshape(2, 2, 2)).transpose((2, 0, 1))
sp.expand_dims(sp.coo_array([1, 0, 2]), axis=1)
sp.swapaxes(sp.coo_array(np.arange(8).reshape(2, 2, 2)), 0, 2)
sp.permute_dims(m('coo'), (1, 0))
sp.random_array((4, 5), density=0.5, rng=3).shape
sp.random(4, 5, density=0.25, format='csr', rng=1)
sp.random_array((4, 5), density=0.25, rng=1)
sp.random_array((3, 3), density=0.5, rng=2, dtype='i4').nnz
sp.csr_array(5)
sp.csr_array(([1, 2], [0], [0, 1]))
sp.csr_array(([1, 2], [0, 5], [0, 1, 2]), shape=(2, 3)).check_format()
sp.csr_array((-1, 2))
sp.coo_array(([1], ([5], [0])), shape=(2, 2))
m('csr') @ np.ones(3)
m('csr') + m('csr')[:2]
m('csr').asformat('nothing')
m('csr') @ 2
m('csr').tobsr(blocksize=(2, 2))
m('csr').tobsr(blocksize=(3, 2))
m('csr').power(0)
m('csr').sum(axis=5)
changed(sp.csr_array(([1, 0, 3], [0, 2, 1], [0, 2, 3]), shape=(2, 3)), 'eliminate_zeros')
changed(sp.csr_array(([1, 2, 3], [2, 2, 0], [0, 2, 3]), shape=(2, 3)), 'sum_duplicates')
changed(sp.csr_array(([1, 2, 3], [2, 0, 0], [0, 2, 3]), shape=(2, 3)), 'sort_indices').indices
sp.csr_array(([1, 2, 3], [2, 0, 0], [0, 2, 3]), shape=(2, 3)).has_sorted_indices
sp.csr_array(([1, 2, 3], [2, 2, 0], [0, 2, 3]), shape=(2, 3)).has_canonical_format
changed(m('csr') @ m('csr'), 'sort_indices').indices
changed(m('csc') @ m('csc'), 'sort_indices').indices
m('csr').indices, m('csr').indptr, m('csr').data
m('csc').indices, m('csc').indptr, m('csc').data
m('coo').row, m('coo').col
m('dia').offsets, m('dia').data
m('csr').getnnz()
m('csr', False).getnnz(axis=0)
m('csr', False).getrow(0), m('csr', False).getcol(0), m('csc', False).getrow(3)
m('csr', False) * m('csr', False)
m('csr', False) ** 3
m('csr', False) * np.arange(4)
printed(m('csr'))
printed(m('csc', False))
printed(m('dia'))
printed(m('lil', False))
printed(m('bsr'))
printed(sp.csr_array((2, 2)))
printed(sp.csr_array(np.ones((10, 10))))
printed(m('coo', True, 'c16'))
printed(sp.csr_array([1, 0, 2]))
printed(m('csr', True, '?'))
printed(m('csr', True, 'f4') / 3)
""".splitlines()


def linear():
    for s in ["cg", "bicg", "bicgstab", "cgs", "gmres", "minres", "tfqmr", "qmr"]:
        yield "sl.%s(L, b8, rtol=1e-10)" % s
        yield "sl.%s(P, b16, rtol=1e-10, x0=np.ones(16))" % s
        yield "sl.%s(L, np.zeros(8))" % s
        yield "sl.%s(P, b16, maxiter=%d)[1]" % (s, 2)
        yield "sl.%s(P, b16[:3])" % s
    for s in ["cg", "bicgstab", "gmres", "cgs"]:
        yield "sl.%s(P, b16, M=sp.diags_array(1 / P.diagonal()), rtol=1e-9)" % s
        yield "sl.%s(Q + 1j * sp.eye_array(4), np.arange(4.0), rtol=1e-10)" % s if s != "cg" else "sl.cg(2 * L, b8)"
    yield from """sl.spsolve(Q, np.arange(4.0))
sl.spsolve(Q.tocsr(), np.eye(4))
sl.spsolve(Q, sp.eye_array(4, format='csc'))
sl.spsolve(sp.csc_array((3, 3)), np.ones(3))
sl.spsolve(Q * 1j, np.arange(4.0))
sl.spsolve(Q.astype('f4'), np.arange(4, dtype='f4'))
sl.spsolve(P, b16)
sl.splu(Q).solve(np.arange(4.0))
sl.splu(Q).solve(np.arange(4.0), 'T')
sl.splu(Q * 1j).solve(np.arange(4.0), 'H')
sl.splu(Q).solve(np.eye(4))
(lambda f: (f.L @ f.U).toarray().sum())(sl.splu(Q))
sl.splu(sp.csc_array((3, 3)))
sl.splu(sp.csc_array((3, 2)))
sl.spilu(Q).solve(np.arange(4.0))
sl.factorized(Q)(np.arange(4.0))
sl.inv(Q)
sl.spsolve_triangular(sp.tril(Q).tocsr(), np.arange(4.0))
sl.spsolve_triangular(sp.triu(Q).tocsc(), np.eye(4), lower=False)
sl.is_sptriangular(sp.tril(Q)), sl.spbandwidth(Q)
sl.norm(Q), sl.norm(Q, 1), sl.norm(Q, np.inf), sl.norm(Q, 'fro'), sl.norm(Q, -1)
sl.norm(Q, axis=0), sl.norm(Q, 1, axis=1), sl.norm(Q, np.inf, axis=0)
sl.norm(Q, 2)
sl.onenormest(Q)
sl.expm(Q / 4)
sl.expm(Q)
sl.expm_multiply(Q / 4, np.arange(4.0))
sl.expm_multiply(Q, np.eye(4)[:, :2])
sl.expm_multiply(Q / 4, np.arange(4.0), start=0, stop=1, num=3)
sl.matrix_power(Q, 3)
sl.lsqr(sp.csr_array(np.arange(12.0).reshape(4, 3) ** 2), np.arange(4.0))[0]
sl.lsqr(L, b8)[0]
sl.lsqr(L, b8, damp=0.5)[0]
sl.lsqr(L, b8, atol=1e-10, btol=1e-10)[1:3]
sl.lsmr(L, b8, atol=1e-12, btol=1e-12)[0]
sl.lsmr(L, b8, damp=0.5)[0]
sl.eigsh(P, k=3, return_eigenvectors=False)
sl.eigsh(P, k=3, which='SA', return_eigenvectors=False)
sl.eigsh(P, k=3, which='SM', return_eigenvectors=False)
sl.eigsh(P, k=4, which='BE', return_eigenvectors=False)
sl.eigsh(P, k=3, sigma=0, return_eigenvectors=False)
sl.eigsh(P, k=2, sigma=3.1, return_eigenvectors=False)
sl.eigsh(P, k=2, M=sp.diags_array(np.arange(1.0, 17)), return_eigenvectors=False)
sl.eigsh(P, k=2, M=sp.diags_array(np.arange(1.0, 17)), sigma=0.1, return_eigenvectors=False)
(lambda w, v: abs(P @ v - v * w).max() < 1e-9)(*sl.eigsh(P, k=3))
np.sort(abs(sl.eigs(Q, k=2, return_eigenvectors=False)))
np.sort(abs(sl.eigs(P, k=3, sigma=1, return_eigenvectors=False)))
(lambda w, v: abs(Q @ v - v * w).max() < 1e-9)(*sl.eigs(Q, k=2))
sl.svds(Q, k=2, return_singular_vectors=False)
sl.svds(P[:, :7], k=3, which='SM', return_singular_vectors=False)
(lambda u, s, v: abs((u * s) @ v - Q.toarray()).max() < 9)(*sl.svds(Q, k=3))
sl.eigsh(P, k=0)
sl.eigsh(P, k=3, which='XX')
sl.svds(Q, k=9)
sl.aslinearoperator(Q) @ np.arange(4.0)
sl.aslinearoperator(Q).H @ np.arange(4.0)
sl.aslinearoperator(Q).T.matvec(np.arange(4.0))
(2 * sl.aslinearoperator(Q) + sl.aslinearoperator(Q)) @ np.arange(4.0)
(sl.aslinearoperator(Q) * sl.aslinearoperator(Q)).matmat(np.eye(4))
(sl.aslinearoperator(Q) ** 2).matvec(np.ones(4))
repr(sl.aslinearoperator(Q)), repr(sl.LinearOperator((2, 2), matvec=lambda v: v))
sl.LinearOperator((2, 3), matvec=lambda v: v[:2], dtype=float) @ np.ones((3, 2))
sl.LinearOperator((2, 3), matvec=lambda v: v[:2], dtype=float).rmatvec(np.ones(2))
sl.cg(sl.LinearOperator((8, 8), matvec=lambda v: L @ v), b8, rtol=1e-10)
sl.cg(L, b8, atol=-1)
""".splitlines()


def graphs():
    yield from """cg.connected_components(G)
cg.connected_components(G, connection='strong')
cg.connected_components(H, directed=False)
cg.connected_components(sp.block_diag([H, H]), directed=False)
cg.connected_components(sp.block_array([[H, None], [None, G]]), connection='strong')
cg.shortest_path(G)
cg.shortest_path(H, directed=False)
cg.shortest_path(G, indices=0, return_predecessors=True)
cg.shortest_path(G, unweighted=True)
cg.dijkstra(G, indices=0, return_predecessors=True)
cg.dijkstra(H, indices=[0, 2], limit=12)
cg.dijkstra(H, directed=False, unweighted=True)
cg.dijkstra(H, indices=[0, 2], min_only=True)
cg.bellman_ford(G, indices=0, return_predecessors=True)
cg.bellman_ford(G)
cg.bellman_ford(sp.csr_array([[0, -1], [-1, 0]]))
cg.johnson(G, return_predecessors=True)
cg.floyd_warshall(H)
cg.floyd_warshall(G, return_predecessors=True)
cg.minimum_spanning_tree(H)
cg.breadth_first_order(G, 0)
cg.breadth_first_order(H, 2, directed=False, return_predecessors=False)
cg.depth_first_order(G, 0)
cg.depth_first_order(H, 2, directed=False)
cg.breadth_first_tree(G, 0)
cg.depth_first_tree(G, 0)
cg.laplacian(H)
cg.laplacian(H, normed=True)
cg.laplacian(H.toarray(), return_diag=True)
cg.laplacian(G, use_out_degree=True)
cg.laplacian(G, symmetrized=True)
cg.reconstruct_path(G, np.array([-9999, 0, 0, 1, -9999], dtype='i4'))
cg.construct_dist_matrix(G, cg.floyd_warshall(G, return_predecessors=True)[1])
cg.csgraph_from_dense(np.array([[0, 1], [np.inf, 2.0]]))
cg.csgraph_to_dense(G)
cg.reverse_cuthill_mckee(H)
cg.maximum_bipartite_matching(G)
cg.maximum_bipartite_matching(G, perm_type='column')
cg.structural_rank(G), cg.structural_rank(H)
cg.maximum_flow(G.astype('i4'), 0, 3).flow_value
cg.dijkstra(G, indices=9)
""".splitlines()


TABLES = {"arithmetic": arithmetic, "shapes": shapes, "indexing": indexing, "making": making, "linear": linear,
          "graphs": graphs}


def main():
    names = {}
    with open(os.path.join(ROOM, "answers.gx")) as f:
        exec(f.read(), names)
    for table, cases in TABLES.items():
        out = ["# SciPy's answers, by tests/generators/make_sparse.py.", "@ from answers import *",
               "@@ show(lambda: ({}))", ""]
        for case in dict.fromkeys(cases()):
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                exec("show(lambda: (%s))" % case, dict(names))
            out += [case] + ["= " + line if line else "=" for line in said.getvalue().rstrip("\n").split("\n")]
        with open(os.path.join(ROOM, table + ".cases"), "w") as f:
            f.write("\n".join(out) + "\n")


main()
