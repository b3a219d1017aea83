"""The dissector for Wireshark and tshark, which reads docs/wire.md."""

from pathlib import Path


def dissector() -> Path:
    """Where the script is; give it to tshark as `-X lua_script:PATH`."""
    return Path(__file__).with_name("liven.lua")
