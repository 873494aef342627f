"""Writes scipy.json: solutions of initial value problems, and their derivatives.

Run with SciPy (the version is in the data): python3 make.py > scipy.json

Each problem is y' = f(t, y, p). Its solution at the times, and the derivatives of the
sum of all states at the last time with respect to y0, p and the first time, come from
DOP853 at a relative tolerance of 1e-13; the derivatives by integrating the variational
equations S' = (df/dy) S + df/dp beside the state, with Jacobians written out by hand.
"""

import json

import numpy as np
import scipy
from scipy.integrate import solve_ivp


def pendulum(t, y, p):
    m, g = p
    f = [y[1], -m * y[1] - g * np.sin(y[0])]
    return f, [[0, 1], [-g * np.cos(y[0]), -m]], [[0, 0], [-y[1], -np.sin(y[0])]]


def vanderpol(t, y, p):
    mu, = p
    f = [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]
    return f, [[0, 1], [-2 * mu * y[0] * y[1] - 1, mu * (1 - y[0] ** 2)]], [[0], [(1 - y[0] ** 2) * y[1]]]


def lotka(t, y, p):
    a, b, c, d = p
    f = [a * y[0] - b * y[0] * y[1], -c * y[1] + d * y[0] * y[1]]
    return (f, [[a - b * y[1], -b * y[0]], [d * y[1], -c + d * y[0]]],
            [[y[0], -y[0] * y[1], 0, 0], [0, 0, -y[1], y[0] * y[1]]])


def forced(t, y, p):
    """A damped oscillator, pushed by a growing sine: f depends on the time."""
    k, w = p
    f = [y[1], -k * y[0] - 0.1 * y[1] + t * np.sin(w * t)]
    return f, [[0, 1], [-k, -0.1]], [[0, 0], [-y[0], t * t * np.cos(w * t)]]


def lorenz(t, y, p):
    s, r, b = p
    f = [s * (y[1] - y[0]), y[0] * (r - y[2]) - y[1], y[0] * y[1] - b * y[2]]
    return (f, [[-s, s, 0], [r - y[2], -1, -y[0]], [y[1], y[0], -b]],
            [[y[1] - y[0], 0, 0], [0, y[0], 0], [0, 0, -y[2]]])


# Systems that contract much are integrated backwards by the reverse pass, where errors
# grow as much: they get close output times, at each of which the state is set right.
PROBLEMS = [
    (pendulum, [np.pi - 0.1, 0.0], [0.25, 9.8], [0, 0.25, 0.5, 1.0]),
    (pendulum, [np.pi - 0.1, 0.0], [0.25, 9.8], list(np.linspace(0, 10, 21))),
    (vanderpol, [2.0, 0.0], [1.0], list(np.linspace(0, 20, 41))),
    (vanderpol, [2.0, 0.0], [10.0], list(np.linspace(0, 12, 61))),
    (lotka, [10.0, 5.0], [1.1, 0.4, 0.4, 0.1], list(np.linspace(0, 15, 16))),
    (forced, [1.0, 0.0], [2.0, 1.3], [0.5, 1, 2, 4, 8]),
    (lorenz, [1.0, 1.0, 1.0], [10.0, 28.0, 8 / 3], list(np.linspace(0, 3, 31))),
]


def solve(f, y0, p, ts):
    n, m = len(y0), len(p)

    def rhs(t, z):
        y, s = z[:n], z[n:].reshape(n, n + m)
        v, dy, dp = f(t, y, p)
        ds = np.array(dy, float) @ s
        ds[:, n:] += np.array(dp, float)
        return np.concatenate([v, ds.ravel()])

    z0 = np.concatenate([y0, np.hstack([np.eye(n), np.zeros((n, m))]).ravel()])
    out = solve_ivp(rhs, (ts[0], ts[-1]), z0, "DOP853", t_eval=ts, rtol=1e-13, atol=1e-13)
    assert out.success
    ys, s = out.y[:n].T, out.y[n:, -1].reshape(n, n + m)
    total = s.sum(0)
    # To begin later is to begin where the state would have come from.
    first = -np.dot(total[:n], f(ts[0], np.array(y0), p)[0])
    return {
        "problem": f.__name__, "y0": list(y0), "p": list(p), "ts": [float(t) for t in ts],
        "ys": ys.tolist(), "dy0": total[:n].tolist(), "dp": total[n:].tolist(),
        "dt0": float(first), "dt1": float(np.sum(f(ts[-1], ys[-1], p)[0])),
    }


if __name__ == "__main__":
    rows = ",\n".join(json.dumps(solve(*p)) for p in PROBLEMS)
    print('{"made": "scipy %s, solve_ivp DOP853, rtol=atol=1e-13", "problems": [\n%s\n]}' % (scipy.__version__, rows))
