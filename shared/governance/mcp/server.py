"""The MCP server: one POST is one exchange, answered as JSON; nothing is kept between two (ADR 0105).

A call of a tool runs the steps of the tool's route, so that it is judged, limited, audited and repeated as any request
of the API. Every other method goes through the same steps with a route of its own, which any valid credential may call.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

from governance.domain.access import Principal
from governance.errors import ApiError, Code, not_found
from governance.http import envelope, validation
from governance.http.api import Api, checked_path
from governance.http.envelope import Response
from governance.http.pipeline import RequestPipeline
from governance.http.rate_limit import RateCharge
from governance.http.request import Request
from governance.http.route import Access, Route
from governance.limits import ANSWER_BYTES
from governance.mcp import protocol
from governance.mcp.catalog import MEDIA_TYPE, TEMPLATE, Catalog
from governance.mcp.origins import check_origin
from governance.mcp.protocol import INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND, Message, ProtocolError
from governance.mcp.tools import IDEMPOTENCY_KEY, BadArgumentsError, Tool
from governance.models.base import Resource
from governance.sizes import sent_bytes
from governance.usecases.context import Context

PATH = "/mcp"
_TOOLS_SECONDS, _STATIC_SECONDS = 300, 3600
_CAPABILITIES: Mapping[str, Any] = {"tools": {}, "resources": {}}
_INSTRUCTIONS = (
    "Tools are the operations of a board governance service. Start with get_whoami and list_boards; a board token "
    "works on the board that get_whoami names. An argument such as meetingId is the `id` from the matching list tool. "
    "Lists continue with `cursor` from `meta.nextCursor`. Instants are RFC 3339 with an offset. An error of the "
    "service is a result with isError and says what to change. To repeat a create safely, send `_meta.idempotencyKey`. "
    "evaluate_access says whether a call would be permitted. Resources kpi://{rogueId} define figures of dashboards."
)


def _served(context: Context) -> Resource:
    """Stands for a use case: `McpExchange` answers before one would be called."""
    raise TypeError(f"a message of {context.user_id} was not answered")


_ROUTE = Route(method="POST", path=PATH, usecase=_served, scope=Access.AUTHENTICATED, response_model=Resource)


class McpApi(Api):
    """The MCP endpoint of the service. `tools` and `catalog` read what it serves, when it is first asked for."""

    def __init__(self, tools: Callable[[], Mapping[str, Tool]], catalog: Callable[[], Catalog]) -> None:
        super().__init__()
        self._tools = tools
        self._catalog = catalog

    def exchange(self, request: Request) -> McpExchange:
        """Returns the steps of a message; raises 404 for any other path, 405 for a method other than POST."""
        if checked_path(request.path) != PATH:
            raise not_found()
        if request.method != "POST":
            raise ApiError(Code.METHOD_NOT_ALLOWED, headers={"Allow": "POST"})
        return McpExchange(request, self._tools, self._catalog)


class McpExchange:
    """Answers one message, by the steps of the endpoint's own route or of the route of the tool that is called."""

    def __init__(
        self, request: Request, tools: Callable[[], Mapping[str, Tool]], catalog: Callable[[], Catalog]
    ) -> None:
        self._request = request
        self._steps = RequestPipeline(_ROUTE, request, {}, self._serve)
        self._tools = tools
        self._catalog = catalog
        self._message: Message | None = None
        self._tool: Tool | None = None

    @property
    def charge(self) -> RateCharge | None:
        """The charge against the rate window that the message counted in."""
        return self._steps.charge

    @property
    def principal_kind(self) -> str:
        """The kind of the caller's credential."""
        return self._steps.principal_kind

    @property
    def logged_as(self) -> str:
        """The tool or the method that is called, if it is known; never what it is called with."""
        if self._tool is not None:
            return f"{PATH} {self._tool.listing['name']}"
        known = self._message is not None and self._message.method in _METHODS
        return f"{PATH} {self._message.method}" if known and self._message else PATH

    def run(self) -> Response:
        """Answers the message; a call of a tool as the tool's route does."""
        check_origin(self._request)
        call = self._call()
        if call is None:
            return self._steps.run()
        self._steps = call
        return self._run_call(call)

    def _call(self) -> RequestPipeline | None:
        """Returns the steps of a valid call of a tool that needs the caller's credential; None for anything else."""
        try:
            message = self._parsed_message()
            if message.method != "tools/call" or message.id is None:
                return None
            tool = self._named_tool(message)
            return None if tool.is_public else self._prepared(tool, message)
        except (ApiError, ProtocolError):
            return None  # raised again once the credential has held

    def _parsed_message(self) -> Message:
        if self._message is None:
            validation.check_size(self._request)
            validation.check_json(self._request)
            self._message = protocol.parse(self._request)
        return self._message

    def _named_tool(self, message: Message) -> Tool:
        name = message.params.get("name")
        tool = self._tools().get(name) if isinstance(name, str) else None
        if tool is None:
            raise ProtocolError(INVALID_PARAMS, "There is no such tool; tools/list names them.", to=message)
        self._tool = tool
        return tool

    def _prepared(self, tool: Tool, message: Message) -> RequestPipeline:
        arguments = message.params.get("arguments")
        if arguments is not None and not isinstance(arguments, dict):
            raise ProtocolError(INVALID_PARAMS, "`arguments` must be an object.", to=message)
        try:
            return tool.call(self._request, arguments or {}, message.meta)
        except BadArgumentsError as error:
            raise _bad_arguments(error.fields, message) from None

    def _run_call(self, call: RequestPipeline) -> Response:
        """Runs the steps of a tool's route. Without a valid credential its error is that of HTTP, as on the API."""
        try:
            response = call.run()
        except ApiError as error:
            if call.principal_kind == "none" and call.route.scope is not Access.PUBLIC:
                raise
            return self._error(error)
        return self._result(response, call.route)

    def _serve(self, context: Context) -> Response:
        """Answers a message whose credential has held."""
        try:
            message = self._parsed_message()
            if message.id is None:
                return protocol.accepted()
            serve = _METHODS.get(message.method)
            if serve is None or (message.modern and message.method in _OF_HANDSHAKES):
                raise ProtocolError(METHOD_NOT_FOUND, "The server does not have this method.", to=message)
            return serve(self, message, context.principal)
        except ProtocolError as error:
            return error.response

    # -- methods

    def _initialize(self, message: Message, _: Principal) -> Response:
        members = {"protocolVersion": protocol.LEGACY, "capabilities": _CAPABILITIES}
        about = {"serverInfo": protocol.SERVER_INFO, "instructions": _INSTRUCTIONS}
        return protocol.result(message, _as_json(members | about))

    def _ping(self, message: Message, _: Principal) -> Response:
        return protocol.result(message, {})

    def _discover(self, message: Message, _: Principal) -> Response:
        members = {"supportedVersions": protocol.SUPPORTED, "capabilities": _CAPABILITIES}
        about = {"serverInfo": protocol.SERVER_INFO, "instructions": _INSTRUCTIONS}
        kept = protocol.cacheable(message, _STATIC_SECONDS, private=False)
        return protocol.result(message, _as_json(members | about) | kept)

    def _list_tools(self, message: Message, principal: Principal) -> Response:
        _refuse_cursor(message)
        listed = [tool.listing for tool in self._tools().values() if tool.admits(principal)]
        kept = protocol.cacheable(message, _TOOLS_SECONDS, private=True)
        return protocol.result(message, _as_json({"tools": listed}) | kept)

    def _call_tool(self, message: Message, _: Principal) -> Response:
        """Answers a call that no route's steps have answered: of a public route, or with what no tool takes."""
        tool = self._named_tool(message)
        try:
            return self._run_call(self._prepared(tool, message))
        except ApiError as error:
            return self._error(error)

    def _list_resources(self, message: Message, _: Principal) -> Response:
        _refuse_cursor(message)
        kept = protocol.cacheable(message, _STATIC_SECONDS, private=False)
        return protocol.result(message, _as_json({"resources": self._catalog().resources()}) | kept)

    def _list_templates(self, message: Message, _: Principal) -> Response:
        _refuse_cursor(message)
        kept = protocol.cacheable(message, _STATIC_SECONDS, private=False)
        return protocol.result(message, _as_json({"resourceTemplates": [TEMPLATE]}) | kept)

    def _read_resource(self, message: Message, _: Principal) -> Response:
        uri = message.params.get("uri")
        text = self._catalog().read(uri) if isinstance(uri, str) else None
        if text is None:
            code = INVALID_PARAMS if message.modern else RESOURCE_NOT_FOUND
            text = "There is no such resource; resources/list names them."
            raise ProtocolError(code, text, data={"uri": uri}, to=message)
        kept = protocol.cacheable(message, _STATIC_SECONDS, private=False)
        contents = [{"uri": uri, "mimeType": MEDIA_TYPE, "text": text}]
        return protocol.result(message, _as_json({"contents": contents}) | kept)

    # -- results of tools

    def _result(self, response: Response, route: Route) -> Response:
        cursor = _cursor_of_rest(response)
        if route.shape == "array":
            text, notes = _items(response.text, cursor), []
        else:
            text, notes = response.text, [_MORE.format(cursor)] if cursor else []
        answer = self._content(text, {"structuredContent": text}, notes=notes)
        if sent_bytes(answer.text) > ANSWER_BYTES:
            return self._content(_ASK_FOR_LESS if route.method == "GET" else _MADE, {"isError": "true"})
        return answer

    def _error(self, error: ApiError) -> Response:
        """Returns the API's error as a result; raises `ProtocolError` if the arguments are at fault, naming each."""
        message = self._parsed_message()
        if error.code in (Code.INVALID_REQUEST_BODY, Code.INVALID_QUERY_PARAMETER):
            fields: Mapping[str, str] = (error.details or {}).get("fields", {})
            return _bad_arguments({_ARGUMENTS.get(name, name): why for name, why in fields.items()}, message).response
        text = envelope.error(error, self._request.id).text
        return self._content(text, {"isError": "true"}, error.headers)

    def _content(
        self,
        text: str,
        members: Mapping[str, str],
        headers: Mapping[str, str] | None = None,
        notes: Sequence[str] = (),
    ) -> Response:
        texts = [{"type": "text", "text": each} for each in (text, *notes)]
        content = {"content": json.dumps(texts, ensure_ascii=False)}
        return protocol.result(self._parsed_message(), content | dict(members), headers)


