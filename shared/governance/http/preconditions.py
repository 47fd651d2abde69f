"""Conditional requests: `If-None-Match` and `If-Match` (RFC 9110, section 13; ADR requests)."""

from __future__ import annotations

from dataclasses import dataclass

from governance.domain.entity_tags import EntityTags, entity_tag, parse_tags
from governance.errors import ApiError, Code
from governance.http.request import Request

IF_MATCH, IF_NONE_MATCH = "if-match", "if-none-match"
NAMES = {IF_MATCH: "If-Match", IF_NONE_MATCH: "If-None-Match"}
_RULE = 'must be * or a list of entity tags in quotes, such as "0a1b"'
_MALFORMED = "Correct the header `{}`: it " + _RULE + "."
_MATCHED = "The resource has one of the tags in `If-None-Match`. Read it, and leave the header out to change it."


@dataclass(frozen=True)
class Preconditions:
    """What a request that changes a resource says of its entity tag; None for a header that it does not have."""

    match: EntityTags | None
    none_match: EntityTags | None

    def check(self, text: str) -> None:
        """Raises 412 unless the resource's present representation is one that the request may change."""
        tag = entity_tag(text)
        if self.match is not None and not self.match.match_strongly(tag):
            raise ApiError(Code.PRECONDITION_FAILED)
        if self.none_match is not None and self.none_match.match_weakly(tag):
            raise ApiError(Code.PRECONDITION_FAILED, _MATCHED)


def has_preconditions(request: Request) -> bool:
    """Returns whether a request has a conditional header."""
    return any(name in request.headers for name in NAMES)


def preconditions(request: Request) -> Preconditions:
    """Returns the conditions of a request that changes a resource; raises 400 for a malformed header."""
    return Preconditions(entity_tags(request, IF_MATCH), entity_tags(request, IF_NONE_MATCH))


def entity_tags(request: Request, name: str) -> EntityTags | None:
    """Returns the tags of a conditional header, None without it; raises 400 if it is malformed."""
    given = request.headers.get(name)
    if given is None:
        return None
    tags = parse_tags(given)
    if tags is None:
        code = Code.INVALID_QUERY_PARAMETER if request.method == "GET" else Code.INVALID_REQUEST_BODY
        raise ApiError(code, _MALFORMED.format(NAMES[name]), {"fields": {NAMES[name]: _RULE}})
    return tags
