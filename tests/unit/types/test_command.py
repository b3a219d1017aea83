"""The command `liven types`, as a person types it."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from liven.types import command

WALL = str(Path(__file__).parent / "authors" / "wall.py")
STRANGER = str(Path(__file__).parent / "authors" / "stranger.py")

pytestmark = pytest.mark.usefixtures("forget_modules")


def type_in(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="liven types")
    command.configure(parser)
    return command.run(parser.parse_args(words))


def test_list_prints_a_line_a_class_and_their_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in("list", "shared-folder") == 0
    assert capsys.readouterr().out == (
        "component liven:shared-folder  A23A3D5432FB40BAB87181FD0943299A  Shared Folder\n1 class\n"
    )


def test_list_omits_never_implemented_classes_and_counts_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in("list", "IKMeans_", "--kind", "object") == 0
    [total] = capsys.readouterr().out.splitlines()
    assert total.startswith("0 classes; --all lists ")
    assert total.endswith(" more, of the original program, which Liven will never have")


def test_list_all_marks_never_implemented_classes_and_explains_the_mark(
    capsys: pytest.CaptureFixture[str],
) -> None:
    type_in("list", "IKMeans_", "--kind", "object", "--all")
    *classes, total = capsys.readouterr().out.splitlines()
    assert all(line.endswith("  never") for line in classes)
    number = len(classes)
    assert total.startswith(f"{number} class")
    assert total.endswith(f"; never: {number} of the original program that Liven will never have")


def test_list_of_all_is_the_whole_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in("list", "--all", "--json") == 0
    classes = json.loads(capsys.readouterr().out)["classes"]
    assert len(classes) == 676
    assert set(classes[0]) == {"kind", "alias", "id", "name", "never"}
    assert type_in("list", "--json") == 0
    assert json.loads(capsys.readouterr().out)["classes"] == [one for one in classes if not one["never"]]


def test_list_with_a_module_has_its_classes_without_ids(capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in("list", "--module", WALL, "Note", "--kind", "value") == 0
    assert "value     Note  -  Note" in capsys.readouterr().out


def test_show_prints_names_ids_structure_and_constraints(capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in("show", "--module", WALL, "demo:wall") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == 'object type demo:wall  "demo:wall"'
    assert "  id: 5B0E17B6F2C44D1B8E3C2B6E44A0D001" in lines
    assert "    provides `changed never precedes change`" in lines


def test_show_says_what_a_template_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in("show", "object/liven:folder") == 0
    out = capsys.readouterr().out
    assert "takes: KeyClass, a class of kind value class" in out
    assert "takes: ObjectClass, a class of kind object type" in out


def test_show_prints_json_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in("show", "--json", "component/liven:desktop") == 0
    [shown] = json.loads(capsys.readouterr().out)["classes"]
    assert shown["parameters"][0] == {"name": "background_color", "type": "text"}
    assert shown["structure"] == ["endpoint UI", "  local UI"]
    assert shown["used"] is True


def test_show_of_a_formalism_has_no_structure(capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in("show", "--json", "formalism/liven:secure") == 0
    [shown] = json.loads(capsys.readouterr().out)["classes"]
    assert shown["structure"] == []


def test_match_answers_by_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    modules = ("--module", WALL, "--module", STRANGER)
    assert type_in("match", *modules, "demo:wall.wall", "stranger:eye.wall") == 0
    assert capsys.readouterr().out == "✓ demo:wall.wall matches stranger:eye.wall\n"
    assert type_in("match", *modules, "demo:wall.wall", "demo:wall.wall") == 1
    out = capsys.readouterr().out
    assert out.startswith("✗ demo:wall.wall does not match demo:wall.wall\n")
    assert "✓" not in out


def test_match_full_also_shows_what_holds(capsys: pytest.CaptureFixture[str]) -> None:
    type_in("match", "--full", "liven:ui.UI", "local ~UI")
    short = capsys.readouterr().out
    type_in("match", "--full", "exports liven:log", "imports liven:log")
    assert len(capsys.readouterr().out.splitlines()) > len(short.splitlines())


def test_subtype_as_data_is_the_whole_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert type_in("subtype", "--json", "{x: int64}", "{x: int32}") == 1
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert answer["holds"] is False
    [reason] = answer["reasons"]
    assert reason["subject"] == "x"
    assert {reason["left"], reason["right"]} == {"int64", "int32"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "liven:desktpo"), "did you mean liven:desktop"),
        (("subtype", "liven:folder", "liven:object"), "is a template"),
        (("match", "x.y", "local UI"), "no object type is called x"),
        (("list", "--module", "/nowhere.py"), "is not a file"),
        (("subtype", "{", "text"), "expected a name"),
    ],
)
def test_an_unanswerable_query_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert type_in(*words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("liven types: ")
    assert said in printed.err


@pytest.mark.parametrize("words", [(), ("match", "a"), ("list", "--kind", "nonsense"), ("dance",)])
def test_unknown_arguments_are_a_usage_error(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as caught:
        type_in(*words)
    assert caught.value.code == 2


def test_the_command_is_light_to_import() -> None:
    script = (
        "import sys, liven.types.command\n"
        "heavy = [n for n in sys.modules if n.startswith('liven.types.') and n != 'liven.types.command']\n"
        "print(heavy)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_output_of_a_module_does_not_mix_with_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "loud.py"
    path.write_text("print('hello')\n", encoding="utf-8")
    assert type_in("list", "--json", "--module", str(path), "shared-folder") == 0
    printed = capsys.readouterr()
    assert len(json.loads(printed.out)["classes"]) == 1
    assert printed.err == "hello\n"


def test_a_module_that_exits_is_a_usage_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "ex0.py"
    path.write_text("import sys\nsys.exit(0)\n", encoding="utf-8")
    assert type_in("match", "--module", str(path), "liven:ui.UI", "local ~UI") == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"{path}:2 ended the program (exit 0)" in printed.err
