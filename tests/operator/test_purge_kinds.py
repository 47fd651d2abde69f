"""What the purge of a user leaves of a row of each kind, and that it and a merge miss no kind that names a person."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from governance.instants import epoch, shift
from governance.store.attributes import marshal
from governance.store.schema import entities, minutes
from governance.store.schema.entities import BOARD, MEMBER, PURGE, sent_invite_key
from governance.store.schema.keys import TTL, Entity, Item, Key
from governance.usecases.members.belongings import BELONGINGS
from infra.operator.kinds import MODELS_OF_KINDS, names_in
from infra.operator.purging import purge_users
from tests.harness.sdk import dynamodb as client
from tests.harness.table_snapshot import TableSnapshot
from tests.operator.purge_scenario import rows_with
from tests.store import stored_items
from tests.store.rows_of_every_kind import OUTLIVES_USER, all_rows
from tests.store.samples import spelled
from tests.store.stored_items import CODE, INVITE, MAIL, MAIL_DIGEST, NOW, USER

WORDS = "Ann's own words"
OF_A_PERSON = ("assigneeName", "comment", "firstName", "lastName", "message", "text")
"""The attributes that hold a person's name, or what they say in their own."""
IN_A_WEEK = epoch(shift(NOW, days=7))
"""What expires until then may name a purged user."""


def rows_that_name_the_user() -> list[Item]:
    """Returns a row of every kind; the user does not own the board, and nobody has begun to purge them."""
    rows = all_rows()
    del rows[PURGE.key_for(userId=USER)]
    rows[MEMBER.key_for(boardId=stored_items.BOARD, userId=USER)] |= {"adminRole": "member"}
    rows[BOARD.key_for(boardId=stored_items.BOARD)] |= {"inviteCode": CODE}
    to_another = sent_invite_key(USER, INVITE.created_at, "9" * 24)
    sent = rows[sent_invite_key(USER, INVITE.created_at, INVITE.id)]
    rows[to_another] = {**sent, **to_another.attributes, "invite_id": "9" * 24, "invitee_email": "ben@example.com"}
    return [row | _words_in(key, row) for key, row in rows.items()]


def _words_in(key: Key, row: Item) -> dict[str, Any]:
    """Returns the attributes of a row that may hold a person's name, words or address, with the user's."""
    if key.pk.startswith("EVENTS#"):
        return {"details": {"memberEmail": MAIL}, "deliveryData": {"inviteeEmail": MAIL, "memberEmail": MAIL}}
    is_content = key.pk.startswith("PAYLOAD#")  # the notes of action items, the texts of dashboards
    is_remark = minutes.MINUTES_REMARK_PREFIX in key.sk  # what was said to minutes stays, without who said it
    return {} if is_content or is_remark else {name: WORDS for name in OF_A_PERSON if name in row}


@pytest.mark.usefixtures("bucket")
def test_a_purge_leaves_no_address_and_no_words_of_a_person_in_a_row_of_any_kind_and_their_id_only_where_it_is_needed(
    store: str,
) -> None:
    for row in rows_that_name_the_user():
        client().put_item(TableName=store, Item=marshal(row))
    assert all(rows_with(text) for text in (MAIL, MAIL_DIGEST, WORDS))
    purge_users([USER])
    assert [row for text in (MAIL, MAIL_DIGEST, WORDS) for row in rows_with(text)] == []
    rows = TableSnapshot().items
    left = {spelled(Key(*key)) for key in rows_with(USER) if rows.get(key, {}).get(TTL, inf) > IN_A_WEEK}
    assert left == OUTLIVES_USER, "delete it in usecases/operator/purge.py, or say in its sample why it stays"


PERSON = ("unregistered_user_id", "unregistered_user_ids")


def test_whatever_names_a_person_without_an_account_moves_with_a_merge() -> None:
    declared = [value for value in vars(entities).values() if isinstance(value, Entity)]
    by_key = {entity for entity in declared if "unregisteredUserId" in entity.parameters}
    by_field = {entity for entity, model in MODELS_OF_KINDS.items() if any([*names_in(model, name)] for name in PERSON)}
    by_address_and_by_delivery = {entities.GUEST_VOTES_OF_SLOT, entities.NOTIFICATION}
    of_nobody = {entities.UNREGISTERED_USER, entities.MEMBER_VOTE, entities.GUEST_VOTE}  # a vote has one model
    assert {belonging.rows for belonging in BELONGINGS} == (by_key | by_field | by_address_and_by_delivery) - of_nobody
    assert {entities.AGENDA, minutes.MINUTES, entities.ACTION_ITEM, entities.UNREGISTERED_RSVP} <= by_field
