"""The doctor's findings on the chosen network interface."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from liven.app.doctor import Finding, State, network_reachability
from liven.app.doctor.network import Interface
from liven.multicast.key_file import ensure_keys, fingerprint
from liven.runtime.user_folders import UserFolders

_REAL = "198.51.100.7"


@pytest.fixture
def folders(tmp_path: Path) -> UserFolders:
    return UserFolders.below(tmp_path / "user")


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A machine with a working network interface."""
    known = [Interface("lo", "127.0.0.1", True), Interface("eth7", _REAL, True)]
    monkeypatch.setattr(network_reachability, "interfaces", lambda: known)
    monkeypatch.setattr(network_reachability, "_mtu", lambda _name: 1500)
    monkeypatch.setattr(network_reachability, "try_multicast", lambda _interface: None)
    return {"LIVEN_INTERFACE": _REAL}


def find(environment: dict[str, str], folders: UserFolders) -> Finding:
    return network_reachability.examine_reach(environment, folders)


def test_loopback_needs_nothing_and_the_first_start_creates_the_key(folders: UserFolders) -> None:
    finding = find({}, folders)
    assert finding.state is State.OK
    assert "others cannot reach this machine" in finding.detail
    assert "the first start creates" in finding.detail
    assert not (folders.config / "cluster.key").exists()


def test_a_key_is_shown_by_its_fingerprint(folders: UserFolders, real: dict[str, str]) -> None:
    keys = ensure_keys(folders.config / "cluster.key")
    finding = find(real, folders)
    assert finding.state is State.OK
    assert fingerprint(keys) in finding.detail
    assert _REAL in finding.detail


def test_missing_authentication_is_reported(folders: UserFolders) -> None:
    assert "nothing is encrypted" in find({"LIVEN_AUTHENTICATION": "no"}, folders).detail


def test_invalid_settings_are_broken(folders: UserFolders) -> None:
    finding = find({"LIVEN_AUTHENTICATION": "no", "LIVEN_INTERFACE": _REAL}, folders)
    assert finding.state is State.BROKEN
    assert "they could read and forge messages" in finding.detail


def test_an_address_that_no_interface_has_is_broken_and_others_are_named(
    folders: UserFolders, real: dict[str, str]
) -> None:
    finding = find({"LIVEN_INTERFACE": "198.51.100.8"}, folders)
    assert finding.state is State.BROKEN
    assert f"choose one that has: {_REAL}" in finding.fix


def test_an_interface_without_multicast_is_broken(
    folders: UserFolders, real: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_reachability, "interfaces", lambda: [Interface("eth7", _REAL, False)])
    finding = find(real, folders)
    assert finding.state is State.BROKEN
    assert "ip link set eth7 multicast on" in finding.fix


def test_too_large_packets_are_reported(
    folders: UserFolders, real: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_reachability, "_mtu", lambda _name: 1400)
    finding = find(real, folders)
    assert finding.state is State.MISSING
    assert "set packet_size to 1372" in finding.fix


def test_an_interface_that_receives_nothing_is_broken(
    folders: UserFolders, real: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf(_interface: str) -> None:
        raise TimeoutError

    monkeypatch.setattr(network_reachability, "try_multicast", deaf)
    finding = find(real, folders)
    assert finding.state is State.BROKEN
    assert "nothing came back" in finding.detail
    assert "firewall" in finding.fix


def test_a_small_receive_buffer_is_reported(
    folders: UserFolders, real: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "rmem_max").write_text("212992\n")
    monkeypatch.setattr(network_reachability, "_RECEIVE_ROOM", tmp_path / "rmem_max")
    finding = find(real, folders)
    assert finding.state is State.MISSING
    assert "208 KiB" in finding.detail
    assert "sysctl -w" in finding.fix


def test_a_silent_service_and_a_missing_key_are_both_reported(
    folders: UserFolders,
) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        finding = find({"LIVEN_SERVICE": f"127.0.0.1:{port}"}, folders)
        assert finding.state is State.BROKEN
        assert "Connection refused" in finding.detail
        assert "copy the key file" in finding.fix
        assert f"--service-port {port}" in finding.fix
        ensure_keys(folders.config / "cluster.key")
        taken.listen()
        assert find({"LIVEN_SERVICE": f"127.0.0.1:{port}"}, folders).state is State.OK


def test_a_key_readable_by_others_is_broken(folders: UserFolders) -> None:
    ensure_keys(folders.config / "cluster.key")
    (folders.config / "cluster.key").chmod(0o644)
    finding = find({}, folders)
    assert finding.state is State.BROKEN
    assert "chmod 600" in finding.detail


def test_the_largest_datagram_of_an_interface_is_known() -> None:
    assert network_reachability._mtu("lo") >= 1500