_METHODS: Mapping[str, Callable[[McpExchange, Message, Principal], Response]] = {
    "initialize": McpExchange._initialize,
    "ping": McpExchange._ping,
    "server/discover": McpExchange._discover,
    "tools/list": McpExchange._list_tools,
    "tools/call": McpExchange._call_tool,
    "resources/list": McpExchange._list_resources,
    "resources/templates/list": McpExchange._list_templates,
    "resources/read": McpExchange._read_resource,
}
_MORE = "More follows; repeat the call with the argument `cursor`: {}"
"""What is said of a list inside an object, whose members the output schema names."""
_ASK_FOR_LESS = "The answer is too large; ask for less, with `limit` or a filter."
_MADE = "The change was made, but the answer is too large to be shown; read the resource with another tool."
_ARGUMENTS = {"Idempotency-Key": f"_meta.{IDEMPOTENCY_KEY}"}
"""What a call names otherwise than the request of the API that it is."""
_OF_HANDSHAKES = {"initialize", "ping"}
"""Methods that the newer revision does not have."""


def _as_json(members: Mapping[str, Any]) -> dict[str, str]:
    return {name: json.dumps(value, ensure_ascii=False, separators=(",", ":")) for name, value in members.items()}


def _cursor_of_rest(response: Response) -> str:
    """Returns the cursor in the address of the rest of a list; an empty text if the response is complete."""
    following = response.headers.get("link", "").partition(">")[0].partition("?")[2]
    return parse_qs(following)["cursor"][0] if following else ""


def _items(array: str, cursor: str) -> str:
    """Returns a bare array as the `items` of an object, with the cursor of the rest if there is more."""
    return f'{{"items":{array},"nextCursor":{json.dumps(cursor)}}}' if cursor else f'{{"items":{array}}}'


def _bad_arguments(fields: Mapping[str, str], message: Message) -> ProtocolError:
    named = "; ".join(f"{name} {why}" for name, why in fields.items())
    return ProtocolError(INVALID_PARAMS, f"Bad arguments: {named}.", data={"fields": dict(fields)}, to=message)


def _refuse_cursor(message: Message) -> None:
    """Raises an error for a cursor: every list is one page."""
    if message.params.get("cursor") is not None:
        raise ProtocolError(INVALID_PARAMS, "`cursor` is unknown: the list has one page.", to=message)
