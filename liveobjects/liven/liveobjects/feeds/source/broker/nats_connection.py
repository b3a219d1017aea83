"""A connection to a NATS server, in a thread with an event loop of its own.

NATS keeps nothing: what is sent while the connection is cut is lost.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from contextlib import suppress
from typing import Any, Final

import nats.aio.client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import SlowConsumerError

from liven.liveobjects.feeds.source.backoff import Backoff
from liven.liveobjects.feeds.source.broker.broker_stream import FIRST_PAUSE, LONGEST_PAUSE
from liven.liveobjects.feeds.source.broker.inbox import Arrival, Inbox
from liven.liveobjects.feeds.source.broker.login import LoginError, read_login
from liven.liveobjects.feeds.source.formats.decoded import Decode
from liven.liveobjects.feeds.source.host_address import HostAddress, allowed_address
from liven.runtime.library.fetching.public_address import PrivateAddressError

_CONNECTING: Final = 10
_ALIVE: Final = 10
_PENDING: Final = 2_000
_PENDING_BYTES: Final = 16 << 20
_LOOK_AGAIN: Final = 0.02
"""Seconds between two looks at a full inbox."""


class NatsConnection:
    """One connection after another, until it is stopped."""

    def __init__(
        self, address: HostAddress, subject: str, queue: str, login: str, decode: Decode, inbox: Inbox
    ) -> None:
        self._address, self._subject, self._queue, self._login = address, subject, queue, login
        self._decode, self._inbox = decode, inbox
        self._backoff = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._stopped = threading.Event()

    def start(self) -> None:
        """Connect in a thread."""
        threading.Thread(target=lambda: asyncio.run(self._run()), name="liven-nats", daemon=True).start()

    def stop(self) -> None:
        """Disconnect."""
        self._stopped.set()
        loop, stop = self._loop, self._stop
        if loop is not None and stop is not None:
            try:
                loop.call_soon_threadsafe(stop.set)
            except RuntimeError:
                return  # the thread has ended meanwhile

    async def _run(self) -> None:
        self._stop = stop = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        while not (stop.is_set() or self._stopped.is_set()):
            trouble = await self._connection(stop)
            if stop.is_set():
                return
            self._inbox.say(trouble)
            try:
                await asyncio.wait_for(stop.wait(), self._backoff.failed())
            except TimeoutError:
                continue

    async def _connection(self, stop: asyncio.Event) -> str:
        """Keep a connection until it ends; return the reason."""
        over = asyncio.Event()
        reasons = ["the connection was lost"]

        async def closed() -> None:
            over.set()

        async def failed(error: Exception) -> None:
            if isinstance(error, SlowConsumerError):
                self._inbox.drop()
            else:
                reasons.append(str(error) or type(error).__name__)

        client = nats.aio.client.Client()
        try:
            await self._connect(client, closed, failed)
        except PrivateAddressError:
            return f"{self._address.host} leads to an address of this computer or its own network"
        except (OSError, TimeoutError, ValueError, LoginError, NatsError) as error:
            await _abandoned(client)
            told = [str(error) or type(error).__name__, *reasons[1:]]
            return f"it cannot be reached: {told[-1]}"
        try:
            await client.subscribe(
                self._subject,
                self._queue,
                cb=self._message,
                pending_msgs_limit=_PENDING,
                pending_bytes_limit=_PENDING_BYTES,
            )
            await client.flush(_CONNECTING)
            if not over.is_set():
                self._backoff.worked()
                self._inbox.say("")
            await _first(stop, over)
        except (OSError, TimeoutError, ValueError, NatsError) as error:
            reasons.append(str(error) or type(error).__name__)
        finally:
            await client.close()
        return reasons[-1]

    async def _connect(self, client: Any, closed: Any, failed: Any) -> None:
        address = self._address
        loop = asyncio.get_running_loop()
        login = await loop.run_in_executor(None, read_login, self._login)
        place = await loop.run_in_executor(None, allowed_address, address)
        place = f"[{place}]" if ":" in place else place
        options: dict[str, Any] = {}
        if login is not None:
            options |= {"user": login.name, "password": login.password}
        if address.scheme == "tls":
            options |= {"tls": ssl.create_default_context(), "tls_hostname": address.host}
        # we connect again ourselves: the library would go to other servers that this one names
        await client.connect(
            f"{address.scheme}://{place}:{address.port}",
            allow_reconnect=False,
            max_reconnect_attempts=1,  # of the first connection; 0 would be no limit
            reconnect_time_wait=0,
            connect_timeout=_CONNECTING,
            ping_interval=_ALIVE,
            closed_cb=closed,
            error_cb=failed,
            name="liven",
            **options,
        )

    async def _message(self, message: Msg) -> None:
        arrival = Arrival(message.subject, self._decode(message.data), lambda: None)
        while not self._inbox.put(arrival):
            if self._stopped.is_set():
                return
            await asyncio.sleep(_LOOK_AGAIN)


async def _abandoned(client: Any) -> None:
    """Close what a failed attempt left open, which the library does not."""
    transport = client._transport
    if transport is not None:
        transport.close()
        with suppress(OSError, TimeoutError):
            await asyncio.wait_for(transport.wait_closed(), 1.0)


async def _first(*events: asyncio.Event) -> None:
    """Wait until one of the events happens."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for one in waits:
        one.cancel()
    await asyncio.gather(*waits, return_exceptions=True)
