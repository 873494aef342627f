"""Runs jax.nn.initializers and writes what they draw: python make_init.py > init.jsonl

The first record holds the version of JAX.
"""
import json

import jax
import jax.numpy as jnp
import numpy as np

I = jax.nn.initializers
print(json.dumps({"jax": jax.__version__}))


def run(name, init, *shape, seed=7, dtype=jnp.float32):
    x = np.asarray(init(jax.random.key(seed), shape, dtype))
    print(json.dumps({"name": name, "seed": seed, "shape": shape, "dtype": str(x.dtype), "data": [float(("%.9g" if x.itemsize == 4 else "%.17g") % v) for v in x.ravel()]}))


run("constant", I.constant(0.25), 2, 3)
run("normal", I.normal(0.02), 3, 4)
run("truncated_normal", I.truncated_normal(0.02), 3, 4)
run("uniform", I.uniform(0.5), 3, 4)
for name in ["lecun", "he", "glorot"]:
    for kind in ["normal", "uniform"]:
        run(name + "_" + kind, getattr(I, name + "_" + kind)(), 4, 6)
        run(name + "_" + kind, getattr(I, name + "_" + kind)(), 3, 2, 5)
jax.config.update("jax_enable_x64", True)
run("lecun_normal", I.lecun_normal(dtype=jnp.float64), 4, 6, dtype=jnp.float64)
jax.config.update("jax_enable_x64", False)
run("fan_out", I.variance_scaling(3.0, "fan_out", "normal"), 4, 6)
run("fan_geo", I.variance_scaling(1.0, "fan_geo_avg", "uniform"), 4, 6)
run("conv", I.variance_scaling(1.0, "fan_in", "truncated_normal", in_axis=1, out_axis=0), 6, 4, 3)
run("batch", I.variance_scaling(1.0, "fan_in", "normal", batch_axis=0), 3, 4, 5)
run("orthogonal", I.orthogonal(2.0), 4, 3)
run("orthogonal", I.orthogonal(2.0), 3, 5)
run("orthogonal", I.orthogonal(2.0), 2, 3, 4)
run("delta_orthogonal", I.delta_orthogonal(), 3, 2, 4)  # ours has the outputs and inputs in front
