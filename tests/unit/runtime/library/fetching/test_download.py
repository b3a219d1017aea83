"""Fetching from files and servers, with limits on size and time."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from liven.runtime.library.errors import FetchError, RedirectedError
from liven.runtime.library.fetching import download, public_address
from liven.runtime.library.fetching.public_address import is_public

HERE = frozenset({"127.0.0.1"})
fetch = partial(download.fetch, named=HERE)
"""Fetches from this computer, which the person has named."""


class Answers(BaseHTTPRequestHandler):
    """A server with a few kinds of answers, by path."""

    stop: threading.Event

    def do_GET(self) -> None:
        if self.path == "/good":
            self._send(200, b"hello", {})
        elif self.path == "/moved":
            self._send(302, b"", {"Location": "/good"})
        elif self.path == "/away":
            self._send(302, b"", {"Location": f"http://localhost:{self.server.server_port}/good"})  # type: ignore[attr-defined]
        elif self.path == "/port":
            self._send(302, b"", {"Location": "http://127.0.0.1:1/good"})
        elif self.path == "/inward":
            self._send(302, b"", {"Location": "file:///etc/passwd"})
        elif self.path == "/circle":
            self._send(302, b"", {"Location": "/circle"})
        elif self.path == "/short":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"hello")
        elif self.path == "/headers":
            self._drip(b"HTTP/1.1 200 OK\r\nX-Long: ")
        elif self.path == "/endless":
            self._drip()
        else:
            self._send(404, b"no", {})

    def _send(self, code: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _drip(self, head: bytes = b"HTTP/1.1 200 OK\r\n\r\n") -> None:
        self.wfile.write(head)
        while not self.stop.wait(0.02):
            try:
                self.wfile.write(b"x")
            except OSError:
                return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    stop = threading.Event()
    handler = type("Handler", (Answers,), {"stop": stop})
    made = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{made.server_address[1]}"
    stop.set()
    made.shutdown()
    made.server_close()
    thread.join()


def refusal(url: str, **limits: float) -> str:
    with pytest.raises(FetchError) as caught:
        fetch(url, **limits)  # type: ignore[arg-type]  # seconds or most
    assert caught.value.url.startswith(url.partition("/circle")[0])
    return caught.value.reason


def test_bytes_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "two words.zip"
    path.write_bytes(b"hello")
    assert fetch(path.as_uri()) == b"hello"
    assert fetch(path.as_uri().replace("file://", "file://localhost")) == b"hello"


def test_bytes_come_from_a_server_also_when_it_sends_on(server: str) -> None:
    assert fetch(f"{server}/good") == b"hello"
    assert fetch(f"{server}/moved") == b"hello"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/nothing", "the server says 404"),
        ("/inward", "the server says 302"),
        ("/circle", "redirect"),
        ("/short", "the server stopped 95 bytes too early"),
    ],
)
def test_a_faulty_answer_of_a_server_is_an_error(server: str, path: str, words: str) -> None:
    assert words in refusal(server + path)


def test_a_server_that_never_ends_exceeds_the_time_limit(server: str) -> None:
    assert "it took too long" in refusal(f"{server}/endless", seconds=0.3)


def test_a_file_over_the_limit_is_refused(server: str, tmp_path: Path) -> None:
    assert "larger than the limit of 4 bytes" in refusal(f"{server}/good", most=4)
    (tmp_path / "a").write_bytes(b"hello")
    assert "larger than the limit of 4 bytes" in refusal((tmp_path / "a").as_uri(), most=4)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://example.org/a", "libraries come from file:, http: and https:"),
        ("javascript:alert(1)", "libraries come from"),
        ("notes.zip", "libraries come from"),
        ("", "libraries come from"),
        ("file://other/etc/passwd", "names a file on this machine"),
        ("file:///nothing/here", "it cannot be read: No such file"),
        ("file:///%00", "it cannot be read"),
        ("file:///", "it cannot be read: Is a directory"),
        ("http://127.0.0.1:1/", "it cannot be reached"),
        ("http://[", "this is not a URL"),
        ("http://127.0.0.1:99999/", "this is not a URL: Port out of range"),
        ("http:///nobody", "it cannot be reached"),
    ],
)
def test_an_invalid_url_is_an_error(url: str, words: str) -> None:
    assert words in refusal(url)


def test_slow_headers_count_against_the_same_time_limit(server: str) -> None:
    with pytest.raises(FetchError, match=r"it took too long: more than 0\.2 seconds"):
        fetch(f"{server}/headers", seconds=0.2)


def test_a_connection_timeout_before_the_deadline_is_the_same_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a busy machine, the thread of the deadline may be the later of the two."""

    class NoTimer:
        def __init__(self, *_: object) -> None: ...

        def start(self) -> None: ...

        def cancel(self) -> None: ...

    monkeypatch.setattr("liven.runtime.library.fetching.http_exchange.threading.Timer", NoTimer)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        said = refusal(f"http://127.0.0.1:{silent.getsockname()[1]}/", seconds=0.2)
    assert said == "it took too long: more than 0.2 seconds"


