"""What a board's invites offer: `GET /boards/:b/sent-invites`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.functions.invites.conftest import InviteScenario, send_email
from tests.harness.board_scenario import Person, person
from tests.harness.outbox import Outbox


def _path(invites: InviteScenario) -> str:
    return f"{invites.board.path}/sent-invites"


def _offered(invites: InviteScenario, **query: Any) -> list[dict[str, Any]]:
    return list(invites.owner.client.all(_path(invites), **query))


def _offer_of(invites: InviteScenario, invite: str) -> tuple[str, list[str]]:
    (offer,) = [offered for offered in _offered(invites) if offered["inviteId"] == invite]
    return offer["accessType"], offer["boardPositions"]


def test_an_invite_is_listed_with_what_it_offers(invites: InviteScenario) -> None:
    invite = invites.invite("Ann@Example.com", accessType="manager", boardPositions=["cfo", "observer"])
    (offered,) = invites.owner.client.get(_path(invites)).data
    assert offered == {
        "object": "sent_invite",
        "inviteId": invite,
        "inviteeEmail": "ann@example.com",
        "accessType": "manager",
        "boardPositions": ["cfo", "observer"],
        "status": "pending",
        "inviterId": invites.owner.id,
        "lastSentAt": None,
        "createdAt": invites.listed()[0]["createdAt"],
    }


def test_the_last_mail_is_the_one_that_was_sent(invites: InviteScenario, outbox: Outbox) -> None:
    mailed, other = invites.invite(), invites.invite("bob@example.com")
    sent_at = send_email(invites, mailed).json["lastSentAt"]
    throttled = send_email(invites, mailed).json
    assert (throttled["throttled"], len(outbox.raw)) == (True, 1)
    assert [(offered["inviteId"], offered["lastSentAt"]) for offered in _offered(invites)] == [
        (other, None),
        (mailed, sent_at),
    ]


def test_a_status_lists_the_invites_that_have_it_now(invites: InviteScenario, ann: Person) -> None:
    accepted = invites.invite(ann.email)
    retracted, declined, pending = (invites.invite(f"{name}@example.com") for name in ("bob", "cleo", "dan"))
    assert ann.client.put(f"/api/invite/accept/{accepted}").status == 200
    assert invites.owner.client.put(f"/api/invite/retract/{retracted}").status == 200
    assert person("cleo").client.put(f"/api/invite/decline/{declined}").status == 200
    by_status = {"pending": pending, "accepted": accepted, "declined": declined, "retracted": retracted}
    for status, invite in by_status.items():
        assert [(shown["inviteId"], shown["status"]) for shown in _offered(invites, status=status, limit=1)] == [
            (invite, status)
        ]
    in_order = [shown["inviteId"] for shown in _offered(invites, order="asc", limit=1)]
    assert in_order == [accepted, retracted, declined, pending]


@pytest.mark.parametrize("way", ["accept", "join"])
@pytest.mark.parametrize("access", ["guest", "manager"])
def test_the_new_member_has_what_the_list_says(invites: InviteScenario, ann: Person, way: str, access: str) -> None:
    invite = invites.invite(ann.email, accessType=access, boardPositions=["cfo"])
    offer = _offer_of(invites, invite)
    assert ann.client.put(f"/api/invite/{way}/{invite if way == 'accept' else invites.code()}").status == 200
    member = invites.member(ann)
    assert member is not None
    assert (member["accessType"], member["boardPositions"]) == offer == (access, ["cfo"])
