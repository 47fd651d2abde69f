"""The tools: which of them a caller may call, and the request of the API that a call is.

What a tool is comes from a file that `make openapi` draws from the routes. A tool's route is imported when it is
called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from governance.domain.access.access import Principal
from governance.errors import ApiError
from governance.http import admission, validation
from governance.http.api import load_api
from governance.http.pipeline import RequestPipeline
from governance.http.request import VIEWER_ADDRESS, Request
from governance.http.route import Access, Admission, Audience
from governance.http.serving import Trace
from governance.instants import now
from governance.models.numbers import kept_as_written, with_numbers
from governance.scopes import Scope

IDEMPOTENCY_KEY = "idempotencyKey"
_PARAMETER = re.compile(r"\{(\w+)\}")
_PASSED_ON = ("authorization", VIEWER_ADDRESS)


class BadArgumentsError(Exception):
    """Arguments that a tool does not take; `fields` maps each to what it must be."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        super().__init__(", ".join(fields))
        self.fields = dict(fields)


@dataclass(frozen=True)
class Tool:
    """A tool: its route, and `listing`, its description for clients."""

    group: str
    method: str
    path: str
    query: Sequence[str]
    body: bool
    scope: str
    audience: str
    shape: str
    listing: Mapping[str, Any]

    @property
    def is_public(self) -> bool:
        """Whether the route needs no credential."""
        return self.scope == Access.PUBLIC.name

    def admits(self, principal: Principal) -> bool:
        """Returns whether the kind of the credential and its scopes permit calls; a board token's, on its own board."""
        if self.is_public:
            return True
        own = principal.token.board_id if principal.token else None
        try:
            admission.check_surface(self._admission, principal)
            admission.check_caller(self._admission, {"boardId": own or ""}, principal)
        except ApiError:
            return False
        return True

    @cached_property
    def _admission(self) -> Admission:
        names = Access.__members__
        scope = names[self.scope] if self.scope in names else Scope(self.scope)
        return Admission(path=self.path, scope=scope, audience=Audience[self.audience])

    def call(
        self, request: Request, arguments: Mapping[str, Any], meta: Mapping[str, Any], trace: Trace
    ) -> RequestPipeline | None:
        """Returns the steps of the API's request that a call is; None if no path can hold an id that it names.

        Raises `BadArgumentsError` for arguments that the tool does not take.
        """
        self._check(request, arguments, meta)
        path = _PARAMETER.sub(lambda match: str(arguments[match[1]]), self.path)
        query = {name: _as_text(arguments[name]) for name in self.query if _is_given(name, arguments)}
        body = {name: value for name, value in arguments.items() if name not in self._elsewhere}
        sent = self._request(request, path, query, body, meta)
        matched = load_api(self.group).match_template(self.method, self.path, path)
        return RequestPipeline(matched[0], sent, matched[1], trace) if matched else None

    def _request(
        self, request: Request, path: str, query: Mapping[str, str], body: Mapping[str, Any], meta: Mapping[str, Any]
    ) -> Request:
        headers = {name: request.headers[name] for name in _PASSED_ON if name in request.headers}
        if IDEMPOTENCY_KEY in meta:
            headers["idempotency-key"] = meta[IDEMPOTENCY_KEY]
        event = {}
        if self.body:
            headers["content-type"] = "application/json"
            text = json.dumps(kept_as_written(body), ensure_ascii=False, sort_keys=True)
            event = {"body": with_numbers(text)}
        return Request(self.method, path, headers, urlencode(query), request.source_ip, event)

    def _check(self, request: Request, arguments: Mapping[str, Any], meta: Mapping[str, Any]) -> None:
        known = self.listing["inputSchema"].get("properties", {})
        fields = {name: "is not an argument of this tool" for name in arguments if name not in known}
        fields |= {name: "is required" for name in self._path_names if arguments.get(name) is None}
        wrong = (name for name in self._path_names if not isinstance(arguments.get(name, ""), str))
        fields |= dict.fromkeys(wrong, "must be a string")
        given = {name: arguments[name] for name in self.query if name in arguments}
        lists = {name for name in given if known[name].get("type") == "array"}
        fields |= {name: "must be one value" for name in given.keys() - lists if not _is_scalar(given[name])}
        fields |= {name: "must be a list of values" for name in lists if not all(map(_is_scalar, _values(given[name])))}
        if not isinstance(meta.get(IDEMPOTENCY_KEY, ""), str):
            fields[f"_meta.{IDEMPOTENCY_KEY}"] = "must be a string"
        if fields:
            members = {name: arguments[name] for name in arguments.keys() & known.keys() if name not in self._elsewhere}
            raise BadArgumentsError(self._offences_of_body(request, members) | fields)

    def _offences_of_body(self, request: Request, body: Mapping[str, Any]) -> dict[str, str]:
        """Returns what is wrong with the members of the body, as the API would name it if the rest were right."""
        declared, _ = load_api(self.group).match(self.method, self.path)  # a template matches itself
        if declared.body is None:
            return {}
        try:
            validation.body(self._request(request, self.path, {}, body, {}), declared.body, now())
        except ApiError as error:
            return dict((error.details or {}).get("fields", {}))
        return {}

    @cached_property
    def _elsewhere(self) -> set[str]:
        """The arguments that are not members of the body."""
        return {*self._path_names, *self.query}

    @cached_property
    def _path_names(self) -> list[str]:
        return _PARAMETER.findall(self.path)


def _is_given(name: str, arguments: Mapping[str, Any]) -> bool:
    """Returns whether an argument has a value; some clients send an empty cursor for the first page."""
    value = arguments.get(name)
    return value is not None and (name, value) != ("cursor", "")


def _is_scalar(value: Any) -> bool:
    return isinstance(value, str | int | float | None)


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _as_text(value: Any) -> str:
    """Returns the value of a query parameter; those of a list are parted by commas."""
    if isinstance(value, list):
        return ",".join(map(_as_text, value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else json.dumps(value)


@dataclass(frozen=True)
class Toolbox:
    """The tools by name, and every group of operations, those without tools too."""

    groups: frozenset[str]
    by_name: Mapping[str, Tool]

    def of(self, groups: Sequence[str]) -> Mapping[str, Tool]:
        """Returns the tools of some groups. Raises `ValueError` for a group that does not exist."""
        if not self.groups.issuperset(groups):
            raise ValueError(
                f"must name groups of operations, with commas between them: {', '.join(sorted(self.groups))}"
            )
        return {name: tool for name, tool in self.by_name.items() if tool.group in groups}


def parse(text: str) -> Toolbox:
    """Returns the tools of a file, in the file's order."""
    drawn = json.loads(text)
    tools = {tool["listing"]["name"]: Tool(**tool) for tool in drawn["tools"]}
    return Toolbox(frozenset(drawn["groups"]), tools)
