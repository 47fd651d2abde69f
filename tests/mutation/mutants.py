"""Mutants: single changes of a module, each of which breaks the code in a way that a test should notice.

Boundaries, numbers, texts, conditions, calls for their effect, arguments, members and flags are changed. Docstrings,
annotations and sentences are not: no rule depends on their words.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple, TypeVar

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
_SKIPPED_FIELDS = {"annotation", "returns", "ctx"}
_SKIPPED_NODES = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Assert)
_DECLARING = {"TypeVar", "ParamSpec", "NewType", "Literal", "getLogger", "cast", "overload", "Protocol"}
T = TypeVar("T")
_SENTENCE = 3
"""A text with this many blanks is a sentence."""


class Mutant(NamedTuple):
    """One change of a module: the slot `owner.field[position]` of its tree gets the node `new`, or is removed."""

    name: str
    """Says what changes in which function, without line numbers. Unique."""
    file: Path
    function: str
    """The outermost function that contains the change; empty for what runs at import."""
    tree: ast.Module
    owner: ast.AST
    field: str
    position: int | None
    new: ast.AST | None
    statement: ast.stmt
    """The one that changes."""

    def functions(self) -> list[str]:
        """Returns the functions that behave otherwise: the changed one, or those that use what the change assigns."""
        if self.function:
            return [self.function]
        names = _targets(_affected(self.tree, self.statement))
        return [name for name, node in _functions(self.tree) if names & {each.id for each in _names(node)}]

    def compile(self) -> CodeType:
        """Returns the code of the changed module; every function keeps its line number."""
        return _with(self, lambda: compile(ast.fix_missing_locations(self.tree), str(self.file), "exec"))

    def compile_assignments(self) -> CodeType:
        """Returns the code of the changed assignment of a module and of the later ones that use its names."""
        return _with(self, lambda: compile(_affected(self.tree, self.statement), str(self.file), "exec"))


def mutants(file: Path, root: Path) -> list[Mutant]:
    """Returns every mutant of a module in the order of its source."""
    tree = ast.parse(file.read_text())
    seen: Counter[str] = Counter()
    found = []
    for slot in _slots(tree):
        if not slot.function and not isinstance(slot.top, ast.Assign | ast.AnnAssign):
            continue  # it runs at import, which is not repeated
        if not slot.function and _declares_type(slot.top):
            continue
        for new in _replacements(slot):
            mutant = Mutant("", file, slot.function, tree, slot.owner, slot.field, slot.position, new, slot.statement)
            name = f"{file.relative_to(root)}:{slot.function or '-'}: {_difference(mutant)}"
            seen[name] += 1
            found.append(mutant._replace(name=name if seen[name] == 1 else f"{name} #{seen[name]}"))
    return found


class _Slot(NamedTuple):
    owner: ast.AST
    field: str
    position: int | None
    node: ast.AST
    function: str
    statement: ast.stmt
    top: ast.stmt


def _slots(owner: ast.AST, scope: str = "", function: str = "", around: Sequence[ast.stmt] = ()) -> Iterator[_Slot]:
    """Yields the places of a tree that hold a node, parents first. `around` are the statements, outermost first."""
    for field, value in ast.iter_fields(owner):
        if field in _SKIPPED_FIELDS:
            continue
        is_body = isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef) and field == "body"
        inner = function or (scope if is_body else "")
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or _is_skipped(node):
                continue
            within = [*around, node] if isinstance(node, ast.stmt) else around
            if within:
                yield _Slot(owner, field, index, node, inner, within[-1], within[0])
            named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not inner
            below = f"{scope}.{node.name}".lstrip(".") if named else scope  # type: ignore[attr-defined]
            yield from _slots(node, below, inner, within)


def _affected(tree: ast.Module, changed: ast.stmt) -> ast.Module:
    """Returns the statement and the later assignments of the module that use what it sets, directly or not."""
    found, names = [changed], _targets(changed)
    for statement in tree.body[tree.body.index(changed) + 1 :]:
        used = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        if isinstance(statement, ast.Assign | ast.AnnAssign) and used & names:
            found.append(statement)
            names |= _targets(statement)
    return ast.fix_missing_locations(ast.Module(body=found, type_ignores=[]))


def _declares_type(statement: ast.stmt) -> bool:
    """Returns whether an assignment gives a type a name: those are written in capitals and small letters."""
    return any(name.lstrip("_")[:1].isupper() and not name.isupper() for name in _targets(statement))


def _targets(assignments: ast.stmt | ast.Module) -> set[str]:
    return {name.id for name in _names(assignments) if isinstance(name.ctx, ast.Store)}


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (each for each in ast.walk(node) if isinstance(each, ast.Name))


def _functions(owner: ast.AST, scope: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yields the functions of a module and of its classes, without inner ones."""
    for node in ast.iter_child_nodes(owner):
        if isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{scope}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield scope + node.name, node


