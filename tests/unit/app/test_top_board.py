from __future__ import annotations

from pathlib import Path

import pytest

from liven.app import main as front
from liven.app.top.board import COLUMNS, MOST_WAITS, Row, rows, screen
from liven.multicast.board import Shown
from liven.multicast.laggard import Lag, Laggard


def shown(engine: str, at: float, **stats: int) -> Shown:
    return Shown(engine, 1000 + len(engine), at, ("chat:room",), stats)


def test_rates_are_those_between_two_looks() -> None:
    before = [shown("a", 10.0, messages_sent=100, bytes_received=0)]
    now = [shown("a", 12.0, messages_sent=300, bytes_received=4_000_000, kernel_drops=2, messages_dropped=3)]
    (row,) = rows(before, now)
    assert (row.sent, row.megabytes, row.drops) == (100.0, 2.0, 5)


def test_loss_is_the_share_that_came_as_repair() -> None:
    before = [shown("a", 0.0, packets_received=1000, repairs_received=10)]
    (row,) = rows(before, [shown("a", 1.0, packets_received=1200, repairs_received=13)])
    assert row.loss == 1.5
    (row,) = rows(before, [shown("a", 1.0, packets_received=1000, repairs_received=10)])
    assert row.loss == 0


def test_who_is_slow_and_what_waits_and_drops_is_counted() -> None:
    stats = {
        "groups_paused": 2,
        "groups_demoted": 1,
        "pending_messages": 4,
        "pending_packets": 5,
        "regions": 3,
    }
    (row,) = rows(
        [], [shown("a", 1.0, **stats, drop_tag=1, drop_replay=2, kernel_drops=4, token_rtt=2_500_000)]
    )
    assert (row.slow, row.pending, row.regions, row.drops, row.round_trip) == (3, 9, 3, 7, 2.5)


def test_an_engine_that_is_new_or_has_not_moved_has_no_rate() -> None:
    same = [shown("a", 10.0, messages_sent=100)]
    assert rows([], same)[0].sent == 0
    assert rows(same, same)[0].sent == 0


def test_an_engine_that_began_anew_has_no_negative_rate() -> None:
    assert rows([shown("a", 1.0, messages_sent=100)], [shown("a", 2.0, messages_sent=1)])[0].sent == 0


def test_the_busiest_stands_first() -> None:
    before = [shown("a", 0.0), shown("bb", 0.0)]
    now = [shown("a", 1.0, messages_sent=1), shown("bb", 1.0, messages_sent=9)]
    assert [row.pid for row in rows(before, now)] == [1002, 1001]


def test_the_table_fits_a_terminal_however_busy() -> None:
    wide = Row(4194304, 8192, 999, 3.4e6, 9.9e9, 1234.5, 99.9, 9e9, 10**7, 65536, 8192, 10**9, ("g" * 200,))
    lines = screen(dict.fromkeys(SERVICE, 10**9), [wide] * 40)
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    assert "more" in lines[-1]
    assert lines[3].index(" gg") == lines[2].index(" in")  # the columns stay below their names


def test_what_is_cut_says_so() -> None:
    row = Row(1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ("chat:a-room-with-a-name", "another"))
    *_, line = screen(None, [row], width=80)
    assert len(line) == 80
    assert line.endswith("…")
    assert screen(None, [row], width=200)[-1].endswith(" chat:a-room-with-a-name another")


def test_who_was_out_says_so_before_its_groups() -> None:
    (row,) = rows([], [shown("a", 1.0, evictions=2, senders_missed=7)])
    assert (row.outs, row.missed) == (2, 7)
    assert screen(None, [row], width=100)[-1].endswith(" out 2x: chat:room")
    (row,) = rows([], [shown("a", 1.0)])
    assert "out" not in screen(None, [row])[-1]


def test_rows_that_are_as_good_as_equally_busy_keep_their_places() -> None:
    before = [shown("a", 0.0), shown("bb", 0.0)]
    for one, other in ((1000, 1003), (1003, 1000), (0, 0)):
        now = [shown("bb", 1.0, messages_sent=other), shown("a", 1.0, messages_sent=one)]
        assert [row.pid for row in rows(before, now)] == [1001, 1002]
    alike = [Shown(engine, 7, 1.0, (engine,), {}) for engine in ("7-b", "7-a")]
    for looked in (alike, alike[::-1]):
        assert [row.names for row in rows([], looked)] == [("7-a",), ("7-b",)]


