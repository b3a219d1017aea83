"""Presence: the people at an object and their places in it, such as their caret. It travels beside the
object's state and is never stored. Start with `object_presence`; `person` is the person at this computer."""
