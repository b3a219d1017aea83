"""The class in the README works as the README says."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from liven.runtime.testing import Bench
from liven.types.author_import import run_file


@pytest.fixture
def light(root: Path, tmp_path: Path) -> ModuleType:
    [code] = re.findall(r"^```python\n(.*?)^```$", (root / "README.md").read_text("utf-8"), re.M | re.S)
    file = tmp_path / "light.py"
    file.write_text(code, encoding="utf-8")
    return run_file(file)


def test_switching_one_light_switches_all_and_a_late_one_gets_the_state(light: ModuleType) -> None:
    with Bench() as bench:
        channel = bench.channel()
        first, second = bench.build(light.Light), bench.build(light.Light)
        for one in (first, second):
            channel.join(one.handle.endpoint("channel"))
        first.instance.switch()
        assert second.instance.on
        late = bench.build(light.Light)
        channel.join(late.handle.endpoint("channel"))
        assert late.instance.on
        second.instance.switch()
        assert [one.instance.on for one in (first, second, late)] == [False, False, False]
