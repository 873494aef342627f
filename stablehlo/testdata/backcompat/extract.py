"""Extracts the artifacts with which JAX tests that it reads what it exported before.

    python stablehlo/testdata/backcompat/extract.py

They are part of the jax package (jax._src.internal_test_util.export_back_compat_test_data;
0.10.2 was used), copyright The JAX Authors, licensed under the Apache License, Version 2.0.
Those for CPUs are taken, unchanged: NAME.mlirbc is the bytecode, NAME.npz has in.NN and
out.NN, the operands and the expected results. serialized_NN.bin are whole exports in the
versions of jax.export's own format.

Needs jax and numpy. Run by hand; no test needs Python.
"""
import importlib
import pathlib
import pkgutil

import jax._src.internal_test_util.export_back_compat_test_data as data
import numpy as np

here = pathlib.Path(__file__).parent


def write(name, artifact):
    if "mlir_module_serialized" not in artifact:
        for key, inner in artifact.items():
            if isinstance(inner, dict):
                write(f"{name}_{key}", inner)
        return
    if artifact.get("platform") != "cpu":
        return
    (here / f"{name}.mlirbc").write_bytes(artifact["mlir_module_serialized"])
    arrays = {f"in.{i:02}": np.asarray(a) for i, a in enumerate(artifact["inputs"])}
    arrays |= {f"out.{i:02}": np.asarray(a) for i, a in enumerate(artifact["expected_outputs"])}
    np.savez_compressed(here / f"{name}.npz", **arrays)


for info in pkgutil.iter_modules(data.__path__):
    if not info.ispkg:
        module = importlib.import_module(f"{data.__name__}.{info.name}")
        for key, value in vars(module).items():
            if key.startswith("data") and isinstance(value, dict):
                write(info.name + key.removeprefix("data"), value)
        for i, value in enumerate(getattr(module, "serializations", [])):
            version = value["serialization_version"]
            (here / f"{info.name}_{i}_v{version}.bin").write_bytes(value["exported_serialized"])
