"""Interpolants in plain fractions, by their definition: the independent side of comparisons."""

from fractions import Fraction
from itertools import pairwise


def cardinal_functions(x, nodes, weights=None):
    """Return the cardinal functions at a point that is no node."""
    x, nodes = Fraction(x), [Fraction(v) for v in nodes]
    weights = [(-1) ** i for i in range(len(nodes))] if weights is None else weights
    terms = [Fraction(w) / (x - z) for w, z in zip(weights, nodes, strict=True)]
    return [t / sum(terms) for t in terms]


def reciprocal(x, nodes, weights=None):
    """Return 1/|D(x)|."""
    x, nodes = Fraction(x), [Fraction(v) for v in nodes]
    if x in nodes:
        return Fraction(0)
    weights = [(-1) ** i for i in range(len(nodes))] if weights is None else weights
    return abs(1 / sum(Fraction(w) / (x - z) for w, z in zip(weights, nodes, strict=True)))


def interpolant(x, nodes, values, weights=None):
    """Return r(x)."""
    if Fraction(x) in [Fraction(v) for v in nodes]:
        return Fraction(values[[Fraction(v) for v in nodes].index(Fraction(x))])
    return sum(c * Fraction(v) for c, v in zip(cardinal_functions(x, nodes, weights), values, strict=True))


def kernel_integral(x, nodes, weights=None):
    """Return the integral of |K(x, t)| from the definition of K as the error of (. - t)_+, piece by piece."""
    x, nodes = Fraction(x), [Fraction(v) for v in nodes]
    if x in nodes:
        return Fraction(0)
    cardinal = cardinal_functions(x, nodes, weights)

    def above(t):
        return -sum(c * max(z - t, Fraction(0)) for c, z in zip(cardinal, nodes, strict=True))

    def below(t):
        return -sum(c * max(t - z, Fraction(0)) for c, z in zip(cardinal, nodes, strict=True))

    total = Fraction(0)
    knots = sorted({*nodes, x})
    for a, b in pairwise(knots):
        kernel = above if a >= x else below
        p, q = kernel(a), kernel(b)
        if p * q >= 0:
            total += (b - a) * (abs(p) + abs(q)) / 2
        else:
            crossing = a + (b - a) * p / (p - q)
            total += (crossing - a) * abs(p) / 2 + (b - crossing) * abs(q) / 2
    return total
