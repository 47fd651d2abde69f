"""The rules of signatures on minutes: who signs, how long after signing in, and once a version."""

from __future__ import annotations

from typing import Any

import pytest

from governance.agenda_limits import MINUTES_SIGNING_MINUTES
from governance.domain.access.access import Principal
from governance.domain.meetings import minutes_approval as approval_rules
from governance.domain.meetings import minutes_signing as signing_rules
from governance.domain.meetings import minutes_versions as version_rules
from governance.ids import BoardId, UserId
from governance.instants import Instant, shift
from governance.models.meetings.minutes_signing import MinutesSignersBody, StoredMinutesSigners
from governance.models.meetings.minutes_versions import CirculationBody, MinutesApprovalBody, StoredMinutesApproval
from tests.domain.samples import CREATOR, NOW, THEN, conflict, id_of, meeting, minutes, refusal, user

BOARD = BoardId(id_of("board"))
FIRST, SECOND = UserId(id_of("first")), UserId(id_of("second"))
MEMBERS = [FIRST, SECOND]
HELD = meeting(status="completed", start_time=THEN)
BODY = MinutesApprovalBody.model_construct(manner="as_presented", in_meeting_id=id_of("later"))


def body(*signers: tuple[UserId, str]) -> MinutesSignersBody:
    return MinutesSignersBody.model_validate({"signers": [{"userId": id_, "role": role} for id_, role in signers]})


def chosen(*signers: tuple[UserId, str], old: StoredMinutesSigners | None = None) -> StoredMinutesSigners:
    new = signing_rules.changed(BOARD, old, body(*signers), MEMBERS, NOW)
    assert new is not None
    return new


def circulated() -> StoredMinutesApproval:
    return version_rules.circulated(HELD, minutes(), None, CirculationBody(), CREATOR, NOW)[0]


def approved() -> StoredMinutesApproval:
    return approval_rules.approved(circulated(), BODY, "2030-1", "e" * 24, CREATOR, NOW)


SIGNERS = chosen((FIRST, "Chair"), (SECOND, "Secretary"))


def signer(since: Instant | None = NOW, **members: Any) -> Principal:
    return Principal(user(id=FIRST, **members), None, None, since)


def test_a_signer_is_a_member_of_the_board_and_in_the_list_once() -> None:
    error = refusal(
        signing_rules.changed,
        BOARD,
        None,
        body((FIRST, "Chair"), (UserId(id_of("x")), "A"), (FIRST, "B")),
        MEMBERS,
        NOW,
    )
    assert (error[:2], [*error[2]["fields"]]) == (
        (400, "INVALID_REQUEST_BODY"),
        ["signers.1.userId", "signers.2.userId"],
    )


def test_the_same_list_changes_nothing_and_those_who_left_are_left_out() -> None:
    old = chosen((FIRST, "Chair"), (SECOND, "Secretary"))
    same = body((FIRST, "Chair"), (SECOND, "Secretary"))
    assert signing_rules.changed(BOARD, old, same, MEMBERS, NOW) is None
    assert signing_rules.changed(BOARD, old, body((FIRST, "Chair")), [FIRST], NOW) is None
    shown = signing_rules.to_resource(BOARD, old, [SECOND])
    assert [(each.user_id, each.role) for each in shown.signers] == [(SECOND, "Secretary")]
    assert chosen((SECOND, "Chair"), old=old).version == old.version + 1
    assert signing_rules.to_resource(BOARD, None, MEMBERS).updated_at is None


@pytest.mark.parametrize("since", [NOW, shift(NOW, minutes=-MINUTES_SIGNING_MINUTES)])
def test_a_signer_who_has_just_signed_in_signs_in_their_role(since: Instant) -> None:
    signers = signing_rules.check_signer(chosen((SECOND, "A"), (FIRST, "Chair")), signer(since), NOW)
    assert signing_rules.signed(approved(), signers, FIRST, "e", NOW).signatures[0].role == "Chair"


@pytest.mark.parametrize("since", [None, shift(NOW, minutes=-MINUTES_SIGNING_MINUTES, seconds=-1)])
def test_a_signer_who_signed_in_earlier_signs_in_again_first(since: Instant | None) -> None:
    error = refusal(signing_rules.check_signer, chosen((FIRST, "Chair")), signer(since), NOW)
    assert error[:2] == (403, "FRESH_SESSION_REQUIRED")


@pytest.mark.parametrize("signers", [None, chosen((SECOND, "Chair"))])
def test_others_sign_nothing(signers: StoredMinutesSigners | None) -> None:
    assert refusal(signing_rules.check_signer, signers, signer(), NOW)[:2] == (403, "FORBIDDEN")


def test_a_signature_is_on_an_approved_version_and_once_a_user() -> None:
    for approval in (None, circulated()):
        assert refusal(signing_rules.signed, approval, SIGNERS, FIRST, "e", NOW) == conflict("NOT_APPROVED")
    once = signing_rules.signed(approved(), SIGNERS, FIRST, "e", NOW)
    assert (once.version, once.signatures[0].role) == (approved().version + 1, "Chair")
    assert refusal(signing_rules.signed, once, SIGNERS, FIRST, "f", NOW) == conflict("ALREADY_SIGNED")
    twice = signing_rules.signed(once, SIGNERS, SECOND, "f", NOW)
    shown = version_rules.approval_resource(minutes(), twice, indexes={"f": 7})
    assert [(each.user_id, each.log_index) for each in shown.signatures] == [(FIRST, None), (SECOND, 7)]


def test_a_correction_begins_without_signatures_and_the_version_before_keeps_its_own() -> None:
    signed = signing_rules.signed(approved(), SIGNERS, FIRST, "e", NOW)
    correction = minutes(items=[{"id": id_of("new"), "text": "New"}])
    after = version_rules.circulated(HELD, correction, signed, CirculationBody(), CREATOR, NOW)[0]
    assert (after.signatures, after.superseded[0].signatures) == ((), signed.signatures)
    assert refusal(signing_rules.signed, after, SIGNERS, SECOND, "f", NOW) == conflict("NOT_APPROVED")
    earlier = version_rules.approval_of_version(after, signed.number, {"e": 7})
    assert [(each.user_id, each.log_index) for each in earlier.signatures] == [(FIRST, 7)]
