"""Digests are equal across Python versions. The `repr` of a text depends on the version: a newer one prints
characters that an older one escapes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liven.liveobjects.chat.model import ChatModel, Line, Say, Talk
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import Add, Desktop, Item, Join, Link, Place
from liven.liveobjects.folder.model import FolderModel
from liven.liveobjects.folder.state import Content, Put
from liven.liveobjects.image.model import ImageModel
from liven.liveobjects.image.state import Album, Begin
from liven.liveobjects.text.document import Document, Insert
from liven.liveobjects.vote.model import Ask, Offer, Poll, VoteModel
from liven.runtime.fold import applied

WORDS = "é 🫨"
"""One character that all versions know, and one that is new in Unicode 15."""


def desk() -> bytes:
    model, place = DesktopModel(), Place(1.5, -2.0, 10.0, 20.0)
    items = (Add(Item("a", WORDS, place, "<x/>")), Add(Item("b", "", place, "<x/>")))
    return model.digest(applied(model, Desktop(), (*items, Join(Link("l", "a", "b", WORDS))))[0])


def chat() -> bytes:
    model = ChatModel()
    return model.digest(applied(model, Talk(), (Say(Line("k", "p", WORDS, "#123456", 7, WORDS)),))[0])


def vote() -> bytes:
    model = VoteModel()
    return model.digest(applied(model, Poll(), (Ask(WORDS), Offer("k", WORDS)))[0])


def image() -> bytes:
    model = ImageModel()
    return model.digest(applied(model, Album(), (Begin("p", WORDS, "png", 10, 10, 100),))[0])


def folder() -> bytes:
    model = FolderModel()
    return model.digest(applied(model, Content(), (Put(WORDS, f"<x>{WORDS}</x>"),))[0])


def note() -> bytes:
    document = Document(writer=7)
    document.edit((Insert(WORDS, {"link": f"https://{WORDS}"}),))
    return document.digest()


@pytest.mark.parametrize(
    ("digest", "everywhere"),
    [
        (desk, "97644faae4f7ae501e7e94ad126e57aa"),
        (chat, "a74ddbd54dbbcc215f8f2b092303c3d7"),
        (vote, "4763d958eb9b92634fdefcda39084712"),
        (image, "32c81a5c5583b3d7ebb416a6a8764267"),
        (folder, "07130f382c3ad355e31e9737e9685260"),
        (note, "f905b69170108e86a3a7604eaa9f67ec"),
    ],
)
def test_a_digest_is_the_same_on_every_version_of_python(
    digest: Callable[[], bytes], everywhere: str
) -> None:
    assert digest().hex() == everywhere
