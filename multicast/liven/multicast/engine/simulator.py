"""The simulator: a world in virtual time, and campaigns of random worlds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from liven.multicast._core import ffi, lib
from liven.multicast.engine.codes import check, names, text


def setting_names() -> tuple[str, ...]:
    """Return the names of the settings of a simulated world."""
    return names(lib.sim_settings_name)


def oracle_texts() -> dict[str, str]:
    """Return the rule of each oracle by its word."""
    count = range(lib.sim_face_oracles())
    return {text(lib.sim_face_oracle_word(i)): text(lib.sim_face_oracle_text(i)) for i in count}


class Record(NamedTuple):
    """A record for an outside application; `kind` 0 is a delivery, 100 a WANT."""

    kind: int
    code: int
    group: int
    sender: int
    number: int
    last: int
    amount: int
    cookie: int
    at: int
    length: int
    payload: bytes


class World:
    """A simulated world, function by function: numbers in, numbers out, times in nanoseconds."""

    def __init__(self, seed: int, settings: Mapping[str, int], paper: bool = False) -> None:
        made = ffi.gc(lib.sim_settings_new(seed), lib.sim_settings_free)
        if paper:
            lib.sim_settings_paper(made)
        for name, value in settings.items():
            if not lib.sim_settings_set(made, name.encode(), value):
                raise ValueError(f"no setting {name!r} that can be {value}; see setting_names()")
        handle = lib.sim_world_from(made)
        if handle == ffi.NULL:
            check(-4)
        self._world = ffi.gc(handle, lib.sim_world_free)
        self._numbers = ffi.new("uint64_t[10]")
        self._bytes = ffi.new("const uint8_t **")

    def add(self, external: bool) -> int:
        """Add a host and start it."""
        number = int(lib.sim_world_add(self._world, external))
        if number == 0xFFFFFFFF:
            check(-1)
        return number

    def now(self) -> int:
        """Return the virtual time."""
        return int(lib.sim_world_now(self._world))

    def run(self, until: int) -> None:
        """Run to `until`, or to the time when a payload is requested from an outside application."""
        lib.sim_world_run(self._world, until)

    def take(self, host: int) -> Record | None:
        """Take the oldest record of a host."""
        if not lib.sim_face_take(self._world, host, self._numbers, self._bytes):
            return None
        numbers = list(self._numbers)
        payload = bytes(ffi.buffer(self._bytes[0], numbers[9])) if numbers[9] else b""
        code = numbers[1] - 2**64 if numbers[1] >= 2**63 else numbers[1]
        return Record._make([numbers[0], code, *numbers[2:], payload])

    def join(self, host: int, group: int, policy: tuple[int, int, int, bool]) -> bool:
        """Join a group; the policy is: slow policy, messages, bytes, True to report stability."""
        return bool(lib.sim_face_join(self._world, host, group, *policy))

    def send(self, host: int, group: int, payload: bytes | None, cookie: int) -> bool:
        """Send a message; without a payload it is requested later."""
        data = ffi.NULL if payload is None else ffi.from_buffer("uint8_t[]", payload)
        size = 0 if payload is None else len(payload)
        return bool(lib.sim_world_send(self._world, host, group, data, size, cookie))

    def supply(self, host: int, group: int, cookie: int, payload: bytes | None) -> bool:
        """Answer a WANT."""
        data = ffi.NULL if payload is None else ffi.from_buffer("uint8_t[]", payload)
        size = 0 if payload is None else len(payload)
        return bool(lib.sim_world_supply(self._world, host, group, cookie, data, size))

    def flow(
        self,
        host: int,
        first_group: int,
        groups: int,
        smallest: int,
        largest: int,
        start: int,
        interval: int,
        count: int,
        burst: int,
        pull: bool,
    ) -> int:
        """Add a flow of stamped messages. Return its number."""
        world, sizes, times = self._world, (smallest, largest), (start, interval)
        return lib.sim_face_flow(world, host, first_group, groups, *sizes, *times, count, burst, pull)

    def call(self, name: str, *arguments: int) -> int:
        """Call a function of the simulator that takes numbers and returns one, named without `sim_world_` or
        `sim_face_`. A function without a result returns 0."""
        function = getattr(lib, f"sim_world_{name}", None) or getattr(lib, f"sim_face_{name}")
        answer = function(self._world, *arguments)
        return 0 if answer is None else int(answer)

    def measure(self, host: int, name: str) -> int | None:
        """Return one statistic of a running host."""
        value = ffi.new("uint64_t *")
        known = lib.sim_world_measure(self._world, host, name.encode(), value)
        return int(value[0]) if known else None

    def breaches(self) -> list[str]:
        """Return the breaches that the oracles found; the first ones have texts."""
        return list(names(lambda index: lib.sim_face_breach(self._world, index)))


class CampaignRun(NamedTuple):
    """The result of one seed of a campaign."""

    seed: int
    broken: int
    delivered: int
    trace: int
    breaches: tuple[str, ...]
    coverage: dict[str, int]


def run_campaign(seed: int, kind: int) -> CampaignRun:
    """Run one seed: 0 mixed, 1 calm, 2 lossy, 3 churn, 4 crash, 5 freeze, 6 cut, 7 service, 8 storm, 9
    hybrid."""
    result = lib.sim_face_campaign(seed, kind)
    if result == ffi.NULL:
        check(-1)
    held = ffi.gc(result, lib.sim_face_campaign_free)
    covered = names(lib.sim_face_coverage_name)
    return CampaignRun(
        seed,
        int(lib.sim_face_campaign_broken(held)),
        int(lib.sim_face_campaign_delivered(held)),
        int(lib.sim_face_campaign_trace(held)),
        names(lambda index: lib.sim_face_campaign_breach(held, index)),
        {name: int(lib.sim_face_campaign_coverage(held, i)) for i, name in enumerate(covered)},
    )
