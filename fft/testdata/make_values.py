# Writes values.jsonl: transforms as NumPy and SciPy compute them in f64.
# Made with Python 3.11, NumPy 2.4.6, SciPy 1.17.1: python make_values.py > values.jsonl
import json
import numpy as np, scipy.fft as sf, scipy.signal as ss
rng = np.random.default_rng(3)

def arr(a):
    a = np.asarray(a)
    if np.iscomplexobj(a): return {"shape": list(a.shape), "re": [float(v) for v in a.real.ravel()], "im": [float(v) for v in a.imag.ravel()]}
    return {"shape": list(a.shape), "re": [float(v) for v in a.ravel()]}

def emit(name, y, *xs, axes=None, sizes=None, norm="backward", mode=""):
    print(json.dumps({"name": name, "x": [arr(x) for x in xs], "y": arr(y), "axes": axes, "sizes": sizes, "norm": norm, "mode": mode}))

def real(*s): return rng.normal(size=s)
def cplx(*s): return rng.normal(size=s) + 1j * rng.normal(size=s)

for norm in ("backward", "ortho", "forward"):
    for name, f, x in (("FFT", np.fft.fft, cplx(3, 6)), ("IFFT", np.fft.ifft, cplx(3, 5)), ("RFFT", np.fft.rfft, real(3, 7)), ("IRFFT", np.fft.irfft, cplx(2, 5)),
                       ("HFFT", np.fft.hfft, cplx(2, 5)), ("IHFFT", np.fft.ihfft, real(2, 6)), ("DCT", sf.dct, real(2, 7)), ("IDCT", sf.idct, real(2, 8))):
        emit(name, f(x, norm=norm), x, norm=norm)
        emit(name, f(x, axis=0, norm=norm), x, axes=[0], norm=norm)
        for n in (4, 9): emit(name, f(x, n=n, norm=norm), x, sizes=[n], norm=norm)
    x, r = cplx(3, 4, 5), real(3, 4, 5)
    for axes in (None, [1, 2], [0, 2], [2, 0], [1]):
        for name, f, v in (("FFTN", np.fft.fftn, x), ("IFFTN", np.fft.ifftn, x), ("RFFTN", np.fft.rfftn, r), ("IRFFTN", np.fft.irfftn, x)):
            # NumPy's inverse of all axes needs them by name when none are given.
            emit(name, f(v, axes=axes if axes is not None else [0, 1, 2], norm=norm), v, axes=axes, norm=norm)
    emit("FFTN", np.fft.fftn(x, s=(2, 7), axes=(0, 1), norm=norm), x, axes=[0, 1], sizes=[2, 7], norm=norm)
    emit("RFFTN", np.fft.rfftn(r, s=(5, 3), axes=(1, 2), norm=norm), r, axes=[1, 2], sizes=[5, 3], norm=norm)
    emit("IRFFTN", np.fft.irfftn(x, s=(5, 7), axes=(1, 2), norm=norm), x, axes=[1, 2], sizes=[5, 7], norm=norm)
x = cplx(2, 2, 3, 2)
emit("FFTN", np.fft.fftn(x), x)
for name, f, v in (("FFT2", np.fft.fft2, cplx(2, 3, 4)), ("IFFT2", np.fft.ifft2, cplx(2, 3, 4)), ("RFFT2", np.fft.rfft2, real(2, 3, 4)), ("IRFFT2", np.fft.irfft2, cplx(2, 3, 4))):
    emit(name, f(v), v)
for s in ((5,), (4, 3)):
    emit("Shift", np.fft.fftshift(real(*s) * 0 + np.arange(np.prod(s)).reshape(s)), np.arange(np.prod(s)).reshape(s))
    emit("IShift", np.fft.ifftshift(np.arange(np.prod(s)).reshape(s)), np.arange(np.prod(s)).reshape(s))
emit("Shift", np.fft.fftshift(np.arange(12).reshape(4, 3), axes=1), np.arange(12).reshape(4, 3), axes=[1])
for mode in ("full", "same", "valid"):
    for a, b in ((real(9), real(4)), (real(8), real(3)), (real(5, 6), real(2, 3)), (cplx(7), cplx(3)), (real(3), real(7))):
        if mode == "same" and len(a) < len(b): continue  # NumPy's and SciPy's conventions differ there
        emit("Convolve", ss.convolve(a, b, mode, method="direct"), a, b, mode=mode)
