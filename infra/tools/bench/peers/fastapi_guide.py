"""FastAPI as its tutorial teaches it: pydantic models out, dependencies, plain functions in its thread pool."""

import os
from typing import Annotated

import boto3
from boto3.dynamodb.types import TypeDeserializer
from fastapi import Depends, FastAPI, Header, Request
from fastapi.responses import JSONResponse
from identity import Caller, HttpError, admit, authenticate, keys_to_read
from models import Meeting, MeetingResponse

TABLE = os.environ["TABLE_NAME"]
client = boto3.client("dynamodb")
deserialize = TypeDeserializer().deserialize
app = FastAPI()


@app.exception_handler(HttpError)
def refuse(request: Request, error: HttpError) -> JSONResponse:
    return JSONResponse({"error": {"status": error.status}}, error.status)


def caller(authorization: Annotated[str, Header()] = "") -> Caller:
    return authenticate(authorization)


def load(caller, board_id, *more):
    keys = keys_to_read(caller, board_id, *more)
    wanted = [{"PK": {"S": pk}, "SK": {"S": sk}} for pk, sk in keys]
    response = client.batch_get_item(RequestItems={TABLE: {"Keys": wanted, "ConsistentRead": True}})
    items = [{name: deserialize(value) for name, value in item.items()} for item in response["Responses"][TABLE]]
    by_key = {(item["PK"], item["SK"]): item for item in items}
    return admit(caller, [by_key.get(key) for key in keys])


@app.get("/api/v1/boards/{board_id}/meetings/{meeting_id}")
def get_meeting(board_id: str, meeting_id: str, caller: Annotated[Caller, Depends(caller)]) -> MeetingResponse:
    _, meeting = load(caller, board_id, f"MEETING#{meeting_id}")
    if meeting is None or (meeting["status"] == "draft" and meeting["creatorId"] != caller.user_id):
        raise HttpError(404)
    return MeetingResponse(data=Meeting.model_validate(meeting))
