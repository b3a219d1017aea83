from __future__ import annotations

import threading

from liven.runtime.dispatcher import HandCranked
from liven.runtime.problems import Kind, Problem, Problems, Remedy
from liven.types.explanation import Explanation

_ONE = Problem(Kind.REFUSED, ("note", "channel"), "text does not fit number", "use another channel")


def test_a_problem_reads_as_a_sentence() -> None:
    assert str(_ONE) == "note / channel: text does not fit number (use another channel)"
    assert str(Problem(Kind.RAISED, (), "gone")) == "this process: gone"


def test_a_problem_as_plain_values_has_the_explanation_in_words() -> None:
    problem = Problem(Kind.REFUSED, ("a",), "no", explanation=Explanation(False, "a does not fit b"))
    assert problem.as_record() == {
        "kind": "refused",
        "where": ["a"],
        "what": "no",
        "advice": "",
        "detail": "",
        "explanation": "✗ a does not fit b",
        "remedies": [],
        "over": False,
    }


def test_a_problem_replaces_earlier_ones_of_its_topic_at_the_same_place() -> None:
    waits = Problem(Kind.PEER, ("a",), "it waits for Ann", topic="waits")
    over = Problem(Kind.PEER, ("a",), "it waits no more", topic="waits", is_over=True)
    assert waits.is_replaced_by(over)
    assert not waits.is_replaced_by(Problem(Kind.PEER, ("b",), "it waits no more", topic="waits"))
    assert not Problem(Kind.PEER, ("a",), "one").is_replaced_by(Problem(Kind.PEER, ("a",), "two"))


def test_a_remedy_has_a_name_and_is_carried_out() -> None:
    done: list[str] = []
    problem = Problem(Kind.BRANCH, ("a",), "two", remedies=(Remedy("merge", lambda: done.append("merged")),))
    assert problem.as_record()["remedies"] == ["merge"]
    problem.remedies[0].do()
    assert done == ["merged"]


def test_listeners_hear_each_problem_until_they_leave() -> None:
    problems, heard = Problems(), list[Problem]()
    leave = problems.listen(heard.append)
    problems.report(_ONE)
    leave()
    leave()
    problems.report(_ONE)
    assert heard == [_ONE]
    assert list(problems) == [_ONE, _ONE]


def test_only_the_latest_are_kept() -> None:
    problems = Problems(keep=3)
    for number in range(10):
        problems.report(Problem(Kind.RAISED, (), str(number)))
    assert [problem.what for problem in problems] == ["7", "8", "9"]
    problems.clear()
    assert len(problems) == 0


def test_an_error_in_a_listener_hides_nothing_from_the_others() -> None:
    problems, heard = Problems(), list[Problem]()

    def broken(problem: Problem) -> None:
        raise ValueError(problem.what)

    problems.listen(broken)
    problems.listen(heard.append)
    problems.report(_ONE)
    assert heard == [_ONE]


def test_a_report_from_another_thread_is_delivered_on_the_dispatcher_s() -> None:
    crank, problems, heard = HandCranked(), Problems(), list[int]()
    problems.deliver_through(crank.post)
    problems.listen(lambda _: heard.append(threading.get_ident()))
    thread = threading.Thread(target=problems.report, args=(_ONE,))
    thread.start()
    thread.join()
    assert heard == []
    crank.settle()
    assert heard == [threading.get_ident()]


def test_a_listener_with_at_once_is_called_while_the_dispatcher_is_stuck() -> None:
    crank, problems, heard = HandCranked(), Problems(), list[Problem]()
    problems.deliver_through(crank.post)
    leave = problems.listen(heard.append, at_once=True)
    thread = threading.Thread(target=problems.report, args=(_ONE,))
    thread.start()
    thread.join()
    assert heard == [_ONE], "nobody turned the crank"
    crank.settle()
    leave()
    problems.report(_ONE)
    assert heard == [_ONE], "it is called once, and not after it has left"
