"""The hosts of the own network that libraries may come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.app.confined.settings import read_placement
from liven.app.trust.settings import LibrarySettingError, read_private_hosts


def write(config: Path, text: str) -> None:
    (config / "config.toml").write_text(text)


def test_without_a_setting_there_is_no_such_host(tmp_path: Path) -> None:
    assert read_private_hosts(tmp_path) == frozenset()


def test_hosts_are_compared_in_small_letters_beside_the_other_settings_of_libraries(tmp_path: Path) -> None:
    write(tmp_path, '[libraries]\nconfine = "all"\nprivate_hosts = ["Intranet", " 10.0.0.7:8080 "]\n')
    assert read_private_hosts(tmp_path) == {"intranet", "10.0.0.7:8080"}
    read_placement(tmp_path)


@pytest.mark.parametrize("value", ['"intranet"', "[1]", '[""]', "true"])
def test_anything_but_a_list_of_hosts_is_an_error(tmp_path: Path, value: str) -> None:
    write(tmp_path, f"[libraries]\nprivate_hosts = {value}\n")
    with pytest.raises(LibrarySettingError, match="write a list of hosts"):
        read_private_hosts(tmp_path)
