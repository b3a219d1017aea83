"""Backups of a home whose programs write, restored and copied while others go on: real processes, and nothing
that was confirmed is lost, repeated or reordered."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.chaos.side_log import Row, rows

ROOT = Path(__file__).resolve().parents[3]
WITHIN = 120.0


class Program:
    """One program on the channel of the campaign."""

    def __init__(self, home: Path, name: str, incarnation: int, data: Path | None = None) -> None:
        self.side = home.parent / f"{name}.{incarnation}.jsonl"
        words = [sys.executable, "-m", "tests.chaos.worker", name, str(incarnation), str(self.side), "7"]
        self._process = subprocess.Popen(
            words + ([] if data is None else [str(data)]),
            cwd=ROOT,
            env={**os.environ, "LIVEN_HOME": str(home), "LIVEN_SUSPICION": "2"},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )

    def say(self, word: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n".encode())

    def rows(self, kind: str) -> list[Row]:
        return [row for row in rows(self.side) if row["kind"] == kind] if self.side.exists() else []

    def confirms(self, count: int) -> None:
        """Let it work until it has confirmed so many operations of its own."""
        self.say("work moderate")
        until(lambda: len(self.rows("ack")) >= count, f"{self.side.name} confirmed {count} operations")

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def end(self) -> None:
        if self._process.poll() is None:
            self.say("end")
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def close(self) -> None:
        if self._process.poll() is None:
            self.kill()
        assert self._process.stdin is not None
        self._process.stdin.close()


def until(true: Callable[[], object], what: str) -> None:
    limit = time.monotonic() + WITHIN
    while not true():
        assert time.monotonic() < limit, f"after {WITHIN} seconds it is not true that {what}"
        time.sleep(0.05)


class Scene:
    """A home with a program, and a second program of the same user with other data."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self._folder = folder
        self._programs: list[Program] = []
        self._incarnations: dict[str, int] = {}

    def start(self, name: str, data: Path | None = None) -> Program:
        self._incarnations[name] = self._incarnations.get(name, 0) + 1
        self._programs.append(Program(self.home, name, self._incarnations[name], data))
        return self._programs[-1]

    def liven(self, *words: str) -> None:
        command = [sys.executable, "-m", "liven.app.main", *words]
        environment = {**os.environ, "LIVEN_HOME": str(self.home)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def settle(self, *programs: Program) -> None:
        """Let these programs finish, and wait until all have everything."""
        for each in programs:
            each.say("finish")

        def alike() -> bool:
            ticks = [(each.rows("finish"), each.rows("tick")) for each in programs]
            if not all(finished and told and not told[-1]["waiting"] for finished, told in ticks):
                return False
            return len({(told[-1]["count"], told[-1]["digest"]) for _, told in ticks}) == 1

        until(alike, "all programs have the same confirmed history")
        for each in programs:
            each.say("tell")
        until(lambda: all(each.rows("state") for each in programs), "all told their histories")

    def judge(self, *programs: Program) -> dict[str, int]:
        """Compare what was acknowledged with the histories of the programs that are left."""
        history = [text.partition(" ")[0] for text in programs[0].rows("state")[-1]["texts"]]
        acknowledged = {row["op"] for each in self._programs for row in each.rows("ack")}
        submitted = {row["op"] for each in self._programs for row in each.rows("submit")}
        by_program: dict[str, list[int]] = {}
        for name in history:
            who, _, number = name.rpartition(".")
            by_program.setdefault(who, []).append(int(number))
        return {
            "submitted": len(submitted),
            "acknowledged": len(acknowledged),
            "lost": len(acknowledged - set(history)),
            "repeated": len(history) - len(set(history)),
            "reordered": sum(numbers != sorted(numbers) for numbers in by_program.values()),
        }

    def close(self) -> None:
        for each in self._programs:
            each.close()
        shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    made = Scene(tmp_path)
    yield made
    made.close()


def take(scene: Scene, how: str) -> None:
    if how == "backup":
        scene.liven("backup", str(scene.home.parent / "some.livenbackup"))
    else:
        shutil.copytree(scene.home / "data", scene.home.parent / "copy")


def put_back(scene: Scene, how: str) -> None:
    if how == "backup":
        scene.liven("restore", str(scene.home.parent / "some.livenbackup"), "--replace")
    else:
        shutil.rmtree(scene.home / "data")
        shutil.copytree(scene.home.parent / "copy", scene.home / "data")


NOTHING = {"lost": 0, "repeated": 0, "reordered": 0}


def faults(figures: dict[str, int]) -> dict[str, int]:
    print(figures)  # noqa: T201  # the figures of the guide
    return {name: figures[name] for name in NOTHING}


@pytest.mark.slow
@pytest.mark.parametrize("how", ["backup", "copy"])
def test_nothing_is_lost_when_an_earlier_state_is_put_back(scene: Scene, how: str) -> None:
    bob = scene.start("m1", scene.home.parent / "bob")
    ann = scene.start("m0")
    bob.say("work moderate")
    ann.confirms(30)
    take(scene, how)  # while both work
    ann.confirms(60)
    ann.kill()
    ann = scene.start("m0")
    ann.confirms(40)
    ann.kill()
    put_back(scene, how)
    ann = scene.start("m0")
    ann.confirms(80)
    scene.settle(ann, bob)
    assert faults(scene.judge(ann, bob)) == NOTHING


@pytest.mark.slow
@pytest.mark.parametrize("how", ["backup", "copy"])
def test_nothing_is_lost_when_a_program_runs_on_a_copy_beside_the_original(scene: Scene, how: str) -> None:
    bob = scene.start("m1", scene.home.parent / "bob")
    ann = scene.start("m0")
    bob.say("work moderate")
    ann.confirms(30)
    ann.kill()
    take(scene, how)
    ann = scene.start("m0")
    ann.confirms(20)
    data = scene.home.parent / "copy"
    if how == "backup":
        elsewhere = Scene.__new__(Scene)
        elsewhere.home = scene.home.parent / "elsewhere"
        Scene.liven(elsewhere, "restore", str(scene.home.parent / "some.livenbackup"))
        data = elsewhere.home / "data"
    carol = scene.start("m2", data)
    carol.say("work moderate")
    ann.confirms(80)
    carol.confirms(60)
    scene.settle(ann, bob, carol)
    assert faults(scene.judge(ann, bob, carol)) == NOTHING


@pytest.mark.slow
def test_a_backup_under_load_has_everything_that_was_confirmed_before_it(scene: Scene) -> None:
    ann = scene.start("m0")
    ann.confirms(60)
    before = {row["op"] for row in ann.rows("ack")}
    take(scene, "backup")
    ann.confirms(80)
    ann.end()
    shutil.rmtree(scene.home / "data")
    put_back(scene, "backup")
    ann = scene.start("m0")
    until(lambda: any(row["begun"] for row in ann.rows("tick")), "the state came back")
    ann.confirms(5)
    scene.settle(ann)
    texts = ann.rows("state")[-1]["texts"]
    assert before <= {text.partition(" ")[0] for text in texts}
