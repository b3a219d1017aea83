"""The addresses of clusters. A connection is tried before Java starts: Spark tries for minutes, and then says
little."""

from __future__ import annotations

import socket
from typing import Final
from urllib.parse import urlsplit

from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError
from liven.runtime.os_error_text import explain_os_error

STANDALONE: Final = "spark://"
CONNECT: Final = "sc://"
_PORTS: Final = {STANDALONE: 7077, CONNECT: 15002}
_ANSWER_WITHIN: Final = 5.0


def local_address_towards(url: str) -> str | None:
    """Return this computer's address on the way to a server, or None if only Spark can find the server.

    Raises NoSparkError if nothing answers there. A master may have several addresses, with commas between.
    """
    scheme = next((scheme for scheme in _PORTS if url.startswith(scheme)), None)
    if scheme is None:
        return None
    places = url.removeprefix(scheme).split(";")[0].split("/")[0].split(",")
    errors = []
    for place in places:
        host, port = _host_and_port(place, _PORTS[scheme], url)
        try:
            with socket.create_connection((host, port), _ANSWER_WITHIN) as connection:
                return str(connection.getsockname()[0])
        except OSError as error:
            errors.append(explain_os_error(error, place))
    raise NoSparkError(
        f"{url} does not answer ({'; '.join(errors)}); is it running, and is this its address?"
    )


def _host_and_port(place: str, port: int, url: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{place}")
        found = parts.hostname, parts.port or port
    except ValueError:
        found = None, 0
    if found[0] is None:
        raise NoSparkError(f"{url} is not an address such as spark://host:7077 or sc://host:15002")
    return found[0], found[1]
