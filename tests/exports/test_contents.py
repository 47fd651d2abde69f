"""What the archive of an export holds, for whom, and in which form (ADR exports)."""

from __future__ import annotations

import csv
import hashlib
import io
import json

import icalendar
import pytest

from governance.exports import parts
from governance.ids import membership_id
from governance.settings import settings
from governance.store.documents import papers
from tests.exports import making
from tests.exports.making import OWN, make_content, of_board
from tests.harness.board_scenario import BoardScenario
from tests.harness.minutes import approve_minutes
from tests.harness.resolution_scenario import ResolutionScenario
from tests.harness.sample_bodies import SERIES
from tests.harness.sample_requests import sample_request
from tests.harness.uploads import PDF, kept_at, new_document

pytestmark = pytest.mark.usefixtures("bucket")


def test_an_export_holds_what_the_routes_of_the_api_answer(scenario: BoardScenario) -> None:
    meeting = make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    owner = scenario.owner.client
    planned = (("agenda_templates", "agenda-templates"), ("backlog", "backlog"), ("plan", "plan"))
    for name, path in (("members", "members"), ("meetings", "meetings"), ("documents", "documents"), *planned):
        assert making.rows(opened, name) == owner.get(f"{scenario.path}/{path}").data
    place = f"{scenario.path}/meetings/{meeting['id']}"
    assert making.rows(opened, "slots") == owner.get(f"{place}/slots").data
    assert making.rows(opened, "rsvps") == owner.get(f"{place}/rsvps").data
    assert making.rows(opened, "agendas") == [owner.get(f"{place}/agenda").data]
    assert making.rows(opened, "action_items") == owner.get(f"{place}/action-items").data
    assert [row["title"] for row in making.rows(opened, "dashboards")] == ["Cash"]
    assert making.rows(opened, "board") == [owner.get(scenario.path).data]


def test_an_export_holds_the_open_correction_of_minutes_and_the_approvals_of_all_versions(
    scenario: BoardScenario,
) -> None:
    owner = scenario.owner.client
    request = sample_request("GET /api/v1/boards/{boardId}/meetings/{meetingId}/minutes/corrections", scenario)
    minutes = request.path.rpartition("/")[0]
    assert owner.post(f"{minutes}/circulation").status == 201
    approve_minutes(owner, minutes)
    assert owner.post(request.path, {"items": [{"text": "Third"}]}).status == 201
    opened = making.export(owner, of_board(scenario))
    assert making.rows(opened, "minutes_corrections") == [request.by(owner).data]
    approvals = [owner.get(f"{minutes}/approval", **query).data for query in ({}, {"version": 2}, {"version": 1})]
    exported = making.rows(opened, "minutes_approvals")
    assert [row for row in exported if row["meetingId"] == approvals[0]["meetingId"]] == approvals
    assert [approval["status"] for approval in approvals] == ["draft", "approved", "corrected"]
    assert [version["version"] for version in making.rows(opened, "minutes_versions")] == [1, 2]


def test_an_export_holds_the_series_that_its_asker_sees(scenario: BoardScenario) -> None:
    inside = scenario.member("ines", access_type="manager")
    path, committee = f"{scenario.path}/series", scenario.committee(inside)
    assert inside.client.post(path, {**SERIES, "committeeId": committee}).status == 201
    assert scenario.owner.client.post(path, SERIES).status == 201
    opened = making.export(scenario.owner.client, of_board(scenario))
    assert making.rows(opened, "series") == scenario.owner.client.get(path).data
    assert len(making.rows(opened, "series")) == 1


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
    assert own == [*(comment for comment in seen if comment["authorUserId"] == ben.id), hidden]
    committee = scenario.committee(scenario.owner)
    assert owner.patch(places[1], {"committeeId": committee}).status == 200
    own = making.rows(making.export(ben.client, OWN), "comments")
    assert [comment["subject"]["type"] for comment in own] == ["meeting", "dashboard", "meeting"]
    seats = [membership_id(scenario.board_id, member.id) for member in (scenario.owner, ben)]
    assert owner.patch(f"{scenario.path}/committees/{committee}", {"memberIds": seats}).status == 200
    assert owner.delete(places[2]).status == 200
    own = making.rows(making.export(ben.client, OWN), "comments")
    assert [comment["subject"]["type"] for comment in own] == ["meeting", "document", "meeting"]


def test_an_export_holds_the_files_that_its_asker_may_see(scenario: BoardScenario) -> None:
    inside = scenario.member("ines")
    new_document(scenario, inside.client, committeeId=scenario.committee(inside)).add(PDF + b"secret")
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


def test_a_file_that_is_deleted_while_an_export_is_made_is_left_out(scenario: BoardScenario) -> None:
    document = new_document(scenario)
    gone, kept = document.upload(PDF + b"1"), document.upload(PDF + b"2")
    for version in (gone, kept):
        assert document.complete(version["id"]).status == 200
    papers.delete([kept_at(gone)])
    opened = making.export(scenario.owner.client, of_board(scenario))
    assert [name.split("/")[2] for name in opened.namelist() if name.startswith("files/")] == [kept["id"]]


