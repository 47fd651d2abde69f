"""The e-mail of a notification: claimed and given up once; what is read before a user is notified."""

from __future__ import annotations

import pytest

from governance.models.notifications.notification import StoredNotification
from governance.store.notifications import notifications
from governance.store.schema.entities import CALENDAR_SETTINGS, PREFERENCES, USER
from governance.store.schema.keys import Item
from governance.store.table import read
from governance.store.transactions import transact
from tests.store import stored_items
from tests.store.stored_items import NOTIFICATION

pytestmark = pytest.mark.usefixtures("store")


def due(*, in_app: bool) -> StoredNotification:
    made = NOTIFICATION.model_copy(update={"mail": "due", "in_app": in_app})
    transact([notifications.create(made)])
    return made


@pytest.mark.parametrize("in_app", [True, False])
def test_a_notification_whose_mail_is_given_up_is_listed_and_says_so(in_app: bool) -> None:
    made = due(in_app=in_app)
    transact([notifications.throttle_mail(made)])
    assert notifications.newest(stored_items.USER) == [made.model_copy(update={"mail": "throttled", "in_app": True})]


def test_a_mail_that_is_claimed_is_sent_until_the_claim_is_given_back() -> None:
    made = due(in_app=True)
    transact([notifications.claim_mail(made, "claim")])
    assert [notification.mail for notification in notifications.newest(stored_items.USER)] == ["sent"]
    assert _stored(made)["mailClaim"] == "claim"
    transact([notifications.release_mail(made, "claim")])
    assert notifications.newest(stored_items.USER) == [made]
    assert "mailClaim" not in _stored(made)


def _stored(notification: StoredNotification) -> Item:
    return read([notifications.key(notification.user_id, notification.id)]).popitem()[1]


def test_a_user_is_notified_by_their_preferences_and_in_their_time_zone() -> None:
    user_id, id_ = stored_items.USER, stored_items.ONE
    assert set(notifications.recipient_keys(user_id, id_)) == {
        notifications.key(user_id, id_),
        *(entity.key_for(userId=user_id) for entity in (USER, PREFERENCES, CALENDAR_SETTINGS)),
    }
