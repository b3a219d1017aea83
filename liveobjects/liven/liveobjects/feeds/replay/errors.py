"""The error of replay. It says what is wrong and what to do."""

from __future__ import annotations

from liven.liveobjects.feeds.errors import BadUseError, FeedError


class ReplayError(FeedError):
    """A replay that cannot be done as asked."""

    def __init__(self, what: str, advice: str = "") -> None:
        super().__init__(f"{what}; {advice}" if advice else what)
        self.what = what
        self.advice = advice


class BadChoiceError(ReplayError, BadUseError):
    """A place, a part, a name or a pace that a person wrote is none of this recording."""
