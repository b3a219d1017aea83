"""A file of JSON lines, or of lines in another format, that grows, as a stream of its rows."""

from __future__ import annotations

from typing import Generic

from liven.liveobjects.channel.api.endpoints import Value, ValueClass, ValueClient
from liven.liveobjects.feeds.source.file.remembered import Remembered
from liven.liveobjects.feeds.source.file.tail import Tail, tail_capabilities, tail_path
from liven.liveobjects.feeds.source.file.tail_reader import DocumentLines, TailReader, checked_encoding
from liven.liveobjects.feeds.source.formats.format_table import FormatError, decoder
from liven.liveobjects.feeds.source.row_stream import ENDPOINT, row_type
from liven.runtime.capability import Capability
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, proxy


@proxy(id="0DB11A4F3E863F24AA0DE183C9CD9007", alias="liven:jsonl-tail", delegates=(ENDPOINT,))
class LinesTail(Generic[ValueClass]):
    """The values in the lines of the file at `path`, from its beginning, or from its end with `from_end`;
    then each new one.

    Each line is a JSON value, or a document of the named `format`: many programs write each answer of a
    server into a line. With `remember`, a restarted object goes on where it was.
    """

    Endpoint: Dual[Value[ValueClass], ValueClient[ValueClass]]

    def __init__(
        self,
        context: Context,
        path: str,
        format: str = "",  # noqa: A002 - the word of recipes
        encoding: str = "utf-8",
        from_end: bool = False,
        remember: str = "",
        rate: float = 1000.0,
    ) -> None:
        try:
            lines = DocumentLines(decoder(format, row_type(context)))
        except FormatError as error:
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
