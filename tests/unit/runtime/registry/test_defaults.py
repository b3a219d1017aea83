"""The registry's default entries can be built."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.problems import Problems
from liven.runtime.process.session import Session
from liven.runtime.reference.model import Object, name_of
from liven.runtime.reference.well_known_keys import WELL_KNOWN, find_key
from liven.runtime.registry.defaults import stock_defaults
from liven.runtime.user_folders import UserFolders


def test_there_is_one_for_every_well_known_key() -> None:
    assert set(stock_defaults()) == {one.id for one in WELL_KNOWN}


@pytest.mark.parametrize(("key", "thing"), stock_defaults().items())
def test_each_default_is_built_or_null(
    crank: HandCranked, problems: Problems, tmp_path: Path, key: str, thing: Object
) -> None:
    if thing.null:
        known = find_key(key)
        assert known is not None
        assert not known.expects, "what others count on is never nothing"
        return
    assert name_of(thing)
    session = Session.start(crank, problems, UserFolders.below(tmp_path))
    try:
        reply = session.loader.dereference(thing)
        crank.wait(lambda: reply.settled)
        reply.value().close()
        assert list(problems) == []
    finally:
        session.close()
