"""The rules of guest links, as pure functions."""

from __future__ import annotations

import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.domain.meetings import guest_link as links
from governance.ids import BoardId, new_id
from governance.instants import Instant
from governance.models.meetings.slot import StoredGuestLink, StoredGuestView
from tests.domain.samples import just_before, later, meeting, vote

NOW, THEN = Instant("2030-01-01T12:00:00.000Z"), Instant("2030-01-31T12:00:00.000Z")


def link(token: str) -> StoredGuestLink:
    return StoredGuestLink(digest=links.digest(token), expires_at=THEN, created_at=NOW)


def test_a_token_names_its_board_and_meeting_and_fits_in_a_path_and_two_share_no_more_than_that_name() -> None:
    for _ in range(200):
        board, of = BoardId(new_id()), new_id()
        token, other = links.mint(board, of), links.mint(board, of)
        assert links.parse(token) == links.ParsedGuestToken(board, of)
        assert len(token) == 64
        assert token.replace("-", "").replace("_", "").isalnum()
        assert (token[:32] == other[:32], token[32:] == other[32:]) == (True, False)


@given(st.text())
def test_whatever_is_sent_is_a_token_or_none(text: str) -> None:
    token = links.parse(text)
    assert token is None or len(text) == 64


@pytest.mark.parametrize("status", ["scheduled", "in_progress", "completed", "finalized"])
def test_a_link_opens_its_meeting_until_the_instant_it_expires(status: str) -> None:
    token = secrets.token_urlsafe(48)
    assert links.opens_meeting(token, link(token), meeting(status=status), Instant("2030-01-31T11:59:59.999Z"))
    assert not links.opens_meeting(token, link(token), meeting(status=status), THEN)


def test_a_link_opens_no_draft_nothing_gone_and_nothing_elses() -> None:
    token, other = secrets.token_urlsafe(48), secrets.token_urlsafe(48)
    assert not links.opens_meeting(token, link(token), meeting(status="draft"), NOW)
    assert not links.opens_meeting(token, None, meeting(), NOW)
    assert not links.opens_meeting(token, link(token), None, NOW)
    assert not links.opens_meeting(token, link(other), meeting(), NOW)


def test_a_token_of_another_shape_is_none() -> None:
    token = links.mint(BoardId(new_id()), new_id())
    for text in (token[:-1], f"{token}A", f"{token[:-1]}=", f"{token[:-1]}+", f"{token[:-1]}é", ""):
        assert links.parse(text) is None


def view(digest: str, at: Instant) -> StoredGuestView:
    return StoredGuestView(digest=digest, viewed_at=at)


def test_the_first_view_of_a_link_is_recorded_and_one_an_hour_after_that() -> None:
    mine = link("t").digest
    hour_ago = later(NOW, hours=-1)
    assert links.view_window_start(NOW) == hour_ago
    assert links.is_view_due(mine, None, NOW)
    assert links.is_view_due(mine, view("another link", NOW), NOW)
    assert links.is_view_due(mine, view(mine, hour_ago), NOW)
    assert not links.is_view_due(mine, view(mine, later(hour_ago)), NOW)
    assert not links.is_view_due(mine, view(mine, NOW), NOW)


def test_the_views_of_all_personal_links_are_recorded_once_an_hour_together() -> None:
    assert links.is_view_due(None, None, NOW)
    assert links.is_view_due(None, view("another link", later(NOW, hours=-1)), NOW)
    assert not links.is_view_due(None, view("another link", NOW), NOW)


def test_a_guests_first_vote_is_recorded_and_a_change_an_hour_later() -> None:
    hour_ago = later(NOW, hours=-1)
    assert links.is_vote_due(None, NOW)
    assert links.is_vote_due(vote(email="g@example.com"), NOW)
    assert links.is_vote_due(vote(recorded_at=hour_ago), NOW)
    assert links.is_vote_due(vote(recorded_at=just_before(hour_ago)), NOW)
    assert not links.is_vote_due(vote(recorded_at=later(hour_ago)), NOW)
