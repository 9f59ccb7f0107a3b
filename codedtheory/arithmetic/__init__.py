"""What a number is: floats that suggest; rationals, algebraic numbers and balls that prove."""

from .algebraic import Algebraic
from .balls import Ball, working_precision
from .complex_balls import ComplexBall
from .conditioning import condition_number, norm
from .decimal_interval import decimal_interval
from .definiteness import is_positive_semidefinite
from .elimination import determinant, inverse, null_space, rank, solve
from .exactness import approximate, exactly
from .extrema import maximum, minimum
from .modular import Modular
from .number import RigorousNumber
from .one_sided import LowerBound, UpperBound
from .rational import Rational
from .rational_polynomials import complex_roots, count_real_roots, largest_root_modulus, real_roots
from .recognition import arithmetic_of
from .spectrum import eigenvalues, singular_values
from .systems import (
    EXACT,
    FLOAT,
    Arithmetic,
    ball,
    complex_ball,
    cyclotomic,
    decimal,
    modular,
)
from .truth import PrecisionError, Undecided
from .unit_disk import roots_inside_unit_disk

__all__ = [
    "EXACT",
    "FLOAT",
    "Algebraic",
    "Arithmetic",
    "Ball",
    "ComplexBall",
    "LowerBound",
    "Modular",
    "PrecisionError",
    "Rational",
    "RigorousNumber",
    "Undecided",
    "UpperBound",
    "approximate",
    "arithmetic_of",
    "ball",
    "complex_ball",
    "complex_roots",
    "condition_number",
    "count_real_roots",
    "cyclotomic",
    "decimal",
    "decimal_interval",
    "determinant",
    "eigenvalues",
    "exactly",
    "inverse",
    "is_positive_semidefinite",
    "largest_root_modulus",
    "maximum",
    "minimum",
    "modular",
    "norm",
    "null_space",
    "rank",
    "real_roots",
    "roots_inside_unit_disk",
    "singular_values",
    "solve",
    "working_precision",
]
