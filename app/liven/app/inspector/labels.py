"""What the inspector calls things."""

from __future__ import annotations

from liven.runtime.objects.endpoint import Endpoint
from liven.runtime.objects.proxy import Proxy

_OF_LIVEN = "part of Liven"


def kind_of(proxy: Proxy) -> str:
    """The class of an object; ends that Liven itself holds have none."""
    return _OF_LIVEN if proxy.instance is None else type(proxy.instance).__name__


def called(proxy: Proxy) -> str:
    """A short name: the last step of the path that says something."""
    said = [step for step in proxy.path if step not in ("Value", "From")]
    last = said[-1] if said else "(the whole)"
    return last.removeprefix("Parameter[").removesuffix("]") if last.startswith("Parameter[") else last


def joined(end: Endpoint) -> str:
    """The other end of an endpoint's connection; empty if it has none."""
    return "" if end.connection is None else str(end.connection.opposite(end))


def rate_text(rate: float) -> str:
    """Events a second; empty for none."""
    if rate <= 0:
        return ""
    return f"{rate:.0f}/s" if rate >= 10 else f"{rate:.1f}/s".replace(".0/", "/")
