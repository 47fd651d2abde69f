"""A board pack is published: those who may read it are told, once for each version (ADR packs)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.functions.documents.conftest import reason
from tests.harness.board_scenario import Person
from tests.harness.client import Client, Response
from tests.harness.in_camera import put, secret
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.outbox import Outbox, text_of
from tests.harness.stream import event_records, process_records
from tests.packs.making import PackScenario, item, of_reportlab

pytestmark = pytest.mark.usefixtures("bucket", "in_this_process", "outbox")
_CAN_BE_READ = "It can be read now."


def publish(packs: PackScenario, client: Client | None = None) -> Response:
    """Publishes the newest pack of the meeting, and delivers everything; by default as the owner."""
    answer = (client or packs.board.owner.client).call("POST", f"{packs.meeting.path}/pack/publication")
    assert process_records(event_records(packs.board.board_id)) == []
    return answer


def told(user: Person) -> list[dict[str, Any]]:
    """Returns what a user was told of packs."""
    return [entry for entry in user.client.get("/api/notification/").json if entry["type"] == "pack_published"]


def mails_of(outbox: Outbox, user: Person) -> list[str]:
    """Returns the texts of the mails that a user was sent."""
    return [text_of(mail) for mail in outbox.mails if user.email in str(mail["To"])]


def made(packs: PackScenario, *, committee_id: str | None = None) -> Any:
    """Returns the version of a new pack with one paper."""
    packs.put_agenda(item("All", packs.paper(of_reportlab("Figures"), committeeId=committee_id)))
    version = packs.make()
    assert version["status"] == "ready"
    return version


def test_those_who_may_read_a_pack_are_told_once_in_the_app_and_by_mail(packs: PackScenario, outbox: Outbox) -> None:
    mia, guest = packs.board.member("mia"), packs.board.member("gil", access_type="guest")
    version = made(packs)
    title = packs.board.owner.client.get(packs.meeting.path).data["title"]
    assert version["publishedAt"] is None
    first, again = publish(packs), publish(packs)
    assert (first.status, first.data["id"], again.data) == (200, version["documentId"], first.data)
    for reader in (mia, guest):
        (notification,) = told(reader)
        assert notification["message"].endswith(
            f"published the board pack of the meeting “{title}”. It can be read now."
        )
        assert notification["documentId"]["_id"] == version["documentId"]
        (mail,) = [
            text_of(mail) for mail in outbox.mails if reader.email in str(mail["To"]) and _CAN_BE_READ in text_of(mail)
        ]
        assert f"/boards/{packs.board.board_id}/documents/{version['documentId']}" in mail
    assert told(packs.board.owner) == []
    assert packs.version(first.data)["publishedAt"] is not None


def test_a_new_pack_of_the_meeting_is_published_anew(packs: PackScenario) -> None:
    mia = packs.board.member("mia")
    older = made(packs)
    publish(packs)
    newer = made(packs)
    assert publish(packs).data["id"] == newer["documentId"]
    assert {entry["documentId"]["_id"] for entry in told(mia)} == {older["documentId"], newer["documentId"]}


def test_who_may_not_read_a_committees_pack_is_told_nothing_of_it(packs: PackScenario) -> None:
    mia, ben = packs.board.member("mia"), packs.board.member("ben")
    made(packs, committee_id=packs.board.committee(packs.board.owner, ben))
    assert publish(packs, mia.client).status == 404
    assert publish(packs).status == 200
    assert (len(told(ben)), told(mia)) == (1, [])


def test_only_a_pack_that_can_be_read_is_published(packs: PackScenario) -> None:
    assert publish(packs).status == 404
    packs.begin()
    assert publish(packs).status == 404


def test_a_pack_that_was_deleted_tells_nobody(packs: PackScenario) -> None:
    mia = packs.board.member("mia")
    version = made(packs)
    packs.board.owner.client.call("POST", f"{packs.meeting.path}/pack/publication")
    packs.board.owner.client.delete(f"{packs.board.path}/documents/{version['documentId']}")
    assert process_records(event_records(packs.board.board_id)) == []
    assert told(mia) == []


def test_the_pack_of_a_draft_is_not_published(packs: PackScenario) -> None:
    made(packs)
    assert packs.meeting.patch(status="draft").status == 200
    assert reason(publish(packs)) == "MEETING_IS_DRAFT"


def test_nobody_is_told_of_a_pack_that_went_in_camera_meanwhile(packs: PackScenario) -> None:
    mia, owner, version = packs.board.member("mia"), packs.board.owner, made(packs)
    assert owner.client.call("POST", f"{packs.meeting.path}/pack/publication").status == 200
    hidden = secret(owner, documentIds=[version["documentId"]])
    put(owner.client, f"{new_meeting_scenario(packs.board).path}/agenda", {"items": [hidden]})
    assert publish(packs).status == 404
    assert told(mia) == []
