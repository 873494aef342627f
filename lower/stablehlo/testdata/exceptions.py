"""Measures how far expected results of StableHLO's test data are from exact ones.

    python lower/stablehlo/testdata/exceptions.py DIR

DIR contains the programs. The script prints a row of exceptions.txt for each program there
that it can compute exactly: sums of products in rational numbers, Fourier transforms in
the next wider type. Needs numpy and scipy (2.4 and 1.17 were used). Run by hand.
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


for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.mlir")):
    if not path.name.startswith(("fft_", "conv_general_dilated_float32_2_3_9_float32_12")) or "_0_17" in path.name:
        continue
    text = path.read_text()
    got, want = exact(path.name, constants(text, "inputs")), constants(text, "expected")[0]
    parts = [(got.real.copy(), want.real.copy()), (got.imag.copy(), want.imag.copy())] if np.iscomplexobj(want) else [(got, want)]
    far = max(ulps(a, b) for a, b in parts)
    norm = max(np.max(np.abs(a.astype(float) - b)) for a, b in parts) / np.max([np.max(np.abs(b)) for _, b in parts]) / np.finfo(want.dtype).eps
    print(path.name, f"{far}ulp {norm:.2g}")
