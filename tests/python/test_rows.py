# SPDX-License-Identifier: MIT
"""Rows have the numbers of physmem-analyze."""
import sqlite3

import numpy
import pytest

import physmem
from analyzer import OF_RAM, SAMPLES, SNAPSHOTS, reports, rounded, run

SUMS = ("uss", "rss", "swap", "vss")
EACH = pytest.mark.parametrize("path", SNAPSHOTS, ids=lambda path: path.name)


def in_order(rows):
    return sorted(rows, key=str)


@EACH
def test_processes(path):
    columns = "pid,user,command,cgroup,threads,uss,pss,rss,swap,vss"
    expected = reports(path, "--ask", "ps", "--pages", "--columns", columns)["ps"]
    found = [{"pid": p.pid, "user": None if p.uid is None else str(p.uid), "command": p.name,
              "cgroup": p.cgroup or None, "threads": p.threads, "pss": rounded(p.pss),
              **{name: getattr(p, name) for name in SUMS}} for p in physmem.open(path).processes]
    assert in_order(map(sorted_items, found)) == in_order(map(sorted_items, expected))


def sorted_items(row):
    """A share may be rounded to either side of a half."""
    return sorted((key, round(value, 1) if key == "pss" and value is not None else value)
                  for key, value in row.items())


@EACH
@pytest.mark.parametrize("words, table, attribute", [
    (["--ask", "ps", "--group", "cgroup"], "cgroups", "cgroups"),
    (["--ask", "units"], "units", "mappings"),
    (["--ask", "users"], "users", "users")])
def test_groups(path, words, table, attribute):
    key = {"cgroups": "cgroup", "mappings": "file", "users": "user"}[attribute]
    expected = {row[key]: row for row in reports(path, *words, "--pages")[table]}
    rows = getattr(physmem.open(path), attribute)
    assert len(rows) == len(expected)
    for row in rows:
        name = {"cgroups": lambda r: r.path or None, "mappings": lambda r: r.name,
                "users": lambda r: None if r.uid is None else str(r.uid)}[attribute](row)
        same = expected[name]
        assert [row.processes, row.uss, row.rss, row.swap] == [
            same["processes"], same["uss"], same["rss"], same["swap"]]
        assert row.pss == pytest.approx(same["pss"], abs=0.006)
        if attribute != "mappings":
            assert row.unread == same["unread"]


@EACH
def test_units(path):
    expected = reports(path, "--totals", "--full")["totals"]
    units = physmem.open(path).units
    assert len(units) == len(expected)
    for unit, row in zip(units, expected):
        assert row["unit"].startswith(unit.path)
        assert [unit.bss, unit.data, unit.text, unit.frames] == [
            row["bss"], row["data"], row["text"], row["total"]]
        assert [unit.processes, unit.rss, unit.uss] == [
            row["processes"], row["resident_sum"], row["unique_sum"]]
        assert unit.pss == pytest.approx(row["proportional_sum"], abs=0.006)


