"""Writes models with inputs for the rows p/ of onnx.go into a folder: a block of a ResNet, one of a transformer's encoder,
and products with matrices of 4-bit integers in blocks of 32.

    pip install onnx==1.23.2
    python onnx_models.py FOLDER
"""
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

draw = np.random.default_rng(1)


class Graph:
    def __init__(self):
        self.nodes, self.weights = [], []

    def weight(self, *shape):
        scale = 1 / np.sqrt(np.prod(shape[1:]) if len(shape) > 1 else 1)
        return self.constant((draw.standard_normal(shape) * scale).astype(np.float32))

    def constant(self, value):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def __call__(self, op, *inputs, **attrs):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], **attrs))
        return name

    def save(self, folder, shape, out):
        os.makedirs(os.path.join(folder, "test_data_set_0"), exist_ok=True)
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
        y = helper.make_tensor_value_info(out, TensorProto.FLOAT, shape)
        g = helper.make_graph(self.nodes, "g", [x], [y], self.weights)
        m = helper.make_model(g, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)], ir_version=10)
        onnx.checker.check_model(m)
        onnx.save(m, os.path.join(folder, "model.onnx"))
        with open(os.path.join(folder, "test_data_set_0", "input_0.pb"), "wb") as f:
            f.write(numpy_helper.from_array(draw.standard_normal(shape).astype(np.float32)).SerializeToString())


def resnet(folder, n=64, size=56):
    g = Graph()

    def norm(x):
        return g("BatchNormalization", x, *[g.constant(np.abs(draw.standard_normal(n)).astype(np.float32) + 0.5) for _ in range(4)])

    y = g("Relu", norm(g("Conv", "x", g.weight(n, n, 3, 3), pads=[1, 1, 1, 1])))
    y = norm(g("Conv", y, g.weight(n, n, 3, 3), pads=[1, 1, 1, 1]))
    g.save(folder, [1, n, size, size], g("Relu", g("Add", y, "x")))


def encoder(folder, length=128, n=256, heads=4):
    g = Graph()
    ones, zeros = (g.constant(np.full(n, v, np.float32)) for v in (1, 0))

    def dense(x, a, b):
        return g("Add", g("MatMul", x, g.constant((draw.standard_normal((a, b)) / np.sqrt(a)).astype(np.float32))), g.weight(b))

    split = g.constant(np.array([1, length, heads, n // heads]))
    x = g("LayerNormalization", "x", ones, zeros)
    q, k, v = (g("Transpose", g("Reshape", dense(x, n, n), split), perm=p) for p in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))
    s = g("Softmax", g("Mul", g("MatMul", q, k), g.constant(np.float32((n // heads) ** -0.5))), axis=-1)
    y = g("Reshape", g("Transpose", g("MatMul", s, v), perm=[0, 2, 1, 3]), g.constant(np.array([1, length, n])))
    x = g("Add", "x", dense(y, n, n))
    y = g("Gelu", dense(g("LayerNormalization", x, ones, zeros), n, 4 * n))
    g.save(folder, [1, length, n], g("Add", x, dense(y, 4 * n, n)))


def bits(folder, rows, n, block=32):
    g = Graph()
    w = g.constant(draw.integers(0, 256, (n, n // block, block // 2), np.uint8))
    scales = g.constant((draw.random(n * n // block) / 100).astype(np.float32))
    g.save(folder, [rows, n], g("MatMulNBits", "x", w, scales, domain="com.microsoft", K=n, N=n, bits=4, block_size=block))


resnet(os.path.join(sys.argv[1], "resnet_block"))
encoder(os.path.join(sys.argv[1], "encoder_block"))
for size in (2048, 4096):
    for rows in (1, 128):
        bits(os.path.join(sys.argv[1], f"nbits_{rows}x{size}"), rows, size)
