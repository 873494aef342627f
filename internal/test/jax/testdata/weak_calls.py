"""Writes weak_calls.tsv: calls of jax.numpy and jax.nn, and the types of their results in JAX 0.10.2.

Usage: python weak_calls.py > weak_calls.tsv

A line is an expression, the shapes of its operands x, y, z, and the types of the results
for all combinations of the operand types of the first line, the last operand's changing fastest; "-" is
an error. Results of several arrays are joined by "+".
"""
import itertools
import jax, jax.numpy as jnp, numpy as np

TYPES = {"bool": jnp.bool_, "i8": jnp.int8, "u8": jnp.uint8, "i32": jnp.int32, "f16": jnp.float16, "bf16": jnp.bfloat16, "f32": jnp.float32, "c64": jnp.complex64}
SHORT = {str(np.dtype(v)): k for k, v in TYPES.items()} | {"int16": "i16", "uint16": "u16", "uint32": "u32"}
ALL = ["bool", "i8", "u8", "i32", "~i32", "f16", "bf16", "f32", "~f32", "c64", "~c64"]
FEW = ["bool", "i32", "~i32", "f16", "f32", "~f32"]


def struct(t, shape):
    return jax.ShapeDtypeStruct(shape, TYPES[t.strip("~")], weak_type=t[0] == "~")


def text(r):
    shape = str(list(r.shape)).replace(" ", "")
    return ("~" if r.weak_type else "") + SHORT[str(r.dtype)] + shape


def result(src, types, shapes):
    f = eval("lambda x=None, y=None, z=None: " + src, {"jnp": jnp, "jax": jax, "nn": jax.nn, "np": np, "lax": jax.lax})
    try:
        r = jax.eval_shape(f, *(struct(t, s) for t, s in zip(types, shapes)))
        return "+".join(text(x) for x in jax.tree.leaves(r))
    except Exception:
        return "-"


S, V, M, C = (), (2,), (2, 2), (2, 3)
UNARY = """exp exp2 expm1 log log1p log2 log10 sqrt cbrt sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh reciprocal
square abs sign floor ceil trunc conjugate isfinite isnan isinf logical_not negative invert real imag ravel zeros_like ones_like angle deg2rad
nan_to_num signbit sinc isreal bitwise_count positive rint round cov corrcoef flip squeeze sum prod mean var std max min all any
median nansum nanmean nanmax ptp count_nonzero average transpose atleast_2d argmax argmin ediff1d""".split()
VECTOR = """diag diff sort argsort cumsum cumprod gradient""".split()
MATRIX = """tril triu trace diagonal fliplr rot90""".split()
BINARY = """add subtract multiply divide true_divide floor_divide remainder power maximum minimum arctan2 nextafter equal not_equal less less_equal greater
greater_equal logical_and logical_or logical_xor logaddexp hypot bitwise_and bitwise_or bitwise_xor left_shift right_shift copysign heaviside fmax
float_power ldexp gcd lcm inner vdot kron outer dot append""".split()
NN = """relu sigmoid softplus silu elu leaky_relu relu6 hard_tanh hard_sigmoid hard_silu log_sigmoid mish soft_sign squareplus selu gelu celu
standardize softmax log_softmax logsumexp""".split()
OPERATORS = "+ - * / // % ** & | ^ == != < <= > >=".split()

ROWS = []  # expression, lists of shapes, types
for n in UNARY:
    ROWS.append((f"jnp.{n}(x)", [(S,), (V,), (C,)], ALL))
for n in VECTOR:
    ROWS.append((f"jnp.{n}(x)", [(V,)], ALL))
for n in MATRIX:
    ROWS.append((f"jnp.{n}(x)", [(M,)], ALL))
for n in NN:
    ROWS.append((f"nn.{n}(x)", [(S,), (V,), (C,)], ALL))
for n in BINARY:
    ROWS.append((f"jnp.{n}(x, y)", [(S, S), (S, V), (V, S), (V, V)], ALL))
for o in OPERATORS:
    ROWS.append((f"x {o} y", [(S, S), (V, S), (V, V)], ALL))
    for k in ("2", "1.5", "True", "1j"):
        ROWS.append((f"x {o} {k}", [(S,), (V,)], ALL))
