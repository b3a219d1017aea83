"""Two programs with one window each on the same object, over the real engine; both end, and one restarts."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from liven.app.network.settings import engine_config, read_settings
from liven.liveobjects.text.recipe import written
from liven.multicast.service_process import service_status
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NOTE = ROOT / "samples" / "desk" / "note.liveobject"
BOX = ROOT / "samples" / "objects" / "window.liveobject"
DESKTOP = ROOT / "samples" / "desk" / "desktop.liveobject"


def test_a_note_of_two_writers_survives_the_kill_of_one_and_the_exit_of_both(open_window: Any) -> None:
    ann, bob = open_window(NOTE), open_window(NOTE)
    ann.until("tell", "")
    bob.until("tell", "")
    ann.do("type milk")
    bob.until("tell", "milk")
    ann.kill()
    bob.do("type more ")
    bob.until("tell", "more milk")
    assert bob.close() == 0
    again = open_window(NOTE)
    again.until("tell", "more milk")
    assert again.close() == 0


def test_writing_continues_when_the_membership_service_is_killed_and_replaced(
    open_window: Any, tmp_path: Path
) -> None:
    ann, bob = open_window(NOTE), open_window(NOTE)
    ann.until("tell", "")
    bob.until("tell", "")
    ann.do("type before ")
    bob.until("tell", "before ")
    folders = UserFolders.of_user({**os.environ, "LIVEN_HOME": str(tmp_path)})
    place = engine_config(folders, read_settings(folders, {"LIVEN_HOME": str(tmp_path)})).place
    status = service_status(place)
    assert status is not None
    os.kill(status["pid"], signal.SIGKILL)
    ann.do("type and ")
    bob.until("tell", lambda shown: sorted(shown.split()) == ["and", "before"])
    bob.do("type after ")
    ann.until("tell", lambda shown: sorted(shown.split()) == ["after", "and", "before"])
    late = open_window(NOTE)
    late.until("tell", lambda shown: sorted(shown.split()) == ["after", "and", "before"])
    assert len({window.ask("digest") for window in (ann, bob, late)}) == 1
    assert [window.close() for window in (ann, bob, late)] == [0, 0, 0]


def test_an_item_added_to_a_desktop_appears_on_the_other_one(open_window: Any) -> None:
    ann, bob = open_window(DESKTOP), open_window(DESKTOP)
    ann.until("tell", "")
    bob.until("tell", "")
    ann.do("lay list")
    bob.until("tell", "list")
    bob.do("lay plan")
    ann.until("tell", "list,plan")
    assert (ann.close(), bob.close()) == (0, 0)


def test_an_item_dropped_into_a_caption_window_appears_everywhere_and_after_a_restart(
    open_window: Any, tmp_path: Path
) -> None:
    page = tmp_path / "page.liveobject"
    page.write_bytes(write(written("milk", "Page")))
    ann, bob = open_window(BOX), open_window(BOX)
    ann.until("tell", "")
    bob.until("tell", "")
    ann.do(f"drop {page}")
    bob.until("tell", "milk")
    ann.until("tell", "milk")
    ann.kill()
    assert bob.close() == 0
    again = open_window(BOX)
    again.until("tell", "milk")
    assert again.close() == 0


@pytest.mark.parametrize("stopped", [0, 1], ids=["who-came-first", "who-came-last"])
def test_the_network_monitor_names_the_slow_member_during_writing(open_window: Any, stopped: int) -> None:
    """One of two programs is stopped: the other shows its user's name until it continues."""
    windows = [open_window(NOTE, LIVEN_SUSPICION="600") for _ in range(2)]
    slow, well = windows[stopped], windows[1 - stopped]
    well.do("type milk ")
    slow.until("tell", "milk ")
    slow.do("type and ")
    well.until("network", lambda words: "No member is slow." in words)
    name = slow.ask("name")
    assert name
    slow.process.send_signal(signal.SIGSTOP)
    well.do("type bread ")
    told = well.until("network", lambda words: "silent" in words)
    assert f"waits for {name} (silent" in told
    slow.process.send_signal(signal.SIGCONT)
    well.until("network", lambda words: "No member is slow." in words)
    slow.until("tell", lambda text: "bread" in text)
    assert (slow.close(), well.close()) == (0, 0)
