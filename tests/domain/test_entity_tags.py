"""Entity tags and the headers that name them (RFC 9110, section 8.8.3)."""

from __future__ import annotations

import re

import pytest

from governance.domain import entity_tags as entity_tags_rules
from governance.domain.entity_tags import EntityTags


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ("*", None),
        (" * ", None),
        ('"a"', {'"a"'}),
        ('W/"a"', {'W/"a"'}),
        ('"a","b"', {'"a"', '"b"'}),
        ('"a", W/"b"', {'"a"', 'W/"b"'}),
        (', "a",, \t"b" ,', {'"a"', '"b"'}),
        ('""', {'""'}),
        ('"!#~"', {'"!#~"'}),
        ('"a,b"', {'"a,b"'}),
    ],
)
def test_a_header_is_a_star_or_a_list_of_tags(header: str, tags: set[str] | None) -> None:
    assert entity_tags_rules.parse_tags(header) == EntityTags(None if tags is None else frozenset(tags))


@pytest.mark.parametrize(
    "header", ["", " ", ",", "a", '"a', 'a"', '"a" "b"', 'w/"a"', '"a b"', '"\x7f"', '"é"', '*, "a"', '"a", *', '"""']
)
def test_anything_else_is_malformed(header: str) -> None:
    assert entity_tags_rules.parse_tags(header) is None


@pytest.mark.parametrize(
    ("tags", "tag", "strongly", "weakly"),
    [
        (None, '"a"', True, True),
        ({'"a"'}, '"a"', True, True),
        ({'W/"a"'}, '"a"', False, True),
        ({'"a"'}, 'W/"a"', False, True),
        ({'"b"'}, '"a"', False, False),
        (set(), '"a"', False, False),
    ],
)
def test_a_weak_tag_matches_weakly_only(tags: set[str] | None, tag: str, strongly: bool, weakly: bool) -> None:
    named = EntityTags(None if tags is None else frozenset(tags))
    assert named.match_strongly(tag) == strongly
    assert named.match_weakly(tag) == weakly


def test_equal_bodies_have_one_strong_tag_that_a_header_may_name() -> None:
    tag = entity_tags_rules.entity_tag("é")
    assert re.fullmatch(r'"[0-9a-f]{32}"', tag)
    assert tag == entity_tags_rules.entity_tag("é") != entity_tags_rules.entity_tag("e")
    assert entity_tags_rules.parse_tags(tag) == EntityTags(frozenset({tag}))


@pytest.mark.parametrize(
    ("header", "fits"),
    [
        ("*", True),
        ('"a"', True),
        ('"a", W/"b"', True),
        ('"a","b"', True),
        (' "a"', False),
        ('"a",', False),
        ("", False),
    ],
)
def test_the_documented_pattern_is_what_clients_should_write(header: str, fits: bool) -> None:
    assert bool(re.search(entity_tags_rules.PATTERN, header)) == fits
