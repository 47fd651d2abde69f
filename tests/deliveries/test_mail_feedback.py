"""Mails that come back: who is told of them, how often, and that nobody's address is logged."""

from __future__ import annotations

from typing import Any

import pytest

from tests.deliveries.inboxes import inbox, published
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import leave
from tests.harness.outbox import Outbox
from tests.harness.stream import deliver
from tests.mail.reports import bounce, complaint, report, request_to


def told(who: Person) -> list[str]:
    """Returns the messages about the board, newest first."""
    return [entry["message"] for entry in inbox(who) if entry["type"] == "board_update"]


def invite(by: Person, scenario: BoardScenario, email: str, outbox: Outbox) -> dict[str, Any]:
    """Invites an address and sends the mail; returns the request to the mail service."""
    created = by.client.post(
        f"/api/invite/{scenario.board_id}", {"inviteeEmail": email, "boardPositions": ["observer"]}
    )
    assert created.status == 200, created.text
    sent = by.client.post(f"/api/invite/{created.json['inviteId']}/send-email")
    assert sent.status == 200, sent.text
    return outbox.requests[-1]


def mailed(who: Person, scenario: BoardScenario, outbox: Outbox) -> dict[str, Any]:
    """Publishes a report, so that members are mailed; returns the request about one of them."""
    deliver(published(scenario))
    return next(sent for sent in outbox.requests if sent["Destination"]["ToAddresses"] == [who.email])


def test_a_bounced_invitation_tells_its_inviter_unless_they_left(scenario: BoardScenario, outbox: Outbox) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    of_ben, of_cleo = (invite(user, scenario, f"nobody@{user.id}.example", outbox) for user in (ben, cleo))
    leave(scenario, cleo)
    assert report(bounce(of_ben), bounce(of_cleo)) == []
    address = f"nobody@{ben.id}.example"
    assert told(ben) == [f"The invite of {address} to the board “Board” came back: no mail can be delivered there."]
    assert told(scenario.owner) == told(cleo) == []


def test_a_bounced_mail_of_a_member_tells_the_owner_and_the_admins_and_further_mails_go_on(
    scenario: BoardScenario, outbox: Outbox
) -> None:
    ben, ada, cleo = scenario.member("ben"), scenario.member("ada", admin_role="admin"), scenario.member("cleo")
    assert report(bounce(mailed(ben, scenario, outbox))) == []
    expected = ["Ben Tester cannot be reached by e-mail: a mail about the board “Board” came back."]
    assert told(ada) == told(scenario.owner) == expected
    assert told(ben) == told(cleo) == []
    (entry,) = [entry for entry in inbox(ada) if entry["type"] == "board_update"]
    assert entry["triggeringUserId"]["_id"] == ben.id
    before = len(outbox.raw)
    deliver(published(scenario))
    assert ben.email in {str(mail["To"]) for mail in outbox.mails[before:]}


def test_an_admin_whose_own_mail_bounces_is_told_too(scenario: BoardScenario, outbox: Outbox) -> None:
    ada = scenario.member("ada", admin_role="admin")
    report(bounce(mailed(ada, scenario, outbox)))
    assert len(told(ada)) == len(told(scenario.owner)) == 1


def test_of_one_address_one_is_told_once_a_day_on_each_board(
    scenario: BoardScenario, outbox: Outbox, clock: Clock
) -> None:
    ben = scenario.member("ben")
    request = mailed(ben, scenario, outbox)
    for number in range(3):
        other = bounce(request)
        other["mail"]["messageId"] = f"mail-{number}"
        report(other, other)
    assert len(told(scenario.owner)) == 1
    clock.advance(hours=23, minutes=59)
    report(bounce(request))
    assert len(told(scenario.owner)) == 1
    clock.advance(hours=24, minutes=2)
    again = bounce(request)
    again["mail"]["messageId"] = "mail-later"
    report(again)
    assert len(told(scenario.owner)) == 2
    cleo = scenario.member("cleo")
    report(bounce(mailed(cleo, scenario, outbox)))
    assert len(told(scenario.owner)) == 3, "another address is told for itself"


def test_nobody_is_told_of_a_complaint_a_bounce_that_may_pass_or_a_mail_to_nobody_on_the_board(
    scenario: BoardScenario, outbox: Outbox
) -> None:
    """Also not of a former address, of one who left since, or of a mail that is about no board."""
    ben = scenario.member("ben")
    request = mailed(ben, scenario, outbox)
    former = {**request, "Destination": {"ToAddresses": ["former@example.com"]}}
    passing = bounce(request, bounceType="Transient")
    others = (bounce(former), bounce(request_to(scenario.owner.email)), "Successfully validated SNS topic.")
    assert report(complaint(request), passing, *others) == []
    leave(scenario, ben)
    assert report(bounce(request)) == []
    assert told(scenario.owner) == []


def test_a_report_that_cannot_be_read_stops_no_other(scenario: BoardScenario, outbox: Outbox) -> None:
    ben = scenario.member("ben")
    request = mailed(ben, scenario, outbox)
    assert report({"eventType": "Bounce"}, bounce(request)) == ["0"]
    assert len(told(scenario.owner)) == 1


def test_no_address_is_logged(scenario: BoardScenario, outbox: Outbox, capsys: pytest.CaptureFixture[str]) -> None:
    ben = scenario.member("ben")
    request = mailed(ben, scenario, outbox)
    broken = bounce(request)
    del broken["bounce"]["bounceType"]
    report(bounce(request), complaint(request), broken)
    written = "".join(capsys.readouterr())
    assert "report of the mail service failed" in written
    assert ben.email not in written
