from __future__ import annotations

from liven.runtime.confined.intake import LONGEST_FLOOD, MESSAGES_A_SECOND, Intake


def read(intake: Intake, a_second: float, seconds: float) -> tuple[int, bool]:
    """Offer messages at a rate, pausing when asked; return how many were read, and if it was a flood."""
    now, count, offered = 0.0, 0, 0.0
    while now < seconds:
        pause = intake.take(now)
        count += 1
        if intake.flooded(now):
            return count, True
        offered += 1
        now = max(now + pause, offered / a_second)
    return count, False


def test_rate_below_the_limit_is_never_slowed() -> None:
    count, flooded = read(Intake(0.0), MESSAGES_A_SECOND * 0.9, 30.0)
    assert not flooded and count >= MESSAGES_A_SECOND * 0.9 * 29


def test_short_burst_is_read_whole() -> None:
    intake = Intake(0.0)
    assert not any(intake.take(0.0) for _ in range(int(MESSAGES_A_SECOND) - 1))
    assert intake.take(0.0) > 0


def test_long_flood_is_slowed_to_the_limit_then_called_one() -> None:
    count, flooded = read(Intake(0.0), MESSAGES_A_SECOND * 100, 60.0)
    assert flooded
    assert count <= MESSAGES_A_SECOND * (LONGEST_FLOOD + 2)
