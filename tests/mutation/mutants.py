"""Mutants: single changes of a module, each of which breaks the code in a way that a test should notice.

`changes.py` says what may become of a node; here stand the places of a module, and how a changed one is compiled.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple, TypeVar

from tests.mutation.changes import Slot, copy_with, replacements

_SKIPPED_FIELDS = {"annotation", "returns", "ctx"}
_SKIPPED_NODES = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Assert)
_DECLARING = {"TypeVar", "ParamSpec", "NewType", "Literal", "getLogger", "cast", "overload", "Protocol"}
T = TypeVar("T")


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
        for new in replacements(slot):
            mutant = Mutant("", file, slot.function, tree, slot.owner, slot.field, slot.position, new, slot.statement)
            name = f"{file.relative_to(root)}:{slot.function or '-'}: {_difference(mutant)}"
            seen[name] += 1
            found.append(mutant._replace(name=name if seen[name] == 1 else f"{name} #{seen[name]}"))
    return found


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
        statement = copy_with(statement, body=[ast.Pass()], orelse=[])
    return " ".join(ast.unparse(statement).split())
