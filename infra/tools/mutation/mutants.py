"""Mutants: single changes of a module, each of which breaks the code in a way that a test should notice.

`changes.py` says what may become of a node; this module finds the places of a module, and compiles a changed one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple, TypeVar

from infra.tools.mutation.changes import Slot, copy_with, replacements

_SKIPPED_FIELDS = {"annotation", "returns", "ctx"}
_SKIPPED_NODES = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Assert)
_DECLARING = {"TypeVar", "ParamSpec", "NewType", "Literal", "getLogger", "cast", "overload", "Protocol"}
_CONTEXT = 30
T = TypeVar("T")


class Mutant(NamedTuple):
    """One change of a module: the slot of its tree gets the node `new`, or is removed."""

    tree: ast.Module
    slot: Slot
    new: ast.AST | None

    def lines(self) -> range:
        """Returns the lines of the statement that changes; of a compound one, those before its body."""
        statement: Any = self.slot.statement
        first = min([statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", ()))])
        body = getattr(statement, "body", None)
        return range(first, max(first + 1, body[0].lineno if body else statement.end_lineno + 1))

    def functions(self) -> list[str]:
        """Returns the functions that behave otherwise: the changed one, or those that use what the change assigns."""
        if self.slot.function:
            return [self.slot.function]
        names = _targets(_affected(self.tree, self.slot.statement))
        return [name for name, node in _functions(self.tree) if names & {used.id for used in _names(node)}]

    def text(self) -> str:
        """Says what changes: a part of the statement, with a little before and after it, and what it becomes."""
        before, after = _headline(self.slot.statement), self._changed(lambda: _headline(self.slot.statement))
        start = _shared(before, after)
        end = _shared(before[start:][::-1], after[start:][::-1])
        low, high = max(0, start - _CONTEXT), len(before) - end + _CONTEXT
        where = f"{self.lines().start} {self.slot.function}".strip()
        return f"{where}: {before[low:high]} -> {after[low : high + len(after) - len(before)]}"

    def compile(self, file: Path) -> CodeType:
        """Returns the code of the changed module; every function keeps its line number.

        Outside of a function it is that of the changed assignment, and of the later ones that use its names.
        """

        def compiled() -> CodeType:
            tree = self.tree if self.slot.function else _affected(self.tree, self.slot.statement)
            return compile(ast.fix_missing_locations(tree), str(file), "exec")

        return self._changed(compiled)

    def _changed(self, action: Callable[[], T]) -> T:
        """Runs an action while the change is made in the tree, then undoes it."""
        owner, field, position = self.slot[:3]
        before: Any = getattr(owner, field)
        after: Any = self.new
        if position is not None:
            after = [*before[:position], *([] if self.new is None else [self.new]), *before[position + 1 :]]
        setattr(owner, field, after)
        try:
            return action()
        finally:
            setattr(owner, field, before)


def mutants(file: Path) -> Iterator[Mutant]:
    """Yields every mutant of a module in the order of its source."""
    tree = ast.parse(file.read_text())
    for slot in _slots(tree):
        is_value = isinstance(slot.top, ast.Assign | ast.AnnAssign) and not _declares_type(slot.top)
        if slot.function or is_value:  # what else runs at import is not repeated
            yield from (Mutant(tree, slot, new) for new in replacements(slot))


def _slots(owner: ast.AST, scope: str = "", function: str = "", around: Sequence[ast.stmt] = ()) -> Iterator[Slot]:
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
                yield Slot(owner, field, index, node, inner, within[-1], within[0])
            named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not inner
            below = f"{scope}.{node.name}".lstrip(".") if named else scope  # type: ignore[attr-defined]
            yield from _slots(node, below, inner, within)


def _affected(tree: ast.Module, changed: ast.stmt) -> ast.Module:
    """Returns the statement and the later assignments of the module that use what it sets, directly or not."""
    statements, names = [changed], _targets(changed)
    for statement in tree.body[tree.body.index(changed) + 1 :]:
        used = {node.id for node in _names(statement)}
        if isinstance(statement, ast.Assign | ast.AnnAssign) and used & names:
            statements.append(statement)
            names |= _targets(statement)
    return ast.Module(body=statements, type_ignores=[])


def _declares_type(statement: ast.stmt) -> bool:
    """Returns whether an assignment gives a type a name: those are written in capitals and small letters."""
    return any(name.lstrip("_")[:1].isupper() and not name.isupper() for name in _targets(statement))


def _targets(assignments: ast.stmt | ast.Module) -> set[str]:
    return {name.id for name in _names(assignments) if isinstance(name.ctx, ast.Store)}


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (name for name in ast.walk(node) if isinstance(name, ast.Name))


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


def _headline(statement: ast.stmt) -> str:
    """Returns a statement in one line, without the body of a compound one."""
    if hasattr(statement, "body"):
        statement = copy_with(statement, body=[ast.Pass()])
        for rest in {"orelse", "finalbody"} & {*statement._fields}:
            statement = copy_with(statement, **{rest: []})
    return " ".join(ast.unparse(statement).split())


def _shared(one: str, other: str) -> int:
    """Returns how many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
