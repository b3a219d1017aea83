"""Fetching from files and servers, with limits on size and time."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from liven.runtime.library.download import FetchError, fetch


class Answers(BaseHTTPRequestHandler):
    """A server with a few kinds of answers, by path."""

    stop: threading.Event

    def do_GET(self) -> None:
        if self.path == "/good":
            self._send(200, b"hello", {})
        elif self.path == "/moved":
            self._send(302, b"", {"Location": "/good"})
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

    monkeypatch.setattr("liven.runtime.library.download.threading.Timer", NoTimer)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        said = refusal(f"http://127.0.0.1:{silent.getsockname()[1]}/", seconds=0.2)
    assert said == "it took too long: more than 0.2 seconds"
