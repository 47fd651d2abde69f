"""The rules of documents: who sees one, who changes one, what becomes of its links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.access.access import Principal
from governance.domain.access.visibility import (
    DOCUMENTS_IN_CAMERA,
    can_see_document,
    document_visibilities,
    document_visibility,
)
from governance.domain.documents import document as document_rules
from governance.errors import ApiError
from governance.limits import DOCUMENT_MEETINGS
from governance.models.meetings.audience import StoredAudience
from governance.scopes import Tier
from tests.domain.samples import FORBIDDEN, NOW, changed, document, refusal, token, user

committees = st.sampled_from(["a" * 24, "b" * 24, "c" * 24])


@given(st.lists(committees, unique=True).map(tuple), committees | st.none())
def test_a_document_is_seen_exactly_where_its_bucket_is_read(mine: tuple[str, ...], committee: str | None) -> None:
    assert can_see_document(mine, committee) == (document_visibility(committee) in document_visibilities(mine))


def test_a_committees_document_is_hidden_from_who_is_in_no_committee() -> None:
    assert not can_see_document((), "a" * 24)
    assert can_see_document((), None)


def test_absent_and_hidden_meetings_and_committees_are_one_error_each_named_at_once() -> None:
    with pytest.raises(ApiError) as refused:
        document_rules.check_links(["seen", "hidden", "absent"], {"seen"}, "k", ())
    assert (refused.value.details or {})["fields"] == {
        "meetingIds.1": "must be the id of a meeting of this board",
        "meetingIds.2": "must be the id of a meeting of this board",
        "committeeId": "must be the id of a committee that you are a member of",
    }
    document_rules.check_links(["seen"], {"seen"}, None, ())
    document_rules.check_links([], (), "k", ("j", "k"))
    assert refusal(document_rules.check_links, [], (), "k", ("j",))[0] == 400


def test_links_that_the_writer_cannot_see_stay_as_far_as_there_is_room() -> None:
    assert document_rules.merge_links(["new"], ["old", "draft", "gone"], {"draft"}) == ("new", "draft")
    assert document_rules.merge_links(["a", "b"], ["b", "c"], {"b", "c"}) == ("a", "b", "c")
    full = [str(number) for number in range(DOCUMENT_MEETINGS)]
    assert document_rules.merge_links(full, ["draft"], {"draft"}) == tuple(full)


@pytest.mark.parametrize("tier", Tier)
def test_its_creator_and_managers_change_or_delete_a_document(tier: Tier) -> None:
    mine, other = Principal(user(), None), Principal(user(id="v"), None)
    document_rules.check_changeable(document(), tier, mine)
    if tier >= Tier.MANAGER:
        document_rules.check_changeable(document(), tier, other)
    else:
        assert refusal(document_rules.check_changeable, document(), tier, other) == FORBIDDEN


def test_a_board_token_changes_documents_by_its_scope_also_those_of_nobody() -> None:
    board_token, nobodys = Principal(None, token(kind="board")), document(creator_id=None)
    document_rules.check_changeable(nobodys, Tier.COLLABORATOR, board_token)
    for tier, principal in ((Tier.COLLABORATOR, Principal(user(), None)), (None, board_token)):
        assert refusal(document_rules.check_changeable, nobodys, tier, principal) == FORBIDDEN


def test_a_change_of_a_document_is_a_new_version() -> None:
    old = document(version=4)
    assert changed(old, document_rules.patched(old, {"title": "N"}, NOW)) == {
        "title": "N",
        "updated_at": NOW,
        "version": 5,
    }


def test_of_a_document_in_camera_only_those_hear_by_their_committee_who_lose_it() -> None:
    audience = StoredAudience(join_ids={})
    for committee in (None, "k"):
        going = document_rules.patched(document(committee_id=committee, version=4), {"audience": audience}, NOW)
        assert document_rules.visibility(going) == DOCUMENTS_IN_CAMERA
        assert document_rules.readers_of_change(going) == (committee,)
        there = document_rules.patched(going, {"title": "N", "committee_id": "l"}, NOW)
        assert document_rules.readers_of_change(there) == ()
        opened = document_rules.patched(there, {"audience": None}, NOW)
        assert document_rules.visibility(opened) == document_visibility("l")
        assert document_rules.readers_of_change(opened) == ("l",)


@pytest.mark.parametrize(
    ("before", "after", "drops"),
    [(None, None, False), (None, "1", False), ("1", "1", False), ("1", "2", True), ("1", None, True)],
)
def test_a_latest_version_is_dropped_by_another_or_none(before: str | None, after: str | None, drops: bool) -> None:
    assert document_rules.drops_version(document(latest_version_id=before), document(latest_version_id=after)) == drops
