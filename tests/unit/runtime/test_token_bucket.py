"""A bucket lets a burst pass, then a steady rate, and an amount of any size once."""

from __future__ import annotations

from liven.runtime.token_bucket import TokenBucket


def test_burst_passes_at_once_and_then_the_rate() -> None:
    bucket = TokenBucket(10.0, 5.0, 0.0)
    for _ in range(5):
        assert not bucket.is_empty(0.0)
        bucket.take(1)
    assert bucket.is_empty(0.0)
    assert not bucket.is_empty(0.1)


def test_large_amount_is_paid_back() -> None:
    bucket = TokenBucket(10.0, 5.0, 0.0)
    bucket.take(105)
    assert bucket.delay(0.0) == 10.0
    assert bucket.delay(4.0) == 6.0
    assert not bucket.is_empty(10.1)
    assert not bucket.is_full(10.1)
    assert bucket.is_full(11.0)


def test_rate_of_zero_is_no_limit() -> None:
    bucket = TokenBucket(0.0, 5.0, 0.0)
    bucket.take(1e9)
    assert not bucket.is_empty(0.0)
    assert bucket.delay(0.0) == 0.0


def test_burst_of_zero_without_a_rate_is_no_limit() -> None:
    assert not TokenBucket(0.0, 0.0, 0.0).is_empty(0.0)
