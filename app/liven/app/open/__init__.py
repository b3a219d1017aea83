"""`liven open`: the command that shows objects in windows. Start at `command`; `hand_over` is its fast path
for a program that is already running."""
