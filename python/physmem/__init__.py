# SPDX-License-Identifier: MIT
"""Reads and analyzes snapshots of a Linux system's physical memory.

    import physmem
    s = physmem.open("snap.pmc.zst")
    for process in s.processes:
        print(process.pid, process.name, process.pss)

Counts are in pages of s.info.page_size bytes. Names are valid UTF-8: in a name that is not, invalid
bytes and backslashes are written \\ooo, three octal digits.
"""
import collections.abc
import enum

from physmem._errors import Error, FileError, InputError
from physmem._physmem import (AreaRow, CgroupRow, CounterRow, FrameOwnerRow, LedgerRow, MappingRow,
                              NumberColumn, PageBatch, PageIterator, ProcessRow, RegionRow, Series,
                              Snapshot, SnapshotInfo, Table, TextColumn, UnitRow, UserRow,
                              __version__, area_flags, open, page_flags, series)


class _Flag(enum.IntFlag):
    """Flags that work with numpy's arrays of uint64: numpy 2 takes only plain numbers as such."""

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        plain = [int(value) if isinstance(value, _Flag) else value for value in inputs]
        return getattr(ufunc, method)(*plain, **options)


AreaFlag = _Flag("AreaFlag", area_flags, module=__name__)
AreaFlag.__doc__ = "Bits of AreaRow.flags."
PageFlag = _Flag("PageFlag", page_flags, module=__name__)
PageFlag.__doc__ = "Bits of the flags of pages: the kernel's, as in kernel-page-flags.h."

# The extension module defines __len__, __iter__ and __getitem__.
for _kind in (NumberColumn, Table, TextColumn):
    collections.abc.Sequence.register(_kind)
    for _name in ("__contains__", "__reversed__", "count", "index"):
        setattr(_kind, _name, getattr(collections.abc.Sequence, _name))
del area_flags, page_flags, collections, enum, _kind, _name

__all__ = ["AreaFlag", "AreaRow", "CgroupRow", "CounterRow", "Error", "FileError", "FrameOwnerRow",
           "InputError", "LedgerRow", "MappingRow", "NumberColumn", "PageBatch", "PageFlag",
           "PageIterator", "ProcessRow", "RegionRow", "Series", "Snapshot", "SnapshotInfo", "Table",
           "TextColumn", "UnitRow", "UserRow", "__version__", "open", "series"]
