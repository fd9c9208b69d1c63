"""Reading ahead: the next batch is prepared in a thread while this one is counted."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterable
from typing import TypeVar

T = TypeVar("T")

_DEPTH = 2  # items that wait at most
_PATIENCE = 0.1  # seconds after which the thread looks whether anybody still waits


class _End:
    """The last thing in the queue: the items are used up, or making one failed."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def read_ahead(items: Iterable[T]) -> Generator[T]:
    """Yield the same items in the same order, made in a thread of their own.

    An error is raised where its item would have been. When the iterator is closed, or is left
    because of Ctrl-C, the thread ends and closes what it was reading.

    Parameters
    ----------
    items : iterable
        Whatever takes time to make, such as the batches of a file.

    Returns
    -------
    generator
        The items.
    """
    ready: queue.Queue[T | _End] = queue.Queue(_DEPTH)
    stop = threading.Event()

    def put(item: T | _End) -> bool:
        while not stop.is_set():
            try:
                ready.put(item, timeout=_PATIENCE)
            except queue.Full:
                continue
            return True
        return False

    def work() -> None:
        error: BaseException | None = None
        source = iter(items)
        try:
            while (item := next(source, stop)) is not stop:
                if not put(item):  # type: ignore[arg-type]
                    break
        except BaseException as raised:  # raised again for the reader of the queue
            error = raised
        finally:
            close = getattr(source, "close", None)
            if close is not None:
                close()
        put(_End(error))

    thread = threading.Thread(target=work, name="rocspace-read-ahead", daemon=True)
    thread.start()
    try:
        while not isinstance(item := ready.get(), _End):
            yield item
        if item.error is not None:
            raise item.error
    finally:
        stop.set()
        thread.join()
