"""Verdicts as an HTML table, for notebooks and pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from codedtheory.claims.report import described, footer
from codedtheory.claims.verdict import Verdict

__all__ = ["html_table"]

_UNEXPECTED = ' style="color: #b00020; font-weight: bold"'


def html_table(verdicts: Sequence[Verdict]) -> str:
    """Return a table with one row a claim: what it states, what was found, and how."""
    rows = "".join(_row(verdict) for verdict in verdicts)
    head = "".join(f"<th>{name}</th>" for name in ("claim", "statement", "result", "details"))
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
        f"<caption>{escape(footer(verdicts))}</caption></table>"
    )


def _row(verdict: Verdict) -> str:
    result = verdict.summary if verdict.as_expected else f"{verdict.summary} (expected {verdict.expected})"
    style = "" if verdict.as_expected else _UNEXPECTED
    details = "<br>".join(escape(line) for line in described(verdict))
    source = f"{escape(verdict.source)} ({verdict.wording})"
    return (
        f"<tr><td><b>{escape(verdict.id)}</b><br>{escape(verdict.title)}<br><small>{source}</small></td>"
        f"<td>\\({escape(verdict.statement)}\\)</td><td{style}>{escape(result)}</td>"
        f"<td><small>{details}</small></td></tr>"
    )
