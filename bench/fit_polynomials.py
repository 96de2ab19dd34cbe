#!/usr/bin/env python3
# Fits the polynomials of libvolpt/core/exact_math.hd.h: minimax coefficients by the Remez exchange (needs mpmath).
"""fit_polynomials.py

E. Remez, Sur la determination des polynomes d'approximation de degre donnee (1934). Prints coefficients, lowest degree
first, and the largest weighted error of each fit."""

import sys

if sys.argv[1:] in (["--help"], ["-h"]):
    sys.exit(print(__doc__))

import mpmath as mp

mp.mp.dps = 40
GRID = 600


def fit(f, weight, low, high, degree):
    """Coefficients of p minimising max |weight(x) (f(x) - p(x))| on [low, high], and that maximum."""
    low, high = mp.mpf(low), mp.mpf(high)
    points = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * i / (degree + 1)) for i in range(degree + 2)]
    for _ in range(12):
        system = mp.matrix(degree + 2, degree + 2)
        values = mp.matrix(degree + 2, 1)
        for i, x in enumerate(points):
            for j in range(degree + 1):
                system[i, j] = x**j
            system[i, degree + 1] = (-1) ** i / weight(x)
            values[i] = f(x)
        solution = mp.lu_solve(system, values)
        coefficients = [solution[j] for j in range(degree + 1)]
        grid = [low + (high - low) * i / GRID for i in range(GRID + 1)]
        errors = [weight(x) * (f(x) - sum(c * x**j for j, c in enumerate(coefficients))) for x in grid]
        extrema = find_alternation(grid, errors)
        if len(extrema) != degree + 2:
            break
        points = extrema
    return coefficients, max(abs(e) for e in errors)


def find_alternation(grid, errors):
    """The place of the largest error in every run of equal signs."""
    extrema = []
    best = None
    for x, error in zip(grid, errors):
        sign = 1 if error >= 0 else -1
        if best is None or sign != best[0]:
            if best is not None:
                extrema.append(best[1])
            best = [sign, x, abs(error)]
        elif abs(error) > best[2]:
            best[1:] = [x, abs(error)]
    return extrema + [best[1]]


def main():
    tiny = mp.mpf(10) ** -9
    root = mp.sqrt(2)
    half_pi = mp.pi / 2
    fits = {
        # log(1 + f) = f + f^2 Q(f), weighted for the relative error of the logarithm
        "Q of negative_log": (lambda f: -mp.mpf(1) / 2 + f / 3 if abs(f) < 1e-12 else (mp.log(1 + f) - f) / f**2,
                              lambda f: abs(f) + tiny if abs(f) < tiny else abs(f**2 / mp.log(1 + f)), 1 / root - 1, root - 1, 7),
        # sin(t pi / 2) = t S(t^2), |t| <= 1, for the absolute error
        "S of sine": (lambda z: half_pi if z == 0 else mp.sin(half_pi * mp.sqrt(z)) / mp.sqrt(z),
                      lambda z: mp.sqrt(z) + mp.mpf(10) ** -4, 0, 1, 4),
        # cos(t pi / 2) = 1 + z C(z), z = t^2, likewise
        "C of cosine": (lambda z: -half_pi**2 / 2 if z == 0 else (mp.cos(half_pi * mp.sqrt(z)) - 1) / z,
                        lambda z: z + mp.mpf(10) ** -6, 0, 1, 3),
    }
    for name, problem in fits.items():
        coefficients, error = fit(*problem)
        print(name, [mp.nstr(c, 12) for c in coefficients], "error", mp.nstr(error, 3))


if __name__ == "__main__":
    main()
