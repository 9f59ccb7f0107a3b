"""Systems: the programs of all nodes and the edges on which they may send."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

import numpy as np

from codedtheory.executor.values import read_only

__all__ = ["Node", "Program", "System", "complete", "ring", "star"]

# of numbers and texts that a manifest tells
_BITS, _LONGEST = 64, 80


class Program:
    """What one node runs: a generator function that yields effects, and its arguments.

    Parameters
    ----------
    function : generator function
        Called as ``function(node, *args, **kwargs)``. For processes and MPI it must be defined at the top level of a
        module or of the script, under which other processes can find it again.
    *args, **kwargs
        Its arguments; arrays arrive read-only and contiguous. Nodes that are given the same list or random generator
        share it on the virtual clock; elsewhere each has its own copy.
    daemon : bool, default False
        Whether it serves others and is closed when all programs that are not daemons have ended.

    Examples
    --------
    >>> from codedtheory.executor.effects import send, wait
    >>> def echo(node):
    ...     while True:
    ...         message = (yield wait(0)).only
    ...         yield send(0, message.value, step=message.step)
    >>> Program(echo, daemon=True)
    Program(echo, daemon=True)
    """

    def __init__(self, function: Callable[..., Any], *args: Any, daemon: bool = False, **kwargs: Any) -> None:
        if not inspect.isgeneratorfunction(function):
            raise TypeError(f"function must be a generator function that yields effects, received {function!r}")
        try:
            inspect.signature(function).bind(None, *args, **kwargs)
        except TypeError as error:
            name = getattr(function, "__qualname__", repr(function))
            raise TypeError(f"{name}(node, ...) does not take these arguments: {error}") from None
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.daemon = bool(daemon)

    def __call__(self, node: Node) -> Generator[Any, Any, Any]:
        """Begin the program on a node."""
        args = [read_only(value) for value in self.args]
        kwargs = {name: read_only(value) for name, value in self.kwargs.items()}
        program: Generator[Any, Any, Any] = self.function(node, *args, **kwargs)
        return program

    def described(self) -> dict[str, Any]:
        """Return what a manifest says of the arguments: numbers and short text, and of all else what it is.

        Examples
        --------
        >>> def master(node, steps, start, rule=None):
        ...     yield from ()
        >>> Program(master, 10, np.zeros((2, 3)), rule=max).described()
        {'steps': 10, 'start': 'float64 array (2, 3)', 'rule': 'builtin_function_or_method'}
        """
        given = inspect.signature(self.function).bind(None, *self.args, **self.kwargs).arguments
        return {name: _described(value) for name, value in list(given.items())[1:]}

    @property
    def name(self) -> str:
        """The function's name."""
        return getattr(self.function, "__qualname__", repr(self.function))

    def __repr__(self) -> str:
        return f"Program({self.name}{', daemon=True' if self.daemon else ''})"


class System:
    """Programs and the edges between their nodes; program i runs on node i.

    Parameters
    ----------
    programs : sequence of Program
        At least one of them must not be a daemon.
    edges : iterable of (int, int)
        Pairs (source, target); only on these may messages be sent, and acknowledgements against them.
    capacity : int, optional
        How many messages the queue of an edge holds that were not taken yet; a program that sends to a full one is held
        until there is room. Unbounded by default. Single-slot mailboxes are never full.

    Examples
    --------
    >>> def idle(node):
    ...     yield from ()
    >>> System([Program(idle)] * 3, edges=ring(3)).sources[0]
    (2,)
    """

    def __init__(
        self, programs: Sequence[Program], edges: Iterable[tuple[int, int]], *, capacity: int | None = None
    ) -> None:
        for name, several in (("programs", programs), ("edges", edges)):
            if not isinstance(several, Iterable):
                raise TypeError(f"{name} must be several, such as a list, received {several!r}")
        self.programs = tuple(programs)
        for program in self.programs:
            if not isinstance(program, Program):
                raise TypeError(f"programs must hold Program objects, received {program!r}; wrap it: Program(function)")
        if all(program.daemon for program in self.programs):
            raise ValueError("programs must hold at least one that is not a daemon, or the run ends before it begins")
        count = len(self.programs)
        self.edges = tuple(sorted({_edge(edge, count) for edge in edges}))
        if capacity is not None and (isinstance(capacity, bool) or not isinstance(capacity, int) or capacity < 1):
            raise ValueError(f"capacity must be a positive integer or None, received {capacity!r}")
        self.capacity = capacity
        sources: list[list[int]] = [[] for _ in range(count)]
        targets: list[list[int]] = [[] for _ in range(count)]
        for source, target in self.edges:
            targets[source].append(target)
            sources[target].append(source)
        self.sources = tuple(map(tuple, sources))
        self.targets = tuple(map(tuple, targets))

    def __len__(self) -> int:
        return len(self.programs)

    def neighbours(self, node: int) -> tuple[int, ...]:
        """Return the nodes that share an edge with ``node``, in either direction."""
        return tuple(sorted({*self.sources[node], *self.targets[node]}))

    def described(self) -> dict[str, Any]:
        """Return what a manifest says of the system."""
        # one program often runs on many nodes
        described = {id(program): program.described() for program in self.programs}
        return {
            "nodes": len(self),
            "edges": len(self.edges),
            "capacity": self.capacity,
            "programs": [program.name for program in self.programs],
            "arguments": [described[id(program)] for program in self.programs],
            "daemons": [i for i, program in enumerate(self.programs) if program.daemon],
        }

    def __repr__(self) -> str:
        return f"System({len(self)} nodes, {len(self.edges)} edges)"


