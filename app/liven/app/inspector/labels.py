"""The texts with which the inspector names objects, endpoints and rates."""

from __future__ import annotations

from liven.runtime.objects.endpoint import Endpoint
from liven.runtime.objects.proxy import Proxy

_OF_LIVEN = "part of Liven"


def kind_of(proxy: Proxy) -> str:
    """Return the class of an object; empty for objects of Liven itself."""
    return _OF_LIVEN if proxy.instance is None else type(proxy.instance).__name__


def called(proxy: Proxy) -> str:
    """Return a short name: the last meaningful step of the path."""
    said = [step for step in proxy.path if step not in ("Value", "From")]
    last = said[-1] if said else "(whole object)"
    return last.removeprefix("Parameter[").removesuffix("]") if last.startswith("Parameter[") else last


def joined(end: Endpoint) -> str:
    """Return the other end of an endpoint's connection; empty if there is none."""
    return "" if end.connection is None else str(end.connection.opposite(end))


def rate_text(rate: float) -> str:
    """Return the text for a number of events per second; empty for zero."""
    if rate <= 0:
        return ""
    return f"{rate:.0f}/s" if rate >= 10 else f"{rate:.1f}/s".replace(".0/", "/")
