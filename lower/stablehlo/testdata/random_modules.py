"""Writes random StableHLO modules of one operation each, with XLA's results on CPUs.

    python lower/stablehlo/testdata/random_modules.py DIR MODULES_PER_FAMILY SEED [FAMILY…]
    go test ./lower/stablehlo -run RandomModules -v -args -modules DIR

NAME.mlir is a module, NAME.data are its operands and results as bytes. Operands contain
corner values: zeros of both signs, infinities, NaN, numbers without an implicit one, equal numbers,
and indices out of range. Modules that XLA refuses are counted and left out.

Needs jax (0.10.2 was used). Run by hand; no test needs Python.
"""
import collections
import itertools
import json
import pathlib
import random
import subprocess
import sys

import jax
import ml_dtypes
import numpy as np
from jax._src.interpreters import mlir
from jax._src.lib import xla_client as xc
from jaxlib.mlir import ir

jax.config.update("jax_enable_x64", True)
context = mlir.make_ir_context()
backend = jax.local_devices()[0].client
devices = xc.DeviceList(tuple(jax.local_devices()[:1]))

DTYPES = {"i1": np.bool_, "bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32, "f64": np.float64,
          "complex<f32>": np.complex64, "complex<f64>": np.complex128, "i4": ml_dtypes.int4, "ui4": ml_dtypes.uint4,
          "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2, "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
          "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz}
for _n in (8, 16, 32, 64):
    DTYPES[f"i{_n}"], DTYPES[f"ui{_n}"] = np.dtype(f"int{_n}"), np.dtype(f"uint{_n}")
INTS = ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"]
FLOATS = ["bf16", "f16", "f32", "f64"]
COMPLEX = ["complex<f32>", "complex<f64>"]

rng = random.Random(0)


def tensor(shape, dt):
    return "tensor<" + "".join(f"{n}x" for n in shape) + dt + ">"


def typed(a):
    dt = next(k for k, v in DTYPES.items() if np.dtype(v) == a.dtype)
    return tensor(a.shape, dt)


subnormal = True  # whether there are numbers without an implicit one, which XLA's arithmetic takes for zeros


def corner_floats(dt):
    t = DTYPES[dt]
    info = ml_dtypes.finfo(t)
    return [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.5, float("inf"), float("-inf"), float("nan"), float(info.max), -float(info.max),
            float(info.tiny), 1e-3, 100.0, 1 + float(info.eps)] + ([float(info.smallest_subnormal), -float(info.smallest_subnormal)] if subnormal else [])


def corner_ints(dt):
    info = np.iinfo(DTYPES[dt]) if dt not in ("i4", "ui4") else ml_dtypes.iinfo(DTYPES[dt])
    lo, hi = int(info.min), int(info.max)
    return [v for v in (0, 1, 2, 3, 5, 7, -1, -2, -3, lo, lo + 1, hi, hi - 1, hi // 2, 31, 32, 33, 63, 64) if lo <= v <= hi]


moves = False  # whether elements are only moved


def draw(shape, dt, corners=0.3, lo=-3.0, hi=3.0, few=False):
    """Draws an operand; few makes equal elements likely."""
    n = int(np.prod(shape))
    def one(dt):
        if dt == "i1":
            return rng.random() < 0.5
        if dt in FLOATS or dt.startswith("f8"):
            if rng.random() < corners:
                return rng.choice(corner_floats(dt))
            return float(rng.randrange(-2, 3)) if few else rng.uniform(lo, hi)
        if rng.random() < corners:
            return rng.choice(corner_ints(dt))
        least = -3 if corner_ints(dt)[-1] and min(corner_ints(dt)) < 0 else 0
        return rng.randrange(least, 4)
    if dt in COMPLEX:
        corners = min(corners, 1 if moves else 0)  # at infinities and cuts XLA departs from C's Annex G
        part = {"complex<f32>": "f32", "complex<f64>": "f64"}[dt]
        return np.array([complex(one(part), one(part)) for _ in range(n)], DTYPES[dt]).reshape(shape)
    with np.errstate(all="ignore"):
        return np.array([one(dt) for _ in range(n)], dtype=np.float64 if dt in FLOATS or dt.startswith("f8") else object).astype(DTYPES[dt]).reshape(shape)


def shape(rank=None, most=4, least=0):
    return tuple(rng.randrange(least, most + 1) for _ in range(rng.randrange(0, 4) if rank is None else rank))


def some(n, most=None):
    """Draws distinct axes in order."""
    return sorted(rng.sample(range(n), rng.randrange(0, min(n, most if most is not None else n) + 1)))


def i64s(xs):
    xs = list(xs)
    return "array<i64: " + ", ".join(map(str, xs)) + ">" if xs else "array<i64>"


def pads(rows):
    rows = [list(r) for r in rows]
    return f"dense<{rows}> : tensor<{len(rows)}x2xi64>" if rows else "dense<> : tensor<0x2xi64>"


class Module:
    def __init__(self):
        self.args, self.lines, self.count, self.results = [], [], 0, []

    def arg(self, a):
        self.args.append(a)
        return f"%arg{len(self.args) - 1}", typed(a)

    def op(self, name, operands, results, attrs="", regions=""):
        """Writes an operation in the generic form; operands are pairs of a name and a type."""
        self.count += 1
        out = [f"%v{self.count}#{i}" for i in range(len(results))] if len(results) != 1 else [f"%v{self.count}"]
        left = f"%v{self.count}" + (f":{len(results)}" if len(results) > 1 else "")
        self.lines.append(f'    {left} = "{name}"({", ".join(o for o, _ in operands)}) ' + (f"<{{{attrs}}}> " if attrs else "") +
                          (f"({regions}) " if regions else "") + f': ({", ".join(t for _, t in operands)}) -> ({", ".join(results)})')
        return list(zip(out, results))

    def ret(self, values):
        self.results = values

    def text(self, extra=""):
        args = ", ".join(f"%arg{i}: {typed(a)}" for i, a in enumerate(self.args))
        types = ", ".join(t for _, t in self.results)
        lines = "\n".join(self.lines)
        return (f"module @m {{\n  func.func public @main({args}) -> ({types}) {{\n{lines}\n"
                f'    return {", ".join(v for v, _ in self.results)} : {types}\n  }}\n{extra}}}\n')


def scalar_body(dt, op, n=1, swap=False, kind=None):
    """Returns a region that combines two scalars."""
    t = tensor((), dt)
    a, b = ("%b", "%a") if swap else ("%a", "%b")
    if op in ("first", "second"):
        return f'{{\n    ^bb0(%a: {t}, %b: {t}):\n      "stablehlo.return"({a if op == "first" else b}) : ({t}) -> ()\n    }}'
    return f'{{\n    ^bb0(%a: {t}, %b: {t}):\n      %r = "stablehlo.{op}"({a}, {b}) : ({t}, {t}) -> {t}\n      "stablehlo.return"(%r) : ({t}) -> ()\n    }}'


def compare_body(dt, direction, swap=False, kind=""):
    t = tensor((), dt)
    a, b = ("%b", "%a") if swap else ("%a", "%b")
    kind = f", compare_type = #stablehlo<comparison_type {kind}>" if kind else ""
    return (f'{{\n    ^bb0(%a: {t}, %b: {t}):\n      %r = "stablehlo.compare"({a}, {b}) <{{comparison_direction = #stablehlo<comparison_direction {direction}>{kind}}}> : ({t}, {t}) -> tensor<i1>\n'
            f'      "stablehlo.return"(%r) : (tensor<i1>) -> ()\n    }}')


FAMILIES = {}


def family(f):
    FAMILIES[f.__name__] = f
    return f


UNARY = {
    "abs": INTS[:4] + FLOATS + COMPLEX, "cbrt": FLOATS, "ceil": FLOATS, "floor": FLOATS, "cosine": FLOATS + COMPLEX, "sine": FLOATS + COMPLEX, "tan": FLOATS + COMPLEX,
    "count_leading_zeros": INTS, "popcnt": INTS, "not": INTS + ["i1"], "exponential": FLOATS + COMPLEX, "exponential_minus_one": FLOATS + COMPLEX,
    "log": FLOATS + COMPLEX, "log_plus_one": FLOATS + COMPLEX, "logistic": FLOATS + COMPLEX, "negate": INTS + FLOATS + COMPLEX, "round_nearest_afz": FLOATS,
    "round_nearest_even": FLOATS, "rsqrt": FLOATS + COMPLEX, "sign": INTS[:4] + FLOATS + COMPLEX, "sqrt": FLOATS + COMPLEX, "tanh": FLOATS + COMPLEX,
}


@family
def unary(m):
    name = rng.choice(list(UNARY))
    dt = rng.choice(UNARY[name])
    x = m.arg(draw((rng.randrange(1, 40),), dt))
    out = x[1] if not (name == "abs" and dt in COMPLEX) else x[1].replace(dt, {"complex<f32>": "f32", "complex<f64>": "f64"}[dt])
    m.ret(m.op("stablehlo." + name, [x], [out]))
    return name


BINARY = {
    "add": INTS + FLOATS + COMPLEX + ["i1"], "subtract": INTS + FLOATS + COMPLEX, "multiply": INTS + FLOATS + COMPLEX + ["i1"], "divide": INTS + FLOATS + COMPLEX,
    "remainder": INTS + FLOATS, "power": INTS + FLOATS + COMPLEX, "maximum": INTS + FLOATS + ["i1"] , "minimum": INTS + FLOATS + ["i1"], "atan2": FLOATS,
    "and": INTS + ["i1"], "or": INTS + ["i1"], "xor": INTS + ["i1"], "shift_left": INTS, "shift_right_logical": INTS, "shift_right_arithmetic": INTS,
}


@family
def binary(m):
    name = rng.choice(list(BINARY))
    dt = rng.choice(BINARY[name])
    n = rng.randrange(1, 40)
    a, b = draw((n,), dt), draw((n,), dt)
    if name == "power" and dt in INTS:
        b = (b.astype(np.int64) % 64).astype(b.dtype)  # XLA reads six bits
    m.ret(m.op("stablehlo." + name, [m.arg(a), m.arg(b)], [tensor((n,), dt)]))
    return name


@family
def compare(m):
    dt = rng.choice(INTS + FLOATS + COMPLEX + ["i1"])
    n = rng.randrange(1, 40)
    x, y = m.arg(draw((n,), dt, few=True)), m.arg(draw((n,), dt, few=True))
    direction = rng.choice(["EQ", "NE"] if dt in COMPLEX else ["EQ", "NE", "LT", "LE", "GT", "GE"])
    kind = rng.choice(["FLOAT", "TOTALORDER"] if dt in FLOATS else ["FLOAT"] if dt in COMPLEX else ["UNSIGNED"] if dt[0] == "u" or dt == "i1" else ["SIGNED"])
    m.ret(m.op("stablehlo.compare", [x, y], [tensor((n,), "i1")],
               f"comparison_direction = #stablehlo<comparison_direction {direction}>, compare_type = #stablehlo<comparison_type {kind}>"))
    return kind


@family
def ternary(m):
    dt = rng.choice(INTS + FLOATS)
    s = shape(2)
    if rng.random() < 0.5:
        bound = lambda: draw(() if rng.random() < 0.5 else s, dt)
        x, lo, hi = m.arg(draw(s, dt)), m.arg(bound()), m.arg(bound())
        m.ret(m.op("stablehlo.clamp", [lo, x, hi], [x[1]]))
        return "clamp"
    p, x, y = m.arg(draw(() if rng.random() < 0.5 else s, "i1")), m.arg(draw(s, dt)), m.arg(draw(s, dt))
    m.ret(m.op("stablehlo.select", [p, x, y], [x[1]]))
    return "select"


@family
def convert(m):
    every = INTS + FLOATS + ["i1", "i4", "ui4"] + [d for d in DTYPES if d.startswith("f8")]
    a, b = rng.choice(every), rng.choice(every + COMPLEX)
    if rng.random() < 0.1:
        a, b = rng.choice(COMPLEX), rng.choice(COMPLEX)
    n = rng.randrange(1, 60)
    x = m.arg(draw((n,), a, corners=0.5, lo=-300, hi=300))
    m.ret(m.op("stablehlo.convert", [x], [tensor((n,), b)]))
    return f"{a}_{b}"


@family
def bitcast(m):
    a, b = rng.choice(INTS + FLOATS), rng.choice(INTS + FLOATS)
    p, q = np.dtype(DTYPES[a]).itemsize, np.dtype(DTYPES[b]).itemsize
    s = shape()
    x, out = (s, s) if p == q else (s, s + (p // q,)) if p > q else (s + (q // p,), s)
    m.ret(m.op("stablehlo.bitcast_convert", [m.arg(draw(x, a))], [tensor(out, b)]))


@family
def reduce_precision(m):
    dt = rng.choice(FLOATS)
    x = m.arg(draw((40,), dt, lo=-70000, hi=70000) if rng.random() < 0.5 else draw((40,), dt))
    e, k = rng.randrange(1, 12), rng.randrange(0, 53)
    m.ret(m.op("stablehlo.reduce_precision", [x], [x[1]], f"exponent_bits = {e} : i32, mantissa_bits = {k} : i32"))
    return f"{dt}_e{e}m{k}"


BODIES = {"add": INTS + FLOATS + COMPLEX + ["i1"], "multiply": INTS + FLOATS + COMPLEX + ["i1"], "maximum": INTS + FLOATS + ["i1"], "minimum": INTS + FLOATS + ["i1"],
          "and": INTS + ["i1"], "or": INTS + ["i1"], "xor": INTS + ["i1"]}


def body():
    name = rng.choice(list(BODIES))
    return name, rng.choice(BODIES[name])


def neutral(name, dt):
    """Returns the value that changes nothing: XLA leaves any other out where there is one element, and in padding."""
    t = DTYPES[dt]
    if name in ("maximum", "minimum") and dt != "i1":
        info = ml_dtypes.finfo(t) if dt in FLOATS else np.iinfo(t)
        return np.array((-np.inf if name == "maximum" else np.inf) if dt in FLOATS else info.min if name == "maximum" else info.max).astype(t)
    if dt == "i1":
        return np.array(name in ("multiply", "minimum", "and"))
    return np.array({"multiply": 1, "and": -1}.get(name, 0)).astype(t)


@family
def reduce(m):
    name, dt = body()
    s = shape(rng.randrange(0, 5))
    axes = some(len(s))
    corners = 0.02 if dt in FLOATS + COMPLEX and name in ("add", "multiply") else 0.3
    many = int(np.prod([s[a] for a in axes])) > 1
    x, init = m.arg(draw(s, dt, corners)), m.arg(draw((), dt, 0) if many else neutral(name, dt))
    out = [n for i, n in enumerate(s) if i not in axes]
    m.ret(m.op("stablehlo.reduce", [x, init], [tensor(out, dt)], f"dimensions = {i64s(axes)}", scalar_body(dt, name, swap=rng.random() < 0.3)))
    return name


@family
def argmax(m):
    """A reduction of pairs: the largest or smallest and its position, ties by position."""
    dt, index = rng.choice(INTS + FLOATS), rng.choice(["i32", "i64"])
    s = shape(2, most=5)
    axis = rng.randrange(2)
    direction = rng.choice(["GT", "LT", "GE", "LE"])
    x, i = m.arg(draw(s, dt, few=True)), m.op("stablehlo.iota", [], [tensor(s, index)], f"iota_dimension = {axis} : i64")[0]
    a = m.arg(draw((), dt, 0) if s[axis] > 1 else neutral("maximum" if direction[0] == "G" else "minimum", dt))
    b = m.arg(np.zeros((), DTYPES[index]))
    t, u = tensor((), dt), tensor((), index)
    cmp = lambda d, x, y, t: f'"stablehlo.compare"({x}, {y}) <{{comparison_direction = #stablehlo<comparison_direction {d}>}}> : ({t}, {t}) -> tensor<i1>'
    region = (f'{{\n    ^bb0(%a: {t}, %i: {u}, %b: {t}, %j: {u}):\n      %0 = {cmp(direction, "%a", "%b", t)}\n      %1 = {cmp("NE", "%a", "%a", t)}\n      %2 = "stablehlo.or"(%0, %1) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n'
              f'      %3 = {cmp("EQ", "%a", "%b", t)}\n      %4 = {cmp("LT", "%i", "%j", u)}\n      %5 = "stablehlo.and"(%3, %4) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n      %6 = "stablehlo.or"(%2, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n'
              f'      %7 = "stablehlo.select"(%2, %a, %b) : (tensor<i1>, {t}, {t}) -> {t}\n      %8 = "stablehlo.select"(%6, %i, %j) : (tensor<i1>, {u}, {u}) -> {u}\n      "stablehlo.return"(%7, %8) : ({t}, {u}) -> ()\n    }}')
    out = [n for k, n in enumerate(s) if k != axis]
    m.ret(m.op("stablehlo.reduce", [x, i, a, b], [tensor(out, dt), tensor(out, index)], f"dimensions = {i64s([axis])}", region))


def window(s, dilate=True, negative=True):
    rank = len(s)
    dims = [rng.randrange(1, 4) for _ in s]
    strides = [rng.randrange(1, 4) for _ in s]
    base = [rng.randrange(1, 3) if dilate else 1 for _ in s]
    dilation = [rng.randrange(1, 3) if dilate else 1 for _ in s]
    padding = [(rng.randrange(-1 if negative else 0, 3), rng.randrange(-1 if negative else 0, 3)) for _ in s]
    out = []
    for n, d, st, b, w, (lo, hi) in zip(s, dims, strides, base, dilation, padding):
        wide = (n - 1) * b + 1 if n else 0
        wide += lo + hi
        w = (d - 1) * w + 1
        out.append(0 if wide < w else (wide - w) // st + 1)
        if wide < 0:
            return None
    return dims, strides, base, dilation, padding, out


@family
def reduce_window(m):
    name, dt = body()
    while True:
        s = shape(rng.randrange(0, 4), most=6)
        if w := window(s):
            break
    dims, strides, base, dilation, padding, out = w
    corners = 0.02 if dt in FLOATS + COMPLEX and name in ("add", "multiply") else 0.3
    x, init = m.arg(draw(s, dt, corners)), m.arg(neutral(name, dt))
    m.ret(m.op("stablehlo.reduce_window", [x, init], [tensor(out, dt)],
               f"window_dimensions = {i64s(dims)}, window_strides = {i64s(strides)}, base_dilations = {i64s(base)}, window_dilations = {i64s(dilation)}, padding = {pads(padding)}",
               scalar_body(dt, name, swap=rng.random() < 0.3)))
    return name


@family
def select_and_scatter(m):
    dt = rng.choice(["i32", "ui8", "f32", "f64", "bf16"])
    while True:
        s = shape(rng.randrange(1, 3), most=6, least=1)
        w = window(s, dilate=False, negative=False)
        if w and all(n > 0 for n in w[5]) and all(lo < d and hi < d for (lo, hi), d in zip(w[4], w[0])):
            break
    dims, strides, _, _, padding, out = w
    a = draw(s, dt, 0.15, few=True)
    if dt[0] in "bf":
        a[np.isnan(a)] = 1
    x, source, init = m.arg(a), m.arg(draw(out, dt, 0)), m.arg(draw((), dt, 0) if rng.random() < 0.5 else np.zeros((), DTYPES[dt]))
    # Others than an order, and NaN, select what the order of comparisons decides, which is the implementation's.
    direction, swap = rng.choice(["GE", "GT", "LE", "LT"]), rng.random() < 0.3
    name = rng.choice(["add", "multiply", "maximum", "minimum", "second", "subtract"])
    m.ret(m.op("stablehlo.select_and_scatter", [x, source, init], [x[1]],
               f"window_dimensions = {i64s(dims)}, window_strides = {i64s(strides)}, padding = {pads(padding)}",
               compare_body(dt, direction, swap) + ", " + scalar_body(dt, name)))
    return f"{direction}{'_swapped' if swap else ''}_{name}"


def indices(shape, limit, dt):
    lo, hi = (0, limit + 2) if dt[0] == "u" else (-2, limit + 2)
    a = np.array([rng.randrange(lo, hi + 1) if rng.random() < 0.95 else rng.choice(corner_ints(dt)) for _ in range(int(np.prod(shape)))], dtype=object)
    return a.astype(DTYPES[dt]).reshape(shape)


INDEX = ["i32", "i64", "i8", "ui8", "ui32", "ui64", "i16"]


def gathering(s):
    """Draws the axes of gather and scatter: (batching operand axes, their index axes, mapped, collapsed, window sizes, index shape, index_vector_dim)."""
    rank = len(s)
    batching = some(rank, 1)
    rest = [a for a in range(rank) if a not in batching]
    mapped = rng.sample(rest, rng.randrange(0, len(rest) + 1))
    sizes = [1 if a in batching else rng.randrange(0 if s[a] == 0 else 1, s[a] + 1) for a in range(rank)]
    collapsed = [a for a in rest if rng.random() < 0.5 and s[a] > 0]
    for a in collapsed:
        sizes[a] = 1
    free = list(shape(rng.randrange(0, 3), most=3, least=1))
    batch_at = sorted(rng.sample(range(len(free) + len(batching)), len(batching)))
    for at, a in zip(batch_at, batching):
        free.insert(at, s[a])
    vector = rng.randrange(0, len(free) + 1) if len(mapped) != 1 or rng.random() < 0.6 else len(free)
    index = list(free)
    implicit = len(mapped) == 1 and vector == len(free) and rng.random() < 0.5
    if not implicit:
        index.insert(vector, len(mapped))
    batch_axes = [a if implicit or a < vector else a + 1 for a in batch_at]
    return batching, batch_axes, mapped, collapsed, sizes, index, vector, free


@family
def gather(m):
    dt = rng.choice(["i32", "f32", "f64", "i1", "complex<f32>"])
    s = shape(rng.randrange(0, 4), least=1)
    batching, batch_axes, mapped, collapsed, sizes, index, vector, free = gathering(s)
    it = rng.choice(INDEX)
    x, i = m.arg(draw(s, dt)), m.arg(indices(index, max(s, default=1), it))
    inner = [n for a, n in enumerate(sizes) if a not in collapsed and a not in batching]
    rank = len(free) + len(inner)
    offset = sorted(rng.sample(range(rank), len(inner)))
    out, rest = [0] * rank, iter(free)
    for a, n in zip(offset, inner):
        out[a] = n
    for a in range(rank):
        if a not in offset:
            out[a] = next(rest)
    m.ret(m.op("stablehlo.gather", [x, i], [tensor(out, dt)],
               f"dimension_numbers = #stablehlo.gather<offset_dims = {offset}, collapsed_slice_dims = {collapsed}, operand_batching_dims = {batching}, start_indices_batching_dims = {batch_axes}, start_index_map = {mapped}, index_vector_dim = {vector}>, slice_sizes = {i64s(sizes)}, indices_are_sorted = false"))


@family
def scatter(m):
    name = rng.choice(["add", "multiply", "maximum", "minimum", "second", "and", "or", "xor", "subtract"])
    dt = rng.choice([d for d in BODIES.get(name, INTS + FLOATS) if d != "i1"])
    s = shape(rng.randrange(0, 4), least=1)
    batching, batch_axes, mapped, inserted, sizes, index, vector, free = gathering(s)
    it = rng.choice(INDEX)
    i = indices(index, max(s, default=1), it)
    inner = [n for a, n in enumerate(sizes) if a not in inserted and a not in batching]
    rank = len(free) + len(inner)
    windows = sorted(rng.sample(range(rank), len(inner)))
    out, rest = [0] * rank, iter(free)
    for a, n in zip(windows, inner):
        out[a] = n
    for a in range(rank):
        if a not in windows:
            out[a] = next(rest)
    x, ix, u = m.arg(draw(s, dt, 0.05)), m.arg(i), m.arg(draw(out, dt, 0.05))
    m.ret(m.op("stablehlo.scatter", [x, ix, u], [x[1]],
               f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {windows}, inserted_window_dims = {inserted}, input_batching_dims = {batching}, scatter_indices_batching_dims = {batch_axes}, scatter_dims_to_operand_dims = {mapped}, index_vector_dim = {vector}>, indices_are_sorted = false, unique_indices = false",
               scalar_body(dt, name)))
    return name


@family
def dynamic_slices(m):
    dt, it = rng.choice(["i32", "f32", "i1", "f64"]), rng.choice(INDEX)
    s = shape(rng.randrange(0, 4))
    sizes = [rng.randrange(0, n + 1) for n in s]
    x = m.arg(draw(s, dt))
    if rng.random() < 0.5:
        at = [m.arg(indices((), n, it)) for n in s]
        m.ret(m.op("stablehlo.dynamic_slice", [x, *at], [tensor(sizes, dt)], f"slice_sizes = {i64s(sizes)}"))
        return "slice"
    u = m.arg(draw(sizes, dt))
    at = [m.arg(indices((), n, it)) for n in s]
    m.ret(m.op("stablehlo.dynamic_update_slice", [x, u, *at], [x[1]]))
    return "update"


@family
def movement(m):
    dt = rng.choice(INTS + FLOATS + COMPLEX + ["i1", "i4"])
    name = rng.choice(["pad", "slice", "concatenate", "reverse", "transpose", "broadcast_in_dim", "reshape", "iota"])
    s = shape(rng.randrange(0, 4))
    x = m.arg(draw(s, dt))
    if name == "pad":
        while True:
            low, high, interior = [rng.randrange(-3, 4) for _ in s], [rng.randrange(-3, 4) for _ in s], [rng.randrange(0, 3) for _ in s]
            out = [n + lo + hi + max(n - 1, 0) * k for n, lo, hi, k in zip(s, low, high, interior)]
            if all(n >= 0 for n in out):
                break
        m.ret(m.op("stablehlo.pad", [x, m.arg(draw((), dt))], [tensor(out, dt)], f"edge_padding_low = {i64s(low)}, edge_padding_high = {i64s(high)}, interior_padding = {i64s(interior)}"))
    elif name == "slice":
        start = [rng.randrange(0, n + 1) for n in s]
        limit = [rng.randrange(a, n + 1) for a, n in zip(start, s)]
        step = [rng.randrange(1, 4) for _ in s]
        m.ret(m.op("stablehlo.slice", [x], [tensor([-(-(b - a) // c) for a, b, c in zip(start, limit, step)], dt)], f"start_indices = {i64s(start)}, limit_indices = {i64s(limit)}, strides = {i64s(step)}"))
    elif name == "concatenate" and s:
        axis = rng.randrange(len(s))
        sizes = [rng.randrange(0, 4) for _ in range(rng.randrange(0, 4))]
        parts = [x] + [m.arg(draw(s[:axis] + (n,) + s[axis + 1:], dt)) for n in sizes]
        m.ret(m.op("stablehlo.concatenate", parts, [tensor(s[:axis] + (s[axis] + sum(sizes),) + s[axis + 1:], dt)], f"dimension = {axis} : i64"))
    elif name == "reverse":
        m.ret(m.op("stablehlo.reverse", [x], [x[1]], f"dimensions = {i64s(some(len(s)))}"))
    elif name == "transpose":
        perm = rng.sample(range(len(s)), len(s))
        m.ret(m.op("stablehlo.transpose", [x], [tensor([s[a] for a in perm], dt)], f"permutation = {i64s(perm)}"))
    elif name == "broadcast_in_dim":
        out = list(shape(len(s) + rng.randrange(0, 3)))
        axes = rng.sample(range(len(out)), len(s))
        for a, n in zip(axes, s):
            if n != 1:
                out[a] = n
        m.ret(m.op("stablehlo.broadcast_in_dim", [x], [tensor(out, dt)], f"broadcast_dimensions = {i64s(axes)}"))
    elif name == "iota" and s and dt != "i1":
        m.ret(m.op("stablehlo.iota", [], [x[1]], f"iota_dimension = {rng.randrange(len(s))} : i64"))
    else:
        m.ret(m.op("stablehlo.reshape", [x], [tensor((*s, 1)[::-1] if len(set(s)) < 2 else (1, *s), dt)]))
    return name


@family
def sort(m):
    n = rng.randrange(1, 4)
    types = [rng.choice(INTS + FLOATS + ["i1"]) for _ in range(n)]
    s = shape(rng.randrange(1, 3), most=9)
    axis = rng.randrange(len(s))
    xs = [m.arg(draw(s, dt, 0.2, few=True)) for dt in types]
    k = rng.randrange(n)
    direction = rng.choice(["LT", "GT"])
    # A total order only: NaN has no place in others.
    kind = "TOTALORDER" if types[k] in FLOATS else "UNSIGNED" if types[k][0] == "u" or types[k] == "i1" else "SIGNED"
    args = ", ".join(f"%a{i}: {tensor((), dt)}, %b{i}: {tensor((), dt)}" for i, dt in enumerate(types))
    t = tensor((), types[k])
    cmp = lambda d, k: f'"stablehlo.compare"(%a{k}, %b{k}) <{{comparison_direction = #stablehlo<comparison_direction {d}>, compare_type = #stablehlo<comparison_type {"TOTALORDER" if types[k] in FLOATS else "UNSIGNED" if types[k][0] == "u" or types[k] == "i1" else "SIGNED"}>}}> : ({tensor((), types[k])}, {tensor((), types[k])}) -> tensor<i1>'
    if n > 1 and rng.random() < 0.5:
        j = rng.choice([i for i in range(n) if i != k])
        lines = [f"%0 = {cmp(direction, k)}", f"%1 = {cmp('EQ', k)}", f"%2 = {cmp(rng.choice(['LT', 'GT']), j)}", '%3 = "stablehlo.and"(%1, %2) : (tensor<i1>, tensor<i1>) -> tensor<i1>', '%4 = "stablehlo.or"(%0, %3) : (tensor<i1>, tensor<i1>) -> tensor<i1>']
        result = "%4"
    else:
        lines, result = [f"%0 = {cmp(direction, k)}"], "%0"
    region = f"{{\n    ^bb0({args}):\n      " + "\n      ".join(lines) + f'\n      "stablehlo.return"({result}) : (tensor<i1>) -> ()\n    }}'
    m.ret(m.op("stablehlo.sort", xs, [t for _, t in xs], f"dimension = {axis} : i64, is_stable = true", region))
    return f"{n}_{direction}"


@family
def dot_general(m):
    dt = rng.choice(INTS + FLOATS + COMPLEX)
    nb, nc = rng.randrange(0, 3), rng.randrange(0, 3)
    batch, contract = [rng.randrange(0, 4) for _ in range(nb)], [rng.randrange(0, 4) if rng.random() < 0.5 else rng.randrange(1, 9) for _ in range(nc)]
    left, right = list(shape(rng.randrange(0, 3), least=1)), list(shape(rng.randrange(0, 3), least=1))
    def side(free):
        sizes = batch + contract + free
        order = rng.sample(range(len(sizes)), len(sizes))
        at = {a: i for i, a in enumerate(order)}
        return [sizes[a] for a in order], [at[i] for i in range(nb)], [at[nb + i] for i in range(nc)], [sizes[a] for a in order if a >= nb + nc]
    ls, lb, lc, lf = side(left)
    rs, rb, rc, rf = side(right)
    x, y = m.arg(draw(ls, dt, 0.0)), m.arg(draw(rs, dt, 0.0))
    out = {"bf16": rng.choice(["bf16", "f32"]), "i8": rng.choice(["i8", "i32"])}.get(dt, dt)
    m.ret(m.op("stablehlo.dot_general", [x, y], [tensor(batch + lf + rf, out)],
               f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {lb}, rhs_batching_dimensions = {rb}, lhs_contracting_dimensions = {lc}, rhs_contracting_dimensions = {rc}>"))
    return f"{dt}_{out}"


@family
def convolution(m):
    dt = rng.choice(["f32", "f64", "f16", "bf16", "i32", "i8", "complex<f32>"])
    rank = rng.randrange(0, 4)
    group, batch_group = rng.choice([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2), (1, 3)])
    while True:
        s = [rng.randrange(1, 7) for _ in range(rank)]
        w = window(s)
        if w:
            break
    dims, strides, base, dilation, padding, out = w
    batch, features, per = rng.randrange(1, 3) * batch_group, rng.randrange(1, 3) * group, 1
    outs = rng.randrange(1, 3) * group * batch_group
    def place(first, second, spatial):
        order = rng.sample(range(rank + 2), rank + 2)
        labels = [None] * (rank + 2)
        sizes = [None] * (rank + 2)
        for at, (label, n) in zip(order, [first, second] + [(i, n) for i, n in enumerate(spatial)]):
            labels[at], sizes[at] = label, n
        return labels, sizes
    ll, ls = place(("b", batch), ("f", features), s)
    rl, rs = place(("i", features // group), ("o", outs), dims)
    ol, os = place(("b", batch // batch_group), ("f", outs), out)
    reversal = [rng.random() < 0.3 for _ in range(rank)]
    join = lambda labels: "[" + ", ".join(map(str, labels)) + "]"
    x, y = m.arg(draw(ls, dt, 0.0)), m.arg(draw(rs, dt, 0.0))
    bools = "array<i1: " + ", ".join(str(r).lower() for r in reversal) + ">" if rank else "array<i1>"
    m.ret(m.op("stablehlo.convolution", [x, y], [tensor(os, dt)],
               f"window_strides = {i64s(strides)}, padding = {pads(padding)}, lhs_dilation = {i64s(base)}, rhs_dilation = {i64s(dilation)}, window_reversal = {bools}, "
               f"dimension_numbers = #stablehlo.conv<{join(ll)}x{join(rl)}->{join(ol)}>, feature_group_count = {group} : i64, batch_group_count = {batch_group} : i64"))
    return f"{dt}_{rank}"


@family
def fft(m):
    kind = rng.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    real = rng.choice(["f32", "f64"])
    n = rng.randrange(1, 4)
    lengths = [rng.randrange(1, 9) for _ in range(n)]
    batch = list(shape(rng.randrange(0, 2)))
    half = lengths[:-1] + [lengths[-1] // 2 + 1]
    c = f"complex<{real}>"
    ins, outs = {"FFT": ((lengths, c), (lengths, c)), "IFFT": ((lengths, c), (lengths, c)), "RFFT": ((lengths, real), (half, c)), "IRFFT": ((half, c), (lengths, real))}[kind]
    m.ret(m.op("stablehlo.fft", [m.arg(draw(batch + ins[0], ins[1], 0.0))], [tensor(batch + outs[0], outs[1])], f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {i64s(lengths)}"))
    return kind


@family
def control(m):
    name = rng.choice(["case", "if", "while", "map", "barrier", "tuple"])
    dt = rng.choice(["f32", "i32", "f64"])
    s = shape(1, least=1)
    x = m.arg(draw(s, dt))
    t = x[1]
    if name == "case":
        n = rng.randrange(1, 4)
        at = m.arg(np.array(rng.randrange(-2, 6), np.int32))
        regions = ", ".join(f'{{\n      %r{i} = "stablehlo.{op}"({x[0]}, {x[0]}) : ({t}, {t}) -> {t}\n      "stablehlo.return"(%r{i}) : ({t}) -> ()\n    }}' for i, op in enumerate(rng.sample(["add", "multiply", "subtract", "maximum"], n)))
        m.ret(m.op("stablehlo.case", [at], [t], "", regions))
    elif name == "if":
        p = m.arg(draw((), "i1"))
        regions = ", ".join(f'{{\n      %r{i} = "stablehlo.{op}"({x[0]}, {x[0]}) : ({t}, {t}) -> {t}\n      "stablehlo.return"(%r{i}) : ({t}) -> ()\n    }}' for i, op in enumerate(["add", "multiply"]))
        m.ret(m.op("stablehlo.if", [p], [t], "", regions))
    elif name == "while":
        limit, i = m.arg(np.array(rng.randrange(-1, 6), np.int32)), m.arg(np.array(rng.randrange(0, 3), np.int32))
        one = m.op("stablehlo.constant", [], ["tensor<i32>"], "value = dense<1> : tensor<i32>")[0]
        regions = (f'{{\n    ^bb0(%i: tensor<i32>, %x: {t}):\n      %p = "stablehlo.compare"(%i, {limit[0]}) <{{comparison_direction = #stablehlo<comparison_direction {rng.choice(["LT", "LE"])}>}}> : (tensor<i32>, tensor<i32>) -> tensor<i1>\n      "stablehlo.return"(%p) : (tensor<i1>) -> ()\n    }}, '
                   f'{{\n    ^bb0(%i: tensor<i32>, %x: {t}):\n      %j = "stablehlo.add"(%i, {one[0]}) : (tensor<i32>, tensor<i32>) -> tensor<i32>\n      %y = "stablehlo.add"(%x, {x[0]}) : ({t}, {t}) -> {t}\n      "stablehlo.return"(%j, %y) : (tensor<i32>, {t}) -> ()\n    }}')
        m.ret(m.op("stablehlo.while", [i, x], ["tensor<i32>", t], "", regions))
    elif name == "map":
        y = m.arg(draw(s, dt))
        e = tensor((), dt)
        m.ret(m.op("stablehlo.map", [x, y], [t], "dimensions = array<i64: 0>", f'{{\n    ^bb0(%a: {e}, %b: {e}):\n      %r = "stablehlo.multiply"(%a, %b) : ({e}, {e}) -> {e}\n      %q = "stablehlo.subtract"(%r, %a) : ({e}, {e}) -> {e}\n      "stablehlo.return"(%q) : ({e}) -> ()\n    }}'))
    else:
        y = m.arg(draw(s, "i32"))
        m.ret(m.op("stablehlo.optimization_barrier", [x, y], [x[1], y[1]]))
    return name


@family
def rng_bits(m):
    algorithm = rng.choice(["THREE_FRY", "PHILOX", "DEFAULT"])
    dt = rng.choice(["ui8", "ui16", "ui32", "ui64", "i32", "i64", "i8"])
    words = 2 if algorithm == "THREE_FRY" else rng.choice([2, 3])
    state = m.arg(np.array([rng.getrandbits(64) if rng.random() < 0.8 else (1 << 64) - 1 for _ in range(words)], np.uint64))
    out = tensor(shape(rng.randrange(0, 3), most=6), dt)
    m.ret(m.op("stablehlo.rng_bit_generator", [state], [state[1], out], f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>"))
    return f"{algorithm}_{dt}"


@family
def triangular(m):
    dt = rng.choice(["f32", "f64"] + COMPLEX)
    batch, n, k = list(shape(rng.randrange(0, 2), least=1)), rng.randrange(1, 5), rng.randrange(1, 4)
    left = rng.random() < 0.5
    a = draw(batch + [n, n], dt, 0.0) + 4 * np.eye(n, dtype=DTYPES[dt])
    b = draw(batch + ([n, k] if left else [k, n]), dt, 0.0)
    x, y = m.arg(a.astype(DTYPES[dt])), m.arg(b)
    attrs = ", ".join(f"{k} = {str(rng.random() < 0.5).lower()}" for k in ("lower", "unit_diagonal"))
    m.ret(m.op("stablehlo.triangular_solve", [x, y], [y[1]], f"left_side = {str(left).lower()}, {attrs}, transpose_a = #stablehlo<transpose {rng.choice(['NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'])}>"))


@family
def batch_norm(m):
    dt = rng.choice(["f32", "f64"])
    s = shape(rng.randrange(2, 5), least=1)
    axis = rng.randrange(len(s))
    name = rng.choice(["inference", "training", "grad"])
    x = m.arg(draw(s, dt, 0.0))
    v = lambda: m.arg(draw((s[axis],), dt, 0.0))
    attrs = f"epsilon = 1.000000e-03 : f32, feature_index = {axis} : i64"
    t = tensor((s[axis],), dt)
    if name == "training":
        m.ret(m.op("stablehlo.batch_norm_training", [x, v(), v()], [x[1], t, t], attrs))
    elif name == "inference":
        a, b, c, d = v(), v(), v(), m.arg(np.abs(draw((s[axis],), dt, 0.0)))
        m.ret(m.op("stablehlo.batch_norm_inference", [x, a, b, c, d], [x[1]], attrs))
    else:
        a, b, c = v(), v(), m.arg(np.abs(draw((s[axis],), dt, 0.0)))
        m.ret(m.op("stablehlo.batch_norm_grad", [x, a, b, c, m.arg(draw(s, dt, 0.0))], [x[1], t, t], attrs))
    return name


CHLO = {"acos": FLOATS + COMPLEX, "acosh": FLOATS + COMPLEX, "asin": FLOATS + COMPLEX, "asinh": FLOATS + COMPLEX, "atan": FLOATS + COMPLEX, "atanh": FLOATS + COMPLEX,
        "bessel_i1e": FLOATS, "conj": COMPLEX, "cosh": FLOATS + COMPLEX, "digamma": FLOATS, "erf": FLOATS, "erfc": FLOATS, "erf_inv": ["f32", "f64"], "is_inf": FLOATS, "is_neg_inf": FLOATS,
        "is_pos_inf": FLOATS, "lgamma": FLOATS, "sinh": FLOATS + COMPLEX, "tan": FLOATS + COMPLEX, "square": FLOATS + COMPLEX}


@family
def chlo(m):
    if rng.random() < 0.2:
        dt = rng.choice(INTS + FLOATS)
        s = shape(rng.randrange(0, 2)) + (rng.randrange(0, 7),)
        x, k = m.arg(draw(s, dt, few=True)), rng.randrange(0, s[-1] + 1)
        m.ret(m.op("chlo.top_k", [x], [tensor(s[:-1] + (k,), dt), tensor(s[:-1] + (k,), "i32")], f"k = {k} : i64"))
        return "top_k"
    if rng.random() < 0.2:
        dt = rng.choice(FLOATS)
        x, y = m.arg(draw((20,), dt)), m.arg(draw((20,), dt))
        m.ret(m.op("chlo.next_after", [x, y], [x[1]]))
        return "next_after"
    name = rng.choice(list(CHLO))
    dt = rng.choice(CHLO[name])
    x = m.arg(draw((rng.randrange(1, 40),), dt))
    m.ret(m.op("chlo." + name, [x], [tensor((x[1].count and len(m.args[0]),), "i1") if name.startswith("is_") else x[1]]))
    return f"{name}_{dt}"


@family
def parts(m):
    """Parts of complex numbers, and finiteness."""
    dt = rng.choice(COMPLEX)
    real = {"complex<f32>": "f32", "complex<f64>": "f64"}[dt]
    n = rng.randrange(0, 20)
    name = rng.choice(["real", "imag", "complex", "is_finite"])
    if name == "complex":
        m.ret(m.op("stablehlo.complex", [m.arg(draw((n,), real)), m.arg(draw((n,), real))], [tensor((n,), dt)]))
    elif name == "is_finite":
        m.ret(m.op("stablehlo.is_finite", [m.arg(draw((n,), rng.choice(FLOATS)))], [tensor((n,), "i1")]))
    else:
        m.ret(m.op("stablehlo." + name, [m.arg(draw((n,), dt if rng.random() < 0.7 else real))], [tensor((n,), real)]))
    return name


@family
def dynamic(m):
    """Operations with sizes as operands, which are constants."""
    dt = rng.choice(["f32", "i32"])
    s = shape(rng.randrange(1, 3), least=1)
    x = m.arg(draw(s, dt))
    const = lambda xs: m.op("stablehlo.constant", [], [tensor((len(xs),), "i64")], f"value = dense<{list(xs)}> : {tensor((len(xs),), 'i64')}")[0]
    name = rng.choice(["broadcast", "reshape", "iota", "pad", "real_slice", "size"])
    if name == "broadcast":
        out = [2, *s]
        m.ret(m.op("stablehlo.dynamic_broadcast_in_dim", [x, const(out)], [tensor(out, dt)], f"broadcast_dimensions = {i64s(range(1, len(out)))}"))
    elif name == "reshape":
        m.ret(m.op("stablehlo.dynamic_reshape", [x, const([int(np.prod(s))])], [tensor([int(np.prod(s))], dt)]))
    elif name == "iota":
        m.ret(m.op("stablehlo.dynamic_iota", [const(s)], [tensor(s, dt)], f"iota_dimension = {rng.randrange(len(s))} : i64"))
    elif name == "pad":
        low, high, interior = [rng.randrange(0, 3) for _ in s], [rng.randrange(0, 3) for _ in s], [rng.randrange(0, 2) for _ in s]
        out = [n + a + b + max(n - 1, 0) * k for n, a, b, k in zip(s, low, high, interior)]
        m.ret(m.op("stablehlo.dynamic_pad", [x, m.arg(draw((), dt)), const(low), const(high), const(interior)], [tensor(out, dt)]))
    elif name == "real_slice":
        start = [rng.randrange(0, n + 1) for n in s]
        limit = [rng.randrange(a, n + 1) for a, n in zip(start, s)]
        step = [rng.randrange(1, 3) for _ in s]
        m.ret(m.op("stablehlo.real_dynamic_slice", [x, const(start), const(limit), const(step)], [tensor([-(-(b - a) // c) for a, b, c in zip(start, limit, step)], dt)]))
    else:
        m.ret(m.op("stablehlo.get_dimension_size", [x], ["tensor<i32>"], f"dimension = {rng.randrange(len(s))} : i64"))
    return name


def run(text, args):
    with context, ir.Location.unknown(context):
        module = ir.Module.parse(text)
        module.operation.verify()
        code = backend.compile_and_load(module, devices, xc.CompileOptions())
    return [np.asarray(a) for a in code.execute([jax.device_put(a, jax.local_devices()[0]) for a in args])]


def raw(a):
    """Returns the bytes of an array, numbers of four bits as bytes."""
    if a.dtype in (ml_dtypes.int4, ml_dtypes.uint4):
        a = a.astype(np.int8)
    return np.ascontiguousarray(a).tobytes()


def write(out, name, seed):
    """Writes one module; returns why XLA refuses it."""
    global subnormal, moves
    moves = name in ("gather", "dynamic_slices", "movement", "parts", "dynamic")
    rng.seed(f"{name} {seed}")
    subnormal = name in ("bitcast", "gather", "dynamic_slices", "movement", "sort", "parts", "dynamic", "convert")
    m = Module()
    what = FAMILIES[name](m) or ""
    text = m.text()
    try:
        results = run(text, m.args)
    except Exception as e:
        return str(e).replace("\n", " ")[:300] + "\n" + (text if "-v" in sys.argv else "")
    clean = what.replace("<", "").replace(">", "")
    base = out / f"{name}-{clean}-{seed}"
    base.with_name(base.name + ".mlir").write_text(text)
    base.with_name(base.name + ".data").write_bytes(b"".join(raw(a) for a in [*m.args, *results]))
    return ""


out, each, first = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
out.mkdir(exist_ok=True)
if "--one" in sys.argv:  # a process of its own, since XLA ends it on some modules
    name = sys.argv[-2]
    for seed in range(int(sys.argv[-1]), first + each):
        print(json.dumps(write(out, name, seed)), flush=True)
    sys.exit()
wanted = [a for a in sys.argv[4:] if a != "-v"] or list(FAMILIES)
for name in wanted:
    done, refused = 0, collections.Counter()
    while done < each:
        child = subprocess.Popen([sys.executable, __file__, sys.argv[1], sys.argv[2], sys.argv[3], *(["-v"] if "-v" in sys.argv else []), "--one", name, str(first + done)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        results = [json.loads(line) for line in child.stdout]
        error = child.stderr.read()
        if child.wait() != 0:
            results.append("XLA ends the process: " + error[-300:])
        refused.update(r for r in results if r)
        done += len(results)
    print(f"{name}: {done - sum(refused.values())} modules, {sum(refused.values())} refused", flush=True)
    for why, n in refused.most_common(40 if "-v" in sys.argv else 3):
        print("   ", n, why, flush=True)
