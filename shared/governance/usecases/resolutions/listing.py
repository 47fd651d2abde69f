"""The list of resolutions (an extension of the API, ADR resolutions).

What the clock has closed is listed as closed from that instant on, though it is recorded later: it is read first, so
that a record which is made meanwhile is in one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from governance.domain.resolutions.visibility import can_see, visibilities
from governance.ids import is_id
from governance.models.page import Page
from governance.models.resolutions.resolution import DECIDED, Resolution, ResolutionsQuery
from governance.settings import Secret
from governance.store.paging import page_of
from governance.store.resolutions import departures, resolutions
from governance.store.schema.keys import position
from governance.usecases.byte_pages import page_within
from governance.usecases.context import Context
from governance.usecases.declarations import loads, own_committees, uses_secret
from governance.usecases.resolutions.reading import reader_of, state_of

_READ_TOGETHER = 10
"""Resolutions whose text and voters are read at the same time."""
_Places = list[tuple[str, str]]
"""Positions in the list, and ids."""


@uses_secret(Secret.BALLOT)
@loads(own_committees)
def list_resolutions(context: Context, query: ResolutionsQuery) -> Page[Resolution]:
    """Returns a page of the resolutions that the caller may see, by creation or by their result.

    A page ends early where its texts and voters would outgrow a response.
    """
    if any(id_ is not None and not is_id(id_) for id_ in (query.meeting_id, query.committee_id)):
        return Page([])
    places, last = _places(context, query)
    page = page_within(_read(context, places), last)
    return Page(_of_status(page.data, query), page.next_position)


def _read(context: Context, places: _Places) -> Iterator[tuple[str, Resolution]]:
    for start in range(0, len(places), _READ_TOGETHER):
        yield from _shown(context, places[start : start + _READ_TOGETHER])


def _of_status(shown: Sequence[Resolution], query: ResolutionsQuery) -> list[Resolution]:
    """Returns the resolutions of the status that is asked for: one may have changed since the list was read."""
    return [resolution for resolution in shown if query.status in (None, resolution.status)]


def _places(context: Context, query: ResolutionsQuery) -> tuple[_Places, str | None]:
    """Returns the places of a page, and the position of its last one (None: no more)."""
    over = _over(context, query)
    window = context.window(query)
    stored, last = resolutions.list_ids(
        context.board.id,
        visibilities(reader_of(context), query.status, query.committee_id),
        replace(window, limit=window.limit + len(over)),  # so many may have to be left out
        by_closing=query.sort == "closedAt",
        meeting_id=query.meeting_id,
        status=query.status,
    )
    places = [
        *((at, id_) for at, id_ in stored if id_ not in over),
        *((at, id_) for id_, at in over.items() if at is not None),
    ]
    shown, following = page_of(places, itemgetter(0), window)
    return shown, following or (shown[-1][0] if last is not None else None)


def _over(context: Context, query: ResolutionsQuery) -> Mapping[str, str | None]:
    """Returns those that are stored as open and that the clock has closed, as far as it changes their place.

    Returns their positions in this list by their ids; None for one that is not in it.
    """
    is_by_closing = query.sort == "closedAt"
    if query.status not in ("open", *DECIDED) and not (query.status is None and is_by_closing):
        return {}
    among = visibilities(reader_of(context), "open", query.committee_id)
    places = resolutions.over(context.board.id, among, context.now, query.meeting_id)
    if query.status is None:
        return {id_: at for at, id_ in places}
    if query.status == "open":
        return dict.fromkeys(id_ for _, id_ in places)
    return {
        resolution.id: (at if is_by_closing else position(resolution.created_at, resolution.id))
        if resolution.status == query.status
        else None
        for at, resolution in _shown(context, places)
    }


def _shown(context: Context, listed: _Places) -> list[tuple[str, Resolution]]:
    """Returns the resolutions at these positions, as they are now; not those that are hidden by now."""
    places, reader = {id_: at for at, id_ in listed}, reader_of(context)
    read = resolutions.read_whole(context.board.id, [*places])
    visible = [(head, body) for head, body in read if can_see(reader, head)]
    opened = [head.opened_at for head, _ in visible if head.status == "open" and head.opened_at]
    left = departures.since(context.board.id, min(opened)) if opened else []
    return [(places[head.id], state_of(head, body, context.now, left).shown()) for head, body in visible]
