from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.ids import ClassId

number = st.integers(0, 2**128 - 1)
release = st.integers(0, 2**64 - 1)


@given(st.builds(ClassId, number, release, number, release))
def test_an_id_is_read_as_it_was_written(key: ClassId) -> None:
    assert ClassId.parse(str(key)) == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("7EC27D89CBD410DADE60463E4D46985", ClassId(0x07EC27D89CBD410DADE60463E4D46985)),
        ("{0806c71e88e749aa879e52f960f4b881}", ClassId(0x0806C71E88E749AA879E52F960F4B881)),
        ("0`1:104`1", ClassId(0x104, 1, 0, 1)),
        ("0`0:C69D`0", ClassId(0xC69D)),
        ("0", ClassId(0)),
        (" 5 ", ClassId(5)),
        ("{5}`2", ClassId(5, 2)),
        ("5:", ClassId(0, 0, 5)),
        (":{5}`", ClassId(5)),
    ],
)
def test_the_spellings_of_old_files_are_read(text: str, key: ClassId) -> None:
    assert ClassId.parse(text) == key


@pytest.mark.parametrize(
    "text",
    [
        *("Qsm", "12`x", "1" * 33, "-1", "1`-1", "1`18446744073709551616"),
        *("dead_beef", "0x12", "+5", "1_0", "\u0661\u0662", "5`1_0", "5`+1", "5`\u0661"),
        *("", " ", ":", "{", "}", "{}", "{5", "5}", "a:b:c", "::5", "5`1`2", "1" * 10_000),
    ],
)
def test_a_malformed_id_is_refused_with_the_faulty_part(text: str) -> None:
    with pytest.raises(ValueError, match="is not an id"):
        ClassId.parse(text)
