"""Runs Optax and writes what it does as JSON lines: python make_optax.py > optax.jsonl

Each record of an optimizer holds the gradients of every step and the parameters after
it; each record of a schedule its rates. Needs jax and optax; their versions are in the
first record.
"""
import json

import jax
import numpy as np
import optax

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp

print(json.dumps({"jax": jax.__version__, "optax": optax.__version__}))
rng = np.random.default_rng(1)
STEPS = 6


def flat(x):
    x = np.asarray(x)
    if np.iscomplexobj(x):
        x = np.stack([x.real, x.imag], -1)
    return [float(v) for v in x.ravel()]


def run(name, config, tx, dtype="float32", clip=None):
    def draw(*shape):
        x = rng.normal(size=shape)
        if dtype.startswith("complex"):
            x = x + 1j * rng.normal(size=shape)
        return jnp.asarray(x, dtype)

    p = {"b": draw(), "w": draw(2, 3)}
    grads = [{"b": draw(), "w": draw(2, 3) * (0.1 + 3 * (t % 4 == 3))} for t in range(STEPS)]
    rec = {"fn": name, "config": config, "dtype": dtype, "start": {k: flat(v) for k, v in p.items()}, "steps": []}
    state = tx.init(p)
    for g in grads:
        # Our optimizers take the conjugate themselves: they get the conjugate of this.
        u, state = tx.update(g, state, p)
        p = optax.apply_updates(p, u)
        rec["steps"].append({"grad": {k: flat(jnp.conj(v)) for k, v in g.items()}, "after": {k: flat(v) for k, v in p.items()}})
    print(json.dumps(rec))


for dtype in ["float32", "float64"]:
    run("sgd", {"rate": 0.1}, optax.sgd(0.1), dtype)
    run("momentum", {"rate": 0.1, "decay": 0.9}, optax.sgd(0.1, momentum=0.9), dtype)
    run("momentum", {"rate": 0.05, "decay": 0.8, "nesterov": True}, optax.sgd(0.05, momentum=0.8, nesterov=True), dtype)
    run("adam", {"rate": 0.01}, optax.adam(0.01), dtype)
    run("adam", {"rate": 0.1, "beta1": 0.8, "beta2": 0.95, "eps": 1e-3}, optax.adam(0.1, b1=0.8, b2=0.95, eps=1e-3), dtype)
    run("adamw", {"rate": 0.01, "decay": 0.1}, optax.adamw(0.01, weight_decay=0.1), dtype)
    run("rmsprop", {"rate": 0.01}, optax.rmsprop(0.01), dtype)
    run("rmsprop", {"rate": 0.02, "decay": 0.8, "eps": 1e-4, "momentum": 0.7}, optax.rmsprop(0.02, decay=0.8, eps=1e-4, momentum=0.7), dtype)
    run("clip_norm", {"rate": 1.0, "most": 1.5}, optax.chain(optax.clip_by_global_norm(1.5), optax.sgd(1.0)), dtype)
    run("clip_value", {"rate": 1.0, "most": 0.7}, optax.chain(optax.clip(0.7), optax.sgd(1.0)), dtype)
for dtype in ["complex64", "complex128"]:
    run("sgd", {"rate": 0.1}, optax.sgd(0.1), dtype)
    run("adam", {"rate": 0.1}, optax.adam(0.1), dtype)
    run("rmsprop", {"rate": 0.1}, optax.rmsprop(0.1), dtype)
    run("clip_norm", {"rate": 1.0, "most": 1.5}, optax.chain(optax.clip_by_global_norm(1.5), optax.sgd(1.0)), dtype)
run("adam_schedule", {}, optax.adam(optax.warmup_cosine_decay_schedule(0.0, 0.1, 3, 10, 0.01)))


def schedule(name, config, f):
    with jax.enable_x64(False):
        print(json.dumps({"fn": name, "config": config, "rates": [float(np.float32(f(t))) for t in range(40)]}))


