"""Runs jax.image and writes what it does: python make_image.py > image.jsonl

The first record holds the version of JAX.
"""
import json

import jax
import jax.numpy as jnp
import numpy as np

print(json.dumps({"jax": jax.__version__}))
rng = np.random.default_rng(1)


def flat(x):
    return [float("%.9g" % v) for v in np.asarray(x, np.float64).ravel()]


def resize(shape, to, method, antialias=True, dtype="float32"):
    x = rng.normal(size=shape) * 4
    x = jnp.asarray(x.astype(dtype))
    y = jax.image.resize(x, to, method, antialias=antialias)
    rec = {"method": method, "antialias": antialias, "dtype": dtype, "shape": shape, "x": flat(x), "to": to, "y": flat(y), "type": str(y.dtype)}
    if dtype == "float32":
        r = jnp.asarray(rng.normal(size=to), jnp.float32)
        g = jax.grad(lambda x: (jax.image.resize(x, to, method, antialias=antialias) * r).sum())(x)
        rec |= {"r": flat(r), "dx": flat(g)}
    print(json.dumps(rec))


for method in ["nearest", "linear", "cubic", "cubic-pytorch", "lanczos3", "lanczos5", "area"]:
    for antialias in [True, False]:
        resize((2, 5, 4), (2, 8, 7), method, antialias)
        resize((9, 6), (4, 5), method, antialias)
    resize((5, 4), (2, 8), method, dtype="int32")
resize((4, 3), (0, 3), "linear")
resize((4, 3), (4, 3), "linear", dtype="int32")


def scale_and_translate(shape, to, axes, scale, translation, method, antialias=True):
    x = jnp.asarray(rng.normal(size=shape), jnp.float32)
    r = jnp.asarray(rng.normal(size=to), jnp.float32)
    f = lambda x, s, t: jax.image.scale_and_translate(x, to, axes, s, t, method, antialias=antialias)
    s, t = jnp.asarray(scale, jnp.float32), jnp.asarray(translation, jnp.float32)
    y = f(x, s, t)
    dx, ds, dt = jax.grad(lambda *a: (f(*a) * r).sum(), (0, 1, 2))(x, s, t)
    print(json.dumps({"method": method, "antialias": antialias, "dtype": "float32", "shape": shape, "x": flat(x), "to": to, "y": flat(y), "type": str(y.dtype), "r": flat(r),
                      "axes": axes, "scale": flat(s), "translation": flat(t), "dx": flat(dx), "ds": flat(ds), "dt": flat(dt)}))


for method in ["linear", "cubic", "lanczos3", "area"]:
    scale_and_translate((5, 6), (7, 4), (0, 1), [1.3, 0.7], [0.4, -0.6], method)
scale_and_translate((2, 6), (2, 8), (1,), [0.6], [1.2], "cubic", antialias=False)
