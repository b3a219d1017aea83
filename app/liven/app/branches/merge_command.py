"""Merging a branch in a separate, short-lived program."""

from __future__ import annotations

import asyncio
import os

from liven.liveobjects.channel.branches.merge import BranchMerge
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.multicast.socket_engine import EngineConfig
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.problems import Kind, Problems
from liven.runtime.process.session import Session
from liven.runtime.user_folders import UserFolders


def merge(config: EngineConfig, channel: str, branch: str, network: str) -> str:
    """Merge a branch; return the reason if that failed, else an empty text."""
    loop = asyncio.new_event_loop()
    problems, said = Problems(), list[str]()
    problems.listen(lambda problem: None if problem.kind is Kind.BRANCH else said.append(problem.what))
    dispatcher = AsyncioDispatcher(loop, problems.report)
    folders = UserFolders.of_user(os.environ)
    channels = Channels(config, folders, network=network)
    session = Session.start(dispatcher, problems, folders, defaults=channels.defaults)
    channels.bring_into(session.node)
    outcome: list[str] = []

    def done(why: str) -> None:
        outcome.append(why)
        channels.farewell(loop.stop)

    def begin() -> None:
        BranchMerge(session.node.service(ChannelSystem), channel, branch, done)

    try:
        dispatcher.call_soon(begin)
        loop.run_forever()
    finally:
        session.close()
        channels.close()
        dispatcher.close()
        loop.close()
    return "; ".join([*outcome, *said]) if outcome[-1:] != [""] else ""