def test_a_redirect_to_another_host_or_port_is_not_followed(server: str) -> None:
    """Somebody allowed one host. Where it sends on to is a question of its own."""
    with pytest.raises(RedirectedError, match="sends on to another host, which nobody allowed") as caught:
        fetch(f"{server}/away")
    assert caught.value.target == server.replace("127.0.0.1", "localhost") + "/good"
    with pytest.raises(RedirectedError):
        fetch(f"{server}/port")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0"])
def test_this_computer_is_not_reached_unless_a_person_named_it(server: str, host: str) -> None:
    port = server.rpartition(":")[2]
    with pytest.raises(FetchError, match=r"private_hosts below .libraries. in config\.toml"):
        download.fetch(f"http://{host}:{port}/good")


def test_a_person_may_name_one_port_of_a_host(server: str) -> None:
    port = server.rpartition(":")[2]
    assert download.fetch(f"{server}/good", named=frozenset({f"127.0.0.1:{port}"})) == b"hello"
    with pytest.raises(FetchError, match=r"config\.toml"):
        download.fetch(f"{server}/good", named=frozenset({"127.0.0.1:1"}))


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("10.1.2.3", False),
        ("192.168.1.1", False),
        ("172.20.0.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("::127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("not an address", False),
    ],
)
def test_an_address_is_judged_by_where_its_packets_go(address: str, public: bool) -> None:
    assert is_public(address) is public


def answers(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Let each question for a name be answered by the next of these addresses; return those not yet used."""
    left = list(addresses)

    def resolve(host: str, port: int, *_: object) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (left.pop(0), port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return left


def test_a_name_is_resolved_once_and_the_judged_address_is_connected_to(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that means another address the next time it is asked for leads nowhere else."""
    monkeypatch.setattr(public_address, "is_public", lambda text: text == "127.0.0.1")
    left = answers(monkeypatch, "127.0.0.1", "127.0.0.2")
    assert download.fetch(server.replace("127.0.0.1", "rebind.test") + "/good") == b"hello"
    assert left == ["127.0.0.2"]


def test_the_address_is_judged_again_after_a_redirect(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_address, "is_public", lambda text: text == "127.0.0.1")
    answers(monkeypatch, "127.0.0.1", "10.0.0.1")
    with pytest.raises(FetchError, match=r"rebind.test is 10\.0\.0\.1, an address of this computer"):
        download.fetch(server.replace("127.0.0.1", "rebind.test") + "/moved")


def test_a_pipe_is_refused_and_its_writer_not_let_in(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "lib.py")
    assert "a pipe or a device" in refusal((tmp_path / "lib.py").as_uri())
    assert "leads to itself" in refusal(_loop(tmp_path).as_uri())


def test_a_file_that_the_system_makes_up_is_no_library(tmp_path: Path) -> None:
    assert "the system makes it up" in refusal("file:///proc/self/maps")
    (tmp_path / "lib.py").symlink_to("/proc/self/environ")
    assert "the system makes it up" in refusal((tmp_path / "lib.py").as_uri())


def _loop(folder: Path) -> Path:
    (folder / "loop").symlink_to(folder / "loop")
    return folder / "loop"
