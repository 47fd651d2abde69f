"""The floor: a router, an HS256 check and the SDK's client by hand; nothing is validated that need not be.

It makes the same store calls on the same table as the service and answers the same bodies. What it leaves out: rate
limits, idempotency, cursors that cannot be forged, strict JSON, error details, logs.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import secrets
import time
from datetime import UTC, datetime

import boto3
from botocore.config import Config

TABLE = os.environ["TABLE_NAME"]
SECRET = os.environ["JWT_SECRET"].encode()
ISSUER, AUDIENCE = os.environ["JWT_ISSUER"], os.environ["JWT_AUDIENCE"]
PATH = re.compile(r"/api/v1/boards/([0-9a-f]{24})/meetings(?:/([0-9a-f]{24}))?")
SHOWN = ("id", "boardId", "title", "status", "locationType", "location", "virtualMeetingUrl", "startTime", "endTime")
SHOWN += ("createdByUserId", "createdAt", "updatedAt")
VOTE = re.compile(r"/api/v1/boards/([0-9a-f]{24})/meetings/([0-9a-f]{24})/slots/([0-9a-f]{24})/vote")
SLOT = ("id", "meetingId", "createdByUserId", "startTime", "timezone", "createdAt", "updatedAt")
client = boto3.client("dynamodb", config=Config(connect_timeout=1, read_timeout=2))


class Refused(Exception):
    """An answer other than success."""


def lambda_handler(event, _):
    try:
        status, body = route(event)
    except Refused as error:
        status, body = error.args[0], {"error": {"status": error.args[0]}}
    return {"statusCode": status, "headers": {"content-type": "application/json"}, "body": json.dumps(body)}


def route(event):
    method, path = event["requestContext"]["http"]["method"], event["rawPath"]
    claims = session(event["headers"].get("authorization", ""))
    user_id = hashlib.sha256(f"{claims['iss']}\n{claims['sub']}".encode()).hexdigest()[:24]
    if path == "/api/v1/whoami":
        user = load(user_id)[0]
        return 200, {"object": "whoami", "authType": "jwt", "userId": user_id, "email": user["email"]["S"]}
    if method == "PUT" and (found := VOTE.fullmatch(path)):
        return 200, {"data": voted(user_id, *found.groups(), json.loads(event["body"]))}
    found = PATH.fullmatch(path)
    if found is None:
        raise Refused(404)
    board_id, meeting_id = found.groups()
    if meeting_id is not None:
        meeting = load(user_id, board_id, f"MEETING#{meeting_id}")[2]
        return 200, {"data": shown(visible(meeting, user_id))}
    if method == "POST":
        return 201, {"data": create(user_id, board_id, json.loads(event["body"]))}
    load(user_id, board_id)
    return 200, listed(user_id, board_id, int(event.get("queryStringParameters", {}).get("limit", "25")))


def session(header):
    try:
        head, claims, mac = header.removeprefix("Bearer ").split(".")
        expected = hmac.new(SECRET, f"{head}.{claims}".encode(), hashlib.sha256).digest()
        held = hmac.compare_digest(unpadded(mac), expected) and json.loads(unpadded(head))["alg"] == "HS256"
        claims = json.loads(unpadded(claims))
    except (ValueError, KeyError):
        raise Refused(401) from None
    if not held or claims["exp"] < time.time() or (claims["iss"], claims["aud"]) != (ISSUER, AUDIENCE):
        raise Refused(401)
    return claims


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def load(user_id, board_id=None, *more):
    keys = [(f"USER#{user_id}", "USER")]
    if board_id is not None:
        keys += [(f"BOARD#{board_id}", sk) for sk in ("BOARD", f"MEMBER#{user_id}", *more)]
    request = {TABLE: {"Keys": [key(*pair) for pair in keys], "ConsistentRead": True}}
    items = client.batch_get_item(RequestItems=request)["Responses"][TABLE]
    found = {(item["PK"]["S"], item["SK"]["S"]): item for item in items}
    user, *rest = (found.get(pair) for pair in keys)
    if user is None or user["status"]["S"] != "active":
        raise Refused(401)
    if rest and rest[0] is None:
        raise Refused(404)
    if rest and rest[1] is None:
        raise Refused(403)
    return [user, *rest[1:]]


def key(pk, sk):
    return {"PK": {"S": pk}, "SK": {"S": sk}}


def visible(meeting, user_id):
    if meeting is None or (meeting["status"]["S"] == "draft" and meeting["creatorId"].get("S") != user_id):
        raise Refused(404)
    return meeting


def shown(item):
    return {"object": "meeting", **{name: item[name].get("S") for name in SHOWN}}


def listed(user_id, board_id, limit):
    found = []
    for prefix in ("MEETINGS#", f"DRAFTS#{user_id}#"):
        answer = client.query(
            TableName=TABLE,
            IndexName="by-L1",
            KeyConditionExpression="PK = :pk AND begins_with(L1, :prefix)",
            ExpressionAttributeValues={":pk": {"S": f"BOARD#{board_id}"}, ":prefix": {"S": prefix}},
            ConsistentRead=True,
            ScanIndexForward=False,
            Limit=limit + 1,
        )
        found += [(item["L1"]["S"].removeprefix(prefix), item) for item in answer["Items"]]
    found.sort(key=lambda pair: pair[0], reverse=True)
    cursor = found[limit - 1][0] if len(found) > limit else None
    meta = {"nextCursor": cursor, "hasMore": cursor is not None}
    return {"data": [shown(item) for _, item in found[:limit]], "meta": meta}


def create(user_id, board_id, body):
    _, member = load(user_id, board_id)[:2]
    if not isinstance(body.get("title"), str) or not 0 < len(body["title"]) <= 200:
        raise Refused(400)
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    meeting_id, act_id = secrets.token_hex(12), secrets.token_hex(12)
    status, start = body.get("status") or "draft", body.get("startTime")
    bucket = f"DRAFTS#{user_id}" if status == "draft" else "MEETINGS"
    place = f"{start or ''}#{meeting_id}"
    meeting = {name: text(body.get(name)) for name in SHOWN} | {
        "id": text(meeting_id),
        "boardId": text(board_id),
        "status": text(status),
        "creatorId": text(user_id),
        "createdByUserId": text(user_id),
        "createdAt": text(now),
        "updatedAt": text(now),
        "timezone": text(None),
        "bookedSlotId": text(None),
        "version": {"N": "1"},
        "L1": text(f"{bucket}#{place}"),
    }
    if status != "draft":
        meeting["L2"] = text(f"{bucket}#{status}#{place}")
    act = {"id": text(act_id), "boardId": text(board_id), "createdAt": text(now), "createdVia": text("web")}
    title = {"M": {"id": text(meeting_id), "title": text(body["title"])}}
    event = act | {"type": text("meeting.created"), "actorUserId": text(user_id), "data": title}
    event |= {"draftOf": text(user_id if status == "draft" else None), "refs": {"M": {"meetingId": text(meeting_id)}}}
    audit = act | {
        "action": text("meetingCreate"),
        "actorUser": text(user_id),
        "updatedAt": text(now),
        "details": title,
    }
    place = f"{now}#{act_id}"
    alive = {"TableName": TABLE, "Key": key(f"BOARD#{board_id}", "BOARD")}
    client.transact_write_items(
        TransactItems=[
            {"ConditionCheck": alive | {"ConditionExpression": "attribute_exists(PK)"}},
            put(meeting | key(f"BOARD#{board_id}", f"MEETING#{meeting_id}"), "attribute_not_exists(PK)"),
            put(event | key(f"EVENTS#{board_id}", place)),
            put(audit | key(f"AUDIT#{board_id}", place)),
        ],
        ClientRequestToken=secrets.token_hex(16),
    )
    return shown(meeting)


def voted(user_id, board_id, meeting_id, slot_id, body):
    place = f"MEETING#{meeting_id}#SLOT#{slot_id[:12]}"
    _, member, meeting, slot = load(user_id, board_id, f"MEETING#{meeting_id}", place)
    visible(meeting, user_id)
    if slot is None or slot["id"]["S"] != slot_id:
        raise Refused(404)
    if body.get("vote") not in {"ok", "challenging", "cant"}:
        raise Refused(400)
    if meeting["status"]["S"] != "scheduled":
        raise Refused(409)
    members = ranged(board_id, "L1", "MEMBERS#")
    votes = {vote["userId"].get("S"): vote for vote in ranged(board_id, "SK", f"{place}#VOTE#{slot_id}#")}
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    vote = {"slotId": text(slot_id), "userId": text(user_id), "joinId": member["joinId"], "email": text(None)}
    vote |= {"vote": text(body["vote"]), "comment": text(body.get("comment")), "arrivedAt": text(now)}
    votes[user_id] = vote
    unchanged = {"#v": "version"}, {":v": meeting["version"]}
    client.transact_write_items(
        TransactItems=[
            check(board_id, "BOARD", "attribute_exists(PK)"),
            check(board_id, f"MEETING#{meeting_id}", "#v = :v", *unchanged),
            check(board_id, f"MEMBER#{user_id}", "joinId = :j", values={":j": member["joinId"]}),
            check(board_id, place, "id = :i", values={":i": text(slot_id)}),
            put(vote | key(f"BOARD#{board_id}", f"{place}#VOTE#{slot_id}#U#{user_id}")),
        ],
        ClientRequestToken=secrets.token_hex(16),
    )
    feedbacks = [feedback(one["userId"]["S"], votes.get(one["userId"]["S"])) for one in members]
    members = {name: slot[name].get("S") for name in SLOT}
    minutes = int(slot["durationInMinutes"]["N"])
    return {"object": "proposed_slot", **members, "durationInMinutes": minutes, "feedbacks": feedbacks}


def feedback(user_id, vote):
    said = {"vote": vote["vote"]["S"], "comment": vote["comment"].get("S")} if vote else {"vote": "didNotVote"}
    return {"userId": user_id, "comment": None, **said, "email": None, "isGuest": False}


def ranged(board_id, sort, prefix):
    index = {} if sort == "SK" else {"IndexName": f"by-{sort}"}
    return client.query(
        TableName=TABLE,
        KeyConditionExpression=f"PK = :pk AND begins_with({sort}, :prefix)",
        ExpressionAttributeValues={":pk": {"S": f"BOARD#{board_id}"}, ":prefix": {"S": prefix}},
        ConsistentRead=True,
        **index,
    )["Items"]


def check(board_id, sk, condition, names=None, values=None):
    body = {"TableName": TABLE, "Key": key(f"BOARD#{board_id}", sk), "ConditionExpression": condition}
    body |= {"ExpressionAttributeNames": names} if names else {}
    body |= {"ExpressionAttributeValues": values} if values else {}
    return {"ConditionCheck": body}


def text(value):
    return {"NULL": True} if value is None else {"S": value}


def put(item, condition=None):
    guard = {"ConditionExpression": condition} if condition else {}
    return {"Put": {"TableName": TABLE, "Item": item, **guard}}
