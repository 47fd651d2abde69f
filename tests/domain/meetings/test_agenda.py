"""The rules of agendas: what may stand in one, who sees which papers, when items begin, and what is carried over."""

from __future__ import annotations

from typing import Any

import pytest

from governance.agenda_limits import AGENDA_ITEMS, AGENDA_SUMMARY
from governance.domain.meetings import agenda as agenda_rules
from governance.domain.meetings.in_camera import NOBODY as READER
from governance.domain.members.unregistered_user import NamedPeople
from governance.ids import PersonId
from governance.models.meetings.agenda import AgendaBody, AgendaItem, StoredAgenda, StoredAgendaItem
from tests.domain.samples import NOW, THEN, agenda, conflict, id_of, later, meeting, refusal

USER, LEFT, ITEM = (id_of(name) for name in ("user", "left", "item"))
ANNA, OLD = (PersonId(id_of(name)) for name in ("anna", "old"))
PAPER, ANOTHER, HIDDEN, GONE = (id_of(name) for name in ("paper", "another", "hidden", "gone"))
PEOPLE = NamedPeople({ANNA: "Anna Berg", OLD: "Old"}, {ANNA})
KNOWN = agenda_rules.KnownReferences({PAPER, ANOTHER}, {HIDDEN}, {USER}, PEOPLE, READER)


def item(**members: Any) -> StoredAgendaItem:
    return StoredAgendaItem(**{"id": "i", "title": "Budget", **members})


def body(*items: dict[str, Any]) -> AgendaBody:
    return AgendaBody.model_validate({"items": [{"title": "Budget", **members} for members in items]})


def errors(old: StoredAgenda | None, *items: dict[str, Any]) -> set[str]:
    return {*refusal(agenda_rules.changed, meeting(), old, body(*items), KNOWN, NOW)[2]["fields"]}


def test_a_first_agenda_has_new_ids_and_a_changed_one_keeps_those_of_its_items() -> None:
    first = agenda_rules.changed(meeting(), None, body({}, {}), KNOWN, NOW)
    assert len({entry.id for entry in first.items}) == 2
    assert (first.meeting_id, first.created_at, first.updated_at, first.version) == ("m", NOW, NOW, 1)
    kept = first.items[1]
    second = agenda_rules.changed(meeting(), first, body({"id": kept.id, "title": "Other"}, {}), KNOWN, later())
    assert (second.items[0].id, second.items[0].title) == (kept.id, "Other")
    assert second.items[1].id not in {entry.id for entry in first.items}
    assert (second.created_at, second.updated_at, second.version) == (NOW, later(), 2)


def test_the_agenda_of_a_finalized_meeting_stays() -> None:
    final = meeting(status="finalized")
    assert refusal(agenda_rules.changed, final, None, body({"id": GONE}), KNOWN, NOW) == conflict("MEETING_FINALIZED")
    assert refusal(agenda_rules.carried_over, final, None, [], NOW) == conflict("MEETING_FINALIZED")


def test_every_item_names_what_is_known_and_every_error_is_named_by_its_place() -> None:
    old = agenda(item(id=ITEM))
    assert errors(old, {"id": ITEM}, {"id": ITEM}, {"id": GONE}) == {"items.1.id", "items.2.id"}
    assert errors(None, {"id": ITEM}) == {"items.0.id"}
    assert errors(old, {"presenterUserId": LEFT}) == {"items.0.presenterUserId"}
    assert errors(old, {"presenterUserId": USER, "presenterName": "Ann"}) == {"items.0.presenterName"}
    assert errors(old, {"documentIds": [PAPER, HIDDEN, GONE]}) == {"items.0.documentIds.1", "items.0.documentIds.2"}


def test_a_presenter_may_stay_after_leaving_the_board() -> None:
    old = agenda(item(presenter_user_id=LEFT))
    changed = agenda_rules.changed(meeting(), old, body({"presenterUserId": LEFT}), KNOWN, NOW)
    assert changed.items[0].presenter_user_id == LEFT
    assert errors(agenda(item()), {"presenterUserId": LEFT}) == {"items.0.presenterUserId"}


def test_a_paper_that_the_writer_does_not_see_stays_with_its_item_and_any_other_may_go() -> None:
    old = agenda(item(id=ITEM, document_ids=(PAPER, HIDDEN, GONE), carried_from="c"))
    changed = agenda_rules.changed(meeting(), old, body({"id": ITEM, "documentIds": [ANOTHER]}), KNOWN, NOW)
    assert (changed.items[0].document_ids, changed.items[0].carried_from) == ((ANOTHER, HIDDEN), "c")
    assert agenda_rules.papers_of([item(document_ids=("p", "q")), item(document_ids=("q", "r"))]) == ["p", "q", "r"]


def test_an_item_begins_after_the_minutes_of_those_before_it_if_the_meeting_has_a_start() -> None:
    items = agenda(item(minutes=10), item(), item(minutes=5), item(minutes=7))
    shown = agenda_rules.to_resource(meeting(start_time=NOW), items, (), PEOPLE, READER)
    starts = [later(minutes=minutes) for minutes in (0, 10, 10, 15)]
    assert [entry.starts_at for entry in shown.items] == starts
    assert {entry.starts_at for entry in agenda_rules.to_resource(meeting(), items, (), PEOPLE, READER).items} == {None}


