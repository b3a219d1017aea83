"""Confined libraries: their objects run in processes of their own, and proxies here stand for them.

`processes` is the public part: it builds objects and starts one process for each library. `process` is one
of them as seen from here, `watch` ends it when it is silent or greedy, `remote_object` and `remote_view` are
what the rest of this program holds. `hosted_objects` is the other side, which `process.confined_program`
runs. The rights of the process are taken away in `sandbox`. Nothing here knows a screen;
`liveobjects.confined.view` shows the pictures.
"""

from liven.runtime.confined.processes import ConfinedPrograms, Processes

__all__ = ["ConfinedPrograms", "Processes"]
