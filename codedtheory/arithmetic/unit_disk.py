"""Whether all roots of a polynomial lie inside the unit circle, decided exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import flint

from .number import RigorousNumber
from .rational import Rational
from .rational_polynomials import rational_polynomial, sign_changes, sturm_chain

__all__ = ["roots_inside_unit_disk"]


def roots_inside_unit_disk(coefficients: Sequence[Any], method: str = "schur-cohn") -> bool:
    r"""Whether all roots z of a polynomial with real coefficients have :math:`|z|<1`, decided exactly.

    Two independent procedures give the same answer. ``"schur-cohn"`` uses that
    :math:`p(z)=\sum_kc_kz^k` of degree n has all roots inside iff :math:`|c_0|<|c_n|` and the
    polynomial :math:`\big(c_np(z)-c_0z^np(1/z)\big)/z` of degree n - 1 has. ``"sturm"`` maps the disk to
    the left half plane by :math:`z=\frac{1+w}{1-w}` and counts the turns of the image of the imaginary
    axis by a Sturm chain.

    Parameters
    ----------
    coefficients : sequence of real numbers, shape (degree + 1,)
        From the 0th on: int, Fraction, Rational or numerals; for ``"schur-cohn"`` also `Algebraic`, or `Ball`
        if no decision is too close.
    method : {"schur-cohn", "sturm"}, default "schur-cohn"
        Which procedure decides.

    Returns
    -------
    bool
        ``False`` as soon as one root lies on or outside the circle; ``True`` for a non-zero constant.

    Raises
    ------
    TypeError
        For floats: rounding can flip the answer.
    ValueError
        If all coefficients are 0 or the method is unknown.
    PrecisionError
        If balls overlap where the decision falls.

    Notes
    -----
    Schur (1917), Cohn (1922) and Jury (1962) for the reduction; Sturm (1829) and Hermite (1856) for the chain.

    Examples
    --------
    >>> roots_inside_unit_disk(["0.99", -1, 1]), roots_inside_unit_disk([1, -1, 1])
    (True, False)
    >>> roots_inside_unit_disk(["0.99", -1, 1], method="sturm")
    True
    """
    if method == "schur-cohn":
        return _schur_cohn([c if isinstance(c, RigorousNumber) else Rational(c) for c in coefficients])
    if method == "sturm":
        return _half_plane_by_sturm(rational_polynomial(coefficients))
    raise ValueError(f"method must be 'schur-cohn' or 'sturm', got {method!r}")


def _schur_cohn(c: list[Any]) -> bool:
    while c and c[-1] == 0:
        c.pop()
    if not c:
        raise ValueError("coefficients must not all be 0; every number would be a root")
    while len(c) > 1:
        if not abs(c[0]) < abs(c[-1]):
            return False
        # dividing by the leading coefficient keeps the numbers from doubling their length at every step
        reflection = c[0] / c[-1]
        c = [c[k + 1] - reflection * c[-2 - k] for k in range(len(c) - 1)]
    return True


def _half_plane_by_sturm(p: flint.fmpq_poly) -> bool:
    degree = p.degree()
    if degree == 0:
        return True
    plus, minus = flint.fmpq_poly([1, 1]), flint.fmpq_poly([1, -1])
    image = sum((c * plus**k * minus ** (degree - k) for k, c in enumerate(p.coeffs())), flint.fmpq_poly([0]))
    if image.degree() < degree:
        return False  # the degree drops iff z = -1 is a root
    # on w = i y: even powers are real with alternating signs, odd powers imaginary
    quarter_turns = image.coeffs()
    real = flint.fmpq_poly([c * (1 - k % 4) if k % 2 == 0 else 0 for k, c in enumerate(quarter_turns)])
    imaginary = flint.fmpq_poly([c * (2 - k % 4) if k % 2 else 0 for k, c in enumerate(quarter_turns)])
    chain = sturm_chain(real, -imaginary) if degree % 2 == 0 else sturm_chain(imaginary, real)
    return sign_changes(chain, None, -1) - sign_changes(chain, None, 1) == degree
