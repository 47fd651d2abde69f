"""The text of every key that is written: data that is already stored stays readable only while none of it changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from governance.store import schema
from governance.store.schema.keys import INDEXES, PK, SK
from governance.store.writes import Put
from tests.store.stored_items import keys_of
from tests.store.written_elsewhere import ELSEWHERE
from tests.store.written_on_boards import ON_BOARDS

WRITTEN = {**ON_BOARDS, **ELSEWHERE}
SPELLED = Path(__file__).parent / "keys.txt"


def _spelled() -> str:
    """Returns the keys of everything that is written, by kind: a line for each row, its index keys behind it."""
    lines = []
    for kind, make in WRITTEN.items():
        lines += [kind, *(f"    {' | '.join(keys)}" for keys in keys_of(make()))]
    return "\n".join(lines) + "\n"


def test_what_is_written_is_spelled_as_it_always_was() -> None:
    assert _spelled() == SPELLED.read_text(encoding="utf-8"), (
        "a new kind of row: python -m tests.store.test_stored_keys; another key: what is stored would not be found"
    )


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
    for make in WRITTEN.values():
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
        "take it off the list, or give it an example in written_on_boards.py or written_elsewhere.py"
    )


if __name__ == "__main__":
    SPELLED.write_text(_spelled(), encoding="utf-8")
