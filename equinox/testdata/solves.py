"""Records programs that solve by Lineax's iterative solvers, their derivatives and batches, with JAX's results.

    python equinox/testdata/solves.py

Needs lineax 0.1.1, equinox 0.13.8 and jax 0.10.2. Run by hand; no test needs Python.
"""
import gzip
import json
import pathlib
import re

import jax
import jax.numpy as jnp
import lineax as lx
import numpy as np

rng = np.random.default_rng(0)
f32 = np.float32
N = 6
half = rng.normal(size=(N, N)).astype(f32)
definite = (half @ half.T + N * np.eye(N)).astype(f32)
general = (half + N * np.eye(N)).astype(f32)
tall = rng.normal(size=(8, 5)).astype(f32)
b = rng.normal(size=N).astype(f32)
b8 = rng.normal(size=8).astype(f32)
tol = dict(rtol=1e-4, atol=1e-4)
psd, nsd = lx.positive_semidefinite_tag, lx.negative_semidefinite_tag


def matrix(solver, tags=(), options=lambda A: {}, throw=True):
    def f(A, b):
        operator = lx.MatrixLinearOperator(A, tags)
        return jnp.sum(lx.linear_solve(operator, b, solver, options=options(A), throw=throw).value ** 2)

    return f


def function(solver, tags=(), throw=True):
    def f(A, b):
        def apply(x):
            y = A @ jnp.concatenate([x["a"], x["b"]])
            return {"a": y[:2], "b": y[2:]}

        like = {"a": jax.ShapeDtypeStruct((2,), f32), "b": jax.ShapeDtypeStruct((N - 2,), f32)}
        operator = lx.FunctionLinearOperator(apply, like, tags)
        x = lx.linear_solve(operator, {"a": b[:2], "b": b[2:]}, solver, throw=throw).value
        return jnp.sum(x["a"] ** 2) + jnp.sum(jnp.sin(x["b"]))

    return f


def jacobian(solver):
    def f(A, b):
        operator = lx.JacobianLinearOperator(lambda x, _: A @ x + 0.1 * jnp.sin(x), b)
        return jnp.sum(lx.linear_solve(operator, b, solver).value ** 2)

    return f


def scaled(A):
    return lx.MatrixLinearOperator(jnp.diag(1 / jnp.diag(A)), psd)


def diagonal(A):
    return lx.TaggedLinearOperator(lx.DiagonalLinearOperator(1 / jnp.diag(A)), psd)


cg = lx.CG(**tol)
programs = {
    "cg": (matrix(cg, psd), definite, b),
    "cg_negative": (matrix(cg, nsd), -definite, b),
    "cg_three_steps": (matrix(lx.CG(**tol, stabilise_every=None, max_steps=3), psd, throw=False), definite, b),
    "cg_rms": (matrix(lx.CG(**tol, norm=lx.internal.rms_norm, stabilise_every=1, max_steps=50), psd), definite, b),
    "cg_from": (matrix(cg, psd, lambda A: {"preconditioner": scaled(A), "y0": jnp.ones(N, f32)}), definite, b),
    "cg_diagonal": (matrix(cg, psd, lambda A: {"preconditioner": diagonal(A)}), definite, b),
    "cg_function": (function(cg, psd), definite, b),
    "gmres": (matrix(lx.GMRES(**tol)), general, b),
    "gmres_restart": (matrix(lx.GMRES(**tol, restart=3, max_steps=100)), general, b),
    "gmres_function": (function(lx.GMRES(**tol)), general, b),
    "gmres_jacobian": (jacobian(lx.GMRES(**tol)), general, b),
    "gmres_scaled": (matrix(lx.GMRES(**tol), (), lambda A: {"preconditioner": scaled(A)}), general, b),
    "bicgstab": (matrix(lx.BiCGStab(**tol), throw=False), definite, np.abs(b)),
    "bicgstab_function": (function(lx.BiCGStab(**tol, max_steps=50), throw=False), definite, np.abs(b)),
    "lsmr": (matrix(lx.LSMR(**tol)), general, b),
    "lsmr_tall": (matrix(lx.LSMR(**tol)), tall, b8),
    "lsmr_wide": (matrix(lx.LSMR(**tol)), tall.T.copy(), b[:5]),
    "lsmr_function": (function(lx.LSMR(**tol)), general, b),
    "normal": (matrix(lx.Normal(cg)), general, b),
    "normal_tall": (matrix(lx.Normal(cg)), tall, b8),
    "normal_wide": (matrix(lx.Normal(cg)), tall.T.copy(), b[:5]),
    "normal_cholesky": (matrix(lx.Normal(lx.Cholesky())), tall, b8),
}


def array(a):
    a = np.asarray(a)
    return {"dtype": {"float32": "f32", "int32": "i32"}[str(a.dtype)], "shape": list(a.shape), "bits": a.tobytes().hex()}


def record(out, name, f, *args):
    try:
        text, results = str(jax.make_jaxpr(f)(*args)), jax.tree.leaves(jax.jit(f)(*args))
    except Exception as e:  # a solve that fails, or an option without a derivative
        print(name, str(e).splitlines()[0][:100])
        return
    text = re.sub("0x[0-9a-f]{6,}", "0xXXXXXXXXXXXX", text)
    out.write(json.dumps({"id": name, "text": text, "in": [array(a) for a in args], "out": [array(a) for a in results]}) + "\n")


with gzip.GzipFile(pathlib.Path(__file__).with_name("solves.jsonl.gz"), "w", mtime=0) as file:
    class Text:
        write = staticmethod(lambda s: file.write(s.encode()))

    for name, (f, A, v) in programs.items():
        both = jax.value_and_grad(f, argnums=(0, 1))
        record(Text, name, f, A, v)
        record(Text, name + ".grad", both, A, v)
        v3 = np.stack([v, 2 * v, v[::-1]])
        record(Text, name + ".batch", jax.vmap(both), np.stack([A, A * f32(1.1), A * f32(0.8)]), v3)
        record(Text, name + ".vectors", jax.vmap(f, in_axes=(None, 0)), A, v3)
