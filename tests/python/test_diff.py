# SPDX-License-Identifier: MIT
"""physmem.diff() has the numbers of physmem-analyze --ask diff."""
import json

import numpy
import pandas
import pytest

import physmem
from analyzer import SAMPLES, run

PAIRS = [("shell.txt", "desk.txt.zst"), ("desk.txt.zst", "shell.txt"),
         ("ram-files.txt.zst", "ram-split.pmc.zst"), ("figure1.txt", "figure1.txt")]
SUMS = ("before", "after", "gained", "lost", "moved", "to_private", "copied", "to_shared")
SWAP = ("swap_before", "swap_after")


def numbers(row, level):
    """The numbers of a row, with the name of a process or the addresses of an area."""
    subject = {"process": ("pid", "state"), "area": ("pid", "start", "last", "state"),
               "file": ("distinct_before", "distinct_after")}[level]
    return [row[name] for name in subject + SUMS + SWAP]


def order(rows):
    return sorted(rows, key=lambda row: json.dumps(row))


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_numbers_are_those_of_the_analyzer(pair):
    before, after = (SAMPLES / name for name in pair)
    expected = {"process": [], "area": [], "file": []}
    answer = run("--ask", "diff", "--full", "--pages", "--json", before, after)
    for report in json.loads(answer)[0]["reports"]:
        for row in report["rows"] if report["report"] == "diff" else ():
            for name in ("start", "last"):
                row[name] = int(row[name], 16) if row[name] else row[name]
            row |= {name: row[name.replace("swap", "swapped")] for name in SWAP}
            if row["level"] in expected:
                expected[row["level"]].append(numbers(row, row["level"]))
    found = physmem.diff(before, after)
    for level, table in (("process", found.processes), ("area", found.areas),
                         ("file", found.units)):
        rows = [numbers(row._asdict(), level) for row in table]
        assert order(rows) == order(expected[level])


def test_changes_are_signed():
    found = physmem.diff(SAMPLES / "desk.txt.zst", SAMPLES / "shell.txt")
    for table in (found.processes, found.areas, found.units):
        for name, one, two in (("change", "before", "after"),
                               ("swap_change", "swap_before", "swap_after")):
            column = numpy.asarray(table.column(name))
            assert column.dtype == numpy.int64
            assert list(column) == [getattr(row, two) - getattr(row, one) for row in table]
            assert list(table.column(name)) == [getattr(row, name) for row in table]
    frame = pandas.DataFrame(found.processes.arrays())
    assert frame.change.min() == -max(row.before for row in found.processes) < 0
    assert frame.change.sum() == (sum(row.after for row in found.processes) -
                                  sum(row.before for row in found.processes))


def test_pids_select_processes_of_both():
    pid = physmem.open(SAMPLES / "shell.txt").processes[1].pid
    found = physmem.diff(SAMPLES / "shell.txt", SAMPLES / "shell.txt", pids=[pid])
    assert [(row.pid, row.state, row.change) for row in found.processes] == [(pid, "stayed", 0)]
    assert {row.process for row in found.areas} == {0}
    assert repr(found) == "<physmem.Difference of 1 processes>"


def test_errors_name_the_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.txt"):
        physmem.diff(SAMPLES / "shell.txt", tmp_path / "missing.txt")
    with pytest.raises(ValueError, match="jobs"):
        physmem.diff(SAMPLES / "shell.txt", SAMPLES / "shell.txt", jobs=-1)
