"""What the reader of text gives away, it gets back before a program can end."""

import io
import threading
import time
from sys import getrefcount

import pytest

from rocspace.io import files, sniff, text

ROWS = "".join(f"{i % 2},{i / 7:.9f}\n" for i in range(200_000))


def watched(tmp_path, content):
    path = tmp_path / "c.csv"
    path.write_text(content)
    return text._Watched(sniff.look(path), io.BytesIO(content.encode()))


@pytest.mark.parametrize("what", ["a block", "the stream"])
def test_waits_for_a_thread_that_still_holds_something(tmp_path, what):
    stream = watched(tmp_path, "label,score\n1,2\n")
    held = [stream.lend().read(8) if what == "a block" else stream.lend()]
    dropped = []

    def drop():
        time.sleep(0.05)
        dropped.append(True)
        held.clear()

    thread = threading.Thread(target=drop)
    thread.start()
    stream.wait()
    assert dropped
    assert not held
    thread.join()


def test_waits_for_nothing_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "_PATIENCE", 0.02)
    stream = watched(tmp_path, "label,score\n1,2\n")
    block = stream.lend().read(8)
    stream.wait()
    assert block == b"label,sc"


@pytest.mark.parametrize("end", ["the last row", "closed early", "a bad value"])
def test_no_block_outlives_the_reading(tmp_path, monkeypatch, end):
    blocks, read = [], text._Watched.read

    def kept(self, size=-1):
        blocks.append(read(self, size))
        return blocks[-1]

    monkeypatch.setattr(text._Watched, "read", kept)
    monkeypatch.setattr(text, "_UNLENT", text._UNLENT + 1)  # this test holds each block too
    path = tmp_path / "c.csv"
    path.write_text("label,score\n" + ROWS + ("1,high\n" if end == "a bad value" else "") + ROWS)
    batches = files.read_batches(path, ["label", "score"], batch_rows=10_000)
    next(batches)
    if end == "closed early":
        batches.close()
    elif end == "a bad value":
        with pytest.raises(ValueError, match="holds 'high'"):
            list(batches)
    else:
        assert sum(len(batch) for batch in batches) > 300_000
    assert len(blocks) > 3
    # The last block of all may be named by a frame that the error remembers.
    assert sum(getrefcount(block) > text._UNLENT for block in blocks if block) <= 1
