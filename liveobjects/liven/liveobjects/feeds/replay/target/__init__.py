"""Targets of a replay: where its events go. `target` is the interface; `sandbox` is a copy of the recorded
object without network and disk, `live_channel` a channel that others have open, `event_log` a new
recording."""
