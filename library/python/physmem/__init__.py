# SPDX-License-Identifier: MIT
"""Reads and analyzes snapshots of a Linux system's physical memory.

    import physmem
    s = physmem.open("snap.pmc.zst")
    for process in s.processes:
        print(process.pid, process.name, process.pss)

Counts are in pages of s.info.page_size bytes. Names are valid UTF-8: control characters and invalid
bytes are written \\ooo, three octal digits. name_bytes() returns the name itself.
"""
import enum
import re as _re

from physmem._errors import Error, FileError, InputError
from physmem._physmem import (AreaChangeRow, AreaRow, CgroupRow, CounterRow, Difference,
                              FrameOwnerRow, LedgerRow, MappingRow, NumberColumn, PageBatch,
                              PageIterator, ProcessChangeRow, ProcessRow, RegionRow, Series,
                              Snapshot, SnapshotInfo, Table, TextColumn, UnitChangeRow, UnitRow,
                              UserRow, __version__, area_flags, diff, open, page_flags, series)


class _Flag(enum.IntFlag):
    """Flags that work with numpy's arrays of uint64: numpy 2 takes only plain numbers as such."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        plain = [int(value) if isinstance(value, _Flag) else value for value in inputs]
        return getattr(ufunc, method)(*plain, **options)


AreaFlag = _Flag("AreaFlag", area_flags, module=__name__)
AreaFlag.__doc__ = "Bits of AreaRow.flags."
PageFlag = _Flag("PageFlag", page_flags, module=__name__)
PageFlag.__doc__ = "Bits of the flags of pages: the kernel's, as in kernel-page-flags.h."


def name_bytes(name):
    """Returns the bytes of a name as the kernel has it: undoes the escapes \\ooo."""
    return _re.sub(rb"\\([0-3][0-7]{2})", lambda match: bytes([int(match[1], 8)]), name.encode())


def _row(kind, values):
    """Returns a row that was pickled. A row has names as bytes, and writes their escapes."""
    return kind._of(tuple(name_bytes(value) if isinstance(value, str) else value
                          for value in values))


del area_flags, page_flags, enum

__all__ = ["AreaChangeRow", "AreaFlag", "AreaRow", "CgroupRow", "CounterRow", "Difference", "Error",
           "FileError", "FrameOwnerRow", "InputError", "LedgerRow", "MappingRow", "NumberColumn",
           "PageBatch", "PageFlag", "PageIterator", "ProcessChangeRow", "ProcessRow", "RegionRow",
           "Series", "Snapshot", "SnapshotInfo", "Table", "TextColumn", "UnitChangeRow", "UnitRow",
           "UserRow", "__version__", "diff", "name_bytes", "open", "series"]
