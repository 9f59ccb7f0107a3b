"""What a set of surviving workers lets the decoder of Berrut's code recover."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["BerrutRecovery"]


@dataclass(frozen=True, slots=True)
class BerrutRecovery:
    """What a decoder can do with n+1 survivors.

    Parity is a property of n, the number of gaps between survivors, whatever the number of workers.

    Parameters
    ----------
    n : int
        Number of survivors minus 1.
    blending : None, int or "half-ends"
        The weights that are used: Berrut's, Floater and Hormann's of this degree (at most n), or
        Berrut's with halved ends.
    extrapolated : tuple of int
        Data blocks whose points lie outside the hull of the survivors; error bounds for the hull do
        not hold there.
    direct : tuple of (int, int)
        Pairs (data block, worker) with one point: these blocks are decoded exactly, whatever the function.

    Examples
    --------
    >>> recovery = BerrutRecovery(n=3, blending=None, extrapolated=(), direct=((1, 2),))
    >>> recovery.parity, recovery.reproduced_degree
    ('odd', 1)
    >>> print(recovery)
    n = 3 (odd): lines are reproduced; block 1 comes from worker 2
    """

    n: int
    blending: int | str | None
    extrapolated: tuple[int, ...]
    direct: tuple[tuple[int, int], ...]

    @property
    def parity(self) -> Literal["odd", "even"]:
        """Parity of n."""
        return "odd" if self.n % 2 else "even"

    @property
    def reproduced_degree(self) -> int:
        """Degree up to which polynomials in the decoding variable are reproduced for all survivor sets.

        Notes
        -----
        Floater and Hormann's weights of degree d reproduce degree d, and d+1 if n-d is odd; d = 0 are
        Berrut's weights (Floater and Hormann 2007, Numer. Math. 107:315-331). Halved ends reproduce
        lines for every n of at least 1.
        """
        if self.blending == "half-ends":
            return min(self.n, 1)
        d = self.blending if isinstance(self.blending, int) else 0
        return d + (self.n - d) % 2

    def __str__(self) -> str:
        degree = self.reproduced_degree
        if degree <= 1:
            facts = [f"lines are {'reproduced' if degree else 'not reproduced'}"]
        else:
            facts = [f"polynomials of degree {degree} are reproduced"]
        facts += [f"block {j} comes from worker {i}" for j, i in self.direct]
        facts += [f"block {j} is extrapolated" for j in self.extrapolated]
        return f"n = {self.n} ({self.parity}): {'; '.join(facts)}"
