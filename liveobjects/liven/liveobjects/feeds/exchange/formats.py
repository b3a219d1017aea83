"""The formats by name and by the ending of a file, and writing and reading one of them with bounded
memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from io import BufferedReader, FileIO
from pathlib import Path
from typing import BinaryIO, Final

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry
from liven.liveobjects.feeds.errors import BadUseError
from liven.liveobjects.feeds.exchange.compression import INSTALL, MissingLibraryError, has_codecs
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block import Block
from liven.runtime.files import open_regular


class UnknownFormatError(BadUseError):
    """No format has this name, or this ending of a file."""


class Format(Enum):
    """The formats."""

    JSON_LINES = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    MCAP = "mcap"


_ENDINGS: Final[Mapping[str, Format]] = {
    ".jsonl": Format.JSON_LINES,
    ".ndjson": Format.JSON_LINES,
    ".csv": Format.CSV,
    ".parquet": Format.PARQUET,
    ".mcap": Format.MCAP,
}
Batch = Block | Sequence[Record]


@dataclass(slots=True)
class Source:
    """Records from a file, with the types that the file describes once all were read."""

    batches: Iterator[tuple[Batch, int]]
    """Some records at a time, each time with how much of `whole` was read by then."""
    whole: int
    unit: str
    types: dict[str, TypeEntry] = field(default_factory=dict)


def format_of(path: Path, name: str | None) -> Format:
    """Return the format of a file by the name given, or by its ending; raise UnknownFormatError."""
    known = ", ".join(each.value for each in Format)
    if name is not None:
        try:
            return Format(name)
        except ValueError:
            raise UnknownFormatError(f"{name!r} is no format; use {known}") from None
    found = _ENDINGS.get(path.suffix.lower())
    if found is None:
        raise UnknownFormatError(f"{path}: its ending says no format; name one by --format: {known}")
    return found


def write_format(kind: Format, blocks: Iterable[Block], out: BinaryIO, description: FeedDescription) -> None:
    """Write records to an open file; raise OSError or MissingLibraryError."""
    if kind is Format.JSON_LINES:
        from liven.liveobjects.feeds.exchange.json_lines import write_json_lines

        write_json_lines(blocks, out)
    elif kind is Format.CSV:
        from liven.liveobjects.feeds.exchange.csv_table import write_csv

        write_csv(blocks, out)
    elif kind is Format.MCAP:
        from liven.liveobjects.feeds.exchange.mcap.mapping import write_mcap

        write_mcap(blocks, out, description, "zstd" if has_codecs() else "")
    else:
        demand_pyarrow()
        from liven.liveobjects.feeds.exchange.parquet import write_parquet

        write_parquet(blocks, out, description)


@contextmanager
def opened_source(kind: Format, path: Path) -> Iterator[Source]:
    """Open a file of records; raise OSError, MissingLibraryError, or FeedError, also while they are read."""
    if kind is Format.PARQUET:
        demand_pyarrow()
    with open_regular(path) as file:
        size = path.stat().st_size
        if kind is Format.PARQUET:
            yield _parquet_source(file, path)
            return
        with BufferedReader(file) as buffered:
            if kind is Format.MCAP:
                from liven.liveobjects.feeds.exchange.mcap.mapping import McapRecords

                records = McapRecords(buffered, str(path))
                yield Source(_measured(records.batches(), buffered.tell), size, "bytes", records.types)
                return
            from liven.liveobjects.feeds.exchange.csv_table import read_csv
            from liven.liveobjects.feeds.exchange.json_lines import read_json_lines

            read = read_json_lines if kind is Format.JSON_LINES else read_csv
            yield Source(_measured(read(buffered, str(path)), file.tell), size, "bytes")


def demand_pyarrow() -> None:
    """Raise MissingLibraryError, with how to get it, if pyarrow is not installed."""
    if not has_codecs():
        raise MissingLibraryError(f"Parquet needs pyarrow; {INSTALL}")


def _parquet_source(file: FileIO, path: Path) -> Source:
    from liven.liveobjects.feeds.exchange.parquet import ParquetRecords

    records = ParquetRecords(file, str(path))

    def batches() -> Iterator[tuple[Batch, int]]:
        done = 0
        for block in records.blocks():
            done += len(block)
            yield block, done

    return Source(batches(), records.rows, "records", records.types)


def _measured(batches: Iterator[list[Record]], tell: Callable[[], int]) -> Iterator[tuple[Batch, int]]:
    for batch in batches:
        yield batch, tell()
