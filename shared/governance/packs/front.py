"""The pages that a pack begins with, as lines: its cover, and the agenda with times, presenters and papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from zoneinfo import ZoneInfo

from governance.domain.meetings.agenda import known_starts
from governance.domain.notifications.wording import day_in_words, instant_in_words
from governance.ids import UserId
from governance.instants import Instant, to_datetime
from governance.local_times import in_zone
from governance.models.documents.document import StoredDocument
from governance.models.meetings.agenda import AgendaItem
from governance.models.paper_requests.paper_request import StoredPaperRequest
from governance.packs.copier.report import LeftOut
from governance.packs.jobs import LETTERS, MISSING, Line
from governance.texts import Language, text
from governance.usecases.packs.pack_making import PackContent

_UTC = "UTC"
_FILES, _MISSING_PAPERS, _NAME = 5, 8, 80
"""How many files of a paper and how many missing papers the cover names, and characters of a name."""
_WIDEST = 99999
"""A page number as wide as any: lines with it break no later than lines with the real numbers."""


def lines(
    content: PackContent,
    pages: Mapping[str, int] | None,
    now: Instant,
    lost: Sequence[tuple[str, str, Sequence[LeftOut]]] = (),
) -> list[Line]:
    """Returns the lines; `pages` are the first pages of the papers by their ids, None while they are not known.

    `lost` is what the pack lacks of its papers: title and address of each, with what was left out of it.
    """
    cover = [*_cover(content, now), *_missing_papers(content), *_lost(content.language, lost)]
    return [*cover, Line("page", ""), *_agenda(content, pages)]


def link_lines(language: Language, paper: StoredDocument, name: str | None, url: str) -> list[Line]:
    """Returns the lines of the page in place of a paper that has no pages: its title, its file's name and its link."""
    told = text(language, "pack.elsewhere", file=name) if name else text(language, "pack.no_file")
    return [Line("heading", paper.title), Line("detail", told), Line("link", url)]


def numbered(language: Language, number: int, item: AgendaItem) -> str:
    """Returns the title of an item with its number; what is in camera is withheld, as a pack has many readers."""
    return f"{number}. {item.title or text(language, 'pack.withheld')}"


def _cover(content: PackContent, now: Instant) -> Iterator[Line]:
    meeting, language = content.meeting, content.language
    yield Line("title", meeting.title)
    yield Line("subtitle", content.board)
    if meeting.start_time:
        yield Line("subtitle", instant_in_words(meeting.start_time, _zone(content), language))
    for place in (meeting.location, meeting.virtual_meeting_url):
        if place:
            yield Line("subtitle", place)
    made = {"time": instant_in_words(now, _zone(content), language)}
    if content.maker and content.maker.full_name:
        yield Line("item", text(language, "pack.made_by", name=content.maker.full_name, **made))
    else:
        yield Line("item", text(language, "pack.made", **made))
    yield Line(MISSING, text(language, "pack.missing_letters", letters=LETTERS))


def _missing_papers(content: PackContent) -> Iterator[Line]:
    if content.missing:
        yield Line("item", text(content.language, "pack.missing"))
    for request in content.missing[:_MISSING_PAPERS]:
        yield Line("detail", " · ".join(filter(None, _owed(content, request))))
    if len(content.missing) > _MISSING_PAPERS:
        yield Line("detail", text(content.language, "pack.more", number=len(content.missing) - _MISSING_PAPERS))


def _owed(content: PackContent, request: StoredPaperRequest) -> Iterator[str]:
    """Yields the title, the name of who is asked (empty if they left), and the due day in the meeting's zone."""
    yield _cut(request.title)
    asked = request.asked
    yield _cut(_name(content, asked.user_id) or content.people.name_of(asked.unregistered_user_id) or "")
    day = day_in_words(in_zone(request.due_at, _zone(content)), content.language)
    yield text(content.language, "pack.due", day=day)


def _lost(language: Language, lost: Iterable[tuple[str, str, Sequence[LeftOut]]]) -> Iterator[Line]:
    named = [(title, url, left_out) for title, url, left_out in lost if left_out]
    if named:
        yield Line("item", text(language, "pack.lost"))
    for title, url, left_out in named:
        for each in left_out:
            told = text(language, f"pack.lost.{each.loss}")
            yield Line("detail", f"{title}: {told}{_names(language, each.files)}")
        yield Line("link", url)


def _names(language: Language, files: Sequence[str]) -> str:
    """Returns the names of files behind a sentence, as many as a cover has room for."""
    if not files:
        return ""
    listed = [_cut(name) for name in files[:_FILES]]
    if len(files) > _FILES:
        listed.append(text(language, "pack.more", number=len(files) - _FILES))
    return f" ({', '.join(listed)})"


def _cut(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[:_NAME]}…"


def _agenda(content: PackContent, pages: Mapping[str, int] | None) -> Iterator[Line]:
    language = content.language
    yield Line("heading", text(language, "pack.agenda"))
    if not content.agenda.items:
        yield Line("detail", text(language, "pack.agenda_empty"))
    starts = known_starts(content.agenda.items)
    for number, (item, starts_at) in enumerate(zip(content.agenda.items, starts, strict=True), 1):
        yield Line("item", numbered(language, number, item))
        yield Line("detail", " · ".join(_facts(content, item, starts_at)))
        if item.notes:
            yield Line("detail", item.notes)
        for paper in (content.papers[document_id] for document_id in item.document_ids or ()):
            page = pages[paper.id] if pages is not None else _WIDEST
            yield Line("detail", text(language, "pack.paper", title=paper.title, page=page))


def _facts(content: PackContent, item: AgendaItem, starts_at: str | None) -> Iterator[str]:
    language = content.language
    if starts_at:
        yield f"{to_datetime(Instant(starts_at)).astimezone(ZoneInfo(_zone(content))):%H:%M}"
    if item.minutes:
        yield text(language, "pack.minutes", number=item.minutes)
    if item.kind:
        yield text(language, f"pack.kind.{item.kind}")
    presenter = item.presenter_name or _name(content, item.presenter_user_id)
    if presenter:
        yield presenter


def _name(content: PackContent, user_id: UserId | None) -> str:
    user = content.members.get(UserId(user_id)) if user_id else None
    return user.full_name if user else ""


def _zone(content: PackContent) -> str:
    """Returns the time zone of the meeting; without one, that of the maker, or UTC."""
    return content.meeting.timezone or (content.maker.timezone if content.maker else None) or _UTC
