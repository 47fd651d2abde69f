"""Which model belongs to which item, by its key: for the commands that read rows of every kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, get_args

from pydantic import BaseModel

from governance.models.base import Stored
from governance.store.schema import entities, history, minutes
from governance.store.schema.keys import Key, Kind, key_of


def _model(path: str) -> type[Stored]:
    module, _, name = path.rpartition(".")
    model: type[Stored] = getattr(import_module(f"governance.models.{module}"), name)
    return model


MODELS_OF_KINDS: Mapping[Kind, type[Stored]] = {
    kind: _model(kind.model)
    for module in (entities, history, minutes)
    for kind in vars(module).values()
    if isinstance(kind, Kind) and kind.model
}
MODELS = frozenset(MODELS_OF_KINDS.values())


def pattern_of(kind: Kind) -> re.Pattern[str]:
    """Returns the pattern of the keys of a kind, partition and sort key with a blank between them."""
    parameters = re.compile(r"\{\w+?(Id)?(?::\.(\d+))?\}")
    template = f"{kind.pk} {kind.sk}"
    return re.compile(parameters.sub(lambda match: f"[0-9a-f]{{{match[2] or 24}}}" if match[1] else ".+", template))


_KINDS = [(pattern_of(kind), model) for kind, model in MODELS_OF_KINDS.items()]


def model_of(item: Mapping[str, object]) -> type[Stored] | None:
    """Returns the model of an item; None for a row that counts, leads to another or holds text only."""
    return model_at(key_of(item))


def model_at(key: Key) -> type[Stored] | None:
    """Returns the model of what is stored under a key; None for a row without one."""
    text = " ".join(key)
    return next((model for pattern, model in _KINDS if pattern.fullmatch(text)), None)


def names_in(model: type[BaseModel], ending: str) -> Iterator[str]:
    """Yields the paths of the fields whose names end like this, of a model and the models in it, as they are stored."""
    for name, info in model.model_fields.items():
        alias = info.alias or name
        if name == ending or name.endswith(f"_{ending}"):
            yield alias
        for inner in _models_in(info.annotation):
            yield from (f"{alias}.{path}" for path in names_in(inner, ending))


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)
