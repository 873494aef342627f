# Writes gradients.jsonl: derivatives of sums of samples with respect to their parameters, as JAX has them on CPU.
# Made with Python 3.11, JAX 0.10.2: python make_gradients.py > gradients.jsonl
import json, jax, jax.numpy as jnp
jax.config.update("jax_enable_x64", True)
key = jax.random.key(7)
def emit(name, dtype, params, f):
    g = jax.grad(lambda ps: jnp.sum(jnp.sin(f(ps))))(params)
    print(json.dumps({"name": name, "dtype": str(jnp.dtype(dtype)), "params": [[float(v) for v in jnp.ravel(p)] for p in params], "grads": [[float(v) for v in jnp.ravel(p)] for p in g]}))
for dt in (jnp.float32, jnp.float64):
    a = jnp.asarray([0.125, 0.5, 1.0, 2.5, 10.0, 300.0], dt)
    b = jnp.asarray([3.0, 0.25, 1.5, 1.0, 20.0, 7.0], dt)
    emit("Gamma", dt, [a], lambda p: jax.random.gamma(key, p[0], (6,), dt))
    emit("LogGamma", dt, [a], lambda p: jax.random.loggamma(key, p[0], (6,), dt))
    emit("Beta", dt, [a, b], lambda p: jax.random.beta(key, p[0], p[1], (6,), dt))
    emit("Dirichlet", dt, [a], lambda p: jax.random.dirichlet(key, p[0], (), dt))
    emit("StudentT", dt, [a], lambda p: jax.random.t(key, p[0], (6,), dt))
    emit("ChiSquare", dt, [a], lambda p: jax.random.chisquare(key, p[0], (6,), dt))
