"""A CSV that grows, as a stream of its rows."""

from __future__ import annotations

from typing import Generic

from liven.liveobjects.channel.api.endpoints import Value, ValueClass, ValueClient
from liven.liveobjects.feeds.source.file.remembered import Remembered
from liven.liveobjects.feeds.source.file.tail import Tail, tail_capabilities, tail_path
from liven.liveobjects.feeds.source.file.tail_reader import TableLines, TailReader, checked_encoding
from liven.liveobjects.feeds.source.formats.decoded import FieldError
from liven.liveobjects.feeds.source.formats.format_table import FormatError, cells_reader
from liven.liveobjects.feeds.source.row_stream import ENDPOINT, row_type
from liven.runtime.capability import Capability
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, proxy


@proxy(id="57F4616C4E6D18086A8F0158512A5E2B", alias="liven:csv-tail", delegates=(ENDPOINT,))
class CsvTail(Generic[ValueClass]):
    """The rows of the CSV at `path`, from its beginning, or from its end with `from_end`; then each new one.

    Columns go to the fields of the same name; `format` names a format that knows better. A file without a
    heading has its `columns` here, with commas. With `remember`, a restarted object goes on where it was.
    """

    Endpoint: Dual[Value[ValueClass], ValueClient[ValueClass]]

    def __init__(
        self,
        context: Context,
        path: str,
        format: str = "",  # noqa: A002 - the word of recipes
        columns: str = "",
        encoding: str = "utf-8",
        from_end: bool = False,
        remember: str = "",
        rate: float = 1000.0,
    ) -> None:
        try:
            lines = TableLines(cells_reader(format, row_type(context)), columns)
        except (FormatError, FieldError) as error:
            raise CallFailedError(str(error)) from None
        found = tail_path(path)
        reader = TailReader(found, lines, checked_encoding(encoding), Remembered(remember), at_end=from_end)
        self._tail = Tail(context, found, reader, rate)
        context.serve(ENDPOINT, self._tail.stream)

    @staticmethod
    def capabilities(path: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return tail_capabilities(path)

    def on_end(self) -> None:
        """Remember the position."""
        self._tail.end()
