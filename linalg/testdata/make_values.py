# Writes values.jsonl: functions of matrices as NumPy and SciPy compute them in f64. Exponentials are by mpmath: SciPy's
# are off by up to 680 ε of the largest element.
# Made with Python 3.11, NumPy 2.4.6, SciPy 1.17.1, mpmath 1.4.1: python make_values.py > values.jsonl
import json
import mpmath as mp
import numpy as np, scipy.linalg as sl
rng = np.random.default_rng(5)

def arr(a):
    a = np.asarray(a)
    if np.iscomplexobj(a): return {"shape": list(a.shape), "re": [float(v) for v in a.real.ravel()], "im": [float(v) for v in a.imag.ravel()]}
    return {"shape": list(a.shape), "re": [float(v) for v in a.ravel()]}

def emit(name, y, *xs):
    print(json.dumps({"name": name, "x": [arr(x) for x in xs], "y": arr(y)}))

mp.mp.dps = 60
def expm(a):
    if a.ndim > 2: return np.array([expm(m) for m in a])
    e = mp.expm(mp.matrix(a.tolist()), method="taylor")
    y = np.array([[complex(e[i, j]) for j in range(e.cols)] for i in range(e.rows)])
    return y if np.iscomplexobj(a) else y.real

def real(*s): return rng.normal(size=s)
def cplx(*s): return rng.normal(size=s) + 1j * rng.normal(size=s)
def positive(make, *s):
    a = make(*s)
    return a @ np.swapaxes(a, -1, -2).conj() + np.eye(s[-1])

for make in (real, cplx):
    for n in (1, 2, 5):
        a = make(n, n)
        emit("Solve", np.linalg.solve(a, b := make(n)), a, b)
        emit("Solve", np.linalg.solve(a, b := make(n, 3)), a, b)
        emit("Inv", np.linalg.inv(a), a)
        emit("Det", np.linalg.det(a), a)
        emit("SlogDet.sign", np.linalg.slogdet(a)[0], a)
        emit("SlogDet.log", np.linalg.slogdet(a)[1], a)
        emit("Expm", expm(a), a)
        emit("Expm", expm(a * 20), a * 20)
        emit("MatrixPower3", np.linalg.matrix_power(a, 3), a)
        emit("MatrixPower-2", np.linalg.matrix_power(a, -2), a)
        emit("MatrixPower0", np.linalg.matrix_power(a, 0), a)
        p = positive(make, n, n)
        emit("Cholesky", np.linalg.cholesky(p), p)
        emit("CholSolve", sl.cho_solve((np.linalg.cholesky(p), True), b := make(n, 2)), p, b)
        emit("EigvalsH", np.linalg.eigvalsh(p), p)
        emit("Sqrtm", sl.sqrtm(p), p)
        emit("Funm.exp", expm(p * 0.1), p * 0.1)
        for ord, name in (("fro", 0), ("nuc", 1), (2, 2), (-2, 3), (1, 4), (-1, 5), (np.inf, 6), (-np.inf, 7)):
            emit("Norm%d" % name, np.linalg.norm(a, ord), a)
            emit("Cond%d" % name, np.linalg.cond(a, ord), a)
        t = np.tril(make(n, n)) + 2 * np.eye(n)
        emit("TriangularSolve.lower", sl.solve_triangular(t, b := make(n), lower=True), t, b)
        emit("TriangularSolve.transposed", sl.solve_triangular(t, b := make(n, 2), lower=True, trans="T"), t, b)
    for m, n in ((4, 2), (2, 4), (3, 3)):
        a = make(m, n)
        emit("SingularValues", np.linalg.svd(a, compute_uv=False), a)
        emit("PInv", np.linalg.pinv(a), a)
        emit("Lstsq", np.linalg.lstsq(a, b := make(m, 2))[0], a, b)
        emit("Lstsq", np.linalg.lstsq(a, b := make(m))[0], a, b)
        emit("MatrixRank", np.linalg.matrix_rank(a), a)
        if m >= n: emit("Polar.u", sl.polar(a)[0], a); emit("Polar.p", sl.polar(a)[1], a)
        emit("Norm2", np.linalg.norm(a, 2), a)
    low = make(4, 2) @ make(2, 3)
    emit("MatrixRank", np.linalg.matrix_rank(low), low)
    emit("PInv", np.linalg.pinv(low), low)
    emit("Lstsq", np.linalg.lstsq(low, b := make(4))[0], low, b)
    n = 6
    l, d, u = make(n), make(n) + 3, make(n)
    a = np.diag(d) + np.diag(l[1:], -1) + np.diag(u[:-1], 1)
    emit("TridiagonalSolve", np.linalg.solve(a, b := make(n, 2)), l, d, u, b)
    emit("TridiagonalSolve", np.linalg.solve(a, b := make(n)), l, d, u, b)
    emit("Kron", np.kron(x := make(2, 3), y := make(2, 2)), x, y)
    emit("BlockDiag", sl.block_diag(x := make(2, 3), y := make(1, 2), z := make(2)), x, y, z)
a, b = real(3, 1, 4, 4), real(2, 4, 2)
emit("Solve", np.linalg.solve(a, b), a, b)
emit("Inv", np.linalg.inv(a), a)
emit("Det", np.linalg.det(a), a)
emit("Expm", expm(a), a)
