"""Writes large_signs.jsonl: the signs of eigenvectors and singular vectors of more than 25 rows by JAX 0.10.2 on a CPU (NumPy 2.4.6,
SciPy 1.17.1), where LAPACK divides and conquers.

One line a matrix: {F, Dtype, Upper, Shape, At, Re, Im}. The matrix is that of large(): Hermitian ones are its mean with its adjoint. Of
each vector there is the row of its largest element and that element. Of svd the vectors are those of the left side, and Re and Im those
of the right ones follow.
"""
import json, jax, numpy as np
jax.config.update("jax_enable_x64", True)
from jax._src.lax import linalg as L


def large(m, n, seed):
    out = []
    for _ in range(m * n):
        seed = (seed * 1103515245 + 12345) % 2**31
        out.append(((seed >> 16) % 1024 - 512) / 64)
    return np.array(out).reshape(m, n)


with open("large_signs.jsonl", "w") as w:
    for f, upper, m, n in [("eigh", u, k, k) for k in (26, 31, 40) for u in (False, True)] + [("svd", False, *s) for s in ((26, 26), (31, 27), (27, 31), (60, 28), (28, 60))]:
        for dt in ("float32", "float64", "complex64", "complex128"):
            a = large(m, n, 1)
            if dt.startswith("c"): a = a + 1j * large(m, n, 2)
            if f == "eigh": a = (a + a.conj().T) / 2
            a = a.astype(dt)
            if f == "eigh": vs = [L.eigh_p.bind(a, lower=not upper, sort_eigenvalues=True, subset_by_index=None, algorithm=None)[0]]
            else:
                _, u, vt = L.svd_p.bind(a, compute_uv=True, full_matrices=False, subset_by_index=None, algorithm=None)
                vs = [u, vt.T]
            vs = [np.asarray(v).astype(complex) for v in vs]
            at = [[int(np.argmax(abs(v[:, k]))) for k in range(v.shape[1])] for v in vs]
            el = [v[i, k] for v, ix in zip(vs, at) for k, i in enumerate(ix)]
            line = {"F": f, "Dtype": dt, "Upper": upper, "Shape": [m, n], "At": sum(at, []), "Re": [round(x.real, 3) for x in el]}
            if dt.startswith("c"): line["Im"] = [round(x.imag, 3) for x in el]
            w.write(json.dumps(line) + "\n")
