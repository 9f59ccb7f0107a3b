"""The command ``codedtheory code``: what stragglers do to a gradient code, built in or from a file."""

from __future__ import annotations

import json
import math
import sys
import textwrap
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from codedtheory.arithmetic import LowerBound, approximate
from codedtheory.coding import (
    CodeSummary,
    DecoderSummary,
    GradientCode,
    Tolerance,
    WorstError,
    bernoulli_code,
    cyclic_mds,
    cyclic_repetition,
    expander_code,
    forecast_decoding_error,
    fractional_repetition,
    generalised_repetition,
    plain_cyclic,
    polynomial_cyclic,
    read_code,
    summarize_code,
)
from codedtheory.durations import duration_text

__all__ = ["app"]

_WIDTH = 100
_LONG = 100_000
_WORTH_A_FORECAST = 20.0
_VARIANTS = ("gaussian", "orthonormal", "rational", "dyadic")
_Make = Callable[[int, int, np.random.Generator], GradientCode]
_FIXED: dict[str, _Make] = {
    "fractional-repetition": lambda n, s, _: fractional_repetition(n, s),
    "generalised-repetition": lambda n, s, _: generalised_repetition(n, s),
    "plain-cyclic": lambda n, s, _: plain_cyclic(n, s),
    "polynomial-cyclic": lambda n, s, _: polynomial_cyclic(range(n), s),
    "cyclic-mds": lambda n, s, _: cyclic_mds(n, s),
    "cyclic-mds-best": lambda n, s, _: cyclic_mds(n, s, "best"),
}
_RANDOM: dict[str, _Make] = {
    "cyclic-repetition": lambda n, s, rng: cyclic_repetition(n, s, rng),
    "bernoulli": lambda n, s, rng: bernoulli_code(n, (s + 1) / n, rng),
    "expander": lambda n, s, rng: _random_regular(n, s + 1, rng),
}
_CONSTRUCTIONS = {**_FIXED, **_RANDOM}


class _Format(StrEnum):
    table = "table"
    json = "json"


