"""Exports a decoder whose caches grow by concatenation, and what ONNX Runtime computes with it.

    pip install torch==2.15.0 onnx==1.23.2 onnxscript==0.7.2 onnxruntime==1.32.0
    python export.py .                     # growing.onnx and steps.npz, which are committed
    python export.py FOLDER 512 8 6 255    # the model of `go run ./bench` (rows p/), as FOLDER/model.onnx

Inputs and outputs have the names and shapes that exports of Hugging Face's Optimum have. The batch of
steps.npz has two rows; the second begins with padding.
"""
import os
import sys

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional as F

folder = sys.argv[1]
WIDTH, HEADS, LAYERS, PAST = map(int, sys.argv[2:] or (32, 4, 2, 3))
VOCAB, PLACES, SIZE = 64, 512, WIDTH // HEADS
torch.manual_seed(5)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x, allow, key, value):
        q, k, v = (y.unflatten(-1, (HEADS, SIZE)).transpose(1, 2) for y in self.qkv(self.norm1(x)).split(WIDTH, -1))
        key, value = torch.cat([key, k], 2), torch.cat([value, v], 2)
        scores = q @ key.transpose(-1, -2) / SIZE**0.5
        y = scores.masked_fill(~allow, torch.finfo(torch.float32).min).softmax(-1) @ value
        x = x + self.out(y.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh")), key, value


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(VOCAB, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VOCAB, bias=False)

    def forward(self, input_ids, attention_mask, position_ids, *past):
        x = self.tokens(input_ids) + self.places(position_ids)
        before, n = past[0].shape[2], input_ids.shape[1]
        causal = torch.arange(before + n) <= torch.arange(before, before + n)[:, None]
        allow = causal & (attention_mask[:, None, None, :] != 0)
        present = []
        for i, layer in enumerate(self.layers):
            x, k, v = layer(x, allow, past[2 * i], past[2 * i + 1])
            present += [k, v]
        return (self.head(self.norm(x)), *present)


model = Decoder().eval()
kinds = [f"{i}.{kind}" for i in range(LAYERS) for kind in ("key", "value")]
batch, past, n = torch.export.Dim("batch", max=64), torch.export.Dim("past_sequence_length", max=256), torch.export.Dim("sequence_length", max=64)
ids = torch.ones(2, 3, dtype=torch.long)
torch.onnx.export(
    model, (ids, torch.ones(2, 8, dtype=torch.long), ids.clone(), *[torch.zeros(2, HEADS, 5, SIZE) for _ in kinds]), os.path.join(folder, "model.onnx"),
    dynamo=True, opset_version=21, external_data=False, verbose=False,
    input_names=["input_ids", "attention_mask", "position_ids", *["past_key_values." + k for k in kinds]],
    output_names=["logits", *["present." + k for k in kinds]],
    dynamic_shapes=({0: batch, 1: n}, {0: batch, 1: torch.export.Dim.AUTO}, {0: batch, 1: n}, tuple({0: batch, 2: past} for _ in kinds)),
)
m = onnx.load(os.path.join(folder, "model.onnx"))
for x in [*m.graph.node, *m.graph.input, *m.graph.output, *m.graph.initializer, m.graph, m]:  # what PyTorch notes of its sources
    x.doc_string = ""
    del x.metadata_props[:]
del m.graph.value_info[:]
onnx.checker.check_model(m)
data = m.SerializeToString()


def run(session, ids, mask, places, cache):
    out = session.run(None, {"input_ids": ids, "attention_mask": mask, "position_ids": places, **cache})
    return out[0], dict(zip(cache, out[1:]))


session = onnxruntime.InferenceSession(data)
r = np.random.default_rng(1)
if len(sys.argv) > 2:  # one token with a full cache
    os.makedirs(os.path.join(folder, "test_data_set_0"), exist_ok=True)
    inputs = [np.full([1, 1], 7), np.ones([1, PAST + 1], np.int64), np.full([1, 1], PAST), *[r.standard_normal([1, HEADS, PAST, SIZE], np.float32) for _ in kinds]]
    for i, x in enumerate(inputs):
        with open(os.path.join(folder, "test_data_set_0", f"input_{i}.pb"), "wb") as f:
            f.write(numpy_helper.from_array(x).SerializeToString())
    open(os.path.join(folder, "model.onnx"), "wb").write(data)
else:
    os.remove(os.path.join(folder, "model.onnx"))
    open(os.path.join(folder, "growing.onnx"), "wb").write(data)
    steps, prompt = 12, 4
    ids = r.integers(0, VOCAB, [2, prompt + steps])
    mask = np.ones([2, prompt + steps], np.int64)
    mask[1, :2] = 0
    places = np.maximum(mask.cumsum(1) - 1, 0)
    cache = {f"past_key_values.{k}": np.zeros([2, HEADS, 0, SIZE], np.float32) for k in kinds}
    first, cache = run(session, ids[:, :prompt], mask[:, :prompt], places[:, :prompt], cache)
    logits = [first[:, -1]]
    for at in range(prompt, prompt + steps):
        x, cache = run(session, ids[:, at : at + 1], mask[:, : at + 1], places[:, at : at + 1], cache)
        logits.append(x[:, 0])
    np.savez(os.path.join(folder, "steps.npz"), ids=ids, mask=mask, places=places, logits=np.stack(logits), key=cache["past_key_values.0.key"])
