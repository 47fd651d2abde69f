"""`boardctl restore`: copies a board, or an entity of one, from a restored table, with all of its rows (ADR
restore)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import click

from governance import aws
from governance.domain.notifications import due as due_rules
from governance.ids import BoardId, is_id
from governance.instants import months, now
from governance.limits import TRANSACTION_WRITES
from governance.models.action_items.action_item import StoredActionItem
from governance.models.documents.document_version import StoredVersions
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import StoredSlot
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.paper_requests.paper_request import StoredPaperRequest
from governance.models.queue import DeliveryKind, DueMessage
from governance.models.reports.bet import StoredBet
from governance.models.reports.cycle import StoredCycle
from governance.models.reports.dashboard import StoredDashboard
from governance.models.resolutions.resolution import StoredResolution
from governance.settings import settings
from governance.store import due
from governance.store.action_items import action_items
from governance.store.batches import batches
from governance.store.boards import boards
from governance.store.documents import document_versions, file_bytes
from governance.store.history import audit, leaves
from governance.store.meetings import meetings, slots
from governance.store.paper_requests import paper_requests
from governance.store.reports import dashboards
from governance.store.resolutions import resolutions
from governance.store.schema.entities import (
    ACTION_ITEM,
    BET,
    BOARD,
    COMMITTEE,
    CYCLE,
    DELETED_DRAFT,
    DOCUMENT,
    MEETING,
    PAPER_REQUEST,
    PAPER_REQUEST_COUNT,
    REPORT,
    RESOLUTION,
    UNREGISTERED_USER,
    guests_partition,
    meetings_partition,
    papers_partition,
    partitions_beside,
)
from governance.store.schema.history import events_partition
from governance.store.schema.keys import SK, Entity, Item, Key, is_of_kind, key_of
from governance.store.schema.lookups import board_code_key
from governance.store.schema.sizes import most_bytes
from governance.store.transactions import transact
from governance.store.writes import ABSENT, Delete, Put, Write, if_unchanged, key_of_write
from governance.usecases.cleanup import keys_elsewhere
from governance.usecases.members.merging import due_message
from governance.usecases.resolutions.opening import due_rows
from infra.operator import doctor, purged_users, restored_people
from infra.operator.certified import certify_again
from infra.operator.command import InstallationCommand
from infra.operator.kinds import model_of
from infra.operator.table_reader import TableReader

_TOGETHER = TRANSACTION_WRITES - 10
"""Rows of one transaction, which leaves room for guards and reminders."""
_ENTITIES: Mapping[str, Entity] = {
    "committee": COMMITTEE,
    "document": DOCUMENT,
    "meeting": MEETING,
    "report": REPORT,
}
KINDS = (*_ENTITIES, "dashboard")


@click.command(cls=InstallationCommand)
@click.option("--from", "source", required=True, metavar="TABLE", help="The restored table.")
@click.argument("board_id", metavar="BOARD_ID")
@click.argument("kind", metavar="[KIND]", type=click.Choice(KINDS), required=False)
@click.argument("entity_id", metavar="[ID]", required=False)
def restore(source: str, board_id: str, kind: str | None, entity_id: str | None) -> None:
    """Bring back a board, or one committee, document, meeting, report or dashboard of it.

    The rows come from a table that was restored to a point in time. Without KIND the whole board is copied, which must
    be deleted, and its cleanup over. What it holds is exactly as it was then: later changes of it are lost. Revoke and
    remove again what was revoked and removed since (`boardctl replay-revocations`). If the command was interrupted,
    repeat it.
    """
    reader = TableReader(source)
    if kind is None:
        number = restore_board(reader, BoardId(board_id))
    elif entity_id is None:
        raise click.UsageError("Name the ID of what is to be restored.")
    else:
        number = restore_entity(reader, BoardId(board_id), kind, entity_id)
    click.echo(f"Restored {number} row(s).")


def restore_entity(source: TableReader, board_id: BoardId, kind: str, entity_id: str) -> int:
    """Replaces an entity with all of its rows by those of another table; returns how many there are.

    Rows that follow from others (counts, seats) are then mended. Raises `ClickException` if either board does not exist
    or the source has no such entity.
    """
    live = TableReader(settings().table_name)
    if boards.find(board_id) is None:
        raise click.ClickException("The board does not exist. Restore it whole: leave out KIND and ID.")
    restored = _rows_of(source, board_id, kind, entity_id)
    if not restored:
        raise click.ClickException(f"The table {source.name} has no {kind} with this id on this board.")
    _bring_back_files(restored)
    existing = {key_of(row): row for row in _rows_of(live, board_id, kind, entity_id)}
    keys = {key_of(row) for row in restored}
    writes: list[Write] = [Put(row) for row in restored[1:]]
    writes += [Delete(key) for key in existing if key not in keys]
    root = Put(restored[0])
    writes += [write for row in restored for write in _reopened(row)]
    *before, last = [*_batches(writes)] or [[]]
    for batch in before:
        transact(batch)
    transact([if_unchanged(root, existing.get(key_of(restored[0]))), *last])
    purged_users.forget(source, restored)
    restored_people.settle(source, board_id, restored)
    doctor.mend(board_id)
    return len(restored)


def _bring_back_files(rows: Iterable[Item]) -> None:
    """Takes back the deletion of the documents' files that these rows name, as long as the bucket keeps them.

    Raises `ClickException` where the bucket is not known.
    """
    for key in [key for row in rows for key in document_versions.file_keys(row)]:
        bucket = settings().papers_bucket
        if not bucket:
            raise click.ClickException("Documents have files. Set PAPERS_BUCKET to the output PapersBucketName.")
        versions = aws.s3().list_object_versions(Bucket=bucket, Prefix=key)
        for mark in versions.get("DeleteMarkers", ()):
            aws.s3().delete_object(Bucket=bucket, Key=key, VersionId=mark["VersionId"])


def _batches(writes: Iterable[Write]) -> Iterator[list[Write]]:
    """Yields the writes, one for each row (the first), in transactions that the store takes."""
    by_key: dict[Key, Write] = {}
    for write in writes:
        by_key.setdefault(key_of_write(write), write)
    return batches(by_key.values(), lambda write: most_bytes(key_of_write(write)), _TOGETHER)


def _rows_of(table: TableReader, board_id: BoardId, kind: str, entity_id: str) -> list[Item]:
    """Returns all rows of an entity, its own first; none if it does not exist."""
    if not is_id(entity_id):  # the beginning of an id would name several
        return []
    pk = boards.board_key(board_id).pk
    own_pk = meetings_partition(board_id) if kind == "meeting" else pk
    if kind == "dashboard":
        rows = [row for row in table.rows(pk, REPORT.sk_prefix) if f"#DASHBOARD#{entity_id}" in row[SK]]
        return _with_elsewhere(table, sorted(rows, key=lambda row: len(row[SK])))
    own = table.rows(own_pk, f"{_ENTITIES[kind].sk_prefix}{entity_id}")
    if not own or own[0][SK] != f"{_ENTITIES[kind].sk_prefix}{entity_id}":
        return []
    if kind != "meeting":
        return _with_elsewhere(table, own)
    of_meeting = [row for row in table.rows(pk, ACTION_ITEM.sk_prefix) if row.get("meetingId") == entity_id]
    under = [row for partition in (pk, guests_partition(board_id)) for row in table.rows(partition, own[0][SK])]
    return _with_elsewhere(table, [*own, *under, *of_meeting, *_papers(table, board_id, entity_id)])


def _papers(table: TableReader, board_id: BoardId, meeting_id: str) -> list[Item]:
    """Returns the rows of a meeting's paper requests, with their files and their count."""
    rows = table.rows(papers_partition(board_id))
    requests = [row for row in rows if row.get("meetingId") == meeting_id]
    named = {paper_requests.versions_key(board_id, row["id"]) for row in requests}
    count = PAPER_REQUEST_COUNT.key_for(boardId=board_id, meetingId=meeting_id)
    return [*requests, *(row for row in rows if key_of(row) in named | {count})]


