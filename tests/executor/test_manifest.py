import json
import math
import os
import platform
from datetime import datetime

import numpy as np
import pytest

import codedtheory
from codedtheory.executor.manifest import begin_manifest, completed, end_manifest, new_manifest
from codedtheory.executor.record import RunRecord

RUN = {"backend": "virtual", "clock": "virtual", "seed": 3, "parameters": {"k": np.int64(2), "links": [math.inf]}}
KEYS = [
    "format",
    "codedtheory",
    "python",
    "numpy",
    "backend",
    "clock",
    "seed",
    "parameters",
    "host",
    "cores",
    "platform",
    "blas_threads",
    "started",
]


def test_a_manifest_says_what_ran_where():
    manifest = new_manifest(**RUN)
    assert list(manifest) == KEYS
    assert (manifest["backend"], manifest["clock"], manifest["seed"]) == ("virtual", "virtual", 3)
    assert manifest["codedtheory"] == codedtheory.__version__
    assert manifest["numpy"] == np.__version__
    assert manifest["python"] == platform.python_version()
    assert manifest["parameters"] == {"k": 2, "links": ["Infinity"]}
    assert 1 <= manifest["cores"] <= os.cpu_count()
    assert manifest["blas_threads"] is None or manifest["blas_threads"] >= 1
    assert datetime.fromisoformat(manifest["started"]).utcoffset().total_seconds() == 0
    json.dumps(manifest, allow_nan=False)


def test_the_threads_of_the_nodes_can_be_told():
    assert new_manifest(**RUN, blas_threads=7)["blas_threads"] == 7


def test_a_manifest_is_written_at_the_start_and_completed_at_the_end(tmp_path):
    path = tmp_path / "runs" / "a"
    begun = begin_manifest(path, **RUN)
    assert [item.name for item in path.iterdir()] == ["manifest.json"]
    assert json.loads((path / "manifest.json").read_bytes()) == begun
    assert RunRecord.load(path).status == "unfinished"
    ended = end_manifest(path, status="interrupted", seconds=2.5)
    assert (
        ended
        == {**begun, "status": "interrupted", "seconds": 2.5}
        == completed(begun, status="interrupted", seconds=2.5)
    )
    assert [item.name for item in path.iterdir()] == ["manifest.json"]
    record = RunRecord.load(path)
    assert (record.status, record.seconds) == ("interrupted", 2.5)
    assert record.manifest["parameters"] == {"k": 2, "links": [math.inf]}


def test_a_record_goes_into_a_directory_of_its_own(tmp_path):
    begin_manifest(tmp_path / "a", **RUN)
    with pytest.raises(ValueError, match=r"a' already holds a record; give another directory"):
        begin_manifest(str(tmp_path / "a"), **RUN)
    (tmp_path / "b").write_text("mine", encoding="ascii")
    with pytest.raises(ValueError, match=r"b' is a file; give the name of a directory"):
        begin_manifest(tmp_path / "b", **RUN)
    assert (tmp_path / "b").read_text(encoding="ascii") == "mine"
    for name in ("events-0.jsonl", "events.jsonl", "arrays.npz"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).write_text("", encoding="ascii")
        with pytest.raises(ValueError, match="already holds a record"):
            begin_manifest(tmp_path / name, **RUN)
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "notes.txt").write_text("mine", encoding="ascii")
    begin_manifest(tmp_path / "c", **RUN)
    assert sorted(item.name for item in (tmp_path / "c").iterdir()) == ["manifest.json", "notes.txt"]


def test_bad_arguments_are_refused_by_name_and_leave_nothing(tmp_path):
    with pytest.raises(ValueError, match="clock must be virtual or wall, received 'sun'"):
        begin_manifest(tmp_path / "a", **{**RUN, "clock": "sun"})
    with pytest.raises(TypeError, match=r"parameters\['links'\]\['a'\]\[1\] is <object"):
        begin_manifest(tmp_path / "a", **{**RUN, "parameters": {"links": {"a": [1, object()]}}})
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="status must be finished, interrupted or failed, received 'done'"):
        completed(new_manifest(**RUN), status="done", seconds=1.0)
    with pytest.raises(ValueError, match="holds no record"):
        end_manifest(tmp_path, status="finished", seconds=1.0)
