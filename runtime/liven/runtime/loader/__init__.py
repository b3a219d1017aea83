"""Loading: from references to running proxies, bottom-up, in time, and with reasons when it fails.

The static check comes from `checking`, code from `library`. Start with `loader`, then `recipe_builder`, the
walk through one recipe.
"""

from liven.runtime.loader.classes import Class, Classes, Installed
from liven.runtime.loader.loader import Loader
from liven.runtime.loader.progress import Progress

__all__ = ["Class", "Classes", "Installed", "Loader", "Progress"]
