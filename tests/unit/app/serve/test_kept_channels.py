"""Which groups `liven serve --keep` keeps."""

from __future__ import annotations

import pytest

from liven.app.serve.kept_channels import names_of
from liven.liveobjects.channel.api.names import ChannelNameError
from liven.liveobjects.channel.api.recipes import COMMUNICATION


def test_a_name_alone_is_one_of_the_well_known_folder() -> None:
    assert names_of(["shopping"], "home") == [f"home/{COMMUNICATION}/shopping"]


def test_a_whole_name_is_taken_as_it_is_and_nothing_is_kept_twice() -> None:
    whole = f"work/{COMMUNICATION}/shopping"
    assert names_of(["a/b/c", "shopping", whole, "a/b/c"], "work") == ["a/b/c", whole]


@pytest.mark.parametrize("channel", ["", "a/b", "a/b/c/d", "a//c", "line\nbreak"])
def test_what_names_no_channel_is_refused(channel: str) -> None:
    with pytest.raises(ChannelNameError):
        names_of([channel], "home")
