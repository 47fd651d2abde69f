"""Events as they are stored: what is emptied of one, and which of them may use the reserve."""

from __future__ import annotations

import pytest

from governance.store import events
from governance.store.schema.keys import key_of
from governance.store.table import read_one
from governance.store.transactions import transact
from governance.store.writes import Put
from tests.store import stored_items
from tests.store.stored_items import COMMITTEE


@pytest.mark.usefixtures("store")
def test_all_named_members_of_an_event_are_emptied_and_no_others() -> None:
    data, details = {"email": "a", "name": "b", "kept": "c"}, {"to": "d", "from": "e"}
    made = stored_items.event().model_copy(update={"delivery_data": data, "details": details})
    put = events.put(made)
    assert isinstance(put, Put)
    key = key_of(put.item)
    transact([put])
    transact([events.redact(key, ["email", "name"], ["to", "from"])])
    found = read_one(key)
    assert found is not None
    assert found["deliveryData"] == {"email": "", "name": "", "kept": "c"}
    assert found["details"] == {"to": None, "from": None}


def test_only_an_event_of_the_whole_board_that_protects_it_has_a_reserve() -> None:
    whole, of_committee = stored_items.event(), stored_items.event(committee_id=COMMITTEE)
    writes = [
        events.put(whole, is_protecting=True),
        events.put(of_committee, is_protecting=True),
        events.put(whole),
    ]
    assert [isinstance(write, Put) and write.reserve is not None for write in writes] == [True, False, False]
