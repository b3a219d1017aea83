"""The person's choice of the libraries that run in processes of their own: `[libraries]` in `config.toml`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from liven.app import config_file
from liven.app.config_file import CONFINE, LIBRARIES, LIBRARY_SETTINGS
from liven.runtime.exit_codes import BAD_USE

if TYPE_CHECKING:
    from liven.runtime.library.placement import Placement


class PlacementError(ValueError):
    """Raised for an invalid setting; the message names its source, the error and the valid values."""


def add_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that confines everything for once."""
    parser.add_argument(
        "--confined",
        action="store_true",
        help="run every library in a process of its own, also those that you installed",
    )


def read_placement(config: Path) -> Placement:
    """Return the choice; raise PlacementError."""
    from liven.runtime.library.placement import Confine, Placement  # handing files over does not need them

    path = config / config_file.NAME
    table = config_file.section(path, LIBRARIES, LIBRARY_SETTINGS, PlacementError)
    written = table.get(CONFINE, Confine.FETCHED.value)
    try:
        return Placement(Confine(written))
    except ValueError:
        may_be = ", ".join(one.value for one in Confine)
        raise PlacementError(f"{path}: {LIBRARIES}.{CONFINE} is {written!r}; it may be {may_be}") from None


def placement_of(arguments: argparse.Namespace, config: Path) -> Placement:
    """Return the choice for one start; exit with an error if the setting is invalid: guessing could run code
    with rights that the person did not want to give."""
    from liven.app.network.cli import complain
    from liven.runtime.library.placement import Confine, Placement

    if arguments.confined:
        return Placement(Confine.ALL)
    try:
        return read_placement(config)
    except PlacementError as error:
        raise SystemExit(complain(str(error), BAD_USE)) from error
