"""Runs models that Save has written under ONNX Runtime, and compares.

    go test ./onnx -run 'TestSave' -write-to FOLDER
    python ort.py FOLDER [SAVED]

Each model is checked by onnx.checker with shapes inferred, then run on the operands beside it.
Models of TestSaveModels, whose names begin with 0000, are stored in the folder SAVED with their results.
It prints a line for each model that is refused or differs, and how many agree, by name.
Made with onnx 1.23.2 and onnxruntime 1.32.0.
"""
import collections
import glob
import os
import sys

import numpy as np
import onnx
import onnxruntime as ort
from onnx import helper

ort.set_default_logger_severity(4)


def main(folder, store=None):
    agree, worst = collections.Counter(), collections.defaultdict(float)
    refused, differ = collections.Counter(), collections.Counter()
    for path in sorted(glob.glob(os.path.join(folder, "*.onnx"))):
        name = os.path.basename(path)[5:-5]
        model = onnx.load(path)
        try:
            onnx.checker.check_model(model, full_check=True)
        except Exception as e:
            print(f"CHECKER {path}: {str(e).splitlines()[-1][:200]}")
            differ[name] += 1
            continue
        data, at = open(path[:-5] + ".data", "rb").read(), 0

        def array(v):
            nonlocal at
            t = v.type.tensor_type
            dt = np.dtype(helper.tensor_dtype_to_np_dtype(t.elem_type))
            shape = [d.dim_value for d in t.shape.dim]
            n = int(np.prod(shape, dtype=np.int64))
            a = np.frombuffer(data, dt, n, at).reshape(shape)
            at += n * dt.itemsize
            return a

        feeds = {v.name: array(v) for v in model.graph.input}
        want = [array(v) for v in model.graph.output]
        if any(a.dtype.kind == "V" for a in [*feeds.values(), *want]):
            refused[name + " (types that NumPy lacks)"] += 1
            continue
        try:
            got = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"]).run(None, feeds)
        except Exception as e:
            text = str(e).replace("\n", " ")
            if "NOT_IMPLEMENTED" in text or "Could not find an implementation" in text or "not supported" in text or "umpy" in text:
                refused[name] += 1
            else:
                print(f"ORT {path}: {text[:300]}")
                differ[name] += 1
            continue
        if store and os.path.basename(path).startswith("0000_") and name in ("mlp", "lenet", "transformer", "lstm", "gradient", "control", "exact"):
            bytes_ = np.frombuffer(open(path, "rb").read(), np.uint8)
            np.savez_compressed(os.path.join(store, name + ".npz"), model=bytes_, **{f"out{i}": g for i, g in enumerate(got)})
        ok = True
        for g, w in zip(got, want):
            if g.shape != w.shape or g.dtype != w.dtype:
                print(f"TYPE {path}: {g.dtype}{g.shape}, want {w.dtype}{w.shape}")
                ok = False
            elif g.dtype.kind in "iub":
                if not np.array_equal(g, w):
                    print(f"VALUE {path}: {g.ravel()[:8]}, want {w.ravel()[:8]}")
                    ok = False
            else:
                eps = {2: 2.0**-10, 4: 2.0**-23, 8: 2.0**-52}[g.dtype.itemsize]
                x, y = g.astype(np.float64), w.astype(np.float64)
                same = (x == y) | (np.isnan(x) & np.isnan(y))
                scale = max(1.0, float(np.max(np.abs(y[np.isfinite(y)]), initial=0)))
                off = np.where(same, 0, np.abs(x - y)) / scale / eps
                off = np.where(np.isnan(off), np.inf, off)
                m = float(off.max(initial=0))
                worst[name] = max(worst[name], m)
                if m > 64:
                    print(f"VALUE {path}: {m:.3g} ε: {g.ravel()[:8]}, want {w.ravel()[:8]}")
                    ok = False
        if ok:
            agree[name] += 1
        else:
            differ[name] += 1
    for name in sorted(set(agree) | set(refused) | set(differ)):
        print(f"{name}: {agree[name]} agree, {refused[name]} not implemented, {differ[name]} differ, {worst[name]:.3g} ε")
    print(f"{sum(agree.values())} agree, {sum(refused.values())} not implemented, {sum(differ.values())} differ")


main(*sys.argv[1:])
