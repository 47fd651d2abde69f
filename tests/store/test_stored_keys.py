"""The text of every key that is written: data that is already stored stays readable only while none of it changes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from governance.store import schema
from governance.store.schema.keys import INDEXES, PK, SK
from governance.store.writes import Put
from tests.store.expected_board_keys import ON_BOARDS
from tests.store.expected_other_keys import ELSEWHERE
from tests.store.stored_items import keys_of

EXPECTED = {**ON_BOARDS, **ELSEWHERE}


@pytest.mark.parametrize("kind", EXPECTED)
def test_what_is_written_is_spelled_as_it_always_was(kind: str) -> None:
    make, spelled = EXPECTED[kind]
    assert keys_of(make()) == spelled


def _listed() -> Iterator[tuple[str, str, str]]:
    """Yields the partition, the attribute and the text of each key that the docstring of the schema lists."""
    listing = (schema.__doc__ or "").partition("    BOARD#<board>\n")
    partition = sort_key = ""
    for line in "".join(listing[1:]).splitlines():
        indent, words = len(line) - len(line.lstrip()), line.split()
        if indent == 4:
            partition = words[0]
        elif indent == 8:
            sort_key = words[0]
            yield partition, SK, sort_key
        elif indent == 12:
            yield f"{partition} {sort_key}", words[0], words[1]


def _written() -> Iterator[tuple[str, str, str]]:
    """Yields the same of all that is written."""
    for make, _ in EXPECTED.values():
        for write in make():
            item = write.item if isinstance(write, Put) else write.key.attributes
            yield item[PK], SK, item[SK]
            yield from ((f"{item[PK]} {item[SK]}", name, item[name]) for name in INDEXES if name in item)


def _matches(listed: tuple[str, str, str], written: tuple[str, str, str]) -> bool:
    patterns = [re.sub("<[a-z]+>", "[^# ]+", text) for text in listed]
    return all(re.fullmatch(pattern, text) for pattern, text in zip(patterns, written, strict=True))


def test_the_docstring_of_the_schema_lists_every_key_that_is_written_and_no_other() -> None:
    listed, written = set(_listed()), set(_written())
    assert [key for key in written if not any(_matches(row, key) for row in listed)] == [], "list it"
    assert [row for row in listed if not any(_matches(row, key) for key in written)] == [], (
        "take it off the list, or give it an example in expected_board_keys.py or expected_other_keys.py"
    )
