"""What the store keeps comes back as it was, in the very form that the SDK's own converters give."""

from __future__ import annotations

import pytest
from boto3.dynamodb.types import TypeSerializer
from hypothesis import given
from hypothesis import strategies as st

from governance.models.base import Stored
from governance.store.attributes import marshal, unmarshal
from governance.store.schema.keys import INDEXES, PK, SK, TTL

TEXTS = st.text(max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**37), 10**37) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=3))
def test_members_come_back_as_they_were_from_the_form_of_the_sdk(members: dict[str, object]) -> None:
    serialize = TypeSerializer().serialize
    stored = marshal(members)
    assert stored == {name: serialize(value) for name, value in members.items()}
    assert unmarshal(stored) == members


@pytest.mark.parametrize(
    "value", [1.5, {"a"}, frozenset(), frozenset({1}), frozenset({1, "a"}), b"raw", [0.1], object()]
)
def test_what_the_store_would_round_or_not_know_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        marshal({"member": value})


def test_a_stored_model_has_every_unknown_member_but_those_of_the_store() -> None:
    assert Stored.model_validate({PK: "a", SK: "b", TTL: 1, **dict.fromkeys(INDEXES, "c"), "newer": 5}).item() == {
        "newer": 5
    }
