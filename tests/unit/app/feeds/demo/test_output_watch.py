"""Following what other processes write."""

from __future__ import annotations

import tempfile

from liven.app.feeds.demo.output_watch import OutputWatch


def test_only_a_new_line_is_progress() -> None:
    now = 0.0
    with tempfile.TemporaryFile() as own, tempfile.TemporaryFile() as other:
        watch = OutputWatch(own, other, clock=lambda: now)
        own.write(b"liven: starting Java\xe2\x80\xa6\n")
        own.flush()
        now = 100.0
        assert (watch.quiet_seconds(), watch.line) == (0.0, "starting Java\u2026")
        own.write(b"liven: starting Java\xe2\x80\xa6 10 s\nhalf a li")
        own.flush()
        now = 150.0
        assert (watch.quiet_seconds(), watch.line) == (50.0, "starting Java\u2026 10 s")
        other.write(b"liven: starting Spark\xe2\x80\xa6\n")
        other.flush()
        assert (watch.quiet_seconds(), watch.line) == (0.0, "starting Spark\u2026")
        own.write(b"ne\n")
        own.flush()
        now = 160.0
        assert (watch.quiet_seconds(), watch.line) == (0.0, "half a line")


def test_the_place_of_the_writer_stays() -> None:
    """A child process shares the place in the file with the one that looks at it."""
    with tempfile.TemporaryFile(buffering=0) as file:
        watch = OutputWatch(file)
        for line in (b"one\n", b"two\n", b"three\n"):
            file.write(line)
            watch.quiet_seconds()
        file.seek(0)
        assert file.read() == b"one\ntwo\nthree\n"
