"""Claims: statements with a source, a domain and a body, checked to verdicts that say how they are known."""

from codedtheory.claims.catalogue import ClaimsFileError
from codedtheory.claims.claim import Claim, claim
from codedtheory.claims.comparison import (
    Comparison,
    Outcome,
    at_least,
    at_most,
    close,
    equal,
    greater_than,
    less_than,
    not_equal,
)
from codedtheory.claims.domain import Samples, Sweep, samples, sweep
from codedtheory.claims.evidence import Coverage, Evidence, evidence_of
from codedtheory.claims.measured import Measured
from codedtheory.claims.runner import check
from codedtheory.claims.selection import find, select
from codedtheory.claims.source import Source, derived, published
from codedtheory.claims.statistical import SampleMean
from codedtheory.claims.verdict import Verdict, Verdicts

__all__ = [
    "Claim",
    "ClaimsFileError",
    "Comparison",
    "Coverage",
    "Evidence",
    "Measured",
    "Outcome",
    "SampleMean",
    "Samples",
    "Source",
    "Sweep",
    "Verdict",
    "Verdicts",
    "at_least",
    "at_most",
    "check",
    "claim",
    "close",
    "derived",
    "equal",
    "evidence_of",
    "find",
    "greater_than",
    "less_than",
    "not_equal",
    "published",
    "samples",
    "select",
    "sweep",
]
