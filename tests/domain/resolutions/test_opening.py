"""The rules of opening a resolution: who may vote, what it may refer to, until when it is open, when it reminds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.resolutions import opening as opening_rules
from governance.errors import ApiError
from governance.ids import UserId
from governance.instants import Instant
from governance.limits import VOTERS_PER_GROUP
from governance.models.documents.document_version import StoredVersions
from governance.models.resolutions.paper import Paper
from governance.models.resolutions.resolution import StoredContent
from tests.domain.resolutions.ballots import resolution, stored_voter
from tests.domain.samples import (
    NOW,
    THEN,
    changed,
    conflict,
    document,
    just_before,
    later,
    meeting,
    membership,
    refusal,
)

A, B = UserId("a"), UserId("b")
MEMBERS = {id_: membership(user_id=id_, join_id=f"{id_}0") for id_ in (B, A)}
DRAFT = resolution(status="draft", number=None, closes_at=later(NOW, days=7), meeting_id=None)
VOTERS = [stored_voter("a"), stored_voter("b")]


def circumstances_with(**members: Any) -> opening_rules.Circumstances:
    """What a resolution refers to, where nothing is wrong."""
    usual = {"members": MEMBERS, "seats": {}, "documents": {}, "meeting": None, "has_agenda_item": False}
    return opening_rules.Circumstances(**{**usual, "superseded": None, **members})


def content(**members: Any) -> StoredContent:
    return StoredContent.model_validate({"text": "Text", **members})


def test_only_a_draft_is_changed_and_opened() -> None:
    opening_rules.check_draft(resolution(status="draft"))
    for status in ("open", "carried", "rejected", "lapsed", "withdrawn"):
        assert refusal(opening_rules.check_draft, resolution(status=status)) == conflict("NOT_DRAFT")


def test_voters_have_their_weights_and_memberships_in_the_order_of_their_ids() -> None:
    named = content(voters=({"user_id": "b", "weight": 3}, {"user_id": "a"}))
    assert opening_rules.voters(named, circumstances_with()) == (stored_voter("a"), stored_voter("b", weight=3))


@pytest.mark.parametrize(
    ("members", "votes"),
    [
        ({}, True),
        ({"access_type": "manager"}, True),
        ({"access_type": "viewer"}, False),
        ({"access_type": "guest"}, False),
        ({"access_type": "guest", "admin_role": "admin"}, True),
        ({"access_type": "guest", "admin_role": "owner"}, True),
        ({"is_internal_mgmt": True}, False),
        ({"is_internal_mgmt": True, "admin_role": "owner"}, False),
    ],
)
def test_without_names_members_from_collaborator_up_vote_who_do_not_manage_the_company(
    members: dict[str, Any], votes: bool
) -> None:
    of_board = circumstances_with(members={A: MEMBERS[A], B: membership(user_id="b", **members)})
    assert [voter.user_id for voter in opening_rules.voters(content(), of_board)] == ([A, B] if votes else [A])
    assert opening_rules.voters(content(voters=({"user_id": "b"},)), of_board)[0].user_id == B


def test_every_voter_is_a_member_and_there_is_one() -> None:
    named = content(voters=({"user_id": "x"}, {"user_id": "a"}, {"user_id": "y"}))
    assert refusal(opening_rules.voters, named, circumstances_with())[2]["fields"].keys() == {
        "voters.0.userId",
        "voters.2.userId",
    }
    assert refusal(opening_rules.voters, content(), circumstances_with(members={}))[2]["fields"].keys() == {"voters"}


def fields(members: dict[str, Any], voters: Any = VOTERS, **circumstances: Any) -> set[str]:
    """The fields with which a draft with these members cannot be opened."""
    draft = DRAFT.model_validate({**DRAFT.model_dump(by_alias=False), **members})
    try:
        opening_rules.check(draft, voters, circumstances_with(**circumstances), NOW)
    except ApiError as error:
        return {*(error.details or {})["fields"]} or {"refused without a field"}
    return set()


def test_a_casting_vote_is_that_of_a_voter() -> None:
    assert fields({"rule": {"casting_vote_user_id": "a"}}) == set()
    assert fields({"rule": {"casting_vote_user_id": "x"}}) == {"rule.castingVoteUserId"}


def test_secret_ballots_have_no_weights_no_proxies_and_no_casting_vote() -> None:
    weighty = [stored_voter("a", weight=2), stored_voter("b")]
    rule = {"proxies": True, "casting_vote_user_id": "a"}
    for ballots in ("named", "hidden"):
        assert fields({"ballots": ballots, "rule": rule}, weighty) == set()
    assert fields({"ballots": "secret", "rule": rule}, weighty) == {"voters", "rule.proxies", "rule.castingVoteUserId"}
    three = [stored_voter(name) for name in "abc"]
    assert fields({"ballots": "secret"}, three) == set()
    assert fields({"ballots": "secret"}, three[:2]) == {"voters"}


@pytest.mark.parametrize(
    ("paper", "seats", "wrong"),
    [
        (document(), {}, False),
        (document(committee_id="k"), {A: {"k"}, B: {"j", "k"}}, False),
        (document(committee_id="k"), {A: {"k"}, B: {"j"}}, True),
        (document(committee_id="k"), {A: {"k"}}, True),
        (None, {}, True),
    ],
)
def test_every_paper_is_a_document_that_every_voter_sees(paper: Any, seats: Any, wrong: bool) -> None:
    documents = {"c": document(id="c"), **({"d": paper} if paper else {})}
    members = {"document_ids": ("c", "d")}
    assert fields(members, documents=documents, seats=seats) == ({"documentIds.1"} if wrong else set())


@pytest.mark.parametrize(
    ("closes_at", "is_right"),
    [
        (later(NOW, seconds=60), True),
        (just_before(later(NOW, seconds=60)), False),
        (later(NOW, days=366), True),
        (later(later(NOW, days=366)), False),
    ],
)
def test_a_resolution_is_open_for_a_minute_to_a_year_and_a_day(closes_at: Instant, is_right: bool) -> None:
    for of in (None, meeting(status="in_progress")):
        assert fields({"closes_at": closes_at}, meeting=of) == (set() if is_right else {"closesAt"})
    told = refusal(opening_rules.check, resolution(closes_at=NOW), VOTERS, circumstances_with(meeting=meeting()), NOW)[
        2
    ]["fields"]
    assert told == {"closesAt": "must be 60 seconds to 366 days ahead"}


@pytest.mark.parametrize("status", ["draft", "scheduled", "in_progress", "completed", "finalized", None])
def test_its_meeting_is_neither_a_draft_nor_final_and_in_progress_if_there_is_no_end(status: str | None) -> None:
    of = meeting(status=status) if status else None
    wrong = status in ("draft", "finalized", None)
    assert fields({"meeting_id": "m"}, meeting=of) == ({"meetingId"} if wrong else set())
    assert fields({}, meeting=of) == set()
    assert fields({"closes_at": None}, meeting=of) == (set() if status == "in_progress" else {"closesAt"})


def test_its_agenda_item_is_one_of_its_meeting() -> None:
    members = {"meeting_id": "m", "agenda_item_id": "i"}
    assert fields(members, meeting=meeting(), has_agenda_item=True) == set()
    assert fields(members, meeting=meeting()) == {"agendaItemId"}


@pytest.mark.parametrize(
    ("old", "wrong"),
    [
        ({"status": "carried"}, False),
        ({"status": "carried", "superseded_by_id": "s"}, True),
        *(({"status": status}, True) for status in ("draft", "open", "rejected", "lapsed", "withdrawn")),
        (None, True),
    ],
)
def test_what_it_supersedes_is_carried_and_not_superseded(old: dict[str, Any] | None, wrong: bool) -> None:
    superseded = resolution(**old) if old is not None else None
    assert fields({"supersedes_id": "o"}, superseded=superseded) == ({"supersedesId"} if wrong else set())
    assert fields({}, superseded=superseded) == set()


def test_everything_that_is_wrong_is_named_at_once() -> None:
    members = {"rule": {"casting_vote_user_id": "x"}, "document_ids": ("d",), "closes_at": NOW, "meeting_id": "m"}
    assert fields(members) == {"rule.castingVoteUserId", "documentIds.0", "closesAt", "meetingId"}


def test_the_papers_are_the_latest_files_at_the_opening() -> None:
    made = {"file_name": "a.pdf", "mime_type": "application/pdf", "size": 5, "status": "ready", "created_at": THEN}
    files = [{**made, "id": id_, "sha256": id_ * 32, "created_by_user_id": "u"} for id_ in ("v3", "v2")]
    versions = StoredVersions.model_validate({"board_id": "b", "document_id": "d", "versions": files})
    documents = {"d": document(latest_version_id="v2"), "e": document(id="e")}
    listed = circumstances_with(documents=documents, versions={"d": versions})
    assert opening_rules.papers(resolution(document_ids=("e", "d")), listed) == (
        Paper(document_id="e", version_id=None, sha256=None),
        Paper(document_id="d", version_id="v2", sha256="v2" * 32),
    )


@given(st.integers(1, 5 * VOTERS_PER_GROUP + 1))
def test_groups_have_all_voters_in_their_order_in_as_few_items_as_can_be(number: int) -> None:
    voting = [stored_voter(f"{index:024x}") for index in range(number)]
    groups = opening_rules.groups("r", voting)
    assert [voter for group in groups for voter in group.voters] == voting
    assert all(len(group.voters) == VOTERS_PER_GROUP for group in groups[:-1])
    assert 0 < len(groups[-1].voters) <= VOTERS_PER_GROUP
    assert {(group.resolution_id, group.closed, group.version) for group in groups} == {("r", False, 1)}


def test_an_opened_resolution_has_its_number_and_knows_where_its_groups_begin() -> None:
    old = resolution(status="draft", number=None, version=3, content_version=2)
    groups = opening_rules.groups("r", [stored_voter(f"{index:02x}") for index in range(VOTERS_PER_GROUP + 1)])
    assert changed(old, opening_rules.opened(old, "2030-1", groups, 7, NOW)) == {
        "number": "2030-1",
        "status": "open",
        "group_starts": ("00", f"{VOTERS_PER_GROUP:02x}"),
        "committee_version": 7,
        "content_version": 3,
        "opened_at": NOW,
        "updated_at": NOW,
        "version": 4,
    }


@pytest.mark.parametrize(
    ("open_for", "reminded_after"),
    [
        ({"days": 7}, {"days": 6}),
        ({"hours": 49}, {"hours": 25}),
        ({"hours": 48}, {"hours": 24}),
        ({"hours": 47}, {"minutes": 47 * 30}),
        ({"minutes": 1}, {"seconds": 30}),
    ],
)
def test_voters_are_reminded_a_day_before_the_end_or_at_half_time_if_that_is_later(
    open_for: dict[str, int], reminded_after: dict[str, int]
) -> None:
    assert opening_rules.reminder_due(NOW, later(NOW, **open_for)) == later(NOW, **reminded_after)


def test_the_clocks_result_is_recorded_once_every_earlier_change_is_stored() -> None:
    assert opening_rules.record_due(NOW) == later(NOW, seconds=12)
