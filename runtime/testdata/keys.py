"""Writes keys.jsonl: programs over keys of JAX's kinds other than threefry, and states of rng_bit_generator, with JAX's results on CPU.

    python keys.py > keys.jsonl

Needs jax; 0.10.2 was used. Run by hand; no test needs Python.
"""
import json

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)


def array(a):
    if jnp.issubdtype(a.dtype, jax.dtypes.prng_key):
        name, shape, words = str(a.dtype), a.shape, jax.random.key_data(a)
    else:
        name, shape, words = np.dtype(a.dtype).name.replace("uint", "u").replace("int", "i"), a.shape, a
    return {"dtype": name, "shape": list(shape), "bits": np.asarray(words).tobytes().hex()}


def record(f, *args):
    text = str(jax.make_jaxpr(f)(*args))
    out = jax.jit(f)(*args)
    print(json.dumps({"text": text, "in": [array(a) for a in args], "out": [array(a) for a in jax.tree.leaves(out)]}))


for kind in "rbg", "unsafe_rbg", "philox2x32", "philox4x32":
    key = jax.random.key(42, impl=kind)
    keys = jax.random.split(key, 3)
    record(lambda s: jax.random.key(s, impl=kind), jnp.int64(-(2**40) + 7))
    record(lambda s: jax.vmap(lambda s: jax.random.key(s, impl=kind))(s), jnp.arange(3, dtype=jnp.int32) - 1)
    for k in key, keys:
        record(jax.random.key_data, k)
        record(lambda w: jax.random.wrap_key_data(w, impl=kind), jax.random.key_data(k))
        record(lambda k: jax._src.random.prng.random_split(k, shape=(2, 3)), k)
        for width in 8, 16, 32, 64:
            record(lambda k: jax._src.random.prng.random_bits(k, bit_width=width, shape=(3,)), k)
    record(lambda k, d: jax.random.fold_in(k, d), key, jnp.uint32(5))
    record(lambda k, d: jax.vmap(jax.random.fold_in)(k, d), keys, jnp.arange(3, dtype=jnp.uint32) + 9)
    record(lambda k, d: jax.vmap(jax.random.fold_in, (None, 0))(k, d), key, jnp.arange(3, dtype=jnp.uint32) + 9)
    record(lambda k, d: jax.vmap(jax.random.fold_in, (0, None))(k, d), keys, jnp.uint32(4))

for words in [5, 1, 2, 6], [1, 2, 2**32 - 1, 2**32 - 1], [2**32 - 1] * 4:
    for algorithm in lax.RandomAlgorithm:
        for dtype in "uint8", "uint16", "uint32", "uint64":
            for shape in (), (5,), (3, 4), (5, 3):
                record(lambda s: lax.rng_bit_generator(s, shape, dtype, algorithm), jnp.array(words, jnp.uint32))
    record(lambda s: lax.rng_bit_generator(s, (7,), "uint32"), jnp.array(words[:2], jnp.uint64))
