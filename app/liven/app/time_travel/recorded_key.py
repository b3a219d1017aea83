"""The key of a recorded object, and the name of the folder in which its recording lies."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import compact

_UNFIT: Final = re.compile(r"[^\w]+", re.ASCII)
_LONGEST_NAME: Final = 40


def key_of(thing: Object, identity: Callable[[object], str]) -> str:
    """Return a key that tells a recorded object from others; `identity` gives one to most recipes."""
    try:
        return identity(thing)
    except ValueError:
        return sha256(compact(thing).encode()).hexdigest()


def feed_name(title: str, key: str) -> str:
    """Return the name of the feed of an object: its title in plain letters, and a part of its key."""
    plain = _UNFIT.sub("-", title.lower()).strip("-")[:_LONGEST_NAME].strip("-") or "object"
    return f"{plain}-{key[:6].lower()}"
