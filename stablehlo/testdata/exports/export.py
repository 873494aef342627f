"""Exports programs with JAX, as text and as bytecode, with inputs and results.

    python stablehlo/testdata/exports/export.py

For each program NAME.mlir is the text, NAME.mlirbc what jax.export serializes, and NAME.npz has
in.NN and out.NN: operands and results; where the program is differentiated ct.NN and
grad.NN: cotangents and what jax.vjp makes of them, None left out; where it is mapped
vin.NN and vout.NN: operands and results of jax.vmap.

Needs jax, flatbuffers and numpy (0.10.2, 25.12 and 2.4.6 were used). Run by hand; no test needs Python.
"""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

# Locations name files without their directories.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

here = pathlib.Path(__file__).parent
rng = np.random.RandomState(7)


def f32(*shape, scale=1.0):
    return jnp.asarray(rng.randn(*shape) * scale, jnp.float32)


def numbered(prefix, values):
    return {f"{prefix}.{i:02}": np.asarray(v) for i, v in enumerate(values)}


def save(name, f, *args, grad=False, vmap=False, whole=False, spec=None):
    unguaranteed = [jax.export.DisabledSafetyCheck.custom_call("lapack_sgeqp3_ffi")]
    exported = jax.export.export(jax.jit(f), platforms=["cpu"], disabled_checks=unguaranteed)(*(spec or args))
    (here / f"{name}.mlir").write_text(exported.mlir_module())
    (here / f"{name}.mlirbc").write_bytes(exported.serialize() if whole else exported.mlir_module_serialized)
    leaves, tree = jax.tree.flatten(args)
    flat = lambda *leaves: jax.tree.leaves(f(*jax.tree.unflatten(tree, leaves)))
    out = jax.jit(flat)(*leaves)
    data = numbered("in", leaves) | numbered("out", out)
    if grad:
        cotangents = [f32(*o.shape) if jnp.issubdtype(o.dtype, jnp.floating) else np.zeros(o.shape, jax.dtypes.float0) for o in out]
        grads = jax.vjp(flat, *leaves)[1](cotangents)
        data |= {f"ct.{i:02}": np.asarray(c) for i, c in enumerate(cotangents) if c.dtype != jax.dtypes.float0}
        data |= {f"grad.{i:02}": np.asarray(g) for i, g in enumerate(grads) if g.dtype != jax.dtypes.float0}
    if vmap:
        batch = [jnp.stack([x, x[::-1] if x.ndim else x, x]) if not jnp.issubdtype(x.dtype, jnp.floating) else
                 jnp.stack([x, x * 0.5, jnp.roll(x.reshape(-1), 1).reshape(x.shape)]) for x in leaves]
        data |= numbered("vin", batch) | numbered("vout", jax.jit(jax.vmap(flat))(*batch))
    np.savez_compressed(here / f"{name}.npz", **data)


# A perceptron.
def mlp(p, x):
    h = jax.nn.relu(x @ p["w1"] + p["b1"])
    return h @ p["w2"] + p["b2"]


def nll(logits, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1))


def mlp_step(p, x, y):
    loss, g = jax.value_and_grad(lambda p: nll(mlp(p, x), y))(p)
    return loss, jax.tree.map(lambda a, b: a - 0.1 * b, p, g)


params = {"w1": f32(8, 16), "b1": f32(16), "w2": f32(16, 4), "b2": f32(4)}
x, y = f32(5, 8), jnp.asarray([0, 1, 2, 3, 0])
save("mlp", mlp, params, x, grad=True, vmap=True, whole=True)
save("mlp_step", mlp_step, params, x, y, grad=True, vmap=True)


