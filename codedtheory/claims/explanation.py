"""One claim in full: what it states, where it comes from, what is walked, and what was found."""

from __future__ import annotations

import re
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
        facts.append((effort, f"{scope} ({count})" if scope else f"{count} instance{'s' * (count != 1)}"))
    facts.append(("verdict", verdict.summary))
    facts += [(name, text) for name, _, text in (line.partition(": ") for line in described(verdict))]
    lines = [textwrap.fill(f"{claim.id}: {claim.title}", width, subsequent_indent="  ", break_on_hyphens=False)]
    for name, text in facts:
        if text:
            wrapper = _Mathematics if name == "states" else textwrap.TextWrapper
            layout = wrapper(width, initial_indent="  ", subsequent_indent=" " * 18, break_on_hyphens=False)
            lines.append(layout.fill(f"{name + ':':15} {text}"))
    return "\n".join(lines)


class _Mathematics(textwrap.TextWrapper):
    """Wraps LaTeX also before a command, where a new line changes nothing, and never within one."""

    wordsep_simple_re = re.compile(r"(\s+|(?=\\[A-Za-z]))")
