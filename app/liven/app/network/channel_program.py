"""A short-lived program without windows that does one thing to a channel."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import TypeAlias

from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.multicast.socket_engine import EngineConfig
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.problems import Problem, Problems
from liven.runtime.process.session import Session
from liven.runtime.user_folders import UserFolders

Work: TypeAlias = Callable[[ChannelSystem, Callable[[str], None]], object]
"""Begins the work. It calls its second argument once, with the reason for a failure or an empty text."""


def run_on_channels(
    config: EngineConfig, network: str, work: Work, matters: Callable[[Problem], bool]
) -> str:
    """Do some work in a program of its own. Return the reason if that failed, with the problems that matter,
    else an empty text."""
    loop = asyncio.new_event_loop()
    problems, said = Problems(), list[str]()
    problems.listen(lambda problem: said.append(problem.what) if matters(problem) else None)
    dispatcher = AsyncioDispatcher(loop, problems.report)
    folders = UserFolders.of_user(os.environ)
    channels = Channels(config, folders, network=network, limits=None)  # the person asked for all of it
    session = Session.start(dispatcher, problems, folders, defaults=channels.defaults)
    channels.bring_into(session.node)
    outcome: list[str] = []

    def done(why: str) -> None:
        outcome.append(why)
        channels.farewell(loop.stop)

    try:
        dispatcher.call_soon(lambda: work(session.node.service(ChannelSystem), done))
        loop.run_forever()
    finally:
        session.close()
        channels.close()
        dispatcher.close()
        loop.close()
    return "; ".join([*outcome, *said]) if outcome[-1:] != [""] else ""
