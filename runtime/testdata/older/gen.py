"""Writes the programs below as the installed JAX prints them, with inputs and results.

Each version has a virtual environment of its own: pip install jax==0.6.2 jaxlib==0.6.2, and
so on for 0.5.3, 0.7.2, 0.8.2 and 0.9.0. Run `python gen.py 0.6.2.jsonl` in each, then
`python gen.py --merge 0.9.0.jsonl 0.8.2.jsonl 0.7.2.jsonl 0.6.2.jsonl 0.5.3.jsonl`, which
writes programs.jsonl: every text once, of the latest version that prints it.
"""
import json, sys, functools

if sys.argv[1] == '--merge':
    seen = set()
    with open('programs.jsonl', 'w') as w:
        for name in sys.argv[2:]:
            for line in open(name):
                r = json.loads(line)
                if (r['name'], r['text']) not in seen:
                    seen.add((r['name'], r['text']))
                    w.write(line)
    sys.exit()

import jax, jax._src.ad_checkpoint, jax.numpy as jnp, numpy as np
from jax import lax

f32 = lambda *s: np.arange(1, 1 + int(np.prod(s)), dtype=np.float32).reshape(s) / 8
i32 = lambda *s: np.arange(int(np.prod(s)), dtype=np.int32).reshape(s)
x3, x23, x34 = f32(3), f32(2, 3), f32(3, 4)

@jax.jit
def inner(x): return jnp.sin(x) * 2
@functools.partial(jax.jit, static_argnums=1)
def power(x, n): return x ** n
@jax.custom_jvp
def cj(x): return jnp.exp(x)
cj.defjvp(lambda p, t: (jnp.exp(p[0]), t[0] * jnp.exp(p[0])))
@jax.custom_vjp
def cv(x): return jnp.exp(x)
cv.defvjp(lambda x: (jnp.exp(x), jnp.exp(x)), lambda r, g: (g * r,))

