"""One claim in full: what it states, where it comes from, what is walked, and what was found."""

from __future__ import annotations

import textwrap
from typing import Any

from codedtheory.claims.catalogue import Entry
from codedtheory.claims.claim import Claim
from codedtheory.claims.domain import EFFORTS
from codedtheory.claims.json_report import record
from codedtheory.claims.report import WIDTH, described
from codedtheory.claims.verdict import Verdict

__all__ = ["explanation", "explanation_text"]


def explanation(entry: Entry, verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as a plain object, with the statement and what else explains it."""
    claim = entry.claim
    domain = {effort: {"scope": claim.domain.scope(effort), "instances": claim.count(effort)} for effort in EFFORTS}
    return {
        **record(verdict),
        "statement": claim.statement,
        "hypotheses": verdict.hypotheses,
        "method": claim.method,
        "corrected_by": claim.corrected_by,
        "domain": domain,
    }


def explanation_text(claim: Claim, verdict: Verdict, width: int = WIDTH) -> str:
    """Return the explanation as text of at most ``width`` columns."""
    facts = [
        ("states", claim.statement),
        ("source", f"{claim.source} (wording {claim.source.wording})"),
        ("method", claim.method),
        ("expected", claim.expected),
    ]
    for effort in EFFORTS:
        scope, count = claim.domain.scope(effort), claim.count(effort)
        facts.append((effort, f"{scope} ({count})" if scope else f"{count} instance(s)"))
    facts.append(("verdict", verdict.summary))
    facts += [(name, text) for name, _, text in (line.partition(": ") for line in described(verdict))]
    lines = [f"{claim.id}: {claim.title}"]
    for name, text in facts:
        if text:
            lines.append(
                textwrap.fill(
                    f"{name + ':':15} {text}",
                    width,
                    initial_indent="  ",
                    subsequent_indent=" " * 18,
                    break_on_hyphens=False,
                )
            )
    return "\n".join(lines)
