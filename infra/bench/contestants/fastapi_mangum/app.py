"""FastAPI as its tutorial teaches it: pydantic models in and out, dependencies, plain functions in its thread pool."""

import hashlib
import hmac
import os
import re
import secrets
import string
import zlib
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NamedTuple

import boto3
import jwt
from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

TABLE = os.environ["TABLE_NAME"]
ISSUER, AUDIENCE = os.environ["JWT_ISSUER"], os.environ["JWT_AUDIENCE"]
TOKEN = re.compile(r"svc_pat_([0-9A-Za-z]{17})[0-9A-Za-z]{30}([0-9A-Za-z]{6})", re.ASCII)
DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
client = boto3.client("dynamodb")
key_set = jwt.PyJWKClient(os.environ["JWKS_URL"])
deserialize, serialize = TypeDeserializer().deserialize, TypeSerializer().serialize
app = FastAPI()

Status = Literal["draft", "scheduled", "in_progress", "completed", "finalized"]
Choice = Literal["ok", "challenging", "cant"]


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


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


class MeetingResponse(BaseModel):
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


class SlotResponse(BaseModel):
    data: ProposedSlot


class VoteBody(Camel):
    model_config = ConfigDict(extra="forbid")
    vote: Choice
    comment: str | None = Field(None, max_length=1000)


class Whoami(Camel):
    object: Literal["whoami"] = "whoami"
    user_id: str
    email: str


class SessionWhoami(Whoami):
    auth_type: Literal["jwt"] = "jwt"


class TokenWhoami(Whoami):
    auth_type: Literal["api_token"] = "api_token"
    scopes: list[str]
    token_name: str
    expires_at: str | None


class Caller(NamedTuple):
    user_id: str
    token: str | None

    @property
    def via(self) -> str:
        return "agent" if self.token else "web"


def caller(authorization: Annotated[str, Header()] = "") -> Caller:
    credential = authorization.removeprefix("Bearer ")
    if credential.startswith("svc_"):
        return Caller(token_owner(credential), credential)
    try:
        key = key_set.get_signing_key_from_jwt(credential)
        claims = jwt.decode(credential, key, algorithms=["RS256"], audience=AUDIENCE, issuer=ISSUER)
    except jwt.PyJWTError:
        raise HTTPException(401) from None
    return Caller(hashlib.sha256(f"{claims['iss']}\n{claims['sub']}".encode()).hexdigest()[:24], None)


def token_owner(token: str) -> str:
    match = TOKEN.fullmatch(token)
    if match is None or from_base62(match[2]) != zlib.crc32(token[:-6].encode()):
        raise HTTPException(401)
    return f"{from_base62(match[1]):024x}"


def from_base62(digits: str) -> int:
    number = 0
    for digit in digits:
        number = number * 62 + DIGITS.index(digit)
    return number


def check_token(token: str, item: dict[str, Any] | None) -> None:
    if item is None or not hmac.compare_digest(item["digest"], hashlib.sha256(token.encode()).hexdigest()):
        raise HTTPException(401)
    expired = item["expiresAt"] is not None and item["expiresAt"] <= stamp(datetime.now(UTC))
    if expired or item.get("revokedAt") is not None:
        raise HTTPException(401)


CurrentCaller = Annotated[Caller, Depends(caller)]


def load(caller: Caller, board_id: str | None = None, *more: str) -> list[Any]:
    keys = [(f"USER#{caller.user_id}", "USER")]
    if caller.token:
        token_id = hashlib.sha256(b"token-id\n" + caller.token.encode()).hexdigest()[:24]
        keys.append((f"USER#{caller.user_id}", f"TOKEN#{token_id}"))
    if board_id is not None:
        keys += [(f"BOARD#{board_id}", sk) for sk in ("BOARD", f"MEMBER#{caller.user_id}", *more)]
    wanted = [{"PK": {"S": pk}, "SK": {"S": sk}} for pk, sk in keys]
    response = client.batch_get_item(RequestItems={TABLE: {"Keys": wanted, "ConsistentRead": True}})
    found = {(item["PK"], item["SK"]): item for item in map(plain, response["Responses"][TABLE])}
    user, *rest = (found.get(pair) for pair in keys)
    token = rest.pop(0) if caller.token else None
    if caller.token:
        check_token(caller.token, token)
    if user is None or user["status"] != "active":
        raise HTTPException(401)
    if rest and rest[0] is None:
        raise HTTPException(404)
    if rest and rest[1] is None:
        raise HTTPException(403)
    return [user, token, *rest[1:]]


