"""Editing an item where it lies: entering and leaving it, typing into a new one, and growing with its text.

Editors of the objects themselves are in their rooms. Start in item_editing."""
