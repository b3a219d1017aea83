"""A session with a library that a recipe brought: its objects run in a process of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.runtime.confined import ConfinedPrograms
from liven.runtime.confined.process import ConfinedProcess
from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import DereferenceError
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.library.placement import Placement
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.problems import Problems
from liven.runtime.process.session import Session
from liven.runtime.reference.model import Attribute, Parameter, Plain, Reference, Requirement
from liven.runtime.reference.xml.metadata import Metadata
from liven.runtime.sandbox import Protection
from liven.runtime.user_folders import UserFolders

NAMESPACE = 0xC0FF1E00000000000000000000000001
OBJECT = "C0FF1E00000000000000000000000002"
SOURCE = '''
from __future__ import annotations
from typing import Protocol
from liven.types.declare import Dual, Int64, interface, proxy

@interface
class Post(Protocol):
    def say(self, text: str) -> None: ...
    def do(self, code: str) -> str: ...

@interface
class Heard(Protocol):
    def said(self, text: str) -> None: ...

def open_inode(number):
    import os
    try:
        return os.fstat(number).st_ino
    except OSError:
        return None

HIDDEN = []

def hide(blocks):
    import os
    for block in blocks:
        HIDDEN.append(open("hidden", "wb"))
        os.unlink("hidden")
        HIDDEN[-1].write(block)
        HIDDEN[-1].flush()
    return len(HIDDEN)

def flood(echo, endpoint):
    import os, sys, time
    from liven.runtime.tunnel.frames import pack
    from liven.types.codec import Codec
    kind = dict(echo.post._endpoint.type.outputs)["said"]
    data = pack("event", 1, endpoint, "said", Codec(kind).encode_compact({"text": "x"}, "")) * 100
    rest = data
    while True:
        try:
            rest = rest[os.write(int(sys.argv[1]), rest):] or data
        except BlockingIOError:
            time.sleep(0.001)

@proxy(id="C0FF1E00000000000000000000000002", alias="example:echo")
class Echo:
    post: Dual[Post, Heard]

    def __init__(self, greeting: str = "you said", times: Int64 = 1) -> None:
        self.greeting = greeting
        self.times = times

    def say(self, text: str) -> None:
        for _ in range(self.times):
            self.post.peer.said(f"{self.greeting} {text}")

    def do(self, code: str) -> str:
        """Run a line as this library's code; return its value or its error."""
        import os, sys, socket, ctypes, signal, threading, re, time, gc, pathlib
        try:
            return str(eval(code, {**globals(), **locals()}))
        except Exception as error:
            return f"{type(error).__name__}: {error}"
'''
needs_protection = pytest.mark.skipif(
    bool(Protection.of_this_kernel().missing), reason="this kernel cannot confine a process"
)


class Desk:
    """A program that opens objects of one library."""

    def __init__(self, home: Path, placement: Placement | None = None) -> None:
        self.folders = UserFolders.below(home)
        self.problems = Problems()
        self.heard: list[str] = []
        self.handles: list[ProxyHandle] = []
        self.crank = HandCranked(self.problems.report)
        self.problems.listen(lambda problem: self.heard.append(str(problem)))
        self.session = Session.start(
            self.crank, self.problems, self.folders, placement=placement, confined=ConfinedPrograms()
        )

    def bring(self, source: str = SOURCE, *, fetched_from: str = "https://example.org/echo.py") -> None:
        """Install the library as a recipe brings it; as a person does without a URL."""
        assert self.session.installation is not None
        index = self.session.installation.acquirer.index
        bundle = Bundle(Metadata(NAMESPACE, 1, ("echo.py",), "echo"), {"echo.py": source.encode()})
        index.store.add(bundle, index.declares, fetched_from=fetched_from)

    def reference(self, *, confined: bool = False, **values: str | int) -> Reference:
        """Return the recipe of an object of it."""
        given = tuple(
            Parameter(name, Plain("long" if isinstance(one, int) else "string", str(one)))
            for name, one in values.items()
        )
        attributes = (Attribute("confined", "yes"),) if confined else ()
        library = Requirement(f"{NAMESPACE:032X}", 1)
        return Reference(OBJECT, given, requires=(library,), attributes=attributes)

    def open(self, *, confined: bool = False, **values: Any) -> ProxyHandle:
        """Open one object of it."""
        thing = self.reference(confined=confined, **values)
        reply = self.session.loader.dereference(thing, at=("echo",))
        self.crank.wait(lambda: reply.settled)
        self.handles.append(reply.value())
        return reply.value()

    def refusal(self, **values: Any) -> DereferenceError:
        """Return the error with which opening an object fails."""
        with pytest.raises(DereferenceError) as caught:
            self.open(**values)
        return caught.value

    def probe(self, handle: ProxyHandle) -> Probe:
        """Return a neighbour of the object."""
        return Probe.joined_to(self.session.node, handle.endpoint("post"))

    def process(self) -> ConfinedProcess:
        """Return the only confined process."""
        (process,) = self.session.processes.running
        return process

    def close(self) -> None:
        """End the program."""
        self.handles.clear()
        self.session.close()
        self.crank.close()

    def wait(self, until: Callable[[], object], seconds: float = 20.0) -> None:
        self.crank.wait(lambda: bool(until()), seconds)

    def pass_time(self, until: Callable[[], object], seconds: int) -> None:
        """Let the program's own seconds pass while the process does what it does."""
        for _ in range(seconds):
            if until():
                return
            self.crank.advance(1.0)
            self.crank.settle()
        assert until(), self.heard

    def do(self, probe: Probe, code: str) -> str:
        """Run a line of Python as the library's code and return the answer."""
        reply = probe.call("do", {"code": code})
        self.wait(lambda: reply.settled)
        answer: str = reply.value()
        return answer


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "home")
    yield made
    made.close()
