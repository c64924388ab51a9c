# SPDX-License-Identifier: MIT
"""Files that are damaged, cut short or no snapshot; the interpreter's lock; kinds of paths."""
import copy
import errno
import os
import pathlib
import pickle
import subprocess
import threading

import pytest

import physmem
from analyzer import SAMPLES

SHELL = SAMPLES / "shell.txt"


def error_of(path):
    with pytest.raises(physmem.Error) as raised:
        physmem.open(path)
    assert raised.value.file == str(path)
    return raised.value


def test_error_has_file_line_and_column(tmp_path):
    lines = SHELL.read_text().splitlines(keepends=True)
    number = next(i for i, line in enumerate(lines) if line.startswith("V: "))
    lines[number] = "V: 0000000G" + lines[number][11:]
    bad = tmp_path / "bad.txt"
    bad.write_text("".join(lines))
    error = error_of(bad)
    assert (error.line, error.column) == (number + 1, 4)
    assert str(error).startswith(f"{bad}:{number + 1}:4: V: ")


def test_missing_file_and_directory_have_no_line(tmp_path):
    for path in (tmp_path / "nothing", tmp_path):
        error = error_of(path)
        assert error.line is None and error.column is None


def test_missing_file_is_an_os_error(tmp_path):
    path = tmp_path / "nothing"
    with pytest.raises(FileNotFoundError) as raised:
        physmem.open(path)
    error = raised.value
    assert isinstance(error, physmem.FileError) and not isinstance(error, ValueError)
    assert (error.errno, error.filename) == (errno.ENOENT, str(path))
    assert error.strerror == os.strerror(errno.ENOENT)
    assert str(error) == f"{path}: cannot open: {error.strerror}"


@pytest.mark.parametrize("path, kind, number", [
    (SAMPLES, IsADirectoryError, errno.EISDIR),
    (SHELL / "s.txt", NotADirectoryError, errno.ENOTDIR),
    (SAMPLES / ("s" * 300), OSError, errno.ENAMETOOLONG)])
def test_error_of_the_system_has_its_number(path, kind, number):
    with pytest.raises(kind) as raised:
        physmem.series(path)
    assert isinstance(raised.value, physmem.FileError)
    assert raised.value.errno == number


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_unreadable_file_is_a_permission_error(tmp_path):
    path = tmp_path / "s.txt"
    path.write_bytes(SHELL.read_bytes())
    path.chmod(0)
    with pytest.raises(PermissionError):
        physmem.open(path)


def test_bad_input_is_a_value_error(tmp_path):
    path = tmp_path / "s.txt"
    path.write_text("hello\n")
    with pytest.raises(ValueError) as raised:
        physmem.open(path)
    assert isinstance(raised.value, physmem.InputError)
    assert not isinstance(raised.value, OSError)


def test_error_of_a_caller_has_no_place():
    for kind in (physmem.Error, physmem.FileError, physmem.InputError):
        error = kind("x")
        assert str(error) == "x"
        assert error.file is None and error.line is None and error.column is None
    assert physmem.FileError("x").errno is None


def test_errors_can_be_pickled_and_copied(tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text("hello\n")
    for error in (error_of(bad), error_of(tmp_path / "nothing")):
        for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert type(other) is type(error)
            for name in ("args", "file", "line", "column"):
                assert getattr(other, name) == getattr(error, name)
            assert str(other) == str(error)
            for name in ("errno", "strerror", "filename"):
                assert getattr(other, name, None) == getattr(error, name, None)


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\x28\xb5\x2f\xfd", b"\0" * 100])
def test_file_that_is_no_snapshot(tmp_path, content):
    path = tmp_path / "other"
    path.write_bytes(content)
    error_of(path)


@pytest.mark.parametrize("name", ["shell.txt", "desk.txt.zst", "ram-split.pmc.zst"])
def test_cut_file(tmp_path, name):
    whole = (SAMPLES / name).read_bytes()
    for kept in (1, len(whole) // 3, len(whole) - 1):
        path = tmp_path / f"{kept}-{name}"
        path.write_bytes(whole[:kept])
        error_of(path)


def test_cut_compact_file(tmp_path):
    compact = tmp_path / "s.pmc"
    subprocess.run([os.environ["PHYSMEM_CONVERT"], "-o", compact, SHELL], check=True)
    assert len(physmem.open(compact).processes) == len(physmem.open(SHELL).processes)
    cut = tmp_path / "cut.pmc"
    cut.write_bytes(compact.read_bytes()[:-20])
    assert error_of(cut).line is not None


def test_paths_of_all_kinds(tmp_path, monkeypatch):
    for path in (str(SHELL), SHELL, os.fsencode(SHELL)):
        snapshot = physmem.open(path)
        assert snapshot.path == pathlib.Path(os.fsdecode(path))
    with pytest.raises(TypeError):
        physmem.open(3)
    odd = os.fsencode(tmp_path) + b"/\xff.txt"
    with open(odd, "wb") as file:
        file.write(SHELL.read_bytes())
    snapshot = physmem.open(odd)
    assert snapshot.processes and os.fsencode(snapshot.path) == odd
    assert "\\udcff.txt" in repr(snapshot)
    with open(odd, "wb") as file:
        file.write(b"no snapshot\n")
    with pytest.raises(physmem.Error) as raised:
        physmem.open(odd)
    assert os.fsencode(raised.value.file) == odd
    # Not standard input.
    monkeypatch.chdir(tmp_path)
    error_of("-")


@pytest.mark.parametrize("reader", [physmem.open, lambda path: next(physmem.series(path))])
def test_other_threads_run_while_a_file_is_read(tmp_path, reader):
    """Only another thread writes the pipe that is read, so a lock that is held is a deadlock."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    text = SHELL.read_bytes()

    def write():
        with open(pipe, "wb") as file:
            for begin in range(0, len(text), 4096):
                file.write(text[begin:begin + 4096])

    writer = threading.Thread(target=write)
    writer.start()
    assert len(reader(pipe).processes) == len(physmem.open(SHELL).processes)
    writer.join()


def test_threads_share_a_snapshot_and_an_iterator():
    snapshot = physmem.open(SHELL)
    pages = snapshot.pages(batch_rows=16)
    rows = [0] * 4

    def use(number):
        for batch in pages:
            rows[number] += len(batch)
        assert [row.pid for row in snapshot.processes]

    threads = [threading.Thread(target=use, args=[i]) for i in range(len(rows))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(rows) == sum(len(batch) for batch in snapshot.pages())
