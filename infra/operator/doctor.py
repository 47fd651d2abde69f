"""`boardctl doctor`: finds the rows of a board that cannot be read or do not fit the others, and mends them (ADR
restore).

What follows from other rows is mended: links, rows that lead to an item, counts, seats, rows under what is gone. What
holds something of its own and cannot be read is only shown: `boardctl restore` brings back an earlier state.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

import click

from governance.domain.access.access import member_tier
from governance.domain.reports.flags import open_among
from governance.ids import BoardId, UserId
from governance.models.account.token import StoredToken
from governance.models.action_items.action_item import OPEN, StoredActionItem
from governance.models.boards.board import Membership, RosterEntry, Seats, StoredBoard
from governance.models.comments.comment import StoredComment
from governance.models.committees.committee import StoredCommittee
from governance.models.documents.document import StoredDocument
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.slot import StoredSlot
from governance.models.members.unregistered_user import StoredUnregisteredUser
from governance.models.paper_requests.paper_request import StoredPaperRequest
from governance.models.reports.check import StoredChecked, StoredChecks, StoredFlags
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.report import StoredReport
from governance.store import counters, due, payloads
from governance.store.account import tokens
from governance.store.action_items import action_items
from governance.store.boards import board_lists, boards
from governance.store.boards.board_lists import keys_of as keys_in_lists
from governance.store.committees import committees
from governance.store.committees.seats import put_seats, seats_in
from governance.store.documents import documents
from governance.store.members import unregistered_users
from governance.store.reports import checks as checks_store
from governance.store.reports import dashboards
from governance.store.schema import entities
from governance.store.schema.keys import SEPARATOR, Item, Key, Range, key_of
from governance.store.table import query, read
from governance.store.transactions import transact
from governance.store.writes import Delete, Put, StaleRead, if_unchanged, key_of_write
from governance.usecases.members import merging
from infra.operator import address_removal, purged_users
from infra.operator.address_removal import Wanted
from infra.operator.board_rows import BoardRows, Finding, expect
from infra.operator.command import InstallationCommand


@click.command(cls=InstallationCommand)
@click.argument("board_id", metavar="BOARD_ID")
@click.option("--mend", "mends", is_flag=True, help="Mend what follows from other rows; without it nothing is changed.")
def doctor(board_id: str, *, mends: bool) -> None:
    """Show the rows of a board that cannot be read or do not fit the others, and with --mend put them right."""
    key = entities.BOARD.key_or_none(boardId=board_id)
    if key is None or not read([key]):
        raise click.ClickException("There is no board with this id.")
    findings = mend(BoardId(board_id)) if mends else examine(BoardId(board_id))
    for finding in findings:
        done = "" if finding.mend is None else " (mended)" if mends else " (would be mended)"
        click.echo(f"{finding.key.pk} {finding.key.sk}: {finding.problem}{done}")
    click.echo(f"{len(findings)} row(s) are not as they should be.")


def mend(board_id: BoardId) -> list[Finding]:
    """Mends what is wrong with a board; returns what was found. A row that changes meanwhile is left to a repeat."""
    findings = examine(board_id)
    for finding in findings:
        if finding.mend is not None:
            try:
                transact([finding.mend])
            except StaleRead:
                continue
    return findings


def examine(board_id: BoardId) -> list[Finding]:
    """Returns what is wrong with the rows of a board, which are all read; nothing is changed."""
    spans = (Range(boards.board_key(board_id).pk), *map(Range, entities.partitions_beside(board_id)))
    rows = BoardRows(board_id, {key_of(row): row for span in spans for row in query(span)})
    findings = [*rows.unreadable, *(finding for check in _CHECKS for finding in check(rows))]
    return sorted(findings, key=lambda finding: finding.key)


def _links(rows: BoardRows) -> Iterator[Finding]:
    expected = [link for document in rows.of(StoredDocument) for link in documents.links_of(document)]
    yield from expect(rows, expected, "does not lead to its document as it is")
    wanted = {key_of(link) for link in expected}
    for key in rows.by_key:
        if documents.is_link(key) and key not in wanted and entities.document_of_link(key) in rows.by_key:
            yield Finding(key, "leads to a meeting that its document is not linked to", Delete(key))


def _leads(rows: BoardRows) -> Iterator[Finding]:
    """Finds missing rows elsewhere that lead to an item, to a token, or from a member to the board."""
    writes = [write for item in rows.of(StoredActionItem) for write in action_items.put_rows_elsewhere(item)]
    writes += [tokens.put_owner(token) for token in rows.of(StoredToken)]
    members = rows.of(Membership)
    known = read(keys_in_lists(rows.board_id, map(_entry, members)))
    listed = [board_lists.add(board, member.user_id) for board in rows.of(StoredBoard) for member in members]
    writes += [write for write in listed if isinstance(write, Put) and key_of(write.item) not in known]
    yield from expect(rows, [write.item for write in writes if isinstance(write, Put)], "does not lead to its item")


def _entry(member: Membership) -> RosterEntry:
    return RosterEntry(member.user_id, member.join_id, member_tier(member))


def _orphans(rows: BoardRows) -> Iterator[Finding]:
    """Finds rows under something that is gone, and what belongs to it."""
    gone: set[Key] = set()
    for key, row in sorted(rows.by_key.items()):  # a dashboard before what is under it
        owner = _owner(rows.board_id, key, row)
        if owner is not None and (owner not in rows.by_key or owner in gone):
            of_dashboard = [*dashboards.keys_elsewhere(row), *dashboards.keys_elsewhere(owner.attributes)]
            lost = {key, *read([*action_items.keys_elsewhere(row), *of_dashboard])} - gone
            gone |= lost
            yield from (Finding(lost_key, "belongs to something that is gone", Delete(lost_key)) for lost_key in lost)


_OF_A_DASHBOARD = entities.DASHBOARD.sk.partition(SEPARATOR)[2].count(SEPARATOR)
"""How many separators are in the key of a dashboard, after its first word; what belongs to it has more."""


def _owner(board_id: BoardId, key: Key, row: Item) -> Key | None:
    """Returns the key of what a row belongs to on its board; None for one that belongs to the board itself."""
    kind, _, rest = key.sk.partition(SEPARATOR)
    if kind == "MEETING" and SEPARATOR in rest:
        return entities.MEETING.key_or_none(boardId=board_id, meetingId=rest.partition(SEPARATOR)[0])
    if kind == "REPORT" and rest.count(SEPARATOR) > _OF_A_DASHBOARD:
        return Key(key.pk, SEPARATOR.join(key.sk.split(SEPARATOR)[: _OF_A_DASHBOARD + 2]))
    if key.pk == entities.papers_partition(board_id) and kind == "DOCUMENT":
        return entities.PAPER_REQUEST.key_or_none(boardId=board_id, paperRequestId=rest.partition(SEPARATOR)[0])
    if kind in {"REPORT", "DOCUMENT"} and SEPARATOR in rest:
        return Key(key.pk, f"{kind}{SEPARATOR}{rest.partition(SEPARATOR)[0]}")
    if kind in {"ACTION", "REQUEST"}:
        return entities.MEETING.key_or_none(boardId=board_id, meetingId=str(row.get("meetingId")))
    return None


class _Named(NamedTuple):
    """What an item names in an item of its own, the member that has the version, and that version."""

    item: Key
    large: Key
    member: str
    version: int


def _payloads(rows: BoardRows) -> Iterator[Finding]:
    """Finds dashboards and action items that name another version of their large part than is stored."""
    named = [*_large_parts(rows)]
    stored = read(entry.large for entry in named)
    for key, large, member, version in named:
        part, row = stored.get(large), rows.by_key[key]
        if not payloads.is_of_version(part, version):
            fitting = {**row, member: part["version"] if part else 0, "version": row["version"] + 1}
            yield Finding(key, "names another version of its text than is stored", if_unchanged(Put(fitting), row))


def _large_parts(rows: BoardRows) -> Iterator[_Named]:
    board = {"boardId": rows.board_id}
    for dashboard in rows.of(StoredDashboard):
        key = entities.DASHBOARD.key_for(**board, reportId=dashboard.report_id, dashboardId=dashboard.id)
        yield _Named(key, entities.payload_key(key), "payloadVersion", dashboard.payload_version)
    for item in rows.of(StoredActionItem):
        notes = entities.ACTION_ITEM_NOTES.key_for(**board, actionItemId=item.id)
        yield _Named(action_items.item_key(rows.board_id, item.id), notes, "notesVersion", item.notes_version)


def _counts(rows: BoardRows) -> Iterator[Finding]:
    board = {"boardId": rows.board_id}
    items = rows.stored(StoredActionItem)
    open_items = Counter(item.get("assigneeUserId") for item in items if item.get("status") == OPEN)
    of_meetings = (items, rows.stored(StoredSlot), rows.stored(StoredPaperRequest))
    items_of, slots_of, papers_of = (Counter(row.get("meetingId") for row in group) for group in of_meetings)
    dashboards_of = Counter(row.get("reportId") for row in rows.stored(StoredDashboard))
    pending = sum(key.sk.startswith(entities.PENDING_INVITE.sk_prefix) for key in rows.by_key)
    expected = {
        entities.MEMBER_COUNT.key_for(**board): len(rows.stored(Membership)),
        entities.COMMITTEE_COUNT.key_for(**board): len(rows.stored(StoredCommittee)),
        entities.PENDING_INVITE_COUNT.key_for(**board): pending,
        **{entities.OPEN_ITEM_COUNT.key_for(**board, userId=user): n for user, n in open_items.items() if user},
        **{
            entity.key_for(**board, meetingId=meeting.id): number[meeting.id]
            for meeting in rows.of(StoredMeeting)
            for entity, number in (
                (entities.SLOT_COUNT, slots_of),
                (entities.ACTION_ITEM_COUNT, items_of),
                (entities.PAPER_REQUEST_COUNT, papers_of),
            )
        },
        **{
            entities.DASHBOARD_COUNT.key_for(**board, reportId=report.id): dashboards_of[report.id]
            for report in rows.of(StoredReport)
        },
        **_comments(rows),
    }
    for key, number in expected.items():
        counter = rows.by_key.get(key)
        if counters.number_in(counter) != number:
            problem = f"counts {counters.number_in(counter)} where there are {number}"
            yield Finding(key, problem, counters.set_number(key, counter, number))


def _comments(rows: BoardRows) -> dict[Key, int]:
    """Returns how many comments each meeting, document and dashboard has, by the key of their count."""
    board, number = {"boardId": rows.board_id}, Counter(row.get("subjectId") for row in rows.stored(StoredComment))
    counts = (
        *((row.id, entities.MEETING_COMMENT_COUNT, {"meetingId": row.id}) for row in rows.of(StoredMeeting)),
        *((row.id, entities.DOCUMENT_COMMENT_COUNT, {"documentId": row.id}) for row in rows.of(StoredDocument)),
        *(
            (row.id, entities.DASHBOARD_COMMENT_COUNT, {"reportId": row.report_id, "dashboardId": row.id})
            for row in rows.of(StoredDashboard)
        ),
    )
    return {entity.key_for(**board, **ids): number[subject_id] for subject_id, entity, ids in counts}


def _report_checks(rows: BoardRows) -> Iterator[Finding]:
    """Finds checks of a report that name dashboards that are gone, or other numbers of flags than there are.

    The mended ones have the figures of the report checked again by its next change, or by `boardctl recheck`. While a
    row cannot be read, nothing is known of the flags, so nothing is found.
    """
    if rows.unreadable:
        return
    flags = {row.dashboard_id: row for row in rows.of(StoredFlags)}
    for checks in rows.of(StoredChecks):
        ids = {"boardId": rows.board_id, "reportId": checks.report_id}
        fitting = {
            id_: _with_numbers(entry, flags.get(id_))
            for id_, entry in checks.dashboards.items()
            if entities.DASHBOARD.key_for(**ids, dashboardId=id_) in rows.by_key
        }
        if fitting != checks.dashboards and entities.REPORT.key_for(**ids) in rows.by_key:
            renewed = checks.model_copy(update={"dashboards": fitting, "catalog_version": None})
            problem = "does not fit the dashboards and flags of its report"
            yield Finding(entities.REPORT_CHECKS.key_for(**ids), problem, checks_store.renew(checks, renewed))


def _with_numbers(entry: StoredChecked, flags: StoredFlags | None) -> StoredChecked:
    number = len(flags.flags) if flags else 0
    return entry.model_copy(update={"flags": number, "open_flags": open_among(flags)})


def _committees(rows: BoardRows) -> Iterator[Finding]:
    """Finds committees with members who left or with a wrong count of documents, and seats that differ from them.

    While a row cannot be read, nothing is known of its seats, so nothing is found.
    """
    if rows.unreadable:
        return
    held = Counter(document.committee_id for document in rows.of(StoredDocument))
    expected: dict[Key, dict[UserId, tuple[str, ...]]] = defaultdict(dict)
    for committee in sorted(rows.of(StoredCommittee), key=lambda row: (row.created_at, row.id)):
        present = tuple(id_ for id_ in committee.member_ids if id_ in rows.members)
        if present != committee.member_ids or held[committee.id] != committee.documents:
            fitting = committee.model_copy(
                update={"member_ids": present, "documents": held[committee.id], "version": committee.version + 1}
            )
            key = entities.COMMITTEE.key_for(boardId=rows.board_id, committeeId=committee.id)
            yield Finding(key, "has other members or documents", committees.replace(committee, fitting))
        for user_id in (rows.members[id_].user_id for id_ in present):
            seats = expected[entities.seats_key(rows.board_id, user_id)]
            seats[user_id] = (*seats.get(user_id, ()), committee.id)
    stored = {key: row for key, row in rows.by_key.items() if key.sk.startswith("SEATS#")}
    for key in sorted(expected.keys() | stored.keys()):
        old = seats_in(stored.get(key))
        if {user: set(ids) for user, ids in old.committee_ids.items() if ids} != {
            user: set(ids) for user, ids in expected[key].items()
        }:
            new = Seats(committee_ids=expected[key], version=old.version + 1)
            yield Finding(key, "seats other members than the committees name", put_seats(key, old, new))


def _purged_users(rows: BoardRows) -> Iterator[Finding]:
    """Finds what purged users wrote, or their names, which a restore may have brought back."""
    wanted = Wanted(frozenset(), purged_users.purged_among(purged_users.named_users(rows.by_key.values())))
    unreadable = {finding.key for finding in rows.unreadable}
    for key, row in sorted((key, row) for key, row in rows.by_key.items() if key not in unreadable):
        has_name = row.get("assigneeUserId") in wanted.user_ids and row.get("assigneeName") is not None
        if has_name or address_removal.concerns(row, wanted):
            yield Finding(key, "names a user who was purged; repeat `boardctl user purge`")


def _people(rows: BoardRows) -> Iterator[Finding]:
    """Finds address rows that do not lead to their person without an account, and merges that nothing continues.

    An address that nobody on the board has needs no row. While a row cannot be read, nothing leads astray.
    """
    people = rows.of(StoredUnregisteredUser)
    wanted = [row for person in people for row in unregistered_users.rows_elsewhere(person)]
    yield from expect(rows, wanted, "does not lead to its person")
    stored = rows.stored(StoredUnregisteredUser)
    known = {} if rows.unreadable else read(key for row in stored for key in unregistered_users.keys_elsewhere(row))
    for key in known.keys() - {key_of(row) for row in wanted}:
        yield Finding(key, "leads to a person who does not have this address now", Delete(key))
    resumed = [due.put(merging.due_message(person, person.merge)) for person in people if person.merge]
    waiting = read(map(key_of_write, resumed))
    for write in resumed:
        if key_of_write(write) not in waiting:
            yield Finding(key_of_write(write), "is missing: nothing goes on with the merge of a person", write)


_CHECKS: tuple[Callable[[BoardRows], Iterator[Finding]], ...] = (
    _orphans,
    _links,
    _leads,
    _payloads,
    _counts,
    _report_checks,
    _committees,
    _purged_users,
    _people,
)
