"""Pictures inside files of other programs: data URLs, within the limits of images."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from typing import Final

from liven.liveobjects.image.picture_header import LARGEST, looks_like_picture

_URL: Final = re.compile(r"data:image/([a-z0-9.+-]{1,30})((?:;[a-z0-9=-]{1,40})*),", re.IGNORECASE)
_SVG: Final = "svg+xml"
_COMMA_WITHIN: Final = 200


def picture_in(url: str) -> bytes | None:
    """Return the bytes of the picture in a data URL, of which SVG is one kind. Return None for any other
    URL: nothing is fetched."""
    found = _URL.match(url[:_COMMA_WITHIN])
    if found is None or ";base64" not in found.group(2).lower() or len(url) > 2 * LARGEST:
        return None
    try:
        data = b64decode(url[found.end() :], validate=True)
    except (binascii.Error, ValueError):
        return None
    fits = found.group(1).lower() == _SVG or looks_like_picture(data)
    return data if fits and data and len(data) <= LARGEST else None
