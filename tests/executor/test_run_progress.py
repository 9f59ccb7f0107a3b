import io
import subprocess
import sys
import time

import pytest

from codedtheory.executor.run_progress import RunProgress, progress_text


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    seconds = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: seconds[0])
    return seconds


@pytest.fixture
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")


def follow(stream, steps, clock, count=50):
    progress = RunProgress(stream, steps)
    progress.start()
    for step in range(1, count + 1):
        clock[0] += 0.25
        progress.update(step, int(step > 40))
    progress.stop()
    return progress


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_quiet_when_not_a_terminal(stream, clock):
    follow(stream, 100, clock)
    assert stream is None or stream.getvalue() == ""


def test_a_terminal_sees_steps_rate_time_left_and_losses(clock, wide):
    stream = Terminal()
    progress = follow(stream, 100, clock)
    shown = stream.getvalue()
    assert "50 of 100 steps, 4 steps/s, 12 s left, 1 node lost" in shown
    assert "30 of 100 steps, 4 steps/s, 18 s left" in shown
    assert progress.rate() == 4.0
    # the cursor is back
    assert shown.rstrip().endswith(("\x1b[?25h", "\x1b[2K"))
    assert "\x1b[?25h" in shown


def test_without_a_total_there_is_no_time_left(clock, wide):
    stream = Terminal()
    follow(stream, None, clock)
    assert "50 steps, 4 steps/s, 1 node lost" in stream.getvalue()
    assert "left" not in stream.getvalue()


def test_the_rate_is_that_of_late(clock, wide):
    progress = RunProgress(Terminal(), 10**6)
    progress.start()
    for step in range(1, 401):
        clock[0] += 0.125 if step <= 200 else 2.0
        progress.update(step)
    progress.stop()
    assert progress.rate() == 0.5


def test_updates_are_drawn_ten_times_a_second_at_most(clock, wide):
    stream = Terminal()
    progress = RunProgress(stream, 1000)
    progress.start()
    for step in range(1000):
        clock[0] += 0.001
        progress.update(step)
    progress.stop()
    assert 5 <= stream.getvalue().count(" of 1000 steps") <= 12


def test_stop_without_start_and_twice():
    progress = RunProgress(Terminal(), 5)
    progress.update(1)
    progress.stop()
    progress.start()
    progress.stop()
    progress.stop()


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ((0, 10, 0.0, 0), "0 of 10 steps"),
        ((10, 10, 2.0, 0), "10 of 10 steps, 2 steps/s, 0 s left"),
        ((12, 10, 2.0, 2), "12 of 10 steps, 2 steps/s, 0 s left, 2 nodes lost"),
        ((5, None, 12345.6, 0), "5 steps, 12346 steps/s"),
        ((1, 3601, 0.5, 0), "1 of 3601 steps, 0.5 steps/s, 2.0 h left"),
    ],
)
def test_texts(facts, text):
    assert progress_text(*facts) == text


def test_the_display_is_imported_when_it_is_needed():
    script = "import sys, codedtheory.executor.run_progress; print('rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
