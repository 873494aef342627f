"""Measures NumPy, JAX or PyTorch on the rows n/: the work of factorizations.go on the same inputs.

    python factorizations.py numpy|jax|torch [--run REGEXP] [--out CSV] [--max SECONDS] [--cpu] [--round N]

One thread. Rows have the columns of `go run ./bench`; scipy stands in where NumPy has no counterpart (lu,
triangular_solve, special functions). JAX's functions are jitted, and timed until their results are ready.
"""
import argparse
import csv
import gc
import os
import re
import time

p = argparse.ArgumentParser()
p.add_argument("peer", choices=["numpy", "jax", "torch"])
p.add_argument("--run", default="")
p.add_argument("--out", default="")
p.add_argument("--max", type=float, default=0.5)
p.add_argument("--cpu", action="store_true", help="measure CPU time, not the clock")
p.add_argument("--round", type=int, default=0)
args = p.parse_args()
for k in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[k] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.environ["JAX_PLATFORMS"] = "cpu"
import numpy as np

if args.peer == "numpy":
    import scipy.linalg
    import scipy.special
    put, sync = lambda x: x, lambda x: x
elif args.peer == "jax":
    import jax
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    import jax.scipy as jsp
    put, sync = jnp.asarray, jax.block_until_ready
else:
    import torch
    torch.set_num_threads(1)
    put, sync = torch.from_numpy, lambda x: x

clock = time.process_time_ns if args.cpu else time.perf_counter_ns
COLUMNS = ["engine", "procs", "round", "case", "median_ns", "p10_ns", "min_ns", "n", "allocs", "alloc_bytes", "check", "flops", "load1", "note"]


def fill(n, seed):
    """The generator of inputs.go."""
    s = np.uint32((seed * 2654435761 + 12345) % 2**32)
    a, c = np.uint32(1664525), np.uint32(1013904223)
    with np.errstate(over="ignore"):
        v = np.array([s * a + c], np.uint32)
        while len(v) < n:
            v = np.concatenate([v, v[: n - len(v)] * a + c])
            a, c = a * a, c * a + c
    return (v >> np.uint32(8)).astype(np.float32) / np.float32(1 << 23) - np.float32(1)


def dev(seed, dt, *dims):
    return fill(int(np.prod(dims)), seed).reshape(dims).astype(dt)


def spread(n, dt, *dims):
    x = dev(1, dt, *dims)
    return x + x.swapaxes(-1, -2) + (np.eye(n) * 2 * n).astype(dt)


SHORT = {"float32": "f32", "float64": "f64", "complex64": "c64", "complex128": "c128"}


