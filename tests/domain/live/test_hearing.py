"""Who hears of a change by the live channel: those whose lists and feed show its subject, and nobody else.

That each event's record says so is judged by what everybody may read (`live/test_everybody.py`).
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.access.visibility import can_see_document
from governance.domain.events.kind import Hearers
from governance.domain.events.meetings import GuestLinkClosed
from governance.domain.events.registry import KINDS
from governance.domain.live import hearing as hearing_rules
from governance.ids import UserId
from governance.models.history.event import Event, StoredEvent
from governance.models.live.live import Change, View
from governance.scopes import Tier
from tests.domain.samples import BOARD, NOW

A, B = UserId("a"), UserId("b")


def listener(tier: Tier = Tier.GUEST, *committee_ids: str, user_id: str = "b") -> hearing_rules.Listener:
    return hearing_rules.Listener(UserId(user_id), tier, committee_ids)


TIERS = st.sampled_from(Tier)
COMMITTEES = st.none() | st.sampled_from(["k", "l"])
LISTENERS = st.builds(
    hearing_rules.Listener,
    st.sampled_from([A, B]),
    TIERS,
    st.lists(st.sampled_from(["k", "l"]), unique=True).map(tuple),
)
VIEWS = st.builds(
    View,
    tier=st.none() | TIERS,
    draft_tier=st.none() | TIERS,
    draft_of=st.none() | st.sampled_from([A, B]),
    committee_id=COMMITTEES,
    user_ids=st.lists(st.sampled_from([A, B]), unique=True).map(tuple),
)


@given(VIEWS, LISTENERS)
def test_nobody_hears_of_a_committee_that_they_are_not_in(view: View, who: hearing_rules.Listener) -> None:
    if hearing_rules.hears([view], who):
        assert can_see_document(who.committee_ids, view.committee_id)


@given(VIEWS, LISTENERS)
def test_a_higher_tier_hears_no_less(view: View, who: hearing_rules.Listener) -> None:
    higher = [hearing_rules.Listener(who.user_id, tier, who.committee_ids) for tier in Tier if tier >= who.tier]
    if hearing_rules.hears([view], who):
        assert all(hearing_rules.hears([view], above) for above in higher)


@given(st.lists(VIEWS, max_size=3), LISTENERS)
def test_one_view_is_enough_to_hear_and_none_is_silence(views: list[View], who: hearing_rules.Listener) -> None:
    assert hearing_rules.hears(views, who) == any(hearing_rules.hears([view], who) for view in views)
    assert not hearing_rules.hears([], who)


@pytest.mark.parametrize("needed", Tier)
def test_a_change_is_heard_from_its_tier_up(needed: Tier) -> None:
    assert [tier for tier in Tier if hearing_rules.hears([View(tier=needed)], listener(tier))] == [
        tier for tier in Tier if tier >= needed
    ]


@pytest.mark.parametrize(
    ("view", "who", "hears"),
    [
        ({"tier": Tier.GUEST, "draft_of": "a"}, listener(user_id="a"), True),
        ({"tier": Tier.GUEST, "draft_of": "a"}, listener(Tier.OWNER), False),
        ({"tier": Tier.ADMIN, "draft_of": "a"}, listener(user_id="a"), False),
        ({"tier": Tier.GUEST, "draft_of": "a", "draft_tier": Tier.MANAGER}, listener(Tier.MANAGER), True),
        ({"tier": Tier.GUEST, "draft_of": "a", "draft_tier": Tier.MANAGER}, listener(Tier.COLLABORATOR), False),
        ({"tier": None, "draft_tier": Tier.MANAGER}, listener(Tier.OWNER), False),
        ({"tier": None, "draft_of": "a"}, listener(user_id="a"), False),
        ({"tier": None, "user_ids": ("b",)}, listener(), True),
        ({"tier": None, "user_ids": ("b",)}, listener(Tier.OWNER, user_id="a"), False),
        ({"tier": Tier.OWNER, "user_ids": ("b",)}, listener(), True),
        ({"tier": Tier.GUEST, "committee_id": "k"}, listener(Tier.GUEST, "l", "k"), True),
        ({"tier": Tier.GUEST, "committee_id": "k"}, listener(Tier.OWNER, "l"), False),
        ({"tier": None, "user_ids": ("b",), "committee_id": "k"}, listener(), False),
        ({"tier": Tier.GUEST, "draft_of": "a", "draft_tier": Tier.GUEST, "committee_id": "k"}, listener(), False),
    ],
)
def test_drafts_committees_and_named_members_bound_who_hears(
    view: dict[str, Any], who: hearing_rules.Listener, hears: bool
) -> None:
    assert hearing_rules.hears([View.model_validate(view)], who) is hears


def event(kind: Event, details: dict[str, Any] | None = None, **members: Any) -> StoredEvent:
    usual = {"id": "e", "board_id": BOARD, "type": kind, "actor_user_id": "a", "created_via": "jwt", "created_at": NOW}
    parts = {"refs": {}, "details": details or {}, "delivery_data": {}}
    return StoredEvent.model_validate({**usual, **parts, **members})


def told(kind: Event, details: dict[str, Any] | None = None, **members: Any) -> Change:
    change = hearing_rules.change_of_event(event(kind, details, **members))
    assert change is not None
    return change


def test_a_change_has_the_ids_and_the_instant_of_its_event_and_nothing_of_its_subject() -> None:
    change = told(
        Event.MEETING_CREATED, {"id": "m", "title": "Secret", "status": "draft"}, refs={"meetingId": "m"}, draft_of="a"
    )
    assert (change.event, change.at, change.board_id, change.ends_for) == ("meeting.created", NOW, BOARD, None)
    assert change.ids == {"boardId": BOARD, "meetingId": "m"}
    assert change.views == (View(tier=Tier.GUEST, draft_of=A),)
    assert "Secret" not in change.to_json()


def test_the_record_of_an_event_says_who_hears_of_it() -> None:
    ballot = {"resolutionId": "r", "voterId": "b"}
    named, hidden, draft = (
        told(Event.BALLOT_CAST, refs=ballot, delivery_data={"ballots": "named"}, committee_id="k"),
        told(Event.BALLOT_CAST, refs=ballot, delivery_data={"ballots": "hidden"}),
        told(Event.RESOLUTION_CREATED, refs={"resolutionId": "r"}, draft_of="a"),
    )
    assert named.views == (View(tier=Tier.GUEST, committee_id="k"),)
    assert hidden.views == (View(tier=None, user_ids=(B,)),)
    assert draft.views == (View(tier=Tier.GUEST, draft_tier=Tier.MANAGER, draft_of=A),)


def test_a_meeting_that_becomes_a_draft_is_told_to_those_who_lose_it() -> None:
    became, opened = (
        told(Event.MEETING_STATUS_CHANGED, {"from": before, "to": after}, refs={"meetingId": "m"}, draft_of="a")
        for before, after in (("scheduled", "draft"), ("draft", "scheduled"))
    )
    assert hearing_rules.hears(became.views, listener())
    assert not hearing_rules.hears(opened.views, listener())


@pytest.mark.parametrize(("discards", "hearers"), [(False, Hearers(Tier.ADMIN)), (True, Hearers(Tier.GUEST))])
def test_a_closed_guest_link_is_told_to_admins_and_to_all_if_votes_went_with_it(
    discards: bool, hearers: Hearers
) -> None:
    closed = GuestLinkClosed(meeting_id="m", id="m", title="Open", discards=discards)
    assert KINDS[Event.GUEST_LINK_CLOSED].heard_by(closed) == hearers


def test_a_departure_ends_the_channel_for_who_has_gone_and_no_other_change_does() -> None:
    kinds = (Event.MEMBER_REMOVED, Event.MEMBER_LEFT, Event.MEMBER_CHANGED)
    assert [told(kind, refs={"userId": "b"}).ends_for for kind in kinds] == [B, B, None]
    assert told(Event.MEMBER_LEFT).ends_for is None


def test_an_event_that_only_a_newer_release_knows_is_not_told() -> None:
    unknown = event(Event.MEETING_CREATED).model_copy(update={"type": "meeting.teleported"})
    assert hearing_rules.change_of_event(unknown) is None
