"""What a table of samples is made of: for each kind of row a call that writes one, and who does not delete it.

Whatever is not said here is judged: the deletion of a board deletes a row or lets it expire
(tests/usecases/test_cleanup_kinds.py), the purge of a user every row that names them and does not expire within a week
(tests/operator/test_purge_kinds.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from governance.store.schema.keys import Key
from governance.store.writes import Write
from tests.store import stored_items as items

CONTENT = "the board's, of which the user is the creator"
DEPARTED = "says that the user left; it expires"
EVENT = "an event of the board, whose addresses are gone; it expires"
OF_A_MEMBER = "memberships stay, and the name and address of the member are gone"
OF_A_USER = "of a user"
_SPELLED = {
    items.NOW: "<time>",
    items.BOARD: "<board>",
    items.USER: "<user>",
    items.MEETING: "<meeting>",
    items.REPORT: "<report>",
    items.COMMITTEE: "<committee>",
    items.MEMBER: "<member>",
    items.ONE: "<id>",
    items.FEED_ID: "<feed>",
    items.RESOLUTION_ID: "<resolution>",
    items.SLOT: "<slot>",
    items.SLOT[:12]: "<instant>",
    items.CODE: "<code>",
    items.MAIL: "<address>",
    items.MAIL_DIGEST: "<digest>",
    items.TYPE_DIGEST: "<type>",
    items.CONNECTION_ID: "<connection>",
    f"#{items.NOW[:10]}#": "#<day>#",
    f"#{items.NOW[:7]} ": "#<month> ",
}
"""The words for what is in keys, as fixed as the samples, in this order."""


@dataclass(frozen=True)
class Sample:
    """A call that writes rows of a kind; called in each test, so that a test fails where that breaks.

    Its rows that stay, as `spelled`, each with the reason.
    """

    make: Callable[[], Iterable[Write]]
    outlives_board: Mapping[str, str] = field(default_factory=dict)
    outlives_user: Mapping[str, str] = field(default_factory=dict)


def spelled(key: Key) -> str:
    """Returns a key with words in place of ids, addresses and instants; no two keys have the same."""
    text = " ".join(key)
    for value, word in _SPELLED.items():
        text = text.replace(value, word)
    return text
