"""Serializes StableHLO modules as bytecode of portable artifacts, for several versions.

    python lower/stablehlo/testdata/make_bytecode.py SOURCE.tar.gz OUT.tar.gz [--all]

SOURCE has texts of modules. Without --all the smallest of each family is taken, if its text
is shorter than 8 kB, in six versions from 0.9.0 on; with --all every module, in three. A version that lacks an
operation or a type of the module, and modules of CHLO, which artifacts cannot have, are
left out. OUT has the bytecode as NAME@VERSION.mlirbc.

Needs jaxlib (0.10.2 was used, whose StableHLO is 1.17.0). Run by hand; no test needs Python.
"""
import gzip
import io
import re
import sys
import tarfile

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

source, out = sys.argv[1:3]
whole = "--all" in sys.argv
current = stablehlo.get_current_version()
versions = ["0.9.0", "1.0.0", current] if whole else ["0.9.0", "0.12.0", "0.14.0", "1.0.0", "1.9.0", current]

modules = {}
with tarfile.open(source) as tar:
    for member in tar.getmembers():
        if member.isfile() and member.name.endswith(".mlir"):
            name = member.name.rsplit("/", 1)[-1][: -len(".mlir")]
            modules[name] = tar.extractfile(member).read().decode()
if not whole:
    families = {}
    for name, text in sorted(modules.items()):
        family = re.split(r"_(?:bool|u?int|b?float|complex)\d*", name)[0]
        if family not in families or len(text) < len(modules[families[family]]):
            families[family] = name
    modules = {name: modules[name] for name in families.values() if len(modules[name]) < 8000}

context = mlir.make_ir_context()
written = skipped = 0
# Times and owners are left out, so that the same input makes the same file.
with open(out, "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", mtime=0, filename="") as z, tarfile.open(fileobj=z, mode="w") as tar:
    for name, text in sorted(modules.items()):
        with context, ir.Location.unknown(context):
            module = ir.Module.parse(text)
            for version in versions:
                try:
                    code = stablehlo.serialize_portable_artifact(module, version)
                except Exception:
                    skipped += 1
                    continue
                info = tarfile.TarInfo(f"{name}@{version}.mlirbc")
                info.size = len(code)
                tar.addfile(info, io.BytesIO(code))
                written += 1
print(f"{written} artifacts of {len(modules)} modules; {skipped} could not be made")
