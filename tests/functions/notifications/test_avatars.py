"""The picture beside a notification: the actor's by a signed URL, or the neutral one."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from governance.domain.account.avatars import neutral_avatar
from governance.models.history.event import Event
from governance.settings import settings
from tests.functions.notifications.conftest import LIST, notify
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.stream import deliver, new_event


def picture_of(entry: Any, client: Any) -> str:
    """Fetches the avatar of a notification by its signed URL."""
    address = urlsplit(entry["avatar"])
    assert address.hostname == f"{settings().bucket_name}.s3.eu-west-1.amazonaws.com"
    assert {"X-Amz-Signature", "X-Amz-Expires"} <= set(parse_qs(address.query))
    picture = client.get_object(Bucket=settings().bucket_name, Key=address.path.removeprefix("/"))
    return str(picture["Body"].read().decode())


def test_the_avatar_is_a_signed_url_of_the_actors_picture_of_now(
    scenario: BoardScenario, ben: Person, bucket: Any
) -> None:
    notify(scenario)
    (entry,) = ben.client.get(LIST).json
    assert f"/avatars/{scenario.owner.id}.svg?" in entry["avatar"]
    assert ">OT</text>" in picture_of(entry, bucket)
    scenario.owner.client.patch("/api/v1/me", {"firstName": "\u00d8", "lastName": "<script>"})
    notify(scenario)
    assert {">\u00d8</text>" in picture_of(entry, bucket) for entry in ben.client.get(LIST).json} == {True}


def test_a_url_outside_of_the_bucket_is_not_signed(scenario: BoardScenario, ben: Person, bucket: Any) -> None:
    scenario.owner.client.patch("/api/v1/me", {"avatarUrl": "https://pictures.example/olivia.png"})
    notify(scenario)
    (entry,) = ben.client.get(LIST).json
    assert "pictures.example" not in entry["avatar"]
    assert ">OT</text>" in picture_of(entry, bucket)


def test_the_avatar_is_neutral_without_an_actor_or_name(scenario: BoardScenario, ben: Person, bucket: Any) -> None:
    deliver(new_event(scenario.board_id, Event.BOARD_CHANGED))
    scenario.owner.client.patch("/api/v1/me", {"firstName": None, "lastName": None})
    notify(scenario)
    entries = ben.client.get(LIST).json
    assert [picture_of(entry, bucket) for entry in entries] == [neutral_avatar()] * 2


def test_without_the_bucket_members_are_notified_with_the_neutral_avatar(scenario: BoardScenario, ben: Person) -> None:
    notify(scenario)
    (entry,) = ben.client.get(LIST).json
    assert "/avatars/neutral.svg?" in entry["avatar"]
