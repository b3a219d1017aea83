"""The best known objects of the original program, compared with their descriptions."""

from __future__ import annotations

import pytest

from liven.types.catalogue import Catalogue
from liven.types.matching import Matcher
from liven.types.terms.type_text import spell_events

LOADER = "ref<liven:service<liven:loader<liven:object>>>"
TEXTS = "ref<liven:checkpointed-channel<liven:text, liven:text>>"
POSE = "ref<liven:value-stream<liven:coordinates>>"

OBJECTS = [
    ("E3EA16F4ECC84B3B998E01F3B78E9AC9", "text", "liven:ui", {"channel": TEXTS}),
    (
        "88D82BF52EA1496696002257989DE3D3",
        "image-2d",
        "liven:ui",
        {"channel": "ref<liven:checkpointed-channel<liven:frame, liven:frame>>"},
    ),
    (
        "570482D150074A5381C8F5FD8C348503",
        "desktop",
        "liven:ui",
        {
            "background_color": "text",
            "channel": "ref<liven:checkpointed-channel<liven:desktop-operation, liven:desktop-state>>",
            "loader": LOADER,
        },
    ),
    (
        "A23A3D5432FB40BAB87181FD0943299A",
        "shared-folder",
        "liven:folder<text, liven:object>",
        {
            "channel": "ref<liven:checkpointed-channel<liven:folder-operation, liven:folder-state>>",
            "loader": LOADER,
        },
    ),
    (
        "0C4E4E5F6DB24C04910D1CBE473CBE24",
        "folder-view",
        "liven:ui",
        {"folder": "ref<liven:folder<text, liven:object>>", "loader": LOADER},
    ),
    (
        "4A9D7A367CCF496A9A80891C48D5E773",
        "local-folder",
        "liven:folder<text, liven:object>",
        {"path": "text", "loader": LOADER},
    ),
    ("0F6280C168784136A591A5B4CB2DB197", "local-file", "liven:value-stream<bytes>", {"path": "text"}),
    (
        "C3073050408D40529B63DD5BD932319D",
        "window",
        "liven:window",
        {"caption": "text", "loader": LOADER, "ui": "ref<liven:ui>"},
    ),
    ("36A8784294CE45109D42BEFF888BE5A3", "viewfinder", "liven:object", {"loader": LOADER}),
    ("8BA035CBEEE641089C5D8A3C2FD1C74E", "object-designer", "liven:ui", {"path": "text"}),
    ("CAACC8A70AA64C32B2B4A229B23A6BC6", "components", "liven:ui", {}),
    (
        "369286FE08334A4BAF34D57BBFFC1D0A",
        "color-ui",
        "liven:ui",
        {"channel": "ref<liven:checkpointed-channel<liven:color, liven:color>>"},
    ),
    (
        "579CBBAB3C7A46E2BD5A91D8A5280FFB",
        "color",
        "liven:value-stream<liven:color>",
        dict.fromkeys("RGBA", "uint8"),
    ),
    (
        "43CA76B7A90346C4B713D43271A2EF62",
        "box-3d",
        "liven:ui-x",
        {
            "SX": "float32",
            "SY": "float32",
            "SZ": "float32",
            "coordinates": POSE,
            "color": "ref<liven:value-stream<liven:color>>",
        },
    ),
    (
        "C69D58A635524737981E4C8AB9279EDD",
        "model-3d",
        "liven:ui-x",
        {"modelname": "text", "coordinates": POSE},
    ),
    ("045C396266C740E99A6FD70B1DCC1FD0", "image-3d", "liven:ui-x", {"imagename": "text"}),
    (
        "AA471AB3A6644F8A8EB55E72B4078CA6",
        "coordinates-1",
        "liven:value-stream<liven:coordinates>",
        dict.fromkeys(("PX", "PY", "PZ", "RX", "RY", "RZ"), "float32"),
    ),
    (
        "2D360778BB184A76A544E5740006A618",
        "coordinates-2",
        "liven:value-stream<liven:coordinates>",
        dict.fromkeys(("PX", "PY", "PZ", "RX", "RY", "RZ", "R", "T", "S"), "float64"),
    ),
    (
        "E8C9D312C27649F39812B8E99AA67CBC",
        "registry",
        "liven:folder<text, liven:object>",
        {},
    ),
    ("BFB405E1F3134A33AF093B0D4901318B", "library", "liven:service<liven:library>", {}),
    (
        "991815B1E97F4BEF811476F01270FDA8",
        "loader",
        "liven:service<liven:loader<liven:object>>",
        {"library": "ref<liven:service<liven:library>>"},
    ),
    (
        "FAEC13B6015A4B83BFF3758BDCA1AA30",
        "deserializer",
        "liven:service<liven:deserializer>",
        {"library": "ref<liven:service<liven:library>>"},
    ),
]


@pytest.mark.parametrize(("id_", "alias", "type_", "parameters"), OBJECTS, ids=[row[1] for row in OBJECTS])
def test_an_object_has_its_id_type_and_parameters(
    catalogue: Catalogue, matcher: Matcher, id_: str, alias: str, type_: str, parameters: dict[str, str]
) -> None:
    entry = catalogue.find(id_, "component")
    assert entry.alias == f"liven:{alias}"
    assert {one.name: one.written for one in entry.source.value_parameters()} == parameters
    answer = matcher.object_subtype(catalogue.term(entry), catalogue.object(type_))
    assert answer, answer.render()


