"""The table of `liven top`, which fits every terminal without cutting words."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app import main as front
from liven.app.network.number_format import short, tenths
from liven.app.network.rates import EngineRates, rows
from liven.app.top.table import COLUMNS, GROUPS, LEAST_HEIGHT, LEAST_WIDTH, MOST_WAITS, screen
from liven.multicast.laggard import Lag, Laggard
from liven.multicast.published_stats import EngineStats

SERVICE = ("pid", "members", "groups", "regions", "generation", "epochs", "suspicions")


def row(*names: str, pid: int = 1, groups: int = 0, outs: int = 0, slow: int = 0) -> EngineRates:
    return EngineRates(pid, groups or len(names), 1, 0, 0, 0, 0, 0, 0, 0, slow, 0, names, outs)


def test_the_table_fits_with_the_largest_figures() -> None:
    wide = EngineRates(
        4194304, 8192, 999, 3.4e6, 9.9e9, 1234.5, 99.9, 9e9, 10**7, 65536, 8192, 10**9, ("g" * 200,)
    )
    lines = screen(dict.fromkeys(SERVICE, 10**9), [wide] * 40)
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    assert any(line.endswith("more") for line in lines)
    assert lines[3].index(" gg") == lines[2].index(" groups")  # the columns stay below their names


@pytest.mark.parametrize("width", range(1, 130, 3))
@pytest.mark.parametrize("height", [1, 2, 5, 6, 9, 24])
def test_the_table_fits_every_size(width: int, height: int) -> None:
    table = [row("chat:a-room-with-a-name", pid=12345, outs=3, slow=2)] * 7
    for service in (None, dict.fromkeys(SERVICE, 12)):
        lines = screen(service, table, width, height, "q ends · and more")
        assert len(lines) <= height
        assert all(len(line) <= width for line in lines)
        if width < LEAST_WIDTH or height < LEAST_HEIGHT:
            assert lines[0].startswith("too small"[: max(0, width - 1)])


def test_in_a_narrow_terminal_whole_columns_disappear() -> None:
    for width in range(LEAST_WIDTH, 80):
        (head,) = screen(None, [], width)[2:3]
        assert head.startswith(("    pid snt/s", "    pid  grp snt/s"))
        assert "…" not in head
        assert head.split()[-1] == "groups"


def test_a_long_group_name_has_a_line_of_its_own() -> None:
    long = "chat:a-room-with-a-rather-long-name"
    *_, numbers, names = screen(None, [row(long, "another")], width=80)
    assert numbers.endswith(" ↓")
    assert names == f"        {long}, another"
    assert screen(None, [row(long, "another")], width=200)[-1].endswith(f" {long}, another")


def test_names_that_do_not_fit_are_counted() -> None:
    *_, names = screen(None, [row(*(f"group-{number:03}" for number in range(20)), groups=8192)], width=80)
    assert names.startswith("        group-000, group-001, ")
    assert names.endswith(f", +{8192 - names.count('group-')}")


def test_with_few_lines_names_stay_on_the_row() -> None:
    table = [row("chat:a-room-with-a-rather-long-name", "another")] * 10
    lines = screen(None, table, height=14)
    assert len(lines) == 13
    assert lines[-1].endswith("… +1")


def test_remarks_are_below_the_table() -> None:
    lines = screen(None, [row("a", pid=7, outs=1), row("b", pid=8, outs=20), row("c", pid=9, slow=1)])
    assert lines[-3:] == [
        "⚠ 9: 1 group with a slow receiver, or it is slow itself",
        "⚠ 7 was out once: the others went on without it",
        "⚠ 8 was out 20 times: the others went on without it",
    ]
    assert screen(None, [row("a", pid=7, outs=1)], width=40)[-2:] == [
        "⚠ 7 was out once: the others went on",
        "  without it",
    ]


def test_the_last_line_is_at_the_bottom_within_the_height() -> None:
    assert screen(None, [], last="q ends")[-2:] == ["no program uses the network", "q ends"]
    full = screen(None, [row()] * 40, last="q ends · and more words than there is room for", width=40)
    assert len(full) == 24
    assert full[-1] == "q ends"
    assert full[-2] == f"… and {40 - (len(full) - 5)} more"


def test_every_column_is_explained_in_the_help_and_in_the_guide(capsys: pytest.CaptureFixture[str]) -> None:
    names = [column.name for column in COLUMNS]
    assert screen(None, [])[2].split() == " ".join([*names, "groups"]).split()
    with pytest.raises(SystemExit):
        front.main(["top", "--help"])
    told = capsys.readouterr().out
    guide = (Path(__file__).parents[4] / "docs" / "operator-guide.md").read_text(encoding="utf-8")
    for name, meaning in [*((column.name, column.meaning) for column in COLUMNS), ("groups", GROUPS)]:
        assert f"  {name:<7} {meaning}\n" in told
        assert f"| `{name}` | {meaning} |\n" in guide


def test_a_slow_member_is_named_by_its_process_if_known() -> None:
    slow = (Laggard(2, Lag.SILENT, seconds=3.0), Laggard(9, Lag.BRAKING, "chat"))
    table = rows([], [EngineStats("a", 10, 1.0, (), {}, 1, slow), EngineStats("b", 20, 1.0, (), {}, 2)])
    assert [row.waits for row in table] == [
        ("20 (member 2): silent for 3 s", "member 9: asks the others to wait, in chat"),
        (),
    ]
    assert screen(None, table)[-2:] == [
        "⚠ 10 waits for 20 (member 2): silent for 3 s",
        "⚠ 10 waits for member 9: asks the others to wait, in chat",
    ]


def test_many_remarks_leave_room_for_the_table() -> None:
    slow = tuple(Laggard(number, Lag.SILENT) for number in range(2, 40))
    table = rows([], [EngineStats(f"{number}", number, 1.0, (), {}, 1, slow) for number in range(100, 130)])
    lines = screen(None, table, last="q ends")
    assert len(lines) <= 24
    assert sum(line.startswith("⚠") for line in lines) == MOST_WAITS
    assert lines[-1] == "q ends"
    assert any(line.endswith("more") for line in lines)


def test_without_engines_a_message_says_so() -> None:
    lines = screen(None, [])
    assert lines[0] == "no membership service is running"
    assert lines[-1] == "no program uses the network"


def test_a_stopped_process_is_named_with_advice_and_its_old_figures_are_ignored() -> None:
    slow = (Laggard(2, Lag.BEHIND, packets=5),)
    looked = [
        EngineStats("a", 10, 1.0, (), {}, 1, slow, stopped=True),
        EngineStats("b", 20, 1.0, (), {}, 2),
    ]
    table = rows([], looked)
    assert table[0].waits == ()
    assert screen(None, table)[-1] == "⚠ 10 is stopped by a signal (to continue it: kill -CONT 10)"


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0, "0"),
        (999, "999"),
        (999.9, "1.0k"),
        (1449, "1.4k"),
        (9960, "10k"),
        (999_400, "999k"),
        (1e6, "1.0M"),
        (1e30, "much"),
    ],
)
def test_numbers_take_at_most_four_characters(number: float, told: str) -> None:
    assert short(number) == told


def test_small_megabytes_have_decimals() -> None:
    assert [tenths(rate) for rate in (0, 0.314, 9.999, 12.74, 234.6)] == [
        "0.00",
        "0.31",
        "10.0",
        "12.7",
        "235",
    ]
