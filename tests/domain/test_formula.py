"""The grammar of formulas: values and refusals."""

import pytest

from governance.domain.formula import ExpressionError, names, parse
from tests.harness.formulas import COMPUTED, REFUSED, VALUES, value_of


@pytest.mark.parametrize(("text", "expected"), COMPUTED.items())
def test_computes(text: str, expected: float) -> None:
    assert value_of(text, VALUES) == expected


@pytest.mark.parametrize("text", REFUSED)
def test_refuses(text: str) -> None:
    with pytest.raises(ExpressionError):
        value_of(text, VALUES)


def test_names_every_input() -> None:
    assert list(names(parse("a + min(b, c * a)"))) == ["a", "b", "c", "a"]


def test_a_long_chain_is_computed() -> None:
    assert value_of("+".join("a" * 150), VALUES) == 900
