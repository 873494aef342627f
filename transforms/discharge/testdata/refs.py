"""Records programs with mutable references, and JAX's results.

    python transforms/discharge/testdata/refs.py

Needs jax 0.10.2. Run by hand; no test needs Python.
"""

import gzip
import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src.indexing import ds
from jax._src.state.discharge import run_state as run_on_state

P = {}


def p(*args):
    def d(f):
        P[f.__name__] = (f, args)
        return f

    return d


R = np.random.RandomState(7)
F = lambda *s: jnp.asarray(R.randn(*s), jnp.float32)
I = lambda *v: jnp.asarray(v, jnp.int32)


@p(F(3))
def simple(x):
    r = jax.new_ref(x)
    r[0] = r[0] * 2
    r[...] += 1.0
    return r[...]


@p(*P["simple"][1])
def simple_grad(x):
    return jax.value_and_grad(lambda x: simple(x).sum())(x)


@p(F(3))
def loop(x):
    r = jax.new_ref(jnp.zeros(3))

    def b(i, _):
        r[i] += x[i] * 2

    lax.fori_loop(0, 3, b, None)
    return r[...]


@p(F(4, 3), I(2))
def indices(x, i):
    r = jax.new_ref(x)
    j = i[0]
    a = r[1]
    b = r[:, 1]
    c = r[1:3]
    d = r[j]
    e = r[j, 1]
    f = r[lax.rem(j, 3), :2]
    g = r[-1]
    h = r[jnp.array([0, 2])]
    k = r[jnp.array([0, -1]), 1]
    l = r[jnp.array([[0], [1]]), jnp.array([1, 2])]
    r[j] = a
    r[1:3, 0] = jnp.ones(2)
    r[jnp.array([0, 0])] = jnp.zeros((2, 3))
    r[:, j] = r[:, 0] + 1
    old = jax.ref.swap(r, (slice(None), 1), jnp.arange(4.0))
    jax.ref.addupdate(r, jnp.array([1, 1]), jnp.ones((2, 3)))
    jax.ref.addupdate(r, (slice(0, 2), j), jnp.ones(2))
    jax.ref.addupdate(r, ..., x)
    return a, b, c, d, e, f, g, h, k, l, old, r[...]


@p(F(4, 3, 5), I(2, 0))
def nonadjacent(x, i):
    r = jax.new_ref(x)
    a = r[i, :, i]
    b = r[i, 1:3, i]
    c = r[:, i, 2:]
    r[i, :, i] = jnp.ones((2, 3))
    r[1:, :, i] = jnp.zeros((3, 3, 2))
    r[i] = a[:, :, None] * jnp.ones(5)
    jax.ref.addupdate(r, (i, slice(None), i), b.sum() * jnp.ones((2, 3)))
    return a, b, c, r[...]


@p(F(5), I(9, -7, 4))
def beyond(x, i):
    r = jax.new_ref(x)
    a = r[i[0]]
    b = r[i[1]]
    c = r[i]
    r[i[0]] = 3.0
    r[i] = jnp.arange(3.0) + 10
    jax.ref.addupdate(r, i, jnp.ones(3))
    return a, b, c, r[...]


@p(F(6), I(4))
def dslice(x, i):
    r = jax.new_ref(x)
    a = r[ds(i[0], 3)]
    r[ds(i[0] - 2, 2)] = jnp.ones(2)
    r[ds(1, 2)] = jnp.zeros(2)
    return a, r[...]


@p(F(2))
def nested_jit(x):
    r = jax.new_ref(x)

    @jax.jit
    def f(r, y):
        r[0] = r[0] + y
        return r[1] * y

    @jax.jit
    def g(y):
        r[1] = f(r, y)
        return f(r, y * 2)

    a = g(x[0])
    s = jax.jit(lambda r: r[...].sum())(r)
    return a, s, r[...]


@p(F(3))
def jit_local(x):
    @jax.jit
    def f(x):
        r = jax.new_ref(x)
        r[0] = 1.0
        return r[...]

    return f(x) * 2


@p(F(4, 2))
def scan_refs(x):
    r = jax.new_ref(jnp.zeros(2))
    q = jax.new_ref(x)
    cnt = jax.new_ref(0)

    def b(c, a):
        r[...] += a * q[cnt[...]]
        cnt[...] += 1
        return c + r[0], c

    o = lax.scan(b, jnp.float32(1), x, reverse=True)
    return o, r[...], cnt[...], q[...]


@p(F(3))
def while_refs(x):
    r = jax.new_ref(x)
    n = jax.new_ref(5)

    def body(c):
        r[...] = r[...] * 0.5
        return c + n[...]

    c = lax.while_loop(lambda c: c < 20, body, 0)
    return c, r[...], n[...]


@p(F(3), I(1))
def cond_refs(x, i):
    r = jax.new_ref(x)
    q = jax.new_ref(x * 2)

    def f():
        r[0] = 1.0
        return x[0]

    def g():
        r[1] = q[2]
        return x[1]

    a = lax.cond(x[0] > 0, f, g)

    def h0():
        return 0

    def h1():
        q[1] += a
        return 1

    def h2():
        r[2] = 0.0
        return 2

    b = lax.switch(i[0], [h0, h1, h2])
    return a, b, r[...], q[...]


