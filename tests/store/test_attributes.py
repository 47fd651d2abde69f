"""What the store keeps comes back as it was, in the very form that the SDK's own converters give."""

from __future__ import annotations

import pytest
from boto3.dynamodb.types import TypeSerializer
from hypothesis import given
from hypothesis import strategies as st

from governance.store.attributes import marshal, unmarshal

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**37), 10**37) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(), VALUES))
def test_members_come_back_as_they_were(members: dict[str, object]) -> None:
    assert unmarshal(marshal(members)) == members


@given(st.dictionaries(st.text(), VALUES))
def test_the_form_is_the_one_of_the_sdk(members: dict[str, object]) -> None:
    serialize = TypeSerializer().serialize
    assert marshal(members) == {name: serialize(value) for name, value in members.items()}


@pytest.mark.parametrize("value", [1.5, {"a"}, frozenset(), frozenset({1}), b"raw", [0.1], object()])
def test_what_the_store_would_round_or_not_know_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        marshal({"member": value})
