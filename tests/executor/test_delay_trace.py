import dataclasses
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codedtheory.executor.delay_trace import DelayTrace

TEXT = "1,2,3\n0.5,0.25,0\n1e-3,7,0.125\n"

delays = st.floats(0, allow_infinity=False, allow_nan=False)


@st.composite
def traces(draw):
    nodes = draw(st.lists(st.integers(0, 10**6), min_size=1, max_size=5, unique=True))
    row = st.lists(delays, min_size=len(nodes), max_size=len(nodes))
    return DelayTrace(tuple(nodes), np.array(draw(st.lists(row, min_size=1, max_size=6))), draw(st.booleans()))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "delays.csv"


def read(path, text=TEXT, **options):
    path.write_text(text, encoding="utf-8")
    return DelayTrace.from_csv(path, **options)


def refusal(path, text):
    with pytest.raises(ValueError) as caught:
        read(path, text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    return message.removeprefix(str(path))


def test_rows_are_those_of_the_file(path):
    trace = read(path)
    assert trace.nodes == (1, 2, 3)
    assert trace.steps == 2
    assert [trace.stream(2, seed).row(step) for seed in (0, 5) for step in (1, 0)] == [(1.0, 7.0), (1.0, 0.25)] * 2
    assert trace.stream(3, 0).row(np.int64(1)) == (1.0, 0.125)
    assert trace.mean_delay == pytest.approx((0.5 + 0.25 + 1e-3 + 7 + 0.125) / 6)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.rstrip("\n"),
        TEXT + "\n \n",
        TEXT.replace(",", " , "),
    ],
)
def test_spellings_of_the_same_file(path, text):
    path.write_bytes(text.encode())
    assert DelayTrace.from_csv(path) == read(path)


def test_columns_keep_their_order(path):
    trace = read(path, "7,2\n1,2\n")
    assert trace.nodes == (7, 2)
    assert trace.stream(7, 0).row(0) == (1.0, 1.0)
    assert trace.stream(2, 0).row(0) == (1.0, 2.0)


@given(trace=traces())
def test_csv_round_trip_is_exact(tmp_path_factory, trace):
    path = tmp_path_factory.getbasetemp() / "delays.csv"
    trace.to_csv(path)
    again = DelayTrace.from_csv(str(path), repeat=trace.repeat)
    assert again == trace
    assert again.delays.tobytes() == trace.delays.tobytes()
    assert again.path == str(path)


def test_repeat_begins_again(path):
    stream = read(path, repeat=True).stream(1, 0)
    assert [stream.row(step)[1] for step in range(5)] == [0.5, 1e-3, 0.5, 1e-3, 0.5]


def test_steps_past_the_end_name_the_last_line(path):
    stream = read(path).stream(1, 0)
    with pytest.raises(ValueError) as caught:
        stream.row(2)
    remedy = "record more steps, or pass repeat=True"
    assert str(caught.value) == f"{path}, line 3: no row for step 2, because it ends with step 1; {remedy}"


@pytest.mark.parametrize("repeat", [False, True])
def test_steps_before_the_first_are_refused(path, repeat):
    stream = read(path, repeat=repeat).stream(1, 0)
    for step in (-1, -2, -3):
        with pytest.raises(ValueError, match=f"step must be an integer, at least 0, received {step}"):
            stream.row(step)
    for step in (0.5, 9.0, None):
        with pytest.raises(TypeError):
            stream.row(step)


def test_systems_with_a_node_without_a_column_are_refused(path):
    trace = read(path)
    trace.check_nodes(range(4))
    trace.check_nodes([2])
    with pytest.raises(ValueError) as caught:
        trace.check_nodes(range(6))
    remedy = "add it, or name in undelayed the nodes that are never delayed"
    assert str(caught.value) == f"{path}, line 1: no column for nodes 4, 5; {remedy}"
    with pytest.raises(ValueError, match="no column for node 9; add it"):
        trace.stream(9, 0)
    with pytest.raises(ValueError, match="no column for node 0; add it"):
        read(path, undelayed=()).check_nodes(range(4))


