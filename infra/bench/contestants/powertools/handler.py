"""Powertools in the style of its guide: resolver with `enable_validation`, models in and out, the SDK's resource."""

import hashlib
import os
import secrets
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import boto3
import jwt
from aws_lambda_powertools import Logger
from aws_lambda_powertools.event_handler import APIGatewayHttpResolver
from aws_lambda_powertools.event_handler.exceptions import (
    BadRequestError,
    ForbiddenError,
    NotFoundError,
    UnauthorizedError,
)
from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.logging import correlation_paths
from boto3.dynamodb.conditions import Key
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

logger = Logger(service="board-governance")
app = APIGatewayHttpResolver(enable_validation=True)
resource = boto3.resource("dynamodb")
table = resource.Table(os.environ["TABLE_NAME"])

Status = Literal["draft", "scheduled", "in_progress", "completed", "finalized"]
Choice = Literal["ok", "challenging", "cant"]


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True)


class Meeting(Camel):
    object: Literal["meeting"] = "meeting"
    id: str
    board_id: str
    title: str
    status: Status
    location_type: str | None
    location: str | None
    virtual_meeting_url: str | None
    start_time: str | None
    end_time: str | None
    created_by_user_id: str
    created_at: str
    updated_at: str


class MeetingCreate(Camel):
    model_config = ConfigDict(extra="forbid")
    title: str = Field(min_length=1, max_length=200)
    status: Status | None = None
    location_type: Literal["virtual", "in_person", "hybrid"] | None = None
    location: str | None = Field(None, max_length=300)
    virtual_meeting_url: str | None = Field(None, max_length=2048)
    start_time: AwareDatetime | None = None
    end_time: AwareDatetime | None = None


class Meta(Camel):
    next_cursor: str | None
    has_more: bool


class MeetingAnswer(BaseModel):
    data: Meeting


class MeetingList(BaseModel):
    data: list[Meeting]
    meta: Meta


class Feedback(Camel):
    user_id: str | None
    vote: Literal["ok", "challenging", "cant", "didNotVote"]
    comment: str | None = None
    email: str | None = None
    is_guest: bool = False


class ProposedSlot(Camel):
    object: Literal["proposed_slot"] = "proposed_slot"
    id: str
    meeting_id: str
    created_by_user_id: str | None
    start_time: str
    timezone: str
    duration_in_minutes: int
    feedbacks: list[Feedback]
    created_at: str
    updated_at: str


class SlotAnswer(BaseModel):
    data: ProposedSlot


class VoteBody(Camel):
    model_config = ConfigDict(extra="forbid")
    vote: Choice
    comment: str | None = Field(None, max_length=1000)


class Whoami(Camel):
    object: Literal["whoami"] = "whoami"
    auth_type: Literal["jwt"] = "jwt"
    user_id: str
    email: str


def session() -> str:
    try:
        token = app.current_event.headers["authorization"].removeprefix("Bearer ")
        claims = jwt.decode(
            token,
            os.environ["JWT_SECRET"],
            algorithms=["HS256"],
            audience=os.environ["JWT_AUDIENCE"],
            issuer=os.environ["JWT_ISSUER"],
        )
    except (KeyError, jwt.PyJWTError):
        raise UnauthorizedError("Unauthorized") from None
    return hashlib.sha256(f"{claims['iss']}\n{claims['sub']}".encode()).hexdigest()[:24]


def load(user_id: str, board_id: str | None = None, *more: str) -> list[Any]:
    keys = [(f"USER#{user_id}", "USER")]
    if board_id is not None:
        keys += [(f"BOARD#{board_id}", sk) for sk in ("BOARD", f"MEMBER#{user_id}", *more)]
    wanted = [{"PK": pk, "SK": sk} for pk, sk in keys]
    answer = resource.batch_get_item(RequestItems={table.name: {"Keys": wanted, "ConsistentRead": True}})
    found = {(item["PK"], item["SK"]): item for item in answer["Responses"][table.name]}
    user, *rest = (found.get(pair) for pair in keys)
    if user is None or user["status"] != "active":
        raise UnauthorizedError("Unauthorized")
    if rest and rest[0] is None:
        raise NotFoundError
    if rest and rest[1] is None:
        raise ForbiddenError("Forbidden")
    return [user, *rest[1:]]


