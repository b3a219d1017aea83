"""The contents of the registered files: MIME type, desktop entry and icon."""

from __future__ import annotations

from typing import Final

MIME: Final = "application/x-liveobject+xml"
SCHEME: Final = "x-scheme-handler/liven"
DESKTOP_FILE: Final = "liven.desktop"

MIME_PACKAGE: Final = f"""<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{MIME}">
    <comment>live object</comment>
    <sub-class-of type="application/xml"/>
    <generic-icon name="text-x-generic"/>
    <icon name="application-x-liveobject+xml"/>
    <glob pattern="*.liveobject" weight="80"/>
  </mime-type>
</mime-info>
"""

ICON: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect x="6" y="14" width="36" height="40" rx="5" fill="#2471a3"/>
  <rect x="22" y="8" width="36" height="40" rx="5" fill="#fff7d1" stroke="#8a8371" stroke-width="2"/>
  <path d="M29 19h22M29 27h22M29 35h13" stroke="#2b2720" stroke-width="3" stroke-linecap="round"/>
  <circle cx="51" cy="49" r="8" fill="#1e8449"/>
</svg>
"""


def desktop_entry(command: str) -> str:
    """Return the desktop entry that starts `command`."""
    return f"""[Desktop Entry]
Type=Application
Name=Liven
GenericName=Desktop of live objects
Comment=Open live objects and share them with everybody who has them open
Exec={command} open --from-icon %U
Icon=liven
Terminal=false
Categories=Utility;Office;
MimeType={MIME};{SCHEME};
StartupNotify=true
StartupWMClass=liven
"""


def quoted(argument: str) -> str:
    """Return an argument quoted for the Exec line of a desktop entry: once for the command, once for the
    file.

    See https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html
    """
    if argument and all(letter.isalnum() or letter in "/._-+@:," for letter in argument):
        return argument
    inner = "".join("\\" + letter if letter in '"`$\\' else letter for letter in argument)
    return '"' + inner.replace("\\", "\\\\").replace("%", "%%") + '"'
