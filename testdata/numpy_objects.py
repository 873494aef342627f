"""Writes an archive with an array of Python objects beside one of numbers: python numpy_objects.py (NumPy 2)"""
import numpy as np

np.savez("numpy_objects.npz", x=np.arange(3, dtype=np.float32), names=np.array(["a", None], dtype=object), text=np.array(["one", "two"]))