@app.get("/api/v1/whoami")
def whoami() -> Whoami:
    user_id = session()
    user = load(user_id)[0]
    return Whoami(user_id=user_id, email=user["email"])


@app.get("/api/v1/boards/<board_id>/meetings/<meeting_id>")
def get_meeting(board_id: str, meeting_id: str) -> MeetingAnswer:
    user_id = session()
    meeting = load(user_id, board_id, f"MEETING#{meeting_id}")[2]
    if meeting is None or (meeting["status"] == "draft" and meeting["creatorId"] != user_id):
        raise NotFoundError
    return MeetingAnswer(data=Meeting.model_validate(meeting))


@app.get("/api/v1/boards/<board_id>/meetings")
def list_meetings(board_id: str, limit: Annotated[int, Query(ge=1, le=100)] = 25) -> MeetingList:
    user_id = session()
    load(user_id, board_id)
    found: list[tuple[str, Any]] = []
    for prefix in ("MEETINGS#", f"DRAFTS#{user_id}#"):
        answer = table.query(
            IndexName="by-L1",
            KeyConditionExpression=Key("PK").eq(f"BOARD#{board_id}") & Key("L1").begins_with(prefix),
            ConsistentRead=True,
            ScanIndexForward=False,
            Limit=limit + 1,
        )
        found += [(str(item["L1"]).removeprefix(prefix), item) for item in answer["Items"]]
    found.sort(key=lambda pair: pair[0], reverse=True)
    cursor = found[limit - 1][0] if len(found) > limit else None
    data = [Meeting.model_validate(item) for _, item in found[:limit]]
    return MeetingList(data=data, meta=Meta(next_cursor=cursor, has_more=cursor is not None))


@app.post("/api/v1/boards/<board_id>/meetings", status_code=201)
def create_meeting(board_id: str, body: MeetingCreate) -> MeetingAnswer:
    user_id = session()
    load(user_id, board_id)
    now = stamp(datetime.now(UTC))
    status = body.status or "draft"
    start = stamp(body.start_time) if body.start_time else None
    meeting = Meeting(
        id=secrets.token_hex(12),
        board_id=board_id,
        title=body.title,
        status=status,
        location_type=body.location_type,
        location=body.location,
        virtual_meeting_url=body.virtual_meeting_url,
        start_time=start,
        end_time=stamp(body.end_time) if body.end_time else None,
        created_by_user_id=user_id,
        created_at=now,
        updated_at=now,
    )
    bucket = f"DRAFTS#{user_id}" if status == "draft" else "MEETINGS"
    item = meeting.model_dump(by_alias=True, exclude={"object"}) | {
        "PK": f"BOARD#{board_id}",
        "SK": f"MEETING#{meeting.id}",
        "L1": f"{bucket}#{start or ''}#{meeting.id}",
        "creatorId": user_id,
        "timezone": None,
        "bookedSlotId": None,
        "version": 1,
    }
    if status != "draft":
        item["L2"] = f"{bucket}#{status}#{start or ''}#{meeting.id}"
    act = {"boardId": board_id, "createdAt": now, "createdVia": "web", "SK": f"{now}#{secrets.token_hex(12)}"}
    title = {"id": meeting.id, "title": meeting.title}
    event = act | {"PK": f"EVENTS#{board_id}", "type": "meeting.created", "actorUserId": user_id, "data": title}
    event |= {"draftOf": user_id if status == "draft" else None, "refs": {"meetingId": meeting.id}}
    audit = act | {"PK": f"AUDIT#{board_id}", "action": "meetingCreate", "actorUser": user_id, "details": title}
    alive = {"TableName": table.name, "Key": {"PK": f"BOARD#{board_id}", "SK": "BOARD"}}
    resource.meta.client.transact_write_items(
        TransactItems=[
            {"ConditionCheck": {**alive, "ConditionExpression": "attribute_exists(PK)"}},
            {"Put": {"TableName": table.name, "Item": item, "ConditionExpression": "attribute_not_exists(PK)"}},
            {"Put": {"TableName": table.name, "Item": event}},
            {"Put": {"TableName": table.name, "Item": audit}},
        ]
    )
    return MeetingAnswer(data=meeting)


