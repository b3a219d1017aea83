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
    is_encrypted,
    is_unencrypted,
)
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.objects.presence import PresenceChannel
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.folder.object import SharedFolder
from liven.runtime.reference.model import Parameter, Plain, Reference
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


@pytest.mark.parametrize("name", ["liven:encrypt", "0`3:1A2D6868E7BDE0F650AF42E3C1074905", "liven:guard"])
def test_an_object_that_encrypts_is_found_at_any_depth(name: str) -> None:
    deep = Reference("a:b", (Parameter("p", Reference("c:d", (Parameter("q", Reference(name)),))),))
    assert is_encrypted(write(deep).decode())
    assert is_encrypted(SECRET)


def test_a_recipe_without_encryption_or_without_sense_is_not_encrypted() -> None:
    assert not is_encrypted(write(Reference("acme:cipher")).decode())
    assert not is_encrypted("<")
