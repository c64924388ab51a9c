# SPDX-License-Identifier: MIT
"""Pages of a snapshot in numpy arrays."""
import gc
import operator
import os
import subprocess
import threading

import numpy
import pytest

import physmem
from analyzer import SAMPLES, SNAPSHOTS, reports

WITH_PAGES = [path for path in SNAPSHOTS if path.name not in ("thrash.txt.zst", "top.txt.zst",
                                                              "figure1.txt")]
COLUMNS = ("pid", "area", "address", "pfn", "count", "flags", "pages")
EACH = pytest.mark.parametrize("path", WITH_PAGES, ids=lambda path: path.name)


def whole(batches):
    batches = list(batches)
    return {name: numpy.concatenate([getattr(batch, name) for batch in batches])
            for name in COLUMNS}


@EACH
def test_frames_are_those_of_the_analyzer(path):
    snapshot = physmem.open(path)
    pages = whole(snapshot.pages())
    unowned = int(physmem.PageFlag.ZERO_PAGE | physmem.PageFlag.NO_PAGE)
    stable = snapshot.info.format_version >= 2
    owned = (pages["flags"] & unowned) == 0 if stable else numpy.ones(len(pages["pfn"]), bool)
    count = reports(path, "--count")["count"][0]["user_space_pages"]
    assert len(numpy.unique(pages["pfn"][owned])) == count


@EACH
def test_pages_belong_to_their_area(path):
    snapshot = physmem.open(path)
    pages = whole(snapshot.pages())
    areas = snapshot.areas
    of_area = numpy.bincount(pages["area"].astype(numpy.int64), minlength=len(areas))
    resident = numpy.asarray(areas.column("rss")) + numpy.asarray(areas.column("special_pages"))
    assert list(of_area) == list(resident)
    start = numpy.asarray(areas.column("start"))[pages["area"].astype(numpy.int64)]
    last = numpy.asarray(areas.column("last"))[pages["area"].astype(numpy.int64)]
    assert ((pages["address"] >= start) & (pages["address"] <= last)).all()
    pid = numpy.asarray(areas.column("pid"))[pages["area"].astype(numpy.int64)]
    assert (pages["pid"] == pid).all()
    assert (pages["pages"] == 1).all()


@EACH
@pytest.mark.parametrize("batch_rows", [1000, 32768])
def test_runs_are_the_same_pages(path, batch_rows):
    snapshot = physmem.open(path)
    pages = whole(snapshot.pages(batch_rows=batch_rows))
    runs = whole(snapshot.pages(runs=True))
    assert len(runs["pid"]) < len(pages["pid"])
    lengths = runs["pages"].astype(numpy.int64)
    assert lengths.sum() == len(pages["pid"])
    first = numpy.repeat(numpy.cumsum(lengths) - lengths, lengths)
    within = (numpy.arange(lengths.sum()) - first).astype(numpy.uint64)
    assert (numpy.repeat(runs["pfn"], lengths) + within == pages["pfn"]).all()
    size = numpy.uint64(snapshot.info.page_size)
    assert (numpy.repeat(runs["address"], lengths) + within * size == pages["address"]).all()
    for name in ("pid", "area", "count", "flags"):
        assert (numpy.repeat(runs[name], lengths) == pages[name]).all()


@pytest.mark.parametrize("path", [SAMPLES / "desk.txt.zst", SAMPLES / "ram-split.pmc.zst"],
                         ids=lambda path: path.name)
def test_runs_do_not_depend_on_the_form_of_the_file(path, tmp_path):
    expected = whole(physmem.open(path).pages(runs=True))
    same_area = expected["area"][1:] == expected["area"][:-1]
    follows = expected["pfn"][:-1] + expected["pages"][:-1] == expected["pfn"][1:]
    size = numpy.uint64(physmem.open(path).info.page_size)
    follows &= expected["address"][:-1] + expected["pages"][:-1] * size == expected["address"][1:]
    for name in ("count", "flags"):
        follows &= expected[name][1:] == expected[name][:-1]
    assert not (same_area & follows).any()
    for form in ("text", "compact"):
        other = tmp_path / form
        subprocess.run([os.environ["PHYSMEM_CONVERT"], "--to", form, "-o", other, path], check=True)
        found = whole(physmem.open(other).pages(runs=True, batch_rows=10))
        for name in COLUMNS:
            assert (found[name] == expected[name]).all(), (form, name)


