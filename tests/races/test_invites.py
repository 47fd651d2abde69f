"""Races on invites: one pending invite, one final status, one membership, and no e-mail beyond the quota."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from governance.domain.invites.invite import new_invite
from governance.ids import new_id
from governance.instants import now
from governance.models.invite import InviteCreate, StoredInvite
from governance.store.boards import boards
from governance.store.invites import invites
from governance.store.schema.entities import INVITE, MEMBER, pending_invite_key
from governance.store.table import read_one
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario, Person, new_board_scenario, person
from tests.harness.client import Client, Response, session
from tests.harness.outbox import Outbox
from tests.harness.race import Race

pytestmark = pytest.mark.slow
ROUNDS = 30
BOARD_ROUNDS = 20


def rounds(race: Race, count: int, *outcomes: Any) -> Iterator[tuple[int, BoardScenario]]:
    """Yields the rounds, each with a board. Boards are replaced from time to time because invites are limited."""
    for number in race.rounds(count, *outcomes):
        if number % BOARD_ROUNDS == 0:
            scenario = new_board_scenario(f"owner{number}")
        yield number, scenario


def invite_to(scenario: BoardScenario, email: str) -> StoredInvite:
    """Writes a pending invite to the store."""
    body = InviteCreate.model_validate({"inviteeEmail": email})
    invite = new_invite(body, new_id(), scenario.board_id, scenario.owner.id, now())
    transact(invites.create(invite))
    return invite


def final_status(invite: StoredInvite) -> str | None:
    """Returns the invite's final status, or None while it is pending."""
    item = read_one(INVITE.key_for(boardId=invite.board_id, inviteId=invite.id))
    open_item = read_one(pending_invite_key(invite.board_id, invite.invitee_email))
    assert (item is None) != (open_item is None)
    return str(item["status"]) if item else None


def is_member(scenario: BoardScenario, user: Person) -> bool:
    return read_one(MEMBER.key_for(boardId=scenario.board_id, userId=user.id)) is not None


def users_with_one_email(number: int) -> tuple[Person, Person]:
    """Creates two users with the same e-mail address."""
    ann = person(f"ann{number}")
    twin = Client(session(ann.email, f"twin{number}"))
    return ann, Person(twin.get("/api/v1/me").data["id"], ann.email, twin)


def winners(*responses: Response) -> list[int]:
    """Returns the indexes of the responses with status 200, and asserts that none is a 5xx."""
    assert all(response.status < 500 for response in responses), [response.text for response in responses]
    return [index for index, response in enumerate(responses) if response.status == 200]


def test_eight_requests_to_invite_one_address_create_one_invite(race: Race) -> None:
    for number, scenario in rounds(race, ROUNDS):
        if number % BOARD_ROUNDS == 0:
            people = [scenario.owner, *(scenario.member(f"m{number}-{i}") for i in range(3))]
        email = f"p{number}@example.com"
        calls = [
            partial(user.client.post, f"/api/invite/{scenario.board_id}", {"inviteeEmail": spelling})
            for user in people
            for spelling in (email, email.upper())
        ]
        responses = race.run(*calls)
        assert len(winners(*responses)) == 8
        assert [response.json["deduped"] for response in responses].count(False) == 1
        (invite_id,) = {response.json["inviteId"] for response in responses}
        item = read_one(pending_invite_key(scenario.board_id, email))
        assert item is not None
        assert item["id"] == invite_id
        assert sorted([item["inviterId"], *item["alsoInvitedBy"]]) == sorted(user.id for user in people)


def test_accept_decline_and_retract_close_an_invite_once(race: Race) -> None:
    ann = person("ann")
    for _, scenario in rounds(race, ROUNDS, "accept", "decline", "retract"):
        invite = invite_to(scenario, ann.email)
        verbs = ["accept", "decline", "retract"] * 3
        calls = [
            partial((scenario.owner if verb == "retract" else ann).client.put, f"/api/invite/{verb}/{invite.id}")
            for verb in verbs[:8]
        ]
        (winner,) = winners(*race.run(*calls))
        statuses = {"accept": "accepted", "decline": "declined", "retract": "retracted"}
        assert final_status(invite) == statuses[verbs[winner]]
        assert is_member(scenario, ann) == (verbs[winner] == "accept")
        race.saw(verbs[winner])
        if verbs[winner] == "accept":
            leave(scenario, ann)


def leave(scenario: BoardScenario, user: Person) -> None:
    (found,) = [member for member in boards.members(scenario.board_id) if member.user_id == user.id]
    transact(boards.remove_member(found))


def test_accept_and_join_create_one_membership(race: Race) -> None:
    ann, twin = users_with_one_email(0)
    for number, scenario in rounds(race, ROUNDS, "accept", "join"):
        if number % BOARD_ROUNDS == 0:
            code = scenario.owner.client.get(f"/api/invite/{scenario.board_id}/code").json["inviteCode"]
        invite = invite_to(scenario, ann.email)
        paths = {"accept": f"/api/invite/accept/{invite.id}", "join": f"/api/invite/join/{code}"}
        people, verbs = [ann, twin] * 4, ["accept", "accept", "join", "join"] * 2
        calls = [partial(user.client.put, paths[verb]) for user, verb in zip(people, verbs, strict=True)]
        responses = race.run(*calls)
        (winner,) = winners(*responses)
        assert {response.status for response in responses} <= {200, 403, 404}
        assert final_status(invite) == "accepted"
        assert [is_member(scenario, user) for user in (ann, twin)] == [people[winner] == user for user in (ann, twin)]
        race.saw(verbs[winner])
        leave(scenario, people[winner])


def test_eight_requests_to_send_one_invite_send_one_email(race: Race, outbox: Outbox) -> None:
    for number, scenario in rounds(race, ROUNDS):
        invite = invite_to(scenario, f"p{number}@example.com")
        send = partial(scenario.owner.client.post, f"/api/invite/{invite.id}/send-email")
        responses = race.run(*[send] * 8)
        assert len(winners(*responses)) == 8
        reasons = [response.json.get("throttleReason") for response in responses]
        assert Counter(reasons) == {None: 1, "per-invite": 7}
        assert len(outbox.raw) == number + 1


def test_eight_boards_send_one_recipient_five_emails(race: Race, outbox: Outbox) -> None:
    worlds = [new_board_scenario(f"owner{number}") for number in range(8)]
    for number in race.rounds(ROUNDS):
        email = f"p{number}@example.com"
        made = [invite_to(scenario, email) for scenario in worlds]
        sends = [
            partial(scenario.owner.client.post, f"/api/invite/{invite.id}/send-email")
            for scenario, invite in zip(worlds, made, strict=True)
        ]
        responses = race.run(*sends)
        assert len(winners(*responses)) == 8
        reasons = [response.json.get("throttleReason") for response in responses]
        assert Counter(reasons) == {None: 5, "global-recipient": 3}
        assert len(outbox.raw) == 5 * (number + 1)


def test_a_refused_email_does_not_count_against_the_quota(
    race: Race,
    outbox: Outbox,
) -> None:
    for number, scenario in rounds(race, BOARD_ROUNDS, "throttled", "refused"):
        invite = invite_to(scenario, f"p{number}@example.com")
        send = partial(scenario.owner.client.post, f"/api/invite/{invite.id}/send-email")
        outbox.failure = "MessageRejected"
        responses = race.run(*[send] * 8)
        for response in responses:
            race.saw("refused" if response.status == 503 else "throttled")
            assert response.status == 503 or response.json["throttled"]
        outbox.failure = None
        assert [send().json["throttled"], send().json["throttled"]] == [False, True]
        assert len(outbox.raw) == number + 1
