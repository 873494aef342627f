"""Runs PyTorch's layers and writes what they do: python make_torch.py (in this folder)

torch_model.safetensors holds the parameters as PyTorch saves them, torch_grads.safetensors the
derivatives of Σ y·r by them under the same names, torch_data.safetensors for each layer its input
x, the weights r, the result y and the derivative dx. The versions are in the metadata of each.
"""
import torch
import torch.nn as nn
from safetensors.torch import save_file

torch.manual_seed(1)
torch.set_num_threads(1)
META = {"torch": torch.__version__}


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(5, 4)
        self.no_bias = nn.Linear(5, 3, bias=False)
        self.conv = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.grouped = nn.Conv1d(4, 6, 3, groups=2, dilation=2)
        self.embedding = nn.Embedding(7, 4)
        self.layer_norm = nn.LayerNorm([4, 5])
        self.rms_norm = nn.RMSNorm(6, eps=1e-5)
        self.group_norm = nn.GroupNorm(2, 6)
        self.batch_norm = nn.BatchNorm2d(3)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.lstm = nn.LSTM(5, 4, num_layers=2)
        self.gru = nn.GRU(5, 4)


m = Model()
with torch.no_grad():  # scales and shifts that do something
    for name, p in m.named_parameters():
        if "norm" in name or "in_proj_bias" in name or "out_proj.bias" in name:
            p.add_(torch.randn_like(p) * 0.5)
save_file({k: v.clone().contiguous() for k, v in m.state_dict().items()}, "torch_model.safetensors", META)

data = {}


def record(name, x, f):
    """Runs f on x and accumulates the parameters' gradients."""
    if x.is_floating_point():
        x = x.clone().requires_grad_(True)
    y = f(x)
    r = torch.randn_like(y)
    (y * r).sum().backward()
    for part, v in {"x": x, "y": y, "r": r, "dx": x.grad}.items():
        if v is not None:
            data[name + "." + part] = v.detach().clone().contiguous()


record("linear", torch.randn(2, 3, 5), m.linear)
record("no_bias", torch.randn(5), m.no_bias)
record("conv", torch.randn(2, 3, 6, 5), m.conv)
record("grouped", torch.randn(2, 4, 9), m.grouped)
record("embedding", torch.tensor([[0, 3], [6, 3]], dtype=torch.int32), m.embedding)
record("layer_norm", torch.randn(3, 4, 5) * 2 + 1, m.layer_norm)
record("rms_norm", torch.randn(2, 3, 6) * 2, m.rms_norm)
record("group_norm", torch.randn(2, 6, 3, 2) * 2 + 1, m.group_norm)

x = torch.randn(4, 3, 2, 3) * 2 + 1
m.batch_norm.train()
record("batch_norm", x, m.batch_norm)
data["batch_norm.mean"] = m.batch_norm.running_mean.clone()
data["batch_norm.var"] = m.batch_norm.running_var.clone()
m.batch_norm.eval()
data["batch_norm_eval.y"] = m.batch_norm(x).detach().clone()

x = torch.randn(2, 5, 8)
causal = torch.ones(5, 5, dtype=torch.bool).triu(1)
record("attention", x, lambda x: m.attention(x, x, x, attn_mask=causal, need_weights=False)[0])
padded = torch.tensor([[False] * 5, [False, False, False, True, True]])
data["attention_padded.y"] = m.attention(x, x, x, key_padding_mask=padded, need_weights=False)[0].detach().clone()
memory = torch.randn(2, 7, 8)
data["attention_cross.memory"] = memory
data["attention_cross.y"] = m.attention(x, memory, memory, need_weights=False)[0].detach().clone()

h, c = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
data["lstm.h"], data["lstm.c"] = h.clone(), c.clone()
record("lstm", torch.randn(6, 3, 5), lambda x: m.lstm(x, (h, c))[0])
with torch.no_grad():
    _, (hn, cn) = m.lstm(data["lstm.x"], (h, c))
data["lstm.hn"], data["lstm.cn"] = hn.clone(), cn.clone()
h = torch.randn(1, 3, 4)
data["gru.h"] = h.clone()
record("gru", torch.randn(6, 3, 5), lambda x: m.gru(x, h)[0])


def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2:], x[..., : x.shape[-1] // 2]), dim=-1)


def rotary(x):  # as in Llama: [batch, position, head, feature]
    d = x.shape[-1]
    freq = 1.0 / 10000 ** (torch.arange(0, d, 2).float() / d)
    angle = torch.outer(torch.arange(x.shape[1]).float() + 3, freq)
    angle = torch.cat((angle, angle), -1)[None, :, None, :]
    return x * angle.cos() + rotate_half(x) * angle.sin()


def rotary_pairs(x):  # as in RoFormer and GPT-J
    d = x.shape[-1]
    freq = 1.0 / 10000 ** (torch.arange(0, d, 2).float() / d)
    angle = torch.outer(torch.arange(x.shape[1]).float() + 3, freq)[None, :, None, :]
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2)) * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(z).reshape(x.shape)


record("rotary", torch.randn(2, 4, 3, 6), rotary)
record("rotary_pairs", torch.randn(2, 4, 3, 6), rotary_pairs)

labels = torch.tensor([[1, 2, 2, 4], [3, 1, 0, 0], [2, 2, 2, 2]])
label_lengths = torch.tensor([4, 2, 0])
lengths = torch.tensor([8, 6, 5])
data["ctc.labels"], data["ctc.label_lengths"], data["ctc.lengths"] = labels.int(), label_lengths.int(), lengths.int()
record("ctc", torch.randn(3, 8, 5), lambda x: torch.nn.functional.ctc_loss(
    x.log_softmax(-1).transpose(0, 1), labels, lengths, label_lengths, reduction="none"))

q, k, v = torch.randn(2, 5, 4, 3), torch.randn(2, 7, 2, 3), torch.randn(2, 7, 2, 3)
data["grouped_query.k"], data["grouped_query.v"] = k, v
record("grouped_query", q, lambda q: nn.functional.scaled_dot_product_attention(
    q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), enable_gqa=True).transpose(1, 2))

grads = {k: p.grad.clone().contiguous() for k, p in m.named_parameters()}
grads["batch_norm.running_mean"] = torch.zeros(3)
grads["batch_norm.running_var"] = torch.zeros(3)
save_file(grads, "torch_grads.safetensors", META)
save_file({k: v.contiguous() for k, v in data.items()}, "torch_data.safetensors", META)