def test_arrays_share_the_memory_of_their_batch_and_are_read_only():
    batch = next(physmem.open(SAMPLES / "shell.txt").pages())
    assert numpy.shares_memory(batch.pfn, batch.pfn)
    assert batch.pfn.dtype == numpy.uint64
    with pytest.raises(ValueError):
        batch.pfn[0] = 1


@pytest.mark.parametrize("operation", ["bitwise_and", "bitwise_or", "bitwise_xor", "equal"])
def test_flags_combine_with_arrays_like_plain_numbers(operation):
    function = getattr(numpy, operation)
    in_python = {"bitwise_and": operator.and_, "bitwise_or": operator.or_,
                 "bitwise_xor": operator.xor, "equal": operator.eq}[operation]
    for array, flag in [(next(physmem.open(SAMPLES / "shell.txt").pages()).flags,
                         physmem.PageFlag.DIRTY | physmem.PageFlag.LRU),
                        (numpy.asarray(physmem.open(SAMPLES / "shell.txt").areas.column("flags")),
                         physmem.AreaFlag.READ)]:
        expected = function(array, array.dtype.type(int(flag)))
        for found in (function(array, flag), function(flag, array), in_python(array, flag),
                      in_python(flag, array)):
            assert found.dtype == expected.dtype and (found == expected).all()
    assert isinstance(physmem.PageFlag.DIRTY | physmem.PageFlag.LRU, physmem.PageFlag)


def test_batches_have_at_most_the_rows_asked_for():
    sizes = [len(batch) for batch in physmem.open(SAMPLES / "shell.txt").pages(batch_rows=100)]
    assert set(sizes[:-1]) == {100} and 0 < sizes[-1] <= 100


def test_arrays_outlive_batch_iterator_and_snapshot():
    snapshot = physmem.open(SAMPLES / "shell.txt")
    expected = whole(snapshot.pages(batch_rows=64))["pfn"]
    arrays = [batch.pfn for batch in snapshot.pages(batch_rows=64)]
    del snapshot
    gc.collect()
    assert (numpy.concatenate(arrays) == expected).all()


def test_iterator_can_be_left_early_and_stays_at_its_end():
    pages = physmem.open(SAMPLES / "shell.txt").pages(batch_rows=1)
    next(pages)
    del pages
    pages = physmem.open(SAMPLES / "shell.txt").pages()
    assert iter(pages) is pages
    list(pages)
    assert list(pages) == []


def test_pages_of_each_snapshot_of_a_series():
    path = SAMPLES / "slab-growth.txt.zst"
    for snapshot in physmem.series(path):
        pages = sum(len(batch) for batch in snapshot.pages())
        assert pages == sum(snapshot.processes.column("rss")) + sum(
            snapshot.processes.column("special"))


def test_changed_file_is_an_error(tmp_path):
    copy = tmp_path / "s.txt"
    copy.write_bytes((SAMPLES / "shell.txt").read_bytes())
    snapshot = physmem.open(copy)
    copy.write_bytes((SAMPLES / "figure1.txt").read_bytes())
    with pytest.raises(physmem.FileError, match="has changed") as raised:
        list(snapshot.pages())
    assert raised.value.errno is None and raised.value.filename == str(copy)


def test_pages_of_a_fifo_are_an_error(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    text = (SAMPLES / "shell.txt").read_bytes()
    writer = threading.Thread(target=fifo.write_bytes, args=[text])
    writer.start()
    snapshot = physmem.open(fifo)
    writer.join()
    assert len(snapshot.processes) > 0
    with pytest.raises(physmem.FileError, match="cannot be read again: it is not a regular file"):
        next(snapshot.pages())
    del snapshot