def test_undelayed_nodes_without_a_column_are_never_delayed(path):
    assert read(path).stream(0, 0).row(100) == (1.0, 0.0)
    trace = read(path, undelayed=(8, 1))
    trace.check_nodes((1, 2, 8))
    assert trace.stream(8, 0).row(0) == (1.0, 0.0)
    assert trace.stream(1, 0).row(0) == (1.0, 0.5)
    with pytest.raises(ValueError, match="step must be"):
        trace.stream(8, 0).row(-1)


@pytest.mark.parametrize("text", ["", "\n", "  \n\n"])
def test_empty_files_are_refused(path, text):
    assert refusal(path, text) == (
        ", line 1: the file is empty; write a line of node ids such as 1,2,3 and a line for each step"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "1,2\n",
            ", line 1: the file ends after the header; write a line of node ids such as 1,2,3 and a line for each step",
        ),
        (
            "step,1\n0,0.5\n",
            ", line 1: 'step' is no node id; the first line names the node of each column, such as 1,2,3",
        ),
        (
            "0.5,0.2\n0.1,0.1\n",
            ", line 1: '0.5' is no node id; the first line names the node of each column, such as 1,2,3",
        ),
        ("1;2\n1;2\n", ", line 1: '1;2' is no node id; the first line names the node of each column, such as 1,2,3"),
        ("-1\n1\n", ", line 1: '-1' is no node id; the first line names the node of each column, such as 1,2,3"),
        ("1,\n1,2\n", ", line 1: '' is no node id; the first line names the node of each column, such as 1,2,3"),
        ("1,2,1\n1,2,3\n", ", line 1: two columns for node 1; leave one"),
        (
            "1,2\n0,0\n0.5\n0,0\n",
            ", line 3: 1 delays where line 1 names 2 nodes; write one for each node, 0 for none",
        ),
        (
            "1,2\n0,0,0\n",
            ", line 2: 3 delays where line 1 names 2 nodes; write one for each node, 0 for none",
        ),
        (
            "1,2\n0,0\n\n0,0\n",
            ", line 3: 1 delays where line 1 names 2 nodes; write one for each node, 0 for none",
        ),
        ("1\n1\n\n1\n", ", line 3: the delay of node 1 is ''; write seconds, at least 0, such as 0.25"),
        ("4,2\n0,0\n0,-0.1\n", ", line 3: the delay of node 2 is '-0.1'; write seconds, at least 0, such as 0.25"),
        ("4,2\nfast,0\n", ", line 2: the delay of node 4 is 'fast'; write seconds, at least 0, such as 0.25"),
        ("4,2\n0,\n", ", line 2: the delay of node 2 is ''; write seconds, at least 0, such as 0.25"),
        ("4,2\n0,nan\n", ", line 2: the delay of node 2 is 'nan'; write seconds, at least 0, such as 0.25"),
        ("4,2\n0,inf\n", ", line 2: the delay of node 2 is 'inf'; write seconds, at least 0, such as 0.25"),
        ("4,2\n0,1e999\n", ", line 2: the delay of node 2 is '1e999'; write seconds, at least 0, such as 0.25"),
    ],
)
def test_bad_files_name_line_and_remedy(path, text, message):
    assert refusal(path, text) == message


