"""Writes cases.tar.gz and cases.tsv: nodes of ONNX Runtime's own domain, and attributes of other
operators that the conformance suite leaves out, with the results of ONNX Runtime.

    pip install onnxruntime==1.32.0 onnx==1.23.2 numpy==2.4.6 && python make.py
"""
import io
import tarfile

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

rng = np.random.default_rng(20261129)
f32 = lambda *s: rng.standard_normal(s, dtype=np.float32)
f16 = lambda *s: f32(*s).astype(np.float16)
u8 = lambda *s: rng.integers(0, 256, s, dtype=np.uint8)
# ONNX Runtime's products of u8 and i8 saturate in 16 bits on processors without VNNI, unless one of them has 7 bits.
i8 = lambda *s: rng.integers(-64, 64, s, dtype=np.int8)
s_ = lambda *v: np.array(v if len(v) > 1 else v[0], np.float32)
z8 = lambda v: np.array(v, np.uint8)
zi = lambda v: np.array(v, np.int8)
i32 = lambda *v: np.array(v, np.int32)
cases = []


def case(name, op, inputs, outputs=1, domain="com.microsoft", rtol=1e-4, atol=1e-5, static=(), opset=21, **attrs):
    """inputs: arrays, None for those left off; static: those whose value decides a shape."""
    names = [f"x{i}" if x is not None else "" for i, x in enumerate(inputs)]
    outs = [f"y{i}" for i in range(outputs)] if isinstance(outputs, int) else outputs
    nodes = attrs.pop("nodes", None) or [helper.make_node(op, names, outs, domain=domain, **attrs)]
    info = lambda n, x: helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
    real = [(n, x) for n, x in zip(names, inputs) if x is not None]
    graph = helper.make_graph(nodes, name, [info(n, x) for n, x in real], [helper.make_empty_tensor_value_info(o) for o in outs if o])
    imports = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    model = helper.make_model(graph, opset_imports=imports, ir_version=10)
    o = ort.SessionOptions()
    o.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    o.log_severity_level = 3
    try:
        got = ort.InferenceSession(model.SerializeToString(), o, providers=["CPUExecutionProvider"]).run(None, dict(real))
    except Exception as e:
        print("LEFT OUT", name, str(e)[:300])
        return
    cases.append((name, op, model, [x for _, x in real], got, rtol, atol, ",".join(str([n for n, _ in real].index(f"x{i}")) for i in static)))


