# SPDX-License-Identifier: MIT
"""The Arrow C stream interface, by a consumer of its own: Debian 12 has no pyarrow, no polars."""
import ctypes
import gc
import os
import time

import pytest

import physmem
from analyzer import SAMPLES

POINTER = ctypes.POINTER(ctypes.c_void_p)


class Schema(ctypes.Structure):
    pass


Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))),
    ("private_data", ctypes.c_void_p)]


class Array(ctypes.Structure):
    pass


Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", POINTER),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))), ("private_data", ctypes.c_void_p)]


class Stream(ctypes.Structure):
    pass


Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))), ("private_data", ctypes.c_void_p)]

pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.c_void_p
pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]


def buffer(array, number, kind, length):
    return (kind * length).from_address(array.buffers[number]) if length else []


def values_of(array, layout):
    """Of one column: L uint64, l int64, g float64, U text with 64-bit offsets."""
    rows = array.length
    assert array.offset == 0 and array.n_buffers == (3 if layout == "U" else 2)
    valid = [True] * rows
    if array.null_count:
        bits = buffer(array, 0, ctypes.c_uint8, (rows + 7) // 8)
        valid = [bool(bits[i // 8] >> i % 8 & 1) for i in range(rows)]
    assert valid.count(False) == array.null_count
    if layout == "U":
        ends = buffer(array, 1, ctypes.c_int64, rows + 1)
        text = bytes(buffer(array, 2, ctypes.c_uint8, ends[rows]))
        values = [text[ends[i]:ends[i + 1]].decode("utf-8") for i in range(rows)]
    else:
        kind = {"L": ctypes.c_uint64, "l": ctypes.c_int64, "g": ctypes.c_double}[layout]
        values = buffer(array, 1, kind, rows)
    return [value if known else None for value, known in zip(values, valid)]


def read(capsule):
    """Columns by name, the number of batches, and the error or None."""
    stream = Stream.from_address(pointer_of(capsule, b"arrow_array_stream"))
    schema, array = Schema(), Array()
    assert stream.get_schema(stream, schema) == 0
    assert schema.format == b"+s"
    fields = [schema.children[i].contents for i in range(schema.n_children)]
    layouts = {field.name.decode(): field.format.decode() for field in fields}
    columns = {name: [] for name in layouts}
    batches = 0
    while True:
        if stream.get_next(stream, array) != 0:
            return columns, batches, stream.get_last_error(stream).decode()
        if not array.release:
            break
        batches += 1
        for i, (name, layout) in enumerate(layouts.items()):
            column = array.children[i].contents
            assert column.length == array.length
            columns[name] += values_of(column, layout)
        array.release(array)
        assert not array.release
    schema.release(schema)
    stream.release(stream)
    return columns, batches, None


def test_stream_has_signed_changes():
    rows = physmem.diff(SAMPLES / "desk.txt.zst", SAMPLES / "shell.txt").processes
    columns, _, error = read(rows.__arrow_c_stream__())
    assert error is None and columns["change"] == [row.change for row in rows]


@pytest.mark.parametrize("table", ["processes", "areas", "units", "ledger", "owners", "counters"])
def test_stream_has_the_values_of_columns(table):
    rows = getattr(physmem.open(SAMPLES / "ram-split.pmc.zst"), table)
    columns, batches, error = read(rows.__arrow_c_stream__())
    assert error is None and batches == 1
    assert columns == {name: list(rows.column(name)) for name in rows.columns}


def test_stream_outlives_its_snapshot():
    table = physmem.open(SAMPLES / "ram-split.pmc.zst").processes
    expected = list(table.column("name"))
    capsule = table.__arrow_c_stream__(None)
    del table
    gc.collect()
    assert read(capsule)[0]["name"] == expected


class MallocInfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]


def allocated_bytes():
    """Bytes of malloc() that are in use, of all threads. Python has memory of its own."""
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = MallocInfo
    return mallinfo2().uordblks


@pytest.mark.parametrize("capsule", ["__arrow_c_stream__", "__arrow_c_schema__"])
def test_capsules_can_be_dropped_unread(capsule):
    """A schema of 22 columns, or the fields of a stream, have over 1000 bytes."""
    make = getattr(physmem.open(SAMPLES / "shell.txt").processes, capsule)
    for _ in range(10):
        make()
    before = allocated_bytes()
    for _ in range(1000):
        make()
    assert allocated_bytes() - before < 1000 * 100


def test_dropped_stream_ends_the_thread_of_its_pages():
    def threads():
        return set(os.listdir("/proc/self/task"))

    before = threads()
    capsule = physmem.open(SAMPLES / "shell.txt").pages(batch_rows=1).__arrow_c_stream__()
    of_pages = threads() - before
    assert len(of_pages) == 1
    del capsule
    # The kernel lists a thread for a short time after it was joined.
    deadline = time.monotonic() + 60
    while of_pages & threads():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_empty_table_has_one_empty_batch():
    table = physmem.open(SAMPLES / "shell.txt").ledger
    columns, batches, error = read(table.__arrow_c_stream__())
    assert error is None and batches == 1
    assert columns == {"name": [], "pages": [], "owned": []}


def test_pages_are_a_stream_of_batches():
    snapshot = physmem.open(SAMPLES / "shell.txt")
    columns, batches, error = read(snapshot.pages(batch_rows=500).__arrow_c_stream__())
    assert error is None and batches > 1
    arrays = list(snapshot.pages())
    assert columns["pfn"] == [int(pfn) for batch in arrays for pfn in batch.pfn]


def test_error_ends_a_stream_of_pages(tmp_path):
    copy = tmp_path / "s.txt"
    copy.write_bytes((SAMPLES / "shell.txt").read_bytes())
    snapshot = physmem.open(copy)
    copy.write_bytes(b"")
    assert "has changed" in read(snapshot.pages().__arrow_c_stream__())[2]
