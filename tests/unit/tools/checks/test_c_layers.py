"""The check that keeps the folders of the C core apart and its cycles of calls small."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def layers(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("tools/checks/c_layers.py")


def write(core: Path, name: str, text: str) -> None:
    (core / name).parent.mkdir(parents=True, exist_ok=True)
    (core / name).write_text(text)


def test_the_core_follows_the_table(layers: ModuleType) -> None:
    assert list(layers.include_faults(layers.CORE)) == []


def test_no_cycle_of_the_core_is_larger_than_its_figure(layers: ModuleType) -> None:
    assert list(layers.cycle_faults(layers.cycles(layers.calls(layers.CORE)))) == []


def test_each_figure_is_the_size_of_its_cycle_today(layers: ModuleType) -> None:
    found = layers.cycles(layers.calls(layers.CORE))
    sizes = {
        known.name: [len(cycle) for cycle in found if known.anchor in cycle] for known in layers.KNOWN_CYCLES
    }
    assert sizes == {known.name: [known.most] for known in layers.KNOWN_CYCLES}


@pytest.mark.parametrize(
    ("folder", "target"),
    [
        ("base", "wire/header.h"),
        ("wire", "member/member.h"),
        ("service", "ring/partitions.h"),
        ("ring", "service/state.h"),
        ("ring", "repair/pull.h"),
    ],
)
def test_a_forbidden_include_is_reported_with_its_place(
    layers: ModuleType, folder: str, target: str, tmp_path: Path
) -> None:
    write(tmp_path, target, "")
    write(tmp_path, f"{folder}/leaf.c", f'#include <string.h>\n#include "{target}"\n')
    faults = list(layers.include_faults(tmp_path))
    assert len(faults) == 1
    assert faults[0].startswith(f'{folder}/leaf.c:2: {folder}/ may not include "{target}"')


@pytest.mark.parametrize(
    ("folder", "target"),
    [
        ("wire", "base/map.h"),
        ("service", "wire/header.h"),
        ("ring", "member/member_state.h"),
        ("base", "base/map.h"),
    ],
)
def test_an_allowed_include_is_accepted(layers: ModuleType, folder: str, target: str, tmp_path: Path) -> None:
    write(tmp_path, target, "")
    write(tmp_path, f"{folder}/leaf.c", f'#include "{target}"\n#include "mcast/mcast.h"\n')
    assert list(layers.include_faults(tmp_path)) == []


@pytest.mark.parametrize("target", ["map.h", "base/../wire/header.h"])
def test_an_include_without_its_path_from_the_core_is_reported(
    layers: ModuleType, target: str, tmp_path: Path
) -> None:
    write(tmp_path, "base/map.h", "")
    write(tmp_path, "wire/header.h", "")
    write(tmp_path, "base/map.c", f'#include "{target}"\n')
    assert list(layers.include_faults(tmp_path)) == [
        f'base/map.c:1: "{target}" is no header of the core; write its path from core/'
    ]


@pytest.mark.parametrize("name", ["loose.c", "new/file.c"])
def test_a_file_outside_the_known_folders_is_reported(layers: ModuleType, name: str, tmp_path: Path) -> None:
    write(tmp_path, name, "")
    (fault,) = layers.include_faults(tmp_path)
    assert fault.startswith(f"{name}:1: lies in no folder of MAY_INCLUDE")


def plant_cycle(core: Path) -> None:
    write(
        core,
        "ring/one.c",
        "#include <x.h>\n\nvoid mcast_one(int a,\n               int b) {\n    mcast_two(a);\n}\n",
    )
    write(core, "slow/two.c", "const uint8_t **mcast_two(int a) {\n    return mcast_three(a);\n}\n")
    write(core, "send/three.c", "MCAST_COLD int *mcast_three(int a) {\n    return call(mcast_one, a);\n}\n")
    write(
        core,
        "send/four.c",
        "static void mcast_one_more(void) {\n}\n\nvoid mcast_four(void) {\n    mcast_one(1, 2);\n}\n",
    )


def test_files_that_call_each_other_are_one_cycle(layers: ModuleType, tmp_path: Path) -> None:
    plant_cycle(tmp_path)
    assert layers.cycles(layers.calls(tmp_path)) == [["ring/one.c", "send/three.c", "slow/two.c"]]


def test_calls_in_comments_and_strings_do_not_count(layers: ModuleType, tmp_path: Path) -> None:
    write(tmp_path, "a/one.c", "/* mcast_two(); */\nvoid mcast_one(void) {\n    // mcast_two\n}\n")
    write(tmp_path, "a/two.c", 'void mcast_two(void) {\n    CHECK("mcast_one");\n}\n')
    assert layers.calls(tmp_path) == {"a/one.c": set(), "a/two.c": set()}


def test_a_cycle_that_grows_is_reported_with_its_files(layers: ModuleType, tmp_path: Path) -> None:
    plant_cycle(tmp_path)
    found = layers.cycles(layers.calls(tmp_path))
    known = (layers.KnownCycle("ring", "ring/one.c", 2),)
    (fault,) = layers.cycle_faults(found, known)
    assert fault.startswith(
        "ring: 3 files call each other, 2 are allowed: ring/one.c, send/three.c, slow/two.c"
    )
    assert list(layers.cycle_faults(found, (layers.KnownCycle("ring", "ring/one.c", 3),))) == []


def test_a_new_cycle_is_reported(layers: ModuleType, tmp_path: Path) -> None:
    plant_cycle(tmp_path)
    (fault,) = layers.cycle_faults(layers.cycles(layers.calls(tmp_path)), ())
    assert fault.startswith("a new cycle: 3 files call each other, 0 are allowed")


def test_two_known_cycles_may_not_become_one(layers: ModuleType) -> None:
    known = (layers.KnownCycle("a", "a/a.c", 2), layers.KnownCycle("b", "b/b.c", 3))
    (fault,) = layers.cycle_faults([["a/a.c", "a/x.c", "b/b.c", "b/x.c"]], known)
    assert fault.startswith("a + b: 4 files call each other, 3 are allowed")
