"""Writes numpy.npz, which TestFilesOfNumPy reads (made with NumPy 2.4.6): python3 numpy_files.py"""
import numpy as np

np.savez_compressed(
    "numpy.npz",
    columns=np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    big=np.array([1, 2, 3], ">i2"),
    flags=np.array([True, False, True]),
    z=np.array([1 - 2j], np.complex64),
    scalar=np.array(7),
)