def plain(item: dict[str, Any]) -> dict[str, Any]:
    return {name: deserialize(value) for name, value in item.items()}


def typed(item: dict[str, Any]) -> dict[str, Any]:
    return {name: serialize(value) for name, value in item.items()}


@app.get("/api/v1/whoami")
def whoami(caller: CurrentCaller) -> SessionWhoami | TokenWhoami:
    user, token = load(caller)
    if token is None:
        return SessionWhoami(user_id=caller.user_id, email=user["email"])
    return TokenWhoami(
        user_id=caller.user_id,
        email=user["email"],
        scopes=token["scopes"],
        token_name=token["name"],
        expires_at=token["expiresAt"],
    )


@app.get("/api/v1/boards/{board_id}/meetings/{meeting_id}")
def get_meeting(board_id: str, meeting_id: str, caller: CurrentCaller) -> MeetingResponse:
    meeting = load(caller, board_id, f"MEETING#{meeting_id}")[3]
    if meeting is None or (meeting["status"] == "draft" and meeting["creatorId"] != caller.user_id):
        raise HTTPException(404)
    return MeetingResponse(data=Meeting.model_validate(meeting))


@app.get("/api/v1/boards/{board_id}/meetings")
def list_meetings(board_id: str, caller: CurrentCaller, limit: Annotated[int, Field(ge=1, le=100)] = 25) -> MeetingList:
    load(caller, board_id)
    found: list[tuple[str, dict[str, Any]]] = []
    for prefix in ("MEETINGS#", f"DRAFTS#{caller.user_id}#"):
        response = client.query(
            TableName=TABLE,
            IndexName="by-L1",
            KeyConditionExpression="PK = :pk AND begins_with(L1, :prefix)",
            ExpressionAttributeValues={":pk": {"S": f"BOARD#{board_id}"}, ":prefix": {"S": prefix}},
            ConsistentRead=True,
            ScanIndexForward=False,
            Limit=limit + 1,
        )
        found += [(item["L1"].removeprefix(prefix), item) for item in map(plain, response["Items"])]
    found.sort(key=lambda pair: pair[0], reverse=True)
    cursor = found[limit - 1][0] if len(found) > limit else None
    data = [Meeting.model_validate(item) for _, item in found[:limit]]
    return MeetingList(data=data, meta=Meta(next_cursor=cursor, has_more=cursor is not None))


@app.post("/api/v1/boards/{board_id}/meetings", status_code=201)
def create_meeting(board_id: str, body: MeetingCreate, caller: CurrentCaller) -> MeetingResponse:
    load(caller, board_id)
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
        created_by_user_id=caller.user_id,
        created_at=now,
        updated_at=now,
    )
    bucket = f"DRAFTS#{caller.user_id}" if status == "draft" else "MEETINGS"
    item = meeting.model_dump(by_alias=True, exclude={"object"}) | {
        "PK": f"BOARD#{board_id}",
        "SK": f"MEETING#{meeting.id}",
        "L1": f"{bucket}#{start or ''}#{meeting.id}",
        "creatorId": caller.user_id,
        "timezone": None,
        "bookedSlotId": None,
        "version": 1,
    }
    if status != "draft":
        item["L2"] = f"{bucket}#{status}#{start or ''}#{meeting.id}"
    common = {"boardId": board_id, "createdAt": now, "createdVia": caller.via, "SK": f"{now}#{secrets.token_hex(12)}"}
    details = {"id": meeting.id, "title": meeting.title}
    event = common | {"PK": f"EVENTS#{board_id}", "type": "meeting.created", "actorUserId": caller.user_id}
    event |= {"draftOf": caller.user_id if status == "draft" else None}
    event |= {"data": details, "refs": {"meetingId": meeting.id}}
    audit = common | {"PK": f"AUDIT#{board_id}", "action": "meetingCreate", "actorUser": caller.user_id}
    audit |= {"details": details}
    board = {"TableName": TABLE, "Key": typed({"PK": f"BOARD#{board_id}", "SK": "BOARD"})}
    client.transact_write_items(
        TransactItems=[
            {"ConditionCheck": {**board, "ConditionExpression": "attribute_exists(PK)"}},
            {"Put": {"TableName": TABLE, "Item": typed(item), "ConditionExpression": "attribute_not_exists(PK)"}},
            {"Put": {"TableName": TABLE, "Item": typed(event)}},
            {"Put": {"TableName": TABLE, "Item": typed(audit)}},
        ]
    )
    return MeetingResponse(data=meeting)


