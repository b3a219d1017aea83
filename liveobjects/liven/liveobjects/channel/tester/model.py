"""The state of a tester: the last number of each sender, and every fault so far.

A message is the sender's name and a number, counting from 1. The state follows from the messages, so testers
that join later continue the check, and all have the same state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

FAULTS_MOST: Final = 1000


@dataclass(slots=True)
class SequenceCheck:
    """The state of a test."""

    last: dict[str, int] = field(default_factory=dict)
    messages: int = 0
    lost: int = 0
    doubled: int = 0
    disordered: int = 0
    faults: list[str] = field(default_factory=list)
    """The first faults, as texts."""

    def take(self, text: str) -> str | None:
        """Process a message, and return its fault if it has one."""
        sender, _, digits = text.rpartition(" ")
        if not sender or not digits.isdecimal() or len(digits) > 18:
            return self._fault(f"{text[:60]!r} is not a message of a tester")
        number, last = int(digits), self.last.get(sender, 0)
        self.messages += 1
        self.last[sender] = max(last, number)
        if number == last + 1:
            return None
        if number == last:
            self.doubled += 1
            return self._fault(f"message {number} of {sender} came twice")
        if number < last:
            self.disordered += 1
            return self._fault(f"message {number} of {sender} came after {last}")
        self.lost += number - last - 1
        return self._fault(f"messages {last + 1} to {number - 1} of {sender} are missing")

    def checkpoint(self) -> str:
        """Return the state as text: the last number of each sender."""
        head = f"{self.messages} {self.lost} {self.doubled} {self.disordered}"
        return "\n".join([head, *(f"{sender} {number}" for sender, number in sorted(self.last.items()))])

    @classmethod
    def begun(cls, checkpoint: str | None) -> SequenceCheck:
        """Return the initial state. Raises ValueError for an invalid text."""
        if checkpoint is None:
            return cls()
        head, *rows = checkpoint.split("\n")
        messages, lost, doubled, disordered = (int(word) for word in head.split(" "))
        pairs = (row.rpartition(" ") for row in rows)
        return cls({sender: int(number) for sender, _, number in pairs}, messages, lost, doubled, disordered)

    def summary(self) -> str:
        """Return the result for people."""
        if not (self.lost or self.doubled or self.disordered):
            return f"{self.messages} messages of {len(self.last)} testers, nothing wrong"
        return (
            f"{self.messages} messages of {len(self.last)} testers: "
            f"{self.lost} lost, {self.doubled} twice, {self.disordered} out of order"
        )

    def _fault(self, text: str) -> str:
        if len(self.faults) < FAULTS_MOST:
            self.faults.append(text)
        return text
