"""Executor: programs that exchange messages, on a virtual clock, on local processes and on MPI ranks."""

from codedtheory.executor.conditions import Conditions
from codedtheory.executor.delay_laws import DelayLaw, Exponential, Pareto, ShiftedExponential, Weibull
from codedtheory.executor.delay_trace import DelayTrace
from codedtheory.executor.effects import acknowledge, compute, log, now, send, wait
from codedtheory.executor.errors import (
    DeadlockError,
    ExecutorError,
    LostWorkersError,
    ProgramError,
    ReplayError,
    WaitTimeoutError,
)
from codedtheory.executor.executor import Executor
from codedtheory.executor.faults import Crash, Drop, Hang, SlowLink
from codedtheory.executor.links import Link
from codedtheory.executor.message import ACK, Arrivals, Message
from codedtheory.executor.mpi_executor import MPIExecutor
from codedtheory.executor.process_executor import ProcessExecutor
from codedtheory.executor.record import RunRecord, WaitEvent
from codedtheory.executor.recording import Interrupted
from codedtheory.executor.straggler_model import StragglerModel
from codedtheory.executor.stragglers import (
    BernoulliSlowdown,
    GilbertElliott,
    NoStragglers,
    PersistentStragglers,
    SlowSet,
)
from codedtheory.executor.system import Node, Program, System, complete, ring, star
from codedtheory.executor.virtual_executor import VirtualExecutor

__all__ = [
    "ACK",
    "Arrivals",
    "BernoulliSlowdown",
    "Conditions",
    "Crash",
    "DeadlockError",
    "DelayLaw",
    "DelayTrace",
    "Drop",
    "Executor",
    "ExecutorError",
    "Exponential",
    "GilbertElliott",
    "Hang",
    "Interrupted",
    "Link",
    "LostWorkersError",
    "MPIExecutor",
    "Message",
    "NoStragglers",
    "Node",
    "Pareto",
    "PersistentStragglers",
    "ProcessExecutor",
    "Program",
    "ProgramError",
    "ReplayError",
    "RunRecord",
    "ShiftedExponential",
    "SlowLink",
    "SlowSet",
    "StragglerModel",
    "System",
    "VirtualExecutor",
    "WaitEvent",
    "WaitTimeoutError",
    "Weibull",
    "acknowledge",
    "complete",
    "compute",
    "log",
    "now",
    "ring",
    "send",
    "star",
    "wait",
]
