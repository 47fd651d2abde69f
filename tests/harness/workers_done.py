"""What workers have done with what the path of a request names: exports and packs are at their end, or there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.store.schema.entities import PACK_OF_MEETING
from governance.store.schema.jobs import EXPORT_RUNNING
from governance.store.transactions import transact
from governance.store.writes import Delete
from tests.harness.stored_versions import ready_version

if TYPE_CHECKING:
    from tests.harness.path_resources import PathResources


def end_exports(resources: PathResources) -> None:
    for exported in (resources.board.board_id, resources.caller.id):
        transact([Delete(EXPORT_RUNNING.key_for(exportedId=exported))])


def add_pack(resources: PathResources) -> None:
    """Links a board pack whose file can be read to the meeting, if the owner sees that."""
    body = {"title": "Pack", "documentType": "board_pack", "meetingIds": [resources["meetingId"]]}
    created = resources.owner.post(resources.path("documents"), body)
    if created.status == 201:
        version = ready_version(resources.board.board_id, created.data["id"], resources.owner)
        resources.owner.patch(resources.path("documents", created.data["id"]), {"latestVersionId": version})


def end_pack(resources: PathResources) -> None:
    key = PACK_OF_MEETING.key_or_none(boardId=resources.board.board_id, meetingId=resources["meetingId"])
    transact([Delete(key)] if key else [])