schedule("constant", {"from": 0.1}, optax.constant_schedule(0.1))
schedule("linear", {"from": 0.1, "to": 0.01, "steps": 30}, optax.linear_schedule(0.1, 0.01, 30))
schedule("exponential", {"from": 0.1, "decay": 0.5, "steps": 10}, optax.exponential_decay(0.1, 10, 0.5))
schedule("exponential", {"from": 0.1, "decay": 0.5, "steps": 10, "stairs": True}, optax.exponential_decay(0.1, 10, 0.5, staircase=True))
schedule("exponential", {"from": 0.1, "decay": 0.5, "steps": 5, "least": 0.02}, optax.exponential_decay(0.1, 5, 0.5, end_value=0.02))
schedule("cosine", {"from": 0.1, "steps": 30}, optax.cosine_decay_schedule(0.1, 30))
schedule("cosine", {"from": 0.1, "to": 0.02, "steps": 30}, optax.cosine_decay_schedule(0.1, 30, alpha=0.2))
schedule("warmup_cosine", {"from": 0.1, "to": 0.01, "warmup": 7, "steps": 30}, optax.warmup_cosine_decay_schedule(0.0, 0.1, 7, 30, 0.01))
schedule("warmup_constant", {"from": 0.1, "warmup": 7}, optax.warmup_constant_schedule(0.0, 0.1, 7))
schedule("piecewise", {"from": 0.1, "changes": [[10, 0.5], [25, 0.1]]}, optax.piecewise_constant_schedule(0.1, {10: 0.5, 25: 0.1}))

rng = np.random.default_rng(2)
weights_only = {"b": False, "w": True}
for dtype in ["float32", "float64"]:
    run("adamw_mask", {"rate": 0.01, "decay": 0.1}, optax.adamw(0.01, weight_decay=0.1, mask=weights_only), dtype)
    run("nadam", {"rate": 0.01}, optax.nadam(0.01), dtype)
    run("nadam", {"rate": 0.1, "beta1": 0.8, "beta2": 0.95, "eps": 1e-3}, optax.nadam(0.1, b1=0.8, b2=0.95, eps=1e-3), dtype)
    run("lion", {"rate": 0.01}, optax.lion(0.01), dtype)
    run("lion", {"rate": 0.1, "beta1": 0.8, "beta2": 0.95, "decay": 0.05}, optax.lion(0.1, b1=0.8, b2=0.95, weight_decay=0.05, mask=weights_only), dtype)
    run("adagrad", {"rate": 0.1}, optax.adagrad(0.1), dtype)
    run("adagrad", {"rate": 0.1, "from": 0.5, "eps": 1e-3}, optax.adagrad(0.1, initial_accumulator_value=0.5, eps=1e-3), dtype)
    run("lbfgs", {"rate": 0.1, "steps": 10}, optax.lbfgs(0.1, linesearch=None), dtype)
    run("lbfgs", {"rate": 0.05, "steps": 3}, optax.lbfgs(0.05, memory_size=3, linesearch=None), dtype)
    run("adafactor", {"size": 128}, optax.adafactor(), dtype)
    run("adafactor", {"rate": 0.1, "size": 2}, optax.adafactor(0.1, min_dim_size_to_factor=2), dtype)
    run("adafactor", {"rate": 0.1, "size": 2, "power": 0.7, "clip": 2.0, "momentum": 0.8, "decay": 0.01, "absolute": True},
        optax.adafactor(0.1, min_dim_size_to_factor=2, decay_rate=0.7, clipping_threshold=2.0, momentum=0.8, dtype_momentum=jnp.dtype(dtype), weight_decay_rate=0.01, multiply_by_parameter_scale=False), dtype)
    run("accumulate", {"rate": 0.1, "steps": 3}, optax.MultiSteps(optax.adam(0.1), 3, accumulator_dtype=jnp.dtype(dtype)), dtype)
    run("parts", {"rate": 0.1}, optax.multi_transform({"slow": optax.sgd(0.1), "fast": optax.adam(0.1)}, {"b": "slow", "w": "fast"}), dtype)
    run("parts_kept", {"rate": 0.1}, optax.multi_transform({"none": optax.set_to_zero(), "fast": optax.adam(0.1)}, {"b": "none", "w": "fast"}), dtype)