for src in ("nn.gelu(x, approximate=False)", "jnp.mean(x, axis=0)", "jnp.sum(x, axis=0, keepdims=True)", "jnp.max(x, axis=0)", "jnp.var(x, axis=0)", "jnp.std(x, axis=0)",
            "jnp.prod(x, axis=0)", "jnp.cumsum(x, axis=0)", "jnp.sort(x, axis=0)", "jnp.softmax(x)", "nn.softmax(x, axis=0)", "nn.glu(x, axis=0)", "jnp.norm(x)",
            "jnp.linalg.norm(x)", "jnp.repeat(x, 2, axis=0)", "jnp.tile(x, (2,))", "jnp.roll(x, 1)", "jnp.pad(x, 1)", "jnp.stack([x, x])", "jnp.concatenate([x, x])",
            "jnp.array([x, x])", "jnp.asarray(x)", "jnp.array(x)", "jnp.reshape(x, (2, 1))", "jnp.expand_dims(x, 0)", "jnp.broadcast_to(x, (3, 2))", "x[0]", "x[None]", "x[::-1]", "x.T",
            "jnp.median(x, axis=0)", "jnp.nansum(x, axis=0)", "jnp.average(x, axis=0)", "jnp.vander(x, 3)", "jnp.trapezoid(x)", "jnp.clip(x, 0, 1)", "jnp.clip(x, 0.5, 1.5)", "jnp.round(x, 1)",
            "jnp.sum(x, dtype=jnp.float32)", "jnp.full((2,), x)", "jnp.full_like(x, 1.5)", "x.at[0].set(1)", "x.at[0].add(1.5)", "x.astype(float)", "jnp.nanmax(x)", "jnp.histogram(x, bins=3, range=(0, 1))[1]",
            "-x", "~x", "nn.one_hot(x, 3)", "jnp.unique(x, size=2, fill_value=0)", "lax.top_k(x, 1)", "jnp.where(x, 1.0, 0.0)", "jnp.where(x, 1, 0)", "jnp.linspace(x[0], x[1], 3)"):
    ROWS.append((src, [(V,)], ALL))
for src in ("jnp.matmul(x, y)", "x @ y", "jnp.tensordot(x, y, 1)", "jnp.einsum('ij,jk->ik', x, y)", "jnp.concatenate([x, y])", "jnp.stack([x, y])", "jnp.where(x, y, 1.0)", "jnp.where(x, y, 1)",
            "jnp.hstack([x, y])", "jnp.vstack([x, y])", "x.at[0].set(y[0])", "x.at[0].add(y[0])", "jnp.broadcast_arrays(x, y)", "jnp.cross(x, y)"):
    shapes = [((2, 3), (2, 3))] if "cross" in src else [(M, M)]
    ROWS.append((src, shapes, ALL))
for src in ("jnp.polyval(x, y)", "jnp.convolve(x, y, mode='same')", "jnp.correlate(x, y, mode='full')", "jnp.quantile(x, y)", "jnp.percentile(x, y)", "jnp.searchsorted(x, y)", "jnp.digitize(x, y)",
            "jnp.average(x, weights=y)", "jnp.linspace(x[0], y[0], 3)", "jnp.take(x, y)", "x[y]", "jnp.select([x > 0], [y], default=0)", "jnp.take_along_axis(x, y, 0)",
            "jax.ops.segment_sum(x, y, num_segments=2)", "jnp.clip(x, y, y)"):
    ROWS.append((src, [(V, V)], ALL))
for src in ("jnp.where(x, y, z)", "jnp.clip(x, y, z)", "jnp.interp(x, y, z)", "jnp.select([x > 0, x < 0], [y, z], default=0)"):
    ROWS.append((src, [(V, V, V)] + ([(S, S, S), (V, S, V)] if "interp" not in src else []), FEW))

print("#", " ".join(ALL))
print("#", " ".join(FEW))
for src, shapes, types in ROWS:
    for s in shapes:
        out = [result(src, t, s) for t in itertools.product(types, repeat=len(s))]
        if all(o == "-" for o in out):
            continue
        print(src, " ".join(str(list(d)).replace(" ", "") for d in s), " ".join(out), sep="\t", flush=True)
