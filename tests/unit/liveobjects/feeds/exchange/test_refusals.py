"""Files that hold no records: each is refused with what, where and what to do, and nothing is left of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from liven.liveobjects.feeds.description import FeedDescription
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.exchange.compression import CompressionError, decompress
from liven.liveobjects.feeds.exchange.formats import Format, UnknownFormatError, format_of
from liven.liveobjects.feeds.exchange.transfer import (
    ExistingRecorderError,
    chosen_blocks,
    export,
    import_file,
)
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.filter import RecordFilter
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter

GOOD = b'{"received": 5, "object": "o", "value": 1}\n'


@pytest.fixture
def feed(tmp_path: Path) -> FeedFolder:
    return FeedFolder(tmp_path / "feed")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "line 2: it is not JSON"),
        (b"[" * 100_000, "line 2: it is nested too deep"),
        (b"\xff\xfe", "line 2: it is not JSON"),
        (b"[1]", "line 2: it is not an object"),
        (b'{"object": "o"}', "line 2: it has no `received`; it has object"),
        (b'{"received": "noon"}', "its received, 'noon', is no time"),
        (b'{"received": 1.5}', "its received, 1.5, is not a whole number"),
        (b'{"received": true}', "is not a whole number"),
        (b'{"received": 1, "object": 7}', "its object, 7, is not a text"),
        (b'{"received": 1, "flags": ["red"]}', "its flag, 'red', is not a whole number"),
        (b'{"received": 1, "payload": "!"}', "'!' is not base64"),
        (b'{"received": 1, "value": 99999999999999999999999}', "its value cannot be stored"),
        (b'{"received": 1, "serial": -1}', "its serial"),
        (b'{"received": 1, "author": "\\ud800"}', "half a character"),
        (b'{"received": 1, "flags": ["aside"]}', "leave it out"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_left(
    feed: FeedFolder, tmp_path: Path, line: bytes, says: str
) -> None:
    file = tmp_path / "some.jsonl"
    file.write_bytes(GOOD + line + b"\n")
    with pytest.raises(FeedError, match=re.escape(says)):
        import_file(Format.JSON_LINES, file, feed, "import")
    assert not feed.path.exists() or list(feed.path.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        (Format.CSV, b"time,object\n1,o\n", "row 1: it has no `received`; it has time, object"),
        (Format.CSV, b"received\n1\n2,3\n", "row 2: it has more fields"),
        (Format.CSV, b'received,value\n1,"{"\n', "row 1: its value is not JSON"),
        (Format.CSV, b'received\n"1\n', "row 0: unexpected end of data"),
        (Format.CSV, b"received\n\xff\n", "utf-8"),
        (Format.MCAP, b"", "it is not an MCAP file"),
        (Format.MCAP, b"\x89MCAP0\r\n", "byte 8: the file ends in the middle"),
        (Format.MCAP, b"\x89MCAP0\r\n\x05\xff\xff\xff\xff\xff\xff\xff\x7f", "a record is too long"),
        (Format.PARQUET, b"PAR1 not really", "not a whole Parquet file"),
    ],
)
def test_a_file_without_records_is_refused(
    feed: FeedFolder, tmp_path: Path, kind: Format, data: bytes, says: str
) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)
    with pytest.raises(FeedError, match=says):
        import_file(kind, file, feed, "import")
    assert not feed.path.exists() or list(feed.path.iterdir()) == []


def test_a_pipe_is_refused(feed: FeedFolder, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a pipe or a device"):
        import_file(Format.JSON_LINES, tmp_path / "pipe", feed, "import")


def test_an_existing_recording_is_kept_unless_it_is_added_to(feed: FeedFolder, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_bytes(GOOD)
    import_file(Format.JSON_LINES, file, feed, "import")
    with pytest.raises(
        ExistingRecorderError, match="feed/import exists already; choose another name by --as"
    ):
        import_file(Format.JSON_LINES, file, feed, "import")
    import_file(Format.JSON_LINES, file, feed, "import", append=True)
    assert Log(feed.recorder("import")).end == 2


def test_an_interrupted_export_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    with LogWriter(tmp_path / "log") as writer:
        writer.append(Record(1, 1, "o", "c", "a", "t", 1, 0, b""))
    target = tmp_path / "out.csv"
    target.write_text("before")

    def failing() -> object:
        yield from chosen_blocks(Log(tmp_path / "log"), None, None, RecordFilter())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export(Format.CSV, failing(), target, FeedDescription())  # type: ignore[arg-type]
    assert target.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "out.csv"]


def test_formats_are_known_by_ending_and_by_name() -> None:
    assert format_of(Path("a.MCAP"), None) is Format.MCAP
    assert format_of(Path("a.ndjson"), None) is Format.JSON_LINES
    assert format_of(Path("a.txt"), "csv") is Format.CSV
    with pytest.raises(
        UnknownFormatError, match=r"a\.txt: its ending says no format; name one by --format: jsonl"
    ):
        format_of(Path("a.txt"), None)


def test_unknown_compression_is_refused() -> None:
    with pytest.raises(CompressionError, match="compressed as 'brotli', which Liven does not read"):
        decompress("brotli", b"", 1)
    with pytest.raises(CompressionError, match="damaged"):
        decompress("zstd", b"not zstd at all", 100)


_WITHOUT = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "pyarrow":
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
from liven.app.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("name", "code"), [("out.parquet", 1), ("out.mcap", 0), ("out.csv", 0), ("out.jsonl", 0)]
)
def test_without_pyarrow_only_parquet_is_refused_with_how_to_get_it(
    tmp_path: Path, name: str, code: int
) -> None:
    with LogWriter(tmp_path / "feed" / "ann") as writer:
        writer.append(Record(1, 1, "o", "c", "a", "t", 1, 0, b"\xc0"))
    words = ["feeds", "export", str(tmp_path / "feed"), str(tmp_path / name)]
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert (tmp_path / name).exists() is (code == 0)
    if code:
        assert done.stderr == "liven: Parquet needs pyarrow; install it with: pip install 'liven[feeds]'\n"


def test_memory_of_an_export_is_that_of_a_block(tmp_path: Path) -> None:
    """Blocks are taken one at a time, never the whole log."""
    with LogWriter(tmp_path / "log") as writer:
        writer.extend(Record(n, n, "o", "c", "a", "t", n, 0, bytes(100)) for n in range(30_000))
    out: list[int] = []
    held = 0

    def counted() -> object:
        nonlocal held
        for block in chosen_blocks(Log(tmp_path / "log"), None, None, RecordFilter()):
            held += 1
            yield _Watched(block, out)

    from liven.liveobjects.feeds.exchange.json_lines import write_json_lines

    with (tmp_path / "out").open("wb") as file:
        write_json_lines(counted(), file)  # type: ignore[arg-type]
    assert held == 4
    assert out == sorted(out)


class _Watched:
    """A block that notes when it is read."""

    def __init__(self, block: Block, out: list[int]) -> None:
        self._block, self._out = block, out
        self.first = block.first

    def records(self) -> object:
        self._out.append(self.first)
        return self._block.records()


def test_what_a_killed_import_left_is_deleted_by_the_next_one(feed: FeedFolder, tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_bytes(GOOD)
    LogWriter(feed.path / ".liven-killed").close()
    with LogWriter(feed.path / ".liven-running"):
        import_file(Format.JSON_LINES, file, feed, "import")
    assert sorted(one.name for one in feed.path.iterdir() if one.is_dir()) == [".liven-running", "import"]