for dtype in ["complex64", "complex128"]:
    run("adagrad", {"rate": 0.1}, optax.adagrad(0.1), dtype)
    run("lbfgs", {"rate": 0.1, "steps": 10}, optax.lbfgs(0.1, linesearch=None), dtype)
    run("accumulate", {"rate": 0.1, "steps": 3}, optax.MultiSteps(optax.adam(0.1), 3, accumulator_dtype=jnp.dtype(dtype)), dtype)


def ema(decay, dtype="float32"):
    tx = optax.ema(decay)
    values = [{"b": jnp.asarray(rng.normal(), dtype), "w": jnp.asarray(rng.normal(size=(2, 3)), dtype)} for _ in range(STEPS)]
    rec = {"fn": "ema", "config": {"decay": decay}, "dtype": dtype, "start": {k: flat(v) for k, v in values[0].items()}, "steps": []}
    state = tx.init(values[0])
    for v in values:
        u, state = tx.update(v, state)
        rec["steps"].append({"grad": {k: flat(x) for k, x in v.items()}, "after": {k: flat(x) for k, x in u.items()}})
    print(json.dumps(rec))


ema(0.9)
ema(0.99, "float64")

schedule("polynomial", {"from": 0.1, "to": 0.01, "power": 2.0, "steps": 20, "begin": 5}, optax.polynomial_schedule(0.1, 0.01, 2, 20, 5))
schedule("polynomial", {"from": 0.0, "to": 0.1, "power": 0.5, "steps": 25}, optax.polynomial_schedule(0.0, 0.1, 0.5, 25))
schedule("cosine", {"from": 0.1, "to": 0.02, "steps": 30, "power": 2.0}, optax.cosine_decay_schedule(0.1, 30, alpha=0.2, exponent=2.0))
schedule("warmup_cosine", {"from": 0.1, "to": 0.01, "least": 0.02, "warmup": 7, "steps": 30}, optax.warmup_cosine_decay_schedule(0.02, 0.1, 7, 30, 0.01))
schedule("warmup_exponential", {"from": 0.1, "least": 0.02, "warmup": 7, "steps": 10, "decay": 0.5}, optax.warmup_exponential_decay_schedule(0.02, 0.1, 7, 10, 0.5))
schedule("interpolate", {"from": 0.1, "changes": [[10, 0.5], [25, 0.1], [30, 8]]}, optax.piecewise_interpolate_schedule("linear", 0.1, {10: 0.5, 25: 0.1, 30: 8}))
schedule("interpolate_cosine", {"from": 0.1, "changes": [[10, 0.5], [25, 0.1]]}, optax.piecewise_interpolate_schedule("cosine", 0.1, {10: 0.5, 25: 0.1}))
schedule("onecycle", {"from": 0.1, "steps": 33}, optax.cosine_onecycle_schedule(33, 0.1))
schedule("onecycle_linear", {"from": 0.1, "steps": 33}, optax.linear_onecycle_schedule(33, 0.1))
schedule("restarts", {"from": 0.1}, optax.sgdr_schedule([
    {"init_value": 0.01, "peak_value": 0.1, "warmup_steps": 3, "decay_steps": 12, "end_value": 0.02},
    {"init_value": 0.02, "peak_value": 0.05, "warmup_steps": 2, "decay_steps": 15, "end_value": 0.0}]))
schedule("join", {"from": 0.1}, optax.join_schedules([optax.constant_schedule(0.1), optax.linear_schedule(0.1, 0.02, 10)], [12]))
