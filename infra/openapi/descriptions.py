"""What models say of themselves in the document: their docstrings, read from their source when the document is made.

The docstring of a model describes its schema, the string under a field the field, the string under a type of the
models its component. A `$NAME` in it stands for a number of the code (`infra.openapi.numbers`). What is the same for
several models is said once: a field without a string has the words of the model that it is inherited from, in a
`MeetingPatch` then those of the `MeetingCreate`, and in both those of the `Meeting`.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from string import Template
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from infra.openapi.numbers import numbers

_OURS = "governance."
_LIKE = {"Patch": ("Create", "Body", ""), "Create": ("",), "Body": ("",)}
"""The forms of a resource, by the ends of their names, that say what another form does not."""
Assignments = dict[str, tuple[ast.expr, str | None]]
"""What each name is annotated with, or stands for if it is not annotated; and the string under it."""


def of_model(model: type[Any]) -> str:
    """Returns the description of the schema of a class."""
    return _text(model.__doc__ or "")


def of_field(model: type[BaseModel], field: str) -> str | None:
    """Returns the description of a field, by its Python name; None if no model says anything of it."""
    return next(iter(said(model, field)), None)


def said(model: type[BaseModel], field: str) -> list[str]:
    """Returns all that the models of a line say of a field, the model's own words first."""
    declared = dict.fromkeys(text for form in _forms(model) for _, text in _declarations(form, field))
    return [_text(docstring) for _, docstring in declared if docstring]


def described_type(model: type[BaseModel], field: str) -> tuple[str, str] | None:
    """Returns the name and the description of the described type in a field's annotation; None without one."""
    module, (annotation, _) = next(_declarations(model, field))
    return next(_described(module, annotation), None)


def of_type(module: ModuleType, name: str) -> str:
    """Returns the description of a type of a module."""
    return _text(_assignments(module.__name__)[name][1] or "")


def _text(docstring: str) -> str:
    return Template(" ".join(docstring.split())).substitute(numbers())


def _forms(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """Yields a model, and those of its module that are other forms of the same resource."""
    yield model
    end = next((end for end in _LIKE if model.__name__.endswith(end)), "")
    for other in _LIKE.get(end, ()):
        form = getattr(importlib.import_module(model.__module__), model.__name__.removesuffix(end) + other, None)
        if isinstance(form, type) and issubclass(form, BaseModel):
            yield form


def _declarations(model: type[BaseModel], field: str) -> Iterator[tuple[str, tuple[ast.expr, str | None]]]:
    for ancestor in model.__mro__:
        if ancestor.__module__.startswith(_OURS):
            fields = _assignments(ancestor.__module__, ancestor.__name__)
            if field in fields:
                yield ancestor.__module__, fields[field]


def _described(module: str, annotation: ast.expr) -> Iterator[tuple[str, str]]:
    """Yields the described types that an annotation names, directly or by types without a description."""
    names = [node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)]
    for name in names:
        home = _home(module, name)
        if home.startswith(_OURS) and name in (assigned := _assignments(home)):
            definition, docstring = assigned[name]
            yield from [(name, _text(docstring))] if docstring else _described(home, definition)


@cache
def _home(module: str, name: str) -> str:
    """Returns the module from which a module has a name."""
    for node in _tree(module).body:
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}:
            return node.module or ""
    return module


@cache
def _assignments(module: str, of_class: str | None = None) -> Assignments:
    body = _tree(module).body
    if of_class is not None:
        body = next(node for node in body if isinstance(node, ast.ClassDef) and node.name == of_class).body
    return {
        name: (value, _string(after)) for node, after in pairwise([*body, ast.Pass()]) for name, value in _names(node)
    }


def _names(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            yield name, annotation
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value


def _string(node: ast.stmt) -> str | None:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return None


@cache
def _tree(module: str) -> ast.Module:
    source: Any = inspect.getsourcefile(importlib.import_module(module))
    return ast.parse(Path(source).read_text(encoding="utf-8"))