# Products of blocks of few bits.
def blocks(n, k, block, bits, zero=None, order=False, bias=False, rows=(3,), half=False):
    b = -(-k // block)
    a = f16(*rows, k) if half else f32(*rows, k)
    w = u8(n, b, block * bits // 8)
    sc = (np.abs(f32(n, b)) + 0.1).astype(a.dtype)
    zp = None
    if zero == "packed":
        zp = u8(n, -(-b * bits // 8))
    elif zero == "float":
        zp = (f32(n, b) * 2 + 2 ** (bits - 1)).astype(a.dtype)
    g = (np.arange(k) // block).astype(np.int32)
    g = rng.permutation(g).astype(np.int32) if order else None
    return [a, w, sc, zp, g, f32(n).astype(a.dtype) if bias else None], dict(N=n, K=k, block_size=block, bits=bits)


def bits_case(name, tol=dict(rtol=1e-4, atol=1e-3), **kw):
    inputs, attrs = blocks(**kw)
    while inputs and inputs[-1] is None:
        inputs.pop()
    case(name, "MatMulNBits", inputs, **tol, **attrs)


bits_case("nbits4", n=24, k=64, block=16, bits=4)
bits_case("nbits4_zero", n=8, k=96, block=32, bits=4, zero="packed")
bits_case("nbits4_ragged", n=5, k=72, block=32, bits=4, zero="packed")
bits_case("nbits4_float_zero", n=8, k=64, block=32, bits=4, zero="float")
bits_case("nbits4_order", n=8, k=64, block=16, bits=4, order=True)  # with packed zero points ONNX Runtime ignores them here
bits_case("nbits4_bias", n=8, k=64, block=16, bits=4, bias=True)
bits_case("nbits4_batch", n=8, k=32, block=16, bits=4, rows=(2, 3))
bits_case("nbits4_half", n=8, k=64, block=32, bits=4, zero="packed", half=True, tol=dict(rtol=1e-2, atol=0.2))
bits_case("nbits8", n=8, k=64, block=32, bits=8)
bits_case("nbits8_zero", n=8, k=64, block=16, bits=8, zero="packed")
bits_case("nbits2", n=8, k=64, block=32, bits=2)
bits_case("nbits2_zero", n=8, k=128, block=32, bits=2, zero="packed")

# Rows of blocks.
case("gather4", "GatherBlockQuantized", [u8(10, 32), np.array([[1, 9], [0, 3]], np.int64), f32(10, 4)], bits=4, block_size=16, quantize_axis=1)
case("gather4_zero", "GatherBlockQuantized", [u8(10, 32), np.array([1, -1], np.int64), f32(10, 4), u8(10, 2)], bits=4, block_size=16, quantize_axis=1)
case("gather8", "GatherBlockQuantized", [u8(6, 32), i32(5, 0, 5), f32(6, 2)], bits=8, block_size=16, quantize_axis=1)
case("gather8_zero", "GatherBlockQuantized", [u8(6, 32), i32(5, 0, 5), f32(6, 2), u8(6, 2)], bits=8, block_size=16, quantize_axis=1)

# Products of integers.
case("dynamic_matmul", "DynamicQuantizeMatMul", [f32(3, 8), u8(8, 5), s_(0.02), z8(120)], atol=1e-4)
case("dynamic_matmul_columns", "DynamicQuantizeMatMul", [f32(2, 3, 8), i8(8, 5), np.abs(f32(5)) / 50, i8(5), f32(5)], atol=1e-4)
case("dynamic_matmul_plain", "DynamicQuantizeMatMul", [f32(3, 9), i8(9, 4), s_(0.02)], atol=1e-4)
case("integer_to_float", "MatMulIntegerToFloat", [u8(3, 7), u8(7, 5), s_(0.1), s_(0.02), z8(130), z8(100)], atol=1e-4)
case("integer_to_float_columns", "MatMulIntegerToFloat", [u8(3, 300), i8(300, 5), s_(0.1), np.abs(f32(5)) / 50, z8(130), i8(5), f32(5)], atol=1e-2)
case("integer_to_float_signed", "MatMulIntegerToFloat", [i8(2, 3, 6), i8(6, 4), s_(0.1), s_(0.02), zi(-3), zi(5)], atol=1e-4)
case("matmul16", "MatMulInteger16", [rng.integers(-3000, 3000, (3, 5), dtype=np.int16), rng.integers(-3000, 3000, (5, 4), dtype=np.int16)])
case("matmul_integer_long", "MatMulInteger", [u8(17, 515), i8(515, 33), z8(7)], domain="")
case("matmul_integer_signed", "MatMulInteger", [u8(4, 65), i8(65, 9), z8(7), i8(9)], domain="")
case("matmul_integer_batch", "MatMulInteger", [u8(2, 4, 16), i8(2, 16, 9), z8(7), zi(3)], domain="")
case("conv_integer", "ConvInteger", [u8(2, 3, 7, 6), u8(4, 3, 3, 3), z8(9), z8(130)], domain="", pads=[1, 1, 0, 1], strides=[2, 1])
case("conv_integer_signed_groups", "ConvInteger", [u8(1, 4, 7, 6), i8(6, 2, 2, 3), z8(250)], domain="", group=2, dilations=[2, 1])
case("conv_integer_large", "ConvInteger", [u8(1, 96, 5, 5), u8(3, 96, 3, 3), z8(0), z8(0)], domain="")
case("qlinear_matmul", "QLinearMatMul", [u8(5, 70), s_(0.02), z8(120), u8(70, 9), s_(0.03), z8(130), s_(0.5), z8(100)], domain="")
case("qlinear_matmul_columns", "QLinearMatMul", [u8(5, 70), s_(0.02), z8(120), i8(70, 3), np.abs(f32(3)) / 20 + 0.01, np.zeros(3, np.int8), s_(0.5), z8(100)], domain="")
case("qlinear_matmul_signed", "QLinearMatMul", [i8(5, 7), s_(0.02), zi(-20), i8(7, 9), s_(0.03), zi(13), s_(0.1), zi(10)], domain="")
case("qlinear_conv", "QLinearConv", [u8(2, 3, 7, 6), s_(0.02), z8(120), i8(4, 3, 3, 3), np.abs(f32(4)) / 20 + 0.01, np.zeros(4, np.int8), s_(0.3), z8(100), rng.integers(-5000, 5000, 4, dtype=np.int32)], domain="", pads=[1, 1, 1, 1])
case("qlinear_conv_unsigned", "QLinearConv", [u8(1, 4, 8), s_(0.02), z8(120), u8(4, 1, 3), s_(0.01), z8(131), s_(0.3), z8(100)], domain="", group=4, strides=[2])
case("qgemm", "QGemm", [u8(3, 8), s_(0.02), z8(120), i8(5, 8), np.abs(f32(5)) / 20 + 0.01, np.zeros(5, np.int8), rng.integers(-500, 500, 5, dtype=np.int32), s_(0.2), z8(90)], transB=1)
case("qgemm_float", "QGemm", [u8(8, 3), s_(0.02), z8(120), u8(8, 5), s_(0.03), z8(131), rng.integers(-500, 500, (3, 5), dtype=np.int32)], transA=1, alpha=1.5, atol=1e-4)

# Functions of integers that stand for numbers.
q = lambda x, s, z: [x, s_(s), z8(z)]
case("qlinear_add", "QLinearAdd", q(u8(2, 1, 5), 0.02, 120) + q(u8(3, 5), 0.03, 100) + [s_(0.05), z8(110)])
case("qlinear_add_signed", "QLinearAdd", [i8(4), s_(0.017), zi(-3), i8(4), s_(0.031), zi(4), s_(0.023), zi(1)])
case("qlinear_mul", "QLinearMul", q(u8(2, 5), 0.02, 120) + q(u8(5), 0.03, 100) + [s_(0.05), z8(110)])
case("qlinear_sigmoid", "QLinearSigmoid", q(u8(40), 0.05, 120) + [s_(1 / 256), z8(0)])
case("qlinear_leaky", "QLinearLeakyRelu", q(u8(40), 0.05, 120) + [s_(0.04), z8(60)], alpha=0.3)
case("qlinear_average", "QLinearAveragePool", q(u8(1, 2, 6, 6), 0.05, 120) + [s_(0.04), z8(100)], kernel_shape=[2, 3], strides=[2, 1], pads=[0, 1, 0, 1])
case("qlinear_average_all", "QLinearAveragePool", q(u8(1, 2, 6, 6), 0.051, 120) + [s_(0.0397), z8(100)], kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1)
case("qlinear_global", "QLinearGlobalAveragePool", q(u8(2, 3, 5, 4), 0.05, 120) + [s_(0.01), z8(100)])
case("qlinear_global_last", "QLinearGlobalAveragePool", q(u8(2, 5, 4, 3), 0.05, 120) + [s_(0.01), z8(100)], channels_last=1)
case("qlinear_concat", "QLinearConcat", [s_(0.06), z8(90)] + q(u8(2, 3), 0.05, 120) + q(u8(2, 4), 0.03, 20), axis=1)
case("qlinear_where", "QLinearWhere", [rng.integers(0, 2, (2, 5)).astype(bool)] + q(u8(2, 5), 0.05, 120) + q(u8(5), 0.03, 20) + [s_(0.06), z8(90)])
case("ms_quantize", "QuantizeLinear", [f32(3, 4), np.abs(f32(4)) / 9 + 0.01, u8(4)], axis=1)
case("ms_dequantize", "DequantizeLinear", [rng.integers(-30000, 30000, (3, 4), dtype=np.int16), s_(0.01), np.array(5, np.int16)])

# Parts of transformers.
for op in ["Gelu", "QuickGelu", "FastGelu"]:
    case(op.lower(), op, [f32(3, 7) * 3])
case("fastgelu_bias", "FastGelu", [f32(3, 7), f32(7)])
case("biasgelu", "BiasGelu", [f32(2, 3, 7), f32(7)])
case("quickgelu_alpha", "QuickGelu", [f32(9)], alpha=1.0)
case("fused_matmul", "FusedMatMul", [f32(2, 4, 3), f32(2, 5, 4)], transA=1, transB=1, alpha=0.5)
case("fused_matmul_batch", "FusedMatMul", [f32(3, 2, 4), f32(2, 4, 5)], transBatchA=1)
case("fused_gemm", "FusedGemm", [f32(3, 4), f32(5, 4), f32(5)], transB=1, activation="LeakyRelu", activation_alpha=0.2, alpha=0.7)
case("fused_conv", "FusedConv", [f32(1, 2, 5, 5), f32(3, 2, 3, 3), f32(3)], activation="Relu")
case("fused_conv_sum", "FusedConv", [f32(1, 2, 5, 5), f32(3, 2, 3, 3), f32(3), f32(1, 3, 3, 3)], activation="Relu")
case("fused_conv_clip", "FusedConv", [f32(1, 2, 5, 5), f32(3, 2, 3, 3)], activation="Clip", activation_params=[-0.5, 0.7], pads=[1, 1, 1, 1])
case("simplified_norm", "SimplifiedLayerNormalization", [f32(2, 3, 8), f32(8)], domain="", outputs=2, axis=-1, epsilon=1e-3)
case("skip_norm", "SkipLayerNormalization", [f32(2, 3, 8), f32(2, 3, 8), f32(8), f32(8), f32(8)], outputs=["y", "", "", "s"], epsilon=1e-3)
case("skip_norm_plain", "SkipLayerNormalization", [f32(2, 3, 8), f32(1, 3, 8), f32(8)])
case("skip_simplified", "SkipSimplifiedLayerNormalization", [f32(2, 3, 8), f32(2, 3, 8), f32(8)], outputs=["y", "", "", "s"], epsilon=1e-3)
case("skip_simplified_bias", "SkipSimplifiedLayerNormalization", [f32(2, 3, 8), f32(3, 8), f32(8), f32(8)])
ids = lambda n, *s: rng.integers(0, n, s, dtype=np.int32)
case("embed_norm", "EmbedLayerNormalization", [ids(9, 2, 4), ids(2, 2, 4), f32(9, 8), f32(6, 8), f32(2, 8), f32(8), f32(8), np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.int32)], outputs=3)
case("embed_norm_places", "EmbedLayerNormalization", [ids(9, 2, 4), None, f32(9, 8), f32(6, 8), None, f32(8), f32(8), None, np.array([[3, 1, 0, 5], [1, 1, 0, 2]], np.int32)], outputs=2)
cache = lambda n, half: [np.cos(a := f32(n, half)), np.sin(a)]
case("rotary", "RotaryEmbedding", [f32(2, 3, 8), np.array([[0, 1, 2], [4, 3, 5]], np.int64)] + cache(6, 2))
case("rotary_offset", "RotaryEmbedding", [f32(2, 2, 3, 4), np.array([2], np.int64)] + cache(6, 2), interleaved=1)
case("rotary_part", "RotaryEmbedding", [f32(1, 3, 16), np.array([1], np.int64)] + cache(6, 2), num_heads=2, rotary_embedding_dim=4)
h = dict(num_heads=2, atol=1e-5)
case("attention", "Attention", [f32(2, 3, 8), f32(8, 24), f32(24)], **h)
case("attention_causal_past", "Attention", [f32(2, 3, 8), f32(8, 24), f32(24), None, f32(2, 2, 2, 2, 4)], outputs=2, unidirectional=1, **h)
case("attention_lengths", "Attention", [f32(2, 3, 8), f32(8, 24), f32(24), i32(3, 2)], **h)
case("attention_mask", "Attention", [f32(2, 3, 8), f32(8, 24), f32(24), np.array([[1, 1, 0], [0, 1, 1]], np.int32), None, f32(2, 2, 3, 3)], scale=0.3, **h)
case("multihead", "MultiHeadAttention", [f32(2, 3, 8), f32(2, 5, 8), f32(2, 5, 8), f32(24)], **h)
case("multihead_mask", "MultiHeadAttention", [f32(2, 3, 8), f32(2, 5, 8), f32(2, 5, 8), None, np.array([[1, 1, 0, 1, 1], [0, 1, 1, 0, 0]], np.int32), f32(1, 2, 3, 5)], **h)
case("multihead_past", "MultiHeadAttention", [f32(2, 3, 8), f32(2, 3, 8), f32(2, 3, 8), None, None, None, f32(2, 2, 4, 4), f32(2, 2, 4, 4)], outputs=3, unidirectional=1, **h)
case("multihead_cross", "MultiHeadAttention", [f32(2, 3, 8), f32(2, 2, 5, 4), f32(2, 2, 5, 4)], **h)
g = dict(num_heads=4, kv_num_heads=2, static=(6,), outputs=3, rtol=1e-3, atol=1e-5)
n0 = [None, None]
tot = lambda n: np.array([n], np.int32)
prompt = lambda b, s, d=16: [f32(b, s, 4 * d), f32(b, s, 2 * d), f32(b, s, 2 * d)]
case("group_prompt", "GroupQueryAttention", prompt(2, 5) + n0 + [i32(4, 4), tot(5)], **g)
case("group_packed_rotary", "GroupQueryAttention", [f32(1, 5, 128), None, None] + n0 + [i32(4), tot(5)] + cache(9, 8), do_rotary=1, **g)
case("group_step", "GroupQueryAttention", prompt(1, 1) + [f32(1, 2, 6, 16), f32(1, 2, 6, 16), i32(6), tot(7)] + cache(9, 8), do_rotary=1, **g)
case("group_step_batch", "GroupQueryAttention", prompt(3, 1) + [f32(3, 2, 6, 16), f32(3, 2, 6, 16), i32(6, 6, 6), tot(7)] + cache(9, 8), do_rotary=1, rotary_interleaved=1, **g)
case("group_chunk", "GroupQueryAttention", prompt(1, 3) + [f32(1, 2, 6, 16), f32(1, 2, 6, 16), i32(8), tot(9)], **g)
case("group_window", "GroupQueryAttention", prompt(1, 6) + n0 + [i32(5), tot(6)], local_window_size=3, softcap=5.0, scale=0.2, **g)
case("group_smooth", "GroupQueryAttention", prompt(1, 4) + n0 + [i32(3), tot(4)], smooth_softmax=1, **g)
case("group_sink_bias", "GroupQueryAttention", prompt(1, 4) + n0 + [i32(3), tot(4), None, None, None, f32(1, 4, 4, 4), f32(4)], **g)

# Attributes that the conformance suite leaves out.
d = dict(domain="")
case("lstm_clip", "LSTM", [f32(4, 2, 3), f32(1, 20, 3), f32(1, 20, 5), f32(1, 40)], outputs=3, hidden_size=5, clip=0.4, **d)
case("lstm_forget", "LSTM", [f32(4, 2, 3), f32(1, 20, 3), f32(1, 20, 5)], outputs=3, hidden_size=5, input_forget=1, **d)
case("lstm_functions", "LSTM", [f32(4, 2, 3), f32(2, 20, 3), f32(2, 20, 5), f32(2, 40), i32(4, 2)], outputs=3, hidden_size=5, direction="bidirectional", activations=["HardSigmoid", "Affine", "ScaledTanh", "Sigmoid", "Softsign", "LeakyRelu"], activation_alpha=[0.3, 1.1, 0.9, 0.02], activation_beta=[0.4, 0.1, 0.7], **d)
case("gru_reverse_lengths", "GRU", [f32(4, 2, 3), f32(1, 15, 3), f32(1, 15, 5), f32(1, 30), i32(4, 2), f32(1, 2, 5)], outputs=2, hidden_size=5, direction="reverse", linear_before_reset=1, **d)
case("rnn_relu", "RNN", [f32(4, 2, 3), f32(1, 5, 3), f32(1, 5, 5)], outputs=2, hidden_size=5, activations=["Relu"], **d)
case("conv_transpose_groups", "ConvTranspose", [f32(1, 4, 5, 5), f32(4, 3, 3, 2), f32(6)], group=2, strides=[2, 3], output_padding=[1, 1], dilations=[1, 2], pads=[1, 0, 0, 1], **d)
case("conv_transpose_same", "ConvTranspose", [f32(1, 2, 5), f32(2, 3, 4)], auto_pad="SAME_LOWER", strides=[3], **d)
case("max_pool_ceil", "MaxPool", [f32(1, 2, 7, 8)], outputs=2, kernel_shape=[3, 2], strides=[2, 3], pads=[1, 0, 1, 1], dilations=[1, 2], ceil_mode=1, **d)
case("average_pool_ceil", "AveragePool", [f32(1, 2, 7, 8)], kernel_shape=[3, 2], strides=[2, 3], pads=[1, 0, 1, 1], ceil_mode=1, count_include_pad=1, **d)
case("lp_pool", "LpPool", [f32(1, 2, 7)], kernel_shape=[3], strides=[2], p=3, **d)
case("resize_roi", "Resize", [f32(1, 1, 6, 6), np.array([0, 0, 0.2, 0.1, 1, 1, 0.9, 0.8], np.float32), None, np.array([1, 1, 4, 5], np.int64)], static=(1, 3), mode="linear", coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=2.0, **d)
case("resize_cubic_outside", "Resize", [f32(1, 1, 6, 6), None, np.array([1, 1, 1.5, 0.7], np.float32)], static=(2,), mode="cubic", cubic_coeff_a=-0.5, exclude_outside=1, **d)
case("group_norm_18", "GroupNormalization", [f32(2, 6, 4), f32(3), f32(3)], num_groups=3, epsilon=1e-2, opset=18, rtol=1e-3, **d)
case("topk_axis", "TopK", [f32(3, 6), np.array([2], np.int64)], outputs=2, static=(1,), axis=0, largest=0, **d)
case("cumsum_both", "CumSum", [f32(3, 6), np.array(-1, np.int64)], static=(1,), exclusive=1, reverse=1, **d)
case("quantize_axis", "QuantizeLinear", [f32(2, 3, 4) * 50, np.abs(f32(3)) + 0.1, i8(3)], axis=-2, **d)
case("dequantize_int32", "DequantizeLinear", [rng.integers(-9999, 9999, (2, 3), dtype=np.int32), np.abs(f32(3))], axis=1, **d)
case("hardmax_11", "Hardmax", [f32(2, 3, 4)], axis=1, opset=11, **d)
case("einsum_dots", "Einsum", [f32(2, 3, 4), f32(4, 5)], equation="...ij, jk -> ...ik", **d)
case("mod_fmod", "Mod", [f32(5) * 9, f32(5)], fmod=1, **d)
case("split_uneven", "Split", [f32(2, 7)], outputs=3, axis=1, num_outputs=3, **d)
case("scatter_max", "ScatterElements", [f32(3, 4), np.array([[0, 2, 2, 1]], np.int64), f32(1, 4)], axis=0, reduction="max", **d)
case("gather_nd_batch", "GatherND", [f32(2, 3, 4), np.array([[2], [0]], np.int64)], batch_dims=1, **d)

# Caches with room for more keys, which are zeros: ONNX Runtime does not copy others.
def room(*keys):
    x = f32(len(keys), 2, 40, 16)
    for i, k in enumerate(keys):
        x[i, :, k:] = 0
    return x


case("group_room", "GroupQueryAttention", prompt(1, 1) + [room(6), room(6), i32(6), tot(7)] + cache(40, 8), do_rotary=1, **g)
case("group_room_batch", "GroupQueryAttention", prompt(2, 1) + [room(6, 3), room(6, 3), i32(6, 3), tot(7)] + cache(40, 8), do_rotary=1, **g)


# Values that stand for integers: inputs x0, its scale and zero point, weights, theirs, a bias.
def qdq(name, op, x, w, bias=None, axis=None, **attrs):
    n = w.shape[axis] if axis is not None else 1
    ws = np.abs(f32(n)) / 20 + 0.01 if axis is not None else s_(0.03)
    wz = np.zeros(n, w.dtype) if axis is not None else np.array(3, w.dtype)
    at = dict(axis=axis) if axis is not None else {}
    nodes = [helper.make_node("QuantizeLinear", ["x0", "x1", "x2"], ["q"]), helper.make_node("DequantizeLinear", ["q", "x1", "x2"], ["d"]),
             helper.make_node("DequantizeLinear", ["x3", "x4", "x5"], ["w"], **at), helper.make_node(op, ["d", "w"] + (["x6"] if bias is not None else []), ["y0"], **attrs)]
    case(name, op, [x, s_(0.02), z8(120), w, ws, wz] + ([bias] if bias is not None else []), nodes=nodes, domain="", atol=1e-4)


qdq("qdq_matmul", "MatMul", f32(3, 70), i8(70, 5))
qdq("qdq_matmul_columns", "MatMul", f32(2, 3, 71), i8(71, 5), axis=1)
qdq("qdq_matmul_rows", "MatMul", f32(2, 8), i8(8, 5), axis=0)
qdq("qdq_gemm", "Gemm", f32(3, 70), i8(5, 70), f32(5), axis=0, transB=1)
qdq("qdq_gemm_alpha", "Gemm", f32(3, 7), u8(7, 5), f32(1, 5), alpha=0.5)
qdq("qdq_conv", "Conv", f32(2, 3, 6, 7), i8(4, 3, 3, 3), f32(4), axis=0, pads=[1, 0, 1, 2], strides=[1, 2])
qdq("qdq_conv_one", "Conv", f32(1, 4, 9), u8(4, 1, 3), group=4)

with tarfile.open("cases.tar.gz", "w:gz") as tar, open("cases.tsv", "w") as tsv:
    def add(name, data):
        info = tarfile.TarInfo(name)
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))

    tsv.write("name\top\tstatic\trtol\tatol\n")
    for name, op, model, ins, outs, rtol, atol, static in cases:
        tsv.write(f"{name}\t{op}\t{static}\t{rtol}\t{atol}\n")
        add(f"{name}/model.onnx", model.SerializeToString())
        for kind, arrays in (("input", ins), ("output", outs)):
            for i, x in enumerate(arrays):
                add(f"{name}/test_data_set_0/{kind}_{i}.pb", numpy_helper.from_array(np.asarray(x)).SerializeToString())
print(len(cases), "cases; onnxruntime", ort.__version__, "onnx", onnx.__version__, "numpy", np.__version__)
