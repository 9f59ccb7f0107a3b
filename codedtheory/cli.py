"""The command ``codedtheory``: checks claims, lists and explains them, and calls the calculators of the rooms."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from codedtheory import __version__

__all__ = ["main"]

# A room's command lives in a module of its own with a typer.Typer named ``app``; it is imported when it is called.
_ROOM_COMMANDS = {
    "interpolation": "codedtheory.interpolation_command",
    "code": "codedtheory.code_command",
    "graph": "codedtheory.graph_command",
    "quantizer": "codedtheory.quantizer_command",
    "run": "codedtheory.run_command",
    "compare": "codedtheory.compare_command",
}

# columns of a table; narrower terminals break its lines
_NARROWEST = 40
# what MPICH, Open MPI and Slurm tell a process about its rank
_RANK_VARIABLES = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK")
# the status that typer returns for Ctrl-C
_INTERRUPTED = 130


class _Format(StrEnum):
    table = "table"
    json = "json"


class _Effort(StrEnum):
    quick = "quick"
    default = "default"
    full = "full"


class _Pool(StrEnum):
    processes = "processes"
    mpi = "mpi"


class _Commands(TyperGroup):
    """The commands of this module and those of the rooms that are installed."""

    def list_commands(self, ctx: Any) -> list[str]:
        rooms = [name for name, module in _ROOM_COMMANDS.items() if importlib.util.find_spec(module)]
        return [*super().list_commands(ctx), *rooms]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        module = _ROOM_COMMANDS.get(cmd_name)
        if module is None or importlib.util.find_spec(module) is None:
            return super().get_command(ctx, cmd_name)
        command = typer.main.get_command(importlib.import_module(module).app)
        command.name = cmd_name
        return command


app = typer.Typer(
    cls=_Commands,
    help="Checks theorems of coded and approximate distributed computing.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

_Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ID|MODULE|FILE", help="Ids, beginnings of ids, modules or files; all installed claims by default."
    ),
]
_FormatOption = Annotated[_Format, typer.Option("--format", help="How to print.")]
_JobsOption = Annotated[
    int | None, typer.Option("--jobs", min=1, help="Number of processes; by default that of the cores.")
]
_PoolOption = Annotated[
    _Pool, typer.Option("--pool", help="Who walks the domains: local processes, or the ranks that mpiexec started.")
]
_EffortOption = Annotated[_Effort, typer.Option("--effort", help="How much of each domain to walk.")]


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _tell_version(wanted: bool) -> None:
    if wanted:
        _print(f"codedtheory {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_tell_version, is_eager=True)
    ] = False,
) -> None:
    """Check theorems of coded and approximate distributed computing."""


@app.command("check", short_help="Check claims against what is expected of them.")
def _check(
    targets: _Targets = None,
    format: _FormatOption = _Format.table,
    jobs: _JobsOption = None,
    pool: _PoolOption = _Pool.processes,
    effort: _EffortOption = _Effort.default,
) -> None:
    """Check claims; exit with 0 if every verdict is the expected one, with 1 otherwise."""
    from codedtheory.claims.json_report import json_text
    from codedtheory.claims.progress import Progress
    from codedtheory.claims.report import table_text
    from codedtheory.claims.runner import run
    from codedtheory.claims.selection import select

    with _workers(pool, jobs) as workers:
        # standard output is for the verdicts, whatever a claim prints
        with contextlib.redirect_stdout(sys.stderr):
            entries = select(targets or ())
            verdicts = run(entries, effort.value, **workers, progress=Progress(sys.stderr))
        _print(json_text(verdicts) if format is _Format.json else table_text(verdicts, **_terminal()))
    raise typer.Exit(0 if verdicts.as_expected else 1)


@app.command("list", short_help="List claims with what is expected of them.")
def _list(targets: _Targets = None, format: _FormatOption = _Format.table) -> None:
    """List claims with what is expected of them and where their wording comes from."""
    from codedtheory.claims.listing import listed, listing_text
    from codedtheory.claims.selection import select

    with contextlib.redirect_stdout(sys.stderr):
        records = listed(select(targets or ()))
    if format is _Format.json:
        _print(json.dumps(records, indent=2, ensure_ascii=False))
    else:
        _print(listing_text(records, **_terminal()))


@app.command("explain", short_help="Explain claims, and check them at quick effort.")
def _explain(
    targets: Annotated[
        list[str], typer.Argument(metavar="ID|MODULE|FILE", help="Ids, beginnings of ids, modules or files.")
    ],
    format: _FormatOption = _Format.table,
    jobs: _JobsOption = None,
    pool: _PoolOption = _Pool.processes,
    effort: _EffortOption = _Effort.quick,
) -> None:
    """Explain claims: statement, source, domain at each effort, and the verdict at quick effort."""
    from codedtheory.claims.explanation import explanation, explanation_text
    from codedtheory.claims.progress import Progress
    from codedtheory.claims.runner import run
    from codedtheory.claims.selection import select

    with _workers(pool, jobs) as workers:
        with contextlib.redirect_stdout(sys.stderr):
            entries = select(targets)
            verdicts = run(entries, effort.value, **workers, progress=Progress(sys.stderr))
        pairs = list(zip(entries, verdicts, strict=True))
        if format is _Format.json:
            _print(json.dumps([explanation(*pair) for pair in pairs], indent=2, ensure_ascii=False))
        else:
            width = _terminal()["width"]
            _print("\n\n".join(explanation_text(entry.claim, verdict, width) for entry, verdict in pairs))


@contextlib.contextmanager
def _workers(pool: _Pool, jobs: int | None) -> Iterator[dict[str, Any]]:
    """Give `run` its workers; MPI ranks that only serve leave here when the run is over."""
    if pool is _Pool.processes:
        yield {"jobs": jobs or _cores()}
        return
    if jobs is not None:
        raise ValueError(f"--jobs is for local processes, got {jobs}; with --pool mpi, mpiexec -n says how many ranks")
    from codedtheory.claims.mpi_pool import open_mpi_pool

    with open_mpi_pool() as executor:
        if executor is None:
            raise typer.Exit
        yield {"executor": executor}


def _terminal() -> dict[str, Any]:
    """Width and colour of the table: those of the terminal, or a plain 100 columns."""
    from codedtheory.claims.report import WIDTH

    if not sys.stdout.isatty():
        return {"width": WIDTH, "color": False}
    # some terminals don't know their width and say 0
    columns = os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH
    return {"width": max(_NARROWEST, min(WIDTH, columns)), "color": not os.environ.get("NO_COLOR")}


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 2 with one line on standard error for bad usage."""
    command = typer.main.get_command(app)
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = command.main(args=given or ["--help"], prog_name="codedtheory", standalone_mode=False)
        if status == _INTERRUPTED:
            raise KeyboardInterrupt
    except (ValueError, TypeError) as error:
        return _refuse(given, str(error))
    except (typer.Abort, KeyboardInterrupt):
        return _refuse(given, "interrupted", 1)
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - the reader is gone; nothing more can be said
        return 1
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - what was not written would be tried again at the exit
        return _refuse(given, str(error))
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return _refuse(given, _usage_error(error, given), getattr(error, "exit_code", 2))
    return int(status or 0)


def _usage_error(error: Any, given: Sequence[str]) -> str:
    """Return what the command line was refused for, with the value that was given and where to look for help."""
    message = str(error.format_message()).replace("Value error, ", "").rstrip(".")
    options = getattr(getattr(error, "param", None), "opts", None) or ()
    values = [value for name, value in pairwise(given) if name in options]
    values += [text.partition("=")[2] for text in given if text.partition("=")[0] in options and "=" in text]
    if values and repr(values[-1]) not in message:
        message += f", got {values[-1]!r}"
    context = getattr(error, "ctx", None)
    return f"{message}; see '{context.command_path} --help'" if context else message


def _refuse(given: Sequence[str], message: str, status: int = 2) -> int:
    # one MPI rank speaks for all
    further_rank = any(os.environ.get(name, "0") != "0" for name in _RANK_VARIABLES)
    if not (further_rank and {"mpi", "--pool=mpi"}.intersection(given)):
        sys.stderr.write(f"codedtheory: {' '.join(message.split())}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
