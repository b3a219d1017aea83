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
        "have a double-click open .liveobject files, or no longer",
    ),
    Entry(
        "doctor", "app", "liven.app.doctor.command", "say what this machine has, lacks, and how to mend it"
    ),
    Entry(
        "branches",
        "liveobjects",
        "liven.app.branches.command",
        "list what of channels did not go on; open it, merge it or discard it",
    ),
    Entry("serve", "multicast", "liven.app.serve.command", "run the membership service, or ask after it"),
    Entry("key", "multicast", "liven.app.key.command", "show the keys of the cluster, or change one"),
    Entry("top", "multicast", "liven.app.top.command", "show what the engines do, as it happens"),
    Entry("chat", "multicast", "liven.app.chat.command", "talk with all who are in a group"),
    Entry("cp", "multicast", "liven.app.cp.command", "copy files to all who are in a group"),
    Entry(
        "types",
        "runtime",
        "liven.runtime.commands.types",
        "list the types that are known, show one, or compare two",
    ),
    Entry("show", "runtime", "liven.runtime.commands.show", "show what a file holds, as a tree of objects"),
    Entry(
        "check", "runtime", "liven.runtime.commands.check", "say whether files are read, valid and well typed"
    ),
    Entry("fmt", "runtime", "liven.runtime.commands.fmt", "write files in their one form"),
    Entry(
        "run",
        "runtime",
        "liven.app.run.command",
        "run objects without a screen and write down what passes",
    ),
    Entry("new", "runtime", "liven.runtime.commands.new", "write a live object with its test"),
    Entry("library", "runtime", "liven.runtime.commands.library", "add, list, remove and verify libraries"),
)
