"""The rules of documents: who sees one, who changes one, what becomes of its links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain import document as rules
from governance.domain.visibility import can_see_document, document_bucket, document_buckets
from governance.errors import ApiError
from governance.limits import DOCUMENT_MEETINGS

committees = st.sampled_from(["a" * 24, "b" * 24, "c" * 24])


@given(st.lists(committees, unique=True).map(tuple), committees | st.none())
def test_a_document_is_seen_exactly_where_its_bucket_is_read(mine: tuple[str, ...], committee: str | None) -> None:
    assert can_see_document(mine, committee) == (document_bucket(committee) in document_buckets(mine))


def test_a_committees_document_is_hidden_from_who_is_in_no_committee() -> None:
    assert not can_see_document((), "a" * 24)
    assert can_see_document((), None)


def test_absent_and_hidden_meetings_and_committees_are_one_offence_each_named_at_once() -> None:
    with pytest.raises(ApiError) as refused:
        rules.check_links(["seen", "hidden", "absent"], {"seen"}, "k", ())
    assert (refused.value.details or {})["fields"] == {
        "meetingIds.1": "must be the id of a meeting of this board",
        "meetingIds.2": "must be the id of a meeting of this board",
        "committeeId": "must be the id of a committee that you are a member of",
    }
    rules.check_links(["seen"], {"seen"}, None, ())


def test_links_that_the_writer_cannot_see_stay_as_far_as_there_is_room() -> None:
    assert rules.merge_links(["new"], ["old", "draft", "gone"], {"draft"}) == ("new", "draft")
    full = [str(number) for number in range(DOCUMENT_MEETINGS)]
    assert rules.merge_links(full, ["draft"], {"draft"}) == tuple(full)
