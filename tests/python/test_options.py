# SPDX-License-Identifier: MIT
"""Arguments of open(), series() and pages()."""
import numpy
import pytest

import physmem
from analyzer import SAMPLES

DESK = SAMPLES / "desk.txt.zst"
PIDS = sorted(int(pid) for pid in physmem.open(DESK, areas=False).processes.column("pid"))[:2]


@pytest.mark.parametrize("pids", [
    PIDS, tuple(PIDS), set(PIDS), dict.fromkeys(PIDS), dict.fromkeys(PIDS).keys(),
    map(int, PIDS), (pid for pid in PIDS), numpy.array(PIDS), numpy.array(PIDS, numpy.uint8 if max(
        PIDS) < 256 else numpy.uint32)], ids=lambda pids: type(pids).__name__)
def test_pids_are_any_iterable(pids):
    found = physmem.open(DESK, pids=pids, areas=False).processes.column("pid")
    assert sorted(found) == PIDS


def test_pids_may_be_a_column():
    pids = physmem.open(DESK, areas=False).processes.column("pid")
    assert list(physmem.open(DESK, pids=pids, areas=False).processes.column("pid")) == list(pids)


def test_series_takes_any_iterable_too():
    found = next(physmem.series(DESK, pids=(pid for pid in PIDS), areas=False))
    assert sorted(found.processes.column("pid")) == PIDS


def test_no_pids_are_all_processes():
    assert len(physmem.open(DESK, pids=iter(()), areas=False).processes) > len(PIDS)


@pytest.mark.parametrize("pids, message", [
    (7, "pids: found 7, expected an iterable of int"),
    (None, "pids: found None, expected an iterable of int"),
    ("371", "pids: found '371', expected an iterable of int"),
    (b"371", "pids: found b'371', expected an iterable of int"),
    (["371"], "pids: found '371', expected an int"),
    ([1, 2.0], "pids: found 2.0, expected an int"),
    (numpy.array([1.5]), "expected an int")])
def test_pids_of_a_wrong_type(pids, message):
    for function in (physmem.open, physmem.series):
        with pytest.raises(TypeError) as raised:
            function(DESK, pids=pids)
        assert message in str(raised.value)


@pytest.mark.parametrize("pid", [-1, 2**64])
def test_pids_out_of_range(pid):
    with pytest.raises(ValueError, match=f"pids: found {pid}, expected a process id"):
        physmem.open(DESK, pids=[pid])


def test_error_of_an_iterable_is_raised():
    def pids():
        yield 1
        raise RuntimeError("no more")
    with pytest.raises(RuntimeError, match="no more"):
        physmem.open(DESK, pids=pids())


@pytest.mark.parametrize("jobs", [0, -1])
def test_jobs_out_of_range(jobs):
    for function in (physmem.open, physmem.series):
        with pytest.raises(ValueError, match=f"jobs: found {jobs}, expected at least 1"):
            function(DESK, jobs=jobs)


@pytest.mark.parametrize("rows", [0, -1, 2**24 + 1, 10**12])
def test_batch_rows_out_of_range(rows):
    with pytest.raises(ValueError, match=f"batch_rows: found {rows}, expected"):
        physmem.open(DESK).pages(batch_rows=rows)
