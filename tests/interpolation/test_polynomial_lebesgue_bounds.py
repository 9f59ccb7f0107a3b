import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codedtheory.arithmetic import EXACT, FLOAT, Rational, approximate, ball, decimal
from codedtheory.interpolation.euler_constant import euler_constant
from codedtheory.interpolation.lebesgue import lebesgue_constant
from codedtheory.interpolation.node_families import chebyshev_first, chebyshev_second, equispaced
from codedtheory.interpolation.polynomial_lebesgue_bounds import (
    chebyshev_first_lower_bound,
    chebyshev_first_upper_bound,
    polynomial_equispaced_asymptote,
    polynomial_equispaced_lower_bound,
    polynomial_equispaced_upper_bound,
    polynomial_lower_bound,
)

BITS = ball(100)


@pytest.mark.parametrize("n", [2, 3, 5, 10, 20, 40])
def test_equispaced_polynomials_lie_between_their_bounds(n):
    constant = lebesgue_constant(equispaced(n + 1), "lagrange", arithmetic=BITS)
    assert polynomial_equispaced_lower_bound(n, EXACT) < constant
    assert constant < polynomial_equispaced_upper_bound(n, EXACT)
    assert polynomial_lower_bound(n, BITS) <= constant


@pytest.mark.parametrize(("n", "constant", "asymptote"), [(20, "1.0987e4", "1.0796e4"), (40, "4.692e9", "4.741e9")])
def test_printed_equispaced_values(n, constant, asymptote):
    computed = lebesgue_constant(equispaced(n + 1), "lagrange", arithmetic=BITS)
    assert abs(computed / Rational(constant) - 1) < Rational("0.00011")
    assert abs(polynomial_equispaced_asymptote(n, arithmetic=BITS) / Rational(asymptote) - 1) < Rational("0.00011")
    # Euler's constant brings the asymptote much closer
    coarse = polynomial_equispaced_asymptote(n, refined=False, arithmetic=BITS)
    assert abs(coarse / computed - 1) > 5 * abs(polynomial_equispaced_asymptote(n, arithmetic=BITS) / computed - 1)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 10, 30, 100])
def test_chebyshev_points_lie_between_their_bounds(n):
    constant = lebesgue_constant(chebyshev_first(n + 1), "lagrange", (-1, 1), BITS)
    assert chebyshev_first_lower_bound(n, BITS) < constant
    upper = chebyshev_first_upper_bound(n, BITS)
    assert constant.overlaps(upper) if n == 0 else constant < upper
    if n >= 2:
        assert lebesgue_constant(chebyshev_second(n + 1), "lagrange", arithmetic=BITS) < constant


@pytest.mark.parametrize(("n", "printed"), [(2, "5/3"), (10, "2.4894"), (100, "3.9006")])
def test_printed_chebyshev_values(n, printed):
    constant = lebesgue_constant(chebyshev_first(n + 1), "lagrange", (-1, 1), BITS)
    assert abs(constant - Rational(printed)) < Rational("0.00005")


@settings(max_examples=20)
@given(st.lists(st.integers(-30, 30), min_size=2, max_size=9, unique=True).map(sorted))
def test_any_nodes(nodes):
    assert polynomial_lower_bound(len(nodes) - 1) <= lebesgue_constant(nodes, "lagrange")


def test_euler_constant():
    with mpmath.workdps(120):
        digits = mpmath.nstr(+mpmath.euler, 118)
    for bits in (10, 53, 300, 400):
        assert euler_constant(ball(bits)).contains(Rational(digits))
    assert euler_constant(ball(300)).rad < Rational("1e-85")
    assert Rational("1e-101") < euler_constant(ball(1000)).rad < Rational("1e-99")
    assert euler_constant(FLOAT) == pytest.approx(float(mpmath.euler), rel=1e-16)
    assert abs(euler_constant(decimal(30)) - mpmath.mpf(digits)) < 1e-15


@pytest.mark.parametrize(
    "bound",
    [
        polynomial_equispaced_lower_bound,
        polynomial_equispaced_upper_bound,
        lambda n, a: polynomial_equispaced_asymptote(n, arithmetic=a),
        chebyshev_first_lower_bound,
        chebyshev_first_upper_bound,
        polynomial_lower_bound,
    ],
)
def test_floats_and_balls_agree(bound):
    enclosed = bound(23, BITS)
    assert enclosed.rad <= Rational("1e-20") * enclosed.mid
    assert bound(23, FLOAT) == pytest.approx(approximate(enclosed), rel=1e-14)


def test_bad_input():
    with pytest.raises(ValueError, match="n must be at least 2, got 1"):
        polynomial_equispaced_asymptote(1)
    with pytest.raises(ValueError, match="n must be at least 0, got -1"):
        chebyshev_first_upper_bound(-1)
    with pytest.raises(TypeError, match="n must be an integer"):
        polynomial_lower_bound("3")
    with pytest.raises(ValueError, match="pi is not in"):
        chebyshev_first_upper_bound(3, EXACT)
