"""Writes signs.jsonl: eigh, svd and eig of random matrices by JAX 0.10.2 on a CPU (NumPy 2.4.6, SciPy 1.17.1).

One line a matrix: {F, Dtype, In, Values, Vectors}. Of svd the vectors are those of the left side.
"""
import json, jax, numpy as np
jax.config.update("jax_enable_x64", True)
from jax._src.lax import linalg as L
rng = np.random.default_rng(19)


def flat(x):
    x = np.asarray(x).ravel()
    part = lambda v: [float(str(u)) for u in v]  # the fewest digits that its type reads back
    return {"Shape": [n, n] if x.size == n * n else [n], "Re": part(x.real), **({"Im": part(x.imag)} if np.iscomplexobj(x) else {})}


with open("signs.jsonl", "w") as w:
    for f in ("eigh", "svd", "eig"):
        for dt in ("float32", "float64", "complex64", "complex128"):
            for n in (2, 3, 4, 5, 6, 6):
                a = rng.standard_normal((n, n)) * 3
                if dt.startswith("c"): a = a + 1j * rng.standard_normal((n, n)) * 3
                a = np.round(a, 2).astype(dt)
                if f == "eigh": a = (a + a.conj().T) / 2
                if f == "eigh": v, x = L.eigh_p.bind(a, lower=True, sort_eigenvalues=True, subset_by_index=None, algorithm=None)
                elif f == "svd": x, v, _ = L.svd_p.bind(a, compute_uv=True, full_matrices=True, subset_by_index=None, algorithm=None)
                else: x, v = L.eig_p.bind(a, compute_left_eigenvectors=False, compute_right_eigenvectors=True, enable_eigvec_derivs=False, implementation=None)
                w.write(json.dumps({"F": f, "Dtype": dt, "In": flat(a), "Values": flat(x), "Vectors": flat(v)}) + "\n")
