"""Notifications and their preferences (the API specification, sections 2.10, 4.13 and 6)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from governance.ids import PersonId, RecipientId, UserId
from governance.instants import Instant
from governance.models.base import Body, Resource, Stored
from governance.models.calendars.calendar import MailSwitch

SpecifiedNotificationType = Literal[
    "board_invite",
    "membership_accepted",
    "membership_modified",
    "membership_removed",
    "member_left",
    "board_update",
    "new_comment",
    "task_assignment",
    "ownership_transfer",
    "slot_proposed",
    "dashboard_assigned",
    "dashboard_access_granted",
    "dashboard_access_removed",
    "dashboard_changes_requested",
    "dashboard_ready_for_review",
    "dashboard_internally_reviewed",
    "report_published",
    "report_finalized",
    "example_board_ready",
    "merge_recommendation",
    "meeting_creation_suggestion",
    "section_dispatched",
    "section_reminder",
    "post_meeting_minutes_distributed",
    "validation_flag_raised",
    "package_published",
    "bet_due_soon",
    "meeting_rsvp_changed",
    "meeting_updated_from_calendar",
    "meeting_cancelled_from_calendar",
]
"""The types of the API specification (section 6)."""
OwnNotificationType = Literal[
    "meeting_scheduled",
    "meeting_changed",
    "meeting_cancelled",
    "meeting_reminder",
    "vote_reminder",
    "rsvp_reminder",
    "slot_removed",
    "task_due",
    "pack_published",
    "resolution_opened",
    "resolution_reminder",
    "resolution_closed",
    "resolution_recused",
    "resolution_proxy",
    "paper_requested",
    "paper_delivered",
    "paper_decided",
    "paper_reminder",
    "minutes_circulated",
    "minutes_approved",
]
"""The types that this service adds."""
NotificationType = Literal[SpecifiedNotificationType, OwnNotificationType]
"""Type of a notification. Some values are reserved for later features."""
NotificationCategory = Literal[
    "section_status",
    "validation_flag",
    "package_status",
    "post_meeting",
    "action_item",
    "bet_reminder",
    "section_overdue",
]
"""A group of notification types whose channels you can choose. `x-produced` lists the categories in use."""
MailTopic = Literal[NotificationCategory, MailSwitch, "board"]
"""A category of notifications, or one of the calendar settings `invitations` (calendar invitations) and `voteRequests`.
`board` stands for all e-mails of a board to a person without an account.
"""
NotificationChannel = Literal["email", "in_app"]
"""Channel of a notification, e-mail (`email`) or the app (`in_app`)."""
PreferenceMap = dict[NotificationCategory, tuple[NotificationChannel, ...]]
"""Channels by category. An empty list means that the category is off."""
MailState = Literal["none", "due", "sent", "throttled"]


def _with_is_sentence(item: Mapping[str, Any]) -> Mapping[str, Any]:
    is_new = "is_sentence" in item  # as it is made, by the names of its fields
    return item if is_new else {**item, "isSentence": str(item.get("message", ""))[:1].isupper()}


class StoredNotification(Stored):
    """The notification of one event to one recipient, as it is stored: a user, or a person without an account.

    `message` continues the name of the actor unless it `is_sentence`, which the first shape said by its first letter.
    `board_name` is the board's name when it was written. `refs` are the fields that refer to something else, by name.
    `pictured` says that the actor had a picture in the bucket. A notification that is not shown (`in_app` false,
    `deleted`) is stored, too: it makes a repeated event harmless. `mail` says whether an e-mail is due; `sent` means
    that it was given to the mail service, or was about to be (ADR deliveries), `throttled` that the recipient had been
    sent too many, so that it never will be. `slot_ids` are the proposed slots that it is about: it is renewed when
    there are more. `about_email` and `about_user_id` are the address and the user that the message names, if any: a
    purge looks for them. `unregistered_user_id` is a person without an account that it names: a scrub looks for them.
    """

    upgrades: ClassVar = (_with_is_sentence,)

    id: str
    user_id: RecipientId
    type: NotificationType
    message: str
    is_sentence: bool
    refs: dict[str, str]
    board_name: str | None = None
    in_app: bool
    mail: MailState
    pictured: bool = False
    read: bool = False
    deleted: bool = False
    slot_ids: tuple[str, ...] = ()
    about_email: str | None = None
    about_user_id: UserId | None = None
    unregistered_user_id: PersonId | None = None
    delivered_at: Instant
    created_at: Instant
    updated_at: Instant

    @property
    def edition(self) -> str:
        """What a read mark names: the id, of a notification that may be renewed with the instant of its delivery."""
        return f"{self.id}#{self.delivered_at}" if self.slot_ids else self.id


class ReadMark(Stored):
    """The notifications that a user has marked as read together: delivered until `until`, or of these editions.

    `marked_at` is when the user did so last; empty if never.
    """

    user_id: UserId
    marked_at: Instant = Instant("")
    until: Instant = Instant("")
    ids: tuple[str, ...] = ()
    version: int = 0


class PersonRef(Resource):
    """A user that a notification refers to."""

    # A reader who has left the board gets only the id if the user has changed since.
    id: Annotated[str, Field(alias="_id")]
    first_name: str | None = None
    """Given name; null if it is unknown or the user's personal data was removed."""
    last_name: str | None = None
    """Family name; null if it is unknown or the user's personal data was removed."""


