"""Writes open.onnx: a layer over any number of rows, whose result has the shape that an input states.

    pip install onnx==1.23.2
    python make_onnx.py
"""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

graph = helper.make_graph(
    [
        helper.make_node("MatMul", ["x", "w"], ["product"]),
        helper.make_node("Relu", ["product"], ["positive"]),
        helper.make_node("Reshape", ["positive", "shape"], ["y"], name="last"),
    ],
    "open",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 2]), helper.make_tensor_value_info("shape", TensorProto.INT64, [2])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, None])],
    [numpy_helper.from_array(np.array([[1, -1, 0], [2, 0.5, 1]], np.float32), "w")],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
onnx.checker.check_model(model)
onnx.save(model, "open.onnx")
