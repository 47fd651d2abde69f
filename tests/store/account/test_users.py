"""Users: a change of the address, a row that changed since it was read, and the keys that a purge deletes."""

from __future__ import annotations

import pytest

from governance.models.account.user import StoredUser
from governance.store import table, transactions
from governance.store.account import users
from governance.store.schema.entities import CALENDAR_FEED, FEED_BOARDS, TOKEN_OWNER, USER_TOKEN, token_use_key
from governance.store.schema.keys import make_item
from governance.store.writes import Put, StaleRead
from tests.store.stored_items import MAIL, NOW, ONE, USER

pytestmark = pytest.mark.usefixtures("store")
NEW_MAIL = "new@example.com"
ANN = StoredUser(id=USER, email=MAIL, created_at=NOW, updated_at=NOW)


def test_a_user_is_found_by_the_new_address_after_a_change_and_the_old_one_is_a_former_address() -> None:
    transactions.transact(users.create(ANN))
    transactions.transact(users.replace(ANN, ANN.model_copy(update={"email": NEW_MAIL, "version": 2})))
    assert (users.user_ids_by_email(NEW_MAIL), users.user_ids_by_email(MAIL)) == ([USER], [])
    assert users.former_addresses(USER) == [MAIL]


def test_a_user_who_changed_since_the_read_is_not_replaced_by_a_remainder() -> None:
    transactions.transact(users.create(ANN))
    changed = ANN.model_copy(update={"first_name": "Ann", "version": 2})
    transactions.transact(users.replace(ANN, changed))
    remainder = ANN.model_copy(update={"email": "", "purged": True, "version": 2})
    with pytest.raises(StaleRead):
        transactions.transact(users.replace_with_remainder(ANN, remainder))
    assert users.find(USER) == changed
    assert users.user_ids_by_email(MAIL) == [USER]


def test_the_rows_of_a_users_tokens_and_feeds_are_personal_with_their_last_use_and_a_feeds_boards() -> None:
    feed, token = "f" * 24, ONE
    own = [CALENDAR_FEED.key_for(userId=USER, feedId=feed), USER_TOKEN.key_for(userId=USER, tokenId=token)]
    transactions.transact([Put(make_item(key, {"id": id_})) for key, id_ in zip(own, (feed, token), strict=True)])
    expected = {*own, FEED_BOARDS.key_for(feedId=feed), token_use_key(feed)}
    expected |= {TOKEN_OWNER.key_for(tokenId=token), token_use_key(token)}
    assert sorted(users.personal_keys(USER)) == sorted(expected)
    transactions.delete_all(users.personal_keys(USER))
    assert table.read(expected) == {}
