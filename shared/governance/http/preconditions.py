"""Conditional requests: `If-None-Match` and `If-Match` (RFC 9110, section 13; ADR 0120)."""

from __future__ import annotations

from governance.domain.entity_tags import EntityTags, entity_tag, parse_tags
from governance.errors import ApiError, Code, invalid_body, invalid_query
from governance.http.request import Request

IF_MATCH, IF_NONE_MATCH = "if-match", "if-none-match"
NAMES = {IF_MATCH: "If-Match", IF_NONE_MATCH: "If-None-Match"}
_RULE = 'must be * or a list of entity tags in quotes, such as "0a1b"'


def entity_tags(request: Request, name: str) -> EntityTags | None:
    """Returns the tags of a conditional header, None without it; raises 400 if it is malformed."""
    given = request.headers.get(name)
    if given is None:
        return None
    found = parse_tags(given)
    if found is None:
        raise (invalid_query if name == IF_NONE_MATCH else invalid_body)({NAMES[name]: _RULE})
    return found


def check_match(expected: EntityTags, text: str) -> None:
    """Raises 412 unless the resource's present representation has one of the tags."""
    if not expected.match_strongly(entity_tag(text)):
        raise ApiError(Code.PRECONDITION_FAILED)