@p(F(3), F(3))
def scan_in_cond(x, y):
    r = jax.new_ref(x)

    def f():
        def b(c, a):
            r[0] += a
            return c, None

        lax.scan(b, 0.0, y)
        return 1.0

    return lax.cond(y[0] > -9, f, lambda: 2.0), r[...]


@p(F(3))
def remat_refs(x):
    r = jax.new_ref(x)

    @jax.checkpoint
    def f(y):
        r[0] = y[0]
        return jnp.sin(y) * r[1]

    return f(x), r[...]


@p(F(3, 2))
def vmap_local(x):
    def f(x):
        r = jax.new_ref(x)
        r[0] = r[1] * 3
        return r[...]

    return jax.vmap(f)(x)


@p(F(3, 2), I(1, 0, 1))
def vmap_index(x, i):
    def f(x, i):
        r = jax.new_ref(x)
        r[i] = r[1 - i] * 3
        return r[...], r[i]

    return jax.vmap(f)(x, i)


@p(F(3))
def custom_vjp_refs(x):
    r = jax.new_ref(jnp.zeros(3))

    @jax.custom_vjp
    def f(r, y):
        r[0] = 1.0
        return jnp.sin(y)

    f.defvjp(lambda r, y: (f(r, y), y), lambda y, g: (None, g * y))
    return f(r, x), r[...]


@p(F(3), I(1))
def run_state(x, i):
    y = x * 3

    def body(refs):
        r, q = refs
        r[...] = r[...] + y
        q[i[0]] = r[0]

        def b(c, a):
            r[0] += a
            return c, None

        lax.scan(b, 0.0, y)

    return run_on_state(body)((x, x * 2))


@p(F(3))
def freeze(x):
    r = jax.new_ref(x)
    r[1] = 0.0
    return jax.freeze(r)


@p(F(5))
def grad_scan(x):
    def f(x):
        r = jax.new_ref(jnp.zeros(()))

        def b(c, a):
            r[...] += jnp.sin(a) * c
            return c * a, None

        lax.scan(b, jnp.float32(1), x)
        return r[...]

    return jax.value_and_grad(f)(x)


@p(F(2, 3))
def views(x):
    r = jax.new_ref(x)
    v = r.at[1]
    v[0] = 7.0
    a = v[1:]
    return a, r.at[:, 1:][0], r[...]


@p(I(1, 2))
def ints(x):
    r = jax.new_ref(x)
    r[0] += 3
    m = jax.new_ref(x > 1)
    m[1] = False
    return r[...], m[...]


@p(F(3))
def empty(x):
    r = jax.empty_ref(jax.ShapeDtypeStruct((3,), jnp.float32))
    r[...] = x
    return r[...]


@p(F(4, 2))
def scan_rows(x):
    r = jax.new_ref(x)
    q = jax.new_ref(x * 3)

    def b(c, row):
        r_, q_ = row
        r_[1] = c
        return c + q_[0], r_[0]

    return lax.scan(b, 0.0, (r, q)), r[...]


@p(F(4, 2))
def scan_rows_back(x):
    r = jax.new_ref(x)

    def b(c, r_):
        jax.ref.addupdate(r_, 0, c)
        return c + 1, None

    return lax.scan(b, 1.0, r, reverse=True)[0], r[...]


@p(F(3))
def while_cond(x):
    n = jax.new_ref(0)
    r = jax.new_ref(x)
    m = jax.new_ref(4)

    def body(c):
        n[...] += 1
        r[n[...] - 1] = c
        return c + 2

    return lax.while_loop(lambda c: (n[...] < 3) & (c < m[...]), body, 0.0), r[...], n[...]


@p(F(2, 3))
def vmap_scan(x):
    def f(x):
        r = jax.new_ref(jnp.float32(0))

        def b(c, a):
            r[...] = r[...] * a + c
            return c + a, r[...]

        return lax.scan(b, 1.0, x), r[...]

    return jax.vmap(f)(x)


@p(F(3, 4), I(1, 1, 2))
def grad_index(x, i):
    def f(x):
        r = jax.new_ref(x)
        r[i[0]] = r[i[2]] * 2
        jax.ref.addupdate(r, (i, slice(1, 3)), x[:, :2])
        return (r[...] ** 2)[i].sum()

    return jax.value_and_grad(f)(x)


@p(jnp.arange(3, dtype=jnp.uint8), F(4))
def unsigned(i, x):
    r = jax.new_ref(x)
    r[i] = r[i[2]] * jnp.ones(3)
    return r[i[1]], r[...]


def array(x):
    x = np.asarray(x)
    names = {"bool": "bool", "float32": "f32", "int32": "i32", "uint8": "u8"}
    return {"dtype": names[str(x.dtype)], "shape": list(x.shape), "bits": x.tobytes().hex()}


def record(name, f, args):
    closed = jax.make_jaxpr(f)(*args)
    out = jax.tree.leaves(jax.jit(f)(*args))
    return {"id": name, "text": str(closed.jaxpr), "in": [array(x) for x in (*closed.consts, *args)], "out": [array(x) for x in out]}


path = pathlib.Path(__file__).with_name("refs.jsonl.gz")
with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as g:
    for name, (f, args) in P.items():
        g.write((json.dumps(record(name, f, args)) + "\n").encode())
