"""Conditional requests: `ETag`, `If-None-Match` and `If-Match` (RFC 9110, section 13; ADR 0120)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from governance.errors import ApiError, Code, invalid_body, invalid_query
from governance.http.request import Request

IF_MATCH, IF_NONE_MATCH = "if-match", "if-none-match"
NAMES = {IF_MATCH: "If-Match", IF_NONE_MATCH: "If-None-Match"}
_TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
_LIST = re.compile(rf"[ \t]*(?:,[ \t]*)*{_TAG}(?:[ \t]*,[ \t]*(?:{_TAG})?)*[ \t]*")
_RULE = 'must be * or a list of entity tags in quotes, such as "0a1b"'


@dataclass(frozen=True)
class EntityTags:
    """The entity tags of a conditional header; `tags` is None for `*`, which any resource matches."""

    tags: frozenset[str] | None

    def match_strongly(self, tag: str) -> bool:
        """Returns whether one of the tags is this strong one; a weak tag is not."""
        return self.tags is None or tag in self.tags

    def match_weakly(self, tag: str) -> bool:
        """Returns whether one of the tags is this one, be it weak or strong."""
        return self.tags is None or tag in {given.removeprefix("W/") for given in self.tags}


def entity_tag(text: str) -> str:
    """Returns the strong entity tag of a response body: equal bodies have equal tags."""
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def entity_tags(request: Request, name: str) -> EntityTags | None:
    """Returns the tags of a conditional header, None without it; raises 400 if it is malformed."""
    given = request.headers.get(name)
    if given is None:
        return None
    if given.strip(" \t") == "*":
        return EntityTags(None)
    if not _LIST.fullmatch(given):
        raise (invalid_query if name == IF_NONE_MATCH else invalid_body)({NAMES[name]: _RULE})
    return EntityTags(frozenset(re.findall(_TAG, given)))


def check_match(expected: EntityTags, text: str) -> None:
    """Raises 412 unless the resource's present representation has one of the tags."""
    if not expected.match_strongly(entity_tag(text)):
        raise ApiError(Code.PRECONDITION_FAILED)
