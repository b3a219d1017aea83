from __future__ import annotations

import threading

import pytest

from liven.runtime.errors import (
    AlreadyConnectedError,
    EndedError,
    MismatchError,
    NotConnectedError,
    SelfConnectionError,
    UnknownNameError,
    WrongThreadError,
)
from liven.runtime.objects.endpoint import Endpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe, opposite
from liven.runtime.problems import Kind, Problems
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import INT32, TEXT, record

SPEAKER = EndpointType(inputs=(("heard", record(text=TEXT)),), outputs=(("say", record(text=TEXT)),))
LISTENER = opposite(SPEAKER)
COUNTER = EndpointType(inputs=(("say", record(text=INT32)),), outputs=(("heard", record(text=TEXT)),))


def pair(node: Node) -> tuple[Probe, Probe]:
    speaker, listener = Probe(node, SPEAKER, "speaker"), Probe(node, LISTENER, "listener")
    return speaker, listener


def test_both_sides_handle_connect_and_disconnect(node: Node) -> None:
    speaker, listener = pair(node)
    connection = speaker.connect(listener)
    speaker.send("say", "hello")
    listener.send("heard", "hello")
    connection.dispose()
    assert listener.heard == [("connect",), ("say", "hello"), ("disconnect",)]
    assert speaker.heard == [("connect",), ("heard", "hello"), ("disconnect",)]
    assert not connection.open
    assert connection.ends == ()


def test_an_endpoint_that_does_not_match_is_refused_with_the_reason_and_nothing_changes(node: Node) -> None:
    speaker, counter = Probe(node, SPEAKER, "speaker"), Probe(node, COUNTER, "counter")
    with pytest.raises(MismatchError) as refusal:
        speaker.connect(counter)
    assert "speaker/end cannot be connected to counter/end" in str(refusal.value)
    assert not refusal.value.explanation
    assert any("say" in path for path, _ in refusal.value.explanation.failures())
    assert not speaker.end.connected
    assert not counter.end.connected
    assert speaker.heard == counter.heard == []


def test_a_connection_is_single(node: Node) -> None:
    speaker, listener = pair(node)
    third = Probe(node, LISTENER, "third")
    speaker.connect(listener)
    for one, other in ((speaker, third), (third, speaker)):
        with pytest.raises(AlreadyConnectedError, match="already connected to listener/end"):
            one.connect(other)
    assert third.heard == []


def test_an_endpoint_cannot_be_connected_to_itself(node: Node) -> None:
    echo = Probe(node, EndpointType((("say", record()),), (("say", record()),)))
    with pytest.raises(SelfConnectionError, match="name an endpoint of another object"):
        echo.connect(echo)


def test_after_a_disconnect_it_can_be_connected_again(node: Node) -> None:
    speaker, listener = pair(node)
    say = speaker.end.emitter("say")
    for text in ("once", "twice"):
        connection = speaker.connect(listener)
        say(text)
        connection.dispose()
    events = [("connect",), ("say", "once"), ("disconnect",), ("connect",), ("say", "twice"), ("disconnect",)]
    assert listener.heard == events


def test_sending_without_a_connection_is_an_error(node: Node) -> None:
    speaker, listener = pair(node)
    with pytest.raises(NotConnectedError, match="speaker/end is not connected, so say went nowhere"):
        speaker.send("say", "anyone?")
    speaker.connect(listener).dispose()
    with pytest.raises(NotConnectedError):
        speaker.send("say", "still there?")


def test_sending_just_after_the_other_side_left_is_not_an_error(node: Node) -> None:
    """Both happen inside one handler: the disconnect is not handled yet when `say` is sent."""
    speaker, listener = pair(node)
    connection = speaker.connect(listener)

    def leave_and_speak(text: str) -> None:
        connection.dispose()
        speaker.send("say", "too late")

    speaker.react(heard=leave_and_speak)
    listener.send("heard", "x")
    assert listener.heard == [("connect",), ("disconnect",)]
    assert not speaker.failed


def test_events_sent_before_the_disconnect_are_handled_before_it(node: Node) -> None:
    speaker, listener = pair(node)
    connection = speaker.connect(listener)

    def speak_and_leave(text: str) -> None:
        speaker.send("say", "last words")
        connection.dispose()

    speaker.react(heard=speak_and_leave)
    listener.send("heard", "x")
    assert listener.heard == [("connect",), ("say", "last words"), ("disconnect",)]


def test_no_event_comes_before_connect_even_from_inside_the_others_connect(node: Node) -> None:
    speaker, listener = pair(node)
    speaker.react(connect=lambda: speaker.send("say", "hello at once"))
    speaker.connect(listener)
    assert listener.heard == [("connect",), ("say", "hello at once")]


