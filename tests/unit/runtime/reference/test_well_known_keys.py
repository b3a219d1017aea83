"""The registry's well-known keys."""

from __future__ import annotations

import pytest

from liven.runtime.reference.well_known_keys import WELL_KNOWN, find_key, name_of_key


@pytest.mark.parametrize("key", WELL_KNOWN, ids=lambda key: key.name)
def test_a_key_is_found_in_every_spelling_and_by_its_name(key: object) -> None:
    known = next(one for one in WELL_KNOWN if one is key)
    for spelling in (
        known.id,
        known.id.lower(),
        f"{{{known.id}}}",
        f"0:{known.id}`0",
        known.name,
    ):
        assert find_key(spelling) is known


def test_other_keys_have_no_name() -> None:
    assert find_key("104") is None
    assert name_of_key("communications") == ""
    assert name_of_key("11E83FA6A9F426993BB8EF26FF7D7B8") == "communication"
