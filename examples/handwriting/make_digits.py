"""Writes scikit-learn's digits as digits.bin.gz: python make_digits.py

1,797 rows of 65 bytes: 64 brightnesses from 0 to 16, row by row of the picture, and the
digit. Written with scikit-learn 1.9.1, whose copy is the test set of the Optical
Recognition of Handwritten Digits data set: E. Alpaydin and C. Kaynak, 1998, UCI Machine
Learning Repository, https://doi.org/10.24432/C50P49, licensed under CC BY 4.0.
"""
import gzip

import numpy as np
from sklearn.datasets import load_digits

d = load_digits()
rows = np.concatenate([d.data.astype(np.uint8), d.target.astype(np.uint8)[:, None]], 1)
assert rows.shape == (1797, 65) and rows[:, :64].max() == 16
with open("digits.bin.gz", "wb") as f:
    with gzip.GzipFile(fileobj=f, mode="wb", mtime=0, filename="", compresslevel=9) as z:
        z.write(rows.tobytes())
