"""An event is hidden with what it is about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from governance.domain.visibility import event_bucket, event_buckets
from governance.ids import BoardId, UserId
from governance.models.event import Event
from tests.harness.stream import new_event

PEOPLE = st.sampled_from([UserId("a" * 24), UserId("b" * 24)])
COMMITTEES = st.sampled_from(["c" * 24, "d" * 24])


@given(st.none() | PEOPLE, st.none() | COMMITTEES, st.none() | PEOPLE, st.sets(COMMITTEES))
def test_an_event_is_in_a_caller_s_ranges_exactly_when_he_may_learn_of_it(
    draft_of: UserId | None, committee: str | None, caller: UserId | None, committees: set[str]
) -> None:
    event = new_event(BoardId("e" * 24), Event.BOARD_CHANGED, draft_of=draft_of, committee_id=committee)
    may = draft_of == caller if draft_of else committee is None or committee in committees
    assert (event_bucket(event) in event_buckets(caller, tuple(committees))) == (may and (not draft_of or bool(caller)))
