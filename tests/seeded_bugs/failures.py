"""Bugs in what happens when the store fails, or a request's time ends."""

from __future__ import annotations

from governance import deadline
from governance.mail import sender
from governance.store import failures, table
from tests.seeded_bugs.bug import Bug

BUGS = (
    Bug(
        "a defect of ours is called busy",
        failures.report,
        "return StoreDefectError(kind) if kind in _DEFECTS else unavailable()",
        "return unavailable()",
        "tests/http/test_faults.py::test_a_defect_of_ours_is_500_and_logged_as_a_crash",
    ),
    Bug(
        "a failure of the store leaves no line in the log",
        failures.report,
        '    telemetry.logger().error("store failure", operation=operation, kind=kind, codes=codes)\n',
        "",
        "tests/http/test_faults.py::test_a_throttled_store_is_503_and_no_crash",
    ),
    Bug(
        "a failure of the store is not counted",
        failures.report,
        "    telemetry.count(Metric.STORE_FAILURES, kind)\n",
        "",
        "tests/store/test_failures.py",
    ),
    Bug(
        "a full partition is called busy",
        failures.report,
        "    if kind is StoreFailure.FULL:\n",
        "    if False:\n",
        "tests/store/test_failures.py",
    ),
    Bug(
        "an attempt at the store begins after the deadline",  # _raw_call and the client check it: break what both call
        deadline.check,
        "if not has_time(seconds):",
        "if seconds < 0:",
        "tests/store/test_deadline.py::test_a_call_begins_only_while_it_can_end_in_time",
    ),
    Bug(
        "an e-mail is sent after the deadline",
        sender.send,
        "        deadline.check(deadline.MAIL_ATTEMPT_SECONDS)\n",
        "",
        "tests/store/test_deadline.py::test_an_e_mail_that_could_end_too_late_is_not_sent",
    ),
    Bug(
        "a request goes on with the deadline of the one before",
        deadline.begin,
        "_end.set(time.monotonic() + remaining() / 1000 - _ANSWER_SECONDS if callable(remaining) else None)",
        "if _end.get() is None or not callable(remaining):\n"
        "        _end.set(time.monotonic() + remaining() / 1000 - _ANSWER_SECONDS if callable(remaining) else None)",
        "tests/store/test_deadline.py::test_the_next_request_has_its_own_deadline",
    ),
    Bug(
        "calls in the background have no deadline",
        table.run_async,
        "return _pool.submit(partial(copy_context().run, call))",
        "return _pool.submit(call)",
        "tests/store/test_deadline.py::test_a_call_in_the_background_has_the_deadline_of_its_request",
    ),
)
