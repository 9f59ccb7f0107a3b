"""What every straggler model offers to an executor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import fields, is_dataclass
from typing import Any

from codedtheory.executor.delay_parameters import checked_number
from codedtheory.executor.delay_stream import DelayStream

__all__ = ["StragglerModel"]


class StragglerModel(ABC):
    """How long computations take: ``slowdown * work + delay`` seconds, both drawn for each node and step.

    A model is an immutable, picklable description. A model of one's own derives from this class, best as a frozen
    dataclass, and defines `mean_delay`, ``_stream(node, seed)`` and, if it names nodes, `named_nodes`.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def mean_delay(self) -> float:
        """The mean of the delay of a node that straggles, in seconds; ``inf`` where there is none."""

    @property
    def named_nodes(self) -> tuple[int, ...]:
        """The node ids that the model names."""
        return ()

    def stream(self, node: int, seed: int) -> DelayStream:
        """Return the rows ``(slowdown, delay)`` of one node.

        Parameters
        ----------
        node : int
            Its id.
        seed : int
            Of the whole run, at least 0.

        Returns
        -------
        DelayStream
            ``row(step)`` is a function of seed, node and step; the order of asking changes nothing. Streams of
            different nodes are independent unless the model says otherwise.
        """
        return self._stream(checked_number("node", node), checked_number("seed", seed))

    @abstractmethod
    def _stream(self, node: int, seed: int) -> DelayStream:
        """Return what `stream` does; the arguments are checked."""

    def check_nodes(self, nodes: Collection[int]) -> None:
        """Refuse a system with these nodes if the model does not fit it.

        Raises
        ------
        ValueError
            If the model names a node that the system lacks, or lacks what it needs of a node.
        """
        known = set(nodes)
        unknown = [node for node in self.named_nodes if node not in known]
        if unknown:
            raise ValueError(
                f"{type(self).__name__} names {listed(unknown)}, but the system has {listed(sorted(known))}; "
                "name nodes of the system"
            )

    def described(self) -> dict[str, Any]:
        """Return name and parameters of the model as JSON-able values, for the manifest of a run."""
        names: list[str] = [item.name for item in fields(self)] if is_dataclass(self) else []
        return {"model": type(self).__name__, **{name: _plain(getattr(self, name)) for name in names}}


def listed(nodes: list[int]) -> str:
    """Return some node ids in words, such as ``nodes 0 to 12``."""
    if len(nodes) == 1:
        return f"node {nodes[0]}"
    if len(nodes) > 2 and nodes[-1] - nodes[0] == len(nodes) - 1:
        return f"nodes {nodes[0]} to {nodes[-1]}"
    shown = ", ".join(map(str, nodes[:8]))
    return f"nodes {shown} and {len(nodes) - 8} more" if len(nodes) > 8 else f"nodes {shown}"


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
