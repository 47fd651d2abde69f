"""What the mail service reports of an e-mail that it sent."""

from typing import Literal

from governance.ids import BoardId, UserId
from governance.instants import Instant
from governance.models.base import Stored

FeedbackKind = Literal["bounce", "complaint"]


class MailFeedback(Stored):
    """An e-mail bounced for good, or its recipient complained of it.

    `id` is the same whenever the report is repeated. `reason` is the mail service's word for it, and holds no address.
    `board_id` is the board that the e-mail was about, `invite_id` the invite in it, `user_id` its inviter, or else the
    member that it was for; null where the e-mail named none.
    """

    id: str
    kind: FeedbackKind
    email: str
    at: Instant
    reason: str
    board_id: BoardId | None = None
    invite_id: str | None = None
    user_id: UserId | None = None
