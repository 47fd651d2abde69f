"""This release reads what every earlier one stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from governance.models.base import SHAPE, Stored
from governance.store.schema.keys import PK, SK, Item
from infra.operator.kinds import model_of
from tests.releases.recording import kinds_of, recorded, releases

EVERY_ITEM = [
    pytest.param(item, id=f"{release} {kind}")
    for release in releases()
    for kind, item in kinds_of(recorded(release)).items()
]
BESIDE_THE_MODEL = {SHAPE, "entry", "mailClaim", "salt"}
"""What the store keeps on a row for itself: its shape, the leaf of the log, and who is mailing it."""


@pytest.mark.parametrize("item", EVERY_ITEM)
def test_an_item_of_an_earlier_release_is_read_with_everything_that_it_holds(item: Item) -> None:
    model = model_of(item)
    assert model is not None, (item[PK], item[SK])
    stored = model.model_validate(item).item()
    held = {name: value for name, value in item.items() if name not in {"PK", "SK", "ttl", "L1", "L2", "L3", "L4"}}
    expected, actual = _without_shape(model, held), _lists(stored)
    assert _without_new(actual, expected) == expected


def _without_shape(model: type[Stored], held: Mapping[str, Any]) -> Item:
    upgraded: Item = _lists(model.upgraded(held))
    return upgraded


def _without_new(actual: Any, expected: Any) -> Any:
    """Returns a value without the members, at any depth, that the expected one does not have."""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        return {name: _without_new(actual.get(name), value) for name, value in expected.items()}
    if isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
        return [_without_new(*pair) for pair in zip(actual, expected, strict=True)]
    return actual


def _lists(value: Any) -> Any:
    """Returns a value with lists for tuples, as the store returns them."""
    if isinstance(value, Mapping):
        return {name: _lists(part) for name, part in value.items()}
    return [_lists(part) for part in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("item", EVERY_ITEM)
def test_what_a_release_stores_is_declared(item: Item) -> None:
    model = model_of(item)
    assert model is not None
    assert (model.model_validate(item).model_extra or {}).keys() <= BESIDE_THE_MODEL
