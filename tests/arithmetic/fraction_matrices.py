"""Linear algebra by the textbook over `fractions`, as an independent reference."""

from fractions import Fraction
from itertools import permutations


def multiply(A, B):
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A]


def determinant(A):
    """Leibniz: the sum over all permutations."""
    n = len(A)
    total = Fraction(0)
    for order in permutations(range(n)):
        inversions = sum(order[i] > order[j] for i in range(n) for j in range(i + 1, n))
        term = Fraction((-1) ** inversions)
        for i, j in enumerate(order):
            term *= A[i][j]
        total += term
    return total


def rank(A):
    rows = [list(map(Fraction, row)) for row in A]
    found = 0
    for j in range(len(rows[0])):
        chosen = next((i for i in range(found, len(rows)) if rows[i][j] != 0), None)
        if chosen is None:
            continue
        rows[found], rows[chosen] = rows[chosen], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][j] / rows[found][j]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def vandermonde(n):
    """Powers of the nodes i/n, i = 1, ..., n."""
    return [[Fraction(i, n) ** j for j in range(n)] for i in range(1, n + 1)]
