"""The resources as pydantic models, which FastAPI and Powertools validate their responses with."""

from typing import Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True)


class Meeting(Camel):
    object: Literal["meeting"] = "meeting"
    id: str
    board_id: str
    title: str
    status: Literal["draft", "scheduled", "in_progress", "completed", "finalized"]
    location_type: str | None
    location: str | None
    virtual_meeting_url: str | None
    start_time: str | None
    end_time: str | None
    created_by_user_id: str
    created_at: str
    updated_at: str


class MeetingResponse(BaseModel):
    data: Meeting
