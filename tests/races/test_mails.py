"""Requests at once that send e-mails: none beyond the quotas, and none is withheld because another was refused."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from governance.domain.invites.invite import new_invite
from governance.ids import new_id
from governance.instants import now
from governance.models.invite import InviteCreate, StoredInvite
from governance.store.invites import invites
from governance.store.transactions import transact
from tests.harness.board_scenario import BoardScenario, new_board_scenario
from tests.harness.client import Response
from tests.harness.outbox import Outbox
from tests.harness.race import Race

pytestmark = pytest.mark.slow
ROUNDS = 5


def invite_to(scenario: BoardScenario, email: str) -> StoredInvite:
    """Writes a pending invite to the store."""
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
