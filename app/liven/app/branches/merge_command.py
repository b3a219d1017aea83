"""Merging a branch in a separate, short-lived program."""

from __future__ import annotations

from liven.app.network.channel_program import run_on_channels
from liven.liveobjects.channel.branches.merge import BranchMerge
from liven.multicast.socket_engine import EngineConfig
from liven.runtime.problems import Kind


def merge(config: EngineConfig, channel: str, branch: str, network: str) -> str:
    """Merge a branch; return the reason if that failed, else an empty text."""
    return run_on_channels(
        config,
        network,
        lambda system, done: BranchMerge(system, channel, branch, done),
        lambda problem: problem.kind is not Kind.BRANCH,
    )
