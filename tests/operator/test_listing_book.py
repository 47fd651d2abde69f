"""`boardctl migrate` enters in the minute book what was approved and carried before there was one."""

from __future__ import annotations

from governance.models.meetings.minutes_versions import StoredMinutesApproval
from governance.store.meetings import minute_book, minutes_versions
from governance.store.resolutions import resolutions
from governance.store.schema.minutes import MINUTES_APPROVAL
from governance.store.table import read_one
from governance.store.transactions import transact
from infra.operator.listing_book import enter_older, entries_of_minutes, entry_of_resolution
from tests.functions.meetings.test_minute_book import book, correct, decide
from tests.functions.meetings.test_minutes_approval import SUMMER, approve, circulated, held, id_of
from tests.harness.board_scenario import BoardScenario
from tests.harness.fault_injection import meanwhile
from tests.harness.meeting_scenario import MeetingScenario
from tests.harness.resolution_scenario import ResolutionScenario


def approval_of(meeting: MeetingScenario) -> StoredMinutesApproval:
    key = MINUTES_APPROVAL.key_for(boardId=meeting.board.board_id, meetingId=id_of(meeting))
    return StoredMinutesApproval.model_validate(read_one(key))


def forget_minutes(meeting: MeetingScenario) -> None:
    """Leaves approved minutes as a release without the book stored them."""
    old = approval_of(meeting)
    superseded = tuple(each.model_copy(update={"event_id": None}) for each in old.superseded)
    numbers = [each.book_number for each in (*old.superseded, old) if each.book_number]
    new = old.model_copy(update={"superseded": superseded, "event_id": None})
    entries = [minute_book.delete(old.board_id, "minutes", number) for number in numbers]
    transact([minutes_versions.put_approval(old, new), *entries])


def test_approved_minutes_are_entered_once_with_their_events(scenario: BoardScenario) -> None:
    spring, summer = circulated(scenario), held(scenario, SUMMER, "in_progress")
    approve(spring, summer)
    correct(spring, summer)
    before, approval = book(scenario), approval_of(spring)
    forget_minutes(spring)
    assert book(scenario)["entries"] == []
    assert enter_older(dry_run=True) == 1
    assert book(scenario)["entries"] == []
    assert (enter_older(dry_run=False), enter_older(dry_run=False)) == (1, 0)
    assert book(scenario) == before
    entered = approval_of(spring)
    assert entered.model_copy(update={"version": approval.version}) == approval


def test_a_correction_is_approved_before_what_it_corrects_is_entered(scenario: BoardScenario) -> None:
    spring, summer = circulated(scenario), held(scenario, SUMMER, "in_progress")
    approve(spring, summer)
    forget_minutes(spring)
    correct(spring, summer)
    assert [(entry["number"], entry["supersededBy"]) for entry in book(scenario)["entries"]] == [("2030-2", None)]
    assert enter_older(dry_run=False) == 1
    assert [(entry["number"], entry["supersededBy"]) for entry in book(scenario)["entries"]] == [
        ("2030-1", "2030-2"),
        ("2030-2", None),
    ]


def test_carried_resolutions_are_entered_once_with_the_hash_of_their_certificate(scenario: BoardScenario) -> None:
    voting = ResolutionScenario(scenario)
    first = decide(voting)
    decide(voting, "against")
    second = decide(voting, supersedesId=first["id"])
    year = first["number"].partition("-")[0]
    before = book(scenario, year)
    assert len(before["entries"]) == 2
    transact([minute_book.delete(scenario.board_id, "resolution", each["number"]) for each in (first, second)])
    assert (enter_older(dry_run=True), enter_older(dry_run=False), enter_older(dry_run=False)) == (2, 2, 0)
    assert book(scenario, year) == before


def test_what_changes_meanwhile_is_entered_by_the_next_run(scenario: BoardScenario) -> None:
    spring, summer = circulated(scenario), held(scenario, SUMMER, "in_progress")
    approve(spring, summer)
    forget_minutes(spring)
    with meanwhile(lambda: correct(spring, summer)):
        enter_older(dry_run=False)
    assert [entry["number"] for entry in book(scenario)["entries"]] == ["2030-2"]
    assert enter_older(dry_run=False) == 1
    assert [(entry["number"], entry["supersededBy"]) for entry in book(scenario)["entries"]] == [
        ("2030-1", "2030-2"),
        ("2030-2", None),
    ]


def test_minutes_that_are_entered_at_the_moment_of_their_correction_name_it(scenario: BoardScenario) -> None:
    spring, summer = circulated(scenario), held(scenario, SUMMER, "in_progress")
    approve(spring, summer)
    forget_minutes(spring)
    client = scenario.owner.client
    assert client.post(f"{spring.path}/minutes/corrections", {"items": [{"text": "Corrected"}]}).status == 201
    assert client.post(f"{spring.path}/minutes/circulation").status == 201
    entering = entries_of_minutes(approval_of(spring))
    with meanwhile(lambda: transact(entering)):
        assert approve(spring, summer).status == 200
    assert [entry["supersededBy"] for entry in book(scenario)["entries"]] == ["2030-2", None]


def test_a_resolution_that_is_entered_at_the_moment_of_its_replacement_names_it(scenario: BoardScenario) -> None:
    voting = ResolutionScenario(scenario)
    first = decide(voting)
    transact([minute_book.delete(scenario.board_id, "resolution", first["number"])])
    path = voting.opened(supersedesId=first["id"])
    for voter in voting.voters:
        voting.vote(path, voter)
    head = resolutions.find(scenario.board_id, first["id"])
    assert head is not None
    entering = entry_of_resolution(head)
    with meanwhile(lambda: transact(entering)):
        assert voting.close(path).status == 200
    second = voting.get(path)["number"]
    entries = book(scenario, second.partition("-")[0])["entries"]
    assert [entry["supersededBy"] for entry in entries] == [second, None]
