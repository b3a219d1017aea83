"""A derivation: the result of a query on a feed, computed by one of the members that have the feed.

Members without the feed do nothing; they hear the result on a channel if somebody publishes it there. Of
those that have it, and whose people allowed the query, the oldest one of `group` runs it."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.api.endpoints import Value, ValueClient
from liven.liveobjects.feeds.derivation.feed_query import checked_options, feed_is_here
from liven.liveobjects.feeds.derivation.latest_table import LatestTable
from liven.liveobjects.feeds.derivation.turn import Turn
from liven.liveobjects.table.value import Table
from liven.runtime.capability.capability import Capability, joins_channel
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.types.declare import Dual, Int32, proxy

QUERY: Final = "liven:feed-query"
ENDPOINT: Final = "Endpoint"
RESULT: Final = "result"
LOOK_EVERY: Final = 2.0
"""Seconds between two looks for the feed."""


@proxy(id="1FFBF6FFD54F1B4135476328C2B57BC6", alias="liven:derivation", delegates=(ENDPOINT,))
class Derivation:
    """The result of a query on a feed, as a stream of tables. The parameters are those of `liven:feed-query`.

    It waits until this computer has the feed, and asks before the query runs. With `group`, the name of a
    group, only the oldest of all members that could run the query does.
    """

    Endpoint: Dual[Value[Table], ValueClient[Table]]
    result: Dual[ValueClient[Table], Value[Table]]

    def __init__(
        self,
        context: Context,
        feed: str,
        query: str,
        every: float = 1.0,
        keys: str = "",
        since: str = "",
        rows: Int32 = 1000,
        lateness: str = "10s",
        group: str = "",
    ) -> None:
        checked_options(every, keys, since, rows, lateness)
        self.context = context
        self._feed = feed
        texts = {"feed": feed, "query": query, "keys": keys, "since": since, "lateness": lateness}
        given = [Parameter(name, Plain("string", text)) for name, text in texts.items()]
        given += [
            Parameter("every", Plain("double", repr(every))),
            Parameter("rows", Plain("int", str(rows))),
        ]
        self._recipe = Reference(QUERY, tuple(given))
        self._turn = Turn(context, group, self._settle)
        self._is_here = False
        self._refused = False
        """True after a no, or an error of the recipe: it is not asked again."""
        self._asked: Reply[ProxyHandle] | None = None
        self._handle: ProxyHandle | None = None
        self._output = _Output(context)
        self._complained = False
        context.serve(ENDPOINT, self._output)
        context.call_soon(self._look)

    @staticmethod
    def capabilities(group: str = "") -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches; the query states its own when it is to run."""
        return joins_channel(group) if group else ()

    def on_end(self) -> None:
        """Stop the query."""
        self._stop()
        self._turn.leave()

    def set(self, value: Table) -> None:
        """Take a result from the query, and pass it on."""
        self._output.give(value)

    def _look(self) -> None:
        """Look for the feed, now and again."""
        self.context.work(feed_is_here, self._feed).then(self._looked)
        self.context.call_later(LOOK_EVERY, self._look)

    def _looked(self, answer: Reply[bool]) -> None:
        self._is_here = answer.error is None and answer.value()
        if not (self._is_here or self._turn.is_in_group or self._complained):
            self._complained = True
            what = f"the query does not run here: this computer has no feed {self._feed}"
            self.context.report(what, "record it, or look at the result of somebody who has it")
        self._settle()

    def _settle(self) -> None:
        """Run the query, or stop it, as things are now."""
        if self._handle is not None and not self.context.connected(RESULT):
            self._stop()  # it ended by an error, and is built again
        if not self._is_here or self._refused:
            self._stop()
            self._turn.leave()
            return
        self._turn.join()
        if not self._turn.is_mine:
            self._stop()
        elif self._asked is None:
            self._asked = self.context.dereference(self._recipe, "query")
            self._asked.then(self._built)

    def _built(self, done: Reply[ProxyHandle]) -> None:
        if self._asked is None or self.context.ended:
            return
        if done.error is not None:  # the loader has reported it
            self._refused = True
            self._settle()
            return
        self._handle = done.value()
        try:
            self.context.connect(RESULT, self._handle.endpoint(ENDPOINT))
        except ObjectRuntimeError as error:
            self.context.report(f"the query is not connected: {error}", "restart the object")
            self._refused = True
            self._settle()

    def _stop(self) -> None:
        asked, self._asked = self._asked, None
        handle, self._handle = self._handle, None
        if asked is not None:
            asked.cancel()
        if handle is not None:
            handle.close()


class _Output(LatestTable):
    """The value stream of a derivation."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def give(self, table: Table) -> None:
        """Send a table."""
        self.latest = table
        if self._context.connected(ENDPOINT):
            self._context.send_once(ENDPOINT, "set", table)

    def connected(self) -> None:
        """Send the latest table."""
        if self.latest is not None:
            self._context.send_once(ENDPOINT, "set", self.latest)
