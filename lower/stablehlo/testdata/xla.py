"""Runs StableHLO modules that weft wrote on XLA's CPU backend, and compares the results.

    go test ./lower/stablehlo -run WriteSamples -args -write-to DIR
    python lower/stablehlo/testdata/xla.py DIR lower/stablehlo/testdata/xla.txt

Beside NAME.mlir stands NAME.data: the operands and weft's results as bytes. For each
primitive the table has how many samples ran, the largest difference in units in the last
place, the largest difference in ε of the largest element, and what XLA refuses.

Needs jax and scipy (0.10.2 and 1.17 were used). Run by hand; no test needs Python.
"""
import collections
import itertools
import json
import pathlib
import re
import subprocess
import sys

import jax
import jaxlib
import ml_dtypes
import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import xla_client as xc
from jaxlib import lapack
from jaxlib.mlir import ir

lapack.prepare_lapack_call("getrf_ffi", np.float32)  # loads LAPACK, which scipy has
jax.config.update("jax_enable_x64", True)
context = mlir.make_ir_context()
backend = jax.local_devices()[0].client
devices = xc.DeviceList(tuple(jax.local_devices()[:1]))
NAMES = {"i1": np.bool_, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64,
         "complex<f32>": np.complex64, "complex<f64>": np.complex128,
         "i2": ml_dtypes.int2, "i4": ml_dtypes.int4, "ui2": ml_dtypes.uint2, "ui4": ml_dtypes.uint4,
         "f4E2M1FN": ml_dtypes.float4_e2m1fn, "f6E2M3FN": ml_dtypes.float6_e2m3fn, "f6E3M2FN": ml_dtypes.float6_e3m2fn,
         "f8E3M4": ml_dtypes.float8_e3m4, "f8E4M3": ml_dtypes.float8_e4m3, "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
         "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "f8E5M2": ml_dtypes.float8_e5m2,
         "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz, "f8E8M0FNU": ml_dtypes.float8_e8m0fnu}
for n in (8, 16, 32, 64):
    NAMES[f"i{n}"], NAMES[f"ui{n}"] = np.dtype(f"int{n}"), np.dtype(f"uint{n}")


def arrays(types, data):
    out = []
    for t in types:
        dtype = np.dtype(NAMES[str(ir.RankedTensorType(t).element_type)])
        shape = tuple(ir.RankedTensorType(t).shape)
        size = int(np.prod(shape)) * dtype.itemsize
        raw, data = data[:size], data[size:]
        out.append(np.frombuffer(raw, dtype).reshape(shape))
    return out, data


def ordered(a):
    """Maps floats to integers in their order."""
    bits = a.view({1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}[a.dtype.itemsize]).astype(object)
    sign = 1 << (8 * a.dtype.itemsize - 1)
    return np.where(bits < 0, -(bits + sign), bits)


def compare(got, want):
    """Returns ulps, and ε of the largest element."""
    if np.iscomplexobj(want):
        r, i = compare(got.real.copy(), want.real.copy()), compare(got.imag.copy(), want.imag.copy())
        return max(r[0], i[0]), max(r[1], i[1])
    if want.dtype.kind in "biu" or str(want.dtype) in ("int2", "int4", "uint2", "uint4"):
        same = np.array_equal(got.astype(np.int64), want.astype(np.int64))
        return (0, 0.0) if same else (float("inf"), float("inf"))
    g, w = got.astype(np.float64), want.astype(np.float64)
    bad = np.isnan(g) != np.isnan(w)
    if bad.any():
        return float("inf"), float("inf")
    ok = ~np.isnan(w) & (g != w)
    if not ok.any():
        return 0, 0.0
    ulps = max(abs(int(a) - int(b)) for a, b in zip(ordered(got[ok]), ordered(want[ok])))
    finite = np.isfinite(w) & np.isfinite(g)
    if (ok & ~finite).any():
        return ulps, float("inf")
    return ulps, float(np.max(np.abs(g - w)[ok]) / np.max(np.abs(w[finite])) / float(ml_dtypes.finfo(want.dtype).eps))


def determined(name, arrays):
    """Returns of factors what the matrix determines: products in which signs of vectors cancel, and sorted eigenvalues."""
    def product(*matrices):
        p = matrices[0].astype(np.complex128)
        for m in matrices[1:]:
            p = p @ m.astype(np.complex128)
        return p

    def as_type(x, dtype):
        return x.astype(dtype) if dtype.kind == "c" else x.real.astype(dtype)

    adjoint = lambda x: x.astype(np.complex128).conj().swapaxes(-1, -2)
    first = arrays[0]
    if name == "eigh":
        v, w = arrays
        return [as_type(product(v * w[..., None, :].astype(v.dtype), adjoint(v)), v.dtype), w]
    if name == "svd" and len(arrays) == 3:
        s, u, vh = arrays
        k = s.shape[-1]
        return [s, as_type(product(u[..., :k] * s[..., None, :].astype(u.dtype), vh[..., :k, :]), u.dtype)]
    if name == "schur":
        w = np.linalg.eigvals(first.astype(np.complex128))
        w = np.take_along_axis(w, np.lexsort((w.imag.round(2), w.real.round(2))), -1)
        out = [as_type(w, np.dtype(np.complex64 if first.dtype.itemsize <= 4 or first.dtype == np.complex64 else np.complex128))]
        return out if len(arrays) == 1 else [as_type(product(arrays[1], first, adjoint(arrays[1])), first.dtype)]
    if name == "eig":
        order = np.lexsort((first.imag.round(3), first.real.round(3)))
        out = [np.take_along_axis(first, order, -1)]
        for v in arrays[1:]:  # columns times their conjugates, in the order of eigenvalues
            v = np.take_along_axis(v, order[..., None, :], -1)
            out.append((v[..., :, None, :] * v.conj()[..., None, :, :]).astype(v.dtype))
        return out
    return arrays


def orders(text, operands):
    """Returns the operands of a scatter with its windows in every order."""
    numbers = lambda key: [int(n) for n in re.search(key + r" = \[([0-9, ]*)\]", text)[1].replace(",", " ").split()]
    n = (len(operands) - 1) // 2
    axis = len(numbers(" scatter_indices_batching_dims"))  # which come first in these samples
    windows = numbers("update_window_dims")
    of_updates = [a for a in range(operands[-1].ndim) if a not in windows][axis]
    for order in itertools.permutations(range(operands[n].shape[axis])):
        order = list(order)
        yield [*operands[:n], operands[n].take(order, axis), *(u.take(order, of_updates) for u in operands[n + 1:])]


def nearest(results, want):
    """Returns compare of arrays whose elements, those of all arrays together, come from the nearest of the results."""
    def apart(g, w):
        d = np.abs(g.astype(np.float64) - w.astype(np.float64))
        return np.where((g == w) | (np.isnan(g.astype(np.float64)) & np.isnan(w.astype(np.float64))), 0, np.where(np.isnan(d), np.inf, d))

    distances = np.stack([np.max([apart(g, w) for g, w in zip(got, want)], axis=0) for got in results])
    best = distances.argmin(0)[None]
    picked = [np.take_along_axis(np.stack([got[i] for got in results]), best, 0)[0] for i in range(len(want))]
    return [compare(g, w) for g, w in zip(picked, want)]


def run(path):
    """Returns ulps and ε of one module."""
    with context, ir.Location.unknown(context):
        module = ir.Module.parse(path.read_text())
        main = next(f for f in module.body.operations if ir.StringAttr(f.attributes["sym_name"]).value == "main")
        kind = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        operands, rest = arrays(kind.inputs, path.with_suffix(".data").read_bytes())
        want, rest = arrays(kind.results, rest)
        assert not rest
        code = backend.compile_and_load(module, devices, xc.CompileOptions())
    if not operands and not want:
        return 0, 0.0
    execute = lambda operands: [np.asarray(a) for a in code.execute([jax.device_put(a, jax.local_devices()[0]) for a in operands])]
    name = path.stem.split("_", 1)[1]
    if name == "scatter_with+overlap":  # the order of windows is the implementation's: one of them has weft's results
        both = nearest([execute(o) for o in orders(path.read_text(), operands)], want)
        return max(u for u, _ in both), max(e for _, e in both)
    got = execute(operands)
    both = [compare(g, w) for g, w in zip(determined(name, got), determined(name, want))] or [(0, 0.0)]
    return max(u for u, _ in both), max(e for _, e in both)


paths = sorted(pathlib.Path(sys.argv[1]).glob("[0-9]*.mlir"))
if "--from" in sys.argv:  # a process of its own, since XLA ends it on some modules
    for path in paths[int(sys.argv[-1]):]:
        try:
            print(json.dumps([*map(float, run(path)), ""]), flush=True)
        except Exception as e:
            print(json.dumps([0, 0, str(e).replace("\n", " ")[:160]]), flush=True)
    sys.exit()

table = collections.defaultdict(lambda: [0, 0, 0.0, 0, "", ""])
done = 0
while done < len(paths):
    child = subprocess.Popen([sys.executable, __file__, sys.argv[1], "--from", str(done)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    results = [json.loads(line) for line in child.stdout]
    if child.wait() != 0:
        results.append([0, 0, "XLA ends the process"])
    for path, (ulps, eps, why) in zip(paths[done:], results):
        row = table[path.stem.split("_", 1)[1]]
        if why:
            row[3], row[4] = row[3] + 1, f"{why} in {path.name}"
        else:
            if eps > row[2] or eps == row[2] and ulps > row[1]:
                row[5] = path.name
            row[0], row[1], row[2] = row[0] + 1, max(row[1], ulps), max(row[2], eps)
    done += len(results)

with open(sys.argv[2], "w") as out:
    out.write(f"# jaxlib {jaxlib.version.__version__}, CPU: samples of each primitive that ran, ulps, ε of the largest element, refused\n")
    for name, (ran, ulps, eps, refused, why, worst) in sorted(table.items()):
        out.write(f"{name} {ran} {ulps:.0f} {eps:.3g} {refused}{' ' + why if why else ''}\n")
        if "-v" in sys.argv and eps:
            print(name, worst, ulps, eps)
