"""Sample means with a stated confidence interval."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

__all__ = ["SampleMean"]


@dataclass(frozen=True)
class SampleMean:
    """A mean over random samples that lies within ``half_width`` of the true one, but for ``error_probability``.

    Parameters
    ----------
    mean : float
        Mean of the samples.
    half_width : float
        Half of the confidence interval's width.
    error_probability : float
        Probability, over the samples, that the true mean lies outside the interval.
    count : int
        Number of samples.

    Examples
    --------
    >>> SampleMean.bounded([0.0, 1.0] * 500, low=0.0, high=1.0, error_probability=1e-9)
    SampleMean(mean=0.5, half_width=0.1034..., error_probability=1e-09, count=1000)
    """

    mean: float
    half_width: float
    error_probability: float
    count: int

    def __post_init__(self) -> None:
        if self.half_width < 0:
            raise ValueError(f"half_width must be at least 0, received {self.half_width!r}")
        if not 0 < self.error_probability < 1:
            raise ValueError(
                f"error_probability must lie strictly between 0 and 1, received {self.error_probability!r}"
            )
        if self.count < 1:
            raise ValueError(f"count must be at least 1, received {self.count!r}")

    @classmethod
    def bounded(cls, values: Iterable[float], low: float, high: float, error_probability: float = 1e-9) -> SampleMean:
        r"""Return the mean of independent samples that lie in [low, high], with Hoeffding's interval.

        The half width is :math:`(b-a)\sqrt{\ln(2/\delta)/(2n)}` (Hoeffding 1963, Theorem 2, for both sides).
        """
        array = np.asarray(list(values), dtype=float)
        if array.size == 0:
            raise ValueError("values must hold at least one sample, received none")
        if not bool(np.all((array >= low) & (array <= high))):
            raise ValueError(f"every sample must lie in [{low}, {high}]; state the range that bounds them")
        half_width = (high - low) * math.sqrt(math.log(2 / error_probability) / (2 * array.size))
        return cls(float(array.mean()), half_width, error_probability, int(array.size))

    @classmethod
    def tailed(
        cls, values: Iterable[float], low: float, high: float, excess: float, error_probability: float = 1e-9
    ) -> SampleMean:
        r"""Return the mean of independent samples of one law that are at least low, but not bounded above.

        What lies above ``high`` is cut off: of the rest the law's mean lies within

        .. math:: \sqrt{2V\ln(4/\delta)/n} + 7(b-a)\ln(4/\delta)/(3(n-1))

        of the samples' mean, V their variance (Maurer & Pontil 2009, Theorem 4, for both sides), and what was cut off
        adds at most ``excess``.

        Parameters
        ----------
        values : iterable of float
            At least two samples.
        low : float
            No sample is smaller.
        high : float
            Where samples are cut off.
        excess : float
            A bound of the mean of :math:`\max(X-b, 0)` under the law of the samples.
        error_probability : float

        Examples
        --------
        The mean of Exp(1) is 1, and above 8 it exceeds 8 by exp(-8) on average:

        >>> import numpy as np
        >>> delays = np.random.default_rng(1).exponential(size=10_000)
        >>> print(SampleMean.tailed(delays, low=0, high=8, excess=0.00034))
        1.00091 ± 0.11 (10000 samples)
        """
        array = np.asarray(list(values), dtype=float)
        if array.size < 2:
            raise ValueError(f"values must hold at least two samples, received {array.size}")
        if not low < high:
            raise ValueError(f"high must be larger than low = {low!r}, received {high!r}")
        if not excess >= 0:
            raise ValueError(f"excess must be at least 0, received {excess!r}")
        if not bool(np.all((array >= low) & np.isfinite(array))):
            raise ValueError(f"every sample must be finite and at least low = {low}")
        kept = np.minimum(array, high)
        confidence = math.log(4 / error_probability)
        half_width = math.sqrt(2 * float(kept.var(ddof=1)) * confidence / kept.size)
        half_width += 7 * (high - low) * confidence / (3 * (kept.size - 1))
        return cls(float(kept.mean()) + excess / 2, half_width + excess / 2, error_probability, int(kept.size))

    def __str__(self) -> str:
        return f"{self.mean:.6g} ± {self.half_width:.2g} ({self.count} samples)"
