"""The text of every key that is written: data that is already stored stays readable only while none of it changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from governance.models.base import SHAPE
from governance.store import schema
from governance.store.schema import entities, history, jobs, minutes
from governance.store.schema.keys import INDEXES, PK, SK, TTL, Item, Key, Kind, key_of
from governance.store.writes import Put
from infra.operator.kinds import MODELS, model_at, pattern_of
from tests.store.rows_of_every_kind import SAMPLES, all_rows
from tests.store.samples import spelled

LISTING = Path(schema.__file__).with_name("rows.txt")
KINDS = {
    name: value
    for module in (entities, history, jobs, minutes)
    for name, value in vars(module).items()
    if isinstance(value, Kind)
}
PREFIXES = {"UNDER_MEETING", "GUESTS_OF_MEETING", "GUEST_VOTES_OF_SLOT"}
"""What other keys begin with; there are no such items."""


def _written() -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """Yields the spelled parts of the key of each row, its index keys, and the first sample that writes it."""
    whole = {key_of(write.item) for sample in SAMPLES.values() for write in sample.make() if isinstance(write, Put)}
    rows: dict[tuple[str, str, tuple[str, ...]], str] = {}
    for name, sample in SAMPLES.items():
        for write in sample.make():
            item: Item = write.item if isinstance(write, Put) else write.key.attributes
            if isinstance(write, Put) or key_of(item) not in whole:
                pk, _, sk = spelled(key_of(item)).partition(" ")
                places = tuple(f"{index} {spelled(Key('', item[index])).strip()}" for index in INDEXES if index in item)
                rows.setdefault((pk, sk, places), name)
    return ((*row, rows[row]) for row in sorted(rows))


def _listing() -> str:
    """Returns every partition with its sort keys, the index keys behind each, and what is stored there."""
    lines = []
    for pk, rows in groupby(_written(), key=lambda row: row[0]):
        lines.append(pk)
        for _, sk, places, name in rows:
            lines += [f"    {sk:<60} {name}", *(f"        {place}" for place in places)]
    return "\n".join(lines) + "\n"


def test_what_is_written_is_spelled_as_it_always_was() -> None:
    assert _listing() == LISTING.read_text(encoding="utf-8"), (
        "a new kind of row: python -m tests.store.test_stored_keys; another key: what is stored would not be found"
    )


def test_no_two_rows_are_spelled_alike() -> None:
    assert len({spelled(key) for key in all_rows()}) == len(all_rows())


def test_every_kind_of_row_has_a_sample() -> None:
    written = [" ".join(key) for key in all_rows()]
    without = {name for name, kind in KINDS.items() if not any(map(pattern_of(kind).fullmatch, written))}
    assert without == PREFIXES, "give it one in tests/store/written_on_boards.py or written_elsewhere.py"


def test_the_samples_of_a_kind_are_of_the_model_that_is_declared_with_its_key() -> None:
    of_model = {model: [row for key, row in all_rows().items() if model_at(key) is model] for model in MODELS}
    assert [model for model, rows in of_model.items() if not rows] == []
    for model, rows in of_model.items():
        whole = [row for row in rows if len(row) > len((PK, SK, TTL))]  # the others are only deleted
        assert [name for row in whole for name in model.model_validate(row).model_extra or () if name != SHAPE] == []


if __name__ == "__main__":
    LISTING.write_text(_listing(), encoding="utf-8")
