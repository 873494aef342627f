"""Trains the decoder of this example and exports it.

    pip install torch==2.15.0 onnx==1.23.2 onnxscript==0.7.2 onnxruntime==1.32.0 tokenizers==0.23.3
    python train.py ../../docs/*.md

The text is the prose of this project's documents. The script writes tokenizer.json, a byte-level BPE of 512 tokens, and decoder.onnx: a step of a transformer
that takes one token a row, its position, and the keys and values of the rows before it, and
returns logits and the caches with one more row. Half an hour of one core is enough.
"""
import math
import sys

import numpy as np
import onnx
import onnxruntime
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import nn
from torch.nn import functional as F

VOCAB, WIDTH, HEADS, LAYERS, CONTEXT = 512, 96, 4, 4, 256
STEPS, BATCH, LENGTH = 1500, 16, 128
torch.manual_seed(1)
torch.set_num_threads(1)


def prose(files):
    """The paragraphs of documents: no code, tables, headings or comments."""
    lines, code = [], False
    for name in sorted(files):
        for line in open(name, encoding="utf-8"):
            if line.startswith("```"):
                code = not code
            elif not code and line.strip() and not line.startswith(("#", "|", "<", "    ")):
                lines.append(line.strip())
    return "\n".join(lines) + "\n"


def train_tokenizer(text):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    t.decoder = decoders.ByteLevel()
    t.train_from_iterator(text.splitlines(keepends=True), trainers.BpeTrainer(vocab_size=VOCAB, special_tokens=["<|end|>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    t.save("tokenizer.json")
    return t


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def split(self, x):
        q, k, v = self.qkv(self.norm1(x)).split(WIDTH, -1)
        return [y.unflatten(-1, (HEADS, WIDTH // HEADS)) for y in (q, k, v)]

    def finish(self, x, y):
        x = x + self.out(y)
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))

    def forward(self, x):
        q, k, v = (y.transpose(1, 2) for y in self.split(x))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=0.1 if self.training else 0)
        return self.finish(x, y.transpose(1, 2).flatten(2))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(VOCAB, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, std=0.02)

    def head(self, x):
        return self.norm(x) @ self.tokens.weight.T

    def forward(self, ids):
        x = self.tokens(ids) + self.places.weight[: ids.shape[1]]
        x = F.dropout(x, 0.1, self.training)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


class Step(nn.Module):
    """A step of the decoder: one token a row."""

    def __init__(self, decoder):
        super().__init__()
        self.decoder = decoder

    def forward(self, input_ids, position_ids, *past):
        d = self.decoder
        x = d.tokens(input_ids) + d.places(position_ids)
        at = torch.arange(CONTEXT)
        here = (at == position_ids[:, None])[:, None, :, None]
        seen = (at <= position_ids[:, None])[:, None, :]
        present = []
        for i, layer in enumerate(d.layers):
            q, k, v = layer.split(x)
            k = torch.where(here, k[:, :, None, :], past[2 * i])
            v = torch.where(here, v[:, :, None, :], past[2 * i + 1])
            scores = (q[:, :, None, :] @ k.transpose(-1, -2)).squeeze(2) / math.sqrt(WIDTH // HEADS)
            scores = torch.where(seen, scores, torch.tensor(-1e30))
            y = (scores.softmax(-1)[:, :, None, :] @ v).flatten(1)
            x = layer.finish(x, y)
            present += [k, v]
        return (d.head(x), *present)


def train(ids):
    model = Decoder().train()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.95), weight_decay=0.1)
    ids = torch.tensor(ids)
    for step in range(STEPS):
        for g in opt.param_groups:
            g["lr"] = 2e-3 * min(1, (step + 1) / 100) * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * step / STEPS)))
        at = torch.randint(len(ids) - LENGTH - 1, (BATCH,))
        x = torch.stack([ids[i : i + LENGTH + 1] for i in at])
        loss = F.cross_entropy(model(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
        opt.step()
        if step % 100 == 0 or step == STEPS - 1:
            print(step, loss.item(), flush=True)
    return model.eval()


def export(model):
    step = Step(model).eval()
    cache = torch.zeros(2, HEADS, CONTEXT, WIDTH // HEADS)
    args = (torch.tensor([5, 6]), torch.tensor([0, 0]), *[cache.clone() for _ in range(2 * LAYERS)])
    names = [f"{i}.{kind}" for i in range(LAYERS) for kind in ("key", "value")]
    batch = torch.export.Dim("batch", min=1, max=1024)
    torch.onnx.export(
        step, args, "decoder.onnx", dynamo=True, opset_version=21, external_data=False, verbose=False,
        input_names=["input_ids", "position_ids", *["past_key_values." + n for n in names]],
        output_names=["logits", *["present." + n for n in names]],
        dynamic_shapes=({0: batch}, {0: batch}, tuple({0: batch} for _ in names)),
    )
    m = onnx.load("decoder.onnx")
    for n in m.graph.node:  # remove PyTorch's notes about its sources
        del n.metadata_props[:]
        n.doc_string = ""
    del m.graph.value_info[:]
    for v in [*m.graph.input, *m.graph.output]:
        del v.metadata_props[:]
    for t in m.graph.initializer:
        del t.metadata_props[:]
    del m.metadata_props[:]
    del m.graph.metadata_props[:]
    onnx.checker.check_model(m)
    onnx.save(m, "decoder.onnx")


def compare(model, ids):
    """Checks that ONNX Runtime's steps return the rows of the whole decoder."""
    s = onnxruntime.InferenceSession("decoder.onnx")
    cache = {i.name: np.zeros([1, *i.shape[1:]], np.float32) for i in s.get_inputs()[2:]}
    with torch.no_grad():
        want = model(torch.tensor([ids]))[0].numpy()
    for p, t in enumerate(ids):
        out = s.run(None, {"input_ids": np.array([t]), "position_ids": np.array([p]), **cache})
        cache = dict(zip(cache, out[1:]))
        assert np.abs(out[0][0] - want[p]).max() < 1e-3, p
    print("steps agree")


if __name__ == "__main__":
    text = prose(sys.argv[1:])
    tokenizer = train_tokenizer(text)
    ids = tokenizer.encode(text).ids
    print(len(ids), "tokens", flush=True)
    model = train(ids)
    export(model)
    compare(model, ids[:40])
