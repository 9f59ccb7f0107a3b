"""Exact decoding weights of smallest amplification: a linear programme, certified over the rationals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from codedtheory.arithmetic import PrecisionError, exactly, maximum, solve

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
        If the solver finds no solution, or no exact one near it passes as optimal.

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
    received = code.matrix[arrived]
    # scaling a row to maximum 1 scales its weight and leaves the amplification alone
    scale = np.array([maximum(np.abs(row)) if bool(np.any(row != 0)) else row[0] * 0 + 1 for row in received])
    rows, base, directions = received / scale[:, None], space.particular[arrived] * scale, space.directions[arrived]
    if space.dimension:
        # starting from the weights of smallest norm, doubles lose nothing by cancellation
        directions = directions * scale[:, None]
        base = base - directions @ solve(directions.T @ directions, directions.T @ base)
    hint = _floating_solution(floating_entries(rows), floating_entries(base), floating_entries(directions))
    for slack in _SLACKS:
        weights = _vertex(rows, base, directions, hint, slack)
        if weights is None:
            continue
        value = maximum(np.abs(weights) @ np.abs(rows))
        dual = _dual(rows, base, directions, weights, value, hint, slack)
        if dual is not None:
            return OptimalWeights(weights / scale, value, *dual)
    raise PrecisionError(
        f"the smallest amplification of survivors {tuple(arrived)} was not certified; use MinNorm for exact weights"
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
    from scipy.optimize import linprog

    result = linprog(cost, A_ub=upper, b_ub=zeros, A_eq=equal, b_eq=ones, bounds=(0, None), method="highs")
    if result.status != 0:
        raise ValueError(f"no weights of smallest amplification found: {result.message}; use MinNorm")
    weights = (result.x[:count] - result.x[count : 2 * count]) / scale[:, 0]
    return OptimalWeights(weights, float(result.fun), -result.ineqlin.marginals, result.eqlin.marginals)


@dataclass(frozen=True, eq=False)
class _Hint:
    """A solution in doubles: weights, shares of the partitions and multipliers of the survivors."""

    weights: np.ndarray[Any, Any]
    shares: np.ndarray[Any, Any]
    multipliers: np.ndarray[Any, Any]


def _floating_solution(
    rows: np.ndarray[Any, Any], base: np.ndarray[Any, Any], directions: np.ndarray[Any, Any]
) -> _Hint:
    """Minimise the largest column sum of |a_i| |B_ij| over a = base + directions z."""
    (count, partitions), dimension = rows.shape, directions.shape[1]
    sizes = np.abs(rows)
    if not dimension:
        worst = int(np.argmax(np.abs(base) @ sizes))
        return _Hint(base, np.eye(partitions)[worst], np.sign(base) * sizes[:, worst])
    moves = np.linalg.qr(directions)[0]
    # unknowns: coordinates of the moves, bounds on the weights' sizes, the amplification
    identity, none = np.eye(count), np.zeros((count, 1))
    upper = np.vstack(
        [
            np.hstack([np.zeros((partitions, dimension)), sizes.T, -np.ones((partitions, 1))]),
            np.hstack([moves, -identity, none]),
            np.hstack([-moves, -identity, none]),
        ]
    )
    right = np.concatenate([np.zeros(partitions), -base, base])
    cost = np.append(np.zeros(dimension + count), 1.0)
    bounds = [(None, None)] * dimension + [(0, None)] * (count + 1)
    from scipy.optimize import linprog

    result = linprog(cost, A_ub=upper, b_ub=right, bounds=bounds, method="highs")
    if result.status != 0:
        raise PrecisionError(f"no weights of smallest amplification found: {result.message}; use MinNorm")
    shares, above, below = np.split(-result.ineqlin.marginals, [partitions, partitions + count])
    return _Hint(base + moves @ result.x[:dimension], shares, above - below)


def _vertex(
    rows: np.ndarray[Any, Any],
    base: np.ndarray[Any, Any],
    directions: np.ndarray[Any, Any],
    hint: _Hint,
    slack: float,
) -> np.ndarray[Any, Any] | None:
    """Return exact weights with the zeros, the signs and the tight partitions of the hint."""
    dimension = directions.shape[1]
    if not dimension:
        return base
    zero, one = rows[0, 0] * 0, rows[0, 0] * 0 + 1
    sizes = np.abs(rows)
    sign = np.where(np.abs(hint.weights) <= slack, 0, np.sign(hint.weights)).astype(int)
    totals = np.abs(hint.weights) @ floating_entries(sizes)
    # unknowns: the coordinates z of a = base + directions z, and the amplification t
    equations = [([*directions[i], zero], -base[i]) for i in np.flatnonzero(sign == 0)]
    for j in np.flatnonzero(totals >= totals.max() * (1 - slack)):
        signed = np.array([int(s) * x for s, x in zip(sign, sizes[:, j], strict=True)], dtype=object)
        equations.append(([*(signed @ directions), -one], -(signed @ base)))
    offset = hint.weights - floating_entries(base)
    guess = np.linalg.lstsq(floating_entries(directions), offset, rcond=None)[0]
    solution = _nearest_solution(equations, np.append(guess, totals.max()))
    return None if solution is None else base + directions @ solution[:-1]


def _dual(
    rows: np.ndarray[Any, Any],
    base: np.ndarray[Any, Any],
    directions: np.ndarray[Any, Any],
    weights: np.ndarray[Any, Any],
    value: Any,
    hint: _Hint,
    slack: float,
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] | None:
    """Return shares and prices that prove the value optimal, if the hint leads to any."""
    count, partitions = rows.shape
    zero, one = rows[0, 0] * 0, rows[0, 0] * 0 + 1
    sizes = np.abs(rows)
    allowed = floating_entries(sizes) @ hint.shares
    held = [j for j in range(partitions) if hint.shares[j] > slack]
    # unknowns: the shares of the held partitions, and the multiplier of each survivor
    equations = [([one] * len(held) + [zero] * count, one), ([zero] * len(held) + list(base), value)]
    equations += [([zero] * len(held) + list(column), zero) for column in directions.T]
    for i in range(count):
        sign = 0 if weights[i] == 0 else (1 if weights[i] > 0 else -1)
        if sign == 0 and abs(hint.multipliers[i]) >= allowed[i] - slack * (1 + allowed[i]):
            sign = 1 if hint.multipliers[i] > 0 else -1
        if sign:
            multiplier = [one * sign if k == i else zero for k in range(count)]
            equations.append(([-sizes[i, j] for j in held] + multiplier, zero))
    solution = _nearest_solution(equations, np.append(hint.shares[held], hint.multipliers))
    if solution is None:
        return None
    shares = np.full(partitions, zero, dtype=object)
    shares[held] = solution[: len(held)]
    # multipliers that no change of the weights sees are B y for some prices y
    prices, _ = affine_solutions(np.concatenate([rows, -solution[len(held) :, None]], axis=1))
    if prices is None:
        return None
    proved = (
        all(bool(u >= 0) for u in shares)
        and bool(shares.sum() == 1)
        and bool(prices.sum() == value)
        and all(bool(abs(y) <= bound) for y, bound in zip(rows @ prices, sizes @ shares, strict=True))
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
