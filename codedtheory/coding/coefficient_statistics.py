"""Statistics of decoded coefficients over all straggler sets of one size, by exact enumeration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from codedtheory.arithmetic import Algebraic, Ball, Rational

from .coefficient_moments import CoefficientMoments, decoded_straggler_sets, stands_for_rotations
from .coefficients import squared_error
from .decoding import Decoder
from .gradient_code import GradientCode
from .symmetric_norm import symmetric_norm

__all__ = ["CoefficientStatistics", "coefficient_statistics"]


@dataclass(frozen=True, slots=True)
class CoefficientStatistics:
    r"""What a decoder makes of the partitions' coefficients over all sets of s stragglers, all equally likely.

    Parameters
    ----------
    n, s : int
        Workers and stragglers.
    decoder : str
        Name of the decoder.
    minimum, maximum : Fraction
        Smallest and largest coefficient of any partition under any straggler set.
    mean, variance : Fraction
        Of one coefficient, averaged over the partitions (they do not differ where the workers are all alike).
    covariance_norm : Fraction, Algebraic or Ball
        Spectral norm of the coefficients' covariance matrix; a Fraction where it is rational.
    worst_squared_error : Fraction
        Largest :math:`\|\alpha-\mathbf 1\|^2`.
    minimum_stragglers, maximum_stragglers, worst_stragglers : tuple of int
        The lexicographically first straggler sets that attain minimum, maximum and worst error.
    exact_sets, straggler_sets : int
        How many straggler sets leave all coefficients at 1, and how many sets there are.
    is_unbiased : bool
        Whether every partition's mean coefficient is 1.
    closed_forms : mapping of str to number
        The fields that theory gives in closed form, with its values.
    """

    n: int
    s: int
    decoder: str
    minimum: Fraction
    maximum: Fraction
    mean: Fraction
    variance: Fraction
    covariance_norm: Fraction | Algebraic | Ball
    worst_squared_error: Fraction
    minimum_stragglers: tuple[int, ...]
    maximum_stragglers: tuple[int, ...]
    worst_stragglers: tuple[int, ...]
    exact_sets: int
    straggler_sets: int
    is_unbiased: bool
    closed_forms: Mapping[str, Fraction | Algebraic] = field(default_factory=dict, hash=False)

    @property
    def closed_forms_agree(self) -> bool:
        """Whether all closed forms (there may be none) equal what the enumeration found, exactly."""
        return all(bool(getattr(self, name) == value) for name, value in self.closed_forms.items())


def coefficient_statistics(code: GradientCode, s: int, decoder: Decoder) -> CoefficientStatistics:
    """Enumerate all sets of s stragglers and return exact statistics of the decoded coefficients.

    Of a cyclic code with a decoder that treats all workers alike, one set per rotation orbit is decoded.

    Parameters
    ----------
    code : GradientCode
        With rational entries.
    s : int
        Stragglers, below the number of workers.
    decoder : Decoder
        Has to decode (exactly or not) every straggler set.

    Returns
    -------
    CoefficientStatistics

    Raises
    ------
    TypeError
        If the code is not over the rationals.
    ValueError
        If there are more than a million straggler sets, or the decoder refuses one.

    Examples
    --------
    >>> from codedtheory.coding import LeastSquaresDecoder
    >>> from codedtheory.coding import plain_cyclic
    >>> found = coefficient_statistics(plain_cyclic(5, 1), 1, LeastSquaresDecoder())
    >>> found.mean, found.maximum, found.exact_sets
    (Fraction(24, 25), Fraction(6, 5), 0)
    """
    n, k = code.matrix.shape
    moments = CoefficientMoments(k, stands_for_rotations(code, decoder))
    lows, highs, errors = [], [], []
    exact_sets = 0
    for stragglers, size, alpha in decoded_straggler_sets(code, s, decoder):
        moments.add(alpha, size)
        lows.append((min(alpha), stragglers))
        highs.append((max(alpha), stragglers))
        errors.append((squared_error(alpha), stragglers))
        exact_sets += 0 if errors[-1][0] else size
    means, covariance = moments.means, moments.covariance
    # min and max return the first of equals, which is the lexicographically first straggler set
    smallest, largest = min(lows, key=_value), max(highs, key=_value)
    worst = max(errors, key=_value)
    return CoefficientStatistics(
        n=n,
        s=int(s),
        decoder=decoder.name,
        minimum=smallest[0].fraction,
        maximum=largest[0].fraction,
        mean=(means.sum() / k).fraction,
        variance=(np.trace(covariance) / k).fraction,
        covariance_norm=_plain(symmetric_norm(covariance)),
        worst_squared_error=worst[0].fraction,
        minimum_stragglers=smallest[1],
        maximum_stragglers=largest[1],
        worst_stragglers=worst[1],
        exact_sets=exact_sets,
        straggler_sets=moments.count,
        is_unbiased=all(mean == 1 for mean in means),
    )


def _value(pair: tuple[Rational, tuple[int, ...]]) -> Rational:
    return pair[0]


def _plain(value: Any) -> Any:
    return value.fraction if isinstance(value, Rational) else value
