"""The groups that `liven serve --keep` keeps."""

from __future__ import annotations

import pytest

from liven.app.serve.kept_channels import names_of
from liven.liveobjects.channel.api.names import ChannelNameError
from liven.liveobjects.channel.api.recipes import COMMUNICATION


def test_a_plain_name_is_in_the_well_known_folder() -> None:
    assert names_of(["shopping"], "home") == [f"home/{COMMUNICATION}/shopping"]


def test_a_full_name_is_unchanged_and_duplicates_are_dropped() -> None:
    whole = f"work/{COMMUNICATION}/shopping"
    assert names_of(["a/b/c", "shopping", whole, "a/b/c"], "work") == ["a/b/c", whole]


@pytest.mark.parametrize("channel", ["", "a/b", "a/b/c/d", "a//c", "line\nbreak"])
def test_an_invalid_channel_name_is_refused(channel: str) -> None:
    with pytest.raises(ChannelNameError):
        names_of([channel], "home")
