"""The command line's entry."""


def main() -> int:
    """Runs the `liven` command."""
    return 0


def gui() -> int:
    """Runs the desktop."""
    return 0
