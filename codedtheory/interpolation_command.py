"""The command ``codedtheory interpolation``: what stragglers do to interpolation in given nodes."""

from __future__ import annotations

import json
import math
import re
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from codedtheory.arithmetic import decimal_interval
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
_LONG = 1_000_000
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
    bits: Annotated[int, typer.Option("--bits", min=32, help="Precision of the enclosures.")] = 128,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most survivor sets to enumerate.")] = 20_000_000,
    format: Annotated[_Format, typer.Option("--format", help="How to print.")] = _Format.table,
) -> None:
    """Lebesgue constants, worst stragglers, node geometry, bounds with their slack, and condition numbers."""
    chosen, rule = _nodes(nodes, count, nodes_file, column), _weights(weights)
    _forecast(len(chosen), stragglers, limit)
    summary = summarize(chosen, rule, stragglers, bits if certified else None, limit)
    text = json.dumps(_record(summary), indent=2, ensure_ascii=False) if format is _Format.json else _table(summary)
    sys.stdout.write(f"{text}\n")


def _nodes(family: str | None, count: int | None, path: Path | None, column: str | None) -> Nodes:
    if path is not None:
        if family is not None or count is not None:
            raise ValueError("--nodes-file replaces --nodes and --count; give one or the other")
        if not path.is_file():
            raise ValueError(f"--nodes-file {path}: there is no such file")
        return read_nodes(path, int(column) if column is not None and column.isdigit() else column)
    if family not in _FAMILIES:
        raise ValueError(f"--nodes must be one of {', '.join(_FAMILIES)}, got {family!r}; or give --nodes-file")
    if count is None:
        raise ValueError("--count is missing: how many nodes?")
    return _FAMILIES[family](count)


def _weights(text: str) -> str | int:
    if text in ("berrut", "berrut-half", "lagrange"):
        return text
    if text.isdigit():
        return int(text)
    raise ValueError(f"--weights must be {_WEIGHTS}, got {text!r}")


def _forecast(count: int, stragglers: int, limit: int) -> None:
    """Tell before a long enumeration how long it is, or refuse it."""
    if not 0 <= stragglers < count:
        return  # refused with its own message
    sets = math.comb(count, stragglers)
    if sets > limit:
        raise ValueError(
            f"--stragglers {stragglers} of {count} nodes make {sets} survivor sets, more than --limit {limit}; "
            "raise the limit or lose fewer nodes"
        )
    if sets > _LONG:
        sample = min(stragglers, 4), min(count, 20)
        began = time.perf_counter()
        worst_lebesgue_constant(sample[1], sample[0])
        gaps = (count - stragglers) ** 2 / (sample[1] - sample[0]) ** 2
        needed = (time.perf_counter() - began) * gaps * sets / math.comb(sample[1], sample[0])
        sys.stderr.write(f"{sets} survivor sets to search, about {max(1, round(needed / 60))} min\n")


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
    record: dict[str, Any] = {"value": quantity.value}
    if quantity.enclosure is not None:
        record["lower"], record["upper"] = decimal_interval(quantity.enclosure, 40)
    return record


def _table(summary: InterpolationSummary) -> str:
    missing = f", any {len(summary.stragglers)} missing" if summary.stragglers else ""
    lines = [f"{summary.nodes.describe()}; weights {summary.weights}{missing}", ""]
    lines += _rows([summary.lebesgue])
    if summary.stragglers:
        lines += _rows([summary.worst_lebesgue])
        lines += [f"  worst stragglers: {', '.join(map(str, summary.stragglers))}"]
    whose = " of the worst survivors" if summary.stragglers else ""
    lines += ["", f"geometry{whose}", *_rows(summary.geometry)]
    if summary.bounds:
        lines += ["", f"bounds of the Lebesgue constant{whose}", f"  {'':58}{'bound':>12}{'/ constant':>12}"]
        for bound in summary.bounds:
            slack = f"{bound.slack.value:12.4g}" if bound.slack else ""
            source = bound.source.split(",")[0]
            lines.append(f"  {bound.kind:11}{bound.name[:46]:47}{bound.value:12.6g}{slack}  {source}"[:_WIDTH])
    if summary.conditions:
        lines += ["", f"conditioning{whose}", *_rows(summary.conditions)]
    return "\n".join(line.rstrip() for line in lines)


def _rows(quantities: Any) -> list[str]:
    rows = []
    for q in quantities:
        certified = ""
        if q.enclosure is not None:
            lower, upper = decimal_interval(q.enclosure, 16)
            certified = f"  in [{lower}, {upper}]" if lower != upper else f"  = {lower}"
        rows.append(f"  {q.name:40}{q.value:<13.8g}{certified}")
    return rows