@app.put("/api/v1/boards/<board_id>/meetings/<meeting_id>/slots/<slot_id>/vote")
def vote_on_slot(board_id: str, meeting_id: str, slot_id: str, body: VoteBody) -> SlotAnswer:
    user_id = session()
    place = f"MEETING#{meeting_id}#SLOT#{slot_id[:12]}"
    _, member, meeting, slot = load(user_id, board_id, f"MEETING#{meeting_id}", place)
    hidden = meeting is None or (meeting["status"] == "draft" and meeting["creatorId"] != user_id)
    if hidden or slot is None or slot["id"] != slot_id:
        raise NotFoundError
    if meeting["status"] != "scheduled":
        raise BadRequestError("closed")
    members = ranged(board_id, "L1", "MEMBERS#", "by-L1")
    votes = {vote["userId"]: vote for vote in ranged(board_id, "SK", f"{place}#VOTE#{slot_id}#")}
    own = {"slotId": slot_id, "userId": user_id, "joinId": member["joinId"], "email": None, "vote": body.vote}
    own |= {"comment": body.comment, "arrivedAt": stamp(datetime.now(UTC))}
    votes[user_id] = own
    item = own | {"PK": f"BOARD#{board_id}", "SK": f"{place}#VOTE#{slot_id}#U#{user_id}"}
    resource.meta.client.transact_write_items(
        TransactItems=[
            check(board_id, "BOARD", "attribute_exists(PK)"),
            check(board_id, f"MEETING#{meeting_id}", "#v = :v", {"#v": "version"}, {":v": meeting["version"]}),
            check(board_id, f"MEMBER#{user_id}", "#v = :v", {"#v": "joinId"}, {":v": member["joinId"]}),
            check(board_id, place, "#v = :v", {"#v": "id"}, {":v": slot_id}),
            {"Put": {"TableName": table.name, "Item": item}},
        ]
    )
    feedbacks = [Feedback.model_validate(votes.get(one["userId"]) or unvoted(one["userId"])) for one in members]
    return SlotAnswer(data=ProposedSlot.model_validate({**slot, "feedbacks": feedbacks}))


def unvoted(user_id: str) -> dict[str, Any]:
    return {"userId": user_id, "vote": "didNotVote"}


def ranged(board_id: str, sort: str, prefix: str, index: str | None = None) -> list[dict[str, Any]]:
    condition = Key("PK").eq(f"BOARD#{board_id}") & Key(sort).begins_with(prefix)
    where: dict[str, Any] = {"IndexName": index} if index else {}
    found: list[dict[str, Any]] = table.query(KeyConditionExpression=condition, ConsistentRead=True, **where)["Items"]
    return found


def check(board_id: str, sk: str, condition: str, names: Any = None, values: Any = None) -> Any:
    body = {"TableName": table.name, "Key": {"PK": f"BOARD#{board_id}", "SK": sk}, "ConditionExpression": condition}
    if names:
        body |= {"ExpressionAttributeNames": names, "ExpressionAttributeValues": values}
    return {"ConditionCheck": body}


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@logger.inject_lambda_context(correlation_id_path=correlation_paths.API_GATEWAY_HTTP)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    return app.resolve(event, context)
