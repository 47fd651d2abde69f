"""The grammar of the catalog's formulas: names, numbers, `+ - * / **`, parentheses, `min` and `max` (ADR catalog).

Nothing is executed as code. `domain/reports/intervals.py` evaluates what this module parses, for the build of the
catalog and for the checks of dashboards.

    sum     = product (("+" | "-") product)*
    product = power (("*" | "/") power)*
    power   = atom ["**" power]
    atom    = number | name | "(" sum ")" | ("min" | "max") "(" sum ("," sum)* ")"

The catalog's page has the same grammar in `browse/expression.js`; a test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_LENGTH = 300
MAX_DEPTH = 16

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([a-z][a-z0-9_]*)|(\*\*|[-+*/(),]))")
_FUNCTIONS = ("min", "max")


class ExpressionError(ValueError):
    """An expression outside the grammar or its bounds, or one that has no value."""


@dataclass(frozen=True)
class Number:
    """A literal; its text matters to the units (`100`, `12`, `365`)."""

    text: str


@dataclass(frozen=True)
class Name:
    """One of the formula's inputs."""

    name: str


@dataclass(frozen=True)
class Binary:
    """`left operator right`."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Call:
    """`min(...)` or `max(...)`."""

    function: str
    arguments: tuple[Node, ...]


Node = Number | Name | Binary | Call


def _tokens(text: str) -> list[str]:
    """Splits the expression into tokens and appends an empty one as the end."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH} characters")
    tokens, position, stop = [], 0, len(text.rstrip())
    while position < stop:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(f"unexpected character at position {position + 1}")
        tokens.append(match.group().strip())
        position = match.end()
    return [*tokens, ""]


class _Parser:
    """A parser for one expression, by recursive descent of bounded depth."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0

    def parse(self) -> Node:
        node = self._sum()
        if self._next:
            raise ExpressionError(f"unexpected '{self._next}'")
        return node

    @property
    def _next(self) -> str:
        return self._tokens[self._at]

    def _take(self) -> str:
        token = self._next
        self._at += 1
        return token

    def _expect(self, token: str) -> None:
        if self._next != token:
            raise ExpressionError(f"expected '{token}' before '{self._next or 'the end'}'")
        self._at += 1

    def _sum(self) -> Node:
        node = self._product()
        while self._next in ("+", "-"):
            node = Binary(self._take(), node, self._product())
        return node

    def _product(self) -> Node:
        node = self._power()
        while self._next in ("*", "/"):
            node = Binary(self._take(), node, self._power())
        return node

    def _power(self) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ExpressionError(f"nested deeper than {MAX_DEPTH} levels")
        node = self._atom()
        if self._next == "**":
            node = Binary(self._take(), node, self._power())
        self._depth -= 1
        return node

    def _atom(self) -> Node:
        if self._next == "(":
            return self._parenthesis()
        token = self._next
        if not token or not token[0].isalnum():
            raise ExpressionError(f"expected a value before '{token or 'the end'}'")
        self._at += 1
        if token in _FUNCTIONS:
            return Call(token, self._arguments())
        return Number(token) if token[0].isdigit() else Name(token)

    def _parenthesis(self) -> Node:
        self._expect("(")
        node = self._sum()
        self._expect(")")
        return node

    def _arguments(self) -> tuple[Node, ...]:
        self._expect("(")
        arguments = [self._sum()]
        while self._next == ",":
            self._at += 1
            arguments.append(self._sum())
        self._expect(")")
        return tuple(arguments)


def parse(text: str) -> Node:
    """Returns the expression as a tree; raises `ExpressionError` on anything outside the grammar."""
    return _Parser(text).parse()


def names(node: Node) -> Iterator[str]:
    """Yields every input that the expression uses, as often as it does."""
    match node:
        case Name(name):
            yield name
        case Binary(_, left, right):
            yield from names(left)
            yield from names(right)
        case Call(_, arguments):
            for argument in arguments:
                yield from names(argument)
