"""Measures PyTorch or JAX on the rows of device_test.go: python3 gpu_peers.py torch|jax [PART OF A ROW'S NAME].

python3 gpu_peers.py table LOGS prints the rows of BENCHMARKS.md from what gpu.sh has measured.
"""
import math
import os
import re
import sys
import time

N, ROWS = 1 << 27, 1 << 17
SECONDS = 0.3  # of a measurement; the median of three is reported


def report(name, seconds, nbytes=0, flops=0):
    line = f"{name:24} {seconds * 1e6:12.1f} us"
    if nbytes:
        line += f" {nbytes / seconds / 1e9:10.1f} GB/s"
    if flops:
        line += f" {flops / seconds / 1e12:8.2f} TFLOP/s"
    print(line, flush=True)


def measured(call, wait):
    """Returns the median time of a call; results are not waited for one by one."""
    for _ in range(3):
        wait(call())
    times = []
    for _ in range(3):
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < SECONDS:
            for _ in range(10):
                y = call()
            count += 10
            wait(y)
        times.append((time.perf_counter() - start) / count)
    return sorted(times)[1]


class Torch:
    def __init__(self):
        import torch

        self.lib = self.torch = torch
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        self.name = f"torch {torch.__version__} {torch.cuda.get_device_name(0)}"

    def array(self, *dims):
        return self.torch.linspace(-1, 1, math.prod(dims), device="cuda").reshape(dims)

    def jit(self, f):
        return self.torch.compile(f)

    def grad(self, f):
        def g(x):
            x = x.detach().requires_grad_()
            f(x).backward()
            return x.grad

        return g

    def wait(self, y):
        self.torch.cuda.synchronize()

    def softmax(self, m):
        return self.torch.softmax(m, -1)

    def sort(self, x):
        return self.torch.sort(x).values

    def argsort(self, x):
        return self.torch.argsort(x)

    def greatest(self, x, k):
        return self.torch.topk(x, k).values

    def added(self, n, index, x):
        return self.torch.zeros(n, device="cuda").index_add_(0, index, x)

    def transposed(self, m):
        return m.T.contiguous()

    def taken(self, m, i):
        return self.torch.index_select(m, 0, i)

    def normal(self, n):
        return self.torch.randn(n, device="cuda")

    def random(self, *dims):
        return self.torch.rand(*dims, device="cuda") * 2 - 1

    def bf16(self, x):
        return x.bfloat16()

    def tf32(self, on):
        self.torch.backends.cuda.matmul.allow_tf32 = on

    def conv(self, x, w):
        return self.torch.nn.functional.conv2d(x, w, padding="same")

    def step(self, loss, params):
        """Returns a call that makes a step of gradient descent."""
        params = [p.requires_grad_() for p in params]
        value = self.jit(loss)

        def step():
            l = value(params)
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
        self.name = f"jax {jax.__version__} {jax.devices()[0].device_kind}"

    def array(self, *dims):
        return self.lib.linspace(-1, 1, math.prod(dims), dtype=self.lib.float32).reshape(dims)

    def jit(self, f):
        return self.jax.jit(f)

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

    def added(self, n, index, x):
        return self.lib.zeros(n).at[index].add(x)

    def transposed(self, m):
        return self.jax.lax.optimization_barrier(m.T)

    def taken(self, m, i):
        return self.lib.take(m, i, 0)

    def normal(self, n):
        return self.jax.random.normal(self.jax.random.key(1), (n,))

    def random(self, *dims):
        return self.jax.random.uniform(self.jax.random.key(1), dims, minval=-1)

    def bf16(self, x):
        return x.astype(self.lib.bfloat16)

    def tf32(self, on):
        self.jax.config.update("jax_default_matmul_precision", "tensorfloat32" if on else "highest")

    def conv(self, x, w):
        return self.jax.lax.conv(x, w, (1, 1), "SAME")

    def step(self, loss, params):
        @self.jax.jit
        def f(params):
            l, g = self.jax.value_and_grad(loss)(params)
            return [p - 0.01 * d for p, d in zip(params, g)], l

        f, state = self.jax.jit(f, donate_argnums=0), [params]

        def step():
            state[0], l = f(state[0])
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

    def spread(n, below):
        index = (lib.arange(n) * 7919) % below
        return index.cuda() if hasattr(index, "cuda") else index

    index = spread(ROWS, ROWS)
    yield "gather of rows", 2 * msize, "m", lambda m: p.taken(m, index)
    yield "sort of 1e7", 0, "s", lambda x: p.sort(lib.sin(x * 1e6))
    yield "argsort of 1e7", 0, "s", lambda x: p.argsort(lib.sin(x * 1e6))
    yield "greatest 100 of 1e7", 0, "s", lambda x: p.greatest(lib.sin(x * 1e6), 100)
    places = spread(1_000_000, 100_000)
    yield "scatter-add of 1e6", 0, "s", lambda x: p.added(100_000, places, x[:1_000_000])


