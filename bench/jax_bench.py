"""The programs of bench_test.go in JAX. Prints name and nanoseconds, a line each."""
import statistics
import time

import jax
import jax.numpy as jnp


def measure(name, f, rounds, inner):
    f()
    times = []
    for _ in range(rounds):
        start = time.perf_counter_ns()
        for _ in range(inner):
            f()
        times.append((time.perf_counter_ns() - start) / inner)
    print(name, statistics.median(times))


x = jnp.array([1, 2, 3, 4], jnp.float32)
y = jnp.array([4, 3, 2, 1], jnp.float32)


def layers(x):
    for _ in range(100):
        x = jnp.tanh(x * x) + 1
    return x.sum()


def fresh(transform):
    """Traces anew each time: JAX remembers traces by function."""
    return lambda: jax.make_jaxpr(transform(lambda x: layers(x)))(x)


measure("EagerAdd", lambda: (x + y).block_until_ready(), 7, 2000)
measure("EagerMul", lambda: (x * y).block_until_ready(), 7, 2000)
measure("EagerExp", lambda: jnp.exp(x).block_until_ready(), 7, 2000)
measure("Trace300", fresh(lambda f: f), 7, 3)
measure("TraceGrad300", fresh(jax.grad), 7, 3)
measure("TraceVmapGrad300", lambda: jax.make_jaxpr(jax.vmap(jax.grad(lambda x: layers(x))))(x), 7, 3)
g = jax.jit(lambda x: x + 1)
measure("JitDispatch", lambda: g(x).block_until_ready(), 7, 2000)
