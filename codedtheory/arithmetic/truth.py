"""Three-valued truth: what a comparison of enclosures answers when they overlap."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["PrecisionError", "Undecided"]


class PrecisionError(ValueError):
    """A question could not be decided, or a value not certified, at the precision that was allowed.

    Parameters
    ----------
    message : str
        What stayed open and which knob to turn.
    enclosure : object, optional
        The best enclosure that was reached, or ``None``.
    """

    def __init__(self, message: str, enclosure: object = None) -> None:
        super().__init__(message)
        self.enclosure = enclosure

    def __reduce__(self) -> tuple[type[PrecisionError], tuple[str, object]]:
        return PrecisionError, (str(self), self.enclosure)


class Undecided:
    """The answer to a comparison that the enclosures at hand leave open.

    It has no truth value: ``bool()`` raises `PrecisionError`, so that an ``if`` can't take silence for
    an answer. Test for it with ``isinstance(answer, Undecided)``.

    Parameters
    ----------
    question : str
        The comparison, for the error message.

    Examples
    --------
    >>> from codedtheory.arithmetic import Ball, Undecided
    >>> answer = Ball.between("0", "2", bits=53) < Ball.between("1", "3", bits=53)
    >>> isinstance(answer, Undecided)
    True
    >>> bool(answer)
    Traceback (most recent call last):
        ...
    codedtheory.arithmetic.truth.PrecisionError: undecided: [1.00 +/- 1.01] < ...
    """

    __slots__ = ("question",)
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> Any:
        return Undecided(f"({self.question}) == {other!r}")

    def __ne__(self, other: object) -> Any:
        return Undecided(f"({self.question}) != {other!r}")

    def __init__(self, question: str) -> None:
        self.question = question

    def __bool__(self) -> NoReturn:
        raise PrecisionError(f"undecided: {self.question}; raise the precision (ball bits) or compare exact numbers")

    def __repr__(self) -> str:
        return f"Undecided({self.question!r})"

    def __reduce__(self) -> tuple[type[Undecided], tuple[str]]:
        return Undecided, (self.question,)
