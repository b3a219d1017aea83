"""Presence: who has an object open and where they are in it, such as their caret. It travels beside the
object's state and is never stored. Start with `object_presence`; `person` is the person at this computer."""
