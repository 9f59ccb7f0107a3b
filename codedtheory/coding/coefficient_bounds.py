"""Bounds on the coefficients of decoders on plain sums: closed forms, confirmed by enumeration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from codedtheory.arithmetic import Algebraic, Rational

from .coefficient_moments import debiasing_factor
from .coefficient_statistics import CoefficientStatistics, coefficient_statistics
from .covariance import coefficient_variance, one_step_covariance_norm
from .decoding import Decoder
from .disjoint_sets import DisjointSetDecoder
from .first_of_group import FirstOfGroupDecoder
from .gradient_code import GradientCode
from .least_squares_decoding import LeastSquaresDecoder
from .one_step import OneStepDecoder
from .relaxed_decoding import InverseMultiplicityDecoder, RelaxedDecoder
from .repetition_codes import fractional_repetition, plain_cyclic
from .residue_class import ResidueClassDecoder
from .survivors import checked_count, checked_stragglers

__all__ = ["DECODERS", "closed_form_coefficients", "coefficient_bounds", "worst_relaxed_error"]

Exact = Fraction | Algebraic

_MAKERS: dict[str, Callable[[GradientCode, int], Decoder]] = {
    "relaxed": lambda code, s: RelaxedDecoder(),
    "one-step": lambda code, s: OneStepDecoder(),
    "inverse multiplicity": lambda code, s: InverseMultiplicityDecoder(),
    "least squares": lambda code, s: LeastSquaresDecoder(),
    "debiased least squares": lambda code, s: LeastSquaresDecoder(debiasing_factor(code, s)),
    "residue class": lambda code, s: ResidueClassDecoder(),
    "disjoint set": lambda code, s: DisjointSetDecoder(),
    "first of group": lambda code, s: FirstOfGroupDecoder(),
}

DECODERS: tuple[str, ...] = tuple(_MAKERS)


def coefficient_bounds(
    n: int, s: int, decoder: str | Decoder = "relaxed", placement: str = "cyclic"
) -> CoefficientStatistics:
    r"""Return exact minimum, maximum, mean, variance, covariance norm and worst error of the coefficients.

    Plain sums of s + 1 partitions a worker, all sets of s stragglers equally likely. Everything is enumerated
    with rationals, over rotation orbits where the decoder treats all workers alike; `closed_forms` of the result
    has what theory gives, and `closed_forms_agree` says whether the two are equal.

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        Stragglers, below n.
    decoder : str or Decoder, default "relaxed"
        One of `DECODERS`, or a decoder.
    placement : {"cyclic", "fractional"}, default "cyclic"
        `plain_cyclic` or `fractional_repetition`.

    Returns
    -------
    CoefficientStatistics

    Raises
    ------
    ValueError
        For an unknown name, a decoder that can't decode some straggler set of the code, or too many sets;
        `closed_form_coefficients` has no limit.

    Examples
    --------
    >>> bounds = coefficient_bounds(12, 3)
    >>> bounds.minimum, bounds.maximum, bounds.variance, bounds.worst_squared_error
    (Fraction(1, 3), Fraction(4, 3), Fraction(2, 33), Fraction(16, 9))
    >>> bounds.worst_stragglers, bounds.closed_forms_agree
    ((0, 1, 2), True)
    """
    n = checked_count("n", n, least=1)
    s = checked_stragglers(s, n)
    code = _code(n, s, placement)
    used, name = _named(code, s, decoder)
    found = coefficient_statistics(code, s, used)
    return found if name is None else replace(found, closed_forms=closed_form_coefficients(n, s, name, placement))


def closed_form_coefficients(
    n: int, s: int, decoder: str = "relaxed", placement: str = "cyclic"
) -> Mapping[str, Exact]:
    r"""Return what theory gives in closed form, by field of `CoefficientStatistics`, for any size.

    * Relaxed and one-step decoding, cyclic: :math:`\mu=\frac n{(n-s)(s+1)}` is the minimum,
      :math:`\frac n{\max(n-s,s+1)}<2` the maximum, 1 the mean, and variance, covariance norm and worst error are
      `coefficient_variance`, `one_step_covariance_norm` and `worst_relaxed_error`.
    * The same with fractional placement: between :math:`\mu` and :math:`(s+1)\mu` (capped by the received copies), and
      the worst set takes s workers from one group.
    * Inverse multiplicity and debiased least squares, cyclic: the mean is 1.
    * Decoders that are exact for the placement: all coefficients are 1. With :math:`(s+1)\mid n` these are
      residue class (cyclic), first of group (fractional), least squares and disjoint sets (both).

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        Stragglers, below n.
    decoder : str, default "relaxed"
        One of `DECODERS`.
    placement : {"cyclic", "fractional"}, default "cyclic"

    Returns
    -------
    mapping of str to Fraction or Algebraic
        Empty if no closed form is known.

    Examples
    --------
    >>> closed_form_coefficients(1000, 99)["maximum"]
    Fraction(1000, 901)
    """
    n = checked_count("n", n, least=1)
    s = checked_stragglers(s, n)
    _check_placement(n, s, placement)
    _check_name(decoder)
    exact = {
        "cyclic": ("residue class", "least squares", "debiased least squares", "disjoint set"),
        "fractional": ("first of group", "least squares", "debiased least squares", "disjoint set"),
    }
    zero, one = Fraction(0), Fraction(1)
    forms: dict[str, Exact] = {}
    if decoder in exact[placement] and n % (s + 1) == 0:
        forms = dict.fromkeys(("minimum", "maximum", "mean"), one)
        forms |= dict.fromkeys(("variance", "covariance_norm", "worst_squared_error"), zero)
    elif decoder in ("relaxed", "one-step"):
        forms = _relaxed_forms(n, s, placement)
    elif decoder in ("inverse multiplicity", "debiased least squares"):
        forms = {"mean": one}
    return forms


def _relaxed_forms(n: int, s: int, placement: str) -> dict[str, Exact]:
    c = s + 1
    mu = Fraction(n, (n - s) * c)
    if placement == "cyclic":
        largest, worst = Fraction(n, max(n - s, c)), worst_relaxed_error(n, s).fraction
    else:
        largest = mu * min(c, n - s)
        # one group keeps a single worker, the other groups all of theirs
        worst = mu * mu * c * (1 + (n // c - 1) * c * c) - n
    norm = one_step_covariance_norm(n, s, placement)
    return {
        "minimum": mu,
        "maximum": largest,
        "mean": Fraction(1),
        "variance": coefficient_variance(n, s).fraction,
        "covariance_norm": norm.fraction if isinstance(norm, Rational) else norm,
        "worst_squared_error": worst,
    }


def worst_relaxed_error(n: int, s: int) -> Rational:
    r"""Return :math:`\max\|\alpha-\mathbf 1\|^2` of relaxed decoding on cyclic repetition, by contiguous stragglers.

    .. math:: \frac{n^2k(2k+1)}{3(n-k)^2(k+1)}-\frac{nk^2}{(n-k)^2},\qquad k=\min(s,n-1-s).

    Parameters
    ----------
    n : int
        Workers and partitions.
    s : int
        Stragglers, below n.

    Returns
    -------
    Rational

    Notes
    -----
    Contiguous stragglers are worst for every n and s. :math:`\sum_jm_j^2=\sum_{i,i'\in R}o(i,i')`, and the overlap o of
    two windows does not grow with the circular distance of i and i'. Reflecting received workers into one half of
    the circle wherever the mirror image is not received shortens distances within the half, so the sum does not
    fall (two-point symmetrisation, Baernstein and Taylor 1976), and finitely many reflections make R an
    arc. For arcs the sum is a count. It is symmetric as m is a circular convolution of windows of lengths s + 1 and
    n - s. Attained, not only a bound.

    Examples
    --------
    >>> worst_relaxed_error(3, 1), worst_relaxed_error(12, 3)
    (Rational(3, 8), Rational(16, 9))
    """
    n = checked_count("n", n, least=1)
    s = checked_stragglers(s, n)
    k = min(s, n - 1 - s)
    sum_of_squares = Rational(n * n * k * (2 * k + 1), 3 * (k + 1))
    worst: Rational = (sum_of_squares - n * k * k) / (n - k) ** 2
    return worst


def _code(n: int, s: int, placement: str) -> GradientCode:
    _check_placement(n, s, placement)
    return plain_cyclic(n, s) if placement == "cyclic" else fractional_repetition(n, s)


def _check_placement(n: int, s: int, placement: str) -> None:
    if placement not in ("cyclic", "fractional"):
        raise ValueError(f"placement must be 'cyclic' or 'fractional', got {placement!r}")
    if placement == "fractional" and n % (s + 1):
        raise ValueError(f"fractional placement needs s + 1 to divide n, got n={n}, s={s}; use 'cyclic'")


def _named(code: GradientCode, s: int, decoder: str | Decoder) -> tuple[Decoder, str | None]:
    """Return the decoder, and its name if it is one that closed forms speak of."""
    if isinstance(decoder, str):
        _check_name(decoder)
        return _MAKERS[decoder](code, s), decoder
    if not hasattr(decoder, "weights"):
        raise TypeError(f"decoder must be one of {', '.join(_MAKERS)}, or a decoder, got {decoder!r}")
    known = decoder.name in _MAKERS and decoder == _MAKERS[decoder.name](code, s)
    return decoder, decoder.name if known else None


def _check_name(decoder: str) -> None:
    if decoder not in _MAKERS:
        raise ValueError(f"decoder must be one of {', '.join(_MAKERS)}, got {decoder!r}")
