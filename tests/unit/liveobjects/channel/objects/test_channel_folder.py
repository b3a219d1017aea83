"""The communication system: channels by name, created when they are used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.liveobjects.channel.objects.channel_folder import Communication, CommunicationSystems
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.errors import CallFailedError, DereferenceError
from liven.runtime.objects.probe import Probe
from liven.runtime.reference.model import ObjectClass, OtherClass, Parameter, Plain, Reference

TEXTS = (Parameter("MessageClass", OtherClass("ValueClass", "liven:text")),)


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path) as made:
        yield made


def folder(kind: str = "group", **given: str) -> Reference:
    values = {"kind": kind, **given}
    return Reference(
        "liven:communication", tuple(Parameter(key, Plain("string", text)) for key, text in values.items())
    )


def channel(key: str, as_: str = "liven:fifo-channel", *, of: Reference | None = None) -> Reference:
    return Reference(key, source=of or folder(), object_class=ObjectClass(as_, TEXTS))


def opened(process: Process, reference: Reference) -> Probe:
    return process.load(reference).probe()


def received(probe: Probe) -> list[object]:
    return [heard[1]["message"] for heard in probe.heard if heard[0] == "receive"]  # type: ignore[index]


def test_two_processes_with_one_recipe_share_a_channel(processes: Processes) -> None:
    one, other = (opened(processes.process(), channel("standup")) for _ in range(2))
    processes.settle()
    one.send("send", {"message": "hello"})
    processes.settle()
    assert received(other) == ["hello"]


def test_names_folders_and_networks_keep_channels_apart(processes: Processes) -> None:
    first = opened(processes.process(), channel("standup"))
    others = [
        opened(processes.process(), channel("other")),
        opened(processes.process(), channel("standup", of=folder(folder="F2"))),
        opened(processes.process(), channel("standup", of=folder(network="lab"))),
    ]
    processes.settle()
    first.send("send", {"message": "hello"})
    processes.settle()
    assert [received(probe) for probe in others] == [[], [], []]


def test_the_classes_come_from_the_as_clause_and_another_class_of_channel_is_refused(
    processes: Processes,
) -> None:
    with pytest.raises(DereferenceError, match="not of the expected class"):
        processes.process().load(channel("standup", "liven:ordered-channel"))
    processes.expect("not of the expected class")


def test_a_channel_without_classes_cannot_be_opened(processes: Processes) -> None:
    with pytest.raises(DereferenceError, match="MessageClass"):
        processes.process().load(Reference("standup", source=folder()))
    processes.expect("MessageClass")


def test_it_lists_open_and_stored_channels_and_reports_changes(processes: Processes) -> None:
    process = processes.process()
    look = process.build(Communication, kind="group").probe("Endpoint")
    assert look.call("keys", {}).value() == []
    probe = opened(process, channel("standup"))
    assert look.call("keys", {}).value() == ["standup"]
    assert look.heard[-1][0] == "added"
    assert look.call("contains_key", {"key": "standup"}).value() is True
    assert look.call("count", {}).value() == 1
    probe.close()
    assert look.call("keys", {}).value() == []
    assert look.heard[-1] == ("removed", {"key": "standup"})
    store = process.system.store
    assert store is not None
    store.open("home/011E83FA6A9F426993BB8EF26FF7D7B8/kept").append([b"x"])
    assert look.call("keys", {}).value() == ["kept"]
    look.send("remove", {"key": "kept"})
    assert look.call("keys", {}).value() == []


def test_refused_changes_say_why(processes: Processes) -> None:
    process = processes.process()
    look = process.build(Communication, kind="group").probe("Endpoint")
    probe = opened(process, channel("open"))
    for key in ("open", "nobody", "a/b"):
        look.send("remove", {"key": key})
    look.send("add", {"key": "x", "object": '<Object xsi:type="ReferenceObject"/>'})
    processes.expect("'open' is open")
    processes.expect("nothing is stored here of a channel 'nobody'")
    processes.expect("has a slash")
    processes.expect("cannot be added")
    assert look.call("is_read_only", {}).value() is True
    assert probe.end.connected


def test_an_invalid_name_finds_nothing(processes: Processes) -> None:
    look = processes.process().build(Communication).probe("Endpoint")
    assert look.call("try_get_object", {"key": "a/b"}).value() == {"result": False, "object": None}
    with pytest.raises(CallFailedError, match="slash"):
        look.call("get_object", {"key": "a/b"}).value()
    assert "shared-channel" in look.call("get_object", {"key": "fine"}).value()


def test_an_unknown_kind_is_refused(processes: Processes) -> None:
    with pytest.raises(CallFailedError, match="choose one of checkpointed, ordered"):
        processes.process().build(Communication, kind="carrier pigeon")


def test_a_folder_that_ended_no_longer_reports_changes(processes: Processes) -> None:
    process = processes.process()
    process.build(Communication).close()
    assert process.system.on_change == []


def test_many_open_folders_read_no_log_when_a_channel_is_opened(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A desktop with a thousand objects has a folder for each, and every one hears about every channel."""
    process = processes.process()
    for _ in range(5):
        process.build(Communication, kind="group").probe("Endpoint")
    store = process.system.store
    assert store is not None

    def names() -> list[str]:
        raise AssertionError("all that is kept was listed")

    monkeypatch.setattr(store, "names", names)
    opened(process, channel("standup")).close()
    processes.settle()


def test_the_original_names_of_communication_systems_lead_to_this_process(
    processes: Processes,
) -> None:
    process = processes.process()
    look = process.build(CommunicationSystems).probe("Endpoint")
    assert look.call("keys", {}).value() == ["Qsm", "QsmClient"]
    assert "liven:communication" in look.call("get_object", {"key": "Qsm"}).value()
    assert look.call("is_read_only", {}).value() is True
    look.send("add", {"key": "mine", "object": "<Root/>"})
    processes.expect("cannot be added")
    look.send("remove", {"key": "Qsm"})
    processes.expect("cannot be removed")
    systems = Reference("Qsm", source=Reference("liven:communication-systems"))
    classes = (*TEXTS, Parameter("CheckpointClass", OtherClass("ValueClass", "liven:text")))
    wanted = ObjectClass("liven:checkpointed-channel", classes)
    made = process.load(Reference("standup", source=systems, object_class=wanted))
    assert made.instance.name.endswith("/standup")