def test_an_agenda_is_shown_with_the_papers_that_the_caller_sees_and_none_is_empty() -> None:
    shown = agenda_rules.to_resource(meeting(), agenda(item(document_ids=("p", "h"))), {"p"}, PEOPLE, READER)
    assert (shown.items[0].document_ids, shown.created_at, shown.updated_at) == (("p",), THEN, THEN)
    empty = agenda_rules.to_resource(meeting(), None, {"p"}, PEOPLE, READER)
    assert (empty.meeting_id, empty.items, empty.created_at, empty.updated_at) == ("m", (), None, None)


def test_a_calendar_has_numbered_titles_with_their_minutes_up_to_a_length() -> None:
    assert agenda_rules.summary(agenda(item(minutes=10), item(title="Other"))) == "1. Budget (10 min)\n2. Other"
    exact = item(title="x" * (AGENDA_SUMMARY - 3))
    assert agenda_rules.summary(agenda(exact)) == f"1. {exact.title}"
    longer = agenda_rules.summary(agenda(exact.model_copy(update={"title": exact.title + "y"})))
    assert (len(longer), longer[-2:]) == (AGENDA_SUMMARY, "x…")


def test_what_is_left_open_goes_along_once_with_the_papers_that_the_caller_sees() -> None:
    before = agenda(item(id="done"), item(id="open", document_ids=("p", "h")))
    (left,) = agenda_rules.left_open(before, {"done"}, {"p"}, [], PEOPLE)
    assert (left.title, left.document_ids, left.carried_from) == ("Budget", ("p",), "open")
    assert left.id not in {"done", "open"}
    carried = agenda_rules.carried_over(meeting(), agenda(item(), version=3), [left], NOW)
    assert carried is not None
    assert ([entry.id for entry in carried.items], carried.version) == (["i", left.id], 4)
    assert agenda_rules.carried_over(meeting(), carried, [left], NOW) is None
    assert [*agenda_rules.left_open(None, (), (), [], PEOPLE)] == []


@pytest.mark.parametrize(("room", "is_refused"), [(1, False), (0, True)])
def test_an_agenda_takes_as_many_items_as_it_may_have(room: int, is_refused: bool) -> None:
    full = agenda(*(item(id=str(number)) for number in range(AGENDA_ITEMS - room)))
    left = [item(id="new", carried_from="open")]
    if is_refused:
        assert refusal(agenda_rules.carried_over, meeting(), full, left, NOW) == conflict("LIMIT_REACHED")
    else:
        carried = agenda_rules.carried_over(meeting(), full, left, NOW)
        assert carried is not None
        assert len(carried.items) == AGENDA_ITEMS


@pytest.mark.parametrize(
    ("presenter", "field"),
    [
        ({"presenterUnregisteredUserId": OLD}, "presenterUnregisteredUserId"),
        ({"presenterUnregisteredUserId": GONE}, "presenterUnregisteredUserId"),
        ({"presenterUnregisteredUserId": ANNA, "presenterUserId": USER}, "presenterUnregisteredUserId"),
        ({"presenterUnregisteredUserId": ANNA, "presenterName": "Another"}, "presenterName"),
    ],
)
def test_a_presenter_without_an_account_is_active_and_the_only_one(presenter: dict[str, Any], field: str) -> None:
    assert errors(None, presenter) == {f"items.0.{field}"}


def test_a_presenter_who_is_not_active_any_more_stays_and_is_shown_with_their_name() -> None:
    before = agenda(item(id=ITEM, presenter_unregistered_user_id=OLD))
    shown = agenda_rules.to_resource(meeting(), before, (), PEOPLE, READER).items[0]
    assert (shown.presenter_unregistered_user_id, shown.presenter_name) == (OLD, "Old")
    again = shown.model_dump(exclude={"starts_at", "document_ids"}, exclude_none=True)
    kept = agenda_rules.changed(meeting(), before, body(again), KNOWN, NOW).items[0]
    assert (kept.presenter_unregistered_user_id, kept.presenter_name) == (OLD, None), "an answer may be sent back"


def test_only_active_presenters_are_carried_over() -> None:
    before = agenda(*(item(id=id_, presenter_unregistered_user_id=id_) for id_ in (ANNA, OLD)))
    carried = [entry.presenter_unregistered_user_id for entry in agenda_rules.left_open(before, (), (), [], PEOPLE)]
    assert carried == [ANNA, None]


@pytest.mark.parametrize(
    ("minutes", "known"),
    [([5, None, 5], [True, True, False]), ([None, 5], [False, False]), ([5, 5, None], [True, True, True]), ([], [])],
)
def test_people_read_when_an_item_begins_while_those_before_it_have_minutes(
    minutes: list[int | None], known: list[bool]
) -> None:
    item = {"id": "i", "title": "Budget", "audience": None, "withheld": False, "starts_at": NOW}
    items = [AgendaItem.model_validate({**item, "minutes": each}) for each in minutes]
    assert [starts_at is not None for starts_at in agenda_rules.known_starts(items)] == known
