"""What may stand in a module instead of one of its nodes: boundaries, conditions, calls, members and flags change.

Docstrings, annotations and sentences do not: no rule depends on their words.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from typing import Any, NamedTuple

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
}
_RENAMED = {"min": "max", "max": "min", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil", "sorted": "list"}
_CLEANING = {"strip", "rstrip", "lower", "upper", "casefold", "removeprefix", "removesuffix"}
_SENTENCE = 3
"""A text with this many blanks is a sentence."""


class Slot(NamedTuple):
    """A place of a tree that holds a node: in which function, statement and statement of the module."""

    owner: ast.AST
    field: str
    position: int | None
    node: ast.AST
    function: str
    statement: ast.stmt
    top: ast.stmt


def replacements(slot: Slot) -> Iterator[ast.AST | None]:
    """Yields what may stand in a slot instead of its node; None to remove it."""
    node: Any = slot.node
    change = _CHANGES.get(type(node))
    if change is not None and not _is_subsumed(slot):
        yield from change(node)
    if isinstance(slot.owner, ast.If | ast.IfExp | ast.While) and slot.field == "test":
        yield ast.Constant(False)
        if not isinstance(slot.owner, ast.While):
            yield ast.Constant(True)
    if isinstance(slot.owner, ast.comprehension) and slot.field == "ifs":
        yield None
    if isinstance(node, ast.keyword) or slot.field == "decorator_list":
        yield None
    if isinstance(slot.owner, ast.Slice):
        yield None


def _is_subsumed(slot: Slot) -> bool:
    """Returns whether another mutant is killed by no test that does not kill this one too."""
    if isinstance(slot.node, ast.Constant) and isinstance(slot.node.value, str | bytes):
        return isinstance(slot.owner, ast.Compare | ast.Tuple | ast.List | ast.Set) or slot.field == "keys"
    if slot.field != "test" or not isinstance(slot.node, ast.Compare):
        return False
    return not isinstance(slot.node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for at, operator in enumerate(node.ops):
        swapped: Any = _SWAPPED[type(operator)]()
        yield copy_with(node, ops=[*node.ops[:at], swapped, *node.ops[at + 1 :]])


def _operation(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in _SWAPPED:
        yield copy_with(node, op=_SWAPPED[type(node.op)]())


def _logic(node: ast.BoolOp) -> Iterator[ast.AST]:
    for at in range(len(node.values)):
        rest = [*node.values[:at], *node.values[at + 1 :]]
        yield rest[0] if len(rest) == 1 else copy_with(node, values=rest)


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    value: Any = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
        if value > 1:
            yield ast.Constant(value - 1)
    elif isinstance(value, str) and value.count(" ") < _SENTENCE:
        yield ast.Constant(value + "~")
    elif isinstance(value, bytes):
        yield ast.Constant(value + b"~")


def _call(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name | ast.Attribute):
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        if name in _RENAMED:
            key = "id" if isinstance(node.func, ast.Name) else "attr"
            keywords = [] if name == "sorted" else node.keywords
            yield copy_with(node, func=copy_with(node.func, **{key: _RENAMED[name]}), keywords=keywords)
    if isinstance(node.func, ast.Attribute) and node.func.attr in _CLEANING:
        yield node.func.value


def _dictionary(node: ast.Dict) -> Iterator[ast.AST]:
    for at in range(len(node.keys)):
        keys, values = [*node.keys], [*node.values]
        del keys[at], values[at]
        yield copy_with(node, keys=keys, values=values)


def _elements(node: ast.Tuple | ast.List | ast.Set) -> Iterator[ast.AST]:
    if isinstance(getattr(node, "ctx", None), ast.Store):
        return
    for at in range(len(node.elts)):
        rest = [*node.elts[:at], *node.elts[at + 1 :]]
        yield (
            copy_with(node, elts=rest)
            if rest or not isinstance(node, ast.Set)
            else ast.parse("set()", mode="eval").body
        )


def _negation(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Not | ast.USub):
        yield node.operand


def _effect(node: ast.Expr | ast.AugAssign | ast.Break | ast.Continue) -> Iterator[ast.AST]:
    if not isinstance(node, ast.Expr) or isinstance(node.value, ast.Call):
        yield ast.Pass()


def _assignment(node: ast.Assign) -> Iterator[ast.AST]:
    if any(isinstance(target, ast.Subscript | ast.Attribute) for target in node.targets):
        yield ast.Pass()


_CHANGES: dict[type[ast.AST], Any] = {
    ast.Compare: _compare,
    ast.BinOp: _operation,
    ast.BoolOp: _logic,
    ast.Constant: _constant,
    ast.Call: _call,
    ast.Dict: _dictionary,
    ast.Tuple: _elements,
    ast.List: _elements,
    ast.Set: _elements,
    ast.UnaryOp: _negation,
    ast.Expr: _effect,
    ast.AugAssign: _effect,
    ast.Break: _effect,
    ast.Continue: _effect,
    ast.Assign: _assignment,
}


def copy_with(node: ast.AST, **changes: Any) -> Any:
    """Returns a node with other fields; what it holds is shared."""
    changed = copy(node)
    for field, value in changes.items():
        setattr(changed, field, value)
    return changed
