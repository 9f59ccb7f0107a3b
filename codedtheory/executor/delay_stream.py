"""Streams of delays: row t of a node depends on seed, node and t only, in whatever order rows are asked for."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from codedtheory.executor.delay_parameters import checked_number

__all__ = ["BLOCK", "UNDISTURBED", "ChainStream", "DelayStream", "LawStream", "Row", "SteadyStream", "SwitchStream"]

Row = tuple[float, float]
FloatArray = NDArray[np.float64]

BLOCK = 1024
"""Rows that are drawn at once: a generator for every row would take most of the time."""

UNDISTURBED: Row = (1.0, 0.0)


class DelayStream(Protocol):
    """What a straggler model gives to one node."""

    def row(self, step: int, /) -> Row:
        """Return ``(slowdown, delay)`` of this step: its computation takes ``slowdown * work + delay`` seconds."""
        ...


class SteadyStream:
    """The same row at every step."""

    __slots__ = ("_row",)

    def __init__(self, row: Row = UNDISTURBED) -> None:
        self._row = row

    def row(self, step: int) -> Row:
        """Return the row of this step."""
        if step < 0:
            checked_number("step", step)
        return self._row


class _BlockStream:
    """Keeps the block that was asked for last; ``key`` is who draws it: a node, or a group of nodes."""

    __slots__ = ("_first", "_key", "_seed")

    def __init__(self, seed: int, key: tuple[int, ...]) -> None:
        self._seed = seed
        self._key = key
        self._first = 0
        self._load(0)

    def _uniforms(self, block: int) -> FloatArray:
        who, *mark = self._key
        sequence = np.random.SeedSequence(entropy=self._seed, spawn_key=(who, block, *mark))
        return np.random.default_rng(sequence).random(BLOCK)

    def _offset_in_new_block(self, step: int) -> int:
        block, offset = divmod(checked_number("step", step), BLOCK)
        self._load(block)
        self._first = block * BLOCK
        return offset

    def _load(self, block: int) -> None:
        raise NotImplementedError


class LawStream(_BlockStream):
    """Independent delays with the given quantile function."""

    __slots__ = ("_delays", "_quantile")

    def __init__(self, quantile: Callable[[FloatArray], FloatArray], seed: int, key: tuple[int, ...]) -> None:
        self._quantile = quantile
        super().__init__(seed, key)

    def row(self, step: int) -> Row:
        """Return the row of this step."""
        offset = step - self._first
        if offset < 0 or offset >= BLOCK:
            offset = self._offset_in_new_block(step)
        return 1.0, self._delays[offset]

    def _load(self, block: int) -> None:
        # an array of doubles takes a quarter of the memory of a list, which counts with thousands of nodes
        self._delays = array("d", self._quantile(self._uniforms(block)).tobytes())


class SwitchStream(_BlockStream):
    """The row ``slow`` with the given probability, independently at every step."""

    __slots__ = ("_probability", "_rows", "_states")

    _states: bytes | bytearray

    def __init__(self, probability: float, slow: Row, seed: int, key: tuple[int, ...]) -> None:
        self._probability = probability
        self._rows = (UNDISTURBED, slow)
        super().__init__(seed, key)

    def row(self, step: int) -> Row:
        """Return the row of this step."""
        offset = step - self._first
        if offset < 0 or offset >= BLOCK:
            offset = self._offset_in_new_block(step)
        return self._rows[self._states[offset]]

    def _load(self, block: int) -> None:
        self._states = (self._uniforms(block) < self._probability).tobytes()


class ChainStream(SwitchStream):
    """The rows of a two-state Markov chain that starts from its stationary law."""

    __slots__ = ("_before", "_to_fast", "_to_slow")

    def __init__(self, to_slow: float, to_fast: float, slow: Row, seed: int, key: tuple[int, ...]) -> None:
        self._to_slow = to_slow
        self._to_fast = to_fast
        # the state before each block as far as the chain was walked; none before the first
        self._before: list[bool | None] = [None]
        super().__init__(to_slow / (to_slow + to_fast), slow, seed, key)

    def _load(self, block: int) -> None:
        for walked in range(min(block, len(self._before) - 1), block + 1):
            states = self._walk(walked)
            if walked + 1 == len(self._before):
                self._before.append(bool(states[-1]))
        self._states = states

    def _walk(self, block: int) -> bytearray:
        slow = self._before[block]
        states = bytearray(BLOCK)
        for offset, uniform in enumerate(self._uniforms(block).tolist()):
            if slow is None:
                slow = uniform < self._probability
            elif slow:
                slow = uniform >= self._to_fast
            else:
                slow = uniform < self._to_slow
            states[offset] = slow
        return states
