"""`liven run`, with channels."""
