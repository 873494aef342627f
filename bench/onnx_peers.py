"""Measures ONNX Runtime on the rows p/ of onnx.go: the models below the folder WEFT_ONNX.

    pip install onnxruntime==1.32.0 onnx==1.23.2
    python onnx_peers.py [--run REGEXP] [--out CSV] [--max SECONDS] [--cpu] [--round N]

One thread. Rows have the columns of `go run ./bench`; the rows /session are the time to create a session.
"""
import argparse
import csv
import glob
import os
import re
import time

p = argparse.ArgumentParser()
p.add_argument("--run", default="")
p.add_argument("--out", default="")
p.add_argument("--max", type=float, default=0.5)
p.add_argument("--cpu", action="store_true", help="measure CPU time, not the clock")
p.add_argument("--round", type=int, default=0)
args = p.parse_args()
import numpy as np
import onnx
import onnxruntime as ort
from onnx import numpy_helper

clock = time.process_time_ns if args.cpu else time.perf_counter_ns


def tensor(name):
    t = onnx.TensorProto()
    t.ParseFromString(open(name, "rb").read())
    return numpy_helper.to_array(t)


def session(model):
    o = ort.SessionOptions()
    o.intra_op_num_threads = o.inter_op_num_threads = 1
    o.log_severity_level = 3
    return ort.InferenceSession(model, o, providers=["CPUExecutionProvider"])


def store(name, samples, check=float("nan")):
    samples.sort()
    median, p10 = samples[len(samples) // 2], samples[len(samples) // 10]
    print(f"{'ort':6} {name:42} {median:12} ns  min {samples[0]:12} n={len(samples)} chk={check:.6g}", flush=True)
    if args.out:
        with open(args.out, "a", newline="") as f:
            load = open("/proc/loadavg").read().split()[0]
            csv.writer(f).writerow(["ort", 1, args.round, name, median, p10, samples[0], len(samples), "", "", check, 0, load, ort.__version__])


def timed(f):
    t = clock()
    f()
    return clock() - t


for model in sorted(glob.glob(os.path.join(os.environ["WEFT_ONNX"], "*", "model.onnx"))):
    folder = os.path.dirname(model)
    row = "p/" + os.path.basename(folder)
    s = session(model)
    feed = {x.name: tensor(os.path.join(folder, "test_data_set_0", f"input_{i}.pb")) for i, x in enumerate(s.get_inputs())}
    run = lambda: s.run(None, feed)
    if re.search(args.run, row):
        check = float(np.abs(run()[0].astype(np.float64)).mean())
        for _ in range(3):
            run()
        samples, start = [], clock()
        while len(samples) < 5 or clock() - start < args.max * 1e9:
            samples.append(timed(run))
        store(row, samples, check)
    if re.search(args.run, row + "/session"):
        store(row + "/session", [timed(lambda: session(model)) for _ in range(5)])
    if re.search(args.run, row + "/first-answer"):
        store(row + "/first-answer", [timed(lambda: session(model).run(None, feed)) for _ in range(5)])
