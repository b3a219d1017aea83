"""The inspector: what runs in this program, what it is joined to, and what passes between."""
