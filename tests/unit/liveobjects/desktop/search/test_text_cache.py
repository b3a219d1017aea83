from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.desktop.search import item_files, text_cache
from liven.liveobjects.desktop.search.text_cache import (
    MOST_LETTERS,
    TextCache,
    TextStore,
)
from liven.runtime.reference.model import Component, Composite, Parameter, Reference
from liven.runtime.reference.xml import write

ROOT = Path(__file__).parents[5]
NOTE = (ROOT / "samples" / "desk" / "note.liveobject").read_text()
SECRET = (ROOT / "samples" / "channels" / "secret.liveobject").read_text()


def known(folder: Path | None) -> TextCache:
    """Return a cache that writes immediately."""
    return TextCache(None if folder is None else TextStore(folder), lambda call: call())


def test_last_text_is_known_as_it_was_written() -> None:
    words = known(None)
    assert words.of(NOTE) == ""
    words.keep(NOTE, "Buy MILK")
    words.keep(NOTE, "  ")  # it has not loaded yet
    assert words.of(NOTE) == "Buy MILK"
    words.keep(NOTE, "buy bread")
    assert words.of(NOTE) == "buy bread"


def test_many_texts_are_written_one_per_turn_and_the_rest_on_close(tmp_path: Path) -> None:
    turns: list[Callable[[], None]] = []
    words = TextCache(TextStore(tmp_path), turns.append)
    recipes = [NOTE.replace("sample note", f"note {number}") for number in range(4)]
    for recipe in recipes:
        words.keep(recipe, "milk")
    for written in (1, 2):
        turns.pop()()
        assert len(list(tmp_path.iterdir())) == written
        assert len(turns) == 1
    words.write()
    assert len(list(tmp_path.iterdir())) == 4
    turns.pop()()


def test_text_is_known_after_a_restart(tmp_path: Path) -> None:
    known(tmp_path / "words").keep(NOTE, "ÄPFEL")
    assert known(tmp_path / "words").of(NOTE) == "ÄPFEL"
    places = (tmp_path / "words", *(tmp_path / "words").iterdir())
    assert [path.stat().st_mode & 0o77 for path in places] == [0, 0], "for this person alone"


@pytest.mark.parametrize(
    "recipe",
    [
        SECRET,
        "<",
        write(Reference("liven:note", source=Reference("liven:somebodys-folder"))).decode(),
        write(Reference("liven:note", (Parameter("channel", Reference("liven:encrypt")),))).decode(),
        write(
            Reference("liven:note", (Parameter("c", Reference("0`3:1A2D6868E7BDE0F650AF42E3C1074905")),))
        ).decode(),
        write(Reference("liven:text", (Parameter("channel", Reference("acme:cipher")),))).decode(),
        write(Composite(components=(Component("a", Reference("liven:note")),))).decode(),
    ],
)
def test_text_that_may_be_secret_is_known_only_in_this_run(tmp_path: Path, recipe: str) -> None:
    words = known(tmp_path)
    words.keep(recipe, "secret")
    assert words.of(recipe) == "secret"
    assert list(tmp_path.iterdir()) == []


def test_long_text_is_cut_and_the_least_recently_used_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_cache, "MOST_IN_MEMORY", 3 * MOST_LETTERS)
    words = known(tmp_path)
    recipes = [NOTE.replace("sample note", f"note {number}") for number in range(5)]
    for number, recipe in enumerate(recipes):
        words.keep(recipe, str(number) * (MOST_LETTERS + 5))
    assert len(words._kept) <= 3
    assert [words.of(recipe) for recipe in recipes] == [str(number) * MOST_LETTERS for number in range(5)]


def test_full_disk_loses_only_the_stored_texts(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("a file is where the folder should be")
    words = known(tmp_path / "words")
    words.keep(NOTE, "milk")
    assert words.of(NOTE) == "milk"
    TextStore(tmp_path / "none").forget_oldest()


def test_folder_stays_within_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_cache, "MOST_FILES", 3)
    memory = TextStore(tmp_path)
    for number in range(6):
        memory.write(str(number), "x")
    memory.forget_oldest()
    assert len(list(tmp_path.iterdir())) == 3
    monkeypatch.setattr(item_files, "_LOOK_AGAIN", 2)
    for number in range(10):
        memory.write(str(number), "x")
    assert len(list(tmp_path.iterdir())) <= 4, "in one long run, too"


def test_text_of_an_emptied_or_removed_item_is_forgotten_now_and_later(tmp_path: Path) -> None:
    words = known(tmp_path)
    words.keep(NOTE, "milk")
    words.forget(NOTE)
    assert words.of(NOTE) == known(tmp_path).of(NOTE) == ""
    assert list(tmp_path.iterdir()) == []
    words.keep(NOTE, "bread")
    assert words.of(NOTE) == known(tmp_path).of(NOTE) == "bread"
    later = known(tmp_path)
    later.forget(NOTE)
    assert list(tmp_path.iterdir()) == [], "also what an earlier run wrote"
    later.forget(NOTE)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["keep", "empty", "forget", "restart"]),
            st.sampled_from("abc"),
            st.sampled_from(["x", "y z"]),
        ),
        max_size=20,
    )
)
def test_last_text_of_each_item_is_known_unless_forgotten_since(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("words")
    words, said = known(folder), dict[str, str]()
    for what, name, text in steps:
        recipe = NOTE.replace("sample note", name)
        if what == "keep":
            words.keep(recipe, text)
            said[name] = text
        elif what == "empty":  # or it has not loaded: nothing is known
            words.keep(recipe, "")
        elif what == "forget":
            words.forget(recipe)
            said.pop(name, None)
        else:
            words = known(folder)
        for one in "abc":
            assert words.of(NOTE.replace("sample note", one)) == said.get(one, "")
    assert len(list(folder.iterdir())) == len(said)


def _stand_in(path: Path, what: str) -> None:
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    elif what == "device":
        path.symlink_to("/dev/zero")
    else:
        path.with_name("elsewhere").write_text("milk")
        path.symlink_to(path.with_name("elsewhere"))


@pytest.mark.parametrize("what", ["pipe", "folder", "device", "link"])
def test_file_that_is_not_regular_is_not_read_and_not_waited_for(tmp_path: Path, what: str) -> None:
    memory = TextStore(tmp_path)
    _stand_in(tmp_path / "x", what)
    assert memory.read("x") == ""
    memory.write("x", "bread")
    assert memory.read("x") == ("" if what == "folder" else "bread")
    _stand_in(tmp_path / f"y.{os.getpid()}", what)
    memory.write("y", "bread")
    assert memory.read("y") == "bread"
    if what == "link":
        assert (tmp_path / "elsewhere").read_text() == "milk", "nothing was written through it"
    memory.forget_oldest()


def test_file_that_cannot_be_deleted_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_cache, "MOST_FILES", 1)
    (tmp_path / "a folder").mkdir()
    os.utime(tmp_path / "a folder", (0, 0))
    (tmp_path / "a link").symlink_to(tmp_path / "nowhere")
    memory = TextStore(tmp_path)
    for number in range(3):
        memory.write(str(number), "x")
    memory.forget_oldest()
    assert len(list(tmp_path.iterdir())) == 2


@given(st.binary(max_size=50))
def test_any_content_of_a_file_is_read(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("words")
    (folder / "x").write_bytes(data)
    assert isinstance(TextStore(folder).read("x"), str)
