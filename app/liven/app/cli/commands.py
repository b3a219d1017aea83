"""The table of subcommands, by the room that provides each.

A row names a module, so `liven --help` lists all commands without importing any. The module has
`configure(parser)`, which adds arguments, and `run(arguments)`, which returns an exit code of
`liven.runtime.exit_codes`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One subcommand."""

    name: str
    room: str
    module: str
    help: str


COMMANDS = (
    Entry("bench", "app", "liven.app.bench.command", "run a measurement of the checkout"),
    Entry("demo", "app", "liven.app.demo.command", "open two programs side by side on one desktop"),
    Entry("open", "app", "liven.app.open.command", "show objects in windows"),
    Entry(
        "register-files",
        "app",
        "liven.app.file_association.command",
        "open .liveobject files by double-click, or undo that",
    ),
    Entry(
        "doctor", "app", "liven.app.doctor.command", "check this machine, and say how to fix what is missing"
    ),
    Entry("backup", "app", "liven.app.backup.command", "write your files into one archive"),
    Entry("restore", "app", "liven.app.backup.restore_command", "put the files of a backup in place"),
    Entry(
        "branches",
        "liveobjects",
        "liven.app.branches.command",
        "list, open, merge or discard the branches of channels",
    ),
    Entry(
        "members",
        "liveobjects",
        "liven.app.members.command",
        "list the members of channels, or forget one that never comes back",
    ),
    Entry("feeds", "liveobjects", "liven.app.feeds.command", "record, read, exchange and replay feeds"),
    Entry("serve", "multicast", "liven.app.serve.command", "run, query or stop the membership service"),
    Entry(
        "key",
        "multicast",
        "liven.app.key.command",
        "keys of the cluster; signatures of objects and code",
    ),
    Entry("top", "multicast", "liven.app.top.command", "show live traffic figures"),
    Entry("chat", "multicast", "liven.app.chat.command", "chat with the members of a group"),
    Entry("cp", "multicast", "liven.app.cp.command", "copy files to the members of a group"),
    Entry(
        "types",
        "runtime",
        "liven.runtime.commands.types",
        "list, show or compare types",
    ),
    Entry("show", "runtime", "liven.runtime.commands.show", "show the objects in a file as a tree"),
    Entry(
        "check",
        "runtime",
        "liven.runtime.commands.check",
        "check that files are readable, valid and well typed",
    ),
    Entry("fmt", "runtime", "liven.runtime.commands.fmt", "format files"),
    Entry(
        "run",
        "runtime",
        "liven.app.run.command",
        "run objects without windows and log their events",
    ),
    Entry("new", "runtime", "liven.runtime.commands.new", "create the sources of a live object with a test"),
    Entry("library", "runtime", "liven.runtime.commands.library", "add, list, remove and verify libraries"),
)