def _with_elsewhere(table: TableReader, rows: list[Item]) -> list[Item]:
    """Returns rows, and behind them those in other partitions that action items and dashboards among them name."""
    named = (action_items.keys_elsewhere, dashboards.keys_elsewhere)
    return [*rows, *table.get(key for row in rows for keys in named for key in keys(row))]


def _due_again(row: Item) -> Iterator[Write]:
    """Yields the writes of what a row makes due."""
    if is_of_kind(ACTION_ITEM, row):
        item = StoredActionItem.model_validate(row)
        yield from due.move_reminders([], due_rules.of_item(item, now()))
    elif is_of_kind(CYCLE, row):
        cycle = StoredCycle.model_validate(row)
        yield from due.move_reminders([], due_rules.of_cycle(cycle, now()))
    elif is_of_kind(BET, row):
        bet = StoredBet.model_validate(row)
        yield from due.move_reminders([], due_rules.of_bet(bet, now()))
    elif is_of_kind(PAPER_REQUEST, row):
        request = StoredPaperRequest.model_validate(row)
        yield from due.move_reminders([], due_rules.of_paper_request(request, now()))
    elif is_of_kind(RESOLUTION, row):
        yield from due_rows(StoredResolution.model_validate(row))
    elif is_of_kind(UNREGISTERED_USER, row):
        person = StoredUnregisteredUser.model_validate(row)
        yield from (due.put(due_message(person, merge)) for merge in [person.merge] if merge)