CHANNELS = [
    ("4FF15AA1A8BD458BA3847691DF96D289", "local-communication-channel", ["address", "debugging"]),
    ("7EB42417EB864FF485F685025C447808", "xml-channel", ["underlyingchannel"]),
    ("C9420ABA41FB4A1FAABCFA978FE16355", "app-file-backing", ["filepath", "timer interval", "debugging"]),
    ("89BF6594F5884B6495F5CD78C5372FC6", "channel-1", ["underlying_untyped_channel"]),
]


@pytest.mark.parametrize(("id_", "alias", "parameters"), CHANNELS, ids=[row[1] for row in CHANNELS])
def test_a_channel_is_a_template_of_two_value_classes(
    catalogue: Catalogue, matcher: Matcher, id_: str, alias: str, parameters: list[str]
) -> None:
    entry = catalogue.find(id_, "component")
    assert entry.alias == f"liven:{alias}"
    assert [one.name for one in entry.source.type_parameters()] == ["MessageClass", "CheckpointClass"]
    assert [one.name for one in entry.source.value_parameters()] == parameters
    arguments = (catalogue.value("liven:text"), catalogue.value("liven:color"))
    channel = catalogue.object("liven:checkpointed-channel<liven:text, liven:color>")
    assert matcher.same(catalogue.term(entry, arguments), channel)


INTERFACES = {
    "liven:checkpointed-channel<int8, bool>": "send({message: int8})",
    "liven:checkpointed-channel-client<int8, bool>": (
        "checkpoint({call: uint64}), checkpoint.reply({answer: <error: text | value: bool>, call: uint64}), "
        "initialize({checkpoint: optional<bool>}), receive({message: int8})"
    ),
    "liven:value-stream-client<text>": "set({value: text})",
    "liven:folder-client<text, liven:object>": (
        "added({key: text, object: ref<object {}>}), ready({}), removed({key: text})"
    ),
    "liven:membership-channel<uint64, text>": "member({member: text})",
    "liven:membership-channel-client<uint64, text>": (
        "membership({membership: {incarnation: uint64, members: list<text>}})"
    ),
    "liven:ring<uint64, uint64, text>": "",
    "liven:transport<text, bytes>": "connect({address: text})",
    "liven:log": "log({message: text})",
}


@pytest.mark.parametrize(("text", "events"), INTERFACES.items(), ids=list(INTERFACES))
def test_an_interface_has_the_events_of_the_original(catalogue: Catalogue, text: str, events: str) -> None:
    from liven.types.catalogue.notation import read_type

    assert spell_events(catalogue.builder.interface(read_type(text), {})) == events


def test_a_folder_answers_what_it_is_asked(catalogue: Catalogue) -> None:
    [(_, endpoint)] = catalogue.object("liven:folder<text, liven:ui>").endpoints
    asked = {name for name, _ in endpoint.inputs}
    assert asked == {
        "add",
        "contains_key",
        "count",
        "get_object",
        "is_read_only",
        "keys",
        "objects",
        "remove",
        "try_get_object",
    }
    answered = {name.removesuffix(".reply") for name, _ in endpoint.outputs if name.endswith(".reply")}
    assert answered == asked - {"add", "remove"}
    assert {name for name, _ in endpoint.outputs if not name.endswith(".reply")} == {
        "added",
        "ready",
        "removed",
    }
    found = dict(endpoint.outputs)["try_get_object.reply"]
    assert spell_events((("r", found),)) == (
        "r({answer: <error: text | value: {object: optional<ref<object {UI: endpoint {local UI}}>>, "
        "result: bool}>, call: uint64})"
    )


@pytest.mark.parametrize(
    ("dropped", "fits", "wanted"),
    [
        ("component/liven:desktop", True, "object/liven:ui"),
        ("component/liven:box-3d", True, "object/liven:ui-x"),
        ("component/liven:box-3d", False, "object/liven:ui"),
        ("component/liven:desktop", False, "object/liven:ui-x"),
        ("component/liven:shared-folder", True, "component/liven:local-folder"),
        ("component/liven:coordinates-1", True, "component/liven:coordinates-2"),
        ("component/liven:coordinates-1", False, "component/liven:color"),
    ],
)
def test_each_original_object_can_be_dropped_where_expected(
    catalogue: Catalogue, matcher: Matcher, dropped: str, fits: bool, wanted: str
) -> None:
    actual, expected = (catalogue.term(catalogue.find(name)) for name in (dropped, wanted))
    answer = matcher.object_subtype(actual, expected)
    assert bool(answer) is fits, answer.render()


def test_an_endpoint_is_called_after_the_object_that_has_it(catalogue: Catalogue, matcher: Matcher) -> None:
    [(_, shown)] = catalogue.term(catalogue.find("component/liven:desktop")).endpoints
    answer = matcher.matches(shown, catalogue.endpoint("liven:imported-ui-x"))
    assert answer.claim.startswith("liven:desktop.UI does not match liven:imported-ui-x")
