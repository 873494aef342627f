"""Measures PyTorch or JAX on the rows of device_figures_test.go.

python3 gpu_peers.py torch|jax [PART OF A ROW'S NAME]
python3 gpu_peers.py names  # prints the rows' names; needs neither

A row that fails is printed with the reason, and the others go on. The rows in which a library is what
ours must reach come first: there may not be time for all. WEFT_SCALE scales arrays, WEFT_SECONDS (0.3) is
the time of a round of calls, WEFT_PEERS=cpu tries this program where there is no GPU.
"""
import math
import os
import sys
import time
from unittest import mock

SCALE = float(os.environ.get("WEFT_SCALE") or 1)
SECONDS = float(os.environ.get("WEFT_SECONDS") or 0.3)
CPU = os.environ.get("WEFT_PEERS") == "cpu"
FIRST = {
    "torch": ("copy", "sort of", "scatter-add", "count", "gradient of embedding", "product", "long sums", "convolution", "gradient by"),
    "jax": ("copy", "normal", "perceptron", "transformer", "large transformer"),
}


def scaled(n):
    """Returns n times WEFT_SCALE, at least 16 and a multiple of 16."""
    return max(int(n * SCALE) // 16 * 16, 16)


N, ROWS = scaled(1 << 27), scaled(1 << 17)


def report(name, seconds, nbytes=0, flops=0):
    line = f"{name:24} {seconds * 1e6:12.1f} us"
    if nbytes:
        line += f" {nbytes / seconds / 1e9:10.1f} GB/s"
    if flops:
        line += f" {flops / seconds / 1e12:8.2f} TFLOP/s"
    print(line, flush=True)


def measured(call, wait):
    """Returns the median time of a call in three rounds, in which one call of each few is waited for."""
    for _ in range(4):
        start = time.perf_counter()
        wait(call())
        last = time.perf_counter() - start
    calls = min(max(int(SECONDS / 4 / last), 1), 10)  # between waits
    times = []
    for _ in range(3):
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            for _ in range(calls):
                y = call()
            count += calls
            wait(y)
        times.append((time.perf_counter() - start) / count)
    return sorted(times)[1]


class Torch:
    def __init__(self):
        import torch

        self.lib = self.torch = torch
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True  # the fastest convolution that it has
        if not CPU and not torch.cuda.is_available():
            sys.exit("not measured: PyTorch finds no CUDA device")
        self.device = "cpu" if CPU else "cuda"
        self.name = f"PyTorch {torch.__version__}, {'CPU' if CPU else torch.cuda.get_device_name(0)}"

    def array(self, *dims):
        return self.torch.linspace(-1, 1, math.prod(dims), device=self.device).reshape(dims)

    def jit(self, f):
        return self.torch.compile(f)

    def call_library(self, f):
        """Returns a function that is a call of a library (cuBLAS, cuDNN, a sort): compiling it gains nothing."""
        return f

    def grad(self, f):
        def g(x):
            x = x.detach().requires_grad_()
            f(x).backward()
            return x.grad

        return g

    def wait(self, y):
        if not CPU:
            self.torch.cuda.synchronize()

    def softmax(self, m):
        return self.torch.softmax(m, -1)

    def sort(self, x):
        return self.torch.sort(x).values

    def argsort(self, x):
        return self.torch.argsort(x)

    def greatest(self, x, k):
        return self.torch.topk(x, k).values

    def cholesky(self, x):
        return self.torch.linalg.cholesky(x)

    def lu(self, x):
        return self.torch.linalg.lu_factor(x)[0]

    def solve(self, x):
        return self.torch.linalg.solve(x, x)

    def qr(self, x):
        return self.torch.linalg.qr(x)[0]

    def added(self, n, index, x):
        return self.torch.zeros(n, *x.shape[1:], device=self.device).index_add_(0, index, x)

    def counted(self, x, n):
        return self.torch.bincount(x.int(), minlength=n)

    def transposed(self, m):
        return m.T.contiguous()

    def taken(self, m, i):
        return self.torch.index_select(m, 0, i)

    def normal(self, n):
        return self.torch.randn(n, device=self.device)

    def random(self, *dims):
        return self.torch.rand(*dims, device=self.device) * 2 - 1

    def indices(self, n, below):
        return (self.torch.arange(n, device=self.device) * 7919) % below

    def bf16(self, x):
        return x.bfloat16()

    def tf32(self, on):
        self.torch.backends.cuda.matmul.allow_tf32 = on
        self.torch.backends.cudnn.allow_tf32 = on

    def conv(self, x, w):
        return self.torch.nn.functional.conv2d(x, w, padding="same")

    def convolutions(self, x, z, w):
        """Returns a convolution with features last, by name, and its gradients. x, z and w are what such arrays are drawn from."""
        x, z, w = (self.torch.permute(v, (0, 3, 1, 2)) for v in (x, z, w))  # features last in memory
        grad = self.torch.nn.grad
        return {
            "convolution": (lambda x: self.conv(x, w), x),
            "gradient by image": (lambda z: grad.conv2d_input(x.shape, w, z, padding=1), z),
            "gradient by filter": (lambda z: grad.conv2d_weight(x, w.shape, z, padding=1), z),
        }

    def step(self, loss, params, data):
        """Returns a call that makes a step of gradient descent. Data are arguments: what depends on them alone is
        computed in each step, as ours is."""
        params = [p.requires_grad_() for p in params]
        value = self.jit(loss)

        def step():
            l = value(params, *data)
            with self.torch.no_grad():
                for p, g in zip(params, self.torch.autograd.grad(l, params)):
                    p -= 0.01 * g
            return l

        return step


class Jax:
    def __init__(self):
        import jax
        import jax.numpy as jnp

        self.jax, self.lib = jax, jnp
        jax.config.update("jax_default_matmul_precision", "highest")
        if not CPU and jax.devices()[0].platform != "gpu":
            sys.exit(f"not measured: JAX finds no GPU, but {jax.devices()}")
        self.name = f"JAX {jax.__version__}, {jax.devices()[0].device_kind}"

    def array(self, *dims):
        return self.lib.linspace(-1, 1, math.prod(dims), dtype=self.lib.float32).reshape(dims)

    def jit(self, f):
        return self.jax.jit(f)

    call_library = jit

    def grad(self, f):
        return self.jax.grad(f)

    def wait(self, y):
        self.jax.block_until_ready(y)

    def softmax(self, m):
        return self.jax.nn.softmax(m, -1)

    def sort(self, x):
        return self.lib.sort(x)

    def argsort(self, x):
        return self.lib.argsort(x)

    def greatest(self, x, k):
        return self.jax.lax.top_k(x, k)[0]

    def cholesky(self, x):
        return self.lib.linalg.cholesky(x)

    def lu(self, x):
        return self.jax.scipy.linalg.lu_factor(x)[0]

    def solve(self, x):
        return self.lib.linalg.solve(x, x)

    def qr(self, x):
        return self.lib.linalg.qr(x)[0]

    def added(self, n, index, x):
        return self.lib.zeros((n, *x.shape[1:])).at[index].add(x)

    def counted(self, x, n):
        return self.lib.bincount(x.astype(int), length=n)

    def transposed(self, m):
        return self.jax.lax.optimization_barrier(m.T)

    def taken(self, m, i):
        return self.lib.take(m, i, 0)

    def normal(self, n):
        return self.jax.random.normal(self.jax.random.key(1), (n,))

    def random(self, *dims):
        return self.jax.random.uniform(self.jax.random.key(1), dims, minval=-1)

    def indices(self, n, below):
        return (self.lib.arange(n) * 7919) % below

    def bf16(self, x):
        return x.astype(self.lib.bfloat16)

    def tf32(self, on):
        self.jax.config.update("jax_default_matmul_precision", "tensorfloat32" if on else "highest")

    def conv(self, x, w):
        return self.jax.lax.conv(x, w, (1, 1), "SAME")

    def convolutions(self, x, z, w):
        def conv(x, w):
            return self.jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "OHWI", "NHWC"))

        return {
            "convolution": (lambda x: conv(x, w), x),
            "gradient by image": (lambda z: self.jax.vjp(lambda x: conv(x, w), x)[1](z)[0], z),
            "gradient by filter": (lambda z: self.jax.vjp(lambda w: conv(x, w), w)[1](z)[0], z),
        }

    def step(self, loss, params, data):
        def f(params, *data):
            l, g = self.jax.value_and_grad(loss)(params, *data)
            return [p - 0.01 * d for p, d in zip(params, g)], l

        f, state = self.jax.jit(f, donate_argnums=0), [params]

        def step():
            state[0], l = f(state[0], *data)
            return l

        return step


