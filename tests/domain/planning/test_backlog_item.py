"""An item stands in one place: random histories of moves against a set of places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from governance.domain.meetings import agenda as agenda_rules
from governance.domain.members.unregistered_user import NOBODY
from governance.domain.planning import backlog_item
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.meetings.agenda import StoredAgenda, StoredAgendaItem
from governance.models.planning.backlog_item import StoredBacklogItem
from tests.domain import samples

AT, BOARD = Instant("2098-01-01T00:00:00.000Z"), BoardId("b")
NAMES = ("a", "b", "c")
ITEMS = tuple(
    StoredAgendaItem(id=id_, title=id_, document_ids=(f"of {id_}",), carried_from=f"o{id_}", plan_item_id=f"m{id_}")
    for id_ in "123456"
)
MOVES = st.lists(st.tuples(st.sampled_from([item.id for item in ITEMS]), st.sampled_from([*NAMES, "backlog"])))


class Board:
    """Agendas and a backlog, changed by the rules alone."""

    def __init__(self) -> None:
        self.meetings = {id_: samples.meeting(id=id_) for id_ in NAMES}
        self.agendas: dict[str, StoredAgenda | None] = dict.fromkeys(NAMES)
        self.agendas["a"] = agenda_rules.appended(self.meetings["a"], None, ITEMS, AT)
        self.waiting: dict[str, StoredBacklogItem] = {}

    def take(self, item_id: str) -> StoredAgendaItem:
        if item_id in self.waiting:
            return backlog_item.on_agenda(self.waiting.pop(item_id))
        for name, agenda in self.agendas.items():
            for item in agenda_rules.items_of(agenda):
                if agenda is not None and item.id == item_id:
                    self.agendas[name] = agenda_rules.without(self.meetings[name], agenda, item_id, AT)
                    return item
        raise AssertionError(f"{item_id} stands nowhere")

    def put(self, item: StoredAgendaItem, to: str) -> None:
        moved = backlog_item.moved(item, NOBODY)
        if to == "backlog":
            self.waiting[item.id] = backlog_item.waiting(moved, BOARD, AT)
        else:
            self.agendas[to] = agenda_rules.appended(self.meetings[to], self.agendas[to], [moved], AT)

    def everywhere(self) -> list[StoredAgendaItem]:
        on_agendas = [item for agenda in self.agendas.values() for item in agenda_rules.items_of(agenda)]
        return [*on_agendas, *map(backlog_item.on_agenda, self.waiting.values())]


@given(MOVES)
def test_an_item_is_the_same_and_stands_in_one_place_after_any_moves(moves: list[tuple[str, str]]) -> None:
    board, places = Board(), dict.fromkeys((item.id for item in ITEMS), "a")
    for item_id, to in moves:
        board.put(board.take(item_id), to)
        places[item_id] = to
    assert sorted(board.everywhere(), key=lambda item: item.id) == [*ITEMS]
    for name, agenda in board.agendas.items():
        assert {item.id for item in agenda_rules.items_of(agenda)} == {id_ for id_, at in places.items() if at == name}
    assert board.waiting.keys() == {id_ for id_, at in places.items() if at == "backlog"}
