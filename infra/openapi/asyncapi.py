"""The AsyncAPI 3.0 document of the live channel, generated from the frames that the channel is made of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from governance.domain.live import messages
from governance.models.base import Resource
from governance.models.live.frames import RECEIVED, SENT
from infra.openapi import descriptions
from infra.openapi.schemas import Schema, Schemas, ref_to
from infra.openapi.texts import Reference, reference
from infra.version import VERSION

_CHANNEL = "#/channels/live"
_REPLIES = {"Join": ("Joined", "Error"), "Leave": ("Left", "Error"), "Ping": ("Pong", "Error")}
"""The answers to each frame that a client sends."""
_PROTOCOLS = "Sec-WebSocket-Protocol"


def text(root_url: str) -> str:
    """Returns the document of the installation at `root_url`, as it is served."""
    return json.dumps(document(root_url), indent=2, ensure_ascii=False) + "\n"


def document(root_url: str) -> Schema:
    """Returns the document of the installation at `root_url`."""
    address, words = urlsplit(messages.channel_url(root_url)), reference()
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Board Governance Service: live channel",
            "version": VERSION,
            "description": words.shared["live"]["description"],
            "contact": words.shared["info"]["contact"],
            "license": {"name": words.shared["info"]["license"]["name"]},
            "tags": [{"name": "live"}],
        },
        "defaultContentType": "application/json",
        "servers": {
            "live": {
                "host": address.netloc,
                "protocol": address.scheme,
                "description": "The service that serves this document.",
                "security": [{"$ref": "#/components/securitySchemes/ticket"}],
            }
        },
        "channels": {"live": _channel(address.path, [_name(frame) for frame in (*RECEIVED, *SENT)])},
        "operations": {**_operations("receive", RECEIVED), **_operations("send", SENT)},
        "components": {
            "messages": {
                _name(frame): _message(frame, words.shared["live"]["examples"]) for frame in (*RECEIVED, *SENT)
            },
            "schemas": _schemas(words),
            "securitySchemes": {
                "ticket": {
                    "type": "httpApiKey",
                    "in": "header",
                    "name": _PROTOCOLS,
                    "description": words.shared["live"]["ticket"],
                }
            },
        },
    }


def _name(frame: type[Resource]) -> str:
    return frame.__name__.removesuffix("Frame")


def _channel(address: str, names: Iterable[str]) -> Schema:
    headers = {
        "type": "object",
        "properties": {_PROTOCOLS: {"type": "string", "pattern": rf"{re.escape(messages.PROTOCOL)}\b"}},
        "required": [_PROTOCOLS],
    }
    return {
        "address": address,
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
        "bindings": {"ws": {"method": "GET", "headers": headers, "bindingVersion": "0.1.0"}},
    }


def _operations(action: str, frames: Iterable[type[Resource]]) -> Schema:
    """Returns what the service does with frames: it receives those of clients, and sends its own."""
    return {f"{action}{_name(frame)}": _operation(action, frame) for frame in frames}


def _operation(action: str, frame: type[Resource]) -> Schema:
    replies = [_in_channel(name) for name in _REPLIES.get(_name(frame), ())]
    return {
        "action": action,
        "channel": {"$ref": _CHANNEL},
        "description": descriptions.of_model(frame),
        "messages": [_in_channel(_name(frame))],
        **({"reply": {"channel": {"$ref": _CHANNEL}, "messages": replies}} if replies else {}),
    }


def _in_channel(name: str) -> Schema:
    return {"$ref": f"{_CHANNEL}/messages/{name}"}


def _message(frame: type[Resource], examples: Schema) -> Schema:
    name = _name(frame)
    return {
        "name": name,
        "title": name,
        "summary": descriptions.of_model(frame),
        "contentType": "application/json",
        "payload": ref_to(frame.__name__),
        "examples": [{"name": name.lower(), "payload": examples[name]}],
    }


def _schemas(words: Reference) -> Schema:
    drawn = Schemas((*RECEIVED, *SENT), ()).described(words.shared["live"]["fields"])
    return {name: schema for name, schema in sorted(drawn.items()) if name != "JsonValue"}
