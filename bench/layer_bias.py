#!/usr/bin/env python3
# Bias of layers whose outcomes exist for a few entry cosines only, free of noise.
"""layer_bias.py [--g 0.4] [--nodes 5 9 17 33]

Discrete ordinates and doubling (van de Hulst 1980) give a slab's law of exit for any entry cosine. Layers replace it by the linear
interpolation between the laws of nodes. `whole`: the slab is one layer, whose outcomes are exact at the nodes. `composed`: they are
composed of those of a layer 8 mean free paths thick, by doubling, with interpolation in between. Printed: R of slabs of the ink W,
seen along the normal and from all sides, and by how much it is wrong. Needs numpy.
"""
import argparse
import math
import sys

try:
    import numpy as np
except ImportError:
    np = None  # --help works without

IOR = 1.5
CRITICAL = math.sqrt(1 - 1 / IOR**2)
SLABS = (("W red", 60, 0.9991), ("W green", 90, 0.9997), ("W blue", 240, 0.999), ("W green 2 mm", 18, 0.9997))


def fresnel(cosine):
    """Reflectance inside the slab."""
    sine2 = (1 - cosine**2) * IOR**2
    outside = np.sqrt(np.maximum(0, 1 - sine2))
    s = (IOR * cosine - outside) / (IOR * cosine + outside)
    p = (cosine - IOR * outside) / (cosine + IOR * outside)
    return np.where(sine2 >= 1, 1, (s**2 + p**2) / 2)


def legendre(x, count):
    rows = [np.ones_like(x), x]
    for k in range(1, count - 1):
        rows.append(((2 * k + 1) * x * rows[k] - k * rows[k - 1]) / (k + 1))
    return np.array(rows)


def make_slab(cosines, weights, thickness, albedo, g, terms=60):
    """Probabilities [from, to] of leaving through the face of entry and through the other one. Ordinates of weight 0 are entered only."""
    polynomials = legendre(cosines, terms)
    order = np.arange(terms)
    forward = polynomials.T @ (((2 * order + 1) * g**order)[:, None] * polynomials)
    back = polynomials.T @ (((2 * order + 1) * (-g) ** order)[:, None] * polynomials)
    halvings = 30
    rate = thickness / 2**halvings / cosines[:, None]
    lost = rate * (np.eye(len(cosines)) - albedo / 2 * forward * weights)
    turned = rate * albedo / 2 * back * weights
    reflected = turned - (lost @ turned + turned @ lost) / 2
    passed = np.eye(len(cosines)) - lost + (lost @ lost + turned @ turned) / 2
    return double(reflected, passed, halvings)


def double(reflected, passed, times, choose=None):
    """The slab 2^times as thick. With `choose`, rows are nodes and entries inside go by its weights."""
    for _ in range(times):
        inner_r, inner_p = (reflected, passed) if choose is None else (choose @ reflected, choose @ passed)
        crossing = np.linalg.solve((np.eye(len(inner_r)) - inner_r @ inner_r).T, passed.T).T
        reflected, passed = reflected + crossing @ inner_r @ inner_p, crossing @ inner_p
    return reflected, passed


def view(reflected, passed, face, first, outside, outside_weights):
    """R along the normal, which is ordinate `first`, and from the cosines `outside` after it."""
    n = len(face)
    inside = np.block([[reflected * face, passed * face], [passed * face, reflected * face]])
    source = np.concatenate([reflected @ (1 - face), passed @ (1 - face)])
    escape = np.linalg.solve(np.eye(2 * n) - inside, source)[:n]
    first_face = fresnel(np.sqrt(1 - (1 - outside**2) / IOR**2))
    specular = ((IOR - 1) / (IOR + 1)) ** 2
    return np.array([specular + (1 - specular) * escape[first],
                     np.sum(outside_weights * (first_face + (1 - first_face) * escape[first + 1:]))])


def measure(slab, nodes, g):
    _, thickness, albedo = slab
    x, w = np.polynomial.legendre.leggauss(24)
    x, w = (x + 1) / 2, w / 2
    gauss = np.concatenate([x * CRITICAL, CRITICAL + x * (1 - CRITICAL)])
    outside = np.sqrt(x)
    entries = np.linspace(0, 1, nodes)
    entries[0] = 1e-4  # ordinates are not 0
    cosines = np.concatenate([gauss, entries, [1], np.sqrt(1 - (1 - x) / IOR**2)])
    weights = np.concatenate([w * CRITICAL, w * (1 - CRITICAL), np.zeros(nodes + 1 + len(x))])
    node = np.arange(len(gauss), len(gauss) + nodes)
    low = np.clip(np.searchsorted(entries, cosines, "right") - 1, 0, nodes - 2)
    share = np.clip((cosines - entries[low]) / (entries[low + 1] - entries[low]), 0, 1)
    choose = np.zeros((len(cosines), nodes))
    choose[np.arange(len(cosines)), low] = 1 - share
    choose[np.arange(len(cosines)), low + 1] = share
    seen = lambda r, p: view(r, p, fresnel(cosines), len(gauss) + nodes, outside, w)
    reflected, passed = make_slab(cosines, weights, thickness, albedo, g)
    exact = seen(reflected, passed)
    whole = seen(choose @ reflected[node], choose @ passed[node])
    doublings = max(0, int(np.floor(np.log2(thickness / 8))))
    reflected, passed = make_slab(cosines, weights, thickness / 2**doublings, albedo, g)
    reflected, passed = double(reflected[node], passed[node], doublings, choose)
    return exact, whole - exact, seen(choose @ reflected, choose @ passed) - exact


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--g", type=float, default=0.4)
    parser.add_argument("--nodes", type=int, nargs="+", default=[5, 9, 17, 33])
    arguments = parser.parse_args()
    if np is None:
        sys.exit("layer_bias: needs the Python package numpy")
    for nodes in arguments.nodes:
        for slab in SLABS:
            exact, whole, composed = measure(slab, nodes, arguments.g)
            print("%2d nodes  %-12s  R %.5f %.5f  whole %+.1e %+.1e  composed %+.1e %+.1e" %
                  (nodes, slab[0], *exact, *whole, *composed), flush=True)


if __name__ == "__main__":
    main()
