"""The methods of the Python client, written as a module: one class for each tag, once to call and once to await.

No kept generator gives these calls (ADR clients): path parameters by position, the rest by keyword.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic.alias_generators import to_pascal

from infra.sdk.contract import Operation, snake

_HEAD = '''"""The operations of the Board Governance Service, generated from its OpenAPI document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from .called_client import BaseClient, Group
from .called_uploads import Uploads
from .client import AsyncBaseClient, AsyncGroup
from .requests import Operation
from .uploads import AsyncUploads

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from . import types as t
    from .values import Page

__version__ = {version!r}

'''
_UPLOADS = "documents"
"""The tag whose group has the upload of files too."""


def text(operations: Sequence[Operation], version: str) -> str:
    """Returns the text of the module."""
    tags = sorted({operation.tag for operation in operations})
    parts = [_HEAD.format(version=version), *(_row(operation) for operation in operations)]
    for mode in (_CALLED, _AWAITED):
        for tag in tags:
            parts += mode.group(tag, [operation for operation in operations if operation.tag == tag])
        parts.append(mode.client(tags))
    return "".join(parts)


def _row(operation: Operation) -> str:
    arguments = {argument.keyword: (argument.place, argument.name) for argument in operation.arguments}
    path = operation.path
    for name in operation.parameters:
        path = path.replace(f"{{{name}}}", "{!}" if name in operation.secrets else "{}")
    told = (operation.method, path, arguments, operation.needs_body, operation.takes_key, operation.member)
    return f"_{operation.name.upper()} = Operation{told!r}\n"


class _Mode:
    """How the classes of one client are written: `prefix` of their names, what stands before `def` and a call."""

    def __init__(self, prefix: str, define: str, wait: str) -> None:
        self._prefix = prefix
        self._define = define
        self._wait = wait

    def group(self, tag: str, operations: Iterable[Operation]) -> Iterator[str]:
        """Yields the class of a tag, after those of its lists."""
        members = []
        for operation in operations:
            if operation.is_list:
                yield self._listing(operation)
            members.append(self._property(operation) if operation.is_list else self._method(operation))
        base = f"{self._prefix}{'Uploads' if tag == _UPLOADS else 'Group'}"
        yield f'\n\nclass {self._prefix}{to_pascal(tag)}({base}):\n    """The operations of `{tag}`."""\n'
        yield from members

    def client(self, tags: Iterable[str]) -> str:
        """Returns the class of the client, with a property for each tag."""
        groups = (
            f"\n    @property\n    def {tag}(self) -> {self._prefix}{to_pascal(tag)}:\n"
            f'        """The operations of `{tag}`."""\n        return {self._prefix}{to_pascal(tag)}(self)\n'
            for tag in tags
        )
        return (
            f'\n\nclass {self._prefix}Client({self._prefix}BaseClient):\n    """A client of the service."""\n'
            + "".join(groups)
        )

    def _method(self, operation: Operation) -> str:
        call = f"{self._wait}self._client.call({_given(operation)})"
        lines = f'        """{_told(operation)}"""\n        value: {_type(operation)} = {call}\n        return value\n'
        head = f"{self._define}def {operation.name}({_signature(operation)}) -> {_type(operation)}:"
        return f"\n    {head}\n{lines}"

    def _listing(self, operation: Operation) -> str:
        signature, item, given = _signature(operation), _type(operation), _given(operation)
        return (
            f"\n\nclass {self._prefix}{operation.type_name}({self._prefix}Group):\n"
            f'    """{_told(operation)}"""\n'
            f"\n    def __call__({signature}) -> {self._prefix}Iterator[{item}]:\n"
            f'        """Iterates over all items, and fetches page after page."""\n'
            f"        return self._client.items({given})\n"
            f"\n    {self._define}def page({signature}) -> Page[{item}]:\n"
            f'        """Fetches one page."""\n'
            f"        return {self._wait}self._client.page({given})\n"
        )

    def _property(self, operation: Operation) -> str:
        name = f"{self._prefix}{operation.type_name}"
        return (
            f"\n    @property\n    def {operation.name}(self) -> {name}:\n"
            f'        """{_told(operation)}"""\n        return {name}(self._client)\n'
        )


_CALLED = _Mode("", "", "")
_AWAITED = _Mode("Async", "async ", "await ")


def _type(operation: Operation) -> str:
    return f"t.{operation.value['$ref'].rsplit('/', 1)[-1]}"


def _positional(operation: Operation) -> list[str]:
    return [snake(name) for name in operation.parameters]


def _signature(operation: Operation) -> str:
    parameters = ["self", *(f"{name}: str" for name in _positional(operation))]
    if operation.parameters:
        parameters.append("/")
    if operation.arguments:
        parameters.append(f"**arguments: Unpack[t.{operation.type_name}Arguments]")
    return ", ".join(parameters)


def _given(operation: Operation) -> str:
    path = "".join(f"{name}, " for name in _positional(operation))
    return f"_{operation.name.upper()}, ({path}), {'arguments' if operation.arguments else '{}'}"


def _told(operation: Operation) -> str:
    told = f"{operation.summary}.\n\n{operation.description}\n".replace("\\", "\\\\").replace('"""', "'''")
    return told.replace("\n", "\n        ")
