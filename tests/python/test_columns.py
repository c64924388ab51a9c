# SPDX-License-Identifier: MIT
"""Columns of a table: buffer protocol, numpy, pandas, sequences of Python."""
import collections.abc
import copy
import gc
import math
import pickle
import subprocess
import sys

import numpy
import pandas
import pytest

import physmem
from analyzer import SAMPLES, SNAPSHOTS

TABLES = ("processes", "areas", "units", "mappings", "users", "cgroups", "regions", "ledger",
          "owners", "counters", "notes")


@pytest.fixture(name="snapshot")
def fixture_snapshot():
    return physmem.open(SAMPLES / "ram-split.pmc.zst")


@pytest.mark.parametrize("path", SNAPSHOTS, ids=lambda path: path.name)
def test_columns_have_the_values_of_rows(path):
    snapshot = physmem.open(path)
    for table in (getattr(snapshot, name) for name in TABLES):
        assert len(list(table)) == len(table)
        for name in table.columns:
            column = table.column(name)
            assert column.name == name
            assert list(column) == [getattr(row, name) for row in table]
        for row in table[:3]:
            assert row._fields == tuple(table.columns)
            assert list(row._asdict().values()) == [getattr(row, name) for name in row._fields]


def test_numbers_are_not_copied(snapshot):
    for name in ("rss", "pss", "uid"):
        one = numpy.asarray(snapshot.processes.column(name))
        two = numpy.asarray(snapshot.processes.column(name))
        assert numpy.shares_memory(one, two)
        assert not one.flags.owndata and not one.flags.writeable
    view = memoryview(snapshot.processes.column("rss"))
    assert view.format in ("L", "Q") and view.itemsize == 8 and view.readonly
    assert view.shape == (len(snapshot.processes),)


def test_missing_numbers_are_none_and_nan(snapshot):
    column = snapshot.ledger.column("owned")
    values = numpy.asarray(column)
    assert values.dtype == numpy.float64
    assert None in list(column)
    for value, number in zip(column, values):
        assert math.isnan(number) if value is None else value == number


def test_text_has_no_buffer(snapshot):
    with pytest.raises(TypeError):
        memoryview(snapshot.processes.column("name"))


def test_index_and_slice(snapshot):
    table = snapshot.processes
    assert table[-1].pid == table[len(table) - 1].pid
    assert [row.pid for row in table[::-2]] == [row.pid for row in table][::-2]
    assert table.column("pid")[-1] == table[-1].pid
    for index in (len(table), -len(table) - 1):
        with pytest.raises(IndexError):
            table[index]
    with pytest.raises(KeyError, match="nothing"):
        table.column("nothing")


def test_rows_and_columns_outlive_the_snapshot():
    snapshot = physmem.open(SAMPLES / "ram-split.pmc.zst")
    names = [process.name for process in snapshot.processes]
    units = list(snapshot.areas.column("unit"))
    rows, areas = list(snapshot.processes), snapshot.areas
    rss, column = numpy.asarray(snapshot.processes.column("rss")), areas.column("unit")
    total = sum(row.rss for row in rows)
    del snapshot
    gc.collect()
    assert [row.name for row in rows] == names
    assert [area.unit for area in areas] == units == list(column)
    del rows, areas
    gc.collect()
    assert rss.sum() == total


def test_pandas_takes_arrays(snapshot):
    frame = pandas.DataFrame(snapshot.processes.arrays())
    assert list(frame.columns) == snapshot.processes.columns
    assert frame["rss"].sum() == sum(process.rss for process in snapshot.processes)
    assert frame["rss"].dtype == numpy.uint64
    assert frame.loc[frame.pid == 122, "name"].item() == "known-files"


