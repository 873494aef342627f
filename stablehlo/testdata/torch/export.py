"""Exports models with PyTorch, as text and as bytecode, with inputs and results.

    python stablehlo/testdata/torch/export.py

torch.export makes a program, torch_xla StableHLO of it. Weights are the first arguments of the
module; their names stand in NAME.txt in that order, and they in NAME.safetensors. NAME.npz
has in.NN and out.NN: inputs and PyTorch's results.

Needs torch, torch_xla and numpy (2.9.0, 2.9.0 and 2.4.6 were used). Run by hand; no test needs
Python.
"""
import json
import pathlib
import struct

import numpy as np
import torch
from torch import nn
from torch_xla.stablehlo import VariableType, exported_program_to_stablehlo

here = pathlib.Path(__file__).parent
torch.manual_seed(5)


def safetensors(path, arrays):
    header, offset = {}, 0
    for name, a in arrays.items():
        kind = {"float32": "F32", "int64": "I64"}[str(a.dtype)]
        header[name] = {"dtype": kind, "shape": list(a.shape), "data_offsets": [offset, offset + a.nbytes]}
        offset += a.nbytes
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(a.tobytes() for a in arrays.values()))


def save(name, model, *inputs):
    model.eval()
    program = torch.export.export(model, inputs)
    exported = exported_program_to_stablehlo(program)
    (here / f"{name}.mlir").write_text(exported.get_stablehlo_text("forward"))
    (here / f"{name}.mlirbc").write_bytes(exported.get_stablehlo_bytecode("forward"))
    bundle = exported._bundle
    locations = bundle.stablehlo_funcs[0].meta.input_locations
    weights, names = {}, []
    for at in locations:
        if at.type_ == VariableType.PARAMETER:
            weights[at.name] = np.ascontiguousarray(bundle.state_dict[at.name])
            names.append(at.name)
        elif at.type_ == VariableType.CONSTANT:
            weights[f"constant.{at.position}"] = np.ascontiguousarray(bundle.additional_constants[at.position])
            names.append(f"constant.{at.position}")
        else:
            names.append(f"input.{at.position}")
    (here / f"{name}.txt").write_text("\n".join(names) + "\n")
    safetensors(here / f"{name}.safetensors", weights)
    with torch.no_grad():
        out = model(*inputs)
    out = out if isinstance(out, tuple) else (out,)
    data = {f"in.{i:02}": x.numpy() for i, x in enumerate(inputs)} | {f"out.{i:02}": x.numpy() for i, x in enumerate(out)}
    np.savez_compressed(here / f"{name}.npz", **data)


save("perceptron", nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4), nn.Softmax(-1)), torch.randn(5, 8))
save("convolution", nn.Sequential(nn.Conv2d(1, 4, 5), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 8, 3, padding=1, stride=2),
     nn.GELU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10)), torch.randn(2, 1, 28, 28))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 16)
        self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, activation="gelu"), 2)

    def forward(self, tokens):
        return self.layers(self.embed(tokens)).mean(1)


save("encoder", Encoder(), torch.tensor([[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8]]))
