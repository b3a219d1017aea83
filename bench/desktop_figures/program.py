"""The desktop program under measurement: the ordinary `liven open`, which also reports the time of its
events.

Lines on its standard output are `EVENT NUMBER`: seconds on the clock that all processes of a machine
share, or a count. Lines on its standard input are commands: see `remote_control.py` and
`large_desktop.py`.

Everything that `liven open` imports before it shows a window is imported first, and nothing else before
the window shows its object: imports for the measurement itself come after that.
"""

import sys
import time

STARTED = time.monotonic()


def say(event: str, at: float) -> None:
    """Print one line."""
    sys.stdout.write(f"{event} {at:.6f}\n")
    sys.stdout.flush()


say("interpreter", STARTED)

from pathlib import Path  # noqa: E402

from liven.app.main import main  # noqa: E402
from liven.app.open import command  # noqa: E402, F401  # what the first word of the command line loads

say("client", time.monotonic())

# The modules that the command loads if no running program takes the files.
from liven.app.network.cli import config_of  # noqa: E402, F401
from liven.app.opening import source  # noqa: E402, F401
from liven.liveobjects.channel.composition import Channels  # noqa: E402

say("imports", time.monotonic())

from liven.app.qt_application import application  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1]))

from desktop_figures.remote_control import PaintWatch, RemoteControl  # noqa: E402

if __name__ == "__main__":
    qt = application()
    say("application", time.monotonic())
    eye = PaintWatch(say)
    qt.installEventFilter(eye)
    hand = RemoteControl(eye, say)
    eye.watch_engine(Channels)
    code = main(["open", *sys.argv[1:]])
    del hand
    sys.exit(code)
