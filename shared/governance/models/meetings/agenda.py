"""Agendas: the ordered items of a meeting, with times, presenters and papers (an extension of the API, ADR
meetings)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from governance.agenda_limits import (
    AGENDA_ITEM_MINUTES,
    AGENDA_ITEM_NOTES,
    AGENDA_ITEM_PAPERS,
    AGENDA_ITEMS,
    AGENDA_TITLE,
    NAMED_PERSON,
)
from governance.ids import BoardId, PersonId, UserId
from governance.instants import Instant
from governance.models.base import Body, Resource, Stored
from governance.models.meetings.audience import Audience, AudienceBody, ItemForSomeBody, StoredAudience
from governance.models.text import (
    NamedId,
    NamedPersonId,
    NamedUserId,
    NoControls,
    NoControlsButBreaks,
    NotBlank,
    once_each,
    text,
)

AgendaItemKind = Literal["information", "discussion", "decision", "approval"]
"""Whether the item is for information, for discussion, for a decision, or for the approval of minutes."""
TO_BACKLOG, TO_NEXT = "backlog", "next"
Papers = Annotated[list[NamedId], Field(max_length=AGENDA_ITEM_PAPERS), AfterValidator(once_each)]
AgendaTitle = Annotated[str, text(1, AGENDA_TITLE), NotBlank, NoControls]
ItemMinutes = Annotated[int, Field(ge=1, le=AGENDA_ITEM_MINUTES)]
ItemNotes = Annotated[str, text(0, AGENDA_ITEM_NOTES), NoControlsButBreaks]
OutsiderName = Annotated[str, text(1, NAMED_PERSON), NotBlank, NoControls]


class ItemFields(Resource):
    """The fields of an item that a client sets, without its papers."""

    id: str
    """Opaque identifier of the item, within its agenda or template."""
    title: str
    """Title of the item."""
    minutes: int | None = None
    """Duration of the item in minutes. Null counts as 0."""
    presenter_user_id: UserId | None = None
    """Identifier of the member who presents the item."""
    presenter_name: str | None = None
    """Name of somebody else who presents the item; for a person without an account, their current name."""
    presenter_unregistered_user_id: PersonId | None = None
    """Identifier of the person without an account who presents the item."""
    kind: AgendaItemKind | None = None
    """Purpose of the item."""
    notes: str | None = None
    """Notes on the item."""


class AgendaItemFields(ItemFields):
    """The same fields of an item that may have papers."""

    document_ids: tuple[str, ...] = ()
    """Identifiers of the item's papers, in order."""


class StoredAgendaItem(AgendaItemFields, Stored):
    """An item as it is stored.

    `carried_from` is the id of the item of an agenda, of a template or of the action items that it was made from, or of
    the meeting whose minutes it is about. `plan_item_id` is the id of the matter of the work plan that it is about, and
    `minutes_of_meeting_id` that of the meeting whose minutes are to be approved, wherever the item is carried. An item
    with an `audience` is in camera, and stays so wherever it is carried.
    """

    carried_from: str | None = None
    plan_item_id: str | None = None
    minutes_of_meeting_id: str | None = None
    audience: StoredAudience | None = None


class StoredAgenda(Stored):
    """The agenda of a meeting, as it is stored: one item of the table."""

    board_id: BoardId
    meeting_id: str
    items: tuple[StoredAgendaItem, ...]
    created_at: Instant
    updated_at: Instant
    version: int = 1


class ShownItem(AgendaItemFields):
    """An item as a client sees it: of one in camera, those who are not in its audience see nothing but its place."""

    title: str | None  # type: ignore[assignment]
    """Title of the item. Null for a withheld item."""
    document_ids: tuple[str, ...] | None = ()  # type: ignore[assignment]
    """Identifiers of the item's papers, in order. Null for a withheld item."""
    audience: Audience | None
    """Who the item is for, if it is in camera and you are among them. Null for the item of all who see the meeting."""
    withheld: bool
    """Whether the item is in camera and you are not in its audience. All but `id` and its time is null then."""