app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command(short_help="What stragglers do to a gradient code.")
def code(
    matrix: Annotated[
        Path | None, typer.Argument(help="Encoding matrix: .npy, .npz, .csv of numbers or fractions, or .mtx.")
    ] = None,
    construction: Annotated[
        str | None, typer.Option("--construction", help=f"Built-in code instead: {', '.join(_CONSTRUCTIONS)}.")
    ] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Workers of a built-in code.")] = None,
    stragglers: Annotated[int | None, typer.Option("--stragglers", help="How many workers may straggle.")] = None,
    variant: Annotated[
        str | None,
        typer.Option("--variant", help=f"Parity matrix of cyclic-repetition: {', '.join(_VARIANTS)} [gaussian]."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of everything random.")] = 0,
    redraws: Annotated[int, typer.Option("--redraws", min=0, help="Other draws of a random code, for quantiles.")] = 20,
    as_they_are: Annotated[
        bool, typer.Option("--exactly", help="Take doubles exactly as they are, so that a proof is possible.")
    ] = False,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Most straggler sets to go through; beyond it, a local search.")
    ] = 5_000_000,
    format: Annotated[_Format, typer.Option("--format", help="How to print.")] = _Format.table,
) -> None:
    """Tolerated stragglers, load, amplification by decoder, message errors and a recommendation."""
    if stragglers is None:
        raise ValueError("--stragglers is missing: how many workers may straggle?")
    made, redraw = _code(matrix, construction, workers, stragglers, variant, seed)
    chosen = made.exactly() if as_they_are else made
    _forecast(chosen, stragglers, limit)
    rng = np.random.default_rng([seed, 1])
    summary = summarize_code(chosen, stragglers, rng, redraw if redraws else None, max(redraws, 1), limit)
    text = json.dumps(_record(summary), indent=2, ensure_ascii=False) if format is _Format.json else _table(summary)
    sys.stdout.write(f"{text}\n")


def _code(
    path: Path | None, construction: str | None, workers: int | None, stragglers: int, variant: str | None, seed: int
) -> tuple[GradientCode, Callable[[np.random.Generator], GradientCode] | None]:
    if variant is not None and construction != "cyclic-repetition":
        raise ValueError(f"--variant {variant} is for --construction cyclic-repetition; leave it away")
    if path is not None:
        if construction is not None or workers is not None:
            raise ValueError("a matrix file replaces --construction and --workers; give one or the other")
        if not path.is_file():
            raise ValueError(f"{path}: there is no such file")
        return read_code(path), None
    if construction not in _CONSTRUCTIONS:
        raise ValueError(
            f"--construction must be one of {', '.join(_CONSTRUCTIONS)}, got {construction!r}; or give a matrix file"
        )
    if workers is None:
        raise ValueError("--workers is missing: how many workers?")
    make = _CONSTRUCTIONS[construction]
    if construction == "cyclic-repetition":
        make = lambda n, s, rng: cyclic_repetition(n, s, rng, variant or "gaussian")  # type: ignore[arg-type]  # noqa: E731
    rng = np.random.default_rng(seed)
    again = (lambda child: make(workers, stragglers, child)) if construction in _RANDOM else None
    return make(workers, stragglers, rng), again


def _random_regular(n: int, degree: int, rng: np.random.Generator) -> GradientCode:
    import networkx

    if n * degree % 2 or not 0 < degree < n:
        raise ValueError(
            f"there is no {degree}-regular graph on {n} vertices; a worker of the expander code holds s + 1 = {degree} "
            "partitions, and their product with the workers must be even"
        )
    return expander_code(networkx.random_regular_graph(degree, n, seed=int(rng.integers(2**31))))


def _forecast(code: GradientCode, stragglers: int, limit: int) -> None:
    if not 0 <= stragglers < code.n:
        return  # refused with its own message
    sets = math.comb(code.n, stragglers)
    if sets > limit:
        sys.stderr.write(
            f"{sets} straggler sets are more than --limit {limit}: the largest decoding error will be a lower bound by "
            "local search\n"
        )
    elif sets > _LONG:
        plan = forecast_decoding_error(code, stragglers, limit)
        if plan.seconds < _WORTH_A_FORECAST:
            return
        sys.stderr.write(
            f"{plan.sets} straggler sets, {plan.instances} up to symmetry; unless they are all tolerated, their errors "
            f"take about {duration_text(plan.seconds)}; --limit {plan.sets - 1} gives a lower bound by local search "
            "instead\n"
        )


def _record(summary: CodeSummary) -> dict[str, Any]:
    return {
        "code": summary.code.name,
        "workers": summary.code.n,
        "arithmetic": repr(summary.code.arithmetic),
        "load": str(summary.code.load),
        "stragglers": summary.stragglers,
        "tolerance": None if summary.tolerance is None else _tolerance_record(summary.tolerance),
        "decoders": [_decoder_record(decoder) for decoder in summary.decoders],
        "worst_decoding_error": None if summary.error is None else _error_record(summary.error),
        "amplification_over_seeds": list(summary.seeds),
        "recommended": summary.recommended,
    }


def _tolerance_record(tolerance: Tolerance) -> dict[str, Any]:
    return {
        "holds": tolerance.holds,
        "evidence": "numeric" if tolerance.holds is None else "exact",
        "sets": tolerance.sets,
        "examined": tolerance.examined,
        "method": tolerance.method,
        "violating": tolerance.violating,
        "worst_residual": tolerance.worst_residual,
        "worst_set": tolerance.worst_set,
    }


def _decoder_record(decoder: DecoderSummary) -> dict[str, Any]:
    return {
        "name": decoder.name,
        "messages": decoder.messages,
        "worst_amplification": _text(decoder.worst),
        "typical_amplification": decoder.typical,
        "stragglers": decoder.stragglers,
        "all_sets": decoder.complete,
        "exact": decoder.exact,
        "largest_coefficient": _text(decoder.largest_coefficient),
        "message_errors": dict(decoder.errors),
        "refusal": decoder.refusal,
    }


def _error_record(error: WorstError) -> dict[str, Any]:
    return {
        "value": _text(error.value),
        "lower_bound_only": isinstance(error.value, LowerBound),
        "stragglers": error.stragglers,
        "sets": error.sets,
        "method": error.method,
    }


def _text(value: Any) -> Any:
    inner = value.value if isinstance(value, LowerBound) else value
    if inner is None or isinstance(inner, float):
        return inner
    return str(inner)


def _table(summary: CodeSummary) -> str:
    code, s = summary.code, summary.stragglers
    lines = [f"{code!r}", "", *_tolerance_lines(summary), ""]
    lines.append(f"amplification when {s} of {code.n} workers straggle{'s' * (s == 1)}")
    lines.append(f"  {'decoder':23}{'messages':12}{'worst':>14}{'typical':>10}  {'sum':8}{'float32':>9}{'float16':>9}")
    notes: list[str] = []
    lines += [_decoder_line(decoder, notes) for decoder in summary.decoders]
    for number, note in enumerate(notes, 1):
        lines += textwrap.wrap(note, _WIDTH, initial_indent=f"  ({number}) ", subsequent_indent="      ")
    if any(decoder.errors for decoder in summary.decoders):
        lines.append("  float32, float16: relative error of the sum at the worst set if messages have that precision")
    if not all(decoder.complete for decoder in summary.decoders):
        lines.append("  ≥: over contiguous and random straggler sets only")
    if summary.seeds:
        quantiles = np.quantile(summary.seeds, [0, 0.25, 0.5, 0.75, 1])
        lines += ["", f"worst amplification of exact decoding over {len(summary.seeds)} other draws"]
        least, *quartiles, largest = (f"{quantile:.3g}" for quantile in quantiles)
        lines.append(f"  least {least}, quartiles {' / '.join(quartiles)}, largest {largest}")
    lines += ["", _error_line(summary), "", f"recommended: {summary.recommended}"]
    return "\n".join(line.rstrip() for line in lines)


def _tolerance_lines(summary: CodeSummary) -> list[str]:
    found, s = summary.tolerance, summary.stragglers
    load = f"each worker holds at most {summary.code.load} of the data"
    any_set = f"any {s} straggler{'s' * (s != 1)}"
    if found is None:
        return [f"{any_set}: not decided, more straggler sets than --limit", load]
    if found.holds is None:
        residual = f"worst residual of exact decoding {found.worst_residual:.1e} at {_set(found.worst_set or ())}"
        return [
            f"{any_set}: not proved, the entries are floats; --exactly takes them as they are",
            residual,
            load,
        ]
    if found.holds:
        return [f"{any_set}: tolerated, proved over all {found.sets} sets", load]
    return [f"{any_set}: not tolerated, {_set(found.violating or ())} can't be done without", load]


def _error_line(summary: CodeSummary) -> str:
    error = summary.error
    if error is None:
        return "largest least-squares error |alpha - 1|^2: 0"
    bounded = isinstance(error.value, LowerBound)
    number = error.value.value if bounded else error.value
    text = f"{'at least ' if bounded else ''}{_short(number)} at {_set(error.stragglers)}"
    return f"largest least-squares error |alpha - 1|^2: {text}{'' if summary.code.is_exact else ' (numeric)'}"


def _decoder_line(decoder: DecoderSummary, notes: list[str]) -> str:
    head = f"  {decoder.name:23}{decoder.messages:12}"
    if decoder.refusal:
        if decoder.refusal not in notes:
            notes.append(decoder.refusal)
        return f"{head}{'does not apply':>14} ({notes.index(decoder.refusal) + 1})"
    worst = ("" if decoder.complete else "≥ ") + _short(decoder.worst)
    errors = "".join(f"{error:9.1e}" for _, error in decoder.errors)
    kind = "exact" if decoder.exact else "relaxed"
    return f"{head}{worst:>14}{decoder.typical:10.4g}  {kind:8}{errors}"


def _short(value: Any) -> str:
    text = str(value)
    return text if not isinstance(value, float) and len(text) <= 12 else f"{approximate(value):.6g}"


def _set(workers: tuple[int, ...]) -> str:
    return "{" + ", ".join(map(str, workers)) + "}"
