"""Comments: who sees what they are on, who changes them, who is told, and what a new one must name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.comments import comment as comment_rules
from governance.domain.comments.comment import Subject
from governance.ids import UserId
from governance.models.comments.comment import CommentCreate, StoredComment
from governance.models.meetings.audience import StoredAudience
from governance.scopes import Tier
from tests.domain.samples import BOARD, NOW, THEN, changed, id_of, later, meeting, refusal

ANN, BEN, CLEO = (UserId(id_of(name)) for name in ("ann", "ben", "cleo"))
PARENT = id_of("parent")
USERS = st.sampled_from([ANN, BEN, CLEO])


def comment(**members: Any) -> StoredComment:
    usual = {"id": "c", "board_id": BOARD, "subject_type": "meeting", "subject_id": "m", "author_user_id": ANN}
    return StoredComment.model_validate({**usual, "text": "Why?", "created_at": THEN, "updated_at": THEN, **members})


def subject(**members: Any) -> Subject:
    return Subject(**{"type": "meeting", "id": "m", "board_id": BOARD, "title": "M", "creator_id": ANN, **members})


def test_a_draft_is_seen_by_its_creator_and_a_committees_document_by_its_members() -> None:
    draft, paper = subject(draft_of=ANN), subject(committee_id="k")
    assert comment_rules.is_seen(subject(), BEN, (), "1")
    assert comment_rules.is_seen(draft, ANN, (), "1")
    assert not comment_rules.is_seen(draft, BEN, ("k",), "1")
    assert comment_rules.is_seen(paper, BEN, ("j", "k"), "1")
    assert not comment_rules.is_seen(paper, ANN, ("j",), "1")


@pytest.mark.parametrize(
    ("user", "join_id", "seen"), [(BEN, "1", True), (BEN, "2", False), (BEN, None, False), (ANN, "1", False)]
)
def test_a_document_in_camera_is_seen_by_its_audience(user: UserId, join_id: str | None, seen: bool) -> None:
    paper = subject(committee_id="k", audience=StoredAudience(join_ids={BEN: "1"}))
    assert comment_rules.is_seen(paper, user, ("k",), join_id) == seen
    assert not comment_rules.is_seen(paper, user, (), join_id)


def test_a_meeting_is_a_draft_of_its_creator_only_while_it_is_one() -> None:
    assert comment_rules.of_meeting(meeting(status="draft", creator_id="u")).draft_of == "u"
    assert comment_rules.of_meeting(meeting(status="scheduled", creator_id="u")).draft_of is None


def test_a_subject_is_named_as_in_its_path() -> None:
    assert subject().refs == {"meetingId": "m"}
    assert subject(type="dashboard", id="d", report_id="r").refs == {"reportId": "r", "dashboardId": "d"}
    of_dashboard = comment(subject_type="dashboard", subject_id="d", report_id="r")
    assert of_dashboard.subject_refs == {"reportId": "r", "dashboardId": "d"}
    assert comment().subject_refs == {"meetingId": "m"}


def test_every_error_of_a_new_comment_is_named_at_once() -> None:
    body = CommentCreate.model_validate({"text": "T", "mentions": [ANN, BEN, CLEO], "replyToId": PARENT})
    comment_rules.check_new(body, {ANN, BEN, CLEO}, replies=True, has_field=True)
    status, _, details = refusal(comment_rules.check_new, body, {BEN}, replies=False, has_field=False)
    assert (status, sorted(details["fields"])) == (400, ["fieldId", "mentions.0", "mentions.2", "replyToId"])
    assert details["fields"]["mentions.0"] == details["fields"]["mentions.2"]


def test_a_new_comment_mentions_each_user_once_and_is_not_resolved() -> None:
    body = CommentCreate.model_validate({"text": " T ", "mentions": [BEN, CLEO, BEN], "replyToId": PARENT})
    about = subject(type="dashboard", id="d", report_id="r")
    made = comment_rules.new_comment(about, body, "arr", ANN, "c", NOW)
    assert (made.text, made.mentions, made.reply_to_id, made.field_id) == (" T ", (BEN, CLEO), PARENT, "arr")
    assert (made.subject_type, made.subject_id, made.report_id, made.author_user_id) == ("dashboard", "d", "r", ANN)
    assert (made.resolved_at, made.resolved_by_user_id, made.created_at, made.updated_at) == (None, None, NOW, NOW)
    assert comment_rules.to_resource(made).model_dump()["subject"] == {"type": "dashboard", "id": "d"}


def test_the_author_alone_changes_the_text() -> None:
    comment_rules.check_author(comment(), ANN)
    for other in (BEN, None):
        assert refusal(comment_rules.check_author, comment(), other)[:2] == (403, "FORBIDDEN")
    new = comment_rules.reworded(comment(), "How?", NOW)
    assert changed(comment(), new) == {"text": "How?", "updated_at": NOW, "version": 2}
    same = comment()
    assert comment_rules.reworded(same, "Why?", NOW) is same


@pytest.mark.parametrize("tier", [None, *Tier])
def test_the_author_and_admins_delete(tier: Tier | None) -> None:
    comment_rules.check_deletable(comment(), ANN, tier)
    if tier is not None and tier >= Tier.ADMIN:
        comment_rules.check_deletable(comment(), BEN, tier)
    else:
        assert refusal(comment_rules.check_deletable, comment(), BEN, tier)[:2] == (403, "FORBIDDEN")


def test_a_comment_is_resolved_and_reopened_once() -> None:
    done = comment_rules.resolved(comment(), BEN, NOW)
    assert changed(comment(), done) == {
        "resolved_at": NOW, "resolved_by_user_id": BEN, "updated_at": NOW, "version": 2,
    }  # fmt: skip
    assert comment_rules.resolved(done, CLEO, later()) is done
    again = comment_rules.reopened(done, later())
    assert (again.resolved_at, again.resolved_by_user_id, again.version) == (None, None, 3)
    assert comment_rules.reopened(again, later()) is again


@given(st.lists(USERS), st.none() | USERS, st.none() | USERS)
def test_everybody_concerned_is_told_once_and_nobody_of_what_they_wrote(
    mentions: list[UserId], replied_to: UserId | None, owner: UserId | None
) -> None:
    told = comment_rules.users_to_notify(comment(mentions=tuple(mentions)), replied_to, owner)
    assert sorted(told) == sorted({*mentions, replied_to, owner} - {None, ANN})  # type: ignore[type-var]
