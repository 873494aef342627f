"""Draws of jax.random that the whole set of golden data has few of, as JSON lines:
python make_jax.py > jax.jsonl

The first record holds JAX's version. Arrays are as in the golden data: type, shape, bits.
"""
import json

import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp

NAMES = {"float32": "f32", "float64": "f64", "uint32": "u32", "complex64": "c64", "complex128": "c128"}


def array(x):
    x = np.asarray(x)
    return {"dtype": NAMES[str(x.dtype)], "shape": list(x.shape), "bits": x.tobytes().hex()}


print(json.dumps({"fn": "config", "args": {"jax": jax.__version__}}))
number = 0


def draw(fn, check, args, f):
    global number
    number += 1
    key = jax.random.fold_in(jax.random.key(2026), number)
    args = {k: array(v) if isinstance(v, jax.Array) else v for k, v in args.items()}
    print(json.dumps({"id": number, "fn": fn, "key": array(jax.random.key_data(key)), "check": check, "args": args, "out": array(f(key))}))


r = jax.random
for dtype in [jnp.float32, jnp.float64]:
    name = NAMES[jnp.dtype(dtype).name]
    for n, p in [
        (jnp.array([0, 1, 7, 30, 200, 1000], dtype), jnp.array([0.5, 0.25, 0.9, 0.3, 0.75, 0.01], dtype)),
        (jnp.array([[50], [500]], dtype), jnp.array([0.1, 0.5, 0.8], dtype)),
        (jnp.array([10, -1, jnp.inf, 5, jnp.nan, 5], dtype), jnp.array([0.5, 0.5, 0.5, 1.5, 0.5, jnp.nan], dtype)),
    ]:
        shape = list(np.broadcast_shapes(n.shape, p.shape))
        draw("binomial", "exact-int", {"n": n, "p": p, "shape": shape, "dtype": name}, lambda k: r.binomial(k, n, p, shape, dtype))
    for n, p in [
        (jnp.array([10, 100, 0], dtype), jnp.array([[0.2, 0.3, 0.5], [1, 0, 0], [0.1, 0.1, 0.8]], dtype)),
        (jnp.array(40, dtype), jnp.array([1, 2, 3, 4], dtype)),
    ]:
        draw("multinomial", "exact-int", {"n": n, "p": p, "dtype": name}, lambda k: r.multinomial(k, n, p, dtype=dtype))
for dtype in [jnp.float32, jnp.float64, jnp.complex64, jnp.complex128]:
    for n, m, shape in [(5, 2, []), (2, 4, []), (6, 6, []), (3, 4, [2])]:
        draw("orthogonal", "close", {"n": n, "m": m, "shape": shape, "dtype": NAMES[jnp.dtype(dtype).name]}, lambda k: r.orthogonal(k, n, tuple(shape), dtype, m))
