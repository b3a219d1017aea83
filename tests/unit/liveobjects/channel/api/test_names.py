"""Names of channels."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.api.names import ChannelNameError, fresh_name, group_name


def test_a_name_consists_of_network_folder_and_channel() -> None:
    assert group_name("home", "011E", "standup notes") == "home/011E/standup notes"


@pytest.mark.parametrize("part", ["", "a/b", "new\nline", "\x00", "x" * 201])
def test_ambiguous_names_are_refused(part: str) -> None:
    for parts in ((part, "f", "c"), ("n", part, "c"), ("n", "f", part)):
        with pytest.raises(ChannelNameError):
            group_name(*parts)


def test_fresh_names_are_128_bits_and_unique() -> None:
    made = {fresh_name() for _ in range(50)}
    assert len(made) == 50
    assert all(len(name) == 32 and int(name, 16) >= 0 for name in made)