def test_the_last_line_stands_below_and_the_height_holds() -> None:
    row = Row(1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ())
    assert screen(None, [], last="q ends")[-2:] == ["no engine runs", "q ends"]
    full = screen(None, [row] * 40, last="q ends")
    assert len(full) <= 24
    assert full[-1] == "q ends"
    assert full[-2] == f"… and {40 - (len(full) - 5)} more"


def test_every_column_is_explained_in_the_help_and_in_the_guide(capsys: pytest.CaptureFixture[str]) -> None:
    assert screen(None, [])[2].split() == " ".join(name for name, _ in COLUMNS).split()
    with pytest.raises(SystemExit):
        front.main(["top", "--help"])
    told = capsys.readouterr().out
    guide = (Path(__file__).parents[3] / "docs" / "operator-guide.md").read_text(encoding="utf-8")
    for name, meaning in COLUMNS:
        assert f"  {name:<7} {meaning}\n" in told
        assert f"| `{name}` | {meaning} |\n" in guide


def test_who_is_waited_for_is_named_by_process_where_that_is_known() -> None:
    slow = (Laggard(2, Lag.SILENT, seconds=3.0), Laggard(9, Lag.BRAKING, "chat"))
    looked = [Shown("a", 10, 1.0, (), {}, 1, slow), Shown("b", 20, 1.0, (), {}, 2)]
    table = rows([], looked)
    assert [row.waits for row in table] == [
        ("20 (member 2): silent for 3 s", "member 9: asks the others to wait, in chat"),
        (),
    ]
    lines = screen(None, table)
    assert lines[-2:] == [
        "⚠ 10 waits for 20 (member 2): silent for 3 s",
        "⚠ 10 waits for member 9: asks the others to wait, in chat",
    ]


def test_many_who_are_waited_for_leave_room_for_the_table() -> None:
    slow = tuple(Laggard(number, Lag.SILENT) for number in range(2, 40))
    table = rows([], [Shown(f"{number}", number, 1.0, (), {}, 1, slow) for number in range(100, 130)])
    lines = screen(None, table, last="q ends")
    assert len(lines) <= 24
    assert sum(line.startswith("⚠") for line in lines) == MOST_WAITS
    assert lines[-1] == "q ends"
    assert any(line.endswith("more") for line in lines)


SERVICE = ("pid", "members", "groups", "regions", "generation", "epochs", "suspicions")


def test_an_empty_machine_is_said_to_be_so() -> None:
    lines = screen(None, [])
    assert lines[0] == "no membership service runs"
    assert lines[-1] == "no engine runs"


def test_who_stands_still_is_named_with_what_to_do_and_its_last_words_are_not_believed() -> None:
    slow = (Laggard(2, Lag.BEHIND, packets=5),)
    looked = [Shown("a", 10, 1.0, (), {}, 1, slow, stopped=True), Shown("b", 20, 1.0, (), {}, 2)]
    table = rows([], looked)
    assert table[0].waits == ()
    assert screen(None, table)[-1] == "⚠ 10 stands still: a signal stopped it (kill -CONT 10)"


def test_what_was_shown_long_ago_is_not_so_any_more() -> None:
    looked = [Shown("a", 10, 100.0, (), {}, 1, (Laggard(2, Lag.BEHIND, packets=5),))]
    assert len(rows([], looked, 101.0)[0].waits) == 1
    assert rows([], looked, 120.0)[0].waits == ()


def test_megabytes_are_told_with_their_tenths() -> None:
    def line(rate: float) -> str:
        return screen(None, [Row(1, 1, 1, 0, 0, rate, 0, 0, 0, 0, 0, 0, ())])[-1]

    assert "   0.3   " in line(0.31)
    assert "  12.7   " in line(12.74)
    assert "   235   " in line(234.6)
