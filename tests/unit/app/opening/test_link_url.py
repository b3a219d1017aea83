from __future__ import annotations

import os
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.app.opening.link_url import LARGEST, LONGEST, LinkError, file_of, is_link, link_to, read_link


@given(st.binary(max_size=2000))
def test_a_link_carries_its_recipe(recipe: bytes) -> None:
    link = link_to(recipe)
    assert is_link(link)
    assert read_link(link) == recipe
    assert read_link(link.replace("liven:", "liven://")) == recipe


@pytest.mark.parametrize("text", ["liven:///tmp/a%20b.liveobject", "LIVEN://localhost/tmp/a%20b.liveobject"])
def test_a_link_names_a_file_of_this_machine(text: str) -> None:
    assert read_link(text) == Path("/tmp/a b.liveobject")


def test_a_file_name_that_is_not_valid_text_is_found() -> None:
    assert os.fsencode(read_link("liven:///tmp/%FF%FE.liveobject")) == b"/tmp/\xff\xfe.liveobject"
    assert file_of("file:///tmp/%C3%BC") == Path("/tmp/ü")
    assert file_of("file://elsewhere/x") is None


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org",
        "liven:",
        "liven://elsewhere/x.liveobject",
        "liven:relative",
        "liven:///a%00b",
        "liven://[",
        "liven:///\udc80",
        "liven:object,",
        "liven:object,!!!!",
        "liven:object,AAAA",
        link_to(b"x" * 100)[:-4],
        "liven:///" + "x" * LONGEST,
        "liven:object," + urlsafe_b64encode(zlib.compress(b"0" * (LARGEST + 1))).decode(),
    ],
)
def test_an_invalid_link_is_refused(text: str) -> None:
    with pytest.raises(LinkError):
        read_link(text)
