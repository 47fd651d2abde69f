"""Calendar feeds: their secret, and the tags by which a client learns that nothing changed."""

from __future__ import annotations

import pytest

from governance.domain.account import tokens
from governance.domain.calendars import calendar_feed as calendar_feed_rules
from governance.ids import BoardId, UserId, new_id
from governance.instants import Instant
from tests.domain.samples import NOW, feed, later, user

OWNER = UserId(new_id())
BOARDS = [BoardId("1" * 24), BoardId("2" * 24)]
SETTLED = later(seconds=-61)


def test_a_secret_names_its_user_and_its_feed() -> None:
    secret = calendar_feed_rules.mint(OWNER)
    assert calendar_feed_rules.parse(secret) == (OWNER, tokens.token_id(secret))
    assert secret.startswith("svc_cal_")
    assert calendar_feed_rules.mint(OWNER) != secret


def test_other_text_is_no_secret() -> None:
    secret = calendar_feed_rules.mint(OWNER)
    for text in ("", secret[:-1], secret + "0", tokens.mint("personal", OWNER), secret[:-6] + "000000"):
        assert calendar_feed_rules.parse(text) is None


def test_a_secret_opens_its_own_feed_of_an_active_account() -> None:
    secret = calendar_feed_rules.mint(OWNER)
    mine = feed(digest=tokens.digest(secret))
    assert calendar_feed_rules.opens_feed(secret, mine, user())
    assert not calendar_feed_rules.opens_feed(secret, feed(), user())
    assert not calendar_feed_rules.opens_feed(secret, None, user())
    assert not calendar_feed_rules.opens_feed(secret, mine, None)
    for status in ("suspended", "inactive"):
        assert not calendar_feed_rules.opens_feed(secret, mine, user(status=status))


def tag(*stamps: Instant, now: Instant = NOW) -> str:
    return calendar_feed_rules.entity_tag(feed(), zip(BOARDS, stamps, strict=False), now)


def test_a_tag_lasts_for_its_day_while_no_stamp_is_new() -> None:
    first = tag(SETTLED, SETTLED)
    assert first.startswith('W/"2030-06-15-')
    assert first.endswith('"')
    assert len(first) == len('W/"2030-06-15-"') + 32
    assert tag(SETTLED, SETTLED, now=later(hours=1)) == first
    assert tag(SETTLED, SETTLED, now=later(days=1)) != first
    assert tag(SETTLED, later(SETTLED, seconds=-1)) != first
    assert calendar_feed_rules.entity_tag(feed(), reversed([(board, SETTLED) for board in BOARDS]), NOW) == first
    assert calendar_feed_rules.entity_tag(feed(id="g"), [(board, SETTLED) for board in BOARDS], NOW) != first


@pytest.mark.parametrize(("seconds", "lasts"), [(-61, True), (-60, False), (-59, False), (0, False), (1, False)])
def test_a_stamp_of_the_last_minute_gives_a_tag_that_is_never_used_again(seconds: int, lasts: bool) -> None:
    given = tag(SETTLED, later(seconds=seconds))
    assert given.startswith('W/"2030-06-15-') == lasts
    assert (tag(SETTLED, later(seconds=seconds), now=Instant(f"{NOW[:20]}001Z")) == given) == lasts


@pytest.mark.parametrize(
    ("header", "may"),
    [
        ("*", True),
        ('W/"2030-06-15-x"', True),
        ('"2030-06-15-x"', True),
        ('"old", W/"2030-06-15-x"', True),
        ('W/"2030-06-14-x"', False),
        ('"x2030-06-15-x"', False),
        ("2030-06-15-x", False),
        ("", False),
    ],
)
def test_an_outdated_tag_shows_before_anything_is_read(header: str, may: bool) -> None:
    assert calendar_feed_rules.may_be_current(header, NOW) == may


def test_a_tag_is_compared_weakly_and_a_malformed_header_names_none() -> None:
    assert calendar_feed_rules.is_current('W/"a"', '"b", "a"')
    assert calendar_feed_rules.is_current('W/"a"', "*")
    assert not calendar_feed_rules.is_current('W/"a"', '"b"')
    assert not calendar_feed_rules.is_current('W/"a"', "a")
