"""The states of a player, and the table of its moves."""

from __future__ import annotations

from enum import Enum
from typing import Final


class State(Enum):
    """The state of a player, in the word that people see."""

    PAUSED = "paused"
    PLAYING = "playing"
    WAITING = "waiting"
    """It plays, and the source has no records yet."""
    SEEKING = "seeking"
    """It gets to another place, to stay there."""
    SEEKING_ON = "seeking on"
    """It gets to another place, to play on."""
    ENDED = "ended"
    FAILED = "failed"
    CLOSED = "closed"


class Move(Enum):
    """An event that may change the state of a player."""

    PLAY = "play"
    PAUSE = "pause"
    SEEK = "seek"
    REPEAT = "repeat"
    ARRIVE = "arrive"
    STARVE = "starve"
    FEED = "feed"
    END = "end"
    FAIL = "fail"
    CLOSE = "close"


_S, _M = State, Move
TABLE: Final[dict[tuple[State, Move], State]] = {
    (_S.PAUSED, _M.PLAY): _S.PLAYING,
    (_S.PAUSED, _M.SEEK): _S.SEEKING,
    (_S.PAUSED, _M.END): _S.ENDED,
    (_S.PLAYING, _M.PAUSE): _S.PAUSED,
    (_S.PLAYING, _M.SEEK): _S.SEEKING_ON,
    (_S.PLAYING, _M.REPEAT): _S.SEEKING_ON,
    (_S.PLAYING, _M.STARVE): _S.WAITING,
    (_S.PLAYING, _M.END): _S.ENDED,
    (_S.WAITING, _M.PAUSE): _S.PAUSED,
    (_S.WAITING, _M.SEEK): _S.SEEKING_ON,
    (_S.WAITING, _M.FEED): _S.PLAYING,
    (_S.WAITING, _M.END): _S.ENDED,
    (_S.SEEKING, _M.PLAY): _S.SEEKING_ON,
    (_S.SEEKING, _M.SEEK): _S.SEEKING,
    (_S.SEEKING, _M.ARRIVE): _S.PAUSED,
    (_S.SEEKING_ON, _M.PAUSE): _S.SEEKING,
    (_S.SEEKING_ON, _M.SEEK): _S.SEEKING_ON,
    (_S.SEEKING_ON, _M.ARRIVE): _S.PLAYING,
    (_S.ENDED, _M.PLAY): _S.SEEKING_ON,
    (_S.ENDED, _M.SEEK): _S.SEEKING,
    **{(state, _M.FAIL): _S.FAILED for state in _S if state is not _S.CLOSED},
    **{(state, _M.CLOSE): _S.CLOSED for state in _S},
}
"""The state after a move. A move that is not listed changes nothing: pausing what is paused is no fault."""
