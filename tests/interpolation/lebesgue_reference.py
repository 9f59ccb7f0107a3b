"""Lebesgue constants by golden section in high precision: slow, simple, and independent of the library's search."""

from itertools import pairwise

from codedtheory.arithmetic import decimal
from codedtheory.interpolation import weights_for

STEPS = 16


def reference_constant(nodes, weights, interval=None, digits=50):
    """Return a value that agrees with the Lebesgue constant to about `digits` digits, never above it."""
    over = decimal(digits + 10)
    x, w = list(nodes.over(over)), list(weights_for(nodes, weights).over(over))
    if x[0] > x[-1]:
        x, w = x[::-1], w[::-1]

    def function(t):
        if t in x:
            return over.number(1)
        terms = [a / (t - b) for a, b in zip(w, x, strict=True)]
        return sum(map(abs, terms)) / abs(sum(terms))

    pieces = list(pairwise(x))
    if interval is not None:
        a, b = map(over.number, interval)
        inside = [(max(p, a), min(q, b)) for p, q in pieces]
        pieces = [(p, q) for p, q in (*inside, (a, min(b, x[0])), (max(a, x[-1]), b)) if p < q]
    return max(largest(function, p, q, over, digits) for p, q in pieces)


def largest(function, start, stop, over, digits):
    grid = [start + (stop - start) * k / STEPS for k in range(STEPS + 1)]
    values = [function(t) for t in grid]
    best = max(values)
    top = values.index(best)
    low, high = grid[max(top - 1, 0)], grid[min(top + 1, STEPS)]
    ratio = (over.sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(int(2.4 * digits) + 10):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
    return max(best, at_left, at_right)
