"""Strict JSON (ADR requests): UTF-8 without a byte-order mark, unique keys, finite numbers, valid Unicode, 32
levels."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from governance.errors import invalid_body
from governance.limits import JSON_DEPTH
from governance.models.numbers import parse_float

_INVALID = re.compile("[\0\ud800-\udfff]")


def _refuse(message: str) -> NoReturn:
    raise ValueError(message)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        _refuse("must not have a field twice")
    return members


def _constant(name: str) -> NoReturn:
    _refuse(f"must not contain {name}")


def _float(text: str) -> float:
    number = parse_float(text)
    if not math.isfinite(number):
        _refuse("must not contain a number beyond the range of a double")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def parse(raw: bytes) -> tuple[Any, dict[str, str]]:
    """Returns the value, and a message for each invalid string by its path.

    Raises 400 with `fields.body` for a text that is not strict JSON.
    """
    try:
        text = raw.decode("utf-8")
        if text.startswith("\ufeff"):
            _refuse("must not begin with a byte-order mark")
        value = _DECODER.decode(text)
        if text.count("{") + text.count("[") > JSON_DEPTH and _depth(value) > JSON_DEPTH:
            _refuse(f"must not be nested deeper than {JSON_DEPTH}")
    except json.JSONDecodeError:
        raise invalid_body({"body": "must be JSON"}) from None
    except UnicodeDecodeError:
        raise invalid_body({"body": "must be UTF-8"}) from None
    except RecursionError:
        raise invalid_body({"body": f"must not be nested deeper than {JSON_DEPTH}"}) from None
    except ValueError as error:
        raise invalid_body({"body": _reason(error)}) from None
    return value, dict(_invalid_strings(value, "")) if "\\u" in text else {}


def _reason(error: ValueError) -> str:
    """Returns our own message; the interpreter's, about integers of thousands of digits, is not for clients."""
    return str(error) if str(error).startswith("must ") else "must not contain a number with thousands of digits"


def _depth(root: Any) -> int:
    """Returns the number of nested levels; a scalar has none, an empty object one."""
    level, depth = [root], 0
    while level := [value for value in level if isinstance(value, dict | list)]:
        depth += 1
        level = [part for value in level for part in (value.values() if isinstance(value, dict) else value)]
    return depth


def _invalid_strings(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str) and _INVALID.search(value):
        yield path or "body", "must not contain NUL or half of a surrogate pair"
    elif isinstance(value, dict):
        for name, part in value.items():
            if _INVALID.search(name):
                yield path or "body", "must not contain NUL or half of a surrogate pair in a name"
            else:
                yield from _invalid_strings(part, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _invalid_strings(part, f"{path}.{index}" if path else str(index))