def test_a_file_that_is_still_scanned_is_left_out(scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALWARE_PROTECTION", "yes")
    settings.cache_clear()
    document = new_document(scenario)
    assert document.complete(document.upload()["id"]).data["status"] == "scanning"
    opened = making.export(scenario.owner.client, of_board(scenario))
    assert [row["status"] for row in making.rows(opened, "document_versions")] == ["scanning"]
    assert [name for name in opened.namelist() if name.startswith("files/")] == []


def test_the_calendar_of_an_export_has_every_meeting_with_its_time_zone(scenario: BoardScenario) -> None:
    make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    calendar = icalendar.Calendar.from_ical(opened.read("meetings.ics"))
    assert [str(event["summary"]) for event in calendar.walk("VEVENT")] == ["Budget"]
    assert [str(zone["tzid"]) for zone in calendar.walk("VTIMEZONE")] == ["Europe/Paris"]


def test_the_trail_of_an_export_is_a_table(scenario: BoardScenario) -> None:
    make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    table = list(csv.DictReader(io.StringIO(opened.read("audit.csv").decode("utf-8-sig"), newline="")))
    assert [row["action"] for row in table] == ["meetingCreate", "meetingUpdate", "actionItemCreate"]
    assert opened.read("audit.csv").startswith(b"\xef\xbb\xbfid,"), opened.read("audit.csv")[:20]
    assert json.loads(table[0]["details"])["title"] == "Budget"
    assert table[0]["actorUser"] == scenario.owner.id


@pytest.mark.parametrize("rows", [1, 2, 3, 4])
def test_a_list_is_whole_wherever_its_chunks_end(
    scenario: BoardScenario, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(parts, "CHUNK_ROWS", rows)
    make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    table = list(csv.DictReader(io.StringIO(opened.read("audit.csv").decode("utf-8-sig"), newline="")))
    assert [row["action"] for row in table] == ["meetingCreate", "meetingUpdate", "actionItemCreate"]


def test_the_manifest_names_every_other_file_with_its_count_and_digest(scenario: BoardScenario) -> None:
    make_content(scenario)
    opened = making.export(scenario.owner.client, of_board(scenario))
    manifest = json.loads(opened.read("manifest.json"))
    assert (manifest["version"], manifest["boardId"]) == (1, scenario.board_id)
    assert [entry["name"] for entry in manifest["files"]] == [
        file for file in opened.namelist() if file != "manifest.json"
    ]
    for entry in manifest["files"]:
        content = opened.read(entry["name"])
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
        if entry["name"].endswith(".ndjson"):
            assert entry["count"] == len(content.splitlines())


def test_an_export_holds_no_draft_of_another_and_no_document_of_a_committee_without_its_asker(
    scenario: BoardScenario,
) -> None:
    admin = scenario.member("ada", admin_role="admin")
    secret = {"title": "Secret", "committeeId": scenario.committee(scenario.owner)}
    scenario.owner.client.post(f"{scenario.path}/documents", secret)
    draft = scenario.owner.client.post(f"{scenario.path}/meetings", {"title": "Hidden"}).data
    scenario.owner.client.post(f"{scenario.path}/meetings/{draft['id']}/action-items", {"title": "Hidden task"})
    theirs = making.export(admin.client, of_board(scenario))
    text = b"".join(theirs.read(name) for name in theirs.namelist())
    assert b"Secret" not in text
    assert b"Hidden" not in text
    own = making.export(scenario.owner.client, of_board(scenario))
    assert [document["title"] for document in making.rows(own, "documents")] == ["Secret"]
    assert [meeting["title"] for meeting in making.rows(own, "meetings")] == ["Hidden"]


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


def test_an_export_holds_the_comments_on_more_meetings_than_are_read_in_one_step(scenario: BoardScenario) -> None:
    owner, texts = scenario.owner.client, [str(number) for number in range(12)]
    for text in texts:
        meeting = owner.post(f"{scenario.path}/meetings", {"title": text, "status": "scheduled"}).data
        assert owner.post(f"{scenario.path}/meetings/{meeting['id']}/comments", {"text": text}).status == 201
    opened = making.export(owner, of_board(scenario))
    assert sorted(row["text"] for row in making.rows(opened, "comments")) == sorted(texts)


def test_an_export_has_the_resolutions_and_ballots_that_its_asker_may_see(scenario: BoardScenario) -> None:
    votes, owner = ResolutionScenario(scenario), scenario.owner
    named, hidden = (
        votes.opened(),
        votes.opened(ballots="hidden", voters=[{"userId": owner.id}, {"userId": votes.ann.id}]),
    )
    secret = votes.opened(ballots="secret")
    committee_id = scenario.committee(votes.manager, *votes.voters)
    theirs = votes.opened(committeeId=committee_id)
    for path in (named, hidden, secret, theirs):
        assert votes.vote(path, votes.ann).status == 200
    assert votes.vote(hidden, owner, "against").status == 200
    exported = making.export(owner.client, of_board(scenario))
    shown = [*reversed(owner.client.get(votes.path).data)]
    assert {resolution["id"] for resolution in shown} == {path.rpartition("/")[2] for path in (named, hidden, secret)}
    assert making.rows(exported, "resolutions") == shown
    ids = [resolution["id"] for resolution in shown]
    ballots = [ballot for id_ in ids for ballot in owner.client.get(f"{votes.path}/{id_}/ballots").data]
    assert making.rows(exported, "ballots") == ballots
    chosen = {(ballot["userId"], ballot["choice"]) for ballot in ballots}
    assert chosen == {(votes.ann.id, "for"), (owner.id, "against"), (votes.ann.id, None)}
