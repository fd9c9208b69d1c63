"""A file on its way from the browser into the private folder, part by part.

It is written as it comes, so it is never in another folder and never whole in memory.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import IO, Any

from rocspace._base.optional import require
from rocspace.web.limits import megabytes

_HEADER = 8192  # bytes of the headers of a part
_FRAME = 1 << 16  # bytes of a request beside the file itself
_DIGITS = 20  # of the number of bytes of a request


class UploadError(Exception):
    """A file that is not taken; `status` is that of the answer."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def check_size(length: str | None, size: int) -> None:
    """Refuse a file by the length that the request says, before any of it is read."""
    if length is None or not length.isdecimal():
        return
    if len(length) > _DIGITS or int(length) > size + _FRAME:
        raise too_large(size)


def too_large(size: int) -> UploadError:
    """Return what is said of a file that is too large."""
    said = (
        f"The file is larger than {megabytes(size)}, the limit of this page. Use the command line, "
        "which reads files of any size, or leave out columns."
    )
    return UploadError(said, 413)


class _Receiver:
    """Takes the pieces of a multipart request, and writes the one file in it."""

    def __init__(self, place: Callable[[str], Path], size: int) -> None:
        self._place = place
        self._size = size
        self._field = b""
        self._value = b""
        self._disposition = b""
        self._file: IO[bytes] | None = None
        self._begun = False
        self.written = 0
        self.done = False

    def callbacks(self) -> dict[str, Any]:
        return {
            "on_part_begin": self._part,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_header_end": self._header,
            "on_headers_finished": self._begin,
            "on_part_data": self._data,
            "on_part_end": self.close,
            "on_end": self._end,
        }

    def _part(self) -> None:
        self._disposition = b""

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._field = _bounded(self._field + data[start:end])

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value = _bounded(self._value + data[start:end])

    def _header(self) -> None:
        if self._field.lower() == b"content-disposition":
            self._disposition = self._value
        self._field = self._value = b""

    def _begin(self) -> None:
        options = require("python_multipart.multipart", extra="web")
        _, said = options.parse_options_header(self._disposition)
        name = said.get(b"filename")
        if name is None or self._begun:
            msg = "Send one file, and nothing else."
            raise UploadError(msg)
        self._begun = True
        path = self._place(name.decode("utf-8", errors="replace"))
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(handle, "wb")

    def _data(self, data: bytes, start: int, end: int) -> None:
        assert self._file is not None
        self.written += end - start
        if self.written > self._size:
            raise too_large(self._size)
        self._file.write(data[start:end])

    def _end(self) -> None:
        self.done = True

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _bounded(text: bytes) -> bytes:
    if len(text) > _HEADER:
        msg = "This request is not one that the page makes."
        raise UploadError(msg)
    return text


async def receive(
    stream: AsyncIterator[bytes], content_type: str, place: Callable[[str], Path], *, size: int
) -> int:
    """Write the file of a multipart request to the place that is given for its name."""
    parsing = require("python_multipart.multipart", extra="web")
    kind, options = parsing.parse_options_header(content_type.encode("latin-1"))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        msg = "Send the file as a form does: multipart/form-data."
        raise UploadError(msg, 415)
    taker = _Receiver(place, size)
    try:
        parser = parsing.MultipartParser(options[b"boundary"], taker.callbacks())
        async for chunk in stream:
            parser.write(chunk)
        parser.finalize()
    except parsing.FormParserError:
        msg = "The file did not arrive whole. Try again."
        raise UploadError(msg) from None
    except OSError as error:
        said = (
            f"The file could not be kept: {error.strerror}. Make room on the disk, and try again."
        )
        raise UploadError(said, 507) from None
    finally:
        taker.close()
    if not taker.done:
        msg = "The file did not arrive whole. Try again."
        raise UploadError(msg)
    return taker.written