def memory_rows(p):
    lib, size, msize = p.lib, 4 * N, 4 * ROWS * 1024

    def norm(m):
        c = m - m.mean(1).reshape(-1, 1)
        return c * (1 / lib.sqrt((c * c).mean(1).reshape(-1, 1) + 1e-5))

    yield "copy", 2 * size, "n", lambda x: -x
    yield "elementwise", 2 * size, "n", lambda x: (lib.exp(x * x) + x) * 0.5
    yield "sum", size, "n", lambda x: x.sum()
    yield "row sums", msize, "m", lambda m: m.sum(1)
    yield "column sums", msize, "m", lambda m: m.sum(0)
    yield "transpose", 2 * msize, "m", p.transposed
    yield "softmax", 2 * msize, "m", p.softmax
    yield "layer norm", 2 * msize, "m", norm
    yield "gradient of softmax", 2 * msize, "m", p.grad(lambda m: (p.softmax(m) ** 2).sum())
    yield "gradient of layer norm", 2 * msize, "m", p.grad(lambda m: lib.sin(norm(m)).sum())
    yield "cumulative sum", 2 * msize, "m", lambda m: lib.cumsum(m, 1)
    yield "cumulative sum of a vector", 2 * size, "n", lambda x: lib.cumsum(x, 0)

    index = p.indices(ROWS, ROWS)
    yield "gather of rows", 2 * msize, "m", lambda m: p.taken(m, index)
    yield "sort of 1e7", 0, "s", p.sort
    yield "argsort of 1e7", 0, "s", p.argsort
    yield "greatest 100 of 1e7", 0, "s", lambda x: p.greatest(x, 100)
    bins, updates = scaled(100_000), scaled(1_000_000)
    places = p.indices(updates, bins)
    yield "scatter-add of 1e6", 0, "s", lambda x: p.added(bins, places, x[:updates])
    yield "scatter-add of 1e6 to one", 0, "s", lambda x: p.added(bins, places * 0, x[:updates])
    yield "count of 1e7", 0, "s", lambda x: p.counted(abs(x) * 256, 256)
    for n in (1024, 8192):
        yield f"Fourier transforms of {n}", 16 * scaled(1 << 13) * 1024, "w", lambda x, n=n: lib.fft.fft(x.reshape(-1, n))
    for count, n in ((10_000, 16), (1_000, 64), (1, 1024)):
        yield f"Cholesky of {count}×{n}×{n}", 0, f"{count},{n}", p.cholesky
        if count < 10000:
            yield f"LU of {count}×{n}×{n}", 0, f"general {count},{n}", p.lu
            yield f"solve of {count}×{n}×{n}", 0, f"general {count},{n}", p.solve
            yield f"QR of {count}×{n}×{n}", 0, f"general {count},{n}", p.qr
    tokens, words = scaled(1 << 16), scaled(50_000)
    seen = p.indices(tokens, words) * p.indices(tokens, 2)
    yield "gradient of embedding", 0, "e", lambda x: p.added(words, seen, x)


