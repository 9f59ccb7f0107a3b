"""Durations in words."""

from __future__ import annotations

__all__ = ["duration_text"]


def duration_text(seconds: float) -> str:
    """Return a duration in words.

    Examples
    --------
    >>> duration_text(5), duration_text(200), duration_text(9000), duration_text(4e5), duration_text(1e11)
    ('5 s', '3 min', '2.5 h', '5 days', '3.2e+03 years')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    days = seconds / 86400
    if days < 3:
        return f"{seconds / 3600:.1f} h"
    return f"{days:.0f} days" if days < 1000 else f"{days / 365:.2g} years"
