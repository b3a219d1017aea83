"""`liven cp`: sending files to all members of a group. Start at `command`; `sender` and `receiver` exchange
the `messages`."""