class NamedRef(Resource):
    """A board that a notification refers to."""

    # A reader who has left the board gets its name of that time.
    id: Annotated[str, Field(alias="_id")]
    name: str | None = None
    """Display name of the board; null if the board is deleted."""


class TitledRef(Resource):
    """A report, dashboard or document that a notification refers to."""

    id: Annotated[str, Field(alias="_id")]
    title: str | None = None
    """Title of the resource; null if it is deleted or you cannot see it."""


class Notification(Resource):
    """A notification to you. Reference fields that do not apply to its type are absent."""

    omits_unset = True

    id: Annotated[str, Field(alias="_id")]
    user_id: UserId
    """Identifier of the notified user, which is you."""
    type: NotificationType
    """Type of the notification."""
    message: str
    """The text to show."""
    read: bool
    """Whether you have marked the notification as read."""
    created_at: str
    updated_at: str
    avatar: str
    """Address of a picture of the user concerned, or of a neutral picture."""
    board_id: NamedRef | None = None
    """The board concerned."""
    inviter_id: PersonRef | None = None
    """The user who sent the invite."""
    invite_id: str | None = None
    """Identifier of the invite."""
    accepting_user_id: PersonRef | None = None
    """The user who accepted the invite."""
    triggering_user_id: PersonRef | None = None
    """The user who caused the notification."""
    meeting_link: str | None = None
    """Path of the meeting concerned."""
    report_id: TitledRef | None = None
    """The report concerned."""
    dashboard_id: TitledRef | None = None
    """The dashboard concerned."""
    dashboard_type: str | None = None
    """The type of the dashboard concerned."""
    document_id: TitledRef | None = None
    """The document concerned."""
    cycle_id: str | None = None
    """Identifier of the reporting cycle concerned."""
    section_name: str | None = None
    """Name of the section of the report concerned."""
    bet_id: str | None = None
    """Identifier of the bet concerned."""
    resolution_id: str | None = None
    """Identifier of the resolution concerned."""


class Message(Resource):
    """A confirmation for people to read."""

    message: str
    """A sentence that says what was done. Do not parse it."""


class StoredPreferences(Stored):
    """The categories that a user has overridden, as they are stored."""

    user_id: UserId
    preferences: PreferenceMap = Field(default_factory=dict)
    version: int = 0


class Preferences(Resource):
    """The categories whose channels you have set."""

    preferences: PreferenceMap
    """The channels by category."""


class MailSubscription(Resource):
    """Whether you get the e-mails of an unsubscribe link's topic."""

    object: Literal["mail_subscription"] = "mail_subscription"
    topic: MailTopic
    """Topic of the e-mails."""
    enabled: bool
    """Whether these e-mails are sent to you."""


class PreferenceBody(Body):
    """The channels of one category."""

    event_category: NotificationCategory
    """The category to set."""
    channels: list[NotificationChannel]
    """The channels to use. An empty list turns the category off."""
