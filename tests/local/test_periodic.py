"""What is done again and again goes on, whatever one time of it raises."""

import threading

from infra.local.periodic import Periodic


def test_a_call_that_fails_is_followed_by_the_next() -> None:
    calls: list[int] = []
    went_on = threading.Event()

    def act() -> None:
        calls.append(len(calls))
        if len(calls) == 1:
            raise OSError("No space left on device")
        went_on.set()

    periodic = Periodic("clock", 0.001, act)
    periodic.start()
    assert went_on.wait(60)
    periodic.stop()
