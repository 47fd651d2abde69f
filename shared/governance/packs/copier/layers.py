"""Layers (optional content): which are off when a paper is opened, and content without what they hide.

A layer that is off stays off because what it hides is not copied: nobody can turn it on in a pack (ISO 32000-1, 8.11).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pikepdf import (
    Array,
    ContentStreamInstruction,
    Dictionary,
    Name,
    Object,
    Operator,
    Pdf,
    parse_content_stream,
    unparse_content_stream,
)

from governance.packs.copier.syntax import member, name_text

_DEPTH = 20
"""Levels of a visibility expression that are read; what is deeper is hidden."""
_PATHS = {"f", "F", "f*", "B", "B*", "b", "b*", "S", "s"}
_PAINTED = {"Tj", "TJ", "sh", "Do", "INLINE IMAGE"}
_BEGIN_MARKED = {"BDC", "BMC"}


class Layers:
    """The layers of a PDF, as a reader shows them when the file is opened."""

    def __init__(self, pdf: Pdf) -> None:
        properties = member(pdf.Root, "/OCProperties")
        config = member(properties, "/D")
        self._exists = isinstance(properties, Dictionary)
        self._base = member(config, "/BaseState") != Name.OFF
        self._on, self._off = _ids(member(config, "/ON")), _ids(member(config, "/OFF"))
        usages = [usage for usage in _listed(member(config, "/AS")) if member(usage, "/Event") == Name.View]
        self._automatic = _ids(
            group
            for usage in usages
            if any(category == Name.View for category in _listed(member(usage, "/Category")))
            for group in _listed(member(usage, "/OCGs"))
        )

    def hides(self, layer: Any) -> bool:
        """Returns whether content that belongs to this group, or to this membership dictionary, is hidden."""
        if not self._exists or not isinstance(layer, Dictionary):
            return False
        if member(layer, "/Type") != Name.OCMD:
            return not self._is_on(layer)
        expression = member(layer, "/VE")
        return not (self._holds(expression, _DEPTH) if isinstance(expression, Array) else self._policy_holds(layer))

    def hidden_names(self, resources: Any) -> set[str]:
        """Returns the names by which content with these resources marks what is hidden."""
        properties = member(resources, "/Properties")
        if not isinstance(properties, Dictionary):
            return set()
        return {name for name in properties.keys() if self.hides(properties[name])}  # noqa: SIM118 - no mapping

    def _is_on(self, group: Object) -> bool:
        """Returns the state of a group: the configuration's, unless its own usage decides when it is viewed."""
        key = group.objgen
        state = key in self._on if not self._base else True
        state = state and key not in self._off
        usage = member(member(member(group, "/Usage"), "/View"), "/ViewState")
        if key in self._automatic and usage is not None:
            return bool(usage != Name.OFF)
        return state and usage != Name.OFF

    def _policy_holds(self, membership: Object) -> bool:
        groups = member(membership, "/OCGs")
        listed = [groups] if isinstance(groups, Dictionary) else _listed(groups)
        states = [self._is_on(group) for group in listed if isinstance(group, Dictionary)]
        if not states:
            return True
        policy = member(membership, "/P")
        if policy == Name.AllOn:
            return all(states)
        if policy == Name.AnyOff:
            return not all(states)
        return not any(states) if policy == Name.AllOff else any(states)

    def _holds(self, expression: Any, depth: int) -> bool:
        if isinstance(expression, Dictionary):
            return self._is_on(expression)
        operator, *operands = _listed(expression) or [None]
        if depth == 0 or not operands:
            return False
        values = (self._holds(operand, depth - 1) for operand in operands)
        if operator == Name.Not:
            return not next(values)
        return any(values) if operator == Name.Or else operator == Name.And and all(values)


def without_hidden(content: Any, names: set[str]) -> bytes:
    """Returns the content of a page or stream without what is marked with these names, but with its state changes."""
    marks: list[bool] = []
    kept: list[Any] = []
    for instruction in parse_content_stream(content):
        operator = instruction.operator.unparse().decode("latin-1")
        if operator in _BEGIN_MARKED:
            marks.append(operator == "BDC" and _is_hidden(instruction.operands, names))
        if any(marks):
            kept += _unpainted(operator, instruction)
        else:
            kept.append(instruction)
        if operator == "EMC" and marks:
            marks.pop()
    return unparse_content_stream(kept)


def _is_hidden(operands: Any, names: set[str]) -> bool:
    return len(operands) > 1 and operands[0] == Name.OC and name_text(operands[1]) in names


def _unpainted(operator: str, instruction: Any) -> Iterable[Any]:
    """Returns what has the effect of a hidden instruction on what follows, without painting."""
    if operator in _PATHS:
        return [ContentStreamInstruction([], Operator("n"))]
    if operator in _PAINTED:
        return []
    if operator == "'":
        return [ContentStreamInstruction([], Operator("T*"))]
    if operator == '"':
        word, char = list(instruction.operands)[:2]
        return [
            ContentStreamInstruction([word], Operator("Tw")),
            ContentStreamInstruction([char], Operator("Tc")),
            ContentStreamInstruction([], Operator("T*")),
        ]
    return [instruction]


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, Array) else []


def _ids(groups: Any) -> set[tuple[int, int]]:
    listed = _listed(groups) if isinstance(groups, Object) else groups or ()
    return {group.objgen for group in listed if isinstance(group, Dictionary)}
