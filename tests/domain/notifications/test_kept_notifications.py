"""Notifications as they are kept: for how long, which are read, and the sentence of each."""

from __future__ import annotations

from typing import Any

import pytest

from governance.domain.notifications import notifications as notifications_rules
from governance.ids import UserId
from governance.models.notifications.notification import ReadMark, StoredNotification
from tests.domain.samples import THEN, later, user

OWNER = UserId("0" * 24)


def kept(**members: Any) -> StoredNotification:
    usual: dict[str, Any] = {"id": "n", "user_id": OWNER, "type": "board_update", "message": "changed it.", "refs": {}}
    more = {"in_app": True, "mail": "none", "created_at": THEN, "updated_at": THEN, "delivered_at": THEN}
    return StoredNotification.model_validate({**usual, **more, **members})


def test_a_notification_is_kept_for_180_days() -> None:
    first = later(THEN, days=-180)
    assert not notifications_rules.is_kept(kept(created_at=first), THEN)
    assert notifications_rules.is_kept(kept(created_at=later(first)), THEN)


def test_a_notification_is_read_alone_by_its_id_or_with_all_that_were_delivered_until_the_mark() -> None:
    mark = ReadMark(user_id=OWNER, until=THEN, ids=("x",))
    assert notifications_rules.is_read(kept(), mark)
    assert not notifications_rules.is_read(kept(delivered_at=later(THEN)), mark)
    assert notifications_rules.is_read(kept(delivered_at=later(THEN), read=True), mark)
    assert notifications_rules.is_read(kept(id="x", delivered_at=later(THEN)), mark)


def test_marking_all_as_read_names_those_of_the_last_quarter_of_an_hour() -> None:
    until = later(THEN, minutes=-15)
    listed = [kept(id="old", delivered_at=until), kept(id="young", delivered_at=later(until))]
    mark = notifications_rules.all_read(ReadMark(user_id=OWNER, version=3), listed, THEN)
    assert (mark.until, mark.ids, mark.marked_at, mark.version) == (until, ("young",), THEN, 4)
    again = notifications_rules.all_read(mark, [], THEN)
    assert (again.ids, again.until, again.version) == (("young",), until, 5)
    assert notifications_rules.all_read(mark, [], later(THEN)).ids == ()


@pytest.mark.parametrize(
    ("message", "refs", "named", "sentence"),
    [
        ("changed it.", {"triggeringUserId": "u"}, True, "Ada Lovelace changed it."),
        ("changed it.", {"inviterId": "u"}, True, "Ada Lovelace changed it."),
        ("changed it.", {"acceptingUserId": "u"}, True, "Ada Lovelace changed it."),
        ("changed it.", {"triggeringUserId": "u"}, False, "Somebody changed it."),
        ("changed it.", {}, True, "An access token of the board changed it."),
        ("A webhook was disabled.", {"triggeringUserId": "u"}, True, "A webhook was disabled."),
    ],
)
def test_a_sentence_begins_with_the_present_name_of_its_actor(
    message: str, refs: dict[str, str], named: bool, sentence: str
) -> None:
    actor = "Ada Lovelace" if named else None
    assert notifications_rules.sentence(kept(message=message, refs=refs), actor, "en") == sentence
    if not named:
        assert notifications_rules.sentence(kept(message=message, refs=refs), "", "en") == sentence


def test_a_name_is_kept_by_who_has_changed_nothing_since() -> None:
    assert notifications_rules.has_kept_name(user(updated_at=THEN), kept(created_at=THEN))
    assert not notifications_rules.has_kept_name(user(updated_at=later(THEN)), kept(created_at=THEN))


def test_a_notification_is_about_the_meeting_that_its_link_names() -> None:
    link = f"/boards/{'b' * 24}/meetings/{'e' * 24}"
    assert notifications_rules.linked_meeting(kept(refs={"meetingLink": link})) == "e" * 24
    assert notifications_rules.linked_meeting(kept()) is None
