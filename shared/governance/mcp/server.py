"""The MCP server: one POST is one exchange, answered as JSON; nothing is kept between two (ADR agents).

A call of a tool runs the steps of the tool's route, so that it is checked, limited, audited and repeated as any request
of the API. Every other message takes any valid credential.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

from governance.domain.access.access import Principal
from governance.errors import ApiError, Code, forbidden, invalid_query, not_found
from governance.http import envelope, serving
from governance.http.caller import caller_of
from governance.http.envelope import Response
from governance.http.pipeline import RequestPipeline
from governance.http.rate_limit import address_charge
from governance.http.request import Request
from governance.http.serving import Trace
from governance.limits import ANSWER_BYTES
from governance.mcp import protocol
from governance.mcp.catalog import TEMPLATE, Catalog
from governance.mcp.protocol import INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND, ProtocolError, RpcMessage
from governance.mcp.tools import IDEMPOTENCY_KEY, BadArgumentsError, Tool, Toolbox
from governance.settings import settings
from governance.sizes import sent_bytes

PATH = "/mcp"
_INSTRUCTIONS = (
    "Tools are the operations of a board governance service. Start with get_whoami and list_boards; a board token "
    "works on the board that get_whoami names. An argument such as meetingId is the `id` from the matching list tool. "
    "Lists continue with `cursor` from `meta.nextCursor`. Instants are RFC 3339 with an offset. An error of the "
    "service is a result with isError and says what to change. To repeat a create safely, send `_meta.idempotencyKey`. "
    "evaluate_access says whether a call would be permitted. Resources kpi://{rogueId} define figures of dashboards."
)
_ABOUT = {
    "capabilities": {"tools": {}, "resources": {}},
    "serverInfo": protocol.SERVER_INFO,
    "instructions": _INSTRUCTIONS,
}
_CONSTANT: Mapping[str, Mapping[str, Any]] = {
    "ping": {},
    "server/discover": {"supportedVersions": protocol.SUPPORTED, **_ABOUT},
    "resources/templates/list": {"resourceTemplates": [TEMPLATE]},
}
"""The methods whose result is always the same, with its members."""
_INITIALIZE = "initialize"
_CALL, _LIST_TOOLS, _LIST_RESOURCES, _READ_RESOURCE = "tools/call", "tools/list", "resources/list", "resources/read"
METHODS = (_INITIALIZE, _CALL, _LIST_TOOLS, _LIST_RESOURCES, _READ_RESOURCE, *_CONSTANT)
_OF_HANDSHAKES = {_INITIALIZE, "ping"}
"""Methods that the newer revision does not have."""
_TOOLS_SECONDS, _STATIC_SECONDS = 300, 3600
_MORE = "More follows; repeat the call with the argument `cursor`: {}"
"""The text about a list inside an object, whose members the output schema names."""
_ASK_FOR_LESS = "The answer is too large; ask for less, with `limit` or a filter."
_MADE = "The change was made, but the answer is too large to be shown; read the resource with another tool."
_ARGUMENTS = {"Idempotency-Key": f"_meta.{IDEMPOTENCY_KEY}"}
"""What a tool call names differently from its request of the API."""
_LOOPBACK = {"localhost": "127.0.0.1"}


class McpEndpoint:
    """The Lambda handler of the endpoint. `tools` and `catalog` read what it serves, when it is first asked for."""

    def __init__(self, tools: Callable[[], Toolbox], catalog: Callable[[], Catalog]) -> None:
        self._tools = tools
        self._catalog = catalog
        serving.start()

    def __call__(self, event: Mapping[str, Any], context: object) -> dict[str, Any]:
        """Handles an event of API Gateway."""
        request = Request.from_event(event)
        return serving.serve(request, context, Trace(address_charge(request.address)), self._answer)

    def _answer(self, request: Request, trace: Trace) -> Response:
        """Raises 404 for any other path, 405 for a method other than POST, 403 for a page of another origin."""
        if request.path != PATH:
            raise not_found()
        if request.method != "POST":
            raise ApiError(Code.METHOD_NOT_ALLOWED, headers={"Allow": "POST"})
        trace.route = PATH
        _check_page(request)
        try:
            return self._answer_message(request, trace)
        except ProtocolError as error:
            return error.response

    def _answer_message(self, request: Request, trace: Trace) -> Response:
        """Answers a message; says what is wrong with it only to a caller whose credential holds."""
        try:
            message = protocol.parse(request)
            trace.route = f"{PATH} {message.method}" if message.method in METHODS else PATH
            tools = self._offered(request)
            call = self._tool_call(message, request, trace, tools)
        except (ApiError, ProtocolError):
            caller_of(request, trace)
            raise
        if call is not None:
            return call.answer()
        caller = caller_of(request, trace)
        return protocol.accepted() if message.id is None else self._answer_method(message, caller, tools)

    def _offered(self, request: Request) -> Mapping[str, Tool]:
        """Returns the tools of the groups that the address names; all without any. Raises 400 for an unknown group."""
        named = request.joined_parameters().get("groups")
        if named is None:
            return self._tools().by_name
        try:
            return self._tools().of(named.split(","))
        except ValueError as error:
            raise invalid_query({"groups": str(error)}) from None

    def _tool_call(
        self, message: RpcMessage, request: Request, trace: Trace, tools: Mapping[str, Tool]
    ) -> _ToolCall | None:
        """Returns the call of a tool, with arguments that the tool takes; None for any other message."""
        if message.method != _CALL or message.id is None:
            return None
        name, arguments = message.params.get("name"), message.params.get("arguments")
        tool = tools.get(name) if isinstance(name, str) else None
        if tool is None:
            raise ProtocolError(INVALID_PARAMS, "There is no such tool; tools/list names them.", to=message)
        trace.route = f"{PATH} {name}"
        if arguments is not None and not isinstance(arguments, dict):
            raise ProtocolError(INVALID_PARAMS, "`arguments` must be an object.", to=message)
        own = replace(trace) if tool.is_public else trace  # a message counts in its caller's window
        try:
            steps = tool.call(request, arguments or {}, message.meta, own)
        except BadArgumentsError as error:
            raise _bad_arguments(error.fields, message) from None
        return _ToolCall(tool, steps, message, request, trace)

    def _answer_method(self, message: RpcMessage, caller: Principal, tools: Mapping[str, Tool]) -> Response:
        if message.method not in METHODS or (message.modern and message.method in _OF_HANDSHAKES):
            raise ProtocolError(METHOD_NOT_FOUND, "The server does not have this method.", to=message)
        if message.method.endswith("/list") and message.params.get("cursor") not in (None, ""):
            raise ProtocolError(INVALID_PARAMS, "`cursor` is unknown: the list has one page.", to=message)
        own = message.method == _LIST_TOOLS
        kept = protocol.cacheable(message, _TOOLS_SECONDS if own else _STATIC_SECONDS, private=own)
        return protocol.result(message, _as_json(self._members(message, caller, tools)) | kept)

    def _members(self, message: RpcMessage, caller: Principal, tools: Mapping[str, Tool]) -> Mapping[str, Any]:
        """Returns the members of a result; those of the tools are the caller's, all others are everybody's."""
        if message.method == _INITIALIZE:
            asked = message.params.get("protocolVersion")
            return {"protocolVersion": asked if asked in protocol.EARLIER else protocol.LEGACY, **_ABOUT}
        if message.method == _LIST_TOOLS:
            return {"tools": [tool.listing for tool in tools.values() if tool.admits(caller)]}
        if message.method == _LIST_RESOURCES:
            return {"resources": self._catalog().resources()}
        if message.method == _READ_RESOURCE:
            return {"contents": [self._resource(message)]}
        return _CONSTANT[message.method]

    def _resource(self, message: RpcMessage) -> Mapping[str, str]:
        uri = message.params.get("uri")
        resource = self._catalog().read(uri)
        if resource is None:
            code = INVALID_PARAMS if message.modern else RESOURCE_NOT_FOUND
            text = "There is no such resource; resources/list names them."
            raise ProtocolError(code, text, data={"uri": uri}, to=message)
        return resource


@dataclass(frozen=True)
class _ToolCall:
    """A call of a tool. `steps` are those of its route; None if no path can hold an id that the call names."""

    tool: Tool
    steps: RequestPipeline | None
    message: RpcMessage
    request: Request
    trace: Trace

    def answer(self) -> Response:
        """Runs the steps, which check the caller. Without a valid credential their error is that of HTTP."""
        if self.steps is None or self.tool.is_public:
            caller_of(self.request, self.trace)
        try:
            if self.steps is None:
                raise not_found()
            response = self.steps.run()
        except ApiError as error:
            if self.trace.principal == "none":
                raise
            return self._error(error)
        return self._result(response)

    def _result(self, response: Response) -> Response:
        cursor = _cursor_of_rest(response)
        if self.tool.shape == "array":
            text, notes = _items(response.text, cursor), []
        else:
            text, notes = response.text, [_MORE.format(cursor)] if cursor else []
        answer = self._content(text, {"structuredContent": text}, notes=notes)
        if sent_bytes(answer.text) > ANSWER_BYTES:
            return self._content(_ASK_FOR_LESS if self.tool.method == "GET" else _MADE, {"isError": "true"})
        return answer

    def _error(self, error: ApiError) -> Response:
        """Returns the API's error as a result; raises `ProtocolError` if the arguments are at fault, naming each."""
        if error.code in (Code.INVALID_REQUEST_BODY, Code.INVALID_QUERY_PARAMETER):
            fields: Mapping[str, str] = (error.details or {}).get("fields", {})
            raise _bad_arguments({_ARGUMENTS.get(name, name): why for name, why in fields.items()}, self.message)
        text = envelope.error(error, self.request.id).text
        return self._content(text, {"isError": "true"}, error.headers)

    def _content(
        self,
        text: str,
        members: Mapping[str, str],
        headers: Mapping[str, str] | None = None,
        notes: Sequence[str] = (),
    ) -> Response:
        texts = [{"type": "text", "text": part} for part in (text, *notes)]
        content = {"content": json.dumps(texts, ensure_ascii=False)}
        return protocol.result(self.message, content | dict(members), headers)


