"""Exports: what one holds, who gets it, how it is made although its worker is killed, and when it ends (ADR 0154)."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from typing import TYPE_CHECKING, Any

import icalendar
import pytest

from governance.exports import archive as archives
from governance.exports import parts, worker
from governance.ids import membership_id
from governance.instants import shift, to_datetime
from governance.limits import EXPORT_DAYS, EXPORT_HOURS
from governance.settings import settings
from governance.store import export_files, papers
from tests.exports import making
from tests.harness.board_scenario import BoardScenario, person
from tests.harness.bucket import keys
from tests.harness.clock import Clock
from tests.harness.meeting_scenario import from_now
from tests.harness.uploads import PDF, new_document

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

OWN = "/api/v1/me/exports"
FIELDS = {"object", "id", "boardId", "status", "url", "size", "createdAt", "expiresAt"}


def of_board(scenario: BoardScenario) -> str:
    return f"{scenario.path}/exports"


def make_content(scenario: BoardScenario) -> dict[str, Any]:
    """Fills a board with some of everything; returns the meeting."""
    owner = scenario.owner.client
    meeting = owner.post(
        f"{scenario.path}/meetings",
        {"title": "Budget", "status": "scheduled", "startTime": from_now(days=1)},
    ).data
    place = f"{scenario.path}/meetings/{meeting['id']}"
    slot = owner.post(f"{place}/slots", {"startTime": from_now(days=2), "timezone": "Europe/Paris"}).data
    owner.put(f"{place}/slots/{slot['id']}/vote", {"vote": "challenging", "comment": "Late"})
    owner.post(f"{place}/slots/{slot['id']}/confirm")
    owner.put(f"{place}/rsvp", {"status": "accepted", "comment": "By train"})
    owner.put(f"{place}/agenda", {"items": [{"title": "Opening"}]})
    owner.post(f"{place}/action-items", {"title": "Send figures", "assigneeUserId": scenario.owner.id})
    new_document(scenario, title="Policy").add()
    report = owner.post(f"{scenario.path}/reports", {"title": "Q1"}).data
    body = {"title": "Cash", "dashboardType": "uniform"}
    owner.post(f"{scenario.path}/reports/{report['id']}/dashboards", body)
    return dict(meeting)


@pytest.mark.usefixtures("bucket")
def test_an_export_holds_what_the_routes_of_the_api_answer(scenario: BoardScenario) -> None:
    meeting = make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    owner = scenario.owner.client
    for name, path in (("members", "members"), ("meetings", "meetings"), ("documents", "documents")):
        assert making.rows(opened, name) == owner.get(f"{scenario.path}/{path}").data
    place = f"{scenario.path}/meetings/{meeting['id']}"
    assert making.rows(opened, "slots") == owner.get(f"{place}/slots").data
    assert making.rows(opened, "rsvps") == owner.get(f"{place}/rsvps").data
    assert making.rows(opened, "agendas") == [owner.get(f"{place}/agenda").data]
    assert making.rows(opened, "action_items") == owner.get(f"{place}/action-items").data
    assert [row["title"] for row in making.rows(opened, "dashboards")] == ["Cash"]
    assert making.rows(opened, "board") == [owner.get(scenario.path).data]


@pytest.mark.usefixtures("bucket")
def test_exports_hold_the_comments_that_their_asker_sees_and_ones_own_those_one_wrote(scenario: BoardScenario) -> None:
    make_content(scenario)
    owner, ben = scenario.owner.client, scenario.member("ben")
    places = [f"{scenario.path}/{kind}/{owner.get(f'{scenario.path}/{kind}').data[0]['id']}" for kind in
              ("meetings", "documents", "reports")]  # fmt: skip
    places[2] += f"/dashboards/{owner.get(f'{places[2]}/dashboards').data[0]['id']}"
    draft = ben.client.post(f"{scenario.path}/meetings", {"title": "Draft"}).data["id"]
    seen = [by.post(f"{place}/comments", {"text": "T"}).data for place in places for by in (owner, ben.client)]
    hidden = ben.client.post(f"{scenario.path}/meetings/{draft}/comments", {"text": "Secret"}).data
    assert making.rows(making.export(owner, of_board(scenario)), "comments") == seen
    own = making.rows(making.export(ben.client, OWN), "comments")
    assert own == [*(each for each in seen if each["authorUserId"] == ben.id), hidden]
    seats = {"name": "C", "memberIds": [membership_id(scenario.board_id, scenario.owner.id)]}
    committee = owner.post(f"{scenario.path}/committees", seats).data["id"]
    assert owner.patch(places[1], {"committeeId": committee}).status == 200
    own = making.rows(making.export(ben.client, OWN), "comments")
    assert [each["subject"]["type"] for each in own] == ["meeting", "dashboard", "meeting"]
    seats["memberIds"].append(membership_id(scenario.board_id, ben.id))  # type: ignore[attr-defined]
    assert owner.patch(f"{scenario.path}/committees/{committee}", seats).status == 200
    assert owner.delete(places[2]).status == 200
    own = making.rows(making.export(ben.client, OWN), "comments")
    assert [each["subject"]["type"] for each in own] == ["meeting", "document", "meeting"]


@pytest.mark.usefixtures("bucket")
def test_an_export_holds_the_files_that_its_asker_may_see(scenario: BoardScenario) -> None:
    seats = {"name": "C", "memberIds": [membership_id(scenario.board_id, (inside := scenario.member("ines")).id)]}
    committee = scenario.owner.client.post(f"{scenario.path}/committees", seats).data["id"]
    new_document(scenario, inside.client, committeeId=committee).add(PDF + b"secret")
    document = new_document(scenario)
    first, second = document.add(PDF + b"1", "März.pdf"), document.add(PDF + b"2", "März.pdf")
    document.upload(PDF + b"3")
    opened = making.export(scenario.owner.client, of_board(scenario))
    files = {name: opened.read(name) for name in opened.namelist() if name.startswith("files/")}
    folder = f"files/{document.path.rpartition('/')[2]}"
    assert files == {
        f"{folder}/{first['id']}/März.pdf": PDF + b"1",
        f"{folder}/{second['id']}/März.pdf": PDF + b"2",
    }
    listed = {row["id"]: row["status"] for row in making.rows(opened, "document_versions")}
    assert len(listed) == 3
    assert (listed[first["id"]], sorted(listed.values())) == ("ready", ["ready", "ready", "uploading"])


@pytest.mark.usefixtures("bucket")
def test_a_file_that_is_deleted_while_an_export_is_made_is_left_out(scenario: BoardScenario) -> None:
    document = new_document(scenario)
    gone, kept = document.upload(PDF + b"1"), document.upload(PDF + b"2")
    for version in (gone, kept):
        assert document.complete(version["id"]).status == 200
    papers.delete([gone["upload"]["fields"]["key"]])
    opened = making.export(scenario.owner.client, of_board(scenario))
    assert [name.split("/")[2] for name in opened.namelist() if name.startswith("files/")] == [kept["id"]]


@pytest.mark.usefixtures("bucket")
def test_a_file_that_is_still_scanned_is_left_out(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALWARE_PROTECTION", "yes")
    settings.cache_clear()
    document = new_document(scenario)
    assert document.complete(document.upload()["id"]).data["status"] == "scanning"
    opened = making.export(scenario.owner.client, of_board(scenario))
    assert [row["status"] for row in making.rows(opened, "document_versions")] == ["scanning"]
    assert [name for name in opened.namelist() if name.startswith("files/")] == []


@pytest.mark.usefixtures("bucket")
def test_the_calendar_of_an_export_has_every_meeting_with_its_time_zone(scenario: BoardScenario) -> None:
    make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    calendar = icalendar.Calendar.from_ical(opened.read("meetings.ics"))
    assert [str(event["summary"]) for event in calendar.walk("VEVENT")] == ["Budget"]
    assert [str(zone["tzid"]) for zone in calendar.walk("VTIMEZONE")] == ["Europe/Paris"]


@pytest.mark.usefixtures("bucket")
def test_the_trail_of_an_export_is_a_table(scenario: BoardScenario) -> None:
    make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    table = list(csv.DictReader(io.StringIO(opened.read("audit.csv").decode(), newline="")))
    assert [row["action"] for row in table] == ["meetingCreate", "meetingUpdate", "actionItemCreate"]
    assert json.loads(table[0]["details"])["title"] == "Budget"
    assert table[0]["actorUser"] == scenario.owner.id


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_a_list_is_whole_wherever_its_chunks_end(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(parts, "CHUNK_ROWS", rows)
    make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    table = list(csv.DictReader(io.StringIO(opened.read("audit.csv").decode(), newline="")))
    assert [row["action"] for row in table] == ["meetingCreate", "meetingUpdate", "actionItemCreate"]


@pytest.mark.usefixtures("bucket")
def test_the_manifest_names_every_other_file_with_its_count_and_digest(scenario: BoardScenario) -> None:
    make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    manifest = json.loads(opened.read("manifest.json"))
    assert (manifest["version"], manifest["boardId"]) == (1, scenario.board_id)
    assert [entry["name"] for entry in manifest["files"]] == [
        each for each in opened.namelist() if each != "manifest.json"
    ]
    for entry in manifest["files"]:
        content = opened.read(entry["name"])
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        if entry["name"].endswith(".ndjson"):
            assert entry["count"] == len(content.splitlines())


@pytest.mark.usefixtures("bucket")
def test_an_export_holds_no_draft_of_another_and_no_document_of_a_committee_without_its_asker(
    scenario: BoardScenario,
) -> None:
    admin = scenario.member("ada", admin_role="admin")
    members = {each["userId"]: each["id"] for each in scenario.owner.client.get(f"{scenario.path}/members").data}
    committee = scenario.owner.client.post(
        f"{scenario.path}/committees", {"name": "Pay", "memberIds": [members[scenario.owner.id]]}
    ).data
    scenario.owner.client.post(f"{scenario.path}/documents", {"title": "Secret", "committeeId": committee["id"]})
    draft = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Hidden"}).data
    scenario.owner.client.post(f"{scenario.path}/meetings/{draft['id']}/action-items", {"title": "Hidden task"})
    theirs = making.export(admin.client, of_board(scenario))
    text = b"".join(theirs.read(name) for name in theirs.namelist())
    assert b"Secret" not in text
    assert b"Hidden" not in text
    own = making.export(scenario.owner.client, of_board(scenario))
    assert [each["title"] for each in making.rows(own, "documents")] == ["Secret"]
    assert [each["title"] for each in making.rows(own, "meetings")] == ["Hidden"]


@pytest.mark.usefixtures("bucket")
def test_ones_own_export_holds_what_one_did_on_every_board(scenario: BoardScenario) -> None:
    make_content(scenario)
    other = BoardScenario(scenario.owner, scenario.owner.client.post("/api/v1/boards", {"name": "Second"}).data["id"])
    make_content(other)
    scenario.owner.client.post("/api/v1/me/tokens", {"name": "CI", "preset": "read_only", "expiresInDays": 30})
    opened = making.export(scenario.owner.client, OWN)
    both = {scenario.board_id, other.board_id}
    for name in ("boards", "memberships", "votes", "rsvps", "action_items"):
        assert len(making.rows(opened, name)) == 2, name
    assert {row["boardId"] for row in making.rows(opened, "votes")} == both
    assert {(row["vote"], row["comment"]) for row in making.rows(opened, "votes")} == {("challenging", "Late")}
    assert {(row["status"], row["comment"]) for row in making.rows(opened, "rsvps")} == {("accepted", "By train")}
    assert making.rows(opened, "account") == [scenario.owner.client.get("/api/v1/me").data]
    assert [(row["name"], "secret" in row) for row in making.rows(opened, "tokens")] == [("CI", False)]


@pytest.mark.usefixtures("bucket")
def test_ones_own_export_holds_nothing_that_others_said(scenario: BoardScenario) -> None:
    ben = scenario.member("ben")
    body = {"title": "Budget", "status": "scheduled"}
    place = f"{scenario.path}/meetings/{scenario.owner.client.post(f'{scenario.path}/meetings', body).data['id']}"
    slot = scenario.owner.client.post(
        f"{place}/slots", {"startTime": "2031-01-08T09:00:00Z", "timezone": "Europe/Paris"}
    ).data
    for by, vote, status in ((scenario.owner, "challenging", "accepted"), (ben, "cant", "declined")):
        said = {"comment": f"Of {by.id}"}
        assert by.client.put(f"{place}/slots/{slot['id']}/vote", {"vote": vote, **said}).status == 200
        assert by.client.put(f"{place}/rsvp", {"status": status, **said}).status == 200
        assert by.client.post(f"{place}/comments", {"text": said["comment"]}).status == 201
    opened = making.export(ben.client, OWN)
    assert [(row["vote"], row["comment"]) for row in making.rows(opened, "votes")] == [("cant", f"Of {ben.id}")]
    assert [(row["status"], row["comment"]) for row in making.rows(opened, "rsvps")] == [("declined", f"Of {ben.id}")]
    assert [row["text"] for row in making.rows(opened, "comments")] == [f"Of {ben.id}"]


@pytest.mark.usefixtures("bucket")
def test_an_export_holds_the_comments_on_more_meetings_than_are_read_in_one_step(scenario: BoardScenario) -> None:
    owner, texts = scenario.owner.client, [str(number) for number in range(12)]
    for text in texts:
        meeting = owner.post(f"{scenario.path}/meetings", {"title": text, "status": "scheduled"}).data
        assert owner.post(f"{scenario.path}/meetings/{meeting['id']}/comments", {"text": text}).status == 201
    opened = making.export(owner, of_board(scenario))
    assert sorted(row["text"] for row in making.rows(opened, "comments")) == sorted(texts)


@pytest.mark.usefixtures("bucket")
def test_an_export_that_has_failed_is_not_made_after_all(scenario: BoardScenario, clock: Clock) -> None:
    client, path = scenario.owner.client, of_board(scenario)
    export_id = making.begin(client, path)
    clock.advance(hours=EXPORT_HOURS)
    making.finish()
    assert client.get(f"{path}/{export_id}").data["status"] == "failed"


@pytest.mark.usefixtures("bucket")
def test_a_ready_export_has_a_new_signed_address_for_five_minutes(scenario: BoardScenario) -> None:
    client, path = scenario.owner.client, of_board(scenario)
    created = client.post(path)
    assert created.data.keys() == FIELDS
    assert (created.data["status"], created.data["url"], created.data["size"]) == ("pending", None, None)
    export_id = created.data["id"]
    making.carry_on()
    making.finish()
    shown = client.get(f"{path}/{export_id}").data
    assert shown["status"] == "ready"
    assert "X-Amz-Expires=300" in shown["url"]
    assert shown["size"] == making.stored_size(export_id)
    assert [each["id"] for each in client.get(path).data] == [export_id]


@pytest.mark.usefixtures("bucket")
def test_only_who_asked_for_an_export_sees_it(scenario: BoardScenario) -> None:
    admin = scenario.member("ada", admin_role="admin")
    export_id = making.begin(scenario.owner.client, of_board(scenario))
    assert admin.client.get(f"{of_board(scenario)}/{export_id}").status == 404
    assert admin.client.get(of_board(scenario)).data == []
    assert scenario.owner.client.get(f"{OWN}/{export_id}").status == 404


@pytest.mark.usefixtures("bucket")
def test_one_export_of_a_board_and_one_of_a_user_run_at_a_time(scenario: BoardScenario) -> None:
    admin = scenario.member("ada", admin_role="admin")
    making.begin(scenario.owner.client, of_board(scenario))
    second = admin.client.post(of_board(scenario))
    assert (second.status, second.details["reason"]) == (409, "EXPORT_RUNNING")
    assert scenario.owner.client.post(OWN).status == 201
    assert scenario.owner.client.post(OWN).status == 409
    making.finish()
    assert admin.client.post(of_board(scenario)).status == 201


@pytest.mark.usefixtures("bucket")
def test_an_export_of_a_board_that_was_deleted_has_failed(scenario: BoardScenario) -> None:
    making.begin(scenario.owner.client, of_board(scenario))
    assert scenario.owner.client.delete(scenario.path).status == 200
    making.finish()
    assert making.stored(scenario.board_id)["status"] == "failed"


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("access", ["collaborator", "manager"])
def test_an_export_fails_once_its_asker_may_not_have_it(scenario: BoardScenario, access: str) -> None:
    admin = scenario.member("ada", admin_role="admin")
    making.begin(admin.client, of_board(scenario))
    members = scenario.owner.client.get(f"{scenario.path}/members").data
    (member_id,) = [each["id"] for each in members if each["userId"] == admin.id]
    demoted = {"adminRole": "member", "accessType": access}
    assert scenario.owner.client.patch(f"{scenario.path}/members/{member_id}", demoted).status == 200
    making.finish()
    assert making.stored(scenario.board_id)["status"] == "failed"
    assert scenario.owner.client.post(of_board(scenario)).status == 201, "another one may be asked for"


@pytest.mark.usefixtures("bucket")
def test_an_export_is_gone_after_a_week_and_has_failed_after_a_day(scenario: BoardScenario, clock: Clock) -> None:
    client, path = scenario.owner.client, of_board(scenario)
    clock.stop()
    export_id = making.begin(client, path)
    clock.advance(hours=EXPORT_HOURS, milliseconds=-1)
    assert client.post(path).status == 409
    clock.advance(hours=EXPORT_HOURS)
    assert client.get(f"{path}/{export_id}").data["status"] == "failed"
    assert client.post(path).status == 201
    clock.advance(days=EXPORT_DAYS, minutes=1)
    assert client.get(f"{path}/{export_id}").status == 404
    assert export_id not in [each["id"] for each in client.get(path).data]


def test_an_export_is_there_until_the_instant_at_which_it_expires(scenario: BoardScenario, clock: Clock) -> None:
    client, path = scenario.owner.client, of_board(scenario)
    export_id = making.begin(client, path)
    expires_at = shift(client.get(f"{path}/{export_id}").data["createdAt"], days=EXPORT_DAYS)
    clock.stop(to_datetime(shift(expires_at, seconds=-1)))
    assert client.get(f"{path}/{export_id}").status == 200
    clock.stop(to_datetime(expires_at))
    assert client.get(f"{path}/{export_id}").status == 404


def test_a_worker_that_is_killed_at_any_step_is_made_up_for(
    scenario: BoardScenario, bucket: S3Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_content(scenario)
    path = of_board(scenario)
    reference = making.export(scenario.owner.client, path)
    monkeypatch.setattr(archives, "PART_BYTES", 700)  # far below what the bucket takes: parts are only counted
    monkeypatch.setattr(archives, "_NOTED_BYTES", 1)
    monkeypatch.setattr(worker, "_PIECE_BYTES", 200)
    parts = making.FakeUploads(monkeypatch)
    export_id = making.begin(scenario.owner.client, path)
    steps = 0
    while making.run_killed(monkeypatch):
        steps += 1
        assert steps < making.MANY
    of_comments = 2  # after those on meetings, those on documents and those on dashboards
    assert steps == len([name for name in reference.namelist() if not name.startswith("files/")]) + of_comments
    made = making.opened(parts.archive())
    assert made.namelist() == reference.namelist()
    for name in set(made.namelist()) - {"manifest.json", "events.ndjson"}:
        assert made.read(name) == reference.read(name), name
    assert [key for key in keys(bucket) if key.startswith(f"{export_files.FOLDER}{export_id}/")] == []


@pytest.mark.usefixtures("bucket")
def test_a_large_archive_is_uploaded_in_parts(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "PART_BYTES", 100)
    parts = making.FakeUploads(monkeypatch)
    make_content(scenario)
    making.begin(scenario.owner.client, of_board(scenario))
    making.finish()
    assert {len(part) for part in parts.parts[:-1]} == {100}
    assert "board.ndjson" in making.opened(parts.archive()).namelist()


@pytest.mark.usefixtures("bucket")
def test_members_below_admin_and_tokens_that_may_not_write_ask_for_no_export(scenario: BoardScenario) -> None:
    member = scenario.member("ben", access_type="manager")
    assert member.client.post(of_board(scenario)).status == 403
    assert scenario.personal_token(scenario.owner, "read_only").post(OWN).status == 403
    assert scenario.token().post(of_board(scenario)).status == 403
    assert person("zoe").client.post(of_board(scenario)).status == 403
    assert scenario.personal_token(scenario.owner).post(of_board(scenario)).status == 201


@pytest.mark.usefixtures("bucket")
def test_a_restricted_board_is_exported(scenario: BoardScenario) -> None:
    scenario.set_billing_state("CANCELLED")
    assert making.export(scenario.owner.client, of_board(scenario)).namelist()
