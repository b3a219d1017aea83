"""`liven branches`: histories of channels that did not go on, and what becomes of them."""
