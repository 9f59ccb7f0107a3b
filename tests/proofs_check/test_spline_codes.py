"""Twins and pins of the claims about codes that decode with splines."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import sympy
from scipy.interpolate import CubicSpline, make_smoothing_spline

from codedtheory.claims import Claim
from codedtheory.interpolation.smoothing_spline import spline_weights
from proofs_check import spline_codes as catalogue
from tests.proofs_check.teeth import Teeth

MODULE = "proofs_check.spline_codes"
teeth = Teeth(MODULE)
risk = catalogue._risk


# -- corrupted twins ------------------------------------------------------------------------------------


@teeth.twin("letcc.rate")
def squares_instead_of_cubes(claim: Claim, patch: Any) -> Claim:
    def quadratic(e: Any, a: Any, b: Any, c: Any) -> Any:
        return (e[0] * e[1] * a**2 + e[0] * e[2] * b**2 + e[1] * e[2] * c**2) / 6

    patch.setattr(f"{MODULE}._squared_error", quadratic)
    return claim


@teeth.twin("letcc.rate.sharp")
def hinged_beam(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._deflection", lambda gap, t: t * (3 * gap**2 - 4 * t**2))
    return claim


def oversmoothed(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.spline_weights", lambda nodes, points, smoothing=0: spline_weights(nodes, points, 1))
    return claim


for claim_id in ("letcc.rate.grid", "letcc.rate.smooth", "adv.rate.unsmoothed"):
    teeth.twin(claim_id)(oversmoothed)


def interpolating(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}.spline_weights", lambda nodes, points, smoothing=0: spline_weights(nodes, points))
    return claim


teeth.twin("letcc.rate.noisy")(interpolating)
teeth.twin("adv.rate")(interpolating)


@teeth.twin("letcc.rate.noisy.all")
def survivors_at_both_ends(claim: Claim, patch: Any) -> Claim:
    patch.setattr(f"{MODULE}._risk", lambda nodes, points, rho: risk([Fraction(0), Fraction(1)], points, rho))
    return claim


# -- pinned left-hand sides -----------------------------------------------------------------------------


@teeth.pin("letcc.rate", comparison=0)
def squares_of_the_kernel_of_a_line() -> Any:
    # the kernel is a tent of height bc/(b + c) over the gap
    b, c, t = sympy.symbols("b c t", positive=True)
    rising = sympy.integrate((c * t / (b + c)) ** 2, (t, 0, b))
    falling = sympy.integrate((b * t / (b + c)) ** 2, (t, 0, c))
    return rising + falling


@teeth.pin("letcc.rate.sharp", comparison=3)
def clamped_beam_under_a_unit_load() -> Any:
    # bending moment g/8 at both ends and in the middle, linear in between; deflection = its energy
    g, t = sympy.symbols("g t", positive=True)
    return 2 * sympy.integrate((g / 8 - t / 2) ** 2, (t, 0, g / 2))


@teeth.pin("letcc.rate.grid", N=2, S=1, L=(2,))
def line_beyond_two_nodes() -> Fraction:
    # 8 times the integral of t^2 over [0, 1/2] on both pieces of the kernel
    return 8 * 2 * Fraction(1, 2) ** 3 / 3


@teeth.pin("letcc.rate.smooth", within=1e-18, turn=0)
def mean_square_by_scipy() -> float:
    X, places, workers = np.array([-0.9, 0.3, -0.2, 0.8, 0.1]), np.arange(1, 10, 2) / 10, np.arange(65) / 64
    u = CubicSpline(places, X, bc_type="natural")(workers)
    # natural splines go on as lines
    start, end = CubicSpline(places, X, bc_type="natural")(places[[0, -1]], 1)
    u = np.where(workers < places[0], X[0] + start * (workers - places[0]), u)
    u = np.where(workers > places[-1], X[-1] + end * (workers - places[-1]), u)
    decoded = CubicSpline(workers, u * np.sin(u), bc_type="natural")(places)
    return float(((decoded - X * np.sin(X)) ** 2).mean())


def weights_by_scipy(nodes: Any, point: float, smoothing: float) -> Any:
    return np.array([make_smoothing_spline(nodes, unit, lam=smoothing)(point) for unit in np.eye(len(nodes))])


def squared_bias(nodes: Any, point: float, weights: Any) -> float:
    knots = np.unique([*nodes, point])
    kernel = [max(point - t, 0) - weights @ np.maximum(nodes - t, 0) for t in knots]
    pieces = zip(pairwise(knots), pairwise(kernel), strict=True)
    return sum((q - p) * (a * a + a * b + b * b) / 3 for (p, q), (a, b) in pieces)


@teeth.pin("letcc.rate.noisy", within=1e-9, N=4, S=0, first=0)
def risk_by_scipy() -> float:
    nodes = np.arange(5) / 4
    risks = []
    for point in nodes:
        c = weights_by_scipy(nodes, point, 0.1)
        risks.append(squared_bias(nodes, point, c) + c @ c)
    return float(np.mean(risks) ** 5 * 4**3)


@teeth.pin("letcc.rate.noisy.all", k=1)
def two_answers_extrapolated() -> Fraction:
    # weights -1 and 2; the kernel rises to 1/2 and falls again
    return 1 + 4 + 2 * Fraction(1, 2) ** 3 / 3


@teeth.pin("adv.rate", within=1e-6, N=4, g=1)
def one_adversary_by_scipy() -> float:
    nodes = np.arange(5) / 4
    errors = []
    for point in (1 / 8, 3 / 8, 5 / 8, 7 / 8):
        c = weights_by_scipy(nodes, point, 4 * 0.25**1.6 / 32)
        errors.append((np.sqrt(squared_bias(nodes, point, c)) + 2 * max(abs(c))) ** 2)
    return float(np.mean(errors))


@teeth.pin("adv.rate.unsmoothed", N=4)
def the_answer_at_the_point_itself() -> int:
    return 1


test_twin, test_pin, test_every_claim_has_teeth = teeth.tests()
