"""Bugs that show only when another request writes between two reads."""

from __future__ import annotations

from governance.store.boards import committees
from governance.store.invites import sent_invites
from governance.store.meetings import guest_links
from tests.seeded_bugs.bug import Bug

_MEMBERS, _ROWS = "    items = read([*members, *users])\n", "    seats = read(rows)\n"
_RELATED = (
    "tests/interleavings/test_resource_pairs.py"
    "::test_concurrent_writes_to_related_resources_have_the_effect_of_one_after_the_other"
)

BUGS = (
    Bug(
        "the members to seat are read before the rows of their seats",
        committees.members_to_seat,
        _ROWS + _MEMBERS,
        _MEMBERS + _ROWS,
        f"{_RELATED}[join_committee_remove_member]",
    ),
    Bug(
        "a guest link can be closed twice",
        guest_links.close,
        "Delete(_key(meeting), ABSENT if link is None else equals(digest=link.digest))",
        "Delete(_key(meeting))",
        f"{_RELATED}[close_link_close_link]",
    ),
    Bug(
        "an invite that is closed while its two places are read is in neither",
        sent_invites._read,
        "if _invite_of(row, items) is None)",
        "if False)",
        "tests/interleavings/test_torn_lists.py",
    ),
)
