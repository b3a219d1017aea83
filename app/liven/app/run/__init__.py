"""`liven run` with network channels. The command itself is in `liven.runtime`; this adds the network."""
