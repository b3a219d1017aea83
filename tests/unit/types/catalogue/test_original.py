"""The classes of the original program, one by one."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import pytest

from liven.types.catalogue import Catalogue, Entry, Kind
from liven.types.catalogue.notation_terms import Builder
from liven.types.catalogue.original import DataError, _entry, _Library
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import TEXT, Opaque
from liven.types.terms.wellformed import demand_wellformed

DIGEST = "fc83b79a7de7ccaebf675435efc128481ea9718295ee0cf98be8e9a61563fc00"
SAMPLES: dict[str, Any] = {
    "value": TEXT,
    "interface": (("go", TEXT),),
    "endpoint": EndpointType(inputs=(("go", TEXT),)),
    "object": ObjectType(),
}


def sample_arguments(entry: Entry) -> tuple[Any, ...]:
    return tuple(SAMPLES[parameter.kind] for parameter in entry.source.type_parameters())


def test_every_class_of_the_original_is_there(catalogue: Catalogue) -> None:
    counts = Counter(entry.kind for entry in catalogue)
    assert counts == {
        "component": 278,
        "interface": 138,
        "value": 137,
        "object": 112,
        "endpoint": 8,
        "formalism": 3,
    }


def test_every_structure_can_be_read_and_is_well_formed(catalogue: Catalogue) -> None:
    for entry in catalogue:
        term = catalogue.term(entry, sample_arguments(entry))
        if entry.kind not in ("interface", "formalism"):
            demand_wellformed(term)
        for parameter in entry.source.value_parameters():
            demand_wellformed(parameter.type_with(sample_arguments(entry)))


def test_an_id_within_a_kind_is_that_of_one_class(catalogue: Catalogue) -> None:
    ids = Counter((entry.kind, entry.id) for entry in catalogue)
    assert [key for key, number in ids.items() if number > 1] == []


def test_an_alias_within_a_kind_is_that_of_one_class(catalogue: Catalogue) -> None:
    aliases = Counter((entry.kind, entry.alias) for entry in catalogue)
    assert [key for key, number in aliases.items() if number > 1] == []


@pytest.mark.parametrize("short", ["1`1", "2`1", "100`1"])
def test_short_ids_that_libraries_share_are_told_apart(catalogue: Catalogue, short: str) -> None:
    sharing = [entry for entry in catalogue if str(entry.id).lstrip("0123456789ABCDEF:").startswith("`1")]
    same = [entry for entry in sharing if entry.id.component == int(short.partition("`")[0], 16)]
    assert len(same) >= 2
    for entry in same:
        assert entry.id.namespace != 0
        assert catalogue.find(f"{entry.kind}/{entry.id}") is entry


@pytest.mark.parametrize(
    ("kind", "id_", "alias", "name"),
    [
        ("value", "982130E40A294E3CAD5441841E87941E", "liven:text", "Text"),
        ("component", "E3EA16F4ECC84B3B998E01F3B78E9AC9", "liven:text", "Text"),
        (
            "object",
            "806C71E88E749AA879E52F960F4B881",
            "liven:checkpointed-channel",
            "Checkpointed communication channel",
        ),
        ("object", "{D111EEF8754D4EB98ABD90B0260AEF93}", "liven:folder", "Dictionary"),
        ("object", "0`1:F5225FA26F7C4F6D93C9E5A1A45FCF45`0", "liven:object", "Object"),
        ("endpoint", "9cf6982014d24ea19bb56d064b4a4355", "liven:exported-ui", "ExportedUI"),
        ("component", "E8C9D312C27649F39812B8E99AA67CBC", "liven:registry", "Registry"),
        ("object", "0`1:22`1", "liven:camera", "Camera"),
        ("component", "0`1:2`1", "original:go-transport", "GOTransport"),
        ("value", "2FEB1E028342422CBD38CB074B957973", "liven:string", "string"),
        ("component", "49001A36353F453C8BF68F93FB933C23`1:1`1", "original:smart-grid-log", "Log"),
    ],
)
def test_a_class_is_found_by_its_id_as_files_write_it(
    catalogue: Catalogue, kind: Kind, id_: str, alias: str, name: str
) -> None:
    entry = catalogue.find(id_, kind)
    assert (entry.alias, entry.name) == (alias, name)


@pytest.mark.parametrize(
    ("text", "structure"),
    [
        (
            "liven:checkpointed-channel<text, int32>",
            "object {Channel: endpoint {in checkpoint.reply({answer: <error: text | value: int32>, "
            "call: uint64}), "
            "send({message: text}); out checkpoint({call: uint64}), "
            "initialize({checkpoint: optional<int32>}), "
            "receive({message: text})}}",
        ),
        ("liven:ui", "object {UI: endpoint {local UI}}"),
        ("liven:object", "object {}"),
        (
            "liven:value-stream<float64>",
            "object {Endpoint: endpoint {in get({call: uint64}), set({value: float64}); "
            "out get.reply({answer: <error: text | value: float64>, call: uint64}), set({value: float64})}}",
        ),
        ("liven:service<liven:log>", "object {Endpoint: endpoint {in log({message: text})}}"),
    ],
)
def test_an_object_type_has_the_endpoints_of_the_original(
    catalogue: Catalogue, text: str, structure: str
) -> None:
    assert spell(catalogue.object(text)) == structure


def test_a_channel_matches_its_client_and_nothing_else(catalogue: Catalogue, matcher: Matcher) -> None:
    channel = dict(catalogue.object("liven:checkpointed-channel<text, text>").endpoints)["Channel"]
    client = dict(catalogue.object("liven:checkpointed-channel-client<text, text>").endpoints)[
        "ChannelClient"
    ]
    other = dict(catalogue.object("liven:checkpointed-channel-client<text, int32>").endpoints)[
        "ChannelClient"
    ]
    assert matcher.matches(channel, client)
    assert not matcher.matches(channel, channel)
    assert not matcher.matches(channel, other)


def test_ui_endpoints_match_their_opposites_only(catalogue: Catalogue, matcher: Matcher) -> None:
    ends = {
        name: catalogue.endpoint(f"liven:{name}")
        for name in ("exported-ui", "imported-ui", "exported-ui-x", "imported-ui-x")
    }
    pairs = {(a, b) for a in ends for b in ends if matcher.matches(ends[a], ends[b])}
    assert pairs == {
        ("exported-ui", "imported-ui"),
        ("imported-ui", "exported-ui"),
        ("exported-ui-x", "imported-ui-x"),
        ("imported-ui-x", "exported-ui-x"),
    }


def test_never_implemented_classes_are_named_and_marked(catalogue: Catalogue) -> None:
    experiments = [entry for entry in catalogue if entry.origin == "experiments"]
    assert len(experiments) == 182
    assert all(entry.never and entry.alias.startswith("original:") for entry in experiments)
    assert not catalogue.find("object/liven:folder").never
    assert all(entry.alias.startswith("original:" if entry.never else "liven:") for entry in catalogue)


def test_a_value_class_without_known_structure_fits_itself_only(
    catalogue: Catalogue, matcher: Matcher
) -> None:
    desktop, block = catalogue.value("liven:desktop-state"), catalogue.value("liven:block")
    assert isinstance(desktop, Opaque)
    assert matcher.value_subtype(desktop, desktop)
    assert not matcher.value_subtype(desktop, block)
    assert not catalogue.find("liven:desktop-state").typed


def test_a_component_has_the_parameters_that_files_give_it(catalogue: Catalogue) -> None:
    desktop = catalogue.find("component/liven:desktop").source
    assert [(one.name, one.written) for one in desktop.value_parameters()] == [
        ("background_color", "text"),
        ("channel", "ref<liven:checkpointed-channel<liven:desktop-operation, liven:desktop-state>>"),
        ("loader", "ref<liven:service<liven:loader<liven:object>>>"),
    ]


def test_parameter_names_may_have_spaces_and_signs(catalogue: Catalogue) -> None:
    histogram = catalogue.find("component/original:histogram-standalone").source
    assert [one.name for one in histogram.value_parameters()] == [
        "# of frames",
        "repeat",
        "cache",
        "# threads",
    ]


def test_a_promise_of_the_original_is_read_by_its_formalism(catalogue: Catalogue) -> None:
    [(_, channel)] = catalogue.object("original:test1").endpoints
    assert [one.formalism for one in channel.provides] == [catalogue.find("formalism/liven:secure").id]


def test_structures_are_read_only_when_somebody_asks(
    monkeypatch: pytest.MonkeyPatch, formalisms: Formalisms
) -> None:
    from liven.types.catalogue import builtin_catalogue, original

    def forbidden(text: str) -> None:
        raise AssertionError(text)

    monkeypatch.setattr(original, "read_type", forbidden)
    monkeypatch.setattr(original, "NotationReader", forbidden)
    assert len(builtin_catalogue(formalisms)) == 676


@pytest.mark.parametrize(
    ("line", "said"),
    [("value liven:x", "is not a class"), ('thing liven:x 0A core "X"', "'thing' is not a kind of class")],
)
def test_a_malformed_line_of_the_data_file_is_an_error(line: str, said: str, formalisms: Formalisms) -> None:
    catalogue = Catalogue(formalisms)
    with pytest.raises(DataError, match=said):
        _entry(line, [], Builder(catalogue), formalisms, _Library({"core": 1}))


def test_no_class_changed_its_id_kind_or_name(catalogue: Catalogue) -> None:
    """Files of the original program name these; a change breaks somebody's file."""
    rows = sorted(f"{entry.id} {entry.kind} {entry.name}\n" for entry in catalogue)
    assert len(rows) == 676
    assert hashlib.sha256("".join(rows).encode()).hexdigest() == DIGEST
