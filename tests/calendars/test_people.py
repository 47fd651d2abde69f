"""Calendar invitations of people without an account, and their answers by mail (ADR people)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.ids import membership_id
from governance.mail.received import Refusal
from governance.models.history.event import Event
from tests.calendars.calendar_invitation_mails import calendar_of, schedule, settle
from tests.calendars.mails import create_mailed_comments, deliver, itip, mail, moved, reply
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.clock import Clock
from tests.harness.history import event_items
from tests.harness.meeting_scenario import MeetingScenario, from_now, stored_events
from tests.harness.merge_scenario import rows_naming
from tests.harness.outbox import Outbox, text_of
from tests.harness.people import act, add, people

pytestmark = pytest.mark.usefixtures("bucket")
ANNA = "anna@example.com"


class Invitee:
    """Anna, who has no account and is invited to a meeting."""

    def __init__(self, scenario: BoardScenario, outbox: Outbox) -> None:
        self.scenario, self.outbox = scenario, outbox
        self.person = add(scenario, lastName="Berg", email=ANNA)
        self.meeting: MeetingScenario = schedule(scenario)
        self.refresh()

    def refresh(self) -> None:
        settle(self.scenario)
        last = self.outbox.last
        assert last["To"] == ANNA
        (self.event,) = calendar_of(last).walk("VEVENT")
        self.address = str(last["Reply-To"])

    def answer(self, status: str, sender: str = ANNA, **properties: str) -> str | None:
        return deliver(mail(sender, self.address, reply(self.event, status, sender, **properties)))[0]

    @property
    def rsvps(self) -> list[dict[str, Any]]:
        rsvps: list[dict[str, Any]] = self.scenario.owner.client.get(f"{self.meeting.path}/unregistered-rsvps").data
        return rsvps


@pytest.fixture
def invitee(scenario: BoardScenario, outbox: Outbox) -> Invitee:
    return Invitee(scenario, outbox)


def test_an_invitation_leads_to_the_personal_page_and_no_settings(invitee: Invitee) -> None:
    text = text_of(invitee.outbox.last)
    assert "/guest/" in text
    assert "/app/account" not in text
    assert "/guest/" in str(invitee.event["url"])
    assert invitee.rsvps == [
        {
            "object": "unregistered_rsvp",
            "meetingId": invitee.meeting.path.rpartition("/")[2],
            "unregisteredUserId": invitee.person["id"],
            "status": "noAnswer",
            "comment": None,
            "updatedAt": None,
        }
    ]


def test_a_reply_is_the_persons_answer_and_is_told_once_with_their_current_name(invitee: Invitee) -> None:
    assert invitee.answer("TENTATIVE") is None
    assert invitee.answer("TENTATIVE", COMMENT="By train") is None
    (rsvp,) = invitee.rsvps
    assert (rsvp["status"], rsvp["comment"]) == ("tentative", "By train")
    kinds = [item["type"] for item in event_items(invitee.scenario.board_id)]
    assert kinds.count("unregistered_rsvp.changed") == 1
    settle(invitee.scenario)

    def told() -> list[str]:
        rows = invitee.scenario.owner.client.get("/api/notification/").json
        return [row["message"] for row in rows if row["type"] == "meeting_rsvp_changed"]

    (message,) = told()
    assert message.startswith("Anna Berg ")
    act(invitee.scenario, invitee.person["id"], "scrub")
    settle(invitee.scenario)
    (message,) = told()
    assert message.startswith("Former participant ")
    assert invitee.rsvps == [], "only active people are listed"


def test_only_the_person_answers_and_moves_nothing(invitee: Invitee) -> None:
    assert invitee.answer("ACCEPTED", sender="eve@example.com") == Refusal.UNKNOWN_ADDRESS
    request = mail(ANNA, invitee.address, itip("REQUEST", invitee.event, *moved(), SEQUENCE="9"))
    assert deliver(request) == [Refusal.NOT_ALLOWED]
    assert [rsvp["status"] for rsvp in invitee.rsvps] == ["noAnswer"]


@pytest.mark.parametrize("ended", ["archive", "finalized", "outdated", "restricted"])
def test_an_answer_that_does_not_count_is_set_aside(invitee: Invitee, ended: str) -> None:
    if ended == "archive":
        act(invitee.scenario, invitee.person["id"], "archive")
    elif ended == "finalized":
        invitee.meeting.finalize()
    elif ended == "restricted":
        invitee.scenario.set_billing_state("CANCELLED")
    else:
        invitee.meeting.patch(startTime=from_now(days=9))
        settle(invitee.scenario)
    assert invitee.answer("ACCEPTED") is not None


def merge_into(invitee: Invitee, member: Person) -> None:
    body = {"memberId": membership_id(invitee.scenario.board_id, member.id)}
    merged = invitee.scenario.owner.client.post(f"{people(invitee.scenario)}/{invitee.person['id']}/merge", body)
    assert merged.status == 200, merged.text


@pytest.mark.parametrize("then", ["joined", "archived", "merged", "merged after an invitation of their own"])
def test_who_has_joined_meanwhile_answers_the_earlier_invitation_as_the_member(invitee: Invitee, then: str) -> None:
    anna = invitee.scenario.member("anna")
    if then == "merged after an invitation of their own":
        invitee.meeting.patch(startTime=from_now(days=9))
        settle(invitee.scenario)
        (invitee.event,) = calendar_of(invitee.outbox.last).walk("VEVENT")
        assert str(invitee.outbox.last["Reply-To"]) != invitee.address
    if then == "archived":
        act(invitee.scenario, invitee.person["id"], "archive")
    elif then != "joined":
        merge_into(invitee, anna)
    assert invitee.answer("ACCEPTED", COMMENT="By train") is None
    assert answer_of(invitee, anna) == ("accepted", "By train")
    (event,) = stored_events(invitee.scenario, Event.RSVP_CHANGED)
    assert event.actor_user_id == anna.id
    assert [rsvp["status"] for rsvp in invitee.rsvps] in ([], ["noAnswer"])


def answer_of(invitee: Invitee, member: Person) -> tuple[str, str | None]:
    entries = invitee.scenario.owner.client.get(f"{invitee.meeting.path}/rsvps").data
    (entry,) = [entry for entry in entries if entry["userId"] == member.id]
    return entry["status"], entry["comment"]


def test_who_has_joined_meanwhile_moves_nothing_by_the_earlier_invitation(invitee: Invitee) -> None:
    invitee.scenario.member("anna")
    request = mail(ANNA, invitee.address, itip("REQUEST", invitee.event, *moved(), SEQUENCE="9"))
    assert deliver(request) == [Refusal.NOT_ALLOWED]


def test_a_proposed_time_is_an_answer_alone_unless_the_person_has_joined(invitee: Invitee) -> None:
    times = ("DTSTART:20990301T090000Z", f"ATTENDEE:mailto:{ANNA}", "COMMENT:Later")
    counter = mail(ANNA, invitee.address, itip("COUNTER", invitee.event, *times))
    assert deliver(counter) == [None]
    assert [(rsvp["status"], rsvp["comment"]) for rsvp in invitee.rsvps] == [("tentative", "Later")]
    path = f"{invitee.meeting.path}/comments"
    create_mailed_comments()
    assert invitee.scenario.owner.client.get(path).data == []
    anna = invitee.scenario.member("anna")
    assert deliver(mail(ANNA, invitee.address, itip("COUNTER", invitee.event, *times))) == [None]
    create_mailed_comments()
    (comment,) = invitee.scenario.owner.client.get(path).data
    assert comment["authorUserId"] == anna.id


def test_an_invitation_before_joining_is_outdated_once_the_member_was_invited_to_another_time(invitee: Invitee) -> None:
    anna = invitee.scenario.member("anna")
    invitee.meeting.patch(startTime=from_now(days=9))
    settle(invitee.scenario)
    assert invitee.outbox.last["To"] == ANNA
    assert invitee.answer("ACCEPTED") == Refusal.OUTDATED
    assert answer_of(invitee, anna) == ("noAnswer", None)


def test_after_a_merge_the_invitation_is_the_members_and_a_change_goes_to_the_same_reply_address(
    invitee: Invitee,
) -> None:
    anna = invitee.scenario.member("anna")
    merge_into(invitee, anna)
    assert rows_naming(invitee.person["id"]) == []
    before = invitee.address
    invitee.meeting.patch(startTime=from_now(days=9))
    invitee.refresh()
    assert invitee.address == before
    assert invitee.answer("DECLINED") is None
    assert answer_of(invitee, anna) == ("declined", None)


def test_an_address_that_is_not_the_members_answers_nothing_after_a_merge(invitee: Invitee) -> None:
    ben = invitee.scenario.member("ben")
    merge_into(invitee, ben)
    assert invitee.answer("ACCEPTED") == Refusal.UNKNOWN_ADDRESS
    assert invitee.answer("ACCEPTED", sender=ben.email) == Refusal.UNKNOWN_ADDRESS
    assert answer_of(invitee, ben) == ("noAnswer", None)


def test_who_wants_no_more_mails_may_still_answer_the_last_one(invitee: Invitee) -> None:
    path = f"{people(invitee.scenario)}/{invitee.person['id']}"
    assert invitee.scenario.owner.client.patch(path, {"receivesMail": False}).status == 200
    assert invitee.answer("ACCEPTED") is None
    assert invitee.rsvps[0]["status"] == "accepted"
    before = len(invitee.outbox.mails)
    invitee.meeting.patch(startTime=from_now(days=9))
    settle(invitee.scenario)
    assert len(invitee.outbox.mails) == before


def test_a_change_and_a_deletion_are_mailed_and_who_comes_later_is_invited_with_the_next_change(
    invitee: Invitee,
) -> None:
    late = add(invitee.scenario, firstName="Late", email="late@example.com")
    assert [rsvp["unregisteredUserId"] for rsvp in invitee.rsvps] == [invitee.person["id"]]
    invitee.meeting.patch(startTime=from_now(days=9))
    settle(invitee.scenario)
    assert {rsvp["unregisteredUserId"] for rsvp in invitee.rsvps} == {invitee.person["id"], late["id"]}
    assert invitee.scenario.owner.client.delete(invitee.meeting.path).status == 200
    settle(invitee.scenario)
    methods = [(str(mail["To"]), str(calendar_of(mail)["method"])) for mail in invitee.outbox.mails]
    assert methods.count((ANNA, "CANCEL")) == methods.count(("late@example.com", "CANCEL")) == 1


def test_answers_are_paged_by_when_the_people_were_added(invitee: Invitee) -> None:
    for name in ("Bert", "Carl"):
        add(invitee.scenario, firstName=name, email=f"{name.lower()}@example.com")
    invitee.meeting.patch(startTime=from_now(days=9))
    settle(invitee.scenario)
    path = f"{invitee.meeting.path}/unregistered-rsvps"
    whole = [rsvp["unregisteredUserId"] for rsvp in invitee.rsvps]
    assert len(whole) == 3
    paged = [rsvp["unregisteredUserId"] for rsvp in invitee.scenario.owner.client.all(path, limit=1)]
    backwards = [rsvp["unregisteredUserId"] for rsvp in invitee.scenario.owner.client.all(path, limit=2, order="desc")]
    assert paged == whole == backwards[::-1]


def choose(invitee: Invitee, *person_ids: str) -> None:
    body = {"unregisteredUserIds": list(person_ids)}
    chosen = invitee.scenario.owner.client.put(f"{invitee.meeting.path}/people", body)
    assert chosen.status == 200, chosen.text
    settle(invitee.scenario)


def sent_to(invitee: Invitee, address: str) -> list[tuple[str, int]]:
    """Returns the method and the sequence of each calendar that was mailed to an address."""
    mailed = [calendar_of(mail) for mail in invitee.outbox.mails if mail["To"] == address]
    return [(str(each["method"]), int(str(each.walk("VEVENT")[0]["sequence"]))) for each in mailed]


def test_who_is_taken_out_gets_a_cancellation_and_who_is_put_in_an_invitation(invitee: Invitee) -> None:
    bela = add(invitee.scenario, firstName="Bela", email="bela@example.com")
    choose(invitee, bela["id"])
    assert [method for method, _ in sent_to(invitee, ANNA)] == ["REQUEST", "CANCEL"]
    assert [method for method, _ in sent_to(invitee, "bela@example.com")] == ["REQUEST"]
    assert [rsvp["unregisteredUserId"] for rsvp in invitee.rsvps] == [bela["id"]]
    before = len(invitee.outbox.mails)
    choose(invitee, bela["id"])
    assert len(invitee.outbox.mails) == before, "the same again is told to nobody"
    invitee.meeting.patch(startTime=from_now(days=9))
    settle(invitee.scenario)
    assert len(sent_to(invitee, ANNA)) == 2, "who is not invited hears no more of it"
    choose(invitee, bela["id"], invitee.person["id"])
    methods, sequences = zip(*sent_to(invitee, ANNA), strict=True)
    assert methods == ("REQUEST", "CANCEL", "REQUEST")
    assert [*sequences] == sorted({*sequences}), "each mail is newer to a calendar than the one before"


def test_who_is_taken_out_answers_no_more_and_their_answer_stays(invitee: Invitee) -> None:
    assert invitee.answer("ACCEPTED") is None
    choose(invitee)
    assert invitee.answer("DECLINED") == Refusal.NOT_ALLOWED
    assert [rsvp["status"] for rsvp in invitee.rsvps] == ["accepted"]


def test_a_meeting_that_has_begun_is_cancelled_in_no_calendar(invitee: Invitee, clock: Clock) -> None:
    clock.move(4 * 86_400)
    choose(invitee)
    assert [method for method, _ in sent_to(invitee, ANNA)] == ["REQUEST"]


def test_who_was_taken_out_gets_one_cancellation_of_a_meeting_that_is_deleted_then(invitee: Invitee) -> None:
    choose(invitee)
    assert invitee.scenario.owner.client.delete(invitee.meeting.path).status == 200
    settle(invitee.scenario)
    assert [method for method, _ in sent_to(invitee, ANNA)] == ["REQUEST", "CANCEL"]


def test_a_draft_tells_nobody_of_a_choice(invitee: Invitee) -> None:
    assert invitee.meeting.patch(status="draft").status == 200
    settle(invitee.scenario)
    before = len(invitee.outbox.mails)
    bela = add(invitee.scenario, firstName="Bela", email="bela@example.com")
    choose(invitee, bela["id"])
    assert len(invitee.outbox.mails) == before
    assert invitee.meeting.patch(status="scheduled").status == 200
    settle(invitee.scenario)
    assert [method for method, _ in sent_to(invitee, "bela@example.com")] == ["REQUEST"]
    assert [method for method, _ in sent_to(invitee, ANNA)] == ["REQUEST", "CANCEL"]
