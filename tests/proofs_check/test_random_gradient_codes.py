"""Twins and pins of the claims about random cyclic gradient codes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import atan, pi, tan
from typing import Any

import numpy as np
import sympy

from codedtheory.arithmetic import EXACT, determinant
from codedtheory.claims import Claim, Comparison, equal
from codedtheory.coding import code_from_parity, fractional_repetition, integer_parities
from tests.arithmetic.fraction_matrices import determinant as leibniz
from tests.arithmetic.fraction_matrices import rank
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.random_gradient_codes"
teeth = Teeth(MODULE)

H63 = [[-2, 3, -2, 1, 0, 0], [1, -1, -1, 0, 1, 0], [-1, 3, -3, 0, 0, 1]]


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("gc.crs")
def one_window_is_shifted(claim: Claim, patch: Any) -> Claim:
    """The last worker solves for the window of the first one."""

    def corrupt(H: Any) -> Any:
        code = code_from_parity(H)
        matrix = code.matrix.copy()
        matrix[-1] = matrix[0]
        return type(code)(matrix)

    patch.setattr(f"{MODULE}.code_from_parity", corrupt)
    return claim


@teeth.twin("gc.crs.minors")
def a_parity_matrix_with_full_ranks(claim: Claim, patch: Any) -> Claim:
    other = [[1, 2, 3, 5, 8, -19], [1, 4, 9, 25, 64, -103], [2, 1, 7, 1, 3, -14]]
    field = type("Field", (), {"array": staticmethod(lambda _: EXACT.array(other))})
    patch.setattr(f"{MODULE}.EXACT", field)
    return claim


@teeth.twin("gc.crs.few")
def minors_with_the_wrong_sign(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._minor", lambda u, v: u[0] * v[1] + u[1] * v[0])
    return claim


@teeth.twin("gc.crs.cauchy")
def the_column_is_put_in_another_place(claim: Claim, patch: Any) -> Claim:
    def corrupt(block: Any, position: int, column: Any) -> Any:
        replaced = block.copy()
        replaced[:, (position + 1) % block.shape[1]] = column
        return replaced

    patch.setattr(f"{MODULE}._with_column", corrupt)
    return claim


@teeth.twin("gc.crs.cauchy.sampled")
def normal_numbers_of_mean_five(claim: Claim, patch: Any) -> Claim:
    def corrupt(n: int, s: int, rng: np.random.Generator) -> Any:
        columns = rng.standard_normal((s, n - 1)) + 5
        return code_from_parity(np.concatenate([columns, -columns.sum(axis=1, keepdims=True)], axis=1))

    patch.setattr(f"{MODULE}.cyclic_repetition", corrupt)
    return claim


@teeth.twin("gc.crs.singular")
def the_last_column_is_free(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.integer_parities", lambda n, s, entries: integer_parities(n + 1, s, entries[:2])[:, :, :n])
    return claim


@teeth.twin("gc.crs.singular.sampled")
def only_the_first_window_counts(claim: Claim, patch: Any) -> Claim:
    def corrupt(parities: Any) -> Any:
        s = parities.shape[1]
        return np.round(np.linalg.det(parities[:, :, :s].astype(float))) == 0

    patch.setattr(f"{MODULE}.has_singular_window", corrupt)
    return claim


@teeth.twin("gc.precision")
def repetition_instead_of_random_codes(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.cyclic_repetition", lambda n, s, rng: fractional_repetition(n, s))
    return claim


@teeth.twin("gc.crs.few")
def one_row_is_forgotten(claim: Claim, patch: Any) -> Claim:
    def body() -> Iterator[Comparison]:
        a, b, c, d = (sympy.symbols(f"{name}1 {name}2") for name in "abcd")
        minor = lambda u, v: u[0] * v[1] - u[1] * v[0]  # noqa: E731
        yield equal(
            minor(a, c) * minor(b, d), minor(a, d) * minor(b, c), "two rows without the product off the diagonal"
        )

    return replace(claim, body=body)


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("gc.crs", n=4, s=2, comparison=1)
def dependent_rows_of_a_small_code() -> int:
    # the kernel of the polynomial code at 0, 1, 2, 3; the row of worker i is the cross product of its three columns
    H = [[1, -3, 3, -1], [3, -7, 3, 1]]
    rows = []
    for i in range(4):
        a, b, c = ([row[(i + k) % 4] for row in H] for k in range(3))
        entries = [0] * 4
        for k, (u, v) in enumerate(((b, c), (c, a), (a, b))):
            entries[(i + k) % 4] = u[0] * v[1] - u[1] * v[0]
        assert all(sum(h * x for h, x in zip(row, entries, strict=True)) == 0 for row in H)
        rows.append(entries)
    return sum(rank([rows[i] for i in R]) < 2 for R in combinations(range(4), 2))


@teeth.pin("gc.crs.minors", comparison=0)
def vanishing_minors() -> int:
    return sum(leibniz([[row[j] for j in S] for row in H63]) == 0 for S in combinations(range(6), 3))


@teeth.pin("gc.crs.minors", comparison=1)
def rows_0_2_4_do_not_span_the_ones() -> int:
    rows = []
    for i in (0, 2, 4):
        block = [[row[(i + k) % 6] for k in (1, 2, 3)] for row in H63]
        entries = [0] * 6
        entries[i] = leibniz(block)
        for k in range(3):
            entries[(i + 1 + k) % 6] = -leibniz(
                [[r[i] if j == k else r[(i + 1 + j) % 6] for j in range(3)] for r in H63]
            )
        assert all(sum(h * b for h, b in zip(row, entries, strict=True)) == 0 for row in H63)
        rows.append(entries)
    assert rank(rows) == 2
    return int(rank([*rows, [1] * 6]) == rank(rows))


@teeth.pin("gc.crs.few", comparison=0)
def determinant_of_two_rows() -> Any:
    a, b, c, d = (sympy.symbols(f"{name}1 {name}2") for name in "abcd")
    bracket = lambda u, v: sympy.Matrix([u, v]).det()  # noqa: E731
    return sympy.Matrix([[-bracket(a, c), bracket(a, b)], [bracket(c, d), -bracket(b, d)]]).det()


@teeth.pin("gc.crs.cauchy", s=2, k=1, comparison=0)
def numerator_of_two_stragglers() -> Any:
    h = [sympy.symbols(f"h{j}_0:2") for j in range(3)]
    return h[0][0] * h[2][1] - h[0][1] * h[2][0]


@teeth.pin("gc.crs.cauchy.sampled", comparison=0, within=0.08, sample=0)
def quartile_of_ratios_of_normal_numbers() -> float:
    pairs = np.random.default_rng(11).standard_normal((2, 4000))
    share = float((np.abs(pairs[0] / pairs[1]) <= tan(pi / 8)).mean())
    assert abs(share - 2 / pi * atan(tan(pi / 8))) < 0.05
    return share


@teeth.pin("gc.crs.singular", comparison=0)
def share_of_signs() -> Fraction:
    singular = 0
    for free in product((-1, 1), repeat=10):
        columns = [*zip(free[:5], free[5:], strict=True)]
        columns.append((-sum(free[:5]), -sum(free[5:])))
        singular += any(u[0] * v[1] == u[1] * v[0] for u, v in zip(columns, [*columns[1:], columns[0]], strict=True))
    return Fraction(singular, 1024)


@teeth.pin("gc.crs.singular.sampled", comparison=0, within=0.02, sample=0)
def exact_share_of_signs() -> float:
    return 31 / 32


@teeth.pin("gc.precision", comparison=0, within=0.15, sample=0)
def half_precision_with_one_straggler() -> float:
    """Weights by partial sums: with one straggler a_i h_i is the sum of h from the first survivor to i."""
    rng, exceeding = np.random.default_rng(3), 0
    for _ in range(100):
        h = rng.standard_normal(12)
        h[-1] = -h[:-1].sum()
        gradients = rng.standard_normal((12, 64))
        messages = gradients - (h / np.roll(h, -1))[:, None] * np.roll(gradients, -1, axis=0)
        rounding = messages.astype(np.float16).astype(float) - messages
        worst = 0.0
        for lost in range(12):
            order = (lost + 1 + np.arange(11)) % 12
            weights = np.cumsum(h[order]) / h[order]
            assert np.allclose(weights @ messages[order], gradients.sum(axis=0), rtol=0, atol=1e-6)
            worst = max(worst, float(np.linalg.norm(weights @ rounding[order])))
        exceeding += worst > 0.1 * np.linalg.norm(gradients.sum(axis=0))
    return exceeding / 100


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()


def test_the_other_parity_matrix_has_full_ranks() -> None:
    other = EXACT.array([[1, 2, 3, 5, 8, -19], [1, 4, 9, 25, 64, -103], [2, 1, 7, 1, 3, -14]])
    assert all(determinant(other[:, list(S)]) != 0 for S in combinations(range(6), 3))
    assert code_from_parity(other).tolerates(3).holds
