"""A fault or crash at every call for a received mail: the event is tried again, and the mail is acted on once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from governance.errors import ApiError, Code
from governance.mail import inbox
from governance.mail.received import Refusal
from tests.calendars.invited import Invited
from tests.calendars.mails import handle, itip, mail, moved, reply, store
from tests.faults.interrupted import Interrupted
from tests.harness.bucket import keys

pytestmark = pytest.mark.usefixtures("bucket")

MESSAGES: dict[str, Callable[[Invited], str]] = {
    "reply": lambda i: reply(i.event, "ACCEPTED", i.ben.email),
    "move": lambda i: itip("REQUEST", i.event, *moved(), SEQUENCE="1"),
    "cancellation": lambda i: itip("CANCEL", i.event, SEQUENCE="1"),
}


class Reception(Interrupted[dict[str, str] | ApiError]):
    """One mail that is handed to the function again and again on the same table."""

    def __init__(self, invited: Invited, calendar: str) -> None:
        self._mail = mail(invited.ben.email, invited.address, calendar)
        super().__init__(self.receive)
        assert self.result == {}

    def receive(self) -> dict[str, str] | ApiError:
        """Puts the mail into the bucket, which has it no more once it was handled, and hands it to the function."""
        self.event = store(self._mail)
        try:
            return handle(self.event)
        except ApiError as error:
            return error

    def complete(self, where: str) -> None:
        """Hands the mail over again and then once more, and asserts that it was acted on once, now or before."""
        done = self.before.changes()
        assert done in ({}, self.changes), f"{where} wrote only a part"
        refused = set(handle(self.event).values())
        again = self.receive()
        assert not isinstance(again, ApiError)
        assert refused | set(again.values()) <= {Refusal.OUTDATED.value}, where
        assert self.before.changes() == self.changes, f"{where}, then tried again, wrote something else"


@pytest.fixture(params=MESSAGES)
def reception(request: pytest.FixtureRequest, invited: Invited) -> Reception:
    return Reception(invited, MESSAGES[request.param](invited))


def test_a_mail_that_met_a_fault_or_a_death_is_completed_by_the_next_try(reception: Reception) -> None:
    for where, result in reception.faults():
        assert isinstance(result, ApiError), where
        assert result.code is Code.SERVICE_UNAVAILABLE, where
        reception.complete(where)
    for _, where in reception.deaths():
        reception.complete(where)


@contextmanager
def unreachable(operation: str) -> Iterator[None]:
    """Lets an operation on the first mail of an event fail."""

    def fail(params: dict[str, Any], **_: Any) -> None:
        if params["url_path"].endswith("/0"):
            raise EndpointConnectionError(endpoint_url="https://s3.test")

    events = inbox.client().meta.events
    events.register_first(f"before-call.s3.{operation}", fail)
    try:
        yield
    finally:
        events.unregister(f"before-call.s3.{operation}", fail)


@pytest.mark.parametrize("operation", ["GetObject", "PutObject"])
def test_a_bucket_that_fails_at_one_mail_stops_no_other(operation: str, invited: Invited, bucket: Any) -> None:
    good = mail(invited.ben.email, invited.address, reply(invited.event, "ACCEPTED", invited.ben.email))
    event = store(mail("eve@evil.org", invited.address, None), good)
    with unreachable(operation), pytest.raises(ApiError, match="SERVICE_UNAVAILABLE"):
        handle(event)
    assert invited.rsvp[0] == "accepted"
    assert mails_in(bucket) == {"received/0"}
    assert set(handle(event).values()) == {Refusal.NO_CALENDAR.value}
    assert mails_in(bucket) == {"refused/0"}


def test_a_mail_that_cannot_be_deleted_was_handled_all_the_same(invited: Invited, bucket: Any) -> None:
    bad = mail("eve@evil.org", invited.address, None)
    good = mail(invited.ben.email, invited.address, reply(invited.event, "ACCEPTED", invited.ben.email))
    event = store(good, bad)
    with unreachable("DeleteObject"):
        assert handle(event) == {"received/1": Refusal.NO_CALENDAR.value}
    assert invited.rsvp[0] == "accepted"
    assert mails_in(bucket) == {"received/0", "refused/1"}


def mails_in(bucket: Any) -> set[str]:
    """Returns the keys of the mails, and of the notes on those that were set aside."""
    return {key for key in keys(bucket) if key.startswith(("received/", "refused/"))}
