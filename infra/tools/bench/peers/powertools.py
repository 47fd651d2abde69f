"""Powertools in the style of its guide: resolver with `enable_validation`, models out, the SDK's resource."""

import os
from typing import Any

import boto3
from aws_lambda_powertools import Logger
from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.logging import correlation_paths
from identity import HttpError, admit, authenticate, keys_to_read
from models import Meeting, MeetingResponse

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


@logger.inject_lambda_context(correlation_id_path=correlation_paths.API_GATEWAY_HTTP)
def lambda_handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    return app.resolve(event, context)
