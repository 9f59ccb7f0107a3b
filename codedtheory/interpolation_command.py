"""The command ``codedtheory interpolation``: what stragglers do to interpolation in given nodes."""

from __future__ import annotations

import json
import math
import re
import sys
import textwrap
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from codedtheory.arithmetic import decimal_interval
from codedtheory.durations import duration_text
from codedtheory.interpolation import (
    InterpolationSummary,
    Nodes,
    Quantity,
    chebyshev_first,
    chebyshev_second,
    equispaced,
    read_nodes,
    summarize,
    worst_lebesgue_constant,
)

__all__ = ["app"]

_FAMILIES = {"chebyshev1": chebyshev_first, "chebyshev2": chebyshev_second, "equispaced": equispaced}
_WIDTH = 100
_LONG = 50_000_000
_WORTH_A_FORECAST = 20.0
_BITS = 128
_WEIGHTS = "berrut, berrut-half, lagrange, or the degree d of Floater-Hormann weights"


class _Format(StrEnum):
    table = "table"
    json = "json"


app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command(short_help="What stragglers do to interpolation in given nodes.")
def interpolation(
    nodes: Annotated[str | None, typer.Option("--nodes", help=f"Family of nodes: {', '.join(_FAMILIES)}.")] = None,
    count: Annotated[int | None, typer.Option("--count", help="How many nodes of the family.")] = None,
    nodes_file: Annotated[
        Path | None, typer.Option("--nodes-file", help="Read the nodes from a .txt, .csv or .npy file instead.")
    ] = None,
    column: Annotated[str | None, typer.Option("--column", help="Column of the file: its name, or its index.")] = None,
    weights: Annotated[str, typer.Option("--weights", help=f"Barycentric weights: {_WEIGHTS}.")] = "berrut",
    stragglers: Annotated[int, typer.Option("--stragglers", help="How many nodes may be missing.")] = 0,
    certified: Annotated[bool, typer.Option("--certified", help="Add a rigorous enclosure of every number.")] = False,
    bits: Annotated[int | None, typer.Option("--bits", min=32, help="Precision of the enclosures [128].")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most survivor sets to enumerate.")] = 20_000_000,
    format: Annotated[_Format, typer.Option("--format", help="How to print.")] = _Format.table,
) -> None:
    """Lebesgue constants, worst stragglers, node geometry, bounds with their slack, and condition numbers."""
    if bits is not None and not certified:
        raise ValueError(f"--bits {bits} is the precision of enclosures; add --certified")
    chosen, rule = _nodes(nodes, count, nodes_file, column), _weights(weights)
    _check(len(chosen), rule, stragglers)
    _forecast(len(chosen), stragglers, limit)
    try:
        summary = summarize(chosen, rule, stragglers, bits or _BITS if certified else None, limit)
    except ValueError as error:
        raise ValueError(_as_options(str(error))) from error
    text = json.dumps(_record(summary), indent=2, ensure_ascii=False) if format is _Format.json else _table(summary)
    sys.stdout.write(f"{text}\n")


def _nodes(family: str | None, count: int | None, path: Path | None, column: str | None) -> Nodes:
    if path is not None:
        if family is not None or count is not None:
            raise ValueError("--nodes-file replaces --nodes and --count; give one or the other")
        if not path.is_file():
            raise ValueError(f"--nodes-file {path}: there is no such file")
        return read_nodes(path, int(column) if column is not None and column.isdigit() else column)
    if column is not None:
        raise ValueError(f"--column {column} is for --nodes-file; leave it away")
    if family is None:
        raise ValueError(f"--nodes is missing: one of {', '.join(_FAMILIES)}; or give --nodes-file")
    if family not in _FAMILIES:
        raise ValueError(f"--nodes must be one of {', '.join(_FAMILIES)}, got {family!r}; or give --nodes-file")
    if count is None:
        raise ValueError("--count is missing: how many nodes?")
    if count < 2:
        raise ValueError(f"--count must be at least 2, got {count}")
    return _FAMILIES[family](count)


def _weights(text: str) -> str | int:
    if text in ("berrut", "berrut-half", "lagrange"):
        return text
    if text.isdigit():
        return int(text)
    raise ValueError(f"--weights must be {_WEIGHTS}, got {text!r}")


def _check(count: int, rule: str | int, stragglers: int) -> None:
    if count < 2:
        raise ValueError(f"nodes must be at least 2, got {count}; the Lebesgue constant of one node is 1")
    if not 0 <= stragglers <= count - 2:
        raise ValueError(
            f"--stragglers must be from 0 to {count - 2} for {count} nodes, so that 2 survive, got {stragglers}"
        )
    if isinstance(rule, int) and rule > count - stragglers - 1:
        raise ValueError(
            f"--weights must be at most {count - stragglers - 1} for {count - stragglers} surviving nodes, got {rule}"
        )


def _as_options(message: str) -> str:
    """Return a message of the library in the words of the command line."""
    for knob in ("use arithmetic=ball(bits)", "use ball(bits), or .signs and .log_magnitudes", "use ball(bits)"):
        message = message.replace(knob, "add --certified")
    return message.replace("(ball bits)", "(--bits)")


def _forecast(count: int, stragglers: int, limit: int) -> None:
    """Tell before a long enumeration how long it is, or refuse it."""
    sets = math.comb(count, stragglers)
    if sets > limit:
        raise ValueError(
            f"--stragglers {stragglers} of {count} nodes make {sets} survivor sets, more than --limit {limit}; "
            "raise the limit or lose fewer nodes"
        )
    # each gap of each set is searched, at a cost that is proportional to the number of nodes
    if sets * (count - stragglers) ** 2 > _LONG:
        sample = min(stragglers, 4), min(count, 20)
        worst_lebesgue_constant(sample[1], sample[0])
        began = time.perf_counter()
        worst_lebesgue_constant(sample[1], sample[0])
        gaps = (count - stragglers) ** 2 / (sample[1] - sample[0]) ** 2
        needed = (time.perf_counter() - began) * gaps * sets / math.comb(sample[1], sample[0])
        if needed >= _WORTH_A_FORECAST:
            sys.stderr.write(f"{sets} survivor sets to search, about {duration_text(needed)}\n")


def _record(summary: InterpolationSummary) -> dict[str, Any]:
    return {
        "nodes": summary.nodes.describe(),
        "count": len(summary.nodes),
        "weights": summary.weights,
        "lebesgue_constant": _number(summary.lebesgue),
        "worst": {
            "lebesgue_constant": _number(summary.worst_lebesgue),
            "stragglers": list(summary.stragglers),
            "survivors": list(summary.survivors),
        },
        "geometry": {_key(q): _number(q) for q in summary.geometry},
        "bounds": [
            {
                "name": q.name,
                "kind": q.kind,
                **_number(q),
                "slack": _number(q.slack) if q.slack else None,
                "source": q.source,
            }
            for q in summary.bounds
        ],
        "condition_numbers": {_key(q): _number(q) for q in summary.conditions},
    }


def _key(quantity: Quantity) -> str:
    return re.sub("[^a-z0-9]+", "_", quantity.name.lower())


def _number(quantity: Quantity) -> dict[str, Any]:
    # JSON has no infinity for what doubles can't hold
    record: dict[str, Any] = {"value": quantity.value if math.isfinite(quantity.value) else None}
    if quantity.enclosure is not None:
        record["lower"], record["upper"] = decimal_interval(quantity.enclosure, 40)
    return record


def _table(summary: InterpolationSummary) -> str:
    missing = f", any {len(summary.stragglers)} missing" if summary.stragglers else ""
    degree = summary.weights.isdigit()
    weights = f"Floater-Hormann weights, d = {summary.weights}" if degree else f"{summary.weights} weights"
    lines = [f"{summary.nodes.describe()}; {weights}{missing}", ""]
    lines += _rows([summary.lebesgue])
    if summary.stragglers:
        lines += _rows([summary.worst_lebesgue])
        listed = f"worst stragglers: {', '.join(map(str, summary.stragglers))}  (the first node is 0)"
        lines += textwrap.wrap(listed, _WIDTH, initial_indent="  ", subsequent_indent="    ")
    whose = " of the worst survivors" if summary.stragglers else ""
    lines += ["", f"geometry{whose}", *_rows(summary.geometry)]
    if summary.bounds:
        column = 2 + max(len(bound.name) for bound in summary.bounds)
        lines += ["", f"bounds of the Lebesgue constant{whose}", f"  {'':{11 + column}}{'bound':>12}{'/ constant':>12}"]
        for bound in summary.bounds:
            slack = f"{_digits(bound.slack, 4):>12}" if bound.slack else ""
            head = f"  {bound.kind:11}{bound.name:{column}}{_digits(bound, 6):>12}{slack}  "
            lines.append(head + _short(bound.source, _WIDTH - len(head)))
    if summary.conditions:
        lines += ["", f"conditioning{whose}", *_rows(summary.conditions)]
    return "\n".join(line.rstrip() for line in lines)


def _digits(quantity: Quantity, count: int) -> str:
    """Return a number in a few digits, from its enclosure where a double overflows or underflows."""
    if (0 < abs(quantity.value) < math.inf) or quantity.enclosure is None:
        return f"{quantity.value:.{count}g}" if math.isfinite(quantity.value) else ">1.8e308"
    return decimal_interval(quantity.enclosure, count)[1].lower()


def _short(source: str, width: int) -> str:
    """Return the beginning of a source: authors and year, or the first author where there is no room."""
    found = re.match(r"(.*?)\b((?:18|19|20)\d\d)\b", source)
    if found is None:
        return source[:width]
    authors, year = found[1].strip(), found[2]
    first = authors.split(",")[0]
    et_al = first if first == authors else f"{first} et al."
    return next((text for text in (f"{authors} {year}", f"{et_al} {year}") if len(text) <= width), first[:width])


def _rows(quantities: Any) -> list[str]:
    rows = []
    for q in quantities:
        certified = ""
        if q.enclosure is not None:
            lower, upper = decimal_interval(q.enclosure, 16)
            certified = f"  in [{lower}, {upper}]" if lower != upper else f"  = {lower}"
        value = f"{q.value:<14.8g}" if math.isfinite(q.value) else "beyond doubles"
        rows.append(f"  {q.name:26}{value}{certified}")
    return rows
