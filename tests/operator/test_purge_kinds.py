"""What the purge of a user leaves of a row of each kind, those that no request of a test wrote too."""

from __future__ import annotations

import re
from typing import Any

import pytest

from governance.store.attributes import marshal
from governance.store.schema.entities import BOARD, MEMBER, PURGE, sent_invite_key
from governance.store.schema.keys import Item, Key
from infra.operator.purging import purge_users
from tests.harness.sdk import dynamodb as client
from tests.operator.purge_scenario import rows_with
from tests.store import stored_items
from tests.store.rows_of_every_kind import all_rows
from tests.store.stored_items import CODE, INVITE, MAIL, MAIL_DIGEST, USER
from tests.store.written_elsewhere import CONNECTION

WORDS = "Ann's own words"
OF_A_PERSON = ("assigneeName", "comment", "firstName", "lastName", "message", "text")
"""The attributes that hold a person's name, or what they say in their own."""
MEMBERSHIP = "memberships stay, and the name and address of the member are gone"
CONTENT = "the board's, of which the user is the creator"
EVENT = "an event of the board, whose addresses are gone; it expires"
EXPIRES = "it expires within a week"
LEFT = {
    "ALLOWANCE#INVITES#<user> USES": EXPIRES,
    "ALLOWANCE#INVITE_NOTIFICATIONS#<user> USES#<id>#<user>": EXPIRES,
    "ALLOWANCE#SENDER_INVITE_MAILS#<user> USES": EXPIRES,
    "ALLOWANCE#TEST_MAILS#<user> USES": EXPIRES,
    "ALLOWANCE#WEBHOOK_ATTEMPTS#<user> USES#slow_webhook": EXPIRES,
    "BOARD#<id> ACTION#<id>": "the board's; the name of the assignee is gone, and their id stays",
    "BOARD#<id> COUNT#OPEN_ITEMS#<user>": "a count of the board's items",
    "BOARD#<id> DOCUMENT#<id>": CONTENT,
    "BOARD#<id> DOCUMENT#<id>#VERSIONS": CONTENT,
    "BOARD#<id> MEETING#<id>#SLOT#<id>": CONTENT,
    "BOARD#<id> MEETING#<id>#SLOT#<id>#VOTE#<id>#U#<user>": "of a membership; what the user wrote with it is gone",
    "BOARD#<id> MEMBER#<user>": MEMBERSHIP,
    "BOARD#<id> REPORT#<id>": CONTENT,
    "BOARD#<id> REPORT#<id>#DASHBOARD#<id>": CONTENT,
    "BOARD#<id> TOKEN#<id>": CONTENT,
    "BOARDS#<user> BOARD#<id>": MEMBERSHIP,
    "CONNECTION#<connection> CONNECTION": EXPIRES,
    "DELETED_DRAFT#<id> CREATOR": "hides the draft from others while their notifications name it; it expires with them",
    "EVENTS#<id>#<month> BOARD#<time>#<id>": EVENT,
    "EVENTS#<id>#<month> DOCS#C#<id>#<time>#<id>": EVENT,
    "EVENTS#<id>#<month> DRAFTS#<user>#<time>#<id>": EVENT,
    "EVENTS#<id>#RESERVE BOARD#<time>#<id>": EVENT,
    "EXPORTS#<id> EXPORT#<user>#<id>": EXPIRES,
    "EXPORTS#<user> EXPORT#<user>#<id>": EXPIRES,
    "LISTENER#<user> CONNECTION#<time>#<connection>": EXPIRES,
    "LISTENER#<user> RECORDED#wsConnect#": EXPIRES,
    "LISTENER#<user> RECORDED#wsRoomJoin#<id>": EXPIRES,
    "MEETINGS#<id> MEETING#<id>": CONTENT,
    "PAYLOAD#<id>#<id> BODY#VOTERS#00": "who voted, and what: a decision of the board stands; comments are gone",
    "RATE#<user> WINDOW": EXPIRES,
    "RESOLUTIONS#<id> DEPARTURE#<time>#<id>": "says that the user left; it expires",
    "RESOLUTIONS#<id> DEPARTURE#<time>#<id>#1": "says that the user left a committee; it expires",
    "RESOLUTIONS#<id> RESOLUTION#<id>": CONTENT,
    "ROOM#<id> <user>#<connection>": EXPIRES,
    "TICKET#<digest> TICKET": EXPIRES,
    "USER#<user> COUNT#BOARDS": MEMBERSHIP,
    "USER#<user> USER": "the remainder, without a name and an address",
    "VIEWS#<user> DOCUMENT#<id>": EXPIRES,
}
"""The rows that name the user's id, by how their keys are spelled; beside the audit trail, which stays as it is."""


def spelled(key: Key) -> str:
    """Returns a key with words in place of its ids, much as the docstring of the schema has it."""
    text = f"{key.pk} {key.sk}".replace(USER, "<user>").replace(CONNECTION.id, "<connection>")
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "<time>", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "<digest>", text)
    return re.sub(r"\b[0-9a-f]{12,24}\b", "<id>", re.sub(r"#\d{4}-\d\d ", "#<month> ", text))


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
    return {} if is_content else {name: WORDS for name in OF_A_PERSON if name in row}


@pytest.mark.usefixtures("bucket")
def test_a_purge_leaves_no_address_and_no_words_of_a_person_in_a_row_of_any_kind_and_their_id_only_where_it_is_needed(
    store: str,
) -> None:
    for row in rows_that_name_the_user():
        client().put_item(TableName=store, Item=marshal(row))
    assert all(rows_with(text) for text in (MAIL, MAIL_DIGEST, WORDS))
    purge_users([USER])
    assert [row for text in (MAIL, MAIL_DIGEST, WORDS) for row in rows_with(text)] == []
    left = {spelled(Key(*key)) for key in rows_with(USER)}
    assert left == LEFT.keys(), (
        "delete it in usecases/operator/purge.py or store/account/users.py, or say above why it stays"
    )
