"""Powertools in the style of its guide: resolver with `enable_validation`, models out, the SDK's resource."""

import os
from typing import Annotated, Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.logging import correlation_paths
from boto3.dynamodb.conditions import Key
from identity import HttpError, admit, authenticate, keys_to_read
from models import Meeting, MeetingList, MeetingResponse, Meta

logger = Logger(service="board-governance")
app = APIGatewayHttpResolver(enable_validation=True)
resource = boto3.resource("dynamodb")
table = resource.Table(os.environ["TABLE_NAME"])


@app.exception_handler(HttpError)
def refuse(error: HttpError) -> Response:
    return Response(error.status, "application/json", '{"error": {}}')


def current_caller():
    return authenticate(app.current_event.headers.get("authorization", ""))


def load(caller, board_id, *more):
    keys = keys_to_read(caller, board_id, *more)
    wanted = [{"PK": pk, "SK": sk} for pk, sk in keys]
    response = resource.batch_get_item(RequestItems={table.name: {"Keys": wanted, "ConsistentRead": True}})
    by_key = {(item["PK"], item["SK"]): item for item in response["Responses"][table.name]}
    return admit(caller, [by_key.get(key) for key in keys])


@app.get("/api/v1/boards/<board_id>/meetings/<meeting_id>")
def get_meeting(board_id: str, meeting_id: str) -> MeetingResponse:
    caller = current_caller()
    _, meeting = load(caller, board_id, f"MEETING#{meeting_id}")
    if meeting is None or (meeting["status"] == "draft" and meeting["creatorId"] != caller.user_id):
        raise HttpError(404)
    return MeetingResponse(data=Meeting.model_validate(meeting))


@app.get("/api/v1/boards/<board_id>/meetings")
def list_meetings(board_id: str, limit: Annotated[int, Query(ge=1, le=100)] = 25) -> MeetingList:
    caller = current_caller()
    load(caller, board_id)
    meetings: list[tuple[str, Any]] = []
    for prefix in ("MEETINGS#", f"DRAFTS#{caller.user_id}#"):
        response = table.query(
            IndexName="by-L1",
            KeyConditionExpression=Key("PK").eq(f"MEETINGS#{board_id}") & Key("L1").begins_with(prefix),
            ConsistentRead=True,
            ScanIndexForward=False,
            Limit=limit + 1,
        )
        meetings += [(str(item["L1"]).removeprefix(prefix), item) for item in response["Items"]]
    meetings.sort(key=lambda pair: pair[0], reverse=True)
    cursor = meetings[limit - 1][0] if len(meetings) > limit else None
    data = [Meeting.model_validate(item) for _, item in meetings[:limit]]
    return MeetingList(data=data, meta=Meta(next_cursor=cursor, has_more=cursor is not None))


@logger.inject_lambda_context(correlation_id_path=correlation_paths.API_GATEWAY_HTTP)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    return app.resolve(event, context)
