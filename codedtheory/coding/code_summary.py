"""Everything the room knows about one gradient code: tolerance, load, amplification by decoder, message errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from codedtheory.arithmetic import PrecisionError, approximate

from .coefficients import decoded_coefficients
from .decoding import Decoder
from .disjoint_sets import DisjointSetDecoder
from .exact_decoding import MinAmplification, MinNorm
from .gradient_code import GradientCode
from .least_squares_decoding import LeastSquaresDecoder
from .message_precision import message_error
from .relaxed_decoding import InverseMultiplicityDecoder, RelaxedDecoder
from .residue_class import ResidueClassDecoder
from .straggler_orbits import orbit_count, orbit_representatives
from .survivors import checked_stragglers
from .tolerance import Tolerance
from .worker_symmetry import TRIVIAL
from .worst_decoding_error import WorstError, worst_decoding_error

__all__ = ["CodeSummary", "DecoderSummary", "summarize_code"]

Set = tuple[int, ...]
# how many straggler sets a decoder is tried on, before the rest is left to chance
_SETS = 2_000
_EXACT_SETS = 60
_ORBIT_SETS = 1_000_000
_HUGE_AMPLIFICATION = 100


@dataclass(frozen=True, slots=True)
class DecoderSummary:
    """What one decoder does to one code when s workers straggle.

    Attributes
    ----------
    name : str
    messages : str
        ``"coded"`` for the messages of the code itself, ``"plain sums"`` for plain sums on the same placement.
    worst : number or None
    typical : float or None
        Largest and median amplification over the straggler sets that were tried; None if the decoder refuses one.
    stragglers : tuple of int
        Where the largest occurs.
    complete : bool
        Whether all straggler sets were tried; if not, `worst` is a lower bound of the largest amplification.
    exact : bool
        Whether the gradients were summed with all coefficients 1 (floats: within 1e-6) in every set that was tried.
    largest_coefficient : number or None
        Largest weight that a partition finally gets.
    errors : tuple of (str, float)
        Relative error of the decoded sum at the worst set when messages are sent in low precision, by precision.
    refusal : str
        Why the decoder does not apply, if it doesn't.
    """

    name: str
    messages: str
    worst: Any = None
    typical: float | None = None
    stragglers: tuple[int, ...] = ()
    complete: bool = True
    exact: bool = False
    largest_coefficient: Any = None
    errors: tuple[tuple[str, float], ...] = ()
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class CodeSummary:
    """What a gradient code does when s workers straggle.

    Attributes
    ----------
    code : GradientCode
    stragglers : int
    tolerance : Tolerance or None
        A proof over all straggler sets, or a violating one; for floats the worst residual. None if there are more
        sets than the limit.
    decoders : tuple of DecoderSummary
    error : WorstError or None
        The largest least-squares decoding error; a `LowerBound` by local search where an enumeration is too long.
        None where it is proved to be 0.
    seeds : tuple of float
        Worst amplification of exact decoding for other draws of a random construction, in ascending order.
    recommended : str
        A decoder, and why.
    """

    code: GradientCode
    stragglers: int
    tolerance: Tolerance | None
    decoders: tuple[DecoderSummary, ...]
    error: WorstError | None
    seeds: tuple[float, ...]
    recommended: str


def summarize_code(
    code: GradientCode,
    stragglers: int,
    rng: np.random.Generator,
    redraw: Callable[[np.random.Generator], GradientCode] | None = None,
    redraws: int = 20,
    limit: int = 5_000_000,
) -> CodeSummary:
    """Compute tolerance, amplifications by decoder, message errors and a recommendation.

    Parameters
    ----------
    code : GradientCode
    stragglers : int
        ``0 <= stragglers < n``.
    rng : numpy.random.Generator
        Chooses straggler sets where there are too many, and the gradients of the message errors.
    redraw : callable, optional
        Draws the code anew, for quantiles of the worst amplification of a random construction.
    redraws : int, default 20
        How often.
    limit : int, default 5,000,000
        Most straggler sets to go through, before symmetry. Beyond it the tolerance stays open, and the largest
        decoding error becomes a lower bound.

    Returns
    -------
    CodeSummary

    Examples
    --------
    >>> from codedtheory.coding import plain_cyclic
    >>> summary = summarize_code(plain_cyclic(12, 3), 3, np.random.default_rng(0))
    >>> for decoder in summary.decoders:
    ...     print(decoder.name, decoder.worst, decoder.exact)
    min-norm 1 True
    min-amplification 1 True
    relaxed 4/3 False
    inverse multiplicity 11/8 False
    residue class 1 True
    least squares 1 True
    disjoint set 1 True
    """
    s = checked_stragglers(stragglers, code.n)
    tolerance = _tolerance(code, s, limit)
    sample = _sample(code.n, s, rng)
    trials = tuple(_summary(on, decoder, messages, s, sample, rng) for on, decoder, messages in _pairs(code))
    seeds: list[float] = []
    if redraw is not None:
        for child in rng.spawn(redraws):
            drawn = _summary(redraw(child).approximate(), MinNorm(), "coded", s, sample, child)
            if drawn.worst is not None:
                seeds.append(float(approximate(drawn.worst)))
    error = None if tolerance is not None and tolerance.holds else worst_decoding_error(code, s, rng, limit)
    return CodeSummary(code, s, tolerance, trials, error, tuple(sorted(seeds)), _recommended(trials))


def _tolerance(code: GradientCode, s: int, limit: int) -> Tolerance | None:
    try:
        return code.tolerates(s, limit)
    except ValueError:
        return None  # more sets than the limit: s itself was checked before


def _pairs(code: GradientCode) -> Iterator[tuple[GradientCode, Decoder, str]]:
    yield code, MinNorm(), "coded"
    yield code, MinAmplification(), "coded"
    placement = np.array(code.matrix != 0, dtype=np.int64)
    plain = (
        code if bool(np.all(code.matrix == placement)) else GradientCode(placement, name=f"plain sums of {code.name}")
    )
    decoders: Sequence[Decoder] = (
        RelaxedDecoder(),
        InverseMultiplicityDecoder(),
        ResidueClassDecoder(),
        LeastSquaresDecoder(),
        DisjointSetDecoder(),
    )
    for decoder in decoders:
        yield plain, decoder, "plain sums"


def _summary(
    code: GradientCode, decoder: Decoder, messages: str, s: int, sample: Sequence[Set], rng: np.random.Generator
) -> DecoderSummary:
    sets, complete = _straggler_sets(code, decoder, s, sample)
    # doubles find the worst of many sets, exact numbers then say what it is
    tried = code.approximate() if len(sets) > _EXACT_SETS else code
    values: list[tuple[float, int]] = []
    exact, largest = True, None
    peak = -1.0  # no amplification is negative
    where: tuple[int, ...] = ()
    try:
        for lost, count in sets:
            left = [i for i in range(code.n) if i not in lost]
            value = _size(tried.amplification(decoder, left))
            coefficients = decoded_coefficients(tried, left, decoder)
            if value > peak:
                peak, where = value, lost
            values.append((value, count))
            exact = exact and _sums(coefficients)
            heaviest = max(coefficients, key=_size)
            largest = heaviest if largest is None or _size(heaviest) > _size(largest) else largest
        left = [i for i in range(code.n) if i not in where]
        worst = code.amplification(decoder, left)
    except (ValueError, PrecisionError) as error:
        return DecoderSummary(decoder.name, messages, complete=complete, refusal=str(error))
    errors = tuple(
        (dtype, message_error(code, decoder, left, dtype, rng)) for dtype in (("float32", "float16") if exact else ())
    )
    return DecoderSummary(decoder.name, messages, worst, _median(values), where, complete, exact, largest, errors)


def _sample(n: int, s: int, rng: np.random.Generator) -> list[Set]:
    """Return contiguous straggler sets and a random choice of others."""
    contiguous = [tuple(sorted((i + k) % n for k in range(s))) for i in range(n)]
    drawn = [tuple(sorted(map(int, rng.choice(n, s, replace=False)))) for _ in range(_SETS)]
    return list(dict.fromkeys(contiguous + drawn))


def _straggler_sets(
    code: GradientCode, decoder: Decoder, s: int, sample: Sequence[Set]
) -> tuple[list[tuple[Set, int]], bool]:
    """Return straggler sets with how many each stands for, and whether these are all.

    All sets up to the symmetries of the code where they are few, the sample otherwise.
    """
    group = code.symmetry_group if getattr(decoder, "equivariant", False) else TRIVIAL
    if comb(code.n, s) > _ORBIT_SETS or orbit_count(code.n, s, group) > _SETS:
        return [(lost, 1) for lost in sample], False
    found: list[tuple[Set, int]] = []
    for rows, sizes in orbit_representatives(code.n, s, group):
        found += [(tuple(map(int, row)), int(size)) for row, size in zip(rows, sizes, strict=True)]
    return found, True


def _median(values: Sequence[tuple[float, int]]) -> float:
    """Return the median of values that stand for several each."""
    half = sum(count for _, count in values) / 2
    for value, count in sorted(values):
        half -= count
        if half <= 0:
            return value
    raise ValueError("values must not be empty")


def _size(value: Any) -> float:
    return abs(value) if isinstance(value, complex) else float(approximate(value))


def _sums(coefficients: Any) -> bool:
    array = np.asarray(coefficients)
    if array.dtype == object:
        return bool(np.all(array == 1))
    return bool(np.max(np.abs(array - 1)) < 1e-6)


def _recommended(trials: Sequence[DecoderSummary]) -> str:
    usable = [trial for trial in trials if trial.worst is not None]
    exact = sorted((t for t in usable if t.exact), key=lambda t: (_size(t.worst), t.messages == "coded"))
    relaxed = next((t for t in usable if t.name == RelaxedDecoder().name), None)
    tried = "every set" if all(t.complete for t in usable) else "every set that was tried"
    if exact and (_size(exact[0].worst) <= _HUGE_AMPLIFICATION or relaxed is None):
        best = exact[0]
        return f"{best.name} on {best.messages}: exact in {tried}, amplification {_size(best.worst):.4g}"
    if relaxed is not None:
        why = f"exact decoding amplifies {_size(exact[0].worst):.4g}-fold" if exact else "no decoder is exact"
        return f"{relaxed.name} on plain sums: {why}, relaxed decoding {_size(relaxed.worst):.4g}-fold"
    # none is nearer to the sum than least squares
    for nearest in (t for t in usable if t.name == LeastSquaresDecoder().name and _size(t.worst) > 0):
        return f"{nearest.name} on plain sums: no decoder is exact, amplification {_size(nearest.worst):.4g}"
    return "none: no decoder applies to every straggler set"
