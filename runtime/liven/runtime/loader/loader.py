"""The loader: it turns references into running proxies, asynchronously. There is one for each node."""

from __future__ import annotations

import traceback
from typing import Any

from liven.runtime.capability import Consent
from liven.runtime.checking import FaultKind, Report
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import CancelledReplyError, DereferenceError
from liven.runtime.loader.classes import Classes, Installed
from liven.runtime.loader.progress import OnProgress, Progress
from liven.runtime.loader.recipe_builder import BuildTools, RecipeBuilder
from liven.runtime.loader.repositories import Repositories
from liven.runtime.loader.timeout import LoadTimeout
from liven.runtime.objects.event_queue import Delivery
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprints
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.task import Task
from liven.runtime.problems import Path, Problem
from liven.runtime.reference.errors import ReadError, shortened
from liven.runtime.reference.model import Object, name_of, parts
from liven.runtime.reference.xml import read_object
from liven.types.declare import TermBuilder
from liven.types.explanation import Explanation
from liven.types.terms.endpoint_types import ObjectType

TIME_LIMIT = 30.0
"""The seconds that a dereference may take: folders may answer over a network."""
DEEPEST = 32
"""The most objects that may dereference one inside the other before this counts as endless."""


class Loader:
    """Dereferences. Cancelling a reply stops the work and releases everything built so far."""

    def __init__(
        self,
        node: Node,
        known: TypeKnowledge,
        classes: Classes | None = None,
        consent: Consent | None = None,
        *,
        blueprints: Blueprints | None = None,
    ) -> None:
        """Without `consent`, no recipe reaches a file or folder of this computer. `blueprints` may build
        other code than a class's own, behind the same endpoints."""
        folder = dict(known.catalogue.object("liven:folder<text, liven:object>").endpoints)["Endpoint"]
        self._node = node
        self._tools = BuildTools(
            node,
            known,
            classes or Installed(known),
            Repositories(node, folder),
            blueprints or Blueprints(),
            consent or Consent(),
        )
        self._terms = TermBuilder(known.formalisms)
        node.loader = self

    def dereference(
        self,
        reference: Object | str,
        *,
        at: Path = (),
        time_limit: float | None = None,
        progress: OnProgress | None = None,
    ) -> Reply[ProxyHandle]:
        """Build a proxy. A failure is a DereferenceError, reported as one problem.

        The time limit pauses while a person is asked a question.
        """
        reply: Reply[ProxyHandle] = Reply()
        try:
            thing = read_object(reference) if isinstance(reference, str) else reference
        except ReadError as error:
            self._failed(reply, DereferenceError(at, f"this is not a reference: {error}"))
            return reply
        shown = at or (shortened(name_of(thing) or thing.id) or "object",)
        self._start(thing, shown, TIME_LIMIT if time_limit is None else time_limit, progress, reply)
        return reply

    def fits(self, reference: Object | str, expected: type) -> Explanation:
        """Decide, as far as possible without running it,
        if a reference leads to an object of type `expected`."""
        return self._judged(reference, expected)[0]

    def may_fit(self, reference: Object | str, expected: type) -> Explanation:
        """Decide like `fits`, but answer yes as well if the
        reference names libraries that are not installed.

        Building it installs them, once the person allows that, and shows its type. Runs no code.
        """
        answer, unknown = self._judged(reference, expected)
        if not unknown:
            return answer
        return Explanation(True, f"its type is known once its library is installed: {answer.claim}")

    def _judged(self, reference: Object | str, expected: type) -> tuple[Explanation, bool]:
        """Return the decision, and True if a no only means that libraries are missing."""
        try:
            thing = read_object(reference) if isinstance(reference, str) else reference
        except ReadError as error:
            return Explanation(False, f"this is not a reference: {error}"), False
        code = self._tools.classes.recalled(thing)
        if code.problems:
            return Explanation(False, str(code.problems[0])), True
        report = self._tools.known.checker.check(code.thing, code.choices)
        unknown = [fault.kind is FaultKind.UNKNOWN for fault in report.faults]
        lacking = bool(unknown) and all(unknown) and _names_library(thing)
        return self._explained(report, expected), lacking

    def _explained(self, report: Report, expected: type) -> Explanation:
        if report.faults:
            fault = report.faults[0]
            return Explanation(
                False, fault.what, (fault.explanation,) if fault.explanation is not None else ()
            )
        if report.type is None:
            claim = "its type is unknown until its folder is asked; give it an ObjectClass"
            return Explanation(False, claim)
        wanted = self._terms.of(expected)
        assert isinstance(wanted, ObjectType)
        return self._tools.known.matcher.object_subtype(report.type, wanted)

    def close(self) -> None:
        """Release the folders kept for the next question."""
        self._tools.repositories.close()

    @property
    def kept_folders(self) -> int:
        """The number of folders kept for the next question."""
        return len(self._tools.repositories)

    def _start(
        self,
        thing: Object,
        shown: Path,
        limit: float,
        progress: OnProgress | None,
        reply: Reply[ProxyHandle],
    ) -> None:
        def say(where: Path, what: str, built: int) -> None:
            if progress is not None:
                progress(Progress(where, what, built))

        def run(step: Any) -> None:
            self._node.queue.perform(Delivery(self._node.root, step, "loading " + "/".join(shown)))

        builder = RecipeBuilder(self._tools, say)
        task = Task(builder.checked(thing, shown), run)
        clock = LoadTimeout(self._node.dispatcher, self._node.questions, limit, lambda: late())
        reply.on_cancel(task.reply.cancel)

        def late() -> None:
            error = DereferenceError(builder.place, f"not ready after {limit:g} seconds", "try again later")
            self._failed(reply, error)
            task.reply.cancel()

        def done(result: Reply[ProxyHandle]) -> None:
            clock.end()
            if isinstance(result.error, CancelledReplyError):
                reply.fail(result.error)
            elif result.error is not None:
                self._failed(reply, _told(result.error, builder.place or shown))
            elif reply.settled:
                result.value().close()  # the caller has cancelled it
            else:
                reply.resolve(result.value())

        task.reply.then(done)

    def _failed(self, reply: Reply[ProxyHandle], error: DereferenceError) -> None:
        if reply.settled:
            return
        # the traceback's frames would keep half-built objects alive
        error.__traceback__ = error.__context__ = error.__cause__ = None
        problem = Problem(error.kind, error.where, error.what, error.advice, error.detail, error.explanation)
        self._node.problems.report(problem)
        reply.fail(error)


def _names_library(thing: Object) -> bool:
    return bool(thing.requires) or any(_names_library(inner) for _, inner in parts(thing))


def _told(error: Exception, place: Path) -> DereferenceError:
    """Return the error of a failed dereference as a problem for people: no failure is silent."""
    if isinstance(error, DereferenceError):
        return error
    detail = "".join(traceback.format_exception(error))
    what = f"it could not be built: {type(error).__name__}: {error}"
    return DereferenceError(place, what, "report this to the makers of this program", None, detail)