def case(name, f, *inputs):
    name = re.sub(r"(float|complex)\d+$", lambda m: SHORT[m[0]], name)
    if f is None or not re.search(args.run, name):
        return
    inputs = [put(np.ascontiguousarray(x)) for x in inputs]
    if args.peer == "jax":
        f = jax.jit(f)
    note = ""
    gc.collect()
    try:
        start = clock()
        y = sync(f(*inputs))
        first = clock() - start
        if first < 5e9:
            for _ in range(2):
                sync(f(*inputs))
        batch = 1
        while batch < 1 << 20:
            start = clock()
            for _ in range(batch):
                y = sync(f(*inputs))
            if clock() - start >= 200e3:
                break
            batch *= 2
        samples, begin = [], clock()
        while True:
            start = clock()
            for _ in range(batch):
                sync(f(*inputs))
            end = clock()
            samples.append((end - start) / batch)
            spent = (end - begin) / 1e9
            if len(samples) >= 2000 or spent > args.max and len(samples) >= 5 or spent > 4 * args.max and len(samples) >= 3:
                break
        check = float(np.mean(np.abs(np.asarray(y[0] if isinstance(y, (tuple, list)) else y))))
    except Exception as e:  # a peer that cannot do a row is a result, too
        samples, check, note = [-1.0], float("nan"), "FAILED: " + str(e).split("\n")[0][:200]
    samples.sort()
    mid, low = samples[len(samples) // 2], samples[int(0.1 * (len(samples) - 1) + 0.5)]
    print(f"{args.peer:6} {name:42} {mid:12.0f} ns  min {samples[0]:12.0f} n={len(samples)} chk={check:.6g} {note}", flush=True)
    if not args.out:
        return
    new = not os.path.exists(args.out) or os.path.getsize(args.out) == 0
    with open(args.out, "a", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        if new:
            w.writerow(COLUMNS)
        load = open("/proc/loadavg").read().split()[0]
        w.writerow([args.peer, 1, args.round, name, "%.8g" % mid, "%.8g" % low, "%.8g" % samples[0], len(samples), 0, 0, "%.8g" % check, 0, load, note])


def functions():
    """The peer's functions by row; None where it has none."""
    if args.peer == "numpy":
        s = scipy.linalg
        return dict(
            cholesky=np.linalg.cholesky, solve=np.linalg.solve, lu=lambda x: s.lu_factor(x, check_finite=False), inv=np.linalg.inv,
            triangular_solve=lambda a, b: s.solve_triangular(a, b, lower=True, check_finite=False), qr=lambda x: np.linalg.qr(x)[::-1],
            lstsq=lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0], eigvalsh=np.linalg.eigvalsh, eigh=np.linalg.eigh,
            svdvals=lambda x: np.linalg.svd(x, compute_uv=False), svd=lambda x: np.linalg.svd(x, full_matrices=False)[1::-1],
            fft=np.fft.fft, rfft2=np.fft.rfft2, igamma=scipy.special.gammainc, betainc=scipy.special.betainc, i0e=scipy.special.i0e)
    if args.peer == "jax":
        s = jsp.special
        return dict(
            cholesky=jnp.linalg.cholesky, solve=jnp.linalg.solve, lu=lambda x: jsp.linalg.lu_factor(x), inv=jnp.linalg.inv,
            triangular_solve=lambda a, b: jsp.linalg.solve_triangular(a, b, lower=True), qr=lambda x: tuple(jnp.linalg.qr(x))[::-1],
            lstsq=lambda a, b: jnp.linalg.lstsq(a, b)[0], eigvalsh=jnp.linalg.eigvalsh, eigh=lambda x: tuple(jnp.linalg.eigh(x)),
            svdvals=lambda x: jnp.linalg.svd(x, compute_uv=False), svd=lambda x: tuple(jnp.linalg.svd(x, full_matrices=False))[1::-1],
            fft=jnp.fft.fft, rfft2=jnp.fft.rfft2, igamma=s.gammainc, betainc=s.betainc, i0e=s.i0e)
    t = torch.linalg
    return dict(
        cholesky=t.cholesky, solve=t.solve, lu=t.lu_factor, inv=t.inv, triangular_solve=lambda a, b: t.solve_triangular(a, b, upper=False),
        qr=lambda x: t.qr(x)[::-1], lstsq=lambda a, b: t.lstsq(a, b[:, None]).solution, eigvalsh=t.eigvalsh, eigh=t.eigh,
        svdvals=t.svdvals, svd=lambda x: t.svd(x, full_matrices=False)[1::-1], fft=torch.fft.fft, rfft2=torch.fft.rfft2,
        igamma=torch.special.gammainc, betainc=None, i0e=torch.special.i0e)


f = functions()
for dt in ("float32", "float64"):
    for n in (64, 256, 1024):
        at = f"/{n}-{dt}"
        general, definite = dev(1, dt, n, n), spread(n, dt, n, n)
        vector, many = dev(2, dt, n), dev(2, dt, n, n)
        case("n/cholesky" + at, f["cholesky"], definite)
        case("n/solve" + at, f["solve"], general, vector)
        case("n/lu" + at, f["lu"], general)
        case("n/inv" + at, f["inv"], general)
        case("n/triangular_solve" + at, f["triangular_solve"], definite, many)
        case("n/qr" + at, f["qr"], general)
        case("n/lstsq" + at, f["lstsq"], dev(1, dt, n, n // 2), vector)
        for row in "eigvalsh", "eigh":
            case("n/" + row + at, f[row], definite)
        for row in "svdvals", "svd":
            case("n/" + row + at, f[row], general)
    at = f"/1e4x8x8-{dt}"
    general, definite = dev(1, dt, 10000, 8, 8), spread(8, dt, 10000, 8, 8)
    case("n/batch-cholesky" + at, f["cholesky"], definite)
    case("n/batch-solve" + at, f["solve"], general, dev(2, dt, 10000, 8, 1))
    case("n/batch-inv" + at, f["inv"], general)
    case("n/batch-eigh" + at, f["eigh"], definite)
    case("n/batch-svd" + at, f["svd"], general)
for dt, ct in (("float32", "complex64"), ("float64", "complex128")):
    for n in 1 << 10, 1 << 20, 1000, 10007:
        case(f"n/fft/{n}-{ct}", f["fft"], (dev(1, dt, n) + 1j * dev(2, dt, n)).astype(ct))
    case(f"n/fft/256x1024-{ct}", f["fft"], (dev(1, dt, 256, 1024) + 1j * dev(2, dt, 256, 1024)).astype(ct))
for dt in ("float32", "float64"):
    case(f"n/rfft2/512x512-{dt}", f["rfft2"], dev(1, dt, 512, 512))
    a, b = (np.abs(dev(seed, dt, 1000000)) * np.array(5, dt) + np.array(0.1, dt) for seed in (1, 2))
    case(f"n/igamma/1e6-{dt}", f["igamma"], a, b)
    case(f"n/betainc/1e6-{dt}", f["betainc"], a, b, np.abs(dev(3, dt, 1000000)))
    case(f"n/i0e/1e6-{dt}", f["i0e"], a)
