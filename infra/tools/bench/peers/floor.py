"""The floor: routing, authentication and items of the table by hand, for a function that does nothing else.

It makes the same store calls as the service, one after the other, and returns the same resources. It leaves out rate
limits, idempotency keys, scopes, sealed cursors, strict JSON, error details and logs. Its `store` is `floor_boto` or
`floor_bare`: the SDK and PyJWT, or neither.
"""

import json
import os
import re
import secrets
from datetime import UTC, datetime

import store
from identity import HttpError, admit, authenticate, keys_to_read, partition_of, timestamp

TABLE = os.environ["TABLE_NAME"]
MEETINGS = re.compile(r"/api/v1/boards/([0-9a-f]{24})/meetings(?:/([0-9a-f]{24}))?")
VOTE = re.compile(r"/api/v1/boards/([0-9a-f]{24})/meetings/([0-9a-f]{24})/slots/([0-9a-f]{24})/vote")
MEETING_FIELDS = ("id", "boardId", "title", "status", "locationType", "location", "virtualMeetingUrl")
MEETING_FIELDS += ("startTime", "endTime", "createdByUserId", "createdAt", "updatedAt")
SLOT_FIELDS = ("id", "meetingId", "createdByUserId", "startTime", "timezone", "createdAt", "updatedAt")


def lambda_handler(event, _):
    try:
        status, body = dispatch(event)
    except HttpError as error:
        status, body = error.status, {"error": {"status": error.status}}
    return {"statusCode": status, "headers": {"content-type": "application/json"}, "body": json.dumps(body)}


def dispatch(event):
    method, path = event["requestContext"]["http"]["method"], event["rawPath"]
    caller = authenticate(event["headers"].get("authorization", ""))
    if method == "PUT" and (match := VOTE.fullmatch(path)):
        return 200, {"data": vote_on_slot(caller, *match.groups(), json.loads(event["body"]))}
    match = MEETINGS.fullmatch(path)
    if match is None:
        raise HttpError(404)
    board_id, meeting_id = match.groups()
    if meeting_id is not None:
        meeting = load(caller, board_id, f"MEETING#{meeting_id}")[1]
        return 200, {"data": to_resource(check_visible(meeting, caller))}
    if method == "POST":
        return 201, {"data": create_meeting(caller, board_id, json.loads(event["body"]))}
    load(caller, board_id)
    return 200, list_meetings(caller, board_id, int(event.get("queryStringParameters", {}).get("limit", "25")))


def load(caller, board_id, *more):
    keys = keys_to_read(caller, board_id, *more)
    request = {TABLE: {"Keys": [key(*pair) for pair in keys], "ConsistentRead": True}}
    items = store.batch_get_item(RequestItems=request)["Responses"][TABLE]
    by_key = {(item["PK"]["S"], item["SK"]["S"]): item for item in items}
    return admit(caller, [by_key.get(pair) for pair in keys], plain)


def plain(item):
    return {name: value.get("S") for name, value in item.items()}


def key(pk, sk):
    return {"PK": {"S": pk}, "SK": {"S": sk}}


def check_visible(meeting, caller):
    if meeting is None or (meeting["status"]["S"] == "draft" and meeting["creatorId"].get("S") != caller.user_id):
        raise HttpError(404)
    return meeting


def to_resource(item):
    return {"object": "meeting", **{name: item[name].get("S") for name in MEETING_FIELDS}}


def list_meetings(caller, board_id, limit):
    meetings = []
    for prefix in ("MEETINGS#", f"DRAFTS#{caller.user_id}#"):
        response = store.query(
            TableName=TABLE,
            IndexName="by-L1",
            KeyConditionExpression="PK = :pk AND begins_with(L1, :prefix)",
            ExpressionAttributeValues={":pk": {"S": f"MEETINGS#{board_id}"}, ":prefix": {"S": prefix}},
            ConsistentRead=True,
            ScanIndexForward=False,
            Limit=limit + 1,
        )
        meetings += [(item["L1"]["S"].removeprefix(prefix), item) for item in response["Items"]]
    meetings.sort(key=lambda pair: pair[0], reverse=True)
    cursor = meetings[limit - 1][0] if len(meetings) > limit else None
    meta = {"nextCursor": cursor, "hasMore": cursor is not None}
    return {"data": [to_resource(item) for _, item in meetings[:limit]], "meta": meta}


