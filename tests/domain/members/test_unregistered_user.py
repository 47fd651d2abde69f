"""The rules of people without an account: what changes one, what remains of one, and who sees their address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from governance.domain.access.access import Principal
from governance.domain.members import unregistered_user as unregistered_user_rules
from governance.ids import PersonId, UserId, is_id
from governance.models.members.unregistered_user import (
    Bounce,
    StoredUnregisteredUser,
    UnregisteredUserCreate,
    UnregisteredUserPatch,
)
from governance.scopes import Tier
from tests.domain.samples import BOARD, NOW, THEN, changed, conflict, just_before, later, person, refusal, token, user

BOUNCE = Bounce(kind="bounce", at=THEN, reason="NoEmail")
A, B, X = map(PersonId, "abx")
ANNA = person(version=3, links=5, board_positions=("treasurer",))


def patch(of: StoredUnregisteredUser, **members: Any) -> StoredUnregisteredUser:
    return unregistered_user_rules.patched(of, UnregisteredUserPatch.model_validate(members), NOW)


def test_a_resource_names_active_people_and_those_whom_it_named_before() -> None:
    people = unregistered_user_rules.named(
        {A: person(), B: person(first_name="Bert", last_name=None, status="archived")}
    )
    assert (people.name_of(A), people.name_of(B), people.name_of(X), people.name_of(None)) == (
        "Anna Berg",
        "Bert",
        None,
        None,
    )
    assert [people.may_be_named(PersonId(id_), {B}) for id_ in "abx"] == [True, True, False]
    assert [people.may_be_named(PersonId(id_), ()) for id_ in "abx"] == [True, False, False]
    assert unregistered_user_rules.NOBODY.name_of(A) is None
    assert not unregistered_user_rules.NOBODY.may_be_named(A, ())


def test_a_new_person_is_active_and_gets_mails_unless_the_body_says_otherwise() -> None:
    bare = unregistered_user_rules.created(
        BOARD, UnregisteredUserCreate.model_validate({"firstName": "Anna"}), None, NOW
    )
    assert is_id(bare.id)
    assert bare == person(
        id=bare.id, last_name=None, email=None, receives_mail=True, status="active", created_at=NOW, updated_at=NOW
    )
    members = {"lastName": "Berg", "email": "anna@example.com", "boardPositions": ["treasurer"], "receivesMail": False}
    full = unregistered_user_rules.created(
        BOARD, UnregisteredUserCreate.model_validate({"firstName": "Anna", **members}), "de", NOW
    )
    assert full == person(
        id=full.id, board_positions=("treasurer",), receives_mail=False, language="de", created_at=NOW, updated_at=NOW
    )


@pytest.mark.parametrize(
    ("members", "changes"),
    [
        ({"firstName": "Ann"}, {"first_name": "Ann"}),
        ({"lastName": None}, {"last_name": None}),
        ({"boardPositions": ["chair", "treasurer"]}, {"board_positions": ("chair", "treasurer")}),
        ({"receivesMail": False}, {"receives_mail": False}),
        ({"email": "berg@example.com"}, {"email": "berg@example.com", "links": 6, "bounce": None}),
        ({"email": None}, {"email": None, "links": 6, "bounce": None}),
        ({"email": "anna@example.com", "lastName": "B."}, {"last_name": "B."}),
    ],
)
def test_another_address_has_not_bounced_and_ends_the_links_and_what_is_not_named_stays(
    members: dict[str, Any], changes: dict[str, Any]
) -> None:
    flagged = ANNA.model_copy(update={"bounce": BOUNCE})
    assert changed(flagged, patch(flagged, **members)) == {**changes, "updated_at": NOW, "version": 4}


def test_a_change_to_what_is_so_already_changes_nothing() -> None:
    assert patch(ANNA, firstName="Anna", email="anna@example.com", boardPositions=["treasurer"]) is ANNA
    assert unregistered_user_rules.with_status(ANNA, "active", NOW) is ANNA


def test_archived_or_active_again_the_links_end() -> None:
    archived = unregistered_user_rules.with_status(ANNA, "archived", NOW)
    assert changed(ANNA, archived) == {"status": "archived", "links": 6, "updated_at": NOW, "version": 4}
    again = unregistered_user_rules.with_status(archived, "active", later())
    assert changed(archived, again) == {"status": "active", "links": 7, "updated_at": later(), "version": 5}


SCRUBBED = unregistered_user_rules.scrubbed(ANNA, NOW)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ({"status": "merged"}, "MERGED"),
        ({"status": "merged", "scrubbed_at": THEN}, "MERGED"),
        ({"status": "archived", "scrubbed_at": THEN}, "SCRUBBED"),
    ],
)
def test_who_was_merged_or_scrubbed_stays_so(status: dict[str, Any], reason: str) -> None:
    of = person(**status)
    acts: list[Callable[[], object]] = [
        lambda: patch(of, firstName="Ann"),
        lambda: patch(of, firstName="Anna"),
        lambda: unregistered_user_rules.with_status(of, "active", NOW),
        lambda: unregistered_user_rules.scrubbed(of, NOW),
        lambda: unregistered_user_rules.check_changeable(of),
    ]
    assert [refusal(act) for act in acts] == [conflict(reason)] * len(acts)
    assert unregistered_user_rules.with_status(of, of.status, NOW) is of


def test_the_scrubbed_keep_nothing_that_says_who_they_are_but_the_address_to_find_their_votes_by() -> None:
    flagged = ANNA.model_copy(update={"bounce": BOUNCE})
    assert changed(flagged, unregistered_user_rules.scrubbed(flagged, NOW)) == {
        "first_name": "Former participant",
        "last_name": None,
        "email": None,
        "scrub_pending": True,
        "scrubbed_email": "anna@example.com",
        "board_positions": (),
        "status": "archived",
        "receives_mail": False,
        "bounce": None,
        "scrubbed_at": NOW,
        "updated_at": NOW,
        "version": 4,
    }


def test_of_a_purged_account_nothing_says_who_its_person_was() -> None:
    merged = ANNA.model_copy(update={"status": "merged", "bounce": BOUNCE, "scrubbed_email": "a@example.com"})
    gone = unregistered_user_rules.forgotten(merged, NOW)
    bare: dict[str, Any] = {
        "first_name": "Former participant",
        "last_name": None,
        "email": None,
        "scrubbed_email": None,
    }
    bare |= {"board_positions": (), "receives_mail": False, "bounce": None, "updated_at": NOW, "version": 4}
    assert changed(merged, gone) == bare
    assert "anna" not in gone.to_json().lower()
    active = unregistered_user_rules.forgotten(ANNA, NOW)
    assert (active.status, active.scrubbed_at) == ("archived", NOW)
    assert unregistered_user_rules.forgotten(SCRUBBED, later()).scrubbed_at == NOW


@pytest.mark.parametrize(
    ("members", "is_flagged"),
    [
        ({}, True),
        ({"flag_dismissed_at": just_before(THEN)}, True),
        ({"flag_dismissed_at": THEN}, False),
        ({"flag_dismissed_at": NOW}, False),
        ({"bounce": BOUNCE}, False),
        ({"status": "archived"}, False),
        ({"status": "merged"}, False),
        ({"email": "other@example.com"}, False),
        ({"email": None}, False),
    ],
)
def test_a_report_flags_an_active_person_with_its_address_once_until_somebody_dismissed_a_later_one(
    members: dict[str, Any], is_flagged: bool
) -> None:
    of = person(**members)
    reported = unregistered_user_rules.flagged(of, "anna@example.com", BOUNCE, NOW)
    if is_flagged:
        assert changed(of, reported) == {"bounce": BOUNCE, "updated_at": NOW, "version": 2}
    else:
        assert reported is of


def test_a_dismissed_flag_is_gone_from_now_on() -> None:
    flagged = person(bounce=BOUNCE)
    changes = {"bounce": None, "flag_dismissed_at": NOW, "updated_at": NOW, "version": 2}
    assert changed(flagged, unregistered_user_rules.without_flag(flagged, NOW)) == changes
    assert refusal(unregistered_user_rules.without_flag, person(), NOW) == (404, "RESOURCE_NOT_FOUND", None)


@pytest.mark.parametrize(
    ("of", "account", "is_same"),
    [
        ({}, {"email": "anna@example.com"}, True),
        ({}, {"first_name": "ANNA", "last_name": "berg"}, True),
        ({}, {"first_name": "Anna  ", "last_name": "Berg"}, True),
        ({"first_name": "Straße"}, {"first_name": "STRASSE", "last_name": "Berg"}, True),
        ({}, {"first_name": "Anna"}, False),
        ({}, {"first_name": "Berg", "last_name": "Anna"}, False),
        ({"first_name": " ", "last_name": None}, {}, False),
        ({"status": "archived"}, {"email": "anna@example.com"}, False),
        ({"status": "merged"}, {"email": "anna@example.com"}, False),
        ({}, {"email": "anna@example.com", "purged": True}, False),
        ({"email": None}, {"first_name": "Anna", "last_name": "Berg"}, True),
        ({"email": None}, {}, False),
    ],
)
def test_an_active_person_and_an_account_seem_to_be_one_by_the_address_or_the_full_name_in_any_case(
    of: dict[str, Any], account: dict[str, Any], is_same: bool
) -> None:
    assert unregistered_user_rules.is_same_person(person(**of), user(**account)) is is_same


def test_a_merge_into_a_member_is_recommended_once_whatever_is_delivered_again() -> None:
    first = unregistered_user_rules.recommended(person(), UserId("u"), "e1")
    assert first is not None
    assert changed(person(), first) == {"recommended": {"u": "e1"}, "version": 2}
    assert unregistered_user_rules.recommended(first, UserId("u"), "e1") is first
    assert unregistered_user_rules.recommended(first, UserId("u"), "e2") is None
    other = unregistered_user_rules.recommended(first, UserId("v"), "e2")
    assert other is not None
    assert other.recommended == {"u": "e1", "v": "e2"}


@pytest.mark.parametrize("tier", [None, *Tier])
def test_managers_see_addresses_by_session_or_token_of_their_own_and_board_tokens_never(tier: Tier | None) -> None:
    sees = tier is not None and tier >= Tier.MANAGER
    assert unregistered_user_rules.sees_address(tier, Principal(user(), None)) is sees
    assert unregistered_user_rules.sees_address(tier, Principal(user(), token())) is sees
    assert not unregistered_user_rules.sees_address(tier, Principal(None, token(kind="board", board_id=BOARD)))


def test_a_person_is_shown_with_their_full_name_and_without_address_and_flag_to_who_may_not_see_them() -> None:
    flagged = person(bounce=BOUNCE)
    seen = unregistered_user_rules.to_resource(flagged, with_address=True, merged_into=None)
    assert (seen.full_name, seen.email, seen.bounce, seen.merged_into_member_id) == (
        "Anna Berg",
        "anna@example.com",
        BOUNCE,
        None,
    )
    hidden = unregistered_user_rules.to_resource(flagged, with_address=False, merged_into=None)
    assert changed(seen, hidden) == {"email": None, "bounce": None}


def test_the_member_whom_a_person_was_merged_into_is_shown_while_they_are_one() -> None:
    merged = person(status="merged", merged_into_member_id="k", merged_into_join_id="j")
    assert (
        unregistered_user_rules.to_resource(merged, with_address=True, merged_into=None).merged_into_member_id is None
    )
    shown = unregistered_user_rules.to_resource(merged, with_address=True, merged_into=merged.merged_into_member_id)
    assert shown.merged_into_member_id == "k"
    assert "join" not in shown.to_json().lower()