# LeNet, with fewer channels.
def lenet(p, x):
    def layer(h, w, b):
        h = lax.conv_general_dilated(h, w, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")) + b
        return lax.reduce_window(jnp.tanh(h), 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4

    h = layer(layer(x, p["c1"], p["d1"]), p["c2"], p["d2"])
    h = jnp.tanh(h.reshape(h.shape[0], -1) @ p["w1"] + p["b1"])
    return h @ p["w2"] + p["b2"]


params = {"c1": f32(5, 5, 1, 4, scale=0.2), "d1": f32(4), "c2": f32(5, 5, 4, 8, scale=0.1), "d2": f32(8),
          "w1": f32(128, 24, scale=0.1), "b1": f32(24), "w2": f32(24, 10, scale=0.2), "b2": f32(10)}
x, y = f32(3, 28, 28, 1), jnp.asarray([7, 2, 1])
save("lenet", lenet, params, x, grad=True, vmap=True)
save("lenet_grad", lambda p, x, y: jax.grad(lambda p: nll(lenet(p, x), y))(p), params, x, y, vmap=True)


# A transformer of two layers, and a step of Adam.
def transformer(p, tokens):
    h = p["embed"][tokens] + p["place"]
    t = tokens.shape[0]
    mask = jnp.tril(jnp.ones((t, t), bool))

    def norm(h, g):
        h = h - h.mean(-1, keepdims=True)
        return h * lax.rsqrt((h * h).mean(-1, keepdims=True) + 1e-5) * g

    def block(h, p):
        q, k, v = jnp.split(norm(h, p["g1"]) @ p["qkv"], 3, -1)
        heads = lambda a: a.reshape(t, 2, -1).transpose(1, 0, 2)
        q, k, v = heads(q), heads(k), heads(v)
        s = jnp.where(mask, jnp.einsum("hqd,hkd->hqk", q, k) / jnp.sqrt(q.shape[-1]), -1e30)
        a = jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(s), v).transpose(1, 0, 2).reshape(t, -1)
        h = h + a @ p["out"]
        return h + jax.nn.gelu(norm(h, p["g2"]) @ p["up"]) @ p["down"]

    for layer in p["layers"]:
        h = block(h, layer)
    return norm(h, p["g"]) @ p["embed"].T


def transformer_step(p, m, v, i, tokens):
    loss, g = jax.value_and_grad(lambda p: nll(transformer(p, tokens[:-1]), tokens[1:]))(p)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
    rate = 0.01 * jnp.sqrt(1 - 0.999**i) / (1 - 0.9**i)
    return loss, jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), p, m, v), m, v


d = 16
layer = lambda: {"g1": f32(d), "qkv": f32(d, 3 * d, scale=0.3), "out": f32(d, d, scale=0.3), "g2": f32(d), "up": f32(d, 2 * d, scale=0.3), "down": f32(2 * d, d, scale=0.3)}
params = {"embed": f32(20, d), "place": f32(7, d), "layers": [layer(), layer()], "g": f32(d)}
tokens = jnp.asarray([3, 1, 4, 1, 5, 9, 2, 6])
save("transformer", transformer, params, tokens[:-1], grad=True, vmap=True)
m, v = jax.tree.map(lambda a: f32(*a.shape) * 0.01, params), jax.tree.map(lambda a: f32(*a.shape) ** 2 * 0.01, params)
save("transformer_step", transformer_step, params, m, v, jnp.float32(3), tokens)


# Loops.
def lstm(w, xs):
    def cell(c, x):
        h, s = c
        i, f, g, o = jnp.split(jnp.concatenate([x, h]) @ w, 4)
        s = jax.nn.sigmoid(f) * s + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(s)
        return (h, s), h

    return lax.scan(cell, (jnp.zeros(4), jnp.zeros(4)), xs)[1]


save("lstm", lstm, f32(7, 16), f32(6, 3), grad=True, vmap=True)
save("while", lambda x: lax.while_loop(lambda c: c[1] < 100.0, lambda c: (c[0] + 1, c[1] * c[1] + 1), (0, x)), jnp.float32(1.1), vmap=True)


def biquad(c, xs):
    """Filters by a recurrence of the second order, then in the frequency domain."""
    def step(s, x):
        y = c[0] * x + s[0]
        return (c[1] * x - c[3] * y + s[1], c[2] * x - c[4] * y), y

    ys = lax.scan(step, (0.0, 0.0), xs)[1]
    spectrum = jnp.fft.rfft(ys)
    keep = jnp.arange(spectrum.shape[0]) < 9
    return ys, jnp.fft.irfft(jnp.where(keep, spectrum, 0), ys.shape[0])


save("filter", biquad, jnp.asarray([0.2, 0.4, 0.2, -0.3, 0.1], jnp.float32), f32(48), grad=True, vmap=True)


# Random numbers, and sorting.
def sample(key):
    k = jax.random.split(jax.random.wrap_key_data(key), 6)
    return (jax.random.normal(k[0], (7,)), jax.random.uniform(k[1], (5,), minval=-1.0), jax.random.bits(k[2], (3,), jnp.uint8),
            jax.random.randint(k[3], (6,), -5, 9), jax.random.categorical(k[4], jnp.arange(4.0), shape=(8,)), jax.random.permutation(k[5], 9))


