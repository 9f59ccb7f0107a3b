"""Exact decoding weights of smallest amplification: a linear programme, certified over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import linprog

from codedtheory.arithmetic import PrecisionError, exactly, maximum

from .code_entries import floating_entries
from .decoding_space import affine_solutions
from .survivors import checked_survivors

if TYPE_CHECKING:
    from .gradient_code import GradientCode

__all__ = ["OptimalWeights", "floating_min_amplification", "min_amplification"]

_SLACKS = (1e-7, 1e-9, 1e-5, 1e-11)


@dataclass(frozen=True, eq=False)
class OptimalWeights:
    r"""Weights of smallest amplification, with the dual solution that proves it.

    Attributes
    ----------
    weights : numpy.ndarray, shape (survivors,)
    amplification : number
        The common value of the primal and of the dual programme.
    shares : numpy.ndarray, shape (partitions,)
        Numbers :math:`u\ge0` with sum 1.
    prices : numpy.ndarray, shape (partitions,)
        Numbers :math:`y` with :math:`|(By)_i|\le\sum_j|B_{ij}|u_j` for all survivors i. Then all weights with
        :math:`a^{\mathsf T}B=\mathbf 1` have an amplification of at least
        :math:`\sum_ju_j\sum_i|a_iB_{ij}|\ge\sum_ia_i(By)_i=\sum_jy_j`, which is the value above.
    """

    weights: np.ndarray[Any, Any]
    amplification: Any
    shares: np.ndarray[Any, Any]
    prices: np.ndarray[Any, Any]


def min_amplification(code: GradientCode, survivors: Any) -> OptimalWeights:
    """Return exact decoding weights of smallest amplification, with a proof that there are no better ones.

    Parameters
    ----------
    code : GradientCode
        Exact, and real.
    survivors : iterable of int

    Returns
    -------
    OptimalWeights

    Raises
    ------
    ValueError
        If the survivors do not decode, the code is not exact, or is complex without the weights being unique.
    PrecisionError
        If no exact solution near the floating one passes as optimal.

    Notes
    -----
    HiGHS solves the programme in doubles. Which weights vanish, their signs and which partitions attain the maximum
    are read off, the linear equations that follow are solved over the field, and
    so are those of the dual solution. Feasibility of both and equality of their values are then checked exactly, so
    the result does not depend on what was read off. Where the equations leave freedom, the solution next to the
    floating one is taken. A complex code is only accepted where the weights are unique, and then comes without dual
    solution.

    Examples
    --------
    >>> from codedtheory.coding import GradientCode
    >>> best = min_amplification(GradientCode([[1, 2, 0], [0, -1, 1], [1, 0, 2], [1, 1, 1]]), [0, 1, 2])
    >>> str(best.amplification), best.weights.astype(str).tolist()
    ('1', ['1/2', '0', '1/2'])
    """
    if not code.is_exact:
        raise ValueError(f"min_amplification needs an exact code, got {code!r}; use code.exactly() or MinAmplification")
    arrived = list(checked_survivors(survivors, code.n))
    space = code.decoding_space.restricted_to(arrived)
    if space.particular is None:
        lost = tuple(w for w in range(code.n) if w not in set(arrived))
        raise ValueError(f"survivors of {code.name} without workers {lost} do not decode; wait for more workers")
    if not code.is_real:
        if space.dimension:
            raise ValueError("min-amplification weights of a complex code are no linear programme; use MinNorm")
        none = np.zeros(0, dtype=object)
        return OptimalWeights(space.particular[arrived], None, none, none)
    received, base, directions = code.matrix[arrived], space.particular[arrived], space.directions[arrived]
    hint = floating_min_amplification(floating_entries(received))
    for slack in _SLACKS:
        found = _vertex(received, base, directions, hint, slack)
        if found is None:
            continue
        weights, value = found
        dual = _dual(received, weights, value, hint, slack)
        if dual is not None:
            return OptimalWeights(weights, value, *dual)
    raise PrecisionError(
        f"the smallest amplification of survivors {tuple(arrived)} was not certified; use MinNorm for exact weights",
        enclosure=hint.amplification,
    )


def floating_min_amplification(received: np.ndarray[Any, Any]) -> OptimalWeights:
    """Return weights of smallest amplification in doubles.

    Parameters
    ----------
    received : numpy.ndarray of float64, shape (survivors, partitions)
        The survivors' rows, some combination of which is 1.

    Returns
    -------
    OptimalWeights
        Numeric: neither the weights nor the dual solution satisfy their conditions exactly.

    Raises
    ------
    ValueError
        If the solver finds no solution.

    Examples
    --------
    >>> best = floating_min_amplification(np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 3.0]]))
    >>> float(best.amplification)
    1.0
    """
    count, partitions = received.shape
    # scaling a row scales its weight and leaves the amplification alone
    scale = np.abs(received).max(axis=1, keepdims=True)
    scale[scale == 0] = 1
    rows = received / scale
    size = np.abs(rows).T
    cost = np.append(np.zeros(2 * count), 1.0)
    upper = np.hstack([size, size, -np.ones((partitions, 1))])
    equal = np.hstack([rows.T, -rows.T, np.zeros((partitions, 1))])
    zeros, ones = np.zeros(partitions), np.ones(partitions)
    result = linprog(cost, A_ub=upper, b_ub=zeros, A_eq=equal, b_eq=ones, bounds=(0, None), method="highs")
    if result.status != 0:
        raise ValueError(f"no weights of smallest amplification found: {result.message}; use MinNorm")
    weights = (result.x[:count] - result.x[count : 2 * count]) / scale[:, 0]
    return OptimalWeights(weights, float(result.fun), -result.ineqlin.marginals, result.eqlin.marginals)


def _vertex(
    received: np.ndarray[Any, Any],
    base: np.ndarray[Any, Any],
    directions: np.ndarray[Any, Any],
    hint: OptimalWeights,
    slack: float,
) -> tuple[np.ndarray[Any, Any], Any] | None:
    """Return exact weights with the signs and the tight partitions of the hint, and their amplification."""
    zero, one = received[0, 0] * 0, received[0, 0] * 0 + 1
    sizes = np.abs(received)
    contributions = hint.weights[:, None] * floating_entries(received)
    share = np.abs(contributions).max(axis=1)
    sign = np.where(share <= slack, 0, np.sign(hint.weights)).astype(int)
    totals = np.abs(contributions).sum(axis=0)
    tight = np.flatnonzero(totals >= totals.max() * (1 - slack))
    dimension = directions.shape[1]
    # unknowns: the coordinates z of a = base + directions z, and the amplification t
    equations = [([*directions[i], zero], -base[i]) for i in np.flatnonzero(sign == 0)]
    for j in tight:
        signed = np.array([int(s) * x for s, x in zip(sign, sizes[:, j], strict=True)], dtype=object)
        row = list(signed @ directions) if dimension else []
        equations.append(([*row, -one], -(signed @ base)))
    guess = np.zeros(dimension)
    if dimension:
        offset = hint.weights - floating_entries(base)
        guess = np.linalg.lstsq(floating_entries(directions), offset, rcond=None)[0]
    solution = _nearest_solution(equations, np.append(guess, totals.max()))
    if solution is None:
        return None
    weights = base + directions @ solution[:-1] if dimension else base
    amplification = maximum(np.abs(weights) @ sizes)
    return weights, amplification


def _dual(
    received: np.ndarray[Any, Any], weights: np.ndarray[Any, Any], value: Any, hint: OptimalWeights, slack: float
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] | None:
    """Return shares and prices that prove the value optimal, if the hint leads to any."""
    count, partitions = received.shape
    zero, one = received[0, 0] * 0, received[0, 0] * 0 + 1
    sizes = np.abs(received)
    rows = floating_entries(received)
    yields, allowed = rows @ hint.prices, np.abs(rows) @ hint.shares
    held = [j for j in range(partitions) if hint.shares[j] > slack]
    if not held:
        return None
    # unknowns: the shares of the held partitions, and all prices
    equations = [([one] * len(held) + [zero] * partitions, one), ([zero] * len(held) + [one] * partitions, value)]
    for i in range(count):
        tight = abs(yields[i]) >= allowed[i] - slack * (1 + allowed[i])
        sign = 0 if weights[i] == 0 else (1 if weights[i] > 0 else -1)
        if sign == 0 and tight:
            sign = 1 if yields[i] > 0 else -1
        if sign:
            equations.append(([-sizes[i, j] for j in held] + [x * sign for x in received[i]], zero))
    guess = np.append(hint.shares[held], hint.prices)
    solution = _nearest_solution(equations, guess)
    if solution is None:
        return None
    shares = np.full(partitions, zero, dtype=object)
    shares[held] = solution[: len(held)]
    prices = solution[len(held) :]
    proved = (
        all(bool(u >= 0) for u in shares)
        and bool(shares.sum() == 1)
        and bool(prices.sum() == value)
        and all(bool(abs(y) <= bound) for y, bound in zip(received @ prices, sizes @ shares, strict=True))
    )
    return (shares, prices) if proved else None


def _nearest_solution(
    equations: Sequence[tuple[list[Any], Any]], guess: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any] | None:
    """Return an exact solution of linear equations near a guess in doubles, or None if there is none."""
    system = np.array([[*row, -right] for row, right in equations], dtype=object)
    solution, moves = affine_solutions(system)
    if solution is not None and moves.shape[1]:
        offset = guess - floating_entries(solution)
        amounts = np.linalg.lstsq(floating_entries(moves), offset, rcond=None)[0]
        solution = solution + moves @ exactly(amounts)
    return solution
