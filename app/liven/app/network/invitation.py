"""The invitation of another computer: what its user does, once, so that both are connected.

It says where the key lies and never contains it: who has the key can take part in everything.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from liven.app.network.settings import SettingError, key_file, read_settings
from liven.runtime.user_folders import UserFolders

_HERE: Final = (
    "This computer is not connected to others yet. The invitation says what you do first, and then what the "
    "other person does, once."
)
_THERE: Final = (
    "The other person installs Liven, gets your key file from you and writes two lines into a file, once. "
    "The invitation says how."
)
_FIRST: Final = """\
On this computer, once:
1. Run: liven serve --interface ADDRESS
   ADDRESS is the address of this computer in your network, such as 192.168.1.7.
2. Write into {config}:

       [multicast]
       interface = "ADDRESS"
       service = "ADDRESS:{port}"

3. Close Liven and start it again.

"""
_THEN: Final = """\
On the other computer, once:
1. Install Liven.
2. Copy the file {key} from this computer into the same folder there, by a safe way and not by mail: whoever \
has it can take part. Then run: chmod 600 FILE
3. Write into config.toml, in the same folder:

       [multicast]
       interface = "THEIR ADDRESS"
       service = "{service}"

4. Run: liven doctor
   It says what is missing, if anything is.
From then on, links and files that either of you sends open at the other.
"""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Words for the user of the other computer."""

    sentence: str
    """The same in one or two sentences."""
    text: str
    """All steps, to be sent."""


def invitation(folders: UserFolders, environment: Mapping[str, str]) -> Invitation:
    """Return the invitation to the network of this computer. Settings that cannot be read count as none."""
    try:
        values = read_settings(folders, environment)
    except SettingError:
        values = read_settings(UserFolders.below(folders.config / "none"), {})
    interface, port = str(values["interface"]), int(values["service_port"])
    connected = not ipaddress.IPv4Address(interface).is_loopback
    service = str(values["service"]) or f"{interface if connected else 'ADDRESS'}:{port}"
    then = _THEN.format(key=key_file(folders, values), service=service)
    if connected:
        return Invitation(_THERE, then)
    return Invitation(_HERE, _FIRST.format(config=folders.config / "config.toml", port=port) + then)
