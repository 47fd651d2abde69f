"""Entity tags, which name the present state of a resource (RFC 9110, section 8.8.3)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

_TAG = r'(?:W/)?"[!#-~]*"'
PATTERN = rf"^(?:\*|{_TAG}(?:, ?{_TAG})*)$"
"""Pattern of a conditional header in the API reference; empty elements and other white space are accepted too."""
_BLANKS = r"[ \t]*"
_HEADER = re.compile(rf"{_BLANKS}(?:\*{_BLANKS}|(?:,{_BLANKS})*{_TAG}{_BLANKS}(?:,{_BLANKS}(?:{_TAG}{_BLANKS})?)*)")
"""No character can be matched in two ways, so a header takes time in proportion to its length, also a malformed one."""


@dataclass(frozen=True)
class EntityTags:
    """The entity tags of a conditional header; `tags` is None for `*`, which any resource matches."""

    tags: frozenset[str] | None

    def match_strongly(self, tag: str) -> bool:
        """Returns whether one of the tags is this strong one; a weak tag is not."""
        return self.tags is None or tag in self.tags

    def match_weakly(self, tag: str) -> bool:
        """Returns whether one of the tags is this one, be it weak or strong."""
        return self.tags is None or tag.removeprefix("W/") in {given.removeprefix("W/") for given in self.tags}


def entity_tag(text: str) -> str:
    """Returns the strong entity tag of a response body: equal bodies have equal tags."""
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def parse_tags(header: str) -> EntityTags | None:
    """Returns the tags of a conditional header; None if it is malformed."""
    if not _HEADER.fullmatch(header):
        return None
    tags = re.findall(_TAG, header)
    return EntityTags(frozenset(tags) if tags else None)
