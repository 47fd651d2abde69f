"""Validates bodies and queries; `details.fields` names every invalid member at once, by its path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from governance.errors import ApiError, Code, invalid_body, invalid_query
from governance.http import strict_json
from governance.http.request import Request
from governance.ids import ID_PATTERN
from governance.instants import Instant
from governance.limits import BODY_BYTES
from governance.models.base import Body, Query

B = TypeVar("B", bound=Body)
Q = TypeVar("Q", bound=Query)
_JSON_TYPE = re.compile(r"application/(?:[\w.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE)
_EMPTY_OBJECT = re.compile(rb"[ \t\n\r]*\{[ \t\n\r]*\}[ \t\n\r]*")
_UNKNOWN_PARAMETER = "is not a known parameter"
_MESSAGES = {
    "missing": "is required",
    "extra_forbidden": "is not a known field",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be an array",
    "tuple_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "none_required": "must be null",
}
_ALTERNATIVE = re.compile(r"^(?:function-|constrained-|literal\[|str$|int$|float$|bool$|none$|tuple\[|list\[|dict\[)")


def check_size(request: Request) -> None:
    """Raises 413 for a body over the limit."""
    if len(request.body) > BODY_BYTES:
        raise ApiError(Code.PAYLOAD_TOO_LARGE)


def check_json(request: Request) -> None:
    """Raises 415 for a body whose media type is not JSON."""
    if not _JSON_TYPE.fullmatch(request.headers.get("content-type", "").strip()):
        raise ApiError(Code.UNSUPPORTED_MEDIA_TYPE)


def no_body(request: Request, *, or_empty_object: bool) -> None:
    """Raises 400 for a body where none is expected, except an empty JSON object if `or_empty_object`."""
    if request.body and not (or_empty_object and _EMPTY_OBJECT.fullmatch(request.body)):
        raise invalid_body({"body": "must be empty"})


def body(request: Request, model: type[B], now: Instant) -> B:
    """Returns the request's body as a model, checked at the request's instant `now`.

    Raises 415 for another media type, 400 with every invalid member.
    """
    if not request.body and model.optional:
        return model()
    if not request.body:
        raise invalid_body({"body": "is required"})
    check_json(request)
    value, errors = strict_json.parse(request.body)
    try:
        parsed = _parsed(value, model, now)
    except ValidationError as error:
        errors = _fields(error.errors(include_url=False)) | _field_errors(value, model) | errors
        raise invalid_body(errors) from None
    errors = _field_errors(value, model) | errors
    if errors:
        raise invalid_body(errors)
    return parsed


def _field_errors(value: Any, model: type[B]) -> dict[str, str]:
    return model.field_errors(value) if isinstance(value, dict) else {}


def _parsed(value: Any, model: type[B], now: Instant) -> B:
    """Returns a JSON value as a model. Writes integers into it where the model wants them and it has `5.0` or `6e1`.

    JSON has one kind of number, and some clients write all of them with a fraction. Raises `ValidationError`.
    """
    try:
        return model.model_validate(value, context={"now": now})
    except ValidationError as error:
        wanted = [detail["loc"] for detail in error.errors(include_url=False) if detail["type"] == "int_type"]
    for *path, name in wanted:
        holder = reduce(_part, path, value)
        number = _part(holder, name)
        if isinstance(number, float) and number.is_integer():
            holder[name] = int(number)
    return model.model_validate(value, context={"now": now})


def _part(value: Any, name: int | str) -> Any:
    """Returns a member of an object or an element of an array; None where there is none."""
    if isinstance(value, dict):
        return value.get(name)
    return value[name] if isinstance(value, list) and isinstance(name, int) and name < len(value) else None


def query(parameters: Mapping[str, str], model: type[Q]) -> Q:
    """Returns the query parameters as a model; raises 400 with every invalid parameter, by its name alone."""
    try:
        return model.model_validate(dict(parameters))
    except ValidationError as error:
        fields = _fields({**detail, "loc": detail["loc"][:1]} for detail in error.errors(include_url=False))
        unknown = {
            name: _UNKNOWN_PARAMETER for name, message in fields.items() if message == _MESSAGES["extra_forbidden"]
        }
        raise invalid_query(fields | unknown) from None


def no_query(parameters: Mapping[str, str]) -> None:
    """Raises 400 for any parameter where none is defined."""
    if parameters:
        raise invalid_query(dict.fromkeys(parameters, _UNKNOWN_PARAMETER))


def _fields(errors: Iterable[ErrorDetails]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for error in errors:
        fields.setdefault(_path(error["loc"]), _message(error))
    return fields


def _path(location: tuple[Any, ...]) -> str:
    """Returns the path of an invalid member, without the names that pydantic gives to the alternatives of a union."""
    parts = [str(part) for part in location if not (isinstance(part, str) and _ALTERNATIVE.match(part))]
    return ".".join(parts) or "body"


def _message(error: ErrorDetails) -> str:
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    if error.get("ctx", {}).get("pattern") == ID_PATTERN:
        return "must be an id: 24 lower-case hexadecimal digits"
    if error["type"] in _MESSAGES:
        return _MESSAGES[error["type"]]
    message = re.sub(r"^(Input|Value|String|List|Tuple|Dictionary) ", "", error["msg"]).replace("should", "must")
    message = message.partition(" after validation")[0]
    return message[0].lower() + message[1:]
