"""Where a claim comes from, and whether its wording was read there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Source", "Wording", "derived", "published"]

Wording = Literal["seen", "recalled", "derived"]


@dataclass(frozen=True)
class Source:
    """The origin of a claim; made by `published` or `derived`."""

    text: str
    wording: Wording
    arxiv: str | None = None
    doi: str | None = None
    place: str | None = None

    def __str__(self) -> str:
        parts = [self.text, self.place, self.arxiv and f"arXiv:{self.arxiv}", self.doi and f"doi:{self.doi}"]
        return ", ".join(part for part in parts if part)


def published(
    reference: str,
    *,
    wording: Literal["seen", "recalled"],
    arxiv: str | None = None,
    doi: str | None = None,
    place: str | None = None,
) -> Source:
    """Name a publication.

    Parameters
    ----------
    reference : str
        Authors and year.
    wording : {"seen", "recalled"}
        ``seen`` if the statement was read in the source; ``recalled`` if it was not read again: compare with the paper.
    arxiv, doi : str, optional
    place : str, optional
        Such as ``"Theorem 2"``.

    Examples
    --------
    >>> print(published("Jahani-Nezhad & Maddah-Ali 2023", arxiv="2009.08327", wording="recalled"))
    Jahani-Nezhad & Maddah-Ali 2023, arXiv:2009.08327
    """
    if wording not in ("seen", "recalled"):
        raise ValueError(f"wording must be 'seen' or 'recalled', received {wording!r}")
    return Source(_text("reference", reference), wording, arxiv, doi, place)


def derived(argument: str, *, arxiv: str | None = None, doi: str | None = None, place: str | None = None) -> Source:
    """Give a short proof, or a reference to one, for a claim that no source states in this form.

    Examples
    --------
    >>> derived("the cardinal functions sum to the interpolant of 1").wording
    'derived'
    """
    return Source(_text("argument", argument), "derived", arxiv, doi, place)


def _text(name: str, value: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} must be a non-empty string, received {value!r}")
    return value.strip()
