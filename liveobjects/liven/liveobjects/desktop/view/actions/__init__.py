"""The actions of a desktop: its shortcuts and menus, and what they do to the selection.

The changes themselves are in desktop/commands. Start in shortcuts."""