def _reopened(row: Item) -> Iterator[Write]:
    """Yields the writes that undo what a deletion closed, and those that make due again what a row makes due."""
    yield from _due_again(row)
    if is_of_kind(MEETING, row):
        meeting = StoredMeeting.model_validate(row)
        yield Delete(DELETED_DRAFT.key_for(meetingId=meeting.id))
        yield from meetings.reopen(meeting)
        yield from due.move_reminders([], due_rules.of_meeting(meeting, now()))
    elif is_of_kind(REPORT, row) or model_of(row) is StoredDashboard:
        yield _keep_figures(row["boardId"], str(row.get("reportId", row["id"])))
    elif model_of(row) is StoredVersions:
        versions = StoredVersions.model_validate(row)
        yield file_bytes.recount_later(versions.board_id)
        uploading = (version for version in versions.versions if version.status == "uploading")
        yield from (document_versions.forget_later(versions, version) for version in uploading)
    elif model_of(row) is StoredSlot:
        yield from slots.reopen(StoredSlot.model_validate(row))


def _keep_figures(board_id: str, report_id: str) -> Write:
    """Returns the write after which the figures of a report are kept by KPI as it is now."""
    body = {"boardId": board_id, "reportId": report_id}
    message = DueMessage(kind=DeliveryKind.FIGURES, due_at=now(), group=board_id, subject_id=report_id, body=body)
    return due.put(message)


def _logged(source: TableReader, board: Item) -> Iterator[Item]:
    """Yields the events of a board that are in the log, or will be: certificates refer to them (ADR resolutions)."""
    for in_month in months(board["createdAt"], now()):
        for row in source.rows(events_partition(BoardId(board["id"]), in_month)):
            if leaves.TEXT in row:
                yield row


def restore_board(source: TableReader, board_id: BoardId) -> int:
    """Copies a board with all of its rows; returns how many there are.

    The board's own row comes last: until then nothing of it can be reached, and a repeat begins again. Raises
    `ClickException` if the board exists, or does not exist in the source.
    """
    if boards.find(board_id) is not None:
        raise click.ClickException("The board exists. Restore what it lacks, one by one, or delete it first.")
    key = BOARD.key_or_none(boardId=board_id)
    rows = source.rows(key.pk) if key else []
    root = next((row for row in rows if key_of(row) == key), None)
    if root is None:
        raise click.ClickException(f"The table {source.name} has no board with this id.")
    named_by = keys_elsewhere(root.get("inviteCode"))
    elsewhere = source.get(other for row in rows for other in named_by(row))
    beside = [row for pk in partitions_beside(board_id) for row in source.rows(pk)]
    bodies = [row for item in beside for pk in resolutions.partitions_elsewhere(item) for row in source.rows(pk)]
    everything = [*(row for row in rows if row is not root), *elsewhere, *beside, *bodies, *_logged(source, root)]
    writes = [*map(Put, everything), *(write for row in everything for write in _reopened(row))]
    _bring_back_files([*rows, *beside])
    for batch in _batches(writes):
        transact(batch)
    code = source.get([board_code_key(root["inviteCode"])]) if root.get("inviteCode") else []
    purged_users.forget(source, everything, root.get("inviteCode"))
    restored_people.scrub_all_again(board_id)
    certify_again(board_id)
    transact([Put(root, ABSENT), *map(Put, code), *boards.reopen(board_id)])
    for part in audit.partitions(board_id, now()):
        for row in source.rows(part):
            leaves.give_back_salts(row)
    doctor.mend(board_id)
    return len(everything) + 1 + len(code)