class AgendaItem(ShownItem):
    """An item of an agenda."""

    starts_at: str | None
    """When the item begins, in UTC. Null for a meeting without a start."""


class Agenda(Resource):
    """The agenda of a meeting, with the papers that you can see."""

    object: Literal["agenda"] = "agenda"
    meeting_id: str
    items: tuple[AgendaItem, ...]
    """The items in order."""
    created_at: str | None
    """When the agenda was first set; null without an agenda."""
    updated_at: str | None
    """When the agenda last changed; null without an agenda."""


class ItemBody(Body):
    """What a client sets of an item, without its papers."""

    title: AgendaTitle
    """Title of the item, at most $AGENDA_TITLE characters."""
    minutes: ItemMinutes | None = None
    """Duration of the item, from 1 to $AGENDA_ITEM_MINUTES minutes."""
    presenter_user_id: NamedUserId | None = None
    """Identifier of a member of the board who presents the item. Send this or `presenterName`, not both."""
    presenter_name: OutsiderName | None = None
    """Name of somebody else who presents the item, at most $NAMED_PERSON characters."""
    presenter_unregistered_user_id: NamedPersonId | None = None
    """Identifier of an active person of the board who has no account and presents the item. Send no other presenter."""
    kind: AgendaItemKind | None = None
    notes: ItemNotes | None = None
    """Notes on the item, at most $AGENDA_ITEM_NOTES characters."""


class ItemWithPapersBody(ItemBody):
    """What a client sets of an item that may have papers."""

    document_ids: Papers = Field(default_factory=list)
    """Identifiers of the item's papers in their order, at most $AGENDA_ITEM_PAPERS documents of the board."""


class AgendaItemBody(ItemForSomeBody, ItemWithPapersBody):
    """An item of an agenda."""

    id: NamedId | None = None
    """Identifier of the item of this agenda to keep or change. Leave it out for a new item."""
    title: AgendaTitle | None = None  # type: ignore[assignment]
    """Title of the item, at most $AGENDA_TITLE characters. Only a withheld item has none."""
    audience: AudienceBody | None = None
    """Who the item is for. Managers put an item without papers in camera by it; null opens the item, and an item keeps
    what is left out.
    """
    withheld: bool = False
    """Whether to leave the item as it is. Send a withheld item back as you got it, or leave it out: it stays.
    """


class AgendaBody(Body):
    """The whole agenda of a meeting."""

    items: Annotated[list[AgendaItemBody], Field(max_length=AGENDA_ITEMS)]
    """The items in their order, at most $AGENDA_ITEMS."""

    @classmethod
    def field_errors(cls, value: Mapping[str, Any]) -> dict[str, str]:
        """Returns the errors of items without a title that are not withheld, and of withheld ones without an id."""
        return errors_of_withheld(value, "title")


def errors_of_withheld(value: Mapping[str, Any], text: str) -> dict[str, str]:
    """Returns the errors of items that lack their `text` and are not withheld, or their `id` and are."""
    items = value.get("items")
    errors: dict[str, str] = {}
    for index, item in enumerate(items if isinstance(items, list) else ()):
        name = "id" if isinstance(item, dict) and item.get("withheld") is True else text
        if isinstance(item, dict) and item.get(name) is None:
            errors[f"items.{index}.{name}"] = "is required"
    return errors


class TemplateBody(Body):
    """The template to add items from."""

    template_id: NamedId
    """Identifier of an agenda template of the board."""


class PostponeBody(Body):
    """Where the item is to stand."""

    to: Annotated[str, StringConstraints(pattern=rf"^({TO_BACKLOG}|{TO_NEXT}|[0-9a-f]{{24}})$")]
    """`backlog`, `next` for the next meeting of the same series, or the identifier of another meeting of the board."""


class CarryOverBody(Body):
    """The meeting to carry over from."""

    from_meeting_id: NamedId
    """Identifier of another meeting of the board."""
