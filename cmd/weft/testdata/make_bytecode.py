"""Serializes the modules of this folder's tests as bytecode.

    python cmd/weft/testdata/make_bytecode.py

Needs jaxlib (0.10.2 was used). Run by hand; no test needs Python.
"""
import pathlib

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

here = pathlib.Path(__file__).parent
INFEED = """
module @infeed {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.create_token : !stablehlo.token
    %1:2 = "stablehlo.infeed"(%0) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token) loc("infeed.py":3:7)
    return %1#0 : tensor<3xf32>
  }
}
"""
for name, text in {"affine": (here / "affine.mlir").read_text(), "infeed": INFEED}.items():
    context = mlir.make_ir_context()
    with context, ir.Location.unknown(context):
        code = stablehlo.serialize_portable_artifact(ir.Module.parse(text), stablehlo.get_minimum_version() if name == "affine" else stablehlo.get_current_version())
    (here / (name + ".mlirbc")).write_bytes(code)
