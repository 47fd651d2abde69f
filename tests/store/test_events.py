"""Events as they are stored: what is emptied of one, and which of them may use the reserve."""

from __future__ import annotations

import pytest

from governance.domain.audit import PROTECTING_EVENTS
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
    protecting = stored_items.event().model_copy(update={"type": min(PROTECTING_EVENTS)})
    of_committee = protecting.model_copy(update={"committee_id": COMMITTEE})
    reserves = [getattr(events.put(each), "reserve") for each in (protecting, of_committee, stored_items.event())]  # noqa: B009
    assert reserves[0] is not None
    assert reserves[1:] == [None, None]
