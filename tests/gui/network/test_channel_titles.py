"""The names of open objects, as other programs read them."""

from __future__ import annotations

from typing import Any

from liven.app.network.channel_titles import read_titles, with_titles
from liven.app.palette.new_objects import note
from liven.multicast.published_stats import read_published_stats
from liven.multicast.socket_engine import default_place


def test_a_group_has_the_name_of_the_note_on_it(desk: Any) -> None:
    desk.open(note("Shopping"))
    board = default_place(desk.folders.runtime).stats_folder

    def told() -> tuple[str, ...]:
        called = read_titles(desk.folders.runtime)
        return tuple(name for one in read_published_stats(board) for name in with_titles(one, called).groups)

    desk.wait(lambda: {"Shopping", "Shopping: who is here"} <= set(told()))
    desk.close()
    assert read_titles(desk.folders.runtime) == {}
