"""Exports a program that takes and returns typed keys, as text and as bytecode, and one that calls
Python in the branch that is not taken, as text. Results stand beside them as words.

    python stablehlo/testdata/exports/keys.py

Needs jax, flatbuffers and numpy (0.10.2, 25.12 and 2.4.6 were used). Run by hand; no test needs Python.
"""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
here = pathlib.Path(__file__).parent


def keys(key, x, more):
    k = jax.random.split(key)
    return k[0], x + jax.random.normal(k[1], x.shape), more[::-1], jax.random.uniform(more[0])


def refuse(x):
    raise ValueError


def callback(x):
    jax.debug.callback(lambda x: None, x)
    call = lambda x: jax.pure_callback(refuse, x, x)
    return jax.lax.cond(jnp.isfinite(x).all(), lambda x: 2 * x, call, x)


def words(x):
    return jax.random.key_data(x) if jnp.issubdtype(x.dtype, jax.dtypes.prng_key) else x


args = jax.random.key(3), jnp.arange(4.0), jax.random.split(jax.random.key(4), 3)
exported = jax.export.export(jax.jit(keys), platforms=["cpu"])(*args)
(here / "keys.mlir").write_text(exported.mlir_module())
(here / "keys.mlirbc").write_bytes(exported.mlir_module_serialized)
(here / "callback.mlir").write_text(jax.jit(callback).lower(args[1]).as_text())
out = jax.jit(keys)(*args)
np.savez_compressed(here / "keys.npz", **{f"in.{i:02}": words(x) for i, x in enumerate(args)}, **{f"out.{i:02}": words(x) for i, x in enumerate(out)})
