"""Exports of a board or of the caller's own data: request one, list, read (an extension of the API, ADR exports)."""

from __future__ import annotations

from collections.abc import Callable

from governance.domain.events import exports as events
from governance.domain.exports import export as export_rules
from governance.domain.quota import EXPORTS
from governance.errors import not_found
from governance.ids import BoardId, UserId
from governance.instants import shift
from governance.limits import EXPORT_LINK_SECONDS
from governance.models.exports.export import Export, StoredExport
from governance.models.page import OrderedQuery, Page
from governance.settings import Secret
from governance.store import quotas
from governance.store.account import users
from governance.store.exports import export_files, exports
from governance.store.schema.jobs import EXPORT, EXPORT_RUNNING
from governance.store.schema.keys import Entity, Item, Key
from governance.store.writes import Write
from governance.usecases.context import Context, Outcome, RequestInfo
from governance.usecases.declarations import finds, loads, uses_secret
from governance.usecases.event_writes import record_event


def _of_board(entity: Entity) -> Callable[[RequestInfo], list[Key | None]]:
    return lambda info: [entity.key_or_none(**_known(info), exportedId=info.board_id)]


def _own(entity: Entity) -> Callable[[RequestInfo], list[Key | None]]:
    return lambda info: [entity.key_or_none(**_known(info), exportedId=info.user_id)]


def _known(info: RequestInfo) -> dict[str, str | None]:
    return {**info.params, "userId": info.user_id}


def _user_id(context: Context) -> UserId:
    return context.principal.named_user_id


def _kept(context: Context, exported_id: BoardId | UserId) -> StoredExport:
    export = context.stored_or_none(EXPORT, StoredExport, exportedId=exported_id, userId=_user_id(context))
    if export is None or export_rules.expires_at(export) <= context.now:
        raise not_found()
    return export


def _of_board_kept(context: Context) -> StoredExport:
    return _kept(context, context.board.id)


def _own_kept(context: Context) -> StoredExport:
    return _kept(context, _user_id(context))


def to_resource(context: Context, export: StoredExport) -> Export:
    """Returns the export as the user who requested it sees it, with a new address if it is ready."""
    until = shift(context.now, seconds=EXPORT_LINK_SECONDS)
    url = export_files.signed_url(export.id, until) if export.status == "ready" else None
    return export_rules.to_resource(export, url, context.now)


def _new(context: Context, board_id: BoardId | None, running: Item | None) -> StoredExport:
    export_rules.check_none_runs(exports.running_from_item(running), context.now)
    return export_rules.requested(_user_id(context), board_id, context.now)


def _counted(export: StoredExport) -> Write:
    return quotas.count_use(EXPORTS, export.board_id or export.user_id, export.created_at)


def _page(context: Context, exported_id: BoardId | UserId, query: OrderedQuery) -> Page[Export]:
    window = context.window(query, above=exports.oldest_kept(context.now))
    page, last = exports.list_of_user(exported_id, _user_id(context), window)
    return Page([to_resource(context, export) for export in page], last)


@loads(_of_board(EXPORT_RUNNING))
@uses_secret(Secret.DOWNLOAD)
def create_board_export(context: Context) -> Outcome[Export]:
    """Requests an export of the board; raises 409 `EXPORT_RUNNING` while another one runs, or 429."""
    board_id = context.board.id
    export = _new(context, board_id, context.item(EXPORT_RUNNING, exportedId=board_id))
    event = record_event(context, events.EXPORT_REQUESTED, events.ExportRequested(export_id=export.id))
    return Outcome(to_resource(context, export), [*exports.create(export), *event, _counted(export)])


@loads(_own(EXPORT_RUNNING))
@uses_secret(Secret.DOWNLOAD)
def create_my_export(context: Context) -> Outcome[Export]:
    """Requests an export of the caller's own data; raises 409 `EXPORT_RUNNING` while another one runs, or 429."""
    export = _new(context, None, context.item(EXPORT_RUNNING, exportedId=_user_id(context)))
    return Outcome(
        to_resource(context, export), [users.check_active(export.user_id), *exports.create(export), _counted(export)]
    )


@uses_secret(Secret.DOWNLOAD)
def list_board_exports(context: Context, query: OrderedQuery) -> Page[Export]:
    """Returns a page of the exports of the board that the caller requested, newest first."""
    return _page(context, context.board.id, query)


@uses_secret(Secret.DOWNLOAD)
def list_my_exports(context: Context, query: OrderedQuery) -> Page[Export]:
    """Returns a page of the exports of the caller's own data, newest first."""
    return _page(context, _user_id(context), query)


@loads(_of_board(EXPORT))
@finds(_of_board_kept)
@uses_secret(Secret.DOWNLOAD)
def get_board_export(context: Context, export: StoredExport) -> Export:
    """Returns one of the caller's exports of the board."""
    return to_resource(context, export)


@loads(_own(EXPORT))
@finds(_own_kept)
@uses_secret(Secret.DOWNLOAD)
def get_my_export(context: Context, export: StoredExport) -> Export:
    """Returns one export of the caller's own data."""
    return to_resource(context, export)
