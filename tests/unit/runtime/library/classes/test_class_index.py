"""The declarations of libraries, cached by the hash of their content."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.errors import CodeError, UnfinishedError
from liven.runtime.library.store import Installed, Store
from liven.runtime.library.trial.probe_report import Declared
from liven.types.ids import ClassId

Install = Callable[..., Installed]
BOX = ClassId(0x11112222333344445555666677778888)


class Asked:
    """A stand-in for the child process, which returns each
    version's declarations and counts the requests."""

    def __init__(self) -> None:
        self.times = 0
        self.problem = ""

    def __call__(self, installed: Installed) -> tuple[Declared, ...]:
        self.times += 1
        if self.problem:
            raise CodeError(installed.library, self.problem, "the traceback")
        id_ = ClassId(BOX.component, installed.version)
        return (Declared("component", str(id_), "example:box", "box.py", "Box", ("a", "b")),)


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def index(store: Store, tmp_path: Path, asked: Asked) -> ClassIndex:
    return ClassIndex(store, tmp_path / "cache", asked)


def test_a_library_is_tried_once_and_its_report_is_cached(
    index: ClassIndex, install: Install, asked: Asked, tmp_path: Path
) -> None:
    installed = install(1)
    first = index.declares(installed)
    assert index.declares(installed) == first
    assert ClassIndex(index.store, tmp_path / "cache", asked).declares(installed) == first
    assert asked.times == 1


def test_an_error_is_cached_too_until_a_new_trial_is_requested(
    index: ClassIndex, install: Install, asked: Asked
) -> None:
    asked.problem = "it loops"
    installed = install(1)
    for _ in range(2):
        with pytest.raises(CodeError, match="it loops") as caught:
            index.declares(installed)
        assert caught.value.detail == "the traceback"
    assert asked.times == 1
    asked.problem = ""
    assert index.declares(installed, afresh=True)
    assert index.declares(installed)
    assert asked.times == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"by": "another", "told": {"declares": []}}', '{"by": 3}'])
def test_a_damaged_or_foreign_cache_leads_to_a_new_trial(
    index: ClassIndex, install: Install, asked: Asked, tmp_path: Path, text: str
) -> None:
    installed = install(1)
    index.declares(installed)
    (tmp_path / "cache" / f"{installed.sha256()}.json").write_text(text)
    assert index.declares(installed)
    assert asked.times == 2


@pytest.mark.parametrize(
    "told", [{}, [], {"declares": 7}, {"declares": [{}]}, {"declares": [7]}, {"problem": "x"}]
)
def test_a_cache_with_other_content_leads_to_a_new_trial(
    index: ClassIndex, install: Install, asked: Asked, tmp_path: Path, told: object
) -> None:
    installed = install(1)
    index.declares(installed)
    place = tmp_path / "cache" / f"{installed.sha256()}.json"
    record = json.loads(place.read_bytes())
    place.write_text(json.dumps({**record, "told": told}))
    assert index.declares(installed)
    assert asked.times == 2


def test_metadata_are_read_again_only_when_they_change(
    index: ClassIndex, install: Install, asked: Asked, tmp_path: Path
) -> None:
    installed = install(1)
    first = index.snapshot()
    (tmp_path / "cache" / f"{installed.sha256()}.json").unlink()
    assert index.snapshot() == first
    assert asked.times == 1
    install(2)
    assert len(index.snapshot().offers) == 2
    index.store.remove(installed)
    assert len(index.snapshot().offers) == 1


def test_without_ask_only_cached_results_are_returned(
    index: ClassIndex, install: Install, asked: Asked
) -> None:
    installed = install(1)
    assert index.snapshot(ask=False).offers == ()
    assert asked.times == 0
    index.declares(installed)
    assert len(index.snapshot(ask=False).offers) == 1


def test_the_newest_class_is_offered_first(index: ClassIndex, install: Install) -> None:
    for version in (1, 3, 2):
        install(version)
    assert [offer.installed.version for offer in index.snapshot().of("component", BOX)] == [3, 2, 1]


def test_a_version_means_that_one_or_a_higher_one(index: ClassIndex, install: Install) -> None:
    for version in (1, 3, 2):
        install(version)
    wanted = ClassId(BOX.component, 2)
    assert [offer.installed.version for offer in index.snapshot().of("component", wanted)] == [3, 2]


def test_a_namespace_names_the_library(index: ClassIndex, install: Install) -> None:
    install(1)
    install(4, namespace=0x77)
    found = index.snapshot().of("component", ClassId(BOX.component, 0, 0x77, 4))
    assert [offer.installed.namespace for offer in found] == [0x77]
    assert index.snapshot().of("component", ClassId(BOX.component, 0, 0x77, 5)) == []


def test_other_kinds_and_ids_are_not_offered(index: ClassIndex, install: Install) -> None:
    install(1)
    assert index.snapshot().of("object", BOX) == []
    assert index.snapshot().of("component", ClassId(1)) == []


def test_a_broken_library_offers_nothing_and_hides_no_other(
    index: ClassIndex, install: Install, asked: Asked
) -> None:
    install(1)
    index.snapshot()
    asked.problem = "it loops"
    install(2)
    assert [offer.installed.version for offer in index.snapshot().of("component", BOX)] == [1]


def test_no_error_in_one_library_hides_another(
    store: Store, install: Install, tmp_path: Path, asked: Asked
) -> None:
    def ask(installed: Installed) -> tuple[Declared, ...]:
        if installed.version == 2:
            raise RuntimeError("nobody thought of this")
        return asked(installed)

    install(1)
    install(2)
    index = ClassIndex(store, tmp_path / "cache", ask)
    assert [offer.installed.version for offer in index.snapshot().of("component", BOX)] == [1]


def test_a_trial_that_took_too_long_is_not_cached_for_other_processes(
    store: Store, install: Install, tmp_path: Path, asked: Asked
) -> None:
    times = []

    def ask(installed: Installed) -> tuple[Declared, ...]:
        times.append(installed)
        raise UnfinishedError(installed.library, "it did not end", "")

    installed = install(1)
    index = ClassIndex(store, tmp_path / "cache", ask)
    for _ in range(2):
        with pytest.raises(CodeError, match="it did not end"):
            index.declares(installed)
    assert len(times) == 1, "one process does not wait for it again and again"
    assert ClassIndex(store, tmp_path / "cache", asked).declares(installed)
    assert index.declares(installed), "what another process found out holds here too"


def test_a_class_is_found_by_its_alias_whatever_its_version(index: ClassIndex, install: Install) -> None:
    install(2)
    assert index.snapshot().id_of("component", "example:box") == BOX
    assert index.snapshot().id_of("object", "example:box") is None
    assert index.snapshot().id_of("component", "example:bax") is None


def test_concurrent_requests_share_one_trial(
    store: Store, install: Install, asked: Asked, tmp_path: Path
) -> None:
    installed = install(1)
    together = threading.Barrier(2)

    def ask(one: Installed) -> tuple[Declared, ...]:
        with suppress(threading.BrokenBarrierError):
            together.wait(0.1)  # a second one that asks is waited for
        return asked(one)

    index = ClassIndex(store, tmp_path / "cache", ask)
    workers = [threading.Thread(target=index.declares, args=(installed,)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert asked.times == 1
