"""The rehearsal of a restore: backup, changes, revocations, purge, restore, replay. What ended does not come back."""

from __future__ import annotations

import json

import boto3
import pytest

from governance.ids import BoardId, UserId
from governance.models.account.user import UserStatus
from governance.settings import settings
from governance.store.schema.keys import Item
from governance.usecases.operator import operator
from infra.operator import doctor, purging, replay, restore
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.client import Client
from tests.harness.engine import clear_recent_admissions
from tests.harness.meeting_scenario import leave
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.restored_table import restored_table
from tests.harness.revocation_record import BUCKET, stream_changes, with_purge
from tests.harness.table_snapshot import TableSnapshot

pytestmark = pytest.mark.usefixtures("revocation_record", "outbox")
ROBOT = {"name": "robot", "preset": "read_only", "expiresInDays": None}


def _status(person: Person, token: str | None, path: str = "/api/v1/boards") -> int:
    clear_recent_admissions()
    return type(person.client)(bearer=token).get(path).status


def test_what_was_revoked_removed_suspended_and_purged_stays_so_after_a_restore(scenario: BoardScenario) -> None:
    owner, path = scenario.owner.client, scenario.path
    ben, cleo, dora, eve = (scenario.member(name) for name in ("ben", "cleo", "dora", "eve"))
    personal = ben.client.post("/api/v1/me/tokens", ROBOT).data
    kept = ben.client.post("/api/v1/me/tokens", ROBOT).data
    robot = owner.post(f"{path}/tokens", ROBOT).data
    feed = ben.client.post("/api/v1/me/calendar-feeds", {"name": "Mine"}).data
    meeting = owner.post(f"{path}/meetings", {"title": "M", "status": "scheduled"}).data["id"]
    link = owner.post(f"{path}/meetings/{meeting}/guest-link").data["token"]
    owner.post(
        f"{path}/committees", {"name": "Audit", "memberIds": [entry["id"] for entry in owner.all(f"{path}/members")]}
    )

    backup = TableSnapshot()
    assert ben.client.delete(f"/api/v1/me/tokens/{personal['id']}").status == 200
    assert owner.delete(f"{path}/tokens/{robot['id']}").status == 200
    assert ben.client.delete(f"/api/v1/me/calendar-feeds/{feed['id']}").status == 200
    assert owner.delete(f"{path}/meetings/{meeting}/guest-link").status == 200
    leave(scenario, cleo)
    operator.set_user_status(UserId(dora.id), "suspended")
    at_work = TableSnapshot()
    purging.purge_users([UserId(eve.id)])
    stream_changes(backup, at_work)
    stream_changes(at_work, with_purge(TableSnapshot(), eve.id))

    backup.restore()
    assert _status(ben, personal["secret"]) == 200
    assert _status(cleo, cleo.client.bearer, path) == 200
    ended, left = replay.replay()
    assert (ended, left) == (7, [])

    assert _status(ben, personal["secret"]) == 401
    assert _status(ben, kept["secret"]) == 200
    assert _status(ben, robot["secret"], path) == 401
    assert ben.client.all("/api/v1/me/calendar-feeds") == []
    assert owner.get(f"/api/v1/guest/{link}").status == 404
    assert _status(cleo, cleo.client.bearer, path) == 403
    assert _status(dora, dora.client.bearer) == 403
    assert "eve@" not in str([sorted(map(str, item.values())) for item in _own_rows(eve.id)])
    remaining = {member["userId"] for member in owner.all(f"{path}/members")}
    assert (remaining >= {scenario.owner.id, ben.id}, cleo.id in remaining) == (True, False)
    assert doctor.examine(BoardId(scenario.board_id)) == []
    assert replay.replay() == (0, [])


def test_who_was_removed_from_an_open_vote_is_recused_from_it_after_a_restore_too(scenario: BoardScenario) -> None:
    votes = ResolutionScenario(scenario)
    path = votes.opened()
    backup = TableSnapshot()
    leave(scenario, votes.ann)
    before = votes.voter(path, votes.ann)["recused"]
    stream_changes(backup, TableSnapshot())
    backup.restore()
    assert votes.voter(path, votes.ann)["recused"] is None
    assert replay.replay() == (1, [])
    after = votes.voter(path, votes.ann)["recused"]
    assert (after["reason"], after["byUserId"]) == (before["reason"], before["byUserId"]) == ("left", None)
    assert votes.get(path)["tally"]["eligible"] == 2


def test_an_account_has_the_status_that_it_had_last(scenario: BoardScenario) -> None:
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    backup = TableSnapshot()
    of_ben: list[UserStatus] = ["suspended", "active", "active", "suspended"]
    of_cleo: list[UserStatus] = ["suspended", "suspended", "active", "active"]
    for status, other in zip(of_ben, of_cleo, strict=True):
        before = TableSnapshot()
        operator.set_user_status(UserId(ben.id), status)
        operator.set_user_status(UserId(cleo.id), other)
        stream_changes(before, TableSnapshot())
    backup.restore()
    assert replay.replay() == (1, [])
    assert (_status(ben, ben.client.bearer), _status(cleo, cleo.client.bearer)) == (403, 200)


