"""Reads the routes of the API as the user who requested an export: what they may not see is not in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from governance import telemetry
from governance.domain.access.access import check_account, not_a_member
from governance.errors import ApiError, not_found
from governance.ids import BoardId
from governance.instants import Instant
from governance.models.base import Query
from governance.models.exports.export import StoredExport
from governance.scopes import Tier
from governance.telemetry import Metric
from governance.usecases.acting import context_of, read_as
from governance.usecases.context import Context, RequestInfo

UseCase = Callable[..., Any]


class ExportRefusedError(Exception):
    """The user may not have the export any more, or its board was deleted."""


class Reader:
    """Calls the use cases of an export's user. Each call checks again whether they may have the export."""

    def __init__(self, export: StoredExport, now: Instant) -> None:
        self.export = export
        self.now = now

    def read(self, usecase: UseCase, query: Query | None = None, after: str | None = None, **params: str) -> Any:
        """Returns the result of a use case; `params` are those of its path, without the board of a board's export.

        Raises the errors of the use case, and `ExportRefusedError` if the user may not have the export.
        """
        board = {"boardId": self.export.board_id} if self.export.board_id else {}
        info = RequestInfo({**board, **params}, self.export.user_id, query, after)
        context = context_of(info, usecase, self.now)
        self._check(context)
        if "boardId" in info.params and context.tier is None:
            raise not_a_member()
        return read_as(info, usecase, context)

    def read_or_none(
        self, usecase: UseCase, query: Query | None = None, after: str | None = None, **params: str
    ) -> Any:
        """Returns the result of a use case; None if there is nothing, or it cannot be read (ADR table)."""
        try:
            return self.read(usecase, query, after, **params)
        except ApiError as error:
            if error.code.refuses_access:
                return None
            raise
        except ValidationError:
            telemetry.count(Metric.ITEMS_UNREADABLE)
            return None

    def _check(self, context: Context) -> None:
        user = context.principal.user
        try:
            if user is None:
                raise not_found()
            check_account(user)
        except ApiError:
            raise ExportRefusedError from None
        if self.export.board_id and (context.known_board is None or (context.tier or 0) < Tier.ADMIN):
            telemetry.logger().warning("export refused", board=self.export.board_id, export=self.export.id)
            raise ExportRefusedError


def board_of(reader: Reader) -> BoardId:
    """Returns the board of a board's export."""
    if reader.export.board_id is None:
        raise TypeError("the export is of a user")
    return reader.export.board_id
