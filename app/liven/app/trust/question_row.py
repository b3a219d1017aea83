"""One question, as the dialog shows it: new code that an object needs, or files that it reaches; and its
answer."""

from __future__ import annotations

import enum
import re
import textwrap
from dataclasses import dataclass

from liven.app.trust.recipe_summary import RecipeSummary, host_of
from liven.liveobjects.look.view.labels import brief
from liven.runtime.capability import CapabilityKind, ConsentQuestion
from liven.runtime.foreign_text import shown_line
from liven.runtime.library.placement import Confine
from liven.runtime.library.trust import Question
from liven.runtime.signing.known_signers import Signer
from liven.runtime.signing.signature import fingerprint

_LONGEST_NAME = 120
_LONGEST = 280
_LONG_WORD = re.compile(r"\S{60}(?=\S)")
_MOST = 8
"""Most channels, hosts or paths that are listed; the others are counted."""
MOST_PATHS = 12
"""Most paths in one question; all of them are listed."""
_CONFINED = "It would run in a process of its own, without your files, the network and other programs."
_UNCONFINED = (
    "It would run with your rights: it could read and change your files and use the network, because your "
    "settings (confine in config.toml) confine no code."
)
_ASKED_AGAIN = "Unless you trust it permanently, you are asked again after the next start of Liven."
_NOT_KEPT = (
    "It cannot be trusted permanently: the recipe has no hash, so the code may change. Its author "
    "can add the hash, or you can install it: liven library add PATH."
)
_WHOSE = (
    "Whoever shares the object with you chose these paths. “Allow” opens them to the object, and no other "
    "files of yours. With “No”, the object does not run, and nothing is read or written."
)
_WHOSE_HOSTS = (
    "Whoever shares the object with you chose these computers. “Allow” lets the object exchange data with "
    "them, which shows them your address, and with no others. With “No”, the object does not run, and "
    "nothing is sent."
)
_FILES = ("Allow files and folders?", "files of this computer", _WHOSE)
_HOSTS = ("Allow a connection?", "other computers", _WHOSE_HOSTS)
_BOTH = (
    "Allow files and a connection?",
    "files of this computer, and other computers",
    "Whoever shares the object with you chose these paths and computers. “Allow” opens them to the object, "
    "and no others. With “No”, the object does not run, and nothing is read, written or sent.",
)
_FEEDS = (
    "Allow a query?",
    "what was recorded on this computer",
    "Whoever shares the object with you wrote the query. “Allow” has Spark run it on this feed for as long "
    "as the object runs, and everybody who has the object open can see the result. With “No”, nothing is "
    "read.",
)
_SEVERAL = (
    "Allow all of this?",
    "files of this computer, other computers, or what was recorded here",
    "Whoever shares the object with you chose these. “Allow” opens them to the object, and no others. With "
    "“No”, the object does not run, and nothing is read, written or sent.",
)


class Answer(enum.Enum):
    """The user's choice."""

    RUN = "run"
    PICTURE = "picture"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer to one question."""

    answer: Answer
    permanent: bool = False
    """The same is not asked again."""
    signer: bool = False
    """Whatever this signer has signed is not asked about."""


NO = Decision(Answer.NO)


@dataclass(frozen=True, slots=True)
class Row:
    """The texts of one question. All texts of strangers in it are on one line of limited length."""

    title: str
    headline: str
    name: str
    """The object that needs the answer."""
    needs: str
    """The code or the files, in a few words, for a list."""
    facts: tuple[tuple[str, str], ...]
    warning: str
    yes: str = "&Run it"
    no: str = "&Do not run"
    may_show_picture: bool = True
    keep: str = ""
    """The words of the tick for a permanent answer; empty if there can be none."""
    no_keep: str = ""
    """The reason why there can be no permanent answer."""
    keep_signer: str = ""
    """The words of the tick for a signer; empty without one."""


def code_row(
    question: Question,
    reach: RecipeSummary | None,
    signer: Signer | None,
    confine: Confine = Confine.FETCHED,
) -> Row:
    """Return the question about new code. `signer` is the known owner of its key, `reach` the summary of the
    recipe that needs it, and `confine` the person's setting."""
    name = shown(question.reason.replace("/", " › "), _LONGEST_NAME)
    facts = [
        ("Code", _code(question)),
        *([("Newer than", _older(question))] if question.installed_version else []),
        ("From", _origin(question)),
        ("Address", shown(question.url)),
        ("Made by", _maker(question, signer)),
        *_reached(reach),
    ]
    headline = f"“{name}” needs code that is not installed."
    if question.sent_on_from:
        asked = shown(question.sent_on_from, _LONGEST_NAME)
        there = shown(host_of(question.url)) or "another computer"
        headline = f"“{name}”: {asked} sends on to {there}. Fetch the code from there?"
    return Row(
        "Run new code?",
        headline,
        name,
        f"code from {_origin(question)}: library {shown(question.library, _LONGEST_NAME)}",
        tuple(facts),
        f"{_UNCONFINED if confine is Confine.NONE else _CONFINED} {_ASKED_AGAIN}",
        keep="Trust exactly this &content permanently" if question.sha256 else "",
        no_keep="" if question.sha256 else _NOT_KEPT,
        keep_signer=_tick(question, signer),
    )