def test_an_event_that_the_type_does_not_have_cannot_be_sent_or_handled(node: Node) -> None:
    speaker, _ = pair(node)
    with pytest.raises(UnknownNameError, match=r"no 'shout'; it has say"):
        speaker.send("shout", "hey")
    with pytest.raises(UnknownNameError, match=r"no 'says'"):
        speaker.react(says=print)


def test_handlers_may_be_registered_after_connecting(node: Node) -> None:
    speaker, listener = pair(node)
    speaker.connect(listener)
    say = speaker.end.emitter("say")
    say("one")
    late: list[str] = []
    listener.react(say=late.append)
    say("two")
    assert late == ["two"]


def test_the_holder_of_a_connection_is_called_when_it_ends(node: Node) -> None:
    speaker, listener = pair(node)
    connection = speaker.connect(listener)
    ended: list[str] = []
    connection.on_disconnect(lambda: ended.append("ended"))
    listener.close()
    assert ended == ["ended"]
    connection.on_disconnect(lambda: ended.append("at once"))
    assert ended == ["ended", "at once"]


def test_a_callback_that_raises_is_a_problem_and_hides_nothing(node: Node, problems: Problems) -> None:
    speaker, listener = pair(node)
    connection = speaker.connect(listener)
    connection.on_disconnect(lambda: 1 // 0)
    connection.dispose()
    assert [problem.kind for problem in problems] == [Kind.RAISED]
    assert listener.heard[-1] == ("disconnect",)


def test_disposing_twice_does_nothing_more(node: Node) -> None:
    speaker, listener = pair(node)
    connection = speaker.connect(listener)
    connection.dispose()
    connection.dispose()
    assert listener.heard == [("connect",), ("disconnect",)]


def test_an_ended_proxy_cannot_be_connected(node: Node) -> None:
    speaker, listener = pair(node)
    outside = listener.external
    listener.close()
    assert outside.ended
    with pytest.raises(EndedError, match="listener/end has ended"):
        speaker.connect(outside)


def test_another_thread_may_neither_connect_nor_send_nor_dispose(node: Node) -> None:
    speaker, listener = pair(node)
    connection = speaker.connect(listener)
    refused: list[Exception] = []

    def attempt() -> None:
        for action in (
            lambda: speaker.send("say", "x"),
            connection.dispose,
            lambda: speaker.connect(listener),
        ):
            try:
                action()
            except WrongThreadError as error:
                refused.append(error)

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    assert len(refused) == 3
    assert connection.open
    assert listener.heard == [("connect",)]


def test_a_tap_sees_every_event_from_both_sides_before_it_is_handled(node: Node) -> None:
    speaker, listener = pair(node)
    connection = speaker.connect(listener)
    say = speaker.end.emitter("say")
    seen: list[tuple[object, ...]] = []

    def tap(receiver: Endpoint, event: str, values: tuple[object, ...]) -> None:
        seen.append((str(receiver), event, *values))

    connection.watch(tap)
    say("a")
    listener.send("heard", "b")
    connection.dispose()
    assert seen == [
        ("listener/end", "say", "a"),
        ("speaker/end", "heard", "b"),
        ("speaker/end", "disconnect"),
        ("listener/end", "disconnect"),
    ]
    assert listener.heard[1] == ("say", "a")


def test_ui_endpoints_match_only_their_opposite_and_hand_over_what_they_show(node: Node) -> None:
    note, window = (
        Probe(node, EndpointType(local="UI"), "note"),
        Probe(node, EndpointType(local="~UI"), "window"),
    )
    other = Probe(node, EndpointType(local="UI"), "other")
    with pytest.raises(MismatchError):
        note.connect(other)
    note.end.payload = "the note's model"
    shown: list[object] = []
    window.react(connect=lambda: shown.append(window.end.peer_payload))
    note.connect(window)
    assert shown == ["the note's model"]
    note.close()
    assert window.end.peer_payload is None


def test_a_removed_tap_sees_nothing_and_costs_nothing(node: Node) -> None:
    speaker, listener = pair(node)
    connection = speaker.connect(listener)
    bare = speaker.end.emitter("say").delivery
    assert bare is not None
    handler = bare.handler
    heard: list[str] = []

    def tap(_: Endpoint, event: str, values: tuple[object, ...]) -> None:
        heard.append(event)

    connection.watch(tap)
    speaker.send("say", "one")
    connection.unwatch(tap)
    connection.unwatch(tap)
    speaker.send("say", "two")
    assert heard == ["say"]
    assert [event for event in listener.heard if event[0] == "say"] == [("say", "one"), ("say", "two")]
    again = speaker.end.emitter("say").delivery
    assert again is not None
    assert again.handler == handler
