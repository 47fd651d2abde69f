"""The rules of remarks on circulated minutes: when and on what they are made, and what is decided about them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from governance.domain.meetings.in_camera import Reader
from governance.domain.meetings.minutes_versions import facts_of
from governance.errors import Reason, conflict, forbidden, invalid_body
from governance.ids import UserId
from governance.instants import Instant
from governance.models.meetings.audience import StoredAudience
from governance.models.meetings.minutes_remarks import (
    MinutesRemark,
    MinutesRemarkCreate,
    RemarkDispositionBody,
    StoredMinutesRemark,
)
from governance.models.meetings.minutes_versions import StoredMinutesApproval, StoredMinutesVersion


def check_welcome(
    approval: StoredMinutesApproval | None, body: MinutesRemarkCreate, now: Instant
) -> StoredMinutesApproval:
    """Returns the approval of the minutes whose newest version takes the remark.

    Raises 409: `NOT_CIRCULATED`, or `REMARKS_CLOSED` from the end of the remarks or the approval on. Raises 400 for a
    version that is not the newest.
    """
    if approval is None:
        raise conflict(Reason.NOT_CIRCULATED)
    is_over = approval.remarks_until is not None and now >= approval.remarks_until
    if is_over or approval.status == "approved":
        raise conflict(Reason.REMARKS_CLOSED)
    if body.version != approval.number:
        raise invalid_body({"version": f"must be the newest version of the minutes, {approval.number}"})
    return approval


def new_remark(
    version: StoredMinutesVersion, body: MinutesRemarkCreate, author: Reader, remark_id: str, now: Instant
) -> StoredMinutesRemark:
    """Returns a new remark on a version; one on an item in camera has its audience.

    Raises 400 for an item that the version does not have or that the author does not see, and for a passage that does
    not occur in the text or the decision of the item, code point by code point.
    """
    audience = _check_passage(version, body, author)
    return StoredMinutesRemark(
        id=remark_id,
        board_id=version.board_id,
        meeting_id=version.meeting_id,
        number=version.number,
        item_index=body.item_index,
        quote=body.quote,
        text=body.text,
        author_user_id=author.user_id,
        audience=audience,
        created_at=now,
        updated_at=now,
    )


def _check_passage(version: StoredMinutesVersion, body: MinutesRemarkCreate, author: Reader) -> StoredAudience | None:
    if body.item_index is None:
        return None
    items = facts_of(version).items
    if body.item_index >= len(items):
        raise invalid_body({"itemIndex": f"must be less than the number of items of the version, {len(items)}"})
    sealed = next((each for each in version.in_camera if each.id == items[body.item_index].id), None)
    audience = sealed.audience if sealed else None
    if not author.sees(audience):
        raise invalid_body({"itemIndex": "must not be that of an item in camera for others"})
    item = sealed.content if sealed else items[body.item_index]
    texts = (item.text or "", *([item.decision.text] if item.decision else []))
    if body.quote is not None and not any(body.quote in text for text in texts):
        raise invalid_body({"quote": "must occur in the text or the decision of this item"})
    return audience


def circulator_to_tell(version: StoredMinutesVersion, remark: StoredMinutesRemark) -> UserId | None:
    """Returns the author of the circulation, who is told of a remark; None if it is in camera for others."""
    user_id = version.circulated_by_user_id
    return user_id if remark.audience is None or user_id in remark.audience.join_ids else None


def check_author(remark: StoredMinutesRemark, user_id: UserId | None) -> None:
    """Raises 403 unless the user wrote the remark."""
    if user_id is None or remark.author_user_id != user_id:
        raise forbidden("Only the author deletes a remark.")


def check_deletable(remark: StoredMinutesRemark) -> None:
    """Raises 409 `REMARK_DISPOSED` for a remark that was decided about."""
    if remark.disposition is not None:
        raise conflict(Reason.REMARK_DISPOSED)


def disposed(
    remark: StoredMinutesRemark, body: RemarkDispositionBody, user_id: UserId | None, now: Instant
) -> StoredMinutesRemark:
    """Returns the remark with this decision in place of an earlier one; the same object if it has it."""
    if (remark.disposition, remark.reply) == (body.disposition, body.reply):
        return remark
    decision = {"disposition": body.disposition, "reply": body.reply, "disposed_by_user_id": user_id}
    return _changed(remark, {**decision, "disposed_at": now, "updated_at": now})


def without_users(remark: StoredMinutesRemark, user_ids: Collection[UserId]) -> StoredMinutesRemark:
    """Returns the remark without the ids of users whose data is removed; the same object if it has none of them."""
    names = [name for name in ("author_user_id", "disposed_by_user_id") if getattr(remark, name) in user_ids]
    return _changed(remark, dict.fromkeys(names)) if names else remark


def _changed(remark: StoredMinutesRemark, changes: Mapping[str, object]) -> StoredMinutesRemark:
    return remark.model_copy(update={**changes, "version": remark.version + 1})


def to_resource(remark: StoredMinutesRemark) -> MinutesRemark:
    """Returns the remark as clients see it."""
    return MinutesRemark.model_validate({**remark.item(), "version": remark.number})