class Node:
    """What a program knows of the node that it runs on.

    Attributes
    ----------
    id : int
        The node's number.
    sources, targets : tuple of int
        The nodes with an edge to this one, and those that this one has an edge to.
    lost : frozenset of int
        The neighbours that are known to be lost.
    """

    __slots__ = ("_random", "_seed", "id", "lost", "sources", "targets")

    def __init__(self, number: int, sources: tuple[int, ...], targets: tuple[int, ...], seed: int) -> None:
        self.id = number
        self.sources = sources
        self.targets = targets
        self.lost: frozenset[int] = frozenset()
        self._seed = seed
        self._random: np.random.Generator | None = None

    @property
    def random(self) -> np.random.Generator:
        """The node's own stream of random numbers, from the seed of the run and the node's number."""
        if self._random is None:
            # three words, so that it is not one of the two-word streams of the straggler models
            seeds = np.random.SeedSequence(self._seed, spawn_key=(self.id, 0, 0))
            self._random = np.random.Generator(np.random.PCG64(seeds))
        return self._random

    def __repr__(self) -> str:
        return f"Node({self.id})"


def star(workers: int) -> tuple[tuple[int, int], ...]:
    """Return the edges between a master, node 0, and workers 1 to ``workers``, in both directions.

    Examples
    --------
    >>> star(2)
    ((0, 1), (0, 2), (1, 0), (2, 0))
    """
    _check_count("workers", workers, 1)
    outward = tuple((0, worker) for worker in range(1, workers + 1))
    return outward + tuple((worker, 0) for _, worker in outward)


def ring(nodes: int) -> tuple[tuple[int, int], ...]:
    """Return the edges of the directed ring 0 → 1 → ... → 0.

    Examples
    --------
    >>> ring(3)
    ((0, 1), (1, 2), (2, 0))
    """
    _check_count("nodes", nodes, 2)
    return tuple((node, (node + 1) % nodes) for node in range(nodes))


def complete(nodes: int) -> tuple[tuple[int, int], ...]:
    """Return the edges between all pairs of nodes, in both directions.

    Examples
    --------
    >>> len(complete(4))
    12
    """
    _check_count("nodes", nodes, 2)
    return tuple((i, j) for i in range(nodes) for j in range(nodes) if i != j)


def _described(value: Any) -> Any:
    if isinstance(value, np.generic) and not isinstance(value, np.void):
        value = value.item()
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and value.bit_length() < _BITS):
        return value
    if isinstance(value, str) and len(value) <= _LONGEST:
        return value
    if isinstance(value, np.ndarray):
        return f"{value.dtype} array {value.shape}"
    return type(value).__name__


def _check_count(name: str, count: int, least: int) -> None:
    if isinstance(count, bool) or not isinstance(count, int) or count < least:
        raise ValueError(f"{name} must be an integer of at least {least}, received {count!r}")


def _edge(edge: tuple[int, int], count: int) -> tuple[int, int]:
    try:
        source, target = edge
        pair = (int(source), int(target))
    except (TypeError, ValueError):
        raise TypeError(f"edges must hold pairs (source, target), received {edge!r}") from None
    if pair != (source, target):
        raise TypeError(f"edges must hold pairs of integers, received {edge!r}")
    if not (0 <= pair[0] < count and 0 <= pair[1] < count):
        raise ValueError(f"edges must join nodes 0 to {count - 1}, received {edge!r}")
    if pair[0] == pair[1]:
        raise ValueError(f"edges must join two nodes, received {edge!r}; a node keeps its own values itself")
    return pair
