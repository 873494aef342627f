"""Measures how far expected results of StableHLO's test data are from exact ones.

    python lower/stablehlo/testdata/exceptions.py DIR
    python lower/stablehlo/testdata/exceptions.py

DIR contains the programs. The script prints a row of exceptions.txt for each program there
that it can compute exactly: sums of products in rational numbers, Fourier transforms in
the next wider type. Without DIR it prints rows for the programs that are held back: the
largest of 50 distances of XLA's results on CPUs, from which expected results are made, for
operands drawn as JAX's tests draw them; of cosh and sinh, those of the formula that CHLO had then. Needs numpy and scipy (2.4 and 1.17 were used), and
jax (0.10.2) without DIR. Run by hand.
"""
import itertools
import pathlib
import re
import sys
from fractions import Fraction

import numpy as np
import scipy.fft

TYPES = {"f32": np.float32, "f64": np.float64, "complex<f32>": np.complex64, "complex<f64>": np.complex128}


def constants(text, function):
    """Returns the constants of a function."""
    body = text[text.index(f"func.func private @{function}("):]
    out = []
    for literal, shape, kind in re.findall(r'constant dense<(.*)> : tensor<((?:\d+x)*)([a-z].*)>\n', body[:body.index("\n  }")]):
        shape = tuple(int(n) for n in shape.split("x") if n)
        if literal.startswith('"'):
            a = np.frombuffer(bytes.fromhex(literal[3:-1]), TYPES[kind])
        else:
            a = np.array([float(x) for x in re.findall(r"[-+0-9.eE]+", literal)], TYPES[kind])
        out.append(a.reshape(shape))
    return out


def nearest(x, dtype):
    """Rounds a fraction to a float."""
    a = dtype(x.numerator / x.denominator)
    return min((np.nextafter(a, dtype(-np.inf)), a, np.nextafter(a, dtype(np.inf))), key=lambda c: abs(Fraction(float(c)) - x))


def convolution(x, w):
    """The program's: three groups of features, taps two apart, neither strides nor padding."""
    n, features, length = x.shape
    per = w.shape[0] // features
    out = np.zeros((n, w.shape[0], length - 2 * (w.shape[2] - 1)), x.dtype)
    for i, o, at in itertools.product(*map(range, out.shape)):
        out[i, o, at] = nearest(sum(Fraction(float(x[i, o // per, at + 2 * k])) * Fraction(float(w[o, 0, k])) for k in range(w.shape[2])), x.dtype.type)
    return out


def exact(name, operands):
    if name.startswith("conv_general_dilated_float32_2_3_9_"):
        return convolution(*operands)
    x = operands[0]
    if name.startswith("fft_float"):
        wide = scipy.fft.rfft(x.astype(np.longdouble))
        return wide.astype({4: np.complex64, 8: np.complex128}[x.itemsize])
    if name.startswith("fft_complex"):
        wide = scipy.fft.irfftn(x.astype(np.clongdouble), (15, 16, 32), axes=(1, 2, 3))
        return wide.astype({8: np.float32, 16: np.float64}[x.itemsize])
    return None


def ulps(a, b):
    kind = {4: np.int32, 8: np.int64}[a.itemsize]
    order = lambda v: np.where(v.view(kind) < 0, np.iinfo(kind).min - v.view(kind).astype(object), v.view(kind).astype(object))
    return int(np.max(np.abs(order(a) - order(b))))


def distance(got, want):
    """Returns ulps, the absolute difference, and ε of the largest element."""
    parts = [(got.real.copy(), want.real.copy()), (got.imag.copy(), want.imag.copy())] if np.iscomplexobj(want) else [(got, want)]
    far = max(ulps(a, b) for a, b in parts)
    diff = max(np.max(np.abs(a.astype(float) - b)) for a, b in parts)
    return far, diff, diff / np.max([np.max(np.abs(b)) for _, b in parts]) / np.finfo(want.dtype).eps


def solve_right(a, b):
    """Returns X of X·L = B, where L is the lower triangle of a."""
    x = np.zeros_like(b)
    for j in reversed(range(a.shape[-1])):
        x[..., j] = (b[..., j] - np.einsum("...ik,...k->...i", x[..., j + 1:], a[..., j + 1:, j])) / a[..., j, j][..., None]
    return x


def held_back():
    """Measures XLA's own distances from exact results."""
    import jax
    from jax import lax
    jax.config.update("jax_enable_x64", True)
    wide = lambda x: x.astype(np.clongdouble if np.iscomplexobj(x) else np.longdouble)
    rng = np.random.RandomState(17)

    def drawn(dtype, *shape):
        x = 3 * rng.randn(*shape)
        return (x + 3j * rng.randn(*shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)

    def exponentials(x, sign):
        half = np.float32(np.log(0.5))
        exp = lambda x: np.exp(x.astype(np.float64)).astype(np.float32)
        return exp(x + half) + sign * exp(half - x)

    c64, f32 = np.complex64, np.float32
    axes = dict(axes=(1, 2, 3))
    for name, tolerance, operands, xla, exact in [
        ("fft_float32_14_15_16_17", 3, lambda: [drawn(f32, 14, 15, 16, 17)], lambda x: lax.fft(x, "RFFT", (17,)), scipy.fft.rfft),
        ("fft_complex128_14_15_16_17", 3, lambda: [drawn(np.complex128, 14, 15, 16, 17)], lambda x: lax.fft(x, "IRFFT", (15, 16, 32)), lambda x: scipy.fft.irfftn(x, (15, 16, 32), **axes)),
        ("cosh_float32_20_20_chlo", 3, lambda: [drawn(f32, 20, 20)], lambda x: exponentials(x, 1), np.cosh),
        ("sinh_float32_20_20_chlo", 1e-3, lambda: [drawn(f32, 20, 20)], lambda x: exponentials(x, -1), np.sinh),
        ("sin_complex64_20_20", 1e-3, lambda: [drawn(c64, 20, 20)], lax.sin, np.sin),
        ("pow_complex64_20_30_complex64_20_30", 1e-3, lambda: [drawn(c64, 20, 30), drawn(c64, 20, 30)], lax.pow, np.power),
        ("cumprod_complex64_8_9", 1e-3, lambda: [drawn(c64, 8, 9)], lax.cumprod, lambda x: np.cumprod(x, axis=0)),
        ("triangular_solve_float32_2_8_8_float32_2_10_8", 3, lambda: [drawn(f32, 2, 8, 8), drawn(f32, 2, 10, 8)], lambda a, b: lax.linalg.triangular_solve(a, b, lower=True), solve_right),
    ]:
        rows = []
        for _ in range(50):
            x = operands()
            got = np.asarray(xla(*x) if name.endswith("_chlo") else jax.jit(xla)(*x))
            rows.append(distance(got, exact(*map(wide, x)).astype(got.dtype)))
        far, diff, norm = sorted(rows, key=lambda r: r[1] if tolerance < 1 else r[0])[-1]
        print(name, f"{diff:.2g}" if tolerance < 1 else f"{far}ulp", f"{norm:.2g}", flush=True)


if len(sys.argv) < 2:
    held_back()
    sys.exit()
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.mlir")):
    if not path.name.startswith(("fft_", "conv_general_dilated_float32_2_3_9_float32_12")) or "_0_17" in path.name:
        continue
    text = path.read_text()
    got, want = exact(path.name, constants(text, "inputs")), constants(text, "expected")[0]
    far, _, norm = distance(got, want)
    print(path.name, f"{far}ulp {norm:.2g}")
