"""Which of the answers of Lagrange coding are wrong, and by how much surplus answers are off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from codedtheory.arithmetic import maximum, null_space

from .blocks import combined, residues, stacked
from .survivors import checked_survivors

if TYPE_CHECKING:
    from .lagrange_code import LagrangeCode

__all__ = ["surplus_residual", "wrong_workers"]

Array = np.ndarray[Any, Any]


def wrong_workers(
    code: LagrangeCode, results: Any, survivors: Iterable[int], degree: int, errors: int
) -> tuple[int, ...]:
    r"""Return the workers whose answers do not lie on the polynomials of the others.

    For one coordinate with values y_i at points a_i, of which at most A are off a polynomial P with m
    coefficients, every non-zero pair of polynomials E (A+1 coefficients) and Q (m+A coefficients) with

    .. math:: Q(a_i)=y_i\,E(a_i)\qquad\text{for all }i

    satisfies Q = P E, since Q - P E has degree below m+A and vanishes at the at least m+A correct
    points. So E is not 0 and vanishes where :math:`y_i\ne P(a_i)`. Without its at most A roots at
    least m correct answers are left, and they fix P.

    A worker is wrong if any of its coordinates is. Coordinates are searched one at a time and only while
    the answers that are left are inconsistent, so that A+1 searches are enough.

    Parameters
    ----------
    code : LagrangeCode
        Over an exact arithmetic.
    results : array_like, shape (len(survivors), ...)
        Answers in the order of `survivors`.
    survivors : iterable of int
        At least ``code.recovery_threshold(degree, errors)`` workers.
    degree : int
        Total degree of the map.
    errors : int
        A, the largest number of wrong workers.

    Returns
    -------
    tuple of int
        Sorted worker indices, at most A.

    Raises
    ------
    ValueError
        If answers are too few, or more than A are found to be wrong. (Many wrong answers may look like
        few or none; nothing notices that.)

    Notes
    -----
    L. R. Welch and E. R. Berlekamp 1986, US patent 4633470; in this form P. Gemmell and M. Sudan 1992,
    Inf. Process. Lett. 43:169-174. A threshold of m + 2A answers is sufficient by this construction.

    Examples
    --------
    >>> from codedtheory.arithmetic import modular
    >>> from codedtheory.coding import LagrangeCode
    >>> code = LagrangeCode(2, 5, arithmetic=modular(11))
    >>> answers = code.encode(np.array([3, 5]))
    >>> answers[3] += 1
    >>> wrong_workers(code, answers, range(5), degree=1, errors=1)
    (3,)
    """
    if not code.is_exact:
        raise ValueError(f"errors can be located over exact arithmetics only, not over {code.arithmetic}; use errors=0")
    arrived = checked_survivors(survivors, code.workers)
    terms = code.answers_needed(arrived, degree, errors) - 2 * errors
    answers = _normal(code, stacked("results", results, len(arrived)))
    left = list(range(len(arrived)))
    wrong: list[int] = []
    while (off := _inconsistent_coordinate(code, answers, arrived, left, terms)) is not None:
        budget = errors - len(wrong)
        column = code.arithmetic.array(answers[:, off])
        found = _wrong_in(code, column, arrived, left, terms, budget) if budget else []
        if not found:
            raise ValueError(
                f"results contradict each other: more than errors = {errors} are wrong; "
                "raise errors (each needs two more answers) or check the degree"
            )
        wrong += found
        left = [k for k in left if k not in found]
    return tuple(sorted(arrived[k] for k in wrong))


def surplus_residual(code: LagrangeCode, results: Any, survivors: Iterable[int], degree: int) -> Any:
    """Return how far answers beyond the threshold are off the polynomial of the first ones.

    Parameters
    ----------
    code : LagrangeCode
        Over real numbers; finite fields have no distances.
    results : array_like, shape (len(survivors), ...)
        Answers in the order of `survivors`.
    survivors : iterable of int
        In order of arrival.
    degree : int
        Total degree of the map.

    Returns
    -------
    number
        Largest modulus over all surplus answers and coordinates; 0 if there are none.

    Examples
    --------
    >>> from codedtheory.arithmetic import EXACT
    >>> from codedtheory.coding import LagrangeCode
    >>> surplus_residual(LagrangeCode(2, 3, arithmetic=EXACT), [1, 2, 4], [0, 1, 2], degree=1)
    Rational(1, 1)
    """
    if hasattr(code.arithmetic, "modulus"):
        raise ValueError(f"elements of {code.arithmetic} have no size; decode checks surplus answers exactly")
    arrived = checked_survivors(survivors, code.workers)
    terms = code.answers_needed(arrived, degree)
    answers = stacked("results", results, len(arrived))
    difference = predicted(code, answers, arrived, list(range(len(arrived))), terms) - answers[terms:]
    if not difference.size:
        return code.arithmetic.number(0)
    return maximum(np.abs(difference))


def predicted(code: LagrangeCode, answers: Array, arrived: tuple[int, ...], left: list[int], terms: int) -> Array:
    """Return what the answers after the first `terms` of the positions `left` should be."""
    known, surplus = left[:terms], left[terms:]
    matrix = code.from_answers([arrived[k] for k in known], [arrived[k] for k in surplus])
    return combined(matrix, answers[known])


def _normal(code: LagrangeCode, answers: Array) -> Array:
    """Return the answers as rows of numbers of the code (integers: representatives)."""
    flat = answers.reshape(len(answers), -1)
    modulus = getattr(code.arithmetic, "modulus", None)
    if modulus is None or flat.dtype.kind not in "iu":
        return code.arithmetic.array(flat)
    return residues(flat, modulus)


def _inconsistent_coordinate(
    code: LagrangeCode, answers: Array, arrived: tuple[int, ...], left: list[int], terms: int
) -> int | None:
    if len(left) == terms:
        return None
    differs = (predicted(code, answers, arrived, left, terms) != answers[left[terms:]]).astype(bool).any(axis=0)
    return int(np.argmax(differs)) if differs.any() else None


def _wrong_in(
    code: LagrangeCode, column: Array, arrived: tuple[int, ...], left: list[int], terms: int, errors: int
) -> list[int]:
    points = code.worker_points.over(code.arithmetic)[[arrived[k] for k in left]]
    powers = [code.arithmetic.ones(len(left))]
    for _ in range(terms + errors - 1):
        powers.append(powers[-1] * points)
    numerator = np.stack(powers, axis=1)
    denominator = numerator[:, : errors + 1]
    kernel = null_space(np.concatenate([numerator, -(column[left][:, None] * denominator)], axis=1))
    if not kernel.shape[1]:
        return []
    locator = denominator @ kernel[terms + errors :, 0]
    trusted = [k for k, value in zip(left, locator, strict=True) if value != 0]
    if len(trusted) < terms:
        return []
    order = trusted[:terms] + [k for k in left if k not in trusted[:terms]]
    expected = predicted(code, column, arrived, order, terms)
    found = [k for k, value in zip(order[terms:], expected, strict=True) if value != column[k]]
    return found if len(found) <= errors else []


def contradiction(code: LagrangeCode, answers: Array, arrived: tuple[int, ...], terms: int) -> bool:
    """Whether enclosures prove that surplus answers do not lie on the polynomial of the first ones."""
    if len(arrived) == terms:
        return False
    expected = predicted(code, answers, arrived, list(range(len(arrived))), terms)
    return any((a != b) is True for a, b in zip(expected.ravel(), answers[terms:].ravel(), strict=True))
