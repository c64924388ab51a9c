# SPDX-License-Identifier: MIT
"""The exceptions of the module. The extension module raises what exception() returns."""
import errno as _errno
import os


class Error(Exception):
    """A snapshot cannot be read. Base class of FileError and InputError.

    Its text has the place, what was found and what was expected.
    """

    def __init__(self, text="", *, file=None, line=None, column=None):
        super().__init__(text)
        self._place = (file, line, column)

    @property
    def file(self):
        """path of the file"""
        return self._place[0]

    @property
    def line(self):
        """line in the text after decompression, from 1; None if the error has no place"""
        return self._place[1]

    @property
    def column(self):
        """column in this line, from 1; None if the error has no place"""
        return self._place[2]


class FileError(Error, OSError):
    """The file cannot be opened or read, or it changed while it was read.

    errno is None if the system reported no error. By errno, the exception is also a
    FileNotFoundError, a PermissionError, an IsADirectoryError or a NotADirectoryError.
    """

    def __init__(self, text="", *, file=None, line=None, column=None, errno=None):
        super().__init__(text, file=file, line=line, column=column)
        self.filename = file
        if errno is not None:
            self.errno = errno
            self.strerror = os.strerror(errno)

    __str__ = BaseException.__str__

    def __reduce__(self):
        names = ("errno", "strerror", "filename")
        return type(self), self.args, {**vars(self), **{name: getattr(self, name) for name in names}}


class InputError(Error, ValueError):
    """The file is not a snapshot, is damaged, is cut short, or contradicts itself."""


class FileNotFound(FileError, FileNotFoundError):
    """The file does not exist."""


class NoPermission(FileError, PermissionError):
    """The user may not read the file."""


class IsADirectory(FileError, IsADirectoryError):
    """The path names a directory."""


class NotADirectory(FileError, NotADirectoryError):
    """A part of the path is not a directory."""


_BY_ERRNO = {_errno.ENOENT: FileNotFound, _errno.EACCES: NoPermission, _errno.EPERM: NoPermission,
             _errno.EISDIR: IsADirectory, _errno.ENOTDIR: NotADirectory}


def exception(text, is_input, errno, **place):
    """The exception for an error of libphysmem; errno is 0 if the system reported none."""
    if is_input:
        return InputError(text, **place)
    return _BY_ERRNO.get(errno, FileError)(text, errno=errno or None, **place)


for _kind in (Error, FileError, InputError):
    _kind.__module__ = "physmem"
