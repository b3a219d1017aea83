"""The dissector for Wireshark and tshark, which reads docs/wire.md."""

from pathlib import Path


def dissector() -> Path:
    """Return the path of the script, for `tshark -X lua_script:PATH`."""
    return Path(__file__).with_name("liven.lua")