def perceptron(p):
    """Returns the loss of the perceptron of rows e/, its parameters and its data."""
    lib = p.lib
    dims = [(784, 512), (512,), (512, 512), (512,), (512, 10), (10,)]
    relu = p.torch.relu if hasattr(p, "torch") else p.jax.nn.relu

    def loss(w, x, y):
        z = relu(x @ w[0] + w[1])
        z = relu(z @ w[2] + w[3])
        z = z @ w[4] + w[5]
        z = z - lib.log(lib.exp(z).sum(-1)).reshape(-1, 1)
        return -(z * y).sum(-1).mean()

    return loss, [p.random(*d) * 0.05 for d in dims], (p.random(128, 784), p.softmax(p.random(128, 10)))


def transformer(p, width, steps, batch, layers, heads=4):
    """Returns the loss of the transformer of rows g/, its parameters and its data."""
    lib = p.lib
    torch = hasattr(p, "torch")
    gelu = (lambda z: p.torch.nn.functional.gelu(z, approximate="tanh")) if torch else p.jax.nn.gelu
    dims = [(width,), (width,), (width, 3 * width), (3 * width,), (width, width), (width,), (width,), (width,), (width, 4 * width), (4 * width,), (4 * width, width), (width,)]

    def norm(x, g, b):
        m = x.mean(-1).reshape(batch, steps, 1)
        v = ((x - m) ** 2).mean(-1).reshape(batch, steps, 1)
        return (x - m) / lib.sqrt(v + 1e-5) * g + b

    def loss(w, x, y):
        z = x
        for l in range(layers):
            q = w[12 * l : 12 * l + 12]
            a = (norm(z, q[0], q[1]) @ q[2] + q[3]).reshape(batch, steps, 3, heads, width // heads)
            s = lib.einsum("bqhd,bkhd->bhqk", a[:, :, 0], a[:, :, 1]) / math.sqrt(width // heads)
            o = lib.einsum("bhqk,bkhd->bqhd", p.softmax(s), a[:, :, 2]).reshape(batch, steps, width)
            z = z + o @ q[4] + q[5]
            z = z + gelu(norm(z, q[6], q[7]) @ q[8] + q[9]) @ q[10] + q[11]
        return ((z - y) ** 2).mean()

    return loss, [p.random(*d) * 0.05 for _ in range(layers) for d in dims], (p.random(batch, steps, width), p.random(batch, steps, width))


def cases(p):
    """Yields names, bytes and operations of the rows, and what makes a call."""
    mixed = p.lib.sin(p.array(scaled(10_000_000)) * 1e6)
    sizes = {"n": lambda: p.array(N), "m": lambda: p.array(ROWS, 1024), "s": lambda: mixed, "e": lambda: p.array(scaled(1 << 16), 256), "w": lambda: p.array(scaled(1 << 13) * 1024) + 0j}

    for count, n in ((10_000, 16), (1_000, 64), (1, 1024)):
        definite = lambda count=max(scaled(count * 16) // 16, 1), n=n: p.array(count, n, n) * 0 + 0.5 + n * p.lib.eye(n, **({"device": p.device} if hasattr(p, "torch") else {}))
        sizes[f"{count},{n}"] = definite
        sizes[f"general {count},{n}"] = lambda count=max(scaled(count * 16) // 16, 1), n=n: p.random(count, n, n)

    def called(f, x, jit=p.call_library):
        g = jit(f)
        return lambda: g(x)

    for name, nbytes, kind, f in memory_rows(p):
        yield name, nbytes, 0, lambda f=f, kind=kind, jit=p.call_library if name.startswith("sort") else p.jit: called(f, sizes[kind](), jit)
    if hasattr(p, "torch"):
        yield "copy by the driver", 8 * N, 0, lambda: called(lambda x: x.clone(), p.array(N))
    draws = scaled(10**8)
    yield "normal 1e8", 4 * draws, 0, lambda: p.jit(lambda: p.normal(draws))
    for fast, narrow, kind in ((False, lambda x: x, "product"), (True, lambda x: x, "product in tf32"), (False, p.bf16, "product of bf16")):
        for size in (1024, 2048, 4096, 8192):
            n = scaled(size)

            def product(n=n, fast=fast, narrow=narrow):
                p.tf32(fast)
                return called(lambda a: a @ a, narrow(p.random(n, n)))

            yield f"{kind} {size}", 0, 2 * n**3, product
    rows, k = scaled(256), scaled(32768)
    for name, fast, narrow in (("long sums in tf32", True, lambda x: x), ("long sums of bf16", False, p.bf16)):

        def long(fast=fast, narrow=narrow):
            p.tf32(fast)
            return called(lambda a: a @ a.T, narrow(p.random(rows, k)))

        yield name, 0, 2 * rows * rows * k, long
    images = scaled(256)

    def conv():
        w = p.random(64, 64, 3, 3)
        return called(lambda x: p.conv(x, w), p.random(images, 64, 56, 56))

    yield "convolution 3x3", 0, 2 * images * 56 * 56 * 9 * 64 * 64, conv
    for side, channels in ((56, 64), (14, 256)):
        flops = 2 * images * side * side * 9 * channels * channels
        for kind, fast, narrow in (("in tf32", True, lambda x: x), ("of bf16", False, p.bf16)):
            for what in ("convolution", "gradient by image", "gradient by filter"):

                def layer(what=what, fast=fast, narrow=narrow, side=side, channels=channels):
                    p.tf32(fast)
                    x, z = (narrow(p.random(images, side, side, channels)) for _ in range(2))
                    return called(*p.convolutions(x, z, narrow(p.random(channels, 3, 3, channels)))[what])

                yield f"{what} {kind} {side}x{channels}", 0, flops, layer
            if side == 56:

                def first(fast=fast, narrow=narrow):
                    p.tf32(fast)
                    w = narrow(p.random(64, 64, 3, 3))
                    return called(lambda x: p.conv(x, w), narrow(p.random(images, 64, 56, 56)))

                yield f"convolution of NCHW {kind} {side}x{channels}", 0, flops, first
    yield "perceptron", 0, 0, lambda: p.step(*perceptron(p))
    for name, width, steps, batch, layers in (("transformer", 256, 128, 8, 2), ("large transformer", 1024, 512, 16, 4)):
        batch, steps = scaled(batch * 16) // 16, scaled(steps)
        flops = 6 * layers * batch * steps * (12 * width * width + 2 * steps * width)
        yield name, 0, flops, lambda a=(width, steps, batch, layers): p.step(*transformer(p, *a))


def main():
    if sys.argv[1] == "names":
        print(*(name for name, *_ in cases(mock.MagicMock())), sep="\n")
        return
    p = {"torch": Torch, "jax": Jax}[sys.argv[1]]()
    print("peer:", p.name, flush=True)
    for name, nbytes, flops, make in sorted(cases(p), key=lambda c: not c[0].startswith(FIRST[sys.argv[1]])):
        if len(sys.argv) < 3 or sys.argv[2] in name:
            try:
                p.tf32(False)
                report(name, measured(make(), p.wait), nbytes, flops)
            except Exception as e:  # of one row
                print(f"{name:24} failed: {type(e).__name__}: {' '.join(str(e).split())[:300]}", flush=True)


main()
