"""The sizes of items by their kinds, which say what a deletion costs at most."""

from __future__ import annotations

from governance.agenda_limits import (
    MINUTES_APPROVALS_BYTES,
    MINUTES_REMARK_QUOTE,
    MINUTES_REMARK_REPLY,
    MINUTES_REMARK_TEXT,
    MINUTES_VERSION_BYTES,
    WAITING_ITEM_BYTES,
)
from governance.limits import (
    ACTION_ITEM_NOTES_BYTES,
    BODY_BYTES,
    COMMENT_TEXT,
    DASHBOARD_BYTES,
    DOCUMENT_VERSIONS_BYTES,
    FIGURES_BYTES,
    FLAGS_BYTES,
    MEETING_PEOPLE_BYTES,
    NEWEST_FIGURES_BYTES,
    RESOLUTION_CONTENT_BYTES,
    RESOLUTION_PART_BYTES,
)
from governance.store.schema import entities, minutes
from governance.store.schema.keys import Key

_BY_KIND = {
    entities.NEWEST_FIGURES: NEWEST_FIGURES_BYTES,
    entities.DASHBOARD_FIGURES: FIGURES_BYTES,
    entities.DASHBOARD_FLAGS: FLAGS_BYTES,
    entities.VERSIONS_OF_DOCUMENT: DOCUMENT_VERSIONS_BYTES,
    entities.AGENDA: BODY_BYTES,
    minutes.MINUTES: BODY_BYTES,
    minutes.DELETED_MINUTES: BODY_BYTES,
    minutes.MINUTES_CORRECTION: BODY_BYTES,
    minutes.MINUTES_APPROVAL: MINUTES_APPROVALS_BYTES,
    entities.MEETING_PEOPLE: MEETING_PEOPLE_BYTES,
    entities.DASHBOARD_PAYLOAD: DASHBOARD_BYTES,
    entities.ACTION_ITEM_NOTES: ACTION_ITEM_NOTES_BYTES,
    entities.RESOLUTION_CONTENT: RESOLUTION_CONTENT_BYTES,
}
_PREFIXED = {
    entities.AGENDA_TEMPLATE: BODY_BYTES,
    entities.BACKLOG_ITEM: WAITING_ITEM_BYTES,
    entities.PLAN_ITEM: WAITING_ITEM_BYTES,
}
"""Of kinds whose keys end in an id."""
_LARGEST = {kind.sk.rpartition("}")[2]: size for kind, size in _BY_KIND.items()}
_LARGEST_SMALL = 4096
_LARGEST_COMMENT = _LARGEST_SMALL + 4 * COMMENT_TEXT
_LARGEST_REMARK = _LARGEST_SMALL + 4 * (MINUTES_REMARK_TEXT + MINUTES_REMARK_QUOTE + MINUTES_REMARK_REPLY)


def most_bytes(key: Key) -> int:
    """Returns the approximate largest size of an item of the kind that a key names: the most its deletion costs."""
    if f"{entities.COMMENTS_PREFIX}#" in key.sk:
        return _LARGEST_COMMENT
    if minutes.MINUTES_REMARK_PREFIX in key.sk:
        return _LARGEST_REMARK
    if minutes.MINUTES_VERSION_PREFIX in key.sk:
        return MINUTES_VERSION_BYTES
    if key.sk.startswith((entities.VOTER_GROUP.sk_prefix, entities.CERTIFICATE_PREFIX)):
        return RESOLUTION_PART_BYTES
    prefixed = (size for kind, size in _PREFIXED.items() if key.sk.startswith(kind.sk_prefix))
    return next(prefixed, None) or next(
        (size for end, size in _LARGEST.items() if key.sk.endswith(end)), _LARGEST_SMALL
    )
