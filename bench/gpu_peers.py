"""Measures PyTorch or JAX on the rows of device_test.go: python3 gpu_peers.py torch|jax."""
import sys
import time

N, ROWS = 1 << 27, 1 << 17


def report(name, seconds, nbytes=0, flops=0):
    line = f"{name:24} {seconds * 1e6:12.1f} us"
    if nbytes:
        line += f" {nbytes / seconds / 1e9:10.1f} GB/s"
    if flops:
        line += f" {flops / seconds / 1e12:8.2f} TFLOP/s"
    print(line, flush=True)


def rows(lib):
    size, msize = 4 * N, 4 * ROWS * 1024
    yield "copy", 2 * size, 0, "n", lambda x: -x
    yield "elementwise", 2 * size, 0, "n", lambda x: (lib.exp(x * x) + x) * 0.5
    yield "sum", size, 0, "n", lambda x: x.sum()
    yield "row sums", msize, 0, "m", lambda m: m.sum(1)
    yield "column sums", msize, 0, "m", lambda m: m.sum(0)
    yield "softmax", 2 * msize, 0, "m", lambda m: softmax(m)
    yield "cumulative sum", 2 * msize, 0, "m", lambda m: lib.cumsum(m, 1)
    for n in (1024, 2048, 4096, 8192):
        yield f"product {n}", 0, 2 * n**3, n, lambda a: a @ a


def main():
    global softmax
    which = sys.argv[1]
    if which == "torch":
        import torch as lib

        lib.backends.cuda.matmul.allow_tf32 = False
        softmax = lambda m: lib.softmax(m, -1)
        make = lambda *s: lib.linspace(-1, 1, s[0] if len(s) == 1 else s[0] * s[1], device="cuda").reshape(s)
        jit, wait = lib.compile, lambda y: lib.cuda.synchronize()
        print(which, lib.__version__, lib.cuda.get_device_name(0))
        sort = lambda x: lib.sort(x).values
    else:
        import jax
        import jax.numpy as lib

        jax.config.update("jax_default_matmul_precision", "highest")
        softmax = lambda m: jax.nn.softmax(m, -1)
        make = lambda *s: lib.linspace(-1, 1, s[0] if len(s) == 1 else s[0] * s[1], dtype=lib.float32).reshape(s)
        jit, wait = jax.jit, lambda y: y.block_until_ready()
        print(which, jax.__version__, jax.devices()[0].device_kind)
        sort = lambda x: lib.sort(x)
    cases = list(rows(lib)) + [("sort of 1e7", 0, 0, "s", sort)]
    for name, nbytes, flops, kind, f in cases:
        x = make(N) if kind == "n" else make(ROWS, 1024) if kind == "m" else make(10_000_000) if kind == "s" else make(kind, kind)
        g = jit(f)
        for _ in range(3):
            wait(g(x))
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < 1:
            for _ in range(10):
                y = g(x)
            count += 10
            wait(y)
        report(name, (time.perf_counter() - start) / count, nbytes, flops)


main()