def _own_rows(user_id: str) -> list[Item]:
    return [item for (pk, _), item in TableSnapshot().items.items() if pk == f"USER#{user_id}"]


def test_a_member_who_joined_again_later_stays(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    before = TableSnapshot()
    leave(scenario, ben)
    stream_changes(before, TableSnapshot())
    body = json.loads(boto3.client("s3").get_object(Bucket=BUCKET, Key=_only_key())["Body"].read())
    boto3.client("s3").put_object(
        Bucket=BUCKET, Key=_only_key(), Body=json.dumps({**body, "at": "2020-01-01T00:00:00.000Z"}).encode()
    )
    before.restore()
    assert replay.replay() == (0, [])


def test_a_replaced_link_and_the_invites_of_a_removed_member_stay_ended(scenario: BoardScenario) -> None:
    owner, path, ben = scenario.owner.client, scenario.path, scenario.member("ben")
    meeting = owner.post(f"{path}/meetings", {"title": "M", "status": "scheduled"}).data["id"]
    replaced = owner.post(f"{path}/meetings/{meeting}/guest-link").data["token"]
    invited = [
        sender.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": f"{name}@example.com"}).json["inviteId"]
        for sender, name in ((scenario.owner, "gone"), (ben, "own"), (scenario.owner, "kept"))
    ]

    backup = TableSnapshot()
    assert owner.post(f"{path}/meetings/{meeting}/guest-link").data["token"] != replaced
    assert owner.put(f"/api/invite/retract/{invited[0]}").status == 200
    leave(scenario, ben)
    stream_changes(backup, TableSnapshot())
    backup.restore()
    assert replay.replay()[1] == []

    assert owner.get(f"/api/v1/guest/{replaced}").status == 404
    shown = {entry["inviteId"]: entry["status"] for entry in owner.get(f"/api/invite/{scenario.board_id}/invites").json}
    assert [shown[entry] for entry in invited] == ["retracted", "retracted", "pending"]


def test_an_invite_in_a_restored_table_ends_with_its_maker(scenario: BoardScenario) -> None:
    """The record of the invite's own end may be missing: it was another transaction."""
    owner, ben = scenario.owner.client, scenario.member("ben")
    invite = f"/api/invite/{scenario.board_id}"
    made = ben.client.post(invite, {"inviteeEmail": "own@example.com"}).json["inviteId"]
    backup = TableSnapshot()
    leave(scenario, ben)
    after = TableSnapshot()
    after.items = {key: item for key, item in after.items.items() if key[1] != f"INVITE#{made}"}
    stream_changes(backup, after)
    backup.restore()
    assert replay.replay()[1] == []
    assert [entry["status"] for entry in owner.get(f"{invite}/invites").json] == ["retracted"]


def test_a_board_that_was_deleted_and_restored_has_all_that_was_not_revoked_before(scenario: BoardScenario) -> None:
    owner, path = scenario.owner.client, scenario.path
    ben, cleo = scenario.member("ben"), scenario.member("cleo")
    kept, revoked = (owner.post(f"{path}/tokens", ROBOT).data for _ in range(2))
    feed = ben.client.post("/api/v1/me/calendar-feeds", {"boardId": scenario.board_id}).data["id"]
    meetings = [owner.post(f"{path}/meetings", {"title": "M", "status": "scheduled"}).data["id"] for _ in range(2)]
    links = [owner.post(f"{path}/meetings/{entry}/guest-link").data["token"] for entry in meetings]
    invited = [
        owner.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": f"{name}@example.com"}).json["inviteId"]
        for name in ("kept", "gone")
    ]

    backup = TableSnapshot()
    with restored_table() as reader:
        leave(scenario, cleo)
        assert owner.delete(f"{path}/tokens/{revoked['id']}").status == 200
        assert owner.delete(f"{path}/meetings/{meetings[1]}/guest-link").status == 200
        assert owner.put(f"/api/invite/retract/{invited[1]}").status == 200
        at_work = TableSnapshot()
        stream_changes(backup, at_work)
        assert owner.delete(path).status == 200
        deleted = TableSnapshot()
        stream_changes(at_work, deleted)  # starts the cleanup
        stream_changes(deleted, TableSnapshot())
        restore.restore_board(reader, BoardId(scenario.board_id))
    assert replay.replay()[1] == []

    assert {entry["userId"] for entry in owner.all(f"{path}/members")} == {scenario.owner.id, ben.id}
    assert [_status(ben, entry["secret"], path) for entry in (kept, revoked)] == [200, 401]
    assert [Client().get(f"/api/v1/guest/{link}").status for link in links] == [200, 404]
    assert [entry["id"] for entry in ben.client.all("/api/v1/me/calendar-feeds")] == [feed]
    shown = {entry["inviteId"]: entry["status"] for entry in owner.get(f"/api/invite/{scenario.board_id}/invites").json}
    assert [shown[entry] for entry in invited] == ["pending", "retracted"]
    assert replay.replay() == (0, [])


def _only_key() -> str:
    (entry,) = boto3.client("s3").list_objects_v2(Bucket=settings().revocations_bucket)["Contents"]
    return str(entry["Key"])
