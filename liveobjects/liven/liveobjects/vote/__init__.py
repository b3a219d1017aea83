"""A vote: one question, several answers, and one vote for each person. It is the smallest object with undo:
read `model`, then `object`, then `view`."""
