"""Values that programs log: numbers, which go into lines, and arrays, which do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["sorted_out"]


def sorted_out(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the numbers and the arrays among logged values.

    Raises
    ------
    TypeError, ValueError
        For what a record does not hold, named by its key.

    Examples
    --------
    >>> numbers, arrays = sorted_out({"loss": np.float64(0.5), "model": np.zeros(2)})
    >>> numbers, list(arrays)
    ({'loss': 0.5}, ['model'])
    """
    numbers: dict[str, Any] = {}
    arrays: dict[str, NDArray[Any]] = {}
    for name, value in values.items():
        if type(value) is float or type(value) is bool:
            numbers[name] = value
        elif isinstance(value, np.ndarray):
            if value.dtype.hasobject:
                raise TypeError(f"values[{name!r}] is an array of Python objects; log an array of numbers")
            if isinstance(value, np.ma.MaskedArray):
                raise TypeError(f"values[{name!r}] is a masked array; log its data and its mask")
            arrays[name] = np.asarray(value)
        elif isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                raise ValueError(f"values[{name!r}] is an integer of more than 64 bits; log float({name})")
            numbers[name] = int(value)
        elif isinstance(value, float | np.bool_ | np.integer | np.float32 | np.float16):
            numbers[name] = value.item() if isinstance(value, np.generic) else float(value)
        elif isinstance(value, complex | np.number):
            arrays[name] = np.asarray(value)
        else:
            kind = type(value).__name__
            raise TypeError(f"values[{name!r}] is a {kind}; a record holds numbers and NumPy arrays")
    return numbers, arrays
