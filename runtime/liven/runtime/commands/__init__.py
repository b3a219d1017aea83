"""The commands of this room, one module each, imported when chosen, so that each starts fast.

The list of all commands is in the app. Start with any of them: `configure` adds its arguments, `run` does it.
"""
