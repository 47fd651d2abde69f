"""Which model belongs to which item, by its key: for the commands that read rows of every kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel

from governance.models.account.purge import PurgeProgress
from governance.models.account.token import StoredToken
from governance.models.account.user import StoredUser
from governance.models.base import Stored
from governance.models.boards.board import Membership, Seats, StoredBoard
from governance.models.boards.committee import StoredCommittee
from governance.models.boards.example_board import ExampleProgress, OwnExampleBoard
from governance.models.boards.unregistered_user import StoredUnregisteredUser
from governance.models.calendar import StoredCalendarInvitation, StoredCalendarSettings, StoredFeed
from governance.models.comment import StoredComment
from governance.models.documents.document import StoredDocument
from governance.models.documents.document_version import LastPack, StoredVersions
from governance.models.event import StoredEvent
from governance.models.export import RunningExport, StoredExport
from governance.models.invite import FormerBoard, StoredInvite
from governance.models.meetings.action_item import StoredActionItem
from governance.models.meetings.agenda import StoredAgenda
from governance.models.meetings.due import DueMessage
from governance.models.meetings.meeting import StoredMeeting
from governance.models.meetings.minutes import StoredMinutes
from governance.models.meetings.rsvp import StoredRsvp
from governance.models.meetings.slot import StoredGuestLink, StoredGuestView, StoredPersonalLink, StoredSlot, StoredVote
from governance.models.meetings.slot_windows import StoredSlotWindows
from governance.models.meetings.unregistered_rsvp import StoredUnregisteredRsvp
from governance.models.meetings.vote_request import StoredVoteRequest
from governance.models.notifications.notification import ReadMark, StoredNotification, StoredPreferences
from governance.models.reports.bet import StoredBet
from governance.models.reports.check import StoredChecks, StoredFigures, StoredFlags
from governance.models.reports.cycle import StoredCycle
from governance.models.reports.dashboard import StoredDashboard
from governance.models.reports.figure import StoredFigure
from governance.models.reports.report import StoredReport
from governance.models.resolutions.ballot import VoterGroup
from governance.models.resolutions.resolution import StoredContent, StoredDeparture, StoredResolution
from governance.models.webhooks.webhook import StoredDelivery, StoredWebhooks
from governance.store.schema import entities
from governance.store.schema.keys import Entity, Key, key_of

ENTITY_MODELS: Mapping[Entity, type[Stored]] = {
    entities.BOARD: StoredBoard,
    entities.MEMBER: Membership,
    entities.EXAMPLE_PROGRESS: ExampleProgress,
    entities.OWN_EXAMPLE_BOARD: OwnExampleBoard,
    entities.BOARD_TOKEN: StoredToken,
    entities.COMMITTEE: StoredCommittee,
    entities.DOCUMENT: StoredDocument,
    entities.VERSIONS_OF_DOCUMENT: StoredVersions,
    entities.ACTION_ITEM: StoredActionItem,
    entities.INVITE: StoredInvite,
    entities.REPORT: StoredReport,
    entities.DASHBOARD: StoredDashboard,
    entities.CYCLE: StoredCycle,
    entities.BET: StoredBet,
    entities.DASHBOARD_FIGURES: StoredFigures,
    entities.DASHBOARD_FLAGS: StoredFlags,
    entities.REPORT_CHECKS: StoredChecks,
    entities.RESOLUTION: StoredResolution,
    entities.RESOLUTION_CONTENT: StoredContent,
    entities.MEETING: StoredMeeting,
    entities.GUEST_LINK: StoredGuestLink,
    entities.GUEST_VIEW: StoredGuestView,
    entities.WEBHOOKS: StoredWebhooks,
    entities.SLOT: StoredSlot,
    entities.MEMBER_VOTE: StoredVote,
    entities.RSVP: StoredRsvp,
    entities.AGENDA: StoredAgenda,
    entities.MINUTES: StoredMinutes,
    entities.PACK_OF_MEETING: LastPack,
    entities.MEETING_COMMENT: StoredComment,
    entities.DOCUMENT_COMMENT: StoredComment,
    entities.DASHBOARD_COMMENT: StoredComment,
    entities.USER: StoredUser,
    entities.USER_TOKEN: StoredToken,
    entities.FORMER_BOARD: FormerBoard,
    entities.NOTIFICATION: StoredNotification,
    entities.NOTIFICATIONS_READ: ReadMark,
    entities.PREFERENCES: StoredPreferences,
    entities.CALENDAR_FEED: StoredFeed,
    entities.CALENDAR_SETTINGS: StoredCalendarSettings,
    entities.CALENDAR_INVITATION: StoredCalendarInvitation,
    entities.PURGE: PurgeProgress,
    entities.VOTE_REQUEST: StoredVoteRequest,
    entities.SLOT_WINDOWS: StoredSlotWindows,
    entities.WEBHOOK_DELIVERY: StoredDelivery,
    entities.EXPORT: StoredExport,
    entities.EXPORT_RUNNING: RunningExport,
    entities.PERSONAL_LINK: StoredPersonalLink,
    entities.UNREGISTERED_RSVP: StoredUnregisteredRsvp,
    entities.UNREGISTERED_USER: StoredUnregisteredUser,
}
_ID = "[0-9a-f]{24}"
_OTHERS: Mapping[str, type[Stored]] = {
    rf"BOARD#{_ID} PENDING_INVITE#.+": StoredInvite,
    rf"BOARD#{_ID} SEATS#\d\d": Seats,
    rf"BOARD#{_ID} FIGURE#.+": StoredFigure,
    rf"GUESTS#{_ID} MEETING#{_ID}#VOTE#{_ID}#[0-9a-f]+": StoredVote,
    rf"RESOLUTIONS#{_ID} DEPARTURE#.+": StoredDeparture,
    rf"EVENTS#{_ID}#\S+ .+": StoredEvent,
    rf"PAYLOAD#{_ID}#{_ID} BODY#VOTERS#\d+": VoterGroup,
    r"DUE#\d .+": DueMessage,
}


def _pattern(entity: Entity) -> str:
    template = f"{entity.pk} {entity.sk}"
    return re.sub(r"\{\w+(?::\.(\d+))?\}", lambda match: f"[0-9a-f]{{{match[1] or 24}}}", template)


class _Kind(NamedTuple):
    pattern: re.Pattern[str]
    model: type[Stored]


_KINDS = [
    *(_Kind(re.compile(_pattern(entity)), model) for entity, model in ENTITY_MODELS.items()),
    *(_Kind(re.compile(pattern), model) for pattern, model in _OTHERS.items()),
]
MODELS = frozenset(kind.model for kind in _KINDS)


def model_of(item: Mapping[str, object]) -> type[Stored] | None:
    """Returns the model of an item; None for a row that counts, leads to another or holds text only."""
    return model_at(key_of(item))


def model_at(key: Key) -> type[Stored] | None:
    """Returns the model of what is stored under a key; None for a row without one."""
    text = f"{key.pk} {key.sk}"
    return next((kind.model for kind in _KINDS if kind.pattern.fullmatch(text)), None)


def names_in(model: type[BaseModel], ending: str) -> Iterator[str]:
    """Yields the paths of the fields whose names end like this, of a model and the models in it, as they are stored."""
    for name, info in model.model_fields.items():
        alias = info.alias or name
        if name == ending or name.endswith(f"_{ending}"):
            yield alias
        for inner in _models_in(info.annotation):
            yield from (f"{alias}.{path}" for path in names_in(inner, ending))


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def attributes_named(ending: str) -> set[str]:
    """Returns the attributes of all kinds of rows whose names end like this."""
    return {path for model in MODELS for path in names_in(model, ending) if "." not in path}
