"""Trains a small network to read digits, and exports it with its weights as model.mlirbc.

    python examples/serve/train.py

The pictures are those of examples/digits. The last 297 are not trained on; the first 40 of
them are written to requests.json. Needs jax, flatbuffers and numpy (0.10.2, 25.12 and 2.4.6
were used). Run by hand; no test needs Python.
"""
import gzip
import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

# Locations name files without their directories.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

here = pathlib.Path(__file__).parent
rows = np.frombuffer(gzip.open(here.parent / "digits" / "digits.bin.gz").read(), np.uint8).reshape(-1, 65)
order = np.random.RandomState(0).permutation(len(rows))
pictures, digits = rows[order, :64].reshape(-1, 8, 8).astype(np.float32), rows[order, 64].astype(np.int32)
train, test = slice(0, 1500), slice(1500, None)


def logits(p, x):
    x = x[None, :, :, None] / 16
    h = jax.nn.relu(lax.conv_general_dilated(x, p["c"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + p["d"])
    h = lax.reduce_window(h, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").reshape(-1)
    return jax.nn.relu(h @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def loss(p, x, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(jax.vmap(logits, (None, 0))(p, x)), y[:, None], 1))


@jax.jit
def step(p, m, v, i, x, y):
    g = jax.grad(loss)(p, x, y)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
    rate = 0.003 * jnp.sqrt(1 - 0.999**i) / (1 - 0.9**i)
    return jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), p, m, v), m, v


k = iter(jax.random.split(jax.random.key(1), 3))
p = {"c": 0.3 * jax.random.normal(next(k), (3, 3, 1, 8)), "d": jnp.zeros(8), "w1": 0.1 * jax.random.normal(next(k), (128, 32)),
     "b1": jnp.zeros(32), "w2": 0.2 * jax.random.normal(next(k), (32, 10)), "b2": jnp.zeros(10)}
m = v = jax.tree.map(jnp.zeros_like, p)
shuffle = np.random.RandomState(2)
for i in range(1, 1201):
    batch = shuffle.randint(0, 1500, 50)
    p, m, v = step(p, m, v, jnp.float32(i), pictures[batch], digits[batch])

right = np.mean(np.argmax(jax.vmap(logits, (None, 0))(p, pictures[test]), -1) == digits[test])
print(f"{right:.1%} of {len(pictures[test])} pictures that it was not trained on are read")
predict = jax.jit(lambda image: jax.nn.softmax(logits(p, image)))
exported = jax.export.export(predict, platforms=["cpu"])(jax.ShapeDtypeStruct((8, 8), jnp.float32))
(here / "model.mlirbc").write_bytes(exported.serialize())
requests = [{"image": x.astype(int).tolist(), "digit": int(d)} for x, d in zip(pictures[test][:40], digits[test][:40])]
(here / "requests.json").write_text("[\n" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in requests) + "\n]\n")
