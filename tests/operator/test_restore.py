"""`boardctl restore` brings back an entity with all of its rows; `boardctl doctor` mends what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click
import pytest

from governance.ids import BoardId, UserId
from governance.limits import BATCH_BYTES, DASHBOARD_BYTES
from governance.store.members.unregistered_users import ids_by_email
from governance.store.schema.keys import Item
from governance.store.transactions import transact
from governance.store.writes import StaleRead, Write
from infra.operator import doctor, purging, restore
from infra.operator.table_reader import TableReader
from tests.harness.board_scenario import BoardScenario, Person
from tests.harness.fault_injection import hooked
from tests.harness.history import event_items
from tests.harness.meeting_scenario import new_meeting_scenario
from tests.harness.outbox import Outbox
from tests.harness.restored_table import restored_table
from tests.harness.stream import event_records, process_records, record
from tests.harness.table_snapshot import TableSnapshot
from tests.operator import purge_scenario
from tests.operator.commands import boardctl
from tests.operator.torn_rows import assert_mended, lose, put, stored

FIELD = {"fieldId": "arr", "isStub": False, "label": "ARR", "displayOrder": 1, "value": 5}


class _World:
    """A board with everything, and a copy of its table as it was."""

    def __init__(self, scenario: BoardScenario) -> None:
        self.scenario, self.client, self.path = scenario, scenario.owner.client, scenario.path
        self.board_id = BoardId(scenario.board_id)
        self.ben: Person = scenario.member("ben")
        members = self.client.all(f"{self.path}/members")
        self.committee = self.create("committees", {"name": "Audit", "memberIds": [member["id"] for member in members]})
        self.meeting = self.create(
            "meetings", {"title": "M", "status": "scheduled", "startTime": "2098-01-01T09:00:00Z"}
        )
        slot = {"startTime": "2099-01-01T09:00:00Z", "timezone": "Europe/Paris"}
        self.slot = self.create(f"meetings/{self.meeting}/slots", slot)
        self.client.put(f"{self.path}/meetings/{self.meeting}/slots/{self.slot}/vote", {"vote": "ok"})
        self.ben.client.put(f"{self.path}/meetings/{self.meeting}/rsvp", {"status": "accepted"})
        item = {"title": "A", "notes": {"type": "doc"}, "assigneeUserId": self.ben.id}
        self.item = self.create(f"meetings/{self.meeting}/action-items", item)
        links = {"title": "D", "meetingIds": [self.meeting], "committeeId": None}
        self.document = self.create("documents", links)
        self.create("documents", {"title": "Secret", "committeeId": self.committee})
        self.report = self.create("reports", {"title": "R"})
        self.dashboard = self.new_dashboard()
        self.client.post(f"/api/invite/{scenario.board_id}", {"inviteeEmail": "new@example.com"})

    def new_dashboard(self) -> str:
        body = {"dashboardType": "uniform", "uniform": {"fields": [FIELD]}}
        return self.create(f"reports/{self.report}/dashboards", body)

    def create(self, path: str, body: dict[str, Any]) -> str:
        response = self.client.post(f"{self.path}/{path}", body)
        assert response.status in {200, 201}, response.text
        created = response.json.get("data", response.json)
        return str(created.get("id") or created["_id"])

    def seen(self) -> dict[str, Any]:
        """Returns what the owner and a member see of the board."""
        lists = (
            *("committees", "meetings", "documents", f"documents?{self.meeting}", "reports", "members"),
            *(f"meetings/{self.meeting}/slots", f"meetings/{self.meeting}/rsvps"),
            *(f"meetings/{self.meeting}/action-items", f"reports/{self.report}/dashboards"),
        )
        return {
            f"{person.email} {path}": self._list(person, path)
            for person in (self.scenario.owner, self.ben)
            for path in lists
        } | {"mine": self.ben.client.get("/api/action-items/my").json}

    def _list(self, person: Person, path: str) -> Any:
        address, _, meeting = path.partition("?")
        query = {"meetingId": meeting} if meeting else {}
        response = person.client.get(f"{self.path}/{address}", **query)
        return response.json if response.status == 200 else response.status


@pytest.fixture
def world(scenario: BoardScenario, outbox: Outbox) -> _World:
    del outbox
    return _World(scenario)


@pytest.fixture
def earlier(world: _World) -> Iterator[TableReader]:
    """The table of this moment, restored under another name."""
    del world
    with restored_table() as reader:
        yield reader


def _deliver(world: _World) -> None:
    process_records([record(item) for item in event_items(world.board_id)])


CASES: dict[str, Callable[[_World], str]] = {
    "document": lambda world: f"documents/{world.document}",
    "meeting": lambda world: f"meetings/{world.meeting}",
    "report": lambda world: f"reports/{world.report}",
    "dashboard": lambda world: f"reports/{world.report}/dashboards/{world.dashboard}",
}


@pytest.mark.parametrize("kind", CASES)
def test_a_deleted_entity_comes_back_with_all_that_belongs_to_it(
    kind: str, world: _World, earlier: TableReader
) -> None:
    before, path = world.seen(), CASES[kind](world)
    assert world.client.delete(f"{world.path}/{path}").status == 200
    _deliver(world)
    assert world.seen() != before
    restore.restore_entity(earlier, world.board_id, kind, path.rpartition("/")[2])
    assert world.seen() == before
    assert doctor.examine(world.board_id) == []


@pytest.mark.parametrize("kind", CASES)
def test_a_changed_entity_is_as_it_was_and_what_came_later_under_it_is_gone(
    kind: str, world: _World, earlier: TableReader
) -> None:
    before, path = world.seen(), f"{world.path}/{CASES[kind](world)}"
    more: dict[str, dict[str, Any]] = {"document": {"meetingIds": []}, "dashboard": {"uniform": {"narrative": "Newer"}}}
    assert world.client.patch(path, {"title": "Newer", **more.get(kind, {})}).status == 200
    if kind == "meeting":
        world.create(f"{CASES[kind](world)}/slots", {"startTime": "2099-02-01T09:00:00Z", "timezone": "Europe/Paris"})
        world.create(f"{CASES[kind](world)}/action-items", {"title": "Later", "assigneeUserId": world.ben.id})
    if kind == "report":
        world.new_dashboard()
    assert world.seen() != before
    restore.restore_entity(earlier, world.board_id, kind, CASES[kind](world).rpartition("/")[2])
    assert world.seen() == before
    assert doctor.examine(world.board_id) == []


def test_a_change_that_is_made_during_a_restore_is_not_overwritten(
    world: _World, earlier: TableReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = f"{world.path}/documents/{world.document}"

    def overtaken(writes: Sequence[Write]) -> None:
        assert world.client.patch(document, {"title": "Newer"}).status == 200
        transact(writes)

    monkeypatch.setattr(restore, "transact", overtaken)
    with pytest.raises(StaleRead):
        restore.restore_entity(earlier, world.board_id, "document", world.document)
    assert world.client.get(document).data["title"] == "Newer"


def test_action_items_that_are_not_open_are_not_counted(world: _World) -> None:
    item = f"{world.path}/meetings/{world.meeting}/action-items/{world.item}"
    assert world.client.patch(item, {"status": "completed"}).status == 200
    assert doctor.examine(world.board_id) == []


def test_a_large_report_comes_back_in_transactions_of_a_megabyte_at_most(world: _World) -> None:
    for _ in range(6):
        world.dashboard = world.new_dashboard()
    written: list[str] = []
    with restored_table() as earlier:
        assert world.client.delete(f"{world.path}/reports/{world.report}").status == 200
        _deliver(world)
        with hooked("before-call.dynamodb.TransactWriteItems", lambda params, **_: written.append(str(params["body"]))):
            restore.restore_entity(earlier, world.board_id, "report", world.report)
    payloads = [body.count("PAYLOAD#") for body in written]
    assert sum(payloads) == 7
    assert max(payloads) * DASHBOARD_BYTES <= BATCH_BYTES


def test_a_committee_comes_back_with_its_seats(world: _World, earlier: TableReader) -> None:
    before = world.seen()
    own = [member["id"] for member in world.client.all(f"{world.path}/members") if member["adminRole"] == "owner"]
    assert world.client.patch(f"{world.path}/committees/{world.committee}", {"memberIds": own}).status == 200
    restore.restore_entity(earlier, world.board_id, "committee", world.committee)
    assert world.seen() == before
    assert doctor.examine(world.board_id) == []


@pytest.mark.parametrize("deleted", ["", "/slots/{slot}"], ids=["the meeting", "a slot of it"])
def test_a_restored_meeting_takes_votes(deleted: str, world: _World, earlier: TableReader) -> None:
    path = f"{world.path}/meetings/{world.meeting}{deleted.format(slot=world.slot)}"
    assert world.client.delete(path).status == 200
    _deliver(world)
    restore.restore_entity(earlier, world.board_id, "meeting", world.meeting)
    vote = f"{world.path}/meetings/{world.meeting}/slots/{world.slot}/vote"
    assert world.ben.client.put(vote, {"vote": "cant"}).status == 200


def test_a_deleted_board_comes_back(world: _World, earlier: TableReader) -> None:
    before = world.seen()
    assert world.client.delete(world.path).status == 200
    _deliver(world)
    assert world.client.get(world.path).status == 404
    restore.restore_board(earlier, world.board_id)
    assert world.seen() == before
    assert world.board_id in {board["id"] for board in world.ben.client.all("/api/v1/boards")}
    assert doctor.examine(world.board_id) == []
    assert world.client.post(f"{world.path}/meetings", {"title": "Again"}).status == 201


def test_a_board_comes_back_with_the_addresses_of_its_people_without_an_account(
    scenario: BoardScenario, outbox: Outbox
) -> None:
    del outbox
    client, path = scenario.owner.client, f"{scenario.path}/unregistered-users"
    active, archived = ({"firstName": "Anna", "email": f"{name}@example.com"} for name in ("anna", "ada"))
    assert client.post(path, active).status == 201
    gone = client.post(path, archived).data["id"]
    assert client.post(f"{path}/{gone}/archive").status == 200
    before, board_id = TableSnapshot(), BoardId(scenario.board_id)
    with restored_table() as reader:
        assert client.delete(scenario.path).status == 200
        assert process_records(event_records(scenario.board_id)) == []
        assert [ids_by_email(person["email"]) for person in (active, archived)] == [[], []]
        restore.restore_board(reader, board_id)
    rows = {key for key in TableSnapshot().items if key[0].startswith("EMAIL#a")}
    assert rows == {key for key in before.items if key[0].startswith("EMAIL#a")}
    assert len(rows) == 2
    assert client.post(path, active).details == {"reason": "ADDRESS_IN_USE"}


def test_an_existing_board_is_not_overwritten(world: _World, earlier: TableReader) -> None:
    with pytest.raises(click.ClickException):
        restore.restore_board(earlier, world.board_id)


@pytest.mark.parametrize("kind", restore.KINDS)
@pytest.mark.parametrize("named", ["absent", "", "the beginning of an id", "no id"])
def test_what_the_other_table_does_not_have_changes_nothing(
    kind: str, named: str, world: _World, earlier: TableReader
) -> None:
    begun = getattr(world, kind)[:3]
    before = TableSnapshot()
    with pytest.raises(click.ClickException, match=f"has no {kind} with this id"):
        restore.restore_entity(
            earlier, world.board_id, kind, {"absent": "0" * 24, "the beginning of an id": begun}.get(named, named)
        )
    assert not before.changes()


def test_a_board_whose_id_is_malformed_is_not_in_the_other_table(earlier: TableReader) -> None:
    with pytest.raises(click.ClickException, match="has no board with this id"):
        restore.restore_board(earlier, BoardId("no-id"))


def _large_part(world: _World, id_: str) -> Item:
    return next(item for (pk, _), item in TableSnapshot().items.items() if pk == f"PAYLOAD#{world.board_id}#{id_}")


TORN: dict[str, Callable[[_World], None]] = {
    "a link is missing": lambda world: lose(f"BOARD#{world.board_id}", f"DOCUMENT#{world.document}#LINK#00"),
    "a document is missing": lambda world: lose(f"BOARD#{world.board_id}", f"DOCUMENT#{world.document}"),
    "a meeting is missing": lambda world: lose(f"MEETINGS#{world.board_id}", f"MEETING#{world.meeting}"),
    "a report is missing": lambda world: lose(f"BOARD#{world.board_id}", f"REPORT#{world.report}"),
    "a payload is older": lambda world: put({**_large_part(world, world.dashboard), "version": 7}),
    "notes are missing": lambda world: lose(f"PAYLOAD#{world.board_id}#{world.item}", "NOTES"),
    "nothing leads to an item": lambda world: lose(f"ACTION#{world.item}", "PLACE"),
    "an assignee does not see an item": lambda world: lose(f"USER#{world.ben.id}", f"ASSIGNED#{world.item}"),
    "a member does not see the board": lambda world: lose(f"BOARDS#{world.ben.id}", f"BOARD#{world.board_id}"),
    "a count is wrong": lambda _: put({**stored("COUNT#MEMBERS"), "count": 9}),
    "a committee counts wrong": lambda world: put({**stored(f"COMMITTEE#{world.committee}"), "documents": 4}),
}


@pytest.mark.parametrize("torn", TORN)
def test_the_doctor_finds_and_mends_what_does_not_fit(torn: str, world: _World) -> None:
    assert_mended(world.board_id, lambda: TORN[torn](world))


def test_the_doctor_shows_what_cannot_be_read_and_leaves_it(world: _World) -> None:
    board_id = world.board_id
    put({**stored(f"REPORT#{world.report}"), "title": 5})
    (problem,) = doctor.mend(board_id)
    assert (problem.key.sk, problem.mend) == (f"REPORT#{world.report}", None)
    assert doctor.examine(board_id) == [problem]


def test_a_board_whose_own_row_cannot_be_read_is_named_by_every_command(world: _World) -> None:
    put({**stored("BOARD"), "name": 7})
    shown = boardctl("doctor", world.board_id)
    assert shown.exit_code == 0
    assert shown.output == f"BOARD#{world.board_id} BOARD: cannot be read: name\n1 row(s) are not as they should be.\n"
    for words in (["billing", "set", world.board_id, "CANCELLED"], ["webhooks", "list", world.board_id]):
        refused = boardctl(*words)
        assert refused.exit_code == 1
        assert refused.output.startswith("Error: A row of the table cannot be read (StoredBoard).")


def test_nothing_that_names_a_purged_user_comes_back_with_a_board(bucket: Any, outbox: Outbox) -> None:
    del bucket, outbox
    scenario, other = purge_scenario.new_scenarios()
    bart = purge_scenario.fill(scenario, other)
    with restored_table() as earlier:
        purging.purge_users([UserId(bart.id)])
        left = purge_scenario.rows_with(purge_scenario.NAME)
        for board in (scenario, other):
            assert board.owner.client.delete(board.path).status == 200
            process_records([record(item) for item in event_items(board.board_id)])
        for board in (scenario, other):
            restore.restore_board(earlier, BoardId(board.board_id))
            assert board.owner.client.get(board.path).status == 200
            assert doctor.examine(BoardId(board.board_id)) == []
    assert {*purge_scenario.rows_with(purge_scenario.NAME)} <= {*left}


def test_the_doctor_finds_what_a_purged_user_wrote_and_a_repeated_purge_removes_it(
    bucket: Any, scenario: BoardScenario
) -> None:
    del bucket
    ben = scenario.member("ben")
    meeting = new_meeting_scenario(scenario)
    remark = {"status": "accepted", "comment": "by train"}
    assert ben.client.put(f"{meeting.path}/rsvp", remark).status == 200
    before = TableSnapshot()
    purging.purge_users([UserId(ben.id)])
    (answer,) = [item for key, item in before.items.items() if item.get("comment") == "by train"]
    put(answer)
    (problem,) = doctor.examine(BoardId(scenario.board_id))
    assert "purged" in problem.problem
    purging.purge_users([UserId(ben.id)])
    assert doctor.examine(BoardId(scenario.board_id)) == []
    assert purge_scenario.recorded(BoardId(scenario.board_id)).count("userHardPurge") == 1
