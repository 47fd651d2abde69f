"""Example boards (ADR boards)."""

from governance.ids import BoardId
from governance.models.base import Stored


class OwnExampleBoard(Stored):
    """The example board that a user made last; it may have been deleted since."""

    board_id: BoardId


class ExampleProgress(Stored):
    """The progress of filling an example board: the ids of the written items, in the order of its content."""

    ids: tuple[str, ...] = ()
    version: int = 1