def create_meeting(caller, board_id, body):
    load(caller, board_id)
    if not isinstance(body.get("title"), str) or not 0 < len(body["title"]) <= 200:
        raise HttpError(400)
    now = timestamp(datetime.now(UTC))
    times = {name: instant(body[name]) for name in ("startTime", "endTime") if body.get(name)}
    meeting_id, event_id = secrets.token_hex(12), secrets.token_hex(12)
    status = body.get("status") or "draft"
    bucket = f"DRAFTS#{caller.user_id}" if status == "draft" else "MEETINGS"
    position = f"{times.get('startTime') or ''}#{meeting_id}"
    meeting = {name: times.get(name, body.get(name)) for name in MEETING_FIELDS}
    meeting |= {"id": meeting_id, "boardId": board_id, "status": status, "timezone": None, "bookedSlotId": None}
    meeting |= {"creatorId": caller.user_id, "createdByUserId": caller.user_id, "createdAt": now, "updatedAt": now}
    meeting |= {"L1": f"{bucket}#{position}"} | ({} if status == "draft" else {"L2": f"{bucket}#{status}#{position}"})
    meeting = typed(meeting) | {"version": {"N": "1"}}
    common = {"id": event_id, "boardId": board_id, "createdAt": now, "createdVia": "agent" if caller.token else "web"}
    details = {"M": typed({"id": meeting_id, "title": body["title"]})}
    event = typed({**common, "type": "meeting.created", "actorUserId": caller.user_id})
    event |= {"data": details, "draftOf": text(caller.user_id if status == "draft" else None)}
    event |= {"refs": {"M": {"meetingId": text(meeting_id)}}}
    audit = typed({**common, "action": "meetingCreate", "actorUser": caller.user_id, "updatedAt": now})
    sort_key = f"{now}#{event_id}"
    store.transact_write_items(
        TransactItems=[
            check(board_id, "BOARD", "attribute_exists(PK)"),
            put(meeting | key(f"MEETINGS#{board_id}", f"MEETING#{meeting_id}"), "attribute_not_exists(PK)"),
            put(event | key(f"EVENTS#{board_id}", sort_key)),
            put(audit | {"details": details} | key(f"AUDIT#{board_id}", sort_key)),
        ],
        ClientRequestToken=secrets.token_hex(16),
    )
    return to_resource(meeting)


def instant(value):
    try:
        return timestamp(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        raise HttpError(400) from None


def vote_on_slot(caller, board_id, meeting_id, slot_id, body):
    sort_key = f"MEETING#{meeting_id}#SLOT#{slot_id[:12]}"
    member, meeting, slot = load(caller, board_id, f"MEETING#{meeting_id}", sort_key)
    check_visible(meeting, caller)
    if slot is None or slot["id"]["S"] != slot_id:
        raise HttpError(404)
    if body.get("vote") not in {"ok", "challenging", "cant"}:
        raise HttpError(400)
    if meeting["status"]["S"] != "scheduled":
        raise HttpError(409)
    members = query_range(board_id, "L1", "MEMBERS#")
    votes = {vote["userId"].get("S"): vote for vote in query_range(board_id, "SK", f"{sort_key}#VOTE#{slot_id}#")}
    vote = {"slotId": slot_id, "userId": caller.user_id, "email": None, "vote": body["vote"]}
    vote |= {"comment": body.get("comment"), "arrivedAt": timestamp(datetime.now(UTC))}
    vote = typed(vote) | {"joinId": member["joinId"]}
    votes[caller.user_id] = vote
    unchanged = {"#v": "version"}, {":v": meeting["version"]}
    store.transact_write_items(
        TransactItems=[
            check(board_id, "BOARD", "attribute_exists(PK)"),
            check(board_id, f"MEETING#{meeting_id}", "#v = :v", *unchanged),
            check(board_id, f"MEMBER#{caller.user_id}", "joinId = :j", values={":j": member["joinId"]}),
            check(board_id, sort_key, "id = :i", values={":i": text(slot_id)}),
            put(vote | key(f"BOARD#{board_id}", f"{sort_key}#VOTE#{slot_id}#U#{caller.user_id}")),
        ],
        ClientRequestToken=secrets.token_hex(16),
    )
    feedbacks = [feedback(one["userId"]["S"], votes.get(one["userId"]["S"])) for one in members]
    fields = {name: slot[name].get("S") for name in SLOT_FIELDS}
    minutes = int(slot["durationInMinutes"]["N"])
    return {"object": "proposed_slot", **fields, "durationInMinutes": minutes, "feedbacks": feedbacks}


def feedback(user_id, vote):
    choice = {"vote": vote["vote"]["S"], "comment": vote["comment"].get("S")} if vote else {"vote": "didNotVote"}
    return {"userId": user_id, "comment": None, **choice, "email": None, "isGuest": False}


def query_range(board_id, sort, prefix):
    index = {} if sort == "SK" else {"IndexName": f"by-{sort}"}
    return store.query(
        TableName=TABLE,
        KeyConditionExpression=f"PK = :pk AND begins_with({sort}, :prefix)",
        ExpressionAttributeValues={":pk": {"S": f"BOARD#{board_id}"}, ":prefix": {"S": prefix}},
        ConsistentRead=True,
        **index,
    )["Items"]


def check(board_id, sk, condition, names=None, values=None):
    body = {"TableName": TABLE, "Key": key(partition_of(board_id, sk), sk), "ConditionExpression": condition}
    body |= {"ExpressionAttributeNames": names} if names else {}
    body |= {"ExpressionAttributeValues": values} if values else {}
    return {"ConditionCheck": body}


def typed(members):
    return {name: text(value) for name, value in members.items()}


def text(value):
    return {"NULL": True} if value is None else {"S": value}


def put(item, condition=None):
    extra = {"ConditionExpression": condition} if condition else {}
    return {"Put": {"TableName": TABLE, "Item": item, **extra}}
