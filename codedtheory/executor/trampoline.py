"""The trampoline: drives the program of one node, in all backends."""

from __future__ import annotations

import contextlib
import math
import traceback
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from codedtheory.executor.conditions import Conditions
from codedtheory.executor.effects import Acknowledge, Compute, Log, Now, Send, Wait
from codedtheory.executor.errors import DeadlockError, ExecutorError, LostWorkersError, ProgramError, ReplayError
from codedtheory.executor.faults import Crash, Hang
from codedtheory.executor.message import ACK, Arrivals, Message
from codedtheory.executor.outgoing import Outgoing, number_of
from codedtheory.executor.pace import Pace
from codedtheory.executor.port import Port
from codedtheory.executor.recorder import Recorder
from codedtheory.executor.replay import UNREACHABLE, Script
from codedtheory.executor.system import Node, System
from codedtheory.executor.waiting import Inbox, Waiting

__all__ = ["Trampoline"]

# groups of nodes that a program waits for, which need not be checked again
_REMEMBERED = 256

# looks at the clock and for messages in a row while no time passes, after which a program is stuck
_LOOKS = 1_000_000

_READY, _COMPUTING, _WAITING, _SENDING, _STOPPED = range(5)


class Trampoline:
    """The program of one node, run effect by effect.

    A backend calls `advance`, which runs the program until it cannot go on and returns the time at which to call it
    again; `deliver` and `lose` tell it what happened and return whether to call it before. With a ``script`` the waits
    end as recorded, whenever their messages arrive.

    Attributes
    ----------
    node : Node
    step : int or None
        The last step that the program named.
    status : str
        running, finished, closed, failed, lost or hung.
    result : object
        What the program returned.
    failure : ExecutorError or None
        Why it failed.
    """

    def __init__(
        self,
        system: System,
        number: int,
        conditions: Conditions,
        port: Port,
        recorder: Recorder,
        script: Script | None = None,
    ) -> None:
        program = system.programs[number]
        self.node = Node(number, system.sources[number], system.targets[number], conditions.seed)
        self.daemon = program.daemon
        self.step: int | None = None
        self.status = "running"
        self.result: Any = None
        self.failure: ExecutorError | None = None
        self._generator = program(self.node)
        self._port = port
        self._recorder = recorder
        self._script = script
        self._state = _READY
        self._wake = math.inf
        self._value: Any = None
        self._error: Exception | None = None
        self._outgoing = Outgoing(self.node, system, conditions, port, recorder, replays=script is not None)
        self._groups: dict[tuple[tuple[int, ...] | None, bool], frozenset[int]] = {}
        self._gone: frozenset[int] = frozenset()
        self._lost: frozenset[int] = frozenset()
        self._inbox = Inbox()
        self._put_back: list[Message] = []
        self._waiting: Waiting | None = None
        self._since = 0.0
        # a replay needs none of these: what they did is in the record
        self._pace = Pace(conditions, number) if script is None else None
        self._crash = conditions.of_node(Crash, number) if script is None else None
        self._hang = conditions.of_node(Hang, number) if script is None else None
        self._late = 0
        self._overruns = 0
        self._looks = 0
        self._looked_at = -math.inf

    @property
    def ended(self) -> bool:
        """Whether the program will do nothing more."""
        return self.status != "running"

    @property
    def held(self) -> Message | None:
        """The message that waits for room in a queue, and the program with it."""
        return self._outgoing.held if self._state == _SENDING else None

    @property
    def since(self) -> float:
        """When the last wait began."""
        return self._since

    @property
    def state(self) -> str:
        """What the program is doing, in words."""
        if self._state == _WAITING and self._waiting is not None:
            wanted, waiting = self._wanted(self._waiting), self._waiting
            missing = ", ".join(map(str, sorted(waiting.missing(self._gone)))) or "none"
            return f"node {self.node.id} waits for {wanted}; has {len(waiting.taken)}, missing: {missing}"
        if self._state == _SENDING:
            return f"node {self.node.id} waits for room in its queue to {', '.join(map(str, self._outgoing.held_for))}"
        return f"node {self.node.id} is {'computing' if self._state == _COMPUTING else self.status}"

    def waits_for(self) -> tuple[int, ...]:
        """Return the nodes without which it cannot go on."""
        if self._state == _WAITING and self._waiting is not None:
            return tuple(sorted(self._waiting.missing(frozenset())))
        return self._outgoing.held_for if self._state == _SENDING else ()

    def advance(self, due: bool = False) -> float:
        """Run the program until it cannot go on.

        Parameters
        ----------
        due : bool, default False
            Whether the time that the last call returned has come.

        Returns
        -------
        float
            The time at which to call again; inf if only a message can change something, or if the program has ended.
        """
        state = self._state
        if state in (_COMPUTING, _WAITING):
            if not due:
                return self._wake
            if state == _WAITING:
                self._finish_wait(complete=False)
            self._state = _READY
        elif state == _SENDING and self._outgoing.push():
            self._state = _READY
        while self._state == _READY:
            self._resume()
        if self._state == _STOPPED:
            return math.inf
        return self._port.now() + self._port.retry if self._state == _SENDING else self._wake

    def deliver(self, message: Message) -> bool:
        """Note that a message has arrived; return whether the program may go on."""
        if self._state == _STOPPED:
            return False
        if message.replaced:
            self._inbox.note_overwrites(message, message.replaced)
        if self._script is not None:
            return self._script.deliver(message) and self._state == _WAITING and self._replay_wait()
        waiting = self._waiting
        if waiting is None or waiting.tag != message.tag:
            self._inbox.add(message)
            return False
        counts = waiting.offer(message)
        if counts is None:
            self._inbox.add(message)
            return False
        self._port.taken(message)
        if not counts or (waiting.until is None and len(waiting.taken) < waiting.count and not self._gone):
            return False
        return self._try_to_finish()

    def lose(self, peer: int, finished: bool = False) -> bool:
        """Note that a neighbour is lost, or has finished; return whether the program may go on."""
        if peer in self._gone or self._state == _STOPPED:
            return False
        self._gone = self._outgoing.gone = self._gone | {peer}
        if not finished:
            self._lost |= {peer}
            self._recorder.noted(self.node.id, "neighbour lost", self._port.now(), neighbour=peer)
        if self._script is not None:
            return False
        if self._state == _SENDING:
            return True
        waiting = self._waiting
        return waiting is not None and peer in waiting.sources and self._try_to_finish(only_check=True)

    def close(self, status: str = "closed") -> None:
        """End the program, as its executor decides."""
        if not self.ended:
            try:
                self._generator.close()
            except (Exception, SystemExit):
                self._fail_with_traceback()
                return
            self._end(status)

    # -- the program -------------------------------------------------------------------------------------------

    def _resume(self) -> None:
        """Run the program to its next effect, and begin that."""
        value, error = self._value, self._error
        self._value = self._error = None
        try:
            effect = self._generator.send(value) if error is None else self._generator.throw(error)
        except StopIteration as stop:
            self.result = stop.value
            self._end("finished")
            return
        except ExecutorError as failure:
            self.failure = failure
            self._end("failed")
            return
        except KeyboardInterrupt:
            raise
        except BaseException:
            # such as SystemExit and the cancellations of asyncio, which end no more than this program
            self._fail_with_traceback()
            return
        # a message that the program has let go of may keep its sender's memory
        value = None
        kind = type(effect)
        try:
            if kind is Send:
                self._begin_send(effect)
            elif kind is Wait:
                self._begin_wait(effect)
            elif kind is Compute:
                self._begin_compute(effect)
            elif kind is Acknowledge:
                self._begin_acknowledge(effect)
            elif kind is Now:
                self._value = self._look()
            elif kind is Log:
                if not self._name_step(effect.step):
                    self._recorder.logged(self.node.id, self._port.now(), effect.step, effect.values)
            else:
                raise TypeError(
                    f"a program must yield effects such as send(...) and wait(...), received {effect!r}; "
                    "another generator is run with 'yield from'"
                )
        except (ExecutorError, TypeError, ValueError) as problem:
            self._error = problem

    def _fail_with_traceback(self) -> None:
        import sys

        kind, error, trace = sys.exc_info()
        self.failure = ProgramError(self.node.id, self.step, _traceback_of_program(kind, error, trace))
        self._end("failed")

    def _end(self, status: str) -> None:
        # first, as a port may stop the program there, which then has not ended yet
        time = self._port.now()
        self.status = status
        self._state = _STOPPED
        self._waiting = None
        totals = {
            "edges": [[peer, *counts] for peer, counts in self._outgoing.edges.items() if any(counts)],
            "overwrites": [[source, tag, count] for (source, tag), count in self._inbox.overwrites.items()],
            "late": self._late,
            "overruns": self._overruns,
        }
        self._recorder.ended(self.node.id, time, status, self.step, totals)
        self._recorder.flush()

    def _name_step(self, step: int | None) -> bool:
        """Note the step of an effect; return whether a fault stops the node there."""
        if step is None:
            return False
        self.step = step
        if self._crash is not None and step >= self._crash:
            self._recorder.noted(self.node.id, "fault", self._port.now(), kind="crash", step=step)
            # a process can tell nothing afterwards
            self._end("lost")
            self._port.crash()
            # one that dies runs no cleanup, so what goes wrong in that of the program does not count
            with contextlib.suppress(Exception, SystemExit):
                self._generator.close()
            return True
        if self._script is not None and self._script.fault is not None and step >= self._script.fault.details["step"]:
            # it is over there, though nobody is killed again
            self._recorder.noted(self.node.id, "fault", self._port.now(), **self._script.fault.details)
            self._end("replayed")
            return True
        if self._hang is not None and step >= self._hang:
            self._recorder.noted(self.node.id, "fault", self._port.now(), kind="hang", step=step)
            self._end("hung")
            return True
        return False

    def _look(self) -> float:
        time = self._port.now() if self._script is None else self._script.look()
        if time is None:
            self._end("replayed")
            return 0.0
        self._recorder.looked(self.node.id, time)
        self._outgoing.dirty = True
        self._count_looks(time)
        return time

    def _count_looks(self, time: float) -> None:
        """Count a look that found nothing new; a virtual clock does not go on while a program looks again and again."""
        if time != self._looked_at:
            self._looked_at, self._looks = time, 0
        self._looks += 1
        if self._looks > _LOOKS:
            self._looks = 0
            self._error = DeadlockError(
                f"node {self.node.id} looks at the clock or for messages again and again, but no time passes at "
                f"{time:g} s; wait without a time limit, or with one that lies ahead"
            )

    # -- computing ---------------------------------------------------------------------------------------------

    def _begin_compute(self, effect: Compute) -> None:
        if self._name_step(effect.step):
            return
        self._looks = 0
        start = self._port.now()
        try:
            self._value = effect.function(*effect.args)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # thrown into the program, so that its traceback shows both places
            self._error = error if isinstance(error, Exception) else RuntimeError(repr(error))
            return
        if self._pace is None:
            # no time passes in a replay; but the others have their turn, or a daemon that never waits keeps it
            self._wake = self._port.now()
            self._state = _COMPUTING
            return
        finish = self._port.now()
        self._wake = self._pace.end(start, finish, effect.cost, effect.step)
        if self._wake > finish:
            self._state = _COMPUTING
        elif self._wake < finish:
            self._overruns += 1

    # -- sending -----------------------------------------------------------------------------------------------

    def _begin_send(self, effect: Send) -> None:
        if not self._name_step(effect.step) and not self._outgoing.send(effect):
            self._state = _SENDING

    def _begin_acknowledge(self, effect: Acknowledge) -> None:
        for step, groups in self._outgoing.to_acknowledge(effect).items():
            if self._name_step(step):
                return
            for sources in groups:
                self._outgoing.acknowledge(step, tuple(sources))

    # -- waiting -----------------------------------------------------------------------------------------------

    def _begin_wait(self, effect: Wait) -> None:
        if self._name_step(effect.step):
            return
        tag, count = effect.tag, effect.count
        group = self._groups.get((effect.sources, tag == ACK))
        if group is None:
            group = self._checked_group(effect.sources, tag == ACK)
        if count is None:
            count = len(group) if effect.until is None else 0
        elif count > len(group) or count < 0:
            raise ValueError(f"count must lie between 0 and {len(group)}, the number of sources, received {count!r}")
        self._since = self._port.now()
        self._wake = math.inf if effect.deadline is None else effect.deadline
        if effect.timeout is not None:
            self._wake = min(self._wake, self._since + effect.timeout)
        if self._script is not None:
            self._wake = math.inf
            self._script.begin(effect.step, tag)
        waiting = self._waiting = Waiting(group, effect.step, tag, count, effect.until)
        self._state = _WAITING
        if self._script is not None:
            self._replay_wait()
            return
        if count and not self._gone and not self._inbox.of(tag):
            return
        try:
            self._take_stored(waiting)
        except (ExecutorError, ValueError):
            self._abandon(waiting)
            raise

    def _checked_group(self, sources: tuple[int, ...] | None, acknowledgements: bool) -> frozenset[int]:
        possible = self.node.targets if acknowledgements else self.node.sources
        group = frozenset(possible if sources is None else map(number_of, sources))
        if not group.issubset(possible):
            raise ValueError(
                f"node {self.node.id} waits for {sorted(group.difference(possible))}, from which it has no edge; "
                f"it can wait for {list(possible)}"
            )
        if len(self._groups) >= _REMEMBERED:
            self._groups.clear()
        self._groups[sources, acknowledgements] = group
        return group

    def _take_stored(self, waiting: Waiting) -> None:
        """Begin a wait with what has arrived before it."""
        stored = self._inbox.of(waiting.tag)
        met = waiting.count == 0 and self._is_met(waiting)
        kept: list[Message] = []
        looked_at = 0
        try:
            for message in stored:
                if met:
                    break
                looked_at += 1
                counts = waiting.offer(message)
                if counts is None:
                    kept.append(message)
                    continue
                if message in self._put_back:
                    self._put_back.remove(message)
                else:
                    self._port.taken(message)
                met = counts and self._is_met(waiting)
        finally:
            if len(kept) < looked_at:
                stored[:looked_at] = kept
        if met:
            self._finish_wait(complete=True)
        elif self._gone or len(waiting.taken) == len(waiting.sources):
            self._give_up_if_impossible(waiting)

    def _try_to_finish(self, only_check: bool = False) -> bool:
        """Finish the wait if its condition is met, or can no longer be; return whether it is over."""
        waiting = self._waiting
        assert waiting is not None
        try:
            if not only_check and self._is_met(waiting):
                self._finish_wait(complete=True)
            elif self._gone or len(waiting.taken) == len(waiting.sources):
                self._give_up_if_impossible(waiting)
        except (ExecutorError, ValueError) as problem:
            self._abandon(waiting)
            self._error = problem
        return self._state != _WAITING

    def _abandon(self, waiting: Waiting) -> None:
        """End a wait that failed; what it has taken is there for the next one."""
        self._state, self._waiting = _READY, None
        for messages in (list(waiting.taken.values()), waiting.late):
            # their places in the queues are free already
            self._put_back.extend(messages)
            self._inbox.put_back(waiting.tag, messages)

    def _is_met(self, waiting: Waiting) -> bool:
        if waiting.until is None:
            return len(waiting.taken) >= waiting.count
        return self._asked(waiting, frozenset(waiting.taken))

    def _asked(self, waiting: Waiting, arrived: frozenset[int]) -> bool:
        """Whether messages from the nodes ``arrived`` meet the condition; the program's own part of it may fail."""
        try:
            return waiting.met(arrived)
        except Exception as error:
            raise ValueError(f"until failed for {sorted(arrived)}: {type(error).__name__}: {error}") from error

    def _give_up_if_impossible(self, waiting: Waiting) -> None:
        if self._asked(waiting, waiting.reachable(self._gone)):
            return
        if self._wake < math.inf:
            if not waiting.missing(self._gone):
                self._finish_wait(complete=False)
            return
        if self.daemon:
            # it will be closed, as nobody needs it any more
            return
        lost = self._lost & waiting.sources
        self.node.lost = self._lost
        text = self._unreachable(waiting, lost)
        self._recorder.noted(self.node.id, UNREACHABLE, self._port.now(), lost=sorted(self._lost), error=text)
        self._outgoing.dirty = True
        raise _given_up(text, lost)

    def _unreachable(self, waiting: Waiting, lost: frozenset[int]) -> str:
        finished = self._gone & waiting.sources - lost - frozenset(waiting.taken)
        left = len(waiting.taken) + len(waiting.missing(self._gone))
        text = f"node {self.node.id} waits for {self._wanted(waiting)}, which the {left} that are left cannot give"
        text += f"; lost: {', '.join(map(str, sorted(lost)))}" if lost else ""
        text += f"; finished: {', '.join(map(str, sorted(finished)))}" if finished else ""
        return text

    def _wanted(self, waiting: Waiting) -> str:
        kind = {"": "messages", ACK: "acknowledgements"}.get(waiting.tag, f"{waiting.tag!r} messages")
        of_step = "" if waiting.step is None else f" of step {waiting.step}"
        condition = f"{waiting.count} " if waiting.until is None else "sufficient "
        if waiting.until is not None and waiting.count:
            condition = f"at least {waiting.count} {condition}"
        return f"{condition}{kind}{of_step} from {', '.join(map(str, sorted(waiting.sources)))}"

    def _finish_wait(self, complete: bool) -> None:
        waiting = self._waiting
        assert waiting is not None
        time = self._port.now()
        taken = list(waiting.taken.values())
        lost = self._lost
        self._record_wait(waiting, time, taken, waiting.late, lost, complete)
        if taken or complete:
            self._looks = 0
        else:
            self._count_looks(time)
        self._value = Arrivals(taken, tuple(waiting.late), lost & waiting.sources if lost else lost, complete, time)

    def _record_wait(
        self,
        waiting: Waiting,
        time: float,
        taken: Sequence[Message],
        late: Sequence[Message],
        lost: frozenset[int],
        complete: bool,
    ) -> None:
        self._state, self._waiting = _READY, None
        self._late += len(late)
        self.node.lost = lost
        self._outgoing.dirty = True
        self._recorder.waited(
            self.node.id,
            time,
            self._since,
            waiting.step,
            waiting.tag,
            taken,
            late,
            sorted(lost) if lost else (),
            complete,
        )

    def _replay_wait(self) -> bool:
        """Finish the wait as it was recorded, if its messages are there; return whether it is over."""
        script, waiting = self._script, self._waiting
        assert script is not None
        assert waiting is not None
        if script.exhausted:
            self._end("replayed")
            return False
        try:
            found = script.found()
        except ReplayError as error:
            self._state, self._waiting = _READY, None
            self._error = error
            return True
        if found is None:
            return False
        for peer in sorted(found.lost - self._lost):
            self._recorder.noted(self.node.id, "neighbour lost", self._port.now(), neighbour=peer)
        self._lost = found.lost
        if found.unreachable is not None:
            self._state, self._waiting = _READY, None
            self.node.lost = found.lost
            self._recorder.noted(
                self.node.id, UNREACHABLE, self._port.now(), lost=sorted(found.lost), error=found.unreachable
            )
            self._error = _given_up(found.unreachable, found.lost & waiting.sources)
            return True
        self._since = found.since
        self._record_wait(waiting, found.time, found.taken, found.late, found.lost, found.complete)
        lost = found.lost & waiting.sources
        self._value = Arrivals(list(found.taken), found.late, lost, found.complete, found.time)
        return True


def _given_up(text: str, lost: frozenset[int]) -> ExecutorError:
    return LostWorkersError(text, lost) if lost else DeadlockError(text)


def _traceback_of_program(
    kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
) -> str:
    """Return a traceback that begins in the program, not in the trampoline."""
    while trace is not None and trace.tb_next is not None and trace.tb_frame.f_globals.get("__name__") == __name__:
        trace = trace.tb_next
    return "".join(traceback.format_exception(kind, error, trace))
