"""Races of answers to a meeting, each run many times."""

from __future__ import annotations

from functools import partial

import pytest

from governance.calendars.writer import uid
from governance.instants import now
from governance.mail.received import MailRefused, Refusal
from governance.models.event import Event
from governance.store.schema.keys import make_item
from governance.store.schema.lookups import reply_address_key
from governance.store.transactions import transact
from governance.store.writes import Put
from governance.usecases.calendars.calendar_replies import take
from tests.calendar.mails import mail, reply
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.meeting_scenario import MeetingScenario, new_meeting_scenario, stored_events
from tests.harness.race import Race

pytestmark = pytest.mark.slow
ROUNDS = 30


def test_two_answers_at_once_are_one_after_the_other(scenario: BoardScenario, race: Race) -> None:
    """Each event begins where the one before it ended, whichever of two answers came first."""
    ben = scenario.member("ben")
    meeting = new_meeting_scenario(scenario)
    path = f"{meeting.path}/rsvp"
    for _ in race.rounds(ROUNDS, "accepted", "declined", "noAnswer"):
        calls = [partial(ben.client.put, path, {"status": status}) for status in ("accepted", "declined")]
        responses = race.run(*calls, partial(ben.client.delete, path))
        assert [response.status for response in responses] == [200] * 3
        race.saw(shown_status(scenario, ben, meeting))
    assert_one_after_the_other(scenario, ben, meeting)


def test_two_answers_by_mail_at_once_are_one_after_the_other(scenario: BoardScenario, race: Race) -> None:
    """So are mails and requests; a mail that is outdated by then is set aside."""
    ben = scenario.member("ben")
    meeting = new_meeting_scenario(scenario)
    meeting_id, token = meeting.path.rpartition("/")[2], "a" * 32
    address = {"userId": ben.id, "boardId": scenario.board_id, "meetingId": meeting_id}
    transact([Put(make_item(reply_address_key(token), address))])
    event = {"uid": uid(meeting_id), "sequence": 0, "organizer": "mailto:x@example.com"}

    def answer(status: str) -> Refusal | None:
        try:
            take(mail(ben.email, f"meetings+{token}@x.org", reply(event, status, ben.email)), now())
        except MailRefused as refused:
            return refused.reason
        return None

    taken = 0
    for _ in race.rounds(ROUNDS, "accepted", "declined", "tentative"):
        calls = [partial(answer, status) for status in ("ACCEPTED", "DECLINED", "TENTATIVE")]
        *mailed, response = race.run(*calls, partial(ben.client.delete, f"{meeting.path}/rsvp"))
        assert set(mailed) <= {None, Refusal.OUTDATED}
        assert response.status == 200
        taken += mailed.count(None)
        if (shown := shown_status(scenario, ben, meeting)) != "noAnswer":  # a withdrawal is seldom last of four
            race.saw(shown)
    assert taken > ROUNDS
    assert_one_after_the_other(scenario, ben, meeting)


def shown_status(scenario: BoardScenario, ben: Person, meeting: MeetingScenario) -> str:
    rsvps = scenario.owner.client.get(f"{meeting.path}/rsvps").data
    (status,) = [rsvp["status"] for rsvp in rsvps if rsvp["userId"] == ben.id]
    return str(status)


def assert_one_after_the_other(scenario: BoardScenario, ben: Person, meeting: MeetingScenario) -> None:
    """Asserts that the events of a member's answers are a way from one to the next, up to the answer that is shown."""
    shown = shown_status(scenario, ben, meeting)
    changes = [event.details for event in stored_events(scenario, Event.RSVP_CHANGED)]
    ends, starts = [change["to"] for change in changes], [change["from"] for change in changes]
    assert all(change["from"] != change["to"] for change in changes)
    for status in ("accepted", "declined", "tentative", "noAnswer"):
        left_over = ends.count(status) - starts.count(status) + (status == "noAnswer")
        assert left_over == (status == shown)