def perceptron(p):
    """Returns the loss of the perceptron of rows e/, and its parameters."""
    x, y, lib = p.random(128, 784), p.softmax(p.random(128, 10)), p.lib
    dims = [(784, 512), (512,), (512, 512), (512,), (512, 10), (10,)]
    relu = p.torch.relu if hasattr(p, "torch") else p.jax.nn.relu

    def loss(w):
        z = relu(x @ w[0] + w[1])
        z = relu(z @ w[2] + w[3])
        z = z @ w[4] + w[5]
        z = z - lib.log(lib.exp(z).sum(-1)).reshape(-1, 1)
        return -(z * y).sum(-1).mean()

    return loss, [p.random(*d) * 0.05 for d in dims]


def transformer(p, width, steps, batch, layers, heads=4):
    """Returns the loss of the transformer of rows g/, and its parameters."""
    x, y, lib = p.random(batch, steps, width), p.random(batch, steps, width), p.lib
    torch = hasattr(p, "torch")
    gelu = (lambda z: p.torch.nn.functional.gelu(z, approximate="tanh")) if torch else p.jax.nn.gelu
    dims = [(width,), (width,), (width, 3 * width), (3 * width,), (width, width), (width,), (width,), (width,), (width, 4 * width), (4 * width,), (4 * width, width), (width,)]

    def norm(x, g, b):
        m = x.mean(-1).reshape(batch, steps, 1)
        v = ((x - m) ** 2).mean(-1).reshape(batch, steps, 1)
        return (x - m) / lib.sqrt(v + 1e-5) * g + b

    def loss(w):
        z = x
        for l in range(layers):
            q = w[12 * l : 12 * l + 12]
            a = (norm(z, q[0], q[1]) @ q[2] + q[3]).reshape(batch, steps, 3, heads, width // heads)
            s = lib.einsum("bqhd,bkhd->bhqk", a[:, :, 0], a[:, :, 1]) / math.sqrt(width // heads)
            o = lib.einsum("bhqk,bkhd->bqhd", p.softmax(s), a[:, :, 2]).reshape(batch, steps, width)
            z = z + o @ q[4] + q[5]
            z = z + gelu(norm(z, q[6], q[7]) @ q[8] + q[9]) @ q[10] + q[11]
        return ((z - y) ** 2).mean()

    return loss, [p.random(*d) * 0.05 for _ in range(layers) for d in dims]


def cases(p):
    """Yields names, bytes and operations of the rows, and what makes a call."""
    sizes = {"n": (N,), "m": (ROWS, 1024), "s": (10_000_000,)}

    def called(f, x):
        g = p.jit(f)
        return lambda: g(x)

    for name, nbytes, kind, f in memory_rows(p):
        yield name, nbytes, 0, lambda f=f, kind=kind: called(f, p.array(*sizes[kind]))
    yield "normal 1e8", 4 * 10**8, 0, lambda: p.jit(lambda: p.normal(10**8))
    for n in (1024, 2048, 4096, 8192):
        yield f"product {n}", 0, 2 * n**3, lambda n=n: called(lambda a: a @ a, p.random(n, n))
    for n in (1024, 2048, 4096, 8192):
        yield f"product of bf16 {n}", 0, 2 * n**3, lambda n=n: called(lambda a: a @ a, p.bf16(p.random(n, n)))
    for n in (1024, 2048, 4096, 8192):

        def tf32(n=n):
            p.tf32(True)
            return called(lambda a: a @ a, p.random(n, n))

        yield f"product in tf32 {n}", 0, 2 * n**3, tf32
    for name, fast, narrow in (("long sums in tf32", True, lambda x: x), ("long sums of bf16", False, p.bf16)):

        def long(fast=fast, narrow=narrow):
            p.tf32(fast)
            return called(lambda a: a @ a.T, narrow(p.random(256, 32768)))

        yield name, 0, 2 * 256 * 256 * 32768, long
    flops = 2 * 256 * 56 * 56 * 9 * 64 * 64

    def conv():
        p.tf32(False)
        w = p.random(64, 64, 3, 3)
        return called(lambda x: p.conv(x, w), p.random(256, 64, 56, 56))

    yield "convolution 3x3", 0, flops, conv
    yield "perceptron", 0, 0, lambda: p.step(*perceptron(p))
    for name, width, steps, batch, layers in (("transformer", 256, 128, 8, 2), ("large transformer", 1024, 512, 16, 4)):
        flops = 6 * layers * batch * steps * (12 * width * width + 2 * steps * width)
        yield name, 0, flops, lambda a=(width, steps, batch, layers): p.step(*transformer(p, *a))


# What each row must reach: a share of the copy that was measured, or of a peer's speed.
MUST = {
    **dict.fromkeys(("elementwise", "sum", "row sums", "column sums", "transpose"), (0.85, "copy")),
    **dict.fromkeys(("softmax", "layer norm", "gradient of softmax", "gradient of layer norm"), (0.75, "copy")),
    **dict.fromkeys(("cumulative sum", "cumulative sum of a vector", "gather of rows"), (0.6, "copy")),
    "sort of 1e7": (1.0, "torch"),
    "normal 1e8": (1.0, "jax"),
    "convolution 3x3": (0.6, "torch"),
    "perceptron": (1.0, "jax"),
    "transformer": (1.0, "jax"),
    "large transformer": (1.0, "jax"),
}
PRODUCTS = (("product of bf16", 0.75), ("product in tf32", 0.75), ("product", 0.75), ("long sums", 0.6))


def must(name, unit):
    for start, share in PRODUCTS:
        if name.startswith(start):
            return 0.6 if unit == "mma" else share, "torch"
    return MUST.get(name, (None, None))


def measurements(file):
    """Returns microseconds and the text of rates by row; of rows that were measured again, the last."""
    rows = {}
    if not os.path.exists(file):
        return rows
    for line in open(file, errors="replace"):
        ours = re.match(r"Benchmark\w*Device/(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op(.*)", line)
        theirs = re.match(r"(\S.*?)\s+([\d.]+) us(.*)", line)
        if not (ours or theirs):
            continue
        name, micros = (ours[1].replace("_", " "), float(ours[2]) / 1e3) if ours else (theirs[1], float(theirs[2]))
        rate = re.search(r"([\d.]+) (GB/s|TFLOP/s)", (ours or theirs)[3])
        rows[name] = (micros, f"{float(rate[1]):.4g} {rate[2]}" if rate else "")
    return rows


def first_calls(logs):
    """Returns the milliseconds of first calls, the first one with nothing cached."""
    file = os.path.join(logs, "first.log")
    if not os.path.exists(file):
        return []
    return [float(m[1]) / 1e6 for m in re.finditer(r"DeviceFirstCall\S*\s+\d+\s+([\d.]+) ns/op", open(file).read())]


def table(logs):
    ours, mma, torch, jax = (measurements(os.path.join(logs, name + ".log")) for name in ("figures", "mma", "torch", "jax"))
    for name in ("gpu", "device"):
        file = os.path.join(logs, name + ".log")
        if os.path.exists(file):
            print(*(line.strip() for line in open(file) if line.strip() and "TestDeviceIsThere" not in line), sep="; ")
    for peer in ("torch", "jax"):
        file = os.path.join(logs, peer + ".log")
        if os.path.exists(file):
            print("peer:", open(file).readline().strip())
    copies = [rows["copy"][0] for rows in (ours, torch, jax) if "copy" in rows]
    traffic = {"sum": 0.5, "row sums": 0.5, "column sums": 0.5}  # beside that of a copy
    print("\n| row | ours, µs | rate | PyTorch, µs | JAX, µs | share | must | |\n|---|---|---|---|---|---|---|---|")
    for unit, rows in (("", ours), ("mma", mma)):
        for name, (micros, rate) in rows.items():
            share, beside = must(name, unit)
            plain = name.replace(" along k", "") # the same product, with operands in another order
            theirs = {"copy": min(copies, default=0) * traffic.get(name, 1), "torch": torch.get(plain, [0])[0], "jax": jax.get(plain, [0])[0], None: 0}[beside]
            reached = theirs / micros if theirs else None
            cells = [name + (", mma.sync" if unit else ""), f"{micros:.1f}", rate]
            cells += [f"{peer[plain][0]:.1f}" if plain in peer else "–" for peer in (torch, jax)]
            cells += [f"{reached:.0%} of {beside}" if reached else "–", f"{share:.0%} of {beside}" if share else ""]
            cells.append("" if not share else "not measured" if reached is None else "reached" if reached >= share else "MISSED")
            print("|", " | ".join(cells), "|")
    small = ours.get("many small kernels")
    if small:
        print(f"| node of a graph | {small[0] / 200:.2f} | | | | | 1.5 µs | {'reached' if small[0] / 200 <= 1.5 else 'MISSED'} |")
    launch = re.findall(r"BenchmarkLaunch\S*\s+\d+\s+([\d.]+) ns/op", open(os.path.join(logs, "launch.log")).read()) if os.path.exists(os.path.join(logs, "launch.log")) else []
    if launch:
        least = min(map(float, launch)) / 1e3
        print(f"| launch, beside the driver's time | {least:.2f} | | | | | 0.2 µs | {'reached' if least <= 0.2 else 'MISSED'} |")
    calls = first_calls(logs)
    for name, ms, most in (("first call, nothing cached", calls[:1], 300), ("first call, machine code cached", calls[2:], 20)):
        if ms:
            print(f"| {name} | {min(ms) * 1e3:.0f} | | | | | {most} ms | {'reached' if min(ms) <= most else 'MISSED'} |")


def main():
    if sys.argv[1] == "table":
        return table(sys.argv[2])
    p = {"torch": Torch, "jax": Jax}[sys.argv[1]]()
    print(p.name)
    for name, nbytes, flops, make in cases(p):
        if len(sys.argv) < 3 or sys.argv[2] in name:
            p.tf32(False)
            call = make()
            report(name, measured(call, p.wait), nbytes, flops)
            del call


main()
