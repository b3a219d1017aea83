"""Recipes whose libraries are missing or installed, and a person who answers the questions about them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import DereferenceError
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.library.store import Installed
from liven.runtime.library.trust import Permission, Question
from liven.runtime.loader import Loader
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Problems
from liven.runtime.reference.model import (
    Object,
    Parameter,
    Plain,
    Reference,
    Requirement,
)
from liven.runtime.reference.xml.metadata import write_metadata

Make = Callable[..., Bundle]
Install = Callable[..., Installed]
NAME = "ABCDEF0123456789ABCDEF0123456789"
BOX = "11112222333344445555666677778888"


class Person:
    """A person who answers yes or no, and remembers the questions."""

    def __init__(self) -> None:
        self.answer = Permission.KEPT
        self.answers: list[Permission] = []
        """The next answers; after them it is `answer`."""
        self.later = False
        self.asked: list[Question] = []
        self.replies: list[Reply[Permission]] = []

    def __call__(self, question: Question) -> Reply[Permission]:
        self.asked.append(question)
        reply: Reply[Permission] = Reply()
        self.replies.append(reply)
        if not self.later:
            reply.resolve(self.answers.pop(0) if self.answers else self.answer)
        return reply


def packed(bundle: Bundle) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("metadata.xml", write_metadata(bundle.metadata))
        for name, data in bundle.files.items():
            archive.writestr(f"data/{name}", data)
    return stream.getvalue()


def box(*needs: Requirement, id_: str = BOX) -> Reference:
    return Reference(id_, (Parameter("title", Plain("string", "ours")),), requires=needs)


def built(loader: Loader, crank: HandCranked, thing: Object) -> ProxyHandle:
    reply = loader.dereference(thing)
    crank.wait(lambda: reply.settled)
    return reply.value()


def refused(loader: Loader, crank: HandCranked, problems: Problems, thing: Object) -> DereferenceError:
    with pytest.raises(DereferenceError) as caught:
        built(loader, crank, thing)
    (problem,) = problems
    assert problem.where == caught.value.where
    return caught.value


def module_of(handle: ProxyHandle) -> str:
    return type(handle.proxy().instance).__module__