save("sample", sample, jnp.asarray([0, 42], jnp.uint32), vmap=True)
save("sort", lambda x: (jnp.sort(x), jnp.argsort(x), jnp.argmax(x), jnp.median(x)), f32(17), vmap=True)


# A derivative of the user's own, and one through softmax.
@jax.custom_vjp
def clipped(x):
    return jnp.sin(x) * 2


clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (jnp.clip(g, -0.1, 0.1) * x,))
save("custom_vjp", lambda x: jax.grad(lambda x: (clipped(x) ** 2).sum())(x), f32(9), vmap=True)


def attention(q, k, v):
    return jax.nn.softmax(q @ k.T / jnp.sqrt(8.0)) @ v


save("attention_grad", jax.grad(lambda q, k, v: (attention(q, k, v) ** 2).sum(), argnums=(0, 1, 2)), f32(6, 8), f32(6, 8), f32(6, 8), grad=True, vmap=True)

# Linear algebra is LAPACK's.
a = f32(4, 4)
spd = a @ a.T + jnp.eye(4)
save("solve", lambda a, b: jnp.linalg.solve(a, b), a, f32(4, 2), grad=True)
save("cholesky_solve", lambda a, b: jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor((a + a.T) / 2), b), spd, f32(4), grad=True, vmap=True)

# The number of rows is known when the program is called.
rows = jax.ShapeDtypeStruct(jax.export.symbolic_shape("rows, 8"), jnp.float32)
params = {"w1": f32(8, 16, scale=0.3), "b1": f32(16), "w2": f32(16, 4, scale=0.3), "b2": f32(4)}
spec = lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype)
save("dynamic", lambda p, x: jax.nn.softmax(mlp(p, x)).sum(0) / x.shape[0], params, f32(5, 8), grad=True, vmap=True,
     spec=(jax.tree.map(spec, params), rows))

# Factorizations, by what does not depend on the signs of vectors.
def factorizations(a, s, tall):
    u, d, vt = jnp.linalg.svd(tall, full_matrices=False)
    w, v = jnp.linalg.eigh(s)
    return (jnp.linalg.inv(a), jnp.linalg.det(a), jnp.linalg.slogdet(a), jnp.linalg.pinv(tall), (u * d**2) @ vt,
            jnp.linalg.svd(a, compute_uv=False), (v * jnp.exp(w)) @ v.T, w, jax.scipy.linalg.expm(s / 4))


save("factorizations", factorizations, a, spd, f32(5, 3), grad=True, vmap=True)


# QR as geqrf and orgqr: with fewer and more columns than rows, square, the full form, of several matrices.
def qr(tall, wide, square, several):
    q, r = jnp.linalg.qr(tall, mode="complete")
    return (*jnp.linalg.qr(tall), *jnp.linalg.qr(wide), *jnp.linalg.qr(square), *jnp.linalg.qr(several), r, q[:, :3], jnp.linalg.qr(square, mode="r"))


state = rng.get_state()  # what follows has the numbers that it had
save("qr", qr, f32(5, 3), f32(3, 5), f32(4, 4), f32(2, 4, 3), grad=True, vmap=True)
rng.set_state(state)


# Those without a derivative.
def forms(a, s, d, c):
    w, left, right = jax.lax.linalg.eig(a)
    order = jnp.argsort(w.real + w.imag / 8)
    q, r, columns = jax.scipy.linalg.qr(a, pivoting=True)
    t, z = jax.scipy.linalg.schur(c)
    h, y = jax.scipy.linalg.hessenberg(a, calc_q=True)
    q2, r2 = jnp.linalg.qr(d)
    p, di, e, taus = jax.lax.linalg.tridiagonal(s)
    return (w[order], left[:, order] * left[:, order].conj().sum(0), right[:, order] * right[:, order].conj().sum(0), q @ r, columns, jnp.abs(r), q2 @ r2, q2 @ q2.T, z @ t @ z.conj().T, h, y, p, di, e, taus,
            jax.lax.linalg.tridiagonal_solve(d[0], d[1], d[2], d[3:].T), jnp.linalg.lstsq(a, s[0])[0], jax.scipy.linalg.lu(a), jnp.fft.fft2(c), jnp.fft.irfft(c, 7))


c = lax.complex(f32(4, 4), f32(4, 4))
save("forms", forms, a, spd, f32(5, 4) + jnp.asarray([0, 9, 0, 0, 0], jnp.float32)[:, None], c, vmap=False)
