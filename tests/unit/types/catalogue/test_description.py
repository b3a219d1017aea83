"""Classes and explanations as lines and as data."""

from __future__ import annotations

import json

import pytest

from liven.types.catalogue import Catalogue
from liven.types.catalogue.description import described, entry_data, explanation_data, structure
from liven.types.explanation import Explanation
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.value_types import INT8, TEXT


def test_every_class_can_be_described_as_lines_and_as_data(catalogue: Catalogue) -> None:
    for entry in catalogue:
        lines = list(described(entry))
        assert lines[0].endswith(f'{entry.alias}  "{entry.name}"')
        data = json.loads(json.dumps(entry_data(entry)))
        assert data["alias"] == entry.alias
        assert data["never"] == any("will not implement" in line for line in lines)


@pytest.mark.parametrize(
    ("term", "lines"),
    [
        (TEXT, ["text"]),
        ((("go", INT8), ("stop", TEXT)), ["go(int8)", "stop(text)"]),
        (EndpointType(local="UI"), ["local UI"]),
        (EndpointType((("a", TEXT),), (("b", INT8),)), ["in  a(text)", "out b(int8)"]),
        (
            ObjectType(
                (("door", EndpointType(provides=(Constraint(ClassId(1), 1, "one"),))),),
                requires=(Constraint(ClassId(1), 2, "two"),),
            ),
            ["endpoint door", "  provides `one`", "requires `two`"],
        ),
        (ObjectType(), []),
    ],
)
def test_a_structure_has_a_line_for_each_part(term: object, lines: list[str]) -> None:
    assert list(structure(term)) == lines


def test_an_explanation_as_data_keeps_its_tree() -> None:
    inner = Explanation(False, "b", subject="s", left="l", right="r")
    assert explanation_data(Explanation(True, "a", (inner,))) == {
        "holds": True,
        "claim": "a",
        "subject": "",
        "left": "",
        "right": "",
        "reasons": [{"holds": False, "claim": "b", "subject": "s", "left": "l", "right": "r", "reasons": []}],
    }


def test_a_template_is_described_as_it_was_written(catalogue: Catalogue) -> None:
    lines = list(described(catalogue.find("object/liven:checkpointed-channel")))
    assert "  takes: MessageClass, a class of kind value class" in lines
    assert lines[-1].startswith(
        "  Channel: exports liven:checkpointed-channel<MessageClass, CheckpointClass>"
    )
