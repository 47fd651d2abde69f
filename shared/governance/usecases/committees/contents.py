"""What only a committee sees: its documents, matters and waiting items are counted (ADR boards).

A committee with any is not deleted, is not left without members, and takes no admin who gives themselves a seat.
"""

from __future__ import annotations

from governance.store.committees import committees
from governance.store.writes import Write
from governance.usecases.context import Context


def update_counts(context: Context, before: str | None, after: str | None) -> list[Write]:
    """Updates the committees' counts of contents; checks that the caller still sits on the new committee."""
    if before == after:
        return []
    board_id = context.board.id
    removal = [committees.count_contents(board_id, before, -1)] if before else []
    addition = [committees.add_content(board_id, after, context.own_membership.id)] if after else []
    return removal + addition
