"""The order of the records of several logs, for any logs that together have everything."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.liveobjects.feeds.replay.recordings import SECOND, checkpoint, record

from liven.liveobjects.feeds.record import VALUE, Record
from liven.liveobjects.feeds.replay.source.log_columns import LogColumns
from liven.liveobjects.feeds.replay.source.merge_order import merged_order
from liven.liveobjects.feeds.segment.pending_block import PendingBlock

ORDER, VALUES, GROUP = "home/f/order", "home/f/values", "home/f/group"


def put_together(logs: list[list[Record]]) -> list[Record]:
    columns = LogColumns((VALUES, GROUP))
    for number, log in enumerate(logs):
        pending = PendingBlock()
        pending.extend(log, sum(len(one.payload) for one in log))
        columns.add(number, pending.block(0))
    order = merged_order(columns)
    assert order.missing == []
    assert order.contradictions == []
    return [logs[log][at] for log, at in zip(order.log.tolist(), order.sequence.tolist(), strict=True)]


@st.composite
def stories(draw: st.DrawFn) -> tuple[list[Record], list[list[Record]]]:
    """Return what happened, and logs of it that together have everything."""
    happened = [checkpoint(0, 0, channel=ORDER)]
    count, best = 0, (0, "z")
    for place in range(1, draw(st.integers(1, 12)) + 1):
        kind, author = draw(st.sampled_from("ovg")), draw(st.sampled_from("ab"))
        if kind == "v":
            count += not ((count, author) > best and draw(st.booleans()))
            best = count, author
            happened.append(record(place, count, channel=VALUES, serial=count, author=author, flags=VALUE))
            continue
        channel = ORDER if kind == "o" else GROUP
        whose = [one for one in happened if one.channel == channel and (kind == "o" or one.author == author)]
        number = len(whose) + (kind == "g")
        happened.append(record(place, number, channel=channel, serial=number, author=author))
    logs: list[list[Record]] = []
    for _ in range(draw(st.integers(1, 2))):
        offset = draw(st.sampled_from((0, 0, 40, -7200))) * SECOND
        held = [one for one in happened if draw(st.booleans())]
        logs.append([one._replace(received=one.received + offset) for one in held])
    there = {key(one) for log in logs for one in log}
    logs.append([one for one in happened if key(one) not in there or draw(st.booleans())])
    return happened, [log for log in logs if log]


def key(one: Record) -> tuple[str, str, int, int]:
    return one.channel, one.author, one.serial, one.flags


@settings(deadline=None, max_examples=150)
@given(stories())
def test_logs_that_together_have_everything_give_everything_once(
    story: tuple[list[Record], list[list[Record]]],
) -> None:
    happened, logs = story
    found = put_together(logs)
    assert sorted(map(key, found)) == sorted(map(key, happened))
    numbers = [one.serial for one in found if one.channel == ORDER]
    assert numbers == sorted(numbers)
    for author in "ab":
        said = [one.serial for one in found if one.channel == GROUP and one.author == author]
        assert said == sorted(said)
    for log in logs:  # no record of a value comes before one that stands before it in a log
        mine = [key(one) for one in log if one.channel == VALUES]
        assert [key(one) for one in found if key(one) in mine] == mine


@settings(deadline=None, max_examples=50)
@given(stories(), st.randoms(use_true_random=False))
def test_the_order_of_a_channel_does_not_depend_on_who_recorded_it(
    story: tuple[list[Record], list[list[Record]]], random: object
) -> None:
    happened, logs = story
    shuffled = [[*logs][at] for at in sorted(range(len(logs)), key=lambda _: random.random())]  # type: ignore[attr-defined]
    for channel in (ORDER,):
        wanted = [key(one) for one in happened if one.channel == channel]
        for each in (logs, shuffled, [happened, *logs]):
            assert [key(one) for one in put_together(each) if one.channel == channel] == wanted
