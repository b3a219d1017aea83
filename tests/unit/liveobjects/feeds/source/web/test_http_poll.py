"""A document of a web server, fetched from a real one: what is new comes once, and a server is not
pestered."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from liven.liveobjects.feeds.source.backoff import Backoff
from liven.liveobjects.feeds.source.formats.format_table import term
from liven.liveobjects.feeds.source.formats.records import Aircraft, Earthquake
from liven.liveobjects.feeds.source.host_address import host_address
from liven.liveobjects.feeds.source.web import conditional_get
from liven.liveobjects.feeds.source.web.conditional_get import PollError, Tags, get
from liven.liveobjects.feeds.source.web.http_poll import PORTS, HttpPoll
from liven.liveobjects.feeds.source.web.new_rows import NewRows
from liven.runtime.capability import CapabilityKind
from liven.runtime.errors import CallFailedError
from liven.runtime.testing import Bench
from liven.types.terms.value_types import INT64, TEXT, record


class Site:
    """A server whose document a test changes."""

    def __init__(self) -> None:
        self.data = b"[]"
        self.etag = self.modified = ""
        self.status = 200
        self.headers: dict[str, str] = {}
        self.asked: list[dict[str, str]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append({name.lower(): text for name, text in self.headers.items()})
                site.answer(self)

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/feed"

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        asked = self.asked[-1]
        same = self.etag and asked.get("if-none-match") == self.etag
        same = same or (self.modified and asked.get("if-modified-since") == self.modified)
        request.send_response(304 if same else self.status)
        for name, text in (("ETag", self.etag), ("Last-Modified", self.modified), *self.headers.items()):
            if text:
                request.send_header(name, text)
        body = b"" if same or self.status >= 300 else self.data
        if "Content-Length" not in self.headers:
            request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def serve(self, *rows: object) -> None:
        self.data = json.dumps(list(rows)).encode()


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@pytest.fixture
def bench() -> Iterator[Bench]:
    with Bench() as made:
        yield made


ROW = record(n=INT64)


def rows(probe: Any) -> list[Any]:
    return [event[1] for event in probe.heard if event[0] == "set"]


def polled(bench: Bench, site: Site, kind: Any = ROW, **values: Any) -> Any:
    return bench.build(HttpPoll, kind, url=site.url, every=10.0, **values).probe("Endpoint")


def test_rows_come_when_they_are_new_and_once(bench: Bench, site: Site) -> None:
    site.serve({"n": 1}, {"n": 2})
    probe = polled(bench, site)
    bench.advance(1)
    assert rows(probe) == [{"n": 1}, {"n": 2}]
    site.serve({"n": 2}, {"n": 3})
    bench.advance(10)
    assert rows(probe)[2:] == [{"n": 3}]
    assert len(site.asked) == 2


@pytest.mark.parametrize(
    ("tag", "name", "asks"),
    [
        ("etag", '"v1"', "if-none-match"),
        ("modified", "Mon, 02 Nov 2026 06:00:00 GMT", "if-modified-since"),
    ],
)
def test_an_unchanged_document_is_not_sent_again(
    bench: Bench, site: Site, tag: str, name: str, asks: str
) -> None:
    site.serve({"n": 1})
    setattr(site, tag, name)
    probe = polled(bench, site)
    bench.advance(25)
    assert [one.get(asks) for one in site.asked] == [None, name, name]
    assert rows(probe) == [{"n": 1}]


def test_later_versions_of_a_thing_come_and_earlier_ones_do_not(bench: Bench, site: Site) -> None:
    def serve(updated: int, mag: float) -> None:
        about = {"time": 1000, "updated": updated, "mag": mag}
        feature = {"type": "Feature", "id": "a", "geometry": {"coordinates": [1, 2, 3]}, "properties": about}
        site.data = json.dumps({"type": "FeatureCollection", "features": [feature]}).encode()

    serve(2000, 4.0)
    probe = polled(bench, site, term(Earthquake), format="usgs")
    bench.advance(1)
    for updated, mag in ((2000, 4.0), (3000, 4.5), (2000, 4.0), (3000, 4.5)):
        serve(updated, mag)
        bench.advance(10)
    assert [row["magnitude"] for row in rows(probe)] == [4.0, 4.5]


def test_a_narrower_type_may_be_asked_for(bench: Bench, site: Site) -> None:
    site.data = b'{"now": 1, "aircraft": [{"hex": "abc123", "lat": 1, "lon": 2}]}'
    probe = polled(bench, site, term(Aircraft), format="aircraft.json")
    bench.advance(1)
    assert rows(probe)[0]["latitude"] == 1.0


def test_a_failing_server_is_told_once_and_asked_less_and_less(bench: Bench, site: Site) -> None:
    site.status = 500
    probe = polled(bench, site)
    bench.advance(600)
    assert [one.what for one in bench.problems] == [f"{site.url}: the server says 500 Internal Server Error"]
    bench.problems.clear()
    assert 5 <= len(site.asked) <= 9
    site.status = 200
    site.serve({"n": 1})
    bench.advance(3600)
    assert rows(probe) == [{"n": 1}]


def test_the_pause_that_a_server_asks_for_is_kept(bench: Bench, site: Site) -> None:
    site.status, site.headers = 429, {"Retry-After": "1000"}
    polled_probe = polled(bench, site)
    bench.advance(900)
    assert len(site.asked) == 1
    bench.advance(200)
    assert len(site.asked) == 2
    assert "429" in bench.problems.pop().what
    polled_probe.close()


def test_bad_rows_are_left_out_and_a_bad_document_is_told(bench: Bench, site: Site) -> None:
    site.serve({"n": 1}, {"n": "x"}, {"n": 3})
    probe = polled(bench, site)
    bench.advance(1)
    assert rows(probe) == [{"n": 1}, {"n": 3}]
    assert bench.problems.pop().what == f"{site.url}, row 2: n is 'x', not a whole number"
    site.data = b"<html>"
    bench.advance(10)
    assert "it is not JSON" in bench.problems.pop().what
    site.serve({"n": 4})
    bench.advance(100)
    assert rows(probe)[2:] == [{"n": 4}]


def test_a_document_that_is_too_large_or_cut_short_is_refused(site: Site) -> None:
    address = host_address(site.url, PORTS)
    site.data = b"x" * 1001
    with pytest.raises(PollError, match="it is larger than 1 kB, the limit in the recipe"):
        get(address, Tags(), 1000)
    assert get(address, Tags(), 1001).data == site.data
    site.headers = {"Content-Length": "5000"}
    with pytest.raises(PollError, match=r"stopped 4 kB too early"):
        get(address, Tags(), 10_000)


def test_an_endless_answer_ends_in_time(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        while not stop.wait(0.02):
            try:
                request.wfile.write(b" ")
            except OSError:
                return

    monkeypatch.setattr(site, "answer", drip)
    with pytest.raises(PollError, match=r"it took longer than 0.3 seconds"):
        get(host_address(site.url, PORTS), Tags(), 1000, 0.3)
    stop.set()


def test_redirects_stay_on_the_host(site: Site) -> None:
    address = host_address(site.url, PORTS)
    site.status, site.headers = 302, {"Location": f"http://localhost:{site.server.server_port}/feed"}
    with pytest.raises(PollError, match="it sends on to another computer: http://localhost") as caught:
        get(address, Tags(), 1000)
    assert "write that address" in caught.value.advice
    site.headers = {"Location": "ftp://127.0.0.1/x"}
    with pytest.raises(PollError, match="less secure"):
        get(address, Tags(), 1000)


def test_a_name_that_looks_public_does_not_lead_into_the_own_network(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _, *rest: real("127.0.0.1", *rest))
    port = site.server.server_port
    with pytest.raises(PollError, match=r"example.org leads to an address of this computer") as caught:
        get(host_address(f"http://example.org:{port}/feed", PORTS), Tags(), 1000)
    assert "write the address itself" in caught.value.advice
    assert get(host_address(f"http://pi.local:{port}/feed", PORTS), Tags(), 1000).data == site.data
    assert site.asked, "the name that says that it is in the own network was allowed"


@pytest.mark.parametrize(
    ("url", "own"),
    [
        ("http://127.0.0.1/", True),
        ("http://192.168.1.2:8080/", True),
        ("http://[::1]/", True),
        ("http://raspberrypi/", True),
        ("http://pi.local/", True),
        ("http://example.org/", False),
        ("http://8.8.8.8/", False),
        ("http://local.example.org/", False),
    ],
)
def test_an_address_says_itself_if_it_is_in_the_own_network(url: str, own: bool) -> None:
    assert host_address(url, PORTS).is_own is own


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"url": "ftp://example.org/"}, "does not begin with https:// or http://"),
        ({"url": "file:///etc/passwd"}, "does not begin with"),
        ({"url": "http:///x"}, "names no computer"),
        ({"url": "http://a b/"}, "is not a URL"),
        ({"url": "http://a:99999/"}, "is not a URL"),
        ({"url": "http://ann:secret@example.org/"}, "holds no password"),
        ({"every": 0.5}, "an interval is 1 to 86,400"),
        ({"megabytes": 65.0}, "up to 64 megabytes"),
        ({"format": "opensky"}, "do not fit"),
    ],
)
def test_a_wrong_recipe_is_refused_with_the_reason(bench: Bench, values: dict[str, Any], told: str) -> None:
    with pytest.raises(CallFailedError, match=told):
        bench.build(HttpPoll, ROW, **{"url": "https://example.org/", **values})


def test_host_and_rate_are_stated_and_a_wrong_url_states_no_host() -> None:
    host, rate = HttpPoll.capabilities(url="https://Example.org/x", every=10.0)
    assert (host.kind, host.subject) == (CapabilityKind.USE_HOST, "example.org:443")
    assert rate.rate == 1_600_000
    assert len(HttpPoll.capabilities(url="nonsense")) == 1


def test_a_date_is_a_pause_too() -> None:
    assert conditional_get._pause("120") == 120
    assert conditional_get._pause("soon") == 0
    assert conditional_get._pause("9" * 100) == 86_400
    assert conditional_get._pause(formatdate(0)) == 0
    assert conditional_get._pause(formatdate(4_000_000_000)) == 86_400


def test_pauses_grow_to_a_limit_and_begin_again() -> None:
    backoff = Backoff(10, 100)
    pauses = [backoff.failed() for _ in range(8)]
    assert all(8 <= pauses[0] <= 10 and 16 <= pauses[1] <= 20 and pause <= 100 for pause in pauses)
    assert pauses[-1] >= 80
    assert backoff.failed(500) == 500
    backoff.worked()
    assert backoff.failed() <= 10


def test_the_memory_of_rows_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liven.liveobjects.feeds.source.web.new_rows.MOST", 3)
    rows = NewRows(())
    assert rows.of(["a", "b", "c", "a"]) == ["a", "b", "c"]
    assert rows.of(["d", "a", "b"]) == ["d", "b"], "b was forgotten for d, a was heard of last"


def test_texts_pass_when_they_differ(bench: Bench, site: Site) -> None:
    site.data = "grün".encode()
    probe = polled(bench, site, TEXT)
    bench.advance(15)
    site.data = b"red"
    bench.advance(10)
    assert rows(probe) == ["grün", "red"]