def test_rows_work_without_numpy():
    program = ("import sys; sys.modules['numpy'] = None; import physmem; "
               f"s = physmem.open({str(SAMPLES / 'shell.txt')!r}); "
               "print(sum(memoryview(s.processes.column('rss'))), s.processes[0].name)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          check=False)
    assert done.stderr == ""
    snapshot = physmem.open(SAMPLES / "shell.txt")
    total = sum(process.rss for process in snapshot.processes)
    assert done.stdout == f"{total} {snapshot.processes[0].name}\n"


@pytest.mark.parametrize("name, expected", [
    (b"a\\\xff\xc3\xa9", "a\\\\377\u00e9"), (b"\x01", "\\001"), (b"\\001", "\\134001"),
    (b"\xfe", "\\376"), (b"\xef\xbf\xbd", "\ufffd"), (b"a\\x2db", "a\\x2db"),
    (b"\\1\\377", "\\1\\134377")])
def test_names_are_valid_utf8_and_reversible(tmp_path, name, expected):
    text = (SAMPLES / "shell.txt").read_text()
    line = next(line for line in text.splitlines() if line.startswith("T: "))
    comm = line[3:].split(",")[0]
    written = "".join(f"\\{byte:03o}" for byte in name)
    copied = tmp_path / "s.txt"
    copied.write_text(text.replace(f"T: {comm},", f"T: {written},", 1))
    process = physmem.open(copied).processes[0]
    assert process.name == expected
    assert physmem.name_bytes(process.name) == name
    assert pickle.loads(pickle.dumps(process)) == process == copy.copy(process)


def test_representations(snapshot):
    assert repr(snapshot.processes[0]).startswith("ProcessRow(pid=1, name='init', uid=0")
    assert "5 rows" in repr(snapshot.processes)
    assert "NumberColumn rss" in repr(snapshot.processes.column("rss"))
    assert "5 processes" in repr(snapshot)
    assert repr(snapshot.info).startswith("SnapshotInfo(format_version=2, architecture='x86_64', ")


def test_info_has_its_fields_by_name(snapshot):
    info = snapshot.info
    assert info._asdict() == {name: getattr(info, name) for name in info._fields}
    assert set(info._fields) == {name for name in vars(physmem.SnapshotInfo) if name[0] != "_"}
    assert isinstance(info.has_ram, bool) and isinstance(info.format_version, int)


@pytest.mark.parametrize("name", TABLES + ("info",))
def test_rows_are_values(snapshot, name):
    """Rows of two snapshots of one file are equal; copies and pickled rows as well."""
    def rows_of(of):
        return [of.info] if name == "info" else list(getattr(of, name))

    rows = rows_of(snapshot)
    assert rows == rows_of(physmem.open(snapshot.path))
    assert pickle.loads(pickle.dumps(rows)) == rows == copy.deepcopy(rows)
    assert [copy.copy(row) for row in rows] == rows
    assert [repr(row) for row in pickle.loads(pickle.dumps(rows))] == [repr(row) for row in rows]
    assert {hash(row) for row in rows} == {hash(copy.copy(row)) for row in rows}
    assert len(set(rows)) == len({tuple(row._asdict().values()) for row in rows})


def test_rows_of_other_fields_or_kinds_are_not_equal(snapshot):
    one, two = snapshot.processes[:2]
    assert one != two and not one == two
    for other in (snapshot.regions[0], tuple(one._asdict().values()), None, 1):
        assert one != other and not one == other


def test_pickled_rows_outlive_their_snapshot():
    snapshot = physmem.open(SAMPLES / "ram-split.pmc.zst")
    units = [area.unit for area in snapshot.areas]
    copies = copy.deepcopy(list(snapshot.areas))
    del snapshot
    gc.collect()
    assert [area.unit for area in copies] == units
    assert [area.permissions for area in copies[:1]] == ["r--p"]


def test_tables_and_columns_are_sequences(snapshot):
    table = snapshot.processes
    for sequence in (table, table.column("pid"), table.column("pss"), table.column("name")):
        items = list(sequence)
        assert isinstance(sequence, collections.abc.Sequence)
        assert list(reversed(sequence)) == items[::-1]
        assert sequence[1:3] == items[1:3]
        assert items[2] in sequence and object() not in sequence
        for item in items:
            assert sequence.index(item) == items.index(item)
            assert sequence.count(item) == items.count(item)
        with pytest.raises(ValueError):
            sequence.index(object())
    assert table.index(table[3]) == 3