def scan(x, **k): return lax.scan(lambda c, a: (c * a + 1, c - a), jnp.float32(2), x, **k)
programs = {
 'jit': (lambda x: inner(x) + 1, x3),
 'jit_nested': (lambda x: jax.jit(lambda y: inner(y) + inner(y))(x), x3),
 'jit_static': (lambda x: power(x, 3), x3),
 'jit_keep': (jax.jit(lambda x: x * 2, keep_unused=True, inline=False), x3),
 'jit_donated': (jax.jit(lambda x: x * 2, donate_argnums=0), x3),
 'scan': (lambda x: scan(x), x3),
 'scan_reverse': (lambda x: scan(x, reverse=True), x3),
 'scan_unroll': (lambda x: scan(x, unroll=2), f32(4)),
 'scan_const': (lambda x, y: lax.scan(lambda c, a: (c + a * y, c), jnp.zeros(3, np.float32), x), x23, x3),
 'scan_grad': (jax.grad(lambda x: scan(x)[0]), x3),
 'map': (lambda x: lax.map(lambda r: r.sum(), x), x23),
 'while': (lambda x: lax.while_loop(lambda c: c < 10, lambda c: c * 2, x), np.float32(1)),
 'while_const': (lambda x, y: lax.while_loop(lambda c: c < y, lambda c: c * 2 + y, x), np.float32(1), np.float32(50)),
 'fori': (lambda x: lax.fori_loop(0, 4, lambda i, c: c * x + i, x), np.float32(1.5)),
 'cond': (lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), np.bool_(True), x3),
 'switch': (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda v: v * 2], x), np.int32(1), x3),
 'cond_grad': (jax.grad(lambda x: lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x).sum()), x3),
 'remat': (jax.grad(lambda x: jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(x).sum()), x3),
 'remat_policy': (jax.grad(lambda x: jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)), policy=jax.checkpoint_policies.everything_saveable)(x).sum()), x3),
 'custom_jvp': (lambda x: cj(x) + 1, x3),
 'custom_vjp': (lambda x: cv(x) + 1, x3),
 'custom_jvp_grad': (jax.grad(lambda x: cj(x).sum()), x3),
 'custom_vjp_grad': (jax.grad(lambda x: cv(x).sum()), x3),
 'relu': (lambda x: jax.nn.relu(x) + jax.nn.softplus(x), x3),
 'silu_grad': (jax.grad(lambda x: jax.nn.silu(x).sum()), x3),
 'softmax': (jax.nn.softmax, x3),
 'logsumexp': (lambda x: jax.nn.logsumexp(x), x3),
 'dot': (lambda a, b: a @ b, x23, x34),
 'dot_preferred': (lambda a, b: lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=np.float32), x23, x34),
 'dot_precision': (lambda a, b: jnp.dot(a, b, precision='highest'), x23, x34),
 'einsum': (lambda a, b: jnp.einsum('bij,bjk->bik', a, b), f32(2, 2, 3), f32(2, 3, 2)),
 'conv': (lambda x, w: lax.conv_general_dilated(x, w, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC')), f32(1, 4, 4, 2), f32(3, 3, 2, 2)),
 'conv_grad': (jax.grad(lambda w, x: lax.conv(x, w, (1, 1), 'VALID').sum()), f32(2, 1, 2, 2), f32(1, 1, 3, 3)),
 'reductions': (lambda x: (x.sum(0), x.max(1), x.min(), x.prod(1), (x > 1).all(), (x > 1).any(0), x.argmax(1), x.argmin(0)), x23),
 'cumulative': (lambda x: (jnp.cumsum(x, 1), lax.cummax(x, 1), lax.cumprod(x, 0, reverse=True), lax.cumlogsumexp(x)), x23),
 'sort': (lambda x: (jnp.sort(-x), jnp.argsort(-x), lax.top_k(x, 2)), x23),
 'shapes': (lambda x: (x.reshape(3, 2), x.T, jnp.squeeze(x[None]), jnp.expand_dims(x, 1), jnp.broadcast_to(x[:1], (4, 3)), x[:, ::-1], lax.rev(x, (0,))), x23),
 'pad': (lambda x: (jnp.pad(x, 1), lax.pad(x, np.float32(0), ((1, 0, 1), (0, -1, 0)))), x23),
 'slices': (lambda x, i: (x[0], x[:, 1:], x[i], lax.dynamic_slice(x, (i, 0), (1, 2)), lax.dynamic_update_slice(x, x[:1] * 2, (i, 0)), jnp.take(x, jnp.array([2, 0]), axis=1)), x23, np.int32(1)),
 'gather': (lambda x, i: x[i], x3, np.array([2, 0], np.int32)),
 'scatter': (lambda x, i: (x.at[i].add(1), x.at[i].set(5), x.at[0].mul(3), x.at[i].max(2)), x3, np.array([2, 0], np.int32)),
 'where': (lambda x: jnp.where(x > 0.2, x, 0.0), x3),
 'clip': (lambda x: jnp.clip(x, 0.2, 0.3), x3),
 'elementwise': (lambda x: (jnp.exp(x), jnp.log(x), jnp.tanh(x), jax.nn.sigmoid(x), jnp.sqrt(x), lax.rsqrt(x), x ** 2, x ** 0.5, jnp.abs(x), jnp.sign(x), jnp.floor(x), jnp.round(x), lax.erf(x), lax.erf_inv(x), lax.lgamma(x), jnp.arctan2(x, x), lax.cbrt(x), lax.log1p(x), lax.expm1(x), jnp.isfinite(x), lax.nextafter(x, x + 1)), x3),
 'integers': (lambda a: (a + 1, a // 2, a % 3, a & 1, a | 4, a ^ 2, ~a, a << 1, a >> 1, lax.population_count(a), lax.clz(a), lax.shift_right_logical(a, 1)), i32(4)),
 'convert': (lambda x: (x.astype(np.int32), x.astype(jnp.bfloat16).astype(np.float32), lax.bitcast_convert_type(x, np.int32)), x3),
 'iota': (lambda x: x + jnp.arange(3) + jnp.linspace(0, 1, 3), x3),
 'concat': (lambda x: (jnp.concatenate([x, x]), jnp.stack([x, x], 1), jnp.split(x, 3)), x3),
 'random_bits': (lambda k: jax.random.bits(jax.random.wrap_key_data(k), (3,)), np.array([0, 7], np.uint32)),
 'random_uniform': (lambda k: jax.random.uniform(jax.random.wrap_key_data(k), (3,)), np.array([0, 7], np.uint32)),
 'random_normal': (lambda k: jax.random.normal(jax.random.wrap_key_data(k), (3,)), np.array([0, 7], np.uint32)),
 'random_split': (lambda k: jax.random.key_data(jax.random.split(jax.random.wrap_key_data(k), 2)), np.array([0, 7], np.uint32)),
 'random_fold': (lambda k: jax.random.key_data(jax.random.fold_in(jax.random.wrap_key_data(k), 3)), np.array([0, 7], np.uint32)),
 'random_legacy': (lambda k: jax.random.uniform(k, (3,)), np.array([0, 7], np.uint32)),
 'cholesky': (lambda x: jnp.linalg.cholesky(x @ x.T + 3 * jnp.eye(2)), x23),
 'triangular': (lambda x: jax.scipy.linalg.solve_triangular(jnp.tril(x @ x.T + jnp.eye(2)), x, lower=True), x23),
 'solve': (lambda x: jnp.linalg.solve(x @ x.T + 3 * jnp.eye(2), x), x23),
 'max_pool': (lambda x: lax.reduce_window(x, -np.inf, lax.max, (1, 2), (1, 1), 'VALID'), x23),
 'max_pool_grad': (jax.grad(lambda x: lax.reduce_window(x, -np.inf, lax.max, (1, 2), (1, 1), 'VALID').sum()), x23),
 'avg_pool': (lambda x: lax.reduce_window(x, 0., lax.add, (1, 2), (1, 1), 'VALID'), x23),
 'reduce': (lambda x: lax.reduce(x, np.float32(1), lambda a, b: a * b + 1 - 1, (1,)), x23),
 'assoc': (lambda x: lax.associative_scan(jnp.add, x), f32(5)),
 'stop': (lambda x: lax.stop_gradient(x) * x, x3),
 'barrier': (lambda x: lax.optimization_barrier(x), x3),
 'complex': (lambda x: (jnp.abs(x + 1j * x), jnp.real(jnp.conj(lax.complex(x, x)))), x3),
 'fft': (lambda x: jnp.abs(jnp.fft.fft(x)), f32(4)),
 'hessian': (jax.hessian(lambda x: (jnp.sin(x) * x).sum()), x3),
 'jvp': (lambda x: jax.jvp(inner, (x,), (x,)), x3),
 'vmap': (lambda x: jax.vmap(lambda r: inner(r) @ r)(x), x23),
 'linear_solve': (lambda b: lax.custom_linear_solve(lambda v: 2 * v, b, lambda _, v: v / 2, symmetric=True), x3),
 'literals': (lambda x: (x * 2, 2.5 - x, x + np.float32(1), x > 0, jnp.maximum(x, 0)), x3),
 'pytree_const': (lambda x: x + np.array([1, 2, 3], np.float32), x3),
 'mlp_grad': (jax.grad(lambda w, x: ((jnp.tanh(x @ w[0]) @ w[1]) ** 2).mean()), (x34, f32(4, 1)), x23),
 'square': (lambda x: jnp.square(x) + jnp.mean(x) + jnp.var(x), x3),
 'logical': (lambda x: jnp.logical_and(x > 0.2, ~(x > 0.3)), x3),
 'name': (jax.grad(lambda x: jax.checkpoint(lambda y: jax._src.ad_checkpoint.checkpoint_name(jnp.sin(y), 'a'))(x).sum()), x3),
 'empty': (lambda x: (jnp.zeros((2,)), jnp.ones_like(x), jnp.full((2,), 3.)), x3),
 'repeat': (lambda x: (jnp.tile(x, 2), jnp.repeat(x, 2), jnp.roll(x, 1)), x3),
 'one_hot': (lambda i: jax.nn.one_hot(i, 4), i32(3)),
 'cross_entropy': (jax.grad(lambda x: -jax.nn.log_softmax(x)[0]), x3),
 'digamma': (lambda x: lax.digamma(x), x3),
}
short = {'float32': 'f32', 'int32': 'i32', 'uint32': 'u32', 'bool': 'bool', 'complex64': 'c64'}
def spec(a):
    a = np.asarray(a)
    return {'dtype': short[str(a.dtype)], 'shape': list(a.shape), 'bits': a.tobytes().hex()}
out = []
for name, (f, *args) in programs.items():
    try:
        j = jax.make_jaxpr(f)(*args)
        text = str(j)
        res = [spec(r) for r in jax.tree_util.tree_leaves(jax.jit(f)(*args))]
        out.append({'name': name, 'jax': jax.__version__, 'text': text, 'in': [spec(a) for a in list(j.consts) + jax.tree_util.tree_leaves(args)], 'out': res})
    except Exception as e:
        print(jax.__version__, name, type(e).__name__, str(e)[:100], file=sys.stderr)
with open(sys.argv[1], 'w') as w:
    for o in out: w.write(json.dumps(o) + '\n')
print(jax.__version__, len(out))
