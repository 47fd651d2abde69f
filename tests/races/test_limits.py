"""Limits and quotas hold whatever runs at the same time: as many succeed as there is room for, others are refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import pytest

from governance.domain.invites.invite import new_invite
from governance.ids import new_id
from governance.instants import now
from governance.limits import (
    GUEST_VOTES_PER_SLOT,
    MEMBERS_PER_BOARD,
    OPEN_ITEMS_PER_ASSIGNEE,
    SLOTS_PER_MEETING,
    TOKENS_PER_BOARD,
)
from governance.models.invites.invite import InviteCreate, StoredInvite
from governance.store.action_items.action_item_counts import _open_items
from governance.store.invites import invites
from governance.store.schema.entities import ACTIVE_BOARD_TOKENS, MEMBER_COUNT, OPEN_ITEM_COUNT, SLOT_GUEST_VOTE_COUNT
from governance.store.schema.keys import Key, make_item
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.harness.board_scenario import BoardScenario, new_board_scenario, person
from tests.harness.client import Client, Response
from tests.harness.counts import count, set_count
from tests.harness.meeting_scenario import from_now, new_meeting_scenario
from tests.harness.outbox import Outbox
from tests.harness.race import Call, Race

pytestmark = pytest.mark.slow
RACERS, ROOM, ROUNDS = 8, 3, 3


def call(client: Client, method: str, path: str, body: object = None) -> partial[Response]:
    return partial(client.call, method, path, body)


def check_succeeded(responses: Sequence[Response], room: int) -> int:
    """Asserts that as many requests succeeded as there was room for, and the others are 409; returns how many."""
    statuses = Counter(response.status for response in responses)
    succeeded = statuses[200] + statuses[201]
    assert succeeded == min(room, len(responses))
    assert succeeded + statuses[409] == len(responses)
    return succeeded


def check_filled(race: Race, calls: Sequence[Call], key: Key, limit: int) -> int:
    """Makes the calls while there is room for some of them; returns how many succeeded."""
    set_count(key, limit - ROOM)
    succeeded = check_succeeded(race.without_busy(race.run(*calls)), ROOM)
    assert count(key) == limit - ROOM + succeeded
    return succeeded


def test_a_board_has_no_member_too_many(race: Race) -> None:
    users = [person(f"user{number}") for number in range(RACERS)]
    for number in race.rounds(ROUNDS):
        scenario, accept = new_board_scenario(f"owner{number}"), []
        for user in users:
            body = {"inviteeEmail": user.email}
            invite = scenario.owner.client.post(f"/api/invite/{scenario.board_id}", body).json["inviteId"]
            accept.append(call(user.client, "PUT", f"/api/invite/accept/{invite}"))
        accepted = check_filled(race, accept, MEMBER_COUNT.key_for(boardId=scenario.board_id), MEMBERS_PER_BOARD)
        assert len(scenario.owner.client.all(f"{scenario.path}/members")) == 1 + accepted


@pytest.mark.parametrize("expired", [0, 2])
def test_a_board_has_no_active_token_too_many(scenario: BoardScenario, race: Race, *, expired: int) -> None:
    key, ended = ACTIVE_BOARD_TOKENS.key_for(boardId=scenario.board_id), now()
    stored = frozenset(f"{new_id()}#{ended if number < expired else ''}" for number in range(TOKENS_PER_BOARD - ROOM))
    mint = call(scenario.owner.client, "POST", f"{scenario.path}/tokens", {"name": "T", "expiresInDays": None})
    for _ in race.rounds(ROUNDS):
        transact([Put(make_item(key, {"active": stored}))])
        minted = check_succeeded(race.without_busy(race.run(*[mint] * RACERS)), ROOM + expired)
        active = (read_one(key) or {})["active"]
        assert len(active) <= TOKENS_PER_BOARD
        assert len(active - stored) == minted


def test_open_action_items_of_an_assignee_are_counted_again_before_one_is_too_many(
    scenario: BoardScenario, race: Race
) -> None:
    owner, path = scenario.owner, f"{new_meeting_scenario(scenario).path}/action-items"
    create = call(owner.client, "POST", path, {"title": "T", "assigneeUserId": owner.id})
    key = OPEN_ITEM_COUNT.key_for(boardId=scenario.board_id, userId=owner.id)
    created = 0
    for _ in race.rounds(ROUNDS):
        set_count(key, OPEN_ITEMS_PER_ASSIGNEE - ROOM)
        responses = race.without_busy(race.run(*[create] * RACERS))
        assert {response.status for response in responses} == {201}
        created += len(responses)
        assert count(key) >= created == _open_items(scenario.board_id, owner.id)


def test_a_meeting_has_no_slot_too_many(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    for number in range(SLOTS_PER_MEETING - 2):
        meeting.slot(from_now(days=1, minutes=number))
    for _ in race.rounds(ROUNDS):
        responses = race.run(
            *[partial(meeting.propose, None, from_now(days=9, minutes=minutes)) for minutes in range(4)]
        )
        check_succeeded(responses, 2)
        for response in responses:
            assert response.status == 409 or meeting.remove(response.data).status == 200


def test_a_slot_has_no_guests_vote_too_many(scenario: BoardScenario, race: Race) -> None:
    meeting = new_meeting_scenario(scenario)
    link = f"/api/v1/guest/{scenario.owner.client.post(f'{meeting.path}/guest-link').data['token']}"
    for number in race.rounds(ROUNDS):
        slot = meeting.slot(from_now(days=1, minutes=number))
        key = SLOT_GUEST_VOTE_COUNT.key_for(boardId=scenario.board_id, meetingId=slot["meetingId"], slotId=slot["id"])
        bodies = [{"email": f"g{number}.{place}@example.com", "vote": "ok"} for place in range(RACERS)]
        votes = [call(Client(), "PUT", f"{link}/slots/{slot['id']}/vote", body) for body in bodies]
        check_filled(race, votes, key, GUEST_VOTES_PER_SLOT)


def invite_to(scenario: BoardScenario, email: str) -> StoredInvite:
    body = InviteCreate.model_validate({"inviteeEmail": email})
    invite = new_invite(body, new_id(), scenario.board_id, scenario.owner.id, now())
    transact(invites.create(invite))
    return invite


def winners(*responses: Response) -> list[int]:
    """Returns the indexes of the responses with status 200, and asserts that none is a 5xx."""
    assert all(response.status < 500 for response in responses), [response.text for response in responses]
    return [index for index, response in enumerate(responses) if response.status == 200]


def test_eight_requests_to_send_one_invite_send_one_email(scenario: BoardScenario, race: Race, outbox: Outbox) -> None:
    for number in race.rounds(ROUNDS):
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


def test_a_refused_email_does_not_count_against_the_quota(scenario: BoardScenario, race: Race, outbox: Outbox) -> None:
    for number in race.rounds(ROUNDS, "throttled", "refused"):
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