@EACH
def test_info_and_regions(path):
    snapshot = physmem.open(path)
    summary = reports(path, "--ask", "summary")["summary"]
    size = snapshot.info.page_size
    of = {(row["section"], row["name"]): row["bytes"] and row["bytes"] // size for row in summary}
    if snapshot.info.has_pages:
        assert snapshot.info.user_pages == of["user", ""]
    regions = {row.name: row.frames for row in snapshot.regions if row.frames}
    assert regions == {name: pages for (section, name), pages in of.items() if section == "region"}
    for row in snapshot.regions:
        attribute = row.name.replace("application", "app").replace("library", "lib")
        sums = snapshot.processes.column(attribute.replace(" ", "_"))
        known = [size for size in sums if size is not None]
        assert row.rss == sum(known), row.name
        assert len(known) == (len(sums) if snapshot.info.has_areas else 0), row.name


@EACH
def test_regions_of_a_process_add_up_to_its_rss(path):
    snapshot = physmem.open(path)
    if not snapshot.info.has_areas:
        pytest.skip("a recording of physmem-top has sizes without areas")
    processes = snapshot.processes
    first = processes.columns.index("stack")
    regions = [name for name in processes.columns[first:] if name != "special"]
    for process in processes:
        assert sum(getattr(process, name) for name in regions) == process.rss


@EACH
def test_areas(path, tmp_path):
    run("--sqlite", "-o", tmp_path / "one.db", path)
    database = sqlite3.connect(tmp_path / "one.db")
    expected = database.execute(
        "SELECT p.pid, a.start, a.last, a.file_region, a.anon_region, a.file_bytes, a.anon_bytes, "
        "a.special_bytes, a.uss_bytes, a.swap_bytes, a.pss_bytes, page_size "
        "FROM areas a JOIN processes p ON p.id = a.process JOIN snapshots s ON s.id = p.snapshot "
        "WHERE p.snapshot = 1 ORDER BY a.id").fetchall()
    areas = physmem.open(path).areas
    assert len(areas) == len(expected)
    for area, row in zip(areas, expected):
        assert [area.pid, area.start, area.last] == [row[0], row[1] % 2**64, row[2] % 2**64]
        assert [area.file_region, area.anon_region] == list(row[3:5])
        assert [area.file_pages, area.anon_pages, area.special_pages, area.uss, area.swap
                ] == [size // row[11] for size in row[5:10]]
        share = row[10] / row[11] if row[10] is not None else None
        assert area.pss == pytest.approx(share, abs=1e-3)


@EACH
def test_areas_belong_to_their_process(path):
    snapshot = physmem.open(path)
    if not snapshot.info.has_areas:
        pytest.skip("a recording of physmem-top has sizes without areas")
    for name in ("rss", "swap", "vss"):
        sums = numpy.zeros(len(snapshot.processes), numpy.uint64)
        numpy.add.at(sums, numpy.asarray(snapshot.areas.column("process")),
                     numpy.asarray(snapshot.areas.column(name)))
        assert list(sums) == list(snapshot.processes.column(name))


@pytest.mark.parametrize("path", OF_RAM, ids=lambda path: path.name)
def test_ledger_and_owners(path):
    expected = reports(path, "--ask", "ledger", "--full", "--pages")
    snapshot = physmem.open(path)
    total = expected["ledger"].pop()
    assert snapshot.info.has_ram and snapshot.info.ram_frames == total["pages"]
    assert [(row.name, row.pages, row.owned) for row in snapshot.ledger] == [
        (row["class"], row["pages"], row["with_owner"]) for row in expected["ledger"]]
    names = ("kind", "pages", "mapped", "dirty", "active", "state", "name")
    assert [[getattr(row, name) for name in names] for row in snapshot.owners] == [
        [row[name] for name in names] for row in expected["owners"]]


def test_counters_and_notes():
    snapshot = physmem.open(SAMPLES / "desk.txt.zst")
    counters = {row.name: row.value for row in snapshot.counters}
    assert counters["mem.MemTotal_kB"] > 1000
    assert snapshot.info.is_complete
    elided = physmem.open(SAMPLES / "figure1.txt")
    assert not elided.info.is_complete
    assert any(row.name == "elided_lines" and row.value for row in elided.notes)


def test_series_has_every_snapshot():
    path = SAMPLES / "thrash.txt.zst"
    snapshots = list(physmem.series(path))
    assert len(snapshots) == run("--count", path).count("User space pages")
    assert len({snapshot.info.time_ns for snapshot in snapshots}) == len(snapshots)
    assert physmem.open(path).info.time_ns == snapshots[0].info.time_ns


def test_pids_select_processes():
    snapshot = physmem.open(SAMPLES / "desk.txt.zst", pids=[26271], areas=False)
    assert [process.name for process in snapshot.processes] == ["gdb"]
    assert len(snapshot.areas) == 0
    batches = list(snapshot.pages())
    assert {int(pid) for batch in batches for pid in numpy.unique(batch.pid)} == {26271}
