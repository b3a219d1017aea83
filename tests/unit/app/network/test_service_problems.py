"""A service with another key is a problem in the windows, not only a line in the log."""

from __future__ import annotations

import threading
from pathlib import Path

from liven.app.network.service_problems import report_service_problems
from liven.multicast import event_log
from liven.runtime.problems import Kind, Problem

KEYS = "/home/ann/.config/liven/cluster.key"


def test_a_wrong_key_is_one_problem_that_names_the_key_and_says_what_to_do(tmp_path: Path) -> None:
    found: list[Problem] = []
    stop = report_service_problems(found.append)
    for _ in range(3):
        event_log.service_strange("192.0.2.1:28199", KEYS, "1:5a3f")
    event_log.service_lost()
    stop()
    event_log.service_strange("192.0.2.2:28199", KEYS, "1:5a3f")
    [problem] = found
    assert problem.kind is Kind.PEER
    assert "192.0.2.1:28199 does not have the key 1:5a3f" in problem.what
    assert KEYS in problem.what
    assert "copy the key file" in problem.advice
    assert "`liven key`" in problem.advice


def test_the_engine_reports_from_its_own_threads() -> None:
    found: list[Problem] = []
    stop = report_service_problems(found.append)
    thread = threading.Thread(target=lambda: event_log.service_of_another_version("192.0.2.1:28199"))
    thread.start()
    thread.join()
    stop()
    assert "install the same version" in found[0].advice
