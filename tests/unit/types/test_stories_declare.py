"""Acceptance stories of the model, as far as types are concerned."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from liven.types.catalogue import Catalogue, register, template_of
from liven.types.declare import Ref, scan
from liven.types.fronts import Fronts
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.template import TemplateError

Write = Callable[[str], ModuleType]

CHANNEL = """
Message = TypeVar('Message')

@value
class {line}:
    who: str
    words: str

@interface
class {up}(Protocol[Message]):
    def send(self, {argument}: Message) -> None: ...

@interface
class {down}(Protocol[Message]):
    def receive(self, {argument}: Message) -> None: ...
"""


def endpoint(catalogue: Catalogue, text: str, name: str) -> EndpointType:
    return dict(catalogue.object(text).endpoints)[name]


def test_story_2_an_airplane_flies_in_a_space_and_is_refused_on_a_desktop(
    catalogue: Catalogue, matcher: Matcher
) -> None:
    airplane = catalogue.term(catalogue.find("component/liven:model-3d"))
    assert matcher.object_subtype(airplane, catalogue.object("liven:ui-x"))
    refused = matcher.object_subtype(airplane, catalogue.object("liven:ui"))
    assert not refused
    [(path, reason)] = list(refused.failures())
    assert path == ("UI",)
    assert reason.claim


def test_story_3_a_document_that_needs_total_order_refuses_a_fifo_channel_in_the_same_words_twice(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    author = write(
        CHANNEL.format(line="Line", up="Up", down="Down", argument="line")
        + "@object_type(alias='chat:fifo')\nclass Fifo:\n"
        "    Channel: Annotated[Dual[Up[Line], Down[Line]], provides('guarantee', 'fifo')]\n"
        "@object_type(alias='chat:ordered')\nclass Ordered:\n"
        "    Channel: Annotated[Dual[Up[Line], Down[Line]], provides('guarantee', 'total, fifo')]\n"
        "@object_type(alias='chat:page')\nclass Page:\n"
        "    channel: Annotated[Dual[Down[Line], Up[Line]], requires('guarantee', 'total')]\n"
    )
    register(catalogue, scan(author), matcher)
    page = endpoint(catalogue, "chat:page", "channel")
    in_designer = matcher.matches(endpoint(catalogue, "chat:fifo", "Channel"), page)
    at_run_time = Matcher(catalogue.formalisms).matches(endpoint(catalogue, "chat:fifo", "Channel"), page)
    assert not in_designer
    assert in_designer.render() == at_run_time.render()
    assert "fifo does not provide total" in in_designer.render()
    assert matcher.matches(endpoint(catalogue, "chat:ordered", "Channel"), page)


def test_story_4_two_modules_that_never_heard_of_each_other_exchange_events(
    catalogue: Catalogue, matcher: Matcher, write: Write
) -> None:
    ours = write(
        CHANNEL.format(line="Line", up="Up", down="Down", argument="message")
        + "@object_type(alias='our:channel')\nclass Channel:\n    Channel: Dual[Up[Line], Down[Line]]\n"
    )
    register(catalogue, scan(ours), matcher)
    theirs = write(
        CHANNEL.format(line="Utterance", up="Pipe", down="Sink", argument="message")
        + "@object_type(alias='their:page')\nclass Page:\n    inlet: Dual[Sink[Utterance], Pipe[Utterance]]\n"
    )
    register(catalogue, scan(theirs), matcher)
    assert matcher.matches(
        endpoint(catalogue, "our:channel", "Channel"), endpoint(catalogue, "their:page", "inlet")
    )

    class Channel:
        """The first module's object: it sends whatever it receives back to everybody."""

        def __init__(self) -> None:
            self.members: list[Any] = []

        def send(self, message: Any) -> None:
            assert type(message) is ours.Line
            for member in self.members:
                member.receive(message)

    class Page:
        """The second module's object: it shows whatever it receives."""

        def __init__(self) -> None:
            self.shown: list[Any] = []

        def receive(self, message: Any) -> None:
            self.shown.append(message)

    fronts, channel, pages = Fronts(), Channel(), [Page(), Page()]
    channel.members = [
        fronts.bridge(ours.Down[ours.Line], theirs.Sink[theirs.Utterance], page) for page in pages
    ]
    peer = fronts.bridge(theirs.Pipe[theirs.Utterance], ours.Up[ours.Line], channel)
    peer.send(theirs.Utterance("ann", "hello"))
    for page in pages:
        assert page.shown == [theirs.Utterance("ann", "hello")]


def test_story_8_what_a_folder_hands_out_is_checked_against_what_is_expected(
    catalogue: Catalogue, matcher: Matcher
) -> None:
    desktop = catalogue.term(catalogue.find("component/liven:desktop"))
    as_ui = catalogue.object("liven:ui")
    as_channel = catalogue.object("liven:checkpointed-channel<liven:text, liven:text>")
    assert matcher.cast(desktop, as_ui)
    refused = matcher.cast(desktop, as_channel)
    assert not refused
    assert "Channel" in refused.render()


def test_a_reference_gives_a_text_note_its_channel_and_nothing_else(catalogue: Catalogue) -> None:
    note = template_of(catalogue, catalogue.find("component/liven:text"))
    given = note.assign(channel=Ref[Any]("<Object/>").xml)
    assert not given.open
    with pytest.raises(TemplateError, match="channel: expected"):
        note.assign(channel=3)
    with pytest.raises(TemplateError, match="has no such parameter; it has channel"):
        note.assign(chanel="<Object/>")
