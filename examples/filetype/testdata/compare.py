"""Writes what the package magika computes: labels.tsv, expected.tsv of the samples, and features.tsv of made-up contents.

    pip install magika==1.0.3
    python compare.py
"""
import hashlib
import io
import json
import os
import struct

import magika
from magika import Magika
from magika.types import ContentTypeLabel
from magika.types.seekable import Seekable

here = os.path.dirname(os.path.abspath(__file__))
m = Magika()
config = json.load(open(os.path.join(os.path.dirname(magika.__file__), "models/standard_v3_3/config.min.json")))
with open(os.path.join(here, "../labels.tsv"), "w") as f:
    for label in config["target_labels_space"]:
        least = config["thresholds"].get(label, config["medium_confidence_threshold"])
        final = config["overwrite_map"].get(label, label)
        text = m._get_ct_info(ContentTypeLabel(final)).is_text
        f.write(f"{label}\t{final}\t{least}\t{'txt' if text else 'unknown'}\n")
with open(os.path.join(here, "expected.tsv"), "w") as f:
    for name in sorted(os.listdir(os.path.join(here, "samples"))):
        r = m.identify_path(os.path.join(here, "samples", name))
        f.write(f"{name}\t{r.output.label}\t{r.score:.3f}\n")


def content(n, spaces):
    """n bytes, of which many are white space if spaces is set."""
    out, x = bytearray(), 12345 + n
    for _ in range(n):
        x = (x * 1103515245 + 12345) % 2**31
        b = x >> 16 & 255
        out.append(b" \t\n\r\v\f"[b % 6] if spaces and b > 5 else b)
    return bytes(out)


with open(os.path.join(here, "features.tsv"), "w") as f:
    for n in (0, 1, 7, 8, 9, 100, 1023, 1024, 1025, 2048, 4095, 4096, 4097, 6000, 9000):
        for spaces in (0, 1):
            x = m._extract_features_from_seekable(Seekable(io.BytesIO(content(n, spaces))), 1024, 0, 1024, 256, 4096, False)
            f.write(f"{n}\t{spaces}\t{hashlib.sha256(struct.pack('<2048i', *x.beg, *x.end)).hexdigest()[:16]}\n")