@given(text=st.one_of(st.text(max_size=30), st.text("0123456789,.-e\n \r", max_size=40)))
def test_any_text_is_read_or_refused_in_one_line(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "delays.csv"
    path.write_bytes(text.encode(errors="surrogatepass"))
    message = ""
    try:
        trace = DelayTrace.from_csv(path)
        assert trace.delays.shape == (trace.steps, len(trace.nodes))
    except ValueError as error:
        message = str(error)
    assert message == "" or message.startswith(str(path))
    assert "\n" not in message


def test_files_that_are_no_text_are_refused(path):
    path.write_bytes(b"\x80\x04\x95")
    with pytest.raises(
        ValueError, match=r"delays.csv: not a text file \(invalid start byte at byte 0\); a trace is a CSV"
    ):
        DelayTrace.from_csv(path)
    with pytest.raises(FileNotFoundError, match="missing"):
        DelayTrace.from_csv(path.with_name("missing"))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"nodes": "12"}, TypeError, "nodes must be a collection of node ids"),
        ({"nodes": 3}, TypeError, "nodes must be a collection of node ids"),
        ({"nodes": (1, 1)}, ValueError, "nodes must name every node once, but names node 1 twice"),
        ({"nodes": (1, -2)}, ValueError, "a node id in nodes must be an integer, at least 0, received -2"),
        ({"nodes": (1,)}, ValueError, r"one column for each of 1 nodes, received an array of shape \(1, 2\)"),
        ({"nodes": ()}, ValueError, r"one column for each of 0 nodes, received an array of shape \(1, 2\)"),
        ({"delays": [1.0, 2.0]}, ValueError, r"received an array of shape \(2,\)"),
        ({"delays": np.zeros((0, 2))}, ValueError, r"received an array of shape \(0, 2\)"),
        ({"delays": [[1.0, 2.0], [1.0]]}, ValueError, "delays must have one row for each step, all of the same length"),
        (
            {"delays": [["1", "2"]]},
            TypeError,
            "delays must be an array of real numbers of seconds, received one of <U1",
        ),
        (
            {"delays": [[True, False]]},
            TypeError,
            "delays must be an array of real numbers of seconds, received one of bool",
        ),
        ({"delays": [[0.0, -1.0]]}, ValueError, r"at least 0, received -1.0 in row 0, column 1$"),
        ({"delays": [[0.0, 1.0], [np.nan, 0.0]]}, ValueError, r"at least 0, received nan in row 1, column 0$"),
        ({"delays": [[np.inf, 1.0]]}, ValueError, r"at least 0, received inf in row 0, column 0$"),
        ({"repeat": 1}, TypeError, "repeat must be True or False, received 1"),
        ({"undelayed": 0}, TypeError, "undelayed must be a collection of node ids"),
        ({"undelayed": (True,)}, TypeError, "a node id in undelayed must be an integer"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments, error, message):
    good = {"nodes": (1, 2), "delays": [[0.0, 1.0]]}
    DelayTrace(**good)
    with pytest.raises(error, match=message):
        DelayTrace(**(good | arguments))


def test_a_trace_without_a_file_says_so():
    trace = DelayTrace((1,), np.ones((2, 1)))
    with pytest.raises(ValueError, match=r"^the trace: no row for step 2, because it ends with step 1"):
        trace.stream(1, 0).row(2)
    with pytest.raises(ValueError, match=r"^the trace: no column for nodes 2 to 4; "):
        trace.check_nodes(range(5))


def test_delays_cannot_be_changed():
    given = np.ones((2, 1))
    trace = DelayTrace((1,), given)
    given[0, 0] = 5
    assert trace.stream(1, 0).row(0) == (1.0, 1.0)
    carried = pickle.loads(pickle.dumps(trace))  # noqa: S301
    for copy in (trace, carried, dataclasses.replace(trace, repeat=True)):
        with pytest.raises(ValueError, match="read-only"):
            copy.delays[0, 0] = 5
    with pytest.raises(AttributeError):
        trace.repeat = True


def test_pickling(path):
    trace = read(path, repeat=True, undelayed=(9,))
    copy = pickle.loads(pickle.dumps(trace))  # noqa: S301
    assert copy == trace
    assert hash(copy) == hash(trace)
    assert copy.path == trace.path
    assert copy.stream(9, 0).row(3) == (1.0, 0.0)
    stream = pickle.loads(pickle.dumps(trace.stream(2, 0)))  # noqa: S301
    assert stream.row(3) == (1.0, 7.0)


def test_equality_is_that_of_the_delays(path):
    trace = read(path)
    assert trace == DelayTrace((1, 2, 3), [[0.5, 0.25, 0], [1e-3, 7, 0.125]])
    assert trace != DelayTrace((1, 2, 3), [[0.5, 0.25, 0], [1e-3, 7, 0.25]])
    assert trace != dataclasses.replace(trace, repeat=True)
    assert trace != TEXT


def test_described(path):
    described = read(path).described()
    assert json.loads(json.dumps(described)) == described
    digest = described.pop("sha256")
    assert described == {
        "model": "DelayTrace",
        "path": str(path),
        "nodes": [1, 2, 3],
        "steps": 2,
        "repeat": False,
        "undelayed": [0],
    }
    assert read(path, TEXT.replace("7", "8")).described()["sha256"] != digest
    assert read(path, TEXT.replace("0.125", "0.1250")).described()["sha256"] == digest
