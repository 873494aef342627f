"""Exports functions with JAX and writes what random stacks of transformations make of them.

    python stablehlo/testdata/exports/stacks.py SEED WORDS_PER_FUNCTION DIR

NAME.mlir is a function of one array of f64. NAME.npz has, for each word, the operand x.WORD and
the result y.WORD of the function that the word's letters make, from the first on: g is the
gradient of the sum of sines, p the tangent along cos(x), v maps over a new leading axis of two,
j stages.

Needs jax (0.10.2 was used). Run by hand.
"""
import pathlib
import random
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")  # locations name files without their directories
random.seed(int(sys.argv[1]))
rng = np.random.RandomState(int(sys.argv[1]))
out = pathlib.Path(sys.argv[3])
out.mkdir(exist_ok=True)
weights = [rng.randn(3, 3) / 2, rng.randn(2, 1, 2, 2), rng.randn(6, 8) / 2]


def network(x):
    y = lax.conv_general_dilated(x.reshape(1, 1, 5, 4), weights[1], (1, 1), "SAME")
    y = lax.reduce_window(y, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "SAME")
    return jax.nn.log_softmax(y.reshape(2, -1))


def recurrent(x):
    def cell(c, x):
        h, s = c
        i, f, o, g = jnp.split(jnp.concatenate([x, h]) @ jnp.concatenate([weights[2][:3], weights[2][3:5]]), 4)
        s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(s), s), s
    return lax.scan(cell, (jnp.zeros(2), jnp.zeros(2)), x, reverse=True)[1]


def attention(x):
    s = x @ x.T / 2
    s = jnp.where(jnp.tril(jnp.ones(s.shape, bool)), s, -1e9)
    return jax.nn.softmax(s) @ x


def ordering(x):
    y = jnp.sort(x)[::-1].cumsum()
    return y + jnp.take(x, jnp.argsort(x)) * lax.top_k(x, 6)[0] + jax.ops.segment_sum(x, jnp.array([0, 1, 1, 4, 0, 9]), 6)


def updates(x):
    y = x.at[jnp.array([1, 1, 3])].add(x[:3] * 2).at[jnp.array([0, 4])].multiply(x[2:4], unique_indices=True)
    y = lax.dynamic_update_slice(y, y[1:3] ** 2, (jnp.argmax(x),))
    return y.at[2].set(jnp.prod(x[3:]))


def factors(x):
    a = x @ x.T + 3 * jnp.eye(3)
    q, r = jnp.linalg.qr(x.T)
    w, v = jnp.linalg.eigh(a)
    return (jnp.linalg.cholesky(a) @ jnp.linalg.solve(a, x)).sum() + jnp.abs(r).sum() + (q ** 2).sum(1) + ((v * w ** 1.5) @ v.T).sum() + jnp.linalg.slogdet(a)[1] + jnp.linalg.svd(x, compute_uv=False).sum()


def spectra(x):
    y = jnp.fft.rfft(x) * jnp.exp(1j * jnp.arange(4))
    return jnp.fft.irfft(y, 7) + jnp.abs(jnp.fft.fft(x)) ** 2


def loops(x):
    y = lax.fori_loop(0, 4, lambda i, c: jnp.tanh(c @ weights[0]) + i * c[::-1], x)
    return lax.cond(x[0] > 0, lambda y: jnp.sin(y), lambda y: y * y, y)


def special(x):  # whose operations an export keeps: it writes lgamma and others as sums of many terms
    p = jnp.abs(x) + 0.5
    return jax.scipy.special.erf(x) * jnp.sinh(x) + jnp.arctan2(x, p) + jnp.cbrt(p) + jnp.expm1(x) * jnp.log1p(p) + lax.rsqrt(p) + jnp.arcsinh(x) + jnp.arccosh(p + 1) + jnp.arctanh(jnp.tanh(x) / 2) + jnp.arccos(jnp.sin(x) / 2)


def windows(x):
    y = lax.reduce_window(x, 0.0, lax.add, (2, 3), (1, 2), [(1, 0), (0, 2)], (2, 1), (1, 2))
    z = lax.cumprod(x, axis=1, reverse=True) + lax.cummax(x, axis=0) + lax.cumlogsumexp(x, axis=1)
    return lax.pad(y, 0.5, [(1, -1, 1), (0, 1, 0)]).sum() + z


def products(x):
    y = jnp.einsum("abc,cbd->dab", x, x.transpose(2, 1, 0))
    return jnp.einsum("dab,abc->dc", y, x) / (1 + jnp.abs(y).max())


def linear(x):
    return jnp.linalg.inv(x + 4 * jnp.eye(3)) @ jax.scipy.linalg.expm(x / 3) + jax.scipy.linalg.solve_triangular(x + 5 * jnp.eye(3), x, lower=True)


FUNCTIONS = {network: (5, 4), recurrent: (4, 3), attention: (4, 3), ordering: (6,), updates: (6,), factors: (3, 4), spectra: (7,), loops: (3,), special: (5,), windows: (3, 4), products: (2, 3, 4), linear: (3, 3)}
MAKE = {
    "g": lambda f: jax.grad(lambda x: jnp.sin(f(x)).sum()),
    "p": lambda f: lambda x: jax.jvp(f, (x,), (jnp.cos(x),))[1],
    "v": jax.vmap,
    "j": jax.jit,
}
for f, shape in FUNCTIONS.items():
    name = f.__name__
    (out / f"{name}.mlir").write_text(jax.export.export(jax.jit(f), platforms=["cpu"])(jax.ShapeDtypeStruct(shape, jnp.float64)).mlir_module())
    arrays = {}
    while len(arrays) < 2 * int(sys.argv[2]):
        word = "".join(random.choice("ggpvvj") for _ in range(random.randrange(2, 5)))
        if word.count("g") + word.count("p") > 2 or word.count("v") > 2 or f"x.{word}" in arrays or not set(word) & set("gp"):
            continue
        g, size = f, shape
        for letter in word:
            g, size = MAKE[letter](g), (2, *size) if letter == "v" else size
        x = rng.randn(*size)
        arrays[f"x.{word}"], arrays[f"y.{word}"] = x, np.asarray(g(x))
    np.savez_compressed(out / f"{name}.npz", **arrays)
