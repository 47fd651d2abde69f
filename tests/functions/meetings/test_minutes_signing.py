"""Signers of a board sign its approved minutes: an act in the log, soon after signing in (ADR minutes)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from governance.domain.access.visibility import event_visibility
from governance.store.history import leaves
from governance.store.history.leaves import Mark
from governance.store.schema.history import event_key
from tests.functions.meetings.test_minutes_approval import approve, circulated, held, id_of, reason
from tests.harness.board_scenario import BoardScenario
from tests.harness.client import Client, Response, session
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import MeetingScenario, stored_events

SPRING, SUMMER = "2030-03-05T09:00:00.000Z", "2030-06-04T09:00:00.000Z"


@pytest.fixture
def spring(scenario: BoardScenario) -> MeetingScenario:
    """Returns a meeting whose minutes are approved."""
    meeting = circulated(scenario, SPRING)
    assert approve(meeting, held(scenario, SUMMER, "in_progress")).status == 200
    return meeting


def put_signers(scenario: BoardScenario, *user_ids: str, client: Client | None = None) -> Response:
    body = {"signers": [{"userId": user_id, "role": f"Role {at}"} for at, user_id in enumerate(user_ids)]}
    return (client or scenario.owner.client).put(f"{scenario.path}/minutes-signers", body)


def sign(meeting: MeetingScenario, client: Client | None = None) -> Response:
    return (client or meeting.board.owner.client).post(f"{meeting.path}/minutes/signatures")


def approval_of(meeting: MeetingScenario) -> Any:
    return meeting.board.owner.client.get(f"{meeting.path}/minutes/approval").data


def test_managers_choose_signers_whom_every_member_sees(scenario: BoardScenario) -> None:
    gwen = scenario.member("gwen", access_type="guest")
    path = f"{scenario.path}/minutes-signers"
    assert gwen.client.get(path).data == {
        "object": "minutes_signers",
        "boardId": scenario.board_id,
        "signers": [],
        "updatedAt": None,
    }
    done = put_signers(scenario, gwen.id, scenario.owner.id)
    assert (done.status, done.data["signers"][0]) == (200, {"userId": gwen.id, "role": "Role 0"})
    assert gwen.client.get(path).data == done.data
    assert put_signers(scenario, gwen.id, scenario.owner.id).data == done.data
    assert [event.details for event in stored_events(scenario, "minutes.signers_changed")] == [{}]
    assert put_signers(scenario, gwen.id, client=gwen.client).failure == (403, "FORBIDDEN")
    assert put_signers(scenario, "0" * 24).fields.keys() == {"signers.0.userId"}
    assert put_signers(scenario, *["0" * 24] * 11).fields.keys() == {"signers"}


def test_a_signature_names_the_version_and_its_hash_and_is_in_the_log(spring: MeetingScenario) -> None:
    owner = spring.board.owner
    gwen = spring.board.member("gwen", access_type="guest")
    put_signers(spring.board, owner.id, gwen.id)
    before = approval_of(spring)
    signed = sign(spring)
    assert signed.status == 200, signed.text
    (signature,) = signed.data["signatures"]
    assert signature == {"userId": owner.id, "role": "Role 0", "at": signed.data["updatedAt"], "logIndex": None}
    assert signed.data == {**before, "signatures": [signature], "updatedAt": signature["at"]}
    (event,) = stored_events(spring.board, "minutes.signed")
    assert (event.actor_user_id, event.refs, event.details) == (
        owner.id,
        {"meetingId": id_of(spring)},
        {"version": 1, "sha256": before["sha256"]},
    )
    proof = gwen.client.get(f"{spring.path}/minutes/approval").data["signatures"]
    assert proof == [signature]
    assert [each["userId"] for each in sign(spring, gwen.client).data["signatures"]] == [owner.id, gwen.id]


def test_a_signature_has_its_place_in_the_log_once_it_is_logged(spring: MeetingScenario) -> None:
    put_signers(spring.board, spring.board.owner.id)
    at = sign(spring).data["signatures"][0]["at"]
    (event,) = stored_events(spring.board, "minutes.signed")
    row = event_key(spring.board.board_id, event_visibility(event), at, event.id)
    leaves.mark([Mark(row, together=False, indexes=((0, 7),))])
    assert approval_of(spring)["signatures"][0]["logIndex"] == 7


def test_a_signature_is_refused_before_the_approval_twice_and_by_others(scenario: BoardScenario) -> None:
    meeting = circulated(scenario, SPRING)
    owner, ada = scenario.owner, scenario.member("ada")
    assert sign(meeting).failure == (403, "FORBIDDEN")
    put_signers(scenario, owner.id)
    assert reason(sign(meeting)) == (409, "NOT_APPROVED")
    approve(meeting, held(scenario, SUMMER, "in_progress"))
    assert sign(meeting, ada.client).failure == (403, "FORBIDDEN")
    assert sign(meeting, scenario.token()).failure == (403, "FORBIDDEN")
    assert sign(meeting).status == 200
    assert reason(sign(meeting)) == (409, "ALREADY_SIGNED")
    assert len(stored_events(scenario, "minutes.signed")) == 1


def test_a_session_that_says_when_its_user_signed_in_is_judged_by_that(spring: MeetingScenario) -> None:
    owner = spring.board.owner
    put_signers(spring.board, owner.id)
    early, late = (Client(session(owner.email, auth_time=int(time.time()) - ago)) for ago in (660, 300))
    assert sign(spring, early).failure == (403, "FRESH_SESSION_REQUIRED")
    assert approval_of(spring)["signatures"] == []
    assert sign(spring, late).status == 200


def test_a_session_that_does_not_say_it_is_judged_by_when_it_was_issued(spring: MeetingScenario) -> None:
    owner = spring.board.owner
    put_signers(spring.board, owner.id)
    issued = Client(session(owner.email, iat=int(time.time()) - 660))
    assert sign(spring, issued).failure == (403, "FRESH_SESSION_REQUIRED")


def test_a_signer_who_is_taken_off_the_list_meanwhile_signs_nothing(spring: MeetingScenario) -> None:
    owner = spring.board.owner
    put_signers(spring.board, owner.id)
    with meanwhile(lambda: put_signers(spring.board)):
        assert sign(spring).failure == (403, "FORBIDDEN")
    assert approval_of(spring)["signatures"] == []
