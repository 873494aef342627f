"""Parses and verifies StableHLO modules with jaxlib, and writes the verdicts.

    go test ./lower/stablehlo -run WriteSamples -args -write-to DIR
    python lower/stablehlo/testdata/verdicts.py DIR lower/stablehlo/testdata/verdicts.txt

Needs jax (0.10.2 was used). Run by hand; no test needs Python.
"""
import collections
import pathlib
import sys

import jaxlib
from jax._src.interpreters import mlir
from jaxlib.mlir import ir

context = mlir.make_ir_context()

verdicts = collections.defaultdict(lambda: [0, 0, ""])
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.mlir")):
    name = path.stem.split("_", 1)[1] if path.stem[:4].isdigit() else path.stem
    v = verdicts[name]
    try:
        with context, ir.Location.unknown(context):
            ir.Module.parse(path.read_text()).operation.verify()
        v[0] += 1
    except Exception as e:
        v[1] += 1
        v[2] = str(e).replace("\n", " ")[:300] + " in " + path.name

with open(sys.argv[2], "w") as out:
    out.write(f"# jaxlib {jaxlib.version.__version__}: modules of each primitive's samples, accepted and refused\n")
    for name, (good, bad, why) in sorted(verdicts.items()):
        out.write(f"{name} {good} {bad}{' ' + why if why else ''}\n")
