"""FLINT's precision, set for the length of a block."""

from __future__ import annotations

from types import TracebackType

import flint

__all__ = ["precision"]


class precision:  # noqa: N801 - reads as a keyword: `with precision(128):`
    """Compute at `bits` inside the block and restore what was set before, whatever happens.

    The precision is process-wide, so a block must not contain a ``yield``.

    Parameters
    ----------
    bits : int
        Precision of the block.

    Examples
    --------
    >>> before = int(flint.ctx.prec)
    >>> with precision(321):
    ...     int(flint.ctx.prec)
    321
    >>> int(flint.ctx.prec) == before
    True
    """

    __slots__ = ("bits", "saved")

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __enter__(self) -> None:
        self.saved = flint.ctx.prec
        flint.ctx.prec = self.bits

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        flint.ctx.prec = self.saved