def _is_skipped(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True  # a docstring
    if isinstance(node, ast.Call | ast.Subscript):
        called = node.func if isinstance(node, ast.Call) else node.value
        return getattr(called, "id", getattr(called, "attr", "")) in _DECLARING
    return isinstance(node, _SKIPPED_NODES) or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))


def _replacements(slot: _Slot) -> Iterator[ast.AST | None]:
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


def _is_subsumed(slot: _Slot) -> bool:
    """Returns whether another mutant is killed by no test that does not kill this one too."""
    if isinstance(slot.node, ast.Constant) and isinstance(slot.node.value, str | bytes):
        return isinstance(slot.owner, ast.Compare | ast.Tuple | ast.List | ast.Set) or slot.field == "keys"
    if slot.field != "test" or not isinstance(slot.node, ast.Compare):
        return False
    return not isinstance(slot.node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for at, operator in enumerate(node.ops):
        swapped: Any = _SWAPPED[type(operator)]()
        yield _copy(node, ops=[*node.ops[:at], swapped, *node.ops[at + 1 :]])


def _operation(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in _SWAPPED:
        yield _copy(node, op=_SWAPPED[type(node.op)]())


def _logic(node: ast.BoolOp) -> Iterator[ast.AST]:
    for at in range(len(node.values)):
        rest = [*node.values[:at], *node.values[at + 1 :]]
        yield rest[0] if len(rest) == 1 else _copy(node, values=rest)


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
            yield _copy(node, func=_copy(node.func, **{key: _RENAMED[name]}), keywords=keywords)
    if isinstance(node.func, ast.Attribute) and node.func.attr in _CLEANING:
        yield node.func.value


def _dictionary(node: ast.Dict) -> Iterator[ast.AST]:
    for at in range(len(node.keys)):
        keys, values = [*node.keys], [*node.values]
        del keys[at], values[at]
        yield _copy(node, keys=keys, values=values)


def _elements(node: ast.Tuple | ast.List | ast.Set) -> Iterator[ast.AST]:
    if isinstance(getattr(node, "ctx", None), ast.Store):
        return
    for at in range(len(node.elts)):
        rest = [*node.elts[:at], *node.elts[at + 1 :]]
        yield _copy(node, elts=rest) if rest or not isinstance(node, ast.Set) else ast.parse("set()", mode="eval").body


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


def _copy(node: ast.AST, **changes: Any) -> Any:
    changed = copy(node)
    for field, value in changes.items():
        setattr(changed, field, value)
    return changed


def _with(mutant: Mutant, action: Callable[[], T]) -> T:
    """Runs an action while the change is made in the tree, then undoes it."""
    before: Any = getattr(mutant.owner, mutant.field)
    after: Any
    if mutant.position is None:
        after = mutant.new
    else:
        after = [
            *before[: mutant.position],
            *([] if mutant.new is None else [mutant.new]),
            *before[mutant.position + 1 :],
        ]
    setattr(mutant.owner, mutant.field, after)
    try:
        return action()
    finally:
        setattr(mutant.owner, mutant.field, before)


_CONTEXT = 30


def _difference(mutant: Mutant) -> str:
    """Returns the part of a statement that changes, with a little before and after it, and what it becomes."""
    statement = mutant.statement
    whole = _headline(statement)
    before, after = whole, _with(mutant, lambda: _headline(statement))
    if isinstance(mutant.new, ast.Pass):
        return f"{before[: 3 * _CONTEXT]} -> pass"
    start = next((at for at, (a, b) in enumerate(zip(before, after)) if a != b), min(len(before), len(after)))  # noqa: B905
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    low, high = max(0, start - _CONTEXT), min(len(before), len(before) - end + _CONTEXT)
    return f"{before[low:high]} -> {after[low : high + len(after) - len(before)]}"


def _headline(statement: ast.stmt) -> str:
    """Returns a statement in one line, without the body of a compound one."""
    if isinstance(
        statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.If | ast.For | ast.While | ast.With
    ):
        statement = _copy(statement, body=[ast.Pass()], orelse=[])
    return " ".join(ast.unparse(statement).split())
