from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from liven.app.network.settings import (
    SETTINGS,
    SettingError,
    add_arguments,
    engine_config,
    read_settings,
)
from liven.runtime.user_folders import UserFolders

_GUIDE = Path(__file__).parents[4] / "docs" / "operator-guide.md"


@pytest.fixture
def folders(tmp_path: Path) -> UserFolders:
    return UserFolders.below(tmp_path)


def write(folders: UserFolders, text: str) -> None:
    folders.config.mkdir(parents=True)
    (folders.config / "config.toml").write_text(text, encoding="utf-8")


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


def test_without_settings_everything_has_its_default(folders: UserFolders) -> None:
    assert read_settings(folders, {}) == {setting.name: setting.default for setting in SETTINGS}


def test_defaults_are_valid_values() -> None:
    for setting in SETTINGS:
        assert setting.read(setting.default) == setting.default
        assert setting.read(str(setting.default)) == setting.default


def test_arguments_override_the_environment_which_overrides_the_file(folders: UserFolders) -> None:
    write(folders, "[multicast]\ncluster = 2\nrate_cap = 3\npacket_size = 1000\n")
    environment = {"LIVEN_CLUSTER": "4", "LIVEN_RATE_CAP": "5"}
    values = read_settings(folders, environment, arguments("--cluster", "6"))
    assert (values["cluster"], values["rate_cap"], values["packet_size"]) == (6, 5, 1000)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[multicast]\ncluster = 0\n", r"config\.toml: multicast\.cluster is 0; it must be a whole number"),
        ("[multicast]\ncluster = true\n", "multicast.cluster is True"),
        ("[multicast]\npacket_size = 70000\n", "from 576 to 65507"),
        ("[multicast]\nclutser = 1\n", "clutser is not a setting; valid names: authentication, cluster, "),
        ("multicast = 3\n", "not a table"),
        ("[multicast\n", "cannot be read"),
        ('[multicast]\ninterface = "0.0.0.0"\n', "the address of one interface"),
        ('[multicast]\ninterface = "239.1.2.3"\n', "the address of one interface"),
        ('[multicast]\nservice = "somewhere"\n', "ADDRESS:PORT"),
        ('[multicast]\nservice = "10.0.0.1:0"\n', "ADDRESS:PORT"),
        ('[multicast]\nservice = "10.0.0.1:x"\n', "ADDRESS:PORT"),
        ('[multicast]\nservice = "host:28199"\n', "ADDRESS:PORT"),
        ('[multicast]\nkey_file = "here.key"\n', "a path from the root"),
        ('[multicast]\nauthentication = "perhaps"\n', "true or false"),
        ('[multicast]\ninterface = "localhost"\n', "localhost"),
        ('[multicast]\nstart_service = "perhaps"\n', "true or false"),
        ("[multicast]\nservice_idle = -1\n", "seconds"),
        ("[multicast]\nsuspicion = 1\n", "from 2 to 3600 seconds"),
        ("[multicast]\nhybrid_regions = 1\n", "0, or a whole number from 2 to 32"),
        ("[multicast]\nhybrid_regions = 33\n", "from 0 to 32"),
    ],
)
def test_an_invalid_setting_is_refused_with_its_source(
    folders: UserFolders, text: str, complaint: str
) -> None:
    write(folders, text)
    with pytest.raises(SettingError, match=complaint):
        read_settings(folders, {})


def test_an_invalid_variable_or_argument_is_named(folders: UserFolders) -> None:
    with pytest.raises(SettingError, match="LIVEN_CLUSTER is 'x'"):
        read_settings(folders, {"LIVEN_CLUSTER": "x"})
    with pytest.raises(SettingError, match="--packet-size is '1'"):
        read_settings(folders, {}, arguments("--packet-size", "1"))


def test_a_binary_file_is_refused(folders: UserFolders) -> None:
    folders.config.mkdir(parents=True)
    (folders.config / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SettingError, match="cannot be read"):
        read_settings(folders, {})


def test_the_engine_gets_the_settings(folders: UserFolders) -> None:
    environment = {"LIVEN_CLUSTER": "7", "LIVEN_PACKET_SIZE": "9000", "LIVEN_HYBRID_REGIONS": "3"}
    values = read_settings(folders, environment)
    config = engine_config(folders, values)
    assert config.cluster == 7
    assert config.hybrid_regions == 3
    assert config.settings["packet_size"] == 9000
    assert config.place.socket.parent == folders.runtime


def test_authentication_is_on_with_a_key_file_beside_the_settings(folders: UserFolders) -> None:
    config = engine_config(folders, read_settings(folders, {}))
    assert config.keys == folders.config / "cluster.key"
    named = read_settings(folders, {"LIVEN_KEY_FILE": "/etc/liven/key"})
    assert engine_config(folders, named).keys == Path("/etc/liven/key")


def test_authentication_can_be_off_on_loopback_alone(folders: UserFolders) -> None:
    off = {"LIVEN_AUTHENTICATION": "no"}
    assert engine_config(folders, read_settings(folders, off)).keys is None
    assert (
        engine_config(folders, read_settings(folders, {**off, "LIVEN_INTERFACE": "127.0.0.2"})).keys is None
    )
    assert (
        engine_config(folders, read_settings(folders, {**off, "LIVEN_SERVICE": "127.0.0.1:5"})).keys is None
    )
    for name, value in (("LIVEN_INTERFACE", "192.0.2.1"), ("LIVEN_SERVICE", "192.0.2.1:28199")):
        with pytest.raises(SettingError, match=r"other machines can reach 192\.0\.2\.1"):
            engine_config(folders, read_settings(folders, {**off, name: value}))


def test_on_a_real_interface_the_service_listens_there(folders: UserFolders) -> None:
    assert engine_config(folders, read_settings(folders, {})).listen_at == ""
    real = {"LIVEN_INTERFACE": "192.0.2.1", "LIVEN_SERVICE_PORT": "4000"}
    config = engine_config(folders, read_settings(folders, real))
    assert (config.interface, config.listen_at, config.service) == ("192.0.2.1", "192.0.2.1:4000", "")
    away = engine_config(folders, read_settings(folders, {**real, "LIVEN_SERVICE": "192.0.2.9:28199"}))
    assert away.service == "192.0.2.9:28199"


def test_the_guide_contains_the_table_of_settings() -> None:
    text = _GUIDE.read_text(encoding="utf-8")
    shown = text.split("<!-- settings -->\n")[1].split("<!-- end -->")[0].splitlines()[2:]
    assert shown == [
        f"| `{each.name}` | `{each.variable}` | `{each.option}` | {each.shown} | {each.allowed} | "
        f"{each.meaning} |"
        for each in SETTINGS
    ]


def test_the_help_gives_valid_values_and_default_of_each_setting() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    told = {action.dest: action.help or "" for action in parser._actions}
    assert (
        told["key_file"] == "the file with the cluster key; a path (default: cluster.key beside config.toml)"
    )
    assert told["authentication"].endswith("true; false only on loopback (default: true)")
    for setting in SETTINGS:
        assert told[setting.name].endswith(f" (default: {setting.shown})")
        assert setting.shown
        assert not set("`;") & set(setting.shown)
