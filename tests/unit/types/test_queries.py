"""Questions about types, in text."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from liven.types.queries import Queries, QueryError

AUTHORS = Path(__file__).parent / "authors"


@pytest.fixture(scope="module")
def stock() -> Queries:
    return Queries()


@pytest.fixture
def inquiry(forget_modules: None) -> Queries:
    made = Queries()
    made.load(str(AUTHORS / "wall.py"))
    made.load(str(AUTHORS / "stranger.py"))
    return made


def test_authors_classes_stand_beside_those_of_the_catalogue(inquiry: Queries) -> None:
    assert [one.alias for one in inquiry.listed("demo:", None)][:1] == ["demo:wall"]
    assert inquiry.listed("stranger:board", "object")
    assert not inquiry.listed("stranger:board", "value")


@pytest.mark.parametrize("part", ["Shared Folder", "SHARED-FOLDER", "A23A3D54"])
def test_a_list_is_narrowed_by_name_alias_or_id(stock: Queries, part: str) -> None:
    assert [one.alias for one in stock.listed(part, "component")] == ["liven:shared-folder"]


@pytest.mark.parametrize(
    ("first", "second", "holds"),
    [
        ("demo:wall.wall", "stranger:eye.wall", True),
        ("stranger:eye.wall", "demo:wall.wall", True),
        ("demo:paper-wall.wall", "stranger:eye.wall", True),
        ("demo:wall.wall", "demo:wall.wall", False),
        ("demo:wall.ui", "stranger:eye.frame", True),
        ("demo:wall.ui", "liven:imported-ui", True),
        ("demo:wall.ui", "local ~UI", True),
        ("demo:wall.ui", "local UI", False),
        (
            "liven:checkpointed-channel<Note, Note>.Channel",
            "liven:checkpointed-channel-client<Leaf, Leaf>.ChannelClient",
            True,
        ),
        (
            "liven:checkpointed-channel<Note, Note>.Channel",
            "liven:checkpointed-channel-client<text, Leaf>.ChannelClient",
            False,
        ),
        ("exports liven:log", "imports liven:log", True),
    ],
)
def test_endpoints_match_or_not(inquiry: Queries, first: str, second: str, holds: bool) -> None:
    answer = inquiry.match(first, second)
    assert bool(answer) is holds, answer.render()


@pytest.mark.parametrize(
    ("first", "second", "holds"),
    [
        ("int32", "int64", True),
        ("int64", "float64", False),
        ("Note", "Leaf", True),
        ("Note", "{text: text}", True),
        ("{text: text}", "Note", False),
        ("list<Note>", "list<{likes: int16}?>", True),
        ("demo:wall", "stranger:board", True),
        ("demo:wall", "liven:ui", False),
        ("demo:wall", "liven:object", True),
        ("demo:paper-wall", "demo:wall", True),
        ("liven:desktop", "liven:ui", True),
        ("liven:ui", "liven:desktop", True),
        ("ref<demo:wall>", "ref<liven:object>", True),
        ("ref<liven:object>", "ref<demo:wall>", False),
        ("Surface", "Wall", True),
        ("liven:log", "liven:view", False),
        ("endpoint/liven:exported-ui", "liven:exported-ui", True),
        ("value/liven:text", "text", True),
    ],
)
def test_types_fit_or_not(inquiry: Queries, first: str, second: str, holds: bool) -> None:
    answer = inquiry.subtype(first, second)
    assert bool(answer) is holds, answer.render()


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("liven:nothing.x", "local UI", "no object type is called liven:nothing"),
        ("demo:wal.wall", "local UI", "did you mean demo:wall"),
        ("demo:wall.door", "local UI", "demo:wall has no endpoint door; it has ui, wall"),
        ("liven:object.door", "local UI", "it has no endpoints"),
        ("demo:wall", "local UI", "name one of its endpoints: demo:wall.ui, demo:wall.wall"),
        ("liven:object", "local UI", "name one of its endpoints: it has none"),
        ("liven:folder.Endpoint", "local UI", "KeyClass, ObjectClass are given"),
        ("liven:folder<text>.Endpoint", "local UI", "got 1 classes"),
        ("demo:wall.", "local UI", "demo:wall has no endpoint"),
        ("list<", "local UI", "expected a name"),
    ],
)
def test_a_query_about_an_unknown_endpoint_is_refused(
    inquiry: Queries, first: str, second: str, said: str
) -> None:
    for ask in ((first, second), (second, first)):
        with pytest.raises(QueryError) as caught:
            inquiry.match(*ask)
        assert said in str(caught.value)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("noot", "text", "no class is called noot"),
        ("value/noot", "text", "no value class is called noot"),
        ("text", "liven:foldr", "did you mean liven:folder"),
        ("liven:folder", "liven:object", "is a template"),
        ("{x}", "text", "expected `:`"),
    ],
)
def test_a_query_about_an_unknown_type_is_refused(stock: Queries, first: str, second: str, said: str) -> None:
    with pytest.raises(QueryError) as caught:
        stock.subtype(first, second)
    assert said in str(caught.value)


def test_types_of_different_kinds_do_not_compare(stock: Queries) -> None:
    answer = stock.subtype("liven:ui", "{x: text}")
    assert not answer
    assert answer.claim == "liven:ui is an object type, {x: text} is a value type"


def test_a_name_shows_every_class_that_has_it(stock: Queries) -> None:
    assert [one.data["kind"] for one in stock.shown("liven:text")] == ["value", "component"]
    assert [one.data["kind"] for one in stock.shown("component/liven:text")] == ["component"]


def test_a_written_type_is_shown_as_its_structure(stock: Queries) -> None:
    [shown] = stock.shown("liven:checkpointed-channel<text, liven:color>")
    assert shown.lines[0] == "object liven:checkpointed-channel<text, liven:color>"
    assert "    in  send({message: text})" in shown.lines


def test_never_implemented_classes_are_marked(stock: Queries) -> None:
    [shown] = stock.shown("value/original:gossip")
    assert "  note: of the original program; Liven will not implement it" in shown.lines
    assert "  note: known by name only" in shown.lines


def test_the_constraints_of_a_class_are_shown(inquiry: Queries) -> None:
    [shown] = inquiry.shown("demo:wall")
    assert "    provides `fifo`" in shown.lines
    assert "    requires `at most one find`" in shown.lines
    assert "  provides `causal`" in shown.lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = (", "cannot be run: SyntaxError"),
        ("import nowhere_at_all", "cannot be run: ModuleNotFoundError"),
        ("1 / 0", "cannot be run: ZeroDivisionError"),
        (
            "from liven.types.declare import value\n@value\nclass A:\n    x: object\n",
            "bad.A.x: object cannot be sent",
        ),
        (
            "from __future__ import annotations\nfrom liven.types.declare import value\n@value\n"
            "class A:\n    x: B\n",
            "bad.A.x: `B` is not a name here",
        ),
    ],
)
def test_a_module_that_cannot_be_loaded_is_reported(
    stock: Queries, tmp_path: Path, forget_modules: None, text: str, said: str
) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QueryError) as caught:
        stock.load(str(path))
    assert said in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_reported(stock: Queries, tmp_path: Path) -> None:
    with pytest.raises(QueryError, match="is not a file; name a Python module"):
        stock.load(str(tmp_path / "none.py"))
    (tmp_path / "notes.txt").touch()
    with pytest.raises(QueryError, match=r"is not a Python module; its name must end in \.py"):
        stock.load(str(tmp_path / "notes.txt"))


def test_a_module_named_like_another_does_not_take_its_place(
    stock: Queries, tmp_path: Path, forget_modules: None
) -> None:
    path = tmp_path / "json.py"
    path.write_text("from liven.types.declare import value\n@value\nclass A:\n    x: int\n", encoding="utf-8")
    before = sys.modules.get("json")
    import json

    [entry] = stock.load(str(path))
    assert entry.origin == "json_of_author"
    assert sys.modules["json"] is json
    assert before in (None, json)


VALUE = "from liven.types.declare import value\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (
            "import sys\nsys.exit(0)\n",
            2,
            "ended the program (exit 0); put the code that it runs under if __name__",
        ),
        ("\n\nraise BaseException('no')\n", 3, "cannot be run: BaseException: no"),
        ("def f():\n    1 / 0\nf()\n", 2, "cannot be run: ZeroDivisionError"),
        ("\nx = (\n", 2, "cannot be run: SyntaxError"),
        (VALUE + "\n@value\nclass A:\n    x: object\n", 3, "bad.A.x: object cannot be sent"),
    ],
)
def test_a_failure_in_a_module_is_reported_with_its_line(
    stock: Queries, tmp_path: Path, forget_modules: None, text: str, line: int, said: str
) -> None:
    path = tmp_path / "bad.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QueryError) as caught:
        stock.load(str(path))
    assert str(caught.value).startswith(f"{path}:{line}")
    assert said in str(caught.value)
    assert "bad" not in sys.modules


def test_ctrl_c_interrupts_the_caller(stock: Queries, tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        stock.load(str(path))


def test_a_module_imports_its_siblings_and_none_of_them_hides_pythons(
    tmp_path: Path, forget_modules: None
) -> None:
    (tmp_path / "beside_it.py").write_text(VALUE + "@value\nclass Beside:\n    x: int\n", encoding="utf-8")
    (tmp_path / "fractions.py").write_text("1 / 0", encoding="utf-8")
    path = tmp_path / "middle.py"
    path.write_text(
        VALUE + "import fractions\nfrom beside_it import Beside\n@value\nclass M:\n    b: Beside\n",
        encoding="utf-8",
    )
    before = list(sys.path)
    assert [entry.alias for entry in Queries().load(str(path))] == ["M"]
    assert sys.path == before


def test_an_endpoint_of_an_object_is_shown_and_compared(inquiry: Queries) -> None:
    [shown] = inquiry.shown("demo:wall.ui")
    assert shown.lines == ("endpoint demo:wall.ui", "  local UI")
    assert inquiry.subtype("demo:wall.wall", "demo:wall.wall")
    assert inquiry.subtype("demo:wall.ui", "liven:exported-ui")
    assert not inquiry.subtype("demo:wall.wall", "demo:wall.ui")
    with pytest.raises(QueryError, match="demo:wall has no endpoint door; it has ui, wall"):
        inquiry.shown("demo:wall.door")


def test_a_class_with_an_alias_is_known_by_its_own_name_too(inquiry: Queries) -> None:
    assert inquiry.catalogue.find("PaperWall").alias == "demo:paper-wall"
    assert inquiry.subtype("PaperWall", "demo:wall")
