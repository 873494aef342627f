"""The programs of the Go benchmarks here, in NumPy or JAX.

	python peers.py numpy|jax

prints a name and nanoseconds of CPU time, a line each. Programs without a counterpart
in a peer (NumPy traces nothing) are left out.
"""
import statistics
import sys
import time

import numpy as np

peer = sys.argv[1]
if peer == "jax":
    import jax
    import jax.numpy as xp
else:
    xp = np


def done(y):
    return y.block_until_ready() if peer == "jax" else y


def measure(name, f, rounds=5, least=0.1):
    """Calls f for at least about `least` seconds in each round; prints the median of the rounds."""
    done(f())
    inner = 1
    while True:
        start = time.process_time_ns()
        for _ in range(inner):
            done(f())
        took = time.process_time_ns() - start
        if took > least * 1e9:
            break
        inner = max(inner + 1, int(inner * min(10, 1.2e9 * least / max(took, 1))))
    times = [took / inner]
    for _ in range(rounds - 1):
        start = time.process_time_ns()
        for _ in range(inner):
            done(f())
        times.append((time.process_time_ns() - start) / inner)
    print(name, statistics.median(times), flush=True)


def waves(*dims):
    n = int(np.prod(dims))
    return xp.asarray((0.2 * np.sin(np.arange(n) * 1.7)).astype(np.float32).reshape(dims))


def small():
    x, y = xp.array([1, 2, 3, 4], np.float32), xp.array([4, 3, 2, 1], np.float32)
    measure("EagerAdd", lambda: x + y)
    measure("EagerMul", lambda: x * y)
    measure("EagerExp", lambda: xp.exp(x))


def staged():
    x = xp.array([1, 2, 3, 4], np.float32)

    def layers(x):
        for _ in range(100):
            x = xp.tanh(x * x) + 1
        return x.sum()

    class Traced:  # make_jaxpr returns no array
        def block_until_ready(self):
            return self

    def fresh(transform):  # JAX remembers traces by function
        def trace():
            jax.make_jaxpr(transform(lambda x: layers(x)))(x)
            return Traced()
        return trace

    measure("Trace300", fresh(lambda f: f))
    measure("TraceGrad300", fresh(jax.grad))
    measure("TraceVmapGrad300", fresh(lambda f: jax.vmap(jax.grad(f))))
    g = jax.jit(lambda x: x + 1)
    measure("JitDispatch", lambda: g(x))


def chain(x):
    for _ in range(8):
        x = x * 1.5 + x
    return x


def elements(n, tag):
    x, y = waves(n), waves(n) + 1
    index = xp.asarray((np.arange(n, dtype=np.int64) * 7919 % n).astype(np.int32))
    one = x.reshape(-1, 64)
    measure("Add" + tag, lambda: x + y)
    measure("Div" + tag, lambda: x / y)
    measure("Exp" + tag, lambda: xp.exp(x))
    measure("Log" + tag, lambda: xp.log(y))
    measure("Tanh" + tag, lambda: xp.tanh(x))
    measure("Sin" + tag, lambda: xp.sin(x))
    measure("Where" + tag, lambda: xp.where(x > 0, x, y))
    measure("Sum" + tag, lambda: x.sum())
    measure("SumRows" + tag, lambda: one.sum(0))
    measure("Max" + tag, lambda: x.max())
    measure("CumSum" + tag, lambda: xp.cumsum(x))
    measure("Sort" + tag, lambda: xp.sort(x))
    measure("ArgSort" + tag, lambda: xp.argsort(x, stable=True))
    measure("Take" + tag, lambda: xp.take(x, index, mode="clip"))
    copied = (lambda y: y) if peer == "jax" else np.ascontiguousarray  # NumPy's transposition is a view
    measure("Transpose" + tag, lambda: copied(one.T))
    f = jax.jit(chain) if peer == "jax" else chain
    measure("Chain16" + tag, lambda: f(x))


def products():
    for n in 64, 256, 512:
        a, b = waves(n, n), waves(n, n)
        measure(f"MatMul{n}", lambda: a @ b)
    a, v = waves(1024, 1024), waves(1024)
    measure("MatVec1024", lambda: a @ v)
    w = waves(1 << 20)
    measure("Vdot1M", lambda: xp.vdot(w, w))


small()
if peer == "jax":
    staged()
elements(1 << 14, "16K")
elements(1 << 20, "1M")
products()
