"""A recipe reaches the user's folder of objects; any other path needs a yes, for this recipe alone."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from liven.runtime.capability import Capability, CapabilityKind, Consent, ConsentQuestion, refuse_paths
from liven.runtime.capability.capability import runs_query, sends, uses_host

READ = CapabilityKind.READ_FILE


def reads(path: object) -> Capability:
    return Capability(READ, str(path))


def test_a_file_in_the_free_folder_needs_no_consent(tmp_path: Path) -> None:
    consent = Consent((tmp_path / "objects",))
    assert consent.missing("recipe", [reads(tmp_path / "objects" / "a" / "b")]) == ()


@pytest.mark.parametrize("path", ["{}/secret", "{}/objects/../secret", "{}/objects-of-others", "relative"])
def test_a_file_elsewhere_needs_consent(path: str, tmp_path: Path) -> None:
    consent = Consent((tmp_path / "objects",))
    assert len(consent.missing("recipe", [reads(path.format(tmp_path))])) == 1


def test_a_link_in_the_free_folder_that_leads_elsewhere_needs_consent(tmp_path: Path) -> None:
    (tmp_path / "objects").mkdir()
    (tmp_path / "objects" / "link").symlink_to("/etc")
    consent = Consent((tmp_path / "objects",))
    assert consent.missing("recipe", [reads(tmp_path / "objects" / "link" / "passwd")]) == (
        reads("/etc/passwd"),
    )


def test_a_home_folder_is_resolved_before_it_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Consent().missing("recipe", [reads("~/a")]) == (reads(tmp_path / "a"),)


@pytest.mark.parametrize("path", ["~nobody-of-this-name/a", "a\0b", "x" * 100_000])
def test_a_path_that_no_file_can_have_is_asked_about_as_it_is(path: str) -> None:
    assert len(Consent((Path("/nowhere"),)).missing("recipe", [reads(path)])) == 1


def test_a_yes_holds_for_this_recipe_and_this_path_only() -> None:
    consent = Consent()
    (wanted,) = consent.missing("one", [reads("/a")])
    consent.give(ConsentQuestion("one", "note", (wanted,)))
    assert consent.missing("one", [reads("/a")]) == ()
    assert consent.missing("two", [reads("/a")]) == (wanted,)
    assert consent.missing("one", [reads("/b")]) == (reads("/b"),)
    assert len(consent.missing("one", [Capability(CapabilityKind.WRITE_FILE, "/a")])) == 1


def test_channels_rates_and_hosts_of_libraries_are_listed_but_not_asked_about() -> None:
    library = Capability(CapabilityKind.REACH_HOST, "example.org")
    others = [Capability(CapabilityKind.JOIN_CHANNEL, "home/a/b"), sends(math.inf), library]
    assert Consent().missing("recipe", others) == ()


def test_a_host_needs_consent_for_its_port_unless_the_command_line_names_it() -> None:
    wanted = uses_host("example.org", 443)
    assert Consent().missing("recipe", wanted) == wanted
    assert Consent(hosts=("EXAMPLE.org:443",)).missing("recipe", wanted) == ()
    assert Consent(hosts=("example.org:80", "org:443")).missing("recipe", wanted) == wanted
    asked = Consent((Path("/"),))
    assert asked.missing("recipe", wanted) == wanted, "a free folder frees no host"
    asked.give(ConsentQuestion("recipe", "feed", wanted))
    assert asked.missing("recipe", wanted) == ()
    assert asked.missing("other", wanted) == wanted


def test_the_text_of_a_host_names_its_port() -> None:
    assert str(uses_host("example.org", 443)[0]) == "exchange data with the computer example.org:443"
    assert str(uses_host("::1", 80)[0]) == "exchange data with the computer [::1]:80"


def test_nobody_to_ask_means_no() -> None:
    assert refuse_paths(ConsentQuestion("recipe", "note", (reads("/a"),))).value() is False


def test_the_text_of_a_capability_shows_hidden_characters() -> None:
    assert str(reads("/a\u202egpj.exe\n")) == "read the file /a\\u202egpj.exe\\n"


@pytest.mark.parametrize(
    ("rate", "text"), [(1000.0, "send up to 1 kB a second"), (math.inf, "send as fast as it can")]
)
def test_the_text_of_a_rate_is_for_people(rate: float, text: str) -> None:
    assert str(sends(rate)) == text


def test_a_query_on_a_feed_is_asked_about_by_the_name_of_the_feed() -> None:
    (query,) = runs_query("radar")
    assert Consent().missing("one", [query]) == (query,)
    assert Consent(feeds=["radar"]).missing("one", [query]) == ()
    assert Consent(hosts=["radar"], free=[Path("/")]).missing("one", [query]) == (query,)
    assert Consent(feeds=["Radar"]).missing("one", [query]) == (query,)
    assert str(ConsentQuestion("one", "table", (query,))) == (
        "it wants to run a query with Spark on the recorded feed radar"
    )
