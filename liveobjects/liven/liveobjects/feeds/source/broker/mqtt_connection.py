"""A connection to an MQTT broker, version 5, in a thread of its own.

The broker keeps the session for an hour: what is sent with quality 1 while the connection is cut comes
afterwards. A message is acknowledged when its rows have been given, so that a broker never sends more than
fit the inbox.
"""

from __future__ import annotations

import secrets
import socket
import ssl
import threading
from typing import Any, Final

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from liven.liveobjects.feeds.source.backoff import Backoff
from liven.liveobjects.feeds.source.broker.broker_stream import FIRST_PAUSE, LONGEST_MESSAGE, LONGEST_PAUSE
from liven.liveobjects.feeds.source.broker.inbox import Arrival, Inbox
from liven.liveobjects.feeds.source.broker.login import LoginError, read_login
from liven.liveobjects.feeds.source.formats.decoded import Decode
from liven.liveobjects.feeds.source.host_address import HostAddress
from liven.runtime.library.fetching.public_address import PrivateAddressError, connect_public

IN_FLIGHT: Final = 500
"""Messages that the broker may send before the first of them is acknowledged."""
_KEPT: Final = 3600
"""Seconds for which the broker keeps the session."""
_ALIVE: Final = 20
_CONNECTING: Final = 10.0


class MqttSession:
    """The session of one object, which outlives connections: who it is, and what it holds already."""

    def __init__(self) -> None:
        self.client_id = f"liven-{secrets.token_hex(8)}"
        self._lock = threading.Lock()
        self._held: set[int] = set()
        self._given: set[int] = set()
        self._client: mqtt.Client | None = None
        self.begun = False

    def connected(self, client: mqtt.Client, *, resumed: bool) -> None:
        """Take a new connection; without the old session its numbers mean other messages."""
        with self._lock:
            self._client = client
            if not resumed:
                self._held.clear()
                self._given.clear()

    def is_new(self, client: mqtt.Client, message: mqtt.MQTTMessage) -> bool:
        """Return False for a message that comes again and is held, or has been given already."""
        if not message.qos:
            return True
        with self._lock:
            again = message.dup and message.mid in self._held | self._given
            if not again:
                self._held.add(message.mid)
                return True
            given = message.mid in self._given
        if given:
            self.done(message.mid, message.qos, client)
        return False

    def done(self, number: int, quality: int, client: mqtt.Client | None = None) -> None:
        """Acknowledge a message, now or when it comes again after a cut."""
        with self._lock:
            self._held.discard(number)
            self._given.add(number)
            client = client or self._client
            if client is None or not client.is_connected():
                return
            if client.ack(number, quality) == mqtt.MQTT_ERR_SUCCESS:
                self._given.discard(number)


class MqttConnection:
    """One connection after another, until it is stopped."""

    def __init__(
        self,
        address: HostAddress,
        topic: str,
        quality: int,
        login: str,
        session: MqttSession,
        decode: Decode,
        inbox: Inbox,
    ) -> None:
        self._address, self._topic, self._quality, self._login = address, topic, quality, login
        self._session, self._decode, self._inbox = session, decode, inbox
        self._stopped = threading.Event()
        self._backoff = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        self._client: mqtt.Client | None = None
        self._refusal = ""

    def start(self) -> None:
        """Connect in a thread."""
        threading.Thread(target=self._run, name="liven-mqtt", daemon=True).start()

    def stop(self) -> None:
        """Disconnect; the session stays at the broker."""
        self._stopped.set()
        client = self._client
        if client is not None:
            client.disconnect()

    def _run(self) -> None:
        while not self._stopped.is_set():
            trouble = self._connect()
            if self._stopped.is_set():
                return
            self._inbox.say(trouble or "the connection was lost")
            self._stopped.wait(self._backoff.failed())

    def _connect(self) -> str:
        """Keep a connection until it ends; return the reason if there was none."""
        try:
            client = self._new_client()
            properties = Properties(PacketTypes.CONNECT)
            properties.SessionExpiryInterval = _KEPT
            properties.ReceiveMaximum = IN_FLIGHT
            properties.MaximumPacketSize = LONGEST_MESSAGE
            client.connect(
                self._address.host,
                self._address.port,
                _ALIVE,
                clean_start=not self._session.begun,
                properties=properties,
            )
            self._client = client
            if not self._stopped.is_set():
                client.loop_forever()
        except PrivateAddressError:
            return f"{self._address.host} leads to an address of this computer or its own network"
        except (OSError, ValueError, LoginError) as error:
            return f"it cannot be reached: {error}"
        finally:
            self._client = None
        return self._refusal

    def _new_client(self) -> mqtt.Client:
        client = _Client(
            CallbackAPIVersion.VERSION2,
            self._session.client_id,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        client.named = self._address.named
        client.connect_timeout = _CONNECTING
        login = read_login(self._login)
        if login is not None:
            client.username_pw_set(*login)
        if self._address.scheme == "mqtts":
            client.tls_set_context(ssl.create_default_context())
        client.on_connect = self._connected
        client.on_message = self._message
        client.on_subscribe = self._subscribed
        return client

    def _connected(self, client: Any, _: Any, flags: Any, reason: ReasonCode, __: Any) -> None:
        if reason.is_failure:
            self._refusal = f"the broker refuses the connection: {reason}"
            client.disconnect()
            return
        self._session.begun = True
        self._session.connected(client, resumed=flags.session_present)
        options = SubscribeOptions(qos=self._quality, retainHandling=SubscribeOptions.RETAIN_SEND_IF_NEW_SUB)
        client.subscribe(self._topic, options=options)

    def _subscribed(self, client: Any, _: Any, __: int, reasons: list[ReasonCode], ___: Any) -> None:
        bad = next((one for one in reasons if one.is_failure), None)
        if bad is not None:
            self._refusal = f"the broker refuses the subscription to {self._topic[:100]}: {bad}"
            client.disconnect()
            return
        self._refusal = ""
        self._backoff.worked()
        self._inbox.say("")

    def _message(self, client: mqtt.Client, _: Any, message: mqtt.MQTTMessage) -> None:
        if not self._session.is_new(client, message):
            return
        number, quality = message.mid, message.qos

        def done() -> None:
            if quality:
                self._session.done(number, quality)

        if not self._inbox.put(Arrival(message.topic, self._decode(bytes(message.payload)), done)):
            self._inbox.drop()
            done()


class _Client(mqtt.Client):  # type: ignore[misc]  # its types are not followed
    """Connects by our rules about addresses. paho has no other place for them than this method."""

    named: frozenset[str] = frozenset()

    def _create_socket_connection(self) -> socket.socket:
        return connect_public((self._host, self._port), self._connect_timeout, None, self.named)
