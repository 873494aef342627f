"""Writes weak_marks.tsv: a function, the types of its operands, the type of its result in JAX 0.10.2.

Usage: python weak_marks.py > weak_marks.tsv
"""
import jax, jax.numpy as jnp, numpy as np

SHORT = {"bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "uint8": "u8", "float16": "f16", "float32": "f32", "complex64": "c64", "uint32": "u32"}


def mark(f, *args):
    try:
        r = jax.eval_shape(f, *args)
    except Exception:
        return ""
    return ("~" if r.weak_type else "") + SHORT[str(r.dtype)] + str(list(r.shape)).replace(" ", "")


A = {}
for n, t in (("i8", jnp.int8), ("i32", jnp.int32), ("u8", jnp.uint8), ("f16", jnp.float16), ("f32", jnp.float32), ("c64", jnp.complex64), ("bool", jnp.bool_)):
    for s, d in (("[]", ()), ("[2]", (2,))):
        A[n + s] = jax.ShapeDtypeStruct(d, t)
        if n in ("i32", "f32", "c64"):
            A["~" + n + s] = jax.ShapeDtypeStruct(d, t, weak_type=True)

UNARY = {"Angle": jnp.angle, "PopulationCount": jnp.bitwise_count, "Imag": jnp.imag, "Sinc": jnp.sinc, "Gelu": jax.nn.gelu,
         "Deg2Rad": jnp.deg2rad, "Rad2Deg": jnp.rad2deg}
BINARY = {"Hypot": jnp.hypot, "Gcd": jnp.gcd, "Lcm": jnp.lcm, "Copysign": jnp.copysign, "Heaviside": jnp.heaviside, "Atan2": jnp.arctan2}


def row(name, types, f):
    m = mark(f, *(A[t] for t in types))
    narrow = name != "Interp" and any("8" in t for t in types)
    if m and not narrow:
        print(name, " ".join(types), m, sep="\t")


for name, f in UNARY.items():
    for a in A:
        row(name, [a], f)
for name, f in BINARY.items():
    for a in A:
        for b in A:
            row(name, [a, b], f)
for x in ("bool[]", "bool[2]", "i32[2]", "f32[2]", "~i32[]", "~f32[]", "~i32[2]", "~f32[2]", "f16[2]"):
    for xp in ("~i32[2]", "i32[2]", "f32[2]", "~f32[2]", "i8[2]", "bool[2]"):
        for fp in ("~i32[2]", "i32[2]", "f32[2]", "~f32[2]", "f16[2]"):
            row("Interp", [x, xp, fp], jnp.interp)