def path_row(question: ConsentQuestion) -> Row:
    """Return the question about files, folders, other computers and recorded feeds."""
    name = shown(question.reason.replace("/", " › "), _LONGEST_NAME)
    wanted = tuple(str(one) for one in question.capabilities)
    title, reached, warning = _texts(question)
    return Row(
        title,
        f"“{name}” wants to reach {reached}.",
        name,
        ", ".join(shown(one, _LONGEST_NAME) for one in wanted[:2]) + (", …" if len(wanted) > 2 else ""),
        (("It would", _listed(wanted, "", most=MOST_PATHS)),),
        warning,
        yes="A&llow",
        no="&No",
        may_show_picture=False,
        keep="&Always allow exactly this to exactly this object",
    )


def _texts(question: ConsentQuestion) -> tuple[str, str, str]:
    paths = sum(one.is_path for one in question.capabilities)
    queries = sum(one.kind is CapabilityKind.RUN_QUERY for one in question.capabilities)
    if queries:
        return _FEEDS if queries == len(question.capabilities) else _SEVERAL
    return _FILES if paths == len(question.capabilities) else _BOTH if paths else _HOSTS


def shown(words: str, longest: int = _LONGEST) -> str:
    """Return text from the recipe's author on one line of limited length, so that it can neither imitate our
    texts nor push the buttons off the screen."""
    return _LONG_WORD.sub("\\g<0>\N{ZERO WIDTH SPACE}", brief(shown_line(words), longest))


def _origin(question: Question) -> str:
    return shown(host_of(question.url)) or "an unknown source"


def _code(question: Question) -> str:
    """Return the version and the content in one sentence: a hash leaves room for one version only."""
    name = f"library {shown(question.library)}, version {question.version}"
    if not question.sha256:
        return f"{name} or later, whatever is there when it is downloaded: the recipe has no hash"
    return f"{name}, exactly the content with sha256 {' '.join(textwrap.wrap(question.sha256, 16))}"


def _older(question: Question) -> str:
    return (
        f"version {question.installed_version} of this library, which is on this computer. The newer one "
        "takes its place wherever a recipe allows it"
    )


def _maker(question: Question, signer: Signer | None) -> str:
    """Return who signed the code. A name is only as good as the first meeting with its key."""
    if not question.signer:
        return "not signed, so nobody vouches for it"
    later = "" if question.signed_as else "; the signature is checked before the code is installed"
    key = fingerprint(question.signer)
    if signer is not None:
        return f"{shown(str(signer))}, key {key}{later}"
    claim = f"somebody who claims to be “{shown(question.signed_as)}”" if question.signed_as else "a signer"
    return f"{claim} whom you have not met; key {key}{later}"


def _tick(question: Question, signer: Signer | None) -> str:
    if not question.signer:
        return ""
    who = f"“{shown(signer.name)}”" if signer is not None else "this signer"
    return f"Do not ask about other or newer code that {who} has si&gned"


def _reached(reach: RecipeSummary | None) -> list[tuple[str, str]]:
    if reach is None:
        return [("Reaches", "unknown: it is inside an object that others may have changed")]
    none = "none in its recipe"
    rows = [("Channels", _listed(reach.channels, none)), ("Hosts", _listed(reach.hosts, none))]
    rows += [("Stores", _listed(reach.kept, ""))] if reach.kept else []
    rows += [("Files", _listed(reach.paths, ""))] if reach.paths else []
    rows += [("Queries", _listed(reach.queries, ""))] if reach.queries else []
    rows += [("Sends", _listed(reach.rates, ""))] if reach.rates else []
    return rows


def _listed(found: tuple[str, ...], none: str, *, most: int = _MOST) -> str:
    more = len(found) - most
    names = "\n".join(shown(name, _LONGEST_NAME) for name in found[:most])
    return names + (f"\nand {more} more" if more > 0 else "") if found else none
