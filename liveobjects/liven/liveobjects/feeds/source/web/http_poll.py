"""A document of a web server that is fetched again and again, as a stream of the rows that are new in it."""

from __future__ import annotations

from typing import Final, Generic

from liven.liveobjects.channel.api.endpoints import Value, ValueClass, ValueClient
from liven.liveobjects.feeds.source.backoff import Backoff
from liven.liveobjects.feeds.source.formats.decoded import Decoded
from liven.liveobjects.feeds.source.formats.format_table import FormatError, decoder, key_of
from liven.liveobjects.feeds.source.host_address import host_address, host_capabilities
from liven.liveobjects.feeds.source.row_stream import ENDPOINT, STEP, RowStream, checked_pause, row_type
from liven.liveobjects.feeds.source.web.conditional_get import Answer, PollError, Tags, get
from liven.liveobjects.feeds.source.web.new_rows import NewRows
from liven.runtime.capability import Capability
from liven.runtime.capability.capability import sends
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, proxy

PORTS: Final = {"https": 443, "http": 80}
_FASTEST: Final = 1.0
_LONGEST_PAUSE: Final = 3600.0
_MOST: Final = 64.0
_MEGABYTE: Final = 1_000_000


@proxy(id="F03051716AF0152A18800101AE5C61F8", alias="liven:http-poll", delegates=(ENDPOINT,))
class HttpPoll(Generic[ValueClass]):
    """The rows of the document at `url`, fetched `every` so many seconds, of up to so many `megabytes`.

    A server that says that nothing has changed is believed. Rows that were there before do not come again,
    and of a thing with an identity, such as an earthquake, only later versions come.
    """

    Endpoint: Dual[Value[ValueClass], ValueClient[ValueClass]]

    def __init__(
        self,
        context: Context,
        url: str,
        every: float = 60.0,
        format: str = "",  # noqa: A002 - the word of recipes
        megabytes: float = 16.0,
        rate: float = 1000.0,
    ) -> None:
        self._context = context
        self._address = host_address(url, PORTS)
        self._every = checked_pause(every, _FASTEST)
        if not 0 < megabytes <= _MOST:
            raise CallFailedError(f"a document has up to {_MOST:g} megabytes, not {megabytes:g}")
        self._most = round(megabytes * _MEGABYTE)
        try:
            self._decode = decoder(format, row_type(context))
        except FormatError as error:
            raise CallFailedError(str(error)) from None
        self._new = NewRows(key_of(format))
        self._tags = Tags()
        self._backoff = Backoff(min(self._every, _LONGEST_PAUSE), _LONGEST_PAUSE)
        self._runs = False
        self._waits = False
        self._stream = RowStream(context, rate, self._start)
        context.serve(ENDPOINT, self._stream)

    @staticmethod
    def capabilities(url: str, every: float = 60.0, megabytes: float = 16.0) -> tuple[Capability, ...]:
        """State what a recipe with these parameters reaches."""
        return *host_capabilities(url, PORTS), sends(megabytes * _MEGABYTE / max(every, _FASTEST))

    def _start(self) -> None:
        if not self._runs:
            self._runs = True
            self._context.spawn(self._run())

    async def _run(self) -> None:
        while self._context.connected(ENDPOINT):
            if self._waits:
                await self._context.sleep(STEP)
                continue
            pause = self._every
            try:
                answer = await self._context.work(get, self._address, self._tags, self._most)
                await self._took(answer)
                self._backoff.worked()
                self._stream.faults.fine()
            except PollError as error:
                self._stream.faults.trouble(f"{self._address.url}: {error}", error.advice)
                pause = max(self._every, self._backoff.failed(error.pause))
            await self._context.sleep(pause)
        self._runs = False

    async def _took(self, answer: Answer) -> None:
        """Give the new rows of a document; raise PollError if nothing of it can be used."""
        if answer.data is None:
            return
        found: Decoded = await self._context.work(self._decode, answer.data)
        if found.refused and not found.rows and found.faults[0].row == 0:
            raise PollError(str(found.faults[0]))
        self._tags = answer.tags
        for fault in found.faults:
            self._stream.faults.refuse(f"{self._address.url}, row {fault.row:,}", fault.reason)
        self._stream.faults.count(found.refused - len(found.faults))
        self._waits = True
        self._stream.give(self._new.of(found.rows), self._given)

    def _given(self) -> None:
        self._waits = False
