"""The rows of `make scale` about the papers of meetings: versions, agendas, minutes and packs; and about exports."""

from __future__ import annotations

from governance.instants import now
from governance.models.boards.board import StoredBoard
from governance.models.exports.export import RunningExport
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.minutes import StoredMinutes
from governance.store.documents import document_versions
from governance.store.meetings import agendas
from governance.store.schema.jobs import EXPORT_RUNNING
from governance.store.schema.keys import make_item
from governance.store.writes import Put
from infra.tools.scale.preparation import Request, board_with_members, files_of, fill_documents, get, owned_board
from infra.tools.scale.world import Caller, World, earlier

_PAPERS = 10
_SENT = 5
"""Meetings that are prepared for requests that can be sent once for each."""


def versions(world: World, size: int) -> Request:
    """Returns the first page of the versions of a document with the given number of them."""
    owner, board, path = owned_board(world)
    (document,) = fill_documents(world, owner, board, 1, links=0)
    world.fill([document_versions.replace(None, files_of(board, owner, document, size))])
    return get(owner, f"{path}/documents/{document}/versions?limit={_PAPERS}")


def _meetings_with_papers(world: World, size: int) -> tuple[Caller, StoredBoard, list[str]]:
    """Creates a board with the given number of documents, and meetings with ten of them as papers."""
    owner, board, _ = owned_board(world)
    papers = fill_documents(world, owner, board, max(size, _PAPERS), links=0)[:_PAPERS]
    paths = [world.meeting(owner, board) for _ in range(_SENT)]
    for path in paths:
        items = [{"id": f"{number:024}", "title": "Item", "document_ids": (id_,)} for number, id_ in enumerate(papers)]
        common = {"board_id": board.id, "meeting_id": path.rpartition("/")[2], "created_at": now(), "updated_at": now()}
        world.fill([agendas.put_agenda(None, StoredAgenda.model_validate({**common, "items": items}))])
    return owner, board, paths


def agenda(world: World, size: int) -> Request:
    """Returns the agenda of a meeting with ten papers, on a board with the given number of documents."""
    owner, _, paths = world.shared(_meetings_with_papers, size)
    return get(owner, f"{paths[0]}/agenda")


def new_pack(world: World, size: int) -> Request:
    """Returns the request of a pack of ten papers, each time of another meeting of the same board."""
    owner, _, paths = world.shared(_meetings_with_papers, size)
    return lambda: owner.send("POST", f"{paths.pop()}/pack", None)


def minutes(world: World, size: int) -> Request:
    """Returns the minutes of a meeting, on a board with the given number of members."""
    owner, board, _ = world.shared(board_with_members, size)
    path = world.meeting(owner, board)
    items = [{"text": "Discussed."}] * _PAPERS
    common = {"board_id": board.id, "meeting_id": path.rpartition("/")[2], "attendance": (), "items": items}
    stamps = {"created_at": earlier(1), "updated_at": earlier(1)}
    world.fill([agendas.put_minutes(None, StoredMinutes.model_validate({**common, **stamps}))])
    return get(owner, f"{path}/minutes")


def new_export(world: World, size: int) -> Request:
    """Returns the request of an export of a board with the given number of documents, of which none runs."""
    owner, board, path = owned_board(world)
    fill_documents(world, owner, board, size, links=0)
    key = EXPORT_RUNNING.key_for(exportedId=board.id)
    ended = RunningExport(id="0" * 24, until=earlier(1))

    def request() -> object:
        world.fill([Put(make_item(key, ended.item()))])
        return owner.send("POST", f"{path}/exports", None)

    return request
