"""Recipes that lead to encrypted channels are recognized without running anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.channel.adapters.reader_encryption import Guard
from liven.liveobjects.channel.adapters.shared_key_encryption import Encrypt, EncryptReplicated
from liven.liveobjects.channel.api.encryption import (
    _ENCRYPTING,
    _WITHIN,
    component,
    is_unencrypted,
    may_be_encrypted,
)
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.objects.presence import PresenceChannel
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.folder.object import SharedFolder
from liven.runtime.reference.model import Composite, Object, Parameter, Plain, Reference
from liven.runtime.reference.xml import read, write
from liven.types.declare.annotation.reader import declaration_of

ROOT = Path(__file__).parents[5]
SECRET = (ROOT / "samples" / "channels" / "secret.liveobject").read_text()


def test_allowed_parts_are_known_by_id_and_alias_and_none_encrypts() -> None:
    open_ones = (
        SharedChannel,
        OrderedGroupChannel,
        GroupChannel,
        PresenceChannel,
        LocalChannel,
        SharedFolder,
    )
    for kinds, good in ((open_ones, True), ((Encrypt, EncryptReplicated, Guard), False)):
        for kind in kinds:
            tag = declaration_of(kind).tag
            names = {component(str(tag.id)), component(tag.alias)}
            assert {name in _WITHIN for name in names} == {good}, kind
            assert {name in _ENCRYPTING for name in names} == {not good}, kind


def test_samples_of_notes_and_desktops_are_open() -> None:
    for path in (ROOT / "samples" / "desk").glob("*.liveobject"):
        assert is_unencrypted(write(read(path.read_bytes())).decode()), path
    assert is_unencrypted(write(Reference("liven:chat", (Parameter("n", Plain("string", "x")),))).decode())


@pytest.mark.parametrize(
    "thing",
    [
        read(SECRET.encode()).object,
        Reference("liven:text", (Parameter("channel", Reference("liven:encrypt")),)),
        Reference("liven:text", (Parameter("channel", Reference("acme:cipher")),)),
        Reference("liven:text", (Parameter("channel", Reference("k", source=Reference("acme:folder"))),)),
        Composite(),
    ],
)
def test_what_may_encrypt_is_not_open(thing: Object) -> None:
    assert not is_unencrypted(write(thing).decode())


@pytest.mark.parametrize("name", ["liven:encrypt", "0`3:1A2D6868E7BDE0F650AF42E3C1074905", "liven:guard"])
def test_an_object_that_encrypts_is_found_at_any_depth(name: str) -> None:
    deep = Reference("a:b", (Parameter("p", Reference("c:d", (Parameter("q", Reference(name)),))),))
    assert may_be_encrypted(write(deep).decode())
    assert may_be_encrypted(SECRET)


@pytest.mark.parametrize("folder", ["liven:shared-folder", "liven:local-folder", "acme:folder"])
def test_an_object_from_a_folder_may_be_one_that_encrypts(folder: str) -> None:
    there = Reference("diary", source=Reference(folder))
    note = Reference("liven:text", (Parameter("channel", there),))
    assert may_be_encrypted(write(there).decode())
    assert may_be_encrypted(write(note).decode())


def test_notes_and_desktops_on_plain_channels_encrypt_nothing() -> None:
    for path in (ROOT / "samples" / "desk").glob("*.liveobject"):
        assert not may_be_encrypted(path.read_text()), path


def test_a_recipe_without_encryption_or_without_sense_is_not_encrypted() -> None:
    assert not may_be_encrypted(write(Reference("acme:cipher")).decode())
    assert not may_be_encrypted("<")
