"""`liven branches`: the histories of channels that were not continued. The command lists, opens, merges or
discards them. Start at `command`."""
