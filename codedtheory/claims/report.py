"""Verdicts as text: a table of at most 100 columns, and one verdict in full."""

from __future__ import annotations

import io
import textwrap
from collections import Counter
from collections.abc import Sequence

from codedtheory.claims.verdict import Verdict

__all__ = ["WIDTH", "described", "footer", "table_text", "verdict_text"]

WIDTH = 100

_OUTCOMES = {
    ("holds", True): "as expected hold",
    ("fails", True): "as expected fail",
    ("holds", False): "unexpectedly hold",
    ("fails", False): "unexpectedly fail",
    ("undecided", False): "undecided",
    ("unfinished", False): "unfinished",
    ("error", False): "in error",
}


def table_text(verdicts: Sequence[Verdict], *, width: int = WIDTH, color: bool = False) -> str:
    """Return a table of verdicts, with what is unexpected explained below it and a summary at the end.

    Claims that an interrupt left unfinished are rows and a number in the summary, without an explanation.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("claim", overflow="fold", min_width=12, max_width=32)
    table.add_column("result", overflow="fold")
    table.add_column("tightness", justify="right", no_wrap=True)
    for verdict in verdicts:
        style = "bold red" if not verdict.as_expected else ""
        tightness = "" if verdict.tightness is None else f"{verdict.tightness:.4g}"
        if verdict.tightness is not None and (float(tightness) < 1) != (verdict.tightness < 1):
            tightness = repr(verdict.tightness)
        table.add_row(Text(verdict.id, style), Text(_result(verdict), style), Text(tightness, style))
    buffer = io.StringIO()
    console = Console(
        file=buffer, width=width, force_terminal=color, color_system="standard" if color else None, highlight=False
    )
    if verdicts:
        console.print(table)
    rows = "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())
    explained = (verdict for verdict in verdicts if not verdict.as_expected and _outcome(verdict) != "unfinished")
    unexpected = [_explained(verdict, width) for verdict in explained]
    return "\n\n".join(part for part in (rows, *unexpected, _wrapped(footer(verdicts), width)) if part)


def footer(verdicts: Sequence[Verdict]) -> str:
    """Return the counts of a run in one line."""
    counts: Counter[tuple[str, bool]] = Counter((_outcome(verdict), verdict.as_expected) for verdict in verdicts)
    parts = [f"{counts[outcome]} {words}" for outcome, words in _OUTCOMES.items() if counts[outcome]]
    claims = "1 claim" if len(verdicts) == 1 else f"{len(verdicts)} claims"
    seconds = sum(verdict.seconds for verdict in verdicts)
    return f"{claims}: {', '.join(parts) or 'nothing checked'}; {seconds:.1f} s of computing"


def verdict_text(verdict: Verdict) -> str:
    """Return one verdict in a few lines."""
    lines = [f"{verdict.id}: {_result(verdict)}", *described(verdict)]
    return "\n".join(lines)


def described(verdict: Verdict) -> list[str]:
    """Return what is worth knowing about a verdict, one fact a line."""
    lines = []
    if verdict.tightness is not None and verdict.worst is not None:
        worst = _assignment(verdict.worst)
        lines.append(f"tightness: {verdict.tightness!r}" + (f" at {worst}" if worst else ""))
    if verdict.counterexample is not None:
        smallest = _assignment(verdict.counterexample) or "the only instance"
        lines.append(f"counterexample: {smallest} (confirmed: recomputed alone, it fails again)")
    if verdict.detail:
        lines.append(f"detail: {verdict.detail}")
    if verdict.hypotheses:
        lines.append(f"hypotheses: {verdict.hypotheses}")
    if verdict.corrected_by:
        lines.append(f"corrected by: {verdict.corrected_by}")
    lines.append(f"reproduce: {verdict.reproduce}")
    return lines


def _outcome(verdict: Verdict) -> str:
    unfinished = verdict.verdict == "undecided" and verdict.instances < verdict.total
    return "unfinished" if unfinished else verdict.verdict


def _result(verdict: Verdict) -> str:
    as_told = verdict.as_expected or _outcome(verdict) == "unfinished"
    return verdict.summary if as_told else f"{verdict.summary} ← expected {verdict.expected}"


def _explained(verdict: Verdict, width: int) -> str:
    heading = f"{verdict.id}: {verdict.verdict}, expected {verdict.expected}"
    return "\n".join([_wrapped(heading, width), *(_wrapped(line, width, "  ") for line in described(verdict))])


def _assignment(parameters: dict[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in parameters.items())


def _wrapped(text: str, width: int, indent: str = "") -> str:
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
