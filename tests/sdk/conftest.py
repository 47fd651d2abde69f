"""The Python client as `make sdk` builds it, without its types, which no call needs."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from infra.sdk import build


@pytest.fixture(scope="session")
def sdk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("sdk")
    build.python_package(folder)
    sys.path.insert(0, str(folder))
    yield importlib.import_module(build.PACKAGE)
    sys.path.remove(str(folder))