def _as_json(members: Mapping[str, Any]) -> dict[str, str]:
    return {name: json.dumps(value, ensure_ascii=False, separators=(",", ":")) for name, value in members.items()}


def _cursor_of_rest(response: Response) -> str:
    """Returns the cursor in the address of the rest of a list; an empty text if the response is complete."""
    following = response.headers.get("link", "").partition(">")[0].partition("?")[2]
    return parse_qs(following)["cursor"][0] if following else ""


def _items(array: str, cursor: str) -> str:
    """Returns a bare array as the `items` of an object, with the cursor of the rest if there is more."""
    return f'{{"items":{array},"nextCursor":{json.dumps(cursor)}}}' if cursor else f'{{"items":{array}}}'


def _bad_arguments(fields: Mapping[str, str], message: RpcMessage) -> ProtocolError:
    named = "; ".join(f"{name} {why}" for name, why in fields.items())
    return ProtocolError(INVALID_PARAMS, f"Bad arguments: {named}.", data={"fields": dict(fields)}, to=message)


def _check_page(request: Request) -> None:
    """Raises 403 for a request from a page of another origin than the service's own."""
    origin = request.headers.get("origin")
    if origin is not None and _host(origin) != _host(settings().root_url):
        raise forbidden("Pages of other origins may not call this.")


def _host(url: str) -> tuple[str, str, int | None] | None:
    """Returns scheme, host and port of an origin, with one name for this machine; None for what is not an origin."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        return parts.scheme, _LOOPBACK.get(host, host), parts.port
    except ValueError:
        return None
