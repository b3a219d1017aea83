"""The ids in files of the original program are known."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.types.catalogue import Catalogue, Kind
from liven.types.ids import ClassId

TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
KINDS: dict[str, Kind] = {"ValueClass": "value", "InterfaceClass": "interface", "EndpointClass": "endpoint"}


@pytest.fixture
def corpus() -> Path:
    place = os.environ.get("LIVEN_CORPUS")
    if not place:
        pytest.skip("LIVEN_CORPUS names no folder of original files")
    return Path(place)


def parsed(file: Path) -> ET.Element:
    """Return the file's root; some files claim UTF-16 and are not."""
    text = file.read_bytes().decode("utf-8-sig", "replace").lstrip()
    return ET.fromstring(re.sub(r"^<\?xml[^>]*\?>", "", text))


def mentioned(file: Path) -> Iterator[tuple[Kind, str]]:
    """Yield each class that a file mentions, with the kind that its place implies."""
    for element in parsed(file).iter():
        id_, kind = element.get("id"), element.get(TYPE)
        if id_ is None:
            continue
        if kind in KINDS:
            yield KINDS[kind], id_
        elif element.tag == "ObjectClass" or kind == "ObjectClass":
            yield "object", id_
        elif kind == "ReferenceObject" and element.find("From") is None:
            yield "component", id_


def given_parameters(file: Path) -> Iterator[tuple[str, str]]:
    """Yield each id of an object with each parameter name that the file gives."""
    for element in parsed(file).iter():
        if element.get(TYPE) == "ReferenceObject" and element.get("id") and element.find("From") is None:
            yield from ((element.attrib["id"], one.attrib["id"]) for one in element.findall("Parameter"))


def test_nearly_all_parameters_that_original_files_give_are_known(corpus: Path, catalogue: Catalogue) -> None:
    unknown: Counter[tuple[str, str]] = Counter()
    known = 0
    for file in sorted(corpus.rglob("*.liveobject")):
        try:
            given = list(given_parameters(file))
        except ET.ParseError:
            continue
        for id_, name in given:
            source = catalogue.find(id_, "component").source
            names = {one.name for one in source.type_parameters()}
            names |= {one.name for one in source.value_parameters()}
            if name in names:
                known += 1
            else:
                unknown[(catalogue.find(id_, "component").alias, name)] += 1
    # Some files were written for earlier versions of the original, with parameters that it then dropped.
    assert unknown.total() < 0.03 * known, unknown.most_common()


def test_the_classes_that_original_files_mention_are_known(corpus: Path, catalogue: Catalogue) -> None:
    files = sorted(corpus.rglob("*.liveobject"))
    assert files
    unknown: Counter[tuple[Kind, str]] = Counter()
    known = 0
    for file in files:
        try:
            found = list(mentioned(file))
        except ET.ParseError:
            continue
        for kind, id_ in found:
            if catalogue.by_id(kind, ClassId.parse(id_)) is None:
                unknown[(kind, id_)] += 1
            else:
                known += 1
    assert known > 1000
    assert not unknown, unknown.most_common()