@app.put("/api/v1/boards/{board_id}/meetings/{meeting_id}/slots/{slot_id}/vote")
def vote_on_slot(board_id: str, meeting_id: str, slot_id: str, body: VoteBody, caller: CurrentCaller) -> SlotResponse:
    sort_key = f"MEETING#{meeting_id}#SLOT#{slot_id[:12]}"
    _, _, member, meeting, slot = load(caller, board_id, f"MEETING#{meeting_id}", sort_key)
    hidden = meeting is None or (meeting["status"] == "draft" and meeting["creatorId"] != caller.user_id)
    if hidden or slot is None or slot["id"] != slot_id:
        raise HTTPException(404)
    if meeting["status"] != "scheduled":
        raise HTTPException(409)
    members = query_range(board_id, "L1", "MEMBERS#", "by-L1")
    votes = {vote["userId"]: vote for vote in query_range(board_id, "SK", f"{sort_key}#VOTE#{slot_id}#")}
    own = {"slotId": slot_id, "userId": caller.user_id, "joinId": member["joinId"], "email": None, "vote": body.vote}
    own |= {"comment": body.comment, "arrivedAt": stamp(datetime.now(UTC))}
    votes[caller.user_id] = own
    item = own | {"PK": f"BOARD#{board_id}", "SK": f"{sort_key}#VOTE#{slot_id}#U#{caller.user_id}"}
    client.transact_write_items(
        TransactItems=[
            check(board_id, "BOARD", "attribute_exists(PK)"),
            check(board_id, f"MEETING#{meeting_id}", "#v = :v", {"#v": "version"}, {":v": meeting["version"]}),
            check(board_id, f"MEMBER#{caller.user_id}", "#v = :v", {"#v": "joinId"}, {":v": member["joinId"]}),
            check(board_id, sort_key, "#v = :v", {"#v": "id"}, {":v": slot_id}),
            {"Put": {"TableName": TABLE, "Item": typed(item)}},
        ]
    )
    feedbacks = [Feedback.model_validate(votes.get(one["userId"]) or unvoted(one["userId"])) for one in members]
    return SlotResponse(data=ProposedSlot.model_validate({**slot, "feedbacks": feedbacks}))


def unvoted(user_id: str) -> dict[str, Any]:
    return {"userId": user_id, "vote": "didNotVote"}


def query_range(board_id: str, sort: str, prefix: str, index: str | None = None) -> list[dict[str, Any]]:
    response = client.query(
        TableName=TABLE,
        KeyConditionExpression=f"PK = :pk AND begins_with({sort}, :prefix)",
        ExpressionAttributeValues={":pk": {"S": f"BOARD#{board_id}"}, ":prefix": {"S": prefix}},
        ConsistentRead=True,
        **({"IndexName": index} if index else {}),
    )
    return [plain(item) for item in response["Items"]]


def check(board_id: str, sk: str, condition: str, names: Any = None, values: Any = None) -> Any:
    body = {"TableName": TABLE, "Key": typed({"PK": f"BOARD#{board_id}", "SK": sk}), "ConditionExpression": condition}
    if names:
        body |= {"ExpressionAttributeNames": names, "ExpressionAttributeValues": typed(values)}
    return {"ConditionCheck": body}


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
