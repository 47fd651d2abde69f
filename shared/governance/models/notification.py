"""Notifications and their preferences (the API specification, sections 2.10, 4.13 and 6)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from governance.models.base import Body, Resource

NotificationType = Literal[
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
Category = Literal[
    "section_status",
    "validation_flag",
    "package_status",
    "post_meeting",
    "action_item",
    "bet_reminder",
    "section_overdue",
]
Channel = Literal["email", "in_app"]
MailState = Literal["none", "due", "sent"]


class StoredNotification(Resource):
    """What one event means for one user, as the store keeps it.

    `message` goes on from the name of the user concerned; `refs` are the reference members by their names; `pictured`
    says that the user concerned had a picture of his own in the bucket. The row is there also where it is not shown
    (`in_app` false, `deleted`): it is what makes a repeated event harmless. `mail` says whether a mail is due; one that
    is `sent` was given to the mail service, or was about to be (ADR 0065).
    """

    id: str
    user_id: str
    type: NotificationType
    message: str
    refs: dict[str, str]
    in_app: bool
    mail: MailState
    pictured: bool = False
    read: bool = False
    deleted: bool = False
    delivered_at: str
    created_at: str
    updated_at: str


class PersonRef(Resource):
    """A user who is referred to; of a purged one nothing but the id is left."""

    id: Annotated[str, Field(alias="_id")]
    first_name: str | None = None
    last_name: str | None = None


class NamedRef(Resource):
    """A board that is referred to."""

    id: Annotated[str, Field(alias="_id")]
    name: str | None = None


class TitledRef(Resource):
    """A report, dashboard or document that is referred to; without its title where the reader may not see it."""

    id: Annotated[str, Field(alias="_id")]
    title: str | None = None


class Notification(Resource):
    """A notification as its owner sees it: references that it does not carry are absent."""

    omits_unset = True

    id: Annotated[str, Field(alias="_id")]
    user_id: str
    type: NotificationType
    message: str
    read: bool
    created_at: str
    updated_at: str
    avatar: str
    board_id: NamedRef | None = None
    inviter_id: PersonRef | None = None
    invite_id: str | None = None
    accepting_user_id: PersonRef | None = None
    triggering_user_id: PersonRef | None = None
    meeting_link: str | None = None
    report_id: TitledRef | None = None
    dashboard_id: TitledRef | None = None
    dashboard_type: str | None = None
    document_id: TitledRef | None = None
    cycle_id: str | None = None
    section_name: str | None = None
    bet_id: str | None = None


class Message(Resource):
    """A sentence for the caller."""

    message: str


class StoredPreferences(Resource):
    """The categories that a user has overridden."""

    user_id: str
    preferences: dict[Category, tuple[Channel, ...]] = Field(default_factory=dict)
    version: int = 0


class Preferences(Resource):
    """The overridden categories and their channels; an empty list silences."""

    preferences: dict[Category, tuple[Channel, ...]]


class PreferenceBody(Body):
    """The channels of one category."""

    event_category: Category
    channels: list[Channel]
